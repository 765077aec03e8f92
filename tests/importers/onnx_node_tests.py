#!/usr/bin/env python3
"""Reads the node tests of the onnx package with fxcpp, and runs them with libtorch.

    tests/importers/onnx_node_tests.py [--only PATTERN] [--expect COUNT] [--written] [--list FILE]
    [--short]

The tests are those of onnx.backend.test.loader.load_model_tests(kind="node") up to opset 23. All
run in one process (tests/torch/run_onnx_cases_main.cpp). The outcome of a test is `pass`;
`constants` if it passes only with its integer inputs as constants; `rejected` if fxcpp rejects it;
`different`; or `error`. With --written, the graphs of passing tests are written back as ONNX, and
onnxruntime's results are compared with the expected ones. --list writes a line for each test. With
--expect, the exit status is 1 if fewer tests pass.

Runs in the environment of scripts/setup --onnx ($FXCPP_ONNX, or .venv-onnx). Exit status: 0 on
success, 1 on failure, 77 without onnx.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import onnx_models as tools  # noqa: E402  # restarts this script with the Python that has onnx

import numpy
import onnx
from onnx import numpy_helper

RUNNER = Path(os.environ.get("FX_RUN_ONNX_CASES", tools.ROOT / "build/release/tests/run_onnx_cases"))
LAST_OPSET = 23


def node_tests() -> list:
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        numpy.seterr(all="ignore")
        tests = load_model_tests(kind="node")
    return [t for t in tests if is_in_range(t.model)]


def is_in_range(model: onnx.ModelProto) -> bool:
    versions = {o.domain: o.version for o in model.opset_import}
    return versions.get("", 0) <= LAST_OPSET


def write_case(test, folder: Path) -> str | None:
    """Writes a test case, or returns the reason why it cannot be written: an input or output is
    not a tensor."""
    folder.mkdir()
    (folder / "model.onnx").write_bytes(test.model.SerializeToString())
    inputs, outputs = test.data_sets[0]
    names = [value.name for value in test.model.graph.input]
    (folder / "inputs").write_text("".join(name + "\n" for name in names[: len(inputs)]))
    for stem, values in (("input", inputs), ("output", outputs)):
        for i, value in enumerate(values):
            if isinstance(value, onnx.TensorProto):
                proto = value
            elif isinstance(value, (numpy.ndarray, numpy.generic)):
                proto = numpy_helper.from_array(numpy.asarray(value))
            else:
                return f"{stem} {i} is not a tensor"
            (folder / f"{stem}_{i}.pb").write_bytes(proto.SerializeToString())
    return None


def run_written(test, path: Path) -> str:
    """Runs the model that was written back. Returns a description of the first difference."""
    import onnxruntime

    inputs, outputs = test.data_sets[0]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(str(path), options)
        names = [value.name for value in test.model.graph.input]
        in_values = dict(zip((re.sub(r"\W+", "_", n) for n in names), inputs))
        # The writer appends a number to reserved names, such as `input`.
        feeds = {i.name: numpy.asarray(in_values.get(i.name, in_values.get(re.sub(r"_\d+$", "", i.name))))
                 for i in session.get_inputs()}
        results = session.run(None, feeds)
    except Exception as error:  # onnxruntime raises many kinds of errors
        return f"onnxruntime: {str(error)[:150]}"
    for i, (result, expected) in enumerate(zip(results, outputs)):
        if not numpy.allclose(result, expected, rtol=max(test.rtol, 1e-3), atol=max(test.atol, 1e-5), equal_nan=True):
            return f"result {i} differs"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--expect", type=int, default=0)
    parser.add_argument("--written", action="store_true")
    parser.add_argument("--list", type=Path)
    parser.add_argument("--short", action="store_true", help="print only the totals")
    options = parser.parse_args()
    pattern = re.compile(options.only)
    tests = {t.name: t for t in node_tests() if pattern.search(t.name)}
    lines: dict[str, tuple[str, str]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = []
        for test in tests.values():
            reason = write_case(test, folder / test.name)
            if reason is not None:
                lines[test.name] = ("rejected", reason)
            else:
                rows.append(f"{folder / test.name}\t{test.rtol}\t{test.atol}\n")
        written = folder / "written"
        written.mkdir()
        (folder / "list").write_text("".join(rows))
        command = [str(RUNNER), str(folder / "list")] + (["--written", str(written)] if options.written else [])
        done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
        for line in done.stdout.splitlines():
            test_name, outcome, message = line.split("\t", 2)
            lines[test_name] = (outcome, message)
        for test_name in tests:
            lines.setdefault(test_name, ("error", f"not run: {done.stderr[-200:]}"))
        again: collections.Counter[str] = collections.Counter()
        if options.written:
            for test_name, (outcome, message) in sorted(lines.items()):
                path = written / f"{test_name}.onnx"
                if outcome not in ("pass", "constants"):
                    continue
                wrong = run_written(tests[test_name], path) if path.exists() else message
                if not path.exists():
                    again["not written"] += 1
                elif wrong.startswith("onnxruntime"):
                    again["not run by onnxruntime"] += 1
                elif wrong:
                    again["different"] += 1
                else:
                    again["equal"] += 1
                if wrong:
                    lines[test_name] = (outcome, f"written: {wrong}")
    passing = [n for n, (outcome, _) in lines.items() if outcome in ("pass", "constants")]
    counts = collections.Counter(outcome for outcome, _ in lines.values())
    direct = sum("_expanded" not in n for n in passing)
    for test_name, (outcome, message) in sorted(lines.items()):
        if not options.short and (outcome not in ("pass", "constants") or message):
            print(f"{test_name}: {outcome}: {message}")
    if options.list is not None:
        options.list.write_text("".join(f"{n}\t{o}\t{m}\n" for n, (o, m) in sorted(lines.items())))
    print(f"{len(lines)} tests, {len(passing)} pass, {direct} of them not _expanded: {dict(counts)}")
    if options.written:
        print(f"written back and run by onnxruntime: {dict(again)}")
    return 0 if len(passing) >= options.expect else 1


if __name__ == "__main__":
    sys.exit(main())
