"""networkx's VF2 (Debian: python3-networkx) as a peer of rgm-lab bench align --removed 0.

    rgm-lab bench align --removed 0 --peer "networkx=python3 lab/peers/vf2.py" a.edges

The files hold the number of nodes after a #, and an edge a line; a pair of nodes a line is printed.
"""

import sys

import networkx


def read(path):
    g = networkx.Graph()
    lines = open(path)
    g.add_nodes_from(range(int(next(lines)[1:])))
    g.add_edges_from(tuple(map(int, line.split())) for line in lines)
    return g


matcher = networkx.algorithms.isomorphism.GraphMatcher(*map(read, sys.argv[-2:]))
if matcher.is_isomorphic():
    for i, j in matcher.mapping.items():
        print(i, j)
