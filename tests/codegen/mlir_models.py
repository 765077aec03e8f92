#!/usr/bin/env python3
"""Verifies, lowers and runs the MLIR for the corpus and for fxcpp's models with torch-mlir and IREE.

    tests/codegen/mlir_models.py [--only PATTERN] [--lower] [--iree] [--keep FOLDER]

Each graph of the corpus (exported, functional, joint, with symbolic sizes) and of the zoo (forward
and joint as captured in training mode, and forward in evaluation mode) is functionalized if it
writes to tensors, emitted by `fxcpp emit --to mlir`, and parsed and verified by torch-mlir. With --lower, it
is also lowered to linalg; if that fails, it is decomposed and lowered again. With --iree, IREE
compiles it for the CPU and runs it on the data of the corpus or of `fxcpp capture`, and the results
are compared.

Requires the environment of scripts/setup --compilers ($FXCPP_COMPILERS, or .venv-compilers). Exit
status: 0 on success; 1 if a graph cannot be written, is invalid or has different results; 77
without torch-mlir. Graphs that do not lower or compile are listed, but do not count as failures.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FXCPP = Path(os.environ.get("FXCPP", ROOT / "build/release/bin/fxcpp")).absolute()
CORPUS = Path(os.environ.get("FXCPP_CORPUS", ROOT.parent / "shared/corpus")).absolute()
COMPILERS = Path(os.environ.get("FXCPP_COMPILERS", ROOT / ".venv-compilers")).absolute()

try:
    import numpy
    from torch_mlir import ir
    from torch_mlir.dialects import torch as torch_dialect
except ImportError as error:
    python = COMPILERS / "bin/python"
    if "FXCPP_MLIR_CHILD" in os.environ or not python.exists():
        print(f"not run: {error} (scripts/setup --compilers)")
        sys.exit(77)
    os.environ["FXCPP_MLIR_CHILD"] = "1"
    os.execv(python, [str(python), *sys.argv])

LOWERING = (
    "builtin.module(torchdynamo-export-to-torch-backend-pipeline,"
    "torch-backend-to-linalg-on-tensors-backend-pipeline)"
)
FUNCTIONALIZE = "functionalize{copy_back=false},eliminate_dead_code"
# torch-mlir lowers the gradient of max pooling, but crashes on the scatter to which it would be
# decomposed.
DECOMPOSE = ",decompose{set=all,keep=aten.max_pool2d_with_indices_backward},eliminate_dead_code"
RANDOM = re.compile(r"aten\.(\w*dropout|bernoulli|rand\w*|normal\w*|multinomial)\.")
SECONDS = 60  # CPU time for one lowering or compilation
# Smaller inputs fail: IREE 3.13 does not compile strided convolutions whose result has size 1.
SMALL = {
    "resnet18": ["width=16"],
    "resnet50": ["width=8"],
    "mobilenet_v2": ["width=25"],
    "unet": ["width=4"],
    "vae": ["hidden=32"],
}
DTYPES = {
    "BOOL": numpy.bool_,
    "U8": numpy.uint8,
    "I8": numpy.int8,
    "I16": numpy.int16,
    "I32": numpy.int32,
    "I64": numpy.int64,
    "F16": numpy.float16,
    "F32": numpy.float32,
    "F64": numpy.float64,
    "C64": numpy.complex64,
}


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False,
                          errors="replace")


def run_limited(*command: object) -> subprocess.CompletedProcess[str] | None:
    """Runs a command. Returns None if it or a child process uses too much CPU time."""
    limited = f"ulimit -t {SECONDS}; exec \"$@\""
    done = run("bash", "-c", limited, "bash", *command)
    # The status is -signal for the process itself, and 128 + signal (from a script) for its child.
    killed = {status % 256 for s in (signal.SIGXCPU, signal.SIGKILL) for status in (-s, 128 + s)}
    return None if done.returncode % 256 in killed else done


def read_safetensors(path: Path) -> dict[str, numpy.ndarray]:
    raw = path.read_bytes()
    (size,) = struct.unpack("<Q", raw[:8])
    tensors = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if name == "__metadata__" or entry["dtype"] not in DTYPES:
            continue
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        tensors[name] = numpy.frombuffer(raw[begin:end], DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


class Case:
    """A graph file and, if known, the data of its inputs and results, by name."""

    def __init__(self, name: str, graph: Path, data: Path | None = None) -> None:
        self.name = name
        self.graph = graph
        self.data = data
        # True if libtorch's results come from `fxcpp run`, because the graph is not the captured one.
        self.is_compared_by_run = False


def zoo(folder: Path, pattern: re.Pattern[str]) -> list[Case]:
    listed = run(FXCPP, "capture", "--list")
    if listed.returncode != 0:
        return []  # built without libtorch
    cases = []
    for model in re.findall(r"^(\w+): ", listed.stdout, re.MULTILINE):
        for kind in ("forward", "joint", "evaluation"):
            name = f"zoo/{model}/{kind}"
            if not pattern.search(name):
                continue
            path = folder / f"{model}_{kind}.fx"
            settings = [word for s in SMALL.get(model, []) for word in ("--set", s)]
            settings += {"joint": ["--joint"], "evaluation": ["--keep", "dropout"]}.get(kind, [])
            result = run(FXCPP, "capture", model, *settings, "--functionalize", "-o", path)
            if result.returncode == 0 and kind == "evaluation":
                result = run(FXCPP, "opt", path, "--passes", "set_training,remove_dropout,eliminate_dead_code",
                           "-o", path)
            if result.returncode != 0:
                print(f"{name}: not captured: {result.stderr.strip()}")
                continue
            case = Case(name, path, path.with_suffix(".safetensors"))
            case.is_compared_by_run = kind == "evaluation"
            cases.append(case)
    return cases


def corpus(pattern: re.Pattern[str]) -> list[Case]:
    cases = []
    for path in sorted(CORPUS.glob("*/*.json")):
        name = f"corpus/{path.parent.name}/{path.stem}"
        if pattern.search(name):
            cases.append(Case(name, path))
    return cases


def emit(case: Case, folder: Path, passes: str = "") -> tuple[Path | None, str]:
    """Returns the MLIR module of a graph after these passes (functionalized if it writes to
    tensors), or the error."""
    stem = case.name.replace("/", "_") + ("_decomposed" if passes else "")
    target, changed = folder / f"{stem}.mlir", folder / f"{stem}.fx"
    done = run(FXCPP, "emit", case.graph, "--to", "mlir", "-o", target)
    if passes or (done.returncode != 0 and "functionalize" in done.stderr):
        passed = run(FXCPP, "opt", case.graph, "--passes", FUNCTIONALIZE + passes, "-o", changed)
        if passed.returncode != 0:
            return None, passed.stderr.strip()
        done = run(FXCPP, "emit", changed, "--to", "mlir", "-o", target)
    if done.returncode != 0:
        return None, done.stderr.strip()
    return target, ""


def first_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if "error" in line.lower()] or [text.strip()]
    return lines[0][-220:] if lines else ""


def verify(path: Path) -> str:
    """Returns the error; "" if torch-mlir parses and verifies the module, and can parse its own
    output."""
    with ir.Context() as context:
        torch_dialect.register_dialect(context)
        try:
            module = ir.Module.parse(path.read_text(encoding="utf-8"))
            module.operation.verify()
            ir.Module.parse(module.operation.get_asm(enable_debug_info=True))
        except ir.MLIRError as error:
            return str(error)
    return ""


def lower(path: Path) -> str:
    """Returns the error; "" if torch-mlir lowers the module to linalg."""
    done = run_limited(COMPILERS / "bin/torch-mlir-opt", path, f"-pass-pipeline={LOWERING}", "-o", "/dev/null")
    if done is None:
        return f"exceeded {SECONDS} s of CPU time"
    return "" if done.returncode == 0 else first_line(done.stderr)


def argument_names(path: Path) -> list[str]:
    """Returns the names of the arguments, from their locations."""
    text = path.read_text(encoding="utf-8")
    names = dict(re.findall(r'^(#loc\d+) = loc\("((?:[^"\\]|\\.)*)"\)$', text, re.MULTILINE))
    head = text[text.index("func.func @main(") : text.index(" {\n", text.index("func.func @main("))]
    return [names[location] for location in re.findall(r"loc\((#loc\d+)\)", head)]


def compare(case: Case, path: Path, folder: Path) -> str:
    """Compiles and runs the module with IREE, and returns how the results compare with
    libtorch's."""
    if case.data is None:
        return "skipped: no data"
    data = read_safetensors(case.data)
    # None results are neither in the function nor in the file.
    results = [data[f"out.{i}"] for i in sorted(int(n[4:]) for n in data if re.fullmatch(r"out\.\d+", n))]
    names = argument_names(path)
    missing = [name for name in names if name not in data]
    if RANDOM.search(case.graph.read_text(encoding="utf-8", errors="replace")):
        return "skipped: random numbers"
    if missing or not results:
        return f"skipped: no data for {', '.join(missing) or 'results'}"
    compiled = folder / (path.stem + ".vmfb")
    done = run_limited(COMPILERS / "bin/iree-compile", path, "--iree-hal-target-backends=llvm-cpu",
                       "--iree-llvmcpu-target-cpu=host", "--iree-input-type=torch", "-o", compiled)
    if done is None:
        return f"not compiled: exceeded {SECONDS} s of CPU time"
    if done.returncode != 0:
        return "not compiled: " + first_line(done.stderr)
    command: list[object] = [COMPILERS / "bin/iree-run-module", f"--module={compiled}",
                             "--device=local-sync", "--function=main"]
    for i, name in enumerate(names):
        numpy.save(folder / f"arg{i}.npy", data[name])
        command.append(f"--input=@{folder / f'arg{i}.npy'}")
    for i in range(len(results)):
        command.append(f"--output=@{folder / f'result{i}.npy'}")
    done = run(*command)
    if done.returncode != 0:
        return "did not run: " + first_line(done.stderr)
    if case.is_compared_by_run:
        got = {f"out.{i}": numpy.load(folder / f"result{i}.npy") for i in range(len(results))}
        numpy.savez(folder / "results.npz", **got)
        done = run(FXCPP, "run", case.graph, "--check", folder / "results.npz", "--tolerance", 1e-4)
        return "ok" if done.returncode == 0 else f"WRONG: {(done.stdout + done.stderr).strip()[:300]}"
    worst = 0.0
    for i, expected in enumerate(results):
        got = numpy.load(folder / f"result{i}.npy")
        if got.shape != expected.shape:
            return f"WRONG: result {i} has shape {got.shape}, expected {expected.shape}"
        # The tolerance: 1e-4 of the largest element, and 1e-6 absolute.
        scale = float(numpy.abs(expected).max(initial=0)) + 1e-2
        off = numpy.abs(got.astype(float) - expected.astype(float)).max(initial=0)
        worst = max(worst, float(off) / scale)
    return f"WRONG: off by {worst:.1e}" if not worst <= 1e-4 else f"ok {worst:.0e}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="regular expression for graph names")
    parser.add_argument("--lower", action="store_true", help="also lower to linalg")
    parser.add_argument("--iree", action="store_true", help="also compile and run with IREE")
    parser.add_argument("--keep", type=Path, help="write the files to this folder")
    arguments = parser.parse_args()
    pattern = re.compile(arguments.only)
    counts: collections.Counter[str] = collections.Counter()
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for case in corpus(pattern) + zoo(folder, pattern):
            path, why = emit(case, folder)
            if path is None:
                print(f"{case.name}: not written: {why}", flush=True)
                counts["not written"] += 1
                failures += 1
                continue
            counts["written"] += 1
            why = verify(path)
            if why:
                print(f"{case.name}: NOT VALID: {why[:1500]}", flush=True)
                failures += 1
                continue
            counts["verified"] += 1
            line = "verified"
            kind = "joint" if "joint" in case.name else "forward"
            if arguments.lower or arguments.iree:
                why = lower(path)
                outcome = "lowered"
                if why:
                    simpler, _ = emit(case, folder, DECOMPOSE)
                    invalid = verify(simpler) if simpler else ""
                    if invalid:
                        print(f"{case.name}, decomposed: NOT VALID: {invalid[:1500]}", flush=True)
                        failures += 1
                    elif simpler:
                        after = lower(simpler)
                        path = simpler
                        outcome = f"not lowered: {after}" if after else "lowered decomposed"
                    else:
                        outcome = f"not lowered: {why}"
                counts[f"{kind} {outcome.split(':')[0]}"] += 1
                line += f", {outcome}"
            if arguments.iree:
                outcome = compare(case, path, folder)
                failures += outcome.startswith("WRONG")
                counts["IREE " + outcome.split(":")[0].split()[0]] += 1
                line += f", IREE {outcome}"
            print(f"{case.name}: {line}", flush=True)
    print(", ".join(f"{what}: {count}" for what, count in sorted(counts.items())))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
