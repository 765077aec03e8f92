#!/usr/bin/env python3
"""Runs graphs from torch.fx's tracer with fxcpp run: layers, methods, and torch functions.

torch.fx traces models with layers that no other test calls, and fx_export writes them for fxcpp.
Results of `fxcpp run --check` must be bit-equal to the model's results. The exit status is 77
without torch.
"""

import operator
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).parents[1] / "codegen"))
import fx_export  # noqa: E402
from cpp_models import write_safetensors  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")


class Excite(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels),
            nn.ReLU6(inplace=True), nn.Conv2d(channels, channels, 1), nn.Hardswish())
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, channels // 2, 1), nn.SiLU(inplace=True),
            nn.Conv2d(channels // 2, channels, 1), nn.Hardsigmoid())

    def forward(self, x):
        y = self.body(x)
        return x + y * self.gate(y)


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, 2, 1)
        self.blocks = nn.ModuleList([Excite(8), Excite(8)])
        self.up = nn.Upsample(scale_factor=2)
        self.transposed = nn.ConvTranspose2d(8, 4, 3, 2, 1, 1)
        self.shuffle = nn.PixelShuffle(2)
        self.norm = nn.GroupNorm(1, 1)
        self.head = nn.Linear(256, 5)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        y = F.max_pool2d(self.norm(self.shuffle(self.transposed(x))), 2)
        return self.head(torch.flatten(y, 1)).softmax(dim=-1), self.up(x).mean([2, 3])


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 8)
        self.position = nn.Parameter(torch.randn(1, 5, 8))
        self.norm = nn.RMSNorm(8)
        self.qkv = nn.Linear(8, 24)
        self.mlp = nn.Sequential(nn.Linear(8, 16), nn.GELU(approximate="tanh"), nn.Dropout(0.1), nn.Linear(16, 8))

    def forward(self, tokens):
        x = self.embed(tokens) + self.position
        b, t, c = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, 2, c // 2).permute(2, 0, 3, 1, 4).unbind(0)
        scores = (q @ k.transpose(-2, -1)) * (c // 2) ** -0.5
        mask = torch.ones(5, 5, dtype=torch.bool).tril()
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        x = x + (weights @ v).transpose(1, 2).reshape(b, t, c)
        x = x + self.mlp(self.norm(x))
        return {"logits": x[:, -1].log_softmax(-1), "all": [x, x.sum(dim=(1, 2))]}


class Pairs(nn.Module):
    def __init__(self):
        super().__init__()
        self.prelu = nn.PReLU()
        self.bilinear = nn.Bilinear(8, 8, 3)
        self.norm = nn.BatchNorm1d(4)
        self.conv = nn.Sequential(nn.ReflectionPad1d(1), nn.Conv1d(4, 4, 3, groups=2), nn.AvgPool1d(2), nn.Flatten())
        self.similar = nn.CosineSimilarity(-1)
        self.loss = nn.SmoothL1Loss(beta=0.3)

    def forward(self, x):
        z = self.prelu(x)
        y = self.bilinear(x, z)
        k = torch.cat([self.conv(self.norm(y)), self.similar(x, z)], -1)[:, 1:-1:2].clamp(min=-1) ** 2
        return torch.where(k > 0.1, k, -k).sum(), self.loss(z, x), y.argmax(-1), (x > 0).any(-1).all()


class Methods(nn.Module):
    """Methods whose receiver is not the first argument of the operator, NumPy names, nested
    results."""

    def forward(self, x):
        y = x.where(x > 0, x - 1) + x.where(condition=x < 0.5, other=x * 2)
        z = x.abs().polygamma(1).mean(axis=1, keepdims=True) + torch.sum(x, axis=-1, keepdim=True)
        return torch.max(y, dim=1), {"norm": y.norm(dim=-1)}, z


class Overlapping(nn.Module):
    """Tensors with many elements at the same memory location."""

    def __init__(self):
        super().__init__()
        self.register_buffer("kernel", torch.randn(3, 3).expand(2, 1, 3, 3))

    def forward(self, x):
        return F.conv2d(x, self.kernel, groups=2, padding=1)


MODELS = [(Methods(), torch.randn(3, 4, 5)), (Overlapping(), torch.randn(1, 2, 5, 5)), (Images(), torch.randn(2, 3, 16, 16)), (Text(), torch.randint(0, 11, (2, 5))),
          (Pairs(), torch.randn(3, 4, 8))]


def main() -> int:
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for model, x in MODELS:
            module = torch.fx.symbolic_trace(model.eval())
            tensors = {key: value for key, value in module.state_dict().items()
                       if not key.endswith("num_batches_tracked")}
            for node in module.graph.nodes:
                if node.op == "placeholder":
                    tensors[node.target] = x
                if node.op == "get_attr":
                    tensors[node.target] = operator.attrgetter(node.target)(module)
            results = torch.utils._pytree.tree_leaves(model(x))
            fx_export.dump(module, folder / "g.json")
            write_safetensors(folder / "in.safetensors", tensors)
            write_safetensors(folder / "out.safetensors", {f"out.{i}": t for i, t in enumerate(results)})
            done = subprocess.run(
                [FXCPP, "run", folder / "g.json", "--inputs", folder / "in.safetensors", "--check",
                 folder / "out.safetensors"], capture_output=True, text=True)
            print(f"{type(model).__name__}: {done.stdout.strip()}{done.stderr.strip()}")
            count = len(results)
            compared = f"{count} result{'s' * (count != 1)} compared: {count} bit-equal"
            failures += done.returncode != 0 or compared not in done.stdout
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
