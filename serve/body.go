package serve

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The media types of a body.
const (
	typeJSON      = "application/json"
	typeOctets    = "application/octet-stream"
	typeMultipart = "multipart/form-data"
)

// readRequest reads what a client wants solved from a body, and returns the values of the
// query or form that are no part of a Request.
func (h *Handler) readRequest(body *body, r *http.Request, more ...string) (*Request, map[string]json.RawMessage, error) {
	defer body.readWhole()
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		mediaType = ""
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return nil, nil, problem(http.StatusUnsupportedMediaType, "Content-Encoding %q: send the body as it is", encoding)
	}
	if r.ContentLength > h.options.MaxBody {
		return nil, nil, h.bodyTooLarge()
	}
	switch mediaType {
	case typeJSON:
		return readJSONRequest(body, r.URL.Query(), more)
	case typeOctets:
		return readFileRequest(body, r.URL.Query(), more)
	case typeMultipart:
		return readFormRequest(body, r.URL.Query(), parameters["boundary"], more)
	}
	return nil, nil, problem(http.StatusUnsupportedMediaType, "Content-Type %q: want %s, %s or %s", mediaType, typeJSON, typeOctets, typeMultipart)
}

// bodyTooLarge is the problem of a body over the limit.
func (h *Handler) bodyTooLarge() *Problem {
	return tooLarge("", "the body is over this service's limit of %d bytes", h.options.MaxBody)
}

// budget bounds the bytes of all bodies that are read at a time.
type budget struct{ free atomic.Int64 }

// take takes n bytes if that many are free.
func (b *budget) take(n int64) bool {
	if b.free.Add(-n) >= 0 {
		return true
	}
	b.free.Add(n)
	return false
}

// body is the body of a request: read within the limit, the budget and the time. It counts
// until it is released: as long as what was read is neither in the queue nor dropped.
type body struct {
	handler    *Handler
	in         io.Reader
	controller *http.ResponseController
	read       int64 // so far
	taken      int64 // of the budget
	whole      bool  // whether the end was seen
}

func (h *Handler) bodyReader(w http.ResponseWriter, r *http.Request) *body {
	return &body{handler: h, in: http.MaxBytesReader(w, r.Body, h.options.MaxBody), controller: http.NewResponseController(w)}
}

// chunk is what is taken of the budget at a time.
const chunk = 64 << 10

func (b *body) Read(p []byte) (int, error) {
	if b.read >= b.taken {
		if !b.handler.budget.take(chunk) {
			return 0, b.handler.full("the bodies of other requests fill the memory set aside for them")
		}
		b.taken += chunk
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.taken-b.read)])
	b.read += int64(n)
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, io.EOF):
		b.whole = true
	case errors.As(err, &large):
		return n, b.handler.bodyTooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, unreadable("the body did not arrive within %v", b.handler.options.BodyTimeout)
	}
	return n, err
}

// release gives the budget back.
func (b *body) release() {
	b.handler.budget.free.Add(b.taken)
	b.taken = 0
}

// readWhole takes the deadline away once the whole body is read, and so lets the connection
// be watched for a client that hangs up.
func (b *body) readWhole() {
	if b.whole {
		b.controller.SetReadDeadline(time.Time{})
	}
}

// readAll reads everything, or returns the problem.
func readAll(in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(in)
	if err == nil {
		return text, nil
	}
	var p *Problem
	if errors.As(err, &p) {
		return nil, p
	}
	return nil, unreadable("the body ended early")
}

// readJSONRequest reads {"instance": …, "options": {…}} and the fields named in more.
func readJSONRequest(in io.Reader, query url.Values, more []string) (*Request, map[string]json.RawMessage, error) {
	if err := unknownParameters(query); err != nil {
		return nil, nil, err
	}
	text, err := readAll(in)
	if err != nil {
		return nil, nil, err
	}
	var fields map[string]json.RawMessage
	if err := strictJSON(text, &fields, ""); err != nil {
		return nil, nil, err
	}
	r := &Request{Format: formatJSON, Body: fields["instance"]}
	if options, given := fields["options"]; given {
		if r.Options, err = readOptions(options); err != nil {
			return nil, nil, err
		}
	}
	delete(fields, "instance")
	delete(fields, "options")
	others, err := pick(fields, more)
	return r, others, err
}

