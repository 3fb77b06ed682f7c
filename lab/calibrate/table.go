package main

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap/confidence"
)

// table prints by kind what was told and what was right, and of all what was told by tenths.
func table(rows []row) {
	leaveOut(rows)
	var kinds []string
	by := map[string][]row{}
	for _, r := range rows {
		if by[r.Kind] == nil {
			kinds = append(kinds, r.Kind)
		}
		by[r.Kind] = append(by[r.Kind], r)
	}
	fmt.Println("|kind|matches|told, %|right, %|calibration error|told ≥ .9: share, right, %|sure: share, right, %|left out: share, right, %|no partner, %|")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	var errors float64
	for _, name := range append(kinds, "all") {
		of := by[name]
		if name == "all" {
			of = rows
		}
		var rights, told, high, highRight, sure, sureRight, out, outAlone, outRight, alones float64
		for _, r := range of {
			yes := one(r.Is == right)
			told, rights, alones = told+r.Told.Right, rights+yes, alones+one(r.Is == alone)
			if r.Told.Right >= 0.9 {
				high, highRight = high+1, highRight+yes
			}
			if r.Told.Sure() {
				sure, sureRight = sure+1, sureRight+yes
			}
			if r.Out {
				out, outAlone, outRight = out+1, outAlone+one(r.Is == alone), outRight+yes
			}
		}
		n := float64(len(of))
		_, e := bins(of)
		if name != "all" {
			errors += e / float64(len(kinds))
		}
		fmt.Printf("|%s|%.0f|%.1f|%.1f|%.1f|%.0f, %.1f|%.0f, %.2f|%.1f, %.0f (%.0f right)|%.1f|\n", name, n, 100*told/n, 100*rights/n, 100*e,
			100*high/n, 100*highRight/high, 100*sure/n, 100*sureRight/sure, 100*out/n, 100*outAlone/out, 100*outRight/out, 100*alones/n)
	}
	fmt.Printf("\nmean calibration error of a kind: %.2f\n\n", 100*errors)
	fmt.Println("|told|matches|told, %|right, %|")
	fmt.Println("|---|--:|--:|--:|")
	of, _ := bins(rows)
	for k, b := range of {
		fmt.Printf("|%.1f–%.1f|%.0f|%.1f|%.1f|\n", float64(k)/10, float64(k+1)/10, b.count, 100*b.told/b.count, 100*b.right/b.count)
	}
}

// tableOfCores prints by kind how many matches are right, and which part of the pairs that match are found, before and after
// matches are left out.
func tableOfCores(rows []row) {
	leaveOut(rows)
	fmt.Println("|kind|matches|true pairs|precision, %|after|recall, %|after|right left out|")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|")
	var kinds []string
	type sum struct{ count, partners, right, kept, keptRight float64 }
	by, seen := map[string]*sum{}, map[string]bool{}
	for _, r := range rows {
		s := by[r.Kind]
		if s == nil {
			s = &sum{}
			by[r.Kind], kinds = s, append(kinds, r.Kind)
		}
		if pair := fmt.Sprint(r.Kind, r.Pair); !seen[pair] {
			seen[pair] = true
			s.partners += float64(r.True)
		}
		s.count, s.right = s.count+1, s.right+one(r.Is == right)
		if !r.Out {
			s.kept, s.keptRight = s.kept+1, s.keptRight+one(r.Is == right)
		}
	}
	for _, name := range kinds {
		s := by[name]
		fmt.Printf("|%s|%.0f|%.0f|%.1f|%.1f|%.1f|%.1f|%.0f|\n", name, s.count, s.partners, 100*s.right/s.count, 100*s.keptRight/s.kept,
			100*s.right/s.partners, 100*s.keptRight/s.partners, s.right-s.keptRight)
	}
}

// leaveOut fills in which matches are left out, pair by pair.
func leaveOut(rows []row) {
	for from := 0; from < len(rows); {
		to := from
		var told []confidence.Told
		for ; to < len(rows) && rows[to].Kind == rows[from].Kind && rows[to].Pair == rows[from].Pair; to++ {
			told = append(told, rows[to].Told)
		}
		for k, out := range confidence.LeftOut(told) {
			rows[from+k].Out = out
		}
		from = to
	}
}

type bin struct{ count, told, right float64 }

// bins returns matches by tenths of what is told, and the expected calibration error: the mean difference of what is told and
// the share that is right.
func bins(rows []row) (all [10]bin, e float64) {
	for _, r := range rows {
		b := &all[min(9, int(10*r.Told.Right))]
		b.count, b.told, b.right = b.count+1, b.told+r.Told.Right, b.right+one(r.Is == right)
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
