"""Runs a Python function in a separate process, with limits on time and memory."""

import json
import os
import resource
import signal
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

Facts = dict[str, Any]


def run(function: Callable[[Path], Facts], seconds: float, gigabytes: float | None = None) -> Facts:
    """Returns function(folder), called in a forked process in which the caller's modules are
    imported. The folder is temporary, and the result must be convertible to JSON. If the function
    raises an error, the result has the keys `error` and `trace`; if the time limit is reached or the
    process is killed, only the key `error`. `gigabytes` limits the data segment of the process."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        file = folder / "facts.json"
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            if gigabytes is not None:
                limit = int(gigabytes * (1 << 30))
                resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
            try:
                facts = function(folder)
            except BaseException as error:
                facts = {"error": f"{type(error).__name__}: {str(error)[:1500]}",
                         "trace": traceback.format_exc(limit=-4)[-1500:]}
            file.write_text(json.dumps(facts))
            os._exit(0)
        end = time.monotonic() + seconds
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if time.monotonic() > end:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return {"error": f"timed out after {seconds} s"}
            time.sleep(0.05)
        return json.loads(file.read_text()) if file.exists() else {"error": "the process was killed"}
