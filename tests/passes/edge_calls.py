"""Calls with inputs at which derivatives are exceptional, for test_decompose.py: zeros, infinities,
large numbers, and the thresholds of operators."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

INF = math.inf


def numbers(dtype: torch.dtype = torch.float32) -> torch.Tensor:
    positive = [0.0, 0.25, 0.5, 1.0, 1.5, 3.0, 6.0, 20.0, 20.5, 90.0, 1e4, 1e30, INF]
    return torch.tensor(positive + [-x for x in positive], dtype=dtype)


def complex_numbers(dtype: torch.dtype = torch.complex64) -> torch.Tensor:
    """Returns numbers whose parts are all pairs of these, zeros of both signs among them."""
    parts = torch.tensor([0.0, -0.0, 1.0, -1.0, -2.0, 1e-30, INF, -INF, math.nan], dtype=dtype.to_real())
    return torch.complex(parts.repeat_interleave(len(parts)), parts.repeat(len(parts)))


def pairs(first: list[float], second: list[float]) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns all pairs of two numbers, as two tensors."""
    return (torch.tensor(first).repeat_interleave(len(second)), torch.tensor(second * len(first)))


def activations(add: Callable[..., None]) -> None:
    for x in (numbers(), numbers(torch.float64)):
        # Below -10, x magnifies the rounding error of erf; libtorch's kernel returns NaN at infinity.
        add("gelu", x[(x > -10) & (x < INF)])
        for name in ("relu", "relu6", "silu", "mish", "softplus", "elu", "celu", "hardtanh", "leaky_relu",
                     "hardshrink", "softshrink", "hardsigmoid", "hardswish", "log_sigmoid_forward", "log_sigmoid",
                     "sgn", "sinc", "square", "nan_to_num", "deg2rad", "rad2deg", "nansum", "std", "logsumexp"):
            add(name, x, *([[0]] if name == "logsumexp" else []))
        add("gelu", x, approximate="tanh")
        add("softplus", x, 2.0, 5.0)
        add("softplus", x, -1.0, 3.0)
        add("elu", x, 0.5, 1.5, 0.25)
        add("celu", x, 0.5)
        for low, high in ((-1, 1), (-0.5, 0.25), (0, 6), (3, -3), (1, 1)):
            add("hardtanh", x, low, high)
        for slope in (0.5, 0.0, INF):
            add("leaky_relu", x, slope)
        add("hardshrink", x, 1.5)
        add("softshrink", x, 1.5)
        add("threshold", x, 1, 20)
        add("clamp_min", x, 1)
        add("clamp_max", x, 1)
        add("_prelu_kernel", x, torch.full((1,), 0.25, dtype=x.dtype))
        add("prelu", x.reshape(2, 13), torch.tensor([0.25, -2.0], dtype=x.dtype).repeat(7)[:13])
    share = torch.tensor([0.0, 0.1, 0.5, 0.9, 1.0, -1.0, 2.0, 1e-30])
    for eps in (0.1, 0.0, None):
        add("logit", share, eps)
    for dtype in (torch.complex64, torch.complex128):
        z = complex_numbers(dtype)
        for name in ("square", "sinc", "negative"):
            add(name, z[z.abs() < 10] if name == "sinc" else z)

    for x in (numbers(), numbers(torch.float64)):
        g = torch.linspace(0.5, 1.5, x.numel(), dtype=x.dtype)
        for name in ("silu_backward", "mish_backward", "hardsigmoid_backward", "hardswish_backward"):
            add(name, g, x)
        for approximate in ("none", "tanh"):
            add("gelu_backward", g, x, approximate=approximate)
        add("sigmoid_backward", g, torch.sigmoid(x))
        add("tanh_backward", g, torch.tanh(x))
        add("hardtanh_backward", g, x, -1, 1)
        for slope in (0.5, INF):
            add("leaky_relu_backward", g, x, slope, False)
        add("threshold_backward", g, x, 1)
        add("softplus_backward", g, x, 1.0, 20.0)
        add("softplus_backward", g, x, 2.0, 5.0)
        add("elu_backward", g, 0.5, 1.5, 0.25, False, x)
        add("elu_backward", g, 0.5, 1.5, 0.25, True, torch.nn.functional.elu(x, 0.5))
        add("log_sigmoid_backward", g, x, torch.exp(-x.abs()))
        # libtorch's second derivative at 0 is that of the other branch.
        add("_prelu_kernel_backward", g[x != 0], x[x != 0], torch.full_like(x[x != 0], 0.25))
    for eps in (0.1, None):
        add("logit_backward", torch.ones(8), share, eps)


