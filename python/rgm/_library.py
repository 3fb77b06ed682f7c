"""The C library: rgm.h by ctypes. Nothing else in the package knows of C."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import threading
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Sequence

import numpy as np

from . import _interrupt, _progress

ABI = 1
MATCHING, WITNESSES, MARGINS, SURE, CONFIDENCE = range(5)
MAXIMIZE, MINIMIZE = range(2)

_EINVAL, _EHANDLE, _EBUSY, _EINTERNAL, _EFORK, _ESTOPPED = range(1, 7)


class Incumbent(NamedTuple):
    """The best so far of a search that goes on."""

    objective: float
    seconds: float
    steps: int
    matching: np.ndarray
    found_by: str
    lower_bound: float | None = None  # of a distance, which is the objective


OnBest = Callable[[Incumbent], Any]


class _Error(ctypes.Structure):
    _fields_ = [("code", c_int32), ("message", c_char * 1020)]


class _Graph(ctypes.Structure):
    _fields_ = [
        ("nodes", c_int64), ("points", c_void_p), ("dimensions", c_int64), ("features", c_void_p), ("feature_count", c_int64),
        ("ends", c_void_p), ("edges", c_int64), ("weights", c_void_p), ("edge_features", c_void_p), ("edge_feature_count", c_int64),
        ("directed", c_int32),
    ]


class _Incumbent(ctypes.Structure):
    _fields_ = [
        ("objective", c_double), ("seconds", c_double), ("steps", c_int64), ("nodes", c_int64), ("matching", POINTER(c_int64)),
        ("found_by", c_char * 32), ("lower_bound", c_double),
    ]


class _Labelled(ctypes.Structure):
    _fields_ = [
        ("nodes", c_int64), ("labels", c_void_p), ("ends", c_void_p), ("edges", c_int64), ("edge_labels", c_void_p), ("directed", c_int32)]


class _Costs(ctypes.Structure):
    _fields_ = [("labels1", c_int64), ("labels2", c_int64), ("delete", c_void_p), ("insert", c_void_p), ("substitute", c_void_p)]


_Callback = ctypes.CFUNCTYPE(c_int32, POINTER(_Incumbent), c_void_p)

_SIGNATURES: dict[str, list[Any]] = {
    "rgm_dense": [c_int64, c_int64, c_void_p, c_int64, c_int32, POINTER(c_uint64)],
    "rgm_sparse": [c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_int64, c_int32, POINTER(c_uint64)],
    "rgm_assignment": [c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_int32, POINTER(c_uint64)],
    "rgm_graph_new": [POINTER(_Graph), POINTER(c_uint64)],
    "rgm_graph_read": [c_char_p, c_char_p, c_int64, POINTER(c_uint64)],
    "rgm_graph_places": [c_uint64, c_void_p, c_int64],
    "rgm_match": [c_uint64, c_uint64, c_char_p, POINTER(c_uint64)],
    "rgm_solve": [c_uint64, c_char_p, _Callback, c_void_p, POINTER(c_uint64)],
    "rgm_distance": [c_uint64, c_uint64, c_char_p, _Callback, c_void_p, POINTER(c_uint64)],
    "rgm_distance_by_costs": [
        POINTER(_Labelled), POINTER(_Labelled), POINTER(_Costs), POINTER(_Costs), c_char_p, _Callback, c_void_p, POINTER(c_uint64)],
    "rgm_distances": [c_void_p, c_int64, c_void_p, c_int64, c_char_p, _Callback, c_void_p, c_void_p, c_void_p],
    "rgm_result_nodes": [c_uint64, c_int32, c_void_p, c_int64, POINTER(c_int64)],
    "rgm_result_json": [c_uint64, c_void_p, c_int64, POINTER(c_int64)],
    "rgm_free": [c_uint64],
}

_loading = threading.Lock()
_loaded: ctypes.CDLL | None = None


def path() -> str:
    """The file of the library: $RGM_LIBRARY, or the one of the package."""
    ending = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")
    return os.environ.get("RGM_LIBRARY") or os.path.join(os.path.dirname(__file__), "lib", "librgm." + ending)


def load() -> ctypes.CDLL:
    """Loads the library, once: at the first search, so that a process may fork before."""
    global _loaded
    with _loading:
        if _loaded is None:
            try:
                library = ctypes.CDLL(path())
            except OSError as e:
                raise ImportError(f"rgm: {e}; build the library (make library) or install the wheel of this platform") from e
            library.rgm_version.restype = c_char_p
            if library.rgm_abi_version() != ABI:
                raise ImportError(f"rgm: {path()} is {library.rgm_version().decode()}, for another version of the package: install both anew")
            for name, arguments in _SIGNATURES.items():
                getattr(library, name).argtypes = [*arguments, POINTER(_Error)]
            _loaded = library
        return _loaded


def version() -> str:
    """The version of the library."""
    return load().rgm_version().decode()


class Stopped(Exception):
    """The callback ended a call before it had a result."""


def _call(name: str, *arguments: Any) -> None:
    error = _Error()
    code = getattr(load(), name)(*arguments, byref(error))
    if code == 0:
        return
    message = error.message.decode(errors="replace")
    if code in (_EINVAL, _EHANDLE):
        raise ValueError(message)
    if code == _ESTOPPED:
        raise Stopped(message)
    raise RuntimeError(message)


class Handle:
    """A graph or a problem of the library, freed at the end of a with block or with the object."""

    def __init__(self, function: str, *arguments: Any, kept: Any = None) -> None:
        self._number = c_uint64()
        self._kept = kept  # memory that the library uses where it is
        _call(function, *arguments, byref(self._number))

    @property
    def number(self) -> int:
        if not self._number.value:
            raise ValueError("the handle is closed")
        return self._number.value

    def close(self) -> None:
        number, self._number = self._number.value, c_uint64()
        if number and _loaded is not None:
            _loaded.rgm_free(number, None)

    def __enter__(self) -> "Handle":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    __del__ = close


def pointer(array: np.ndarray | None) -> int | None:
    """The address of an array, None for NULL."""
    return None if array is None else array.ctypes.data


def dense(n1: int, n2: int, k: np.ndarray, sense: int) -> Handle:
    return Handle("rgm_dense", n1, n2, pointer(k), k.size, sense, kept=k)


def sparse(n1: int, n2: int, rows: np.ndarray, cols: np.ndarray, values: np.ndarray, sense: int) -> Handle:
    return Handle("rgm_sparse", n1, n2, pointer(rows), pointer(cols), pointer(values), values.size, sense)


def assignment(a: np.ndarray, b: np.ndarray, linear: np.ndarray | None, sense: int) -> Handle:
    return Handle("rgm_assignment", len(a), len(b), pointer(a), pointer(b), pointer(linear), sense)


def read_graph(name: str, text: bytes) -> Handle:
    return Handle("rgm_graph_read", name.encode(), text, len(text))


def new_graph(
    nodes: int, points: np.ndarray | None, features: np.ndarray | None, ends: np.ndarray | None, weights: np.ndarray | None,
    edge_features: np.ndarray | None, directed: bool,
) -> Handle:
    def width(rows: np.ndarray | None) -> int:
        return 0 if rows is None else rows.shape[1]

    graph = _Graph(
        nodes, pointer(points), width(points), pointer(features), width(features), pointer(ends), 0 if ends is None else len(ends),
        pointer(weights), pointer(edge_features), width(edge_features), directed,
    )
    return Handle("rgm_graph_new", byref(graph))


def places(graph: Handle, nodes: int) -> np.ndarray:
    """Where a picture shows the nodes of a graph: a row each."""
    values = np.empty((nodes, 2))
    _call("rgm_graph_places", graph.number, pointer(values), values.size)
    return values


def match(graph1: Handle, graph2: Handle, compare: Mapping[str, str]) -> Handle:
    return Handle("rgm_match", graph1.number, graph2.number, json.dumps(compare).encode())


def _plain(value: Any) -> Any:
    """What JSON has of NumPy's types."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise ValueError(f"an option is {type(value).__name__} {value!r:.60}: want a number, a string, or a list of them")


