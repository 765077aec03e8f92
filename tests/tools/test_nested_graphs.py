#!/usr/bin/env python3
"""Tests that scripts/fx_export.py reads, and torch.fx runs, nested graphs that the command writes as
interchange JSON. Exit status: 0 on success, 1 on failure, 77 without torch.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")

COND = """graph(%p : b8[], %x : f32[2]) {
  graph @t(%x : f32[2]) { %a : f32[2] = aten.neg.default(%x) return (%a,) }
  graph @f(%x : f32[2]) { %a : f32[2] = aten.sin.default(%x) return (%a,) }
  %c : (f32[2],) = higher_order.cond(%p, @t, @f, (%x,))
  %y : f32[2] = operator.getitem(%c, 0)
  return %y
}
"""
NESTED = """graph(%p : b8[], %x : f32[2]) {
  graph @t(%p : b8[], %x : f32[2]) {
    graph @a(%x : f32[2]) { %a : f32[2] = aten.neg.default(%x) return (%a,) }
    graph @b(%x : f32[2]) { %a : f32[2] = aten.exp.default(%x) return (%a,) }
    %c : (f32[2],) = higher_order.cond(%p, @b, @a, (%x,))
    %y : f32[2] = operator.getitem(%c, 0)
    return (%y,)
  }
  graph @f(%p : b8[], %x : f32[2]) { %a : f32[2] = aten.sin.default(%x) return (%a,) }
  %c : (f32[2],) = higher_order.cond(%p, @t, @f, (%p, %x))
  %y : f32[2] = operator.getitem(%c, 0)
  return %y
}
"""
TWICE = """graph(%p : b8[], %x : f32[2]) {
  graph @t(%x : f32[2]) { %a : f32[2] = aten.neg.default(%x) return (%a,) }
  graph @f(%x : f32[2]) { %a : f32[2] = aten.sin.default(%x) return (%a,) }
  %c : (f32[2],) = higher_order.cond(%p, @t, @f, (%x,))
  %y : f32[2] = operator.getitem(%c, 0)
  %d : (f32[2],) = higher_order.cond(%p, @f, @t, (%y,))
  %z : f32[2] = operator.getitem(%d, 0)
  return %z
}
"""
READ = """graph(%p : b8[], %x : f32[2]) {
  graph @t(%x : f32[2]) { %a : f32[2] = aten.neg.default(%x) return (%a,) }
  graph @f(%x : f32[2]) { %a : f32[2] = aten.sin.default(%x) return (%a,) }
  %t = get_attr t
  %f = get_attr f
  %c : (f32[2],) = higher_order.cond(%p, %t, %f, (%x,))
  %y : f32[2] = operator.getitem(%c, 0)
  return %y
}
"""


class NestedGraphs(unittest.TestCase):
    def load(self, text: str, *passes: str) -> torch.fx.GraphModule:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "g.fx", Path(folder) / "g.json"
            source.write_text(text)
            command = "opt" if passes else "convert"
            subprocess.run([FXCPP, command, source, *passes, "-o", target], check=True)
            return fx_export.load(target)

    def run_nodes(self, gm: torch.fx.GraphModule, *inputs: torch.Tensor) -> torch.Tensor:
        """Runs a graph with torch.fx's interpreter; cond runs the selected branch."""

        class Run(torch.fx.Interpreter):
            def call_module(self, target, args, kwargs):  # type: ignore[no-untyped-def]
                return Run(self.fetch_attr(target)).run(*args, **kwargs)

            def call_function(self, target, args, kwargs):  # type: ignore[no-untyped-def]
                if target is torch.ops.higher_order.cond:
                    condition, yes, no, operands = args
                    return Run(yes if condition else no).run(*operands)
                return super().call_function(target, args, kwargs)

        result = Run(gm).run(*inputs)
        assert isinstance(result, torch.Tensor)
        return result

    def test_values(self) -> None:
        x = torch.tensor([0.5, -2.0])
        no, yes = torch.tensor(False), torch.tensor(True)
        for text, if_yes, if_no in (
            (COND, -x, x.sin()), (NESTED, x.exp(), x.sin()),
            (TWICE, (-x).sin(), -(x.sin())), (READ, -x, x.sin()),
        ):
            with self.subTest(text):
                gm = self.load(text)
                self.assertTrue(torch.equal(self.run_nodes(gm, yes, x), if_yes))
                self.assertTrue(torch.equal(self.run_nodes(gm, no, x), if_no))

    def test_graphs_in_called_modules(self) -> None:
        x = torch.tensor([0.5, -2.0])
        passes = ("--passes", 'split_for_backend{ops="operator.getitem"}')
        for text, if_yes, if_no in ((NESTED, x.exp(), x.sin()), (READ, -x, x.sin())):
            with self.subTest(text):
                gm = self.load(text, *passes)
                self.assertTrue(gm.graph.find_nodes(op="call_module", target="_run_on_cpu_0"))
                self.assertTrue(torch.equal(self.run_nodes(gm, torch.tensor(True), x), if_yes))
                self.assertTrue(torch.equal(self.run_nodes(gm, torch.tensor(False), x), if_no))

    def test_one_name_is_one_module(self) -> None:
        gm = self.load(TWICE)
        first, second = gm.graph.find_nodes(
            op="call_function", target=torch.ops.higher_order.cond)
        self.assertIs(first.args[1], second.args[2])

    def test_a_name_without_a_graph(self) -> None:
        doc = {"format": 2, "graph": {"nodes": [
            {"name": "c", "op": "call_function", "target": "torch.relu",
             "args": [{"graph": "missing"}]},
            {"name": "output", "op": "output", "target": "output", "args": [{"n": "c"}]}]}}
        with self.assertRaisesRegex(fx_export.ExportError, "unknown nested graph 'missing'"):
            fx_export.load(doc)


if __name__ == "__main__":
    unittest.main()
