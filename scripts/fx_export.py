#!/usr/bin/env python3
"""Writes torch.fx graphs as fxcpp's interchange JSON, and reads them back.

This file needs only torch: copy it next to your model.

    import fx_export
    gm = torch.fx.symbolic_trace(model)
    fx_export.dump(gm, "model.json")      # any Graph or GraphModule: traced, make_fx, AOTAutograd
    gm = fx_export.load("model.json")     # names, order, arguments and metadata as they were

fxcpp's docs/json.md describes the format.  Data that cannot be represented is never dropped
silently; the document's "warnings" list it.  Tensor data is not in the file: `load` creates
zero-filled parameters unless you pass a `state` (for example `module.state_dict()`).

Reading a file imports the modules of the functions and classes that it names, as pickle does, but
does not call the functions.  It creates instances only of module classes, without calling __init__,
and of torch's frozen dataclasses.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import dataclasses
import enum
import importlib
import json
import math
import operator
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Union

import torch
import torch.fx
from torch import nn
from torch.fx.graph import CodeGen, _PyTreeCodeGen, _PyTreeInfo
from torch.fx.node import Node, _type_repr
from torch.fx.passes.shape_prop import TensorMetadata
from torch.utils import _pytree as pytree

FORMAT = 2
MAX_DATA = 64  # a constant with more elements is written without its data
MAX_DEPTH = 200  # nesting of one argument; deeper meta values are reported and omitted
GRAPH_MODULE = "torch.fx.graph_module.GraphModule"

Json = Any
OpOverload = torch._ops.OpOverload
OpOverloadPacket = torch._ops.OpOverloadPacket
HigherOrderOperator = torch._ops.HigherOrderOperator
SYM_KINDS = {torch.SymInt: "int", torch.SymFloat: "float", torch.SymBool: "bool"}
CALLABLES = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    OpOverload,
    OpOverloadPacket,
    HigherOrderOperator,
)


class ExportError(ValueError):
    """The graph or the document violates a rule of the format; the message names the location."""


class Stored:
    """Represents a Python value that could not be restored; it is exported unchanged."""

    def __init__(self, doc: Mapping[str, Json]) -> None:
        self.doc = dict(doc)

    def __str__(self) -> str:
        return self.doc.get("str") or f"<{self.doc.get('object', 'stored')}>"

    def __repr__(self) -> str:
        return self.doc.get("repr") or str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stored) and self.doc == other.doc

    def __hash__(self) -> int:
        return hash(str(self))


class TypeText:
    """An annotation that is known only as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class FunctionStandIn:
    """A call target that could not be found. It prints like the original, and cannot be called."""

    def __init__(self, key: str, row: Mapping[str, Json]) -> None:
        self.key, self.row = key, dict(row)
        listing = row["listing"]
        self.__module__, _, self.__name__ = listing.rpartition(".")
        self.__qualname__ = self.__name__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"function '{self.key}' was not found when the graph was read")

    def __str__(self) -> str:
        return self.row["repr"]

    def __repr__(self) -> str:
        return self.row["inner"]


def mask_addresses(text: str) -> str:
    """Replaces memory addresses, which differ from run to run, with 0x0."""
    return re.sub(r"0x[0-9a-f]+", "0x0", text)


def printable(text: str) -> str:
    """Writes lone surrogates, which a file cannot contain, as `\\ud800`, like `repr`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def short(value: Any) -> str:
    """`torch.float32` -> `float32`."""
    return str(value).split(".", 1)[1]


def class_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


# ---------------------------------------------------------------------------------------------
# Functions: names, how torch.fx prints them, and the way back
# ---------------------------------------------------------------------------------------------


def default_row(key: str) -> dict[str, str]:
    """The row that the rules in docs/json.md derive from a function's name."""
    parts = key.split(".")
    last = parts[-1]
    if len(parts) == 2 and parts[0] in ("operator", "math", "builtins"):
        text = f"<built-in function {last}>"
        return {"name": last, "listing": key, "repr": text, "inner": text}
    if len(parts) == 2 and parts[0] == "higher_order":
        return {"name": last, "listing": f"torch.ops.{key}", "repr": last, "inner": last}
    if len(parts) == 2 and parts[0] == "torch":
        text = f"<built-in method {last} of type object at 0x0>"
        return {"name": last, "listing": key, "repr": text, "inner": text}
    if key.startswith("torch._C."):
        text = f"<built-in function {last}>"
        return {"name": last, "listing": key, "repr": text, "inner": text}
    if len(parts) == 3 and parts[0] != "torch":
        inner = f"<OpOverload(op='{parts[0]}.{parts[1]}', overload='{last}')>"
        name = f"{parts[1]}.{last}"
        return {"name": name, "listing": f"torch.ops.{key}", "repr": key, "inner": inner}
    return {"name": last, "listing": key, "repr": key, "inner": key}


def actual_row(function: Any) -> dict[str, str]:
    """The row with torch.fx's spellings of a function."""
    name = getattr(function, "__name__", None) or type(function).__name__
    try:
        listing = Node._pretty_print_target(function)
    except Exception:  # torch.fx itself cannot print it, so any text is correct
        listing = f"{type(function).__module__}.{name}"
    texts = {"repr": str(function), "inner": repr(function)}
    return {"name": name, "listing": listing} | {k: mask_addresses(v) for k, v in texts.items()}


def _module_names(function: Any) -> Iterator[str]:
    """Candidate names, the preferred one first."""
    name = getattr(function, "__name__", type(function).__name__)
    qualified = getattr(function, "__qualname__", None) or name
    if getattr(builtins, name, None) is function:
        yield f"builtins.{name}"
    if not isinstance(function, type) and getattr(torch.Tensor, name, None) is function:
        yield f"torch.Tensor.{name}"
    owner = getattr(function, "__self__", None)
    if isinstance(owner, type):
        yield f"{class_name(owner).lstrip('_')}.{name}"
    module = getattr(function, "__module__", None) or "torch"
    for prefix in dict.fromkeys((module.lstrip("_"), module)):
        for rest in dict.fromkeys((qualified, name)):
            yield f"{prefix}.{rest}"
    # torch.functional hides functions of the same name (meshgrid), and calls them itself.
    if getattr(torch._C._VariableFunctions, name, None) == function:
        yield f"torch._VF.{name}"


def function_name(function: Any) -> tuple[str, bool]:
    """The name of a function in a document, and whether the name resolves to the function."""
    if isinstance(function, FunctionStandIn):
        return function.key, False
    if isinstance(function, (OpOverload, OpOverloadPacket)):
        return str(function), True
    if isinstance(function, HigherOrderOperator):
        return f"higher_order.{function._name}", True
    candidates = list(_module_names(function))
    for name in candidates:
        found = find_object(name)
        if found is function or (found is not None and _same_function(found, function)):
            return name, True
    return candidates[0], False


def _same_function(a: Any, b: Any) -> bool:
    """Compares functions: each access creates a bound method, and torch may have two objects for an operator."""
    if isinstance(a, OpOverload) and isinstance(b, OpOverload):
        return str(a) == str(b)
    kinds = (types.MethodType, types.BuiltinMethodType)
    return isinstance(a, kinds) and isinstance(b, kinds) and a == b


def find_object(name: str) -> Any:
    """Imports the module of a dotted path, and returns the object, or None if it does not exist."""
    parts = name.split(".")
    for split in range(len(parts) - 1, 0, -1):
        module_name = ".".join(parts[:split])
        try:
            found: Any = sys.modules.get(module_name) or importlib.import_module(module_name)
        except (ImportError, ValueError):
            continue
        for part in parts[split:]:
            found = getattr(found, part, None)
        return found
    return None


def find_function(key: str) -> Any:
    """The function with this name in a document, or None if it does not exist."""
    parts = key.split(".")
    if parts[0] == "higher_order":
        importlib.import_module("torch._higher_order_ops")  # registers the operators
        return getattr(torch.ops.higher_order, parts[1], None)
    found = find_object(key)
    if found is None and len(parts) in (2, 3) and parts[0].isidentifier():
        found = getattr(torch.ops, parts[0])
        for part in parts[1:]:
            found = getattr(found, part, None)
    return found


