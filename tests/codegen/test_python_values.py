#!/usr/bin/env python3
"""Tests that emitted Python computes the values of the graph: random programs, and one case for each
kind of bug that was fixed.

    test_python_values.py [--count N] [--seed S] [--show SEED]

Each program is a graph of Python operators on numbers, lists and tensors, with constants that are
hard to write (negative zeros, infinities, NaN, complex numbers), names that have a meaning in Python,
default values in any order, `*args` and `**kwargs`, in-place operators and assignments to items. This
script evaluates the program call by call, without emitting code. `fxcpp emit --to python` writes it, and
load() and trace() of that module must return the same values and change inputs in the same way;
trace() may instead raise NotImplementedError. The comparison of values includes types, the signs of
zeros, and NaNs.

Exit status: 0 if equal, 1 if different, 77 without torch.
"""

from __future__ import annotations

import argparse
import cmath
import copy
import json
import math
import operator
import os
import random
import subprocess
import sys
import tempfile
import types
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Optional

try:
    import torch
    import torch.fx
except ImportError:
    print("torch is missing")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
INF, NAN = math.inf, math.nan

NUMBERS = [0, 1, 2, -1, -2, 5, -7, True, False, 0.0, -0.0, 1.0, -1.5, 0.5, 2.0, -2.0, 1e-5, 1e20, INF, -INF, NAN,
           10**12, -(2**63)]  # fmt: skip
PARTS = [0.0, -0.0, 1.0, -1.0, 2.5, -3.0, INF, -INF, NAN, 1e-5]
INFIX = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift", "lt",
         "le", "eq", "ne", "gt", "ge"]  # fmt: skip
IN_PLACE = ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor"]
UNARY = ["neg", "pos", "invert", "abs"]
METHODS = ["conjugate", "__neg__", "__abs__", "__add__", "bit_length", "is_integer", "as_integer_ratio", "__pow__"]
ATTRIBUTES = ["real", "imag", "numerator", "denominator", "shape"]
# Names that have a meaning in Python, in torch.fx or in the emitted module.
NAMES = ["x", "self", "torch", "inf", "nan", "device", "getattr", "slice", "complex", "range", "Ellipsis", "len",
         "print", "float", "class", "None", "True", "lambda", "forward", "load", "math_sqrt", "_operator_iadd",
         "operator", "fx_pytree", "pytree", "NoneType", "MEMBERS", "FUNCTIONS", "_", "__debug__", "add_1", "size",
         "input", "type", "members", "tracer", "abs_1", "builtins_complex", "x-y", "1st", "ä"]  # fmt: skip


class Ref:
    """A reference to a value of the program as an argument."""

    def __init__(self, name: str) -> None:
        self.name = name


