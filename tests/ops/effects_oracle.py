"""Runs PyTorch's operators on PyTorch's sample inputs, and compares their effects with fxcpp's
table.

    effects_oracle.py TABLE

TABLE has a line for each operator with fields separated by tabs: name (`aten::add.Tensor`), effects
joined with `, `, written arguments joined with `,` (or `?`: any), aliases `output:argument:kind`
joined with `,` (or `?`: any). A write, a random number or shared memory that the table does not
allow is an error, and so is a view that does not share memory. Exit status: 0 on success, 1 on
errors, 77 without PyTorch 2.13.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from operator_database import operator_database  # noqa: E402

MAX_SAMPLES = 4


@dataclass
class Row:
    effects: set[str]
    written: set[str]
    aliases: dict[tuple[str, str], str]  # (output, argument) -> kind
    any_alias: bool


@dataclass
class Result:
    errors: Counter = field(default_factory=Counter)
    operators: set[str] = field(default_factory=set)


def read_table(path: str) -> dict[str, Row]:
    table = {}
    with open(path) as lines:
        for line in lines:
            name, effects, written, aliases = line.rstrip("\n").split("\t")
            pairs = [item.split(":") for item in aliases.split(",") if ":" in item]
            table[name] = Row(
                effects=set(effects.split(", ")),
                written=set(written.split(",")),
                aliases={(output, argument): kind for output, argument, kind in pairs},
                any_alias=aliases == "?",
            )
    return table


def import_torch():
    try:
        import torch
    except ImportError:
        return None
    if not torch.__version__.startswith("2.13."):
        return None
    return torch


torch = import_torch()


def storage_key(tensor) -> int | None:
    """Returns the address of the tensor's memory, or None if it has no memory."""
    try:
        if tensor.layout != torch.strided or tensor.untyped_storage().nbytes() == 0:
            return None
        return tensor.untyped_storage().data_ptr()
    except (RuntimeError, NotImplementedError):
        return None


def snapshot(tensor):
    """Returns the state that a call must not change unless its row has a write."""
    try:
        storage = tensor.untyped_storage()
        content = torch.empty(0, dtype=torch.uint8).set_(storage).clone()
    except (RuntimeError, NotImplementedError):
        return None
    strides = tensor.stride() if tensor.layout == torch.strided else None
    return content, tuple(tensor.shape), strides, tensor.storage_offset(), storage.data_ptr()


def unchanged(before, after) -> bool:
    if before is None or after is None:
        return True
    return before[1:] == after[1:] and torch.equal(before[0], after[0])


class Watcher:
    """Calls operators, and records violations of the table."""

    def __init__(self, table: dict[str, Row], result: Result):
        self.table = table
        self.result = result

    def call(self, function, args, kwargs):
        row = self.table.get(function.name())
        if row is None:
            return function(*args, **kwargs)
        self.result.operators.add(function.name())
        inputs = self.inputs(function._schema, args, kwargs)
        before = [(name, tensor, snapshot(tensor), storage_key(tensor)) for name, tensor in inputs]
        generator = torch.get_rng_state()
        output = function(*args, **kwargs)
        if not torch.equal(generator, torch.get_rng_state()) and not row.effects & {"random", "all"}:
            self.error(function, "draws random numbers")
        self.check_writes(function, row, before)
        if not row.any_alias:
            # Read addresses after the call, since a write may give a tensor new memory.
            after = [(name, tensor, None, storage_key(tensor)) for name, tensor in inputs]
            self.check_aliases(function, row, after, output)
        return output

    def error(self, function, text: str) -> None:
        self.result.errors[f"{function.name()} {text}"] += 1

    @staticmethod
    def inputs(schema, args, kwargs) -> list[tuple[str, Any]]:
        found = []
        for i, argument in enumerate(schema.arguments):
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            leaves = torch.utils._pytree.tree_leaves(value)
            found += [(argument.name, leaf) for leaf in leaves if isinstance(leaf, torch.Tensor)]
        return found

    def check_writes(self, function, row: Row, before) -> None:
        if "?" in row.written:
            return
        # If a tensor is passed twice, a write to it counts for both arguments.
        shared = {key for name, _, _, key in before if name in row.written}
        for name, tensor, old, key in before:
            if name in row.written or (key is not None and key in shared):
                continue
            if not unchanged(old, snapshot(tensor)):
                self.error(function, f"writes to {name}")

    def check_aliases(self, function, row: Row, inputs, output) -> None:
        outputs = output if isinstance(output, (tuple, list)) else [output]
        is_list = len(function._schema.returns) == 1 and isinstance(output, (tuple, list))
        written = {key for name, _, _, key in inputs if name in row.written}
        for i, value in enumerate(outputs):
            position = "0" if is_list else str(i)
            for leaf in torch.utils._pytree.tree_leaves(value):
                if isinstance(leaf, torch.Tensor):
                    self.check_output(function, row, inputs, position, leaf, written)

    def check_output(self, function, row: Row, inputs, position: str, result, written) -> None:
        key = storage_key(result)
        if key is None:
            return
        sharing = {name for name, _, _, other in inputs if other == key}
        for name in sharing:
            if (position, name) not in row.aliases and key not in written:
                self.error(function, f"result {position} shares memory with {name}")
        for (output, name), kind in row.aliases.items():
            if output != position or kind == "maybe":
                continue
            passed = [tensor for argument, tensor, _, _ in inputs if argument == name]
            strided = [tensor for tensor in passed if storage_key(tensor) is not None]
            if strided and len(strided) == len(passed) and name not in sharing:
                self.error(function, f"result {position} does not share memory with {name}")
            if kind == "same" and strided and all(tensor is not result for tensor in passed):
                self.error(function, f"result {position} is not {name}")


