#!/usr/bin/env python3
"""Creates random sequences of edits, with torch.fx's results.

    make_edits.py OUT.jsonl [--count N] [--edits N] [--seed S]
    make_edits.py --show SEED

Each line is a sequence; README.md in this folder describes the format. --show prints the sequence
of one seed with the graph after each edit. Exit status 77: torch is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "scripts")]

try:
    import torch.fx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from edits import Edit, Session

COUNT, EDITS = int(os.environ.get("FX_EDIT_SEQUENCES", "700")), 50

FUNCTIONS = [
    "operator.add", "operator.getitem", "operator.and_", "torch.relu", "torch.sum", "torch.max",
    "builtins.getattr", "math.sqrt", "aten.add.Tensor", "aten.sum.dim_IntList",
    "aten._softmax.default",
]  # fmt: skip
TARGETS = {
    "placeholder": ["x", "input", "*args", "**kwargs", "y_1", "camelCase"],
    "get_attr": ["weight", "layer.0.bias", "_buffer", "A.bC"],
    "call_module": ["fc", "layer1.0.conv", "0", "Act"],
    "call_method": ["view", "add_", "size", "__add__", "relu", "sum"],
}
NAMES = [
    "x", "x_1", "relu", "relu_1", "foo", "foo_2", "sum", "sum_1", "a b", "1a", "getitem_007", "if",
    "_",
    "__x", "x_", "torch", "None", "view_10", "a.b.c", "output", "Upper",
]  # fmt: skip
KEYS = ["dim", "alpha", "input", "out", "mode"]

WEIGHTS = {
    "create": 30, "erase": 9, "replace_all_uses": 8, "replace_uses": 4, "replace_input": 8,
    "set_args": 6, "set_kwargs": 4, "update_arg": 7, "insert_arg": 5, "update_kwarg": 6,
    "move_before": 5, "move_after": 5, "rename": 6, "copy": 5, "graph_copy": 3,
}  # fmt: skip


class EditGenerator:
    """Generates edits that are valid for the current graph."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.session = Session()
        self.tidy = seed % 2 == 0  # half of the sequences keep definitions before uses
        self.existing: list[tuple[int, torch.fx.Node]] = []

    def next_edit(self) -> Edit:
        """Generates an edit. If there are fewer than three nodes, the edit creates a placeholder."""
        self.existing = [(i, n) for i, n in enumerate(self.session.nodes) if n is not None]
        if len(self.existing) < 3:
            return self._create("placeholder")
        while True:
            kind = self.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            edit = getattr(self, "_" + kind)()
            if edit is not None:
                return edit

    # -- choosing ------------------------------------------------------------------------------

    def any(self) -> tuple[int, torch.fx.Node]:
        """Chooses a node; later nodes are more likely."""
        return max(self.rng.choice(self.existing), self.rng.choice(self.existing), key=lambda pair: pair[0])

    def number(self, node: torch.fx.Node) -> int:
        return next(i for i, n in self.existing if n is node)

    def source(self, user: torch.fx.Node | None) -> int | None:
        """Chooses an operand for `user`: an earlier node, or in sequences with an odd seed, any
        other node."""
        for _ in range(8):
            number, node = self.any()
            if node is user or node.op == "output":
                continue
            if user is None or node < user or not self.tidy and self.rng.random() < 0.2:
                return number
        return None

    def leaf(self, user: torch.fx.Node | None) -> Any:
        number = self.source(user) if self.rng.random() < 0.6 else None
        return {"n": number} if number is not None else self.constant()

    def constant(self) -> Any:
        return self.rng.choice([
            None, True, False, 0, 1, -7, 2**40, 0.5, 1.0, 1e-5, 123456.0, "text", "it's", "",
            {"dtype": "float16"}, {"device": "cuda:1"}, {"ellipsis": True}, {"f": "inf"},
            {"op": "torch.relu"}, {"complex": [1.0, -2.0]}, {"range": [0, 3, 1]},
            {"memory_format": "channels_last"},
        ])  # fmt: skip

    def value(self, user: torch.fx.Node | None, depth: int = 3) -> Any:
        rng = self.rng
        if depth == 0 or rng.random() < 0.65:
            return self.leaf(user)
        items = [self.value(user, depth - 1) for _ in range(rng.randrange(4))]
        kind = rng.randrange(5)
        if kind == 0:
            return items
        if kind == 1:
            return {"tuple": items}
        if kind == 2:
            return {"map": dict(zip(rng.sample(KEYS, len(items)), items))}
        if kind == 3:
            keys = rng.sample([0, 1, 2, -3, 10], len(items))
            return {"dict": [list(pair) for pair in zip(keys, items)]} if items else {"map": {}}
        return {"slice": (items + [None] * 3)[:3]}

    def values(self, user: torch.fx.Node | None) -> list[Any]:
        return [self.value(user) for _ in range(self.rng.randrange(4))]

    def keywords(self, user: torch.fx.Node | None) -> dict[str, Any]:
        keys = self.rng.sample(KEYS, self.rng.randrange(1, 4))
        return {key: self.value(user) for key in keys}

    def insert_point(self) -> tuple[Edit, torch.fx.Node | None]:
        """Chooses the insert point of a new node. Returns it and the node that follows (None: the
        end)."""
        where = self.rng.random()
        if where < 0.4:
            return {}, None
        number, node = self.any()
        if where < 0.8:
            return {"before": number}, node
        follower = node.next
        return {"after": number}, None if follower.op == "root" else follower

    # -- one method per edit ---------------------------------------------------------------------

    def _create(self, op: str | None = None) -> Edit:
        rng = self.rng
        if op is None:
            ops = [
                "placeholder",
                "get_attr",
                "call_module",
                "call_method",
                "call_function",
                "output",
            ]
            op = rng.choices(ops, [8, 6, 12, 16, 50, 4])[0]
        insert_point, follower = self.insert_point() if self.existing else ({}, None)
        edit: Edit = {"do": "create", "op": op}
        edit["target"] = "output" if op == "output" else rng.choice(TARGETS.get(op, FUNCTIONS))
        if op == "placeholder":
            args = [self.constant()] if rng.random() < 0.2 else []
        elif op == "output":
            args = [self.value(follower)]
        else:
            args = [] if op == "get_attr" else self.values(follower)
        if args:
            edit["args"] = args
        if op.startswith("call_") and rng.random() < 0.3:
            edit["kwargs"] = self.keywords(follower)
        if rng.random() < 0.35:
            edit["name"] = rng.choice(NAMES)
        return edit | insert_point

    def _copy(self) -> Edit | None:
        number, node = self.any()
        if node.op == "output":
            return None
        follows = self.session.graph._root if self.rng.random() < 0.5 else node.next
        if follows.op == "root":
            return {"do": "copy", "node": number}
        return {"do": "copy", "node": number, "before": self.number(follows)}

    def _erase(self) -> Edit | None:
        """Usually erases a node without users; erasing another node is an error."""
        for _ in range(10):
            number, node = self.any()
            if not node.users or self.rng.random() < 0.1:
                return {"do": "erase", "node": number}
        return None

    def _replace_all_uses(self) -> Edit | None:
        """Never replaces a node with one of its users: in torch.fx, the user would become its own
        operand."""
        number, node = self.any()
        users = sorted(node.users)
        new = self.source(users[0] if users else None)
        if new is None or new == number or self.session.node(new) in node.users:
            return None
        return {"do": "replace_all_uses", "node": number, "with": new}

    def _replace_uses(self) -> Edit | None:
        edit = self._replace_all_uses()
        if edit is None:
            return None
        users = [self.number(u) for u in self.session.node(edit["node"]).users]
        chosen = [u for u in users if self.rng.random() < 0.5]
        return edit | {"do": "replace_uses", "users": chosen}

    def _replace_input(self) -> Edit | None:
        number, node = self.any()
        inputs = node.all_input_nodes
        new = self.source(node)
        if new is None:
            return None
        old = self.number(self.rng.choice(inputs)) if inputs else self.any()[0]
        return (
            None if old == new else {"do": "replace_input", "node": number, "old": old, "new": new}
        )

    def _callee(self) -> tuple[int, torch.fx.Node] | None:
        number, node = self.any()
        return (number, node) if node.op.startswith("call_") else None

    def _set_args(self) -> Edit | None:
        number, node = self.any()
        if node.op == "output":
            return {"do": "set_args", "node": number, "args": [self.value(node)]}
        if not node.op.startswith("call_"):
            return None
        return {"do": "set_args", "node": number, "args": self.values(node)}

    def _set_kwargs(self) -> Edit | None:
        found = self._callee()
        if found is None:
            return None
        kwargs = self.keywords(found[1]) if self.rng.random() < 0.8 else {}
        return {"do": "set_kwargs", "node": found[0], "kwargs": kwargs}

    def _update_arg(self) -> Edit | None:
        """Sometimes updates an index past the last argument; this is an error."""
        number, node = self.any()
        if not node.args and self.rng.random() < 0.9 or node.op in ("placeholder", "get_attr"):
            return None
        past_end = 1 if self.rng.random() < 0.05 or not node.args else 0
        at = self.rng.randrange(len(node.args) + past_end) if not past_end else len(node.args)
        return {"do": "update_arg", "node": number, "at": at, "value": self.value(node)}

    def _insert_arg(self) -> Edit | None:
        found = self._callee()
        if found is None:
            return None
        count = len(found[1].args)
        at = count + 1 if self.rng.random() < 0.05 else self.rng.randrange(count + 1)
        return {"do": "insert_arg", "node": found[0], "at": at, "value": self.value(found[1])}

    def _update_kwarg(self) -> Edit | None:
        found = self._callee()
        if found is None:
            return None
        key = self.rng.choice(KEYS)
        return {"do": "update_kwarg", "node": found[0], "key": key, "value": self.value(found[1])}

    def _move(self, kind: str) -> Edit | None:
        number, node = self.any()
        anchor_number, anchor = self.any()
        if self.tidy and not self._stays_in_order(node, anchor, kind):
            return None
        return {"do": kind, "node": number, "anchor": anchor_number}

    @staticmethod
    def _stays_in_order(node: torch.fx.Node, anchor: torch.fx.Node, kind: str) -> bool:
        if kind == "move_before":
            inputs = all(n < anchor for n in node.all_input_nodes)
            return inputs and not any(u < anchor for u in node.users)
        inputs = not any(anchor < n for n in node.all_input_nodes)
        return inputs and all(anchor < u for u in node.users)

    def _move_before(self) -> Edit | None:
        return self._move("move_before")

    def _move_after(self) -> Edit | None:
        return self._move("move_after")

    def _rename(self) -> Edit:
        return {"do": "rename", "node": self.any()[0], "name": self.rng.choice(NAMES)}

    def _graph_copy(self) -> Edit | None:
        """Copies only graphs without nodes after the output, since torch.fx omits such nodes."""
        ops = [n.op for n in self.session.graph.nodes]
        if "output" in ops[:-1]:
            return None
        return {"do": "graph_copy", "output": ops[-1] == "output"}


