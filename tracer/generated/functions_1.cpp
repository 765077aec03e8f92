// Operators as functions of Proxy, abs to isin.
//
// Made by scripts/generate (make_traced_functions.py). Do not edit.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/record_internal.h"

// clang-format off
namespace fx {

Proxy abs(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.abs", "aten.abs.default", 1};
  return record_function(kCall, where, {self});
}

Proxy abs_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.abs_", "aten.abs_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy absolute(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.absolute", "aten.absolute.default", 1};
  return record_function(kCall, where, {self});
}

Proxy acos(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.acos", "aten.acos.default", 1};
  return record_function(kCall, where, {self});
}

Proxy acos_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.acos_", "aten.acos_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy acosh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.acosh", "aten.acosh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy acosh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.acosh_", "aten.acosh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy adaptive_avg_pool1d(const Proxy& self, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch.adaptive_avg_pool1d", "aten.adaptive_avg_pool1d.default", 2};
  return record_function(kCall, where, {self, output_size});
}

Proxy adaptive_avg_pool2d(const Proxy& self, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.adaptive_avg_pool2d", "aten.adaptive_avg_pool2d.default", 2};
  return record_function(kCall, where, {self, output_size});
}

Proxy adaptive_avg_pool3d(const Proxy& self, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.adaptive_avg_pool3d", "aten.adaptive_avg_pool3d.default", 2};
  return record_function(kCall, where, {self, output_size});
}

Results<2> adaptive_max_pool1d(const Proxy& self, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch.adaptive_max_pool1d", "aten.adaptive_max_pool1d.default", 2};
  return Results<2>(record_function(kCall, where, {self, output_size}), where);
}

Results<2> adaptive_max_pool2d(const Proxy& self, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.adaptive_max_pool2d", "aten.adaptive_max_pool2d.default", 2};
  return Results<2>(record_function(kCall, where, {self, output_size}), where);
}

Results<2> adaptive_max_pool3d(const Proxy& self, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.adaptive_max_pool3d", "aten.adaptive_max_pool3d.default", 2};
  return Results<2>(record_function(kCall, where, {self, output_size}), where);
}

Proxy add(const Proxy& self, const Proxy& other, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.add", "aten.add.Tensor", 2, {"alpha"}};
  return record_function(kCall, where, {self, other, alpha});
}

Proxy add(const Proxy& self, const ScalarArg& other, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.add", "aten.add.Scalar", 3};
  return record_function(kCall, where, {self, other, alpha});
}

Proxy addbmm(const Proxy& self, const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.addbmm", "aten.addbmm.default", 3, {"beta", "alpha"}};
  return record_function(kCall, where, {self, batch1, batch2, beta, alpha});
}

Proxy addcdiv(const Proxy& self, const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.addcdiv", "aten.addcdiv.default", 3, {"value"}};
  return record_function(kCall, where, {self, tensor1, tensor2, value});
}

Proxy addcmul(const Proxy& self, const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.addcmul", "aten.addcmul.default", 3, {"value"}};
  return record_function(kCall, where, {self, tensor1, tensor2, value});
}

Proxy addmm(const Proxy& self, const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.addmm", "aten.addmm.default", 3, {"beta", "alpha"}};
  return record_function(kCall, where, {self, mat1, mat2, beta, alpha});
}

Proxy addmm(const Proxy& self, const Proxy& mat1, const Proxy& mat2, const DTypeArg& out_dtype, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.addmm", "aten.addmm.dtype", 4, {"beta", "alpha"}};
  return record_function(kCall, where, {self, mat1, mat2, out_dtype, beta, alpha});
}

Proxy addmv(const Proxy& self, const Proxy& mat, const Proxy& vec, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.addmv", "aten.addmv.default", 3, {"beta", "alpha"}};
  return record_function(kCall, where, {self, mat, vec, beta, alpha});
}

Proxy addmv_(const Proxy& self, const Proxy& mat, const Proxy& vec, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.addmv_", "aten.addmv_.default", 3, {"beta", "alpha"}};
  return record_function(kCall, where, {self, mat, vec, beta, alpha});
}

Proxy addr(const Proxy& self, const Proxy& vec1, const Proxy& vec2, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.addr", "aten.addr.default", 3, {"beta", "alpha"}};
  return record_function(kCall, where, {self, vec1, vec2, beta, alpha});
}

Proxy adjoint(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.adjoint", "aten.adjoint.default", 1};
  return record_function(kCall, where, {self});
}

Proxy affine_grid_generator(const Proxy& theta, const IntList& size, const BoolArg& align_corners, Where where) {
  static constexpr TracedCall kCall{"torch.affine_grid_generator", "aten.affine_grid_generator.default", 3};
  return record_function(kCall, where, {theta, size, align_corners});
}

Proxy alias_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.alias_copy", "aten.alias_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy all(const Proxy& self, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.all", "aten.all.dims", 3, {}, "aten.all.dim", 1, false};
  return record_function(kCall, where, {self, dim, keepdim});
}

Proxy allclose(const Proxy& self, const Proxy& other, const FloatArg& rtol, const FloatArg& atol, const BoolArg& equal_nan, Where where) {
  static constexpr TracedCall kCall{"torch.allclose", "aten.allclose.default", 5};
  return record_function(kCall, where, {self, other, rtol, atol, equal_nan});
}

Proxy alpha_dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.alpha_dropout", "aten.alpha_dropout.default", 3};
  return record_function(kCall, where, {input, p, train});
}

Proxy alpha_dropout_(const Proxy& self, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.alpha_dropout_", "aten.alpha_dropout_.default", 3};
  return record_function(kCall, where, {self, p, train});
}

Proxy amax(const Proxy& self, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.amax", "aten.amax.default", 3};
  return record_function(kCall, where, {self, dim, keepdim});
}

Proxy amin(const Proxy& self, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.amin", "aten.amin.default", 3};
  return record_function(kCall, where, {self, dim, keepdim});
}

Results<2> aminmax(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.aminmax", "aten.aminmax.default", 1, {"dim", "keepdim"}};
  return Results<2>(record_function(kCall, where, {self, dim, keepdim}), where);
}

Proxy angle(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.angle", "aten.angle.default", 1};
  return record_function(kCall, where, {self});
}

Proxy any(const Proxy& self, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.any", "aten.any.dims", 3, {}, "aten.any.dim", 1, false};
  return record_function(kCall, where, {self, dim, keepdim});
}

Proxy arange(TracerBase& tracer, const ScalarArg& end, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.arange", "aten.arange.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {end, dtype, layout, device, pin_memory});
}

Proxy arange(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.arange", "aten.arange.start", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {start, end, dtype, layout, device, pin_memory});
}

Proxy arange(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const ScalarArg& step, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.arange", "aten.arange.start_step", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {start, end, step, dtype, layout, device, pin_memory});
}

