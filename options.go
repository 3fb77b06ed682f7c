package rgm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
)

// Options say how to search. The zero value is ready for use. The tags are the table from which
// flags, JSON, OpenAPI, the types of other languages and docs/OPTIONS.md are made; package
// internal/table says what each means, and go generate . writes what is made from it (generated_test.go).
//
// To have an effect, an option of an instance's search goes into search, and one of two graphs into design. One that only
// affinities have is named in ofAffinities too.
type Options struct {
	Method       string        `json:"method,omitempty" group:"Method" first:"solve,match" choices:"method" doc:"the search, by its name; auto combines several, rgm follows the trained policy, align matches two graphs by their edges; every other name is that one search (auto, or profile if that is set)"`
	Model        string        `json:"model,omitempty" group:"Method" first:"solve" choices:"model" doc:"the network, by its name, of a method that uses one; the command line also takes a file (matching for affinity matrices, qap for flows and distances, align for align)"`
	TimeLimit    time.Duration `json:"time_limit,omitempty" group:"Time and steps" for:"solve,match,distance" first:"solve,match" doc:"longest time of a call, reading and preparing two graphs included (none: the search ends by itself)"`
	Deadline     time.Duration `json:"deadline,omitempty" group:"Time and steps" doc:"for a search without time_limit: it ends by itself, but no later than this (none)"`
	MaxSteps     int           `json:"max_steps,omitempty" group:"Time and steps" for:"solve,match,distance" first:"solve" minimum:"0" doc:"most steps of a search, or of each rollout; a step is an action, a swap or a trial (from the size, or none for a distance)"`
	StepsPerNode int           `json:"steps_per_node,omitempty" group:"Time and steps" minimum:"0" doc:"in place of max_steps: steps for each node of the larger graph (none)"`
	Patience     int           `json:"patience,omitempty" group:"Time and steps" minimum:"0" doc:"end a search after this many steps without a better matching (from the size, or none with max_steps or steps_per_node)"`
	Target       *float64      `json:"target,omitempty" group:"Matchings wanted" for:"solve" doc:"end a search at this objective, or a better one (none)"`
	Seed         uint64        `json:"seed,omitempty" group:"Method" for:"solve,match,distance" first:"solve,match" doc:"seed of all random choices (0)"`
	Threads      int           `json:"threads,omitempty" group:"Processors" for:"solve,match,distance" minimum:"0" doc:"processors for one search, or for all pairs of a collection; a search limited by steps has the same result on any number (all for a single instance, else 1)"`

	Inliers    int      `json:"inliers,omitempty" group:"Matchings wanted" first:"solve,match" minimum:"0" doc:"match this many nodes; a method that matches all of them then releases the weakest matches (as many as raise the objective)"`
	Regularize string   `json:"regularize,omitempty" group:"Matchings wanted" default:"none" doc:"multiply the score of m matches by f(m), so that outliers can stay unmatched: none, f1, f2, f3 (of the paper), mean (1/m), mean:p (1/m^p) or null (1 over the best score of m matches on shuffled edges)"`
	Complete   bool     `json:"complete,omitempty" group:"Matchings wanted" doc:"match all nodes of the smaller graph"`
	LeaveOut   bool     `json:"leave_out,omitempty" group:"Matchings wanted" for:"match" doc:"after the search, remove each match that is less likely to be right than to have a node without a partner; right matches can be removed too"`
	Fix        []string `json:"fix,omitempty" group:"Matchings wanted" first:"match" doc:"known matches, which the result keeps: i:a for node i of graph 1 and node a of graph 2, counted from 0, or in rgm match their names" file:"known" usage:"known matches, a line each: a node of A, a node of B"`
	Profile    bool     `json:"profile,omitempty" group:"Matchings wanted" doc:"also return the best matching found of every size"`
	Best       int      `json:"best,omitempty" group:"Matchings wanted" minimum:"0" maximum:"1000" doc:"also return this many of the best matchings, one of those that differ only by a symmetry; for small instances it is proved that none are better (none)"`
	Affinity   string   `json:"affinity,omitempty" group:"Matchings wanted" first:"solve,match" default:"given" choices:"affinity" doc:"affinities to search by: given, learned (a network re-weighs them), or a model that re-weighs them; learned ones let outliers stay unmatched; if some are negative, all stay as given; the objective always counts the given ones"`

	Rollouts    int          `json:"rollouts,omitempty" group:"Method" default:"8" minimum:"0" maximum:"1024" doc:"searches by the policy that advance side by side"`
	Beam        int          `json:"beam,omitempty" group:"Method" default:"1" minimum:"0" maximum:"1024" doc:"width of a beam search by the policy; above 1 it takes the place of rollouts"`
	Irrevocable bool         `json:"irrevocable,omitempty" mapstructure:"-" group:"Method" doc:"the policy never releases a match: w/o rev. in the paper" flag:"-" opposite:"revocable" usage:"let the policy release matches; =false is \"w/o rev.\" in the paper"`
	Start       string       `json:"start,omitempty" group:"Method" for:"solve" enum:"empty,supported" doc:"where rollouts without releases begin: empty, or supported, each then at a match that the leading eigenvector of the affinities favours (empty)"`
	Refine      string       `json:"refine,omitempty" group:"Method" first:"solve" default:"none" choices:"refine" doc:"improve the result of any method: none, rewrite (local rewriting), ipfp, tabu, or a model for it; takes half of the time limit"`
	Restarts    int          `json:"restarts,omitempty" group:"Method" default:"1" minimum:"0" doc:"starts of the method faq; the best result counts"`
	Initial     qap.Matching `json:"initial,omitempty" mapstructure:"-" group:"Method" for:"solve" doc:"a matching to start from: for each node of graph 1 its node of graph 2, or -1" flag:"-" file:"initial" usage:"a matching to start from: JSON array or integer .npy, -1 for unmatched nodes"`

	Edges      string   `json:"edges,omitempty" group:"Instances" for:"match" first:"match" default:"auto" doc:"which nodes are joined: given (by the graphs), complete (all), delaunay, knn:K (the K nearest), or auto: given if there are edges, else complete, for many points delaunay (in space knn:8)"`
	Kernel     string   `json:"kernel,omitempty" group:"Instances" for:"match" default:"auto" enum:"auto,length,direction,weight,features,binary" doc:"what edges are compared by: length, direction (and length, if neither graph is turned), weight, features, binary (only that there is an edge), or auto: the first of features, weight, length that both graphs have"`
	Scale      string   `json:"scale,omitempty" group:"Instances" for:"match" default:"auto" enum:"auto,same,free" doc:"unit of lengths: same (for both graphs), free (the mean or median distance of two nodes in each), or auto: same if the mean distances differ by at most a tenth, else what matches better"`
	Weight     string   `json:"weight,omitempty" group:"Instances" for:"match" first:"match" doc:"edge attribute, a number, that is the weight (weight)"`
	MustAgree  []string `json:"must_agree,omitempty" group:"Matchings wanted" for:"match" first:"match" doc:"names of attributes that must be equal: nodes that differ are never matched, edges that differ never shared (none)"`
	NodeWeight *float64 `json:"node_weight,omitempty" group:"Instances" for:"match" default:"auto" minimum:"0" doc:"how much the attributes of nodes count beside the edges: a number, or auto: from the data, by how well they tell nodes apart"`

	Similarity [][]float64 `json:"similarity,omitempty" mapstructure:"-" group:"Matchings wanted" for:"match" first:"match" doc:"how similar nodes are, beside what is compared: rows [i, a, score], node i of graph 1, node a of graph 2, both from 0, and a number above 0" flag:"-" file:"similarity" usage:"similarities, a line each: nodes of A and B, a number above 0"`

	Costs     string   `json:"costs,omitempty" group:"Distances" for:"distance" default:"uniform" choices:"costs" doc:"what edits cost: the name of a model, or the text of a TOML file (on the command line the file); uniform is 1 for each edit, 0 if labels are equal"`
	Within    *float64 `json:"within,omitempty" group:"Distances" for:"distance" minimum:"0" doc:"only find out whether the distance is at most this (none)"`
	Path      bool     `json:"path,omitempty" group:"Distances" for:"distance" doc:"also return the edits, one by one"`
	Matchings int      `json:"matchings,omitempty" mapstructure:"-" flag:"-" group:"Distances" for:"distance" minimum:"0" maximum:"1000000" doc:"also return up to this many matchings whose cost is the distance, once that is proved (none)"`

	CostModel *costs.Model `json:"-" mapstructure:"-"` // of Distance, in place of Costs

	Name     string           `json:"-" mapstructure:"-"` // what the result of Match or Distance calls the two graphs
	Similar  []graphs.Similar `json:"-" mapstructure:"-"` // how alike nodes of two graphs are, besides what is compared (none)
	OnBest   func(Incumbent)  `json:"-" mapstructure:"-"` // told of every new best solution, by one goroutine at a time, which searches on once it returns
	Limits   Limits           `json:"-" mapstructure:"-"` // of what the call may ask for (nothing)
	Unlogged bool             `json:"-" mapstructure:"-"` // tell Config.Log nothing of what becomes of the affinities: the search is a trial that nobody asked for
}

