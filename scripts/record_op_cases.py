#!/usr/bin/env python3
"""Records libtorch's results for operator calls, for `fxcpp ops --check`.

    scripts/record_op_cases.py cases.jsonl.gz [--limit 12] [--only add,conv2d] [--samples 8]
                               [--reference] [--mixed] [--composite] [--functional] [--seed 0]
                               [--dtypes float16,bool] [--shard K/N]

Runs the samples of torch.testing's operator database on the CPU, forward and backward, plain and with
non-contiguous inputs, in place and with out=, and writes every operator call that reaches the
dispatcher, at most --limit different calls per overload; composite operators are called through their
overloads. --reference uses the larger set of samples that PyTorch compares with other implementations
(empty and broadcast tensors, unusual strides and arguments); with --mixed, each tensor of a call has a
different layout: plain, with gaps, permuted or expanded. --composite records only calls of composite
operators (max_pool2d, cross_entropy_loss, ...), before the dispatcher decomposes them. --functional also
records operators that only functionalization calls (copy, normal_functional, ...). corpus/README.md, "Operator
cases", describes the format.
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
from operator_database import operator_database
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.schema_check_mode import SchemaCheckMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map


def encode_tensor(t):
    out = {"t": str(t.dtype)[6:], "shape": list(t.shape), "stride": list(t.stride())}
    if t.storage_offset():
        out["offset"] = t.storage_offset()
    return out


def encode(x):
    """An argument or result; TypeError for a value that the format cannot express."""
    if isinstance(x, torch.Tensor):
        if x.layout != torch.strided or x.device.type != "cpu" or x.is_quantized:
            raise TypeError("an unsupported kind of tensor")
        return encode_tensor(x)
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, int):
        if not -(2**63) <= x < 2**63:
            raise TypeError("an integer that does not fit in 64 bits")
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
        return self.record(func, args, kwargs or {})

    def record(self, func, args, kwargs):
        """Calls an overload and records its result."""
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
            before = None  # arguments share memory: the alias of a result is ambiguous
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
        # The call allocates new memory for an out= tensor of a different size.
        pointers = [storage(t) for t in tensors]
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
        except Exception:  # the meta kernel may raise any exception
            return "error"


class CompositeRecorder(SchemaCheckMode):
    """Records calls of composite operators. The dispatcher passes them only to modes for the key
    PreDispatch, which must be subclasses of one of PyTorch's own such modes."""
    meta, record = Recorder.meta, Recorder.record

    def __init__(self, limit, write):
        # Not SchemaCheckMode's: it does not set the key.
        TorchDispatchMode.__init__(self, _dispatch_key=torch._C.DispatchKey.PreDispatch)
        self.limit, self.write = limit, write
        self.seen = collections.defaultdict(set)
        self.source, self.variant = "", None

    def __enter__(self):
        self.dispatcher = enable_python_dispatcher()
        self.dispatcher.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.dispatcher.__exit__(*error)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func.has_kernel_for_dispatch_key(torch._C.DispatchKey.CompositeImplicitAutograd):
            return self.record(func, args, kwargs or {})
        return func(*args, **(kwargs or {}))


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
    """The same values in memory with gaps, at offset 1; 4-dimensional tensors are channels last."""
    if not isinstance(x, torch.Tensor) or x.layout != torch.strided:
        return x
    if x.dim() == 4:
        y = x.detach().to(memory_format=torch.channels_last)
    else:
        wide = torch.zeros([*x.shape[:-1], 2 * x.shape[-1] + 1] if x.dim() else [2], dtype=x.dtype)
        y = wide[..., 1::2] if x.dim() else wide[1]
        y.copy_(x.detach())
    return y.requires_grad_(x.requires_grad) if x.is_leaf else y