def losses(add: Callable[..., None]) -> None:
    x, y = pairs(numbers().tolist(), [0.0, 1.0, -1.0])
    g = torch.linspace(0.5, 1.5, x.numel())
    for name in ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss"):
        add(name, x, y, 0)
    for limit in (3.0, INF):
        add("smooth_l1_loss", x, y, 0, limit)
        add("huber_loss", x, y, 0, limit)
        add("smooth_l1_loss_backward", g, x, y, 0, limit)
        add("huber_loss_backward", g, x if limit < INF else x.clamp(-1e30, 1e30), y, 0, limit)
    for reduction in (0, 1, 2):
        add("smooth_l1_loss", x.clamp(-1e4, 1e4), y + 0.1, reduction, 0.0)  # has no derivative at 0
        add("soft_margin_loss", x.clamp(-1e4, 1e4), y, reduction)
    add("mse_loss_backward", g, x, y, 0)
    add("soft_margin_loss_backward", g, x.clamp(-80, 80), y, 0)  # the kernel returns NaN above 80
    add("binary_cross_entropy_with_logits", x, y.clamp(0, 1), None, None, 0)
    add("binary_cross_entropy_with_logits", x, y.clamp(0, 1), torch.full_like(x, 2.0), torch.full_like(x, 3.0), 0)
    x, y = pairs([0.0, 1e-30, 1e-13, 2e-12, 0.25, 0.5, 1 - 1e-6, 1.0], [0.0, 1.0, 0.5])
    for reduction in (0, 1, 2):
        add("binary_cross_entropy", x, y, None, reduction)
        add("binary_cross_entropy", x, y, torch.linspace(0, 2, x.numel()), reduction)
        add("binary_cross_entropy", x.double(), y.double(), None, reduction)
    logs = torch.tensor([[0.0, -INF, -1.0], [-2.0, -1.0, 0.0]])
    for reduction in (0, 1, 2):
        add("nll_loss_forward", logs, torch.tensor([-100, -100]), None, reduction, -100)
        add("nll_loss_forward", logs, torch.tensor([0, -100]), torch.tensor([1.0, 0.5, 2.0]), reduction, -100)
    probabilities = torch.tensor([0.0, 0.25, 1.0])
    add("kl_div", torch.tensor([-1.0, -2.0, 0.0]), probabilities, 0)
    add("cross_entropy_loss", torch.tensor([[90.0, -90.0, 1e4], [0.0, 0.0, 0.0]]), probabilities.repeat(2, 1))


def arithmetic(add: Callable[..., None]) -> None:
    x, y = pairs([0.0, -0.0, 1.0, -2.0, 1e30, INF], [0.0, 0.5, 1.0, 3.0, -1.0, 1e30, INF, -INF])
    add("aten.xlogy.Tensor", x, y)
    add("aten.xlogy.Tensor", torch.zeros(1), y)
    add("logaddexp", x, y)
    for weight in (0.25, 0.5, 1.0):
        add("aten.lerp.Scalar", x, y, weight)
        add("aten.lerp.Tensor", x, y, torch.full_like(x, weight))
    for sizes in ((0, 4), (3, 0)):
        for beta in (0, 2):
            add("addmv", torch.ones(sizes[0]), torch.ones(sizes), torch.ones(sizes[1]), beta=beta)
    add("addcmul", x, y, x)
    add("addcdiv", x, y, torch.full_like(x, 2.0))
    add("aten.where.ScalarOther", x > 0, y, 2.5)
    add("aten.masked_fill.Scalar", x, y > 0, INF)
    add("nan_to_num", torch.tensor([math.nan, 0.0, INF, -INF]))
    add("tril", torch.full((3, 3), INF))
    grid = torch.tensor([[0.0, 0.25, -0.25, 0.3, 1e30, -1e30, INF, -INF]])
    add("fake_quantize_per_tensor_affine_cachemask", grid, 0.1, 3, -8, 100)
    add("fake_quantize_per_tensor_affine", grid, 0.1, 3, -8, 100)
    add("fake_quantize_per_channel_affine_cachemask", grid, torch.tensor([0.1]), torch.tensor([3], dtype=torch.int32),
        0, -8, 100)


