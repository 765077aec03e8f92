#!/usr/bin/env python3
"""Compares programs that fxcpp writes, loaded by torch.export.load, with the originals.

    test_pt2_write.py [--all] [MODEL...]

Each .pt2 archive of the corpus is written back (fxcpp emit --to pt2), and written after passes
(fxcpp opt --passes ... -o new.pt2). PyTorch must load it. Signature, ranges, calling convention and
modules of nodes must equal the original's if no pass ran; results must be bit-equal if the
operators are the same, and within 1e-5 otherwise. --all checks every model and pass in a long manual run;
by default, the script checks a few. FXCPP_CORPUS is the folder of the corpus. Exit status: 0 on success, 1 on
failure, 77 without torch or the corpus.
"""

from __future__ import annotations

import argparse
import collections
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

try:
    import numpy as np
    import torch
    import torch.utils._pytree as pytree
except ImportError:
    print("not run: torch is missing")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
PASSES = ["functionalize", "decompose", "eliminate_common_subexpressions"]
# Small models that cover buffers, symbols, writes, control flow, storages, trees, and joint graphs.
QUICK = {"mlp/model": PASSES, "views_inplace/model": ["functionalize"], "storages/model": [],
         "while_net/model": [], "cond_net/model": ["eliminate_common_subexpressions"],
         "multi_io/model": [], "sym_arith/model": [], "index_ops/model": [], "lenet/joint": []}
TOLERANCES = {"llama_like": 2e-2}  # bfloat16
REJECTED = {("conv13d/model", "functionalize")}  # instance_norm has no functional form


