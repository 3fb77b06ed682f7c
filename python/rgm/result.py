"""What a search found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Hashable, Sequence

import numpy as np

from . import _library, _pictures

if TYPE_CHECKING:
    from .graphs import Graph


@dataclass
class Result:
    """A matching, and what is known of it.

    ``matching[i]`` is the node of graph 2 for node i of graph 1, -1 for none; ``objective`` is in the problem's own
    sense. ``record`` has all fields of the service's result (docs/CLI_JSON.md), ``graphs`` the two graphs where there
    were such. ``confidence`` says of each node how likely its match is right, or that it has no partner where its match
    was left out, and ``sure`` whether it is right with .99 or more; they are None of problems without a truth, such as
    assignments. Of graphs that were aligned, ``witnesses`` and ``margins`` say what speaks for it. ``matrices`` are A and B of an
    assignment.
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
    matrices: tuple[np.ndarray, np.ndarray] | None = field(default=None, repr=False)

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

    def plot(self, ax: Any = None, view: str = "auto") -> Any:
        """Draws both graphs, with matplotlib; returns the axes. It shows which edges both have, and which matches are sure.

        ``view`` is apart, where graphs have places of their own and lines join partners; alike, where each node is at the place of
        its partner; or auto, which is apart where both graphs have points. Of an assignment it draws A, B in the order of the
        places, and what each pair costs.
        """
        if self.graphs is not None:
            return _pictures.graphs(ax, self.graphs, self.matching, self.sure, view=view)
        if self.matrices is not None:
            return _pictures.matrices(ax, *self.matrices, self.matching)
        return _pictures.pairs(ax, self.nodes, self.matching)
