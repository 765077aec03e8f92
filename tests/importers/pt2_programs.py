"""Programs with unusual features for test_pt2_programs.py: views of parameters, weights that share a
storage or have rare dtypes, inputs that are numbers, None or containers, results that are inputs."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

Case = tuple[nn.Module, tuple[Any, ...], dict[str, Any], Any]
CASES: dict[str, Callable[[], Case]] = {}
Point = collections.namedtuple("Point", ["x", "y"])


@dataclasses.dataclass
class Pair:
    first: torch.Tensor
    second: torch.Tensor


class Calls(nn.Module):
    """A module that has the given members, and whose forward function is the given function."""

    def __init__(self, function: Callable[..., Any], **members: Any) -> None:
        super().__init__()
        self.function = function
        for name, value in members.items():
            if isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(self, *args, **kwargs)


def case(name: str, *args: Any, kwargs: dict[str, Any] | None = None, dynamic: Any = None,
         **members: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds a program whose forward function is the decorated function. Members may be functions
    without parameters."""
    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        def make() -> Case:
            torch.manual_seed(0)
            values = {k: v() if callable(v) and not isinstance(v, nn.Module) else v for k, v in members.items()}
            return Calls(function, **values), args, kwargs or {}, dynamic
        CASES[name] = make
        return function
    return add


def module(name: str, *args: Any, kwargs: dict[str, Any] | None = None,
           dynamic: Any = None) -> Callable[[type[nn.Module]], type[nn.Module]]:
    def add(kind: type[nn.Module]) -> type[nn.Module]:
        def make() -> Case:
            torch.manual_seed(0)
            return kind(), args, kwargs or {}, dynamic
        CASES[name] = make
        return kind
    return add


X = torch.arange(6, dtype=torch.float32).reshape(2, 3) - 2.5
AUTO = torch.export.Dim.AUTO


def parameter(*shape: int, **options: Any) -> Callable[[], nn.Parameter]:
    return lambda: nn.Parameter(torch.randn(*shape, **options))


# ------------------------------------------------------------------ results

@case("input twice", X)
def _(m: Any, x: Any) -> Any:
    return x, x


@case("parameter twice", X, w=parameter(3))
def _(m: Any, x: Any) -> Any:
    return x * m.w, m.w, m.w


@case("views of parameters", X, w=parameter(2, 3))
def _(m: Any, x: Any) -> Any:
    return m.w.view(-1), m.w.t(), m.w[0], x @ m.w.t()


@case("buffer", X, b=lambda: torch.ones(3))
def _(m: Any, x: Any) -> Any:
    return m.b, x + 1


@case("view of input", X)
def _(m: Any, x: Any) -> Any:
    return x.view(-1), x[0], x.t()


@case("None results", X)
def _(m: Any, x: Any) -> Any:
    return x + 1, None, (None, x - 1), [None]


@case("constant results", X)
def _(m: Any, x: Any) -> Any:
    return x + 1, 3, 2.5, True


@case("nested results", X)
def _(m: Any, x: Any) -> Any:
    return {"b": [x + 1, (x,)], "a": Point(x - 1, {"z": x * 2, 3: x})}


@case("only a buffer", X, b=lambda: torch.zeros(3))
def _(m: Any, x: Any) -> Any:
    return m.b.add_(x.sum(0))


@case("special values", X)
def _(m: Any, x: Any) -> Any:
    return (torch.full((2,), float("inf")), torch.full((2,), float("-inf")), x.clamp(-float("inf"), 1e-300),
            x.nan_to_num(nan=float("nan")), torch.full((1,), 2**62), x * 1e-45, x - -0.0)


# ------------------------------------------------------------------ inputs

@case("None input", X, None)
def _(m: Any, x: Any, y: Any) -> Any:
    return x + 1 if y is None else y


@case("None in a list", [X, None, X + 1])
def _(m: Any, xs: Any) -> Any:
    return xs[0] + xs[2]


