"""The models of the zoo (tools/torch/zoo/zoo_*.cpp) in Python.

TWINS maps the name of a model to its settings in tests, and to a function from these settings to a
module with the same parameter and buffer names. The C++ model trains with `module.loss(*inputs)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Classifier(nn.Module):
    def loss(self, x: Tensor, classes: Tensor) -> Tensor:
        return F.cross_entropy(self(x), classes)


class TokenClassifier(nn.Module):
    def loss(self, tokens: Tensor, classes: Tensor) -> Tensor:
        return F.cross_entropy(self(tokens).flatten(0, -2), classes.flatten())


# ---- image classification


class Mlp(Classifier):
    def __init__(self, features: int, hidden: int, classes: int, **_: int):
        super().__init__()
        self.fc1 = nn.Linear(features, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc3(F.gelu(self.fc2(F.relu(self.fc1(x)))))


class LeNet(Classifier):
    def __init__(self, classes: int, **_: int):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, classes)

    def forward(self, x: Tensor) -> Tensor:
        x = F.avg_pool2d(torch.tanh(self.conv1(x)), 2)
        x = F.avg_pool2d(torch.tanh(self.conv2(x)), 2)
        return self.fc3(torch.tanh(self.fc2(torch.tanh(self.fc1(x.flatten(1))))))


def conv(i: int, o: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Conv2d:
    return nn.Conv2d(i, o, kernel, stride, kernel // 2, groups=groups, bias=False)


class Block(nn.Module):
    """torchvision's BasicBlock, or its Bottleneck if there are three convolutions."""

    def __init__(self, i: int, width: int, stride: int, bottleneck: bool):
        super().__init__()
        o = width * 4 if bottleneck else width
        shape = [(i, width, 1, 1), (width, width, 3, stride), (width, o, 1, 1)] if bottleneck else [
            (i, width, 3, stride), (width, width, 3, 1)]
        for n, (a, b, kernel, s) in enumerate(shape, 1):
            setattr(self, f"conv{n}", conv(a, b, kernel, s))
            setattr(self, f"bn{n}", nn.BatchNorm2d(b))
        self.depth = len(shape)
        self.downsample = None
        if stride != 1 or i != o:
            self.downsample = nn.Sequential(conv(i, o, 1, stride), nn.BatchNorm2d(o))

    def forward(self, x: Tensor) -> Tensor:
        y = x
        for n in range(1, self.depth + 1):
            y = getattr(self, f"bn{n}")(getattr(self, f"conv{n}")(y))
            if n < self.depth:
                y = F.relu(y, inplace=True)
        y += x if self.downsample is None else self.downsample(x)
        return F.relu(y, inplace=True)


class ResNet(Classifier):
    def __init__(self, depths: list[int], bottleneck: bool, width: int, classes: int, **_: int):
        super().__init__()
        self.conv1 = conv(3, width, 7, 2)
        self.bn1 = nn.BatchNorm2d(width)
        i = width
        for n, depth in enumerate(depths):
            blocks = []
            for j in range(depth):
                stride = 2 if j == 0 and n > 0 else 1
                blocks.append(Block(i, width << n, stride, bottleneck))
                i = (width << n) * (4 if bottleneck else 1)
            setattr(self, f"layer{n + 1}", nn.Sequential(*blocks))
        self.fc = nn.Linear(i, classes)

    def forward(self, x: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x)), inplace=True), 3, 2, 1)
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


