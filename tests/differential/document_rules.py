"""Checks documents against the rules in docs/json.md, independently of fx_export.

`violations(doc)` returns a list of strings, which is empty for a valid document. It checks keys and
their order, forms of arguments and values, references to nodes, and the range of integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

NODE_KEYS = (
    "name", "op", "target", "args", "kwargs", "val", "region", "seq", "module", "type",
    "module_stack",
    "stack_trace", "tensor_meta", "original_aten", "source_fn", "from_node", "meta",
)  # fmt: skip
FORMAT_1_NODE_KEYS = frozenset(NODE_KEYS[: NODE_KEYS.index("type")])
FORMAT_1_OPS = frozenset(("placeholder", "get_attr", "call_function", "output"))
OPS = FORMAT_1_OPS | {"call_module", "call_method"}
TENSOR_KEYS = (
    "t", "shape", "stride", "offset", "layout", "device", "rg", "class", "memory_format", "quant",
    "param", "data", "str", "repr",
)  # fmt: skip
MODULE_KEYS = (
    "path", "same", "class", "name", "training", "attributes", "parameters", "buffers", "constants",
    "graph", "meta",
)  # fmt: skip
FUNCTION_KEYS = ("name", "listing", "repr", "inner", "unresolved")
SOURCE_KEYS = {"name", "target", "graph_id", "pass_name", "action", "from_node"}


class Checker:
    def __init__(self, doc: dict[str, Any]) -> None:
        self.format_1 = doc["format"] == 1
        self.found: list[str] = []
        self.where = "document"
        self.names: set[str] = set()
        self._forms: dict[str, Callable[[dict[str, Any], bool], None]] = {
            "tuple": lambda d, nodes: self.each(d["tuple"], nodes),
            "map": lambda d, nodes: self.each(d["map"].values(), nodes),
            "slice": lambda d, nodes: self.parts(d["slice"], nodes),
            "range": lambda d, nodes: self.expect(all(type(x) is int for x in d["range"]), "range"),
            "dict": self.dict_form,
            "namedtuple": lambda d, nodes: self.each(d["fields"].values(), nodes),
            "graph": lambda d, nodes: self.graph(d["graph"]),
            "opaque": self.opaque_form,
            "n": self.node_form,
            "f": lambda d, nodes: self.expect(d["f"] in ("inf", "-inf", "nan"), "float"),
            "t": lambda d, nodes: self.tensor(d),
            "size": lambda d, nodes: self.dims(d["size"]),
            "sym": lambda d, nodes: self.expect(d["kind"] in ("int", "float", "bool"), "kind"),
        }
        self._keys: dict[str, set[str]] = {key: {key} for key in (
            "tuple", "map", "slice", "range", "dict", "graph", "n", "f", "size", "complex",
            "ellipsis",
            "dtype", "layout", "memory_format", "device", "op", "object",
        )}  # fmt: skip
        self._keys |= {"sym": {"sym", "kind"}, "namedtuple": {"namedtuple", "fields"}}
        self._keys |= {"t": set(TENSOR_KEYS), "opaque": {"opaque", "str", "repr", "data"}}

    def expect(self, good: bool, what: str) -> None:
        if not good:
            self.found.append(f"{self.where}: {what}")

    def order(self, d: dict[str, Any], keys: tuple[str, ...]) -> None:
        positions = [keys.index(k) if k in keys else -1 for k in d]
        self.expect(-1 not in positions and positions == sorted(positions), f"keys or their order: {list(d)}")

    # -- arguments ----------------------------------------------------------------------------

    def each(self, items: Any, nodes: bool) -> None:
        for item in items:
            self.argument(item, nodes)

    def argument(self, a: Any, nodes: bool) -> None:
        if isinstance(a, list):
            self.each(a, nodes)
        elif isinstance(a, dict):
            form = next(iter(a), "")
            self.expect(form in self._keys and set(a) <= self._keys[form], f"form {list(a)}")
            if form in self._forms:
                self._forms[form](a, nodes)
        elif isinstance(a, str):
            self.expect(not any("\ud800" <= c <= "\udfff" for c in a), "lone surrogate")
        elif type(a) is int:
            self.expect(-(2**63) <= a < 2**63, "int outside 64 bits")

    def parts(self, items: list[Any], nodes: bool) -> None:
        self.expect(len(items) == 3, "slice")
        self.each(items, nodes)

    def dict_form(self, d: dict[str, Any], nodes: bool) -> None:
        for key, value in d["dict"]:
            self.argument(key, False)
            self.argument(value, nodes)

    def opaque_form(self, d: dict[str, Any], nodes: bool) -> None:
        self.expect("str" in d and d.get("repr") != d["str"], "str and repr of an opaque value")
        self.expect("0x" not in re.sub(r"0x0\b", "", d["str"]), "memory address in a string")
        for key in ("str", "repr", "data"):
            self.argument(d.get(key), False)

    def node_form(self, d: dict[str, Any], nodes: bool) -> None:
        self.expect(nodes, "node in metadata")
        self.expect(d["n"] in self.names, f"unknown node '{d['n']}'")

    # -- values -------------------------------------------------------------------------------

    def dims(self, dims: list[Any]) -> None:
        self.expect(all(type(d) in (int, str) for d in dims), "sizes")

    def tensor(self, d: dict[str, Any]) -> None:
        self.order(d, TENSOR_KEYS)
        self.dims(d["shape"])
        self.dims(d.get("stride", []))
        self.expect("layout" in d or len(d["stride"]) == len(d["shape"]), "rank of strides")
        self.expect(
            d.get("offset") != 0 and d.get("device") != "cpu" and d.get("rg", True), "defaults"
        )

    # -- graphs -------------------------------------------------------------------------------

    def graph(self, graph: dict[str, Any]) -> None:
        outer = (self.where, self.names)
        self.order(graph, ("nodes", "subgraphs", "calling_convention"))
        names = [n["name"] for n in graph["nodes"]]
        self.names = set(names)
        self.expect(len(names) == len(self.names), "duplicate name")
        for node in graph["nodes"]:
            self.where = f"node '{node['name']}'"
            self.node(node)
        for inner in graph.get("subgraphs", {}).values():
            self.graph(inner)
        self.where, self.names = outer

    def node(self, d: dict[str, Any]) -> None:
        self.order(d, NODE_KEYS)
        self.expect(not self.format_1 or set(d) <= FORMAT_1_NODE_KEYS, "keys of format 2")
        self.expect(d["op"] in (FORMAT_1_OPS if self.format_1 else OPS), f"op '{d['op']}'")
        self.expect("args" in d or d["op"] not in ("call_function", "output"), "no args")
        self.expect(d.get("args") != [] or d["op"] in ("call_function", "output"), "empty args")
        self.expect(d.get("kwargs") != {} and d.get("meta") != {}, "empty kwargs or meta")
        self.expect(list(d.get("meta", {})) == sorted(d.get("meta", {})), "order of meta keys")
        self.each(d.get("args", []), True)
        self.each(d.get("kwargs", {}).values(), True)
        for key in ("val", "tensor_meta"):
            self.argument(d.get(key), False)
        self.each(d.get("meta", {}).values(), False)
        self.each((f for _, f in d.get("source_fn", [])), False)
        for entry in d.get("module_stack", []):
            self.expect(len(entry) == 3 or entry[3:] == ["text"], "module_stack")
        self.sources(d.get("from_node", []))

    def sources(self, sources: list[dict[str, Any]]) -> None:
        for source in sources:
            self.expect(set(source) == SOURCE_KEYS, "from_node")
            self.sources(source.get("from_node", []))

    # -- documents ----------------------------------------------------------------------------

    def modules(self, entries: list[dict[str, Any]]) -> None:
        seen: set[str] = set()
        for entry in entries:
            self.where = f"module '{entry['path']}'"
            self.order(entry, MODULE_KEYS)
            parent = entry["path"].rpartition(".")[0]
            self.expect(not seen or parent in seen, "before its parent")
            self.expect("same" not in entry or (entry["same"] in seen and len(entry) == 2), "same")
            seen.add(entry["path"])
            for kind in ("attributes", "constants", "meta"):
                self.each((v for v in entry.get(kind, {}).values() if not _is_same(v)), False)
            for kind in ("parameters", "buffers"):
                for value in entry.get(kind, {}).values():
                    if value is not None and not _is_same(value):
                        self.tensor({k: v for k, v in value.items() if k != "persistent"})
            if "graph" in entry:
                self.graph(entry["graph"])
        self.where = "document"

    def functions(self, rows: dict[str, dict[str, Any]]) -> None:
        for name, row in rows.items():
            self.where = f"function '{name}'"
            self.order(row, FUNCTION_KEYS)
            self.expect(bool(row), "empty row")
            texts = "".join(v for v in row.values() if isinstance(v, str))
            self.expect("0x" not in re.sub(r"0x0\b", "", texts), "memory address in a string")


def _is_same(value: Any) -> bool:
    return isinstance(value, dict) and "same" in value


def violations(doc: dict[str, Any]) -> list[str]:
    checker = Checker(doc)
    checker.graph(doc["graph"])
    checker.functions(doc.get("functions", {}))
    checker.modules(doc.get("modules", []))
    return checker.found
