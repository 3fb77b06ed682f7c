package site

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// headings gives each heading the name that GitHub gives it, which links of the pages use.
func headings(document ast.Node, source []byte) {
	seen := map[string]int{}
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindHeading {
			continue
		}
		id := slug(plain(n, source))
		before := seen[id]
		seen[id]++
		if before > 0 {
			id = fmt.Sprint(id, "-", before)
		}
		n.SetAttributeString("id", []byte(id))
	}
}

// slug returns the words of a heading as part of an address.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// index keeps the sections of a page for the search, and returns the page's title.
func (b *builder) index(document ast.Node, source []byte, name string) string {
	title := name
	now := section{Page: Address(name), Title: title}
	keep := func() {
		now.Text = strings.Join(strings.Fields(now.Text), " ")
		if now.Heading != "" || now.Text != "" {
			b.sections = append(b.sections, now)
		}
	}
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		h, isHeading := n.(*ast.Heading)
		if !isHeading {
			now.Text += " " + plain(n, source)
			continue
		}
		keep()
		heading := plain(n, source)
		if h.Level == 1 {
			title = heading
		}
		id, _ := n.AttributeString("id")
		now = section{Page: Address(name), Title: title, Heading: heading, Anchor: string(id.([]byte))}
	}
	keep()
	return title
}

// plain returns the words of a node.
func plain(node ast.Node, source []byte) string {
	var words strings.Builder
	ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				words.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			words.Write(n.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				words.WriteByte(' ')
			}
		case *ast.String:
			words.Write(n.Value)
		case *ast.AutoLink:
			words.Write(n.Label(source))
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			words.Write(n.Lines().Value(source))
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(words.String())
}
