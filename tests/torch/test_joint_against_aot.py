#!/usr/bin/env python3
"""Joint graphs of the C++ zoo against those that AOTAutograd makes of the same models in Python.

    test_joint_against_aot.py [MODEL...]

Of each model `fxcpp capture MODEL --joint` and AOTAutograd (no decompositions, no partitioning)
give a graph. Their inputs must be the same in order, sizes and dtypes, a gradient must have the
type of its primal, and both must call the same operators equally often, once the rules below are
applied: what C++ and Python libtorch, or functionalization, are known to do differently. How often
each applies is printed.
Exit status: 0 the same, 1 different, 77 there is no torch, or fxcpp is built without.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

try:
    import torch
    from functorch.compile import aot_module, nop
    from torch.utils._dtype_abbrs import dtype_abbrs
    from test_zoo_twins import FXCPP, capture, numbered
    from zoo_twins import TWINS, use_cpp_attention
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

Counts = Counter[str]


class Loss(torch.nn.Module):
    def __init__(self, model: torch.nn.Module):
        super().__init__()
        self.model = model

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self.model.loss(*inputs)


class Traced(Exception):
    """Carries the joint graph out of AOTAutograd, which would go on to compile it."""


def aot_joint(module: torch.nn.Module, inputs: list[torch.Tensor]) -> torch.fx.Graph:
    def partition(joint: torch.fx.GraphModule, *_: Any, **__: Any) -> Any:
        raise Traced(joint.graph)

    # Python would trace an LSTM into single steps; C++ has one operator for a layer.
    lstm = torch.ops.aten.lstm.input
    kernels = dict(lstm.py_kernels)
    lstm.py_kernels.clear()
    lstm._dispatch_cache.clear()
    try:
        aot_module(Loss(module), fw_compiler=nop, partition_fn=partition)(*inputs)
    except Traced as traced:
        return traced.args[0]
    finally:
        lstm.py_kernels.update(kernels)
        lstm._dispatch_cache.clear()
    raise AssertionError("AOTAutograd did not partition")


def aot_types(graph: torch.fx.Graph) -> tuple[list[str], list[str]]:
    """Names and types of the inputs; types of the results."""

    def type_of(node: Any) -> str:
        if node is None:
            return "None"
        value = node.meta["val"]
        return f"{dtype_abbrs[value.dtype]}{list(value.shape)}"

    inputs = [f"{n.name}: {type_of(n)}" for n in graph.nodes if n.op == "placeholder"]
    return inputs, [type_of(n) for n in graph.output_node().args[0]]


def cpp_types(text: str) -> tuple[list[str], list[str]]:
    """The same of a graph's text, `%name : f32[2, 3][1, 2]{grad} = ...`."""
    types = dict(re.findall(r"^ *%(\w+) : (\w+\[[^\]]*\])", text, re.MULTILINE))
    inputs = [f"{name}: {types[name]}" for name in types if re.match(r"primals_|tangents_", name)]
    returned = re.search(r"^  return \[(.*?)\]", text, re.MULTILINE)
    assert returned is not None
    return inputs, [types.get(word.removeprefix("%"), word) for word in returned[1].split(", ")]


def operators_of(targets: list[str]) -> Counts:
    return Counter(t.removeprefix("torch.ops.") for t in targets if "getitem" not in t)


def cpp_operators(listing: str) -> tuple[Counts, Counts]:
    """Operators whose results are returned, read by others or written in place; and the others."""
    live, dead, used = [], [], set()
    for line in reversed(listing.splitlines()):
        returned = line.strip().startswith("return ")
        names = re.findall(r"\w+" if returned else r"%(\w+)", line)
        call = re.search(r"call_function\[target=([\w.]+)\]", line)
        if call is None:
            used.update(names)
            continue
        is_live = names[0] in used or call[1].split(".")[-2].endswith("_")
        (live if is_live else dead).append(call[1])
        if is_live:
            used.update(names[1:])
    return operators_of(live), operators_of(dead)


