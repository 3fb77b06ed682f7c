//go:build !wasm

package ortlib

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// fetchAddress gets a tarball over HTTP.
func fetchAddress(ctx context.Context, a archive, file string, report meter) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.from, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", a.from, response.Status)
	}
	// One byte more than allowed is let through, so that the check of the size sees it.
	body := io.LimitReader(response.Body, a.pin.size+1)
	if err := save(ctx, file, body, max(response.ContentLength, 0), report); err != nil {
		return fmt.Errorf("%s: %w", a.from, err)
	}
	return nil
}
