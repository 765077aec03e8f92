#!/usr/bin/env python3
"""Tests that writing a graph loses nothing silently: tensors are written next to the graph, modules
are kept or rejected, and parts that a file format cannot contain are reported on standard error.

Exit status: 0 on success, 1 on failure.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
Tensors = dict[str, tuple[list[int], list[float]]]


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FXCPP, *map(str, words)], capture_output=True, text=True, check=False)


HAS_TORCH = run("capture", "--list").returncode == 0


def write_safetensors(path: Path, tensors: Tensors) -> None:
    header: dict[str, object] = {}
    data = b""
    for name, (sizes, values) in tensors.items():
        start = len(data)
        data += struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": sizes, "data_offsets": [start, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def read_safetensors(path: Path) -> Tensors:
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    found: Tensors = {}
    for name, row in header.items():
        if name == "__metadata__" or row["dtype"] != "F32":
            continue
        begin, end = row["data_offsets"]
        values = struct.unpack(f"<{(end - begin) // 4}f", content[8 + length :][begin:end])
        found[name] = (row["shape"], list(values))
    return found


def value(shape: list[int], grad: bool = False) -> dict[str, object]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= size
    row: dict[str, object] = {"t": "float32", "shape": shape, "stride": strides}
    return row | {"rg": True} if grad else row


def linear(path: str) -> dict[str, object]:
    return {"path": path, "class": "torch.nn.modules.linear.Linear", "training": False,
            "attributes": {"in_features": 2, "out_features": 2},
            "parameters": {"weight": value([2, 2], True), "bias": value([2], True)}}


def graph_module(path: str, **additional: object) -> dict[str, object]:
    return {"path": path, "class": "torch.fx.graph_module.GraphModule", "training": False} | additional


def node(name: str, op: str, target: str, *args: object) -> dict[str, object]:
    return {"name": name, "op": op, "target": target} | ({"args": list(args)} if args else {})


def chain(*calls: tuple[str, str]) -> dict[str, object]:
    """Returns a graph that calls the modules consecutively on its input."""
    nodes = [node("x", "placeholder", "x")]
    for op, target in calls:
        nodes.append(node(f"n{len(nodes)}", op, target, {"n": nodes[-1]["name"]}))
    return {"nodes": nodes + [node("output", "output", "output", {"n": nodes[-1]["name"]})]}


def document(graph: dict[str, object], *modules: dict[str, object]) -> str:
    return json.dumps({"format": 2, "kind": "graph_module", "graph": graph,
                       "modules": [graph_module(""), *modules]})


FOLDED = """graph(%n : f32[2]) {
  %w : f32[2] = get_attr w
  %y : f32[2] = aten.mul.Tensor(%w, 2)
  return (%y, %n)
}
"""


class KeptFiles(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def write(self, name: str, text: str) -> Path:
        (self.path / name).write_text(text)
        return self.path / name

    def ok(self, *words: object) -> subprocess.CompletedProcess[str]:
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    # ---- modules

    def test_called_modules_are_kept_or_rejected(self) -> None:
        layers = self.write("layers.json", document(
            chain(("call_module", "0"), ("call_function", "torch.relu"), ("call_module", "1")),
            linear("0"), linear("1")))
        for command in ("convert", "opt"):
            additional = [] if command == "convert" else ["--passes", "eliminate_dead_code"]
            for extension in (".fx", ".fxb"):
                with self.subTest(command + extension):
                    out = self.path / f"{command}{extension}"
                    done = run(command, layers, *additional, "-o", out)
                    self.assertEqual(done.returncode, 1)
                    self.assertIn("the modules that it calls would be lost (0, 1)", done.stderr)
                    self.assertIn("--graph-only", done.stderr)
                    self.assertFalse(out.exists())
                    done = self.ok(command, layers, *additional, "-o", out, "--graph-only")
                    self.assertIn("does not contain the modules 0, 1", done.stderr)
                    self.assertTrue(out.exists())
            out = self.path / f"{command}.json"
            self.assertEqual(self.ok(command, layers, *additional, "-o", out).stderr, "")
            kept = json.loads(out.read_text())["modules"]
            self.assertEqual([m["path"] for m in kept], ["", "0", "1"])
            self.assertEqual(kept[1]["attributes"], {"in_features": 2, "out_features": 2})

    def test_rewrite_keeps_modules(self) -> None:
        layers = self.write("layers.json", document(chain(("call_module", "0")), linear("0")))
        rules = self.write("rules.fx", "graph @double_neg() {\n"
                           "  graph @pattern(%x) { %a = aten.neg.default(%x)  "
                           "%b = aten.neg.default(%a)  return %b }\n"
                           "  graph @replacement(%x) { return %x }\n}\n")
        out = self.path / "out.json"
        self.ok("rewrite", layers, "--rules", rules, "-o", out)
        self.assertEqual(len(json.loads(out.read_text())["modules"]), 2)
        done = run("rewrite", layers, "--rules", rules, "-o", self.path / "out.fx")
        self.assertEqual(done.returncode, 1)

    def test_unused_members_are_named(self) -> None:
        spare = graph_module("", buffers={"spare": value([2])})
        text = json.dumps({"format": 2, "graph": chain(("call_function", "torch.relu")),
                           "modules": [spare, linear("unused")]})
        done = self.ok("convert", self.write("g.json", text), "-o", self.path / "g.fx")
        self.assertIn("does not contain the modules unused and the members spare", done.stderr)

    def test_bodies_of_control_flow_become_nested_graphs(self) -> None:
        body = chain(("call_function", "aten.neg.default"))
        nodes = [node("x", "placeholder", "x"), node("t", "get_attr", "t"),
                 node("f", "get_attr", "f"),
                 node("c", "call_function", "higher_order.cond", True, {"n": "t"}, {"n": "f"},
                      {"tuple": [{"n": "x"}]}),
                 node("output", "output", "output", {"n": "c"})]
        source = self.write("cond.json", document(
            {"nodes": nodes}, graph_module("t", graph=body), graph_module("f", graph=body)))
        out = self.path / "cond.fx"
        self.assertEqual(self.ok("convert", source, "-o", out).stderr, "")
        self.assertEqual(out.read_text().count("aten.neg.default"), 2)
        self.ok("verify", out)

    # ---- called graphs with members

    def inlined(self, graph: dict[str, object], *modules: dict[str, object]) -> str:
        source = self.write("calls.json", document(graph, *modules))
        return self.ok("opt", source, "--passes", "inline_calls").stdout.split("\ngraph @")[0]

    def test_a_called_graph_with_a_layer(self) -> None:
        inner = chain(("call_module", "fc"), ("call_function", "torch.relu"))
        text = self.inlined(chain(("call_module", "sub"), ("call_function", "torch.neg")),
                            graph_module("sub", graph=inner), linear("sub.fc"))
        self.assertIn("call_module sub.fc(%x)", text)
        self.assertNotIn("call_module sub(", text)

    def test_a_called_graph_with_a_parameter(self) -> None:
        inner = {"nodes": [node("x", "placeholder", "x"), node("w", "get_attr", "w"),
                           node("mul", "call_function", "torch.mul", {"n": "x"}, {"n": "w"}),
                           node("output", "output", "output", {"n": "mul"})]}
        text = self.inlined(chain(("call_module", "sub")),
                            graph_module("sub", graph=inner, parameters={"w": value([2], True)}))
        self.assertIn("= get_attr sub.w", text)

    def test_a_called_graph_in_a_called_graph(self) -> None:
        outer, inner = chain(("call_module", "in")), chain(("call_module", "fc"))
        text = self.inlined(chain(("call_module", "out")), graph_module("out", graph=outer),
                            graph_module("out.in", graph=inner), linear("out.in.fc"))
        self.assertIn("call_module out.in.fc(%x)", text)

    def test_a_graph_that_is_called_twice(self) -> None:
        text = self.inlined(chain(("call_module", "sub"), ("call_module", "sub")),
                            graph_module("sub", graph=chain(("call_module", "fc"))),
                            linear("sub.fc"))
        self.assertEqual(text.count("call_module sub.fc("), 2)

    # ---- tensors

    @unittest.skipUnless(HAS_TORCH, "folding requires libtorch")
    def test_folded_tensors_are_next_to_the_output(self) -> None:
        source = self.write("f.fx", FOLDED)
        write_safetensors(self.path / "f.safetensors", {"w": ([2], [1.0, 2.0]),
                                                        "n": ([2], [5.0, 6.0])})
        for extension in (".fx", ".json", ".fxb"):
            with self.subTest(extension):
                out = self.path / f"g{extension[1:]}{extension}"
                self.ok("opt", source, "--passes", "fold_constants", "-o", out)
                kept = read_safetensors(out.with_suffix(".safetensors"))
                self.assertIn(([2], [2.0, 4.0]), kept.values())
                self.assertNotIn("n", kept)  # an input, not a part of the graph
                self.ok("run", out, "--inputs", self.path / "f.safetensors")
        # A single file with the graph and its tensors.
        out = self.path / "whole.safetensors"
        self.ok("opt", source, "--passes", "fold_constants", "-o", out)
        self.assertIn(([2], [2.0, 4.0]), read_safetensors(out).values())
        # Text on standard output has no data file, so the command lists the tensors.
        done = self.ok("opt", source, "--passes", "fold_constants")
        self.assertIn("the text does not contain the tensors _folded_0", done.stderr)

    @unittest.skipUnless(HAS_TORCH, "folding requires libtorch")
    def test_the_data_file_of_the_output_keeps_its_other_tensors(self) -> None:
        source = self.write("f.fx", FOLDED)
        write_safetensors(self.path / "f.safetensors", {"w": ([2], [1.0, 2.0]),
                                                        "n": ([2], [5.0, 6.0])})
        self.ok("opt", source, "--passes", "fold_constants", "-o", source)
        kept = read_safetensors(self.path / "f.safetensors")
        self.assertEqual(kept["n"], ([2], [5.0, 6.0]))
        self.assertIn(([2], [2.0, 4.0]), kept.values())
        self.ok("run", source)

    def test_tensors_that_the_graph_uses_are_copied(self) -> None:
        source = self.write("f.fx", FOLDED)
        write_safetensors(self.path / "f.safetensors", {"w": ([2], [1.0, 2.0])})
        for out in ("a.json", "b.fxb", "c.fx"):
            self.ok("convert", source, "-o", self.path / out)
            kept = read_safetensors((self.path / out).with_suffix(".safetensors"))
            self.assertEqual(kept, {"w": ([2], [1.0, 2.0])})
            source = self.path / out  # convert one form to the other

    def test_a_file_with_another_graph_is_not_overwritten(self) -> None:
        source = self.write("f.fx", FOLDED)
        write_safetensors(self.path / "f.safetensors", {"w": ([2], [1.0, 2.0])})
        self.ok("convert", source, "-o", self.path / "net.safetensors")
        done = run("convert", self.path / "net.safetensors", "-o", self.path / "net.fx")
        self.assertEqual(done.returncode, 1)
        self.assertIn("it contains a graph with its tensors", done.stderr)
        self.ok("convert", self.path / "net.safetensors", "-o", self.path / "other.fx")
        self.assertEqual(read_safetensors(self.path / "other.safetensors"),
                         {"w": ([2], [1.0, 2.0])})

    def weights(self) -> Tensors:
        return {"0.weight": ([2, 2], [1.0, 2.0, 3.0, 4.0]), "0.bias": ([2], [1.0, -1.0])}

    def test_tensors_of_modules_are_read_and_written(self) -> None:
        source = self.write("m.json", document(chain(("call_module", "0")), linear("0")))
        write_safetensors(self.path / "m.safetensors", self.weights())
        self.ok("convert", source, "-o", self.path / "n.json")
        self.assertEqual(read_safetensors(self.path / "n.safetensors"), self.weights())
        self.ok("convert", self.path / "n.json", "-o", self.path / "o.safetensors")
        self.assertEqual(read_safetensors(self.path / "o.safetensors"), self.weights())

    def test_tensors_of_other_sizes_are_rejected(self) -> None:
        source = self.write("m.json", document(chain(("call_module", "0")), linear("0")))
        write_safetensors(self.path / "m.safetensors",
                          self.weights() | {"0.bias": ([3], [1.0, 2.0, 3.0])})
        done = run("convert", source, "-o", self.path / "n.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("0.bias", done.stderr)

    @unittest.skipUnless(HAS_TORCH, "folding requires libtorch")
    def test_weights_of_layers_fold(self) -> None:
        layer = {"path": "1", "class": "torch.nn.modules.conv.Conv1d", "training": False,
                 "attributes": {"in_channels": 1, "out_channels": 1, "kernel_size": {"tuple": [1]},
                                "stride": {"tuple": [1]}, "padding": {"tuple": [0]},
                                "dilation": {"tuple": [1]}, "groups": 1, "transposed": False,
                                "padding_mode": "zeros"},
                 "parameters": {"weight": value([1, 1, 1], True), "bias": value([1], True)}}
        norm = {"path": "2", "class": "torch.nn.modules.batchnorm.BatchNorm1d", "training": False,
                "attributes": {"num_features": 1, "eps": 0.0, "momentum": 0.1, "affine": True,
                               "track_running_stats": True},
                "parameters": {"weight": value([1], True), "bias": value([1], True)},
                "buffers": {"running_mean": value([1]), "running_var": value([1])}}
        source = self.write("c.json", document(
            chain(("call_module", "1"), ("call_module", "2")), layer, norm))
        write_safetensors(self.path / "c.safetensors", {
            "1.weight": ([1, 1, 1], [3.0]), "1.bias": ([1], [1.0]), "2.weight": ([1], [2.0]),
            "2.bias": ([1], [5.0]), "2.running_mean": ([1], [1.0]), "2.running_var": ([1], [4.0])})
        out = self.path / "d.json"
        self.ok("opt", source, "--input", "x=f32[2, 1, 4]", "--passes",
                "fuse_conv_bn,fold_constants", "-o", out)
        kept = read_safetensors(out.with_suffix(".safetensors"))
        self.assertIn(([1, 1, 1], [3.0]), kept.values())  # 3 * 2 / sqrt(4)
        self.assertIn(([1], [5.0]), kept.values())  # (1 - 1) * 1 + 5
        self.assertTrue(any(name.startswith("_folded_") for name in kept), list(kept))


if __name__ == "__main__":
    if not Path(FXCPP).exists():
        sys.exit(f"{FXCPP} does not exist")
    unittest.main()
