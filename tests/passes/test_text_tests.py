#!/usr/bin/env python3
"""Tests that every pass has a text test with a case that the pass must not change.

Exit status: 0 if all passes have one, 1 otherwise.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
FXCPP = os.environ.get("FXCPP", str(REPOSITORY / "build" / "release" / "bin" / "fxcpp"))


def tested_passes() -> set[str]:
    """Returns the passes in the RUN lines of text tests with a case that must not change."""
    names: set[str] = set()
    for path in (REPOSITORY / "tests" / "filecheck" / "passes").iterdir():
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        if re.search(r"must not (change|move)|stay", text, re.IGNORECASE):
            for run in re.findall(r"RUN:.*--passes[ =](\S+)", text):
                names.update(re.findall(r"\w+", re.sub(r"{.*?}|{.*", "", run)))
    return names


def main() -> int:
    listing = subprocess.run([FXCPP, "passes"], capture_output=True, text=True, check=True).stdout
    passes = re.findall(r"^\w+", listing, re.MULTILINE)
    untested = [name for name in passes if name not in tested_passes()]
    for name in untested:
        print(f"{name}: no text test in tests/filecheck/passes with a case that must not change")
    print(f"{len(passes)} passes, {len(untested)} without a text test")
    return 1 if untested or not passes else 0


if __name__ == "__main__":
    sys.exit(main())
