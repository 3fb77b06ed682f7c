package datasets

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rgm-go/rgm/qap"
)

// source is what an instance is read from, with its real length: nothing is
// allocated that this length does not warrant.
type source struct {
	file string // as errors show it
	name string // of the instance, or what its instances' names begin with
	r    io.ReaderAt
	size int64 // bytes
}

// instanceName returns what the instance of a file is called: the file's name
// without folder and extension.
func instanceName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// text returns the whole source from its beginning.
func (s source) text() io.Reader { return io.NewSectionReader(s.r, 0, s.size) }

// errorf returns the error of the source's instance at a line; line 0 stands for
// the whole source.
func (s source) errorf(line int, format string, args ...any) error {
	return &Error{Instance: s.name, File: s.file, Line: line, Err: fmt.Errorf(format, args...)}
}

// part returns the source under the name of one of its instances.
func (s source) part(name any) source {
	s.name = fmt.Sprintf("%s#%v", s.name, name)
	return s
}

// yieldFunc takes an instance, or the error in its place, and reports whether to
// go on.
type yieldFunc = func(*qap.Instance, error) bool
