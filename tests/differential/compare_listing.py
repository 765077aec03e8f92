#!/usr/bin/env python3
"""Compares the output of `fxcpp print` for torch.fx graphs with torch.fx's, character for
character.

    compare_listing.py --fxcpp build/release/bin/fxcpp [--graphs DIR] [--count N] [--only TEXT]
                       [--what all|listing|tabular] [--round-trip]

Creates the graphs (make_graphs.py) in a temporary folder, or in DIR if it does not exist; then runs
`fxcpp print --preset torch FILE` and `fxcpp print --preset tabular FILE` on each, and compares the
output with the listing and the table. --round-trip also writes each file back as JSON (`fxcpp
print --preset json`), reads that JSON with fx_export and compares the listings. Prints the first
differences and a count. Exit status: 0 all equal, 1 some differ, 77 torch or tabulate is missing.
"""

from __future__ import annotations

import argparse
import difflib
import json
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import make_graphs  # exits with 77 if something is missing

import fx_export

SHOWN = 5  # the number of differences to print in full
JOBS = 2


class Difference(NamedTuple):
    file: str
    what: str
    text: str


def run(fxcpp: Path, preset: str, file: Path) -> str:
    """Returns standard output, or the error as text, which then differs from the expected text."""
    command = [str(fxcpp), "print", "--preset", preset, str(file)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "<no output after 120 s>"
    if done.returncode != 0:
        error = done.stderr.decode(errors="replace").strip()
        return f"<exit status {done.returncode}: {error}>"
    return done.stdout.decode(errors="surrogateescape").removesuffix("\n")


def difference(file: str, what: str, expected: str, got: str) -> Difference | None:
    expected = expected.removesuffix("\n")
    if got == expected:
        return None
    lines = difflib.unified_diff(
        expected.splitlines(), got.splitlines(), f"torch.fx ({what})", "fxcpp", lineterm="", n=1
    )
    return Difference(file, what, "\n".join(lines) or "only line endings differ")


def round_trip(fxcpp: Path, file: Path, expected: str) -> Difference | None:
    text = run(fxcpp, "json", file)
    try:
        listing = make_graphs.listing(fx_export.load_graph(json.loads(text)))
    except Exception as error:  # fx_export fails in various ways for an invalid document
        return Difference(file.name, "round trip", f"{type(error).__name__}: {error}\n{text[:300]}")
    return difference(file.name, "round trip", expected, listing)


def compare(options: argparse.Namespace, record: dict[str, Any]) -> list[Difference]:
    file = options.graphs / record["file"]
    found = []
    for preset, key in (("torch", "listing"), ("tabular", "tabular")):
        if options.what in ("all", key):
            got = run(options.fxcpp, preset, file)
            found.append(difference(record["file"], key, record[key], got))
    if options.round_trip:
        found.append(round_trip(options.fxcpp, file, record["listing"]))
    return [d for d in found if d is not None]


def all_differences(options: argparse.Namespace) -> Iterator[list[Difference]]:
    with (options.graphs / "expected.jsonl").open() as lines:
        records = [json.loads(line) for line in lines]
    with ThreadPoolExecutor(JOBS) as pool:
        yield from pool.map(lambda record: compare(options, record), records)


def compare_all(options: argparse.Namespace) -> int:
    if not (options.graphs / "expected.jsonl").exists():
        make_graphs.make(options.graphs, options.count, 0, options.only)
    found = list(all_differences(options))
    differing = [d for differences in found for d in differences]
    for d in differing[:SHOWN]:
        print(f"--- {d.file}: {d.what}\n{d.text}\n")
    if len(differing) > SHOWN:
        print("also differing: " + ", ".join(sorted({d.file for d in differing[SHOWN:]})))
    equal = sum(not differences for differences in found)
    print(f"{equal} of {len(found)} graphs print as torch.fx prints them")
    return 0 if found and equal == len(found) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--fxcpp", type=Path, required=True, help="the fxcpp binary")
    parser.add_argument("--graphs", type=Path, help="output folder of make_graphs.py; created if missing")
    parser.add_argument("--count", type=int, default=make_graphs.COUNT)
    parser.add_argument("--only", default="", help="only graphs whose name contains this text")
    parser.add_argument("--what", choices=("all", "listing", "tabular"), default="all")
    parser.add_argument(
        "--round-trip", action="store_true", help="also test fxcpp's JSON writer"
    )
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    if not options.fxcpp.exists():
        parser.error(f"no binary at {options.fxcpp}")
    if options.graphs is not None:
        return compare_all(options)
    with tempfile.TemporaryDirectory() as folder:
        options.graphs = Path(folder)
        return compare_all(options)


if __name__ == "__main__":
    sys.exit(main())
