// Package parallel runs work side by side.
package parallel
