package models_test

import (
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/models/pretrained"
)

func TestEveryModelHasItsCard(t *testing.T) {
	t.Chdir("pretrained")
	for _, name := range append(pretrained.Names(), pretrained.Align) {
		modeltest.Card(t, name, must.Get(pretrained.Model(name))(t))
	}
}

func TestUnknownModelNamesTheKnown(t *testing.T) {
	if _, err := pretrained.Model("nosuch"); err == nil || !strings.Contains(err.Error(), pretrained.Names()[0]) {
		t.Errorf("error %v, want one that names the models there are", err)
	}
}
