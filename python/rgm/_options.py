"""The options of a search, as types."""

from __future__ import annotations

from typing import Sequence, TypedDict


# The options: made from the table.
class Options(TypedDict, total=False):
    """Options of a search, which all functions but those of distances take as keyword arguments."""

    # the search by its name: auto combines several, rgm is the learned policy, align aligns two graphs by their
    # edges, any other name is that search alone; each goes on until its limit (auto; with profile: profile)
    method: str
    # the network of a method that has one, by its name; the command line also takes a file (matching for affinity
    # matrices, else qap; of align: align)
    model: str
    # wall clock of a call; what reads and prepares two graphs counts (none: the search ends by itself)
    time_limit: str | float
    # a search without time_limit ends by itself, and at the latest after this time (none)
    deadline: str | float
    # steps of a search: actions, swaps, trials (from the size; of a distance none)
    max_steps: int
    # in place of max_steps: steps for each node of the larger graph (none)
    steps_per_node: int
    # steps without a better matching that end a search, the paper's T_es (from the size; none with max_steps or
    # steps_per_node)
    patience: int
    # of instances: an objective that is good enough: the search ends there (none)
    target: float
    # every random choice comes from it (0)
    seed: int
    # processors that search one instance, or share the pairs of a collection; where steps limit the search its result
    # is the same on any number (all for a single instance, else 1)
    threads: int
    # match this many nodes; of a method that matches all, the weakest are released (any number that pays)
    inliers: int
    # multiply the score of m matches by a function f(m), against outliers: none, f1, f2, f3 (the paper's), mean
    # (1/m), mean:p (1/m^p) or null (1 over the best score of m matches on shuffled edges) (none)
    regularize: str
    # match all nodes of the smaller graph
    complete: bool
    # matches that are known and stay: i:a, node i of graph 1 with node a of graph 2, from 0
    fix: Sequence[str]
    # the result has the best objective of every number of matches, by the method profile
    profile: bool
    # the result has so many of the best matchings, of those that a symmetry takes to one another one: the best there
    # are in small instances, else those that searches came to (none)
    best: int
    # affinities to search by: given, or learned, against outliers; learned are those that a network re-weighed, but
    # where some are negative; also a model of that sort; the objective is that of the given ones (given)
    affinity: str
    # searches by the policy that advance side by side (8)
    rollouts: int
    # states of a beam search by the policy, in place of rollouts where more than 1 (1)
    beam: int
    # actions release no matches: the paper's w/o rev.
    irrevocable: bool
    # of instances: where rollouts begin that release no matches: empty, or supported, each at a match that the
    # leading eigenvector of the affinities favours (empty)
    start: str
    # improve the result of any method: none, rewrite (local rewriting), ipfp or tabu, or a model that does; takes
    # half of the time limit (none)
    refine: str
    # starts of the method faq; the best result counts (1)
    restarts: int
    # of instances: a matching to start from: graph 2's node for each node of graph 1; -1 unmatched
    initial: Sequence[int]
    # of two graphs: which nodes are joined: given (by the graphs), complete (all), delaunay, knn:K (the K nearest),
    # or auto; auto is given, else complete, for larger sets delaunay (auto)
    edges: str
    # of two graphs: what of two edges is compared: length, direction (with length; for graphs that are not turned),
    # weight, features, binary (nothing: only that there is an edge), or auto; auto is the first that both graphs have
    # of features, weight, length (auto)
    kernel: str
    # of two graphs: units of lengths: same (in both), free (the mean or median distance of two nodes), or auto; auto
    # is same where these differ by a tenth at most, else what matches better (auto)
    scale: str
    # of two graphs: the attribute of the edges, a number, by which they are compared as their weight (weight)
    weight: str
    # of two graphs: attributes of nodes, or of edges, by name: those whose values differ are never matched (none)
    must_agree: Sequence[str]
    # of two graphs: what the attributes of the nodes weigh beside the edges: a number, 0 for nothing, or auto; auto
    # is by how well they tell nodes apart, from the data (auto)
    node_weight: float
    # of two graphs: how alike nodes are, besides what is compared: rows [i, a, score], nodes of both graphs from 0
    # and a number above 0
    similarity: Sequence[Sequence[float]]
# So far.


# Options of a distance: made from their table.
class DistanceOptions(TypedDict, total=False):
    """Options of a distance, which rgm.distance and rgm.distances take as keyword arguments."""

    # wall clock of a call; what reads and prepares two graphs counts (none: the search ends by itself)
    time_limit: str | float
    # steps of a search: actions, swaps, trials (from the size; of a distance none)
    max_steps: int
    # every random choice comes from it (0)
    seed: int
    # processors that search one instance, or share the pairs of a collection; where steps limit the search its result
    # is the same on any number (all for a single instance, else 1)
    threads: int
    # what edits cost: a model by its name, or the text of a TOML file; the command line takes the file; uniform is 1
    # each, 0 where labels are equal (uniform)
    costs: str
    # is the distance at most this? the search ends once that is known (none)
    within: float
    # the edits, one by one
    path: bool
    # at most so many matchings of the same cost, once it is proved (none)
    matchings: int
# So far, of a distance.
