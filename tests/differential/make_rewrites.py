#!/usr/bin/env python3
"""Creates random graphs, with the results of torch.fx's SubgraphMatcher and replace_pattern.

    make_rewrites.py OUT.jsonl [--count N] [--seed S]

The first line contains the pattern/replacement pairs (rewrite_pairs.py). Each following line
contains a graph and, for each pair that torch.fx matches or fails on, the matches with and without
overlaps, and the listing after replacement. README.md in this folder lists the keys.
Prints statistics about coverage. Exit status 77: torch is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
import types
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "scripts")]

try:
    import torch
    import torch.fx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import fx_export
from rewrite_pairs import ROOT, Pair, random_graph, random_pairs, written_pairs
from torch.fx.passes.utils.matcher_utils import SubgraphMatcher
from torch.fx.subgraph_rewriter import replace_pattern_with_filters


def document(graph: torch.fx.Graph) -> str:
    module = torch.fx.GraphModule(ROOT, graph)
    graph.owning_module = ROOT
    return fx_export.dumps(fx_export.export(module))


def mapping(match: Any) -> dict[str, Any]:
    return {
        p.name: g.name if isinstance(g, torch.fx.Node) else None
        for p, g in match.nodes_map.items()
    }


def is_valid(graph: torch.fx.Graph) -> bool:
    """Returns whether every operand is in the graph and comes before its user."""
    seen: set[torch.fx.Node] = set()
    for node in graph.nodes:
        if any(operand not in seen for operand in node.all_input_nodes):
            return False
        seen.add(node)
    return True


def run(graph: torch.fx.Graph) -> Any:
    torch.manual_seed(3)
    inputs = [torch.randn(4, 4) for _ in graph.find_nodes(op="placeholder")]
    with torch.no_grad():
        return torch.fx.Interpreter(ROOT, graph=graph).run(*inputs)


def same_values(a: Any, b: Any) -> bool:
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same_values(x, y) for x, y in zip(a, b))
    return torch.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)


class Oracle:
    def __init__(self, pairs: list[Pair]) -> None:
        self.pairs = pairs
        self.matchers: list[tuple[SubgraphMatcher, SubgraphMatcher] | None] = []
        for pair in pairs:
            self.matchers.append(
                tuple(
                    SubgraphMatcher(
                        pair.pattern,
                        remove_overlapping_matches=remove,
                        ignore_literals=pair.ignore_literals,
                    )
                    for remove in (True, False)
                )  # type: ignore[arg-type]
            )
        self.count: Counter[str] = Counter()

    def graph(self, seed: int) -> dict[str, Any]:
        graph = random_graph(seed)
        line: dict[str, Any] = {"seed": seed, "graph": document(graph), "results": []}
        for index in range(len(self.pairs)):
            result = self.pair(seed, graph, index)
            if result:
                line["results"].append({"pair": index} | result)
        found = sum(1 for r in line["results"] if r.get("matches"))
        self.count["graphs"] += 1
        self.count["graphs with a match"] += found > 0
        self.count["combinations of a pair and a graph"] += len(self.pairs)
        self.count["combinations with a match"] += found
        return line

    def pair(self, seed: int, graph: torch.fx.Graph, index: int) -> dict[str, Any] | None:
        pair, matchers = self.pairs[index], self.matchers[index]
        assert matchers is not None
        try:
            matches = [mapping(m) for m in matchers[0].match(graph)]
            every = [mapping(m) for m in matchers[1].match(graph)]
        except Exception as error:
            self.count[f"matcher raises {type(error).__name__}"] += 1
            return {"match_error": type(error).__name__}
        if not every:
            return None
        result: dict[str, Any] = {"matches": matches, "all": every}
        self.count["matches"] += len(matches)
        if not matches:
            return result
        copy = random_graph(seed)
        assert [n.name for n in copy.nodes] == [n.name for n in graph.nodes]
        holder = types.SimpleNamespace(graph=copy, recompile=lambda: None)
        try:
            done = replace_pattern_with_filters(
                holder, pair.pattern, pair.replacement, ignore_literals=pair.ignore_literals
            )
        except Exception as error:
            self.count[f"replace_pattern raises {type(error).__name__}"] += 1
            return result | {"replace_error": type(error).__name__}
        if not is_valid(copy):
            self.count["replace_pattern leaves an invalid graph"] += 1
            return result | {"broken": True}
        if pair.same:
            self.count[self.compare_values(graph, copy)] += 1
        self.count["replaced"] += 1
        result["listing"] = str(copy)
        result["inserted"] = [[n.name for n in m.replacements] for m in done]
        return result

    def compare_values(self, graph: torch.fx.Graph, copy: torch.fx.Graph) -> str:
        want = run(graph)
        try:
            got = run(copy)
        except TypeError:  # the pattern matched a constant, but addcmul, for example, requires a tensor
            return "the replacement does not accept the constant"
        return "equal values before and after" if same_values(want, got) else "values differ"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--count", type=int, default=40, help="number of graphs")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first graph")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    pairs = written_pairs() + random_pairs(60)
    oracle = Oracle(pairs)
    with open(options.out, "w", encoding="ascii") as out:
        head = [
            {
                "name": p.name,
                "pattern": document(p.pattern),
                "replacement": document(p.replacement),
                "same": p.same,
                "ignore_literals": p.ignore_literals,
            }
            for p in pairs
        ]
        out.write(json.dumps({"pairs": head}) + "\n")
        for seed in range(options.seed, options.seed + options.count):
            out.write(json.dumps(oracle.graph(seed)) + "\n")
    print(f"{len(pairs)} pairs")
    for name, number in oracle.count.items():
        print(f"{name}: {number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
