"""rgm match beside what SciPy's users do: iterated nearest points for sets of points, an assignment for records.

    python3 lab/peers/points.py RGM points [N…]     # N points; RGM is the program
    python3 lab/peers/points.py RGM bent [N…]
    python3 lab/peers/points.py RGM records [N…]

Iterated nearest points (Besl and McKay) is written here: both sets around their means and in units of their spread, the nearest points by
SciPy's k-d tree, the 30 % that are farthest left out, a similarity fitted by least squares. icp begins without a turn; icp36 with each of 36
turns on 1,000 points, and goes on from the best. Pairs are those that are nearest to each other within three times the median distance.
Records are assigned by scipy.optimize.linear_sum_assignment: squared differences of numbers over their deviations, and 1 for each word
that differs; gaps are means. The assignment matches all; cut, those that cost less than the median of the costs plus twice its deviation.
Times are those of the processor.
"""

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree


def shares(match, truth):
    """Shares in % of the matches, and of the partners, that are right."""
    right = sum(a == truth[i] >= 0 for i, a in enumerate(match))
    return 100 * right / max(1, sum(a >= 0 for a in match)), 100 * right / max(1, (truth >= 0).sum())


def rgm(program, header, rows1, rows2):
    """The matching, and the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("a.csv", "b.csv")]
        for path, rows in zip(paths, (rows1, rows2)):
            with open(path, "w", newline="") as f:
                csv.writer(f).writerows([header, *rows])
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = subprocess.run([program, "match", "--format", "json", "--threads", "1", *paths], check=True, capture_output=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = json.loads(out)
    return result["matching"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss // 1024


def fit(x, y):
    """The similarity that takes x to y (Umeyama), without mirrors."""
    mx, my = x.mean(0), y.mean(0)
    u, s, v = np.linalg.svd((y - my).T @ (x - mx))
    flip = np.ones(len(s))
    flip[-1] = np.sign(np.linalg.det(u @ v))
    turn = u @ np.diag(flip) @ v
    scale = (s * flip).sum() / ((x - mx) ** 2).sum()
    return lambda p: scale * (p - mx) @ turn.T + my


def icp(x, y, tree, turn, rounds=60):
    """Points of x on y, and the mean distance of the nearer 70 %."""
    at = x @ turn.T
    for _ in range(rounds):
        d, j = tree.query(at)
        near = d <= np.quantile(d, 0.7)
        moved = fit(x[near], y[j[near]])(x)
        if np.abs(moved - at).max() < 1e-9:
            break
        at = moved
    d, _ = tree.query(at)
    return at, np.sort(d)[: int(0.7 * len(d))].mean()


def iterated(a, b, starts):
    began = time.process_time()
    x, y = ((p - p.mean(0)) / p.std() for p in (a, b))
    turns = [np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) for t in 2 * np.pi * np.arange(starts) / starts]
    turn = turns[0]
    if starts > 1:
        some = x[:1000]
        turn = min(turns, key=lambda t: icp(some, y, cKDTree(y), t, 30)[1])
    at, _ = icp(x, y, cKDTree(y), turn)
    d, j = cKDTree(y).query(at)
    _, back = cKDTree(at).query(y)
    good = (back[j] == np.arange(len(x))) & (d < 3 * np.median(d))
    return np.where(good, j, -1), time.process_time() - began


def placed(n, noise, strangers, turn, bend, rng):
    a = rng.random((n, 2)) * 100
    truth = rng.permutation(n)
    b = a + bend * np.column_stack([np.sin(a[:, 1] / 30), np.cos(a[:, 0] / 25)])
    alone = rng.random(n) < strangers
    b[alone] = rng.random((alone.sum(), 2)) * 100
    b += noise * 100 / np.sqrt(n) * rng.normal(size=(n, 2))
    b = 3 * b @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]).T + 5
    there = np.empty_like(b)
    there[truth] = b
    return a, there, np.where(alone, -1, truth)


def points(program, sizes, bends=(0,)):
    print("|points|strangers|turn|bend|method|right of matches, %|right of partners, %|s|MB|\n|--:|--:|---|--:|---|---|---|---|--:|")
    for n in sizes:
        for bend in bends:
            for strangers, turn in ((0, 10), (0.3, 10), (0.3, None)):
                found = {}
                for seed in range(3):
                    rng = np.random.default_rng([n, seed])
                    a, b, truth = placed(n, 0.1, strangers, rng.random() * 6.28 if turn is None else np.radians(turn), bend, rng)
                    for name, run in (("rgm", lambda: rgm(program, "xy", a, b)), ("icp", lambda: iterated(a, b, 1)), ("icp36", lambda: iterated(a, b, 36))):
                        match, *cost = run()
                        found.setdefault(name, []).append((*shares(match, truth), cost[0], cost[1] if len(cost) > 1 else 0))
                for name, rows in found.items():
                    columns = list(zip(*rows))
                    cells = [", ".join(f"{v:.1f}" for v in column) for column in columns[:3]]
                    print(f"|{n}|{strangers:.0%}|{'any' if turn is None else f'{turn}°'}|{bend}|{name}|{'|'.join(cells)}|{max(columns[3]) or ''}|", flush=True)


def records(program, sizes):
    print("|rows|gaps|method|right of matches, %|right of partners, %|s|\n|--:|--:|---|---|---|---|")
    for n in sizes:
        for gaps in (0, 0.2):
            found = {}
            for seed in range(3):
                rng = np.random.default_rng([n, seed])
                numbers1, words1 = rng.normal(size=(n, 3)), rng.integers(0, [50, 200], (n, 2))
                numbers2, words2 = numbers1 + 0.2 * rng.normal(size=(n, 3)), np.where(rng.random((n, 2)) < 0.1, rng.integers(0, [50, 200], (n, 2)), words1)
                alone = rng.random(n) < 0.3
                numbers2[alone], words2[alone] = rng.normal(size=(alone.sum(), 3)), rng.integers(0, [50, 200], (alone.sum(), 2))
                for numbers in (numbers1, numbers2):
                    numbers[rng.random(numbers.shape) < gaps] = np.nan
                order = rng.permutation(n)
                truth = np.where(alone, -1, np.argsort(order))
                numbers2, words2 = numbers2[order], words2[order]
                cells = [[*("" if np.isnan(v) else repr(float(v)) for v in x), *(f"w{w}" for w in y)] for x, y in zip(numbers1, words1)]
                others = [[*("" if np.isnan(v) else repr(float(v)) for v in x), *(f"w{w}" for w in y)] for x, y in zip(numbers2, words2)]
                ids = [[f"a{i}", *row] for i, row in enumerate(cells)], [f"b{i}" for i in range(n)]
                match, seconds, _ = rgm(program, ["name", "u", "v", "w", "kind", "town"], ids[0], [[name, *row] for name, row in zip(ids[1], others)])
                found.setdefault("rgm", []).append((*shares(match, truth), seconds))
                began = time.process_time()
                x, y = (np.where(np.isnan(v), np.nanmean(v, 0), v) / np.nanstd(v, 0) for v in (numbers1, numbers2))
                cost = ((x[:, None] - y[None]) ** 2).sum(2) + (words1[:, None] != words2[None]).sum(2)
                _, match = linear_sum_assignment(cost)
                seconds = time.process_time() - began
                found.setdefault("assignment", []).append((*shares(match, truth), seconds))
                own = cost[np.arange(n), match]
                found.setdefault("assignment, cut", []).append((*shares(np.where(own < np.median(own) + 2 * own.std(), match, -1), truth), seconds))
            for name, rows in found.items():
                print(f"|{n}|{gaps:.0%}|{name}|" + "|".join(", ".join(f"{v:.1f}" for v in column) for column in zip(*rows)) + "|", flush=True)


if __name__ == "__main__":
    program, what, *sizes = sys.argv[1:]
    if what == "points":
        points(program, [int(n) for n in sizes] or [1000, 10_000, 100_000])
    elif what == "bent":
        points(program, [int(n) for n in sizes] or [1000, 10_000], (1, 5, 20))
    else:
        records(program, [int(n) for n in sizes] or [300, 1000, 3000])
