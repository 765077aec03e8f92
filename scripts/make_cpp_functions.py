#!/usr/bin/env python3
"""Writes codegen/cpp/generated/cpp_function_rows.cpp: the C++ functions of libtorch's operators.

The table is checked in. Its source is the headers of an installed PyTorch 2.13.

    scripts/make_cpp_functions.py            write the file
    scripts/make_cpp_functions.py --check    compare with the file, change nothing (exit 1: differs)

Exit status 77: this Python has no PyTorch 2.13. Every operator overload has a struct in
<ATen/ops/NAME_ops.h>, whose call() has the arguments of its schema; many have a function at::NAME
in <ATen/ops/NAME.h>, a method of at::Tensor, or both.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

TORCH_VERSION = "2.13"
ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "codegen" / "cpp" / "generated" / "cpp_function_rows.cpp"

HEAD = """\
// The C++ names of the operators of libtorch {version}.
//
// Made by scripts/generate (make_cpp_functions.py). Do not edit: change the script.
#include "fx/codegen/cpp/values/cpp_functions_internal.h"

// clang-format off
namespace fx::cpp {{

constinit const CppFunctionRow kCppFunctionRows[] = {{
"""

TAIL = """\
}};

constinit const size_t kNumCppFunctionRows = {count};

}}  // namespace fx::cpp
"""

STRUCT = re.compile(
    r"struct TORCH_API (\w+) \{.*?schema_str = \"([^\"(]+)\(", re.DOTALL
)
# A comment with the schema, then a definition in namespace at (two blanks in front: symint).
FUNCTION = re.compile(r"^// aten::([^(\n]+)\([^\n]*\ninline [^\n]*? (\w+)\(", re.MULTILINE)
METHOD = re.compile(r"^// aten::([^(\n]+)\([^\n]*\ninline [^\n]*? Tensor::(\w+)\(", re.MULTILINE)


def root_of(base: str) -> str:
    """The usual name of the header, which is the name of the operator that does not write."""
    if base.startswith("__"):
        return base
    return base.removesuffix("_")


def rows(include: Path) -> list[tuple[str, int, str]]:
    structs: dict[str, tuple[str, str]] = {}
    functions: set[str] = set()
    for path in sorted((include / "ATen" / "ops").glob("*_ops.h")):
        root = path.name.removesuffix("_ops.h")
        for struct, schema in STRUCT.findall(path.read_text()):
            structs[schema] = (struct, root)
        header = path.with_name(root + ".h")
        for schema, name in FUNCTION.findall(header.read_text()):
            if name == schema.split(".")[0]:
                functions.add(schema)
    methods = {
        schema
        for schema, name in METHOD.findall((include / "ATen/core/TensorBody.h").read_text())
        if name == schema.split(".")[0]
    }
    out = []
    for schema, (struct, root) in sorted(structs.items()):
        base, _, overload = schema.partition(".")
        if struct != (f"{base}_{overload}" if overload else base):
            raise SystemExit(f"{schema}: an unexpected name, {struct}")
        forms = (1 if schema in functions else 0) | (2 if schema in methods else 0)
        out.append((schema, forms, "" if root == root_of(base) else root))
    return out


def text(include: Path) -> str:
    found = rows(include)
    lines = [
        f'    {{"{name}", {forms}, "{root}"}},\n' if root else f'    {{"{name}", {forms}}},\n'
        for name, forms, root in found
    ]
    return HEAD.format(version=TORCH_VERSION) + "".join(lines) + TAIL.format(count=len(found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, change nothing")
    arguments = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("this Python has no PyTorch")
        return 77
    if not torch.__version__.startswith(TORCH_VERSION):
        print(f"this is PyTorch {torch.__version__}, not {TORCH_VERSION}")
        return 77
    wanted = text(Path(torch.__file__).parent / "include")
    if not arguments.check:
        FILE.write_text(wanted)
        return 0
    if FILE.read_text() == wanted:
        return 0
    print(f"{FILE.name} differs from the headers: run scripts/generate")
    return 1


if __name__ == "__main__":
    sys.exit(main())