class FunctionTable:
    """The functions that one document names, each name once."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Json]] = {}
        self._keys: dict[int, str] = {}
        self._owners: dict[str, Any] = {}  # keeps the functions alive, so that ids are not reused

    def key(self, function: Any) -> str:
        known = self._keys.get(id(function))
        if known is not None:
            return known
        base, found = function_name(function)
        key, count = base, 1
        while key in self._owners and not _same_function(self._owners[key], function):
            count += 1
            key = f"{base}#{count}"
        self._keys[id(function)] = key
        self._owners[key] = function
        self._add_row(key, function, found)
        return key

    def _add_row(self, key: str, function: Any, found: bool) -> None:
        known = function.row if isinstance(function, FunctionStandIn) else actual_row(function)
        default = default_row(key)
        row: dict[str, Json] = {k: known[k] for k in default if known[k] != default[k]}
        row.pop("inner", None)
        if full_row(key, {key: row})["inner"] != known["inner"]:
            row["inner"] = known["inner"]
        if not found:
            row["unresolved"] = True
        if row:
            self.rows[key] = row


def full_row(key: str, rows: Mapping[str, Mapping[str, Json]]) -> dict[str, str]:
    """A function's row with the defaults filled in; `inner` defaults to the row's `repr` if it has one."""
    row = {k: v for k, v in rows.get(key, {}).items() if k != "unresolved"}
    if "repr" in row:
        row.setdefault("inner", row["repr"])
    return default_row(key) | row


# ---------------------------------------------------------------------------------------------
# Values that C++ does not interpret
# ---------------------------------------------------------------------------------------------

_OPAQUE: dict[type, tuple[Callable[[Any], Json], Callable[[Json], Any]]] = {}


def register_opaque(
    cls: type, to_data: Callable[[Any], Any], from_data: Callable[[Any], Any]
) -> None:
    """Registers a class: `to_data` returns a value that an argument can contain."""
    _OPAQUE[cls] = (to_data, from_data)


register_opaque(set, list, set)
register_opaque(frozenset, list, frozenset)
register_opaque(bytes, list, bytes)
register_opaque(int, str, int)
register_opaque(str, lambda s: [ord(c) for c in s], lambda codes: "".join(map(chr, codes)))
register_opaque(torch.qscheme, short, lambda name: getattr(torch, name))


def is_torch_dataclass(cls: type) -> bool:
    """True for torch's frozen dataclasses, such as AOTAutograd's descriptions of inputs and outputs."""
    frozen = dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen  # type: ignore
    return frozen and cls.__module__.startswith("torch.")


# ---------------------------------------------------------------------------------------------
# Python -> JSON
# ---------------------------------------------------------------------------------------------


class Encoder:
    """Arguments and values of one document; collects functions, symbols and warnings."""

    def __init__(self) -> None:
        self.functions = FunctionTable()
        self.symbols: dict[str, dict[str, int]] = {}
        self.warnings: list[str] = []
        self.where = "graph"
        self._graphs: list[Any] = []  # graphs being written, to detect cycles
        self._envs: dict[int, Any] = {}  # the ShapeEnvs of the symbols

    def warn(self, message: str) -> None:
        text = f"{self.where}: {message}"
        if text not in self.warnings:
            self.warnings.append(text)

    # -- scalars ------------------------------------------------------------------------------

    @staticmethod
    def number(x: float) -> Json:
        if math.isnan(x):
            return {"f": "nan"}
        if math.isinf(x):
            return {"f": "inf" if x > 0 else "-inf"}
        return float(x)

    def expression(self, x: Any) -> str:
        """The text of a symbolic number; records its symbols."""
        node = x.node
        expr = getattr(node, "expr", None)
        if expr is None:
            return str(x)
        env = getattr(node, "shape_env", None)
        if env is not None:
            self._envs.setdefault(id(env), env)
        for symbol in getattr(expr, "free_symbols", ()):
            if env is not None and str(symbol) not in self.symbols:
                self.symbols[str(symbol)] = symbol_facts(symbol, env)
        return str(expr)

    def guards(self) -> list[str]:
        """The relations between the symbols of the document that tracing assumed, for example in a branch
        on a size."""
        found: dict[str, None] = {}
        for env in self._envs.values():
            if hasattr(env, "fx_export_made_up_hints"):  # created by load()
                continue
            for guard in env.guards:
                names = {str(symbol) for symbol in guard.expr.free_symbols}
                if names and names <= self.symbols.keys():
                    found[str(guard.expr)] = None
        return list(found)

    def dim(self, x: Any) -> int | str:
        """A size, stride or offset."""
        if isinstance(x, int):
            return int(x)
        text = self.expression(x)
        return int(text) if re.fullmatch(r"-?\d+", text) else text

    # -- arguments ----------------------------------------------------------------------------

    def argument(self, a: Any, nodes: bool = True, depth: int = 0) -> Json:
        """Any argument; `nodes`: whether it may contain nodes (metadata may not)."""
        if depth > MAX_DEPTH:
            return self.opaque(a, f"nested more than {MAX_DEPTH} levels deep")
        kind = type(a)
        if a is None or kind is bool:
            return a
        if kind is str:
            return a if not _has_surrogates(a) else self.opaque(a)
        if kind is int:
            return a if -(2**63) <= a < 2**63 else self.opaque(a)
        if kind is float:
            return self.number(a)
        if isinstance(a, Node):
            return {"n": a.name} if nodes else self.opaque(a, "a node inside metadata")
        if isinstance(a, (list, tuple, dict)):
            return self.container(a, nodes, depth + 1)
        if kind in (slice, range):
            parts = (a.start, a.stop, a.step)
            return {kind.__name__: [self.argument(p, nodes, depth + 1) for p in parts]}
        if isinstance(a, torch.Tensor):
            return self.tensor_argument(a)
        if kind in SYM_KINDS:
            return {"sym": self.expression(a), "kind": SYM_KINDS[kind]}
        return self.leaf(a)

    def container(self, a: Any, nodes: bool, depth: int) -> Json:
        def each(items: Any) -> list[Json]:
            return [self.argument(x, nodes, depth) for x in items]

        if isinstance(a, torch.Size):
            return {"size": [self.dim(x) for x in a]}
        if isinstance(a, tuple):
            if hasattr(a, "_fields"):
                fields = dict(zip(a._fields, each(a)))
                return {"namedtuple": class_name(type(a)), "fields": fields}
            if type(a) is not tuple:
                return self.opaque(a, "a tuple of a custom class")
            return {"tuple": each(a)}
        if isinstance(a, list):
            return each(a)
        if all(type(k) is str and not _has_surrogates(k) for k in a):
            return {"map": dict(zip(a, each(a.values())))}
        keys = [self.argument(k, False, depth) for k in a]
        return {"dict": [list(pair) for pair in zip(keys, each(a.values()))]}

    def leaf(self, a: Any) -> Json:
        if a is ...:
            return {"ellipsis": True}
        if isinstance(a, complex) and type(a) is complex:
            return {"complex": [self.number(a.real), self.number(a.imag)]}
        if isinstance(a, torch.device):
            return {"device": str(a)}
        for cls in (torch.dtype, torch.layout, torch.memory_format):
            if isinstance(a, cls):
                return {cls.__name__: short(a)}
        if isinstance(a, Stored):
            return self.stored(a)
        if isinstance(a, CALLABLES + (FunctionStandIn,)):
            return {"op": self.functions.key(a)}
        if isinstance(a, torch.fx.GraphModule):
            a = a.graph
        if isinstance(a, torch.fx.Graph) and not any(a is g for g in self._graphs):
            return {"graph": self.graph(a)}
        return self.opaque(a)

    def opaque(self, a: Any, reason: str = "") -> Json:
        """Fallback: the strings, and the data if the class is known."""
        custom = getattr(a, "_custom_fx_repr_fn", None)
        text = printable(mask_addresses(custom() if custom else _safe_text(str, a)))
        inner = printable(mask_addresses(_safe_text(repr, a)))
        doc: dict[str, Json] = {"opaque": class_name(type(a)), "str": text}
        if inner != text:
            doc["repr"] = inner
        if not reason:
            data = self.opaque_data(a)
            if data is not _MISSING:
                return doc | {"data": data}
        self.warn(f"{doc['opaque']} is kept as text only" + (f" ({reason})" if reason else ""))
        return doc

    def stored(self, a: Stored) -> Json:
        """Writes values that were read but not interpreted, unchanged and with their warning."""
        if "opaque" in a.doc and "data" not in a.doc:
            self.warn(f"{a.doc['opaque']} is kept as text only")
        elif "object" in a.doc:
            self.warn(f"only the class of a {a.doc['object']} is kept")
        elif "t" in a.doc and "str" in a.doc and "data" not in a.doc:
            self.warn("the data of a constant tensor is not written")
        return a.doc

    def opaque_data(self, a: Any) -> Json:
        if isinstance(a, enum.Enum):
            return a.name if a.name is not None else _MISSING
        if type(a).__module__ == "numpy" and isinstance(a, (bool, int, float, complex)):
            return self.argument(a.item(), False)
        if isinstance(a, pytree.TreeSpec):
            try:
                return pytree.treespec_dumps(a)
            except NotImplementedError:  # the class has no serialized name
                return _MISSING
        if is_torch_dataclass(type(a)):
            fields = [f.name for f in dataclasses.fields(a) if f.init]
            return self.argument({k: getattr(a, k) for k in fields}, False)
        if type(a) in _OPAQUE:
            return self.argument(_OPAQUE[type(a)][0](a), False)
        return _MISSING

    # -- values -------------------------------------------------------------------------------

    def value(self, v: Any) -> Json:
        """The value of a node, without its data."""
        if isinstance(v, torch.Tensor):
            return self.tensor(v)
        if isinstance(v, TensorMetadata):
            return self.tensor_metadata(v)
        if isinstance(v, (list, tuple)) and type(v) in _PLAIN_LISTS:
            items = [self.value(x) for x in v]
            return items if isinstance(v, list) else {"tuple": items}
        if isinstance(v, dict) and all(type(k) is str for k in v):
            return {"map": {k: self.value(x) for k, x in v.items()}}
        if isinstance(v, tuple) and hasattr(type(v), "n_fields"):  # torch.return_types
            return {"tuple": [self.value(x) for x in v]}
        if isinstance(v, (nn.Module, torch.fx.Graph)) or type(v) not in _ARGUMENT_TYPES:
            if isinstance(v, Stored):
                return self.stored(v)
            self.warn(f"only the class of a {type(v).__name__} is kept")
            return {"object": type(v).__name__}
        return self.argument(v, False)

    def tensor(self, t: torch.Tensor) -> Json:
        doc: dict[str, Json] = {"t": short(t.dtype)}
        try:
            doc["shape"] = [self.dim(s) for s in t.shape]
        except RuntimeError:  # nested tensors have no sizes
            self.warn(f"only the class of a {type(t).__name__} is kept")
            return {"object": type(t).__name__}
        if t.layout is torch.strided:
            doc["stride"] = [self.dim(s) for s in t.stride()]
            offset = self.dim(t.storage_offset())
            if offset != 0:
                doc["offset"] = offset
        else:
            doc["layout"] = short(t.layout)
        if t.device.type != "cpu":
            doc["device"] = str(t.device)
        if t.requires_grad:
            doc["rg"] = True
        if type(t) not in (torch.Tensor, nn.Parameter) and not _is_fake(t):
            doc["class"] = class_name(type(t))
            self.warn(f"a {doc['class']} is read as a plain tensor")
        return doc

    def tensor_metadata(self, m: TensorMetadata) -> Json:
        doc: dict[str, Json] = {
            "t": short(m.dtype),
            "shape": [self.dim(s) for s in m.shape],
            "stride": [self.dim(s) for s in m.stride],
        }
        if m.requires_grad:
            doc["rg"] = True
        doc["memory_format"] = short(m.memory_format) if m.memory_format is not None else None
        if m.is_quantized or m.qparams:
            doc["quant"] = self.argument(dict(m.qparams), False)
        return doc

    def tensor_argument(self, t: torch.Tensor) -> Json:
        """A tensor among the arguments: torch.fx prints its elements."""
        doc = self.constant(t)
        text, inner = mask_addresses(str(t)), mask_addresses(repr(t))
        doc["str"] = text
        if inner != text:
            doc["repr"] = inner
        return doc

    def constant(self, t: torch.Tensor) -> Json:
        """A tensor, with its data if it is small."""
        doc = self.tensor(t)
        if _is_fake(t):
            doc["class"] = "FakeTensor"
        if isinstance(t, nn.Parameter):
            doc["param"] = True
        data = small_data(t)
        if data is not None:
            doc["data"] = [self.number(x) if isinstance(x, float) else x for x in data]
        elif not _is_fake(t):
            self.warn("the data of a constant tensor is not written")
        return doc

    # -- graphs -------------------------------------------------------------------------------

    def graph(self, graph: torch.fx.Graph) -> Json:
        names: set[str] = set()
        for node in graph.nodes:
            if node.name in names:
                raise ExportError(f"duplicate name '{node.name}': rename one of the nodes")
            names.add(node.name)
        outer, self.where = self.where, self.where
        self._graphs.append(graph)
        nodes = []
        for node in graph.nodes:
            self.where = (
                f"{outer}, node '{node.name}'" if outer != "graph" else f"node '{node.name}'"
            )
            _check_inputs(node, graph)
            nodes.append(NodeEncoder(self, node).encode())
        self._graphs.pop()
        self.where = outer
        doc: dict[str, Json] = {"nodes": nodes}
        convention = self.calling_convention(graph._codegen)
        if convention is not None:
            doc["calling_convention"] = convention
        return doc

    def calling_convention(self, codegen: CodeGen) -> Json:
        if type(codegen) is CodeGen:
            return None
        if type(codegen) is not _PyTreeCodeGen:
            self.warn(f"the code generator {type(codegen).__name__} is not kept")
            return None
        info = codegen.pytree_info
        try:
            specs = [s and pytree.treespec_dumps(s) for s in (info.in_spec, info.out_spec)]
        except NotImplementedError as error:
            self.warn(f"the calling convention is not kept: {error}")
            return None
        return {"orig_args": list(info.orig_args), "in_spec": specs[0], "out_spec": specs[1]}


_MISSING: Any = object()
_PLAIN_LISTS = (list, tuple, torch.Size, torch.fx.immutable_collections.immutable_list)
_ARGUMENT_TYPES: tuple[Any, ...] = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    dict,
    torch.fx.immutable_collections.immutable_dict,
    torch.device,
    torch.dtype,
    torch.layout,
    torch.memory_format,
    *SYM_KINDS,
)


def _has_surrogates(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)


def _safe_text(how: Callable[[Any], str], a: Any) -> str:
    try:
        return how(a)
    except Exception as error:  # a user's __repr__ may raise any exception
        return f"<{type(a).__name__}: {type(error).__name__}>"


def _is_fake(t: torch.Tensor) -> bool:
    return type(t).__name__ == "FakeTensor"


def _check_inputs(node: Node, graph: torch.fx.Graph) -> None:
    for used in node.all_input_nodes:
        if used.graph is not graph:
            raise ExportError(
                f"node '{node.name}' uses '{used.name}', which belongs to a different graph; map it with "
                "arg_transform when you copy nodes between graphs"
            )
        if used._erased:
            raise ExportError(f"node '{node.name}' uses '{used.name}', which was erased")


def symbol_facts(symbol: Any, env: Any) -> dict[str, int]:
    """The range and example value of a symbol, if known."""
    facts: dict[str, int] = {}
    known = env.var_to_range.get(symbol)
    for key, bound in (
        ("min", getattr(known, "lower", None)),
        ("max", getattr(known, "upper", None)),
    ):
        try:
            number = int(bound)
        except (TypeError, ValueError, OverflowError, AttributeError):
            continue
        if abs(number) < sys.maxsize - 1:
            facts[key] = number
    newer = hasattr(env, "backed_var_to_val")  # torch 2.10 renamed it
    hints = env.backed_var_to_val if newer else env.var_to_val
    if symbol in hints and str(symbol) not in getattr(env, "fx_export_made_up_hints", ()):
        try:
            facts["hint"] = int(hints[symbol])
        except (TypeError, ValueError):
            pass
    return facts


def small_data(t: torch.Tensor) -> list[Any] | None:
    """The elements of a small plain tensor, or None for other tensors."""
    if type(t) not in (torch.Tensor, nn.Parameter) or t.layout is not torch.strided:
        return None
    if t.is_meta or t.is_quantized or t.is_complex() or t.numel() > MAX_DATA:
        return None
    flat = t.detach().cpu().reshape(-1)
    try:
        if flat.is_floating_point():
            return flat.to(torch.float64).tolist()
        return flat.tolist()
    except (RuntimeError, TypeError):  # packed dtypes have no elements to read
        return None


class NodeEncoder:
    """One node with its metadata; meta keys without a special form go to `meta`."""

    def __init__(self, encoder: Encoder, node: Node) -> None:
        self.encoder, self.node = encoder, node
        self.meta = dict(node.meta)

    def encode(self) -> Json:
        node, enc = self.node, self.encoder
        target = node.target if isinstance(node.target, str) else enc.functions.key(node.target)
        doc: dict[str, Json] = {"name": node.name, "op": node.op, "target": target}
        if node.args or node.op in ("call_function", "output"):
            doc["args"] = [enc.argument(a) for a in node.args]
        if node.kwargs:
            doc["kwargs"] = {k: enc.argument(a) for k, a in node.kwargs.items()}
        stack = self._module_stack()
        for key, value in (
            ("val", self._val()),
            ("region", self._region()),
            ("seq", self._take("seq_nr", int)),
            ("module", _innermost(stack)),
            ("type", _type_repr(node.type) if node.type is not None else _MISSING),
            ("module_stack", stack),
            ("stack_trace", self._stack_trace()),
            ("tensor_meta", self._tensor_meta()),
            ("original_aten", self._original_aten()),
            ("source_fn", self._source_fn()),
            ("from_node", self._from_node()),
            ("meta", self._rest()),
        ):
            if value is not _MISSING:
                doc[key] = value
        if doc.get("module_stack") and all(entry[2:] == ["", "text"] for entry in stack):
            del doc["module_stack"]  # was derived from `module`
        return doc

    def _take(self, key: str, cls: type) -> Any:
        """A meta entry of exactly this class; other entries are written to `meta`."""
        return self.meta.pop(key) if type(self.meta.get(key)) is cls else _MISSING

    def _stack_trace(self) -> Json:
        text = self._take("stack_trace", str)
        return text if text is _MISSING else printable(text)

    def _val(self) -> Json:
        return self.encoder.value(self.meta.pop("val")) if "val" in self.meta else _MISSING

    def _region(self) -> Json:
        tag = self.meta.get("partitioner_tag")
        if tag in ("is_forward", "is_backward"):
            del self.meta["partitioner_tag"]
        regions = {"is_forward": "fw", "must_be_in_forward": "fw"}
        regions |= {"is_backward": "bw", "must_be_in_backward": "bw"}
        return regions.get(tag, _MISSING) if isinstance(tag, str) else _MISSING

    def _module_stack(self) -> Json:
        stack = self.meta.get("nn_module_stack")
        if not isinstance(stack, dict) or not stack:
            return _MISSING
        entries = []
        for key, pair in stack.items():
            if type(key) is not str or type(pair) is not tuple or len(pair) != 2:
                return _MISSING
            path, cls = pair
            if type(path) is not str or not isinstance(cls, (str, type)):
                return _MISSING
            entries.append(
                [key, path, *([cls, "text"] if isinstance(cls, str) else [class_name(cls)])]
            )
        del self.meta["nn_module_stack"]
        return entries

    def _tensor_meta(self) -> Json:
        if "tensor_meta" not in self.meta:
            return _MISSING
        return self.encoder.value(self.meta.pop("tensor_meta"))

    def _original_aten(self) -> Json:
        op = self.meta.get("original_aten")
        if not isinstance(op, (OpOverload, HigherOrderOperator, FunctionStandIn)):
            return _MISSING
        return self.encoder.functions.key(self.meta.pop("original_aten"))

    def _source_fn(self) -> Json:
        stack = self.meta.get("source_fn_stack")
        if not isinstance(stack, list):
            return _MISSING
        for entry in stack:
            if type(entry) is not tuple or len(entry) != 2 or type(entry[0]) is not str:
                return _MISSING
            if not isinstance(entry[1], CALLABLES + (str, FunctionStandIn)):
                return _MISSING
        return [[k, self.encoder.argument(f, False)] for k, f in self.meta.pop("source_fn_stack")]

    def _from_node(self) -> Json:
        sources = self.meta.get("from_node")
        if not isinstance(sources, list) or not all(hasattr(s, "to_dict") for s in sources):
            return _MISSING
        return [s.to_dict() for s in self.meta.pop("from_node")]

    def _rest(self) -> Json:
        rest = {}
        for key, value in self.meta.items():
            if type(key) is not str:
                self.encoder.warn(f"meta key {key!r} is not a string and is omitted")
                continue
            rest[key] = self.encoder.argument(value, False)
        return dict(sorted(rest.items())) if rest else _MISSING


def _innermost(stack: Json) -> Json:
    """Path of the innermost module, without dynamo's prefix."""
    if stack is _MISSING:
        return _MISSING
    path = stack[-1][1]
    if path.startswith("_empty_nn_module_stack"):
        return _MISSING
    return re.sub(r"^L\['self'\]\.?", "", path) or _MISSING


