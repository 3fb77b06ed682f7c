"""Peers of rgm-lab bench distance (Debian: python3-networkx, python3-scipy).

    rgm-lab bench distance --peer "networkx=python3 lab/peers/distances.py networkx" pairs.jsonl

networkx: the best of optimize_edit_paths within the limit, proved where it ends before.
assignment: one assignment of nodes with half of their edges (Riesen and Bunke 2009, doi:10.1016/j.imavis.2008.04.004),
by SciPy. faq: SciPy's quadratic_assignment, of graphs without labels at uniform costs; other pairs are left out.
Pairs come a line each; a claim a line is printed, with seconds of processor time, of which the limit is too.
"""

import json
import sys
import time

import networkx as nx
import numpy
from scipy.optimize import linear_sum_assignment, quadratic_assignment

time.perf_counter = time.process_time  # networkx's timeout: other programs on the machine do not shorten it

MODELS = {"uniform": (1, 1, 1, 1), "chem2": (2.75, 5.5, 0.825, 0.825)}  # a node alone, relabelled; an edge alone, relabelled


def networkx(pair, limit):
    node, relabel, edge, rebond = MODELS[pair["cost"]]

    def graph(of):
        g = nx.DiGraph() if of.get("directed") else nx.Graph()
        for i, label in enumerate(of["nodes"]):
            g.add_node(i, label=label)
        for i, j, label in of["edges"]:
            g.add_edge(i, j, label=label)
        return g

    def differ(cost):
        return lambda x, y: 0 if x["label"] == y["label"] else cost

    def alone(cost):
        return lambda _: cost

    best = [-1] * len(pair["g1"]["nodes"])
    begin = time.perf_counter()
    for path, _, _ in nx.optimize_edit_paths(
        graph(pair["g1"]), graph(pair["g2"]), node_subst_cost=differ(relabel), node_del_cost=alone(node), node_ins_cost=alone(node),
        edge_subst_cost=differ(rebond), edge_del_cost=alone(edge), edge_ins_cost=alone(edge), timeout=limit or None,
    ):
        best = [-1] * len(best)
        for i, a in path:
            if i is not None and a is not None:
                best[i] = a
    return best, not limit or time.perf_counter() - begin < limit


def assignment(pair, _):
    node, relabel, edge, rebond = MODELS[pair["cost"]]
    g1, g2 = pair["g1"], pair["g2"]
    n1, n2 = len(g1["nodes"]), len(g2["nodes"])

    def bonds(of):
        at = [[] for _ in of["nodes"]]
        for i, j, label in of["edges"]:
            at[i].append(label)
            at[j].append(label)
        return at

    def local(x, y):
        left, equal = list(y), 0
        for label in x:
            if label in left:
                left.remove(label)
                equal += 1
        return rebond * (min(len(x), len(y)) - equal) + edge * abs(len(x) - len(y))

    at1, at2 = bonds(g1), bonds(g2)
    cost = numpy.zeros((n1 + n2, n1 + n2))
    cost[:n1, n2:] = cost[n1:, :n2] = 1e9
    for i in range(n1):
        cost[i, n2 + i] = node + edge * len(at1[i]) / 2
        for a in range(n2):
            cost[i, a] = (g1["nodes"][i] != g2["nodes"][a]) * relabel + local(at1[i], at2[a]) / 2
    for a in range(n2):
        cost[n1 + a, a] = node + edge * len(at2[a]) / 2
    return [int(a) if a < n2 else -1 for a in linear_sum_assignment(cost)[1][:n1]], False


def faq(pair, _):
    graphs = pair["g1"], pair["g2"]
    if pair["cost"] != "uniform" or any(any(g["nodes"]) or any(e[2] for e in g["edges"]) for g in graphs):
        return None, False
    n1, n2 = (len(g["nodes"]) for g in graphs)
    a, b = (numpy.zeros((max(n1, n2), max(n1, n2))) for _ in graphs)
    for g, matrix in zip(graphs, (a, b)):
        for i, j, _ in g["edges"]:
            matrix[i, j] = 1
            if not g.get("directed"):
                matrix[j, i] = 1
    found = quadratic_assignment(a, b, options={"maximize": True, "rng": 0}).col_ind
    return [int(x) if x < n2 else -1 for x in found[:n1]], False


method, limit = {"networkx": networkx, "assignment": assignment, "faq": faq}[sys.argv[1]], float(sys.argv[2])
for line in sys.stdin:
    pair = json.loads(line)
    if pair["cost"] not in MODELS:
        continue
    begin = time.process_time()
    image, proved = method(pair, limit)
    if image is not None:
        print(json.dumps({"id": pair["id"], "map": image, "proved": proved, "seconds": time.process_time() - begin}))