// OptionError is wrapped by the error for an option that cannot be used. Its Option is the name of a
// field of Options, or of Config.
type OptionError = infer.OptionError

// OptionTable returns the table of the options of Solve and Match.
func OptionTable() []table.Field { return slices.Clone(table.Of(optionsType)) }

// DistanceTable returns the table of the options of Distance.
func DistanceTable() []table.Field { return table.For(optionsType, "distance") }

var optionsType = reflect.TypeFor[Options]()

// MarshalJSON writes the options of Solve and Match that are not the default; durations have their unit.
func (o Options) MarshalJSON() ([]byte, error) { return o.marshal(OptionTable()) }

// MarshalDistance is MarshalJSON of the options of Distance.
func (o Options) MarshalDistance() ([]byte, error) { return o.marshal(DistanceTable()) }

func (o Options) marshal(all []table.Field) ([]byte, error) {
	o = o.withoutDefaults()
	v := reflect.ValueOf(o)
	var parts []string
	for _, f := range all {
		value := v.Field(f.Index)
		if value.IsZero() {
			continue
		}
		of := value.Interface()
		if d, is := of.(time.Duration); is {
			of = d.String()
		}
		text, err := json.Marshal(of)
		if err != nil {
			return nil, err
		}
		parts = append(parts, strconv.Quote(f.Name)+":"+string(text))
	}
	return []byte("{" + strings.Join(parts, ",") + "}"), nil
}

