package request

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
)

// Instance is a problem as JSON. Kind says which of the other fields count.
type Instance struct {
	Kind   string    `json:"kind" enum:"affinity,sparse,qap,graphs,qaplib" doc:"which of the other fields count"`
	Name   string    `json:"name,omitempty" maxLength:"200" doc:"what the result calls it; of kind qaplib the embedded instance, nug30 for example"`
	Sense  string    `json:"sense,omitempty" kinds:"affinity,sparse" enum:"max,min" doc:"of an affinity matrix (max)"`
	N1     int       `json:"n1,omitempty" kinds:"affinity,sparse" minimum:"0" doc:"nodes of graph 1 (square root of the number of vertices)"`
	N2     int       `json:"n2,omitempty" kinds:"affinity,sparse" minimum:"0" doc:"nodes of graph 2 (as n1)"`
	K      *Matrix   `json:"k,omitempty" kinds:"affinity" doc:"affinity matrix, (n1·n2)×(n1·n2); index i·n2+a means node i of graph 1 with node a of graph 2"`
	Rows   []int     `json:"rows,omitempty" kinds:"sparse" doc:"row of each entry of a sparse affinity matrix"`
	Cols   []int     `json:"cols,omitempty" kinds:"sparse" doc:"column of each entry"`
	Values []float64 `json:"values,omitempty" kinds:"sparse" doc:"each entry"`
	A      *Matrix   `json:"a,omitempty" kinds:"qap" doc:"n1×n1; the objective Σ a[i][j]·b[m(i)][m(j)] + Σ linear[i][m(i)] is minimised"`
	B      *Matrix   `json:"b,omitempty" kinds:"qap" doc:"n2×n2"`
	Linear *Matrix   `json:"linear,omitempty" kinds:"qap" doc:"n1×n2 (none)"`
	Graph1 *Graph    `json:"graph1,omitempty" kinds:"graphs" doc:"the one graph"`
	Graph2 *Graph    `json:"graph2,omitempty" kinds:"graphs" doc:"the other graph"`
	Kernel string    `json:"kernel,omitempty" kinds:"graphs" enum:"auto,length,direction,weight,features,binary" doc:"what of two edges is compared, as by rgm match (auto)"`
	Scale  string    `json:"scale,omitempty" kinds:"graphs" enum:"auto,same,free" doc:"units of lengths, as by rgm match (auto)"`
}

// ReadInstance reads from JSON an instance, or the two graphs of one.
func ReadInstance(text []byte, limits rgm.Limits) (in *qap.Instance, both *Pair, err error) {
	const pointer = "/instance"
	if text = bytes.TrimSpace(text); len(text) == 0 || string(text) == "null" {
		return nil, nil, Invalid(pointer, "the instance is missing")
	}
	var j Instance
	if err := (&Decoder{}).Decode(text, &j, pointer); err != nil {
		return nil, nil, err
	}
	if err := j.checkFields(); err != nil {
		return nil, nil, err
	}
	if j.Kind == "graphs" {
		both, err = j.pair(limits)
		return nil, both, err
	}
	if in, err = j.instance(limits); err != nil {
		return nil, nil, err
	}
	if j.Kind != "qaplib" {
		in.Name = ShortName(j.Name)
	}
	return in, nil, nil
}

// checkFields returns the problem of a field that does not belong to the kind.
func (j *Instance) checkFields() error {
	if j.Kind == "" {
		return Invalid("/instance/kind", "the kind is missing: want affinity, sparse, qap, graphs or qaplib")
	}
	v := reflect.ValueOf(j).Elem()
	for _, f := range table.Of(v.Type()) {
		if f.Kinds != nil && !slices.Contains(f.Kinds, j.Kind) && !v.Field(f.Index).IsZero() {
			return Invalid("/instance/"+f.Name, "an instance of kind %s has no field %q", j.Kind, f.Name)
		}
	}
	return nil
}

// instance returns the problem that the fields of the kind state.
func (j *Instance) instance(limits rgm.Limits) (*qap.Instance, error) {
	switch j.Kind {
	case "affinity":
		return j.affinity(limits)
	case "sparse":
		return j.sparse(limits)
	case "qap":
		return j.product(limits)
	}
	in, err := qaplib.Open(j.Name)
	if err != nil {
		return nil, Invalid("/instance/name", "%s", WithoutPackage(err))
	}
	n1, n2 := in.Size()
	return in, AsError(limits.CheckInstance(n1, n2), "/instance")
}

// SenseOf reads a sense that the table allows.
func SenseOf(text string) qap.Sense {
	if text == "min" {
		return qap.Minimize
	}
	return qap.Maximize
}