// pick returns the fields that are named, and a problem if there are others.
func pick(fields map[string]json.RawMessage, names []string) (map[string]json.RawMessage, error) {
	others := map[string]json.RawMessage{}
	for _, name := range names {
		if value, given := fields[name]; given {
			others[name] = value
			delete(fields, name)
		}
	}
	for name := range fields {
		return nil, invalid(pointerOf(name), "there is no field %q", name)
	}
	return others, nil
}

// readFileRequest reads a file, with everything else in the query.
func readFileRequest(in io.Reader, query url.Values, more []string) (*Request, map[string]json.RawMessage, error) {
	r, others, err := fileRequest(query, more)
	if err != nil {
		return nil, nil, err
	}
	if err := unknownParameters(query); err != nil {
		return nil, nil, err
	}
	r.Body, err = readAll(in)
	return r, others, err
}

// readable replaces what is no UTF-8, as the decoder of JSON does, so that a request
// travels through a queue unchanged.
func readable(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// fileRequest reads what a query or form says of a file, and removes it from there.
func fileRequest(query url.Values, more []string) (*Request, map[string]json.RawMessage, error) {
	for _, values := range query {
		for k, text := range values {
			values[k] = readable(text)
		}
	}
	take := func(name string) string {
		defer query.Del(name)
		return query.Get(name)
	}
	r := &Request{Format: take("format"), Name: take("name"), Order: take("order"), Sense: take("sense")}
	for _, n := range []struct {
		name string
		to   *int
	}{{"n1", &r.N1}, {"n2", &r.N2}} {
		text := take(n.name)
		if text == "" {
			continue
		}
		value, err := strconv.Atoi(text)
		if err != nil || value < 1 {
			return nil, nil, invalid("/"+n.name, "%q: want a whole number, 1 or more", text)
		}
		*n.to = value
	}
	others := map[string]json.RawMessage{}
	for _, name := range more {
		if query.Has(name) {
			others[name] = json.RawMessage(take(name))
		}
	}
	var err error
	r.Options, err = queryOptions(query)
	return r, others, err
}

// unknownParameters is the problem of what is left of a query.
func unknownParameters(query url.Values) error {
	for name := range query {
		return unknown("", "parameter", name)
	}
	return nil
}

// maxFormField bounds the fields of a form besides the file.
const maxFormField = 1 << 20

// readFormRequest reads a form: the file in the part instance, whose name says the
// format unless there is a part format; the options as JSON in the part options,
// or each in a part of its own.
func readFormRequest(in io.Reader, query url.Values, boundary string, more []string) (*Request, map[string]json.RawMessage, error) {
	if boundary == "" {
		return nil, nil, unreadable("the form has no boundary")
	}
	if err := unknownParameters(query); err != nil {
		return nil, nil, err
	}
	form := url.Values{}
	var file []byte
	var fileName string
	parts := multipart.NewReader(in, boundary)
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, formProblem(err)
		}
		if part.FormName() == "instance" {
			fileName = part.FileName()
			if file, err = readAll(part); err != nil {
				return nil, nil, err
			}
			continue
		}
		text, err := readAll(io.LimitReader(part, maxFormField))
		if err != nil {
			return nil, nil, err
		}
		form.Set(part.FormName(), string(text))
	}
	if _, err := io.Copy(io.Discard, in); err != nil { // to the end, see body.readWhole
		return nil, nil, formProblem(err)
	}
	if file == nil {
		return nil, nil, invalid("/instance", "the form has no part named instance")
	}
	return formRequest(form, file, fileName, more)
}

// formRequest returns the request of a form whose parts are read.
func formRequest(form url.Values, file []byte, fileName string, more []string) (*Request, map[string]json.RawMessage, error) {
	options := form.Get("options")
	form.Del("options")
	r, others, err := fileRequest(form, more)
	if err == nil {
		err = unknownParameters(form)
	}
	if err != nil {
		return nil, nil, err
	}
	if options != "" {
		if r.Options, err = readOptions([]byte(options)); err != nil {
			return nil, nil, err
		}
	}
	fileName = path.Base(strings.ReplaceAll(readable(fileName), `\`, "/"))
	extension := path.Ext(fileName)
	if r.Format == "" {
		r.Format = strings.ToLower(strings.TrimPrefix(extension, "."))
	}
	if r.Name == "" {
		r.Name = strings.TrimSuffix(fileName, extension)
	}
	r.Body = file
	return r, others, nil
}

// formProblem returns the problem of a form that cannot be read.
func formProblem(err error) error {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	return unreadable("the form cannot be read")
}
