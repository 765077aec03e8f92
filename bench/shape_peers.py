#!/usr/bin/env python3
"""Times torch.fx's propagators on graphs: one JSON object per file and propagator.

    bench/shape_peers.py FILE.json...      # interchange JSON (fxcpp convert FILE -o FILE.json)

FakeTensorProp and ShapeProp of torch 2.13 on one thread: the minimum CPU time of several runs
after a warm-up, in nanoseconds per call. ShapeProp runs the graph on real tensors; eager is the
same run without recording anything; both are skipped for graphs whose inputs have many elements.
`different`: the number of calls for which FakeTensorProp's type differs from that in the file. Graphs
with symbolic sizes are skipped, with a message, because there are no inputs to run them on.
"""
import json
import pathlib
import sys
import time

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch.fx.passes.shape_prop import ShapeProp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
import fx_export  # noqa: E402

MAX_ELEMENTS = 2**28  # of all inputs together; larger graphs do not run on real tensors


def best(work, seconds=2.0, repeats=5):
    work()
    times = []
    end = time.monotonic() + seconds
    while len(times) < repeats and (not times or time.monotonic() < end):
        start = time.process_time_ns()
        work()
        times.append(time.process_time_ns() - start)
    return min(times)


def real(value):
    """A tensor of the placeholder's type, filled with ones, which are also valid indices."""
    if not isinstance(value, torch.Tensor):
        return value
    size = 1 + sum((n - 1) * s for n, s in zip(value.shape, value.stride())) if value.numel() else 0
    flat = torch.ones(size + value.storage_offset()).to(value.dtype)
    return flat.as_strided(value.shape, value.stride(), value.storage_offset())


def like(mode, value):
    """A fake tensor of the placeholder's type, without memory."""
    if not isinstance(value, torch.Tensor):
        return value
    with mode:
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)


def facts(value):
    """The compared parts of a result: strides only where they are meaningful."""
    if isinstance(value, (list, tuple)):
        return [facts(v) for v in value]
    if not isinstance(value, torch.Tensor):
        return None
    strides = [] if 0 in value.shape else [s for n, s in zip(value.shape, value.stride()) if n != 1]
    return value.dtype, tuple(value.shape), tuple(strides)


def main():
    torch.set_num_threads(1)
    for file in sys.argv[1:]:
        try:
            graph = fx_export.load(file)
        except fx_export.ExportError as error:
            print(f"{file}: {error}", file=sys.stderr)
            continue
        calls = sum(node.op == "call_function" for node in graph.graph.nodes)
        values = [node.meta.get("val") for node in graph.graph.nodes if node.op == "placeholder"]
        tensors = [v for v in values if isinstance(v, torch.Tensor)]
        if any(not isinstance(n, int) for t in tensors for n in (*t.shape, *t.stride())):
            print(f"{file}: torch.fx: symbolic sizes: there are no inputs to run on", file=sys.stderr)
            continue
        mode = FakeTensorMode()
        fakes = [like(mode, v) for v in values]
        recorded = {n: facts(n.meta.get("val")) for n in graph.graph.nodes if n.op == "call_function"}
        ways = {"FakeTensorProp":
                lambda: FakeTensorProp(graph, mode).propagate_dont_convert_inputs(*fakes)}
        if sum(t.numel() for t in tensors) <= MAX_ELEMENTS:
            inputs = [real(v) for v in values]
            ways["ShapeProp"] = lambda: ShapeProp(graph).propagate(*inputs)
            ways["eager"] = lambda: graph(*inputs)
        for name, work in ways.items():
            try:
                with torch.no_grad():
                    took = best(work)
            except Exception as error:  # any error: the table has no entry
                print(f"{file}: {name}: {type(error).__name__}: {error}"[:160], file=sys.stderr)
                continue
            row = {"file": file, "subject": name, "calls": calls, "ns_per_call": took / max(calls, 1)}
            if name == "FakeTensorProp":
                row["different"] = sum(facts(n.meta.get("val")) != expected for n, expected in recorded.items())
            print(json.dumps(row))


if __name__ == "__main__":
    main()
