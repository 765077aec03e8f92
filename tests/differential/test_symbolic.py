#!/usr/bin/env python3
"""Compares graphs that have symbolic sizes with eager mode, after every pass and at many sizes.

    test_symbolic.py [--programs N] [--sizes N] [--seed S] [--show SEED]

Each random program calls operators whose types, results or decompositions depend on sizes.
`propagate_types` infers its types, a pass runs, and `fxcpp emit` writes the graph as a Python
module that checks the sizes of its inputs. At each size in the symbols' ranges, the module must
return the results of eager mode, or raise a ValueError for a guard. FXCPP_SYMBOLIC_PROGRAMS sets
the number of programs (default 8; 2000 for long manual runs). Exit status: 0 if all are equal, 1
if some differ, 77 if torch is missing.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import types
from collections import Counter
from pathlib import Path

try:
    import torch
except ImportError:
    print("torch is missing")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
PASSES = ["", "decompose{set=all}", "decompose{set=all},functionalize", "simplify", "functionalize,reinplace",
          "eliminate_common_subexpressions", "lower_to_aten", "merge_matmul", "fuse_conv_bn", "topological_sort",
          "normalize_args", "omit_default_arguments", "split_module,inline_calls"]  # fmt: skip
SIZES = ["n", "n", "m", "k", "1", "3", "2*n", "n + 1"]


class Program:
    """A list of calls: (name, operator, arguments). Arguments that start with % are names of
    values."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.ranges = {}
        for name in "nmk":
            low = self.random.randrange(4)
            self.ranges[name] = (low, low + self.random.randrange(3, 12))
        self.inputs = {f"x{i}": [self.random.choice(SIZES) for _ in range(self.random.randrange(1, 4))] for i in range(3)}
        self.calls: list[tuple[str, str, tuple]] = []
        values = self.values_at(self.draw_sizes())
        for _ in range(60):
            if len(self.calls) >= 10:
                break
            self.try_call(values)
        self.results = [name for name, _, _ in self.calls[-3:]] or list(self.inputs)

    def draw_sizes(self) -> dict[str, int]:
        sizes = {name: self.random.randint(*bounds) for name, bounds in self.ranges.items()}
        if self.random.random() < 0.5:  # make all sizes equal that can be equal
            shared = self.random.randrange(12)
            sizes = {name: min(max(shared, low), high) for name, (low, high) in self.ranges.items()}
        return sizes

    def values_at(self, sizes: dict[str, int]) -> dict[str, torch.Tensor]:
        generator = torch.Generator().manual_seed(1)
        return {
            name: torch.rand([eval(size, {}, sizes) for size in shape], generator=generator, dtype=torch.float64)
            for name, shape in self.inputs.items()
        }

    def try_call(self, values: dict) -> None:
        pick = self.random
        x, y = pick.choice(list(values)), pick.choice(list(values))
        if not isinstance(values[x], torch.Tensor) or not isinstance(values[y], torch.Tensor):
            return
        rank = max(values[x].dim(), 1)
        d, e, i = pick.randrange(-rank, rank), pick.randrange(-rank, rank), pick.randrange(-3, 5)
        p = pick.randrange(1, 5)
        op, args = pick.choice([
            ("slice.Tensor", (f"%{x}", d, i, pick.randrange(-3, 7), pick.randrange(1, 3))),
            ("narrow.default", (f"%{x}", d, pick.randrange(2), p)), ("select.int", (f"%{x}", d, i)),
            ("chunk.default", (f"%{x}", p, d)), ("split.Tensor", (f"%{x}", p, d)),
            ("tensor_split.sections", (f"%{x}", p, d)), ("tensor_split.indices", (f"%{x}", [i, p], d)),
            ("cat.default", ([f"%{x}", f"%{y}"], d)), ("add.Tensor", (f"%{x}", f"%{y}")),
            ("mul.Tensor", (f"%{x}", f"%{y}")), ("maximum.default", (f"%{x}", f"%{y}")),
            ("sum.dim_IntList", (f"%{x}", [d], True)), ("mean.dim", (f"%{x}", [d])), ("amax.default", (f"%{x}", [d])),
            ("view.default", (f"%{x}", [-1, p])), ("reshape.default", (f"%{x}", [p, -1])),
            ("expand.default", (f"%{x}", [p, -1, -1])), ("squeeze.dim", (f"%{x}", d)), ("squeeze.default", (f"%{x}",)),
            ("unsqueeze.default", (f"%{x}", d)), ("transpose.int", (f"%{x}", d, e)), ("matmul.default", (f"%{x}", f"%{y}")),
            ("_softmax.default", (f"%{x}", d, False)), ("constant_pad_nd.default", (f"%{x}", [-p + 2, p], 0)),
            ("diagonal.default", (f"%{x}", i)), ("unfold.default", (f"%{x}", d, p, 1)), ("flip.default", (f"%{x}", [d])),
            ("flatten.using_ints", (f"%{x}", 0, -1)), ("cumsum.default", (f"%{x}", d)), ("relu.default", (f"%{x}",)),
            ("clone.default", (f"%{x}",)), ("t.default", (f"%{x}",)),
        ])  # fmt: skip
        name = f"c{len(self.calls)}"
        try:
            value = call(op, args, values)
        except Exception:
            return
        self.calls.append((name, f"aten.{op}", args))
        values[name] = value
        if isinstance(value, (list, tuple)):
            item = f"{name}_{len(value) - 1}"
            self.calls.append((item, "operator.getitem", (f"%{name}", len(value) - 1)))
            values[item] = value[-1]

    def text(self) -> str:
        inputs = ", ".join(f"%{name} : f64[{', '.join(shape)}]" for name, shape in self.inputs.items())
        symbols = ", ".join(f'"{n}": {{"min": {low}, "max": {high}}}' for n, (low, high) in self.ranges.items())
        lines = [f"  %{name} = {op}({', '.join(show(arg) for arg in args)})" for name, op, args in self.calls]
        results = ", ".join("%" + name for name in self.results)
        return "\n".join([f"graph({inputs}) {{", f"  !symbols = {{{symbols}}}", *lines, f"  return ({results},)", "}\n"])

    def run(self, values: dict) -> list:
        for name, op, args in self.calls:
            values[name] = call(op.removeprefix("aten."), args, values)
        return [values[name] for name in self.results]


