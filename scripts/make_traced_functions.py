#!/usr/bin/env python3
"""Writes the functions and methods of fx::Proxy in tracer/generated.

The files, functions.h, tensor_methods.h and their .cpp files (functions_<n>.cpp, tensor_methods_<n>.cpp), are
checked in. They are generated from the checked-in operator table (ir/ops/generated/aten_*.cpp)
and the Python names of the operators in an installed PyTorch 2.13.

    scripts/make_traced_functions.py            writes the files
    scripts/make_traced_functions.py --check    compares the output with the files; exits with 1 if they differ

The exit status is 77 if PyTorch 2.13 is not installed.

Rules. An operator that libtorch provides as a function `at::f` becomes `fx::f`; one that it provides
as a method becomes a method. Both have the operator's schema as their signature. The recorded target is the
function that Python's torch calls (`torch.relu`, `torch._C._nn.linear`), or the method's name.
Overloads that write to `out`, use dimension names (Dimname), differ only in generators, or are
only in TorchScript, and names with a leading underscore, are omitted. If two overloads cannot be
distinguished by the types of their arguments, the more general one is kept.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import re
import sys
from pathlib import Path

TORCH_VERSION = "2.13"
ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tracer" / "generated"
FUNCTIONS_PER_FILE = 420

NAMESPACES = ("_nn", "_linalg", "_fft", "_special", "_sparse", "_nested")

# Handwritten methods of Proxy (proxy.h).
HANDWRITTEN = {"index", "data", "size"}

# Schema type -> (class of the parameter, kinds of C++ values that it accepts). C++ overload
# resolution cannot distinguish two classes that share a kind.
PROXY = "const Proxy&"
TYPES: dict[str, tuple[str, set[str]]] = {
    "Tensor": (PROXY, {"tensor"}),
    "Tensor?": ("OptionalTensor", {"optional_tensor"}),
    "Tensor[]": ("TensorList", {"tensors"}),
    "Tensor?[]": ("OptionalTensorList", {"tensors"}),
    "int": ("IntArg", {"int"}),
    "float": ("FloatArg", {"int", "float"}),
    "bool": ("BoolArg", {"bool"}),
    "Scalar": ("ScalarArg", {"int", "float", "bool"}),
    "str": ("StringArg", {"str"}),
    "ScalarType": ("DTypeArg", {"dtype"}),
    "Layout": ("LayoutArg", {"layout"}),
    "MemoryFormat": ("MemoryFormatArg", {"memory_format"}),
    "Device": ("DeviceArg", {"device"}),
    "int[]": ("IntList", {"int", "numbers"}),
    "float[]": ("FloatList", {"numbers"}),
    "Scalar[]": ("ScalarList", {"numbers"}),
    "bool[]": ("BoolList", {"bools"}),
    "Generator": ("", set()),
}
# Overloads that differ in one of these pairs may be merged: the second accepts all arguments of the first.
WIDER = {("IntArg", "IntList"), ("IntArg", "FloatArg"), ("IntArg", "ScalarArg"),
         ("FloatArg", "ScalarArg"), ("BoolArg", "ScalarArg"),
         ("OptionalTensor", "ScalarArg")}  # fmt: skip

# C++ keywords.
CPP_KEYWORDS = {"and", "or", "xor", "not", "bool", "int", "float", "double", "long", "short", "char",
             "default", "union", "signed", "register", "new", "delete", "template"}  # fmt: skip


@dataclasses.dataclass
class Parameter:
    name: str
    type: str  # class
    kinds: set[str]
    default: bool
    keyword: bool


@dataclasses.dataclass
class Signature:
    base: str
    overload: str  # aten.add.Tensor
    parameters: list[Parameter]
    results: int
    target: str = ""
    # The overload for a number instead of a list, or a tensor instead of a number; the position of the
    # argument; and which of the two cases applies.
    narrow: tuple[str, int, bool] | None = None

    def min_arguments(self) -> int:
        return sum(not p.default for p in self.parameters)


def table_schemas() -> dict[str, list[tuple[str, str]]]:
    """Operator -> (schema text, traits) of its rows, in the order of the table."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((ROOT / "ir" / "ops" / "generated").glob("aten_*.cpp")):
        for row in re.finditer(r'\{((?:"(?:[^"\\]|\\.)*"\s*)+)(?:,([^{}]*))?\}', path.read_text()):
            pieces = re.findall(r'"((?:[^"\\]|\\.)*)"', row[1])
            text = "".join(pieces).replace('\\"', '"').replace("\\\\", "\\")
            if not text.startswith("aten::"):
                continue
            base = re.match(r"aten::(\w+)", text)[1]
            rows.setdefault(base, []).append((text, row[2] or ""))
    return rows


