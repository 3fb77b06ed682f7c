package paper

import "fmt"

// pictureParts are the figures that show one pair.
func pictureParts() []Part { return []Part{figure3(), figure6()} }

// madePair makes a pair of points with outliers, for the pictures.
func madePair(seed string) Unit {
	return Unit{Name: "pair-" + seed, Args: words("datasets generate --pairs 1 --outliers 3 --noise 0.1 --seed " + seed + " {dir}/made/pair-" + seed)}
}

func figure3() Part {
	const file = "pictures/figure3-matrices.svg"
	pair := madePair("1")
	draw := Unit{Name: "figure3", Args: words("plot affinity --literal --out {dir}/" + file + " {dir}/made/pair-1/synthetic_A.npy"), Files: []string{file}}
	return Part{
		ID: "figure3", Title: "Figure 3: the affinity matrix K and K_reg",
		About: "K of a generated pair with 3 outliers and, at its best matching of any size, the paper's K − aJ·1 − bJ·I for its three functions.",
		Units: []Unit{pair, draw}, Apart: "The same construction, of another pair: there is nothing to compare.",
		Show: func(results Results) []Block {
			return kept(results, draw, file, "figure3", "heat maps of K and of K_reg under f1, f2 and f3")
		},
	}
}

func figure6() Part {
	var units []Unit
	var seeds []string
	for _, seed := range []string{"1", "2", "3"} {
		made := "{dir}/made/pair-" + seed + "/synthetic"
		found, file := "made/pair-"+seed+"/found.jsonl", "pictures/figure6-"+seed+".svg"
		units = append(units, madePair(seed),
			Unit{Name: "match-" + seed, Args: words("solve --method rgm --affinity learned --format json " + made + "_A.npy"), Save: found},
			Unit{
				Name:  "figure6-" + seed,
				Args:  words("plot matching --truth " + made + "_X.npy --out {dir}/" + file + " " + made + "_P1.npy " + made + "_P2.npy {dir}/" + found),
				Files: []string{file},
			})
		seeds = append(seeds, seed)
	}
	return Part{
		ID: "figure6", Title: "Figure 6: matchings",
		About: "Three generated pairs with 10 inliers and 3 outliers (blue), matched by the policy on learned affinities: right matches green, wrong ones red. The paper has images of Willow.",
		Units: units, Apart: "Not comparable: other pairs, and affinities without images.",
		Show: func(results Results) []Block {
			var blocks []Block
			for k, seed := range seeds {
				blocks = append(blocks, kept(results, units[3*k+2], "pictures/figure6-"+seed+".svg", "figure6-"+seed, fmt.Sprintf("matching of generated pair %s", seed))...)
			}
			return blocks
		},
	}
}

// kept shows a picture that a command wrote. It is drawn on white.
func kept(results Results, u Unit, file, name, alt string) []Block {
	if r := results[u.Name]; r != nil {
		return []Block{{Picture: &Picture{Name: name, Alt: alt, SVG: r.Files[file]}}}
	}
	return nil
}
