#!/usr/bin/env python3
"""Regenerates the records of torch in tests/golden/, and compares them.

    test_torch_golden.py [--write]

dtypes.txt: every dtype with its short form, item size and family.  sym_exprs.txt: expressions as
torch and sympy build and print them, with their values.  provenance.json: sources of nodes as
torch.fx prints them, and the last frames of stack traces; an interchange document whose graph is
empty.  --write replaces the files.
Exit status: 0 equal, 1 different, 77 torch is missing or another version.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from pathlib import Path

try:
    import sympy
    import torch
    from torch.fx.graph import _parse_stack_trace
    from torch.fx.traceback import NodeSource
    from torch.utils._dtype_abbrs import dtype_abbrs
    from torch.utils._sympy import functions as fn
except ImportError:
    print("not run: torch is missing")
    sys.exit(77)

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
VERSION = "2.13"


def dtypes() -> str:
    lines = ["# name, short form (-: torch has none), bytes, family; made by tests/ir/test_torch_golden.py"]
    names = {str(d): d for d in vars(torch).values() if isinstance(d, torch.dtype)}
    for name, dtype in sorted(names.items()):
        family = "float" if dtype.is_floating_point else "complex" if dtype.is_complex else "other"
        short = dtype_abbrs.get(dtype, "-")
        lines.append(f"{name.removeprefix('torch.')} {short} {dtype.itemsize} {family}")
    return "\n".join(lines) + "\n"


SIZES = [sympy.Symbol(n, positive=True, integer=True) for n in ("s0", "s1", "s10", "s2", "s77")]
UNBACKED = [sympy.Symbol(n, integer=True) for n in ("u0", "u1")]


def whole(rng: random.Random, depth: int) -> sympy.Expr:
    """A random integer expression, built as tracing builds it."""
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.25:
            return sympy.Integer(rng.choice([-3, -1, 1, 2, 3, 4, 8, 12]))
        return rng.choice(SIZES * 3 + UNBACKED)
    a, b = whole(rng, depth - 1), whole(rng, depth - 1)
    n = sympy.Integer(rng.choice([2, 3, 4, 6, 8]))
    match rng.randrange(14):
        case 0 | 1 | 2:
            return a + b
        case 3 | 4:
            return a - b
        case 5 | 6 | 7:
            return a * b
        case 8:
            return fn.FloorDiv(a, n)
        case 9:
            return fn.FloorDiv(a, abs_(b))
        case 10:
            return fn.PythonMod(a, n)
        case 11:
            return fn.Max(a, b)
        case 12:
            return fn.Min(a, b)
        case _:
            return a ** rng.choice([2, 3])


def abs_(e: sympy.Expr) -> sympy.Expr:
    """A divisor that torch does not treat as zero."""
    return rng_size(e) if e.is_zero or e.is_number else e


def rng_size(e: sympy.Expr) -> sympy.Expr:
    return SIZES[len(str(e)) % len(SIZES)]


def real(rng: random.Random) -> sympy.Expr:
    a, b = whole(rng, 2), whole(rng, 1)
    float_a, half = fn.ToFloat(a), sympy.Float(rng.choice([0.5, 1.5, 2.0, 0.1]))
    return rng.choice(
        [
            half * float_a,
            float_a + half,
            fn.IntTrueDiv(a, SIZES[0]),
            fn.FloatTrueDiv(half * float_a, fn.ToFloat(b + 2)),
            fn.OpaqueUnaryFn_sqrt(fn.ToFloat(a * a)),
            fn.TruncToInt(half * float_a),
            fn.CeilToInt(half * float_a),
            fn.FloorToInt(fn.FloatTrueDiv(float_a, half)) + b,
            fn.RoundToInt(half * float_a),
            fn.FloatPow(fn.ToFloat(a), sympy.Float(2.0)),
        ]
    )


def boolean(rng: random.Random) -> sympy.Basic:
    a, b = whole(rng, 2), whole(rng, 1)
    relation = rng.choice([sympy.Eq, sympy.Ne, sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge])
    return relation(a, b)


def logic(rng: random.Random) -> sympy.Basic:
    u0, u1 = UNBACKED
    parts = [u0 > rng.randrange(4), u1 <= rng.randrange(4), sympy.Eq(u0, u1)]
    rng.shuffle(parts)
    return rng.choice(
        [
            sympy.And(*parts[:2]),
            sympy.Or(*parts[:2]),
            sympy.And(parts[0], sympy.Or(*parts[1:])),
            sympy.Piecewise((u0, parts[0]), (SIZES[0], True)),
            sympy.Piecewise((u0, parts[0]), (SIZES[0], parts[1]), (sympy.Integer(7), True)),
        ]
    )


def fractions(rng: random.Random) -> sympy.Expr:
    a, b = rng.sample(SIZES, 2)
    p = sympy.Rational(rng.choice([1, 2, 3, -1, -5]), rng.choice([2, 3, 4, 7]))
    return rng.choice([p * a, p * a * b, p * a + b, p + a, a / b, p * a / b, 1 / a, -1 / (a * b), a**-2])


VALUES = [
    dict(zip(("s0", "s1", "s10", "s2", "s77", "u0", "u1"), row))
    for row in ((2, 3, 5, 7, 11, 0, 1), (6, 4, 2, 3, 10, -3, 2), (13, 8, 9, 4, 5, 4, -7))
]


def value(expr: sympy.Basic, row: dict[str, int]) -> str:
    """The value of the expression, '-' if torch's functions do not define it."""
    try:
        result = expr.subs({s: row[s.name] for s in expr.free_symbols}, simultaneous=True)
    except (ZeroDivisionError, AssertionError):
        return "-"
    if result in (sympy.true, sympy.false):
        return str(result)
    if result.is_Integer or isinstance(result, sympy.Rational):
        return str(result)
    if isinstance(result, sympy.Float):
        return repr(float(result))
    return "-"


