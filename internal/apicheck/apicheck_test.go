package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rgm-go/rgm/internal/must"
)

// features returns what a package of this source exports.
func features(t *testing.T, source string) set {
	t.Helper()
	files := token.NewFileSet()
	file := must.Get(parser.ParseFile(files, "shape.go", "package shape\n"+source, 0))(t)
	pkg := must.Get(new(types.Config).Check("example.com/m/shape", files, []*ast.File{file}, nil))(t)
	all := set{}
	l := lister{module: "example.com/m", pkg: pkg, features: all}
	l.list()
	return all
}

func TestFeatures(t *testing.T) {
	got := features(t, `
		const Sides, hidden = 4, 5
		var Default *Square
		type Reader interface { Read(into []byte) (int, error) }
		type Kind string
		const Round Kind = "round"
		type Alias = Kind
		type Square struct { Side float64; Of func(n int) (m int); Reader; secret []int }
		type Point struct { X, Y int }
		type Shape interface { Area(scale float64) float64; Name() string }
		type Sealed interface { Area() float64; sealed() }
		type Number interface { ~int | ~float64 }
		type List[T Number] []T
		func (s *Square) Grow(by float64) error { return nil }
		func (s Square) Area() float64 { return 0 }
		func (s Square) private() {}
		func (l List[T]) Sum() (total T) { return }
		func Map[T, U any](list []T, f func(x T) U) []U { return nil }
		func Draw(out Reader, all ...Shape) (n int, err error) { return }
	`)
	want := `
pkg shape, const Round Kind = "round"
pkg shape, const Sides untyped int = 4
pkg shape, func Draw(Reader, ...Shape) (int, error)
pkg shape, func Map[T any, U any]([]T, func(T) U) []U
pkg shape, method (*Square) Grow(float64) error
pkg shape, method (List) Sum() T
pkg shape, method (Square) Area() float64
pkg shape, method (Square) Read([]byte) (int, error)
pkg shape, type Alias = Kind
pkg shape, type Kind string
pkg shape, type List[T Number] []T
pkg shape, type Number interface{~int | ~float64}
pkg shape, type Point struct
pkg shape, type Point struct, X int
pkg shape, type Point struct, Y int
pkg shape, type Point struct, comparable
pkg shape, type Reader interface { Read([]byte) (int, error) }
pkg shape, type Sealed interface, Area() float64
pkg shape, type Sealed interface, unexported methods
pkg shape, type Shape interface { Area(float64) float64; Name() string }
pkg shape, type Square struct
pkg shape, type Square struct, Of func(int) int
pkg shape, type Square struct, Side float64
pkg shape, type Square struct, embedded Reader
pkg shape, var Default *Square`
	if have := strings.Join(slices.Sorted(maps.Keys(got)), "\n"); have != want[1:] {
		t.Errorf("features:\n%s\nwant:%s", have, want)
	}
}

// TestCompare: what is gone or changed fails, with what is there instead; what is new, a
// parameter of another name and a method that values have too do not.
func TestCompare(t *testing.T) {
	released := features(t, `
		const Sides = 4
		type Square struct { Side float64 }
		type Shape interface { Area() float64 }
		func (s *Square) Grow(by float64) {}
		func (s *Square) Shrink(by float64) {}
		func (s Square) Area() float64 { return 0 }
		func Draw(n int) error { return nil }
		func Erase() {}
		func Same(x int) {}
	`)
	now := features(t, `
		const Sides = 5
		type Square struct { Side float32; New int }
		type Shape interface { Area() float64; Name() string }
		func (s Square) Grow(by float64) {}
		func (s *Square) Shrink(by int) {}
		func (s *Square) Area() float64 { return 0 }
		func Draw(n int, more bool) error { return nil }
		func Same(y int) {}
		func Fresh() {}
	`)
	want := []string{
		"- pkg shape, const Sides untyped int = 4\n  now pkg shape, const Sides untyped int = 5",
		"- pkg shape, func Draw(int) error\n  now pkg shape, func Draw(int, bool) error",
		"- pkg shape, method (*Square) Shrink(float64)\n  now pkg shape, method (*Square) Shrink(int)",
		"- pkg shape, method (Square) Area() float64\n  now pkg shape, method (*Square) Area() float64",
		"- pkg shape, type Shape interface { Area() float64 }\n  now pkg shape, type Shape interface { Area() float64; Name() string }",
		"- pkg shape, type Square struct, Side float64\n  now pkg shape, type Square struct, Side float32",
		"- api/except.txt has a line that is no change: pkg shape, func Same(int)",
	}
	except := set{"pkg shape, func Erase()": true, "pkg shape, func Same(int)": true}
	if got := compare(released, except, now); !slices.Equal(got, want) {
		t.Errorf("changes:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := compare(released, set{}, released); len(got) > 0 {
		t.Errorf("changes of nothing: %v", got)
	}
}

func TestReadFeatures(t *testing.T) {
	folder := fstest.MapFS{
		"v1.txt":     {Data: []byte("# a comment\n\npkg a, func F()\n")},
		"v2.txt":     {Data: []byte("pkg a, func G()\n")},
		"except.txt": {Data: []byte("func F\n")},
	}
	all, err := readReleases(folder)
	if want := (set{"pkg a, func F()": true, "pkg a, func G()": true}); err != nil || !maps.Equal(all, want) {
		t.Errorf("%v, %v; want %v", all, err, want)
	}
	if _, err := readFeatures(folder, exceptFile); err == nil || !strings.Contains(err.Error(), "is no feature") {
		t.Errorf("error %v for a line that is none", err)
	}
}
