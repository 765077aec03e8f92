"""Small functions and modules, each of which shows one property of torch.fx's tracer.

`cases()` yields (name, callable to trace, concrete_args or None); `built()` yields (name, graph)
for handwritten graphs that the tracer cannot produce. Together, they use every opcode, every kind
of argument that a trace can produce, defaults, *args and **kwargs, annotations, names that are
reserved or need changes, constants, and nested modules.
"""

from __future__ import annotations

import builtins
import collections
import enum
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
import torch.fx
import torch.nn.functional as F
from torch import nn


class Color(enum.Enum):
    RED = 1
    GREEN = "green"


class Level(enum.IntEnum):
    LOW = 3


class Pair(NamedTuple):
    first: Any
    second: Any


Point = collections.namedtuple("Point", "x y")


@torch.fx.wrap
def wrapped(x: Any, *args: Any, **kwargs: Any) -> Any:
    return x


@torch.fx.wrap
def makeHTTPServer(x: Any) -> Any:
    return x


@torch.fx.wrap
def _leading_underscore(x: Any) -> Any:
    return x


@torch.fx.wrap
def __double__(x: Any) -> Any:
    return x


_FUNCTIONS: list[tuple[Callable[..., Any], dict[str, Any] | None]] = []


def case(function: Callable[..., Any] | None = None, **concrete_args: Any) -> Any:
    """Registers a function to be traced under its own name."""

    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        _FUNCTIONS.append((f, concrete_args or None))
        return f

    return register(function) if function is not None else register


# -- plain calls -----------------------------------------------------------------------------------


@case
def identity(x):
    return x


@case
def returns_constant(x):
    return 3


@case
def returns_none(x):
    return None


@case
def returns_nested(x, y):
    return {"a": x, "b": [y, (x + y, None, 1.5)], "c": (x,), "d": ()}


@case
def returns_strings(x):
    return x, "text", 'quote"s', "it's", "new\nline\ttab", "é", ""


@case
def no_inputs():
    return torch.ones(2)


@case
def unused_inputs(x, y, z):
    return y


@case
def add_scalars(x):
    return 1 + x - 2.5 * x / 3 // 2 % 7


@case
def reflected(x):
    return (1 - x, 2 / x, 3 // x, 4 % x, 2**x, x**2, 5 & x, 6 | x, 7 ^ x, 1 << x, 2 >> x)


@case
def comparisons(x, y):
    return x < y, x <= 1, x == y, x != None, x > 2.0, x >= -1  # noqa: E711


@case
def unary(x):
    return -x, +x, ~x, abs(x)


@case
def bit_operators(x, y):
    return (x & y) | (x ^ y), x << 1, x >> y


@case
def matmul_operator(x, y):
    return x @ y


@case
def inplace_operators(x, y):
    x += y
    x *= 2
    y -= x
    return x / y


@case
def inplace_functions(x, y):
    a = operator.iadd(x, y)
    b = operator.imul(a, 2)
    return operator.isub(b, x)


@case
def methods(x):
    return x.relu().view(2, -1).permute(1, 0).contiguous().sum(dim=0, keepdim=True)


@case
def inplace_methods(x):
    x.add_(1)
    x.mul_(2).clamp_(min=0, max=6)
    return x.zero_()


@case
def method_kwargs(x, y):
    return x.add(y, alpha=2).to(torch.float64, non_blocking=True, copy=False).type_as(y)


@case
def same_method_many_times(x):
    for _ in range(12):
        x = x.relu()
    return x


@case
def interleaved_names(x):
    a, b = torch.relu(x), torch.sigmoid(x)
    c, d = torch.relu(b), torch.sigmoid(a)
    return torch.relu(c + d + a + b)


@case
def torch_functions(x, y):
    return torch.relu(torch.add(x, y, alpha=2)), torch.matmul(x, y), torch.cat([x, y], dim=1)


@case
def functional(x, w, b):
    y = F.linear(x, w, b)
    y = F.relu(y, inplace=True)
    y = F.dropout(y, p=0.5, training=False)
    y = F.softmax(y, dim=-1)
    return F.gelu(y, approximate="tanh")


@case
def functional_pooling(x):
    y = F.max_pool2d(x, 2)
    y = F.avg_pool2d(y, kernel_size=(3, 3), stride=1, padding=1)
    return F.adaptive_avg_pool2d(y, (1, 1)).flatten(1)


@case
def functional_losses(x, t):
    return F.cross_entropy(x, t), F.mse_loss(x, t, reduction="sum"), F.nll_loss(x, t)


@case
def functional_conv(x, w):
    y = F.conv2d(x, w, None, (1, 1), (0, 0), (1, 1), 1)
    return F.conv2d(y, w, bias=None, stride=2, padding="same")


@case
def functional_norm(x, m, v, w, b):
    return F.batch_norm(x, m, v, w, b, False, 0.1, 1e-5), F.layer_norm(x, (4, 5), eps=1e-06)


@case
def interpolate(x):
    return F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)


