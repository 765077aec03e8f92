#!/usr/bin/env python3
"""Compares derivatives of graphs with those of autograd for the same graphs.

`fxcpp grad` derives gradients in both styles, tangents, and gradients of the gradients; autograd
differentiates the graph that `fxcpp emit` converts to Python. Arguments: case names; by default,
all. Exit status 77: torch is missing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

try:
    import torch
    import torch.autograd.forward_ad as forward_ad
except ImportError:
    print("torch is missing")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
NAN = float("nan")


class Case(NamedTuple):
    graph: str
    values: dict = {}  # of inputs; others are random
    modes: str = "reverse aten forward second"
    wrt: str = ""
    reference: str = ""  # an equivalent graph that autograd differentiates


def written(calls: str, result: str = "%z", **more: str) -> Case:
    """A graph that writes through a detached view of %c, a copy of %x."""
    return Case(f"""graph(%x : f32[3, 4], %y : f32[3, 4]) {{
      %c = aten.clone.default(%x)
      {calls}
      %z = aten.mul.Tensor(%c, %y)
      return ({result},)
    }}""", **more)


def reduced(call: str, values: list, **more: str) -> Case:
    shape = str(list(torch.tensor(values).shape))
    return Case(f"graph(%x : f32{shape}) {{ {call} return %z }}", {"x": values}, **more)


def variance(arguments: str, name: str = "var", **more: str) -> Case:
    call = f"%z = torch.{name}(%x, {arguments})"
    if "mean" in name:
        call += " %a = operator.getitem(%z, 0) %b = operator.getitem(%z, 1)"
        call += " %z2 = aten.add.Tensor(%a, %b)"
        return reduced(call, [[1., 2, 4], [4, 4, 4]], **more)._replace(
            graph=f"graph(%x : f32[2, 3]) {{ {call} return %z2 }}")
    return reduced(call, [[1., 2, 4], [4, 4, 4]], **more)


def power(exponent: str, x: list, c: list, **more: str) -> Case:
    return Case(f"graph(%x : f64[{len(x)}], %c : {exponent}[{len(c)}]) {{"
                " %z = torch.pow(%x, %c) return %z }", {"x": x, "c": c}, **more)


def overwritten(source: str, view: str, **more: str) -> Case:
    """A graph that writes to a view of %b, which has the values and the strides of `source`."""
    return Case(f"""graph(%x : f64[3, 3], %y : f64[3, 3], %v : f64[3, 3]) {{
      %s = {source} %b = aten.clone.default(%s) %d = aten.as_strided.default(%b, {view})
      %n = aten.as_strided.default(%v, {view}) %m = aten.copy_.default(%d, %n)
      %z = aten.mul.Tensor(%b, %y) %w = aten.mul.Tensor(%z, %z)
      return (%w,)
    }}""", **more)


GAPS = """graph(%x : f64[3, 4], %v : f64[2]) { %c = aten.clone.default(%x)
    %s = aten.slice.Tensor(%c, 1, 1, 3)"""
DETACH = "%d = aten.detach.default(%c)"
TWO_STEPS = """graph(%n : i64[], %x : f32[3], %w : f32[3]) {
  %b = aten.sin.default(%x) %d = aten.detach.default(%b) %m = aten.mul_.Tensor(%d, %w)
  %c = aten.mul.Tensor(%b, %w) %e = aten.sin.default(%c) %f = aten.detach.default(%e)
  %o = aten.mul_.Tensor(%f, %w) %y = aten.mul.Tensor(%e, %w)
  return %y
}"""
CASES = {
    # Writes that autograd ignores.
    "detach": written(f"{DETACH} %m = aten.mul_.Scalar(%d, 2)"),
    "detach_of_part": written("""%s = aten.select.int(%c, 0, 1) %d = aten.detach.default(%s)
        %m = aten.clamp_.default(%d, -0.1, 0.1)"""),
    "part_of_detach": written(f"""{DETACH} %s = aten.select.int(%d, 1, 2)
        %m = aten.mul_.Scalar(%s, 2)"""),
    "parts_before": written(f"""%p = aten.slice.Tensor(%c, 0, 0, 2) {DETACH}
        %m = aten.mul_.Scalar(%d, 2) %q = aten.mul.Tensor(%p, %p)""", "%z, %q"),
    "input": Case("""graph(%x : f32[3, 4], %y : f32[3, 4]) {
        %d = aten.detach.default(%x) %m = aten.mul_.Scalar(%d, 2)
        %z = aten.mul.Tensor(%x, %y) return (%z,) }"""),
    "data": written('%d = builtins.getattr(%c, "data") %m = aten.mul_.Scalar(%d, 2)'),
    "method": written('%d = call_method detach(%c) %m = aten.mul_.Scalar(%d, 2)'),
    "view_dtype": written("%d = aten.view.dtype(%c, torch.int32) %m = aten.fill_.Scalar(%d, 0)"),
    "transposed": written("""%t = aten.t.default(%c) %d = aten.detach.default(%t)
        %m = aten.mul_.Scalar(%d, 2) %q = aten.sin.default(%t)""", "%z, %q"),
    "adds_input": written(f"""{DETACH} %s = aten.select.int(%y, 0, 1)
        %n = aten.detach.default(%s) %m = aten.add_.Tensor(%d, %n)"""),
    "adds_active": written(f"""{DETACH} %m = aten.add_.Tensor(%d, %y)
        %w = aten.mul.Tensor(%d, %x)""", "%z, %w"),
    "only_value_is_active": Case("""graph(%x : f32[3], %y : f32[3]) {
        %c = aten.full.default([3], 2.0) %d = aten.detach.default(%c)
        %m = aten.add_.Tensor(%d, %y) %z = aten.mul.Tensor(%c, %x) %w = aten.sin.default(%d)
        return (%z, %w) }"""),
    "both_written": written(f"""{DETACH} %m = aten.add_.Tensor(%d, %y)
        %n = aten.mul_.Tensor(%c, %y) %w = aten.mul.Tensor(%d, %y)""", "%z, %w"),
    "written_again": written(f"""{DETACH} %m = aten.mul_.Scalar(%d, 2)
        %n = aten.mul_.Tensor(%c, %y) %o = aten.mul_.Scalar(%d, 3)"""),
    "detach_of_detach": written(f"""{DETACH} %e = aten.detach.default(%d)
        %m = aten.mul_.Tensor(%d, %y) %o = aten.mul_.Scalar(%e, 3)
        %w = aten.mul.Tensor(%d, %x)""", "%z, %w"),
    "siblings": written(f"""{DETACH} %e = aten.detach.default(%c)
        %m = aten.mul_.Tensor(%d, %y) %n = aten.mul_.Tensor(%e, %y)
        %w = aten.mul.Tensor(%d, %e)""", "%z, %w"),
    "as_strided": written(f"""{DETACH} %s = aten.as_strided.default(%d, [2, 2], [4, 1], 1)
        %m = aten.mul_.Scalar(%s, 2)"""),
    "as_strided_read": written(f"""{DETACH} %n = aten.mul_.Scalar(%c, 3)
        %s = aten.as_strided.default(%d, [2, 2], [4, 1], 1) %w = aten.sum.default(%s)
        %o = aten.mul.Tensor(%w, %y)""", "%z, %o"),
    "foreach": written(f"""{DETACH} %e = aten.detach.default(%c)
        %m = aten._foreach_mul_.Scalar([%d, %e], 2)"""),
    "out": written(f"{DETACH} %e = aten.detach.default(%y) %m = aten.mul.out(%e, %e, out=%d)"),
    "items": written(f"""{DETACH} %s = aten.split.Tensor(%d, 2, 0) %a = operator.getitem(%s, 0)
        %b = operator.getitem(%s, 1) %m = aten.mul_.Scalar(%a, 2) %n = aten.sin_.default(%b)"""),
    "index_put": written(f"""{DETACH} %i = aten.gt.Scalar(%y, 0.0)
        %v = aten.scalar_tensor.default(3.0) %m = aten.index_put_.default(%d, [%i], %v)"""),
    "gaps": Case("""graph(%x : f32[3, 4], %y : f32[3, 2]) {
        %c = aten.clone.default(%x) %s = aten.slice.Tensor(%c, 1, 0, 4, 2)
        %d = aten.detach.default(%s) %m = aten.mul_.Scalar(%d, 2)
        %z = aten.mul.Tensor(%s, %y) %w = aten.mul.Tensor(%c, %c) return (%z, %w) }"""),
    "gaps_before": Case("""graph(%x : f32[3, 4], %y : f32[3, 2]) {
        %c = aten.clone.default(%x) %s = aten.slice.Tensor(%c, 1, 0, 4, 2)
        %d = aten.detach.default(%s) %m = aten.mul_.Tensor(%d, %y) %n = aten.mul_.Scalar(%c, 3)
        %z = aten.mul.Tensor(%d, %y) %w = aten.mul.Tensor(%s, %y) return (%z, %w) }"""),
    "copied": written(f"{DETACH} %m = aten.copy_.default(%d, %y)"),
    "returned": Case("""graph(%x : f32[3], %y : f32[3]) {
        %c = aten.clone.default(%x) %d = aten.detach.default(%c) %m = aten.mul_.Tensor(%d, %y)
        return (%c, %d) }"""),
    "expanded": Case("""graph(%x : f32[1, 4], %y : f32[3, 4]) {
        %c = aten.clone.default(%x) %d = aten.detach.default(%c)
        %e = aten.expand.default(%c, [3, 4]) %m = aten.mul_.Scalar(%d, 2)
        %z = aten.mul.Tensor(%e, %y) return (%z,) }"""),
    "batch_norm": Case("""graph(%x : f32[5, 3], %y : f32[3], %r : f32[3], %v : f32[3]) {
        %a = aten.detach.default(%r) %b = aten.detach.default(%v)
        %z = torch.nn.functional.batch_norm(%x, %a, %b, %y, %y, True)
        %w = aten.mul.Tensor(%r, %y) return (%z, %w) }"""),
    # No gradient passes through running statistics.
    "batch_norm_evaluation": Case("""graph(
          %x : f64[5, 3], %y : f64[4, 3], %r : f64[3], %v : f64[3]) {
        %a = torch.nn.functional.batch_norm(%x, %r, %v, None, None, True)
        %b = torch.nn.functional.batch_norm(%y, %r, %v)
        %w = aten.mul.Tensor(%r, %y) return (%a, %b, %w) }""", {"v": [0.5, 1, 2]}, wrt="x y"),
    # Writes through as_strided to elements that are not a box.
    "strided": overwritten("aten.mul.Tensor(%x, 3.0)", "[2], [3]"),
    "strided_offset": overwritten("aten.mul.Tensor(%x, 3.0)", "[2, 2], [3, 4], 1"),
    "strided_columns": overwritten("aten.t.default(%x)", "[2, 2], [1, 5]",
                                   modes="reverse aten forward"),
    "strided_fill": written("""%m = aten.mul.Tensor(%c, 3.0)
        %d = aten.as_strided.default(%m, [3], [5]) %f = aten.fill_.Scalar(%d, 2.0)
        %w = aten.mul.Tensor(%m, %y)""", "%w"),
    "scatter_with_gaps": Case(
        f"""{GAPS} %t = aten.as_strided_scatter.default(%s, %v, [2], [5], 1)
        %z = aten.mul.Tensor(%t, %t) return (%z,) }}""",
        reference=f"""{GAPS} %w = aten.as_strided.default(%c, [2], [5], 1)
        %m = aten.copy_.default(%w, %v) %z = aten.mul.Tensor(%s, %s) return (%z,) }}"""),
    # The number of results depends on data.
    "masked_select": Case("""graph(%x : f64[2, 3], %m : b8[2, 3]) {
        %s = aten.masked_select.default(%x, %m) %z = aten.mul.Tensor(%s, %s) return (%s, %z) }""",
                          {"m": [[True, False, True], [False, True, True]]}),
    "index_by_mask": Case("""graph(%x : f64[2, 3], %m : b8[2]) {
        %s = aten.index.Tensor(%x, [%m]) %z = aten.mul.Tensor(%s, %s) return (%s, %z) }""",
                          {"m": [True, False]}),
    # Deviations and norms of 0.
    # The tangent of aten.norm.Scalar in eager mode has a wrong shape.
    "zero_norm": reduced("%y = aten.select.int(%x, 0, 0) %z = aten.norm.Scalar(%y, 3)",
                         [[0., 0], [1, 2]], modes="reverse aten"),
    **{f"zero_{name}": reduced(f"%y = aten.select.int(%x, 0, 0) {call}", [[0., 0], [1, 2]],
                               modes="reverse aten forward")
       for name, call in {
           "std": "%z = aten.std.default(%y)",
           "std_mean": "%s = aten.std_mean.correction(%x, [1]) %z = operator.getitem(%s, 0)",
           "std_dim": "%z = aten.std.dim(%x, [1])",
           "norm_3": "%z = aten.norm.ScalarOpt_dim(%x, 3, [1])",
           "norm_1_5": "%z = aten.norm.ScalarOpt_dim(%x, 1.5, [1])",
           "vector_norm": "%z = aten.linalg_vector_norm.default(%x, 3, [1])"}.items()},
    "zero_dist": Case("""graph(%x : f32[2], %y : f32[1]) {
        %z = aten.dist.default(%x, %y, 3) return %z }""", {"x": [1., 1], "y": [1.]},
                      modes="reverse aten forward"),
    "complex": Case("""graph(%x : c64[3], %y : c64[3]) {
        %c = aten.clone.default(%x) %d = aten.detach.default(%c) %m = aten.mul_.Scalar(%d, 2)
        %z = aten.mul.Tensor(%c, %y) return (%z,) }"""),
    "detach_": written("%d = aten.sin.default(%c) %e = aten.detach_.default(%d)"
                       " %w = aten.mul.Tensor(%e, %x)", "%z, %w"),
    "clone_of_detach": written(f"{DETACH} %k = aten.clone.default(%d) %m = aten.mul_.Scalar(%k, 2)"
                               " %w = aten.mul.Tensor(%k, %x)", "%z, %w"),
    "no_later_read": Case("""graph(%x : f32[3, 4], %y : f32[3, 4]) {
        %c = aten.clone.default(%x) %z = aten.mul.Tensor(%c, %y) %d = aten.detach.default(%c)
        %m = aten.zero_.default(%d) %w = aten.mul.Tensor(%d, %y) return (%w, %x) }"""),
    "gaussian_nll_loss": Case("""graph(%x : f32[3], %t : f32[3], %v : f32[3]) {
        %z = torch.nn.functional.gaussian_nll_loss(%x, %t, %v) return (%z,) }""",
                              {"v": [0.5, 1e-9, 2]}, modes="reverse aten second"),
    # no_grad does not apply to forward mode: eager mode has the tangent of clamp.
    "gaussian_nll_loss_forward": Case("""graph(%x : f32[3], %t : f32[3], %v : f32[3]) {
        %z = torch.nn.functional.gaussian_nll_loss(%x, %t, %v) return (%z,) }""",
                                      {"v": [0.5, 1, 2]}, modes="forward"),
    "embedding": Case("""graph(%i : i64[3], %w : f32[4, 2]) {
        %z = torch.nn.functional.embedding(%i, %w, max_norm=0.5) return (%z,) }""",
                      {"i": [0, 2, 2]}),
    "cond": Case("""graph(%p : b8[], %x : f32[3, 4], %y : f32[3, 4]) {
      graph @yes(%a : f32[3, 4], %b : f32[3, 4]) {
        %c = aten.clone.default(%a) %d = aten.detach.default(%c) %m = aten.mul_.Tensor(%d, %b)
        %z : f32[3, 4] = aten.mul.Tensor(%c, %b) return (%z,)
      }
      graph @no(%a : f32[3, 4], %b : f32[3, 4]) {
        %z : f32[3, 4] = aten.sin.default(%a) return (%z,)
      }
      %r = higher_order.cond(%p, @yes, @no, [%x, %y])
      %z = operator.getitem(%r, 0)
      return (%z,)
    }""", {"p": True}, modes="reverse aten"),  # libtorch's cond has no tangents
    "while": Case("""graph(%n : i64[], %x : f32[3], %w : f32[3]) {
      graph @test(%i : i64[], %a : f32[3], %v : f32[3]) {
        %g = aten.gt.Scalar(%i, 0) return %g
      }
      graph @body(%i : i64[], %a : f32[3], %v : f32[3]) {
        %j = aten.sub.Tensor(%i, 1) %b = aten.sin.default(%a) %d = aten.detach.default(%b)
        %m = aten.mul_.Tensor(%d, %v) %c = aten.mul.Tensor(%b, %v) return (%j, %c)
      }
      %loop = higher_order.while_loop(@test, @body, [%n, %x], [%w])
      %y = operator.getitem(%loop, 1)
      return %y
    }""", {"n": 2}, modes="reverse aten forward", reference=TWO_STEPS),
    "scan": Case("""graph(%n : i64[2], %x : f32[3], %w : f32[3]) {
      graph @step(%a : f32[3], %i : i64[], %v : f32[3]) {
        %b : f32[3] = aten.sin.default(%a) %d : f32[3] = aten.detach.default(%b)
        %m : f32[3] = aten.mul_.Tensor(%d, %v) %c : f32[3] = aten.mul.Tensor(%b, %v)
        return [%c]
      }
      %scan = higher_order.scan(@step, [%x], [%n], [%w])
      %y = operator.getitem(%scan, 0)
      return %y
    }""", modes="reverse aten forward", reference=TWO_STEPS.replace("i64[]", "i64[2]"),
                 values={"n": [1, 2]}),
    # Powers of real numbers with complex exponents.
    # The tangent of a real base in eager mode has no imaginary part.
    "pow_complex": power("c128", [-2., 0.5, 3, 0], [1 + 2j, 2 - 1j, -1j, 2 + 0j],
                         modes="reverse aten second"),
    "pow_complex_exponent": power("c128", [-2., 0.5, 3, 0], [1 + 2j, 2 - 1j, -1j, 2 + 0j],
                                  modes="forward", wrt="c"),
    "pow_complex_zero": power("c128", [0., 0], [2 + 1j, 2 + 0j], modes="reverse aten", wrt="c"),
    "pow_double": Case("graph(%x : i64[2], %c : f64[2]) { %z = torch.pow(%x, %c) return %z }",
                       {"x": [2, 3], "c": [1.5, 2.5]}),
    "pow_complex_base": Case("graph(%c : c128[2]) { %z = torch.pow(-2.0, %c) return %z }",
                             {"c": [1 + 2j, -1j]}),
    "pow_of_zero": Case("graph(%c : c128[3]) { %z = torch.pow(0.0, %c) return %z }",
                        {"c": [1 + 2j, 1 + 0j, 0j]}, modes="reverse aten"),
    "pow_complex_scalar": Case("""graph(%x : f64[2]) {
        %z = torch.pow(%x, complex(1.5, 2.0)) return %z }""", {"x": [-2., 3]},
                               modes="reverse aten second"),
    # Reductions with NaN.
    **{f"{name}_nan": reduced(f"%z = torch.{name}(%x)", [1, NAN, NAN, 2])
       for name in ("max", "min", "median", "nanmedian", "amax", "amin")},
    **{f"{name}_equal": reduced(f"%z = torch.{name}(%x)", [1., 2, 2, 1])
       for name in ("max", "min", "median", "nanmedian", "amax", "amin")},
    # The divisor of the variance is zero or negative.
    **{f"{name}_{label}_{correction}": variance(f"{arguments}correction={correction}", name,
                                                modes="reverse aten forward")
       for name in ("var", "std", "var_mean", "std_mean")
       for label, arguments in (("all", ""), ("dim", "1, "), ("keepdim", "1, keepdim=True, "),
                                ("dims", "(0, 1), "))
       for correction in (1, 3, 4, 6, 7)},
}


def run(*arguments: str) -> None:
    result = subprocess.run([FXCPP, *arguments], capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"fxcpp {' '.join(arguments)}: {result.stderr.strip()}")


def load(graph: Path) -> Callable:
    """Returns the module for a graph."""
    code = graph.with_suffix(".py")
    run("emit", str(graph), "--to", "python", "-o", str(code))
    names: dict = {}
    exec(compile(code.read_text(), str(code), "exec"), names)
    return names["load"]()


DTYPES = {"f32": torch.float32, "f64": torch.float64, "c64": torch.complex64,
          "c128": torch.complex128, "i64": torch.int64, "b8": torch.bool}


def inputs_of(case: Case) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    inputs = {}
    header = case.graph[:case.graph.index("{")]
    for name, dtype, sizes in re.findall(r"%(\w+) : (\w+)\[([^]]*)\]", header):
        if name in case.values:
            inputs[name] = torch.tensor(case.values[name], dtype=DTYPES[dtype])
        else:
            shape = [int(size) for size in sizes.split(",") if size.strip()]
            inputs[name] = torch.randn(shape, dtype=DTYPES[dtype], generator=generator)
    return inputs


def flat(value: object) -> list:
    return torch.utils._pytree.tree_leaves(value, is_leaf=lambda leaf: leaf is None)


def is_differentiable(tensor: object) -> bool:
    return isinstance(tensor, torch.Tensor) and (tensor.is_floating_point() or tensor.is_complex())


def leaves_of(inputs: dict[str, torch.Tensor], wrt: list[str]) -> list[torch.Tensor]:
    return [value.clone().requires_grad_(name in wrt) for name, value in inputs.items()]


def random_like(values: list[torch.Tensor], seed: int) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.rand(value.shape, dtype=value.dtype, generator=generator) + 0.5
            for value in values]


def gradients(function: Callable, inputs: list, wrt: list, tangents: list | None, *,
              again: bool = False) -> tuple[list, list, list]:
    """Returns the results, the gradients and the tangents of the results that have gradients."""
    results = flat(function(*inputs))
    active = [r for r in results if isinstance(r, torch.Tensor) and r.requires_grad]
    tangents = tangents if tangents is not None else random_like(active, 2)
    found = torch.autograd.grad(active, wrt, tangents, allow_unused=True, create_graph=again)
    return results, list(found), tangents


def difference(expected: list, actual: list) -> str:
    if len(expected) != len(actual):
        return f"{len(actual)} values instead of {len(expected)}"
    for i, (want, have) in enumerate(zip(expected, actual, strict=True)):
        if want is None and have is None:
            continue
        want = torch.zeros_like(have) if want is None else want.detach()
        have = torch.zeros_like(want) if have is None else have.detach()
        if want.dtype != have.dtype or want.shape != have.shape:
            return f"value {i}: {have.dtype} {have.shape} instead of {want.dtype} {want.shape}"
        if not torch.allclose(want, have, rtol=1e-4, atol=1e-6, equal_nan=True):
            return f"value {i}: {have.tolist()} instead of {want.tolist()}"
    return ""


def check(case: Case, mode: str, folder: Path) -> str:
    graph, derived = folder / "graph.fx", folder / "derived.fx"
    graph.write_text(case.graph)
    inputs = inputs_of(case)
    names = case.wrt.split() or [n for n, value in inputs.items() if is_differentiable(value)]
    options = [option for name in names for option in ("--wrt", name)]
    reference = folder / "reference.fx"
    reference.write_text(case.reference or case.graph)
    function = load(reference)
    leaves = leaves_of(inputs, names)
    wrt = [leaf for leaf in leaves if leaf.requires_grad]
    if mode == "forward":
        run("grad", str(graph), "--mode", "forward", *options, "-o", str(derived))
        given = random_like(wrt, 3)
        with forward_ad.dual_level():
            duals = [value.clone() for value in inputs.values()]
            for name, tangent in zip(names, given, strict=True):
                i = list(inputs).index(name)
                duals[i] = forward_ad.make_dual(duals[i], tangent)
            results = [forward_ad.unpack_dual(value) for value in flat(function(*duals))]
        expected = [r.primal for r in results] + [r.tangent for r in results]
        actual = flat(load(derived)(*[v.clone() for v in inputs.values()], *given))
        return difference(expected, actual)
    run("grad", str(graph), "--vjp", *options, "-o", str(derived),
        *(["--style", "aten"] if mode == "aten" else []))
    results, expected, tangents = gradients(function, leaves, wrt, None, again=mode == "second")
    if mode != "second":
        actual = flat(load(derived)(*[v.clone() for v in inputs.values()], *tangents))
        return difference(results + expected, actual)

    count = len(inputs)

    def both(*values: torch.Tensor) -> list:
        chosen = [v for v, name in zip(values, inputs, strict=False) if name in names]
        found = gradients(function, list(values[:count]), chosen, list(values[count:]), again=True)
        return found[0] + [g for g in found[1] if g is not None]

    second = folder / "second.fx"
    more = [f"tangents_{i + 1}" for i in range(len(tangents))]
    options += [option for name in more for option in ("--wrt", name)]
    run("grad", str(derived), "--vjp", *options, "-o", str(second))
    inputs.update(zip(more, tangents, strict=True))
    leaves = leaves_of(inputs, names + more)
    wrt = [leaf for leaf in leaves if leaf.requires_grad]
    results, expected, given = gradients(both, leaves, wrt, None)
    actual = flat(load(second)(*[value.clone() for value in inputs.values()], *given))
    actual = [value for value in actual[:-len(wrt)] if value is not None] + actual[-len(wrt):]
    return difference(results + expected, actual)


def main() -> int:
    torch.set_num_threads(1)
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or CASES:
            for mode in CASES[name].modes.split():
                count += 1
                try:
                    message = check(CASES[name], mode, Path(folder))
                except Exception as error:  # noqa: BLE001
                    message = f"{type(error).__name__}: {error}"
                if message:
                    failures += 1
                    print(f"{name}, {mode}: {message}")
    print(f"{count} derivatives, {failures} different")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
