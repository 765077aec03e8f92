#!/usr/bin/env python3
"""Compares derivatives from `fxcpp grad` with autograd's, for PyTorch's operator database.

    op_gradients.py FXCPP [--only TEXT] [--names NAME,...] [--modes reverse,forward,second]
                    [--style aten|readable] [--samples N] [--expect N,...] [--verbose]
                    [--shard I/N --rows FILE]
    op_gradients.py --table FILE...

For each entry that supports autograd, each sample and each dtype (float64, complex128), the
operator is traced to ATen (make_fx), written as interchange JSON, differentiated by the command,
read back and run. An entry passes if 99% of its samples pass. Samples that autograd rejects do not
count; samples that cannot be traced fail. Where autograd's tangent is NaN and the result is not,
finite differences are the reference. Prints a line for each entry and mode that fails, with the
first reason, and the number of entries that pass. The exit status is 1 if a number is below
--expect. `--rows` writes a line of JSON for each entry; `--table` prints the totals of such files,
and the failures.
"""

from __future__ import annotations

import argparse
import collections
import functools
import json
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import fx_export  # noqa: E402
from operator_database import operator_database  # noqa: E402

warnings.filterwarnings("ignore")
Tensors = list[torch.Tensor]


class Rejected(Exception):
    """Autograd or the tracer rejects the sample, so it does not count."""


class Failed(Exception):
    """The derivative is missing or wrong."""


class Sample:
    """A call to an operator, as a function of its differentiable tensors."""

    def __init__(self, op: Any, sample: Any) -> None:
        args = (sample.input, *sample.args)
        leaves, self.spec = pytree.tree_flatten((args, sample.kwargs))
        self.op, self.output = op, sample.output_process_fn_grad
        self.leaves = [x.detach().clone() if isinstance(x, torch.Tensor) else x for x in leaves]
        self.positions = [i for i, x in enumerate(self.leaves) if isinstance(x, torch.Tensor)]
        self.wrt = [
            i
            for i, x in enumerate(leaves)
            if isinstance(x, torch.Tensor) and x.requires_grad
        ]
        if not self.wrt:
            raise Rejected("no input requires grad")
        self.graph: torch.fx.GraphModule | None = None
        self.derivative: dict[str, torch.fx.GraphModule] = {}

    def tensors(self) -> Tensors:
        return [self.leaves[i] for i in self.positions]

    def active(self) -> list[int]:
        """Returns the positions in `tensors` of the inputs to differentiate."""
        return [self.positions.index(i) for i in self.wrt]

    def call(self, *tensors: torch.Tensor) -> Tensors:
        leaves = list(self.leaves)
        for position, tensor in zip(self.positions, tensors):
            leaves[position] = tensor
        args, kwargs = pytree.tree_unflatten(leaves, self.spec)
        result = self.op(*args, **kwargs)
        if self.output is not None:
            result = self.output(result)
        return [x for x in pytree.tree_leaves(result) if isinstance(x, torch.Tensor)]


class Command:
    def __init__(self, program: str, folder: Path, style: str) -> None:
        self.program, self.folder, self.style = program, folder, style

    def grad(self, gm: torch.fx.GraphModule, wrt: list[str], mode: str) -> torch.fx.GraphModule:
        source, target = self.folder / "in.json", self.folder / "out.json"
        fx_export.dump(gm, source)
        options = ["--mode", "forward"] if mode == "forward" else ["--vjp"]
        options += [f"--wrt={name}" for name in wrt] + ["--style", self.style]
        run = subprocess.run(
            [self.program, "grad", source, *options, "-o", target],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode != 0:
            raise Failed(run.stderr.strip().replace("\n", " "))
        result = fx_export.load(target)
        for node in gm.graph.nodes:
            if node.op == "get_attr":
                setattr(result, node.target, getattr(gm, node.target))
        return result


def placeholders(gm: torch.fx.GraphModule) -> list[str]:
    return [n.name for n in gm.graph.nodes if n.op == "placeholder"]


def check_equal(got: list[Any], expected: list[Any], like: Tensors, what: str) -> None:
    if len(got) != len(expected):
        raise Failed(f"{len(got)} {what}s instead of {len(expected)}")
    for i, (a, b, x) in enumerate(zip(got, expected, like)):
        a = torch.zeros_like(x) if a is None else a
        b = torch.zeros_like(x) if b is None else b
        try:
            torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6, equal_nan=True)
        except AssertionError as error:
            raise Failed(f"{what} {i}: " + " ".join(str(error).split())) from None


