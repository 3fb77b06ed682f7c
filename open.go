package rgm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/recall"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
)

// Config says what a Solver can do. The zero value is ready for use.
type Config struct {
	Provider Provider             // who evaluates networks (ProviderAuto)
	Session  infer.SessionOptions // of ONNX Runtime; Provider above decides on the CPU or CUDA

	// Go evaluates a model file without ONNX Runtime (package models).
	Go func(model []byte) (qap.QFunction, error)

	// Model returns the file of a model by its name (pretrained.Model).
	Model func(name string) ([]byte, error)

	// Models is how many networks are kept (DefaultModels). Beyond, the one that was asked for
	// longest ago is closed once no search uses it, and read anew when it is asked for again.
	Models int

	Methods     []Method     // besides those of Methods
	Refinements []Refinement // besides those of package refine

	// Recall is a folder where the assignments that auto finds for problems of flows and distances are
	// kept, the last 200 of them; it is made where it is not there. A part of every search for such a
	// problem begins at the one that is best for it (none). Result.Recalled says what was used.
	Recall string

	// InGo is told, once, that Go evaluates networks and why there is no ONNX Runtime, in
	// place of Log (nobody).
	InGo func(reason error)

	// Log is told what was decided in the user's place, once for every reason: that Go
	// evaluates, or that affinities stay as given (nobody).
	Log *slog.Logger
}

// Solver is a set of methods and the networks they use. It must be closed.
type Solver struct {
	config  Config
	methods []Method
	told    sync.Map      // what was logged
	recall  *recall.Store // nil: nothing is kept

	mutex    sync.Mutex
	networks []*network // the one asked for last is the last
	inGo     bool       // there is no ONNX Runtime
	closed   bool
	running  sync.WaitGroup // searches
}

// Open returns a Solver. Nothing is loaded yet: a network is opened when it is first evaluated.
func Open(c Config) (*Solver, error) {
	if !slices.Contains([]Provider{ProviderAuto, ProviderCPU, ProviderCUDA, ProviderGo}, c.Provider) {
		return nil, &OptionError{Option: "Provider", Reason: fmt.Sprintf("%q is unknown", c.Provider)}
	}
	if c.Go == nil {
		c.Go = inGo
	}
	if c.Model == nil {
		c.Model = pretrained.Model
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Models == 0 {
		c.Models = DefaultModels
	}
	c.Refinements = slices.Concat(refinements(), registered.refinements, c.Refinements)
	store, err := openRecall(c.Recall)
	if err != nil {
		return nil, err
	}
	return &Solver{config: c, methods: append(Methods(), c.Methods...), recall: store}, nil
}

// shared is the Solver of the package's functions.
var shared = sync.OnceValues(func() (*Solver, error) { return Open(Config{}) })

// Solve is Solver.Solve of a Solver that all callers share.
func Solve(ctx context.Context, in *qap.Instance, o Options) (Result, error) {
	s, err := shared()
	if err != nil {
		return Result{}, err
	}
	return s.Solve(ctx, in, o)
}

// Match is Solver.Match of a Solver that all callers share.
func Match(ctx context.Context, g1, g2 *graphs.Graph, o Options) (Result, error) {
	s, err := shared()
	if err != nil {
		return Result{}, err
	}
	return s.Match(ctx, g1, g2, o)
}

// begin counts a search that begins: Close waits for it.
func (s *Solver) begin() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return infer.ErrClosed
	}
	s.running.Add(1)
	return nil
}

// Close waits until the searches that run have ended, and frees the networks. Searches
// that begin later fail with infer.ErrClosed. Options.OnBest must not call it.
func (s *Solver) Close() error {
	s.mutex.Lock()
	s.closed = true
	s.mutex.Unlock()
	s.running.Wait()
	s.mutex.Lock()
	open := s.networks
	s.networks = nil
	s.mutex.Unlock()
	return errors.Join(lists.Of(open, (*network).close)...)
}
