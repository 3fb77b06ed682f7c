package main

import (
	"fmt"
	"math"
)

// sureFrom is the confidence from which a match is called sure.
const sureFrom = 0.99

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
		of, _ := bins(by[name])
		for k, b := range of {
			if b.count > 0 {
				fmt.Printf("|%.1f–%.1f|%.0f|%.1f|%.1f|\n", float64(k)/10, float64(k+1)/10, b.count, 100*b.told/b.count, 100*b.right/b.count)
			}
		}
	}
}

func line(name string, of []row) {
	var right, told, high, highRight, sure, sureRight float64
	for _, r := range of {
		told += r.told
		right += one(r.right)
		if r.told >= 0.9 {
			high++
			highRight += one(r.right)
		}
		if r.told >= sureFrom {
			sure++
			sureRight += one(r.right)
		}
	}
	n := float64(len(of))
	_, e := bins(of)
	fmt.Printf("|%s|%.0f|%.1f|%.1f|%.1f|%.0f, %.1f|%.0f, %.2f|\n", name, n, 100*told/n, 100*right/n, 100*e, 100*high/n, 100*highRight/max(high, 1), 100*sure/n, 100*sureRight/max(sure, 1))
}

type bin struct{ count, told, right float64 }

// bins returns matches by tenths of what is told, and the expected calibration error: the mean difference of what is told and
// the share that is right.
func bins(rows []row) (all [10]bin, e float64) {
	for _, r := range rows {
		b := &all[min(9, int(10*r.told))]
		b.count, b.told, b.right = b.count+1, b.told+r.told, b.right+one(r.right)
	}
	for _, b := range all {
		e += math.Abs(b.told-b.right) / float64(len(rows))
	}
	return all, e
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
