#!/usr/bin/env python3
"""Finds project functions that a source file calls without including a header that declares
them.

    missing_includes.py [SOURCE_ROOT]

Unity builds, precompiled headers and the batches of scripts/clang_tidy.py compile a source file
after other source files and their headers, so a missing #include is an error only if the file is compiled
alone.
This script reads text, so its results do not depend on the build. It reports a call to a free
function as FILE:LINE: NAME if a header of the project declares a function with that name at
namespace scope, but the name does not occur in a header that the file includes (directly or
indirectly), and is not declared in the file. It checks only names with an underscore: a
one-word name is often a local function or a standard library function. The compiler checks types and
templates (`scripts/check tidy-all` compiles each file alone).
"""

from __future__ import annotations

import collections
import pathlib
import re
import sys

from include_direction import ABOVE, LAYERS, includes_of, ours

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*", re.MULTILINE)
# Comments, raw strings, strings and characters.
NO_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL
)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
NAMESPACE = re.compile(r"\bnamespace\b[\w:\s]*$")
PREFIX = re.compile(r"\b(?:return|else|co_return|case|throw|not|and|or)\b|&&|\|\|")
CALL = re.compile(r"(?<![\w.:>~])(?:fx::)?([a-z]+_\w*)\s*\(")
DECLARED = re.compile(r"[\w>&*\]]\s+[&*]*([a-z]+_\w*)\(\)")


def code_of(text: str) -> str:
    """Returns the text without #include lines, comments and literals; the number of lines does not
    change."""
    return NO_CODE.sub(lambda match: " " + "\n" * match[0].count("\n"), INCLUDE.sub("", text))


def declared_functions(code: str) -> set[str]:
    """Returns the names of the functions that a header declares at namespace scope."""
    kept, scopes, start = [], [], 0
    for brace in re.finditer(r"[{}]", code):
        if all(scopes):
            kept.append(code[start : brace.start()])
        start = brace.end()
        if brace[0] == "{":
            scopes.append(NAMESPACE.search(code, max(0, brace.start() - 200), brace.start()) is not None)
        elif scopes:
            scopes.pop()
    flat, depth = [], 0
    for piece in re.split(r"([()])", " ".join(kept)):  # without parameters
        if piece == ")":
            depth -= 1
        if depth <= 0:
            flat.append(piece)
        if piece == "(":
            depth += 1
    return set(DECLARED.findall("".join(flat)))


class Tree:
    """The headers and sources in a folder. Each file is read once."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        self.texts: dict[pathlib.Path, str] = {}
        self.words: dict[pathlib.Path, set[str]] = {}
        self.includes: dict[pathlib.Path, list[pathlib.Path]] = {}

    def text(self, file: pathlib.Path) -> str:
        if file not in self.texts:
            self.texts[file] = file.read_text(errors="replace")
        return self.texts[file]

    def included(self, file: pathlib.Path) -> list[pathlib.Path]:
        if file not in self.includes:
            names = [name for _, _, quote, name in includes_of(self.text(file)) if quote == '"']
            candidates = [[self.root / (ours(name) or name), file.parent / name] for name in names]
            self.includes[file] = [path for both in candidates for path in both if path.is_file()]
        return self.includes[file]

    def headers_of(self, source: pathlib.Path) -> set[pathlib.Path]:
        seen: set[pathlib.Path] = set()
        todo = list(self.included(source))
        while todo:
            file = todo.pop()
            if file not in seen:
                seen.add(file)
                todo += self.included(file)
        return seen

    def words_of(self, file: pathlib.Path) -> set[str]:
        if file not in self.words:
            self.words[file] = set(WORD.findall(code_of(self.text(file))))
        return self.words[file]


def missing_in(code: str, provided: set[str], functions: set[str]) -> list[tuple[int, str]]:
    """Returns the line and the name of each function in `functions` that `code` calls without a
    declaration.

    `provided` contains the words in the headers that the source includes.
    """
    code = PREFIX.sub("=", code)  # may precede a call, and is not a type
    found: dict[str, int] = {}
    for match in CALL.finditer(code):
        name = match[1]
        if name in functions and name not in provided and name not in found:
            if not re.search(rf"[\w>\]&*]\s*[&*]*\s[&*]*{name}\s*[=({{;,):\[]|\b{name}\s*=", code):
                found[name] = code.count("\n", 0, match.start()) + 1
    return sorted((line, name) for name, line in found.items())


def self_test() -> None:
    header = "namespace fx {\nbool is_red(int a, int (*f)(int));\nclass A {\n void not_free(int x);\n};\n}"
    functions = declared_functions(header)
    assert functions == {"is_red"}, functions
    assert missing_in("return is_red(1, f);", set(), functions) == [(1, "is_red")]
    assert missing_in("\nx = a && is_red(1, f);", set(), functions) == [(2, "is_red")]
    assert missing_in("return is_red(1, f);", {"is_red"}, functions) == []
    assert missing_in("auto is_red = [] {}; is_red();", set(), functions) == []
    assert missing_in("bool is_red(int a) {}\n b = is_red(1);", set(), functions) == []
    assert missing_in("color.is_red(1); color->is_red(1); Color::is_red(1);", set(), functions) == []
    code = code_of('#include "a_b.h"\nf("a_b(") // c_d(\n/* e\n*/ 1\'000')
    assert code == "\nf( )  \n \n 1'000", code


def main() -> int:
    self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
    tree = Tree(root)
    folders = sorted(LAYERS | ABOVE)
    headers = [file for folder in folders for file in sorted((root / folder).rglob("*.h"))]
    sources = [file for folder in folders for file in sorted((root / folder).rglob("*.cpp"))]
    declaring: dict[str, list[pathlib.Path]] = collections.defaultdict(list)
    for header in headers:
        for name in declared_functions(code_of(tree.text(header))):
            declaring[name].append(header)
    found = 0
    for source in sources:
        provided: set[str] = set().union(*map(tree.words_of, tree.headers_of(source)))
        for line, name in missing_in(code_of(tree.text(source)), provided, declaring.keys()):
            where = " or ".join(str(header.relative_to(root)) for header in declaring[name])
            print(f"{source.relative_to(root)}:{line}: {name}: include {where}")
            found += 1
    print(f"{len(sources)} sources, {len(declaring)} functions in headers, {found} missing")
    return 1 if found or not sources or not declaring else 0


if __name__ == "__main__":
    sys.exit(main())
