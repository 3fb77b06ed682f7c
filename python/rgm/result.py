"""What a search found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Hashable, Sequence

import numpy as np

from . import _library

if TYPE_CHECKING:
    from .graphs import Graph


@dataclass
class Result:
    """A matching, and what is known of it.

    ``matching[i]`` is the node of graph 2 for node i of graph 1, -1 for none; ``objective`` is in the problem's own
    sense. ``record`` has all fields of the service's result (docs/CLI_JSON.md), ``graphs`` the two graphs where there
    were such. ``confidence`` says of each node how likely its match is right, or that it has no partner where its match
    was left out, and ``sure`` whether it is right with .99 or more; they are None of problems without a truth, such as
    assignments. Of graphs that were aligned, ``witnesses`` and ``margins`` say what speaks for it.
    """

    matching: np.ndarray
    objective: float
    status: str
    found_by: str
    seconds: float
    steps: int
    record: dict[str, Any] = field(repr=False)
    nodes: tuple[int, int] = field(repr=False)
    graphs: tuple["Graph", "Graph"] | None = field(default=None, repr=False)
    sure: np.ndarray | None = field(default=None, repr=False)
    witnesses: np.ndarray | None = field(default=None, repr=False)
    margins: np.ndarray | None = field(default=None, repr=False)
    confidence: np.ndarray | None = field(default=None, repr=False)

    @classmethod
    def of(cls, found: _library.Found, nodes: tuple[int, int], graphs: tuple["Graph", "Graph"] | None = None) -> "Result":
        """The result of what the library found."""
        r, parts = found.record, found.parts

        def part(number: int) -> np.ndarray | None:
            values = parts.get(number)
            return values if values is not None and len(values) else None

        sure, confidence = part(_library.SURE), part(_library.CONFIDENCE)
        return cls(
            parts[_library.MATCHING], r["objective"], r["status"], r["found_by"], r["seconds"], r["steps"], r, nodes, graphs,
            None if sure is None else sure.astype(bool), part(_library.WITNESSES), part(_library.MARGINS),
            None if confidence is None else confidence / 10_000,
        )

    @property
    def optimal(self) -> bool:
        """Whether the matching was proved to be the best."""
        return self.status == "optimal"

    @property
    def matrix(self) -> np.ndarray:
        """The matching as a 0/1 matrix: a row for each node of graph 1, a column for each of graph 2.

        >>> import rgm
        >>> rgm.solve([[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]], 2, 2).matrix
        array([[1, 0],
               [0, 1]])
        """
        x = np.zeros(self.nodes, np.int64)
        matched = np.flatnonzero(self.matching >= 0)
        x[matched, self.matching[matched]] = 1
        return x

    @property
    def names(self) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
        """The nodes of both graphs by name; their numbers where they have none."""
        if self.graphs is None:
            return range(self.nodes[0]), range(self.nodes[1])
        return self.graphs[0].names, self.graphs[1].names

    @property
    def pairs(self) -> list[tuple[Hashable, Hashable]]:
        """The matches, by the names of the nodes."""
        names1, names2 = self.names
        return [(names1[i], names2[a]) for i, a in enumerate(self.matching.tolist()) if a >= 0]

    @property
    def mapping(self) -> dict[Hashable, Hashable]:
        """The matches as a dictionary, such as networkx.relabel_nodes takes."""
        return dict(self.pairs)

    def to_networkx(self) -> Any:
        """A networkx graph of both graphs' nodes, (1, name) and (2, name), and an edge for each match.

        An edge has the fields confidence and sure, and witnesses and margin of graphs that were aligned.
        """
        import networkx

        g = networkx.Graph()
        names1, names2 = self.names
        g.add_nodes_from(((1, name) for name in names1), bipartite=0)
        g.add_nodes_from(((2, name) for name in names2), bipartite=1)
        for i, a in enumerate(self.matching.tolist()):
            if a >= 0:
                known: dict[str, Any] = {}
                if self.confidence is not None:
                    known |= {"confidence": float(self.confidence[i]), "sure": bool(self.sure[i])}
                if self.witnesses is not None:
                    known |= {"witnesses": int(self.witnesses[i]), "margin": int(self.margins[i])}
                g.add_edge((1, names1[i]), (2, names2[a]), **known)
        return g

    def plot(self, ax: Any = None) -> Any:
        """Draws both graphs beside each other and a line for each match, with matplotlib; returns the axes."""
        from matplotlib import pyplot

        if ax is None:
            ax = pyplot.subplots()[1]
        sides = [_layout(self.graphs[k] if self.graphs else None, self.nodes[k]) for k in range(2)]
        sides[1] = sides[1] + [1.5, 0]
        for k, places in enumerate(sides):
            ends = self.graphs[k].edges if self.graphs else None
            if ends is not None:
                ax.plot(*places[np.asarray(ends)].transpose(2, 1, 0), color="0.8", linewidth=0.8, zorder=1)
            ax.scatter(*places.T, s=12, zorder=3)
        matched = np.flatnonzero(self.matching >= 0)
        lines = np.stack([sides[0][matched], sides[1][self.matching[matched]]])
        ax.plot(*lines.transpose(2, 0, 1), color="tab:green", linewidth=0.8, alpha=0.7, zorder=2)
        ax.set_aspect("equal")
        ax.set_axis_off()
        return ax


def _layout(graph: "Graph | None", n: int) -> np.ndarray:
    """Places in the unit square: those of the points, the middle for what is unknown, or on a circle."""
    if graph is not None and graph.points is not None and graph.points.shape[1] >= 2 and not np.isnan(graph.points[:, :2]).all(axis=0).any():
        places = graph.points[:, :2] - np.nanmin(graph.points[:, :2], axis=0)
        places = np.where(np.isnan(places), np.nanmean(places, axis=0), places)
        return places / max(places.max(), np.finfo(float).tiny)
    angle = 2 * np.pi * np.arange(n) / n
    return 0.5 + 0.5 * np.column_stack([np.cos(angle), np.sin(angle)])
