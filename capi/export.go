//go:build cgo

// Command capi is rgm as a C library: go build -buildmode=c-shared -o librgm.so ./capi. rgm.h says
// what it does; here is where C's memory becomes Go's slices and back.
package main

/*
#include <stdlib.h>
#include "rgm.h"

struct rgm_call;
int32_t tell_host(struct rgm_call *call, rgm_incumbent *best);
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/library"
)

func main() {}

// all is what all callers share.
var all library.Library

// guard returns the code of what do returns, or of its panic, and writes the message.
func guard(to *C.rgm_error, do func() error) C.int32_t {
	err := func() (err error) {
		defer library.Recover(&err)
		return do()
	}()
	if err == nil {
		return C.RGM_OK
	}
	own := &library.Error{Code: library.Internal}
	_ = errors.As(err, &own) // any other error is internal
	if to != nil {
		to.code = C.int32_t(own.Code)
		write(unsafe.Slice((*byte)(unsafe.Pointer(&to.message)), len(to.message)), err.Error())
	}
	return C.int32_t(own.Code)
}

// write writes as much of a text as there is room for, and a 0.
func write(to []byte, text string) {
	n := min(len(text), len(to)-1)
	for n > 0 && n < len(text) && text[n]&0xc0 == 0x80 { // within a character
		n--
	}
	copy(to, text[:n])
	to[n] = 0
}

// made writes the handle that make returns.
func made(to *C.rgm_handle, e *C.rgm_error, make func() (uint64, error)) C.int32_t {
	return guard(e, func() error {
		if to == nil {
			return missing("the place of the handle")
		}
		*to = 0
		handle, err := make()
		*to = C.rgm_handle(handle)
		return err
	})
}

// missing is the error of a pointer that is NULL.
func missing(name string) error {
	return &library.Error{Code: library.Invalid, Detail: name + " is NULL"}
}

// slice returns an array of C as long as it says, without copying.
func slice[T any](name string, at *T, n C.int64_t) ([]T, error) {
	switch {
	case n < 0 || uint64(n) > math.MaxInt64/uint64(max(unsafe.Sizeof(*at), 1)):
		return nil, &library.Error{Code: library.Invalid, Detail: fmt.Sprintf("%s: %d entries", name, n)}
	case at == nil && n > 0:
		return nil, missing(name)
	case uintptr(unsafe.Pointer(at))%unsafe.Alignof(*at) != 0:
		return nil, &library.Error{Code: library.Invalid, Detail: name + " is not aligned: want an address that its type has"}
	}
	return unsafe.Slice(at, int(n)), nil
}

// numbers returns an array of doubles, nil for an empty one.
func numbers(name string, at *C.double, n C.int64_t) ([]float64, error) {
	return slice(name, (*float64)(unsafe.Pointer(at)), n)
}

// whole returns an array of integers, nil for an empty one.
func whole(name string, at *C.int64_t, n C.int64_t) ([]int64, error) {
	return slice(name, (*int64)(unsafe.Pointer(at)), n)
}

// product returns n·m, −1 where there is no such array.
func product(n, m C.int64_t) C.int64_t {
	if n < 0 || m < 0 || m > 0 && n > math.MaxInt64/16/m {
		return -1
	}
	return n * m
}

// text returns a string of C, nil for NULL.
func text(at *C.char) []byte {
	if at == nil {
		return nil
	}
	return []byte(C.GoString(at))
}

//export goDense
func goDense(n1, n2 C.int64_t, k *C.double, entries C.int64_t, sense C.int32_t, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (uint64, error) {
		values, err := numbers("k", k, entries)
		if err != nil {
			return 0, err
		}
		return all.Dense(int64(n1), int64(n2), values, int32(sense))
	})
}

//export goSparse
func goSparse(n1, n2 C.int64_t, rows, cols *C.int64_t, values *C.double, entries C.int64_t, sense C.int32_t, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (uint64, error) {
		p, err1 := whole("rows", rows, entries)
		q, err2 := whole("cols", cols, entries)
		v, err3 := numbers("values", values, entries)
		if err := errors.Join(err1, err2, err3); err != nil {
			return 0, err
		}
		return all.Sparse(int64(n1), int64(n2), p, q, v, int32(sense))
	})
}

//export goAssignment
func goAssignment(n1, n2 C.int64_t, a, b, linear *C.double, sense C.int32_t, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (uint64, error) {
		flows, err1 := numbers("a", a, product(n1, n1))
		distances, err2 := numbers("b", b, product(n2, n2))
		var costs []float64
		var err3 error
		if linear != nil {
			costs, err3 = numbers("linear", linear, product(n1, n2))
		}
		if err := errors.Join(err1, err2, err3); err != nil {
			return 0, err
		}
		return all.Assignment(int64(n1), int64(n2), flows, distances, costs, int32(sense))
	})
}

//export goGraphNew
func goGraphNew(g *C.rgm_graph, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (uint64, error) {
		if g == nil {
			return 0, missing("the graph")
		}
		a := library.Arrays{Nodes: int64(g.nodes), Directed: g.directed != 0}
		var errs []error
		for _, part := range []struct {
			name      string
			to        *[]float64
			at        *C.double
			rows, row C.int64_t
		}{
			{"points", &a.Points, g.points, g.nodes, g.dimensions}, {"features", &a.Features, g.features, g.nodes, g.feature_count},
			{"weights", &a.Weights, g.weights, g.edges, 1}, {"edge_features", &a.EdgeFeatures, g.edge_features, g.edges, g.edge_feature_count},
		} {
			if part.at == nil {
				continue
			}
			values, err := numbers(part.name, part.at, product(part.rows, part.row))
			*part.to = values
			errs = append(errs, err)
		}
		if g.ends != nil {
			ends, err := whole("ends", g.ends, product(g.edges, 2))
			a.Ends = ends
			errs = append(errs, err)
		}
		if err := errors.Join(errs...); err != nil {
			return 0, err
		}
		return all.NewGraph(a)
	})
}

//export goGraphRead
func goGraphRead(name, file *C.char, bytes C.int64_t, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (uint64, error) {
		if name == nil {
			return 0, missing("name")
		}
		content, err := slice("text", (*byte)(unsafe.Pointer(file)), bytes)
		if err != nil {
			return 0, err
		}
		return all.ReadGraph(C.GoString(name), content)
	})
}

//export goMatch
func goMatch(graph1, graph2 C.rgm_handle, compare *C.char, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (uint64, error) { return all.Match(uint64(graph1), uint64(graph2), text(compare)) })
}

//export goSolve
func goSolve(problem C.rgm_handle, options *C.char, call *C.struct_rgm_call, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (uint64, error) {
		best := (*C.rgm_incumbent)(C.calloc(1, C.sizeof_rgm_incumbent)) // C keeps no pointers to Go's memory
		var matching []int64
		defer func() {
			C.free(unsafe.Pointer(best.matching))
			C.free(unsafe.Pointer(best))
		}()
		return all.Solve(uint64(problem), text(options), func(i *rgm.Incumbent) bool {
			if i == nil {
				return C.tell_host(call, nil) == 0
			}
			if matching == nil {
				best.nodes = C.int64_t(len(i.Matching))
				best.matching = (*C.int64_t)(C.calloc(C.size_t(max(len(i.Matching), 1)), 8))
				matching = unsafe.Slice((*int64)(unsafe.Pointer(best.matching)), len(i.Matching))
			}
			for k, a := range i.Matching {
				matching[k] = int64(a)
			}
			best.objective, best.seconds, best.steps = C.double(i.Objective), C.double(i.Elapsed), C.int64_t(i.Steps)
			write(unsafe.Slice((*byte)(unsafe.Pointer(&best.found_by)), len(best.found_by)), i.FoundBy)
			return C.tell_host(call, best) == 0
		})
	})
}

// listen calls the host's callback with what a search of a distance finds.
func listen(call *C.struct_rgm_call, then func(tell func(*rgm.Incumbent) bool)) {
	best := (*C.rgm_incumbent)(C.calloc(1, C.sizeof_rgm_incumbent)) // C keeps no pointers to Go's memory
	defer C.free(unsafe.Pointer(best))
	then(func(i *rgm.Incumbent) bool {
		if i == nil {
			return C.tell_host(call, nil) == 0
		}
		best.objective, best.seconds, best.lower_bound = C.double(i.Objective), C.double(i.Elapsed), C.double(*i.Lower)
		return C.tell_host(call, best) == 0
	})
}

//export goDistance
func goDistance(graph1, graph2 C.rgm_handle, options *C.char, call *C.struct_rgm_call, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (handle uint64, err error) {
		listen(call, func(tell func(*rgm.Incumbent) bool) {
			handle, err = all.Distance(uint64(graph1), uint64(graph2), text(options), tell)
		})
		return handle, err
	})
}

// labelled returns a graph of labels without copying.
func labelled(name string, g *C.rgm_labelled) (of library.Labelled, err error) {
	if g == nil {
		return of, missing(name)
	}
	of = library.Labelled{Nodes: int64(g.nodes), Directed: g.directed != 0}
	var errs [3]error
	of.Ends, errs[0] = whole(name+"'s ends", g.ends, product(g.edges, 2))
	if g.labels != nil {
		of.Labels, errs[1] = whole(name+"'s labels", g.labels, g.nodes)
	}
	if g.edge_labels != nil {
		of.EdgeLabels, errs[2] = whole(name+"'s edge_labels", g.edge_labels, g.edges)
	}
	return of, errors.Join(errs[:]...)
}

// costs returns a table of costs without copying.
func costs(name string, t *C.rgm_costs) (of library.CostTable, err error) {
	if t == nil {
		return of, missing(name)
	}
	var errs [3]error
	of.Delete, errs[0] = numbers(name+"'s delete_costs", t.delete_costs, t.labels1)
	of.Insert, errs[1] = numbers(name+"'s insert_costs", t.insert_costs, t.labels2)
	of.Substitute, errs[2] = numbers(name+"'s substitute_costs", t.substitute_costs, product(t.labels1, t.labels2))
	return of, errors.Join(errs[:]...)
}

//export goDistanceByCosts
func goDistanceByCosts(graph1, graph2 *C.rgm_labelled, nodes, edges *C.rgm_costs, options *C.char, call *C.struct_rgm_call, to *C.rgm_handle, e *C.rgm_error) C.int32_t {
	return made(to, e, func() (handle uint64, err error) {
		g1, err1 := labelled("graph1", graph1)
		g2, err2 := labelled("graph2", graph2)
		of, err3 := costs("nodes", nodes)
		between, err4 := costs("edges", edges)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			return 0, err
		}
		listen(call, func(tell func(*rgm.Incumbent) bool) {
			handle, err = all.DistanceByTables(g1, g2, of, between, text(options), tell)
		})
		return handle, err
	})
}

//export goDistances
func goDistances(graphs *C.rgm_handle, count C.int64_t, others *C.rgm_handle, otherCount C.int64_t, options *C.char, call *C.struct_rgm_call, distance, lower *C.double, e *C.rgm_error) C.int32_t {
	return guard(e, func() error {
		ones, err1 := slice("graphs", (*uint64)(unsafe.Pointer(graphs)), count)
		twos, err2 := slice("others", (*uint64)(unsafe.Pointer(others)), otherCount)
		width := count
		if others != nil {
			width = otherCount
		}
		to, err3 := numbers("distance", distance, product(count, width))
		below, err4 := numbers("lower_bound", lower, product(count, width))
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			return err
		}
		if len(to) == 0 {
			return nil
		}
		for k := range to {
			to[k], below[k] = math.NaN(), math.NaN()
		}
		if others == nil {
			for i := range ones {
				to[i*len(ones)+i], below[i*len(ones)+i] = 0, 0
			}
		}
		whole, err := all.Distances(ones, twos, text(options), func() bool { return C.tell_host(call, nil) == 0 }, func(i, j int, d, l float64) {
			to[i*int(width)+j], below[i*int(width)+j] = d, l
		})
		if err == nil && !whole {
			return &library.Error{Code: library.Stopped, Detail: "the callback ended it before all pairs were measured: the others are NaN"}
		}
		return err
	})
}

//export goGraphPlaces
func goGraphPlaces(graph C.rgm_handle, values *C.double, count C.int64_t, e *C.rgm_error) C.int32_t {
	return guard(e, func() error {
		to, err := numbers("values", values, count)
		if err == nil {
			err = all.Places(uint64(graph), to)
		}
		return err
	})
}

//export goResultNodes
func goResultNodes(result C.rgm_handle, part C.int32_t, values *C.int64_t, count C.int64_t, written *C.int64_t, e *C.rgm_error) C.int32_t {
	return guard(e, func() error {
		if written == nil {
			return missing("written")
		}
		*written = 0
		to, err := whole("values", values, count)
		if err != nil {
			return err
		}
		n, err := all.Nodes(uint64(result), int32(part), int64(count), func(i, value int) { to[i] = int64(value) })
		*written = C.int64_t(n)
		return err
	})
}

//export goResultJSON
func goResultJSON(result C.rgm_handle, to *C.char, size C.int64_t, length *C.int64_t, e *C.rgm_error) C.int32_t {
	return guard(e, func() error {
		if length == nil {
			return missing("length")
		}
		*length = 0
		room, err := slice("text", (*byte)(unsafe.Pointer(to)), size)
		if err != nil {
			return err
		}
		record, err := all.Record(uint64(result))
		if err != nil {
			return err
		}
		*length = C.int64_t(len(record))
		if len(room) > 0 {
			write(room, string(record))
		}
		return nil
	})
}

//export goFree
func goFree(handle C.rgm_handle, e *C.rgm_error) C.int32_t {
	return guard(e, func() error { return all.Free(uint64(handle)) })
}
