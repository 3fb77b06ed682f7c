package main

import "slices"

// paperClasses are the classes of the paper's QAPLIB table, in its order.
var paperClasses = []string{"bur", "chr", "esc", "had", "kra", "lipa", "nug", "rou", "scr", "sko", "ste", "tai", "tho", "wil"}

// paperTable is what the paper prints of QAPLIB ("Performance gap with the optimal
// (%)"): mean gaps by class, in the order of paperClasses, the average it prints,
// and its seconds an instance on a GPU. Its average is not the mean of its classes.
//
// Source: Liu, Jiang, Wang, Huang, Lu, Yan, ICLR 2023, arXiv:2012.08950, section 5.3.
var paperTable = []struct {
	method  string
	gaps    [14]float64
	average float64
	seconds float64
}{
	{"SM", [14]float64{22.3, 460.1, 301.6, 17.4, 65.3, 19.0, 45.5, 35.8, 123.4, 29.0, 475.5, 180.5, 55.0, 13.8}, 181.2, 0.01},
	{"RRWM", [14]float64{23.1, 616.0, 63.9, 25.1, 58.8, 20.9, 67.8, 51.2, 173.5, 48.5, 539.4, 197.2, 80.6, 18.2}, 169.5, 0.15},
	{"SK-JA", [14]float64{4.7, 38.5, 364.8, 25.8, 41.4, 0.0, 25.3, 13.7, 48.6, 18.3, 120.4, 25.2, 32.9, 8.8}, 93.2, 563.44},
	{"NGM", [14]float64{3.4, 121.3, 126.7, 8.2, 31.6, 16.2, 21.0, 30.9, 55.5, 25.2, 101.7, 61.4, 27.5, 10.8}, 62.4, 15.72},
	{"RGM", [14]float64{7.1, 112.4, 32.8, 6.2, 15.0, 13.3, 9.7, 13.4, 45.5, 10.6, 134.1, 17.3, 20.7, 8.1}, 35.8, 75.53},
}

// paperRows returns the rows of the paper's table for classes. Their Average is,
// like ours, the mean over these classes.
func paperRows(classes []string) []benchRow {
	var rows []benchRow
	for _, printed := range paperTable {
		row := benchRow{
			Method: printed.method, Source: sourcePaper, Classes: map[string]float64{},
			Printed: &printed.average, SecondsPerInstance: &printed.seconds,
		}
		var gaps []float64
		for k, class := range paperClasses {
			if slices.Contains(classes, class) {
				row.Classes[class] = printed.gaps[k]
				gaps = append(gaps, printed.gaps[k])
			}
		}
		row.Average = mean(gaps)
		rows = append(rows, row)
	}
	return rows
}
