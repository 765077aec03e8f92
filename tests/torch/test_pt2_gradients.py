#!/usr/bin/env python3
"""Compares gradients of exported programs, as `fxcpp grad` derives them, with autograd's.

    test_pt2_gradients.py [MODEL...]

The graph of each .pt2 archive of the corpus, with its parameters as inputs, is differentiated with
respect to all parameters. Gradients must equal those of the module that PyTorch loads from the
archive. FXCPP_CORPUS names the corpus. Exit status: 0, 1, or 77 where something is missing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

try:
    import torch
    import torch.utils._pytree as pytree
except ImportError:
    print("not run: torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
# Models without trainable parameters (test_loop_gradients.py has scan), with operators that have no rule
# (loops of unknown length), with a result that autograd refuses, with a custom class in their input tree,
# or with a recorded size that is not simplified (unet: TruncToInt(0.5*ToFloat(4*s18)), which is 2*s18).
LEFT = {"while_net", "scan_net", "sym_arith", "fake_quant", "multi_io", "data_dependent", "unet"}
QUICK = ["conv13d", "lenet", "rnn_cells", "vit_mini"]
TOLERANCES = {"llama_like": 5e-2}  # bfloat16


def fxcpp(*command: str | Path) -> None:
    done = subprocess.run([FXCPP, *command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"fxcpp {' '.join(map(str, command))}: {done.stderr}")


def eager(program: Any, tangents: list[torch.Tensor]) -> tuple[dict[str, Any], list[torch.Tensor]]:
    """The gradients of all parameters, by name, and the results that have tangents."""
    module = program.module()
    args, kwargs = program.example_inputs
    results = [x for x in pytree.tree_leaves(module(*args, **kwargs))
               if isinstance(x, torch.Tensor) and x.requires_grad]
    parameters = {k: v for k, v in module.named_parameters(remove_duplicate=False) if v.requires_grad}
    for result in results[len(tangents):]:
        torch.manual_seed(len(tangents))
        tangents.append(torch.randn_like(result.detach()))
    gradients = torch.autograd.grad(results, list(parameters.values()), tangents, allow_unused=True)
    return dict(zip(parameters, gradients, strict=True)), results


def check(archive: Path, folder: Path) -> str:
    """The differences; empty if there are none."""
    program = torch.export.load(archive)
    tangents: list[torch.Tensor] = []
    wanted, _ = eager(program, tangents)
    fxcpp("import", archive, "--lifted", "-o", folder / "lifted.json")
    inputs = json.loads((folder / "lifted.json").read_text())["inputs"]
    state = {**program.state_dict, **program.constants}
    targets = {entry["name"]: entry.get("target") for entry in inputs}
    # Tied parameters are one input.
    wrt = [entry["name"] for entry in inputs
           if entry["kind"] == "parameter" and entry["target"] in wanted]
    options = [option for name in wrt for option in ("--wrt", name)]
    fxcpp("grad", folder / "lifted.json", "--vjp", "--style", "aten", *options, "-o", folder / "vjp.json")
    gm = fx_export.load(folder / "vjp.json")
    users = iter(pytree.tree_leaves(program.example_inputs))
    values: list[Any] = []
    for node in gm.graph.find_nodes(op="placeholder"):
        if node.name.startswith("tangents_"):
            tangent = tangents[int(node.name.removeprefix("tangents_")) - 1]
            expected = node.meta["val"]  # a tangent must have the strides of its type
            strides = expected.stride() if isinstance(expected, torch.Tensor) else ()
            if all(type(stride) is int for stride in strides) and strides != tangent.stride():
                tangent = torch.empty_strided(tangent.shape, strides).copy_(tangent)
            values.append(tangent)
        elif targets[node.name] is not None:
            values.append(state[targets[node.name]].detach().clone())
        else:
            values.append(next(users))
    gradients = gm(*values)[-1]
    problems = []
    for name, gradient in zip(wrt, gradients, strict=True):
        want = wanted[targets[name]]
        if gradient is None or want is None:
            if want is not None and want.any() or gradient is not None and gradient.any():
                problems.append(f"{targets[name]}: {gradient} for a gradient")
            continue
        tolerance = TOLERANCES.get(archive.parent.name, 1e-4)
        scale = want.abs().max().item() if want.numel() else 0.0
        error = (gradient - want).abs().max().item() if want.numel() else 0.0
        if gradient.shape != want.shape or not error <= tolerance * max(scale, 1e-3):
            problems.append(f"{targets[name]}: differs by {error} of {scale}")
    return "\n".join(f"{archive.parent.name}: {problem}" for problem in problems)


def main() -> int:
    warnings.simplefilter("ignore")
    corpus = Path(os.environ.get("FXCPP_CORPUS", ""))
    archives = sorted(corpus.glob("*/model.pt2"))
    if not archives:
        print("not run: the corpus is missing")
        return 77
    names = sys.argv[1:] or QUICK
    if names == ["--all"]:
        names = [a.parent.name for a in archives if a.parent.name not in LEFT]
    problems = []
    for archive in archives:
        if archive.parent.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                problems.append(check(archive, Path(folder)))
            except Exception as error:  # every model must be tried
                problems.append(f"{archive.parent.name}: {type(error).__name__}: {error}")
    problems = [problem for problem in problems if problem]
    print("\n".join([*problems, f"{len(names)} programs, {len(problems)} with differences"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
