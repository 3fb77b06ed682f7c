// Package table reads the tags of a struct of options, from which flags, JSON, its schema and
// the types of other languages are made.
package table

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Field is a field of a struct that travels as JSON, as its tags say:
//
//	json       its name
//	doc        what it is for; what follows "; " is left out of short lists, but not a default in brackets at the end
//	default    the value that stands for none
//	kinds      the kinds of instance that have it (all)
//	for        the calls that have it: solve, match, distance (solve and match)
//	first      the calls that have it on the first screen of help (none)
//	group      the title that it stands below in the whole help
//	enum       its values, with commas
//	choices    the name of the values that are found out when a program starts: Choices
//	minimum
//	maximum, maxLength   of requests from outside
//	flag       "-" where the command line has no flag of this name
//	file       the flag that takes a file of it
//	opposite   the flag that says the opposite
//	usage      the help of that flag
//	null       set where an array may be null
type Field struct {
	Name, Doc, Default string
	GoName             string
	Type               reflect.Type
	Index              int
	Required           bool // no omitempty
	Null               bool
	Kinds, Enum        []string
	For, First         []string
	Group, Flag        string
	File, Opposite     string
	Usage              string
	Choices            string
	Minimum, Maximum   string // as in the tag
	MaxLength          int
}

// Choices are the values of fields by their tag choices: names of methods, models and
// affinities. A field whose values are not known here takes any.
type Choices map[string][]string

// Values returns what a field may have, nil for anything.
func (c Choices) Values(f *Field) []string {
	if f.Choices != "" {
		return c[f.Choices]
	}
	return f.Enum
}

// fields has what Of found.
var fields sync.Map

// Caller is a struct of options of one call, which has the fields of that call alone.
type Caller interface{ Call() string }

// callDistance is the call whose fields others do not have unless they say so.
const callDistance = "distance"

// Of returns the fields of a struct that have a JSON name: of a Caller those of its call, of another struct all but
// those that only a distance has.
func Of(t reflect.Type) []Field {
	if known, found := fields.Load(t); found {
		return known.([]Field)
	}
	call := ""
	if of, is := reflect.Zero(t).Interface().(Caller); is {
		call = of.Call()
	}
	all := For(t, call)
	fields.Store(t, all)
	return all
}

// For returns the fields that a call has; of "" those that any call but a distance has.
func For(t reflect.Type, call string) []Field {
	var all []Field
	for k := range t.NumField() {
		field := t.Field(k)
		tag := field.Tag
		name, rest, _ := strings.Cut(tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f := Field{
			Name: name, Doc: tag.Get("doc"), Default: tag.Get("default"), GoName: field.Name, Type: field.Type, Index: k,
			Required: !strings.Contains(rest, "omitempty"), Null: tag.Get("null") != "",
			Kinds: list(tag.Get("kinds")), Enum: list(tag.Get("enum")), For: list(tag.Get("for")), First: list(tag.Get("first")),
			Group: tag.Get("group"), Flag: tag.Get("flag"), File: tag.Get("file"), Opposite: tag.Get("opposite"), Usage: tag.Get("usage"), Choices: tag.Get("choices"),
			Minimum: tag.Get("minimum"), Maximum: tag.Get("maximum"),
		}
		f.MaxLength, _ = strconv.Atoi(tag.Get("maxLength")) // 0 without the tag
		if f.has(call) {
			all = append(all, f)
		}
	}
	return all
}

func (f *Field) has(call string) bool {
	switch {
	case call == "":
		return !slices.Equal(f.For, []string{callDistance})
	case f.For == nil:
		return call != callDistance
	}
	return slices.Contains(f.For, call)
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// Flags returns the flags that the command line has for the field.
func (f *Field) Flags() []string {
	own := strings.ReplaceAll(f.Name, "_", "-")
	if f.Flag == "-" {
		own = ""
	}
	return slices.DeleteFunc([]string{own, f.File, f.Opposite}, func(name string) bool { return name == "" })
}

// About returns what the field is for, of what, and its default.
func (f *Field) About() string {
	about := f.Doc
	if f.Default != "" {
		about += " (" + f.Default + ")"
	}
	if f.Kinds == nil {
		return about
	}
	return "of kind " + strings.Join(f.Kinds, " or ") + ": " + about
}
