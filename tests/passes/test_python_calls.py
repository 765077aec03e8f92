#!/usr/bin/env python3
"""Compares passes over Python's spellings of calls with eager mode.

    test_python_calls.py [TEXT]      only calls whose description contains TEXT

Each call is a program: an operator or its torch function with a number on either side, a method with
separate numbers or keywords, or a subscript. The operands include NaN, infinities, zeros of both
signs and complex numbers; sizes come from calls. After every pipeline, a program must return the same
bits, dtype, sizes and strides, and write the same inputs; the types of its nodes must be those of their
values; one that eager mode rejects must still fail.
Exit status 77: torch is missing.
"""

from __future__ import annotations

import itertools
import operator
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

try:
    import torch
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
# Type propagation is an error for calls that eager mode rejects.
UNTYPED = ["lower_to_aten", "methods_to_functions", "methods_to_functions,lower_to_aten",
           "normalize_args{only_kwargs},lower_to_aten", "normalize_operators",
           "normalize_operators{torch}", "normalize_operators,lower_to_aten"]
PIPELINES = [*UNTYPED, "propagate_types", "propagate_types,normalize_operators",
             "propagate_types,normalize_operators{torch}", "propagate_types,lower_to_aten,simplify"]
FUNCTIONAL = ["lower_to_aten{strict},functionalize,reinplace"]
NAN, INF = float("nan"), float("inf")
REAL = [NAN, INF, -INF, 0.0, -0.0, 1.7, -2.3, 0.1]
COMPLEX = [complex(a, b) for a, b in ((NAN, 1), (INF, 0.0), (1.7, -INF), (0.0, -0.0), (-0.0, 0.0),
                                      (-2.3, 0.1), (0.1, 3.3), (-0.0, -1.7))]
INTEGERS = [0, 1, 2, 3, 7, 100, 5, 1]
DTYPES = [torch.bool, torch.uint8, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.complex64]
NUMBERS = [2, -3, 0.1, True, 0.5 + 2j, INF, 0]


@dataclass
class Input:
    """The program's input with this number."""

    index: int = 0


