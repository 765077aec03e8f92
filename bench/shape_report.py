#!/usr/bin/env python3
"""Measures shape propagation on graphs: natively, with libtorch and with torch.fx, in one table.

    bench/shape_report.py --bin BUILD_DIR [--json FILE] [--repetitions N] [FILE...]

Without files: training graphs of the zoo (mlp, resnet50, transformer, GPT-2 XL) and a synthetic
transformer of up to 1e6 nodes, each also with a symbolic batch; also prints the ratios in
docs/benchmarks.md. bench_shape and bench_types run alternately, N times. Each figure is in
nanoseconds of CPU time per call node: the minimum over runs and iterations, because other
programs affect it least. A graph that a subject cannot run has no figure; a message on standard error
states why. The figures of a graph whose inputs have symbolic sizes are in the column `symbolic`.
docs/benchmarks.md describes the columns.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ["cold", "again", "warm", "symbolic", "incremental", "meta", "covered", "eager",
           "ShapeProp", "FakeTensorProp"]
SYMBOLIC = "_symbolic"
SYNTHETIC = [1000, 10000]  # nodes of the graphs that peers also run


def label(file: str) -> str:
    path = pathlib.Path(file).resolve()
    return f"{path.parent.name}/{path.name}"


def benchmarks(command: list) -> list[dict]:
    """Rows of a google-benchmark program: subject, graph, figures."""
    done = subprocess.run([*command, "--benchmark_format=json"], check=False, capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"shape_report: {pathlib.Path(command[0]).name} failed: {done.stderr.strip()}")
    rows = []
    for row in json.loads(done.stdout)["benchmarks"]:
        subject, *name = row["name"].split("/")
        # The name ends with options of google-benchmark, as in cold/zoo/mlp.fx/iterations:5.
        file = "/".join(name[:2])
        if row.get("error_occurred"):
            report_once(f"{file}: {subject}: {row['error_message'].strip()}")
            continue
        rows.append({"file": file, "subject": subject, "calls": int(row.get("calls", 0)),
                     "ns_per_call": row.get("ns_per_call", row.get("ns_per_change")),
                     "covered": row.get("covered"), "symbolic": bool(row.get("symbolic"))})
    return rows


def report_once(text: str, reported: set[str] = set()) -> None:  # noqa: B006  # kept between calls
    """Prints a message only once, even though each subject runs several times."""
    if text not in reported:
        reported.add(text)
        print(text, file=sys.stderr)


def torch_fx(command: pathlib.Path, files: list[str]) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for i, file in enumerate(files):
            copy = f"{folder}/{i}.json"
            converted = subprocess.run([command, "convert", file, "-o", copy], check=False,
                                       capture_output=True, text=True)
            if converted.returncode != 0:
                report_once(f"{label(file)}: torch.fx: {converted.stderr.strip()}")
                continue
            names[copy] = label(file)
        if not names:
            return []
        done = subprocess.run([sys.executable, HERE / "shape_peers.py", *names], check=False,
                              capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        report_once(f"torch.fx was not measured: shape_peers.py exited with status {done.returncode}")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [{**row, "file": names[row["file"]]} for row in rows]


def minimum(rows: list[dict]) -> dict:
    """The minimum per graph (without suffix) and subject; symbolic graphs are in the rows of their
    concrete counterparts."""
    table = collections.defaultdict(dict)
    for row in rows:
        name, subject = row["file"].removesuffix(".fx"), row["subject"]
        if name.endswith(SYMBOLIC):
            name = name.removesuffix(SYMBOLIC)
            if subject != "cold":
                continue
            subject = "symbolic"
        elif row.get("symbolic") and subject == "cold":
            subject = "symbolic"
        got = table[name]
        got[subject] = min(got.get(subject, float("inf")), row["ns_per_call"])
        if row.get("covered") is not None:
            got["covered"] = row["covered"]
        if row["calls"] and subject in ("cold", "symbolic"):
            got["calls"] = row["calls"]
        if "different" in row:
            got["different"] = row["different"]
    return table


def print_table(table: dict) -> None:
    print("| graph | calls | " + " | ".join(COLUMNS) + " |")
    print("|---|--:|" + "--:|" * len(COLUMNS))
    for file, got in table.items():
        cells = [f"{got[c]:.0%}" if c == "covered" and c in got
                 else f"{got[c]:,.0f}" if c in got else "" for c in COLUMNS]
        print(f"| {file} | {got.get('calls', '')} | " + " | ".join(cells) + " |")


def print_bounds(table: dict) -> None:
    """Prints the ratios, with their bounds in the header."""
    print("\n| graph | meta / cold (3) | meta / warm (10) | FakeTensorProp / cold (1,000) "
          "| symbolic / cold (at most 3) |")
    print("|---|--:|--:|--:|--:|")

    def ratio(got, numerator, denominator, digits=1):
        if numerator not in got or denominator not in got:
            return ""
        return f"{got[numerator] / got[denominator]:,.{digits}f}"

    for file, got in table.items():
        print(f"| {file} | {ratio(got, 'meta', 'cold')} | {ratio(got, 'meta', 'warm')} | "
              f"{ratio(got, 'FakeTensorProp', 'cold', 0)} | {ratio(got, 'symbolic', 'cold')} |")
    sizes = sorted((int(name.split("/")[1]), got) for name, got in table.items()
                   if name.startswith("synthetic/"))
    for subject in ("cold", "warm", "symbolic"):
        small, large = sizes[1][1][subject], sizes[-1][1][subject]
        print(f"linear: {subject} at {sizes[-1][0]:,} nodes takes {large / small:.2f} times as long per call "
              f"as at {sizes[1][0]:,}")
    for file, got in table.items():
        if got.get("different"):
            print(f"{file}: {got['different']} types differ from FakeTensorProp's")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="the build folder")
    parser.add_argument("--json", help="also write the measurements to this file")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    programs = options.bin / "bin"
    native, libtorch = programs / "bench_shape", programs / "bench_types"
    if not libtorch.exists():
        print("no bench_types in this build: libtorch's figures are missing", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        files, peers = options.files, options.files
        if not files:
            for name in ("zoo", "synthetic"):
                (pathlib.Path(folder) / name).mkdir()
            if libtorch.exists():
                subprocess.run([libtorch, f"--write={folder}/zoo"], check=True)
            subprocess.run([native, f"--write={folder}/synthetic"], check=True)
            files = sorted(map(str, pathlib.Path(folder, "zoo").iterdir()))
            peers = [f for f in files if SYMBOLIC not in f]
            peers += [f"{folder}/synthetic/{n}.fx" for n in SYNTHETIC]
        rows = []
        for _ in range(options.repetitions):
            if files:
                rows += benchmarks([native, *files])
            if not options.files:
                rows += benchmarks([native])
            if libtorch.exists():
                rows += benchmarks([libtorch, *peers])
        rows += torch_fx(programs / "fxcpp", peers)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    table = minimum(rows)
    print_table(table)
    if not options.files:
        print_bounds(table)


if __name__ == "__main__":
    main()
