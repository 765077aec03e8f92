#!/usr/bin/env python3
"""Runs passes on graphs with regions of autocast and with changes of the default dtype, in which the
arguments of a call do not determine its dtype, and compares the results with those of the original
graph in PyTorch.

    test_dtype_modes.py [SEED [COUNT]]

Types are recorded for the inputs of a graph, or for all nodes. Exit status: 0 on success, 1 on failure,
77 without torch.
"""

from __future__ import annotations

import operator
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

try:
    import torch
    import torch.fx
    from safetensors.torch import load_file, save_file
    from torch.amp import autocast_mode
    from torch.fx.passes.shape_prop import ShapeProp
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
aten = torch.ops.aten
UNARY = [aten.neg.default, aten.relu.default, aten.exp.default, aten.silu.default, torch.sigmoid,
         torch.nn.functional.gelu, aten.t.default]
BINARY = [aten.add.Tensor, aten.mul.Tensor, torch.matmul, aten.mm.default, operator.add, operator.matmul]
IN_PLACE = [aten.mul_.Tensor, aten.add_.Tensor, operator.iadd]
PIPELINES = [
    "simplify", "eliminate_common_subexpressions", "lower_to_aten,simplify,eliminate_common_subexpressions",
    "lower_to_aten,decompose{set=all}", "functionalize", "lower_to_aten,functionalize,simplify",
    "lower_to_aten,reinplace", "fold_constants", "merge_matmul", "topological_sort", "remove_dropout",
    'partition{ops="aten.mm.default aten.neg.default aten.add.Tensor aten.mul.Tensor"}',
    'split_for_backend{ops="aten.mm.default aten.neg.default"}',
    "propagate_types,lower_to_aten,propagate_types,simplify,reinplace", "eliminate_dead_code"]
# Why a pass may refuse a graph.
REFUSALS = ("in a region with autocast or another default dtype", "is missing or incomplete",
            "accepts only ATen operators", "was built without libtorch")


def random_graph(rng: random.Random) -> torch.fx.GraphModule:
    root = torch.nn.Module()
    root.register_buffer("c", torch.randn(3, 3))
    graph = torch.fx.Graph()
    values = [graph.placeholder("x"), graph.placeholder("w"), graph.get_attr("c")]
    regions: list[torch.fx.Node] = []
    for _ in range(rng.randint(6, 16)):
        kind = rng.random()
        pick = [rng.choice(values) for _ in range(3)]
        if kind < 0.15:
            regions.append(graph.call_function(
                autocast_mode._enter_autocast, ("cpu", torch.bfloat16, rng.random() < 0.9, True)))
        elif kind < 0.28 and regions:
            graph.call_function(autocast_mode._exit_autocast, (regions.pop(),))
        elif kind < 0.31:
            graph.call_function(torch.set_default_dtype, (rng.choice([torch.float64, torch.float32]),))
        elif kind < 0.37:
            values.append(graph.call_function(torch.ones, (3, 3)))
        elif kind < 0.47:
            values.append(graph.call_method(rng.choice(["float", "bfloat16", "double"]), (pick[0],)))
        elif kind < 0.57:
            copy = graph.call_function(aten.clone.default, (pick[0],))
            graph.call_function(rng.choice(IN_PLACE), (copy, rng.choice([2.0, 0.5])))
            values.append(copy)
        elif kind < 0.75:
            values.append(graph.call_function(rng.choice(UNARY), (pick[0],)))
        else:
            values.append(graph.call_function(rng.choice(BINARY), (pick[0], pick[1])))
    while regions:
        graph.call_function(autocast_mode._exit_autocast, (regions.pop(),))
    graph.output(tuple(values[-4:]))
    return torch.fx.GraphModule(root, graph)


def run(module: torch.fx.GraphModule, args: list[torch.Tensor]) -> Any:
    try:
        return module.forward(*[arg.clone() for arg in args])  # __call__ prints errors
    finally:
        reset_modes()


def reset_modes() -> None:
    """Ends regions that an error or a change of the default dtype left."""
    torch.set_default_dtype(torch.float32)
    torch.set_autocast_enabled("cpu", False)
    torch.clear_autocast_cache()


class DtypeModes(unittest.TestCase):
    seed, count = 1, 8

    def opt(self, module: torch.fx.GraphModule, passes: str) -> torch.fx.GraphModule | None:
        """Returns the module after passes; None if a pass refuses it for one of REFUSALS."""
        with tempfile.TemporaryDirectory() as name:
            graph, after = Path(name) / "g.json", Path(name) / "after.json"
            graph.write_text(fx_export.dumps(fx_export.export(module)), encoding="ascii")
            save_file({"c": module.c.contiguous()}, Path(name) / "g.safetensors")
            for output in ("after.json", "after.safetensors"):
                done = subprocess.run(
                    [FXCPP, "opt", graph, "--passes", passes, "-o", Path(name) / output],
                    capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    is_expected = any(text in done.stderr for text in REFUSALS)
                    self.assertTrue(is_expected, f"{passes}: {done.stderr}")
                    return None
            result = fx_export.load(str(after))
            for part in result.modules():  # the file has a tensor of several modules once
                if "c" in part._buffers:
                    part.register_buffer("c", module.c)
            for path, tensor in load_file(Path(name) / "after.safetensors").items():
                owner, _, member = path.rpartition(".")
                if owner != "fxcpp":  # the graph itself
                    setattr(result.get_submodule(owner), member, tensor)
            return result

    def test_passes_keep_dtypes_and_values(self) -> None:
        compared = differs = 0
        for number in range(self.count):
            rng = random.Random(self.seed * 1000 + number)
            torch.manual_seed(number)
            args = [torch.randn(3, 3), torch.randn(3, 3)]
            while True:  # a product of different dtypes is an error
                module = random_graph(rng)
                try:
                    expected = run(module, args)
                    break
                except RuntimeError:
                    continue
            try:
                ShapeProp(module).propagate(*[arg.clone() for arg in args])
            finally:
                reset_modes()
            if number % 2 == 0:
                for node in module.graph.nodes:
                    if node.op != "placeholder":
                        node.meta.pop("tensor_meta", None)
            differs += any(value.dtype != torch.float32 for value in expected)
            for passes in PIPELINES:
                with self.subTest(number=number, passes=passes):
                    after = self.opt(module, passes)
                    if after is None:
                        continue
                    compared += 1
                    found = run(after, args)
                    self.assertEqual([v.dtype for v in found], [v.dtype for v in expected], module.code)
                    for value, right in zip(found, expected, strict=True):
                        # A rounding to bfloat16 differs by about 2^-8.
                        torch.testing.assert_close(value, right, rtol=1e-4, atol=1e-5, equal_nan=True)
        self.assertGreater(compared, 10 * self.count)
        self.assertGreater(differs, 0)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        DtypeModes.seed = int(sys.argv.pop(1))
    if len(sys.argv) > 1:
        DtypeModes.count = int(sys.argv.pop(1))
    unittest.main()
