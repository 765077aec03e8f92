#!/usr/bin/env python3
"""Compares the results of inline_layers with torch.nn.

A torch.fx GraphModule calls layers of every known class, with settings other than the defaults.
fx_export writes it for fxcpp, and `fxcpp opt --passes inline_layers` replaces the calls with
operators. The resulting module must return bit-equal results and have the same buffers as torch.nn,
in training and in evaluation mode. Exit status 77: torch is missing.
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
# Layers and the sizes of their inputs.
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
    (nn.BatchNorm1d(4, momentum=None), SEQUENCE),
    (nn.BatchNorm2d(4, momentum=None, track_running_stats=False), IMAGE),
    (nn.InstanceNorm1d(4, momentum=None, track_running_stats=True), SEQUENCE),
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
    (nn.LogSoftmax(-1), IMAGE), (nn.Softmax(), IMAGE), (nn.LogSoftmax(), SEQUENCE), (nn.Softmin(), IMAGE),
    (nn.CELU(0.7), IMAGE), (nn.GLU(1), IMAGE), (nn.Hardshrink(0.3), IMAGE), (nn.Hardsigmoid(), IMAGE),
    (nn.Hardtanh(-0.4, 0.6), IMAGE), (nn.LogSigmoid(), IMAGE), (nn.Mish(), IMAGE), (nn.PReLU(4), IMAGE),
    (nn.RReLU(0.2, 0.4), IMAGE), (nn.SELU(), IMAGE), (nn.Softmax2d(), IMAGE), (nn.Softmin(1), IMAGE),
    (nn.Softplus(2.0, 10.0), IMAGE), (nn.Softshrink(0.2), IMAGE), (nn.Softsign(), IMAGE),
    (nn.Tanhshrink(), IMAGE), (nn.Threshold(0.1, 2.0), IMAGE), (nn.ChannelShuffle(2), IMAGE),
    (nn.AlphaDropout(0.2), IMAGE), (nn.Dropout2d(0.4), IMAGE), (nn.Dropout3d(0.4), VOLUME),
    (nn.Dropout1d(0.4), SEQUENCE), (nn.FeatureAlphaDropout(0.3), VOLUME), (nn.Dropout1d(0.4, inplace=True), SEQUENCE),
    (nn.LPPool1d(2, 3), SEQUENCE), (nn.LPPool2d(4.0, (3, 2), stride=(1, 2), ceil_mode=True), IMAGE),
    (nn.LPPool3d(2, (1, 2, 3), stride=1), VOLUME), (nn.LPPool2d(float("inf"), 2), IMAGE), (nn.LPPool1d(-float("inf"), 2, 1), SEQUENCE),
    (nn.LocalResponseNorm(3, 0.1, 0.5, 2.0), SEQUENCE), (nn.LocalResponseNorm(2), IMAGE), (nn.LocalResponseNorm(4, k=0.5), VOLUME),
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
    # These layers write in place, so later calls use changed inputs.
    (nn.ReLU(inplace=True), VOLUME), (nn.ELU(0.5, inplace=True), IMAGE), (nn.CELU(inplace=True), IMAGE),
    (nn.Dropout(0.3, inplace=True), IMAGE), (nn.Dropout2d(0.3, inplace=True), IMAGE),
    (nn.Hardsigmoid(inplace=True), SEQUENCE), (nn.Hardswish(inplace=True), IMAGE),
    (nn.LeakyReLU(0.3, inplace=True), IMAGE), (nn.Mish(inplace=True), IMAGE),
    (nn.RReLU(inplace=True), IMAGE), (nn.ReLU6(inplace=True), IMAGE), (nn.SELU(inplace=True), IMAGE),
    (nn.SiLU(inplace=True), IMAGE), (nn.Threshold(0.2, 0.3, inplace=True), IMAGE), (nn.Identity(), IMAGE),
]
# Layers with two inputs: numbers in (0, 1), or logits and classes.
PAIRS = [nn.CosineSimilarity(0, eps=1e-3), nn.PairwiseDistance(1.5, keepdim=True), nn.Bilinear(4, 4, 3),
         nn.BCELoss(torch.tensor([0.5, 1, 2, 1])), nn.BCEWithLogitsLoss(pos_weight=torch.ones(4) * 2),
         nn.HuberLoss(delta=0.1), nn.KLDivLoss(reduction="batchmean"), nn.KLDivLoss(log_target=True),
         nn.L1Loss(reduction="sum"), nn.MSELoss(reduction="none"), nn.SmoothL1Loss(beta=0.2), nn.SmoothL1Loss(beta=0),
         nn.SoftMarginLoss(), nn.HingeEmbeddingLoss(0.5), nn.MultiLabelSoftMarginLoss(torch.rand(4)),
         nn.MultiLabelSoftMarginLoss(reduction="none"), nn.PoissonNLLLoss(full=True, eps=0.1),
         nn.PoissonNLLLoss(log_input=False, reduction="sum")]
CLASSIFIERS = [nn.CrossEntropyLoss(torch.tensor([1.0, 2, 3, 4]), ignore_index=1, label_smoothing=0.1),
               nn.NLLLoss(reduction="sum"), nn.CrossEntropyLoss(reduction="none"),
               nn.MultiMarginLoss(2, 0.5, torch.tensor([1.0, 2, 3, 4])), nn.MultiMarginLoss(reduction="none")]
RECURRENT = [nn.LSTM(9, 5), nn.LSTM(9, 5, 2, bidirectional=True, batch_first=True, proj_size=3), nn.GRU(9, 4, 2, bias=False),
             nn.GRU(9, 4, bidirectional=True, dropout=0.2, num_layers=2), nn.RNN(9, 3, nonlinearity="relu"),
             nn.RNN(9, 3, batch_first=True)]

# Layers with more than one input: (layer, positional arguments, keyword arguments); strings are
# keys of TENSORS. Their forward functions depend on the types of these tensors.
TENSORS = {
    "q": torch.randn(2, 3, 8), "k": torch.randn(2, 4, 8), "v": torch.randn(2, 4, 8),
    "k5": torch.randn(2, 4, 5), "v6": torch.randn(2, 4, 6), "q2": torch.randn(3, 8), "k2": torch.randn(4, 8),
    "lacks": torch.tensor([[False, False, True, True], [False, True, False, False]]),
    "lacks1": torch.tensor([False, True, False, False]), "bias": torch.randn(3, 4),
    "bias3": torch.randn(4, 3, 4), "later": torch.ones(3, 3).triu(1) > 0, "padding": torch.randn(2, 4),
    "bias2": torch.randn(2, 3, 3), "lacks3": torch.tensor([[False, False, True], [False, True, False]]),
    "words": torch.tensor([3, 1, 4, 1, 5, 6]), "starts": torch.tensor([0, 2, 2]), "rows": torch.tensor([[1, 2, 2], [0, 6, 4]]),
    "scale": torch.rand(6), "scales": torch.rand(2, 3), "step": torch.randn(4, 9), "one": torch.randn(9),
    "h": torch.randn(4, 5), "c": torch.randn(4, 5), "h1": torch.randn(5), "sequence": torch.randn(3, 4, 9),
    "alone": torch.randn(3, 9), "alone0": torch.randn(2, 5), "sequence1": torch.randn(2, 4, 9),
    "h0": torch.randn(2, 4, 5), "c0": torch.randn(2, 4, 5), "g0": torch.randn(2, 4, 5),
    "spread": torch.rand(4, 5), "spread1": torch.rand(4), "spread2": torch.rand(4, 1), "signs": torch.tensor([1, -1, 1, -1]), "labels": torch.tensor([[2, 0, -1, 1, 1, 1, 1, 1, 1]] * 4),
    "said": torch.tensor([[2, 3], [4, 0], [5, 5], [6, 2]]), "lengths": torch.tensor([3, 3, 3, 2]),
    "said_lengths": torch.tensor([2, 1, 2, 1]), "image": torch.randn(*IMAGE), "volume": torch.randn(*VOLUME),
    "pooled1": torch.randn(2, 4, 3), "at1": torch.tensor([[0, 2, 4]]).expand(2, 4, 3),
    "pooled2": torch.randn(2, 4, 4, 4), "at2": torch.arange(16).mul(2).view(4, 4).expand(2, 4, 4, 4),
    "pooled3": torch.randn(2, 4, 2, 3, 3), "at3": torch.arange(18).mul(3).view(2, 3, 3).expand(2, 4, 2, 3, 3),
}
A, EB = nn.MultiheadAttention, nn.EmbeddingBag
TE, TD = nn.TransformerEncoderLayer, nn.TransformerDecoderLayer
CALLS = [
    (A(8, 2, batch_first=True), "q q q", {}), (A(8, 2, batch_first=True), "q k v", {}),
    (A(8, 2, batch_first=True, bias=False), "q k k", {"key_padding_mask": "lacks"}),
    (A(8, 4), "q q q", {"need_weights": False}), (A(8, 4), "q q q", {"average_attn_weights": False}),
    (A(8, 2, dropout=0.4, batch_first=True), "q k v", {"attn_mask": "bias", "key_padding_mask": "lacks"}),
    (A(8, 2, dropout=0.4, batch_first=True), "q k v", {"attn_mask": "bias3", "need_weights": False}),
    (A(8, 2, kdim=5, vdim=6, batch_first=True), "q k5 v6", {"key_padding_mask": "padding"}),
    (A(8, 2, kdim=5, vdim=6, batch_first=True, bias=False), "q k5 v6", {}),
    (A(8, 2, add_bias_kv=True, add_zero_attn=True, batch_first=True), "q k k", {"key_padding_mask": "lacks", "attn_mask": "bias"}),
    (A(8, 2, add_bias_kv=True), "q q q", {"need_weights": False}), (A(8, 2, add_zero_attn=True), "q2 k2 k2", {}),
    (A(8, 2), "q2 q2 q2", {"attn_mask": "bias2"}), (A(8, 2, batch_first=True), "q2 k2 k2 lacks1", {"need_weights": False}),
    (A(8, 2, batch_first=True), "q q q", {"attn_mask": "later", "is_causal": True, "need_weights": False}),
    (A(8, 2, batch_first=True), "q q q", {"attn_mask": "later", "is_causal": True, "key_padding_mask": "lacks3"}),
    (A(8, 2, batch_first=True), "q q q", {"key_padding_mask": "lacks3", "need_weights": False}),
    (EB(7, 3), "words starts", {}), (EB(7, 3, mode="sum", padding_idx=1), "words starts", {"per_sample_weights": "scale"}),
    (EB(7, 3, mode="max"), "rows", {}), (EB(7, 3, mode="sum"), "rows", {"per_sample_weights": "scales"}),
    (EB(7, 3, include_last_offset=True), "words", {"offsets": "starts"}),
    (nn.GRUCell(9, 5), "step", {}), (nn.GRUCell(9, 5, bias=False), "step h", {}), (nn.GRUCell(9, 5), "one", {"hx": "h1"}),
    (nn.RNNCell(9, 5), "step h", {}), (nn.RNNCell(9, 5, nonlinearity="relu"), "one", {}),
    (nn.LSTMCell(9, 5), "step", {}), (nn.LSTMCell(9, 5), "step", {"hx": ("h", "c")}), (nn.LSTMCell(9, 5), "one", {"hx": ("h1", "h1")}),
    (nn.LSTM(9, 5, 2), "sequence", {"hx": ("h0", "c0")}), (nn.GRU(9, 5, bidirectional=True), "sequence h0", {}),
    (nn.RNN(9, 5, 2), "sequence h0", {}), (nn.MSELoss(), "q", {"target": "q"}), (nn.Linear(9, 2), "", {"input": "step"}),
    (nn.AdaptiveAvgPool2d((None, 3)), "image", {}), (nn.AdaptiveAvgPool3d((2, None, None)), "volume", {}),
    (nn.AdaptiveMaxPool2d((3, None)), "image", {}), (nn.AdaptiveMaxPool1d(4, return_indices=True), "sequence", {}),
    (nn.AdaptiveMaxPool2d((3, None), return_indices=True), "image", {}),
    (nn.AdaptiveMaxPool3d((2, None, 3), return_indices=True), "volume", {}),
    # max_norm writes to the weights.
    (EB(7, 3, max_norm=0.5), "words starts", {}), (EB(7, 3, max_norm=1.0, norm_type=1.0, mode="max"), "rows", {}),
    (nn.Embedding(7, 3, max_norm=0.7, norm_type=3.0), "words", {}), (nn.Embedding(7, 3, padding_idx=-2), "rows", {}),
    (nn.TripletMarginLoss(0.5, 1.0, swap=True), "h0 c0 g0", {}), (nn.TripletMarginLoss(), "h0 c0", {"negative": "g0"}),
    (nn.TripletMarginWithDistanceLoss(swap=True), "h0 c0 g0", {}),
    (nn.TripletMarginWithDistanceLoss(distance_function=nn.PairwiseDistance(1.0, keepdim=True), margin=2.0), "h0 c0 g0", {}),
    (nn.TripletMarginWithDistanceLoss(distance_function=nn.CosineSimilarity(2), reduction="none"), "h0 c0 g0", {}),
    (nn.CosineEmbeddingLoss(0.2), "h c signs", {}), (nn.MarginRankingLoss(0.1, reduction="sum"), "h c h", {}),
    (nn.MultiLabelMarginLoss(), "step labels", {}), (nn.Dropout1d(0.5), "h", {}), (nn.Dropout1d(0.5, inplace=True), "h0", {}),
    # Without a batch dimension.
    (nn.Dropout3d(0.5), "image", {}), (nn.InstanceNorm1d(3), "q2", {}), (nn.InstanceNorm2d(2, affine=True), "q", {}),
    (nn.InstanceNorm3d(2, track_running_stats=True), "image", {}),
    (nn.GaussianNLLLoss(), "h c spread", {}), (nn.GaussianNLLLoss(full=True, eps=0.3, reduction="sum"), "h c spread1", {}),
    (nn.GaussianNLLLoss(reduction="none"), "h c", {"var": "spread2"}),
    (TE(8, 2, 16, batch_first=True), "q", {}), (TE(8, 2, 16, norm_first=True, bias=False), "q2", {}),
    (TE(8, 2, 16, 0.4, "gelu", batch_first=True), "q", {"src_mask": "later", "src_key_padding_mask": "lacks3"}),
    (TE(8, 2, 16, 0.4, nn.SiLU(), batch_first=True), "q later", {"is_causal": True}),
    (TE(8, 2, 16, activation=torch.tanh, layer_norm_eps=0.1), "q", {}),
    (TD(8, 2, 16, batch_first=True), "q k", {}), (TD(8, 2, 16, norm_first=True), "q2 k2", {}),
    (TD(8, 2, 16, 0.3, batch_first=True), "q k later bias", {"tgt_is_causal": True, "memory_key_padding_mask": "lacks"}),
    (nn.TransformerEncoder(TE(8, 2, 16, batch_first=True), 3, nn.LayerNorm(8), enable_nested_tensor=False), "q", {"src_key_padding_mask": "lacks3"}),
    (nn.TransformerEncoder(TE(8, 2, 16), 2, enable_nested_tensor=False), "q2", {"mask": "later", "is_causal": True}),
    (nn.TransformerDecoder(TD(8, 2, 16, batch_first=True), 2), "q k", {"memory_mask": "bias"}),
    (nn.Transformer(8, 2, 2, 1, 16, 0.2, batch_first=True), "k q", {"src_key_padding_mask": "lacks", "tgt_mask": "later", "tgt_is_causal": True}),
    (nn.MaxPool1d(3, 2, 1, return_indices=True), "sequence", {}), (nn.MaxPool2d((2, 3), ceil_mode=True, return_indices=True), "image", {}),
    (nn.MaxPool3d(2, dilation=2, stride=1, return_indices=True), "volume", {}), (nn.FractionalMaxPool2d(2, (4, 5)), "image", {}),
    (nn.MaxUnpool1d(3), "pooled1 at1", {}), (nn.MaxUnpool1d(2, 2, 1), "pooled1 at1", {"output_size": [5]}),
    (nn.MaxUnpool2d((2, 3), stride=(3, 2), padding=(0, 1)), "pooled2 at2", {}), (nn.MaxUnpool2d(2), "pooled2 at2 ", {"output_size": [2, 4, 9, 9]}),
    (nn.MaxUnpool3d((2, 1, 3)), "pooled3 at3", {}), (nn.MaxUnpool3d(2), "pooled3", {"indices": "at3", "output_size": [4, 7, 6]}),
    (nn.FractionalMaxPool2d((2, 3), output_ratio=(0.5, 0.7), return_indices=True), "image", {}),
    (nn.FractionalMaxPool2d(2, 3, _random_samples=torch.rand(2, 4, 2)), "image", {}),
    (nn.FractionalMaxPool3d((2, 1, 3), output_ratio=0.6), "volume", {}), (nn.FractionalMaxPool3d(2, 3, return_indices=True), "volume", {}),
    (nn.CTCLoss(blank=1, zero_infinity=True), "sequence said lengths said_lengths", {}),
    (nn.CTCLoss(reduction="none"), "sequence said lengths said_lengths", {}),
    (nn.CTCLoss(), "sequence said", {"input_lengths": (3, 3, 3, 2), "target_lengths": (2, 1, 2, 1)}),
    (nn.ConvTranspose1d(4, 2, 2, stride=3), "sequence1", {"output_size": [27]}),
    (nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1), "image", {"output_size": [18, 19]}),
    (nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1, dilation=2), "image", {"output_size": (2, 3, 20, 21)}),
    (nn.ConvTranspose3d(4, 2, 2, stride=(2, 1, 3)), "volume", {"output_size": [11, 7, 22]}),
    # Without a batch dimension
    (nn.LSTM(9, 5, 2), "alone", {}), (nn.LSTM(9, 5, bidirectional=True, proj_size=3, batch_first=True), "alone", {}),
    (nn.LSTM(9, 5, 2), "alone", {"hx": ("alone0", "alone0")}), (nn.GRU(9, 5, bidirectional=True), "alone alone0", {}),
    (nn.GRU(9, 4, batch_first=True), "alone", {}), (nn.RNN(9, 5, 2, nonlinearity="relu", batch_first=True), "alone alone0", {}),
    (nn.RNN(9, 5), "alone", {}),
]


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([layer for layer, _ in LAYERS])
        self.table = nn.Embedding(7, 3, padding_idx=2)
        self.pairs = nn.ModuleList(PAIRS)
        self.classifiers = nn.ModuleList(CLASSIFIERS)
        self.recurrent = nn.ModuleList(RECURRENT)
        self.called = nn.ModuleList([layer for layer, _, _ in CALLS])

    def forward(self, sequence, image, volume, indices, a, b, classes, tensors):
        inputs = {SEQUENCE: sequence, IMAGE: image, VOLUME: volume}
        results = [layer(inputs[sizes]) for layer, (_, sizes) in zip(self.layers, LAYERS)]
        results += [pair(a, b) for pair in self.pairs]
        results += [classifier(a, classes) for classifier in self.classifiers]
        results += [self.table(indices)]
        for layer in self.recurrent:
            output, state = layer(sequence)
            h, c = (state[0], state[1]) if isinstance(layer, nn.LSTM) else (state, output)
            results += [output + 1, h * 2, c]

        def argument(name):
            return tuple(map(argument, name)) if isinstance(name, tuple) else tensors.get(name, name) if isinstance(name, str) else name

        for layer, (_, args, kwargs) in zip(self.called, CALLS):
            results.append(layer(*map(argument, args.split()), **{key: argument(name) for key, name in kwargs.items()}))
        return results


def run(module, inputs):
    torch.manual_seed(3)
    return module(*inputs)


def same(a, b):
    if isinstance(a, torch.Tensor):
        return torch.equal(a, b)
    return a is b if a is None else len(a) == len(b) and all(map(same, a, b))


def check(training: bool, folder: Path) -> list[str]:
    torch.manual_seed(1)
    layers = Layers()
    tensors = {name: torch.fx.PH for name in TENSORS}
    module = torch.fx.symbolic_trace(layers, concrete_args={"tensors": tensors})
    module.graph.set_codegen(torch.fx.graph.CodeGen())
    module.recompile()
    with torch.no_grad():
        for tensor in [*module.parameters(), *module.buffers()]:
            if tensor.is_floating_point():
                tensor.uniform_(0.5, 1.5)
    module.train(training)
    inputs = [torch.randn(sizes) for sizes in (SEQUENCE, IMAGE, VOLUME)]
    inputs.append(torch.tensor([[1, 2], [6, 0]]))
    inputs += [torch.rand(5, 4), torch.rand(5, 4), torch.tensor([0, 3, 1, 1, 2])]
    inputs += TENSORS.values()
    for node, value in zip(module.graph.nodes, inputs):
        node.meta["val"] = value
    fx_export.dump(module, folder / "in.json")
    subprocess.run([FXCPP, "opt", folder / "in.json", "--passes", "inline_layers",
                    "-o", folder / "out.json"], check=True)
    state = {name: tensor.clone() for name, tensor in module.state_dict().items()}
    inlined = fx_export.load(folder / "out.json", state)
    calls = [n for n in inlined.graph.nodes if n.op == "call_module"]
    failures = [f"{n.target} is still called" for n in calls]
    expected = run(module, [tensor.clone() for tensor in inputs])
    got = run(inlined, inputs)
    names = [repr(layer) for layer in [*(x for x, _ in LAYERS), *PAIRS, *CLASSIFIERS]] + ["Embedding"]
    names += [repr(layer) for layer in RECURRENT for _ in range(3)]
    names += [f"{layer}({args}, {kwargs})" for layer, args, kwargs in CALLS]
    failures += [f"{name}: different results" for name, a, b in zip(names, expected, got, strict=True)
               if not same(a, b)]
    after = inlined.state_dict()
    failures += [f"{name}: differs after the run" for name, tensor in module.state_dict().items()
               if not torch.equal(tensor, after[name])]
    print(f"{'training' if training else 'evaluation'}: {len(names)} layers, {len(failures)} failures")
    return failures


def main() -> int:
    failures = []
    torch.backends.mha.set_fastpath_enabled(False)  # use the code that torch.export traces
    with tempfile.TemporaryDirectory() as folder:
        for training in (True, False):
            failures += check(training, Path(folder))
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
