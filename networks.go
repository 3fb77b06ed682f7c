package rgm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// A Provider evaluates networks.
type Provider string

const (
	ProviderAuto Provider = ""     // ONNX Runtime on the CPU; Config.Go where that cannot be had
	ProviderCPU  Provider = "cpu"  // ONNX Runtime on the CPU
	ProviderCUDA Provider = "cuda" // ONNX Runtime on the GPU Config.Session.Device
	ProviderGo   Provider = "go"   // Config.Go
)

// ErrReweighs is wrapped by the error for Options.Model where the model belongs into
// Options.Affinity.
var ErrReweighs = errors.New("re-weighs affinities and chooses no actions")

// network is a model, which is opened when it is first evaluated.
type network struct {
	name         string
	data         []byte
	features     string
	architecture string
	training     string // what the file says of it
	searches     int    // that hold it; of Solver.mutex, as the next
	dropped      bool   // it is closed when no search holds it

	mutex    sync.Mutex
	q        qap.QFunction  // nil until it is opened
	session  *infer.Network // nil in Go
	provider string         // who evaluates it, as results say
}

// network returns a model by its name.
func (s *Solver) network(name string) (*network, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return nil, infer.ErrClosed
	}
	if k := s.find(name); k >= 0 {
		n := s.networks[k]
		s.networks = append(slices.Delete(s.networks, k, k+1), n)
		return n, nil
	}
	data, err := s.config.Model(name)
	if err != nil {
		return nil, err
	}
	_, header, err := modelfile.Read(data)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	n := &network{name: name, data: data, features: header.Features, architecture: header.Architecture, training: header.Training}
	if s.networks = append(s.networks, n); len(s.networks) > s.config.Models {
		err = s.drop(0)
	}
	return n, err
}

// policy returns the network of a method: one that chooses actions or, for a soft method,
// that gives soft matchings.
func (s *Solver) policy(name string, m Method) (*counted, error) {
	n, err := s.network(name)
	if err == nil {
		err = n.serves(m)
	}
	if err != nil {
		return nil, modelError("Model", err)
	}
	return &counted{network: n, solver: s}, nil
}

// serves returns an error unless the network is of the kind that a method evaluates.
func (n *network) serves(m Method) error {
	switch {
	case m.Architecture != "" && n.architecture != m.Architecture:
		return fmt.Errorf("model %s is of the architecture %s: the method %s takes those of the architecture %s", n.name, n.architecture, m.Name, m.Architecture)
	case m.Architecture != "" || features.OfPolicy(n.features):
		return nil
	case n.features == features.Affinity:
		return fmt.Errorf("model %s %w", n.name, ErrReweighs)
	}
	return fmt.Errorf("model %s is of the architecture %s, and chooses no actions: it is not for the method %s", n.name, n.architecture, m.Name)
}

// learnedRefinement returns the refinement that evaluates a model.
func (s *Solver) learnedRefinement(name string) (*Refinement, *counted, error) {
	n, err := s.network(name)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range s.config.Refinements {
		if r.Learned == nil || r.Name != n.architecture {
			continue
		}
		q := &counted{network: n, solver: s}
		learned := r.Learned
		r.Refine = func(ctx context.Context, in *qap.Instance, m qap.Matching, o qap.Options) (qap.Result, error) {
			return learned(ctx, q, in, m, o)
		}
		return &r, q, nil
	}
	return nil, nil, fmt.Errorf("model %s is of the architecture %s, and improves no results", name, n.architecture)
}

// reweigher returns a network that re-weighs affinities.
func (s *Solver) reweigher(name string) (*counted, error) {
	n, err := s.network(name)
	c := &counted{network: n, solver: s}
	if err == nil {
		if _, err = reweigh.New(c); err != nil {
			err = fmt.Errorf("model %s: %w", name, err)
		}
	}
	if err != nil {
		return nil, modelError("Affinity", err)
	}
	return c, nil
}

// modelError is that of an option that names a model which cannot be used.
func modelError(option string, err error) error {
	if errors.Is(err, infer.ErrClosed) {
		return err
	}
	return &infer.OptionError{Option: option, Reason: err.Error(), Err: err}
}

// Load opens networks by their names ahead of the first search that evaluates them:
// without names, the pretrained ones that the kinds of instances have.
func (s *Solver) Load(ctx context.Context, names ...string) error {
	if len(names) == 0 {
		names = []string{ModelQAP, ModelMatching}
	}
	for _, name := range names {
		n, err := s.network(name)
		if err != nil {
			return modelError("Model", err)
		}
		one := solve{solver: s}
		err = one.hold(ctx, &counted{network: n, solver: s})
		one.release()
		if err != nil {
			return err
		}
	}
	return nil
}

