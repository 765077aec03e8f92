#!/usr/bin/env python3
"""Measures torch.fx for bench/code_report.py: what bench_code_models.cpp measures, for Python code.

    code_python.py chain                      ns per node of a chain of operators on one element
    code_python.py MODULE.py DATA RUNS        an emitted module (`fxcpp emit --to python`) on its inputs

CPU time of one thread. The emitted module is identical to the code that torch.fx generates.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import sys
import time

import torch
import torch.fx

from chain_torch_fx import FUNCTIONS, NODES, OPERATORS, chain


def times_of(run, repeats: int) -> list[float]:
    run(), run()
    times, end = [], time.process_time() + 0.3  # a small model is run several times
    while len(times) < repeats or time.process_time() < end:
        begin = time.process_time_ns()
        run()
        times.append(time.process_time_ns() - begin)
    return sorted(times)


def main() -> None:
    torch.set_num_threads(1)
    if sys.argv[1] == "chain":
        x, result = torch.full((1,), 0.5), {}
        with torch.no_grad():
            for name, targets in (("operators", OPERATORS), ("functions", FUNCTIONS)):
                module = chain(*targets)
                times = times_of(lambda: [module(x) for _ in range(20)], 15)
                result[name] = times[len(times) // 2] / 20 / NODES
        print(json.dumps(result))
        return
    path, data, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    spec = importlib.util.spec_from_file_location("emitted", path)
    emitted = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(emitted)
    module, inputs = emitted.load(), emitted.arguments(data)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with torch.no_grad():
        times = times_of(lambda: module(*inputs), runs)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    with torch.no_grad(), torch.profiler.profile(profile_memory=True) as profile:
        module(*inputs)
    now = peak = 0
    for event in profile.profiler.kineto_results.events():
        if event.name() == "[memory]":
            now += event.nbytes()
            peak = max(peak, now)
    print(json.dumps({"ms": times[len(times) // 2] / 1e6, "min_ms": times[0] / 1e6,
                      "peak_bytes": peak, "grown_bytes": grown}))


if __name__ == "__main__":
    main()
