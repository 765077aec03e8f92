#!/usr/bin/env python3
"""Compiles the programs in compile_errors/: they must fail with the expected messages.

    compile_errors.py COMPILER INCLUDE_DIR [FLAG...]

The first line of each program is `// error: TEXT`, with alternatives separated by `|`. `none` marks
a program that must compile; it shows that the other programs fail for the expected reason.
"""
# parity: T16 T17 T18

import pathlib
import re
import subprocess
import sys
import tempfile


def precompile(command: list[str], programs: list[pathlib.Path], folder: pathlib.Path) -> list[str]:
    """Precompiles the headers of the programs. Returns the options that read the result."""
    includes = {line for p in programs for line in re.findall("^#include .*$", p.read_text(), re.M)}
    header = folder / "headers.h"
    header.write_text("\n".join(sorted(includes)) + "\n")
    if "clang" in pathlib.Path(command[0]).name:
        output, options = folder / "headers.pch", ["-include-pch", str(folder / "headers.pch")]
    else:
        output, options = folder / "headers.h.gch", ["-include", str(header)]
    subprocess.run([*command, "-x", "c++-header", str(header), "-o", str(output)], check=True)
    return options


def check(command: list[str], programs: list[pathlib.Path], folder: pathlib.Path) -> int:
    options = precompile(command, programs, folder)
    wrong = 0
    for program in programs:
        first = program.read_text().splitlines()[0]
        assert first.startswith("// error: "), program
        expected = first.removeprefix("// error: ").strip()
        done = subprocess.run(
            [*command, "-fsyntax-only", *options, str(program)],
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        messages = done.stderr.replace("‘", "'").replace("’", "'")
        if expected == "none":
            right = done.returncode == 0
        else:
            # An error in the program or in code that it calls, with one of the expected messages.
            right = (
                done.returncode != 0
                and program.name in messages
                and any(text in messages for text in expected.split("|"))
            )
        if not right:
            wrong += 1
            print(f"{program.name}: expected: {expected}\n{messages[:2000]}", file=sys.stderr)
    return wrong


def main() -> int:
    compiler, include, *flags = sys.argv[1:]
    programs = sorted((pathlib.Path(__file__).parent / "compile_errors").glob("*.cpp"))
    with tempfile.TemporaryDirectory() as folder:
        wrong = check([compiler, "-std=c++20", f"-I{include}", *flags], programs, pathlib.Path(folder))
    print(f"{len(programs)} programs, {wrong} wrong")
    return 1 if wrong or len(programs) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