// withoutDefaults returns the options with the zero value in the place of each that is its default.
func (o Options) withoutDefaults() Options {
	v := reflect.ValueOf(&o).Elem()
	all := table.Of(optionsType)
	for k := range all {
		if of := v.Field(all[k].Index); all[k].Default != "" && !of.IsZero() && fmt.Sprint(of.Interface()) == all[k].Default {
			of.SetZero()
		}
	}
	return o
}

// normal returns the options as the solver takes them: without defaults, and with the method that finds a
// profile where that alone is asked for.
func (o Options) normal() Options {
	o = o.withoutDefaults()
	switch {
	case o.Method == MethodAuto:
		o.Method = ""
	case o.Method == "" && o.Profile:
		o.Method = MethodProfile
	}
	return o
}

// The pretrained models.
const (
	ModelQAP      = "qap"
	ModelMatching = "matching"
	ModelAffinity = "affinity" // of AffinityLearned
)

// The values of Options.Affinity besides names of models, as Affinities lists them.
const (
	AffinityGiven   = "given"
	AffinityLearned = "learned" // learned ones; the given ones by J/m where some are negative, which leaves nothing to learn
)

// Affinities returns the values of Options.Affinity besides names of models, the default first.
func Affinities() []string { return []string{AffinityGiven, AffinityLearned} }