def mixed(x):
    """The same tensor in one of four layouts; an expanded tensor has different values."""
    if not isinstance(x, torch.Tensor) or x.layout != torch.strided or not x.dim() or not x.is_leaf:
        return x
    layout = random.choice(("plain", "gaps", "permuted", "expanded"))
    if layout == "plain":
        return x
    if layout == "gaps":
        return strided(x)
    y = x.detach()
    if layout == "permuted":
        order = random.sample(range(x.dim()), x.dim())
        y = y.permute(order).contiguous().permute([order.index(d) for d in range(x.dim())])
    elif x.numel():
        y = y.narrow(random.randrange(x.dim()), 0, 1).expand(x.shape)
    return y.requires_grad_(x.requires_grad)


VARIANTS = {None: lambda x: x, "strided": strided, "mixed": mixed}


def differentiate(result):
    outputs = [t for t in tree_flatten(result)[0]
               if isinstance(t, torch.Tensor) and t.requires_grad and t.dtype.is_floating_point]
    if outputs:
        torch.autograd.backward(outputs, [torch.ones_like(t) for t in outputs])


class Late(Exception):
    pass


def late(*_):
    raise Late


def overload_of(op, args, kwargs):
    """The overload that such a call selects in the ATen operator of the same name, or None."""
    name = (op.aten_name or op.name).split(".")[-1]
    packet = getattr(torch.ops.aten, name, None)
    if packet is None:
        return None
    try:
        overload = torch._C._jit_resolve_packet(f"aten::{name}", *args, **kwargs)
    except RuntimeError:
        return None
    found = getattr(packet, overload or "default")
    # If Python converts a tensor to a number, the call is not a direct call to the overload.
    for given, formal in zip(args, found._schema.arguments):
        if isinstance(given, torch.Tensor) and "Tensor" not in str(formal.type):
            return None
    return found


def detached(x):
    return x.detach() if isinstance(x, torch.Tensor) else x


def fresh(x):
    """A copy that does not require grad, with the same layout unless memory overlaps."""
    return x.detach().clone() if isinstance(x, torch.Tensor) else x


def ignored(call):
    """Calls an operator; skips samples that the operator or its variant does not accept."""
    try:
        return call()
    except Late:
        raise
    except Exception:  # the operator may raise any exception
        return None


def record_sample(recorder, op, sample, variant, gradient):
    """Runs the call and its backward pass; then the composed, in-place and out= variants."""
    recorder.variant = variant
    values = tree_map(VARIANTS[variant], (sample.input, tuple(sample.args), dict(sample.kwargs)))
    args, kwargs = (values[0], *values[1]), values[2]

    def plain():
        with recorder:
            result = op(*args, **kwargs)
            if gradient:
                differentiate(result)
            return result

    result = ignored(plain)
    args, kwargs = tree_map(detached, (args, kwargs))
    with torch.no_grad():
        if (overload := overload_of(op, args, kwargs)) is not None:
            ignored(lambda: recorder.record(overload, args, kwargs))
        if (in_place := op.inplace_variant) is not None:
            def write():
                with recorder:
                    in_place(*tree_map(fresh, args), **kwargs)
            ignored(write)
        if op.supports_out and result is not None:
            def into():
                out = tree_map(lambda t: torch.empty_like(t) if isinstance(t, torch.Tensor) else t,
                               result)
                with recorder:
                    op(*args, **kwargs, out=out)
            ignored(into)


def record_foreach(recorder, op, dtype):
    """Operators on lists of tensors, and their in-place forms."""
    for _, sample in zip(range(4), op.sample_inputs("cpu", dtype, noncontiguous=False)):
        args = (sample.input, *sample.args)
        kwargs = {k: v for k, v in sample.kwargs.items() if k in ("alpha", "value", "ord")}
        for function in (op.method_variant, op.inplace_variant):
            if function is None:
                continue

            def call(function=function):
                with recorder, torch.no_grad():
                    function(*tree_map(fresh, args), **kwargs)
            ignored(call)


FUNCTIONAL = """_foreach_add.Tensor _foreach_copy.default _foreach_div.Tensor _foreach_mul.Tensor
    _foreach_zero.default _native_batch_norm_legit_functional.default
    _native_batch_norm_legit_no_training.default _batch_norm_with_update_functional.default bernoulli.p
    cauchy.default copy.default detach_copy.default exponential.default fill.Scalar fill.Tensor
    geometric.default lift_fresh_copy.default log_normal.default normal_functional.default random.default
    random.from random.to resize.default rrelu_with_noise_functional.default select_copy.int
    slice_copy.Tensor uniform.default zero.default"""


