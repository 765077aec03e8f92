#!/usr/bin/env python3
"""Compares the types of additional joint graphs with the results of libtorch.

AOTAutograd traces models with layers, losses and resampling that the corpus does not contain, forward
and backward. Every call runs eagerly and the types of its results are recorded; `fxcpp shape
--compare` must infer the same types. (AOTAutograd's own records omit the storage offset of views.)
Exit status 77: torch is missing.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
    from torch._functorch.aot_autograd import aot_export_module
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8, padding_idx=0)
        self.lstm = nn.LSTM(8, 6, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(12, 7)
        self.out = nn.Bilinear(7, 7, 2)

    def forward(self, x):
        y, _ = self.gru(self.lstm(self.embed(x))[0])
        return self.out(y, y).pow(2).mean()


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.GroupNorm(2, 8)
        self.down = nn.Conv2d(8, 16, 3, stride=2, padding=1, groups=4)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.out = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        a = F.silu(self.norm(self.first(x)))
        y = self.out(torch.cat([a, self.up(F.mish(self.down(a)))], 1))
        y = F.interpolate(y, scale_factor=2, mode="bilinear", align_corners=False)
        return F.pixel_unshuffle(y, 2).abs().mean()


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 4, 4)
        self.token = nn.Parameter(torch.zeros(1, 1, 16))
        layer = nn.TransformerEncoderLayer(16, 4, 32, 0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        y = self.patches(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.token.expand(y.shape[0], -1, -1), y], 1)
        return F.cross_entropy(self.head(self.encoder(y)[:, 0]), torch.tensor([1, 4]), label_smoothing=0.1)


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(8, 4)
        self.weight = nn.Parameter(torch.randn(4, 8, 8))

    def forward(self, x):
        values, indices = self.gate(x).softmax(-1).topk(2)
        chosen = torch.zeros(x.shape[0], 4).scatter(-1, indices, values)
        return torch.einsum("bd,edf,be->bf", x, self.weight, chosen).logsumexp(-1).sum()


class Algebra(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(6, 6))
        self.prelu = nn.PReLU(6)

    def forward(self, x, index):
        a = x @ self.weight
        b = a.cumsum(0) * a.cumprod(1)
        parts = [torch.linalg.qr(self.weight)[0].trace(), torch.fft.fft(a).abs().mean(),
                 x[index].prod(1), self.prelu(b).norm(), torch.tril(a) + torch.roll(a, 1, 0),
                 torch.linalg.matrix_exp(self.weight).std(),
                 x.index_select(1, torch.tensor([0, 2])).var(), torch.where(a > 0, a, a.exp()).amax(1),
                 a.sort(-1).values.diff(dim=-1).abs(), torch.cdist(x, a), a.unfold(0, 2, 1).square()]
        return sum(part.sum() for part in parts)


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.BatchNorm1d(6), nn.InstanceNorm1d(6, affine=True),
            nn.Conv1d(6, 6, 3, padding="same", padding_mode="circular"), nn.RMSNorm(10),
            nn.LocalResponseNorm(2))
        self.volume = nn.Sequential(nn.BatchNorm3d(2), nn.Conv3d(2, 3, 2), nn.AvgPool3d(2))

    def forward(self, x, v):
        y = self.layers(x)
        parts = [F.adaptive_max_pool1d(y, 3), F.softplus(self.volume(v)), F.max_pool1d(y, 2),
                 F.lp_pool1d(y.abs() + 1, 2, 2), F.hardswish(y), F.celu(y), F.gelu(y, approximate="tanh"),
                 F.normalize(y), F.cosine_similarity(y, y + 1)]
        return sum(part.sum() for part in parts)


class Losses(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(5, 4)

    def forward(self, x, t):
        y = self.linear(x)
        o = F.one_hot(t, 4).float()
        p, ones = y.log_softmax(1), torch.ones(y.shape[0])
        return (F.nll_loss(p, t, weight=torch.arange(1.0, 5)) + F.huber_loss(y, o) +
                F.binary_cross_entropy_with_logits(y, o, pos_weight=torch.ones(4)) +
                F.smooth_l1_loss(y, o) + F.poisson_nll_loss(y, o) + F.multi_margin_loss(y, t) +
                F.triplet_margin_loss(y, o, y.flip(0)) + F.hinge_embedding_loss(y, o * 2 - 1) +
                F.cosine_embedding_loss(y, o, ones) + F.soft_margin_loss(y, o * 2 - 1) +
                F.multilabel_soft_margin_loss(y, o) + F.margin_ranking_loss(y[:, 0], y[:, 1], ones) +
                F.kl_div(p, y.softmax(-1), reduction="batchmean"))


class Sampling(nn.Module):
    def __init__(self):
        super().__init__()
        self.theta = nn.Linear(4, 6)

    def forward(self, x):
        theta = self.theta(x.mean((2, 3))).view(-1, 2, 3)
        y = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)
        pooled, where = F.max_pool2d(F.fold(F.unfold(y, 2), (6, 6), 2), 2, return_indices=True)
        z = F.max_unpool2d(pooled, where, 2)
        parts = [F.interpolate(z, size=(9, 7), mode="bicubic"), F.interpolate(z, size=(3, 3), mode="area"),
                 F.interpolate(z, scale_factor=1.5, mode="nearest"), F.pixel_shuffle(y, 2),
                 F.pad(y, (1, 1, 2, 0), mode="replicate"), F.dropout2d(y, 0.3)]
        return sum(part.sum() for part in parts)


LAST = torch.channels_last
MODELS = {
    "lstm and gru": (Lstm(), (torch.randint(0, 20, (3, 5)),)),
    "unet": (Unet(), (torch.randn(2, 3, 8, 8),)),
    "unet, channels last": (Unet().to(memory_format=LAST), (torch.randn(2, 3, 8, 8).to(memory_format=LAST),)),
    "vit": (Vit(), (torch.randn(2, 3, 8, 8),)),
    "experts": (Experts(), (torch.randn(5, 8),)),
    "algebra": (Algebra(), (torch.randn(6, 6), torch.randint(0, 6, (6, 3)))),
    "norms": (Norms(), (torch.randn(3, 6, 10), torch.randn(2, 2, 5, 5, 5))),
    "losses": (Losses(), (torch.randn(6, 5), torch.tensor([0, 1, 2, 3, 1, 2]))),
    "sampling": (Sampling(), (torch.randn(2, 4, 6, 6),)),
}


class Results(torch.fx.Interpreter):
    """Records the result of every call."""

    def run_node(self, node):
        node.meta["val"] = super().run_node(node)
        return node.meta["val"]


class Tuple(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *args):
        return (self.model(*args),)


def main():
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (model, inputs) in MODELS.items():
            model = Tuple(model)
            graph, _ = aot_export_module(model, inputs, trace_joint=True, output_loss_index=0)
            state = [*model.parameters(), *model.buffers()]
            with torch.no_grad():
                Results(graph).run(*[t.detach() for t in state], *inputs)
            path = f"{folder}/{name}.json"
            fx_export.dump(graph, path)
            done = subprocess.run([FXCPP, "shape", path, "--compare", "--json"],
                                  capture_output=True, text=True)
            found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
            print(f"{name}: {found.get('compared')} compared, {found.get('different')}")
            if done.returncode or not found.get("compared"):
                print(done.stderr)
                failures += 1
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
