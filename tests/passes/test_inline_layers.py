#!/usr/bin/env python3
"""What inline_layers makes of torch.nn's layers, against torch.nn.

One torch.fx GraphModule calls layers of every known class, with settings unlike the defaults. It
goes to fxcpp through the bridge, `fxcpp opt --passes inline_layers` makes operators of the calls,
and what comes back must give the same bits and leave the same buffers as torch.nn, in training and
in evaluation. Exit status 77: torch is missing.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
    from torch import nn
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
SEQUENCE, IMAGE, VOLUME = (2, 4, 9), (2, 4, 9, 10), (2, 4, 5, 6, 7)
# Layers, each with the sizes of what it is called with.
LAYERS = [
    (nn.Linear(10, 3), IMAGE), (nn.Linear(10, 3, bias=False), IMAGE), (nn.Identity(), IMAGE),
    (nn.Conv1d(4, 6, 3, padding=1, groups=2), SEQUENCE),
    (nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2), bias=False), IMAGE),
    (nn.Conv3d(4, 2, 3, stride=2), VOLUME),
    (nn.Conv1d(4, 2, 4, padding="same", padding_mode="replicate"), SEQUENCE),
    (nn.Conv2d(4, 2, (4, 3), padding="same", dilation=(2, 1)), IMAGE),
    (nn.Conv2d(4, 2, 3, padding=(2, 1), padding_mode="circular", stride=2), IMAGE),
    (nn.Conv2d(4, 2, 3, padding="valid", padding_mode="reflect"), IMAGE),
    (nn.Conv3d(4, 2, (1, 2, 3), padding="valid"), VOLUME),
    (nn.Conv3d(4, 2, (1, 2, 3), padding="same", padding_mode="reflect"), VOLUME),
    (nn.ConvTranspose1d(4, 6, 3, stride=2, output_padding=1), SEQUENCE),
    (nn.ConvTranspose2d(4, 6, 3, stride=(2, 3), padding=1, groups=2), IMAGE),
    (nn.ConvTranspose3d(4, 2, 2, bias=False), VOLUME),
    (nn.BatchNorm1d(4, momentum=0.3), SEQUENCE), (nn.BatchNorm2d(4, eps=1e-3), IMAGE),
    (nn.BatchNorm2d(4, affine=False), IMAGE), (nn.BatchNorm3d(4), VOLUME),
    (nn.BatchNorm2d(4, track_running_stats=False), IMAGE),
    (nn.LayerNorm((9, 10), eps=1e-3), IMAGE), (nn.LayerNorm(10, elementwise_affine=False), IMAGE),
    (nn.LayerNorm(10, bias=False), IMAGE),
    (nn.GroupNorm(2, 4), IMAGE), (nn.GroupNorm(4, 4, affine=False), IMAGE),
    (nn.MaxPool1d(3, stride=2, padding=1), SEQUENCE),
    (nn.MaxPool2d((2, 3), dilation=2, ceil_mode=True), IMAGE), (nn.MaxPool3d(2), VOLUME),
    (nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False), IMAGE),
    (nn.AdaptiveAvgPool2d((3, 2)), IMAGE),
    (nn.Dropout(0.3), IMAGE), (nn.Flatten(2), IMAGE), (nn.Flatten(1, 2), IMAGE),
    (nn.ReLU(), IMAGE), (nn.GELU(), IMAGE), (nn.GELU(approximate="tanh"), IMAGE), (nn.SiLU(), IMAGE),
    (nn.Sigmoid(), IMAGE), (nn.Tanh(), IMAGE), (nn.ReLU6(), IMAGE), (nn.Hardswish(), IMAGE),
    (nn.LeakyReLU(0.2), IMAGE), (nn.ELU(0.7), IMAGE), (nn.Softmax(1), IMAGE),
    (nn.LogSoftmax(-1), IMAGE),
    (nn.CELU(0.7), IMAGE), (nn.GLU(1), IMAGE), (nn.Hardshrink(0.3), IMAGE), (nn.Hardsigmoid(), IMAGE),
    (nn.Hardtanh(-0.4, 0.6), IMAGE), (nn.LogSigmoid(), IMAGE), (nn.Mish(), IMAGE), (nn.PReLU(4), IMAGE),
    (nn.RReLU(0.2, 0.4), IMAGE), (nn.SELU(), IMAGE), (nn.Softmax2d(), IMAGE), (nn.Softmin(1), IMAGE),
    (nn.Softplus(2.0, 10.0), IMAGE), (nn.Softshrink(0.2), IMAGE), (nn.Softsign(), IMAGE),
    (nn.Tanhshrink(), IMAGE), (nn.Threshold(0.1, 2.0), IMAGE), (nn.ChannelShuffle(2), IMAGE),
    (nn.AlphaDropout(0.2), IMAGE), (nn.Dropout2d(0.4), IMAGE), (nn.Dropout3d(0.4), VOLUME),
    (nn.Unflatten(1, (2, 2)), IMAGE), (nn.Unfold((3, 2), stride=2, padding=1), IMAGE),
    (nn.Sequential(nn.Unfold(2), nn.Fold((9, 10), 2)), IMAGE),
    (nn.InstanceNorm1d(4), SEQUENCE), (nn.InstanceNorm2d(4, affine=True, track_running_stats=True), IMAGE),
    (nn.InstanceNorm3d(4, eps=1e-3), VOLUME), (nn.RMSNorm((9, 10)), IMAGE),
    (nn.RMSNorm(10, eps=1e-3, elementwise_affine=False), IMAGE),
    (nn.CircularPad1d(2), SEQUENCE), (nn.CircularPad2d((1, 2, 0, 1)), IMAGE), (nn.CircularPad3d(1), VOLUME),
    (nn.ConstantPad1d(1, 3.0), SEQUENCE), (nn.ConstantPad2d((1, -1, 2, 0), 0.5), IMAGE),
    (nn.ConstantPad3d(1, 2.0), VOLUME), (nn.ReflectionPad1d(2), SEQUENCE), (nn.ReflectionPad2d(1), IMAGE),
    (nn.ReflectionPad3d(1), VOLUME), (nn.ReplicationPad1d(2), SEQUENCE),
    (nn.ReplicationPad2d((2, 1, 0, 3)), IMAGE), (nn.ReplicationPad3d(1), VOLUME),
    (nn.ZeroPad1d(1), SEQUENCE), (nn.ZeroPad2d((0, 1, 2, 3)), IMAGE), (nn.ZeroPad3d(1), VOLUME),
    (nn.PixelShuffle(2), IMAGE), (nn.Sequential(nn.ZeroPad2d((0, 0, 0, 1)), nn.PixelUnshuffle(2)), IMAGE),
    (nn.AdaptiveAvgPool1d(3), SEQUENCE), (nn.AdaptiveAvgPool3d((2, 3, 4)), VOLUME),
    (nn.AdaptiveMaxPool1d(3), SEQUENCE), (nn.AdaptiveMaxPool2d((2, 3)), IMAGE),
    (nn.AdaptiveMaxPool3d(2), VOLUME), (nn.AvgPool1d(3, 2, 1), SEQUENCE),
    (nn.AvgPool2d(2, divisor_override=3), IMAGE), (nn.AvgPool3d(2, ceil_mode=True), VOLUME),
    (nn.Upsample(scale_factor=1.5, mode="linear"), SEQUENCE),
    (nn.Upsample(size=(12, 7), mode="bilinear", align_corners=True), IMAGE),
    (nn.Upsample(scale_factor=2, mode="bicubic"), IMAGE),
    (nn.Upsample(scale_factor=(2, 1.5, 1), mode="trilinear"), VOLUME),
    (nn.Upsample(scale_factor=(2, 3)), IMAGE), (nn.Upsample(size=(4, 5, 6)), VOLUME),
    (nn.UpsamplingBilinear2d(scale_factor=2), IMAGE), (nn.UpsamplingNearest2d(size=(5, 20)), IMAGE),
    # In place: what comes after sees other inputs.
    (nn.ReLU(inplace=True), VOLUME), (nn.ELU(0.5, inplace=True), IMAGE), (nn.CELU(inplace=True), IMAGE),
    (nn.Dropout(0.3, inplace=True), IMAGE), (nn.Dropout2d(0.3, inplace=True), IMAGE),
    (nn.Hardsigmoid(inplace=True), SEQUENCE), (nn.Hardswish(inplace=True), IMAGE),
    (nn.LeakyReLU(0.3, inplace=True), IMAGE), (nn.Mish(inplace=True), IMAGE),
    (nn.RReLU(inplace=True), IMAGE), (nn.ReLU6(inplace=True), IMAGE), (nn.SELU(inplace=True), IMAGE),
    (nn.SiLU(inplace=True), IMAGE), (nn.Threshold(0.2, 0.3, inplace=True), IMAGE), (nn.Identity(), IMAGE),
]
# Layers of two inputs: of numbers in (0, 1), or of logits and classes.
PAIRS = [nn.CosineSimilarity(0, eps=1e-3), nn.PairwiseDistance(1.5, keepdim=True), nn.Bilinear(4, 4, 3),
         nn.BCELoss(torch.tensor([0.5, 1, 2, 1])), nn.BCEWithLogitsLoss(pos_weight=torch.ones(4) * 2),
         nn.HuberLoss(delta=0.1), nn.KLDivLoss(reduction="batchmean"), nn.KLDivLoss(log_target=True),
         nn.L1Loss(reduction="sum"), nn.MSELoss(reduction="none"), nn.SmoothL1Loss(beta=0.2),
         nn.SoftMarginLoss()]
CLASSIFIERS = [nn.CrossEntropyLoss(torch.tensor([1.0, 2, 3, 4]), ignore_index=1, label_smoothing=0.1),
               nn.NLLLoss(reduction="sum"), nn.CrossEntropyLoss(reduction="none")]
RECURRENT = [nn.LSTM(9, 5), nn.LSTM(9, 5, 2, bidirectional=True, batch_first=True, proj_size=3), nn.GRU(9, 4, 2, bias=False),
             nn.GRU(9, 4, bidirectional=True, dropout=0.2, num_layers=2), nn.RNN(9, 3, nonlinearity="relu"),
             nn.RNN(9, 3, batch_first=True)]


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([layer for layer, _ in LAYERS])
        self.table = nn.Embedding(7, 3, padding_idx=2)
        self.pairs = nn.ModuleList(PAIRS)
        self.classifiers = nn.ModuleList(CLASSIFIERS)
        self.recurrent = nn.ModuleList(RECURRENT)

    def forward(self, sequence, image, volume, indices, a, b, classes):
        inputs = {SEQUENCE: sequence, IMAGE: image, VOLUME: volume}
        results = [layer(inputs[sizes]) for layer, (_, sizes) in zip(self.layers, LAYERS)]
        results += [pair(a, b) for pair in self.pairs]
        results += [classifier(a, classes) for classifier in self.classifiers]
        results += [self.table(indices)]
        for layer in self.recurrent:
            output, state = layer(sequence)
            h, c = (state[0], state[1]) if isinstance(layer, nn.LSTM) else (state, output)
            results += [output + 1, h * 2, c]
        return results


def run(module, inputs):
    torch.manual_seed(3)
    return module(*inputs)


def check(training: bool, folder: Path) -> list[str]:
    torch.manual_seed(1)
    module = torch.fx.symbolic_trace(Layers())
    with torch.no_grad():
        for tensor in [*module.parameters(), *module.buffers()]:
            if tensor.is_floating_point():
                tensor.uniform_(0.5, 1.5)
    module.train(training)
    inputs = [torch.randn(sizes) for sizes in (SEQUENCE, IMAGE, VOLUME)]
    inputs.append(torch.tensor([[1, 2], [6, 0]]))
    inputs += [torch.rand(5, 4), torch.rand(5, 4), torch.tensor([0, 3, 1, 1, 2])]
    fx_export.dump(module, folder / "in.json")
    subprocess.run([FXCPP, "opt", folder / "in.json", "--passes", "inline_layers",
                    "-o", folder / "out.json"], check=True)
    state = {name: tensor.clone() for name, tensor in module.state_dict().items()}
    inlined = fx_export.load(folder / "out.json", state)
    calls = [n for n in inlined.graph.nodes if n.op == "call_module"]
    faults = [f"{n.target} is still called" for n in calls]
    expected = run(module, [tensor.clone() for tensor in inputs])
    got = run(inlined, inputs)
    names = [repr(layer) for layer in [*(x for x, _ in LAYERS), *PAIRS, *CLASSIFIERS]] + ["Embedding"]
    names += [repr(layer) for layer in RECURRENT for _ in range(3)]
    faults += [f"{name}: other results" for name, a, b in zip(names, expected, got, strict=True)
               if not torch.equal(a, b)]
    after = inlined.state_dict()
    faults += [f"{name}: left with other values" for name, tensor in module.state_dict().items()
               if not torch.equal(tensor, after[name])]
    print(f"{'training' if training else 'evaluation'}: {len(names)} layers, {len(faults)} faults")
    return faults


def main() -> int:
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for training in (True, False):
            faults += check(training, Path(folder))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