def record_functional_forms(recorder):
    """Operators that only functionalization calls, with small arguments of the kinds in their schemas."""
    for overload in FUNCTIONAL.split():
        name, _, which = overload.partition(".")
        function = getattr(getattr(torch.ops.aten, name), which)
        recorder.source, recorder.variant = name, None
        for shape in ((3, 4), (4, 2), (2, 3, 4), (3, 2, 4, 4)):
            is_norm, self = "batch_norm" in name, torch.rand(shape)

            def value(formal, i, self=self, is_norm=is_norm, name=name):
                kind = str(formal.type).removeprefix("Optional[").removesuffix("]")
                if kind == "Tensor":
                    if i > 0 and is_norm:
                        return torch.rand(self.shape[1])
                    return torch.rand([]) if i > 0 and name in ("fill", "_foreach_add", "_foreach_div",
                                                                "_foreach_mul") else torch.rand_like(self)
                if kind == "List[Tensor":
                    return [torch.rand_like(self), torch.rand(5)]
                return {"float": 0.5, "int": 1, "bool": True, "List[int": [2, 2]}.get(kind, 1)

            args = [value(formal, i) for i, formal in enumerate(function._schema.arguments)
                    if not formal.kwarg_only and not formal.has_default_value()]
            ignored(lambda function=function, args=args: recorder.record(function, args, {}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output")
    parser.add_argument("--limit", type=int, default=12)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--only", default="")
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("--composite", action="store_true")
    parser.add_argument("--functional", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dtypes", default="float32,int64,bool,complex64")
    parser.add_argument("--shard", default="0/1", help="K/N: every N-th operator, starting with K")
    options = parser.parse_args()
    database = operator_database()
    foreach = [op for kind in ("unary", "binary", "pointwise", "reduce", "other")
               for op in getattr(database, f"foreach_{kind}_op_db")]
    dtypes = [getattr(torch, name) for name in options.dtypes.split(",")]
    only = options.only.split(",") if options.only else None
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    signal.signal(signal.SIGPROF, late)
    variants = ("mixed",) * 3 if options.mixed else (None, "strided")
    shard, shards = map(int, options.shard.split("/"))
    every = [(op, False) for op in database.op_db] + [(op, True) for op in foreach]
    opened = gzip.open(options.output, "wt") if options.output.endswith(".gz") \
        else open(options.output, "w")
    with opened as file:
        kind = CompositeRecorder if options.composite else Recorder
        recorder = kind(options.limit, lambda case: file.write(json.dumps(case) + "\n"))
        for op, is_foreach in every[shard::shards]:
            if only and op.name not in only:
                continue
            recorder.source = op.name
            for dtype in dtypes:
                if dtype not in op.supported_dtypes("cpu"):
                    continue
                torch.manual_seed(options.seed)
                random.seed(options.seed)
                gradient = dtype.is_floating_point and op.supports_autograd
                signal.setitimer(signal.ITIMER_PROF, 10)  # of CPU time
                try:
                    if is_foreach:
                        recorder.variant = None
                        record_foreach(recorder, op, dtype)
                        continue
                    inputs = op.reference_inputs if options.reference else op.sample_inputs
                    samples = inputs("cpu", dtype, requires_grad=gradient)
                    for _, sample in zip(range(options.samples if gradient else 3), samples):
                        for variant in variants if gradient or options.mixed else (None,):
                            record_sample(recorder, op, sample, variant, gradient)
                except (Late, Exception) as e:
                    print(f"{op.name} {dtype}: {type(e).__name__} {e}"[:120], file=sys.stderr)
                finally:
                    signal.setitimer(signal.ITIMER_PROF, 0)
        if options.functional and shard == 0:
            torch.manual_seed(options.seed)
            record_functional_forms(recorder)
    print(f"{len(recorder.seen)} overloads, {sum(map(len, recorder.seen.values()))} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
