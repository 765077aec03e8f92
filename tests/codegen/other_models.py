"""The second set of models for more_models.py, with operators that the first set does not call:
transforms and complex values, recurrent layers with multiple results, losses, sorting and
scattering, integers and masks, buffers that change, patches and pooling, a decoder, a graph
network, a denoiser, half floats, and the forms of calls that torch.fx's tracer records.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Signals(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("window", torch.hann_window(8))
        self.filter = nn.Parameter(torch.randn(6, 4, dtype=torch.complex64))

    def forward(self, x: Tensor, wave: Tensor) -> tuple[Tensor, ...]:
        f = torch.fft.fftshift(torch.fft.rfft2(x, norm="forward"), dim=(-2,))
        y = torch.fft.irfft2(f * self.filter, s=(6, 6))
        s = torch.stft(wave, 8, hop_length=4, window=self.window, return_complex=True)
        loud = s.real.square() + s.imag.square()
        back = torch.istft(s * torch.exp(1j * s.angle()), 8, hop_length=4, window=self.window)
        z = torch.complex(x, -x).conj() * (2 - 0.5j) + torch.view_as_complex(torch.stack((x, x), -1))
        full = torch.fft.ifft(torch.fft.fft(z, n=5, dim=0), dim=0)
        return y, loud.clamp_min(1e-6).log10(), back, torch.view_as_real(full), z.abs(), z.sgn().real


class Speech(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(4, 6, 3, stride=2, padding="valid")
        self.lstm = nn.LSTM(6, 8, num_layers=2, proj_size=5)
        self.cell = nn.GRUCell(5, 5)
        self.out = nn.Linear(5, 7)

    def forward(self, x: Tensor, h0: Tensor, c0: Tensor, targets: Tensor) -> tuple[Tensor, ...]:
        y = F.glu(torch.cat([self.conv(x)] * 2, 1), dim=1).permute(2, 0, 1)
        y, (h, c) = self.lstm(y, (h0, c0))
        y = self.out(self.cell(y.flatten(0, 1)).view_as(y)).log_softmax(-1)
        return F.nll_loss(y[:2].flatten(0, 1), targets.T.flatten()), h, c


class Ordering(nn.Module):
    def forward(self, x: Tensor, i: Tensor) -> tuple[Tensor, ...]:
        top, at = torch.topk(x, 2, dim=0, largest=False, sorted=True)
        best, where = x.cummax(1)
        kth = torch.kthvalue(x, 2, dim=-1, keepdim=True)
        rows = torch.zeros(5, 6).index_add(0, i, x, alpha=0.5)
        pulled = torch.zeros(4, 6).scatter_reduce(1, at[[0, 1, 0, 1]], x, "prod", include_self=True)
        ends = torch.bucketize(x, torch.linspace(-1, 1, 5), right=True)
        runs, counts = torch.unique_consecutive(i.sort().values, return_counts=True)
        return (top, at, best, where, kth.values, x.median(1).indices, x.mode(0)[0], rows, pulled,
                ends, runs, counts, torch.take_along_dim(x, x.argsort(1), 1), x.cumsum(0).diff(dim=0),
                torch.trapezoid(x.msort(), dim=1), torch.einsum("...i,...j->...ij", x, x).diagonal(0, 1, 2),
                x.aminmax(dim=1)[1], torch.cartesian_prod(i, i), x.nanmedian())


class Integers(nn.Module):
    """Integers, masks, 0-dimensional tensors, and omitted arguments."""

    def forward(self, a: Tensor, mask: Tensor, n: Tensor) -> tuple[Tensor, ...]:
        b = (a << 1) ^ (a & 3) | ~a
        odd = torch.remainder(a, 2).bool() & ~mask
        wide = torch.where(odd, a, a.new_full((), 7)).to(torch.int16)
        ratio = a / n + a // 3 - torch.div(a, n, rounding_mode="trunc")
        hot = F.one_hot(a.clamp(0, 4), 5)
        flags = torch.stack((odd.any(), odd.all(), (a > 1).sum().eq(2), torch.isin(a, b).logical_not().any()))
        bounded = ratio.clamp(max=n).nan_to_num(posinf=3.0)
        return (b, wide, ratio, hot, flags, bounded, mask.int().argmax(), odd.nonzero_static(size=4),
                torch.gcd(a, n), a.float().pow(n), hot.sum(0, dtype=torch.uint8), n * 2.5,
                torch.bitwise_left_shift(a, n), a.sum(dtype=torch.float64), torch.full((2,), True))


class Patches(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(1.5))

    def forward(self, x: Tensor, volume: Tensor) -> tuple[Tensor, ...]:
        x, volume = x * self.scale, volume / self.scale
        pooled, where = F.max_pool2d(x, 2, return_indices=True)
        best, at = F.adaptive_max_pool2d(x, (3, None), return_indices=True)
        grid = F.affine_grid(torch.eye(3, 4).expand(1, 3, 4), [1, 2, 3, 3, 3], align_corners=True)
        columns = F.unfold(x, (2, 3), dilation=(1, 2), stride=2)
        return (F.max_unpool2d(pooled, where, 2), best, at, F.grid_sample(volume, grid, "nearest",
                "reflection", True), F.fold(columns, (6, 6), (2, 3), dilation=(1, 2), stride=2),
                F.pixel_unshuffle(x, 3), F.adaptive_avg_pool3d(volume, (2, None, 1)),
                F.local_response_norm(x, 3), F.channel_shuffle(x, 2), F.avg_pool2d(x, 3, 2, 1, True, False, 5),
                F.interpolate(x, scale_factor=(1.5, 0.5), mode="nearest-exact"),
                F.interpolate(volume, size=(2, 4, 5), mode="trilinear", align_corners=True),
                F.interpolate(x, size=(4, 4), mode="bilinear", antialias=True),
                F.pad(x, (1, 2, 0, 1), mode="circular"), F.pad(x, (2, 1, 1, 0), mode="reflect"),
                F.conv_transpose2d(x, x.new_ones(4, 1, 2, 2), stride=2, groups=2, dilation=2),
                F.instance_norm(x), F.lp_pool1d(x.abs().flatten(2), 2.0, 3, ceil_mode=True))


class MoreLosses(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.shift = nn.Parameter(torch.tensor(0.1))

    def forward(self, x: Tensor, y: Tensor, sign: Tensor, t: Tensor) -> tuple[Tensor, ...]:
        x = x + self.shift
        return (F.margin_ranking_loss(x[:, 0], y[:, 0], sign, margin=0.3),
                F.cosine_embedding_loss(x, y, sign, margin=0.1, reduction="sum"),
                F.triplet_margin_loss(x, y, x.flip(0), swap=True), F.multi_margin_loss(x, t),
                F.hinge_embedding_loss(x, y.sign(), reduction="none"),
                F.poisson_nll_loss(x, y.abs(), full=True), F.multilabel_soft_margin_loss(x, (y > 0).float()),
                F.cosine_similarity(x, y, dim=0), F.pairwise_distance(x, y, p=1.0), torch.cdist(x, y),
                torch.pdist(x), F.nll_loss(x.log_softmax(1), t, weight=y[0].exp(), ignore_index=2),
                F.cross_entropy(x, y.softmax(1), reduction="none"), x.logsumexp((0, 1)), x.renorm(2, 0, 1.0))


class Cache(nn.Module):
    """Buffers that the forward function changes."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("keys", torch.zeros(2, 8, 4))
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        self.proj = nn.utils.parametrizations.weight_norm(nn.Linear(4, 4))

    def forward(self, x: Tensor, position: Tensor) -> tuple[Tensor, Tensor]:
        self.keys.index_copy_(1, position, self.proj(x))
        self.keys[:, 0].mul_(0.5)
        self.steps.add_(1)
        seen = torch.arange(8) <= position.max()
        scores = torch.matmul(x, self.keys.mT) / math.sqrt(4)
        return scores.masked_fill(~seen, -math.inf).softmax(-1) @ self.keys, self.steps * 2


class Decoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, norm_first=True, activation="gelu")
        self.decoder = nn.TransformerDecoder(layer, 2, nn.LayerNorm(8))
        self.embed = nn.Embedding(11, 8, padding_idx=0)

    def forward(self, words: Tensor, memory: Tensor) -> Tensor:
        mask = nn.Transformer.generate_square_subsequent_mask(words.size(0))
        y = self.decoder(self.embed(words), memory, tgt_mask=mask, tgt_is_causal=True,
                         tgt_key_padding_mask=(words == 0).T)
        return F.linear(y, self.embed.weight).log_softmax(-1)


class GraphNetwork(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.message, self.score = nn.Linear(10, 6), nn.Linear(6, 1)
        self.update = nn.Bilinear(5, 6, 5)

    def forward(self, x: Tensor, source: Tensor, target: Tensor) -> Tensor:
        m = F.elu(self.message(torch.cat((x[source], x.index_select(0, target)), -1)))
        s = self.score(m).squeeze(-1)
        maximum = torch.full((x.size(0),), -math.inf).scatter_reduce(0, target, s, "amax")
        e = torch.exp(s - maximum.gather(0, target))
        share = e / torch.zeros(x.size(0)).index_add(0, target, e)[target]
        gathered = torch.zeros(x.size(0), 6).index_add_(0, target, m * share.unsqueeze(1))
        return F.prelu(self.update(x, gathered), torch.tensor([0.2])) + x


class Denoiser(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.time = nn.Sequential(nn.Linear(8, 16), nn.Mish(), nn.Linear(16, 16))
        self.conv1 = nn.Conv2d(2, 8, 3, padding="same", padding_mode="replicate")
        self.norm = nn.GroupNorm(4, 8, affine=False)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.conv2 = nn.Conv2d(8, 2, (1, 3), padding=(0, 1), bias=False)

    def forward(self, x: Tensor, t: Tensor) -> Tensor:
        frequency = torch.exp(torch.arange(4) * -(math.log(1e4) / 4))
        angle = t[:, None].float() * frequency[None]
        shift, scale = self.time(torch.cat((angle.sin(), angle.cos()), -1)).chunk(2, -1)
        y = self.norm(self.conv1(x)) * (1 + scale[..., None, None]) + shift[..., None, None]
        tokens = y.flatten(2).mT
        tokens = tokens + self.attention(tokens, tokens, tokens, need_weights=False)[0]
        return torch.lerp(x, self.conv2(F.hardswish(tokens.mT.unflatten(2, x.shape[2:]))), 0.3)


class Halves(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(6, 6).bfloat16()
        self.scale = nn.Parameter(torch.tensor(1.5))

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        y = F.rms_norm(self.fc(x.bfloat16()), (6,), eps=1e-5)
        z = F.hardtanh(y.half() @ x.half().T, -2.0, 2.0)
        return y * self.scale, z, torch.addcmul(x, x, x, value=-0.5).double(), F.softshrink(y.float())


class Forms(nn.Module):
    """The forms of calls that torch.fx's tracer records."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 6)
        self.weight = nn.Parameter(torch.randn(6, 4))
        self.acts = nn.ModuleList([nn.PReLU(), nn.Hardsigmoid(), nn.Softplus(beta=2.0), nn.Softmax(dim=-1)])

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        y = F.relu(self.fc(x), inplace=True)
        z = y.reshape(x.shape[:-2] + (18,)) * 0.5
        w = torch.roll(x, 1, 0).roll((1, -1), dims=(0, 2)).transpose(1, 2)[:, ::2, ..., None].squeeze(-1)
        first, second = torch.split(y, [2, 4], dim=-1)
        best = torch.max(y, dim=1)
        b, n, c = x.shape
        heads = x.view(b, n, 2, c // 2).permute(0, 2, 1, 3).contiguous().view(b * 2, n, -1)
        scores = torch.bmm(heads, heads.transpose(-1, -2)) / math.sqrt(x.size(-1))
        grown = torch.cat([x.new_zeros(b, 1, c), x.expand(-1, -1, c)], dim=1).to(torch.float64)
        mean = y.mean((0, 1), keepdim=True) - y.std(dim=2, keepdim=True)
        for act in self.acts:
            y = act(y)
        return (z, w, first.sum(dim=-1) + second.max(-1)[0], best.values, best[1], scores.softmax(dim=-1),
                grown, mean, y @ self.weight, x.new_ones(x.size(0), 2).type_as(x), -x.T,
                F.gelu(x, approximate="tanh"), torch.einsum("bnc,dc->bnd", x, self.weight),
                1 / (x.abs() + 1) ** 2, 2 ** x, x.clamp(min=-0.5, max=0.5), (x > 0).logical_or(x < -1),
                torch.stack((x, x), dim=1).flatten(0, 1), F.layer_norm(x, (4,)), x.chunk(2, -1)[1],
                F.pad(x, [1, 1]), x.masked_fill(x > 0, 1.0), torch.where(x > 0, x, 0.0), x[0, :, 1:-1])


def inputs() -> dict[str, tuple[type[nn.Module], tuple[object, ...], str]]:
    """Like more_models._inputs."""
    x = torch.randn
    index = torch.tensor([3, 0, 2, 0])
    integers = torch.tensor([5, 0, -3, 2, 7])
    words = torch.tensor([[3, 1], [5, 0], [7, 2]])
    return {
        "signals": (Signals, (x(2, 6, 6), x(2, 24)), "export joint"),
        "speech": (Speech, (x(2, 4, 11), x(2, 2, 5), x(2, 2, 8), words[:2]), "export joint"),
        "ordering": (Ordering, (x(4, 6), index), "export"),
        "integers": (Integers, (integers, integers > 2, torch.tensor(3)), "export"),
        "patches": (Patches, (x(1, 9, 6, 6)[:, :4].repeat(2, 1, 1, 1), x(1, 2, 4, 4, 4)), "export joint"),
        "more_losses": (MoreLosses, (x(3, 4), x(3, 4), torch.tensor([1.0, -1.0, 1.0]),
                                     torch.tensor([0, 3, 1])), "export joint"),
        "cache": (Cache, (x(2, 2, 4), torch.tensor([2, 3])), "export"),
        "decoder": (Decoder, (words, x(4, 2, 8)), "export joint"),
        "graph_network": (GraphNetwork, (x(5, 5), index, torch.tensor([1, 1, 4, 2])), "export joint"),
        "denoiser": (Denoiser, (x(2, 2, 4, 4), torch.tensor([3, 500])), "export joint"),
        "halves": (Halves, (x(3, 6),), "export joint"),
        "forms": (Forms, (x(2, 3, 4),), "fx"),
    }
