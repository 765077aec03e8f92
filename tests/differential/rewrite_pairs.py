"""Pattern/replacement pairs for make_rewrites.py, both handwritten and random.

All values are 4x4 matrices, stacks of matrices (cubes), or tuples of matrices. The pattern and the
replacement of a pair marked `same` compute the same values.
"""

from __future__ import annotations

import operator
import random
from dataclasses import dataclass
from typing import Any, Callable

import torch
import torch.nn.functional as F
from torch import fx, nn

aten = torch.ops.aten


class Root(nn.Module):
    """A module with the members that get_attr and call_module nodes refer to."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.w = nn.Parameter(torch.randn(4, 4))
        self.v = nn.Parameter(torch.randn(4, 4))
        self.register_buffer("b", torch.randn(4, 4))
        self.act = nn.ReLU()
        self.act2 = nn.Tanh()
        self.lin = nn.Linear(4, 4)
        self.block = nn.Sequential(nn.ReLU(), nn.Linear(4, 4))


ROOT = Root()


@dataclass
class Pair:
    name: str
    pattern: fx.Graph
    replacement: fx.Graph
    same: bool
    ignore_literals: bool = False


def traced(forward: Callable[..., Any]) -> fx.Graph:
    """Returns the graph of a function on tensors; its first parameter may be `self`, the root
    module."""
    if forward.__code__.co_varnames[:1] == ("self",):
        module = type("Traced", (nn.Module,), {"forward": forward})()
        module.__dict__.update(ROOT.__dict__)
        graph = fx.Tracer().trace(module)
    else:
        graph = fx.Tracer().trace(forward)
    graph.owning_module = ROOT
    return graph


# (name, pattern, replacement, whether both compute the same values)
WRITTEN: list[tuple[str, Callable[..., Any], Callable[..., Any], bool]] = [
    ("relu", lambda x: torch.relu(x), lambda x: F.relu(x), True),
    ("relu_method", lambda x: x.relu(), lambda x: torch.relu(x), True),
    ("neg_neg", lambda x: torch.neg(torch.neg(x)), lambda x: x, True),
    ("neg", lambda x: torch.neg(x), lambda x: torch.mul(x, -1), True),
    ("relu_relu", lambda x: torch.relu(torch.relu(x)), lambda x: torch.relu(x), True),
    ("grows", lambda x: torch.relu(x), lambda x: torch.relu(torch.relu(x)), True),
    ("add", lambda x, y: x + y, lambda x, y: torch.add(x, y), True),
    ("add_swap", lambda x, y: x + y, lambda x, y: y + x, True),
    ("add_const", lambda x: x + 1, lambda x: torch.add(x, 1), True),
    ("add_float", lambda x: x + 1.0, lambda x: torch.add(x, 1.0), True),
    ("mul_any", lambda x, c: torch.mul(x, c), lambda x, c: x * c, True),
    ("mul_two", lambda x: torch.mul(x, 2), lambda x: x + x, True),
    ("mul_add", lambda x, y, z: x * y + z, lambda x, y, z: torch.addcmul(z, x, y), True),
    ("add_twice", lambda x: x + x, lambda x: x * 2, True),
    ("add_alpha", lambda x, y: torch.add(x, y, alpha=2), lambda x, y: x + y * 2, True),
    ("aten_add", lambda x, y: aten.add.Tensor(x, y), lambda x, y: torch.add(x, y), True),
    ("aten_add_alpha", lambda x, y: aten.add.Tensor(x, y, alpha=2),
     lambda x, y: torch.add(x, y, alpha=2), True),
    ("aten_add_one", lambda x, y: aten.add.Tensor(x, y, alpha=1), lambda x, y: x + y, True),
    ("aten_sum", lambda x: aten.sum.dim_IntList(x, [0]), lambda x: torch.sum(x, dim=0), True),
    ("aten_sum_full", lambda x: aten.sum.dim_IntList(x, [0], False, dtype=None),
     lambda x: torch.sum(x, 0), True),
    ("aten_relu", lambda x: aten.relu.default(x), lambda x: torch.relu(x), True),
    ("softmax", lambda x: F.softmax(x, dim=-1), lambda x: torch.softmax(x, -1), True),
    ("softmax_any", lambda x, d: F.softmax(x, dim=d), lambda x, d: torch.softmax(x, d), True),
    ("clamp", lambda x: torch.clamp(x, min=0, max=1), lambda x: x.clamp(0, 1), True),
    ("clamp_order", lambda x: torch.clamp(x, max=1, min=0), lambda x: x.clamp(0, 1), True),
    ("stack_sum", lambda x, y: torch.stack([x, y]).sum(0), lambda x, y: x + y, False),
    ("stack_any", lambda l: torch.stack(l), lambda l: torch.stack(l, dim=0), True),
    ("stack_two", lambda x, y: torch.stack([x, y]), lambda x, y: torch.stack((x, y)), True),
    ("sum_dim", lambda x: torch.sum(x, dim=0), lambda x: x.sum(0), True),
    ("max_first", lambda x: torch.max(x, 0)[0], lambda x: torch.amax(x, 0), True),
    ("max_both", lambda x: (lambda m: (m[0], m[1]))(torch.max(x, 0)),
     lambda x: (torch.amax(x, 0), torch.argmax(x, 0)), True),
    ("unbind", lambda x: torch.unbind(x), lambda x: torch.unbind(x, 0), True),
    ("unbind_first", lambda x: torch.unbind(x)[0], lambda x: x[0], True),
    ("getitem_any", lambda x, i: x[i], lambda x, i: operator.getitem(x, i), True),
    ("slice_all", lambda x: x[:], lambda x: x, True),
    ("two_outputs", lambda x: (lambda r: (torch.relu(r), r))(torch.neg(x)),
     lambda x: (lambda r: (r.relu(), r))(x.neg()), True),
    ("two_anchors", lambda x: (torch.relu(x), torch.neg(x)), lambda x: (x.relu(), x.neg()), True),
    ("two_inputs", lambda x, y: (torch.relu(x), torch.neg(y)), lambda x, y: (x.relu(), y.neg()), True),
    ("two_equal", lambda x, y: (torch.relu(x), torch.relu(y)), lambda x, y: (y.relu(), x.relu()), False),
    ("three_anchors", lambda x: (torch.relu(x), torch.neg(x), torch.sin(x)),
     lambda x: (x.relu(), x.neg(), x.sin()), True),
    ("input_returned", lambda x: (torch.relu(x), x), lambda x: (x.relu(), x), True),
    ("swap_outputs", lambda x, y: (x + y, x * y), lambda x, y: (y + x, y * x), True),
    ("drop_input", lambda x, y: torch.relu(x) + torch.neg(y), lambda x, y: torch.relu(x), False),
    ("diamond", lambda x: (lambda n: torch.relu(n) + torch.sin(n))(torch.neg(x)),
     lambda x: (lambda n: n.relu() + n.sin())(x.neg()), True),
    ("list_chain", lambda x, l: torch.stack([x, l]).sum(0), lambda x, l: torch.add(x, l), False),
    ("weight", lambda self, x: x * self.w, lambda self, x: torch.mul(x, self.v), False),
    ("buffer", lambda self, x: x + self.b, lambda self, x: torch.add(x, self.b), True),
    ("module", lambda self, x: self.act(x), lambda self, x: torch.relu(x), True),
    ("module_chain", lambda self, x: self.lin(self.act(x)), lambda self, x: self.lin(torch.relu(x)), True),
    ("to_module", lambda self, x: torch.tanh(x), lambda self, x: self.act2(x), True),
    ("method_kwargs", lambda x: x.sum(dim=0), lambda x: torch.sum(x, 0), True),
    ("method_args", lambda x: x.sum(0), lambda x: torch.sum(x, dim=0), True),
    ("pow_literal", lambda x: x**2, lambda x: x * x, True),
    ("four_relu", lambda x: torch.relu(torch.relu(torch.relu(torch.relu(x)))), lambda x: x.relu(), True),
    ("binary_tree", lambda a, b, c, d: (a + b) + (c + d), lambda a, b, c, d: a + b + c + d, False),
]  # fmt: skip


def written_pairs() -> list[Pair]:
    pairs = [Pair(n, traced(p), traced(r), same) for n, p, r, same in WRITTEN]
    ignoring = {"add_const", "mul_two", "stack_sum", "softmax", "clamp", "add_alpha", "max_first"}
    pairs += [
        Pair(n + "_ignoring", traced(p), traced(r), False, True)
        for n, p, r, _ in WRITTEN
        if n in ignoring
    ]
    return pairs


class GraphGenerator:
    """Creates random graphs. It tracks the kind of each value, so that the graphs run."""

    def __init__(self, rng: random.Random, inputs: int) -> None:
        self.rng = rng
        self.graph = fx.Graph()
        self.graph.owning_module = ROOT
        self.mats = [self.graph.placeholder("xyzuv"[i]) for i in range(inputs)]
        self.cubes: list[fx.Node] = []
        self.tuples: list[fx.Node] = []
        self.last: tuple[Any, ...] | None = None

    def mat(self) -> fx.Node:
        """Chooses a matrix; often the last one, so that chains occur."""
        if self.rng.random() < 0.45:
            return self.mats[-1]
        return self.rng.choice(self.mats)

    def call(self, target: Any, *args: Any, **kwargs: Any) -> fx.Node:
        if isinstance(target, str):
            return self.graph.call_method(target, args, kwargs)
        return self.graph.call_function(target, args, kwargs)

    def step(self) -> None:
        rng, kinds = self.rng, ["unary"] * 6 + ["binary"] * 5 + ["literal"] * 3 + ["stack"] * 2
        kinds += ["module"] * 2 + ["attribute"] * 2 + ["keywords"] * 2
        kinds += ["cube"] * 3 if self.cubes else []
        kinds += ["item"] * 2 if self.tuples else []
        getattr(self, "_" + rng.choice(kinds))()

    def _unary(self) -> None:
        target = self.rng.choice(
            [torch.relu, torch.relu, torch.neg, torch.neg, torch.sin, torch.tanh, "relu", "neg", aten.relu.default]
        )
        self.mats.append(self.call(target, self.mat()))

    def _binary(self) -> None:
        target = self.rng.choice([operator.add, operator.add, operator.mul, torch.add, torch.mul, aten.add.Tensor])
        self.mats.append(self.call(target, self.mat(), self.mat()))

    def _literal(self) -> None:
        value = self.rng.choice([1, 2, 2, 1.0, 2.5, True])
        target = self.rng.choice([operator.add, operator.mul, torch.mul, operator.pow])
        if target is operator.pow:
            value = 2
        self.mats.append(self.call(target, self.mat(), value))

    def _keywords(self) -> None:
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            self.mats.append(self.call(F.softmax, self.mat(), dim=rng.choice([-1, 0])))
        elif kind == 1:
            keys = [("min", 0), ("max", 1)]
            rng.shuffle(keys)
            self.mats.append(self.call(torch.clamp, self.mat(), **dict(keys)))
        elif kind == 2:
            target = rng.choice([torch.add, aten.add.Tensor])
            self.mats.append(self.call(target, self.mat(), self.mat(), alpha=rng.choice([1, 2])))
        elif kind == 3:
            self.mats.append(self.call(operator.getitem, self.mat(), slice(None, None, None)))
        else:
            self.mats.append(self.call(aten.add.Tensor, self.mat(), other=self.mat()))

    def _stack(self) -> None:
        items = [self.mat() for _ in range(self.rng.choice([2, 2, 3]))]
        if self.rng.random() < 0.2:
            self.cubes.append(self.call(torch.stack, tuple(items)))
        else:
            self.cubes.append(self.call(torch.stack, items))

    def _cube(self) -> None:
        cube, rng = self.rng.choice(self.cubes), self.rng
        kind = rng.randrange(7)
        if kind == 0:
            self.mats.append(self.call(torch.sum, cube, dim=0))
        elif kind == 1:
            self.mats.append(self.call("sum", cube, 0) if rng.random() < 0.5 else self.call("sum", cube, dim=0))
        elif kind == 2:
            extra: tuple[Any, ...] = rng.choice([(), (False,)])
            self.mats.append(self.call(aten.sum.dim_IntList, cube, [0], *extra))
        elif kind == 3:
            self.tuples.append(self.call(torch.max, cube, 0))
        else:
            self.tuples.append(self.call(torch.unbind, cube))

    def _item(self) -> None:
        source = self.rng.choice(self.tuples)
        index = 0 if source.target is torch.max else self.rng.choice([0, 1])
        self.mats.append(self.call(operator.getitem, source, index))

    def _module(self) -> None:
        self.mats.append(self.graph.call_module(self.rng.choice(["act", "act", "act2", "lin"]), (self.mat(),)))

    def _attribute(self) -> None:
        value = self.graph.get_attr(self.rng.choice(["w", "w", "v", "b"]))
        if self.rng.random() < 0.7:
            value = self.call(self.rng.choice([operator.mul, operator.add]), self.mat(), value)
        self.mats.append(value)

    def finish(self, results: int, within: int) -> fx.Graph:
        """Adds an output of at most `results` of the last `within` matrices, and returns the graph."""
        candidates = [n for n in self.mats if n.op not in ("placeholder", "get_attr")] or self.mats
        chosen = [candidates[-1]]
        for _ in range(results - 1):
            other = self.rng.choice(candidates[-within:])
            if other not in chosen:
                chosen.append(other)
        self.graph.output(chosen[0] if len(chosen) == 1 else tuple(chosen))
        return self.graph


def random_graph(seed: int) -> fx.Graph:
    rng = random.Random(seed)
    generator = GraphGenerator(rng, rng.randint(1, 4))
    for _ in range(rng.randint(6, 40)):
        generator.step()
    graph = generator.finish(rng.choice([1, 1, 2, 3]), 100)
    if rng.random() < 0.5:
        graph.eliminate_dead_code()
    # The document does not contain the reserved names of erased nodes, so use a new graph without
    # them.
    new_graph = fx.Graph()
    new_graph.owning_module = ROOT
    new_graph.output(new_graph.graph_copy(graph, {}))
    return new_graph


def random_pair(seed: int) -> Pair | None:
    """Returns a small random pattern, and a replacement with the same number of inputs and results;
    None if the pattern has no inputs or no calls."""
    rng = random.Random(seed)
    inputs = rng.choice([1, 1, 2, 3])
    generator = GraphGenerator(rng, inputs)
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        generator.step()
    pattern = generator.finish(rng.choice([1, 1, 1, 2]), 3)
    pattern.eliminate_dead_code()
    for node in list(pattern.nodes):
        if node.op == "placeholder" and not node.users:
            pattern.erase_node(node)
    inputs = len(pattern.find_nodes(op="placeholder"))
    if inputs == 0 or all(n.op in ("placeholder", "output") for n in pattern.nodes):
        return None
    results = len(pattern.output_node().all_input_nodes)
    other = GraphGenerator(rng, inputs)
    for _ in range(rng.randint(1, 3)):
        other.step()
    mats = other.mats
    chosen = [rng.choice(mats) for _ in range(results)]
    other.graph.output(chosen[0] if results == 1 else tuple(chosen))
    return Pair(f"random_{seed}", pattern, other.graph, False, rng.random() < 0.1)


def random_pairs(count: int) -> list[Pair]:
    pairs: list[Pair] = []
    seed = 0
    while len(pairs) < count:
        pair = random_pair(seed)
        seed += 1
        if pair is not None:
            pairs.append(pair)
    return pairs
