// Operators as functions of Proxy: `relu(x)`, `conv2d(x, w, b, {2, 2})`, by libtorch's names
// and with libtorch's parameters, found by argument-dependent lookup. A call records a node.
// A parameter `{}` has the operator's default.
//
// Made by scripts/generate (make_traced_functions.py). Do not edit.
#pragma once

#include "fx/tracer/proxy.h"

// clang-format off
namespace fx {

/// torch.abs: aten.abs.default
Proxy abs(const Proxy& self, Where where = Where::current());
/// torch.abs_: aten.abs_.default
Proxy abs_(const Proxy& self, Where where = Where::current());
/// torch.absolute: aten.absolute.default
Proxy absolute(const Proxy& self, Where where = Where::current());
/// torch.acos: aten.acos.default
Proxy acos(const Proxy& self, Where where = Where::current());
/// torch.acos_: aten.acos_.default
Proxy acos_(const Proxy& self, Where where = Where::current());
/// torch.acosh: aten.acosh.default
Proxy acosh(const Proxy& self, Where where = Where::current());
/// torch.acosh_: aten.acosh_.default
Proxy acosh_(const Proxy& self, Where where = Where::current());
/// torch.adaptive_avg_pool1d: aten.adaptive_avg_pool1d.default
Proxy adaptive_avg_pool1d(const Proxy& self, const IntList& output_size, Where where = Where::current());
/// torch._C._nn.adaptive_avg_pool2d: aten.adaptive_avg_pool2d.default
Proxy adaptive_avg_pool2d(const Proxy& self, const IntList& output_size, Where where = Where::current());
/// torch._C._nn.adaptive_avg_pool3d: aten.adaptive_avg_pool3d.default
Proxy adaptive_avg_pool3d(const Proxy& self, const IntList& output_size, Where where = Where::current());
/// torch.adaptive_max_pool1d: aten.adaptive_max_pool1d.default
Results<2> adaptive_max_pool1d(const Proxy& self, const IntList& output_size, Where where = Where::current());
/// torch._C._nn.adaptive_max_pool2d: aten.adaptive_max_pool2d.default
Results<2> adaptive_max_pool2d(const Proxy& self, const IntList& output_size, Where where = Where::current());
/// torch._C._nn.adaptive_max_pool3d: aten.adaptive_max_pool3d.default
Results<2> adaptive_max_pool3d(const Proxy& self, const IntList& output_size, Where where = Where::current());
/// torch.add: aten.add.Tensor
Proxy add(const Proxy& self, const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.add: aten.add.Scalar
Proxy add(const Proxy& self, const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.addbmm: aten.addbmm.default
Proxy addbmm(const Proxy& self, const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.addcdiv: aten.addcdiv.default
Proxy addcdiv(const Proxy& self, const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value = {}, Where where = Where::current());
/// torch.addcmul: aten.addcmul.default
Proxy addcmul(const Proxy& self, const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value = {}, Where where = Where::current());
/// torch.addmm: aten.addmm.default
Proxy addmm(const Proxy& self, const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.addmm: aten.addmm.dtype
Proxy addmm(const Proxy& self, const Proxy& mat1, const Proxy& mat2, const DTypeArg& out_dtype, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.addmv: aten.addmv.default
Proxy addmv(const Proxy& self, const Proxy& mat, const Proxy& vec, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.addmv_: aten.addmv_.default
Proxy addmv_(const Proxy& self, const Proxy& mat, const Proxy& vec, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.addr: aten.addr.default
Proxy addr(const Proxy& self, const Proxy& vec1, const Proxy& vec2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.adjoint: aten.adjoint.default
Proxy adjoint(const Proxy& self, Where where = Where::current());
/// torch.affine_grid_generator: aten.affine_grid_generator.default
Proxy affine_grid_generator(const Proxy& theta, const IntList& size, const BoolArg& align_corners, Where where = Where::current());
/// torch.alias_copy: aten.alias_copy.default
Proxy alias_copy(const Proxy& self, Where where = Where::current());
/// torch.all: aten.all.dims
Proxy all(const Proxy& self, const IntList& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.allclose: aten.allclose.default
Proxy allclose(const Proxy& self, const Proxy& other, const FloatArg& rtol = {}, const FloatArg& atol = {}, const BoolArg& equal_nan = {}, Where where = Where::current());
/// torch.alpha_dropout: aten.alpha_dropout.default
Proxy alpha_dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch.alpha_dropout_: aten.alpha_dropout_.default
Proxy alpha_dropout_(const Proxy& self, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch.amax: aten.amax.default
Proxy amax(const Proxy& self, const IntList& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.amin: aten.amin.default
Proxy amin(const Proxy& self, const IntList& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.aminmax: aten.aminmax.default
Results<2> aminmax(const Proxy& self, const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.angle: aten.angle.default
Proxy angle(const Proxy& self, Where where = Where::current());
/// torch.any: aten.any.dims
Proxy any(const Proxy& self, const IntList& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.arange: aten.arange.default
Proxy arange(TracerBase& tracer, const ScalarArg& end, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.arange: aten.arange.start
Proxy arange(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.arange: aten.arange.start_step
Proxy arange(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const ScalarArg& step, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.arccos: aten.arccos.default
Proxy arccos(const Proxy& self, Where where = Where::current());
/// torch.arccos_: aten.arccos_.default
Proxy arccos_(const Proxy& self, Where where = Where::current());
/// torch.arccosh: aten.arccosh.default
Proxy arccosh(const Proxy& self, Where where = Where::current());
/// torch.arccosh_: aten.arccosh_.default
Proxy arccosh_(const Proxy& self, Where where = Where::current());
/// torch.arcsin: aten.arcsin.default
Proxy arcsin(const Proxy& self, Where where = Where::current());
/// torch.arcsin_: aten.arcsin_.default
Proxy arcsin_(const Proxy& self, Where where = Where::current());
/// torch.arcsinh: aten.arcsinh.default
Proxy arcsinh(const Proxy& self, Where where = Where::current());
/// torch.arcsinh_: aten.arcsinh_.default
Proxy arcsinh_(const Proxy& self, Where where = Where::current());
/// torch.arctan: aten.arctan.default
Proxy arctan(const Proxy& self, Where where = Where::current());
/// torch.arctan2: aten.arctan2.default
Proxy arctan2(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.arctan_: aten.arctan_.default
Proxy arctan_(const Proxy& self, Where where = Where::current());
/// torch.arctanh: aten.arctanh.default
Proxy arctanh(const Proxy& self, Where where = Where::current());
/// torch.arctanh_: aten.arctanh_.default
Proxy arctanh_(const Proxy& self, Where where = Where::current());
/// torch.argmax: aten.argmax.default
Proxy argmax(const Proxy& self, const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.argmin: aten.argmin.default
Proxy argmin(const Proxy& self, const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.argsort: aten.argsort.default
Proxy argsort(const Proxy& self, const IntArg& dim = {}, const BoolArg& descending = {}, Where where = Where::current());
/// torch.argsort: aten.argsort.stable
Proxy argsort(const Proxy& self, const BoolArg& stable, const IntArg& dim = {}, const BoolArg& descending = {}, Where where = Where::current());
/// torch.argwhere: aten.argwhere.default
Proxy argwhere(const Proxy& self, Where where = Where::current());
/// torch.as_strided: aten.as_strided.default
Proxy as_strided(const Proxy& self, const IntList& size, const IntList& stride, const IntArg& storage_offset = {}, Where where = Where::current());
/// torch.as_strided_: aten.as_strided_.default
Proxy as_strided_(const Proxy& self, const IntList& size, const IntList& stride, const IntArg& storage_offset = {}, Where where = Where::current());
/// torch.as_strided_copy: aten.as_strided_copy.default
Proxy as_strided_copy(const Proxy& self, const IntList& size, const IntList& stride, const IntArg& storage_offset = {}, Where where = Where::current());
/// torch.as_strided_scatter: aten.as_strided_scatter.default
Proxy as_strided_scatter(const Proxy& self, const Proxy& src, const IntList& size, const IntList& stride, const IntArg& storage_offset = {}, Where where = Where::current());
/// torch.asin: aten.asin.default
Proxy asin(const Proxy& self, Where where = Where::current());
/// torch.asin_: aten.asin_.default
Proxy asin_(const Proxy& self, Where where = Where::current());
/// torch.asinh: aten.asinh.default
Proxy asinh(const Proxy& self, Where where = Where::current());
/// torch.asinh_: aten.asinh_.default
Proxy asinh_(const Proxy& self, Where where = Where::current());
/// torch.atan: aten.atan.default
Proxy atan(const Proxy& self, Where where = Where::current());
/// torch.atan2: aten.atan2.default
Proxy atan2(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.atan_: aten.atan_.default
Proxy atan_(const Proxy& self, Where where = Where::current());
/// torch.atanh: aten.atanh.default
Proxy atanh(const Proxy& self, Where where = Where::current());
/// torch.atanh_: aten.atanh_.default
Proxy atanh_(const Proxy& self, Where where = Where::current());
/// torch.functional.atleast_1d: aten.atleast_1d.default
Proxy atleast_1d(const Proxy& self, Where where = Where::current());
/// torch.functional.atleast_1d: aten.atleast_1d.Sequence
Proxy atleast_1d(const TensorList& tensors, Where where = Where::current());
/// torch.functional.atleast_2d: aten.atleast_2d.default
Proxy atleast_2d(const Proxy& self, Where where = Where::current());
/// torch.functional.atleast_2d: aten.atleast_2d.Sequence
Proxy atleast_2d(const TensorList& tensors, Where where = Where::current());
/// torch.functional.atleast_3d: aten.atleast_3d.default
Proxy atleast_3d(const Proxy& self, Where where = Where::current());
/// torch.functional.atleast_3d: aten.atleast_3d.Sequence
Proxy atleast_3d(const TensorList& tensors, Where where = Where::current());
/// torch.avg_pool1d: aten.avg_pool1d.default
Proxy avg_pool1d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const BoolArg& ceil_mode = {}, const BoolArg& count_include_pad = {}, Where where = Where::current());
/// torch._C._nn.avg_pool2d: aten.avg_pool2d.default
Proxy avg_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const BoolArg& ceil_mode = {}, const BoolArg& count_include_pad = {}, const IntArg& divisor_override = {}, Where where = Where::current());
/// torch._C._nn.avg_pool3d: aten.avg_pool3d.default
Proxy avg_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const BoolArg& ceil_mode = {}, const BoolArg& count_include_pad = {}, const IntArg& divisor_override = {}, Where where = Where::current());
/// torch.baddbmm: aten.baddbmm.default
Proxy baddbmm(const Proxy& self, const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.baddbmm: aten.baddbmm.dtype
Proxy baddbmm(const Proxy& self, const Proxy& batch1, const Proxy& batch2, const DTypeArg& out_dtype, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.bartlett_window: aten.bartlett_window.default
Proxy bartlett_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.bartlett_window: aten.bartlett_window.periodic
Proxy bartlett_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.batch_norm: aten.batch_norm.default
Proxy batch_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& training, const FloatArg& momentum, const FloatArg& eps, const BoolArg& cudnn_enabled, Where where = Where::current());
/// torch.batch_norm_backward_elemt: aten.batch_norm_backward_elemt.default
Proxy batch_norm_backward_elemt(const Proxy& grad_out, const Proxy& input, const Proxy& mean, const Proxy& invstd, const OptionalTensor& weight, const Proxy& sum_dy, const Proxy& sum_dy_xmu, const Proxy& count, Where where = Where::current());
/// torch.batch_norm_backward_reduce: aten.batch_norm_backward_reduce.default
Results<4> batch_norm_backward_reduce(const Proxy& grad_out, const Proxy& input, const Proxy& mean, const Proxy& invstd, const OptionalTensor& weight, const BoolArg& input_g, const BoolArg& weight_g, const BoolArg& bias_g, Where where = Where::current());
/// torch.batch_norm_elemt: aten.batch_norm_elemt.default
Proxy batch_norm_elemt(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const Proxy& mean, const Proxy& invstd, const FloatArg& eps, Where where = Where::current());
/// torch.batch_norm_gather_stats: aten.batch_norm_gather_stats.default
Results<2> batch_norm_gather_stats(const Proxy& input, const Proxy& mean, const Proxy& invstd, const OptionalTensor& running_mean, const OptionalTensor& running_var, const FloatArg& momentum, const FloatArg& eps, const IntArg& count, Where where = Where::current());
/// torch.batch_norm_gather_stats_with_counts: aten.batch_norm_gather_stats_with_counts.default
Results<2> batch_norm_gather_stats_with_counts(const Proxy& input, const Proxy& mean, const Proxy& invstd, const OptionalTensor& running_mean, const OptionalTensor& running_var, const FloatArg& momentum, const FloatArg& eps, const Proxy& counts, Where where = Where::current());
/// torch.batch_norm_stats: aten.batch_norm_stats.default
Results<2> batch_norm_stats(const Proxy& input, const FloatArg& eps, Where where = Where::current());
/// torch.batch_norm_update_stats: aten.batch_norm_update_stats.default
Results<2> batch_norm_update_stats(const Proxy& input, const OptionalTensor& running_mean, const OptionalTensor& running_var, const FloatArg& momentum, Where where = Where::current());
/// torch.bernoulli: aten.bernoulli.default
Proxy bernoulli(const Proxy& self, Where where = Where::current());
/// torch.bernoulli: aten.bernoulli.p
Proxy bernoulli(const Proxy& self, const FloatArg& p, Where where = Where::current());
/// torch.bernoulli: aten.bernoulli.Tensor
Proxy bernoulli(const Proxy& self, const Proxy& p, Where where = Where::current());
/// torch.bilinear: aten.bilinear.default
Proxy bilinear(const Proxy& input1, const Proxy& input2, const Proxy& weight, const OptionalTensor& bias = {}, Where where = Where::current());
/// torch._C._nn.binary_cross_entropy: aten.binary_cross_entropy.default
Proxy binary_cross_entropy(const Proxy& self, const Proxy& target, const OptionalTensor& weight = {}, const IntArg& reduction = {}, Where where = Where::current());
/// torch.binary_cross_entropy_with_logits: aten.binary_cross_entropy_with_logits.default
Proxy binary_cross_entropy_with_logits(const Proxy& self, const Proxy& target, const OptionalTensor& weight = {}, const OptionalTensor& pos_weight = {}, const IntArg& reduction = {}, Where where = Where::current());
/// torch.bincount: aten.bincount.default
Proxy bincount(const Proxy& self, const OptionalTensor& weights = {}, const IntArg& minlength = {}, Where where = Where::current());
/// torch.binomial: aten.binomial.default
Proxy binomial(const Proxy& count, const Proxy& prob, Where where = Where::current());
/// torch.bitwise_and: aten.bitwise_and.Tensor
Proxy bitwise_and(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_and: aten.bitwise_and.Scalar
Proxy bitwise_and(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.bitwise_and: aten.bitwise_and.Scalar_Tensor
Proxy bitwise_and(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_left_shift: aten.bitwise_left_shift.Tensor
Proxy bitwise_left_shift(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_left_shift: aten.bitwise_left_shift.Tensor_Scalar
Proxy bitwise_left_shift(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.bitwise_left_shift: aten.bitwise_left_shift.Scalar_Tensor
Proxy bitwise_left_shift(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_not: aten.bitwise_not.default
Proxy bitwise_not(const Proxy& self, Where where = Where::current());
/// torch.bitwise_or: aten.bitwise_or.Tensor
Proxy bitwise_or(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_or: aten.bitwise_or.Scalar
Proxy bitwise_or(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.bitwise_or: aten.bitwise_or.Scalar_Tensor
Proxy bitwise_or(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_right_shift: aten.bitwise_right_shift.Tensor
Proxy bitwise_right_shift(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_right_shift: aten.bitwise_right_shift.Tensor_Scalar
Proxy bitwise_right_shift(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.bitwise_right_shift: aten.bitwise_right_shift.Scalar_Tensor
Proxy bitwise_right_shift(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_xor: aten.bitwise_xor.Tensor
Proxy bitwise_xor(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.bitwise_xor: aten.bitwise_xor.Scalar
Proxy bitwise_xor(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.bitwise_xor: aten.bitwise_xor.Scalar_Tensor
Proxy bitwise_xor(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.blackman_window: aten.blackman_window.default
Proxy blackman_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.blackman_window: aten.blackman_window.periodic
Proxy blackman_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.functional.block_diag: aten.block_diag.default
Proxy block_diag(const TensorList& tensors, Where where = Where::current());
/// torch.bmm: aten.bmm.default
Proxy bmm(const Proxy& self, const Proxy& mat2, Where where = Where::current());
/// torch.bmm: aten.bmm.dtype
Proxy bmm(const Proxy& self, const Proxy& mat2, const DTypeArg& out_dtype, Where where = Where::current());
/// torch.functional.broadcast_tensors: aten.broadcast_tensors.default
Proxy broadcast_tensors(const TensorList& tensors, Where where = Where::current());
/// torch.broadcast_to: aten.broadcast_to.default
Proxy broadcast_to(const Proxy& self, const IntList& size, Where where = Where::current());
/// torch.bucketize: aten.bucketize.Tensor
Proxy bucketize(const Proxy& self, const Proxy& boundaries, const BoolArg& out_int32 = {}, const BoolArg& right = {}, Where where = Where::current());
/// torch.bucketize: aten.bucketize.Scalar
Proxy bucketize(const ScalarArg& self, const Proxy& boundaries, const BoolArg& out_int32 = {}, const BoolArg& right = {}, Where where = Where::current());
/// torch.can_cast: aten.can_cast.default
Proxy can_cast(TracerBase& tracer, const DTypeArg& from_, const DTypeArg& to, Where where = Where::current());
/// torch.functional.cartesian_prod: aten.cartesian_prod.default
Proxy cartesian_prod(const TensorList& tensors, Where where = Where::current());
/// torch.cat: aten.cat.default
Proxy cat(const TensorList& tensors, const IntArg& dim = {}, Where where = Where::current());
/// torch.ccol_indices_copy: aten.ccol_indices_copy.default
Proxy ccol_indices_copy(const Proxy& self, Where where = Where::current());
/// torch.functional.cdist: aten.cdist.default
Proxy cdist(const Proxy& x1, const Proxy& x2, const FloatArg& p = {}, const IntArg& compute_mode = {}, Where where = Where::current());
/// torch.ceil: aten.ceil.default
Proxy ceil(const Proxy& self, Where where = Where::current());
/// torch.ceil_: aten.ceil_.default
Proxy ceil_(const Proxy& self, Where where = Where::current());
/// torch.celu: aten.celu.default
Proxy celu(const Proxy& self, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.celu_: aten.celu_.default
Proxy celu_(const Proxy& self, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.functional.chain_matmul: aten.chain_matmul.default
Proxy chain_matmul(const TensorList& matrices, Where where = Where::current());
/// torch.channel_shuffle: aten.channel_shuffle.default
Proxy channel_shuffle(const Proxy& self, const IntArg& groups, Where where = Where::current());
/// torch.cholesky: aten.cholesky.default
Proxy cholesky(const Proxy& self, const BoolArg& upper = {}, Where where = Where::current());
/// torch.cholesky_inverse: aten.cholesky_inverse.default
Proxy cholesky_inverse(const Proxy& self, const BoolArg& upper = {}, Where where = Where::current());
/// torch.cholesky_solve: aten.cholesky_solve.default
Proxy cholesky_solve(const Proxy& self, const Proxy& input2, const BoolArg& upper = {}, Where where = Where::current());
/// torch.choose_qparams_optimized: aten.choose_qparams_optimized.default
Results<2> choose_qparams_optimized(const Proxy& input, const IntArg& numel, const IntArg& n_bins, const FloatArg& ratio, const IntArg& bit_width, Where where = Where::current());
/// torch.chunk: aten.chunk.default
Proxy chunk(const Proxy& self, const IntArg& chunks, const IntArg& dim = {}, Where where = Where::current());
/// torch.clamp: aten.clamp.default
Proxy clamp(const Proxy& self, const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current());
/// torch.clamp_: aten.clamp_.default
Proxy clamp_(const Proxy& self, const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current());
/// torch.clamp_max: aten.clamp_max.default
Proxy clamp_max(const Proxy& self, const ScalarArg& max, Where where = Where::current());
/// torch.clamp_max: aten.clamp_max.Tensor
Proxy clamp_max(const Proxy& self, const Proxy& max, Where where = Where::current());
/// torch.clamp_max_: aten.clamp_max_.default
Proxy clamp_max_(const Proxy& self, const ScalarArg& max, Where where = Where::current());
/// torch.clamp_max_: aten.clamp_max_.Tensor
Proxy clamp_max_(const Proxy& self, const Proxy& max, Where where = Where::current());
/// torch.clamp_min: aten.clamp_min.default
Proxy clamp_min(const Proxy& self, const ScalarArg& min, Where where = Where::current());
/// torch.clamp_min: aten.clamp_min.Tensor
Proxy clamp_min(const Proxy& self, const Proxy& min, Where where = Where::current());
/// torch.clamp_min_: aten.clamp_min_.default
Proxy clamp_min_(const Proxy& self, const ScalarArg& min, Where where = Where::current());
/// torch.clamp_min_: aten.clamp_min_.Tensor
Proxy clamp_min_(const Proxy& self, const Proxy& min, Where where = Where::current());
/// torch.clip: aten.clip.default
Proxy clip(const Proxy& self, const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current());
/// torch.clip_: aten.clip_.default
Proxy clip_(const Proxy& self, const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current());
/// torch.clone: aten.clone.default
Proxy clone(const Proxy& self, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch._C._nn.col2im: aten.col2im.default
Proxy col2im(const Proxy& self, const IntList& output_size, const IntList& kernel_size, const IntList& dilation, const IntList& padding, const IntList& stride, Where where = Where::current());
/// torch.col_indices_copy: aten.col_indices_copy.default
Proxy col_indices_copy(const Proxy& self, Where where = Where::current());
/// torch.column_stack: aten.column_stack.default
Proxy column_stack(const TensorList& tensors, Where where = Where::current());
/// torch.combinations: aten.combinations.default
Proxy combinations(const Proxy& self, const IntArg& r = {}, const BoolArg& with_replacement = {}, Where where = Where::current());
/// torch.complex: aten.complex.default
Proxy complex(const Proxy& real, const Proxy& imag, Where where = Where::current());
/// torch.concat: aten.concat.default
Proxy concat(const TensorList& tensors, const IntArg& dim = {}, Where where = Where::current());
/// torch.concatenate: aten.concatenate.default
Proxy concatenate(const TensorList& tensors, const IntArg& dim = {}, Where where = Where::current());
/// torch.conj: aten.conj.default
Proxy conj(const Proxy& self, Where where = Where::current());
/// torch.conj_physical: aten.conj_physical.default
Proxy conj_physical(const Proxy& self, Where where = Where::current());
/// torch.conj_physical_: aten.conj_physical_.default
Proxy conj_physical_(const Proxy& self, Where where = Where::current());
/// torch.constant_pad_nd: aten.constant_pad_nd.default
Proxy constant_pad_nd(const Proxy& self, const IntList& pad, const ScalarArg& value = {}, Where where = Where::current());
/// torch.conv1d: aten.conv1d.default
Proxy conv1d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const IntArg& groups = {}, Where where = Where::current());
/// torch.conv1d: aten.conv1d.padding
Proxy conv1d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const StringArg& padding, const IntList& dilation = {}, const IntArg& groups = {}, Where where = Where::current());
/// torch.conv2d: aten.conv2d.default
Proxy conv2d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const IntArg& groups = {}, Where where = Where::current());
/// torch.conv2d: aten.conv2d.padding
Proxy conv2d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const StringArg& padding, const IntList& dilation = {}, const IntArg& groups = {}, Where where = Where::current());
/// torch.conv3d: aten.conv3d.default
Proxy conv3d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const IntArg& groups = {}, Where where = Where::current());
/// torch.conv3d: aten.conv3d.padding
Proxy conv3d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const StringArg& padding, const IntList& dilation = {}, const IntArg& groups = {}, Where where = Where::current());
/// torch._C._nn.conv_depthwise3d: aten.conv_depthwise3d.default
Proxy conv_depthwise3d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, Where where = Where::current());
/// torch.conv_tbc: aten.conv_tbc.default
Proxy conv_tbc(const Proxy& self, const Proxy& weight, const Proxy& bias, const IntArg& pad = {}, Where where = Where::current());
/// torch.conv_transpose1d: aten.conv_transpose1d.default
Proxy conv_transpose1d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& output_padding = {}, const IntArg& groups = {}, const IntList& dilation = {}, Where where = Where::current());
/// torch.conv_transpose2d: aten.conv_transpose2d.input
Proxy conv_transpose2d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& output_padding = {}, const IntArg& groups = {}, const IntList& dilation = {}, Where where = Where::current());
/// torch.conv_transpose3d: aten.conv_transpose3d.input
Proxy conv_transpose3d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& output_padding = {}, const IntArg& groups = {}, const IntList& dilation = {}, Where where = Where::current());
/// torch.convolution: aten.convolution.default
Proxy convolution(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& transposed, const IntList& output_padding, const IntArg& groups, Where where = Where::current());
/// torch.copysign: aten.copysign.Tensor
Proxy copysign(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.copysign: aten.copysign.Scalar
Proxy copysign(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.corrcoef: aten.corrcoef.default
Proxy corrcoef(const Proxy& self, Where where = Where::current());
/// torch.cos: aten.cos.default
Proxy cos(const Proxy& self, Where where = Where::current());
/// torch.cos_: aten.cos_.default
Proxy cos_(const Proxy& self, Where where = Where::current());
/// torch.cosh: aten.cosh.default
Proxy cosh(const Proxy& self, Where where = Where::current());
/// torch.cosh_: aten.cosh_.default
Proxy cosh_(const Proxy& self, Where where = Where::current());
/// torch.cosine_embedding_loss: aten.cosine_embedding_loss.default
Proxy cosine_embedding_loss(const Proxy& input1, const Proxy& input2, const Proxy& target, const FloatArg& margin = {}, const IntArg& reduction = {}, Where where = Where::current());
/// torch.cosine_similarity: aten.cosine_similarity.default
Proxy cosine_similarity(const Proxy& x1, const Proxy& x2, const IntArg& dim = {}, const FloatArg& eps = {}, Where where = Where::current());
/// torch.count_nonzero: aten.count_nonzero.default
Proxy count_nonzero(const Proxy& self, const IntArg& dim = {}, Where where = Where::current());
/// torch.cov: aten.cov.default
Proxy cov(const Proxy& self, const IntArg& correction = {}, const OptionalTensor& fweights = {}, const OptionalTensor& aweights = {}, Where where = Where::current());
/// torch.cross: aten.cross.default
Proxy cross(const Proxy& self, const Proxy& other, const IntArg& dim = {}, Where where = Where::current());
/// torch._C._nn.cross_entropy_loss: aten.cross_entropy_loss.default
Proxy cross_entropy_loss(const Proxy& self, const Proxy& target, const OptionalTensor& weight = {}, const IntArg& reduction = {}, const IntArg& ignore_index = {}, const FloatArg& label_smoothing = {}, Where where = Where::current());
/// torch.crow_indices_copy: aten.crow_indices_copy.default
Proxy crow_indices_copy(const Proxy& self, Where where = Where::current());
/// torch.ctc_loss: aten.ctc_loss.IntList
Proxy ctc_loss(const Proxy& log_probs, const Proxy& targets, const IntList& input_lengths, const IntList& target_lengths, const IntArg& blank = {}, const IntArg& reduction = {}, const BoolArg& zero_infinity = {}, Where where = Where::current());
/// torch.ctc_loss: aten.ctc_loss.Tensor
Proxy ctc_loss(const Proxy& log_probs, const Proxy& targets, const Proxy& input_lengths, const Proxy& target_lengths, const IntArg& blank = {}, const IntArg& reduction = {}, const BoolArg& zero_infinity = {}, Where where = Where::current());
/// torch.cudnn_affine_grid_generator: aten.cudnn_affine_grid_generator.default
Proxy cudnn_affine_grid_generator(const Proxy& theta, const IntArg& N, const IntArg& C, const IntArg& H, const IntArg& W, Where where = Where::current());
/// torch.cudnn_batch_norm: aten.cudnn_batch_norm.default
Results<4> cudnn_batch_norm(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& training, const FloatArg& exponential_average_factor, const FloatArg& epsilon, Where where = Where::current());
/// torch.cudnn_convolution: aten.cudnn_convolution.default
Proxy cudnn_convolution(const Proxy& self, const Proxy& weight, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, const BoolArg& allow_tf32, Where where = Where::current());
/// torch.cudnn_convolution_add_relu: aten.cudnn_convolution_add_relu.default
Proxy cudnn_convolution_add_relu(const Proxy& self, const Proxy& weight, const Proxy& z, const ScalarArg& alpha, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where = Where::current());
/// torch.cudnn_convolution_relu: aten.cudnn_convolution_relu.default
Proxy cudnn_convolution_relu(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where = Where::current());
/// torch.cudnn_convolution_transpose: aten.cudnn_convolution_transpose.default
Proxy cudnn_convolution_transpose(const Proxy& self, const Proxy& weight, const IntList& padding, const IntList& output_padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, const BoolArg& allow_tf32, Where where = Where::current());
/// torch.cudnn_grid_sampler: aten.cudnn_grid_sampler.default
Proxy cudnn_grid_sampler(const Proxy& self, const Proxy& grid, Where where = Where::current());
/// torch.cudnn_is_acceptable: aten.cudnn_is_acceptable.default
Proxy cudnn_is_acceptable(const Proxy& self, Where where = Where::current());
/// torch.cummax: aten.cummax.default
Results<2> cummax(const Proxy& self, const IntArg& dim, Where where = Where::current());
/// torch.cummin: aten.cummin.default
Results<2> cummin(const Proxy& self, const IntArg& dim, Where where = Where::current());
/// torch.cumprod: aten.cumprod.default
Proxy cumprod(const Proxy& self, const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.cumsum: aten.cumsum.default
Proxy cumsum(const Proxy& self, const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.cumulative_trapezoid: aten.cumulative_trapezoid.x
Proxy cumulative_trapezoid(const Proxy& y, const Proxy& x, const IntArg& dim = {}, Where where = Where::current());
/// torch.cumulative_trapezoid: aten.cumulative_trapezoid.dx
Proxy cumulative_trapezoid(const Proxy& y, const ScalarArg& dx = {}, const IntArg& dim = {}, Where where = Where::current());
/// torch.deg2rad: aten.deg2rad.default
Proxy deg2rad(const Proxy& self, Where where = Where::current());
/// torch.deg2rad_: aten.deg2rad_.default
Proxy deg2rad_(const Proxy& self, Where where = Where::current());
/// torch.dequantize: aten.dequantize.self
Proxy dequantize(const Proxy& self, Where where = Where::current());
/// torch.dequantize: aten.dequantize.tensors
Proxy dequantize(const TensorList& tensors, Where where = Where::current());
/// torch.det: aten.det.default
Proxy det(const Proxy& self, Where where = Where::current());
/// torch.detach: aten.detach.default
Proxy detach(const Proxy& self, Where where = Where::current());
/// torch.detach_: aten.detach_.default
Proxy detach_(const Proxy& self, Where where = Where::current());
/// torch.detach_copy: aten.detach_copy.default
Proxy detach_copy(const Proxy& self, Where where = Where::current());
/// torch.diag: aten.diag.default
Proxy diag(const Proxy& self, const IntArg& diagonal = {}, Where where = Where::current());
/// torch.diag_embed: aten.diag_embed.default
Proxy diag_embed(const Proxy& self, const IntArg& offset = {}, const IntArg& dim1 = {}, const IntArg& dim2 = {}, Where where = Where::current());
/// torch.diagflat: aten.diagflat.default
Proxy diagflat(const Proxy& self, const IntArg& offset = {}, Where where = Where::current());
/// torch.diagonal: aten.diagonal.default
Proxy diagonal(const Proxy& self, const IntArg& offset = {}, const IntArg& dim1 = {}, const IntArg& dim2 = {}, Where where = Where::current());
/// torch.diagonal_copy: aten.diagonal_copy.default
Proxy diagonal_copy(const Proxy& self, const IntArg& offset = {}, const IntArg& dim1 = {}, const IntArg& dim2 = {}, Where where = Where::current());
/// torch.diagonal_scatter: aten.diagonal_scatter.default
Proxy diagonal_scatter(const Proxy& self, const Proxy& src, const IntArg& offset = {}, const IntArg& dim1 = {}, const IntArg& dim2 = {}, Where where = Where::current());
/// torch.diff: aten.diff.default
Proxy diff(const Proxy& self, const IntArg& n = {}, const IntArg& dim = {}, const OptionalTensor& prepend = {}, const OptionalTensor& append = {}, Where where = Where::current());
/// torch.digamma: aten.digamma.default
Proxy digamma(const Proxy& self, Where where = Where::current());
/// torch.dist: aten.dist.default
Proxy dist(const Proxy& self, const Proxy& other, const ScalarArg& p = {}, Where where = Where::current());
/// torch.div: aten.div.Tensor
Proxy div(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.div: aten.div.Scalar
Proxy div(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.div: aten.div.Tensor_mode
Proxy div(const Proxy& self, const Proxy& other, const StringArg& rounding_mode, Where where = Where::current());
/// torch.div: aten.div.Scalar_mode
Proxy div(const Proxy& self, const ScalarArg& other, const StringArg& rounding_mode, Where where = Where::current());
/// torch.divide: aten.divide.Tensor
Proxy divide(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.divide: aten.divide.Scalar
Proxy divide(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.divide: aten.divide.Tensor_mode
Proxy divide(const Proxy& self, const Proxy& other, const StringArg& rounding_mode, Where where = Where::current());
/// torch.divide: aten.divide.Scalar_mode
Proxy divide(const Proxy& self, const ScalarArg& other, const StringArg& rounding_mode, Where where = Where::current());
/// torch.dot: aten.dot.default
Proxy dot(const Proxy& self, const Proxy& tensor, Where where = Where::current());
/// torch.dropout: aten.dropout.default
Proxy dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch.dropout_: aten.dropout_.default
Proxy dropout_(const Proxy& self, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch.dsplit: aten.dsplit.array
Proxy dsplit(const Proxy& self, const IntList& indices, Where where = Where::current());
/// torch.dstack: aten.dstack.default
Proxy dstack(const TensorList& tensors, Where where = Where::current());
/// torch.functional.einsum: aten.einsum.default
Proxy einsum(const StringArg& equation, const TensorList& tensors, const IntList& path = {}, Where where = Where::current());
/// torch._C._nn.elu: aten.elu.default
Proxy elu(const Proxy& self, const ScalarArg& alpha = {}, const ScalarArg& scale = {}, const ScalarArg& input_scale = {}, Where where = Where::current());
/// torch._C._nn.elu_: aten.elu_.default
Proxy elu_(const Proxy& self, const ScalarArg& alpha = {}, const ScalarArg& scale = {}, const ScalarArg& input_scale = {}, Where where = Where::current());
/// torch.embedding: aten.embedding.default
Proxy embedding(const Proxy& weight, const Proxy& indices, const IntArg& padding_idx = {}, const BoolArg& scale_grad_by_freq = {}, const BoolArg& sparse = {}, Where where = Where::current());
/// torch.embedding_bag: aten.embedding_bag.default
Results<4> embedding_bag(const Proxy& weight, const Proxy& indices, const Proxy& offsets, const BoolArg& scale_grad_by_freq = {}, const IntArg& mode = {}, const BoolArg& sparse = {}, const OptionalTensor& per_sample_weights = {}, const BoolArg& include_last_offset = {}, Where where = Where::current());
/// torch.embedding_bag: aten.embedding_bag.padding_idx
Results<4> embedding_bag(const Proxy& weight, const Proxy& indices, const Proxy& offsets, const BoolArg& scale_grad_by_freq, const IntArg& mode, const BoolArg& sparse, const OptionalTensor& per_sample_weights, const BoolArg& include_last_offset, const IntArg& padding_idx, Where where = Where::current());
/// torch.embedding_renorm_: aten.embedding_renorm_.default
Proxy embedding_renorm_(const Proxy& self, const Proxy& indices, const FloatArg& max_norm, const FloatArg& norm_type, Where where = Where::current());
/// torch.empty: aten.empty.memory_format
Proxy empty(TracerBase& tracer, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.empty_like: aten.empty_like.default
Proxy empty_like(const Proxy& self, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.empty_permuted: aten.empty_permuted.default
Proxy empty_permuted(TracerBase& tracer, const IntList& size, const IntList& physical_layout, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.empty_quantized: aten.empty_quantized.default
Proxy empty_quantized(const IntList& size, const Proxy& qtensor, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.empty_strided: aten.empty_strided.default
Proxy empty_strided(TracerBase& tracer, const IntList& size, const IntList& stride, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.eq: aten.eq.Tensor
Proxy eq(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.eq: aten.eq.Scalar
Proxy eq(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.equal: aten.equal.default
Proxy equal(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.erf: aten.erf.default
Proxy erf(const Proxy& self, Where where = Where::current());
/// torch.erf_: aten.erf_.default
Proxy erf_(const Proxy& self, Where where = Where::current());
/// torch.erfc: aten.erfc.default
Proxy erfc(const Proxy& self, Where where = Where::current());
/// torch.erfc_: aten.erfc_.default
Proxy erfc_(const Proxy& self, Where where = Where::current());
/// torch.erfinv: aten.erfinv.default
Proxy erfinv(const Proxy& self, Where where = Where::current());
/// torch.exp: aten.exp.default
Proxy exp(const Proxy& self, Where where = Where::current());
/// torch.exp2: aten.exp2.default
Proxy exp2(const Proxy& self, Where where = Where::current());
/// torch.exp2_: aten.exp2_.default
Proxy exp2_(const Proxy& self, Where where = Where::current());
/// torch.exp_: aten.exp_.default
Proxy exp_(const Proxy& self, Where where = Where::current());
/// torch.expand_copy: aten.expand_copy.default
Proxy expand_copy(const Proxy& self, const IntList& size, const BoolArg& implicit = {}, Where where = Where::current());
/// torch.expm1: aten.expm1.default
Proxy expm1(const Proxy& self, Where where = Where::current());
/// torch.expm1_: aten.expm1_.default
Proxy expm1_(const Proxy& self, Where where = Where::current());
/// torch.eye: aten.eye.default
Proxy eye(TracerBase& tracer, const IntArg& n, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.eye: aten.eye.m
Proxy eye(TracerBase& tracer, const IntArg& n, const IntArg& m, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.fake_quantize_per_channel_affine: aten.fake_quantize_per_channel_affine.default
Proxy fake_quantize_per_channel_affine(const Proxy& self, const Proxy& scale, const Proxy& zero_point, const IntArg& axis, const IntArg& quant_min, const IntArg& quant_max, Where where = Where::current());
/// torch.fake_quantize_per_tensor_affine: aten.fake_quantize_per_tensor_affine.default
Proxy fake_quantize_per_tensor_affine(const Proxy& self, const FloatArg& scale, const IntArg& zero_point, const IntArg& quant_min, const IntArg& quant_max, Where where = Where::current());
/// torch.fake_quantize_per_tensor_affine: aten.fake_quantize_per_tensor_affine.tensor_qparams
Proxy fake_quantize_per_tensor_affine(const Proxy& self, const Proxy& scale, const Proxy& zero_point, const IntArg& quant_min, const IntArg& quant_max, Where where = Where::current());
/// torch.fbgemm_linear_fp16_weight: aten.fbgemm_linear_fp16_weight.default
Proxy fbgemm_linear_fp16_weight(const Proxy& input, const Proxy& packed_weight, const Proxy& bias, Where where = Where::current());
/// torch.fbgemm_linear_fp16_weight: aten.fbgemm_linear_fp16_weight.out
Proxy fbgemm_linear_fp16_weight(const Proxy& input, const Proxy& packed_weight, const Proxy& bias, const Proxy& output, Where where = Where::current());
/// torch.fbgemm_linear_fp16_weight_fp32_activation: aten.fbgemm_linear_fp16_weight_fp32_activation.default
Proxy fbgemm_linear_fp16_weight_fp32_activation(const Proxy& input, const Proxy& packed_weight, const OptionalTensor& bias, Where where = Where::current());
/// torch.fbgemm_linear_fp16_weight_fp32_activation: aten.fbgemm_linear_fp16_weight_fp32_activation.out
Proxy fbgemm_linear_fp16_weight_fp32_activation(const Proxy& input, const Proxy& packed_weight, const OptionalTensor& bias, const Proxy& output, Where where = Where::current());
/// torch.fbgemm_linear_int8_weight: aten.fbgemm_linear_int8_weight.default
Proxy fbgemm_linear_int8_weight(const Proxy& input, const Proxy& weight, const Proxy& packed, const Proxy& col_offsets, const ScalarArg& weight_scale, const ScalarArg& weight_zero_point, const Proxy& bias, Where where = Where::current());
/// torch.fbgemm_linear_int8_weight_fp32_activation: aten.fbgemm_linear_int8_weight_fp32_activation.default
Proxy fbgemm_linear_int8_weight_fp32_activation(const Proxy& input, const Proxy& weight, const Proxy& packed, const Proxy& col_offsets, const ScalarArg& weight_scale, const ScalarArg& weight_zero_point, const Proxy& bias, Where where = Where::current());
/// torch.fbgemm_linear_quantize_weight: aten.fbgemm_linear_quantize_weight.default
Results<4> fbgemm_linear_quantize_weight(const Proxy& input, Where where = Where::current());
/// torch.fbgemm_pack_gemm_matrix_fp16: aten.fbgemm_pack_gemm_matrix_fp16.default
Proxy fbgemm_pack_gemm_matrix_fp16(const Proxy& input, Where where = Where::current());
/// torch.fbgemm_pack_quantized_matrix: aten.fbgemm_pack_quantized_matrix.default
Proxy fbgemm_pack_quantized_matrix(const Proxy& input, Where where = Where::current());
/// torch.fbgemm_pack_quantized_matrix: aten.fbgemm_pack_quantized_matrix.KN
Proxy fbgemm_pack_quantized_matrix(const Proxy& input, const IntArg& K, const IntArg& N, Where where = Where::current());
/// torch.feature_alpha_dropout: aten.feature_alpha_dropout.default
Proxy feature_alpha_dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch.feature_alpha_dropout_: aten.feature_alpha_dropout_.default
Proxy feature_alpha_dropout_(const Proxy& self, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch.feature_dropout: aten.feature_dropout.default
Proxy feature_dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch.feature_dropout_: aten.feature_dropout_.default
Proxy feature_dropout_(const Proxy& self, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch._C._fft.fft_fft: aten.fft_fft.default
Proxy fft_fft(const Proxy& self, const IntArg& n = {}, const IntArg& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_fft2: aten.fft_fft2.default
Proxy fft_fft2(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_fftfreq: aten.fft_fftfreq.default
Proxy fft_fftfreq(TracerBase& tracer, const IntArg& n, const FloatArg& d = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch._C._fft.fft_fftn: aten.fft_fftn.default
Proxy fft_fftn(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_fftshift: aten.fft_fftshift.default
Proxy fft_fftshift(const Proxy& self, const IntList& dim = {}, Where where = Where::current());
/// torch._C._fft.fft_hfft: aten.fft_hfft.default
Proxy fft_hfft(const Proxy& self, const IntArg& n = {}, const IntArg& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_hfft2: aten.fft_hfft2.default
Proxy fft_hfft2(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_hfftn: aten.fft_hfftn.default
Proxy fft_hfftn(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_ifft: aten.fft_ifft.default
Proxy fft_ifft(const Proxy& self, const IntArg& n = {}, const IntArg& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_ifft2: aten.fft_ifft2.default
Proxy fft_ifft2(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_ifftn: aten.fft_ifftn.default
Proxy fft_ifftn(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_ifftshift: aten.fft_ifftshift.default
Proxy fft_ifftshift(const Proxy& self, const IntList& dim = {}, Where where = Where::current());
/// torch._C._fft.fft_ihfft: aten.fft_ihfft.default
Proxy fft_ihfft(const Proxy& self, const IntArg& n = {}, const IntArg& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_ihfft2: aten.fft_ihfft2.default
Proxy fft_ihfft2(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_ihfftn: aten.fft_ihfftn.default
Proxy fft_ihfftn(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_irfft: aten.fft_irfft.default
Proxy fft_irfft(const Proxy& self, const IntArg& n = {}, const IntArg& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_irfft2: aten.fft_irfft2.default
Proxy fft_irfft2(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_irfftn: aten.fft_irfftn.default
Proxy fft_irfftn(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_rfft: aten.fft_rfft.default
Proxy fft_rfft(const Proxy& self, const IntArg& n = {}, const IntArg& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_rfft2: aten.fft_rfft2.default
Proxy fft_rfft2(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch._C._fft.fft_rfftfreq: aten.fft_rfftfreq.default
Proxy fft_rfftfreq(TracerBase& tracer, const IntArg& n, const FloatArg& d = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch._C._fft.fft_rfftn: aten.fft_rfftn.default
Proxy fft_rfftn(const Proxy& self, const IntList& s = {}, const IntList& dim = {}, const StringArg& norm = {}, Where where = Where::current());
/// torch.fill: aten.fill.Scalar
Proxy fill(const Proxy& self, const ScalarArg& value, Where where = Where::current());
/// torch.fill: aten.fill.Tensor
Proxy fill(const Proxy& self, const Proxy& value, Where where = Where::current());
/// torch.fill_: aten.fill_.Scalar
Proxy fill_(const Proxy& self, const ScalarArg& value, Where where = Where::current());
/// torch.fill_: aten.fill_.Tensor
Proxy fill_(const Proxy& self, const Proxy& value, Where where = Where::current());
/// torch.fix: aten.fix.default
Proxy fix(const Proxy& self, Where where = Where::current());
/// torch.fix_: aten.fix_.default
Proxy fix_(const Proxy& self, Where where = Where::current());
/// torch.flatten: aten.flatten.using_ints
Proxy flatten(const Proxy& self, const IntArg& start_dim = {}, const IntArg& end_dim = {}, Where where = Where::current());
/// torch._C._nn.flatten_dense_tensors: aten.flatten_dense_tensors.default
Proxy flatten_dense_tensors(const TensorList& tensors, Where where = Where::current());
/// torch.flip: aten.flip.default
Proxy flip(const Proxy& self, const IntList& dims, Where where = Where::current());
/// torch.fliplr: aten.fliplr.default
Proxy fliplr(const Proxy& self, Where where = Where::current());
/// torch.flipud: aten.flipud.default
Proxy flipud(const Proxy& self, Where where = Where::current());
/// torch.float_power: aten.float_power.Tensor_Tensor
Proxy float_power(const Proxy& self, const Proxy& exponent, Where where = Where::current());
/// torch.float_power: aten.float_power.Tensor_Scalar
Proxy float_power(const Proxy& self, const ScalarArg& exponent, Where where = Where::current());
/// torch.float_power: aten.float_power.Scalar
Proxy float_power(const ScalarArg& self, const Proxy& exponent, Where where = Where::current());
/// torch.floor: aten.floor.default
Proxy floor(const Proxy& self, Where where = Where::current());
/// torch.floor_: aten.floor_.default
Proxy floor_(const Proxy& self, Where where = Where::current());
/// torch.floor_divide: aten.floor_divide.default
Proxy floor_divide(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.floor_divide: aten.floor_divide.Scalar
Proxy floor_divide(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.fmax: aten.fmax.default
Proxy fmax(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.fmin: aten.fmin.default
Proxy fmin(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.fmod: aten.fmod.Tensor
Proxy fmod(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.fmod: aten.fmod.Scalar
Proxy fmod(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.frac: aten.frac.default
Proxy frac(const Proxy& self, Where where = Where::current());
/// torch.frac_: aten.frac_.default
Proxy frac_(const Proxy& self, Where where = Where::current());
/// torch._C._nn.fractional_max_pool2d: aten.fractional_max_pool2d.default
Results<2> fractional_max_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& output_size, const Proxy& random_samples, Where where = Where::current());
/// torch._C._nn.fractional_max_pool3d: aten.fractional_max_pool3d.default
Results<2> fractional_max_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& output_size, const Proxy& random_samples, Where where = Where::current());
/// torch.frexp: aten.frexp.Tensor
Results<2> frexp(const Proxy& self, Where where = Where::current());
/// torch.frobenius_norm: aten.frobenius_norm.dim
Proxy frobenius_norm(const Proxy& self, const IntList& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.from_file: aten.from_file.default
Proxy from_file(TracerBase& tracer, const StringArg& filename, const BoolArg& shared = {}, const IntArg& size = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.full: aten.full.default
Proxy full(TracerBase& tracer, const IntList& size, const ScalarArg& fill_value, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.full_like: aten.full_like.default
Proxy full_like(const Proxy& self, const ScalarArg& fill_value, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.fused_moving_avg_obs_fake_quant: aten.fused_moving_avg_obs_fake_quant.default
Proxy fused_moving_avg_obs_fake_quant(const Proxy& self, const Proxy& observer_on, const Proxy& fake_quant_on, const Proxy& running_min, const Proxy& running_max, const Proxy& scale, const Proxy& zero_point, const FloatArg& averaging_const, const IntArg& quant_min, const IntArg& quant_max, const IntArg& ch_axis, const BoolArg& per_row_fake_quant = {}, const BoolArg& symmetric_quant = {}, Where where = Where::current());
/// torch.gather: aten.gather.default
Proxy gather(const Proxy& self, const IntArg& dim, const Proxy& index, const BoolArg& sparse_grad = {}, Where where = Where::current());
/// torch.gcd: aten.gcd.default
Proxy gcd(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.gcd_: aten.gcd_.default
Proxy gcd_(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.ge: aten.ge.Tensor
Proxy ge(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.ge: aten.ge.Scalar
Proxy ge(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch._C._nn.gelu: aten.gelu.default
Proxy gelu(const Proxy& self, const StringArg& approximate = {}, Where where = Where::current());
/// torch._C._nn.gelu_: aten.gelu_.default
Proxy gelu_(const Proxy& self, const StringArg& approximate = {}, Where where = Where::current());
/// torch.geqrf: aten.geqrf.default
Results<2> geqrf(const Proxy& self, Where where = Where::current());
/// torch.ger: aten.ger.default
Proxy ger(const Proxy& self, const Proxy& vec2, Where where = Where::current());
/// torch.get_device: aten.get_device.default
Proxy get_device(const Proxy& self, Where where = Where::current());
/// torch._C._nn.glu: aten.glu.default
Proxy glu(const Proxy& self, const IntArg& dim = {}, Where where = Where::current());
/// torch.gradient: aten.gradient.scalarint
Proxy gradient(const Proxy& self, const ScalarArg& spacing = {}, const IntArg& dim = {}, const IntArg& edge_order = {}, Where where = Where::current());
/// torch.gradient: aten.gradient.scalarrayint
Proxy gradient(const Proxy& self, const ScalarList& spacing, const IntArg& dim = {}, const IntArg& edge_order = {}, Where where = Where::current());
/// torch.gradient: aten.gradient.tensorarrayint
Proxy gradient(const Proxy& self, const TensorList& spacing, const IntArg& dim = {}, const IntArg& edge_order = {}, Where where = Where::current());
/// torch.greater: aten.greater.Tensor
Proxy greater(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.greater: aten.greater.Scalar
Proxy greater(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.greater_equal: aten.greater_equal.Tensor
Proxy greater_equal(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.greater_equal: aten.greater_equal.Scalar
Proxy greater_equal(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.grid_sampler: aten.grid_sampler.default
Proxy grid_sampler(const Proxy& input, const Proxy& grid, const IntArg& interpolation_mode, const IntArg& padding_mode, const BoolArg& align_corners, Where where = Where::current());
/// torch.grid_sampler_2d: aten.grid_sampler_2d.default
Proxy grid_sampler_2d(const Proxy& input, const Proxy& grid, const IntArg& interpolation_mode, const IntArg& padding_mode, const BoolArg& align_corners, Where where = Where::current());
/// torch.grid_sampler_3d: aten.grid_sampler_3d.default
Proxy grid_sampler_3d(const Proxy& input, const Proxy& grid, const IntArg& interpolation_mode, const IntArg& padding_mode, const BoolArg& align_corners, Where where = Where::current());
/// torch.group_norm: aten.group_norm.default
Proxy group_norm(const Proxy& input, const IntArg& num_groups, const OptionalTensor& weight = {}, const OptionalTensor& bias = {}, const FloatArg& eps = {}, const BoolArg& cudnn_enabled = {}, Where where = Where::current());
/// torch.gru: aten.gru.input
Results<2> gru(const Proxy& input, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const BoolArg& batch_first, Where where = Where::current());
/// torch.gru: aten.gru.data
Results<2> gru(const Proxy& data, const Proxy& batch_sizes, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, Where where = Where::current());
/// torch.gru_cell: aten.gru_cell.default
Proxy gru_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const OptionalTensor& b_ih = {}, const OptionalTensor& b_hh = {}, Where where = Where::current());
/// torch.gt: aten.gt.Tensor
Proxy gt(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.gt: aten.gt.Scalar
Proxy gt(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.hamming_window: aten.hamming_window.default
Proxy hamming_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.hamming_window: aten.hamming_window.periodic
Proxy hamming_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.hamming_window: aten.hamming_window.periodic_alpha
Proxy hamming_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const FloatArg& alpha, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.hamming_window: aten.hamming_window.periodic_alpha_beta
Proxy hamming_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const FloatArg& alpha, const FloatArg& beta, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.hann_window: aten.hann_window.default
Proxy hann_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.hann_window: aten.hann_window.periodic
Proxy hann_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.hardshrink: aten.hardshrink.default
Proxy hardshrink(const Proxy& self, const ScalarArg& lambd = {}, Where where = Where::current());
/// torch._C._nn.hardsigmoid: aten.hardsigmoid.default
Proxy hardsigmoid(const Proxy& self, Where where = Where::current());
/// torch._C._nn.hardsigmoid_: aten.hardsigmoid_.default
Proxy hardsigmoid_(const Proxy& self, Where where = Where::current());
/// torch._C._nn.hardswish: aten.hardswish.default
Proxy hardswish(const Proxy& self, Where where = Where::current());
/// torch._C._nn.hardswish_: aten.hardswish_.default
Proxy hardswish_(const Proxy& self, Where where = Where::current());
/// torch._C._nn.hardtanh: aten.hardtanh.default
Proxy hardtanh(const Proxy& self, const ScalarArg& min_val = {}, const ScalarArg& max_val = {}, Where where = Where::current());
/// torch._C._nn.hardtanh_: aten.hardtanh_.default
Proxy hardtanh_(const Proxy& self, const ScalarArg& min_val = {}, const ScalarArg& max_val = {}, Where where = Where::current());
/// torch.hash_tensor: aten.hash_tensor.default
Proxy hash_tensor(const Proxy& self, const IntList& dim = {}, const BoolArg& keepdim = {}, const IntArg& mode = {}, Where where = Where::current());
/// torch.heaviside: aten.heaviside.default
Proxy heaviside(const Proxy& self, const Proxy& values, Where where = Where::current());
/// torch.hinge_embedding_loss: aten.hinge_embedding_loss.default
Proxy hinge_embedding_loss(const Proxy& self, const Proxy& target, const FloatArg& margin = {}, const IntArg& reduction = {}, Where where = Where::current());
/// torch.histc: aten.histc.default
Proxy histc(const Proxy& self, const IntArg& bins = {}, const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current());
/// torch.histogram: aten.histogram.bins_tensor
Results<2> histogram(const Proxy& self, const Proxy& bins, const OptionalTensor& weight = {}, const BoolArg& density = {}, Where where = Where::current());
/// torch.histogram: aten.histogram.bin_ct
Results<2> histogram(const Proxy& self, const IntArg& bins = {}, const FloatList& range = {}, const OptionalTensor& weight = {}, const BoolArg& density = {}, Where where = Where::current());
/// torch.histogramdd: aten.histogramdd.default
Results<2> histogramdd(const Proxy& self, const IntList& bins, const FloatList& range = {}, const OptionalTensor& weight = {}, const BoolArg& density = {}, Where where = Where::current());
/// torch.histogramdd: aten.histogramdd.TensorList_bins
Results<2> histogramdd(const Proxy& self, const TensorList& bins, const FloatList& range = {}, const OptionalTensor& weight = {}, const BoolArg& density = {}, Where where = Where::current());
/// torch.hsplit: aten.hsplit.array
Proxy hsplit(const Proxy& self, const IntList& indices, Where where = Where::current());
/// torch.hspmm: aten.hspmm.default
Proxy hspmm(const Proxy& mat1, const Proxy& mat2, Where where = Where::current());
/// torch.hstack: aten.hstack.default
Proxy hstack(const TensorList& tensors, Where where = Where::current());
/// torch._C._nn.huber_loss: aten.huber_loss.default
Proxy huber_loss(const Proxy& self, const Proxy& target, const IntArg& reduction = {}, const FloatArg& delta = {}, Where where = Where::current());
/// torch.hypot: aten.hypot.default
Proxy hypot(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.i0: aten.i0.default
Proxy i0(const Proxy& self, Where where = Where::current());
/// torch.i0_: aten.i0_.default
Proxy i0_(const Proxy& self, Where where = Where::current());
/// torch.igamma: aten.igamma.default
Proxy igamma(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.igammac: aten.igammac.default
Proxy igammac(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch._C._nn.im2col: aten.im2col.default
Proxy im2col(const Proxy& self, const IntList& kernel_size, const IntList& dilation, const IntList& padding, const IntList& stride, Where where = Where::current());
/// torch.imag: aten.imag.default
Proxy imag(const Proxy& self, Where where = Where::current());
/// torch.index_add: aten.index_add.default
Proxy index_add(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& source, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.index_copy: aten.index_copy.default
Proxy index_copy(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& source, Where where = Where::current());
/// torch.index_fill: aten.index_fill.int_Tensor
Proxy index_fill(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& value, Where where = Where::current());
/// torch.index_fill: aten.index_fill.int_Scalar
Proxy index_fill(const Proxy& self, const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where = Where::current());
/// torch.index_put: aten.index_put.default
Proxy index_put(const Proxy& self, const OptionalTensorList& indices, const Proxy& values, const BoolArg& accumulate = {}, Where where = Where::current());
/// torch.index_put_: aten.index_put_.default
Proxy index_put_(const Proxy& self, const OptionalTensorList& indices, const Proxy& values, const BoolArg& accumulate = {}, Where where = Where::current());
/// torch.index_reduce: aten.index_reduce.default
Proxy index_reduce(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& source, const StringArg& reduce, const BoolArg& include_self = {}, Where where = Where::current());
/// torch.index_select: aten.index_select.default
Proxy index_select(const Proxy& self, const IntArg& dim, const Proxy& index, Where where = Where::current());
/// torch.indices_copy: aten.indices_copy.default
Proxy indices_copy(const Proxy& self, Where where = Where::current());
/// torch.inner: aten.inner.default
Proxy inner(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.instance_norm: aten.instance_norm.default
Proxy instance_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& use_input_stats, const FloatArg& momentum, const FloatArg& eps, const BoolArg& cudnn_enabled, Where where = Where::current());
/// torch.int_repr: aten.int_repr.default
Proxy int_repr(const Proxy& self, Where where = Where::current());
/// torch.inverse: aten.inverse.default
Proxy inverse(const Proxy& self, Where where = Where::current());
/// torch.is_complex: aten.is_complex.default
Proxy is_complex(const Proxy& self, Where where = Where::current());
/// torch.is_conj: aten.is_conj.default
Proxy is_conj(const Proxy& self, Where where = Where::current());
/// torch.is_distributed: aten.is_distributed.default
Proxy is_distributed(const Proxy& self, Where where = Where::current());
/// torch.is_floating_point: aten.is_floating_point.default
Proxy is_floating_point(const Proxy& self, Where where = Where::current());
/// torch.is_inference: aten.is_inference.default
Proxy is_inference(const Proxy& self, Where where = Where::current());
/// torch.is_neg: aten.is_neg.default
Proxy is_neg(const Proxy& self, Where where = Where::current());
/// torch.is_nonzero: aten.is_nonzero.default
Proxy is_nonzero(const Proxy& self, Where where = Where::current());
/// torch.is_same_size: aten.is_same_size.default
Proxy is_same_size(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.is_signed: aten.is_signed.default
Proxy is_signed(const Proxy& self, Where where = Where::current());
/// torch.is_vulkan_available: aten.is_vulkan_available.default
Proxy is_vulkan_available(TracerBase& tracer, Where where = Where::current());
/// torch.isclose: aten.isclose.default
Proxy isclose(const Proxy& self, const Proxy& other, const FloatArg& rtol = {}, const FloatArg& atol = {}, const BoolArg& equal_nan = {}, Where where = Where::current());
/// torch.isfinite: aten.isfinite.default
Proxy isfinite(const Proxy& self, Where where = Where::current());
/// torch.isin: aten.isin.Tensor_Tensor
Proxy isin(const Proxy& elements, const Proxy& test_elements, const BoolArg& assume_unique = {}, const BoolArg& invert = {}, Where where = Where::current());
/// torch.isin: aten.isin.Tensor_Scalar
Proxy isin(const Proxy& elements, const ScalarArg& test_element, const BoolArg& assume_unique = {}, const BoolArg& invert = {}, Where where = Where::current());
/// torch.isin: aten.isin.Scalar_Tensor
Proxy isin(const ScalarArg& element, const Proxy& test_elements, const BoolArg& assume_unique = {}, const BoolArg& invert = {}, Where where = Where::current());
/// torch.isinf: aten.isinf.default
Proxy isinf(const Proxy& self, Where where = Where::current());
/// torch.isnan: aten.isnan.default
Proxy isnan(const Proxy& self, Where where = Where::current());
/// torch.isneginf: aten.isneginf.default
Proxy isneginf(const Proxy& self, Where where = Where::current());
/// torch.isposinf: aten.isposinf.default
Proxy isposinf(const Proxy& self, Where where = Where::current());
/// torch.isreal: aten.isreal.default
Proxy isreal(const Proxy& self, Where where = Where::current());
/// torch.istft: aten.istft.default
Proxy istft(const Proxy& self, const IntArg& n_fft, const IntArg& hop_length = {}, const IntArg& win_length = {}, const OptionalTensor& window = {}, const BoolArg& center = {}, const BoolArg& normalized = {}, const BoolArg& onesided = {}, const IntArg& length = {}, const BoolArg& return_complex = {}, Where where = Where::current());
/// torch.kaiser_window: aten.kaiser_window.default
Proxy kaiser_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.kaiser_window: aten.kaiser_window.periodic
Proxy kaiser_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.kaiser_window: aten.kaiser_window.beta
Proxy kaiser_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const FloatArg& beta, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.kl_div: aten.kl_div.default
Proxy kl_div(const Proxy& self, const Proxy& target, const IntArg& reduction = {}, const BoolArg& log_target = {}, Where where = Where::current());
/// torch.kron: aten.kron.default
Proxy kron(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.kthvalue: aten.kthvalue.default
Results<2> kthvalue(const Proxy& self, const IntArg& k, const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch._C._nn.l1_loss: aten.l1_loss.default
Proxy l1_loss(const Proxy& self, const Proxy& target, const IntArg& reduction = {}, Where where = Where::current());
/// torch.layer_norm: aten.layer_norm.default
Proxy layer_norm(const Proxy& input, const IntList& normalized_shape, const OptionalTensor& weight = {}, const OptionalTensor& bias = {}, const FloatArg& eps = {}, const BoolArg& cudnn_enable = {}, Where where = Where::current());
/// torch.lcm: aten.lcm.default
Proxy lcm(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.lcm_: aten.lcm_.default
Proxy lcm_(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.ldexp: aten.ldexp.Tensor
Proxy ldexp(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.ldexp_: aten.ldexp_.default
Proxy ldexp_(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.le: aten.le.Tensor
Proxy le(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.le: aten.le.Scalar
Proxy le(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch._C._nn.leaky_relu: aten.leaky_relu.default
Proxy leaky_relu(const Proxy& self, const ScalarArg& negative_slope = {}, Where where = Where::current());
/// torch._C._nn.leaky_relu_: aten.leaky_relu_.default
Proxy leaky_relu_(const Proxy& self, const ScalarArg& negative_slope = {}, Where where = Where::current());
/// torch.lerp: aten.lerp.Scalar
Proxy lerp(const Proxy& self, const Proxy& end, const ScalarArg& weight, Where where = Where::current());
/// torch.lerp: aten.lerp.Tensor
Proxy lerp(const Proxy& self, const Proxy& end, const Proxy& weight, Where where = Where::current());
/// torch.less: aten.less.Tensor
Proxy less(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.less: aten.less.Scalar
Proxy less(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.less_equal: aten.less_equal.Tensor
Proxy less_equal(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.less_equal: aten.less_equal.Scalar
Proxy less_equal(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.lgamma: aten.lgamma.default
Proxy lgamma(const Proxy& self, Where where = Where::current());
/// torch._C._linalg.linalg__powsum: aten.linalg__powsum.default
Proxy linalg__powsum(const Proxy& self, const ScalarArg& ord = {}, const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._linalg.linalg_cholesky: aten.linalg_cholesky.default
Proxy linalg_cholesky(const Proxy& self, const BoolArg& upper = {}, Where where = Where::current());
/// torch._C._linalg.linalg_cholesky_ex: aten.linalg_cholesky_ex.default
Results<2> linalg_cholesky_ex(const Proxy& self, const BoolArg& upper = {}, const BoolArg& check_errors = {}, Where where = Where::current());
/// torch._C._linalg.linalg_cond: aten.linalg_cond.default
Proxy linalg_cond(const Proxy& self, const ScalarArg& p = {}, Where where = Where::current());
/// torch._C._linalg.linalg_cond: aten.linalg_cond.p_str
Proxy linalg_cond(const Proxy& self, const StringArg& p, Where where = Where::current());
/// torch._C._linalg.linalg_cross: aten.linalg_cross.default
Proxy linalg_cross(const Proxy& self, const Proxy& other, const IntArg& dim = {}, Where where = Where::current());
/// torch._C._linalg.linalg_det: aten.linalg_det.default
Proxy linalg_det(const Proxy& A, Where where = Where::current());
/// torch._C._linalg.linalg_diagonal: aten.linalg_diagonal.default
Proxy linalg_diagonal(const Proxy& A, const IntArg& offset = {}, const IntArg& dim1 = {}, const IntArg& dim2 = {}, Where where = Where::current());
/// torch._C._linalg.linalg_eig: aten.linalg_eig.default
Results<2> linalg_eig(const Proxy& self, Where where = Where::current());
/// torch._C._linalg.linalg_eigh: aten.linalg_eigh.default
Results<2> linalg_eigh(const Proxy& self, const StringArg& UPLO = {}, Where where = Where::current());
/// torch._C._linalg.linalg_eigvals: aten.linalg_eigvals.default
Proxy linalg_eigvals(const Proxy& self, Where where = Where::current());
/// torch._C._linalg.linalg_eigvalsh: aten.linalg_eigvalsh.default
Proxy linalg_eigvalsh(const Proxy& self, const StringArg& UPLO = {}, Where where = Where::current());
/// torch._C._linalg.linalg_householder_product: aten.linalg_householder_product.default
Proxy linalg_householder_product(const Proxy& input, const Proxy& tau, Where where = Where::current());
/// torch._C._linalg.linalg_inv: aten.linalg_inv.default
Proxy linalg_inv(const Proxy& A, Where where = Where::current());
/// torch._C._linalg.linalg_inv_ex: aten.linalg_inv_ex.default
Results<2> linalg_inv_ex(const Proxy& A, const BoolArg& check_errors = {}, Where where = Where::current());
/// torch._C._linalg.linalg_ldl_factor: aten.linalg_ldl_factor.default
Results<2> linalg_ldl_factor(const Proxy& self, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_ldl_factor_ex: aten.linalg_ldl_factor_ex.default
Results<3> linalg_ldl_factor_ex(const Proxy& self, const BoolArg& hermitian = {}, const BoolArg& check_errors = {}, Where where = Where::current());
/// torch._C._linalg.linalg_ldl_solve: aten.linalg_ldl_solve.default
Proxy linalg_ldl_solve(const Proxy& LD, const Proxy& pivots, const Proxy& B, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_lstsq: aten.linalg_lstsq.default
Results<4> linalg_lstsq(const Proxy& self, const Proxy& b, const FloatArg& rcond = {}, const StringArg& driver = {}, Where where = Where::current());
/// torch._C._linalg.linalg_lu: aten.linalg_lu.default
Results<3> linalg_lu(const Proxy& A, const BoolArg& pivot = {}, Where where = Where::current());
/// torch._C._linalg.linalg_lu_factor: aten.linalg_lu_factor.default
Results<2> linalg_lu_factor(const Proxy& A, const BoolArg& pivot = {}, Where where = Where::current());
/// torch._C._linalg.linalg_lu_factor_ex: aten.linalg_lu_factor_ex.default
Results<3> linalg_lu_factor_ex(const Proxy& A, const BoolArg& pivot = {}, const BoolArg& check_errors = {}, Where where = Where::current());
/// torch._C._linalg.linalg_lu_solve: aten.linalg_lu_solve.default
Proxy linalg_lu_solve(const Proxy& LU, const Proxy& pivots, const Proxy& B, const BoolArg& left = {}, const BoolArg& adjoint = {}, Where where = Where::current());
/// torch._C._linalg.linalg_matmul: aten.linalg_matmul.default
Proxy linalg_matmul(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch._C._linalg.linalg_matrix_exp: aten.linalg_matrix_exp.default
Proxy linalg_matrix_exp(const Proxy& self, Where where = Where::current());
/// torch._C._linalg.linalg_matrix_norm: aten.linalg_matrix_norm.default
Proxy linalg_matrix_norm(const Proxy& self, const ScalarArg& ord, const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._linalg.linalg_matrix_norm: aten.linalg_matrix_norm.str_ord
Proxy linalg_matrix_norm(const Proxy& self, const StringArg& ord = {}, const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._linalg.linalg_matrix_power: aten.linalg_matrix_power.default
Proxy linalg_matrix_power(const Proxy& self, const IntArg& n, Where where = Where::current());
/// torch._C._linalg.linalg_matrix_rank: aten.linalg_matrix_rank.default
Proxy linalg_matrix_rank(const Proxy& self, const FloatArg& tol, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_matrix_rank: aten.linalg_matrix_rank.tol_tensor
Proxy linalg_matrix_rank(const Proxy& input, const Proxy& tol, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_matrix_rank: aten.linalg_matrix_rank.atol_rtol_tensor
Proxy linalg_matrix_rank(const Proxy& input, const OptionalTensor& atol = {}, const OptionalTensor& rtol = {}, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_matrix_rank: aten.linalg_matrix_rank.atol_rtol_float
Proxy linalg_matrix_rank(const Proxy& self, const FloatArg& atol, const FloatArg& rtol, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_multi_dot: aten.linalg_multi_dot.default
Proxy linalg_multi_dot(const TensorList& tensors, Where where = Where::current());
/// torch._C._linalg.linalg_norm: aten.linalg_norm.default
Proxy linalg_norm(const Proxy& self, const ScalarArg& ord = {}, const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._linalg.linalg_norm: aten.linalg_norm.ord_str
Proxy linalg_norm(const Proxy& self, const StringArg& ord, const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._linalg.linalg_pinv: aten.linalg_pinv.default
Proxy linalg_pinv(const Proxy& self, const FloatArg& rcond, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_pinv: aten.linalg_pinv.atol_rtol_float
Proxy linalg_pinv(const Proxy& self, const FloatArg& atol, const FloatArg& rtol, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_pinv: aten.linalg_pinv.atol_rtol_tensor
Proxy linalg_pinv(const Proxy& self, const OptionalTensor& atol = {}, const OptionalTensor& rtol = {}, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_pinv: aten.linalg_pinv.rcond_tensor
Proxy linalg_pinv(const Proxy& self, const Proxy& rcond, const BoolArg& hermitian = {}, Where where = Where::current());
/// torch._C._linalg.linalg_qr: aten.linalg_qr.default
Results<2> linalg_qr(const Proxy& A, const StringArg& mode = {}, Where where = Where::current());
/// torch._C._linalg.linalg_slogdet: aten.linalg_slogdet.default
Results<2> linalg_slogdet(const Proxy& A, Where where = Where::current());
/// torch._C._linalg.linalg_solve: aten.linalg_solve.default
Proxy linalg_solve(const Proxy& A, const Proxy& B, const BoolArg& left = {}, Where where = Where::current());
/// torch._C._linalg.linalg_solve_ex: aten.linalg_solve_ex.default
Results<2> linalg_solve_ex(const Proxy& A, const Proxy& B, const BoolArg& left = {}, const BoolArg& check_errors = {}, Where where = Where::current());
/// torch._C._linalg.linalg_solve_triangular: aten.linalg_solve_triangular.default
Proxy linalg_solve_triangular(const Proxy& self, const Proxy& B, const BoolArg& upper, const BoolArg& left = {}, const BoolArg& unitriangular = {}, Where where = Where::current());
/// torch._C._linalg.linalg_svd: aten.linalg_svd.default
Results<3> linalg_svd(const Proxy& A, const BoolArg& full_matrices = {}, const StringArg& driver = {}, Where where = Where::current());
/// torch._C._linalg.linalg_svdvals: aten.linalg_svdvals.default
Proxy linalg_svdvals(const Proxy& A, const StringArg& driver = {}, Where where = Where::current());
/// torch._C._linalg.linalg_tensorinv: aten.linalg_tensorinv.default
Proxy linalg_tensorinv(const Proxy& self, const IntArg& ind = {}, Where where = Where::current());
/// torch._C._linalg.linalg_tensorsolve: aten.linalg_tensorsolve.default
Proxy linalg_tensorsolve(const Proxy& self, const Proxy& other, const IntList& dims = {}, Where where = Where::current());
/// torch._C._linalg.linalg_vander: aten.linalg_vander.default
Proxy linalg_vander(const Proxy& x, const IntArg& N = {}, Where where = Where::current());
/// torch._C._linalg.linalg_vecdot: aten.linalg_vecdot.default
Proxy linalg_vecdot(const Proxy& x, const Proxy& y, const IntArg& dim = {}, Where where = Where::current());
/// torch._C._linalg.linalg_vector_norm: aten.linalg_vector_norm.default
Proxy linalg_vector_norm(const Proxy& self, const ScalarArg& ord = {}, const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._nn.linear: aten.linear.default
Proxy linear(const Proxy& input, const Proxy& weight, const OptionalTensor& bias = {}, Where where = Where::current());
/// torch.linspace: aten.linspace.Tensor_Tensor
Proxy linspace(const Proxy& start, const Proxy& end, const IntArg& steps, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.linspace: aten.linspace.Tensor_Scalar
Proxy linspace(const Proxy& start, const ScalarArg& end, const IntArg& steps, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.linspace: aten.linspace.Scalar_Tensor
Proxy linspace(const ScalarArg& start, const Proxy& end, const IntArg& steps, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.linspace: aten.linspace.default
Proxy linspace(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const IntArg& steps, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.log: aten.log.default
Proxy log(const Proxy& self, Where where = Where::current());
/// torch.log10: aten.log10.default
Proxy log10(const Proxy& self, Where where = Where::current());
/// torch.log10_: aten.log10_.default
Proxy log10_(const Proxy& self, Where where = Where::current());
/// torch.log1p: aten.log1p.default
Proxy log1p(const Proxy& self, Where where = Where::current());
/// torch.log1p_: aten.log1p_.default
Proxy log1p_(const Proxy& self, Where where = Where::current());
/// torch.log2: aten.log2.default
Proxy log2(const Proxy& self, Where where = Where::current());
/// torch.log2_: aten.log2_.default
Proxy log2_(const Proxy& self, Where where = Where::current());
/// torch.log_: aten.log_.default
Proxy log_(const Proxy& self, Where where = Where::current());
/// torch._C._nn.log_sigmoid: aten.log_sigmoid.default
Proxy log_sigmoid(const Proxy& self, Where where = Where::current());
/// torch.log_softmax: aten.log_softmax.int
Proxy log_softmax(const Proxy& self, const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.logaddexp: aten.logaddexp.default
Proxy logaddexp(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.logaddexp2: aten.logaddexp2.default
Proxy logaddexp2(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.logcumsumexp: aten.logcumsumexp.default
Proxy logcumsumexp(const Proxy& self, const IntArg& dim, Where where = Where::current());
/// torch.logdet: aten.logdet.default
Proxy logdet(const Proxy& self, Where where = Where::current());
/// torch.logical_and: aten.logical_and.default
Proxy logical_and(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.logical_not: aten.logical_not.default
Proxy logical_not(const Proxy& self, Where where = Where::current());
/// torch.logical_or: aten.logical_or.default
Proxy logical_or(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.logical_xor: aten.logical_xor.default
Proxy logical_xor(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.logit: aten.logit.default
Proxy logit(const Proxy& self, const FloatArg& eps = {}, Where where = Where::current());
/// torch.logit_: aten.logit_.default
Proxy logit_(const Proxy& self, const FloatArg& eps = {}, Where where = Where::current());
/// torch.logspace: aten.logspace.Tensor_Tensor
Proxy logspace(const Proxy& start, const Proxy& end, const IntArg& steps, const FloatArg& base = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.logspace: aten.logspace.Tensor_Scalar
Proxy logspace(const Proxy& start, const ScalarArg& end, const IntArg& steps, const FloatArg& base = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.logspace: aten.logspace.Scalar_Tensor
Proxy logspace(const ScalarArg& start, const Proxy& end, const IntArg& steps, const FloatArg& base = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.logspace: aten.logspace.default
Proxy logspace(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const IntArg& steps, const FloatArg& base = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.logsumexp: aten.logsumexp.default
Proxy logsumexp(const Proxy& self, const IntList& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.lstm: aten.lstm.input
Results<3> lstm(const Proxy& input, const TensorList& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const BoolArg& batch_first, Where where = Where::current());
/// torch.lstm: aten.lstm.data
Results<3> lstm(const Proxy& data, const Proxy& batch_sizes, const TensorList& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, Where where = Where::current());
/// torch.lstm_cell: aten.lstm_cell.default
Results<2> lstm_cell(const Proxy& input, const TensorList& hx, const Proxy& w_ih, const Proxy& w_hh, const OptionalTensor& b_ih = {}, const OptionalTensor& b_hh = {}, Where where = Where::current());
/// torch.lt: aten.lt.Tensor
Proxy lt(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.lt: aten.lt.Scalar
Proxy lt(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.lu_solve: aten.lu_solve.default
Proxy lu_solve(const Proxy& self, const Proxy& LU_data, const Proxy& LU_pivots, Where where = Where::current());
/// torch.lu_unpack: aten.lu_unpack.default
Results<3> lu_unpack(const Proxy& LU_data, const Proxy& LU_pivots, const BoolArg& unpack_data = {}, const BoolArg& unpack_pivots = {}, Where where = Where::current());
/// torch.margin_ranking_loss: aten.margin_ranking_loss.default
Proxy margin_ranking_loss(const Proxy& input1, const Proxy& input2, const Proxy& target, const FloatArg& margin = {}, const IntArg& reduction = {}, Where where = Where::current());
/// torch.masked_fill: aten.masked_fill.Scalar
Proxy masked_fill(const Proxy& self, const Proxy& mask, const ScalarArg& value, Where where = Where::current());
/// torch.masked_fill: aten.masked_fill.Tensor
Proxy masked_fill(const Proxy& self, const Proxy& mask, const Proxy& value, Where where = Where::current());
/// torch.masked_scatter: aten.masked_scatter.default
Proxy masked_scatter(const Proxy& self, const Proxy& mask, const Proxy& source, Where where = Where::current());
/// torch.masked_select: aten.masked_select.default
Proxy masked_select(const Proxy& self, const Proxy& mask, Where where = Where::current());
/// torch.matmul: aten.matmul.default
Proxy matmul(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.matrix_exp: aten.matrix_exp.default
Proxy matrix_exp(const Proxy& self, Where where = Where::current());
/// torch.matrix_power: aten.matrix_power.default
Proxy matrix_power(const Proxy& self, const IntArg& n, Where where = Where::current());
/// torch.max: aten.max.other
Proxy max(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.max: aten.max.default
Proxy max(const Proxy& self, Where where = Where::current());
/// torch.max: aten.max.dim
Results<2> max(const Proxy& self, const IntArg& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.max_pool1d: aten.max_pool1d.default
Proxy max_pool1d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch.max_pool1d_with_indices: aten.max_pool1d_with_indices.default
Results<2> max_pool1d_with_indices(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch.max_pool2d: aten.max_pool2d.default
Proxy max_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch._C._nn.max_pool2d_with_indices: aten.max_pool2d_with_indices.default
Results<2> max_pool2d_with_indices(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch.max_pool3d: aten.max_pool3d.default
Proxy max_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch._C._nn.max_pool3d_with_indices: aten.max_pool3d_with_indices.default
Results<2> max_pool3d_with_indices(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch._C._nn.max_unpool2d: aten.max_unpool2d.default
Proxy max_unpool2d(const Proxy& self, const Proxy& indices, const IntList& output_size, Where where = Where::current());
/// torch._C._nn.max_unpool3d: aten.max_unpool3d.default
Proxy max_unpool3d(const Proxy& self, const Proxy& indices, const IntList& output_size, const IntList& stride, const IntList& padding, Where where = Where::current());
/// torch.maximum: aten.maximum.default
Proxy maximum(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.mean: aten.mean.default
Proxy mean(const Proxy& self, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.mean: aten.mean.dim
Proxy mean(const Proxy& self, const IntList& dim, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.median: aten.median.default
Proxy median(const Proxy& self, Where where = Where::current());
/// torch.median: aten.median.dim
Results<2> median(const Proxy& self, const IntArg& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.functional.meshgrid: aten.meshgrid.default
Proxy meshgrid(const TensorList& tensors, Where where = Where::current());
/// torch.functional.meshgrid: aten.meshgrid.indexing
Proxy meshgrid(const TensorList& tensors, const StringArg& indexing, Where where = Where::current());
/// torch.min: aten.min.other
Proxy min(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.min: aten.min.default
Proxy min(const Proxy& self, Where where = Where::current());
/// torch.min: aten.min.dim
Results<2> min(const Proxy& self, const IntArg& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.minimum: aten.minimum.default
Proxy minimum(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.miopen_batch_norm: aten.miopen_batch_norm.default
Results<3> miopen_batch_norm(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& training, const FloatArg& exponential_average_factor, const FloatArg& epsilon, Where where = Where::current());
/// torch.miopen_convolution: aten.miopen_convolution.default
Proxy miopen_convolution(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, Where where = Where::current());
/// torch.miopen_convolution_add_relu: aten.miopen_convolution_add_relu.default
Proxy miopen_convolution_add_relu(const Proxy& self, const Proxy& weight, const Proxy& z, const ScalarArg& alpha, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where = Where::current());
/// torch.miopen_convolution_relu: aten.miopen_convolution_relu.default
Proxy miopen_convolution_relu(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where = Where::current());
/// torch.miopen_convolution_transpose: aten.miopen_convolution_transpose.default
Proxy miopen_convolution_transpose(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& padding, const IntList& output_padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, Where where = Where::current());
/// torch.miopen_ctc_loss: aten.miopen_ctc_loss.default
Results<2> miopen_ctc_loss(const Proxy& log_probs, const Proxy& targets, const IntList& input_lengths, const IntList& target_lengths, const IntArg& blank, const BoolArg& deterministic, const BoolArg& zero_infinity, Where where = Where::current());
/// torch.miopen_ctc_loss: aten.miopen_ctc_loss.Tensor
Results<2> miopen_ctc_loss(const Proxy& log_probs, const Proxy& targets, const Proxy& input_lengths, const Proxy& target_lengths, const IntArg& blank, const BoolArg& deterministic, const BoolArg& zero_infinity, Where where = Where::current());
/// torch.miopen_depthwise_convolution: aten.miopen_depthwise_convolution.default
Proxy miopen_depthwise_convolution(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, Where where = Where::current());
/// torch.miopen_rnn: aten.miopen_rnn.default
Results<5> miopen_rnn(const Proxy& input, const TensorList& weight, const IntArg& weight_stride0, const Proxy& hx, const OptionalTensor& cx, const IntArg& mode, const IntArg& hidden_size, const IntArg& num_layers, const BoolArg& batch_first, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const IntList& batch_sizes, const OptionalTensor& dropout_state, Where where = Where::current());
/// torch._C._nn.mish: aten.mish.default
Proxy mish(const Proxy& self, Where where = Where::current());
/// torch._C._nn.mish_: aten.mish_.default
Proxy mish_(const Proxy& self, Where where = Where::current());
/// torch.mkldnn_adaptive_avg_pool2d: aten.mkldnn_adaptive_avg_pool2d.default
Proxy mkldnn_adaptive_avg_pool2d(const Proxy& self, const IntList& output_size, Where where = Where::current());
/// torch.mkldnn_convolution: aten.mkldnn_convolution.default
Proxy mkldnn_convolution(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, Where where = Where::current());
/// torch._C._nn.mkldnn_linear: aten.mkldnn_linear.default
Proxy mkldnn_linear(const Proxy& self, const Proxy& weight, const OptionalTensor& bias = {}, Where where = Where::current());
/// torch.mkldnn_linear_backward_weights: aten.mkldnn_linear_backward_weights.default
Results<2> mkldnn_linear_backward_weights(const Proxy& grad_output, const Proxy& input, const Proxy& weight, const BoolArg& bias_defined, Where where = Where::current());
/// torch.mkldnn_max_pool2d: aten.mkldnn_max_pool2d.default
Proxy mkldnn_max_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch.mkldnn_max_pool3d: aten.mkldnn_max_pool3d.default
Proxy mkldnn_max_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch._C._nn.mkldnn_reorder_conv2d_weight: aten.mkldnn_reorder_conv2d_weight.default
Proxy mkldnn_reorder_conv2d_weight(const Proxy& self, const IntList& padding = {}, const IntList& stride = {}, const IntList& dilation = {}, const IntArg& groups = {}, const IntList& input_size = {}, Where where = Where::current());
/// torch._C._nn.mkldnn_reorder_conv3d_weight: aten.mkldnn_reorder_conv3d_weight.default
Proxy mkldnn_reorder_conv3d_weight(const Proxy& self, const IntList& padding = {}, const IntList& stride = {}, const IntList& dilation = {}, const IntArg& groups = {}, const IntList& input_size = {}, Where where = Where::current());
/// torch.mkldnn_rnn_layer: aten.mkldnn_rnn_layer.default
Results<4> mkldnn_rnn_layer(const Proxy& input, const Proxy& weight0, const Proxy& weight1, const Proxy& weight2, const Proxy& weight3, const Proxy& hx_, const Proxy& cx_, const BoolArg& reverse, const IntList& batch_sizes, const IntArg& mode, const IntArg& hidden_size, const IntArg& num_layers, const BoolArg& has_biases, const BoolArg& bidirectional, const BoolArg& batch_first, const BoolArg& train, Where where = Where::current());
/// torch.mm: aten.mm.default
Proxy mm(const Proxy& self, const Proxy& mat2, Where where = Where::current());
/// torch.mm: aten.mm.dtype
Proxy mm(const Proxy& self, const Proxy& mat2, const DTypeArg& out_dtype, Where where = Where::current());
/// torch.mode: aten.mode.default
Results<2> mode(const Proxy& self, const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.moveaxis: aten.moveaxis.intlist
Proxy moveaxis(const Proxy& self, const IntList& source, const IntList& destination, Where where = Where::current());
/// torch.movedim: aten.movedim.intlist
Proxy movedim(const Proxy& self, const IntList& source, const IntList& destination, Where where = Where::current());
/// torch._C._nn.mse_loss: aten.mse_loss.default
Proxy mse_loss(const Proxy& self, const Proxy& target, const IntArg& reduction = {}, Where where = Where::current());
/// torch.msort: aten.msort.default
Proxy msort(const Proxy& self, Where where = Where::current());
/// torch.mul: aten.mul.Tensor
Proxy mul(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.mul: aten.mul.Scalar
Proxy mul(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch._C._nn.multi_margin_loss: aten.multi_margin_loss.default
Proxy multi_margin_loss(const Proxy& self, const Proxy& target, const ScalarArg& p = {}, const ScalarArg& margin = {}, const OptionalTensor& weight = {}, const IntArg& reduction = {}, Where where = Where::current());
/// torch._C._nn.multilabel_margin_loss: aten.multilabel_margin_loss.default
Proxy multilabel_margin_loss(const Proxy& self, const Proxy& target, const IntArg& reduction = {}, Where where = Where::current());
/// torch.multinomial: aten.multinomial.default
Proxy multinomial(const Proxy& self, const IntArg& num_samples, const BoolArg& replacement = {}, Where where = Where::current());
/// torch.multiply: aten.multiply.Tensor
Proxy multiply(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.multiply: aten.multiply.Scalar
Proxy multiply(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.mv: aten.mv.default
Proxy mv(const Proxy& self, const Proxy& vec, Where where = Where::current());
/// torch.mvlgamma: aten.mvlgamma.default
Proxy mvlgamma(const Proxy& self, const IntArg& p, Where where = Where::current());
/// torch.nan_to_num: aten.nan_to_num.default
Proxy nan_to_num(const Proxy& self, const FloatArg& nan = {}, const FloatArg& posinf = {}, const FloatArg& neginf = {}, Where where = Where::current());
/// torch.nan_to_num_: aten.nan_to_num_.default
Proxy nan_to_num_(const Proxy& self, const FloatArg& nan = {}, const FloatArg& posinf = {}, const FloatArg& neginf = {}, Where where = Where::current());
/// torch.nanmean: aten.nanmean.default
Proxy nanmean(const Proxy& self, const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.nanmedian: aten.nanmedian.default
Proxy nanmedian(const Proxy& self, Where where = Where::current());
/// torch.nanmedian: aten.nanmedian.dim
Results<2> nanmedian(const Proxy& self, const IntArg& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.nanquantile: aten.nanquantile.default
Proxy nanquantile(const Proxy& self, const Proxy& q, const IntArg& dim = {}, const BoolArg& keepdim = {}, const StringArg& interpolation = {}, Where where = Where::current());
/// torch.nanquantile: aten.nanquantile.scalar
Proxy nanquantile(const Proxy& self, const FloatArg& q, const IntArg& dim = {}, const BoolArg& keepdim = {}, const StringArg& interpolation = {}, Where where = Where::current());
/// torch.nansum: aten.nansum.default
Proxy nansum(const Proxy& self, const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.narrow: aten.narrow.default
Proxy narrow(const Proxy& self, const IntArg& dim, const IntArg& start, const IntArg& length, Where where = Where::current());
/// torch.narrow: aten.narrow.Tensor
Proxy narrow(const Proxy& self, const IntArg& dim, const Proxy& start, const IntArg& length, Where where = Where::current());
/// torch.narrow_copy: aten.narrow_copy.default
Proxy narrow_copy(const Proxy& self, const IntArg& dim, const IntArg& start, const IntArg& length, Where where = Where::current());
/// torch.native_batch_norm: aten.native_batch_norm.default
Results<3> native_batch_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& training, const FloatArg& momentum, const FloatArg& eps, Where where = Where::current());
/// torch.native_channel_shuffle: aten.native_channel_shuffle.default
Proxy native_channel_shuffle(const Proxy& self, const IntArg& groups, Where where = Where::current());
/// torch.native_dropout: aten.native_dropout.default
Results<2> native_dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where = Where::current());
/// torch.native_group_norm: aten.native_group_norm.default
Results<3> native_group_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const IntArg& N, const IntArg& C, const IntArg& HxW, const IntArg& group, const FloatArg& eps, Where where = Where::current());
/// torch.native_layer_norm: aten.native_layer_norm.default
Results<3> native_layer_norm(const Proxy& input, const IntList& normalized_shape, const OptionalTensor& weight, const OptionalTensor& bias, const FloatArg& eps, Where where = Where::current());
/// torch.native_norm: aten.native_norm.default
Proxy native_norm(const Proxy& self, const ScalarArg& p = {}, Where where = Where::current());
/// torch.native_norm: aten.native_norm.ScalarOpt_dim_dtype
Proxy native_norm(const Proxy& self, const ScalarArg& p, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where = Where::current());
/// torch.ne: aten.ne.Tensor
Proxy ne(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.ne: aten.ne.Scalar
Proxy ne(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.neg: aten.neg.default
Proxy neg(const Proxy& self, Where where = Where::current());
/// torch.neg_: aten.neg_.default
Proxy neg_(const Proxy& self, Where where = Where::current());
/// torch.negative: aten.negative.default
Proxy negative(const Proxy& self, Where where = Where::current());
/// torch.negative_: aten.negative_.default
Proxy negative_(const Proxy& self, Where where = Where::current());
/// torch._C._nested.nested_to_padded_tensor: aten.nested_to_padded_tensor.default
Proxy nested_to_padded_tensor(const Proxy& self, const FloatArg& padding, const IntList& output_size = {}, Where where = Where::current());
/// torch.nextafter: aten.nextafter.default
Proxy nextafter(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch._C._nn.nll_loss: aten.nll_loss.default
Proxy nll_loss(const Proxy& self, const Proxy& target, const OptionalTensor& weight = {}, const IntArg& reduction = {}, const IntArg& ignore_index = {}, Where where = Where::current());
/// torch._C._nn.nll_loss2d: aten.nll_loss2d.default
Proxy nll_loss2d(const Proxy& self, const Proxy& target, const OptionalTensor& weight = {}, const IntArg& reduction = {}, const IntArg& ignore_index = {}, Where where = Where::current());
/// torch._C._nn.nll_loss_nd: aten.nll_loss_nd.default
Proxy nll_loss_nd(const Proxy& self, const Proxy& target, const OptionalTensor& weight = {}, const IntArg& reduction = {}, const IntArg& ignore_index = {}, Where where = Where::current());
/// torch.nonzero: aten.nonzero.default
Proxy nonzero(const Proxy& self, Where where = Where::current());
/// torch.nonzero_static: aten.nonzero_static.default
Proxy nonzero_static(const Proxy& self, const IntArg& size, const IntArg& fill_value = {}, Where where = Where::current());
/// torch.functional.norm: aten.norm.Scalar
Proxy norm(const Proxy& self, const ScalarArg& p = {}, Where where = Where::current());
/// torch.functional.norm: aten.norm.ScalarOpt_dim
Proxy norm(const Proxy& self, const ScalarArg& p, const IntList& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.functional.norm: aten.norm.ScalarOpt_dim_dtype
Proxy norm(const Proxy& self, const ScalarArg& p, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where = Where::current());
/// torch.functional.norm: aten.norm.ScalarOpt_dtype
Proxy norm(const Proxy& self, const ScalarArg& p, const DTypeArg& dtype, Where where = Where::current());
/// torch.norm_except_dim: aten.norm_except_dim.default
Proxy norm_except_dim(const Proxy& v, const IntArg& pow = {}, const IntArg& dim = {}, Where where = Where::current());
/// torch.normal: aten.normal.Tensor_float
Proxy normal(const Proxy& mean, const FloatArg& std = {}, Where where = Where::current());
/// torch.normal: aten.normal.float_Tensor
Proxy normal(const FloatArg& mean, const Proxy& std, Where where = Where::current());
/// torch.normal: aten.normal.Tensor_Tensor
Proxy normal(const Proxy& mean, const Proxy& std, Where where = Where::current());
/// torch.normal: aten.normal.float_float
Proxy normal(TracerBase& tracer, const FloatArg& mean, const FloatArg& std, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.not_equal: aten.not_equal.Tensor
Proxy not_equal(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.not_equal: aten.not_equal.Scalar
Proxy not_equal(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.nuclear_norm: aten.nuclear_norm.default
Proxy nuclear_norm(const Proxy& self, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.nuclear_norm: aten.nuclear_norm.dim
Proxy nuclear_norm(const Proxy& self, const IntList& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.numel: aten.numel.default
Proxy numel(const Proxy& self, Where where = Where::current());
/// torch._C._nn.one_hot: aten.one_hot.default
Proxy one_hot(const Proxy& self, const IntArg& num_classes = {}, Where where = Where::current());
/// torch.ones: aten.ones.default
Proxy ones(TracerBase& tracer, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.ones_like: aten.ones_like.default
Proxy ones_like(const Proxy& self, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.orgqr: aten.orgqr.default
Proxy orgqr(const Proxy& self, const Proxy& input2, Where where = Where::current());
/// torch.ormqr: aten.ormqr.default
Proxy ormqr(const Proxy& self, const Proxy& input2, const Proxy& input3, const BoolArg& left = {}, const BoolArg& transpose = {}, Where where = Where::current());
/// torch.outer: aten.outer.default
Proxy outer(const Proxy& self, const Proxy& vec2, Where where = Where::current());
/// torch._C._nn.pad: aten.pad.default
Proxy pad(const Proxy& self, const IntList& pad, const StringArg& mode = {}, const FloatArg& value = {}, Where where = Where::current());
/// torch._C._nn.pad_sequence: aten.pad_sequence.default
Proxy pad_sequence(const TensorList& sequences, const BoolArg& batch_first = {}, const FloatArg& padding_value = {}, const StringArg& padding_side = {}, Where where = Where::current());
/// torch.pairwise_distance: aten.pairwise_distance.default
Proxy pairwise_distance(const Proxy& x1, const Proxy& x2, const FloatArg& p = {}, const FloatArg& eps = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.pdist: aten.pdist.default
Proxy pdist(const Proxy& self, const FloatArg& p = {}, Where where = Where::current());
/// torch.permute: aten.permute.default
Proxy permute(const Proxy& self, const IntList& dims, Where where = Where::current());
/// torch.permute_copy: aten.permute_copy.default
Proxy permute_copy(const Proxy& self, const IntList& dims, Where where = Where::current());
/// torch.pinverse: aten.pinverse.default
Proxy pinverse(const Proxy& self, const FloatArg& rcond = {}, Where where = Where::current());
/// torch.pixel_shuffle: aten.pixel_shuffle.default
Proxy pixel_shuffle(const Proxy& self, const IntArg& upscale_factor, Where where = Where::current());
/// torch.pixel_unshuffle: aten.pixel_unshuffle.default
Proxy pixel_unshuffle(const Proxy& self, const IntArg& downscale_factor, Where where = Where::current());
/// torch.poisson: aten.poisson.default
Proxy poisson(const Proxy& self, Where where = Where::current());
/// torch.poisson_nll_loss: aten.poisson_nll_loss.default
Proxy poisson_nll_loss(const Proxy& input, const Proxy& target, const BoolArg& log_input, const BoolArg& full, const FloatArg& eps, const IntArg& reduction, Where where = Where::current());
/// torch.polar: aten.polar.default
Proxy polar(const Proxy& abs, const Proxy& angle, Where where = Where::current());
/// torch.polygamma: aten.polygamma.default
Proxy polygamma(const IntArg& n, const Proxy& self, Where where = Where::current());
/// torch.positive: aten.positive.default
Proxy positive(const Proxy& self, Where where = Where::current());
/// torch.pow: aten.pow.Tensor_Tensor
Proxy pow(const Proxy& self, const Proxy& exponent, Where where = Where::current());
/// torch.pow: aten.pow.Tensor_Scalar
Proxy pow(const Proxy& self, const ScalarArg& exponent, Where where = Where::current());
/// torch.pow: aten.pow.Scalar
Proxy pow(const ScalarArg& self, const Proxy& exponent, Where where = Where::current());
/// torch.prelu: aten.prelu.default
Proxy prelu(const Proxy& self, const Proxy& weight, Where where = Where::current());
/// torch.prod: aten.prod.default
Proxy prod(const Proxy& self, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.prod: aten.prod.dim_int
Proxy prod(const Proxy& self, const IntArg& dim, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.promote_types: aten.promote_types.default
Proxy promote_types(TracerBase& tracer, const DTypeArg& type1, const DTypeArg& type2, Where where = Where::current());
/// torch.put: aten.put.default
Proxy put(const Proxy& self, const Proxy& index, const Proxy& source, const BoolArg& accumulate = {}, Where where = Where::current());
/// torch.q_per_channel_axis: aten.q_per_channel_axis.default
Proxy q_per_channel_axis(const Proxy& self, Where where = Where::current());
/// torch.q_per_channel_scales: aten.q_per_channel_scales.default
Proxy q_per_channel_scales(const Proxy& self, Where where = Where::current());
/// torch.q_per_channel_zero_points: aten.q_per_channel_zero_points.default
Proxy q_per_channel_zero_points(const Proxy& self, Where where = Where::current());
/// torch.q_scale: aten.q_scale.default
Proxy q_scale(const Proxy& self, Where where = Where::current());
/// torch.q_zero_point: aten.q_zero_point.default
Proxy q_zero_point(const Proxy& self, Where where = Where::current());
/// torch.qr: aten.qr.default
Results<2> qr(const Proxy& self, const BoolArg& some = {}, Where where = Where::current());
/// torch.quantile: aten.quantile.default
Proxy quantile(const Proxy& self, const Proxy& q, const IntArg& dim = {}, const BoolArg& keepdim = {}, const StringArg& interpolation = {}, Where where = Where::current());
/// torch.quantile: aten.quantile.scalar
Proxy quantile(const Proxy& self, const FloatArg& q, const IntArg& dim = {}, const BoolArg& keepdim = {}, const StringArg& interpolation = {}, Where where = Where::current());
/// torch.quantize_per_channel: aten.quantize_per_channel.default
Proxy quantize_per_channel(const Proxy& self, const Proxy& scales, const Proxy& zero_points, const IntArg& axis, const DTypeArg& dtype, Where where = Where::current());
/// torch.quantize_per_tensor: aten.quantize_per_tensor.default
Proxy quantize_per_tensor(const Proxy& self, const FloatArg& scale, const IntArg& zero_point, const DTypeArg& dtype, Where where = Where::current());
/// torch.quantize_per_tensor: aten.quantize_per_tensor.tensor_qparams
Proxy quantize_per_tensor(const Proxy& self, const Proxy& scale, const Proxy& zero_point, const DTypeArg& dtype, Where where = Where::current());
/// torch.quantize_per_tensor: aten.quantize_per_tensor.tensors
Proxy quantize_per_tensor(const TensorList& tensors, const Proxy& scales, const Proxy& zero_points, const DTypeArg& dtype, Where where = Where::current());
/// torch.quantize_per_tensor_dynamic: aten.quantize_per_tensor_dynamic.default
Proxy quantize_per_tensor_dynamic(const Proxy& self, const DTypeArg& dtype, const BoolArg& reduce_range, Where where = Where::current());
/// torch.quantized_batch_norm: aten.quantized_batch_norm.default
Proxy quantized_batch_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const Proxy& mean, const Proxy& var, const FloatArg& eps, const FloatArg& output_scale, const IntArg& output_zero_point, Where where = Where::current());
/// torch.quantized_gru_cell: aten.quantized_gru_cell.default
Proxy quantized_gru_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const Proxy& b_ih, const Proxy& b_hh, const Proxy& packed_ih, const Proxy& packed_hh, const Proxy& col_offsets_ih, const Proxy& col_offsets_hh, const ScalarArg& scale_ih, const ScalarArg& scale_hh, const ScalarArg& zero_point_ih, const ScalarArg& zero_point_hh, Where where = Where::current());
/// torch.quantized_lstm_cell: aten.quantized_lstm_cell.default
Results<2> quantized_lstm_cell(const Proxy& input, const TensorList& hx, const Proxy& w_ih, const Proxy& w_hh, const Proxy& b_ih, const Proxy& b_hh, const Proxy& packed_ih, const Proxy& packed_hh, const Proxy& col_offsets_ih, const Proxy& col_offsets_hh, const ScalarArg& scale_ih, const ScalarArg& scale_hh, const ScalarArg& zero_point_ih, const ScalarArg& zero_point_hh, Where where = Where::current());
/// torch.quantized_max_pool1d: aten.quantized_max_pool1d.default
Proxy quantized_max_pool1d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch.quantized_max_pool2d: aten.quantized_max_pool2d.default
Proxy quantized_max_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch.quantized_max_pool3d: aten.quantized_max_pool3d.default
Proxy quantized_max_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, const BoolArg& ceil_mode = {}, Where where = Where::current());
/// torch.quantized_rnn_relu_cell: aten.quantized_rnn_relu_cell.default
Proxy quantized_rnn_relu_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const Proxy& b_ih, const Proxy& b_hh, const Proxy& packed_ih, const Proxy& packed_hh, const Proxy& col_offsets_ih, const Proxy& col_offsets_hh, const ScalarArg& scale_ih, const ScalarArg& scale_hh, const ScalarArg& zero_point_ih, const ScalarArg& zero_point_hh, Where where = Where::current());
/// torch.quantized_rnn_tanh_cell: aten.quantized_rnn_tanh_cell.default
Proxy quantized_rnn_tanh_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const Proxy& b_ih, const Proxy& b_hh, const Proxy& packed_ih, const Proxy& packed_hh, const Proxy& col_offsets_ih, const Proxy& col_offsets_hh, const ScalarArg& scale_ih, const ScalarArg& scale_hh, const ScalarArg& zero_point_ih, const ScalarArg& zero_point_hh, Where where = Where::current());
/// torch.rad2deg: aten.rad2deg.default
Proxy rad2deg(const Proxy& self, Where where = Where::current());
/// torch.rad2deg_: aten.rad2deg_.default
Proxy rad2deg_(const Proxy& self, Where where = Where::current());
/// torch.rand: aten.rand.default
Proxy rand(TracerBase& tracer, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.rand_like: aten.rand_like.default
Proxy rand_like(const Proxy& self, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.randint: aten.randint.default
Proxy randint(TracerBase& tracer, const IntArg& high, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.randint: aten.randint.low
Proxy randint(TracerBase& tracer, const IntArg& low, const IntArg& high, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.randint_like: aten.randint_like.default
Proxy randint_like(const Proxy& self, const IntArg& high, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.randint_like: aten.randint_like.Tensor
Proxy randint_like(const Proxy& self, const Proxy& high, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.randint_like: aten.randint_like.low_dtype
Proxy randint_like(const Proxy& self, const IntArg& low, const IntArg& high, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.randn: aten.randn.default
Proxy randn(TracerBase& tracer, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.randn_like: aten.randn_like.default
Proxy randn_like(const Proxy& self, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.randperm: aten.randperm.default
Proxy randperm(TracerBase& tracer, const IntArg& n, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.range: aten.range.step
Proxy range(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const ScalarArg& step = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.range: aten.range.default
Proxy range(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const DTypeArg& dtype, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.ravel: aten.ravel.default
Proxy ravel(const Proxy& self, Where where = Where::current());
/// torch.real: aten.real.default
Proxy real(const Proxy& self, Where where = Where::current());
/// torch.reciprocal: aten.reciprocal.default
Proxy reciprocal(const Proxy& self, Where where = Where::current());
/// torch.reciprocal_: aten.reciprocal_.default
Proxy reciprocal_(const Proxy& self, Where where = Where::current());
/// torch._C._nn.reflection_pad1d: aten.reflection_pad1d.default
Proxy reflection_pad1d(const Proxy& self, const IntList& padding, Where where = Where::current());
/// torch._C._nn.reflection_pad2d: aten.reflection_pad2d.default
Proxy reflection_pad2d(const Proxy& self, const IntList& padding, Where where = Where::current());
/// torch._C._nn.reflection_pad3d: aten.reflection_pad3d.default
Proxy reflection_pad3d(const Proxy& self, const IntList& padding, Where where = Where::current());
/// torch.relu: aten.relu.default
Proxy relu(const Proxy& self, Where where = Where::current());
/// torch._C._nn.relu6: aten.relu6.default
Proxy relu6(const Proxy& self, Where where = Where::current());
/// torch._C._nn.relu6_: aten.relu6_.default
Proxy relu6_(const Proxy& self, Where where = Where::current());
/// torch.relu_: aten.relu_.default
Proxy relu_(const Proxy& self, Where where = Where::current());
/// torch.remainder: aten.remainder.Tensor
Proxy remainder(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.remainder: aten.remainder.Scalar
Proxy remainder(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.remainder: aten.remainder.Scalar_Tensor
Proxy remainder(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.renorm: aten.renorm.default
Proxy renorm(const Proxy& self, const ScalarArg& p, const IntArg& dim, const ScalarArg& maxnorm, Where where = Where::current());
/// torch.repeat_interleave: aten.repeat_interleave.Tensor
Proxy repeat_interleave(const Proxy& repeats, const IntArg& output_size = {}, Where where = Where::current());
/// torch.repeat_interleave: aten.repeat_interleave.self_Tensor
Proxy repeat_interleave(const Proxy& self, const Proxy& repeats, const IntArg& dim = {}, const IntArg& output_size = {}, Where where = Where::current());
/// torch.repeat_interleave: aten.repeat_interleave.self_int
Proxy repeat_interleave(const Proxy& self, const IntArg& repeats, const IntArg& dim, const IntArg& output_size = {}, Where where = Where::current());
/// torch._C._nn.replication_pad1d: aten.replication_pad1d.default
Proxy replication_pad1d(const Proxy& self, const IntList& padding, Where where = Where::current());
/// torch._C._nn.replication_pad2d: aten.replication_pad2d.default
Proxy replication_pad2d(const Proxy& self, const IntList& padding, Where where = Where::current());
/// torch._C._nn.replication_pad3d: aten.replication_pad3d.default
Proxy replication_pad3d(const Proxy& self, const IntList& padding, Where where = Where::current());
/// torch.reshape: aten.reshape.default
Proxy reshape(const Proxy& self, const IntList& shape, Where where = Where::current());
/// torch.resize_as_: aten.resize_as_.default
Proxy resize_as_(const Proxy& self, const Proxy& the_template, const MemoryFormatArg& memory_format = {}, Where where = Where::current());
/// torch.resize_as_sparse_: aten.resize_as_sparse_.default
Proxy resize_as_sparse_(const Proxy& self, const Proxy& the_template, Where where = Where::current());
/// torch.resolve_conj: aten.resolve_conj.default
Proxy resolve_conj(const Proxy& self, Where where = Where::current());
/// torch.resolve_neg: aten.resolve_neg.default
Proxy resolve_neg(const Proxy& self, Where where = Where::current());
/// torch.result_type: aten.result_type.Tensor
Proxy result_type(const Proxy& tensor, const Proxy& other, Where where = Where::current());
/// torch.result_type: aten.result_type.Scalar
Proxy result_type(const Proxy& tensor, const ScalarArg& other, Where where = Where::current());
/// torch.result_type: aten.result_type.Scalar_Tensor
Proxy result_type(const ScalarArg& scalar, const Proxy& tensor, Where where = Where::current());
/// torch.result_type: aten.result_type.Scalar_Scalar
Proxy result_type(TracerBase& tracer, const ScalarArg& scalar1, const ScalarArg& scalar2, Where where = Where::current());
/// torch.rms_norm: aten.rms_norm.default
Proxy rms_norm(const Proxy& input, const IntList& normalized_shape, const OptionalTensor& weight = {}, const FloatArg& eps = {}, Where where = Where::current());
/// torch.rnn_relu: aten.rnn_relu.input
Results<2> rnn_relu(const Proxy& input, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const BoolArg& batch_first, Where where = Where::current());
/// torch.rnn_relu: aten.rnn_relu.data
Results<2> rnn_relu(const Proxy& data, const Proxy& batch_sizes, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, Where where = Where::current());
/// torch.rnn_relu_cell: aten.rnn_relu_cell.default
Proxy rnn_relu_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const OptionalTensor& b_ih = {}, const OptionalTensor& b_hh = {}, Where where = Where::current());
/// torch.rnn_tanh: aten.rnn_tanh.input
Results<2> rnn_tanh(const Proxy& input, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const BoolArg& batch_first, Where where = Where::current());
/// torch.rnn_tanh: aten.rnn_tanh.data
Results<2> rnn_tanh(const Proxy& data, const Proxy& batch_sizes, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, Where where = Where::current());
/// torch.rnn_tanh_cell: aten.rnn_tanh_cell.default
Proxy rnn_tanh_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const OptionalTensor& b_ih = {}, const OptionalTensor& b_hh = {}, Where where = Where::current());
/// torch.roll: aten.roll.default
Proxy roll(const Proxy& self, const IntList& shifts, const IntList& dims = {}, Where where = Where::current());
/// torch.rot90: aten.rot90.default
Proxy rot90(const Proxy& self, const IntArg& k = {}, const IntList& dims = {}, Where where = Where::current());
/// torch.round: aten.round.default
Proxy round(const Proxy& self, Where where = Where::current());
/// torch.round: aten.round.decimals
Proxy round(const Proxy& self, const IntArg& decimals, Where where = Where::current());
/// torch.round_: aten.round_.default
Proxy round_(const Proxy& self, Where where = Where::current());
/// torch.round_: aten.round_.decimals
Proxy round_(const Proxy& self, const IntArg& decimals, Where where = Where::current());
/// torch.row_indices_copy: aten.row_indices_copy.default
Proxy row_indices_copy(const Proxy& self, Where where = Where::current());
/// torch.row_stack: aten.row_stack.default
Proxy row_stack(const TensorList& tensors, Where where = Where::current());
/// torch.rrelu: aten.rrelu.default
Proxy rrelu(const Proxy& self, const ScalarArg& lower = {}, const ScalarArg& upper = {}, const BoolArg& training = {}, Where where = Where::current());
/// torch.rrelu_: aten.rrelu_.default
Proxy rrelu_(const Proxy& self, const ScalarArg& lower = {}, const ScalarArg& upper = {}, const BoolArg& training = {}, Where where = Where::current());
/// torch._C._nn.rrelu_with_noise: aten.rrelu_with_noise.default
Proxy rrelu_with_noise(const Proxy& self, const Proxy& noise, const ScalarArg& lower = {}, const ScalarArg& upper = {}, const BoolArg& training = {}, Where where = Where::current());
/// torch._C._nn.rrelu_with_noise_: aten.rrelu_with_noise_.default
Proxy rrelu_with_noise_(const Proxy& self, const Proxy& noise, const ScalarArg& lower = {}, const ScalarArg& upper = {}, const BoolArg& training = {}, Where where = Where::current());
/// torch.rsqrt: aten.rsqrt.default
Proxy rsqrt(const Proxy& self, Where where = Where::current());
/// torch.rsqrt_: aten.rsqrt_.default
Proxy rsqrt_(const Proxy& self, Where where = Where::current());
/// torch.rsub: aten.rsub.Tensor
Proxy rsub(const Proxy& self, const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.rsub: aten.rsub.Scalar
Proxy rsub(const Proxy& self, const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.scalar_tensor: aten.scalar_tensor.default
Proxy scalar_tensor(TracerBase& tracer, const ScalarArg& s, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch._C._nn.scaled_dot_product_attention: aten.scaled_dot_product_attention.default
Proxy scaled_dot_product_attention(const Proxy& query, const Proxy& key, const Proxy& value, const OptionalTensor& attn_mask = {}, const FloatArg& dropout_p = {}, const BoolArg& is_causal = {}, const FloatArg& scale = {}, const BoolArg& enable_gqa = {}, Where where = Where::current());
/// torch.scatter: aten.scatter.value
Proxy scatter(const Proxy& self, const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where = Where::current());
/// torch.scatter: aten.scatter.src
Proxy scatter(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& src, Where where = Where::current());
/// torch.scatter: aten.scatter.reduce
Proxy scatter(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, Where where = Where::current());
/// torch.scatter: aten.scatter.value_reduce
Proxy scatter(const Proxy& self, const IntArg& dim, const Proxy& index, const ScalarArg& value, const StringArg& reduce, Where where = Where::current());
/// torch.scatter_add: aten.scatter_add.default
Proxy scatter_add(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& src, Where where = Where::current());
/// torch.scatter_reduce: aten.scatter_reduce.two
Proxy scatter_reduce(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, const BoolArg& include_self = {}, Where where = Where::current());
/// torch.searchsorted: aten.searchsorted.Tensor
Proxy searchsorted(const Proxy& sorted_sequence, const Proxy& self, const BoolArg& out_int32 = {}, const BoolArg& right = {}, const StringArg& side = {}, const OptionalTensor& sorter = {}, Where where = Where::current());
/// torch.searchsorted: aten.searchsorted.Scalar
Proxy searchsorted(const Proxy& sorted_sequence, const ScalarArg& self, const BoolArg& out_int32 = {}, const BoolArg& right = {}, const StringArg& side = {}, const OptionalTensor& sorter = {}, Where where = Where::current());
/// torch.segment_reduce: aten.segment_reduce.default
Proxy segment_reduce(const Proxy& data, const StringArg& reduce, const OptionalTensor& lengths = {}, const OptionalTensor& indices = {}, const OptionalTensor& offsets = {}, const IntArg& axis = {}, const BoolArg& unsafe = {}, const ScalarArg& initial = {}, Where where = Where::current());
/// torch.select: aten.select.int
Proxy select(const Proxy& self, const IntArg& dim, const IntArg& index, Where where = Where::current());
/// torch.select_copy: aten.select_copy.int
Proxy select_copy(const Proxy& self, const IntArg& dim, const IntArg& index, Where where = Where::current());
/// torch.select_scatter: aten.select_scatter.default
Proxy select_scatter(const Proxy& self, const Proxy& src, const IntArg& dim, const IntArg& index, Where where = Where::current());
/// torch.selu: aten.selu.default
Proxy selu(const Proxy& self, Where where = Where::current());
/// torch.selu_: aten.selu_.default
Proxy selu_(const Proxy& self, Where where = Where::current());
/// torch.sgn: aten.sgn.default
Proxy sgn(const Proxy& self, Where where = Where::current());
/// torch.sigmoid: aten.sigmoid.default
Proxy sigmoid(const Proxy& self, Where where = Where::current());
/// torch.sigmoid_: aten.sigmoid_.default
Proxy sigmoid_(const Proxy& self, Where where = Where::current());
/// torch.sign: aten.sign.default
Proxy sign(const Proxy& self, Where where = Where::current());
/// torch.signbit: aten.signbit.default
Proxy signbit(const Proxy& self, Where where = Where::current());
/// torch._C._nn.silu: aten.silu.default
Proxy silu(const Proxy& self, Where where = Where::current());
/// torch._C._nn.silu_: aten.silu_.default
Proxy silu_(const Proxy& self, Where where = Where::current());
/// torch.sin: aten.sin.default
Proxy sin(const Proxy& self, Where where = Where::current());
/// torch.sin_: aten.sin_.default
Proxy sin_(const Proxy& self, Where where = Where::current());
/// torch.sinc: aten.sinc.default
Proxy sinc(const Proxy& self, Where where = Where::current());
/// torch.sinc_: aten.sinc_.default
Proxy sinc_(const Proxy& self, Where where = Where::current());
/// torch.sinh: aten.sinh.default
Proxy sinh(const Proxy& self, Where where = Where::current());
/// torch.sinh_: aten.sinh_.default
Proxy sinh_(const Proxy& self, Where where = Where::current());
/// torch.slice_copy: aten.slice_copy.Tensor
Proxy slice_copy(const Proxy& self, const IntArg& dim = {}, const IntArg& start = {}, const IntArg& end = {}, const IntArg& step = {}, Where where = Where::current());
/// torch.slice_inverse: aten.slice_inverse.default
Proxy slice_inverse(const Proxy& self, const Proxy& src, const IntArg& dim = {}, const IntArg& start = {}, const IntArg& end = {}, const IntArg& step = {}, Where where = Where::current());
/// torch.slice_scatter: aten.slice_scatter.default
Proxy slice_scatter(const Proxy& self, const Proxy& src, const IntArg& dim = {}, const IntArg& start = {}, const IntArg& end = {}, const IntArg& step = {}, Where where = Where::current());
/// torch.slogdet: aten.slogdet.default
Results<2> slogdet(const Proxy& self, Where where = Where::current());
/// torch._C._nn.slow_conv3d: aten.slow_conv3d.default
Proxy slow_conv3d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, Where where = Where::current());
/// torch._C._nn.slow_conv_dilated2d: aten.slow_conv_dilated2d.default
Proxy slow_conv_dilated2d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, Where where = Where::current());
/// torch._C._nn.slow_conv_dilated3d: aten.slow_conv_dilated3d.default
Proxy slow_conv_dilated3d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& dilation = {}, Where where = Where::current());
/// torch._C._nn.slow_conv_transpose2d: aten.slow_conv_transpose2d.default
Proxy slow_conv_transpose2d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& output_padding = {}, const IntList& dilation = {}, Where where = Where::current());
/// torch._C._nn.slow_conv_transpose3d: aten.slow_conv_transpose3d.default
Proxy slow_conv_transpose3d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, const IntList& output_padding = {}, const IntList& dilation = {}, Where where = Where::current());
/// torch.smm: aten.smm.default
Proxy smm(const Proxy& self, const Proxy& mat2, Where where = Where::current());
/// torch._C._nn.smooth_l1_loss: aten.smooth_l1_loss.default
Proxy smooth_l1_loss(const Proxy& self, const Proxy& target, const IntArg& reduction = {}, const FloatArg& beta = {}, Where where = Where::current());
/// torch._C._nn.soft_margin_loss: aten.soft_margin_loss.default
Proxy soft_margin_loss(const Proxy& self, const Proxy& target, const IntArg& reduction = {}, Where where = Where::current());
/// torch.softmax: aten.softmax.int
Proxy softmax(const Proxy& self, const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._nn.softplus: aten.softplus.default
Proxy softplus(const Proxy& self, const ScalarArg& beta = {}, const ScalarArg& threshold = {}, Where where = Where::current());
/// torch._C._nn.softshrink: aten.softshrink.default
Proxy softshrink(const Proxy& self, const ScalarArg& lambd = {}, Where where = Where::current());
/// torch.sort: aten.sort.default
Results<2> sort(const Proxy& self, const IntArg& dim = {}, const BoolArg& descending = {}, Where where = Where::current());
/// torch.sort: aten.sort.stable
Results<2> sort(const Proxy& self, const BoolArg& stable, const IntArg& dim = {}, const BoolArg& descending = {}, Where where = Where::current());
/// torch.sparse_bsc_tensor: aten.sparse_bsc_tensor.ccol_row_value_size
Proxy sparse_bsc_tensor(const Proxy& ccol_indices, const Proxy& row_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_bsc_tensor: aten.sparse_bsc_tensor.ccol_row_value
Proxy sparse_bsc_tensor(const Proxy& ccol_indices, const Proxy& row_indices, const Proxy& values, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_bsr_tensor: aten.sparse_bsr_tensor.crow_col_value_size
Proxy sparse_bsr_tensor(const Proxy& crow_indices, const Proxy& col_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_bsr_tensor: aten.sparse_bsr_tensor.crow_col_value
Proxy sparse_bsr_tensor(const Proxy& crow_indices, const Proxy& col_indices, const Proxy& values, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_compressed_tensor: aten.sparse_compressed_tensor.comp_plain_value_size
Proxy sparse_compressed_tensor(const Proxy& compressed_indices, const Proxy& plain_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_compressed_tensor: aten.sparse_compressed_tensor.comp_plain_value
Proxy sparse_compressed_tensor(const Proxy& compressed_indices, const Proxy& plain_indices, const Proxy& values, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_coo_tensor: aten.sparse_coo_tensor.size
Proxy sparse_coo_tensor(TracerBase& tracer, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_coo_tensor: aten.sparse_coo_tensor.indices
Proxy sparse_coo_tensor(const Proxy& indices, const Proxy& values, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const BoolArg& is_coalesced = {}, Where where = Where::current());
/// torch.sparse_coo_tensor: aten.sparse_coo_tensor.indices_size
Proxy sparse_coo_tensor(const Proxy& indices, const Proxy& values, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const BoolArg& is_coalesced = {}, Where where = Where::current());
/// torch.sparse_csc_tensor: aten.sparse_csc_tensor.ccol_row_value_size
Proxy sparse_csc_tensor(const Proxy& ccol_indices, const Proxy& row_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_csc_tensor: aten.sparse_csc_tensor.ccol_row_value
Proxy sparse_csc_tensor(const Proxy& ccol_indices, const Proxy& row_indices, const Proxy& values, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_csr_tensor: aten.sparse_csr_tensor.crow_col_value_size
Proxy sparse_csr_tensor(const Proxy& crow_indices, const Proxy& col_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.sparse_csr_tensor: aten.sparse_csr_tensor.crow_col_value
Proxy sparse_csr_tensor(const Proxy& crow_indices, const Proxy& col_indices, const Proxy& values, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch._C._sparse.sparse_sampled_addmm: aten.sparse_sampled_addmm.default
Proxy sparse_sampled_addmm(const Proxy& self, const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch._C._special.special_airy_ai: aten.special_airy_ai.default
Proxy special_airy_ai(const Proxy& x, Where where = Where::current());
/// torch._C._special.special_bessel_j0: aten.special_bessel_j0.default
Proxy special_bessel_j0(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_bessel_j1: aten.special_bessel_j1.default
Proxy special_bessel_j1(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_bessel_y0: aten.special_bessel_y0.default
Proxy special_bessel_y0(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_bessel_y1: aten.special_bessel_y1.default
Proxy special_bessel_y1(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_t: aten.special_chebyshev_polynomial_t.default
Proxy special_chebyshev_polynomial_t(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_t: aten.special_chebyshev_polynomial_t.x_scalar
Proxy special_chebyshev_polynomial_t(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_t: aten.special_chebyshev_polynomial_t.n_scalar
Proxy special_chebyshev_polynomial_t(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_u: aten.special_chebyshev_polynomial_u.default
Proxy special_chebyshev_polynomial_u(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_u: aten.special_chebyshev_polynomial_u.x_scalar
Proxy special_chebyshev_polynomial_u(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_u: aten.special_chebyshev_polynomial_u.n_scalar
Proxy special_chebyshev_polynomial_u(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_v: aten.special_chebyshev_polynomial_v.default
Proxy special_chebyshev_polynomial_v(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_v: aten.special_chebyshev_polynomial_v.x_scalar
Proxy special_chebyshev_polynomial_v(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_v: aten.special_chebyshev_polynomial_v.n_scalar
Proxy special_chebyshev_polynomial_v(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_w: aten.special_chebyshev_polynomial_w.default
Proxy special_chebyshev_polynomial_w(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_w: aten.special_chebyshev_polynomial_w.x_scalar
Proxy special_chebyshev_polynomial_w(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_chebyshev_polynomial_w: aten.special_chebyshev_polynomial_w.n_scalar
Proxy special_chebyshev_polynomial_w(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_digamma: aten.special_digamma.default
Proxy special_digamma(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_entr: aten.special_entr.default
Proxy special_entr(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_erf: aten.special_erf.default
Proxy special_erf(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_erfc: aten.special_erfc.default
Proxy special_erfc(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_erfcx: aten.special_erfcx.default
Proxy special_erfcx(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_erfinv: aten.special_erfinv.default
Proxy special_erfinv(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_exp2: aten.special_exp2.default
Proxy special_exp2(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_expit: aten.special_expit.default
Proxy special_expit(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_expm1: aten.special_expm1.default
Proxy special_expm1(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_gammainc: aten.special_gammainc.default
Proxy special_gammainc(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch._C._special.special_gammaincc: aten.special_gammaincc.default
Proxy special_gammaincc(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch._C._special.special_gammaln: aten.special_gammaln.default
Proxy special_gammaln(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_hermite_polynomial_h: aten.special_hermite_polynomial_h.default
Proxy special_hermite_polynomial_h(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_hermite_polynomial_h: aten.special_hermite_polynomial_h.x_scalar
Proxy special_hermite_polynomial_h(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_hermite_polynomial_h: aten.special_hermite_polynomial_h.n_scalar
Proxy special_hermite_polynomial_h(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_hermite_polynomial_he: aten.special_hermite_polynomial_he.default
Proxy special_hermite_polynomial_he(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_hermite_polynomial_he: aten.special_hermite_polynomial_he.x_scalar
Proxy special_hermite_polynomial_he(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_hermite_polynomial_he: aten.special_hermite_polynomial_he.n_scalar
Proxy special_hermite_polynomial_he(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_i0: aten.special_i0.default
Proxy special_i0(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_i0e: aten.special_i0e.default
Proxy special_i0e(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_i1: aten.special_i1.default
Proxy special_i1(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_i1e: aten.special_i1e.default
Proxy special_i1e(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_laguerre_polynomial_l: aten.special_laguerre_polynomial_l.default
Proxy special_laguerre_polynomial_l(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_laguerre_polynomial_l: aten.special_laguerre_polynomial_l.x_scalar
Proxy special_laguerre_polynomial_l(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_laguerre_polynomial_l: aten.special_laguerre_polynomial_l.n_scalar
Proxy special_laguerre_polynomial_l(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_legendre_polynomial_p: aten.special_legendre_polynomial_p.default
Proxy special_legendre_polynomial_p(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_legendre_polynomial_p: aten.special_legendre_polynomial_p.x_scalar
Proxy special_legendre_polynomial_p(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_legendre_polynomial_p: aten.special_legendre_polynomial_p.n_scalar
Proxy special_legendre_polynomial_p(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_log1p: aten.special_log1p.default
Proxy special_log1p(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_log_ndtr: aten.special_log_ndtr.default
Proxy special_log_ndtr(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_log_softmax: aten.special_log_softmax.default
Proxy special_log_softmax(const Proxy& self, const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._special.special_logit: aten.special_logit.default
Proxy special_logit(const Proxy& self, const FloatArg& eps = {}, Where where = Where::current());
/// torch._C._special.special_logsumexp: aten.special_logsumexp.default
Proxy special_logsumexp(const Proxy& self, const IntList& dim, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch._C._special.special_modified_bessel_i0: aten.special_modified_bessel_i0.default
Proxy special_modified_bessel_i0(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_modified_bessel_i1: aten.special_modified_bessel_i1.default
Proxy special_modified_bessel_i1(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_modified_bessel_k0: aten.special_modified_bessel_k0.default
Proxy special_modified_bessel_k0(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_modified_bessel_k1: aten.special_modified_bessel_k1.default
Proxy special_modified_bessel_k1(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_multigammaln: aten.special_multigammaln.default
Proxy special_multigammaln(const Proxy& self, const IntArg& p, Where where = Where::current());
/// torch._C._special.special_ndtr: aten.special_ndtr.default
Proxy special_ndtr(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_ndtri: aten.special_ndtri.default
Proxy special_ndtri(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_polygamma: aten.special_polygamma.default
Proxy special_polygamma(const IntArg& n, const Proxy& self, Where where = Where::current());
/// torch._C._special.special_psi: aten.special_psi.default
Proxy special_psi(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_round: aten.special_round.default
Proxy special_round(const Proxy& self, const IntArg& decimals = {}, Where where = Where::current());
/// torch._C._special.special_scaled_modified_bessel_k0: aten.special_scaled_modified_bessel_k0.default
Proxy special_scaled_modified_bessel_k0(const Proxy& x, Where where = Where::current());
/// torch._C._special.special_scaled_modified_bessel_k1: aten.special_scaled_modified_bessel_k1.default
Proxy special_scaled_modified_bessel_k1(const Proxy& x, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_t: aten.special_shifted_chebyshev_polynomial_t.default
Proxy special_shifted_chebyshev_polynomial_t(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_t: aten.special_shifted_chebyshev_polynomial_t.x_scalar
Proxy special_shifted_chebyshev_polynomial_t(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_t: aten.special_shifted_chebyshev_polynomial_t.n_scalar
Proxy special_shifted_chebyshev_polynomial_t(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_u: aten.special_shifted_chebyshev_polynomial_u.default
Proxy special_shifted_chebyshev_polynomial_u(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_u: aten.special_shifted_chebyshev_polynomial_u.x_scalar
Proxy special_shifted_chebyshev_polynomial_u(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_u: aten.special_shifted_chebyshev_polynomial_u.n_scalar
Proxy special_shifted_chebyshev_polynomial_u(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_v: aten.special_shifted_chebyshev_polynomial_v.default
Proxy special_shifted_chebyshev_polynomial_v(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_v: aten.special_shifted_chebyshev_polynomial_v.x_scalar
Proxy special_shifted_chebyshev_polynomial_v(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_v: aten.special_shifted_chebyshev_polynomial_v.n_scalar
Proxy special_shifted_chebyshev_polynomial_v(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_w: aten.special_shifted_chebyshev_polynomial_w.default
Proxy special_shifted_chebyshev_polynomial_w(const Proxy& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_w: aten.special_shifted_chebyshev_polynomial_w.x_scalar
Proxy special_shifted_chebyshev_polynomial_w(const ScalarArg& x, const Proxy& n, Where where = Where::current());
/// torch._C._special.special_shifted_chebyshev_polynomial_w: aten.special_shifted_chebyshev_polynomial_w.n_scalar
Proxy special_shifted_chebyshev_polynomial_w(const Proxy& x, const ScalarArg& n, Where where = Where::current());
/// torch._C._special.special_sinc: aten.special_sinc.default
Proxy special_sinc(const Proxy& self, Where where = Where::current());
/// torch._C._special.special_softmax: aten.special_softmax.default
Proxy special_softmax(const Proxy& self, const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch._C._special.special_spherical_bessel_j0: aten.special_spherical_bessel_j0.default
Proxy special_spherical_bessel_j0(const Proxy& x, Where where = Where::current());
/// torch._C._special.special_xlog1py: aten.special_xlog1py.default
Proxy special_xlog1py(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch._C._special.special_xlog1py: aten.special_xlog1py.other_scalar
Proxy special_xlog1py(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch._C._special.special_xlog1py: aten.special_xlog1py.self_scalar
Proxy special_xlog1py(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch._C._special.special_xlogy: aten.special_xlogy.default
Proxy special_xlogy(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch._C._special.special_xlogy: aten.special_xlogy.other_scalar
Proxy special_xlogy(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch._C._special.special_xlogy: aten.special_xlogy.self_scalar
Proxy special_xlogy(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch._C._special.special_zeta: aten.special_zeta.default
Proxy special_zeta(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch._C._special.special_zeta: aten.special_zeta.other_scalar
Proxy special_zeta(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch._C._special.special_zeta: aten.special_zeta.self_scalar
Proxy special_zeta(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.functional.split: aten.split.sizes
Proxy split(const Proxy& self, const IntList& split_size, const IntArg& dim = {}, Where where = Where::current());
/// torch.split_copy: aten.split_copy.Tensor
Proxy split_copy(const Proxy& self, const IntArg& split_size, const IntArg& dim = {}, Where where = Where::current());
/// torch.split_with_sizes: aten.split_with_sizes.default
Proxy split_with_sizes(const Proxy& self, const IntList& split_sizes, const IntArg& dim = {}, Where where = Where::current());
/// torch.split_with_sizes_copy: aten.split_with_sizes_copy.default
Proxy split_with_sizes_copy(const Proxy& self, const IntList& split_sizes, const IntArg& dim = {}, Where where = Where::current());
/// torch.sqrt: aten.sqrt.default
Proxy sqrt(const Proxy& self, Where where = Where::current());
/// torch.sqrt_: aten.sqrt_.default
Proxy sqrt_(const Proxy& self, Where where = Where::current());
/// torch.square: aten.square.default
Proxy square(const Proxy& self, Where where = Where::current());
/// torch.square_: aten.square_.default
Proxy square_(const Proxy& self, Where where = Where::current());
/// torch.squeeze: aten.squeeze.default
Proxy squeeze(const Proxy& self, Where where = Where::current());
/// torch.squeeze: aten.squeeze.dims
Proxy squeeze(const Proxy& self, const IntList& dim, Where where = Where::current());
/// torch.squeeze_copy: aten.squeeze_copy.default
Proxy squeeze_copy(const Proxy& self, Where where = Where::current());
/// torch.squeeze_copy: aten.squeeze_copy.dims
Proxy squeeze_copy(const Proxy& self, const IntList& dim, Where where = Where::current());
/// torch.sspaddmm: aten.sspaddmm.default
Proxy sspaddmm(const Proxy& self, const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.stack: aten.stack.default
Proxy stack(const TensorList& tensors, const IntArg& dim = {}, Where where = Where::current());
/// torch.std: aten.std.default
Proxy std(const Proxy& self, const BoolArg& unbiased = {}, Where where = Where::current());
/// torch.std: aten.std.dim
Proxy std(const Proxy& self, const IntList& dim, const BoolArg& unbiased = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.std_mean: aten.std_mean.default
Results<2> std_mean(const Proxy& self, const BoolArg& unbiased = {}, Where where = Where::current());
/// torch.std_mean: aten.std_mean.dim
Results<2> std_mean(const Proxy& self, const IntList& dim, const BoolArg& unbiased = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.functional.stft: aten.stft.default
Proxy stft(const Proxy& self, const IntArg& n_fft, const IntArg& hop_length = {}, const IntArg& win_length = {}, const OptionalTensor& window = {}, const BoolArg& normalized = {}, const BoolArg& onesided = {}, const BoolArg& return_complex = {}, const BoolArg& align_to_window = {}, Where where = Where::current());
/// torch.functional.stft: aten.stft.center
Proxy stft(const Proxy& self, const IntArg& n_fft, const IntArg& hop_length, const IntArg& win_length, const OptionalTensor& window, const BoolArg& center, const StringArg& pad_mode, const BoolArg& normalized = {}, const BoolArg& onesided = {}, const BoolArg& return_complex = {}, const BoolArg& align_to_window = {}, Where where = Where::current());
/// torch.sub: aten.sub.Tensor
Proxy sub(const Proxy& self, const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.sub: aten.sub.Scalar
Proxy sub(const Proxy& self, const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.subtract: aten.subtract.Tensor
Proxy subtract(const Proxy& self, const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.subtract: aten.subtract.Scalar
Proxy subtract(const Proxy& self, const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current());
/// torch.sum: aten.sum.dim_IntList
Proxy sum(const Proxy& self, const IntList& dim, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.sum: aten.sum.default
Proxy sum(const Proxy& self, const DTypeArg& dtype = {}, Where where = Where::current());
/// torch.svd: aten.svd.default
Results<3> svd(const Proxy& self, const BoolArg& some = {}, const BoolArg& compute_uv = {}, Where where = Where::current());
/// torch.swapaxes: aten.swapaxes.default
Proxy swapaxes(const Proxy& self, const IntArg& axis0, const IntArg& axis1, Where where = Where::current());
/// torch.swapdims: aten.swapdims.default
Proxy swapdims(const Proxy& self, const IntArg& dim0, const IntArg& dim1, Where where = Where::current());
/// torch.sym_constrain_range: aten.sym_constrain_range.default
Proxy sym_constrain_range(TracerBase& tracer, const ScalarArg& size, const IntArg& min = {}, const IntArg& max = {}, Where where = Where::current());
/// torch.sym_constrain_range_for_size: aten.sym_constrain_range_for_size.default
Proxy sym_constrain_range_for_size(TracerBase& tracer, const ScalarArg& size, const IntArg& min = {}, const IntArg& max = {}, Where where = Where::current());
/// torch.t: aten.t.default
Proxy t(const Proxy& self, Where where = Where::current());
/// torch.t_copy: aten.t_copy.default
Proxy t_copy(const Proxy& self, Where where = Where::current());
/// torch.take: aten.take.default
Proxy take(const Proxy& self, const Proxy& index, Where where = Where::current());
/// torch.take_along_dim: aten.take_along_dim.default
Proxy take_along_dim(const Proxy& self, const Proxy& indices, const IntArg& dim = {}, Where where = Where::current());
/// torch.tan: aten.tan.default
Proxy tan(const Proxy& self, Where where = Where::current());
/// torch.tan_: aten.tan_.default
Proxy tan_(const Proxy& self, Where where = Where::current());
/// torch.tanh: aten.tanh.default
Proxy tanh(const Proxy& self, Where where = Where::current());
/// torch.tanh_: aten.tanh_.default
Proxy tanh_(const Proxy& self, Where where = Where::current());
/// torch.tensor_split: aten.tensor_split.indices
Proxy tensor_split(const Proxy& self, const IntList& indices, const IntArg& dim = {}, Where where = Where::current());
/// torch.tensor_split: aten.tensor_split.tensor_indices_or_sections
Proxy tensor_split(const Proxy& self, const Proxy& tensor_indices_or_sections, const IntArg& dim = {}, Where where = Where::current());
/// torch.functional.tensordot: aten.tensordot.default
Proxy tensordot(const Proxy& self, const Proxy& other, const IntList& dims_self, const IntList& dims_other, Where where = Where::current());
/// torch._C._nn.thnn_conv2d: aten.thnn_conv2d.default
Proxy thnn_conv2d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias = {}, const IntList& stride = {}, const IntList& padding = {}, Where where = Where::current());
/// torch.threshold: aten.threshold.default
Proxy threshold(const Proxy& self, const ScalarArg& threshold, const ScalarArg& value, Where where = Where::current());
/// torch.threshold_: aten.threshold_.default
Proxy threshold_(const Proxy& self, const ScalarArg& threshold, const ScalarArg& value, Where where = Where::current());
/// torch.tile: aten.tile.default
Proxy tile(const Proxy& self, const IntList& dims, Where where = Where::current());
/// torch.topk: aten.topk.default
Results<2> topk(const Proxy& self, const IntArg& k, const IntArg& dim = {}, const BoolArg& largest = {}, const BoolArg& sorted = {}, Where where = Where::current());
/// torch.trace: aten.trace.default
Proxy trace(const Proxy& self, Where where = Where::current());
/// torch.transpose: aten.transpose.int
Proxy transpose(const Proxy& self, const IntArg& dim0, const IntArg& dim1, Where where = Where::current());
/// torch.transpose_copy: aten.transpose_copy.int
Proxy transpose_copy(const Proxy& self, const IntArg& dim0, const IntArg& dim1, Where where = Where::current());
/// torch.trapezoid: aten.trapezoid.x
Proxy trapezoid(const Proxy& y, const Proxy& x, const IntArg& dim = {}, Where where = Where::current());
/// torch.trapezoid: aten.trapezoid.dx
Proxy trapezoid(const Proxy& y, const ScalarArg& dx = {}, const IntArg& dim = {}, Where where = Where::current());
/// torch.trapz: aten.trapz.x
Proxy trapz(const Proxy& y, const Proxy& x, const IntArg& dim = {}, Where where = Where::current());
/// torch.trapz: aten.trapz.dx
Proxy trapz(const Proxy& y, const FloatArg& dx = {}, const IntArg& dim = {}, Where where = Where::current());
/// torch.triangular_solve: aten.triangular_solve.default
Results<2> triangular_solve(const Proxy& self, const Proxy& A, const BoolArg& upper = {}, const BoolArg& transpose = {}, const BoolArg& unitriangular = {}, Where where = Where::current());
/// torch.tril: aten.tril.default
Proxy tril(const Proxy& self, const IntArg& diagonal = {}, Where where = Where::current());
/// torch.tril_indices: aten.tril_indices.default
Proxy tril_indices(TracerBase& tracer, const IntArg& row, const IntArg& col, const IntArg& offset = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.triplet_margin_loss: aten.triplet_margin_loss.default
Proxy triplet_margin_loss(const Proxy& anchor, const Proxy& positive, const Proxy& negative, const FloatArg& margin = {}, const FloatArg& p = {}, const FloatArg& eps = {}, const BoolArg& swap = {}, const IntArg& reduction = {}, Where where = Where::current());
/// torch.triu: aten.triu.default
Proxy triu(const Proxy& self, const IntArg& diagonal = {}, Where where = Where::current());
/// torch.triu_indices: aten.triu_indices.default
Proxy triu_indices(TracerBase& tracer, const IntArg& row, const IntArg& col, const IntArg& offset = {}, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.true_divide: aten.true_divide.Tensor
Proxy true_divide(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.true_divide: aten.true_divide.Scalar
Proxy true_divide(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.trunc: aten.trunc.default
Proxy trunc(const Proxy& self, Where where = Where::current());
/// torch.trunc_: aten.trunc_.default
Proxy trunc_(const Proxy& self, Where where = Where::current());
/// torch.unbind: aten.unbind.int
Proxy unbind(const Proxy& self, const IntArg& dim = {}, Where where = Where::current());
/// torch.unbind_copy: aten.unbind_copy.int
Proxy unbind_copy(const Proxy& self, const IntArg& dim = {}, Where where = Where::current());
/// torch.unflatten: aten.unflatten.int
Proxy unflatten(const Proxy& self, const IntArg& dim, const IntList& sizes, Where where = Where::current());
/// torch._C._nn.unflatten_dense_tensors: aten.unflatten_dense_tensors.default
Proxy unflatten_dense_tensors(const Proxy& flat, const TensorList& tensors, Where where = Where::current());
/// torch.unfold_copy: aten.unfold_copy.default
Proxy unfold_copy(const Proxy& self, const IntArg& dimension, const IntArg& size, const IntArg& step, Where where = Where::current());
/// torch.functional.unique_consecutive: aten.unique_consecutive.default
Results<3> unique_consecutive(const Proxy& self, const BoolArg& return_inverse = {}, const BoolArg& return_counts = {}, const IntArg& dim = {}, Where where = Where::current());
/// torch.unique_dim: aten.unique_dim.default
Results<3> unique_dim(const Proxy& self, const IntArg& dim, const BoolArg& sorted = {}, const BoolArg& return_inverse = {}, const BoolArg& return_counts = {}, Where where = Where::current());
/// torch.unsafe_chunk: aten.unsafe_chunk.default
Proxy unsafe_chunk(const Proxy& self, const IntArg& chunks, const IntArg& dim = {}, Where where = Where::current());
/// torch.unsafe_split: aten.unsafe_split.Tensor
Proxy unsafe_split(const Proxy& self, const IntArg& split_size, const IntArg& dim = {}, Where where = Where::current());
/// torch.unsafe_split_with_sizes: aten.unsafe_split_with_sizes.default
Proxy unsafe_split_with_sizes(const Proxy& self, const IntList& split_sizes, const IntArg& dim = {}, Where where = Where::current());
/// torch.unsqueeze: aten.unsqueeze.default
Proxy unsqueeze(const Proxy& self, const IntArg& dim, Where where = Where::current());
/// torch.unsqueeze_copy: aten.unsqueeze_copy.default
Proxy unsqueeze_copy(const Proxy& self, const IntArg& dim, Where where = Where::current());
/// torch._C._nn.upsample_bicubic2d: aten.upsample_bicubic2d.default
Proxy upsample_bicubic2d(const Proxy& self, const IntList& output_size, const BoolArg& align_corners, const FloatArg& scales_h = {}, const FloatArg& scales_w = {}, Where where = Where::current());
/// torch._C._nn.upsample_bicubic2d: aten.upsample_bicubic2d.vec
Proxy upsample_bicubic2d(const Proxy& input, const IntList& output_size, const BoolArg& align_corners, const FloatList& scale_factors, Where where = Where::current());
/// torch._C._nn.upsample_bilinear2d: aten.upsample_bilinear2d.default
Proxy upsample_bilinear2d(const Proxy& self, const IntList& output_size, const BoolArg& align_corners, const FloatArg& scales_h = {}, const FloatArg& scales_w = {}, Where where = Where::current());
/// torch._C._nn.upsample_bilinear2d: aten.upsample_bilinear2d.vec
Proxy upsample_bilinear2d(const Proxy& input, const IntList& output_size, const BoolArg& align_corners, const FloatList& scale_factors, Where where = Where::current());
/// torch._C._nn.upsample_linear1d: aten.upsample_linear1d.default
Proxy upsample_linear1d(const Proxy& self, const IntList& output_size, const BoolArg& align_corners, const FloatArg& scales = {}, Where where = Where::current());
/// torch._C._nn.upsample_linear1d: aten.upsample_linear1d.vec
Proxy upsample_linear1d(const Proxy& input, const IntList& output_size, const BoolArg& align_corners, const FloatList& scale_factors, Where where = Where::current());
/// torch._C._nn.upsample_nearest1d: aten.upsample_nearest1d.default
Proxy upsample_nearest1d(const Proxy& self, const IntList& output_size, const FloatArg& scales = {}, Where where = Where::current());
/// torch._C._nn.upsample_nearest1d: aten.upsample_nearest1d.vec
Proxy upsample_nearest1d(const Proxy& input, const IntList& output_size, const FloatList& scale_factors, Where where = Where::current());
/// torch._C._nn.upsample_nearest2d: aten.upsample_nearest2d.default
Proxy upsample_nearest2d(const Proxy& self, const IntList& output_size, const FloatArg& scales_h = {}, const FloatArg& scales_w = {}, Where where = Where::current());
/// torch._C._nn.upsample_nearest2d: aten.upsample_nearest2d.vec
Proxy upsample_nearest2d(const Proxy& input, const IntList& output_size, const FloatList& scale_factors, Where where = Where::current());
/// torch._C._nn.upsample_nearest3d: aten.upsample_nearest3d.default
Proxy upsample_nearest3d(const Proxy& self, const IntList& output_size, const FloatArg& scales_d = {}, const FloatArg& scales_h = {}, const FloatArg& scales_w = {}, Where where = Where::current());
/// torch._C._nn.upsample_nearest3d: aten.upsample_nearest3d.vec
Proxy upsample_nearest3d(const Proxy& input, const IntList& output_size, const FloatList& scale_factors, Where where = Where::current());
/// torch._C._nn.upsample_trilinear3d: aten.upsample_trilinear3d.default
Proxy upsample_trilinear3d(const Proxy& self, const IntList& output_size, const BoolArg& align_corners, const FloatArg& scales_d = {}, const FloatArg& scales_h = {}, const FloatArg& scales_w = {}, Where where = Where::current());
/// torch._C._nn.upsample_trilinear3d: aten.upsample_trilinear3d.vec
Proxy upsample_trilinear3d(const Proxy& input, const IntList& output_size, const BoolArg& align_corners, const FloatList& scale_factors, Where where = Where::current());
/// torch.values_copy: aten.values_copy.default
Proxy values_copy(const Proxy& self, Where where = Where::current());
/// torch.vander: aten.vander.default
Proxy vander(const Proxy& x, const IntArg& N = {}, const BoolArg& increasing = {}, Where where = Where::current());
/// torch.var: aten.var.default
Proxy var(const Proxy& self, const BoolArg& unbiased = {}, Where where = Where::current());
/// torch.var: aten.var.dim
Proxy var(const Proxy& self, const IntList& dim, const BoolArg& unbiased = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.var_mean: aten.var_mean.default
Results<2> var_mean(const Proxy& self, const BoolArg& unbiased = {}, Where where = Where::current());
/// torch.var_mean: aten.var_mean.dim
Results<2> var_mean(const Proxy& self, const IntList& dim, const BoolArg& unbiased = {}, const BoolArg& keepdim = {}, Where where = Where::current());
/// torch.vdot: aten.vdot.default
Proxy vdot(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.view_as_complex: aten.view_as_complex.default
Proxy view_as_complex(const Proxy& self, Where where = Where::current());
/// torch.view_as_complex_copy: aten.view_as_complex_copy.default
Proxy view_as_complex_copy(const Proxy& self, Where where = Where::current());
/// torch.view_as_real: aten.view_as_real.default
Proxy view_as_real(const Proxy& self, Where where = Where::current());
/// torch.view_as_real_copy: aten.view_as_real_copy.default
Proxy view_as_real_copy(const Proxy& self, Where where = Where::current());
/// torch.view_copy: aten.view_copy.default
Proxy view_copy(const Proxy& self, const IntList& size, Where where = Where::current());
/// torch.view_copy: aten.view_copy.dtype
Proxy view_copy(const Proxy& self, const DTypeArg& dtype, Where where = Where::current());
/// torch.vsplit: aten.vsplit.array
Proxy vsplit(const Proxy& self, const IntList& indices, Where where = Where::current());
/// torch.vstack: aten.vstack.default
Proxy vstack(const TensorList& tensors, Where where = Where::current());
/// torch.where: aten.where.self
Proxy where(const Proxy& condition, const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.where: aten.where.ScalarOther
Proxy where(const Proxy& condition, const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.where: aten.where.ScalarSelf
Proxy where(const Proxy& condition, const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.where: aten.where.Scalar
Proxy where(const Proxy& condition, const ScalarArg& self, const ScalarArg& other, Where where = Where::current());
/// torch.where: aten.where.default
Proxy where(const Proxy& condition, Where where = Where::current());
/// torch.xlogy: aten.xlogy.Tensor
Proxy xlogy(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.xlogy: aten.xlogy.Scalar_Other
Proxy xlogy(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.xlogy: aten.xlogy.Scalar_Self
Proxy xlogy(const ScalarArg& self, const Proxy& other, Where where = Where::current());
/// torch.xlogy_: aten.xlogy_.Tensor
Proxy xlogy_(const Proxy& self, const Proxy& other, Where where = Where::current());
/// torch.xlogy_: aten.xlogy_.Scalar_Other
Proxy xlogy_(const Proxy& self, const ScalarArg& other, Where where = Where::current());
/// torch.zero_: aten.zero_.default
Proxy zero_(const Proxy& self, Where where = Where::current());
/// torch.zeros: aten.zeros.default
Proxy zeros(TracerBase& tracer, const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current());
/// torch.zeros_like: aten.zeros_like.default
Proxy zeros_like(const Proxy& self, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current());

}  // namespace fx
