package request

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
)

// TestTypeScriptHasEveryField: web/npm/index.d.ts types what this package reads and returns.
func TestTypeScriptHasEveryField(t *testing.T) {
	text := must.Get(os.ReadFile("../../web/npm/index.d.ts"))(t)
	for _, of := range []any{rgm.Options{}, Instance{}, Graph{}, rgm.Incumbent{}, rgm.Result{}} {
		for name := range jsonNames(reflect.TypeOf(of)) {
			if !regexp.MustCompile(`\b` + name + `\??:`).Match(text) {
				t.Errorf("%T: web/npm/index.d.ts has no %s", of, name)
			}
		}
	}
}

// jsonNames returns the names of the fields of a struct and of those that are embedded in it.
func jsonNames(of reflect.Type) map[string]bool {
	names := map[string]bool{}
	for k := range of.NumField() {
		f := of.Field(k)
		if f.Anonymous {
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			for name := range jsonNames(embedded) {
				names[name] = true
			}
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names[name] = true
		}
	}
	return names
}
