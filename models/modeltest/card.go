package modeltest

import (
	"os"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
)

// Card holds that in the test's folder the card NAME.md of a model names the digest of the weights that it
// describes.
func Card(t *testing.T, name string, data []byte) {
	t.Helper()
	m := must.Get(onnx.Check(data))(t)
	card := must.Get(os.ReadFile(name + ".md"))(t)
	if digest := m.Metadata[onnx.WeightsKey]; !strings.Contains(string(card), digest) {
		t.Errorf("%s.md does not name the weights' digest %s", name, digest)
	}
}
