"""The third set of models for more_models.py, of kinds that the first two sets do not contain: a
sampler, hashed bags, cross attention, cells in a loop, super resolution, a Fourier operator, a
Kalman filter, segments, a spatial transformer, a vector quantizer, rotary attention, dilated
convolutions, triplet losses.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class TopP(nn.Module):
    """Computes the mask of nucleus sampling, and the tokens that greedy decoding selects."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(6, 12, bias=False)

    def forward(self, x: Tensor, seen: Tensor) -> tuple[Tensor, ...]:
        logits = self.head(x)
        penalty = logits.gather(1, seen)
        logits = logits.scatter(1, seen, torch.where(penalty < 0, penalty * 1.3, penalty / 1.3))
        ordered, order = torch.sort(logits / 0.7, dim=-1, descending=True)
        mass = ordered.softmax(-1).cumsum(-1)
        drop = F.pad(mass[:, :-1] > 0.8, (1, 0), value=False)
        drop = torch.zeros_like(drop).scatter(1, order, drop)
        kept = logits.masked_fill(drop, -torch.inf)
        best = kept.argmax(-1, keepdim=True)
        fourth = torch.topk(logits, 4).values[..., -1:]
        return (kept.log_softmax(-1).gather(-1, best), best, torch.where(logits < fourth, -1e4, logits),
                (~drop).sum(-1), torch.special.entr(mass.diff(dim=-1).clamp_min(0)).sum(-1))


