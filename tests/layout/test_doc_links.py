#!/usr/bin/env python3
"""Checks that the targets of links, headers and paths in the documentation exist.

In README.md, docs/*.md and README files of folders, checks the targets and anchors of relative
links; headers in "fx/..." and `fx/...`; and paths in `...` that start with a top-level folder
(except in docs/parity.md, which may list planned paths).

Exit status: 0 on success, 1 if a target is missing.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOP = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADER = re.compile(r'"(fx/[\w/]+\.h)"|`"?(fx/[\w/]+\.h)"?`')
PATH = re.compile(r"`([\w./-]+/[\w./-]*)`")
# Outputs of builds and runs, and placeholders.
GENERATED = re.compile(r"^build/|/NAME|/FOLDER|<|\*")


def anchors(page: Path) -> set[str]:
    """Returns the anchors that GitHub creates for headings."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), flags=re.M):
        text = re.sub(r"[^\w\- ]", "", heading.lower()).strip()
        found.add(text.replace(" ", "-"))
    return found


def problems_in(page: Path) -> list[str]:
    found = []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        def report(what: str) -> None:
            found.append(f"{page.relative_to(ROOT)}:{number}: {what} does not exist")

        for target in LINK.findall(line):
            if "://" in target or line.startswith("    "):  # code
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                report(target)
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                report(f"heading {target}")
        for names in HEADER.findall(line):
            name = names[0] or names[1]
            if not GENERATED.search(name) and not (ROOT / "cmake/include" / name).exists():
                report(name)
        for path in PATH.findall(line) if page.name != "parity.md" else []:
            if path.split("/")[0] in TOP and not GENERATED.search(path) and not (ROOT / path).exists():
                report(path)
    return found


def main() -> int:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    pages += sorted(page for top in TOP - {"build", "docs"} for page in (ROOT / top).rglob("README.md"))
    found = [problem for page in pages for problem in problems_in(page)]
    print("\n".join([*found, f"{len(pages)} pages, {len(found)} findings"]))
    return 1 if found or len(pages) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
