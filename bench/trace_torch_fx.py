#!/usr/bin/env python3
"""Prints the CPU time per node of torch.fx.symbolic_trace, and of the tracer alone, in microseconds,
on the models of bench_trace.cpp: the minimum of five runs."""

import time

import torch
import torch.fx
from torch import nn


class Chain(nn.Module):
    def __init__(self, nodes: int) -> None:
        super().__init__()
        self.rounds = nodes // 4

    def forward(self, x):
        for _ in range(self.rounds):
            x = torch.relu(torch.sigmoid(x + 1)).neg()
        return x


class Mlp(nn.Module):
    def __init__(self, nodes: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(nodes // 2)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


def seconds(model: nn.Module, whole: bool) -> tuple[float, int]:
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        if whole:
            nodes = len(torch.fx.symbolic_trace(model).graph.nodes)
        else:  # only the graph, without code generation
            nodes = len(torch.fx.Tracer().trace(model).nodes)
        best = min(best, time.process_time() - start)
    return best, nodes


def main() -> None:
    for name, model in (("chain", Chain(10000)), ("modules", Mlp(1000))):
        for whole in (False, True):
            best, nodes = seconds(model, whole)
            what = "symbolic_trace" if whole else "Tracer.trace"
            print(f"{name} {what}: {nodes} nodes, {best / nodes * 1e6:.2f} us/node")


if __name__ == "__main__":
    main()
