package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// file is a file in an archive.
type file struct {
	name    string
	content []byte
	mode    fs.FileMode
}

// under returns files below a folder.
func under(folder string, files []file) []file {
	moved := slices.Clone(files)
	for k := range moved {
		moved[k].name = folder + "/" + moved[k].name
	}
	return moved
}

// archive writes files into an archive of the ending of its name, .zip, .tar or .tar.gz, which
// depends on them and the commit alone.
func (b *build) archive(name string, files []file) error {
	files = slices.Clone(files)
	slices.SortFunc(files, func(x, y file) int { return strings.Compare(x.name, y.name) })
	var text bytes.Buffer
	write := b.tarball
	switch filepath.Ext(name) {
	case ".zip":
		write = b.zip
	case ".gz":
		write = b.zipped
	}
	if err := write(&text, files); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, name), text.Bytes(), 0o644)
}

func (b *build) zipped(out io.Writer, files []file) error {
	zipped, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(b.tarball(zipped, files), zipped.Close())
}

func (b *build) tarball(out io.Writer, files []file) error {
	w := tar.NewWriter(out)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.content)), Mode: int64(f.mode), ModTime: b.time, Format: tar.FormatUSTAR})
		if err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return w.Close()
}

func (b *build) zip(out io.Writer, files []file) error {
	w := zip.NewWriter(out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: b.time.UTC()}
		header.SetMode(f.mode)
		member, err := w.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := member.Write(f.content); err != nil {
			return err
		}
	}
	return w.Close()
}

// sumsFile has the checksums of all others, as sha256sum -c reads them.
const sumsFile = "SHA256SUMS"

func (b *build) sums() error {
	var text strings.Builder
	err := b.each(func(name string, content []byte) { fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(content), name) })
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, sumsFile), []byte(text.String()), 0o644)
}

// table prints the files and their sizes.
func (b *build) table() error {
	fmt.Println("| file | bytes |\n|---|---:|")
	return b.each(func(name string, content []byte) { fmt.Printf("| %s | %d |\n", name, len(content)) })
}

// each reads the files of the release, by their names.
func (b *build) each(visit func(name string, content []byte)) error {
	entries, err := os.ReadDir(b.out)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(b.out, entry.Name()))
		if err != nil {
			return err
		}
		visit(entry.Name(), content)
	}
	return nil
}
