#!/usr/bin/env python3
"""Runs clang-tidy on the given sources in parallel.

    clang_tidy.py BUILD_DIR [--seconds N] [--alone] SOURCE...
    clang_tidy.py BUILD_DIR --complexity 25 SOURCE...

BUILD_DIR contains compile_commands.json. Sources in one folder with the same options are checked in batches
of ten, as FX_UNITY compiles them: most of the time is spent on headers, and a batch takes a quarter of the
time that its sources take separately; the sources of a batch with findings are checked again, each alone. A
batch does not report unused using-declarations; --alone checks each source alone. Precompiled headers are not
used, so that a #include that is missing from the entire batch is found. The script uses PyPI's clang-tidy, in
.venv: since LLVM 21 it does not visit the declarations of system headers, and is ten times faster than
Debian's. A clean source is not checked again while it, the project's headers that it includes, its options
and .clang-tidy are unchanged; the hash is kept in $XDG_CACHE_HOME/fxcpp-tidy. Prints the findings, and exits
with 1 if there are any. Batches are checked in the order of their first sources among the arguments. With
--seconds, no batch is started after N seconds, and the script prints the number of skipped sources. With
--complexity, the script instead lists the functions whose cognitive complexity exceeds N (clang-tidy's
measure), most complex first, and their number; then the sources of a folder form one batch, and the exit
status is 0.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TIDY = str(ROOT / ".venv/bin/clang-tidy")


def cache_folder() -> pathlib.Path:
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "fxcpp-tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def plain_command(entry: dict[str, str]) -> list[str]:
    """The compile command without launchers, precompiled headers and sanitizers."""
    command = shlex.split(entry["command"])
    compiler = next(i for i, word in enumerate(command) if word.startswith("-")) - 1
    dropped = ("-Winvalid-pch", "-fno-pch-timestamp", "-fsanitize", "-fno-sanitize")
    command = [word for word in command[compiler:] if not word.startswith(dropped)]
    # g++: -include FILE; clang: -Xclang -include-pch -Xclang FILE -Xclang -include -Xclang FILE.
    command = [word for word in command if word != "-Xclang"]
    while included := [i for i, word in enumerate(command) if word in ("-include", "-include-pch")]:
        del command[included[0] : included[0] + 2]
    return command


INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
TEXTS: dict[str, bytes] = {}
INCLUDES: dict[str, list[str]] = {}


def included(path: str) -> list[str]:
    """The files of this project that a file includes directly."""
    if path not in INCLUDES:
        TEXTS[path] = pathlib.Path(path).read_bytes()
        names = INCLUDE.findall(TEXTS[path].decode(errors="replace"))
        places = (ROOT / "cmake/include", ROOT, pathlib.Path(path).parent)
        found = ((place / name for place in places if (place / name).is_file()) for name in names)
        INCLUDES[path] = [os.path.realpath(file) for files in found for file in list(files)[:1]]
    return INCLUDES[path]


def stamp_of(entry: dict[str, str], salt: bytes) -> pathlib.Path:
    """The file that exists if this source was clean: its name is a hash of all inputs to the check."""
    digest = hashlib.sha256(salt + shlex.join(options(entry)).encode())
    seen, todo = set(), [os.path.realpath(entry["file"])]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += included(path)
    for path in sorted(seen):
        digest.update(path.encode() + b"\0" + TEXTS[path] + b"\0")
    return cache_folder() / digest.hexdigest()


def options(entry: dict[str, str]) -> list[str]:
    """The compile command without its source and its output."""
    command = plain_command(entry)
    output = command.index("-o")
    del command[output : output + 2]
    return [word for word in command if word != entry["file"]]


def findings(database: pathlib.Path, batch: list[dict[str, str]], number: int) -> str:
    report = findings_together(database, batch, number)
    if not report or len(batch) == 1:
        return report
    # A name or a macro in one source may hide one in another source, so report only what is found when
    # each source is checked alone.
    return "\n".join(dict.fromkeys(alone for entry in batch if (alone := findings_together(database, [entry], number))))


def findings_together(database: pathlib.Path, batch: list[dict[str, str]], number: int) -> str:
    file = pathlib.Path(batch[0]["file"])
    if len(batch) > 1:
        file = database / f"batch_{number}.cpp"
        file.write_text("".join(f'#include "{entry["file"]}"\n' for entry in batch))
    done = subprocess.run(
        [TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", f"--header-filter=^{ROOT}/",
         "--checks=-bugprone-suspicious-include", str(file), "--", *options(batch[0])[1:],
         "-Wno-deprecated-declarations"],  # libstdc++ 12 calls functions that it deprecates (std::stable_sort)
        cwd=batch[0]["directory"],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    return "" if done.returncode == 0 else done.stdout or done.stderr


COMPLEX = re.compile(r"^(\S+?):(\d+):\d+: \w+: (function '.*' has cognitive complexity of (\d+)) ", re.MULTILINE)


def complex_functions(file: pathlib.Path, batch: list[dict[str, str]], threshold: int) -> set[tuple[int, str]]:
    file.write_text("".join(f'#include "{entry["file"]}"\n' for entry in batch))
    check = "readability-function-cognitive-complexity"
    config = f"{{CheckOptions: {{{check}.Threshold: {threshold}, {check}.IgnoreMacros: true, {check}.DescribeBasicIncrements: false}}}}"
    done = subprocess.run(
        [TIDY, "--quiet", f"--checks=-*,{check}", f"--config={config}", f"--header-filter=^{ROOT}/",
         str(file), "--", *options(batch[0])[1:], "-Wno-everything"],
        cwd=batch[0]["directory"], capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "error: " in done.stdout:
        raise SystemExit(done.stdout)
    return {(int(match[4]), f"{os.path.relpath(match[1], ROOT)}:{match[2]}: {match[3]}")
            for match in COMPLEX.finditer(done.stdout) if "/generated/" not in match[1]}  # fmt: skip


def list_complex_functions(entries: list[dict[str, str]], folder: pathlib.Path, threshold: int) -> None:
    batches = batches_of(entries, len(entries))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found: set[tuple[int, str]] = set().union(*pool.map(
            lambda i: complex_functions(folder / f"complexity_{i}.cpp", batches[i], threshold), range(len(batches))))
    for _, line in sorted(found, key=lambda item: (-item[0], item[1])):
        print(line)
    print(f"{len(found)} functions with a complexity greater than {threshold}, {len(entries)} sources")


def batches_of(entries: list[dict[str, str]], size: int) -> list[list[dict[str, str]]]:
    """Batches of at most `size` sources with the same folder and options, ordered by their first sources."""
    batches: list[list[dict[str, str]]] = []
    last: dict[tuple[str, str], list[dict[str, str]]] = {}
    for entry in entries:
        key = (str(pathlib.Path(entry["file"]).parent), shlex.join(options(entry)))
        if key not in last or len(last[key]) == size:
            last[key] = []
            batches.append(last[key])
        last[key].append(entry)
    return batches


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--complexity", type=int, metavar="N")
    parser.add_argument("sources", nargs="*")
    arguments = parser.parse_intermixed_args()  # sources may follow an option
    build, sources, seconds = arguments.build, arguments.sources, arguments.seconds
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
    database = build / "tidy"
    database.mkdir(exist_ok=True)
    if arguments.complexity:
        list_complex_functions(entries, database, arguments.complexity)
        return 0
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    salt = version + (ROOT / ".clang-tidy").read_bytes() + str(arguments.alone).encode()
    stamps = {entry["file"]: stamp_of(entry, salt) for entry in entries}
    batches = batches_of([entry for entry in entries if not stamps[entry["file"]].exists()],
                         1 if arguments.alone else 10)  # fmt: skip
    # Each source that includes a header reports the findings in the header: print them once.
    seen: set[str] = set()
    end = time.monotonic() + seconds if seconds else float("inf")
    left = 0

    def check(number: int) -> str | None:
        return findings(database, batches[number], number) if time.monotonic() < end else None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for batch, report in zip(batches, pool.map(check, range(len(batches)))):
            if report is None:
                left += len(batch)
                continue
            if report and report not in seen:
                print(report, flush=True)
            seen.add(report)
            if not report:
                for entry in batch:
                    stamps[entry["file"]].touch()
    seen.discard("")
    if left:
        print(f"clang-tidy: {left} sources were not checked within {seconds:.0f} s; run scripts/check tidy")
    print(f"clang-tidy: {len(entries) - left} sources, {'findings' if seen else 'no findings'}")
    return 1 if seen or missing else 0


if __name__ == "__main__":
    sys.exit(main())
