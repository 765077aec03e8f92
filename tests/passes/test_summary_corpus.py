#!/usr/bin/env python3
"""Compares `fxcpp shape --summary` with torch on the graphs of the corpus.

Compares FLOPs of forward and backward by operator with torch.utils.flop_counter.FlopCounterMode
while torch runs the same calls. Compares memory with torch's allocations at the
end of every call of a replay that frees each value after its last use. The peaks of both directions
must agree within 5%; nearly all peaks, and the values after nearly all calls, are equal. Memory
that kernels allocate and free within a call is not part of a graph; the test prints its size.

    test_summary_corpus.py [MODEL...]

Exit status: 0 if equal, 1 if different, 77 without torch or corpus.
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    import numpy as np
    import torch
    from torch.utils.flop_counter import FlopCounterMode
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parent))
import memory  # noqa: E402
import replay  # noqa: E402
from flop_formulas import ADDITIONAL_FORMULAS  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
CORPUS = Path(os.environ.get("FXCPP_CORPUS", "../shared/corpus"))


def summary(path: Path, symbols: dict[str, int] | None = None) -> dict[str, Any]:
    bound = [word for name, n in (symbols or {}).items() for word in ("--symbol", f"{name}={n}")]
    run = subprocess.run([FXCPP, "shape", path, "--summary", "--json", *bound], capture_output=True,
                         text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"fxcpp shape {path} --summary: {run.stderr}")
    return json.loads(run.stdout)


def inputs_of(folder: Path, document: dict[str, Any],
              symbols: dict[str, int]) -> dict[str, Any]:
    """Returns values for placeholders: parameters and buffers from model.pt2, and inputs from
    values.npz. Sets `symbols` to the sizes of the inputs."""
    logging.disable(logging.WARNING)  # torch's warning about custom classes has a bug
    state = torch.export.load(str(folder / "model.pt2"))
    weights = {**state.state_dict, **state.constants}
    arrays = np.load(folder / "values.npz")
    vals = {n["name"]: n.get("val") for n in document["graph"]["nodes"] if n["op"] != "output"}
    result: dict[str, Any] = {}
    user_inputs = 0
    for entry in document["inputs"]:
        index = entry.get("index", user_inputs)
        user_inputs += entry["kind"] == "user_input"
        val = vals[entry["name"]]
        if not isinstance(val, dict) or "t" not in val:
            result[entry["name"]] = val
            continue
        source = weights.get(entry.get("target"))
        for prefix in ("in", "joint_in"):
            key = f"{prefix}.{index}"
            if entry["kind"] == "user_input" and source is None and key in arrays:
                source = torch.from_numpy(np.array(arrays[key]))
        if source is None and entry["kind"] != "tangent":
            raise replay.Unsupported(f"a value for {entry}")
        if source is not None:
            for text, n in zip(val["shape"], source.shape):
                if found := re.fullmatch(r"(?:(\d+)\*)?([a-z]\w*)", str(text)):
                    symbols[found[2]] = n // int(found[1] or 1)
        tensor = replay.tensor_like(val, symbols)
        tensor.copy_(torch.ones_like(tensor) if source is None else source.detach())
        result[entry["name"]] = tensor
    return result


def count_flops(document: dict[str, Any], inputs: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Returns the operations that FlopCounterMode counts, by operator and by forward and
    backward."""
    counts: dict[str, dict[str, int]] = {}

    def count_call(node: dict[str, Any], run: Any) -> Any:
        with FlopCounterMode(display=False, custom_mapping=ADDITIONAL_FORMULAS) as counter:
            value = run()
        if counter.get_total_flops():
            by_pass = counts.setdefault(node["target"], {"forward": 0, "backward": 0, "optimizer": 0})
            by_pass[replay.region(node)] += counter.get_total_flops()
        return value

    replay.run(document, inputs, count_call)
    return counts


def check(path: Path) -> list[str]:
    folder = path.parent
    document = json.loads(path.read_text())
    if any(name.startswith("u") for name in document["symbols"]):
        raise replay.Unsupported("sizes depend on data")
    symbols: dict[str, int] = {}
    inputs = inputs_of(folder, document, symbols)
    mine = summary(path, symbols)
    failures = []
    theirs = count_flops(document, inputs)
    counted = {row["op"]: row["flops"] for row in mine["operators"]
               if row["flops"]["forward"] or row["flops"]["backward"]}
    for op in mine["uncounted"]:  # listed, but not counted
        if op not in theirs:
            failures.append(f"{op} is listed as uncounted, but has no operations")
        theirs.pop(op, None)
    if counted != theirs:
        failures += [f"FLOPs of {op}: {counted.get(op)} vs. {theirs.get(op)}"
                   for op in sorted(counted.keys() | theirs.keys())
                   if counted.get(op) != theirs.get(op)]
    memory_failures, words = memory.compare(document, inputs, mine)
    failures += memory_failures
    total = mine["flops"]["forward"] + mine["flops"]["backward"]
    dynamic = path.with_name(f"{path.stem}_dyn.json")
    if dynamic.exists() and summary(dynamic)["flops"] != mine["flops"]:
        failures.append(f"FLOPs of {dynamic.name}: {summary(dynamic)['flops']}")
    print(f"{folder.name}/{path.name}: {total} FLOPs; {words}", flush=True)
    return failures


def main() -> int:
    if not CORPUS.is_dir():
        print(f"not run: no corpus in {CORPUS}")
        return 77
    torch.set_num_threads(1)
    sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "corpus"))
    import zoo  # noqa: F401  (a named tuple that a model returns)

    failed, skipped, checked = 0, [], 0
    for folder in sorted(CORPUS.iterdir()):
        if sys.argv[1:] and folder.name not in sys.argv[1:]:
            continue
        for name in ("forward.json", "joint.json"):
            if not (folder / name).exists():
                continue
            try:
                failures = check(folder / name)
                checked += 1
            except replay.Unsupported as reason:
                skipped.append(f"{folder.name}/{name} ({reason})")
                continue
            failed += bool(failures)
            for failure in failures:
                print(f"  {folder.name}/{name}: {failure}")
    print(f"{checked} graphs, {failed} with differences; not run: {', '.join(skipped) or 'none'}")
    return 1 if failed or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
