#!/usr/bin/env python3
"""Records what libtorch gives for operator calls, for `fxcpp ops --check`.

    pip install expecttest            # what torch's own operator database imports
    scripts/record_op_cases.py cases.jsonl.gz [--limit 12] [--only add,conv2d] [--samples 8]

Runs the samples of torch.testing's operator database on the CPU, forward and backward, plain and
with non-contiguous inputs, and writes every operator call that reaches the dispatcher, at most
--limit different ones per overload.  The format is that of corpus/README.md, "Operator cases".
"""

import argparse
import collections
import gzip
import json
import math
import random
import signal
import sys
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map


def encode_tensor(t):
    out = {"t": str(t.dtype)[6:], "shape": list(t.shape), "stride": list(t.stride())}
    if t.storage_offset():
        out["offset"] = t.storage_offset()
    return out


def encode(x):
    """An argument or result; TypeError for what the format does not have."""
    if isinstance(x, torch.Tensor):
        if x.layout != torch.strided or x.device.type != "cpu" or x.is_quantized:
            raise TypeError("a tensor of another kind")
        return encode_tensor(x)
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, int):
        if not -(2**63) <= x < 2**63:
            raise TypeError("an integer beyond 64 bits")
        return x
    if isinstance(x, float):
        return x if math.isfinite(x) else {"f": str(x)}
    if isinstance(x, complex):
        return {"complex": [x.real, x.imag]}
    if isinstance(x, (list, tuple)):
        return [encode(i) for i in x]
    for kind, cls in (("dtype", torch.dtype), ("layout", torch.layout),
                      ("memory_format", torch.memory_format)):
        if isinstance(x, cls):
            return {kind: str(x)[6:]}
    if isinstance(x, torch.device):
        return {"device": str(x)}
    raise TypeError(type(x).__name__)


def storage(t):
    return t.untyped_storage().data_ptr() if t.numel() else None


class Recorder(TorchDispatchMode):
    def __init__(self, limit, write):
        super().__init__()
        self.limit, self.write = limit, write
        self.seen = collections.defaultdict(set)
        self.source, self.variant = "", None

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        before = None
        name = str(func)
        if len(self.seen[name]) < self.limit:
            try:
                before = [encode(args), {k: encode(v) for k, v in kwargs.items()}]
            except TypeError:
                pass
        tensors = [t for t in tree_flatten((args, kwargs))[0] if isinstance(t, torch.Tensor)]
        pointers = [storage(t) for t in tensors]
        known = [p for p in pointers if p is not None]
        if len(set(known)) < len(known):
            before = None  # arguments that share memory: which one a result aliases is not told
        result = func(*args, **kwargs)
        if before is None:
            return result
        try:
            out = encode(result)
        except TypeError:
            return result
        key = json.dumps(before)
        if key in self.seen[name]:
            return result
        self.seen[name].add(key)
        flat = [t for t in tree_flatten(result)[0] if isinstance(t, torch.Tensor)]
        alias = [pointers.index(storage(t)) if t.numel() and storage(t) in pointers else None
                 for t in flat]
        case = {"op": name, "args": before[0], "kwargs": before[1], "out": out, "alias": alias,
                "meta": self.meta(func, before, args, kwargs, out), "from": self.source}
        if self.variant:
            case["variant"] = self.variant
        self.write(case)
        return result

    def meta(self, func, before, args, kwargs, out):
        def to_meta(x):
            if not isinstance(x, torch.Tensor):
                return torch.device("meta") if isinstance(x, torch.device) else x
            size = max([0] + [1 + sum((n - 1) * s for n, s in zip(x.shape, x.stride()))])
            base = torch.empty(size + x.storage_offset(), dtype=x.dtype, device="meta")
            return base.as_strided(x.shape, x.stride(), x.storage_offset())
        if func._schema.is_mutable:
            return "same"
        try:
            with torch.no_grad():
                result = func(*tree_map(to_meta, args), **tree_map(to_meta, kwargs))
            told = encode(tree_map(lambda t: torch.empty_strided(t.shape, t.stride(), dtype=t.dtype)
                                   if isinstance(t, torch.Tensor) else t, result))
            return "same" if without_offsets(told) == without_offsets(out) else told
        except Exception:  # any reason: the kernel has no answer
            return "error"


def without_offsets(x):
    if isinstance(x, list):
        return [without_offsets(i) for i in x]
    if isinstance(x, dict) and "t" in x:
        if 0 in x["shape"]:
            return (x["t"], tuple(x["shape"]))
        return (x["t"], tuple(x["shape"]),
                tuple(s for n, s in zip(x["shape"], x["stride"]) if n > 1))
    return x


def strided(x):
    """The same values in memory with gaps, from offset 1 on; 4-dimensional ones channels last."""
    if not isinstance(x, torch.Tensor) or x.layout != torch.strided:
        return x
    if x.dim() == 4:
        y = x.detach().to(memory_format=torch.channels_last)
    else:
        wide = torch.zeros([*x.shape[:-1], 2 * x.shape[-1] + 1] if x.dim() else [2], dtype=x.dtype)
        y = wide[..., 1::2] if x.dim() else wide[1]
        y.copy_(x.detach())
    return y.requires_grad_(x.requires_grad) if x.is_leaf else y


def differentiate(result):
    outputs = [t for t in tree_flatten(result)[0]
               if isinstance(t, torch.Tensor) and t.requires_grad and t.dtype.is_floating_point]
    if outputs:
        torch.autograd.backward(outputs, [torch.ones_like(t) for t in outputs])


class Late(Exception):
    pass


def late(*_):
    raise Late


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output")
    parser.add_argument("--limit", type=int, default=12)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    try:
        from torch.testing._internal.common_methods_invocations import op_db
    except ImportError as e:
        print(f"{e}; pip install expecttest", file=sys.stderr)
        return 77
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    signal.signal(signal.SIGALRM, late)
    opened = gzip.open(options.output, "wt") if options.output.endswith(".gz") \
        else open(options.output, "w")
    with opened as file:
        recorder = Recorder(options.limit, lambda case: file.write(json.dumps(case) + "\n"))
        for op in op_db:
            if options.only and op.name not in options.only.split(","):
                continue
            recorder.source = op.name
            for dtype in (torch.float32, torch.int64, torch.bool, torch.complex64):
                if dtype not in op.supported_dtypes("cpu"):
                    continue
                torch.manual_seed(0)
                random.seed(0)
                gradient = dtype == torch.float32 and op.supports_autograd
                signal.alarm(10)
                try:
                    samples = op.sample_inputs("cpu", dtype, requires_grad=gradient)
                    for i, s in zip(range(options.samples if gradient else 3), samples):
                        for variant in (None, "strided") if gradient else (None,):
                            change = strided if variant else lambda x: x
                            values = tree_map(change, (s.input, tuple(s.args), dict(s.kwargs)))
                            recorder.variant = variant
                            try:
                                with recorder:
                                    result = op(values[0], *values[1], **values[2])
                                    if gradient:
                                        differentiate(result)
                            except Late:
                                raise
                            except Exception:  # a sample that cannot run is no case
                                pass
                except (Late, Exception) as e:
                    print(f"{op.name} {dtype}: {type(e).__name__} {e}"[:120], file=sys.stderr)
                signal.alarm(0)
    print(f"{len(recorder.seen)} overloads, {sum(map(len, recorder.seen.values()))} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
