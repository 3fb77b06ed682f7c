package bench

import (
	"slices"

	"github.com/rgm-go/rgm/internal/statistics"
)

// paperClasses are the classes of the paper's QAPLIB table, in its order.
var paperClasses = []string{"bur", "chr", "esc", "had", "kra", "lipa", "nug", "rou", "scr", "sko", "ste", "tai", "tho", "wil"}

// paperTable is what the paper prints of QAPLIB ("Performance gap with the optimal
// (%)"): the average it prints, its seconds an instance on a GPU, and the mean,
// least and largest gap by class, in the order of paperClasses. Its average is not
// the mean of its classes.
//
// Source: Liu, Jiang, Wang, Huang, Lu, Yan, ICLR 2023, arXiv:2012.08950, section 5.3.
var paperTable = []struct {
	method           string
	average, seconds float64
	mean, min, max   [14]float64
}{
	{
		"SM", 181.2, 0.01,
		[14]float64{22.3, 460.1, 301.6, 17.4, 65.3, 19.0, 45.5, 35.8, 123.4, 29.0, 475.5, 180.5, 55.0, 13.8},
		[14]float64{20.3, 144.6, 0.0, 14.7, 63.8, 3.8, 34.2, 30.9, 104.0, 26.6, 197.7, 21.6, 54.0, 11.7},
		[14]float64{24.9, 869.1, 3300.0, 21.5, 67.3, 34.8, 64.0, 38.2, 139.1, 31.4, 1013.6, 1257.9, 56.0, 15.9},
	},
	{
		"RRWM", 169.5, 0.15,
		[14]float64{23.1, 616.0, 63.9, 25.1, 58.8, 20.9, 67.8, 51.2, 173.5, 48.5, 539.4, 197.2, 80.6, 18.2},
		[14]float64{19.3, 120.5, 0.0, 22.1, 53.9, 3.6, 52.6, 39.3, 98.9, 47.7, 249.5, 26.8, 78.2, 12.5},
		[14]float64{27.3, 1346.3, 200.0, 28.3, 67.7, 41.2, 79.6, 60.1, 218.6, 49.3, 1117.8, 1256.7, 83.0, 23.8},
	},
	{
		"SK-JA", 93.2, 563.44,
		[14]float64{4.7, 38.5, 364.8, 25.8, 41.4, 0.0, 25.3, 13.7, 48.6, 18.3, 120.4, 25.2, 32.9, 8.8},
		[14]float64{2.8, 0.0, 0.0, 6.9, 38.9, 0.0, 10.9, 10.3, 44.3, 16.1, 72.5, 1.6, 30.6, 6.7},
		[14]float64{6.2, 186.1, 2200.0, 100.0, 44.4, 0.0, 100.0, 17.4, 55.7, 20.5, 200.4, 107.1, 35.3, 10.7},
	},
	{
		"NGM", 62.4, 15.72,
		[14]float64{3.4, 121.3, 126.7, 8.2, 31.6, 16.2, 21.0, 30.9, 55.5, 25.2, 101.7, 61.4, 27.5, 10.8},
		[14]float64{2.8, 45.4, 0.0, 6.0, 28.7, 3.6, 14.0, 23.7, 41.4, 22.8, 57.6, 18.7, 24.8, 8.2},
		[14]float64{4.4, 251.9, 200.0, 11.6, 36.8, 29.4, 28.5, 36.3, 66.2, 27.7, 172.8, 352.1, 30.2, 11.1},
	},
	{
		"RGM", 35.8, 75.53,
		[14]float64{7.1, 112.4, 32.8, 6.2, 15.0, 13.3, 9.7, 13.4, 45.5, 10.6, 134.1, 17.3, 20.7, 8.1},
		[14]float64{4.5, 23.4, 0.0, 1.9, 10.4, 3.0, 6.1, 7.1, 30.2, 9.9, 69.9, 11.4, 12.7, 7.9},
		[14]float64{9.0, 361.4, 141.5, 9.0, 20.6, 23.8, 12.9, 16.7, 56.1, 11.2, 237.0, 28.6, 28.6, 8.4},
	},
}

// PaperRows returns the rows of the paper's table for classes. Their Average is,
// like ours, the mean over these classes.
func PaperRows(classes []string) []QAPLIBRow {
	var rows []QAPLIBRow
	for _, printed := range paperTable {
		row := QAPLIBRow{
			Method: printed.method, Source: SourcePaper,
			Classes: map[string]float64{}, ClassesMin: map[string]float64{}, ClassesMax: map[string]float64{},
			Printed: &printed.average, SecondsPerInstance: &printed.seconds,
		}
		var gaps []float64
		for k, class := range paperClasses {
			if slices.Contains(classes, class) {
				row.Classes[class], row.ClassesMin[class], row.ClassesMax[class] = printed.mean[k], printed.min[k], printed.max[k]
				gaps = append(gaps, printed.mean[k])
			}
		}
		row.Average = statistics.Mean(gaps)
		rows = append(rows, row)
	}
	return rows
}
