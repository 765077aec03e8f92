#!/usr/bin/env python3
"""Compares functionalize with PyTorch's functionalization.

Functions with views and writes are traced without functionalization (make_fx), and the graphs are
passed through `fxcpp opt --passes functionalize`. When torch.fx runs the resulting graph, it must
return bit-equal results and change its inputs in the same way. Its only writes are the copies to
inputs at the end; torch.func.functionalize creates the same number of copies. Exit status: 0 if
equal, 1 if different, 77 without torch.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / "scripts"))

try:
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import fx_export

FXCPP = os.environ.get("FXCPP", str(REPOSITORY / "build" / "release" / "bin" / "fxcpp"))
Tensor = torch.Tensor
Function = Callable[..., object]


def input_in_place(x: Tensor) -> Tensor:
    x.add_(1)
    return x.mul(2)


def rows_and_columns(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x.clone()
    row, column = y[1], y[:, 0]
    row.zero_()
    column.fill_(7)
    return y, row.sum()


def chains(x: Tensor) -> Tensor:
    y = x.clone()
    y.t()[1:3].view_as(y.t()[1:3]).unsqueeze(0).mul_(3)
    return y


def items_of_lists(x: Tensor) -> list[Tensor]:
    y = x.clone()
    for i, part in enumerate(y.split(2)):
        part.add_(i)
    for i, part in enumerate(y.unbind(1)):
        part.mul_(i)
    return [y, *y.chunk(2, dim=1)]


def diagonals(x: Tensor) -> Tensor:
    y = torch.zeros(6, 6)
    y.diagonal().copy_(x[0])
    y.diagonal(2).sub_(x[1, :4])
    return y


def other_dtypes(x: Tensor) -> Tensor:
    y = x.to(torch.float16)
    y.add_(x)
    z = torch.zeros(4, 6, dtype=torch.int64)
    z.copy_(x)
    return y.to(torch.float32) + z


def out_arguments(x: Tensor) -> Tensor:
    y = torch.empty(6, 4).t()
    torch.mul(x, 2, out=y)
    torch.sum(x, 1, out=y[:, 0])
    return y


def indices(x: Tensor) -> Tensor:
    y = x.clone()
    y[torch.tensor([0, 2])] = 5.0
    y[:, 1:3][y[:, 1:3] > 0] = -1.0
    y.index_add_(0, torch.tensor([1, 1]), torch.ones(2, 6))
    return y.cumsum_(0)


def strides(x: Tensor) -> Tensor:
    y = x.clone()
    y.as_strided((2, 3), (12, 2), 1).mul_(10)
    return y.reshape(-1).sigmoid_() + y.view(-1)


def optimizer(x: Tensor, momentum: Tensor) -> Tensor:
    momentum.mul_(0.9).add_(x.cos(), alpha=0.1)
    torch._foreach_addcdiv_([x, momentum], [x.sin(), momentum], [x.exp(), x.exp()], 0.5)
    return x.norm()


def metadata(x: Tensor) -> Tensor:
    y = x.clone()
    row = y[0]
    y.t_()
    y.add_(1)
    return y * row.sum()


def complex_numbers(x: Tensor) -> Tensor:
    y = torch.complex(x, x * 2)
    torch.view_as_real(y)[..., 0].mul_(3)
    y.imag.add_(1)
    return torch.view_as_real(y)


CASES: list[tuple[Function, int]] = [
    (input_in_place, 1), (rows_and_columns, 1), (chains, 1), (items_of_lists, 1), (diagonals, 1),
    (other_dtypes, 1), (out_arguments, 1), (indices, 1), (strides, 1),
    (optimizer, 2), (metadata, 1), (complex_numbers, 1),
]  # fmt: skip


def inputs(count: int) -> list[Tensor]:
    torch.manual_seed(0)
    return [torch.randn(4, 6) for _ in range(count)]


def writes(graph: torch.fx.Graph) -> list[str]:
    return [
        str(node.target)
        for node in graph.nodes
        if node.op == "call_function"
        and isinstance(node.target, torch._ops.OpOverload)
        and node.target._schema.is_mutable
    ]


def functionalized(raw: torch.fx.GraphModule) -> torch.fx.GraphModule:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        fx_export.dump(raw, path / "raw.json")
        passes = "propagate_types,functionalize"
        for command in (
            ["opt", path / "raw.json", "--passes", passes, "-o", path / "pure.fx"],
            ["verify", path / "pure.fx"],
            ["print", path / "pure.fx", "--preset", "json", "-o", path / "pure.json"],
        ):
            done = subprocess.run([FXCPP, *command], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise AssertionError(done.stdout + done.stderr)
        graph = fx_export.load_graph(path / "pure.json")
    return torch.fx.GraphModule(raw, graph)


def tensors(value: object) -> list[Tensor]:
    return [value] if isinstance(value, Tensor) else list(value)  # type: ignore[call-overload]


class Functionalize(unittest.TestCase):
    def check_same(self, expected: list[Tensor], got: list[Tensor]) -> None:
        self.assertEqual(len(expected), len(got))
        for a, b in zip(expected, got):
            self.assertEqual(a.dtype, b.dtype)
            self.assertTrue(torch.equal(a, b), f"{a}\n{b}")
            self.assertEqual(a.stride(), b.stride())

    def test_against_torch(self) -> None:
        for function, count in CASES:
            with self.subTest(function.__name__):
                start = inputs(count)
                raw = make_fx(function)(*inputs(count))
                theirs = make_fx(torch.func.functionalize(function))(*inputs(count))
                ours = functionalized(raw)
                expected_inputs = [t.clone() for t in start]
                expected = tensors(function(*expected_inputs))
                self.assertTrue(writes(raw.graph))
                copies = [name for name in writes(theirs.graph) if name == "aten.copy_.default"]
                self.assertEqual(writes(ours.graph), copies)
                for gm in (theirs, ours):
                    got_inputs = [t.clone() for t in start]
                    got = tensors(gm(*got_inputs))
                    self.assertEqual(len(expected), len(got))
                    for a, b in zip(expected, got):
                        self.assertTrue(torch.equal(a, b), f"{a}\n{b}")
                    self.check_same(expected_inputs, got_inputs)
                self.check_same(expected, tensors(ours(*[t.clone() for t in start])))


if __name__ == "__main__":
    result = unittest.main(exit=False, argv=sys.argv[:1]).result
    failed = len(result.failures) + len(result.errors)
    print(f"{len(CASES)} functions, {failed} failed")
    sys.exit(1 if failed else 0)
