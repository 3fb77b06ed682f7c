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
)

// extract writes the library in the tarball archive to file. The archive has
// been checked; even so nothing but the one member is written, and no more of it
// than its pinned size.
func (s source) extract(ctx context.Context, archive, file string, report meter) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(bufio.NewReader(&reader{ctx: ctx, from: f}))
	if err != nil {
		return err
	}
	members := tar.NewReader(unzipped)
	size, err := seekMember(members, s.member)
	if err != nil {
		return err
	}
	if size > s.library.size {
		return fmt.Errorf("%s: have %d bytes, want at most %d", s.member, size, s.library.size)
	}
	return save(ctx, file, members, size, report)
}

// seekMember moves to the regular file of that name and returns its size.
func seekMember(members *tar.Reader, name string) (int64, error) {
	for {
		header, err := members.Next()
		if errors.Is(err, io.EOF) {
			return 0, fmt.Errorf("the tarball has no %s", name)
		}
		if err != nil {
			return 0, err
		}
		if header.Typeflag == tar.TypeReg && path.Clean(header.Name) == name {
			return header.Size, nil
		}
	}
}