class HashedBags(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.bags = nn.EmbeddingBag(13, 6, mode="max")
        self.ends = nn.EmbeddingBag(13, 6, mode="sum", include_last_offset=True, padding_idx=3)
        self.rows = nn.EmbeddingBag(13, 6)
        self.register_buffer("edges", torch.linspace(-1, 1, 8))

    def forward(self, words: Tensor, offsets: Tensor, table: Tensor, x: Tensor) -> tuple[Tensor, ...]:
        hashed = (words * 2654435761 + 12345).remainder(13)
        buckets = torch.bucketize(x, self.edges)
        bags = self.bags(hashed, offsets[:-1])
        return (bags, self.ends(hashed, offsets, per_sample_weights=x[: words.size(0)]),
                self.rows(table), buckets, (buckets.bitwise_and(1).float() * x).sum())


class CrossAttention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cross = nn.MultiheadAttention(8, 2, kdim=5, vdim=6, batch_first=True, bias=False)
        self.grown = nn.MultiheadAttention(8, 4, add_bias_kv=True, add_zero_attn=True)
        self.plain = nn.MultiheadAttention(8, 1, batch_first=True)

    def forward(self, q: Tensor, k: Tensor, v: Tensor, padding: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
        a, weights = self.cross(q, k, v, key_padding_mask=padding, average_attn_weights=False)
        b, none = self.cross(q, k, v, need_weights=False)
        c, mean = self.grown(a, b, b)
        d = self.plain(c[0], q[0], q[0], attn_mask=bias, need_weights=False)[0]
        e = self.plain(a, a, a, key_padding_mask=padding[:, :3], attn_mask=bias)[0]
        return a, weights, c, mean, d, e


class Cells(nn.Module):
    """Unrolled recurrent cells."""

    def __init__(self) -> None:
        super().__init__()
        self.gru, self.lstm = nn.GRUCell(4, 5), nn.LSTMCell(5, 3)
        self.rnn = nn.RNNCell(3, 4, bias=False, nonlinearity="relu")

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        state, memory, seen = None, None, []
        for step in range(3):
            state = self.gru(x[step], state) if state is not None else self.gru(x[step])
            memory = self.lstm(state, memory) if memory is not None else self.lstm(state)
            seen.append(self.rnn(memory[0], x[step]))
        return torch.stack(seen), state, memory[1]


class SuperResolution(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Conv2d(3, 8, 3, padding=1, padding_mode="reflect")
        self.body = nn.Sequential(nn.GroupNorm(4, 8), nn.PReLU(8), nn.Conv2d(8, 12, 3, padding=1))
        self.shuffle = nn.PixelShuffle(2)
        self.volume = nn.ConvTranspose3d(3, 2, (1, 3, 2), stride=(1, 2, 2), padding=(0, 1, 0), output_padding=(0, 1, 0))
        self.grow = nn.Upsample(scale_factor=2)

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        big = self.shuffle(self.body(self.head(x)))
        y = big + self.grow(x)
        return (y.clamp(0, 1), self.volume(y.unsqueeze(2)), F.local_response_norm(y, 2, k=2.0),
                F.adaptive_avg_pool2d(y, (3, None)), y.square().mean().log10().mul(-10))


class FourierOperator(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.low = nn.Parameter(torch.randn(3, 4, 2, 2, dtype=torch.cfloat) / 3)
        self.lift, self.local = nn.Conv2d(1, 3, 1), nn.Conv2d(3, 4, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        y = self.lift(x)
        modes = torch.fft.rfft2(y, norm="ortho")
        out = F.pad(torch.einsum("bixy,ioxy->boxy", modes[..., :2, :2], self.low), (0, 2, 0, 4))
        z = F.gelu(torch.fft.irfft2(out, s=(6, 6), norm="ortho") + self.local(y))
        power = (modes * modes.conj()).real.sum((-2, -1))
        return z, power, torch.fft.fftfreq(6)[None] * power.mean(0)[:, None], torch.angle(modes).cos()


class Filter(nn.Module):
    """Steps of a Kalman filter, and matrix decompositions; the signs of their factors cancel."""

    def __init__(self) -> None:
        super().__init__()
        self.move = nn.Parameter(torch.eye(3) + torch.randn(3, 3) / 5)

    def forward(self, x: Tensor, z: Tensor, noise: Tensor) -> tuple[Tensor, ...]:
        p = torch.eye(3).expand(2, 3, 3) * 0.5
        for step in range(2):
            x, p = x @ self.move.T, self.move @ p @ self.move.mT + 0.1 * torch.eye(3)
            s = p + torch.diag_embed(noise.exp())
            gain = torch.cholesky_solve(p, torch.linalg.cholesky(s)).mT
            x = torch.baddbmm(x.unsqueeze(-1), gain, (z[step] - x).unsqueeze(-1)).squeeze(-1)
            p = torch.linalg.multi_dot((torch.eye(3), torch.eye(3), self.move)) @ p - gain @ p
        q, r = torch.linalg.qr(p)
        sign, logdet = torch.linalg.slogdet(s)
        return (x, p, q @ r, torch.linalg.eigvalsh(s), torch.linalg.svdvals(p), sign * logdet,
                torch.linalg.matrix_exp(p[0]), torch.linalg.solve_ex(s[0], z[0].T)[0], torch.linalg.pinv(s),
                torch.linalg.cross(x, z[1]), torch.linalg.vander(noise[0]), torch.kron(p[0], self.move),
                torch.linalg.matrix_power(self.move, 3), torch.linalg.ldl_factor(s[1])[0].tril())


class Segments(nn.Module):
    def forward(self, x: Tensor, of: Tensor) -> tuple[Tensor, ...]:
        columns = of[:, None].expand_as(x)
        mean = torch.zeros(4, 3).scatter_reduce(0, columns, x, "mean", include_self=False)
        minimum = torch.full((4, 3), 9.0).index_reduce(0, of, x, "amin")
        count = torch.bincount(of, minlength=4)
        starts = torch.cat((count.new_zeros(1), count.cumsum(0)))
        where = torch.searchsorted(starts, torch.arange(6), side="right") - 1
        sums = torch.segment_reduce(x.index_select(0, of.argsort(stable=True)), "sum", offsets=starts)
        share = x.exp() / torch.zeros(4, 3).index_add(0, of, x.exp())[of]
        return (mean, minimum, where, sums, share, x.index_fill(0, of[:1], -1.0), torch.cummin(x, 0).values,
                x.put(of, x[:, 0]), torch.rot90(x), torch.triu_indices(3, 4, 1), x.unfold(0, 3, 2),
                torch.repeat_interleave(x, torch.tensor([1, 0, 2, 1, 1, 0]), dim=0, output_size=5),
                torch.tensor_split(x, (2, 3))[1], torch.count_nonzero(x > 0, dim=1),
                torch.block_diag(x[:2], x[2:3]))


class SpatialTransformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.find = nn.Sequential(nn.Conv2d(2, 4, 3), nn.MaxPool2d(2, stride=2), nn.ReLU(True), nn.Flatten(),
                                  nn.LazyLinear(6))
        self.find(torch.zeros(1, 2, 8, 8))
        self.up = nn.Conv2d(2, 4, 3, stride=2)

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        theta = self.find(x).view(-1, 2, 3)
        grid = F.affine_grid(theta, x.size(), align_corners=False)
        seen = F.grid_sample(x, grid, mode="bicubic", padding_mode="reflection", align_corners=False)
        near = F.grid_sample(x, grid.tanh(), mode="nearest", padding_mode="zeros", align_corners=True)
        return self.up(seen), near, F.lp_pool2d(seen.abs(), 3.0, 2, stride=1), theta


class Quantizer(nn.Module):
    """A vector quantizer with a straight-through estimator."""

    def __init__(self) -> None:
        super().__init__()
        self.codes = nn.Embedding(7, 4)

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        flat = x.movedim(1, -1).reshape(-1, 4)
        near = torch.cdist(flat, self.codes.weight, compute_mode="donot_use_mm_for_euclid_dist").argmin(1)
        q = self.codes(near).view(2, 3, 3, 4).permute(0, 3, 1, 2)
        loss = F.mse_loss(q.detach(), x) * 0.25 + F.mse_loss(q, x.detach())
        used = F.one_hot(near, 7).float().mean(0)
        perplexity = torch.exp(-torch.sum(used * torch.log(used + 1e-10)))
        noise = F.gaussian_nll_loss(q, x, 0.3, full=True)
        return x + (q - x).detach(), loss, perplexity, near.view(2, -1), noise


class Rotary(nn.Module):
    """Attention with rotary positions and shared keys, followed by a gated layer."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.kv = nn.Linear(8, 16, bias=False), nn.Linear(8, 16, bias=False)
        self.norm, self.out = nn.RMSNorm(8, eps=1e-6), nn.Linear(16, 8, bias=False)
        self.gate, self.down = nn.Linear(8, 24), nn.Linear(12, 8)
        self.register_buffer("rates", 1.0 / 100.0 ** (torch.arange(0, 4, 2) / 4))

    def turn(self, x: Tensor, angle: Tensor) -> Tensor:
        even, odd = x[..., ::2], x[..., 1::2]
        return torch.stack((even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()), -1).flatten(-2)

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm(x)
        q = self.q(y).unflatten(-1, (4, 4)).transpose(1, 2)
        k, v = self.kv(y).unflatten(-1, (2, 2, 4)).unbind(2)
        angle = torch.outer(torch.arange(5, dtype=torch.float32), self.rates)
        q, k = self.turn(q, angle), self.turn(k.transpose(1, 2), angle)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k.repeat_interleave(2, dim=1)) * 0.5
        scores = scores + torch.full((5, 5), -math.inf).triu(1)
        slopes = torch.tensor([0.5, 0.25, 0.125, 0.0625])[:, None, None]
        scores = scores - slopes * (torch.arange(5)[:, None] - torch.arange(5)).abs()
        mixed = scores.softmax(-1) @ v.transpose(1, 2).repeat_interleave(2, 1)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        gate, up = self.gate(x).tensor_split(2, -1)
        return x + self.down(F.silu(gate) * up)


class Dilated(nn.Module):
    """A stack of gated causal convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.ModuleList([nn.Conv1d(3, 6, 2, dilation=2**i) for i in range(3)])
        self.skips = nn.ModuleList([nn.Conv1d(3, 4, 1, bias=False) for _ in range(3)])

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        total = 0
        for i, (step, skip) in enumerate(zip(self.steps, self.skips)):
            f, g = step(F.pad(x, (2**i, 0))).split(3, dim=1)
            y = torch.tanh(f) * torch.sigmoid(g)
            total, x = total + skip(y), (x + y) * math.sqrt(0.5)
        steps = torch.sign(x) * torch.log1p(255 * x.abs()) / math.log1p(255)
        return F.elu(total).mean(2), ((steps + 1) / 2 * 255 + 0.5).floor().clamp(0, 255).to(torch.uint8)


class Siamese(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.LeakyReLU(0.2), nn.AdaptiveMaxPool2d(2),
                                  nn.Flatten(), nn.Linear(16, 5))
        self.triplet = nn.TripletMarginLoss(margin=0.5, swap=True)
        self.distance = nn.TripletMarginWithDistanceLoss(distance_function=nn.PairwiseDistance(p=1.0), margin=2.0)
        self.likeness = nn.CosineSimilarity(dim=1, eps=1e-4)

    def forward(self, a: Tensor, p: Tensor, n: Tensor) -> tuple[Tensor, ...]:
        a, p, n = (F.normalize(self.body(x), dim=1) for x in (a, p, n))
        sign = torch.tensor([1, -1, 1])
        loss = self.triplet(a, p, n) + self.distance(a, p, n)
        loss = loss + F.cosine_embedding_loss(a, n, sign, margin=0.1)
        loss = loss + F.margin_ranking_loss(self.likeness(a, p), self.likeness(a, n), sign, margin=0.3, reduction="sum")
        loss = loss + F.hinge_embedding_loss(F.pairwise_distance(a, n), sign) + F.soft_margin_loss(a[:, 0], sign)
        every = F.cross_entropy(a @ p.T / 0.07, torch.arange(3), label_smoothing=0.1)
        return loss, every, torch.cdist(a, n), F.multi_margin_loss(a @ n.T, torch.arange(3), p=2)


class Modes(nn.Module):
    """Regions that torch.export exports as separate graphs: no_grad, autocast and
    torch.compiler.nested_compile_region. One of them writes to a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.register_buffer("mean", torch.zeros(6))

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        with torch.no_grad():
            self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
            scale = x.std(0)
        y = self.fc(x - self.mean) / scale
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = self.fc(y).relu()
            with torch.autocast("cpu", enabled=False):
                w = z.float() @ self.fc.weight
            low = z @ self.fc.weight
        twice = torch.compiler.nested_compile_region(lambda t, k: (t.sin() * k.cos(), k + 1))
        a, b = twice(y, w)
        c, _ = twice(a, b)
        return y, z, low, w.softmax(-1), c


class Queries(nn.Module):
    """Calls that torch.fx's tracer records for properties of a tensor, and unusual calls."""

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        first, second = torch.meshgrid([x[0, 0], y[0, 1]])
        sizes = x / math.prod(x.shape) * x.nelement() + x.element_size() * x.stride()[0] + x.stride(1)
        torch._assert(x.shape[0] == 2, "a batch of two")
        torch._assert((y.abs() < 100).all(), "no large values")
        same = x * (x.dtype == torch.float32) + y * (x.device != y.device)
        chosen = x.where(x > 0, y) + y.where(condition=x > y, other=0.5)
        return (F.softmax(x), F.log_softmax(x[0]), F.softmin(x[0, 0]), first * second, sizes, same, chosen,
                x.data + x.cdouble().real, x.abs().polygamma(1).norm(dim=-1), x.mean(axis=(0, 1), keepdims=True),
                x * (x.requires_grad == (y.itemsize == 8)))


def inputs() -> dict[str, tuple[type[nn.Module], tuple[object, ...], str]]:
    """Like more_models._inputs."""
    x = torch.randn
    words = torch.tensor([3, 1, 4, 15, 9])
    padding = torch.tensor([[False, False, False, True], [False, True, False, False]])
    return {
        "top_p": (TopP, (x(3, 6), torch.tensor([[1, 2], [0, 4], [11, 3]])), "export joint fx"),
        "hashed_bags": (HashedBags, (words, torch.tensor([0, 2, 5]), words.view(1, 5).remainder(13), x(6)),
                        "export joint fx"),
        "cross_attention": (CrossAttention, (x(2, 3, 8), x(2, 4, 5), x(2, 4, 6), padding, x(3, 3)),
                            "export joint fx"),
        "cells": (Cells, (x(3, 2, 4),), "export joint fx"),
        "super_resolution": (SuperResolution, (x(1, 3, 5, 6),), "export joint fx"),
        "fourier_operator": (FourierOperator, (x(2, 1, 6, 6),), "export fx"),
        "filter": (Filter, (x(2, 3), x(2, 2, 3), x(2, 3)), "export fx"),
        "segments": (Segments, (x(6, 3), torch.tensor([2, 0, 0, 3, 2, 0])), "export fx"),
        "spatial_transformer": (SpatialTransformer, (x(2, 2, 8, 8),), "export joint fx"),
        "quantizer": (Quantizer, (x(2, 4, 3, 3),), "export joint fx"),
        "rotary": (Rotary, (x(2, 5, 8),), "export joint fx"),
        "dilated": (Dilated, (x(2, 3, 9),), "export joint fx"),
        "modes": (Modes, (x(4, 6),), "export"),
        "queries": (Queries, (x(2, 3, 4), x(2, 3, 4)), "fx"),
        "siamese": (Siamese, (x(3, 1, 7, 7), x(3, 1, 7, 7), x(3, 1, 7, 7)), "export joint fx"),
    }
