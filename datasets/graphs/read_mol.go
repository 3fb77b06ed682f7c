package graphs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadMol reads a molecule of a file .mol or .sdf in the version V2000: nodes have the word symbol and, where an atom of the
// molecule has one, the word charge; edges have the word bond, the type from 1 to 10 (4 is aromatic). Places, which are those of a
// drawing, isotopes, stereochemistry and data are left out. OpenCollection reads a file .sdf of many molecules.
//
// Format: CTfile Formats, BIOVIA 2020, chapters 2 to 4.
func ReadMol(r io.Reader) (Graph, error) { return exported(readMol(r)) }

func readMol(r io.Reader) (g Graph, line int, err error) {
	m := molecules{in: bufio.NewReader(r)}
	if g, err = m.next(); err == io.EOF {
		err = errors.New("no molecule")
	}
	if err != nil {
		return Graph{}, max(m.line, 1), err
	}
	if _, err := m.next(); err != io.EOF {
		return Graph{}, m.line, errors.New("a second molecule: want one here; as a collection, rgm distance reads all of a file .sdf")
	}
	return g, 0, nil
}

// molecules are the records of a file.
type molecules struct {
	in   *bufio.Reader
	line int // that was read last
}

// text returns the next line.
func (m *molecules) text() (string, error) {
	text, err := m.in.ReadString('\n')
	if err != nil && text == "" {
		return "", err
	}
	m.line++
	return strings.TrimRight(text, "\r\n"), nil
}

// must is text where the record goes on.
func (m *molecules) must(what string) (string, error) {
	text, err := m.text()
	if err == io.EOF {
		err = fmt.Errorf("the file ends before %s", what)
	}
	return text, err
}

// next returns the next molecule, or io.EOF where only empty lines are left.
func (m *molecules) next() (g Graph, err error) {
	var head [4]string // title, program, comment, counts
	blank := true
	for k := range head {
		if head[k], err = m.text(); err == io.EOF && !blank {
			err = errors.New("the file ends before the numbers of atoms and bonds")
		}
		if err != nil {
			return g, err
		}
		blank = blank && strings.TrimSpace(head[k]) == ""
	}
	for blank { // as may come after the last record
		text, err := m.text()
		if err != nil {
			return g, err
		}
		blank, head[3] = strings.TrimSpace(text) == "", text
	}
	counts := head[3]
	if strings.Contains(counts, "V3000") {
		return g, errors.New("a molecule of the version V3000: want V2000")
	}
	atoms, err1 := whole(counts, 0, 3)
	bonds, err2 := whole(counts, 3, 6)
	if err := errors.Join(err1, err2); err != nil || atoms < 1 || bonds < 0 {
		return g, fmt.Errorf("%.40q: want the numbers of atoms and bonds, in three columns each", counts)
	}
	g = Graph{Name: strings.TrimSpace(head[0]), Nodes: atoms, Edges: []Edge{}}
	charges, err := m.atoms(&g)
	if err == nil {
		err = m.bonds(&g, bonds)
	}
	if err == nil {
		err = m.rest(charges)
	}
	for _, c := range charges {
		if c != 0 {
			words := make([]string, atoms)
			for i := range words {
				words[i] = strconv.Itoa(charges[i])
			}
			g.NodeWords = append(g.NodeWords, Attribute[string]{"charge", words})
			break
		}
	}
	return g, err
}

// whole reads a whole number from columns of a line, 0 where they are empty.
func whole(text string, from, to int) (int, error) {
	field := strings.TrimSpace(text[min(from, len(text)):min(to, len(text))])
	if field == "" {
		return 0, nil
	}
	return strconv.Atoi(field)
}

// atoms reads symbols, and returns the charges that the lines of the atoms have.
func (m *molecules) atoms(g *Graph) ([]int, error) {
	symbols, charges := make([]string, 0, g.Nodes), make([]int, 0, g.Nodes)
	for range g.Nodes {
		text, err := m.must("all of its atoms")
		if err != nil {
			return nil, err
		}
		symbol := strings.TrimSpace(text[min(31, len(text)):min(34, len(text))])
		code, err := whole(text, 36, 39)
		if symbol == "" || strings.ContainsAny(symbol[:1], "+-.0123456789") || err != nil {
			return nil, fmt.Errorf("%.80q: want an atom, its symbol in the columns 32 to 34", text)
		}
		if code >= 1 && code <= 7 { // 3 is 1, 5 is -1; 4 a radical
			code = 4 - code
		} else {
			code = 0
		}
		symbols, charges = append(symbols, symbol), append(charges, code)
	}
	g.NodeWords = []Attribute[string]{{"symbol", symbols}}
	return charges, nil
}

func (m *molecules) bonds(g *Graph, count int) error {
	var types []string
	for range count {
		text, err := m.must("all of its bonds")
		if err != nil {
			return err
		}
		i, err1 := whole(text, 0, 3)
		j, err2 := whole(text, 3, 6)
		of, err3 := whole(text, 6, 9)
		if errors.Join(err1, err2, err3) != nil || min(i, j) < 1 || max(i, j) > g.Nodes || i == j || of < 1 || of > 10 {
			return fmt.Errorf("%.40q: want a bond: two atoms from 1 to %d and a type from 1 to 10, in three columns each", text, g.Nodes)
		}
		g.Edges, types = append(g.Edges, Edge{i - 1, j - 1}), append(types, strconv.Itoa(of))
	}
	if types != nil {
		g.EdgeWords = []Attribute[string]{{"bond", types}}
	}
	return nil
}

// rest reads on to the end of the record. Charges of lines M CHG take the place of those of the atoms.
func (m *molecules) rest(charges []int) error {
	ended, given := false, false
	for {
		text, err := m.text()
		if err == io.EOF || strings.HasPrefix(text, "$$$$") {
			return nil
		}
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(text, "M  END"):
			ended = true
		case strings.HasPrefix(text, "M  CHG") && !ended:
			if !given {
				clear(charges)
				given = true
			}
			if err := charge(text, charges); err != nil {
				return err
			}
		}
	}
}

// charge reads a line of atoms and their charges.
func charge(text string, charges []int) error {
	count, err := whole(text, 6, 9)
	for k := 0; k < count && k < 8 && err == nil; k++ {
		var i, of int
		if i, err = whole(text, 9+8*k, 13+8*k); err == nil {
			of, err = whole(text, 13+8*k, 17+8*k)
		}
		if err == nil && (i < 1 || i > len(charges)) {
			err = errors.New("no such atom")
		}
		if err == nil {
			charges[i-1] = of
		}
	}
	if err != nil {
		return fmt.Errorf("%.80q: want atoms from 1 to %d with charges", text, len(charges))
	}
	return nil
}
