package paper

// What the paper prints and no other package has.

// printedScores are the rows of its table 8.
var printedScores = [][]string{
	{"RRWM, paper", "38.4 (42.1)", "20.0 (68.6)", "11.9 (100)", "29.7 (62.4)"},
	{"RGM, paper", "4.0 (40.6)", "11.6 (61.2)", "45.0 (100)", "39.4 (56.5)"},
}

// printedRewrite are the rows of its table 7: method, seconds an instance on its machine, and
// the mean, least and largest gap in %.
var printedRewrite = [][]string{
	{"SM, paper", "0.01", "181.22", "46.93", "949.94"},
	{"SM + LR, paper", "47.51", "119.14", "44.21", "291.15"},
	{"RRWM, paper", "0.15", "169.50", "49.51", "432.94"},
	{"RRWM + LR, paper", "47.93", "100.19", "46.25", "223.84"},
	{"SK-JA, paper", "563.44", "93.23", "9.03", "497.91"},
	{"SK-JA + LR, paper", "623.18", "73.87", "9.03", "212.53"},
	{"NGM, paper", "15.72", "62.35", "17.78", "129.75"},
	{"NGM + LR, paper", "69.57", "54.41", "16.54", "117.36"},
	{"RGM w/o rev., paper", "47.24", "41.49", "12.58", "119.75"},
	{"RGM w/o rev. + LR, paper", "96.45", "39.70", "11.65", "109.47"},
	{"RGM, paper", "75.53", "35.84", "10.74", "101.13"},
}

// otherPrograms are what other programs reach on the 108 instances of table 4, measured with
// them on other processors: gap in % after seconds of processor time.
func otherPrograms() *Table {
	return &Table{
		Printed: true,
		Caption: "Other programs on the same instances, measured on other processors: average gap in % over the classes",
		Header:  []string{"program", "average", "CPU s an instance"},
		Rows: [][]string{
			{"robust tabu search in C (Taillard), at most 10 ms", "2.05", "0.007"}, {"the same, at most 100 ms", "0.667", "0.047"}, {"the same, at most 1 s", "0.060", "0.24"},
			{"breakout local search in C++ (Benlic, Hao), at most 10 ms", "2.20", "0.007"}, {"the same, at most 100 ms", "0.788", "0.044"}, {"the same, at most 1 s", "0.070", "0.22"},
			{"SciPy 1.10.1's FAQ", "11.19", "0.003"}, {"the same, best of 30 starts", "2.09", "0.11"}, {"SciPy's 2opt", "8.81", "0.18"},
		},
	}
}

// printedVOC returns its table 3.
func printedVOC() *Table {
	return &Table{
		Printed: true,
		Caption: "As the paper prints it",
		Header:  []string{"method", "F1 in %", "objective"},
		Rows: [][]string{
			{"RRWM", "48.58", "1.017"}, {"GAGM", "53.52", "1.019"}, {"IPFP", "41.94", "1.017"}, {"PSM", "53.72", "1.019"},
			{"GNCCP", "49.98", "1.018"}, {"BPF", "54.70", "1.020"}, {"RGM", "60.19", "1.040"}, {"GMN", "55.30", ""}, {"PCA", "64.80", ""},
			{"LCS", "68.50", ""}, {"BBGM", "79.00", ""}, {"NGM", "64.10", ""}, {"NGM-v2", "80.10", ""},
			{"NGM + RGM", "68.04", "1.015"}, {"NGM-v2 + RGM", "81.88", "1.011"},
		},
	}
}
