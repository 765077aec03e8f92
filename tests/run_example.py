#!/usr/bin/env python3
"""Runs an example.

    run_example.py FOLDER BINARY

After the binary, runs FOLDER/open.py if torch is installed, and FOLDER/run.py if onnxruntime is
installed, for this interpreter or in the environment that scripts/setup --onnx creates
($FXCPP_ONNX, by default .venv-onnx). Fails if the example fails or if its output differs from FOLDER/expected_output.txt, if that file exists. (If a script is
not run, the output must be a prefix of the file.) FX_UPDATE_GOLDEN=1 updates the file instead.
Exit status: 0 on success, 1 after a failure, 77 if run.py was not run.
"""

import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ONNX = pathlib.Path(os.environ.get("FXCPP_ONNX", ROOT / ".venv-onnx")) / "bin/python"


def python_with(package: str, folder: pathlib.Path) -> str | None:
    """Returns a Python interpreter that has the package installed, or None."""
    for python in (sys.executable, str(ONNX)):
        # tests/torch is next to this file, so find_spec would find it as a package.
        if pathlib.Path(python).exists() and subprocess.run(
                [python, "-c", f"import {package}"], cwd=folder, capture_output=True,
                check=False).returncode == 0:
            return python
    return None


def main() -> int:
    folder, binary = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
    commands: list[list[object]] = [[binary]]
    missing = ""
    for name, package in (("open.py", "torch"), ("run.py", "onnxruntime")):
        if not (folder / name).exists():
            continue
        python = python_with(package, folder)
        if python is None:
            missing = f"{name} was not run because {package} is not installed"
        else:
            commands.append([python, folder / name])
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
    expected = golden.read_text() if golden.exists() else printed
    if missing and expected.startswith(printed):
        print(f"{folder.name}: {missing}")
        return 77 if "run.py" in missing else 0
    if expected != printed:
        sys.stdout.writelines(
            difflib.unified_diff(
                expected.splitlines(True),
                printed.splitlines(True),
                str(golden),
                "actual output",
            )
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
