package parallel

// Workers are goroutines that stay between the calls of Run, for work of microseconds.
type Workers struct {
	do    func(k int)
	begin []chan int // of each goroutine: the n of a Run
	done  chan struct{}
	ended Group
}

// NewWorkers returns a number of workers that call do; one of them is the caller of Run.
// They must be ended.
func NewWorkers(count int, do func(k int)) *Workers {
	w := &Workers{do: do, done: make(chan struct{}, count)}
	for range count - 1 {
		w.begin = append(w.begin, make(chan int, 1))
	}
	for k, begin := range w.begin {
		first := k + 1
		w.ended.Go(func() {
			for n := range begin {
				w.share(first, n)
				w.done <- struct{}{}
			}
		})
	}
	return w
}

// Run calls do for 0..n−1 and returns when all are done. It allocates nothing.
func (w *Workers) Run(n int) {
	for _, begin := range w.begin {
		begin <- n
	}
	w.share(0, n)
	for range w.begin {
		<-w.done
	}
	w.ended.raise()
}

// share calls do for those of 0..n−1 that are one worker's.
func (w *Workers) share(first, n int) {
	defer w.ended.keep()
	for k := first; k < n; k += len(w.begin) + 1 {
		w.do(k)
	}
}

// End ends the goroutines.
func (w *Workers) End() {
	for _, begin := range w.begin {
		close(begin)
	}
	w.ended.Wait()
}
