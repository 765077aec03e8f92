"""Measures the cost of each way to run a graph, all in one run: `scripts/bench code`.

Overhead per node on a one-element tensor (without the time of the bare kernels), time to emit, and
CPU time and peak memory of models, forward and joint: emitted C++, the evaluator, the
interpreter, eager torch::nn, and torch.fx's generated Python. Subjects take turns, each in a
separate process; the median of the rounds is shown.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUBJECTS = ("eager", "compiled", "evaluator", "interpreter")
# Make glibc keep freed memory: otherwise it may return the end of the heap to the system, depending on
# its layout, and the same code takes up to 15% longer in one process than in another (resnet18's
# joint graph: 150,000 or 256,000 page faults in 22 runs, 52 or 60 ms per run).
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS="1", MALLOC_TRIM_THRESHOLD_="1000000000",
                   MALLOC_MMAP_THRESHOLD_="1000000000")


def output(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=ENVIRONMENT)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def report_chain(options, result):
    rounds = []
    for _ in range(options.rounds):
        row = {}
        text = output(options.bin / "bin" / "bench_compiled", "--benchmark_format=json")
        for entry in json.loads(text)["benchmarks"]:
            row[entry["name"]] = entry["per_node"] * 1e9
        python = json.loads(output(sys.executable, HERE / "torch" / "code_python.py", "chain"))
        row |= {f"torch.fx, {name}": value for name, value in python.items()}
        rounds.append(row)
    middle = {key: statistics.median(row[key] for row in rounds) for key in rounds[0]}
    bare = middle["run_bare"]
    print(f"| a chain of operators on one element | ns per node | in addition to its kernel ({bare:.0f} ns) |")
    print("|---|---:|---:|")
    for name, value in middle.items():
        if name.startswith("emit"):
            continue
        print(f"| {name} | {value:.0f} | {value - bare:.0f} |")
    print()
    for name, value in middle.items():
        if name.startswith("emit"):
            print(f"{name}: {value / 1e3:.2f} us per node")
    ours = middle["run_compiled/below_autograd"] - bare
    ratio = (middle["torch.fx, functions"] - bare) / ours
    print(f"torch.fx's Python has {ratio:.1f} times the overhead per node of compiled C++\n")
    result["chain"] = middle


def report_models(options, result):
    fxcpp = options.bin / "bin" / "fxcpp"
    models = options.bin / "bin" / "bench_code_models"
    print("| model | subject | CPU ms | relative to eager | peak MB, allocated | process growth, MB |")
    print("|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.models.split(","):
            for kind in ("forward", "joint"):
                graph = Path(folder) / f"{name}_{kind}.fx"
                flags = ["--joint"] if kind == "joint" else []
                output(fxcpp, "capture", name, *flags, "-o", graph)
                output(fxcpp, "emit", graph, "--to", "python", "-o", graph.with_suffix(".py"))
                rows = {}
                for _ in range(options.rounds):
                    for subject in SUBJECTS:
                        text = output(models, name, kind, subject, options.runs)
                        rows.setdefault(subject, []).append(json.loads(text))
                    text = output(sys.executable, HERE / "torch" / "code_python.py",
                                  graph.with_suffix(".py"), graph.with_suffix(".safetensors"),
                                  options.runs)
                    rows.setdefault("torch.fx's Python", []).append(json.loads(text))
                middle = {
                    subject: {key: statistics.median(row[key] for row in of) for key in of[0]}
                    for subject, of in rows.items()
                }
                for subject, row in middle.items():
                    print(f"| {name} {kind} | {subject} | {row['ms']:.2f} | "
                          f"{row['ms'] / middle['eager']['ms']:.3f} | "
                          f"{row['peak_bytes'] / 1e6:.2f} | {row['grown_bytes'] / 1e6:.1f} |",
                          flush=True)
                result[f"{name} {kind}"] = middle


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True, help="the build folder")
    parser.add_argument("--models", default="resnet18,gpt")
    parser.add_argument("--rounds", type=int, default=5, help="each round runs every subject once")
    parser.add_argument("--runs", type=int, default=10, help="runs of a model in one process")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    result = {}
    report_chain(options, result)
    report_models(options, result)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
