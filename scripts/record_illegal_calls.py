#!/usr/bin/env python3
"""Derives illegal operator calls from recorded legal ones, for `fxcpp ops --check`.

    scripts/record_op_cases.py legal.jsonl.gz
    scripts/record_illegal_calls.py legal.jsonl.gz illegal.jsonl.gz [--limit 100] [--seed 0] [--bases 6]
                                    [--only aten.add.Tensor] [--timeout 3] [--memory 2]
                                    [--shard K/N]
    scripts/record_illegal_calls.py --sample 600 illegal.jsonl.gz sample.jsonl

Each derived call differs from a recorded call in one property:

    dtype    a tensor has a different dtype
    index    an index, mask or condition has a different dtype
    cast     a tensor that the call writes to (in place, or as out=) has a different dtype
    rank     a tensor has a different number of dimensions
    size     a dimension of a tensor has a different size
    dim      an argument that names a dimension is different, out of range or repeated
    list     a list has a different length
    hyper    an integer or float has a different value, such as zero or a negative one
    string   a string is replaced with a different word, or is empty
    device   a tensor is on the meta device, and the other tensors are not

Every call runs in eager mode in a child process, with limits on memory (GiB) and time (seconds).
A call counts as rejected only if eager mode rejects it for several sets of tensor values, and the
message does not mention a value; "rejected": "values" marks the other rejections, which are not counted.
Calls that crash or exceed a limit are listed on stderr and are not written. An accepted call runs a
second time on tensors that end at an unmapped guard page, so that kernels that read past their end crash.

Each line has the keys that record_op_cases.py writes, and
    "mutation"   the kind of change
    "rejected"   the first line of eager mode's message, or "values"; absent if it accepts the call
    "message"    that line if "rejected" is "values"

--sample writes some calls from such a file without results: rejected and accepted calls, alternating
overloads and kinds of change. tests/filecheck/shape/inputs/derived_calls.jsonl is such a sample.
"""

import argparse
import collections
import json
import random
import re
import sys
import warnings

import torch

from op_calls import BY_VALUE, FILLINGS, decode, find, guarded, is_tensor, opened, run_calls
from record_op_cases import encode

DTYPES = ("float32", "float64", "int64", "int32", "uint8", "bool", "complex64", "bfloat16",
          "float16")
INDEX_NAMES = re.compile(r"ind(ex|ices)|mask|condition|target|offsets|batch_sizes|lengths|sorter")
DIM_NAMES = re.compile(r"^(dim\d?|dims|axis\d?|start_dim|end_dim|\w*_dims?\d?|source|destination|"
                       r"dims_self|dims_other|axes)$")


# ---------------------------------------------------------------- the changes

def contiguous(shape):
    stride, step = [], 1
    for n in reversed(shape):
        stride.insert(0, step)
        step *= max(n, 1)
    return stride


def reshaped(t, shape):
    """The same tensor with different sizes; dense, with the same order of dimensions."""
    out = {"t": t["t"], "shape": shape, "stride": contiguous(shape)}
    return out


def tensor_changes(t, name, is_written):
    """(kind, changed tensor) for each change of one tensor."""
    for dtype in DTYPES:
        if dtype == t["t"]:
            continue
        kind = "cast" if is_written else "index" if t["t"] in ("int64", "int32", "bool") and \
            INDEX_NAMES.search(name) else "dtype"
        yield kind, {**t, "t": dtype}
    shape = t["shape"]
    yield "rank", reshaped(t, [1, *shape])
    yield "rank", reshaped(t, [2, *shape])
    yield "rank", reshaped(t, [*shape, 1])
    if shape:
        yield "rank", reshaped(t, shape[1:])
        yield "rank", reshaped(t, shape[:-1])
        yield "rank", reshaped(t, [])
    for d in range(len(shape)):
        for n in (shape[d] + 1, shape[d] + 3, 1, 0, shape[d] * 2):
            if n != shape[d]:
                yield "size", reshaped(t, [*shape[:d], n, *shape[d + 1:]])


