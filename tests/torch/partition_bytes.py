#!/usr/bin/env python3
"""Compares the saved bytes of `fxcpp partition` with those of AOTAutograd's min-cut partitioner.

    partition_bytes.py FXCPP CORPUS [--only TEXT]

Each joint graph of the corpus is functionalized by fxcpp and read into Python over the interchange
JSON. Both partitioners cut the same graph. Prints a row for each graph: the bytes of computed tensors
that each saves, without inputs. Exit status 1 if fxcpp saves more; 77 if torch is missing.
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


def run(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


def tensors(value: object) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    return [t for item in value for t in tensors(item)] if isinstance(value, (list, tuple)) else []


def size(n: object) -> int:
    return int(n) if isinstance(n, int) else n.node.hint


def saved_bytes(gm: torch.fx.GraphModule, results: int) -> int:
    """The bytes of the computed tensors that a forward graph returns after its results."""
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
    """Sets meta["val"] of nodes that lack it, by FakeTensorProp."""
    nodes = [n for n in gm.graph.nodes if n.op == "call_function"]
    if all("val" in n.meta for n in nodes):
        return gm
    inputs = [n.meta["val"] for n in gm.graph.nodes if n.op == "placeholder"]
    mode = next((t.fake_mode for v in inputs for t in tensors(v)), None)
    FakeTensorProp(gm, mode or FakeTensorMode()).propagate_dont_convert_inputs(*inputs)
    return gm


def compare(fxcpp: str, path: Path, folder: Path) -> tuple[int, int]:
    kinds = [o["kind"] for o in json.loads(path.read_text())["outputs"]]
    results = sum(kind not in ("gradient", "none") for kind in kinds)
    whole = folder / "whole.json"
    run(fxcpp, "opt", path, "--passes", "functionalize,eliminate_dead_code", "-o", whole)
    run(fxcpp, "partition", whole, "--joint", "min-cut", "-o", folder / "parts")
    forward = folder / "forward.json"
    run(fxcpp, "convert", folder / "parts" / "forward.fx", "-o", forward)
    ours = saved_bytes(with_values(fx_export.load(forward)), results)
    gm = with_values(fx_export.load(whole))
    theirs, _ = min_cut_rematerialization_partition(gm, None, num_fwd_outputs=results)
    return ours, saved_bytes(theirs, results)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("fxcpp")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    more = compared = 0
    print(f"{'joint graph':34} {'AOTAutograd':>12} {'fxcpp':>12}")
    for path in sorted(options.corpus.glob("*/joint*.json")):
        name = f"{path.parent.name}/{path.name}"
        if options.only not in name or path.name == "joint_pt2.json":
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                ours, theirs = compare(options.fxcpp, path, Path(folder))
            except Exception as error:  # noqa: BLE001: any error of AOTAutograd is a row
                print(f"{name:34} not compared: {type(error).__name__}: {str(error)[:120]!r}")
                continue
        compared += 1
        more += ours > theirs
        print(f"{name:34} {theirs:12} {ours:12}{'  MORE' if ours > theirs else ''}", flush=True)
    print(f"{compared} graphs compared; fxcpp saves more in {more}")
    return 1 if more or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
