#!/usr/bin/env python3
"""Checks the table in README.md in this folder: each named test exists, each row names at least
three additional members, and each input in ../shared/faults has a row, if that folder exists. In
embedding.md, each named test must exist.

Exit status: 0 on success, 1 if the tables have errors.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
INPUTS = TESTS.parent.parent / "shared" / "faults"


def missing(reference: str) -> str:
    """Returns a message if the file or the text in "FILE" or "FILE: TEXT" does not exist, or else ""."""
    path, _, text = reference.partition(": ")
    file = TESTS.parent / path
    if not file.is_file():
        return f"{path} does not exist"
    return "" if text in file.read_text(encoding="utf-8") else f"{path} has no {text}"


def missing_in(row: str) -> list[str]:
    """Returns a message for each test in a row of embedding.md that does not exist."""
    finding, _, tests = row.strip("| ").rsplit(" | ", 2)
    references = re.findall(r"`([^`]+)`", tests)
    return [f"{finding}: {what}" for what in map(missing, references) if what] if references else \
        [f"{finding}: the row names no test"]


def main() -> int:
    readme = (TESTS / "edges" / "README.md").read_text(encoding="utf-8")
    problems: list[str] = []
    rows = [line.strip("| ").split(" | ") for line in readme.splitlines() if re.match(r"\| \d\d-", line)]
    for inputs, tests, members in rows:
        references = re.findall(r"`([^`]+)`", tests)
        problems += [f"{inputs}: {what}" for what in map(missing, references) if what]
        if not references:
            problems.append(f"{inputs}: the row names no test")
        if len(re.split(r"[;,]", members)) < 3:
            problems.append(f"{inputs}: the row has fewer than three members")
    others = readme.partition("\nFrom other issues: ")[2]
    named = set(re.findall(r"\b\d\d-[\w-]+", others + " ".join(row[0] for row in rows)))
    stems = {path.name.partition(".")[0] for path in INPUTS.glob("[0-9][0-9]-*")}
    problems += [f"{stem}: README.md has no row for the input" for stem in sorted(stems - named)]
    problems += [f"{name}: this input does not exist" for name in sorted(named - stems) if stems]
    findings = (TESTS / "edges" / "embedding.md").read_text(encoding="utf-8").splitlines()
    findings = [line for line in findings if line.startswith("| ")][1:]
    problems += [what for row in findings for what in missing_in(row)]
    print(f"{len(findings)} findings from programs that embed fxcpp")
    print("\n".join([*problems, f"{len(rows)} rows, {len(stems)} inputs, {len(problems)} problems"]))
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
