//go:build cgo

package infer

import (
	"errors"
	"slices"
	"sync"
)

// batchShape is what tells batches of one network apart.
type batchShape struct{ size, n1, n2 int }

// The pool keeps at most so many idle batches, and floats in them; beyond, those
// that have waited longest go.
const (
	mostIdle       = 64
	mostIdleFloats = 16 << 20
)

// pool lends the batches of a network and counts them. Its zero value is ready.
type pool struct {
	mutex  sync.Mutex
	idle   []*ortBatch // the one given back last is the last
	floats int         // of the idle ones
	inUse  int
	closed bool
	ended  *sync.Cond // once closed: a batch was given back
}

// take lends an idle batch of a shape, nil if there is none: then the caller makes
// one, or calls forget. It fails once the pool is closed.
func (p *pool) take(s batchShape) (*ortBatch, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	p.inUse++
	for k := len(p.idle) - 1; k >= 0; k-- {
		if b := p.idle[k]; b.shape == s {
			p.idle = slices.Delete(p.idle, k, k+1)
			p.floats -= b.floats()
			b.inUse = true
			return b, nil
		}
	}
	return nil, nil
}

// forget takes back the permission to make a batch.
func (p *pool) forget() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.returned()
}

// giveBack keeps a batch for the next of its shape, and destroys what is too much.
// It does so before it counts the batch as returned: then the session may go.
func (p *pool) giveBack(b *ortBatch) (err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !b.inUse { // closed already
		return nil
	}
	b.inUse = false
	p.idle = append(p.idle, b)
	p.floats += b.floats()
	for len(p.idle) > mostIdle || p.floats > mostIdleFloats {
		p.floats -= p.idle[0].floats()
		err = errors.Join(err, p.idle[0].destroy())
		p.idle = slices.Delete(p.idle, 0, 1)
	}
	p.returned()
	return err
}

func (p *pool) returned() {
	p.inUse--
	if p.ended != nil {
		p.ended.Broadcast()
	}
}

// close waits until nothing is in use, and returns the idle batches; false where it
// was closed before.
func (p *pool) close() (idle []*ortBatch, first bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if first = !p.closed; first {
		p.closed, p.ended = true, sync.NewCond(&p.mutex)
	}
	for p.inUse > 0 {
		p.ended.Wait()
	}
	idle, p.idle = p.idle, nil
	return idle, first
}