def number_changes(x, name):
    if isinstance(x, bool):
        return
    if isinstance(x, int):
        if DIM_NAMES.match(name):
            for n in (7, 5, -8, -6, x + 1, x - 1):
                yield "dim", n
        else:
            for n in (0, -1, -3, x + 1, x + 5, 2 * x + 3, -x):
                if n != x:
                    yield "hyper", n
    elif isinstance(x, float):
        for n in (0.0, -1.0, -0.5, 2.5, -x):
            if n != x:
                yield "hyper", n


def changes(value, name, is_written, limit=6):
    """(kind, changed value) for each change of an argument; the name in the schema determines its meaning."""
    if is_tensor(value):
        yield from tensor_changes(value, name, is_written)
    elif isinstance(value, str):
        yield "string", "bogus"
        yield "string", ""
    elif isinstance(value, list):
        is_dim = DIM_NAMES.match(name)
        if value:
            yield "list", value[:-1]
            yield "list", value + [value[-1]]
            yield "list", value + [value[-1], value[-1]]
            if is_dim and len(value) > 1:
                yield "dim", [value[0]] * len(value)
            elif is_dim:
                yield "dim", value * 2
        yield "list", []
        for i, item in list(enumerate(value))[:limit]:
            for kind, other in changes(item, name, is_written):
                yield kind, [*value[:i], other, *value[i + 1:]]
    else:
        yield from number_changes(value, name)


def has_other_device(x, meta):
    if is_tensor(x):
        return x.get("device") != "meta" if meta else x.get("device") == "meta"
    return isinstance(x, list) and any(has_other_device(i, meta) for i in x)


def to_meta(x):
    """(value with one tensor on meta) for each tensor."""
    if is_tensor(x):
        yield {**x, "device": "meta"}
    elif isinstance(x, list):
        for i, item in enumerate(x):
            for other in to_meta(item):
                yield [*x[:i], other, *x[i + 1:]]


def derived(case, schema):
    """(kind, args, kwargs) for every change of a recorded call."""
    args, kwargs = case["args"], case["kwargs"]
    formals = {a.name: a for a in schema.arguments}
    keys = [(i, schema.arguments[i]) for i in range(min(len(args), len(schema.arguments)))]
    keys += [(key, formals[key]) for key in kwargs if key in formals]

    def replaced(key, value):
        if isinstance(key, int):
            return [*args[:key], value, *args[key + 1:]], kwargs
        return args, {**kwargs, key: value}

    for key, formal in keys:
        value = args[key] if isinstance(key, int) else kwargs[key]
        is_written = formal.alias_info is not None and formal.alias_info.is_write
        for kind, other in changes(value, formal.name, is_written):
            yield (kind, *replaced(key, other))
        for other in to_meta(value):
            changed = replaced(key, other)
            everything = [*changed[0], *changed[1].values()]
            if has_other_device(everything, True):
                yield ("device", *changed)


def selected(cases, schema, limit, rng):
    """At most `limit` derived calls to an overload, alternating the kinds of change."""
    by_kind = collections.defaultdict(list)
    seen = set()
    for number, case in enumerate(cases):
        for kind, args, kwargs in derived(case, schema):
            key = json.dumps([args, kwargs])
            if key not in seen:
                seen.add(key)
                by_kind[kind].append((number, args, kwargs))
    for calls in by_kind.values():
        rng.shuffle(calls)
    out = []
    while len(out) < limit and any(by_kind.values()):
        for kind, calls in by_kind.items():
            if calls and len(out) < limit:
                out.append((kind, *calls.pop()))
    return out


# ---------------------------------------------------------------- running them

def encode_result(x):
    if isinstance(x, torch.Tensor) and x.device.type == "meta":
        return {**encode(torch.empty_strided(x.shape, x.stride(), dtype=x.dtype)), "device": "meta"}
    if isinstance(x, (list, tuple)):
        return [encode_result(i) for i in x]
    return encode(x)


def run_again(function, args, kwargs, filling, tensor):
    """Calls a function on tensors that cannot be resized. A call that ends the process counts as a crash."""
    try:
        with torch.no_grad():
            function(*decode(args, filling, tensor),
                     **{k: decode(v, filling, tensor) for k, v in kwargs.items()})
    except Exception:  # the operator may raise any exception
        pass


