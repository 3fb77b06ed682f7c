package testdata

import (
	"os/exec"
	"testing"
)

// PythonWithONNX returns the command of a Python that has the module onnx, whose
// checker judges our model files. Without one the test is skipped.
func PythonWithONNX(t testing.TB) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import onnx").Run() == nil {
			return python
		}
	}
	t.Skip("no python3 with onnx; on Debian: apt-get install python3-onnx")
	return ""
}
