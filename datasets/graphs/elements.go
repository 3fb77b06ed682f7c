package graphs

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
)

// elements reads an XML file. Document types, and with them entities, are refused.
type elements struct {
	decoder *xml.Decoder
	path    []string // names of the open elements

	namesType bool // files name a document type, which is not looked at
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
		if e.namesType && !bytes.ContainsRune(token, '[') {
			return nil
		}
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

// attributeKey is what a file calls an attribute of nodes or of edges.
type attributeKey struct {
	of       *attributes
	name     string
	isNumber bool
}

// newKey returns that of an attribute of a class, node or edge, and of a type of the format; nil where it is of neither.
func (b *builder) newKey(class, name, kind string) *attributeKey {
	of := map[string]*attributes{"node": &b.node, "edge": &b.edge}[class]
	if of == nil {
		return nil
	}
	numbers := []string{"double", "float", "int", "long", "integer", "short", "byte", "biginteger", "bigdecimal"}
	return &attributeKey{of, name, slices.Contains(numbers, kind)}
}

// set takes over a value of a node or edge, of which nothing is known where it is no number but "" or nan.
func (k *attributeKey) set(owner int, text string) error {
	switch {
	case !k.isNumber:
		return k.of.setWord(k.name, owner, text)
	case isUnknown(text):
		return nil
	}
	return cmp.Or(k.check(text), k.of.set(k.name, owner, text))
}

// setPreset takes over what nodes or edges without a value have.
func (k *attributeKey) setPreset(text string) error {
	k.of.of(k.name).preset = text
	return k.check(text)
}

func (k *attributeKey) check(text string) error {
	if _, err := parseNumber(text); k.isNumber && err != nil {
		return fmt.Errorf("%.20q of the attribute %s: %w", text, k.name, err)
	}
	return nil
}