def attempt(function, args, kwargs, again=guarded):
    """(result, None), or (None, eager mode's message, whether it depends on values)."""
    messages = []
    for filling in range(FILLINGS):
        torch.manual_seed(0)
        try:
            values = decode(args, filling), {k: decode(v, filling) for k, v in kwargs.items()}
        except Exception:  # a tensor cannot be created
            return None
        try:
            with torch.no_grad():
                result = function(*values[0], **values[1])
                out = encode_result(result)
            if again:
                run_again(function, args, kwargs, filling, again)
            return {"out": out}
        except Exception as e:  # the operator may raise any exception
            text = str(e).split("\n")[0][:160] or type(e).__name__
            messages.append(text)
    for message in messages:
        if BY_VALUE.search(message):
            return {"rejected": "values", "message": message}
    return {"rejected": messages[0]}


def write_sample(source, output, count, seed):
    """At most `count` calls, one per overload, kind and outcome, in random order."""
    chosen = {}
    rng = random.Random(seed)
    with opened(source, "r") as file:
        lines = [json.loads(line) for line in file]
    rng.shuffle(lines)
    for case in lines:
        if case.get("rejected") != "values" and len(json.dumps(case)) < 600:
            chosen.setdefault((case["op"], "rejected" in case), case)
    cases = sorted(list(chosen.values())[:count], key=lambda c: (c["op"], c["mutation"]))
    with open(output, "w") as file:
        for case in cases:
            kept = {k: case[k] for k in ("op", "args", "kwargs", "mutation")}
            kept.update({"rejected": case["rejected"]} if "rejected" in case else {"out": None})
            file.write(json.dumps(kept) + "\n")
    print(f"{len(cases)} calls of {len({c['op'] for c in cases})} overloads")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("legal")
    parser.add_argument("output")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--bases", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="0/1", help="K/N: every N-th overload, starting with K")
    parser.add_argument("--timeout", type=float, default=3)
    parser.add_argument("--memory", type=float, default=2)
    parser.add_argument("--sample", type=int, default=0, help="the number of calls to take from a recording")
    options = parser.parse_args()
    if options.sample:
        write_sample(options.legal, options.output, options.sample, options.seed)
        return 0
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.add(torch.ones(2, device="meta"), 1)  # imports modules here, outside the children's time limit
    recorded = collections.defaultdict(list)
    with opened(options.legal, "r") as file:
        for line in file:
            case = json.loads(line)
            if "op" in case and (not options.only or case["op"] in options.only.split(",")):
                recorded[case["op"]].append(case)
    counts, overloads, total = collections.Counter(), 0, 0
    with opened(options.output, "w") as file:
        names = sorted(recorded)
        random.Random(options.seed).shuffle(names)  # so that a partial output is a fair sample
        shard, shards = map(int, options.shard.split("/"))
        names = names[shard::shards]
        for name in names:
            rng = random.Random(f"{options.seed} {name}")
            try:
                function = find(name)
            except AttributeError:
                continue
            cases = recorded[name]
            rng.shuffle(cases)
            # Use only calls that eager mode accepts with these tensor values: other rejections are not
            # conclusive.
            bases = []
            outcomes = run_calls(function, [(c["args"], c["kwargs"]) for c in cases[:24]],
                                 options.timeout, options.memory, attempt)
            for case, outcome in zip(cases, outcomes):
                if outcome and "out" in outcome:
                    bases.append(case)
                if len(bases) == options.bases:
                    break
            calls = selected(bases, function._schema, options.limit, rng)
            outcomes = run_calls(function, [c[2:] for c in calls], options.timeout, options.memory, attempt)
            written = 0
            for (kind, base, args, kwargs), outcome in zip(calls, outcomes):
                if outcome is None:
                    counts["crashed"] += 1
                    print(f"{name} {kind}: crashed or exceeded a limit: "
                          f"{json.dumps([args, kwargs])}", file=sys.stderr)
                    continue
                if not outcome:
                    counts["no result to write"] += 1
                    continue
                case = {"op": name, "args": args, "kwargs": kwargs, "mutation": kind,
                        "from": bases[base].get("from", ""), **outcome}
                file.write(json.dumps(case) + "\n")
                written += 1
                counts["accepted" if "out" in outcome else "rejected because of values"
                       if outcome["rejected"] == "values" else "rejected"] += 1
            overloads += written > 0
            total += written
    print(f"{overloads} overloads, {total} calls: " +
          ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
