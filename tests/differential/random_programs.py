"""Creates random functions for torch.fx's tracer from a seed.

A trace does not run kernels, so the shapes in a program need not match. A program only has to be
one that a user could write.  Together, the programs combine all features that traced_zoo shows one
at a time.
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable
from typing import Any

import torch
import torch.fx
import torch.nn.functional as F
from torch import nn

import traced_zoo

BINARY: list[Callable[..., Any]] = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.matmul, operator.and_, operator.or_, operator.xor, operator.lshift,
    operator.rshift, operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge,
]  # fmt: skip
UNARY: list[Callable[..., Any]] = [operator.neg, operator.pos, operator.invert, abs]
FUNCTIONS: list[Callable[..., Any]] = [
    torch.relu, torch.sigmoid, torch.tanh, torch.sum, torch.max, torch.abs, torch.round, torch.neg,
    F.relu, F.gelu, F.silu, F.softplus, F.leaky_relu, torch.exp, torch.sqrt, torch.clone,
]  # fmt: skip
METHODS = [
    "relu",
    "sum",
    "max",
    "view",
    "size",
    "float",
    "t",
    "add_",
    "clamp_",
    "type",
    "__len",
    "abs",
]
ATTRIBUTES = ["shape", "dtype", "device", "T", "ndim", "is_cuda", "grad"]
WORDS = ["x", "same", "it's", 'say "hi"', "", "%x", "a\nb", "mean", "ä"]


class RandomProgram:
    """One program: a stack of values, and steps that each create a new value."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.values: list[Any] = []

    def __call__(self, inputs: list[Any], modules: list[nn.Module], steps: int) -> Any:
        self.values = list(inputs)
        makers = [self.binary, self.unary, self.function, self.method, self.index, self.attribute]
        makers += [self.wrapped, self.several, self.joined, self.math]
        for _ in range(steps):
            if modules and self.rng.random() < 0.2:
                value = self.rng.choice(modules)(self.value())
            else:
                value = self.rng.choice(makers)()
            self.values.append(value)
        return self.structure(2)

    def value(self) -> Any:
        """Chooses a value. Recent values are more likely."""
        count = len(self.values)
        return self.values[max(self.rng.randrange(count), self.rng.randrange(count))]

    def binary(self) -> Any:
        f = self.rng.choice(BINARY)
        a, b = self.value(), self.value() if self.rng.random() < 0.5 else self.number()
        return f(a, b) if self.rng.random() < 0.7 or f is operator.matmul else f(b, a)

    def unary(self) -> Any:
        return self.rng.choice(UNARY)(self.value())

    def function(self) -> Any:
        kwargs = self.keywords() if self.rng.random() < 0.1 else {}
        f = traced_zoo.wrapped if kwargs else self.rng.choice(FUNCTIONS)
        return f(self.value(), **kwargs)

    def method(self) -> Any:
        args = [self.argument(1) for _ in range(self.rng.randrange(3))]
        return getattr(self.value(), self.rng.choice(METHODS))(*args, **self.keywords())

    def index(self) -> Any:
        return self.value()[self.subscript()]

    def attribute(self) -> Any:
        return getattr(self.value(), self.rng.choice(ATTRIBUTES))

    def wrapped(self) -> Any:
        args = [self.argument(3) for _ in range(self.rng.randrange(4))]
        return traced_zoo.wrapped(self.value(), *args, **self.keywords())

    def several(self) -> Any:
        parts = self.rng.choice([torch.split, torch.chunk, torch.topk])(self.value(), 2)
        return parts[self.rng.randrange(3)]

    def joined(self) -> Any:
        items = [self.value() for _ in range(self.rng.randrange(1, 4))]
        return torch.cat(
            items if self.rng.random() < 0.5 else tuple(items), dim=self.rng.randrange(-2, 3)
        )

    def math(self) -> Any:
        f = self.rng.choice([math.sqrt, math.floor, math.exp, math.log2])
        return f(self.value().size(self.rng.randrange(3)))

    # -- arguments ----------------------------------------------------------------------------

    def number(self) -> Any:
        rng = self.rng
        return rng.choice(
            [rng.randrange(-9, 99), rng.random(), 2.0, 1e-5, True, -0.5, 10**12, 1e20]
        )

    def keywords(self) -> dict[str, Any]:
        names = self.rng.sample(["dim", "alpha", "keepdim", "mode", "dtype"], self.rng.randrange(3))
        return {name: self.argument(2) for name in names}

    def subscript(self) -> Any:
        if self.rng.random() < 0.4:
            return self.part()
        return tuple(self.part() for _ in range(self.rng.randrange(1, 4)))

    def part(self) -> Any:
        rng = self.rng
        kind = rng.randrange(6)
        if kind == 0:
            return rng.randrange(-3, 9)
        if kind in (1, 2):
            ends = [None, None, rng.randrange(-4, 9), self.value()]
            return slice(rng.choice(ends), rng.choice(ends), rng.choice([None, None, 2]))
        return (..., None, self.value())[kind - 3]

    def argument(self, depth: int) -> Any:
        rng = self.rng
        if depth > 0 and rng.random() < 0.4:
            items = [self.argument(depth - 1) for _ in range(rng.randrange(4))]
            kind = rng.randrange(4)
            if kind == 0:
                return items
            if kind == 1:
                return tuple(items)
            if kind == 2:
                return dict(zip(("a", "b", "long key", ""), items))
            return slice(*(items + [None])[:1], None)
        leaves = [
            None,
            self.number(),
            rng.choice(WORDS),
            torch.float16,
            torch.device("cuda", 0),
            ...,
        ]
        leaves += [self.value(), self.value(), complex(1, -2), torch.strided, range(1, 4)]
        return rng.choice(leaves)

    def structure(self, depth: int) -> Any:
        """Returns the result of the program."""
        kind = self.rng.randrange(4) if depth else 0
        if kind == 0:
            return self.value()
        items = [self.structure(depth - 1) for _ in range(self.rng.randrange(1, 4))]
        if kind == 1:
            return items
        return tuple(items) if kind == 2 else {f"k{i}": x for i, x in enumerate(items)}


def _leaf_modules(rng: random.Random) -> nn.Module:
    return rng.choice([
        lambda: nn.Linear(rng.randrange(1, 9), 4, bias=rng.random() < 0.5),
        lambda: nn.Conv2d(2, 4, rng.randrange(1, 4), padding=rng.randrange(2), groups=2),
        lambda: nn.BatchNorm1d(4, affine=rng.random() < 0.5,
        track_running_stats=rng.random() < 0.7),
        lambda: nn.Dropout(rng.random()),
        lambda: nn.Sequential(nn.ReLU(), nn.Sequential(nn.GELU(), nn.LayerNorm(4))),
        lambda: traced_zoo.Mlp(3, rng.randrange(1, 3)),
    ])()  # fmt: skip


class RandomModule(nn.Module):
    """A module with random children whose forward is a random program."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        rng = random.Random(seed)
        self.seed, self.steps = seed, rng.choice([3, 8, 20, 60])
        self.blocks = nn.ModuleList([_leaf_modules(rng) for _ in range(rng.randrange(4))])
        self.weight = nn.Parameter(torch.zeros(2))
        self.register_buffer("scale", torch.zeros(1))

    def forward(self, x, input, y=None, flag=True):  # noqa: A002
        program = RandomProgram(self.seed)
        return program(
            [x, input, y, x + self.weight, input * self.scale], list(self.blocks), self.steps
        )


def graph_module(seed: int) -> torch.fx.GraphModule:
    return torch.fx.symbolic_trace(RandomModule(seed))