# -- modules ------------------------------------------------------------------------------------

_MODULE_FIELDS = frozenset(vars(nn.Module()))
_HOOK_FIELDS = tuple(k for k in sorted(_MODULE_FIELDS) if k.endswith("_hooks"))
_GRAPH_MODULE_FIELDS = frozenset(vars(torch.fx.GraphModule(nn.Module(), torch.fx.Graph()))) | {
    "_lazy_forward",
    "shape_env",
    "_param_name_to_source",
}
_RNN_FIELDS = frozenset(("_flat_weights", "_flat_weight_refs"))


class ModuleEncoder:
    """The module tree as a flat list, parents before children."""

    def __init__(self, encoder: Encoder, root: nn.Module) -> None:
        self.encoder, self.root = encoder, root
        self._modules: dict[int, str] = {}
        self._tensors: dict[int, str] = {}
        self._spans: dict[int, list[tuple[int, int, str]]] = {}  # by storage: start, end, path

    def encode(self) -> list[Json]:
        entries = []
        stack: list[tuple[str, nn.Module]] = [("", self.root)]
        while stack:
            path, module = stack.pop()
            first = self._modules.setdefault(id(module), path)
            if first != path:
                entries.append({"path": path, "same": first})
                continue
            entries.append(self._entry(path, module))
            children = [
                (f"{path}.{k}".lstrip("."), c) for k, c in module._modules.items() if c is not None
            ]
            stack.extend(reversed(children))
        self._report_views()
        return entries

    def _report_views(self) -> None:
        """Reports tensors that share memory. The document describes each as a separate tensor."""
        self.encoder.where = "modules"
        for spans in self._spans.values():
            active: list[tuple[int, str]] = []
            for start, end, path in sorted(spans, key=lambda s: (s[0], -s[1])):
                active = [a for a in active if a[0] > start]
                for _, other in active:
                    self.encoder.warn(
                        f"{other} and {path} share memory, which the document does not record: "
                        "in it, a write to one of them does not change the other"
                    )
                active.append((end, path))
        self.encoder.where = "graph"

    def _entry(self, path: str, module: nn.Module) -> Json:
        enc = self.encoder
        enc.where = f"module '{path}'" if path else "root module"
        is_graph = isinstance(module, torch.fx.GraphModule)
        cls = GRAPH_MODULE if is_graph else class_name(type(module))
        doc: dict[str, Json] = {"path": path, "class": cls}
        if is_graph:
            doc["name"] = type(module).__name__
        doc["training"] = module.training
        # In file order, so that the first entry of a tensor is the one with its data.
        parameters = self._tensors_of(path, module._parameters)
        buffers = self._buffers(path, module)
        attributes, constants = self._attributes(path, module, is_graph)
        parts = (
            ("attributes", attributes),
            ("parameters", parameters),
            ("buffers", buffers),
            ("constants", constants),
        )
        doc |= {key: part for key, part in parts if part}
        if is_graph and module is not self.root:
            doc["graph"] = enc.graph(module.graph)
        if is_graph and module.meta:
            meta = {k: v for k, v in module.meta.items() if k != "fx_export_document"}
            encoded = {k: enc.argument(v, False) for k, v in meta.items() if type(k) is str}
            doc |= {"meta": encoded} if encoded else {}
        if any(getattr(module, field, None) for field in _HOOK_FIELDS):
            enc.warn("hooks are not kept")
        enc.where = "graph"
        return doc

    def _attributes(self, path: str, module: nn.Module, is_graph: bool) -> tuple[Json, Json]:
        attributes: dict[str, Json] = {k: None for k, c in module._modules.items() if c is None}
        constants: dict[str, Json] = {}
        skipped = _GRAPH_MODULE_FIELDS if is_graph else _MODULE_FIELDS
        if isinstance(module, nn.RNNBase):
            skipped = skipped | _RNN_FIELDS
        for key, value in vars(module).items():
            if key in skipped:
                continue
            if isinstance(value, torch.Tensor):
                constants[key] = self._tensor(f"{path}.{key}", value, self.encoder.constant)
            elif isinstance(value, torch.ScriptObject):
                constants[key] = self.encoder.argument(value, False)
            else:
                attributes[key] = self.encoder.argument(value, False)
        return attributes, constants

    def _tensors_of(self, path: str, tensors: Mapping[str, torch.Tensor | None]) -> Json:
        encode = self.encoder.tensor
        return {k: self._tensor(f"{path}.{k}", t, encode) for k, t in tensors.items()}

    def _buffers(self, path: str, module: nn.Module) -> Json:
        buffers = {}
        for key, tensor in module._buffers.items():
            constant = re.match(r"_?(tensor_constant|lifted_tensor)", key)
            encode = self.encoder.constant if constant else self.encoder.tensor
            doc = self._tensor(f"{path}.{key}", tensor, encode)
            if doc is not None and key in module._non_persistent_buffers_set:
                doc["persistent"] = False
            buffers[key] = doc
        return buffers

    def _tensor(self, path: str, tensor: Any, encode: Callable[[torch.Tensor], Json]) -> Json:
        if tensor is None:
            return None
        path = path.lstrip(".")
        first = self._tensors.setdefault(id(tensor), path)
        if first != path:
            return {"same": first}
        if (memory := _memory_of(tensor)) is not None:
            storage, start, end = memory
            self._spans.setdefault(storage, []).append((start, end, path))
        return encode(tensor)


