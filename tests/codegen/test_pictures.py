#!/usr/bin/env python3
"""Compares the contents of pictures (`fxcpp emit --to dot|svg`) with torch.fx's FxGraphDrawer and
the graph files.

Each joint graph of the corpus must be drawn within the time limit for a picture, and elements of
the picture must not overlap (picture.py). Names and types of any kind are drawn as text. Exit
status: 0 on success, 1 on failure, 77 without torch, pydot or gvpr, or if fxcpp was built without
Graphviz.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

try:
    import pydot
    import torch
    from torch.fx.passes.graph_drawer import FxGraphDrawer
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402
import picture  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
CORPUS = Path(os.environ.get("FXCPP_CORPUS", "../shared/corpus"))
MAX_SECONDS = 10.0
GRAPHS = int(os.environ.get("FX_GRAPHS", "6"))
if shutil.which("gvpr") is None:
    print("not run: gvpr is missing (scripts/setup installs Graphviz's commands)")
    sys.exit(77)

SVG = "{http://www.w3.org/2000/svg}"

JOINT = """fx 1
graph @tiny(%w : f32[8, 4], %x : f32[3, 4], %t : f32[]) {
  %tw : f32[4, 8][1, 4] = aten.t.default(%w)
  %mm : f32[3, 8] = aten.mm.default(%x, %tw)
  %loss : f32[] = aten.sum.default(%mm)
  %expand : f32[3, 8][0, 0] = aten.expand.default(%t, [3, 8])
  %txg : f32[8, 3][0, 0] = aten.t.default(%expand)
  %dw : f32[8, 4] = aten.mm.default(%txg, %x)
  return (%loss, %dw)
}
"""


# The peak is at the boundary between forward and backward, in calls with long names.
MEMORY = """fx 1
graph(%x : f32[64, 64]) {
  %a_rather_long_name_of_a_call : f32[64, 64] = aten.relu.default(%x) !{region="fw"}
  %another_long_name_of_a_call : f32[64, 64] = aten.mul.Tensor(%a_rather_long_name_of_a_call, %x) !{region="fw"}
  %the_long_name_of_the_first_gradient : f32[64, 64] = aten.mul.Tensor(%another_long_name_of_a_call, %a_rather_long_name_of_a_call) !{region="bw"}
  %end : f32[64, 64] = aten.neg.default(%the_long_name_of_the_first_gradient) !{region="bw"}
  return %end
}
"""


def run(*words: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FXCPP, *map(str, words)], capture_output=True, text=True, check=False)


def fxcpp(*words: Any) -> str:
    done = run(*words)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def parse(dot: str) -> pydot.Dot:
    graphs = pydot.graph_from_dot_data(dot)
    assert graphs is not None and len(graphs) == 1, dot
    return graphs[0]


@dataclass
class Box:
    name: str
    label: str
    style: str
    color: str
    tooltip: str


# Graphviz's gvpr writes a record for each node and edge. It is a hundred times faster than pydot.
RECORDS = r"""
N { printf("N\037%s\037%s\037%s\037%s\037%s\036", $.name, $.label, $.style, $.fillcolor, $.tooltip); }
E { printf("E\037%s\037%s\037%s\036", $.tail.name, $.head.name, hasAttr($, "dir") ? $.dir : ""); }
"""


def read_dot(dot: str) -> tuple[list[Box], list[tuple[str, str]]]:
    """Returns the labeled boxes, except for the legend, and the edges, in the direction of data flow."""
    done = subprocess.run(["gvpr", RECORDS], input=dot, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, f"{dot}\n{done.stderr}"
    records = [record.split("\x1f") for record in done.stdout.split("\x1e")[:-1]]
    boxes = [Box(*fields) for kind, *fields in records if kind == "N"]
    edges = [(head, tail) if direction == "back" else (tail, head)
             for kind, tail, head, direction in (r for r in records if r[0] == "E")]
    return [box for box in boxes if box.label and box.name != "legend"], edges


def name_of(box: Box) -> str:
    """Returns the name of the node that the box draws."""
    found = re.search(r"<B>(.*?)</B>", box.label)
    assert found, box
    return found[1]


def names_of(dot: str) -> tuple[list[str], Counter[tuple[str, str]]]:
    """For a picture of all nodes, returns the node name of each box, and the edges between node
    names."""
    boxes, edges = read_dot(dot)
    names = {box.name: name_of(box) for box in boxes}
    return list(names.values()), Counter((names[tail], names[head]) for tail, head in edges)


def names_in(argument: Any) -> list[str]:
    if isinstance(argument, dict):
        if set(argument) == {"n"}:
            return [argument["n"]]
        return [n for item in argument.values() for n in names_in(item)]
    if isinstance(argument, list):
        return [n for item in argument for n in names_in(item)]
    return []


class Small(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text: str, name: str = "g.fx") -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    # parity: C14
    def test_draws_the_same_as_torch(self) -> None:
        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
                z = torch.add(x, y, alpha=2)
                return torch.relu(z) + torch.cat([z, z], 1).sum()

        traced = torch.fx.symbolic_trace(Net())
        drawn = FxGraphDrawer(traced, "net", normalize_args=False).get_dot_graph()
        theirs = {n.get_name().strip('"') for n in drawn.get_nodes()}
        their_edges = {(e.get_source().strip('"'), e.get_destination().strip('"'))
                       for e in drawn.get_edges()}
        fx_export.dump(traced, self.folder / "net.json")
        dot = fxcpp("emit", self.folder / "net.json", "--to", "dot", "--expand", "--calls")
        names, edges = names_of(dot)
        self.assertEqual(set(names), theirs)
        self.assertEqual(set(edges), their_edges)
        label = next(box.label for box in read_dot(dot)[0] if name_of(box) == "add")
        for words in ("op: call_function", "target: torch.add", "alpha: 2", "users: 2"):
            self.assertIn(words, label)

    def test_arguments_are_normalized_on_request(self) -> None:
        path = self.write("fx 1\ngraph(%x : f32[2]) {\n  %a : f32[2] = aten.add.Tensor(%x, 1)\n"
                          "  return %a\n}\n")
        self.assertNotIn("alpha: 1", fxcpp("emit", path, "--to", "dot", "--calls"))
        self.assertIn("alpha: 1", fxcpp("emit", path, "--to", "dot", "--calls", "--normalize"))

    def test_names_of_any_kind_are_text(self) -> None:
        """The graph's title, paths, classes and targets may be any user text."""
        special = '<b>&"\\N}{|]]>\'é漢 --> // # \x01'
        document = {"format": 2, "model": special, "kind": "forward", "symbols": {}, "inputs": [
            {"name": "x", "kind": "parameter", "target": special}], "outputs": [], "graph": {"nodes": [
                {"name": "x", "op": "placeholder", "target": "x"},
                {"name": "a", "op": "call_module", "target": special, "args": [{"n": "x"}],
                 "module": special},
                {"name": "b", "op": "call_method", "target": special, "args": [{"n": "a"}, special],
                 "module": special},
                {"name": "output", "op": "output", "target": "output", "args": [{"n": "b"}]}]}}
        path = self.write(json.dumps(document), "g.json")
        for flags in ([], ["--calls"], ["--expand"], ["--expand", "--calls"]):
            svg = fxcpp("emit", path, "--to", "svg", *flags)
            root = ET.fromstring(svg)  # well formed
            self.assertIsNone(root.find(f".//{SVG}b"))
            texts = "".join(root.itertext())
            self.assertIn("é漢", texts)
            read_dot(fxcpp("emit", path, "--to", "dot", *flags))

    def test_forward_and_backward_differ_without_color(self) -> None:
        path = self.write(JOINT)
        text = fxcpp("print", path, "--preset", "json")
        document = json.loads(text)
        for node in document["graph"]["nodes"]:
            if node["op"] == "call_function":
                node["region"] = "bw" if node["name"] in ("expand", "txg", "dw") else "fw"
        path = self.write(json.dumps(document), "g.json")
        drawn, _ = read_dot(fxcpp("emit", path, "--to", "dot", "--expand"))
        styles = {name_of(box): box for box in drawn}
        self.assertNotIn("dashed", styles["mm"].style)
        self.assertIn("dashed", styles["dw"].style)

        def lightness(box: Box) -> float:
            color = box.color.strip("#")
            r, g, b = (int(color[i:i + 2], 16) / 255 for i in (0, 2, 4))
            return 0.2126 * r + 0.7152 * g + 0.0722 * b

        self.assertGreater(lightness(styles["mm"]) - lightness(styles["dw"]), 0.1)

    def test_overlaps_are_found(self) -> None:
        """Tests picture.py: moves boxes, labels and lines of text onto each other."""
        svg = fxcpp("emit", self.write(JOINT), "--to", "svg", "--expand")
        self.assertEqual(picture.defects(svg), [])
        drawn = picture.picture_of(svg)
        self.assertGreater(len(drawn.labels), 3)

        def moved(kind: str, text: str) -> list[str]:
            """Replaces a group of this kind with a copy of another group. Returns the defects that
            contain the text."""
            groups = re.findall(rf'<g id="{kind}">.*?\n</a>\n</g>', svg, flags=re.DOTALL)
            self.assertGreater(len(groups), 1)
            return [f for f in picture.defects(svg.replace(groups[1], groups[0])) if text in f]

        self.assertTrue(moved(r"a_edge\d+&#45;label", "label"))
        self.assertTrue(moved(r"a_node\d+", "box"))
        lines = re.findall(r'<text[^>]* y="([^"]*)"', svg[svg.index(">mm</text>") - 200:])
        self.assertTrue(any("overlaps" in f for f in picture.defects(
            svg.replace(f'y="{lines[1]}"', f'y="{float(lines[0]) + 4}"'))))

    def calls(self, count: int, modules: int) -> Path:
        """Writes a chain of calls, `count` in each module or without modules."""
        lines = ["fx 1", "graph(%x : f32[2]) {"]
        last = "x"
        for i in range(count * max(modules, 1)):
            meta = f' !{{module="layer{i // count}"}}' if modules else ""
            lines.append(f"  %r{i} : f32[2] = aten.relu.default(%{last}){meta}")
            last = f"r{i}"
        return self.write("\n".join([*lines, f"  return %{last}", "}"]) + "\n")

    def test_modules_are_shown_if_the_picture_is_readable(self) -> None:
        def drawn(path: Path, *words: str) -> int:
            return len(picture.picture_of(fxcpp("emit", path, "--to", "svg", *words)).boxes)

        # Input, output and the legend are also boxes.
        self.assertEqual(drawn(self.calls(10, 10)), 10 + 3)
        self.assertEqual(drawn(self.calls(10, 10), "--expand"), 100 + 3)
        self.assertEqual(drawn(self.calls(100, 0)), 100 + 3)  # there are no modules to show
        self.assertEqual(drawn(self.calls(1, 100)), 100 + 3)  # each call has a separate module
        self.assertLess(drawn(self.calls(151, 0)), 40)
        self.assertEqual(drawn(self.calls(4, 5)), 20 + 3)
        self.assertEqual(drawn(self.calls(4, 5), "--collapse"), 5 + 3)
        done = run("emit", self.calls(4, 5), "--to", "svg", "--collapse", "--expand")
        self.assertEqual(done.returncode, 2)

    def test_boxes_without_edges_are_near_their_neighbors(self) -> None:
        """A counter that only its module writes to is drawn near its neighbors, not at the
        top of the frame."""
        path = self.write("""fx 1
graph(%x : f32[2], %n : i64[] !{input={"kind": "buffer", "target": "m.n"}}) {
  %a : f32[2] = aten.relu.default(%x) !{module="m"}
  %b : f32[2] = aten.relu.default(%a) !{module="m"}
  %add_ : i64[] = aten.add_.Tensor(%n, 1) !{module="m"}
  %c : f32[2] = aten.relu.default(%b) !{module="m"}
  return %c
}
""")
        svg = fxcpp("emit", path, "--to", "svg")
        self.assertEqual(picture.defects(svg), [])
        boxes = {box.name: box for box in picture.picture_of(svg).boxes}
        self.assertGreater(boxes["add_"].top, boxes["b"].bottom)

    def test_calls_between_list_items_belong_to_the_first_item(self) -> None:
        lines = [f'  %a{i} : f32[2] = aten.relu.default(%{"x" if i == 0 else f"b{i - 1}"}) '
                 f'!{{module="body.{i}.conv"}}\n  %b{i} : f32[2] = aten.neg.default(%a{i})'
                 for i in range(3)]
        path = self.write("\n".join(["fx 1", "graph(%x : f32[2]) {", *lines, "  return %b2", "}"]) + "\n")
        graph = parse(fxcpp("emit", path, "--to", "dot"))
        frames = {}
        def visit(inner: Any, frame: str) -> None:
            label = re.search(r">([^<>]+)</TD>", inner.get("label") or "")
            frame = f"{frame}.{label[1]}" if label else frame
            for node in inner.get_nodes():
                if name := re.search(r"<B>(.*?)</B>", node.get("label") or ""):
                    frames[name[1]] = frame.strip(".")
            for nested in inner.get_subgraphs():
                visit(nested, frame)
        visit(graph, "")
        self.assertEqual([frames[f"b{i}"] for i in range(3)], ["body.0", "body.1", ""])

    def test_a_requested_module_is_not_a_box(self) -> None:
        lines = [f'  %a{i} : f32[2] = aten.relu.default(%{"x" if i == 0 else f"a{i - 1}"}) '
                 f'!{{module="net.rnn"}}' for i in range(70)]
        path = self.write("\n".join(["fx 1", "graph(%x : f32[2]) {", *lines,
                                     '  %b : f32[2] = aten.neg.default(%a69) !{module="net"}',
                                     "  return %b", "}"]) + "\n")
        names = {box.name for box in picture.picture_of(
            fxcpp("emit", path, "--to", "svg", "--module", "net.rnn", "--collapse")).boxes}
        self.assertTrue({"a0", "a69", "b", "x"} < names or len(names) > 10, names)
        svg = fxcpp("emit", path, "--to", "svg", "--module", "net.rnn")
        self.assertIn("next to the selection", svg)
        self.assertEqual(picture.defects(svg), [])
        collapsed = fxcpp("emit", path, "--to", "svg", "--collapse")
        self.assertIn("rnn", {box.name for box in picture.picture_of(collapsed).boxes})
        self.assertNotIn("next to the selection", collapsed)

    def test_text_in_memory_plots_does_not_overlap(self) -> None:
        plot = self.folder / "memory.svg"
        fxcpp("shape", self.write(MEMORY), "--plot", plot)
        root = ET.parse(plot).getroot()
        words = [picture.text_box(t) for t in root.iter(f"{SVG}text")
                 for _ in [t.attrib.setdefault("font-size", "12")]]
        self.assertTrue(any("backward peak" in w.name for w in words))
        self.assertEqual(picture.overlapping(words, words, "{} overlaps {}"), [])
        lines = [picture.Rectangle(float(n.get("x1", "0")) - 1, float(n.get("y1", "0")) - 1,
                                   float(n.get("x2", "0")) + 1, float(n.get("y2", "0")) + 1, "a line")
                 for n in root.iter(f"{SVG}line") if n.get("stroke-dasharray")]
        self.assertEqual(len(lines), 1)
        self.assertEqual(picture.overlapping(words, lines, "{} overlaps {}"), [])

    def test_unknown_names_are_rejected(self) -> None:
        path = self.write(JOINT)
        for words in (["--around", "mmm"], ["--module", "layer9"]):
            done = run("emit", path, "--to", "svg", *words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words[1], done.stderr)


