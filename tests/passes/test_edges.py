#!/usr/bin/env python3
"""Compares edge cases with eager mode: tests/edges has a file for each kind of error.

tests/edges/calls/*.fx: each call runs separately on tensors of its operands' types. `fxcpp shape`
must reject calls that eager mode rejects, and infer the types of eager mode's results otherwise.

tests/edges/passes/*.fx: each graph must have the same results, written inputs and shared memory
(docs/aliasing.md) after the pipelines in the comments before it (`# pipeline: ...`), and as emitted
Python. Eager mode rejects graphs with `# rejected:` comments; the pipelines in them must reject the
graph or return a graph that fails.

Exit status: 0 if equal, 1 if not, 77 without torch.
"""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY / "scripts"))

try:
    import torch
    import torch.fx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import fx_export

FXCPP = os.environ.get("FXCPP", str(REPOSITORY / "build" / "release" / "bin" / "fxcpp"))
EDGES = REPOSITORY / "tests" / "edges"
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
          "c64": torch.complex64, "c128": torch.complex128, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
          "u8": torch.uint8, "b8": torch.bool}  # fmt: skip
TYPE = re.compile(r"(\w+)\[([^\]*?]*)\](?:\[([^\]?]*)\])?(?:\{offset=(\d+)\})?")


@dataclass
class Edge:
    """A graph in a file, and the contents of the comments before it."""

    location: str
    text: str = ""
    pipelines: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)


def edges(folder: str) -> Iterator[Edge]:
    for path in sorted((EDGES / folder).glob("*.fx")):
        edge = Edge("")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("# pipeline: "):
                edge.pipelines.append(line[len("# pipeline: ") :])
            elif line.startswith("# rejected: "):
                edge.rejected.append(line[len("# rejected: ") :])
            if line.startswith("graph"):
                edge.location = f"{path.name}:{number}"
            if edge.location:
                edge.text += line + "\n"
            if line == "}":
                yield edge
                edge = Edge("")


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [FXCPP, *map(str, words)], capture_output=True, text=True, check=False
    )


@functools.cache
def pass_rows() -> list[dict[str, Any]]:
    """The guarantees in the row of each pass."""
    return json.loads(run("passes", "--json").stdout)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",") if word.strip()]


def tensor(text: str, memory: Optional[torch.Tensor] = None,
           positive: bool = False) -> Optional[torch.Tensor]:  # fmt: skip
    """Returns a tensor of the type in `memory` or in new memory, or None if the type is not fully
    known. In new memory, integers are 0 or 1, so that they are valid indices for most tensors; floats
    are in [-1, 1], or if `positive`, in [0, 1]."""
    match = TYPE.fullmatch(text)
    if not match or any(part and re.search("[a-z]", part) for part in match.groups()[1:3]):
        return None
    dtype, sizes, offset = DTYPES[match[1]], numbers(match[2]), int(match[4] or 0)
    strides = list(torch.empty(sizes, device="meta").stride())
    if match[3] is not None:
        strides = numbers(match[3])
    reach = offset + 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides) if size)
    if memory is None:
        generator = torch.Generator().manual_seed(7)
        if dtype.is_floating_point or dtype.is_complex:
            memory = torch.rand(reach, generator=generator) * 2 - 1
            memory = (memory.abs() if positive else memory).to(dtype)
        elif sizes or dtype == torch.bool:
            memory = ((torch.arange(reach) + 1) % 2).to(dtype)
        else:
            memory = torch.full((reach,), 2, dtype=dtype)
    return memory.as_strided(sizes, strides, offset)


