package networks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/infer"
)

// The values of --provider; ProviderCUDA may be followed by the number of a GPU.
const (
	ProviderAuto = "auto"
	ProviderCPU  = "cpu"
	ProviderCUDA = "cuda"
	ProviderGo   = "go"
)

// Providers returns the values of --provider.
func Providers() []string { return []string{ProviderAuto, ProviderCPU, ProviderCUDA, ProviderGo} }

// Provider is who shall evaluate a network.
type Provider struct {
	Name   string // a value of --provider, without the number
	device int    // of ProviderCUDA
}

// ParseProvider reads a value of --provider.
func ParseProvider(text string) (Provider, error) {
	name, number, numbered := strings.Cut(text, ":")
	if err := settings.OneOf("provider", name, Providers()...); err != nil || numbered && name != ProviderCUDA {
		return Provider{}, fmt.Errorf("--provider %q: want auto, cpu, cuda, cuda:N or go", text)
	}
	if !numbered {
		return Provider{Name: name}, nil
	}
	device, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return Provider{}, fmt.Errorf("--provider %q: want the number of a GPU after cuda:, as in cuda:0", text)
	}
	return Provider{name, int(device)}, nil
}

// Session returns o for a session of this provider.
func (p Provider) Session(o infer.SessionOptions) infer.SessionOptions {
	if p.Name == ProviderCUDA {
		o.Provider, o.Device = infer.CUDA, p.device
	}
	return o
}