@unittest.skipUnless(CORPUS.is_dir(), "the corpus is missing")
class Corpus(unittest.TestCase):
    # FX_SLOWNESS allows for a machine under load. The limit is meant to detect layouts that hang.
    max_seconds = MAX_SECONDS * float(os.environ.get("FX_SLOWNESS", "1"))

    def draw(self, path: Path, *words: str) -> str:
        start = time.monotonic()
        svg = fxcpp("emit", path, "--to", "svg", *words)
        seconds = time.monotonic() - start
        print(f"{path.parent.name} {' '.join(words)}: {seconds:.2f} s, {len(svg) >> 10} KiB",
              flush=True)
        self.assertLess(seconds, self.max_seconds)
        self.assertEqual(picture.defects(svg), [])
        return svg

    def test_every_joint_graph_is_drawn_in_time(self) -> None:
        labels = 0
        for path in sorted(CORPUS.glob("*/joint.json"))[:: 1 if GRAPHS > 100 else 3]:
            with self.subTest(path.parent.name):
                drawn = picture.picture_of(self.draw(path))
                self.assertGreater(len(drawn.boxes), 5)
                labels += len(drawn.labels)
        self.assertGreater(labels, 50)  # pictures with many edges have no labels

    def test_passes_are_columns(self) -> None:
        left = 0
        for model in ("conv13d", "fake_quant", "lenet", "mlp", "vae"):
            with self.subTest(model):
                drawn = picture.picture_of(self.draw(CORPUS / model / "joint.json"))
                frames = {frame.name: frame for frame in drawn.frames}
                forward, backward = frames["cluster_forward"], frames["cluster_backward"]
                self.assertTrue(forward.right < backward.left or backward.right < forward.left)
                left += forward.right < backward.left
                for column, words in ((forward, "forward pass"), (backward, "backward pass")):
                    titles = [t for t in drawn.titles if t.name == words]
                    self.assertEqual(len(titles), 1)
                    self.assertTrue(column.contains(titles[0]))
                    self.assertGreater(sum(column.contains(box) for box in drawn.boxes), 3)
        self.assertGreaterEqual(left, 3)

    def test_the_largest_is_drawn_node_by_node(self) -> None:
        path = max(CORPUS.glob("*/joint.json"), key=lambda p: len(p.read_text().splitlines()))
        document = json.loads(path.read_text())
        texts = Counter("".join(g.itertext()).split("\n")[0]
                        for g in ET.fromstring(self.draw(path, "--expand")).iter(f"{SVG}title"))
        self.assertGreater(len(document["graph"]["nodes"]), 2000)
        self.assertGreaterEqual(sum(bool(re.fullmatch(r"n\d+", t)) for t in texts),
                                len(document["graph"]["nodes"]))

    def test_layouts_have_a_time_limit(self) -> None:
        """A short time limit results in a coarser picture or a message, within that limit."""
        path = CORPUS / "rnn_tagger" / "joint.json"
        start = time.monotonic()
        done = run("emit", path, "--to", "svg", "--expand", "--seconds", "0.01")
        self.assertLess(time.monotonic() - start, self.max_seconds)
        if done.returncode != 0:
            self.assertEqual(done.returncode, 1)
            self.assertIn("exceeds its time limit", done.stderr)

    def test_nodes_and_edges_match_the_files(self) -> None:
        for path in sorted(CORPUS.glob("*/joint.json")):
            document = json.loads(path.read_text())
            nodes = document["graph"]["nodes"]
            with self.subTest(path.parent.name):
                names, edges = names_of(fxcpp("emit", path, "--to", "dot", "--expand"))
                self.assertEqual(sorted(names), sorted(n["name"] for n in nodes))
                self.assertEqual(set(edges), {
                    (source, n["name"]) for n in nodes
                    for source in [*names_in(n.get("args", [])), *names_in(n.get("kwargs", {}))]})


