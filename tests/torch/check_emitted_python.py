#!/usr/bin/env python3
"""Runs the programs that `check_graphs passes --forms --python FILE` wrote, and compares
everything that a caller can observe of inputs, members and results: values, sizes, strides,
offsets and sharing of memory.

    check_emitted_python.py FILE [--trace N]

arguments() must return the inputs of each program, given their values in row-major order. Every N-th program (default 5; 0: none) is also traced. The traced module must return equal values;
trace() may raise NotImplementedError. Exit status: 0 if equal, 1 if different, 77 without torch.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import math
import re
import sys
import warnings
from collections import Counter
from types import CodeType
from typing import Any, Optional
from unittest import mock

try:
    import torch
except ImportError:
    print("torch is missing")
    sys.exit(77)

State = Optional[dict[str, Any]]


def storages_of(states: list[State]) -> list[torch.Tensor]:
    """Returns a tensor of bytes for each storage number."""
    sizes: dict[int, int] = {}
    for state in states:
        if state is not None:
            sizes[state["storage"]] = state["nbytes"]
    return [torch.zeros(sizes[i], dtype=torch.uint8) for i in range(len(sizes))]


def values_of(state: dict[str, Any]) -> torch.Tensor:
    """Returns the values of a tensor in row-major order."""
    dtype = getattr(torch, state["dtype"].removeprefix("torch."))
    count = math.prod(state["sizes"])
    if count == 0:
        return torch.empty(state["sizes"], dtype=dtype)
    return torch.frombuffer(bytearray.fromhex(state["data"]), dtype=dtype).reshape(state["sizes"])


def make(states: list[State]) -> list[Optional[torch.Tensor]]:
    """Returns tensors with the states, including the memory that they share."""
    storages = storages_of(states)
    tensors: list[Optional[torch.Tensor]] = []
    for state in states:
        if state is None:
            tensors.append(None)
            continue
        values = values_of(state)
        tensor = torch.empty(0, dtype=values.dtype)
        tensor.set_(storages[state["storage"]].untyped_storage(), state["offset"], state["sizes"],
                    state["strides"])  # fmt: skip
        to = tensor
        for dim, stride in enumerate(state["strides"]):
            if stride == 0 and state["sizes"][dim] > 1:  # all indices refer to one element
                to, values = to.narrow(dim, 0, 1), values.narrow(dim, 0, 1)
        to.copy_(values)
        tensors.append(tensor)
    return tensors


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def difference(tensors: list[Any], states: list[State]) -> str:
    """Returns the first difference that a caller can observe; "" if none exists."""
    if len(tensors) != len(states):
        return f"{len(tensors)} tensors, {len(states)} expected"
    number_of: dict[int, int] = {}
    for i, (tensor, state) in enumerate(zip(tensors, states)):
        if not isinstance(tensor, torch.Tensor):
            if state is None:
                continue
            return f"value {i} is {tensor!r}"
        if state is None:
            return f"value {i} is a tensor"
        like = values_of(state)
        if tensor.dtype != like.dtype:
            return f"value {i}: {tensor.dtype}, {like.dtype} expected"
        for what, is_now, was in (("sizes", list(tensor.shape), state["sizes"]),
                                  ("strides", list(tensor.stride()), state["strides"]),
                                  ("offset", tensor.storage_offset(), state["offset"])):  # fmt: skip
            if is_now != was:
                return f"value {i}: {what} {is_now}, {was} expected"
        number = number_of.setdefault(tensor.untyped_storage()._cdata, len(number_of))
        if number != state["storage"]:
            return f"value {i} is in storage {number}, {state['storage']} expected"
        same = (tensor == like) | ((tensor != tensor) & (like != like))
        if not bool(same.all()):
            return f"value {i} differs by {(tensor.double() - like.double()).abs().max().item()}"
    return ""


def bytes_of(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.clone(memory_format=torch.contiguous_format).reshape(-1).view(torch.uint8)


def arguments_difference(record: dict[str, Any], namespace: dict[str, Any]) -> str:
    """Returns the first difference between the inputs and those that arguments() creates from their values;
    "" if none exists. Types of inputs may be unknown; others determine strides, offsets and shared memory."""
    states = record["before"][: record["num_inputs"]]
    kinds = namespace["INPUTS"]
    if len(kinds) != len(states) or None in states:  # keyword-only parameters, undefined tensors
        return ""
    values = dict(zip(kinds, map(values_of, states)))
    if any(kinds[name] is None for group in namespace["SHARED"] for name in group):
        return ""  # arguments() raises an error
    created = dict(zip(kinds, namespace["arguments"](values)))
    for (name, kind), state in zip(kinds.items(), states):
        tensor = created[name]
        if kind is not None and [list(tensor.stride()), tensor.storage_offset()] != [state["strides"], state["offset"]]:
            return f"{name}: strides {tensor.stride()}, offset {tensor.storage_offset()}"
        if [list(tensor.shape), tensor.dtype] != [state["sizes"], values[name].dtype]:
            return f"{name}: {tensor.dtype}{list(tensor.shape)}"
        if not torch.equal(*map(bytes_of, (tensor, values[name]))):
            return f"{name} is {tensor}, {values[name]} expected"
    numbers = {name: state["storage"] for name, state in zip(kinds, states)}
    for group in namespace["SHARED"]:
        if len({numbers[name] for name in group}) > 1:
            return f"{group} do not share memory"
        if len({created[name].untyped_storage()._cdata for name in group}) > 1:
            return f"{group} were created in separate memory"
    return ""


@functools.cache
def code_of(text: str) -> CodeType:
    """Returns the code of a part of a module. Most parts are the same in all programs."""
    return compile(text, "program", "exec")


def execute(source: str) -> dict[str, Any]:
    """Returns the names that the module defines. Parts of a module are separated by two blank lines; each
    distinct part is compiled once."""
    namespace: dict[str, Any] = {"__name__": "program"}
    for part in re.split(r"\n\n\n(?=\S)", source):
        # The code of a graph differs between programs, so it is not kept.
        code = code_of.__wrapped__(part) if "def forward(self" in part else code_of(part)
        exec(code, namespace)
    return namespace


def call_graphs(operator: Any, *args: Any, **kwargs: Any) -> Any:
    """Runs a higher-order operator like a Python function that calls its graphs."""
    return operator.py_kernels[torch._C.DispatchKey.CompositeExplicitAutograd](*args, **kwargs)


def plain_calls() -> Any:
    """Returns a context in which higher-order operators run their graphs in the dispatch mode of the caller.
    Otherwise, torch runs the graphs of some operators below autograd, where operators that consist of other
    operators copy conjugated and negative views (docs/aliasing.md)."""
    return mock.patch.object(torch._ops.HigherOrderOperator, "__call__", call_graphs)


def run(record: dict[str, Any], namespace: dict[str, Any], traced: bool, context: Any) -> str:
    """Runs the program in the context and returns its error; "" if there is none."""
    values = make(record["before"])
    inputs, members = values[: record["num_inputs"]], values[record["num_inputs"] :]
    members_by_path = dict(zip(record["members"], members))
    if traced:
        try:
            module = namespace["trace"](members_by_path)
        except NotImplementedError:
            return "rejected"
    else:
        module = namespace["load"](members_by_path)
    # torch.manual_seed also records a call for each kind of accelerator, with the call stack.
    torch.default_generator.manual_seed(record["seed"])
    with torch.no_grad(), context:
        try:
            result = module(*inputs)
        except NotImplementedError as error:
            # torch's higher-order operators do not support conjugated and negative views.
            keys = ("DispatchKey.Conjugate", "DispatchKey.Negative")
            if "HigherOrderOperator" in str(error) and any(key in str(error) for key in keys):
                return "rejected"
            # torch's scan stacks its results with scatter, which does not support complex32.
            if "scatter_gather_tensor_cpu" in str(error) and "higher_order.scan" in record["source"]:
                return "rejected"
            raise
    return difference([*values, *leaves(result)], record["after"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--trace", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    with open(options.file, encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            record = json.loads(line)
            namespace: dict[str, Any] = {}
            for traced in (False, True):
                if traced and (options.trace == 0 or number % options.trace != 0):
                    continue
                form = "traced" if traced else "loaded"
                try:
                    if not traced:
                        namespace = execute(record["source"])
                        if wrong := arguments_difference(record, namespace):
                            raise ValueError(f"arguments(): {wrong}")
                    wrong = run(record, namespace, traced, contextlib.nullcontext())
                    if wrong not in ("", "rejected") and "higher_order." in record["source"]:
                        wrong = run(record, namespace, traced, plain_calls())
                        counts[form + ", with plain calls"] += not wrong
                except Exception as error:  # an exception in the program is a finding
                    wrong = f"{type(error).__name__}: {error}"
                if wrong == "rejected":
                    counts[form + ", rejected"] += 1
                    continue
                counts[form] += 1
                if wrong:
                    counts["findings"] += 1
                    text = record["source"].split("def forward")[1].split("GRAPHS =")[0]
                    print(f"---- {record['name']}, {form}: {wrong}\ndef forward{text}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if counts["findings"] or not counts["loaded"] else 0


if __name__ == "__main__":
    sys.exit(main())
