#!/usr/bin/env python3
"""Compares derivatives of scan, map and while_loop with autograd's for the same loop in Python.

Each program is exported, and `fxcpp grad` derives its gradients, its tangents, and the gradients of
the sum of its squared gradients. Arguments: program names; by default, all. Exit status 77:
torch is missing.
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
    import torch.utils._pytree as pytree
    from torch._higher_order_ops.map import map as torch_map
    from torch._higher_order_ops.scan import scan
    from torch._higher_order_ops.while_loop import while_loop
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
Tensors = tuple[torch.Tensor, ...]
Step = Callable[..., tuple]


def loop(step: Step, carried: Tensors, rows: Tensors, *, reverse: bool = False) -> tuple[Tensors, Tensors]:
    """Implements scan as a loop in Python."""
    count = rows[0].shape[0]
    results = []
    for i in reversed(range(count)) if reverse else range(count):
        carried, result = step(carried, tuple(row[i] for row in rows))
        results.append(result)
    if reverse:
        results.reverse()
    return carried, tuple(torch.stack(items) for items in zip(*results, strict=True))


def rnn(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """Each step reads the weights; both results are used."""
    def step(carried: Tensors, rows: Tensors) -> tuple:
        now = torch.tanh(carried[0] @ w + rows[0])
        return (now,), (now * 2, carried[0].sin())

    carried, results = run(step, (h,), (x,))
    return (*carried, *results)


def counter(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """One carried value is an integer, and one has an initial value that depends on no input."""
    def step(carried: Tensors, rows: Tensors) -> tuple:
        number, total = carried
        total = total * number + (rows[0] * w[0]).cos()
        return (number + 1, total), (total.exp() * 0.1,)

    carried, results = run(step, (torch.ones((), dtype=torch.int64), torch.zeros(3, 4)), (x,))
    return carried[1] * h.sum(), results[0]


def backwards(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """The scan runs in reverse; only the results of the steps are used; one sequence has no
    gradient."""
    def step(carried: Tensors, rows: Tensors) -> tuple:
        now = carried[0] * 0.5 + rows[0] * rows[1]
        return (now,), (now.sum(0) @ w,)

    index = torch.arange(x.shape[0])
    _, results = run(step, (h,), (x, index), reverse=True)
    return results


def each(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """map: no carried values."""
    _, results = run(lambda _, rows: ((), ((rows[0] @ w).relu() * h, rows[0].sum())), (), (x,))
    return results


def nested(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """A branch in a step."""
    branches = (lambda a, b: a @ b, lambda a, b: a.sin() + b.sum())

    def step(carried: Tensors, rows: Tensors) -> tuple:
        positive = rows[0].sum() > 0
        if run is loop:
            now = branches[0 if positive else 1](carried[0], w)
        else:
            now = torch.cond(positive, *branches, (carried[0], w))
        return (now * 0.5 + rows[0],), (now.clone(),)

    carried, results = run(step, (h,), (x,))
    return (*carried, *results)


def repeat(condition: Callable, body: Callable, carried: tuple) -> tuple:
    """Implements while_loop as a loop in Python."""
    while condition(*carried):
        carried = body(*carried)
    return carried


def steps(count: int) -> Callable:
    """Returns a program with a loop of `count` steps over two tensors and an integer. The loop
    captures the weights."""
    def program(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
        def body(number: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> tuple:
            return number + 1, torch.tanh(a @ w) + b.sum() * number, b * 0.5 + a.sin()

        start = torch.zeros((), dtype=torch.int64)
        loop_of = repeat if run is loop else while_loop
        _, a, b = loop_of(lambda number, a, b: number < count, body, (start, h, x[0] * 1))
        return a, b
    program.__name__ = f"while_{count}_steps"
    return program


def while_data(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """The number of steps depends on a carried value; the condition has no gradient. A result also
    depends on the other carried value, an integer tensor."""
    def body(a: torch.Tensor, hits: torch.Tensor) -> tuple:
        return a * 1.5 + w[0], hits + (a > 0)

    loop_of = repeat if run is loop else while_loop
    hits = torch.zeros(3, 4, dtype=torch.int64)
    a, hits = loop_of(lambda a, hits: a.abs().sum() < 200, body, (h, hits))
    return a.exp() * 1e-9 * hits, a @ w


def while_passed(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """Carried values that are passed on unchanged, replaced with a different value, and transposed."""
    def body(n: torch.Tensor, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> tuple:
        return n - 1, a.clone(), a * c.t(), (c.t() * b + 1).t()

    loop_of = repeat if run is loop else while_loop
    n = torch.full((), 3, dtype=torch.int64)
    _, a, b, c = loop_of(lambda n, a, b, c: n > 0, body, (n, h, x[0] * w[0], x[1].t().contiguous().t().t()))
    return a, b, c


def while_number(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """A carried number."""
    def body(n: int, a: torch.Tensor) -> tuple:
        return n + 1, (a * n + w[0]).sin()

    loop_of = repeat if run is loop else while_loop
    _, a = loop_of(lambda n, a: n < 3, body, (0, h))
    return (a,)


def while_in_branch(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """A loop in a branch."""
    loop_of = repeat if run is loop else while_loop

    def yes(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        n = torch.zeros((), dtype=torch.int64)
        return loop_of(lambda n, a: n < 2, lambda n, a: (n + 1, torch.tanh(a @ b)), (n, a))[1]

    def no(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a.cos()

    if run is loop:
        return (yes(h, w) if x.sum() > -1e9 else no(h, w),)
    return (torch.cond(x.sum() > -1e9, yes, no, (h, w)),)


def while_in_while(run: Callable, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
    """A loop in each step of a loop, with a different number of steps each time."""
    loop_of = repeat if run is loop else while_loop

    def step(n: torch.Tensor, a: torch.Tensor) -> tuple:
        def inner(i: torch.Tensor, b: torch.Tensor) -> tuple:
            return i - 1, torch.tanh(b @ w) + n

        return n + 1, loop_of(lambda i, b: i > 0, inner, (n.clone(), a * 2))[1]

    n = torch.zeros((), dtype=torch.int64)
    return (loop_of(lambda n, a: n < 3, step, (n, h))[1],)


def exported_loop(step: Step, carried: Tensors, rows: Tensors, *, reverse: bool = False) -> tuple:
    if carried:
        return scan(step, carried, rows, dim=0, reverse=reverse)
    return (), torch_map(lambda row: step((), (row,))[1], rows[0])


class Program(torch.nn.Module):
    def __init__(self, function: Callable) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor, w: torch.Tensor, h: torch.Tensor) -> Tensors:
        return self.function(exported_loop, x, w, h)


def grad(source: Path, target: Path, *options: str) -> torch.fx.GraphModule:
    done = subprocess.run([FXCPP, "grad", source, *options, "-o", target], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return fx_export.load(target, values=False)


def differences(what: str, got: Tensors, want: Tensors) -> list[str]:
    problems = []
    if len(got) != len(want):
        return [f"{what}: {len(got)} results, not {len(want)}"]
    for i, (a, b) in enumerate(zip(got, want, strict=True)):
        if a is None or b is None:  # no gradient, or zeros
            value = b if a is None else a
            if value is not None and value.any():
                problems.append(f"{what} {i}: {a} for {b}")
            continue
        if a.shape != b.shape or not torch.allclose(a, b, rtol=1e-9, atol=1e-9):
            problems.append(f"{what} {i}: {a} for {b}")
    return problems


def check(function: Callable, folder: Path) -> list[str]:
    """Compares gradients, tangents and second derivatives of a program."""
    torch.manual_seed(0)
    x, w, h = torch.randn(5, 3, 4), torch.randn(4, 4), torch.randn(3, 4)
    program = torch.export.export(Program(function), (x, w, h)).run_decompositions({})
    fx_export.dump(program.graph_module, folder / "program.json")
    inputs = [t.clone().requires_grad_() for t in (x, w, h)]
    expected = function(loop, *inputs)
    tangents = [torch.randn_like(t) for t in expected]
    first = torch.autograd.grad(expected, inputs, tangents, create_graph=True, allow_unused=True)

    problems = []
    for style in ("aten", "readable"):
        gm = grad(folder / "program.json", folder / "vjp.json", "--vjp", "--style", style)
        *nested_results, gradients = gm(x, w, h, *tangents)
        results = pytree.tree_leaves(nested_results)
        problems += differences(f"{style} result", tuple(results), tuple(t.detach() for t in expected))
        problems += differences(f"{style} gradient", gradients, first)

    # Second derivatives: gradients of the sum of the squared gradients.
    squares = sum((g * g).sum() for g in first if g is not None)
    second = [None] * len(inputs)
    if squares.requires_grad:
        second = torch.autograd.grad(squares, inputs, allow_unused=True)
    names = [n.name for n in gm.graph.find_nodes(op="placeholder")][:3]
    again = grad(folder / "vjp.json", folder / "second.json", "--vjp",
                 *[option for name in names for option in ("--wrt", name)])
    zeros = [torch.zeros_like(t) for t in expected]
    doubled = [torch.zeros_like(t) if g is None else 2 * g.detach()
               for g, t, made in zip(first, inputs, gradients, strict=True) if made is not None]
    *_, got = again(x, w, h, *tangents, *zeros, *doubled)
    problems += differences("second derivative", got, second)

    directions = [torch.randn_like(t) for t in inputs]
    _, pushed = torch.func.jvp(lambda *args: function(loop, *args), (x, w, h), tuple(directions))
    forward = grad(folder / "program.json", folder / "jvp.json", "--mode", "forward")
    *_, got = forward(x, w, h, *directions)
    problems += differences("tangent", tuple(got), pushed)
    return problems


def main() -> int:
    warnings.simplefilter("ignore")
    torch.set_default_dtype(torch.float64)
    problems = []
    programs = (rnn, counter, backwards, each, nested, steps(0), steps(1), steps(4), while_data, while_passed,
                while_number, while_in_branch, while_in_while)
    programs = [p for p in programs if not sys.argv[1:] or p.__name__ in sys.argv[1:]]
    for function in programs:
        with tempfile.TemporaryDirectory() as folder:
            try:
                problems += [f"{function.__name__}: {p}" for p in check(function, Path(folder))]
            except Exception as error:  # continue with the next program
                problems.append(f"{function.__name__}: {type(error).__name__}: {error}")
    print("\n".join([*problems, f"{len(programs)} programs, {len(problems)} differences"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
