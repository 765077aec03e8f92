#!/usr/bin/env python3
"""Tests that fxcpp reads, runs and writes exported programs with unusual features.

    test_pt2_programs.py [--all] [NAME...]

torch exports each program of pt2_programs.py. The program (and, with --all or a name, its
functional form after run_decompositions) is then

    run     by fxcpp on the example inputs: the results are bit-equal to PyTorch's;
    written back by fxcpp and loaded by PyTorch: results are bit-equal; signature and operators are
            equal; members have equal values, strides and shared storages; example inputs are equal,
            also after conversion to .fx and back;
    written back after eliminate_common_subexpressions, and after functionalize: the results are
            bit-equal.

A build without libtorch reads and writes the programs, but does not run them.

Exit status: 0 on success, 1 on failure, 77 without torch.
"""

from __future__ import annotations

import argparse
import collections
import copy
import logging
import os
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

try:
    import torch
    import torch.utils._pytree as pytree
    from torch import nn
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

import pt2_programs

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
from check_export_db import operators  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
Program = torch.export.ExportedProgram
RUNS = subprocess.run([FXCPP, "capture", "--list"], capture_output=True, check=False).returncode == 0
QUICK = ["symbolic integer", "ordered dict", "strided inputs", "no inputs", "tied members",
         "members of one storage", "writes to members of one storage", "members read by position"]
# functionalize rejects a nested graph that writes to a tensor of the enclosing graph.
NOT_FUNCTIONALIZED = {"write in a region without gradients"}
# PyTorch recorded the stride Max(1, s0) although the size s0 may be 0; the actual stride is then
# s0.
DIFFERENT_TYPES = {"symbolic integers in a list"}


def results_of(program: Program, inputs: Any) -> dict[str, Any]:
    """Returns the results, and the buffers and the inputs after the call."""
    torch.manual_seed(0)
    args, kwargs = copy.deepcopy(inputs)
    module = program.module()
    results = pytree.tree_leaves(module(*args, **kwargs), is_leaf=lambda leaf: leaf is None)
    found = {f"result {i}": result for i, result in enumerate(results)}
    found |= {f"buffer {name}": b for name, b in module.named_buffers(remove_duplicate=False)}
    return found | {f"input {i}": leaf for i, leaf in enumerate(pytree.tree_leaves((args, kwargs)))}


def equal(a: Any, b: Any) -> bool:
    if not isinstance(b, torch.Tensor):
        return bool(a == b) and type(a) is type(b)
    if not isinstance(a, torch.Tensor) or a.dtype != b.dtype or a.shape != b.shape or a.stride() != b.stride():
        return False
    return same_values(a, b)


def same_values(a: torch.Tensor, b: torch.Tensor) -> bool:
    a, b = (x.detach().resolve_conj().resolve_neg().flatten().clone(memory_format=torch.contiguous_format)
            for x in (a, b))
    return torch.equal(a.view(torch.uint8), b.view(torch.uint8))


def same_example(a: Any, b: Any) -> bool:
    is_lazy = isinstance(b, torch.Tensor) and (b.is_conj() or b.is_neg())
    return same_values(a, b) if is_lazy else equal(a, b)  # copying a lazy tensor makes it contiguous


def members(program: Program) -> dict[str, Any]:
    return {**program.state_dict, **program.constants}


def member_differences(got: Program, want: Program) -> str:
    a, b = members(got), members(want)
    if set(a) != set(b):
        return f"members {set(a) ^ set(b)}"
    storages: dict[str, list[Any]] = {}
    for name in sorted(a):
        if not equal(a[name], b[name]) or isinstance(a[name], nn.Parameter) != isinstance(b[name], nn.Parameter):
            return f"member {name}"
        if isinstance(a[name], torch.Tensor):
            storages[name] = [x[name].untyped_storage()._cdata for x in (a, b)]
    for one, (ours, theirs) in storages.items():
        for two, (our_other, other) in storages.items():
            if a[one].numel() and a[two].numel() and (ours == our_other) != (theirs == other):
                return f"{one} and {two} share storage: {ours == our_other}, expected {theirs == other}"
    return ""