def run(*command: str) -> str:
    """Runs the command. Returns the error, or ""."""
    done = subprocess.run([FXCPP, *command], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{' '.join(command)}\n{done.stderr}"


def spec_facts(program: Any) -> list[Any]:
    """Returns facts that must not change: the signature, ranges, the calling convention, guards and
    dialects."""
    signature = program.graph_signature
    call = program.module_call_graph
    return [[str(spec) for spec in signature.input_specs],
            [str(spec) for spec in signature.output_specs],
            {str(k): str(v) for k, v in program.range_constraints.items()},
            str(call[0].signature.in_spec), str(call[0].signature.out_spec),
            call[0].signature.forward_arg_names, [entry.fqn for entry in call],
            program._guards_code, [verifier.dialect for verifier in program.verifiers]]


def node_facts(graph: Any) -> list[Any]:
    """Returns every node with its arguments, type, module path and other metadata."""
    facts = []
    for node in graph.nodes:
        meta = {key: node.meta.get(key) for key in ("stack_trace", "torch_fn", "custom")}
        value = node.meta.get("val")
        described = pytree.tree_map(
            lambda x: (str(x.dtype), str(x.size()), str(x.stride()), x.requires_grad)
            if isinstance(x, torch.Tensor) else str(x), value)
        facts.append((node.name, node.op, str(node.target), str(node.args), str(node.kwargs),
                      str(node.meta.get("nn_module_stack")), str(meta), str(described)))
    return facts


def all_graphs(module: Any) -> list[Any]:
    return [m.graph for m in module.modules() if isinstance(m, torch.fx.GraphModule)]


def state_facts(program: Any) -> dict[str, Any]:
    """Returns members with their sizes, strides and offsets, and the members with which they share
    memory."""
    members = {**program.state_dict, **program.constants}
    memory: dict[int, str] = {}
    return {name: (type(t).__name__, str(t.dtype), tuple(t.size()), t.stride(), t.storage_offset(),
                   t.requires_grad, t.numel() and memory.setdefault(t.untyped_storage().data_ptr(), name))
            for name, t in sorted(members.items()) if isinstance(t, torch.Tensor)}


def inputs_of(program: Any, folder: Path) -> tuple[Any, Any]:
    """Returns the example inputs with the values in values.npz."""
    args, kwargs = program.example_inputs
    leaves, spec = pytree.tree_flatten((args, kwargs))
    values = np.load(folder / "values.npz")
    for i, leaf in enumerate(leaves):
        if isinstance(leaf, torch.Tensor) and f"in.{i}" in values:
            leaves[i] = torch.from_numpy(values[f"in.{i}"]).to(leaf.dtype)
    return pytree.tree_unflatten(leaves, spec)


def results(program: Any, folder: Path, original: Any) -> tuple[list[Any], dict[str, Any]]:
    """Returns the results, and the state after the call. A joint program runs as a graph."""
    args, kwargs = pytree.tree_map(lambda x: x.clone() if isinstance(x, torch.Tensor) else x,
                                   inputs_of(original, folder))
    torch.manual_seed(0)
    kinds = {spec.kind.name for spec in program.graph_signature.output_specs}
    if "LOSS_OUTPUT" in kinds:
        leaves = pytree.tree_leaves((args, kwargs))
        members = [program.state_dict.get(spec.target, program.constants.get(spec.target))
                   for spec in program.graph_signature.input_specs if spec.kind.name != "USER_INPUT"]
        with torch.no_grad():
            return pytree.tree_leaves(program.graph_module(*members, *leaves)), {}
    module = program.module()
    state = module.state_dict()
    before = {name: tensor.clone() for name, tensor in state.items()}
    with torch.no_grad():
        values = pytree.tree_map(lambda x: x.clone() if isinstance(x, torch.Tensor) else x,
                                 pytree.tree_leaves(module(*args, **kwargs)))
        after = {name: tensor.clone() for name, tensor in state.items()}
        for name, tensor in state.items():  # the program shares the state
            tensor.copy_(before[name])
    written = [x for x in pytree.tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
    return values + written, after


def operators(program: Any) -> collections.Counter[str]:
    return collections.Counter(str(node.target) for graph in all_graphs(program.graph_module)
                               for node in graph.nodes if node.op == "call_function")


def difference(mine: Any, theirs: Any, tolerance: float) -> str:
    if not isinstance(theirs, torch.Tensor):
        return "" if mine == theirs else f"{mine} is not {theirs}"
    if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
        return f"{mine.dtype} {list(mine.shape)} is not {theirs.dtype} {list(theirs.shape)}"
    if tolerance == 0:
        equal = torch.equal(mine.contiguous().view(torch.uint8) if mine.dim() else mine,
                            theirs.contiguous().view(torch.uint8) if theirs.dim() else theirs)
        if not mine.dim():
            equal = equal or bool(mine.isnan() and theirs.isnan())
        return "" if equal else "the bits differ"
    if theirs.is_floating_point():  # float8 does not support arithmetic
        mine, theirs = mine.double(), theirs.double()
    close = torch.allclose(mine, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)
    return "" if close else f"differs by {(mine - theirs).abs().max()}"


def compare(name: str, path: Path, original: Any, folder: Path, ran_pass: bool) -> list[str]:
    program = torch.export.load(path)
    problems = []
    if not ran_pass:
        for what, mine, theirs in [
                ("signature", spec_facts(program), spec_facts(original)),
                ("nodes", [node_facts(g) for g in all_graphs(program.graph_module)],
                 [node_facts(g) for g in all_graphs(original.graph_module)]),
                ("state", state_facts(program), state_facts(original))]:
            if mine != theirs:
                problems.append(f"{what}: {first_difference(mine, theirs)}")
    elif spec_facts(program)[2:7] != spec_facts(original)[2:7]:
        problems.append(f"signature: {first_difference(spec_facts(program), spec_facts(original))}")
    same = operators(program) == operators(original)
    tolerance = 0 if same else TOLERANCES.get(name.split("/")[0], 1e-5)
    mine, my_state = results(program, folder, original)
    theirs, their_state = results(original, folder, original)
    if len(mine) != len(theirs) or my_state.keys() != their_state.keys():
        return [*problems, f"{len(mine)} results, expected {len(theirs)}"]
    pairs = [(f"result {i}", a, b) for i, (a, b) in enumerate(zip(mine, theirs))]
    pairs += [(key, my_state[key], their_state[key]) for key in their_state]
    for what, a, b in pairs:
        if found := difference(a, b, tolerance):
            problems.append(f"{what}: {found}")
    return problems


def first_difference(mine: Any, theirs: Any) -> str:
    if isinstance(mine, (list, tuple)) and isinstance(theirs, (list, tuple)):
        for a, b in zip(mine, theirs):
            if a != b:
                return first_difference(a, b)
        return f"{len(mine)} values, expected {len(theirs)}: {str(mine)[-300:]} / {str(theirs)[-300:]}"
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in [*theirs, *mine]:
            if mine.get(key) != theirs.get(key):
                return f"{key}: {mine.get(key)} is not {theirs.get(key)}"
    return f"{str(mine)[:600]}\n    is not {str(theirs)[:600]}"


# parity: S4
def check(name: str, corpus: Path, passes: list[str], scratch: Path) -> tuple[int, list[str]]:
    source = corpus / f"{name}.pt2"
    original = torch.export.load(source)
    problems, count = [], 0
    for step in ["", *passes]:
        if (name, step) in REJECTED:
            continue
        target = scratch / f"{name.replace('/', '_')}_{step or 'same'}.pt2"
        failure = (run("opt", str(source), "--passes", step, "-o", str(target)) if step
                   else run("emit", str(source), "--to", "pt2", "-o", str(target)))
        found = [failure] if failure else []
        if not failure:
            try:
                found = compare(name, target, original, source.parent, bool(step))
            except Exception:
                found = [traceback.format_exc(limit=-4)[-3000:]]
        problems += [f"{name} {step or 'unchanged'}: {problem}" for problem in found]
        count += 1
        target.unlink(missing_ok=True)
    return count, problems


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("models", nargs="*", help="mlp, lenet/joint; default: some, or --all")
    options = parser.parse_args()
    corpus = Path(os.environ.get("FXCPP_CORPUS", ""))
    known = sorted(str(path.relative_to(corpus).with_suffix("")) for path in corpus.glob("*/*.pt2"))
    if not known:
        print("not run: the corpus is missing")
        return 77
    sys.path.insert(0, str(corpus))  # multi_io uses a class there
    try:
        import zoo
        torch.serialization.add_safe_globals([zoo.Pair])
    except ImportError:
        known.remove("multi_io/model")
    chosen = {name: PASSES for name in known} if options.all else QUICK
    if options.models:
        chosen = {name: PASSES for name in known
                  if name in options.models or name.removesuffix("/model") in options.models}
    problems, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, passes in chosen.items():
            if name not in known:
                continue
            done, found = check(name, corpus, passes, Path(folder))
            problems += found
            count += done
            for problem in found:
                print(problem, flush=True)
    print(f"{count} programs of {len(chosen)} archives written and loaded, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
