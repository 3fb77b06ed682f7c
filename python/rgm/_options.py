"""The options of a search, as types."""

from __future__ import annotations

from typing import Sequence, TypedDict


# The options: made from the table by go generate; do not edit.
class Options(TypedDict, total=False):
    """Options of a search, which all functions but those of distances take as keyword arguments."""

    # a search by its name; auto combines several, rgm is the learned policy, align aligns two graphs by their edges;
    # any other name is one search, which goes on until its limit (auto; with profile: profile)
    method: str
    # the network of a method that has one, by its name; the command line also takes a file (matching for affinity
    # matrices, else qap; of align: align)
    model: str
    # wall clock of a call, with reading and preparing two graphs (none: the search ends by itself)
    time_limit: str | float
    # without time_limit, a search ends by itself, and at the latest after this time (none)
    deadline: str | float
    # steps of a search: actions, swaps, trials (from the size; of a distance none)
    max_steps: int
    # in place of max_steps: steps for each node of the larger graph (none)
    steps_per_node: int
    # steps without a better matching that end a search, the paper's T_es (from the size; none with max_steps or
    # steps_per_node)
    patience: int
    # of instances: an objective at which the search ends (none)
    target: float
    # every random choice comes from it (0)
    seed: int
    # processors that search one instance, or share the pairs of a collection; a search limited by steps has the same
    # result on any number (all for a single instance, else 1)
    threads: int
    # match this many nodes; a method that matches all releases the weakest (any number that pays)
    inliers: int
    # multiply the score of m matches by a function f(m), against outliers: none, f1, f2, f3 (the paper's), mean
    # (1/m), mean:p (1/m^p) or null (1 over the best score of m matches on shuffled edges) (none)
    regularize: str
    # match all nodes of the smaller graph
    complete: bool
    # of two graphs: leave out matches a node of which more likely has no partner than that they are right; right ones
    # may go too
    leave_out: bool
    # known matches, which stay: i:a is node i of graph 1 with node a of graph 2, from 0, or by names where rgm match
    # has files
    fix: Sequence[str]
    # also return the best objective of every number of matches, by the method profile
    profile: bool
    # also return this many of the best matchings, but one of those that differ by a symmetry; of small instances they
    # are proved the best, else the best that searches met (none)
    best: int
    # affinities to search by: given; learned, which a network re-weighs against outliers, unless some are negative;
    # or a model for it; the objective is that of the given ones (given)
    affinity: str
    # searches by the policy that advance side by side (8)
    rollouts: int
    # states of a beam search by the policy, in place of rollouts where more than 1 (1)
    beam: int
    # actions release no matches: the paper's w/o rev.
    irrevocable: bool
    # of instances: where rollouts without releases begin: empty, or supported: each at a match that the leading
    # eigenvector of the affinities favours (empty)
    start: str
    # improve the result of any method: none, rewrite (local rewriting), ipfp, tabu, or a model for it; takes half of
    # the time limit (none)
    refine: str
    # starts of the method faq; the best result counts (1)
    restarts: int
    # of instances: a matching to start from: graph 2's node for each node of graph 1; -1 unmatched
    initial: Sequence[int]
    # of two graphs: which nodes are joined: given (by the graphs), complete (all), delaunay, knn:K (the K nearest),
    # or auto: given, else complete, for larger sets delaunay (auto)
    edges: str
    # of two graphs: what edges are compared by: length, direction (with length; if no graph is turned), weight,
    # features, binary (only that there is an edge), or auto: the first of features, weight, length that both graphs
    # have (auto)
    kernel: str
    # of two graphs: units of lengths: same (for both), free (the mean or median distance of two nodes), or auto: same
    # if these differ by a tenth at most, else what matches better (auto)
    scale: str
    # of two graphs: the attribute of the edges, a number, that is their weight (weight)
    weight: str
    # of two graphs: attributes of nodes, or of edges, by name: those whose values differ are never matched (none)
    must_agree: Sequence[str]
    # of two graphs: weight of the nodes' attributes beside the edges: a number, 0 for none, or auto: from the data,
    # by how well they tell nodes apart (auto)
    node_weight: float
    # of two graphs: how similar nodes are, besides what is compared: rows [i, a, score], nodes of both graphs from 0
    # and a number above 0
    similarity: Sequence[Sequence[float]]
# So far.


# Options of a distance: made from their table by go generate; do not edit.
class DistanceOptions(TypedDict, total=False):
    """Options of a distance, which rgm.distance and rgm.distances take as keyword arguments."""

    # wall clock of a call, with reading and preparing two graphs (none: the search ends by itself)
    time_limit: str | float
    # steps of a search: actions, swaps, trials (from the size; of a distance none)
    max_steps: int
    # every random choice comes from it (0)
    seed: int
    # processors that search one instance, or share the pairs of a collection; a search limited by steps has the same
    # result on any number (all for a single instance, else 1)
    threads: int
    # what edits cost: a model by its name, or the text of a TOML file (on the command line the file); uniform is 1
    # each, 0 if labels are equal (uniform)
    costs: str
    # is the distance at most this? the search ends once that is known (none)
    within: float
    # the edits, one by one
    path: bool
    # at most this many matchings of the same cost, once it is proved (none)
    matchings: int
# So far, of a distance.