def reductions(add: Callable[..., None]) -> None:
    rows = torch.tensor([[0.0, 0.0, 0.0], [2.0, 2.0, 2.0], [0.0, -1.0, 2.0], [3.0, -4.0, 1.0]])
    for x in (rows, rows.double()):
        for keep in (False, True):
            for order in (0, 0.5, 1, 1.5, 2, 3, -1, INF, -INF):
                add("linalg_vector_norm", x, order, [1], keep)
                add("aten.norm.ScalarOpt_dim", x, order, [1], keep)
            for name in ("std", "std_mean", "var_mean"):
                add(f"aten.{name}.correction", x, [1], correction=1, keepdim=keep)
            add("aten.std.dim", x, [1], True, keep)
        add("aten.norm.Scalar", x, 2)
        add("aten.norm.Scalar", x * 0, 2)
        add("aten.std.correction", x * 0)
        add("pairwise_distance", x, x, 2.0, 0.0)
        add("aminmax", x, dim=1)
    hidden = torch.tensor([[-INF, -INF, -INF], [0.0, -INF, 1.0], [90.0, -90.0, 1e4], [1.0, 1.0, 1.0]])
    add("logsumexp", hidden, [1])
    for name in ("_softmax", "_log_softmax"):
        add(name, hidden, 1, False)
    add("_safe_softmax", hidden, 1)
    add("_safe_softmax", hidden, 0)


def exceptional_values(add: Callable[..., None]) -> None:
    """Calls whose values at NaN, -0.0, infinity or a threshold of 0 differ from those of simpler formulas,
    and at which the derivative, if there is one, is that of any side. Their values are compared with the
    operators', but not with torch's decompositions, some of which are such formulas."""
    nan = torch.tensor([math.nan, 0.0, -0.0, 1.0, -1.0, 2.0])
    g = torch.linspace(0.5, 1.5, 6)
    for name in ("relu", "relu6", "silu", "mish", "softplus", "elu", "celu", "hardtanh", "leaky_relu", "hardshrink",
                 "softshrink", "hardsigmoid", "hardswish", "log_sigmoid", "gelu", "deg2rad", "square", "sinc"):
        add(name, nan)
    for name in ("silu_backward", "mish_backward", "hardsigmoid_backward", "hardswish_backward"):
        add(name, g, nan)
    for eps in (0.1, 0.0, None):
        add("logit", nan, eps)
        add("logit_backward", g, nan, eps)
    for limit in (0.0, 1.0, 3.0):
        add("smooth_l1_loss", nan, torch.zeros(6), 0, limit)
        add("smooth_l1_loss_backward", g, nan, torch.zeros(6), 0, limit)
        if limit > 0:
            add("huber_loss", nan, torch.zeros(6), 0, limit)
            add("huber_loss_backward", g, nan, torch.zeros(6), 0, limit)
    logs, target = torch.tensor([[0.0, -INF, -1.0], [-2.0, -1.0, 0.0]]), torch.tensor([0, -100])
    for reduction in (0, 1, 2):
        for total in (0.0, 1.0):
            weight = torch.tensor([INF, -1.0]) if reduction == 0 else torch.tensor(INF if total else 2.0)
            add("nll_loss_backward", weight, logs, target, None, reduction, -100, torch.tensor(total))


def edges(add: Callable[..., None]) -> None:
    activations(add)
    losses(add)
    arithmetic(add)
    reductions(add)
