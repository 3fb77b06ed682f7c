package pretrained

import (
	"os"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
)

// TestEveryModelHasItsCard: a card names the digest of the weights it describes.
func TestEveryModelHasItsCard(t *testing.T) {
	for _, name := range append(Names(), Align) {
		data := must.Get(Model(name))(t)
		m := must.Get(onnx.Check(data))(t)
		card := must.Get(os.ReadFile(name + ".md"))(t)
		if digest := m.Metadata[onnx.WeightsKey]; !strings.Contains(string(card), digest) {
			t.Errorf("%s.md does not name the weights' digest %s", name, digest)
		}
	}
}

func TestUnknownModelNamesTheKnown(t *testing.T) {
	if _, err := Model("nosuch"); err == nil || !strings.Contains(err.Error(), Names()[0]) {
		t.Errorf("error %v, want one that names the models there are", err)
	}
}