def split_arguments(text: str) -> list[str]:
    parts, depth, current = [], 0, ""
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return parts + ([current.strip()] if current.strip() else [])


def parse(text: str) -> Signature | None:
    """The signature for C++, or None if C++ cannot express it."""
    match = re.match(r"aten::(\w+)(?:\.(\w+))?\((.*)\) -> (.*)$", text)
    base, overload, arguments, returns = match.groups()
    parameters: list[Parameter] = []
    keyword = False
    for argument in split_arguments(arguments):
        if argument == "*":
            keyword = True
            continue
        declared = re.match(r"(.+?) (\w+)(?:=(.*))?$", argument)
        if declared is None:
            return None
        kind, name, default = declared.groups()
        if "!" in kind and keyword:
            return None  # out=
        kind = re.sub(r"\([^)]*\)", "", kind)
        kind = kind.replace("SymInt", "int").replace("SymBool", "bool")
        kind = re.sub(r"\[\d+\]", "[]", kind)
        optional = kind.endswith("?")
        plain = kind if kind in ("Tensor?", "Tensor?[]") else kind.removesuffix("?")
        if plain not in TYPES:
            return None
        cls, kinds = TYPES[plain]
        if not cls:  # generators have no counterpart: use the default
            if not optional:
                return None
            continue
        if name in CPP_KEYWORDS:
            name += "_"
        parameters.append(Parameter(name, cls, kinds, default is not None, keyword))
    results = len(split_arguments(returns[1:-1])) if returns.startswith("(") else 1
    # In C++ all parameters after a default need a default, so a required keyword is moved before the
    # first default.
    required = [p for p in parameters if not p.default]
    if parameters[: len(required)] != required:
        positional = [p for p in parameters if not p.keyword]
        if any(p.default and any(not q.default for q in positional[i:])
               for i, p in enumerate(positional)):  # fmt: skip
            return None
        parameters = sorted(parameters, key=lambda p: p.default)
    return Signature(base, f"aten.{base}.{overload or 'default'}", parameters, max(results, 1))


def indistinguishable(a: Parameter, b: Parameter) -> bool:
    tensor_or_number = {a.type, b.type} == {"OptionalTensor", "ScalarArg"}
    return a.type == b.type or tensor_or_number or bool(a.kinds & b.kinds)


def covers(wide: Signature, narrow: Signature) -> bool:
    """Returns whether every call to `narrow` is a valid call to `wide` that records the same node."""
    if len(wide.parameters) < len(narrow.parameters) or wide.min_arguments() > narrow.min_arguments():
        return False
    return all(
        (w.type == n.type or (n.type, w.type) in WIDER) and w.keyword == n.keyword
        for w, n in zip(wide.parameters, narrow.parameters)
    ) and all(w.name == n.name for w, n in zip(wide.parameters, narrow.parameters) if n.keyword)


def note_narrow(wide: Signature, narrow: Signature) -> None:
    """Records which arguments of a call to `wide` select the overload `narrow`."""
    for at, (w, n) in enumerate(zip(wide.parameters, narrow.parameters)):
        pair = (n.type, w.type)
        if wide.narrow is None and pair in (("IntArg", "IntList"), ("OptionalTensor", "ScalarArg")):
            wide.narrow = (narrow.overload, at, n.type == "OptionalTensor")


def clash(a: Signature, b: Signature) -> int | None:
    """The smallest number of arguments with which a call is ambiguous."""
    longest = min(len(a.parameters), len(b.parameters))
    for count in range(max(a.min_arguments(), b.min_arguments()), longest + 1):
        if all(indistinguishable(p, q) for p, q in zip(a.parameters[:count], b.parameters[:count])):
            return count
    return None


