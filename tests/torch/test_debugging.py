#!/usr/bin/env python3
"""Compares the commands that find a faulty node (run --dump, diff --run, minimize) with torch.fx on
random graphs.

For a graph and a copy with some calls replaced: every dumped value is bit-equal to the value in
torch.fx's Interpreter; `diff --run` reports the results that differ, their differences, and the
first node that differs; `minimize` finds the calls that torch.fx's _MinimizerBase finds, each
separately. FX_GRAPHS sets the number of graphs.
"""

import contextlib
import copy
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FXCPP = os.environ.get("FXCPP")
GRAPHS = int(os.environ.get("FX_GRAPHS", "3"))

try:
    import torch
    import torch.fx
    from safetensors.torch import load_file, save_file
except ImportError:
    print("torch and safetensors are not installed")
    sys.exit(77)
if not FXCPP:
    print("FXCPP must be the path of the command")
    sys.exit(77)

from torch.fx.passes.net_min_base import _MinimizerBase, _MinimizerSettingBase

sys.path.insert(0, str(ROOT / "scripts"))
import fx_export

ops = torch.ops.aten
INPUTS = 2


def program(seed: int) -> torch.fx.GraphModule:
    """Returns a graph in which every value is f32[3, 4] and some calls are relu."""
    rng = random.Random(seed)
    graph = torch.fx.Graph()
    values = [graph.placeholder(f"x{i}") for i in range(INPUTS)]
    for _ in range(rng.randrange(6, 20)):
        a, b = rng.choice(values[-4:]), rng.choice(values)
        target, args = rng.choice((
            (ops.relu.default, (a,)), (ops.relu.default, (b,)), (ops.tanh.default, (a,)),
            (ops.add.Tensor, (a, b)), (ops.mul.Tensor, (a, 0.5)), (ops.sub.Tensor, (a, b))))
        values.append(graph.call_function(target, args))
    graph.output(tuple(values[-3:]))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


def replaced(gm: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """Returns a copy of the graph with tanh instead of relu."""
    other = copy.deepcopy(gm)
    for node in other.graph.nodes:
        if node.target == ops.relu.default:
            node.target = ops.tanh.default
    other.recompile()
    return other


class Values(torch.fx.Interpreter):
    def run_node(self, n: torch.fx.Node) -> object:
        value = super().run_node(n)
        if n.op != "output":
            n.meta["value"] = value
        return value


class Minimizer(_MinimizerBase):
    def run_a(self, mod, inputs, report_idx=-1):  # noqa: ANN001, ANN201
        return mod(*inputs)

    def run_b(self, mod, inputs, report_idx=-1):  # noqa: ANN001, ANN201
        other = replaced(mod)
        return other(*inputs)


def differ(a: object, b: object, _names: object) -> tuple[float, bool]:
    a, b = (x if isinstance(x, tuple) else (x,) for x in (a, b))
    return 0.0, all(torch.equal(x, y) for x, y in zip(a, b, strict=True))


class Debugging(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def fxcpp(self, *words: object) -> subprocess.CompletedProcess:
        return subprocess.run([FXCPP, *map(str, words)], cwd=self.folder, capture_output=True,
                              text=True, check=False)

    def save(self, seed: int) -> tuple[torch.fx.GraphModule, torch.fx.GraphModule, list]:
        gm = program(seed)
        other = replaced(gm)
        torch.manual_seed(seed)
        inputs = [torch.randn(3, 4) for _ in range(INPUTS)]
        save_file({f"x{i}": x for i, x in enumerate(inputs)}, self.folder / "data.safetensors")
        for name, module in (("a", gm), ("b", other)):
            Values(module).run(*inputs)
            text = fx_export.dumps(fx_export.export(module))
            (self.folder / f"{name}.json").write_text(text, encoding="ascii")
        return gm, other, inputs

    # parity: D2c
    def test_dumped_values_are_those_of_torch_fx(self) -> None:
        for seed in range(GRAPHS):
            gm, _, _ = self.save(seed)
            done = self.fxcpp("run", "a.json", "--inputs", "data.safetensors", "--dump",
                              "values.safetensors")
            self.assertEqual(done.returncode, 0, done.stderr)
            dumped = load_file(self.folder / "values.safetensors")
            want = {n.name: n.meta["value"] for n in gm.graph.nodes if n.op != "output"}
            self.assertEqual(dumped.keys(), want.keys())
            for name, value in want.items():
                self.assertTrue(torch.equal(dumped[name], value), f"{seed} {name}")

    # parity: D2b
    def test_the_first_node_that_differs(self) -> None:
        parted = 0
        for seed in range(GRAPHS):
            gm, other, _ = self.save(seed)
            done = self.fxcpp("diff", "a.json", "b.json", "--run", "--inputs", "data.safetensors")
            nodes = list(zip(gm.graph.nodes, other.graph.nodes, strict=True))
            results = gm.graph.find_nodes(op="output")[0].args[0]
            largest = {}
            for i, n in enumerate(results):
                counterpart = next(b for a, b in nodes if a is n)
                difference = (n.meta["value"] - counterpart.meta["value"]).abs().max().item()
                if difference:
                    largest[i] = difference
            self.assertEqual(done.returncode, 1 if largest else 0, done.stdout + done.stderr)
            reported = re.findall(r"^result (\d+): max \|difference\| (\S+)", done.stdout, re.MULTILINE)
            self.assertEqual([int(i) for i, _ in reported], list(largest))
            for i, difference in reported:
                self.assertAlmostEqual(float(difference), largest[int(i)], places=4)
            if largest:
                first = next(a for a, b in nodes if a.op == "call_function" and not torch.equal(
                    a.meta["value"], b.meta["value"]))
                self.assertIn(f"the first node that differs is {first.name} (", done.stdout)
                parted += 1
        self.assertGreater(parted, 0)

    # parity: D2c
    def test_minimize_finds_what_torch_fx_finds(self) -> None:
        found = 0
        for seed in range(GRAPHS):
            gm, _, inputs = self.save(seed)
            done = self.fxcpp(
                "minimize", "a.json", "--inputs", "data.safetensors", "--method", "sequential",
                "--all", "--passes",
                "replace_targets{from=aten.relu.default,to=aten.tanh.default}")
            settings = _MinimizerSettingBase(
                traverse_method="sequential", find_all=True, return_intermediate=False)
            # The results of calls without users are not compared.
            read = {n.name for n in gm.graph.nodes if n.users}
            with contextlib.redirect_stdout(io.StringIO()):
                want = {n.name for n in Minimizer(gm, inputs, differ, settings).minimize()} & read
            self.assertEqual(done.returncode, 1 if want else 0, done.stdout + done.stderr)
            reported = re.search(r"^faulty nodes: (.*)$", done.stdout, re.MULTILINE)
            self.assertEqual(set(reported[1].split(", ")) if reported else set(), want, f"seed {seed}")
            found += len(want)
        self.assertGreater(found, 0)
        print(json.dumps({"graphs": GRAPHS, "faulty calls": found}))


if __name__ == "__main__":
    unittest.main()