@case("containers", {"b": [X, (X + 1,)], "a": X + 2}, Point(X, {"k": X}))
def _(m: Any, d: Any, p: Any) -> Any:
    return d["b"][0] + d["b"][1][0] * d["a"], p.y["k"] - p.x


@case("ordered dict", collections.OrderedDict([("z", X), ("a", X + 1)]))
def _(m: Any, d: Any) -> Any:
    return collections.OrderedDict([("second", d["a"] - d["z"]), ("first", d["z"])])


@case("empty containers", X, [], {}, ())
def _(m: Any, x: Any, a: Any, b: Any, c: Any) -> Any:
    return x + len(a), [], {}, ((),)


@case("dataclass", Pair(X, X + 1))
def _(m: Any, p: Any) -> Any:
    return Pair(p.second, p.first + 1)


@module("keyword arguments", X, kwargs={"c": X + 2, "b": X + 1})
class Keywords(nn.Module):
    def forward(self, a: Any, *, b: Any, c: Any, d: Any = None) -> Any:
        return a + b * c


@module("keyword containers", kwargs={"options": {"k": [X, 3], "j": X}, "x": X})
class KeywordContainers(nn.Module):
    def forward(self, x: Any, options: Any) -> Any:
        return x + options["k"][0] * options["k"][1] - options["j"]


@module("numbers and text", X, 3, 2.5, True, "sum", [1, 2])
class Numbers(nn.Module):
    def forward(self, x: Any, i: Any, f: Any, b: Any, s: Any, ints: Any) -> Any:
        return x * i + f + ints[1] if b and s == "sum" else x


@module("default arguments", X)
class Defaults(nn.Module):
    def forward(self, x: Any, scale: Any = 2, y: Any = None, flag: bool = True) -> Any:
        return x * scale


@module("symbolic integer", X, 3, dynamic=(None, AUTO))
class SymbolicInteger(nn.Module):
    def forward(self, x: Any, n: Any) -> Any:
        return x * n, n, n + 1, x.new_zeros(n)


@module("symbolic integers in a list", X, [3, 4], dynamic=(None, [AUTO, AUTO]))
class SymbolicIntegers(nn.Module):
    def forward(self, x: Any, n: Any) -> Any:
        return x.new_ones(n[0], n[1]), n[0] * n[1]


@module("only an integer", 3, dynamic=(AUTO,))
class OnlyInteger(nn.Module):
    def forward(self, n: Any) -> Any:
        return torch.arange(n), n // 2


@case("sizes as results", X, dynamic=((({0: AUTO, 1: AUTO}),),))
def _(m: Any, x: Any) -> Any:
    return x.shape[0], x.shape[0] * x.shape[1], x.shape, x.stride(0)


@case("derived sizes", torch.ones(8, 3), torch.ones(4),
      dynamic=(({0: 2 * torch.export.Dim("half", min=1, max=100)}, {0: torch.export.Dim("half", min=1, max=100)}),))
def _(m: Any, x: Any, y: Any) -> Any:
    return x.view(2, -1, 3).sum(0) + y[:, None]


@case("ranges", torch.ones(8, 3), dynamic=(({0: torch.export.Dim("rows", min=4, max=64)},),))
def _(m: Any, x: Any) -> Any:
    return x.cumsum(0), x.sum(0)


@case("no inputs", w=parameter(3))
def _(m: Any) -> Any:
    return m.w * 2


@case("input without elements", torch.ones(0, 3), torch.ones(2, 0, 4))
def _(m: Any, x: Any, y: Any) -> Any:
    return x.sum(0), y.sum(1), torch.cat([x, X])


@case("input without dimensions", torch.tensor(2.0), torch.tensor(3), torch.tensor(True))
def _(m: Any, x: Any, i: Any, b: Any) -> Any:
    return x * i, torch.where(b, x, -x), i.view(1)


