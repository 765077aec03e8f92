"""Prints torch.fx's listing and table for an interchange document, using only the rules in
docs/json.md.

This module does not use torch. test_bridge.py compares it with torch.fx on every graph, to test
the rules. A printer in another language can follow this module.
"""

from __future__ import annotations

import re
from typing import Any

import tabulate

Json = Any
HEADERS = ["opcode", "name", "target", "args", "kwargs"]


def function_texts(key: str, rows: dict[str, dict[str, Json]]) -> dict[str, str]:
    """Returns `listing`, `repr` and `inner` of a function."""
    parts = key.split(".")
    first, last = parts[0], parts[-1]
    built_in = f"<built-in function {last}>"
    listing, text, inner = key, key, None
    if len(parts) == 2 and first in ("operator", "math", "builtins") or key.startswith("torch._C."):
        text = built_in
    elif len(parts) == 2 and first == "higher_order":
        listing, text = f"torch.ops.{key}", last
    elif len(parts) == 2 and first == "torch":
        text = f"<built-in method {last} of type object at 0x0>"
    elif len(parts) == 3 and first != "torch":
        listing = f"torch.ops.{key}"
        inner = f"<OpOverload(op='{first}.{parts[1]}', overload='{last}')>"
    row = rows.get(key, {})
    if "repr" in row:
        text, inner = row["repr"], row.get("inner")
    inner = row.get("inner", inner)
    return {"listing": row.get("listing", listing), "repr": text, "inner": inner or text}


class Printer:
    def __init__(self, doc: dict[str, Json]) -> None:
        self.nodes = doc["graph"]["nodes"]
        self.rows = doc.get("functions", {})
        self.users = self._count_users()

    def _count_users(self) -> dict[str, int]:
        users: dict[str, set[str]] = {n["name"]: set() for n in self.nodes}
        for node in self.nodes:
            stack = [node.get("args", []), node.get("kwargs", {})]
            while stack:
                value = stack.pop()
                if isinstance(value, list):
                    stack.extend(value)
                elif isinstance(value, dict) and list(value) == ["n"] and value["n"] in users:
                    users[value["n"]].add(node["name"])
                elif isinstance(value, dict) and "opaque" not in value:
                    stack.extend(value.values())
        return {name: len(readers) for name, readers in users.items()}

    # -- Python's str and repr -----------------------------------------------------------------

    def leaf(self, a: Json, inner: bool) -> str:
        """Returns the `str` (or, inside containers, the `repr`) of a value other than a list, tuple or
        dict."""
        if not isinstance(a, dict):
            return repr(a) if inner or not isinstance(a, str) else a
        form = next(iter(a))
        value = a[form]
        if form in ("opaque", "t"):
            text = a.get("str", f"<{form}>")
            return a.get("repr", text) if inner else text
        if form in ("n", "sym", "f"):
            return value
        if form in ("dtype", "layout", "memory_format"):
            return f"torch.{value}"
        if form == "device":
            kind, _, index = value.partition(":")
            text = f"device(type='{kind}'" + (f", index={index})" if index else ")")
            return text if inner else value
        if form == "op":
            return function_texts(value, self.rows)["inner" if inner else "repr"]
        if form == "complex":
            return repr(complex(*(float(p["f"]) if isinstance(p, dict) else p for p in value)))
        if form == "slice":
            return f"slice({', '.join(self.text(p, True) for p in value)})"
        if form == "range":
            return f"range({', '.join(map(str, value if value[2] != 1 else value[:2]))})"
        return {"ellipsis": "Ellipsis", "graph": "<graph>"}.get(form, f"<{value}>")

    def text(self, a: Json, inner: bool = False) -> str:
        """Returns Python's `str` of an argument, or its `repr` if `inner`."""
        if isinstance(a, list):
            return f"[{', '.join(self.text(x, True) for x in a)}]"
        form = next(iter(a)) if isinstance(a, dict) else ""
        if form == "tuple":
            return tuple_text([self.text(x, True) for x in a["tuple"]])
        if form == "size":
            return f"torch.Size([{', '.join(str(x) for x in a['size'])}])"
        if form == "namedtuple":
            fields = ", ".join(f"{k}={self.text(v, True)}" for k, v in a["fields"].items())
            return f"{a['namedtuple'].rpartition('.')[2]}({fields})"
        if form in ("map", "dict"):
            pairs = a["map"].items() if form == "map" else a["dict"]
            return (
                f"{{{', '.join(f'{self.text(k, True)}: {self.text(v, True)}' for k, v in pairs)}}}"
            )
        return self.leaf(a, inner)

    # -- the traversal of the listing ----------------------------------------------------------

    def listed(self, a: Json) -> str:
        if isinstance(a, list):
            return f"[{', '.join(map(self.listed, a))}]"
        form = next(iter(a)) if isinstance(a, dict) else ""
        if form == "n":
            return "%" + a["n"]
        if form in ("tuple", "size"):
            return tuple_text([self.listed(x) for x in a[form]])
        if form == "namedtuple":
            return tuple_text([self.listed(x) for x in a["fields"].values()])
        if form in ("map", "dict"):
            pairs = a["map"].items() if form == "map" else a["dict"]
            return f"{{{', '.join(f'{self.text(k)}: {self.listed(v)}' for k, v in pairs)}}}"
        return self.text(a)

    def target(self, node: Json, which: str) -> str:
        if node["op"] != "call_function":
            return node["target"]
        return function_texts(node["target"], self.rows)[which]

    def line(self, node: Json) -> str:
        op, args = node["op"], node.get("args", [])
        if op == "output":
            return f"return {self.text(args[0])}"
        annotation = f"{node['type']} " if "type" in node else ""
        head = f"%{node['name']} : {annotation}[num_users={self.users[node['name']]}] = {op}"
        head += f"[target={self.target(node, 'listing')}]"
        if op == "placeholder":
            return head + (f"(default={self.text(args[0])})" if args else "")
        if op == "get_attr":
            return head
        kwargs = self.listed({"map": node.get("kwargs", {})})
        return f"{head}(args = {self.listed({'tuple': args})}, kwargs = {kwargs})"

    def listing(self) -> str:
        return "\n    ".join(["graph():", *map(self.line, self.nodes)])

    def tabular(self) -> str:
        cells = []
        for node in self.nodes:
            args = self.text({"tuple": node.get("args", [])})
            kwargs = self.text({"map": node.get("kwargs", {})})
            cells.append([node["op"], node["name"], self.target(node, "repr"), args, kwargs])
        return tabulate.tabulate(cells, headers=HEADERS)


def tuple_text(items: list[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def base_name(node: Json, rows: dict[str, dict[str, Json]]) -> str:
    """Returns the text from which torch.fx derives a node's name, before it makes the name legal
    and unique."""
    target = node["target"]
    if node["op"] == "call_function":
        parts = target.split(".")
        overload = len(parts) == 3 and parts[0] != "torch"
        text = rows.get(target, {}).get("name", ".".join(parts[1:]) if overload else parts[-1])
    else:
        magic = target.startswith("__") and target.endswith("__")
        text = target[2:-2] if magic else target  # empty for "__"
    return re.sub("(?<=[a-z])([A-Z])", r"_\1", text).lower()
