package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
)

// wrongValues are values that the table does not allow a field: below its minimum, above its maximum, or not of its enum.
func wrongValues(f *table.Field) (values []any) {
	for _, bound := range []struct {
		text string
		step float64
	}{{f.Minimum, -1}, {f.Maximum, 1}} {
		if v, err := strconv.ParseFloat(bound.text, 64); err == nil {
			values = append(values, v+bound.step)
		}
	}
	if f.Enum != nil {
		values = append(values, "nonsense")
	}
	return values
}

// TestDoorsRefuseAlike: what the table does not allow of an option is refused by every door in the same words.
func TestDoorsRefuseAlike(t *testing.T) {
	d := openDoors(t)
	refusals := 0
	for _, f := range rgm.OptionTable() {
		if slices.Equal(f.For, []string{"match"}) || f.Flag == "-" {
			continue // of two graphs, or without a flag of that name
		}
		for _, value := range wrongValues(&f) {
			t.Run(fmt.Sprintf("%s=%v", f.Name, value), func(t *testing.T) {
				refusals++
				var o rgm.Options
				field := reflect.ValueOf(&o).Elem().Field(f.Index)
				if err := json.Unmarshal(must.Get(json.Marshal(value))(t), field.Addr().Interface()); err != nil {
					t.Fatal(err)
				}
				wrong := f.Check(field)
				if wrong == nil {
					t.Fatal("the table allows it")
				}
				for door, said := range d.refusals(t, &f, value, o) {
					if !strings.Contains(said, wrong.Error()) {
						t.Errorf("%s: %q, want %q", door, said, wrong)
					}
				}
			})
		}
	}
	if refusals < 10 {
		t.Errorf("the table has %d bounds", refusals)
	}
}

// refusals returns what each door says of an option.
func (d *doors) refusals(t *testing.T, f *table.Field, value any, o rgm.Options) map[string]string {
	t.Helper()
	in := must.Get(qaplib.Open("nug12"))(t)
	options := must.Get(json.Marshal(map[string]any{f.Name: value}))(t)
	said := map[string]string{}
	flag := fmt.Sprintf("--%s=%v", strings.ReplaceAll(f.Name, "_", "-"), value)
	text, err := exec.Command("rgm", "solve", "nug12", flag).CombinedOutput() // of the test binary: see TestMain
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("the command line ends with %v, want exit status 2", err)
	}
	said["command line"] = string(text)

	body := `{"instance":{"kind":"qaplib","name":"nug12"},"options":` + string(options) + `}`
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/v1/solve", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	var problem struct {
		Detail string `json:"detail"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil {
		t.Fatal(err)
	}
	said["HTTP"] = problem.Detail

	k := in.Affinity.(*qap.KoopmansBeckmann)
	flows, distances, _ := k.Given()
	n1, n2 := in.Size()
	asked := must.Get(d.library.Assignment(int64(n1), int64(n2), flows, distances, nil, 1))(t)
	_, err = d.library.Solve(asked, options, func(*rgm.Incumbent) bool { return true })
	said["C"] = fmt.Sprint(err)

	_, err = d.solver.Solve(t.Context(), in, o)
	said["Go"] = fmt.Sprint(err)
	return said
}
