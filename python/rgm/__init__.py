"""Graph matching and quadratic assignment by rgm, in this process.

>>> import numpy as np, rgm
>>> flow = np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]])
>>> distance = np.array([[0, 3, 1], [3, 0, 2], [1, 2, 0]])
>>> rgm.quadratic_assignment(flow, distance).fun
20.0

``match`` finds which node of one graph is which of another, ``align`` does so by edges alone, for
graphs of up to a million nodes; ``solve`` takes an affinity matrix, ``quadratic_assignment`` flows
and distances, as SciPy's function of that name. ``distance`` says how far two graphs are from each other, ``distances`` all
pairs of many; ``graph_edit_distance`` and its like take networkx's arguments. All of them take the options of the service, among
them ``time_limit``, ``seed``, ``method``, ``threads`` and ``max_steps``. On a terminal, or in a
notebook, a line shows how far a search of more than a second is (``progress=False``: none). Ctrl-C
ends a search with the exception ``Interrupted``, a KeyboardInterrupt whose ``result`` is the best so
far; ``last_result`` keeps it.
"""

from typing import Any

from . import _interrupt
from ._interrupt import Interrupted
from ._options import DistanceOptions, Options
from .assignment import quadratic_assignment
from .edits import graph_edit_distance, optimal_edit_paths, optimize_graph_edit_distance
from .graphs import Graph
from .lawler import solve
from .matching import align, match
from .measured import Distance, Distances, Edit
from .measuring import distance, distances
from .result import Result

__version__ = "0.3.0-dev"

__all__ = [
    "Distance", "DistanceOptions", "Distances", "Edit", "Graph", "Interrupted", "Options", "Result", "align", "distance", "distances",
    "graph_edit_distance", "last_result", "match", "optimal_edit_paths", "optimize_graph_edit_distance", "quadratic_assignment", "solve", "__version__",
]


def __getattr__(name: str) -> Any:
    if name == "last_result":  # None where nothing was interrupted
        return _interrupt.last_result
    raise AttributeError(f"module 'rgm' has no attribute {name!r}")
