#!/usr/bin/env python3
"""Compares the operators and values of decompose{set=composite} with libtorch.

    test_composite_kernels.py [OPERATOR...]

All calls are in one graph, which `fxcpp opt --passes decompose{set=composite}` decomposes. The
operators that replace a call must be those that libtorch calls, in the same order, as a dispatch
mode records them. A write to a new tensor counts as the operator without the write. The values must
be bit-equal. A call may be kept only if it is in KEPT. Exit status 77: torch is missing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

try:
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parent))
from test_decompose import BF16, FXCPP, Call, bit_equal, build, calls, decomposed, leaves, overload  # noqa: E402

# Operators that kernels call to write to a tensor that they created, and the counterparts that do not write.
WITHOUT_WRITE = {"aten.add_.Tensor": "aten.add.Tensor", "aten.squeeze_.dim": "aten.squeeze.dim",
                 "aten.div_.Scalar": "aten.div.Scalar", "aten.bernoulli_.float": "aten.bernoulli.p"}
# Operators some of whose calls may be kept, with the reason.
KEPT = {
    "aten.adaptive_avg_pool2d.default": "means of a non-contiguous tensor",
    "aten.scaled_dot_product_attention.default": "grouped queries without the fused kernel",
}
# Operators whose calls may be decomposed into other operators with equal results.
OTHER_OPERATORS = {
    "aten.cross_entropy_loss.default": "smoothed probabilities: mul.Tensor instead of mul.Scalar",
    "aten.dropout.default": "full instead of zeros; random numbers in stride order",
}


class Recorder(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, list[Any], list[Any]]] = []  # with tensors: operands, results

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self.calls.append((str(func), leaves([*args, *(kwargs or {}).values()]), leaves(result)))
        return result

    def used(self, result: Any) -> list[str]:
        """Returns the operators on which the result depends."""
        ops, needed = [], {x._cdata for x in leaves(result)}
        for op, operands, results in reversed(self.calls):
            if all(not isinstance(x, torch.Tensor) or x._cdata not in needed for x in results):
                continue
            ops.append(WITHOUT_WRITE.get(op, op))
            needed |= {x._cdata for x in operands if isinstance(x, torch.Tensor)}
        return ops[::-1]


def products() -> list[Call]:
    """Returns calls whose kernels depend on strides and on requires_grad."""
    tested: list[Call] = []

    def add(name: str, *args: Any, **kwargs: Any) -> None:
        tested.append((overload(f"aten.{name}"), args, kwargs))

    def operands(*sizes: int) -> list[torch.Tensor]:
        x = torch.randn(*sizes)
        result = [x, torch.randn(*sizes).requires_grad_()]
        if len(sizes) > 1:
            result.append(torch.randn(*sizes).mT.contiguous().mT)
        if len(sizes) > 2:
            result.append(torch.randn(*sizes).transpose(0, 1).contiguous().transpose(0, 1))
        return result

    for a, b in (((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 5)), ((3, 4), (4, 5)), ((2, 3, 4), (4,)),
                 ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((3, 4), (2, 4, 5)), ((4,), (2, 4, 5)),
                 ((2, 3, 4, 5), (5, 2)), ((2, 3, 4, 5), (2, 3, 5, 2)), ((6, 1, 3, 4), (2, 4, 5)),
                 ((2, 3, 4, 5), (5,)), ((0, 3, 4), (4, 5))):
        for x in operands(*a):
            for y in operands(*b):
                add("matmul.default", x, y)
    for sizes in ((4,), (3, 4), (2, 3, 4), (2, 3, 2, 4)):
        for x in operands(*sizes):
            for w in operands(5, 4):
                add("linear.default", x, w)
                add("linear.default", x, w, torch.randn(5))
                add("linear.default", x, w, torch.randn(10)[::2])
    for x in (torch.randn(2, 3, 4), torch.randn(4, 3, 2).permute(2, 1, 0), torch.randn(2, 3, 8)[..., ::2],
              torch.randn(3, 2, 4).transpose(0, 1)):
        for shape in ([6, 4], [-1, 4], [24], [2, -1], [2, 3, 4, 1], [2, 12]):
            add("reshape.default", x, shape)
        for start, end in ((0, -1), (1, 2), (0, 1), (1, 1)):
            add("flatten.using_ints", x, start, end)
        add("chunk.default", x, 2, 1)
        add("chunk.default", x, 3, -1)
    add("chunk.default", torch.randn(7), 4)
    q, k, v = torch.randn(2, 4, 3, 8), torch.randn(2, 4, 5, 8), torch.randn(2, 4, 5, 8)
    mask = torch.tensor([[True, False, True, True, False], [False] * 5, [True] * 5])
    options: list[dict[str, Any]] = [
        {}, {"is_causal": True}, {"scale": 0.3}, {"attn_mask": mask}, {"attn_mask": torch.randn(3, 5)},
        {"attn_mask": torch.randn(2, 1, 3, 5)}, {"attn_mask": torch.randn(3, 5, requires_grad=True)},
        {"attn_mask": torch.randn(4, 3, 5)}]
    for option in options:
        for x, y, z in ((q, k, v), (q.clone().requires_grad_(), k, v), (q.mT.contiguous().mT, k, v),
                        (q[0], k[0], v[0]), (q, k, torch.randn(2, 4, 5, 6)), (q[:, :1], k, v)):
            if option.get("attn_mask") is not None and x.dim() == 3 and option["attn_mask"].dim() == 4:
                continue
            add("scaled_dot_product_attention.default", x, y, z, **option)
        add("scaled_dot_product_attention.default", q.to(BF16), k.to(BF16), v.to(BF16),
            **{n: o.to(BF16) if isinstance(o, torch.Tensor) and o.dtype != torch.bool else o
               for n, o in option.items()})
    add("scaled_dot_product_attention.default", q, k[:, :2].clone(), v[:, :2].clone(), enable_gqa=True)
    add("scaled_dot_product_attention.default", q[0], k[0], v[0], scale=-0.3)
    add("relu6.default", torch.randn(3, 4) * 5)
    add("relu6_.default", torch.randn(3, 4) * 5)
    x, stats = torch.randn(3, 4, 5, 5), [torch.randn(4), torch.rand(4) + 0.5]
    for affine in ([torch.randn(4), torch.randn(4)], [None, None]):
        add("batch_norm.default", x, *affine, stats[0].clone(), stats[1].clone(), False, 0.1, 1e-5, True)
        add("batch_norm.default", x, *affine, stats[0].clone(), stats[1].clone(), True, 0.1, 1e-5, True)
        add("batch_norm.default", x, *affine, None, None, True, 0.1, 1e-5, True)
    return tested


def copy_of(value: Any) -> Any:
    """Returns a copy with the same strides."""
    if isinstance(value, torch.Tensor):
        copy = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
        return copy.copy_(value.detach()).requires_grad_(value.requires_grad)
    return [copy_of(item) for item in value] if isinstance(value, list) else value


def recorded(call: Call) -> list[str]:
    op, args, kwargs = call
    args, kwargs = copy_of(list(args)), {name: copy_of(value) for name, value in kwargs.items()}
    with Recorder() as recorder:
        result = op(*args, **kwargs)
    return recorder.used(result)


def is_broadcast_by_mode(call: Call) -> bool:
    """Returns True if a dispatch mode changes the call: a matmul of two batches of different sizes."""
    op, args, _ = call
    if op not in (torch.ops.aten.matmul.default,) or not all(x.dim() == 3 for x in args[:2]):
        return False
    return args[0].shape[0] != args[1].shape[0]


def main() -> int:
    listed = subprocess.run([FXCPP, "passes", "--decompositions"], capture_output=True, text=True, check=True)
    table = set()
    section = ""
    for line in listed.stdout.splitlines():
        section = section if line.startswith(" ") else line.split(":")[0]
        if line.startswith(" ") and section == "composite":
            table |= {op if op.count(".") == 2 else f"{op}.default" for op in line.split()}
    torch.manual_seed(0)
    only = set(sys.argv[1:])
    tested = [call for call in [*calls(), *products()]
            if str(call[0]) in table and (not only or str(call[0]) in only)]
    failures = [] if only else [f"{op} is not tested" for op in sorted(table - {str(c[0]) for c in tested})]
    gm, inputs = build(tested)
    names = [node.name for node in gm.graph.nodes if str(node.target) in table]
    assert len(names) == len(tested)
    torch.manual_seed(1)
    want = gm(*copy_of(inputs))
    with tempfile.TemporaryDirectory() as folder:
        after, _ = decomposed(gm, "propagate_types,decompose{set=composite}", Path(folder))
    torch.manual_seed(1)
    got = after(*copy_of(inputs))

    # The replacement of a call ends with a node that has the name of the call, unless the result is
    # an operand.
    parts: list[list[str]] = []
    nodes = [n for n in after.graph.nodes if n.op == "call_function"]
    start = 0
    for name in names:
        end = next((i for i, n in enumerate(nodes) if n.name == name), None)
        parts.append([] if end is None else [
            str(n.target) for n in nodes[start:end + 1] if isinstance(n.target, torch._ops.OpOverload)])
        if end is not None:
            start = end + 1
    equal: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for call, ops, a, b in zip(tested, parts, leaves_of(got), leaves_of(want), strict=True):
        op, args, kwargs = call
        text = f"{op} {[(*x.shape, x.stride(), x.requires_grad) if isinstance(x, torch.Tensor) else x for x in args]} {list(kwargs)}"
        failures += [f"{text}: values differ" for x, y in zip(a, b, strict=True) if not bit_equal(x, y)]
        if ops == [str(op)]:
            kept[str(op)] += 1
            if str(op) not in KEPT:
                failures.append(f"{text}: not decomposed")
            continue
        reference = recorded(call)
        if ops == reference:
            equal[str(op)] += 1
        elif str(op) in OTHER_OPERATORS:
            others[str(op)] += 1
        elif not is_broadcast_by_mode(call):
            failures.append(f"{text}: {ops} instead of {reference}")
    print("\n".join([*failures, f"{len(tested)} calls of {len(table)} operators: {sum(equal.values())} with libtorch's "
                     f"operators, {sum(others.values())} with different operators, {sum(kept.values())} kept, {len(failures)} failures"]))
    return 1 if failures else 0


def leaves_of(results: Any) -> list[list[Any]]:
    return [leaves(result) for result in results]


if __name__ == "__main__":
    sys.exit(main())
