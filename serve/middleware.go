package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// recorder remembers the status of an answer. Unwrap lets http.ResponseController
// reach what is below.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Request-Id", requestID(r))
	if clean := path.Clean(r.URL.Path); clean != r.URL.Path {
		// ServeMux would redirect; nothing of ours has such an address.
		h.wrap("none", true, func(http.ResponseWriter, *http.Request) error {
			return problem(http.StatusNotFound, "there is nothing here; /docs lists what there is")
		})(w, r)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// requestID returns the client's X-Request-Id where it is harmless in a log, or a
// new one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	harmless := func(c rune) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.ContainsRune("-_.", c)
	}
	if id == "" || len(id) > 100 || strings.ContainsFunc(id, func(c rune) bool { return !harmless(c) }) {
		return newID()
	}
	return id
}

// wrap adds to a handler what all have: the token, the deadline of writing, problems
// for errors and panics, metrics and the access log.
func (h *Handler) wrap(route string, open bool, handle func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w}
		sent := &sentBody{ReadCloser: r.Body, whole: r.Body == nil || r.Body == http.NoBody}
		if !sent.whole { // also what no handler reads, the server reads before the next request
			r.Body = sent
			http.NewResponseController(w).SetReadDeadline(start.Add(h.options.BodyTimeout)) // where it is not supported the caller bounds it
		}
		err := h.guard(rec, r, open, handle)
		cut := err != nil && !sent.whole
		if cut {
			rec.Header().Set("Connection", "close")
			http.NewResponseController(w).EnableFullDuplex() // what comes of the body can be read after the answer
		}
		rec.finish(h.options.WriteTime, err)
		h.account(rec, r, route, time.Since(start), err)
		if cut && r.Header.Get("Expect") == "" { // who expects an answer before it sends has it
			h.drainBody(rec, sent)
		}
	}
}

// sentBody is a body that knows whether it was read to the end.
type sentBody struct {
	io.ReadCloser
	whole bool
}

func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.whole = b.whole || errors.Is(err, io.EOF)
	return n, err
}

// drained is how much is taken in of the body of a client that was refused, at least.
const drained = 64 << 20

// drainBody takes in what a client still sends after it was refused, for as long as a body may take:
// one that reads the answer only once it has sent all would be cut off from it.
func (h *Handler) drainBody(w http.ResponseWriter, sent io.Reader) {
	controller := http.NewResponseController(w)
	controller.Flush()
	controller.SetReadDeadline(time.Now().Add(h.options.BodyTimeout))
	piece := make([]byte, 64<<10)
	for left := max(drained, 2*h.options.MaxBody); left > 0; {
		n, err := sent.Read(piece)
		if err != nil {
			return
		}
		left -= int64(n)
	}
}

// guard calls a handler if the client may, and turns a panic into an error.
func (h *Handler) guard(w http.ResponseWriter, r *http.Request, open bool, handle func(http.ResponseWriter, *http.Request) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if !open && !h.authorized(r) {
		return problem(http.StatusUnauthorized, "want the header Authorization: Bearer TOKEN with this service's token")
	}
	if crossOrigin.Check(r) != nil {
		return problem(http.StatusForbidden, "a page of another site may not use this service")
	}
	if !open && h.options.Token == "" && !h.options.AnyHost && !ownHost(r) {
		return problem(http.StatusForbidden, "this service is for its own machine: want localhost, 127.0.0.1 or [::1] in the address, or a token, or a service that is open to others")
	}
	return handle(&deadlineWriter{ResponseWriter: w, patience: h.options.WriteTime}, r)
}

// crossOrigin keeps pages of other sites from using the service through the browser
// of somebody who can reach it.
var crossOrigin = http.NewCrossOriginProtection()

// ownHost reports whether a request that came over a loopback address also named one.
// A page of another site can have its own name lead here (DNS rebinding), and is of the
// same origin then.
func ownHost(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil || !isLoopback(local.String()) {
		return true
	}
	return isLoopback(r.Host)
}

// isLoopback reports whether an address, with a port or without, is of this machine alone.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// authorized reports whether a request shows the token, in time that does not depend
// on how much of it is right.
func (h *Handler) authorized(r *http.Request) bool {
	if h.options.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	want, have := sha256.Sum256([]byte(h.options.Token)), sha256.Sum256([]byte(strings.TrimSpace(token)))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(want[:], have[:]) == 1
}

// deadlineWriter gives the client so long to take each piece of an answer.
type deadlineWriter struct {
	http.ResponseWriter
	patience time.Duration
}

func (w *deadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *deadlineWriter) Write(p []byte) (int, error) {
	http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.patience))
	return w.ResponseWriter.Write(p)
}

// finish answers with the problem of an error, unless an answer was begun. What is
// still buffered is flushed after the handler, so its deadline is set here.
func (r *recorder) finish(patience time.Duration, err error) {
	http.NewResponseController(r.ResponseWriter).SetWriteDeadline(time.Now().Add(patience))
	if err != nil && r.status == 0 && !errors.Is(err, errHungUp) {
		problemOf(err).write(r)
	}
}

// account counts and logs an answer.
func (h *Handler) account(rec *recorder, r *http.Request, route string, took time.Duration, err error) {
	status := rec.status
	reason := ""
	switch {
	case errors.Is(err, errHungUp):
		reason = "hung_up"
		if status == 0 {
			status = 499 // as nginx calls it
		}
	case err != nil:
		reason = problemOf(err).reason
	}
	if reason != "" {
		h.metrics.failures.WithLabelValues(reason).Inc()
	}
	method := r.Method
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete:
	default:
		method = "other"
	}
	h.metrics.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	h.metrics.requestSeconds.WithLabelValues(route).Observe(took.Seconds())
	level := slog.LevelInfo
	attributes := []slog.Attr{
		slog.String("id", rec.Header().Get("X-Request-Id")), slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Int("status", status), slog.Int64("bytes", rec.bytes), slog.Duration("took", took), slog.String("remote", r.RemoteAddr),
	}
	if err != nil && !errors.Is(err, errHungUp) {
		attributes = append(attributes, slog.String("error", err.Error()))
		if status >= 500 && status != http.StatusServiceUnavailable {
			level = slog.LevelError
		}
	}
	h.options.Log.LogAttrs(r.Context(), level, "request", attributes...)
}
