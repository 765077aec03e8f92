"""FLOP formulas that tests add to torch.utils.flop_counter.FlopCounterMode."""

import torch
from torch.utils.flop_counter import sdpa_backward_flop_count, sdpa_flop_count

aten = torch.ops.aten

# fxcpp has these formulas, but FlopCounterMode, which was written for GPUs, does not. They use
# torch's functions where torch has them for the same arithmetic.
ADDITIONAL_FORMULAS = {
    aten._scaled_dot_product_flash_attention_for_cpu:
        lambda q, k, v, *_, **__: sdpa_flop_count(q, k, v),
    aten._scaled_dot_product_flash_attention_for_cpu_backward:
        lambda grad, q, k, v, *_, **__: sdpa_backward_flop_count(grad, q, k, v),
    aten.mv: lambda a, b, **_: 2 * a[0] * a[1],
    aten.addmv: lambda c, a, b, **_: 2 * a[0] * a[1],
    aten.dot: lambda a, b, **_: 2 * a[0],
    aten.mkldnn_rnn_layer: lambda x, w0, w1, *_, **__:
        2 * x[0] * x[1] * (w0[0] * w0[1] + w1[0] * w1[1]),
    aten.mkldnn_rnn_layer_backward: lambda x, w0, w1, *_, **__:
        2 * 2 * x[0] * x[1] * (w0[0] * w0[1] + w1[0] * w1[1]),
}
