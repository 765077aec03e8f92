#!/usr/bin/env python3
"""Compares captures with symbolic sizes to AOTAutograd's graphs with dynamic shapes.

    aot_dynamic.py [--bench BENCH_CAPTURE] [--rounds N] [MODEL...]

For each model of the zoo, `fxcpp capture MODEL --joint --functionalize --dynamic ...` and
AOTAutograd (not partitioned, fake inputs whose marked sizes are symbols) create a joint graph.
Nodes are matched in order by their operators and their sizes in this run.
Operator names that differ between C++ and Python are unified as in
test_joint_against_aot.py. The sizes of each matched node must be equal
expressions after the symbols are renamed, and equal numbers at five values of each symbol.

The last columns are times: for AOTAutograd, the CPU time of a trace in a process that has traced the
model before. With --bench, bench_capture's `dynamic/MODEL` (the CPU time of a capture in a process that
has captured the model before; build the program with g++ as scripts/bench does) alternates with
AOTAutograd, so that both run under the same machine load. Each time is the minimum over --rounds
rounds, and the last column is the ratio, with the minimum and maximum ratio of a round in parentheses.
Run the script from the root of the repository. Exit status: 0 if sizes are equal, at least 95% of the
nodes match and, with --bench, each ratio is at least 500.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import sympy
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext
from torch.utils._sympy.functions import FloorDiv, Max, Min, Mod

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from test_joint_against_aot import aot_joint  # noqa: E402
from test_zoo_twins import FXCPP, numbered, read_safetensors  # noqa: E402
from zoo_twins import TWINS, use_cpp_attention  # noqa: E402

IMAGES = {"batch": 2, "size": 64}
# The settings (the same as in bench_capture) and the types of the inputs.
CASES: dict[str, tuple[dict[str, int], list[str]]] = {
    "mlp": ({}, ["f32[batch, 16]", "i64[batch]"]),
    "lenet": ({}, ["f32[batch, 1, 28, 28]", "i64[batch]"]),
    "resnet18": ({**IMAGES, "width": 64}, ["f32[batch, 3, 64, 64]", "i64[batch]"]),
    "resnet50": ({**IMAGES, "width": 64}, ["f32[batch, 3, 64, 64]", "i64[batch]"]),
    "mobilenet_v2": ({**IMAGES, "width": 100}, ["f32[batch, 3, 64, 64]", "i64[batch]"]),
    "unet": ({"batch": 2, "size": 32, "width": 4},
             ["f32[batch, 3, 16*h, 16*w]", "i64[batch, 16*h, 16*w]"]),
    "vae": ({"hidden": 400}, ["f32[batch, 1, 28, 28]"]),
    "lstm_tagger": ({}, ["i64[batch, seq]", "i64[batch, seq]"]),
    "transformer_encoder": ({}, ["i64[seq, batch]", "i64[seq, batch]"]),
    "gpt": ({"tied": 0}, ["i64[batch, seq]", "i64[batch, seq]"]),
    "vit": ({"size": 32}, ["f32[batch, 3, 32, 32]", "i64[batch]"]),
}
RANGES = {"gpt": ["seq=2:16"], "transformer_encoder": ["seq=2:16"]}
VALUES = (2, 3, 5, 8, 13)
MIN_QUOTIENT = 500
# Operators whose names differ between C++ and Python, or if an operand is a number.
SAME = {"add.Scalar": "add.Tensor", "mul.Scalar": "mul.Tensor", "div.Scalar": "div.Tensor",
        "_reshape_alias.default": "view.default"}
Node = tuple[str, list[sympy.Expr]]  # the operator and the sizes of its result


class Floor(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        names = {ast.FloorDiv: "FloorDiv", ast.Mod: "Mod"}
        if (name := names.get(type(node.op))) is None:
            return node
        return ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])


def expression(text: str) -> sympy.Expr:
    tree = ast.fix_missing_locations(Floor().visit(ast.parse(text.strip(), mode="eval")))
    names: dict[str, Any] = {"FloorDiv": FloorDiv, "Mod": Mod, "Min": Min, "Max": Max,
                             "min": Min, "max": Max}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in names:
            names[node.id] = sympy.Symbol(node.id, integer=True, positive=True)
    return sympy.sympify(eval(compile(tree, text, "eval"), names))  # noqa: S307: a size of a type


def sizes_of(dims: str) -> list[sympy.Expr]:
    return [expression(d) for d in re.split(r",\s*(?![^(]*\))", dims) if d.strip()]


def operator_name(target: str, index: str = "") -> str:
    name = target.removeprefix("torch.ops.").removeprefix("aten.")
    return SAME.get(name, name) + index


def cpp_nodes(text: str) -> tuple[list[list[sympy.Expr]], list[Node]]:
    """Returns the sizes of the inputs, and the calls that have users and return a tensor or a tuple."""
    inputs, calls, used = [], [], set()
    for line in reversed(text.splitlines()):
        if found := re.match(r" {4}%(\w+) : \w+\[([^\]]*)\]", line):
            inputs.append(sizes_of(found[2]))
            continue
        names = re.findall(r"%(\w+)", line)
        if line.startswith("  return "):
            used.update(names)
        found = re.match(r"  %(\w+) : (.*?) = ([\w.]+)\((.*)", line)
        if found is None or found[1] not in used:
            continue
        used.update(names)
        if found[2].startswith(("SymInt", "int", "float", "SymFloat")):
            continue
        index = ""
        if found[3] == "operator.getitem":
            index = re.search(r", (\d+)\)", found[4])[1]  # type: ignore[index]
        tensor = re.match(r"\w+\[([^\]]*)\]", found[2])
        calls.append((operator_name(found[3], index), sizes_of(tensor[1]) if tensor else []))
    return inputs[::-1], calls[::-1]


def aot_nodes(graph: torch.fx.Graph) -> tuple[list[list[Any]], list[Node]]:
    def sizes(value: Any) -> list[sympy.Expr]:
        if not isinstance(value, torch.Tensor):
            return []
        return [s.node.expr if isinstance(s, torch.SymInt) else sympy.Integer(s)
                for s in value.shape]

    inputs, calls = [], []
    for node in graph.nodes:
        value = node.meta.get("val")
        if node.op == "placeholder" and isinstance(value, torch.Tensor):
            inputs.append(sizes(value))
        elif node.op == "call_function" and not isinstance(value, (torch.SymInt, torch.SymFloat)):
            index = str(node.args[1]) if "getitem" in str(node.target) else ""
            target = "operator.getitem" if index else str(node.target)
            calls.append((operator_name(target, index), sizes(value)))
    return inputs, calls


def fake_inputs(tensors: list[torch.Tensor], types: list[str]) -> list[torch.Tensor]:
    mode = FakeTensorMode(shape_env=ShapeEnv())
    result = []
    for tensor, text in zip(tensors, types):
        dims = [DimDynamic.STATIC if size.is_Integer else DimDynamic.DYNAMIC
                for size in sizes_of(text[text.index("[") + 1:-1])]
        context = StatelessSymbolicContext(dynamic_sizes=dims)
        result.append(mode.from_tensor(tensor, symbolic_context=context))
    return result


def renaming(cpp: list[list[sympy.Expr]], aot: list[list[Any]]) -> dict[Any, sympy.Expr]:
    names = {}
    for ours, theirs in zip(cpp, aot, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            if b.is_Symbol:
                names[b] = a
    return names


def equal_expressions(a: sympy.Expr, b: sympy.Expr) -> bool:
    return a == b or sympy.expand(a - b) == 0


def points(symbols: list[sympy.Symbol]) -> list[dict[sympy.Symbol, int]]:
    """Returns five bindings of the symbols to different values greater than 1."""
    return [{s: VALUES[(k + j) % len(VALUES)] for j, s in enumerate(symbols)}
            for k in range(len(VALUES))]


def match(a: list[tuple[str, str]], b: list[tuple[str, str]]) -> list[tuple[int, int]]:
    """Returns pairs of matching nodes: first those in the same order, then all others."""
    pairs = [(block.a + i, block.b + i)
             for block in difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
             for i in range(block.size)]
    in_a, in_b = {i for i, _ in pairs}, {j for _, j in pairs}
    left: dict[tuple[str, str], list[int]] = {}
    for j, key in enumerate(b):
        if j not in in_b:
            left.setdefault(key, []).append(j)
    for i, key in enumerate(a):
        if i not in in_a and left.get(key):
            pairs.append((i, left[key].pop(0)))
    return pairs


def cpu_seconds(work: Any) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def bench_seconds(binary: str, model: str) -> float:
    """Returns the minimum CPU time of a capture in bench_capture over three repetitions."""
    command = [binary, f"--benchmark_filter=^dynamic/{model}$", "--benchmark_repetitions=3",
               "--benchmark_format=json", "--benchmark_min_time=0.05"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = [row for row in json.loads(done.stdout)["benchmarks"] if row["run_type"] == "iteration"]
    if failed := [row["error_message"] for row in rows if row.get("error_occurred")]:
        raise RuntimeError(f"bench_capture: {model}: {failed[0]}")
    return min(row["cpu_time"] for row in rows) / 1e3  # in milliseconds


def measure(trace: Any, bench: str | None, model: str, rounds: int) -> tuple[str, bool]:
    """Returns the columns of times, and whether the ratio is large enough."""
    aot, ours = [], []
    for _ in range(rounds):
        aot.append(cpu_seconds(trace))
        if bench is not None:
            ours.append(bench_seconds(bench, model))
    text = f"{min(aot) * 1e3:8.0f} ms"
    if not ours:
        return text, True
    quotient = min(aot) / min(ours)
    of_rounds = [a / b for a, b in zip(aot, ours)]
    text += (f" {min(ours) * 1e3:7.2f} ms {quotient:6.0f}x ({min(of_rounds):.0f} to "
             f"{max(of_rounds):.0f})")
    return text, quotient >= MIN_QUOTIENT


def check(model: str, folder: Path, bench: str | None, rounds: int) -> bool:
    overrides, types = CASES[model]
    defaults, make = TWINS[model]
    settings = {**defaults, **overrides}
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    for text in types:
        words += ["--dynamic", text]
    for text in RANGES.get(model, []):
        words += ["--range", text]
    path = folder / f"{model}.fx"
    subprocess.run([FXCPP, "capture", model, "--joint", "--functionalize", *words, "-o", path],
                   check=True)
    cpp_inputs, cpp = cpp_nodes(path.read_text())
    tensors = numbered(read_safetensors(path.with_suffix(".safetensors")), "in")
    inputs = [t for _, t in sorted(tensors.items())]
    torch.manual_seed(0)
    module = make(**settings)
    use_cpp_attention(module)

    def trace() -> torch.fx.Graph:
        return aot_joint(module, fake_inputs(inputs, types), Counter())

    try:
        graph = trace()
    except RuntimeError as error:  # an LSTM as one operator does not support symbolic sizes
        print(f"{model:20} {len(cpp):5} AOTAutograd fails: {str(error).splitlines()[0]}")
        return True
    aot_inputs, aot = aot_nodes(graph)
    names = renaming(cpp_inputs, aot_inputs)
    symbols = sorted({s for sizes in cpp_inputs for size in sizes for s in size.free_symbols},
                     key=str)
    # The sizes in this run distinguish adjacent calls to the same operator.
    here: dict[Any, int] = {}
    for ours, tensor in zip(cpp_inputs[-len(types) - 1:], inputs):
        for size, value in zip(ours, tensor.shape):
            for symbol in size.free_symbols:  # the sizes are `batch` or `16*h`
                here[symbol] = sympy.solve(size - value, symbol)[0]

    def keys(nodes: list[Node]) -> list[tuple[str, str]]:
        return [(name, str([size.subs(names).subs(here) for size in sizes]))
                for name, sizes in nodes]

    symbolic = equal = with_symbols = 0
    failures = []
    pairs = match(keys(cpp), keys(aot))
    for i, j in pairs:
        (name, ours), (_, theirs) = cpp[i], aot[j]
        theirs = [size.subs(names) for size in theirs]
        with_symbols += any(size.free_symbols for size in ours)
        symbolic += all(map(equal_expressions, ours, theirs))
        at_values = all(a.subs(point) == b.subs(point)
                        for point in points(symbols) for a, b in zip(ours, theirs))
        equal += at_values
        if not at_values:
            failures.append(f"{name}: {ours} vs. {theirs}")
    matched = len(pairs)
    unmatched = Counter(n[0] for n in cpp) - Counter(n[0] for n in aot)
    share = matched / max(len(cpp), len(aot))
    text, is_fast = measure(trace, bench, model, rounds)
    print(f"{model:20} {len(cpp):5} {len(aot):5} {matched:5} ({share:6.1%}) {with_symbols:5} "
          f"{symbolic:5} {equal:5} {text}", flush=True)
    for failure in failures[:5]:
        print(f"    {failure}")
    if share < 1:
        print(f"    only in C++ {dict(unmatched)}, only in Python "
              f"{dict(Counter(n[0] for n in aot) - Counter(n[0] for n in cpp))}")
    return not failures and share >= 0.95 and is_fast


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", help="path of the program bench_capture")
    parser.add_argument("--rounds", type=int, default=5, help="the number of measurements")
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    torch.set_num_threads(1)
    print(f"{'model':20} {'C++':>5} {'AOT':>5} matched nodes, of them with symbols, equal "
          "expressions, equal at 5 values; time")
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models or CASES:
            passed &= check(model, Path(folder), arguments.bench, arguments.rounds)
    load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"load average: {load} (1, 5 and 15 minutes) on {os.cpu_count()} processors")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
