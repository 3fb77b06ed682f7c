package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/serve/queue"
)

// formatJSON is the format of an Instance; the others are those of files.
const formatJSON = "json"

// Request is an instance with its options, as it travels through a queue. What is documented
// is what a query or form may say of a file.
type Request struct {
	Format  string               `json:"format,omitempty" choices:"format" doc:"of a file, or json: an Instance"`
	Name    string               `json:"name,omitempty" doc:"what the result calls the instance of a file"`
	N1      int                  `json:"n1,omitempty" minimum:"0" doc:"nodes of graph 1 of an affinity matrix (square root of the number of vertices)"`
	N2      int                  `json:"n2,omitempty" minimum:"0" doc:"nodes of graph 2 (as n1)"`
	Order   string               `json:"order,omitempty" enum:"row,col" doc:"of the vertices of an affinity matrix (row)"`
	Sense   string               `json:"sense,omitempty" enum:"max,min" doc:"of an affinity matrix (max)"`
	Kernel  string               `json:"kernel,omitempty" enum:"auto,length,direction,weight,features,binary" doc:"of the files a and b: what of two edges is compared, as by rgm match (auto)"`
	Scale   string               `json:"scale,omitempty" enum:"auto,same,free" doc:"of the files a and b: units of lengths, as by rgm match (auto)"`
	Weight  string               `json:"weight,omitempty" doc:"of the files a and b: the attribute of edges that is their weight (weight)"`
	Options request.SolveOptions `json:"options,omitzero"`
	Files   []graphFile          `json:"files,omitempty"` // two of graphs, which Body has one after the other
	// Deadline ends a search that no time limit ends.
	Deadline request.Duration `json:"deadline,omitempty"`
	Body     []byte           `json:"-"`
}

// maxEdgePairs bounds the pairs of edges that are compared, and maxComparisons the operations
// that compare nodes by their features and places: some seconds.
const maxEdgePairs, maxComparisons = 2_000_000, 1 << 30

// limitsOf returns what instances may ask of a service.
func limitsOf(o *Options) request.Limits {
	return request.Limits{Nodes: o.MaxNodes, EdgePairs: maxEdgePairs, Comparisons: maxComparisons}
}

// Encode returns the payload of a job: one line of JSON, then the body.
func (r *Request) Encode() ([]byte, error) {
	head, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, []byte("\n"), r.Body), nil
}

// digest returns that of what Encode would return.
func (r *Request) digest() (string, error) {
	head, err := json.Marshal(r)
	return queue.Digest(head, []byte("\n"), r.Body), err
}

// decodeRequest reads what Encode wrote.
func decodeRequest(payload []byte) (*Request, error) {
	head, body, found := bytes.Cut(payload, []byte("\n"))
	if !found {
		return nil, errors.New("serve: a job without a request")
	}
	r := &Request{Body: body}
	if err := (&request.Decoder{Choices: request.Choices{"format": formats()}}).Decode(head, r, ""); err != nil {
		return nil, fmt.Errorf("serve: a job's request: %w", err)
	}
	return r, nil
}

// formats returns the formats of files that are taken, without the dot, and json.
func formats() []string {
	names := []string{formatJSON}
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
	if err := r.limitTime(o.DefaultTime, o.MaxTime); err != nil {
		return queue.Job{}, err
	}
	if _, err := r.task(context.Background(), limitsOf(&o)); err != nil {
		return queue.Job{}, err
	}
	payload, err := r.Encode()
	return queue.Job{ID: queue.Digest(payload), Payload: payload, Created: time.Now()}, err
}

// limitTime checks the time limit and fills in the default one or, with max_steps alone, a deadline
// that changes nothing before it is reached.
func (r *Request) limitTime(defaultTime, maxTime time.Duration) error {
	o := &r.Options
	if err := checkTime(time.Duration(o.TimeLimit), maxTime); err != nil {
		return err
	}
	switch {
	case o.TimeLimit != 0:
	case o.MaxSteps > 0:
		r.Deadline = request.Duration(maxTime)
	default:
		o.TimeLimit = request.Duration(defaultTime)
	}
	return nil
}

// checkTime returns the error of a time limit.
func checkTime(limit, most time.Duration) error {
	switch {
	case limit < 0:
		return request.Invalid("/options/time_limit", "%v: want 0, which is the default, or more", limit)
	case limit > most:
		return request.Invalid("/options/time_limit", "%v is over this service's limit of %v", limit, most)
	}
	return nil
}

// task is a request that was read and checked: what is left is to search.
type task struct {
	request.Subject
	options  portfolio.Options
	deadline time.Duration // 0 for none
	bytes    int64         // that the instance takes
}

// task reads the instance and checks the options against it, or returns the error of ctx where that
// ends first.
func (r *Request) task(ctx context.Context, limits request.Limits) (*task, error) {
	of, err := r.subject(ctx, limits)
	if err != nil {
		return nil, err
	}
	options, err := r.Options.Portfolio(of)
	if err != nil {
		return nil, err
	}
	options.Threads = 1 // workers share the processors
	return &task{Subject: *of, options: options, deadline: time.Duration(r.Deadline), bytes: sizeOf(of)}, nil
}

// subject reads what is to be searched, or returns the error of ctx where that ends first.
func (r *Request) subject(ctx context.Context, limits request.Limits) (of *request.Subject, err error) {
	var in *qap.Instance
	var both *request.Pair
	switch {
	case len(r.Files) == len(graphParts):
		both, err = r.pair(limits)
	case r.Format == formatJSON:
		in, both, err = request.ReadInstance(r.Body, limits)
	default:
		in, err = r.file(limits)
	}
	switch {
	case err != nil:
		return nil, err
	case both != nil:
		return both.Subject(ctx, limits, &r.Options)
	}
	return r.Options.Subject(in)
}

// file reads the one instance of a file.
func (r *Request) file(limits request.Limits) (*qap.Instance, error) {
	if r.Format == "" {
		return nil, request.Invalid("/format", "the format is missing: want %s", strings.Join(formats(), ", "))
	}
	if max(r.N1, r.N2) > limits.Nodes {
		return nil, limits.CheckNodes(r.N1, r.N2)
	}
	options := datasets.Options{N1: r.N1, N2: r.N2, Complete: r.Options.Complete, Sense: request.SenseOf(r.Sense)}
	if r.Order != "" {
		var err error
		if options.Order, err = datasets.ParseOrder(r.Order); err != nil {
			return nil, request.Invalid("/order", "%q: want row or col", r.Order)
		}
	}
	var found *qap.Instance
	name := request.ShortName(r.Name)
	for in, err := range datasets.Read(name, "."+r.Format, bytes.NewReader(r.Body), int64(len(r.Body)), options) {
		if err != nil {
			return nil, request.Unreadable("%s", request.WithoutPackage(err))
		}
		if found != nil {
			return nil, request.Invalid("/instance", "the file holds several instances: send one at a time")
		}
		found = in
	}
	if found == nil {
		return nil, request.Unreadable("the file holds no instance")
	}
	n1, n2 := found.Size()
	return found, limits.CheckNodes(n1, n2)
}
