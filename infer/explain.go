package infer

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// missingLibrary is what the system's loader says of a library it cannot find.
var missingLibrary = regexp.MustCompile(`(lib[\w.-]+): cannot open shared object file`)

// explain returns an error of ONNX Runtime as one of infer. Where a GPU was to
// compute it says in plain words what is wrong with that, and the mend.
func (o SessionOptions) explain(err error) error {
	if o.Provider != CUDA {
		return fmt.Errorf("infer: ONNX Runtime: %w", err)
	}
	trouble, mend := cudaTrouble(err.Error(), hasDriver())
	return fmt.Errorf("infer: %s (ONNX Runtime: %w)", cudaMessage(o.Device, trouble, mend), err)
}

// cudaMessage names the device, its trouble and every mend.
func cudaMessage(device int, trouble, mend string) string {
	if mend != "" {
		mend += ", or "
	}
	return fmt.Sprintf("CUDA device %d: %s; to mend: %suse --provider cpu", device, trouble, mend)
}

// cudaTroubles are told by what the loader, CUDA or ONNX Runtime says, the first
// that fits.
var cudaTroubles = []struct {
	signs         []string
	trouble, mend string
}{
	{[]string{"libcuda.so.1: cannot open"}, noDriver, driverMend},
	{[]string{"driver version is insufficient", "CUDA failure 35:"},
		"the NVIDIA driver is older than CUDA 13 needs", "install driver 580 or newer"},
	{[]string{"no CUDA-capable device", "CUDA failure 100:"},
		"the NVIDIA driver shows no GPU", "see what nvidia-smi -L lists and CUDA_VISIBLE_DEVICES hides"},
	{[]string{"Invalid device ID", "Invalid device id", "invalid device ordinal", "CUDA failure 101:"},
		"there is no GPU of that number", "take one that nvidia-smi -L lists, numbered from 0"},
	{[]string{"out of memory", "Failed to allocate memory", "Available memory of", "CUDA failure 2:", "ALLOC_FAILED"},
		"the GPU's memory is used up", "take fewer --rollouts or --workers, or free it"},
	{[]string{"no kernel image is available", "CUDA failure 209:"},
		"this ONNX Runtime was not built for this GPU", "take an official release for CUDA 13"},
}

const (
	noDriver   = "there is no NVIDIA driver"
	driverMend = "install it"
)

// cudaTrouble says in plain words what an error of CUDA means.
func cudaTrouble(text string, driver bool) (trouble, mend string) {
	if !driver {
		return noDriver, driverMend
	}
	for _, t := range cudaTroubles {
		for _, sign := range t.signs {
			if strings.Contains(text, sign) {
				return t.trouble, t.mend
			}
		}
	}
	if missing := missingLibrary.FindStringSubmatch(text); missing != nil {
		return missing[1] + " is not found", "install CUDA 13's runtime libraries and name their folder in LD_LIBRARY_PATH"
	}
	return "it cannot be used", ""
}

// hasDriver tells whether the device files of NVIDIA's driver are there; /dev/dxg
// stands for them under Windows.
func hasDriver() bool {
	for _, file := range []string{"/dev/nvidiactl", "/dev/dxg"} {
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	return false
}
