#!/usr/bin/env python3
"""Compares the ONNX models that fxcpp and torch.onnx write for models from torchvision, timm and
transformers. ctest does not run it.

    onnx_libraries.py [--fxcpp FILE] [--results FILE] [--seconds 900] [--gigabytes 8] [NAME...]

Each model in library_models.py is exported with torch.export with a symbolic batch size (or a
constant one, if torch.export fails), saved as .pt2, and converted by `fxcpp emit --to onnx` and by
torch.onnx.export(dynamo=True). onnx.checker checks fxcpp's model, and onnxruntime runs both models.
Each element must be within 1e-5 + 1e-4 * |element| of PyTorch's, or the largest difference must be at
most twice that of torch.onnx's model. Models with a symbolic batch size run at two additional batch
sizes. Times are the CPU time of the conversion; for fxcpp, they include reading the archive.

Each model runs in a separate process with limits on memory and time. The script appends a JSON
object for each model to the results file, and skips models that the file already contains, unless NAME
selects them. At the end it prints the table in docs/onnx.md.

Requires the packages that library_models.py needs, and onnx, onnxscript and onnxruntime. Exit
status: 0, 1 if a model failed, or 77 if a package is missing.
"""

from __future__ import annotations

import argparse
import copy
import json
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import library_models as library
import limited_process

try:
    import numpy as np
    import onnx
    import onnxruntime
    import onnxscript
    import torch
    import torch.utils._pytree as pytree
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

BATCHES = (2, 3, 5)  # the first is exported; torch.export does not allow 1 for a symbolic size
Tensors = list[torch.Tensor]


def with_batch(values: Any, batch: int) -> Any:
    """Returns the arguments with `batch` rows and different elements."""
    def rows(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        shape = (batch, *value.shape[1:])
        if value.is_floating_point():
            return torch.randn(shape)
        return torch.randint(int(value.min()), int(value.max()) + 1, shape, dtype=value.dtype)
    return pytree.tree_map(rows, values)


def export(model: torch.nn.Module, args: Any, kwargs: Any) -> tuple[Any, bool]:
    """Returns the program, and whether its batch size is symbolic."""
    batch = torch.export.Dim("batch", min=2, max=1024)

    def first(value: Any) -> Any:
        return {0: batch} if isinstance(value, torch.Tensor) else None
    try:
        shapes = (*pytree.tree_map(first, args), *pytree.tree_map(first, kwargs).values())
        return torch.export.export(model, args, kwargs, dynamic_shapes=shapes), True
    except Exception:  # torch.export and the model's code raise many kinds of errors
        return torch.export.export(model, args, kwargs), False


def run(session: onnxruntime.InferenceSession, inputs: Tensors) -> list[np.ndarray]:
    names = [value.name for value in session.get_inputs()]
    if len(names) != len(inputs):
        raise ValueError(f"the model has {len(names)} inputs, not {len(inputs)}")
    return session.run(None, dict(zip(names, (x.numpy() for x in inputs))))


def open_session(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def differences(got: list[np.ndarray], expected: Tensors) -> tuple[float, float]:
    """Returns the largest absolute difference, and the largest difference relative to the
    tolerance."""
    if len(got) != len(expected):
        raise ValueError(f"{len(got)} results, not {len(expected)}")
    absolute, relative = 0.0, 0.0
    for i, (a, b) in enumerate(zip(got, (x.detach().numpy() for x in expected))):
        if a.shape != b.shape or a.dtype != b.dtype:
            raise ValueError(f"result {i} is {a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}")
        a, b = a.astype(np.float64), b.astype(np.float64)
        with np.errstate(invalid="ignore"):
            off = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))
            allowed = 1e-5 + 1e-4 * np.where(np.isfinite(b), np.abs(b), 0.0)
        off = np.where(np.isnan(off), np.inf, off)
        absolute = max(absolute, float(off.max(initial=0)))
        relative = max(relative, float((off / allowed).max(initial=0)))
    return absolute, relative


def compare(path: Path, cases: list[tuple[Tensors, Tensors]]) -> list[tuple[float, float]]:
    session = open_session(path)
    return [differences(run(session, inputs), expected) for inputs, expected in cases]


def nodes_of(graph: onnx.GraphProto) -> int:
    """Returns the number of nodes, including those of nested graphs, except constants."""
    return sum((node.op_type != "Constant") + sum(nodes_of(a.g) for a in node.attribute if a.HasField("g"))
               for node in graph.node)


def nodes_in(path: Path) -> int:
    model = onnx.load(path, load_external_data=False)
    return nodes_of(model.graph) + sum(len(f.node) for f in model.functions)


def cpu_seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def torch_onnx(program: Any, path: Path, cases: list[tuple[Tensors, Tensors]]) -> dict[str, Any]:
    begin = time.process_time()
    facts: dict[str, Any] = {}
    try:
        torch.onnx.export(program, f=str(path), dynamo=True, verbose=False)
        facts = {"seconds": round(time.process_time() - begin, 2), "nodes": nodes_in(path)}
        facts["differences"] = compare(path, cases)
    except Exception as error:  # torch.onnx and onnxruntime raise many kinds of errors
        facts |= {"seconds": round(time.process_time() - begin, 2),
                  "error": f"{type(error).__name__}: {error}"[:300]}
    return facts


