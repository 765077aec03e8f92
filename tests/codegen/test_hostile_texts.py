#!/usr/bin/env python3
"""Tests malicious text, which could become code, in every location of emitted code that contains
text from a graph.

    test_hostile_texts.py [--all] [--only PATTERN]

Locations: names of nodes, inputs and graphs; paths of weights, modules, metadata; string arguments
to operators; the name of the folder. For each location, graphs with all of the texts are written as
C++ in a folder (compiled with warnings as errors, run, results compared), as C++ with modules as
structs (compiled), and as a Python module (imported, run, results compared). If the code
cannot contain a text, the error must state its location. Only the graph's code may
run. With --all, each text is also tested in a separate graph, and each folder is built with its
CMakeLists.txt.
Exit status: 0 on success, 1 on failure, 77 without torch or in a build without it.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import keyword
import os
import re
import subprocess
import sys
import tempfile
import types
import warnings
from pathlib import Path

import cpp_models
import torch
from cpp_models import FXCPP, TORCH

# A text that is executed as code creates a file with this name.
MARK = "got_out"
RUN = f'system("touch {MARK}");'
RUN_PYTHON = f'open("{MARK}", "w")'

QUOTES = [
    '"', "'", '"""', "'''", "\\", '\\"', '\\\\"', '";', f'"; {RUN} //', f'"); {RUN} ("', f"'); {RUN} ('",
    f'""" ; {RUN_PYTHON} ; """', f"''' ; {RUN_PYTHON} ; '''", f"' + str({RUN_PYTHON}) + '",
    f'{{{RUN_PYTHON}}}', f'%s {{0}} {{{{x}}}} $(touch {MARK}) `touch {MARK}`', 'R"(', ')"', f')"; {RUN} //',
    f')text"; {RUN} R"text(', 'u8"x"_s', 'f"{x}"', "b'\\x00'",
]
COMMENTS = [
    "*/", "/*", "//", f"*/ {RUN} /*", "// \\", "x \\", "x ??/", f"??/\n{RUN}", "??=define x y", "#", "# -*- coding: x -*-",
    f"x\n{RUN}", f"x\n{RUN_PYTHON}", f"x\r{RUN}", f"x\r\n{RUN_PYTHON}\r\n", f"x\v{RUN}", f"x\f{RUN_PYTHON}", "x\n#error",
    "x\n#include </dev/null>", "\n#line 1 \"y\"", "#define at std", "%:define", "_Pragma(\"once\")", "<!-- -->", "<%", "]]>",
    "x\x1b[31m", "\t", " ", "", "\b\x07",
]
WIDE = [
    "x\u2028" + RUN, "x\u2029" + RUN_PYTHON, "x\x85" + RUN, "\u202e" + "gro tuo", "\ufeff", "\u00e9t\u00e9", "\u03b1", "e\u0301",
    "\U0001f600", "\uff21", "\u212b", "\u00aa", "\u0663", "\x00", f"x\x00{RUN}", "\x7f", "\x80", "\udcff\udcfe", "a\udcc3", "\udced\udca0\udc80",
]
WORDS = [
    "int", "and", "operator", "co_await", "requires", "import", "module", "final", "override", "class", "def", "lambda", "None", "True",
    "nonlocal", "async", "match", "print", "self", "torch", "at", "std", "c10", "main", "assert", "forward", "members", "main()", "EOF", "NULL",
    "NAN", "INFINITY", "errno", "linux", "__LINE__", "__FILE__", "__attribute__", "__name__", "__class__", "__init__", "__debug__", "_", "__", "_1", "1", "1x", "-1",
    "size_t", "int64_t", "Model", "model", "value", "device", "inf", "nan", "NoneType", "pytree", "fx_pytree", "load", "trace", "arguments",
    "MEMBERS", "INPUTS", "NAME", "_read", "training", "weight", "reset", "add", "x__y", "std::abort()", "at::Tensor", "this->x", "a.b", "b..c", ".a", "a.",
    "../up", "../../etc/passwd", "/tmp/x", "C:\\x", "~", "$HOME", "*", "a;b", "@", "n" * 10_000, "\\N{BULLET}", "\\u0022", "\\x22", "%d%n", "a b=1",
]
TEXTS = [text.encode("utf-8", "surrogateescape") for text in QUOTES + COMMENTS + WIDE + WORDS]
WORDS_ONLY = [text.encode() for text in WORDS]
# Texts that are rejected for Python: parameters that are not identifiers, and members with the same
# name as an attribute of nn.Module.
NO_PYTHON = {
    "inputs": [t.encode() for t in QUOTES + COMMENTS + WORDS
               if not t.isidentifier() or keyword.iskeyword(t) or t in ("self", "__debug__", "torch")],
    "members": [b"forward", b"training", b"__class__", b"__init__"],
    "graphs": [b"forward", b"training", b"__class__", b"__init__"],
}