// RefineNone is Options.Refine where results are not improved.
const RefineNone = "none"

// StartSupported is a value of Options.Start.
const StartSupported = "supported"

// Search is how a method searches an instance: the options in the words of package infer, and what only
// some methods have.
type Search struct {
	infer.Options
	Restarts int // starts of the method faq (1)

	// Recalled is what was found for a problem like this one, for the method auto (none).
	Recalled qap.Matching
}

// search returns how graphs of n1 and n2 nodes are searched. The options have no defaults.
func (o *Options) search(n1, n2 int) (Search, error) {
	pairs, err := o.fixed(n1, n2)
	if err != nil {
		return Search{}, err
	}
	regularizer, err := o.regularizer()
	if err != nil {
		return Search{}, err
	}
	s := Search{Restarts: o.Restarts, Options: infer.Options{
		Rollouts: o.Rollouts, Beam: o.Beam, MaxSteps: o.MaxSteps, Patience: o.Patience, TimeLimit: o.TimeLimit,
		Goal:        qap.Goal{Inliers: o.Inliers, Regularizer: regularizer},
		Irrevocable: o.Irrevocable, Supported: o.Start == StartSupported, Initial: o.Initial, Seed: o.Seed, Threads: o.Threads,
	}}
	if len(pairs) > 0 {
		s.Goal.Fixed = qap.NewMatching(n1)
	}
	for _, p := range pairs {
		s.Goal.Fixed[p.I] = p.J
	}
	if regularizer.Unknown() {
		s.Goal.Regularizer = unmeasured
	}
	if o.Target != nil {
		s.Target, s.HasTarget = *o.Target, true
	}
	if o.StepsPerNode > 0 {
		s.MaxSteps = min(o.StepsPerNode, math.MaxInt32) * max(n1, n2)
	}
	return s, nil
}

// CheckInstance returns an error that lists what is wrong with the options for an instance, whatever the method.
func (o Options) CheckInstance(in *qap.Instance) error {
	o = o.normal()
	search, err := o.search(in.Size())
	if err != nil {
		return err
	}
	return named(search.Validate(in))
}

// regularizer returns what Regularize says.
func (o *Options) regularizer() (qap.Regularizer, error) {
	if o.Regularize == "" {
		return qap.Regularizer{}, nil
	}
	r, err := qap.ParseRegularizer(o.Regularize)
	if err != nil {
		return r, optionError("Regularize", "%v", err)
	}
	return r, nil
}

// A FixError is that of one of the matches of Options.Fix.
type FixError struct {
	Index  int // in Options.Fix
	Reason string
}

func (e *FixError) Error() string { return "the fixed match " + e.Reason }

// fixed returns the matches that stay, of graphs of n1 and n2 nodes.
func (o *Options) fixed(n1, n2 int) ([]graphs.Pair, error) {
	var pairs []graphs.Pair
	matched, taken := map[int]bool{}, map[int]bool{}
	for k, text := range o.Fix {
		left, right, _ := strings.Cut(text, ":")
		i, errI := strconv.Atoi(left)
		a, errA := strconv.Atoi(right)
		switch {
		case errors.Join(errI, errA) != nil || i < 0 || a < 0:
			return nil, &FixError{k, fmt.Sprintf("%q: want i:a, a node of each graph, from 0", text)}
		case i >= n1 || a >= n2:
			return nil, &FixError{k, fmt.Sprintf("%s: graphs of %d and %d nodes have no such pair", text, n1, n2)}
		case matched[i] || taken[a]:
			return nil, &FixError{k, fmt.Sprintf("%s conflicts with a match before it", text)}
		}
		matched[i], taken[a] = true, true
		pairs = append(pairs, graphs.Pair{I: i, J: a})
	}
	return pairs, nil
}

