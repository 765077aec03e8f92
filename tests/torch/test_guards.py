#!/usr/bin/env python3
"""Tests that every way to run a graph checks its assumptions about sizes: all modes of
fxcpp run, emitted Python, and emitted C++; and those of a program of torch.export.

Every graph runs at valid sizes, with the same results as the program, and at sizes that violate a
guard, a range, or the equality of two sizes. In the latter case, the run must fail with a message
that names the violated condition. A program that is specialized for numbers, strings and None rejects
other values. Exit status: 0 on success, 1 on failure, 77 without torch.
"""

import os
import subprocess
import sys
import tempfile
import types
from pathlib import Path

try:
    import torch
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[1] / "codegen"))
from cpp_models import write_safetensors  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")

# Each case: a graph, its function, and sizes of its inputs with the expected message ("" if the
# sizes are valid).
CASES = [
    (
        """graph(%x : f32[n, 3], %y : f32[m, 3], %z : f32[Min(n, 6)]) {
  !symbols = {"n": {"min": 1, "max": 12}}
  %s : f32[n, 3] = aten.add.Tensor(%x, %y)
  %r = aten.select.int(%s, 0, 4)
  %m = aten.mean.dim(%x, [0])
  return (%r, %m, %z)
}
""",
        lambda x, y, z: [(x + y)[4], x.mean(0), z],
        [
            ([(6, 3), (6, 3), (6,)], ""),
            ([(9, 3), (9, 3), (6,)], ""),
            ([(5, 3), (5, 3), (5,)], ""),
            ([(4, 3), (4, 3), (4,)], "n >= 5"),
            ([(6, 3), (1, 3), (6,)], "Eq(m, n)"),
            ([(13, 3), (13, 3), (6,)], "n <= 12"),
            ([(8, 3), (8, 3), (7,)], "Min(6, n)"),
            ([(6, 1), (6, 1), (6,)], "dimension 1 of %x is 1, but its type specifies 3"),
            ([(6, 3), (6, 3, 1), (6,)], "the rank of %y is 3, but its type specifies 2"),
            ([(6,), (6, 3), (6,)], "the rank of %x is 1, but its type specifies 2"),
        ],
    ),
    (
        """graph(%x : f32[2*n], %y : f32[n]) {
  %c = aten.chunk.default(%x, 2)
  %a = operator.getitem(%c, 0)
  %s = aten.mul.Tensor(%a, %y)
  %q = aten.squeeze.default(%s)
  return (%q,)
}
""",
        lambda x, y: [(x.chunk(2)[0] * y).squeeze()],
        [
            ([(8,), (4,)], ""),
            ([(4,), (2,)], ""),
            ([(7,), (3,)], "2*n"),
            ([(8,), (3,)], "dimension 0 of %y is 3"),
            ([(2,), (1,)], "Ne(n, 1)"),
        ],
    ),
]


def run(*args: str) -> subprocess.CompletedProcess:
    return subprocess.run([FXCPP, *args], capture_output=True, text=True)


def check(what: str, message: str, rejected: bool, text: str) -> int:
    """Returns 1 if the outcome of the run is not the expected one, otherwise 0."""
    ok = not rejected if not message else rejected and message in text
    if not ok:
        print(f"{what}: expected {message or 'success'}, got {text or 'success'}")
    return 0 if ok else 1


class Branches(torch.nn.Module):
    """A program whose branches become guards of the exported program."""

    def forward(self, x, y):
        n, m = x.shape[0], y.shape[0]
        x = x + 1 if n * m > 20 else x - 1
        if n != m:
            x = x * 2
        if n % 2 == 0:
            x = x * 3
        if max(n, m) > 6:
            x = x * 5
        return x.sum() + y.sum()


class Constants(torch.nn.Module):
    """A program that is specialized for its inputs that are not tensors."""

    def forward(self, x, k, items, *, flag=True, mode="sum", rest=None):
        return x * k + items["b"] + (1.0 if flag else 2.0) + len(mode) + (0 if rest is None else rest)


