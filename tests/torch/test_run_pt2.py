#!/usr/bin/env python3
"""Compares `fxcpp run` of every .pt2 archive of the corpus with the results that PyTorch recorded.

Each program runs with its weights on the inputs in values.npz; two programs also run on the example
inputs in their archives. All runs must return the recorded results. FXCPP_CORPUS is the folder of the corpus.
Exit status: 0 on success, 1 on failure, 77 without the corpus.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
# The order of additions differs, so bfloat16 results are compared with a tolerance.
TOLERANCES = {"llama_like": "2e-2"}
SUMMARY = re.compile(r"(\d+) results? compared: \d+ bit-equal, 0 different")


def check(model: Path, arguments: list[str]) -> str:
    """Returns the error, or "" if the results are equal."""
    command = [FXCPP, "run", str(model / "model.pt2"), "--check", str(model / "values.npz"),
               "--tolerance", TOLERANCES.get(model.name, "1e-5"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    summary = SUMMARY.search(done.stdout)
    if done.returncode == 0 and summary and int(summary[1]) > 0:
        return ""
    return f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}"


def main() -> int:
    corpus = Path(os.environ.get("FXCPP_CORPUS", ""))
    models = sorted(path.parent for path in corpus.glob("*/model.pt2"))
    if not models:
        print("not run: the corpus is missing")
        return 77
    problems = [check(model, ["--inputs", str(model / "values.npz")]) for model in models]
    # Models whose example inputs equal the inputs in values.npz.
    problems += [check(model, []) for model in models if model.name in {"lenet", "multi_io"}]
    problems = [problem for problem in problems if problem]
    for problem in problems:
        print(problem)
    print(f"{len(models)} archives ran, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
