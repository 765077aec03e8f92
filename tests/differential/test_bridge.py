#!/usr/bin/env python3
"""Tests scripts/fx_export.py: conversion of torch.fx graphs to interchange JSON and back.

Exit status: 0 on success, 1 on failure, 77 without torch. The last line is 'N passed, N failed'.
FXCPP_CORPUS is the folder of the corpus (by default ../shared/corpus, next to the repository).
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
sys.path[:0] = [str(HERE), str(REPOSITORY / "scripts")]

try:
    import torch
    import torch.fx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from torch import nn

import document_rules
import fx_export
import make_edits
import make_graphs
import reference_print
import traced_zoo

CORPUS = Path(os.environ.get("FXCPP_CORPUS", REPOSITORY.parent / "shared" / "corpus"))
GRAPHS = int(os.environ.get("FX_GRAPHS", "120"))


def lines(doc: Any) -> list[str]:
    return fx_export.dumps(doc).splitlines()


class AllGraphs(unittest.TestCase):
    """Checks all graphs of make_graphs."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.graphs = list(make_graphs.graphs(GRAPHS, seed=1000))

    def each(self, check: Callable[[str, Any], None]) -> None:
        for name, gm in self.graphs:
            with self.subTest(name):
                check(name, gm)

    def reload(self, gm: Any) -> Any:
        doc = json.loads(fx_export.dumps(fx_export.export(gm)))
        return (
            fx_export.load(doc)
            if isinstance(gm, torch.fx.GraphModule)
            else fx_export.load_graph(doc)
        )

    def test_texts_are_kept(self) -> None:
        def check(name: str, gm: Any) -> None:
            before, after = make_graphs.graph_of(gm), make_graphs.graph_of(self.reload(gm))
            self.assertEqual(make_graphs.listing(before), make_graphs.listing(after))
            if name != "built_arg_size":  # in torch.fx, only insert_arg keeps a Size
                self.assertEqual(make_graphs.tabular(before), make_graphs.tabular(after))

        self.each(check)

    def test_documents_are_kept(self) -> None:
        def check(name: str, gm: Any) -> None:
            before, after = fx_export.export(gm), fx_export.export(self.reload(gm))
            if before.get("warnings") == ["root module: hooks are not kept"]:
                del before["warnings"]
            if name != "built_arg_size":
                self.assertEqual(lines(before), lines(after))

        self.each(check)

    def test_nodes_are_kept(self) -> None:
        def check(name: str, gm: Any) -> None:
            before, after = make_graphs.graph_of(gm), make_graphs.graph_of(self.reload(gm))
            self.assertEqual(len(before.nodes), len(after.nodes))
            for a, b in zip(before.nodes, after.nodes):
                self.assertEqual((a.name, a.op), (b.name, b.op))
                self.assertEqual(
                    [n.name for n in a.all_input_nodes], [n.name for n in b.all_input_nodes]
                )
                self.assertEqual({n.name for n in a.users}, {n.name for n in b.users})
                if not isinstance(b.target, fx_export.FunctionStandIn):
                    self.assertEqual(a.target, b.target)

        self.each(check)

    def test_documents_follow_the_rules(self) -> None:
        def check(name: str, gm: Any) -> None:
            self.assertEqual(document_rules.violations(fx_export.export(gm)), [])

        self.each(check)

    def test_documents_determine_torch_printing(self) -> None:
        """A printer that uses only the document reproduces torch.fx's strings and names."""

        def check(name: str, gm: Any) -> None:
            graph, doc = make_graphs.graph_of(gm), fx_export.export(gm)
            printer = reference_print.Printer(doc)
            self.assertEqual(printer.listing(), make_graphs.listing(graph))
            self.assertEqual(printer.tabular(), make_graphs.tabular(graph))
            for node, encoded in zip(graph.nodes, doc["graph"]["nodes"]):
                derived = reference_print.base_name(encoded, doc.get("functions", {}))
                self.assertEqual(derived, graph._target_to_str(node.target))

        self.each(check)

    def test_function_rows(self) -> None:
        """The rules and rows of a document determine how torch.fx prints each function."""

        def check(name: str, gm: Any) -> None:
            rows = fx_export.export(gm).get("functions", {})
            for node in make_graphs.graph_of(gm).nodes:
                if node.op == "call_function":
                    key = fx_export.FunctionTable().key(node.target)
                    if f"{key}#2" not in rows:
                        row = fx_export.full_row(key, rows)
                        self.assertEqual(row, fx_export.actual_row(node.target), key)

        self.each(check)

    def test_metadata_is_kept(self) -> None:
        def check(name: str, gm: Any) -> None:
            before, after = make_graphs.graph_of(gm), make_graphs.graph_of(self.reload(gm))
            for a, b in zip(before.nodes, after.nodes):
                self.assertEqual(set(a.meta), set(b.meta))
                for key in ("stack_trace", "seq_nr", "partitioner_tag", "from_node"):
                    self.assertEqual(a.meta.get(key), b.meta.get(key), key)
                for key in ("original_aten", "source_fn_stack", "torch_fn", "tensor_meta"):
                    self.assertEqual(str(a.meta.get(key)), str(b.meta.get(key)), key)
                stacks = [str(dict(n.meta.get("nn_module_stack", {}))) for n in (a, b)]
                self.assertEqual(*stacks)
                self.assertEqual(_shape_of(a.meta.get("val")), _shape_of(b.meta.get("val")))

        self.each(check)