def quoted(text: bytes) -> str:
    """Quotes any bytes as in .fx text."""
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .-"
    return '"' + "".join(chr(b) if b in plain else f"\\x{b:02x}" for b in text) + '"'


X = torch.tensor([1.0, 2.0])


class Net:
    """A graph of f32[2] values that is being built, its expected result, and the tensors in its
    data file."""

    def __init__(self, name: bytes = b"net") -> None:
        self.name, self.placeholders, self.nested, self.lines = name, ["%x : f32[2]"], [], []
        self.data, self.last, self.result = {"x": X}, "%x", X
        self.count = 0

    def add(self, value: str, text: bytes | None = None, meta: str = "", result: torch.Tensor | float = 1) -> None:
        """Adds `value` to the sum with a node whose name is `text`."""
        name = f"%sum_{self.count}_of" if text is None else f"%{quoted(text)}"
        self.lines.append(f"  {name} : f32[2] = aten.add.Tensor({self.last}, {value}){meta}")
        self.last, self.count, self.result = name, self.count + 1, self.result + result

    def text(self) -> str:
        return "\n".join([f"fx 1\ngraph @{quoted(self.name)}(", *(f"    {p}," for p in self.placeholders), ") {",
                          *self.nested, *self.lines, f"  return {self.last}", "}", ""])


def is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def nodes(net: Net, texts: list[bytes]) -> None:
    for text in texts:
        net.add("1", text)


def inputs(net: Net, texts: list[bytes]) -> None:
    for i, text in enumerate(texts):
        if text.startswith(b"*"):  # as torch.fx writes *args
            continue
        net.placeholders.append(f'%{quoted(text)} : f32[2] !{{input={{"kind": "user_input", "index": {i}}}}}')
        net.data[f"in.{i}"] = X + i
        net.add(f"%{quoted(text)}", result=X + i)


def weights(net: Net, texts: list[bytes]) -> list[str]:
    """Returns the texts that may be paths of weights in a safetensors file, and adds the
    weights."""
    found = [text.decode() for text in texts if text and is_utf8(text) and text.decode() not in net.data]
    for i, text in enumerate(found):
        net.data[text] = X + i
    return found


def members(net: Net, texts: list[bytes]) -> None:
    for i, text in enumerate(weights(net, texts)):
        net.lines.append(f"  %w{i} : f32[2] = get_attr {quoted(text.encode())}")
        net.add(f"%w{i}", result=X + i)


def parameters(net: Net, texts: list[bytes]) -> None:
    for i, text in enumerate(weights(net, texts)):
        target = f'!{{input={{"kind": "parameter", "target": {quoted(text.encode())}}}}}'
        net.placeholders.append(f"%p{i} : f32[2] {target}")
        net.add(f"%p{i}", result=X + i)


def meta(net: Net, texts: list[bytes]) -> None:
    for text in texts:
        t = quoted(text)
        net.add("1", meta=f" !{{stack_trace={t}, note={t}, {quoted(b'key ' + text)}={t}, table={{{t}: [{t}]}}}}")


def modules(net: Net, texts: list[bytes]) -> None:
    """Adds calls in nested modules, for which --modules emits structs."""
    for text in texts:
        for path in (text, b"outer." + text, text + b".inner"):
            net.add("1", meta=f" !{{module={quoted(path)}, module_class={quoted(text)}}}")


def strings(net: Net, texts: list[bytes]) -> None:
    net.lines += ["  %yes : b8[2] = aten.gt.Scalar(%x, 0)", "  %all : b8[] = aten.all.default(%yes)"]
    for i, text in enumerate(texts):
        if is_utf8(text):
            net.lines.append(f"  %assert{i} = aten._assert_async.msg(%all, {quoted(text)})")


