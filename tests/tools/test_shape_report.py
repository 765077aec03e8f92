#!/usr/bin/env python3
"""Tests bench/shape_report.py, which creates the table of `scripts/bench shape`: graphs that a
subject cannot run, and dynamic graphs. A program that prints google-benchmark's JSON replaces the
benchmarks.

Exit status: 0 on success, 1 on failure.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import shape_report  # noqa: E402

ROWS = [
    {"name": "cold/user/static.fx/iterations:5", "calls": 7, "ns_per_call": 20.0, "symbolic": 0},
    {"name": "cold/user/dynamic.fx/iterations:5", "calls": 7, "ns_per_call": 30.0, "symbolic": 1},
    {"name": "warm/user/dynamic.fx/iterations:5", "calls": 7, "ns_per_call": 3.0, "symbolic": 1},
    {"name": "meta/user/static.fx", "error_occurred": True, "error_message": "node y: no operator my::op"},
]


class ShapeReport(unittest.TestCase):
    def run_program(self, script: str) -> tuple[list, str]:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "bench_fake"
            program.write_text("#!/bin/sh\n" + script)
            program.chmod(0o755)
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors):
                rows = shape_report.benchmarks([str(program)])
            return rows, errors.getvalue()

    def test_a_graph_that_cannot_run_has_no_figure(self) -> None:
        rows, errors = self.run_program(f"cat << 'E'\n{json.dumps({'benchmarks': ROWS})}\nE\n")
        self.assertEqual([r["subject"] for r in rows], ["cold", "cold", "warm"])
        self.assertIn("user/static.fx: meta: node y: no operator my::op", errors)
        table = shape_report.minimum(rows)
        self.assertEqual(table["user/static"], {"cold": 20.0, "calls": 7})
        # The figures of a user's dynamic graph are in the symbolic column.
        self.assertEqual(table["user/dynamic"], {"symbolic": 30.0, "warm": 3.0, "calls": 7})
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            shape_report.print_table(table)
        self.assertIn("| user/dynamic | 7 |  |  | 3 | 30 |", printed.getvalue())

    def test_a_program_that_fails_is_named(self) -> None:
        with self.assertRaises(SystemExit) as ended:
            self.run_program("echo 'cannot read model.fx' >&2; exit 1\n")
        self.assertIn("bench_fake failed: cannot read model.fx", str(ended.exception))


if __name__ == "__main__":
    unittest.main()
