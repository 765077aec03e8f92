#!/usr/bin/env python3
"""Checks that fxcpp reads, runs and writes PyTorch's export examples (torch._export.db).

    check_export_db.py [--fxcpp build/release/bin/fxcpp] [NAME...]

The script exports every supported example, the rewrites of unsupported examples, and a program in this
file for each higher-order operator, with and without strict mode. It saves each program, which is then

    run     by fxcpp on the example inputs: the results equal PyTorch's;
    written back by fxcpp and loaded by PyTorch: the results, signature and operators are equal.

Prints a table and the failures. A run takes about a minute. Exit status: 0, 1, or 77 if torch is missing.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import copy
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

try:
    import numpy as np
    import torch
    import torch.utils._pytree as pytree
    from torch._export.db.case import SupportLevel
    from torch._export.db.examples import all_examples, get_rewrite_cases
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

Program = torch.export.ExportedProgram


class Cond(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        return torch.cond(x.sum() > 0, lambda a: a.sin(), lambda a: a.cos() + 1, (x,))


class While(torch.nn.Module):
    def forward(self, n: torch.Tensor, x: torch.Tensor) -> Any:
        from torch._higher_order_ops.while_loop import while_loop
        return while_loop(lambda i, a: i > 0, lambda i, a: (i - 1, a * 2), (n, x))


class Scan(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        from torch._higher_order_ops.scan import scan
        return scan(lambda carry, y: (carry + y, carry * y), torch.zeros(3), x, dim=0)


class AssociativeScan(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        from torch._higher_order_ops.associative_scan import associative_scan
        return associative_scan(torch.add, x, 0, combine_mode="generic")


class AssociativeScanOperator(torch.nn.Module):
    """Calls the operator directly, because the public function uses it only on GPUs."""

    def forward(self, x: torch.Tensor) -> Any:
        from torch._higher_order_ops.associative_scan import associative_scan_op
        return associative_scan_op(lambda a, b: [a * 0.5 + b], [x], ())[0]


class Map(torch.nn.Module):
    def forward(self, xs: torch.Tensor, y: torch.Tensor) -> Any:
        from torch._higher_order_ops.map import map as map_op
        return map_op(lambda x, z: x.relu() + z, xs, y)


class InvokeSubgraph(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        @torch.compiler.nested_compile_region
        def region(a: torch.Tensor) -> torch.Tensor:
            return a.sin() * 2
        return region(x) + region(x + 1)


class NoGrad(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor) -> Any:
        with torch.no_grad():
            y = x * self.w
        return y + self.w


class Autocast(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return x @ x.t()


class Functionalized(torch.nn.Module):
    """Contains auto_functionalized after run_decompositions, because its operator writes to an argument."""

    def forward(self, x: torch.Tensor) -> Any:
        y = x.clone()
        torch.ops.fxcpp_check.scale_(y, 2.0)
        return y + 1


class Effects(torch.nn.Module):
    """Contains with_effects, because its operator has no results."""

    def forward(self, x: torch.Tensor) -> Any:
        torch.ops.aten._print("seen")
        return x + 1


CUSTOM: dict[str, tuple[Callable[[], torch.nn.Module], tuple[Any, ...]]] = {
    "cond": (Cond, (torch.randn(4),)),
    "while_loop": (While, (torch.tensor(3), torch.randn(2))),
    "scan": (Scan, (torch.randn(5, 3),)),
    "associative_scan": (AssociativeScan, (torch.randn(5, 3),)),
    "map": (Map, (torch.randn(4, 3), torch.randn(3))),
    "invoke_subgraph": (InvokeSubgraph, (torch.randn(3),)),
    "wrap_with_set_grad_enabled": (NoGrad, (torch.randn(3),)),
    "wrap_with_autocast": (Autocast, (torch.randn(3, 4),)),
    "auto_functionalized": (Functionalized, (torch.randn(3),)),
    "with_effects": (Effects, (torch.randn(3),)),
    "associative_scan, operator": (AssociativeScanOperator, (torch.randn(5, 3),)),
}
# The operator is implemented in Python, so only PyTorch can run it; TorchInterpreterTest.
# AutoFunctionalizedOperators runs an operator implemented in C++.
NOT_RUN = {"custom auto_functionalized"}


def _scale(x: torch.Tensor, by: float) -> None:
    x.mul_(by)


def add_operator() -> None:
    library = torch.library.Library("fxcpp_check", "DEF")
    library.define("scale_(Tensor(a!) x, float by) -> ()")
    library.impl("scale_", _scale, "CompositeExplicitAutograd")
    torch.library.register_fake("fxcpp_check::scale_", lambda x, by: None)
    add_operator.library = library  # type: ignore[attr-defined]


def programs(names: list[str]) -> Iterator[tuple[str, Callable[[], Program], Any, Any]]:
    cases = [(name, case) for name, case in sorted(all_examples().items())]
    cases += [(f"{name}, rewrite", rewrite) for name, case in cases
              for rewrite in get_rewrite_cases(case)]
    for name, case in cases:
        if case.support_level != SupportLevel.SUPPORTED or (names and name not in names):
            continue
        for strict in (True, False):
            def make(case: Any = case, strict: bool = strict) -> Program:
                return torch.export.export(case.model, case.example_args, case.example_kwargs,
                                           dynamic_shapes=case.dynamic_shapes, strict=strict)
            yield f"{name}{', strict' if strict else ''}", make, case.example_args, \
                case.example_kwargs
    for name, (model, args) in CUSTOM.items():
        if names and name not in names:
            continue

        def make_custom(model: Any = model, args: Any = args, name: str = name) -> Program:
            program = torch.export.export(model().eval(), args)
            functional = name in ("auto_functionalized", "with_effects")
            return program.run_decompositions({}) if functional else program
        yield f"custom {name}", make_custom, args, {}


def save_values(path: Path, args: Any, kwargs: Any, results: list[Any]) -> None:
    def array(leaf: torch.Tensor) -> Any:  # NumPy has no bfloat16
        return (leaf.float() if leaf.dtype == torch.bfloat16 else leaf).detach().numpy()
    values = {f"in.{i}": array(leaf) for i, leaf in
              enumerate(pytree.tree_leaves((args, kwargs))) if isinstance(leaf, torch.Tensor)}
    values |= {f"out.{i}": array(leaf) for i, leaf in enumerate(results)
               if isinstance(leaf, torch.Tensor)}
    np.savez(path, **values)


def results_of(program: Program, args: Any, kwargs: Any) -> list[Any]:
    torch.manual_seed(0)
    args, kwargs = copy.deepcopy((args, kwargs))
    return pytree.tree_leaves(program.module()(*args, **kwargs))


def equal(a: Any, b: Any) -> bool:
    if isinstance(b, torch.Tensor):
        return isinstance(a, torch.Tensor) and torch.equal(a, b) and a.dtype == b.dtype
    return bool(a == b)


def operators(program: Program) -> collections.Counter[str]:
    return collections.Counter(
        str(node.target) for module in program.graph_module.modules()
        if isinstance(module, torch.fx.GraphModule) for node in module.graph.nodes)


def check(fxcpp: str, name: str, make: Callable[[], Program], args: Any, kwargs: Any,
          folder: Path) -> str:
    """Returns the step that failed, or ""."""
    source, back, values = folder / "a.pt2", folder / "b.pt2", folder / "values.npz"
    lifted = folder / "lifted.fx"
    program = make()
    want = results_of(program, args, kwargs)
    torch.export.save(program, source)
    save_values(values, args, kwargs, want)
    steps = [["run", source, "--inputs", values, "--check", values, "--tolerance", "1e-6"],
             ["emit", source, "--to", "pt2", "-o", back]]
    if not any(isinstance(leaf, torch.Tensor) for leaf in want):
        steps[0] = ["run", source, "--inputs", values]
    if any(spec.kind.name == "TOKEN" for spec in program.graph_signature.input_specs):
        # As in ExportedProgram.module(), only the lifted form has tokens.
        steps[1:] = [["import", source, "--lifted", "-o", lifted],
                     ["emit", lifted, "--to", "pt2", "-o", back]]
    if name in NOT_RUN:
        steps[0] = ["verify", source]
    for step in steps:
        done = subprocess.run([fxcpp, *map(str, step)], capture_output=True, text=True)
        if done.returncode != 0:
            return f"{step[0]}: {(done.stderr + done.stdout)[:700]}"
    written = torch.export.load(back)
    got = results_of(written, args, kwargs)
    if len(got) != len(want) or not all(map(equal, got, want)):
        return "written: different results"
    loaded = torch.export.load(source)  # loading adds a getitem for a result that is None
    if operators(written) != operators(loaded):
        return f"written: different operators: {operators(written) - operators(loaded)}"
    if str(written.graph_signature) != str(loaded.graph_signature):
        return "written: a different signature"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--fxcpp", default="build/release/bin/fxcpp")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    add_operator()
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, make, args, kwargs in programs(options.names):
            for file in Path(folder).iterdir():
                file.unlink()
            try:
                with contextlib.redirect_stderr(None):
                    make()
            except Exception as error:  # PyTorch itself rejects some programs in one of the modes
                counts["not exported by PyTorch"] += 1
                print(f"{name}: not exported: {str(error).splitlines()[0][:150]}")
                continue
            try:
                failure = check(options.fxcpp, name, make, args, kwargs, Path(folder))
            except Exception as error:
                failure = f"{type(error).__name__}: {str(error)[:700]}"
            counts["failed" if failure else "equal"] += 1
            if failure:
                print(f"{name}: {failure}")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
