"""torch.fx's counterparts of fxcpp's passes, on the graphs of bench_fx.py: one line of JSON per
pass and graph, {"pass", "graph", "nodes", "ns"}. A time is the minimum CPU time of several runs.

    python passes_fx.py [NODES]
"""

import contextlib
import gc
import json
import operator
import sys
import time

import torch
from torch import fx
from torch.fx.experimental.normalize import NormalizeArgs, NormalizeOperators
from torch.fx.passes import splitter_base
from torch.fx.passes.dialect.common.cse_pass import CSEPass
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch.fx.passes.graph_manipulation import replace_target_nodes_with
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.fx.passes.split_module import split_module
from torch.fx.passes.tools_common import stable_topological_sort

import bench_fx


class Supported:
    def is_node_supported(self, submodules, node):
        return node.target in (operator.add, torch.add, torch.matmul, torch.nn.functional.linear)


class Root(torch.nn.Module):
    def __init__(self, graph):
        super().__init__()
        for node in graph.nodes:
            if node.op != "get_attr":
                continue
            *path, name = node.target.split(".")
            module = self
            for part in path:
                if not hasattr(module, part):
                    module.add_module(part, torch.nn.Module())
                module = getattr(module, part)
            shape = (64,) if name == "bias" else (64, 64)
            setattr(module, name, torch.nn.Parameter(torch.zeros(shape)))


def number(module):
    for i, node in enumerate(module.graph.nodes):
        node.meta["partition"] = i // 1000


def replace_each_thousandth(module, family):
    """Replaces every thousandth call with one that the backend lacks, as in bench_passes.cpp."""
    old, new = {"chain": (operator.add, operator.mul), "transformer": (torch.matmul, torch.mm)}[family]
    distance = 0
    for node in module.graph.nodes:
        distance += 1
        if distance >= 1000 and node.target is old:
            node.target, distance = new, 0


class AllBut(OperatorSupportBase):
    def is_node_supported(self, submodules, node):
        return node.target not in (operator.mul, torch.mm)


class Tensors:
    """Replaces splitter_base's ShapeProp, which runs the model: all values are tensors."""

    def __init__(self, module):
        self.module = module

    def propagate(self, *inputs):
        for node in self.module.graph.nodes:
            node.meta["type"] = torch.Tensor
            node.meta["tensor_meta"] = True


def split_for_backend(module):
    with contextlib.redirect_stdout(sys.stderr):
        split = splitter_base._SplitterBase(
            module, [X], AllBut(), splitter_base._SplitterSettingBase())()
    assert hasattr(split, "_run_on_acc_0"), "nothing runs on the backend"


def prepare(name, module, family):
    number(module)
    if name == "split_for_backend":
        replace_each_thousandth(module, family)


def replace_targets(module):
    replace_target_nodes_with(module, "call_function", operator.add, "call_function", operator.mul)


X = torch.zeros(64, 64)
PASSES = {
    "eliminate_dead_code": lambda m: m.graph.eliminate_dead_code(),
    "eliminate_common_subexpressions": lambda m: CSEPass()(m),
    "topological_sort": stable_topological_sort,
    "split_for_backend": split_for_backend,
    "split_module": lambda m: split_module(m, None, lambda n: n.meta["partition"]),
    "partition": lambda m: CapabilityBasedPartitioner(m, Supported()).propose_partitions(),
    "replace_targets": replace_targets,
    "normalize_args": lambda m: NormalizeArgs(m).transform(),
    "normalize_operators": lambda m: NormalizeOperators(m).transform(),
    "propagate_types": lambda m: FakeTensorProp(m).propagate(X),
}


def main():
    splitter_base.ShapeProp = Tensors
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    for family in ("chain", "transformer"):
        for name, run in PASSES.items():
            if name == "partition" and nodes > 2000:
                count = 2000  # the partitioner is quadratic
            else:
                count = nodes
            times = []
            for _ in range(3):
                graph = bench_fx.build(family, count)
                module = fx.GraphModule(Root(graph), graph)
                prepare(name, module, family)
                gc.collect()
                start = time.process_time_ns()
                try:
                    run(module)
                except Exception as error:  # torch.fx's pass does not accept this graph
                    print(f"{name} {family}: {error}", file=sys.stderr)
                    break
                times.append(time.process_time_ns() - start)
            if times:
                ns = min(times) / bench_fx.family_size(family, count)
                row = {"pass": name, "graph": family, "nodes": count, "ns": ns}
                print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
