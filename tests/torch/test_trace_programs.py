#!/usr/bin/env python3
"""Runs TorchInterpreter node by node on the programs of test_lower_to_aten.py as torch.fx records
them: operators, indices with slices, `...` and None, writes to items, slices of shapes.

`fxcpp run --trace` interprets one graph with all programs without lowering it. The types of tensors
and the sums of their elements must equal those of torch.fx's Interpreter. The exit status is 77
without torch.

    test_trace_programs.py [NUMBER...]     one graph for each of these programs
"""

from __future__ import annotations

import json
import math
import inspect
import operator
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

try:
    import safetensors.torch
    import torch
except ImportError:
    print("torch or safetensors is missing")
    sys.exit(77)

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS.parent / "scripts"))
sys.path.insert(0, str(TESTS / "passes"))
import fx_export  # noqa: E402
import test_lower_to_aten as lowering  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
NAMES = list(inspect.signature(lowering.Programs.forward).parameters)[1:]
INPUTS = dict(zip(NAMES, lowering.INPUTS, strict=True))


def writes_by_index() -> torch.fx.GraphModule:
    """Returns a graph of operations that Dynamo records, but torch.fx's tracer does not."""
    graph = torch.fx.Graph()
    x, y, index = (graph.placeholder(name) for name in ("x", "y", "index"))
    every = slice(None)

    def call(function: Any, *args: Any) -> torch.fx.Node:
        return graph.call_function(function, args)

    copy = graph.call_method("clone", (x,))
    call(operator.setitem, copy, (1, every, slice(None, None, 2)), 2.0)
    call(operator.setitem, copy, (every, index), call(operator.getitem, y, (every, slice(0, 1))))
    call(operator.setitem, copy, call(operator.gt, copy, 1.5), 0)
    call(operator.setitem, copy, (..., -1), 3)
    sizes = call(operator.getitem, call(getattr, copy, "shape"), slice(None, None, -2))
    last = call(operator.getitem, sizes, 0)
    start = call(operator.sub, last, 2)
    graph.output((copy, call(operator.getitem, copy, (..., slice(start, last)))))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


class Recorder(torch.fx.Interpreter):
    """Records what `fxcpp run --trace --json` prints about each tensor."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__(module)
        self.seen: dict[str, tuple[float, list[int]]] = {}

    def run_node(self, n: torch.fx.Node) -> Any:
        value = super().run_node(n)
        if isinstance(value, torch.Tensor) and not value.is_complex() and n.op != "output":
            self.seen[n.name] = (value.to(torch.float64).sum().item(), list(value.shape))
        return value


def check(traced: torch.fx.GraphModule, folder: Path) -> list[str]:
    names = [node.name for node in traced.graph.nodes if node.op == "placeholder"]
    recorder = Recorder(traced)
    torch.manual_seed(0)
    recorder.run(*(INPUTS[name].clone() for name in names))
    data = {**{name: INPUTS[name] for name in names}, **traced.state_dict()}
    for node in traced.graph.nodes:
        if node.op == "get_attr":
            data[node.target] = operator.attrgetter(node.target)(traced)
    safetensors.torch.save_file({k: v.detach().contiguous().clone() for k, v in data.items()},
                                folder / "in.safetensors")
    fx_export.dump(traced, folder / "g.json")
    done = subprocess.run([FXCPP, "run", folder / "g.json", "--inputs", folder / "in.safetensors",
                           "--trace", "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return [done.stderr.strip()[:500]]
    failures, compared = [], 0
    for line in map(json.loads, done.stdout.splitlines()):
        if line["node"] not in recorder.seen:
            continue
        total, shape = recorder.seen[line["node"]]
        compared += 1
        same = line["sum"] == total or (line["sum"] is None and not math.isfinite(total))
        if not same or f"[{', '.join(map(str, shape))}]" not in line["type"]:
            failures.append(f"{line['node']}: {line['type']} {line['sum']}, not {shape} {total}")
    if compared < len(recorder.seen):
        failures.append(f"{compared} of {len(recorder.seen)} tensors were compared")
    return failures


def is_of_operators(program: Any) -> bool:
    """Returns whether the program uses only Python operators and indices, no methods, functions or
    layers."""
    return not isinstance(program, torch.nn.Module) and not program.__code__.co_names


def main() -> int:
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in map(int, sys.argv[1:]):
            traced = torch.fx.symbolic_trace(lowering.Programs([lowering.PROGRAMS[number]]))
            failures += [f"program {number}: {failure}" for failure in check(traced, folder)]
        count = len(sys.argv) - 1
        if count == 0:
            chosen = [row for row in lowering.PROGRAMS if is_of_operators(row[0])]
            count = len(chosen) + 1
            failures = check(torch.fx.symbolic_trace(lowering.Programs(chosen)), folder)
            failures += check(writes_by_index(), folder)
    print("\n".join([*failures, f"{count} programs, {len(failures)} failures"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
