#!/usr/bin/env python3
"""Compares lower_to_aten with torch: programs that torch.fx traced must compute the same results
after they are lowered to ATen operators.

    test_lower_to_aten.py [NUMBER...]

torch.fx.symbolic_trace traces the programs, fx_export writes them for fxcpp with the types of
the inputs, and `lower_to_aten{strict}` lowers them. Every call must then be an ATen overload (or
a Python operator on numbers and lists), results must be bit-equal to the programs' results, and the
types that lower_to_aten set must be the types of the values. Exit status 77: torch is missing.
"""

import operator
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
X, Y = torch.rand(2, 3, 4), torch.rand(2, 3, 4)
IMAGE, SEQUENCE = torch.randn(2, 4, 8, 8), torch.randn(2, 4, 9)
VOLUME = torch.randn(2, 3, 5, 6, 7)
LOGITS, CLASSES = torch.randn(5, 3), torch.tensor([0, 2, 1, 1, 0])
SQUARE = torch.randn(4, 4)
MASK = torch.tensor([[[True, False, True, False]]])
INDEX = torch.tensor([2, 0, 1])
W = torch.randn(6, 4, 3, 3)


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(4, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.fc = nn.Linear(3, 5)
        self.scale = nn.Parameter(torch.rand(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.norm(self.conv(x)), inplace=True)
        return F.softmax(self.fc(x.mean([2, 3])), dim=-1) * self.scale


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(4, 12), nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(batch, length, 2, width // 2).transpose(1, 2)
        k = k.reshape(batch, length, 2, -1).transpose(1, 2)
        v = v.view(x.size(0), x.size(1), 2, width // 2).permute(0, 2, 1, 3)
        scores = (q @ k.transpose(-2, -1)) / (width // 2) ** 0.5
        y = torch.softmax(scores, -1) @ v
        return self.out(y.transpose(1, 2).contiguous().view(batch, length, width))


def pooled(results: Any) -> tuple[Any, Any]:
    return results[0], results[1]


def record(function: Callable[..., Any], *args: Any) -> Any:
    """Records a call to a function that torch.fx would replace: operator.iadd by operator.add."""
    return args[-1].tracer.create_proxy("call_function", function, args, {})


PROGRAMS: list[tuple[Callable[..., Any], tuple[torch.Tensor, ...]]] = [
    (Mlp().eval(), (IMAGE,)), (Mlp(), (IMAGE,)), (Attention(), (X,)),
    (lambda x, y: x + y, (X, Y)), (lambda x: x + 1, (X,)), (lambda x: 2 * x - 1, (X,)),
    (lambda x: 1 - x, (X,)), (lambda x: 1 / (x + 1), (X,)), (lambda x: 2 ** x, (X,)),
    (lambda x: x ** 2, (X,)), (lambda x, y: x ** y, (X, Y)), (lambda x: x // 0.3, (X,)),
    (lambda x: x % 0.3, (X,)), (lambda x: -x, (X,)), (lambda x, y: x @ y.transpose(1, 2), (X, Y)),
    (lambda x, y: (x < y) & (x > 0.1) | ~(y >= 0.5), (X, Y)),
    (lambda x, y: (x == y) ^ (x != 0.5), (X, Y)), (lambda x: 0.5 <= x, (X,)),
    (lambda i: i << 1 >> 1, (INDEX,)), (lambda x, y: operator.iadd(x + 0, y), (X, Y)),
    (lambda x: operator.imul(x + 1, 2), (X,)),
    # `n += x` returns a new value if n is a number.
    *((lambda x, f=getattr(operator, name): record(f, x.size(1), x), (X,)) for name in (
        "iadd", "isub", "imul", "itruediv", "ipow", "ifloordiv", "imod")),
    *((lambda i, f=getattr(operator, name): record(f, i.size(0), i + 1), (INDEX,)) for name in (
        "iadd", "isub", "imul", "itruediv", "ipow", "ifloordiv", "iand", "ior", "ixor", "ilshift", "irshift")),
    *((lambda i, f=getattr(operator, name): f(i + 0, i.flip(0) + 1), (INDEX,)) for name in (
        "floordiv", "iand", "ifloordiv", "ilshift", "imod", "ior", "ipow", "irshift", "isub", "ixor")),
    *((lambda x, f=getattr(operator, name): f(x), (X,)) for name in ("abs", "neg", "pos")),
    (lambda x: operator.imatmul(x, x), (SQUARE,)), (lambda i: operator.inv(i), (INDEX,)),
    (lambda x, y: operator.itruediv(x + 0, y), (X, Y)),
    (lambda x: x[0], (X,)), (lambda x: x[:, 1:], (X,)), (lambda x: x[..., 0], (X,)),
    (lambda x: x[:, None, ..., ::2], (X,)), (lambda x: x[-1, 1:3, 2], (X,)),
    (lambda x, i: x[:, i], (X, INDEX)), (lambda x, m: x[m.expand(2, 3, 4)], (X, MASK)),
    (lambda x: x.view(2, 12), (X,)), (lambda x: x.view(-1), (X,)), (lambda x: x.view([6, 4]), (X,)),
    (lambda x: x.permute(2, 0, 1), (X,)), (lambda x: x.reshape(x.size(0), -1), (X,)),
    (lambda x: x.view(x.shape[0] * x.shape[1], x.shape[-1]), (X,)),
    (lambda x: x.expand(5, -1, -1, -1), (X,)), (lambda x: x.repeat(2, 1, 1), (X,)),
    (lambda x, y: x.view(y.size()), (X, Y)), (lambda x: x.new_zeros(2, 3), (X,)),
    (lambda x: x.flatten(1).unsqueeze(0).squeeze(), (X,)), (lambda s: s.T + s.mT, (SQUARE,)),
    (lambda x: x.float().double().half().to(torch.bfloat16).long(), (X,)),
    (lambda x: (x * 4).int().bool(), (X,)), (lambda x, i: i.to(x.dtype) + i.type_as(x), (X, INDEX)),
    (lambda x: x.to(torch.float64, copy=True).contiguous(), (X,)),
    (lambda x: x.sum(), (X,)), (lambda x: x.sum(-1, keepdim=True) + x.mean(dim=(0, 1)), (X,)),
    (lambda x: x.max(), (X,)), (lambda x: x.max(dim=1)[0] + torch.min(x, 1).values, (X,)),
    (lambda x: x.argmax(-1), (X,)), (lambda x: torch.topk(x, 2)[1], (X,)),
    (lambda x: x.sort(descending=True)[0], (X,)), (lambda x: torch.cumsum(x, dim=1), (X,)),
    (lambda x: x.norm(), (X,)), (lambda x: torch.var(x, 1), (X,)), (lambda x: x.std(), (X,)),
    (lambda x: torch.clamp(x, 0.2, max=0.7), (X,)), (lambda x: x.clamp(min=0.5), (X,)),
    (lambda x, m: x.masked_fill(m, 0.0), (X, MASK)), (lambda x, y: torch.where(x > y, x, 0.0), (X, Y)),
    (lambda x, y: torch.maximum(x, y).lerp(y, 0.3), (X, Y)), (lambda x: x.tril(1), (SQUARE,)),
    (lambda x, y: torch.add(x, y, alpha=2), (X, Y)), (lambda x: torch.add(input=x, other=3), (X,)),
    (lambda x, y: torch.cat([x, y], 1), (X, Y)), (lambda x, y: torch.cat((x, y), dim=-1), (X, Y)),
    (lambda x, y: torch.stack([x, y]), (X, Y)), (lambda x: x.split(2, dim=2)[1], (X,)),
    (lambda x: torch.split(x, [1, 3], -1)[0], (X,)), (lambda x: x.unbind(0)[1], (X,)),
    (lambda x: torch.chunk(x, 2, dim=2)[0] + 1, (X,)),
    (lambda x, y: torch.einsum("bij,bkj->bik", x, y), (X, Y)),
    (lambda x, y: torch.bmm(x, y.permute(0, 2, 1)), (X, Y)),
    (lambda x: torch.zeros_like(x) + torch.ones(4), (X,)),
    (lambda x: x * torch.arange(4, dtype=torch.float32), (X,)),
    (lambda x: torch.full((3,), 0.5) + x.mean(-1), (X,)),
    (lambda x: torch.rsqrt(x + 1).exp().log1p().sin_(), (X,)), (lambda x: x.gelu() if 0 else F.gelu(x), (X,)),
    (lambda x: F.relu(x) + F.silu(x) + F.elu(x, 0.5) + F.leaky_relu(x, 0.2), (X,)),
    (lambda x: F.hardtanh(F.hardswish(x)) + F.relu6(x) + F.mish(x), (X,)),
    (lambda x: F.gelu(x, approximate="tanh") + F.softplus(x, 2.0), (X,)),
    (lambda x: F.glu(x, -1), (X,)), (lambda x: F.log_softmax(x, 1), (X,)),
    (lambda x: F.softmax(x, dim=0, dtype=torch.float64), (X,)), (lambda x: x.softmax(-1), (X,)),
    (lambda x: x.view(x.shape[:-2] + (12,)), (X,)), (lambda x: F.layer_norm(x, (4,)), (X,)), (lambda x: F.layer_norm(x, x.shape[1:]), (X,)),
    (lambda x: x.topk(2).indices + x.sort(1).indices[..., :2], (X,)), (lambda x: torch.std_mean(x, 1)[1], (X,)),
    (lambda x: F.group_norm(x, 2, eps=1e-3), (IMAGE,)), (lambda x: F.instance_norm(x), (IMAGE,)),
    (lambda x: F.max_pool2d(x, 2), (IMAGE,)), (lambda x: F.max_pool1d(x, 3, stride=1), (SEQUENCE,)),
    (lambda x: F.avg_pool2d(x, 3, 2, padding=1), (IMAGE,)),
    (lambda x: F.adaptive_avg_pool2d(x, (2, 3)), (IMAGE,)),
    (lambda x: F.adaptive_avg_pool2d(x, 1), (IMAGE,)), (lambda x: F.adaptive_avg_pool1d(x, 3), (SEQUENCE,)),
    (lambda x, w: F.conv2d(x, w, padding=1), (IMAGE, W)),
    (lambda x, w: torch.conv2d(x, w, None, (2, 1), dilation=2), (IMAGE, W)),
    (lambda x, w: F.linear(x, w), (X, SQUARE)), (lambda x: F.pad(x, (1, 2)), (X,)),
    (lambda x: F.pad(x, (1, 1), mode="reflect"), (X,)), (lambda x: F.pad(x, [0, 1], value=2.0), (X,)),
    (lambda x, w: F.embedding(x, w, padding_idx=1), (INDEX, SQUARE)),
    (lambda i: F.one_hot(i, 5), (INDEX,)),
    (lambda x, t: F.cross_entropy(x, t), (LOGITS, CLASSES)),
    (lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1, reduction="sum"), (LOGITS, CLASSES)),
    (lambda x, t: F.nll_loss(F.log_softmax(x, -1), t, ignore_index=2), (LOGITS, CLASSES)),
    (lambda x, y: F.mse_loss(x, y, weight=x), (X, Y)), (lambda x, y: F.mse_loss(x, y, None, None, "none", y), (X, Y)),
    (lambda x, y: F.l1_loss(x, y, weight=y), (X, Y)), (lambda x, y: F.huber_loss(x, y, "mean", 0.2, weight=y), (X, Y)),
    (lambda x, y: F.huber_loss(x, y, "sum", weight=y), (X, Y)), (lambda x: F.feature_alpha_dropout(x, 0.4, True), (IMAGE,)),
    (lambda x: F.feature_alpha_dropout(x.clone(), 0.4, True, inplace=True), (IMAGE,)), (lambda x: F.fractional_max_pool2d(x, 2, output_size=3), (IMAGE,)),
    (lambda x: F.fractional_max_pool2d(x, (2, 3), output_ratio=(0.6, 0.4), return_indices=True)[1], (IMAGE,)), (lambda x: F.fractional_max_pool2d(x[0], 2, (3, 5)), (IMAGE,)),
    (lambda x: F.fractional_max_pool3d(x, 2, output_ratio=(0.5, 0.7, 0.8)), (VOLUME,)), (lambda x: F.fractional_max_pool3d(x, (1, 2, 3), 3, return_indices=True)[1], (VOLUME,)),
    (lambda x: F.max_unpool1d(*pooled(F.max_pool1d(x, 3, return_indices=True)), 3), (SEQUENCE,)), (lambda x: F.max_unpool1d(*pooled(F.max_pool1d(x, 2, return_indices=True)), 2, output_size=[9]), (SEQUENCE,)),
    (lambda x: F.max_unpool2d(*pooled(F.max_pool2d(x, 4, 2, 1, return_indices=True)), 4, 2, 1), (IMAGE,)), (lambda x: F.max_unpool2d(*pooled(F.max_pool2d(x, 2, return_indices=True)), 2, None, 0, [2, 4, 9, 8]), (IMAGE,)),
    (lambda x: F.max_unpool3d(*pooled(F.max_pool3d(x[:, :, :4, :, :6], 2, return_indices=True)), 2), (VOLUME,)), (lambda x: F.max_unpool3d(*pooled(F.max_pool3d(x, 2, (1, 2, 2), return_indices=True)), 2, (1, 2, 2), output_size=(5, 7, 6)), (VOLUME,)),
    (lambda x: torch.feature_dropout(x.transpose(1, 3), 0.4, True), (IMAGE,)), (lambda x: torch.alpha_dropout(x[:, :, ::2], 0.4, True), (IMAGE,)),
    (lambda x: torch.feature_alpha_dropout(x.permute(1, 0, 2, 3), 0.0, True), (IMAGE,)), (lambda x: torch.dropout(x[:, :0].transpose(1, 2), 0.4, True), (IMAGE,)),
    (lambda x: torch.feature_dropout_(x.clone().transpose(0, 1), 0.4, True), (IMAGE,)), (lambda x: torch.dropout_(x.clone(), 0.4, False), (IMAGE,)),
    (lambda x, y: F.mse_loss(x, y), (X, Y)), (lambda x, y: F.l1_loss(x, y, reduction="none"), (X, Y)),
    (lambda x, y: F.smooth_l1_loss(x, y, beta=0.5), (X, Y)), (lambda x, y: F.huber_loss(x, y), (X, Y)),
    (lambda x, y: F.binary_cross_entropy(x, y), (X, Y)),
    (lambda x, y: F.binary_cross_entropy_with_logits(x, y), (X, Y)),
    (lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True), (X,)),
    (lambda x: F.dropout(x, 0.5, False), (X,)), (lambda x: F.dropout(x, p=0.4), (X,)),
    (lambda x: torch.linalg.norm(x), (SQUARE,)), (lambda x: torch.fft.rfft(x), (X,)),
    (lambda x: torch.special.expit(x), (X,)), (lambda x: x.index_select(1, torch.tensor([0, 2])), (X,)),
    (lambda x, i: torch.gather(x, 1, i.view(1, 3, 1).expand(2, 3, 4)), (X, INDEX)),
    (lambda x: x.roll(1, 0).flip(1), (X,)), (lambda x: x.movedim(0, -1).swapaxes(0, 1), (X,)),
    (lambda x: torch.meshgrid(x[0, 0], x[0, 1], indexing="ij")[0], (X,)),
    (lambda x: (x.detach() + x.clone()).fill_(x.dim() + x.ndim), (X,)),
    # Indices
    (lambda x: x[[1, 0]], (X,)), (lambda x: x[:, [0, 2], 1:], (X,)), (lambda x, i: x[0, i, None, ::2], (X, INDEX)),
    (lambda x, m: x[..., m[0, 0]], (X, MASK)), (lambda x, i: x[..., i, :][None], (X, INDEX)),
    (lambda x: x[..., None], (X,)), (lambda x: x[-1:, ..., -2:], (X,)), (lambda x: x[...], (X,)),
    (lambda x, s: x.transpose(0, 2)[s[:, :3] > 0, 1:], (X, SQUARE)), (lambda x, i: x[1, i[:2], i[1:]], (X, INDEX)),
    (lambda x: x[1][2], (X,)),
    # Functions that are lowered to multiple operators
    *((lambda x, kw=kw: F.interpolate(x, **kw), (image,)) for image, kw in (
        (IMAGE, {"size": 5}), (IMAGE, {"size": [5, 11]}), (IMAGE, {"scale_factor": 2}),
        (IMAGE, {"scale_factor": (1.5, 0.7), "mode": "nearest-exact"}), (SEQUENCE, {"size": 4}),
        (SEQUENCE, {"scale_factor": 1.7, "mode": "linear"}), (IMAGE, {"size": 6, "mode": "area"}),
        (IMAGE, {"scale_factor": 0.6, "mode": "area"}), (SEQUENCE, {"size": (3,), "mode": "area"}),
        (IMAGE, {"size": (20, 20), "mode": "bilinear", "align_corners": False}),
        (IMAGE, {"scale_factor": 1.3, "mode": "bilinear", "align_corners": True}),
        (IMAGE, {"scale_factor": 1.3, "mode": "bicubic", "recompute_scale_factor": True}),
        (IMAGE, {"size": 5, "mode": "bilinear", "antialias": True}),
        (IMAGE, {"size": 5, "mode": "bicubic", "antialias": True}))),
    (lambda x: F.interpolate(x.unsqueeze(2), size=(2, 3, 4), mode="trilinear"), (IMAGE,)),
    (lambda x: F.interpolate(x.unsqueeze(2), scale_factor=2.0), (IMAGE,)),
    (lambda x: F.interpolate(x, (x.size(2), 4)), (IMAGE,)),
    (lambda x, y: F.interpolate(x, size=y.shape[1:]), (IMAGE, X)),
    (lambda x, y: F.interpolate(x, size=y.size()[-2:], mode="bilinear"), (IMAGE, X)),
    (lambda x, y: F.adaptive_avg_pool2d(x, y.shape[-2:]), (IMAGE, X)),
    (lambda x, y: F.adaptive_max_pool2d(x, y.shape[-2:]), (IMAGE, X)),
    (lambda x, y: torch.meshgrid(x[0, 0], y[0, 1])[1], (X, Y)),
    (lambda x: F.normalize(x), (X,)), (lambda x: F.normalize(x, p=1, dim=-1), (X,)),
    (lambda x: F.normalize(x, 3.5, (0, 2), eps=1e-3), (X,)),
    (lambda x: F.unfold(x, 3, padding=1), (IMAGE,)),
    (lambda x: F.fold(F.unfold(x, 2), (8, 8), 2), (IMAGE,)),
    (lambda x, y: F.soft_margin_loss(x, y.sign()), (X, Y)),
    (lambda x: F.softmin(x, dim=1), (X,)), (lambda x: F.softsign(x), (X,)), (lambda x: F.tanhshrink(x), (X,)),
    (lambda x, y: F.kl_div(x, y), (X, Y)), (lambda x, y: F.kl_div(x, y, reduction="batchmean"), (X, Y)),
    (lambda x, y: F.kl_div(x, y, reduction="none", log_target=True), (X, Y)),
    (lambda x, y: F.kl_div(x[0, 0, 0], y[0, 0, 0], reduction="batchmean"), (X, Y)),
    # size_average and reduce select the reduction
    *((lambda x, y, f=f, a=a: f(x, y, *a), (X, Y)) for f in (
        F.kl_div, F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.soft_margin_loss) for a in (
        (False,), (True, False), (None, False, "sum"), (0, True), (2, None), ("", None, "none"))),
    (lambda x, y: F.kl_div(x, y, True, None, "batchmean"), (X, Y)),
    (lambda x, y: F.multilabel_soft_margin_loss(x, y, None, False), (X, Y)),
    (lambda x, t: F.cross_entropy(x, t, None, False), (LOGITS, CLASSES)),
    (lambda x, t: F.nll_loss(x, t, reduce=False), (LOGITS, CLASSES)),
    (lambda x, y: F.mse_loss(x, y, reduction="elementwise_mean"), (X, Y)),
    (lambda x, y: F.smooth_l1_loss(x, y, beta=0), (X, Y)),
    (lambda x: torch.norm(x), (X,)), (lambda x: torch.norm(x, dim=1), (X,)),
    (lambda x: torch.norm(x, 1, (0, 2), keepdim=True, dtype=torch.float64), (X,)),
    (lambda x: torch.norm(x, p="nuc"), (SQUARE,)), (lambda x: torch.norm(x, "nuc", (2, 0)), (X,)),
    (lambda x: torch.norm(x, 2, 1, True, None, torch.float64), (X,)), (lambda x: torch.norm(x, "fro", (1, 0)), (X,)),
    (lambda x: x.norm("nuc"), (SQUARE,)), (lambda x: torch.norm(x, None), (X,)),
    (lambda x, y: torch.einsum(x, [0, 1, 2], y, [0, 1, 30], [30, 2]), (X, Y)),
    (lambda x, y: torch.einsum(x, [..., 0, 1], y, [..., 0, 2]), (X, Y)),
    (lambda x: F.avg_pool2d(x, 2, None, 1, True, False), (IMAGE,)), (lambda x: F.avg_pool1d(x, 3, stride=None), (SEQUENCE,)),
    (lambda x: torch.max_pool2d(x, 2, None), (IMAGE,)), (lambda x: torch.amax(x, None), (X,)),
    (lambda x: x.roll(1, None), (X,)),
    (lambda x: torch.stft(x, 4, return_complex=True), (SQUARE,)), (lambda x: x.stft(4, 2, return_complex=True), (SQUARE,)),
    (lambda x: torch.stft(x, 4, 2, 3, x[0, :3], True, "constant", True, False, True), (SQUARE,)),
    (lambda x: x.stft(4, center=False, return_complex=False), (SQUARE,)),
    (lambda x: F.dropout1d(x, 0.4), (SQUARE,)), (lambda x: F.dropout1d(x, 0.4), (SEQUENCE,)),
    (lambda x: F.dropout3d(x, 0.4), (IMAGE,)),
    (lambda x, y: torch.tensordot(x, y.permute(1, 2, 0)), (X, Y)),
    (lambda x, y: torch.tensordot(x, y, dims=([0, 2], [0, 2])), (X, Y)),
    (lambda x, i: F.embedding_bag(i, x, i.sort().values[:2], mode="sum", per_sample_weights=x[0, :3]), (SQUARE, INDEX)),
    (lambda x: F.adaptive_max_pool2d(x, 3), (IMAGE,)), (lambda x: F.adaptive_max_pool1d(x, (2,)), (SEQUENCE,)),
    (lambda x, i: F.embedding_bag(i.view(1, 3), x, mode="max"), (SQUARE, INDEX)),
    (lambda x, i: F.embedding_bag(i.expand(2, 3), x, per_sample_weights=x[:2, :3], mode="sum", padding_idx=0), (SQUARE, INDEX)),
    (lambda x: F.local_response_norm(x, 3), (IMAGE,)), (lambda x: F.local_response_norm(x, 4, 0.5, 0.3, 2.0), (SEQUENCE,)),
    (lambda x: F.local_response_norm(x.unsqueeze(-1), 2, beta=1.5), (IMAGE,)),
    (lambda x, y: F.gaussian_nll_loss(x, y, 0.3, full=True), (X, Y)),
    (lambda x, y: F.gaussian_nll_loss(x, y, (x - y).abs(), reduction="none", eps=0.1), (X, Y)),
    (lambda x, y: F.gaussian_nll_loss(x, y, y.mean(-1), reduction="sum"), (X, Y)),
    (lambda x, y: F.gaussian_nll_loss(x, y, y.mean(1, keepdim=True)), (X, Y)),
    (lambda x, y: F.multilabel_soft_margin_loss(x, (y > 0.5).float()), (X, Y)),
    (lambda x, y: F.multilabel_soft_margin_loss(x, y, weight=y[0, 0], reduction="none"), (X, Y)),
    (lambda x, y: F.triplet_margin_with_distance_loss(x, y, x - y), (X, Y)),
    (lambda x, y: F.triplet_margin_with_distance_loss(x, y, x * y, margin=2.5, swap=True, reduction="none"), (X, Y)),
    (lambda x, i: F.embedding_bag(i.view(1, 3), x * 2, max_norm=0.5, mode="sum"), (SQUARE, INDEX)),
    (lambda x, i: F.embedding_bag(i, x * 2, i.sort().values[:2], max_norm=1.0, norm_type=1.0), (SQUARE, INDEX)),
    (lambda x, i: F.embedding(i, x * 2, max_norm=0.5, norm_type=3.0), (SQUARE, INDEX)),
    (lambda x, i: F.embedding(i, x, padding_idx=-2), (SQUARE, INDEX)),
    (lambda x: F.gumbel_softmax(x), (X,)), (lambda x: F.gumbel_softmax(x, 0.5, hard=True, dim=1), (X,)),
    (lambda x: F.adaptive_avg_pool2d(x, (3, None)), (IMAGE,)), (lambda x: F.adaptive_max_pool2d(x, (None, 2)), (IMAGE,)),
    (lambda x: F.adaptive_avg_pool3d(x.unsqueeze(0), (None, 2, None)), (IMAGE,)),
    (lambda x: F.lp_pool2d(x.abs(), 3.0, (2, 3), stride=1), (IMAGE,)), (lambda x: F.lp_pool1d(x, 2, 3, ceil_mode=True), (SEQUENCE,)),
    (lambda x: F.lp_pool3d(x.unsqueeze(0), 2.0, 2), (IMAGE,)), (lambda x: F.lp_pool2d(x, float("inf"), 2), (IMAGE,)),
    (lambda x: F.lp_pool2d(x, -float("inf"), 2, 1), (IMAGE,)),
    # The number of results depends on the flags
    (lambda i: torch.unique(i), (CLASSES,)), (lambda i: torch.unique(i, return_inverse=True)[1], (CLASSES,)),
    (lambda i: torch.unique(i, return_counts=True)[1], (CLASSES,)), (lambda i: i.unique(True, True, True)[2], (CLASSES,)),
    (lambda x: torch.unique(x, dim=0), (SQUARE,)), (lambda x: x.unique(return_inverse=True, dim=1)[1], (SQUARE,)),
    (lambda i: i.unique_consecutive(), (CLASSES,)), (lambda i: torch.unique_consecutive(i, return_counts=True)[1], (CLASSES,)),
    (lambda x: torch.unique_consecutive(x, dim=0, return_inverse=True)[1], (SQUARE,)),
    (lambda m: torch.nonzero(m), (MASK,)), (lambda m: m.nonzero(as_tuple=True)[2], (MASK,)),
    (lambda m: torch.nonzero(m, as_tuple=True)[1], (MASK,)), (lambda m: m.nonzero(), (MASK,)),
    # Arguments with Python's names, orders or forms
    (lambda m: F.pad(m, (1, 0), value=True), (MASK,)),
    (lambda x: F.adaptive_max_pool2d(x, (2, 3), return_indices=True)[1], (IMAGE,)),
    (lambda x: F.adaptive_max_pool2d(x, (3, None), return_indices=True)[1], (IMAGE,)),
    (lambda x: F.adaptive_max_pool3d(x.unsqueeze(0), (None, 2, None), True)[0], (IMAGE,)),
    (lambda x: F.max_pool2d(x, 2, return_indices=True)[1], (IMAGE,)),
    (lambda x: F.max_pool1d(x, 3, stride=2, padding=1, return_indices=True)[0], (SEQUENCE,)),
    (lambda x: F.threshold(x, 0.1, 20.0), (X,)), (lambda x: F.rrelu(x - 0.5, 0.1, 0.2), (X,)),
    (lambda x, y: F.margin_ranking_loss(x, y, (x - y).sign(), margin=0.1), (X, Y)),
    (lambda x, t: F.cosine_embedding_loss(x, x.flip(1), t.sign(), 0.1, reduction="none"), (LOGITS, CLASSES)),
    (lambda x, y: F.hinge_embedding_loss(x, y.sign(), reduction="sum"), (X, Y)),
    (lambda x: F.triplet_margin_loss(x, x * 2, -x, p=3, swap=True), (LOGITS,)),
    (lambda x, y: F.poisson_nll_loss(x, y, full=True), (X, Y)),
    (lambda x, t: F.multi_margin_loss(x, t, margin=0.5), (LOGITS, CLASSES)),
    (lambda x, i: F.multilabel_margin_loss(x[0], i, reduction="sum"), (LOGITS, INDEX)),
    (lambda x, t: F.ctc_loss(x.log_softmax(1), t[1:3], (5,), (2,), reduction="sum"), (LOGITS, CLASSES)),
    (lambda x, y: torch.cdist(x, y, 1.0, compute_mode="donot_use_mm_for_euclid_dist"), (X, Y)),
    (lambda x, s: F.grid_sample(x, s.view(1, 2, 4, 2).expand(2, -1, -1, -1), "nearest", "border"), (IMAGE, SQUARE)),
    (lambda x, s: F.grid_sample(x, s.view(1, 2, 4, 2).expand(2, -1, -1, -1), padding_mode="reflection",
                                align_corners=True), (IMAGE, SQUARE)),
    (lambda x: F.affine_grid(x[:, :2, :3], [2, 1, 4, 5], align_corners=True), (X,)),
    (lambda x: x.to("cpu"), (X,)), (lambda x: x.to("cpu", torch.float64), (X,)), (lambda x: x.cpu() + 1, (X,)),
    (lambda x: x.to(device="cpu", copy=True), (X,)), (lambda x, i: i.to(x.device).type(torch.float64), (X, INDEX)),
    (lambda x, y: x.where(x > y, y), (X, Y)), (lambda x, y: x.where(x > y, 0.5), (X, Y)),
    (lambda x, y: x.where(condition=y > 0.3, other=y), (X, Y)), (lambda x, y: x.where(x > y, other=y), (X, Y)),
    (lambda x: x.polygamma(1), (X,)), (lambda x: x.polygamma(n=2), (X,)), (lambda x: torch.polygamma(1, x), (X,)),
    (lambda x: x.mean(axis=1), (X,)), (lambda x: torch.sum(x, axis=(0, 2), keepdims=True), (X,)),
    (lambda x: torch.softmax(input=x, axis=-1), (X,)), (lambda x: x.norm(dim=-1), (X,)),
    (lambda x: x.norm(p="fro", dim=1), (X,)), (lambda x: x.norm(1, keepdim=True), (X,)),
    (lambda x: F.softmax(x), (X,)), (lambda x: F.softmax(x), (SQUARE,)), (lambda x: F.softmax(x[0, 0]), (X,)),
    (lambda x: F.log_softmax(input=x), (IMAGE,)), (lambda x: F.softmin(x), (X,)),
    (lambda x: x.data * x.nelement(), (X,)), (lambda x: x.cdouble().real + x.cfloat().imag, (X,)),
    (lambda x, y: torch.meshgrid([x[0, 0], y[0, 1]])[1], (X, Y)), (lambda x: x * (x.dtype == torch.float32), (X,)),
    (lambda x, y: x * (x.device != y.device) + x.itemsize, (X, Y)),
    (lambda x: x.norm(3, (0, 1), True, dtype=torch.float64), (X,)),
]


def is_lowered(node: torch.fx.Node) -> bool:
    if node.op != "call_function":
        return node.op in ("placeholder", "get_attr", "output")
    return isinstance(node.target, torch._ops.OpOverload) or node.target is operator.getitem or (
        node.target.__module__ == "_operator"
        and not any(isinstance(a.meta.get("value"), torch.Tensor) for a in node.all_input_nodes))


class Recorder(torch.fx.Interpreter):
    def run_node(self, n: torch.fx.Node) -> Any:
        n.meta["value"] = super().run_node(n)
        return n.meta["value"]


def type_text(value: Any) -> str:
    return f"{value.dtype} {list(value.shape)} {list(value.stride())}"


class Programs(nn.Module):
    """A module that runs all programs on one set of inputs, and returns their results in order."""

    def __init__(self, programs: list[tuple[Callable[..., Any], tuple[torch.Tensor, ...]]]) -> None:
        super().__init__()
        self.programs = programs
        for number, (program, _) in enumerate(programs):
            if isinstance(program, nn.Module):
                self.add_module(f"program_{number}", program)

    def forward(self, x, y, volume, image, sequence, logits, classes, square, mask, index, w):
        traced = (x, y, volume, image, sequence, logits, classes, square, mask, index, w)
        return [program(*(traced[[t is own for t in INPUTS].index(True)] for own in inputs))
                for program, inputs in self.programs]


# Sizes that depend on data: results of masked selections (three programs), and of unique and
# nonzero, with their users.
MAY_LACK_TYPES = 3 + 20
INPUTS = [X, Y, VOLUME, IMAGE, SEQUENCE, LOGITS, CLASSES, SQUARE, MASK, INDEX, W]


# parity: P3
def check(numbers: list[int], folder: Path) -> list[str]:
    traced = torch.fx.symbolic_trace(Programs([PROGRAMS[i] for i in numbers]))
    for node, value in zip(traced.graph.nodes, INPUTS):
        node.meta["val"] = value
    fx_export.dump(traced, folder / "in.json")
    done = subprocess.run([FXCPP, "opt", folder / "in.json", "--passes", "lower_to_aten{strict}",
                           "-o", folder / "out.json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr.strip().splitlines() or ["no message"]
    state = {name: tensor.clone() for name, tensor in traced.state_dict().items()}
    lowered = fx_export.load(folder / "out.json", state)
    torch.manual_seed(0)
    expected = Recorder(traced).run(*(t.clone() for t in INPUTS))
    torch.manual_seed(0)
    got = Recorder(lowered).run(*(t.clone() for t in INPUTS))
    failures = [f"{n.format_node()} is not lowered" for n in lowered.graph.nodes if not is_lowered(n)]
    for number, a, b in zip(numbers, got, expected, strict=True):
        if not torch.equal(a, b) or type_text(a) != type_text(b):
            failures.append(f"program {number}: different results: {type_text(a)} instead of {type_text(b)}")
    # Without lowering, the nodes that torch.fx created must have the same types.
    subprocess.run([FXCPP, "opt", folder / "in.json", "--passes", "propagate_types",
                    "-o", folder / "typed.json"], check=True)
    typed = {n.name: n.meta.get("val") for n in fx_export.load_graph(folder / "typed.json").nodes}
    unknown: list[str] = []
    for node in traced.graph.nodes:
        known, value = typed[node.name], node.meta.get("value")
        if isinstance(value, torch.Tensor) and node.op != "output":
            if not isinstance(known, torch.Tensor):
                unknown.append(node.name)
            elif type_text(known) != type_text(value):
                failures.append(f"{node.name}: {type_text(known)}, but its value has type {type_text(value)}")
    if len(unknown) > MAY_LACK_TYPES:
        failures.append(f"no type: {unknown}")
    untyped = 0
    for node in lowered.graph.nodes:
        known, value = node.meta.get("val"), node.meta.get("value")
        if isinstance(known, torch.Tensor) and type_text(known) != type_text(value):
            failures.append(f"{node.name}: {type_text(known)}, but its value has type {type_text(value)}")
        untyped += known is None and isinstance(value, torch.Tensor)
    if untyped > MAY_LACK_TYPES:
        failures.append(f"{untyped} values without a type")
    return failures


def main() -> int:
    numbers = [int(word) for word in sys.argv[1:]] or list(range(len(PROGRAMS)))
    with tempfile.TemporaryDirectory() as folder:
        failures = check(numbers, Path(folder))
    print("\n".join([*failures, f"{len(numbers)} programs, {len(failures)} failures"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
