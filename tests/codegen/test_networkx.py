#!/usr/bin/env python3
"""Compares `fxcpp emit --to networkx` and `fxcpp shape --walk` with networkx and torch.

The file loads as a MultiDiGraph with keys (source, target, index). Edges have the recorded shapes
and dtypes, and memory formats that follow torch.fx's rule. node_call_info has the names and
defaults in PyTorch's schemas. The edges of breadth-first walks are the same as those of networkx.edge_bfs.
Exit status: 0 if equal, 1 if different, 77 without networkx or torch.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from typing import Any

try:
    import networkx as nx
    import torch
    from torch.fx.passes.shape_prop import _extract_tensor_metadata
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
CORPUS = Path(os.environ.get("FXCPP_CORPUS", "../shared/corpus"))

# Two edges between the same nodes, a tuple result, and a node without users.
SMALL = """fx 1
graph(%x : f32[2, 3], %y : f32[3]) {
  %sq : f32[2, 3] = aten.mul.Tensor(%x, %x)
  %add : f32[2, 3] = aten.add.Tensor(%sq, %y)
  %cat : f32[6, 3] = aten.cat.default([%add, %sq, %add])
  %max : (f32[6], i64[6]) = aten.max.dim(%cat, 1)
  %values : f32[6] = operator.getitem(%max, 0)
  %indices : i64[6] = operator.getitem(%max, 1)
  %unread : f32[6] = aten.neg.default(%values)
  return (%values, %indices, %x)
}
"""


def fxcpp(*words: Any) -> str:
    run = subprocess.run([FXCPP, *map(str, words)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"{words}: {run.stderr}"
    return run.stdout


def load(path: Path, *more: str) -> nx.MultiDiGraph:
    graph = nx.node_link_graph(json.loads(fxcpp("emit", path, "--to", "networkx", *more)),
                               edges="edges")
    assert isinstance(graph, nx.MultiDiGraph)
    return graph


def corpus_joint_graphs() -> list[Path]:
    return sorted(CORPUS.glob("*/joint.json"))


def names_in(argument: Any) -> list[str]:
    if isinstance(argument, dict):
        if set(argument) == {"n"}:
            return [argument["n"]]
        return [n for item in argument.values() for n in names_in(item)]
    if isinstance(argument, list):
        return [n for item in argument for n in names_in(item)]
    return []


def schema_of(target: str) -> Any:
    namespace, name, overload = target.split(".")
    return getattr(getattr(getattr(torch.ops, namespace), name), overload)._schema


def plain(value: Any) -> Any:
    """Returns a default value from a schema in the form that the file uses."""
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return {"f": str(value)}
    return value


class Small(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "small.fx"
        self.path.write_text(SMALL)

    # parity: S10
    def test_edges_are_keyed_by_source_target_and_index(self) -> None:
        graph = load(self.path)
        self.assertEqual(sorted(k for _, _, k in graph.edges("x", keys=True)), [0, 0, 1])
        self.assertEqual(graph.number_of_edges("x", "sq"), 2)
        self.assertEqual(graph.number_of_edges("add", "cat"), 2)
        self.assertEqual(graph.edges["max", "indices", 0]["dtype"], "int64")
        self.assertEqual(graph.edges["max", "indices", 0]["shape"], [6])
        self.assertIn("unread", graph)

    # parity: D0b
    def test_call_info_has_names_and_defaults(self) -> None:
        info = load(self.path).nodes["add"]["node_call_info"]
        self.assertEqual(info["target"], "aten.add.Tensor")
        self.assertEqual(info["arguments"], {"self": {"n": "sq"}, "other": {"n": "y"}, "alpha": 1})
        info = load(self.path).nodes["max"]["node_call_info"]
        self.assertEqual(info["arguments"], {"self": {"n": "cat"}, "dim": 1, "keepdim": False})

    # parity: D0c
    def test_walks_equal_networkx_walks(self) -> None:
        graph = load(self.path)
        for sources in (["x"], ["y"], ["y", "x"], ["values"], ["sq", "sq"]):
            walk = [tuple(e[:3]) for e in json.loads(
                fxcpp("shape", self.path, "--walk", *sources, "--json"))]
            self.assertEqual(walk, list(nx.edge_bfs(graph, sources)), sources)

    def test_a_part_is_the_induced_subgraph(self) -> None:
        part, graph = load(self.path, "--around", "max", "--depth", "1"), load(self.path)
        self.assertEqual(set(part), {"cat", "max", "values", "indices"})
        self.assertEqual(set(part.edges(keys=True)),
                         set(graph.subgraph(set(part)).edges(keys=True)))

    def test_the_example_walks_and_pickles(self) -> None:
        data, kept = self.path.with_suffix(".json"), self.path.with_suffix(".pickle")
        data.write_text(fxcpp("emit", self.path, "--to", "networkx"))
        example = Path(__file__).parents[2] / "examples" / "networkx" / "walk.py"
        done = subprocess.run([sys.executable, example, data, "--pickle", kept],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("10 nodes, 14 edges", done.stdout)
        self.assertIn("  cat: [6, 3]", done.stdout)
        self.assertEqual(set(pickle.loads(kept.read_bytes())), set(load(self.path)))

    def test_unknown_names_are_rejected(self) -> None:
        run = subprocess.run([FXCPP, "emit", self.path, "--to", "networkx", "--around", "valuez"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("unknown node valuez", run.stderr)
        self.assertIn("values", run.stderr)


@unittest.skipUnless(CORPUS.is_dir(), "the corpus is missing")
class Corpus(unittest.TestCase):
    # parity: P2
    def test_every_joint_graph(self) -> None:
        self.assertTrue(corpus_joint_graphs())
        for path in corpus_joint_graphs():
            with self.subTest(path.parent.name):
                document = json.loads(path.read_text())
                graph = load(path)
                self.check_edges(document, graph)
                self.check_calls(document, graph)
                self.check_walks(path, document, graph)
                copy = pickle.loads(pickle.dumps(graph))
                self.assertTrue(nx.utils.graphs_equal(graph, copy))

    def check_edges(self, document: dict[str, Any], graph: nx.MultiDiGraph) -> None:
        nodes = document["graph"]["nodes"]
        vals = {n["name"]: n.get("val") for n in nodes}
        self.assertEqual(list(graph), [n["name"] for n in nodes])
        expected = Counter((source, n["name"]) for n in nodes
                           for source in [*names_in(n.get("args", [])),
                                          *names_in(n.get("kwargs", {}))])
        self.assertEqual(Counter((u, v) for u, v, _ in graph.edges(keys=True)), expected)
        calls = {n["name"]: n for n in nodes}
        for source, target, facts in graph.edges(data=True):
            val = vals[source]
            if isinstance(val, list) and calls[target]["target"] == "operator.getitem":
                val = val[calls[target]["args"][1]]
            if not isinstance(val, dict) or "t" not in val:
                continue
            self.assertEqual((facts["shape"], facts["dtype"]), (val["shape"], val["t"]))
            tensor = torch.empty_strided(val["shape"], val["stride"], dtype=getattr(torch, val["t"]),
                                         device="meta")
            form = _extract_tensor_metadata(tensor).memory_format
            self.assertEqual(facts["memory_format"],
                             None if form is None else str(form).removeprefix("torch."))

    def check_calls(self, document: dict[str, Any], graph: nx.MultiDiGraph) -> None:
        for node in document["graph"]["nodes"]:
            if not node["target"].startswith("aten."):
                continue
            info = graph.nodes[node["name"]]["node_call_info"]
            arguments = schema_of(node["target"]).arguments
            self.assertEqual(list(info["arguments"]),
                             [a.name for a in arguments if a.name in info["arguments"]])
            passed = dict(zip([a.name for a in arguments], node.get("args", [])))
            passed |= node.get("kwargs", {})
            for argument in arguments:
                if argument.name in passed:
                    self.assertEqual(info["arguments"][argument.name], passed[argument.name])
                elif argument.has_default_value():
                    self.assertEqual(info["arguments"][argument.name],
                                     plain(argument.default_value))

    def check_walks(self, path: Path, document: dict[str, Any], graph: nx.MultiDiGraph) -> None:
        walked: set[str] = set()
        for word in ("primals", "tangents"):
            sources = [i["name"] for i in document["inputs"]
                       if (i["kind"] == "tangent") == (word == "tangents")]
            self.assertEqual(graph.graph[word], sources)
            walk = json.loads(fxcpp("shape", path, "--walk", word, "--json"))
            self.assertEqual([tuple(e[:3]) for e in walk], list(nx.edge_bfs(graph, sources)))
            walked |= {e[0] for e in walk}
        # The walk visited each value that is reachable from an input and has users.
        reached = set().union(*(nx.descendants(graph, i["name"]) | {i["name"]}
                                for i in document["inputs"]))
        self.assertEqual(walked, {n for n in reached if graph.out_degree(n)})


if __name__ == "__main__":
    unittest.main()