def with_graph_strides(gm: torch.fx.GraphModule, values: Tensors) -> Tensors:
    """Returns the values with the strides of the placeholders' types."""
    nodes = [n for n in gm.graph.nodes if n.op == "placeholder"]
    result = []
    for node, value in zip(nodes, values):
        like = node.meta.get("val")
        if isinstance(like, torch.Tensor) and like.shape == value.shape and like.stride() != value.stride():
            value = torch.empty_strided(like.shape, like.stride(), dtype=value.dtype).copy_(value)
        result.append(value)
    return result


def slope(sample: Sample, tensors: Tensors, active: list[int], tangents: Tensors) -> Tensors:
    """Returns the tangents of the results, computed by finite differences."""
    step = 1e-6

    def at(sign: int) -> Tensors:
        moved = [t.detach().clone() for t in tensors]
        for i, tangent in zip(active, tangents):
            moved[i] += sign * step * tangent
        torch.manual_seed(0)
        return sample.call(*moved)

    return [(a - b) / (2 * step) for a, b in zip(at(1), at(-1))]


def random_like(x: torch.Tensor) -> torch.Tensor:
    return torch.randn_like(x) if x.is_floating_point() or x.is_complex() else torch.zeros_like(x)


def differentiable(x: torch.Tensor) -> bool:
    return x.is_floating_point() or x.is_complex()


def traced(sample: Sample) -> torch.fx.GraphModule:
    if sample.graph is None:
        try:
            torch.manual_seed(0)
            sample.graph = make_fx(sample.call)(*sample.tensors())
        except Exception as error:
            raise Failed(f"make_fx: {error}") from error
    return sample.graph


def derivative(sample: Sample, command: Command, mode: str) -> torch.fx.GraphModule:
    if mode not in sample.derivative:
        gm = traced(sample)
        names = [placeholders(gm)[i] for i in sample.active()]
        sample.derivative[mode] = command.grad(gm, names, mode)
    return sample.derivative[mode]


def check_reverse(sample: Sample, command: Command, second: bool) -> None:
    tensors, active = sample.tensors(), sample.active()
    inputs = [t.detach().clone().requires_grad_(i in active) for i, t in enumerate(tensors)]
    wrt = [inputs[i] for i in active]
    try:
        torch.manual_seed(0)
        outputs = sample.call(*inputs)
        outs = [y for y in outputs if y.requires_grad]
        if not outs:
            raise Rejected("no result requires grad")
        tangents = [random_like(y).detach().requires_grad_(second) for y in outs]
        expected = torch.autograd.grad(outs, wrt, tangents, allow_unused=True, create_graph=second)
    except Rejected:
        raise
    except Exception as error:
        raise Rejected(f"autograd: {error}") from error
    result = derivative(sample, command, "reverse")
    torch.manual_seed(0)
    values = [t.detach() for t in tensors] + [t.detach() for t in tangents]
    given_positions = list(range(len(tensors), len(values)))
    if len(placeholders(result)) != len(values):
        # Results that libtorch does not differentiate (saved statistics) have zero gradients.
        values = [t.detach() for t in tensors]
        tangent_of = dict(zip(map(id, outs), tangents))
        given_positions = []
        for y in filter(differentiable, outputs):
            if id(y) in tangent_of:
                given_positions.append(len(values))
            values.append(tangent_of[id(y)].detach() if id(y) in tangent_of else torch.zeros_like(y.detach()))
    if len(placeholders(result)) != len(values):
        raise Failed(f"{len(placeholders(result)) - len(tensors)} tangents for {len(tangents)} results")
    _, grads = result(*with_graph_strides(result, values))
    if not second:
        check_equal(list(grads), list(expected), [x.detach() for x in wrt], "gradient")
        return
    firsts = [g for g in expected if g is not None and g.requires_grad]
    if not firsts:  # the second derivatives are zero
        like = [x.detach() for x in wrt]
        return check_equal(list(grads), [g if g is None else g.detach() for g in expected], like, "gradient")
    try:
        seeds = [random_like(g) for g in firsts]
        twice = torch.autograd.grad(firsts, wrt + tangents, seeds, allow_unused=True)
    except Exception as error:
        raise Rejected(f"autograd: {error}") from error
    # The joint graph without its other results: only the gradients are differentiated.
    output = next(n for n in result.graph.nodes if n.op == "output")
    grad_nodes = output.args[0][1]
    chosen = [n for n, g in zip(grad_nodes, expected) if g is not None and g.requires_grad]
    if any(n is None for n in chosen):
        raise Failed("a gradient is missing")
    output.args = (chosen,)
    result.graph.eliminate_dead_code()
    result.recompile()
    all_names = placeholders(result)
    again = command.grad(result, [all_names[i] for i in [*active, *given_positions]], "reverse")
    torch.manual_seed(0)
    count = len(placeholders(again)) - len(values)
    if count == len(seeds):
        _, grads = again(*with_graph_strides(again, values + seeds))
    else:
        raise Failed(f"{count} tangents for {len(seeds)} gradients")
    like = [x.detach() for x in wrt + tangents]
    check_equal(list(grads), list(twice), like, "second gradient")


