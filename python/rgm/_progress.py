"""How far a search is, on one line of standard error."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._library import Incumbent

AFTER = 1.0  # seconds: shorter searches show nothing
EVERY = 0.2

_UNITS = {"ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(limit: Any) -> float | None:
    """A time limit as the options have it, a number of seconds or a text such as 1m30s; None where it is none."""
    if isinstance(limit, str):
        parts = re.findall(r"([\d.]+)(ms|h|m|s)", limit)
        if "".join(a + b for a, b in parts) != limit:
            return None
        return sum(float(a) * _UNITS[b] for a, b in parts) or None
    try:
        return float(limit) or None
    except (TypeError, ValueError):
        return None


def watched() -> bool:
    """Whether somebody looks: a terminal, or a notebook."""
    return "ipykernel" in sys.modules or bool(sys.stderr and sys.stderr.isatty())


class Line:
    """The line, which appears once a search has taken a while, and goes away with it."""

    def __init__(self, shown: bool | None, limit: Any, after: float = AFTER) -> None:
        self._shown = watched() if shown is None else bool(shown)
        self._limit = seconds(limit)
        self._began = time.monotonic()
        self._next = self._began + after
        self._width = 0
        self._best = ""

    def tell(self, best: "Incumbent | None") -> None:
        """Takes note of a better matching, if there is one, and draws where it is time."""
        if best is not None:
            self._best = f", objective {best.objective:.10g}" + (f" by {best.found_by}" if best.found_by else "")
        now = time.monotonic()
        if self._shown and now >= self._next:
            self._next = now + EVERY
            limit = f" of {self._limit:g}" if self._limit else ""
            self._write(f"rgm: {now - self._began:.1f}{limit} s{self._best}")

    def _write(self, text: str, end: str = "") -> None:
        try:
            sys.stderr.write("\r" + text.ljust(self._width) + end)
            sys.stderr.flush()
        except (OSError, ValueError, AttributeError):  # a line that nobody can read is no reason to stop
            self._shown = False
        self._width = max(self._width, len(text))

    def end(self) -> None:
        """Takes the line away."""
        if self._width:
            self._write("", "\r")
