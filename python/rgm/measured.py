"""What is known of distances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Hashable, Iterable, Mapping, NamedTuple

import numpy as np

from . import _library, _pictures
from .graphs import Graph


class Edit(NamedTuple):
    """One of the edits that turn graph 1 into graph 2.

    a and b are a node, or of an edge the pair of nodes that it joins; a is None of what is inserted, b of what is deleted. A
    substitution that costs nothing keeps a node or an edge.
    """

    edit: str  # substitute, delete or insert
    what: str  # node or edge
    a: Any
    b: Any
    cost: float


@dataclass
class Distance:
    """The least cost of edits from graph 1 to graph 2, or what is known of it.

    ``distance`` is what the edits of ``path`` cost, which add up to it; no edits cost less than ``lower_bound``. Where both meet
    ``status`` is optimal. ``matching[i]`` is the node of graph 2 that node i of graph 1 becomes, -1 where it is deleted.
    ``similarity`` is 1 for graphs that are equal, and 0 for those of which nothing is kept. ``within`` says whether the distance
    is at most what was asked for, None where that is not known. ``record`` has all fields of rgm distance --format json.
    """

    distance: float
    lower_bound: float
    status: str
    matching: np.ndarray
    path: list[Edit] = field(repr=False)
    similarity: float
    within: bool | None
    seconds: float
    steps: int
    record: dict[str, Any] = field(repr=False)
    graphs: tuple[Graph, Graph] = field(repr=False)

    @classmethod
    def of(cls, found: _library.Found, graphs: tuple[Graph, Graph]) -> "Distance":
        r = found.record
        return cls(
            r["distance"], r["lower_bound"], r["status"], found.parts[_library.MATCHING], _path(r.pop("path", ()), graphs), r["similarity"],
            r.get("within"), r["seconds"], r["steps"], r, graphs)

    @property
    def optimal(self) -> bool:
        """Whether the distance was proved to be the least."""
        return self.status == "optimal"

    @property
    def pairs(self) -> list[tuple[Hashable, Hashable]]:
        """The nodes that are kept or substituted, by their names."""
        one, two = (g.names for g in self.graphs)
        return [(one[i], two[a]) for i, a in enumerate(self.matching.tolist()) if a >= 0]

    @property
    def mapping(self) -> dict[Hashable, Hashable]:
        """The pairs as a dictionary."""
        return dict(self.pairs)

    def plot(self, ax: Any = None, view: str = "auto") -> Any:
        """Draws both graphs, and what is kept, changed, deleted and inserted, with matplotlib; returns the axes."""
        return _pictures.graphs(ax, self.graphs, self.matching, path=self.path, view=view)


def _path(edits: Iterable[Mapping[str, Any]], graphs: tuple[Graph, Graph]) -> list[Edit]:
    """The edits by the names of the nodes, which the library knows by their numbers."""

    def ends(g: Graph, numbers: list[str] | None) -> Any:
        if numbers is None:
            return None
        names = tuple(g.names[int(k)] for k in numbers)
        return names if len(names) == 2 else names[0]

    return [Edit(e["edit"], e["what"], ends(graphs[0], e.get("a")), ends(graphs[1], e.get("b")), e["cost"]) for e in edits]


class Distances(NamedTuple):
    """The distances of many pairs: arrays of a row for each graph. A pair that was not measured, since Ctrl-C ended it, is NaN."""

    distance: np.ndarray
    lower_bound: np.ndarray

    @property
    def proved(self) -> np.ndarray:
        """Where the distance is known."""
        return self.distance <= self.lower_bound + 1e-9 * np.abs(self.distance)
