package serve

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/table"
)

// text is the schema of a parameter.
func text() schema { return schema{"type": "string"} }

// problemAbout says what each status of a Problem means.
var problemAbout = map[int]string{
	400: "Not readable",
	401: "No token, or a wrong one",
	404: "Nothing there, or no longer",
	405: "Another method is wanted",
	409: "The Idempotency-Key was used with another body",
	413: "The body, the graphs or their memory are over a limit",
	415: "Another media type is wanted",
	422: "Readable, but invalid",
	429: "The queue or the memory is full; Retry-After says when to come back",
	500: "The service failed",
	503: "The service drains",
}

// describe returns the OpenAPI 3.1 description of operations; schemas are made from
// Go types.
func (h *Handler) describe(operations []operation) schema {
	types := &schemas{choices: h.choices, components: schema{}}
	for _, t := range []reflect.Type{reflect.TypeFor[rgm.Incumbent](), reflect.TypeFor[Progress]()} { // which come in events
		types.of(t)
	}
	paths := map[string]schema{}
	for _, o := range operations {
		if paths[o.path] == nil {
			paths[o.path] = schema{}
		}
		paths[o.path][strings.ToLower(o.method)] = h.describeOne(types, o)
	}
	components := schema{"schemas": types.components}
	if h.options.Token != "" {
		components["securitySchemes"] = schema{"token": schema{"type": "http", "scheme": "bearer"}}
	}
	return schema{
		"openapi": "3.1.0",
		"info": schema{
			"title": "rgm", "version": h.version(),
			"description": "Solves graph matching and quadratic assignment with a learned, revocable policy and search.",
			"license":     schema{"name": "See LICENSE of the project", "identifier": "LicenseRef-rgm"},
		},
		"servers": []schema{{"url": "/"}},
		"tags": []schema{
			{"name": "solve", "description": "Solve and evaluate"}, {"name": "jobs", "description": "Solve in turn"},
			{"name": "health", "description": "Health, models and metrics"}, {"name": "pages", "description": "For people"},
		},
		"paths":      paths,
		"components": components,
	}
}

func (h *Handler) describeOne(types *schemas, o operation) schema {
	content := func(media string, of schema) schema { return schema{media: schema{"schema": of}} }
	responses := map[string]schema{}
	for _, status := range h.problemsOf(o) {
		responses[strconv.Itoa(status)] = schema{
			"description": problemAbout[status], "content": content("application/problem+json", types.of(reflect.TypeFor[Problem]())),
		}
	}
	for status, a := range o.answers {
		of := text()
		if a.value != nil {
			of = types.of(reflect.TypeOf(a.value))
		}
		responses[strconv.Itoa(status)] = schema{"description": a.about, "content": content(cmp.Or(a.media, typeJSON), of)}
	}
	parameters := slices.Clone(o.parameters)
	described := schema{"operationId": o.id, "tags": []string{o.tag}, "summary": o.summary, "responses": responses, "security": []schema{}}
	if o.about != "" {
		described["description"] = o.about
	}
	if o.body != nil {
		described["requestBody"] = schema{"required": true, "content": bodyContent(types.of(reflect.TypeOf(o.body)))}
		parameters = append(fileParameters(types), parameters...)
	}
	if len(parameters) > 0 {
		described["parameters"] = parameters
	}
	if h.options.Token != "" && !o.open {
		described["security"] = []schema{{"token": []string{}}}
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

// bodyContent returns the media types of a body: JSON, a file, or a form.
func bodyContent(value schema) schema {
	binary := schema{"type": "string", "contentEncoding": "binary"}
	return schema{
		typeJSON:   schema{"schema": value},
		typeOctets: schema{"schema": binary},
		typeMultipart: schema{"schema": schema{
			"type": "object", "anyOf": []schema{{"required": []string{"instance"}}, {"required": request.GraphParts}}, "additionalProperties": text(),
			"properties": schema{"instance": binary, "a": binary, "b": binary, "options": schema{"type": "string", "description": "Options as JSON"}},
		}},
	}
}

// parameter is one of a path, a query or a header.
func parameter(name, in, about string) schema {
	return schema{"name": name, "in": in, "description": about, "required": in == "path", "schema": text()}
}

// fileParameters are what a query says of a file, and how to search it. A name that both have is that of the files: text.
func fileParameters(types *schemas) []schema {
	var parameters []schema
	told := map[string]bool{}
	for _, t := range []reflect.Type{reflect.TypeFor[request.Request](), reflect.TypeFor[rgm.Options]()} {
		for _, f := range table.Of(t) {
			if f.Doc == "" || told[f.Name] {
				continue
			}
			told[f.Name] = true
			p := parameter(f.Name, "query", f.About())
			if values := types.choices.Values(&f); values != nil {
				p["schema"] = schema{"type": "string", "enum": values}
			}
			parameters = append(parameters, p)
		}
	}
	return parameters
}

// version returns the program's version, for what must have one.
func (h *Handler) version() string { return cmp.Or(h.options.Version, "0.0.0") }

func (h *Handler) serveOpenAPI(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, h.openAPI)
}
