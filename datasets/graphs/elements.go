package graphs

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// elements reads an XML file. Document types, and with them entities, are refused.
type elements struct {
	decoder *xml.Decoder
	path    []string // names of the open elements
}

// elementReader is told of the elements of a file, in their order.
type elementReader interface {
	open(e xml.StartElement) error
	close(name string) error
	characters(text []byte)
}

// deepestElement is how many elements may be within each other.
const deepestElement = 16

// read tells of all elements, and returns the line of an error.
func (e *elements) read(to elementReader) (line int, err error) {
	for err == nil {
		var token xml.Token
		if token, err = e.decoder.RawToken(); err == io.EOF {
			if len(e.path) > 0 {
				err = fmt.Errorf("the file ends within the element %.40s", e.path[len(e.path)-1])
				break
			}
			return 0, nil
		}
		if err == nil {
			err = e.take(token, to)
		}
	}
	line, _ = e.decoder.InputPos()
	var malformed *xml.SyntaxError
	if errors.As(err, &malformed) {
		line, err = malformed.Line, errors.New(malformed.Msg)
	}
	return line, err
}

// take tells of a token.
func (e *elements) take(token xml.Token, to elementReader) error {
	switch token := token.(type) {
	case xml.Directive:
		return errors.New("document types and entities are not read: leave <!DOCTYPE …> out")
	case xml.StartElement:
		if len(e.path) == deepestElement {
			return fmt.Errorf("more than %d elements within each other", deepestElement)
		}
		err := to.open(token)
		e.path = append(e.path, token.Name.Local)
		return err
	case xml.CharData:
		to.characters(token)
	case xml.EndElement:
		if len(e.path) == 0 || !e.within(token.Name.Local) {
			return fmt.Errorf("the element %.40s ends, which is not open", token.Name.Local)
		}
		e.path = e.path[:len(e.path)-1]
		return to.close(token.Name.Local)
	}
	return nil
}

// within reports whether the innermost open element has a name.
func (e *elements) within(name string) bool {
	return len(e.path) > 0 && e.path[len(e.path)-1] == name
}

// attribute returns an attribute of an element, "" where it has none of that name.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