@case
def pad(x):
    return F.pad(x, (1, 2, 3, 4), "constant", 0.5)


@case
def einsum(x, y):
    return torch.einsum("bij,bjk->bik", x, y)


@case
def linear_algebra(x):
    return torch.linalg.norm(x, ord=2, dim=(0, 1)), torch.linalg.inv(x), torch.linalg.eigh(x)


@case
def special_and_fft(x):
    return torch.special.expit(x), torch.fft.fft(x, n=8, dim=-1, norm="ortho")


# -- multiple results -------------------------------------------------------------------------------


@case
def topk(x):
    values, indices = torch.topk(x, 3, dim=-1)
    return values * indices


@case
def topk_method(x):
    return x.topk(k=2, largest=False)[0]


@case
def max_with_dim(x):
    values, indices = torch.max(x, dim=1)
    return values, indices


@case
def max_fields(x):
    m = torch.max(x, 1)
    return m.values + m.indices


@case
def split_chunk_unbind(x):
    a, b = torch.split(x, 2)
    c, d, e = torch.chunk(x, 3, dim=1)
    f, g = x.unbind(0)
    return a + b, c * d * e, f - g


@case
def split_sizes(x):
    a, b, c = torch.split(x, [1, 2, 3], dim=-1)
    return torch.stack((a, b, c))


@case
def sort_and_unique(x):
    values, order = x.sort(dim=-1, descending=True)
    return values, order.argsort(), torch.unique(x, return_inverse=True)


@case
def var_mean(x):
    v, m = torch.var_mean(x, dim=(0, 1), correction=1, keepdim=True)
    return (x - m) / torch.sqrt(v + 1e-5)


@case
def nested_getitem(x):
    return x[0][1][2]["key"]


# -- indexing --------------------------------------------------------------------------------------


@case
def simple_slices(x):
    return x[1:], x[:-1], x[::2], x[1:5:2], x[:]


@case
def tuple_of_slices(x):
    return x[:, 0], x[1:, :-1, None], x[..., 0], x[None, ..., ::2]


@case
def slices_with_nodes(x, n):
    return x[n:], x[: n + 1], x[1:n, :, n : n * 2]


@case
def nested_index_tuples(x, y):
    return x[(0, (slice(None, y), None)), ...], x[[0, 1], [y, 2]]


@case
def index_by_tensor(x, i):
    return x[i], x[i, :], x[x > 0]


@case
def index_by_bool(x):
    return x[True], x[False, 1]


@case
def range_and_ellipsis_arguments(x):
    return wrapped(x, range(3), range(1, 7, 2), ..., slice(1, None))


# -- attributes ------------------------------------------------------------------------------------


@case
def shape_getattr(x):
    return x.view(x.shape[0], -1), x.shape, x.ndim, x.dtype


@case
def size_method(x):
    return x.reshape(x.size(0), x.size(1) * x.size(2)), x.size()


@case
def device_and_dtype(x):
    return torch.zeros(x.shape, dtype=x.dtype, device=x.device)


@case
def transposes(x):
    return x.T, x.mT, x.real, x.grad, x.is_cuda


