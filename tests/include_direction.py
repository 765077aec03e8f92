#!/usr/bin/env python3
"""Checks which folder includes which: usage: include_direction.py [SOURCE_ROOT]

One include root ("fx/...") lets any file name any header, so this test holds the layers apart:
  * a folder includes only the folders listed for it in ALLOWED;
  * libtorch is included only in folders named torch (and examples that need it);
  * the layers are libraries: they give back texts and never print (exceptions below);
  * headers that are installed include only std, Abseil and our own installed headers, so that a
    user needs neither fmt nor LLVM nor nlohmann_json to compile against them (exceptions below).
Every finding is printed as file:line.
"""

import pathlib
import re
import sys

# What each folder may include besides itself. A subfolder is named where it may see more or less.
ALLOWED: dict[str, set[str]] = {
    "ir": set(),
    "tracer": {"ir"},
    "interp": {"ir"},
    "interp/torch": {"ir", "interp"},
    "passes": {"ir", "tracer", "interp"},
    "codegen": {"ir", "tracer", "interp", "passes"},
    "codegen/cpp/torch": {"ir", "tracer", "interp", "interp/torch", "passes", "codegen"},
    "importers": {"ir", "tracer", "interp", "passes"},
    "importers/torch": {"ir", "tracer", "interp", "interp/torch", "passes", "importers"},
}
LAYERS = {"ir", "tracer", "interp", "passes", "codegen", "importers"}
ABOVE = {"tools", "examples", "tests", "bench"}  # these may include everything below them

TORCH_FIRST = {"torch", "ATen", "c10", "caffe2", "torchgen"}
# Headers of the core that exist to join fxcpp with a library, for users who have that library.
MAY_INCLUDE: dict[str, set[str]] = {"ir/text/format.h": {"fmt"}}

# A failed check prints before it ends the program; the others are whole programs, or part of such.
MAY_PRINT = {
    "ir/support/check.cpp",
    "tools/driver/torch/capture_main.cpp",
    "tools/driver/command_line.cpp",
    "tools/driver/opt_main.cpp",
}

# Their lines are mostly text for another program's files.
TEXTS = {"codegen/cpp/project/folder_files.cpp"}

PRINTS = re.compile(r"std::(cout|cerr|clog)\b|\b(printf|fprintf|puts|fputs|perror|fmt::print)\(")
COMMENT = re.compile(r"^\s*//")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path: pathlib.PurePosixPath) -> str:
    """The key in ALLOWED that a file of a layer belongs to: the longest that is a prefix."""
    parts = path.parts[:-1]
    for length in range(len(parts), 0, -1):
        key = "/".join(parts[:length])
        if key in ALLOWED:
            return key
    return parts[0] if parts else ""


def is_installed_header(path: pathlib.PurePosixPath) -> bool:
    return (
        path.suffix == ".h"
        and path.parts[0] in LAYERS
        and not path.name.endswith("_internal.h")
        and "internal" not in path.parts
    )


def findings_in(path: pathlib.PurePosixPath, text: str) -> list[str]:
    found: list[str] = []
    if str(path) in TEXTS:
        return found
    top = path.parts[0]
    for number, line in enumerate(text.splitlines(), 1):
        may_print = top not in LAYERS or str(path) in MAY_PRINT or COMMENT.match(line)
        if not may_print and PRINTS.search(line):
            found.append(f"{path}:{number}: a library never prints: {line.strip()}")
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        target = pathlib.PurePosixPath(name)
        first = target.parts[0]

        def report(problem: str) -> None:
            found.append(f"{path}:{number}: {problem}: {line.strip()}")

        if first == "fx":
            inner = pathlib.PurePosixPath(*target.parts[1:])
            owner = folder_of(inner)
            if top in LAYERS:
                own = folder_of(path)
                if owner != own and owner not in ALLOWED[own]:
                    report(f"{own} may not include {owner}")
                if is_installed_header(path) and not is_installed_header(inner):
                    report("an installed header may not include a private one")
        elif first in TORCH_FIRST:
            if top in LAYERS and "torch" not in path.parts:
                report("libtorch may be included only in interp/torch and importers/torch")
            elif top in ABOVE - {"examples"} and "torch" not in path.parts[:-1]:
                report("libtorch may be included only in folders named torch")
        elif top in LAYERS and first in LAYERS | ABOVE and len(target.parts) > 1:
            report('headers of ours are included as "fx/..."')
        elif quote == '"' and first in LAYERS:
            report('headers of ours are included as "fx/..."')
        elif is_installed_header(path) and "torch" not in path.parts:
            std_or_c = quote == "<" and len(target.parts) == 1
            allowed = std_or_c or first == "absl" or first in MAY_INCLUDE.get(str(path), set())
            if not allowed:
                report("an installed header may include only std, absl and fx/")
    return found


def self_test() -> None:
    """The rules themselves, on files that are wrong in one way each."""

    def problems(path: str, text: str) -> int:
        return len(findings_in(pathlib.PurePosixPath(path), text))

    assert problems("ir/graph/graph.cpp", '#include "fx/passes/dce.h"') == 1
    assert problems("ir/graph/graph.cpp", "#include <fmt/format.h>") == 0
    assert problems("ir/graph/graph.h", "#include <fmt/format.h>") == 1
    assert problems("ir/graph/graph.h", '#include "fx/ir/arena_internal.h"') == 1
    assert problems("ir/graph/graph.h", '#include "llvm/ADT/SmallVector.h"') == 1
    assert problems("ir/graph_internal.h", '#include "llvm/ADT/SmallVector.h"') == 0
    assert problems("passes/dce.cpp", "#include <torch/torch.h>") == 1
    assert problems("passes/dce.cpp", '#include "fx/interp/torch/dispatch/dispatcher.h"') == 1
    assert problems("importers/torch/capture/hook.cpp", "#include <ATen/ATen.h>") == 0
    assert problems("importers/torch/capture/hook.h", '#include "fx/codegen/cpp.h"') == 1
    assert problems("codegen/cpp.cpp", '#include "fx/importers/pt2/archive.h"') == 1
    assert problems("tests/ir/graph_test.cpp", "#include <torch/torch.h>") == 1
    assert problems("tests/torch/hook_test.cpp", "#include <torch/torch.h>") == 0
    assert problems("ir/graph/graph.cpp", '#include "ir/graph/node.h"') == 1
    # parity: M25
    assert problems("passes/dce.cpp", '  std::cerr << "removed";') == 1
    assert problems("ir/graph/graph.cpp", 'std::fprintf(stderr, "x");') == 1
    assert problems("ir/graph/graph.cpp", "snprintf(buffer, 3, text);") == 0
    assert problems("ir/graph/graph.h", "//   std::cout << print(graph);") == 0
    assert problems("tools/print.cpp", "std::puts(text);") == 0


def main() -> int:
    self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    found: list[str] = []
    files = 0
    for top in sorted(LAYERS | ABOVE):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in {".h", ".cpp"}:
                files += 1
                relative = pathlib.PurePosixPath(file.relative_to(root).as_posix())
                found += findings_in(relative, file.read_text(errors="replace"))
    print("\n".join(found + [f"{files} files, {len(found)} findings"]))
    return 1 if found or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
