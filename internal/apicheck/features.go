package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// listed is a package as go list tells of it.
type listed struct {
	ImportPath string
	Name       string
	Export     string // file of its export data
	Module     *struct {
		Path string
		Main bool
	}
}

// exported returns the features of the packages of the module around a folder that other
// modules can import.
func exported(folder string) (set, error) {
	packages, err := list(folder)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, p := range packages {
		files[p.ImportPath] = p.Export
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(files[path])
	})
	features := set{}
	for _, p := range packages {
		if !p.public() {
			continue
		}
		pkg, err := compiled.Import(p.ImportPath)
		if err != nil {
			return nil, err
		}
		l := lister{module: p.Module.Path, pkg: pkg, features: features}
		l.list()
	}
	return features, nil
}

// list returns the packages of the module and those they import.
func list(folder string) ([]listed, error) {
	command := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Export,Module", "./...")
	command.Dir, command.Stderr = folder, os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	var packages []listed
	decoder := json.NewDecoder(out)
	for {
		var p listed
		if err = decoder.Decode(&p); err != nil {
			break
		}
		packages = append(packages, p)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err := errors.Join(err, command.Wait()); err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return packages, nil
}

// public reports whether other modules can import the package.
func (p *listed) public() bool {
	return p.Module != nil && p.Module.Main && p.Name != "main" && p.Export != "" &&
		!slices.Contains(strings.Split(p.ImportPath, "/"), "internal")
}

// lister lists what a package exports.
type lister struct {
	module   string
	pkg      *types.Package
	features set
}

func (l *lister) list() {
	scope := l.pkg.Scope()
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			l.add("const %s %s = %s", name, l.text(object.Type()), object.Val().ExactString())
		case *types.Var:
			l.add("var %s %s", name, l.text(object.Type()))
		case *types.Func:
			l.add("func %s%s", name, l.signature(object))
		case *types.TypeName:
			l.addType(object)
		}
	}
}

func (l *lister) add(format string, values ...any) {
	path := strings.TrimPrefix(strings.TrimPrefix(l.pkg.Path(), l.module), "/")
	l.features["pkg "+path+", "+fmt.Sprintf(format, values...)] = true
}

// addType lists a type with its fields and methods.
func (l *lister) addType(name *types.TypeName) {
	if name.IsAlias() {
		l.add("type %s = %s", name.Name(), l.text(types.Unalias(name.Type())))
		return
	}
	named := name.Type().(*types.Named)
	label := name.Name() + l.parameters(named.TypeParams())
	switch t := named.Underlying().(type) {
	case *types.Struct:
		l.addStruct(label, named, t)
	case *types.Interface:
		l.addInterface(label, t)
		return // its methods are among its lines
	default:
		l.add("type %s %s", label, l.text(t))
	}
	values := types.NewMethodSet(named)
	for method := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		object := method.Obj().(*types.Func)
		if !object.Exported() {
			continue
		}
		receiver := "*" + name.Name()
		if values.Lookup(object.Pkg(), object.Name()) != nil {
			receiver = name.Name()
		}
		l.add("method (%s) %s%s", receiver, object.Name(), l.signature(object))
	}
}

// parameters returns the list of type parameters with their constraints, "" for none.
func (l *lister) parameters(list *types.TypeParamList) string {
	var all []string
	for p := range list.TypeParams() {
		all = append(all, p.Obj().Name()+" "+l.text(p.Constraint()))
	}
	if len(all) == 0 {
		return ""
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func (l *lister) addStruct(label string, named *types.Named, t *types.Struct) {
	l.add("type %s struct", label)
	if types.Comparable(named) {
		l.add("type %s struct, comparable", label)
	}
	for field := range t.Fields() {
		switch {
		case !field.Exported():
		case field.Embedded():
			l.add("type %s struct, embedded %s", label, l.text(field.Type()))
		default:
			l.add("type %s struct, %s %s", label, field.Name(), l.text(field.Type()))
		}
	}
}

func (l *lister) addInterface(label string, t *types.Interface) {
	if !t.IsMethodSet() { // a constraint
		l.add("type %s %s", label, l.text(t))
		return
	}
	var methods []string
	unexported := false
	for method := range t.Methods() {
		if method.Exported() {
			methods = append(methods, method.Name()+l.signature(method))
		} else {
			unexported = true
		}
	}
	slices.Sort(methods)
	if !unexported {
		l.add("type %s interface { %s }", label, strings.Join(methods, "; "))
		return
	}
	l.add("type %s interface, unexported methods", label)
	for _, m := range methods {
		l.add("type %s interface, %s", label, m)
	}
}

// signature returns what follows the name of a function.
func (l *lister) signature(f *types.Func) string {
	s := f.Signature()
	return l.parameters(s.TypeParams()) + strings.TrimPrefix(l.text(types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())), "func")
}

// text returns a type as the package itself would write it, other packages by their paths.
func (l *lister) text(t types.Type) string {
	return types.TypeString(nameless(t), func(p *types.Package) string {
		if p == l.pkg {
			return ""
		}
		return strings.TrimPrefix(p.Path(), l.module+"/")
	})
}

// nameless returns a type without the names of parameters.
func nameless(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Pointer:
		return types.NewPointer(nameless(t.Elem()))
	case *types.Slice:
		return types.NewSlice(nameless(t.Elem()))
	case *types.Array:
		return types.NewArray(nameless(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(nameless(t.Key()), nameless(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), nameless(t.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, namelessTuple(t.Params()), namelessTuple(t.Results()), t.Variadic())
	}
	return t
}

func namelessTuple(t *types.Tuple) *types.Tuple {
	var all []*types.Var
	for v := range t.Variables() {
		all = append(all, types.NewParam(token.NoPos, nil, "", nameless(v.Type())))
	}
	return types.NewTuple(all...)
}
