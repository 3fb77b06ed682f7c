"""Graph matching and quadratic assignment by rgm, in this process.

>>> import numpy as np, rgm
>>> flow = np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]])
>>> distance = np.array([[0, 3, 1], [3, 0, 2], [1, 2, 0]])
>>> rgm.quadratic_assignment(flow, distance).fun
20.0

``match`` finds which node of one graph is which of another, ``align`` does so by edges alone, for
graphs of up to a million nodes; ``solve`` takes an affinity matrix, ``quadratic_assignment`` flows
and distances, as SciPy's function of that name. All of them take the options of the service, among
them ``time_limit``, ``seed``, ``method``, ``threads`` and ``max_steps``, and Ctrl-C ends any of them
with the best so far.
"""

from .assignment import quadratic_assignment
from .graphs import Graph
from .lawler import solve
from .matching import align, match
from .result import Result

__version__ = "0.3.0-dev"

__all__ = ["Graph", "Result", "align", "match", "quadratic_assignment", "solve", "__version__"]
