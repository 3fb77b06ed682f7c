package serve

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Live, Ready, Server, ModelList and ModelReady are answers of KServe's V2 protocol.
type (
	Live struct {
		Live bool `json:"live"`
	}
	Ready struct {
		Ready bool `json:"ready"`
	}
	Server struct {
		Name       string   `json:"name"`
		Version    string   `json:"version"`
		Extensions []string `json:"extensions"`
	}
	ModelList struct {
		Models []string `json:"models"`
	}
	ModelReady struct {
		Name  string `json:"name"`
		Ready bool   `json:"ready"`
	}
)

func (h *Handler) live(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, Live{true})
}

// takesWork reports whether the service is warm and does not drain.
func (h *Handler) takesWork() bool { return h.ready.Load() && !h.draining.Load() }

// readyStatus is 200 or 503.
func (h *Handler) readyStatus() int {
	if h.takesWork() {
		return http.StatusOK
	}
	return http.StatusServiceUnavailable
}

func (h *Handler) isReady(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, h.readyStatus(), Ready{h.takesWork()})
}

func (h *Handler) server(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, Server{"rgm", h.version(), []string{}})
}

func (h *Handler) listModels(w http.ResponseWriter, _ *http.Request) error {
	list := ModelList{Models: []string{}}
	for _, m := range h.models {
		list.Models = append(list.Models, m.Name)
	}
	return writeJSON(w, http.StatusOK, list)
}

// findModel returns the model that a path names.
func (h *Handler) findModel(r *http.Request) (Model, error) {
	for _, m := range h.models {
		if m.Name == r.PathValue("name") {
			return m, nil
		}
	}
	return Model{}, problem(http.StatusNotFound, "no model of this name is loaded; /v2/models lists them")
}

func (h *Handler) model(w http.ResponseWriter, r *http.Request) error {
	m, err := h.findModel(r)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, m)
}

func (h *Handler) modelReady(w http.ResponseWriter, r *http.Request) error {
	m, err := h.findModel(r)
	if err != nil {
		return err
	}
	return writeJSON(w, h.readyStatus(), ModelReady{m.Name, h.takesWork()})
}

func (h *Handler) serveMetrics(w http.ResponseWriter, r *http.Request) error {
	promhttp.HandlerFor(h.metrics.registry, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	return nil
}
