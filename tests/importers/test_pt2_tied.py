#!/usr/bin/env python3
"""Tests that .pt2 archives written by fxcpp keep tied tensors: they have one input, so that PyTorch
computes the whole gradient, and all paths in the state dict. All members are read from the data file
next to the graph.

Exit status: 0 on success, 1 on failure, 77 without torch.
"""

from __future__ import annotations

import copy
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

try:
    import torch
    import torch.fx
    from torch import nn
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
X = torch.tensor([[1.0, 2.0], [3.0, 4.0], [0.5, -1.0]])


class Net(nn.Module):
    """A tied weight, a tied buffer, and buffers that the graph does not use."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(2, 2), nn.Linear(2, 2)
        self.second.weight = self.first.weight
        self.norm = nn.BatchNorm1d(2).eval()
        self.register_buffer("scale", torch.tensor([2.0, 3.0]))
        self.register_buffer("factor", self.scale)

    def forward(self, x: Any) -> Any:
        y = self.norm(self.second(self.first(x * self.scale)))
        return (y * self.factor * self.second.weight[0]).sum()


def run(*command: object) -> None:
    done = subprocess.run([FXCPP, *map(str, command)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


class Tied(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        self.module = Net()

    def check(self, file: Path) -> None:
        """Compares results, gradients and members with those of the module."""
        eager = copy.deepcopy(self.module)
        expected = eager(X)
        expected.backward()
        program = torch.export.load(file)
        loaded = program.module()
        result = loaded(X)
        result.backward()
        self.assertTrue(torch.equal(result, expected))
        gradients = {name: parameter.grad for name, parameter in loaded.named_parameters()}
        for name, parameter in eager.named_parameters():
            self.assertTrue(torch.equal(gradients.pop(name), parameter.grad), name)
        self.assertEqual(gradients, {})
        state = eager.state_dict()
        self.assertEqual(set(program.state_dict), set(state))
        for name, tensor in state.items():
            self.assertTrue(torch.equal(program.state_dict[name], tensor), name)

    def test_gradients(self) -> None:
        graph = self.work / "net.json"
        self.module = torch.fx.symbolic_trace(self.module)
        fx_export.dump(self.module, graph)
        inputs = self.work / "graph.json"
        run("opt", graph, "--input", "x=f32[3, 2]", "--passes", "inline_layers,lower_to_aten,propagate_types",
            "-o", inputs)
        torch.save(self.module.state_dict(), self.work / "state.pt")
        written = self.work / "net.pt2"
        run("emit", inputs, "--to", "pt2", "--data", self.work / "state.pt", "-o", written)
        self.check(written)

    def test_data_file_next_to_the_graph(self) -> None:
        program, graph, written = (self.work / name for name in ("a.pt2", "b.json", "c.pt2"))
        torch.export.save(torch.export.export(self.module, (X,), strict=True), program)
        run("convert", program, "-o", graph)  # writes b.safetensors
        run("emit", graph, "--to", "pt2", "-o", written)
        self.check(written)
        passed = self.work / "d.pt2"
        run("opt", graph, "--passes", "eliminate_dead_code", "-o", passed)
        self.check(passed)
        text, converted = self.work / "e.fx", self.work / "f.pt2"
        run("convert", program, "-o", text)
        run("emit", text, "--to", "pt2", "-o", converted)  # a member of a .fx file has one path
        loaded = torch.export.load(converted).module()
        self.assertTrue(torch.equal(loaded(X), self.module(X)))


if __name__ == "__main__":
    unittest.main()
