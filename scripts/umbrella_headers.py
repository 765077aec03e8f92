#!/usr/bin/env python3
"""Writes the umbrella headers: all.h in ir, tracer, interp, passes, codegen and importers.

    scripts/umbrella_headers.py            write them
    scripts/umbrella_headers.py --check    compare, change nothing; exit status 1 if one differs

Each includes every installed header of its folder, except those that need libtorch or Graphviz
(folders named torch and graphviz).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ["ir", "tracer", "interp", "passes", "codegen", "importers"]
OPTIONAL = {"torch", "graphviz"}


def headers_of(folder: str) -> list[str]:
    found = []
    for file in (ROOT / folder).rglob("*.h"):
        path = file.relative_to(ROOT)
        is_private = path.name.endswith("_internal.h") or path.name == "all.h"
        if not is_private and not OPTIONAL & set(path.parts):
            found.append(path.as_posix())
    return sorted(found)


def text_of(folder: str) -> str:
    includes = "".join(f'#include "fx/{header}"\n' for header in headers_of(folder))
    return (
        f"// All public headers of {folder}/ that need neither libtorch nor Graphviz. Made by\n"
        f"// scripts/umbrella_headers.py.\n#pragma once\n\n{includes}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args().check
    different = []
    for folder in FOLDERS:
        file = ROOT / folder / "all.h"
        text = text_of(folder)
        if file.exists() and file.read_text() == text:
            continue
        different.append(file.relative_to(ROOT).as_posix())
        if not check:
            file.write_text(text)
    for name in different:
        print(f"{name} {'is not up to date: run scripts/umbrella_headers.py' if check else 'written'}")
    return 1 if check and different else 0


if __name__ == "__main__":
    sys.exit(main())
