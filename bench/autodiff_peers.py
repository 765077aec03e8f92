#!/usr/bin/env python3
"""Times AOTAutograd on forward graphs: one JSON object per file and subject.

    bench/autodiff_peers.py FILE.json...      # interchange JSON (fxcpp convert FILE -o FILE.json)

`joint`: aot_export_joint_simple on fake tensors with static sizes. `min_cut`: AOTAutograd's min-cut
partitioner on that joint graph. Times are the minimum CPU time of several runs on one thread after a
warm-up, in nanoseconds per node of the joint graph.
"""
import copy
import json
import pathlib
import sys
import time

import torch
from torch._functorch.aot_autograd import aot_export_joint_simple
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch._subclasses.fake_tensor import FakeTensorMode

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
import fx_export  # noqa: E402

REPEATS = 3


def best(prepare, work):
    """The minimum time of `work(prepare())` after a warm-up run, and the last result."""
    work(prepare())
    times = []
    for _ in range(REPEATS):
        given = prepare()
        start = time.process_time_ns()
        result = work(given)
        times.append(time.process_time_ns() - start)
    return min(times), result


def fake_inputs(gm):
    """Returns a fake tensor for each placeholder. Tensors whose types require grad require grad; if
    there are none, all floating-point tensors do."""
    values = [node.meta["val"] for node in gm.graph.nodes if node.op == "placeholder"]
    any_grad = any(v.requires_grad for v in values)
    with FakeTensorMode():
        tensors = []
        for value in values:
            x = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
            requires_grad = value.requires_grad if any_grad else value.is_floating_point()
            tensors.append(x.requires_grad_(requires_grad))
        return tuple(tensors)


def main():
    torch.set_num_threads(1)
    for file in sys.argv[1:]:
        gm = fx_export.load(file)
        took, joint = best(lambda: fake_inputs(gm),
                           lambda args: aot_export_joint_simple(gm, args, trace_joint=True))
        nodes = len(joint.graph.nodes)
        print(json.dumps({"file": file, "subject": "joint", "nodes": nodes,
                          "ns_per_node": took / nodes}), flush=True)
        results = len(next(n for n in gm.graph.nodes if n.op == "output").args[0])
        took, _ = best(lambda: copy.deepcopy(joint),
                       lambda given: min_cut_rematerialization_partition(
                           given, None, num_fwd_outputs=results))
        print(json.dumps({"file": file, "subject": "min_cut", "nodes": nodes,
                          "ns_per_node": took / nodes}), flush=True)


if __name__ == "__main__":
    main()
