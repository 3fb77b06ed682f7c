package report

// Totals sum up a run over many instances; docs/CLI_JSON.md says what each field means.
type Totals struct {
	Solved     int     `json:"solved"`
	Failed     int     `json:"failed"`
	Skipped    int     `json:"skipped"`
	Cancelled  int     `json:"cancelled"`
	PassedOver int     `json:"passed_over"`
	Seconds    float64 `json:"seconds"`

	Without int `json:"-"` // instances without a result
}

// Add counts the answer of an instance; notBegun says that the run ended before it.
func (t *Totals) Add(a Answer, notBegun bool) {
	if a.Err != nil {
		t.Without++
	}
	switch {
	case notBegun, a.Err == nil && a.Status.Interrupted():
		t.Cancelled++
	case a.Err != nil:
		t.Failed++
	default:
		t.Solved++
	}
}

// SetSkipped says of how many answers counted so far the results were there before.
func (t *Totals) SetSkipped(taken int) {
	t.Solved -= taken
	t.Skipped = taken
}

// All returns how many instances there were.
func (t *Totals) All() int { return t.Solved + t.Failed + t.Skipped + t.Cancelled }
