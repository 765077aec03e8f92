#!/usr/bin/env python3
"""Runs Python tests, each in a forked process in which torch is already imported.

    python_tests.py [-j 2] [--only REGEX] SCRIPT...

Importing torch and its tracers takes two to three seconds of CPU time, most of a short test's run
time. Each SCRIPT (tests/<folder>/test_<name>.py) also runs as a program; it exits with 0, 1, or 77
if something that it requires is missing. --only, or the variable FX_ONLY, selects scripts by name,
<folder>_<name>. The output of a script is printed when it fails or is skipped.

Exit status: 1 if a script failed, 77 if all were skipped, otherwise 0.
"""

from __future__ import annotations

import argparse
import atexit
import dataclasses
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import IO

TIMEOUT = 600  # seconds for each script


@dataclasses.dataclass
class Run:
    name: str
    started: float
    output: IO[str]


def preload() -> None:
    try:
        import numpy  # noqa: F401
        import torch
        import torch._functorch.aot_autograd
        import torch.export
        import torch.fx.experimental.proxy_tensor  # noqa: F401
    except ImportError:
        pass  # the scripts report this


def start_server(folder: Path) -> None:
    """Lets scripts run the command in a server that has loaded libtorch (command_server/server.cpp),
    if the build has one. The server's socket is in the folder; the server ends with this process."""
    server = os.environ.pop("FX_COMMAND_SERVER", None)
    client = os.environ.pop("FX_COMMAND_CLIENT", None)
    if server is None or client is None:
        return
    path = str(folder / "socket")
    os.environ["FXCPP_SERVER"] = path
    process = subprocess.Popen([os.environ["FXCPP"]], env={**os.environ, "LD_PRELOAD": server})
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
            break
        except OSError:
            if process.poll() is not None:
                sys.exit(f"{server}: exit status {process.returncode}")
            time.sleep(0.02)
    os.environ["FXCPP"] = client


def run_script(script: Path, output: IO[str]) -> None:
    """Runs the script as a program in the child process, and ends the process."""
    status = 1
    try:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        sys.argv = [str(script)]
        sys.path[0] = str(script.parent)
        runpy.run_path(str(script), run_name="__main__")
        status = 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            status = end.code or 0
        else:
            print(end.code, file=sys.stderr)
    except BaseException:  # any exception fails the test
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status & 0xFF)


def name_of(script: Path) -> str:
    return f"{script.parent.name}_{script.stem.removeprefix('test_')}"


def main(folder: Path) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--only", default=os.environ.get("FX_ONLY", ""))
    parser.add_argument("scripts", nargs="+", type=Path)
    options = parser.parse_args()
    waiting = [script.absolute() for script in options.scripts
               if re.search(options.only, name_of(script))]
    if not waiting:
        print(f"no test matches {options.only}")
        return 1
    start_server(folder)
    preload()
    running: dict[int, Run] = {}
    failed: list[str] = []
    skipped: list[str] = []
    total = len(waiting)
    while waiting or running:
        while waiting and len(running) < options.j:
            script = waiting.pop(0)
            output = tempfile.TemporaryFile("w+")
            sys.stdout.flush()
            pid = os.fork()
            if pid == 0:
                run_script(script, output)
            running[pid] = Run(name_of(script), time.monotonic(), output)
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            for child, run in running.items():
                if time.monotonic() - run.started > TIMEOUT:
                    os.kill(child, signal.SIGKILL)
            time.sleep(0.02)
            continue
        if pid not in running:
            continue
        run = running.pop(pid)
        code = os.waitstatus_to_exitcode(status)
        word = {0: "passed", 77: "skipped"}.get(code, f"FAILED ({code})")
        print(f"{run.name}: {word}, {time.monotonic() - run.started:.1f} s", flush=True)
        if code != 0:
            (skipped if code == 77 else failed).append(run.name)
            run.output.seek(0)
            print(run.output.read(), flush=True)
        run.output.close()
    print(f"{total} scripts, {len(failed)} failed, {len(skipped)} skipped"
          + "".join(f"\nFAILED: {name}" for name in failed))
    if failed:
        return 1
    return 77 if len(skipped) == total else 0


if __name__ == "__main__":
    # Scripts end with os._exit(): only this process removes the folder.
    scratch = Path(tempfile.mkdtemp(prefix="fxcpp_tests_"))
    try:
        sys.exit(main(scratch))
    finally:
        shutil.rmtree(scratch)
