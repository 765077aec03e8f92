#!/usr/bin/env python3
"""Tests scripts/gdb/fx.py in gdb on the program printed.cpp: check_printers.py PROGRAM.

Exits with 77 if gdb is missing or is not permitted to trace programs.
"""

import pathlib
import shutil
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "gdb" / "fx.py"

CONSTANTS = (
    '[None, True, -3, 0.5, "text", complex(1.0, -2.0), torch.float32, device(cuda:0), '
    "torch.strided, torch.channelslast, ..., sym(s0 + 2), type(bf16[2, 3][1, 2]cuda:1), "
    'op(aten.add.Tensor), object("obj")]'
)
NESTED = '({"k": 1, -2: 2.5}, pkg.Point(x, y)(1, 2), slice(1, None, %relu), range(0, 4, 2))'

EXPECTED = {
    "symbol": '"a symbol"',
    "no_symbol": "no symbol",
    "name": "relu_1",
    "target": "torch.relu",
    "s0": "s0",
    "sizes[1]": "s0 + 1",
    "f32": "f32[2, s0 + 1]",
    "strided": "bf16[2, 3][1, 2]cuda:1",
    "tuple": "(f32[2, s0 + 1], ?, int(3), SymInt(s0))",
    "constants": CONSTANTS,
    "nested": NESTED,
    "held": NESTED,
    "*x": "%x : f32[2, s0 + 1] = placeholder x",
    "*late": "%late_name = placeholder late_name(1)",
    "*weight": "%layer_weight = get_attr layer.weight",
    "*relu": "%relu : f32[2, s0 + 1] = torch.relu(%x, inplace=True)",
    "*call": f"%f = f({CONSTANTS}, {NESTED})",
    "*third": "%layer_0 = call_module layer.0(%view, %layer_weight)",
    "*erased": "an erased node",
    # gdb prints a graph like an array: a summary, then a line for each node.
    "graph": "graph of 9 nodes = {%x : f32[2, s0 + 1] = placeholder x, "
    "%late_name = placeholder late_name(1), %layer_weight = get_attr layer.weight, "
    f"%relu : f32[2, s0 + 1] = torch.relu(%x, inplace=True), %f = f({CONSTANTS}, {NESTED}), "
    "%view = call_method view(%f, -1), %layer_0 = call_module layer.0(%view, %layer_weight), "
    "%relu_1 = torch.relu(%layer_0), %output = output((%relu_1, %late_name))}",
}


def main() -> int:
    gdb = shutil.which("gdb")
    if gdb is None or len(sys.argv) != 2:
        print("not run: no gdb" if gdb is None else __doc__)
        return 77
    command = [gdb, "-nx", "-batch", "-ex", "set print elements 0", "-ex", f"source {SCRIPT}"]
    command += ["-ex", "break look", "-ex", "run", "-ex", "up"]
    for expression in EXPECTED:
        command += ["-ex", f"echo <<{expression}>>", "-ex", f"output {expression}"]
    done = subprocess.run(
        command + [sys.argv[1]], capture_output=True, text=True, timeout=300, check=False
    )
    if "ptrace" in done.stderr or "Could not trace" in done.stderr:
        print(f"not run: {done.stderr}")
        return 77
    parts = done.stdout.split("<<")[1:]
    printed = dict(part.split(">>", 1) for part in parts)
    failed = 0
    for expression, expected in EXPECTED.items():
        got = printed.get(expression, "nothing").strip()
        if got != expected:
            failed += 1
            print(f"{expression}\n  expected {expected}\n  printed  {got}")
    if failed:
        print(done.stderr)
    print(f"{len(EXPECTED)} values printed, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
