"""The options of a search, as types."""

from __future__ import annotations

from typing import Sequence, TypedDict


# The options: made from the table by go generate; do not edit.
class Options(TypedDict, total=False):
    """Options of a search, which all functions but those of distances take as keyword arguments."""

    # the search, by its name; auto combines several, rgm follows the trained policy, align matches two graphs by
    # their edges; every other name is that one search (auto, or profile if that is set)
    method: str
    # the network, by its name, of a method that uses one; the command line also takes a file (matching for affinity
    # matrices, qap for flows and distances, align for align)
    model: str
    # longest time of a call, reading and preparing two graphs included (none: the search ends by itself)
    time_limit: str | float
    # for a search without time_limit: it ends by itself, but no later than this (none)
    deadline: str | float
    # most steps of a search, or of each rollout; a step is an action, a swap or a trial (from the size, or none for a
    # distance)
    max_steps: int
    # in place of max_steps: steps for each node of the larger graph (none)
    steps_per_node: int
    # end a search after this many steps without a better matching (from the size, or none with max_steps or
    # steps_per_node)
    patience: int
    # of instances: end a search at this objective, or a better one (none)
    target: float
    # seed of all random choices (0)
    seed: int
    # processors for one search, or for all pairs of a collection; a search limited by steps has the same result on
    # any number (all for a single instance, else 1)
    threads: int
    # match this many nodes; a method that matches all of them then releases the weakest matches (as many as raise the
    # objective)
    inliers: int
    # multiply the score of m matches by f(m), so that outliers can stay unmatched: none, f1, f2, f3 (of the paper),
    # mean (1/m), mean:p (1/m^p) or null (1 over the best score of m matches on shuffled edges) (none)
    regularize: str
    # match all nodes of the smaller graph
    complete: bool
    # of two graphs: after the search, remove each match that is less likely to be right than to have a node without a
    # partner; right matches can be removed too
    leave_out: bool
    # known matches, which the result keeps: i:a for node i of graph 1 and node a of graph 2, counted from 0, or in
    # rgm match their names
    fix: Sequence[str]
    # also return the best matching found of every size
    profile: bool
    # also return this many of the best matchings, one of those that differ only by a symmetry; for small instances it
    # is proved that none are better (none)
    best: int
    # affinities to search by: given, learned (a network re-weighs them), or a model that re-weighs them; learned ones
    # let outliers stay unmatched; if some are negative, all stay as given; the objective always counts the given ones
    # (given)
    affinity: str
    # searches by the policy that advance side by side (8)
    rollouts: int
    # width of a beam search by the policy; above 1 it takes the place of rollouts (1)
    beam: int
    # the policy never releases a match: w/o rev. in the paper
    irrevocable: bool
    # of instances: where rollouts without releases begin: empty, or supported, each then at a match that the leading
    # eigenvector of the affinities favours (empty)
    start: str
    # improve the result of any method: none, rewrite (local rewriting), ipfp, tabu, or a model for it; takes half of
    # the time limit (none)
    refine: str
    # starts of the method faq; the best result counts (1)
    restarts: int
    # of instances: a matching to start from: for each node of graph 1 its node of graph 2, or -1
    initial: Sequence[int]
    # of two graphs: which nodes are joined: given (by the graphs), complete (all), delaunay, knn:K (the K nearest),
    # or auto: given if there are edges, else complete, for many points delaunay (in space knn:8) (auto)
    edges: str
    # of two graphs: what edges are compared by: length, direction (and length, if neither graph is turned), weight,
    # features, binary (only that there is an edge), or auto: the first of features, weight, length that both graphs
    # have (auto)
    kernel: str
    # of two graphs: unit of lengths: same (for both graphs), free (the mean or median distance of two nodes in each),
    # or auto: same if the mean distances differ by at most a tenth, else what matches better (auto)
    scale: str
    # of two graphs: edge attribute, a number, that is the weight (weight)
    weight: str
    # of two graphs: names of attributes that must be equal: nodes that differ are never matched, edges that differ
    # never shared (none)
    must_agree: Sequence[str]
    # of two graphs: how much the attributes of nodes count beside the edges: a number, or auto: from the data, by how
    # well they tell nodes apart (auto)
    node_weight: float
    # of two graphs: how similar nodes are, beside what is compared: rows [i, a, score], node i of graph 1, node a of
    # graph 2, both from 0, and a number above 0
    similarity: Sequence[Sequence[float]]
# So far.


# Options of a distance: made from their table by go generate; do not edit.
class DistanceOptions(TypedDict, total=False):
    """Options of a distance, which rgm.distance and rgm.distances take as keyword arguments."""

    # longest time of a call, reading and preparing two graphs included (none: the search ends by itself)
    time_limit: str | float
    # most steps of a search, or of each rollout; a step is an action, a swap or a trial (from the size, or none for a
    # distance)
    max_steps: int
    # seed of all random choices (0)
    seed: int
    # processors for one search, or for all pairs of a collection; a search limited by steps has the same result on
    # any number (all for a single instance, else 1)
    threads: int
    # what edits cost: the name of a model, or the text of a TOML file (on the command line the file); uniform is 1
    # for each edit, 0 if labels are equal (uniform)
    costs: str
    # only find out whether the distance is at most this (none)
    within: float
    # also return the edits, one by one
    path: bool
    # also return up to this many matchings whose cost is the distance, once that is proved (none)
    matchings: int
# So far, of a distance.
