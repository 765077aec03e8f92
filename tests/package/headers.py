#!/usr/bin/env python3
"""Compiles each installed header separately.

    headers.py PREFIX [--torch FOLDER [--only-torch]] [--jobs N]

A header must include everything that it uses. (PARTS are included at the end of other headers.)
Headers in folders named torch require libtorch (in the folder of --torch), and are skipped without it;
--only-torch skips all other headers. fx/c/fxcpp.h must also be valid C99 and C++11.

Exit status: 0 on success, 1 if a header does not compile.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CXX = os.environ.get("CXX", "g++")
CC = os.environ.get("CC", "gcc")
PARTS = {"fx/ir/graph/node_inline.h"}
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]


def compiled(header: str, command: list[str]) -> str:
    """Returns the compiler's errors for a source file that only includes the header."""
    done = subprocess.run([*command, "-fsyntax-only", "-"], input=f'#include "{header}"\n', text=True,
                          capture_output=True, check=False)
    return "" if done.returncode == 0 else f"{header} ({' '.join(command[:4])}):\n{done.stderr}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("prefix", type=Path)
    parser.add_argument("--torch", type=Path)
    parser.add_argument("--only-torch", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    include = options.prefix / "include"
    headers = sorted(str(h.relative_to(include)) for h in (include / "fx").rglob("*.h"))
    if not headers:
        print(f"no headers under {include}/fx")
        return 1
    jobs: list[tuple[str, list[str]]] = []
    for header in headers:
        torch = "/torch/" in header
        if header in PARTS or (torch and not options.torch) or (not torch and options.only_torch):
            continue
        command = [CXX, "-std=c++20", "-x", "c++", f"-I{include}", *WARNINGS]
        if torch:
            folder = options.torch / "include"
            command += ["-isystem", str(folder), "-isystem", str(folder / "torch/csrc/api/include")]
        jobs.append((header, command))
        if header == "fx/c/fxcpp.h":
            jobs.append((header, [CXX, "-std=c++11", "-x", "c++", f"-I{include}", *WARNINGS]))
            jobs.append((header, [CC, "-std=c99", "-x", "c", f"-I{include}", "-pedantic", *WARNINGS]))
    with ThreadPoolExecutor(options.jobs) as pool:
        errors = [e for e in pool.map(lambda job: compiled(*job), jobs) if e]
    for error in errors:
        print(error)
    count = len({header for header, _ in jobs})
    print(f"{count} of {len(headers)} headers compiled: {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