@dataclass
class Call:
    """A call; its arguments may be inputs and other calls. A string is the name of a method."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        name = self.function if isinstance(self.function, str) else self.function.__name__
        return f"{name}({', '.join(map(repr, self.args))}{', ' if self.kwargs else ''}{self.kwargs or ''})"


@dataclass
class Program:
    inputs: list[torch.Tensor]
    call: Call
    returns_input: bool = False  # the first input, after the call wrote to it

    def __repr__(self) -> str:
        types = ", ".join(f"{t.dtype}{list(t.shape)}" for t in self.inputs)
        return f"{self.call} with {types}"


X, Y = Input(0), Input(1)


def values(dtype: torch.dtype, shape: tuple[int, ...] = (8,), shift: int = 0) -> torch.Tensor:
    items = COMPLEX if dtype.is_complex else REAL if dtype.is_floating_point else INTEGERS
    count = torch.Size(shape).numel()
    return torch.tensor([items[(i + shift) % 8] for i in range(count)]).to(dtype).reshape(shape)


def number_programs() -> Iterator[Program]:
    names = ("add sub mul truediv floordiv mod pow lt le gt ge eq ne and_ or_ xor lshift rshift iadd isub imul "
             "itruediv ipow ifloordiv").split()
    functions = [getattr(operator, name) for name in names]
    functions += [getattr(torch, name) for name in (
        "add sub subtract rsub mul multiply div divide true_divide pow floor_divide remainder lt le gt ge eq ne "
        "bitwise_and maximum atan2 copysign logaddexp xlogy").split()]
    for function, dtype, number in itertools.product(functions, DTYPES, NUMBERS):
        for shape in ((8,), ()) if number in (2, 0.1, 0.5 + 2j) else ((8,),):
            writes = function.__module__ == "_operator" and function.__name__.startswith("i")
            x = values(dtype, shape, shift=5)
            yield Program([x], Call(function, (X, number)), returns_input=writes)
            if not writes:  # torch.fx has no code for `2 += x`
                yield Program([x], Call(function, (number, X)))
    size = Call("size", (X, 0))
    for function, dtype in itertools.product(functions, (torch.int64, torch.float32, torch.complex64)):
        for args in ((size, X), (X, size), (size, 3), (X, None), (X, [1])):
            yield Program([values(dtype)], Call(function, args))
    for function in (operator.add, operator.mul, operator.truediv, torch.add, torch.mul, torch.div, torch.true_divide):
        for a, b in itertools.product(DTYPES, DTYPES):
            yield Program([values(a), values(b, (2, 8), 3)], Call(function, (X, Y)))
            yield Program([values(a, ()), values(b, shift=2)], Call(function, (Y, X)))


CUBE = torch.arange(24.0).reshape(2, 3, 4)
METHODS: list[tuple[Any, ...]] = [
    ("broadcast_to", 5, 2, 3, 4), ("broadcast_to", (5, 2, 3, 4)), ("squeeze", 0, 1), ("squeeze", (0, 1)),
    ("squeeze", 1), ("squeeze",), ("hsplit", 3), ("hsplit", 1, 2), ("vsplit", 2), ("vsplit", 1, 1),
    ("dsplit", 2), ("dsplit", 1, 2), ("dsplit", (1, 2)), ("tensor_split", 2), ("split", 2), ("split", 2, 1),
    ("permute", 2, 0, 1), ("permute", (2, 0, 1)), ("flip", 0, 1), ("flip", (0,)), ("flip", 0), ("reshape", 6, 4),
    ("reshape", -1), ("reshape", (4, 6)), ("tile", 2), ("tile", 2, 1, 1), ("tile", (2, 1)), ("repeat", 2, 1, 1),
    ("expand", 5, 2, 3, 4), ("view", 6, 4), ("view", torch.int32), ("roll", 1), ("roll", 1, 0), ("count_nonzero", 0),
    ("count_nonzero", 0, 1), ("count_nonzero", (0, 2)), ("count_nonzero",), ("sum", 0), ("sum", (0, 1)),
    ("mean", 0, True), ("std", 0), ("std", False), ("var", (0, 1)), ("amax", 0), ("amax", (0, 1)), ("argmax", 1),
    ("norm", 2, 1), ("norm",), ("movedim", 0, 1), ("unflatten", 2, (2, 2)), ("unflatten", 2, [2, -1]),
    ("transpose", 0, 1), ("sum_to_size", 1, 3, 4), ("new_zeros", 2, 3), ("rot90", 1, (0, 1)), ("logsumexp", (0, 1)),
    ("diagonal", 0, 1, 2), ("where", CUBE > 3, 0.0), ("where", CUBE > 3, CUBE), ("clamp", 0, 1), ("softmax", -1),
    ("topk", 2), ("unfold", 2, 2, 1), ("repeat_interleave", 2), ("as_strided", (2, 2), (1, 2)), ("flatten", 1),
]
KEYWORDS: list[tuple[str, dict[str, Any]]] = [
    ("split", {"split_size": 1}), ("split", {"split_size": 2, "dim": 1}), ("squeeze", {"dim": (0, 1)}),
    ("permute", {"dims": (2, 0, 1)}), ("reshape", {"shape": (6, 4)}), ("tile", {"dims": (2,)}), ("sum", {"axis": 1}),
    ("clamp", {"min": 0}), ("norm", {"p": 2, "dim": 1}), ("expand", {"size": (2, 3, 4)}), ("topk", {"k": 2}),
    ("repeat", {"repeats": (2, 1, 1)}), ("chunk", {"chunks": 2}), ("where", {"condition": CUBE > 3, "other": 1.0}),
]


def as_inputs(inputs: list[torch.Tensor], value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    inputs.append(value)
    return Input(len(inputs) - 1)


def method_programs() -> Iterator[Program]:
    for name, *rest in METHODS:
        inputs = [CUBE]
        args = tuple(as_inputs(inputs, value) for value in rest)
        yield Program(inputs, Call(name, (X, *args)))
        if args and all(type(value) is int for value in args):  # sizes, and wrong numbers of arguments
            yield Program(inputs, Call(name, (X, Call("size", (X, 0)), *args[1:])))
            yield Program(inputs, Call(name, (X, *args, 1)))
            if hasattr(torch, name):
                yield Program(inputs, Call(getattr(torch, name), (X, *args)))
    for name, kwargs in KEYWORDS:
        inputs = [CUBE]
        yield Program(inputs, Call(name, (X,), {k: as_inputs(inputs, v) for k, v in kwargs.items()}))
    # A tensor of rank 0 as a number
    for dtype in (torch.float32, torch.int64):
        two = torch.tensor(2, dtype=dtype)
        for call in (Call(torch.clamp, (X, 0.5, Y)), Call(torch.clamp, (X, Y, 5)), Call(torch.full_like, (X, Y)),
                     Call("norm", (X, Y)), Call(torch.add, (X, X), {"alpha": Y}), Call(torch.norm, (X, Y)),
                     Call(torch.nn.functional.leaky_relu, (X, Y)), Call(torch.full, ((2,), Y)),
                     Call(torch.narrow, (X, 1, Y, 1)), Call("fill_", (X, Y)), Call(torch.pow, (Y, X)),
                     Call(torch.kron, (X, Y)), Call(torch.lerp, (X, X, Y)), Call(torch.arange, (Y,))):
            yield Program([CUBE, two], call)
    for a, b in itertools.product((torch.float16, torch.float32, torch.float64, torch.complex64), repeat=2):
        yield Program([values(a), values(b, ())], Call(torch.kron, (X, Y)))
        yield Program([values(a), values(b, ())], Call(torch.lerp, (X, X, Y)))
        yield Program([values(a), values(b)], Call(torch.float_power, (X, Y)))
    for name in ("neg", "exp", "abs"):
        written = Call(getattr(torch, f"_foreach_{name}_"), ([X, Y],))
        inputs = [values(torch.float32), values(torch.float32, (2,))]
        yield Program(inputs, Call(operator.getitem, (written, 1)), returns_input=True)
        yield Program(inputs, Call(torch.neg, (Call(operator.getitem, (written, 0)),)), returns_input=True)


def index_programs() -> Iterator[Program]:
    full, mask, at = slice(None), torch.tensor([True, False]), torch.tensor(1)
    items = [True, False, (True, 0), (0, True), (full, False), (True, full, 1), (True, True), (False, ..., 0), (None, True),
             (..., True), (..., 0), (..., None), 0, -1, (0, 1), slice(1, None), (full, slice(None, 2)), [0, 1],
             [True, False], (full, [0, 2]), (0, [0, 1]), None, ..., (True, [0, 0]), slice(True, None)]
    for item, x in itertools.product(items, (CUBE, CUBE[0].t())):
        yield Program([x], Call(operator.getitem, (X, item)))
        yield Program([x], Call("size", (Call(operator.getitem, (X, item)), 0)))
        yield Program([x], Call(operator.setitem, (X, item, 7)), returns_input=True)
    for index in (mask, at, torch.tensor([1, 0])):
        for item in (Y, (Y, True), (True, Y), (full, Y), (Y, 0), slice(Y, None), slice(None, Y)):
            yield Program([CUBE, index], Call(operator.getitem, (X, item)))
            yield Program([CUBE, index], Call(operator.setitem, (X, item, 7)), returns_input=True)
    narrow = [torch.float8_e4m3fn, torch.float8_e5m2, torch.float64]
    for dtype in (*DTYPES, *narrow):
        for value in (-1e9, 1e39, 65519, 300, -1, 2.7, NAN, INF, 1j, 2**40, True):
            for item in (0, full, ..., slice(1, None), [1], (None, 1)):
                x = torch.zeros(3).to(dtype)
                yield Program([x], Call(operator.setitem, (X, item, value)), returns_input=True)
            yield Program([torch.zeros([]).to(dtype)], Call(operator.setitem, (X, ..., value)), returns_input=True)


def has_flag(value: Any) -> bool:
    """True if a subscript contains a bool, for which there is no ATen operator."""
    if isinstance(value, (list, tuple, slice)):
        parts = (value.start, value.stop) if isinstance(value, slice) else value
        return any(map(has_flag, parts))
    return value is True or value is False


class Rejected:
    """The result of a call that raised an exception, or of one that uses such a result."""


def has_rejected(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(has_rejected, value))
    return isinstance(value, Rejected)


def type_of(value: torch.Tensor) -> tuple[Any, ...]:
    return value.dtype, value.shape, value.stride() if value.numel() > 0 else None


class Tolerant(torch.fx.Interpreter):
    """Goes on after a call that raises an exception, with Rejected as the value of the program's nodes.
    Collects the nodes whose types, in the metadata, are not those of their values."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__(module)
        self.wrong_types: list[str] = []

    def reject(self, n: torch.fx.Node) -> None:
        for node in n.all_input_nodes:
            if not isinstance(self.env.get(node), Rejected):
                self.env[node] = Rejected()
                self.reject(node)

    def run_node(self, n: torch.fx.Node) -> Any:
        if n.op == "output":
            return super().run_node(n)
        if any(has_rejected(self.env[node]) for node in n.all_input_nodes):
            self.reject(n)
            return Rejected()
        try:
            value = super().run_node(n)
        except Exception:
            self.reject(n)
            return Rejected()
        known = n.meta.get("val")
        if isinstance(known, torch.Tensor):
            wrong = not isinstance(value, torch.Tensor) or type_of(known) != type_of(value)
        else:
            wrong = type(known) in (int, float, bool) and repr(known) != repr(value)
        if wrong:
            self.wrong_types.append(f"{n.format_node()} has type {known}, but its value is {value}")
        return value


