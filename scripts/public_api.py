#!/usr/bin/env python3
"""Lists the public declarations of the installed headers: tests/golden/public_api.txt.

    scripts/public_api.py            writes the golden file
    scripts/public_api.py --check    fails, with a diff, if it differs from the headers (with
                                     FX_UPDATE_GOLDEN=1 in the environment, writes it instead)
    scripts/public_api.py --count    counts the public functions of each class

The golden file makes a change to the public interface visible in review. Generated headers are not
listed, because their generators have separate checks. Names in namespaces detail and internal are private.

The declaration parser relies on clang-format's spacing, and supports the constructs of this
project's headers: namespaces, classes, enums, functions, variables, aliases and concepts.
"""

from __future__ import annotations

import collections
import difflib
import os
import pathlib
import re
import sys
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden" / "public_api.txt"
FOLDERS = ["ir", "tracer", "interp", "passes", "codegen", "importers", "tools/driver"]
PRIVATE_NAMESPACES = {"detail", "internal", ""}
CLASS = re.compile(r"^(?:template <.*> )?(class|struct|union) (.*)$")


def stripped(text: str) -> str:
    """The text without comments and preprocessor lines; string literals are kept."""
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(
        r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|//[^\n]*|/\*.*?\*/',
        lambda match: match[1] or " ",
        text,
        flags=re.S,
    )
    return re.sub(r"^[ \t]*#[^\n]*$", "", text, flags=re.M)


def tidied(head: str) -> str:
    head = re.sub(r"\s+", " ", head).strip()
    head = re.sub(r"\[\[[^\]]*\]\] ?|\b(?:inline|static constexpr inline) ", "", head)
    head = re.sub(r"\balignas\([^)]*\) ", "", head)
    # The initializer list of a constructor is not part of its signature.
    return re.sub(r"\) (const |noexcept )?: [a-zA-Z_]\w*[({].*$", lambda m: ")" + (" " + m[1].strip() if m[1] else ""), head)


class Parser:
    def __init__(self, text: str) -> None:
        self.text = stripped(text)
        self.at = 0
        self.found: list[tuple[str, str]] = []  # scope, declaration

    def skip_braces(self) -> str:
        """Reads from an opening brace to its closing brace; returns the text between them."""
        start, depth = self.at, 0
        while self.at < len(self.text):
            c = self.text[self.at]
            if c in "\"'":
                self.skip_literal()
                continue
            depth += (c == "{") - (c == "}")
            self.at += 1
            if depth == 0:
                break
        return self.text[start + 1 : self.at - 1]

    def skip_literal(self) -> None:
        quote = self.text[self.at]
        if quote == "'" and self.at and self.text[self.at - 1].isdigit():  # 1'000
            self.at += 1
            return
        self.at += 1
        while self.text[self.at] != quote:
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def scope(self, name: str, reachable: bool, access: str) -> None:
        """Reads declarations up to the brace that closes a scope; `access` is its initial access."""
        head, parens = "", 0

        def finish(text: str) -> None:
            text = tidied(text)
            ignored = ("using namespace", "static_assert", "friend class ", "friend struct ")
            forward = CLASS.match(text) and "(" not in text
            if reachable and access == "public" and text and not forward:
                if not text.startswith(ignored):
                    self.found.append((name, text))

        while self.at < len(self.text):
            c = self.text[self.at]
            if c in "\"'":
                start = self.at
                self.skip_literal()
                head += self.text[start : self.at]
                continue
            parens += (c in "([") - (c in ")]")
            if parens > 0 or c not in "{};:":
                head += c
                self.at += 1
            elif c == ":" and head.strip() in ("public", "private", "protected"):
                access, head = head.strip(), ""
                self.at += 1
            elif c == ":":
                head += c
                self.at += 1
            elif c == ";":
                finish(head)
                head = ""
                self.at += 1
            elif c == "}":
                self.at += 1
                return
            else:
                head = self.braces(name, reachable and access == "public", head, finish)

    def braces(self, name: str, public: bool, head: str, finish: Callable[[str], None]) -> str:
        """Reads the braces after `head`; returns the rest of the declaration."""
        words = tidied(head)
        matched = CLASS.match(words)
        plain, longer = re.sub(r"operator[^\w\s(]+", "operator", words), ""
        while plain != longer:  # default arguments may contain parentheses
            plain, longer = re.sub(r"\([^()]*\)", "", plain), plain
        if words.startswith(("namespace", "extern ")):
            self.at += 1
            inner = words.removeprefix("namespace").strip() if words.startswith("namespace") else ""
            hidden = any(part in PRIVATE_NAMESPACES for part in inner.split("::"))
            self.scope(f"{name}::{inner}".strip(":"), public and not hidden, "public")
            return ""
        if re.match(r"enum\b", words):
            body = re.sub(r"\s+", " ", self.skip_braces()).strip()
            return f"{words} {{{body}}}"
        if matched and "(" not in re.sub(r"<.*>", "", matched[2]):
            self.at += 1
            if public:
                self.found.append((name, words))
            class_name = matched[2].split(" : ")[0].removesuffix(" final")
            self.scope(f"{name}::{class_name}", public, "private" if matched[1] == "class" else "public")
            return ""
        if re.search(r"[^=<>!]=(?!=)", plain):
            self.skip_braces()
            return head + "{...}"
        if ")" in words:
            self.skip_braces()
            while re.match(r"\s*[,{]", self.text[self.at :]):  # braces in an initializer list
                self.at = self.text.index("{", self.at)
                self.skip_braces()
            finish(words)
            return ""
        self.skip_braces()  # a member with an initializer in braces
        return head


