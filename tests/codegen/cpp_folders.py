#!/usr/bin/env python3
"""Builds the folders that `emit --to folder` writes for models, runs them, and inspects
them in gdb.

    tests/codegen/cpp_folders.py [MODEL...] [--keep FOLDER]     resnet18 gpt

Each model of `fxcpp capture` (forward and joint) is written as a folder F. Then
`cmake -S F -B F/build`, `cmake --build F/build` and `ctest` run; their CPU times and wall times
are measured. gdb then stops at the line of a node in model.fx, steps over it, and prints the node's
value by its name. test_cpp.py does this with a small model in ctest.
Exit status: 0 on success, 1 on failure, 77 without torch.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cpp_models import FXCPP, TORCH

PRINT = "call (void)'at::print(at::Tensor const&, long)'(&{}, 80)"  # a libtorch function
# Functions that return one tensor, whose values start at the beginning of a separate allocation.
STOPS = ("relu", "gelu", "addmm")


def timed(*command: object) -> tuple[subprocess.CompletedProcess[str], str]:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ran, f"{used:.1f} s CPU ({time.monotonic() - start:.1f} s)"


def in_gdb(folder: Path) -> tuple[bool, str]:
    lines = (folder / "model.fx").read_text().splitlines()
    found = [(i, re.match(r"  %(\w+) : f32\[([\d, ]+)\]", line)) for i, line in enumerate(lines, 1)]
    stops = [(i, match) for i, match in found if match and match[1].startswith(STOPS)]
    if not stops:
        return False, "gdb: the graph has no node at which to set a breakpoint"
    line, match = stops[len(stops) // 2]
    name = match[1]
    output = subprocess.run(
        ["gdb", "-batch", "-nx", "-ex", "set breakpoint pending on", "-ex", f"break model.fx:{line}",
         "-ex", f"run {folder}", "-ex", "list", "-ex", "next", "-ex", PRINT.format(name),
         "-ex", "call (int)fflush(0)", folder / "build" / "model"],
        capture_output=True, text=True)
    stopped = f"model.fx:{line}" in output.stdout and f"%{name} : f32" in output.stdout
    kind = re.search(r"\[ CPUFloatType\{([\d,]+)\} \]", output.stdout)
    values = re.search(r"(?:Columns 1 to \d+|^)\s*(-?\d+\.\d+)", output.stdout, re.MULTILINE)
    shape = match[2].replace(" ", "")
    if not (stopped and kind and kind[1] == shape and values):
        return False, f"gdb: {output.stdout[-1500:]}{output.stderr[-500:]}"
    return True, f"gdb stops at model.fx:{line}, {name} is f32[{kind[1]}], {values[1]}, ..."


def check(model: str, kind: str, work: Path) -> bool:
    graph, folder = work / f"{model}_{kind}.fx", work / f"{model}_{kind}"
    captured, _ = timed(FXCPP, "capture", model, *(["--joint"] if kind == "joint" else []), "-o", graph)
    emitted, emit_time = timed(FXCPP, "emit", graph, "--to", "folder", "-o", folder)
    build = folder / "build"
    configured, configure_time = timed("cmake", "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={TORCH}",
                            "-DCMAKE_BUILD_TYPE=Debug")
    built, built_time = timed("cmake", "--build", build)
    checked, checked_time = timed("ctest", "--test-dir", build, "--verbose")
    for step in (captured, emitted, configured, built, checked):
        if step.returncode != 0:
            print(f"FAIL {model} {kind}: {' '.join(map(str, step.args))}\n{step.stdout[-1500:]}"
                  f"{step.stderr[-1500:]}")
            return False
    compared = re.search(r"\d+ results? compared.*", checked.stdout)
    stopped, output = in_gdb(folder)
    fine = stopped and compared is not None and " 0 different" in compared[0] and \
        "warning" not in built.stdout
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) / 1e6
    print(f"{'ok  ' if fine else 'FAIL'} {model} {kind}, {size:.1f} MB: emit {emit_time}, cmake "
          f"{configure_time}, build {built_time}, ctest {checked_time}: "
          f"{compared[0] if compared else 'nothing compared'}; {output}", flush=True)
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("models", nargs="*", default=["resnet18", "gpt"])
    parser.add_argument("--keep", type=Path, help="keep the folders in this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.keep or Path(temporary)
        work.mkdir(exist_ok=True)
        results = [check(model, kind, work) for model in arguments.models
                   for kind in ("forward", "joint")]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
