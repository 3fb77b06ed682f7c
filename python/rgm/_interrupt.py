"""Ctrl-C: what a search had found is kept, and the program ends all the same."""

from __future__ import annotations

from typing import Any, TypeVar

last_result: Any = None  # what the last call that was interrupted had found


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a search. ``result`` is what the function would have returned, the best so far, None where there was
    no matching yet; rgm.last_result keeps it too."""

    def __init__(self, result: Any) -> None:
        super().__init__("before there was a matching" if result is None else "the best so far is rgm.last_result")
        self.result = result


T = TypeVar("T")


def returned(result: T, interrupted: bool) -> T:
    """The result of a search, or where it was interrupted the exception that has it."""
    global last_result
    if not interrupted:
        return result
    last_result = result
    raise Interrupted(result)
