"""Calls of the C library with arguments of all kinds: python3 -m tests.fuzz [CALLS] [SEED], 20,000 by default.

No call may crash, print, or be a fault of rgm (RGM_EINTERNAL). Arrays are as long as their counts say, which C cannot check;
everything else may be wrong: NULL, sizes that no array has, freed handles, handles of another kind, bytes for text.
"""

import ctypes
import random
import sys

import numpy as np

from rgm import _library

OPTIONS = [
    None, b"", b"{}", b'{"max_steps":5}', b'{"max_steps":5,"seed":3,"threads":1}', b'{"method":"align","max_steps":9}', b"[]", b"{", b'{"seed":-1}', b"\xff\xfe",
    b'{"fix":["0:0"],"max_steps":3}', b'{"inliers":1,"max_steps":4}', b'{"method":"faq","max_steps":2}', b'{"kernel":"length"}', b'{"scale":"free"}',
    b'{"initial":[0,1],"max_steps":3}', b'{"method":"exact","time_limit":0.001}', b'{"regularize":"mean","max_steps":5}', b"null", b'{"seed":1e400}',
]
SIZES = [0, 1, 2, 3, 4, -1, -(2**63), 2**31, 2**62, 2**63 - 1, 32769]
CODES = {0, 1, 2, 3, 6}


class Caller:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.library = _library.load()
        self.handles = [0, 1, 2**64 - 1]
        self.counts = {}

    def numbers(self, count):
        """An array of so many numbers, or NULL."""
        r = self.random
        if r.random() < 0.05:
            return None
        values = np.array([r.choice((0.0, 1.0, -1.0, 2.5, r.random())) for _ in range(max(count, 1))])
        if r.random() < 0.05:
            values[r.randrange(len(values))] = r.choice((np.nan, np.inf, 1e308, 5e-324))
        return values

    def whole(self, count, most):
        r = self.random
        return None if r.random() < 0.05 else np.array([r.randint(-1 if r.random() < 0.05 else 0, most) for _ in range(max(count, 1))], np.int64)

    def call(self, name, *arguments):
        error = _library._Error()
        code = getattr(self.library, name)(*arguments, None if self.random.random() < 0.1 else ctypes.byref(error))
        if code not in CODES or code and not error.message and error.code:
            raise SystemExit(f"{name}{arguments}: code {code}: {error.message.decode()}")
        self.counts[name, code] = self.counts.get((name, code), 0) + 1
        return code

    def made(self, name, *arguments):
        """Calls a function that makes a handle."""
        handle = ctypes.c_uint64(7)
        to = None if self.random.random() < 0.02 else ctypes.byref(handle)
        if self.call(name, *arguments, to) == 0:
            self.handles.append(handle.value)
        elif to is not None and handle.value:
            raise SystemExit(f"{name}{arguments}: failed with the handle {handle.value}")

    def step(self):
        r, at = self.random, _library.pointer
        small = [r.randint(1, 4) for _ in range(2)]
        n1, n2 = small if r.random() < 0.9 else [r.choice(SIZES) for _ in range(2)]
        handle = r.choice(self.handles)
        what = r.randrange(11)
        if what == 0:
            entries = (small[0] * small[1]) ** 2 if r.random() < 0.9 else r.randint(0, 20)
            k = self.numbers(entries)
            self.kept = getattr(self, "kept", []) + [k]  # until the problem is freed
            self.made("rgm_dense", n1, n2, at(k), entries if r.random() < 0.98 else r.choice((-1, -(2**63))), r.choice((0, 0, 1, 2)))
        elif what == 1:
            entries, most = r.randint(0, 12), small[0] * small[1] - 1
            rows, cols, values = self.whole(entries, most), self.whole(entries, most), self.numbers(entries)
            self.made("rgm_sparse", n1, n2, at(rows), at(cols), at(values), entries, r.choice((0, 1)))
        elif what == 2:
            n1, n2 = small if r.random() < 0.95 else (r.choice((0, -1, -(2**63))), small[1])
            a, b, c = self.numbers(small[0] ** 2), self.numbers(small[1] ** 2), self.numbers(small[0] * small[1]) if r.random() < 0.3 else None
            self.made("rgm_assignment", n1, n2, at(a), at(b), at(c), r.choice((0, 1, 1)))
        elif what == 3:
            n, edges = small[0], r.randint(0, 6)
            points, features, weights, ends = self.numbers(2 * n), self.numbers(n), self.numbers(edges), self.whole(2 * edges, n - 1)
            use = [r.random() < share for share in (0.5, 0.2, 0.3, 0.7)]
            graph = _library._Graph(
                n, at(points) if use[0] else None, 2, at(features) if use[1] else None, 1, at(ends) if use[3] else None, edges,
                at(weights) if use[2] else None, None, 0, r.randint(0, 1))
            if r.random() < 0.05:
                graph.points = graph.features = None
                graph.nodes = r.choice(SIZES)
            self.made("rgm_graph_new", None if r.random() < 0.02 else ctypes.byref(graph))
        elif what == 4:
            text = r.choice((b"0 1\n1 2\n", b"source,target\na,b\n", b"x,y\n0,1\n1,1\n", b"", r.randbytes(20)))
            name = r.choice((b"a.edgelist", b"a.csv", b"a.json", b"a.graphml", b"a.gml", b"a", b"\xff", None))
            self.made("rgm_graph_read", name, text, len(text) if r.random() < 0.95 else -1)
        elif what == 5:
            self.made("rgm_match", handle, r.choice(self.handles), r.choice(OPTIONS))
        elif what == 6:
            stop = r.randint(0, 1)
            callback = _library._Callback(lambda *_: stop) if r.random() < 0.5 else _library._Callback()
            self.made("rgm_solve", handle, r.choice(OPTIONS), callback, None)
        elif what == 7:
            count = r.choice((0, 1, 4, 64, -1))
            written = ctypes.c_int64()
            values = self.whole(count, 1)
            self.call("rgm_result_nodes", handle, r.randint(-1, 4), at(values), count, ctypes.byref(written) if r.random() < 0.95 else None)
        elif what == 8:
            size = r.choice((0, 1, 10, 4096, -5))
            text, length = ctypes.create_string_buffer(max(size, 1)), ctypes.c_int64()
            self.call("rgm_result_json", handle, text if r.random() < 0.95 else None, size, ctypes.byref(length))
        elif what == 9:
            count = r.choice((0, 2, 4, 6, 8, -1))
            self.call("rgm_graph_places", handle, at(self.numbers(max(count, 0))), count)
        else:
            self.call("rgm_free", handle)
        while len(self.handles) > 40:
            self.library.rgm_free(self.handles.pop(3), None)
        if len(getattr(self, "kept", [])) > 1000 and len(self.handles) > 39:
            self.kept = self.kept[-200:]  # of problems that were freed


def main(calls=20000, seed=0):
    caller = Caller(seed)
    for _ in range(calls):
        caller.step()
    return caller.counts


if __name__ == "__main__":
    for (name, code), count in sorted(main(*map(int, sys.argv[1:])).items()):
        print(f"{name:20} code {code}: {count}")
