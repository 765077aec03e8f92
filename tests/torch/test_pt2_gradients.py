#!/usr/bin/env python3
"""Compares gradients of exported programs, as `fxcpp grad` derives them, with autograd's.

    test_pt2_gradients.py [MODEL...]

The graph of each .pt2 archive of the corpus, with its parameters as inputs, is differentiated with
respect to all parameters, or to the floating-point inputs if it has no parameters. Gradients must
equal autograd's for the module that PyTorch loads from the archive. FXCPP_CORPUS is the folder of
the corpus. Exit status: 0 on success, 1 on failure, 77 without torch or the corpus.
"""

from __future__ import annotations

import copy
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
    from torch._higher_order_ops.while_loop import WhileLoopOp, while_loop_dense
except ImportError:
    print("not run: torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
QUICK = ["conv13d", "fake_quant", "lenet", "rnn_cells", "scan_net", "sym_arith", "unet", "vit_mini", "while_net"]
TOLERANCES = {"llama_like": 5e-2}  # bfloat16


def fxcpp(*command: str | Path) -> None:
    done = subprocess.run([FXCPP, *command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"fxcpp {' '.join(map(str, command))}: {done.stderr}")


def eager(program: Any, tangents: list[torch.Tensor]) -> tuple[dict[str, Any], list[torch.Tensor]]:
    """Returns the gradients of all parameters by name (or of the inputs if there are none), and the
    results that have tangents."""
    module = program.module()
    args, kwargs = copy.deepcopy(program.example_inputs)
    parameters = {k: v for k, v in module.named_parameters(remove_duplicate=False) if v.requires_grad}
    if not parameters:
        leaves = pytree.tree_leaves((args, kwargs))
        parameters = {f"in.{i}": leaf.requires_grad_() for i, leaf in enumerate(leaves)
                      if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()}
    results = [x for x in pytree.tree_leaves(module(*args, **kwargs))
               if isinstance(x, torch.Tensor) and x.requires_grad]
    for result in results[len(tangents):]:
        torch.manual_seed(len(tangents))
        tangents.append(torch.randn_like(result.detach()))
    gradients = torch.autograd.grad(results, list(parameters.values()), tangents, allow_unused=True)
    return dict(zip(parameters, gradients, strict=True)), results


def check(archive: Path, folder: Path) -> str:
    """Returns the differences; "" if there are none."""
    program = torch.export.load(archive)
    tangents: list[torch.Tensor] = []
    reference, _ = eager(program, tangents)
    fxcpp("import", archive, "--lifted", "-o", folder / "lifted.json")
    inputs = json.loads((folder / "lifted.json").read_text())["inputs"]
    state = {**program.state_dict, **program.constants}
    targets = {entry["name"]: entry.get("target", f"in.{entry.get('index')}") for entry in inputs}
    # Tied parameters share one input.
    wrt = [name for name, target in targets.items() if target in reference]
    options = [option for name in wrt for option in ("--wrt", name)]
    fxcpp("grad", folder / "lifted.json", "--vjp", "--style", "aten", *options, "-o", folder / "vjp.json")
    derived = json.loads((folder / "vjp.json").read_text())
    types = {node["name"]: node.get("val", {}) for node in derived["graph"]["nodes"]}
    gm = fx_export.load(derived, values=False)
    users = iter(pytree.tree_leaves(program.example_inputs))
    values: list[Any] = []
    for node in gm.graph.find_nodes(op="placeholder"):
        if node.name.startswith("tangents_"):
            tangent = tangents[int(node.name.removeprefix("tangents_")) - 1]
            strides = types[node.name]["stride"]  # a tangent must have the strides in its type
            if all(type(stride) is int for stride in strides) and tuple(strides) != tangent.stride():
                tangent = torch.empty_strided(tangent.shape, strides).copy_(tangent)
            values.append(tangent)
        elif targets[node.name] in state:
            values.append(state[targets[node.name]].detach().clone())
        else:
            values.append(next(users))
    gradients = gm(*values)[-1]
    problems = []
    for name, gradient in zip(wrt, gradients, strict=True):
        want = reference[targets[name]]
        if gradient is None or want is None:
            if want is not None and want.any() or gradient is not None and gradient.any():
                problems.append(f"{targets[name]}: the gradient is {gradient}, expected {want}")
            continue
        tolerance = TOLERANCES.get(archive.parent.name, 1e-4)
        scale = want.abs().max().item() if want.numel() else 0.0
        error = (gradient - want).abs().max().item() if want.numel() else 0.0
        if gradient.shape != want.shape or not error <= tolerance * max(scale, 1e-3):
            problems.append(f"{targets[name]}: differs by {error} of {scale}")
    return "\n".join(f"{archive.parent.name}: {problem}" for problem in problems)


def check_loss(archive: Path, loss: str, folder: Path) -> str:
    """Compares the loss and gradients of `import --joint --loss`, and returns the differences."""
    program = torch.export.load(archive)
    module = program.module()
    args, kwargs = program.example_inputs
    fxcpp("import", archive, "--joint", "--loss", loss, "-o", folder / "joint.json")
    document = json.loads((folder / "joint.json").read_text())
    torch.manual_seed(0)
    result = pytree.tree_leaves(module(*args, **kwargs))[int(loss) if loss.isdigit() else 0]
    leaves = pytree.tree_leaves((args, kwargs))
    expected = result
    if loss == "cross_entropy":
        target = torch.randint(0, result.shape[1], (*result.shape[:1], *result.shape[2:]))
        expected = torch.nn.functional.cross_entropy(result, target)
    elif loss == "mse":
        target = torch.randn_like(result.detach())
        expected = torch.nn.functional.mse_loss(result, target)
    parameters = {k: v for k, v in module.named_parameters(remove_duplicate=False) if v.requires_grad}
    seed = torch.ones_like(expected)
    gradients = dict(zip(parameters, torch.autograd.grad(expected, list(parameters.values()), seed,
                                                         allow_unused=True), strict=True))
    state = {**program.state_dict, **program.constants}
    values: list[Any] = []
    for entry in document["inputs"]:
        if entry["kind"] == "tangent":
            values.append(seed)
        elif entry["kind"] == "user_input":
            values.append(leaves[entry["index"]] if entry["index"] < len(leaves) else target)
        else:
            values.append(state[entry["target"]].detach().clone())
    torch.manual_seed(0)
    results = fx_export.load(folder / "joint.json", values=False)(*values)
    problems, compared = [], 0
    for description, value in zip(document["outputs"], results, strict=True):
        if description["kind"] == "output":
            want = expected.detach()
        elif description["kind"] == "gradient":
            want = gradients[description["of"]["target"]]
        else:
            continue
        compared += 1
        if not torch.allclose(value, want, rtol=1e-4, atol=1e-5):
            problems.append(f"{archive.parent.name} --loss {loss}: {description}: {value}, not {want}")
    used = sum(gradient is not None for gradient in gradients.values())
    if compared != used + 1:
        problems.append(f"{archive.parent.name} --loss {loss}: {compared} values compared, not {used + 1}")
    return "\n".join(problems)


LOSSES = [("lenet", "cross_entropy"), ("lenet", "mse"), ("rnn_tagger", "cross_entropy"), ("rnn_tagger", "1"),
          ("vit_mini", "0"), ("while_net", "1")]


def main() -> int:
    warnings.simplefilter("ignore")
    # Autograd records the steps of a Python loop, because PyTorch 2.13's while_loop has a different
    # gradient.
    WhileLoopOp.__call__ = lambda _, *args, **kwargs: while_loop_dense(*args, **kwargs)
    corpus = Path(os.environ.get("FXCPP_CORPUS", ""))
    archives = sorted(corpus.glob("*/model.pt2"))
    if not archives:
        print("not run: the corpus is missing")
        return 77
    sys.path.insert(0, str(corpus))  # multi_io uses a class there
    names = sys.argv[1:] or QUICK
    if names == ["--all"]:
        names = [a.parent.name for a in archives]
    problems = []
    for archive in archives:
        if archive.parent.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                problems.append(check(archive, Path(folder)))
            except Exception as error:  # every model must be tried
                problems.append(f"{archive.parent.name}: {type(error).__name__}: {error}")
    losses = [(corpus / name / "model.pt2", loss) for name, loss in LOSSES if name in names or not sys.argv[1:]]
    for archive, loss in losses:
        with tempfile.TemporaryDirectory() as folder:
            problems.append(check_loss(archive, loss, Path(folder)))
    problems = [problem for problem in problems if problem]
    print("\n".join([*problems, f"{len(names)} programs and {len(losses)} losses, {len(problems)} with differences"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