def sym_exprs() -> str:
    rng = random.Random(7)
    lines = [
        "# expression ; its value for each row of: " + " | ".join(str(v) for v in VALUES),
        "# made by tests/ir/test_torch_golden.py",
    ]
    seen = set()
    makers = [lambda r: whole(r, 1), lambda r: whole(r, 2), lambda r: whole(r, 3)] * 3
    makers += [real, boolean, logic, fractions]
    for maker in itertools.cycle(makers):
        if len(seen) == 600:
            break
        try:
            expr = maker(rng)
        except (ZeroDivisionError, AssertionError):
            continue
        text = str(expr)
        if text in seen or len(text) > 160 or expr.has(sympy.zoo, sympy.nan):
            continue
        seen.add(text)
        lines.append(text + " ; " + " ; ".join(value(expr, row) for row in VALUES))
    return "\n".join(lines) + "\n"


def source(rng: random.Random, depth: int) -> dict[str, object]:
    """A source of a node with its history, as returned by NodeSource.to_dict."""
    graph_id = rng.choice([-1, 0, 7, 140737488355328])
    return {
        "name": "" if graph_id < 0 else rng.choice(["add", "relu_1", "sum_1"]),
        "target": "" if graph_id < 0 else rng.choice(["aten.add.Tensor", "linear", "output"]),
        "graph_id": graph_id,
        "pass_name": rng.choice(["", "fuse", "Interpreter_DynamoExport"]),
        "action": rng.choice(["", "create", "replace", "replace+create", "create+replace"]),
        "from_node": [source(rng, depth - 1) for _ in range(rng.choice([1, 1, 2]) if depth else 0)],
    }


def stack_trace(rng: random.Random) -> str:
    pieces = [
        '  File "m.py", line 3, in forward\n',
        '  File "/opt/a b/é.py", line 120, in <lambda>\n',
        'File "a", line 1, in f", line 2, in g\n',
        'File "a.py", line x, in f\n',
        'File "", line 1, in f\n',
        'File "a.py", line 7, in f',
        "    return self.fc(x)\n",
        "    x = 1  # File\n",
        "\n",
        "...\n",
    ]
    return "".join(rng.choice(pieces) for _ in range(rng.randrange(7)))


def provenance() -> str:
    rng = random.Random(3)
    sources = []
    for depth in (0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 12):
        made = NodeSource._from_dict(source(rng, depth))
        sources.append({"source": made.to_dict(), "text": made.print_readable()})
    traces = []
    for text in sorted({stack_trace(rng) for _ in range(70)}):
        last = _parse_stack_trace(text)
        own = _parse_stack_trace(text, lambda file, name, code: "fc" in code)
        frames = {"last": last and last.get_summary_str(), "own": own and own.get_summary_str()}
        traces.append({"trace": text} | frames)
    lines = ["{", '"format":2,', '"sources":[']
    lines += [json.dumps(s) + "," for s in sources[:-1]] + [json.dumps(sources[-1]), "],"]
    lines += ['"traces":[']
    lines += [json.dumps(t) + "," for t in traces[:-1]] + [json.dumps(traces[-1]), "],"]
    return "\n".join([*lines, '"graph":{"nodes":[]}', "}"]) + "\n"


def main() -> int:
    if not torch.__version__.startswith(VERSION):
        print(f"not run: the golden files were made with torch {VERSION}, this is {torch.__version__}")
        return 77
    status = 0
    files = {"dtypes.txt": dtypes, "sym_exprs.txt": sym_exprs, "provenance.json": provenance}
    for name, make in files.items():
        path, text = GOLDEN / name, make()
        if "--write" in sys.argv[1:]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{path} differs from torch's values; --write regenerates it")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
