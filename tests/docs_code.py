#!/usr/bin/env python3
"""Builds and runs the code in the documentation as tests.

The words after the three backticks of a block in docs/*.md or README.md determine how it is
checked:

  ```cpp                a complete program (with main): compiled and run; must exit with 0
  ```cpp fragment       statements: the body of a function that may use FX_RETURN_IF_ERROR; compiled
                        with docs/snippet_prelude.h and run; must return an OK status
  ```cpp fragment more  continues the function of the preceding fragment
  ```cpp declarations   code at namespace scope before the following fragments: compiled
  ```cpp nocompile      not checked: code that is incorrect on purpose, or from another project
  ```text output        the output of the preceding program or fragment
  ```fx round-trip      a graph that `fxcpp print` reproduces, except for a line `fx 1`
  ```fx file=a.fx       (or json, ...) the block is written to a file for later console blocks
  ```console            lines that start with `$ fxcpp` are run in a temporary folder with these
                        files. The text after each line must be its output (both streams); a line
                        `...` matches any lines. Other commands (`$ cmake ...`) are not run.
  ```console fails      the same, but the commands must exit with a nonzero status

The word `torch` after any of these marks blocks that require libtorch; builds without libtorch skip
them. FX_UPDATE_GOLDEN=1 updates `text output` and console blocks (without `...`) with the actual
output.

  docs_code.py extract OUT_DIR [--torch] FILE...
      writes OUT_DIR/docs_NAME.cpp (the fragments of NAME.md) and OUT_DIR/docs_NAME_N.cpp (its
      programs), and prints a line for each: source path. CMake builds them.
  docs_code.py run FILE --programs BIN_DIR [--torch] [--fxcpp BINARY] [--link NAME=PATH]...
      runs all blocks of FILE and compares.
"""

