// Methods of Proxy, negative to zero_.
//
// Made by scripts/generate (make_traced_functions.py). Do not edit.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/record_internal.h"

// clang-format off
namespace fx {

Proxy TensorMethods::negative(Where where) const {
  static constexpr TracedCall kCall{"negative", "aten.negative.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::negative_(Where where) const {
  static constexpr TracedCall kCall{"negative_", "aten.negative_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::new_empty(const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) const {
  static constexpr TracedCall kCall{"new_empty", "aten.new_empty.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_method(kCall, where, {self(), size, dtype, layout, device, pin_memory});
}

Proxy TensorMethods::new_empty_strided(const IntList& size, const IntList& stride, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) const {
  static constexpr TracedCall kCall{"new_empty_strided", "aten.new_empty_strided.default", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_method(kCall, where, {self(), size, stride, dtype, layout, device, pin_memory});
}

Proxy TensorMethods::new_full(const IntList& size, const ScalarArg& fill_value, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) const {
  static constexpr TracedCall kCall{"new_full", "aten.new_full.default", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_method(kCall, where, {self(), size, fill_value, dtype, layout, device, pin_memory});
}

Proxy TensorMethods::new_ones(const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) const {
  static constexpr TracedCall kCall{"new_ones", "aten.new_ones.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_method(kCall, where, {self(), size, dtype, layout, device, pin_memory});
}

Proxy TensorMethods::new_zeros(const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) const {
  static constexpr TracedCall kCall{"new_zeros", "aten.new_zeros.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_method(kCall, where, {self(), size, dtype, layout, device, pin_memory});
}

Proxy TensorMethods::nextafter(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"nextafter", "aten.nextafter.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::nextafter_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"nextafter_", "aten.nextafter_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::nonzero(Where where) const {
  static constexpr TracedCall kCall{"nonzero", "aten.nonzero.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::nonzero_static(const IntArg& size, const IntArg& fill_value, Where where) const {
  static constexpr TracedCall kCall{"nonzero_static", "aten.nonzero_static.default", 1, {"size", "fill_value"}};
  return record_method(kCall, where, {self(), size, fill_value});
}

Proxy TensorMethods::norm(const ScalarArg& p, Where where) const {
  static constexpr TracedCall kCall{"norm", "aten.norm.Scalar", 2};
  return record_method(kCall, where, {self(), p});
}

Proxy TensorMethods::norm(const ScalarArg& p, const IntList& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"norm", "aten.norm.ScalarOpt_dim", 4};
  return record_method(kCall, where, {self(), p, dim, keepdim});
}

Proxy TensorMethods::norm(const ScalarArg& p, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"norm", "aten.norm.ScalarOpt_dim_dtype", 4, {"dtype"}};
  return record_method(kCall, where, {self(), p, dim, keepdim, dtype});
}

Proxy TensorMethods::norm(const ScalarArg& p, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"norm", "aten.norm.ScalarOpt_dtype", 2, {"dtype"}};
  return record_method(kCall, where, {self(), p, dtype});
}

Proxy TensorMethods::normal_(const FloatArg& mean, const FloatArg& std, Where where) const {
  static constexpr TracedCall kCall{"normal_", "aten.normal_.default", 3};
  return record_method(kCall, where, {self(), mean, std});
}

Proxy TensorMethods::not_equal(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"not_equal", "aten.not_equal.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::not_equal(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"not_equal", "aten.not_equal.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::not_equal_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"not_equal_", "aten.not_equal_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::not_equal_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"not_equal_", "aten.not_equal_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::numel(Where where) const {
  static constexpr TracedCall kCall{"numel", "aten.numel.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::orgqr(const Proxy& input2, Where where) const {
  static constexpr TracedCall kCall{"orgqr", "aten.orgqr.default", 2};
  return record_method(kCall, where, {self(), input2});
}

Proxy TensorMethods::ormqr(const Proxy& input2, const Proxy& input3, const BoolArg& left, const BoolArg& transpose, Where where) const {
  static constexpr TracedCall kCall{"ormqr", "aten.ormqr.default", 5};
  return record_method(kCall, where, {self(), input2, input3, left, transpose});
}

Proxy TensorMethods::outer(const Proxy& vec2, Where where) const {
  static constexpr TracedCall kCall{"outer", "aten.outer.default", 2};
  return record_method(kCall, where, {self(), vec2});
}

Proxy TensorMethods::permute(const IntList& dims, Where where) const {
  static constexpr TracedCall kCall{"permute", "aten.permute.default", 2};
  return record_method(kCall, where, {self(), dims});
}

Proxy TensorMethods::pin_memory(const DeviceArg& device, Where where) const {
  static constexpr TracedCall kCall{"pin_memory", "aten.pin_memory.default", 2};
  return record_method(kCall, where, {self(), device});
}

Proxy TensorMethods::pinverse(const FloatArg& rcond, Where where) const {
  static constexpr TracedCall kCall{"pinverse", "aten.pinverse.default", 2};
  return record_method(kCall, where, {self(), rcond});
}

Proxy TensorMethods::polygamma_(const IntArg& n, Where where) const {
  static constexpr TracedCall kCall{"polygamma_", "aten.polygamma_.default", 2};
  return record_method(kCall, where, {self(), n});
}

Proxy TensorMethods::positive(Where where) const {
  static constexpr TracedCall kCall{"positive", "aten.positive.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::pow(const Proxy& exponent, Where where) const {
  static constexpr TracedCall kCall{"pow", "aten.pow.Tensor_Tensor", 2};
  return record_method(kCall, where, {self(), exponent});
}

Proxy TensorMethods::pow(const ScalarArg& exponent, Where where) const {
  static constexpr TracedCall kCall{"pow", "aten.pow.Tensor_Scalar", 2};
  return record_method(kCall, where, {self(), exponent});
}

Proxy TensorMethods::pow_(const ScalarArg& exponent, Where where) const {
  static constexpr TracedCall kCall{"pow_", "aten.pow_.Scalar", 2};
  return record_method(kCall, where, {self(), exponent});
}

Proxy TensorMethods::pow_(const Proxy& exponent, Where where) const {
  static constexpr TracedCall kCall{"pow_", "aten.pow_.Tensor", 2};
  return record_method(kCall, where, {self(), exponent});
}

Proxy TensorMethods::prelu(const Proxy& weight, Where where) const {
  static constexpr TracedCall kCall{"prelu", "aten.prelu.default", 2};
  return record_method(kCall, where, {self(), weight});
}

Proxy TensorMethods::prod(const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"prod", "aten.prod.default", 1, {"dtype"}};
  return record_method(kCall, where, {self(), dtype});
}

Proxy TensorMethods::prod(const IntArg& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"prod", "aten.prod.dim_int", 3, {"dtype"}};
  return record_method(kCall, where, {self(), dim, keepdim, dtype});
}

Proxy TensorMethods::put(const Proxy& index, const Proxy& source, const BoolArg& accumulate, Where where) const {
  static constexpr TracedCall kCall{"put", "aten.put.default", 4};
  return record_method(kCall, where, {self(), index, source, accumulate});
}

Proxy TensorMethods::put_(const Proxy& index, const Proxy& source, const BoolArg& accumulate, Where where) const {
  static constexpr TracedCall kCall{"put_", "aten.put_.default", 4};
  return record_method(kCall, where, {self(), index, source, accumulate});
}

Proxy TensorMethods::q_per_channel_axis(Where where) const {
  static constexpr TracedCall kCall{"q_per_channel_axis", "aten.q_per_channel_axis.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::q_per_channel_scales(Where where) const {
  static constexpr TracedCall kCall{"q_per_channel_scales", "aten.q_per_channel_scales.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::q_per_channel_zero_points(Where where) const {
  static constexpr TracedCall kCall{"q_per_channel_zero_points", "aten.q_per_channel_zero_points.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::q_scale(Where where) const {
  static constexpr TracedCall kCall{"q_scale", "aten.q_scale.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::q_zero_point(Where where) const {
  static constexpr TracedCall kCall{"q_zero_point", "aten.q_zero_point.default", 1};
  return record_method(kCall, where, {self()});
}

Results<2> TensorMethods::qr(const BoolArg& some, Where where) const {
  static constexpr TracedCall kCall{"qr", "aten.qr.default", 2};
  return Results<2>(record_method(kCall, where, {self(), some}), where);
}

Proxy TensorMethods::qscheme(Where where) const {
  static constexpr TracedCall kCall{"qscheme", "aten.qscheme.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::quantile(const Proxy& q, const IntArg& dim, const BoolArg& keepdim, const StringArg& interpolation, Where where) const {
  static constexpr TracedCall kCall{"quantile", "aten.quantile.default", 4, {"interpolation"}};
  return record_method(kCall, where, {self(), q, dim, keepdim, interpolation});
}

Proxy TensorMethods::quantile(const FloatArg& q, const IntArg& dim, const BoolArg& keepdim, const StringArg& interpolation, Where where) const {
  static constexpr TracedCall kCall{"quantile", "aten.quantile.scalar", 4, {"interpolation"}};
  return record_method(kCall, where, {self(), q, dim, keepdim, interpolation});
}

Proxy TensorMethods::rad2deg(Where where) const {
  static constexpr TracedCall kCall{"rad2deg", "aten.rad2deg.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::rad2deg_(Where where) const {
  static constexpr TracedCall kCall{"rad2deg_", "aten.rad2deg_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::random_(const IntArg& from, const IntArg& to, Where where) const {
  static constexpr TracedCall kCall{"random_", "aten.random_.from", 3};
  return record_method(kCall, where, {self(), from, to});
}

Proxy TensorMethods::random_(const IntArg& to, Where where) const {
  static constexpr TracedCall kCall{"random_", "aten.random_.to", 2};
  return record_method(kCall, where, {self(), to});
}

Proxy TensorMethods::random_(Where where) const {
  static constexpr TracedCall kCall{"random_", "aten.random_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::ravel(Where where) const {
  static constexpr TracedCall kCall{"ravel", "aten.ravel.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::reciprocal(Where where) const {
  static constexpr TracedCall kCall{"reciprocal", "aten.reciprocal.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::reciprocal_(Where where) const {
  static constexpr TracedCall kCall{"reciprocal_", "aten.reciprocal_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::relu(Where where) const {
  static constexpr TracedCall kCall{"relu", "aten.relu.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::relu_(Where where) const {
  static constexpr TracedCall kCall{"relu_", "aten.relu_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::remainder(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"remainder", "aten.remainder.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::remainder(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"remainder", "aten.remainder.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::remainder_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"remainder_", "aten.remainder_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::remainder_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"remainder_", "aten.remainder_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::renorm(const ScalarArg& p, const IntArg& dim, const ScalarArg& maxnorm, Where where) const {
  static constexpr TracedCall kCall{"renorm", "aten.renorm.default", 4};
  return record_method(kCall, where, {self(), p, dim, maxnorm});
}

Proxy TensorMethods::renorm_(const ScalarArg& p, const IntArg& dim, const ScalarArg& maxnorm, Where where) const {
  static constexpr TracedCall kCall{"renorm_", "aten.renorm_.default", 4};
  return record_method(kCall, where, {self(), p, dim, maxnorm});
}

Proxy TensorMethods::repeat(const IntList& repeats, Where where) const {
  static constexpr TracedCall kCall{"repeat", "aten.repeat.default", 2};
  return record_method(kCall, where, {self(), repeats});
}

Proxy TensorMethods::repeat_interleave(const Proxy& repeats, const IntArg& dim, const IntArg& output_size, Where where) const {
  static constexpr TracedCall kCall{"repeat_interleave", "aten.repeat_interleave.self_Tensor", 3, {"output_size"}};
  return record_method(kCall, where, {self(), repeats, dim, output_size});
}

Proxy TensorMethods::repeat_interleave(const IntArg& repeats, const IntArg& dim, const IntArg& output_size, Where where) const {
  static constexpr TracedCall kCall{"repeat_interleave", "aten.repeat_interleave.self_int", 3, {"output_size"}};
  return record_method(kCall, where, {self(), repeats, dim, output_size});
}

Proxy TensorMethods::requires_grad_(const BoolArg& requires_grad, Where where) const {
  static constexpr TracedCall kCall{"requires_grad_", "aten.requires_grad_.default", 2};
  return record_method(kCall, where, {self(), requires_grad});
}

Proxy TensorMethods::reshape(const IntList& shape, Where where) const {
  static constexpr TracedCall kCall{"reshape", "aten.reshape.default", 2};
  return record_method(kCall, where, {self(), shape});
}

Proxy TensorMethods::reshape_as(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"reshape_as", "aten.reshape_as.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::resize(const IntList& size, const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"resize", "aten.resize.default", 2, {"memory_format"}};
  return record_method(kCall, where, {self(), size, memory_format});
}

Proxy TensorMethods::resize_(const IntList& size, const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"resize_", "aten.resize_.default", 2, {"memory_format"}};
  return record_method(kCall, where, {self(), size, memory_format});
}

Proxy TensorMethods::resize_as(const Proxy& the_template, const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"resize_as", "aten.resize_as.default", 2, {"memory_format"}};
  return record_method(kCall, where, {self(), the_template, memory_format});
}

Proxy TensorMethods::resize_as_(const Proxy& the_template, const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"resize_as_", "aten.resize_as_.default", 2, {"memory_format"}};
  return record_method(kCall, where, {self(), the_template, memory_format});
}

Proxy TensorMethods::resize_as_sparse_(const Proxy& the_template, Where where) const {
  static constexpr TracedCall kCall{"resize_as_sparse_", "aten.resize_as_sparse_.default", 2};
  return record_method(kCall, where, {self(), the_template});
}

Proxy TensorMethods::resolve_conj(Where where) const {
  static constexpr TracedCall kCall{"resolve_conj", "aten.resolve_conj.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::resolve_neg(Where where) const {
  static constexpr TracedCall kCall{"resolve_neg", "aten.resolve_neg.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::retain_grad(Where where) const {
  static constexpr TracedCall kCall{"retain_grad", "aten.retain_grad.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::roll(const IntList& shifts, const IntList& dims, Where where) const {
  static constexpr TracedCall kCall{"roll", "aten.roll.default", 3};
  return record_method(kCall, where, {self(), shifts, dims});
}

Proxy TensorMethods::rot90(const IntArg& k, const IntList& dims, Where where) const {
  static constexpr TracedCall kCall{"rot90", "aten.rot90.default", 3};
  return record_method(kCall, where, {self(), k, dims});
}

Proxy TensorMethods::round(Where where) const {
  static constexpr TracedCall kCall{"round", "aten.round.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::round(const IntArg& decimals, Where where) const {
  static constexpr TracedCall kCall{"round", "aten.round.decimals", 1, {"decimals"}};
  return record_method(kCall, where, {self(), decimals});
}

Proxy TensorMethods::round_(Where where) const {
  static constexpr TracedCall kCall{"round_", "aten.round_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::round_(const IntArg& decimals, Where where) const {
  static constexpr TracedCall kCall{"round_", "aten.round_.decimals", 1, {"decimals"}};
  return record_method(kCall, where, {self(), decimals});
}

Proxy TensorMethods::row_indices(Where where) const {
  static constexpr TracedCall kCall{"row_indices", "aten.row_indices.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::rsqrt(Where where) const {
  static constexpr TracedCall kCall{"rsqrt", "aten.rsqrt.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::rsqrt_(Where where) const {
  static constexpr TracedCall kCall{"rsqrt_", "aten.rsqrt_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::scatter(const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"scatter", "aten.scatter.value", 4};
  return record_method(kCall, where, {self(), dim, index, value});
}

Proxy TensorMethods::scatter(const IntArg& dim, const Proxy& index, const Proxy& src, Where where) const {
  static constexpr TracedCall kCall{"scatter", "aten.scatter.src", 4};
  return record_method(kCall, where, {self(), dim, index, src});
}

Proxy TensorMethods::scatter(const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, Where where) const {
  static constexpr TracedCall kCall{"scatter", "aten.scatter.reduce", 4, {"reduce"}};
  return record_method(kCall, where, {self(), dim, index, src, reduce});
}

Proxy TensorMethods::scatter(const IntArg& dim, const Proxy& index, const ScalarArg& value, const StringArg& reduce, Where where) const {
  static constexpr TracedCall kCall{"scatter", "aten.scatter.value_reduce", 4, {"reduce"}};
  return record_method(kCall, where, {self(), dim, index, value, reduce});
}

Proxy TensorMethods::scatter_(const IntArg& dim, const Proxy& index, const Proxy& src, Where where) const {
  static constexpr TracedCall kCall{"scatter_", "aten.scatter_.src", 4};
  return record_method(kCall, where, {self(), dim, index, src});
}

Proxy TensorMethods::scatter_(const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"scatter_", "aten.scatter_.value", 4};
  return record_method(kCall, where, {self(), dim, index, value});
}

Proxy TensorMethods::scatter_(const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, Where where) const {
  static constexpr TracedCall kCall{"scatter_", "aten.scatter_.reduce", 4, {"reduce"}};
  return record_method(kCall, where, {self(), dim, index, src, reduce});
}

Proxy TensorMethods::scatter_(const IntArg& dim, const Proxy& index, const ScalarArg& value, const StringArg& reduce, Where where) const {
  static constexpr TracedCall kCall{"scatter_", "aten.scatter_.value_reduce", 4, {"reduce"}};
  return record_method(kCall, where, {self(), dim, index, value, reduce});
}

Proxy TensorMethods::scatter_add(const IntArg& dim, const Proxy& index, const Proxy& src, Where where) const {
  static constexpr TracedCall kCall{"scatter_add", "aten.scatter_add.default", 4};
  return record_method(kCall, where, {self(), dim, index, src});
}

Proxy TensorMethods::scatter_add_(const IntArg& dim, const Proxy& index, const Proxy& src, Where where) const {
  static constexpr TracedCall kCall{"scatter_add_", "aten.scatter_add_.default", 4};
  return record_method(kCall, where, {self(), dim, index, src});
}

Proxy TensorMethods::scatter_reduce(const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, const BoolArg& include_self, Where where) const {
  static constexpr TracedCall kCall{"scatter_reduce", "aten.scatter_reduce.two", 5, {"include_self"}};
  return record_method(kCall, where, {self(), dim, index, src, reduce, include_self});
}

Proxy TensorMethods::scatter_reduce_(const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, const BoolArg& include_self, Where where) const {
  static constexpr TracedCall kCall{"scatter_reduce_", "aten.scatter_reduce_.two", 5, {"include_self"}};
  return record_method(kCall, where, {self(), dim, index, src, reduce, include_self});
}

Proxy TensorMethods::select(const IntArg& dim, const IntArg& index, Where where) const {
  static constexpr TracedCall kCall{"select", "aten.select.int", 3};
  return record_method(kCall, where, {self(), dim, index});
}

Proxy TensorMethods::select_scatter(const Proxy& src, const IntArg& dim, const IntArg& index, Where where) const {
  static constexpr TracedCall kCall{"select_scatter", "aten.select_scatter.default", 4};
  return record_method(kCall, where, {self(), src, dim, index});
}

Proxy TensorMethods::set_(const Proxy& source, Where where) const {
  static constexpr TracedCall kCall{"set_", "aten.set_.source_Tensor", 2};
  return record_method(kCall, where, {self(), source});
}

Proxy TensorMethods::set_(Where where) const {
  static constexpr TracedCall kCall{"set_", "aten.set_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::set_(const Proxy& source, const IntArg& storage_offset, const IntList& size, const IntList& stride, Where where) const {
  static constexpr TracedCall kCall{"set_", "aten.set_.source_Tensor_storage_offset", 5};
  return record_method(kCall, where, {self(), source, storage_offset, size, stride});
}

Proxy TensorMethods::sgn(Where where) const {
  static constexpr TracedCall kCall{"sgn", "aten.sgn.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sgn_(Where where) const {
  static constexpr TracedCall kCall{"sgn_", "aten.sgn_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sigmoid(Where where) const {
  static constexpr TracedCall kCall{"sigmoid", "aten.sigmoid.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sigmoid_(Where where) const {
  static constexpr TracedCall kCall{"sigmoid_", "aten.sigmoid_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sign(Where where) const {
  static constexpr TracedCall kCall{"sign", "aten.sign.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sign_(Where where) const {
  static constexpr TracedCall kCall{"sign_", "aten.sign_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::signbit(Where where) const {
  static constexpr TracedCall kCall{"signbit", "aten.signbit.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sin(Where where) const {
  static constexpr TracedCall kCall{"sin", "aten.sin.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sin_(Where where) const {
  static constexpr TracedCall kCall{"sin_", "aten.sin_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sinc(Where where) const {
  static constexpr TracedCall kCall{"sinc", "aten.sinc.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sinc_(Where where) const {
  static constexpr TracedCall kCall{"sinc_", "aten.sinc_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sinh(Where where) const {
  static constexpr TracedCall kCall{"sinh", "aten.sinh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sinh_(Where where) const {
  static constexpr TracedCall kCall{"sinh_", "aten.sinh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::slice_inverse(const Proxy& src, const IntArg& dim, const IntArg& start, const IntArg& end, const IntArg& step, Where where) const {
  static constexpr TracedCall kCall{"slice_inverse", "aten.slice_inverse.default", 6};
  return record_method(kCall, where, {self(), src, dim, start, end, step});
}

Proxy TensorMethods::slice_scatter(const Proxy& src, const IntArg& dim, const IntArg& start, const IntArg& end, const IntArg& step, Where where) const {
  static constexpr TracedCall kCall{"slice_scatter", "aten.slice_scatter.default", 6};
  return record_method(kCall, where, {self(), src, dim, start, end, step});
}

Results<2> TensorMethods::slogdet(Where where) const {
  static constexpr TracedCall kCall{"slogdet", "aten.slogdet.default", 1};
  return Results<2>(record_method(kCall, where, {self()}), where);
}

Proxy TensorMethods::smm(const Proxy& mat2, Where where) const {
  static constexpr TracedCall kCall{"smm", "aten.smm.default", 2};
  return record_method(kCall, where, {self(), mat2});
}

Proxy TensorMethods::softmax(const IntArg& dim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"softmax", "aten.softmax.int", 3};
  return record_method(kCall, where, {self(), dim, dtype});
}

Results<2> TensorMethods::sort(const IntArg& dim, const BoolArg& descending, Where where) const {
  static constexpr TracedCall kCall{"sort", "aten.sort.default", 3};
  return Results<2>(record_method(kCall, where, {self(), dim, descending}), where);
}

Results<2> TensorMethods::sort(const BoolArg& stable, const IntArg& dim, const BoolArg& descending, Where where) const {
  static constexpr TracedCall kCall{"sort", "aten.sort.stable", 1, {"stable", "dim", "descending"}};
  return Results<2>(record_method(kCall, where, {self(), stable, dim, descending}), where);
}

Proxy TensorMethods::sparse_dim(Where where) const {
  static constexpr TracedCall kCall{"sparse_dim", "aten.sparse_dim.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sparse_mask(const Proxy& mask, Where where) const {
  static constexpr TracedCall kCall{"sparse_mask", "aten.sparse_mask.default", 2};
  return record_method(kCall, where, {self(), mask});
}

Proxy TensorMethods::sparse_resize_(const IntList& size, const IntArg& sparse_dim, const IntArg& dense_dim, Where where) const {
  static constexpr TracedCall kCall{"sparse_resize_", "aten.sparse_resize_.default", 4};
  return record_method(kCall, where, {self(), size, sparse_dim, dense_dim});
}

Proxy TensorMethods::sparse_resize_and_clear_(const IntList& size, const IntArg& sparse_dim, const IntArg& dense_dim, Where where) const {
  static constexpr TracedCall kCall{"sparse_resize_and_clear_", "aten.sparse_resize_and_clear_.default", 4};
  return record_method(kCall, where, {self(), size, sparse_dim, dense_dim});
}

Proxy TensorMethods::split(const IntList& split_size, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"split", "aten.split.sizes", 3, {}, "aten.split.Tensor", 1, false};
  return record_method(kCall, where, {self(), split_size, dim});
}

Proxy TensorMethods::split_with_sizes(const IntList& split_sizes, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"split_with_sizes", "aten.split_with_sizes.default", 3};
  return record_method(kCall, where, {self(), split_sizes, dim});
}

Proxy TensorMethods::sqrt(Where where) const {
  static constexpr TracedCall kCall{"sqrt", "aten.sqrt.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::sqrt_(Where where) const {
  static constexpr TracedCall kCall{"sqrt_", "aten.sqrt_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::square(Where where) const {
  static constexpr TracedCall kCall{"square", "aten.square.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::square_(Where where) const {
  static constexpr TracedCall kCall{"square_", "aten.square_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::squeeze(Where where) const {
  static constexpr TracedCall kCall{"squeeze", "aten.squeeze.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::squeeze(const IntList& dim, Where where) const {
  static constexpr TracedCall kCall{"squeeze", "aten.squeeze.dims", 2, {}, "aten.squeeze.dim", 1, false};
  return record_method(kCall, where, {self(), dim});
}

Proxy TensorMethods::squeeze_(Where where) const {
  static constexpr TracedCall kCall{"squeeze_", "aten.squeeze_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::squeeze_(const IntList& dim, Where where) const {
  static constexpr TracedCall kCall{"squeeze_", "aten.squeeze_.dims", 2, {}, "aten.squeeze_.dim", 1, false};
  return record_method(kCall, where, {self(), dim});
}

Proxy TensorMethods::sspaddmm(const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"sspaddmm", "aten.sspaddmm.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), mat1, mat2, beta, alpha});
}

Proxy TensorMethods::std(const BoolArg& unbiased, Where where) const {
  static constexpr TracedCall kCall{"std", "aten.std.default", 2};
  return record_method(kCall, where, {self(), unbiased});
}

Proxy TensorMethods::std(const IntList& dim, const BoolArg& unbiased, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"std", "aten.std.dim", 4};
  return record_method(kCall, where, {self(), dim, unbiased, keepdim});
}

Proxy TensorMethods::stft(const IntArg& n_fft, const IntArg& hop_length, const IntArg& win_length, const OptionalTensor& window, const BoolArg& normalized, const BoolArg& onesided, const BoolArg& return_complex, const BoolArg& align_to_window, Where where) const {
  static constexpr TracedCall kCall{"stft", "aten.stft.default", 9};
  return record_method(kCall, where, {self(), n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window});
}

Proxy TensorMethods::stft(const IntArg& n_fft, const IntArg& hop_length, const IntArg& win_length, const OptionalTensor& window, const BoolArg& center, const StringArg& pad_mode, const BoolArg& normalized, const BoolArg& onesided, const BoolArg& return_complex, const BoolArg& align_to_window, Where where) const {
  static constexpr TracedCall kCall{"stft", "aten.stft.center", 11};
  return record_method(kCall, where, {self(), n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex, align_to_window});
}

Proxy TensorMethods::storage_offset(Where where) const {
  static constexpr TracedCall kCall{"storage_offset", "aten.storage_offset.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::stride(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"stride", "aten.stride.int", 2};
  return record_method(kCall, where, {self(), dim});
}

Proxy TensorMethods::sub(const Proxy& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"sub", "aten.sub.Tensor", 2, {"alpha"}};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::sub(const ScalarArg& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"sub", "aten.sub.Scalar", 3};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::sub_(const Proxy& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"sub_", "aten.sub_.Tensor", 2, {"alpha"}};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::sub_(const ScalarArg& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"sub_", "aten.sub_.Scalar", 3};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::subtract(const Proxy& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"subtract", "aten.subtract.Tensor", 2, {"alpha"}};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::subtract(const ScalarArg& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"subtract", "aten.subtract.Scalar", 3};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::subtract_(const Proxy& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"subtract_", "aten.subtract_.Tensor", 2, {"alpha"}};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::subtract_(const ScalarArg& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"subtract_", "aten.subtract_.Scalar", 3};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::sum(const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"sum", "aten.sum.dim_IntList", 3, {"dtype"}};
  return record_method(kCall, where, {self(), dim, keepdim, dtype});
}

Proxy TensorMethods::sum(const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"sum", "aten.sum.default", 1, {"dtype"}};
  return record_method(kCall, where, {self(), dtype});
}

Proxy TensorMethods::sum_to_size(const IntList& size, Where where) const {
  static constexpr TracedCall kCall{"sum_to_size", "aten.sum_to_size.default", 2};
  return record_method(kCall, where, {self(), size});
}

Results<3> TensorMethods::svd(const BoolArg& some, const BoolArg& compute_uv, Where where) const {
  static constexpr TracedCall kCall{"svd", "aten.svd.default", 3};
  return Results<3>(record_method(kCall, where, {self(), some, compute_uv}), where);
}

Proxy TensorMethods::swapaxes(const IntArg& axis0, const IntArg& axis1, Where where) const {
  static constexpr TracedCall kCall{"swapaxes", "aten.swapaxes.default", 3};
  return record_method(kCall, where, {self(), axis0, axis1});
}

Proxy TensorMethods::swapaxes_(const IntArg& axis0, const IntArg& axis1, Where where) const {
  static constexpr TracedCall kCall{"swapaxes_", "aten.swapaxes_.default", 3};
  return record_method(kCall, where, {self(), axis0, axis1});
}

Proxy TensorMethods::swapdims(const IntArg& dim0, const IntArg& dim1, Where where) const {
  static constexpr TracedCall kCall{"swapdims", "aten.swapdims.default", 3};
  return record_method(kCall, where, {self(), dim0, dim1});
}

Proxy TensorMethods::swapdims_(const IntArg& dim0, const IntArg& dim1, Where where) const {
  static constexpr TracedCall kCall{"swapdims_", "aten.swapdims_.default", 3};
  return record_method(kCall, where, {self(), dim0, dim1});
}

Proxy TensorMethods::t(Where where) const {
  static constexpr TracedCall kCall{"t", "aten.t.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::t_(Where where) const {
  static constexpr TracedCall kCall{"t_", "aten.t_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::take(const Proxy& index, Where where) const {
  static constexpr TracedCall kCall{"take", "aten.take.default", 2};
  return record_method(kCall, where, {self(), index});
}

Proxy TensorMethods::take_along_dim(const Proxy& indices, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"take_along_dim", "aten.take_along_dim.default", 3};
  return record_method(kCall, where, {self(), indices, dim});
}

Proxy TensorMethods::tan(Where where) const {
  static constexpr TracedCall kCall{"tan", "aten.tan.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::tan_(Where where) const {
  static constexpr TracedCall kCall{"tan_", "aten.tan_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::tanh(Where where) const {
  static constexpr TracedCall kCall{"tanh", "aten.tanh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::tanh_(Where where) const {
  static constexpr TracedCall kCall{"tanh_", "aten.tanh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::tensor_split(const IntList& indices, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"tensor_split", "aten.tensor_split.indices", 3, {}, "aten.tensor_split.sections", 1, false};
  return record_method(kCall, where, {self(), indices, dim});
}

Proxy TensorMethods::tensor_split(const Proxy& tensor_indices_or_sections, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"tensor_split", "aten.tensor_split.tensor_indices_or_sections", 3};
  return record_method(kCall, where, {self(), tensor_indices_or_sections, dim});
}

Proxy TensorMethods::tile(const IntList& dims, Where where) const {
  static constexpr TracedCall kCall{"tile", "aten.tile.default", 2};
  return record_method(kCall, where, {self(), dims});
}

Proxy TensorMethods::to(const DeviceArg& device, const DTypeArg& dtype, const BoolArg& non_blocking, const BoolArg& copy, const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"to", "aten.to.device", 6};
  return record_method(kCall, where, {self(), device, dtype, non_blocking, copy, memory_format});
}

Proxy TensorMethods::to(const DTypeArg& dtype, const BoolArg& non_blocking, const BoolArg& copy, const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"to", "aten.to.dtype", 5};
  return record_method(kCall, where, {self(), dtype, non_blocking, copy, memory_format});
}

Proxy TensorMethods::to(const Proxy& other, const BoolArg& non_blocking, const BoolArg& copy, const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"to", "aten.to.other", 5};
  return record_method(kCall, where, {self(), other, non_blocking, copy, memory_format});
}

Proxy TensorMethods::to(const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const BoolArg& non_blocking, const BoolArg& copy, const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"to", "aten.to.dtype_layout", 1, {"dtype", "layout", "device", "pin_memory", "non_blocking", "copy", "memory_format"}};
  return record_method(kCall, where, {self(), dtype, layout, device, pin_memory, non_blocking, copy, memory_format});
}

Proxy TensorMethods::to_dense(const DTypeArg& dtype, const BoolArg& masked_grad, Where where) const {
  static constexpr TracedCall kCall{"to_dense", "aten.to_dense.default", 2, {"masked_grad"}};
  return record_method(kCall, where, {self(), dtype, masked_grad});
}

Proxy TensorMethods::to_mkldnn(const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"to_mkldnn", "aten.to_mkldnn.default", 2};
  return record_method(kCall, where, {self(), dtype});
}

Proxy TensorMethods::to_padded_tensor(const FloatArg& padding, const IntList& output_size, Where where) const {
  static constexpr TracedCall kCall{"to_padded_tensor", "aten.to_padded_tensor.default", 3};
  return record_method(kCall, where, {self(), padding, output_size});
}

Proxy TensorMethods::to_sparse(const IntArg& sparse_dim, Where where) const {
  static constexpr TracedCall kCall{"to_sparse", "aten.to_sparse.sparse_dim", 2};
  return record_method(kCall, where, {self(), sparse_dim});
}

Proxy TensorMethods::to_sparse(const LayoutArg& layout, const IntList& blocksize, const IntArg& dense_dim, Where where) const {
  static constexpr TracedCall kCall{"to_sparse", "aten.to_sparse.default", 1, {"layout", "blocksize", "dense_dim"}};
  return record_method(kCall, where, {self(), layout, blocksize, dense_dim});
}

Proxy TensorMethods::to_sparse_bsc(const IntList& blocksize, const IntArg& dense_dim, Where where) const {
  static constexpr TracedCall kCall{"to_sparse_bsc", "aten.to_sparse_bsc.default", 3};
  return record_method(kCall, where, {self(), blocksize, dense_dim});
}

Proxy TensorMethods::to_sparse_bsr(const IntList& blocksize, const IntArg& dense_dim, Where where) const {
  static constexpr TracedCall kCall{"to_sparse_bsr", "aten.to_sparse_bsr.default", 3};
  return record_method(kCall, where, {self(), blocksize, dense_dim});
}

Proxy TensorMethods::to_sparse_csc(const IntArg& dense_dim, Where where) const {
  static constexpr TracedCall kCall{"to_sparse_csc", "aten.to_sparse_csc.default", 2};
  return record_method(kCall, where, {self(), dense_dim});
}

Proxy TensorMethods::to_sparse_csr(const IntArg& dense_dim, Where where) const {
  static constexpr TracedCall kCall{"to_sparse_csr", "aten.to_sparse_csr.default", 2};
  return record_method(kCall, where, {self(), dense_dim});
}

Results<2> TensorMethods::topk(const IntArg& k, const IntArg& dim, const BoolArg& largest, const BoolArg& sorted, Where where) const {
  static constexpr TracedCall kCall{"topk", "aten.topk.default", 5};
  return Results<2>(record_method(kCall, where, {self(), k, dim, largest, sorted}), where);
}

Proxy TensorMethods::trace(Where where) const {
  static constexpr TracedCall kCall{"trace", "aten.trace.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::transpose(const IntArg& dim0, const IntArg& dim1, Where where) const {
  static constexpr TracedCall kCall{"transpose", "aten.transpose.int", 3};
  return record_method(kCall, where, {self(), dim0, dim1});
}

Proxy TensorMethods::transpose_(const IntArg& dim0, const IntArg& dim1, Where where) const {
  static constexpr TracedCall kCall{"transpose_", "aten.transpose_.default", 3};
  return record_method(kCall, where, {self(), dim0, dim1});
}

Results<2> TensorMethods::triangular_solve(const Proxy& A, const BoolArg& upper, const BoolArg& transpose, const BoolArg& unitriangular, Where where) const {
  static constexpr TracedCall kCall{"triangular_solve", "aten.triangular_solve.default", 5};
  return Results<2>(record_method(kCall, where, {self(), A, upper, transpose, unitriangular}), where);
}

Proxy TensorMethods::tril(const IntArg& diagonal, Where where) const {
  static constexpr TracedCall kCall{"tril", "aten.tril.default", 2};
  return record_method(kCall, where, {self(), diagonal});
}

Proxy TensorMethods::tril_(const IntArg& diagonal, Where where) const {
  static constexpr TracedCall kCall{"tril_", "aten.tril_.default", 2};
  return record_method(kCall, where, {self(), diagonal});
}

Proxy TensorMethods::triu(const IntArg& diagonal, Where where) const {
  static constexpr TracedCall kCall{"triu", "aten.triu.default", 2};
  return record_method(kCall, where, {self(), diagonal});
}

Proxy TensorMethods::triu_(const IntArg& diagonal, Where where) const {
  static constexpr TracedCall kCall{"triu_", "aten.triu_.default", 2};
  return record_method(kCall, where, {self(), diagonal});
}

Proxy TensorMethods::true_divide(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"true_divide", "aten.true_divide.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::true_divide(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"true_divide", "aten.true_divide.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::true_divide_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"true_divide_", "aten.true_divide_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::true_divide_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"true_divide_", "aten.true_divide_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::trunc(Where where) const {
  static constexpr TracedCall kCall{"trunc", "aten.trunc.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::trunc_(Where where) const {
  static constexpr TracedCall kCall{"trunc_", "aten.trunc_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::type_as(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"type_as", "aten.type_as.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::unbind(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"unbind", "aten.unbind.int", 2};
  return record_method(kCall, where, {self(), dim});
}

Proxy TensorMethods::unflatten(const IntArg& dim, const IntList& sizes, Where where) const {
  static constexpr TracedCall kCall{"unflatten", "aten.unflatten.int", 3};
  return record_method(kCall, where, {self(), dim, sizes});
}

Proxy TensorMethods::unfold(const IntArg& dimension, const IntArg& size, const IntArg& step, Where where) const {
  static constexpr TracedCall kCall{"unfold", "aten.unfold.default", 4};
  return record_method(kCall, where, {self(), dimension, size, step});
}

Proxy TensorMethods::uniform_(const FloatArg& from, const FloatArg& to, Where where) const {
  static constexpr TracedCall kCall{"uniform_", "aten.uniform_.default", 3};
  return record_method(kCall, where, {self(), from, to});
}

Results<3> TensorMethods::unique_consecutive(const BoolArg& return_inverse, const BoolArg& return_counts, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"unique_consecutive", "aten.unique_consecutive.default", 4};
  return Results<3>(record_method(kCall, where, {self(), return_inverse, return_counts, dim}), where);
}

Proxy TensorMethods::unsafe_chunk(const IntArg& chunks, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"unsafe_chunk", "aten.unsafe_chunk.default", 3};
  return record_method(kCall, where, {self(), chunks, dim});
}

Proxy TensorMethods::unsafe_split(const IntArg& split_size, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"unsafe_split", "aten.unsafe_split.Tensor", 3};
  return record_method(kCall, where, {self(), split_size, dim});
}

Proxy TensorMethods::unsafe_split_with_sizes(const IntList& split_sizes, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"unsafe_split_with_sizes", "aten.unsafe_split_with_sizes.default", 3};
  return record_method(kCall, where, {self(), split_sizes, dim});
}

Proxy TensorMethods::unsqueeze(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"unsqueeze", "aten.unsqueeze.default", 2};
  return record_method(kCall, where, {self(), dim});
}

Proxy TensorMethods::unsqueeze_(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"unsqueeze_", "aten.unsqueeze_.default", 2};
  return record_method(kCall, where, {self(), dim});
}

Proxy TensorMethods::values(Where where) const {
  static constexpr TracedCall kCall{"values", "aten.values.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::var(const BoolArg& unbiased, Where where) const {
  static constexpr TracedCall kCall{"var", "aten.var.default", 2};
  return record_method(kCall, where, {self(), unbiased});
}

Proxy TensorMethods::var(const IntList& dim, const BoolArg& unbiased, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"var", "aten.var.dim", 4};
  return record_method(kCall, where, {self(), dim, unbiased, keepdim});
}

Proxy TensorMethods::vdot(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"vdot", "aten.vdot.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::view(const IntList& size, Where where) const {
  static constexpr TracedCall kCall{"view", "aten.view.default", 2};
  return record_method(kCall, where, {self(), size});
}

Proxy TensorMethods::view(const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"view", "aten.view.dtype", 2};
  return record_method(kCall, where, {self(), dtype});
}

Proxy TensorMethods::view_as(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"view_as", "aten.view_as.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::vsplit(const IntList& indices, Where where) const {
  static constexpr TracedCall kCall{"vsplit", "aten.vsplit.array", 2, {}, "aten.vsplit.int", 1, false};
  return record_method(kCall, where, {self(), indices});
}

Proxy TensorMethods::xlogy(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"xlogy", "aten.xlogy.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::xlogy(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"xlogy", "aten.xlogy.Scalar_Other", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::xlogy_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"xlogy_", "aten.xlogy_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::xlogy_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"xlogy_", "aten.xlogy_.Scalar_Other", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::zero_(Where where) const {
  static constexpr TracedCall kCall{"zero_", "aten.zero_.default", 1};
  return record_method(kCall, where, {self()});
}

}  // namespace fx