Proxy arccos(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arccos", "aten.arccos.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arccos_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arccos_", "aten.arccos_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arccosh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arccosh", "aten.arccosh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arccosh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arccosh_", "aten.arccosh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arcsin(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arcsin", "aten.arcsin.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arcsin_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arcsin_", "aten.arcsin_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arcsinh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arcsinh", "aten.arcsinh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arcsinh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arcsinh_", "aten.arcsinh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arctan(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arctan", "aten.arctan.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arctan2(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.arctan2", "aten.arctan2.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy arctan_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arctan_", "aten.arctan_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arctanh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arctanh", "aten.arctanh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy arctanh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.arctanh_", "aten.arctanh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy argmax(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.argmax", "aten.argmax.default", 3};
  return record_function(kCall, where, {self, dim, keepdim});
}

Proxy argmin(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.argmin", "aten.argmin.default", 3};
  return record_function(kCall, where, {self, dim, keepdim});
}

Proxy argsort(const Proxy& self, const IntArg& dim, const BoolArg& descending, Where where) {
  static constexpr TracedCall kCall{"torch.argsort", "aten.argsort.default", 3};
  return record_function(kCall, where, {self, dim, descending});
}

Proxy argsort(const Proxy& self, const BoolArg& stable, const IntArg& dim, const BoolArg& descending, Where where) {
  static constexpr TracedCall kCall{"torch.argsort", "aten.argsort.stable", 1, {"stable", "dim", "descending"}};
  return record_function(kCall, where, {self, stable, dim, descending});
}

Proxy argwhere(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.argwhere", "aten.argwhere.default", 1};
  return record_function(kCall, where, {self});
}

Proxy as_strided(const Proxy& self, const IntList& size, const IntList& stride, const IntArg& storage_offset, Where where) {
  static constexpr TracedCall kCall{"torch.as_strided", "aten.as_strided.default", 4};
  return record_function(kCall, where, {self, size, stride, storage_offset});
}

Proxy as_strided_(const Proxy& self, const IntList& size, const IntList& stride, const IntArg& storage_offset, Where where) {
  static constexpr TracedCall kCall{"torch.as_strided_", "aten.as_strided_.default", 4};
  return record_function(kCall, where, {self, size, stride, storage_offset});
}

Proxy as_strided_copy(const Proxy& self, const IntList& size, const IntList& stride, const IntArg& storage_offset, Where where) {
  static constexpr TracedCall kCall{"torch.as_strided_copy", "aten.as_strided_copy.default", 4};
  return record_function(kCall, where, {self, size, stride, storage_offset});
}

Proxy as_strided_scatter(const Proxy& self, const Proxy& src, const IntList& size, const IntList& stride, const IntArg& storage_offset, Where where) {
  static constexpr TracedCall kCall{"torch.as_strided_scatter", "aten.as_strided_scatter.default", 5};
  return record_function(kCall, where, {self, src, size, stride, storage_offset});
}

Proxy asin(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.asin", "aten.asin.default", 1};
  return record_function(kCall, where, {self});
}

Proxy asin_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.asin_", "aten.asin_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy asinh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.asinh", "aten.asinh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy asinh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.asinh_", "aten.asinh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy atan(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.atan", "aten.atan.default", 1};
  return record_function(kCall, where, {self});
}

Proxy atan2(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.atan2", "aten.atan2.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy atan_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.atan_", "aten.atan_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy atanh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.atanh", "aten.atanh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy atanh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.atanh_", "aten.atanh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy atleast_1d(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.functional.atleast_1d", "aten.atleast_1d.default", 1};
  return record_function(kCall, where, {self});
}

Proxy atleast_1d(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.functional.atleast_1d", "aten.atleast_1d.Sequence", 1};
  return record_function(kCall, where, {tensors});
}

Proxy atleast_2d(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.functional.atleast_2d", "aten.atleast_2d.default", 1};
  return record_function(kCall, where, {self});
}

Proxy atleast_2d(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.functional.atleast_2d", "aten.atleast_2d.Sequence", 1};
  return record_function(kCall, where, {tensors});
}

Proxy atleast_3d(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.functional.atleast_3d", "aten.atleast_3d.default", 1};
  return record_function(kCall, where, {self});
}

Proxy atleast_3d(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.functional.atleast_3d", "aten.atleast_3d.Sequence", 1};
  return record_function(kCall, where, {tensors});
}

Proxy avg_pool1d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const BoolArg& ceil_mode, const BoolArg& count_include_pad, Where where) {
  static constexpr TracedCall kCall{"torch.avg_pool1d", "aten.avg_pool1d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, ceil_mode, count_include_pad});
}

Proxy avg_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const BoolArg& ceil_mode, const BoolArg& count_include_pad, const IntArg& divisor_override, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.avg_pool2d", "aten.avg_pool2d.default", 7};
  return record_function(kCall, where, {self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override});
}

Proxy avg_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const BoolArg& ceil_mode, const BoolArg& count_include_pad, const IntArg& divisor_override, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.avg_pool3d", "aten.avg_pool3d.default", 7};
  return record_function(kCall, where, {self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override});
}

Proxy baddbmm(const Proxy& self, const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.baddbmm", "aten.baddbmm.default", 3, {"beta", "alpha"}};
  return record_function(kCall, where, {self, batch1, batch2, beta, alpha});
}

Proxy baddbmm(const Proxy& self, const Proxy& batch1, const Proxy& batch2, const DTypeArg& out_dtype, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.baddbmm", "aten.baddbmm.dtype", 4, {"beta", "alpha"}};
  return record_function(kCall, where, {self, batch1, batch2, out_dtype, beta, alpha});
}

Proxy bartlett_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.bartlett_window", "aten.bartlett_window.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, dtype, layout, device, pin_memory});
}

Proxy bartlett_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.bartlett_window", "aten.bartlett_window.periodic", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, periodic, dtype, layout, device, pin_memory});
}

Proxy batch_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& training, const FloatArg& momentum, const FloatArg& eps, const BoolArg& cudnn_enabled, Where where) {
  static constexpr TracedCall kCall{"torch.batch_norm", "aten.batch_norm.default", 9};
  return record_function(kCall, where, {input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled});
}

Proxy batch_norm_backward_elemt(const Proxy& grad_out, const Proxy& input, const Proxy& mean, const Proxy& invstd, const OptionalTensor& weight, const Proxy& sum_dy, const Proxy& sum_dy_xmu, const Proxy& count, Where where) {
  static constexpr TracedCall kCall{"torch.batch_norm_backward_elemt", "aten.batch_norm_backward_elemt.default", 8};
  return record_function(kCall, where, {grad_out, input, mean, invstd, weight, sum_dy, sum_dy_xmu, count});
}

Results<4> batch_norm_backward_reduce(const Proxy& grad_out, const Proxy& input, const Proxy& mean, const Proxy& invstd, const OptionalTensor& weight, const BoolArg& input_g, const BoolArg& weight_g, const BoolArg& bias_g, Where where) {
  static constexpr TracedCall kCall{"torch.batch_norm_backward_reduce", "aten.batch_norm_backward_reduce.default", 8};
  return Results<4>(record_function(kCall, where, {grad_out, input, mean, invstd, weight, input_g, weight_g, bias_g}), where);
}

Proxy batch_norm_elemt(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const Proxy& mean, const Proxy& invstd, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.batch_norm_elemt", "aten.batch_norm_elemt.default", 6};
  return record_function(kCall, where, {input, weight, bias, mean, invstd, eps});
}

Results<2> batch_norm_gather_stats(const Proxy& input, const Proxy& mean, const Proxy& invstd, const OptionalTensor& running_mean, const OptionalTensor& running_var, const FloatArg& momentum, const FloatArg& eps, const IntArg& count, Where where) {
  static constexpr TracedCall kCall{"torch.batch_norm_gather_stats", "aten.batch_norm_gather_stats.default", 8};
  return Results<2>(record_function(kCall, where, {input, mean, invstd, running_mean, running_var, momentum, eps, count}), where);
}

Results<2> batch_norm_gather_stats_with_counts(const Proxy& input, const Proxy& mean, const Proxy& invstd, const OptionalTensor& running_mean, const OptionalTensor& running_var, const FloatArg& momentum, const FloatArg& eps, const Proxy& counts, Where where) {
  static constexpr TracedCall kCall{"torch.batch_norm_gather_stats_with_counts", "aten.batch_norm_gather_stats_with_counts.default", 8};
  return Results<2>(record_function(kCall, where, {input, mean, invstd, running_mean, running_var, momentum, eps, counts}), where);
}

Results<2> batch_norm_stats(const Proxy& input, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.batch_norm_stats", "aten.batch_norm_stats.default", 2};
  return Results<2>(record_function(kCall, where, {input, eps}), where);
}

Results<2> batch_norm_update_stats(const Proxy& input, const OptionalTensor& running_mean, const OptionalTensor& running_var, const FloatArg& momentum, Where where) {
  static constexpr TracedCall kCall{"torch.batch_norm_update_stats", "aten.batch_norm_update_stats.default", 4};
  return Results<2>(record_function(kCall, where, {input, running_mean, running_var, momentum}), where);
}

Proxy bernoulli(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.bernoulli", "aten.bernoulli.default", 1};
  return record_function(kCall, where, {self});
}

Proxy bernoulli(const Proxy& self, const FloatArg& p, Where where) {
  static constexpr TracedCall kCall{"torch.bernoulli", "aten.bernoulli.p", 2};
  return record_function(kCall, where, {self, p});
}

Proxy bernoulli(const Proxy& self, const Proxy& p, Where where) {
  static constexpr TracedCall kCall{"torch.bernoulli", "aten.bernoulli.Tensor", 2};
  return record_function(kCall, where, {self, p});
}

Proxy bilinear(const Proxy& input1, const Proxy& input2, const Proxy& weight, const OptionalTensor& bias, Where where) {
  static constexpr TracedCall kCall{"torch.bilinear", "aten.bilinear.default", 4};
  return record_function(kCall, where, {input1, input2, weight, bias});
}

Proxy binary_cross_entropy(const Proxy& self, const Proxy& target, const OptionalTensor& weight, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.binary_cross_entropy", "aten.binary_cross_entropy.default", 4};
  return record_function(kCall, where, {self, target, weight, reduction});
}

Proxy binary_cross_entropy_with_logits(const Proxy& self, const Proxy& target, const OptionalTensor& weight, const OptionalTensor& pos_weight, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch.binary_cross_entropy_with_logits", "aten.binary_cross_entropy_with_logits.default", 5};
  return record_function(kCall, where, {self, target, weight, pos_weight, reduction});
}

Proxy bincount(const Proxy& self, const OptionalTensor& weights, const IntArg& minlength, Where where) {
  static constexpr TracedCall kCall{"torch.bincount", "aten.bincount.default", 3};
  return record_function(kCall, where, {self, weights, minlength});
}

Proxy binomial(const Proxy& count, const Proxy& prob, Where where) {
  static constexpr TracedCall kCall{"torch.binomial", "aten.binomial.default", 2};
  return record_function(kCall, where, {count, prob});
}

