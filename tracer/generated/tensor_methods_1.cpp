// Methods of Proxy, abs to neg_.
//
// Made by scripts/generate (make_traced_functions.py). Do not edit.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/record_internal.h"

// clang-format off
namespace fx {

Proxy TensorMethods::abs(Where where) const {
  static constexpr TracedCall kCall{"abs", "aten.abs.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::abs_(Where where) const {
  static constexpr TracedCall kCall{"abs_", "aten.abs_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::absolute(Where where) const {
  static constexpr TracedCall kCall{"absolute", "aten.absolute.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::absolute_(Where where) const {
  static constexpr TracedCall kCall{"absolute_", "aten.absolute_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::acos(Where where) const {
  static constexpr TracedCall kCall{"acos", "aten.acos.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::acos_(Where where) const {
  static constexpr TracedCall kCall{"acos_", "aten.acos_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::acosh(Where where) const {
  static constexpr TracedCall kCall{"acosh", "aten.acosh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::acosh_(Where where) const {
  static constexpr TracedCall kCall{"acosh_", "aten.acosh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::add(const Proxy& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"add", "aten.add.Tensor", 2, {"alpha"}};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::add(const ScalarArg& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"add", "aten.add.Scalar", 3};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::add_(const Proxy& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"add_", "aten.add_.Tensor", 2, {"alpha"}};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::add_(const ScalarArg& other, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"add_", "aten.add_.Scalar", 3};
  return record_method(kCall, where, {self(), other, alpha});
}

Proxy TensorMethods::addbmm(const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addbmm", "aten.addbmm.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), batch1, batch2, beta, alpha});
}

Proxy TensorMethods::addbmm_(const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addbmm_", "aten.addbmm_.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), batch1, batch2, beta, alpha});
}

Proxy TensorMethods::addcdiv(const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"addcdiv", "aten.addcdiv.default", 3, {"value"}};
  return record_method(kCall, where, {self(), tensor1, tensor2, value});
}

Proxy TensorMethods::addcdiv_(const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"addcdiv_", "aten.addcdiv_.default", 3, {"value"}};
  return record_method(kCall, where, {self(), tensor1, tensor2, value});
}

Proxy TensorMethods::addcmul(const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"addcmul", "aten.addcmul.default", 3, {"value"}};
  return record_method(kCall, where, {self(), tensor1, tensor2, value});
}

Proxy TensorMethods::addcmul_(const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"addcmul_", "aten.addcmul_.default", 3, {"value"}};
  return record_method(kCall, where, {self(), tensor1, tensor2, value});
}

Proxy TensorMethods::addmm(const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addmm", "aten.addmm.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), mat1, mat2, beta, alpha});
}

Proxy TensorMethods::addmm(const Proxy& mat1, const Proxy& mat2, const DTypeArg& out_dtype, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addmm", "aten.addmm.dtype", 4, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), mat1, mat2, out_dtype, beta, alpha});
}

Proxy TensorMethods::addmm_(const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addmm_", "aten.addmm_.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), mat1, mat2, beta, alpha});
}

Proxy TensorMethods::addmv(const Proxy& mat, const Proxy& vec, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addmv", "aten.addmv.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), mat, vec, beta, alpha});
}

Proxy TensorMethods::addmv_(const Proxy& mat, const Proxy& vec, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addmv_", "aten.addmv_.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), mat, vec, beta, alpha});
}

Proxy TensorMethods::addr(const Proxy& vec1, const Proxy& vec2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addr", "aten.addr.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), vec1, vec2, beta, alpha});
}

Proxy TensorMethods::addr_(const Proxy& vec1, const Proxy& vec2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"addr_", "aten.addr_.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), vec1, vec2, beta, alpha});
}

Proxy TensorMethods::adjoint(Where where) const {
  static constexpr TracedCall kCall{"adjoint", "aten.adjoint.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::all(const IntList& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"all", "aten.all.dims", 3, {}, "aten.all.dim", 1, false};
  return record_method(kCall, where, {self(), dim, keepdim});
}

Proxy TensorMethods::allclose(const Proxy& other, const FloatArg& rtol, const FloatArg& atol, const BoolArg& equal_nan, Where where) const {
  static constexpr TracedCall kCall{"allclose", "aten.allclose.default", 5};
  return record_method(kCall, where, {self(), other, rtol, atol, equal_nan});
}

Proxy TensorMethods::amax(const IntList& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"amax", "aten.amax.default", 3};
  return record_method(kCall, where, {self(), dim, keepdim});
}

Proxy TensorMethods::amin(const IntList& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"amin", "aten.amin.default", 3};
  return record_method(kCall, where, {self(), dim, keepdim});
}

Results<2> TensorMethods::aminmax(const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"aminmax", "aten.aminmax.default", 1, {"dim", "keepdim"}};
  return Results<2>(record_method(kCall, where, {self(), dim, keepdim}), where);
}

