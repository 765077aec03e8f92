"""Prints unusual schema strings, and how PyTorch prints them after parsing.

Each line has the text, a tab, and PyTorch's text, or `rejected` if PyTorch rejects the text. The
strings are derived from PyTorch's schemas by changing spaces, quotes and numbers, and from a list
of types, annotations and defaults. Exit status 77: PyTorch 2.13 is missing.
"""

from __future__ import annotations

import itertools
import random
import re
import sys

TYPES = [
    "Tensor", "Tensor?", "Tensor[]", "Tensor?[]", "int", "int?", "int[]", "int[2]", "int[2]?",
    "SymInt[3]", "float", "float[]", "bool", "bool[3]", "str", "str?", "Scalar", "ScalarType",
    "ScalarType?", "Layout?", "MemoryFormat?", "Device?", "Generator?", "Storage", "Stream", "Any",
    "t", "t[]", "Dict(str, int)", "(int, str)", "(int, str)[]", "Future(t)", "complex",
]  # fmt: skip
ALIASES = ["", "(a)", "(a!)", "(a -> *)", "(a! -> b)", "(*)", "( a ! )"]
DEFAULTS = {
    "int": ["0", "-1", "9223372036854775807", "Mean"],
    "int?": ["None", "3"],
    "int[]": ["[]", "[1]", "[ 1,-2 ]"],
    "int[2]": ["1", "[1, 2]"],
    "SymInt[3]": ["0"],
    "float": ["1", "0.1", "1e-5", "-2.5e10", "1e20", ".5", "5.", "123456789", "1e18"],
    "float[]": ["[1, 2.5]"],
    "bool": ["True", "False"],
    "bool[3]": ["True", "[True, False, True]"],
    "str": ['"a"', "'b'", '"q\\"\\\\n"', '"\\t\\n"', '""'],
    "str?": ["None", '"x"'],
    "Scalar": ["1", "1.5", "True", "2j"],
    "ScalarType": ["long", "float"],
    "ScalarType?": ["None"],
    "Layout?": ["strided", "None"],
    "Device?": ["None"],
    "complex": ["1j", "2.5j"],
    "Tensor?": ["None"],
}


def generated_texts() -> list[str]:
    texts = []
    for kind, alias in itertools.product(TYPES, ALIASES):
        texts.append(f"aten::f({kind}{alias} x) -> {kind}")
        base = re.match(r"[A-Za-z]+|\(.*?\)", kind).group(0)
        if "?[" in kind:
            continue  # PyTorch prints the annotation where its parser does not accept it
        texts.append(f"aten::f({base}{alias}{kind[len(base):]} x) -> ()")
    for kind, values in DEFAULTS.items():
        texts += [f"aten::f({kind} x={value}, *, {kind} y = {value}) -> ()" for value in values]
    texts += [
        "f(Tensor x, *) -> (Tensor)",
        "aten::f(*, *, int x) -> (Tensor y, int z)",
        "aten::f(Tensor x, ...) -> (Tensor, ...)",
        "aten::f(...) -> ...",
        "aten::f() -> ((int, str))",
    ]
    return texts


def changed_texts(schemas: list[str], random_source: random.Random) -> list[str]:
    """Returns the schemas with additional spaces, and without optional spaces."""
    texts = []
    for schema in random_source.sample(schemas, 300):
        tight = re.sub(r"(?<=[,=|>]) (?=\S)", "", schema) if '"' not in schema else schema
        loose = re.sub(r"([(),=\[\]?!])", r" \1 ", schema) if '"' not in schema else schema
        texts += [tight, loose]
    return texts


def main() -> int:
    try:
        import torch
    except ImportError:
        torch = None
    if torch is None or not torch.__version__.startswith("2.13."):
        print("not run: PyTorch 2.13 is required", file=sys.stderr)
        return 77
    known = sorted(str(schema) for schema in torch._C._jit_get_all_schemas())
    known = [text for text in known if text.startswith("aten::") and "__torch__" not in text]
    for text in generated_texts() + changed_texts(known, random.Random(0)):
        try:
            answer = str(torch._C.parse_schema(text))
        except Exception:  # noqa: BLE001 (PyTorch raises many kinds of exceptions)
            answer = "rejected"
        print(f"{text}\t{answer}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