def _memory_of(tensor: torch.Tensor) -> tuple[int, int, int] | None:
    """The storage of a tensor, and the start and end of its bytes there; None if this is not known."""
    try:
        sizes, strides, offset = tensor.shape, tensor.stride(), tensor.storage_offset()
        storage = tensor.untyped_storage()._cdata
    except (NotImplementedError, RuntimeError):  # sparse, uninitialized, ...
        return None
    if not all(type(n) is int for n in (*sizes, *strides, offset)) or 0 in sizes:
        return None
    last = offset + sum((n - 1) * stride for n, stride in zip(sizes, strides))
    size = tensor.element_size()
    return storage, offset * size, (last + 1) * size


# -- documents ----------------------------------------------------------------------------------


def export(gm: Union[torch.fx.GraphModule, torch.fx.Graph], name: str | None = None) -> Json:
    """The document of a GraphModule or Graph, as plain Python data."""
    if not isinstance(gm, (torch.fx.GraphModule, torch.fx.Graph)):
        raise TypeError(
            f"expected a torch.fx GraphModule or Graph, got {type(gm).__name__}; "
            "trace it first, for example with torch.fx.symbolic_trace"
        )
    encoder = Encoder()
    is_module = isinstance(gm, torch.fx.GraphModule)
    graph = encoder.graph(gm.graph if is_module else gm)
    modules = ModuleEncoder(encoder, gm).encode() if is_module else []
    kept = gm.meta.get("fx_export_document", {}) if is_module else {}
    doc: dict[str, Json] = {
        "format": FORMAT,
        "model": name or kept.get("model") or (type(gm).__name__ if is_module else "graph"),
        "kind": kept.get("kind") or ("graph_module" if is_module else "graph"),
        "torch": kept.get("torch") or torch.__version__,
    }
    symbols = kept.get("symbols", {}) | dict(sorted(encoder.symbols.items()))
    if symbols or "symbols" in kept:
        doc["symbols"] = symbols
    if guards := encoder.guards():
        doc["guards"] = guards
    doc |= {k: v for k, v in kept.items() if k not in doc and k != "symbols"}
    doc["graph"] = graph
    for key, part in (
        ("functions", dict(sorted(encoder.functions.rows.items()))),
        ("modules", modules),
        ("warnings", encoder.warnings),
    ):
        if part:
            doc[key] = part
    return doc


