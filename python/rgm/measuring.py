"""How far two graphs are from each other, and the graphs of a collection."""

from __future__ import annotations

import json
import math
from contextlib import ExitStack
from typing import Any, Iterable, Mapping

from . import _interrupt, _library, _memory, edits
from ._library import OnBest
from .graphs import as_graph
from .measured import Distance, Distances


def distance(
    graph1: Any, graph2: Any, *, costs: Any = None, path: bool = True, on_best: OnBest | None = None, **options: Any,
) -> Distance:
    """Finds how far two graphs are from each other, as ``rgm distance`` does: the least cost of deleting, inserting and
    substituting nodes and edges so that graph 1 becomes graph 2.

    Graphs are those of match. costs is the name of a model (uniform, chem2, letter, grec, protein, common), the name of a file
    that ends in .toml, its text, or a dictionary of what it has. Words of nodes and edges are what uniform costs compare. A
    dictionary may also have networkx's functions, such as node_match and edge_del_cost (see graph_edit_distance); then edges
    from a node to itself count, which else are left out.

    Further options are time_limit, max_steps, seed, and within, which ends the search once the distance is known to be at most that, or
    more. Without a limit it goes on until the distance is proved. on_best is called with each better distance (objective) and
    lower_bound; where it returns True the search ends.

    >>> import networkx as nx, rgm
    >>> result = rgm.distance(nx.cycle_graph(5), nx.path_graph(5))
    >>> result.distance, result.lower_bound, result.status
    (1, 1, 'optimal')
    >>> [edit for edit in result.path if edit.cost > 0][0].edit
    'delete'
    """
    functions = edits.functions_of(costs)
    if functions is not None:
        return edits.Problem(graph1, graph2, functions).distance({**options, "path": path}, on_best)
    g1, g2 = as_graph("graph1", graph1), as_graph("graph2", graph2)
    with g1._open() as one, g2._open() as two:
        found = _library.distance(one, two, {**options, "costs": _costs(costs), "path": path}, g1.nodes, on_best)
    return _interrupt.returned(Distance.of(found, (g1, g2)), found.interrupted)


def distances(graphs: Iterable[Any], others: Iterable[Any] | None = None, *, costs: Any = None, **options: Any) -> Distances:
    """Measures all pairs of graphs, or each graph with each of the others, on all processors.

    Graphs and costs are those of distance. time_limit and max_steps are of each pair, threads is how many processors share
    them. With within, pairs that are farther apart are only known to be so: their lower_bound is above it.

    >>> import networkx as nx, rgm
    >>> rgm.distances([nx.path_graph(3), nx.path_graph(4), nx.cycle_graph(4)]).distance
    array([[0., 2., 3.],
           [2., 0., 1.],
           [3., 1., 0.]])
    """
    if edits.functions_of(costs) is not None:
        raise ValueError("costs has functions: these are for two graphs, see rgm.distance")
    with ExitStack() as opened:
        def handles(name: str, given: Iterable[Any]) -> list[_library.Handle]:
            return [opened.enter_context(as_graph(f"{name}[{k}]", g)._open()) for k, g in enumerate(given)]

        ones = handles("graphs", graphs)
        twos = None if others is None else handles("others", others)
        pairs = len(ones) * len(ones if twos is None else twos)
        _memory.check(f"the distances of {pairs} pairs", 16.0 * pairs, "want fewer graphs at a time")
        found = _library.distances(ones, twos, {**options, "costs": _costs(costs)})
    return _interrupt.returned(Distances(*found[:2]), found[2])


def _costs(given: Any) -> str | None:
    """Costs as the option has them: a name, or text in TOML."""
    if isinstance(given, Mapping):
        return "\n".join(f"{name} = {_toml(value)}" for name, value in given.items())
    if given is not None and not isinstance(given, str):
        raise ValueError(f"costs is {type(given).__name__} {given!r:.60}: want a name, a file that ends in .toml, or a dictionary of what it has")
    if given is not None and given.endswith(".toml") and "=" not in given:
        with open(given, encoding="utf-8") as file:
            return file.read()
    return given


def _toml(value: Any) -> str:
    """A value as TOML has it inline."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(name))} = {_toml(of)}" for name, of in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return "inf" if value > 0 else "nan"
    return json.dumps(value)
