#!/usr/bin/env python3
"""Checks that a header and a source compile with only the flags of cmake/include/compile_flags.txt.

Editors (clangd, with .clangd) and code browsers use these flags in a new checkout: includes of
"fx/..." use the links in cmake/include/fx to the folders, and do not require a build folder.

Exit status: 0 on success, 1 on failure, 77 without a compiler.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "cmake" / "include"
FOLDERS = ["ir", "tracer", "interp", "passes", "codegen", "importers", "tools"]
FILES = ["ir/graph/graph.h", "ir/graph/graph.cpp"]


def main() -> int:
    failed = False
    for folder in FOLDERS:
        link = INCLUDE / "fx" / folder
        if not link.is_symlink() or link.resolve() != ROOT / folder:
            print(f"{link} is not a link to {folder}")
            failed = True
    compiler = shutil.which("clang++-19") or shutil.which("clang++") or shutil.which("g++")
    if compiler is None:
        print("not run: neither clang++ nor g++ is installed")
        return 1 if failed else 77
    # Like clangd, reads one argument per line, relative to the folder of the file.
    flags = (INCLUDE / "compile_flags.txt").read_text().split("\n")
    flags = [flag for flag in flags if flag]
    for file in FILES:
        command = [compiler, *flags, "-fsyntax-only", str(ROOT / file)]
        done = subprocess.run(command, cwd=INCLUDE, capture_output=True, text=True)
        print(f"{file}: {'compiles' if done.returncode == 0 else 'does not compile'}")
        if done.returncode != 0:
            print(" ".join(command), done.stdout, done.stderr, sep="\n")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