@case
def getattr_with_default(x):
    return getattr(x, "weird_attribute")


@case
def factories(x):
    n = x.size(0)
    return (
        torch.zeros((n, 3)),
        torch.full((n, 2), 1.5, dtype=torch.float16),
        torch.arange(n, device="cpu"),
        torch.empty(n, layout=torch.strided, device=torch.device("meta")),
        torch.rand_like(x, memory_format=torch.preserve_format),
    )


@case
def dtypes(x):
    y = x.to(torch.bfloat16).to(dtype=torch.int8).float().half().long()
    return y.to(torch.device("cuda", 1)).to("cuda:0").to(memory_format=torch.channels_last)


# -- Python functions ------------------------------------------------------------------------------


@case
def math_functions(x):
    n = x.size(0)
    return math.sqrt(n), math.floor(n / 2), math.ceil(n), math.pow(n, 2), math.log(n)


@case
def infinities(x):
    return x.clamp(-math.inf, math.inf), x + float("nan"), x * 1e-5, x * 1e16, x * 123456789.125


@case
def floats(x):
    return wrapped(x, 0.1, 1.0, -0.0, 1e22, 1e-7, 2.5e-310, 123456789012345680.0, 100000.0, 1 / 3)


@case
def integers(x):
    return wrapped(x, 0, -1, 2**31, 2**63 - 1, -(2**63), True, False)


@case
def huge_integers(x):
    return wrapped(x, 2**63, -(2**80))


@case
def complex_numbers(x):
    return x * 2j, x + (1 - 2.5j), wrapped(x, complex("inf"), complex(-0.0, -0.0), 1e20 + 1j)


@case
def text_arguments(x):
    return wrapped(
        x, "plain", "%x", "{'n': 'x'}", "it's", '"', "back\\slash", "a\nb", "\x00\x7f", "ü"
    )


@case
def list_and_dict_arguments(x, y):
    return wrapped(x, [x, [y, []], {}], {"a": x, "b": {"c": [y]}}, k=[{"d": (x, ())}])


@case
def dict_with_odd_keys(x):
    return wrapped(x, {1: x, (2, 3): "t", None: 0, "s": [x]})


@case
def single_element_tuples(x):
    return wrapped((x,), ((x,),), (((1,),),), [(x,)])


@case
def enum_arguments(x):
    return wrapped(x, Color.RED, [Color.GREEN], Level.LOW, [Level.LOW], k={"c": Color.RED})


@case
def devices_in_containers(x):
    return wrapped(
        [torch.device("cpu"), torch.device("cuda", 0), torch.float16, torch.strided],
        {"f": torch.channels_last, "d": torch.device("meta")},
        torch.device("cpu"),
    )


@case
def named_tuple_arguments(x, y):
    return torch.cat(Pair(x, y)), wrapped(Point(1, 2), [Point(0.5, "t")])


@case
def wrapped_calls(x):
    return wrapped(makeHTTPServer(_leading_underscore(__double__(x))), y=1)


@case
def tensor_constants(x):
    c = torch.tensor([1.0, 2.0])
    return x + c, x * c, x - torch.ones(3, dtype=torch.int64), x + torch.zeros(65)


@case
def torch_asserts(x):
    torch._assert(x.sum() > 0, "must be positive")
    return x


@case
def aten_by_hand(x, y):
    z = torch.ops.aten.add.Tensor(x, y, alpha=2)
    return torch.ops.aten.relu.default(z), torch.ops.aten.add(x, 1), torch.ops.aten.relu_(z)


@case
def symbolic_helpers(x):
    n = x.size(0)
    return torch.sym_max(n, 2), torch.sym_int(n), torch.sym_not(n > 1)


@case
def where_and_masked(x, y):
    return torch.where(x > y, x, 0.0), x.masked_fill(y == 0, float("-inf"))


@case
def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=True)


@case
def dead_code(x):
    x.relu()
    torch.sigmoid(x)
    return x


@case
def chain_of_fifty(x):
    for i in range(50):
        x = x + i
    return x


