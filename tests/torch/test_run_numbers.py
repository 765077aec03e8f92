#!/usr/bin/env python3
"""Compares the numbers among the results of a graph: `fxcpp run --check`.

NumPy writes the files of expected results. Exit status: 0 on success, 1 on failure, 77 without NumPy
or libtorch.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy
except ImportError:
    print("NumPy is missing")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
GRAPH = """graph(%x : f32[3], %n : int) {
  %y = aten.mul.Tensor(%x, 2)
  %f = operator.truediv(%n, 2)
  %b = operator.lt(%n, 3)
  return (%y, %n, %f, %b)
}
"""
X = numpy.array([1, 2, 3], dtype=numpy.float32)
RESULTS = {"out.0": 2 * X, "out.1": numpy.int64(5), "out.2": numpy.float64(2.5), "out.3": numpy.bool_(False)}


class RunNumbers(unittest.TestCase):
    def run_graph(self, expected: dict[str, object] | None) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "g.fx").write_text(GRAPH, encoding="ascii")
            numpy.savez(folder / "in.npz", x=X, n=numpy.int64(5))
            words = []
            if expected is not None:
                numpy.savez(folder / "out.npz", **expected)
                words = ["--check", "out.npz"]
            done = subprocess.run([FXCPP, "run", "g.fx", "--inputs", "in.npz", *words], cwd=folder,
                                  capture_output=True, text=True, check=False)
        if "was built without libtorch" in done.stderr:
            self.skipTest("fxcpp was built without libtorch")
        return done

    def test_equal(self) -> None:
        done = self.run_graph(RESULTS)
        self.assertIn("4 results compared: 4 bit-equal, 0 different", done.stdout, done.stderr)
        self.assertEqual(done.returncode, 0)

    def test_different(self) -> None:
        for name, value in (("out.1", numpy.int64(6)), ("out.2", numpy.float64(2.75)), ("out.3", numpy.bool_(True)),
                            ("out.1", numpy.float64(5)), ("out.3", numpy.int64(0))):
            done = self.run_graph({**RESULTS, name: value})
            self.assertIn(f"{name}: ", done.stdout, done.stderr)
            self.assertIn("3 bit-equal, 1 different", done.stdout)
            self.assertEqual(done.returncode, 1)

    def test_omitted(self) -> None:
        done = self.run_graph({"out.0": RESULTS["out.0"], "out.2": numpy.float32(2.5)})
        self.assertIn("2 results compared: 2 bit-equal, 0 different; largest difference 0; 2 more are not in the file",
                      done.stdout, done.stderr)

    def test_printed(self) -> None:
        lines = self.run_graph(None).stdout.splitlines()
        self.assertEqual(lines[1:], ["out.1: int(5)", "out.2: float(2.5)", "out.3: bool(False)"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
