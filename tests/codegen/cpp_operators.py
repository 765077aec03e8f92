#!/usr/bin/env python3
"""Tests that the C++ emitted for single operators compiles without warnings and returns results
that are bit-equal to torch's.

    tests/codegen/cpp_operators.py [CASES.jsonl.gz] [--only PATTERN] [--part 1/8] [--group 60] [--keep FOLDER]

Calls the operators in the corpus's operator cases (scripts/corpus/README.md; scripts/record_op_cases.py
records more cases) with different values. Each graph has several dozen calls. Like the graphs of
models in cpp_models.py, each graph is checked by comparing `fxcpp run` and the emitted folder with
torch.fx's Interpreter. Calls that torch rejects for these values and calls that return
uninitialized memory are omitted. Exit status: 0 on success, 1 on failure, 77 without torch.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import cpp_models  # exits with 77 if something is missing
import fx_export
import torch
from torch.utils._pytree import tree_leaves

# Operators that return uninitialized memory, resize storage, or exist only on some processors.
UNDEFINED = re.compile(r"empty|_ctc_loss|resize|set_\.|_data\.|mkldnn|record_stream|_cudnn|rrelu_with_noise_backward")


class Case:
    """A call with values, and torch's results."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.inputs: list[torch.Tensor] = []
        self.op = torch.ops
        for part in case["op"].split("."):
            self.op = getattr(self.op, part)
        self.args = self.decode(case["args"])
        self.kwargs = {key: self.decode(value) for key, value in case["kwargs"].items()}
        with torch.no_grad():
            self.result = self.call(lambda i: self.inputs[i].clone())

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "t" in value:
            self.inputs.append(self.tensor(value))
            return Input(len(self.inputs) - 1)
        if "f" in value:
            return float(value["f"])
        if "complex" in value:
            return complex(*value["complex"])
        if "device" in value:
            return torch.device(value["device"])
        return getattr(torch, next(iter(value.values())))

    def tensor(self, value: dict[str, Any]) -> torch.Tensor:
        dtype, shape = getattr(torch, value["t"]), value["shape"]
        if "value" in value:
            created = torch.full(shape, value["value"], dtype=dtype)
        elif dtype.is_floating_point or dtype.is_complex:
            created = torch.rand(shape, dtype=torch.complex64 if dtype.is_complex else torch.float32)
        else:
            created = torch.randint(0, 2, shape)
        return torch.empty_strided(shape, value["stride"], dtype=dtype).copy_(created)

    def call(self, input_of: Any) -> Any:
        def fill(value: Any) -> Any:
            if isinstance(value, Input):
                return input_of(value.index)
            return [fill(item) for item in value] if isinstance(value, list) else value

        return self.op(*fill(self.args), **{key: fill(value) for key, value in self.kwargs.items()})


class Input:
    def __init__(self, index: int) -> None:
        self.index = index


def graph_of(cases: dict[int, Case]) -> torch.fx.GraphModule:
    """Returns a graph of all calls in order; inputs are named `c3_0`, calls `c3`. The graph returns
    the tensors of the calls."""
    graph = torch.fx.Graph()

    def typed(node: torch.fx.Node, value: Any) -> torch.fx.Node:
        node.meta["val"] = value
        return node

    inputs = {
        number: [typed(graph.placeholder(f"c{number}_{i}"), v) for i, v in enumerate(case.inputs)]
        for number, case in cases.items()
    }
    results = []

    def keep(node: torch.fx.Node, value: Any) -> None:
        if isinstance(value, torch.Tensor):
            results.append(node)
        elif isinstance(value, (list, tuple)):
            for i, item in enumerate(value):
                keep(typed(graph.call_function(_GETITEM, (node, i)), item), item)
        elif isinstance(value, (int, float)):  # includes bools
            results.append(typed(graph.call_function(_NUMBER, (node,), {"dtype": torch.float64}),
                                 torch.tensor(value, dtype=torch.float64)))

    for number, case in cases.items():
        def args(value: Any) -> Any:
            if isinstance(value, Input):
                return inputs[number][value.index]
            return [args(item) for item in value] if isinstance(value, list) else value

        node = graph.create_node("call_function", case.op, tuple(map(args, case.args)),
                                 {k: args(v) for k, v in case.kwargs.items()}, name=f"c{number}")
        keep(typed(node, case.result), case.result)
    graph.output(results)
    return torch.fx.GraphModule({}, graph)


