#!/usr/bin/env python3
"""Tests the command: the options in design/command.md, help and its examples, conventions of
all subcommands, completion, and progress.

Exit status: 0 on success, 1 on failure.
"""

from __future__ import annotations

import functools
import gzip
import itertools
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
CORPUS = Path(os.environ.get("FXCPP_CORPUS", "../shared/corpus"))
DESIGN = CORPUS.parent / "design" / "command.md"

# Parts of design/command.md that are not implemented: the subcommand, the option or a value of it,
# and the issue.
NOT_IMPLEMENTED = {
    ("opt", "--verify-each"): 8,
    ("emit", "--to model-explorer"): 34,
}

JOINT = """fx 1
graph @tiny(%primals_1 : f32[8, 3], %x : f32[3, 3], %t : f32[]) {
  %tw : f32[3, 8][1, 3] = aten.t.default(%primals_1) !{module="layer1"}
  %mm : f32[3, 8] = aten.mm.default(%x, %tw) !{module="layer1"}
  %relu_3 : f32[3, 8] = aten.relu.default(%mm)
  %loss : f32[] = aten.sum.default(%relu_3)
  return %loss
}
"""

EXAMPLE = """fx 1
graph @example(%x : f32[3], %w : f32[4, 3]) {
  %mv : f32[4] = aten.mv.default(%w, %x)
  return %mv
}
"""

RULES = """graph @attention() {
  graph @pattern(%x) { %a = aten.neg.default(%x)  %b = aten.neg.default(%a)  return %b }
  graph @replacement(%x) { return %x }
}
"""
CREATED = ("model.pt", "model.pt2", "model.onnx", "cases.jsonl.gz", "failed.fx", "fusions.fx",
        "checkpoint.pth", "before.pt", "after.safetensors")


def run(*words: object, **kwargs: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FXCPP, *map(str, words)], capture_output=True, text=True, check=False,
                          **kwargs)  # type: ignore[call-overload]


def fxcpp(*words: object, **kwargs: object) -> str:
    done = run(*words, **kwargs)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


@functools.cache
def subcommands() -> list[str]:
    listed = fxcpp("--help").split("Subcommands:\n")[1]
    return re.findall(r"^  (\w+)", listed, flags=re.MULTILINE)


@functools.cache
def help_of(*words: str) -> str:
    return fxcpp(*words, "--help")


@functools.cache
def options(*words: str) -> dict[str, str]:
    """Returns the value type of each option as --help prints it, for example its choices."""
    found: dict[str, str] = {}
    for line in help_of(*words).splitlines():
        if match := re.match(r"  (-[-\w\[\],]+) ?(\S*)", line):
            for name in re.sub(r"\[.*?\]", "", match[1]).split(","):
                found[name.lstrip("!")] = match[2]
    return found


def examples(subcommand: str) -> list[str]:
    text = help_of(subcommand).split("Example:\n")[1]
    lines = [line.split(" # ")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line.startswith("fxcpp ")]  # other lines are explanations


