package parallel

import "iter"

// lookAhead is how many results may wait for their turn.
const lookAhead = 1024

// InOrder calls work on every item, at most workers at a time, and yields the
// results in the order of the items. Items are taken one by one as workers become
// free. Where the caller stops early, the work in progress is waited for and no other
// is begun.
func InOrder[Item, Result any](workers int, items iter.Seq[Item], work func(Item) Result) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		turns := make(chan chan Result, lookAhead)
		stopped := make(chan struct{})
		var group Group
		group.Go(func() {
			defer close(turns)
			free := make(chan struct{}, workers)
			for item := range items {
				turn := make(chan Result, 1)
				select {
				case free <- struct{}{}:
				case <-stopped:
					return
				}
				select {
				case <-stopped: // which of both cases above is taken is left to chance
					return
				default:
				}
				turns <- turn
				group.Go(func() {
					defer func() { <-free }()
					defer close(turn)
					turn <- work(item)
				})
			}
		})
		for turn := range turns {
			if result, made := <-turn; !made || !yield(result) { // none: the work panicked
				close(stopped)
				break
			}
		}
		for range turns { // until the items end
		}
		group.Wait()
	}
}
