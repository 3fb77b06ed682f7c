// Package costs says what edits of graphs cost, and makes problems of package qap/edit of graphs as files have them.
//
// A Model has costs of deleting, inserting and substituting nodes and edges, by their attributes: a named one (see
// Named), or one that a TOML file describes (see Read). A Collection is graphs under a model, any two of which are a
// Problem; tables of costs that come from elsewhere make one by NewProblem. Costs are turned into integers by their
// common unit; where there is none they are rounded to a small part of the whole, and lower bounds allow for that.
package costs
