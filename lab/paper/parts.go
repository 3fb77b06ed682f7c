package paper

import (
	"bytes"
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed parts.toml
var partsFile []byte

// data is what parts.toml holds.
type data struct {
	Text    map[string]string
	Sets    map[string]matchingSet
	Lists   map[string][]string // of units
	Claims  map[string][]claimData
	Part    []partData
	Printed map[string]*Table
}

// partData is a part as parts.toml has it: its units are lines and lists of them, those of a study, and trainings with
// what measures them.
type partData struct {
	ID, Title, About, Apart string
	Low                     bool
	Units                   []any // lines, and tables {list, for, pairs}: a list of them for a set or a name
	Study, Flags            string
	Trainings               *pairTrainings
	Claims                  []claimData
	Control                 control
	Show, Over              string
	Against                 string // a row of a study that the others are compared with, seed by seed
	Tables                  []tableData
}

// tableData says what a table of a part is of.
type tableData struct {
	Caption string
	Units   []string
	Printed bool // beside the paper's
}

// claimData is a claim, or a list of them.
type claimData struct {
	Says, Better, Worse, Column string
	Ours                        bool
	List, Where                 string
}

// read returns the data. They are part of the program.
var read = sync.OnceValue(func() *data {
	d := &data{}
	if err := toml.NewDecoder(bytes.NewReader(partsFile)).DisallowUnknownFields().Decode(d); err != nil {
		panic(fmt.Sprintf("paper: parts.toml: %+v", err))
	}
	for short, set := range d.Sets {
		set.short = short
		d.Sets[short] = set
		line := "bench matching --format json --clock cpu --set " + set.Name
		if set.Needs != "" {
			line += " --data {data}"
		}
		d.Text[short] = line
	}
	return d
})

// printed returns a table of others.
func (d *data) printed(name string) *Table {
	t := *d.Printed[name]
	t.Rows = slices.Clone(t.Rows)
	t.Printed = t.Caption != "" // all of it
	return &t
}

var (
	reference = regexp.MustCompile(`\$[a-z0-9-]+`)
	choice    = regexp.MustCompile(`\{([^{}|]*)\|([^{}]*)\}`)
	inData    = regexp.MustCompile(`\{data\}/(\w+)/`)
)

// text returns what a text of parts.toml stands for.
func (s scale) text(of string) string {
	for reference.MatchString(of) {
		of = reference.ReplaceAllStringFunc(of, func(name string) string {
			text, there := read().Text[name[1:]]
			if !there {
				panic("paper: parts.toml: there is no text " + name)
			}
			return text
		})
	}
	chosen := "$1"
	if s.full {
		chosen = "$2"
	}
	return choice.ReplaceAllString(of, chosen)
}

// checkpoints are what trainings keep, by what is trained.
var checkpoints = map[string]string{"": "checkpoint.rgm", "ngm": "ngm.rgm", "lcs": "lcs.rgm", "rewrite": "rewriter.rgm"}

// unit returns a unit by its line, "NAME: COMMAND", which says what it needs, writes and keeps.
func (s scale) unit(line string) Unit {
	name, command, _ := strings.Cut(s.text(line), ": ")
	command, save, _ := strings.Cut(command, " > {dir}/")
	u := Unit{Name: name, Args: words(command), Save: save}
	for k, arg := range u.Args[:len(u.Args)-1] {
		value := u.Args[k+1]
		path, inside := strings.CutPrefix(value, "{dir}/")
		switch {
		case arg == "--set" && u.Args[0] == "bench":
			for _, set := range read().Sets {
				if set.Name == value {
					u.Needs = set.Needs
				}
			}
		case arg == "--keypoints":
			u.Needs = inData.FindStringSubmatch(value)[1]
		case !inside || arg != "--out" && arg != "--scatter":
		case filepath.Ext(path) != "":
			u.Files = append(u.Files, path)
		default:
			u.Folder = path
		}
	}
	if u.Args[0] == "train" {
		u.Verb = u.Args[:slices.IndexFunc(u.Args, func(a string) bool { return strings.HasPrefix(a, "--") })]
		u.Checkpoint = checkpoints[strings.Join(u.Verb[1:], "")]
	}
	return u
}

// units returns those of lines and lists.
func (s scale) units(of []any) (all []Unit) {
	for _, entry := range of {
		if line, is := entry.(string); is {
			all = append(all, s.unit(line))
			continue
		}
		list := entry.(map[string]any)
		text := func(key string) string { t, _ := list[key].(string); return t }
		for _, line := range read().Lists[text("list")] {
			line = strings.ReplaceAll(line, "%pairs", text("pairs"))
			all = append(all, s.unit(strings.ReplaceAll(line, "%", text("for"))))
		}
	}
	return all
}

// claimsOf returns claims, those of lists in a column.
func claimsOf(of []claimData) (all []claim) {
	for _, c := range of {
		if c.List != "" {
			for _, one := range read().Claims[c.List] {
				one.Says, one.Column = strings.ReplaceAll(one.Says, "%where", c.Where), c.Column
				all = append(all, claimsOf([]claimData{one})...)
			}
			continue
		}
		at := func(text string) cell {
			if row, column, found := strings.Cut(text, " @ "); found {
				return cell{row, column}
			}
			return cell{text, c.Column}
		}
		all = append(all, claim{says: c.Says, better: at(c.Better), worse: at(c.Worse), ours: c.Ours})
	}
	return all
}

// part returns a part at this scale.
func (s scale) part(d *partData) Part {
	p := Part{
		ID: d.ID, Title: d.Title, About: s.text(d.About), Apart: s.text(d.Apart), Low: d.Low,
		Claims: claimsOf(d.Claims), Control: d.Control,
	}
	if d.Trainings != nil {
		d.Trainings.complete(s, &p)
		return p
	}
	if d.Study != "" {
		p.Units = []Unit{studyUnit(d.Study, s.text(d.Flags))}
	}
	p.Units = append(p.Units, s.units(d.Units)...)
	p.Show = func(results Results) []Block { return shows[d.Show](&p, d, results) }
	return p
}

// shows are the ways in which a part shows its results.
var shows = map[string]func(*Part, *partData, Results) []Block{
	"methods": showMethods, "counts": showCounts, "categories": showCategories,
	"gaps": showGaps, "rewriting": showRewriting, "pictures": showPictures,
	"scores": showScores, "noise": showNoise, "seeds": showSeeds, "shares": showShares,
	"protocol": showProtocol, "classes": showClasses, "study": showStudy,
}
