package serve

import (
	"net/http"
	"slices"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
)

// operation is one request that the service answers, and what OpenAPI says of it.
type operation struct {
	method, path string
	id, tag      string
	summary      string
	about        string
	open         bool           // needs no token
	body         any            // of the Go type that is read; nil for none
	parameters   []schema       // besides those of a file
	answers      map[int]answer // those that are no problems
	problems     []int          // besides 401, 404, 405 and 500
	handle       func(http.ResponseWriter, *http.Request) error
}

// answer is what a status comes with.
type answer struct {
	about string
	media string // application/json if empty
	value any    // of the Go type that is sent; nil for text
}

// operations returns everything that the service answers.
func (h *Handler) operations() []operation {
	return slices.Concat(h.solveOperations(), h.jobOperations(), h.healthOperations(), h.pageOperations())
}

func (h *Handler) solveOperations() []operation {
	reading := []int{400, 413, 415, 422, 429, 503}
	return []operation{{
		method: http.MethodPost, path: "/v1/solve", id: "solve", tag: "solve",
		summary:  "Solve an instance and wait for the result",
		about:    "A client that hangs up cancels the search.",
		body:     SolveRequest{},
		answers:  map[int]answer{200: {about: "What rgm solve, or of graphs rgm match, prints with --format json", value: rgm.Result{}}},
		problems: reading, handle: h.solve,
	}, {
		method: http.MethodPost, path: "/v1/distance", id: "distance", tag: "solve",
		summary: "Measure how far two graphs are from each other by edits",
		about:   "Options stand in distance. A client that hangs up ends the search.",
		body:    DistanceRequest{},
		answers: map[int]answer{200: {about: "What rgm distance prints with --format json", value: rgm.DistanceResult{}}}, problems: reading, handle: h.distance,
	}, {
		method: http.MethodPost, path: "/v1/graphs", id: "draw", tag: "solve",
		summary: "Two graphs, read and laid out for a picture",
		body:    SolveRequest{},
		answers: map[int]answer{200: {about: "Their nodes with a place each, and their edges", value: request.Drawing{}}}, problems: reading, handle: h.draw,
	}, {
		method: http.MethodPost, path: "/v1/evaluate", id: "evaluate", tag: "solve",
		summary:    "Evaluate a matching of an instance",
		body:       EvaluateRequest{},
		parameters: []schema{parameter("matching", "query", "the matching, as a JSON array; for a file")},
		answers:    map[int]answer{200: {about: "The objective, or why there is none", value: rgm.Evaluation{}}},
		problems:   reading, handle: h.evaluate,
	}}
}

func (h *Handler) jobOperations() []operation {
	id := parameter("id", "path", "of the job")
	job := func(method, path, operationID, summary string, value any, handle func(http.ResponseWriter, *http.Request) error) operation {
		return operation{
			method: method, path: "/v1/jobs/{id}" + path, id: operationID, tag: "jobs", summary: summary,
			parameters: []schema{id}, answers: map[int]answer{200: {about: "The job", value: value}}, handle: handle,
		}
	}
	events := job(http.MethodGet, "/events", "watchJob", "Watch a job: events incumbent, progress and done", nil, h.events)
	events.about = "incumbent has an Incumbent, at most ten a second; progress a Progress, once a second; done the Result, or a Problem. Every event has an id; Last-Event-ID resumes after one."
	events.answers = map[int]answer{200: {about: "Server-sent events", media: "text/event-stream"}}
	events.parameters = append(events.parameters, parameter("Last-Event-ID", "header", "the id of the last event seen"))
	return []operation{{
		method: http.MethodPost, path: "/v1/jobs", id: "submitJob", tag: "jobs",
		summary:    "Submit an instance, to be solved in turn, or two graphs whose distance is measured",
		body:       JobRequest{},
		parameters: []schema{parameter("Idempotency-Key", "header", "the same key and body give the same job, the same key with another body 409")},
		answers:    map[int]answer{202: {about: "The job", value: Job{}}},
		problems:   []int{400, 409, 413, 415, 422, 429, 503}, handle: h.submit,
	}, {
		method: http.MethodGet, path: "/v1/jobs", id: "listJobs", tag: "jobs", summary: "List jobs, 50 a page",
		parameters: []schema{parameter("cursor", "query", "where the page begins: next of the page before")},
		answers:    map[int]answer{200: {about: "A page of jobs, without results", value: JobPage{}}}, problems: []int{422}, handle: h.list,
	},
		job(http.MethodGet, "", "getJob", "A job with its result, or the best so far", Job{}, h.job),
		job(http.MethodDelete, "", "cancelJob", "End a job and return the best so far; forget a finished one", Job{}, h.cancel),
		job(http.MethodGet, "/status", "jobStatus", "The status of a job, without payload", Job{}, h.status),
		events,
	}
}