def _options(options: Mapping[str, Any]) -> bytes:
    given = {name: value for name, value in options.items() if value is not None}
    try:
        return json.dumps(given, default=_plain, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as e:
        raise ValueError(f"options: {e}") from None


class Found(NamedTuple):
    """What a search found: the service's fields, and the parts that each node has, by their numbers."""

    record: dict[str, Any]
    parts: dict[int, np.ndarray]
    interrupted: bool  # by Ctrl-C


class _Listener:
    """What a search calls on this thread, which lets Python look for signals.

    It ends the search at Ctrl-C, which it notes, at an exception of on_best, which it keeps, where on_best returns True,
    and where stop is set.
    """

    def __init__(self, options: Mapping[str, Any], on_best: OnBest | None, stop: threading.Event | None = None) -> None:
        self.line = _progress.Line(options.get("progress"), options.get("time_limit"))
        self.failure: BaseException | None = None
        self.interrupts: list[int] = []
        self.options = _options({name: value for name, value in options.items() if name != "progress"})
        self.callback = _Callback(self._tell)
        self._on_best, self._stop = on_best, stop

    def _tell(self, best: Any, _: Any) -> int:
        try:
            if self.failure or self.interrupts or self._stop is not None and self._stop.is_set():
                return True
            found = _incumbent(best.contents) if best else None
            self.line.tell(found)
            return bool(found and self._on_best is not None and self._on_best(found))
        except BaseException as e:
            self.failure = e
        return True

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        try:
            with _interrupts() as self.interrupts:
                yield
                if self.failure is not None and not isinstance(self.failure, KeyboardInterrupt):
                    raise self.failure
        finally:
            self.line.end()

    @property
    def interrupted(self) -> bool:
        return bool(self.failure or self.interrupts)


def solve(problem: Handle, options: Mapping[str, Any], nodes: int, parts: Sequence[int] = (MATCHING,), on_best: OnBest | None = None) -> Found:
    """Searches without the interpreter's lock. Ctrl-C, or an on_best that returns True, ends it with the best so far.

    The option progress is ours: whether a line on standard error says how far the search is.
    """
    return _searched("rgm_solve", (problem.number,), options, nodes, parts, on_best)


def _searched(
    function: str, arguments: tuple[Any, ...], options: Mapping[str, Any], nodes: int, parts: Sequence[int], on_best: OnBest | None,
    stop: threading.Event | None = None,
) -> Found:
    listener = _Listener(options, on_best, stop)
    try:
        with listener.listening(), Handle(function, *arguments, listener.options, listener.callback, None) as result:
            return Found(_record(result), {part: _part(result, part, nodes) for part in parts}, listener.interrupted)
    except Stopped:
        return _interrupt.returned(None, True)  # which raises


def distance(graph1: Handle, graph2: Handle, options: Mapping[str, Any], nodes: int, on_best: OnBest | None = None) -> Found:
    """The edit distance of two graphs, the first of so many nodes."""
    return _searched("rgm_distance", (graph1.number, graph2.number), options, nodes, (MATCHING,), on_best)


class Labelled(NamedTuple):
    """A graph by labels, which are places in Costs; None: 0, 1, …"""

    nodes: int
    labels: np.ndarray | None
    ends: np.ndarray
    edge_labels: np.ndarray | None
    directed: bool


class Costs(NamedTuple):
    """What edits cost, by labels: a number for each of graph 1, for each of graph 2, and a row of the former and a column of the latter."""

    delete: np.ndarray
    insert: np.ndarray
    substitute: np.ndarray


def distance_by_costs(
    graphs: tuple[Labelled, Labelled], nodes: Costs, edges: Costs, options: Mapping[str, Any], on_best: OnBest | None = None,
    stop: threading.Event | None = None,
) -> Found:
    """The edit distance of two graphs by tables of costs."""
    one, two = (_Labelled(g.nodes, pointer(g.labels), pointer(g.ends), len(g.ends), pointer(g.edge_labels), g.directed) for g in graphs)
    of, between = (_Costs(len(c.delete), len(c.insert), pointer(c.delete), pointer(c.insert), pointer(c.substitute)) for c in (nodes, edges))
    arguments = (byref(one), byref(two), byref(of), byref(between))
    return _searched("rgm_distance_by_costs", arguments, options, graphs[0].nodes, (MATCHING,), on_best, stop)


def distances(graphs: Sequence[Handle], others: Sequence[Handle] | None, options: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray, bool]:
    """The distances and lower bounds of all pairs, or of each graph to each of the others, and whether Ctrl-C left some NaN."""
    ones = np.array([g.number for g in graphs], np.uint64)
    twos = None if others is None else np.array([g.number for g in others], np.uint64)
    shape = (len(ones), len(ones if twos is None else twos))
    distance, lower = np.full(shape, np.nan), np.full(shape, np.nan)
    listener = _Listener(options, None)
    with listener.listening():
        try:
            _call(
                "rgm_distances", pointer(ones), len(ones), pointer(twos), 0 if twos is None else len(twos), listener.options, listener.callback, None,
                pointer(distance), pointer(lower))
        except Stopped:
            pass  # by Ctrl-C, or a failure
    return distance, lower, listener.interrupted


def _incumbent(b: _Incumbent) -> Incumbent:
    if not b.nodes:
        return Incumbent(b.objective, b.seconds, b.steps, np.empty(0, np.int64), "", b.lower_bound)
    matching = np.ctypeslib.as_array(b.matching, (b.nodes,)).copy()
    return Incumbent(b.objective, b.seconds, b.steps, matching, b.found_by.decode())


@contextlib.contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Collects Ctrl-C in a list in place of the exception, which a callback could not raise."""
    noted: list[int] = []
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield noted
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _record(result: Handle) -> dict[str, Any]:
    length = c_int64()
    _call("rgm_result_json", result.number, None, 0, byref(length))
    text = ctypes.create_string_buffer(length.value + 1)
    _call("rgm_result_json", result.number, text, len(text), byref(length))
    return json.loads(text.value)


def _part(result: Handle, part: int, nodes: int) -> np.ndarray:
    values, written = np.empty(nodes, np.int64), c_int64()
    _call("rgm_result_nodes", result.number, part, pointer(values), nodes, byref(written))
    return values[: written.value]
