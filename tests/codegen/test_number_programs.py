#!/usr/bin/env python3
"""Compares random functions of Python numbers with Python.

Each program computes numbers from numbers: arithmetic, comparisons, bitwise operators, rounding, and
their in-place forms, for values at which C++ differs from Python (2**63, -0.0, 1.0 // 0.1). Every
number is returned twice, with the dtype that torch infers for it and with its own. The programs run in
the interpreter, as emitted Python, after passes, and a larger one as compiled C++.

    test_number_programs.py [FIRST PROGRAMS [COMPILED]]    seeds; programs that run as C++

Exit status: 0 on success, 1 on failure, 77 without torch or in a build without it.
"""

from __future__ import annotations

import importlib.util
import math
import operator
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
except ImportError:
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
INTS = [0, 1, -1, 2, 3, -3, 7, -7, 10, 5, 2**53 + 1, -(2**53) - 1, 2**62, -(2**63), 2**63 - 1]
FLOATS = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 7.25, -7.0, 0.1, 0.7, 1e17, 2.0**53, 2.0**53 + 2,
          math.inf, -math.inf, 1e308, 1e-308]
BINARY = ["add", "sub", "mul", "floordiv", "mod", "truediv", "pow", "eq", "ne", "lt", "le", "gt", "ge", "and_",
          "or_", "xor", "lshift", "rshift", "iadd", "imul", "isub", "ifloordiv", "imod", "iand", "ilshift"]
UNARY = {f"operator.{name}": getattr(operator, name) for name in ("neg", "pos", "not_", "abs", "invert")} | {
    "math.floor": math.floor, "math.ceil": math.ceil, "math.trunc": math.trunc, "math.sqrt": math.sqrt,
    "builtins.round": round, "torch.sym_int": torch.sym_int, "torch.sym_float": torch.sym_float,
    "torch.sym_not": torch.sym_not}
PASSES = "propagate_types,fold_constants,simplify,eliminate_common_subexpressions,eliminate_dead_code"
NAMES = {int: "int", float: "float", bool: "bool"}
DTYPES = {int: torch.int64, float: torch.float64, bool: torch.bool}


class Program:
    """A random graph, its inputs and its results."""

    def __init__(self, seed: int, calls: int) -> None:
        self.random = random.Random(seed)
        self.inputs: dict[str, int | float | bool] = {}
        for k in range(3):
            self.inputs[f"i{k}"] = self.random.choice(INTS)
            self.inputs[f"f{k}"] = self.random.choice(FLOATS)
            self.inputs[f"b{k}"] = self.random.random() < 0.5
        self.values = dict(self.inputs)
        self.lines: list[str] = []
        self.outputs: list[torch.Tensor] = []
        for _ in range(100 * calls):
            if len(self.outputs) < 2 * calls:
                self.add_call()

    def operand(self) -> tuple[int | float | bool, str]:
        if self.random.random() < 0.25:
            value = self.random.choice([*INTS, *FLOATS, True, False])
            return value, repr(value)
        name = self.random.choice(list(self.values))
        return self.values[name], "%" + name

    def add_call(self) -> None:
        """Adds a call, unless Python or torch rejects it, or its result is not a number of 64 bits."""
        name = "operator." + self.random.choice(BINARY)
        operands = [self.operand(), self.operand()]
        function = getattr(operator, name.removeprefix("operator."))
        if self.random.random() < 0.25:
            name, function = self.random.choice(list(UNARY.items()))
            operands.pop()
        values = [value for value, _ in operands]
        if all(not text.startswith("%") for _, text in operands):
            return
        if ("pow" in name or "shift" in name) and isinstance(values[1], int) and abs(values[1]) > 70:
            return  # the result would be large
        try:
            result = function(*values)
            if type(result) is float and math.isnan(result) or type(result) not in DTYPES:
                return
            dtype = torch.float64 if type(result) is float else torch.int64
            tensors = [torch.full([1], result), torch.full([1], result, dtype=dtype)]
        except (ArithmeticError, ValueError, TypeError, RuntimeError):
            return
        node = f"n{len(self.values)}"
        self.values[node] = result
        self.lines += [
            f"%{node} = {name}({', '.join(text for _, text in operands)})",
            f"%a{node} = aten.full.default([1], %{node})",
            f"%c{node} = aten.full.default([1], %{node}, dtype={dtype})",
        ]
        self.outputs += tensors

    def text(self) -> str:
        inputs = ", ".join(f"%{name} : {NAMES[type(value)]}" for name, value in self.inputs.items())
        nodes = [name for name in self.values if name not in self.inputs]
        results = ", ".join(f"%a{node}, %c{node}" for node in nodes)
        return f"graph({inputs}) {{\n  " + "\n  ".join(self.lines) + f"\n  return ({results},)\n}}\n"


def fxcpp(*arguments: str) -> str:
    """Returns an error message, or "" if the command succeeds."""
    run = subprocess.run([FXCPP, *arguments], capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 else f"fxcpp {' '.join(arguments)}:\n{run.stderr}{run.stdout}"


def run_python(path: Path, program: Program) -> str:
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    results = module.load()(*program.inputs.values())
    for k, (got, expected) in enumerate(zip(results, program.outputs, strict=True)):
        if got.dtype != expected.dtype or not torch.equal(got.view(torch.uint8), expected.view(torch.uint8)):
            return f"{path.name}, line {program.lines[k // 2 * 3]}: {got}, not {expected}"
    return ""


def check(seed: int, calls: int, folder: Path, *, is_compiled: bool) -> str:
    """Returns the first difference."""
    program = Program(seed, calls)
    graph, after = folder / "program.fx", folder / "after.fx"
    graph.write_text(program.text())
    torch.save({name: torch.tensor(value, dtype=DTYPES[type(value)]) for name, value in program.inputs.items()},
               folder / "inputs.pt")
    torch.save({f"out.{k}": value for k, value in enumerate(program.outputs)}, folder / "outputs.pt")
    data = ("--inputs", str(folder / "inputs.pt"), "--check", str(folder / "outputs.pt"))
    if is_compiled:
        return fxcpp("run", str(graph), *data, "--compile")
    error = (fxcpp("run", str(graph), *data) or fxcpp("run", str(graph), *data, "--trace") or
             fxcpp("opt", str(graph), "--passes", PASSES, "-o", str(after)) or fxcpp("run", str(after), *data))
    for file in (graph, after):
        code = folder / f"{file.stem}.py"
        error = error or fxcpp("emit", str(file), "--to", "python", "-o", str(code)) or run_python(code, program)
    return error


def main() -> int:
    if fxcpp("capture", "--list"):
        print("not run: fxcpp was built without libtorch")
        return 77
    given = [int(text) for text in sys.argv[1:]]
    first, count, compiled = given + [0, 4, 1][len(given):]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(first, first + count):
            if error := check(seed, 40, Path(name), is_compiled=False):
                failed += 1
                print(f"seed {seed}: {error}\n{(Path(name) / 'program.fx').read_text()}")
        for seed in range(first, first + compiled):
            if error := check(seed, 150, Path(name), is_compiled=True):
                failed += 1
                print(f"seed {seed}, as C++: {error}\n{(Path(name) / 'program.fx').read_text()}")
    print(f"{count} programs, {compiled} as C++, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
