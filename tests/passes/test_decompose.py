#!/usr/bin/env python3
"""Compares each entry of decompose's table with torch, on calls with random inputs.

    test_decompose.py [OPERATOR...]

All calls are in one graph, which `fxcpp opt --passes decompose{...}` decomposes. The values, dtypes
and strides must equal the operators' results, and the values must equal the results of torch's own
decompositions if they exist. The types that decompose set must be the types of the values.
Gradients must equal the operators' where they are finite; edge_calls.py has inputs at which
derivatives need special handling. Every entry of `fxcpp passes --decompositions` must be called. FXCPP_DECOMPOSE_SEEDS is the number
of repetitions with different random numbers (default 1). Exit status 77: torch is missing.
"""

import itertools
import json
import math
import operator
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import torch
    from torch._decomp import _core_aten_decompositions_post_autograd, decomposition_table
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).parent))
import fx_export  # noqa: E402
from composite_calls import FIRST_RESULTS, composites  # noqa: E402
from edge_calls import edges, exceptional_values  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
SEEDS = int(os.environ.get("FXCPP_DECOMPOSE_SEEDS", "1"))
aten = torch.ops.aten
BF16 = torch.bfloat16
Call = tuple[Any, tuple[Any, ...], dict[str, Any]]

# Operators that torch decomposes, but decompose does not.
NOT_DECOMPOSED = {"aten.empty_like.default", "aten.linalg_cross.default"} | {f"aten.upsample_{kind}.default" for kind in (
    "bicubic2d", "bilinear2d", "linear1d", "nearest1d", "nearest2d", "nearest3d", "trilinear3d")}
# torch decomposes these operators below autograd, where they do not stop gradients. fxcpp's graphs may
# be differentiated later.
KEPT_FOR_AUTOGRAD = {"aten.detach.default"}
# Decompositions whose gradient stops at a detach, which set=all decomposes to an alias.
STOPPED_BY_DETACH = {"aten.binary_cross_entropy.default"} | {
    f"aten.fake_quantize_per_{part}_affine{suffix}.default"
    for part in ("tensor", "channel") for suffix in ("", "_cachemask")}


def overload(name: str) -> Any:
    _, packet, which = name.split(".")
    return getattr(getattr(aten, packet), which)


def is_composite(op: Any) -> bool:
    return torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), "CompositeImplicitAutograd")


CORE = {str(op) for op in _core_aten_decompositions_post_autograd()}


def torch_decomposes(op: str) -> bool:
    return op in CORE or is_composite(overload(op))


def channels_last(*sizes: int) -> torch.Tensor:
    return torch.randn(*sizes).to(memory_format=torch.channels_last)


def adder(tested: list[Call]) -> Callable[..., None]:
    """Returns a function that appends a call."""
    def add(name: str, *args: Any, **kwargs: Any) -> None:
        tested.append((overload(name if name.count(".") == 2 else f"aten.{name}.default"), args, kwargs))

    return add


