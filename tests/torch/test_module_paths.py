#!/usr/bin/env python3
"""Measures the fraction of captured nodes with the correct module path.

    test_module_paths.py [MODEL...]

The reference is the stack of module calls of the same model in Python (zoo_twins.py), whose attention
and linear layers are split into the operators that C++ calls. The model's calls and those of `fxcpp
capture` are aligned by their operators; a node of the backward pass has the module of its forward node. A module
is correct, less exact (a parent of the correct one), or wrong. Nodes without a counterpart are not
counted, for example the averaged attention weights that only C++ computes.

 - "parameters" uses only infer_modules, which finds modules from the parameters that calls use.
 - "scopes" also uses the module scopes in the models.
 - "layers" also uses scopes for libtorch's layers (fxcpp::torch_layer_scopes), in the program
   FX_CAPTURE_ZOO (capture_zoo_main.cpp).

Exit status: 0 if the shares are as required and no module is wrong, 1 if not, 77 without torch.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

try:
    import torch
    import torch.nn.functional as F
    from test_zoo_twins import FXCPP, numbered, read_safetensors
    from torch.utils._python_dispatch import TorchDispatchMode
    from zoo_twins import TWINS, CppMultiheadAttention, use_cpp_attention
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

MODELS = ["resnet18", "gpt", "transformer_encoder", "unet"]
REQUIRED = {"parameters": 80, "scopes": 87, "layers": 99}
CAPTURE_ZOO = os.environ.get("FX_CAPTURE_ZOO", "build/release/tests/capture_zoo")
MIN_COMPARED = 95  # percent of the nodes that must have a counterpart


@dataclass
class Call:
    name: str
    op: str
    module: str
    is_forward: bool
    sequence: int | None
    operands: list[str]


def cpp_linear(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """torch::nn::functional::linear."""
    if x.dim() == 2 and bias is not None:
        return torch.addmm(bias, x, weight.t())
    y = torch.matmul(x, weight.t())
    if bias is not None:
        y += bias
    return y


class GuardedAttention(CppMultiheadAttention):
    """Also compares query, key and value, as C++ does."""

    def forward(self, q, k, v, **kwargs):
        torch.equal(q, k)
        torch.equal(k, v)
        return super().forward(q, k, v, **kwargs)


class Recorder(TorchDispatchMode):
    """Lists the operators of a run with the module that calls each."""

    def __init__(self, model: torch.nn.Module):
        super().__init__()
        self.calls: list[tuple[str, str]] = []
        self.stack = [""]
        for name, module in model.named_modules():
            module.register_forward_pre_hook(lambda *_, name=name: self.stack.append(name))
            module.register_forward_hook(lambda *_: self.leave())

    def leave(self) -> None:
        self.stack.pop()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.calls.append((func._schema.name.removeprefix("aten::"), self.stack[-1]))
        return func(*args, **(kwargs or {}))


def run_twin(name: str, tensors: dict[str, torch.Tensor]) -> list[tuple[str, str]]:
    settings, make = TWINS[name]
    model = make(**settings)
    use_cpp_attention(model)
    for module in model.modules():
        if type(module) is CppMultiheadAttention:
            module.__class__ = GuardedAttention
    inputs = numbered(tensors, "in")
    with Recorder(model) as recorder:
        model.loss(*[inputs[i] for i in range(len(inputs))])
    return recorder.calls


CALL = re.compile(r"^ *%(\w+) (?::.*?)?= ([\w.]+)\((.*)\) !\{(.*)\}")


def read_calls(graph: Path) -> list[Call]:
    text = subprocess.run([FXCPP, "opt", graph, "--passes", "infer_modules"], check=True,
                          capture_output=True, text=True).stdout
    calls = []
    for match in filter(None, map(CALL.match, text.splitlines())):
        facts = match[4]
        module = re.search(r'module="([^"]*)"', facts)
        sequence = re.search(r"seq=(\d+)", facts)
        calls.append(Call(match[1], match[2].removeprefix("aten.").split(".")[0] if match[2].startswith("aten.")
                          else match[2], module[1] if module else "", 'region="fw"' in facts,
                          int(sequence[1]) if sequence else None, re.findall(r"%(\w+)", match[3])))
    return calls


def true_modules(calls: list[Call], twin: list[tuple[str, str]]) -> dict[str, str]:
    """Returns the modules of calls that have a counterpart, by node name."""
    forward = [call for call in calls if call.is_forward and call.op != "operator.getitem"]
    matcher = SequenceMatcher(None, [c.op for c in forward], [op for op, _ in twin], autojunk=False)
    found: dict[str, str] = {}
    for tag, a, a_end, b, b_end in matcher.get_opcodes():
        if tag == "equal":
            found |= {c.name: module for c, (_, module) in zip(forward[a:a_end], twin[b:b_end])}
        elif a < a_end:
            # Calls without a counterpart that are between calls of one module, such as different
            # operators for the same mask.
            neighbors = {module for _, module in twin[max(b - 1, 0) : b_end + 1]}
            if len(neighbors) == 1:
                found |= {c.name: next(iter(neighbors)) for c in forward[a:a_end]}
    by_sequence: dict[int, str] = {}
    for call in calls:
        if call.op == "operator.getitem" and call.operands[0] in found:
            found[call.name] = found[call.operands[0]]
        if call.sequence is None:
            continue
        if call.is_forward and call.name in found:
            by_sequence.setdefault(call.sequence, found[call.name])
        elif not call.is_forward and call.sequence in by_sequence:
            found[call.name] = by_sequence[call.sequence]
    return found


def compare(call: Call, truth: str | None) -> str:
    if truth is None:
        return "not compared"
    if call.module == truth:
        return "correct"
    return "less exact" if not call.module or truth.startswith(call.module + ".") else "wrong"


def measure(name: str, folder: Path) -> dict[str, Counter[str]]:
    captured, layers = folder / f"{name}.fx", folder / f"{name}_layers.fx"
    settings = [word for key, value in TWINS[name][0].items() for word in ("--set", f"{key}={value}")]
    for command, graph in [([FXCPP, "capture"], captured), ([CAPTURE_ZOO], layers)]:
        subprocess.run([*command, name, "--joint", "--hook", "mode", *settings, "-o", graph],
                       check=True, capture_output=True)
    twin = run_twin(name, read_safetensors(captured.with_suffix(".safetensors")))
    plain = folder / f"{name}_parameters.fx"
    plain.write_text(re.sub(r',? ?module="[^"]*"', "", captured.read_text()))
    counts = {}
    for variant, graph in {"parameters": plain, "scopes": captured, "layers": layers}.items():
        calls = read_calls(graph)
        truth = true_modules(calls, twin)
        counts[variant] = Counter()
        for call in calls:
            verdict = compare(call, truth.get(call.name))
            counts[variant][verdict] += 1
            if verdict == "wrong" or "-v" in sys.argv and verdict != "correct":
                print(f"  {name}, {variant}: {call.name} ({call.op}): {call.module or 'none'}, "
                      f"{verdict}: {truth.get(call.name)}")
    return counts


def main() -> int:
    if subprocess.run([FXCPP, "capture", "--help"], capture_output=True).returncode != 0:
        print(f"not run: {FXCPP} was built without libtorch")
        return 77
    torch.set_num_threads(1)
    F.linear = cpp_linear
    failed = False
    print(f"{'model':20} {'modules from':12} {'correct':>7} {'less exact':>10} {'wrong':>6} {'not compared':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for name in [word for word in sys.argv[1:] if word != "-v"] or MODELS:
            for variant, count in measure(name, Path(folder)).items():
                total = count.total() - count["not compared"]
                share = 100 * count["correct"] / total
                print(f"{name:20} {variant:12} {share:6.1f}% {count['less exact']:10} "
                      f"{count['wrong']:6} {count['not compared']:12}")
                failed |= share < REQUIRED[variant] or count["wrong"] > 0
                failed |= total < MIN_COMPARED / 100 * count.total()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
