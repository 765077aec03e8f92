"""The small models of the corpus, with random weights of at most a few hundred kilobytes.

A Spec contains a function that builds a model, the model's inputs, the dynamic input sizes and the files to
write.
"""

import collections
import dataclasses
import math
from typing import Any, Callable

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.export import Dim


@dataclasses.dataclass
class Spec:
    name: str
    build: Callable[[], nn.Module]
    inputs: Callable[[], tuple]                  # -> (args, kwargs)
    about: str
    dynamic: Any = None                          # as torch.export's dynamic_shapes
    trace: bool = True                           # torch.jit.trace works
    # loss(outputs, *targets) -> scalar; None: no joint graph
    loss: Callable | None = None
    targets: Callable[[], tuple] = lambda: ()
    joint_pt2: bool = False                      # also save a joint graph as .pt2
    deterministic: bool = True                   # False: dropout in training mode


SPECS: dict[str, Spec] = {}


def add(**kw):
    SPECS[kw["name"]] = Spec(**kw)


def batch(*names, lo=1, hi=64):
    """dynamic_shapes for positional inputs whose first dimension is the batch."""
    b = Dim("batch", min=lo, max=hi)
    return {n: {0: b} for n in names}


def ce(out, target):
    return F.cross_entropy(out, target)


def labels(n, classes):
    return lambda: (torch.randint(0, classes, (n,)),)


# --------------------------------------------------------------------------
# feed-forward and convolutional
# --------------------------------------------------------------------------

class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(16, 32)
        self.bn = nn.BatchNorm1d(32)
        self.drop = nn.Dropout(0.2)
        self.fc2 = nn.Linear(32, 24, bias=False)
        self.fc3 = nn.Linear(24, 4)

    def forward(self, x):
        x = self.drop(F.gelu(self.bn(self.fc1(x))))
        return self.fc3(F.silu(self.fc2(x)))


add(name="mlp", build=MLP, inputs=lambda: ((torch.randn(6, 16),), {}),
    about="linear, batch norm, dropout, gelu/silu; dynamic batch",
    dynamic=batch("x", lo=2), loss=ce, targets=labels(6, 4), deterministic=False)


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 6, 5, padding=2)
        self.c2 = nn.Conv2d(6, 12, 5)
        self.fc1 = nn.Linear(12 * 5 * 5, 40)
        self.fc2 = nn.Linear(40, 10)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.c1(x)), 2)
        x = F.avg_pool2d(torch.tanh(self.c2(x)), 2)
        x = torch.flatten(x, 1)
        return F.log_softmax(self.fc2(torch.sigmoid(self.fc1(x))), dim=1)


