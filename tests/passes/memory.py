"""Compares memory in the summary of a graph with allocations of torch's allocator in a
replay."""

from __future__ import annotations

from typing import Any

import torch

import replay

TOLERANCE = 0.05


def measure(document: dict[str, Any], inputs: dict[str, Any]) -> tuple[dict[str, int], int]:
    """Returns the bytes that are allocated at the end of each call, keyed by node and excluding the
    inputs, and the maximum at any time, including within calls."""

    def measured(node: dict[str, Any], run: Any) -> Any:
        with torch.profiler.record_function(f"node:{node['name']}"):
            return run()

    replay.run(document, inputs)  # this run includes one-time allocations of kernels
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU],
                                profile_memory=True) as profile:
        results = replay.run(document, inputs, measured)
    del results
    happened: list[tuple[int, int, str, int]] = []
    for event in profile.profiler.kineto_results.events():
        if event.name() == "[memory]":
            happened.append((event.start_ns(), 0, "", event.nbytes()))
        elif event.name().startswith("node:"):
            happened.append((event.end_ns(), 1, event.name().removeprefix("node:"), 0))
    live, peak = 0, 0
    after: dict[str, int] = {}
    for _, _, node, size in sorted(happened):
        live += size
        peak = max(peak, live)
        if node:
            after[node] = live
    return after, peak


def compare(document: dict[str, Any], inputs: dict[str, Any], mine: dict[str, Any],
            native: dict[str, Any] | None = None) -> tuple[list[str], str]:
    """Returns the differences from the JSON of `fxcpp shape --summary`, and a line that summarizes
    the results. `native` is the JSON of `fxcpp run --memory`, which contains the same measurements
    in C++."""
    failures, words = [], []
    after, peak = measure(document, inputs)
    if native is not None:
        theirs = max(row["peak_bytes"] for row in (native["forward"], native["backward"]) if row)
        if abs(theirs - peak) > TOLERANCE * peak:
            failures.append(f"run --memory measures {theirs} bytes at peak, torch {peak}")
    counted_live = {v["node"]: v["live_bytes"] - mine["caller_bytes"] for v in mine["values"]}
    regions = {n["name"]: replay.region(n) for n in document["graph"]["nodes"]
               if n["op"] == "call_function"}
    for which in ("forward", "backward"):
        nodes = [n for n, r in regions.items() if r == which]
        if not nodes:
            continue
        counted, measured = max(counted_live[n] for n in nodes), max(after[n] for n in nodes)
        if counted != mine["peak"][which]["bytes"] - mine["caller_bytes"]:
            failures.append(f"the {which} peak is not the maximum over the nodes of that pass")
        ratio = counted / measured if measured else 1.0
        words.append(f"{which} peak {counted} of {measured} bytes ({100 * (ratio - 1):+.1f}%)")
        if abs(ratio - 1) > TOLERANCE:
            failures.append(words[-1])
        if native is None:
            continue
        row = native[which]
        if row["counted_bytes"] != counted:
            failures.append(f"run --memory counts {row['counted_bytes']} bytes for {which}")
        if abs(row["measured_bytes"] - counted) > TOLERANCE * row["measured_bytes"]:
            failures.append(f"run --memory: {which} {row['measured_bytes']} measured, {counted} counted")
    equal = sum(counted_live[n] == after[n] for n in regions)
    words.append(f"{equal} of {len(regions)} calls equal; {peak} bytes at peak, including memory within calls")
    if len(regions) - equal > max(2, TOLERANCE * len(regions)):
        differing = next(n for n in regions if counted_live[n] != after[n])
        failures.append(f"only {equal} of {len(regions)} calls are equal; the first that differs is "
                      f"{differing}: {counted_live[differing]} counted, {after[differing]} measured")
    return failures, ", ".join(words)
