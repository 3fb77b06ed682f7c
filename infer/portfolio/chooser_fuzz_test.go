package portfolio

import (
	"errors"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/alloctest"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap/auto"
)

// FuzzChooser: whatever a model file holds whose digest is right, it is refused as a chooser by
// an error of the option, or it chooses a component, the same one again. Reading it allocates
// little more than the file is long.
func FuzzChooser(f *testing.F) {
	for _, name := range []string{ModelSelector, ModelAffinity} {
		data, err := pretrained.Model(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := onnx.Unmarshal(data)
		if err != nil {
			return
		}
		m.Metadata[onnx.WeightsKey] = onnx.WeightsDigest(m)
		data = onnx.Marshal(m)
		p, err := Open(Config{Model: func(string) ([]byte, error) { return data, nil }})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		var selector *counted
		alloctest.AtMost(t, uint64(16<<20+200*len(data)), func() {
			if selector, err = p.selector("mine"); err == nil {
				err = selector.openSelector()
			}
		})
		if err != nil {
			if wrong := new(infer.OptionError); !errors.As(err, &wrong) || wrong.Option != "Chooser" {
				t.Errorf("the error is none of the option: %v", err)
			}
			return
		}
		first, again := chosen(t, selector), chosen(t, selector)
		if first != again {
			t.Errorf("%v, then %v", first, again)
		}
	})
}

// chosen returns what a chooser with a network gives the second turn to.
func chosen(t *testing.T, selector *counted) auto.Component {
	chooser, err := auto.Learned(selector)
	if err != nil {
		t.Fatal(err)
	}
	defer chooser.Close()
	s := auto.State{
		Features: auto.Features{N: 30, Density: [2]float64{.5, 1}, RandomCost: 1100, Above: 20}, Budget: 100_000, Opening: auto.LongPopulation,
		Turns: 1, Last: auto.LongPopulation, Steps: 3000, Found: auto.LongPopulation, BestStep: 2000, BestCost: 1000,
	}
	s.Parts[auto.LongPopulation] = auto.Progress{Turns: 1, Steps: 3000, BestStep: 2000, Cost: 1000}
	component := chooser.Next(&s)
	if err := chooser.Err(); err != nil {
		t.Fatal(err)
	}
	if component < 0 || component >= auto.Components {
		t.Fatalf("component %d of %d", component, auto.Components)
	}
	return component
}
