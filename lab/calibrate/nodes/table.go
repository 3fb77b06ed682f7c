package main

import (
	"fmt"

	"github.com/rgm-go/rgm/lab/calibrate/reliability"
	"github.com/rgm-go/rgm/qap/confidence"
)

// table prints by kind, and of all, what was told and what was right.
func table(rows []row) {
	var kinds []string
	by := map[string][]row{}
	for _, r := range rows {
		if by[r.kind] == nil {
			kinds = append(kinds, r.kind)
		}
		by[r.kind] = append(by[r.kind], r)
		all := map[bool]string{true: "all points", false: "all records"}[r.places]
		by[all] = append(by[all], r)
	}
	fmt.Println("|kind|matches|told, %|right, %|calibration error|told ≥ .9: share, right, %|told ≥ .99: share, right, %|")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|")
	for _, name := range append(kinds, "all points", "all records") {
		if of := by[name]; len(of) > 0 {
			line(name, of)
		}
	}
	for _, name := range []string{"all points", "all records"} {
		if len(by[name]) == 0 {
			continue
		}
		fmt.Printf("\n|%s told|matches|told, %%|right, %%|\n|---|--:|--:|--:|\n", name)
		bins(by[name]).Print()
	}
}

func line(name string, of []row) {
	var right, told, high, highRight, sure, sureRight float64
	for _, r := range of {
		told += r.told
		right += reliability.One(r.right)
		if r.told >= 0.9 {
			high++
			highRight += reliability.One(r.right)
		}
		if r.told >= confidence.Sure {
			sure++
			sureRight += reliability.One(r.right)
		}
	}
	n := float64(len(of))
	e := bins(of).Error()
	fmt.Printf("|%s|%.0f|%.1f|%.1f|%.1f|%.0f, %.1f|%.0f, %.2f|\n", name, n, 100*told/n, 100*right/n, 100*e, 100*high/n, 100*highRight/max(high, 1), 100*sure/n, 100*sureRight/max(sure, 1))
}

// bins returns matches by tenths of what is told.
func bins(rows []row) *reliability.Bins {
	var b reliability.Bins
	for _, r := range rows {
		b.Add(reliability.Match{Told: r.told, Right: r.right})
	}
	return &b
}
