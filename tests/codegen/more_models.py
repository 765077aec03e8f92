"""Additional models for cpp_models.py. They differ from the models of the zoo and the corpus, on
which the emitter was developed. There are three ways to create a graph: `export` (torch.export,
ATen operators), `joint` (AOTAutograd, for the sum of the results) and `fx` (torch.fx's tracer:
layers, methods, functions of the modules torch and operator, with ShapeProp's types).
"""

from __future__ import annotations

import operator
from typing import Any

import further_models
import fx_export
import other_models
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.SiLU())
        self.pool = nn.MaxPool2d(2)
        self.middle = nn.Sequential(nn.Conv2d(8, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16))
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.out = nn.Conv2d(16, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        skip = self.down(x)
        y = F.leaky_relu(self.middle(self.pool(skip)), 0.2, inplace=True)
        y = torch.cat([self.up(y), skip], dim=1)
        return F.interpolate(self.out(y), size=[20, 20], mode="bilinear", align_corners=False)


class UnrolledLstm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gates = nn.Linear(5 + 6, 4 * 6)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        h = c = x.new_zeros(x.shape[0], 6)
        for step in x.unbind(1):
            i, f, g, o = self.gates(torch.cat([step, h], 1)).chunk(4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
        return h, c


class Lstm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.LSTM(5, 6, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, x: Tensor) -> Tensor:
        out, (h, _) = self.rnn(x)
        return out.mean(1) + h[-1].repeat(1, 2)


class Vit(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, 16, 4, stride=4)
        self.cls = nn.Parameter(torch.randn(1, 1, 16))
        self.position = nn.Parameter(torch.randn(1, 17, 16))
        self.qkv = nn.Linear(16, 48)
        self.norm = nn.LayerNorm(16)
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.GELU(approximate="tanh"), nn.Linear(32, 16))
        self.head = nn.Linear(16, 10)

    def forward(self, x: Tensor) -> Tensor:
        y = self.patch(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.cls.expand(y.size(0), -1, -1), y], dim=1) + self.position
        b, n, c = y.shape
        q, k, v = self.qkv(self.norm(y)).reshape(b, n, 3, 4, c // 4).permute(2, 0, 3, 1, 4).unbind(0)
        y = y + F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, c)
        y = y + self.mlp(self.norm(y))
        return F.log_softmax(self.head(y[:, 0]), dim=-1)


class MixtureOfExperts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(8, 4, bias=False)
        self.w1 = nn.Parameter(torch.randn(4, 8, 16) / 3)
        self.w2 = nn.Parameter(torch.randn(4, 16, 8) / 4)

    def forward(self, x: Tensor) -> Tensor:
        scores, chosen = torch.topk(self.gate(x).softmax(-1), 2, dim=-1)
        scores = scores / scores.sum(-1, keepdim=True)
        weight = torch.zeros(x.shape[0], 4).scatter(1, chosen, scores)
        hidden = F.relu(torch.einsum("td,edh->teh", x, self.w1)) ** 2
        return torch.einsum("teh,ehd,te->td", hidden, self.w2, weight)


class Indexing(nn.Module):
    def forward(self, x: Tensor, i: Tensor) -> tuple[Tensor, ...]:
        y = x.clone()
        y[i] = 0.5
        y[:, 1] += x[:, -1]
        y[0, ::2] = -x[1, ::2]
        z = torch.index_put(x, (i, i % 3), x[i, 0], accumulate=True)
        picked = x.index_select(0, i).masked_fill(x[i] > 0, float("-inf"))
        order = x.argsort(dim=1, descending=True, stable=True)
        return y, z, picked, x.gather(1, order), x.flip(0).roll(1, 1).tril(-1), i.bincount(minlength=9)


class Complex(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 5, dtype=torch.complex64))

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        f = torch.fft.rfft(x, dim=-1, norm="ortho")
        y = f * self.weight.conj() + (0.5 - 2j)
        back = torch.fft.irfft(y, n=8, dim=-1, norm="ortho")
        return back, torch.view_as_real(y), y.abs(), y.angle(), torch.polar(x.abs(), x)


