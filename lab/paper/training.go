package paper

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// From nothing a network learns assignment problems within minutes if it is given the changes of the objective; that of the
// paper does not (see the notes, EXPERIMENTS).
const (
	architecture = "model.architecture=gain-unskilled"
	unskilled    = "--set " + architecture + " --set warmup=1000 --set validation_every=250 --set validation_runs=1"
)

// fewSteps are the flags of a measurement on QAPLIB that tells policies apart.
func (s scale) fewSteps() string {
	return " --max-n " + s.of("14", "26") + " --rollouts 4 --steps-per-node 5"
}

// problems are the flags of a study that begins from nothing, measured on QAPLIB in few steps.
func (s scale) problems() string {
	return "--preset qap " + unskilled + " --set sizes=8,10,12 --set pool=15 --set validation_pool=8" + s.fewSteps() + " --seeds " + s.of("1", "2") + " --set episodes=" + s.of("60", "1000")
}

// studyUnits run a study, which keeps its own trainings and resumes them: one for all or, with a budget, one for
// each variant, whose episodes are its own.
func (s scale) studyUnits(study, flags string) []Unit {
	command := func(folder, flags string) []string {
		return words("bench training " + study + " --format json --out {dir}/" + folder + " " + flags)
	}
	folder := "runs/" + study // made by the study itself; it has no checkpoint of its own
	if s.minutes == 0 {
		return []Unit{{Name: "study-" + study, Args: command(folder, flags), Folder: folder}}
	}
	variants := variantNames(study, presetFlag.FindStringSubmatch(flags)[1])
	if listed := variantsFlag.FindStringSubmatch(flags); listed != nil {
		variants = strings.Split(listed[1], ",")
	}
	var units []Unit
	for _, v := range variants {
		with := func(seeds, episodes any) string {
			of := strings.NewReplacer(seedsFlag.FindString(flags), fmt.Sprint("--seeds ", seeds), episodesSetting.FindString(flags), fmt.Sprint("episodes=", episodes)).Replace(flags)
			return variantsFlag.ReplaceAllString(of, "") + " --variants " + strings.ReplaceAll(v, " ", "~")
		}
		u := Unit{Name: "study-" + study + "-" + slug(v), Folder: folder}
		episodes := 1
		if v != untrained {
			u.Group, u.Trainings = u.Name, plannedSeeds
			u.Pilot = command("pilots/"+u.Group, with(1, pilotEpisodes))
			episodes = s.episodes(u.Group)
		}
		u.Args = command(folder, with(plannedSeeds, episodes))
		units = append(units, u)
	}
	return units
}

// variantNames names the variants of a study.
func variantNames(study, preset string) (names []string) {
	for _, v := range bench.Variants(study, preset) {
		names = append(names, v.Name)
	}
	return names
}

var (
	presetFlag      = regexp.MustCompile(`--preset (\S+)`)
	seedsFlag       = regexp.MustCompile(`--seeds \d+`)
	episodesSetting = regexp.MustCompile(`episodes=\d+`)
	variantsFlag    = regexp.MustCompile(` --variants (\S+)`)
)

// slug makes a name part of a file's.
func slug(name string) string { return strings.NewReplacer(" ", "-", "=", "-", ".", "-").Replace(name) }

// budgetText says what each training of a table had, "" where it says so itself.
func (s scale) budgetText() string {
	if s.minutes == 0 {
		return ""
	}
	told := fmt.Sprintf(" Each training was given %.3g minutes of processor time, as short pilots foretold; the column says what it took.", s.minutes)
	if s.minutes < wantedMinutes {
		told += fmt.Sprintf(" That is less than the %d minutes that such a comparison should have.", wantedMinutes)
	}
	return told
}

// trainingParts are the figures that need trainings of their own.
func trainingParts(s scale) []Part {
	return []Part{figure7(s), figure8a(s), figure8b(s), figure9(s), figure9Pairs(s), figure11(s), figure11Pairs(s)}
}