@case
def wide_sum(x):
    return sum((x * i for i in range(30)), start=x)


@case
def same_node_many_uses(x):
    return wrapped([x, x, [x, (x, x)], x], dim=x), x + x


# -- names -----------------------------------------------------------------------------------------


@case
def reserved_names(input, len, max, list, str, dict):  # noqa: A002
    return torch.sum(input) + torch.max(max) + torch.abs(len), list, str, dict


@case
def reserved_by_torch_fx(inf, nan, device, pytree, fx_pytree, NoneType):
    return inf + nan + device + pytree + fx_pytree + NoneType


@case
def suffixed_names(add, add_1, add_01, relu_2):
    return torch.relu(add + add_1) + torch.relu(add_01 + relu_2)


@case
def builtin_named_functions(x):
    return (
        torch.sum(x), torch.min(x), torch.all(x), torch.any(x), torch.round(x), torch.pow(x, 2),
        torch.sum(x), x.sum(), x.max(), x.all(), x.type(torch.float32),
    )  # fmt: skip


@case
def camel_case_names(inputTensor, HTTPResponse, aB, ABc):
    return inputTensor + HTTPResponse + aB + ABc


@case
def underscores(_x, __y, z_, _1, x__1):
    return _x + __y + z_ + _1 + x__1


# -- parameters ------------------------------------------------------------------------------------


@case
def defaults(x, a=1, b=None, c="text", d=1.5, e=True, f=(1, 2)):
    return x + a if a is None else wrapped(x, a, b, c, d, e, f)


@case
def default_containers(
    x, a=[1, [2]], b={"k": (1,)}, c=torch.float32, d=torch.device("cpu")
):  # noqa: B006
    return wrapped(x, a, b, c, d)


@case
def packs(x, *args, **kwargs):
    return wrapped(x, args[0], kwargs["k"])


@case
def only_packs(*args, **kwargs):
    return args[0] + kwargs["k"]


@case
def keyword_only(x, *, scale, bias=None):
    return x * scale, bias


@case
def annotated(
    x: torch.Tensor, n: int, f: float = 1.0, b: bool = True, s: str = "s"
) -> torch.Tensor:
    return x + n


@case(flag=True)
def concrete_bool(x, flag):
    return x + 1 if flag else x - 1


@case(n=3)
def concrete_int(x, n=2):
    return x * n


@case(pair=(torch.fx._symbolic_trace.PH, torch.fx._symbolic_trace.PH))
def concrete_structure(x, pair):
    return x + pair[0] * pair[1]


@case(d={"a": torch.fx._symbolic_trace.PH, "b": 2})
def concrete_dict(d):
    return d["a"] * d["b"]


