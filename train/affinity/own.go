package affinity

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/loop"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// OwnCheckpointFile is the name of the checkpoint of an OwnTrainer.
const OwnCheckpointFile = "own.rgm"

// Pair is a problem of one's own with its true matching.
type Pair struct {
	Name     string
	Instance *qap.Instance
	Truth    qap.Matching
}

// OwnConfig holds the hyper-parameters of a training on pairs of one's own. The choice of a size
// is learned first, anew, under the φ of a network that is given. Then, where Updates is not 0, φ
// is learned on from there and the choice once more.
type OwnConfig struct {
	Pairs        []string `mapstructure:"pairs" json:"pairs"`         // the folders that they were read from
	Like         []string `mapstructure:"like" json:"like,omitempty"` // in their place: files without truths, that copies are made of
	Graphs       Graphs   `mapstructure:",squash" json:"graphs"`
	Seed         uint64   `mapstructure:"seed" json:"seed"`
	SizeUpdates  int      `mapstructure:"size-updates" json:"size_updates"`   // of the choice, with about 64 pairs each
	Updates      int      `mapstructure:"updates" json:"updates"`             // of φ, with 2048 affinities each
	LearningRate float64  `mapstructure:"learning-rate" json:"learning_rate"` // at the start of a stage; it falls to 0 as a cosine
	SizeDecay    float64  `mapstructure:"size-decay" json:"size_decay"`       // weight decay of the choice, times the learning rate
	From         string   `mapstructure:"from" json:"from"`                   // the model that was given
	FromTraining string   `mapstructure:"-" json:"-"`                         // what its file says of its training
	SignedNodes  bool     `mapstructure:"-" json:"signed_nodes"`              // it chooses also where node affinities speak against matches (reweigh.Affinity.TrainedBy)
	Training     int      `mapstructure:"-" json:"training_pairs"`
	HeldOut      int      `mapstructure:"-" json:"held_out_pairs"`
	Sum          string   `mapstructure:"-" json:"sum"` // of the pairs and the network that was given
}

// Graphs says what is compared of the graphs of files: the options of rgm match of these names.
type Graphs struct {
	Edges     string   `mapstructure:"edges" json:"edges,omitempty"`
	Kernel    string   `mapstructure:"kernel" json:"kernel,omitempty"`
	Scale     string   `mapstructure:"scale" json:"scale,omitempty"`
	Weight    string   `mapstructure:"weight" json:"weight,omitempty"`
	MustAgree []string `mapstructure:"must-agree" json:"must_agree,omitempty"`
}

// DefaultOwn returns the configuration that rgm train affinity has.
func DefaultOwn() OwnConfig {
	return OwnConfig{SizeUpdates: 1500, LearningRate: 3e-3, SizeDecay: 5, From: "affinity"}
}

// Validate returns an error that lists every number that cannot be.
func (c *OwnConfig) Validate() error {
	errs := checkCounts([]countOf{{"size-updates", c.SizeUpdates, 1}, {"updates", c.Updates, 0}})
	return errors.Join(append(errs, checkRates(c.LearningRate, c.SizeDecay))...)
}

// Compared is a way to choose how many nodes are matched, beside the network that was trained, on pairs
// held out: mean F1, 0..1, and by how much the trained network's is greater, pair by pair, with the
// standard error of that.
type Compared struct {
	Rule  string  `json:"rule"`
	F1    float64 `json:"f1"`
	Ahead float64 `json:"ahead"`
	Error float64 `json:"error"`
}

// OwnValidation is how good the trained network is on pairs held out.
type OwnValidation struct {
	Pairs    int        `json:"pairs"`
	F1       float64    `json:"f1"`
	Error    float64    `json:"error"` // standard error over the pairs
	Controls []Compared `json:"controls"`
}

// The rules that a trained network is compared with.
const (
	RuleGiven = "the model it began from" // as it chooses
	RuleCount = "true count given"
	RulePower = "J/m^p" // p, the best of powers on the pairs trained on, follows
	RuleNull  = "J/J0"
	RuleAll   = "all matched"
	RuleBest  = "best count in hindsight"
)

// powers are the exponents that RulePower tries.
var powers = []float64{0, .3, .5, .7, .9, 1, 1.2, 1.4, 1.6, 1.8, 2}

// OwnTrainer is a training on pairs of one's own in progress. Not for use by several goroutines at once.
type OwnTrainer = training[OwnConfig, OwnValidation]

