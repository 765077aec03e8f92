#!/usr/bin/env python3
"""Captures C++ models, writes them as .pt2, and opens and runs them in PyTorch.

    test_zoo_pt2.py [--all] [MODEL...]

`fxcpp capture MODEL -o g.fx` runs a model of the zoo in C++ and stores its inputs and results.
`fxcpp emit g.fx --to pt2` writes the program. torch.export.load opens it, and its results must
equal those of C++ bit for bit: forward, with --joint the loss and gradients, and each of
these after functionalize. A step of SGD on the gradients that PyTorch computes for the forward program, before and after
functionalize if it has no batch norm in training, must lower the loss. --all runs every model. Exit
status: 0 on success, 1 on failure, 77 without torch.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

try:
    import torch
    from test_zoo_twins import numbered, read_safetensors
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
QUICK = ["mlp"]
FORMS = {"forward": [], "forward functionalized": ["--functionalize"], "joint": ["--joint"],
         "joint functionalized": ["--joint", "--functionalize"]}


def fxcpp(*command: str | Path) -> str:
    done = subprocess.run([FXCPP, *map(str, command)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def run_program(program: Any, inputs: list[torch.Tensor]) -> tuple[list[Any], dict[str, Any]]:
    """Returns the results of a program's graph, and its members after the call by their paths."""
    signature = program.graph_signature
    paths = [spec.target for spec in signature.input_specs if spec.kind.name != "USER_INPUT"]
    members = [program.state_dict.get(path, program.constants.get(path)) for path in paths]
    copies = [m.detach().clone() for m in members]
    torch.manual_seed(0)
    # Gradients are enabled, as in C++; otherwise, mkldnn_rnn_layer returns no workspace.
    results = program.graph_module(*copies, *inputs)
    after, values = dict(zip(paths, copies)), []  # includes in-place writes
    for spec, result in zip(signature.output_specs, results, strict=True):
        if spec.kind.name in ("BUFFER_MUTATION", "PARAMETER_MUTATION"):
            after[spec.target] = result
        else:
            values.append(result)
    return values, after


def differences(graph: Path, program: Any, inputs: list[torch.Tensor],
                want: list[torch.Tensor]) -> list[str]:
    """Compares the results with C++. The metadata of the graph specifies which results are members."""
    document = graph.with_suffix(".json")
    fxcpp("convert", graph, "-o", document)
    meanings = [meaning for meaning in json.loads(document.read_text())["outputs"]
                if meaning["kind"] != "none"]
    values, after = run_program(program, inputs)
    problems, remaining = [], iter(values)
    for meaning, b in zip(meanings, want, strict=True):
        is_member = meaning["kind"] == "mutation" and "target" in meaning["of"]
        a = after[meaning["of"]["target"]] if is_member else next(remaining)
        if not torch.equal(a, b):
            difference = float((a.double() - b.double()).abs().max())
            problems.append(f"{meaning['kind']} {meaning['name']} differs by {difference}")
    return problems + ["there are more results than in C++"] * (next(remaining, None) is not None)


def trains(program: Any, inputs: list[torch.Tensor]) -> list[str]:
    """Tests that an SGD step decreases the loss, the sum of the mean squares of the results."""
    module = program.module()
    parameters = [p for p in module.parameters() if p.requires_grad]
    if not parameters:
        return ["no parameter requires a gradient"]

    def loss() -> torch.Tensor:
        torch.manual_seed(0)
        values = module(*inputs)
        values = values if isinstance(values, (tuple, list)) else [values]
        return sum(v.float().square().mean() for v in values if v.is_floating_point())

    before = loss()
    before.backward()
    norm = sum(float(p.grad.square().sum()) for p in parameters if p.grad is not None)
    if not norm > 0:
        return ["the gradients are zero"]
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p -= min(1e-2, 1e-3 * float(before) / norm) * p.grad
        after = loss()
    return [] if after < before else [f"a step raised the loss from {before} to {after}"]


def has_functional_norms(program: Any) -> bool:
    """Returns True if PyTorch cannot differentiate the program: the module updates its buffers with
    copy_ after the forward pass, but the backward pass of this operator needs the previous buffers.
    This also applies to programs after PyTorch's own run_decompositions()."""
    return any(node.target is torch.ops.aten._native_batch_norm_legit_functional.default
               for node in program.graph.nodes)


def check(model: str, form: str, folder: Path) -> list[str]:
    graph, archive = folder / f"{model}.fx", folder / f"{model}.pt2"
    fxcpp("capture", model, *FORMS[form], "-o", graph)
    fxcpp("emit", graph, "--to", "pt2", "-o", archive)
    tensors = read_safetensors(graph.with_suffix(".safetensors"))
    inputs, outputs = numbered(tensors, "in"), numbered(tensors, "out")
    program = torch.export.load(archive)
    arguments = [inputs[i] for i in sorted(inputs)]
    problems = differences(graph, program, [t.clone() for t in arguments],
                           [outputs[i] for i in sorted(outputs)])
    if "joint" not in form:
        samples = torch.utils._pytree.tree_leaves(program.example_inputs)
        if not all(torch.equal(a, b) for a, b in zip(samples, arguments, strict=True)):
            problems.append("the example inputs differ")
    if "joint" not in form and not has_functional_norms(program):
        problems += trains(program, arguments)
    kinds = {spec.kind.name for spec in program.graph_signature.output_specs}
    if "joint" in form and not {"LOSS_OUTPUT", "GRADIENT_TO_PARAMETER"} <= kinds:
        problems.append(f"kinds of results: {kinds}")
    if "functionalized" in form and [v.dialect for v in program.verifiers] != ["ATEN"]:
        problems.append("a functional program is not in the ATEN dialect")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    if subprocess.run([FXCPP, "capture", "--help"], capture_output=True).returncode != 0:
        print(f"not run: {FXCPP} was built without libtorch")
        return 77
    torch.set_num_threads(1)
    known = [model["name"] for model in json.loads(fxcpp("capture", "--list", "--json"))]
    models = options.models or (known if options.all else QUICK)
    problems, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            for form in FORMS:
                try:
                    found = check(model, form, Path(folder))
                except Exception:
                    found = [traceback.format_exc(limit=-3)[-1500:]]
                problems += [f"{model}, {form}: {problem}" for problem in found]
                count += 1
    for problem in problems:
        print(problem)
    print(f"{count} programs of {len(models)} models, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
