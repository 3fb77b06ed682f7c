package flat

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"testing"
)

type inner struct {
	A int `key:"a"`
	B []string
}

type outer struct {
	inner // of a small name: its fields are exported all the same
	Sealed
	C     float64
	Own   any // interfaces are left out
	small int
}

// Sealed is an embedded struct of a file.
type Sealed struct{ D string }

// TestRoundTrip: what Join puts together Split takes apart, through a file as well, in which
// every field stands by its own name.
func TestRoundTrip(t *testing.T) {
	given, more := outer{inner{1, []string{"x"}}, Sealed{"y"}, 0.5, 7, 8}, struct{ E bool }{true}
	joined := Join(given, more)
	if f, ok := reflect.TypeOf(joined).FieldByName("A"); !ok || f.Tag.Get("key") != "a" || reflect.TypeOf(joined).NumField() != 5 {
		t.Errorf("joined %+v", joined)
	}
	var file bytes.Buffer
	if err := gob.NewEncoder(&file).Encode(Join(Field("All", joined))); err != nil {
		t.Fatal(err)
	}
	var known struct{ All struct{ A int } }
	if err := gob.NewDecoder(bytes.NewReader(file.Bytes())).Decode(&known); err != nil || known.All.A != 1 {
		t.Errorf("a struct that knows of one field reads %+v, error %v", known, err)
	}
	read := Zero(Field("All", joined))
	if err := gob.NewDecoder(&file).Decode(read); err != nil {
		t.Fatal(err)
	}
	got, gotMore := outer{Own: 7, small: 8}, struct{ E bool }{}
	Split(Get(read, "All"), &got, &gotMore)
	if !reflect.DeepEqual(got, given) || gotMore != more {
		t.Errorf("got %+v and %+v, want %+v and %+v", got, gotMore, given, more)
	}
}
