package networks

import (
	"testing"

	"github.com/rgm-go/rgm/infer"
)

func TestParseProvider(t *testing.T) {
	for text, want := range map[string]Provider{
		"auto":    Provider{ProviderAuto, 0},
		"cpu":     Provider{ProviderCPU, 0},
		"cuda":    Provider{ProviderCUDA, 0},
		"cuda:1":  Provider{ProviderCUDA, 1},
		"cuda:15": Provider{ProviderCUDA, 15},
		"go":      Provider{ProviderGo, 0},
	} {
		got, err := ParseProvider(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "CUDA", "tpu", "cpu:0", "go:1", "cuda:", "cuda:x", "cuda:-1", "cuda:1.5", "cuda:99999", "cuda:0:1"} {
		if got, err := ParseProvider(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

func TestSessionOfAProvider(t *testing.T) {
	if o := (Provider{ProviderCUDA, 3}).Session(infer.SessionOptions{}); o.Provider != infer.CUDA || o.Device != 3 {
		t.Errorf("%+v", o)
	}
	for _, name := range []string{ProviderAuto, ProviderCPU} {
		if o := (Provider{name, 0}).Session(infer.SessionOptions{}); o.Provider != infer.CPU {
			t.Errorf("%s: %+v", name, o)
		}
	}
}
