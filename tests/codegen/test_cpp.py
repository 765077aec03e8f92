#!/usr/bin/env python3
"""Tests that the output of `fxcpp emit --to cpp|folder` builds, runs, and computes libtorch's
results.

This runs a few cases of cpp_models.py, which tests all models of the zoo and the corpus. Additional
tests check that the folder builds as a separate project, that gdb steps through the graph's lines
and prints values by node names, and that text in a graph does not become code.
Exit status: 0 on success, 1 on failure, 77 without torch or in a build without it.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

import cpp_models
import torch
from cpp_models import CORPUS, FXCPP, TORCH

# Names, paths and strings that could end a comment, a string or a line, or that are keywords or
# macros in C++.
MALICIOUS = r"""fx 1
graph @"*/ }; \"quoted\" \\" (
    %int : f32[2] !{input={"kind": "parameter", "target": "../../a\"); abort(); (\"\n"}},
    %"x\n#error here" : f32[2] !{input={"kind": "user_input", "index": 0}},
    %EOF : f32[2],
    %NAN : f32[2],
    %operator : f32[2],
    %"// \\" : f32[2],
    %__LINE__ : f32[2],
) {
  %this : f32[2] = aten.add.Tensor(%int, %"x\n#error here")
  %and : f32[2] = aten.mul.Tensor(%EOF, %NAN)
  %LONG : f32[2] = aten.add.Tensor(%operator, %"// \\")
  %members : f32[2] = aten.add.Tensor(%__LINE__, %LONG)
  %forward : f32[2] = aten.gelu.default(%members, approximate="\"); abort(); //\n\\")
  %a : f32[2] = get_attr "quote\"s.\\\n*/"
  %std : f32[2] = aten.add.Tensor(%forward, %a)
  return [%std, %this, %and]
}
""".replace("LONG", "n" * 10_000)

MALICIOUS_PYTHON = r"""fx 1
graph @"*/ }; abort(); \"quoted\" \\" (
    %number : f32[2] !{input={"kind": "parameter", "target": "a\"\"\"); abort(); (\"\n"}},
    %EOF : f32[2],
) {
  %this : f32[2] = aten.add.Tensor(%number, %EOF) !{stack_trace="File \"x\", line 1\n\"\"\"\nabort()"}
  %and : f32[2] = aten.mul.Tensor(%EOF, %number)
  %"x\n#error; abort()" : f32[2] = aten.gelu.default(%and, approximate="\"\"\"'''); abort(); #\n\\")
  %a : f32[2] = get_attr "quote\"s.'''\\\n\"\"\"*/; abort()"
  %std : f32[2] = aten.add.Tensor(%"x\n#error; abort()", %a)
  return [%std, %this]
}
"""


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


class Cpp(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)

    # parity: M9
    def test_folder_builds_with_two_commands_and_gdb_shows_its_nodes(self) -> None:
        graph, folder = self.work / "mlp.fx", self.work / "mlp"
        self.assertEqual(run(FXCPP, "capture", "mlp", "--joint", "-o", graph).returncode, 0)
        self.assertEqual(run(FXCPP, "emit", graph, "--to", "folder", "-o", folder).returncode, 0)
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        again = run(FXCPP, "emit", graph, "--to", "folder", "-o", folder)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("--force", again.stderr)
        self.assertEqual(before, {path.name: path.read_bytes() for path in folder.iterdir()})
        forced = run(FXCPP, "emit", graph, "--to", "folder", "-o", folder, "--force")
        self.assertEqual(forced.returncode, 0, forced.stderr)

        build = folder / "build"
        configured = run("cmake", "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={TORCH}",
                         "-DCMAKE_BUILD_TYPE=Debug")
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = run("cmake", "--build", build)
        self.assertEqual(built.returncode, 0, built.stdout)
        self.assertNotIn("warning", built.stdout)
        checked = run("ctest", "--test-dir", build, "--verbose")
        self.assertEqual(checked.returncode, 0, checked.stdout)
        self.assertIn("7 results compared: 7 bit-equal, 0 different", checked.stdout)

        # An incorrect weight is detected.
        weights = folder / "weights.safetensors"
        data = bytearray(weights.read_bytes())
        data[-3] ^= 0x40
        weights.write_bytes(data)
        self.assertEqual(run(build / "model", folder).returncode, 1)
        weights.write_bytes(data[:-1])
        truncated = run(build / "model", folder)
        self.assertEqual(truncated.returncode, 2)
        self.assertIn("invalid or outside the file", truncated.stderr)
        weights.write_bytes(before["weights.safetensors"])

        if shutil.which("gdb") is None:
            self.skipTest("gdb is not installed")
        lines = (folder / "model.fx").read_text().splitlines()
        line = next(i for i, text in enumerate(lines, 1) if text.startswith("  %gelu :"))
        output = run("gdb", "-batch", "-nx", "-ex", "set breakpoint pending on",
                    "-ex", f"break model.fx:{line}", "-ex", f"run {folder}",
                    "-ex", "list", "-ex", "print relu", "-ex", "next", "-ex", "print gelu",
                    build / "model")
        self.assertIn(f"model.fx:{line}", output.stdout, output.stderr)
        self.assertIn("%gelu : f32[8, 32]{grad} = aten.gelu.default(%addmm_1", output.stdout)
        self.assertRegex(output.stdout, r"\$1 = [^\n]*at::TensorBase", output.stderr)
        self.assertRegex(output.stdout, r"\$2 = [^\n]*at::TensorBase")

    # parity: M6
    def test_graphs_run_as_compiled_code_which_is_cached(self) -> None:
        graph, data = self.work / "mlp.fx", self.work / "mlp.safetensors"
        self.assertEqual(run(FXCPP, "capture", "mlp", "--joint", "-o", graph).returncode, 0)
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.work / "cache")}
        command = [FXCPP, "run", graph, "--compile", "--check", data]
        for _ in range(2):
            ran = subprocess.run(command, capture_output=True, text=True, env=environment)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("7 results compared: 7 bit-equal, 0 different", ran.stdout)
            self.assertEqual(len(list((self.work / "cache" / "fxcpp").glob("*.so"))), 1)
        (self.work / "cache" / "fxcpp").chmod(0o777)
        ran = subprocess.run(command, capture_output=True, text=True, env=environment)
        self.assertIn("must not be writable by other users", ran.stderr)
        environment["CXX"] = "no-such-compiler"
        ran = subprocess.run(command, capture_output=True, text=True, env=environment)
        self.assertIn('the compiler "no-such-compiler" cannot be found', ran.stderr)

    def test_modules_are_structs(self) -> None:
        graph, folder = self.work / "lenet.fx", self.work / "lenet"
        self.assertEqual(run(FXCPP, "capture", "lenet", "--joint", "-o", graph).returncode, 0)
        emitted = run(FXCPP, "emit", graph, "--to", "folder", "--modules", "-o", folder)
        self.assertEqual(emitted.returncode, 0, emitted.stderr)
        fine, text = cpp_models.compile_and_run(folder)
        self.assertTrue(fine, text)
        self.assertRegex(text, r"^(\d+) results? compared: \1 bit-equal, 0 different")
        code = (folder / "model.h").read_text()
        self.assertRegex(code, r"(?m)^  struct Conv1 \{\n    at::Tensor weight;")
        self.assertRegex(code, r"= this->conv1\.forward\(")
        self.assertRegex(code, r"= this->conv1\.backward\(")

    def test_hundreds_of_results_of_several_types(self) -> None:
        # g++ does not support a std::tuple with 600 elements.
        count = 600
        branches = "".join(
            f"  graph @{name}(%x : f32[3], %n : int) {{\n"
            f"    %mul : f32[3] = aten.mul.Scalar(%x, {factor})\n"
            f"    return ({'%mul, %x, ' * 50}%n)\n  }}\n" for name, factor in (("a", 3), ("b", 5)))
        values = "".join(f"  %m{i} : f32[3] = aten.mul.Scalar(%first, {i})\n" for i in range(count))
        graph, data = self.work / "many.fx", self.work / "many.safetensors"
        graph.write_text(
            f"fx 1\ngraph @many(%p : b8[], %x : f32[3], %n : int) {{\n{branches}"
            "  %cond = higher_order.cond(%p, @a, @b, (%x, %n))\n"
            "  %first : f32[3] = operator.getitem(%cond, 0)\n"
            f"  %number : int = operator.getitem(%cond, 100)\n{values}"
            f"  return [{''.join(f'%m{i}, ' for i in range(count))}%number]\n}}\n")
        x = torch.tensor([1.0, -2.0, 0.5])
        cpp_models.write_safetensors(data, {
            "p": torch.tensor(False), "x": x, "n": torch.tensor(7),
            **{f"out.{i}": x * 5 * i for i in range(count)}})
        folder = self.work / "many"
        emitted = run(FXCPP, "emit", graph, "--to", "folder", "-o", folder)
        self.assertEqual(emitted.returncode, 0, emitted.stderr)
        fine, text = cpp_models.compile_and_run(folder)
        self.assertTrue(fine, text)
        self.assertIn(f"{count} results compared: {count} bit-equal, 0 different", text)
        ran = run(FXCPP, "run", graph, "--compile", "--check", data)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn(f"{count} bit-equal, 0 different", ran.stdout)

    def test_input_whose_elements_share_one_memory_location(self) -> None:
        graph, data, folder = (self.work / name for name in ("g.fx", "g.safetensors", "g"))
        graph.write_text("fx 1\ngraph(%x : f32[2, 3], %k : f32[4, 2, 3][0, 0, 2]) {\n"
                         "  %y = aten.mul.Tensor(%x, %k)\n  return (%y, %k)\n}\n")
        x, k = torch.randn(2, 3), torch.randn(3).expand(4, 2, 3)
        cpp_models.write_safetensors(data, {"x": x, "k": k, "out.0": x * k, "out.1": k})
        emitted = run(FXCPP, "emit", graph, "--to", "folder", "-o", folder)
        self.assertEqual(emitted.returncode, 0, emitted.stderr)
        fine, text = cpp_models.compile_and_run(folder)
        self.assertTrue(fine, text)
        ran = run(FXCPP, "run", graph, "--check", data)
        for output in (text, ran.stdout):
            self.assertIn("2 results compared: 2 bit-equal, 0 different", output, ran.stderr)
        module = self.python_of(graph)
        arguments = module.arguments(data)
        self.assertEqual(arguments[1].stride(), (0, 0, 2))
        self.assertTrue(torch.equal(module.load()(*arguments)[0], x * k))
        captured = run(FXCPP, "capture", "mlp", "--input", "0=f32[8, 16][0, 1]")
        self.assertIn("f32[8, 16][0, 1]", captured.stdout, captured.stderr)

    def test_inputs_with_offsets_and_symbolic_strides_and_in_shared_memory(self) -> None:
        """The data file has row-major tensors; types state where the program had them in memory."""
        graph, data, folder = (self.work / name for name in ("g.fx", "g.safetensors", "g"))
        graph.write_text("""fx 1
