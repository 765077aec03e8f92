#!/usr/bin/env python3
"""Traces models with torch.fx, and compares the exact text of its listings with that of
trace_models.cpp, which contains the same models in C++.

    compare_models.py TRACE_MODELS_BINARY

The models intentionally have the same form: positional arguments in C++ are positional in Python,
and lists are lists. A comment on a function states where the languages differ. Exit status: 0 if
all are equal, 1 if some differ, 77 without torch.
"""
# parity: T19 T21 W2 W5 W6 W9 W10 D1a

import difflib
import subprocess
import sys

try:
    import torch
    import torch.fx
    from torch import nn
    from torch.nn import functional as F
except ImportError:
    sys.exit(77)

PH = torch.fx._symbolic_trace.PH
CASES = {}
CONCRETE = {}


def case(f=None, **concrete):
    def register(function):
        CASES[function.__name__] = function
        CONCRETE[function.__name__] = concrete or None
        return function

    return register(f) if f is not None else register


@torch.fx.wrap
def wrapped(x, *args):
    return x


@case
def identity(x):
    return x


@case
def add_scalars(x):
    return 2.5 * (1 + x) / 3 // 2 % 7


@case
def reflected(x):
    return (1 - x, 2 / x, 3 // x, 4 % x, 2**x, x**2, 5 & x, 6 | x, 7 ^ x, 1 << x, 2 >> x)


@case
def comparisons(x, y):
    return x < y, x <= 1, x == y, x != 3, x > 2.0, x >= -1


@case
def unary(x):
    return -x, +x, ~x, torch.abs(x)


@case
def compound(x, y):
    x += y
    x *= 2
    y -= x
    return x / y


@case
def methods(x):
    return x.relu().view([2, -1]).permute([1, 0]).contiguous().t()


@case
def inplace_methods(x):
    x.add_(1)
    x.mul_(2).clamp_(0, 6)
    return x.zero_()


@case
def same_name_often(x):
    for _ in range(12):
        x = torch.relu(x)
    return x


@case
def torch_functions(x, y):
    return (
        torch.relu(torch.add(x, y, alpha=2)),
        torch.matmul(x, y),
        torch.cat([x, y], 1),
        torch.stack([x, y]),
    )


@case
def convolution(x, w, b):
    return F.conv2d(F.conv2d(x, w, b, [2, 2], [1, 1]), w, None, 1, "same")


# torch.softmax and similar functions: F.softmax is a Python function with different arguments, but
# libtorch's at::softmax corresponds to torch.softmax. F.linear, F.gelu and F.silu are torch's
# functions in both languages.
@case
def nn_functions(x, w):
    return (
        F.linear(x, w),
        F.gelu(x, approximate="tanh"),
        torch._C._nn.silu(x),
        torch.softmax(x, -1),
        torch.dropout(x, 0.5, False),
        torch.layer_norm(x, [4]),
        torch.embedding(w, x),
        F.scaled_dot_product_attention(x, x, x, None, 0.0, True),
    )


@case
def reductions(x):
    return (
        torch.sum(x),
        torch.sum(x, 1),
        x.sum([0, 1], True),
        torch.mean(x, -1),
        torch.amax(x, 0),
        x.sum(dtype=torch.float64),
        torch.prod(x),
        x.std(0),
        torch.argmax(x, 1),
        torch.norm(x),
    )


@case
def several_results(x):
    values, indices = torch.topk(x, 3)
    sorted, order = x.sort(-1, True)  # noqa: A001
    a, b = torch.split(x, 2)
    return values * indices, sorted, order, a + b, torch.max(x, 1)[0]


@case
def indexing(x, i):
    return (
        x[0], x[i], x[1:], x[:-1], x[:, 0], x[..., 0], x[None, ..., ::2], x[x > 0], x[i : i * 2],
    )  # fmt: skip


@case
def attributes(x):
    return x.reshape([x.shape[0], -1]), x.size(), x.size(1), x.dtype, x.device, x.dim()


@case
def factories(x):
    return (
        torch.zeros([x.size(0), 3]),
        torch.full([x.size(0)], 1.5, dtype=torch.float16),
        torch.arange(x.size(0)),
        x.new_ones([2]),
        torch.ones_like(x),
        x.to(torch.float64),
    )


@case
def namespaces(x):
    return torch.linalg.norm(x, 2), torch.linalg.inv(x), torch.special.expit(x), torch.fft.fft(x)


@case
def where_and_masked(x, y):
    return torch.where(x > y, x, 0.0), x.masked_fill(y == 0, -1e9)


@case
def swiglu(x, w1, w2):
    return torch._C._nn.silu(torch.matmul(x, w1)) * torch.matmul(x, w2)


@case
def dead_code(x):
    x.relu()
    torch.sigmoid(x)
    return x


@case
def reserved_names(input, len, list):  # noqa: A002
    return torch.sum(input), torch.abs(len), torch.max(list), list


@case(flag=True, n=3)
def concrete(x, flag, n):
    return x * n if flag else x


@case(pair=(PH, PH))
def structured(x, pair):
    return x + pair[0] * pair[1]


@case
def defaults(x, alpha=2.0, bias=None):
    return x * alpha


@case
def only_packs(*args, **kwargs):
    return args[0] + kwargs["k"]


def _wrapped(x, y):
    return wrapped(x, 1, "text", y)


CASES["wrapped"] = _wrapped
CONCRETE["wrapped"] = None


def scaled(x, by):
    return x * by


@case
def looked_into(x):
    once = scaled(x, 2.0)
    return scaled(once, scaled(3.0, 4.0))


AUTOWRAPPED = {"kept_whole": (looked_into, (scaled,))}


# -- modules ---------------------------------------------------------------------------------------


class MyModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.param = nn.Parameter(torch.rand(3, 4))
        self.linear = nn.Linear(4, 5)

    def forward(self, x):
        return torch.topk(torch.sum(self.linear(x + self.param).relu(), -1), 3)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.norm(x)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(6)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(6, 10)

    def forward(self, x):
        x = self.pool(self.bn1(self.conv1(x)).relu())
        return self.fc(torch.flatten(torch._C._nn.adaptive_avg_pool2d(x, [1, 1]), 1))


class BasicBlock(nn.Module):
    def __init__(self, inputs=8, outputs=16, stride=2):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x):
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        out += self.downsample(x) if self.downsample is not None else x
        return self.relu(out)


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(8)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        width = inputs = 8
        for i in range(1, 5):
            stride = 1 if i == 1 else 2
            layer = nn.Sequential(
                BasicBlock(inputs, width, stride), BasicBlock(width, width, 1)
            )
            setattr(self, f"layer{i}", layer)
            inputs, width = width, width * 2
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(64, 10)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(16, 48)
        self.proj = nn.Linear(16, 16)

    def forward(self, x):
        b, t = x.size(0), x.size(1)
        q, k, v = self.qkv(x).chunk(3, -1)

        def heads(y):
            return y.view([b, t, 4, 4]).transpose(1, 2)

        y = F.scaled_dot_product_attention(heads(q), heads(k), heads(v))
        return self.proj(y.transpose(1, 2).reshape([b, t, 16]))


class GptBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1 = nn.LayerNorm(16)
        self.attn = Attention()
        self.ln2 = nn.LayerNorm(16)
        self.mlp = nn.Sequential(
            nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 16), nn.Dropout(0.1)
        )

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class LstmCells(nn.Module):
    def __init__(self):
        super().__init__()
        self.ih = nn.Linear(4, 32)
        self.hh = nn.Linear(8, 32)

    def forward(self, x, h, c):
        for t in range(3):
            gates = self.ih(x[t]) + self.hh(h)
            i, f, g, o = gates.chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
        return h, c


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1 = nn.Conv2d(3, 8, 3, padding=1)
        self.down2 = nn.Conv2d(8, 16, 3, padding=1)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.mid = nn.Conv2d(16, 8, 3, padding=1)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        a = torch.relu(self.down1(x))
        b = torch.relu(self.down2(torch.max_pool2d(a, 2)))
        return self.out(torch.relu(self.mid(torch.cat([self.up(b), a], 1))))


class TextClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 16)
        self.fc = nn.Linear(16, 2)

    def forward(self, tokens):
        return torch.log_softmax(self.fc(self.embed(tokens).mean(1)), -1)


MODULES = [MyModule, Mlp, ConvNet, BasicBlock, ResNet18, Attention, GptBlock, LstmCells, UNet,
           TextClassifier]  # fmt: skip


def listing(what, concrete_args=None):
    """Returns the listing that torch.fx prints."""
    return str(torch.fx.symbolic_trace(what, concrete_args).graph).rstrip("\n")


def normalized(text):
    """Removes the known differences:

    * The name of a function that is defined in this file contains the file's name; in fxcpp, it is
      the name that was passed to wrap.
    * torch.split and torch.norm are Python functions that pass default arguments explicitly.
    * With structured inputs, torch.fx also flattens the results to a list.
    """
    return (
        text.replace(f"target={__name__}.wrapped", "target=wrapped")
        .replace(f"target={__name__}.scaled", "target=scaled")
        .replace("split](args = (%x, 2), kwargs = {dim: 0})", "split](args = (%x, 2), kwargs = {})")
        .replace("kwargs = {p: fro, dim: None, keepdim: False, out: None, dtype: None}", "kwargs = {}")
        .replace("return [add]", "return add")
    )


def main() -> int:
    done = subprocess.run([sys.argv[1]], capture_output=True, text=True, timeout=300)
    sys.stderr.write(done.stderr)
    ours = {}
    for part in done.stdout.split("== ")[1:]:
        name, text = part.split("\n", 1)
        ours[name] = text.rstrip("\n")
    theirs = {name: normalized(listing(f, CONCRETE[name])) for name, f in CASES.items()}
    theirs |= {cls.__name__: listing(cls()) for cls in MODULES}
    theirs |= {
        name: normalized(str(torch.fx.Tracer(autowrap_functions=kept).trace(f)).rstrip("\n"))
        for name, (f, kept) in AUTOWRAPPED.items()
    }
    wrong = sorted(set(ours) ^ set(theirs))
    for name in wrong:
        print(f"{name}: exists in only one of the two files")
    for name in sorted(set(ours) & set(theirs)):
        if ours[name] == theirs[name]:
            continue
        wrong.append(name)
        lines = difflib.unified_diff(
            theirs[name].splitlines(), ours[name].splitlines(), "torch.fx", "fxcpp", n=0, lineterm=""
        )
        print(f"{name}:", *lines, sep="\n")
    print(f"{len(theirs)} models, {len(wrong)} differ")
    return 1 if wrong or done.returncode or len(theirs) < 25 else 0


if __name__ == "__main__":
    sys.exit(main())
