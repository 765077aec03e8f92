#!/usr/bin/env python3
"""Calls to torch's Python functions after the passes that rewrite their arguments.

For each function of torch that has a signature in Python (torch.nn.functional.mse_loss), calls with
each optional parameter, by position and by keyword, go through normalize_args and
omit_default_arguments. By the function's own signature, each parameter must have the same value
before and after. For the other functions and for methods, which are implemented in C++, the names
of the keywords must be those that the function accepts.

Exit status: 0 if equal, 1 if not, 77 without torch.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

REPOSITORY = Path(__file__).resolve().parent.parent.parent
FXCPP = os.environ.get("FXCPP", str(REPOSITORY / "build" / "release" / "bin" / "fxcpp"))
MODULES = {"torch": torch, "torch.nn.functional": torch.nn.functional,
           "torch.functional": torch.functional, "torch.linalg": torch.linalg,
           "torch.fft": torch.fft, "torch.special": torch.special}  # fmt: skip
PASSES = ("normalize_args", "normalize_args{only_kwargs=true}", "omit_default_arguments")
VALUES = ("7", "0", "1", "-1", "2", "0.5", "0.0", "1.0", "True", "False", "None", '"sum"', '"mean"')
POSITIONAL, KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


def signatures() -> dict[str, inspect.Signature]:
    """Returns the functions whose signature names each parameter."""
    found = {}
    for module, contents in MODULES.items():
        for name in sorted(dir(contents)):
            function = getattr(contents, name)
            if name.startswith("__") or not callable(function) or inspect.isclass(function):
                continue
            try:
                signature = inspect.signature(function)
            except (TypeError, ValueError):  # it is implemented in C++
                continue
            if all(p.kind in (POSITIONAL, KEYWORD) for p in signature.parameters.values()):
                found[f"{module}.{name}"] = signature
    return found


def argument_texts(signature: inspect.Signature) -> list[str]:
    """Returns the arguments of the calls, which all match the signature."""
    parameters = list(signature.parameters.values())
    required = [p for p in parameters if p.default is p.empty]
    optional = [p for p in parameters if p.default is not p.empty]
    first = ["%x" if p.kind == POSITIONAL else f"{p.name}=%x" for p in required]
    texts = [", ".join(first), ", ".join(f"{p.name}=%x" for p in required)]
    texts += [", ".join([*first, f"{p.name}={v}"]) for p in optional for v in VALUES]
    by_position = [p for p in optional if p.kind == POSITIONAL]
    if all(p.kind == POSITIONAL for p in required):
        texts += [", ".join(first + [str(10 + i) for i in range(n + 1)])
                  for n in range(len(by_position))]  # fmt: skip
    return texts


# Functions that change settings, or end or start other programs.
NOT_CALLED = re.compile(r"set_|seed|save|load|_check|manual|print|cuda|compile|autocast|dlpack")
REJECTED = re.compile(r"unexpected keyword|takes no keyword|takes .*argument.* given|missing|"
                      r"multiple values")  # fmt: skip


def functions_in_c() -> dict[str, Any]:
    """Returns the functions and methods whose signature is unknown to Python."""
    known, found = signatures(), {}
    modules = {**MODULES, "torch.Tensor": torch.Tensor, "torch._C._nn": torch._C._nn}
    for module, contents in modules.items():
        for name in sorted(dir(contents)):
            function, full = getattr(contents, name), f"{module}.{name}"
            is_protocol = name.startswith("__") and module != "torch.Tensor"
            if callable(function) and not inspect.isclass(function) and not is_protocol:
                if full not in known and not NOT_CALLED.search(name):
                    found[full] = function
    return found


def rejected_names(function: Any, receiver: list[Any], count: int, keywords: list[str]) -> str:
    """Returns the error for the names of the arguments, whose values are all wrong."""
    args = receiver + [object()] * (count - len(receiver))
    passed = {keyword: object() for keyword in keywords}
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = None
    has_names = parameters is not None and all(p.kind != p.VAR_KEYWORD for p in parameters)
    try:
        if has_names:
            inspect.signature(function).bind(*args, **passed)
        else:
            function(*args, **passed)
    except TypeError as error:
        return str(error) if has_names or REJECTED.search(str(error)) else ""
    except Exception:  # the values
        pass
    return ""


def call_of(text: str) -> tuple[list[Any], dict[str, Any]]:
    """Parses arguments: constants are their values, other expressions their text."""
    call = ast.parse(f"f({text.replace('%', '_')})", mode="eval").body
    assert isinstance(call, ast.Call)

    def value(node: ast.expr) -> Any:
        try:
            return ast.literal_eval(node)
        except ValueError:
            return ast.unparse(node)

    return [value(a) for a in call.args], {str(k.arg): value(k.value) for k in call.keywords}


def is_same(a: Any, b: Any) -> bool:
    """True for equal values; 1 and 1.0 are equal, 1 and True are not."""
    return isinstance(a, bool) == isinstance(b, bool) and a == b


class Signatures(unittest.TestCase):
    def test_parameters_keep_their_values(self) -> None:
        calls = [(name, signature, text) for name, signature in signatures().items()
                 for text in argument_texts(signature)]  # fmt: skip
        graph = "graph(%x) {\n"
        graph += "".join(f"  %r{i} = {name}({text})\n" for i, (name, _, text) in enumerate(calls))
        graph += f"  return [{', '.join(f'%r{i}' for i in range(len(calls)))}]\n}}\n"
        for pipeline in PASSES:
            result = subprocess.run([FXCPP, "opt", "-", "--passes", pipeline], input=graph,
                                    capture_output=True, text=True, check=True)  # fmt: skip
            found = re.findall(r"^  %r(\d+) = [\w.]+\((.*)\)$", result.stdout, re.MULTILINE)
            self.assertEqual(len(found), len(calls))
            changed = 0
            for number, text in found:
                name, signature, before = calls[int(number)]
                if text == before:
                    continue
                changed += 1
                with self.subTest(pipeline=pipeline, call=f"{name}({before})", result=text):
                    expected = signature.bind(*call_of(before)[0], **call_of(before)[1])
                    actual = signature.bind(*call_of(text)[0], **call_of(text)[1])
                    expected.apply_defaults()
                    actual.apply_defaults()
                    for parameter, value in expected.arguments.items():
                        self.assertTrue(is_same(actual.arguments[parameter], value), parameter)
            self.assertGreater(changed, 200)


    def test_functions_accept_the_keywords(self) -> None:
        functions = functions_in_c()
        calls = [(name, count) for name in functions for count in range(8)]
        graph = "graph(%x) {\n"
        graph += "".join(f"  %r{i} = {name}({', '.join(['%x'] * count)})\n"
                         for i, (name, count) in enumerate(calls))  # fmt: skip
        graph += "  return %r0\n}\n"
        result = subprocess.run([FXCPP, "opt", "-", "--passes", PASSES[1]], input=graph,
                                capture_output=True, text=True, check=True)  # fmt: skip
        longest = {}  # the calls of a function whose arguments have the most names
        found = re.findall(r"^  %r(\d+) = [\w.]+\((.*)\)$", result.stdout, re.MULTILINE)
        for number, text in found:
            keywords = re.findall(r"(\w+)=", text)  # one is Python's keyword `from`
            if keywords:
                count = len(re.findall(r"(?<!=)%x", text))
                longest[calls[int(number)][0]] = (count, keywords, text)
        self.assertGreater(len(longest), 1000)
        for name, (count, keywords, text) in longest.items():
            receiver = [torch.ones(2, 2)] if name.startswith("torch.Tensor.") and count > 0 else []
            with self.subTest(call=f"{name}({text})"):
                self.assertEqual(rejected_names(functions[name], receiver, count, keywords), "")


if __name__ == "__main__":
    unittest.main()