def headers() -> list[pathlib.Path]:
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.h")]
    return sorted(path.relative_to(ROOT) for path in found
                  if not path.name.endswith("_internal.h") and "generated" not in path.parts)


def declarations(header: pathlib.Path) -> list[tuple[str, str]]:
    """The scope and text of each public declaration."""
    parser = Parser((ROOT / header).read_text())
    parser.scope("", True, "public")
    return parser.found


def listing() -> str:
    lines = ["# The public declarations of the installed headers; generated by scripts/public_api.py."]
    for header in headers():
        lines.append(f"\n{header.as_posix()}")
        lines += [f"  {scope}: {text}" for scope, text in declarations(header)]
    return "\n".join(lines) + "\n"


def self_test() -> None:
    parser = Parser('''
namespace fx {
class Forward;
/// A comment; with { signs.
class A : public B {
 public:
  explicit A(int x) : x_(x), y_{x} { run({1, 2}); }
  [[nodiscard]] bool ok() const { return x_ == '}'; }
  void set(Options options = {}, std::string_view text = "a;{");
  int operator()(int x = one()) const { return x; }
  friend bool operator==(const A& a, const A& b) { return a.x_ == b.x_; }
  enum class Kind : uint8_t { kOne, kTwo };

 private:
  int x_ = 0;
};
struct S {
  int a = 1;
  std::vector<int> b = {1, 2};
};
namespace detail { int hidden(); }
template <class T>
inline constexpr bool kIs = requires { T(); };
}  // namespace fx
''')
    parser.scope("", True, "public")
    expected = [
        ("fx", "class A : public B"),
        ("fx::A", "explicit A(int x)"),
        ("fx::A", "bool ok() const"),
        ("fx::A", 'void set(Options options = {}, std::string_view text = "a;{")'),
        ("fx::A", "int operator()(int x = one()) const"),
        ("fx::A", "friend bool operator==(const A& a, const A& b)"),
        ("fx::A", "enum class Kind : uint8_t {kOne, kTwo}"),
        ("fx", "struct S"),
        ("fx::S", "int a = 1"),
        ("fx::S", "std::vector<int> b = {...}"),
        ("fx", "template <class T> constexpr bool kIs = requires {...}"),
    ]
    assert parser.found == expected, parser.found


def main() -> int:
    self_test()
    if sys.argv[1:] == ["--count"]:
        counts: collections.Counter[str] = collections.Counter()
        for header in headers():
            for scope, text in declarations(header):
                counts[scope] += "(" in text and not text.startswith(("class ", "struct ", "using "))
        for scope, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            if number:
                print(f"{number:5d}  {scope}")
        print(f"{sum(counts.values()):5d}  public functions in {len(headers())} headers")
        return 0
    if sys.argv[1:] == ["--check"] and os.environ.get("FX_UPDATE_GOLDEN", "0") == "0":
        old = GOLDEN.read_text().splitlines()
        difference = list(difflib.unified_diff(old, listing().splitlines(), "golden", "headers",
                                               lineterm="", n=0))
        if difference:
            print("\n".join([*difference, "", "If this is intended: scripts/public_api.py"]))
        return 1 if difference else 0
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    GOLDEN.write_text(listing())
    return 0


if __name__ == "__main__":
    sys.exit(main())