func (j *Instance) affinity(limits rgm.Limits) (*qap.Instance, error) {
	if j.K == nil {
		return nil, Invalid("/instance/k", "the affinity matrix is missing")
	}
	n1, n2, reason := sizes(j.N1, j.N2, j.K.Rows)
	if reason != "" {
		return nil, Invalid("/instance/k", "%s", reason)
	}
	if err := limits.CheckInstance(n1, n2); err != nil {
		return nil, AsError(err, "/instance")
	}
	if j.K.Rows != j.K.Cols || j.K.Rows != n1*n2 {
		return nil, Invalid("/instance/k", "want %d×%d numbers for graphs of %d and %d nodes, have %d×%d", n1*n2, n1*n2, n1, n2, j.K.Rows, j.K.Cols)
	}
	return orInvalid("/instance/k")(qap.NewDense(n1, n2, j.K.Data, SenseOf(j.Sense)))
}

// sizes returns the nodes of two graphs with the given number of vertices; what is
// not given is found as for files.
func sizes(n1, n2, vertices int) (int, int, string) {
	if vertices == 0 {
		return 0, 0, "the matrix has no rows"
	}
	switch {
	case n1 == 0 && n2 == 0:
		for n1*n1 < vertices {
			n1++
		}
		n2 = n1
	case n1 == 0:
		n1 = vertices / n2
	case n2 == 0:
		n2 = vertices / n1
	}
	if n1 > vertices || n2 > vertices || n1*n2 != vertices {
		return 0, 0, fmt.Sprintf("%d rows are not those of graphs of %d and %d nodes: give n1 and n2 with n1·n2 = %d", vertices, n1, n2, vertices)
	}
	return n1, n2, ""
}

func (j *Instance) sparse(limits rgm.Limits) (*qap.Instance, error) {
	switch {
	case j.N1 < 1:
		return nil, Invalid("/instance/n1", "want 1 or more")
	case j.N2 < 1:
		return nil, Invalid("/instance/n2", "want 1 or more")
	case len(j.Rows) != len(j.Values) || len(j.Cols) != len(j.Values):
		return nil, Invalid("/instance/values", "%d rows, %d cols and %d values: want as many of each", len(j.Rows), len(j.Cols), len(j.Values))
	}
	if err := limits.CheckInstance(j.N1, j.N2); err != nil {
		return nil, AsError(err, "/instance")
	}
	entries := make([]qap.Entry, len(j.Values))
	for k, v := range j.Values {
		entries[k] = qap.Entry{P: j.Rows[k], Q: j.Cols[k], Value: v}
	}
	return orInvalid("/instance")(qap.NewSparse(j.N1, j.N2, entries, SenseOf(j.Sense)))
}

func (j *Instance) product(limits rgm.Limits) (*qap.Instance, error) {
	for _, m := range []struct {
		name string
		m    *Matrix
	}{{"a", j.A}, {"b", j.B}} {
		switch {
		case m.m == nil || m.m.Rows == 0:
			return nil, Invalid("/instance/"+m.name, "the matrix is missing")
		case m.m.Rows != m.m.Cols:
			return nil, Invalid("/instance/"+m.name, "%d×%d numbers: want a square matrix", m.m.Rows, m.m.Cols)
		}
	}
	n1, n2 := j.A.Rows, j.B.Rows
	if err := limits.CheckInstance(n1, n2); err != nil {
		return nil, AsError(err, "/instance")
	}
	var linear []float64
	if j.Linear != nil {
		if j.Linear.Rows != n1 || j.Linear.Cols != n2 {
			return nil, Invalid("/instance/linear", "%d×%d numbers: want %d×%d", j.Linear.Rows, j.Linear.Cols, n1, n2)
		}
		linear = j.Linear.Data
	}
	return orInvalid("/instance")(qap.NewKoopmansBeckmann(n1, n2, j.A.Data, j.B.Data, linear, qap.Minimize))
}

// orInvalid returns what turns the error of a constructor into a problem of a field.
func orInvalid(pointer string) func(*qap.Instance, error) (*qap.Instance, error) {
	return func(in *qap.Instance, err error) (*qap.Instance, error) {
		if err != nil {
			return nil, Invalid(pointer, "%s", WithoutPackage(err))
		}
		return in, nil
	}
}

// WithoutPackage returns the text of an error without the package it comes from.
func WithoutPackage(err error) string {
	text := err.Error()
	if k := strings.Index(text, ": "); k > 0 && !strings.Contains(text[:k], " ") {
		return text[k+2:]
	}
	return text
}

// ShortName returns what a result calls an instance: at most 200 printable bytes.
func ShortName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return -1
		}
		return r
	}, name)
	if len(name) > 200 {
		name = strings.ToValidUTF8(name[:200], "")
	}
	if name == "" {
		return "instance"
	}
	return name
}
