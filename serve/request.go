package serve

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/serve/queue"
)

// formatJSON is the format of an Instance; the others are those of files.
const formatJSON = "json"

// Request is an instance with its options, as it travels through a queue.
type Request struct {
	Format  string       `json:"format"`           // json, dat, npy, …
	Name    string       `json:"name,omitempty"`   // what the result calls the instance of a file
	N1      int          `json:"n1,omitempty"`     // of an affinity matrix in a file
	N2      int          `json:"n2,omitempty"`     //
	Order   string       `json:"order,omitempty"`  // row (default) or col
	Sense   string       `json:"sense,omitempty"`  // max (default) or min
	Options SolveOptions `json:"options,omitzero"` //
	// Deadline ends a search that no time limit ends.
	Deadline Duration `json:"deadline,omitempty"`
	Body     []byte   `json:"-"`
}

// Encode returns the payload of a job: one line of JSON, then the body.
func (r *Request) Encode() ([]byte, error) {
	head, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, []byte("\n"), r.Body), nil
}

// decodeRequest reads what Encode wrote.
func decodeRequest(payload []byte) (*Request, error) {
	head, body, found := bytes.Cut(payload, []byte("\n"))
	if !found {
		return nil, errors.New("serve: a job without a request")
	}
	r := &Request{Body: body}
	if err := json.Unmarshal(head, r); err != nil {
		return nil, fmt.Errorf("serve: a job's request: %w", err)
	}
	return r, nil
}

// formats returns the formats of files that are taken, without the dot.
func formats() []string {
	var names []string
	for _, extension := range datasets.Formats() {
		names = append(names, strings.TrimPrefix(extension, "."))
	}
	return names
}

// Job checks a request and returns the job of it, which any worker solves. The same
// instance and options are the same job. Of the options MaxNodes, DefaultTime and
// MaxTime count.
func (r *Request) Job(o Options) (queue.Job, error) {
	o = o.withDefaults()
	in, err := r.instance(context.Background(), limits{o.MaxNodes})
	if err == nil {
		err = r.complete(in, o.DefaultTime, o.MaxTime)
	}
	if err != nil {
		return queue.Job{}, err
	}
	payload, err := r.Encode()
	return queue.Job{ID: queue.Digest(payload), Payload: payload, Created: time.Now()}, err
}

// instance reads the instance, or returns the error of ctx where that ends first.
func (r *Request) instance(ctx context.Context, limits limits) (*qap.Instance, error) {
	if r.Format == formatJSON {
		in, err := readInstance(ctx, r.Body, limits)
		if err != nil {
			return nil, err
		}
		in.Complete = in.Complete || r.Options.Complete
		return in, nil
	}
	return r.file(limits)
}

// file reads the one instance of a file.
func (r *Request) file(limits limits) (*qap.Instance, error) {
	if !slices.Contains(formats(), r.Format) {
		return nil, invalid("/format", "%q: want %s", r.Format, strings.Join(formats(), ", "))
	}
	if max(r.N1, r.N2) > limits.nodes {
		return nil, limits.checkNodes(r.N1, r.N2)
	}
	if min(r.N1, r.N2) < 0 {
		return nil, invalid("/n1", "want 1 or more")
	}
	options := datasets.Options{N1: r.N1, N2: r.N2, Complete: r.Options.Complete}
	var err error
	if r.Order != "" {
		if options.Order, err = datasets.ParseOrder(r.Order); err != nil {
			return nil, invalid("/order", "%q: want row or col", r.Order)
		}
	}
	switch r.Sense {
	case "", "max":
	case "min":
		options.Sense = qap.Minimize
	default:
		return nil, invalid("/sense", "%q: want max or min", r.Sense)
	}
	if r.Format == "npz" {
		if err := checkInflated(r.Body); err != nil {
			return nil, err
		}
	}
	var found *qap.Instance
	name := shortName(r.Name)
	for in, err := range datasets.Read(name, "."+r.Format, bytes.NewReader(r.Body), int64(len(r.Body)), options) {
		if err != nil {
			return nil, unreadable("%s", withoutPackage(err))
		}
		if found != nil {
			return nil, invalid("/instance", "the file holds several instances: send one at a time")
		}
		found = in
	}
	if found == nil {
		return nil, unreadable("the file holds no instance")
	}
	n1, n2 := found.Size()
	return found, limits.checkNodes(n1, n2)
}

// maxInflated bounds what an archive may hold, uncompressed.
const maxInflated = 256 << 20

// checkInflated returns the problem of an archive that takes far more memory than its
// body did.
func checkInflated(text []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil // whoever reads it says so
	}
	left := uint64(max(maxInflated, len(text)))
	for _, member := range archive.File {
		if member.UncompressedSize64 > left {
			return tooLarge("/instance", "the archive holds more than %d bytes: send a sparse matrix", maxInflated)
		}
		left -= member.UncompressedSize64
	}
	return nil
}

// complete checks the options against an instance, and fills in the time limit: the
// default one, or with max_steps and no time limit a deadline that changes nothing
// before it is reached.
func (r *Request) complete(in *qap.Instance, defaultTime, maxTime time.Duration) error {
	o := &r.Options
	if err := o.check(maxTime); err != nil {
		return err
	}
	if o.TimeLimit == 0 {
		if o.MaxSteps > 0 {
			r.Deadline = Duration(maxTime)
		} else {
			o.TimeLimit = Duration(defaultTime)
		}
	}
	if err := o.checkMemory(in); err != nil {
		return err
	}
	if _, err := o.goal(in); err != nil {
		return err
	}
	if o.Initial != nil {
		if err := in.CheckMatching(o.Initial); err != nil {
			return invalid("/options/initial", "%s", withoutPackage(err))
		}
	}
	return nil
}
