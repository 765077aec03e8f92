#!/usr/bin/env python3
"""Compares readable gradients with AOTAutograd's graphs, for examples like those of fx-tools' difffx.

    test_readable_gradients.py [--update]

Each function is traced by torch.fx and differentiated by `fxcpp grad --vjp`. The result must equal
autograd's, and have fewer nodes than the joint graph of AOTAutograd (not more, for sin(x) + x, which
needs them all). docs/differentiation.md shows both as text; the test fails if the text differs, and
--update writes it. Exit status: 0 on success, 1 on failure, 77 without torch.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

try:
    import torch
    from torch._functorch.aot_autograd import aot_export_joint_simple
    from torch.fx import symbolic_trace
    from torch.utils._dtype_abbrs import dtype_abbrs
except ImportError:
    print("torch is missing")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", str(ROOT / "build/release/bin/fxcpp"))
PAGE = ROOT / "docs/differentiation.md"
BEGIN = "<!-- made by tests/passes/test_readable_gradients.py --update from here -->\n"
END = "<!-- to here -->\n"
Tensor = torch.Tensor


def sine(x: Tensor) -> Tensor:
    return torch.sin(x) + x


def trace(x: Tensor) -> Tensor:
    return torch.sin(torch.trace(x)) * x


def gram(x: Tensor) -> Tensor:
    square = torch.transpose(x, 0, 1) @ x
    return torch.trace(square) * square


def relu_network(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    return torch.relu(x @ w) @ v


def loop(x: Tensor) -> Tensor:
    y = 2 * x
    for _ in range(2):
        x = -torch.relu(1.5 * x * y)
    t = y * torch.sum(y) + x
    return torch.atan2(t, x @ (t.t() @ t))


EXAMPLES: list[tuple[str, Callable[..., Tensor], list[Tensor]]] = [
    ("sin(x) + x", sine, [torch.randn(3)]),
    ("sin(trace(x)) * x", trace, [torch.randn(3, 3)]),
    ("trace(x^T x) * x^T x", gram, [torch.randn(5, 2)]),
    ("relu(x w) v", relu_network, [torch.randn(4, 3), torch.randn(3, 8), torch.randn(8, 2)]),
    ("a loop over relu, sums, matmul and atan2", loop, [torch.randn(3, 5)]),
]
SHOWN = 4  # the text of the first ones is in the page


def run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def ours(function: Callable[..., Tensor], inputs: list[Tensor], folder: Path
         ) -> tuple[torch.fx.GraphModule, str]:
    source, target = folder / "in.json", folder / "vjp.json"
    traced = symbolic_trace(function)
    fx_export.dump(traced, source)
    names = [n.name for n in traced.graph.nodes if n.op == "placeholder"]
    types = [f"--input={name}={dtype_abbrs[x.dtype]}{list(x.shape)}" for name, x in zip(names, inputs)]
    run(FXCPP, "grad", source, "--vjp", *types, "-o", target)
    return fx_export.load(target), run(FXCPP, "print", target, "--no-types", "--no-meta")


def theirs(function: Callable[..., Tensor], inputs: list[Tensor], folder: Path) -> tuple[int, str]:
    wrt = tuple(x.clone().requires_grad_() for x in inputs)
    graph = aot_export_joint_simple(lambda *args: (function(*args),), wrt, trace_joint=True).graph
    path = folder / "aot.json"
    fx_export.dump(graph, path)
    return len(graph.nodes), run(FXCPP, "print", path, "--no-types", "--no-meta")


# parity: B3 B5 B11
def check_values(made: torch.fx.GraphModule, function: Callable[..., Tensor], inputs: list[Tensor]
                 ) -> None:
    wrt = [x.clone().requires_grad_() for x in inputs]
    value = function(*wrt)
    tangent = torch.randn_like(value)
    expected = torch.autograd.grad(value, wrt, tangent)
    result, gradients = made(*inputs, tangent)
    torch.testing.assert_close(result, value.detach())
    for got, gradient in zip(gradients, expected, strict=True):
        torch.testing.assert_close(got, gradient, rtol=1e-5, atol=1e-5)


def page_part(rows: list[tuple[str, int, int, str, str]]) -> str:
    lines = ["| function | `fxcpp grad --vjp`, nodes | AOTAutograd, nodes |", "|---|--:|--:|"]
    lines += [f"| `{name}` | {a} | {b} |" for name, a, b, _, _ in rows]
    for name, _, _, a, b in rows[:SHOWN]:
        lines += ["", f"`{name}`, by `fxcpp grad --vjp` and by AOTAutograd:", "", "```text",
                  a.rstrip(), "```", "```text", b.rstrip(), "```"]
    return "\n".join(lines) + "\n"


def main() -> int:
    torch.manual_seed(0)
    warnings.simplefilter("ignore")
    rows = []
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, function, inputs in EXAMPLES:
            made, text = ours(function, inputs, Path(folder))
            check_values(made, function, inputs)
            other, other_text = theirs(function, inputs, Path(folder))
            nodes = len(made.graph.nodes)
            print(f"{name}: {nodes} nodes, AOTAutograd {other}")
            is_least = function is sine  # no graph of it has fewer nodes
            if nodes > other or (nodes == other and not is_least):
                print(f"  not fewer:\n{text}\n{other_text}")
                faults += 1
            rows.append((name, nodes, other, text, other_text))
    page = PAGE.read_text(encoding="utf-8")
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    if "--update" in sys.argv:
        PAGE.write_text(page[:begin] + page_part(rows) + page[end:], encoding="utf-8")
    elif page[begin:end] != page_part(rows):
        print(f"{PAGE.name} has other text: run this test with --update")
        faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
