#!/usr/bin/env python3
"""Adds up the logs of scripts/check_programs.

    count_programs.py FOLDER

Prints the number of programs in each check, and the findings by kind.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

FORM = re.compile(r"^(text|JSON|binary|Python \(written\)|C\+\+) +(\d+) +(\d+) +(\d+) +(\d+)$")
PASS = re.compile(r"^([a-z_]+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +\S+$")
TOTAL = re.compile(r"^(\d+) graphs, (\d+) of them without gradients, and (\d+) that do not run")
PYTHON = re.compile(r"(\d+) ((?:loaded|traced)(?:, rejected|, with plain calls)?|findings)(?=, \d|$)")
PROGRAMS = re.compile(r"^((?:typed|partially typed|untyped)[\w, ]*?) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$")
FINDING = re.compile(r"^---- (?!.*: exit status 1$)(.*)$")  # 1: its findings are in the log


def kind_of(finding: str) -> str:
    """The finding without the parts that differ between programs."""
    finding = re.sub(r"random \d+", "random", finding)
    return re.sub(r"\{.*?\}", "", finding)[:100]


def main() -> int:
    counts: Counter[str] = Counter()
    findings: Counter[str] = Counter()
    logs = [log for log in sorted(Path(sys.argv[1]).glob("*.log")) if Path(f"{log}.done").exists()]
    for log in logs:
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            if match := FORM.match(line):
                for name, value in zip(("programs", "same", "rejected"), match.groups()[1:]):
                    counts[f"{match[1]}, {name}"] += int(value)
            elif match := PASS.match(line):
                for name, value in zip(("graphs", "rejected", "changed"), match.groups()[1:]):
                    counts[f"passes, {name}"] += int(value)
            elif match := TOTAL.match(line):
                counts["programs through the passes"] += int(match[1])
                counts["programs that do not run"] += int(match[3])
            elif match := PROGRAMS.match(line):
                for name, value in zip(("programs", "same", "rejected", "illegal"), match.groups()[1:]):
                    counts[f"functionalize, {name}"] += int(value)
            elif re.match(r"^\d+ (loaded|traced|findings)", line):
                for value, name in PYTHON.findall(line):
                    counts[f"Python, {name}"] += int(value)
            elif match := FINDING.match(line):
                findings[kind_of(match[1])] += 1
    print(f"{len(logs)} runs")
    for name, value in sorted(counts.items()):
        print(f"{value:>12,}  {name}")
    print(f"{sum(findings.values())} findings")
    for name, value in findings.most_common():
        print(f"{value:>12,}  {name}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