@case("strided inputs", X.t(), torch.ones(1, 3).expand(4, 3), torch.arange(12.0)[1::3],
      torch.ones(1, 2, 3, 4).to(memory_format=torch.channels_last))
def _(m: Any, x: Any, y: Any, z: Any, w: Any) -> Any:
    return x + 1, y * 2, z - 1, w + 1, w.clone(), x.contiguous()


@case("conjugated input", torch.tensor([1 + 2j, 3 - 1j]).conj(), torch.tensor([1 + 2j]).conj().imag)
def _(m: Any, x: Any, y: Any) -> Any:
    return x * 2, y + 1


# ------------------------------------------------------------------ members

@case("mutated buffer", X, b=lambda: torch.zeros(3), n=lambda: torch.tensor(0))
def _(m: Any, x: Any) -> Any:
    m.b.add_(x.sum(0))
    m.n += 1
    return m.b * 2, m.b, m.n


@case("view of a mutated buffer", X, b=lambda: torch.zeros(4, 3))
def _(m: Any, x: Any) -> Any:
    m.b[1:3] = x
    m.b[0].fill_(7)
    m.b.t()[0, 3] = 5
    return m.b[0] + 1, m.b.clone()


@case("mutated twice", X, a=lambda: torch.zeros(3), b=lambda: torch.ones(3))
def _(m: Any, x: Any) -> Any:
    m.a.copy_(m.b)
    m.b.copy_(m.a + x[0])
    m.a.mul_(2)
    return m.a + m.b


@case("mutated input", X.clone(), [X + 1])
def _(m: Any, x: Any, xs: Any) -> Any:
    x.add_(1)
    xs[0].view(-1)[1] = 3
    return x * xs[0]


@case("mutated input is a result", X.clone())
def _(m: Any, x: Any) -> Any:
    x.relu_()
    return x, x.view(3, 2)


@case("assigned buffer", X, b=lambda: torch.zeros(3))
def _(m: Any, x: Any) -> Any:
    m.b = m.b + x[0]
    return m.b * 2


@case("write in a region without gradients", X, b=lambda: torch.zeros(3), w=parameter(3))
def _(m: Any, x: Any) -> Any:
    with torch.no_grad():
        m.b.lerp_(x[0], 0.1)
        y = x * m.w
    return y + m.b * m.w


@case("batch norm in training", torch.ones(2, 3, 4, 4), n=lambda: nn.BatchNorm2d(3))
def _(m: Any, x: Any) -> Any:
    return m.n(x)


@module("tied members", X)
class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)
        self.b.weight = self.a.weight
        self.register_buffer("c", torch.ones(3))
        self.register_buffer("d", self.c)
        self.again = self.a

    def forward(self, x: Any) -> Any:
        self.c.add_(1)
        return self.again(self.b(self.a(x))) + self.d