def copied(tensor: torch.Tensor) -> torch.Tensor:
    copy = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype)
    return copy.copy_(tensor)


def module_of(programs: list[Program]) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    inputs = []
    for number, program in enumerate(programs):
        nodes = [graph.placeholder(f"x{number}_{i}") for i in range(len(program.inputs))]
        for node, tensor in zip(nodes, program.inputs):
            node.meta["val"] = tensor
        inputs.append(nodes)

    def node_of(value: Any, nodes: list[torch.fx.Node]) -> Any:
        if isinstance(value, Input):
            return nodes[value.index]
        if isinstance(value, (list, tuple)):
            return type(value)(node_of(item, nodes) for item in value)
        if isinstance(value, slice):
            return slice(*(node_of(item, nodes) for item in (value.start, value.stop, value.step)))
        if not isinstance(value, Call):
            return value
        args = tuple(node_of(arg, nodes) for arg in value.args)
        kwargs = {key: node_of(arg, nodes) for key, arg in value.kwargs.items()}
        if isinstance(value.function, str):
            return graph.call_method(value.function, args, kwargs)
        return graph.call_function(value.function, args, kwargs)

    results = []
    for program, nodes in zip(programs, inputs):
        result = node_of(program.call, nodes)
        results.append([result, graph.call_function(torch.clone, (nodes[0],))] if program.returns_input else [result])
    graph.output(results)
    return torch.fx.GraphModule(torch.nn.Module(), graph)