def dumps(doc: Json) -> str:
    """The text of a document, one node per line, in the layout of docs/json.md."""

    def compact(x: Json) -> str:
        return json.dumps(x, separators=(",", ":"), allow_nan=False)

    def rows(items: list[str], indent: str) -> str:
        return ",\n".join(indent + item for item in items)

    def graph_lines(graph: Json, indent: str) -> str:
        if not graph["nodes"]:
            text = f'{indent}"nodes":[]'
        else:
            nodes = rows([compact(n) for n in graph["nodes"]], indent + " ")
            text = f'{indent}"nodes":[\n{nodes}\n{indent}]'
        if "subgraphs" in graph:
            parts = [
                f"{indent} {compact(k)}:{{\n{graph_lines(g, indent + '  ')}\n{indent} }}"
                for k, g in graph["subgraphs"].items()
            ]
            text += f',\n{indent}"subgraphs":{{\n' + ",\n".join(parts) + f"\n{indent}}}"
        if "calling_convention" in graph:
            text += f',\n{indent}"calling_convention":{compact(graph["calling_convention"])}'
        return text

    parts = []
    for key, value in doc.items():
        if key == "graph":
            text = "{\n" + graph_lines(value, " ") + "\n}"
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n" + rows([compact(x) for x in value], " ") + "\n]"
        else:
            text = compact(value)
        parts.append(f"{compact(key)}:{text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def dump(gm: Union[torch.fx.GraphModule, torch.fx.Graph], path: str | Path) -> list[str]:
    """Writes a document; returns its warnings."""
    doc = export(gm)
    Path(path).write_text(dumps(doc), encoding="ascii")
    return doc.get("warnings", [])


# ---------------------------------------------------------------------------------------------
# JSON -> Python
# ---------------------------------------------------------------------------------------------


class SymbolSpace:
    """The symbols of one document, as SymPy symbols of one ShapeEnv."""

    def __init__(self, facts: Mapping[str, Mapping[str, Any]]) -> None:
        from torch.fx.experimental.symbolic_shapes import ShapeEnv
        from torch.utils._sympy import functions

        self.facts = facts
        self.env = ShapeEnv()
        self.env.fx_export_made_up_hints = set()
        self._functions = vars(functions)
        self._symbols: dict[str, Any] = {}
        self._parsed: dict[str, Any] = {}

    def symbol(self, name: str) -> Any:
        if name in self._symbols:
            return self._symbols[name]
        import sympy

        is_float = name.startswith("zf") or name.startswith("zuf")
        positive = {"positive": True} if name.startswith("s") else {}
        symbol = (
            sympy.Symbol(name, real=True)
            if is_float
            else sympy.Symbol(name, integer=True, **positive)
        )
        self._symbols[name] = symbol
        facts = self.facts.get(name, {})
        low, high = facts.get("min"), facts.get("max")
        if not is_float:
            self._set_range(symbol, low, high)
        if name.startswith("s"):
            hint = facts.get("hint")
            if hint is None:
                self.env.fx_export_made_up_hints.add(name)
                hint = _example_hint(low, high, len(self._symbols))
            self._hints()[symbol] = sympy.Integer(hint)
        return symbol

    def _hints(self) -> dict[Any, Any]:
        newer = hasattr(self.env, "backed_var_to_val")
        return self.env.backed_var_to_val if newer else self.env.var_to_val

    def _set_range(self, symbol: Any, low: int | None, high: int | None) -> None:
        from torch.utils._sympy.numbers import int_oo
        from torch.utils._sympy.value_ranges import ValueRanges

        self.env.var_to_range[symbol] = ValueRanges(
            -int_oo if low is None else low, int_oo if high is None else high
        )

    def parse(self, text: str) -> Any:
        """A SymPy expression from its text."""
        if text not in self._parsed:
            self._parsed[text] = self._build(ast.parse(text.strip(), mode="eval").body)
        return self._parsed[text]

    def _build(self, tree: ast.expr) -> Any:
        import sympy

        if isinstance(tree, ast.Constant):
            return sympy.sympify(tree.value)
        if isinstance(tree, ast.Name):
            return self.symbol(tree.id)
        if isinstance(tree, ast.UnaryOp):
            part = self._build(tree.operand)
            return sympy.Not(part) if isinstance(tree.op, (ast.Not, ast.Invert)) else -part
        if isinstance(tree, ast.BinOp):
            return self._binary(tree)
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
            return self._compare(tree)
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
            function = self._functions.get(tree.func.id) or getattr(sympy, tree.func.id, None)
            if function is not None:
                return function(*(self._build(a) for a in tree.args))
        raise ExportError(f"cannot parse the expression {ast.unparse(tree)}")

    def _binary(self, tree: ast.BinOp) -> Any:
        import sympy

        if isinstance(tree.op, ast.Mult):  # one call for all factors: SymPy would expand pairs
            return sympy.Mul(*(self._build(factor) for factor in _factors(tree)))
        left, right = self._build(tree.left), self._build(tree.right)
        if isinstance(tree.op, ast.FloorDiv):
            return self._functions["FloorDiv"](left, right)
        plain = {ast.Add: operator.add, ast.Sub: operator.sub}
        plain |= {ast.Div: operator.truediv, ast.Pow: operator.pow, ast.Mod: operator.mod}
        plain |= {ast.BitAnd: sympy.And, ast.BitOr: sympy.Or}
        return plain[type(tree.op)](left, right)

    def _compare(self, tree: ast.Compare) -> Any:
        import sympy

        classes = {ast.Lt: sympy.Lt, ast.LtE: sympy.Le, ast.Gt: sympy.Gt, ast.GtE: sympy.Ge}
        classes |= {ast.Eq: sympy.Eq, ast.NotEq: sympy.Ne}
        build = classes[type(tree.ops[0])]
        return build(self._build(tree.left), self._build(tree.comparators[0]))

    def number(self, text: str, kind: str) -> Any:
        """A SymInt, SymFloat or SymBool, or a stand-in if torch cannot represent the expression."""
        try:
            expr = self.parse(text)
        except (ExportError, SyntaxError, TypeError, ValueError, KeyError):
            return Stored({"sym": text, "kind": kind, "str": text})
        from torch.fx.experimental.sym_node import SymNode

        python_type = {"int": int, "float": float, "bool": bool}[kind]
        sym_type = {"int": torch.SymInt, "float": torch.SymFloat, "bool": torch.SymBool}[kind]
        if str(expr) != text:
            return Stored({"sym": text, "kind": kind, "str": text})
        return sym_type(SymNode(expr, self.env, python_type, None))

    def dim(self, x: int | str) -> Any:
        if isinstance(x, int):
            return x
        number = self.number(x, "int")
        if isinstance(number, Stored):
            raise ExportError(f"cannot parse the expression {x}")
        return number


def _factors(tree: ast.expr) -> Iterator[ast.expr]:
    while isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult):
        yield tree.right
        tree = tree.left
    yield tree