def _annotate(**annotations: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Sets annotations to objects; in this module, written annotations are strings."""

    def apply(f: Callable[..., Any]) -> Callable[..., Any]:
        f.__annotations__ = {("return" if k == "returns" else k): v for k, v in annotations.items()}
        return f

    return apply


@case
@_annotate(x=torch.Tensor, y=int, z=Optional[torch.Tensor], returns=torch.Tensor)
def annotated_classes(x, y, z):
    return x + y


@case
@_annotate(
    a=List[int], b=Dict[str, torch.Tensor], c=Tuple[int, ...], d=Union[int, str], e=list[int],
    f=dict[str, "torch.Tensor"], g=int | None, h=Any, i=Callable, returns=Tuple[int, str],
)  # fmt: skip
def annotated_generics(a, b, c, d, e, f, g, h, i):
    return wrapped(a, b, c, d, e, f, g, h, i)


@case
@_annotate(x="torch.Tensor", y=None, z=type(None), c=Color, p=Pair, returns=None)
def annotated_oddly(x, y, z, c, p):
    return x


# -- modules ---------------------------------------------------------------------------------------


class Mlp(nn.Module):
    def __init__(self, width: int = 8, depth: int = 2) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.norm = nn.LayerNorm(width, eps=1e-6)

    def forward(self, x):
        for layer in self.layers:
            x = F.relu(layer(x))
        return self.norm(x)


class ConvNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3, stride=(1, 2), padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(6, momentum=0.05)
        self.pool = nn.MaxPool2d(2, ceil_mode=True)
        self.fc = nn.Linear(6, 10)

    def forward(self, x):
        x = self.pool(self.bn1(self.conv1(x)).relu())
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class Block(nn.Module):
    def __init__(self, width: int, downsample: nn.Module | None = None) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample

    def forward(self, x):
        out = self.bn1(self.conv1(self.relu(x + 1)))
        skip = x if self.downsample is None else self.downsample(x)
        out += skip
        return self.relu(out)


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4), nn.ReLU())
        self.layer1 = nn.Sequential(Block(4), Block(4, nn.Sequential(nn.Conv2d(4, 4, 1))))
        self.head = nn.Sequential(
            collections.OrderedDict(pool=nn.AdaptiveAvgPool2d(1), flat=nn.Flatten())
        )

    def forward(self, x):
        return self.head(self.layer1(self.stem(x)))


class Parameters(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3, 3))
        self.register_parameter("missing", None)
        self.register_buffer("running", torch.zeros(3))
        self.register_buffer("scratch", torch.zeros(2, dtype=torch.int64), persistent=False)
        self.plain = torch.full((2,), 4.0)
        self.inner = nn.Module()
        self.inner.deep = nn.Parameter(torch.ones(2))
        self.inner.deeper = nn.Module()
        self.inner.deeper.buffer_ = nn.Buffer(torch.ones(1))
        self.scale = 2.5

    def forward(self, x):
        y = (x @ self.weight + self.running) * self.scale
        y = y + self.inner.deep + self.inner.deeper.buffer_
        return y + self.plain + self.scratch + self.weight


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(10, 4, padding_idx=0)
        self.head = nn.Linear(4, 10, bias=False)
        self.head.weight = self.embed.weight
        self.again = self.head

    def forward(self, x):
        return self.again(self.embed(x)) + self.head(self.embed(x))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(4, 5, num_layers=2, batch_first=True, bidirectional=True)
        self.cell = nn.GRUCell(10, 3)

    def forward(self, x, h=None):
        out, (hidden, cell) = self.lstm(x)
        return self.cell(out[:, -1]), hidden, cell


class Transformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", norm_first=True)

    def forward(self, x, mask: Optional[torch.Tensor] = None):
        y, _ = self.attention(x, x, x, attn_mask=mask, need_weights=False)
        return self.layer(y, src_mask=None, is_causal=False)


class CallsWithKeywords(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.bilinear = nn.Bilinear(3, 4, 5)
        self.loss = nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=-1)

    def forward(self, x, y, *, target):
        return self.loss(input=self.bilinear(input2=y, input1=x), target=target)


class Nested(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.act = nn.Tanh()
        self.child = Nested(depth - 1) if depth else nn.Identity()

    def forward(self, x):
        return self.act(self.child(x))


class Activations(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.ModuleDict({"relu6": nn.ReLU6(), "0": nn.PReLU(), "with-dash": nn.ELU(0.5)})
        self.HardSwish = nn.Hardswish()
        self.sum = nn.Softmax(dim=-1)
        self._private = nn.LogSoftmax(1)

    def forward(self, x):
        for act in self.a.values():
            x = act(x)
        return self._private(self.sum(self.HardSwish(x)))


class SharedCalls(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.block = Mlp(3, 1)

    def forward(self, x):
        return self.fc(self.fc(self.block(self.block(x))))


class UserLinear(nn.Linear):
    """Not a leaf: it is not from torch.nn."""


class UserLeaves(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = UserLinear(3, 3)
        self.drop = nn.Dropout(0.25)

    def forward(self, x):
        return self.drop(self.linear(x))


class EmbeddingBags(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.bag = nn.EmbeddingBag(10, 3, mode="sum")
        self.upsample = nn.Upsample(scale_factor=2, mode="nearest")
        self.shuffle = nn.PixelShuffle(2)
        self.unfold = nn.Unfold((2, 2), dilation=1)

    def forward(self, x, offsets, image):
        return self.bag(x, offsets), self.unfold(self.shuffle(self.upsample(image)))


def _modules() -> Iterator[tuple[str, nn.Module]]:
    yield "mlp", Mlp()
    yield "mlp_deep", Mlp(4, 12)
    yield "conv_net", ConvNet()
    yield "conv_net_eval", ConvNet().eval()
    yield "residual", Residual()
    yield "parameters", Parameters()
    yield "tied", Tied()
    yield "recurrent", Recurrent()
    yield "transformer", Transformer()
    yield "calls_with_keywords", CallsWithKeywords()
    yield "nested_modules", Nested(8)
    yield "activations", Activations()
    yield "shared_calls", SharedCalls()
    yield "user_leaves", UserLeaves()
    yield "embedding_bags", EmbeddingBags()
    yield "sequential", nn.Sequential(
        nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.BatchNorm1d(3, momentum=None)), nn.Softmax(1)
    )
    yield "one_leaf", nn.Sequential(nn.Conv1d(1, 2, 3, groups=1, padding_mode="circular"))
    yield "transposed_convolutions", nn.Sequential(
        nn.ConvTranspose1d(2, 3, 2, output_padding=0),
        nn.InstanceNorm1d(3, affine=True),
        nn.GroupNorm(1, 3),
    )
    yield "relu_as_root", nn.ReLU()
    yield "linear_as_root", nn.Linear(3, 4)
    yield "traced_again", torch.fx.symbolic_trace(Mlp())


def cases() -> Iterator[tuple[str, Any, dict[str, Any] | None]]:
    for function, concrete_args in _FUNCTIONS:
        yield function.__name__, function, concrete_args
    for name, module in _modules():
        yield name, module, None


# -- handwritten graphs ----------------------------------------------------------------------------


def _graph_of(function: Callable[[torch.fx.Graph, torch.fx.Node], Any]) -> torch.fx.Graph:
    """Returns a graph with one placeholder whose result `function` creates."""
    graph = torch.fx.Graph()
    graph.output(function(graph, graph.placeholder("x")))
    return graph


class Strange:
    """Defines str and repr."""

    def __str__(self) -> str:
        return "strange str"

    def __repr__(self) -> str:
        return f"<Strange at 0x{id(self):x}>"


class Custom:
    def _custom_fx_repr_fn(self) -> str:
        return "Custom!"

    def __repr__(self) -> str:
        return "Custom(1)"


def built() -> Iterator[tuple[str, torch.fx.Graph]]:
    def arguments(*args: Any, **kwargs: Any) -> torch.fx.Graph:
        return _graph_of(lambda g, x: g.call_function(wrapped, (x, *args), kwargs))

    yield "arg_sets_and_bytes", arguments({5}, frozenset([7]), set(), b"ab\x00'", [b"x", {9}])
    yield "arg_functions", arguments(
        torch.relu, [F.relu, operator.add], int, [nn.Linear], k=math.sqrt
    )
    yield "arg_operators", arguments(
        torch.ops.aten.add.Tensor,
        [torch.ops.aten.mul.Scalar, torch.ops.aten.mul],
        len,
        k=(len, getattr),
    )
    yield "arg_qschemes", arguments(torch.per_tensor_affine, [torch.per_channel_symmetric])
    yield "arg_enums", arguments(
        Color.RED, [Color.GREEN], Level.LOW, [Level.LOW], k={"c": Color.RED}
    )
    yield "arg_objects", arguments(Custom(), [Custom()], Strange(), [Strange()])
    yield "arg_tensors", arguments(torch.tensor([1.5, 2.0]), [torch.tensor(3)], k=torch.zeros(2, 3))
    yield "arg_parameter", arguments(
        nn.Parameter(torch.ones(2)), torch.empty(0), torch.tensor(True)
    )
    yield "arg_large_tensor", arguments(torch.arange(2000).reshape(40, 50))
    yield "arg_deep", arguments(_deep(40))
    yield "arg_long", arguments(list(range(300)), tuple(str(i) for i in range(50)))
    yield "arg_surrogates", arguments("\ud800", ["\udfff x"])
    yield "arg_unicode", arguments("\u00e9\u4e2d\U0001f600", ["\u00e9\u200b\u00ad\U0001f600\x85"])
    yield "arg_dict_keys", arguments(
        {None: 1, False: 2, 2.5: 3, "s": 4, (1, (2, "t")): 5, torch.float32: 6, 7: {"x": {}}}
    )
    yield "arg_size", _with_size()
    yield "many_outputs", _graph_of(lambda g, x: (g.output(x), [x])[1])
    yield "empty", torch.fx.Graph()
    yield "only_output", _only_output()
    yield "setitem", _graph_of(
        lambda g, x: g.call_function(operator.setitem, (x, (slice(None, 3), 0), 1.0))
    )
    yield "tensor_static_methods", _graph_of(
        lambda g, x: [
            g.call_function(f, (x, x))
            for f in (torch.Tensor.add, torch.Tensor.split, torch.Tensor.__add__)
        ]
    )
    yield "every_operator", _graph_of(lambda g, x: [g.call_function(f, (x, x)) for f in _operators()])
    yield "every_math_function", _graph_of(
        lambda g, x: [g.call_function(f, (x,)) for f in _callables(math)]
    )
    yield "every_builtin", _graph_of(
        lambda g, x: [g.call_function(f, (x,)) for f in _callables(builtins)]
    )
    yield "functions_of_many_modules", _graph_of(
        lambda g, x: [g.call_function(f, (x,)) for f in _assorted_functions()]
    )
    yield "methods_with_underscores", _graph_of(
        lambda g, x: [
            g.call_method(m, (x,))
            for m in ("__call__", "__add__", "_x", "add_", "__", "___", "____", "aB")
        ]
    )
    yield "odd_names", _odd_names()
    yield "raw_names", _raw_names()
    yield "placeholders_anywhere", _late_placeholder()
    yield "out_of_order", _out_of_order()
    yield "get_attr_paths", _graph_of(
        lambda g, x: [
            g.get_attr(p) for p in ("a", "a.b", "a.0.b", "_a", "0", "a.B.cD", "len", "x.1a")
        ]
    )
    yield "call_module_paths", _graph_of(
        lambda g, x: g.call_module("layer1.0.conv", (g.call_module("0", (x,), {"k": [x]}),))
    )
    yield "inserted_in_reverse", _inserted()
    yield "after_edits", _edited()
    yield "annotations_everywhere", _annotations()
    yield "default_placeholders", _defaults()
    yield "higher_order", _graph_of(
        lambda g, x: g.call_function(
            torch.ops.higher_order.cond, (x, [torch.ops.higher_order.cond], (x,))
        )
    )
    yield "hundred_thousand_characters", arguments("long " * 20000)
    yield "no_users_no_output", _without_output()


def _deep(depth: int) -> Any:
    value: Any = 1
    for i in range(depth):
        value = [(value,), {"k": value} if i % 10 == 0 else i]
    return value


def _with_size() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    node = graph.call_function(wrapped, (graph.placeholder("x"),))
    node.insert_arg(1, torch.Size([2, 3]))  # create_node would convert it, insert_arg does not
    graph.output(node)
    return graph


def _only_output() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    graph.output((1, "a", None))
    return graph


def _operators() -> list[Any]:
    names = sorted(n for n in dir(operator) if not n.startswith("_") and n != "call")
    found = [getattr(operator, n) for n in names]
    return [f for f in found if not isinstance(f, type)]


def _callables(module: Any) -> list[Any]:
    names = sorted(n for n in dir(module) if not n.startswith("_"))
    return [f for f in (getattr(module, n) for n in names) if type(f) is type(len)]


def _assorted_functions() -> list[Any]:
    return [
        torch.relu, torch.split, torch.einsum, torch.norm, torch.unique, torch.sym_max,
        torch.sym_float,
        F.relu, F.gelu, F.linear, F.max_pool2d, F.dropout, F.softmax,
        F.multi_head_attention_forward,
        torch.fft.fft, torch.special.expit, torch.linalg.inv, torch._C._nn.silu, torch._assert,
        torch.ops.aten.add.Tensor, torch.ops.aten.add.out, torch.ops.aten.add,
        torch.ops.prims.add.default,
        torch.utils.checkpoint.checkpoint, torch._C._set_grad_enabled,
        torch.amp.autocast_mode._enter_autocast,
        torch.nn.Linear, torch.Size, dict, slice, collections.OrderedDict, Pair, Point, Color,
        torch.autograd.function.Function.apply, wrapped, makeHTTPServer, _leading_underscore,
        __double__,
        _deep, torch.nn.init.xavier_uniform_, operator.itemgetter, math.prod,
    ]  # fmt: skip


def _odd_names() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    for name in (
        "a b", "1a", "", "a.b.c", "é", "sum", "sum_1", "sum", "if", "x", "x_1", "x_01", "x_01",
        "x_0", "x",
        "foo_2", "foo", "foo_2", "foo", "a" * 300, "_", "__", "_1", "1", "a_1_2", "a_1", "a_1_2",
        "None",
        "True", "inf", "torch", "self", "fx_pytree", "a-b", "a--b", "x_99999999999999999999", "x_",
    ):  # fmt: skip
        graph.create_node("call_function", torch.relu, (x,), {}, name)
    graph.output(x)
    return graph


def _raw_names() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    node = graph.call_function(torch.relu, (x,))
    node.name = "not an identifier"  # torch.fx accepts any text here
    other = graph.call_function(torch.relu, (node,))
    other.name = "sum"
    graph.output((node, other))
    return graph


def _late_placeholder() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    node = graph.call_function(torch.relu, (graph.placeholder("x"),))
    graph.output((node, graph.placeholder("late", default_value=None)))
    graph.call_function(torch.neg, (node,))
    return graph


def _out_of_order() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    first = graph.call_function(torch.relu, (x,))
    second = graph.call_function(torch.neg, (first,))
    graph.output(second)
    second.append(first)
    return graph


def _inserted() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    out = graph.output(x)
    with graph.inserting_after(x):
        for f in (torch.relu, torch.neg, torch.sum):
            graph.call_function(f, (x,))
    with graph.inserting_before(out):
        for f in (torch.relu, torch.neg, torch.sum):
            graph.call_function(f, (x,))
    return graph


def _edited() -> torch.fx.Graph:
    graph = torch.fx.symbolic_trace(Residual()).graph
    for node in list(graph.nodes):
        if node.op == "call_module" and node.target.endswith("relu"):
            with graph.inserting_after(node):
                new = graph.call_function(torch.clamp, node.args, {"min": 0, "max": 6})
            node.replace_all_uses_with(new)
            graph.erase_node(node)
    return graph


def _annotations() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    x = graph.placeholder("x", type_expr=torch.Tensor)
    y = graph.placeholder("y", type_expr=Optional[List[int]], default_value=None)
    a = graph.get_attr("a", type_expr=nn.Parameter)
    f = graph.call_function(torch.relu, (x,), type_expr=Tuple[torch.Tensor, "int"])
    m = graph.call_module("m", (f, a), type_expr=Union[int, None])
    c = graph.call_method("size", (m, y), type_expr="torch.Size")
    graph.output((c, f), type_expr=Tuple[int, torch.Tensor])
    return graph


def _defaults() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    values = (None, 1, 1.5, "text", [1, "a"], (1,), {"k": [None]}, torch.float32,
    torch.device("cuda", 1),
              slice(1, None), ..., True, torch.ops.aten.add.Tensor, [torch.relu],
              Color.RED)  # fmt: skip
    graph.output([graph.placeholder(f"p{i}", default_value=v) for i, v in enumerate(values)])
    return graph


def _without_output() -> torch.fx.Graph:
    graph = torch.fx.Graph()
    graph.call_function(torch.relu, (graph.placeholder("x"),))
    return graph
