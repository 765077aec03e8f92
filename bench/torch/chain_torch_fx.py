#!/usr/bin/env python3
"""The chain of bench_compiled.cpp in torch.fx's generated Python: CPU time per node."""

from __future__ import annotations

import time

import torch
import torch.fx

NODES = 300
OPERATORS = (torch.ops.aten.add.Tensor, torch.ops.aten.mul.Tensor, torch.ops.aten.relu.default)
FUNCTIONS = (torch.add, torch.mul, torch.relu)


def chain(add, mul, relu) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    x = value = graph.placeholder("x")
    for i in range(NODES):
        if i % 3 == 2:
            value = graph.call_function(relu, (value,))
        else:
            value = graph.call_function(add if i % 3 == 0 else mul, (value, x))
    graph.output(value)
    return torch.fx.GraphModule(torch.nn.Module(), graph)


def main() -> None:
    torch.set_num_threads(1)
    x = torch.full((1,), 0.5)
    for name, targets in (("operators", OPERATORS), ("torch functions", FUNCTIONS)):
        module = chain(*targets)
        times = []
        for _ in range(10):
            begin = time.process_time_ns()
            for _ in range(50):
                module(x)
            times.append((time.process_time_ns() - begin) / 50 / NODES)
        print(f"{name}: {sorted(times)[5]:.0f} ns per node")


if __name__ == "__main__":
    main()
