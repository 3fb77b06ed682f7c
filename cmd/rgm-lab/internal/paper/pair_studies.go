package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/cmd/rgm-lab/internal/bench"
	"github.com/rgm-go/rgm/cmd/rgm-lab/internal/plots"
	"github.com/rgm-go/rgm/internal/statistics"
)

// pairStudy compares short trainings on pairs of graphs, a few seeds each, by the F1 of their
// networks on pairs that none has seen.
type pairStudy struct {
	id, title, about string
	prefix           string // of the units' names
	variants         []pairVariant
	shared           string // settings of all trainings
	episodes         int
	seeds            int
	measured         matchingSet
	flags            string // of the measurement
}

// pairVariant is what one training differs in.
type pairVariant struct {
	name, settings string
	episodes       float64 // times those of the others; 0 is as many
}

// trained is one training of a study.
type trained struct {
	variant, model string
}

// part trains every variant with every seed and measures all networks in one run, beside the
// search without learning that they begin as.
func (p pairStudy) part(s scale) Part {
	var units []Unit
	var all []trained
	var models []string
	for seed := range s.seeds(p.seeds) {
		for _, v := range p.variants {
			episodes := p.episodes
			if v.episodes > 0 {
				episodes = int(v.episodes * float64(episodes))
			}
			group := p.prefix + "-" + slug(v.name)
			flags := func(episodes any, seed int) string {
				return fmt.Sprintf("%s %s --episodes %v --seed %d", p.shared, v.settings, episodes, seed)
			}
			if s.budget != nil {
				episodes = s.planned(group)
			}
			u, model := trainPolicy(fmt.Sprintf("%s-%d", group, seed), flags(episodes, seed))
			s.budgeted(&u, group, flags(pilotEpisodes, 0))
			units, models = append(units, u), append(models, model)
			all = append(all, trained{v.name, strings.TrimPrefix(model, "{dir}/")})
		}
	}
	measure := p.measured.unit(p.prefix, p.flags+" --methods "+strings.Join(append(models, "greedy-ages"), ","))
	units = append(units, measure)
	return Part{ID: p.id, Title: p.title, About: p.about + s.budgetText(), Units: units, Control: control{row: "greedy-ages", column: "F1 in %"}, Show: func(results Results) []Block {
		rows := rowsOf[bench.MatchingRow](results, measure.Name)
		return p.show(slices.DeleteFunc(rows, func(r bench.MatchingRow) bool { return r.Source != "measured" || r.Average.F1 == nil }), all)
	}}
}

// show draws a line a variant, a dot a training, and a table of their means.
func (p pairStudy) show(rows []bench.MatchingRow, all []trained) []Block {
	if len(rows) == 0 {
		return nil
	}
	t := &Table{Header: []string{"variant", "trainings", "F1 in %", "least", "largest"}}
	var lines []plots.Row
	for _, name := range append(p.names(), "greedy-ages") {
		line := plots.Row{Name: name}
		for k, r := range rows {
			if k < len(all) && all[k].variant == name || k >= len(all) && r.Method == name {
				line.Values = append(line.Values, *r.Average.F1)
			}
		}
		if len(line.Values) == 0 {
			continue
		}
		lines = append(lines, line)
		deviation := math.NaN()
		if len(line.Values) > 1 {
			deviation = statistics.Deviation(line.Values)
		}
		t.Rows = append(t.Rows, []string{
			name, fmt.Sprint(len(line.Values)), spread(statistics.Mean(line.Values), &deviation, 1),
			fmt.Sprintf("%.1f", slices.Min(line.Values)), fmt.Sprintf("%.1f", slices.Max(line.Values)),
		})
	}
	return []Block{{Picture: &Picture{Name: p.id, Alt: p.title, SVG: plots.Dots(p.title, "F1 in %", lines)}}, {Table: t}}
}

func (p pairStudy) names() []string {
	var names []string
	for _, v := range p.variants {
		names = append(names, v.name)
	}
	return names
}

// shortPairs are the settings of a short training on pairs.
const shortPairs = "--preset matching --set reweighed=0 --set sizes=10,13,16 --set pool=20 --set validation_pool=4 --set validation_runs=1 --set warmup=500 --set validation_every=200"

// figure9Pairs is the sensitivity study on pairs of graphs.
func figure9Pairs(s scale) Part {
	p := pairStudy{
		id: "figure9-pairs", title: "Figure 9 on pairs of graphs",
		prefix: "sensitivity-pairs", shared: shortPairs, measured: generated,
		variants: []pairVariant{{name: "preset"}, {name: "batch=16"}, {name: "gamma=0.5"}, {name: "gamma=0.99"}, {name: "replay=4000"}, {name: "model.hidden=4"}, {name: "model.hidden=32"}},
		episodes: 60, seeds: 2, flags: "--inliers 10 --pairs 5",
	}
	if !s.full {
		p.variants, p.episodes, p.seeds, p.flags = p.variants[:3], 30, 1, "--inliers 10 --pairs 2"
	}
	for k, v := range p.variants {
		if strings.Contains(v.name, "=") {
			p.variants[k].settings = "--set " + v.name
		}
	}
	p.about = fmt.Sprintf("F1 in %% on generated pairs with 1 to 6 outliers, the count of inliers given, after trainings of %d episodes, one setting changed at a time; a dot is a training.", p.episodes)
	return p.part(s)
}

// figure11Pairs compares learners on pairs of graphs.
func figure11Pairs(s scale) Part {
	p := pairStudy{
		id: "figure11-pairs", title: "Figure 11 on pairs of graphs",
		prefix: "learners-pairs", shared: shortPairs, measured: generated,
		variants: []pairVariant{
			{name: "DQN", settings: "--set learner=dqn --set double=false --set dueling=false --set priority_alpha=0"},
			{name: "D3QN", settings: "--set learner=dqn"},
			{name: "A2C", settings: "--set learner=a2c --set validation_every=20", episodes: 2.4},
			{name: "PPO", settings: "--set learner=ppo", episodes: 1.1},
			{name: "TRPO", settings: "--set learner=trpo", episodes: 0.5},
			{name: "ACER", settings: "--set learner=acer --set kl_limit=1", episodes: 0.5},
		},
		episodes: 60, seeds: 2, flags: "--inliers 10 --pairs 5",
	}
	if !s.full {
		p.variants, p.episodes, p.seeds, p.flags = p.variants[1:3], 30, 1, "--inliers 10 --pairs 2"
	}
	p.about = "F1 in % on generated pairs with 1 to 6 outliers, the count of inliers given, after short trainings of about the same processor time (episodes of each as in figure 11); a dot is a training."
	return p.part(s)
}
