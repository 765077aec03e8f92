#!/usr/bin/env python3
"""Compares joint graphs of the C++ zoo with AOTAutograd's graphs of the same models in Python.

    test_joint_against_aot.py [MODEL...]

For each model, `fxcpp capture MODEL --joint --functionalize` and AOTAutograd (without partitioning)
each create a graph. Their inputs must have the same order, sizes and dtypes, a gradient must have the
type of its primal, and both must call each operator the same number of times. The Python model
implements layers as torch::nn does (`as_cpp`). In AOTAutograd, `detach` returns its input, because C++
does not record `detach` and Python records one `detach` per saved tensor. `apply_rules` and `check`
list the remaining differences. The test prints the number of applications of each rule; at least 95% of the
nodes of the C++ graph must have users. Exit status: 0 if equal, 1 if different, 77 without torch or
in a build without it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
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
    """Stops AOTAutograd before it compiles the joint graph. The exception's argument is the graph."""


def cpp_linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
               ) -> torch.Tensor:
    """torch/nn/functional/linear.h with `add` instead of `add_`; uses `addmm` only for matrices."""
    if x.dim() == 2 and bias is not None:
        return torch.addmm(bias, x, weight.t())
    product = x.matmul(weight.t())
    return product if bias is None else product + bias


def cpp_dropout(x: torch.Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
                ) -> torch.Tensor:
    """aten/src/ATen/native/Dropout.cpp; Python's tracing replaces it with `native_dropout`."""
    assert not inplace
    if p == 0 or not training:
        return x
    return x * torch.empty_like(x).bernoulli_(1 - p).div_(1 - p)


@contextmanager
def as_cpp() -> Iterator[None]:
    """Makes Python's layers call the same operators as C++ layers."""
    functional = torch.nn.functional
    saved = functional.linear, functional.dropout
    # Python would trace an LSTM as individual steps; C++ has one operator for each layer.
    lstm = torch.ops.aten.lstm.input
    kernels = dict(lstm.py_kernels)
    functional.linear, functional.dropout = cpp_linear, cpp_dropout
    lstm.py_kernels.clear()
    lstm._dispatch_cache.clear()
    try:
        yield
    finally:
        functional.linear, functional.dropout = saved
        lstm.py_kernels.update(kernels)
        lstm._dispatch_cache.clear()


def aot_joint(module: torch.nn.Module, inputs: list[torch.Tensor], touched: Counts
              ) -> torch.fx.Graph:
    def partition(joint: torch.fx.GraphModule, *_: Any, **__: Any) -> Any:
        raise Traced(joint.graph)

    def detach(x: torch.Tensor) -> torch.Tensor:
        touched["detach"] += 1
        return x

    try:
        with as_cpp():
            aot_module(Loss(module), fw_compiler=nop, partition_fn=partition,
                       decompositions={torch.ops.aten.detach.default: detach})(*inputs)
    except Traced as traced:
        return traced.args[0]
    raise AssertionError("AOTAutograd did not partition")


def aot_types(graph: torch.fx.Graph) -> tuple[list[str], list[str]]:
    """Returns the names and types of the inputs, and the types of the results."""

    def type_of(node: Any) -> str:
        if node is None:
            return "None"
        value = node.meta["val"]
        return f"{dtype_abbrs[value.dtype]}{list(value.shape)}"

    inputs = [f"{n.name}: {type_of(n)}" for n in graph.nodes if n.op == "placeholder"]
    return inputs, [type_of(n) for n in graph.output_node().args[0]]


def cpp_types(text: str) -> tuple[list[str], list[str]]:
    """Like aot_types, but for the text of a graph, `%name : f32[2, 3][1, 2]{grad} = ...`."""
    types = dict(re.findall(r"^ *%(\w+) : (\w+\[[^\]]*\])", text, re.MULTILINE))
    inputs = [f"{name}: {types[name]}" for name in types if re.match(r"primals_|tangents_", name)]
    returned = re.search(r"^  return \[(.*?)\]", text, re.MULTILINE)
    assert returned is not None
    return inputs, [types.get(word.removeprefix("%"), word) for word in returned[1].split(", ")]