// protocolPart trains on the smaller halves of QAPLIB's classes and measures on the larger, as
// the paper does, beside training on generated instances.
func protocolPart(s scale) Part {
	s = s.forPart("table4-protocol")
	units := s.studyUnits("protocol", "--preset qaplib --max-n "+s.of("20", "26")+" --seeds "+s.of("1", "2")+
		" --set pool=20 --set warmup=500 --set validation_pool=4 --set validation_every=200 --set episodes="+s.of("20", "40"))
	return Part{
		ID: "table4-protocol", Title: "Table 4 by the paper's protocol: trained on the smaller halves of QAPLIB's classes",
		About: "Gap in % on the larger halves, average over the classes; mean over the trainings and their standard deviation. The same network trained on the smaller halves, on generated instances, and as it begins." + s.budgetText(),
		Units: units, Low: true, Control: control{row: untrained, column: averageGap},
		Claims: []claim{{says: "The policy trained on the smaller halves is ahead of that of generated instances", ours: true, better: cell{"smaller halves", averageGap}, worse: cell{"generated", averageGap}}},
		Show: func(results Results) []Block {
			rows := rowsOf[bench.StudyResult](results, names(units)...)
			if len(rows) == 0 {
				return nil
			}
			return []Block{{Table: studyTable(rows)}, {Picture: dots("table4-protocol", "Trained on…", "gap in % on the larger halves", rows)}}
		},
	}
}

func figure8b(s scale) Part {
	s = s.forPart("figure8b")
	units := s.studyUnits("generalisation", strings.Replace(s.problems(), "--max-n 14", "--max-n 20", 1)+" --variants "+s.of("untrained,had,nug,esc", "untrained,chr,esc,had,nug,rou,scr"))
	return Part{
		ID: "figure8b", Title: "Figure 8b: trained on one class of QAPLIB, measured on all",
		About: "Gap in % on the larger halves: rows are classes trained on, columns classes measured on. Darker is better in its column. The row untrained is the network as it begins, which knows nothing; the one that ships begins with the rule `greedy-ages`." + s.budgetText(),
		Units: units, Low: true, Control: control{row: untrained, column: averageGap},
		Show: func(results Results) []Block {
			rows := rowsOf[bench.StudyResult](results, names(units)...)
			if len(rows) == 0 {
				return nil
			}
			variants, byVariant := grouped(rows)
			classes := slices.Sorted(maps.Keys(rows[0].Classes))
			values := make([][]float64, len(variants))
			for k, v := range variants {
				for _, class := range classes {
					mean := 0.0
					for _, r := range byVariant[v] {
						mean += r.Classes[class] / float64(len(byVariant[v]))
					}
					values[k] = append(values[k], mean)
				}
				values[k] = append(values[k], statistics.Mean(averages(byVariant[v])))
			}
			return []Block{{Picture: &Picture{
				Name: "figure8b", Alt: "heat map of gaps by class",
				SVG: plots.Heat(plots.Table{Title: "Gap in % on the larger halves", RowLabel: "trained on", ColumnLabel: "measured on", Rows: variants, Columns: append(classes, "average"), Values: values, Low: true}),
			}}, {Table: studyTable(rows)}}
		},
	}
}

func figure9(s scale) Part {
	chosen := s.of("preset,batch=16,gamma=0.5,model.hidden=8,untrained", "preset,batch=16,batch=128,gamma=0.5,gamma=0.99,replay=4000,model.hidden=8,model.head=4,untrained")
	return s.studyPart("figure9", "Figure 9: sensitivity to hyper-parameters", "sensitivity",
		"Gap on QAPLIB in %, one setting changed at a time; a dot is a training. The preset has batches of 64, γ = 0.97, a replay of 60,000 and widths of 16 and 16. The paper has F1 on Willow; the regularisation function, its sixth, is in table 1. `untrained` is the network as it begins, which knows nothing; the one that ships begins with the rule `greedy-ages`.", " --variants "+chosen,
		claim{says: "γ too low costs", better: cell{"preset", averageGap}, worse: cell{"gamma=0.5", averageGap}},
		claim{says: "γ too high does", better: cell{"preset", averageGap}, worse: cell{"gamma=0.99", averageGap}},
		claim{says: "A small replay does", better: cell{"preset", averageGap}, worse: cell{"replay=4000", averageGap}})
}

