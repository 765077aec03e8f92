#!/usr/bin/env python3
"""Runs tests of a release build under Valgrind's memcheck.

    scripts/memcheck.py [BUILD]

Invalid memory accesses and branches that depend on uninitialized memory are errors. Runs the unit tests of
the core that took less than 50 ms when ctest last ran in BUILD (by default build/release), and the fuzzers'
inputs. The tests use the programs that ctest runs, so this check requires no additional build.
`scripts/check asan` finds more, but recompiles everything.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SECONDS = 0.05
UNIT_TESTS = re.compile(r"(ir|tracer|interp|passes|codegen|importers|tools|issues)$")
REPLAYS = re.compile(r"replay_(text|json|binary|pickle|safetensors|type|pt2|pt2_program|onnx)$")
VALGRIND = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=no", "--num-callers=20"]


def short_tests(test: dict) -> dict[str, float]:
    """The tests of a GoogleTest program that were fast in its last run, with their times in seconds."""
    output = environment(test)["GTEST_OUTPUT"].removeprefix("json:")
    if not os.path.exists(output):
        sys.exit(f"{output} does not exist: run ctest -R '^{test['name']}$' first")
    suites = json.loads(pathlib.Path(output).read_text(encoding="utf-8"))["testsuites"]
    times = {f"{suite['name']}.{case['name']}": float(case["time"].removesuffix("s"))
             for suite in suites for case in suite["testsuite"]}
    return {name: seconds for name, seconds in times.items() if seconds < SECONDS}


def expected_seconds(test: dict) -> float:
    return sum(short_tests(test).values()) if UNIT_TESTS.match(test["name"]) else 0.3


def property_of(test: dict, name: str, default: object) -> object:
    return next((p["value"] for p in test["properties"] if p["name"] == name), default)


def environment(test: dict) -> dict[str, str]:
    return dict(entry.split("=", 1) for entry in property_of(test, "ENVIRONMENT", []))


def run(test: dict, folder: pathlib.Path) -> bool:
    values = {**os.environ, **environment(test)}
    values.pop("GTEST_OUTPUT", None)
    command, count = [*VALGRIND, *test["command"]], "its inputs"
    if UNIT_TESTS.match(test["name"]):
        names = short_tests(test)
        count = f"{len(names)} tests"
        flags = folder / f"{test['name']}.flags"
        flags.write_text("--gtest_filter=" + ":".join(names), encoding="utf-8")
        command.append(f"--gtest_flagfile={flags}")
    started = time.monotonic()
    done = subprocess.run(command, env=values, text=True, errors="replace",
                          cwd=property_of(test, "WORKING_DIRECTORY", str(ROOT)),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    fine = done.returncode == 0
    print(f"{test['name']}: {'passed' if fine else 'FAILED'}, {count}, "
          f"{time.monotonic() - started:.0f} s", flush=True)
    if not fine:
        print(done.stdout[-20000:], flush=True)
    return fine


def main() -> int:
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release").resolve()
    listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True,
                            capture_output=True, text=True).stdout
    tests = [test for test in json.loads(listed)["tests"]
             if UNIT_TESTS.match(test["name"]) or REPLAYS.match(test["name"])]
    if not tests:
        sys.exit(f"{build} has no tests")
    tests.sort(key=expected_seconds, reverse=True)
    folder = build / "tests" / "memcheck"
    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(lambda test: run(test, folder), tests))
    print(f"{len(tests)} programs, {passed.count(False)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
