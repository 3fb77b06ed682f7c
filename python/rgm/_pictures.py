"""Pictures of results, by matplotlib: what rgm match, distance and solve draw with -o."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Hashable, Sequence

import numpy as np

from . import _library

if TYPE_CHECKING:
    from .graphs import Graph
    from .measured import Edit

# The colours differ for every eye (Okabe and Ito's), and lines in their dashes; the first is the text's.
_LINES = {
    "shared": ("#0072b2", "-"), "only": ("#d55e00", "--"), "kept": ("#0072b2", "-"), "changed": ("#cc79a7", "-."), "deleted": ("#d55e00", "--"),
    "inserted": ("#009e73", ":"),
}
_ALONE = "#4f7bff"
_NODES = {"sure": ("o", None), "unsure": ("o", None), "alone": ("s", _ALONE), "kept": ("o", None), "changed": ("^", "#cc79a7"), "deleted": ("X", "#d55e00"), "inserted": ("s", "#009e73")}
_SAYS = {
    "shared": "edge in both", "only": "edge in one only", "sure": "matched", "unsure": "matched, not sure", "alone": "without a partner",
}


def graphs(
    ax: Any, both: Sequence["Graph"], matching: np.ndarray, sure: np.ndarray | None = None, path: Sequence["Edit"] | None = None, view: str = "auto",
) -> Any:
    """Draws two graphs: at their own points where both have such, else alike, each node where its partner is."""
    if view not in ("auto", "alike", "apart"):
        raise ValueError(f"view {view!r}: want auto, alike or apart")
    ax = _axes(ax)
    back = np.full(both[1].nodes, -1)
    matched = np.flatnonzero(matching >= 0)
    back[matching[matched]] = matched
    own = [_has_places(g) for g in both]
    alike = view == "alike" or view == "auto" and not all(own)
    places = _alike(both, (matching, back), own) if alike else [_unit(_places(g)) for g in both]
    places[1] = places[1] + [1.35, 0]
    edges = [_edges(both, k, (matching, back)[k]) for k in range(2)]
    nodes = [np.where(to < 0, "alone", "sure").astype(object) for to in (matching, back)]
    if sure is not None:
        for to, kinds in ((matching, nodes[0]), (back, nodes[1])):
            at = np.flatnonzero(to >= 0)
            kinds[at] = np.where(sure[at if to is matching else to[at]], "sure", "unsure")
    if path is not None:
        nodes, edges = _edited(both, nodes, edges, path)
    if not alike:
        _segments(ax, np.stack([places[0][matched], places[1][matching[matched]]], 1), _ink(), "-", alpha=0.25)
    for what in _LINES:
        ends = [places[k][both[k].edges[np.array(edges[k]) == what]] for k in range(2) if len(edges[k])]
        count = sum(map(len, ends)) if what in ("only", "inserted") else len(ends[0]) if ends else 0
        if ends and sum(map(len, ends)):
            _segments(ax, np.concatenate(ends), *_LINES[what], label=f"{_SAYS.get(what, 'edge ' + what)}: {count}")
    for what, (marker, colour) in _NODES.items():
        here = [places[k][nodes[k] == what] for k in range(2)]
        count = len(here[0]) + (len(here[1]) if what in ("alone", "inserted") else 0)
        if len(here[0]) + len(here[1]):
            said = _SAYS.get(what, "node " + what) + (", sure" if what == "sure" and sure is not None else "")
            ax.scatter(
                *np.concatenate(here).T, s=min(22, 5000 / both[0].nodes), marker=marker, zorder=3, label=f"{said}: {count}", linewidths=0.8,
                edgecolors=colour or _ink(), facecolors=_paper() if what == "unsure" else colour or _ink())
    for k in range(2):
        _label(ax, places[k], both[k], nodes[k])
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), frameon=False, fontsize="small", ncols=2)
    return ax


def matrices(ax: Any, a: np.ndarray, b: np.ndarray, matching: np.ndarray) -> Any:
    """Draws A, B in the order of the places, and their products, beside each other: facilities with much flow between them first."""
    ax = _axes(ax)
    matched = np.flatnonzero(matching >= 0)
    a = a[np.ix_(matched, matched)]
    flow = np.abs(a) + np.abs(a).T
    order, gain = [int(flow.sum(1).argmax())], flow.sum(1) * 0
    while len(order) < len(a):
        gain += flow[order[-1]]
        gain[order] = -1
        order.append(int(gain.argmax()))
    a, b = a[np.ix_(order, order)], b[np.ix_(matching[matched][order], matching[matched][order])]
    for k, (title, m) in enumerate((("A", a), ("B in the order of the places", b), ("A times B", a * b))):
        ax.imshow(np.ma.masked_equal(m, 0), cmap="Blues", extent=(1.1 * k, 1.1 * k + 1, 0, 1), vmin=min(0, m.min()), interpolation="nearest")
        ax.text(1.1 * k, 1.02, title)
        ax.plot([1.1 * k, 1.1 * k + 1, 1.1 * k + 1, 1.1 * k, 1.1 * k], [0, 0, 1, 1, 0], color="0.5", linewidth=0.5)
    ax.set(xlim=(-0.02, 3.22), ylim=(-0.02, 1.12), aspect="equal")
    ax.set_axis_off()
    return ax


def pairs(ax: Any, nodes: tuple[int, int], matching: np.ndarray) -> Any:
    """Draws a matching of which nothing but the pairs is known: a point each."""
    ax = _axes(ax)
    matched = np.flatnonzero(matching >= 0)
    ax.scatter(matching[matched], matched, s=12, color="#0072b2")
    ax.set(xlim=(-0.5, nodes[1] - 0.5), ylim=(nodes[0] - 0.5, -0.5), aspect="equal", xlabel="its partner in graph 2", ylabel="node of graph 1")
    return ax


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(9, 5), layout="constrained")[1]


def _ink() -> Any:
    from matplotlib import rcParams

    return rcParams["text.color"]


def _paper() -> Any:
    from matplotlib import rcParams

    return rcParams["figure.facecolor"]


def _segments(ax: Any, ends: np.ndarray, colour: Any, dashes: str, **more: Any) -> None:
    from matplotlib.collections import LineCollection

    ax.add_collection(LineCollection(ends, colors=colour, linestyles=dashes, linewidths=1 if len(ends) < 500 else 0.4, zorder=2, **more))


def _has_places(g: "Graph") -> bool:
    return g.points is not None and g.points.shape[1] >= 2


def _places(g: "Graph") -> np.ndarray:
    with g._open() as opened:
        return _library.places(opened, g.nodes)


def _unit(places: np.ndarray) -> np.ndarray:
    """Places in the unit square."""
    places = places - places.min(0)
    return places / max(places.max(), np.finfo(float).tiny)


def _alike(both: Sequence["Graph"], partners: Sequence[np.ndarray], own: Sequence[bool]) -> list[np.ndarray]:
    """Places of which matched nodes have the same: by one graph, with the nodes of the other that have no partner."""
    from .graphs import Graph

    k = 1 if own[1] and not own[0] else 0
    one, other, to = both[k], both[1 - k], partners[1 - k]
    number = to.copy()  # of the nodes of the other, in the whole
    alone = np.flatnonzero(to < 0)
    number[alone] = one.nodes + np.arange(len(alone))
    ends = [g.edges for g in (one,) if g.edges is not None]
    if other.edges is not None and len(other.edges):
        ends.append(number[other.edges[(to[other.edges] < 0).any(1)]])
    whole = _places(Graph(nodes=one.nodes + len(alone), edges=np.concatenate(ends) if ends else None))
    if own[k]:
        whole[: one.nodes] = _places(one)
        for i in alone:  # near the neighbours that have places
            near = [number[b if a == i else a] for a, b in (other.edges if other.edges is not None else ()) if i in (a, b)]
            near = [n for n in near if n < one.nodes]
            whole[number[i]] = whole[near].mean(0) + 0.02 * np.ptp(whole[: one.nodes]) if near else whole[: one.nodes].min(0)
    whole = _unit(whole)
    placed = [whole[: one.nodes], whole[number]]
    return placed if k == 0 else placed[::-1]


def _edges(both: Sequence["Graph"], k: int, to: np.ndarray) -> list[str]:
    """Of each edge of graph k whether the other has it."""
    mine, other = both[k].edges, both[1 - k].edges
    if mine is None:
        return []
    directed = all(g.directed for g in both)

    def key(i: int, j: int) -> tuple[int, int]:
        return (i, j) if directed or i < j else (j, i)

    there = set() if other is None else {key(*e) for e in other.tolist()}
    return ["shared" if min(e) >= 0 and key(*e) in there else "only" for e in to[mine].tolist()]


def _edited(both: Sequence["Graph"], nodes: list[np.ndarray], edges: list[list[str]], path: Sequence["Edit"]) -> tuple[list[np.ndarray], list[list[str]]]:
    """What the edits make of nodes and edges."""
    number = [{name: k for k, name in enumerate(g.names)} for g in both]
    nodes, edges = [np.full(len(kinds), "kept", object) for kinds in nodes], [["kept"] * len(kinds) for kinds in edges]
    place: list[dict[frozenset[int], int]] = [
        {frozenset(e): n for n, e in enumerate(g.edges.tolist())} if g.edges is not None else {} for g in both]
    for e in path:
        kind = {"delete": "deleted", "insert": "inserted"}.get(e.edit, "changed" if e.cost else "kept")
        for k, named in enumerate((e.a, e.b)):
            if named is None:
                continue
            if e.what == "node":
                nodes[k][number[k][named]] = kind
            elif (ends := frozenset(number[k][name] for name in named)) in place[k]:
                edges[k][place[k][ends]] = kind
    return nodes, edges


def _label(ax: Any, places: np.ndarray, g: "Graph", kinds: np.ndarray) -> None:
    """Names of as many nodes as there is room for, of those without a partner, or changed, first."""
    names: Sequence[Hashable] = g.names
    degree = np.zeros(g.nodes) if g.edges is None else np.bincount(g.edges.ravel(), minlength=g.nodes)
    rank = degree + np.isin(kinds, ("alone", "changed", "deleted", "inserted")) * (degree.max(initial=0) + 1)
    taken: set[tuple[int, int]] = set()
    for i in np.argsort(-rank, kind="stable").tolist():
        text = str(names[i])[:16]
        cells = {(int(places[i, 0] * 70) + c, int(places[i, 1] * 45) + r) for c in range(len(text) + 2) for r in range(2)}
        if not cells & taken:
            taken |= cells
            ax.annotate(text, places[i], (4, 0), textcoords="offset points", fontsize=7, va="center", zorder=4)
