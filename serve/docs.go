package serve

import (
	_ "embed"
	"html/template"
	"net/http"
)

//go:embed docs.html
var docsText string

var docsPage = template.Must(template.New("docs").Parse(docsText))

// docsData is what docs.html shows: the description of the operations, and the limits in force.
type docsData struct {
	API    schema
	Token  bool
	Limits []docsLimit
}

type docsLimit struct {
	Flag, About string
	Value       any
}

func (h *Handler) docsData() docsData {
	o := &h.options
	return docsData{API: h.openAPI, Token: o.Token != "", Limits: []docsLimit{
		{"--memory", "bytes of the process, all in all", o.Memory},
		{"--max-body", "bytes of a request's body", o.MaxBody},
		{"--max-nodes", "nodes of a graph", o.MaxNodes},
		{"--default-time", "time of a search that sets no limit", o.DefaultTime.String()},
		{"--max-time", "time of any search", o.MaxTime.String()},
		{"--workers", "searches at a time", max(o.Workers, 0)},
		{"--queue", "jobs that wait", o.Waiting},
		{"--keep", "how long results are kept", o.Keep.String()},
		{"--max-results", "bytes of results that are kept in memory; the oldest go first", o.MaxResults},
		{"--body-timeout", "for a body to arrive", o.BodyTimeout.String()},
		{"--write-timeout", "for a client to take a piece of an answer", o.WriteTime.String()},
		{"--drain", "for running searches to end after SIGTERM", o.Drain.String()},
	}}
}

func (h *Handler) serveDocs(w http.ResponseWriter, _ *http.Request) error {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	return docsPage.Execute(w, h.docsData())
}
