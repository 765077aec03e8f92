#!/usr/bin/env python3
"""Checks the includes between folders.

    include_direction.py [--strict] [SOURCE_ROOT]

All headers share one include root ("fx/..."), so the compiler does not enforce the order of
folders. This script does. It prints the include graph of the folders of production code, with the
number of includes on each edge, and reports as file:line:
  * a cycle between folders;
  * an include of a higher layer: see ALLOWED for the top-level folders and ORDER for their
    sub-folders;
  * an include of another folder's *_internal.h, which is private to its top-level folder
    or, deeper, to its second-level folder (passes/shape/rules may include private headers of
    passes/shape);
  * an include of a file that does not exist in this repository;
  * an include of libtorch outside folders named torch (except in examples);
  * output: libraries must return text, not print it (exceptions below);
  * in an installed header, an include of anything but std, Abseil and fxcpp's installed headers:
    compiling against them must not require fmt, LLVM or nlohmann_json (exceptions below).
Limits, except for generated files: 30 .h and .cpp files in a folder, 350 lines in a header,
500 lines in a source. The script fails for exceeded limits only with --strict.
"""

from __future__ import annotations

import collections
import pathlib
import re
import sys
from pathlib import PurePosixPath

# The folders that each folder may include in addition to itself. A sub-folder has a row if it differs.
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
PRODUCTION = LAYERS | {"tools"}
ABOVE = {"tools", "examples", "tests", "bench"}  # these may include all lower layers

# In a top-level folder, a sub-folder may include the sub-folders in its row and in the rows before
# it. The empty name is the top-level folder itself, without its sub-folders.
ORDER: dict[str, list[set[str]]] = {
    "ir": [
        {"support"},
        {"symbolic"},
        {"types"},
        {"ops"},
        {"graph"},
        {"python"},
        {"module"},
        {"text"},
        {"calls"},
        {"verify"},
        {"json"},
        {"files"},
    ],
    "passes": [
        {"shape"},
        {"shape/rules"},
        {"shape/check"},
        {"analysis"},
        {"manager"},
        {
            "aten",
            "cleanup",
            "debug",
            "decompose",
            "functionalize",
            "inference",
            "partition",
            "rewrite",
            "summary",
        },
        {"vmap"},
        {"autodiff"},
        {""},
    ],
}

MAX_FILES, MAX_HEADER, MAX_SOURCE = 30, 350, 500

TORCH_FIRST = {"torch", "ATen", "c10", "caffe2", "torchgen"}
# Core headers that connect fxcpp to a library, for users of that library.
MAY_INCLUDE: dict[str, set[str]] = {"ir/text/format.h": {"fmt"}}

# A failed check prints before it terminates the program. The other files belong to programs.
MAY_PRINT = {
    "ir/support/check.cpp",
    "tools/driver/torch/capture_main.cpp",
    "tools/driver/command_line.cpp",
    "tools/driver/opt_main.cpp",
}

# Files that mostly consist of text for other programs.
TEXTS = {"codegen/cpp/project/folder_files.cpp"}

PRINTS = re.compile(r"std::(cout|cerr|clog)\b|\b(printf|fprintf|puts|fputs|perror|fmt::print)\(")
COMMENT = re.compile(r"^\s*//")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def rule_of(path: PurePosixPath) -> str:
    """Returns the key in ALLOWED to which a file belongs: the longest that is a prefix."""
    parts = path.parts[:-1]
    for length in range(len(parts), 0, -1):
        key = "/".join(parts[:length])
        if key in ALLOWED:
            return key
    return parts[0] if parts else ""


def folder_of(path: PurePosixPath) -> str:
    """Returns the folder of a file; generated files belong to the folder that contains
    generated/."""
    parts = path.parts[:-1]
    return "/".join(parts[: parts.index("generated")] if "generated" in parts else parts)


def level_of(folder: str) -> int | None:
    """Returns the index of the row of ORDER that contains a folder, or else its nearest parent; the
    number of rows if there is none; or None if the top-level folder has no order."""
    top, _, sub_folder = folder.partition("/")
    if top not in ORDER:
        return None
    while True:
        for level, names in enumerate(ORDER[top]):
            if sub_folder in names:
                return level
        if not sub_folder:
            return len(ORDER[top])
        sub_folder = sub_folder.rpartition("/")[0]


def is_internal(path: PurePosixPath) -> bool:
    return path.name.endswith("_internal.h")


def is_installed_header(path: PurePosixPath) -> bool:
    installed = path.parts[0] in LAYERS or path.parts[:2] == ("tools", "driver")
    return path.suffix == ".h" and installed and not is_internal(path)


def ours(name: str) -> PurePosixPath | None:
    """Returns the file of this repository to which an include refers, relative to the root; None for
    other includes."""
    path = PurePosixPath(name)
    if path.parts[:2] == ("fx", "c"):  # the C interface is in tools, but has a shorter path for users
        return PurePosixPath("tools", *path.parts[1:])
    if path.parts[0] == "fx":
        return PurePosixPath(*path.parts[1:])
    return path if path.parts[0] in ABOVE and len(path.parts) > 1 else None