def check(factory: library.Factory, fxcpp: str, folder: Path) -> dict[str, Any]:
    """Exports, converts, runs and compares a model. Returns facts about it; "error" is set on
    failure."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model, args, kwargs = factory()
    model = model.eval()
    args, kwargs = with_batch((args, kwargs), BATCHES[0])
    with torch.no_grad():
        program, is_dynamic = export(model, args, kwargs)
        cases: list[tuple[Tensors, Tensors]] = []
        for batch in BATCHES if is_dynamic else BATCHES[:1]:
            values = with_batch((args, kwargs), batch)
            # The reference is PyTorch's module; a program with a symbolic batch computes the same
            # results.
            results = copy.deepcopy(model)(*values[0], **values[1])
            cases.append(([x for x in pytree.tree_leaves(values) if isinstance(x, torch.Tensor)],
                          [x for x in pytree.tree_leaves(results) if isinstance(x, torch.Tensor)]))
    facts: dict[str, Any] = {"dynamic": is_dynamic, "parameters": sum(p.numel() for p in model.parameters())}
    archive, path = folder / "model.pt2", folder / "model.onnx"
    torch.export.save(program, archive)
    begin = cpu_seconds_of_children()
    done = subprocess.run([fxcpp, "emit", archive, "--to", "onnx", "-o", path], capture_output=True, text=True)
    facts["seconds"] = round(cpu_seconds_of_children() - begin, 3)
    if done.returncode != 0:
        facts["error"] = (done.stderr + done.stdout)[:1500]
    else:
        onnx.checker.check_model(str(path), full_check=True)
        facts["nodes"] = nodes_in(path)
        facts["differences"] = compare(path, cases)
        path.unlink()
    theirs = facts["torch"] = torch_onnx(program, folder / "torch.onnx", cases)
    their_differences = theirs.get("differences", [(0.0, 0.0)] * len(cases))
    for batch, ours, other in zip(BATCHES, facts.get("differences", []), their_differences):
        if ours[1] > 1 and ours[0] > 2 * other[0]:
            facts["error"] = f"batch {batch}: off by {ours[0]:.1e}; torch.onnx by {other[0]:.1e}"
    return facts


def table(results: dict[str, dict[str, Any]]) -> None:
    print("\n| model | batches | difference | torch.onnx | nodes | torch.onnx | ms | torch.onnx | factor |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, r in results.items():
        if "differences" not in r:
            continue
        theirs = r["torch"]
        other = [f"{max(d[0] for d in theirs['differences']):.0e}", theirs["nodes"]] \
            if "differences" in theirs else ["fails", ""]
        print(f"| {name} | {len(r['differences'])} | {max(d[0] for d in r['differences']):.0e} | {other[0]} "
              f"| {r['nodes']} | {other[1]} | {1000 * r['seconds']:.0f} | {1000 * theirs['seconds']:.0f} "
              f"| {theirs['seconds'] / max(r['seconds'], 0.001):.0f} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--fxcpp", default="build/release/bin/fxcpp")
    parser.add_argument("--results", type=Path, default=Path("build/onnx_libraries.jsonl"))
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--gigabytes", type=float, default=8)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    library.transformers.logging.set_verbosity_error()
    known = library.factories()
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"unknown models {unknown}; known: {', '.join(known)}")
    results: dict[str, dict[str, Any]] = {}
    if options.results.exists():
        for line in options.results.read_text().splitlines():
            results[json.loads(line)["name"]] = json.loads(line)
    for name in options.names or [name for name in known if name not in results]:
        facts = limited_process.run(lambda folder, name=name: check(known[name], options.fxcpp, folder),
                                    options.seconds, options.gigabytes)
        results[name] = {"name": name, **facts}
        with options.results.open("a") as file:
            print(json.dumps(results[name]), file=file)
        print(f"{name}: {facts.get('error', 'equal')}", flush=True)
    table(results)
    equal = [r for r in results.values() if "error" not in r]
    for r in results.values():
        if "error" in r:
            print(f"{r['name']}: {r['error']}")
    converted = [r["torch"] for r in results.values() if "differences" in r.get("torch", {})]
    dynamic = sum(len(r["differences"]) == len(BATCHES) for r in equal)
    within = sum(all(d[1] <= 1 for d in r["differences"]) for r in equal)
    print(f"{len(equal)} of {len(results)} models equal ({within} within the tolerance), {dynamic} at "
          f"{len(BATCHES)} batch sizes; torch.onnx: {len(converted)} run (torch {torch.__version__}, onnx "
          f"{onnx.__version__}, onnxscript {onnxscript.__version__}, onnxruntime {onnxruntime.__version__})")
    return 0 if len(equal) == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