add(name="lenet", build=LeNet, inputs=lambda: ((torch.randn(2, 1, 28, 28),), {}),
    about="convolution, max and average pooling, log-softmax; static shapes",
    loss=F.nll_loss, targets=labels(2, 10), joint_pt2=True)


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.relu = nn.ReLU(inplace=True)
        self.down = None
        if stride != 1 or cin != cout:
            self.down = nn.Sequential(nn.Conv2d(cin, cout, 1, stride, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += x if self.down is None else self.down(x)
        return self.relu(y)


class ResNet18(nn.Module):
    def __init__(self, widths=(4, 8, 16, 32), classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, widths[0], 7, 2, 3, bias=False)
        self.bn = nn.BatchNorm2d(widths[0])
        blocks, cin = [], widths[0]
        for i, w in enumerate(widths):
            blocks += [BasicBlock(cin, w, 1 if i == 0 else 2), BasicBlock(w, w, 1)]
            cin = w
        self.layers = nn.Sequential(*blocks)
        self.fc = nn.Linear(cin, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn(self.stem(x))), 3, 2, 1)
        x = F.adaptive_avg_pool2d(self.layers(x), 1)
        return self.fc(torch.flatten(x, 1))


add(name="resnet18_narrow", build=ResNet18, inputs=lambda: ((torch.randn(2, 3, 64, 64),), {}),
    about="ResNet-18 layout with widths 4..32, in-place relu and add; dynamic batch",
    dynamic=batch("x"), loss=ce, targets=labels(2, 10))


class SqueezeExcite(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a = nn.Conv2d(c, 8, 1)
        self.b = nn.Conv2d(8, c, 1)

    def forward(self, x):
        s = x.mean((2, 3), keepdim=True)
        return x * F.hardsigmoid(self.b(F.relu(self.a(s))))


class Separable(nn.Module):
    def __init__(self, cin, cout, k, stride, act, se):
        super().__init__()
        mid = cin * 2
        self.seq = nn.Sequential(
            nn.Conv2d(cin, mid, 1, bias=False), nn.BatchNorm2d(mid), act(),
            nn.Conv2d(mid, mid, k, stride, k // 2, groups=mid, bias=False), nn.BatchNorm2d(mid), act(),
            SqueezeExcite(mid) if se else nn.Identity(),
            nn.Conv2d(mid, cout, 1, bias=False), nn.BatchNorm2d(cout))
        self.skip = stride == 1 and cin == cout

    def forward(self, x):
        return x + self.seq(x) if self.skip else self.seq(x)


class MobileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish())
        self.body = nn.Sequential(
            Separable(8, 8, 3, 1, nn.ReLU6, False),
            Separable(8, 16, 5, 2, nn.Hardswish, True),
            Separable(16, 16, 3, 1, nn.Hardswish, True),
            Separable(16, 24, 3, 2, nn.LeakyReLU, False))
        self.head = nn.Linear(24, 7)

    def forward(self, x):
        x = self.body(self.stem(x))
        return self.head(x.mean([2, 3]))


add(name="mobilenet", build=MobileNet,
    inputs=lambda: ((torch.randn(2, 3, 32, 32).to(memory_format=torch.channels_last),), {}),
    about="depthwise convolution, squeeze-excite, hard activations; channels-last input",
    loss=ce, targets=labels(2, 7))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        def block(cin, cout):
            return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, padding_mode="reflect"),
                                 nn.GroupNorm(2, cout), nn.PReLU(cout))
        self.d1, self.d2, self.mid = block(1, 8), block(8, 12), block(12, 16)
        self.up2 = nn.ConvTranspose2d(16, 12, 2, stride=2)
        self.u2 = block(24, 12)
        self.u1 = block(20, 8)
        self.out = nn.Conv2d(8, 3, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.mid(F.max_pool2d(b, 2))
        c = self.u2(torch.cat([self.up2(c), b], 1))
        c = F.interpolate(c, scale_factor=2.0, mode="bilinear", align_corners=False)
        c = self.u1(torch.cat([c, a], 1))
        small = F.interpolate(c, scale_factor=0.5, mode="nearest")
        return self.out(c), small


add(name="unet", build=UNet, inputs=lambda: ((torch.randn(2, 1, 16, 24),), {}),
    about="transposed convolution, bilinear and nearest resize, group norm, reflect pad, skip cat; "
          "dynamic batch, height and width in multiples of 4",
    dynamic={"x": {0: Dim("batch", min=1, max=8), 2: 4 * Dim("h4", min=2, max=32), 3: 4 * Dim("w4", min=2, max=32)}},
    loss=lambda o, t: F.cross_entropy(o[0], t) + o[1].abs().mean(),
    targets=lambda: (torch.randint(0, 3, (2, 16, 24)),))


class Conv13d(nn.Module):
    """1-d and 3-d convolutions, dilation, pooling with indices, unpooling."""

    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(4, 8, 3, dilation=2)
        self.t1 = nn.ConvTranspose1d(8, 4, 3, stride=2, output_padding=1)
        self.c3 = nn.Conv3d(1, 4, 3, padding=1)
        self.n3 = nn.InstanceNorm3d(4, affine=True)

    def forward(self, a, v):
        a = self.t1(F.elu(F.pad(self.c1(a), (1, 2))))
        a = F.max_pool1d(a, 2) + F.avg_pool1d(a, 2)
        v = self.n3(self.c3(v))
        p, idx = F.max_pool3d(v, 2, return_indices=True)
        v = F.softplus(F.max_unpool3d(p, idx, 2)) + F.adaptive_avg_pool3d(v, (4, 1, 1))
        return a, v


add(name="conv13d", build=Conv13d,
    inputs=lambda: ((torch.randn(2, 4, 20), torch.randn(1, 1, 4, 6, 6)), {}),
    about="conv1d/3d, transposed conv1d, pooling with indices, unpool, instance norm", trace=False,
    loss=lambda o: o[0].square().mean() + o[1].mean())


# --------------------------------------------------------------------------
# sequences
# --------------------------------------------------------------------------

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(50, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 10, num_layers=2, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(20, 8, batch_first=True)
        self.out = nn.Linear(8, 5)

    def forward(self, tokens):
        h, (hn, cn) = self.lstm(self.emb(tokens))
        g, gn = self.gru(h)
        return self.out(g), hn, gn


add(name="rnn_tagger", build=Tagger, inputs=lambda: ((torch.randint(1, 50, (3, 7)),), {}),
    about="embedding, two-layer bidirectional LSTM, GRU",
    loss=lambda o, t: F.cross_entropy(o[0].transpose(1, 2), t) + o[1].mean(),
    targets=lambda: (torch.randint(0, 5, (3, 7)),))


class Cells(nn.Module):
    """A recurrence written with cells, which every tracer unrolls."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(6, 8)
        self.gru = nn.GRUCell(8, 8)

    def forward(self, x):
        h = torch.zeros(x.size(0), 8)
        c = torch.zeros(x.size(0), 8)
        g = torch.zeros(x.size(0), 8)
        seq = []
        for t in x.unbind(1):
            h, c = self.cell(t, (h, c))
            g = self.gru(h, g)
            seq.append(g)
        return torch.stack(seq, 1)


add(name="rnn_cells", build=Cells, inputs=lambda: ((torch.randn(2, 4, 6),), {}),
    about="unrolled LSTM and GRU cells: unbind, chunk, stack",
    loss=lambda o: o.square().sum())


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(40, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, activation="gelu", batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(16, 3)

    def forward(self, tokens, pad):
        x = self.enc(self.emb(tokens), src_key_padding_mask=pad)
        keep = (~pad).unsqueeze(-1).to(x.dtype)
        return self.out((x * keep).sum(1) / keep.sum(1))


def _pad(n, t):
    m = torch.zeros(n, t, dtype=torch.bool)
    m[0, t - 2:] = True
    return m


add(name="transformer_encoder", build=Encoder,
    inputs=lambda: ((torch.randint(0, 40, (2, 9)), _pad(2, 9)), {}),
    about="nn.TransformerEncoder with a padding mask", loss=ce, targets=labels(2, 3))


class Block(nn.Module):
    def __init__(self, d, heads, fused):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.heads, self.fused = heads, fused

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).split(d, dim=2)
        q, k, v = (z.view(b, t, self.heads, d // self.heads).transpose(1, 2) for z in (q, k, v))
        if self.fused:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            att = att.masked_fill(mask[:t, :t] == 0, float("-inf"))
            y = torch.softmax(att, dim=-1) @ v
        x = x + self.proj(y.transpose(1, 2).contiguous().view(b, t, d))
        return x + self.down(F.gelu(self.up(self.ln2(x)), approximate="tanh"))


class GPT(nn.Module):
    def __init__(self, vocab=64, d=24, heads=3, ctx=32):
        super().__init__()
        self.wte = nn.Embedding(vocab, d)
        self.wpe = nn.Embedding(ctx, d)
        self.blocks = nn.ModuleList([Block(d, heads, False), Block(d, heads, True)])
        self.ln = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab, bias=False)
        self.head.weight = self.wte.weight                       # tied
        self.register_buffer("mask", torch.tril(torch.ones(ctx, ctx)), persistent=False)

    def forward(self, idx):
        pos = torch.arange(idx.size(1), device=idx.device)
        x = self.wte(idx) + self.wpe(pos)
        for b in self.blocks:
            x = b(x, self.mask)
        return self.head(self.ln(x))


add(name="gpt_mini", build=GPT, inputs=lambda: ((torch.randint(0, 64, (2, 10)),), {}),
    about="causal decoder: explicit mask and fused attention, tied embedding; dynamic batch and length",
    dynamic={"idx": {0: Dim("batch", min=1, max=16), 1: Dim("length", min=2, max=31)}},
    loss=lambda o, t: F.cross_entropy(o.flatten(0, 1), t.flatten()),
    targets=lambda: (torch.randint(0, 64, (2, 10)),))


class RMSNorm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return self.w * (x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)


class LlamaLike(nn.Module):
    """Rotary embedding, grouped-query attention, SwiGLU, in bfloat16."""

    def __init__(self, d=16, heads=4, kv=2, vocab=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.n1, self.n2, self.n3 = RMSNorm(d), RMSNorm(d), RMSNorm(d)
        hd = d // heads
        self.q = nn.Linear(d, d, bias=False)
        self.k = nn.Linear(d, kv * hd, bias=False)
        self.v = nn.Linear(d, kv * hd, bias=False)
        self.o = nn.Linear(d, d, bias=False)
        self.gate = nn.Linear(d, 32, bias=False)
        self.up = nn.Linear(d, 32, bias=False)
        self.down = nn.Linear(32, d, bias=False)
        self.heads, self.kv, self.hd = heads, kv, hd
        inv = 1.0 / (10000 ** (torch.arange(0, hd, 2).float() / hd))
        self.register_buffer("inv_freq", inv, persistent=False)

    def rope(self, x, cos, sin):
        a, b = x.chunk(2, dim=-1)
        return x * cos + torch.cat((-b, a), dim=-1) * sin

    def forward(self, ids):
        b, t = ids.shape
        x = self.emb(ids)
        f = torch.outer(torch.arange(t).float(), self.inv_freq)
        f = torch.cat((f, f), -1)[None, None]
        cos, sin = f.cos().to(x.dtype), f.sin().to(x.dtype)
        h = self.n1(x)
        q = self.rope(self.q(h).view(b, t, self.heads, self.hd).transpose(1, 2), cos, sin)
        k = self.rope(self.k(h).view(b, t, self.kv, self.hd).transpose(1, 2), cos, sin)
        v = self.v(h).view(b, t, self.kv, self.hd).transpose(1, 2)
        rep = self.heads // self.kv
        k = k[:, :, None].expand(b, self.kv, rep, t, self.hd).reshape(b, self.heads, t, self.hd)
        v = v[:, :, None].expand(b, self.kv, rep, t, self.hd).reshape(b, self.heads, t, self.hd)
        mask = torch.full((t, t), float("-inf"), dtype=x.dtype).triu(1)
        w = torch.softmax((q @ k.mT) / math.sqrt(self.hd) + mask, -1, dtype=torch.float32).to(q.dtype)
        x = x + self.o((w @ v).transpose(1, 2).reshape(b, t, -1))
        h = self.n2(x)
        x = x + self.down(F.silu(self.gate(h)) * self.up(h))
        return self.n3(x) @ self.emb.weight.t()


add(name="llama_like", build=lambda: LlamaLike().to(torch.bfloat16),
    inputs=lambda: ((torch.randint(0, 48, (2, 8)),), {}),
    about="bfloat16 decoder: rotary embedding, grouped-query attention, RMS norm, SwiGLU; dynamic batch",
    dynamic=batch("ids", hi=16),
    loss=lambda o, t: F.cross_entropy(o.float().flatten(0, 1), t.flatten()),
    targets=lambda: (torch.randint(0, 48, (2, 8)),))


class ViT(nn.Module):
    def __init__(self, d=16, classes=6):
        super().__init__()
        self.patch = nn.Conv2d(3, d, 4, 4)
        self.cls = nn.Parameter(torch.randn(1, 1, d) * 0.02)
        self.pos = nn.Parameter(torch.randn(1, 17, d) * 0.02)
        self.ln1, self.ln2, self.ln3 = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, 4, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(d, 32), nn.GELU(), nn.Linear(32, d))
        self.head = nn.Linear(d, classes)

    def forward(self, img):
        x = self.patch(img).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], dim=1) + self.pos
        h = self.ln1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        x = x + self.mlp(self.ln2(x))
        return self.head(self.ln3(x)[:, 0])


add(name="vit_mini", build=ViT, inputs=lambda: ((torch.randn(2, 3, 16, 16),), {}),
    about="patch embedding, class token, nn.MultiheadAttention; dynamic batch",
    dynamic=batch("img", lo=2), loss=ce, targets=labels(2, 6), joint_pt2=True)


class VAE(nn.Module):
    """The noise is an input, so that the graph has no random op."""

    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(20, 16), nn.LeakyReLU(0.1))
        self.mu, self.logvar = nn.Linear(16, 4), nn.Linear(16, 4)
        self.dec = nn.Sequential(nn.Linear(4, 16), nn.ELU(), nn.Linear(16, 20), nn.Sigmoid())

    def forward(self, x, eps):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h).clamp(-4.0, 4.0)
        z = mu + eps * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


def vae_loss(o, x):
    rec, mu, lv = o
    return F.binary_cross_entropy(rec, x, reduction="sum") - 0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp())


add(name="vae", build=VAE, inputs=lambda: ((torch.rand(5, 20), torch.randn(5, 4)), {}),
    about="variational autoencoder, noise as an input; dynamic batch",
    dynamic=batch("x", "eps"), loss=vae_loss, targets=lambda: (torch.rand(5, 20),), joint_pt2=True)


# --------------------------------------------------------------------------
# structure: control flow, nested inputs, views, indexing, quantization
# --------------------------------------------------------------------------

class CondNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 6), nn.Linear(6, 6)

    def forward(self, x, flag):
        def yes(x):
            return torch.relu(self.a(x)), x.sum(0)

        def no(x):
            return torch.cond(x.mean() > 0, lambda y: (y.sin(), y[0] * 2.0), lambda y: (y.cos(), y[1] + 1.0), (x,))

        y, s = torch.cond(flag, yes, no, (self.b(x),))
        (z,) = torch.cond(x.shape[0] > 4, lambda v: (v + 1,), lambda v: (v - 1,), (y,))
        return z, s


add(name="cond_net", build=CondNet, inputs=lambda: ((torch.randn(5, 6), torch.tensor(True)), {}),
    about="torch.cond on a tensor, nested torch.cond, torch.cond on a size; dynamic batch",
    dynamic={"x": {0: Dim("batch", min=2, max=64)}, "flag": None}, trace=False)


class WhileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Linear(4, 4)

    def forward(self, n, x):
        from torch._higher_order_ops.while_loop import while_loop

        def go(i, x):
            return i > 0

        def body(i, x):
            return i - 1, torch.tanh(self.w(x))

        return while_loop(go, body, (n, x))


add(name="while_net", build=WhileNet, inputs=lambda: ((torch.tensor(3), torch.randn(2, 4)), {}),
    about="while_loop", trace=False)


class ScanNet(nn.Module):
    def forward(self, init, xs):
        from torch._higher_order_ops.scan import scan

        def step(carry, x):
            nxt = torch.tanh(carry + x)
            return nxt, nxt * 2.0

        return scan(step, init, xs, dim=0)


add(name="scan_net", build=ScanNet, inputs=lambda: ((torch.randn(3), torch.randn(5, 3)), {}),
    about="scan (higher-order op with a carried value)", trace=False)


Pair = collections.namedtuple("Pair", ["left", "right"])
torch.utils._pytree._register_namedtuple(Pair, serialized_type_name="corpus.Pair")


class MultiIO(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 6)
        self.proj = nn.Linear(6, 6)

    def forward(self, feats, pair, *, scale=1.0, repeat=2, mode="sum", extra=None):
        x = feats["dense"] + self.table(feats["sparse"]["ids"]).sum(1)
        y = self.proj(pair.left) - pair.right
        for _ in range(repeat):
            y = y * scale
        if mode == "sum":
            x = x + y
        outs = {"x": x, "parts": [y, Pair(x.mean(0), x.amax(0))], "n": x.shape[0], "none": None}
        if extra is not None:
            outs["extra"] = extra.float().sum()
        return outs


add(name="multi_io", build=MultiIO,
    inputs=lambda: (({"dense": torch.randn(4, 6), "sparse": {"ids": torch.randint(0, 10, (4, 3))}},
                     Pair(torch.randn(4, 6), torch.randn(4, 6))),
                    {"scale": 0.5, "repeat": 3, "mode": "sum", "extra": torch.arange(3)}),
    about="nested dict, named tuple, keyword-only and constant inputs; nested outputs with a size and None",
    trace=False)


class Views(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 6))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))
        self.register_buffer("ema", torch.zeros(6))

    def forward(self, x):
        self.count.add_(1)
        self.ema.mul_(0.9).add_(x.detach().mean((0, 1)), alpha=0.1)
        y = x * self.w
        y[:, 0] += 1.0
        y.narrow(1, 1, 2).mul_(2.0)
        y.select(2, 0).zero_()
        v = y.transpose(1, 2)
        v[..., -1].copy_(self.w[0])
        a, _, c = y.clone().split([1, 2, 1], dim=1)
        y.narrow(1, 1, 2).add_(c)
        z = torch.as_strided(self.w * 2, (3, 4), (1, 6), 2)
        d = torch.diagonal(y, 0, 1, 2)
        u = y.unfold(2, 3, 2).flatten(2)
        r = y.permute(2, 0, 1).reshape(-1, 4).unflatten(0, (6, -1)).movedim(0, -1)
        e = self.w.unsqueeze(0).expand(3, 4, 6).contiguous().view(3, 24).chunk(4, 1)[2]
        s = torch.squeeze(y[:, :1], 1).unsqueeze(-1).expand(-1, -1, 2)
        q = torch.relu_(d.clone().mul_(3.0)) + 1
        return y, z, u, r, e, s, q, torch.flip(a, [2]).roll(1, 2), torch.tile(c, (1, 2, 1))


add(name="views_inplace", build=Views, inputs=lambda: ((torch.randn(3, 4, 6),), {}),
    about="in-place updates through views, buffer mutation, as_strided, unfold, diagonal, expand",
    loss=lambda o: sum(t.square().mean() for t in o), trace=True)


class IndexOps(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(8, 5))
        self.k = nn.Parameter(torch.rand(5) + 0.5)
        self.register_buffer("lut", torch.tensor([2, 0, 1, 3, 4]), persistent=False)

    def forward(self, x, idx, mask):
        x = x * self.k
        g = self.w[idx]
        a = torch.gather(x, 1, idx.unsqueeze(1) % 5)
        b = torch.where(mask, x, torch.zeros_like(x)).masked_fill(x > 1.5, 1.5)
        s = torch.zeros_like(x).scatter_add(1, (idx % 5).unsqueeze(1), torch.ones(x.shape[0], 1))
        t, ti = x.topk(2, dim=1)
        srt, order = torch.sort(x, dim=1, descending=True)
        am = x.argmax(1)
        oh = F.one_hot(am, 5)
        cum = torch.cumsum(oh, 0)
        sel = torch.index_select(x, 1, self.lut[:3])
        p = x.clone().index_put((idx % 4, torch.tensor([0])), torch.tensor(9.0))
        bits = (idx & 3) | (idx << 1)
        cmp = (x.round().long().remainder(3) == 1) ^ mask
        dv = torch.div(idx, 3, rounding_mode="floor") + torch.bitwise_not(bits)
        bk = torch.bucketize(x, torch.linspace(-1, 1, 4))
        lo = torch.logical_and(mask, x.isfinite()).any(1)
        emb = F.embedding_bag(idx, self.w, torch.tensor([0, 2]), mode="mean")
        return g, a, b, s, t, ti, srt, order, oh, cum, sel, p, bits, cmp, dv, bk, lo, emb, x.std(0), x.var(1, unbiased=False)


add(name="index_ops", build=IndexOps,
    inputs=lambda: ((torch.randn(4, 5), torch.tensor([1, 7, 3, 0]), torch.rand(4, 5) > 0.5), {}),
    about="indexing, gather/scatter, where, sort/topk, one-hot, bit and integer arithmetic, embedding bag",
    loss=lambda o: sum(t.sum() for t in o if t.dtype.is_floating_point))


class FakeQuant(nn.Module):
    """Explicit quantization and dequantization, and PyTorch's fake-quantize operators."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)
        self.register_buffer("scale", torch.tensor(0.05))
        self.register_buffer("zp", torch.tensor(3, dtype=torch.int32))
        self.register_buffer("wscale", torch.rand(8) * 0.05 + 0.01)
        self.register_buffer("wzp", torch.zeros(8, dtype=torch.int32))

    def forward(self, x):
        q = torch.clamp(torch.round(x / self.scale) + self.zp, -128, 127).to(torch.int8)
        dq = (q.to(torch.float32) - self.zp) * self.scale
        w = torch.fake_quantize_per_channel_affine(self.lin.weight, self.wscale, self.wzp, 0, -128, 127)
        y = F.linear(dq, w, self.lin.bias)
        y = torch.fake_quantize_per_tensor_affine(y, 0.1, 0, -128, 127)
        amax = y.abs().amax(dim=-1, keepdim=True).clamp(min=1e-5)
        z = (y / amax * 127).round().clamp(-127, 127).to(torch.int8)
        acc = torch.matmul(z.to(torch.int32), z.to(torch.int32).t())
        return y, q, z, acc, torch.floor(y), torch.ceil(y), torch.trunc(y), torch.sign(y)


add(name="fake_quant", build=FakeQuant, inputs=lambda: ((torch.randn(4, 8),), {}),
    about="clamp/round quantization, int8 and int32 arithmetic, fake-quantize ops",
    loss=lambda o: o[0].square().mean())


class DataDependent(nn.Module):
    def forward(self, x, n):
        k = n.item()
        torch._check(k >= 2)
        torch._check(k <= 5)
        nz = torch.nonzero(x)
        pos = x[x > 0]
        u = torch.zeros(k, 3) + 1
        return nz, pos * 2, u, torch.arange(k), u.sum() * k


add(name="data_dependent", build=DataDependent, inputs=lambda: ((torch.randn(4, 4).relu(), torch.tensor(3)), {}),
    about="unbacked symbols: item, nonzero, boolean mask, shape checks", trace=False)


class SymArith(nn.Module):
    """Uses sizes as values: symbolic integer and float arithmetic in the graph."""

    def forward(self, x, y):
        b, t = x.shape
        a = torch.zeros((t + 1) // 2, t // 3) + x[0, 1]
        r = x.reshape(b * t).view(t, b)
        s = x / torch.sym_sqrt(t) + b % 3 + b / t
        m = torch.cat([x, y], 1)
        n = torch.ones(torch.sym_max(b, 5), torch.sym_min(t, 7))
        p = F.pad(x, (0, t, 1, b - 1))
        return a, r, s, m, n, p, torch.arange(0, 2 * t, 2), b * t


add(name="sym_arith", build=SymArith, inputs=lambda: ((torch.randn(4, 10), torch.randn(4, 9)), {}),
    about="symbolic sizes in arithmetic: floor division, modulo, sqrt, min/max, size as an output",
    dynamic={"x": {0: Dim("b", min=3, max=20), 1: Dim("t", min=8, max=50)}, "y": {0: Dim("b", min=3, max=20), 1: Dim("u", min=4, max=50)}},
    trace=False)


class Storages(nn.Module):
    """Weights that share storage, uncommon dtypes, empty tensors, constants."""

    def __init__(self):
        super().__init__()
        base = torch.arange(24, dtype=torch.float32)
        self.full = nn.Parameter(base.view(4, 6).clone())
        self.tied = self.full
        self.register_buffer("base", base)
        self.register_buffer("tail", base[12:])                       # view with an offset
        self.register_buffer("col", base.view(4, 6)[:, 1])            # strided view
        self.register_buffer("trans", base.view(4, 6).t())            # transposed view
        self.register_buffer("empty", torch.empty(0, 3))
        self.register_buffer("scalar", torch.tensor(2.5, dtype=torch.float64))
        self.register_buffer("f16", torch.randn(3).to(torch.float16))
        self.register_buffer("bf16", torch.randn(3).to(torch.bfloat16))
        self.register_buffer("i8", torch.tensor([-1, 2, 3], dtype=torch.int8))
        self.register_buffer("u8", torch.tensor([1, 2, 255], dtype=torch.uint8))
        self.register_buffer("i16", torch.tensor([1, -2, 3], dtype=torch.int16))
        self.register_buffer("flag", torch.tensor([True, False, True]))
        self.register_buffer("cplx", torch.tensor([1 + 2j, -3j, 0.5]))
        self.register_buffer("f8", torch.tensor([1.0, -2.0, 0.5]).to(torch.float8_e4m3fn))
        self.register_buffer("hidden", torch.ones(3), persistent=False)
        self.const = torch.tensor([[1.0, 2.0, 3.0]])

    def forward(self, x):
        y = x @ self.full + self.tied.sum() + self.base.sum() + self.tail[0] + self.col.mean()
        z = self.trans.sum(0) + self.empty.sum() + self.scalar
        w = self.f16.float() + self.bf16.float() + self.i8 + self.u8 + self.i16
        w = w * self.flag + self.cplx.real + self.f8.float() + self.hidden + self.const[0]
        return y, z, w, torch.view_as_real(self.cplx * 2)


add(name="storages", build=Storages, inputs=lambda: ((torch.randn(2, 4),), {}),
    about="shared and strided weight storages, many dtypes, empty tensor, non-persistent buffer, constant",
    trace=False)


class SpectralMix(nn.Module):
    """Complex numbers, linear algebra, reductions."""

    def __init__(self):
        super().__init__()
        self.gx, self.ga = nn.Parameter(torch.ones(8)), nn.Parameter(torch.ones(3, 3))

    def forward(self, x, a):
        x, a = x * self.gx, a * self.ga
        f = torch.fft.rfft(x, dim=-1)
        m = torch.abs(f) + torch.angle(f) * 0.1
        back = torch.fft.irfft(f * 2.0, n=x.shape[-1])
        e = torch.einsum("bij,bjk->bik", a, a.mT)
        inv = torch.linalg.solve(e + 3 * torch.eye(3), a)
        n = torch.linalg.vector_norm(x, dim=-1)
        l = torch.logsumexp(x, 1) + torch.cdist(a[0], a[1]).mean()
        k = torch.kron(a[0], a[1]).trace() + torch.cross(a[0], a[1], dim=1).prod()
        return m, back, inv, n, l, k, x.median(1).values


add(name="spectral", build=SpectralMix, inputs=lambda: ((torch.randn(3, 8), torch.randn(2, 3, 3)), {}),
    about="FFT and complex values, einsum, linear solve, norms, distances",
    loss=lambda o: sum(t.sum() for t in o))