def make_mode(watcher: Watcher):
    from torch.utils._python_dispatch import TorchDispatchMode

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return watcher.call(func, args, kwargs or {})

    return Mode()


def run_sample(op, sample, watcher: Watcher) -> None:
    for variant in (op.op, op.method_variant, op.inplace_variant):
        if not variant:
            continue
        copy = torch.utils._pytree.tree_map(
            lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf,
            (sample.input, sample.args, sample.kwargs),
        )
        try:
            # Outside autograd, composite operators are recorded as single calls.
            with torch.inference_mode(), make_mode(watcher):
                variant(copy[0], *copy[1], **copy[2])
        except Exception:  # noqa: BLE001 (some variants reject some samples)
            continue


def run_op(op, watcher: Watcher) -> None:
    for dtype in (torch.float32, torch.int64, torch.complex64):
        if dtype not in op.dtypes:
            continue
        try:
            samples = list(op.sample_inputs("cpu", dtype))
        except Exception:  # noqa: BLE001
            continue
        step = max(1, len(samples) // MAX_SAMPLES)
        for sample in samples[::step][:MAX_SAMPLES]:
            run_sample(op, sample, watcher)


def run_batch_norms(watcher: Watcher) -> None:
    """Runs batch norms in both modes, since the samples contain few calls in training mode."""
    for training in (False, True):
        x, weight, bias = torch.randn(4, 3, 5), torch.ones(3), torch.zeros(3)
        mean, var = torch.zeros(3), torch.ones(3)
        with torch.inference_mode(), make_mode(watcher):
            torch.ops.aten.batch_norm(x, weight, bias, mean, var, training, 0.1, 1e-5, False)
            torch.ops.aten.native_batch_norm(x, weight, bias, mean, var, training, 0.1, 1e-5)
            torch.ops.aten._batch_norm_impl_index(
                x, weight, bias, mean, var, training, 0.1, 1e-5, False
            )
            torch.ops.aten._native_batch_norm_legit(x, weight, bias, mean, var, training, 0.1, 1e-5)
            torch.ops.aten.instance_norm(x, weight, bias, mean, var, training, 0.1, 1e-5, False)


def run_views(watcher: Watcher) -> None:
    """Runs operators that share memory although their schemas do not declare it, and that do not
    occur in the samples."""
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    with torch.inference_mode(), make_mode(watcher):
        aten = torch.ops.aten
        aten.lift(x)
        aten.type_as(x, y)
        aten.sum_to_size(x, [3, 4])
        aten._to_cpu([x])
        aten._reshape_from_tensor(x, torch.tensor([4, 3]))
        aten._cast_Float(x)
        aten.to_dense(x)
        aten.cartesian_prod([x[0]])
        aten.einsum("ij->ji", [x])
        aten.dequantize(x)
        aten.slice_inverse(x, y)
        aten.flatten_dense_tensors([x])
        aten.unflatten_dense_tensors(x.reshape(-1), [y])
        aten.unsafe_split_with_sizes(x, [3])
        aten.set.source_Tensor(x, y)
        aten._unsafe_view(x, [12])
        aten.reshape(x.t(), [12])
        aten.data(x)


def main() -> int:
    if torch is None:
        print("not run: PyTorch 2.13 is required", file=sys.stderr)
        return 77
    warnings.filterwarnings("ignore")
    os.environ.setdefault("PYTORCH_DISABLE_WARNINGS", "1")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    result = Result()
    watcher = Watcher(read_table(sys.argv[1]), result)
    for op in operator_database().op_db:
        run_op(op, watcher)
    run_batch_norms(watcher)
    run_views(watcher)
    for text, count in sorted(result.errors.items()):
        print(f"{text} ({count} times)")
    print(f"{len(result.operators)} operators ran, {len(result.errors)} errors")
    return 1 if result.errors or len(result.operators) < 700 else 0


if __name__ == "__main__":
    sys.exit(main())
