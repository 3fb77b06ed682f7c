package sealed

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

type state struct {
	Name    string
	Numbers []float64
}

// TestDamageIsFound: what was written is read again, and a file with any byte changed,
// cut short, or of another version, is not.
func TestDamageIsFound(t *testing.T) {
	format := Format{"a line\n", 3}
	path, want := filepath.Join(t.TempDir(), "file"), state{"x", []float64{1, 2, 3}}
	if err := format.Write(path, want); err != nil {
		t.Fatal(err)
	}
	data := must.Get(os.ReadFile(path))(t)
	var got state
	if err := format.Decode(data, &got); err != nil || !reflect.DeepEqual(got, want) || !format.Begins(data) {
		t.Fatalf("read %+v, error %v", got, err)
	}
	for k := range data {
		bad := append([]byte(nil), data...)
		bad[k] ^= 1
		if err := format.Decode(bad, &got); !errors.Is(err, ErrNotWhole) {
			t.Errorf("byte %d changed: error %v", k, err)
		}
		if err := format.Decode(data[:k], &got); !errors.Is(err, ErrNotWhole) {
			t.Errorf("cut to %d bytes: error %v", k, err)
		}
	}
	if err := (Format{"a line\n", 4}).Decode(data, &got); !errors.Is(err, ErrNotWhole) {
		t.Errorf("another version: error %v", err)
	}
}

// TestStored: what is not compressed is read as what is, and is larger where it could be.
func TestStored(t *testing.T) {
	format, want := Format{"a line\n", 3}, state{"x", make([]float64, 5000)}
	for k := range want.Numbers {
		want.Numbers[k] = float64(k % 3)
	}
	sizes := map[string]int{}
	for name, write := range map[string]func(string, any) error{"compressed": format.Write, "stored": format.WriteStored} {
		path := filepath.Join(t.TempDir(), "file")
		if err := write(path, want); err != nil {
			t.Fatal(err)
		}
		data := must.Get(os.ReadFile(path))(t)
		sizes[name] = len(data)
		var got state
		if err := format.Decode(data, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if sizes["stored"] < 2*sizes["compressed"] {
		t.Errorf("sizes %v", sizes)
	}
}

// Held is embedded by a pointer.
type Held struct{ Name string }

// TestEmbeddedPointer: a file that has the fields of what is embedded, but not the pointer,
// gives an error; gob itself panics.
func TestEmbeddedPointer(t *testing.T) {
	format := Format{"a line\n", 1}
	path := filepath.Join(t.TempDir(), "file")
	if err := format.Write(path, state{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	data := must.Get(os.ReadFile(path))(t)
	var got struct {
		*Held
		Numbers []float64
	}
	if err := format.Decode(data, &got); !errors.Is(err, ErrNotWhole) {
		t.Errorf("%+v, error %v", got, err)
	}
}
