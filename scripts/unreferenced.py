#!/usr/bin/env python3
"""Lists functions in headers that no other file refers to.

    scripts/unreferenced.py              public functions without a reference outside their own
                                         files (x.h, x.cpp) and test (x_test.cpp)
    scripts/unreferenced.py --no-tests   a reference from another test or a benchmark does not count
    scripts/unreferenced.py --internal   member functions in headers, including private ones, whose
                                         name occurs once in the tree: declared, never defined
    scripts/unreferenced.py --count      only the number of functions

References are found by name in code, documentation and examples, so a function with a common name
(`size`) is never listed. A public function of the library may have no caller in this tree: review the
list before deleting functions. Exit status 0.
"""

from __future__ import annotations

import collections
import pathlib
import re
import subprocess
import sys

from public_api import declarations, headers, stripped

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORD = re.compile(r"[A-Za-z_]\w*")
NOT_FUNCTIONS = ("class ", "struct ", "using ", "enum ", "friend ", "concept ")
OWN_TESTS = ("_test", "_corpus_test")


def sources() -> dict[pathlib.Path, collections.Counter[str]]:
    """The words of each file, without the comments of C++ files."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, capture_output=True, text=True, check=True)
    words = {}
    for name in listed.stdout.splitlines():
        path = pathlib.Path(name)
        if path.suffix not in {".h", ".cpp", ".md", ".fx"} or not (ROOT / path).exists():
            continue
        if name.startswith(("tests/golden", "docs/parity")):
            continue
        text = (ROOT / path).read_text(errors="replace")
        if path.suffix in {".h", ".cpp"}:
            text = stripped(text)
        words[path] = collections.Counter(WORD.findall(text))
    return words


def function_name(declaration: str) -> str | None:
    """The name of a declared function; None for other declarations, operators, constructors, and
    overrides, which are called through their base classes."""
    declaration = re.sub(r"^template <.*?> (?=\w)", "", declaration)
    if declaration.startswith(NOT_FUNCTIONS) or "operator" in declaration:
        return None
    if declaration.endswith(" override"):
        return None
    matched = re.match(r"([^(]*[\s*&>])([a-z_]\w*)\(", declaration)
    return matched[2] if matched else None


def is_own(path: pathlib.Path, header: pathlib.Path) -> bool:
    stem = header.stem.removesuffix("_internal")
    if path.parent == header.parent:
        return path.stem.removesuffix("_internal") == stem
    return path.parts[0] == "tests" and any(path.stem == stem + end for end in OWN_TESTS)


def unreferenced(without_tests: bool) -> list[str]:
    words = sources()
    places: dict[str, list[pathlib.Path]] = collections.defaultdict(list)
    for path, counter in words.items():
        if without_tests and path.parts[0] in {"tests", "bench"}:
            continue
        for word in counter:
            places[word].append(path)
    lines = []
    for header in headers():
        for scope, declaration in declarations(header):
            name = function_name(declaration)
            if name is None or any(not is_own(path, header) for path in places[name]):
                continue
            inside = sum(words[path][name] for path in places[name] if path.parts[0] != "tests")
            lines.append(f"{header}: {scope}::{name}" + ("" if inside > 2 else "  (never called)"))
    return lines


def declared_only() -> list[str]:
    total: collections.Counter[str] = collections.Counter()
    words = sources()
    for path, counter in words.items():
        if path.suffix in {".h", ".cpp"}:
            total.update(counter)
    lines = []
    for path in sorted(words):
        if path.suffix != ".h":
            continue
        for line in stripped((ROOT / path).read_text()).splitlines():
            matched = re.match(r"\s+(?:static |virtual )?[\w:<>*&, ]+[\s*&>]([a-z_]\w*)\(.*", line)
            if matched and total[matched[1]] == 1:
                lines.append(f"{path}: {matched[1]}")
    return lines


def main() -> int:
    options = set(sys.argv[1:])
    if not options <= {"--no-tests", "--internal", "--count"}:
        print(__doc__.strip())
        return 0 if options & {"--help", "-h"} else 2
    lines = declared_only() if "--internal" in options else unreferenced("--no-tests" in options)
    print(len(lines) if "--count" in options else "\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
