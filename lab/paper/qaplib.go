package paper

import (
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/lab/bench"
)

// qaplibUnit is a measurement on QAPLIB.
func qaplibUnit(name, flags string) Unit {
	return Unit{Name: "qaplib-" + name, Args: words("bench qaplib --format json " + flags)}
}

// softObjective is a training whose network is measured on QAPLIB.
const softObjective = "runs/ngm-objective"

// trainObjective trains NGM without a truth, by the objective of its own soft matching.
func trainObjective(s scale) Unit {
	return Unit{
		Name: "train-ngm-objective", Args: words("train ngm --loss objective --out {dir}/" + softObjective + " --most-nodes 14 --validation-pairs 50 --updates " + s.of("200", "400")),
		Folder: softObjective, Checkpoint: "ngm.rgm", Verb: []string{"train", "ngm"},
	}
}

// trainPolicy returns a training by rgm train into runs/NAME, and where its network will be.
func trainPolicy(name, flags string) (u Unit, model string) {
	folder := "runs/" + name
	return Unit{
		Name: "train-" + name, Args: words("train --out {dir}/" + folder + " " + flags),
		Folder: folder, Checkpoint: "checkpoint.rgm", Verb: []string{"train"},
	}, "{dir}/" + folder + "/model.onnx"
}

// qaplibParts are the tables on QAPLIB.
func qaplibParts(s scale) []Part {
	seeds, few := " --seeds "+s.of("1", "4"), " --max-n "+s.of("26", "64")
	irrevocable, irrevocableModel := trainPolicy("irrevocable", "--preset qap --set revocable=false --set start_greedy=0 --set start_local=0 --set start_random=0"+
		s.of(" --set sizes=12 --set pool=20 --set warmup=500 --set validation_pool=4 --set validation_every=100 --episodes 400", " --set sizes=12,16 --set pool=50 --set warmup=2000 --set validation_pool=8 --set validation_every=500 --episodes 2000"))
	const picked = "--refine {dir}/runs/rewrite/model.onnx"
	one := []Unit{
		qaplibUnit("policies", "--rollouts 1 --methods rgm,greedy,greedy-tabu,greedy-ages"+seeds),
		qaplibUnit("policies-8", "--methods rgm,greedy-tabu,greedy-ages"+seeds+few),
		qaplibUnit("tabu", "--methods tabu"+seeds),
		qaplibUnit("classical", "--methods sm,rrwm,faq,ipfp,gagm,psm,gnccp,bpf,zacr"),
		qaplibUnit("skja", "--methods skja --max-n "+s.of("12", "15")),
		trainObjective(s),
		qaplibUnit("ngm", "--methods ngm --model {dir}/"+softObjective+"/model.onnx"),
	}
	rewritten := []Unit{
		qaplibUnit("classical-lr", "--methods sm,rrwm --refine rewrite"),
		qaplibUnit("skja-lr", "--methods skja --refine rewrite --max-n "+s.of("12", "15")),
		qaplibUnit("ngm-lr", "--methods ngm --refine rewrite --model {dir}/"+softObjective+"/model.onnx"),
		irrevocable,
		qaplibUnit("irrevocable", "--revocable=false --rollouts 1 --methods "+irrevocableModel+",greedy"),
		qaplibUnit("irrevocable-lr", "--revocable=false --rollouts 1 --refine rewrite --methods "+irrevocableModel+",greedy"),
		qaplibUnit("policies-lr", "--rollouts 1 --refine rewrite --methods rgm,greedy-tabu,greedy-ages"),
		{
			Name: "train-rewrite", Args: words("train rewrite --out {dir}/runs/rewrite --updates " + s.of("100", "500")),
			Folder: "runs/rewrite", Checkpoint: "rewriter.rgm", Verb: []string{"train", "rewrite"},
		},
		qaplibUnit("classical-picked", picked+" --methods sm,rrwm"),
		qaplibUnit("ngm-picked", picked+" --methods ngm --model {dir}/"+softObjective+"/model.onnx"),
		qaplibUnit("irrevocable-picked", picked+" --revocable=false --rollouts 1 --methods "+irrevocableModel+",greedy"),
		qaplibUnit("policies-picked", picked+" --rollouts 1 --methods rgm,greedy-tabu,greedy-ages"),
	}
	return []Part{
		{
			ID: "table4", Title: "Table 4: QAPLIB",
			About: "Gap to the best known value in %: mean (least–largest) of each class, and the average of the class means with its deviation over seeds. " +
				"The paper's averages are not those of its class means: what it prints is in the row below. Its seconds are on its GPU.",
			Units: one, Low: true,
			Claims: []claim{
				{says: "The policy is ahead of choosing the best exact gain", better: cell{"average", "rgm qap"}, worse: cell{"average", "greedy"}},
				{says: "The policy is ahead of tabu search of 1,000n swaps", better: cell{"average", "rgm qap"}, worse: cell{"average", "tabu"}, ours: true},
				{says: "Learning is ahead of the same steps without it", better: cell{"average", "rgm qap"}, worse: cell{"average", "greedy-ages"}, ours: true},
			},
			Show: func(results Results) []Block {
				single := qaplibRows(results, one[0].Name, one[2].Name)
				var blocks []Block
				if len(single) > 0 {
					blocks = append(blocks, Block{Table: byMethod("One rollout a policy, 20n steps; tabu search for 1000n swaps", single)})
				}
				for _, more := range []struct {
					unit    Unit
					caption string
				}{{one[1], "Eight rollouts"}, {one[3], "Without learning"}, {one[4], "SK-JA, small instances"}, {one[6], "NGM, trained by the objective"}} {
					if rows := measuredRows(qaplibRows(results, more.unit.Name)); len(rows) > 0 {
						blocks = append(blocks, Block{Table: byMethod(more.caption, rows)})
					}
				}
				return append(blocks, Block{Table: otherPrograms()})
			},
		},
		protocolPart(s),
		{
			ID: "table7", Title: "Table 7: local rewriting",
			About: "Gap to the best known value in %: average over the classes of the mean, the least and the largest gap, and seconds an instance. + LR is `--refine rewrite`, rewriting by the best exchange, + learned LR by the learned pickers of `rgm-lab train rewrite`; " +
				"`greedy` is the control of the learned policy w/o rev. Rows of SK-JA are over the smallest instances alone.",
			Units: slices.Concat(one, rewritten), Low: true,
			Claims: []claim{
				{says: "Rewriting helps SM", better: cell{"sm + LR", "mean"}, worse: cell{"sm", "mean"}},
				{says: "NGM with it is ahead of SM with it", better: cell{"ngm runs/ngm-objective/model.onnx + LR", "mean"}, worse: cell{"sm + LR", "mean"}},
				{says: "To revoke is ahead of rewriting", better: cell{"rgm qap", "mean"}, worse: cell{"rgm runs/irrevocable/model.onnx w/o rev. + LR", "mean"}},
				{says: "Without revoking, learning is ahead of the best exact gain", ours: true, better: cell{"rgm runs/irrevocable/model.onnx w/o rev.", "mean"}, worse: cell{"greedy w/o rev.", "mean"}},
			},
			Show: func(results Results) []Block {
				return []Block{{Table: rewriteTable(results)}}
			},
		},
	}
}

