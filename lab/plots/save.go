package plots

import (
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// save draws plots into a file of the format that its name asks for.
func save(path string, width, height vg.Length, plots ...[]*plot.Plot) error {
	return atomicfile.Write(path, func(out io.Writer) error {
		return pictures.WritePlots(out, settings.FileFormat(path), width, height, plots...)
	})
}
