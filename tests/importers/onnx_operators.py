#!/usr/bin/env python3
"""Compares the results of ATen operators in libtorch with those of their ONNX form in onnxruntime.

    tests/importers/onnx_operators.py [--only PATTERN] [--opset N ...] [--keep FOLDER]
                                      [--dtype float16|bfloat16] [--split]

Each string in CASES is a call on the inputs below. The calls of a group form one graph, which runs
in libtorch (`fxcpp run --dump`) and, after `fxcpp emit --to onnx`, in onnxruntime. Results must be
within 1e-5 + 1e-4 * |element| of each other, with NaNs at the same positions. REJECTED contains calls that ONNX cannot
express; the message must name each call.

Runs in the environment of scripts/setup --onnx ($FXCPP_ONNX, or .venv-onnx). Exit status: 0 on
success, 1 on failure, 77 without onnx or libtorch.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import onnx_models as tools  # noqa: E402  # restarts this script with the Python that has onnx

import numpy
import onnx
import onnxruntime

NAN, INF = float("nan"), float("inf")
RNG = numpy.random.default_rng(7)


def reals(*shape: int) -> numpy.ndarray:
    return RNG.standard_normal(shape).astype(numpy.float32)


SPECIAL = numpy.array([1.5, NAN, -0.5, INF, -INF, 0.0, -2.5, 2.5, 3.5, -7.0, 7.0, 0.25], numpy.float32)
INPUTS: dict[str, numpy.ndarray] = {
    "a": reals(2, 3, 4),
    "b": reals(2, 3, 4),
    "p": numpy.abs(reals(2, 3, 4)) + numpy.float32(0.1),  # positive
    "u": numpy.tanh(reals(2, 3, 4)) * numpy.float32(0.9),  # in (-1, 1)
    "n": SPECIAL.reshape(3, 4),  # with NaN and infinities
    "m": SPECIAL[::-1].reshape(3, 4).copy(),
    "d": reals(3, 4).astype(numpy.float64),
    "row": reals(4),
    "col": reals(3, 1),
    "s": numpy.array(0.75, numpy.float32),
    "i": numpy.array([[-7, 7, -1, 0], [5, -5, 3, 9], [2, 8, -8, 1]], numpy.int64),
    "j": numpy.array([[2, -2, 3, -3], [4, 3, -7, 2], [5, -3, 3, 1]], numpy.int64),
    "i32": numpy.array([[-7, 7, -1, 0], [5, -5, 3, 9], [2, 8, -8, 1]], numpy.int32),
    "u8": numpy.array([[250, 7, 1, 0], [5, 99, 3, 9], [2, 8, 128, 1]], numpy.uint8),
    "k": numpy.array([[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 0, 1]], numpy.bool_),
    "l": numpy.array([[1, 1, 0, 1], [0, 1, 0, 1], [1, 1, 1, 1]], numpy.bool_),
    "x4": reals(2, 4, 9, 7),
    "w4": reals(6, 4, 3, 2),
    "g4": reals(6, 2, 3, 3),
    "t4": reals(4, 5, 3, 2),
    "bias": reals(6),
    "bias5": reals(5),
    "x3": reals(2, 4, 11),
    "w3": reals(6, 4, 3),
    "x5": reals(1, 2, 5, 6, 7),
    "w5": reals(3, 2, 2, 3, 2),
    "c4": reals(4),
    "cp": numpy.abs(reals(4)) + numpy.float32(0.2),
    "m34": reals(3, 4),
    "m45": reals(4, 5),
    "v4": reals(4),
    "b34": reals(2, 3, 4),
    "b45": reals(2, 4, 5),
    "bb": reals(2, 3, 5),
    "w54": reals(5, 4),
    "im": numpy.arange(12).reshape(3, 4),
    "ix": numpy.array([2, 0, 2, 1], numpy.int64),
    "neg": numpy.array([-1, 0, -3], numpy.int64),
    "ga": numpy.array([[0, 1, 2, 0], [2, 2, 1, 0]], numpy.int64),
    "iy": numpy.array([[1, 2], [0, 2]], numpy.int64),
    "table": reals(7, 5),
    "ids": numpy.array([[1, 6, 0], [3, 3, 2]], numpy.int64),
    "e": numpy.zeros((2, 0, 3), numpy.float32),
    "sq": reals(4, 5, 5),
    "grad": reals(2, 6, 4, 6),
    "gg": reals(2, 6, 7, 5),
    "flat": reals(24),
    "img": reals(1, 2, 5, 7),
    "ladder": numpy.array([-1.0, 0.0, 0.5, 2.0], numpy.float32),
    "seq": reals(5, 2, 4),
    "h2": reals(2, 2, 3),
    "c2": reals(2, 2, 3),
    **{f"l{i}": t for i, t in enumerate([reals(12, 4), reals(12, 3), reals(12), reals(12)] * 2)},
    **{f"r{i}": t for i, t in enumerate([reals(9, 4), reals(9, 3), reals(9), reals(9)] * 2)},
    "cell_x": reals(2, 4),
    "cell_h": reals(2, 3),
    "cell_c": reals(2, 3),
    # Pairs of signed zeros, infinities and large numbers.
    "zs": numpy.array([0.0, -0.0, -0.0, 0.0, INF, -INF, INF, 1.0, -1.0, -0.0, NAN, 3e38, 1e-30, 0.0], numpy.float32),
    "zt": numpy.array([-0.0, 0.0, -0.0, 0.0, INF, -INF, -INF, -0.0, 0.0, -2.0, 1.0, 3e38, 1e-30, INF], numpy.float32),
    "big": numpy.array([2**62, -(2**63), 2**63 - 1, -(2**63), 2**61 + 1, -1, 0], numpy.int64),
    "bigd": numpy.array([-3, 3, -2, 2**40, -7, 2**62, -5], numpy.int64),
    "expo": numpy.array([0, 1, 5, 64, 101, 2, 63, 64, 65, 2**62 + 3, -1, -3], numpy.int64),
    "powed": numpy.array([3, -7, 13, -1, -1, 2**40, 2, 3, -7, 5, 3, -1], numpy.int64),
    "i16": numpy.array([[-7, 300, -1, 0], [5, -32768, 32767, 9]], numpy.int16),
    "q4": reals(1, 2, 3, 4),
    "masked": numpy.array([[0.0, -INF, 1.0], [-INF, -INF, -INF], [0.5, 0.0, -INF]], numpy.float32),
}

UNARY = """exp(a) log(p) sqrt(p) rsqrt(p) sin(a) cos(a) tan(a) asin(u) acos(u) atan(a) sinh(a) cosh(a) asinh(a)
acosh(p2) atanh(u) tanh(a) sigmoid(a) erf(a) erfc(a) reciprocal(p) expm1(u) expm1(n) log1p(u) log1p(p) log2(p)
log10(p) exp2(a) floor(n) ceil(n) round(n) trunc(n) abs(n) neg(n) sign(n) floor(i) abs(i) neg(i) neg(u8) sign(i)
isnan(n) isinf(n) isfinite(n) isnan(i) isfinite(i) logical_not(n) logical_not(k) logical_not(i) bitwise_not(i)
bitwise_not(k) relu(n) relu(a) hardsigmoid(n) hardswish(n) exp(i) sqrt(i2) sigmoid(i) sin(d) silu(a) square(a) mish(a)
softplus(a) selu_(a) frac(a) exp(k)""".split()

CASES: dict[str, list[str]] = {
    "unary": [f"aten.{c.split('(')[0]}.default(%{c.split('(')[1][:-1]})" for c in UNARY
              if "p2" not in c and "i2" not in c and "selu_" not in c]
    + [
        "aten.gelu.default(%a)", "aten.gelu.default(%a, approximate='tanh')", "aten.leaky_relu.default(%n, 0.2)",
        "aten.elu.default(%a)", "aten.elu.default(%a, 1.5, 1.1, 0.7)", "aten.clamp.default(%n, -1, 2.0)",
        "aten.clamp.default(%n, min=0)", "aten.clamp.default(%i, -2, 3)", "aten.clamp.default(%i, 0.5)",
        "aten.clamp.Tensor(%n, %row, %m)", "aten.clamp_min.default(%n, 0.5)", "aten.clamp_max.default(%n, 0.5)",
        "aten.hardtanh.default(%n, -1.0, 1.0)", "aten.round.decimals(%a, decimals=2)",
        "aten._softmax.default(%a, 1, False)", "aten.softmax.int(%a, -1)", "aten._log_softmax.default(%a, 0, False)",
        "aten.prelu.default(%x4, %c4)", "aten._prelu_kernel.default(%a, %row)", "aten.glu.default(%a, -1)",
        "aten.threshold.default(%a, 0.1, 2.0)", "aten.nan_to_num.default(%n)", "aten.log_sigmoid_forward.default(%a)",
    ],
    "binary": [
        "aten.add.Tensor(%a, %b)", "aten.add.Tensor(%a, %row)", "aten.add.Tensor(%m34, %i)", "aten.add.Tensor(%a, 2)",
        "aten.add.Tensor(%i, 2.5)", "aten.add.Tensor(%a, %b, alpha=-0.5)", "aten.add.Tensor(%k, %l)",
        "aten.add.Tensor(%k, %i)", "aten.add.Tensor(%i32, %i)", "aten.add.Tensor(%u8, %i32)", "aten.sub.Tensor(%a, %s)",
        "aten.sub.Tensor(%i, %j, alpha=3)", "aten.rsub.Scalar(%a, 1)", "aten.mul.Tensor(%k, %l)", "aten.mul.Tensor(%k, %a2)",
        "aten.mul.Tensor(%i, 0.5)", "aten.div.Tensor(%i, %j)", "aten.div.Tensor(%n, %m)", "aten.div.Tensor(%i, 2)",
        "aten.div.Tensor_mode(%i, %j, rounding_mode='floor')", "aten.div.Tensor_mode(%i, %j, rounding_mode='trunc')",
        "aten.div.Tensor_mode(%m34, %m34b, rounding_mode='floor')", "aten.div.Tensor_mode(%n, 0.3, rounding_mode='trunc')",
        "aten.div.Tensor_mode(%n, 0.3, rounding_mode='floor')", "aten.div.Scalar_mode(%i, -3, rounding_mode='floor')",
        "aten.floor_divide.default(%i, %j)", "aten.floor_divide.default(%m34, 0.3)", "aten.floor_divide.Scalar(%i, 2)",
        "aten.remainder.Tensor(%i, %j)", "aten.remainder.Tensor(%m34, %m34b)", "aten.remainder.Scalar(%n, 1.5)",
        "aten.remainder.Scalar(%i, -3)", "aten.fmod.Tensor(%i, %j)", "aten.fmod.Scalar(%n, 1.5)", "aten.fmod.Scalar(%n, -1.5)",
        "aten.pow.Tensor_Scalar(%a, 2)", "aten.pow.Tensor_Scalar(%a, 3)", "aten.pow.Tensor_Scalar(%p, 0.5)",
        "aten.pow.Tensor_Scalar(%p, -1.5)", "aten.pow.Tensor_Scalar(%i, 2)", "aten.pow.Tensor_Scalar(%i, 0.0)",
        "aten.pow.Tensor_Tensor(%p, %a)", "aten.pow.Scalar(2, %a)", "aten.maximum.default(%n, %m)",
        "aten.minimum.default(%n, %m)", "aten.maximum.default(%i, %j)", "aten.maximum.default(%k, %l)",
        "aten.fmax.default(%n, %m)", "aten.fmin.default(%n, %m)", "aten.atan2.default(%m34, %m34b)",
        "aten.hypot.default(%m34, %m34b)", "aten.eq.Tensor(%n, %m)", "aten.eq.Scalar(%i, 3)", "aten.ne.Tensor(%n, %n)",
        "aten.ne.Scalar(%k, True)", "aten.lt.Tensor(%n, %m)", "aten.lt.Scalar(%i, 2.5)", "aten.le.Tensor(%i, %m34)",
        "aten.gt.Tensor(%k, %l)", "aten.gt.Scalar(%i, 0.5)", "aten.ge.Scalar(%n, 0)", "aten.ge.Tensor(%u8, %i32)",
        "aten.logical_and.default(%n, %i)", "aten.logical_or.default(%k, %n)", "aten.logical_xor.default(%k, %i)",
        "aten.where.self(%k, %n, %m)", "aten.where.self(%k, %i, %m34)", "aten.masked_fill.Scalar(%n, %k, -3)",
        "aten.masked_fill.Scalar(%i, %k, 4)", "aten.lerp.Scalar(%a, %b, 0.3)", "aten.addcmul.default(%a, %b, %p, value=0.5)",
        "aten.addcdiv.default(%a, %b, %p, value=2)", "aten.bitwise_and.Tensor(%k, %l)",
        "aten.fake_quantize_per_tensor_affine.default(%a, 0.1, 3, -128, 127)", "aten.logaddexp.default(%a, %b)",
    ],
    "extremes": [
        "aten.atan2.default(%zs, %zt)", "aten.hypot.default(%zs, %zt)", "aten.floor_divide.default(%big, %bigd)",
        "aten.div.Tensor_mode(%big, %bigd, rounding_mode='floor')", "aten.div.Tensor_mode(%big, %bigd, rounding_mode='trunc')",
        "aten.remainder.Tensor(%big, %bigd)", "aten.fmod.Tensor(%big, %bigd)", "aten.pow.Tensor_Scalar(%powed, 23)",
        "aten.pow.Tensor_Tensor(%powed, %expo)", "aten.pow.Tensor_Tensor(%expo, %powed)",
        "aten.pow.Tensor_Scalar(%p, -0.5)", "aten.maximum.default(%i16, %i16)", "aten.amax.default(%i16, [1])",
        "aten.amin.default(%i16)", "aten.where.self(%k, %l, %k)", "aten.floor_divide.default(%zs, %zt)",
        "aten.remainder.Tensor(%zs, %zt)", "aten.fmod.Tensor(%zs, %zt)",
        "aten._scaled_dot_product_flash_attention_for_cpu.default(%q4, %q4, %q4, attn_mask=%masked)",
    ],
    "corners": [  # integers that overflow, signed zeros, infinities, small integers
        "aten.floor_divide.default(%most32, %three32)", "aten.floor_divide.default(%most, %some)",
        "aten.pow.Tensor_Tensor(%base, %grown)", "aten.pow.Tensor_Tensor(%units, %nexpo)", "aten.pow.Scalar(3, %expo40)",
        "aten.pow.Tensor_Scalar(%base, 39)", "aten.pow.Tensor_Scalar(%zeros, -0.5)", "aten.atan2.default(%zeros, %zeros2)",
        "aten.hypot.default(%zeros, %zeros2)", "aten.hypot.default(%huge, %huge)", "aten.floor_divide.default(%zeros, %zeros2)",
        "aten.div.Tensor_mode(%zeros, %zeros2, rounding_mode='floor')", "aten.remainder.Tensor(%zeros, %zeros2)",
        "aten.amin.default(%shorts)", "aten.amax.default(%shorts, [1])", "aten.tril.default(%k)", "aten.triu.default(%k, 1)",
        "aten._scaled_dot_product_flash_attention_for_cpu.default(%q, %q, %q, 0.0, False, attn_mask=%mask)",
    ],
    "bitwise": [
        "aten.bitwise_and.Tensor(%i, %j)", "aten.bitwise_or.Scalar(%i, 6)", "aten.bitwise_xor.Tensor(%i, %j)",
        "aten.__lshift__.Scalar(%i, 3)", "aten.__rshift__.Scalar(%i, 1)", "aten.bitwise_or.Tensor(%u8, %u8)",
    ],
    "views": [
        "aten.view.default(%a, [6, 4])", "aten.view.default(%a, [-1])", "aten.view.default(%s, [1, 1])",
        "aten.permute.default(%a, [2, 0, -2])", "aten.transpose.int(%a, 0, -1)", "aten.t.default(%m34)", "aten.t.default(%row)",
        "aten.expand.default(%col, [2, -1, 4])", "aten.squeeze.default(%col)", "aten.squeeze.dim(%col, 1)",
        "aten.squeeze.dim(%col, 0)", "aten.unsqueeze.default(%a, -1)", "aten.select.int(%a, 1, -1)",
        "aten.slice.Tensor(%a, 2, 1, 3)", "aten.slice.Tensor(%a, 2, -3, 9223372036854775807, 2)",
        "aten.slice.Tensor(%a, 1, 5, 2)", "aten.flip.default(%a, [0, -1])", "aten.cat.default([%a, %b], 1)",
        "aten.cat.default([%i, %m34])", "aten.stack.default([%a, %b], -1)", "aten.repeat.default(%m34, [2, 1, 3])",
        "aten.tile.default(%a, [2])", "aten.constant_pad_nd.default(%a, [1, 2, -1, 1], 0.5)",
        "aten.constant_pad_nd.default(%i, [1, 0])", "aten.reflection_pad1d.default(%x3, [2, 3])",
        "aten.replication_pad2d.default(%x4, [2, 1, 3, 2])", "aten.pad.default(%x3, [1, 2], 'circular')",
        "aten.roll.default(%a, [1, -2], [0, 2])", "aten.diagonal.default(%sq, 1, 1, 2)", "aten.diagonal.default(%a, -1, 2, 0)",
        "aten.unfold.default(%a, 2, 2, 1)", "aten.as_strided.default(%flat, [3, 4], [2, 3], 1)",
        "aten.select_scatter.default(%a, %m34, 0, 1)", "aten.slice_scatter.default(%a, %b, 2, 0, 9223372036854775807)",
        "aten.slice_scatter.default(%m34, %col, 1, 2, 3)", "aten.tril.default(%sq, -1)", "aten.triu.default(%sq, 1)",
        "aten.clone.default(%a)", "aten._to_copy.default(%n, dtype=torch.float64)", "aten._to_copy.default(%a, dtype=torch.int32)",
        "aten._to_copy.default(%n, dtype=torch.bool)", "aten.movedim.int(%a, 0, 2)", "aten.pixel_shuffle.default(%x4, 2)",
        "aten.diagonal_scatter.default(%m34, %ladder3, 0, 0, 1)", "aten.unflatten.int(%a, 2, [2, 2])",
    ],
    "factories": [
        "aten.full.default([2, 3], 1.5)", "aten.zeros.default([2], dtype=torch.int64)", "aten.ones_like.default(%k)",
        "aten.full_like.default(%i, 3)", "aten.arange.default(5)", "aten.arange.start_step(1, 6, 2)",
        "aten.arange.start_step(0.5, 2.0, 0.3)", "aten.linspace.default(0, 1, 7)", "aten.eye.default(3)",
        "aten.scalar_tensor.default(2.5)", "aten.new_zeros.default(%a, [3])", "aten.eye.m(2, 4)",
    ],
    "reductions": [
        "aten.sum.default(%a)", "aten.sum.default(%i32)", "aten.sum.default(%k)", "aten.sum.dim_IntList(%a, [0, -1], True)",
        "aten.sum.dim_IntList(%a, [1])", "aten.sum.dim_IntList(%e, [1])", "aten.sum.default(%e)", "aten.mean.default(%a)",
        "aten.mean.dim(%a, [2], True)", "aten.mean.dim(%e, [1])", "aten.prod.default(%a)", "aten.prod.dim_int(%i, 1)",
        "aten.prod.dim_int(%e, 1)", "aten.amax.default(%a, [1])", "aten.amax.default(%n, [1], True)", "aten.amin.default(%n)",
        "aten.amin.default(%n, [0])", "aten.max.default(%n)", "aten.min.default(%i)", "aten.any.default(%k)", "aten.any.dim(%k, 1)",
        "aten.all.dim(%k, 0, True)", "aten.all.default(%n)", "aten.any.dim(%e, 1)", "aten.all.dim(%e, 1)",
        "aten.var.correction(%a, [1], correction=1)", "aten.var.correction(%a, [0, 2], correction=0, keepdim=True)",
        "aten.std.correction(%a, [2])", "aten.var.correction(%a, [0], correction=2)", "aten.linalg_vector_norm.default(%a, 2, [1])",
        "aten.linalg_vector_norm.default(%a, inf, [1])", "aten.linalg_vector_norm.default(%a, 1)",
        "aten.linalg_vector_norm.default(%a, 3.0, [0], True)", "aten.linalg_vector_norm.default(%a, 0, [2])",
        "aten.logsumexp.default(%a, [1])", "aten.logsumexp.default(%n, [0])", "aten.cumsum.default(%a, 1)",
        "aten.cumsum.default(%i32, -1)", "aten.cumprod.default(%a, 2)", "aten.count_nonzero.dim_IntList(%i, [1])",
        "aten.sum.default(%s)", "aten.mean.dim(%s, [])", "aten.amax.default(%s, [-1])",
    ],
    "order": [
        "aten.argmax.default(%a, 1)", "aten.argmax.default(%n, 1)", "aten.argmax.default(%n)", "aten.argmin.default(%n, 0, True)",
        "aten.argmin.default(%i, 1)", "aten.argmax.default(%i32)", "aten.bucketize.Tensor(%n, %ladder)",
        "aten.bucketize.Tensor(%n, %ladder, right=True)", "aten.argsort.default(%a, -1, True)",
        "aten.max.dim(%n, 1)", "aten.min.dim(%a, 0, True)", "aten.max.dim(%i32, 1)", "aten.sort.default(%a, 1, True)",
        "aten.sort.default(%i, 1)", "aten.topk.default(%a, 2, -1)", "aten.topk.default(%a, 2, 1, False, True)",
        "aten.median.dim(%a, 2)", "aten.median.dim(%n, 1, True)",
    ],
    "matmuls": [
        "aten.mm.default(%m34, %m45)", "aten.bmm.default(%b34, %b45)", "aten.matmul.default(%a, %m45)", "aten.mv.default(%m34, %v4)",
        "aten.dot.default(%v4, %row)", "aten.addmm.default(%bias5, %m34, %m45, beta=0.5, alpha=2)",
        "aten.addmm.default(%bias5, %m34, %m45)", "aten.addmm.default(%nan5, %m34, %m45, beta=0)",
        "aten.baddbmm.default(%bb, %b34, %b45, beta=2, alpha=0.5)", "aten.linear.default(%m34, %w54, %bias5)",
        "aten.linear.default(%a, %w54)", "aten.linear.default(%v4, %w54, %bias5)", "aten.outer.default(%v4, %bias5)",
        "aten.kron.default(%m34, %m45)", "aten.einsum.default('bij,bjk->bik', [%b34, %b45])", "aten.mm.default(%i, %it)",
        "aten.linalg_cross.default(%x33, %y33, dim=1)", "aten.scaled_dot_product_attention.default(%q, %q, %q, is_causal=True)",
    ],
    "convolutions": [
        "aten.convolution.default(%x4, %w4, %bias, [2, 1], [1, 0], [1, 2], False, [0, 0], 1)",
        "aten.conv2d.default(%x4, %g4, %bias, [1], [1], [1], 2)", "aten.conv2d.padding(%x4, %w4, %bias, [1, 1], 'same')",
        "aten.conv1d.default(%x3, %w3, None, [2], [1])", "aten.conv3d.default(%x5, %w5)",
        "aten.conv_transpose2d.input(%x4, %t4, %bias5, [2, 3], [1, 0], [1, 1], 1, [1, 2])",
        "aten.conv2d.default(%x43, %w4)",
    ],
    "convolution gradients": [
        "aten.convolution_backward.default(%grad, %x49, %w4, [6], [2, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True])",
        "aten.convolution_backward.default(%gg, %x97, %g4, [6], [1, 1], [0, 0], [1, 1], False, [0, 0], 2, [True, True, False])",
        "aten.convolution_backward.default(%gt, %x4, %t4, [5], [2, 1], [1, 0], [1, 1], True, [1, 0], 1, [True, True, True])",
    ],
    "pools": [
        "aten.max_pool2d.default(%x4, [3, 2], [2, 1], [1, 0])", "aten.max_pool2d.default(%x4, [3], [2], [1], [1], True)",
        "aten.max_pool2d_with_indices.default(%x4, [3, 3], [2, 2], [1, 1])", "aten.max_pool3d_with_indices.default(%x5, [2])",
        "aten.max_pool1d.default(%x3, [3], [2], [0], [2])", "aten.avg_pool2d.default(%x4, [3, 2], [2, 1], [1, 0])",
        "aten.avg_pool2d.default(%x4, [3], [2], [1], True)", "aten.avg_pool2d.default(%x4, [3], [2], [1], True, False)",
        "aten.avg_pool2d.default(%x4, [2], [2], [0], False, True, 3)", "aten.avg_pool1d.default(%x3, [3])",
        "aten.avg_pool3d.default(%x5, [2, 3, 2])", "aten.adaptive_avg_pool2d.default(%x4, [1, 1])",
        "aten._adaptive_avg_pool2d.default(%x4, [4, 3])", "aten._adaptive_avg_pool2d.default(%x4, [3, 7])",
        "aten.adaptive_avg_pool1d.default(%x3, [4])", "aten._adaptive_avg_pool3d.default(%x5, [2, 4, 3])",
        "aten._adaptive_avg_pool2d_backward.default(%p43, %x4)",
    ],
    "norms": [
        "aten.batch_norm.default(%x4, %c4, %v4, %row, %cp, False, 0.1, 1e-05, False)",
        "aten.batch_norm.default(%x4, None, None, %row, %cp, False, 0.1, 1e-05, False)",
        "aten._native_batch_norm_legit_no_training.default(%x4, %c4, %v4, %row, %cp, 0.1, 1e-03)",
        "aten._native_batch_norm_legit_functional.default(%x4, %c4, %v4, %row, %cp, True, 0.1, 1e-05)",
        "aten._native_batch_norm_legit.no_stats(%x4, %c4, %v4, True, 0.1, 1e-05)",
        "aten.layer_norm.default(%a, [4], %c4, %v4)", "aten.layer_norm.default(%a, [3, 4])",
        "aten.native_layer_norm.default(%a, [4], %c4, %v4, 1e-05)", "aten.group_norm.default(%x4, 2, %c4, %v4)",
        "aten.native_group_norm.default(%x4, %c4, %v4, 2, 4, 63, 2, 1e-05)", "aten.rms_norm.default(%a, [4], %c4, 1e-06)",
        "aten.rms_norm.default(%a, [3, 4])", "aten.instance_norm.default(%x4, %c4, %v4, None, None, True, 0.1, 1e-05, False)",
    ],
    "indexes": [
        "aten.embedding.default(%table, %ids)", "aten.index_select.default(%m34, 0, %ix)", "aten.gather.default(%m34, 0, %ga)",
        "aten.scatter.src(%m34, 0, %gu, %m34)", "aten.scatter.value(%m34, 1, %gv, 9)", "aten.scatter_add.default(%m34, 0, %ga, %m34)",
        "aten.scatter_reduce.two(%m34, 0, %ga, %m34b, 'amax')", "aten.index.Tensor(%m34, [%ix])", "aten.index.Tensor(%m34, [%neg])",
        "aten.index.Tensor(%m34, [None, %ix])", "aten.index.Tensor(%x4, [None, %ix, %ix])", "aten.index.Tensor(%x4, [%one, None, %ix])",
        "aten.index.Tensor(%m34, [%k])", "aten.index.Tensor(%a, [None, %iy])", "aten.index_put.default(%m34, [%ixu], %row)",
        "aten.index_put.default(%m34, [%ix], %row, True)", "aten.index_put.default(%m34, [%k], %s)",
        "aten.index_put.default(%x4, [None, %ixc, %ixc], %s)", "aten.index_put.default(%m34, [%ix, %ix], %row, True)",
        "aten.index_add.default(%m34, 0, %ix, %r44, alpha=2)", "aten.index_fill.int_Scalar(%m34, 1, %ixu, 5.0)",
        "aten.nonzero.default(%k)", "aten.nonzero.default(%i)", "aten.masked_select.default(%m34, %k)",
        "aten.embedding_bag.padding_idx(%table, %bags, %starts, False, 1, False, None, False, 3)",
        "aten.embedding_bag.default(%table, %bags, %starts, False, 0, False, %six)",
        "aten.embedding_bag.default(%table, %bags, %ends, False, 2, False, None, True)",
        "aten.one_hot.default(%ids, 7)", "aten.embedding_dense_backward.default(%eg, %ids, 7, -1, False)",
    ],
    "resizes": [
        "aten.upsample_nearest2d.default(%img, [10, 14])", "aten.upsample_nearest2d.default(%img, [7, 10])",
        "aten.upsample_nearest2d.vec(%img, None, [1.7, 2.3])", "aten.upsample_nearest2d.vec(%img, None, [2.0, 3.0])",
        "aten._upsample_nearest_exact2d.default(%img, [7, 4])", "aten.upsample_bilinear2d.default(%img, [9, 4], False)",
        "aten.upsample_bilinear2d.default(%img, [9, 4], True)", "aten.upsample_bilinear2d.vec(%img, None, False, [1.5, 2.0])",
        "aten.upsample_bilinear2d.default(%img, [1, 1], False)", "aten.upsample_bicubic2d.default(%img, [9, 11], False)",
        "aten.upsample_linear1d.default(%x3, [7], False)", "aten.upsample_bilinear2d_backward.default(%img, [5, 7], [1, 2, 3, 3], False)",
        "aten.upsample_nearest2d_backward.default(%img, [5, 7], [1, 2, 3, 3])", "aten.upsample_nearest1d.default(%x3, [7])",
        "aten.upsample_nearest2d.default(%img, [10, 14], 2.3, 1.7)", "aten.upsample_nearest2d.default(%img, [5, 7], 1.3, 1.1)",
        "aten.upsample_nearest2d.default(%img, [9, 13], 2.1, 2.05)",
        "aten.upsample_nearest2d_backward.default(%img, [5, 7], [1, 2, 5, 7], 1.1, 1.2)",
        "aten.upsample_nearest2d.default(%img, [15, 7], 3.1, 1.1)", "aten.upsample_nearest1d.default(%x3, [22], 1.7)",
        "aten._upsample_bicubic2d_aa.default(%img, [3, 4], False)", "aten._upsample_bilinear2d_aa.default(%img, [3, 4], False)",
        "aten._upsample_bilinear2d_aa.default(%img, [8, 9], False)",
    ],
    "samples": [
        *(f"aten.grid_sampler_2d.default(%img, %grid, {mode}, {padding}, {corners})"
          for mode in (0, 1, 2) for padding in (0, 1, 2) for corners in (False, True)),
        "aten.grid_sampler.default(%img, %grid, 0, 0, False)",
        "aten.col2im.default(%columns, [5, 6], [2, 3], [1, 1], [1, 0], [2, 1])",
        "aten.col2im.default(%columns2, [5, 6], [2, 3], [1, 1], [1, 0], [2, 1])",
        "aten.repeat_interleave.self_int(%m34, 3, 1)", "aten.repeat_interleave.self_int(%m34, 2)",
        "aten.linalg_det.default(%squares)",
    ],
    "samples of opset 20": [
        *(f"aten.grid_sampler_3d.default(%x5, %grid5, {mode}, {padding}, {corners})"
          for mode in (0, 1) for padding in (0, 1, 2) for corners in (False, True)),
        "aten.affine_grid_generator.default(%theta, [2, 3, 4, 5], False)",
        "aten.affine_grid_generator.default(%theta5, [2, 3, 4, 5, 6], True)",
    ],
    "rnns": [
        "aten.lstm.input(%seq, [%h2, %c2], [%l0, %l1, %l2, %l3, %l4, %l5, %l6, %l7], True, 1, 0.0, False, True, False)",
        "aten.lstm.input(%bseq, [%h2x, %c2x], [%l0, %l1], False, 1, 0.0, False, False, True)",
        "aten.gru.input(%seq, %h2, [%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7], True, 1, 0.0, False, True, False)",
        *(f"aten.mkldnn_rnn_layer.default(%seq, %l0, %l1, %l2, %l3, %cell_h, %cell_c, {reverse}, [], 2, 3, 1, "
          f"{biases}, False, {first}, False)"
          for reverse, biases, first in ((False, True, False), (True, True, True), (False, False, True))),
        "aten.lstm_cell.default(%cell_x, [%cell_h, %cell_c], %l0, %l1, %l2, %l3)",
        "aten.gru_cell.default(%cell_x, %cell_h, %r0, %r1, %r2, %r3)",
    ],
    "loops": [  # with 3 and 0 steps
        f"higher_order.{loop}(@continues, @step, (%{start}, %a), (%b,))"
        for loop in ("while_loop", "while_loop_stack_output") for start in ("zero", "three")
    ],
}
# Nested graphs for the calls that refer to them.
LOOP = """
  graph @continues(%i, %v, %w) {
    %lt = aten.lt.Scalar(%i, 3)
    return %lt
  }
  graph @step(%i, %v, %w) {
    %next = aten.add.Tensor(%i, 1)
    %cos = aten.cos.default(%v)
    %sum = aten.add.Tensor(%cos, %w)
    return (%next, %sum)
  }
