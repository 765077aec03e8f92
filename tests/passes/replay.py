"""Runs graphs in interchange JSON (docs/json.md) with torch, operator by operator.

As in an eager program, a value is freed after its last use, so that the allocations at any time can
be counted.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch

MEMORY_FORMATS = {"contiguous_format": torch.contiguous_format,
                  "preserve_format": torch.preserve_format,
                  "channels_last": torch.channels_last, "channels_last_3d": torch.channels_last_3d}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "torch.sym_max": torch.sym_max, "torch.sym_min": torch.sym_min,
    "torch.sym_float": torch.sym_float, "torch.sym_not": torch.sym_not}


class Unsupported(Exception):
    """This replay does not support the graph."""


def function(target: str) -> Callable[..., Any]:
    if target.startswith("operator."):
        return getattr(operator, target.removeprefix("operator."))
    if target in FUNCTIONS:
        return FUNCTIONS[target]
    namespace, name, *overload = target.split(".")
    if namespace == "higher_order" or len(overload) != 1:
        raise Unsupported(target)
    return getattr(getattr(getattr(torch.ops, namespace), name), overload[0])


def names_in(argument: Any) -> list[str]:
    if isinstance(argument, dict):
        if set(argument) == {"n"}:
            return [argument["n"]]
        return [n for item in argument.values() for n in names_in(item)]
    if isinstance(argument, list):
        return [n for item in argument for n in names_in(item)]
    return []


def decode(argument: Any, values: dict[str, Any]) -> Any:
    if isinstance(argument, list):
        return [decode(item, values) for item in argument]
    if not isinstance(argument, dict):
        return argument
    (key, value), = argument.items()
    match key:
        case "n":
            return values[value]
        case "f":
            return float(value)
        case "dtype":
            return getattr(torch, value)
        case "device":
            return torch.device(value)
        case "layout":
            return getattr(torch, value)
        case "memory_format":
            return MEMORY_FORMATS[value]
        case "complex":
            return complex(*value)
        case "slice":
            return slice(*(decode(item, values) for item in value))
    raise Unsupported(f"argument {argument}")


def call(node: dict[str, Any], values: dict[str, Any]) -> Any:
    arguments = [decode(a, values) for a in node.get("args", [])]
    keywords = {k: decode(a, values) for k, a in node.get("kwargs", {}).items()}
    return function(node["target"])(*arguments, **keywords)


def item_uses(nodes: list[dict[str, Any]]) -> dict[str, Counter[int]]:
    """For values that only operator.getitem uses, returns the number of uses of each item."""
    uses: dict[str, Counter[int]] = {}
    others: set[str] = set()
    for node in nodes:
        names = [*names_in(node.get("args", [])), *names_in(node.get("kwargs", {}))]
        if node["target"] == "operator.getitem" and isinstance(node["args"][1], int):
            uses.setdefault(node["args"][0]["n"], Counter())[node["args"][1]] += 1
        else:
            others.update(names)
    return {name: count for name, count in uses.items() if name not in others}


def run(document: dict[str, Any], inputs: dict[str, Any],
        wrapper: Callable[[dict[str, Any], Callable[[], Any]], Any] | None = None) -> list[Any]:
    """Returns the results of the graph. `inputs` has a value for each placeholder and get_attr.
    If given, `wrapper(node, run)` runs each call: it must return the result of `run()`."""
    nodes = document["graph"]["nodes"]
    last_use: dict[str, int] = {}
    for i, node in enumerate(nodes):
        for name in [*names_in(node.get("args", [])), *names_in(node.get("kwargs", {}))]:
            last_use[name] = i
    dying: dict[int, list[str]] = {}
    for name, i in last_use.items():
        dying.setdefault(i, []).append(name)
    uses = item_uses(nodes)
    values = dict(inputs)
    # Grad mode is enabled although no tensor requires grad: otherwise, some kernels omit results
    # that their backward functions need.
    with torch.enable_grad():
        for i, node in enumerate(nodes):
            match node["op"]:
                case "placeholder" | "get_attr":
                    if node["name"] not in values:
                        raise Unsupported(f"a value for {node['name']}")
                case "output":
                    result = decode(node["args"][0], values)
                    return result if isinstance(result, list) else [result]
                case "call_function":
                    value = wrapper(node, lambda node=node: call(node, values)) if wrapper else call(
                        node, values)
                    if node["name"] in uses and isinstance(value, (list, tuple)):
                        # Frees unused items immediately, and other items after their last use.
                        value = [part if uses[node["name"]][k] else None
                                 for k, part in enumerate(value)]
                    if node["name"] in last_use:
                        values[node["name"]] = value
                    del value
                    if node["target"] == "operator.getitem" and node["args"][0]["n"] in uses:
                        source, part = node["args"][0]["n"], node["args"][1]
                        uses[source][part] -= 1
                        if isinstance(values[source], list) and uses[source][part] == 0:
                            values[source][part] = None
                    for name in dying.get(i, []):
                        if name not in inputs:
                            del values[name]
                case other:
                    raise Unsupported(other)
    raise Unsupported("the graph has no output")


def region(node: dict[str, Any]) -> str:
    return "backward" if node.get("region") == "bw" else "forward"


def size(value: int | str, symbols: dict[str, int]) -> int:
    """Returns a size: a number, or an expression in Python syntax."""
    return value if isinstance(value, int) else int(eval(value, {"Max": max, "Min": min}, symbols))


def tensor_like(val: dict[str, Any], symbols: dict[str, int] | None = None) -> torch.Tensor:
    """Returns a tensor of a recorded type, filled with zeros."""
    sizes, strides = ([size(n, symbols or {}) for n in val[key]] for key in ("shape", "stride"))
    return torch.empty_strided(sizes, strides, dtype=getattr(torch, val["t"])).zero_()
