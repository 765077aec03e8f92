#!/usr/bin/env python3
"""Creates torch.fx graphs, with the strings that torch.fx prints for them.

    make_graphs.py OUT [--count N] [--seed S] [--only TEXT]

Writes one interchange document for each graph (docs/json.md) and `expected.jsonl` to the folder
OUT. README.md in this folder describes them. Exit status 77: torch or tabulate is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "scripts")]

try:
    import tabulate
    import torch
    import torch.fx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import aten_zoo
import fx_export
import random_programs
import traced_zoo

GraphLike = Union[torch.fx.GraphModule, torch.fx.Graph]
HEADERS = ["opcode", "name", "target", "args", "kwargs"]
COUNT = int(os.environ.get("FX_GRAPHS", "300"))


def listing(graph: torch.fx.Graph) -> str:
    return fx_export.printable(fx_export.mask_addresses(str(graph)))


def tabular(graph: torch.fx.Graph) -> str:
    """Returns the output of print_tabular. Masks addresses first, since they affect the column
    widths."""
    rows = [[n.op, n.name, n.target, n.args, n.kwargs] for n in graph.nodes]
    cells = [[fx_export.mask_addresses(str(cell)) for cell in row] for row in rows]
    return tabulate.tabulate(cells, headers=HEADERS)


def names_are_derived(graph: torch.fx.Graph) -> bool:
    """Returns whether the nodes get the same names when they are created without names."""
    again = torch.fx.Graph()
    for node in graph.nodes:
        if again.create_node(node.op, node.target).name != node.name:
            return False
    return True


def trace(root: Any, concrete_args: dict[str, Any] | None) -> GraphLike:
    """Returns a GraphModule, or only the Graph if Python cannot compile its code."""
    tracer = torch.fx.Tracer()
    graph = tracer.trace(root, concrete_args)
    try:
        name = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
        return torch.fx.GraphModule(tracer.root, graph, name)
    except SyntaxError:  # torch.fx writes invalid code for enums in keyword arguments
        return graph


def graphs(count: int, seed: int) -> Iterator[tuple[str, GraphLike]]:
    """Yields all graphs of the zoos, then random graphs, `count` in total."""
    written = 0
    for name, root, concrete_args in traced_zoo.cases():
        yield name, trace(root, concrete_args)
        written += 1
    for name, graph in traced_zoo.built():
        yield f"built_{name}", graph
        written += 1
    for name, gm in aten_zoo.cases():
        yield f"aten_{name}", gm
        written += 1
    for i in range(max(count - written, 0)):
        yield f"random_{seed + i}", random_programs.graph_module(seed + i)


def graph_of(gm: GraphLike) -> torch.fx.Graph:
    return gm.graph if isinstance(gm, torch.fx.GraphModule) else gm


def make(out: Path, count: int, seed: int, only: str) -> int:
    """Writes the files. Returns the number of graphs."""
    out.mkdir(parents=True, exist_ok=True)
    written = 0
    with (out / "expected.jsonl").open("w", encoding="ascii") as expected:
        for index, (name, gm) in enumerate(graphs(count, seed)):
            if only not in name:
                continue
            graph = graph_of(gm)
            file = f"{index:04}_{name}.json"
            (out / file).write_text(fx_export.dumps(fx_export.export(gm)), encoding="ascii")
            record = {
                "file": file,
                "name": name,
                "nodes": len(graph.nodes),
                "derived_names": names_are_derived(graph),
                "listing": listing(graph),
                "tabular": tabular(graph),
            }
            expected.write(json.dumps(record) + "\n")
            written += 1
    return written


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("out", type=Path, help="folder for the files")
    parser.add_argument("--count", type=int, default=COUNT, help=f"total number of graphs (default {COUNT})")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first random graph")
    parser.add_argument("--only", default="", help="only graphs whose name contains this text")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    start = time.monotonic()
    written = make(options.out, options.count, options.seed, options.only)
    print(f"{written} graphs in {time.monotonic() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
