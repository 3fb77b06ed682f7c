package paper

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
)

// page is the HTML page: it holds its pictures, runs no script and asks for nothing.
var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<title>{{.Title}}</title><style>
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1rem;color:#1f2328;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.4rem;border-top:1px solid #8885;padding-top:1rem}a{color:#0b62c4}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.87rem;margin:.6rem 0}caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{padding:.15rem .55rem;text-align:right;border-bottom:1px solid #8884;white-space:nowrap}th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:#fff}details{margin:.5rem 0}summary{cursor:pointer}
code,pre{font:12px/1.5 ui-monospace,monospace}pre{overflow-x:auto;margin:.2rem 0;padding:.4rem .6rem;background:#8881}
.made{font-size:.85rem;color:#59636e}.left{border-left:3px solid #c2410c;padding-left:.6rem}img{max-width:100%;height:auto}
@media(prefers-color-scheme:dark){body{color:#d7dde4;background:#0e1116}a{color:#6cb0ff}.made{color:#a9b1bb}th:first-child,td:first-child{background:#0e1116}}</style></head><body>
<h1>{{.Title}}</h1><p>{{.About}}</p>
<ul>{{range .Parts}}<li><a href="#{{.ID}}">{{.Title}}</a>{{if .State}}: {{.State}}{{end}}</li>{{end}}</ul>
{{range .Parts}}<section id="{{.ID}}"><h2>{{.Title}}</h2><p>{{.About}}</p>
{{range .Blocks}}{{if .Text}}<p>{{.Text}}</p>{{end}}{{with .Picture}}<div class="wide">{{.}}</div>{{end}}{{with .Table}}<div class="wide"><table>{{if .Caption}}<caption>{{.Caption}}</caption>{{end}}
<thead><tr>{{range .Header}}<th>{{.}}</th>{{end}}</tr></thead><tbody>{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</tbody></table></div>{{end}}{{end}}
{{range .Left}}<details class="left"><summary>Not run ({{.Why}}): {{len .Commands}} command{{if ne 1 (len .Commands)}}s{{end}}</summary>{{range .Commands}}<pre>{{.}}</pre>{{end}}</details>{{end}}{{with .Made}}<details class="made"><summary>Made by {{len .}} command{{if ne 1 (len .)}}s{{end}}</summary>{{range .}}<pre>{{.Command}}</pre>{{.By}}{{end}}</details>{{end}}</section>
{{end}}</body></html>
`))

// shownBlock is a block as the template takes it.
type shownBlock struct {
	Text, Picture template.HTML
	Table         *Table
}

type shownPart struct {
	*view
	About  template.HTML
	Blocks []shownBlock
}

// writeHTML writes the page.
func (r *report) writeHTML(out io.Writer) error {
	var parts []shownPart
	for k := range r.parts {
		v := &r.parts[k]
		p := shownPart{view: v, About: codes(v.About)}
		for _, b := range v.Blocks {
			shown := shownBlock{Text: codes(b.Text), Table: b.Table}
			if b.Picture != nil {
				shown.Picture = b.Picture.html()
			}
			p.Blocks = append(p.Blocks, shown)
		}
		parts = append(parts, p)
	}
	return page.Execute(out, map[string]any{
		"Title": r.title, "About": codes(r.about), "Parts": parts,
	})
}

// html returns a picture for a page: an image, since its identifiers may be those of others.
func (p *Picture) html() template.HTML {
	return template.HTML(fmt.Sprintf(`<img alt="%s" src="data:image/svg+xml;base64,%s">`,
		template.HTMLEscapeString(p.Alt), base64.StdEncoding.EncodeToString([]byte(p.SVG))))
}

var code = regexp.MustCompile("`([^`]*)`")

// codes returns text with the words between backquotes as code.
func codes(text string) template.HTML {
	return template.HTML(code.ReplaceAllString(strings.ReplaceAll(template.HTMLEscapeString(text), "&#96;", "`"), "<code>$1</code>"))
}
