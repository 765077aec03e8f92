#!/usr/bin/env python3
"""Writes passes/shape/generated/dtype_rules.inc: the dtypes that eager mode accepts.

    scripts/record_op_cases.py legal.jsonl.gz
    scripts/generate_dtype_rules.py legal.jsonl.gz passes/shape/generated/dtype_rules.inc

Kernels support the dtypes that they list in C++ macros, which no schema has. So each overload is
called with the arguments of recorded calls and every dtype: first all tensors that have the dtype
of the first one together, then each other tensor alone. A dtype counts as refused only if eager
mode refuses it with the arguments of every recorded call tried. In the same way each tensor is put
on the device meta, the others on the CPU.
"""

import argparse
import collections
import json
import random
import sys
import warnings

import torch

from record_illegal_calls import (BY_VALUE, decode, find, is_tensor, opened, run_calls)

# The order is that of the bits; others count as the one that they are most like (C++: dtype_bit).
DTYPES = ("bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64",
          "complex64", "complex128")


def attempt(function, args, kwargs):
    for filling in range(3):
        try:
            values = decode(args, filling), {k: decode(v, filling) for k, v in kwargs.items()}
        except Exception:  # not a tensor that can be made
            return 2
        try:
            with torch.no_grad():
                function(*values[0], **values[1])
            return 1
        except Exception as e:  # whichever
            if not BY_VALUE.search(str(e).split("\n")[0]):
                return 0
    return 2


def tensors_of(x):
    if is_tensor(x):
        yield x
    elif isinstance(x, list):
        for i in x:
            yield from tensors_of(i)


def changed(x, change):
    if is_tensor(x):
        return change(x)
    return [changed(i, change) for i in x] if isinstance(x, list) else x


class Probe:
    """One recorded call with its tensors numbered by the argument that they are in."""

    def __init__(self, case, schema):
        self.args, self.kwargs = case["args"], case["kwargs"]
        self.places = {}
        for i, formal in enumerate(schema.arguments):
            if i < len(self.args):
                self.places[i] = i
            elif formal.name in self.kwargs:
                self.places[i] = formal.name
        self.places = {i: p for i, p in self.places.items() if any(tensors_of(self.value(p)))}
        self.primary = min(self.places, default=None)
        if self.primary is not None:
            self.dtype = next(tensors_of(self.value(self.places[self.primary])))["t"]

    def value(self, place):
        return self.args[place] if isinstance(place, int) else self.kwargs[place]

    def call(self, joint, argument=None, dtype=None):
        """The call with the primary's group of dtype `joint`, and one argument of another."""
        args, kwargs = list(self.args), dict(self.kwargs)
        for i, place in self.places.items():
            def change(t, i=i):
                if i == argument:
                    return {**t, "t": dtype}
                return {**t, "t": joint} if t["t"] == self.dtype else t
            target = args if isinstance(place, int) else kwargs
            target[place] = changed(target[place], change)
        return args, kwargs

    def on_meta(self, argument):
        args, kwargs = list(self.args), dict(self.kwargs)
        place = self.places[argument]
        target = args if isinstance(place, int) else kwargs
        target[place] = changed(target[place], lambda t: {**t, "device": "meta"})
        return args, kwargs


