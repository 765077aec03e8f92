#!/usr/bin/env python3
"""Records random calls that eager mode accepts, for `fxcpp ops --check` and generate_call_rules.py.

    scripts/record_random_calls.py calls.jsonl [--seed 0] [--calls 24] [--tries 400]
                                   [--only aten.softmax.int] [--shard K/N]

PyTorch's operator database calls about half of the overloads: record_op_cases.py does not record aliases
(`__iand__`), composite operators that decompose before they are recorded, random operators in place, and
most out= forms. This script derives arguments from the schema: tensors of a few sizes and dtypes, small
numbers, dimensions, lists of sizes. Calls run in child processes; those that eager mode rejects are not
written. Each line has the keys that record_op_cases.py writes.
"""

import argparse
import json
import random
import sys
import warnings

import torch

from op_calls import find, opened, run_calls
from record_illegal_calls import DTYPES, INDEX_NAMES, attempt, contiguous

SIZES = ([2, 3], [3, 3], [3], [], [0, 3], [0], [2, 0, 3], [2, 3, 4], [1, 3], [2, 2], [4], [1, 2, 4, 4],
         [2, 4, 5, 5, 5])
SKIPPED = ("layout", "pin_memory", "generator", "memory_format", "device")
STRINGS = ("sum", "mean", "linear", "none", "fro", "right")


class Unsupported(Exception):
    pass


class Call:
    """Random arguments of one call: most tensors have the same sizes and dtype."""

    def __init__(self, rng):
        self.rng = rng
        self.sizes = rng.choice(SIZES)
        self.dtype = rng.choice(DTYPES) if rng.random() < 0.5 else "float32"

    def tensor(self, name, is_out):
        rng, dtype, same = self.rng, self.dtype, 0.5 if is_out else 0.75
        if not is_out and INDEX_NAMES.search(name) and rng.random() < 0.85:
            dtype = "bool" if "mask" in name or name == "condition" else "int64"
        elif rng.random() < (0.2 if is_out else 0.1):
            dtype = rng.choice(DTYPES)
        sizes = self.sizes if rng.random() < same else rng.choice(SIZES)
        return {"t": dtype, "shape": sizes, "stride": contiguous(sizes)}

    def scalar(self):
        return self.rng.choice([0, 1, 2, 3, 0.5, 1.5, True, {"complex": [0.0, 1.0]}])

    def value(self, argument, kind=None):
        rng, name, kind = self.rng, argument.name, kind or str(argument.type)
        if kind.startswith("Optional["):
            return None if rng.random() < 0.5 else self.value(argument, kind[len("Optional["):-1])
        if kind == "Tensor":
            return self.tensor(name, argument.is_out)
        if kind.startswith("List[") and "Tensor" in kind:
            return [self.value(argument, kind[len("List["):-1]) for _ in range(rng.choice([1, 2, 2, 3]))]
        if kind == "int" and name == "dtype":
            return {"dtype": rng.choice(DTYPES)}
        is_dim = "dim" in name or "axis" in name
        choices = {
            "int": [0, 0, 1, 1, 2, -1] if is_dim else [0, 1, 1, 2, 3],
            "float": [0.25, 0.5, 1.0, 2.0],
            "bool": [False, True],
            "str": STRINGS,
            "List[int]": [[0], [1], [-1], [0, 1]] if is_dim else
                         [self.sizes, [2, 3], [3], [-1]] if name in ("size", "shape") else
                         [[1], [1, 1], [2], [2, 2], [1, 1, 1], [0], [0, 0], self.sizes],
            "List[float]": [[1.0], [2.0, 2.0]],
            "List[bool]": [[False, True]],
        }  # fmt: skip
        kind = kind.replace("SymInt", "int").replace("SymFloat", "float")
        if kind in ("number", "Scalar"):
            return self.scalar()
        if kind == "List[number]":
            return [self.scalar(), self.scalar()]
        if kind not in choices:
            raise Unsupported
        return rng.choice(choices[kind])

    def arguments(self, schema):
        args, kwargs = [], {}
        for i, argument in enumerate(schema.arguments):
            if argument.name in SKIPPED or argument.has_default_value() and self.rng.random() < 0.65:
                continue
            value = self.value(argument)
            if not argument.kwarg_only and len(args) == i:
                args.append(value)
            else:
                kwargs[argument.name] = value
        return args, kwargs


def attempt_once(function, args, kwargs):
    return attempt(function, args, kwargs, again=None)


def overloads(only):
    """The names of ATen's overloads that have tensors among their arguments."""
    if only:
        return only.split(",")
    names = (name.removeprefix("aten::") for name in torch._C._dispatch_get_all_op_names()
             if name.startswith("aten::"))
    return sorted(f"aten.{name if '.' in name else name + '.default'}" for name in names)


def accepted_calls(function, rng, tries):
    calls = []
    for _ in range(tries):
        try:
            calls.append(Call(rng).arguments(function._schema))
        except Unsupported:
            return
    seen = set()
    for (args, kwargs), outcome in zip(calls, run_calls(function, calls, 1, 3, attempt_once)):
        key = json.dumps([args, kwargs])
        if outcome and "out" in outcome and key not in seen:
            seen.add(key)
            yield {"args": args, "kwargs": kwargs, **outcome}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--calls", type=int, default=24, help="the most calls of an overload")
    parser.add_argument("--tries", type=int, default=400)
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="0/1", help="K/N: every N-th overload, starting with K")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    shard, shards = map(int, options.shard.split("/"))
    total = recorded = 0
    with opened(options.output, "w") as file:
        for name in overloads(options.only)[shard::shards]:
            try:
                function = find(name)
            except (AttributeError, RuntimeError):  # an operator of TorchScript
                continue
            if not any("Tensor" in str(a.type) for a in function._schema.arguments):
                continue
            count = 0
            for call in accepted_calls(function, random.Random(f"{options.seed} {name}"), options.tries):
                if count < options.calls:
                    file.write(json.dumps({"op": name, **call, "from": ""}) + "\n")
                    count += 1
            total += count
            recorded += count > 0
    print(f"{recorded} overloads, {total} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