def text(value: Any) -> str:
    """Returns a value as .fx text."""
    if isinstance(value, Ref):
        return "%" + json.dumps(value.name, ensure_ascii=False)
    if isinstance(value, complex):
        return f"complex({value.real!r}, {value.imag!r})"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ", ".join(map(text, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(text, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(k)}: {text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, slice):
        return f"slice({text(value.start)}, {text(value.stop)}, {text(value.step)})"
    if isinstance(value, range):
        return f"range({value.start}, {value.stop}, {value.step})"
    if value is ...:
        return "..."
    return repr(value)


def resolve(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, Ref):
        return values[value.name]
    if isinstance(value, (list, tuple)):
        return type(value)(resolve(item, values) for item in value)
    if isinstance(value, dict):
        return {key: resolve(item, values) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(resolve(part, values) for part in (value.start, value.stop, value.step)))
    return value


def collect(*args: Any, **kwargs: Any) -> list[Any]:
    return [list(args), dict(kwargs)]


def same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, torch.Tensor):
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        return all(map(same, a.reshape(-1).tolist(), b.reshape(-1).tolist()))
    if isinstance(a, float):
        return math.isnan(a) and math.isnan(b) or a == b and math.copysign(1, a) == math.copysign(1, b)
    if isinstance(a, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return bool(a == b)


class Program:
    """Statements, and their values for the program's inputs."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.lines: list[str] = []
        self.values: dict[str, Any] = {}
        self.add_inputs()
        for _ in range(rng.choice([1, 3, 8, 20])):
            self.step()
        names = [name for name in self.values if rng.random() < 0.6]
        self.result = [self.values[name] for name in names]
        self.lines.append("return " + text([Ref(name) for name in names]))

    # -- inputs ---------------------------------------------------------------------------------
    def add_inputs(self) -> None:
        rng = self.rng
        kinds = ["plain"] * rng.randrange(1, 5) + ["*"] * (rng.random() < 0.3) + ["**"] * (rng.random() < 0.3)
        if rng.random() < 0.7:
            kinds.sort(key=len)
            kinds.sort(key=["plain", "*", "**"].index)
        else:
            rng.shuffle(kinds)
        self.header: list[str] = []
        self.args: list[Any] = []
        self.kwargs: dict[str, Any] = {}
        last = max(i for i, kind in enumerate(kinds) if kind == "plain")
        is_after_args = False
        for i, kind in enumerate(kinds):
            name = self.new_name()
            target = f"p{i}" if rng.random() < 0.5 else rng.choice(["input", "alpha", "y", "out", "k"]) + str(i)
            if kind == "*":
                is_after_args = True
                value: Any = tuple(self.input_value() for _ in range(rng.randrange(3)))
                self.header.append(f"{text(Ref(name))}[*{target}]")
                self.values[name] = value
                self.star = value
                continue
            if kind == "**":
                self.kwargs.update({key: self.input_value() for key in ("some", "more")[: rng.randrange(3)]})
                self.header.append(f"{text(Ref(name))}[**{target}]")
                self.values[name] = dict(self.kwargs)
                continue
            has_default = rng.random() < 0.4 or is_after_args
            default = self.number()
            is_left_out = is_after_args or has_default and i == last and "*" not in kinds and rng.random() < 0.5
            value = default if is_left_out else self.input_value()
            if not is_left_out:
                self.args.append(value)
            is_typed = isinstance(value, torch.Tensor) and rng.random() < 0.5
            types_ = f" : f32[{value.shape[0]}]" if is_typed else ""
            self.header.append(
                f"{text(Ref(name))}[{target}]{types_}" + (f" = {text(default)}" if has_default else "")
            )
            self.values[name] = value
        # The caller's arguments: additional positional values are passed to *args.
        self.args += list(getattr(self, "star", ()))
        self.passed = copy.deepcopy((self.args, self.kwargs))

    def input_value(self) -> Any:
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            return torch.tensor([rng.choice([1.0, -2.0, 0.5]) for _ in range(3)])
        if kind == 1:
            return [self.number() for _ in range(3)]
        return self.number()

    # -- constants ------------------------------------------------------------------------------
    def number(self) -> Any:
        rng = self.rng
        return complex(rng.choice(PARTS), rng.choice(PARTS)) if rng.random() < 0.3 else rng.choice(NUMBERS)

    def constant(self, depth: int) -> Any:
        rng = self.rng
        if depth > 0 and rng.random() < 0.3:
            items = [self.constant(depth - 1) for _ in range(rng.randrange(3))]
            return rng.choice([items, tuple(items), dict(zip(["a", "b c"], items))])
        return rng.choice([self.number(), self.number(), self.number(), None, "it's", 'a "b"\n#'])

    def new_name(self) -> str:
        while True:
            name = self.rng.choice(NAMES) if self.rng.random() < 0.4 else f"v{len(self.values)}"
            if name not in self.values:
                return name

    # -- statements -----------------------------------------------------------------------------
    def operand(self) -> Any:
        rng = self.rng
        return self.number() if rng.random() < 0.4 else Ref(rng.choice(list(self.values)))

    def argument(self) -> Any:
        rng = self.rng
        if rng.random() < 0.4:
            return self.operand()
        value = self.constant(2)
        return [value, self.operand()] if rng.random() < 0.2 else value

    def step(self) -> None:
        for _ in range(50):
            makers: list[Callable[[], Optional[tuple[str, Any]]]] = [
                self.infix, self.infix, self.infix, self.unary, self.in_place, self.item, self.set_item, self.call,
                self.method, self.attribute,
            ]  # fmt: skip
            try:
                statement = self.rng.choice(makers)()
            except Exception:  # the operands do not match: try different ones
                statement = None
            if statement is None or not self.is_small(statement[1]):
                continue
            name = self.new_name()
            self.lines.append(f"{text(Ref(name))} = {statement[0]}")
            self.values[name] = statement[1]
            return

    @staticmethod
    def is_small(value: Any) -> bool:
        if isinstance(value, int):
            return abs(value) < 2**62
        if isinstance(value, (list, tuple, str)):
            return len(value) < 50
        return True

    def apply(self, function: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> tuple[str, Any]:
        values = [resolve(arg, self.values) for arg in args]
        for a in values:  # 2 ** 10**12 would not terminate
            if isinstance(a, int) and abs(a) > 1000 and function in (operator.pow, operator.ipow, operator.lshift):
                raise OverflowError
        if function in (operator.mul, operator.imul) and any(isinstance(a, (list, tuple, str)) for a in values):
            raise OverflowError
        if function is operator.setitem or function.__name__ in IN_PLACE:
            if not self.is_small(function(*copy.deepcopy(values))):  # on copies, since it may fail
                raise OverflowError
        words = [text(arg) for arg in args] + [f"{text(k)}={text(v)}" for k, v in kwargs.items()]
        keywords = {key: resolve(value, self.values) for key, value in kwargs.items()}
        return f"{name}({', '.join(words)})", function(*values, **keywords)

    def infix(self) -> tuple[str, Any]:
        name = self.rng.choice(INFIX)
        return self.apply(getattr(operator, name), f"operator.{name}", self.operand(), self.operand())

    def unary(self) -> tuple[str, Any]:
        name = self.rng.choice(UNARY)
        return self.apply(getattr(operator, name), f"operator.{name}", self.operand())

    def in_place(self) -> tuple[str, Any]:
        name = self.rng.choice(IN_PLACE)
        return self.apply(getattr(operator, name), f"operator.{name}", self.operand(), self.operand())

    def item(self) -> tuple[str, Any]:
        index = self.rng.choice([0, -1, slice(None, 2, None), slice(None, -1, None), ..., "some", True])
        return self.apply(operator.getitem, "operator.getitem", self.operand(), index)

    def set_item(self) -> Optional[tuple[str, Any]]:
        index = self.rng.choice([0, -1, 1])
        value = self.operand()
        if isinstance(resolve(value, self.values), (list, dict, tuple)):
            return None  # a list must not contain itself
        return self.apply(operator.setitem, "operator.setitem", self.operand(), index, value)

    def call(self) -> tuple[str, Any]:
        words = ["a", "b", "not a name", "class", "self"]
        kwargs = {key: self.argument() for key in self.rng.sample(words, self.rng.randrange(3))}
        args = [self.argument() for _ in range(self.rng.randrange(3))]
        if self.rng.random() < 0.3:
            return self.apply(cmath.exp, "cmath.exp", self.operand())
        return self.apply(collect, "test_python_values.collect", *args, **kwargs)

    def method(self) -> Optional[tuple[str, Any]]:
        name = self.rng.choice(METHODS)
        args = [self.operand()] + ([self.operand()] if name in ("__add__", "__pow__") else [])
        if name == "__pow__" and any(isinstance(resolve(arg, self.values), int) for arg in args):
            return None  # the comparison might not terminate
        written, value = self.apply(lambda a, *rest: getattr(a, name)(*rest), f"call_method {name}", *args)
        if value is NotImplemented:
            raise TypeError
        return written, value

    def attribute(self) -> tuple[str, Any]:
        name = self.rng.choice(ATTRIBUTES)
        return self.apply(getattr, "builtins.getattr", self.operand(), name)

    def source(self) -> str:
        return "graph(" + ", ".join(self.header) + ") {\n  " + "\n  ".join(self.lines) + "\n}\n"


# Emitted programs refer to functions in this module by its name.
sys.modules["test_python_values"] = sys.modules[__name__]


def emit(source: str, folder: Path) -> tuple[Optional[types.ModuleType], str]:
    file = folder / ("g.json" if source.startswith("{") else "g.fx")
    file.write_text(source, encoding="utf-8")
    done = subprocess.run([FXCPP, "emit", "--to", "python", str(file)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stderr
    module = types.ModuleType("emitted")
    try:
        exec(compile(done.stdout, "<emitted>", "exec"), module.__dict__)
    except Exception as error:
        return None, f"{type(error).__name__}: {error}\n{done.stdout[:3000]}"
    return module, done.stdout


def code_of(module: str) -> str:
    """Extracts the function from an emitted module."""
    begin = max(module.find("\ndef forward"), 0)
    return module[begin : module.find("\nGRAPHS = ", begin)]


def check(program: Program, folder: Path, counts: Counter[str]) -> str:
    """Returns the error, or ""."""
    module, output = emit(program.source(), folder)
    if module is None:
        known = ("hides a function", "cannot be a parameter")
        if any(words in output for words in known):
            counts["rejected"] += 1
            return ""
        return f"no module: {output}"
    for form in ("load", "trace"):
        args, kwargs = copy.deepcopy(program.passed)
        try:
            callee = getattr(module, form)()
            result = callee(*args, **kwargs)
        except Exception as error:
            # torch.fx's tracer has no text for some values, and does not support comparisons of
            # proxies, len(), ...
            rejections = (NotImplementedError, torch.fx.proxy.TraceError)
            # (2).__add__(proxy) returns NotImplemented.
            if form == "trace" and (isinstance(error, rejections) or "NotImplemented" in str(error)):
                counts["rejected by trace()"] += 1
                continue
            return f"{form}: {type(error).__name__}: {error}\n{code_of(output)}"
        if not same(result, program.result):
            return f"{form}: {result!r}, not {program.result!r}\n{code_of(output)}\n{getattr(callee, 'code', '')}"
        if not same(list(args), program.args):
            return f"{form} changes the arguments to {args!r}, expected {program.args!r}\n{code_of(output)}\n{getattr(callee, 'code', '')}"
        counts[f"{form}() equal"] += 1
    return ""


# ------------------------------------------------------------------------------ one case of each kind
def tensor(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float32)


def graph(parameters: str, body: str) -> str:
    return f"graph({parameters}) {{\n{body}\n}}\n"


Case = tuple[str, list[Any], dict[str, Any], Any]  # source, positional and keyword arguments, result

VALUES: list[Case] = [
    # Default values before parameters without defaults.
    (graph("%a = None, %b", "return %b"), [1, 2], {}, 2),
    (graph("%a = 1, %b, %c = 3", "return (%a, %b, %c)"), [1, 2], {}, (1, 2, 3)),
    (graph("%a = 1, %b = 2, %args[*args]", "return (%a, %b, %args)"), [5, 6, 7], {}, (5, 6, (7,))),
    (graph("%a = 1, %b, %args[*args]", "return (%a, %b, %args)"), [5, 6, 7], {}, (5, 6, (7,))),
    # Parameters after *args and **kwargs.
    (graph("%x, %args[*args], %kw[**kw], %opt = 3", "return [%x, %args, %kw, %opt]"), [1, 2], {"k": 4},
     [1, (2,), {"k": 4}, 3]),
    (graph("%x, %args[*args], %opt", "return [%x, %args, %opt]"), [1, 2], {"opt": 4}, [1, (2,), 4]),
    (graph("%kw[**kw], %x", "return [%kw, %x]"), [1], {"k": 4}, [{"k": 4}, 1]),
    (graph("%kw[**kw], %args[*args]", "return [%kw, %args]"), [1], {"k": 4}, [{"k": 4}, (1,)]),
    # Complex constants.
    (graph("%x", "%y = operator.mul(%x, complex(1.0, inf))\nreturn %y"), [1], {}, 1 * complex(1, INF)),
    (graph("%x", "return [complex(-0.0, 2.0), complex(nan, -inf), complex(1.0, -0.0), complex(0.0, -1.0)]"), [0], {},
     [complex(-0.0, 2), complex(NAN, -INF), complex(1, -0.0), complex(0, -1.0)]),
    (graph("%x, %y = complex(-inf, nan)", "return {\"k\": (%y, [complex(-0.0, -0.0)])}"), [0], {},
     {"k": (complex(-INF, NAN), [complex(-0.0, -0.0)])}),
    # Precedence.
    (graph("%x", "%a = operator.pow(-0.0, %x)\nreturn %a"), [0.0], {}, 1.0),
    (graph("%x", "%a = operator.pow(complex(0.0, -1.0), %x)\nreturn %a"), [2], {}, complex(0, -1.0) ** 2),
    (graph("%x", "%a = operator.pow(-inf, %x)\nreturn %a"), [2], {}, INF),
    (graph("%x", "%a = operator.pow(%x, -2)\nreturn %a"), [2], {}, 0.25),
    (graph("%x", "%a = builtins.getattr(-1, \"real\")\nreturn %a"), [2], {}, -1),
    (graph("%n : SymInt(n), %x", "%a = operator.mul(sym(n + 1), %x)\nreturn %a"), [2, 5], {}, 15),
    (graph("%n : SymInt(n), %x", "%a = operator.sub(%x, sym(Min(n, 7) - 1))\n%b = operator.neg(sym(n + 1))\n"
           "return (%a, %b, [sym((n//2))])"), [4, 5], {}, (2, -5, [2])),
    # Constants in dicts and named tuples.
    (graph("%x", "return {\"d\": torch.float32, \"f\": op(operator.add), \"o\": op(aten.add.Tensor)}"), [0], {},
     {"d": torch.float32, "f": operator.add, "o": torch.ops.aten.add.Tensor}),
    # In-place operators on numbers.
    (graph("%x", "%y = operator.iadd(%x, 1)\nreturn (%x, %y)"), [1], {}, (1, 2)),
    (graph("%x", "%y = operator.imul(%x, 3)\nreturn %y"), [2], {}, 6),
    (graph("%x", "%y = operator.setitem(%x, 0, 3)\nreturn (%x, %y)"), [[2]], {}, ([3], None)),
    (graph("%x", "%y = operator.ior(%x, 1)\n%z = operator.ipow(%x, 2)\nreturn (%x, %y, %z)"), [4], {}, (4, 5, 16)),
    # Names.
    (graph("%x, %self[y]", "%inf = operator.add(%x, inf)\n%getattr = operator.mul(%self, 2)\n"
           "%w = builtins.getattr(%getattr, \"real\", None)\nreturn (%inf, %getattr, %w)"), [1, 2], {}, (INF, 4, 4)),
]  # fmt: skip

# Source, arguments, the first argument after the call, and the functions that trace() must record.
aten = torch.ops.aten
TRACES: list[tuple[str, list[Any], Any, list[Any]]] = [
    (graph("%b : f32[3], %g", "%c = operator.iadd(%b, %g)\n%d = operator.mul(%c, 2)\nreturn %d"),
     [tensor(1, 2, 3), tensor(1, 1, 1)], tensor(2, 3, 4), [operator.iadd, operator.mul]),
    (graph("%b : f32[3], %g", "%c = operator.setitem(%b, 0, %g)\nreturn %b"), [tensor(1, 2, 3), 5.0],
     tensor(5, 2, 3), [operator.setitem]),
    (graph("%b : f32[3], %g", "%v = operator.getitem(%b, slice(None, 2, None))\n%c = operator.imul(%v, %g)\n"
           "return %b"), [tensor(1, 2, 3), 5.0], tensor(5, 10, 3), [operator.getitem, operator.imul]),
    (graph("%b : f32[3], %g", "%d = builtins.getattr(%b, \"data\")\n%c = operator.isub(%d, %g)\nreturn %b"),
     [tensor(1, 2, 3), 1.0], tensor(0, 1, 2), [getattr, operator.isub]),
    (graph("%b : f32[3], %g", "%c = operator.itruediv(%b, %g)\n%d = operator.add(%b, %c)\nreturn %d"),
     [tensor(1, 2, 3), 2.0], tensor(0.5, 1, 1.5), [operator.itruediv, operator.add]),
    (graph("%b : f32[3], %g", "%n = call_method size(%b, 0)\n%f = aten.full.default([2, %n], 1.5)\n"
           "%s = aten.sum.dim_IntList(%f, [0])\n%c = aten.add_.Tensor(%b, %s)\nreturn %c"), [tensor(1, 2, 3), 5.0],
     tensor(4, 5, 6), [aten.full.default, aten.sum.dim_IntList, aten.add_.Tensor]),
    # An attribute is read before a later call changes the tensor.
    (graph("%b : f32[3], %g", "%s = builtins.getattr(%b, \"shape\")\n%c = aten.unsqueeze_.default(%b, 0)\n"
           "%n = operator.getitem(%s, 0)\nreturn %n"), [tensor(1, 2, 3), 1.0], tensor(1, 2, 3).unsqueeze(0),
     [getattr, aten.unsqueeze_.default, operator.getitem]),
    (graph("%b : f32[3], %g", "graph @part(%a) {\n%c = aten.add_.Tensor(%a, 1)\nreturn [%c]\n}\n"
           "%w = higher_order.wrap_with_set_grad_enabled(False, @part, %b)\n%i = operator.getitem(%w, 0)\n"
           "return %i"), [tensor(1, 2, 3), 1.0], tensor(2, 3, 4),
     [torch.ops.higher_order.wrap_with_set_grad_enabled, operator.getitem]),
]  # fmt: skip

REJECTED = [
    (graph("%x", "%a = operator.mul(sym(n + 1), %x)\nreturn %a"), "n"),
    (graph("%x, %n", "%a = operator.mul(sym(n + 1), %x)\nreturn %a"), "n"),
    (graph("%n : SymInt(n), %y = sym(n + 1)", "return %y"), "n"),
    (graph("%n : SymInt(n), %x", "%a = operator.mul(sym(n/2), %x)\nreturn %a"), "n/2"),
    (graph("%x", "%a = torch.add(%x, object(\"a thing\"))\nreturn %a"), "a thing"),
    (graph("%x, %y = %x", "return %y"), "default"),
    (graph("%a[*a], %b[*b]", "return %b"), "one parameter with *"),
]

CONVENTION = '''graph(%xs_1, %xs_2) {
  !calling_convention = {"orig_args": NAMES, "in_spec": IN, "out_spec": OUT}
  %sub = operator.sub(%xs_1, %xs_2)
  return [%sub]
}
'''

TENSORS = [
    {"t": "float32", "shape": [3], "stride": [1], "data": [1.0, -0.0, {"f": "nan"}]},
    {"t": "int64", "shape": [2, 2], "stride": [2, 1], "data": [1, 2, 3, -4]},
    {"t": "float64", "shape": [2, 2], "stride": [1, 2], "data": [1.0, 2.0, 3.0, 4.0]},
    {"t": "bool", "shape": [], "stride": [], "data": [True]},
    {"t": "float32", "shape": [0, 3], "stride": [3, 1], "data": []},
    {"t": "bfloat16", "shape": [1], "stride": [1], "rg": True, "data": [0.5]},
]


def check_case(case: Case, folder: Path) -> str:
    source, args, kwargs, expected = case
    module, output = emit(source, folder)
    if module is None:
        return f"no module: {output}"
    for form in ("load", "trace"):
        try:
            result = getattr(module, form)()(*copy.deepcopy(args), **kwargs)
        except NotImplementedError as error:
            if form == "trace":
                continue
            return str(error)
        except Exception as error:
            return f"{form}: {type(error).__name__}: {error}\n{code_of(output)}"
        if not same(result, expected):
            return f"{form}: {result!r}, not {expected!r}\n{code_of(output)}"
    return ""


def check_trace(case: tuple[str, list[Any], Any, list[Any]], folder: Path) -> str:
    source, args, after, functions = case
    module, output = emit(source, folder)
    if module is None:
        return f"no module: {output}"
    for form in ("load", "trace"):
        given = copy.deepcopy(args)
        callee = getattr(module, form)()
        callee(*given)
        if not same(given[0], after):
            return f"{form} changes the argument to {given[0]!r}, expected {after!r}\n{code_of(output)}"
        if form == "trace":
            kept = [node.target for node in callee.graph.nodes if node.op == "call_function"]
            if kept != functions:
                return f"trace() has {kept}"
    return ""


def check_tensor(value: dict[str, Any], folder: Path) -> str:
    document = {"format": 2, "model": "m", "kind": "graph", "torch": "2.13.0", "graph": {"nodes": [
        {"name": "x", "op": "placeholder", "target": "x"},
        {"name": "f", "op": "call_function", "target": "torch.add", "args": [{"n": "x"}, {**value, "str": "tensor"}]},
        {"name": "output", "op": "output", "target": "output", "args": [{"n": "f"}]}]}}  # fmt: skip
    module, output = emit(json.dumps(document), folder)
    if module is None:
        return f"no module: {output}"
    data = [float(item["f"]) if isinstance(item, dict) else item for item in value["data"]]
    dtype = getattr(torch, value["t"])
    want = torch.zeros(1, dtype=dtype) + torch.tensor(data, dtype=dtype).reshape(value["shape"])
    for form in ("load", "trace"):
        result = getattr(module, form)()(torch.zeros(1, dtype=dtype))
        if not same(result.detach(), want):
            return f"{form}: {result}, not {want}\n{code_of(output)}"
        if result.requires_grad != value.get("rg", False):
            return f"{form}: requires_grad is {result.requires_grad}"
    return ""


def check_convention(arguments: tuple[Any, ...], keywords: dict[str, Any], folder: Path) -> str:
    """Checks a graph with two inputs that is called with a structure of two leaves."""
    pytree = torch.utils._pytree
    names = [f"a{i}" for i in range(len(arguments))] + list(keywords)
    in_spec = pytree.tree_structure((arguments, keywords) if keywords else arguments)
    out_spec = pytree.tree_structure({"out": (0,)})
    source = CONVENTION.replace("NAMES", json.dumps(names))
    source = source.replace("IN", json.dumps(pytree.treespec_dumps(in_spec)))
    source = source.replace("OUT", json.dumps(pytree.treespec_dumps(out_spec)))
    module, output = emit(source, folder)
    if module is None:
        return f"no module: {output}"
    flat = pytree.tree_leaves((arguments, keywords))
    expected = {"out": (flat[0] - flat[1],)}
    for form in ("load", "trace"):
        try:
            result = getattr(module, form)()(*arguments, **keywords)
        except Exception as error:
            return f"{form}: {type(error).__name__}: {error}\n{code_of(output)}"
        if not same(result, expected):
            return f"{form}: {result!r}, not {expected!r}\n{code_of(output)}"
    given = module.arguments({"xs_1": flat[0], "xs_2": flat[1]})
    if not same(given, [*arguments, *keywords.values()]):
        return f"arguments: {given!r}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=300, help="number of random programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, help="print the program of this seed")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    if options.show is not None:
        program = Program(options.show)
        print(program.source(), program.passed, program.result, sep="\n")
        return 0
    counts: Counter[str] = Counter()
    wrong: list[str] = []

    def note(kind: str, source: str, problem: str) -> None:
        counts[f"{kind}: {'wrong' if problem else 'correct'}"] += 1
        if problem:
            wrong.append(f"--- {kind}\n{source}\n{problem}")

    one, two = tensor(1, 2), tensor(5, 7)
    conventions: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        (([one, two],), {}), ((one, two), {}), (({"a": one, "b": two},), {}), ((one,), {"k": two}),
        ((), {"k": [one, two]}), (((one,), [two]), {}),
        ((), {"input": one, "type": two}), ((one,), {"sum": two}),  # names of functions
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in VALUES:
            note("values", case[0], check_case(case, folder))
        for trace in TRACES:
            note("trace()", trace[0], check_trace(trace, folder))
        for value in TENSORS:
            note("tensors", json.dumps(value), check_tensor(value, folder))
        for arguments, keywords in conventions:
            note("calling conventions", repr((arguments, keywords)), check_convention(arguments, keywords, folder))
        for source, words in REJECTED:
            module, output = emit(source, folder)
            note("rejected", source, "" if module is None and words in output else output[:2000])
        for seed in range(options.seed, options.seed + options.count):
            program = Program(seed)
            note("random programs", f"--show {seed}\n{program.source()}", check(program, folder, counts))
    for problem in wrong[:6]:
        print(problem + "\n")
    for what, count in sorted(counts.items()):
        print(f"{count:5} {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
