#!/usr/bin/env python3
"""Times torch 2.13 in Python on the workload of bench_capture.cpp: one JSON object on standard output.

  fx_ns_per_node     generated code of a torch.fx.GraphModule: 1,000 calls to torch.add, 4 elements each
  fx_interpreter_ns  the same graph through torch.fx.Interpreter
  aot_ms, aot_nodes  AOTAutograd's joint graph of the zoo's resnet18 with its loss, and its number of
                     nodes
Each time is the minimum of several runs after a warm-up, in CPU time of one thread.
"""
import json
import pathlib
import sys
import time
from collections import Counter

import torch
import torch.fx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "torch"))
from test_joint_against_aot import aot_joint  # noqa: E402
from zoo_twins import TWINS  # noqa: E402


def best(work, repeats: int) -> float:
    work()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def add_chain(length: int) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    for _ in range(length):
        x = graph.call_function(torch.add, (x, y))
    graph.output(x)
    return torch.fx.GraphModule({}, graph)


def main() -> None:
    torch.set_num_threads(1)
    length = 1000
    chain = add_chain(length)
    x = torch.ones(4)
    result: dict[str, float] = {}
    with torch.no_grad():
        result["fx_ns_per_node"] = best(lambda: chain(x, x), 50) / length * 1e9
        interpreter = torch.fx.Interpreter(chain)
        result["fx_interpreter_ns"] = best(lambda: interpreter.run(x, x), 10) / length * 1e9

    settings, make = TWINS["resnet18"]
    model = make(**settings)
    shape = (settings["batch"], 3, settings["size"], settings["size"])
    inputs = [torch.randn(shape), torch.randint(settings["classes"], shape[:1])]
    result["aot_nodes"] = len(aot_joint(model, inputs, Counter()).nodes)
    result["aot_ms"] = best(lambda: aot_joint(model, inputs, Counter()), 5) * 1e3
    print(json.dumps(result))


if __name__ == "__main__":
    main()
