package queue

import "time"

// jobBytes is what a finished job takes besides its result and its events.
const jobBytes = 1 << 10

// size returns about how much memory a finished job takes.
func (j *memoryJob) size() int64 {
	return jobBytes + int64(len(j.record.Result)+len(j.record.Error)) + j.feed.size()
}

// evict forgets the oldest finished jobs beyond Results bytes, but for the last one, of
// which its client does not know yet, and for hidden ones, which are about to be
// forgotten by who waits for them.
func (m *Memory) evict() {
	for e := m.finished.Front(); m.bytes > m.options.Results && e != m.finished.Back(); {
		j := e.Value.(*memoryJob)
		e = e.Next()
		if !j.job.Hidden {
			m.forget(j)
		}
	}
}

// expire forgets finished jobs whose time is over, and the oldest of too many.
func (m *Memory) expire() {
	for e := m.finished.Front(); e != nil; e = m.finished.Front() {
		j := e.Value.(*memoryJob)
		if m.finished.Len() <= maxKept && time.Since(j.record.Finished) < m.options.Keep {
			return
		}
		m.forget(j)
	}
}

// forget drops a finished job.
func (m *Memory) forget(j *memoryJob) {
	delete(m.jobs, j.job.ID)
	m.finished.Remove(j.ended)
	m.bytes -= j.bytes
	if j.order != nil {
		m.order.Remove(j.order)
	}
}