def graphs(net: Net, texts: list[bytes]) -> None:
    """Adds nested graphs with these names."""
    net.lines += ["  %any : b8[2] = aten.gt.Scalar(%x, 0)", "  %one : b8[] = aten.any.default(%any)"]
    for i, text in enumerate(texts):
        t = quoted(text)
        net.nested.append(f"  graph @{t}(%a : f32[2]) {{\n    %b : f32[2] = aten.add.Tensor(%a, 1)\n    return (%b,)\n  }}")
        net.lines.append(f"  %branch{i} = higher_order.cond(%one, @{t}, @{t}, (%x,))")
        net.lines.append(f"  %taken{i} : f32[2] = operator.getitem(%branch{i}, 0)")
        net.add(f"%taken{i}", result=X + 1)


LOCATIONS = {location.__name__: location for location in
          (nodes, inputs, members, parameters, meta, modules, strings, graphs)}


def one_location(location: str, texts: list[bytes]) -> Net:
    net = Net()
    LOCATIONS[location](net, texts)
    return net


def all_locations(texts: list[bytes], name: bytes) -> Net:
    """Puts each text in two locations. Locations whose names could collide have different texts."""
    net = Net(name)
    for share, locations in enumerate(((nodes, members), (inputs, parameters), (graphs, modules), (meta, strings))):
        for location in locations:
            location(net, texts[share::4])
    return net


# ---- emitted code