// NewOwn prepares a training on pairs from a network that is given, whose results are measured on others, held out.
func NewOwn(c OwnConfig, given *models.Affinity, pairs, held []Pair) (*OwnTrainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if len(pairs) == 0 || len(held) == 0 {
		return nil, fmt.Errorf("affinity: %d pairs to train on and %d held out: want some of both", len(pairs), len(held))
	}
	c.Training, c.HeldOut, c.Sum = len(pairs), len(held), sumOf(given, pairs, held)
	n := models.Clone(given).(*models.Affinity)
	o := &own{config: c, given: given, network: n, pairs: pairs, held: held}
	t := &OwnTrainer{
		config: c, file: OwnCheckpointFile, rate: c.LearningRate, network: n, validate: o.validate,
		stages: []namedStage{{"size", o.sizeStage}},
	}
	if c.Updates > 0 {
		t.stages = append(t.stages, namedStage{"edge", o.edgeStage}, namedStage{"size", o.sizeStage})
	}
	return t, nil
}

// ResumeOwn takes up the training of a checkpoint on the pairs that it was begun with, and from the
// same network. What follows is bit for bit what would have followed then.
func ResumeOwn(ctx context.Context, path string, given *models.Affinity, pairs, held []Pair) (*OwnTrainer, error) {
	return loop.Resume("affinity", path, func(data []byte) (*OwnTrainer, error) {
		return decoded(ctx, data, func(c OwnConfig) (*OwnTrainer, error) {
			t, err := NewOwn(c, given, pairs, held)
			if err == nil && t.config.Sum != c.Sum {
				err = errors.New("the pairs, or the model, are not those that the training was begun with")
			}
			return t, err
		})
	})
}

// OwnConfigOf returns the configuration of the training in a checkpoint, which says what it needs.
func OwnConfigOf(path string) (OwnConfig, error) {
	var c checkpoint[OwnConfig, OwnValidation]
	_, err := loop.Resume("affinity", path, func(data []byte) (*OwnTrainer, error) {
		return nil, checkpointFormat.Decode(data, &c)
	})
	return c.Config, err
}