def _example_hint(low: int | None, high: int | None, index: int) -> int:
    """A value in the range; different symbols get different values if possible."""
    minimum = max(low or 0, 2)
    hint = minimum + 2 * index + 1
    return min(hint, high) if high is not None else hint


class Decoder:
    """Arguments, values, graphs and modules of one document. Without `values`, nodes have no
    meta["val"]."""

    def __init__(self, doc: Mapping[str, Json], values: bool = True) -> None:
        self.doc = doc
        self.values = values
        self.rows: Mapping[str, Json] = doc.get("functions", {})
        self._functions: dict[str, Any] = {}
        self._space: SymbolSpace | None = None
        self._mode: Any = None
        # For each graph that is being read: its nested graphs, and the modules created from them.
        self._scopes: list[tuple[Mapping[str, Json], dict[str, torch.fx.GraphModule]]] = []
        self._forms: dict[str, Callable[..., Any]] = {
            "n": lambda d, nodes: self._node(d["n"], nodes),
            "f": lambda d, nodes: float(d["f"]),
            "complex": lambda d, nodes: complex(*(self._float(x) for x in d["complex"])),
            "tuple": lambda d, nodes: tuple(self.arguments(d["tuple"], nodes)),
            "namedtuple": self._namedtuple,
            "size": lambda d, nodes: torch.Size([self.space.dim(x) for x in d["size"]]),
            "map": lambda d, nodes: {k: self.argument(v, nodes) for k, v in d["map"].items()},
            "dict": lambda d, nodes: dict(self.arguments(pair, nodes) for pair in d["dict"]),
            "slice": lambda d, nodes: slice(*self.arguments(d["slice"], nodes)),
            "range": lambda d, nodes: range(*d["range"]),
            "ellipsis": lambda d, nodes: ...,
            "dtype": lambda d, nodes: getattr(torch, d["dtype"]),
            "layout": lambda d, nodes: getattr(torch, d["layout"]),
            "memory_format": lambda d, nodes: getattr(torch, d["memory_format"]),
            "device": lambda d, nodes: torch.device(d["device"]),
            "op": lambda d, nodes: self.function(d["op"]),
            "sym": lambda d, nodes: self.space.number(d["sym"], d["kind"]),
            "t": lambda d, nodes: self.tensor_argument(d),
            "object": lambda d, nodes: Stored(d),
            "graph": lambda d, nodes: self._graph_argument(d["graph"]),
            "opaque": lambda d, nodes: self._opaque(d),
        }

    @property
    def space(self) -> SymbolSpace:
        if self._space is None:
            self._space = SymbolSpace(self.doc.get("symbols", {}))
        return self._space

    @property
    def mode(self) -> Any:
        if self._mode is None:
            from torch._subclasses.fake_tensor import FakeTensorMode

            self._mode = FakeTensorMode(shape_env=self.space.env, allow_non_fake_inputs=True)
        return self._mode

    def function(self, key: str) -> Any:
        if key not in self._functions:
            row = self.rows.get(key, {})
            found = None if row.get("unresolved") or "#" in key else find_function(key)
            self._functions[key] = found or FunctionStandIn(key, full_row(key, self.rows))
        return self._functions[key]

    # -- arguments ----------------------------------------------------------------------------

    def argument(self, a: Json, nodes: Mapping[str, Node]) -> Any:
        if isinstance(a, list):
            return self.arguments(a, nodes)
        if not isinstance(a, dict):
            return a
        form = self._forms.get(next(iter(a), ""))
        if form is None:
            raise ExportError(f"unknown argument form: {json.dumps(a)[:100]}")
        return form(a, nodes)

    def arguments(self, items: list[Json], nodes: Mapping[str, Node]) -> list[Any]:
        return [self.argument(x, nodes) for x in items]

    @staticmethod
    def _node(name: str, nodes: Mapping[str, Node]) -> Node:
        if name not in nodes:
            raise ExportError(f"unknown node '{name}'")
        return nodes[name]

    @staticmethod
    def _float(x: Json) -> float:
        return float(x["f"] if isinstance(x, dict) else x)

    def _namedtuple(self, d: Json, nodes: Mapping[str, Node]) -> Any:
        fields = {k: self.argument(v, nodes) for k, v in d["fields"].items()}
        cls = find_object(d["namedtuple"])
        if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_make")):
            cls = _named_tuple_stand_in(d["namedtuple"], tuple(fields))
        return cls._make(fields.values())  # type: ignore[attr-defined]

    def _graph_argument(self, doc: Json) -> torch.fx.GraphModule:
        """A graph as an argument, either inline or as the name of one of `subgraphs`."""
        if not isinstance(doc, str):
            return self._nested(doc)
        subgraphs, created = self._scopes[-1] if self._scopes else ({}, {})
        if doc not in created:
            found = subgraphs.get(doc)
            if found is None:
                entries = self.doc.get("modules", [])
                found = next((m["graph"] for m in entries if m["path"] == doc and "graph" in m), None)
            if found is None:
                raise ExportError(f"unknown nested graph '{doc}'")
            created[doc] = self._nested(found)
        return created[doc]

    def _nested(self, doc: Json) -> torch.fx.GraphModule:
        module = torch.fx.GraphModule(nn.Module(), torch.fx.Graph(), "GraphModule")
        self._missing(module, doc)
        _adopt(module, self.graph(doc))
        return module

    def _opaque(self, d: Json) -> Any:
        if "data" not in d:
            return Stored(d)
        cls = find_object(d["opaque"])
        data = self.argument(d["data"], {})
        try:
            if isinstance(cls, type) and issubclass(cls, enum.Enum):
                return cls[data]
            if isinstance(cls, type) and issubclass(cls, pytree.TreeSpec):
                return pytree.treespec_loads(data)
            if isinstance(cls, type) and is_torch_dataclass(cls):
                return cls(**data)
            if cls in _OPAQUE:
                return _OPAQUE[cls][1](data)
            if isinstance(cls, type) and cls.__module__ == "numpy":
                return cls(data)
        except (KeyError, TypeError, ValueError, AttributeError, NotImplementedError):
            pass
        return Stored(d)

    # -- values -------------------------------------------------------------------------------

    def value(self, v: Json) -> Any:
        if isinstance(v, list):
            return [self.value(x) for x in v]
        if isinstance(v, dict):
            form = next(iter(v), "")
            if form == "t":
                return self.fake_tensor(v)
            if form == "tuple":
                return tuple(self.value(x) for x in v["tuple"])
            if form == "map":
                return {k: self.value(x) for k, x in v["map"].items()}
            if form == "type":  # a number whose value is unknown
                return Stored(v)
        return self.argument(v, {})

    def fake_tensor(self, d: Json) -> Any:
        """A FakeTensor of this type, or a stand-in if torch cannot create one."""
        try:
            return self._fake_tensor(d)
        except Exception:  # torch's checks of sizes, layouts and devices raise many kinds of exceptions
            return Stored(d)

    def _fake_tensor(self, d: Json) -> torch.Tensor:
        if "layout" in d or d.get("class", "FakeTensor") != "FakeTensor":
            return Stored(d)  # type: ignore[return-value]
        shape = [self.space.dim(s) for s in d["shape"]]
        stride = [self.space.dim(s) for s in d["stride"]]
        offset = self.space.dim(d.get("offset", 0))
        options = {"dtype": getattr(torch, d["t"]), "device": d.get("device", "cpu")}
        with self.mode:
            if d.get("offset", 0) == 0:
                tensor = torch.empty_strided(shape, stride, **options)
            else:
                span = sum((n - 1) * s for n, s in zip(shape, stride)) + 1 + offset
                tensor = torch.empty_strided((span,), (1,), **options)
                tensor = tensor.as_strided(shape, stride, offset)
        return tensor.requires_grad_() if d.get("rg") else tensor

    def real_tensor(self, d: Json) -> torch.Tensor:
        """A tensor with the data in the document, or with zeros if it has no data."""
        dtype = getattr(torch, d["t"])
        if "layout" in d:
            tensor = torch.zeros(d["shape"], dtype=dtype).to_sparse(
                layout=getattr(torch, d["layout"])
            )
        else:
            tensor = torch.empty_strided(d["shape"], d["stride"], dtype=dtype)
            tensor = tensor.to(d["device"]) if "device" in d else tensor
            if "data" in d:
                data = [self._float(x) if isinstance(x, dict) else x for x in d["data"]]
                tensor.copy_(torch.tensor(data, dtype=_wide(dtype)).reshape(d["shape"]))
            elif dtype.itemsize and tensor.numel():
                tensor.copy_(torch.zeros((), dtype=_wide(dtype)))
        if d.get("param"):
            return nn.Parameter(tensor, requires_grad=d.get("rg", False))
        return tensor.requires_grad_() if d.get("rg") else tensor

    def tensor_argument(self, d: Json) -> Any:
        if d.get("class") == "FakeTensor":
            return self.fake_tensor(d)
        if "data" not in d or "class" in d:
            return Stored(d)
        return self.real_tensor(d)

    def tensor_meta(self, v: Json) -> Any:
        if isinstance(v, list):
            return [self.tensor_meta(x) for x in v]
        if isinstance(v, dict) and "tuple" in v:
            return tuple(self.tensor_meta(x) for x in v["tuple"])
        if isinstance(v, dict) and "map" in v:
            return {k: self.tensor_meta(x) for k, x in v["map"].items()}
        if not isinstance(v, dict) or "t" not in v:
            return self.argument(v, {})
        form = v.get("memory_format")
        return TensorMetadata(
            shape=torch.Size([self.space.dim(s) for s in v["shape"]]),
            dtype=getattr(torch, v["t"]),
            requires_grad=v.get("rg", False),
            stride=tuple(self.space.dim(s) for s in v["stride"]),
            memory_format=getattr(torch, form) if form else None,
            is_quantized="quant" in v,
            qparams=self.argument(v["quant"], {}) if "quant" in v else {},
        )

    # -- graphs -------------------------------------------------------------------------------

    def graph(self, doc: Json) -> torch.fx.Graph:
        """Creates the nodes first, then their arguments, because a node may use a later node."""
        graph = torch.fx.Graph()
        nodes: dict[str, Node] = {}
        for d in doc["nodes"]:
            if d["name"] in nodes:
                raise ExportError(f"duplicate name '{d['name']}'")
            nodes[d["name"]] = self._make_node(graph, d)
        self._scopes.append((doc.get("subgraphs", {}), {}))
        for d, node in zip(doc["nodes"], nodes.values()):
            node.args = tuple(self.arguments(d.get("args", []), nodes))
            node.kwargs = {k: self.argument(a, nodes) for k, a in d.get("kwargs", {}).items()}
            self._meta(node, d)
        self._scopes.pop()
        convention = doc.get("calling_convention")
        if convention is not None:
            specs = (convention["in_spec"], convention["out_spec"])
            info = [None if s is None else pytree.treespec_loads(s) for s in specs]
            graph.set_codegen(_PyTreeCodeGen(_PyTreeInfo(convention["orig_args"], *info)))
        return graph

    def _make_node(self, graph: torch.fx.Graph, d: Json) -> Node:
        target = self.function(d["target"]) if d["op"] == "call_function" else d["target"]
        annotation = parse_type(d["type"]) if "type" in d else None
        node = graph.create_node(d["op"], target, (), {}, d["name"], annotation)
        if node.name != d["name"]:  # a name that torch.fx would not choose
            node.name = d["name"]
            graph._graph_namespace._rename_object(node, d["name"])
        return node

    def _meta(self, node: Node, d: Json) -> None:
        meta = node.meta
        format_1 = self.doc["format"] == 1
        if self.values and "val" in d and not (format_1 and d["val"] is None):
            meta["val"] = self.value(d["val"])
        if "tensor_meta" in d:
            meta["tensor_meta"] = self.tensor_meta(d["tensor_meta"])
        if "region" in d:
            meta["partitioner_tag"] = {"fw": "is_forward", "bw": "is_backward"}[d["region"]]
        if "seq" in d:
            meta["seq_nr"] = d["seq"]
        if "module_stack" in d:
            meta["nn_module_stack"] = {e[0]: (e[1], _stack_class(e)) for e in d["module_stack"]}
        elif "module" in d:
            meta["nn_module_stack"] = {d["module"]: (d["module"], "")}
        if "stack_trace" in d:
            meta["stack_trace"] = d["stack_trace"]
        if "original_aten" in d:
            meta["original_aten"] = self.function(d["original_aten"])
        if "source_fn" in d:
            meta["source_fn_stack"] = [(k, self.argument(f, {})) for k, f in d["source_fn"]]
        if "from_node" in d:
            from torch.fx.traceback import NodeSource

            meta["from_node"] = [NodeSource._from_dict(s) for s in d["from_node"]]
        for key, value in d.get("meta", {}).items():
            meta[key] = self.argument(value, {})

    # -- modules ------------------------------------------------------------------------------

    def graph_module(self) -> torch.fx.GraphModule:
        graph = self.graph(self.doc["graph"])
        entries = self.doc.get("modules") or [{"path": "", "class": GRAPH_MODULE}]
        name = entries[0].get("name") or self.doc.get("model") or "GraphModule"
        modules: dict[str, nn.Module] = {}
        tensors: dict[str, torch.Tensor] = {}
        for d in entries:
            path = d["path"]
            if "same" in d:
                module = modules[d["same"]]
            elif not path:
                module = torch.fx.GraphModule(nn.Module(), torch.fx.Graph(), name)
            else:
                module = self._module(d)
            modules[path] = module
            if path:
                parent, _, key = path.rpartition(".")
                modules[parent].add_module(key, module)
            if "same" not in d:
                self._fill(module, d, tensors)
        root = modules[""]
        assert isinstance(root, torch.fx.GraphModule)
        for d in entries:
            module = modules[d["path"]]
            if "graph" in d and isinstance(module, torch.fx.GraphModule):
                self._missing(module, d["graph"])
        self._missing(root, self.doc["graph"])
        _adopt(root, graph)
        keys = ("model", "kind", "torch", "symbols", "inputs", "outputs", "guards", "deterministic")
        root.meta["fx_export_document"] = {k: self.doc[k] for k in keys if k in self.doc}
        return root

    def _module(self, d: Json) -> nn.Module:
        if d["class"] == GRAPH_MODULE:
            return torch.fx.GraphModule(nn.Module(), torch.fx.Graph(), d.get("name", "GraphModule"))
        cls = find_object(d["class"])
        if not (isinstance(cls, type) and issubclass(cls, nn.Module)):
            cls = _class_stand_in(d["class"], nn.Module)
        module = cls.__new__(cls)
        nn.Module.__init__(module)
        return module

    def _fill(self, module: nn.Module, d: Json, tensors: dict[str, torch.Tensor]) -> None:
        for key, value in d.get("attributes", {}).items():
            object.__setattr__(module, key, self.argument(value, {}))
        for kind in ("parameters", "buffers", "constants"):
            for key, entry in d.get(kind, {}).items():
                tensor = self._state(entry, kind, tensors)
                if isinstance(tensor, torch.Tensor):
                    tensors.setdefault(f"{d['path']}.{key}".lstrip("."), tensor)
                if kind == "parameters":
                    module.register_parameter(key, tensor)
                elif kind == "buffers":
                    persistent = (entry or {}).get("persistent", True)
                    module.register_buffer(key, tensor, persistent)
                else:
                    object.__setattr__(module, key, tensor)
        module.training = d.get("training", True)
        if isinstance(module, nn.RNNBase) and hasattr(module, "_flat_weights_names"):
            module._init_flat_weights()
        if isinstance(module, torch.fx.GraphModule):
            module.meta.update({k: self.argument(v, {}) for k, v in d.get("meta", {}).items()})
            if "graph" in d:
                _adopt(module, self.graph(d["graph"]))

    def _state(self, entry: Json, kind: str, tensors: Mapping[str, torch.Tensor]) -> Any:
        if entry is None:
            return None
        if "same" in entry:
            return tensors[entry["same"]]
        if "t" not in entry:
            return self.argument(entry, {})
        return self.real_tensor(entry | ({"param": True} if kind == "parameters" else {}))

    def _missing(self, root: torch.fx.GraphModule, graph: Json) -> None:
        """For documents without modules, creates the members that nodes refer to, using the nodes' types."""
        subgraphs = graph.get("subgraphs", {})
        for d in graph["nodes"]:
            if d["op"] not in ("get_attr", "call_module") or _has_path(root, d["target"]):
                continue
            parent, key = _parent_of(root, d["target"])
            if d["target"] in subgraphs:
                inner = torch.fx.GraphModule(nn.Module(), torch.fx.Graph(), key)
                self._missing(inner, subgraphs[d["target"]])
                _adopt(inner, self.graph(subgraphs[d["target"]]))
                parent.add_module(key, inner)
            elif d["op"] == "call_module":
                parent.add_module(key, nn.Identity())
            elif isinstance(d.get("val"), dict) and "t" in d["val"]:
                parent.register_buffer(key, self.real_tensor(d["val"]))