Proxy TensorMethods::angle(Where where) const {
  static constexpr TracedCall kCall{"angle", "aten.angle.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::any(const IntList& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"any", "aten.any.dims", 3, {}, "aten.any.dim", 1, false};
  return record_method(kCall, where, {self(), dim, keepdim});
}

Proxy TensorMethods::arccos(Where where) const {
  static constexpr TracedCall kCall{"arccos", "aten.arccos.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arccos_(Where where) const {
  static constexpr TracedCall kCall{"arccos_", "aten.arccos_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arccosh(Where where) const {
  static constexpr TracedCall kCall{"arccosh", "aten.arccosh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arccosh_(Where where) const {
  static constexpr TracedCall kCall{"arccosh_", "aten.arccosh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arcsin(Where where) const {
  static constexpr TracedCall kCall{"arcsin", "aten.arcsin.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arcsin_(Where where) const {
  static constexpr TracedCall kCall{"arcsin_", "aten.arcsin_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arcsinh(Where where) const {
  static constexpr TracedCall kCall{"arcsinh", "aten.arcsinh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arcsinh_(Where where) const {
  static constexpr TracedCall kCall{"arcsinh_", "aten.arcsinh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arctan(Where where) const {
  static constexpr TracedCall kCall{"arctan", "aten.arctan.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arctan2(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"arctan2", "aten.arctan2.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::arctan2_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"arctan2_", "aten.arctan2_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::arctan_(Where where) const {
  static constexpr TracedCall kCall{"arctan_", "aten.arctan_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arctanh(Where where) const {
  static constexpr TracedCall kCall{"arctanh", "aten.arctanh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::arctanh_(Where where) const {
  static constexpr TracedCall kCall{"arctanh_", "aten.arctanh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::argmax(const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"argmax", "aten.argmax.default", 3};
  return record_method(kCall, where, {self(), dim, keepdim});
}

Proxy TensorMethods::argmin(const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"argmin", "aten.argmin.default", 3};
  return record_method(kCall, where, {self(), dim, keepdim});
}

Proxy TensorMethods::argsort(const IntArg& dim, const BoolArg& descending, Where where) const {
  static constexpr TracedCall kCall{"argsort", "aten.argsort.default", 3};
  return record_method(kCall, where, {self(), dim, descending});
}

Proxy TensorMethods::argsort(const BoolArg& stable, const IntArg& dim, const BoolArg& descending, Where where) const {
  static constexpr TracedCall kCall{"argsort", "aten.argsort.stable", 1, {"stable", "dim", "descending"}};
  return record_method(kCall, where, {self(), stable, dim, descending});
}

Proxy TensorMethods::argwhere(Where where) const {
  static constexpr TracedCall kCall{"argwhere", "aten.argwhere.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::as_strided(const IntList& size, const IntList& stride, const IntArg& storage_offset, Where where) const {
  static constexpr TracedCall kCall{"as_strided", "aten.as_strided.default", 4};
  return record_method(kCall, where, {self(), size, stride, storage_offset});
}

Proxy TensorMethods::as_strided_(const IntList& size, const IntList& stride, const IntArg& storage_offset, Where where) const {
  static constexpr TracedCall kCall{"as_strided_", "aten.as_strided_.default", 4};
  return record_method(kCall, where, {self(), size, stride, storage_offset});
}

Proxy TensorMethods::as_strided_scatter(const Proxy& src, const IntList& size, const IntList& stride, const IntArg& storage_offset, Where where) const {
  static constexpr TracedCall kCall{"as_strided_scatter", "aten.as_strided_scatter.default", 5};
  return record_method(kCall, where, {self(), src, size, stride, storage_offset});
}

Proxy TensorMethods::asin(Where where) const {
  static constexpr TracedCall kCall{"asin", "aten.asin.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::asin_(Where where) const {
  static constexpr TracedCall kCall{"asin_", "aten.asin_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::asinh(Where where) const {
  static constexpr TracedCall kCall{"asinh", "aten.asinh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::asinh_(Where where) const {
  static constexpr TracedCall kCall{"asinh_", "aten.asinh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::atan(Where where) const {
  static constexpr TracedCall kCall{"atan", "aten.atan.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::atan2(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"atan2", "aten.atan2.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::atan2_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"atan2_", "aten.atan2_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::atan_(Where where) const {
  static constexpr TracedCall kCall{"atan_", "aten.atan_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::atanh(Where where) const {
  static constexpr TracedCall kCall{"atanh", "aten.atanh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::atanh_(Where where) const {
  static constexpr TracedCall kCall{"atanh_", "aten.atanh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::baddbmm(const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"baddbmm", "aten.baddbmm.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), batch1, batch2, beta, alpha});
}

Proxy TensorMethods::baddbmm(const Proxy& batch1, const Proxy& batch2, const DTypeArg& out_dtype, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"baddbmm", "aten.baddbmm.dtype", 4, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), batch1, batch2, out_dtype, beta, alpha});
}

Proxy TensorMethods::baddbmm_(const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"baddbmm_", "aten.baddbmm_.default", 3, {"beta", "alpha"}};
  return record_method(kCall, where, {self(), batch1, batch2, beta, alpha});
}

Proxy TensorMethods::bernoulli(Where where) const {
  static constexpr TracedCall kCall{"bernoulli", "aten.bernoulli.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::bernoulli(const FloatArg& p, Where where) const {
  static constexpr TracedCall kCall{"bernoulli", "aten.bernoulli.p", 2};
  return record_method(kCall, where, {self(), p});
}

Proxy TensorMethods::bernoulli(const Proxy& p, Where where) const {
  static constexpr TracedCall kCall{"bernoulli", "aten.bernoulli.Tensor", 2};
  return record_method(kCall, where, {self(), p});
}

Proxy TensorMethods::bernoulli_(const Proxy& p, Where where) const {
  static constexpr TracedCall kCall{"bernoulli_", "aten.bernoulli_.Tensor", 2};
  return record_method(kCall, where, {self(), p});
}

Proxy TensorMethods::bernoulli_(const FloatArg& p, Where where) const {
  static constexpr TracedCall kCall{"bernoulli_", "aten.bernoulli_.float", 2};
  return record_method(kCall, where, {self(), p});
}

Proxy TensorMethods::bincount(const OptionalTensor& weights, const IntArg& minlength, Where where) const {
  static constexpr TracedCall kCall{"bincount", "aten.bincount.default", 3};
  return record_method(kCall, where, {self(), weights, minlength});
}

Proxy TensorMethods::bitwise_and(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_and", "aten.bitwise_and.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_and(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_and", "aten.bitwise_and.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_and_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_and_", "aten.bitwise_and_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_and_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_and_", "aten.bitwise_and_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_left_shift(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_left_shift", "aten.bitwise_left_shift.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_left_shift(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_left_shift", "aten.bitwise_left_shift.Tensor_Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_left_shift_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_left_shift_", "aten.bitwise_left_shift_.Tensor_Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_left_shift_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_left_shift_", "aten.bitwise_left_shift_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_not(Where where) const {
  static constexpr TracedCall kCall{"bitwise_not", "aten.bitwise_not.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::bitwise_not_(Where where) const {
  static constexpr TracedCall kCall{"bitwise_not_", "aten.bitwise_not_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::bitwise_or(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_or", "aten.bitwise_or.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_or(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_or", "aten.bitwise_or.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_or_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_or_", "aten.bitwise_or_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_or_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_or_", "aten.bitwise_or_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_right_shift(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_right_shift", "aten.bitwise_right_shift.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_right_shift(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_right_shift", "aten.bitwise_right_shift.Tensor_Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_right_shift_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_right_shift_", "aten.bitwise_right_shift_.Tensor_Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_right_shift_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_right_shift_", "aten.bitwise_right_shift_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_xor(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_xor", "aten.bitwise_xor.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_xor(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_xor", "aten.bitwise_xor.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_xor_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_xor_", "aten.bitwise_xor_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bitwise_xor_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"bitwise_xor_", "aten.bitwise_xor_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::bmm(const Proxy& mat2, Where where) const {
  static constexpr TracedCall kCall{"bmm", "aten.bmm.default", 2};
  return record_method(kCall, where, {self(), mat2});
}

Proxy TensorMethods::bmm(const Proxy& mat2, const DTypeArg& out_dtype, Where where) const {
  static constexpr TracedCall kCall{"bmm", "aten.bmm.dtype", 3};
  return record_method(kCall, where, {self(), mat2, out_dtype});
}

Proxy TensorMethods::broadcast_to(const IntList& size, Where where) const {
  static constexpr TracedCall kCall{"broadcast_to", "aten.broadcast_to.default", 2};
  return record_method(kCall, where, {self(), size});
}

Proxy TensorMethods::cauchy_(const FloatArg& median, const FloatArg& sigma, Where where) const {
  static constexpr TracedCall kCall{"cauchy_", "aten.cauchy_.default", 3};
  return record_method(kCall, where, {self(), median, sigma});
}

Proxy TensorMethods::ccol_indices(Where where) const {
  static constexpr TracedCall kCall{"ccol_indices", "aten.ccol_indices.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::ceil(Where where) const {
  static constexpr TracedCall kCall{"ceil", "aten.ceil.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::ceil_(Where where) const {
  static constexpr TracedCall kCall{"ceil_", "aten.ceil_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::chalf(const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"chalf", "aten.chalf.default", 1, {"memory_format"}};
  return record_method(kCall, where, {self(), memory_format});
}

Proxy TensorMethods::cholesky(const BoolArg& upper, Where where) const {
  static constexpr TracedCall kCall{"cholesky", "aten.cholesky.default", 2};
  return record_method(kCall, where, {self(), upper});
}

Proxy TensorMethods::cholesky_inverse(const BoolArg& upper, Where where) const {
  static constexpr TracedCall kCall{"cholesky_inverse", "aten.cholesky_inverse.default", 2};
  return record_method(kCall, where, {self(), upper});
}

Proxy TensorMethods::cholesky_solve(const Proxy& input2, const BoolArg& upper, Where where) const {
  static constexpr TracedCall kCall{"cholesky_solve", "aten.cholesky_solve.default", 3};
  return record_method(kCall, where, {self(), input2, upper});
}

Proxy TensorMethods::chunk(const IntArg& chunks, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"chunk", "aten.chunk.default", 3};
  return record_method(kCall, where, {self(), chunks, dim});
}

Proxy TensorMethods::clamp(const ScalarArg& min, const ScalarArg& max, Where where) const {
  static constexpr TracedCall kCall{"clamp", "aten.clamp.default", 3, {}, "aten.clamp.Tensor", 1, true};
  return record_method(kCall, where, {self(), min, max});
}

Proxy TensorMethods::clamp_(const ScalarArg& min, const ScalarArg& max, Where where) const {
  static constexpr TracedCall kCall{"clamp_", "aten.clamp_.default", 3, {}, "aten.clamp_.Tensor", 1, true};
  return record_method(kCall, where, {self(), min, max});
}

Proxy TensorMethods::clamp_max(const ScalarArg& max, Where where) const {
  static constexpr TracedCall kCall{"clamp_max", "aten.clamp_max.default", 2};
  return record_method(kCall, where, {self(), max});
}

Proxy TensorMethods::clamp_max(const Proxy& max, Where where) const {
  static constexpr TracedCall kCall{"clamp_max", "aten.clamp_max.Tensor", 2};
  return record_method(kCall, where, {self(), max});
}

Proxy TensorMethods::clamp_max_(const ScalarArg& max, Where where) const {
  static constexpr TracedCall kCall{"clamp_max_", "aten.clamp_max_.default", 2};
  return record_method(kCall, where, {self(), max});
}

Proxy TensorMethods::clamp_max_(const Proxy& max, Where where) const {
  static constexpr TracedCall kCall{"clamp_max_", "aten.clamp_max_.Tensor", 2};
  return record_method(kCall, where, {self(), max});
}

Proxy TensorMethods::clamp_min(const ScalarArg& min, Where where) const {
  static constexpr TracedCall kCall{"clamp_min", "aten.clamp_min.default", 2};
  return record_method(kCall, where, {self(), min});
}

Proxy TensorMethods::clamp_min(const Proxy& min, Where where) const {
  static constexpr TracedCall kCall{"clamp_min", "aten.clamp_min.Tensor", 2};
  return record_method(kCall, where, {self(), min});
}

Proxy TensorMethods::clamp_min_(const ScalarArg& min, Where where) const {
  static constexpr TracedCall kCall{"clamp_min_", "aten.clamp_min_.default", 2};
  return record_method(kCall, where, {self(), min});
}

Proxy TensorMethods::clamp_min_(const Proxy& min, Where where) const {
  static constexpr TracedCall kCall{"clamp_min_", "aten.clamp_min_.Tensor", 2};
  return record_method(kCall, where, {self(), min});
}

Proxy TensorMethods::clip(const ScalarArg& min, const ScalarArg& max, Where where) const {
  static constexpr TracedCall kCall{"clip", "aten.clip.default", 3, {}, "aten.clip.Tensor", 1, true};
  return record_method(kCall, where, {self(), min, max});
}

Proxy TensorMethods::clip_(const ScalarArg& min, const ScalarArg& max, Where where) const {
  static constexpr TracedCall kCall{"clip_", "aten.clip_.default", 3, {}, "aten.clip_.Tensor", 1, true};
  return record_method(kCall, where, {self(), min, max});
}

Proxy TensorMethods::clone(const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"clone", "aten.clone.default", 1, {"memory_format"}};
  return record_method(kCall, where, {self(), memory_format});
}

Proxy TensorMethods::coalesce(Where where) const {
  static constexpr TracedCall kCall{"coalesce", "aten.coalesce.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::col_indices(Where where) const {
  static constexpr TracedCall kCall{"col_indices", "aten.col_indices.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::conj(Where where) const {
  static constexpr TracedCall kCall{"conj", "aten.conj.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::conj_physical(Where where) const {
  static constexpr TracedCall kCall{"conj_physical", "aten.conj_physical.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::conj_physical_(Where where) const {
  static constexpr TracedCall kCall{"conj_physical_", "aten.conj_physical_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::contiguous(const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"contiguous", "aten.contiguous.default", 1, {"memory_format"}};
  return record_method(kCall, where, {self(), memory_format});
}

Proxy TensorMethods::copy_(const Proxy& src, const BoolArg& non_blocking, Where where) const {
  static constexpr TracedCall kCall{"copy_", "aten.copy_.default", 3};
  return record_method(kCall, where, {self(), src, non_blocking});
}

Proxy TensorMethods::copysign(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"copysign", "aten.copysign.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::copysign(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"copysign", "aten.copysign.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::copysign_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"copysign_", "aten.copysign_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::copysign_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"copysign_", "aten.copysign_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::corrcoef(Where where) const {
  static constexpr TracedCall kCall{"corrcoef", "aten.corrcoef.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::cos(Where where) const {
  static constexpr TracedCall kCall{"cos", "aten.cos.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::cos_(Where where) const {
  static constexpr TracedCall kCall{"cos_", "aten.cos_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::cosh(Where where) const {
  static constexpr TracedCall kCall{"cosh", "aten.cosh.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::cosh_(Where where) const {
  static constexpr TracedCall kCall{"cosh_", "aten.cosh_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::count_nonzero(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"count_nonzero", "aten.count_nonzero.default", 2};
  return record_method(kCall, where, {self(), dim});
}

Proxy TensorMethods::cov(const IntArg& correction, const OptionalTensor& fweights, const OptionalTensor& aweights, Where where) const {
  static constexpr TracedCall kCall{"cov", "aten.cov.default", 1, {"correction", "fweights", "aweights"}};
  return record_method(kCall, where, {self(), correction, fweights, aweights});
}

Proxy TensorMethods::cross(const Proxy& other, const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"cross", "aten.cross.default", 3};
  return record_method(kCall, where, {self(), other, dim});
}

Proxy TensorMethods::crow_indices(Where where) const {
  static constexpr TracedCall kCall{"crow_indices", "aten.crow_indices.default", 1};
  return record_method(kCall, where, {self()});
}

Results<2> TensorMethods::cummax(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"cummax", "aten.cummax.default", 2};
  return Results<2>(record_method(kCall, where, {self(), dim}), where);
}

Results<2> TensorMethods::cummin(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"cummin", "aten.cummin.default", 2};
  return Results<2>(record_method(kCall, where, {self(), dim}), where);
}

Proxy TensorMethods::cumprod(const IntArg& dim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"cumprod", "aten.cumprod.default", 2, {"dtype"}};
  return record_method(kCall, where, {self(), dim, dtype});
}

Proxy TensorMethods::cumprod_(const IntArg& dim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"cumprod_", "aten.cumprod_.default", 2, {"dtype"}};
  return record_method(kCall, where, {self(), dim, dtype});
}

Proxy TensorMethods::cumsum(const IntArg& dim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"cumsum", "aten.cumsum.default", 2, {"dtype"}};
  return record_method(kCall, where, {self(), dim, dtype});
}

Proxy TensorMethods::cumsum_(const IntArg& dim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"cumsum_", "aten.cumsum_.default", 2, {"dtype"}};
  return record_method(kCall, where, {self(), dim, dtype});
}

Proxy TensorMethods::deg2rad(Where where) const {
  static constexpr TracedCall kCall{"deg2rad", "aten.deg2rad.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::deg2rad_(Where where) const {
  static constexpr TracedCall kCall{"deg2rad_", "aten.deg2rad_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::dense_dim(Where where) const {
  static constexpr TracedCall kCall{"dense_dim", "aten.dense_dim.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::dequantize(Where where) const {
  static constexpr TracedCall kCall{"dequantize", "aten.dequantize.self", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::det(Where where) const {
  static constexpr TracedCall kCall{"det", "aten.det.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::detach(Where where) const {
  static constexpr TracedCall kCall{"detach", "aten.detach.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::detach_(Where where) const {
  static constexpr TracedCall kCall{"detach_", "aten.detach_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::diag(const IntArg& diagonal, Where where) const {
  static constexpr TracedCall kCall{"diag", "aten.diag.default", 2};
  return record_method(kCall, where, {self(), diagonal});
}

Proxy TensorMethods::diag_embed(const IntArg& offset, const IntArg& dim1, const IntArg& dim2, Where where) const {
  static constexpr TracedCall kCall{"diag_embed", "aten.diag_embed.default", 4};
  return record_method(kCall, where, {self(), offset, dim1, dim2});
}

Proxy TensorMethods::diagflat(const IntArg& offset, Where where) const {
  static constexpr TracedCall kCall{"diagflat", "aten.diagflat.default", 2};
  return record_method(kCall, where, {self(), offset});
}

Proxy TensorMethods::diagonal(const IntArg& offset, const IntArg& dim1, const IntArg& dim2, Where where) const {
  static constexpr TracedCall kCall{"diagonal", "aten.diagonal.default", 4};
  return record_method(kCall, where, {self(), offset, dim1, dim2});
}

Proxy TensorMethods::diagonal_scatter(const Proxy& src, const IntArg& offset, const IntArg& dim1, const IntArg& dim2, Where where) const {
  static constexpr TracedCall kCall{"diagonal_scatter", "aten.diagonal_scatter.default", 5};
  return record_method(kCall, where, {self(), src, offset, dim1, dim2});
}

Proxy TensorMethods::diff(const IntArg& n, const IntArg& dim, const OptionalTensor& prepend, const OptionalTensor& append, Where where) const {
  static constexpr TracedCall kCall{"diff", "aten.diff.default", 5};
  return record_method(kCall, where, {self(), n, dim, prepend, append});
}

Proxy TensorMethods::digamma(Where where) const {
  static constexpr TracedCall kCall{"digamma", "aten.digamma.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::digamma_(Where where) const {
  static constexpr TracedCall kCall{"digamma_", "aten.digamma_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::dim(Where where) const {
  static constexpr TracedCall kCall{"dim", "aten.dim.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::dist(const Proxy& other, const ScalarArg& p, Where where) const {
  static constexpr TracedCall kCall{"dist", "aten.dist.default", 3};
  return record_method(kCall, where, {self(), other, p});
}

Proxy TensorMethods::div(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"div", "aten.div.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::div(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"div", "aten.div.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::div(const Proxy& other, const StringArg& rounding_mode, Where where) const {
  static constexpr TracedCall kCall{"div", "aten.div.Tensor_mode", 2, {"rounding_mode"}};
  return record_method(kCall, where, {self(), other, rounding_mode});
}

Proxy TensorMethods::div(const ScalarArg& other, const StringArg& rounding_mode, Where where) const {
  static constexpr TracedCall kCall{"div", "aten.div.Scalar_mode", 2, {"rounding_mode"}};
  return record_method(kCall, where, {self(), other, rounding_mode});
}

Proxy TensorMethods::div_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"div_", "aten.div_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::div_(const Proxy& other, const StringArg& rounding_mode, Where where) const {
  static constexpr TracedCall kCall{"div_", "aten.div_.Tensor_mode", 2, {"rounding_mode"}};
  return record_method(kCall, where, {self(), other, rounding_mode});
}

Proxy TensorMethods::div_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"div_", "aten.div_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::div_(const ScalarArg& other, const StringArg& rounding_mode, Where where) const {
  static constexpr TracedCall kCall{"div_", "aten.div_.Scalar_mode", 2, {"rounding_mode"}};
  return record_method(kCall, where, {self(), other, rounding_mode});
}

Proxy TensorMethods::divide(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"divide", "aten.divide.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::divide(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"divide", "aten.divide.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::divide(const Proxy& other, const StringArg& rounding_mode, Where where) const {
  static constexpr TracedCall kCall{"divide", "aten.divide.Tensor_mode", 2, {"rounding_mode"}};
  return record_method(kCall, where, {self(), other, rounding_mode});
}

Proxy TensorMethods::divide(const ScalarArg& other, const StringArg& rounding_mode, Where where) const {
  static constexpr TracedCall kCall{"divide", "aten.divide.Scalar_mode", 2, {"rounding_mode"}};
  return record_method(kCall, where, {self(), other, rounding_mode});
}

Proxy TensorMethods::divide_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"divide_", "aten.divide_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::divide_(const Proxy& other, const StringArg& rounding_mode, Where where) const {
  static constexpr TracedCall kCall{"divide_", "aten.divide_.Tensor_mode", 2, {"rounding_mode"}};
  return record_method(kCall, where, {self(), other, rounding_mode});
}

Proxy TensorMethods::divide_(const ScalarArg& other, const StringArg& rounding_mode, Where where) const {
  static constexpr TracedCall kCall{"divide_", "aten.divide_.Scalar_mode", 2, {"rounding_mode"}};
  return record_method(kCall, where, {self(), other, rounding_mode});
}

Proxy TensorMethods::divide_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"divide_", "aten.divide_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::dot(const Proxy& tensor, Where where) const {
  static constexpr TracedCall kCall{"dot", "aten.dot.default", 2};
  return record_method(kCall, where, {self(), tensor});
}

Proxy TensorMethods::dsplit(const IntList& indices, Where where) const {
  static constexpr TracedCall kCall{"dsplit", "aten.dsplit.array", 2, {}, "aten.dsplit.int", 1, false};
  return record_method(kCall, where, {self(), indices});
}

Proxy TensorMethods::eq(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"eq", "aten.eq.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::eq(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"eq", "aten.eq.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::eq_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"eq_", "aten.eq_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::eq_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"eq_", "aten.eq_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::equal(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"equal", "aten.equal.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::erf(Where where) const {
  static constexpr TracedCall kCall{"erf", "aten.erf.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::erf_(Where where) const {
  static constexpr TracedCall kCall{"erf_", "aten.erf_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::erfc(Where where) const {
  static constexpr TracedCall kCall{"erfc", "aten.erfc.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::erfc_(Where where) const {
  static constexpr TracedCall kCall{"erfc_", "aten.erfc_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::erfinv(Where where) const {
  static constexpr TracedCall kCall{"erfinv", "aten.erfinv.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::erfinv_(Where where) const {
  static constexpr TracedCall kCall{"erfinv_", "aten.erfinv_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::exp(Where where) const {
  static constexpr TracedCall kCall{"exp", "aten.exp.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::exp2(Where where) const {
  static constexpr TracedCall kCall{"exp2", "aten.exp2.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::exp2_(Where where) const {
  static constexpr TracedCall kCall{"exp2_", "aten.exp2_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::exp_(Where where) const {
  static constexpr TracedCall kCall{"exp_", "aten.exp_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::expand(const IntList& size, const BoolArg& implicit, Where where) const {
  static constexpr TracedCall kCall{"expand", "aten.expand.default", 2, {"implicit"}};
  return record_method(kCall, where, {self(), size, implicit});
}

Proxy TensorMethods::expand_as(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"expand_as", "aten.expand_as.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::expm1(Where where) const {
  static constexpr TracedCall kCall{"expm1", "aten.expm1.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::expm1_(Where where) const {
  static constexpr TracedCall kCall{"expm1_", "aten.expm1_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::exponential_(const FloatArg& lambd, Where where) const {
  static constexpr TracedCall kCall{"exponential_", "aten.exponential_.default", 2};
  return record_method(kCall, where, {self(), lambd});
}

Proxy TensorMethods::fill_(const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"fill_", "aten.fill_.Scalar", 2};
  return record_method(kCall, where, {self(), value});
}

Proxy TensorMethods::fill_(const Proxy& value, Where where) const {
  static constexpr TracedCall kCall{"fill_", "aten.fill_.Tensor", 2};
  return record_method(kCall, where, {self(), value});
}

Proxy TensorMethods::fill_diagonal_(const ScalarArg& fill_value, const BoolArg& wrap, Where where) const {
  static constexpr TracedCall kCall{"fill_diagonal_", "aten.fill_diagonal_.default", 3};
  return record_method(kCall, where, {self(), fill_value, wrap});
}

Proxy TensorMethods::fix(Where where) const {
  static constexpr TracedCall kCall{"fix", "aten.fix.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::fix_(Where where) const {
  static constexpr TracedCall kCall{"fix_", "aten.fix_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::flatten(const IntArg& start_dim, const IntArg& end_dim, Where where) const {
  static constexpr TracedCall kCall{"flatten", "aten.flatten.using_ints", 3};
  return record_method(kCall, where, {self(), start_dim, end_dim});
}

Proxy TensorMethods::flip(const IntList& dims, Where where) const {
  static constexpr TracedCall kCall{"flip", "aten.flip.default", 2};
  return record_method(kCall, where, {self(), dims});
}

Proxy TensorMethods::fliplr(Where where) const {
  static constexpr TracedCall kCall{"fliplr", "aten.fliplr.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::flipud(Where where) const {
  static constexpr TracedCall kCall{"flipud", "aten.flipud.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::float_power(const Proxy& exponent, Where where) const {
  static constexpr TracedCall kCall{"float_power", "aten.float_power.Tensor_Tensor", 2};
  return record_method(kCall, where, {self(), exponent});
}

Proxy TensorMethods::float_power(const ScalarArg& exponent, Where where) const {
  static constexpr TracedCall kCall{"float_power", "aten.float_power.Tensor_Scalar", 2};
  return record_method(kCall, where, {self(), exponent});
}

Proxy TensorMethods::float_power_(const Proxy& exponent, Where where) const {
  static constexpr TracedCall kCall{"float_power_", "aten.float_power_.Tensor", 2};
  return record_method(kCall, where, {self(), exponent});
}

Proxy TensorMethods::float_power_(const ScalarArg& exponent, Where where) const {
  static constexpr TracedCall kCall{"float_power_", "aten.float_power_.Scalar", 2};
  return record_method(kCall, where, {self(), exponent});
}

Proxy TensorMethods::floor(Where where) const {
  static constexpr TracedCall kCall{"floor", "aten.floor.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::floor_(Where where) const {
  static constexpr TracedCall kCall{"floor_", "aten.floor_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::floor_divide(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"floor_divide", "aten.floor_divide.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::floor_divide(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"floor_divide", "aten.floor_divide.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::floor_divide_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"floor_divide_", "aten.floor_divide_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::floor_divide_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"floor_divide_", "aten.floor_divide_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::fmax(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"fmax", "aten.fmax.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::fmin(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"fmin", "aten.fmin.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::fmod(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"fmod", "aten.fmod.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::fmod(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"fmod", "aten.fmod.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::fmod_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"fmod_", "aten.fmod_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::fmod_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"fmod_", "aten.fmod_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::frac(Where where) const {
  static constexpr TracedCall kCall{"frac", "aten.frac.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::frac_(Where where) const {
  static constexpr TracedCall kCall{"frac_", "aten.frac_.default", 1};
  return record_method(kCall, where, {self()});
}

Results<2> TensorMethods::frexp(Where where) const {
  static constexpr TracedCall kCall{"frexp", "aten.frexp.Tensor", 1};
  return Results<2>(record_method(kCall, where, {self()}), where);
}

Proxy TensorMethods::gather(const IntArg& dim, const Proxy& index, const BoolArg& sparse_grad, Where where) const {
  static constexpr TracedCall kCall{"gather", "aten.gather.default", 3, {"sparse_grad"}};
  return record_method(kCall, where, {self(), dim, index, sparse_grad});
}

Proxy TensorMethods::gcd(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"gcd", "aten.gcd.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::gcd_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"gcd_", "aten.gcd_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ge(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"ge", "aten.ge.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ge(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"ge", "aten.ge.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ge_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"ge_", "aten.ge_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ge_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"ge_", "aten.ge_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::geometric_(const FloatArg& p, Where where) const {
  static constexpr TracedCall kCall{"geometric_", "aten.geometric_.default", 2};
  return record_method(kCall, where, {self(), p});
}

Results<2> TensorMethods::geqrf(Where where) const {
  static constexpr TracedCall kCall{"geqrf", "aten.geqrf.default", 1};
  return Results<2>(record_method(kCall, where, {self()}), where);
}

Proxy TensorMethods::ger(const Proxy& vec2, Where where) const {
  static constexpr TracedCall kCall{"ger", "aten.ger.default", 2};
  return record_method(kCall, where, {self(), vec2});
}

Proxy TensorMethods::get_device(Where where) const {
  static constexpr TracedCall kCall{"get_device", "aten.get_device.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::greater(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"greater", "aten.greater.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::greater(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"greater", "aten.greater.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::greater_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"greater_", "aten.greater_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::greater_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"greater_", "aten.greater_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::greater_equal(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"greater_equal", "aten.greater_equal.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::greater_equal(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"greater_equal", "aten.greater_equal.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::greater_equal_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"greater_equal_", "aten.greater_equal_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::greater_equal_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"greater_equal_", "aten.greater_equal_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::gt(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"gt", "aten.gt.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::gt(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"gt", "aten.gt.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::gt_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"gt_", "aten.gt_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::gt_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"gt_", "aten.gt_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::hardshrink(const ScalarArg& lambd, Where where) const {
  static constexpr TracedCall kCall{"hardshrink", "aten.hardshrink.default", 2};
  return record_method(kCall, where, {self(), lambd});
}

Proxy TensorMethods::hash_tensor(const IntList& dim, const BoolArg& keepdim, const IntArg& mode, Where where) const {
  static constexpr TracedCall kCall{"hash_tensor", "aten.hash_tensor.default", 2, {"keepdim", "mode"}};
  return record_method(kCall, where, {self(), dim, keepdim, mode});
}

Proxy TensorMethods::heaviside(const Proxy& values, Where where) const {
  static constexpr TracedCall kCall{"heaviside", "aten.heaviside.default", 2};
  return record_method(kCall, where, {self(), values});
}

Proxy TensorMethods::heaviside_(const Proxy& values, Where where) const {
  static constexpr TracedCall kCall{"heaviside_", "aten.heaviside_.default", 2};
  return record_method(kCall, where, {self(), values});
}

Proxy TensorMethods::histc(const IntArg& bins, const ScalarArg& min, const ScalarArg& max, Where where) const {
  static constexpr TracedCall kCall{"histc", "aten.histc.default", 4};
  return record_method(kCall, where, {self(), bins, min, max});
}

Results<2> TensorMethods::histogram(const Proxy& bins, const OptionalTensor& weight, const BoolArg& density, Where where) const {
  static constexpr TracedCall kCall{"histogram", "aten.histogram.bins_tensor", 2, {"weight", "density"}};
  return Results<2>(record_method(kCall, where, {self(), bins, weight, density}), where);
}

Results<2> TensorMethods::histogram(const IntArg& bins, const FloatList& range, const OptionalTensor& weight, const BoolArg& density, Where where) const {
  static constexpr TracedCall kCall{"histogram", "aten.histogram.bin_ct", 2, {"range", "weight", "density"}};
  return Results<2>(record_method(kCall, where, {self(), bins, range, weight, density}), where);
}

Proxy TensorMethods::hsplit(const IntList& indices, Where where) const {
  static constexpr TracedCall kCall{"hsplit", "aten.hsplit.array", 2, {}, "aten.hsplit.int", 1, false};
  return record_method(kCall, where, {self(), indices});
}

Proxy TensorMethods::hypot(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"hypot", "aten.hypot.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::hypot_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"hypot_", "aten.hypot_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::i0(Where where) const {
  static constexpr TracedCall kCall{"i0", "aten.i0.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::i0_(Where where) const {
  static constexpr TracedCall kCall{"i0_", "aten.i0_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::igamma(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"igamma", "aten.igamma.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::igamma_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"igamma_", "aten.igamma_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::igammac(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"igammac", "aten.igammac.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::igammac_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"igammac_", "aten.igammac_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::index_add(const IntArg& dim, const Proxy& index, const Proxy& source, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"index_add", "aten.index_add.default", 4, {"alpha"}};
  return record_method(kCall, where, {self(), dim, index, source, alpha});
}

Proxy TensorMethods::index_add_(const IntArg& dim, const Proxy& index, const Proxy& source, const ScalarArg& alpha, Where where) const {
  static constexpr TracedCall kCall{"index_add_", "aten.index_add_.default", 4, {"alpha"}};
  return record_method(kCall, where, {self(), dim, index, source, alpha});
}

Proxy TensorMethods::index_copy(const IntArg& dim, const Proxy& index, const Proxy& source, Where where) const {
  static constexpr TracedCall kCall{"index_copy", "aten.index_copy.default", 4};
  return record_method(kCall, where, {self(), dim, index, source});
}

Proxy TensorMethods::index_copy_(const IntArg& dim, const Proxy& index, const Proxy& source, Where where) const {
  static constexpr TracedCall kCall{"index_copy_", "aten.index_copy_.default", 4};
  return record_method(kCall, where, {self(), dim, index, source});
}

Proxy TensorMethods::index_fill(const IntArg& dim, const Proxy& index, const Proxy& value, Where where) const {
  static constexpr TracedCall kCall{"index_fill", "aten.index_fill.int_Tensor", 4};
  return record_method(kCall, where, {self(), dim, index, value});
}

Proxy TensorMethods::index_fill(const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"index_fill", "aten.index_fill.int_Scalar", 4};
  return record_method(kCall, where, {self(), dim, index, value});
}

Proxy TensorMethods::index_fill_(const IntArg& dim, const Proxy& index, const Proxy& value, Where where) const {
  static constexpr TracedCall kCall{"index_fill_", "aten.index_fill_.int_Tensor", 4};
  return record_method(kCall, where, {self(), dim, index, value});
}

Proxy TensorMethods::index_fill_(const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"index_fill_", "aten.index_fill_.int_Scalar", 4};
  return record_method(kCall, where, {self(), dim, index, value});
}

Proxy TensorMethods::index_put(const OptionalTensorList& indices, const Proxy& values, const BoolArg& accumulate, Where where) const {
  static constexpr TracedCall kCall{"index_put", "aten.index_put.default", 4};
  return record_method(kCall, where, {self(), indices, values, accumulate});
}

Proxy TensorMethods::index_put_(const OptionalTensorList& indices, const Proxy& values, const BoolArg& accumulate, Where where) const {
  static constexpr TracedCall kCall{"index_put_", "aten.index_put_.default", 4};
  return record_method(kCall, where, {self(), indices, values, accumulate});
}

Proxy TensorMethods::index_reduce(const IntArg& dim, const Proxy& index, const Proxy& source, const StringArg& reduce, const BoolArg& include_self, Where where) const {
  static constexpr TracedCall kCall{"index_reduce", "aten.index_reduce.default", 5, {"include_self"}};
  return record_method(kCall, where, {self(), dim, index, source, reduce, include_self});
}

Proxy TensorMethods::index_reduce_(const IntArg& dim, const Proxy& index, const Proxy& source, const StringArg& reduce, const BoolArg& include_self, Where where) const {
  static constexpr TracedCall kCall{"index_reduce_", "aten.index_reduce_.default", 5, {"include_self"}};
  return record_method(kCall, where, {self(), dim, index, source, reduce, include_self});
}

Proxy TensorMethods::index_select(const IntArg& dim, const Proxy& index, Where where) const {
  static constexpr TracedCall kCall{"index_select", "aten.index_select.default", 3};
  return record_method(kCall, where, {self(), dim, index});
}

Proxy TensorMethods::indices(Where where) const {
  static constexpr TracedCall kCall{"indices", "aten.indices.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::inner(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"inner", "aten.inner.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::int_repr(Where where) const {
  static constexpr TracedCall kCall{"int_repr", "aten.int_repr.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::inverse(Where where) const {
  static constexpr TracedCall kCall{"inverse", "aten.inverse.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_coalesced(Where where) const {
  static constexpr TracedCall kCall{"is_coalesced", "aten.is_coalesced.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_complex(Where where) const {
  static constexpr TracedCall kCall{"is_complex", "aten.is_complex.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_conj(Where where) const {
  static constexpr TracedCall kCall{"is_conj", "aten.is_conj.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_contiguous(Where where) const {
  static constexpr TracedCall kCall{"is_contiguous", "aten.is_contiguous.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_contiguous(const MemoryFormatArg& memory_format, Where where) const {
  static constexpr TracedCall kCall{"is_contiguous", "aten.is_contiguous.memory_format", 2};
  return record_method(kCall, where, {self(), memory_format});
}

Proxy TensorMethods::is_distributed(Where where) const {
  static constexpr TracedCall kCall{"is_distributed", "aten.is_distributed.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_floating_point(Where where) const {
  static constexpr TracedCall kCall{"is_floating_point", "aten.is_floating_point.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_inference(Where where) const {
  static constexpr TracedCall kCall{"is_inference", "aten.is_inference.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_neg(Where where) const {
  static constexpr TracedCall kCall{"is_neg", "aten.is_neg.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_nonzero(Where where) const {
  static constexpr TracedCall kCall{"is_nonzero", "aten.is_nonzero.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::is_pinned(const DeviceArg& device, Where where) const {
  static constexpr TracedCall kCall{"is_pinned", "aten.is_pinned.default", 2};
  return record_method(kCall, where, {self(), device});
}

Proxy TensorMethods::is_same_size(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"is_same_size", "aten.is_same_size.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::is_set_to(const Proxy& tensor, Where where) const {
  static constexpr TracedCall kCall{"is_set_to", "aten.is_set_to.default", 2};
  return record_method(kCall, where, {self(), tensor});
}

Proxy TensorMethods::is_signed(Where where) const {
  static constexpr TracedCall kCall{"is_signed", "aten.is_signed.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::isclose(const Proxy& other, const FloatArg& rtol, const FloatArg& atol, const BoolArg& equal_nan, Where where) const {
  static constexpr TracedCall kCall{"isclose", "aten.isclose.default", 5};
  return record_method(kCall, where, {self(), other, rtol, atol, equal_nan});
}

Proxy TensorMethods::isfinite(Where where) const {
  static constexpr TracedCall kCall{"isfinite", "aten.isfinite.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::isinf(Where where) const {
  static constexpr TracedCall kCall{"isinf", "aten.isinf.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::isnan(Where where) const {
  static constexpr TracedCall kCall{"isnan", "aten.isnan.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::isneginf(Where where) const {
  static constexpr TracedCall kCall{"isneginf", "aten.isneginf.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::isposinf(Where where) const {
  static constexpr TracedCall kCall{"isposinf", "aten.isposinf.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::isreal(Where where) const {
  static constexpr TracedCall kCall{"isreal", "aten.isreal.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::istft(const IntArg& n_fft, const IntArg& hop_length, const IntArg& win_length, const OptionalTensor& window, const BoolArg& center, const BoolArg& normalized, const BoolArg& onesided, const IntArg& length, const BoolArg& return_complex, Where where) const {
  static constexpr TracedCall kCall{"istft", "aten.istft.default", 10};
  return record_method(kCall, where, {self(), n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex});
}

Proxy TensorMethods::item(Where where) const {
  static constexpr TracedCall kCall{"item", "aten.item.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::kron(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"kron", "aten.kron.default", 2};
  return record_method(kCall, where, {self(), other});
}

Results<2> TensorMethods::kthvalue(const IntArg& k, const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"kthvalue", "aten.kthvalue.default", 4};
  return Results<2>(record_method(kCall, where, {self(), k, dim, keepdim}), where);
}

Proxy TensorMethods::lcm(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"lcm", "aten.lcm.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::lcm_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"lcm_", "aten.lcm_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ldexp(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"ldexp", "aten.ldexp.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ldexp_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"ldexp_", "aten.ldexp_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::le(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"le", "aten.le.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::le(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"le", "aten.le.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::le_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"le_", "aten.le_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::le_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"le_", "aten.le_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::lerp(const Proxy& end, const ScalarArg& weight, Where where) const {
  static constexpr TracedCall kCall{"lerp", "aten.lerp.Scalar", 3};
  return record_method(kCall, where, {self(), end, weight});
}

Proxy TensorMethods::lerp(const Proxy& end, const Proxy& weight, Where where) const {
  static constexpr TracedCall kCall{"lerp", "aten.lerp.Tensor", 3};
  return record_method(kCall, where, {self(), end, weight});
}

Proxy TensorMethods::lerp_(const Proxy& end, const ScalarArg& weight, Where where) const {
  static constexpr TracedCall kCall{"lerp_", "aten.lerp_.Scalar", 3};
  return record_method(kCall, where, {self(), end, weight});
}

Proxy TensorMethods::lerp_(const Proxy& end, const Proxy& weight, Where where) const {
  static constexpr TracedCall kCall{"lerp_", "aten.lerp_.Tensor", 3};
  return record_method(kCall, where, {self(), end, weight});
}

Proxy TensorMethods::less(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"less", "aten.less.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::less(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"less", "aten.less.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::less_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"less_", "aten.less_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::less_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"less_", "aten.less_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::less_equal(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"less_equal", "aten.less_equal.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::less_equal(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"less_equal", "aten.less_equal.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::less_equal_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"less_equal_", "aten.less_equal_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::less_equal_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"less_equal_", "aten.less_equal_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::lgamma(Where where) const {
  static constexpr TracedCall kCall{"lgamma", "aten.lgamma.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::lgamma_(Where where) const {
  static constexpr TracedCall kCall{"lgamma_", "aten.lgamma_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log(Where where) const {
  static constexpr TracedCall kCall{"log", "aten.log.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log10(Where where) const {
  static constexpr TracedCall kCall{"log10", "aten.log10.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log10_(Where where) const {
  static constexpr TracedCall kCall{"log10_", "aten.log10_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log1p(Where where) const {
  static constexpr TracedCall kCall{"log1p", "aten.log1p.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log1p_(Where where) const {
  static constexpr TracedCall kCall{"log1p_", "aten.log1p_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log2(Where where) const {
  static constexpr TracedCall kCall{"log2", "aten.log2.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log2_(Where where) const {
  static constexpr TracedCall kCall{"log2_", "aten.log2_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log_(Where where) const {
  static constexpr TracedCall kCall{"log_", "aten.log_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::log_normal_(const FloatArg& mean, const FloatArg& std, Where where) const {
  static constexpr TracedCall kCall{"log_normal_", "aten.log_normal_.default", 3};
  return record_method(kCall, where, {self(), mean, std});
}

Proxy TensorMethods::log_softmax(const IntArg& dim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"log_softmax", "aten.log_softmax.int", 3};
  return record_method(kCall, where, {self(), dim, dtype});
}

Proxy TensorMethods::logaddexp(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"logaddexp", "aten.logaddexp.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::logaddexp2(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"logaddexp2", "aten.logaddexp2.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::logcumsumexp(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"logcumsumexp", "aten.logcumsumexp.default", 2};
  return record_method(kCall, where, {self(), dim});
}

Proxy TensorMethods::logdet(Where where) const {
  static constexpr TracedCall kCall{"logdet", "aten.logdet.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::logical_and(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"logical_and", "aten.logical_and.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::logical_and_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"logical_and_", "aten.logical_and_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::logical_not(Where where) const {
  static constexpr TracedCall kCall{"logical_not", "aten.logical_not.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::logical_not_(Where where) const {
  static constexpr TracedCall kCall{"logical_not_", "aten.logical_not_.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::logical_or(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"logical_or", "aten.logical_or.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::logical_or_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"logical_or_", "aten.logical_or_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::logical_xor(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"logical_xor", "aten.logical_xor.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::logical_xor_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"logical_xor_", "aten.logical_xor_.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::logit(const FloatArg& eps, Where where) const {
  static constexpr TracedCall kCall{"logit", "aten.logit.default", 2};
  return record_method(kCall, where, {self(), eps});
}

Proxy TensorMethods::logit_(const FloatArg& eps, Where where) const {
  static constexpr TracedCall kCall{"logit_", "aten.logit_.default", 2};
  return record_method(kCall, where, {self(), eps});
}

Proxy TensorMethods::logsumexp(const IntList& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"logsumexp", "aten.logsumexp.default", 3};
  return record_method(kCall, where, {self(), dim, keepdim});
}

Proxy TensorMethods::lt(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"lt", "aten.lt.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::lt(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"lt", "aten.lt.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::lt_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"lt_", "aten.lt_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::lt_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"lt_", "aten.lt_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::lu_solve(const Proxy& LU_data, const Proxy& LU_pivots, Where where) const {
  static constexpr TracedCall kCall{"lu_solve", "aten.lu_solve.default", 3};
  return record_method(kCall, where, {self(), LU_data, LU_pivots});
}

Proxy TensorMethods::masked_fill(const Proxy& mask, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"masked_fill", "aten.masked_fill.Scalar", 3};
  return record_method(kCall, where, {self(), mask, value});
}

Proxy TensorMethods::masked_fill(const Proxy& mask, const Proxy& value, Where where) const {
  static constexpr TracedCall kCall{"masked_fill", "aten.masked_fill.Tensor", 3};
  return record_method(kCall, where, {self(), mask, value});
}

Proxy TensorMethods::masked_fill_(const Proxy& mask, const ScalarArg& value, Where where) const {
  static constexpr TracedCall kCall{"masked_fill_", "aten.masked_fill_.Scalar", 3};
  return record_method(kCall, where, {self(), mask, value});
}

Proxy TensorMethods::masked_fill_(const Proxy& mask, const Proxy& value, Where where) const {
  static constexpr TracedCall kCall{"masked_fill_", "aten.masked_fill_.Tensor", 3};
  return record_method(kCall, where, {self(), mask, value});
}

Proxy TensorMethods::masked_scatter(const Proxy& mask, const Proxy& source, Where where) const {
  static constexpr TracedCall kCall{"masked_scatter", "aten.masked_scatter.default", 3};
  return record_method(kCall, where, {self(), mask, source});
}

Proxy TensorMethods::masked_scatter_(const Proxy& mask, const Proxy& source, Where where) const {
  static constexpr TracedCall kCall{"masked_scatter_", "aten.masked_scatter_.default", 3};
  return record_method(kCall, where, {self(), mask, source});
}

Proxy TensorMethods::masked_select(const Proxy& mask, Where where) const {
  static constexpr TracedCall kCall{"masked_select", "aten.masked_select.default", 2};
  return record_method(kCall, where, {self(), mask});
}

Proxy TensorMethods::matmul(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"matmul", "aten.matmul.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::matrix_exp(Where where) const {
  static constexpr TracedCall kCall{"matrix_exp", "aten.matrix_exp.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::matrix_power(const IntArg& n, Where where) const {
  static constexpr TracedCall kCall{"matrix_power", "aten.matrix_power.default", 2};
  return record_method(kCall, where, {self(), n});
}

Proxy TensorMethods::max(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"max", "aten.max.other", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::max(Where where) const {
  static constexpr TracedCall kCall{"max", "aten.max.default", 1};
  return record_method(kCall, where, {self()});
}

Results<2> TensorMethods::max(const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"max", "aten.max.dim", 3};
  return Results<2>(record_method(kCall, where, {self(), dim, keepdim}), where);
}

Proxy TensorMethods::maximum(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"maximum", "aten.maximum.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::mean(const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"mean", "aten.mean.default", 1, {"dtype"}};
  return record_method(kCall, where, {self(), dtype});
}

Proxy TensorMethods::mean(const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"mean", "aten.mean.dim", 3, {"dtype"}};
  return record_method(kCall, where, {self(), dim, keepdim, dtype});
}

Proxy TensorMethods::median(Where where) const {
  static constexpr TracedCall kCall{"median", "aten.median.default", 1};
  return record_method(kCall, where, {self()});
}

Results<2> TensorMethods::median(const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"median", "aten.median.dim", 3};
  return Results<2>(record_method(kCall, where, {self(), dim, keepdim}), where);
}

Proxy TensorMethods::min(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"min", "aten.min.other", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::min(Where where) const {
  static constexpr TracedCall kCall{"min", "aten.min.default", 1};
  return record_method(kCall, where, {self()});
}

Results<2> TensorMethods::min(const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"min", "aten.min.dim", 3};
  return Results<2>(record_method(kCall, where, {self(), dim, keepdim}), where);
}

Proxy TensorMethods::minimum(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"minimum", "aten.minimum.default", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::mm(const Proxy& mat2, Where where) const {
  static constexpr TracedCall kCall{"mm", "aten.mm.default", 2};
  return record_method(kCall, where, {self(), mat2});
}

Proxy TensorMethods::mm(const Proxy& mat2, const DTypeArg& out_dtype, Where where) const {
  static constexpr TracedCall kCall{"mm", "aten.mm.dtype", 3};
  return record_method(kCall, where, {self(), mat2, out_dtype});
}

Results<2> TensorMethods::mode(const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"mode", "aten.mode.default", 3};
  return Results<2>(record_method(kCall, where, {self(), dim, keepdim}), where);
}

Proxy TensorMethods::moveaxis(const IntList& source, const IntList& destination, Where where) const {
  static constexpr TracedCall kCall{"moveaxis", "aten.moveaxis.intlist", 3, {}, "aten.moveaxis.int", 1, false};
  return record_method(kCall, where, {self(), source, destination});
}

Proxy TensorMethods::movedim(const IntList& source, const IntList& destination, Where where) const {
  static constexpr TracedCall kCall{"movedim", "aten.movedim.intlist", 3, {}, "aten.movedim.int", 1, false};
  return record_method(kCall, where, {self(), source, destination});
}

Proxy TensorMethods::msort(Where where) const {
  static constexpr TracedCall kCall{"msort", "aten.msort.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::mul(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"mul", "aten.mul.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::mul(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"mul", "aten.mul.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::mul_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"mul_", "aten.mul_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::mul_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"mul_", "aten.mul_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::multinomial(const IntArg& num_samples, const BoolArg& replacement, Where where) const {
  static constexpr TracedCall kCall{"multinomial", "aten.multinomial.default", 3};
  return record_method(kCall, where, {self(), num_samples, replacement});
}

Proxy TensorMethods::multiply(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"multiply", "aten.multiply.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::multiply(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"multiply", "aten.multiply.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::multiply_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"multiply_", "aten.multiply_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::multiply_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"multiply_", "aten.multiply_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::mv(const Proxy& vec, Where where) const {
  static constexpr TracedCall kCall{"mv", "aten.mv.default", 2};
  return record_method(kCall, where, {self(), vec});
}

Proxy TensorMethods::mvlgamma(const IntArg& p, Where where) const {
  static constexpr TracedCall kCall{"mvlgamma", "aten.mvlgamma.default", 2};
  return record_method(kCall, where, {self(), p});
}

Proxy TensorMethods::mvlgamma_(const IntArg& p, Where where) const {
  static constexpr TracedCall kCall{"mvlgamma_", "aten.mvlgamma_.default", 2};
  return record_method(kCall, where, {self(), p});
}

Proxy TensorMethods::nan_to_num(const FloatArg& nan, const FloatArg& posinf, const FloatArg& neginf, Where where) const {
  static constexpr TracedCall kCall{"nan_to_num", "aten.nan_to_num.default", 4};
  return record_method(kCall, where, {self(), nan, posinf, neginf});
}

Proxy TensorMethods::nan_to_num_(const FloatArg& nan, const FloatArg& posinf, const FloatArg& neginf, Where where) const {
  static constexpr TracedCall kCall{"nan_to_num_", "aten.nan_to_num_.default", 4};
  return record_method(kCall, where, {self(), nan, posinf, neginf});
}

Proxy TensorMethods::nanmean(const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"nanmean", "aten.nanmean.default", 3, {"dtype"}};
  return record_method(kCall, where, {self(), dim, keepdim, dtype});
}

Proxy TensorMethods::nanmedian(Where where) const {
  static constexpr TracedCall kCall{"nanmedian", "aten.nanmedian.default", 1};
  return record_method(kCall, where, {self()});
}

Results<2> TensorMethods::nanmedian(const IntArg& dim, const BoolArg& keepdim, Where where) const {
  static constexpr TracedCall kCall{"nanmedian", "aten.nanmedian.dim", 3};
  return Results<2>(record_method(kCall, where, {self(), dim, keepdim}), where);
}

Proxy TensorMethods::nanquantile(const Proxy& q, const IntArg& dim, const BoolArg& keepdim, const StringArg& interpolation, Where where) const {
  static constexpr TracedCall kCall{"nanquantile", "aten.nanquantile.default", 4, {"interpolation"}};
  return record_method(kCall, where, {self(), q, dim, keepdim, interpolation});
}

Proxy TensorMethods::nanquantile(const FloatArg& q, const IntArg& dim, const BoolArg& keepdim, const StringArg& interpolation, Where where) const {
  static constexpr TracedCall kCall{"nanquantile", "aten.nanquantile.scalar", 4, {"interpolation"}};
  return record_method(kCall, where, {self(), q, dim, keepdim, interpolation});
}

Proxy TensorMethods::nansum(const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) const {
  static constexpr TracedCall kCall{"nansum", "aten.nansum.default", 3, {"dtype"}};
  return record_method(kCall, where, {self(), dim, keepdim, dtype});
}

Proxy TensorMethods::narrow(const IntArg& dim, const IntArg& start, const IntArg& length, Where where) const {
  static constexpr TracedCall kCall{"narrow", "aten.narrow.default", 4};
  return record_method(kCall, where, {self(), dim, start, length});
}

Proxy TensorMethods::narrow(const IntArg& dim, const Proxy& start, const IntArg& length, Where where) const {
  static constexpr TracedCall kCall{"narrow", "aten.narrow.Tensor", 4};
  return record_method(kCall, where, {self(), dim, start, length});
}

Proxy TensorMethods::narrow_copy(const IntArg& dim, const IntArg& start, const IntArg& length, Where where) const {
  static constexpr TracedCall kCall{"narrow_copy", "aten.narrow_copy.default", 4};
  return record_method(kCall, where, {self(), dim, start, length});
}

Proxy TensorMethods::ne(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"ne", "aten.ne.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ne(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"ne", "aten.ne.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ne_(const ScalarArg& other, Where where) const {
  static constexpr TracedCall kCall{"ne_", "aten.ne_.Scalar", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::ne_(const Proxy& other, Where where) const {
  static constexpr TracedCall kCall{"ne_", "aten.ne_.Tensor", 2};
  return record_method(kCall, where, {self(), other});
}

Proxy TensorMethods::neg(Where where) const {
  static constexpr TracedCall kCall{"neg", "aten.neg.default", 1};
  return record_method(kCall, where, {self()});
}

Proxy TensorMethods::neg_(Where where) const {
  static constexpr TracedCall kCall{"neg_", "aten.neg_.default", 1};
  return record_method(kCall, where, {self()});
}

}  // namespace fx
