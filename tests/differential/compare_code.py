#!/usr/bin/env python3
"""Compares fxcpp's Python code for torch.fx graphs with torch.fx's.

    compare_code.py --fxcpp build/release/bin/fxcpp [--count N] [--only TEXT] [--shown N]

For each graph of make_graphs.py, compares the exact text of `fxcpp print --preset code` with
`graph.python_code("self").src`, and of `fxcpp print --preset readable --stride --device` with
`print_readable`. Then the modules that `fxcpp emit --to python` writes are imported, and their
forward is compared with the original forward: the results must be equal (NaN equals NaN). Memory
addresses are replaced with 0x0 in both texts. Graphs that torch.fx cannot write, or writes as text
that Python rejects, are counted separately. Exit status: 0 all equal, 1 some differ, 77 torch or
tabulate is missing.
"""

from __future__ import annotations

import argparse
import difflib
import subprocess
import sys
import tempfile
import types
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, Optional

import make_graphs  # exits with 77 if something is missing

import fx_export
import torch
import torch.fx

SHOWN = 6


def run(fxcpp: Path, *arguments: str) -> str:
    """Returns standard output, or the error as text, which then differs from the expected text."""
    done = subprocess.run([str(fxcpp), *arguments], capture_output=True, timeout=120)
    if done.returncode != 0:
        return f"<exit status {done.returncode}: {done.stderr.decode(errors='replace').strip()}>"
    return done.stdout.decode(errors="surrogateescape").removesuffix("\n")


def texts(gm: make_graphs.GraphLike) -> dict[str, tuple[list[str], Optional[str]]]:
    """Returns the strings that torch.fx writes, keyed by command line; None if torch.fx fails."""
    graph = make_graphs.graph_of(gm)
    found: dict[str, tuple[list[str], Optional[str]]] = {}
    try:
        found["code"] = (["--preset", "code"], graph.python_code("self").src)
    except Exception:  # torch.fx fails in various ways for unusual graphs
        found["code"] = (["--preset", "code"], None)
    if isinstance(gm, torch.fx.GraphModule):
        try:
            text = gm.print_readable(print_output=False, include_stride=True, include_device=True)
        except Exception:
            text = None
        found["readable"] = (["--preset", "readable", "--stride", "--device"], text)
    return found


# Graphs for which torch.fx writes valid Python that computes different values, with the reason.
# fxcpp's text intentionally differs (docs/from_torch_fx.md); tests/codegen/test_python_values.py
# compares its values.
TORCH_FX_IS_WRONG = {
    "complex_numbers": "(inf+0j) and (-0-0j) are names and arithmetic, not these constants",
    "built_arg_tensors": "the text of a tensor argument lacks its elements",
    "built_arg_parameter": "the text of a parameter lacks its elements",
    "built_setitem": "operator.setitem returns None, not the tensor",
    "built_odd_names": "a value named self hides the module",
}


def is_python(text: str) -> bool:
    try:
        compile(text, "<code>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def inputs_for(gm: torch.fx.GraphModule) -> Optional[list[Any]]:
    """Returns arguments with the types in the graph. Without a type, an argument is a 4x4 matrix,
    which the graph may reject. Returns None if a size is symbolic."""
    result: list[Any] = []
    for node in gm.graph.find_nodes(op="placeholder"):
        if node.target.startswith("*"):
            continue
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor):
            try:
                shape = [int(size) for size in value.shape]
                result.append(torch.ones(shape, dtype=value.dtype))
            except Exception:
                return None
        elif node.args:
            break
        else:
            result.append(torch.rand(4, 4))
    return result


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor):
        if not isinstance(b, torch.Tensor) or (a.dtype, a.shape) != (b.dtype, b.shape):
            return False
        if a.is_meta or a.layout is not torch.strided:
            return b.is_meta == a.is_meta and a.layout is b.layout
        a, b = a.detach(), b.detach()
        return bool(((a == b) | ((a != a) & (b != b))).all())  # NaN is equal to NaN
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    return type(a) is type(b) and (a == b or a != a)


