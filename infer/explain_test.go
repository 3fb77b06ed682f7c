package infer

import (
	"errors"
	"strings"
	"testing"
)

// What ONNX Runtime 1.29 says before the first call of the driver was seen on a
// machine without a GPU; what follows is CUDA's own text of the errors.
func TestCUDATroubleInPlainWords(t *testing.T) {
	const load = "ProviderLibrary::Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load library /x/libonnxruntime_providers_cuda.so with error: "
	for text, want := range map[string]string{
		load + "libcublasLt.so.13: cannot open shared object file: No such file or directory": "libcublasLt.so.13 is not found; remedy: install CUDA 13's runtime libraries and name their folder in LD_LIBRARY_PATH",
		load + "libcuda.so.1: cannot open shared object file: No such file or directory":      "there is no NVIDIA driver; remedy: install it",
		"CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version":       "the NVIDIA driver is older than CUDA 13 needs",
		"CUDA failure 100: no CUDA-capable device is detected":                                "shows no GPU; remedy: see what nvidia-smi -L lists",
		"Invalid device ID: 7, must be between 0 (inclusive) and 1 (exclusive).":              "there is no GPU of that number",
		"CUDA failure 101: invalid device ordinal":                                            "there is no GPU of that number",
		"CUDA failure 2: out of memory ; GPU=0":                                               "the GPU's memory is used up; remedy: evaluate fewer states at a time, or free it",
		"BFCArena: Failed to allocate memory for requested buffer of size 1073741824":         "the GPU's memory is used up",
		"CUDA failure 209: no kernel image is available for execution on the device":          "was not built for this GPU",
		"something else": "CUDA device 3: it cannot be used (ONNX Runtime: ",
	} {
		trouble, remedy := cudaTrouble(text, true)
		said := (&CUDAError{Device: 3, Trouble: trouble, Remedy: remedy, Err: errors.New("…")}).Error()
		if !strings.HasPrefix(said, "CUDA device 3: ") || !strings.Contains(said, want) || strings.Contains(said, "--") {
			t.Errorf("%s\nis explained as %q, want %q", text, said, want)
		}
	}
	if trouble, _ := cudaTrouble(load+"libcublasLt.so.13: cannot open shared object file", false); trouble != noDriver {
		t.Errorf("without a driver: %q", trouble)
	}
}

func TestErrorsOfTheCPUAreNotExplained(t *testing.T) {
	cause := errors.New("out of memory")
	if err := (SessionOptions{}).explain(cause); !errors.Is(err, cause) || err.Error() != "infer: ONNX Runtime: out of memory" {
		t.Errorf("%v", err)
	}
}
