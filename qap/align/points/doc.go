// Package points finds which point of one set is which of another that is turned, moved, scaled and perhaps mirrored, with
// noise, and where many points have no partner: in the plane or in space, up to millions of them.
//
// Four points near each other are described by their six distances in a unit of their own, which no turn, move, scale or
// mirror changes. Those of some points of one set are looked up among those of the other; each likely pair of fours
// tells a transform, which is tried on the points around, and while it puts clearly more of them on points of the other set than
// chance does, it is fitted to them by least squares and tried on twice as many, up to all. What is
// left is a sparse assignment: which pairs are likelier to be the same point than to be by chance near each other, by
// the noise and the share of points with partners, both learned from the distances.
//
// Sources: fours of points as codes, Lang, Hogg, Mierle, Blanton and Roweis, doi:10.1088/0004-6256/139/5/1782; least squares of a
// transform, Umeyama, doi:10.1109/34.88573; fits and nearest points in turns, Besl and McKay, doi:10.1109/34.121791.
package points
