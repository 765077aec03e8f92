#!/usr/bin/env python3
"""Compares Interpreter, concrete shapes and Transformer with those of torch.fx on random graphs.

For each graph: nodes run in the same order with bit-equal results; the same values are
freed after the same node (fxcpp frees values without users, which torch.fx keeps, after their
node); `shape --concrete` agrees with the types of the tensors that torch.fx's Interpreter computed;
a graph that fails does so at the node that torch.fx names; Transformers produce the same listing.
"""

import json
import math
import operator
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FXCPP = os.environ.get("FXCPP")
TRANSFORM = os.environ.get("FX_TRANSFORM_GRAPH")
GRAPHS = int(os.environ.get("FX_GRAPHS", "10"))

try:
    import torch
    import torch.fx
    import torch.nn.functional as F
except ImportError:
    print("torch is not installed")
    sys.exit(77)
if not FXCPP:
    print("FXCPP must be the path of the command")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "scripts"))
import fx_export

UNARY = [torch.relu, torch.sigmoid, torch.tanh, torch.sin, operator.neg]
BINARY = [torch.add, torch.mul, torch.sub, operator.add, operator.mul, operator.sub]


def python_form(graph: torch.fx.Graph, rng: random.Random, a, b) -> torch.fx.Node:
    """Adds functions whose arguments differ in names or order from those of their operators."""
    row = graph.call_function(operator.getitem, (b, 0))
    square = graph.call_function(torch.mul, (row, row))
    function, args, kwargs = rng.choice([
        (F.relu, (a,), {"inplace": False}), (F.leaky_relu, (a, 0.2), {"inplace": False}),
        (F.elu, (), {"input": a, "alpha": 0.5, "inplace": False}),
        (F.softmax, (a,), {"dim": 1, "_stacklevel": 3, "dtype": torch.float32}),
        (F.batch_norm, (a, row, square), {"weight": row, "training": False, "eps": 1e-2}),
        (F.mse_loss, (a, b), {"reduction": "none"}), (F.dropout, (a,), {"training": False}),
        (F.max_pool1d, (a, 3), {"stride": 1, "padding": 1}),
    ])
    return graph.call_function(function, args, kwargs)


def random_graph(rng: random.Random) -> torch.fx.GraphModule:
    """Returns a random graph. The values from which operands are chosen are f32[4, 4], so any call
    accepts any of them."""
    graph = torch.fx.Graph()
    values = [graph.placeholder(f"x{i}") for i in range(rng.randint(1, 3))]
    for _ in range(rng.randint(5, 25)):
        a, b = rng.choice(values), rng.choice(values)
        kind = rng.randrange(13)
        if kind < 2:
            new = graph.call_function(rng.choice(UNARY), (a,))
        elif kind < 4:
            new = graph.call_function(rng.choice(BINARY), (a, b))
        elif kind == 4:
            new = graph.call_function(torch.add, (a, b), {"alpha": rng.randint(1, 3)})
        elif kind == 5:
            new = graph.call_function(rng.choice(BINARY), (a, rng.choice([2, 0.5, -1])))
        elif kind == 6:
            whole = graph.call_function(torch.cat, ([a, b],), {"dim": rng.randint(0, 1)})
            parts = graph.call_function(torch.chunk, (whole, 2, rng.randint(0, 0)))
            shape = graph.call_method("reshape", (whole, -1, 4))
            graph.call_method("sum", (shape,), {"dim": 0})  # has no users
            new = graph.call_method("t", (graph.call_method("narrow", (shape, 0, 2, 4)),))
            del parts
        elif kind == 7:
            top = graph.call_function(torch.topk, (a, 4), {"dim": rng.randint(0, 1)})
            graph.call_function(operator.getitem, (top, 1))
            new = graph.call_function(operator.getitem, (top, 0))
        elif kind == 8:
            new = python_form(graph, rng, a, b)
        elif kind == 9:
            new = graph.call_function(torch.roll, (a, rng.randint(1, 3), rng.randint(0, 1)))
        elif kind == 10:  # sizes computed with Python arithmetic
            sizes = graph.call_function(getattr, (a, "shape"))
            some = graph.call_function(operator.getitem, (sizes, slice(None, -1)))
            target_shape = graph.call_function(operator.add, (some, (2, 2)))
            new = graph.call_method("reshape", (a, target_shape))
            new = graph.call_method("reshape", (new, sizes))
        elif kind == 11:
            new = graph.call_method(rng.choice(["neg", "exp", "contiguous", "t"]), (a,))
        else:
            new = graph.call_function(torch.matmul, (a, b))
        values.append(new)
    graph.output(rng.choice([values[-1], (values[-1], [values[0], None]), {"a": values[-2]}]))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


def write_safetensors(path: pathlib.Path, tensors: dict[str, torch.Tensor]) -> None:
    header, data = {}, b""
    for name, tensor in tensors.items():
        raw = tensor.contiguous().numpy().tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensor.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


