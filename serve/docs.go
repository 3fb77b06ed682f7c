package serve

import (
	_ "embed"
	"html/template"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
)

//go:embed docs.html
var docsText string

var docsPage = template.Must(template.New("docs").Parse(docsText))

// docsData is what docs.html shows.
type docsData struct {
	Version    string
	Token      bool
	Operations []docsOperation
	Instances  []docsField
	Options    []docsField
	Limits     []docsLimit
}

type docsField struct{ Name, About, Values string }

type docsOperation struct {
	Method, Path, Summary, About string
	Answers                      []docsAnswer
}

type docsAnswer struct {
	Status int
	About  string
}

type docsLimit struct {
	Flag, About string
	Value       any
}

// docsData returns the operations with their answers, and the limits in force.
func (h *Handler) docsData() docsData {
	o := &h.options
	data := docsData{Version: h.version(), Token: o.Token != "", Instances: h.docsFields(Instance{}), Options: h.docsFields(SolveOptions{}), Limits: []docsLimit{
		{"--memory", "bytes of the process, all in all", o.Memory},
		{"--max-body", "bytes of a request's body", o.MaxBody},
		{"--max-nodes", "nodes of a graph", o.MaxNodes},
		{"--default-time", "time of a search that sets no limit", o.DefaultTime},
		{"--max-time", "time of any search", o.MaxTime},
		{"--workers", "searches at a time", max(o.Workers, 0)},
		{"--queue", "jobs that wait", o.Waiting},
		{"--keep", "how long results are kept", o.Keep},
		{"--max-results", "bytes of results that are kept in memory; the oldest go first", o.MaxResults},
		{"--body-timeout", "for a body to arrive", o.BodyTimeout},
		{"--write-timeout", "for a client to take a piece of an answer", o.WriteTime},
		{"--drain", "for running searches to end after SIGTERM", o.Drain},
	}}
	for k, limit := range data.Limits {
		if d, is := limit.Value.(time.Duration); is {
			data.Limits[k].Value = d.String()
		}
	}
	for _, op := range h.operations() {
		d := docsOperation{Method: op.method, Path: op.path, Summary: op.summary, About: op.about}
		for status, a := range op.answers {
			d.Answers = append(d.Answers, docsAnswer{status, a.about})
		}
		for _, status := range h.problemsOf(op) {
			if _, given := op.answers[status]; !given {
				d.Answers = append(d.Answers, docsAnswer{status, problemAbout[status]})
			}
		}
		slices.SortFunc(d.Answers, func(x, y docsAnswer) int { return x.Status - y.Status })
		data.Operations = append(data.Operations, d)
	}
	return data
}

// docsFields returns the fields of a struct from their table.
func (h *Handler) docsFields(of any) []docsField {
	var all []docsField
	for _, f := range fieldsOf(reflect.TypeOf(of)) {
		about := f.doc
		if f.kinds != nil {
			about = "of kind " + strings.Join(f.kinds, " or ") + ": " + about
		}
		all = append(all, docsField{f.name, about, strings.Join(h.choices.values(&f), ", ")})
	}
	return all
}

func (h *Handler) serveDocs(w http.ResponseWriter, _ *http.Request) error {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	return docsPage.Execute(w, h.docsData())
}
