"""torch.fx as a subject: the graphs and operations of bench/harness.h in Python, printed as
google-benchmark's JSON. Times are CPU times of the process.

    python bench_fx.py [--nodes=1000,100000] [--repetitions=3]
"""

import copy
import gc
import json
import operator
import random
import sys
import time

import torch
from torch import fx

ADD, MUL, RELU, FUSED = operator.add, operator.mul, torch.relu, torch.addcmul


def build(family, nodes, returned=True):
    graph = fx.Graph()
    call = graph.call_function
    x = graph.placeholder("x")
    result = x
    if family == "chain":
        before = x
        for _ in range(nodes):
            before, result = result, call(ADD, (result, before))
    elif family == "wide":
        w = call(RELU, (x,))
        for _ in range(nodes - 1):
            result = call(RELU, (w,))
    elif family == "dup":
        left = right = x
        for _ in range(nodes // 2):
            left = call(ADD, (left, x))
            right = call(ADD, (right, x))
        result = call(ADD, (left, right))
    elif family == "transformer":
        functional = torch.nn.functional
        for i in range(nodes // 12):
            weight = graph.get_attr(f"layers.{i}.weight")
            bias = graph.get_attr(f"layers.{i}.bias")
            norm = call(torch.layer_norm, (result, [64], weight, bias, 1e-5, False))
            linear = call(functional.linear, (norm, weight, bias))
            key = call(torch.matmul, (linear, weight))
            turned = call(torch.transpose, (key, -2, -1))
            scores = call(torch.matmul, (linear, turned))
            soft = call(torch.softmax, (scores, -1, torch.float32))
            mixed = call(torch.matmul, (soft, linear))
            viewed = call(torch.reshape, (mixed, [64, 64]))
            dropped = call(torch.dropout, (viewed, 0.1, False))
            result = call(torch.add, (dropped, result), {"alpha": 1})
    else:
        c, y = graph.placeholder("c"), graph.placeholder("y")
        for _ in range(nodes // (3 if family == "sep" else 2)):
            result = call(ADD, (call(MUL, (result, c)), y))
            if family == "sep":
                result = call(RELU, (result,))
    graph.output(result if returned else x)
    return graph


def size(graph):
    return sum(node.op not in ("placeholder", "output") for node in graph.nodes)


def family_size(family, nodes):
    return {
        "transformer": nodes // 12 * 12,
        "dup": nodes // 2 * 2 + 1,
        "sep": nodes // 3 * 3,
        "back2back": nodes // 2 * 2,
    }.get(family, nodes)


def iterate(graph, n):
    return sum(len(node.all_input_nodes) for node in graph.nodes) > 0


def replace_each(graph, n):
    for node in graph.nodes:
        if node.op == "call_function":
            node.replace_all_uses_with(node.args[0])
    return not any(node.users for node in graph.nodes if node.op == "call_function")


def replace_wide(graph, n):
    node = next(iter(graph.find_nodes(op="call_function", target=RELU)))
    node.replace_all_uses_with(node.args[0])
    return not node.users


def erase_all(graph, n):
    for node in reversed(graph.nodes):
        if node.op not in ("placeholder", "output"):
            graph.erase_node(node)
    return size(graph) == 0


def dce(graph, n):
    graph.eliminate_dead_code()
    return True


def cse(graph, n):
    from torch.fx.passes.dialect.common.cse_pass import CSEPass

    CSEPass()(fx.GraphModule(torch.nn.Module(), graph))
    return True


def rewrite_loop(graph, n):
    for node in graph.nodes:
        if node.target is not ADD or getattr(node.args[0], "target", None) is not MUL:
            continue
        product = node.args[0]
        if len(product.users) != 1:
            continue
        with graph.inserting_before(node):
            fused = graph.call_function(FUSED, (node.args[1], *product.args))
        node.replace_all_uses_with(fused)
        graph.erase_node(node)
        graph.erase_node(product)
    return all(node.target is not MUL for node in graph.nodes)


def fuse_pattern(a, b, c):
    return a * b + c


def fuse_replacement(a, b, c):
    return torch.addcmul(c, a, b)


def rewrite(graph, n):
    gm = fx.GraphModule(torch.nn.Module(), fx.Graph())
    gm._graph = graph  # the setter of `graph` and recompile generate code for the whole graph
    gm.recompile = lambda: None
    fx.replace_pattern(gm, fuse_pattern, fuse_replacement)
    return all(node.target is not MUL for node in graph.nodes)


def inserts(n):
    return max(1000, n // 10)


def insert_random(graph, n, order=False):
    nodes = [node for node in graph.nodes if node.op == "call_function"]
    rng, x, right = random.Random(1), next(iter(graph.nodes)), True
    for _ in range(inserts(n)):
        with graph.inserting_before(nodes[rng.randrange(n)]):
            graph.call_function(RELU, (x,))
        if order:
            a, b = rng.randrange(n), rng.randrange(n)
            right &= (nodes[a] < nodes[b]) == (a < b)
    return right


def destroy(holder, n):
    holder.clear()
    gc.collect()
    return True


BIG, TWO = ("chain", "wide", "transformer"), ("chain", "transformer")
OPERATIONS = [  # name, families, action, whether all nodes are dead
    ("build", BIG, None, False),
    ("iterate", BIG, iterate, False),
    ("rauw_each", ("chain",), replace_each, False),
    ("rauw_wide", ("wide",), replace_wide, False),
    ("erase_all", TWO, erase_all, True),
    ("dce_all_dead", BIG, dce, True),
    ("dce_none_dead", TWO, dce, False),
    ("cse", ("chain", "wide", "dup"), cse, False),
    ("clone", TWO, lambda g, n: size(copy.deepcopy(g)) > 0, False),
    ("verify", TWO, lambda g, n: g.lint() is None, False),
    ("print", TWO, lambda g, n: len(str(g)) > n, False),
    ("rewrite_loop", ("sep", "back2back"), rewrite_loop, False),
    ("rewrite", ("sep", "back2back"), rewrite, False),
    ("insert_random", ("chain",), insert_random, False),
    ("insert_and_order", ("chain",), lambda g, n: insert_random(g, n, True), False),
    ("destroy", BIG, destroy, False),
]


def units(name, family, n):
    if "insert" in name:
        return inserts(n)
    if name.startswith("rewrite"):
        return n // (3 if family == "sep" else 2)
    return family_size(family, n)


def main(argv):
    sizes, repetitions = [1000, 100000], 3
    for argument in argv:
        if argument.startswith("--nodes="):
            sizes = [int(float(n)) for n in argument[8:].split(",")]
        elif argument.startswith("--repetitions="):
            repetitions = int(argument[14:])
    rows = []
    gc.disable()
    for n in sizes:
        if n > 100000:
            continue  # a graph of a million nodes takes ten seconds and a gigabyte
        for name, families, action, dead in OPERATIONS:
            if name == "rewrite" and n > 30000:
                continue  # quadratic: it would take minutes
            for family in families:
                for repetition in range(repetitions):
                    gc.collect()
                    graph = None if name == "build" else build(family, n, not dead)
                    subject = [graph] if name == "destroy" else graph
                    graph = None
                    start = time.process_time_ns()
                    good = build(family, n) if action is None else action(subject, n)
                    elapsed = time.process_time_ns() - start
                    subject = None
                    row = {
                        "name": f"{name}/{family}/{n}",
                        "run_type": "iteration",
                        "repetition_index": repetition,
                        "real_time": elapsed,
                        "time_unit": "ns",
                        "units": units(name, family, n),
                    }
                    if not good:
                        row |= {"error_occurred": True, "error_message": "wrong result"}
                    del good
                    rows.append(row)
    json.dump({"context": {"torch": torch.__version__}, "benchmarks": rows}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
