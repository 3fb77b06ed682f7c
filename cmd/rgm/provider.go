package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/infer"
)

// The values of --provider; providerCUDA may be followed by the number of a GPU.
const (
	providerAuto = "auto"
	providerCPU  = "cpu"
	providerCUDA = "cuda"
	providerGo   = "go"
)

func providers() []string { return []string{providerAuto, providerCPU, providerCUDA, providerGo} }

// provider is who shall evaluate a network.
type provider struct {
	name   string // a value of --provider, without the number
	device int    // of providerCUDA
}

// parseProvider reads a value of --provider.
func parseProvider(text string) (provider, error) {
	name, number, numbered := strings.Cut(text, ":")
	if err := oneOf("provider", name, providers()...); err != nil || numbered && name != providerCUDA {
		return provider{}, fmt.Errorf("--provider %q: want auto, cpu, cuda, cuda:N or go", text)
	}
	if !numbered {
		return provider{name: name}, nil
	}
	device, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return provider{}, fmt.Errorf("--provider %q: want the number of a GPU after cuda:, as in cuda:0", text)
	}
	return provider{name, int(device)}, nil
}

// session returns o for a session of this provider.
func (p provider) session(o infer.SessionOptions) infer.SessionOptions {
	if p.name == providerCUDA {
		o.Provider, o.Device = infer.CUDA, p.device
	}
	return o
}

// evaluator is what results call the provider. Auto is ONNX Runtime on the CPU,
// where that can be had.
func (p provider) evaluator() string {
	switch p.name {
	case providerGo:
		return providerGo
	case providerCUDA:
		return fmt.Sprintf("onnxruntime-cuda:%d", p.device)
	}
	return "onnxruntime-cpu"
}
