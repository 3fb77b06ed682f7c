package main

import (
	"fmt"

	"github.com/rgm-go/rgm/lab/calibrate/reliability"
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
			yes := reliability.One(r.Is == right)
			told, rights, alones = told+r.Told.Right, rights+yes, alones+reliability.One(r.Is == alone)
			if r.Told.Right >= 0.9 {
				high, highRight = high+1, highRight+yes
			}
			if r.Told.Sure() {
				sure, sureRight = sure+1, sureRight+yes
			}
			if r.Out {
				out, outAlone, outRight = out+1, outAlone+reliability.One(r.Is == alone), outRight+yes
			}
		}
		n := float64(len(of))
		e := bins(of).Error()
		if name != "all" {
			errors += e / float64(len(kinds))
		}
		fmt.Printf("|%s|%.0f|%.1f|%.1f|%.1f|%.0f, %.1f|%.0f, %.2f|%.1f, %.0f (%.0f right)|%.1f|\n", name, n, 100*told/n, 100*rights/n, 100*e,
			100*high/n, 100*highRight/high, 100*sure/n, 100*sureRight/sure, 100*out/n, 100*outAlone/out, 100*outRight/out, 100*alones/n)
	}
	fmt.Printf("\nmean calibration error of a kind: %.2f\n\n", 100*errors)
	fmt.Println("|told|matches|told, %|right, %|")
	fmt.Println("|---|--:|--:|--:|")
	bins(rows).Print()
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
		s.count, s.right = s.count+1, s.right+reliability.One(r.Is == right)
		if !r.Out {
			s.kept, s.keptRight = s.kept+1, s.keptRight+reliability.One(r.Is == right)
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

// bins returns matches by tenths of what is told.
func bins(rows []row) *reliability.Bins {
	var b reliability.Bins
	for _, r := range rows {
		b.Add(reliability.Match{Told: r.Told.Right, Right: r.Is == right})
	}
	return &b
}
