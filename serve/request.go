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
	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/serve/queue"
)

// formatJSON is the format of an Instance; the others are those of files.
const formatJSON = "json"

// Request is an instance with its options, as it travels through a queue. What is documented
// is what a query or form may say of a file.
type Request struct {
	Format  string       `json:"format,omitempty" choices:"format" doc:"of a file, or json: an Instance"`
	Name    string       `json:"name,omitempty" doc:"what the result calls the instance of a file"`
	N1      int          `json:"n1,omitempty" minimum:"0" doc:"nodes of graph 1 of an affinity matrix (square root of the number of vertices)"`
	N2      int          `json:"n2,omitempty" minimum:"0" doc:"nodes of graph 2 (as n1)"`
	Order   string       `json:"order,omitempty" enum:"row,col" doc:"of the vertices of an affinity matrix (row)"`
	Sense   string       `json:"sense,omitempty" enum:"max,min" doc:"of an affinity matrix (max)"`
	Kernel  string       `json:"kernel,omitempty" enum:"auto,length,direction,weight,features,binary" doc:"of the files a and b: what of two edges is compared, as by rgm match (auto)"`
	Scale   string       `json:"scale,omitempty" enum:"auto,same,free" doc:"of the files a and b: units of lengths, as by rgm match (auto)"`
	Weight  string       `json:"weight,omitempty" doc:"of the files a and b: the attribute of edges that is their weight (weight)"`
	Options SolveOptions `json:"options,omitzero"`
	Files   []graphFile  `json:"files,omitempty"` // two of graphs, which Body has one after the other
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
	if err := (&decoder{choices{"format": formats()}}).decode(head, r, ""); err != nil {
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
	if _, err := r.task(context.Background(), limits{o.MaxNodes}); err != nil {
		return queue.Job{}, err
	}
	payload, err := r.Encode()
	return queue.Job{ID: queue.Digest(payload), Payload: payload, Created: time.Now()}, err
}

// limitTime checks the time limit and fills in the default one or, with max_steps alone, a deadline
// that changes nothing before it is reached.
func (r *Request) limitTime(defaultTime, maxTime time.Duration) error {
	o := &r.Options
	if err := o.checkTime(maxTime); err != nil {
		return err
	}
	switch {
	case o.TimeLimit != 0:
	case o.MaxSteps > 0:
		r.Deadline = Duration(maxTime)
	default:
		o.TimeLimit = Duration(defaultTime)
	}
	return nil
}

// task is a request that was read and checked: what is left is to search.
type task struct {
	subject
	options  portfolio.Options
	deadline time.Duration // 0 for none
	bytes    int64         // that the instance takes
}

// task reads the instance and checks the options against it, or returns the error of ctx where that
// ends first.
func (r *Request) task(ctx context.Context, limits limits) (*task, error) {
	of, err := r.subject(ctx, limits)
	if err != nil {
		return nil, err
	}
	options, err := r.Options.portfolio(of)
	if err != nil {
		return nil, err
	}
	return &task{subject: *of, options: options, deadline: time.Duration(r.Deadline), bytes: sizeOf(of)}, nil
}

// subject reads what is to be searched, or returns the error of ctx where that ends first.
func (r *Request) subject(ctx context.Context, limits limits) (of *subject, err error) {
	var in *qap.Instance
	var both *pair
	switch {
	case len(r.Files) == len(graphParts):
		both, err = r.pair(limits)
	case r.Format == formatJSON:
		in, both, err = readInstance(r.Body, limits)
	default:
		in, err = r.file(limits)
	}
	switch {
	case err != nil:
		return nil, err
	case both != nil:
		if of, err = both.subject(ctx, &r.Options); err != nil {
			return nil, err
		}
	case r.Options.Method == alignment.Method:
		return nil, invalid("/options/method", "%s is for two graphs: instances of kind graphs, and the files a and b", alignment.Method)
	default:
		of = &subject{instance: in}
	}
	if of.instance != nil {
		of.instance.Complete = of.instance.Complete || r.Options.Complete
	}
	return of, nil
}

// file reads the one instance of a file.
func (r *Request) file(limits limits) (*qap.Instance, error) {
	if r.Format == "" {
		return nil, invalid("/format", "the format is missing: want %s", strings.Join(formats(), ", "))
	}
	if max(r.N1, r.N2) > limits.nodes {
		return nil, limits.checkNodes(r.N1, r.N2)
	}
	options := datasets.Options{N1: r.N1, N2: r.N2, Complete: r.Options.Complete, Sense: senseOf(r.Sense)}
	if r.Order != "" {
		var err error
		if options.Order, err = datasets.ParseOrder(r.Order); err != nil {
			return nil, invalid("/order", "%q: want row or col", r.Order)
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