def operators_of(targets: list[str]) -> Counts:
    return Counter(t.removeprefix("torch.ops.") for t in targets if "getitem" not in t)


def cpp_operators(listing: str) -> tuple[Counts, int, int]:
    """Returns the operators with users, the number of nodes without users, and the number of
    nodes."""
    live, dead, nodes, used = [], 0, 0, set()
    for line in reversed(listing.splitlines()[1:]):
        nodes += 1
        returned = line.strip().startswith("return ")
        names = re.findall(r"\w+" if returned else r"%(\w+)", line)
        call = re.search(r"call_function\[target=([\w.]+)\]", line)
        if call is None:
            used.update(names)
        elif names[0] in used:
            live.append(call[1])
            used.update(names[1:])
        else:
            dead += 1
    return operators_of(live), dead, nodes


def apply_rules(side: Counts, touched: Counts) -> None:
    """Unifies operator names that differ between C++ and Python."""

    def rename(rule: str, old: str, new: str) -> None:
        if times := side.pop(f"aten.{old}", 0):
            touched[rule] += times
            side[f"aten.{new}"] += times

    for name in ("add", "mul", "div"):
        rename("operand that is a number", f"{name}.Scalar", f"{name}.Tensor")
    rename("view of a tensor with these strides", "_reshape_alias.default", "view.default")


def difference(cpp: Counts, aot: Counts) -> str:
    left, right = dict(sorted((cpp - aot).items())), dict(sorted((aot - cpp).items()))
    return "" if not left and not right else f"only in C++ {left}, only in Python {right}"


# parity: B2 B10
# parity: D0a
def check(model: str, folder: Path) -> list[str]:
    settings, make = TWINS[model]
    if "tied" in settings:
        settings = {**settings, "tied": 0}  # aot_module rejects tied parameters
    tensors = capture(model, settings, folder)
    inputs = [t for _, t in sorted(numbered(tensors, "in").items())]
    torch.manual_seed(0)
    module = make(**settings)
    use_cpp_attention(module)
    touched: Counts = Counter()
    graph = aot_joint(module, inputs, touched)
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    path = folder / f"{model}.fx"
    subprocess.run([FXCPP, "capture", model, "--joint", "--functionalize", *words, "-o", path],
                   check=True)
    listing = subprocess.run([FXCPP, "print", "--preset", "torch", path],
                             check=True, capture_output=True, text=True).stdout
    failures = []

    cpp, dead, nodes = cpp_operators(listing)
    aot = operators_of([str(n.target) for n in graph.nodes if n.op == "call_function"])
    touched["result without users"] = dead  # Python's tracing drops them
    apply_rules(cpp, touched)
    apply_rules(aot, touched)
    if unlike := difference(cpp, aot):
        failures.append(unlike)
    left = (nodes - dead) / nodes
    if left < 0.95:
        failures.append(f"only {left:.1%} of the nodes in C++ have users")
    cpp_inputs, cpp_results = cpp_types(path.read_text())
    aot_inputs, aot_results = aot_types(graph)
    if cpp_inputs != aot_inputs:
        failures.append(f"inputs {cpp_inputs} against {aot_inputs}")
    if cpp_results != aot_results:
        failures.append(f"results {cpp_results} against {aot_results}")
    num_primals = sum(name.startswith("primals_") for name in cpp_inputs)
    for primal, gradient in zip(cpp_inputs, cpp_results[-num_primals:]):
        if gradient != "None" and not primal.endswith(f": {gradient}"):
            failures.append(f"{primal} has a gradient {gradient}")
    print(f"{model}: {nodes} nodes in C++, {len(graph.nodes)} in Python; {left:.1%} of the former "
          "have users; " + ", ".join(f"{rule}: {n}" for rule, n in touched.items() if n))
    return failures


def main() -> int:
    if subprocess.run([FXCPP, "capture", "--help"], capture_output=True).returncode != 0:
        print(f"not run: {FXCPP} was built without libtorch")
        return 77
    torch.set_num_threads(1)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for model in sys.argv[1:] or TWINS:
            for failure in check(model, Path(folder)):
                print(f"  {model}: {failure}")
                failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
