#!/usr/bin/env python3
"""Runs an example: usage: run_example.py FOLDER BINARY

Runs FOLDER/open.py after the binary, if it exists and Python has torch. Fails if the example fails, or if
its output differs from FOLDER/expected_output.txt (if that file exists). FX_UPDATE_GOLDEN=1 writes that
file instead.
"""

import difflib
import os
import pathlib
import subprocess
import sys
import tempfile


def main() -> int:
    folder, binary = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
    commands, script = [[binary]], folder / "open.py"
    # tests/torch is beside this file, so that find_spec would find a package.
    has_torch = script.exists() and subprocess.run(
        [sys.executable, "-c", "import torch"], cwd=folder, capture_output=True, check=False).returncode == 0
    if has_torch:
        commands.append([sys.executable, script])
    printed = ""
    with tempfile.TemporaryDirectory() as temporary:  # for the files that the example writes
        for command in commands:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                                  env={**os.environ, "TMPDIR": temporary})
            sys.stderr.write(done.stderr)
            sys.stdout.write(done.stdout)
            printed += done.stdout
            if done.returncode != 0:
                print(f"{folder.name}: exit status {done.returncode}")
                return 1
    golden = folder / "expected_output.txt"
    if os.environ.get("FX_UPDATE_GOLDEN") == "1":
        golden.write_text(printed)
        return 0
    if script.exists() and not has_torch:
        print(f"{folder.name}: open.py did not run, since Python has no torch")
    elif golden.exists() and golden.read_text() != printed:
        sys.stdout.writelines(
            difflib.unified_diff(
                golden.read_text().splitlines(True),
                printed.splitlines(True),
                str(golden),
                "printed now",
            )
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
