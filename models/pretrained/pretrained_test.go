package pretrained

import (
	"os"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/onnx"
)

// TestEveryModelHasItsCard: a card names the digest of the weights it describes.
func TestEveryModelHasItsCard(t *testing.T) {
	for _, name := range append(Names(), Align) {
		data, err := Model(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := onnx.Check(data)
		if err != nil {
			t.Fatal(err)
		}
		card, err := os.ReadFile(name + ".md")
		if err != nil {
			t.Fatal(err)
		}
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
