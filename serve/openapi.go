package serve

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// textSchema is that of a parameter.
func textSchema() *huma.Schema { return &huma.Schema{Type: "string"} }

// problemAbout says what each status of a Problem means.
var problemAbout = map[int]string{
	400: "Not readable",
	401: "No token, or a wrong one",
	404: "Nothing there, or no longer",
	405: "Another method is wanted",
	409: "The Idempotency-Key was used with another body",
	413: "The body, or the graphs, are over a limit",
	415: "Another media type is wanted",
	422: "Readable, but invalid",
	429: "The queue is full; Retry-After says when to come back",
	500: "The service failed",
	503: "The service drains",
}

// describe returns the OpenAPI 3.1 description of operations; schemas are made from
// Go types.
func (h *Handler) describe(operations []operation) *huma.OpenAPI {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	api := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "rgm", Version: h.version(),
			Description: "Solves graph matching and quadratic assignment with a learned, revocable policy and search.",
			License:     &huma.License{Name: "See LICENSE of the project", Identifier: "LicenseRef-rgm"},
		},
		Servers:    []*huma.Server{{URL: "/"}},
		Paths:      map[string]*huma.PathItem{},
		Components: &huma.Components{Schemas: registry},
		Tags: []*huma.Tag{
			{Name: "solve", Description: "Solve and evaluate"}, {Name: "jobs", Description: "Solve in turn"},
			{Name: "health", Description: "Health, models and metrics"}, {Name: "pages", Description: "For people"},
		},
	}
	if h.options.Token != "" {
		api.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}
	}
	for _, value := range []any{SolveOptions{}, Incumbent{}, Progress{}} { // also of what is in no JSON answer
		registry.Schema(reflect.TypeOf(value), true, "")
	}
	for _, o := range operations {
		item := api.Paths[o.path]
		if item == nil {
			item = &huma.PathItem{}
			api.Paths[o.path] = item
		}
		described := h.describeOne(registry, o)
		switch o.method {
		case http.MethodGet:
			item.Get = described
		case http.MethodPost:
			item.Post = described
		case http.MethodDelete:
			item.Delete = described
		}
	}
	return api
}

func (h *Handler) describeOne(registry huma.Registry, o operation) *huma.Operation {
	described := &huma.Operation{
		OperationID: o.id, Tags: []string{o.tag}, Summary: o.summary, Description: o.about, Parameters: o.parameters,
		Responses: map[string]*huma.Response{},
	}
	if o.body.Content != nil {
		body := o.body
		for _, media := range body.Content {
			if media.Example != nil { // marks the Go type; see requestBody
				media.Schema = registry.Schema(reflect.TypeOf(media.Example), true, "")
				media.Example = nil
			}
		}
		described.RequestBody = &body
	}
	for status, a := range o.answers {
		media := &huma.MediaType{Schema: textSchema()}
		name := a.media
		if name == "" {
			name = typeJSON
		}
		if a.value != nil {
			media.Schema = registry.Schema(reflect.TypeOf(a.value), true, "")
		}
		described.Responses[strconv.Itoa(status)] = &huma.Response{Description: a.about, Content: map[string]*huma.MediaType{name: media}}
	}
	for _, status := range h.problemsOf(o) {
		if described.Responses[strconv.Itoa(status)] != nil {
			continue
		}
		described.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: problemAbout[status],
			Content: map[string]*huma.MediaType{
				"application/problem+json": {Schema: registry.Schema(reflect.TypeFor[Problem](), true, "")},
			},
		}
	}
	if h.options.Token != "" && !o.open {
		described.Security = []map[string][]string{{"token": {}}}
	} else {
		described.Security = []map[string][]string{}
	}
	return described
}

// problemsOf returns the statuses of the problems of an operation.
func (h *Handler) problemsOf(o operation) []int {
	problems := append(slices.Clone(o.problems), 405, 500)
	if !o.open {
		problems = append(problems, 401)
	}
	if strings.Contains(o.path, "{") {
		problems = append(problems, 404)
	}
	slices.Sort(problems)
	return slices.Compact(problems)
}

// requestBody returns what OpenAPI says of a body: JSON of the Go type of v, a file,
// or a form.
func (h *Handler) requestBody(v any) huma.RequestBody {
	binary := func() *huma.Schema { return &huma.Schema{Type: "string", ContentEncoding: "binary"} }
	return huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		typeJSON:   {Example: v},
		typeOctets: {Schema: binary()},
		typeMultipart: {Schema: &huma.Schema{
			Type: "object", Required: []string{"instance"}, AdditionalProperties: textSchema(),
			Properties: map[string]*huma.Schema{"instance": binary(), "options": {Type: "string", Description: "SolveOptions as JSON"}},
		}},
	}}
}

// fileParameters are what a query says of a file, and how to search it.
func fileParameters() []*huma.Param {
	about := map[string]string{
		"format": "of a file: " + strings.Join(append(formats(), formatJSON), ", "),
		"name":   "what the result calls the instance of a file",
		"n1":     "nodes of graph 1 of an affinity matrix",
		"n2":     "nodes of graph 2",
		"order":  "of the vertices of an affinity matrix: row or col",
		"sense":  "of an affinity matrix: max or min",
	}
	for _, name := range slices.Concat(textOptions, otherOptions, []string{"fix", "time_limit"}) {
		about[name] = "as in SolveOptions, for a file"
	}
	var parameters []*huma.Param
	for _, name := range slices.Sorted(maps.Keys(about)) {
		parameters = append(parameters, &huma.Param{Name: name, In: "query", Description: about[name], Schema: textSchema()})
	}
	return parameters
}

// version returns the program's version, for what must have one.
func (h *Handler) version() string {
	if h.options.Version == "" {
		return "0.0.0"
	}
	return h.options.Version
}

func (h *Handler) serveOpenAPI(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, h.api)
}