def _shape_of(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        sizes = (str(value.shape), str(value.stride()), str(value.storage_offset()))
        return sizes, value.dtype, value.device, value.requires_grad
    if isinstance(value, (list, tuple)):
        return [_shape_of(v) for v in value]
    return str(value)


class Modules(unittest.TestCase):
    def check_runs(self, model: nn.Module, *inputs: torch.Tensor) -> torch.fx.GraphModule:
        gm = torch.fx.symbolic_trace(model)
        doc = json.loads(fx_export.dumps(fx_export.export(gm)))
        again = fx_export.load(doc, gm.state_dict())
        torch.testing.assert_close(again(*inputs), gm(*inputs), rtol=0, atol=0)
        self.assertEqual(gm.code, again.code)
        return again

    def test_loaded_modules_compute_the_same_results(self) -> None:
        self.check_runs(traced_zoo.Mlp(4), torch.randn(2, 4))
        self.check_runs(traced_zoo.ConvNet().eval(), torch.randn(2, 3, 9, 9))
        self.check_runs(traced_zoo.Residual(), torch.randn(2, 3, 5, 5))
        self.check_runs(nn.Sequential(nn.LSTM(3, 4, 2)), torch.randn(5, 2, 3))
        self.check_runs(
            nn.Sequential(nn.Conv1d(1, 2, 3, padding_mode="circular")), torch.randn(1, 1, 8)
        )

    def test_constants_keep_their_data(self) -> None:
        class Constants(nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return x + torch.tensor([1.5, float("inf")]) * torch.tensor(3)

        self.check_runs(Constants(), torch.ones(2))

    def test_tied_parameters_stay_tied(self) -> None:
        again = self.check_runs(traced_zoo.Tied(), torch.tensor([[1, 2]]))
        self.assertIs(again.embed.weight, again.head.weight)

    def test_buffer_that_is_also_an_attribute_stays_one_tensor(self) -> None:
        gm = torch.fx.symbolic_trace(traced_zoo.Parameters())
        gm.register_buffer("held", torch.ones(2))
        object.__setattr__(gm, "held_too", gm.held)
        again = fx_export.load(fx_export.export(gm))
        self.assertIs(again.held_too, again.held)

    def test_kinds_of_state(self) -> None:
        gm = torch.fx.symbolic_trace(traced_zoo.Parameters())
        gm.register_buffer("volatile", torch.zeros(2, dtype=torch.int64), persistent=False)
        gm.register_parameter("missing", None)
        again = fx_export.load(fx_export.export(gm))
        self.assertIsInstance(again.weight, nn.Parameter)
        self.assertEqual(list(again.state_dict()), list(gm.state_dict()))
        self.assertIn("running", again.state_dict())
        self.assertNotIn("volatile", again.state_dict())
        self.assertEqual(again.volatile.dtype, torch.int64)
        self.assertIs(again.missing, None)
        self.assertEqual(again.inner.deep.shape, (2,))

    def test_hyperparameters_are_in_the_document(self) -> None:
        gm = torch.fx.symbolic_trace(traced_zoo.ConvNet().eval())
        entry = next(e for e in fx_export.export(gm)["modules"] if e["path"] == "conv1")
        self.assertEqual(entry["class"], "torch.nn.modules.conv.Conv2d")
        self.assertEqual(entry["attributes"]["stride"], {"tuple": [1, 2]})
        self.assertFalse(entry["training"])
        self.assertEqual(entry["parameters"]["weight"]["shape"], [6, 3, 3, 3])
        self.assertIsNone(entry["parameters"]["bias"])

    def test_graph_modules_keep_their_graphs(self) -> None:
        program = torch.export.export(_branches(), (torch.ones(3),))
        doc = fx_export.export(program.graph_module)
        again = fx_export.load(doc)
        self.assertEqual(sum("graph" in e for e in doc["modules"]), 2)
        self.assertEqual(again.true_graph_0.code, program.graph_module.true_graph_0.code)
        x = torch.ones(3)
        torch.testing.assert_close(again(x), program.graph_module(x))

    def test_unknown_classes_become_stand_ins(self) -> None:
        class Local(nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return x

        class Keep(torch.fx.Tracer):
            def is_leaf_module(self, m: nn.Module, name: str) -> bool:
                return True

        root = nn.Sequential(Local())
        gm = torch.fx.GraphModule(root, Keep().trace(root))
        doc = fx_export.export(gm)
        again = fx_export.load(doc)
        self.assertEqual(type(again.get_submodule("0")).__name__, "Local")
        self.assertEqual(lines(fx_export.export(again)), lines(doc))


def _branches_on_sizes(function: Callable[..., Any]) -> nn.Module:
    return type("Branch", (nn.Module,), {"forward": lambda self, x, y: function(x, y)})()


def _branches() -> nn.Module:
    import aten_zoo

    return aten_zoo._Branches()


class Details(unittest.TestCase):
    def graph(self, *args: Any, **kwargs: Any) -> torch.fx.Graph:
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        graph.output(graph.call_function(torch.relu, (x, *args), kwargs))
        return graph

    def through(self, value: Any) -> Any:
        doc = fx_export.export(self.graph(value))
        return list(fx_export.load_graph(doc).nodes)[1].args[1]

    def test_values_round_trip(self) -> None:
        for value in (
            None, True, 1, 1.0, -0.0, 1e300, "n", {"n": "x"}, {"tuple": [1]}, {"op": "x"}, {}, [],
            (),
            {1: "a", None: 2}, (1,), [(1,), [2]], slice(1, None, 2), range(1, 9, 2), ..., 2**70,
            b"\x00",
            {1, 2}, frozenset([3]), 1 - 2j, torch.float8_e4m3fn, torch.device("cuda:1"),
            torch.sparse_coo,
            torch.channels_last, torch.per_tensor_affine, traced_zoo.Color.RED, "\ud800",
            torch.relu,
            traced_zoo.Pair(1, [2]), torch.ops.aten.add.Tensor, torch.ops.aten.add, len, int,
            nn.Linear,
            torch.ops.higher_order.cond,
        ):  # fmt: skip
            with self.subTest(repr(value)):
                back = self.through(value)
                self.assertEqual((repr(back), back), (repr(value), value))
                kinds = (type(back), type(value))
                self.assertTrue(issubclass(kinds[0], kinds[1]) or issubclass(kinds[1], kinds[0]))

    def test_infinite_and_odd_numbers(self) -> None:
        for value in (float("inf"), float("-inf"), float("nan"), complex("nan+infj")):
            self.assertEqual(repr(self.through(value)), repr(value))

    def test_default_none_is_not_no_default(self) -> None:
        graph = torch.fx.Graph()
        graph.placeholder("a")
        graph.placeholder("b", default_value=None)
        first, second = fx_export.export(graph)["graph"]["nodes"]
        self.assertNotIn("args", first)
        self.assertEqual(second["args"], [None])

    def test_value_with_known_kind_is_kept(self) -> None:
        doc = fx_export.export(self.graph())
        doc["graph"]["nodes"][1]["val"] = {"tuple": [{"type": "bool"}]}  # as `fxcpp capture` writes
        again = fx_export.export(fx_export.load_graph(doc))
        self.assertEqual(again["graph"]["nodes"][1]["val"], {"tuple": [{"type": "bool"}]})

    def test_value_none_is_not_no_value(self) -> None:
        graph = torch.fx.Graph()
        graph.placeholder("a").meta["val"] = None
        graph.placeholder("b")
        again = list(fx_export.load_graph(fx_export.export(graph)).nodes)
        self.assertEqual([n.meta for n in again], [{"val": None}, {}])

    def test_functions_with_the_same_name_stay_distinct(self) -> None:
        def make(n: int) -> Any:
            return lambda x: x + n

        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        first, second = make(1), make(2)
        for f in (first, second, first):
            graph.create_node("call_function", f, (x,), {}, "f")
        doc = fx_export.export(graph)
        targets = [n["target"] for n in doc["graph"]["nodes"][1:]]
        self.assertEqual(targets, [targets[0], targets[0] + "#2", targets[0]])
        self.assertTrue(doc["functions"][targets[1]]["unresolved"])
        again = fx_export.load_graph(doc)
        nodes = list(again.nodes)
        self.assertIs(nodes[1].target, nodes[3].target)
        self.assertEqual(lines(fx_export.export(again)), lines(doc))

    def test_functions_that_torch_functional_hides(self) -> None:
        class Grid(torch.nn.Module):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return torch.meshgrid([x, x], indexing="ij")[0]

        doc = fx_export.export(torch.fx.symbolic_trace(Grid()))
        self.assertEqual(doc["graph"]["nodes"][1]["target"], "torch._VF.meshgrid")
        x = torch.ones(2)
        self.assertTrue(torch.equal(fx_export.load(doc)(x), Grid()(x)))

    def test_losses_are_reported(self) -> None:
        class Odd:
            pass

        graph = self.graph(Odd(), k=torch.zeros(100))
        node = list(graph.nodes)[1]
        node.meta["odd"] = Odd()
        node.meta[5] = 1
        node.meta["node"] = node
        found = "\n".join(fx_export.export(graph)["warnings"])
        for part in (
            "Odd is kept as text only",
            "the data of a constant tensor is not written",
            "meta key 5",
            "a node inside metadata",
        ):
            self.assertIn(part, found)

    def test_views_of_state_are_reported(self) -> None:
        class Model(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.register_buffer("b", torch.zeros(4, 3))
                self.register_buffer("c", self.b[:2])
                self.register_buffer("d", self.b[3])
                self.register_buffer("e", torch.zeros(0))
                self.w = self.tied = nn.Parameter(torch.zeros(2))
                self.sub = nn.Module()
                self.sub.register_buffer("alias", self.w.detach())

            def forward(self, x: torch.Tensor) -> Any:
                self.b[2].add_(x)  # records a constant that is a view of b
                return self.b + x, self.c, self.d, self.e, self.w, self.tied, self.sub.alias

        found = fx_export.export(torch.fx.symbolic_trace(Model())).get("warnings", [])
        pairs = ["b and c", "b and _tensor_constant0", "b and d", "w and sub.alias"]
        self.assertEqual(len(found), len(pairs), found)
        for pair in pairs:
            self.assertTrue(any(f"modules: {pair} share memory" in text for text in found), pair)

    def test_deep_metadata_is_truncated(self) -> None:
        graph = self.graph()
        loop: list[Any] = []
        loop.append(loop)
        list(graph.nodes)[1].meta["loop"] = loop
        self.assertIn("nested more than", fx_export.export(graph)["warnings"][0])

    def test_annotations(self) -> None:
        import typing

        kinds = (
            int,
            torch.Tensor,
            typing.List[int],
            typing.Optional[torch.Tensor],
            list[int],
            "Tensor",
        )
        for kind in (*kinds, typing.Tuple[int, ...], dict[str, float], int | None, typing.Any):
            text = fx_export._type_repr(kind)
            self.assertEqual(fx_export._type_repr(fx_export.parse_type(text)), text)
            self.assertNotIsInstance(fx_export.parse_type(text), fx_export.TypeText)
        self.assertIsInstance(fx_export.parse_type("no.such.Thing"), fx_export.TypeText)
        self.assertEqual(repr(fx_export.parse_type("print('hello')")), "print('hello')")

    def test_registered_classes(self) -> None:
        class Dollars:
            def __init__(self, n: int) -> None:
                self.n = n

        traced_zoo.Dollars = Dollars  # so that pickle can find it
        Dollars.__module__, Dollars.__qualname__ = "traced_zoo", "Dollars"
        fx_export.register_opaque(Dollars, lambda d: d.n, Dollars)
        self.assertEqual(self.through(Dollars(7)).n, 7)

    def test_symbols_have_ranges_and_hints(self) -> None:
        from torch.fx.experimental.proxy_tensor import make_fx

        gm = make_fx(lambda x: x.reshape(-1) * x.shape[0], tracing_mode="symbolic")(
            torch.ones(4, 5)
        )
        doc = fx_export.export(gm)
        self.assertEqual(sorted(f["hint"] for f in doc["symbols"].values()), [4, 5])
        self.assertTrue(all(f["min"] >= 0 for f in doc["symbols"].values()))
        self.assertEqual(lines(fx_export.export(fx_export.load(doc))), lines(doc))

    def test_branches_on_sizes_are_guards(self) -> None:
        from torch.fx.experimental.proxy_tensor import make_fx

        def branch(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return x + 1 if x.shape[0] * y.shape[0] > 20 else x - 1

        sample = (torch.ones(6, 3), torch.ones(8, 3))
        gm = make_fx(branch, tracing_mode="symbolic")(*sample)
        program = torch.export.export(
            _branches_on_sizes(branch), sample, dynamic_shapes=({0: torch.export.Dim.AUTO},) * 2
        )
        for module in (gm, program.graph_module):
            document = fx_export.export(module)
            self.assertEqual(len(document["guards"]), 1)
            self.assertRegex(document["guards"][0], r"^s\d+\*s\d+ > 20$")
            again = fx_export.export(fx_export.load(document))
            self.assertEqual(again["guards"], document["guards"])
        self.assertNotIn("guards", fx_export.export(make_fx(lambda x: x + 1)(torch.ones(2))))

    def test_nodes_may_precede_their_operands(self) -> None:
        graph = dict(traced_zoo.built())["out_of_order"]
        again = fx_export.load_graph(fx_export.export(graph))
        with self.assertRaises(RuntimeError):
            again.lint()

    def test_names_continue_after_reading(self) -> None:
        graph = torch.fx.symbolic_trace(traced_zoo.Mlp(2, 2)).graph
        again = fx_export.load_graph(fx_export.export(graph))
        with again.inserting_before(again.output_node()), graph.inserting_before(
            graph.output_node()
        ):
            nodes = [g.call_function(torch.relu, (list(g.nodes)[0],)) for g in (graph, again)]
        self.assertEqual(nodes[0].name, nodes[1].name)

    def test_error_messages(self) -> None:
        graph = self.graph()
        a, b, _ = graph.nodes
        b.name = a.name
        other_graph = self.graph(a)
        cases = [
            (lambda: fx_export.export(graph), "duplicate name 'x'"),
            (lambda: fx_export.export(other_graph), "belongs to a different graph"),
            (lambda: fx_export.load({"format": 3, "graph": {}}), "must have 'format' 1 or 2"),
            (lambda: fx_export.load(_document(args=[{"n": "y"}])), "unknown node 'y'"),
            (lambda: fx_export.load(_document(args=[{"what": 1}])), "unknown argument form"),
            (lambda: fx_export.load(_document(args=[{}])), "unknown argument form"),
        ]
        for action, message in cases:
            with self.assertRaisesRegex(fx_export.ExportError, message):
                action()
        with self.assertRaisesRegex(TypeError, "symbolic_trace"):
            fx_export.export(nn.ReLU())

    def test_layout_of_a_file(self) -> None:
        doc = _document(args=[None])
        doc["inputs"] = [{"name": "x", "kind": "user_input"}]
        doc["graph"]["subgraphs"] = {"body": {"nodes": []}}
        expected = """{
"format":2,
"graph":{
 "nodes":[
  {"name":"output","op":"output","target":"output","args":[null]}
 ],
 "subgraphs":{
  "body":{
   "nodes":[]
  }
 }
},
"inputs":[
 {"name":"x","kind":"user_input"}
]
}
"""
        self.assertEqual(fx_export.dumps(doc), expected)


def _document(args: list[Any]) -> dict[str, Any]:
    node = {"name": "output", "op": "output", "target": "output", "args": args}
    return {"format": 2, "graph": {"nodes": [node]}}


class Edits(unittest.TestCase):
    def test_records_are_self_contained(self) -> None:
        for seed in range(60):
            record = json.loads(json.dumps(make_edits.sequence(seed, 50)))
            self.assertEqual(make_edits.replayed(record), record)

    def test_every_edit_occurs_and_some_are_rejected(self) -> None:
        edits = [e for seed in range(60) for e in make_edits.sequence(seed, 50)["edits"]]
        self.assertEqual({e["do"] for e in edits}, set(make_edits.WEIGHTS))
        rejected = {e["do"] for e in edits if "error" in e}
        self.assertEqual(rejected, {"erase", "graph_copy", "insert_arg", "update_arg"})


class Command(unittest.TestCase):
    def run_command(self, *arguments: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = fx_export.main(list(arguments))
        return status, out.getvalue()

    def test_export_print_check(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for how, inputs in (("symbolic", []), ("aten", ["f32:2,8"]), ("joint", ["f32:2,8"])):
                file = f"{folder}/{how}.json"
                options = [x for i in inputs for x in ("--input", i)]
                status, _ = self.run_command(
                    "export", "traced_zoo:Mlp", *options, "--trace", how, "-o", file
                )
                self.assertEqual(status, 0)
                self.assertIn("unchanged after reading", self.run_command("check", file)[1])
                self.assertIn("graph():", self.run_command("print", file)[1])

    def test_bad_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bad = Path(folder) / "bad.json"
            bad.write_text("{")
            self.assertEqual(self.run_command("print", str(bad))[0], 1)
            self.assertEqual(self.run_command("print", f"{folder}/missing.json")[0], 1)


@unittest.skipUnless(CORPUS.is_dir(), f"no corpus at {CORPUS}")
class Corpus(unittest.TestCase):
    def documents(self) -> Any:
        for file in sorted(CORPUS.glob("*/*.json")):
            text = file.read_text()
            if '"graph"' in text:
                with self.subTest(str(file.relative_to(CORPUS))):
                    yield json.loads(text), text

    def test_nodes_are_kept(self) -> None:
        for doc, _ in self.documents():
            again = fx_export.export(fx_export.load(doc))
            for a, b in zip(doc["graph"]["nodes"], again["graph"]["nodes"], strict=True):
                if a.get("val", 0) is None:  # format 1: unknown
                    del a["val"]
                self.assertEqual(json.dumps(a), json.dumps(b))
            for key in doc.keys() - {"graph", "format"}:
                self.assertEqual(doc[key], again[key])
            self.assertNotIn("warnings", again)

    def test_files_follow_the_layout(self) -> None:
        for doc, text in self.documents():
            self.assertEqual(fx_export.dumps(doc), text)
            self.assertEqual(document_rules.violations(doc), [])


def main() -> int:
    warnings.filterwarnings("ignore")
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = {case.id().split(" ")[0] for case, _ in result.failures + result.errors}
    for case, reason in result.skipped:
        print(f"skipped: {case.id()}: {reason}")
    print(f"{result.testsRun - len(failed) - len(result.skipped)} passed, {len(failed)} failed")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