def conv_norm_relu6(i: int, o: int, kernel: int, stride: int, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(conv(i, o, kernel, stride, groups), nn.BatchNorm2d(o), nn.ReLU6(True))


class InvertedResidual(nn.Module):
    def __init__(self, i: int, o: int, stride: int, expand: int):
        super().__init__()
        wide = i * expand
        widen = [conv_norm_relu6(i, wide, 1, 1)] if expand != 1 else []
        self.conv = nn.Sequential(*widen, conv_norm_relu6(wide, wide, 3, stride, wide),
                                  conv(wide, o, 1), nn.BatchNorm2d(o))
        self.keeps_size = stride == 1 and i == o

    def forward(self, x: Tensor) -> Tensor:
        return x + self.conv(x) if self.keeps_size else self.conv(x)


class MobileNetV2(Classifier):
    def __init__(self, width: int, classes: int, dropout: int, **_: int):
        super().__init__()

        def scaled(channels: int) -> int:  # torchvision's _make_divisible
            v = channels * width / 100
            rounded = max(8, int(v + 4) // 8 * 8)
            return rounded + 8 if rounded < 0.9 * v else rounded

        i = scaled(32)
        features: list[nn.Module] = [conv_norm_relu6(3, i, 3, 2)]
        for expand, channels, blocks, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2),
                                                 (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
                                                 (6, 320, 1, 1)]:
            for n in range(blocks):
                features.append(InvertedResidual(i, scaled(channels), stride if n == 0 else 1, expand))
                i = scaled(channels)
        last = scaled(1280) if width > 100 else 1280
        self.features = nn.Sequential(*features, conv_norm_relu6(i, last, 1, 1))
        self.classifier = nn.Sequential(nn.Dropout(dropout / 100), nn.Linear(last, classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(F.adaptive_avg_pool2d(self.features(x), 1).flatten(1))


class MultiheadAttention(nn.MultiheadAttention):
    """Batch-first self-attention that does not return the weights."""

    def __init__(self, width: int, heads: int):
        super().__init__(width, heads, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x, x, x, need_weights=False)[0]


class CppMultiheadAttention(nn.MultiheadAttention):
    """Calls the same operators as torch::nn::MultiheadAttention in C++; sequence first."""

    def forward(self, q: Tensor, k: Tensor, v: Tensor, attn_mask: Tensor | None = None,
                **_: Any) -> tuple[Tensor, None]:
        length, batch, width = q.shape
        rows = batch * self.num_heads
        q, k, v = F.linear(q, self.in_proj_weight, self.in_proj_bias).chunk(3, -1)
        q = q * self.head_dim**-0.5
        q, k, v = (x.contiguous().view(-1, rows, self.head_dim).transpose(0, 1) for x in (q, k, v))
        weights = torch.bmm(q, k.transpose(1, 2))
        if attn_mask is not None:
            weights += attn_mask.unsqueeze(0)
        weights = F.dropout(F.softmax(weights, -1), self.dropout, self.training)
        y = torch.bmm(weights, v).transpose(0, 1).contiguous().view(length, batch, width)
        return F.linear(y, self.out_proj.weight, self.out_proj.bias), None


class FusedSelfAttention(nn.MultiheadAttention):
    """Calls the same operators as the attention in the C++ vit."""

    def __init__(self, width: int, heads: int):
        super().__init__(width, heads, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        projected = F.linear(x, self.in_proj_weight, self.in_proj_bias)
        q, k, v = (part.view(batch, length, self.num_heads, self.head_dim).transpose(1, 2)
                   for part in projected.split(width, 2))
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).contiguous()
        return F.linear(y.view(batch, length, width), self.out_proj.weight, self.out_proj.bias)


def use_cpp_attention(module: nn.Module) -> None:
    """Splits attention into the same operators as C++. The values do not change."""
    for child in module.modules():
        if type(child) is nn.MultiheadAttention:
            child.__class__ = CppMultiheadAttention
        elif type(child) is MultiheadAttention:
            child.__class__ = FusedSelfAttention


class VitBlock(nn.Module):
    def __init__(self, width: int, heads: int, hidden: int, dropout: int, **_: int):
        super().__init__()
        p = dropout / 100
        self.ln_1 = nn.LayerNorm(width, 1e-6)
        self.self_attention = MultiheadAttention(width, heads)
        self.dropout = nn.Dropout(p)
        self.ln_2 = nn.LayerNorm(width, 1e-6)
        self.mlp = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Dropout(p),
                                 nn.Linear(hidden, width), nn.Dropout(p))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.dropout(self.self_attention(self.ln_1(x)))
        return x + self.mlp(self.ln_2(x))


class VitEncoder(nn.Module):
    def __init__(self, length: int, layers: int, width: int, dropout: int, **settings: int):
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.empty(1, length, width))
        self.dropout = nn.Dropout(dropout / 100)
        self.layers = nn.Sequential()
        for n in range(layers):
            self.layers.add_module(f"encoder_layer_{n}",
                                   VitBlock(width=width, dropout=dropout, **settings))
        self.ln = nn.LayerNorm(width, 1e-6)

    def forward(self, x: Tensor) -> Tensor:
        return self.ln(self.layers(self.dropout(x + self.pos_embedding)))


class VisionTransformer(Classifier):
    def __init__(self, size: int, patch: int, width: int, classes: int, **settings: int):
        super().__init__()
        self.class_token = nn.Parameter(torch.zeros(1, 1, width))
        self.conv_proj = nn.Conv2d(3, width, patch, patch)
        self.encoder = VitEncoder((size // patch) ** 2 + 1, width=width, **settings)
        self.heads = nn.Sequential()
        self.heads.add_module("head", nn.Linear(width, classes))

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv_proj(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], 1)
        return self.heads(self.encoder(x)[:, 0])


# ---- image to image


class DoubleConv(nn.Module):
    def __init__(self, i: int, o: int):
        super().__init__()
        self.double_conv = nn.Sequential(conv(i, o, 3), nn.BatchNorm2d(o), nn.ReLU(True),
                                         conv(o, o, 3), nn.BatchNorm2d(o), nn.ReLU(True))

    def forward(self, x: Tensor) -> Tensor:
        return self.double_conv(x)


class Down(nn.Module):
    def __init__(self, i: int, o: int):
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(i, o))

    def forward(self, x: Tensor) -> Tensor:
        return self.maxpool_conv(x)


class Up(nn.Module):
    def __init__(self, i: int, o: int):
        super().__init__()
        self.up = nn.ConvTranspose2d(i, i // 2, 2, 2)
        self.conv = DoubleConv(i, o)

    def forward(self, x: Tensor, skip: Tensor) -> Tensor:
        x = self.up(x)
        dy, dx = skip.shape[2] - x.shape[2], skip.shape[3] - x.shape[3]
        if dy != 0 or dx != 0:
            x = F.pad(x, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.conv(torch.cat([skip, x], 1))


class OutConv(nn.Module):
    def __init__(self, i: int, o: int):
        super().__init__()
        self.conv = nn.Conv2d(i, o, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.conv(x)


class UNet(Classifier):
    def __init__(self, width: int, classes: int, **_: int):
        super().__init__()
        self.inc = DoubleConv(3, width)
        for n in range(4):
            setattr(self, f"down{n + 1}", Down(width << n, width << (n + 1)))
        for n in range(4):
            setattr(self, f"up{n + 1}", Up(width << (4 - n), width << (3 - n)))
        self.outc = OutConv(width, classes)

    def forward(self, x: Tensor) -> Tensor:
        skips = [self.inc(x)]
        for down in (self.down1, self.down2, self.down3, self.down4):
            skips.append(down(skips[-1]))
        x = skips.pop()
        for up in (self.up1, self.up2, self.up3, self.up4):
            x = up(x, skips.pop())
        return self.outc(x)


class Vae(nn.Module):
    def __init__(self, size: int, hidden: int, code: int, **_: int):
        super().__init__()
        self.fc1 = nn.Linear(size * size, hidden)
        self.fc21 = nn.Linear(hidden, code)
        self.fc22 = nn.Linear(hidden, code)
        self.fc3 = nn.Linear(code, hidden)
        self.fc4 = nn.Linear(hidden, size * size)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        h = F.relu(self.fc1(x.flatten(1)))
        mean, log_variance = self.fc21(h), self.fc22(h)
        std = torch.exp(0.5 * log_variance)
        code = mean + torch.randn_like(std) * std
        return torch.sigmoid(self.fc4(F.relu(self.fc3(code)))).view_as(x), mean, log_variance

    def loss(self, x: Tensor) -> Tensor:
        image, mean, log_variance = self(x)
        bce = F.binary_cross_entropy(image, x, reduction="sum")
        return bce + -0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())


# ---- tokens


class LstmTagger(TokenClassifier):
    def __init__(self, vocabulary: int, width: int, hidden: int, layers: int, classes: int, **_: int):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, hidden, layers, batch_first=True, bidirectional=True)
        self.hidden2tag = nn.Linear(2 * hidden, classes)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.hidden2tag(self.lstm(self.word_embeddings(tokens))[0])


class PositionalEncoding(nn.Module):
    def __init__(self, length: int, width: int, dropout: float):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        position = torch.arange(length).unsqueeze(1)
        frequency = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        pe = torch.zeros(length, 1, width)
        pe[:, 0, 0::2] = torch.sin(position * frequency)
        pe[:, 0, 1::2] = torch.cos(position * frequency)
        self.register_buffer("pe", pe)

    def forward(self, x: Tensor) -> Tensor:
        return self.dropout(x + self.pe[: x.size(0)])


class TransformerModel(TokenClassifier):
    def __init__(self, length: int, vocabulary: int, layers: int, heads: int, width: int,
                 hidden: int, dropout: int, **_: int):
        super().__init__()
        p = dropout / 100
        self.width = width
        self.embedding = nn.Embedding(vocabulary, width)
        self.pos_encoder = PositionalEncoding(length, width, p)
        layer = nn.TransformerEncoderLayer(width, heads, hidden, p)
        self.transformer_encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.linear = nn.Linear(width, vocabulary)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.pos_encoder(self.embedding(tokens) * math.sqrt(self.width))
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.size(0))
        return self.linear(self.transformer_encoder(x, mask, is_causal=True))


class CausalSelfAttention(nn.Module):
    def __init__(self, heads: int, width: int, dropout: float):
        super().__init__()
        self.heads, self.p = heads, dropout
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)
        self.resid_dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.size()
        q, k, v = (part.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
                   for part in self.c_attn(x).split(width, 2))
        p = self.p if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=True)
        y = y.transpose(1, 2).contiguous().view(batch, length, width)
        return self.resid_dropout(self.c_proj(y))


