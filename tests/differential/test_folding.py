#!/usr/bin/env python3
"""Compares fuse_conv_bn and fold_constants with torch.fx's `fuse` and split_const_subgraphs.

Runs both on generated networks. Listings, tensors and results must be equal. FXCPP_PASS_GRAPHS sets
the number of graphs (default 8; 0 means 200). Exit status: 0 if equal, 1 if different, 77 without
torch.
"""

from __future__ import annotations

import copy
import operator
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "scripts")]

try:
    import torch
    import torch.fx
    from safetensors.torch import load_file, save_file
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from torch import nn
from torch.fx.experimental.const_fold import split_const_subgraphs
from torch.fx.experimental.optimization import fuse

import fx_export

FXCPP = os.environ.get("FXCPP", str(HERE.parent.parent / "build" / "release" / "bin" / "fxcpp"))
COUNT = int(os.environ.get("FXCPP_PASS_GRAPHS", "8"))
GraphModule = torch.fx.GraphModule


def opt(gm: GraphModule, passes: str, tensors: dict[str, torch.Tensor]) -> tuple[Any, Any]:
    """Returns the graph after `fxcpp opt`, and the tensors of its module."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "g.json").write_text(fx_export.dumps(fx_export.export(gm)), encoding="ascii")
        save_file({k: t.contiguous() for k, t in tensors.items()}, folder / "g.safetensors")
        for after in ("after.json", "after.safetensors"):
            done = subprocess.run(
                [FXCPP, "opt", folder / "g.json", "--passes", passes, "--check-changed", "-o",
                 folder / after], capture_output=True, text=True, check=False)
            if "was built without libtorch" in done.stderr:
                raise unittest.SkipTest("fxcpp was built without libtorch")
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
        return fx_export.load(str(folder / "after.json")), load_file(folder / "after.safetensors")


def conv_net(seed: int) -> GraphModule:
    """Returns a network of convolutions and linear layers; a batch norm is the only user of some of
    them."""
    r = random.Random(seed)
    torch.manual_seed(seed)
    rank = r.choice((1, 2, 2, 3))
    conv = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[rank - 1]
    norm = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)[rank - 1]
    root = nn.Module()
    graph = torch.fx.Graph()
    values = [graph.placeholder("x")]

    def call(layer: nn.Module, value: torch.fx.Node) -> torch.fx.Node:
        name = f"layer{len(dict(root.named_children()))}"
        root.add_module(name, layer)
        return graph.call_module(name, (value,))

    def normed(value: torch.fx.Node) -> torch.fx.Node:
        layer = norm(4, eps=r.choice((1e-5, 1e-2)))
        nn.init.normal_(layer.weight)
        nn.init.normal_(layer.bias)
        layer.running_mean.normal_()
        layer.running_var.uniform_(0.5, 2)
        return call(layer, value)

    for _ in range(r.randrange(3, 9)):
        value = r.choice(values[-3:])
        kind = r.randrange(6)
        if kind < 3:
            size = r.choice((1, 3))
            new = call(conv(4, 4, size, padding=size // 2, groups=r.choice((1, 2, 4)),
                            bias=r.random() < 0.5), value)
            if r.random() < 0.3:
                values.append(new)  # it may gain another user, which prevents fusion
            if r.random() < 0.8:
                new = normed(new)
        elif kind == 3:
            new = normed(value)
        elif kind == 4:
            new = graph.call_function(torch.relu, (value,))
        else:
            new = graph.call_function(operator.add, (value, r.choice(values)))
        values.append(new)
    graph.output(tuple(values[-2:]))
    gm = GraphModule(root, graph).eval()
    gm.graph.eliminate_dead_code()
    gm.recompile()
    return gm


class Recorder(torch.fx.Interpreter):
    """Records values, so that the export writes their types: fuse_conv_bn requires ranks."""

    def run_node(self, n: torch.fx.Node) -> Any:
        n.meta["val"] = super().run_node(n)
        return n.meta["val"]


def sizes_of(gm: GraphModule) -> list[int]:
    ranks = [2 + int(type(m).__name__[4]) for m in gm.modules() if isinstance(m, nn.modules.conv._ConvNd)]
    ranks += [2 + int(type(m).__name__[9]) for m in gm.modules()
              if isinstance(m, nn.modules.batchnorm._BatchNorm)]
    return [2, 4, *[5] * ((ranks or [4])[0] - 2)]


def constant_net(seed: int) -> tuple[GraphModule, dict[str, torch.Tensor]]:
    """Returns a graph of calls, some of which depend only on parameters."""
    r = random.Random(seed)
    torch.manual_seed(seed)
    root = nn.Module()
    graph = torch.fx.Graph()
    inputs = [graph.placeholder("x"), graph.placeholder("y")]
    constants = []
    for i in range(r.randrange(1, 4)):
        root.register_parameter(f"w{i}", nn.Parameter(torch.randn(3, 3), requires_grad=False))
        constants.append(graph.get_attr(f"w{i}"))
    values = [*constants, *inputs]
    ops = torch.ops.aten
    for _ in range(r.randrange(4, 20)):
        a, b = r.choice(values[-7:]), r.choice(values)
        args: Any = r.choice((
            (ops.relu.default, (a,)), (ops.neg.default, (a,)), (ops.add.Tensor, (a, b)),
            (ops.mul.Tensor, (a, r.choice((2, 0.5)))), (ops.t.default, (a,)),
            (ops.mm.default, (a, b)), (ops.sub.Tensor, (a, b), {"alpha": r.choice((1, 2))})))
        values.append(graph.call_function(*args))
    # Add a use of an input at the end, so that not all calls are constant.
    values.append(graph.call_function(ops.add.Tensor, (values[-1], inputs[0])))
    graph.output(tuple(values[-3:]))
    gm = GraphModule(root, graph)
    gm.graph.eliminate_dead_code()
    gm.recompile()
    return gm, {k: p.detach() for k, p in gm.named_parameters()}


class Folding(unittest.TestCase):
    # parity: E1
    def test_fuse_conv_bn(self) -> None:
        fused = 0
        for seed in range(COUNT or 200):
            with self.subTest(seed):
                gm = conv_net(seed)
                want = fuse(copy.deepcopy(gm))
                state = {k: t for k, t in gm.state_dict().items() if t.dim() > 0}
                Recorder(gm.eval()).run(torch.randn(sizes_of(gm)))
                got, _ = opt(gm, "fuse_conv_bn", state)
                got.load_state_dict(gm.state_dict(), strict=False)
                x = torch.randn(sizes_of(gm))
                for a, b in zip(got.eval()(x), want(x), strict=True):
                    torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)
                remaining = [n.target for n in want.graph.nodes if n.op == "call_module" and isinstance(
                    want.get_submodule(n.target), nn.modules.batchnorm._BatchNorm)]
                ours = [n.target for n in got.graph.nodes if n.op == "call_module"
                        and "BatchNorm" in type(got.get_submodule(n.target)).__name__]
                self.assertEqual(ours, remaining)
                fused += sum("BatchNorm" in type(m).__name__ for m in gm.modules()) - len(remaining)
        print(f"fuse_conv_bn: {COUNT or 200} graphs, {fused} batch norms removed")
        self.assertGreater(fused, 0)

    # parity: E5
    def test_fold_constants(self) -> None:
        folded, without_libtorch = 0, False
        for seed in range(COUNT or 200):
            with self.subTest(seed):
                gm, tensors = constant_net(seed)
                try:
                    got, ours = opt(gm, "fold_constants", tensors)
                except unittest.SkipTest:
                    without_libtorch = True
                    raise
                want = split_const_subgraphs(copy.deepcopy(gm))
                inputs = torch.randn(3, 3), torch.randn(3, 3)
                expected = want(*inputs)  # torch.fx folds constants in the first call
                got.load_state_dict(gm.state_dict(), strict=False)
                for node in got.graph.nodes:
                    if node.op == "get_attr" and node.target not in tensors:
                        # Tensor files have no strides, but mm's rounding depends on them; the graph
                        # has strides.
                        value = node.meta["val"]
                        laid_out = torch.empty_strided(value.shape, value.stride())
                        setattr(got, node.target, laid_out.copy_(ours[node.target]))
                for a, b in zip(got(*inputs), expected, strict=True):
                    self.assertTrue(torch.equal(a, b))

                def calls(module: GraphModule) -> list[str]:
                    """Lists the calls of the module, except getitem and copies of constants, which
                    torch.fx returns without a copy."""
                    return [str(n.target) for n in module.graph.nodes if n.op == "call_function"
                            and n.target is not operator.getitem
                            and not (n.target is torch.ops.aten.clone.default
                                     and n.args[0].op == "get_attr")]

                self.assertEqual(calls(got), calls(want))
                folded += len(calls(gm)) - len(calls(got))
        if without_libtorch:
            self.skipTest("fxcpp was built without libtorch")
        print(f"fold_constants: {COUNT or 200} graphs, {folded} calls removed")
        self.assertGreater(folded, 0)

    def test_folded_constants_are_in_the_state(self) -> None:
        """Python loads a folded graph with its tensors, whichever file they come from."""
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        doubled = graph.call_function(torch.mul, (graph.call_function(torch.arange, (3,)), 2))
        graph.output(graph.call_function(torch.add, (x, doubled)))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            fx_export.dump(GraphModule(nn.Module(), graph), folder / "g.json")
            for words in (["opt", "g.json", "--passes", "lower_to_aten,fold_constants", "-o", "folded.safetensors"],
                          ["opt", "g.json", "--passes", "lower_to_aten,fold_constants", "-o", "a.json"],
                          ["convert", "folded.safetensors", "-o", "b.json"]):
                done = subprocess.run([FXCPP, *words], cwd=folder, capture_output=True, text=True, check=False)
                if "was built without libtorch" in done.stderr:
                    self.skipTest("fxcpp was built without libtorch")
                self.assertEqual(done.returncode, 0, done.stderr)
            for file in ("a", "b"):
                state = load_file(folder / f"{file}.safetensors")
                self.assertEqual(list(state), ["_folded_0"])
                state["_folded_0"] = state["_folded_0"] + 1  # the state replaces the document's constant
                got = fx_export.load(folder / f"{file}.json", state)(torch.ones(3))
                self.assertEqual(got.tolist(), [2, 4, 6])
            with self.assertRaisesRegex(RuntimeError, "Unexpected"):
                fx_export.load(folder / "b.json", {"other": torch.ones(1)})


if __name__ == "__main__":
    unittest.main(verbosity=1)