def show(arg: object) -> str:
    return "[" + ", ".join(map(show, arg)) + "]" if isinstance(arg, list) else str(arg)


def call(op: str, args: tuple, values: dict) -> object:
    def value(arg):
        if isinstance(arg, list):
            return [value(item) for item in arg]
        return values[arg[1:]] if isinstance(arg, str) else arg

    if op == "operator.getitem":
        return values[args[0][1:]][args[1]]
    packet, overload = op.split(".")
    return getattr(getattr(torch.ops.aten, packet), overload)(*map(value, args))


def equal(a: object, b: object) -> bool:
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    return a.shape == b.shape and torch.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)


def check(seed: int, sizes: int, folder: str, counts: Counter) -> None:
    program = Program(seed)
    source, path = f"{folder}/g.fx", f"{folder}/m.py"
    Path(source).write_text(program.text())
    points = [program.draw_sizes() for _ in range(sizes)]
    expected = []
    for point in points:
        try:
            expected.append(program.run(program.values_at(point)))
        except Exception:
            expected.append(None)  # eager mode rejects this size
    for passes in PASSES:
        pipeline = ",".join(["propagate_types", *([passes] if passes else [])])
        done = subprocess.run([FXCPP, "opt", source, "--passes", pipeline, "-o", f"{folder}/a.fx"],
                              capture_output=True, text=True)  # fmt: skip
        emit = done.returncode or subprocess.run([FXCPP, "emit", f"{folder}/a.fx", "--to", "python", "-o", path],
                                                 capture_output=True, text=True).returncode  # fmt: skip
        counts["graphs"] += 1
        if emit:
            counts["rejected graphs"] += 1
            if done.returncode not in (0, 1):
                counts["wrong"] += 1
                print(f"seed {seed}: {pipeline}: status {done.returncode}\n{done.stderr}{program.text()}")
            if not passes:
                return
            continue
        module = types.ModuleType("m")
        exec(compile(Path(path).read_text(), path, "exec"), module.__dict__)
        model = module.load()
        for point, right in zip(points, expected):
            counts["runs"] += 1
            values = program.values_at(point)
            try:
                got = model(*values.values())
            except ValueError as error:
                if "of the graph" not in str(error) and "its type specifies" not in str(error) and "for any" not in str(error):
                    raise
                counts["guarded"] += 1
                continue
            except Exception as error:
                got = error
            if right is None:
                counts["rejected by eager mode"] += 1
            elif isinstance(got, Exception) or not equal(list(got), right):
                counts["wrong"] += 1
                what = str(got).splitlines()[0] if isinstance(got, Exception) else "other values"
                print(f"seed {seed}: {pipeline} at {point}: {what}\n{program.text()}{Path(f'{folder}/a.fx').read_text()}")
                break
            else:
                counts["equal"] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--programs", type=int, default=int(os.environ.get("FXCPP_SYMBOLIC_PROGRAMS", 8)))
    parser.add_argument("--sizes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    if options.show is not None:
        print(Program(options.show).text())
        return 0
    counts: Counter = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.programs):
            check(seed, options.sizes, folder, counts)
    print(dict(counts))
    return 1 if counts["wrong"] or not counts["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