// open opens the network unless it is open. Where ONNX Runtime cannot be had, Go
// evaluates it if the configuration lets it choose.
func (s *Solver) open(ctx context.Context, n *network) error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.q != nil {
		return nil
	}
	if s.config.Provider == ProviderGo || s.withoutRuntime() {
		return s.openInGo(n)
	}
	session := s.config.Session
	session.Provider = infer.CPU
	provider := "onnxruntime-cpu"
	if s.config.Provider == ProviderCUDA {
		session.Provider, provider = infer.CUDA, fmt.Sprintf("onnxruntime-cuda:%d", session.Device)
	}
	opened, err := infer.Open(ctx, n.data, session)
	switch {
	case err == nil:
		n.q, n.session, n.provider = opened, opened, provider
		return s.closeIfClosed(n)
	case errors.Is(err, ortlib.ErrUnavailable) && s.config.Provider == ProviderAuto && s.config.Go != nil:
		s.tellInGo(err)
		return s.openInGo(n)
	}
	return err
}

func (s *Solver) openInGo(n *network) error {
	q, err := s.config.Go(n.data)
	if err != nil {
		return modelError("Model", fmt.Errorf("model %s: %w", n.name, err))
	}
	n.q, n.provider = q, string(ProviderGo)
	return nil
}

// closeIfClosed closes a network that was opened while the solver was closed.
func (s *Solver) closeIfClosed(n *network) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.closed {
		return nil
	}
	return errors.Join(infer.ErrClosed, n.session.Close())
}

// withoutRuntime reports whether it was found out that there is no ONNX Runtime.
func (s *Solver) withoutRuntime() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.inGo
}

// tellInGo tells once that Go evaluates the networks.
func (s *Solver) tellInGo(reason error) {
	s.mutex.Lock()
	first := !s.inGo
	s.inGo = true
	s.mutex.Unlock()
	switch {
	case !first:
	case s.config.InGo != nil:
		s.config.InGo(reason)
	default:
		s.config.Log.Warn("there is no ONNX Runtime: networks are evaluated in Go, with the same results but slower", "reason", reason)
	}
}

// tellDecision logs a decision against learned affinities, or on a part of them, once
// for every reason.
func (s *Solver) tellDecision(instance string, d reweigh.Decision) {
	if d.Reason == "" {
		return
	}
	used := AffinityUsed(d)
	if _, told := s.told.LoadOrStore(used+d.Reason, true); !told {
		s.config.Log.Warn("searched by "+used+" affinities; told once for every reason", "reason", d.Reason, "instance", instance)
	}
}

// AffinityUsed is the name of what a decision chose.
func AffinityUsed(d reweigh.Decision) string {
	if d.Learned {
		return AffinityLearned
	}
	return AffinityGiven
}

func (n *network) close() error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	session := n.session
	n.q, n.session = nil, nil
	if session == nil {
		return nil
	}
	return session.Close()
}

// counted is a network in one search. It is opened at the latest when a batch is made.
type counted struct {
	*network
	solver      *Solver
	evaluations atomic.Int64
}

func (c *counted) open(ctx context.Context) error { return c.solver.open(ctx, c.network) }

func (c *counted) Features() string { return c.features }

func (c *counted) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	batch, err := c.NewPart(size, n1, n2)
	if err != nil {
		return nil, err
	}
	return &countedBatch{batch, &c.evaluations}, nil
}

// NewPart makes a batch whose evaluations are a part of those of another, which counts.
func (c *counted) NewPart(size, n1, n2 int) (qap.QBatch, error) {
	if err := c.open(context.Background()); err != nil {
		return nil, err
	}
	return c.q.NewBatch(size, n1, n2)
}

// Whole reports whether batches are better not divided (see infer.Network).
func (c *counted) Whole() bool {
	return c.solver.config.Provider == ProviderCUDA
}

// credit enters the evaluations in a result, and who made them.
func (c *counted) credit(r *Result, policy bool) {
	if c == nil {
		return
	}
	evaluations := int(c.evaluations.Load())
	if evaluations == 0 {
		return
	}
	r.Evaluations += evaluations
	r.Provider = c.provider
	if policy {
		r.Model = c.name
	}
}

type countedBatch struct {
	qap.QBatch
	evaluations *atomic.Int64
}

func (b *countedBatch) Evaluate() ([]float32, error) {
	b.evaluations.Add(1)
	return b.QBatch.Evaluate()
}
