#!/usr/bin/env python3
"""Passes C++ models to AOTInductor and to PyTorch's ONNX exporter. ctest does not run it.

    zoo_consumers.py [--fxcpp FILE] [--results FILE] [--keep OPERATORS] [--consumer aoti|onnx]
                     [--seconds 1800] [--tolerance 1e-4] [MODEL...]

Each zoo model is captured in C++ (`fxcpp capture MODEL --keep torch`), prepared for inference
(`fxcpp opt --passes set_training,functionalize,eliminate_dead_code`), written as .pt2, and loaded
by torch.export.load. Then

    aoti   torch._inductor.aoti_compile_and_package compiles it (g++; half a minute), and
    onnx   torch.onnx.export(dynamo=True) converts it, and onnxruntime runs it.

Results must be within --tolerance of those of the program's module in PyTorch (test_zoo_pt2.py
compares the module with C++): both consumers change the order of additions. A model whose results depend
on the seed is only compiled, because the consumers have different random number generators. Each
conversion runs in a separate process with a time limit. The script appends a JSON object for it to
the results file, and skips conversions that the file already contains, unless MODEL selects them. At the
end it prints the table in docs/exporting.md.

Requires torch, onnxscript and onnxruntime in a separate environment. Exit status: 0 on success, 1
if fewer than eight models pass a consumer, 77 if a package is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import limited_process

os.environ.setdefault("OMP_NUM_THREADS", "1")
try:
    import onnxruntime
    import onnxscript  # torch.onnx.export imports it
    import torch
    from safetensors.torch import load_file
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

MIN_MODELS = 8  # that must pass each consumer
CONSUMERS = ["aoti", "onnx"]


def run_aoti(program: Any, inputs: list[torch.Tensor], folder: Path) -> list[torch.Tensor]:
    package = torch._inductor.aoti_compile_and_package(program, package_path=str(folder / "m.pt2"))
    results = torch._inductor.aoti_load_package(package)(*inputs)
    return list(results) if isinstance(results, (tuple, list)) else [results]


def run_onnx(program: Any, inputs: list[torch.Tensor], folder: Path) -> list[torch.Tensor]:
    file = folder / "model.onnx"
    torch.onnx.export(program, args=tuple(inputs), f=str(file), dynamo=True, verbose=False)
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    return [torch.from_numpy(value) for value in
            session.run(None, dict(zip(names, (x.numpy() for x in inputs), strict=True)))]


def results_of(program: Any, inputs: list[torch.Tensor], seed: int) -> list[torch.Tensor]:
    torch.manual_seed(seed)
    with torch.no_grad():
        return torch.utils._pytree.tree_leaves(program.module()(*[x.clone() for x in inputs]))


def numbered(tensors: dict[str, torch.Tensor], prefix: str) -> list[torch.Tensor]:
    indices = sorted(int(name.split(".")[1]) for name in tensors if name.startswith(prefix + "."))
    return [tensors[f"{prefix}.{i}"] for i in indices]


def close(a: torch.Tensor, b: torch.Tensor, tolerance: float) -> bool:
    scale = float(b.abs().max()) if b.numel() else 0.0
    return torch.allclose(a, b, rtol=tolerance, atol=tolerance * scale)


def convert(archive: Path, consumer: str, folder: Path, tolerance: float) -> dict[str, Any]:
    """Converts an archive. Returns facts about it; "error" is set on failure."""
    program = torch.export.load(archive)
    inputs = numbered(load_file(archive.with_suffix(".safetensors")), "in")
    results = results_of(program, inputs, seed=0)
    random = not all(map(torch.equal, results, results_of(program, inputs, seed=1)))
    begin = time.perf_counter()
    got = {"aoti": run_aoti, "onnx": run_onnx}[consumer](program, [x.clone() for x in inputs], folder)
    facts: dict[str, Any] = {"seconds": round(time.perf_counter() - begin, 1), "random": random}
    if len(got) < len(results):
        return {**facts, "error": f"{len(got)} results, expected {len(results)}"}
    got = got[:len(results)]
    facts["difference"] = max(float((a.double() - b.double()).abs().max()) for a, b in zip(got, results))
    for a, b in zip(got, results):
        if a.shape != b.shape:
            facts["error"] = f"a result has shape {list(a.shape)}, expected {list(b.shape)}"
        elif not random and not close(a.double(), b.double(), tolerance):
            facts["error"] = f"a result differs by {facts['difference']}"
    return facts


def convert_in_process(archive: Path, model: str, consumer: str,
                       options: argparse.Namespace) -> dict[str, Any]:
    """Converts an archive in a process that is forked before torch creates threads."""
    def run(folder: Path) -> dict[str, Any]:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder / "inductor")
        return convert(archive, consumer, folder, options.tolerance)

    return {"model": model, "consumer": consumer, **limited_process.run(run, options.seconds)}


def write(fxcpp: str, keep: str, model: str, graph: Path, archive: Path) -> str:
    """Captures the model and writes the archive. Returns the error, or ""."""
    prepared = graph.with_name(f"{model}_prepared.fx")
    for command in (["capture", model, *(["--keep", keep] if keep else []), "-o", graph],
                    ["opt", graph, "--passes", "set_training,functionalize,eliminate_dead_code", "-o", prepared],
                    ["emit", prepared, "--to", "pt2", "-o", archive,
                     "--data", graph.with_suffix(".safetensors")]):
        done = subprocess.run([fxcpp, *command], capture_output=True, text=True)
        if done.returncode != 0:
            return done.stderr
    return ""


def describe(result: dict[str, Any] | None) -> str:
    if result is None:
        return "not run"
    if "error" in result:
        return "error: " + result["error"].splitlines()[0][:100]
    return "compiled; random numbers" if result["random"] else f"{result['difference']:.1e}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--fxcpp", default="build/release/bin/fxcpp")
    parser.add_argument("--results", type=Path, default=Path("build/zoo_consumers.jsonl"))
    parser.add_argument("--keep", default="torch", help="see fxcpp capture --keep")
    parser.add_argument("--consumer", choices=CONSUMERS, help="use only this consumer")
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    fxcpp = options.fxcpp
    listed = subprocess.run([fxcpp, "capture", "--list", "--json"], check=True, capture_output=True).stdout
    models = options.models or [model["name"] for model in json.loads(listed)]
    results: dict[tuple[str, str], dict[str, Any]] = {}
    if options.results.exists():
        for line in options.results.read_text().splitlines():
            result = json.loads(line)
            results[result["model"], result["consumer"]] = result
    with tempfile.TemporaryDirectory() as text:
        for consumer in [options.consumer] if options.consumer else reversed(CONSUMERS):
            for model in models:
                if not options.models and (model, consumer) in results:
                    continue
                graph = Path(text) / f"{model}.fx"
                archive = graph.with_suffix(".pt2")
                error = "" if archive.exists() else write(fxcpp, options.keep, model, graph, archive)
                result = {"model": model, "consumer": consumer, "error": error} if error else \
                    convert_in_process(archive, model, consumer, options)
                results[model, consumer] = result
                with options.results.open("a") as file:
                    print(json.dumps(result), file=file)
                print(f"{model}, {consumer}: {describe(result)}", flush=True)
    names = list(dict.fromkeys(model for model, _ in results))
    print("\n| model | AOTInductor | torch.onnx.export |\n|---|---|---|")
    for name in names:
        print("| " + " | ".join([name, *(describe(results.get((name, c))) for c in CONSUMERS)]) + " |")
    counts = {c: sum((n, c) in results and "error" not in results[n, c] for n in names) for c in CONSUMERS}
    print(f"of {len(names)} models: " + ", ".join(f"{c} {count}" for c, count in counts.items()) +
          f" (torch {torch.__version__}, onnxscript {onnxscript.__version__}, "
          f"onnxruntime {onnxruntime.__version__})")
    return 0 if min(counts.values()) >= min(MIN_MODELS, len(names)) else 1


if __name__ == "__main__":
    sys.exit(main())
