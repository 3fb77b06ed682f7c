package portfolio

import (
	"context"
	"fmt"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/qap/features"
)

// selector returns a network that chooses among searches.
func (p *Portfolio) selector(name string) (*counted, error) {
	n, err := p.network(name)
	if err == nil && n.features != features.Selector {
		err = fmt.Errorf("model %s does not choose among searches", name)
	}
	if err != nil {
		return nil, modelError("Chooser", err)
	}
	return &counted{network: n, portfolio: p}, nil
}

// choose sets the chooser of a search that has turns to give. A network is evaluated in
// Go, with the same answers on any machine, unless ONNX Runtime is demanded.
func (s *solve) choose(ctx context.Context) (err error) {
	if s.method.Name != MethodAuto {
		return nil
	}
	if name := s.o.chooserModel(); name == "" {
		if chooser := auto.Named(s.o.Chooser); chooser != nil {
			s.o.chooser = func() (auto.Chooser, error) { return chooser(), nil }
		}
		return nil
	} else if s.selector, err = s.portfolio.selector(name); err != nil {
		return err
	}
	if p := s.portfolio.config.Provider; p == ProviderAuto || p == ProviderGo {
		err = s.selector.openSelector()
	} else {
		err = s.selector.open(ctx)
	}
	s.o.chooser = func() (auto.Chooser, error) { return auto.Learned(s.selector) }
	return err
}

// openSelector has auto.Network evaluate the network unless it is open.
func (n *network) openSelector() error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.q != nil {
		return nil
	}
	m, _, err := modelfile.Read(n.data)
	if err != nil {
		return err
	}
	weights := map[string][]float32{}
	for _, t := range m.Graph.Initializers {
		if values, err := t.Float32s(); err == nil {
			weights[t.Name] = values
		}
	}
	network, err := auto.NewNetwork(weights)
	if err != nil {
		return modelError("Chooser", fmt.Errorf("model %s: %w", n.name, err))
	}
	n.q, n.provider = network, string(ProviderGo)
	return nil
}
