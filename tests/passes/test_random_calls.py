#!/usr/bin/env python3
"""Compares type functions with libtorch on random programs.

Each program starts with tensors of unusual sizes, layouts and dtypes, and applies random operators
to its values. Every call that libtorch accepts is recorded in the format in scripts/corpus/README.md,
"Operator cases", and `fxcpp ops --check` must infer the same types. FX_RANDOM_PROGRAMS sets the
number of programs (default 400); FX_RANDOM_SEED sets the first seed; FX_RANDOM_OUT sets the file for
the recorded calls. Exit status 77: torch is missing.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
except ImportError:
    print("torch is missing")
    sys.exit(77)

from torch.utils._pytree import tree_flatten  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "scripts"))
from record_op_cases import encode, storage  # noqa: E402

aten = torch.ops.aten
SIZES = [0, 1, 1, 2, 3, 4, 5, 7]
DTYPES = [torch.float32] * 6 + [torch.float64, torch.int64, torch.int32, torch.bool, torch.bfloat16,
                                torch.uint8, torch.complex64]
UNARY = [aten.relu, aten.exp, aten.neg, aten.abs, aten.sigmoid, aten.sgn, aten.floor, aten.sqrt,
         aten.isnan, aten.logical_not, aten.clone, aten.silu, aten.gelu, aten.square,
         aten.zeros_like, aten.cos, aten.reciprocal, aten.bitwise_not]
BINARY = [aten.add.Tensor, aten.sub.Tensor, aten.mul.Tensor, aten.div.Tensor, aten.maximum.default,
          aten.lt.Tensor, aten.eq.Tensor, aten.pow.Tensor_Tensor, aten.remainder.Tensor,
          aten.logical_and.default, aten.atan2.default, aten.bitwise_and.Tensor, aten.fmod.Tensor]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        torch.manual_seed(seed)
        self.tensors = [self.tensor() for _ in range(4)]

    def tensor(self):
        r = self.random
        sizes = [r.choice(SIZES) for _ in range(r.choice([0, 1, 2, 2, 3, 4, 4, 5]))]
        dtype = r.choice(DTYPES)
        t = (torch.randn(sizes) * 3).to(dtype)
        kind = r.randrange(5)
        if kind == 1 and t.dim() > 1:
            order = list(range(t.dim()))
            r.shuffle(order)
            t = t.permute(order)
        elif kind == 2 and t.dim() == 4:
            t = t.to(memory_format=torch.channels_last)
        elif kind == 3 and t.dim():
            wide = torch.zeros([*sizes[:-1], 2 * sizes[-1] + 1], dtype=dtype)
            t = wide[..., 1::2]
        elif kind == 4 and t.dim():
            t = t[:1].expand([r.choice([1, 3]), *sizes[1:]]) if sizes[0] else t
        return t

    def dim(self, t):
        rank = max(t.dim(), 1)
        return self.random.randrange(-rank, rank)

    def call(self):
        """Returns a random operator with random arguments, which may be invalid."""
        r = self.random
        t, u = r.choice(self.tensors), r.choice(self.tensors)
        d = self.dim(t)
        size = t.shape[d] if t.dim() else 1
        kinds = {
            "unary": lambda: (r.choice(UNARY).default, (t,)),
            "binary": lambda: (r.choice(BINARY), (t, u)),
            "scalar": lambda: (r.choice([aten.add.Tensor, aten.mul.Tensor, aten.div.Tensor,
                                         aten.gt.Scalar, aten.pow.Tensor_Scalar]),
                               (t, r.choice([2, 0.5, True]))),
            "where": lambda: (aten.where.self, (t > 0 if not t.is_complex() else t == t, t, u)),
            "reduce": lambda: (r.choice([aten.sum.dim_IntList, aten.mean.dim, aten.amax.default,
                                         aten.any.dims, aten.var.correction,
                                         aten.logsumexp.default]), (t, [d], )),
            "max": lambda: (r.choice([aten.max.dim, aten.sort.default, aten.cummax.default,
                                      aten.median.dim]), (t, d)),
            "scan": lambda: (r.choice([aten.cumsum.default, aten.cumprod.default]), (t, d)),
            "softmax": lambda: (r.choice([aten._softmax.default, aten._log_softmax.default]),
                                (t, d, False)),
            "transpose": lambda: (aten.transpose.int, (t, d, self.dim(t))),
            "permute": lambda: (aten.permute.default, (t, r.sample(range(t.dim()), t.dim()))),
            "slice": lambda: (aten.slice.Tensor, (t, d, r.randrange(-3, 4), r.randrange(-3, 9),
                                                  r.randrange(1, 4))),
            "select": lambda: (aten.select.int, (t, d, r.randrange(-3, 4))),
            "unsqueeze": lambda: (aten.unsqueeze.default, (t, d)),
            "squeeze": lambda: (aten.squeeze.dim, (t, d)),
            "squeeze all": lambda: (aten.squeeze.default, (t,)),
            "expand": lambda: (aten.expand.default, (t, [2, *(s if s != 1 else 3 for s in t.shape)])),
            "view": lambda: (r.choice([aten.view.default, aten.reshape.default]),
                             (t, r.choice([[-1], [*t.shape, 1], [t.numel()], list(t.shape[:1]) + [-1],
                                           [1, *t.shape]]))),
            "flatten": lambda: (aten.flatten.using_ints, (t, 0, d)),
            "diagonal": lambda: (aten.diagonal.default, (t, r.randrange(-2, 3), d, self.dim(t))),
            "unfold": lambda: (aten.unfold.default, (t, d, r.randrange(0, 3), r.randrange(1, 3))),
            "split": lambda: (aten.split.Tensor, (t, r.randrange(1, 4), d)),
            "chunk": lambda: (aten.chunk.default, (t, r.randrange(1, 4), d)),
            "unbind": lambda: (aten.unbind.int, (t, d)),
            "cat": lambda: (aten.cat.default, ([t, t if r.random() < 0.7 else u], d)),
            "stack": lambda: (aten.stack.default, ([t, t], d)),
            "contiguous": lambda: (aten.contiguous.default, (t,)),
            "to": lambda: (aten._to_copy.default, (t,), {"dtype": r.choice(DTYPES)}),
            "flip": lambda: (r.choice([aten.flip.default, aten.roll.default]),
                             (t, [d]) if r.random() < 0.5 else (t, [1], [d])),
            "tril": lambda: (aten.tril.default, (t, r.randrange(-1, 2))),
            "index": lambda: (aten.index.Tensor, (t, self.indices(t))),
            "gather": lambda: (aten.gather.default, (t, d, torch.zeros(t.shape, dtype=torch.int64))),
            "index_select": lambda: (aten.index_select.default,
                                     (t, d, torch.zeros(r.randrange(3), dtype=torch.int64))),
            "mm": lambda: (r.choice([aten.mm.default, aten.bmm.default, aten.matmul.default]),
                           (t, (u.mT if u.dim() > 1 else u).to(t.dtype))),
            "matmul": lambda: (aten.matmul.default, (t, t.mT if t.dim() > 1 else t)),
            "pad": lambda: (aten.constant_pad_nd.default, (t, [1, 0], 0)),
            "repeat": lambda: (aten.repeat.default, (t, [2] * max(t.dim(), 1))),
            "copy": lambda: (aten.copy_.default, (t.clone(), u)),
            "add_": lambda: (aten.add_.Tensor, (t.clone(), u)),
            "max_pool": lambda: (aten.max_pool2d_with_indices.default,
                                 (t, [2, 1], [1, 2], [0, 0], [1, 1], r.random() < 0.5)),
            "avg_pool": lambda: (aten.avg_pool2d.default, (t, [2, 2], [2, 1], [1, 0],
                                                           r.random() < 0.5)),
            "conv": lambda: (aten.convolution.default,
                             (t, torch.randn(4, t.shape[1], 2, 1).to(t.dtype), None, [1, 2], [1, 0], [1, 1],
                              False, [0, 0], 1)),
            "norm": lambda: (aten.native_layer_norm.default, (t, [t.shape[-1]], None, None, 1e-5)),
            "group": lambda: (aten.native_group_norm.default,
                              (t, None, None, t.shape[0], t.shape[1],
                               t[0, 0].numel() if t.numel() else 0, 1, 1e-5)),
            "upsample": lambda: (aten.upsample_nearest2d.default, (t, [3, 5])),
            "narrow": lambda: (aten.narrow.default, (t, d, 0, size // 2)),
            "lerp": lambda: (aten.lerp.Scalar, (t, u, 0.5)),
            "addcmul": lambda: (aten.addcmul.default, (t, u, r.choice(self.tensors))),
        }
        return kinds[r.choice(list(kinds))]()

    def indices(self, t):
        r = self.random
        return [None if r.random() < 0.4 else
                torch.zeros([r.choice([1, 2, 3])] * r.choice([0, 1, 2]), dtype=torch.int64)
                for _ in range(t.dim())]

    def run(self, write, steps=25):
        for _ in range(steps):
            try:
                tensors = record(write, *self.call())
            except (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError):
                continue  # libtorch rejects the call
            for x in tensors:
                if x.numel() < 5000 and x.dim() < 6:
                    self.tensors[self.random.randrange(len(self.tensors))] = x


def record(write, func, args, kwargs=None):
    """Calls an overload, writes the call with its result, and returns the tensors in the result."""
    kwargs = kwargs or {}
    flat = [x for x in tree_flatten((args, kwargs))[0] if isinstance(x, torch.Tensor)]
    case = {"op": str(func), "args": encode(args), "kwargs": {k: encode(v) for k, v in kwargs.items()}}
    pointers = [storage(x) for x in flat]
    result = func(*args, **kwargs)
    case["out"] = encode(result)
    tensors = [x for x in tree_flatten(result)[0] if isinstance(x, torch.Tensor)]
    known = [p for p in pointers if p is not None]
    if len(set(known)) == len(known):
        case["alias"] = [pointers.index(storage(x)) if x.numel() and storage(x) in pointers
                         else None for x in tensors]
    case["from"] = "random"
    write(case)
    return tensors


def record_rare_calls(write):
    """Records calls that random programs rarely contain: equal strides, and batches of tolerances
    and of vectors."""
    image = torch.randn(1, 1, 4, 4).as_strided([1, 1, 4, 4], [1, 1, 4, 1])
    square = torch.zeros(2, 2, dtype=torch.int64)
    column, row = torch.zeros(2, 1, dtype=torch.int64), torch.zeros(3, dtype=torch.int64)
    for x in (image, torch.randn(1, 1, 4, 4), torch.randn(1, 4, 1, 4).transpose(1, 2),
              torch.randn(2, 1, 4, 1), torch.randn(4, 1, 1, 4).permute(1, 3, 0, 2)):
        for by in ([None, square, square, None], [square], [None, None, square], [column, None, row],
                   [None, column, row], [None, None, row, column], [column, row], [square.t(), None, row[:1]]):
            index = [b if b is None else b.clone() for b in by]  # clones are in separate memory
            record(write, aten.index.Tensor, (x, index))
    # The input is channels_last, but the kernel cannot distinguish it from a contiguous one.
    for sizes, strides in (((2, 1, 1, 1), (2, 1, 2, 1)), ((2, 1, 3, 3), (18, 1, 3, 1)),
                           ((2, 2, 1, 1), (4, 1, 4, 2)), ((2, 1, 1, 3), (9, 1, 9, 1))):
        x = torch.zeros(60).as_strided(sizes, strides)
        record(write, aten.convolution.default, (x, torch.randn(4, sizes[1], 2, 1), None, [1, 2], [1, 0],
                                                 [1, 1], False, [0, 0], 1))
    for sizes, weight in (((1, 3, 4), (3, 3, 3)), ((2, 2, 4), (2, 2, 4))):
        x, w = torch.randn(sizes), torch.randn(weight)
        for x in (x, x.mT.contiguous().mT):
            for w in (w, w.mT.contiguous().mT):
                for transposed in (False, True):
                    out = record(write, aten.convolution.default, (x, w, None, [2], [2], [1], transposed, [0], 1))
                    record(write, aten.convolution_backward.default,
                           (out[0], x, w, [weight[0]], [2], [2], [1], transposed, [0], 1, [True] * 3))
    signals = torch.randn(2, 100)
    for x in (signals[0], signals, signals[:1].expand(3, 100), torch.randn(100, 2).t(),
              torch.randn(2, 200)[:, ::2], torch.randn(2, 100, dtype=torch.complex64)):
        for center in (False, True):
            for window in (None, torch.ones(16), torch.ones(16, dtype=torch.float64),
                           torch.ones(16, dtype=torch.complex64)):
                complex_input = x.is_complex() or window is not None and window.is_complex()
                for onesided in (False,) if complex_input else (False, True):
                    for return_complex in (True, False):
                        record(write, aten.stft.center, (x, 16, 4, 16, window, center, "reflect", False,
                                                         onesided, return_complex))
    for x in (torch.randn(3).expand(3, 3), torch.randn(3, dtype=torch.complex64).expand(3, 3)):
        record(write, aten.conj_physical.default, (x,))
        record(write, aten.view_copy.default, (x, [9]))
        record(write, aten.view_copy.out, (x, [9]), {"out": torch.zeros(9, dtype=x.dtype)})
    for x in (torch.float32, torch.float64, torch.bfloat16, torch.int64):
        for y in (torch.float32, torch.float64, torch.bfloat16, torch.int64):
            for layout in ((1, 3), (1, 7), (3, 1)):
                t, u = (torch.ones(60, dtype=d).as_strided((3, 3), by, 4) for d, by in ((x, (0, 1)), (y, layout)))
                record(write, aten.ldexp.Tensor, (t, u))
    for a, tolerance in (((3, 1), (3, 1)), ((3, 0), (2, 3)), ((2, 3, 4), ()), ((2, 3, 4), (2,)),
                         ((2, 3, 4), (5, 1))):
        record(write, aten.linalg_pinv.rcond_tensor, (torch.randn(a), torch.rand(tolerance)))
        record(write, aten.linalg_pinv.atol_rtol_tensor, (torch.randn(a),),
               {"atol": torch.rand(tolerance), "rtol": torch.rand(())})
    for a, b in (((3, 3), (3,)), ((2, 3, 3), (2, 3)), ((2, 3, 3), (3,)), ((2, 2, 3, 3), (2, 2, 3)),
                 ((3, 3), (3, 2)), ((2, 3, 3), (4, 1, 3, 2))):
        record(write, aten.linalg_solve_ex.default, (torch.randn(a), torch.randn(b)))
    for spectrum, size, kwargs in (((6, 4), 10, {}), ((2, 9, 5), 16, {"hop_length": 3}),
                                   ((9, 5), 16, {"length": 7}), ((9, 5), 16, {"length": 40}),
                                   ((2, 8, 5), 8, {"onesided": False, "return_complex": True})):
        record(write, aten.istft.default, (torch.randn(spectrum, dtype=torch.complex64), size), kwargs)
    points = torch.rand(5, 2, dtype=torch.float64)
    record(write, aten.histogramdd.default, (points, [3, 4]))
    record(write, aten.histogramdd.int_bins, (points, 3))
    edges = [torch.linspace(0, 1, n, dtype=torch.float64) for n in (3, 6)]
    record(write, aten.histogramdd.TensorList_bins, (points, edges))
    for a in DTYPES:
        for b in DTYPES:
            record(write, aten.can_cast.default, (a, b))
    for a, b in (([], []), ([5], []), ([5, 1], [5]), ([2, 1, 3], [4, 1])):
        record(write, aten.broadcast_shapes.default, (a, b))


def record_einsums(write, count=400):
    """Records random equations: repeated labels, ellipses, sizes of one, operands with any
    layout."""
    r = random.Random(5)
    labels = "abcdefXY"

    def operand(sizes):
        kind = r.randrange(4)
        if kind == 0:
            order = r.sample(range(len(sizes)), len(sizes))
            return torch.randn([sizes[i] for i in order]).permute([order.index(i) for i in range(len(sizes))])
        if kind == 1:
            return torch.randn([2 * s for s in sizes])[tuple(slice(0, s) for s in sizes)]
        if kind == 2:
            return torch.randn([1 if r.random() < 0.3 else s for s in sizes]).expand(sizes)
        return torch.randn(sizes)

    for _ in range(count):
        size = {label: r.choice([1, 2, 3, 4, 5]) for label in labels}
        dots = [r.choice([1, 2, 3]) for _ in range(2)]
        subscripts, operands = [], []
        for _ in range(r.choice([1, 2, 2, 2, 3])):
            chosen = [r.choice(labels) for _ in range(r.randint(1, 4))]
            if r.random() < 0.75:
                chosen = list(dict.fromkeys(chosen))
            sizes = [size[n] if r.random() < 0.9 or chosen.count(n) > 1 else 1 for n in chosen]
            if r.random() < 0.2:
                at, rank = r.randint(0, len(chosen)), r.randint(0, 2)
                sizes[at:at] = [d if r.random() < 0.8 else 1 for d in dots[2 - rank:]]
                chosen[at:at] = ["..."]
            subscripts.append("".join(chosen))
            operands.append(operand(sizes))
        equation = ",".join(subscripts)
        if r.random() < 0.75:
            out = sorted(set("".join(subscripts)) - {"."})
            out = r.sample(out, r.randint(0, len(out)))
            if "..." in equation and r.random() < 0.8:
                out.insert(r.randint(0, len(out)), "...")
            equation += "->" + "".join(out)
        try:
            record(write, aten.einsum.default, (equation, operands))
        except RuntimeError:
            pass  # the sizes of the ellipses do not broadcast


def record_signals(write):
    """Records calls to window functions, shifts, weight norms, aliases of comparisons, and random
    operators."""
    for name in ("hann", "hamming", "blackman", "bartlett", "kaiser"):
        window = getattr(aten, f"{name}_window")
        record(write, window.default, (7,))
        record(write, window.periodic, (8, False), {"dtype": torch.float64})
    record(write, aten.hamming_window.periodic_alpha, (5, True, 0.5))
    record(write, aten.hamming_window.periodic_alpha_beta, (5, True, 0.5, 0.4))
    record(write, aten.kaiser_window.beta, (5, True, 9.0))
    for n in (0, 1, 6, 7):
        record(write, aten.fft_fftfreq.default, (n, 0.5))
        record(write, aten.fft_rfftfreq.default, (n,), {"dtype": torch.float64})
    layouts = [torch.randn(3, 4, 5), torch.randn(5, 3, 4).permute(1, 2, 0), torch.randn(3, 4).expand(2, 3, 4),
               torch.randn(2, 4, 1, 6).to(memory_format=torch.channels_last), torch.randn(4, 0), torch.randn(7)]
    for x in layouts:
        for dim in (None, [0], [-1], [0, -1] if x.dim() > 1 else [0]):
            record(write, aten.fft_fftshift.default, (x, dim))
            record(write, aten.fft_ifftshift.default, (x, dim))
        record(write, aten.poisson.default, (x.abs(),))
        record(write, aten.binomial.default, (x.abs().round(), torch.full(x.shape, 0.5)))
        for query in (aten.is_complex, aten.is_floating_point, aten.is_signed, aten.is_contiguous):
            record(write, query.default, (x,))
        record(write, aten.is_same_size.default, (x, x))
        for compare in (aten.less, aten.less_equal, aten.greater, aten.greater_equal, aten.not_equal):
            record(write, compare.Tensor, (x, x.abs()))
            record(write, compare.Scalar, (x, 0.5))
        record(write, aten.divide.Tensor_mode, (x, x), {"rounding_mode": "floor"})
    for v in (torch.randn(4, 3, 5), torch.randn(5, 4, 3).permute(1, 2, 0), torch.randn(1, 3, 1), torch.randn(6)):
        for dim in range(-1, v.dim()):
            norm = record(write, aten.norm_except_dim.default, (v, 2, dim))[0]
            if dim >= 0:
                record(write, aten._weight_norm.default, (v, norm, dim))
            if dim in (0, v.dim() - 1):
                record(write, aten._weight_norm_interface.default, (v.contiguous(), norm, dim))


def record_additional_calls(write):
    """Records random operators with generators, norms and inverses of tensors, grouped products,
    and attention calls."""
    layouts = [torch.randn(3, 4, 5), torch.randn(5, 3, 4).permute(1, 2, 0), torch.randn(3, 4).expand(2, 3, 4),
               torch.randn(2, 4, 1, 6).to(memory_format=torch.channels_last), torch.randn(2, 0, 3)]
    high = torch.tensor(9)
    for x in layouts:
        for name in ("rand_like", "randn_like"):
            record(write, getattr(aten, name).generator, (x,), {"generator": None})
        record(write, aten.randint_like.Tensor, (x, high))
        record(write, aten.randint_like.generator, (x, 9), {"generator": None})
        record(write, aten.randint_like.Tensor_generator, (x, high), {"generator": None})
        record(write, aten.randint_like.low_generator_dtype, (x, 2, 9), {"generator": None, "dtype": torch.int32})
        record(write, getattr(aten.random, "from"), (x, 2, 9))
        record(write, aten.random.to, (x, 9))
        record(write, aten.random_.to, (x.clone(), 9))
        positive = x.abs() + 0.1
        for func, args in ((aten._standard_gamma, (positive,)), (aten._sample_dirichlet, (positive,)),
                           (aten._standard_gamma_grad, (positive, positive)),
                           (aten._dirichlet_grad, (positive, positive, positive))):
            record(write, func.default, args)
        for cast in ("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double"):
            record(write, getattr(aten, f"_cast_{cast}").default, (x,))
        for dims in ([0], [-1, 0]):
            record(write, aten.frobenius_norm.dim, (x, dims, True))
        if x.numel():
            record(write, aten.nuclear_norm.dim, (x, [0, 2]))
            record(write, aten.linalg_norm.ord_str, (x, "fro", [0, -1]))
            record(write, aten._masked_softmax.default, (x, torch.zeros(x.shape, dtype=torch.bool), -1, 2))
        record(write, aten._logcumsumexp.default, (x, 1))
        record(write, aten._shape_as_tensor.default, (x,))
        record(write, aten._stack.default, ([x, x], 1))
        for view in (aten.mT.a, aten.mH.a, aten.numpy_T.a):
            record(write, view, (x,))
        record(write, aten.fill_diagonal_.default, (torch.zeros(3, 4), 1))
        for func in (aten._add_relu, aten.multiply, aten.divide, aten.subtract):
            record(write, func.Scalar, (x, 2))
        record(write, aten._add_relu.Tensor, (x, x))
        record(write, aten.divide.Scalar_mode, (x, 2), {"rounding_mode": "floor"})
        for query in (aten.is_conj, aten.is_neg, aten.is_leaf, aten.is_inference, aten.stride,
                      aten.sym_stride, aten.storage_offset):
            record(write, query.default, (x,))
        record(write, aten.stride.int, (x, -1))
        record(write, aten._is_all_true.default, (x > 0,))
        record(write, aten._is_any_true.default, (x > 0,))
    record(write, aten.randint.generator, (9, [2, 3]), {"generator": None})
    record(write, aten.randint.low_generator, (2, 9, [2, 3]), {"generator": None, "dtype": torch.int32})
    record(write, aten.randperm.generator, (7,), {"generator": None})
    for args, kwargs in (((0, 4), {}), ((0.5, 4), {"dtype": torch.float64})):
        record(write, aten.range.default, args, kwargs)
    for args, kwargs in (((0, 4, 1.5), {}), ((0, 4.5, 2), {"dtype": torch.int64}), ((4, -1, -2), {})):
        record(write, aten.range.step, args, kwargs)
    for x, n in ((torch.arange(4), None), (torch.randn(4), 3), (torch.arange(4, dtype=torch.int32), 0)):
        record(write, aten.vander.default, (x, n))
    record(write, aten.nuclear_norm.default, (torch.randn(3, 4), True))
    record(write, aten.matrix_H.a, (torch.randn(3, 4),))
    for sizes, ind in (((2, 3, 6), 2), ((6, 2, 3), 1), ((4, 6, 8, 3), 2), ((4, 1, 2, 2), 1)):
        record(write, aten.linalg_tensorinv.default, (torch.randn(sizes), ind))
    for a, b, dims in (((6, 4, 2, 3, 4), (6, 4), None), ((3, 12, 4), (3, 4), (1,)), ((3, 3), (3,), None)):
        record(write, aten.linalg_tensorsolve.default, (torch.randn(a), torch.randn(b), dims))
    record(write, aten.linalg_matrix_rank.tol_tensor, (torch.randn(2, 3, 4), torch.tensor(0.1)))
    for batch_first in (False, True):
        parts = [torch.randn(n, 2) for n in (3, 5, 1)]
        record(write, aten.pad_sequence.default, (parts, batch_first))
    for dim in (0, 2):
        v = torch.randn(4, 3, 5)
        norm = record(write, aten.norm_except_dim.default, (v, 2, dim))[0]
        out, norms = record(write, aten._weight_norm_interface.default, (v, norm, dim))
        record(write, aten._weight_norm_interface_backward.default, (out, v, norm, norms, dim))
    x, weight, bias = torch.randn(7, 2, 3), torch.randn(3, 3, 5), torch.randn(5)
    out = record(write, aten.conv_tbc.default, (x, weight, bias, 1))[0]
    record(write, aten.conv_tbc_backward.default, (out, x, weight, bias, 1))
    record(write, aten._convolution_mode.default, (torch.randn(2, 3, 8), torch.randn(4, 3, 3), None, [1], "same", [1], 1))
    for image in (torch.randn(2, 3, 8, 8), torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)):
        out = record(write, aten._upsample_lanczos2d_aa.default, (image, [4, 5], False))[0]
        record(write, aten._upsample_lanczos2d_aa.vec, (image, None, False, [0.5, 0.5]))
        record(write, aten._upsample_lanczos2d_aa_backward.default, (out, [4, 5], [2, 3, 8, 8], False))
    record(write, aten._int_mm.default, (torch.ones(20, 8, dtype=torch.int8), torch.ones(8, 16, dtype=torch.int8)))
    for a, b, ends in (((12, 8), (3, 8, 16), [4, 8, 12]), ((12, 8), (3, 20, 8), [4, 8, 12]),
                       ((3, 4, 8), (3, 8, 16), None), ((16, 8), (8, 24), [2, 4, 8]), ((3, 4, 8), (8, 24), [4, 8, 24])):
        a, b = torch.randn(a, dtype=torch.bfloat16), torch.randn(b, dtype=torch.bfloat16)
        ends = None if ends is None else torch.tensor(ends, dtype=torch.int32)
        record(write, aten._grouped_mm.default, (a, b.mT if b.shape[-2] == 20 else b, ends))
    query, projection, width = torch.randn(2, 6, 8), torch.randn(24, 8), torch.randn(8)
    record(write, aten._transform_bias_rescale_qkv.default, (torch.randn(2, 6, 24), torch.randn(24), 2))
    with torch.no_grad():
        for average in (True, False):
            record(write, aten._native_multi_head_attention.default,
                   (query, query, query, 8, 2, projection, torch.randn(24), torch.randn(8, 8), width, None, True, average))
        for source in (query, torch.randn(6, 2, 8).transpose(0, 1)):
            record(write, aten._transformer_encoder_layer_fwd.default,
                   (source, 8, 2, projection, torch.randn(24), torch.randn(8, 8), width, False, True, 1e-5,
                    width, width, width, width, torch.randn(16, 8), torch.randn(16), torch.randn(8, 16), width))


def record_promoting_calls(write):
    """Mixes two layouts and two dtypes: if an operand is converted first, the kernel uses the
    strides of the copy."""
    layouts = [(3, 1), (1, 3), (1, 7), (7, 1), (0, 1), (1, 0), (1, 1), (0, 0)]
    dtypes = [torch.float32, torch.int64, torch.bool, torch.float64]
    choose = torch.zeros(3, dtype=torch.bool).expand(3, 3)
    for binary in [*BINARY, aten.logical_or.default, aten.logical_xor.default, aten.bitwise_or.Tensor,
                   aten.ge.Tensor, aten.ne.Tensor, aten.fmax.default, aten.true_divide.Tensor,
                   aten.floor_divide.default, aten.float_power.Tensor_Tensor, aten.xlogy.Tensor,
                   aten.clamp_min.Tensor, aten.mse_loss.default, aten.l1_loss.default,
                   aten.smooth_l1_loss.default, aten.huber_loss.default, aten.soft_margin_loss.default,
                   aten.sigmoid_backward.default, aten.complex.default, aten.isclose.default,
                   aten.heaviside.default, aten.copysign.Tensor, aten.hypot.default,
                   aten.nextafter.default, aten.ldexp.Tensor, aten.rsub.Tensor, aten.gcd.default,
                   aten.bitwise_left_shift.Tensor, aten.special_zeta.default, aten.kl_div.default,
                   aten.where.self, aten.lerp.Scalar, aten.addcmul.default, aten.addcdiv.default,
                   aten.lerp.Tensor, aten.clamp.Tensor, aten.pow.Scalar, aten.float_power.Scalar]:
        for a in layouts:
            for b in layouts:
                for x in dtypes:
                    y = dtypes[(dtypes.index(x) + layouts.index(b)) % len(dtypes)]
                    t, u = (torch.ones(60, dtype=d).as_strided((3, 3), layout, 4)
                            for d, layout in ((x, a), (y, b)))
                    args = {"aten.where.self": (choose, t, u), "aten.lerp.Scalar": (t, u, 0.5),
                            "aten.addcmul.default": (t, u, choose), "aten.addcdiv.default": (u, t, t),
                            "aten.lerp.Tensor": (t, t, u), "aten.clamp.Tensor": (t, u, u),
                            "aten.pow.Scalar": (2, u), "aten.float_power.Scalar": (2, u)}
                    if "loss" in str(binary) and "soft" not in str(binary):
                        args = {str(binary): (t, u, 0)}
                    try:
                        record(write, binary, args.get(str(binary), (t, u)))
                    except RuntimeError:
                        pass  # the operator does not support these dtypes


def main():
    programs = int(os.environ.get("FX_RANDOM_PROGRAMS", "400"))
    first = int(os.environ.get("FX_RANDOM_SEED", "1"))
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(os.environ.get("FX_RANDOM_OUT", Path(folder) / "cases.jsonl"))
        with open(path, "w") as file:
            record_rare_calls(lambda case: file.write(json.dumps(case) + "\n"))
            record_promoting_calls(lambda case: file.write(json.dumps(case) + "\n"))
            record_einsums(lambda case: file.write(json.dumps(case) + "\n"))
            record_signals(lambda case: file.write(json.dumps(case) + "\n"))
            record_additional_calls(lambda case: file.write(json.dumps(case) + "\n"))
            for seed in range(first, first + programs):
                Program(seed).run(lambda case: file.write(json.dumps(case) + "\n"))
        result = subprocess.run([os.environ.get("FXCPP", "fxcpp"), "ops", "--check", str(path)],
                                capture_output=True, text=True)
    print(result.stdout[-6000:], result.stderr[-2000:])
    return result.returncode


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")
    sys.exit(main())
