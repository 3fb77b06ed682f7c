package infer

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// missingLibrary is what the system's loader says of a library it cannot find.
var missingLibrary = regexp.MustCompile(`(lib[\w.-]+): cannot open shared object file`)

// CUDAError is wrapped by the error of a session on a GPU.
type CUDAError struct {
	Device  int
	Trouble string // in plain words
	Remedy  string // "" where none is known
	Err     error  // what ONNX Runtime said
	Memory  bool   // the GPU's memory was used up: fewer states at a time may help
}

func (e *CUDAError) Error() string {
	text := fmt.Sprintf("CUDA device %d: %s", e.Device, e.Trouble)
	if e.Remedy != "" {
		text += "; remedy: " + e.Remedy
	}
	return fmt.Sprintf("%s (ONNX Runtime: %v)", text, e.Err)
}

func (e *CUDAError) Unwrap() error { return e.Err }

// explain returns an error of ONNX Runtime as one of infer. Where a GPU was to
// compute it says in plain words what is wrong with that, and the remedy.
func (o SessionOptions) explain(err error) error {
	if o.Provider != CUDA {
		return fmt.Errorf("infer: ONNX Runtime: %w", err)
	}
	trouble, remedy := cudaTrouble(err.Error(), hasDriver())
	return fmt.Errorf("infer: %w", &CUDAError{o.Device, trouble, remedy, err, trouble == memoryTrouble})
}

// cudaTroubles are told by what the loader, CUDA or ONNX Runtime says, the first
// that fits.
var cudaTroubles = []struct {
	signs           []string
	trouble, remedy string
}{
	{[]string{"libcuda.so.1: cannot open"}, noDriver, driverRemedy},
	{[]string{"driver version is insufficient", "CUDA failure 35:"},
		"the NVIDIA driver is older than CUDA 13 needs", "install driver 580 or newer"},
	{[]string{"no CUDA-capable device", "CUDA failure 100:"},
		"the NVIDIA driver shows no GPU", "see what nvidia-smi -L lists and CUDA_VISIBLE_DEVICES hides"},
	{[]string{"Invalid device ID", "Invalid device id", "invalid device ordinal", "CUDA failure 101:"},
		"there is no GPU of that number", "take one that nvidia-smi -L lists, numbered from 0"},
	{[]string{"out of memory", "Failed to allocate memory", "Available memory of", "CUDA failure 2:", "ALLOC_FAILED"},
		memoryTrouble, "evaluate fewer states at a time, or free it"},
	{[]string{"no kernel image is available", "CUDA failure 209:"},
		"this ONNX Runtime was not built for this GPU", "take an official release for CUDA 13"},
}

const (
	noDriver      = "there is no NVIDIA driver"
	driverRemedy  = "install it"
	memoryTrouble = "the GPU's memory is used up"
)

// cudaTrouble says in plain words what an error of CUDA means.
func cudaTrouble(text string, driver bool) (trouble, remedy string) {
	if !driver {
		return noDriver, driverRemedy
	}
	for _, t := range cudaTroubles {
		for _, sign := range t.signs {
			if strings.Contains(text, sign) {
				return t.trouble, t.remedy
			}
		}
	}
	if missing := missingLibrary.FindStringSubmatch(text); missing != nil {
		return missing[1] + " is not found", "install CUDA 13's runtime libraries and name their folder in LD_LIBRARY_PATH"
	}
	return "it cannot be used", ""
}

// hasDriver reports whether the device files of NVIDIA's driver are there; /dev/dxg
// stands for them under Windows.
func hasDriver() bool {
	for _, file := range []string{"/dev/nvidiactl", "/dev/dxg"} {
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	return false
}
