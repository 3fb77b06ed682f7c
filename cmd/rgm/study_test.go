package main

import (
	"testing"

	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// TestStudiesAreUsable: every variant of every study changes the preset into a
// configuration that can be trained, and no two are alike or share a folder.
func TestStudiesAreUsable(t *testing.T) {
	preset, err := train.Preset("qap")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range studies() {
		names := map[string]string{}
		for _, v := range s.variants {
			config, err := changedConfig(preset, v.changes)
			if err == nil {
				err = config.Validate()
			}
			if err == nil {
				_, err = sources.Open(config)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", s.name, v.name, err)
			}
			if twin, taken := names[folderName(v.name)]; taken {
				t.Errorf("%s: %s and %s share a folder", s.name, v.name, twin)
			}
			names[folderName(v.name)] = v.name
		}
	}
}
