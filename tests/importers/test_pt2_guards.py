#!/usr/bin/env python3
"""Tests that .pt2 archives contain the guards of a graph, as conditions that PyTorch checks.

    test_pt2_guards.py [SEED [COUNT]]

Writes graphs with random guards, loads them with torch.export.load, and calls the module with inputs of
different sizes. PyTorch must accept the sizes at which all guards hold, evaluated as Python code, and
no others. The guards of the archive, read by fxcpp, must be the original guards. Exit status: 0 on
success, 1 on failure, 77 without torch.
"""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any

try:
    import torch
    from torch.utils import _pytree as pytree
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
FUNCTIONS = {"Eq": lambda a, b: a == b, "Ne": lambda a, b: a != b, "Mod": lambda a, b: a % b,
             "Min": min, "Max": max}
# An input for each symbol, and the sizes of one input from the values of the symbols.
INPUTS = {"x": ("f32[n, 3]", lambda v: (v["n"], 3)), "y": ("f32[2*m + 1]", lambda v: (2 * v["m"] + 1,)),
          "z": ("f32[2, k]", lambda v: (2, v["k"]))}
SYMBOLS = ("n", "m", "k")


def fxcpp(*command: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([FXCPP, *command], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
    return done


def expression(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*SYMBOLS, *SYMBOLS, str(rng.randint(1, 9))])
    a, b = expression(rng, depth - 1), expression(rng, depth - 1)
    number = rng.randint(2, 5)
    return rng.choice([f"({a} + {b})", f"({a} - {b})", f"({a}*{b})", f"(({a})//{number})",
                       f"Mod({a}, {number})", f"Min({a}, {b})", f"Max({a}, {b})", f"({a})**2"])


def relation(rng: random.Random) -> str:
    a, b = expression(rng, 3), expression(rng, 2)
    text = rng.choice([f"Eq({a}, {b})", f"Ne({a}, {b})", f"{a} > {b}", f"{a} >= {b}", f"{a} < {b}"])
    return text if rng.random() < 0.8 else f"({text}) | ({expression(rng, 1)} > {rng.randint(1, 6)})"


def holds(guard: str, values: dict[str, int]) -> bool:
    return bool(eval(guard, {"__builtins__": {}}, FUNCTIONS | values))


def is_accepted(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    try:
        module(*args, **kwargs)
    except AssertionError as error:
        assert "Guard failed" in str(error), error
        return False
    return True


class Guards(unittest.TestCase):
    seed, count = 1, 12

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def guards_of(self, path: Path) -> list[str]:
        lines = fxcpp("print", str(path), "--guards").stdout.splitlines()
        return [line.removeprefix("size: ") for line in lines
                if line.startswith("size: ") and line != "size: True"]

    def check(self, head: str, guards: list[str], call: Any, values: list[dict[str, int]]) -> int:
        """`call` returns the arguments and keywords for values of the symbols. Returns the number of calls
        that PyTorch refused."""
        graph, program = self.folder / "g.fx", self.folder / "g.pt2"
        graph.write_text(head.replace("GUARDS", json.dumps(guards)))
        done = fxcpp("emit", str(graph), "--to", "pt2", "-o", str(program))
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.guards_of(program), self.guards_of(graph))
        loaded = torch.export.load(program)
        loaded._example_inputs = call(values[0])  # without example inputs, torch checks nothing
        module = loaded.module()
        refused = 0
        for value in values:
            expected = all(holds(guard, value) for guard in guards)
            self.assertEqual(is_accepted(module, *call(value)), expected, (value, guards, loaded._guards_code))
            refused += not expected
        return refused

    def test_random_guards(self) -> None:
        rng = random.Random(self.seed)
        inputs = ", ".join(f"%{name} : {kind}" for name, (kind, _) in INPUTS.items())
        head = f"graph({inputs}) {{\n  !guards = GUARDS\n  %a = aten.add.Tensor(%x, 1)\n  return %a\n}}\n"
        refused = calls = 0
        for _ in range(self.count):
            values = [{symbol: rng.randint(2, 9) for symbol in SYMBOLS} for _ in range(12)]
            guards = [relation(rng) for _ in range(rng.randint(1, 3))]
            refused += self.check(head.replace("%a =", "%a : f32[n, 3] ="), guards,
                                  lambda v: (tuple(torch.ones(sizes(v)) for _, sizes in INPUTS.values()), {}),
                                  values)
            calls += len(values)
        self.assertGreater(refused, 0)
        self.assertLess(refused, calls)

    def test_arguments_in_containers(self) -> None:
        """The conditions name lists, dicts with unusual keys, and keywords."""
        arguments = (({"it": 0, "a]b": 1, "c": [2]},), {"k": 3})
        spec = pytree.treespec_dumps(pytree.tree_structure(arguments))
        convention = {"orig_args": ["d", "k"], "in_spec": spec,
                      "out_spec": pytree.treespec_dumps(pytree.tree_structure(0))}
        symbols = ["n", "m", "k", "p"]
        inputs = ", ".join(f"%{s}_in : f32[{s}]" for s in symbols)
        head = (f"graph({inputs}) {{\n  !guards = GUARDS\n  !calling_convention = {json.dumps(convention)}\n"
                "  %a : f32[n] = aten.add.Tensor(%n_in, 1)\n  return %a\n}\n")

        def call(v: dict[str, int]) -> Any:
            return pytree.tree_map(lambda i: torch.ones(v[symbols[i]]), arguments)

        values = [dict(zip(symbols, sizes, strict=True))
                  for sizes in [(2, 3, 4, 5), (6, 3, 4, 5), (2, 5, 4, 5), (2, 3, 5, 5), (2, 3, 4, 2)]]
        self.assertEqual(self.check(head, ["n < m", "Ne(k, 5)", "m < p"], call, values), 4)

    def test_integers(self) -> None:
        head = ("graph(%x : f32[n], %s : SymInt(s)) {\n  !guards = GUARDS\n"
                "  %a : f32[n] = aten.add.Tensor(%x, 1)\n  return %a\n}\n")
        values = [{"n": n, "s": s} for n, s in [(2, 5), (5, 3), (3, 3), (4, 8)]]
        self.assertEqual(self.check(head, ["s >= n"], lambda v: ((torch.ones(v["n"]), v["s"]), {}), values), 1)

    def exported(self) -> Path:
        """Returns a program with a size that is Dim.DYNAMIC. torch.export adds an attribute to its example input."""
        class Rows(torch.nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return x * x.shape[1]

        path = self.folder / "dynamic.pt2"
        x = torch.arange(12.0).reshape(4, 3)
        torch.export.save(torch.export.export(Rows(), (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},)), path)
        self.assertTrue(hasattr(x, "_specialize_on"))
        return path

    def test_examples_with_attributes_are_kept(self) -> None:
        path, copy = self.exported(), self.folder / "copy.pt2"
        for command in (["convert"], ["opt", "--passes", "eliminate_dead_code"]):
            self.assertEqual(fxcpp(command[0], str(path), *command[1:], "-o", str(copy)).stderr, "")
            loaded = torch.export.load(copy)
            self.assertTrue(torch.equal(loaded.example_inputs[0][0], torch.arange(12.0).reshape(4, 3)))
            self.assertTrue(is_accepted(loaded.module(), (torch.ones(5, 3),), {}))
            self.assertFalse(is_accepted(loaded.module(), (torch.ones(5, 4),), {}))

    def test_ignored_examples_are_reported(self) -> None:
        path, other, copy = self.exported(), self.folder / "other.pt2", self.folder / "copy.pt2"
        examples = io.BytesIO()
        torch.save(((range(3),), {}), examples)
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
            for entry in old.namelist():
                new.writestr(entry, examples.getvalue() if "sample_inputs" in entry else old.read(entry))
        for command in (["convert"], ["opt", "--passes", "eliminate_dead_code"], ["emit", "--to", "pt2"]):
            done = fxcpp(command[0], str(other), *command[1:], "-o", str(copy))
            self.assertIn("other.pt2: note: ", done.stderr, command)
            self.assertIn("ignored the example inputs", done.stderr, command)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Guards.seed = int(sys.argv.pop(1))
    if len(sys.argv) > 1:
        Guards.count = int(sys.argv.pop(1))
    unittest.main()
