#!/usr/bin/env python3
"""Tests that emitted Python and C++ keep tied tensors, which are at multiple paths of a module, and
reject writes to other tensors that share memory. The results must be equal to those of torch.fx.

Exit status: 0 on success, 1 on failure, 77 without torch or in a build without it.
"""

from __future__ import annotations

import copy
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

try:
    import torch
    import torch.fx
    from safetensors.torch import save_file
    from torch import nn
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

from cpp_models import FXCPP, TORCH

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

aten = torch.ops.aten
X = torch.tensor([[1.0, 2.0, 3.0]])


class Net(nn.Module):
    """The first path of `layer.weight` is not the one that the graph uses first."""

    def __init__(self) -> None:
        super().__init__()
        self.unused = nn.Linear(3, 3, bias=False)
        self.layer = nn.Linear(3, 3)
        self.head = nn.Linear(3, 3)
        self.layer.weight = self.head.weight = self.unused.weight
        self.register_buffer("steps", torch.zeros(3))
        self.register_buffer("count", self.steps, persistent=False)


def net() -> torch.fx.GraphModule:
    """Writes to a tied buffer and a tied weight, and reads them under another path."""
    root, graph = Net().requires_grad_(False), torch.fx.Graph()
    x = graph.placeholder("x")
    paths = ["steps", "head.weight", "count", "layer.weight", "layer.bias"]
    steps, head, count, layer, bias = (graph.get_attr(path) for path in paths)
    graph.call_function(aten.add_.Tensor, (steps, 1))
    graph.call_function(aten.mul_.Tensor, (head, 2))
    hidden = graph.call_function(aten.linear.default, (x, layer, bias))
    graph.output(graph.call_function(aten.add.Tensor, (hidden, count)))
    for node in graph.nodes:  # metadata for emit --modules
        if node.op == "get_attr" and "." in node.target:
            name = node.target.split(".")[0]
            node.meta["nn_module_stack"] = {name: (name, nn.Linear)}
    module = torch.fx.GraphModule(root, graph)
    module._modules = {"unused": root.unused, **module._modules}  # torch.fx copies only used modules
    return module


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


class Tied(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        self.graph, self.data = self.work / "net.json", self.work / "net.safetensors"

    def write(self, module: torch.fx.GraphModule) -> dict[str, torch.Tensor]:
        """Writes the graph, and the data with tied tensors under their first name."""
        fx_export.dump(module, self.graph)
        tensors = dict(module.named_parameters()) | dict(module.named_buffers())
        tensors = {name: tensor.detach().clone() for name, tensor in tensors.items()}
        self.expected = copy.deepcopy(module)(X)
        save_file({**tensors, "x": X, "out.0": self.expected}, self.data)
        return tensors

    def emit(self, *options: object) -> subprocess.CompletedProcess[str]:
        return run(FXCPP, "emit", self.graph, "--input", "x=f32[1, 3]", *options)

    def python(self) -> Any:
        file = self.work / "net.py"
        emitted = self.emit("--to", "python", "-o", file)
        self.assertEqual(emitted.returncode, 0, emitted.stderr)
        spec = importlib.util.spec_from_file_location("net", file)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def test_python_has_one_tensor(self) -> None:
        module = net()
        first = self.write(module)
        emitted = self.python()
        every = {"head.weight": first["unused.weight"].clone(), "layer.weight": first["unused.weight"].clone(),
                 "steps": first["steps"].clone(), "count": first["steps"].clone(), "layer.bias": first["layer.bias"]}
        for form in "load", "trace":
            for members in str(self.data), first, every, module.state_dict():
                results = getattr(emitted, form)(copy.deepcopy(members))(X)
                self.assertTrue(torch.equal(results, self.expected), form)
        loaded = emitted.load(str(self.data))
        self.assertIs(loaded.head.weight, loaded.layer.weight)
        every["count"] += 1
        with self.assertRaisesRegex(ValueError, "'steps' and 'count' must be equal"):
            emitted.load(every)

    def test_python_reads_the_names_of_tied_tensors_in_a_file(self) -> None:
        self.graph = self.work / "net.fx"  # without a module
        self.graph.write_text(
            "graph(%x : f32[1, 3]) {\n  %a : f32[3] = get_attr a\n  %b : f32[3] = get_attr b\n"
            "  %y = aten.add_.Tensor(%a, 1)\n  %z : f32[3] = aten.mul.Tensor(%b, 2)\n  return %z\n}\n")
        save_file({"a": torch.zeros(3)}, self.data, {"b": "a"})
        for form in "load", "trace":
            results = getattr(self.python(), form)(str(self.data))(X)
            self.assertTrue(torch.equal(results, torch.full((3,), 2.0)), form)
        save_file({"a": torch.zeros(3), "x": X, "out.0": torch.full((3,), 2.0)}, self.data, {"b": "a"})
        folder = self.work / "folder"
        self.assertEqual(self.emit("--to", "folder", "-o", folder).returncode, 0)
        self.assertIn("model.b = model.a;", (folder / "main.cpp").read_text())

    def test_cpp_has_one_member(self) -> None:
        self.write(net())
        flat = self.emit("--to", "cpp")
        self.assertIn("at::Tensor steps;  // f32[3], steps, count\n", flat.stdout, flat.stderr)
        self.assertIn('{"count", &steps},', flat.stdout)
        self.assertNotIn("at::Tensor count;", flat.stdout)
        folder = self.work / "folder"
        emitted = self.emit("--to", "folder", "--modules", "-o", folder)
        self.assertEqual(emitted.returncode, 0, emitted.stderr)
        configured = run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={TORCH}",
                         "-DCMAKE_BUILD_TYPE=Debug")
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = run("cmake", "--build", folder / "build")
        self.assertEqual(built.returncode, 0, built.stdout)
        checked = run(folder / "build" / "model", folder)
        self.assertIn("1 result compared: 1 bit-equal, 0 different", checked.stdout, checked.stderr)

    def test_the_data_of_a_tied_tensor_is_unique(self) -> None:
        first = self.write(net())
        save_file({**first, "count": torch.ones(3), "x": X}, self.data)
        emitted = self.emit("--to", "folder", "-o", self.work / "folder")
        self.assertIn('"steps" and "count" are one tensor in the module', emitted.stderr)

    def test_views_must_not_be_written(self) -> None:
        program = self.work / "views.pt2"

        class Views(nn.Module):
            def __init__(self, is_written: bool) -> None:
                super().__init__()
                self.register_buffer("whole", torch.zeros(4, 3))
                self.register_buffer("row", self.whole[1])
                self.is_written = is_written

            def forward(self, x: Any) -> Any:
                whole = self.whole.view(-1, 3)
                return (whole.add_(x) if self.is_written else whole + x) + self.row

        for is_written in True, False:
            module = Views(is_written)
            torch.export.save(torch.export.export(module, (X,)), program)
            for form in "python", "cpp":
                emitted = run(FXCPP, "emit", program, "--to", form)
                if is_written:
                    self.assertNotEqual(emitted.returncode, 0)
                    self.assertRegex(emitted.stderr, '"(whole|row)" and "(whole|row)" share memory.*functionalize')
                else:
                    self.assertEqual(emitted.returncode, 0, emitted.stderr)


if __name__ == "__main__":
    unittest.main()