@module("members of one storage", X)
class OneStorage(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        base = torch.arange(12.0)
        self.register_buffer("whole", base)
        self.register_buffer("first", base[:6].view(2, 3))
        self.register_buffer("later", base[3:9].view(2, 3))
        self.register_buffer("every", base[::4])
        self.register_buffer("bits", base.view(torch.int32)[:3])
        self.p = nn.Parameter(base[3:6])

    def forward(self, x: Any) -> Any:
        return x + self.first * self.later + self.every + self.p + self.bits, self.whole[1:]


@module("writes to members of one storage", X)
class WrittenStorage(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("first", torch.arange(3.0))
        self.register_buffer("same", self.first)
        base = torch.arange(12.0).view(4, 3)
        self.register_buffer("row", base[1])
        self.register_buffer("base", base)
        self.register_buffer("column", base[1:3, 1])

    def forward(self, x: Any) -> Any:
        self.first.add_(x[0])
        self.column.mul_(2)
        self.base.add_(self.same)
        return x + self.row, self.base * 2, self.same.clone()


@module("members read by position", X)
class Positions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("part", torch.arange(40.0)[5:17].view(3, 4))
        self.register_buffer("gaps", torch.arange(36.0).view(6, 6)[::2, 1::2])
        whole = torch.arange(12.0).view(3, 4)
        self.register_buffer("column", whole[:, 0])
        self.register_buffer("whole", whole)
        self.register_buffer("tail", torch.arange(64.0)[:2])

    def forward(self, x: Any) -> Any:
        return (x.sum() + self.part.as_strided((2, 2), (1, 3), 0), self.gaps.as_strided((6,), (1,), 1) + 1,
                self.column.as_strided((4,), (1,), 0) * 2, self.tail.as_strided((4,), (1,), 4) - 1)


@module("strided members", X)
class Strided(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.t = nn.Parameter(torch.randn(3, 2).t())
        self.register_buffer("e", torch.randn(1, 3).expand(2, 3))
        self.register_buffer("s", torch.randn(20).as_strided((2, 3), (7, 2), 3))
        self.register_buffer("c", torch.randn(1, 2, 2, 2).to(memory_format=torch.channels_last))
        self.register_buffer("z", torch.tensor(3.0).expand(2, 3))

    def forward(self, x: Any) -> Any:
        return x + self.t + self.e + self.s + self.z, self.c + 1, self.t.reshape(-1)


@module("members without elements or dimensions", X)
class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.empty = nn.Parameter(torch.ones(0, 3))
        self.scalar = nn.Parameter(torch.tensor(2.0))
        self.register_buffer("count", torch.tensor(5))
        self.register_buffer("none", None)
        self.register_buffer("hole", torch.empty(2, 0, 3))
        self.register_buffer("flag", torch.tensor(False))

    def forward(self, x: Any) -> Any:
        return torch.cat([x, self.empty]) * self.scalar + self.count, self.hole.sum(1), self.flag | True


@module("members that are not used", X)
class Unused(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))
        self.frozen = nn.Parameter(torch.ones(2), requires_grad=False)
        self.layer = nn.Linear(2, 2)
        self.register_buffer("b", torch.ones(3))
        self.register_buffer("hidden", torch.ones(3), persistent=False)
        self.register_buffer("hidden_unused", torch.ones(4), persistent=False)

    def forward(self, x: Any) -> Any:
        return x + self.hidden


@module("constant tensors", X)
class Constants(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.plain = torch.tensor([1.0, 2.0, 3.0])
        self.table = [torch.tensor([4.0]), torch.tensor(5)]

    def forward(self, x: Any) -> Any:
        return (x + self.plain + torch.tensor([1.0, 0.5, 2.0]) + self.table[0] * self.table[1]
                + torch.tensor(2), torch.tensor([[True], [False]]))


@module("member names", X)
class Names(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleDict({"a-b": nn.Linear(3, 3), "0": nn.Linear(3, 3)})
        self.register_parameter("größe", nn.Parameter(torch.ones(3)))
        self.register_buffer("a_b", torch.ones(3))
        self.p_a = nn.Parameter(torch.ones(3))

    def forward(self, x: Any) -> Any:
        for layer in self.layers.values():
            x = layer(x)
        return x * getattr(self, "größe") + self.a_b + self.p_a


DTYPES = [torch.float64, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz,
          torch.float8_e5m2fnuz, torch.float8_e8m0fnu, torch.complex64, torch.complex128, torch.complex32, torch.int8,
          torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64, torch.bool]


def of_dtype(dtype: torch.dtype) -> Case:
    values = torch.tensor([0.5, 1.0, 2.0, 4.0])
    value = values.to(torch.complex64).to(dtype) if dtype.is_complex else values.to(dtype)

    def forward(m: Any, x: Any) -> Any:
        if dtype == torch.complex32:
            return m.b.view(2, 2), m.w, x.to(torch.complex64)
        return m.b.view(2, 2), m.w.to(torch.complex64), x.to(torch.float32), x
    return Calls(forward, w=nn.Parameter(value.clone(), requires_grad=False), b=value), (value.clone(),), {}, None


for one in DTYPES:
    CASES[f"members and inputs of {str(one).removeprefix('torch.')}"] = lambda one=one: of_dtype(one)


# ------------------------------------------------------------------ calls

@case("results of several kinds", torch.tensor([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]]))
def _(m: Any, x: Any) -> Any:
    a, _, c = x.split(1, dim=1)
    values, indices = x.topk(2)
    return a + c, values, indices, *x.unbind(0), *x.max(dim=1), torch.ops.aten.aminmax(x, dim=0)


@case("indices", torch.arange(24.0).reshape(2, 3, 4), torch.tensor([1, 0]))
def _(m: Any, x: Any, i: Any) -> Any:
    y = x.clone()
    y[:, i] = 7
    y[None, ..., i] = 8
    return x[:, i], x[i, :, i], x[..., i, None], y, x[:, None, [0, 2]], x[x > 5]


@case("options of tensors", X)
def _(m: Any, x: Any) -> Any:
    return (torch.zeros(2, dtype=torch.int32, device="cpu"), x.to(torch.float64, copy=True),
            torch.empty_strided((2, 2), (1, 2)).fill_(1), x[None, None].contiguous(memory_format=torch.channels_last),
            torch.ones_like(x, dtype=torch.bfloat16), torch.div(x, 2, rounding_mode="floor"),
            torch.full((2,), 1 + 2j), torch.nn.functional.gelu(x, approximate="tanh"),
            torch.nn.functional.pad(x, (1, 1), mode="constant", value=float("-inf")))


@case("data-dependent sizes", torch.tensor([1.0, 0.0, 2.0]), torch.tensor(2))
def _(m: Any, x: Any, n: Any) -> Any:
    k = n.item()
    torch._check(k >= 1)
    torch._check(k <= 3)
    found = x.nonzero()
    return x[:k], found, found.shape[0], torch.zeros(k), k, x.sum().item()


@case("random numbers", X)
def _(m: Any, x: Any) -> Any:
    return torch.rand_like(x) + torch.nn.functional.dropout(x, 0.5, training=True), torch.randn(3), torch.randperm(5)


@case("regions", X, w=parameter(3, 3))
def _(m: Any, x: Any) -> Any:
    with torch.no_grad():
        y = x @ m.w
        with torch.enable_grad():
            y = y + m.w[0]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = x @ m.w
    return y, z.float()


@case("cond with operands", X, torch.tensor(True), w=parameter(3))
def _(m: Any, x: Any, flag: Any) -> Any:
    def yes(a: Any, b: Any) -> Any:
        return a + b, (a * 2).sum()

    def no(a: Any, b: Any) -> Any:
        return torch.cond(a.sum() > 0, lambda u, v: u - v, lambda u, v: u * v, (a, b)), a.sum()
    return torch.cond(flag, yes, no, (x, m.w.expand(2, 3)))


@case("modules used twice", X, a=lambda: nn.Linear(3, 3))
def _(m: Any, x: Any) -> Any:
    return m.a(m.a(x).relu())


@case("recurrent layers", torch.ones(2, 4, 3), rnn=lambda: nn.LSTM(3, 5, num_layers=2, bidirectional=True,
                                                                  batch_first=True), gru=lambda: nn.GRU(3, 5))
def _(m: Any, x: Any) -> Any:
    return m.rnn(x), m.gru(x)


@case("complex numbers", torch.tensor([1 + 2j, 3 - 1j]), w=lambda: nn.Parameter(torch.tensor([2j, 1.0])))
def _(m: Any, x: Any) -> Any:
    y = x.conj() * m.w
    return y, torch.view_as_real(y), y.real, y.abs(), torch.fft.fft(x), (x.conj().imag)
