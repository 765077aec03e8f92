#!/usr/bin/env python3
"""Measures derivatives and partitions of training graphs, natively and with AOTAutograd, in one table.

    bench/autodiff_report.py --bin BUILD_DIR [--json FILE] [--repetitions N] [FILE...]

Without files: the forward pass of GPT-2 XL (48 layers, width 1,600, 1,024 tokens), captured without
running it, and transformers of 1e3 to 1e6 nodes, to show how the time grows. With files: your own
forward graphs. Nanoseconds of CPU time per node of the joint graph, the minimum of all
iterations and runs. docs/benchmarks.md describes the rows.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GPT2_XL = {"layers": 48, "width": 1600, "heads": 25, "length": 1024, "vocabulary": 50257}
ROWS = ["joint", "readable", "default", "min_cut", "half"]


def native(command: list) -> list[dict]:
    done = subprocess.run([*command, "--benchmark_format=json"], check=True, capture_output=True,
                          text=True)
    rows = []
    for row in json.loads(done.stdout)["benchmarks"]:
        what, graph = row["name"].split("/")[:2]
        rows.append({"subject": "fxcpp", "row": what, "graph": graph, "nodes": int(row["nodes"]),
                     "ns_per_node": row["ns_per_node"]})
    return rows


def peers(fxcpp: pathlib.Path, files: list[str], folder: str) -> list[dict]:
    names = {}
    for file in files:
        copy = f"{folder}/{pathlib.Path(file).stem}.peer.json"
        subprocess.run([fxcpp, "convert", file, "-o", copy], check=True)
        names[copy] = pathlib.Path(file).stem
    done = subprocess.run([sys.executable, HERE / "autodiff_peers.py", *names], check=False,
                          capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [{"subject": "AOTAutograd", "row": row["subject"], "graph": names[row["file"]],
             "nodes": row["nodes"], "ns_per_node": row["ns_per_node"]} for row in rows]


def minimum(rows: list[dict]) -> dict:
    table = {}
    for row in rows:
        key = row["row"], row["graph"], row["subject"]
        if key not in table or row["ns_per_node"] < table[key]["ns_per_node"]:
            table[key] = row
    return table


def print_table(table: dict) -> None:
    graphs = list(dict.fromkeys(graph for _, graph, _ in table))
    print("| graph | row | nodes | fxcpp | AOTAutograd's nodes | AOTAutograd | time ratio |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for graph in graphs:
        for row in ROWS:
            ours = table.get((row, graph, "fxcpp"))
            if ours is None:
                continue
            peer = table.get(("joint" if row == "readable" else row, graph, "AOTAutograd"))
            cells = ["", "", ""]
            if peer is not None:
                ratio = peer["ns_per_node"] * peer["nodes"] / (ours["ns_per_node"] * ours["nodes"])
                cells = [f"{peer['nodes']:,}", f"{peer['ns_per_node']:,.0f}", f"{ratio:,.0f}"]
            print(f"| {graph} | {row} | {ours['nodes']:,} | {ours['ns_per_node']:,.0f} | "
                  + " | ".join(cells) + " |")


def print_growth(table: dict) -> None:
    """Prints the exponent e of t = c * n^e over the transformers, for each row."""
    for what in ROWS:
        points = [(math.log(row["nodes"]), math.log(row["ns_per_node"] * row["nodes"]))
                  for (name, graph, _), row in table.items() if name == what and graph.isdigit()]
        if len(points) < 2:
            continue
        n = len(points)
        mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
        slope = sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)
        print(f"{what}: exponent {slope:.2f} over {n} sizes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="the build folder")
    parser.add_argument("--json", help="also write the measurements to this file")
    parser.add_argument("--repetitions", type=int, default=2)
    parser.add_argument("files", nargs="*")
    options = parser.parse_intermixed_args()  # files may follow an option
    programs = options.bin / "bin"
    fxcpp, program = programs / "fxcpp", programs / "bench_autodiff"
    with tempfile.TemporaryDirectory() as folder:
        files = options.files
        if not files:
            settings = [word for name, value in GPT2_XL.items() for word in ("--set", f"{name}={value}")]
            files = [f"{folder}/gpt2_xl.fx"]
            subprocess.run([fxcpp, "capture", "gpt", "--mode", "fake", *settings, "-o", files[0]],
                           check=True)
        rows = []
        for _ in range(options.repetitions):
            rows += native([program, *files])
            if not options.files:
                rows += native([program])
        rows += peers(fxcpp, files, folder)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    table = minimum(rows)
    print_table(table)
    print_growth(table)


if __name__ == "__main__":
    main()
