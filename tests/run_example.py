#!/usr/bin/env python3
"""Runs an example: usage: run_example.py FOLDER BINARY

Fails if the example fails, or if its output differs from FOLDER/expected_output.txt (if that file
exists). FX_UPDATE_GOLDEN=1 writes that file instead.
"""

import difflib
import os
import pathlib
import subprocess
import sys


def main() -> int:
    folder, binary = pathlib.Path(sys.argv[1]), sys.argv[2]
    done = subprocess.run([binary], cwd=folder, capture_output=True, text=True, check=False)
    sys.stderr.write(done.stderr)
    sys.stdout.write(done.stdout)
    if done.returncode != 0:
        print(f"{folder.name}: exit status {done.returncode}")
        return 1
    golden = folder / "expected_output.txt"
    if os.environ.get("FX_UPDATE_GOLDEN") == "1":
        golden.write_text(done.stdout)
        return 0
    if golden.exists() and golden.read_text() != done.stdout:
        sys.stdout.writelines(
            difflib.unified_diff(
                golden.read_text().splitlines(True),
                done.stdout.splitlines(True),
                str(golden),
                "printed now",
            )
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