def layout(value: Any) -> Any:
    """Returns the properties of a value that its type specifies."""
    if isinstance(value, torch.Tensor):
        strides = [stride for size, stride in zip(value.shape, value.stride()) if size != 1]
        is_empty = value.numel() == 0
        return (value.dtype, tuple(value.shape), () if is_empty else tuple(strides),
                0 if is_empty else value.storage_offset())  # fmt: skip
    return [layout(item) for item in value] if isinstance(value, (list, tuple)) else value


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def copies(tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    """Returns copies that share memory in the same way as the tensors."""
    storages: dict[int, torch.UntypedStorage] = {}
    result = []
    for value in tensors:
        storage = value.untyped_storage()
        if storage._cdata not in storages:
            storages[storage._cdata] = storage.clone()
        copy = torch.empty(0, dtype=value.dtype)
        copy.set_(storages[storage._cdata], value.storage_offset(), value.shape, value.stride())
        result.append(copy)
    return result


class Run(torch.fx.Interpreter):
    """Runs in eager mode; cond runs the branch that its condition selects."""

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        if target is torch.ops.higher_order.cond:
            condition, yes, no, operands = args
            return Run(yes if condition else no).run(*operands)
        if str(target) == "wrap":
            return Run(args[0]).run(*args[1:])
        return super().call_function(target, args, kwargs)


def results_of(callee: Any, inputs: list[torch.Tensor]) -> list[Any]:
    """Returns the inputs after the run, and the results."""
    run_inputs = copies(inputs)
    torch.manual_seed(7)
    with torch.no_grad():
        return run_inputs + leaves(callee(*run_inputs))


def inputs_of(text: str) -> list[torch.Tensor]:
    header = text.split(" {\n")[0]
    memories: dict[str, torch.Tensor] = {}
    inputs = []
    for match in re.finditer(r"%\w+ : ([^%!]*?)(?: !\{shared_memory=(\d+)\})?(?=, %|\)$)", header):
        memory = None
        if match[2] is not None:
            generator = torch.Generator().manual_seed(7)
            memory = memories.setdefault(match[2], torch.rand(64, generator=generator) * 2 - 1)
        value = tensor(match[1], memory)
        assert value is not None, match[1]
        is_condition = value.dtype == torch.bool and value.dim() == 0
        inputs.append(torch.tensor(True) if is_condition else value)
    return inputs


def difference(a: Any, b: Any, tolerance: float) -> str:
    if type(a) is not type(b):
        return f"{a!r} and {b!r}"
    if not isinstance(a, torch.Tensor):
        return "" if a == b else f"{a!r} and {b!r}"
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{layout(a)} and {layout(b)}"
    wide = torch.complex128 if a.is_complex() else torch.float64
    equal = torch.allclose(a.to(wide), b.to(wide), rtol=tolerance, atol=tolerance, equal_nan=True)
    return "" if equal else f"{a.flatten()[:6].tolist()} and {b.flatten()[:6].tolist()}"


def compare(before: list[Any], after: list[Any], tolerance: float, may_separate: bool) -> str:
    """Returns the first difference that a caller can observe; "" if there is none."""
    if len(before) != len(after):
        return f"{len(before)} and {len(after)} values"
    for i, (a, b) in enumerate(zip(before, after)):
        if what := difference(a, b, tolerance):
            return f"value {i}: {what}"
    pairs = [(a, b) for a, b in zip(before, after) if isinstance(a, torch.Tensor)]
    for i, (a, b) in enumerate(pairs):
        for k in range(i):
            was = a.untyped_storage()._cdata == pairs[k][0].untyped_storage()._cdata
            now = b.untyped_storage()._cdata == pairs[k][1].untyped_storage()._cdata
            if was != now and not (was and may_separate):
                return f"tensors {k} and {i} share memory only {'before' if was else 'after'}"
    return ""


class Edges(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        warnings.simplefilter("ignore")

    def write(self, edge: Edge) -> tuple[Path, torch.fx.GraphModule]:
        source, document = self.folder / "g.fx", self.folder / "g.json"
        source.write_text(edge.text, encoding="utf-8")
        done = run("convert", source, "-o", document)
        self.assertEqual(done.returncode, 0, edge.location + done.stderr)
        return source, fx_export.load(str(document), values=False)

    # ---- calls

    def test_calls_have_the_types_of_eager_mode(self) -> None:
        calls = 0
        for edge in edges("calls"):
            source, module = self.write(edge)
            text = run("shape", source).stdout
            types = dict(re.findall(r"^(\w+) : (.*)$", text, re.MULTILINE))
            rejected = dict(re.findall(r"error at %(\w+)(.*)", text))
            for node in module.graph.nodes:
                if node.op != "call_function":
                    continue
                calls += 1
                with self.subTest(f"{edge.location} %{node.name} {node.target}"):
                    self.check_call(node, types, rejected)
        self.assertGreater(calls, 0)

    def check_call(self, node: Any, types: dict[str, str], rejected: dict[str, str]) -> None:
        values: dict[str, Optional[torch.Tensor]] = {}
        args, kwargs = torch.fx.node.map_aggregate(
            (node.args, node.kwargs),
            lambda a: values.setdefault(a.name, tensor(types[a.name], positive=True))
            if isinstance(a, torch.fx.Node)
            else a,
        )
        try:
            result = node.target(*args, **kwargs)
        except Exception as error:
            self.assertIn(node.name, rejected, f"eager mode: {error}")
            return
        self.assertNotIn(node.name, rejected)
        texts = [match[0] for match in TYPE.finditer(types[node.name])]
        if isinstance(result, torch.Tensor):
            result, texts = [result], [types[node.name]]
        results = [value for value in leaves(result) if isinstance(value, torch.Tensor)]
        if "?" in types[node.name]:  # the number of results depends on values
            return
        self.assertEqual(len(texts), len(results), types[node.name])
        for text, value in zip(texts, results):
            like = tensor(text)
            if like is None:  # a size depends on data
                self.assertRegex(text, r"\bu\d")
            else:
                self.assertEqual(layout(like), layout(value))

    # ---- passes

    def test_passes_keep_observable_values(self) -> None:
        pipelines = 0
        for edge in edges("passes"):
            source, module = self.write(edge)
            inputs = inputs_of(edge.text)
            for pipeline in edge.rejected:
                pipelines += 1
                with self.subTest(f"{edge.location} {pipeline}"):
                    self.check_rejected(source, pipeline, inputs)
            if edge.rejected and not edge.pipelines:
                continue
            before = results_of(Run(module).run, inputs)
            for pipeline in edge.pipelines:
                pipelines += 1
                with self.subTest(f"{edge.location} {pipeline}"):
                    self.check_pipeline(source, pipeline, inputs, before)
            with self.subTest(f"{edge.location} as Python"):
                self.check_python(source, inputs, before)
        self.assertGreater(pipelines, 0)

    def check_rejected(self, source: Path, pipeline: str, inputs: list[torch.Tensor]) -> None:
        after = self.folder / "after.json"
        done = run("opt", source, "--passes", pipeline, "-o", after)
        if done.returncode != 0:
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"node \w+ |error at %\w+")
            return
        with self.assertRaises(RuntimeError):
            results_of(Run(fx_export.load(str(after), values=False)).run, inputs)

    def check_pipeline(self, source: Path, pipeline: str, inputs: list[torch.Tensor],
                       before: list[Any]) -> None:  # fmt: skip
        after = self.folder / "after.json"
        done = run("opt", source, "--passes", pipeline, "--check-changed", "-o", after)
        self.assertEqual(done.returncode, 0, done.stderr)
        values = results_of(Run(fx_export.load(str(after), values=False)).run, inputs)
        rows = [row for row in pass_rows() if row["name"] in pipeline]
        tolerance = 1e-3 if any(row["values"] == "rounded" for row in rows) else 0
        may_separate = any(row["may_change_sharing"] for row in rows)
        self.assertEqual(compare(before, values, tolerance, may_separate), "")

    def check_python(self, source: Path, inputs: list[torch.Tensor], before: list[Any]) -> None:
        done = run("emit", source, "--to", "python")
        self.assertEqual(done.returncode, 0, done.stderr)
        namespace: dict[str, Any] = {"__name__": "emitted"}
        exec(compile(done.stdout, "<emitted>", "exec"), namespace)
        values = results_of(namespace["load"](), inputs)
        self.assertEqual(compare(before, values, 0, may_separate=False), "")


if __name__ == "__main__":
    unittest.main()
