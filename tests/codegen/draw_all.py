#!/usr/bin/env python3
"""Draws every joint graph of the zoo and the corpus, and prints the times.

    draw_all.py [--out FOLDER] [--expand] [MODEL...]

Prints a table with a row for each graph: nodes, wall and CPU time of `fxcpp emit --to svg`, size,
and the defects that picture.py finds. Run it manually; ctest draws the corpus
(test_pictures.py).
Exit status: 0 if each graph is drawn within 10 s and without defects; 1 otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import picture

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
CORPUS = Path(os.environ.get("FXCPP_CORPUS", "../shared/corpus"))
MAX_SECONDS = 10.0


def graphs(folder: Path, models: list[str]) -> Iterator[tuple[str, Path]]:
    listed = subprocess.run([FXCPP, "capture", "--list", "--json"], capture_output=True, text=True)
    for model in json.loads(listed.stdout) if listed.returncode == 0 else []:
        if models and model["name"] not in models:
            continue
        path = folder / f"{model['name']}.fx"
        subprocess.run([FXCPP, "capture", model["name"], "--joint", "--mode", "fake", "-o", path],
                       check=True, capture_output=True)
        yield f"zoo {model['name']}", path
    for path in sorted(CORPUS.glob("*/joint*.json")):
        if not models or path.parent.name in models:
            yield f"corpus {path.parent.name}/{path.name}", path


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, help="write the pictures to this folder")
    parser.add_argument("--expand", action="store_true", help="draw every node")
    parser.add_argument("models", nargs="*")
    args = parser.parse_args()
    bad, rows, slowest = 0, 0, 0.0
    print(f"{'graph':34} {'nodes':>6} {'wall s':>7} {'cpu s':>6} {'KiB':>6}  defects")
    with tempfile.TemporaryDirectory() as scratch:
        out = args.out or Path(scratch)
        out.mkdir(parents=True, exist_ok=True)
        for name, path in graphs(out, args.models):
            text = subprocess.run([FXCPP, "print", path, "--preset", "json"], check=True,
                                  capture_output=True, text=True).stdout
            nodes = len(json.loads(text)["graph"]["nodes"])
            svg = out / f"{name.replace(' ', '_').replace('/', '_').removesuffix('.json')}.svg"
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            done = subprocess.run([FXCPP, "emit", path, "--to", "svg", "-o", svg,
                                   *(["--expand"] if args.expand else [])],
                                  capture_output=True, text=True)
            wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            defects = [done.stderr.strip()] if done.returncode else picture.defects(svg.read_text())
            if wall > MAX_SECONDS:
                defects.append(f"takes over {MAX_SECONDS:.0f} s")
            size = svg.stat().st_size >> 10 if svg.exists() else 0
            print(f"{name:34} {nodes:6} {wall:7.2f} {cpu:6.2f} {size:6}  "
                  f"{len(defects)}{': ' + defects[0] if defects else ''}", flush=True)
            bad += bool(defects)
            rows, slowest = rows + 1, max(slowest, wall)
    print(f"{rows} graphs; the slowest took {slowest:.2f} s; {bad} with defects")
    return 1 if bad or rows == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