def run(interpreter: Tolerant, programs: list[Program]) -> tuple[list[Any], list[list[torch.Tensor]]]:
    inputs = [[copied(t) for t in program.inputs] for program in programs]
    torch.manual_seed(0)
    results = interpreter.run(*(t for tensors in inputs for t in tensors))
    return results, inputs


def bits(value: torch.Tensor) -> torch.Tensor:
    """The bits of a tensor, in which all NaNs are equal."""
    if value.is_complex():
        value = torch.view_as_real(value.resolve_conj())
    if not value.dtype.is_floating_point:
        return value
    value = value.to(torch.float64).contiguous()
    return value.masked_fill(value.isnan(), NAN).view(torch.int64)


def difference(got: Any, expected: Any) -> str:
    """Why a result differs from eager mode's; empty if it does not."""
    if isinstance(expected, (list, tuple)) and not isinstance(expected, torch.Size):
        if not isinstance(got, (list, tuple)) or len(got) != len(expected):
            return f"{got} instead of {expected}"
        return next(filter(None, map(difference, got, expected)), "")
    if not isinstance(expected, torch.Tensor):
        same = type(got) is type(expected) and (repr(got) == repr(expected) or isinstance(got, Rejected))
        return "" if same else f"{got!r} instead of {expected!r}"
    if not isinstance(got, torch.Tensor):
        return f"{got!r} instead of a tensor"
    for property in ("dtype", "shape", "stride"):
        a, b = getattr(got, property), getattr(expected, property)
        a, b = (a(), b()) if property == "stride" else (a, b)
        if a != b and not (property == "stride" and expected.numel() == 0):
            return f"{property} {a} instead of {b}"
    return "" if torch.equal(bits(got), bits(expected)) else f"{got.tolist()} instead of {expected.tolist()}"


def check(programs: list[Program], pipelines: list[str], expected: list[Any], folder: Path) -> list[str]:
    """Compares the programs after each pipeline with these results of eager mode."""
    fx_export.dump(module_of(programs), folder / "in.json")
    failures = []
    for pipeline in pipelines:
        done = subprocess.run([FXCPP, "opt", folder / "in.json", "--passes", pipeline, "-o", folder / "out.json"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            failures += [f"{pipeline}: {line}" for line in done.stderr.splitlines()]
            continue
        interpreter = Tolerant(fx_export.load(folder / "out.json", values=False))
        results, inputs = run(interpreter, programs)
        failures += [f"{pipeline}: {wrong}" for wrong in interpreter.wrong_types]
        for program, result, tensors, (eager, eager_inputs) in zip(programs, results, inputs, expected, strict=True):
            is_rejected = has_rejected(eager)
            what = "" if is_rejected and has_rejected(result) else \
                difference(result, eager) or ("" if is_rejected else difference(tensors, eager_inputs))
            if what:
                failures.append(f"{pipeline}: {program}: {what}")
    return failures


def main() -> int:
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    programs = [p for p in (*number_programs(), *method_programs(), *index_programs())
                if len(sys.argv) < 2 or sys.argv[1] in repr(p)]
    expected = list(zip(*run(Tolerant(module_of(programs)), programs)))
    accepted = [not has_rejected(result) for result, _ in expected]
    every = range(len(programs))
    writes = [i for i in every if programs[i].returns_input and not has_flag(programs[i].call.args[1:2])]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for legal, numbers, pipelines in ((True, every, PIPELINES), (True, writes, FUNCTIONAL), (False, every, UNTYPED)):
            chosen = [i for i in numbers if accepted[i] == legal]
            failures += check([programs[i] for i in chosen], pipelines, [expected[i] for i in chosen], Path(folder))
    print("\n".join([*failures, f"{len(programs)} programs, {sum(accepted)} accepted by eager mode, "
                                f"{len(failures)} failures"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
