"""Calls to libtorch's composite operators, for test_decompose.py."""

from __future__ import annotations

from collections.abc import Callable

import torch

BF16 = torch.bfloat16


def layers(add: Callable[..., None]) -> None:
    def channels_last(*sizes: int) -> torch.Tensor:
        return torch.randn(*sizes).to(memory_format=torch.channels_last)

    x1, x2, x3 = torch.randn(2, 4, 9), torch.randn(2, 4, 7, 6), torch.randn(2, 4, 5, 6, 5)
    w1, w2, w3 = torch.randn(6, 4, 3), torch.randn(6, 4, 3, 2), torch.randn(6, 4, 2, 3, 2)
    bias = torch.randn(6)
    add("conv1d", x1, w1, bias)
    add("conv1d", x1[0], w1, None, [2], [1])
    add("conv2d", x2, w2, bias, [2, 1], [1, 0], [1, 2])
    add("conv2d", channels_last(2, 4, 7, 6), w2)
    add("conv2d", x2[0], torch.randn(6, 2, 3, 3), bias, [1], [1], [1], 2)
    add("conv2d", x2.to(BF16), w2.to(BF16), stride=[2])
    add("conv3d", x3, w3, bias, [1], [1, 0, 1])
    for padding in ("valid", "same"):
        add("aten.conv1d.padding", x1, w1, bias, [1], padding)
        add("aten.conv2d.padding", x2, w2, bias, [1], padding, [2, 1])
        add("aten.conv2d.padding", x2, torch.randn(6, 4, 3, 5), None, [1], padding)
        add("aten.conv3d.padding", x3, w3, None, [1], padding)
    add("conv_transpose1d", x1, torch.randn(4, 3, 3), None, [2], [1], [1])
    add("aten.conv_transpose2d.input", x2, torch.randn(4, 3, 3, 2), torch.randn(3), [2, 1], [1], [1, 0])
    add("aten.conv_transpose2d.input", x2[0], torch.randn(4, 3, 3, 2), None, [1], [0], [0], 2, [1, 2])
    add("aten.conv_transpose3d.input", x3, torch.randn(4, 3, 2, 2, 2))

    for size in (1, 3):
        add("adaptive_avg_pool1d", x1, [size])
        add("adaptive_avg_pool2d", x2, [size, size])
        add("adaptive_avg_pool2d", channels_last(2, 4, 7, 6), [size, size])
        add("adaptive_avg_pool2d", x2[0], [size, size])
        add("adaptive_avg_pool3d", x3, [size, size, size])
    add("avg_pool1d", x1, [3], [2], [1], True, False)
    add("avg_pool1d", x1[0], [2])
    add("max_pool1d", x1, [3], [2], [1], 1, True)
    add("max_pool1d", x1[0], [2])
    add("max_pool2d", x2, [3, 2], [2, 1], [1, 0], [1, 2])
    add("max_pool2d", channels_last(2, 4, 7, 6), [2, 2])
    add("max_pool3d", x3, 2)

    add("fake_quantize_per_tensor_affine", x1, 0.1, 3, -8, 8)
    add("fake_quantize_per_channel_affine", x2, torch.tensor([0.1, 0.2, 0.3, 0.4]),
        torch.zeros(4, dtype=torch.int32), 1, -8, 8)
    add("layer_norm", x1, [9])
    add("layer_norm", x2, [7, 6], torch.randn(7, 6), torch.randn(7, 6), 1e-3)
    add("group_norm", x2, 2, torch.randn(4), torch.randn(4))
    add("group_norm", channels_last(2, 4, 7, 6), 4, None, None, 1e-3)
    add("group_norm", x2.transpose(2, 3), 2)
    add("group_norm", torch.randn(3, 4), 2)
    add("instance_norm", x2, torch.randn(4), torch.randn(4), None, None, True, 0.1, 1e-5, False)
    add("instance_norm", x1, None, None, torch.randn(4), torch.rand(4) + 0.5, False, 0.1, 1e-3, False)
    add("rms_norm", x1, [9])
    add("rms_norm", x2, [7, 6], torch.randn(7, 6), 1e-3)
    add("rms_norm", x1.double(), [9])
    add("rms_norm", x1.to(BF16), [9], torch.randn(9).to(BF16), 1e-6)
    add("dropout", x1, 0.5, False)
    add("dropout", x1, 0.0, True)
    add("dropout", x1, 1.0, True)
    for x in (x1, x1.transpose(1, 2), channels_last(2, 4, 7, 6), x3.permute(2, 0, 4, 1, 3)):
        add("dropout", x, 0.3, True)
    add("prelu", x1, torch.rand(4))
    add("prelu", x1, torch.rand(1))
    add("prelu", torch.randn(5), torch.rand(1))
    add("prelu", torch.randn(()), torch.rand(()))
    add("grid_sampler", x2, torch.rand(2, 3, 3, 2) * 2 - 1, 0, 0, False)
    add("grid_sampler", x3, torch.rand(2, 3, 3, 3, 3) * 2 - 1, 1, 1, True)

    for name, x in (("linear1d", x1), ("bilinear2d", x2), ("bicubic2d", x2), ("trilinear3d", x3)):
        dims = x.dim() - 2
        add(f"aten.upsample_{name}.vec", x, [8] * dims, False, None)
        add(f"aten.upsample_{name}.vec", x, None, True, [1.5] * dims)
        add(f"aten.upsample_{name}.vec", x, None, False, [0.7] * dims)
    for x in (x1, x2, x3):
        dims = x.dim() - 2
        add(f"aten.upsample_nearest{dims}d.vec", x, [8] * dims, None)
        add(f"aten.upsample_nearest{dims}d.vec", x, None, [2.3] * dims)

    x, h, c = torch.randn(3, 5), torch.randn(3, 4), torch.randn(3, 4)
    for gates, name in ((4, "lstm_cell"), (3, "gru_cell"), (1, "rnn_tanh_cell"), (1, "rnn_relu_cell")):
        weights = [torch.randn(gates * 4, 5), torch.randn(gates * 4, 4)]
        biases = [torch.randn(gates * 4), torch.randn(gates * 4)]
        state = [h, c] if name == "lstm_cell" else h
        add(name, x, state, *weights, *biases)
        add(name, x, state, *weights)

    for train in (False, True):
        for biases in (True, False):
            for mode, gates in (("lstm", 4), ("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)):
                recurrent(add, mode, gates, biases, train)
    recurrent(add, "lstm", 4, True, False, projected=2)


def recurrent(add: Callable[..., None], mode: str, gates: int, biases: bool, train: bool,
              projected: int = 0) -> None:
    """Adds two unidirectional layers, one bidirectional layer, and two bidirectional layers, with 4
    hidden units each."""
    for layers_, directions, batch_first in ((2, 1, True), (1, 2, False), (2, 2, False)):
        x = torch.randn(3, 6, 5).transpose(0, 1) if batch_first else torch.randn(3, 6, 5)
        out, weights = projected or 4, []
        for layer in range(layers_):
            for _ in range(directions):
                features = 5 if layer == 0 else out * directions
                weights += [torch.randn(gates * 4, features) * 0.5, torch.randn(gates * 4, out) * 0.5]
                weights += [torch.randn(gates * 4), torch.randn(gates * 4)] if biases else []
                weights += [torch.randn(projected, 4)] if projected else []
        batch = x.shape[0 if batch_first else 1]
        h = torch.randn(layers_ * directions, batch, out)
        state = [h, torch.randn(layers_ * directions, batch, 4)] if mode == "lstm" else h
        add(f"aten.{mode}.input", x, state, weights, biases, layers_, 0.0, train, directions == 2,
            batch_first)


def names(add: Callable[..., None]) -> None:
    unit = torch.rand(3, 4) * 1.8 - 0.9
    for name in ("absolute", "arccos", "arcsin", "arctan", "arctanh", "arcsinh", "negative", "fix",
                 "special_erf", "special_erfc", "special_erfinv", "special_exp2", "special_expit",
                 "special_expm1", "special_i0", "special_log1p", "special_sinc", "log_sigmoid"):
        add(name, unit)
        add(name, unit.double().t())
    add("log_sigmoid", torch.randn(5) * 10)
    positive = unit.abs() + 1.1
    for name in ("arccosh", "special_digamma", "special_psi", "special_gammaln"):
        add(name, positive)
    add("arctan2", unit, positive)
    add("special_logit", unit.abs(), 0.1)
    add("special_round", unit, decimals=1)
    for name in ("aten.softmax.int", "aten.log_softmax.int"):
        add(name, unit, 1)
        add(name, unit.t(), -1, torch.float64)
        add(name, torch.arange(4), 0, torch.float32)
    add("special_softmax", unit, 1)
    add("special_softmax", unit, 0, torch.float64)
    add("special_log_softmax", unit, 1, dtype=torch.float64)
    add("special_logsumexp", unit, [1], True)
    add("special_xlogy", unit.abs(), positive)
    add("clip", unit, -0.5, 0.5)
    add("aten.clip.Tensor", unit, unit * 0.5 - 0.2, unit * 0.5 + 0.2)
    for name in ("divide", "multiply", "subtract"):
        add(f"aten.{name}.Tensor", unit, positive)
        add(f"aten.{name}.Scalar", unit, 3)
    add("aten.divide.Tensor_mode", unit, positive, rounding_mode="floor")
    add("aten.true_divide.Scalar", torch.arange(4), 3)
    add("aten.subtract.Tensor", unit, positive, alpha=2)
    for name in ("aten.max.other", "aten.min.other"):
        add(name, unit, positive - 1)
    for name in ("swapaxes", "swapdims"):
        add(name, torch.randn(2, 3, 4), 0, -1)
    for name in ("aten.moveaxis", "aten.movedim"):
        add(f"{name}.int", torch.randn(2, 3, 4), 0, -1)
        add(f"{name}.intlist", torch.randn(2, 3, 4, 5), [0, 2], [-1, 1])
    add("linalg_matmul", torch.randn(2, 3), torch.randn(3, 2))
    for name in ("std", "var"):
        for unbiased in (True, False):
            add(name, unit, unbiased)


def tensors(add: Callable[..., None]) -> None:
    a, b = torch.randn(2, 3), torch.randn(2, 3)
    for name in ("concat", "concatenate"):
        add(name, [a, b], 1)
    for parts in ([torch.randn(3), torch.randn(3)], [a, b], [torch.randn(2, 2, 2), torch.randn(2, 2, 2)],
                  [torch.randn(()), torch.randn(())]):
        for name in ("hstack", "vstack", "dstack", "row_stack"):
            add(name, parts)
    for x in (torch.randn(()), torch.randn(3), a, torch.randn(2, 2, 2)):
        for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
            add(name, x)
    add("tile", a, [2])
    add("tile", a, [2, 1, 3])
    for times, dim in ((3, None), (2, 0), (1, -1), (0, 1)):
        add("aten.repeat_interleave.self_int", a, times, dim)
    add("aten.repeat_interleave.self_int", torch.randn(()), 4)
    add("aten.repeat_interleave.self_int", a.t(), 2, 1)
    add("type_as", a, torch.arange(2))
    add("type_as", a, b)
    x = torch.randn(2, 3, 5, 6)
    add("pad", x, [1, 2, 0, 1])
    add("pad", x, [1, -2], "constant", 1.5)
    for mode in ("reflect", "replicate"):
        add("pad", x, [1, 2, 2, 1], mode)
        add("pad", x[0], [1, 2], mode)
        add("pad", torch.randn(2, 3, 4, 5, 6), [1, 2, 2, 1, 1, 1], mode)
    add("kron", a, torch.randn(4, 2))
    add("kron", torch.randn(3), a)
    einsum(add)
    table = torch.randn(6, 4)
    indices, offsets = torch.tensor([1, 0, 5, 1, 2, 2]), torch.tensor([0, 2, 2, 5])
    for bag_mode in (0, 1, 2):
        add("embedding_bag", table, indices, offsets, False, bag_mode)
        add("embedding_bag", table, indices, offsets, False, bag_mode, False, None, True)
        for padding in (None, 1, -1):
            add("aten.embedding_bag.padding_idx", table, indices, offsets, False, bag_mode, False, None, False,
                padding)
    add("embedding_bag", table, indices, offsets, False, 0, False, torch.randn(6))
    square = torch.randn(2, 3, 3)
    for name in ("det", "linalg_det", "inverse", "linalg_inv"):
        add(name, square)
        add(name, square[0])
    add("linalg_cholesky", square @ square.mT + torch.eye(3))
    add("linalg_cholesky", (square @ square.mT + torch.eye(3))[0], upper=True)
    add("linalg_solve", square, torch.randn(2, 3, 4))
    add("linalg_solve", square, torch.randn(2, 3))
    add("linalg_solve", square, torch.randn(2, 4, 3), left=False)
    add("cross", torch.randn(2, 3, 4), torch.randn(2, 3, 4))
    add("cross", torch.randn(4, 3), torch.randn(4, 3), 1)
    add("cdist", torch.randn(2, 4, 3), torch.randn(2, 5, 3), 2.0, None)
    add("cdist", torch.randn(4, 3), torch.randn(5, 3), 1.0, 2)
    add("pairwise_distance", a, b)
    add("pairwise_distance", a, b, 1.0, 1e-3, True)
    for norm in (None, "ortho", "forward"):
        real, values = torch.randn(2, 6), torch.randn(2, 5, dtype=torch.complex64)
        for name in ("fft_fft", "fft_ifft"):
            add(name, values, None, -1, norm)
            add(name, real, None, 0, norm)
            add(name, values, 7, 1, norm)
            add(name, values, 3, 1, norm)
        add("fft_rfft", real, None, -1, norm)
        add("fft_rfft", torch.arange(6), 4, -1, norm)
        add("fft_irfft", values, None, -1, norm)
        add("fft_irfft", values, 7, 0, norm)


def einsum(add: Callable[..., None]) -> None:
    a, b, c = torch.randn(2, 3), torch.randn(3, 4), torch.randn(4, 5)
    batch = torch.randn(2, 3, 3)
    for equation, tensors_ in (
        ("ij,jk->ik", [a, b]), ("ij,jk->ki", [a, b]), ("ij,kj", [a, torch.randn(4, 3)]),
        ("ij,jk,kl->il", [a, b, c]), ("ij,jk,kl,lm->mi", [a, b, c, torch.randn(5, 2)]),
        ("ij->ji", [a]), ("ij->", [a]), ("ij->j", [a.t()]), ("ii->i", [batch[0]]), ("ii", [batch[0]]),
        ("bii,bi->b", [batch, a]), ("biij->bij", [torch.randn(2, 3, 3, 4)]), ("iii->i", [torch.randn(3, 3, 3)]),
        ("i,j->ij", [a[0], b[0]]), ("i,j->ji", [a[0], b[0]]), ("i,i->", [a[0], torch.randn(3)]),
        ("ij,ij->i", [a, a]), ("ij,k->i", [a, b[0]]), ("ij,j,k->ik", [a, a[0], b[0]]),
        ("...ij,...jk->...ik", [torch.randn(2, 3, 4), torch.randn(4, 5)]),
        ("...ij,jk->k...", [torch.randn(2, 2, 3, 4), torch.randn(4, 5)]),
        ("b...,...->b...", [torch.randn(2, 3, 4), torch.randn(4)]),
        ("bhqd,bhkd->bhqk", [torch.randn(2, 3, 4, 5), torch.randn(2, 3, 6, 5)]),
        ("bnhd,bmhd->bhnm", [torch.randn(2, 4, 3, 5), torch.randn(2, 6, 3, 5)]),
        ("aB,Bc->ca", [a, b]), (" i j , j k -> i k ", [a, b]), ("ij,jk->ik", [torch.randn(2, 1), torch.randn(3, 4)]),
        ("ij,jk->ik", [torch.randn(0, 3), b]), ("ij,jk->ik", [torch.randn(2, 0), torch.randn(0, 4)]),
        ("ij,jk->ik", [torch.arange(6).view(2, 3), torch.arange(12).view(3, 4)]),
    ):
        add("einsum", equation, tensors_)
    for path in ([0, 1, 0, 1], [1, 2, 0, 1], [2, 0, 1, 0]):
        add("einsum", "ij,jk,kl->il", [a, b, c], path=path)
    add("einsum", "ij->ji", [a], path=[0])


def losses(add: Callable[..., None]) -> None:
    weight = torch.rand(4)
    for sizes in ((5, 4), (4,), (2, 4, 3), (2, 4, 3, 2), (2, 4, 3, 2, 2)):
        x = torch.randn(sizes)
        target = torch.randint(0, 4, (*sizes[:-1][:1], *sizes[2:]) if len(sizes) > 1 else ())
        for reduction in (0, 1, 2):
            add("cross_entropy_loss", x, target, None, reduction)
            add("cross_entropy_loss", x, torch.rand(sizes), None, reduction)
            add("nll_loss_nd", x, target, weight, reduction, 1)
    add("cross_entropy_loss", torch.randn(5, 4), torch.randint(0, 4, (5,)), weight, 1, 2)
    add("cross_entropy_loss", torch.randn(5, 4), torch.rand(5, 4), None, 1, -100, 0.1)
    add("nll_loss", torch.randn(5, 4), torch.randint(0, 4, (5,)), weight)
    add("nll_loss2d", torch.randn(2, 4, 3, 2), torch.randint(0, 4, (2, 3, 2)), None, 0)
    for log_target in (False, True):
        for reduction in (0, 1, 2):
            add("kl_div", torch.randn(3, 4), torch.rand(3, 4), reduction, log_target=log_target)


def composites(add: Callable[..., None]) -> None:
    for family in (layers, names, tensors, losses):
        family(add)


# Operators for which only the first results are compared, and the number of these results: without gradients,
# libtorch returns different values for the other results, which only backward passes use.
FIRST_RESULTS = {"aten::embedding_bag": 1, "aten::_embedding_bag": 1, "aten::_embedding_bag_forward_only": 1,
                 "aten::mkldnn_rnn_layer": 3}