def probe(function, cases, limit):
    """(joint mask, {argument: a mask for each dtype of the first tensor}, mask of arguments not on meta), or None."""
    schema = function._schema
    probes = [p for p in (Probe(c, schema) for c in cases[:24]) if p.primary is not None]
    outcomes = list(run_calls(function, [(p.args, p.kwargs) for p in probes], 3, 2, attempt))
    probes = [p for p, outcome in zip(probes, outcomes) if outcome == 1]
    by_kind = collections.defaultdict(list)
    for p in probes:
        by_kind[(p.dtype, tuple(p.places))].append(p)
    chosen = []
    while len(chosen) < limit and any(by_kind.values()):
        for kind in list(by_kind.values()):
            if kind and len(chosen) < limit:
                chosen.append(kind.pop())
    if not chosen:
        return None
    n = len(DTYPES)
    asked = []
    for p in chosen:
        for d in range(n):
            asked.append((p.call(DTYPES[d]), ("joint", d)))
        for argument in p.places:
            if len(p.places) > 1:
                asked.append((p.on_meta(argument), ("meta", argument)))
    results = collections.defaultdict(set)
    for (_, key), outcome in zip(asked, run_calls(function, [c for c, _ in asked], 3, 2, attempt)):
        results[key].add(outcome)

    def refused(key):
        return results[key] == {0}

    joint = sum(1 << d for d in range(n) if not refused(("joint", d)))
    meta = sum(1 << a for a in range(15) if refused(("meta", a)))
    asked = []
    for p in chosen:
        for argument in p.places:
            if argument == p.primary:
                continue
            for j in range(n):
                if joint >> j & 1:
                    for d in range(n):
                        asked.append((p.call(DTYPES[j], argument, DTYPES[d]), (argument, j, d)))
    outcomes = run_calls(function, [c for c, _ in asked], 3, 2, attempt)
    for (_, key), outcome in zip(asked, outcomes):
        results[key].add(outcome)
    pairs = {}
    for argument in sorted({a for p in chosen for a in p.places if a != p.primary}):
        masks = tuple(sum(1 << d for d in range(n) if not refused((argument, j, d)))
                      for j in range(n))
        if any(mask != 2**n - 1 for mask in masks):
            pairs[argument] = masks
    return joint, pairs, meta


def write(rows, output):
    """The table as C++: rows that share a matrix of dtypes share its number."""
    matrices = {}
    rows = [(name, joint, meta,
             [(a, matrices.setdefault(m, len(matrices))) for a, m in pairs.items()])
            for name, joint, meta, pairs in sorted(rows)]
    with open(output, "w") as file:
        file.write("// Made by scripts/generate_dtype_rules.py from libtorch "
                   f"{torch.__version__.split('+')[0]}: do not edit.\n"
                   "// A row: operator, dtypes of the first tensor, arguments that may not be on "
                   "another device than the\n// CPU while the others are there, first of "
                   "kDTypeArguments, number of these.\n// Bits of dtypes: "
                   + ", ".join(DTYPES) + ".\n")
        file.write("constexpr DTypePairs kDTypePairs[] = {\n")
        for masks in matrices:
            file.write("    {{" + ", ".join(f"0x{m:03x}" for m in masks) + "}},\n")
        file.write("};\nconstexpr DTypeArgument kDTypeArguments[] = {\n")
        first = 0
        for _, _, _, numbers in rows:
            for a, m in numbers:
                file.write(f"    {{{a}, {m}}},\n")
        file.write("};\nconstexpr DTypeRow kDTypeRows[] = {\n")
        for name, joint, meta, numbers in rows:
            file.write(f'    {{"{name}", 0x{joint:03x}, 0x{meta:x}, {first}, {len(numbers)}}},\n')
            first += len(numbers)
        file.write("};\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("legal")
    parser.add_argument("output")
    parser.add_argument("--bases", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    recorded = collections.defaultdict(list)
    with opened(options.legal, "r") as file:
        for line in file:
            case = json.loads(line)
            if "op" in case and (not options.only or case["op"] in options.only.split(",")):
                recorded[case["op"]].append(case)
    rows = []
    for count, name in enumerate(sorted(recorded)):
        if count % 100 == 0:
            print(f"{count} of {len(recorded)} overloads", file=sys.stderr)
        try:
            function = find(name)
        except AttributeError:
            continue
        random.Random(name).shuffle(recorded[name])
        found = probe(function, recorded[name], options.bases)
        if found is None:
            print(f"{name}: no recorded call can be repeated", file=sys.stderr)
            continue
        joint, pairs, meta = found
        if joint == 2**len(DTYPES) - 1 and not pairs and not meta:
            continue
        rows.append((name, joint, meta, pairs))
    write(rows, options.output)
    print(f"{len(rows)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
