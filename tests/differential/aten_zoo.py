"""Graphs of ATen operators: make_fx on fake, real and symbolic tensors, and AOTAutograd.

`cases()` yields (name, GraphModule). The nodes keep their metadata (FakeTensors, stack traces,
autograd's sequence numbers, forward and backward tags).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch._functorch.aot_autograd import aot_export_joint_simple, aot_export_module
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.passes.shape_prop import ShapeProp

import traced_zoo

Inputs = tuple[torch.Tensor, ...]


def _f32(*shape: int) -> torch.Tensor:
    return torch.zeros(shape)


def _i64(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, dtype=torch.int64)


def _softmax_by_hand(x: torch.Tensor) -> torch.Tensor:
    e = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)


def _dict_outputs(x: torch.Tensor) -> dict[str, Any]:
    return {"a": x.sin(), "b": [x.cos(), (x.tan(), None)], "n": 3}


def _mutates(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x.add_(y).mul_(2)
    y[0] = 1.0
    return x[:, 1:]


def _many_views(x: torch.Tensor) -> torch.Tensor:
    y = x.view(2, 3, 4).permute(2, 0, 1).unsqueeze(0).expand(2, 4, 2, 3)
    return y.reshape(-1)[1::2].as_strided((3, 2), (2, 1), 1)


def _mixed_dtypes(x: torch.Tensor) -> Any:
    y = x.to(torch.float16)
    return y, x.to(torch.bfloat16) + y, x > 0, x.to(torch.int8), torch.complex(x, x), x.double()


def _factories(x: torch.Tensor) -> Any:
    return (
        torch.zeros(2, 3), torch.full_like(x, 2), torch.arange(0, 5, 2), torch.eye(3),
        x.new_ones(2),
        torch.rand_like(x), torch.randint(0, 5, (2,)), torch.tensor([1, 2]), torch.linspace(0, 1,
        5),
    )  # fmt: skip


def _indexing(x: torch.Tensor, i: torch.Tensor) -> Any:
    return x[i], x[:, i], x[..., None, 0], x.index_select(0, i), x.gather(0, i[:, None]), x[i, i]


def _losses(x: torch.Tensor, t: torch.Tensor) -> Any:
    return F.cross_entropy(x, t), F.nll_loss(F.log_softmax(x, -1), t, reduction="sum")


def _pools(x: torch.Tensor) -> Any:
    return (
        F.max_pool2d(x, 2, return_indices=True),
        F.avg_pool2d(x, 3, 2, 1),
        F.adaptive_avg_pool2d(x, 2),
    )


FUNCTIONS: dict[str, tuple[Callable[..., Any], Inputs]] = {
    "add_relu": (lambda x, y: torch.relu(x + 2 * y), (_f32(2, 3), _f32(3))),
    "softmax_by_hand": (_softmax_by_hand, (_f32(2, 5),)),
    "softmax": (lambda x: F.softmax(x, -1), (_f32(2, 5),)),
    "dict_outputs": (_dict_outputs, (_f32(3),)),
    "mutates": (_mutates, (_f32(2, 3), _f32(2, 3))),
    "many_views": (_many_views, (_f32(4, 6),)),
    "mixed_dtypes": (_mixed_dtypes, (_f32(2),)),
    "factories": (_factories, (_f32(2),)),
    "indexing": (_indexing, (_f32(4, 4), _i64(3))),
    "losses": (_losses, (_f32(4, 5), _i64(4))),
    "pools": (_pools, (_f32(1, 2, 6, 6),)),
    "topk": (lambda x: torch.topk(x, 2)[0], (_f32(3, 4),)),
    "split": (lambda x: torch.split(x, [1, 3], dim=1), (_f32(3, 4),)),
    "chunk": (lambda x: x.chunk(3, 1)[1], (_f32(2, 6),)),
    "unbind": (lambda x: sum(x.unbind(0)), (_f32(3, 4),)),
    "max_dim": (lambda x: torch.max(x, dim=1), (_f32(3, 4),)),
    "sort": (lambda x: x.sort(descending=True), (_f32(3, 4),)),
    "var_mean": (lambda x: torch.var_mean(x, dim=1, correction=0), (_f32(3, 4),)),
    "cat_stack": (
        lambda x, y: torch.stack([torch.cat([x, y]), torch.cat((y, x))]),
        (_f32(2), _f32(3)),
    ),
    "where": (lambda x: torch.where(x > 0, x, torch.zeros_like(x)), (_f32(3),)),
    "einsum": (lambda x, y: torch.einsum("ij,jk->ki", x, y), (_f32(2, 3), _f32(3, 4))),
    "linear": (F.linear, (_f32(2, 3), _f32(4, 3), _f32(4))),
    "conv": (
        lambda x, w: F.conv2d(x, w, padding=1, stride=2),
        (_f32(1, 3, 8, 8), _f32(4, 3, 3, 3)),
    ),
    "conv_transpose": (lambda x, w: F.conv_transpose1d(x, w), (_f32(1, 3, 8), _f32(3, 4, 3))),
    "layer_norm": (lambda x, w: F.layer_norm(x, (4,), w), (_f32(2, 4), _f32(4))),
    "group_norm": (lambda x: F.group_norm(x, 2), (_f32(2, 4, 5),)),
    "embedding": (lambda i, w: F.embedding(i, w, padding_idx=0), (_i64(2, 3), _f32(5, 4))),
    "attention": (F.scaled_dot_product_attention, (_f32(1, 2, 4, 8),) * 3),
    "interpolate": (lambda x: F.interpolate(x, scale_factor=2.0), (_f32(1, 1, 3, 3),)),
    "pad": (lambda x: F.pad(x, (1, 1), value=float("-inf")), (_f32(2, 3),)),
    "dropout": (lambda x: F.dropout(x, 0.5, training=True), (_f32(2, 3),)),
    "fft": (lambda x: torch.fft.rfft(x, norm="ortho").abs(), (_f32(8),)),
    "solve": (torch.linalg.solve, (torch.eye(3), _f32(3, 1))),
    "norms": (lambda x: (torch.linalg.norm(x), x.norm(p=1, dim=0), F.normalize(x)), (_f32(2, 3),)),
    "cumulative": (lambda x: (x.cumsum(0), x.cumprod(1), x.logcumsumexp(0)), (_f32(2, 3),)),
    "scatter": (lambda x, i: x.scatter_add(0, i, torch.ones(2, 3)), (_f32(4, 3), _i64(2, 3))),
    "bits": (lambda x: (x & 3) << 1 ^ x, (_i64(3),)),
    "one_hot": (lambda i: F.one_hot(i, 5), (_i64(4),)),
    "roll_flip": (lambda x: x.roll((1, 2), (0, 1)).flip([0]), (_f32(3, 4),)),
    "unfold": (lambda x: x.unfold(0, 2, 1), (_f32(5),)),
    "triangles": (
        lambda x: (x.tril(), x.triu(1), x.diagonal(), torch.diag_embed(x)),
        (_f32(3, 3),),
    ),
    "clamp": (lambda x: x.clamp(min=0).clamp(max=6).clamp(-1.5, 1e10), (_f32(3),)),
    "scalars": (lambda x: x + 1 - 2.5 + True, (_f32(3),)),
    "foreach": (lambda x, y: torch._foreach_add([x, y], 1.0), (_f32(2), _f32(3))),
    "empty_graph": (lambda x: x, (_f32(2),)),
    "constants": (lambda x: x + torch.tensor([1.0, 2.0]) + torch.tensor(3), (_f32(2),)),
}


def _sizes(x: torch.Tensor) -> Any:
    n, m = x.shape
    return x.reshape(n * m), x.new_zeros(n + 1, m * 2), n // 2, n * 1.5, torch.sym_max(n, m)


def _symbolic() -> Iterator[tuple[str, Callable[..., Any], Inputs]]:
    for name in (
        "add_relu",
        "softmax_by_hand",
        "conv",
        "cat_stack",
        "var_mean",
        "pools",
        "layer_norm",
    ):
        yield name, *FUNCTIONS[name]
    yield "reshapes", lambda x: x.reshape(-1, x.shape[0]).flatten(), (_f32(3, 4, 5),)
    yield "sizes", _sizes, (_f32(6, 7),)
    yield "slices", lambda x: x[1 : x.shape[0] - 1, ::2], (_f32(6, 7),)
    yield "arange", lambda x: torch.arange(x.shape[1]) + x.shape[0], (_f32(6, 7),)


class _WithLoss(nn.Module):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, *args: torch.Tensor) -> tuple[torch.Tensor, ...]:
        out = self.model(*args)
        return (out.sum(), out.detach())


def _models() -> Iterator[tuple[str, nn.Module, Inputs]]:
    yield "linear", nn.Linear(3, 4), (_f32(2, 3),)
    yield "mlp", traced_zoo.Mlp(6, 2), (_f32(2, 6),)
    yield "conv_net", traced_zoo.ConvNet(), (_f32(2, 3, 9, 9),)
    yield "residual", traced_zoo.Residual(), (_f32(2, 3, 5, 5),)
    yield "attention", nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), (
        _f32(2, 3, 8),
    )
    yield "gru_cell", nn.GRUCell(3, 4), (_f32(2, 3), _f32(2, 4))
    yield "embedding", nn.Embedding(5, 3), (_i64(2, 4),)
    yield "dropout", nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5)), (_f32(2, 3),)


def _joint(f: Callable[..., Any], inputs: Inputs) -> torch.fx.GraphModule:
    leaves = tuple(x.clone().requires_grad_(x.is_floating_point()) for x in inputs)
    return aot_export_joint_simple(lambda *args: (f(*args),), leaves, trace_joint=True)


def _shape_propagated() -> Iterator[tuple[str, torch.fx.GraphModule]]:
    for name, model, inputs in _models():
        if name in ("attention", "gru_cell"):
            continue  # tracing it requires concrete shapes
        gm = torch.fx.symbolic_trace(model)
        ShapeProp(gm).propagate(*inputs)
        yield f"shape_prop_{name}", gm


def cases() -> Iterator[tuple[str, torch.fx.GraphModule]]:
    for name, (function, inputs) in FUNCTIONS.items():
        mode = "real" if len(name) % 3 == 0 else "fake"
        yield f"{mode}_{name}", make_fx(function, tracing_mode=mode)(*inputs)
    for name, function, inputs in _symbolic():
        yield f"symbolic_{name}", make_fx(function, tracing_mode="symbolic")(*inputs)
    for name in ("add_relu", "softmax", "pad", "conv", "layer_norm", "attention", "embedding"):
        yield f"joint_{name}", _joint(*FUNCTIONS[name])
    for name, model, inputs in _models():
        mode = name == "attention"  # its control flow in evaluation mode depends on tensor values
        forward, _ = aot_export_module(_WithLoss(model.train(mode)), inputs, trace_joint=False)
        yield f"forward_{name}", forward
        joint, _ = aot_export_module(
            _WithLoss(model.train()), inputs, trace_joint=True, output_loss_index=0
        )
        yield f"training_{name}", joint
    yield from _shape_propagated()
    yield from _exported()


class _Branches(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, lambda x: x.sin() + 1, lambda x: x.cos(), (x,))


def _exported() -> Iterator[tuple[str, torch.fx.GraphModule]]:
    yield "export_branches", torch.export.export(_Branches(), (_f32(3),)).graph_module
    yield "export_mlp", torch.export.export(traced_zoo.Mlp(6, 2), (_f32(2, 6),)).module()
    dynamic = {"x": {0: torch.export.Dim("batch", min=2, max=64)}}
    program = torch.export.export(traced_zoo.Mlp(6, 2), (_f32(4, 6),), dynamic_shapes=dynamic)
    yield "export_dynamic", program.graph_module
    yield "export_decomposed", program.run_decompositions({}).graph_module
