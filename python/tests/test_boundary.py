"""What comes over the boundary: bad input is an error of Python's own kind, and the host is not disturbed."""

import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import unittest
from unittest import mock

import numpy as np

import rgm
from rgm import _library, _memory, _progress


def hard(n=60, seed=0):
    """Matrices whose search does not end by itself within seconds."""
    rng = np.random.default_rng(seed)
    return rng.random((n, n)), rng.random((n, n))


class Versions(unittest.TestCase):
    def test_library_has_the_version_of_the_package(self):
        self.assertEqual(rgm.__version__, _library.version())


class BadInput(unittest.TestCase):
    def wrong(self, part, call, *args, **kwargs):
        with self.assertRaises(ValueError) as raised:
            call(*args, **kwargs)
        self.assertIn(part, str(raised.exception))

    def test_matrices(self):
        eye, solve, qap = np.eye(4), rgm.solve, rgm.quadratic_assignment
        nan = eye.copy()
        nan[1, 2] = np.nan
        for part, value in {
            "K is None": None, "[1, 2] is nan": nan, "type <U1": [["a"]], "type object": [[None]], "complex": eye * 1j, "shape (3,)": [1, 2, 3],
            "inhomogeneous": [[1], [1, 2]], "inf": [[np.inf]], "datetime": np.zeros((1, 1), "M8[s]"),
        }.items():
            self.wrong(part, solve, value, 1, 1)
            if "[1, 2]" not in part:
                self.wrong(part.replace("K is", "A is"), qap, value, eye)
        self.wrong("want 6×6", solve, eye, 2, 3)
        self.wrong("n1 is 0", solve, eye, 0, 3)
        self.wrong("n1 is 2.5", solve, eye, 2.5, 3)
        self.wrong("n2 is True", solve, eye, 4, True)
        self.wrong("n1 is 1000000000000000000000", solve, eye, 10**21, 2)
        self.wrong("order", solve, eye, 2, 2, order="diagonal")
        self.wrong("want a square matrix", qap, np.ones((2, 3)), eye)
        self.wrong("want the same", qap, np.eye(3), eye)
        self.wrong("one row at least", qap, np.empty((0, 0)), eye)
        self.wrong("at most 32768 rows", qap, _Rows(40000), eye)
        self.wrong("overflow", solve, eye * 1e200, 2, 2)

    def test_options(self):
        eye = np.eye(4)
        self.wrong("/options/surprise", rgm.solve, eye, 2, 2, surprise=1)
        self.wrong("/options/method", rgm.solve, eye, 2, 2, method="tubu")
        self.wrong("Out of range", rgm.solve, eye, 2, 2, target=float("nan"))
        self.wrong("want a number, a string", rgm.solve, eye, 2, 2, seed=object())
        self.wrong("/options/time_limit", rgm.solve, eye, 2, 2, time_limit="soon")
        self.wrong("/options/time_limit", rgm.solve, eye, 2, 2, time_limit=-1)
        self.wrong("partial_match", rgm.quadratic_assignment, eye, eye, options={"partial_match": [[0, 9]]})
        self.wrong("comes twice", rgm.quadratic_assignment, eye, eye, options={"partial_match": [[0, 1], [0, 2]]})
        self.wrong("P0", rgm.quadratic_assignment, eye, eye, options={"P0": eye})
        self.wrong("rng is str", rgm.quadratic_assignment, eye, eye, options={"rng": "x"})

    def test_graphs(self):
        self.wrong("points or an adjacency matrix?", rgm.match, np.eye(2), np.eye(2))
        self.wrong("one node at least", rgm.match, np.empty((0, 2)), np.ones((3, 2)))
        self.wrong("joins 0 and 7", rgm.match, rgm.Graph(nodes=3, edges=[(0, 7)]), rgm.Graph(nodes=3, edges=[(0, 1)]))
        self.wrong("joins -1 and 1", rgm.match, rgm.Graph(nodes=3, edges=[(-1, 1)]), rgm.Graph(nodes=3, edges=[(0, 1)]))
        self.wrong("want 1 to", rgm.align, rgm.Graph(nodes=10**15, edges=[(0, 1)]), rgm.Graph(nodes=3, edges=[(0, 1)]))
        self.wrong("as many of each", rgm.Graph, points=[[0, 1]], names=["a", "b"])
        self.wrong("nothing", rgm.Graph)
        self.wrong("another one for each", rgm.Graph, names=["a", "a"])
        self.wrong("want one each", rgm.Graph, edges=[(0, 1)], weights=[1, 2])
        self.wrong("whole numbers", rgm.Graph, edges=[(0.5, 1)])
        points = np.random.default_rng(0).random((5, 2))
        self.wrong("/compare/kernel", rgm.match, points, points, kernel="colour")
        self.wrong("known[0]", rgm.match, points, points, known=[(0, 99)])
        self.wrong("has no edges: an alignment goes by them", rgm.align, points, points)

    def test_closed_handles(self):
        eye = np.eye(4)
        problem = _library.dense(2, 2, eye, _library.MAXIMIZE)
        number = problem.number
        problem.close()
        problem.close()
        self.wrong("closed", _library.solve, problem, {}, 2)
        forged = _library.Handle.__new__(_library.Handle)
        forged._number = ctypes.c_uint64(number)
        self.wrong("was freed", _library.solve, forged, {}, 2)