func (h *Handler) healthOperations() []operation {
	name := []schema{parameter("name", "path", "of the model")}
	get := func(path, id, summary, about string, open bool, value any, handle func(http.ResponseWriter, *http.Request) error) operation {
		return operation{
			method: http.MethodGet, path: path, id: id, tag: "health", summary: summary, open: open,
			answers: map[int]answer{200: {about: about, value: value}}, handle: handle,
		}
	}
	live := get("/v2/health/live", "live", "Whether the process lives", "It does", true, Live{}, h.live)
	ready := get("/v2/health/ready", "ready", "Whether the service takes work", "It does", true, Ready{}, h.isReady)
	ready.answers[503] = answer{about: "It does not: it starts or drains", value: Ready{}}
	model := get("/v2/models/{name}", "getModel", "Metadata of a network, as KServe V2", "The network", false, Model{}, h.model)
	modelReady := get("/v2/models/{name}/ready", "modelReady", "Whether a network is ready", "It is", false, ModelReady{}, h.modelReady)
	modelReady.answers[503] = answer{about: "It is not", value: ModelReady{}}
	model.parameters, modelReady.parameters = name, name
	metrics := get("/metrics", "metrics", "Metrics for Prometheus", "Text format", false, nil, h.serveMetrics)
	metrics.answers = map[int]answer{200: {about: "Text format", media: "text/plain"}}
	return []operation{
		live, ready,
		get("/v2", "server", "What serves here, as KServe V2", "The service", false, Server{}, h.server),
		get("/v2/models", "listModels", "Names of the networks", "The names", false, ModelList{}, h.listModels),
		model, modelReady, metrics,
	}
}

func (h *Handler) pageOperations() []operation {
	page := func(path, id, summary, media string, handle func(http.ResponseWriter, *http.Request) error) operation {
		return operation{
			method: http.MethodGet, path: path, id: id, tag: "pages", summary: summary, open: true,
			answers: map[int]answer{200: {about: summary, media: media}}, handle: handle,
		}
	}
	openAPI := page("/openapi.json", "openapi", "This description", "", h.serveOpenAPI)
	openAPI.answers = map[int]answer{200: {about: "OpenAPI 3.1", value: map[string]any{}}}
	all := []operation{
		openAPI,
		page("/docs", "docs", "The reference of the service", "text/html", h.serveDocs),
		page("/", "page", "The page for people", "text/html", h.servePage),
	}
	if h.options.Browser != nil {
		file := page("/browser/{file}", "browser", "A file of the solver for browsers", "application/octet-stream", h.serveBrowser)
		file.parameters = []schema{parameter("file", "path", "its name")}
		all = append(all, file)
	}
	return all
}

// addRoutes makes the routes and their description from the operations.
func (h *Handler) addRoutes() {
	h.mux = http.NewServeMux()
	operations := h.operations()
	byPath := map[string]map[string]operation{}
	for _, o := range operations {
		if byPath[o.path] == nil {
			byPath[o.path] = map[string]operation{}
		}
		byPath[o.path][o.method] = o
	}
	for path, methods := range byPath {
		pattern := path
		if path == "/" {
			pattern = "/{$}"
		}
		h.mux.HandleFunc(pattern, h.dispatch(path, methods))
	}
	h.mux.HandleFunc("/", h.wrap("none", true, func(_ http.ResponseWriter, r *http.Request) error {
		return problem(http.StatusNotFound, "there is nothing here; /docs lists what there is")
	}))
	h.openAPI = h.describe(operations)
}

// dispatch answers the requests of a path by their method.
func (h *Handler) dispatch(path string, methods map[string]operation) http.HandlerFunc {
	handlers := map[string]http.HandlerFunc{}
	var allowed []string
	for method, o := range methods {
		handlers[method] = h.wrap(path, o.open, o.handle)
		allowed = append(allowed, method)
		if method == http.MethodGet {
			handlers[http.MethodHead] = handlers[method]
			allowed = append(allowed, http.MethodHead)
		}
	}
	slices.Sort(allowed)
	refuse := h.wrap(path, true, func(_ http.ResponseWriter, r *http.Request) error {
		p := problem(http.StatusMethodNotAllowed, "%s is not allowed here: want %s", request.ShortName(r.Method), strings.Join(allowed, ", "))
		p.allow = allowed
		return p
	})
	return func(w http.ResponseWriter, r *http.Request) {
		if handle, found := handlers[r.Method]; found {
			handle(w, r)
			return
		}
		refuse(w, r)
	}
}
