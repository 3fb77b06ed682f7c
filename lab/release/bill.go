package main

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/internal/version"
)

// component is one of CycloneDX 1.5: https://cyclonedx.org/docs/1.5/json/.
type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// bill writes the SBOM of the programs: what the linker says is in any of them.
func (b *build) bill(folder string) error {
	modules := map[string]component{}
	for _, t := range targets() {
		info, err := buildinfo.ReadFile(t.program(folder))
		if err != nil {
			return err
		}
		add := func(path, number, sum string) {
			purl := "pkg:golang/" + path + "@" + number
			c := component{Type: "library", Ref: purl, Name: path, Version: number, PURL: purl}
			if sum != "" {
				c.Properties = []property{{"go:sum", sum}}
			}
			modules[purl] = c
		}
		add("std", strings.TrimPrefix(info.GoVersion, "go"), "")
		for _, d := range info.Deps {
			if d.Path == "github.com/rgm-go/rgm" { // of rgm-cluster
				continue
			}
			if d.Replace != nil {
				d = d.Replace
			}
			add(d.Path, d.Version, d.Sum)
		}
	}
	text, err := billText(modules, b.time)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, "rgm_"+version.Number+"_sbom.cdx.json"), text, 0o644)
}

// billText returns the SBOM of rgm and what it is linked with.
func billText(modules map[string]component, date time.Time) ([]byte, error) {
	root := component{
		Type: "application", Ref: "pkg:golang/github.com/rgm-go/rgm@v" + version.Number, Name: "github.com/rgm-go/rgm",
		Version: "v" + version.Number, PURL: "pkg:golang/github.com/rgm-go/rgm@v" + version.Number,
	}
	all, refs := []component{}, []string{}
	for _, c := range modules {
		all, refs = append(all, c), append(refs, c.Ref)
	}
	slices.SortFunc(all, func(x, y component) int { return cmp.Compare(x.Ref, y.Ref) })
	slices.Sort(refs)
	digest := sha256.Sum256([]byte(root.Ref + strings.Join(refs, "\n")))
	digest[6], digest[8] = digest[6]&0x0f|0x80, digest[8]&0x3f|0x80 // a UUID of one's own making, RFC 9562, version 8
	serial := fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", digest[:4], digest[4:6], digest[6:8], digest[8:10], digest[10:16])
	type depends struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn"`
	}
	return json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": serial, "version": 1,
		"metadata":   map[string]any{"timestamp": date.UTC().Format(time.RFC3339), "component": root},
		"components": all, "dependencies": []depends{{root.Ref, refs}},
	}, "", " ")
}
