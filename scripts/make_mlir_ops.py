#!/usr/bin/env python3
"""Writes codegen/mlir/generated/torch_dialect_rows.cpp: the operators of torch-mlir's torch dialect.

The table is checked in. Its source is an installed torch-mlir (scripts/setup --compilers).

    scripts/make_mlir_ops.py            write the file
    scripts/make_mlir_ops.py --check    compare with the file, change nothing (exit 1: differs)

The script looks for the package in $FXCPP_COMPILERS, .venv-compilers and this Python. It reads the
package without importing it. Exit status 77: the version below is not installed.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
from pathlib import Path

VERSION = "20261001"
ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "codegen" / "mlir" / "generated" / "torch_dialect_rows.cpp"

HEAD = """\
// The operators of PyTorch that torch-mlir's torch dialect has.
//
// Made by scripts/generate (make_mlir_ops.py, torch-mlir {version}). Do not edit: change the script.
#include "fx/codegen/mlir/torch_dialect_internal.h"

// clang-format off
namespace fx::mlir {{

constinit const TorchDialectRow kTorchDialectRows[] = {{
"""

TAIL = """\
}};

constinit const size_t kNumTorchDialectRows = {count};

}}  // namespace fx::mlir
"""

# Other operations of the dialect (constants, lists, modules) are not operators of PyTorch.
SPACES = ("aten", "prims", "quantized", "quantized_decomposed", "torchvision", "onnx")


def find_package() -> Path | None:
    folders = [Path(p) for p in (os.environ.get("FXCPP_COMPILERS"), ROOT / ".venv-compilers") if p]
    sites = [site for folder in folders for site in folder.glob("lib/python3*/site-packages")]
    for site in [*sites, *(Path(p) for p in sys.path)]:
        if (site / "torch_mlir").is_dir() and list(site.glob(f"torch_mlir-{VERSION}*.dist-info")):
            return site / "torch_mlir"
    return None


def rows(package: Path) -> list[tuple[str, int, int]]:
    tree = ast.parse((package / "dialects" / "_torch_ops_gen.py").read_text(encoding="utf-8"))
    found = []
    for item in tree.body:
        if not isinstance(item, ast.ClassDef) or item.name.endswith("Adaptor"):
            continue
        name, body = "", ""
        for part in item.body:
            if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "OPERATION_NAME":
                name = ast.literal_eval(part.value).removeprefix("torch.")
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                body = ast.unparse(part)
        # `extend`: a variable number of operands or results, which schemas do not have.
        if name.split(".")[0] in SPACES and name.count(".") and ".extend(" not in body:
            # Results that follow from the operands are not parameters, but always properties.
            results = ast.unparse(item).count("self.operation.results[")
            found.append((name, body.count("operands.append("), results))
    return sorted(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    package = find_package()
    if package is None:
        print(f"not run: torch-mlir {VERSION} is not installed (scripts/setup --compilers)")
        return 77
    table = rows(package)
    text = HEAD.format(version=VERSION)
    text += "".join(f'    {{"{name}", {operands}, {results}}},\n' for name, operands, results in table)
    text += TAIL.format(count=len(table))
    if arguments.check:
        if FILE.exists() and FILE.read_text(encoding="utf-8") == text:
            return 0
        print(f"{FILE.relative_to(ROOT)} is out of date: run scripts/make_mlir_ops.py")
        return 1
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