def includes_of(text: str) -> list[tuple[int, str, str, str]]:
    """Returns the line number, line, kind of quote and name of each #include."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := INCLUDE.match(line):
            found.append((number, line, match[1], match[2]))
    return found


def direction_problems(path: PurePosixPath, target: PurePosixPath) -> list[str]:
    """Returns the errors for an include of `target`, a file of this repository, in `path`."""
    problems = []
    top = path.parts[0]
    if top in LAYERS:
        source, other = rule_of(path), rule_of(target)
        if source != other and other not in ALLOWED[source]:
            problems.append(f"{source} may not include {other}")
        source, other = folder_of(path), folder_of(target)
        if target.parts[0] == top and source != other:
            level, below = level_of(source), level_of(other)
            if level is not None and below is not None and below > level:
                problems.append(f"{source} may not include {other}, a higher layer")
        if is_installed_header(path) and not is_installed_header(target):
            problems.append("an installed header may not include a private one")
    if is_internal(target) and top in PRODUCTION:
        private_to = target.parts[:-1][:2]
        if path.parts[:-1][: len(private_to)] != private_to:
            problems.append(f"this header is private to {'/'.join(private_to)}")
    return problems


def findings_in(path: PurePosixPath, text: str) -> list[str]:
    found: list[str] = []
    if str(path) in TEXTS:
        return found
    top = path.parts[0]
    if top in LAYERS and str(path) not in MAY_PRINT:
        for number, line in enumerate(text.splitlines(), 1):
            if PRINTS.search(line) and not COMMENT.match(line):
                found.append(f"{path}:{number}: a library must not print: {line.strip()}")
    for number, line, quote, name in includes_of(text):
        first = PurePosixPath(name).parts[0]

        def report(problem: str) -> None:
            found.append(f"{path}:{number}: {problem}: {line.strip()}")

        if first == "fx":
            target = PurePosixPath(*PurePosixPath(name).parts[1:])
            for problem in direction_problems(path, target):
                report(problem)
        elif first in TORCH_FIRST:
            if top in LAYERS and "torch" not in path.parts:
                report("libtorch may be included only in folders named torch")
            elif top in ABOVE - {"examples"} and "torch" not in path.parts[:-1]:
                report("libtorch may be included only in folders named torch")
        elif top in LAYERS and first in LAYERS | ABOVE and "/" in name:
            report('headers of fxcpp are included as "fx/..."')
        elif quote == '"' and first in LAYERS:
            report('headers of fxcpp are included as "fx/..."')
        elif is_installed_header(path) and "torch" not in path.parts:
            std_or_c = quote == "<" and "/" not in name
            allowed = std_or_c or first == "absl" or first in MAY_INCLUDE.get(str(path), set())
            if not allowed:
                report("an installed header may include only std, absl and fx/")
    return found


def cycles_in(edges: dict[tuple[str, str], int]) -> list[list[str]]:
    """Returns the strongly connected components with more than one folder (Tarjan)."""
    after: dict[str, list[str]] = collections.defaultdict(list)
    for source, target in sorted(edges):
        after[source].append(target)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    cycles: list[list[str]] = []

    def visit(folder: str) -> None:
        index[folder] = low[folder] = len(index)
        stack.append(folder)
        for other in after[folder]:
            if other not in index:
                visit(other)
                low[folder] = min(low[folder], low[other])
            elif other in stack:
                low[folder] = min(low[folder], index[other])
        if low[folder] == index[folder]:
            component = stack[stack.index(folder) :]
            del stack[stack.index(folder) :]
            if len(component) > 1:
                cycles.append(sorted(component))

    for folder in sorted({name for edge in edges for name in edge}):
        if folder not in index:
            visit(folder)
    return cycles


def limit_findings(texts: dict[PurePosixPath, str]) -> list[str]:
    found = []
    files: collections.Counter[PurePosixPath] = collections.Counter()
    for path, text in texts.items():
        if "generated" in path.parts:
            continue
        files[path.parent] += 1
        lines = text.count("\n")
        limit = MAX_HEADER if path.suffix == ".h" else MAX_SOURCE
        if lines > limit:
            found.append(f"{path}: {lines} lines, at most {limit}")
    for folder, number in sorted(files.items()):
        if number > MAX_FILES:
            found.append(f"{folder}: {number} .h and .cpp files, at most {MAX_FILES}")
    return found


def self_test() -> None:
    """Tests the rules themselves, on files that each break one rule."""

    def problems(path: str, text: str) -> int:
        return len(findings_in(PurePosixPath(path), text))

    assert problems("ir/graph/graph.cpp", '#include "fx/passes/cleanup/dce.h"') == 1
    assert problems("ir/graph/graph.cpp", "#include <fmt/format.h>") == 0
    assert problems("ir/graph/graph.h", "#include <fmt/format.h>") == 1
    assert problems("ir/graph/graph.h", '#include "fx/ir/graph/arena_internal.h"') == 1
    assert problems("ir/graph/graph.h", '#include "llvm/ADT/SmallVector.h"') == 1
    assert problems("ir/graph/pool_internal.h", '#include "llvm/ADT/SmallVector.h"') == 0
    assert problems("passes/cleanup/dce.cpp", "#include <torch/torch.h>") == 1
    assert problems("passes/cleanup/dce.cpp", '#include "fx/interp/torch/dispatch/dispatcher.h"') == 1
    assert problems("importers/torch/capture/hook.cpp", "#include <ATen/ATen.h>") == 0
    assert problems("importers/torch/capture/hook.h", '#include "fx/codegen/cpp/cpp.h"') == 1
    assert problems("codegen/cpp/cpp.cpp", '#include "fx/importers/pt2/archive.h"') == 1
    assert problems("tests/ir/graph_test.cpp", "#include <torch/torch.h>") == 1
    assert problems("tests/torch/hook_test.cpp", "#include <torch/torch.h>") == 0
    assert problems("ir/graph/graph.cpp", '#include "ir/graph/node.h"') == 1
    # Sub-folders, and headers private to one.
    assert problems("ir/graph/graph.cpp", '#include "fx/ir/text/parser.h"') == 1
    assert problems("ir/text/parser.cpp", '#include "fx/ir/graph/graph.h"') == 0
    assert problems("ir/ops/generated/rows.cpp", '#include "fx/ir/ops/op_rows_internal.h"') == 0
    assert problems("ir/new_folder/new.cpp", '#include "fx/ir/files/files.h"') == 0
    assert problems("ir/graph/graph.cpp", '#include "fx/ir/new_folder/new.h"') == 1
    assert problems("passes/analysis/order.cpp", '#include "fx/passes/cleanup/dce.h"') == 1
    assert problems("passes/cleanup/dce.cpp", '#include "fx/passes/analysis/order.h"') == 0
    assert problems("passes/shape/shape.cpp", '#include "fx/passes/shape/check/check.h"') == 1
    assert problems("passes/shape/rules/a.cpp", '#include "fx/passes/shape/a_internal.h"') == 0
    assert problems("passes/aten/a.cpp", '#include "fx/passes/shape/a_internal.h"') == 1
    assert problems("tracer/nn/layers.cpp", '#include "fx/tracer/record_internal.h"') == 0
    assert problems("tools/opt.cpp", '#include "fx/tracer/record_internal.h"') == 1
    assert problems("tests/passes/a_test.cpp", '#include "fx/passes/shape/a_internal.h"') == 0
    assert cycles_in({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}) == []
    assert cycles_in({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1}) == [["a", "b", "c"]]
    assert len(limit_findings({PurePosixPath("ir/graph/a.h"): "\n" * 351})) == 1
    assert len(limit_findings({PurePosixPath("ir/ops/generated/a.cpp"): "\n" * 501})) == 0
    assert len(limit_findings({PurePosixPath(f"ir/graph/{i}.h"): "" for i in range(31)})) == 1
    # parity: M25
    assert problems("passes/cleanup/dce.cpp", '  std::cerr << "removed";') == 1
    assert problems("ir/graph/graph.cpp", 'std::fprintf(stderr, "x");') == 1
    assert problems("ir/graph/graph.cpp", "snprintf(buffer, 3, text);") == 0
    assert problems("ir/graph/graph.h", "//   std::cout << print(graph);") == 0
    assert problems("tools/print.cpp", "std::puts(text);") == 0


def main() -> int:
    self_test()
    arguments = [argument for argument in sys.argv[1:] if argument != "--strict"]
    strict = len(arguments) + 1 < len(sys.argv)
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[1])
    texts: dict[PurePosixPath, str] = {}
    for top in sorted(LAYERS | ABOVE):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in {".h", ".cpp"}:
                relative = PurePosixPath(file.relative_to(root).as_posix())
                texts[relative] = file.read_text(errors="replace")

    found: list[str] = []
    edges: collections.Counter[tuple[str, str]] = collections.Counter()
    for path, text in texts.items():
        found += findings_in(path, text)
        if str(path) in TEXTS or path.name == "all.h":  # an umbrella header belongs to a higher layer than its folder
            continue
        for number, line, _, name in includes_of(text):
            target = ours(name)
            if target is None:
                continue
            if not (root / target).is_file():
                found.append(f"{path}:{number}: the file does not exist: {line.strip()}")
            source, other = folder_of(path), folder_of(target)
            if source != other and path.parts[0] in PRODUCTION:
                edges[source, other] += 1
    for cycle in cycles_in(edges):
        inside = [f"{a} -> {b}" for a, b in sorted(edges) if a in cycle and b in cycle]
        found.append(f"a cycle between folders: {', '.join(inside)}")

    for source in sorted({source for source, _ in edges}):
        to = ", ".join(f"{b} {edges[a, b]}" for a, b in sorted(edges) if a == source)
        print(f"{source} -> {to}")
    limits = limit_findings({p: t for p, t in texts.items() if p.parts[0] in PRODUCTION})
    print("\n".join(limits + found))
    print(
        f"{len(texts)} files, {len(edges)} edges between folders, {len(found)} findings, "
        f"{len(limits)} limits exceeded"
    )
    return 1 if found or not texts or (strict and limits) else 0


if __name__ == "__main__":
    sys.exit(main())
