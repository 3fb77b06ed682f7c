package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/serve"
	"github.com/rgm-go/rgm/train"
)

// huge is what the files below claim to hold of something.
const huge = "1152921504606846976" // 2⁶⁰

// npy is an .npy file of a shape that holds some bytes.
func npy(kind, shape, data string) string {
	const length = 118
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape)
	return fmt.Sprintf("\x93NUMPY\x01\x00%c\x00%-*s\n%s", length, length-1, dict, data)
}

// npz is an archive of names and files; where claimed is not 0 it is the length that the
// archive claims of each.
func npz(t *testing.T, claimed uint64, namesAndFiles ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for k := 0; k < len(namesAndFiles); k += 2 {
		name, data := namesAndFiles[k], namesAndFiles[k+1]
		var err error
		if claimed == 0 {
			var member interface{ Write([]byte) (int, error) }
			if member, err = w.Create(name); err == nil {
				_, err = member.Write([]byte(data))
			}
		} else {
			var member interface{ Write([]byte) (int, error) }
			member, err = w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Store, UncompressedSize64: claimed, CompressedSize64: claimed})
			if err == nil {
				_, err = member.Write([]byte(data))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// eight is a number as eight bytes.
func eight(v uint64) string { return string(binary.LittleEndian.AppendUint64(nil, v)) }

// claims are files that claim much and hold little, by the name of each.
func claims(t *testing.T) map[string]string {
	const market = "%%MatrixMarket matrix coordinate real general\n"
	square := "(" + huge + ", " + huge + ")"
	varint := "\xff\xff\xff\xff\xff\xff\xff\xff\x0f" // 2⁶⁰ − 1
	sealed := func(magic string, version uint32) string {
		return magic + string(binary.LittleEndian.AppendUint32(nil, version)) + eight(1<<60) + strings.Repeat("x", 64)
	}
	sparse := func(shape, indices, indptr string) string {
		return npz(t, 0, "format.npy", npy("|S3", "()", "csr"), "shape.npy", npy("<i8", "(2,)", shape),
			"indices.npy", npy("<i8", indices, eight(0)), "indptr.npy", npy("<i8", "(2,)", indptr), "data.npy", npy("<f8", "(1,)", eight(0)))
	}
	return map[string]string{
		"nodes.dat":           huge + "\n0 1 1 0\n",
		"most.dat":            "32768\n0 1 1 0\n",
		"square.npy":          npy("<f8", square, ""),
		"long.npy":            npy("<f8", "("+huge+",)", ""),
		"stack.npy":           npy("<f8", "("+huge+", 4, 4)", ""),
		"empty.npy":           npy("<f8", "(0, "+huge+")", ""),
		"overflow.npy":        npy("<f8", "(4294967296, 4294967296)", ""),
		"bytes.npy":           npy("|u1", "(1073741824, 1073741824)", "x"),
		"header.npy":          "\x93NUMPY\x02\x00\xff\xff\xff\xff{",
		"square.npz":          npz(t, 0, "K.npy", npy("<f8", square, "")),
		"member.npz":          npz(t, 1<<60, "K.npy", npy("<f8", "(1, 1)", eight(0))),
		"shape.npz":           sparse(eight(1<<60)+eight(1<<60), "(1,)", eight(0)+eight(1)),
		"indices.npz":         sparse(eight(4)+eight(4), "("+huge+",)", eight(0)+eight(1)),
		"indptr.npz":          sparse(eight(1)+eight(1), "(1,)", eight(0)+eight(1<<60)),
		"nodes.dd":            "p " + huge + " " + huge + " 1 0\na 0 0 0 1\n",
		"assignments.dd":      "p 4 4 " + huge + " 0\na 0 0 0 1\n",
		"edges.dd":            "p 4 4 1 " + huge + "\na 0 0 0 1\n",
		"most.dd":             "p 32768 32768 1073741824 0\n",
		"size.mtx":            market + huge + " " + huge + " 1\n1 1 1\n",
		"entries.mtx":         market + "4 4 " + huge + "\n1 1 1\n",
		"array.mtx":           "%%MatrixMarket matrix array real general\n" + huge + " " + huge + "\n1\n",
		"nodes.sln":           huge + " 578\n1 2 3\n",
		"matching.npy":        npy("<i8", "("+huge+",)", eight(0)),
		"index.json":          "[" + huge + "]",
		"nodes.graphml":       `<graphml><graph parse.nodes="` + huge + `" parse.edges="` + huge + `" edgedefault="directed"></graph></graphml>`,
		"tensor.onnx":         "\x3a" + varint + "x",
		"dimension.onnx":      "\x3a\x0e\x2a\x0c\x08" + varint + "\x10\x01",
		"length.onnx":         "\x12" + varint,
		"length.rgm":          sealed("rgm checkpoint\n", 2),
		"nodes.http":          `{"instance":{"kind":"sparse","n1":` + huge + `,"n2":` + huge + `,"rows":[],"cols":[],"values":[]}}`,
		"affinity-nodes.http": `{"instance":{"kind":"affinity","n1":` + huge + `,"n2":1,"k":[[1]]}}`,
		"rollouts.http":       `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"rollouts":` + huge + `}}`,
	}
}

// openClaim reads a file by all that read files of its kind, and returns the errors of
// those.
func openClaim(t *testing.T, handler http.Handler, path string) []error {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	var errs []error
	add := func(err error) { errs = append(errs, err) }
	name := filepath.Base(path)
	switch extension := filepath.Ext(name); extension {
	case ".dat", ".dd", ".npy", ".npz", ".mtx":
		for _, err := range datasets.Open(path, datasets.Options{}) {
			add(err)
			break
		}
		if extension == ".npy" {
			_, err := datasets.ReadMatching(path)
			add(err)
			_, err = pairs.ReadPoints(path)
			add(err)
		}
		if extension != ".dat" && extension != ".dd" {
			_, err := graphs.Open(path)
			add(err)
		}
	case ".sln":
		_, err := datasets.ReadSolution(path)
		add(err)
	case ".json":
		m, err := datasets.ReadMatching(path)
		if err == nil { // a matching has no size of its own; an instance refuses it
			in, _ := qaplib.Open("nug12")
			err = in.CheckMatching(m)
		}
		add(err)
	case ".graphml":
		_, err := graphs.Open(path)
		add(err)
	case ".onnx":
		_, err := onnx.Unmarshal(text)
		add(err)
		_, _, err = models.Load(text)
		add(err)
	case ".rgm":
		_, err := train.Load(path)
		add(err)
	case ".http":
		request := httptest.NewRequest("POST", "http://127.0.0.1/v1/solve", bytes.NewReader(text))
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code >= 400 && answer.Code < 500 {
			add(errors.New(answer.Body.String()))
		} else {
			add(nil)
		}
	}
	return errs
}

// TestClaimsAreRefused: a file that claims 2⁶⁰ elements, or all that a format may have, is
// refused in less than 10 ms and 64 MB by every reader, the time being the best of some:
// other programs take the processor too.
func TestClaimsAreRefused(t *testing.T) {
	const most, mostMB, times = 10 * time.Millisecond, 64, 7
	p := must.Get(rgm.Open(rgm.Config{}))(t)
	defer p.Close()
	handler := serve.NewHandler(p, serve.Options{Workers: 1, MaxNodes: 100})
	defer handler.Close()
	tried, slowest, largest := 0, time.Duration(0), 0.0
	for name, text := range claims(t) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		fastest, megabytes := time.Hour, math.Inf(1)
		for range times {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()
			errs := openClaim(t, handler, path)
			fastest = min(fastest, time.Since(begin))
			runtime.ReadMemStats(&after)
			megabytes = min(megabytes, float64(after.TotalAlloc-before.TotalAlloc)/1e6)
			for k, err := range errs {
				if err == nil {
					t.Errorf("%s: reader %d takes it", name, k)
				}
			}
			if len(errs) == 0 {
				t.Fatalf("%s: no reader", name)
			}
		}
		tried, slowest, largest = tried+1, max(slowest, fastest), max(largest, megabytes)
		if fastest > most || megabytes > mostMB {
			t.Errorf("%s: %v and %.1f MB, want at most %v and %d MB", name, fastest, megabytes, most, mostMB)
		}
	}
	t.Attr("tried", fmt.Sprint(tried))
	t.Attr("worst-ms", fmt.Sprintf("%.3g", slowest.Seconds()*1000))
	t.Attr("worst-MB", fmt.Sprintf("%.3g", largest))
}
