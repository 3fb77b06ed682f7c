package main

import (
	"testing"

	"github.com/rgm-go/rgm/infer"
)

func TestParseProvider(t *testing.T) {
	for text, want := range map[string]struct {
		provider  provider
		evaluator string
	}{
		"auto":    {provider{providerAuto, 0}, "onnxruntime-cpu"},
		"cpu":     {provider{providerCPU, 0}, "onnxruntime-cpu"},
		"cuda":    {provider{providerCUDA, 0}, "onnxruntime-cuda:0"},
		"cuda:1":  {provider{providerCUDA, 1}, "onnxruntime-cuda:1"},
		"cuda:15": {provider{providerCUDA, 15}, "onnxruntime-cuda:15"},
		"go":      {provider{providerGo, 0}, "go"},
	} {
		got, err := parseProvider(text)
		if err != nil || got != want.provider || got.evaluator() != want.evaluator {
			t.Errorf("%s: %+v, %s, %v; want %+v", text, got, got.evaluator(), err, want)
		}
	}
	for _, text := range []string{"", "CUDA", "tpu", "cpu:0", "go:1", "cuda:", "cuda:x", "cuda:-1", "cuda:1.5", "cuda:99999", "cuda:0:1"} {
		if got, err := parseProvider(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

func TestSessionOfAProvider(t *testing.T) {
	if o := (provider{providerCUDA, 3}).session(infer.SessionOptions{}); o.Provider != infer.CUDA || o.Device != 3 {
		t.Errorf("%+v", o)
	}
	for _, name := range []string{providerAuto, providerCPU} {
		if o := (provider{name, 0}).session(infer.SessionOptions{}); o.Provider != infer.CPU {
			t.Errorf("%s: %+v", name, o)
		}
	}
}
