// Package graphs reads graphs and sets of points from the files that users have (Open). Package compare makes of two of
// them what is searched.
package graphs
