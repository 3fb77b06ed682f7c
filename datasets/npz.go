package datasets

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ReadNPZ reads one array of a .npz file (a zip archive of .npy files) of size
// bytes: that of the given name, without ".npy". An empty name stands for the
// only array. See ReadNPY for what an array may hold.
func ReadNPZ(r io.ReaderAt, size int64, member string) (Array, error) {
	members, err := npzMembers(r, size, member)
	if err == nil && len(members) > 1 {
		err = fmt.Errorf("the archive holds the arrays %s: name one of them", memberNames(members))
	}
	if err != nil {
		return Array{}, fmt.Errorf("datasets: %w", err)
	}
	file, err := members[0].Open()
	if err != nil {
		return Array{}, fmt.Errorf("datasets: %w", err)
	}
	defer file.Close()
	return ReadNPY(file, int64(members[0].UncompressedSize64))
}

// readNPZ yields the instances of the arrays of an archive, or of one of them, or
// that of a sparse matrix of SciPy.
func readNPZ(s source, o Options, yield yieldFunc) {
	members, err := npzMembers(s.r, s.size, o.Member)
	if err != nil {
		yield(nil, s.errorf(0, "%w", err))
		return
	}
	if isSciPy(members) {
		m, err := readSciPy(s.r, s.size)
		if err != nil {
			yield(nil, s.errorf(0, "%w", err))
			return
		}
		yield(m.instance(s, o))
		return
	}
	for _, member := range members {
		if !readMember(s.part(memberName(member)), member, o, yield) {
			return
		}
	}
}

// readMember yields the instances of one array, and reports whether to go on.
func readMember(s source, member *zip.File, o Options, yield yieldFunc) bool {
	s.file += ": " + member.Name
	file, err := member.Open()
	if err != nil {
		return yield(nil, s.errorf(0, "%w", err))
	}
	defer file.Close()
	stream, err := openNPY(file, int64(member.UncompressedSize64))
	if err != nil {
		return yield(nil, s.errorf(0, "%w", err))
	}
	return readAffinities(s, stream, o, yield)
}

// npzMembers returns the arrays of an archive, or the one of a name, once their
// claimed lengths are found credible.
func npzMembers(r io.ReaderAt, size int64, name string) ([]*zip.File, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("not a .npz file: %w", err)
	}
	if err := checkInflation(archive.File, size); err != nil {
		return nil, err
	}
	var named []*zip.File
	for _, member := range archive.File {
		if name == "" || name == memberName(member) {
			named = append(named, member)
		}
	}
	switch {
	case len(archive.File) == 0:
		return nil, fmt.Errorf("the archive is empty")
	case len(named) == 0:
		return nil, fmt.Errorf("the archive holds no array %q, but %s", name, memberNames(archive.File))
	}
	return named, nil
}

// checkInflation refuses archives that claim to be far larger than they are.
// Members may overlap, so that the sum counts. Deflate reaches a factor of 1000;
// affinity matrices seldom 100.
func checkInflation(members []*zip.File, size int64) error {
	const factor, harmless = 200, 1 << 20
	credible := factor*uint64(size) + harmless
	claimed := uint64(0)
	for _, member := range members {
		if member.UncompressedSize64 > credible-claimed {
			return fmt.Errorf("%s would inflate the archive of %d bytes to more than %d: store it uncompressed (numpy.savez) or as .npy",
				member.Name, size, credible)
		}
		claimed += member.UncompressedSize64
	}
	return nil
}

// memberName returns what NumPy calls a member.
func memberName(member *zip.File) string { return strings.TrimSuffix(member.Name, ".npy") }

// memberNames lists the first few members.
func memberNames(members []*zip.File) string {
	const shown = 8
	var names []string
	for _, member := range members[:min(shown, len(members))] {
		names = append(names, memberName(member))
	}
	if len(members) > shown {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// ErrSparse is wrapped by the error of ReadArrays for a sparse matrix of SciPy, which
// ReadSparse reads.
var ErrSparse = errors.New("the archive is a sparse matrix of SciPy")

// ReadArrays reads all arrays of a .npz file of a name, which r holds in size bytes, by their
// names (see ReadNPY).
func ReadArrays(name string, r io.ReaderAt, size int64) (map[string]Array, error) {
	s := source{file: name, name: instanceName(name), r: r, size: size}
	members, err := npzMembers(s.r, s.size, "")
	switch {
	case err != nil:
		return nil, s.errorf(0, "%w", err)
	case isSciPy(members):
		return nil, s.errorf(0, "%w", ErrSparse)
	}
	archive, arrays := npzArchive{members: members}, map[string]Array{}
	for _, member := range members {
		name := memberName(member)
		if arrays[name], err = archive.array(name); err != nil {
			return nil, s.errorf(0, "%w", err)
		}
	}
	return arrays, nil
}
