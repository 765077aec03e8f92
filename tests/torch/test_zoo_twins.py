#!/usr/bin/env python3
"""Compares the C++ models of the zoo with the same models in Python (zoo_twins.py).

    test_zoo_twins.py [MODEL...]

`fxcpp capture MODEL --joint -o g.fx` writes parameters, buffers, inputs and results of the graph to
g.safetensors. The Python model receives the same tensors and seed; its loss, changed buffers and
gradients must be close to the results. They are not bit-equal, because C++ and Python split some
operators differently. Exit status: 0 if equal, 1 if different, 77 without torch or in a build
without it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
    from zoo_twins import TWINS, Settings
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
DTYPES = {"F32": torch.float32, "F64": torch.float64, "I64": torch.int64}
SEED = 3


def read_safetensors(path: Path) -> dict[str, torch.Tensor]:
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:start]).items():
        if name == "__metadata__":
            continue
        begin, end = (start + offset for offset in entry["data_offsets"])
        flat = torch.frombuffer(bytearray(data[begin:end]), dtype=DTYPES[entry["dtype"]])
        tensors[name] = flat.view(entry["shape"])
    return tensors


def capture(model: str, settings: Settings, folder: Path) -> dict[str, torch.Tensor]:
    graph = folder / f"{model}.fx"
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    subprocess.run([FXCPP, "capture", model, "--joint", "--seed", str(SEED), *words, "-o", graph],
                   check=True)
    return read_safetensors(graph.with_suffix(".safetensors"))


def numbered(tensors: dict[str, torch.Tensor], what: str) -> dict[int, torch.Tensor]:
    return {int(name.split(".")[1]): t for name, t in tensors.items()
            if name.split(".")[0] == what}


def run_twin(module: torch.nn.Module, inputs: list[torch.Tensor]) -> list[torch.Tensor | None]:
    """Returns the results of a joint graph: changed buffers, the loss, and a gradient or None for
    each primal."""
    before = [b.clone() for b in module.buffers()]
    torch.manual_seed(SEED)
    loss = module.loss(*inputs)
    loss.backward()
    changed = [b for b, old in zip(module.buffers(), before) if not torch.equal(b, old)]
    gradients = [p.grad for p in module.parameters()]
    return [*changed, loss.detach(), *gradients] + [None] * (len(before) + len(inputs))


# parity: S8
def check(model: str, folder: Path) -> list[str]:
    settings, make = TWINS[model]
    tensors = capture(model, settings, folder)
    inputs, outputs = numbered(tensors, "in"), numbered(tensors, "out")
    state = {name: t for name, t in tensors.items() if name.split(".")[0] not in ("in", "out", "tangent")}

    module = make(**settings)
    state_names = dict([*module.named_parameters(), *module.named_buffers()])
    shapes = {name: tuple(t.shape) for name, t in state_names.items()}
    if shapes != {name: tuple(t.shape) for name, t in state.items()}:
        return [f"parameters and buffers differ: {sorted(shapes.keys() ^ state.keys())}"]
    module.load_state_dict(state, strict=False)  # a tied weight has only one name in the state
    expected = run_twin(module, [inputs[i] for i in range(len(inputs))])

    failures, equal = [], 0
    if {i for i, t in enumerate(expected) if t is not None} != outputs.keys():
        failures.append(f"{len(expected)} results including None, but the outputs are {sorted(outputs)}")
    for i, got in outputs.items():
        want = expected[i] if i < len(expected) else None
        if want is None or want.shape != got.shape:
            failures.append(f"out.{i}: {got.shape}, not {None if want is None else want.shape}")
        elif not torch.allclose(got, want, rtol=1e-4, atol=1e-6 * max(1.0, float(want.abs().max()))):
            failures.append(f"out.{i}: differs by {float((got - want).abs().max())}")
        else:
            equal += torch.equal(got, want)
    print(f"{model}: {len(outputs)} results, {equal} of them bit-equal")
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
    zoo = Path(__file__).parents[2] / "tools" / "torch" / "zoo" / "zoo.cpp"
    missing = set(re.findall(r"zoo::build_(\w+)", zoo.read_text())) - TWINS.keys()
    if missing:
        print(f"no Python model for {', '.join(sorted(missing))}")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
