package ortlib

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// extract writes the members of a that are wanted from its tarball into folder.
// The tarball has been checked; even so nothing but these members is written, and
// no more of each than its pinned size.
func (a archive) extract(ctx context.Context, tarball, folder string, report meter) error {
	f, err := os.Open(tarball)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(bufio.NewReader(&reader{ctx: ctx, from: f}))
	if err != nil {
		return err
	}
	members := tar.NewReader(unzipped)
	wanted := slices.Clone(a.members)
	for len(wanted) > 0 {
		header, err := members.Next()
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("the tarball has no %s", wanted[0].path)
		}
		if err != nil {
			return err
		}
		k := slices.IndexFunc(wanted, func(m member) bool { return m.path == path.Clean(header.Name) })
		if k < 0 || header.Typeflag != tar.TypeReg {
			continue
		}
		if size, most := header.Size, wanted[k].pin.size; size > most {
			return fmt.Errorf("%s: have %d bytes, want at most %d", wanted[k].path, size, most)
		}
		if err := save(ctx, filepath.Join(folder, wanted[k].file), members, header.Size, report); err != nil {
			return err
		}
		wanted = slices.Delete(wanted, k, k+1)
	}
	return nil
}