class GptMlp(nn.Module):
    def __init__(self, width: int, dropout: float):
        super().__init__()
        self.c_fc = nn.Linear(width, 4 * width)
        self.c_proj = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        return self.dropout(self.c_proj(F.gelu(self.c_fc(x), approximate="tanh")))


class GptBlock(nn.Module):
    def __init__(self, heads: int, width: int, dropout: float):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = CausalSelfAttention(heads, width, dropout)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = GptMlp(width, dropout)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GptBody(nn.Module):
    def __init__(self, length: int, vocabulary: int, layers: int, heads: int, width: int, p: float):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, width)
        self.wpe = nn.Embedding(length, width)
        self.drop = nn.Dropout(p)
        self.h = nn.Sequential(*(GptBlock(heads, width, p) for _ in range(layers)))
        self.ln_f = nn.LayerNorm(width)

    def forward(self, tokens: Tensor) -> Tensor:
        positions = self.wpe(torch.arange(tokens.size(1)))
        return self.ln_f(self.h(self.drop(self.wte(tokens) + positions)))


class Gpt(TokenClassifier):
    def __init__(self, length: int, vocabulary: int, layers: int, heads: int, width: int,
                 dropout: int, tied: int, **_: int):
        super().__init__()
        self.transformer = GptBody(length, vocabulary, layers, heads, width, dropout / 100)
        self.lm_head = nn.Linear(width, vocabulary, bias=False)
        if tied:
            self.lm_head.weight = self.transformer.wte.weight

    def forward(self, tokens: Tensor) -> Tensor:
        return self.lm_head(self.transformer(tokens))