@unittest.skipIf(run("capture", "--list").returncode, "fxcpp was built without libtorch")
class Zoo(unittest.TestCase):
    def test_no_edge_crosses_a_node(self) -> None:
        edges = 0
        with tempfile.TemporaryDirectory() as folder:
            for model, step in (("mlp", 1), ("gpt", 12)):
                path = Path(folder) / f"{model}.fx"
                fxcpp("capture", model, "--joint", "-o", path)
                calls = re.findall(r"^  %(\w+) :", path.read_text(), re.MULTILINE)
                for name in {*calls[::step], *{"add_1"}.intersection(calls)}:
                    with self.subTest(f"{model} {name}"):
                        svg = fxcpp("emit", path, "--to", "svg", "--around", name)
                        self.assertEqual(picture.defects(svg), [])
                        self.assertEqual(picture.hidden_edges(svg), [])
                        drawn = picture.picture_of(svg)
                        self.assertEqual(drawn.frames, [])
                        edges += len(drawn.lines)
        self.assertGreater(edges, 400)

    def test_forward_boxes_are_left_of_backward_boxes(self) -> None:
        """For each module, compares the positions of its two boxes, in any frame."""
        pairs = 0
        for model in ("lenet", "gpt", *(("resnet18", "unet") if GRAPHS > 100 else ())):
            with self.subTest(model), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "g.fx"
                fxcpp("capture", model, "--joint", "--mode", "fake", "-o", path)
                names: dict[tuple[str, str], str] = {}
                for box in read_dot(fxcpp("emit", path, "--to", "dot"))[0]:
                    if found := re.match(r"(.+?)\\n(forward|backward) pass, ", box.tooltip):
                        names[found[1], found[2]] = box.name
                boxes_by_title = {}
                svg = fxcpp("emit", path, "--to", "svg")
                self.assertEqual(picture.defects(svg), [])
                for group in ET.fromstring(svg).iter(f"{SVG}g"):
                    if group.get("class") == "node":
                        boxes_by_title[group.findtext(f"{SVG}title")] = picture.outline(group)
                for (module, region), box in names.items():
                    if region == "forward" and (other := names.get((module, "backward"))):
                        self.assertLess(boxes_by_title[box].right, boxes_by_title[other].left, module)
                        pairs += 1
        self.assertGreater(pairs, 40 if GRAPHS > 100 else 20)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        trial = Path(scratch) / "g.fx"
        trial.write_text(JOINT)
        if "without Graphviz" in run("emit", trial, "--to", "svg").stderr:
            print("not run: fxcpp was built without Graphviz's library")
            sys.exit(77)
    unittest.main()