def calls() -> list[Call]:
    """Returns calls to every operator in the table."""
    tested: list[Call] = []
    add = adder(tested)

    def some(dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
        return [(torch.randn(3, 5) * 3).to(dtype), channels_last(2, 3, 4, 5).to(dtype),
                torch.randn(5, 3).to(dtype).t(), torch.randn(()).to(dtype)]

    def typed() -> list[torch.Tensor]:
        return [*some(), some(BF16)[0], some(torch.float64)[2]]

    # Functions of one tensor.
    for name in ("silu", "hardsigmoid", "hardswish", "mish", "softplus", "celu", "elu", "gelu",
                 "hardtanh", "leaky_relu", "relu", "relu6", "hardshrink", "softshrink", "deg2rad", "rad2deg",
                 "frac", "sgn", "sinc", "square", "isposinf", "isneginf", "nan_to_num", "zeros_like",
                 "ones_like", "zero", "lift_fresh_copy", "detach", "contiguous", "log_sigmoid_forward",
                 "squeeze", "count_nonzero", "nansum", "aminmax", "mean", "sum"):
        for x in typed():
            if name == "log_sigmoid_forward" and x.dtype == BF16:
                continue  # its buffer has a rounded dtype
            if name == "aminmax" and x.dim() == 0:
                continue
            add(name, x)
    hard = torch.tensor([float("inf"), -float("inf"), float("nan"), 0.0, -0.0, 1e-30])
    for name in ("nan_to_num", "isposinf", "isneginf", "sinc", "nansum", "count_nonzero"):
        add(name, hard)
    add("isposinf", torch.arange(4))
    add("isneginf", torch.arange(4))
    add("nan_to_num", torch.arange(4))
    add("nan_to_num", hard, 1.5, 100.0, -50.0)
    add("gelu", torch.randn(4, 5), approximate="tanh")
    add("softplus", torch.randn(4, 5) * 20, 2.0, 5.0)
    add("celu", torch.randn(4, 5), 0.7)
    add("elu", torch.randn(4, 5), 0.7, 1.1, 0.9)
    add("hardtanh", torch.randn(4, 5), -0.5, 0.25)
    add("contiguous", channels_last(2, 3, 4, 5), memory_format=torch.channels_last)
    add("contiguous", torch.randn(2, 3, 4, 5), memory_format=torch.channels_last)
    for eps in (None, 0.1):
        add("logit", torch.rand(3, 4), eps)
        add("logit_backward", torch.randn(3, 4), torch.rand(3, 4) * 1.4 - 0.2, eps)
    add("threshold", torch.randn(3, 4), 0.1, 20)
    for dim in (0, -1):
        add("glu", torch.randn(4, 6), dim)
        add("glu_backward", torch.randn(*((2, 6) if dim == 0 else (4, 3))), torch.randn(4, 6), dim)

    # Gradients of functions of one tensor.
    for x in typed():
        g = torch.randn_like(x)
        add("silu_backward", g, x)
        add("sigmoid_backward", g, torch.sigmoid(x))
        add("tanh_backward", g, torch.tanh(x))
        add("gelu_backward", g, x)
        add("gelu_backward", g, x, approximate="tanh")
        add("mish_backward", g, x)
        add("hardsigmoid_backward", g, x)
        add("hardswish_backward", g, x)
        add("hardtanh_backward", g, x, -1, 1)
        add("leaky_relu_backward", g, x, 0.1, False)
        add("threshold_backward", g, x, 0)
        add("softplus_backward", g, x, 1.5, 2)
        add("elu_backward", g, 0.9, 1.1, 0.8, False, x)
        add("elu_backward", g, 0.9, 1.0, 1.0, True, x)
    x = torch.randn(3, 4)
    add("log_sigmoid_backward", torch.randn(3, 4), x, torch.exp(-x.abs()))
    add("_prelu_kernel", x, torch.randn(1, 4))
    add("_prelu_kernel_backward", torch.randn(3, 4), x, torch.randn(3, 4))

    # Arithmetic.
    for dtype in (torch.float32, BF16):
        a, b, c = (torch.rand(3, 4).to(dtype) + 0.5 for _ in range(3))
        add("addcmul", a, b, c)
        add("addcmul", a, b, c, value=0.3)
        add("addcdiv", a, b, c, value=2)
        add("aten.lerp.Scalar", a, b, 0.3)
        add("aten.lerp.Scalar", a, b, 0.8)
        add("aten.lerp.Tensor", a, b, c - 0.5)
        add("aten.rsub.Tensor", a, b)
        add("aten.rsub.Tensor", a, b, alpha=2)
        add("aten.rsub.Scalar", a, 1)
        add("aten.rsub.Scalar", a, 1.5, 3)
        add("floor_divide", a, b * 0.1)
        add("clamp_min", a, 1)
        add("clamp_max", a, 0.9)
        add("logaddexp", a, b)
        add("heaviside", a - 1, b)
        add("aten.where.ScalarOther", a > 1, a, 2.5)
        add("aten.where.ScalarSelf", a > 1, -1.5, a)
    add("logaddexp", torch.tensor([math.inf, -math.inf, 1.0]), torch.tensor([math.inf, -math.inf, 2.0]))
    add("floor_divide", torch.arange(10) - 5, torch.tensor(3))
    add("aten.rsub.Scalar", torch.arange(4), 7)
    add("aten.xlogy.Tensor", torch.tensor([0.0, 0.0, 2.0, 1.0]), torch.tensor([0.0, math.nan, 3.0, 0.0]))
    add("aten.xlogy.Tensor", torch.arange(4), torch.arange(4) + 1)
    mask = torch.tensor([True, False, True, False])
    add("aten.masked_fill.Scalar", torch.randn(3, 4), mask, -1.0)
    add("aten.masked_fill.Tensor", torch.randn(3, 4), mask, torch.tensor(2.0))

    # Losses.
    for reduction in (0, 1, 2):
        x, y, g = torch.rand(4, 5), torch.rand(4, 5), torch.rand(4, 5) if reduction == 0 else torch.rand(())
        for name in ("mse_loss", "l1_loss", "soft_margin_loss", "binary_cross_entropy_with_logits"):
            extra = (None, None) if name.endswith("logits") else ()
            add(name, x, y, *extra, reduction)
        add("binary_cross_entropy_with_logits", x, y, torch.rand(5), torch.rand(5), reduction)
        add("smooth_l1_loss", x, y, reduction, 0.3)
        add("huber_loss", x, y, reduction, 0.3)
        add("binary_cross_entropy", x, y, None, reduction)
        add("binary_cross_entropy", x, y, torch.rand(5), reduction)
        add("mse_loss_backward", g, x, y, reduction)
        add("soft_margin_loss_backward", g, x, y, reduction)
        add("smooth_l1_loss_backward", g, x, y, reduction, 0.3)
        add("huber_loss_backward", g, x, y, reduction, 0.3)
        add("binary_cross_entropy_backward", g, x, y, None, reduction)
        add("binary_cross_entropy_backward", g, x, y, torch.rand(4, 5), reduction)
        target = torch.tensor([0, 3, -100, 2])
        for weight, ignore in itertools.product((None, torch.rand(5)), (-100, 3)):
            logs = torch.log_softmax(torch.randn(4, 5), 1)
            t = torch.tensor([0, 3, 1, 2]) if ignore == 3 else target
            add("nll_loss_forward", logs, t, weight, reduction, ignore)
            total = aten.nll_loss_forward(logs, t, weight, reduction, ignore)[1]
            gradient = torch.rand(4) if reduction == 0 else torch.rand(())
            add("nll_loss_backward", gradient, logs, t, weight, reduction, ignore, total)
            image = torch.log_softmax(torch.randn(2, 5, 3, 2), 1)
            targets = torch.randint(0, 5, (2, 3, 2))
            add("nll_loss2d_forward", image, targets, weight, reduction, ignore)
            total = aten.nll_loss2d_forward(image, targets, weight, reduction, ignore)[1]
            gradient = torch.rand(2, 3, 2) if reduction == 0 else torch.rand(())
            add("nll_loss2d_backward", gradient, image, targets, weight, reduction, ignore, total)
    add("nll_loss_forward", torch.randn(5), torch.tensor(2), None, 1, -100)
    add("nll_loss_backward", torch.rand(()), torch.randn(5), torch.tensor(2), None, 1, -100, torch.tensor(1.0))

    # Normalizations.
    for dtype in (torch.float32, torch.float64):
        x = torch.randn(4, 3, 2, 5).to(dtype)
        w, b, mean, var = (torch.rand(3).to(dtype) + 0.5 for _ in range(4))
        for weight, bias in ((w, b), (None, None)):
            add("_native_batch_norm_legit_functional", x, weight, bias, mean, var, True, 0.1, 1e-5)
            add("_native_batch_norm_legit_no_training", x, weight, bias, mean, var, 0.1, 1e-5)
            add("aten._native_batch_norm_legit.no_stats", x, weight, bias, True, 0.1, 1e-5)
            add("_native_batch_norm_legit", x, weight, bias, mean.clone(), var.clone(), True, 0.1, 1e-5)
            add("_native_batch_norm_legit", x, weight, bias, mean.clone(), var.clone(), False, 0.1, 1e-5)
            for training in (True, False):
                add("batch_norm", x, weight, bias, mean.clone(), var.clone(), training, 0.1, 1e-5, True)
            add("batch_norm", x, weight, bias, None, None, True, 0.1, 1e-5, True)
            add("native_batch_norm", x, weight, bias, None, None, True, 0.1, 1e-5)
            add("native_batch_norm", x, weight, bias, mean.clone(), var.clone(), True, 0.1, 1e-5)
            g = torch.randn_like(x)
            _, m, r = aten._native_batch_norm_legit.no_stats(x, weight, bias, True, 0.1, 1e-5)
            for mask in ([True, True, True], [True, False, False]):
                add("native_batch_norm_backward", g, x, weight, mean, var, m, r, True, 1e-5, mask)
                add("native_batch_norm_backward", g, x, weight, mean, var, m, r, False, 1e-5, mask)
        for shape in ((5,), (2, 5)):
            w, b = torch.rand(shape).to(dtype), torch.rand(shape).to(dtype)
            for weight, bias in ((w, b), (None, None)):
                add("native_layer_norm", x, shape, weight, bias, 1e-5)
                _, m, r = aten.native_layer_norm(x, shape, weight, bias, 1e-5)
                for mask in ([True] + [weight is not None] * 2, [True, False, False]):
                    add("native_layer_norm_backward", torch.randn_like(x), x, shape, m, r, weight, bias, mask)
        x = torch.randn(2, 6, 3, 2).to(dtype)
        w, b = torch.rand(6).to(dtype), torch.rand(6).to(dtype)
        for weight, bias in ((w, b), (None, None)):
            add("native_group_norm", x, weight, bias, 2, 6, 6, 3, 1e-5)
            _, m, r = aten.native_group_norm(x, weight, bias, 2, 6, 6, 3, 1e-5)
            for mask in ([True, weight is not None, weight is not None], [True, False, False]):
                add("native_group_norm_backward", torch.randn_like(x), x, m, r, weight, 2, 6, 6, 3, mask)
    x = channels_last(2, 3, 4, 5)
    add("_native_batch_norm_legit_functional", x, torch.rand(3), torch.rand(3), torch.rand(3),
        torch.rand(3) + 1, True, 0.1, 1e-5)
    for x, dim in ((torch.randn(3, 4), 1), (torch.randn(3, 4, 2), 0), (torch.randn(3, 4).t(), -1),
                   (torch.randn(()), 0), (torch.randn(3, 4).to(BF16), 1)):
        add("_softmax", x, dim, False)
        add("_log_softmax", x, dim, False)
        add("_safe_softmax", x, dim)
        g, y = torch.randn_like(x), torch.softmax(x, dim)
        add("_softmax_backward_data", g, y, dim, x.dtype)
        add("_log_softmax_backward_data", g, torch.log_softmax(x, dim), dim, x.dtype)
    add("_safe_softmax", torch.tensor([[-math.inf, -math.inf], [0.0, -math.inf]]), 1)

    # Products.
    for dtype in (torch.float32, BF16, torch.int64):
        def matrix(*sizes: int, dtype: torch.dtype = dtype) -> torch.Tensor:
            return (torch.randn(*sizes) * 3).to(dtype)
        add("addmm", matrix(5), matrix(3, 4), matrix(4, 5))
        add("addmm", matrix(3, 5), matrix(3, 4), matrix(4, 5), beta=2, alpha=3)
        add("addmm", matrix(3, 5), matrix(3, 4), matrix(4, 5), beta=0)
        add("baddbmm", matrix(2, 3, 5), matrix(2, 3, 4), matrix(2, 4, 5), beta=2, alpha=3)
        add("mv", matrix(3, 4), matrix(4))
        add("addmv", matrix(3), matrix(3, 4), matrix(4))
        add("addr", matrix(3, 4), matrix(3), matrix(4), alpha=2)
        add("dot", matrix(4), matrix(4))
        for sizes in ((3, 4), (2, 3, 4), (4,), (2, 1, 3, 4)):
            add("linear", matrix(*sizes), matrix(5, 4), matrix(5))
            add("linear", matrix(*sizes), matrix(5, 4))
        for a, b in (((3, 4), (4, 5)), ((4,), (4,)), ((4,), (4, 5)), ((3, 4), (4,)), ((2, 3, 4), (4, 5)),
                     ((2, 3, 4), (2, 4, 5)), ((6, 1, 3, 4), (2, 4, 5)), ((3, 4), (2, 4, 5)),
                     ((4,), (2, 4, 5)), ((2, 3, 4), (4,)), ((1, 3, 4), (2, 4, 5))):
            add("matmul", matrix(*a), matrix(*b))
    q, k, v = torch.randn(2, 4, 3, 8), torch.randn(2, 4, 5, 8), torch.randn(2, 4, 5, 8)
    mask = torch.tensor([[True, False, True, True, False], [False] * 5, [True] * 5])
    for options in ({}, {"is_causal": True}, {"scale": 0.3}, {"attn_mask": mask},
                    {"attn_mask": torch.randn(3, 5)}):
        add("scaled_dot_product_attention", q, k, v, **options)
    add("scaled_dot_product_attention", q, k[:, :2].clone(), v[:, :2].clone(), enable_gqa=True)
    add("scaled_dot_product_attention", q.to(BF16), k.to(BF16), v.to(BF16))
    masked = torch.tensor([[0.0, -math.inf, 0.0, 1.0, 0.0], [-math.inf] * 5, [0.5] * 5])
    for causal, mask in ((False, None), (True, None), (False, torch.randn(3, 5)), (False, masked)):
        add("_scaled_dot_product_flash_attention_for_cpu", q, k, v, 0.0, causal, attn_mask=mask)
        out, lse = aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, causal, attn_mask=mask)
        add("_scaled_dot_product_flash_attention_for_cpu_backward", torch.randn_like(out), q, k, v,
            out, lse, 0.0, causal, attn_mask=mask)

    # Pooling and padding.
    for x in (torch.randn(2, 3, 7, 6), torch.randn(3, 7, 6), channels_last(2, 3, 7, 6)):
        for kernel, stride, padding, dilation, ceil in (
                ([2, 2], [2, 2], [0, 0], [1, 1], False), ([3, 3], [2, 1], [1, 0], [1, 1], True),
                ([3, 2], [1, 1], [1, 1], [2, 1], False)):
            out, indices = aten.max_pool2d_with_indices(x, kernel, stride, padding, dilation, ceil)
            add("max_pool2d_with_indices_backward", torch.randn_like(out), x, kernel, stride, padding,
                dilation, ceil, indices)
            for include, divisor in ((True, None), (False, None), (True, 3)):
                out = aten.avg_pool2d(x, kernel, stride, padding, ceil, include, divisor)
                add("avg_pool2d_backward", torch.randn_like(out), x, kernel, stride, padding, ceil,
                    include, divisor)
    # Windows that divide the input evenly.
    for x in (torch.randn(2, 3, 4, 6), torch.randn(3, 4, 6)):
        for divisor in (None, 3):
            out = aten.avg_pool2d(x, [2, 3], [2, 3], [0, 0], False, True, divisor)
            add("avg_pool2d_backward", torch.randn_like(out), x, [2, 3], [2, 3], [0, 0], False, True, divisor)
    x = torch.randn(2, 3, 4, 6, 5)
    add("avg_pool3d_backward", torch.randn(2, 3, 2, 3, 1), x, [2, 2, 5], [2, 2, 5], [0, 0, 0], False, True, None)
    out, indices = aten.max_pool3d_with_indices(x, [2, 3, 2], [1, 2, 2], [0, 1, 1])
    add("max_pool3d_with_indices_backward", torch.randn_like(out), x, [2, 3, 2], [1, 2, 2], [0, 1, 1],
        [1, 1, 1], False, indices)
    out = aten.avg_pool3d(x, [2, 3, 2], [1, 2, 2], [0, 1, 1], False, False)
    add("avg_pool3d_backward", torch.randn_like(out), x, [2, 3, 2], [1, 2, 2], [0, 1, 1], False, False, None)
    for n, kind in itertools.product((1, 2, 3), ("reflection", "replication")):
        padding = [1, 2, 0, 1, 2, 1][:2 * n]
        for batch in ((2,), ()):
            x = torch.randn(*batch, 2, *[4, 5, 6][:n])
            out = overload(f"aten.{kind}_pad{n}d.default")(x, padding)
            add(f"{kind}_pad{n}d", x, padding)
            add(f"{kind}_pad{n}d_backward", torch.randn_like(out), x, padding)

    # Embeddings and slices of tensors.
    for indices in (torch.tensor([1, 0, 2, 1]), torch.tensor([[1, 0], [3, 3]]), torch.tensor(2)):
        weight = torch.randn(4, 3)
        add("embedding", weight, indices)
        for by_frequency, padding in ((False, -1), (False, 1), (True, -1)):
            add("embedding_dense_backward", torch.randn(*indices.shape, 3), indices, 4, padding, by_frequency)
    weight, indices = torch.randn(6, 3), torch.tensor([5, 0, 2, 2, 1])
    for name in ("_embedding_bag", "_embedding_bag_forward_only"):
        add(name, weight, indices, torch.tensor([0, 2, 2]))
        add(name, weight, indices, torch.tensor([0, 2]), False, 1)
        add(name, weight, indices, torch.tensor([0, 3, 5]), False, 1, False, None, True, 2)
        add(name, weight, indices, torch.tensor([0, 1]), False, 0, False, torch.randn(5))
        add(name, weight, indices, torch.tensor([0, 2, 2]), False, 2)
        # The last offset is included (include_last_offset), and 4 of the 5 indices are before it.
        for mode, table, padding in itertools.product((0, 1, 2), (weight, weight.double(), weight.t().clone().t()),
                                                      (-1, 2, 1)):
            add(name, table, indices, torch.tensor([0, 3, 4]), False, mode, False, None, True, padding)
        add(name, weight, indices, torch.tensor([0, 3, 4]), False, 0, False, torch.randn(5), True)

    # Fake quantization, and a oneDNN layer.
    x = torch.cat([torch.randn(3, 20) * 10, torch.tensor([[float("nan"), float("inf"), 1e30, -1e30]] * 3)], 1)
    add("fake_quantize_per_tensor_affine_cachemask", x, 0.1, 3, -8, 100)
    for zero in (torch.tensor([3, -2, 0], dtype=torch.int32), torch.tensor([3.0, -2.0, 0.0])):
        for axis, values in ((0, x), (1, x.t().contiguous())):
            add("fake_quantize_per_channel_affine_cachemask", values, torch.tensor([0.1, 0.5, 0.3]), zero, axis,
                -8, 100)
    for reverse, biases in ((False, True), (True, True), (False, False)):
        weights = [torch.randn(16, 3), torch.randn(16, 4), torch.randn(16), torch.randn(16)]
        add("mkldnn_rnn_layer", torch.randn(5, 2, 3), *weights, torch.randn(2, 4), torch.randn(2, 4), reverse, [], 2,
            4, 2, biases, reverse, False, False)

    add("select_backward", torch.randn(3, 5), [3, 4, 5], 1, -1)
    add("slice_backward", torch.randn(3, 2), [3, 5], 1, 0, 4, 2)
    add("slice_backward", torch.randn(3, 3), [3, 5], -1, 2, 2**63 - 1, 1)
    add("diagonal_backward", torch.randn(3), [3, 4], 1, 0, 1)
    for size, step in ((3, 1), (2, 3), (2, 2)):
        windows = (7 - size) // step + 1
        add("unfold_backward", torch.randn(3, windows, 2, size), [3, 7, 2], 1, size, step)
    index, source = torch.tensor([2, 0, 2]), torch.randn(2, 3)
    add("index_add", torch.randn(2, 4), 1, index, source)
    add("index_add", torch.randn(2, 4), -1, index, source, alpha=2)
    add("index_copy", torch.randn(2, 4), 1, torch.tensor([2, 0, 1]), source)
    add("aten.index_fill.int_Scalar", torch.randn(2, 4), 1, index, 1.5)
    add("aten.index_fill.int_Tensor", torch.randn(2, 4), 0, torch.tensor([1]), torch.tensor(2.5))
    add("aten._unsafe_index.Tensor", torch.randn(3, 4), [None, index])
    add("_unsafe_index_put", torch.randn(2, 4), [None, index], source, True)
    add("take", torch.randn(3, 4), torch.tensor([[0, 11], [5, 5]]))

    # Reductions.
    x = torch.randn(3, 4, 5)
    for dims, keep in itertools.product(([0], [-1, 0], [0, 1, 2]), (False, True)):
        add("logsumexp", x, dims, keep)
        add("aten.mean.dim", x, dims, keep)
        add("nansum", x, dims, keep)
        for correction in (0, 1, 2.5):
            for name in ("std", "std_mean", "var_mean"):
                add(f"aten.{name}.correction", x, dims, correction=correction, keepdim=keep)
        for unbiased in (True, False):
            add("aten.std.dim", x, dims, unbiased, keep)
            for name in ("var", "std_mean", "var_mean"):
                add(f"aten.{name}.dim", x, dims, unbiased, keep)
        for order in (0, 1, 2, 3, math.inf, -math.inf):
            add("linalg_vector_norm", x, order, dims, keep)
            add("aten.norm.ScalarOpt_dim", x, order, dims, keep)
    add("aten.norm.ScalarOpt_dim", x, None, [1])
    add("aten.norm.Scalar", x, 2)
    add("linalg_vector_norm", x)
    add("aten.std.correction", x)
    add("logsumexp", torch.tensor([[-math.inf, -math.inf], [math.inf, 1.0]]), [1])
    add("logsumexp", torch.arange(6).view(2, 3), [1])
    add("sum", x, dtype=torch.float64)
    add("sum", torch.arange(4))
    add("sum", torch.tensor([True, True]))
    add("mean", x, dtype=torch.float64)
    add("aten.mean.dim", torch.randn(3, 4).to(BF16), [1])
    add("count_nonzero", torch.arange(4), 0)
    for flags in (x > 0, x > -9, torch.randint(0, 2, (3, 4, 5))):
        add("all", flags)
        add("aten.all.dim", flags, 1)
        add("aten.all.dims", flags, [0, -1], True)
    add("aminmax", x, dim=1, keepdim=True)
    add("trace", torch.randn(3, 4))

    # Factories.
    add("zeros", [2, 3])
    add("zeros", [2], dtype=torch.int64)
    add("ones", [2, 3])
    add("ones", [])
    add("zeros_like", x, dtype=torch.int64)
    add("ones_like", channels_last(2, 3, 4, 5), memory_format=torch.contiguous_format)
    add("aten.fill.Scalar", x, 2.5)
    add("new_zeros", x, [2, 3])
    add("new_ones", x, [2], dtype=torch.bool)
    add("new_full", x, [2], 3)
    add("arange", 5)
    add("arange", 2.5)
    add("aten.arange.start", 2, 7)
    add("aten.arange.start", 2, 7, dtype=torch.float32)
    add("eye", 3)
    add("aten.eye.m", 3, 4, dtype=torch.int64)
    for diagonal in (0, -1, 2):
        add("tril", torch.randn(3, 4), diagonal)
        add("triu", torch.randn(2, 4, 3).transpose(1, 2), diagonal)

    # Distances.
    add("cosine_similarity", x, torch.randn(3, 4, 5))
    add("cosine_similarity", x, torch.randn(3, 1, 5), -1, 1e-4)
    add("cosine_similarity", torch.tensor([[0.0, 0.0], [1.0, 2.0]]), torch.tensor([[1.0, 2.0], [3.0, -1.0]]))
    for options in ([], [0.5, 2, 1e-6, True], [1.0, 1, 1e-6, False, 2]):
        add("triplet_margin_loss", *(torch.randn(4, 3) for _ in range(3)), *options)

    # Views and joins.
    add("t", torch.randn(3, 4))
    add("t", torch.randn(3))
    add("aten.transpose.int", x, 0, -1)
    add("aten.mT.default", x)
    add("aten.mH.default", x)
    for value in (x, torch.randn(3, 4), torch.randn(3), torch.randn(())):
        add("aten.numpy_T.default", value)
    add("broadcast_tensors", [torch.randn(3, 1), torch.randn(2, 1, 4), torch.randn(())])
    add("broadcast_tensors", [torch.randn(3), torch.randn(3)])
    add("tensordot", x, torch.randn(5, 4, 2), [1, -1], [1, 0])
    add("tensordot", x, torch.randn(2, 3), [0], [1])
    add("tensordot", x, torch.randn(2), [], [])
    add("tensordot", x, torch.randn(3, 5, 4), [2, 0, 1], [1, 0, 2])
    add("tensordot", torch.randn(3, 0), torch.randn(0, 2), [1], [0])
    add("aten.movedim.int", x, 0, 2)
    add("aten.squeeze.dim", torch.randn(3, 1, 2), 1)
    add("aten.squeeze.dim", torch.randn(3, 1, 2), 0)
    add("squeeze", torch.randn(3, 1, 2, 1))
    add("expand_as", torch.randn(3, 1), torch.randn(2, 3, 4))
    add("_unsafe_view", x, [12, 5])
    add("_reshape_alias", x, [12, 5], [5, 1])
    add("view_as", x, torch.randn(12, 5))
    add("reshape", x, [5, -1])
    add("reshape", x.transpose(0, 1), [12, 5])
    add("aten.flatten.using_ints", x, 1)
    add("aten.flatten.using_ints", x.transpose(0, 1))
    add("aten.flatten.using_ints", torch.randn(()))
    add("aten.unflatten.int", x, 1, [2, -1])
    add("narrow", x, 1, 1, 2)
    add("stack", [torch.randn(2, 3), torch.randn(2, 3)], -1)
    add("aten.unbind.int", x, 1)
    add("aten.split.Tensor", x, 2, 1)
    add("aten.split.Tensor", x, 3, -1)
    add("aten.unsafe_split.Tensor", x, 2)
    add("unsafe_split_with_sizes", x, [1, 4], 2)
    add("chunk", x, 3, 2)
    add("roll", x, [1, -2], [0, 2])
    add("roll", x, [7])
    add("pixel_shuffle", torch.randn(2, 8, 3, 2), 2)
    add("pixel_unshuffle", torch.randn(2, 2, 4, 6), 2)
    # Products of Householder reflections, and of three tensors.
    for a in (torch.randn(5, 3), torch.randn(2, 4, 4).double(), torch.randn(4, 2, dtype=torch.complex64)):
        vectors, tau = torch.geqrf(a)
        add("linalg_householder_product", vectors, tau)
        rows = a.shape[-2]
        x = torch.randn(*a.shape[:-2], rows, 3).to(a.dtype)
        for transposed in (False, True):
            add("ormqr", vectors, tau, x, True, transposed)
            add("ormqr", vectors, tau, x.transpose(-2, -1).contiguous(), False, transposed)
    x, y, z = torch.randn(2, 3), torch.randn(3, 4), torch.randn(2, 4)
    add("_trilinear", x, y, z, [2], [0], [1], [1])
    add("_trilinear", x, y, z, [2], [0], [1], [0, 2])

    composites(add)
    edges(add)
    return tested


