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
MATCHING, WITNESSES, MARGINS, SURE = range(4)
MAXIMIZE, MINIMIZE = range(2)

_EINVAL, _EHANDLE, _EBUSY, _EINTERNAL, _EFORK, _ESTOPPED = range(1, 7)


class Incumbent(NamedTuple):
    """The best so far of a search that goes on."""

    objective: float
    seconds: float
    steps: int
    matching: np.ndarray
    found_by: str


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
        ("found_by", c_char * 32),
    ]


_Callback = ctypes.CFUNCTYPE(c_int32, POINTER(_Incumbent), c_void_p)

_SIGNATURES: dict[str, list[Any]] = {
    "rgm_dense": [c_int64, c_int64, c_void_p, c_int64, c_int32, POINTER(c_uint64)],
    "rgm_sparse": [c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_int64, c_int32, POINTER(c_uint64)],
    "rgm_assignment": [c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_int32, POINTER(c_uint64)],
    "rgm_graph_new": [POINTER(_Graph), POINTER(c_uint64)],
    "rgm_graph_read": [c_char_p, c_char_p, c_int64, POINTER(c_uint64)],
    "rgm_match": [c_uint64, c_uint64, c_char_p, POINTER(c_uint64)],
    "rgm_solve": [c_uint64, c_char_p, _Callback, c_void_p, POINTER(c_uint64)],
    "rgm_distance": [c_uint64, c_uint64, c_char_p, _Callback, c_void_p, POINTER(c_uint64)],
    "rgm_distance_by_tables": [c_char_p, c_char_p, _Callback, c_void_p, POINTER(c_uint64)],
    "rgm_distances": [POINTER(c_uint64), c_int64, POINTER(c_uint64), c_int64, c_char_p, _Callback, c_void_p, c_void_p, c_void_p],
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


def _call(name: str, *arguments: Any) -> None:
    error = _Error()
    code = getattr(load(), name)(*arguments, byref(error))
    if code == 0:
        return
    message = error.message.decode(errors="replace")
    if code in (_EINVAL, _EHANDLE):
        raise ValueError(message)
    if code == _ESTOPPED:
        _interrupt.returned(None, True)
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


def solve(problem: Handle, options: Mapping[str, Any], nodes: int, parts: Sequence[int] = (MATCHING,), on_best: OnBest | None = None) -> Found:
    """Searches without the interpreter's lock. Ctrl-C, or an on_best that returns True, ends it with the best so far.

    The option progress is ours: whether a line on standard error says how far the search is.
    """
    failure: list[BaseException] = []
    line = _progress.Line(options.get("progress"), options.get("time_limit"))

    def tell(best: Any, _: Any) -> int:  # runs on this thread, and so lets Python look for signals
        try:
            if failure or interrupts:
                return True
            found = _incumbent(best.contents) if best else None
            line.tell(found)
            return bool(found and on_best is not None and on_best(found))
        except BaseException as e:
            failure.append(e)
        return True

    text = _options({name: value for name, value in options.items() if name != "progress"})
    try:
        with _interrupts() as interrupts, Handle("rgm_solve", problem.number, text, _Callback(tell), None) as result:
            if failure and not isinstance(failure[0], KeyboardInterrupt):
                raise failure[0]
            return Found(_record(result), {part: _part(result, part, nodes) for part in parts}, bool(failure or interrupts))
    finally:
        line.end()


class _Asked:
    """What a search without news asks: Ctrl-C is heard, and ends it with the best so far."""

    def __init__(self, interrupts: list[int]) -> None:
        self.failure: list[BaseException] = []
        self.interrupts = interrupts
        self.callback = _Callback(self._tell)

    def _tell(self, _best: Any, _user: Any) -> int:
        try:
            return bool(self.failure or self.interrupts)
        except BaseException as e:
            self.failure.append(e)
        return True

    def interrupted(self) -> bool:
        if self.failure and not isinstance(self.failure[0], KeyboardInterrupt):
            raise self.failure[0]
        return bool(self.failure or self.interrupts)


def distance(graph1: Handle, graph2: Handle, options: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The result of rgm_distance, and whether Ctrl-C ended it."""
    with _interrupts() as interrupts:
        asked = _Asked(interrupts)
        with Handle("rgm_distance", graph1.number, graph2.number, _options(options), asked.callback, None) as result:
            return _record(result), asked.interrupted()


def distance_by_tables(tables: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """distance of graphs and costs that are tables."""
    with _interrupts() as interrupts:
        asked = _Asked(interrupts)
        with Handle("rgm_distance_by_tables", _options(tables), _options(options), asked.callback, None) as result:
            return _record(result), asked.interrupted()


def distances(
    graphs: Sequence[Handle], others: Sequence[Handle] | None, options: Mapping[str, Any], distance: np.ndarray, lower: np.ndarray,
) -> bool:
    """Fills in the distances of graphs, and returns whether Ctrl-C ended it."""
    def numbers(handles: Sequence[Handle] | None) -> Any:
        return None if handles is None else (c_uint64 * len(handles))(*(h.number for h in handles))

    with _interrupts() as interrupts:
        asked = _Asked(interrupts)
        try:
            _call("rgm_distances", numbers(graphs), len(graphs), numbers(others), len(others or ()), _options(options), asked.callback, None,
                  pointer(distance), pointer(lower))
        except _interrupt.Interrupted:
            pass
        return asked.interrupted()


def _incumbent(b: _Incumbent) -> Incumbent:
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