_GETITEM, _NUMBER = __import__("operator").getitem, torch.ops.aten.scalar_tensor.default


def check(work: Path, label: str, cases: dict[int, Case]) -> list[str]:
    """Returns the findings. Calls that the emitter rejects are reported and omitted; all other
    calls are checked."""
    findings = []
    graph, data = work / f"{label}.json", work / f"{label}.safetensors"
    while cases:
        gm = graph_of(cases)
        graph.write_text(fx_export.dumps(fx_export.export(gm)))
        fine, text = cpp_models.emit(graph, work / f"{label}_try", "--force")
        rejected = re.search(r"node c(\d+)", text)
        if fine or rejected is None:
            break
        case = cases.pop(int(rejected[1]))
        findings.append(f"{case.op}: rejected: {text}")
    if not cases:
        return findings
    values = [tensor for case in cases.values() for tensor in case.inputs]
    names = [node.name for node in gm.graph.nodes if node.op == "placeholder"]
    stored = {name: value.clone(memory_format=torch.contiguous_format)
              for name, value in zip(names, values, strict=True)}
    cpp_models.run_in_torch_fx(gm, values, stored)
    cpp_models.write_safetensors(data, stored)
    fine, text = cpp_models.check_graph(work, label, graph, data)
    print(f"{'ok  ' if fine else 'FAIL'} {label}, {len(cases)} calls: {text}", flush=True)
    return findings + ([] if fine else [f"{label}: {text}"])


def can_be_stored(case: Case) -> bool:
    return all(tensor.dtype in cpp_models.DTYPES and tensor.layout is torch.strided
               for tensor in tree_leaves((case.inputs, case.result))
               if isinstance(tensor, torch.Tensor))


def read(file: Path, only: str) -> tuple[list[Case], int]:
    cases, left_out = [], 0
    with gzip.open(file, "rt") as lines:
        for line in lines:
            case = json.loads(line)
            if "op" not in case or not re.search(only, case["op"]):
                continue
            try:
                torch.manual_seed(0)
                created = Case(case)
            except Exception:  # the operator rejects these values
                created = None
            if created is None or UNDEFINED.search(case["op"]) or not can_be_stored(created):
                left_out += 1
            else:
                cases.append(created)
    return cases, left_out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("cases", nargs="?", type=Path, default=cpp_models.CORPUS / "cases.jsonl.gz")
    parser.add_argument("--only", default="", help="regular expression for operators")
    parser.add_argument("--part", default="1/1", help="which part of the graphs to check; 1/8 is the first eighth")
    parser.add_argument("--group", type=int, default=60, help="number of calls in a graph")
    parser.add_argument("--keep", type=Path, help="keep the folders in this folder")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    cases, left_out = read(arguments.cases, arguments.only)
    part, parts = map(int, arguments.part.split("/"))
    findings, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        work = arguments.keep or Path(folder)
        work.mkdir(exist_ok=True)
        for start in range(0, len(cases), arguments.group):
            if start // arguments.group % parts != part - 1:
                continue
            group = dict(enumerate(cases[start:start + arguments.group], start))
            count += len(group)
            findings += check(work, f"calls_{start}", group)
    for finding in findings:
        print(finding)
    print(f"{count} calls, {left_out} omitted, {len(findings)} findings")
    return 1 if findings or not count else 0


if __name__ == "__main__":
    sys.exit(main())
