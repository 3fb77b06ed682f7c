package serve

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer/request"
)

// The media types of a body.
const (
	typeJSON      = "application/json"
	typeOctets    = "application/octet-stream"
	typeMultipart = "multipart/form-data"
)

// fields are the values of a body, query or form that are no part of a Request, as JSON.
type fields map[string][]byte

// readRequest reads what a client wants solved from a body, and returns the values of the
// query or form that are named in more.
func (h *Handler) readRequest(body *body, r *http.Request, more ...string) (*request.Request, fields, error) {
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
	in := &decoder{request.Decoder{Choices: h.choices}}
	switch mediaType {
	case typeJSON:
		return in.readJSONRequest(body, r.URL.Query(), more)
	case typeOctets:
		return in.readFileRequest(body, r.URL.Query(), more)
	case typeMultipart:
		return in.readFormRequest(body, r.URL.Query(), parameters["boundary"], more)
	}
	return nil, nil, problem(http.StatusUnsupportedMediaType, "Content-Type %q: want %s, %s or %s", mediaType, typeJSON, typeOctets, typeMultipart)
}

// bodyTooLarge is the problem of a body over the limit.
func (h *Handler) bodyTooLarge() error {
	return request.TooLarge("", "the body is over this service's limit of %d bytes", h.options.MaxBody)
}

// body is the body of a request: read within the limit, the memory and the time. It counts
// until it is released: as long as what was read is neither in the queue nor dropped.
type body struct {
	charge
	handler    *Handler
	in         io.Reader
	length     int64 // −1 where the client does not say
	controller *http.ResponseController
	whole      bool // whether the end was seen
}

func (h *Handler) bodyReader(w http.ResponseWriter, r *http.Request) *body {
	return &body{
		charge: charge{pool: &h.memory.held}, handler: h, in: http.MaxBytesReader(w, r.Body, h.options.MaxBody),
		length: r.ContentLength, controller: http.NewResponseController(w),
	}
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, io.EOF):
		b.whole = true
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, request.Unreadable("the body ended early")
	case errors.As(err, &large):
		return n, b.handler.bodyTooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, request.Unreadable("the body did not arrive within %v", b.handler.options.BodyTimeout)
	}
	return n, err
}

// firstRead is what is read of a body before there is room for all that its client says it
// sends: an eighth of it at least. Who sends little holds little.
const firstRead = 64 << 10

// readAll appends what in has to text; in is the body or a part of it, and text a part that came
// before. All is in one buffer of the length that is stated; without that it grows.
func (b *body) readAll(in io.Reader, text []byte) ([]byte, error) {
	for {
		n, err := io.ReadFull(in, text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || err == nil && int64(cap(text)) == b.length:
			return text, nil
		case err != nil:
			return nil, bodyProblem(err, "the body ended early")
		}
		room := b.roomAfter(int64(cap(text)))
		if !b.set(room) {
			return nil, b.handler.full("the bodies of other requests fill the memory set aside for them")
		}
		larger := make([]byte, len(text), room)
		copy(larger, text)
		text = larger
	}
}

// roomAfter returns how long a buffer follows one that is full.
func (b *body) roomAfter(full int64) int64 {
	switch {
	case b.length < 0:
		return max(2*full, firstRead)
	case full == 0:
		return min(b.length, max(firstRead, b.length/8))
	}
	return b.length
}

// bodyProblem returns the problem in an error, or that of what cannot be read.
func bodyProblem(err error, otherwise string) error {
	var p *Problem
	var wrong *request.Error
	if errors.As(err, &p) || errors.As(err, &wrong) {
		return err
	}
	return request.Unreadable("%s", otherwise)
}

// readWhole takes the deadline away once the whole body is read, and so lets the connection
// be watched for a client that hangs up.
func (b *body) readWhole() {
	if b.whole {
		b.controller.SetReadDeadline(time.Time{})
	}
}

// source is a body that is read into memory, whole or in part.
type source interface {
	io.Reader
	readAll(in io.Reader, text []byte) ([]byte, error)
}

// decoder reads requests in the forms of bodies.
type decoder struct{ request.Decoder }

// readJSONRequest reads {"instance": …, "options": {…}} and the fields named in more.
func (d *decoder) readJSONRequest(in source, query url.Values, more []string) (*request.Request, fields, error) {
	if err := unknownParameters(query); err != nil {
		return nil, nil, err
	}
	text, err := in.readAll(in, nil)
	if err == nil {
		err = request.CheckJSON(text)
	}
	if err != nil {
		return nil, nil, err
	}
	r, others := &request.Request{Format: request.FormatJSON}, fields{}
	err = request.Members(text, "", func(name, place string, value []byte) error {
		switch {
		case name == "instance":
			r.Body = value
		case name == "options":
			return d.Decode(value, &r.Options, place)
		case slices.Contains(more, name):
			others[name] = value
		default:
			return request.Unknown(place, "field", name)
		}
		return nil
	})
	return r, others, err
}