func figure11(s scale) Part {
	return s.studyPart("figure11", "Figure 11: other learners", "backbones",
		"Gap on QAPLIB in %, instances up to 26 nodes, 4 rollouts of 5n steps; a dot is a training, `untrained` the network as it begins, which knows nothing; the last rows are rules without learning in as many steps, of which `greedy-ages` is what the network that ships begins as. The paper has F1 on Willow.", "",
		append(backboneClaims("D3QN", validationGap, "the generated problems that chose the networks"), backboneClaims("D3QN", averageGap, "QAPLIB")...)...)
}

// studyPart is a study that is shown as dots and a table.
func (s scale) studyPart(id, title, study, about, chosen string, claims ...claim) Part {
	s = s.forPart(id)
	units := s.studyUnits(study, s.problems()+chosen)
	unlearned := qaplibUnit("few-steps", "--methods "+strings.Join(rules, ",")+s.fewSteps())
	return Part{ID: id, Title: title, About: about + s.budgetText(), Units: append(units, unlearned), Low: true, Claims: claims, Control: control{row: untrained, column: averageGap, others: rules}, Show: func(results Results) []Block {
		rows := rowsOf[bench.StudyResult](results, names(units)...)
		if len(rows) == 0 {
			return nil
		}
		t := studyTable(rows)
		for _, r := range measuredRows(rowsOf[bench.QAPLIBRow](results, unlearned.Name)) {
			t.Rows = append(t.Rows, []string{r.Method, "0", "", fmt.Sprintf("%.3f", r.Average), "", "", "0", "0"})
		}
		return []Block{{Picture: dots(id, title, "gap in %, average over the classes", rows)}, {Table: t}}
	}}
}

// grouped returns the variants in their order, and the results of each.
func grouped(rows []bench.StudyResult) (order []string, byVariant map[string][]bench.StudyResult) {
	byVariant = map[string][]bench.StudyResult{}
	for _, r := range rows {
		if byVariant[r.Variant] == nil {
			order = append(order, r.Variant)
		}
		byVariant[r.Variant] = append(byVariant[r.Variant], r)
	}
	return order, byVariant
}

func averages(rows []bench.StudyResult) []float64 {
	var all []float64
	for _, r := range rows {
		all = append(all, r.Average)
	}
	return all
}

// averageGap is the column of a study's table that counts.
const averageGap = "gap %, average"

// studyTable shows the mean of the seeds of every variant.
func studyTable(rows []bench.StudyResult) *Table {
	t := &Table{Header: []string{"variant", "trainings", validationGap, averageGap, "least", "largest", "updates", minutesColumn}}
	order, byVariant := grouped(rows)
	for _, v := range order {
		all := averages(byVariant[v])
		updates, minutes := 0.0, 0.0
		for _, r := range byVariant[v] {
			updates += float64(r.Updates) / float64(len(all))
			minutes += r.CPU / 60 / float64(len(all))
		}
		t.Rows = append(t.Rows, []string{
			v, fmt.Sprint(len(all)), validationOf(byVariant[v]), spreadOf(all, 3), gap(slices.Min(all)), gap(slices.Max(all)),
			fmt.Sprintf("%.0f", updates), fmt.Sprintf("%.2g", minutes),
		})
	}
	return t
}

// validationGap is the column of what the generated instances say by which a training's network was chosen.
const validationGap = "validation, spreads"

// validationOf writes the mean of trainings, nothing where one was too short for a validation.
func validationOf(rows []bench.StudyResult) string {
	var all []float64
	for _, r := range rows {
		if r.ValidationGap == nil {
			return ""
		}
		all = append(all, *r.ValidationGap)
	}
	return spreadOf(all, 3)
}

// dots draws the trainings of a study.
func dots(name, title, label string, rows []bench.StudyResult) *Picture {
	order, byVariant := grouped(rows)
	var lines []plots.Row
	for _, v := range order {
		lines = append(lines, plots.Row{Name: v, Values: averages(byVariant[v])})
	}
	return &Picture{Name: name, Alt: title, SVG: plots.Dots(title, label, lines)}
}