def run(*command: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", cwd=cwd)


class Failures:
    """Findings, and the number of checks."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.fine = self.rejected = 0

    def add(self, label: str, text: str) -> None:
        self.found.append(f"{label}: {text}"[:1500])
        print("FAIL", self.found[-1], flush=True)


def write(net: Net, folder: Path) -> Path:
    folder.mkdir()
    graph = folder / "g.fx"
    graph.write_text(net.text())
    cpp_models.write_safetensors(folder / "g.safetensors", {**net.data, "out.0": net.result})
    return graph


def check_cpp(failures: Failures, label: str, graph: Path, options: list[str], builds: bool) -> None:
    folder = graph.parent / "folder"
    emitted = run(FXCPP, "emit", graph, "--to", "folder", *options, "-o", folder, "--force")
    if emitted.returncode != 0:
        return failures.add(label, "emit: " + emitted.stderr)
    if builds:
        steps = (["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={TORCH}"],
                 ["cmake", "--build", folder / "build"], ["ctest", "--test-dir", folder / "build"])
        for step in steps:
            done = run(*step, cwd=graph.parent)
            if done.returncode != 0:
                return failures.add(label, f"{step[0]}: {done.stdout[-700:]}{done.stderr[-700:]}")
    else:
        fine, text = cpp_models.compile_and_run(folder)
        if not fine or not text.startswith("1 result compared: 1 bit-equal"):
            return failures.add(label, text)
    if list(graph.parent.rglob(MARK)) or Path(MARK).exists():
        return failures.add(label, "a text was run as code")
    failures.fine += 1


def is_rejected(stderr: str, error: Exception | None = None) -> bool:
    """Returns True if the error is that a name is invalid in Python: a parameter must be an
    identifier, and a member must not have the same name as an attribute of nn.Module."""
    if error is not None:
        return isinstance(error, KeyError) and "modules have another attribute" in str(error)
    return re.match(r"fxcpp emit: (placeholder|node) .*; change the target of the placeholder\n", stderr, re.DOTALL) is not None


def check_python(failures: Failures, label: str, graph: Path, net: Net) -> None:
    emitted = run(FXCPP, "emit", graph, "--to", "python", "-o", graph.parent / "g.py")
    if emitted.returncode != 0:
        if emitted.returncode == 1 and is_rejected(emitted.stderr):
            failures.rejected += 1
            return
        return failures.add(label, "emit: " + emitted.stderr)
    try:
        module = types.ModuleType("emitted")
        with warnings.catch_warnings(action="error"):  # for example, an invalid escape
            code = compile((graph.parent / "g.py").read_bytes(), "emitted", "exec")
        exec(code, module.__dict__)
        result = module.load(net.data)(*module.arguments(str(graph.with_suffix(".safetensors"))))
    except Exception as error:
        if is_rejected("", error):
            failures.rejected += 1
            return
        return failures.add(label, f"python: {type(error).__name__}: {error}")
    if not torch.equal(result, net.result):
        return failures.add(label, "python: different result")
    if list(graph.parent.rglob(MARK)) or Path(MARK).exists():
        return failures.add(label, "a text was run as code")
    failures.fine += 1


def check_folder_names(failures: Failures, work: Path, texts: list[bytes]) -> None:
    """Checks that the files do not depend on the name of the folder."""
    net = Net()
    net.add("1")
    graph = write(net, work / "named")
    names = [t for t in texts if t and t not in (b".", b"..") and len(t) < 256 and not {0, 47} & set(t)]
    folders = [graph.parent / "plain", *(graph.parent / "any" / os.fsdecode(name) for name in names)]
    (graph.parent / "any").mkdir()
    written = []
    for folder in folders:
        emitted = subprocess.run([FXCPP, "emit", graph, "--to", "folder", "-o", folder], capture_output=True)
        written.append({file.name: file.read_bytes() for file in folder.iterdir()} if folder.is_dir() else {})
        if emitted.returncode != 0 or not written[-1] or written[-1] != written[0]:
            return failures.add(f"a folder with the name {folder.name[:40]!r}", emitted.stderr.decode(errors="replace"))
    failures.fine += 1


def check_sample(work: Path, failures: Failures) -> None:
    """Runs the cases for ctest: C++ with all locations in one graph, and Python with each text in each
    location."""
    check_folder_names(failures, work, TEXTS[::8])
    net = all_locations(TEXTS, b'*/ }; """\n#error ' + TEXTS[8])
    check_cpp(failures, "all locations, C++", write(net, work / "cpp"), ["--modules"], builds=False)
    for location in LOCATIONS:
        texts = WORDS_ONLY if location == "inputs" else TEXTS
        net = one_location(location, [text for text in texts if text not in NO_PYTHON.get(location, ())])
        check_python(failures, f"{location}, Python", write(net, work / location), net)


def check_each(work: Path, failures: Failures, pattern: str) -> None:
    jobs = []
    for location in LOCATIONS:
        net = one_location(location, TEXTS)
        for options in ([], ["--modules"]):
            label = f"{location}, folder {' '.join(options)}"
            graph = write(net, work / re.sub(r"\W+", "_", label))
            jobs.append((label, lambda l=label, g=graph, o=options: check_cpp(failures, l, g, o, builds=True)))
        for i, text in enumerate(TEXTS):
            net, label = one_location(location, [text]), f"{location}, Python, {text[:40]!r}"
            jobs.append((label, lambda l=label, n=net, f=f"{location}_{i}":
                         check_python(failures, l, write(n, work / f), n)))
    jobs.append(("folder names", lambda: check_folder_names(failures, work, TEXTS)))
    for i, text in enumerate(TEXTS):
        net, label = Net(text), f"graph name, {text[:40]!r}"
        net.add("1")
        graph = write(net, work / f"name_{i}")
        jobs.append((label, lambda l=label, g=graph, n=net: (check_python(failures, l, g, n), check_syntax(failures, l, g))))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda job: job[1](), [job for job in jobs if re.search(pattern, job[0])]))


def check_syntax(failures: Failures, label: str, graph: Path) -> None:
    emitted = run(FXCPP, "emit", graph, "--to", "cpp", "-o", graph.parent / "g.cpp")
    if emitted.returncode != 0:
        return failures.add(label, "emit: " + emitted.stderr)
    done = run(cpp_models.CXX, *cpp_models.COMPILE, "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
               *cpp_models.precompiled(), graph.parent / "g.cpp")
    if done.returncode != 0:
        return failures.add(label, done.stderr)
    failures.fine += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--all", action="store_true", help="also test each text separately, and build each folder")
    parser.add_argument("--only", default="", help="with --all: regular expression for labels")
    arguments = parser.parse_args()
    if run(FXCPP, "capture", "--list").returncode != 0:
        print("not run: fxcpp was built without libtorch")
        return 77
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # a text that is executed as code creates its file here
        if arguments.all:
            check_each(Path(folder), failures, arguments.only)
        else:
            check_sample(Path(folder), failures)
    print(f"{len(TEXTS)} texts, {len(LOCATIONS)} locations: {failures.fine} fine, {failures.rejected} rejected, "
          f"{len(failures.found)} failures")
    return 1 if failures.found else 0


if __name__ == "__main__":
    sys.exit(main())