def distinct(signatures: list[Signature]) -> list[Signature]:
    """The signatures of one name that C++ overload resolution can distinguish."""
    kept: list[Signature] = []
    for signature in signatures:
        wider = next((other for other in kept if covers(other, signature)), None)
        if wider is not None:
            note_narrow(wider, signature)
            continue
        for other in kept:
            if covers(signature, other):
                note_narrow(signature, other)
        kept = [other for other in kept if not covers(signature, other)]
        while True:
            clashes = (clash(other, signature) for other in kept)
            at = next((count for count in clashes if count is not None), None)
            if at is None:
                kept.append(signature)
                break
            if at >= len(signature.parameters):
                break
            signature.parameters[at].default = False  # distinguish it by an additional argument
            for p in signature.parameters[:at]:
                p.default = False
    return kept


def python_function(torch, base: str) -> str | None:
    """torch.fx's name for the Python function that calls this operator."""
    from torch.fx.node import _get_qualified_name

    for namespace in NAMESPACES:
        if hasattr(getattr(torch._C, namespace), base):
            return f"torch._C.{namespace}.{base}"
    public = getattr(torch, base, None)
    if inspect.isfunction(public) and public.__module__ == "torch.functional":
        return _get_qualified_name(public)
    if hasattr(torch._C._VariableFunctions, base):
        return f"torch.{base}"
    return None


def is_method(torch, base: str) -> bool:
    if not hasattr(torch.Tensor, base):
        return False
    found = inspect.getattr_static(torch.Tensor, base)
    return callable(found) and not isinstance(found, property)


def declare(s: Signature, cls: str, method: bool, defaults: bool) -> str:
    parameters = s.parameters[1:] if method else s.parameters
    texts = []
    if not method and not takes_proxies(s):
        texts.append("TracerBase& tracer")
    for p in parameters:
        cpp = p.type if p.type == PROXY else f"const {p.type}&"
        texts.append(f"{cpp} {p.name}" + (" = {}" if p.default and defaults else ""))
    texts.append("Where where" + (" = Where::current()" if defaults else ""))
    result = "Proxy" if s.results == 1 else f"Results<{s.results}>"
    return f"{result} {cls}{s.base}({', '.join(texts)})" + (" const" if method else "")


def takes_proxies(s: Signature) -> bool:
    """Returns whether a required parameter is a Proxy or a list of them, which provides the tracer."""
    return any(
        p.type in (PROXY, "TensorList", "OptionalTensorList") and not p.default
        for p in s.parameters
    )


def define(s: Signature, method: bool) -> str:
    cls = "TensorMethods::" if method else ""
    keywords = [p for p in s.parameters if p.keyword]
    positional = [p for p in s.parameters if not p.keyword]
    names = ", ".join(f'"{p.name.removesuffix("_") if p.name[:-1] in CPP_KEYWORDS else p.name}"'
                      for p in keywords)  # fmt: skip
    target = s.base if method else s.target
    row = f'static constexpr TracedCall kCall{{"{target}", "{s.overload}", {len(positional)}'
    row += f", {{{names}}}" if names or s.narrow else ""
    row += f', "{s.narrow[0]}", {s.narrow[1]}, {str(s.narrow[2]).lower()}}};' if s.narrow else "};"
    ordered = positional + keywords
    values = ["self()" if method and i == 0 else p.name for i, p in enumerate(ordered)]
    call = "record_method" if method else "record_function"
    tracer = "" if method or takes_proxies(s) else "tracer, "
    recorded = f"{call}({tracer}kCall, where, {{{', '.join(values)}}})"
    if s.results > 1:
        recorded = f"Results<{s.results}>({recorded}, where)"
    return f"{declare(s, cls, method, False)} {{\n  {row}\n  return {recorded};\n}}\n"


NOTE = "// Generated by scripts/generate (make_traced_functions.py). Do not edit.\n"