class _Rows:
    """A matrix that says it is huge, and takes no memory."""

    def __init__(self, n):
        self.n = n

    def __array__(self, *_, **__):
        return np.lib.stride_tricks.as_strided(np.zeros(1), (self.n, self.n), (0, 0))


class Memory(unittest.TestCase):
    """What would need more memory than there is is refused before it is copied."""

    def refused(self, free, call):
        with mock.patch.object(_memory, "available", lambda: free):
            tracemalloc.start()
            try:
                with self.assertRaisesRegex(ValueError, "GB are free"):
                    call()
                self.assertLess(tracemalloc.get_traced_memory()[1], 1e6)
            finally:
                tracemalloc.stop()

    def test_copies(self):
        huge = _Rows(40000).__array__()
        self.refused(20e9, lambda: rgm.solve(huge, 200, 200))
        self.refused(20e9, lambda: rgm.solve(huge[None], 200, 200))
        self.refused(10e9, lambda: rgm.quadratic_assignment(huge[:30000, :30000], huge[:30000, :30000]))
        self.refused(5e9, lambda: rgm.match(huge[:30000, :30000], huge[:30000, :30000]))

    def test_what_is_not_copied_is_taken(self):
        rng = np.random.default_rng(1)
        k = rng.random((16, 16))
        symmetric = k + k.T
        with mock.patch.object(_memory, "available", lambda: 0.0), mock.patch.object(_memory, "FEW", 0):
            rgm.solve(symmetric, 4, 4)
            for other in (k, symmetric[::-1, ::-1], symmetric.astype(np.float32)):
                with self.assertRaisesRegex(ValueError, "GB are free"):
                    rgm.solve(other, 4, 4)
            with self.assertRaisesRegex(ValueError, "GB are free"):
                rgm.solve(symmetric, 4, 4, maximize=False)

    def test_there_is_memory(self):
        self.assertGreater(_memory.available(), 1e6)


