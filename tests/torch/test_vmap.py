#!/usr/bin/env python3
"""Compares `fxcpp vmap`, and the Jacobians and Hessians that use it, with torch.

Each function is traced for one example (make_fx), batched by the command, read back, and run. The
results must equal those of a loop over the examples. The function is batched for a known number of
examples and, if no operator is called in a loop, for a symbolic number; this graph runs for two
numbers. Jacobians and Hessians must equal those of torch.func. Exit status: 0 on success, 1 on
failure, 77 without torch.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import torch
    import torch.nn.functional as F
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.utils import _pytree as pytree
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
ONLY = os.environ.get("FX_VMAP_ONLY", "")
Tensor = torch.Tensor
Dims = list[int | None]


def randn(*sizes: int) -> Tensor:
    return torch.randn(sizes, dtype=torch.float64)


def positive(*sizes: int) -> Tensor:
    return torch.rand(sizes, dtype=torch.float64) + 0.5


def indices(high: int, *sizes: int) -> Tensor:
    return torch.randint(high, sizes)


def matrix(n: int) -> Tensor:
    return randn(n, n) + 4 * torch.eye(n, dtype=torch.float64)


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1) @ v


def tile_rows(x: Tensor) -> Tensor:
    y = x.clone()
    y[0] = y[1] * 2
    return y


# Each case: a function, its arguments for one example, and the batch dimension of each argument
# (None: not batched). An optional last item: the batch dimensions of the results, or "loop" if an
# operator is called in a loop.
CASES: dict[str, tuple[Any, ...]] = {
    "sin": (torch.sin, [randn(3)], [0]),
    "broadcast": (lambda x, y: x * y + 1, [randn(4, 3), randn(3)], [0, 0]),
    "broadcast shared": (lambda x, y: x - y, [randn(3), randn(4, 3)], [1, None]),
    "numbers": (lambda x, y: x * y, [randn(), randn(2, 3)], [0, 0]),
    "promotion": (
        lambda x, y: x * y,
        [torch.randn(3), torch.tensor(2.0, dtype=torch.float64)],
        [0, 0],
    ),
    "where": (lambda x, y: torch.where(x > 0, x, y), [randn(3), randn(2, 3)], [0, None]),
    "clamp": (lambda x, low: torch.clamp(x, min=low), [randn(3), randn(3)], [0, 0]),
    "sum": (torch.sum, [randn(3, 4)], [2]),
    "sum of numbers": (torch.sum, [randn()], [0]),
    "mean of a dim": (lambda x: x.mean(-1, keepdim=True), [randn(3, 4)], [0]),
    "var": (lambda x: torch.var(x, dim=(0, 1)), [randn(3, 4, 2)], [0]),
    "prod": (torch.prod, [randn(3, 2)], [0]),
    "max": (lambda x: torch.max(x, 1), [randn(3, 4)], [1]),
    "argmax": (torch.argmax, [randn(3, 4)], [0]),
    "argmin of a dim": (lambda x: torch.argmin(x, 0), [randn(3, 4)], [0]),
    "norm": (lambda x: torch.linalg.norm(x), [randn(3, 4)], [0]),
    "logsumexp": (lambda x: torch.logsumexp(x, 0), [randn(3, 4)], [0]),
    "softmax": (lambda x: torch.softmax(x, -1), [randn(3, 4)], [1], [2]),
    "cumsum": (lambda x: torch.cumsum(x, -1), [randn(3, 4)], [0]),
    "sort": (lambda x: torch.sort(x, 0, descending=True), [randn(4, 2)], [0]),
    "topk": (lambda x: torch.topk(x, 2), [randn(5)], [0]),
    "median": (torch.median, [randn(5)], [0]),
    "mm": (torch.mm, [randn(2, 3), randn(3, 4)], [0, 0]),
    "mm shared": (torch.mm, [randn(2, 3), randn(3, 4)], [0, None]),
    "mm shared left": (torch.mm, [randn(2, 3), randn(3, 4)], [None, 2]),
    "mv": (torch.mv, [randn(4, 3), randn(3)], [None, 0]),
    "mv of matrices": (torch.mv, [randn(4, 3), randn(3)], [0, 0]),
    "dot": (torch.dot, [randn(3), randn(3)], [0, None]),
    "outer": (torch.outer, [randn(3), randn(2)], [0, 0]),
    "bmm": (torch.bmm, [randn(2, 3, 4), randn(2, 4, 2)], [0, 0]),
    "baddbmm": (
        lambda a, b, c: torch.baddbmm(a, b, c, beta=2, alpha=3),
        [randn(3, 2), randn(2, 3, 4), randn(2, 4, 2)],
        [0, None, 0],
    ),
    "addmm": (torch.addmm, [randn(4), randn(2, 3), randn(3, 4)], [None, 0, None]),
    "einsum": (lambda x, y: torch.einsum("ij,jk->ki", x, y), [randn(2, 3), randn(3, 4)], [0, 1]),
    "linear": (F.linear, [randn(5, 3), randn(4, 3), randn(4)], [0, None, None]),
    "linear of weights": (F.linear, [randn(5, 3), randn(4, 3), randn(4)], [0, 0, 0]),
    "mlp": (
        lambda x, w1, w2: torch.tanh(x @ w1) @ w2,
        [randn(3), randn(3, 5), randn(5, 2)],
        [0, 0, None],
    ),
    "attention": (attention, [randn(2, 4, 3) for _ in range(3)], [0, 0, 0]),
    "sdpa": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
        [randn(1, 2, 4, 3) for _ in range(3)],
        [0, 0, None],
    ),
    "solve": (torch.linalg.solve, [matrix(3), randn(3, 2)], [0, 0]),
    "solve a vector": (torch.linalg.solve, [matrix(3), randn(3)], [None, 0]),
    "inverse": (torch.linalg.inv, [matrix(3)], [0]),
    "determinant": (torch.linalg.det, [matrix(3)], [0]),
    "cholesky": (lambda x: torch.linalg.cholesky(x @ x.mT), [matrix(3)], [0]),
    "eigh": (lambda x: torch.linalg.eigvalsh(x + x.mT), [matrix(3)], [0]),
    "fft": (lambda x: torch.fft.rfft(x).abs(), [randn(6)], [0]),
    "views": (lambda x: x.reshape(2, -1).t().unsqueeze(0).squeeze(), [randn(3, 4)], [0]),
    "expand": (lambda x: x.expand(2, 4, 3).permute(2, 0, 1), [randn(3)], [0]),
    "repeat": (lambda x: x.repeat(2, 3, 1), [randn(2)], [0]),
    "split": (lambda x: torch.cat(torch.split(x, 2, 1)[::-1], 1), [randn(3, 5)], [0]),
    "stack": (lambda x, y: torch.stack([x, y], -1), [randn(3), randn(3)], [0, None]),
    "unbind": (lambda x: x.unbind(-1)[1], [randn(3, 4)], [0]),
    "diagonal": (lambda x: torch.diag_embed(x.diagonal(1)), [randn(4, 4)], [0]),
    "roll": (lambda x: torch.roll(x, 1), [randn(3, 4)], [0]),
    "flip": (lambda x: x.flip(0, -1), [randn(3, 4)], [0]),
    "tril": (torch.tril, [randn(4, 4)], [0]),
    "pad": (lambda x: F.pad(x, (1, 2), value=3.0), [randn(3)], [0]),
    "unfold": (lambda x: x.unfold(0, 2, 1), [randn(5)], [0]),
    "as_strided": (lambda x: x.as_strided((2, 2), (1, 2), 1), [randn(6)], [0]),
    "index": (lambda x, i: x[i], [randn(5, 2), indices(5, 3)], [0, 0]),
    "index shared": (lambda x, i: x[:, i], [randn(2, 5), indices(5, 3, 2)], [0, None]),
    "index with separate dims": (
        lambda x, i, j: x[i, :, j],
        [randn(4, 3, 5), indices(4, 2), indices(5, 2)],
        [0, None, 0],
    ),
    "index_put": (
        lambda x, i, v: torch.index_put(x, (i,), v, accumulate=True),
        [randn(4, 3), indices(4, 2), randn(2, 3)],
        [0, 0, None],
    ),
    "index_select": (lambda x, i: x.index_select(1, i), [randn(2, 4), indices(4, 3)], [0, 0]),
    "index_add": (
        lambda x, i, v: x.index_add(1, i, v, alpha=2),
        [randn(2, 4), indices(4, 3), randn(2, 3)],
        [0, 0, 0],
    ),
    "gather": (lambda x, i: x.gather(1, i), [randn(3, 4), indices(4, 3, 2)], [0, None]),
    "scatter": (
        lambda x, i, v: x.scatter(0, i, v),
        [randn(4, 2), torch.tensor([[0, 1], [3, 2]]), randn(2, 2)],
        [None, None, 0],
    ),
    "embedding": (lambda i, w: F.embedding(i, w), [indices(6, 3), randn(6, 2)], [0, None]),
    "embedding of tables": (lambda i, w: F.embedding(i, w), [indices(6, 3), randn(6, 2)], [0, 0]),
    "write": (tile_rows, [randn(3, 2)], [1], [1]),
    "conv2d": (
        lambda x, w, b: F.conv2d(x, w, b, padding=1),
        [randn(1, 2, 5, 5), randn(3, 2, 3, 3), randn(3)],
        [0, None, None],
    ),
    "conv2d of weights": (
        lambda x, w, b: F.conv2d(x, w, b, stride=2, groups=2),
        [randn(2, 2, 5, 5), randn(4, 1, 3, 3), randn(4)],
        [0, 0, 0],
    ),
    "max_pool2d": (lambda x: F.max_pool2d(x, 2), [randn(2, 3, 4, 4)], [0]),
    "avg_pool2d": (lambda x: F.avg_pool2d(x, 2), [randn(3, 4, 4)], [0]),
    "interpolate": (
        lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
        [randn(1, 2, 3, 3)],
        [0],
    ),
    "layer_norm": (
        lambda x, w, b: F.layer_norm(x, (4,), w, b),
        [randn(3, 4), randn(4), randn(4)],
        [0, None, None],
    ),
    "layer_norm of weights": (
        lambda x, w, b: F.layer_norm(x, (4,), w, b),
        [randn(3, 4), randn(4), randn(4)],
        [0, 0, 0],
    ),
    "group_norm": (lambda x: F.group_norm(x, 2), [randn(2, 4, 3)], [0]),
    "batch_norm": (lambda x: F.batch_norm(x, None, None, training=True), [randn(4, 3)], [0]),
    "cross_entropy": (lambda x, y: F.cross_entropy(x, y), [randn(4, 5), indices(5, 4)], [0, 0]),
    "mse_loss": (lambda x, y: F.mse_loss(x, y), [randn(4), randn(4)], [0, None]),
    "gelu": (lambda x: F.gelu(x), [randn(3)], [0]),
    "complex": (
        lambda x: (x * torch.complex(x, x)).conj(),
        [randn(3)],
        [0],
    ),
    "shared result": (lambda x, y: (x + 1, y * 2), [randn(3), randn(2)], [0, None], [0, 1]),
    "cdist": (lambda x, y: torch.cdist(x, y), [randn(3, 2), randn(4, 2)], [0, 0]),
    "histc": (lambda x: torch.histc(x, 4, -2, 2), [randn(6)], [0], "loop"),
}
# Graphs with control flow: text, the function of one example, the inputs, and their batch
# dimensions.
COND = """graph @main(%flag : b8[], %x : f64[3], %y : f64[3]) {
  graph @yes(%x : f64[3], %y : f64[3]) {
    %r : f64[3] = aten.mul.Tensor(%x, %y)
    return [%r]
  }
  graph @no(%x : f64[3], %y : f64[3]) {
    %r : f64[3] = aten.sin.default(%y)
    return [%r]
  }
  %yes = get_attr yes
  %no = get_attr no
  %cond : [f64[3]] = higher_order.cond(%flag, %yes, %no, [%x, %y])
  %r : f64[3] = operator.getitem(%cond, 0)
  return %r
}
"""
LOOP = """graph @main(%x : f64[], %n : i64[]) {
  graph @test(%i : i64[], %v : f64[], %n : i64[]) {
    %lt : b8[] = aten.lt.Tensor(%i, %n)
    return %lt
  }
  graph @step(%i : i64[], %v : f64[], %n : i64[]) {
    %next : i64[] = aten.add.Tensor(%i, 1)
    %w : f64[] = aten.mul.Tensor(%v, 1.5)
    return (%next, %w)
  }
  %zero : i64[] = aten.zeros_like.default(%n)
  %test = get_attr test
  %step = get_attr step
  %loop : [i64[], f64[]] = higher_order.while_loop(%test, %step, (%zero, %x), (%n,))
  %r : f64[] = operator.getitem(%loop, 1)
  return %r
}
"""
STACKED = LOOP.replace("while_loop", "while_loop_stack_output").replace(": [i64[], f64[]]", ": [i64[u0], f64[u0]]")
STACKED = STACKED.replace("%r : f64[]", "%r : f64[u0]")


def run_cond(flag: Tensor, x: Tensor, y: Tensor) -> Tensor:
    return x * y if flag else y.sin()


def run_loop(x: Tensor, n: Tensor) -> Tensor:
    return x * 1.5 ** int(n)


def run_stacked(x: Tensor, n: Tensor) -> Tensor:
    return torch.stack([x * 1.5 ** (i + 1) for i in range(int(n))]) if n > 0 else x[None]


FLAGS = torch.tensor([True, False, True, False, False])
TEXTS: dict[str, tuple[str, Callable[..., Any], list[Tensor], Dims]] = {
    "cond": (COND, run_cond, [torch.tensor(True), randn(5, 3), randn(3)], [None, 0, None]),
    "cond of one branch": (COND, run_cond, [torch.tensor(False), randn(5, 3), randn(3)], [None, 0, None]),
    "cond that differs": (COND, run_cond, [FLAGS, randn(5, 3), randn(5, 3)], [0, 0, 0]),
    "cond of a flag": (COND, run_cond, [FLAGS, randn(3), randn(3)], [0, None, None]),
    "while_loop": (LOOP, run_loop, [randn(5), torch.tensor(3)], [0, None]),
    "while_loop_stack_output": (STACKED, run_stacked, [randn(5), torch.tensor(3)], [0, None]),
    "while_loop_stack_output of no steps": (STACKED, run_stacked, [randn(5), torch.tensor(0)], [0, None]),
    "while_loop that differs": (LOOP, run_loop, [randn(5), torch.tensor([3, 0, 2, 1, 4])], [0, 0]),
}


class Command:
    def __init__(self, folder: Path) -> None:
        self.source, self.target = folder / "in.json", folder / "out.json"
        self.text = folder / "in.fx"

    def run(self, *arguments: str) -> str:
        run = subprocess.run([FXCPP, *arguments], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise AssertionError(f"{' '.join(arguments)}: {run.stderr.strip()}")
        return run.stderr

    def run_graph(self, source: Any, *arguments: str) -> tuple[torch.fx.GraphModule, str]:
        """Returns the graph that the command writes, and its standard error."""
        if isinstance(source, str):
            self.text.write_text(source)
            path = self.text
        else:
            fx_export.dump(source, self.source)
            path = self.source
        notes = self.run(arguments[0], str(path), *arguments[1:], "-o", str(self.target))
        gm = fx_export.load(self.target)
        if not isinstance(source, str):
            for node in source.graph.nodes:
                if node.op == "get_attr":
                    setattr(gm, node.target, getattr(source, node.target))
        return gm, notes


def names_of(gm: torch.fx.GraphModule) -> list[str]:
    return [n.name for n in gm.graph.nodes if n.op == "placeholder"]


def batch_of(x: Tensor, dim: int | None, size: int) -> Tensor:
    """Returns a batch of different examples like x."""
    if dim is None:
        return x
    if x.is_floating_point():
        examples = [x + 0.01 * randn(*x.shape).to(x.dtype) for _ in range(size)]
    else:
        examples = [x.flatten().roll(i).reshape(x.shape) for i in range(size)]
    return torch.stack(examples, dim)


def looped(f: Callable[..., Any], inputs: list[Tensor], dims: Dims, out: Any, size: int) -> list[Tensor]:
    results = []
    for i in range(size):
        example = [x if d is None else x.select(d, i).clone() for x, d in zip(inputs, dims)]
        results.append([y for y in pytree.tree_leaves(f(*example)) if isinstance(y, Tensor)])
    out_dims = out if isinstance(out, list) else [0]
    out_dims = out_dims * len(results[0]) if len(out_dims) == 1 else out_dims
    return [torch.stack(items, dim) for items, dim in zip(zip(*results), out_dims)]


def check_equal(got: Any, expected: list[Tensor], what: str) -> None:
    leaves = [y for y in pytree.tree_leaves(got) if isinstance(y, Tensor)]
    assert len(leaves) == len(expected), f"{what}: {len(leaves)} results"
    for a, b in zip(leaves, expected):
        torch.testing.assert_close(a, b, rtol=1e-6, atol=1e-8, msg=lambda m: f"{what}: {m}")


def in_argument(names: list[str], dims: Dims) -> str:
    return ",".join(f"{n}={'none' if d is None else d}" for n, d in zip(names, dims))


def check_case(command: Command, name: str, case: tuple[Any, ...]) -> None:
    f, example, dims = case[:3]
    out = case[3] if len(case) > 3 else [0]
    loops = out == "loop"
    gm = make_fx(f)(*example)
    arguments = ["vmap", "--in", in_argument(names_of(gm), dims)]
    if not loops and out != [0]:
        arguments += ["--out", ",".join(map(str, out))]
    inputs = [batch_of(x, d, 3) for x, d in zip(example, dims)]
    result, notes = command.run_graph(gm, *arguments, "--size", "3")
    assert ("called once" in notes) == loops, f"{name}: {notes}"
    check_equal(result(*inputs), looped(f, inputs, dims, out, 3), name)
    if loops:
        return
    result, _ = command.run_graph(gm, *arguments, "--no-loop")
    for size in (2, 5):
        inputs = [batch_of(x, d, size) for x, d in zip(example, dims)]
        check_equal(result(*inputs), looped(f, inputs, dims, out, size), f"{name}, any size")


def check_text(command: Command, name: str) -> None:
    text, f, inputs, dims = TEXTS[name]
    inputs = [x.clone() for x in inputs]
    names = [part.split(":")[0].strip(" %") for part in text.split("(")[1].split(", %")]
    result, _ = command.run_graph(text, "vmap", "--in", in_argument(names, dims), "--size", "5")
    check_equal(result(*inputs), looped(f, inputs, dims, [0], 5), name)


def check_rejected(command: Command) -> None:
    """Tests that loops with different numbers of steps are rejected, since their results have
    different sizes."""
    try:
        command.run_graph(STACKED, "vmap", "--in", "x=0,n=0")
    except AssertionError as error:
        assert "%loop" in str(error) and "different numbers of steps" in str(error), error
    else:
        raise AssertionError("loops with different numbers of steps were batched")


def check_nested(command: Command) -> None:
    """Tests vmap of vmap, over all pairs of rows."""
    x, y = randn(4, 3), randn(5, 3)
    gm = make_fx(lambda a, b: torch.tanh(a * b).sum())(x[0], y[0])
    first, second = names_of(gm)
    inner, _ = command.run_graph(gm, "vmap", "--in", f"{first}=none,{second}=0", "--size", "5")
    outer, _ = command.run_graph(inner, "vmap", "--in", f"{first}=0,{second}=none", "--size", "4")
    expected = torch.func.vmap(
        torch.func.vmap(lambda a, b: torch.tanh(a * b).sum(), (None, 0)), (0, None)
    )(x, y)
    check_equal(outer(x, y), [expected], "nested")


def check_random(command: Command) -> None:
    """Tests the values of --randomness: an error, one draw, or one draw for each example."""
    gm = make_fx(lambda x: x * torch.rand_like(x))(randn(4))
    (name,) = names_of(gm)
    try:
        command.run_graph(gm, "vmap", "--in", f"{name}=0")
    except AssertionError as error:
        assert "random" in str(error), error
    else:
        raise AssertionError("random numbers were accepted without --randomness")
    result, _ = command.run_graph(gm, "vmap", "--in", f"{name}=0", "--randomness", "different")
    y = result(torch.ones(3, 4, dtype=torch.float64))
    assert len(set(y.flatten().tolist())) == 12, y


def check_cond_derivatives(command: Command) -> None:
    """Compares gradients and tangents of cond, and gradients in batches."""
    x, y, t, u = randn(3), randn(3), randn(3), randn(3)
    vjp, _ = command.run_graph(COND, "grad", "--vjp", "--wrt", "x", "--wrt", "y")
    jvp, _ = command.run_graph(COND, "grad", "--mode", "forward", "--wrt", "x", "--wrt", "y")
    for flag in (torch.tensor(True), torch.tensor(False)):
        value, pullback = torch.func.vjp(lambda a, b: run_cond(flag, a, b), x, y)
        check_equal(vjp(flag, x, y, t), [value, *pullback(t)], "vjp of cond")
        value, tangent = torch.func.jvp(lambda a, b: run_cond(flag, a, b), (x, y), (t, u))
        check_equal(jvp(flag, x, y, t, u), [value, tangent], "jvp of cond")
    each, _ = command.run_graph(vjp, "vmap", "--size", "5")
    xs, ys, ts = randn(5, 3), randn(5, 3), randn(5, 3)
    expected = looped(vjp, [FLAGS, xs, ys, ts], [0] * 4, [0], 5)
    check_equal(each(FLAGS, xs, ys, ts), expected, "vmap of vjp of cond")


# Functions and their arguments, for Jacobians in both modes.
JACOBIANS: dict[str, tuple[Callable[..., Any], list[Tensor]]] = {
    "elements": (lambda x: x.sin() * x.roll(1), [randn(3, 2)]),
    "matrix": (lambda w, x: torch.tanh(w @ x), [randn(3, 4), randn(4)]),
    "results": (lambda x: (x.sum(), x * x), [randn(3)]),
    "softmax": (lambda x: torch.softmax(x, 0), [randn(4)]),
    "mlp": (lambda x, w, v: F.gelu(x @ w) @ v, [randn(2, 3), randn(3, 4), randn(4, 1)]),
    "solve": (torch.linalg.solve, [matrix(3), randn(3)]),
    "conv": (lambda x, w: F.conv1d(x, w, padding=1), [randn(1, 2, 4), randn(2, 2, 3)]),
    "layer_norm": (lambda x: F.layer_norm(x, (4,)), [randn(2, 4)]),
    "index": (lambda x: x[torch.tensor([0, 2, 0])] ** 2, [randn(3, 2)]),
    "cumsum": (lambda x: torch.cumsum(x, 0).exp(), [randn(4)]),
}
# Functions with one scalar result, for Hessians.
HESSIANS: dict[str, tuple[Callable[..., Any], list[Tensor]]] = {
    "rosenbrock": (lambda x: (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum(), [randn(4)]),
    "logistic": (lambda w, x: F.softplus(-(x @ w)).mean(), [randn(3), randn(5, 3)]),
    "mlp": (lambda x, w: (torch.tanh(x @ w) ** 2).sum(), [randn(2, 3), randn(3, 2)]),
    "logdet": (lambda x: torch.logdet(x @ x.mT + torch.eye(3, dtype=x.dtype)), [randn(3, 3)]),
    "softmax": (lambda x: F.cross_entropy(x, torch.tensor([0, 2])), [randn(2, 3)]),
    "norm": (lambda x: torch.linalg.norm(x), [positive(4)]),
    "product": (torch.prod, [positive(4)]),
    "gelu": (lambda x: F.gelu(x).sum(), [randn(4)]),
    "conv": (lambda x, w: (F.conv1d(x, w) ** 3).sum(), [randn(1, 1, 5), randn(1, 1, 2)]),
    "layer_norm": (lambda x: (F.layer_norm(x, (3,)) ** 3).sum(), [randn(2, 3)]),
    "linear": (lambda x: (3 * x).sum(), [randn(4)]),
    "partly linear": (lambda x, w: (3 * x).sum() + (w**2).sum(), [randn(4), randn(2)]),
}


def check_derivatives(command: Command, cases: dict[str, Any], arguments: list[str], f: Any) -> None:
    for name, (function, inputs) in cases.items():
        wrt = tuple(range(len(inputs)))
        gm = make_fx(function)(*inputs)
        result, _ = command.run_graph(gm, "grad", *arguments)
        expected = pytree.tree_leaves(f(function, argnums=wrt)(*inputs))
        got = pytree.tree_leaves(result(*inputs))
        assert len(got) == len(expected), f"{name}: {len(got)} Jacobians for {len(expected)}"
        zeros = [torch.zeros_like(b) if a is None else a for a, b in zip(got, expected)]
        check_equal(zeros, expected, f"{' '.join(arguments)} of {name}")


def gradient_penalty(command: Command) -> None:
    """Compares the gradient of (|d critic / d x| - 1)^2 with respect to the weights."""
    w, v, x = randn(3, 4), randn(4, 1), randn(5, 3)

    def critic(w: Tensor, v: Tensor, x: Tensor) -> Tensor:
        return (torch.tanh(x @ w) @ v).sum()

    def penalty(w: Tensor, v: Tensor, x: Tensor, slope: Tensor) -> Tensor:
        return ((slope.norm(dim=1) - 1) ** 2).mean()

    gm = make_fx(critic)(w, v, x)
    names = names_of(gm)
    slope, _ = command.run_graph(gm, "grad", "--wrt", names[2])
    whole = make_fx(lambda w, v, x: penalty(w, v, x, slope(w, v, x)[0]))(w, v, x)
    names = names_of(whole)
    result, _ = command.run_graph(whole, "grad", "--wrt", names[0], "--wrt", names[1])
    leaves = [w.clone().requires_grad_(), v.clone().requires_grad_(), x.clone().requires_grad_()]
    (g,) = torch.autograd.grad(critic(*leaves), leaves[2], create_graph=True)
    expected = torch.autograd.grad(penalty(*leaves, g), leaves[:2])
    check_equal(result(w, v, x), list(expected), "gradient penalty")


def heat_equation(command: Command) -> None:
    """Compares the gradient of a physics-informed network, u_t = u_xx, with respect to the weights
    of u."""
    w1, b1, w2, points = randn(2, 6), randn(6), randn(6, 1), randn(7, 2)

    def u(w1: Tensor, b1: Tensor, w2: Tensor, p: Tensor) -> Tensor:
        return torch.tanh(p @ w1 + b1) @ w2

    def residual(d1: Callable[..., Tensor], d2: Callable[..., Tensor], *args: Tensor) -> Tensor:
        return ((d1(*args)[:, 1] - d2(*args)[:, 0]) ** 2).mean()

    args = (w1, b1, w2, points)
    gm = make_fx(lambda *a: u(*a).sum())(*args)
    name = names_of(gm)[3]
    first, _ = command.run_graph(gm, "grad", "--wrt", name)
    along_x = make_fx(lambda *a: first(*a)[0][:, 0].sum())(*args)
    second, _ = command.run_graph(along_x, "grad", "--wrt", names_of(along_x)[3])
    loss = make_fx(lambda *a: residual(lambda *b: first(*b)[0], lambda *b: second(*b)[0], *a))(*args)
    wrt = [f"--wrt={n}" for n in names_of(loss)[:3]]
    result, _ = command.run_graph(loss, "grad", *wrt)

    leaves = [a.clone().requires_grad_() for a in args]
    (g,) = torch.autograd.grad(u(*leaves).sum(), leaves[3], create_graph=True)
    (h,) = torch.autograd.grad(g[:, 0].sum(), leaves[3], create_graph=True)
    value = ((g[:, 1] - h[:, 0]) ** 2).mean()
    check_equal(result(*args), list(torch.autograd.grad(value, leaves[:3])), "heat equation")


def main() -> int:
    torch.manual_seed(0)
    failed = 0
    count = 0

    def attempt(name: str, check: Callable[[], Any]) -> None:
        nonlocal failed, count
        if ONLY not in name:
            return
        count += 1
        try:
            check()
        except Exception as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {' '.join(str(error).split())[:600]}")

    with tempfile.TemporaryDirectory() as folder:
        command = Command(Path(folder))
        for name, case in CASES.items():
            attempt(name, lambda: check_case(command, name, case))
        for name in TEXTS:
            attempt(name, lambda: check_text(command, name))
        attempt("rejected", lambda: check_rejected(command))
        attempt("nested", lambda: check_nested(command))
        attempt("derivatives of cond", lambda: check_cond_derivatives(command))
        attempt("random", lambda: check_random(command))
        modes = [(["--jacobian"], torch.func.jacrev), (["--jacobian", "--mode", "forward"], torch.func.jacfwd)]
        for arguments, reference in modes:
            for name, case in JACOBIANS.items():
                attempt(
                    f"{' '.join(arguments)} {name}",
                    lambda: check_derivatives(command, {name: case}, arguments, reference),
                )
        for name, case in HESSIANS.items():
            attempt(
                f"--hessian {name}",
                lambda: check_derivatives(command, {name: case}, ["--hessian"], torch.func.hessian),
            )
        attempt("gradient penalty", lambda: gradient_penalty(command))
        attempt("heat equation", lambda: heat_equation(command))
    print(f"{count - failed} of {count} pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