def check_forward(sample: Sample, command: Command) -> None:
    tensors, active = sample.tensors(), sample.active()
    tangents = [random_like(tensors[i]) for i in active]
    import torch.autograd.forward_ad as fwAD

    try:
        with fwAD.dual_level():
            duals = [t.clone() for t in tensors]
            for i, tangent in zip(active, tangents):
                duals[i] = fwAD.make_dual(tensors[i].clone(), tangent)
            torch.manual_seed(0)
            unpacked = [fwAD.unpack_dual(y) for y in sample.call(*duals)]
            expected = [u.tangent for u in unpacked]
            primals = [u.primal.detach() for u in unpacked]
            expected = [None if t is None else t.detach().clone() for t in expected]
    except Exception as error:
        raise Rejected(f"forward AD: {error}") from error
    result = derivative(sample, command, "forward")
    torch.manual_seed(0)
    _, got = result(*with_graph_strides(result, [t.clone() for t in tensors] + tangents))
    # Results that libtorch does not differentiate (saved statistics) do not count.
    inputs = [t.detach().clone().requires_grad_(i in active) for i, t in enumerate(tensors)]
    torch.manual_seed(0)
    needs = [y.requires_grad for y in sample.call(*inputs)]
    chosen = [i for i, y in enumerate(primals) if differentiable(y) and (needs[i] or expected[i] is not None)]
    like = [primals[i] for i in chosen]
    # Where autograd's tangent is NaN, finite differences are the reference.
    is_nan = [expected[i] is not None and bool(expected[i].isnan().any()) for i in chosen]
    if any(is_nan) and not any(bool(x.isnan().any()) for x in like):
        slopes = slope(sample, tensors, active, tangents)
        for i, nan in zip(chosen, is_nan):
            if nan and got[i] is not None and not got[i].isnan().any():
                torch.testing.assert_close(got[i], slopes[i], rtol=1e-4, atol=1e-4)
                expected[i] = got[i]
    check_equal([got[i] for i in chosen], [expected[i] for i in chosen], like, "tangent")


def samples_of(entry: Any, dtype: torch.dtype, count: int) -> list[Any]:
    try:
        samples = list(entry.sample_inputs("cpu", dtype, requires_grad=True))
    except Exception:
        return []
    if count and len(samples) > count:
        samples = random.Random(0).sample(samples, count)
    return samples


MODES = ["reverse", "forward", "second"]
Results = dict[str, dict[str, Any]]  # for each mode: passed, total, reasons


def has_mode(entry: Any, mode: str) -> bool:
    has = {"forward": entry.supports_forward_ad, "second": entry.supports_gradgrad}
    return entry.supports_autograd and has.get(mode, True)


def check_sample(sample: Sample, mode: str, command: Command) -> str:
    """Returns "" if the sample passes, otherwise the reason, which starts with `rejected: ` if
    the sample was rejected."""
    try:
        if mode == "forward":
            check_forward(sample, command)
        else:
            check_reverse(sample, command, second=mode == "second")
    except Rejected as error:
        return f"rejected: {error}"
    except Failed as error:
        return str(error)
    except Exception as error:  # the derivative graph does not run
        return f"{type(error).__name__}: {error}"
    return ""


def check_entry(entry: Any, modes: list[str], count: int, command: Command) -> Results:
    results: Results = {mode: {"passed": 0, "total": 0, "reasons": []} for mode in modes}
    for dtype in (torch.float64, torch.complex128):
        if dtype not in entry.supported_backward_dtypes("cpu"):
            continue
        for database_sample in samples_of(entry, dtype, count):
            try:
                # Like torch's own gradient tests, use the wrapper of the entry: it makes matrices
                # triangular or Hermitian, and removes masked results, with differentiable
                # functions.
                op = functools.partial(entry.gradcheck_wrapper, entry.op)
                sample = Sample(op, database_sample)
            except Rejected:
                continue
            for mode in modes:
                reason = check_sample(sample, mode, command)
                row = results[mode]
                row["passed"] += not reason
                row["total"] += not reason.startswith("rejected: ")
                if reason and len(row["reasons"]) < 20:
                    row["reasons"].append(f"{dtype}: {reason}"[:400])
    return results