class Cond(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        def negative(x: Tensor) -> Tensor:
            return torch.cond(x.max() > 3, lambda x: x * 2, lambda x: x.neg().exp(), (x,))

        return torch.cond(x.sum() > 0, lambda x: x.sin(), negative, (x,)) + 1


class While(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        from torch._higher_order_ops.while_loop import while_loop

        n = torch.zeros((), dtype=torch.int64)
        _, y = while_loop(lambda n, y: n < 5, lambda n, y: (n + 1, y * 0.5 + x), (n, x))
        return y


class Numbers(nn.Module):
    """Arithmetic on sizes, dtypes, and results that are not tensors."""

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        n = x.size(0) * 2 - x.size(1) // 2
        y = x.view(-1).to(torch.float64).div(n).float()
        m = torch.arange(n, dtype=x.dtype) ** 2 / max(n, 1)
        std, mean = torch.std_mean(x, dim=[1], correction=0, keepdim=True)
        return y, m, (x - mean) / std, x.amax((0, 1)), torch.full_like(x, -1).bool(), x.type_as(m)


class Norms(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(6, 6), nn.Linear(6, 6)])
        self.register_buffer("scale", torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
        self.drop = nn.Dropout(0.25)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = self.drop(F.normalize(layer(x), dim=-1)) * self.scale
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        return F.softplus(x).clamp(min=0.1, max=2).cumsum(-1)


class Losses(nn.Module):
    def forward(self, x: Tensor, t: Tensor) -> Tensor:
        one = F.cross_entropy(x, t, label_smoothing=0.1)
        two = F.smooth_l1_loss(x, x.roll(1, 0).detach(), beta=0.5)
        three = F.binary_cross_entropy_with_logits(x, (x > 0).float())
        return one + two * 3 - three / 2 + F.kl_div(x.log_softmax(1), x.detach().softmax(1))


class Functions(nn.Module):
    """Python operators and methods in forms that only torch.fx's tracer records."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x: Tensor, scale: float = 2.0) -> Tensor:
        y = self.norm(self.fc(x)).relu()
        y = operator.matmul(y, y.t()) @ x
        y = F.dropout(y, p=0.5, training=False)
        y = torch.where(y > 0, y, -y) + x.float().mean(dim=-1, keepdim=True)
        y = y.reshape(y.shape[0], -1)[..., None].squeeze(-1) * scale
        y += 1
        return F.softmax(torch.add(y, x, alpha=0.5), dim=1, dtype=torch.float32)


class Transposed(nn.Module):
    """Grouped transposed convolutions of all ranks."""

    def __init__(self) -> None:
        super().__init__()
        self.one = nn.ConvTranspose1d(4, 6, 3, stride=2, groups=2, output_padding=1)
        self.two = nn.ConvTranspose2d(4, 4, (3, 2), stride=2, padding=1, groups=4, bias=False)
        self.three = nn.ConvTranspose3d(2, 2, 2, groups=2, dilation=2)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        y = self.two(x)
        return self.one(x.flatten(2)), F.pixel_shuffle(y, 2), self.three(y.unflatten(1, (2, 2)))


class Bags(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.sum = nn.EmbeddingBag(10, 4, mode="sum")
        self.mean = nn.EmbeddingBag(10, 4, mode="mean", padding_idx=0)

    def forward(self, words: Tensor, offsets: Tensor, weights: Tensor) -> Tensor:
        return self.sum(words, offsets, per_sample_weights=weights) * self.mean(words, offsets)


class DataDependent(nn.Module):
    def forward(self, x: Tensor, i: Tensor) -> tuple[Tensor, ...]:
        values, inverse, counts = torch.unique(i, return_inverse=True, return_counts=True)
        positions = torch.nonzero(x > 0.5)
        return (torch.bincount(i, minlength=9), values, inverse, counts, positions,
                torch.masked_select(x, x < 0).sum(), x[x > 0].mean(), torch.histc(x, 4, -1, 1))


class MaskedAttention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.mixed = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x: Tensor, keep: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = self.qkv(x).unflatten(-1, (3, 2, 4)).permute(2, 0, 3, 1, 4).unbind(0)
        bias = torch.zeros(keep.shape, dtype=x.dtype).masked_fill(~keep, float("-inf"))
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
        b = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=0.3)
        c = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        mixed, weights = self.mixed(x, x, x, attn_mask=bias)
        return (a + b + c).transpose(1, 2).flatten(2) + mixed, weights


class LinearAlgebra(nn.Module):
    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        spd = x @ x.mT + 4 * torch.eye(4)
        low = torch.linalg.cholesky(spd)
        solved = torch.linalg.solve(spd, x)
        return (torch.linalg.solve_triangular(low, x, upper=False), solved, torch.linalg.inv(spd),
                torch.logdet(spd), torch.linalg.matrix_norm(x), torch.einsum("ij,kj->ik", x, solved))


class Resampled(nn.Module):
    def forward(self, x: Tensor, theta: Tensor) -> tuple[Tensor, ...]:
        grid = F.affine_grid(theta, [2, 4, 6, 6], align_corners=False)
        patches = F.unfold(x, 3, padding=1)
        return (F.grid_sample(x, grid, padding_mode="border", align_corners=False),
                F.fold(patches, x.shape[2:], 3, padding=1), F.normalize(patches, dim=1),
                F.interpolate(x, scale_factor=1.5, mode="bicubic"), F.max_pool2d(x, 2, ceil_mode=True),
                F.adaptive_max_pool2d(x, 3), F.lp_pool2d(x.abs(), 2.0, 2))


class Scattered(nn.Module):
    def forward(self, x: Tensor, i: Tensor) -> tuple[Tensor, ...]:
        rows = i.unsqueeze(1).expand(-1, x.size(1))
        ordered, order = torch.sort(x, dim=1, stable=True)
        return (torch.zeros(5, x.size(1)).scatter_add(0, rows, x), x.logcumsumexp(1),
                torch.zeros(5, x.size(1)).scatter_reduce(0, rows, x, "amax", include_self=False),
                x.gather(1, order), torch.searchsorted(ordered, x), x.cumprod(0), x.quantile(0.3, 1))


class Gru(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gru = nn.GRU(5, 6, bidirectional=True)
        self.rnn = nn.RNN(12, 4, nonlinearity="relu")

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return self.rnn(self.gru(x)[0])


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.conv2, self.bn2 = nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.relu = nn.ReLU(inplace=True)
        self.pool, self.fc = nn.AdaptiveAvgPool2d((1, 1)), nn.Linear(4, 3)

    def forward(self, x: Tensor) -> Tensor:
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return self.fc(torch.flatten(self.pool(self.relu(y + x)), 1))


def _inputs() -> dict[str, tuple[type[nn.Module], tuple[Any, ...], str]]:
    """Returns the class of each model, its inputs, and the ways to create a graph."""
    x = torch.randn
    index = torch.tensor([3, 0, 2])
    return {
        "unet": (UNet, (x(2, 3, 16, 16),), "export joint fx"),
        "unrolled_lstm": (UnrolledLstm, (x(3, 4, 5),), "export joint"),
        "lstm": (Lstm, (x(2, 4, 5),), "export joint"),
        "vit": (Vit, (x(2, 3, 16, 16),), "export joint fx"),
        "moe": (MixtureOfExperts, (x(6, 8),), "export joint"),
        "indexing": (Indexing, (x(4, 6), index), "export"),
        "complex": (Complex, (x(4, 8),), "export joint"),
        "cond": (Cond, (x(3, 4),), "export"),
        "while": (While, (x(3, 4),), "export"),
        "numbers": (Numbers, (x(4, 6),), "export"),
        "norms": (Norms, (x(3, 6),), "export joint"),
        "losses": (Losses, (x(5, 7), torch.tensor([1, 0, 6, 3, 3])), "export joint fx"),
        "functions": (Functions, (x(4, 4), 2.0), "fx"),
        "transposed": (Transposed, (x(2, 4, 6, 7),), "export joint"),
        "bags": (Bags, (index, torch.tensor([0, 1]), x(index.numel())), "export joint"),
        "data_dependent": (DataDependent, (x(5, 6), torch.tensor([1, 7, 7, 0, 3])), "export"),
        "masked_attention": (MaskedAttention, (x(2, 5, 8), torch.ones(5, 5).tril() > 0), "export joint"),
        "linear_algebra": (LinearAlgebra, (x(4, 4),), "export joint"),
        "resampled": (Resampled, (x(2, 4, 6, 6), x(2, 2, 3)), "export joint"),
        "scattered": (Scattered, (x(4, 6), torch.tensor([4, 0, 4, 2])), "export joint"),
        "gru": (Gru, (x(3, 2, 5),), "export joint"),
        "residual": (Residual, (x(2, 4, 8, 8),), "export joint fx"),
        **other_models.inputs(),
        **further_models.inputs(),
    }


def cases() -> list[tuple[str, str]]:
    return [(name, how) for name, (_, _, ways) in _inputs().items() for how in ways.split()]


def graph_of(name: str, how: str) -> tuple[torch.fx.GraphModule, list[Any]]:
    """Returns the graph, and the values of its placeholders. No tensor requires grad: this affects
    which kernels matmul calls, and neither emitted code nor `fxcpp run` requires gradients."""
    torch.manual_seed(0)
    model_class, inputs, _ = _inputs()[name]
    model = model_class()
    if how == "fx":
        gm = torch.fx.symbolic_trace(model.eval().requires_grad_(False))
        torch.fx.passes.shape_prop.ShapeProp(gm).propagate(*inputs)
        return gm, list(inputs)
    if how == "joint":
        gm = fx_export._trace(model.train(), list(inputs), "joint")
        state = [*model.parameters(), *model.buffers()]
        count = sum(node.op == "placeholder" for node in gm.graph.nodes)
        values = [*state, *inputs]
        values += [torch.ones(())] * (count - len(values))  # the tangent of the loss
        return gm, [v.detach() if isinstance(v, Tensor) else v for v in values]
    program = torch.export.export(model.eval(), inputs)
    state = {**program.state_dict, **program.constants}
    user = iter(inputs)
    values = [
        next(user) if spec.kind.name == "USER_INPUT" else state[spec.target].detach()
        for spec in program.graph_signature.input_specs
    ]
    return program.graph_module, values


def members(gm: torch.fx.GraphModule) -> dict[str, Tensor]:
    """Returns the tensors that the graph or its layers use, by path."""
    found = {
        **dict(gm.named_parameters(remove_duplicate=False)),
        **dict(gm.named_buffers(remove_duplicate=False)),
    }
    for node in gm.graph.nodes:
        if node.op == "get_attr" and isinstance(value := getattr(gm, node.target, None), Tensor):
            found[node.target] = value
    return found
