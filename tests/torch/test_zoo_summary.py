#!/usr/bin/env python3
"""Compares `fxcpp shape --summary` for the zoo's joint graphs with torch for the same models in
Python.

The test compares: FLOPs of forward and backward, as FlopCounterMode counts them while the model in
zoo_twins.py computes its loss and gradients; parameters; the FLOPs of each module with direct
parameters; the memory in use at the end of each call of a replay, with peaks within 5%
(tests/passes/memory.py), measured by torch's profiler and by `fxcpp run --memory`.

    test_zoo_summary.py [MODEL...]

Exit status: 0 if equal, 1 if different, 77 without torch or in a build without it.
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
    from test_zoo_twins import numbered, read_safetensors
    from zoo_twins import TWINS
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[1] / "passes"))
import memory  # noqa: E402
import replay  # noqa: E402
from flop_formulas import ADDITIONAL_FORMULAS  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")


def run_json(*words: Any) -> Any:
    return json.loads(subprocess.run([FXCPP, *map(str, words)], check=True, capture_output=True,
                                     text=True).stdout)


def values_of(document: dict[str, Any], tensors: dict[str, torch.Tensor]) -> dict[str, Any]:
    """Returns a tensor for each placeholder, with the strides of its type."""
    vals = {n["name"]: n.get("val") for n in document["graph"]["nodes"] if n["op"] != "output"}
    inputs, values = numbered(tensors, "in"), {}
    for entry in document["inputs"]:
        value = replay.tensor_like(vals[entry["name"]])
        if entry["kind"] == "tangent":
            value.fill_(1)
        elif entry["kind"] == "user_input":
            value.copy_(inputs[entry["index"]])
        else:
            value.copy_(tensors[entry["target"]])
        values[entry["name"]] = value
    return values


def check(model: str, folder: Path) -> list[str]:
    settings, make = TWINS[model]
    graph = folder / f"{model}.fx"
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    subprocess.run([FXCPP, "capture", model, "--joint", *words, "-o", graph], check=True)
    mine = run_json("shape", graph, "--summary", "--json")
    document = run_json("print", graph, "--preset", "json")
    data = read_safetensors(graph.with_suffix(".safetensors"))
    inputs = numbered(data, "in")
    tensors = [inputs[i] for i in range(len(inputs))]
    module = make(**settings)
    native = run_json("run", graph, "--memory", "--json", "--threads", 1)
    failures, held = memory.compare(document, values_of(document, data), mine, native)

    with FlopCounterMode(display=False, custom_mapping=ADDITIONAL_FORMULAS) as forward:
        loss = module.loss(*tensors)
    with FlopCounterMode(display=False, custom_mapping=ADDITIONAL_FORMULAS) as backward:
        loss.backward()
    theirs = {"forward": forward.get_total_flops(), "backward": backward.get_total_flops(), "optimizer": 0}
    if mine["flops"] != theirs:
        failures.append(f"FLOPs {mine['flops']} vs. {theirs}")
    parameters = {"tensors": len(list(module.parameters())),
                  "elements": sum(p.numel() for p in module.parameters()),
                  "bytes": sum(p.untyped_storage().nbytes() for p in module.parameters())}
    if mine["parameters"] != parameters:
        failures.append(f"parameters {mine['parameters']} vs. {parameters}")

    by_module = {m["module"]: m["flops"]["forward"] for m in mine["modules"]}
    compared = 0
    for path, layer in module.named_modules():
        if not isinstance(layer, (torch.nn.Linear, torch.nn.Conv2d, torch.nn.ConvTranspose2d)):
            continue
        counted = forward.get_flop_counts().get(f"{type(module).__name__}.{path}")
        if counted is None:  # a function or another layer uses the weight
            continue
        compared += 1
        if by_module.get(path) != sum(counted.values()):
            failures.append(f"FLOPs of {path}: {by_module.get(path)} vs. {sum(counted.values())}")
    print(f"{model}: {theirs['forward']} and {theirs['backward']} FLOPs, {compared} layers compared; "
          f"{held}", flush=True)
    return failures


def main() -> int:
    if subprocess.run([FXCPP, "capture", "--help"], capture_output=True).returncode != 0:
        print(f"not run: {FXCPP} was built without libtorch")
        return 77
    torch.set_num_threads(1)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for model in sys.argv[1:] or TWINS:
            failures = check(model, Path(folder))
            failed += bool(failures)
            for failure in failures:
                print(f"  {model}: {failure}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
