package main

import (
	"fmt"
	"math"
)

// sureFrom is the confidence from which a match is called sure.
const sureFrom = 0.99

// table prints by kind what was told and what was right, and of all what was told by tenths.
func table(rows []row) {
	var kinds []string
	by := map[string][]row{}
	for _, r := range rows {
		if by[r.Kind] == nil {
			kinds = append(kinds, r.Kind)
		}
		by[r.Kind] = append(by[r.Kind], r)
	}
	fmt.Println("|kind|matches|right, %|told, %|calibration error|told ≥ .9: share, right, %|sure: share, right, %|")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|")
	for _, name := range append(kinds, "all") {
		of := by[name]
		if name == "all" {
			of = rows
		}
		var right, told, high, highRight, sure, sureRight float64
		for _, r := range of {
			told += r.Told
			right += one(r.Right)
			if r.Told >= 0.9 {
				high++
				highRight += one(r.Right)
			}
			if r.Told >= sureFrom {
				sure++
				sureRight += one(r.Right)
			}
		}
		n := float64(len(of))
		_, e := bins(of)
		fmt.Printf("|%s|%.0f|%.1f|%.1f|%.1f|%.0f, %.1f|%.0f, %.2f|\n", name, n, 100*right/n, 100*told/n, 100*e, 100*high/n, 100*highRight/high, 100*sure/n, 100*sureRight/sure)
	}
	fmt.Println("\n|told|matches|told, %|right, %|")
	fmt.Println("|---|--:|--:|--:|")
	of, _ := bins(rows)
	for k, b := range of {
		fmt.Printf("|%.1f–%.1f|%.0f|%.1f|%.1f|\n", float64(k)/10, float64(k+1)/10, b.count, 100*b.told/b.count, 100*b.right/b.count)
	}
}

type bin struct{ count, told, right float64 }

// bins returns matches by tenths of what is told, and the expected calibration error: the mean difference of what is told and
// the share that is right.
func bins(rows []row) (all [10]bin, e float64) {
	for _, r := range rows {
		b := &all[min(9, int(10*r.Told))]
		b.count, b.told, b.right = b.count+1, b.told+r.Told, b.right+one(r.Right)
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