class Tracing(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.log = []

    def run_node(self, n):
        value = super().run_node(n)
        if n.op != "output":
            n.meta["val"] = value  # exported as the node's type
        frees = sorted(set(m.name for m in self.user_to_last_uses.get(n, [])))
        entry = {"node": n.name, "opcode": n.op, "frees": frees}
        if isinstance(value, torch.Tensor):
            total = value.to(torch.float64).sum().item()
            entry["sum"] = total if math.isfinite(total) else None  # as in JSON
        self.log.append(entry)
        return value


def fxcpp(*args: str) -> subprocess.CompletedProcess:
    return subprocess.run([FXCPP, *args], capture_output=True, text=True, check=False)


def check(seed: int, folder: pathlib.Path) -> list[str]:
    rng = random.Random(seed)
    gm = random_graph(rng)
    torch.manual_seed(seed)
    names = [n.name for n in gm.graph.nodes if n.op == "placeholder"]
    inputs = {name: torch.randn(4, 4) for name in names}
    problems = []
    tracing = Tracing(gm)
    tracing.run(*inputs.values())
    graph_file, data_file = folder / "g.json", folder / "in.safetensors"
    fx_export.dump(gm, str(graph_file))
    write_safetensors(data_file, inputs)
    done = fxcpp("run", str(graph_file), "--inputs", str(data_file), "--trace", "--json")
    if done.returncode != 0:
        return [f"run: {done.stderr}"]
    got = [json.loads(line) for line in done.stdout.splitlines()]
    unread = {n.name for n in gm.graph.nodes if not n.users and n.op != "output"}
    expected = []
    for entry in tracing.log:
        freed_unused = [entry["node"]] if entry["node"] in unread else []
        expected.append({**entry, "frees": sorted(entry["frees"] + freed_unused)})
    for entry in got:
        entry["frees"].sort()
    keys = ("node", "opcode", "frees", "sum")
    trimmed = [{key: entry[key] for key in keys if key in entry} for entry in got]
    for ours, theirs in zip(trimmed, expected, strict=True):
        if ours != theirs:
            problems.append(f"ours {ours}, torch.fx's {theirs}")

    args = ("--concrete", "--inputs", str(data_file), "--compare", "--json")
    done = fxcpp("shape", str(graph_file), *args)
    report = json.loads(done.stdout) if done.stdout else {}
    if done.returncode != 0 or report["different"] or report["compared"] < 5:
        problems.append(f"shape: {done.stdout} {done.stderr}")

    problems += check_failure(gm, inputs, rng, folder, data_file)
    if TRANSFORM:
        problems += check_transformer(gm, graph_file)
    return [f"graph {seed}: {p}" for p in problems]


def check_failure(gm, inputs, rng, folder, data_file) -> list[str]:
    """Checks that both errors name a node whose operands are invalid."""
    calls = [n for n in gm.graph.nodes if n.op == "call_function" and n.args and n.users]
    victim = rng.choice(calls)
    with gm.graph.inserting_before(victim):
        x = next(iter(gm.graph.nodes))
        bad = gm.graph.call_method("reshape", (x, 2, 8))
        bad = gm.graph.call_function(torch.matmul, (bad, bad))
    victim.replace_all_uses_with(bad)
    gm.recompile()
    for n in gm.graph.nodes:
        n.meta.pop("val", None)
    try:
        torch.fx.Interpreter(gm).run(*inputs.values())
        return ["the graph should fail"]
    except RuntimeError as error:
        theirs = re.search(r"While executing %(\w+)", str(error)).group(1)
    path = folder / "bad.json"
    fx_export.dump(gm, str(path))
    done = fxcpp("run", str(path), "--inputs", str(data_file), "--trace")
    ours = re.search(r"node (\w+) \(", done.stderr)
    if done.returncode != 1 or not ours or ours.group(1) != theirs:
        return [f"torch.fx fails at {theirs}: {done.stderr}"]
    if f"{theirs} = torch.matmul(reshape" not in done.stderr or ": f32[2, 8]" not in done.stderr:
        return [f"the message does not show the operands: {done.stderr}"]
    return []


class Swap(torch.fx.Transformer):
    """The counterpart of the Transformer in tests/torch/transform_graph_main.cpp."""

    def call_function(self, target, args, kwargs):
        if target is torch.sigmoid:
            return super().call_function(torch.neg, args, kwargs)
        if target is torch.relu:
            return torch.add(args[0], args[0])
        if target is torch.tanh:
            return args[0]
        return super().call_function(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        if target == "exp":
            return 2
        return super().call_method(target, args, kwargs)


def check_transformer(gm, graph_file) -> list[str]:
    fx_export.dump(gm, str(graph_file))  # the graph with the failing node; this check does not run it
    problems = []
    for mode, transformer in (("copy", torch.fx.Transformer), ("swap", Swap)):
        try:
            theirs = str(transformer(gm).transform().graph)
        except AttributeError:  # Swap returns the integer 2, which has no such method
            continue
        done = subprocess.run(
            [TRANSFORM, str(graph_file), mode], capture_output=True, text=True, check=False
        )
        if done.returncode != 0 or done.stdout.strip() != theirs.strip():
            problems.append(f"Transformer ({mode}):\n{done.stdout}{done.stderr}vs.\n{theirs}")
    return problems


def main() -> int:
    torch.set_num_threads(1)
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(GRAPHS):
            problems += check(seed, pathlib.Path(folder))
            if len(problems) > 5:
                break
    for problem in problems:
        print(problem)
    transformers = "with" if TRANSFORM else "without"
    print(f"{GRAPHS} graphs, {len(problems)} problems, {transformers} Transformers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
