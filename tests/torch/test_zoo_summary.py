#!/usr/bin/env python3
"""`fxcpp shape --summary` of the zoo's joint graphs against torch on the same models in Python.

FLOPs of forward and backward, as FlopCounterMode counts them while zoo_twins.py's model computes
its loss and gradients; parameters; and the FLOPs of each module that has parameters of its own.

    test_zoo_summary.py [MODEL...]

Exit status: 0 the same, 1 different, 77 there is no torch, or fxcpp is built without.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

try:
    import torch
    from torch.utils.flop_counter import FlopCounterMode
    from zoo_twins import TWINS
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[1] / "passes"))
from flop_formulas import FURTHER  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")


def tensor_of(text: str) -> torch.Tensor:
    """An input of the type that `fxcpp capture --list` names: f32[2, 3], i64[2]."""
    sizes = [int(n) for n in text[text.index("[") + 1:text.index("]")].split(",") if n.strip()]
    # Small numbers are right as classes and as words of a vocabulary.
    return torch.zeros(sizes, dtype=torch.int64) if text.startswith("i64") else torch.rand(sizes)


def summary(model: str, settings: dict[str, int], folder: Path) -> tuple[dict[str, Any], list[str]]:
    graph = folder / f"{model}.fx"
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    subprocess.run([FXCPP, "capture", model, "--joint", *words, "-o", graph], check=True)
    done = subprocess.run([FXCPP, "shape", graph, "--summary", "--json"], check=True,
                          capture_output=True, text=True)
    printed = subprocess.run([FXCPP, "print", graph, "--preset", "json"], check=True,
                             capture_output=True, text=True)
    nodes = json.loads(printed.stdout)
    vals = {n["name"]: n.get("val") for n in nodes["graph"]["nodes"]}
    inputs = [vals[i["name"]] for i in nodes["inputs"] if i["kind"] == "user_input"]
    return json.loads(done.stdout), [
        f"{'i64' if v['t'] == 'int64' else 'f32'}{v['shape']}" for v in inputs]


def check(model: str, folder: Path) -> list[str]:
    settings, make = TWINS[model]
    mine, inputs = summary(model, settings, folder)
    torch.manual_seed(0)
    module = make(**settings)
    tensors = [tensor_of(text) for text in inputs]
    faults = []

    with FlopCounterMode(display=False, custom_mapping=FURTHER) as forward:
        loss = module.loss(*tensors)
    with FlopCounterMode(display=False, custom_mapping=FURTHER) as backward:
        loss.backward()
    theirs = {"forward": forward.get_total_flops(), "backward": backward.get_total_flops()}
    if mine["flops"] != theirs:
        faults.append(f"FLOPs {mine['flops']} against {theirs}")
    parameters = {"tensors": len(list(module.parameters())),
                  "elements": sum(p.numel() for p in module.parameters()),
                  "bytes": sum(p.untyped_storage().nbytes() for p in module.parameters())}
    if mine["parameters"] != parameters:
        faults.append(f"parameters {mine['parameters']} against {parameters}")

    by_module = {m["module"]: m["flops"]["forward"] for m in mine["modules"]}
    compared = 0
    for path, layer in module.named_modules():
        if not isinstance(layer, (torch.nn.Linear, torch.nn.Conv2d, torch.nn.ConvTranspose2d)):
            continue
        counted = forward.get_flop_counts().get(f"{type(module).__name__}.{path}")
        if counted is None:  # called through a function, or another layer of the same weight
            continue
        compared += 1
        if by_module.get(path) != sum(counted.values()):
            faults.append(f"FLOPs of {path}: {by_module.get(path)} against {sum(counted.values())}")
    print(f"{model}: {theirs['forward']} and {theirs['backward']} FLOPs, {compared} layers compared")
    return faults


def main() -> int:
    if subprocess.run([FXCPP, "capture", "--help"], capture_output=True).returncode != 0:
        print(f"not run: {FXCPP} is built without libtorch")
        return 77
    torch.set_num_threads(1)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for model in sys.argv[1:] or TWINS:
            faults = check(model, Path(folder))
            failed += bool(faults)
            for fault in faults:
                print(f"  {model}: {fault}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