class Command(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "g.fx").write_text(JOINT)

    @unittest.skipUnless(DESIGN.exists(), "the design page is missing")
    def test_options_of_the_design_exist(self) -> None:
        there = {name: options(name) for name in subcommands()}
        # The options of import depend on the kind of file.
        there["import"] = options("import") | options("import", "model.pt2")
        has_torch = "--joint" in there["capture"]  # without libtorch, capture does not have options
        rows = re.findall(r"^\| `fxcpp (\w+)(.*?)` \|", DESIGN.read_text(), flags=re.MULTILINE)
        self.assertGreater(len(rows), 10)
        missing = set()
        for subcommand, words in rows:
            if subcommand in ("capture", "import", "run") and not has_torch:
                continue
            if subcommand not in there:
                missing.add((subcommand, ""))
                continue
            words = words.replace("\\|", "|")
            for option in re.findall(r"(?<![\w-])(-o|--[a-z][a-z-]*)", words):
                if option not in there[subcommand]:
                    missing.add((subcommand, option))
            for option, values in re.findall(r"(--[a-z]+) ([a-z0-9-]+(?:\|[a-z0-9-]+)+)", words):
                choices = re.search(r"{(.*?)}", there[subcommand].get(option, ""))
                for value in values.split("|") if choices else ():
                    if value not in choices[1].split(","):
                        missing.add((subcommand, f"{option} {value}"))
        not_yet = {key for key in NOT_IMPLEMENTED
                   if has_torch or key[0] not in ("capture", "import", "run")}
        self.assertEqual(missing - not_yet, set(), "documented but missing, and not in NOT_IMPLEMENTED")
        expected = {key for key in not_yet if key[1] != "--verify-each"}  # documented for all passes
        self.assertEqual(expected - missing, set(), "implemented: remove it from NOT_IMPLEMENTED")

    def test_every_subcommand_is_in_the_documentation(self) -> None:
        page = (ROOT / "docs" / "command.md").read_text()
        for subcommand in subcommands():
            self.assertIn(f"`{subcommand}`", page)

    def test_every_example_runs(self) -> None:
        """Runs the printed examples in order in a folder with the files that they use."""
        work = self.folder
        for name in ("model.fx", "before.fx", "after.fx", "loss.fx"):
            (work / name).write_text(JOINT)
        (work / "example.fx").write_text(EXAMPLE)
        fxcpp("convert", work / "model.fx", "-o", work / "model.json")
        (work / "relu_3").write_text("")
        environment = {**os.environ, "FXCPP": str(Path(FXCPP).resolve())}
        ran = 0
        for subcommand in subcommands():
            lines = examples(subcommand)
            self.assertGreater(len(lines), 0, subcommand)
            for line in lines:
                words = shlex.split(line)
                self.assertEqual(words[:2], ["fxcpp", subcommand])
                needs = [w for w in words if w in CREATED]
                if not all(self.make(name) for name in needs):
                    continue
                needs_torch = ("--concrete" in words or "folder" in words or
                               (subcommand == "diff" and "--run" in words))
                if needs_torch and "capture" not in subcommands():
                    continue
                if "svg" in words and "without Graphviz" in run(
                        "emit", work / "g.fx", "--to", "svg").stderr:
                    continue
                if "gpt" in words:  # 48 layers
                    words[words.index("layers=48")] = "layers=2"
                done = subprocess.run([environment["FXCPP"], *words[1:]], cwd=work, text=True,
                                      capture_output=True, check=False)
                # --explain exits with 1 because it reports a mismatch.
                expected = 1 if "--explain" in words else 0
                self.assertEqual(done.returncode, expected, f"{line}\n{done.stdout}{done.stderr}")
                ran += 1
        self.assertGreater(ran, 15)

    def make(self, name: str) -> bool:
        """Creates a file that an example reads. Returns False if a prerequisite is missing."""
        if name == "cases.jsonl.gz":
            if not (CORPUS / name).exists():
                return False
            with gzip.open(CORPUS / name, "rt") as cases:
                with gzip.open(self.folder / name, "wt") as some:
                    some.writelines(itertools.islice(cases, 200))
            return True
        if name == "model.pt2":
            source = CORPUS / "mlp" / name
            if source.exists():
                (self.folder / name).write_bytes(source.read_bytes())
            return source.exists()
        if name == "failed.fx":
            return False  # failed passes write it; other tests create such files
        if name == "model.onnx":
            return run("emit", self.folder / "example.fx", "--to", "onnx", "-o",
                       self.folder / name).returncode == 0  # fails without ONNX support
        if name in ("checkpoint.pth", "before.pt", "after.safetensors"):
            source = ROOT / "tests" / "filecheck" / "tools" / "inputs" / "checkpoint.pt"
            if name == "checkpoint.pth":
                (self.folder / name).write_bytes(source.read_bytes())
                return True
            return run("state", source, "--prefix", "model", "-o", self.folder / name).returncode == 0
        if name == "fusions.fx":
            (self.folder / name).write_text(RULES)
            return True
        try:
            import torch
        except ImportError:
            return False
        class Net(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.fc = torch.nn.Linear(32, 4)

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return self.fc(x.mean([1, 2]))

        torch.jit.script(Net()).save(str(self.folder / name))
        return True

    def test_exit_status_distinguishes_usage_and_input(self) -> None:
        for subcommand in subcommands():
            done = run(subcommand, "--no-such-option")
            self.assertEqual((done.returncode, done.stdout), (2, ""), subcommand)
            if subcommand not in ("capture", "passes", "completion", "ops"):
                words = {"emit": ["--to", "dot"], "convert": ["-o", self.folder / "x.fx"],
                         "opt": ["--passes", "eliminate_dead_code"],
                         "diff": [self.folder / "g.fx"],
                         "minimize": ["--passes", "simplify"],
                         "rewrite": ["--rules", self.folder / "g.fx"]}.get(subcommand, [])
                done = run(subcommand, self.folder / "nowhere.fx", *words)
                self.assertEqual(done.returncode, 1, subcommand)
                self.assertRegex(done.stderr, f"^fxcpp {subcommand}: .*nowhere.fx")
                self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertRegex(fxcpp("--version"), r"^fxcpp \d+\.\d+\.\d+$")
        graph = self.folder / "g.fx"
        for line in (["opt", graph], ["opt", "--passes", "simplify"], ["opt", graph, "--passes", "simplfy"],
                     ["emit", graph, "--to", "folder"], ["emit", graph, "--to", "dot", "--force"],
                     ["shape", graph, "--symbol", "s0=3"]):
            self.assertEqual(run(*line).returncode, 2, line)
        self.assertEqual(run().returncode, 2)

    def test_time_is_printed_only_on_standard_error(self) -> None:
        done = run("shape", self.folder / "g.fx", "--summary", "--time")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, fxcpp("shape", self.folder / "g.fx", "--summary"))
        rows = {line.split("  ")[0]: line.split() for line in done.stderr.splitlines()}
        self.assertEqual(list(rows), ["step", "read", "infer types", "summarize", "all"])
        self.assertGreater(float(rows["all"][-2]), 1)  # MiB
        self.assertGreater(float(rows["all"][1]), 0)

    def test_progress_is_shown_only_on_a_terminal(self) -> None:
        """While the command waits for standard input, it prints a progress message, and clears it
        afterward."""
        def start(stderr: int) -> subprocess.Popen[bytes]:
            return subprocess.Popen([FXCPP, "print", "-"], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=stderr)

        def finish(child: subprocess.Popen[bytes]) -> None:
            out, _ = child.communicate(JOINT.encode())
            self.assertEqual(child.returncode, 0)
            self.assertIn(b"aten.relu", out)

        master, slave = pty.openpty()
        child = start(slave)
        os.close(slave)
        printed = b""
        while b"read ... 1 s" not in printed:
            ready, _, _ = select.select([master], [], [], 60)
            self.assertTrue(ready, "nothing is printed")
            printed += os.read(master, 4096)
        finish(child)
        try:
            while chunk := os.read(master, 4096):
                printed += chunk
        except OSError:  # the other end of the terminal is closed
            pass
        os.close(master)
        self.assertTrue(printed.endswith(b"\r\x1b[K"), printed)
        with tempfile.TemporaryFile() as file:
            child = start(file.fileno())
            time.sleep(1.5)
            finish(child)
            file.seek(0)
            self.assertEqual(file.read(), b"")

    def test_differences_are_shown_side_by_side(self) -> None:
        other = self.folder / "h.fx"
        other.write_text(JOINT.replace("aten.relu", "aten.gelu"))
        page = self.folder / "diff.html"
        self.assertEqual(run("diff", self.folder / "g.fx", other, "--html", page).returncode, 1)
        html = page.read_text()
        self.assertEqual(len(re.findall(r'class="left">- .*aten\.relu', html)), 1)
        self.assertEqual(len(re.findall(r'class="right">\+ .*aten\.gelu\.default\(%mm\)', html)), 1)
        self.assertIn("1 line only on the left, 1 only on the right", html)
        self.assertEqual(run("diff", other, other, "--html", page).returncode, 0)
        self.assertIn("The graphs are equal.", page.read_text())
        self.assertNotIn('class="left"', page.read_text())

    def test_the_number_of_differing_lines_is_minimal(self) -> None:
        """If random lines are erased, only these lines differ (longest common subsequence)."""
        import random
        lines = [f"  %v{i} = aten.relu.default(%x)" for i in range(60)]
        generator = random.Random(1)
        for _ in range(10):
            kept = sorted(generator.sample(range(60), 40))
            texts = [lines, [lines[i] for i in kept]]
            for name, body in zip(("a.fx", "b.fx"), texts):
                (self.folder / name).write_text(
                    "\n".join(["graph(%x) {", *body, "  return %x", "}"]) + "\n")
            run("diff", self.folder / "a.fx", self.folder / "b.fx", "--html",
                self.folder / "d.html")
            self.assertIn("20 lines only on the left, 0 only on the right",
                          (self.folder / "d.html").read_text())

    @unittest.skipUnless(shutil.which("bash"), "bash is missing")
    def test_bash_completes(self) -> None:
        script = self.folder / "completion.bash"
        script.write_text(fxcpp("completion", "bash"))
        (self.folder / "a graph.fx").write_text(JOINT)

        def complete(*words: str) -> list[str]:
            quoted = " ".join(shlex.quote(w) for w in ("fxcpp", *words))
            text = (f"source {script}; [[ $(complete -p fxcpp) == *_fxcpp* ]] || exit 1;"
                    f"COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _fxcpp;"
                    'printf "%s\\n" "${COMPREPLY[@]}"')
            done = subprocess.run(["bash", "-euc", text], cwd=self.folder, text=True, check=True,
                                  capture_output=True)
            return [line for line in done.stdout.splitlines() if line]

        self.assertEqual(complete(""), subcommands())
        self.assertEqual(complete("ver"), ["verify"])
        for subcommand in subcommands():
            self.assertEqual(set(complete(subcommand, "-")),
                             set(options(subcommand)) | {"--help", "-h"}, subcommand)
        self.assertEqual(complete("emit", "g.fx", "--to", "s"), ["svg"])
        self.assertEqual(complete("print", "--preset", "t"), ["torch", "tabular"])
        self.assertEqual(complete("completion", ""), ["bash", "zsh"])
        self.assertEqual(complete("passes", "fold"), ["fold_constants"])
        self.assertEqual(complete("opt", "--disable", "fold"), ["fold_constants"])
        self.assertEqual(complete("opt", "--passes", "simplify,fold"), ["simplify,fold_constants"])
        self.assertEqual(complete("print", "g"), ["g.fx"])
        self.assertEqual(complete("print", "a"), ["a graph.fx"])
        self.assertEqual(complete("emit", "g.fx", "--depth", ""), [])
        self.assertIn("g.fx", complete("diff", "g.fx", "--html", ""))
        if shutil.which("zsh"):
            for before in ("", "autoload -U compinit; compinit -u; "):
                subprocess.run(["zsh", "-fc", f"{before}source <({Path(FXCPP).resolve()} "
                                "completion zsh)"], check=True, cwd=self.folder)


if __name__ == "__main__":
    if not Path(FXCPP).exists():
        sys.exit(f"{FXCPP} does not exist")
    unittest.main()