// design returns what is compared of two graphs.
func (o *Options) design() (d compare.Design, err error) {
	d = compare.Design{Kernel: compare.KernelAuto, Scale: compare.ScaleAuto, Complete: o.Complete, Similar: slices.Clip(o.Similar), NodeWeight: o.NodeWeight}
	var errs []error
	wrong := func(option string, err error) {
		if err != nil {
			errs = append(errs, optionError(option, "%v", withoutPackage(err)))
		}
	}
	if o.Edges != "" {
		d.Joins, err = compare.ParseJoins(o.Edges)
		wrong("Edges", err)
	}
	if o.Kernel != "" {
		d.Kernel, err = compare.ParseKernel(o.Kernel)
		wrong("Kernel", err)
	}
	if o.Scale != "" {
		d.Scale, err = compare.ParseScale(o.Scale)
		wrong("Scale", err)
	}
	for k, row := range o.Similarity {
		similar, err := similarOf(row)
		if err != nil {
			return d, optionError("Similarity", "row %d, %v: %v", k, row, err)
		}
		d.Similar = append(d.Similar, similar)
	}
	if w := o.NodeWeight; w != nil && !(*w >= 0 && *w <= math.MaxFloat32) {
		errs = append(errs, optionError("NodeWeight", "%v: want auto, or a number from 0 on", *w))
	}
	return d, errors.Join(errs...)
}

// similarOf reads a row of Options.Similarity.
func similarOf(row []float64) (s graphs.Similar, err error) {
	if len(row) != 3 {
		return s, errors.New("want three numbers: a node of graph 1, one of graph 2, and how alike they are")
	}
	s = graphs.Similar{Pair: graphs.Pair{I: int(row[0]), J: int(row[1])}, Score: row[2]}
	if float64(s.I) != row[0] || float64(s.J) != row[1] || min(s.I, s.J) < 0 {
		return s, errors.New("want two nodes, from 0")
	}
	if !(s.Score > 0) || s.Score > math.MaxFloat32 {
		return s, errors.New("want a number above 0")
	}
	return s, nil
}

// forPolicy reports whether an option is for the policy of a network.
func (o *Options) forPolicy() bool {
	return o.Model != "" || o.Rollouts > 0 || o.Beam > 1 || o.Irrevocable
}

// modelFor returns the name of the network of a method for an instance.
func (o *Options) modelFor(m Method, in *qap.Instance) string {
	if o.Model != "" {
		return o.Model
	}
	if m.Architecture != "" {
		return m.Architecture
	}
	if _, product := in.Affinity.(*qap.KoopmansBeckmann); product {
		return ModelQAP
	}
	return ModelMatching
}

// affinityModel returns the name of the network that re-weighs, "" for none.
func (o *Options) affinityModel() string {
	switch o.Affinity {
	case "", AffinityGiven:
		return ""
	case AffinityLearned:
		return ModelAffinity
	}
	return o.Affinity
}

// optionError is that of an option by the name of its field.
func optionError(option, format string, values ...any) error {
	return &OptionError{Option: option, Reason: fmt.Sprintf(format, values...)}
}

// fieldOf has the fields of Options in the place of those of package infer.
var fieldOf = map[string]string{"Goal": "Inliers", "Supported": "Start"}

// named returns an error of package infer with the names of the fields of Options.
func named(err error) error {
	if all, joined := err.(interface{ Unwrap() []error }); joined {
		errs := slices.Clone(all.Unwrap())
		for k, one := range errs {
			errs[k] = named(one)
		}
		return errors.Join(errs...)
	}
	var wrong *OptionError
	if errors.As(err, &wrong) && fieldOf[wrong.Option] != "" {
		return &OptionError{Option: fieldOf[wrong.Option], Reason: wrong.Reason, Err: wrong.Err}
	}
	return err
}

// withoutPackage returns the text of an error without the package it comes from.
func withoutPackage(err error) string {
	text := err.Error()
	if k := strings.Index(text, ": "); k > 0 && !strings.Contains(text[:k], " ") {
		return text[k+2:]
	}
	return text
}