def sequence(seed: int, count: int, show: bool = False) -> dict[str, Any]:
    """Returns a sequence with its results."""
    generator = EditGenerator(seed)
    edits: list[Edit] = []
    for _ in range(count):
        edit = generator.next_edit()
        error = generator.session.apply(edit)
        edits.append(edit | {"error": error} if error else edit)
        if show:
            print(f"{len(edits) - 1}: {json.dumps(edits[-1])}\n{generator.session.graph}\n")
    return {"seed": seed, "edits": edits, "final": generator.session.final()}


def replayed(record: dict[str, Any]) -> dict[str, Any]:
    """Returns the results of replaying the edits in a record."""
    session = Session()
    edits = []
    for edit in record["edits"]:
        edit = {k: v for k, v in edit.items() if k != "error"}
        error = session.apply(edit)
        edits.append(edit | {"error": error} if error else edit)
    return {"seed": record["seed"], "edits": edits, "final": session.final()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("out", type=Path, nargs="?", help="file for the sequences")
    parser.add_argument("--count", type=int, default=COUNT, help=f"number of sequences (default {COUNT})")
    parser.add_argument("--edits", type=int, default=EDITS, help=f"edits in each sequence (default {EDITS})")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first sequence")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the sequence of one seed")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    if options.show is not None:
        sequence(options.show, options.edits, show=True)
        return 0
    if options.out is None:
        parser.error("OUT is required")
    start, errors = time.monotonic(), 0
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with options.out.open("w", encoding="ascii") as out:
        for seed in range(options.seed, options.seed + options.count):
            record = sequence(seed, options.edits)
            errors += sum("error" in e for e in record["edits"])
            out.write(json.dumps(record, separators=(",", ":")) + "\n")
    total = options.count * options.edits
    seconds = time.monotonic() - start
    print(f"{options.count} sequences, {total} edits ({errors} rejected) in {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
