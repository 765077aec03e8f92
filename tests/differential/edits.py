"""Edits of a torch.fx graph as plain data, and a session that applies them.

README.md in this folder lists the edits. A session numbers nodes in order of creation; edits refer
to nodes by these numbers, including in arguments ({"n": 3} is node number 3).
"""

from __future__ import annotations

import contextlib
from typing import Any

import torch
import torch.fx
from torch.fx.node import Node

import fx_export

Edit = dict[str, Any]
PROBES = ("x", "relu", "add", "foo_2", "getitem_007", "sum", "output", "view_1", "a b")


class Session:
    """A graph that is being edited. `nodes[i]` is node number i, or None after it is erased."""

    def __init__(self) -> None:
        self.graph = torch.fx.Graph()
        self.nodes: list[Node | None] = []
        self._decoder = fx_export.Decoder({"format": 2})

    def apply(self, edit: Edit) -> str | None:
        """Applies an edit; returns the class of the exception that torch.fx raised, if any."""
        try:
            getattr(self, "_" + edit["do"])(edit)
        except (RuntimeError, AssertionError, IndexError, KeyError, ValueError, TypeError) as error:
            return type(error).__name__
        return None

    def node(self, number: int) -> Node:
        node = self.nodes[number]
        assert node is not None, f"edit uses node {number}, which was erased"
        return node

    def value(self, encoded: Any) -> Any:
        known = {i: n for i, n in enumerate(self.nodes) if n is not None}
        return self._decoder.argument(encoded, known)  # type: ignore[arg-type]

    def _insert_point(self, edit: Edit) -> contextlib.AbstractContextManager[Any]:
        if "before" in edit:
            return self.graph.inserting_before(self.node(edit["before"]))
        if "after" in edit:
            return self.graph.inserting_after(self.node(edit["after"]))
        return contextlib.nullcontext()

    # -- one method per edit -------------------------------------------------------------------

    def _create(self, e: Edit) -> None:
        target = self._decoder.function(e["target"]) if e["op"] == "call_function" else e["target"]
        args = tuple(self.value(a) for a in e.get("args", []))
        kwargs = {k: self.value(a) for k, a in e.get("kwargs", {}).items()}
        with self._insert_point(e):
            self.nodes.append(self.graph.create_node(e["op"], target, args, kwargs, e.get("name")))

    def _copy(self, e: Edit) -> None:
        with self._insert_point(e):
            self.nodes.append(self.graph.node_copy(self.node(e["node"])))

    def _erase(self, e: Edit) -> None:
        self.graph.erase_node(self.node(e["node"]))
        self.nodes[e["node"]] = None

    def _replace_all_uses(self, e: Edit) -> None:
        self.node(e["node"]).replace_all_uses_with(self.node(e["with"]))

    def _replace_uses(self, e: Edit) -> None:
        users = {self.node(u) for u in e["users"]}
        self.node(e["node"]).replace_all_uses_with(self.node(e["with"]), lambda user: user in users)

    def _replace_input(self, e: Edit) -> None:
        self.node(e["node"]).replace_input_with(self.node(e["old"]), self.node(e["new"]))

    def _set_args(self, e: Edit) -> None:
        self.node(e["node"]).args = tuple(self.value(a) for a in e["args"])

    def _set_kwargs(self, e: Edit) -> None:
        self.node(e["node"]).kwargs = {k: self.value(a) for k, a in e["kwargs"].items()}

    def _update_arg(self, e: Edit) -> None:
        self.node(e["node"]).update_arg(e["at"], self.value(e["value"]))

    def _insert_arg(self, e: Edit) -> None:
        self.node(e["node"]).insert_arg(e["at"], self.value(e["value"]))

    def _update_kwarg(self, e: Edit) -> None:
        self.node(e["node"]).update_kwarg(e["key"], self.value(e["value"]))

    def _move_before(self, e: Edit) -> None:
        self.node(e["anchor"]).prepend(self.node(e["node"]))

    def _move_after(self, e: Edit) -> None:
        self.node(e["anchor"]).append(self.node(e["node"]))

    def _rename(self, e: Edit) -> None:
        self.node(e["node"])._rename(e["name"])

    def _graph_copy(self, e: Edit) -> None:
        copy, mapped = torch.fx.Graph(), {}
        result = copy.graph_copy(self.graph, mapped)
        output = copy.output(result) if e["output"] else None
        self.graph = copy
        self.nodes = [mapped.get(n) if n is not None else None for n in self.nodes]
        if output is not None:
            self.nodes.append(output)

    # -- the final graph -----------------------------------------------------------------------

    def final(self) -> dict[str, Any]:
        encoder = fx_export.Encoder()
        nodes = []
        for node in self.graph.nodes:
            target = (
                node.target if isinstance(node.target, str) else encoder.functions.key(node.target)
            )
            nodes.append({
                "name": node.name,
                "op": node.op,
                "target": target,
                "args": [encoder.argument(a) for a in node.args],
                "kwargs": {k: encoder.argument(a) for k, a in node.kwargs.items()},
                "users": [user.name for user in node.users],
            })  # fmt: skip
        listing = fx_export.mask_addresses(str(self.graph))
        probes = [[name, self._probe(name)] for name in PROBES]
        return {"nodes": nodes, "listing": listing, "probes": probes}

    def _probe(self, name: str) -> str:
        """Returns the name of a new node, which shows whether the graph has reserved `name`."""
        return self.graph.create_node("call_function", torch.relu, name=name).name
