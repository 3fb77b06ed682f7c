package models

import "github.com/rgm-go/rgm/qap"

// SkipScale is skipScale.
const SkipScale = skipScale

// MakeLinear takes a Gain's hidden layers away.
func MakeLinear(n Network) { clear(n.(*Gain).w2.Data) }

// WithoutHidden reports whether a batch of Advantages leaves out the hidden layers.
func WithoutHidden(b qap.QBatch) bool { _, is := b.(linearBatch); return is }
