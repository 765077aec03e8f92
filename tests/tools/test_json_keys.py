#!/usr/bin/env python3
"""Tests that the table in docs/command.md has every key that --json prints, with the kind of its
values. All subcommands use the same key for the same kind of value.

Exit status: 0 on success, 1 on failure.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
INPUTS = ROOT / "tests" / "filecheck" / "tools" / "inputs"

COMMANDS = [
    ["shape", INPUTS / "small.fx", "--json"],
    ["shape", INPUTS / "wrong_types.fx", "--compare", "--json"],
    ["shape", INPUTS / "unknown_op.fx", "--json"],
    ["shape", INPUTS / "symbolic.fx", "--sweep", "s0=8,3", "--compare", "--json"],
    ["shape", INPUTS / "joint.fx", "--summary", "--json"],
    ["verify", INPUTS / "mistyped.fx", "--json"],
    ["ops", "aten.add_.Tensor", "--json"],
    ["ops", "--missing", INPUTS / "unknown_op.fx", "--json"],
    ["ops", "--check", ROOT / "tests/filecheck/shape/inputs/derived_calls.jsonl", "--json"],
    ["passes", "--json"],
    ["state", INPUTS / "checkpoint.pt", "--json"],
]
# With libtorch.
TORCH_COMMANDS = [
    ["capture", "--list", "--json"],
    ["run", "MODEL", "--trace", "--json"],
    ["shape", INPUTS / "small.fx", "--concrete", "--input", "x=f64[4, 3]", "--json"],
]
KINDS = {"text": str, "list": list, "object": dict, "boolean": bool, "number": (int, float)}
# Objects whose keys come from the graph or from operators, not from the format.
NAMED = {"symbols", "mutations", "by_kind"}


def documented() -> dict[str, list[str]]:
    """Returns the keys in the table of docs/command.md, with the kinds of their values."""
    text = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    table = text.partition("| key | value |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?):", table, flags=re.MULTILINE)
    keys: dict[str, list[str]] = {}
    for names, kinds in rows:
        for name in re.findall(r"`(\w+)`", names):
            keys[name] = kinds.split(" or ")
    return keys


class JsonKeys(unittest.TestCase):
    def setUp(self) -> None:
        self.keys = documented()
        self.seen: set[str] = set()

    def check(self, value: object, command: str) -> None:
        if isinstance(value, list):
            for item in value:
                self.check(item, command)
        if not isinstance(value, dict):
            return
        for key, item in value.items():
            self.seen.add(key)
            self.assertIn(key, self.keys, f"{command}: docs/command.md does not list the key")
            kinds = self.keys[key]
            is_valid = any(isinstance(item, KINDS[k]) and (k == "boolean" or not isinstance(item, bool))
                           for k in kinds if k != "null")
            self.assertTrue(is_valid or (item is None and "null" in kinds),
                            f"{command}: {key} is {item!r}, not {kinds}")
            self.check(list(item.values()) if key in NAMED and isinstance(item, dict) else item, command)

    def check_commands(self, commands: list[list[object]]) -> None:
        for words in commands:
            command = [FXCPP, *map(str, words)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            text = done.stdout.strip()
            try:
                values = [json.loads(text)]
            except json.JSONDecodeError:  # each line is an object
                values = [json.loads(line) for line in text.splitlines()]
            self.assertTrue(values, command)
            self.check(values, " ".join(command))

    def test_keys_are_documented(self) -> None:
        self.check_commands(COMMANDS)
        commands = [list(words) for words in TORCH_COMMANDS]
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "mlp.fx"
            captured = subprocess.run([FXCPP, "capture", "mlp", "--joint", "-o", str(model)],
                                  capture_output=True, text=True, check=False)
            if captured.returncode != 0:
                self.assertIn("libtorch", captured.stderr)
                return
            for words in commands:
                words[:] = [model if w == "MODEL" else w for w in words]
            self.check_commands(commands)
        # Without libtorch, some keys are not printed.
        self.assertEqual(set(self.keys) - self.seen, set(), "keys that no subcommand prints")


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False).result.wasSuccessful() else 1)
