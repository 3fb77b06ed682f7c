//go:build cgo

package infer

import (
	"errors"
	"strconv"

	ort "github.com/yalue/onnxruntime_go"
)

// appendCUDA lets a session compute on a GPU. Products stay in float32: with the
// 10 bits of TF32, CUDA's default, Q would differ from the CPU's by 1e-3.
func appendCUDA(session *ort.SessionOptions, device int) (err error) {
	options, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, options.Destroy()) }()
	// Update is the first call to load CUDA, and says what it lacks.
	err = options.Update(map[string]string{"device_id": strconv.Itoa(device), "use_tf32": "0"})
	if err != nil {
		return err
	}
	return session.AppendExecutionProviderCUDA(options)
}