Proxy bitwise_and(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_and", "aten.bitwise_and.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_and(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_and", "aten.bitwise_and.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_and(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_and", "aten.bitwise_and.Scalar_Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_left_shift(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_left_shift", "aten.bitwise_left_shift.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_left_shift(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_left_shift", "aten.bitwise_left_shift.Tensor_Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_left_shift(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_left_shift", "aten.bitwise_left_shift.Scalar_Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_not(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_not", "aten.bitwise_not.default", 1};
  return record_function(kCall, where, {self});
}

Proxy bitwise_or(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_or", "aten.bitwise_or.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_or(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_or", "aten.bitwise_or.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_or(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_or", "aten.bitwise_or.Scalar_Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_right_shift(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_right_shift", "aten.bitwise_right_shift.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_right_shift(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_right_shift", "aten.bitwise_right_shift.Tensor_Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_right_shift(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_right_shift", "aten.bitwise_right_shift.Scalar_Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_xor(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_xor", "aten.bitwise_xor.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_xor(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_xor", "aten.bitwise_xor.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy bitwise_xor(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.bitwise_xor", "aten.bitwise_xor.Scalar_Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy blackman_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.blackman_window", "aten.blackman_window.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, dtype, layout, device, pin_memory});
}

Proxy blackman_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.blackman_window", "aten.blackman_window.periodic", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, periodic, dtype, layout, device, pin_memory});
}

Proxy block_diag(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.functional.block_diag", "aten.block_diag.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy bmm(const Proxy& self, const Proxy& mat2, Where where) {
  static constexpr TracedCall kCall{"torch.bmm", "aten.bmm.default", 2};
  return record_function(kCall, where, {self, mat2});
}

Proxy bmm(const Proxy& self, const Proxy& mat2, const DTypeArg& out_dtype, Where where) {
  static constexpr TracedCall kCall{"torch.bmm", "aten.bmm.dtype", 3};
  return record_function(kCall, where, {self, mat2, out_dtype});
}

Proxy broadcast_tensors(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.functional.broadcast_tensors", "aten.broadcast_tensors.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy broadcast_to(const Proxy& self, const IntList& size, Where where) {
  static constexpr TracedCall kCall{"torch.broadcast_to", "aten.broadcast_to.default", 2};
  return record_function(kCall, where, {self, size});
}

Proxy bucketize(const Proxy& self, const Proxy& boundaries, const BoolArg& out_int32, const BoolArg& right, Where where) {
  static constexpr TracedCall kCall{"torch.bucketize", "aten.bucketize.Tensor", 2, {"out_int32", "right"}};
  return record_function(kCall, where, {self, boundaries, out_int32, right});
}

Proxy bucketize(const ScalarArg& self, const Proxy& boundaries, const BoolArg& out_int32, const BoolArg& right, Where where) {
  static constexpr TracedCall kCall{"torch.bucketize", "aten.bucketize.Scalar", 2, {"out_int32", "right"}};
  return record_function(kCall, where, {self, boundaries, out_int32, right});
}

Proxy can_cast(TracerBase& tracer, const DTypeArg& from_, const DTypeArg& to, Where where) {
  static constexpr TracedCall kCall{"torch.can_cast", "aten.can_cast.default", 2};
  return record_function(tracer, kCall, where, {from_, to});
}

Proxy cartesian_prod(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.functional.cartesian_prod", "aten.cartesian_prod.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy cat(const TensorList& tensors, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.cat", "aten.cat.default", 2};
  return record_function(kCall, where, {tensors, dim});
}

Proxy ccol_indices_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.ccol_indices_copy", "aten.ccol_indices_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy cdist(const Proxy& x1, const Proxy& x2, const FloatArg& p, const IntArg& compute_mode, Where where) {
  static constexpr TracedCall kCall{"torch.functional.cdist", "aten.cdist.default", 4};
  return record_function(kCall, where, {x1, x2, p, compute_mode});
}

Proxy ceil(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.ceil", "aten.ceil.default", 1};
  return record_function(kCall, where, {self});
}

Proxy ceil_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.ceil_", "aten.ceil_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy celu(const Proxy& self, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.celu", "aten.celu.default", 2};
  return record_function(kCall, where, {self, alpha});
}

Proxy celu_(const Proxy& self, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.celu_", "aten.celu_.default", 2};
  return record_function(kCall, where, {self, alpha});
}

Proxy chain_matmul(const TensorList& matrices, Where where) {
  static constexpr TracedCall kCall{"torch.functional.chain_matmul", "aten.chain_matmul.default", 1};
  return record_function(kCall, where, {matrices});
}

Proxy channel_shuffle(const Proxy& self, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.channel_shuffle", "aten.channel_shuffle.default", 2};
  return record_function(kCall, where, {self, groups});
}

Proxy cholesky(const Proxy& self, const BoolArg& upper, Where where) {
  static constexpr TracedCall kCall{"torch.cholesky", "aten.cholesky.default", 2};
  return record_function(kCall, where, {self, upper});
}

Proxy cholesky_inverse(const Proxy& self, const BoolArg& upper, Where where) {
  static constexpr TracedCall kCall{"torch.cholesky_inverse", "aten.cholesky_inverse.default", 2};
  return record_function(kCall, where, {self, upper});
}

Proxy cholesky_solve(const Proxy& self, const Proxy& input2, const BoolArg& upper, Where where) {
  static constexpr TracedCall kCall{"torch.cholesky_solve", "aten.cholesky_solve.default", 3};
  return record_function(kCall, where, {self, input2, upper});
}

Results<2> choose_qparams_optimized(const Proxy& input, const IntArg& numel, const IntArg& n_bins, const FloatArg& ratio, const IntArg& bit_width, Where where) {
  static constexpr TracedCall kCall{"torch.choose_qparams_optimized", "aten.choose_qparams_optimized.default", 5};
  return Results<2>(record_function(kCall, where, {input, numel, n_bins, ratio, bit_width}), where);
}

Proxy chunk(const Proxy& self, const IntArg& chunks, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.chunk", "aten.chunk.default", 3};
  return record_function(kCall, where, {self, chunks, dim});
}

Proxy clamp(const Proxy& self, const ScalarArg& min, const ScalarArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.clamp", "aten.clamp.default", 3, {}, "aten.clamp.Tensor", 1, true};
  return record_function(kCall, where, {self, min, max});
}

Proxy clamp_(const Proxy& self, const ScalarArg& min, const ScalarArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_", "aten.clamp_.default", 3, {}, "aten.clamp_.Tensor", 1, true};
  return record_function(kCall, where, {self, min, max});
}

Proxy clamp_max(const Proxy& self, const ScalarArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_max", "aten.clamp_max.default", 2};
  return record_function(kCall, where, {self, max});
}

Proxy clamp_max(const Proxy& self, const Proxy& max, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_max", "aten.clamp_max.Tensor", 2};
  return record_function(kCall, where, {self, max});
}

Proxy clamp_max_(const Proxy& self, const ScalarArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_max_", "aten.clamp_max_.default", 2};
  return record_function(kCall, where, {self, max});
}

Proxy clamp_max_(const Proxy& self, const Proxy& max, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_max_", "aten.clamp_max_.Tensor", 2};
  return record_function(kCall, where, {self, max});
}

Proxy clamp_min(const Proxy& self, const ScalarArg& min, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_min", "aten.clamp_min.default", 2};
  return record_function(kCall, where, {self, min});
}

Proxy clamp_min(const Proxy& self, const Proxy& min, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_min", "aten.clamp_min.Tensor", 2};
  return record_function(kCall, where, {self, min});
}

Proxy clamp_min_(const Proxy& self, const ScalarArg& min, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_min_", "aten.clamp_min_.default", 2};
  return record_function(kCall, where, {self, min});
}

Proxy clamp_min_(const Proxy& self, const Proxy& min, Where where) {
  static constexpr TracedCall kCall{"torch.clamp_min_", "aten.clamp_min_.Tensor", 2};
  return record_function(kCall, where, {self, min});
}

Proxy clip(const Proxy& self, const ScalarArg& min, const ScalarArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.clip", "aten.clip.default", 3, {}, "aten.clip.Tensor", 1, true};
  return record_function(kCall, where, {self, min, max});
}

Proxy clip_(const Proxy& self, const ScalarArg& min, const ScalarArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.clip_", "aten.clip_.default", 3, {}, "aten.clip_.Tensor", 1, true};
  return record_function(kCall, where, {self, min, max});
}

Proxy clone(const Proxy& self, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.clone", "aten.clone.default", 1, {"memory_format"}};
  return record_function(kCall, where, {self, memory_format});
}

Proxy col2im(const Proxy& self, const IntList& output_size, const IntList& kernel_size, const IntList& dilation, const IntList& padding, const IntList& stride, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.col2im", "aten.col2im.default", 6};
  return record_function(kCall, where, {self, output_size, kernel_size, dilation, padding, stride});
}

Proxy col_indices_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.col_indices_copy", "aten.col_indices_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy column_stack(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.column_stack", "aten.column_stack.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy combinations(const Proxy& self, const IntArg& r, const BoolArg& with_replacement, Where where) {
  static constexpr TracedCall kCall{"torch.combinations", "aten.combinations.default", 3};
  return record_function(kCall, where, {self, r, with_replacement});
}

Proxy complex(const Proxy& real, const Proxy& imag, Where where) {
  static constexpr TracedCall kCall{"torch.complex", "aten.complex.default", 2};
  return record_function(kCall, where, {real, imag});
}

Proxy concat(const TensorList& tensors, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.concat", "aten.concat.default", 2};
  return record_function(kCall, where, {tensors, dim});
}

Proxy concatenate(const TensorList& tensors, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.concatenate", "aten.concatenate.default", 2};
  return record_function(kCall, where, {tensors, dim});
}

Proxy conj(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.conj", "aten.conj.default", 1};
  return record_function(kCall, where, {self});
}

Proxy conj_physical(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.conj_physical", "aten.conj_physical.default", 1};
  return record_function(kCall, where, {self});
}

Proxy conj_physical_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.conj_physical_", "aten.conj_physical_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy constant_pad_nd(const Proxy& self, const IntList& pad, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.constant_pad_nd", "aten.constant_pad_nd.default", 3};
  return record_function(kCall, where, {self, pad, value});
}

Proxy conv1d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.conv1d", "aten.conv1d.default", 7};
  return record_function(kCall, where, {input, weight, bias, stride, padding, dilation, groups});
}

Proxy conv1d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const StringArg& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.conv1d", "aten.conv1d.padding", 7};
  return record_function(kCall, where, {input, weight, bias, stride, padding, dilation, groups});
}

Proxy conv2d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.conv2d", "aten.conv2d.default", 7};
  return record_function(kCall, where, {input, weight, bias, stride, padding, dilation, groups});
}

Proxy conv2d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const StringArg& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.conv2d", "aten.conv2d.padding", 7};
  return record_function(kCall, where, {input, weight, bias, stride, padding, dilation, groups});
}

Proxy conv3d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.conv3d", "aten.conv3d.default", 7};
  return record_function(kCall, where, {input, weight, bias, stride, padding, dilation, groups});
}

Proxy conv3d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const StringArg& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.conv3d", "aten.conv3d.padding", 7};
  return record_function(kCall, where, {input, weight, bias, stride, padding, dilation, groups});
}

Proxy conv_depthwise3d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.conv_depthwise3d", "aten.conv_depthwise3d.default", 7};
  return record_function(kCall, where, {self, weight, kernel_size, bias, stride, padding, dilation});
}

Proxy conv_tbc(const Proxy& self, const Proxy& weight, const Proxy& bias, const IntArg& pad, Where where) {
  static constexpr TracedCall kCall{"torch.conv_tbc", "aten.conv_tbc.default", 4};
  return record_function(kCall, where, {self, weight, bias, pad});
}

Proxy conv_transpose1d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& output_padding, const IntArg& groups, const IntList& dilation, Where where) {
  static constexpr TracedCall kCall{"torch.conv_transpose1d", "aten.conv_transpose1d.default", 8};
  return record_function(kCall, where, {input, weight, bias, stride, padding, output_padding, groups, dilation});
}

Proxy conv_transpose2d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& output_padding, const IntArg& groups, const IntList& dilation, Where where) {
  static constexpr TracedCall kCall{"torch.conv_transpose2d", "aten.conv_transpose2d.input", 8};
  return record_function(kCall, where, {input, weight, bias, stride, padding, output_padding, groups, dilation});
}

Proxy conv_transpose3d(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& output_padding, const IntArg& groups, const IntList& dilation, Where where) {
  static constexpr TracedCall kCall{"torch.conv_transpose3d", "aten.conv_transpose3d.input", 8};
  return record_function(kCall, where, {input, weight, bias, stride, padding, output_padding, groups, dilation});
}

Proxy convolution(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& transposed, const IntList& output_padding, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.convolution", "aten.convolution.default", 9};
  return record_function(kCall, where, {input, weight, bias, stride, padding, dilation, transposed, output_padding, groups});
}

Proxy copysign(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.copysign", "aten.copysign.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy copysign(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.copysign", "aten.copysign.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy corrcoef(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.corrcoef", "aten.corrcoef.default", 1};
  return record_function(kCall, where, {self});
}

Proxy cos(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.cos", "aten.cos.default", 1};
  return record_function(kCall, where, {self});
}

Proxy cos_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.cos_", "aten.cos_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy cosh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.cosh", "aten.cosh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy cosh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.cosh_", "aten.cosh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy cosine_embedding_loss(const Proxy& input1, const Proxy& input2, const Proxy& target, const FloatArg& margin, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch.cosine_embedding_loss", "aten.cosine_embedding_loss.default", 5};
  return record_function(kCall, where, {input1, input2, target, margin, reduction});
}

Proxy cosine_similarity(const Proxy& x1, const Proxy& x2, const IntArg& dim, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.cosine_similarity", "aten.cosine_similarity.default", 4};
  return record_function(kCall, where, {x1, x2, dim, eps});
}

Proxy count_nonzero(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.count_nonzero", "aten.count_nonzero.default", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy cov(const Proxy& self, const IntArg& correction, const OptionalTensor& fweights, const OptionalTensor& aweights, Where where) {
  static constexpr TracedCall kCall{"torch.cov", "aten.cov.default", 1, {"correction", "fweights", "aweights"}};
  return record_function(kCall, where, {self, correction, fweights, aweights});
}

Proxy cross(const Proxy& self, const Proxy& other, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.cross", "aten.cross.default", 3};
  return record_function(kCall, where, {self, other, dim});
}

Proxy cross_entropy_loss(const Proxy& self, const Proxy& target, const OptionalTensor& weight, const IntArg& reduction, const IntArg& ignore_index, const FloatArg& label_smoothing, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.cross_entropy_loss", "aten.cross_entropy_loss.default", 6};
  return record_function(kCall, where, {self, target, weight, reduction, ignore_index, label_smoothing});
}

Proxy crow_indices_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.crow_indices_copy", "aten.crow_indices_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy ctc_loss(const Proxy& log_probs, const Proxy& targets, const IntList& input_lengths, const IntList& target_lengths, const IntArg& blank, const IntArg& reduction, const BoolArg& zero_infinity, Where where) {
  static constexpr TracedCall kCall{"torch.ctc_loss", "aten.ctc_loss.IntList", 7};
  return record_function(kCall, where, {log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity});
}

Proxy ctc_loss(const Proxy& log_probs, const Proxy& targets, const Proxy& input_lengths, const Proxy& target_lengths, const IntArg& blank, const IntArg& reduction, const BoolArg& zero_infinity, Where where) {
  static constexpr TracedCall kCall{"torch.ctc_loss", "aten.ctc_loss.Tensor", 7};
  return record_function(kCall, where, {log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity});
}

Proxy cudnn_affine_grid_generator(const Proxy& theta, const IntArg& N, const IntArg& C, const IntArg& H, const IntArg& W, Where where) {
  static constexpr TracedCall kCall{"torch.cudnn_affine_grid_generator", "aten.cudnn_affine_grid_generator.default", 5};
  return record_function(kCall, where, {theta, N, C, H, W});
}

Results<4> cudnn_batch_norm(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& training, const FloatArg& exponential_average_factor, const FloatArg& epsilon, Where where) {
  static constexpr TracedCall kCall{"torch.cudnn_batch_norm", "aten.cudnn_batch_norm.default", 8};
  return Results<4>(record_function(kCall, where, {input, weight, bias, running_mean, running_var, training, exponential_average_factor, epsilon}), where);
}

Proxy cudnn_convolution(const Proxy& self, const Proxy& weight, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, const BoolArg& allow_tf32, Where where) {
  static constexpr TracedCall kCall{"torch.cudnn_convolution", "aten.cudnn_convolution.default", 9};
  return record_function(kCall, where, {self, weight, padding, stride, dilation, groups, benchmark, deterministic, allow_tf32});
}

Proxy cudnn_convolution_add_relu(const Proxy& self, const Proxy& weight, const Proxy& z, const ScalarArg& alpha, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.cudnn_convolution_add_relu", "aten.cudnn_convolution_add_relu.default", 9};
  return record_function(kCall, where, {self, weight, z, alpha, bias, stride, padding, dilation, groups});
}

Proxy cudnn_convolution_relu(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.cudnn_convolution_relu", "aten.cudnn_convolution_relu.default", 7};
  return record_function(kCall, where, {self, weight, bias, stride, padding, dilation, groups});
}

Proxy cudnn_convolution_transpose(const Proxy& self, const Proxy& weight, const IntList& padding, const IntList& output_padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, const BoolArg& allow_tf32, Where where) {
  static constexpr TracedCall kCall{"torch.cudnn_convolution_transpose", "aten.cudnn_convolution_transpose.default", 10};
  return record_function(kCall, where, {self, weight, padding, output_padding, stride, dilation, groups, benchmark, deterministic, allow_tf32});
}

Proxy cudnn_grid_sampler(const Proxy& self, const Proxy& grid, Where where) {
  static constexpr TracedCall kCall{"torch.cudnn_grid_sampler", "aten.cudnn_grid_sampler.default", 2};
  return record_function(kCall, where, {self, grid});
}

Proxy cudnn_is_acceptable(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.cudnn_is_acceptable", "aten.cudnn_is_acceptable.default", 1};
  return record_function(kCall, where, {self});
}

Results<2> cummax(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.cummax", "aten.cummax.default", 2};
  return Results<2>(record_function(kCall, where, {self, dim}), where);
}

Results<2> cummin(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.cummin", "aten.cummin.default", 2};
  return Results<2>(record_function(kCall, where, {self, dim}), where);
}

Proxy cumprod(const Proxy& self, const IntArg& dim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.cumprod", "aten.cumprod.default", 2, {"dtype"}};
  return record_function(kCall, where, {self, dim, dtype});
}

Proxy cumsum(const Proxy& self, const IntArg& dim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.cumsum", "aten.cumsum.default", 2, {"dtype"}};
  return record_function(kCall, where, {self, dim, dtype});
}

Proxy cumulative_trapezoid(const Proxy& y, const Proxy& x, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.cumulative_trapezoid", "aten.cumulative_trapezoid.x", 2, {"dim"}};
  return record_function(kCall, where, {y, x, dim});
}

Proxy cumulative_trapezoid(const Proxy& y, const ScalarArg& dx, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.cumulative_trapezoid", "aten.cumulative_trapezoid.dx", 1, {"dx", "dim"}};
  return record_function(kCall, where, {y, dx, dim});
}

Proxy deg2rad(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.deg2rad", "aten.deg2rad.default", 1};
  return record_function(kCall, where, {self});
}

Proxy deg2rad_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.deg2rad_", "aten.deg2rad_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy dequantize(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.dequantize", "aten.dequantize.self", 1};
  return record_function(kCall, where, {self});
}

Proxy dequantize(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.dequantize", "aten.dequantize.tensors", 1};
  return record_function(kCall, where, {tensors});
}

Proxy det(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.det", "aten.det.default", 1};
  return record_function(kCall, where, {self});
}

Proxy detach(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.detach", "aten.detach.default", 1};
  return record_function(kCall, where, {self});
}

Proxy detach_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.detach_", "aten.detach_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy detach_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.detach_copy", "aten.detach_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy diag(const Proxy& self, const IntArg& diagonal, Where where) {
  static constexpr TracedCall kCall{"torch.diag", "aten.diag.default", 2};
  return record_function(kCall, where, {self, diagonal});
}

Proxy diag_embed(const Proxy& self, const IntArg& offset, const IntArg& dim1, const IntArg& dim2, Where where) {
  static constexpr TracedCall kCall{"torch.diag_embed", "aten.diag_embed.default", 4};
  return record_function(kCall, where, {self, offset, dim1, dim2});
}

Proxy diagflat(const Proxy& self, const IntArg& offset, Where where) {
  static constexpr TracedCall kCall{"torch.diagflat", "aten.diagflat.default", 2};
  return record_function(kCall, where, {self, offset});
}

Proxy diagonal(const Proxy& self, const IntArg& offset, const IntArg& dim1, const IntArg& dim2, Where where) {
  static constexpr TracedCall kCall{"torch.diagonal", "aten.diagonal.default", 4};
  return record_function(kCall, where, {self, offset, dim1, dim2});
}

Proxy diagonal_copy(const Proxy& self, const IntArg& offset, const IntArg& dim1, const IntArg& dim2, Where where) {
  static constexpr TracedCall kCall{"torch.diagonal_copy", "aten.diagonal_copy.default", 4};
  return record_function(kCall, where, {self, offset, dim1, dim2});
}

Proxy diagonal_scatter(const Proxy& self, const Proxy& src, const IntArg& offset, const IntArg& dim1, const IntArg& dim2, Where where) {
  static constexpr TracedCall kCall{"torch.diagonal_scatter", "aten.diagonal_scatter.default", 5};
  return record_function(kCall, where, {self, src, offset, dim1, dim2});
}

Proxy diff(const Proxy& self, const IntArg& n, const IntArg& dim, const OptionalTensor& prepend, const OptionalTensor& append, Where where) {
  static constexpr TracedCall kCall{"torch.diff", "aten.diff.default", 5};
  return record_function(kCall, where, {self, n, dim, prepend, append});
}

Proxy digamma(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.digamma", "aten.digamma.default", 1};
  return record_function(kCall, where, {self});
}

Proxy dist(const Proxy& self, const Proxy& other, const ScalarArg& p, Where where) {
  static constexpr TracedCall kCall{"torch.dist", "aten.dist.default", 3};
  return record_function(kCall, where, {self, other, p});
}

Proxy div(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.div", "aten.div.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy div(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.div", "aten.div.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy div(const Proxy& self, const Proxy& other, const StringArg& rounding_mode, Where where) {
  static constexpr TracedCall kCall{"torch.div", "aten.div.Tensor_mode", 2, {"rounding_mode"}};
  return record_function(kCall, where, {self, other, rounding_mode});
}

Proxy div(const Proxy& self, const ScalarArg& other, const StringArg& rounding_mode, Where where) {
  static constexpr TracedCall kCall{"torch.div", "aten.div.Scalar_mode", 2, {"rounding_mode"}};
  return record_function(kCall, where, {self, other, rounding_mode});
}

Proxy divide(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.divide", "aten.divide.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy divide(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.divide", "aten.divide.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy divide(const Proxy& self, const Proxy& other, const StringArg& rounding_mode, Where where) {
  static constexpr TracedCall kCall{"torch.divide", "aten.divide.Tensor_mode", 2, {"rounding_mode"}};
  return record_function(kCall, where, {self, other, rounding_mode});
}

Proxy divide(const Proxy& self, const ScalarArg& other, const StringArg& rounding_mode, Where where) {
  static constexpr TracedCall kCall{"torch.divide", "aten.divide.Scalar_mode", 2, {"rounding_mode"}};
  return record_function(kCall, where, {self, other, rounding_mode});
}

Proxy dot(const Proxy& self, const Proxy& tensor, Where where) {
  static constexpr TracedCall kCall{"torch.dot", "aten.dot.default", 2};
  return record_function(kCall, where, {self, tensor});
}

Proxy dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.dropout", "aten.dropout.default", 3};
  return record_function(kCall, where, {input, p, train});
}

Proxy dropout_(const Proxy& self, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.dropout_", "aten.dropout_.default", 3};
  return record_function(kCall, where, {self, p, train});
}

Proxy dsplit(const Proxy& self, const IntList& indices, Where where) {
  static constexpr TracedCall kCall{"torch.dsplit", "aten.dsplit.array", 2, {}, "aten.dsplit.int", 1, false};
  return record_function(kCall, where, {self, indices});
}

Proxy dstack(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.dstack", "aten.dstack.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy einsum(const StringArg& equation, const TensorList& tensors, const IntList& path, Where where) {
  static constexpr TracedCall kCall{"torch.functional.einsum", "aten.einsum.default", 2, {"path"}};
  return record_function(kCall, where, {equation, tensors, path});
}

Proxy elu(const Proxy& self, const ScalarArg& alpha, const ScalarArg& scale, const ScalarArg& input_scale, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.elu", "aten.elu.default", 4};
  return record_function(kCall, where, {self, alpha, scale, input_scale});
}

Proxy elu_(const Proxy& self, const ScalarArg& alpha, const ScalarArg& scale, const ScalarArg& input_scale, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.elu_", "aten.elu_.default", 4};
  return record_function(kCall, where, {self, alpha, scale, input_scale});
}

Proxy embedding(const Proxy& weight, const Proxy& indices, const IntArg& padding_idx, const BoolArg& scale_grad_by_freq, const BoolArg& sparse, Where where) {
  static constexpr TracedCall kCall{"torch.embedding", "aten.embedding.default", 5};
  return record_function(kCall, where, {weight, indices, padding_idx, scale_grad_by_freq, sparse});
}

Results<4> embedding_bag(const Proxy& weight, const Proxy& indices, const Proxy& offsets, const BoolArg& scale_grad_by_freq, const IntArg& mode, const BoolArg& sparse, const OptionalTensor& per_sample_weights, const BoolArg& include_last_offset, Where where) {
  static constexpr TracedCall kCall{"torch.embedding_bag", "aten.embedding_bag.default", 8};
  return Results<4>(record_function(kCall, where, {weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset}), where);
}

Results<4> embedding_bag(const Proxy& weight, const Proxy& indices, const Proxy& offsets, const BoolArg& scale_grad_by_freq, const IntArg& mode, const BoolArg& sparse, const OptionalTensor& per_sample_weights, const BoolArg& include_last_offset, const IntArg& padding_idx, Where where) {
  static constexpr TracedCall kCall{"torch.embedding_bag", "aten.embedding_bag.padding_idx", 9};
  return Results<4>(record_function(kCall, where, {weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx}), where);
}

Proxy embedding_renorm_(const Proxy& self, const Proxy& indices, const FloatArg& max_norm, const FloatArg& norm_type, Where where) {
  static constexpr TracedCall kCall{"torch.embedding_renorm_", "aten.embedding_renorm_.default", 4};
  return record_function(kCall, where, {self, indices, max_norm, norm_type});
}

Proxy empty(TracerBase& tracer, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.empty", "aten.empty.memory_format", 1, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(tracer, kCall, where, {size, dtype, layout, device, pin_memory, memory_format});
}

Proxy empty_like(const Proxy& self, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.empty_like", "aten.empty_like.default", 1, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, dtype, layout, device, pin_memory, memory_format});
}

Proxy empty_permuted(TracerBase& tracer, const IntList& size, const IntList& physical_layout, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.empty_permuted", "aten.empty_permuted.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {size, physical_layout, dtype, layout, device, pin_memory});
}

Proxy empty_quantized(const IntList& size, const Proxy& qtensor, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.empty_quantized", "aten.empty_quantized.default", 2, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {size, qtensor, dtype, layout, device, pin_memory, memory_format});
}

Proxy empty_strided(TracerBase& tracer, const IntList& size, const IntList& stride, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.empty_strided", "aten.empty_strided.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {size, stride, dtype, layout, device, pin_memory});
}

Proxy eq(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.eq", "aten.eq.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy eq(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.eq", "aten.eq.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy equal(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.equal", "aten.equal.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy erf(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.erf", "aten.erf.default", 1};
  return record_function(kCall, where, {self});
}

Proxy erf_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.erf_", "aten.erf_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy erfc(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.erfc", "aten.erfc.default", 1};
  return record_function(kCall, where, {self});
}

Proxy erfc_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.erfc_", "aten.erfc_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy erfinv(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.erfinv", "aten.erfinv.default", 1};
  return record_function(kCall, where, {self});
}

Proxy exp(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.exp", "aten.exp.default", 1};
  return record_function(kCall, where, {self});
}

Proxy exp2(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.exp2", "aten.exp2.default", 1};
  return record_function(kCall, where, {self});
}

Proxy exp2_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.exp2_", "aten.exp2_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy exp_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.exp_", "aten.exp_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy expand_copy(const Proxy& self, const IntList& size, const BoolArg& implicit, Where where) {
  static constexpr TracedCall kCall{"torch.expand_copy", "aten.expand_copy.default", 2, {"implicit"}};
  return record_function(kCall, where, {self, size, implicit});
}

Proxy expm1(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.expm1", "aten.expm1.default", 1};
  return record_function(kCall, where, {self});
}

Proxy expm1_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.expm1_", "aten.expm1_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy eye(TracerBase& tracer, const IntArg& n, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.eye", "aten.eye.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {n, dtype, layout, device, pin_memory});
}

Proxy eye(TracerBase& tracer, const IntArg& n, const IntArg& m, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.eye", "aten.eye.m", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {n, m, dtype, layout, device, pin_memory});
}

Proxy fake_quantize_per_channel_affine(const Proxy& self, const Proxy& scale, const Proxy& zero_point, const IntArg& axis, const IntArg& quant_min, const IntArg& quant_max, Where where) {
  static constexpr TracedCall kCall{"torch.fake_quantize_per_channel_affine", "aten.fake_quantize_per_channel_affine.default", 6};
  return record_function(kCall, where, {self, scale, zero_point, axis, quant_min, quant_max});
}

Proxy fake_quantize_per_tensor_affine(const Proxy& self, const FloatArg& scale, const IntArg& zero_point, const IntArg& quant_min, const IntArg& quant_max, Where where) {
  static constexpr TracedCall kCall{"torch.fake_quantize_per_tensor_affine", "aten.fake_quantize_per_tensor_affine.default", 5};
  return record_function(kCall, where, {self, scale, zero_point, quant_min, quant_max});
}

Proxy fake_quantize_per_tensor_affine(const Proxy& self, const Proxy& scale, const Proxy& zero_point, const IntArg& quant_min, const IntArg& quant_max, Where where) {
  static constexpr TracedCall kCall{"torch.fake_quantize_per_tensor_affine", "aten.fake_quantize_per_tensor_affine.tensor_qparams", 5};
  return record_function(kCall, where, {self, scale, zero_point, quant_min, quant_max});
}

Proxy fbgemm_linear_fp16_weight(const Proxy& input, const Proxy& packed_weight, const Proxy& bias, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_linear_fp16_weight", "aten.fbgemm_linear_fp16_weight.default", 3};
  return record_function(kCall, where, {input, packed_weight, bias});
}

Proxy fbgemm_linear_fp16_weight(const Proxy& input, const Proxy& packed_weight, const Proxy& bias, const Proxy& output, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_linear_fp16_weight", "aten.fbgemm_linear_fp16_weight.out", 4};
  return record_function(kCall, where, {input, packed_weight, bias, output});
}

Proxy fbgemm_linear_fp16_weight_fp32_activation(const Proxy& input, const Proxy& packed_weight, const OptionalTensor& bias, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_linear_fp16_weight_fp32_activation", "aten.fbgemm_linear_fp16_weight_fp32_activation.default", 3};
  return record_function(kCall, where, {input, packed_weight, bias});
}

Proxy fbgemm_linear_fp16_weight_fp32_activation(const Proxy& input, const Proxy& packed_weight, const OptionalTensor& bias, const Proxy& output, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_linear_fp16_weight_fp32_activation", "aten.fbgemm_linear_fp16_weight_fp32_activation.out", 4};
  return record_function(kCall, where, {input, packed_weight, bias, output});
}

Proxy fbgemm_linear_int8_weight(const Proxy& input, const Proxy& weight, const Proxy& packed, const Proxy& col_offsets, const ScalarArg& weight_scale, const ScalarArg& weight_zero_point, const Proxy& bias, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_linear_int8_weight", "aten.fbgemm_linear_int8_weight.default", 7};
  return record_function(kCall, where, {input, weight, packed, col_offsets, weight_scale, weight_zero_point, bias});
}

Proxy fbgemm_linear_int8_weight_fp32_activation(const Proxy& input, const Proxy& weight, const Proxy& packed, const Proxy& col_offsets, const ScalarArg& weight_scale, const ScalarArg& weight_zero_point, const Proxy& bias, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_linear_int8_weight_fp32_activation", "aten.fbgemm_linear_int8_weight_fp32_activation.default", 7};
  return record_function(kCall, where, {input, weight, packed, col_offsets, weight_scale, weight_zero_point, bias});
}

Results<4> fbgemm_linear_quantize_weight(const Proxy& input, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_linear_quantize_weight", "aten.fbgemm_linear_quantize_weight.default", 1};
  return Results<4>(record_function(kCall, where, {input}), where);
}

Proxy fbgemm_pack_gemm_matrix_fp16(const Proxy& input, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_pack_gemm_matrix_fp16", "aten.fbgemm_pack_gemm_matrix_fp16.default", 1};
  return record_function(kCall, where, {input});
}

Proxy fbgemm_pack_quantized_matrix(const Proxy& input, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_pack_quantized_matrix", "aten.fbgemm_pack_quantized_matrix.default", 1};
  return record_function(kCall, where, {input});
}

Proxy fbgemm_pack_quantized_matrix(const Proxy& input, const IntArg& K, const IntArg& N, Where where) {
  static constexpr TracedCall kCall{"torch.fbgemm_pack_quantized_matrix", "aten.fbgemm_pack_quantized_matrix.KN", 3};
  return record_function(kCall, where, {input, K, N});
}

Proxy feature_alpha_dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.feature_alpha_dropout", "aten.feature_alpha_dropout.default", 3};
  return record_function(kCall, where, {input, p, train});
}

Proxy feature_alpha_dropout_(const Proxy& self, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.feature_alpha_dropout_", "aten.feature_alpha_dropout_.default", 3};
  return record_function(kCall, where, {self, p, train});
}

Proxy feature_dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.feature_dropout", "aten.feature_dropout.default", 3};
  return record_function(kCall, where, {input, p, train});
}

Proxy feature_dropout_(const Proxy& self, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.feature_dropout_", "aten.feature_dropout_.default", 3};
  return record_function(kCall, where, {self, p, train});
}

Proxy fft_fft(const Proxy& self, const IntArg& n, const IntArg& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_fft", "aten.fft_fft.default", 4};
  return record_function(kCall, where, {self, n, dim, norm});
}

Proxy fft_fft2(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_fft2", "aten.fft_fft2.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_fftfreq(TracerBase& tracer, const IntArg& n, const FloatArg& d, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_fftfreq", "aten.fft_fftfreq.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {n, d, dtype, layout, device, pin_memory});
}

Proxy fft_fftn(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_fftn", "aten.fft_fftn.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_fftshift(const Proxy& self, const IntList& dim, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_fftshift", "aten.fft_fftshift.default", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy fft_hfft(const Proxy& self, const IntArg& n, const IntArg& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_hfft", "aten.fft_hfft.default", 4};
  return record_function(kCall, where, {self, n, dim, norm});
}

Proxy fft_hfft2(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_hfft2", "aten.fft_hfft2.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_hfftn(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_hfftn", "aten.fft_hfftn.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_ifft(const Proxy& self, const IntArg& n, const IntArg& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_ifft", "aten.fft_ifft.default", 4};
  return record_function(kCall, where, {self, n, dim, norm});
}

Proxy fft_ifft2(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_ifft2", "aten.fft_ifft2.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_ifftn(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_ifftn", "aten.fft_ifftn.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_ifftshift(const Proxy& self, const IntList& dim, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_ifftshift", "aten.fft_ifftshift.default", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy fft_ihfft(const Proxy& self, const IntArg& n, const IntArg& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_ihfft", "aten.fft_ihfft.default", 4};
  return record_function(kCall, where, {self, n, dim, norm});
}

Proxy fft_ihfft2(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_ihfft2", "aten.fft_ihfft2.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_ihfftn(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_ihfftn", "aten.fft_ihfftn.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_irfft(const Proxy& self, const IntArg& n, const IntArg& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_irfft", "aten.fft_irfft.default", 4};
  return record_function(kCall, where, {self, n, dim, norm});
}

Proxy fft_irfft2(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_irfft2", "aten.fft_irfft2.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_irfftn(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_irfftn", "aten.fft_irfftn.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_rfft(const Proxy& self, const IntArg& n, const IntArg& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_rfft", "aten.fft_rfft.default", 4};
  return record_function(kCall, where, {self, n, dim, norm});
}

Proxy fft_rfft2(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_rfft2", "aten.fft_rfft2.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fft_rfftfreq(TracerBase& tracer, const IntArg& n, const FloatArg& d, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_rfftfreq", "aten.fft_rfftfreq.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {n, d, dtype, layout, device, pin_memory});
}

Proxy fft_rfftn(const Proxy& self, const IntList& s, const IntList& dim, const StringArg& norm, Where where) {
  static constexpr TracedCall kCall{"torch._C._fft.fft_rfftn", "aten.fft_rfftn.default", 4};
  return record_function(kCall, where, {self, s, dim, norm});
}

Proxy fill(const Proxy& self, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.fill", "aten.fill.Scalar", 2};
  return record_function(kCall, where, {self, value});
}

Proxy fill(const Proxy& self, const Proxy& value, Where where) {
  static constexpr TracedCall kCall{"torch.fill", "aten.fill.Tensor", 2};
  return record_function(kCall, where, {self, value});
}

Proxy fill_(const Proxy& self, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.fill_", "aten.fill_.Scalar", 2};
  return record_function(kCall, where, {self, value});
}

Proxy fill_(const Proxy& self, const Proxy& value, Where where) {
  static constexpr TracedCall kCall{"torch.fill_", "aten.fill_.Tensor", 2};
  return record_function(kCall, where, {self, value});
}

Proxy fix(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.fix", "aten.fix.default", 1};
  return record_function(kCall, where, {self});
}

Proxy fix_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.fix_", "aten.fix_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy flatten(const Proxy& self, const IntArg& start_dim, const IntArg& end_dim, Where where) {
  static constexpr TracedCall kCall{"torch.flatten", "aten.flatten.using_ints", 3};
  return record_function(kCall, where, {self, start_dim, end_dim});
}

Proxy flatten_dense_tensors(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.flatten_dense_tensors", "aten.flatten_dense_tensors.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy flip(const Proxy& self, const IntList& dims, Where where) {
  static constexpr TracedCall kCall{"torch.flip", "aten.flip.default", 2};
  return record_function(kCall, where, {self, dims});
}

Proxy fliplr(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.fliplr", "aten.fliplr.default", 1};
  return record_function(kCall, where, {self});
}

Proxy flipud(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.flipud", "aten.flipud.default", 1};
  return record_function(kCall, where, {self});
}

Proxy float_power(const Proxy& self, const Proxy& exponent, Where where) {
  static constexpr TracedCall kCall{"torch.float_power", "aten.float_power.Tensor_Tensor", 2};
  return record_function(kCall, where, {self, exponent});
}

Proxy float_power(const Proxy& self, const ScalarArg& exponent, Where where) {
  static constexpr TracedCall kCall{"torch.float_power", "aten.float_power.Tensor_Scalar", 2};
  return record_function(kCall, where, {self, exponent});
}

Proxy float_power(const ScalarArg& self, const Proxy& exponent, Where where) {
  static constexpr TracedCall kCall{"torch.float_power", "aten.float_power.Scalar", 2};
  return record_function(kCall, where, {self, exponent});
}

Proxy floor(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.floor", "aten.floor.default", 1};
  return record_function(kCall, where, {self});
}

Proxy floor_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.floor_", "aten.floor_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy floor_divide(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.floor_divide", "aten.floor_divide.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy floor_divide(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.floor_divide", "aten.floor_divide.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy fmax(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.fmax", "aten.fmax.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy fmin(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.fmin", "aten.fmin.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy fmod(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.fmod", "aten.fmod.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy fmod(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.fmod", "aten.fmod.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy frac(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.frac", "aten.frac.default", 1};
  return record_function(kCall, where, {self});
}

Proxy frac_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.frac_", "aten.frac_.default", 1};
  return record_function(kCall, where, {self});
}

Results<2> fractional_max_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& output_size, const Proxy& random_samples, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.fractional_max_pool2d", "aten.fractional_max_pool2d.default", 4};
  return Results<2>(record_function(kCall, where, {self, kernel_size, output_size, random_samples}), where);
}

Results<2> fractional_max_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& output_size, const Proxy& random_samples, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.fractional_max_pool3d", "aten.fractional_max_pool3d.default", 4};
  return Results<2>(record_function(kCall, where, {self, kernel_size, output_size, random_samples}), where);
}

Results<2> frexp(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.frexp", "aten.frexp.Tensor", 1};
  return Results<2>(record_function(kCall, where, {self}), where);
}

Proxy frobenius_norm(const Proxy& self, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.frobenius_norm", "aten.frobenius_norm.dim", 3};
  return record_function(kCall, where, {self, dim, keepdim});
}

Proxy from_file(TracerBase& tracer, const StringArg& filename, const BoolArg& shared, const IntArg& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.from_file", "aten.from_file.default", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {filename, shared, size, dtype, layout, device, pin_memory});
}

Proxy full(TracerBase& tracer, const IntList& size, const ScalarArg& fill_value, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.full", "aten.full.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {size, fill_value, dtype, layout, device, pin_memory});
}

Proxy full_like(const Proxy& self, const ScalarArg& fill_value, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.full_like", "aten.full_like.default", 2, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, fill_value, dtype, layout, device, pin_memory, memory_format});
}

Proxy fused_moving_avg_obs_fake_quant(const Proxy& self, const Proxy& observer_on, const Proxy& fake_quant_on, const Proxy& running_min, const Proxy& running_max, const Proxy& scale, const Proxy& zero_point, const FloatArg& averaging_const, const IntArg& quant_min, const IntArg& quant_max, const IntArg& ch_axis, const BoolArg& per_row_fake_quant, const BoolArg& symmetric_quant, Where where) {
  static constexpr TracedCall kCall{"torch.fused_moving_avg_obs_fake_quant", "aten.fused_moving_avg_obs_fake_quant.default", 13};
  return record_function(kCall, where, {self, observer_on, fake_quant_on, running_min, running_max, scale, zero_point, averaging_const, quant_min, quant_max, ch_axis, per_row_fake_quant, symmetric_quant});
}

Proxy gather(const Proxy& self, const IntArg& dim, const Proxy& index, const BoolArg& sparse_grad, Where where) {
  static constexpr TracedCall kCall{"torch.gather", "aten.gather.default", 3, {"sparse_grad"}};
  return record_function(kCall, where, {self, dim, index, sparse_grad});
}

Proxy gcd(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.gcd", "aten.gcd.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy gcd_(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.gcd_", "aten.gcd_.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy ge(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.ge", "aten.ge.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy ge(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.ge", "aten.ge.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy gelu(const Proxy& self, const StringArg& approximate, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.gelu", "aten.gelu.default", 1, {"approximate"}};
  return record_function(kCall, where, {self, approximate});
}

Proxy gelu_(const Proxy& self, const StringArg& approximate, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.gelu_", "aten.gelu_.default", 1, {"approximate"}};
  return record_function(kCall, where, {self, approximate});
}

Results<2> geqrf(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.geqrf", "aten.geqrf.default", 1};
  return Results<2>(record_function(kCall, where, {self}), where);
}

Proxy ger(const Proxy& self, const Proxy& vec2, Where where) {
  static constexpr TracedCall kCall{"torch.ger", "aten.ger.default", 2};
  return record_function(kCall, where, {self, vec2});
}

Proxy get_device(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.get_device", "aten.get_device.default", 1};
  return record_function(kCall, where, {self});
}

Proxy glu(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.glu", "aten.glu.default", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy gradient(const Proxy& self, const ScalarArg& spacing, const IntArg& dim, const IntArg& edge_order, Where where) {
  static constexpr TracedCall kCall{"torch.gradient", "aten.gradient.scalarint", 1, {"spacing", "dim", "edge_order"}};
  return record_function(kCall, where, {self, spacing, dim, edge_order});
}

Proxy gradient(const Proxy& self, const ScalarList& spacing, const IntArg& dim, const IntArg& edge_order, Where where) {
  static constexpr TracedCall kCall{"torch.gradient", "aten.gradient.scalarrayint", 1, {"spacing", "dim", "edge_order"}};
  return record_function(kCall, where, {self, spacing, dim, edge_order});
}

Proxy gradient(const Proxy& self, const TensorList& spacing, const IntArg& dim, const IntArg& edge_order, Where where) {
  static constexpr TracedCall kCall{"torch.gradient", "aten.gradient.tensorarrayint", 1, {"spacing", "dim", "edge_order"}};
  return record_function(kCall, where, {self, spacing, dim, edge_order});
}

Proxy greater(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.greater", "aten.greater.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy greater(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.greater", "aten.greater.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy greater_equal(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.greater_equal", "aten.greater_equal.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy greater_equal(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.greater_equal", "aten.greater_equal.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy grid_sampler(const Proxy& input, const Proxy& grid, const IntArg& interpolation_mode, const IntArg& padding_mode, const BoolArg& align_corners, Where where) {
  static constexpr TracedCall kCall{"torch.grid_sampler", "aten.grid_sampler.default", 5};
  return record_function(kCall, where, {input, grid, interpolation_mode, padding_mode, align_corners});
}

Proxy grid_sampler_2d(const Proxy& input, const Proxy& grid, const IntArg& interpolation_mode, const IntArg& padding_mode, const BoolArg& align_corners, Where where) {
  static constexpr TracedCall kCall{"torch.grid_sampler_2d", "aten.grid_sampler_2d.default", 5};
  return record_function(kCall, where, {input, grid, interpolation_mode, padding_mode, align_corners});
}

Proxy grid_sampler_3d(const Proxy& input, const Proxy& grid, const IntArg& interpolation_mode, const IntArg& padding_mode, const BoolArg& align_corners, Where where) {
  static constexpr TracedCall kCall{"torch.grid_sampler_3d", "aten.grid_sampler_3d.default", 5};
  return record_function(kCall, where, {input, grid, interpolation_mode, padding_mode, align_corners});
}

Proxy group_norm(const Proxy& input, const IntArg& num_groups, const OptionalTensor& weight, const OptionalTensor& bias, const FloatArg& eps, const BoolArg& cudnn_enabled, Where where) {
  static constexpr TracedCall kCall{"torch.group_norm", "aten.group_norm.default", 6};
  return record_function(kCall, where, {input, num_groups, weight, bias, eps, cudnn_enabled});
}

Results<2> gru(const Proxy& input, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const BoolArg& batch_first, Where where) {
  static constexpr TracedCall kCall{"torch.gru", "aten.gru.input", 9};
  return Results<2>(record_function(kCall, where, {input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first}), where);
}

Results<2> gru(const Proxy& data, const Proxy& batch_sizes, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, Where where) {
  static constexpr TracedCall kCall{"torch.gru", "aten.gru.data", 9};
  return Results<2>(record_function(kCall, where, {data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional}), where);
}

Proxy gru_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const OptionalTensor& b_ih, const OptionalTensor& b_hh, Where where) {
  static constexpr TracedCall kCall{"torch.gru_cell", "aten.gru_cell.default", 6};
  return record_function(kCall, where, {input, hx, w_ih, w_hh, b_ih, b_hh});
}

Proxy gt(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.gt", "aten.gt.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy gt(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.gt", "aten.gt.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy hamming_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.hamming_window", "aten.hamming_window.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, dtype, layout, device, pin_memory});
}

Proxy hamming_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.hamming_window", "aten.hamming_window.periodic", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, periodic, dtype, layout, device, pin_memory});
}

Proxy hamming_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const FloatArg& alpha, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.hamming_window", "aten.hamming_window.periodic_alpha", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, periodic, alpha, dtype, layout, device, pin_memory});
}

Proxy hamming_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const FloatArg& alpha, const FloatArg& beta, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.hamming_window", "aten.hamming_window.periodic_alpha_beta", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, periodic, alpha, beta, dtype, layout, device, pin_memory});
}

Proxy hann_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.hann_window", "aten.hann_window.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, dtype, layout, device, pin_memory});
}

Proxy hann_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.hann_window", "aten.hann_window.periodic", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, periodic, dtype, layout, device, pin_memory});
}

Proxy hardshrink(const Proxy& self, const ScalarArg& lambd, Where where) {
  static constexpr TracedCall kCall{"torch.hardshrink", "aten.hardshrink.default", 2};
  return record_function(kCall, where, {self, lambd});
}

Proxy hardsigmoid(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.hardsigmoid", "aten.hardsigmoid.default", 1};
  return record_function(kCall, where, {self});
}

Proxy hardsigmoid_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.hardsigmoid_", "aten.hardsigmoid_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy hardswish(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.hardswish", "aten.hardswish.default", 1};
  return record_function(kCall, where, {self});
}

Proxy hardswish_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.hardswish_", "aten.hardswish_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy hardtanh(const Proxy& self, const ScalarArg& min_val, const ScalarArg& max_val, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.hardtanh", "aten.hardtanh.default", 3};
  return record_function(kCall, where, {self, min_val, max_val});
}

Proxy hardtanh_(const Proxy& self, const ScalarArg& min_val, const ScalarArg& max_val, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.hardtanh_", "aten.hardtanh_.default", 3};
  return record_function(kCall, where, {self, min_val, max_val});
}

Proxy hash_tensor(const Proxy& self, const IntList& dim, const BoolArg& keepdim, const IntArg& mode, Where where) {
  static constexpr TracedCall kCall{"torch.hash_tensor", "aten.hash_tensor.default", 2, {"keepdim", "mode"}};
  return record_function(kCall, where, {self, dim, keepdim, mode});
}

Proxy heaviside(const Proxy& self, const Proxy& values, Where where) {
  static constexpr TracedCall kCall{"torch.heaviside", "aten.heaviside.default", 2};
  return record_function(kCall, where, {self, values});
}

Proxy hinge_embedding_loss(const Proxy& self, const Proxy& target, const FloatArg& margin, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch.hinge_embedding_loss", "aten.hinge_embedding_loss.default", 4};
  return record_function(kCall, where, {self, target, margin, reduction});
}

Proxy histc(const Proxy& self, const IntArg& bins, const ScalarArg& min, const ScalarArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.histc", "aten.histc.default", 4};
  return record_function(kCall, where, {self, bins, min, max});
}

Results<2> histogram(const Proxy& self, const Proxy& bins, const OptionalTensor& weight, const BoolArg& density, Where where) {
  static constexpr TracedCall kCall{"torch.histogram", "aten.histogram.bins_tensor", 2, {"weight", "density"}};
  return Results<2>(record_function(kCall, where, {self, bins, weight, density}), where);
}

Results<2> histogram(const Proxy& self, const IntArg& bins, const FloatList& range, const OptionalTensor& weight, const BoolArg& density, Where where) {
  static constexpr TracedCall kCall{"torch.histogram", "aten.histogram.bin_ct", 2, {"range", "weight", "density"}};
  return Results<2>(record_function(kCall, where, {self, bins, range, weight, density}), where);
}

Results<2> histogramdd(const Proxy& self, const IntList& bins, const FloatList& range, const OptionalTensor& weight, const BoolArg& density, Where where) {
  static constexpr TracedCall kCall{"torch.histogramdd", "aten.histogramdd.default", 5, {}, "aten.histogramdd.int_bins", 1, false};
  return Results<2>(record_function(kCall, where, {self, bins, range, weight, density}), where);
}

Results<2> histogramdd(const Proxy& self, const TensorList& bins, const FloatList& range, const OptionalTensor& weight, const BoolArg& density, Where where) {
  static constexpr TracedCall kCall{"torch.histogramdd", "aten.histogramdd.TensorList_bins", 5};
  return Results<2>(record_function(kCall, where, {self, bins, range, weight, density}), where);
}

Proxy hsplit(const Proxy& self, const IntList& indices, Where where) {
  static constexpr TracedCall kCall{"torch.hsplit", "aten.hsplit.array", 2, {}, "aten.hsplit.int", 1, false};
  return record_function(kCall, where, {self, indices});
}

Proxy hspmm(const Proxy& mat1, const Proxy& mat2, Where where) {
  static constexpr TracedCall kCall{"torch.hspmm", "aten.hspmm.default", 2};
  return record_function(kCall, where, {mat1, mat2});
}

Proxy hstack(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.hstack", "aten.hstack.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy huber_loss(const Proxy& self, const Proxy& target, const IntArg& reduction, const FloatArg& delta, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.huber_loss", "aten.huber_loss.default", 4};
  return record_function(kCall, where, {self, target, reduction, delta});
}

Proxy hypot(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.hypot", "aten.hypot.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy i0(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.i0", "aten.i0.default", 1};
  return record_function(kCall, where, {self});
}

Proxy i0_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.i0_", "aten.i0_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy igamma(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.igamma", "aten.igamma.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy igammac(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.igammac", "aten.igammac.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy im2col(const Proxy& self, const IntList& kernel_size, const IntList& dilation, const IntList& padding, const IntList& stride, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.im2col", "aten.im2col.default", 5};
  return record_function(kCall, where, {self, kernel_size, dilation, padding, stride});
}

Proxy imag(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.imag", "aten.imag.default", 1};
  return record_function(kCall, where, {self});
}

Proxy index_add(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& source, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.index_add", "aten.index_add.default", 4, {"alpha"}};
  return record_function(kCall, where, {self, dim, index, source, alpha});
}

Proxy index_copy(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& source, Where where) {
  static constexpr TracedCall kCall{"torch.index_copy", "aten.index_copy.default", 4};
  return record_function(kCall, where, {self, dim, index, source});
}

Proxy index_fill(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& value, Where where) {
  static constexpr TracedCall kCall{"torch.index_fill", "aten.index_fill.int_Tensor", 4};
  return record_function(kCall, where, {self, dim, index, value});
}

Proxy index_fill(const Proxy& self, const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.index_fill", "aten.index_fill.int_Scalar", 4};
  return record_function(kCall, where, {self, dim, index, value});
}

Proxy index_put(const Proxy& self, const OptionalTensorList& indices, const Proxy& values, const BoolArg& accumulate, Where where) {
  static constexpr TracedCall kCall{"torch.index_put", "aten.index_put.default", 4};
  return record_function(kCall, where, {self, indices, values, accumulate});
}

Proxy index_put_(const Proxy& self, const OptionalTensorList& indices, const Proxy& values, const BoolArg& accumulate, Where where) {
  static constexpr TracedCall kCall{"torch.index_put_", "aten.index_put_.default", 4};
  return record_function(kCall, where, {self, indices, values, accumulate});
}

Proxy index_reduce(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& source, const StringArg& reduce, const BoolArg& include_self, Where where) {
  static constexpr TracedCall kCall{"torch.index_reduce", "aten.index_reduce.default", 5, {"include_self"}};
  return record_function(kCall, where, {self, dim, index, source, reduce, include_self});
}

Proxy index_select(const Proxy& self, const IntArg& dim, const Proxy& index, Where where) {
  static constexpr TracedCall kCall{"torch.index_select", "aten.index_select.default", 3};
  return record_function(kCall, where, {self, dim, index});
}

Proxy indices_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.indices_copy", "aten.indices_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy inner(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.inner", "aten.inner.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy instance_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& use_input_stats, const FloatArg& momentum, const FloatArg& eps, const BoolArg& cudnn_enabled, Where where) {
  static constexpr TracedCall kCall{"torch.instance_norm", "aten.instance_norm.default", 9};
  return record_function(kCall, where, {input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled});
}

Proxy int_repr(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.int_repr", "aten.int_repr.default", 1};
  return record_function(kCall, where, {self});
}

Proxy inverse(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.inverse", "aten.inverse.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_complex(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.is_complex", "aten.is_complex.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_conj(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.is_conj", "aten.is_conj.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_distributed(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.is_distributed", "aten.is_distributed.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_floating_point(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.is_floating_point", "aten.is_floating_point.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_inference(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.is_inference", "aten.is_inference.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_neg(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.is_neg", "aten.is_neg.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_nonzero(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.is_nonzero", "aten.is_nonzero.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_same_size(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.is_same_size", "aten.is_same_size.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy is_signed(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.is_signed", "aten.is_signed.default", 1};
  return record_function(kCall, where, {self});
}

Proxy is_vulkan_available(TracerBase& tracer, Where where) {
  static constexpr TracedCall kCall{"torch.is_vulkan_available", "aten.is_vulkan_available.default", 0};
  return record_function(tracer, kCall, where, {});
}

Proxy isclose(const Proxy& self, const Proxy& other, const FloatArg& rtol, const FloatArg& atol, const BoolArg& equal_nan, Where where) {
  static constexpr TracedCall kCall{"torch.isclose", "aten.isclose.default", 5};
  return record_function(kCall, where, {self, other, rtol, atol, equal_nan});
}

Proxy isfinite(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.isfinite", "aten.isfinite.default", 1};
  return record_function(kCall, where, {self});
}

Proxy isin(const Proxy& elements, const Proxy& test_elements, const BoolArg& assume_unique, const BoolArg& invert, Where where) {
  static constexpr TracedCall kCall{"torch.isin", "aten.isin.Tensor_Tensor", 2, {"assume_unique", "invert"}};
  return record_function(kCall, where, {elements, test_elements, assume_unique, invert});
}

}  // namespace fx
