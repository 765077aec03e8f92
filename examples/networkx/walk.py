#!/usr/bin/env python3
"""Visits, saves and draws a training graph in networkx.

    fxcpp emit joint.json --to networkx -o g.networkx.json
    walk.py g.networkx.json [--pickle g.pickle] [--plot g.png]

Walks the edges breadth first, from the primals (parameters, buffers, inputs) and then from the
tangents (the gradients that the backward pass starts from), and prints the shape of every tensor
that it visits. --plot needs matplotlib and shows the sizes of the tensors along both walks.
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
from pathlib import Path

import networkx as nx


def load(path: Path) -> nx.MultiDiGraph:
    """Edge keys are (source, target, index); index distinguishes edges between the same two nodes."""
    return nx.node_link_graph(json.loads(path.read_text()), edges="edges")


def walk(graph: nx.MultiDiGraph, what: str) -> list[tuple[str, list[int]]]:
    """Returns the visited tensors, each once, with their shapes."""
    visited: dict[str, list[int]] = {}
    for source, target, index in nx.edge_bfs(graph, graph.graph[what]):
        shape = graph.edges[source, target, index]["shape"]
        # A node with multiple results has no shape. The edge to the operator.getitem of a result has
        # the shape.
        if shape is not None and not any(isinstance(part, list) or part is None for part in shape):
            visited.setdefault(source, shape)
    return list(visited.items())


def plot(graph: nx.MultiDiGraph, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(10, 4))
    for what, style in (("primals", "o-"), ("tangents", "s--")):
        sizes = [math.prod(n for n in shape if isinstance(n, int)) for _, shape in walk(graph, what)]
        axes.plot(sizes, style, markersize=3, linewidth=0.8, label=f"from the {what}")
    axes.set(yscale="log", xlabel="tensors in the order in which they are visited", ylabel="elements")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", type=Path)
    parser.add_argument("--pickle", type=Path)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()

    graph = load(options.graph)
    print(f"{graph.graph['name']}: {len(graph)} nodes, {graph.number_of_edges()} edges")
    for what in ("primals", "tangents"):
        print(f"from the {what}:")
        for name, shape in walk(graph, what):
            print(f"  {name}: {shape}")
    if options.pickle:
        options.pickle.write_bytes(pickle.dumps(graph))
    if options.plot:
        plot(graph, options.plot)


if __name__ == "__main__":
    main()