class Rules:
    """Rewrites the two sets of operators, and counts how many operators each rule touched."""

    def __init__(self, cpp: Counts, aot: Counts):
        self.cpp, self.aot = cpp, aot
        self.touched: Counts = Counter()

    def replace(self, rule: str, side: Counts, times: int, old: list[str], new: list[str]) -> None:
        if times <= 0:
            return
        self.touched[rule] += times * len(old)
        for op in old:
            side[f"aten.{op}"] -= times
        for op in new:
            side[f"aten.{op}"] += times

    def apply(self, module: torch.nn.Module) -> None:
        cpp, aot = self.cpp, self.aot
        self.replace("detach", aot, aot["aten.detach.default"], ["detach.default"], [])
        inactive = sum(isinstance(m, torch.nn.Dropout) and m.p == 0 for m in module.modules())
        self.replace("dropout of probability 0", aot, inactive, ["clone.default"], [])
        norms = cpp["aten.native_batch_norm.default"]
        self.replace("batch norm", cpp, norms, ["native_batch_norm.default"],
                     ["_native_batch_norm_legit_functional.default"])
        self.replace("dropout", cpp, cpp["aten.bernoulli_.float"],
                     ["empty_like.default", "bernoulli_.float", "div_.Scalar", "mul.Tensor",
                      "mul.Tensor"],
                     ["native_dropout.default", "native_dropout_backward.default"])
        linear = min(cpp["aten._unsafe_view.default"],
                     aot["aten.addmm.default"] - cpp["aten.addmm.default"])
        self.replace("linear of more than two dims", cpp, linear,
                     ["mm.default", "_unsafe_view.default", "add_.Tensor"],
                     ["addmm.default", "view.default"])
        for op in sorted(cpp):
            name, overload = op.removeprefix("aten.").split(".")
            if name.endswith("_"):
                self.replace("in place", cpp, cpp[op], [f"{name}.{overload}"],
                             [f"{name[:-1]}.{overload}"])
        for side in (cpp, aot):
            for name in ("add", "mul", "div"):
                self.replace("operand that is a number", side, side[f"aten.{name}.Scalar"],
                             [f"{name}.Scalar"], [f"{name}.Tensor"])
        self.replace("view of what has the strides", cpp, cpp["aten._reshape_alias.default"],
                     ["_reshape_alias.default"], ["view.default"])

    def difference(self) -> str:
        left = {op: n for op, n in sorted((self.cpp - self.aot).items())}
        right = {op: n for op, n in sorted((self.aot - self.cpp).items())}
        return "" if not left and not right else f"C++ alone {left}, Python alone {right}"


# parity: B2 B10
def check(model: str, folder: Path) -> list[str]:
    settings, make = TWINS[model]
    if "tied" in settings:
        settings = {**settings, "tied": 0}  # aot_module refuses tied parameters
    tensors = capture(model, settings, folder)
    inputs = [t for _, t in sorted(numbered(tensors, "in").items())]
    torch.manual_seed(0)
    module = make(**settings)
    use_cpp_attention(module)
    graph = aot_joint(module, inputs)
    listing = subprocess.run([FXCPP, "print", "--preset", "torch", folder / f"{model}.fx"],
                             check=True, capture_output=True, text=True).stdout
    faults = []

    cpp, dead = cpp_operators(listing)
    aot = operators_of([str(n.target) for n in graph.nodes if n.op == "call_function"])
    total_cpp, total_aot = cpp.total() + dead.total(), aot.total()
    rules = Rules(cpp, aot)
    rules.touched["result that nobody reads"] = dead.total()  # which Python's tracing drops
    rules.apply(module)
    if difference := rules.difference():
        faults.append(difference)
    cpp_inputs, cpp_results = cpp_types((folder / f"{model}.fx").read_text())
    aot_inputs, aot_results = aot_types(graph)
    if cpp_inputs != aot_inputs:
        faults.append(f"inputs {cpp_inputs} against {aot_inputs}")
    if cpp_results != aot_results:
        faults.append(f"results {cpp_results} against {aot_results}")
    num_primals = sum(name.startswith("primals_") for name in cpp_inputs)
    for primal, gradient in zip(cpp_inputs, cpp_results[-num_primals:]):
        if gradient != "None" and not primal.endswith(f": {gradient}"):
            faults.append(f"{primal} has a gradient {gradient}")
    print(f"{model}: {total_cpp} operators in C++, {total_aot} in Python; "
          + ", ".join(f"{rule}: {n}" for rule, n in rules.touched.items() if n))
    return faults


def main() -> int:
    if subprocess.run([FXCPP, "capture", "--help"], capture_output=True).returncode != 0:
        print(f"not run: {FXCPP} is built without libtorch")
        return 77
    torch.set_num_threads(1)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for model in sys.argv[1:] or TWINS:
            for fault in check(model, Path(folder)):
                print(f"  {model}: {fault}")
                failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