def does_pass(row: dict[str, Any]) -> bool:
    return bool(row["total"] > 0 and row["passed"] >= 0.99 * row["total"])


def is_rejection(reason: str) -> bool:
    return ": rejected: " in reason


def report(name: str, results: Results, verbose: bool) -> None:
    for mode, row in results.items():
        if does_pass(row):
            continue
        failures = [r for r in row["reasons"] if not is_rejection(r)] or row["reasons"]
        first = (failures or ["no samples"])[0][:300]
        print(f"{name} {mode}: {row['passed']} of {row['total']}: {first}", flush=True)
        for reason in row["reasons"] if verbose else []:
            print(f"    {reason[:300]}")


def print_totals(rows: dict[str, Results], expect: dict[str, int]) -> int:
    status = 0
    for mode in MODES:
        with_mode = [results[mode] for results in rows.values() if mode in results]
        passing = sum(map(does_pass, with_mode))
        samples = sum(row["total"] for row in with_mode)
        passed = sum(row["passed"] for row in with_mode)
        status |= passing < expect.get(mode, 0)
        if with_mode:
            print(f"{mode}: {passing} of {len(with_mode)} entries, {passed} of {samples} samples pass")
        missing: collections.Counter[str] = collections.Counter()
        for row in with_mode:
            for reason in row["reasons"][:1] if not does_pass(row) else []:
                if "no derivative rule" in reason:
                    missing[reason.split("rule:")[1].split()[0]] += 1
        for op, number in missing.most_common(60):
            print(f"  no rule: {op} ({number})")
    return status


def print_table(files: list[str]) -> int:
    rows: dict[str, Results] = {}
    for file in files:
        for line in Path(file).read_text().splitlines():
            row = json.loads(line)
            rows[row["entry"]] = row["results"]
    for name in sorted(rows):
        report(name, rows[name], verbose=False)
    return print_totals(rows, {})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("fxcpp", nargs="?", default="")
    parser.add_argument("--only", default="", help="only entries whose names contain this text")
    parser.add_argument("--names", default="", help="comma-separated names of the entries to check")
    parser.add_argument("--modes", default="reverse", help="comma-separated list of reverse, forward and second")
    parser.add_argument("--style", choices=["aten", "readable"], default="aten")
    parser.add_argument("--samples", type=int, default=0, help="maximum number of samples per entry")
    parser.add_argument("--expect", default="", help="number of entries that must pass, for each of --modes")
    parser.add_argument("--shard", default="0/1", help="I/N: check every N-th entry, starting with entry I")
    parser.add_argument("--rows", default="", help="file to which a line for each entry is appended")
    parser.add_argument("--table", nargs="+", default=[], help="print a table from files written with --rows")
    parser.add_argument("--verbose", action="store_true", help="print all reasons")
    options = parser.parse_args()
    if options.table:
        return print_table(options.table)
    modes = options.modes.split(",")
    numbers = [int(n) for n in options.expect.split(",") if n]
    if numbers and len(numbers) != len(modes):
        parser.error(f"--expect requires {len(modes)} numbers, one for each of --modes")
    expect = dict(zip(modes, numbers))
    torch.set_num_threads(1)
    names = set(filter(None, options.names.split(",")))
    known: set[str] = set()
    if options.rows and Path(options.rows).exists():
        lines = Path(options.rows).read_text().splitlines()
        known = {json.loads(line)["entry"] for line in lines}
    rows: dict[str, Results] = {}
    with tempfile.TemporaryDirectory() as folder:
        command = Command(options.fxcpp, Path(folder), options.style)
        first, step = (int(part) for part in options.shard.split("/"))
        for entry in operator_database().op_db[first::step]:
            name = entry.name + (f".{entry.variant_test_name}" if entry.variant_test_name else "")
            if options.only not in name or (names and name not in names) or name in known:
                continue
            of_entry = [mode for mode in modes if has_mode(entry, mode)]
            if not of_entry:
                continue
            rows[name] = check_entry(entry, of_entry, options.samples, command)
            report(name, rows[name], options.verbose)
            if options.rows:
                with Path(options.rows).open("a") as file:
                    file.write(json.dumps({"entry": name, "results": rows[name]}) + "\n")
    return print_totals(rows, expect)


if __name__ == "__main__":
    sys.exit(main())
