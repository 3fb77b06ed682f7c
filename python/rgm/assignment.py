"""Flows and distances, as SciPy has them."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Mapping

import numpy as np

from . import _arrays, _interrupt, _library


class OptimizeResult(dict[str, Any]):
    """A dictionary whose fields are attributes, as SciPy's."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as e:
            raise AttributeError(name) from e

    def __dir__(self) -> list[str]:
        return list(self)


# Options of SciPy's methods that have no counterpart here.
_UNUSED = {"tol", "shuffle_input", "disp"}


def quadratic_assignment(A: Any, B: Any, method: str = "auto", options: Mapping[str, Any] | None = None) -> OptimizeResult:
    """Minimises Σ A[i,j]·B[p(i),p(j)] over permutations p, in place of scipy.optimize.quadratic_assignment.

    ``method`` is any of rgm solve, ``auto`` by default, which combines searches and ends by itself, or ``2opt``: the best
    exchange of two, again and again until none is better; ``faq`` and it are SciPy's algorithms.
    ``options`` are SciPy's maximize, partial_match, partial_guess, rng and maxiter, rgm's own (time_limit, seed, threads,
    target, max_steps, …), and on_best, see rgm.match.

    The result has the fields col_ind, fun and nit of SciPy's, and result, the rgm.Result.

    >>> import numpy as np
    >>> from rgm import quadratic_assignment
    >>> A = np.array([[0, 80, 150, 170], [80, 0, 130, 100], [150, 130, 0, 120], [170, 100, 120, 0]])
    >>> B = np.array([[0, 5, 2, 7], [0, 0, 3, 8], [0, 0, 0, 3], [0, 0, 0, 0]])
    >>> quadratic_assignment(A, B).fun
    3260.0
    """
    from .result import Result

    a, b = _arrays.square("A", A), _arrays.square("B", B)
    if len(a) != len(b):
        raise ValueError(f"A has the shape {a.shape} and B {b.shape}: want the same")
    given = dict(options or {})
    maximize = bool(given.pop("maximize", False))
    fixed = _pairs("partial_match", given.pop("partial_match", None), len(a))
    guess = _pairs("partial_guess", given.pop("partial_guess", None), len(a))
    given["method"] = method
    if method == "2opt":  # tabu search until its first step that finds nothing better
        given.update(method="tabu", patience=1)
    _translate(given)
    on_best = given.pop("on_best", None)
    free1, free2 = (np.delete(np.arange(len(a)), fixed[:, side]) for side in range(2))
    col_ind = np.empty(len(a), np.int64)
    col_ind[fixed[:, 0]] = fixed[:, 1]
    found, interrupted = None, False
    if len(free1):
        if len(guess):
            given["initial"] = _completed(guess, free1, free2)
        rest = _reduced(a, b, fixed, free1, free2)
        with _library.assignment(*rest, _library.MAXIMIZE if maximize else _library.MINIMIZE) as problem:
            searched = _library.solve(problem, given, len(free1), on_best=on_best)
        found, interrupted = Result.of(searched, (len(free1),) * 2), searched.interrupted
        found.matrices = rest[:2]
        col_ind[free1] = free2[found.matching]
    fun = float((a * b[np.ix_(col_ind, col_ind)]).sum())
    kind = getattr(sys.modules.get("scipy.optimize"), "OptimizeResult", OptimizeResult)
    return _interrupt.returned(kind(col_ind=col_ind, fun=fun, nit=0 if found is None else found.steps, result=found), interrupted)


def _translate(given: dict[str, Any]) -> None:
    """Puts rgm's names in place of SciPy's."""
    rng = given.pop("rng", None)
    if rng is not None and "seed" not in given:
        given["seed"] = rng if isinstance(rng, (int, np.integer)) else _drawn(rng)
    if "maxiter" in given:
        given.setdefault("max_steps", given.pop("maxiter"))
    start = given.pop("P0", "barycenter")
    if not isinstance(start, str) or start != "barycenter":
        raise ValueError("P0: rgm starts faq at the barycenter; give a matching as partial_guess or initial to start there")
    for name in _UNUSED & given.keys():
        warnings.warn(f"rgm has no use for the option {name}", RuntimeWarning, stacklevel=4)
        del given[name]


def _drawn(rng: Any) -> int:
    """A seed from a generator of NumPy's."""
    draw = getattr(rng, "integers", None) or getattr(rng, "randint", None)
    if draw is None:
        raise ValueError(f"rng is {type(rng).__name__}: want a whole number, or a generator of NumPy's")
    return int(draw(2**31 - 1))


def _pairs(name: str, value: Any, n: int) -> np.ndarray:
    """Rows of a node of each side, in which none comes twice."""
    pairs = np.empty((0, 2), np.int64) if value is None or np.size(value) == 0 else np.asarray(value)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "ui":
        raise ValueError(f"{name} has the shape {pairs.shape} and the type {pairs.dtype}: want rows of two nodes")
    for side in range(2):
        nodes = pairs[:, side]
        if len(nodes) and (nodes.min() < 0 or nodes.max() >= n):
            raise ValueError(f"{name}: want nodes from 0 to {n - 1}")
        if len({*nodes.tolist()}) != len(nodes):
            raise ValueError(f"{name}: a node of column {side} comes twice")
    return pairs.astype(np.int64)


def _completed(guess: np.ndarray, free1: np.ndarray, free2: np.ndarray) -> list[int]:
    """The guess as a permutation of the free nodes: what it does not say is filled in, in order."""
    place2 = {int(c): k for k, c in enumerate(free2)}
    told = {int(i): place2[int(c)] for i, c in guess if int(c) in place2}
    left = iter(sorted(set(range(len(free2))) - {told[int(i)] for i in free1 if int(i) in told}))
    return [told[int(i)] if int(i) in told else next(left) for i in free1]


def _reduced(a: np.ndarray, b: np.ndarray, fixed: np.ndarray, free1: np.ndarray, free2: np.ndarray) -> tuple[Any, Any, Any]:
    """The problem of the free nodes: what fixed ones add to each pair of them is the linear term."""
    if not len(fixed):
        return a, b, None
    rows, cols = fixed.T
    linear = a[np.ix_(free1, rows)] @ b[np.ix_(free2, cols)].T + a[np.ix_(rows, free1)].T @ b[np.ix_(cols, free2)]
    return np.ascontiguousarray(a[np.ix_(free1, free1)]), np.ascontiguousarray(b[np.ix_(free2, free2)]), np.ascontiguousarray(linear)