def header(functions: list[Signature]) -> str:
    lines = [
        "// Operators as functions of Proxy: `relu(x)`, `conv2d(x, w, b, {2, 2})`, with the names and\n"
        "// parameters of libtorch's functions, found by argument-dependent lookup. A call records a node.\n"
        "// A parameter whose default is `{}` has the operator's default value.\n//\n" + NOTE + "#pragma once\n\n"
        '#include "fx/tracer/proxy.h"\n\n// clang-format off\nnamespace fx {\n'
    ]
    for s in functions:
        lines.append(f"/// {s.target}: {s.overload}")
        lines.append(declare(s, "", False, True) + ";")
    return "\n".join(lines) + "\n\n}  // namespace fx\n"


def methods_header(methods: list[Signature]) -> str:
    lines = [
        "// TensorMethods: the methods of libtorch's Tensor, for Proxy. A call records a call_method.\n"
        "//\n" + NOTE + "#pragma once\n\n"
        '#include "fx/tracer/operand.h"\n\n// clang-format off\nnamespace fx {\n\n'
        "/// Base of Proxy. Proxy adds indexing, attributes and operators.\n"
        "class TensorMethods {\n public:"
    ]
    for s in methods:
        lines.append(f"  /// {s.overload}")
        lines.append("  " + declare(s, "", True, True) + ";")
    lines.append("\n private:\n  const Proxy& self() const;\n};\n")
    return "\n".join(lines) + "\n}  // namespace fx\n"


def sources(stem: str, title: str, signatures: list[Signature], method: bool) -> dict[Path, str]:
    files = {}
    for number, start in enumerate(range(0, len(signatures), FUNCTIONS_PER_FILE), 1):
        part = signatures[start : start + FUNCTIONS_PER_FILE]
        body = "\n".join(define(s, method) for s in part)
        files[FOLDER / f"{stem}_{number}.cpp"] = (
            f"// {title}, {part[0].base} to {part[-1].base}.\n//\n{NOTE}"
            '#include "fx/tracer/generated/functions.h"\n#include "fx/tracer/record_internal.h"\n\n'
            f"// clang-format off\nnamespace fx {{\n\n{body}\n}}  // namespace fx\n"
        )
    return files


def make_files(torch) -> dict[Path, str]:
    functions: list[Signature] = []
    methods: list[Signature] = []
    for base, rows in sorted(table_schemas().items()):
        if base.startswith("_") or base in CPP_KEYWORDS:
            continue
        target = python_function(torch, base)

        def signatures() -> list[Signature]:
            parsed = [
                parse(text) for text, traits in rows
                if "kTorchScript" not in traits and "Dimname" not in text
            ]  # fmt: skip
            return [s for s in parsed if s is not None]

        if target is not None:
            for s in distinct(signatures()):
                s.target = target
                functions.append(s)
        if is_method(torch, base) and base not in HANDWRITTEN:
            of_tensor = [
                s for s in signatures() if s.parameters and s.parameters[0].name == "self"
                and s.parameters[0].type == PROXY
            ]  # fmt: skip
            methods.extend(distinct(of_tensor))
    return {
        FOLDER / "functions.h": header(functions),
        FOLDER / "tensor_methods.h": methods_header(methods),
        **sources("functions", "Operators as functions of Proxy", functions, False),
        **sources("tensor_methods", "Methods of Proxy", methods, True),
    }


def stale(files: dict[Path, str]) -> list[Path]:
    existing = [*FOLDER.glob("functions_[0-9].cpp"), *FOLDER.glob("tensor_methods_[0-9].cpp")]
    return sorted(path for path in existing if path not in files)


def check(files: dict[Path, str]) -> int:
    wrong = [p for p, text in files.items() if not p.exists() or p.read_text() != text]
    wrong += stale(files)
    if wrong:
        names = ", ".join(path.name for path in wrong)
        print(f"out of date with the operator table or PyTorch: {names}; run scripts/generate", file=sys.stderr)
        return 1
    print(f"{len(files)} files match the operator table and PyTorch")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare the files; do not write them")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        torch = None
    if torch is None or not torch.__version__.startswith(TORCH_VERSION):
        print(f"PyTorch {TORCH_VERSION} is not installed", file=sys.stderr)
        return 77
    files = make_files(torch)
    if options.check:
        return check(files)
    for path, text in files.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    for path in stale(files):
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