// sumOf is a checksum of all that a training begins with.
func sumOf(given *models.Affinity, sets ...[]Pair) string {
	sum := sha256.New()
	write := func(x any) { _ = binary.Write(sum, binary.LittleEndian, x) } // a hash takes everything
	for _, p := range given.Parameters() {
		write(p.Data)
	}
	for _, set := range sets {
		write(int64(len(set)))
		for _, p := range set {
			for _, a := range p.Truth {
				write(int64(a))
			}
			p.Instance.EachEdge(func(v, w int, x float64) { write([3]float64{float64(v), float64(w), x}) })
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// own is what the stages of a training on pairs of one's own share.
type own struct {
	config         OwnConfig
	given, network *models.Affinity
	pairs, held    []Pair
}

// each returns what newPart makes of every pair, in their order.
func each[T any](ctx context.Context, pairs []Pair, newPart func(k int, p Pair) (T, error)) ([]T, error) {
	parts, errs := make([]T, len(pairs)), make([]error, len(pairs))
	parallel.For(len(pairs), func(k int) {
		if errs[k] = ctx.Err(); errs[k] == nil {
			if parts[k], errs[k] = newPart(k, pairs[k]); errs[k] != nil {
				errs[k] = fmt.Errorf("affinity: %s: %w", pairs[k].Name, errs[k])
			}
		}
	})
	for _, err := range errs { // the first one, not all
		if err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// sizeStage learns to choose a size, from weights drawn anew.
func (o *own) sizeStage(ctx context.Context) (*stage, error) {
	a, err := reweigh.New(models.QFunction(o.network))
	if err != nil {
		return nil, err
	}
	examples, err := each(ctx, o.pairs, func(_ int, p Pair) (sizeExample, error) { return newSizeExample(a, p.Instance, p.Truth) })
	if err != nil {
		return nil, err
	}
	pcg := rand.NewPCG(o.config.Seed, streamSizeSampling)
	made, err := models.New(o.network.Config(), rand.New(pcg))
	if err != nil {
		return nil, err
	}
	drawn := made.Parameters()
	for k, p := range o.network.Parameters() {
		if k >= len(drawn)/2 { // of the perceptron for sizes
			copy(p.Data, drawn[k].Data)
		}
	}
	return sizeStage(o.network, examples, pcg, o.config.SizeUpdates, o.config.SizeDecay)
}

// edgeStage goes on learning φ.
func (o *own) edgeStage(ctx context.Context) (*stage, error) {
	examples, err := each(ctx, o.pairs, func(k int, p Pair) (edgeExample, error) {
		return newEdgeExample(p.Instance, p.Truth, rand.New(rand.NewPCG(o.config.Seed, streamEdgePairs<<32|uint64(k))))
	})
	if err != nil {
		return nil, err
	}
	return edgeStage(o.network, examples, rand.NewPCG(o.config.Seed, streamSampling), o.config.Updates, false)
}

// validate measures the network on the pairs held out, as it is used, and the rules beside it.
func (o *own) validate(ctx context.Context) (OwnValidation, error) {
	var v OwnValidation
	trained, err := reweigh.New(models.QFunction(o.network))
	if err != nil {
		return v, err
	}
	given, err := reweigh.New(models.QFunction(o.given))
	if err != nil {
		return v, err
	}
	said, err := json.Marshal(map[string]OwnConfig{"config": o.config})
	if err != nil {
		return v, err
	}
	trained, given = trained.TrainedBy(string(said)), given.TrainedBy(o.config.FromTraining)
	byPower, err := each(ctx, o.pairs, func(_ int, p Pair) ([]float64, error) { return f1ByPower(p) })
	if err != nil {
		return v, err
	}
	power := bestPower(byPower)
	rules := []string{RuleGiven, RuleCount, fmt.Sprintf("J/m^%g", powers[power]), RuleNull, RuleAll, RuleBest}
	results, err := each(ctx, o.held, func(k int, p Pair) ([]float64, error) {
		return o.compare(ctx, p, trained, given, power, uint64(k))
	})
	if err != nil {
		return v, err
	}
	v.Pairs = len(results)
	v.F1, v.Error = meanAndError(results, func(r []float64) float64 { return r[0] })
	for k, rule := range rules {
		c := Compared{Rule: rule}
		c.F1, _ = meanAndError(results, func(r []float64) float64 { return r[k+1] })
		c.Ahead, c.Error = meanAndError(results, func(r []float64) float64 { return r[0] - r[k+1] })
		v.Controls = append(v.Controls, c)
	}
	return v, nil
}

// compare returns F1 on a pair, of the trained network first, then by the rules.
func (o *own) compare(ctx context.Context, p Pair, trained, given *reweigh.Affinity, power int, seed uint64) ([]float64, error) {
	searched := func(a *reweigh.Affinity) (float64, error) {
		in, _, err := a.Reweigh(ctx, p.Instance, qap.Goal{}, true)
		if err != nil {
			return 0, err
		}
		r, err := profile.Solver{}.Solve(ctx, in, qap.Options{})
		return r.Matching.F1(p.Truth), err
	}
	own, err := searched(trained)
	if err != nil {
		return nil, err
	}
	before, err := searched(given)
	if err != nil {
		return nil, err
	}
	found, err := profileOf(p.Instance)
	if err != nil {
		return nil, err
	}
	chance, err := reweigh.ByChance(ctx, p.Instance, seed)
	if err != nil {
		return nil, err
	}
	by := func(r qap.Regularizer) float64 { return f1By(p, found, r) }
	count, best := 0.0, 0.0
	for m, f := range found {
		if m == p.Truth.Size() {
			count = f.Matching.F1(p.Truth)
		}
		best = max(best, f.Matching.F1(p.Truth))
	}
	return []float64{own, before, count, by(qap.RegularizeMean(powers[power])), by(chance), found[len(found)-1].Matching.F1(p.Truth), best}, nil
}

// profileOf returns the best matchings of all sizes by the affinities as they are given.
func profileOf(in *qap.Instance) (qap.Profile, error) {
	r, err := profile.Solver{}.Solve(context.Background(), in, qap.Options{})
	return r.Profile, err
}

// f1By is the F1 of the size that a regularizer chooses.
func f1By(p Pair, found qap.Profile, r qap.Regularizer) float64 {
	m, _ := qap.Goal{Regularizer: r}.Choose(p.Instance, found)
	return found[m].Matching.F1(p.Truth)
}

// f1ByPower is the F1 by each of the powers.
func f1ByPower(p Pair) ([]float64, error) {
	found, err := profileOf(p.Instance)
	if err != nil {
		return nil, err
	}
	f1 := make([]float64, len(powers))
	for k, power := range powers {
		f1[k] = f1By(p, found, qap.RegularizeMean(power))
	}
	return f1, nil
}

// bestPower is the power of the greatest mean F1.
func bestPower(f1 [][]float64) int {
	sums := make([]float64, len(powers))
	for _, f := range f1 {
		for k, v := range f {
			sums[k] += v
		}
	}
	return slices.Index(sums, slices.Max(sums))
}

// meanAndError are the mean of numbers and its standard error.
func meanAndError(all [][]float64, of func([]float64) float64) (mean, deviation float64) {
	n := float64(len(all))
	sum, squares := 0.0, 0.0
	for _, r := range all {
		sum += of(r)
		squares += of(r) * of(r)
	}
	mean = sum / n
	return mean, math.Sqrt(max(squares/n-mean*mean, 0) / max(n-1, 1))
}