"""
INPUTS |= {
    "a2": reals(3, 4), "m34b": reals(3, 4), "ladder3": reals(3), "nan5": numpy.full(5, NAN, numpy.float32),
    "it": INPUTS["i"].T.copy(), "x33": reals(2, 3), "y33": reals(2, 3), "q": reals(2, 2, 5, 4), "x43": reals(4, 9, 7),
    "x49": reals(2, 4, 9, 7), "x97": reals(2, 4, 9, 7), "gt": reals(2, 5, 18, 8), "p43": reals(2, 4, 4, 3),
    "gu": numpy.array([[0, 1, 2, 0], [2, 2, 1, 1]], numpy.int64), "gv": numpy.array([[0, 3], [1, 2], [3, 0]], numpy.int64),
    "ixu": numpy.array([2, 0], numpy.int64), "ixc": numpy.array([2, 0, 1], numpy.int64), "one": numpy.array([1, 0, 1, 1], numpy.int64),
    "grid": reals(1, 4, 3, 2), "grid5": reals(1, 2, 3, 4, 3), "columns": reals(2, 6, 12), "columns2": reals(12, 12),
    "squares": reals(2, 3, 3), "theta": reals(2, 2, 3), "theta5": reals(2, 3, 4),
    "r44": reals(4, 4), "eg": reals(2, 3, 5), "bseq": reals(2, 5, 4), "h2x": reals(1, 2, 3), "c2x": reals(1, 2, 3),
    "zero": numpy.array(0, numpy.int64), "three": numpy.array(3, numpy.int64),
}
CASES["convolution gradients"][0] = CASES["convolution gradients"][0].replace("%grad", "%grad0")
INPUTS["grad0"] = reals(2, 6, 4, 6)
INPUTS["gg"] = reals(2, 6, 7, 5)
INPUTS["row2"] = reals(2, 4)
CASES["indexes"] = [c.replace("[%ixu], %row)", "[%ixu], %row2)") for c in CASES["indexes"]]

# Calls that ONNX cannot express, with part of the reason.
REJECTED = {
    "aten.view_as_complex.default(%z)": "cannot be expressed in ONNX",
    "aten.as_strided.default(%a, [40], [1])": "outside the memory of its operand",
    "aten.scatter_reduce.two(%m34, 0, %ga, %m34b, 'mean')": "reduction",
    "aten.unique_consecutive.default(%i)": "cannot be expressed in ONNX",
    "aten.view.dtype(%i32, torch.float32)": "cannot be expressed in ONNX",
    "aten.linspace.default(0, 10, 3, dtype=torch.int64)": "of integers",
}
INPUTS |= {
    "z": reals(3, 2), "six": reals(6), "bags": numpy.array([1, 3, 6, 3, 0, 2], numpy.int64),
    "starts": numpy.array([0, 2, 2, 5], numpy.int64), "ends": numpy.array([0, 2, 2, 6], numpy.int64),
}

LARGEST = numpy.iinfo(numpy.int64).max
INPUTS |= {
    "most32": numpy.array([2147483647, -2147483648, -2147483647, -7], numpy.int32),
    "three32": numpy.array([-3, 3, 7, 2], numpy.int32),
    "most": numpy.array([LARGEST, -LARGEST - 1, -LARGEST, 7], numpy.int64),
    "some": numpy.array([-3, 3, 7, -2], numpy.int64),
    "base": numpy.array([3, -3, 2, -1, 0, 2], numpy.int64), "grown": numpy.array([39, 39, 62, 5, 0, 64], numpy.int64),
    "expo40": numpy.array([40, 0, 1, 39], numpy.int64),
    "units": numpy.array([1, -1, 2, -1, 3, -2], numpy.int64), "nexpo": numpy.array([-1, -2, -1, -3, 2, 3], numpy.int64),
    "zeros": numpy.array([0.0, -0.0, 1.0, -1.0, NAN, INF, -INF, INF, -0.0], numpy.float32),
    "zeros2": numpy.array([-0.0, 0.0, -0.0, INF, 1.0, INF, -INF, NAN, -1.0], numpy.float32),
    "huge": numpy.array([1e30, -3e38, 1e-30, 0.0], numpy.float32),
    "shorts": numpy.array([[-32768, 32767, -1], [0, 1000, -1000]], numpy.int16),
    "mask": numpy.array([[0, -INF, 0, 0, 0], [-INF] * 5, [0] * 5, [1, -1, 0, 2, -INF], [0] * 5], numpy.float32),
}
SINCE = {"bitwise": 18, "samples": 18, "samples of opset 20": 20}  # opsets
ABBREVIATIONS = {"float32": "f32", "float64": "f64", "int64": "i64", "float16": "f16", "int16": "i16", "int32": "i32", "uint8": "u8", "bool": "b8"}
RELATIVE = {"": 1e-4, "float16": 2**-10, "bfloat16": 2**-7}  # relative tolerances by dtype
NO_KERNEL = r"avg_pool3d|_aa\.|linalg_det|mkldnn_rnn_layer"  # libtorch has no 16-bit kernels
# Operators with multiple results, and their numbers of results.
SEVERAL = {
    "_scaled_dot_product_flash_attention_for_cpu.default": 2,
    "max.dim": 2, "min.dim": 2, "sort.default": 2, "topk.default": 2, "median.dim": 2,
    "max_pool2d_with_indices.default": 2, "max_pool3d_with_indices.default": 2,
    "_native_batch_norm_legit_no_training.default": 3, "_native_batch_norm_legit_functional.default": 5,
    "_native_batch_norm_legit.no_stats": 3, "native_layer_norm.default": 3, "native_group_norm.default": 3,
    "mkldnn_rnn_layer.default": 3, "lstm.input": 3, "gru.input": 2, "lstm_cell.default": 2, "convolution_backward.default": 3,
    "log_sigmoid_forward.default": 1, "embedding_bag.padding_idx": 1, "embedding_bag.default": 1,
    "higher_order.while_loop": 2, "higher_order.while_loop_stack_output": 2,
}


def graph_text(calls: list[str], dtype: str = "") -> tuple[str, list[str]]:
    """Returns a graph that returns the results of all calls, and the names of its inputs. float32 inputs
    become inputs of `dtype`. NumPy does not support bfloat16, so the graph converts float32 inputs to
    bfloat16, and results to float32."""
    calls = [call.replace("'", '"') for call in calls]
    names = sorted(set(re.findall(r"%(\w+)", " ".join(calls))))
    types, lines, returned = [], [], []
    for name in names:
        tensor = INPUTS[name]
        narrow = dtype == "bfloat16" and tensor.dtype == numpy.float32
        input_name = f"{name}_given" if narrow else name
        types.append(f"%{input_name} : {ABBREVIATIONS[str(narrowed(tensor, dtype).dtype)]}{list(tensor.shape)}")
        if narrow:
            lines.append(f"  %{name} = aten.to.dtype(%{input_name}, torch.bfloat16)")
    node = "call" if dtype == "bfloat16" else "case"
    for i, call in enumerate(calls):
        lines.append(f"  %{node}_{i} = {call}")
        count = SEVERAL.get(call.split("(")[0].removeprefix("aten."))
        if "convolution_backward" in call and "True, False]" in call:
            count = 2
        items = [str(i)] if count is None else [f"{i}_{j}" for j in range(count)]
        lines += [f"  %{node}_{i}_{j} = operator.getitem(%{node}_{i}, {j})" for j in range(count or 0)]
        if dtype == "bfloat16":
            lines += [f"  %case_{item} = aten.to.dtype(%call_{item}, torch.float32)" for item in items]
        returned += [f"%case_{item}" for item in items]
    results = ", ".join(returned)
    nested = LOOP if any("@" in call for call in calls) else ""
    return f"graph({', '.join(types)}) {{\n" + nested + "\n".join(lines) + f"\n  return ({results},)\n}}\n", names


def flattened(data: dict[str, numpy.ndarray], name: str) -> list[numpy.ndarray]:
    """Returns the results of a node in order."""
    if name in data:
        return [data[name]]
    items = [(int(n[len(name) + 1 :]), t) for n, t in data.items()
             if re.fullmatch(rf"{name}_\d+", n)]
    return [t for _, t in sorted(items, key=lambda item: item[0])]


def difference(got: numpy.ndarray, want: numpy.ndarray, dtype: str = "", exact: numpy.ndarray | None = None) -> str:
    """Returns why a result is wrong, or "". With a 16-bit dtype, `got` must be within one ulp of
    `want`, or no further from `exact` (the float32 result) than `want` is, because some libtorch
    kernels round intermediate values."""
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}"
    if got.dtype != want.dtype:
        return f"{got.dtype}, not {want.dtype}"
    a, b = got.astype(numpy.float64), want.astype(numpy.float64)
    with numpy.errstate(invalid="ignore"):
        allowed = 1e-5 + RELATIVE[dtype] * numpy.where(numpy.isfinite(b), numpy.abs(b), 0)
        same = (a == b) | (numpy.isnan(a) & numpy.isnan(b)) | (numpy.abs(a - b) <= allowed)
        if exact is not None:
            same |= numpy.abs(a - exact) <= numpy.abs(b - exact) + allowed
    if same.all():
        return ""
    where = tuple(numpy.argwhere(~same)[0])
    return f"at {[int(w) for w in where]}: {a[where]!r}, not {b[where]!r}; {int((~same).sum())} differ"


def narrowed(tensor: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """Returns a float32 tensor as float16, or rounded to the nearest bfloat16 with ties to even."""
    if tensor.dtype != numpy.float32 or not dtype:
        return tensor
    if dtype == "float16":
        with numpy.errstate(over="ignore"):
            return tensor.astype(numpy.float16)
    bits = tensor.view(numpy.uint32).astype(numpy.uint64)
    rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(numpy.uint32).view(numpy.float32)
    return numpy.where(numpy.isnan(tensor), tensor, rounded).astype(numpy.float32)


def libtorch(stem: Path, text: str, inputs: dict[str, numpy.ndarray]) -> dict[str, numpy.ndarray]:
    """Returns the results of a graph. Raises ValueError if it does not run."""
    path, dumped = stem.with_suffix(".fx"), Path(f"{stem}.dump.safetensors")
    path.write_text(text)
    tools.write_safetensors(stem.with_suffix(".safetensors"), inputs)
    ran = tools.run(tools.FXCPP, "run", path, "--inputs", stem.with_suffix(".safetensors"), "--dump", dumped)
    if ran.returncode != 0:
        raise ValueError(f"libtorch: {ran.stderr.strip()[:2000]}")
    return tools.read_safetensors(dumped)


def check_group(name: str, calls: list[str], opset: int, folder: Path, dtype: str = "") -> int:
    text, names = graph_text(calls, dtype)
    stem = folder / f"{name.replace(' ', '_')}_{opset}"
    narrow = {n: narrowed(INPUTS[n], dtype) for n in names}
    inputs = {n + "_given" * (dtype == "bfloat16" and t.dtype == numpy.float32): t for n, t in narrow.items()}
    wide = {n: t.astype(INPUTS[n].dtype) for n, t in narrow.items()}
    try:
        data = libtorch(stem, text, inputs)
        precise = libtorch(Path(f"{stem}_32"), graph_text(calls)[0], wide) if dtype else None
    except ValueError as error:
        print(f"{name}: {error}")
        return 1
    path, model_path = stem.with_suffix(".fx"), stem.with_suffix(".onnx")
    done = tools.run(tools.FXCPP, "emit", path, "--to", "onnx", "--opset", opset, "-o", model_path)
    if done.returncode != 0:
        print(f"{name} (opset {opset}): {done.stderr.strip()[:3000]}")
        return 1
    model = onnx.load(model_path)
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # pylint: disable=broad-except
        print(f"{name} (opset {opset}): NOT VALID: {str(error)[:800]}")
        return 1
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        results = session.run(None, {i.name: inputs[i.name] for i in model.graph.input})
    except Exception as error:  # pylint: disable=broad-except
        print(f"{name} (opset {opset}): NOT RUN: {str(error)[:800]}")
        return 1
    failures, at = 0, 0
    for i, call in enumerate(calls):
        expected = flattened(data, f"case_{i}")
        exact = flattened(precise, f"case_{i}") if precise else [None] * len(expected)
        if not expected:
            print(f"{name}: {call}: libtorch has no result")
            failures += 1
        for j, want in enumerate(expected):
            why = difference(results[at], want, dtype, exact[j]) if at < len(results) else "no result"
            at += 1
            if why:
                print(f"{name} (opset {opset}): {call}, result {j}: {why}")
                failures += 1
    if at != len(results):
        print(f"{name}: {len(results)} results, not {at}")
        failures += 1
    return failures


def check_rejected(folder: Path) -> int:
    text, _ = graph_text(list(REJECTED))
    path = folder / "rejected.fx"
    path.write_text(text)
    done = tools.run(tools.FXCPP, "emit", path, "--to", "onnx", "-o", folder / "rejected.onnx")
    failures = int(done.returncode != 1)
    for i, (call, reason) in enumerate(REJECTED.items()):
        line = next((l for l in done.stderr.splitlines() if f"node case_{i} " in l), "")
        if reason not in line:
            print(f"not rejected as expected: {call}: {line or done.stderr.strip()[:500]}")
            failures += 1
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="regular expression for group names")
    parser.add_argument("--opset", type=int, nargs="*", default=[20])
    parser.add_argument("--keep", type=Path, help="write the files to this folder")
    parser.add_argument("--dtype", default="", choices=["", "float16", "bfloat16"], help="dtype of float inputs")
    parser.add_argument("--split", action="store_true", help="write each call as a separate graph")
    arguments = parser.parse_args()
    if tools.run(tools.FXCPP, "run", "--help").returncode != 0:
        print("not run: fxcpp was built without libtorch")
        return 77
    failures, total = 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for opset in arguments.opset:
            for name, calls in CASES.items():
                if not re.search(arguments.only, name) or opset < SINCE.get(name, 0):
                    continue
                known = [c for c in calls if not (opset < 19 and "circular" in c)]
                known = [c for c in known if not (opset < 18 and ("amax'" in c or "_aa." in c or "%ends, False, 2" in c))]
                known = [c for c in known if not (arguments.dtype and re.search(NO_KERNEL, c))]
                total += len(known)
                groups = [[c] for c in known] if arguments.split else [known]
                for group in groups:
                    failures += check_group(name, group, opset, folder, arguments.dtype)
        failures += check_rejected(folder)
    print(f"{total} calls compared, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
