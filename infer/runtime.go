//go:build cgo

package infer

import (
	"context"
	"fmt"
	"os"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/rgm-go/rgm/infer/ortlib"
)

// The runtime is loaded once a process and stays.
var (
	startMutex sync.Mutex
	loaded     ortlib.Library
)

// start finds or installs the library and loads it.
func start(ctx context.Context, o SessionOptions) error {
	startMutex.Lock()
	defer startMutex.Unlock()
	if !ort.IsInitialized() {
		found, err := o.library(ctx)
		if err != nil {
			return fmt.Errorf("infer: %w", err)
		}
		ort.SetSharedLibraryPath(found.Path)
		if !o.KeepTelemetry {
			if err := withholdTelemetry(); err != nil {
				return err
			}
		}
		if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
			return fmt.Errorf("infer: ONNX Runtime library %s cannot be loaded (want version %s): %w", found.Path, ortlib.Version, err)
		}
		loaded = found
	}
	if o.Provider == CUDA && loaded.Path != "" && !loaded.HasCUDA() {
		return fmt.Errorf("infer: %w: %s", ErrNoCUDA, loaded.Path)
	}
	return nil
}

// telemetryVariable is what ONNX Runtime, which otherwise collects data on its use in
// the user's cache folder and sends them, looks at when it is loaded.
const telemetryVariable = "ORT_DISABLE_TELEMETRY"

// withholdTelemetry keeps ONNX Runtime from collecting, unless the environment says
// what it should do.
func withholdTelemetry() error {
	if _, decided := os.LookupEnv(telemetryVariable); decided {
		return nil
	}
	if err := os.Setenv(telemetryVariable, "1"); err != nil {
		return fmt.Errorf("infer: environment variable %s: %w", telemetryVariable, err)
	}
	return nil
}

// RuntimeVersion returns the version of the ONNX Runtime in use, "" before Open.
func RuntimeVersion() string {
	startMutex.Lock()
	defer startMutex.Unlock()
	if !ort.IsInitialized() {
		return ""
	}
	return ort.GetVersion()
}
