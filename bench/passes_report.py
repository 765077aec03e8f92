"""Reports each pass at 10,000 and 1,000,000 nodes, and torch.fx's counterpart at 10,000: CPU time
in ns per node. `scripts/bench passes` builds the programs that this script runs, then calls it.

    passes_report.py --bin BUILD [--json FILE] [--nodes N,N]
"""

import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def ours(binary, nodes):
    done = subprocess.run([binary, f"--nodes={nodes}", "--benchmark_format=json"],
                          stdout=subprocess.PIPE, text=True, check=True)
    rows = {}
    for row in json.loads(done.stdout)["benchmarks"]:
        if row.get("aggregate_name", "median") != "median" and not row.get("error_occurred"):
            continue
        name, graph, count = row["run_name"].split("/")[:3]
        key = (name, graph, int(count))
        rows[key] = None if row.get("error_occurred") else row["real_time"] / row["units"]
    return rows


def theirs():
    script = os.path.join(HERE, "peers", "passes_fx.py")
    done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {(row["pass"], row["graph"]): row for row in rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--json")
    parser.add_argument("--nodes", default="10000,1000000")
    options = parser.parse_args()
    mine = ours(os.path.join(options.bin, "bin", "bench_passes"), options.nodes)
    fx = theirs()
    sizes = sorted({key[2] for key in mine})
    print(f"{'pass':34}{'graph':13}" + "".join(f"{n:>12,}" for n in sizes)
          + f"{'torch.fx':>12}{'ratio':>9}")
    kept = []
    for name, graph in dict.fromkeys(key[:2] for key in mine):
        line = f"{name:34}{graph:13}"
        for n in sizes:
            ns = mine.get((name, graph, n))
            line += f"{'-' if ns is None else f'{ns:.1f}':>12}"
            if ns is not None:
                kept.append({"bench": name, "graph": graph, "nodes": n, "subject": "fxcpp",
                             "ns_per_unit": ns, "unit": "node"})
        peer, base = fx.get((name, graph)), mine.get((name, graph, sizes[0]))
        if peer:
            kept.append({"bench": name, "graph": graph, "nodes": peer["nodes"],
                         "subject": "torch.fx", "ns_per_unit": peer["ns"], "unit": "node"})
            ratio = f"{peer['ns'] / base:.0f}" if base else "-"
            line += f"{peer['ns']:>12.0f}{ratio:>9}"
        print(line)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(kept, file, indent=1)


if __name__ == "__main__":
    main()
