#!/usr/bin/env python3
"""Compares the saved bytes of `fxcpp partition` with those of AOTAutograd's min-cut partitioner.

    partition_bytes.py FXCPP CORPUS [--only TEXT]

Each joint graph of the corpus and of the zoo models (`fxcpp capture --joint`) is functionalized by
fxcpp and read into Python from interchange JSON. Both partitioners cut the same graph, whose types
FakeTensorProp computes. Prints a row for each graph: the bytes of computed tensors, without inputs,
that are saved by AOTAutograd, and by fxcpp with the methods default and min-cut, and with budgets of
half of the default and of 0. Exit status 1 if fxcpp saves more than AOTAutograd, or more than a
budget that can be met; 77 if torch is missing.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

try:
    import torch
    from torch._functorch.partitioners import min_cut_rematerialization_partition
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.passes.fake_tensor_prop import FakeTensorProp
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

MODELS: dict[str, dict[str, int]] = {  # zoo models, with settings that make the larger ones small
    "mlp": {},
    "lenet": {},
    "resnet18": {"size": 32, "width": 16},
    "resnet50": {"size": 32, "width": 8},
    "mobilenet_v2": {"size": 32, "width": 25},
    "unet": {"width": 4},
    "vae": {"hidden": 32},
    "lstm_tagger": {},
    "transformer_encoder": {},
    "gpt": {},
    "vit": {},
}


def run(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


def tensors(value: object) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    return [t for item in value for t in tensors(item)] if isinstance(value, (list, tuple)) else []


def size(n: object) -> int:
    return int(n) if isinstance(n, int) else n.node.hint


def saved_bytes(gm: torch.fx.GraphModule, results: int) -> int:
    """Returns the size of the computed tensors that a forward graph returns after its results."""
    items = next(n for n in gm.graph.nodes if n.op == "output").args[0]
    total = 0
    for node in items[results:]:
        if node.op == "placeholder":
            continue
        for tensor in tensors(node.meta.get("val")):
            count = 1
            for n in tensor.shape:
                count *= size(n)
            total += count * tensor.element_size()
    return total


def with_values(gm: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """Uses FakeTensorProp to set meta["val"] of nodes that lack it."""
    nodes = [n for n in gm.graph.nodes if n.op == "call_function"]
    if all("val" in n.meta for n in nodes):
        return gm
    inputs = [n.meta["val"] for n in gm.graph.nodes if n.op == "placeholder"]
    mode = next((t.fake_mode for v in inputs for t in tensors(v)), None)
    FakeTensorProp(gm, mode or FakeTensorMode()).propagate_dont_convert_inputs(*inputs)
    return gm


def ours(fxcpp: str, whole: Path, folder: Path, results: int, *options: str) -> int:
    run(fxcpp, "partition", whole, *options, "-o", folder / "parts")
    forward = folder / "forward.json"
    run(fxcpp, "convert", folder / "parts" / "forward.fx", "-o", forward)
    return saved_bytes(with_values(fx_export.load(forward)), results)


def compare(fxcpp: str, path: Path, folder: Path) -> dict[str, int]:
    whole = folder / "whole.json"
    run(fxcpp, "opt", path, "--passes", "functionalize,eliminate_dead_code", "-o", whole)
    kinds = [o["kind"] for o in json.loads(path.read_text())["outputs"]]
    results = sum(kind not in ("gradient", "none") for kind in kinds)
    gm = with_values(fx_export.load(whole))
    theirs, _ = min_cut_rematerialization_partition(gm, None, num_fwd_outputs=results)
    by = {
        "default": ("--joint", "default"),
        "min-cut": ("--joint", "min-cut"),
        "half": ("--joint", "min-cut", "--budget", "0.5"),
        "least": ("--joint", "min-cut", "--budget", "0"),
    }
    row = {"AOTAutograd": saved_bytes(theirs, results)}
    row |= {name: ours(fxcpp, whole, folder, results, *options) for name, options in by.items()}
    return row


def graphs(fxcpp: str, corpus: Path, only: str, folder: Path) -> list[tuple[str, Path]]:
    found = []
    for path in sorted(corpus.glob("*/joint*.json")):
        name = f"{path.parent.name}/{path.stem}"
        if only in name and path.name != "joint_pt2.json":
            found.append((name, path))
    for model, settings in MODELS.items():
        if only in f"zoo {model}":
            path = folder / f"{model}.json"
            words = [w for name, value in settings.items() for w in ("--set", f"{name}={value}")]
            run(fxcpp, "capture", model, "--joint", *words, "-o", path)
            found.append((f"zoo {model}", path))
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("fxcpp")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    exceeding = compared = 0
    columns = ["AOTAutograd", "default", "min-cut", "half", "least"]
    print("| joint graph | " + " | ".join(columns) + " |\n|---|" + "--:|" * len(columns))
    with tempfile.TemporaryDirectory() as folder:
        for name, path in graphs(options.fxcpp, options.corpus, options.only, Path(folder)):
            try:
                row = compare(options.fxcpp, path, Path(folder))
            except Exception as error:  # noqa: BLE001: any error of AOTAutograd is a row
                print(f"| {name} | not compared: {type(error).__name__}: {str(error)[:120]!r} |")
                continue
            compared += 1
            is_more = row["min-cut"] > row["AOTAutograd"]
            is_more |= row["half"] > max(row["default"] / 2, row["least"])
            exceeding += is_more
            cells = " | ".join(f"{row[c]:,}" for c in columns)
            print(f"| {name} | {cells} |{'  MORE' if is_more else ''}", flush=True)
    print(f"{compared} graphs compared; fxcpp saves more in {exceeding}")
    return 1 if exceeding or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