import argparse
import dataclasses
import difflib
import fnmatch
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^(`{3,})\s*(.*?)\s*$")


@dataclasses.dataclass
class Block:
    """A fenced block. `line` is the 1-based number of the first line of its content."""

    words: list[str]
    line: int
    lines: list[str]
    # For programs and fragments: the binary, its argument, and the block with the expected output.
    program: str = ""
    argument: str = ""
    output: "Block | None" = None

    @property
    def language(self) -> str:
        return self.words[0] if self.words else ""

    def has(self, word: str) -> bool:
        return word in self.words[1:]

    @property
    def text(self) -> str:
        return "".join(self.lines)


def read_blocks(path: pathlib.Path) -> list[Block]:
    blocks: list[Block] = []
    current: Block | None = None
    fence = ""
    for number, line in enumerate(path.read_text().splitlines(True), 1):
        match = FENCE.match(line)
        if current is None and match:
            fence = match[1]
            current = Block(match[2].split(), number + 1, [])
        elif current is not None and match and match[1] == fence and not match[2]:
            blocks.append(current)
            current = None
        elif current is not None:
            current.lines.append(line)
    if current is not None:
        sys.exit(f"{path}:{current.line - 1}: the block is not closed")
    return blocks


def assign_programs(path: pathlib.Path, blocks: list[Block], torch: bool) -> list[Block]:
    """Sets the binary and the output of each C++ block. Returns the blocks to check."""
    stem = path.stem
    kept: list[Block] = []
    programs = fragments = 0
    in_fragment = False
    last: Block | None = None
    for block in blocks:
        if block.has("torch") and not torch:
            last = None
            continue
        if block.language == "text" and block.has("output"):
            if last is None:
                sys.exit(f"{path}:{block.line}: `text output` must follow a program or fragment")
            last.output = block
            continue
        last = None
        if block.language == "cpp" and not block.has("nocompile"):
            was_in_fragment, in_fragment = in_fragment, block.has("fragment")
            if block.has("fragment"):
                if block.has("more") and not was_in_fragment:
                    sys.exit(f"{path}:{block.line}: `fragment more` has no fragment before it")
                if not block.has("more"):
                    fragments += 1
                block.program, block.argument = f"docs_{stem}", str(fragments)
                last = block
            elif block.has("declarations"):
                block.program = f"docs_{stem}"
            elif re.search(r"\bmain\s*\(", block.text):
                programs += 1
                block.program = f"docs_{stem}_{programs}"
                last = block
            else:
                sys.exit(
                    f"{path}:{block.line}: a cpp block without main: mark it `cpp fragment`, "
                    "`cpp declarations` or `cpp nocompile` (see tests/docs_code.py)"
                )
        kept.append(block)
    return kept


def fragment_source(path: pathlib.Path, blocks: list[Block], prelude: pathlib.Path) -> str:
    """Returns a translation unit with a function for each fragment, and a main that runs the
    selected one."""
    out = [f'#include "{prelude}"\n#include <cstdio>\n#include <cstdlib>\nnamespace {{\n']
    count = 0
    open_function = False
    for block in blocks:
        if block.has("fragment") and block.has("more"):
            out.append(f'#line {block.line} "{path}"\n{block.text}')
            continue
        if open_function:
            out.append("return absl::OkStatus();\n}\n")
            open_function = False
        if block.has("fragment"):
            count += 1
            out.append(f"absl::Status fragment_{count}() {{\n")
            open_function = True
        out.append(f'#line {block.line} "{path}"\n{block.text}')
    if open_function:
        out.append("return absl::OkStatus();\n}\n")
    cases = "".join(f"    case {i}: status = fragment_{i}(); break;\n" for i in range(1, count + 1))
    out.append(
        "}  // namespace\n"
        "int main(int argc, char** argv) {\n"
        "  absl::Status status;\n"
        "  switch (argc > 1 ? std::atoi(argv[1]) : 0) {\n"
        f"{cases}"
        "  }\n"
        '  if (!status.ok()) std::fprintf(stderr, "%s\\n", status.ToString().c_str());\n'
        "  return status.ok() ? 0 : 1;\n"
        "}\n"
    )
    return "".join(out)


def extract(out_dir: pathlib.Path, files: list[pathlib.Path], torch: bool) -> None:
    out_dir.mkdir(parents=True, exist_ok=True)
    for path in files:
        in_functions: list[Block] = []
        sources: dict[str, str] = {}
        for block in assign_programs(path, read_blocks(path), torch):
            if not block.program:
                continue
            if block.has("fragment") or block.has("declarations"):
                in_functions.append(block)
            else:
                sources[block.program] = f'#line {block.line} "{path}"\n{block.text}'
        if in_functions:
            prelude = path.resolve().parent / "snippet_prelude.h"
            if not prelude.exists():
                prelude = path.resolve().parent / "docs" / "snippet_prelude.h"
            sources[in_functions[0].program] = fragment_source(path, in_functions, prelude)
        for name, text in sources.items():
            target = out_dir / f"{name}.cpp"
            if not target.exists() or target.read_text() != text:
                target.write_text(text)
            print(target)


class Runner:
    """Runs the blocks of one file, collects differences, and rewrites the file on request."""

    def __init__(self, path: pathlib.Path, scratch: pathlib.Path, args: argparse.Namespace):
        self.path = path
        self.scratch = scratch
        self.args = args
        self.update = os.environ.get("FX_UPDATE_GOLDEN") == "1"
        self.replacements: list[tuple[Block, str]] = []
        self.failures: list[str] = []
        self.checked = 0

    def fail(self, block: Block, problem: str) -> None:
        self.failures.append(f"{self.path}:{block.line}: {problem}")

    def compare(self, block: Block, expected: str, got: str) -> None:
        if not matches(expected.splitlines(), got.splitlines()):
            self.fail_with_diff(block, expected, got)

    def fail_with_diff(self, block: Block, expected: str, got: str) -> None:
        diff = difflib.unified_diff(
            expected.splitlines(True), got.splitlines(True), "in the document", "actual"
        )
        self.fail(block, "the output differs\n" + "".join(diff))

    def run_program(self, block: Block) -> None:
        command = [str(self.args.programs / block.program)]
        command += [block.argument] if block.argument else []
        done = subprocess.run(
            command, cwd=self.scratch, capture_output=True, text=True, timeout=300, check=False
        )
        self.checked += 1
        if done.returncode != 0:
            self.fail(block, f"exit status {done.returncode}\n{done.stderr}")
        elif block.output is not None:
            if self.update:
                self.replacements.append((block.output, done.stdout))
            else:
                self.compare(block.output, block.output.text, done.stdout)

    def run_console(self, block: Block) -> None:
        # Splits the block into commands; each is followed by its output.
        parts: list[tuple[str, list[str]]] = []
        for line in block.lines:
            if line.startswith("$ "):
                parts.append((line[2:].rstrip("\n"), []))
            elif parts and parts[-1][0].endswith("\\") and not parts[-1][1]:
                parts[-1] = (parts[-1][0] + "\n" + line.rstrip("\n"), [])
            elif parts:
                parts[-1][1].append(line)
        rewritten = []
        for command, expected in parts:
            rewritten.append(f"$ {command}\n")
            if not re.match(r"fxcpp\b", command) or self.args.fxcpp is None:
                rewritten += expected
                continue
            got = self.run_command(block, command)
            if self.update and "...\n" not in expected:
                rewritten.append(got)
            else:
                rewritten += expected
                self.compare(block, "".join(expected), got)
        if self.update:
            self.replacements.append((block, "".join(rewritten)))

    def run_round_trip(self, block: Block) -> None:
        if self.args.fxcpp is None:
            return
        (self.scratch / "round_trip.fx").write_text(block.text)
        got = self.run_command(block, "fxcpp print round_trip.fx")
        expected = block.text.removeprefix("fx 1\n")
        if self.update:
            self.replacements.append((block, block.text.removesuffix(expected) + got))
        elif got != expected:
            self.fail_with_diff(block, expected, got)

    def run_command(self, block: Block, command: str) -> str:
        shell = f"fxcpp() {{ {shlex.quote(str(self.args.fxcpp))} \"$@\"; }}\n{command}"
        done = subprocess.run(
            ["bash", "-c", shell],
            cwd=self.scratch,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        self.checked += 1
        if (done.returncode != 0) != block.has("fails"):
            self.fail(block, f"`{command}`: exit status {done.returncode}\n{done.stdout}")
        return done.stdout

    def run(self, blocks: list[Block]) -> None:
        last_part = {(b.program, b.argument): b for b in blocks if b.program}
        for block in blocks:
            file_name = next((w[5:] for w in block.words[1:] if w.startswith("file=")), None)
            if file_name is not None:
                (self.scratch / pathlib.PurePath(file_name).name).write_text(block.text)
            elif block.program and not block.has("declarations"):
                if last_part[block.program, block.argument] is block:
                    self.run_program(block)
                elif block.output is not None:
                    self.fail(block.output, "the fragment continues in a later block; put its output there")
            elif block.language == "fx" and block.has("round-trip"):
                self.run_round_trip(block)
            elif block.language == "console":
                self.run_console(block)
        if self.replacements:
            self.rewrite()

    def rewrite(self) -> None:
        lines = self.path.read_text().splitlines(True)
        for block, text in sorted(self.replacements, key=lambda r: -r[0].line):
            lines[block.line - 1 : block.line - 1 + len(block.lines)] = [text]
        self.path.write_text("".join(lines))


def matches(pattern: list[str], lines: list[str]) -> bool:
    """Returns whether the lines match the pattern, in which `...` matches any number of lines and,
    inside a line, any text."""
    reach = {0}  # positions in `lines` at which the pattern so far may end
    for expected in pattern:
        if expected.strip() == "...":
            reach = set(range(min(reach), len(lines) + 1)) if reach else set()
            continue
        escaped = "*".join(re.sub(r"([*?\[])", r"[\1]", part) for part in expected.split("..."))
        reach = {
            i + 1 for i in reach if i < len(lines) and fnmatch.fnmatchcase(lines[i], escaped)
        }
    return len(lines) in reach


def run(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="fx_docs_") as scratch:
        for link in args.link:
            name, _, target = link.partition("=")
            (pathlib.Path(scratch) / name).symlink_to(target)
        runner = Runner(args.file, pathlib.Path(scratch), args)
        runner.run(assign_programs(args.file, read_blocks(args.file), args.torch))
    print("\n".join(runner.failures + [f"{runner.checked} checked, {len(runner.failures)} failed"]))
    return 1 if runner.failures else 0


def absolute(path: str) -> pathlib.Path:
    return pathlib.Path(path).resolve()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("extract")
    one.add_argument("out_dir", type=pathlib.Path)
    one.add_argument("files", type=pathlib.Path, nargs="+")
    one.add_argument("--torch", action="store_true")
    two = commands.add_parser("run")
    two.add_argument("file", type=pathlib.Path)
    two.add_argument("--programs", type=absolute, required=True)
    two.add_argument("--fxcpp", type=absolute)
    two.add_argument("--link", action="append", default=[], metavar="NAME=PATH",
                     help="link to create in the scratch folder")
    two.add_argument("--torch", action="store_true")
    args = parser.parse_args()
    if args.command == "extract":
        extract(args.out_dir, args.files, args.torch)
        return 0
    return run(args)


if __name__ == "__main__":
    sys.exit(main())