Settings = dict[str, int]
IMAGES = {"batch": 2, "size": 64, "classes": 10}

TWINS: dict[str, tuple[Settings, Callable[..., Any]]] = {
    "mlp": ({"batch": 8, "features": 16, "hidden": 32, "classes": 4}, Mlp),
    "lenet": ({"batch": 4, "classes": 10}, LeNet),
    "resnet18": ({**IMAGES, "batch": 4, "width": 16},
                 lambda **s: ResNet([2, 2, 2, 2], False, **s)),
    "resnet50": ({**IMAGES, "batch": 4, "width": 8}, lambda **s: ResNet([3, 4, 6, 3], True, **s)),
    "mobilenet_v2": ({**IMAGES, "batch": 4, "width": 25, "dropout": 20}, MobileNetV2),
    "unet": ({"batch": 1, "size": 37, "width": 4, "classes": 3}, UNet),
    "vae": ({"batch": 4, "size": 28, "hidden": 32, "code": 20}, Vae),
    "lstm_tagger": ({"batch": 4, "length": 12, "vocabulary": 100, "width": 16, "hidden": 16,
                     "layers": 2, "classes": 5}, LstmTagger),
    "transformer_encoder": ({"batch": 4, "length": 16, "vocabulary": 100, "layers": 2, "heads": 2,
                             "width": 32, "hidden": 64, "dropout": 10}, TransformerModel),
    "gpt": ({"batch": 2, "length": 16, "vocabulary": 64, "layers": 2, "heads": 2, "width": 32,
             "dropout": 0, "tied": 1}, Gpt),
    "vit": ({**IMAGES, "patch": 8, "layers": 2, "heads": 2, "width": 32, "hidden": 64,
             "dropout": 0}, VisionTransformer),
}
