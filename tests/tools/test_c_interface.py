"""Tests the C interface: symbols, the header in C and in restricted C++, the ctypes and Rust
programs.

FXCPP_C is the path of libfxcpp_c.so; FXCPP_PRELOAD is the library of the address sanitizer if the
build uses it. FX_UPDATE_GOLDEN=1 updates the list of symbols.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("FXCPP_C", "")
HEADER = ROOT / "tools/c/fxcpp.h"
SYMBOLS = ROOT / "tests/golden/c_symbols.txt"
CXX = os.environ.get("CXX") or "g++"


def run(*command: object, **options: object) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def sanitized() -> dict[str, str]:
    env = dict(os.environ)
    if preload := env.get("FXCPP_PRELOAD"):
        env |= {"LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"}
    return env


class CInterface(unittest.TestCase):
    def test_symbols(self) -> None:
        """The symbols are those in the list (symbols are never removed) and in the header."""
        lines = run("nm", "-D", "--defined-only", LIBRARY).splitlines()
        names = sorted(line.split()[-1] for line in lines)
        if os.environ.get("FX_UPDATE_GOLDEN") == "1":
            SYMBOLS.write_text("".join(f"{name}\n" for name in names))
        self.assertEqual(names, SYMBOLS.read_text().split())
        declared = re.findall(r"^FXC_API [^(;]*?(fxc_\w+)\(", HEADER.read_text(), re.M)
        self.assertEqual(names, sorted(declared))

    def test_header(self) -> None:
        """The header is valid C11, and valid C++ without exceptions or run-time type
        information."""
        text = '#include "fx/c/fxcpp.h"\nint main(void) { return fxc_abi_version() != FXC_ABI_VERSION; }\n'
        with tempfile.TemporaryDirectory() as folder:
            for name, compiler, options in (
                ("a.c", shutil.which("gcc") or CXX, ["-xc", "-std=c11", "-pedantic-errors"]),
                ("a.cpp", CXX, ["-std=c++11", "-fno-exceptions", "-fno-rtti", "-pedantic-errors"]),
            ):
                source = pathlib.Path(folder) / name
                source.write_text(text)
                run(compiler, *options, "-Wall", "-Werror", "-I", ROOT / "cmake/include",
                    "-fsyntax-only", source)

    def test_ctypes_program(self) -> None:
        program = ROOT / "examples/c/read_graph.py"
        self.assertLessEqual(len(program.read_text().splitlines()), 60)
        out = run(sys.executable, program, LIBRARY, ROOT / "examples/c/chain.fx",
                  "eliminate_dead_code", env=sanitized())
        self.assertEqual(out, "findings: 0\nx : f32[2, 3]\nrelu : f32[2, 3]\nsum : f32[2]\n"
                              "output : ?\naten.sum.dim_IntList(aten.relu.default(x))\n")

    def test_rust_program(self) -> None:
        """The Rust program in docs/embedding.md."""
        # A rustup without a toolchain also has a rustc, which fails.
        rustc = shutil.which("rustc")
        if rustc is None or subprocess.run([rustc, "--version"], capture_output=True).returncode:
            self.skipTest("rustc is not installed")
        page = (ROOT / "docs/embedding.md").read_text()
        program = re.search(r"```rust\n(.*?)```", page, re.S)
        assert program
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "main.rs"
            source.write_text(program[1])
            folder_of_library = pathlib.Path(LIBRARY).parent
            run("rustc", "--edition", "2021", "-L", folder_of_library, "-o",
                pathlib.Path(folder) / "main", source)
            out = run(pathlib.Path(folder) / "main", ROOT / "examples/c/chain.fx",
                      env=sanitized() | {"LD_LIBRARY_PATH": str(folder_of_library)})
            self.assertIn("relu : f32[2, 3]", out)


if __name__ == "__main__":
    if not LIBRARY:
        print("FXCPP_C is not set")
        sys.exit(77)
    unittest.main()
