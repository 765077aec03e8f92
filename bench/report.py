"""Runs the subjects of bench/harness.h, each in a separate process, and prints one table.

Called by scripts/bench, which builds them and lists the options.
"""

import argparse
import json
import math
import os
import re
import resource
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SUBJECTS = ["fxcpp", "mlir", "llvm", "jit", "torch.fx"]
PEERS = SUBJECTS[1:]


def find_binary(folder, subject):
    name = "bench_" + {"fxcpp": "ir"}.get(subject, subject)
    for path in (os.path.join(folder, "bin", name), os.path.join(folder, "bench", name)):
        if os.path.exists(path):
            return path
    return None


def run_subject(subject, options, nodes):
    """The rows of one subject: {(op, graph, nodes): (ns per unit, spread, bytes per node)}."""
    if subject == "torch.fx":
        command = [sys.executable, os.path.join(HERE, "peers", "bench_fx.py")]
        command += [f"--nodes={nodes}", f"--repetitions={min(3, options.repetitions)}"]
    else:
        binary = find_binary(options.bin, subject)
        if not binary:
            print(f"{subject}: not built, skipped", file=sys.stderr)
            return {}
        command = [binary, f"--nodes={nodes}", f"--repetitions={options.repetitions}"]
        command += ["--benchmark_format=json"]
        if options.filter:
            command.append(f"--benchmark_filter={options.filter}")
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment)
    if done.returncode != 0:
        print(f"{subject}: failed\n{done.stderr[-2000:]}", file=sys.stderr)
        return {}
    if not done.stdout.strip():  # google-benchmark's message when no name matches
        return {}
    samples, sizes = {}, {}
    for row in json.loads(done.stdout)["benchmarks"]:
        if row.get("run_type", "iteration") != "iteration":
            continue
        op, graph, count = row["name"].split("/")[:3]
        if options.filter and not re.search(options.filter, f"{op}/{graph}/{count}"):
            continue
        if row.get("error_occurred"):
            print(f"{subject} {op} {graph} {count}: {row['error_message']}", file=sys.stderr)
            continue
        key = (op, graph, int(count))
        samples.setdefault(key, []).append(row["real_time"] / row["units"])
        if "bytes" in row:
            sizes.setdefault(key, []).append(row["bytes"])
    return {
        key: (statistics.median(times), (min(times), max(times)),
              statistics.median(sizes[key]) if key in sizes else None)
        for key, times in samples.items()
    }


def unit(op):
    if op.startswith("rewrite"):
        return "match"
    if op in ("insert_random", "insert_and_order"):
        return "insert"
    return "query" if op == "order_after_inserts" else "node"


def number(value):
    if value is None:
        return ""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def power(n):
    exponent = round(math.log10(n), 3)
    return f"1e{exponent:g}"


def print_rows(rows, markdown):
    if markdown:
        for i, row in enumerate(rows):
            print("| " + " | ".join(row) + " |")
            if i == 0:
                print("|" + "|".join("---" if c < 4 else "---:" for c in range(len(row))) + "|")
        return
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    for row in rows:
        cells = [text.ljust(w) if c < 4 else text.rjust(w)
                 for c, (text, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def table(results, subjects, markdown):
    peers = [s for s in subjects if s in PEERS]
    rows = [["op", "graph", "nodes", "unit", *subjects, "best peer", "fxcpp is"]]
    for key in order_of(results, subjects):
        op, graph, nodes = key
        values = {s: results.get(s, {}).get(key, (None,))[0] for s in subjects}
        known = {s: values[s] for s in peers if values[s] is not None}
        best = min(known, key=known.get) if known else ""
        ours, verdict = values.get("fxcpp"), ""
        if best and ours:
            verdict = f"{known[best] / ours:.1f}x" if ours > 0 else ""
        rows.append([op, graph, power(nodes), unit(op), *(number(values[s]) for s in subjects),
                     best, verdict])
    print_rows(rows, markdown)


def order_of(results, subjects):
    keys = []
    for subject in subjects:
        for key in results.get(subject, {}):
            if key not in keys:
                keys.append(key)
    first = {}
    for i, key in enumerate(keys):
        first.setdefault(key[:2], i)
    ops = list(dict.fromkeys(key[0] for key in keys))
    return sorted(keys, key=lambda k: (ops.index(k[0]), first[k[:2]], k[2]))


def memory_table(results, subjects, markdown):
    rows = [["resident bytes", "graph", "nodes", "unit", *subjects]]
    for key in order_of(results, subjects):
        if key[0] not in ("build", "build_named", "clone", "parse") or key[2] < 100000:
            continue
        values = [results.get(s, {}).get(key, (0, 0, None))[2] for s in subjects]
        rows.append([key[0], key[1], power(key[2]), "node", *(number(v) for v in values)])
    if len(rows) > 1:
        print()
        print_rows(rows, markdown)


def scaling(results, markdown):
    """Exponents: the slope of log(time) over log(nodes). 1 is linear."""
    ours = results["fxcpp"]
    sizes = sorted({key[2] for key in ours})
    rows = [["op", "graph", "unit", "", *(power(n) for n in sizes), "exponent", "from 1e5"]]
    for op, graph in dict.fromkeys(key[:2] for key in order_of(results, ["fxcpp"])):
        known = [(n, ours[op, graph, n][0]) for n in sizes if (op, graph, n) in ours]

        def slope(points):
            points = [(math.log(n), math.log(max(t, 1e-3) * n)) for n, t in points]
            if len(points) < 2:
                return ""
            mx = sum(x for x, _ in points) / len(points)
            my = sum(y for _, y in points) / len(points)
            return f"{sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points):.2f}"

        times = [number(ours[op, graph, n][0]) if (op, graph, n) in ours else "" for n in sizes]
        rows.append([op, graph, unit(op), "", *times, slope(known),
                     slope([p for p in known if p[0] >= 100000])])
    print_rows(rows, markdown)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--nodes", default="1e3,1e5,1e6")
    parser.add_argument("--filter", default="")
    parser.add_argument("--subjects", default=",".join(SUBJECTS))
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--json", help="also write the table to this file: a list of {bench, graph, nodes, subject, ...}")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--reuse", help="print the table of a file that --json wrote")
    parser.add_argument("--scaling", action="store_true")
    options = parser.parse_args()
    subjects = options.subjects.split(",")
    if options.scaling:
        subjects = ["fxcpp"]
        options.nodes = "1e3,1e4,1e5,1e6,1e7"
        options.repetitions = min(options.repetitions, 3)
    results = {}
    if options.reuse:
        with open(options.reuse) as file:
            for row in json.load(file):
                results.setdefault(row["subject"], {})[row["bench"], row["graph"], row["nodes"]] = (
                    row["ns_per_unit"], row["range"], row["bytes_per_node"])
    else:
        for subject in subjects:
            results[subject] = run_subject(subject, options, options.nodes)
    if options.filter and not any(results.values()):
        sys.exit(f"no case matches --filter '{options.filter}'; case names are OP/GRAPH/NODES: "
                 "build/chain/1000, cse/dup/100000")
    if options.scaling:
        scaling(results, options.markdown)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        print(f"\npeak memory of the process: {peak:.2f} GiB")
    else:
        table(results, subjects, options.markdown)
        memory_table(results, subjects, options.markdown)
    if options.json:
        rows = [
            {"bench": op, "graph": graph, "nodes": nodes, "subject": subject,
             "ns_per_unit": time, "unit": unit(op), "range": spread, "bytes_per_node": size}
            for subject, all_rows in results.items()
            for (op, graph, nodes), (time, spread, size) in all_rows.items()
        ]
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