def run(*command: Any) -> None:
    done = subprocess.run([FXCPP, *map(str, command)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {(done.stderr + done.stdout)[:900]}")


def has_classes(program: Program) -> bool:
    """Returns True if only Python can restore the example inputs."""
    return any(kind.__name__ in str(program.call_spec.in_spec) for kind in (pt2_programs.Pair, pt2_programs.Point))


def save_values(program: Program, inputs: Path, results: Path) -> bool:
    """Saves the inputs and the results that are tensors. Returns True if a result is a tensor."""
    torch.manual_seed(0)
    args, kwargs = copy.deepcopy(program.example_inputs)
    files = {inputs: ("in", pytree.tree_leaves((args, kwargs))), results: ("out", [])}
    torch.save({f"in.{i}": leaf for i, leaf in enumerate(files[inputs][1]) if isinstance(leaf, torch.Tensor)},
               inputs)
    outputs = pytree.tree_leaves(program.module()(*args, **kwargs))
    tensors = {f"out.{i}": leaf.detach().clone() for i, leaf in enumerate(outputs) if isinstance(leaf, torch.Tensor)}
    torch.save(tensors, results)
    return bool(tensors)


def check(name: str, source: Path) -> str:
    """Returns the first difference, or "". Raises RuntimeError if a command fails."""
    written, merged, functional, inputs, values = (
        source.with_name(n) for n in ("b.pt2", "c.pt2", "e.pt2", "inputs.pt", "values.pt"))

    def load(path: Path = source) -> Program:
        return torch.export.load(path)  # modules write to buffers, so each use loads a new program
    has_tensors = save_values(load(), inputs, values)
    examples = load().example_inputs
    want = results_of(load(), examples)
    if RUNS:
        run("run", source, *(["--inputs", inputs] if has_classes(load()) else []),
            *(["--check", values] if has_tensors else []))
    run("verify", source)
    if name not in DIFFERENT_TYPES:
        run("shape", source, "--compare")
    run("emit", source, "--to", "pt2", "-o", written)
    got, original = load(written), load()
    gained, lost = operators(got) - operators(original), operators(original) - operators(got)
    # A final copy_ to a buffer is written as a mutation.
    mutations = [len(program.graph_signature.buffers_to_mutate) for program in (got, original)]
    if gained or lost != {"aten.copy_.default": mutations[0] - mutations[1]} and lost:
        return f"written: different operators: {gained} instead of {lost}"
    if not lost and str(got.graph_signature) != str(original.graph_signature):
        return f"written: different signature: {got.graph_signature} instead of {original.graph_signature}"
    if different := member_differences(got, original):
        return f"written: {different}"
    if not has_classes(got):
        text, converted = source.with_name("d.fx"), source.with_name("d.pt2")
        run("convert", source, "-o", text)
        run("convert", text, "-o", converted)
        for path, found in (written, got.example_inputs), (converted, load(converted).example_inputs):
            if not all(map(same_example, pytree.tree_leaves(found), pytree.tree_leaves(examples))):
                return f"{path.name}: different example inputs"
            if pytree.tree_structure(found) != pytree.tree_structure(examples):
                return f"{path.name}: example inputs with a different structure: {found}"
    run("opt", source, "--passes", "eliminate_common_subexpressions", "-o", merged)
    is_functionalized = name not in NOT_FUNCTIONALIZED
    if is_functionalized:
        run("opt", source, "--passes", "functionalize", "-o", functional)
    for path in (written, merged, *([functional] if is_functionalized else [])):
        results = results_of(load(path), examples)
        missing = set(want) - set(results)
        if path == functional:  # it reads tied buffers from one path
            missing = {name for name in missing if not name.startswith("buffer ")}
        if missing or set(results) - set(want):
            return f"{path.name}: {sorted(results)}, expected {sorted(want)}"
        for what, found in results.items():
            if not equal(found, want[what]):
                return f"{path.name}: {what} is {found}, expected {want[what]}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    logging.disable(logging.CRITICAL)
    torch.export.register_dataclass(pt2_programs.Pair, serialized_type_name="fxcpp_check.Pair")
    pytree._register_namedtuple(pt2_programs.Point, serialized_type_name="fxcpp_check.Point")
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "a.pt2"
        for name, form, make in all_programs(options.names, options.all):
            try:
                program = make()
                torch.export.save(program, source)
                torch.export.load(source)
            except Exception as error:  # PyTorch rejects some programs
                counts["not exported by PyTorch"] += 1
                print(f"{name}, {form}: not exported: {str(error).strip().splitlines()[0][:150]}", flush=True)
                continue
            try:
                failure = check(name, source)
            except Exception as error:
                failure = f"{type(error).__name__}: {str(error)[:900]}"
                if not isinstance(error, RuntimeError):
                    failure += traceback.format_exc(limit=-2)
            counts["failed" if failure else "equal"] += 1
            if failure:
                print(f"{name}, {form}: {failure}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] else 0


def all_programs(names: list[str], everything: bool) -> Iterator[tuple[str, str, Callable[[], Program]]]:
    for name, make_case in pt2_programs.CASES.items():
        if not everything and name not in (names or QUICK):
            continue

        def make(make_case: Callable[[], pt2_programs.Case] = make_case) -> Program:
            model, args, kwargs, dynamic = make_case()
            return torch.export.export(model, args, kwargs, dynamic_shapes=dynamic, strict=False)
        yield name, "exported", make
        if everything or names:
            yield name, "functional", lambda make=make: make().run_decompositions({})


if __name__ == "__main__":
    sys.exit(main())