class Host(unittest.TestCase):
    def test_other_threads_run_while_it_searches(self):
        counted, ended = [0], threading.Event()

        def count():
            while not ended.is_set():
                counted[0] += 1
                time.sleep(0.001)

        other = threading.Thread(target=count)
        other.start()
        try:
            before = counted[0]
            rgm.quadratic_assignment(*hard(), options={"time_limit": 1, "threads": 1})
            during = counted[0] - before
        finally:
            ended.set()
            other.join()
        self.assertGreater(during, 10)  # of 1,000; with the lock held there would be one a callback at most

    def test_threads_share_problems(self):
        a, b = hard(10)
        options = {"max_steps": 2000, "seed": 3, "threads": 1}
        want = rgm.quadratic_assignment(a, b, options=options)
        with _library.assignment(a, b, None, _library.MINIMIZE) as problem:
            found = [None] * 8

            def solve(k):
                found[k] = _library.solve(problem, options, 10)

            threads = [threading.Thread(target=solve, args=(k,)) for k in range(8)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
        for f in found:
            self.assertEqual(f.parts[0].tolist(), want.col_ind.tolist())

    def interrupt(self, seconds=0.5):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # of a background job it is ignored
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(seconds, os.kill, [os.getpid(), signal.SIGINT])
        self.addCleanup(timer.join)
        timer.start()

    def test_interrupt_ends_a_loop_and_keeps_the_best_so_far(self):
        a, b = hard()
        self.interrupt()
        runs = 0
        with self.assertRaises(KeyboardInterrupt) as raised:
            for _ in range(30):
                runs += 1
                rgm.quadratic_assignment(a, b, options={"time_limit": 100})
        self.assertEqual(runs, 1)
        self.assertIs(raised.exception.result, rgm.last_result)
        result = rgm.last_result
        self.assertEqual(result.result.status, "cancelled")
        self.assertEqual(sorted(result.col_ind), list(range(60)))
        self.assertAlmostEqual(result.fun, (a * b[np.ix_(result.col_ind, result.col_ind)]).sum())

    def test_interrupt_of_the_others(self):
        rng = np.random.default_rng(0)
        k = rng.random((2, 900, 900))
        ring = rgm.Graph(edges=[(i, int(j)) for i in range(3000) for j in rng.integers(0, i or 1, 3) if i != j])
        other = rgm.Graph(edges=[(i, int(j)) for i in range(3000) for j in rng.integers(0, i or 1, 3) if i != j])
        for call, kept in {
            lambda: rgm.solve(k[0], 30, 30, time_limit=100): lambda r: len(r.matching) == 30,
            lambda: rgm.solve(k, 30, 30, time_limit=100): lambda r: len(r) == 1 and len(r[0].matching) == 30,
            lambda: rgm.match(ring, other, time_limit=100): lambda r: len(r.matching) == 3000,
        }.items():
            self.interrupt(1)
            with self.assertRaises(rgm.Interrupted) as raised:
                call()
            self.assertTrue(kept(raised.exception.result))
            self.assertIs(raised.exception.result, rgm.last_result)

    def test_on_best(self):
        a, b = hard()
        heard = []

        def on_best(best):
            heard.append(best)
            return len(heard) == 3

        result = rgm.quadratic_assignment(a, b, options={"time_limit": 100, "on_best": on_best}).result
        self.assertEqual((result.status, len(heard)), ("cancelled", 3))
        self.assertEqual([b.objective for b in heard], sorted((b.objective for b in heard), reverse=True))
        self.assertLessEqual(result.objective, heard[-1].objective + 1e-9)
        self.assertEqual(sorted(heard[-1].matching), list(range(60)))

    def test_deadline(self):
        result = rgm.quadratic_assignment(*hard(), method="tabu", options={"max_steps": 10**9, "deadline": 0.3}).result
        self.assertEqual((result.status, sorted(result.matching)), ("deadline", list(range(60))))

    def test_errors_of_on_best_are_raised(self):
        with self.assertRaises(ZeroDivisionError):
            rgm.quadratic_assignment(*hard(), options={"time_limit": 100, "on_best": lambda best: 1 / 0})

    @unittest.skipUnless(sys.platform == "linux", "fork of a process with threads")
    def test_child_of_a_process_that_loaded_it(self):
        def child(pipe):
            try:
                rgm.solve(np.eye(4), 2, 2)
                pipe.send("solved")
            except RuntimeError as e:
                pipe.send(str(e))

        rgm.solve(np.eye(4), 2, 2)
        here, there = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(target=child, args=(there,))
        process.start()
        self.assertTrue(here.poll(60))
        self.assertIn("load it in the child", here.recv())
        process.join()

    @unittest.skipUnless(sys.platform == "linux", "signals")
    def test_handlers_of_the_host_run_on_its_threads(self):
        program = """
import faulthandler, signal, threading, numpy as np, rgm
got = []
signal.signal(signal.SIGALRM, lambda *_: got.append(threading.current_thread() is threading.main_thread()))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
rng = np.random.default_rng(0)
rgm.quadratic_assignment(rng.random((40, 40)), rng.random((40, 40)), options={"time_limit": 1})
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(got) > 5 and all(got))
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "True\n", ""))

    def test_progress(self):
        program = """
import numpy as np, rgm
rng = np.random.default_rng(0)
for shown in (True, False):
    rgm.quadratic_assignment(rng.random((40, 40)), rng.random((40, 40)), options={"time_limit": "2s", "progress": shown})
rgm.match(rng.random((30, 2)), rng.random((30, 2)), method="regrow", time_limit=2, progress=True)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        said = done.stderr.decode()  # as it is: in text mode \r would be a new line
        lines = [line.rstrip() for line in said.split("\r") if line.strip()]
        for line in lines:
            self.assertRegex(line, r"^rgm: [\d.]+ of 2 s, objective [-\d.e+]+ by \w+$")
        self.assertTrue(1 <= len(lines) <= 14, lines)  # of two searches, the second of which may find nothing on a busy machine; five a second at most
        self.assertTrue(said.endswith("\r"))  # the line is gone

    def test_limits_in_words(self):
        for limit, want in {"1m30s": 90, "500ms": 0.5, 2: 2, "2s": 2, None: None, 0: None, "soon": None, "": None}.items():
            self.assertEqual(_progress.seconds(limit), want)

    def test_nothing_is_printed(self):
        program = "import numpy as np, rgm; rgm.solve(np.eye(4), 2, 2); rgm.match(np.random.rand(6, 2), np.random.rand(5, 2), affinity='learned')"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