def check_constants(folder: str) -> "tuple[int, int]":
    """Runs an exported program with values other than the constants in the types of its inputs, which
    PyTorch also rejects. Returns the numbers of runs and of failures."""
    x = torch.ones(2)
    given = {"x": x, "k": 3, "items": {"a": x, "b": 0.5}, "flag": False, "mode": "mean", "rest": None}
    names = ["k", "items_b", "flag", "mode", "rest"]
    args, kwargs = tuple(list(given.values())[:3]), {key: given[key] for key in ("flag", "mode", "rest")}
    program = torch.export.export(Constants(), args, kwargs)
    path, emitted, header = (f"{folder}/constants.{end}" for end in ("pt2", "py", "h"))
    torch.export.save(program, path)
    for done in (run("emit", path, "--to", to, "-o", file) for to, file in (("python", emitted), ("cpp", header))):
        if done.returncode:
            print(done.stderr)
            return 0, 1
    module = types.ModuleType("constants")
    exec(Path(emitted).read_text(), module.__dict__)
    cases = [{}, {"k": 5}, {"k": 3.0}, {"items": {"b": 0.25, "a": x}}, {"flag": True}, {"mode": "sum"}, {"rest": x}]
    cases += [{"items": {"b": 0.5, "a": x}}]  # a dict in a different order
    failed = 0
    for case in cases:
        message = "but the graph requires" if case and list(case.values()) != [{"b": 0.5, "a": x}] else ""
        values = given | case
        try:
            same = torch.equal(module.load()(**values), Constants()(**values))
            text = "" if same else "other values"
        except ValueError as error:
            text = str(error)
        failed += check(f"constants {case} python", message, bool(text), text)
    files = [{}, {"in.1": torch.tensor(3)}, {"in.1": torch.tensor(5)}, {"in.1": torch.tensor(3.5)}]
    files += [{"in.3": torch.tensor(0.25)}, {"in.4": torch.tensor(True)}, {"in.6": x}]
    for number, data in enumerate(files):
        tensors = f"{folder}/constants{number}.safetensors"
        write_safetensors(Path(tensors), {"in.0": x, "in.2": x} | data)
        for way in ([], ["--trace"], ["--compile"])[: 3 if number == 2 else 2]:
            result = run("run", path, "--inputs", tensors, *way)
            message = "but the graph requires" if number > 1 else ""
            failed += check(f"constants {data} {way}", message, result.returncode != 0, result.stderr)
    listed = run("print", path, "--guards").stdout
    conditions = Path(header).read_text().count("but the graph requires")
    if listed.count("constant: ") != len(names) or conditions != len(names):
        print(f"expected {len(names)} constants, got {conditions} conditions in C++ and the guards {listed}")
        failed += 1
    return len(cases) + 2 * len(files) + 2, failed


def check_exported(folder: str) -> "tuple[int, int]":
    """Compares runs of an exported program with PyTorch's, which checks its guards. Returns the numbers of
    runs and of failures."""
    dynamic = {0: torch.export.Dim.AUTO}
    inputs = (torch.ones(6, 3), torch.ones(8, 3))
    program = torch.export.export(Branches(), inputs, dynamic_shapes=(dynamic, dynamic))
    path, emitted = f"{folder}/exported.pt2", f"{folder}/exported.py"
    torch.export.save(program, path)
    if (done := run("emit", path, "--to", "python", "-o", emitted)).returncode:
        print(done.stderr)
        return 0, 1
    module = types.ModuleType("exported")
    exec(Path(emitted).read_text(), module.__dict__)
    runs = failed = 0
    for n, m in ((6, 8), (10, 4), (2, 4), (5, 9), (8, 8), (4, 6)):
        x, y = torch.ones(n, 3), torch.ones(m, 3)
        tensors = f"{folder}/exported_{n}_{m}.safetensors"
        data = {"in.0": x, "in.1": y}
        try:
            data["out.0"] = program.module()(x, y)
        except AssertionError:  # "Guard failed: ..."
            pass
        write_safetensors(Path(tensors), data)
        message = "" if "out.0" in data else "guard"
        check_results = ["--check", tensors] if not message else []
        result = run("run", path, "--inputs", tensors, *check_results)
        failed += check(f"exported program at {n}, {m}", message, result.returncode != 0, result.stderr)
        try:
            same = bool(module.load()(x, y) == data.get("out.0", 0))
            text = "" if same or message else "other values"
        except ValueError as error:
            text = str(error)
        failed += check(f"exported program at {n}, {m} python", message, bool(text), text)
        runs += 2
    return runs, failed


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        runs, failed = (sum(pair) for pair in zip(check_exported(folder), check_constants(folder), strict=True))
        for number, (graph, program, sizes) in enumerate(CASES):
            path = f"{folder}/g{number}.fx"
            Path(path).write_text(graph)
            typed = f"{folder}/typed{number}.fx"
            done = run("opt", path, "--passes", "propagate_types,decompose{set=all}", "-o", typed)
            emitted = run("emit", typed, "--to", "python", "-o", f"{folder}/m{number}.py")
            if done.returncode or emitted.returncode:
                print(done.stderr, emitted.stderr)
                return 1
            module = types.ModuleType("m")
            exec(Path(f"{folder}/m{number}.py").read_text(), module.__dict__)
            model = module.load()
            for case, (shapes, message) in enumerate(sizes):
                torch.manual_seed(case)
                inputs = [torch.randn(shape) for shape in shapes]
                data = dict(zip("xyz", inputs, strict=False))
                if not message:
                    data |= {f"out.{i}": value for i, value in enumerate(program(*inputs))}
                tensors = f"{folder}/{number}_{case}.safetensors"
                write_safetensors(Path(tensors), data)
                what = f"graph {number} at {shapes}"
                ways = [["--trace"], ["--compile"]] + ([] if message else [["--check", tensors]])
                for way in [[]] + ways:
                    if way == ["--check", tensors]:
                        way = [*way, "--tolerance", "1e-6"]
                    result = run("run", typed, "--inputs", tensors, *way)
                    rejected = result.returncode != 0
                    failed += check(f"{what} {way}", message, rejected, result.stderr + result.stdout * rejected)
                    runs += 1
                try:
                    results = model(*inputs)
                    text = ""
                    if not message and not all(torch.allclose(a, b) for a, b in zip(results, program(*inputs))):
                        text = "other values"
                except ValueError as error:
                    text = str(error)
                failed += check(f"{what} python", message, bool(text), text)
                runs += 1
    print(f"{runs} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