def _wide(dtype: torch.dtype) -> torch.dtype:
    """A dtype of the same kind that `torch.tensor` and `copy_` support."""
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else dtype


def _named_tuple_stand_in(name: str, fields: tuple[str, ...]) -> Any:
    from collections import namedtuple

    module, _, short_name = name.rpartition(".")
    return namedtuple(short_name, fields, module=module)  # type: ignore[misc]


def _class_stand_in(name: str, base: type) -> type:
    """A stand-in, with the same name, for a class that could not be found."""
    module, _, short_name = name.rpartition(".")
    return type(short_name, (base,), {"__module__": module})


def _stack_class(entry: list[str]) -> Any:
    if len(entry) > 3:
        return entry[2]
    found = find_object(entry[2])
    return found if isinstance(found, type) else _class_stand_in(entry[2], object)


def _has_path(root: nn.Module, path: str) -> bool:
    found: Any = root
    for part in path.split("."):
        found = getattr(found, part, _MISSING)
        if found is _MISSING:
            return False
    return True


def _parent_of(root: nn.Module, path: str) -> tuple[nn.Module, str]:
    *parents, key = path.split(".")
    for part in parents:
        if not hasattr(root, part):
            root.add_module(part, nn.Module())
        root = getattr(root, part)
    return root, key