def build(tested: list[Call]) -> tuple[torch.fx.GraphModule, list[torch.Tensor]]:
    """Returns a graph with all calls, each with separate inputs, and the inputs."""
    graph = torch.fx.Graph()
    inputs: list[torch.Tensor] = []

    def add_input(value: torch.Tensor) -> torch.fx.Node:
        node = graph.placeholder(f"in_{len(inputs)}")
        node.meta["val"] = value
        inputs.append(value)
        return node

    def replaced(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return add_input(value)
        if isinstance(value, (list, tuple)):
            return type(value)(replaced(item) for item in value)
        return value

    arguments = [(op, replaced(args), {k: replaced(v) for k, v in kwargs.items()})
                 for op, args, kwargs in tested]
    nodes = [graph.call_function(op, args, kwargs) for op, args, kwargs in arguments]
    results: list[Any] = []
    for node, (op, _, _) in zip(nodes, tested, strict=True):
        if len(op._schema.returns) == 1:
            results.append(node)
            continue
        count = FIRST_RESULTS.get(op._schema.name, len(op._schema.returns))
        results.append([graph.call_function(operator.getitem, (node, i)) for i in range(count)])
    graph.output(results)
    return torch.fx.GraphModule(torch.nn.Module(), graph), inputs


def wide(x: torch.Tensor) -> torch.Tensor:
    return x.to(torch.complex128 if x.is_complex() else torch.float64)


def same(a: Any, b: Any, exact: bool) -> str:
    """Returns the differences; "" if there are none."""
    if not isinstance(b, torch.Tensor):
        return "" if a is b else f"{a} instead of {b}"
    if not isinstance(a, torch.Tensor):
        return f"{a} instead of a tensor"
    for what in ("dtype", "shape", "stride"):
        x, y = ((getattr(t, what)() if what == "stride" else getattr(t, what)) for t in (a, b))
        if exact and x != y:
            return f"{what} {x} instead of {y}"
    if a.is_complex():
        # The sign of a zero decides on which side of a branch cut a number lies.
        a, b = (torch.view_as_real(t.resolve_conj()) for t in (a, b))
        if a.shape == b.shape and ((a == 0) & (b == 0) & (a.signbit() != b.signbit())).any():
            return f"zeros of other signs: {a.tolist()[:8]} instead of {b.tolist()[:8]}"
    loose = a.dtype == BF16
    if a.shape == b.shape and torch.allclose(wide(a), wide(b), rtol=2e-2 if loose else 1e-4,
                                             atol=2e-2 if loose else 2e-6, equal_nan=True):
        return ""
    return f"values {a.flatten()[:4].tolist()} instead of {b.flatten()[:4].tolist()}"


def bit_equal(a: Any, b: Any) -> bool:
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return a is b
    return a.dtype == b.dtype and torch.equal(a.nan_to_num(nan=7.25), b.nan_to_num(nan=7.25))


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


class Recorder(torch.fx.Interpreter):
    def run_node(self, n: torch.fx.Node) -> Any:
        n.meta["value"] = super().run_node(n)
        return n.meta["value"]


def decomposed(
    gm: torch.fx.GraphModule, passes: str, folder: Path
) -> tuple[torch.fx.GraphModule, dict[str, Any]]:
    """The module after the passes, and the types of its nodes as in the document."""
    fx_export.dump(gm, folder / "in.json")
    subprocess.run([FXCPP, "opt", folder / "in.json", "--passes", passes, "-o", folder / "out.json"],
                   check=True)
    document = json.loads((folder / "out.json").read_text("utf-8"))
    types = {node["name"]: node.get("val") for node in document["graph"]["nodes"]}
    return fx_export.load(document, values=False), types


def has_type(value: torch.Tensor, known: Any) -> bool:
    """Returns True if a type in a document is the type of the value."""
    return isinstance(known, dict) and (known.get("t"), known.get("shape"), known.get("stride")) == (
        str(value.dtype).removeprefix("torch."), list(value.shape), list(value.stride()))


def ops_of(gm: torch.fx.GraphModule) -> set[str]:
    return {str(n.target) for n in gm.graph.nodes if isinstance(n.target, torch._ops.OpOverload)}


# parity: E18 D0d
def check_values(tested: list[Call], table: dict[str, bool], folder: Path) -> list[str]:
    gm, inputs = build(tested)
    copied = [t.clone() for t in inputs]
    torch.manual_seed(1)
    want = gm(*copied)
    findings = []
    for passes in ("propagate_types,decompose{strict}", "propagate_types,decompose{set=all,strict}"):
        after, types = decomposed(gm, passes, folder)
        written = [t.clone() for t in inputs]
        torch.manual_seed(1)
        got = Recorder(after).run(*written)
        bits = total = 0
        for (op, args, kwargs), a, b in zip(tested, got, want, strict=True):
            for x, y in zip(leaves(a), leaves(b), strict=True):
                difference = same(x, y, exact=True)
                if difference:
                    findings.append(f"{passes} {op}: {difference} {[getattr(t, 'shape', t) for t in args]} {kwargs}")
                total += 1
                bits += bit_equal(x, y)
        for a, b in zip(written, copied, strict=True):
            if same(a, b, exact=True):
                findings.append(f"{passes}: an input differs after a write")
        for node in after.graph.nodes:
            value = node.meta.get("value")
            if isinstance(value, torch.Tensor) and not has_type(value, types[node.name]):
                findings.append(f"{passes} {node.format_node()}: its type is {types[node.name]}, not "
                                f"{value.dtype} {list(value.shape)} {value.stride()}")
        remaining = ops_of(after) & {op for op, core in table.items() if core or "all" in passes}
        if remaining:
            findings.append(f"{passes}: not decomposed: {sorted(remaining)}")
        print(f"{passes}: {len(gm.graph.nodes)} nodes, then {len(after.graph.nodes)}; of {total} results "
              f"{bits} bit-equal")
        if "all" not in passes:
            findings += [f"{op} is not a core operator" for op in sorted(ops_of(after) - NOT_DECOMPOSED)
                         if torch_decomposes(op) and op not in KEPT_FOR_AUTOGRAD
                         and torch.Tag.core not in overload(op).tags]
    return findings


def has_derivative(results: list[Any]) -> list[bool]:
    return [isinstance(x, torch.Tensor) and x.requires_grad for x in results]


def weighted_sum(results: list[Any], chosen: list[bool]) -> torch.Tensor | None:
    """Returns a weighted sum of the chosen results that have a gradient; None if there are none."""
    terms = []
    for result, is_chosen in zip(results, chosen, strict=True):
        if is_chosen and result.requires_grad:
            weights = torch.linspace(0.5, 1.5, result.numel()).reshape(result.shape).to(result.dtype)
            terms.append((result * weights).sum())
    return sum(terms[1:], terms[0]) if terms else None


def gradients(results: list[Any], chosen: list[bool], leaves_of_call: list[torch.Tensor]) -> list[torch.Tensor]:
    """Returns a gradient for each leaf: zeros if there is none. Complex numbers have no order, so
    their gradients are those of the real part."""
    total = weighted_sum(results, chosen)
    if total is None:
        return [torch.zeros_like(leaf) for leaf in leaves_of_call]
    found = torch.autograd.grad(total.real if total.is_complex() else total, leaves_of_call, retain_graph=True,
                                allow_unused=True)
    return [torch.zeros_like(leaf) if grad is None else grad for grad, leaf in zip(found, leaves_of_call)]


def trainable(op: Any, args: Any, kwargs: Any) -> list[bool]:
    """Returns which tensors of a call can have a gradient, in order; none if the operator has no
    derivative."""
    given = [leaf for leaf in leaves([list(args), list(kwargs.values())]) if isinstance(leaf, torch.Tensor)]
    real = [x.is_floating_point() or x.is_complex() for x in given]
    first = [i == real.index(True) for i in range(len(real))] if any(real) else real
    for flags in (real, first):
        copies = iter([x.clone().requires_grad_(flag) for x, flag in zip(given, flags)])

        def replaced(value: Any, copies: Any = copies) -> Any:
            if isinstance(value, torch.Tensor):
                return next(copies)
            return type(value)(map(replaced, value)) if isinstance(value, (list, tuple)) else value

        try:
            inputs = [replaced(value) for value in args]
            named = {k: replaced(v) for k, v in kwargs.items()}
            results = leaves(op(*inputs, **named))
            wanted = [x for x in leaves([inputs, list(named.values())])
                      if isinstance(x, torch.Tensor) and x.requires_grad]
            chosen = has_derivative(results)
            if any(chosen):
                gradients(results, chosen, wanted)
                return flags
        except (RuntimeError, NotImplementedError):
            continue  # a derivative is not implemented
    return [False] * len(given)


def has_wrong_derivative(op: Any, args: Any) -> bool:
    """True for calls whose derivatives in libtorch are wrong: scale_grad_by_freq is ignored in the
    second derivative, indices after the last offset get uninitialized memory, and biases that a layer
    does not read have a gradient."""
    if str(op) == "aten.mkldnn_rnn_layer.default":
        return not args[12]
    if str(op) == "aten.embedding_dense_backward.default":
        return bool(args[4])
    return "embedding_bag" in str(op) and len(args) > 7 and bool(args[7])


# parity: E18
def check_gradients(tested: list[Call], folder: Path) -> list[str]:
    """Compares the gradients of operators with those of their decompositions, where they are finite."""
    tested = [call for call in tested if not call[0]._schema.is_mutable]
    gm, inputs = build(tested)
    flags = [flag for op, args, kwargs in tested for flag in trainable(op, args, kwargs)]
    findings, compared, calls_compared = [], 0, set()
    for passes in ("propagate_types,decompose{strict}", "propagate_types,decompose{set=all,strict}"):
        runs = []
        for module in (gm, decomposed(gm, passes, folder)[0]):
            torch.manual_seed(1)
            copies = [x.clone().requires_grad_(flag) for x, flag in zip(inputs, flags, strict=True)]
            runs.append((copies, module(*copies)))
        place = 0
        for i, (op, args, kwargs) in enumerate(tested):
            count = sum(isinstance(x, torch.Tensor) for x in leaves([list(args), list(kwargs.values())]))
            of_call = []
            chosen = has_derivative(leaves(runs[0][1][i]))
            for copies, results in runs:
                wanted = [x for x, flag in zip(copies[place : place + count], flags[place:]) if flag]
                of_call.append(gradients(leaves(results[i]), chosen, wanted) if wanted else [])
            place += count
            if ("all" in passes and str(op) in STOPPED_BY_DETACH) or has_wrong_derivative(op, args):
                continue
            for k, (want, got) in enumerate(zip(*of_call, strict=True)):
                loose = BF16 in (want.dtype, *(x.dtype for x in args if isinstance(x, torch.Tensor)))
                compared += 1
                calls_compared.add(str(op))
                finite = torch.isfinite(want)
                if not torch.allclose(wide(got)[finite], wide(want)[finite], rtol=5e-2 if loose else 2e-3,
                                      atol=5e-2 if loose else 2e-5):
                    findings.append(f"{passes} {op}: gradient {k} is {got.flatten()[:40].tolist()} instead of "
                                    f"{want.flatten()[:40].tolist()} {args} {kwargs}")
    print(f"{compared} gradients of {len(calls_compared)} operators compared")
    if not compared:
        findings.append("no gradients were compared")
    return findings


# parity: E18
def check_torch(tested: list[Call], folder: Path) -> list[str]:
    """Compares the operators with torch's decompositions, and returns the differences."""
    gm, inputs = build(tested)
    names = " ".join(sorted({str(op) for op, _, _ in tested}))
    after, _ = decomposed(gm, f'propagate_types,decompose{{set=none,ops="{names}",strict}}', folder)
    got = after(*[t.clone() for t in inputs])
    findings, compared, bits = [], 0, 0
    for (op, args, kwargs), a in zip(tested, got, strict=True):
        function = decomposition_table.get(op)
        if function is None or torch.Tag.nondeterministic_seeded in op.tags:
            continue
        try:
            b = function(*[x.clone() if isinstance(x, torch.Tensor) else x for x in args], **kwargs)
        except Exception:  # torch's decomposition rejects these arguments
            continue
        if b is NotImplemented:
            continue
        for i, (x, y) in enumerate(zip(leaves(a), leaves(b), strict=False)):
            if "flash_attention" in str(op) and i == 1:
                continue  # torch returns the weights instead of logsumexp
            if y is None or x is None:
                continue
            compared += 1
            bits += bit_equal(x, y)
            if difference := same(x, y, exact=False):
                findings.append(f"{op} and torch's decomposition: {difference}")
    print(f"torch's decompositions: {compared} results compared, {bits} bit-equal")
    return findings


def check_sets(table: dict[str, bool]) -> list[str]:
    """Entries marked `core` must be in torch's table of core decompositions, or composite."""
    return [f"{op} is {'' if core else 'not '}core in fxcpp, but {'' if not core else 'not '}in torch"
            for op, core in table.items()
            if core != (op not in KEPT_FOR_AUTOGRAD and torch_decomposes(op))]


def main() -> int:
    listed = subprocess.run([FXCPP, "passes", "--decompositions"], capture_output=True, text=True, check=True)
    table: dict[str, bool] = {}
    core = False
    for line in listed.stdout.split("\ncomposite")[0].splitlines():
        if not line.startswith(" "):
            core = line.startswith("core")
            continue
        for op in line.split():
            table[op if op.count(".") == 2 else f"{op}.default"] = core
    only = set(sys.argv[1:])
    findings = [] if only else check_sets(table)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SEEDS):
            torch.manual_seed(seed)
            tested = [call for call in calls() if not only or str(call[0]) in only]
            if not only and seed == 0:
                findings += [f"{op} is not tested" for op in table.keys() - {str(op) for op, _, _ in tested}]
            findings += check_values(tested, table, Path(folder))
            exceptional: list[Call] = []
            exceptional_values(adder(exceptional))
            exceptional = [call for call in exceptional if not only or str(call[0]) in only]
            findings += check_values(exceptional, {}, Path(folder)) if exceptional else []
            findings += check_torch(tested, Path(folder))
            findings += check_gradients(tested, Path(folder))
    print("\n".join([*findings, f"{len(tested)} calls of {len(table)} entries, {len(findings)} findings"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