graph(%x : f32[4, 3] !{shared_memory=0}, %rows : f32[2, 3]{offset=6} !{shared_memory=0},
      %t : f32[n, m][1, n]{offset=2*n}, %k : i64[]) {
  %w = aten.mul_.Tensor(%x, 3)
  %s = aten.as_strided.default(%t, [2], [1], 4)
  %sum = aten.add.Tensor(%rows, 1)
  return (%sum, %s, %x)
}
""")
        x, t = torch.arange(12.0).view(4, 3), torch.arange(6.0).view(2, 3)
        tensors = {"x": x, "rows": x[2:], "t": t, "k": torch.tensor(1)}
        results = {"out.0": x[2:] * 3 + 1, "out.1": t[:, 0], "out.2": x * 3}
        cpp_models.write_safetensors(data, tensors | results)
        equal = "3 results compared: 3 bit-equal, 0 different"
        ran = run(FXCPP, "run", graph, "--check", data)
        self.assertIn(equal, ran.stdout, ran.stderr)

        emitted = run(FXCPP, "emit", graph, "--to", "folder", "-o", folder)
        self.assertEqual(emitted.returncode, 0, emitted.stderr)
        main = folder / "main.cpp"
        text = main.read_text()
        self.assertIn("shared_0.at(1)", text)
        main.write_text("#include <cstdlib>\n" + text.replace(
            "shared_0.at(1)", 'std::getenv("FX_COPY") ? shared_0.at(1).clone() : shared_0.at(1)'))
        fine, text = cpp_models.compile_and_run(folder)
        self.assertTrue(fine and equal in text, text)
        copied = subprocess.run([folder / "model", folder], env={**os.environ, "FX_COPY": "1"},
                                capture_output=True, text=True)
        self.assertIn("the passed values do not share memory", copied.stderr)

        module = self.python_of(graph)
        arguments = module.arguments(data)
        self.assertEqual((arguments[2].stride(), arguments[2].storage_offset()), ((1, 2), 4))
        for result, expected in zip(module.load()(*arguments), results.values()):
            self.assertTrue(torch.equal(result, expected), result)
        with self.assertRaisesRegex(ValueError, "%x and %rows share memory .* do not share"):
            module.load()(x.clone(), *module.arguments(data)[1:])
        moved = module.arguments(data)
        with self.assertRaisesRegex(ValueError, "%rows must begin 24 bytes after %x"):
            module.load()(moved[0], moved[0][1:3], *moved[2:])

        # Data that cannot be at these locations.
        wrong = self.work / "wrong.safetensors"
        cpp_models.write_safetensors(wrong, tensors | {"rows": x[2:] + 1})
        with self.assertRaisesRegex(ValueError, "different where they overlap"):
            module.arguments(wrong)
        refused = run(FXCPP, "run", graph, "--inputs", wrong)
        self.assertIn("have different data where they overlap", refused.stderr)
        graph.write_text("fx 1\ngraph(%x : f32[4, 3][0, 1]) { return %x }\n")
        with self.assertRaisesRegex(ValueError, "different where they overlap"):
            self.python_of(graph).arguments(data)
        refused = run(FXCPP, "run", graph)
        self.assertIn('"x", for node x: elements that are at one location', refused.stderr)

    def test_input_with_the_name_of_a_module_tensor_is_rejected(self) -> None:
        graph, data = self.work / "g.fx", self.work / "g.safetensors"
        graph.write_text("fx 1\ngraph(%w : f32[2]) {\n  %w_1 = get_attr w\n"
                         "  %y = aten.add.Tensor(%w, %w_1)\n  return %y\n}\n")
        cpp_models.write_safetensors(data, {"w": torch.ones(2)})
        for command in (["run", graph, "--inputs", data],
                        ["emit", graph, "--to", "folder", "-o", self.work / "f"]):
            rejected = run(FXCPP, *command)
            self.assertEqual(rejected.returncode, 1)
            self.assertIn('the input w and the tensor "w" of w_1 have the same name',
                          rejected.stderr)

    def test_control_flow_of_the_corpus(self) -> None:
        if not CORPUS.is_dir():
            self.skipTest("the corpus is missing")
        for model in ("cond_net", "while_net"):
            _, fine, text = cpp_models.corpus_case(self.work, model)
            self.assertTrue(fine, text)
            self.assertRegex(text, r"^[1-9]\d* results? compared: \d+ bit-equal, 0 different")

    def test_a_joint_graph_with_effect_tokens(self) -> None:
        if not CORPUS.is_dir():
            self.skipTest("the corpus is missing")
        _, fine, text = cpp_models.json_case(self.work, "spectral", "joint")
        self.assertTrue(fine, text)
        self.assertIn("4 results compared: 4 bit-equal, 0 different", text)

    def test_a_graph_from_torch_fx_is_lowered(self) -> None:
        _, fine, text = cpp_models.additional_case(self.work, "functions", "fx")
        self.assertTrue(fine, text)
        self.assertIn("1 result compared: 1 bit-equal, 0 different", text)
        # The error for a call without an operator names the call and suggests a remedy.
        graph = self.work / "g.fx"
        graph.write_text("fx 1\ngraph(%x : f32[2]) {\n"
                         "  %y = torch.nn.functional.multi_head_attention_forward(%x, %x, %x)\n"
                         "  return %y\n}\n")
        rejected = run(FXCPP, "emit", graph, "--to", "cpp")
        self.assertNotEqual(rejected.returncode, 0)
        self.assertRegex(rejected.stderr,
                         r"node y .*attention_forward cannot be expressed in C\+\+.*torch\.export")
        # The error for a call that requires a missing type explains how to set it.
        graph.write_text("fx 1\ngraph(%x : f32[2, 3], %y) {\n"
                         "  %z = torch.nn.functional.gaussian_nll_loss(%x, %x, %y)\n"
                         "  return %z\n}\n")
        rejected = run(FXCPP, "emit", graph, "--to", "cpp")
        self.assertNotEqual(rejected.returncode, 0)
        self.assertRegex(rejected.stderr, r"node z .*: propagate types(.|\n)*--input 'y=f32\[2, 3\]'")
        with_type = run(FXCPP, "emit", graph, "--to", "cpp", "--input", "y=f32[2, 3]")
        self.assertEqual(with_type.returncode, 0, with_type.stderr)
        mismatched = run(FXCPP, "emit", graph, "--to", "cpp", "--input", "y=f32[s0, 3]")
        self.assertRegex(mismatched.stderr, r"var has type f32\[s0, 3\], but the input has type f32\[2, 3\]: var must")

    def test_calls_as_torch_fx_records_them(self) -> None:
        # ShapeProp infers the types of the inputs.
        for model, count in (("forms", 24), ("queries", 11)):
            _, fine, text = cpp_models.additional_case(self.work, model, "fx")
            self.assertTrue(fine, text)
            self.assertIn(f"{count} results compared: {count} bit-equal", text)

    def test_graphs_that_are_called_in_other_modes(self) -> None:
        _, fine, text = cpp_models.additional_case(self.work, "modes", "export")
        self.assertTrue(fine, text)
        self.assertIn("5 results compared: 5 bit-equal, 0 different", text)

    def test_operator_cases_of_the_corpus(self) -> None:
        if not CORPUS.is_dir():
            self.skipTest("the corpus is missing")
        import cpp_operators

        file = CORPUS / "cases.jsonl.gz"
        cases, _ = cpp_operators.read(file, r"aten\.(add|_to_copy|index|topk|full|split|embedding_bag)")
        calls = dict(enumerate(cases[:40]))
        self.assertGreater(len(calls), 20)
        self.assertEqual(cpp_operators.check(self.work, "calls", calls), [])

    def test_python_names_of_values(self) -> None:
        graph, source = self.work / "g.fx", self.work / "g.cpp"
        graph.write_text("fx 1\ngraph(%x : f32[3], %s : f32[]) {\n"
                         "  %to = aten.to.dtype_layout(%x, dtype=torch.float64, device=\"cpu\")\n"
                         "  %ramp = aten.linspace.default(%s, 1, 3, device=\"cpu\")\n"
                         "  %leaky = aten.leaky_relu.default(%to, %s)\n"
                         "  %sizes = aten.broadcast_shapes.default([3, 1], [1, 2])\n"
                         "  %zeros = aten.zeros.default(%sizes)\n"
                         "  %part = aten.narrow.default(%zeros, 0, 1, 2)\n"
                         "  %random = aten.randint.default(10, [], device=device(cpu))\n"
                         "  return [%ramp, %leaky, %part, %random]\n}\n")
        emitted = run(FXCPP, "emit", graph, "--to", "cpp")
        self.assertEqual(emitted.returncode, 0, emitted.stderr)
        self.assertIn(".device(at::kCPU)", emitted.stdout)
        self.assertIn("at::leaky_relu(to, s.item())", emitted.stdout)
        self.assertIn("at::randint(10, {}, at::TensorOptions().dtype(at::kLong).device(at::kCPU))",
                      emitted.stdout)
        source.write_text(emitted.stdout)
        compiled = run(cpp_models.CXX, *cpp_models.COMPILE, "-fsyntax-only", "-Wall", "-Wextra",
                       "-Werror", *cpp_models.precompiled(), source)
        self.assertEqual(compiled.returncode, 0, compiled.stderr[:2000])

    def test_input_types_determine_overloads(self) -> None:
        graph = self.work / "g.fx"
        graph.write_text("fx 1\ngraph(%x, %n) {\n"
                         "  %y = operator.mul(%x, %n)\n  return %y\n}\n")
        emitted = run(FXCPP, "emit", graph, "--to", "cpp", "--input", "n=int")
        self.assertIn("forward(at::Tensor x, int64_t n)", emitted.stdout, emitted.stderr)
        wrong = run(FXCPP, "emit", graph, "--to", "cpp", "--input", "m=int")
        self.assertIn("unknown node m", wrong.stderr)

    def python_of(self, graph: Path) -> types.ModuleType:
        emitted = run(FXCPP, "emit", graph, "--to", "python")
        self.assertEqual(emitted.returncode, 0, emitted.stderr)
        module = types.ModuleType("emitted")
        exec(compile(emitted.stdout, "emitted", "exec"), module.__dict__)
        return module

    # parity: M7
    def test_emitted_python_runs_on_the_weights_of_a_file(self) -> None:
        import safetensors.torch

        for options in ([], ["--joint"]):
            graph, data = self.work / "lenet.fx", self.work / "lenet.safetensors"
            self.assertEqual(run(FXCPP, "capture", "lenet", *options, "-o", graph).returncode, 0)
            module, recorded = self.python_of(graph), safetensors.torch.load_file(data)
            with torch.no_grad():
                results = module.load()(*module.arguments(data))
            results = torch.utils._pytree.tree_leaves(results, is_leaf=lambda x: x is None)
            expected = {key for key in recorded if key.startswith("out.")}
            self.assertGreaterEqual(len(expected), 9 if options else 1)
            for key in expected:
                result = results[int(key.removeprefix("out."))]
                self.assertTrue(torch.equal(result, recorded[key]), key)

        # get_attr reads the members of the module.
        graph, data = self.work / "m.fx", self.work / "m.safetensors"
        graph.write_text("fx 1\ngraph(%x : f32[2, 3]) {\n  %w = get_attr lin.weight\n"
                         "  %y = aten.mm.default(%x, %w)\n  return %y\n}\n")
        x, w = torch.randn(2, 3), torch.randn(3, 4)
        safetensors.torch.save_file({"lin.weight": w, "x": x}, data)
        module = self.python_of(graph)
        for loaded in (module.load(str(data)), module.trace({"lin.weight": w})):
            self.assertTrue(torch.equal(loaded(*module.arguments(data)), torch.mm(x, w)))
            self.assertTrue(torch.equal(dict(loaded.named_buffers())["lin.weight"], w))
        with self.assertRaisesRegex(KeyError, "lin.weight"):
            module.load({})

    def test_traced_python_records_calls_without_inputs(self) -> None:
        graph = self.work / "m.fx"
        graph.write_text("fx 1\ngraph(%x : f32[3]) {\n"
                         "  %z = aten.zeros.default([3], device=device(cpu), pin_memory=False)\n"
                         "  %c = aten.copy_.default(%z, %x)\n  %w = get_attr w\n"
                         "  %s = torch.sin(%w)\n  %t = call_method abs_(%s)\n"
                         "  %m = aten.mul_.Tensor(%z, 2)\n  %a = aten.add_.Tensor(%z, %s)\n"
                         "  return %z\n}\n")
        x, w = torch.tensor([1.0, -2.0, 3.0]), torch.tensor([0.5, -1.0, 4.0])
        traced = self.python_of(graph).trace({"w": w})
        targets = [str(node.target) for node in traced.graph.nodes]
        self.assertEqual(len(targets), 9, targets)
        for _ in range(2):  # each run creates the tensors that it writes to
            self.assertTrue(torch.equal(traced(x), x * 2 + w.sin().abs()))

    def test_text_does_not_become_code(self) -> None:
        graph = self.work / "hostile.fx"
        graph.write_text(MALICIOUS)
        for name in ("*/ int", "1 bad", "class", "a__b", "_Model"):
            rejected = run(FXCPP, "emit", graph, "--to", "cpp", "--class", name)
            self.assertEqual((rejected.returncode, rejected.stdout), (1, ""), name)
            self.assertIn(f'"{name}" is not a valid class name', rejected.stderr)
        for options in (["--to", "cpp"], ["--to", "cpp", "--class", "GPT"]):
            emitted = run(FXCPP, "emit", graph, *options)
            self.assertEqual(emitted.returncode, 0, emitted.stderr)
            source = self.work / "hostile.cpp"
            source.write_text(emitted.stdout)
            compiled = run(cpp_models.CXX, *cpp_models.COMPILE, "-fsyntax-only", "-Wall", "-Wextra",
                           "-Werror", *cpp_models.precompiled(), source)
            self.assertEqual(compiled.returncode, 0, compiled.stderr[:2000])
            self.assertTrue(emitted.stdout.isascii())
            # Malicious code occurs only in strings and comments.
            for text in emitted.stdout.splitlines():
                before, found, _ = text.partition("abort(")
                if found:
                    quoted = before.replace('\\\\', "").replace('\\"', "").count('"') % 2 == 1
                    self.assertTrue(quoted or "//" in before, text)

    def test_malicious_text_does_not_become_python_code(self) -> None:
        graph = self.work / "hostile.fx"
        graph.write_text(MALICIOUS_PYTHON)
        for options in (["emit", graph, "--to", "python"], ["print", graph, "--preset", "readable"],
                        ["print", graph, "--preset", "code"]):
            output = run(FXCPP, *options)
            self.assertEqual(output.returncode, 0, output.stderr)
            tree = ast.parse(output.stdout)
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            self.assertNotIn("abort", names)
            forward = next(node for node in ast.walk(tree)
                           if isinstance(node, ast.FunctionDef) and node.name == "forward")
            calls = [node for node in ast.walk(forward) if isinstance(node, ast.Call)]
            self.assertEqual(len(calls), 4 + 2)  # the operators, and getattr twice


if __name__ == "__main__":
    if run(FXCPP, "capture", "--list").returncode != 0:
        print("not run: fxcpp was built without libtorch")
        sys.exit(77)
    unittest.main()
