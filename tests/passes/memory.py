"""Compares the memory of a graph's summary with the allocations of torch's allocator in a
replay."""

from __future__ import annotations

from typing import Any

import torch

import replay

TOLERANCE = 0.05


def measure(document: dict[str, Any], inputs: dict[str, Any]) -> tuple[dict[str, int], int]:
    """Returns node -> bytes that are allocated when its call ends, beyond those of the inputs; and
    the maximum at any time, including within calls."""

    def around(node: dict[str, Any], run: Any) -> Any:
        with torch.profiler.record_function(f"node:{node['name']}"):
            return run()

    replay.run(document, inputs)  # kernels make their one-time allocations now
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU],
                                profile_memory=True) as profile:
        results = replay.run(document, inputs, around)
    del results
    happened: list[tuple[int, int, str, int]] = []
    for event in profile.profiler.kineto_results.events():
        if event.name() == "[memory]":
            happened.append((event.start_ns(), 0, "", event.nbytes()))
        elif event.name().startswith("node:"):
            happened.append((event.end_ns(), 1, event.name().removeprefix("node:"), 0))
    live, most = 0, 0
    after: dict[str, int] = {}
    for _, _, node, size in sorted(happened):
        live += size
        most = max(most, live)
        if node:
            after[node] = live
    return after, most


def compare(document: dict[str, Any], inputs: dict[str, Any], mine: dict[str, Any],
            native: dict[str, Any] | None = None) -> tuple[list[str], str]:
    """Returns the differences from the JSON of `fxcpp shape --summary`, and a line that summarizes
    them. `native`: the JSON of `fxcpp run --memory`, which counts in C++ what torch's profiler
    counts here."""
    faults, words = [], []
    after, most = measure(document, inputs)
    if native is not None:
        theirs = max(row["peak_bytes"] for row in (native["forward"], native["backward"]) if row)
        if abs(theirs - most) > TOLERANCE * most:
            faults.append(f"run --memory measures {theirs} bytes at most, torch {most}")
    own = {v["node"]: v["live_bytes"] - mine["caller_bytes"] for v in mine["values"]}
    regions = {n["name"]: replay.region(n) for n in document["graph"]["nodes"]
               if n["op"] == "call_function"}
    for which in ("forward", "backward"):
        nodes = [n for n, r in regions.items() if r == which]
        if not nodes:
            continue
        counted, measured = max(own[n] for n in nodes), max(after[n] for n in nodes)
        if counted != mine["peak"][which]["bytes"] - mine["caller_bytes"]:
            faults.append(f"the {which} peak is not the maximum over its nodes")
        ratio = counted / measured if measured else 1.0
        words.append(f"{which} peak {counted} of {measured} bytes ({100 * (ratio - 1):+.1f} %)")
        if abs(ratio - 1) > TOLERANCE:
            faults.append(words[-1])
        if native is None:
            continue
        row = native[which]
        if row["counted_bytes"] != counted:
            faults.append(f"run --memory counts {row['counted_bytes']} bytes {which}")
        if abs(row["measured_bytes"] - counted) > TOLERANCE * row["measured_bytes"]:
            faults.append(f"run --memory: {which} {row['measured_bytes']} measured, {counted} counted")
    equal = sum(own[n] == after[n] for n in regions)
    words.append(f"{equal} of {len(regions)} calls equal; {most} with what is within calls")
    if len(regions) - equal > max(2, TOLERANCE * len(regions)):
        differing = next(n for n in regions if own[n] != after[n])
        faults.append(f"only {equal} of {len(regions)} calls hold what is counted; the first other "
                      f"is {differing}: {own[differing]} counted, {after[differing]} measured")
    return faults, ", ".join(words)
