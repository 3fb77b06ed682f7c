package export_test

import (
	"testing"

	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/export/exporttest"
	"github.com/rgm-go/rgm/models"
)

// TestNetworks: what every exported network must do.
func TestNetworks(t *testing.T) {
	both, lawler := []export.Form{export.Lawler, export.KoopmansBeckmann}, []export.Form{export.Lawler}
	exporttest.Test(t, []exporttest.Case{
		{Config: models.Config{Architecture: models.ArchitectureGain}, Forms: both},
		{Config: models.Config{Architecture: models.ArchitectureGain, Hidden: 5, Head: 3}, Forms: both},
		{Config: models.Config{Architecture: models.ArchitectureGain, SingleStream: true}, Forms: both},
		{Config: models.Config{Architecture: models.ArchitectureAffinity}, Forms: lawler},
		{Config: models.Config{Architecture: models.ArchitectureAffinity, Hidden: 6, Head: 3}, Forms: lawler},
	})
}

// architectures are all, as files hold them.
var architectures = []models.Config{
	{Architecture: models.ArchitectureGain}, {Architecture: models.ArchitectureGain, SingleStream: true}, {Architecture: models.ArchitectureAffinity},
}

func TestLoad(t *testing.T) { exporttest.TestLoad(t, architectures) }

func FuzzLoad(f *testing.F) { exporttest.FuzzLoad(f, architectures) }