def _adopt(module: torch.fx.GraphModule, graph: torch.fx.Graph) -> None:
    """Sets the graph of a module, even if Python code cannot be generated from the graph."""
    try:
        module.graph = graph
    except Exception:  # arbitrary user arguments may make the code generator fail
        module._graph = graph
        graph.owning_module = module


def _graph_module(root: nn.Module, graph: torch.fx.Graph, name: str) -> torch.fx.GraphModule:
    module = torch.fx.GraphModule(root, torch.fx.Graph(), name)
    _adopt(module, graph)
    return module


def parse_type(text: str) -> Any:
    """An annotation from its text. Only looks up names; evaluates nothing."""
    try:
        found = _build_type(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, TypeError):
        return TypeText(text)
    return found if _type_repr(found) == text else TypeText(text)


def _build_type(tree: ast.expr) -> Any:
    if isinstance(tree, ast.Constant):
        return tree.value
    if isinstance(tree, (ast.List, ast.Tuple)):
        items = [_build_type(e) for e in tree.elts]
        return items if isinstance(tree, ast.List) else tuple(items)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.BitOr):
        return _build_type(tree.left) | _build_type(tree.right)
    if isinstance(tree, ast.Subscript):
        return _build_type(tree.value)[_build_type(tree.slice)]
    if isinstance(tree, ast.Name):
        found = type(None) if tree.id == "NoneType" else getattr(builtins, tree.id, None)
    else:
        found = find_object(ast.unparse(tree)) if isinstance(tree, ast.Attribute) else None
    if found is None:
        raise ValueError(f"unknown name in annotation: {ast.unparse(tree)}")
    return found


def read(source: str | Path | Mapping[str, Json]) -> Mapping[str, Json]:
    """Reads a document from a file, or accepts it as data; checks the format number."""
    doc = source if isinstance(source, Mapping) else json.loads(Path(source).read_text("utf-8"))
    if doc.get("format") not in (1, 2) or "graph" not in doc:
        raise ExportError("not an interchange document: it must have 'format' 1 or 2 and a 'graph'")
    return doc


def load(
    source: str | Path | Mapping[str, Json],
    state: Mapping[str, torch.Tensor] | None = None,
    values: bool = True,
) -> torch.fx.GraphModule:
    """A GraphModule from a file or document; `state` is a state dict for its tensors, which may also
    contain constants of the document. With values=False, nodes have no meta["val"]; creating fake
    tensors takes most of the time needed to load a graph.
    """
    gm = Decoder(read(source), values).graph_module()
    if state is None:
        return gm
    modules, rest = dict(gm.named_modules()), dict(state)
    for key in state:
        path, _, name = key.rpartition(".")
        if path in modules and isinstance(vars(modules[path]).get(name), torch.Tensor):
            setattr(modules[path], name, rest.pop(key))
    gm.load_state_dict(rest)
    return gm


def load_graph(source: str | Path | Mapping[str, Json]) -> torch.fx.Graph:
    """The Graph, without an owning module."""
    doc = read(source)
    return Decoder(doc).graph(doc["graph"])


# ---------------------------------------------------------------------------------------------
# Command line
# ---------------------------------------------------------------------------------------------

EXAMPLES = """examples:
  fx_export.py export mymodel:Net -o net.json
      symbolic_trace of mymodel.Net() (a class, a function that creates a module, or a module)
  fx_export.py export mymodel:Net --input f32:8,16 -o net.json
      the same, with the type of every value (ShapeProp)
  fx_export.py export mymodel:Net --input f32:8,16 --trace aten -o net.json
      ATen operators, traced by make_fx with fake tensors
  fx_export.py export mymodel:Net --input f32:8,16 --trace joint -o net.json
      forward and backward of the sum of the outputs, traced by AOTAutograd
  fx_export.py print net.json
      torch.fx's listing of the graph
  fx_export.py check net.json
      reads it, writes it again and compares
"""


def _parse_input(text: str) -> torch.Tensor:
    """`f32:8,16` or `i64:4`: zeros of this dtype and shape."""
    from torch.utils._dtype_abbrs import dtype_abbrs

    dtypes = {v: k for k, v in dtype_abbrs.items()} | {short(k): k for k in dtype_abbrs}
    dtype, _, shape = text.partition(":")
    if dtype not in dtypes:
        raise argparse.ArgumentTypeError(f"unknown dtype '{dtype}' in '{text}'")
    return torch.zeros([int(n) for n in shape.split(",") if n], dtype=dtypes[dtype])


def _find_model(name: str) -> Any:
    module_name, _, attribute = name.partition(":")
    if not attribute:
        raise SystemExit(f"fx_export: '{name}' must be MODULE:NAME, for example mymodel:Net")
    sys.path.insert(0, "")
    try:
        found: Any = importlib.import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise SystemExit(f"fx_export: cannot find '{name}': {error}") from error
    if isinstance(found, type) and issubclass(found, nn.Module):
        return found()
    return found


def _trace(model: Any, inputs: list[torch.Tensor], how: str) -> torch.fx.GraphModule:
    if how == "symbolic":
        gm = model if isinstance(model, torch.fx.GraphModule) else torch.fx.symbolic_trace(model)
        if inputs:
            from torch.fx.passes.shape_prop import ShapeProp

            ShapeProp(gm).propagate(*inputs)
        return gm
    if how == "aten":
        from torch.fx.experimental.proxy_tensor import make_fx

        return make_fx(model, tracing_mode="fake", _allow_non_fake_inputs=True)(*inputs)
    from torch._functorch.aot_autograd import aot_export_module

    class Loss(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *args: torch.Tensor) -> tuple[torch.Tensor]:
            leaves = pytree.tree_leaves(self.model(*args))
            return (sum(x.sum() for x in leaves if isinstance(x, torch.Tensor)),)

    gm, _ = aot_export_module(Loss(), inputs, trace_joint=True, output_loss_index=0)
    return gm


def _command_export(options: argparse.Namespace) -> int:
    gm = _trace(_find_model(options.model), options.input, options.trace)
    doc = export(gm)
    text = dumps(doc)
    if options.output in (None, "-"):
        sys.stdout.write(text)
    else:
        Path(options.output).write_text(text, encoding="ascii")
    for warning in doc.get("warnings", []):
        print(f"warning: {warning}", file=sys.stderr)
    return 0


def _command_print(options: argparse.Namespace) -> int:
    print(load_graph(options.file))
    return 0


def _command_check(options: argparse.Namespace) -> int:
    first = export(load(options.file))
    second = export(load(first))
    if dumps(first) != dumps(second):
        print("fx_export: reading and writing the document again changed it", file=sys.stderr)
        return 1
    print(f"{options.file}: {len(first['graph']['nodes'])} nodes, unchanged after reading and writing")
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="fx_export.py",
        description="torch.fx graphs to fxcpp's interchange JSON and back",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    out = commands.add_parser("export", help="trace a model and write its graph")
    out.add_argument("model", help="MODULE:NAME of a module, a module class or a function")
    out.add_argument(
        "--input", action="append", default=[], type=_parse_input, metavar="DTYPE:SIZES"
    )
    out.add_argument("--trace", choices=("symbolic", "aten", "joint"), default="symbolic")
    out.add_argument("-o", "--output", help="file to write (default: standard output)")
    out.set_defaults(run=_command_export)
    show = commands.add_parser("print", help="print a document's graph as torch.fx does")
    show.add_argument("file")
    show.set_defaults(run=_command_print)
    check = commands.add_parser("check", help="read, write and compare")
    check.add_argument("file")
    check.set_defaults(run=_command_check)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except (ExportError, OSError, json.JSONDecodeError) as error:
        print(f"fx_export: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
