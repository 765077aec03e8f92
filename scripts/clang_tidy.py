#!/usr/bin/env python3
"""Runs clang-tidy on the given sources in parallel: clang_tidy.py BUILD_DIR [--seconds N] SOURCE...

BUILD_DIR contains compile_commands.json. Precompiled headers are not used, so that a missing #include is
found. The script uses PyPI's clang-tidy, in .venv: since LLVM 21 it does not visit the declarations of
system headers, and is ten times faster than Debian's. A clean source is not checked again while its
preprocessed text and .clang-tidy are unchanged; the hash is kept in $XDG_CACHE_HOME/fxcpp-tidy. Prints
the findings, and exits with 1 if there are any. Sources are checked in the order of the arguments. With
--seconds, no source is started after N seconds, and the script prints the number of skipped sources.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

TIDY = str(pathlib.Path(__file__).resolve().parents[1] / ".venv/bin/clang-tidy")


def cache_folder() -> pathlib.Path:
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "fxcpp-tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def plain_command(entry: dict[str, str]) -> list[str]:
    """The compiler's command without launchers, precompiled headers and sanitizers."""
    command = shlex.split(entry["command"])
    compiler = next(i for i, word in enumerate(command) if word.startswith("-")) - 1
    dropped = ("-Winvalid-pch", "-fsanitize", "-fno-sanitize")
    command = [word for word in command[compiler:] if not word.startswith(dropped)]
    # g++: -include FILE; clang: -Xclang -include-pch -Xclang FILE -Xclang -include -Xclang FILE.
    command = [word for word in command if word != "-Xclang"]
    while included := [i for i, word in enumerate(command) if word in ("-include", "-include-pch")]:
        del command[included[0] : included[0] + 2]
    return command


def preprocessed(entry: dict[str, str]) -> bytes:
    """The text that clang-tidy reads, including comments (for NOLINT); empty on an error."""
    command = plain_command(entry)
    output = command.index("-o")
    del command[output : output + 2]
    command[command.index("-c")] = "-E"
    # -C keeps comments, -P drops paths; -MD and similar options would write files.
    dependency_options = {"-MD": 1, "-MT": 2, "-MF": 2}
    kept, i = [], 0
    while i < len(command):
        skip = dependency_options.get(command[i], 0)
        if not skip:
            kept.append(command[i])
        i += skip or 1
    done = subprocess.run(
        kept + ["-C", "-P"], cwd=entry["directory"], capture_output=True, check=False
    )
    return done.stdout if done.returncode == 0 else b""


def findings(database: pathlib.Path, entry: dict[str, str], salt: bytes) -> str:
    text = preprocessed(entry)
    stamp = cache_folder() / hashlib.sha256(salt + text).hexdigest()
    if text and stamp.exists():
        stamp.touch()
        return ""
    done = subprocess.run(
        # libstdc++ 12 calls functions that it deprecates (std::stable_sort).
        [TIDY, "-p", str(database), "--quiet", "--extra-arg=-Wno-deprecated-declarations", entry["file"]],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        if text:
            stamp.touch()
        return ""
    return done.stdout or done.stderr


def main() -> int:
    build = pathlib.Path(sys.argv[1])
    sources, seconds = sys.argv[2:], 0.0
    if sources[:1] == ["--seconds"]:
        seconds, sources = float(sources[1]), sources[2:]
    order = {os.path.realpath(source): i for i, source in enumerate(sources)}
    entries = [
        entry
        for entry in json.loads((build / "compile_commands.json").read_text())
        if os.path.realpath(entry["file"]) in order
    ]
    entries.sort(key=lambda entry: order[os.path.realpath(entry["file"])])
    missing = order.keys() - {os.path.realpath(entry["file"]) for entry in entries}
    for source in sorted(missing):
        print(f"{source}: not in {build}/compile_commands.json")
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    salt = version + pathlib.Path(".clang-tidy").read_bytes()
    database = build / "tidy"
    database.mkdir(exist_ok=True)
    plain = [{**entry, "command": shlex.join(plain_command(entry))} for entry in entries]
    (database / "compile_commands.json").write_text(json.dumps(plain))
    # Each source that includes a header reports the findings in the header: print them once.
    seen: set[str] = set()
    end = time.monotonic() + seconds if seconds else float("inf")
    left = 0

    def check(entry: dict[str, str]) -> str | None:
        return findings(database, entry, salt) if time.monotonic() < end else None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for report in pool.map(check, entries):
            if report is None:
                left += 1
                continue
            if report and report not in seen:
                print(report, flush=True)
            seen.add(report)
    seen.discard("")
    if left:
        print(f"clang-tidy: {left} sources are not checked, {seconds:.0f} s are over: scripts/check tidy")
    print(f"clang-tidy: {len(entries) - left} sources, {'findings' if seen else 'no findings'}")
    return 1 if seen or missing else 0


if __name__ == "__main__":
    sys.exit(main())