// readFileRequest reads a file, with everything else in the query.
func (d *decoder) readFileRequest(in source, query url.Values, more []string) (*request.Request, fields, error) {
	r, others, err := d.fileRequest(query, more)
	if err == nil {
		err = unknownParameters(query)
	}
	if err == nil {
		r.Body, err = in.readAll(in, nil)
	}
	return r, others, err
}

// readable replaces what is no UTF-8, as the decoder of JSON does, so that a request
// travels through a queue unchanged.
func readable(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// fileRequest reads what a query or form says of a file, and removes it from there.
func (d *decoder) fileRequest(query url.Values, more []string) (*request.Request, fields, error) {
	for _, values := range query {
		for k, text := range values {
			values[k] = readable(text)
		}
	}
	others := fields{}
	for _, name := range more {
		if query.Has(name) {
			others[name] = []byte(query.Get(name))
			query.Del(name)
		}
	}
	r := &request.Request{}
	if err := d.FromQuery(query, r, ""); err != nil {
		return nil, nil, err
	}
	return r, others, d.FromQuery(query, &r.Options, "/options")
}

// unknownParameters is the problem of what is left of a query.
func unknownParameters(query url.Values) error {
	for name := range query {
		return request.Unknown(request.PointerOf(name), "parameter", name)
	}
	return nil
}

// maxFormFields bounds all fields of a form besides the file.
const maxFormFields = 1 << 20

// readFormRequest reads a form: the file in the part instance, whose name says the
// format unless there is a part format, or two files of graphs in the parts a and b;
// the options as JSON in the part options, or each in a part of its own.
func (d *decoder) readFormRequest(in source, query url.Values, boundary string, more []string) (*request.Request, fields, error) {
	if boundary == "" {
		return nil, nil, request.Unreadable("the form has no boundary")
	}
	if err := unknownParameters(query); err != nil {
		return nil, nil, err
	}
	form := url.Values{}
	var text []byte
	files := map[string]request.GraphFile{}
	left := int64(maxFormFields)
	parts := multipart.NewReader(in, boundary)
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, bodyProblem(err, "the form cannot be read")
		}
		name := part.FormName()
		if _, again := files[name]; again || form.Has(name) {
			return nil, nil, request.Invalid(request.PointerOf(name), "the form has two parts named %q", name)
		}
		if name == "instance" || slices.Contains(request.GraphParts[:], name) && part.FileName() != "" {
			if _, late := files[request.GraphParts[1]]; late && name == request.GraphParts[0] {
				return nil, nil, request.Invalid("/a", "the file a comes before the file b")
			}
			before := len(text)
			if text, err = in.readAll(part, text); err != nil {
				return nil, nil, bodyProblem(err, "the form cannot be read")
			}
			files[name] = request.GraphFile{Name: path.Base(strings.ReplaceAll(readable(part.FileName()), `\`, "/")), Length: len(text) - before}
			continue
		}
		value, err := io.ReadAll(io.LimitReader(part, left))
		if err != nil {
			return nil, nil, bodyProblem(err, "the form cannot be read")
		}
		if left -= int64(len(value) + len(name)); left <= 0 {
			return nil, nil, request.TooLarge("", "the fields of the form besides the instance are over %d bytes", maxFormFields)
		}
		form.Set(name, string(value))
	}
	if _, err := io.Copy(io.Discard, in); err != nil { // to the end, see body.readWhole
		return nil, nil, bodyProblem(err, "the form cannot be read")
	}
	return d.formRequest(form, text, files, more)
}

// formRequest returns the request of a form whose parts are read: text is that of the files.
func (d *decoder) formRequest(form url.Values, text []byte, files map[string]request.GraphFile, more []string) (*request.Request, fields, error) {
	options := form.Get("options")
	form.Del("options")
	file, whole := files["instance"]
	pair := !whole && len(files) > 0
	extension := path.Ext(file.Name)
	switch {
	case whole && len(files) > 1:
		return nil, nil, request.Invalid("/instance", "the form has an instance, and the graph of another: want one of them, or two graphs a and b")
	case !whole && !pair:
		return nil, nil, request.Invalid("/instance", "the form has no part named instance, and no files named a and b")
	case pair && form.Has("format"):
		return nil, nil, request.Invalid("/format", "the format of the files a and b is that of their names")
	case pair:
		for _, name := range request.GraphParts {
			if _, there := files[name]; !there {
				return nil, nil, request.Invalid(request.PointerOf(name), "the form has one graph: want the files a and b")
			}
		}
	case !form.Has("format"):
		form.Set("format", strings.ToLower(strings.TrimPrefix(extension, ".")))
	}
	r, others, err := d.fileRequest(form, more)
	if err == nil {
		err = unknownParameters(form)
	}
	if err == nil && options != "" {
		err = d.Decode([]byte(options), &r.Options, "/options")
	}
	if err != nil {
		return nil, nil, err
	}
	r.Body = text
	if r.Name == "" {
		r.Name = strings.TrimSuffix(file.Name, extension)
	}
	if !pair {
		return r, others, nil
	}
	a, b := files[request.GraphParts[0]], files[request.GraphParts[1]]
	if r.Name == "" {
		r.Name = graphs.PairName(a.Name, b.Name)
	}
	r.Files = []request.GraphFile{a, b}
	return r, others, nil
}