// qaplibRows returns rows of bench qaplib, those of the paper once and first.
func qaplibRows(results Results, units ...string) []bench.QAPLIBRow {
	var printed, measured []bench.QAPLIBRow
	for _, name := range units {
		rows := rowsOf[bench.QAPLIBRow](results, name)
		printed = slices.DeleteFunc(slices.Clone(rows), func(r bench.QAPLIBRow) bool { return r.Source != bench.SourcePaper })
		measured = append(measured, measuredRows(rows)...)
	}
	return append(printed, measured...)
}

func measuredRows(rows []bench.QAPLIBRow) []bench.QAPLIBRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r bench.QAPLIBRow) bool { return r.Source == bench.SourcePaper })
}

// byMethod shows a row a class and a column a method.
func byMethod(caption string, rows []bench.QAPLIBRow) *Table {
	t := &Table{Caption: caption, Header: []string{"class"}}
	var classes []string
	for _, r := range rows {
		label := r.Series()
		if r.Source == bench.SourcePaper {
			label += ", paper"
		}
		t.Header = append(t.Header, label)
		for class := range r.Classes {
			if !slices.Contains(classes, class) {
				classes = append(classes, class)
			}
		}
	}
	slices.Sort(classes)
	line := func(name string, cell func(bench.QAPLIBRow) string) {
		cells := []string{name}
		for _, r := range rows {
			cells = append(cells, cell(r))
		}
		t.Rows = append(t.Rows, cells)
	}
	for _, class := range classes {
		line(class, func(r bench.QAPLIBRow) string {
			if _, there := r.Classes[class]; !there {
				return ""
			}
			return fmt.Sprintf("%s (%s–%s)", gap(r.Classes[class]), gap(r.ClassesMin[class]), gap(r.ClassesMax[class]))
		})
	}
	line("average", func(r bench.QAPLIBRow) string { return spread(r.Average, r.AverageSD, 2) })
	line("as printed", func(r bench.QAPLIBRow) string { return optional("%.1f", r.Printed, 1) })
	line("instances × seeds", func(r bench.QAPLIBRow) string {
		if len(r.Instances) == 0 {
			return ""
		}
		return fmt.Sprintf("%d × %d", len(r.Instances), r.Seeds)
	})
	line("s an instance", func(r bench.QAPLIBRow) string { return optional("%.3g", r.SecondsPerInstance, 1) })
	return t
}

// gap writes a gap in percent.
func gap(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// rewriteTable shows every method of table 7 without and with local rewriting.
func rewriteTable(results Results) *Table {
	t := &Table{Header: []string{"method", "s an instance", "mean", "least", "largest"}, Rows: slices.Clone(printedRewrite)}
	for _, unit := range []struct{ name, after string }{
		{"qaplib-classical", ""}, {"qaplib-classical-lr", " + LR"}, {"qaplib-classical-picked", " + learned LR"},
		{"qaplib-skja", ""}, {"qaplib-skja-lr", " + LR"},
		{"qaplib-ngm", ""}, {"qaplib-ngm-lr", " + LR"}, {"qaplib-ngm-picked", " + learned LR"},
		{"qaplib-irrevocable", ""}, {"qaplib-irrevocable-lr", " + LR"}, {"qaplib-irrevocable-picked", " + learned LR"},
		{"qaplib-policies", ""}, {"qaplib-policies-lr", " + LR"}, {"qaplib-policies-picked", " + learned LR"},
	} {
		for _, r := range measuredRows(rowsOf[bench.QAPLIBRow](results, unit.name)) {
			if unit.name == "qaplib-classical" && r.Method != "sm" && r.Method != "rrwm" {
				continue
			}
			least, largest := 0.0, 0.0
			for class := range r.Classes {
				least += r.ClassesMin[class] / float64(len(r.Classes))
				largest += r.ClassesMax[class] / float64(len(r.Classes))
			}
			t.Rows = append(t.Rows, []string{r.Series() + unit.after, optional("%.3g", r.SecondsPerInstance, 1), gap(r.Average), gap(least), gap(largest)})
		}
	}
	return t
}