def execute(fxcpp: Path, gm: torch.fx.GraphModule, file: Path) -> tuple[str, str]:
    """Runs both programs from the same random state. Returns "equal", "different" or the reason why
    they are not compared, and details."""
    values = inputs_for(gm)
    if values is None:
        return "without inputs", ""
    try:
        torch.manual_seed(1)
        expected = gm.forward(*[v.clone() if isinstance(v, torch.Tensor) else v for v in values])
    except Exception:
        return "torch.fx cannot run it on these inputs", ""
    text = run(fxcpp, "emit", "--to", "python", str(file))
    if "cannot be imported" in text:
        return "uses functions without a name", ""
    module = types.ModuleType("emitted")
    try:
        exec(compile(text, "<emitted>", "exec"), module.__dict__)
        torch.manual_seed(1)
        got = module.forward(gm, *values)
    except Exception as error:
        return "different", f"{type(error).__name__}: {error}\n{text[:1500]}"
    return ("equal", "") if equal(expected, got) else ("different", text[:1500])


def compare(options: argparse.Namespace) -> int:
    counts: Counter[str] = Counter()
    differing: list[str] = []
    wrong = set(TORCH_FX_IS_WRONG)
    for index, (name, gm) in enumerate(make_graphs.graphs(options.count, 0)):
        if options.only not in name:
            continue
        file = options.graphs / f"{index:04}_{name}.json"
        file.write_text(fx_export.dumps(fx_export.export(gm)), encoding="ascii")
        for kind, (arguments, expected) in texts(gm).items():
            if expected is None:
                counts[f"{kind}: torch.fx cannot"] += 1
                continue
            expected = fx_export.printable(fx_export.mask_addresses(expected))
            got = run(options.fxcpp, "print", *arguments, str(file))
            if got == expected:
                counts[f"{kind}: equal"] += 1
            elif not is_python(expected) and is_python(got):
                counts[f"{kind}: torch.fx's code is not valid Python, fxcpp's is"] += 1
            elif not is_python(expected) and got.startswith("<exit status"):
                counts[f"{kind}: torch.fx's code is not valid Python, fxcpp's is an error"] += 1
            elif name in TORCH_FX_IS_WRONG and is_python(got):
                counts[f"{kind}: torch.fx's code computes different values"] += 1
                wrong.discard(name)
            else:
                counts[f"{kind}: different"] += 1
                lines = difflib.unified_diff(
                    expected.splitlines(), got.splitlines(), "torch.fx", "fxcpp", "", "", 0, ""
                )
                differing.append(f"--- {file.name}: {kind}\n" + "\n".join(lines))
        if isinstance(gm, torch.fx.GraphModule):
            outcome, text = execute(options.fxcpp, gm, file)
            counts[f"run: {outcome}"] += 1
            if outcome == "different":
                differing.append(f"--- {file.name}: run\n{text}")
    if not options.only:
        differing += [f"--- {name}: is equal now, remove it from TORCH_FX_IS_WRONG" for name in sorted(wrong)]
    for text in differing[:options.shown]:
        print(text + "\n")
    for what, count in sorted(counts.items()):
        print(f"{count:5} {what}")
    enough = options.only or (counts["code: equal"] >= 0.9 * options.count and counts["run: equal"] >= 100)
    return 0 if not differing and enough else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--fxcpp", type=Path, required=True, help="the fxcpp binary")
    parser.add_argument("--count", type=int, default=make_graphs.COUNT)
    parser.add_argument("--only", default="", help="only graphs whose name contains this text")
    parser.add_argument("--shown", type=int, default=SHOWN, help="number of differences to print in full")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    if not options.fxcpp.exists():
        parser.error(f"no binary at {options.fxcpp}")
    with tempfile.TemporaryDirectory() as folder:
        options.graphs = Path(folder)
        return compare(options)


if __name__ == "__main__":
    sys.exit(main())
