// TensorMethods: the methods of libtorch's Tensor, for Proxy. A call records a call_method.
//
// Made by scripts/generate (make_traced_functions.py). Do not edit.
#pragma once

#include "fx/tracer/operand.h"

// clang-format off
namespace fx {

/// Base of Proxy. Proxy adds indexing, attributes and operators.
class TensorMethods {
 public:
  /// aten.abs.default
  Proxy abs(Where where = Where::current()) const;
  /// aten.abs_.default
  Proxy abs_(Where where = Where::current()) const;
  /// aten.absolute.default
  Proxy absolute(Where where = Where::current()) const;
  /// aten.absolute_.default
  Proxy absolute_(Where where = Where::current()) const;
  /// aten.acos.default
  Proxy acos(Where where = Where::current()) const;
  /// aten.acos_.default
  Proxy acos_(Where where = Where::current()) const;
  /// aten.acosh.default
  Proxy acosh(Where where = Where::current()) const;
  /// aten.acosh_.default
  Proxy acosh_(Where where = Where::current()) const;
  /// aten.add.Tensor
  Proxy add(const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.add.Scalar
  Proxy add(const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.add_.Tensor
  Proxy add_(const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.add_.Scalar
  Proxy add_(const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addbmm.default
  Proxy addbmm(const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addbmm_.default
  Proxy addbmm_(const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addcdiv.default
  Proxy addcdiv(const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value = {}, Where where = Where::current()) const;
  /// aten.addcdiv_.default
  Proxy addcdiv_(const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value = {}, Where where = Where::current()) const;
  /// aten.addcmul.default
  Proxy addcmul(const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value = {}, Where where = Where::current()) const;
  /// aten.addcmul_.default
  Proxy addcmul_(const Proxy& tensor1, const Proxy& tensor2, const ScalarArg& value = {}, Where where = Where::current()) const;
  /// aten.addmm.default
  Proxy addmm(const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addmm.dtype
  Proxy addmm(const Proxy& mat1, const Proxy& mat2, const DTypeArg& out_dtype, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addmm_.default
  Proxy addmm_(const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addmv.default
  Proxy addmv(const Proxy& mat, const Proxy& vec, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addmv_.default
  Proxy addmv_(const Proxy& mat, const Proxy& vec, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addr.default
  Proxy addr(const Proxy& vec1, const Proxy& vec2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.addr_.default
  Proxy addr_(const Proxy& vec1, const Proxy& vec2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.adjoint.default
  Proxy adjoint(Where where = Where::current()) const;
  /// aten.all.dims
  Proxy all(const IntList& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.allclose.default
  Proxy allclose(const Proxy& other, const FloatArg& rtol = {}, const FloatArg& atol = {}, const BoolArg& equal_nan = {}, Where where = Where::current()) const;
  /// aten.amax.default
  Proxy amax(const IntList& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.amin.default
  Proxy amin(const IntList& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.aminmax.default
  Results<2> aminmax(const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.angle.default
  Proxy angle(Where where = Where::current()) const;
  /// aten.any.dims
  Proxy any(const IntList& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.arccos.default
  Proxy arccos(Where where = Where::current()) const;
  /// aten.arccos_.default
  Proxy arccos_(Where where = Where::current()) const;
  /// aten.arccosh.default
  Proxy arccosh(Where where = Where::current()) const;
  /// aten.arccosh_.default
  Proxy arccosh_(Where where = Where::current()) const;
  /// aten.arcsin.default
  Proxy arcsin(Where where = Where::current()) const;
  /// aten.arcsin_.default
  Proxy arcsin_(Where where = Where::current()) const;
  /// aten.arcsinh.default
  Proxy arcsinh(Where where = Where::current()) const;
  /// aten.arcsinh_.default
  Proxy arcsinh_(Where where = Where::current()) const;
  /// aten.arctan.default
  Proxy arctan(Where where = Where::current()) const;
  /// aten.arctan2.default
  Proxy arctan2(const Proxy& other, Where where = Where::current()) const;
  /// aten.arctan2_.default
  Proxy arctan2_(const Proxy& other, Where where = Where::current()) const;
  /// aten.arctan_.default
  Proxy arctan_(Where where = Where::current()) const;
  /// aten.arctanh.default
  Proxy arctanh(Where where = Where::current()) const;
  /// aten.arctanh_.default
  Proxy arctanh_(Where where = Where::current()) const;
  /// aten.argmax.default
  Proxy argmax(const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.argmin.default
  Proxy argmin(const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.argsort.default
  Proxy argsort(const IntArg& dim = {}, const BoolArg& descending = {}, Where where = Where::current()) const;
  /// aten.argsort.stable
  Proxy argsort(const BoolArg& stable, const IntArg& dim = {}, const BoolArg& descending = {}, Where where = Where::current()) const;
  /// aten.argwhere.default
  Proxy argwhere(Where where = Where::current()) const;
  /// aten.as_strided.default
  Proxy as_strided(const IntList& size, const IntList& stride, const IntArg& storage_offset = {}, Where where = Where::current()) const;
  /// aten.as_strided_.default
  Proxy as_strided_(const IntList& size, const IntList& stride, const IntArg& storage_offset = {}, Where where = Where::current()) const;
  /// aten.as_strided_scatter.default
  Proxy as_strided_scatter(const Proxy& src, const IntList& size, const IntList& stride, const IntArg& storage_offset = {}, Where where = Where::current()) const;
  /// aten.asin.default
  Proxy asin(Where where = Where::current()) const;
  /// aten.asin_.default
  Proxy asin_(Where where = Where::current()) const;
  /// aten.asinh.default
  Proxy asinh(Where where = Where::current()) const;
  /// aten.asinh_.default
  Proxy asinh_(Where where = Where::current()) const;
  /// aten.atan.default
  Proxy atan(Where where = Where::current()) const;
  /// aten.atan2.default
  Proxy atan2(const Proxy& other, Where where = Where::current()) const;
  /// aten.atan2_.default
  Proxy atan2_(const Proxy& other, Where where = Where::current()) const;
  /// aten.atan_.default
  Proxy atan_(Where where = Where::current()) const;
  /// aten.atanh.default
  Proxy atanh(Where where = Where::current()) const;
  /// aten.atanh_.default
  Proxy atanh_(Where where = Where::current()) const;
  /// aten.baddbmm.default
  Proxy baddbmm(const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.baddbmm.dtype
  Proxy baddbmm(const Proxy& batch1, const Proxy& batch2, const DTypeArg& out_dtype, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.baddbmm_.default
  Proxy baddbmm_(const Proxy& batch1, const Proxy& batch2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.bernoulli.default
  Proxy bernoulli(Where where = Where::current()) const;
  /// aten.bernoulli.p
  Proxy bernoulli(const FloatArg& p, Where where = Where::current()) const;
  /// aten.bernoulli.Tensor
  Proxy bernoulli(const Proxy& p, Where where = Where::current()) const;
  /// aten.bernoulli_.Tensor
  Proxy bernoulli_(const Proxy& p, Where where = Where::current()) const;
  /// aten.bernoulli_.float
  Proxy bernoulli_(const FloatArg& p = {}, Where where = Where::current()) const;
  /// aten.bincount.default
  Proxy bincount(const OptionalTensor& weights = {}, const IntArg& minlength = {}, Where where = Where::current()) const;
  /// aten.bitwise_and.Tensor
  Proxy bitwise_and(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_and.Scalar
  Proxy bitwise_and(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_and_.Tensor
  Proxy bitwise_and_(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_and_.Scalar
  Proxy bitwise_and_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_left_shift.Tensor
  Proxy bitwise_left_shift(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_left_shift.Tensor_Scalar
  Proxy bitwise_left_shift(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_left_shift_.Tensor_Scalar
  Proxy bitwise_left_shift_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_left_shift_.Tensor
  Proxy bitwise_left_shift_(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_not.default
  Proxy bitwise_not(Where where = Where::current()) const;
  /// aten.bitwise_not_.default
  Proxy bitwise_not_(Where where = Where::current()) const;
  /// aten.bitwise_or.Tensor
  Proxy bitwise_or(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_or.Scalar
  Proxy bitwise_or(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_or_.Tensor
  Proxy bitwise_or_(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_or_.Scalar
  Proxy bitwise_or_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_right_shift.Tensor
  Proxy bitwise_right_shift(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_right_shift.Tensor_Scalar
  Proxy bitwise_right_shift(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_right_shift_.Tensor_Scalar
  Proxy bitwise_right_shift_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_right_shift_.Tensor
  Proxy bitwise_right_shift_(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_xor.Tensor
  Proxy bitwise_xor(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_xor.Scalar
  Proxy bitwise_xor(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bitwise_xor_.Tensor
  Proxy bitwise_xor_(const Proxy& other, Where where = Where::current()) const;
  /// aten.bitwise_xor_.Scalar
  Proxy bitwise_xor_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.bmm.default
  Proxy bmm(const Proxy& mat2, Where where = Where::current()) const;
  /// aten.bmm.dtype
  Proxy bmm(const Proxy& mat2, const DTypeArg& out_dtype, Where where = Where::current()) const;
  /// aten.broadcast_to.default
  Proxy broadcast_to(const IntList& size, Where where = Where::current()) const;
  /// aten.cauchy_.default
  Proxy cauchy_(const FloatArg& median = {}, const FloatArg& sigma = {}, Where where = Where::current()) const;
  /// aten.ccol_indices.default
  Proxy ccol_indices(Where where = Where::current()) const;
  /// aten.ceil.default
  Proxy ceil(Where where = Where::current()) const;
  /// aten.ceil_.default
  Proxy ceil_(Where where = Where::current()) const;
  /// aten.chalf.default
  Proxy chalf(const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.cholesky.default
  Proxy cholesky(const BoolArg& upper = {}, Where where = Where::current()) const;
  /// aten.cholesky_inverse.default
  Proxy cholesky_inverse(const BoolArg& upper = {}, Where where = Where::current()) const;
  /// aten.cholesky_solve.default
  Proxy cholesky_solve(const Proxy& input2, const BoolArg& upper = {}, Where where = Where::current()) const;
  /// aten.chunk.default
  Proxy chunk(const IntArg& chunks, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.clamp.default
  Proxy clamp(const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current()) const;
  /// aten.clamp_.default
  Proxy clamp_(const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current()) const;
  /// aten.clamp_max.default
  Proxy clamp_max(const ScalarArg& max, Where where = Where::current()) const;
  /// aten.clamp_max.Tensor
  Proxy clamp_max(const Proxy& max, Where where = Where::current()) const;
  /// aten.clamp_max_.default
  Proxy clamp_max_(const ScalarArg& max, Where where = Where::current()) const;
  /// aten.clamp_max_.Tensor
  Proxy clamp_max_(const Proxy& max, Where where = Where::current()) const;
  /// aten.clamp_min.default
  Proxy clamp_min(const ScalarArg& min, Where where = Where::current()) const;
  /// aten.clamp_min.Tensor
  Proxy clamp_min(const Proxy& min, Where where = Where::current()) const;
  /// aten.clamp_min_.default
  Proxy clamp_min_(const ScalarArg& min, Where where = Where::current()) const;
  /// aten.clamp_min_.Tensor
  Proxy clamp_min_(const Proxy& min, Where where = Where::current()) const;
  /// aten.clip.default
  Proxy clip(const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current()) const;
  /// aten.clip_.default
  Proxy clip_(const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current()) const;
  /// aten.clone.default
  Proxy clone(const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.coalesce.default
  Proxy coalesce(Where where = Where::current()) const;
  /// aten.col_indices.default
  Proxy col_indices(Where where = Where::current()) const;
  /// aten.conj.default
  Proxy conj(Where where = Where::current()) const;
  /// aten.conj_physical.default
  Proxy conj_physical(Where where = Where::current()) const;
  /// aten.conj_physical_.default
  Proxy conj_physical_(Where where = Where::current()) const;
  /// aten.contiguous.default
  Proxy contiguous(const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.copy_.default
  Proxy copy_(const Proxy& src, const BoolArg& non_blocking = {}, Where where = Where::current()) const;
  /// aten.copysign.Tensor
  Proxy copysign(const Proxy& other, Where where = Where::current()) const;
  /// aten.copysign.Scalar
  Proxy copysign(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.copysign_.Tensor
  Proxy copysign_(const Proxy& other, Where where = Where::current()) const;
  /// aten.copysign_.Scalar
  Proxy copysign_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.corrcoef.default
  Proxy corrcoef(Where where = Where::current()) const;
  /// aten.cos.default
  Proxy cos(Where where = Where::current()) const;
  /// aten.cos_.default
  Proxy cos_(Where where = Where::current()) const;
  /// aten.cosh.default
  Proxy cosh(Where where = Where::current()) const;
  /// aten.cosh_.default
  Proxy cosh_(Where where = Where::current()) const;
  /// aten.count_nonzero.default
  Proxy count_nonzero(const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.cov.default
  Proxy cov(const IntArg& correction = {}, const OptionalTensor& fweights = {}, const OptionalTensor& aweights = {}, Where where = Where::current()) const;
  /// aten.cross.default
  Proxy cross(const Proxy& other, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.crow_indices.default
  Proxy crow_indices(Where where = Where::current()) const;
  /// aten.cummax.default
  Results<2> cummax(const IntArg& dim, Where where = Where::current()) const;
  /// aten.cummin.default
  Results<2> cummin(const IntArg& dim, Where where = Where::current()) const;
  /// aten.cumprod.default
  Proxy cumprod(const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.cumprod_.default
  Proxy cumprod_(const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.cumsum.default
  Proxy cumsum(const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.cumsum_.default
  Proxy cumsum_(const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.deg2rad.default
  Proxy deg2rad(Where where = Where::current()) const;
  /// aten.deg2rad_.default
  Proxy deg2rad_(Where where = Where::current()) const;
  /// aten.dense_dim.default
  Proxy dense_dim(Where where = Where::current()) const;
  /// aten.dequantize.self
  Proxy dequantize(Where where = Where::current()) const;
  /// aten.det.default
  Proxy det(Where where = Where::current()) const;
  /// aten.detach.default
  Proxy detach(Where where = Where::current()) const;
  /// aten.detach_.default
  Proxy detach_(Where where = Where::current()) const;
  /// aten.diag.default
  Proxy diag(const IntArg& diagonal = {}, Where where = Where::current()) const;
  /// aten.diag_embed.default
  Proxy diag_embed(const IntArg& offset = {}, const IntArg& dim1 = {}, const IntArg& dim2 = {}, Where where = Where::current()) const;
  /// aten.diagflat.default
  Proxy diagflat(const IntArg& offset = {}, Where where = Where::current()) const;
  /// aten.diagonal.default
  Proxy diagonal(const IntArg& offset = {}, const IntArg& dim1 = {}, const IntArg& dim2 = {}, Where where = Where::current()) const;
  /// aten.diagonal_scatter.default
  Proxy diagonal_scatter(const Proxy& src, const IntArg& offset = {}, const IntArg& dim1 = {}, const IntArg& dim2 = {}, Where where = Where::current()) const;
  /// aten.diff.default
  Proxy diff(const IntArg& n = {}, const IntArg& dim = {}, const OptionalTensor& prepend = {}, const OptionalTensor& append = {}, Where where = Where::current()) const;
  /// aten.digamma.default
  Proxy digamma(Where where = Where::current()) const;
  /// aten.digamma_.default
  Proxy digamma_(Where where = Where::current()) const;
  /// aten.dim.default
  Proxy dim(Where where = Where::current()) const;
  /// aten.dist.default
  Proxy dist(const Proxy& other, const ScalarArg& p = {}, Where where = Where::current()) const;
  /// aten.div.Tensor
  Proxy div(const Proxy& other, Where where = Where::current()) const;
  /// aten.div.Scalar
  Proxy div(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.div.Tensor_mode
  Proxy div(const Proxy& other, const StringArg& rounding_mode, Where where = Where::current()) const;
  /// aten.div.Scalar_mode
  Proxy div(const ScalarArg& other, const StringArg& rounding_mode, Where where = Where::current()) const;
  /// aten.div_.Tensor
  Proxy div_(const Proxy& other, Where where = Where::current()) const;
  /// aten.div_.Tensor_mode
  Proxy div_(const Proxy& other, const StringArg& rounding_mode, Where where = Where::current()) const;
  /// aten.div_.Scalar
  Proxy div_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.div_.Scalar_mode
  Proxy div_(const ScalarArg& other, const StringArg& rounding_mode, Where where = Where::current()) const;
  /// aten.divide.Tensor
  Proxy divide(const Proxy& other, Where where = Where::current()) const;
  /// aten.divide.Scalar
  Proxy divide(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.divide.Tensor_mode
  Proxy divide(const Proxy& other, const StringArg& rounding_mode, Where where = Where::current()) const;
  /// aten.divide.Scalar_mode
  Proxy divide(const ScalarArg& other, const StringArg& rounding_mode, Where where = Where::current()) const;
  /// aten.divide_.Tensor
  Proxy divide_(const Proxy& other, Where where = Where::current()) const;
  /// aten.divide_.Tensor_mode
  Proxy divide_(const Proxy& other, const StringArg& rounding_mode, Where where = Where::current()) const;
  /// aten.divide_.Scalar_mode
  Proxy divide_(const ScalarArg& other, const StringArg& rounding_mode, Where where = Where::current()) const;
  /// aten.divide_.Scalar
  Proxy divide_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.dot.default
  Proxy dot(const Proxy& tensor, Where where = Where::current()) const;
  /// aten.dsplit.array
  Proxy dsplit(const IntList& indices, Where where = Where::current()) const;
  /// aten.eq.Tensor
  Proxy eq(const Proxy& other, Where where = Where::current()) const;
  /// aten.eq.Scalar
  Proxy eq(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.eq_.Scalar
  Proxy eq_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.eq_.Tensor
  Proxy eq_(const Proxy& other, Where where = Where::current()) const;
  /// aten.equal.default
  Proxy equal(const Proxy& other, Where where = Where::current()) const;
  /// aten.erf.default
  Proxy erf(Where where = Where::current()) const;
  /// aten.erf_.default
  Proxy erf_(Where where = Where::current()) const;
  /// aten.erfc.default
  Proxy erfc(Where where = Where::current()) const;
  /// aten.erfc_.default
  Proxy erfc_(Where where = Where::current()) const;
  /// aten.erfinv.default
  Proxy erfinv(Where where = Where::current()) const;
  /// aten.erfinv_.default
  Proxy erfinv_(Where where = Where::current()) const;
  /// aten.exp.default
  Proxy exp(Where where = Where::current()) const;
  /// aten.exp2.default
  Proxy exp2(Where where = Where::current()) const;
  /// aten.exp2_.default
  Proxy exp2_(Where where = Where::current()) const;
  /// aten.exp_.default
  Proxy exp_(Where where = Where::current()) const;
  /// aten.expand.default
  Proxy expand(const IntList& size, const BoolArg& implicit = {}, Where where = Where::current()) const;
  /// aten.expand_as.default
  Proxy expand_as(const Proxy& other, Where where = Where::current()) const;
  /// aten.expm1.default
  Proxy expm1(Where where = Where::current()) const;
  /// aten.expm1_.default
  Proxy expm1_(Where where = Where::current()) const;
  /// aten.exponential_.default
  Proxy exponential_(const FloatArg& lambd = {}, Where where = Where::current()) const;
  /// aten.fill_.Scalar
  Proxy fill_(const ScalarArg& value, Where where = Where::current()) const;
  /// aten.fill_.Tensor
  Proxy fill_(const Proxy& value, Where where = Where::current()) const;
  /// aten.fill_diagonal_.default
  Proxy fill_diagonal_(const ScalarArg& fill_value, const BoolArg& wrap = {}, Where where = Where::current()) const;
  /// aten.fix.default
  Proxy fix(Where where = Where::current()) const;
  /// aten.fix_.default
  Proxy fix_(Where where = Where::current()) const;
  /// aten.flatten.using_ints
  Proxy flatten(const IntArg& start_dim = {}, const IntArg& end_dim = {}, Where where = Where::current()) const;
  /// aten.flip.default
  Proxy flip(const IntList& dims, Where where = Where::current()) const;
  /// aten.fliplr.default
  Proxy fliplr(Where where = Where::current()) const;
  /// aten.flipud.default
  Proxy flipud(Where where = Where::current()) const;
  /// aten.float_power.Tensor_Tensor
  Proxy float_power(const Proxy& exponent, Where where = Where::current()) const;
  /// aten.float_power.Tensor_Scalar
  Proxy float_power(const ScalarArg& exponent, Where where = Where::current()) const;
  /// aten.float_power_.Tensor
  Proxy float_power_(const Proxy& exponent, Where where = Where::current()) const;
  /// aten.float_power_.Scalar
  Proxy float_power_(const ScalarArg& exponent, Where where = Where::current()) const;
  /// aten.floor.default
  Proxy floor(Where where = Where::current()) const;
  /// aten.floor_.default
  Proxy floor_(Where where = Where::current()) const;
  /// aten.floor_divide.default
  Proxy floor_divide(const Proxy& other, Where where = Where::current()) const;
  /// aten.floor_divide.Scalar
  Proxy floor_divide(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.floor_divide_.Tensor
  Proxy floor_divide_(const Proxy& other, Where where = Where::current()) const;
  /// aten.floor_divide_.Scalar
  Proxy floor_divide_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.fmax.default
  Proxy fmax(const Proxy& other, Where where = Where::current()) const;
  /// aten.fmin.default
  Proxy fmin(const Proxy& other, Where where = Where::current()) const;
  /// aten.fmod.Tensor
  Proxy fmod(const Proxy& other, Where where = Where::current()) const;
  /// aten.fmod.Scalar
  Proxy fmod(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.fmod_.Tensor
  Proxy fmod_(const Proxy& other, Where where = Where::current()) const;
  /// aten.fmod_.Scalar
  Proxy fmod_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.frac.default
  Proxy frac(Where where = Where::current()) const;
  /// aten.frac_.default
  Proxy frac_(Where where = Where::current()) const;
  /// aten.frexp.Tensor
  Results<2> frexp(Where where = Where::current()) const;
  /// aten.gather.default
  Proxy gather(const IntArg& dim, const Proxy& index, const BoolArg& sparse_grad = {}, Where where = Where::current()) const;
  /// aten.gcd.default
  Proxy gcd(const Proxy& other, Where where = Where::current()) const;
  /// aten.gcd_.default
  Proxy gcd_(const Proxy& other, Where where = Where::current()) const;
  /// aten.ge.Tensor
  Proxy ge(const Proxy& other, Where where = Where::current()) const;
  /// aten.ge.Scalar
  Proxy ge(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.ge_.Scalar
  Proxy ge_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.ge_.Tensor
  Proxy ge_(const Proxy& other, Where where = Where::current()) const;
  /// aten.geometric_.default
  Proxy geometric_(const FloatArg& p, Where where = Where::current()) const;
  /// aten.geqrf.default
  Results<2> geqrf(Where where = Where::current()) const;
  /// aten.ger.default
  Proxy ger(const Proxy& vec2, Where where = Where::current()) const;
  /// aten.get_device.default
  Proxy get_device(Where where = Where::current()) const;
  /// aten.greater.Tensor
  Proxy greater(const Proxy& other, Where where = Where::current()) const;
  /// aten.greater.Scalar
  Proxy greater(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.greater_.Scalar
  Proxy greater_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.greater_.Tensor
  Proxy greater_(const Proxy& other, Where where = Where::current()) const;
  /// aten.greater_equal.Tensor
  Proxy greater_equal(const Proxy& other, Where where = Where::current()) const;
  /// aten.greater_equal.Scalar
  Proxy greater_equal(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.greater_equal_.Scalar
  Proxy greater_equal_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.greater_equal_.Tensor
  Proxy greater_equal_(const Proxy& other, Where where = Where::current()) const;
  /// aten.gt.Tensor
  Proxy gt(const Proxy& other, Where where = Where::current()) const;
  /// aten.gt.Scalar
  Proxy gt(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.gt_.Scalar
  Proxy gt_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.gt_.Tensor
  Proxy gt_(const Proxy& other, Where where = Where::current()) const;
  /// aten.hardshrink.default
  Proxy hardshrink(const ScalarArg& lambd = {}, Where where = Where::current()) const;
  /// aten.hash_tensor.default
  Proxy hash_tensor(const IntList& dim = {}, const BoolArg& keepdim = {}, const IntArg& mode = {}, Where where = Where::current()) const;
  /// aten.heaviside.default
  Proxy heaviside(const Proxy& values, Where where = Where::current()) const;
  /// aten.heaviside_.default
  Proxy heaviside_(const Proxy& values, Where where = Where::current()) const;
  /// aten.histc.default
  Proxy histc(const IntArg& bins = {}, const ScalarArg& min = {}, const ScalarArg& max = {}, Where where = Where::current()) const;
  /// aten.histogram.bins_tensor
  Results<2> histogram(const Proxy& bins, const OptionalTensor& weight = {}, const BoolArg& density = {}, Where where = Where::current()) const;
  /// aten.histogram.bin_ct
  Results<2> histogram(const IntArg& bins = {}, const FloatList& range = {}, const OptionalTensor& weight = {}, const BoolArg& density = {}, Where where = Where::current()) const;
  /// aten.hsplit.array
  Proxy hsplit(const IntList& indices, Where where = Where::current()) const;
  /// aten.hypot.default
  Proxy hypot(const Proxy& other, Where where = Where::current()) const;
  /// aten.hypot_.default
  Proxy hypot_(const Proxy& other, Where where = Where::current()) const;
  /// aten.i0.default
  Proxy i0(Where where = Where::current()) const;
  /// aten.i0_.default
  Proxy i0_(Where where = Where::current()) const;
  /// aten.igamma.default
  Proxy igamma(const Proxy& other, Where where = Where::current()) const;
  /// aten.igamma_.default
  Proxy igamma_(const Proxy& other, Where where = Where::current()) const;
  /// aten.igammac.default
  Proxy igammac(const Proxy& other, Where where = Where::current()) const;
  /// aten.igammac_.default
  Proxy igammac_(const Proxy& other, Where where = Where::current()) const;
  /// aten.index_add.default
  Proxy index_add(const IntArg& dim, const Proxy& index, const Proxy& source, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.index_add_.default
  Proxy index_add_(const IntArg& dim, const Proxy& index, const Proxy& source, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.index_copy.default
  Proxy index_copy(const IntArg& dim, const Proxy& index, const Proxy& source, Where where = Where::current()) const;
  /// aten.index_copy_.default
  Proxy index_copy_(const IntArg& dim, const Proxy& index, const Proxy& source, Where where = Where::current()) const;
  /// aten.index_fill.int_Tensor
  Proxy index_fill(const IntArg& dim, const Proxy& index, const Proxy& value, Where where = Where::current()) const;
  /// aten.index_fill.int_Scalar
  Proxy index_fill(const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where = Where::current()) const;
  /// aten.index_fill_.int_Tensor
  Proxy index_fill_(const IntArg& dim, const Proxy& index, const Proxy& value, Where where = Where::current()) const;
  /// aten.index_fill_.int_Scalar
  Proxy index_fill_(const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where = Where::current()) const;
  /// aten.index_put.default
  Proxy index_put(const OptionalTensorList& indices, const Proxy& values, const BoolArg& accumulate = {}, Where where = Where::current()) const;
  /// aten.index_put_.default
  Proxy index_put_(const OptionalTensorList& indices, const Proxy& values, const BoolArg& accumulate = {}, Where where = Where::current()) const;
  /// aten.index_reduce.default
  Proxy index_reduce(const IntArg& dim, const Proxy& index, const Proxy& source, const StringArg& reduce, const BoolArg& include_self = {}, Where where = Where::current()) const;
  /// aten.index_reduce_.default
  Proxy index_reduce_(const IntArg& dim, const Proxy& index, const Proxy& source, const StringArg& reduce, const BoolArg& include_self = {}, Where where = Where::current()) const;
  /// aten.index_select.default
  Proxy index_select(const IntArg& dim, const Proxy& index, Where where = Where::current()) const;
  /// aten.indices.default
  Proxy indices(Where where = Where::current()) const;
  /// aten.inner.default
  Proxy inner(const Proxy& other, Where where = Where::current()) const;
  /// aten.int_repr.default
  Proxy int_repr(Where where = Where::current()) const;
  /// aten.inverse.default
  Proxy inverse(Where where = Where::current()) const;
  /// aten.is_coalesced.default
  Proxy is_coalesced(Where where = Where::current()) const;
  /// aten.is_complex.default
  Proxy is_complex(Where where = Where::current()) const;
  /// aten.is_conj.default
  Proxy is_conj(Where where = Where::current()) const;
  /// aten.is_contiguous.default
  Proxy is_contiguous(Where where = Where::current()) const;
  /// aten.is_contiguous.memory_format
  Proxy is_contiguous(const MemoryFormatArg& memory_format, Where where = Where::current()) const;
  /// aten.is_distributed.default
  Proxy is_distributed(Where where = Where::current()) const;
  /// aten.is_floating_point.default
  Proxy is_floating_point(Where where = Where::current()) const;
  /// aten.is_inference.default
  Proxy is_inference(Where where = Where::current()) const;
  /// aten.is_neg.default
  Proxy is_neg(Where where = Where::current()) const;
  /// aten.is_nonzero.default
  Proxy is_nonzero(Where where = Where::current()) const;
  /// aten.is_pinned.default
  Proxy is_pinned(const DeviceArg& device = {}, Where where = Where::current()) const;
  /// aten.is_same_size.default
  Proxy is_same_size(const Proxy& other, Where where = Where::current()) const;
  /// aten.is_set_to.default
  Proxy is_set_to(const Proxy& tensor, Where where = Where::current()) const;
  /// aten.is_signed.default
  Proxy is_signed(Where where = Where::current()) const;
  /// aten.isclose.default
  Proxy isclose(const Proxy& other, const FloatArg& rtol = {}, const FloatArg& atol = {}, const BoolArg& equal_nan = {}, Where where = Where::current()) const;
  /// aten.isfinite.default
  Proxy isfinite(Where where = Where::current()) const;
  /// aten.isinf.default
  Proxy isinf(Where where = Where::current()) const;
  /// aten.isnan.default
  Proxy isnan(Where where = Where::current()) const;
  /// aten.isneginf.default
  Proxy isneginf(Where where = Where::current()) const;
  /// aten.isposinf.default
  Proxy isposinf(Where where = Where::current()) const;
  /// aten.isreal.default
  Proxy isreal(Where where = Where::current()) const;
  /// aten.istft.default
  Proxy istft(const IntArg& n_fft, const IntArg& hop_length = {}, const IntArg& win_length = {}, const OptionalTensor& window = {}, const BoolArg& center = {}, const BoolArg& normalized = {}, const BoolArg& onesided = {}, const IntArg& length = {}, const BoolArg& return_complex = {}, Where where = Where::current()) const;
  /// aten.item.default
  Proxy item(Where where = Where::current()) const;
  /// aten.kron.default
  Proxy kron(const Proxy& other, Where where = Where::current()) const;
  /// aten.kthvalue.default
  Results<2> kthvalue(const IntArg& k, const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.lcm.default
  Proxy lcm(const Proxy& other, Where where = Where::current()) const;
  /// aten.lcm_.default
  Proxy lcm_(const Proxy& other, Where where = Where::current()) const;
  /// aten.ldexp.Tensor
  Proxy ldexp(const Proxy& other, Where where = Where::current()) const;
  /// aten.ldexp_.default
  Proxy ldexp_(const Proxy& other, Where where = Where::current()) const;
  /// aten.le.Tensor
  Proxy le(const Proxy& other, Where where = Where::current()) const;
  /// aten.le.Scalar
  Proxy le(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.le_.Scalar
  Proxy le_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.le_.Tensor
  Proxy le_(const Proxy& other, Where where = Where::current()) const;
  /// aten.lerp.Scalar
  Proxy lerp(const Proxy& end, const ScalarArg& weight, Where where = Where::current()) const;
  /// aten.lerp.Tensor
  Proxy lerp(const Proxy& end, const Proxy& weight, Where where = Where::current()) const;
  /// aten.lerp_.Scalar
  Proxy lerp_(const Proxy& end, const ScalarArg& weight, Where where = Where::current()) const;
  /// aten.lerp_.Tensor
  Proxy lerp_(const Proxy& end, const Proxy& weight, Where where = Where::current()) const;
  /// aten.less.Tensor
  Proxy less(const Proxy& other, Where where = Where::current()) const;
  /// aten.less.Scalar
  Proxy less(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.less_.Scalar
  Proxy less_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.less_.Tensor
  Proxy less_(const Proxy& other, Where where = Where::current()) const;
  /// aten.less_equal.Tensor
  Proxy less_equal(const Proxy& other, Where where = Where::current()) const;
  /// aten.less_equal.Scalar
  Proxy less_equal(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.less_equal_.Scalar
  Proxy less_equal_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.less_equal_.Tensor
  Proxy less_equal_(const Proxy& other, Where where = Where::current()) const;
  /// aten.lgamma.default
  Proxy lgamma(Where where = Where::current()) const;
  /// aten.lgamma_.default
  Proxy lgamma_(Where where = Where::current()) const;
  /// aten.log.default
  Proxy log(Where where = Where::current()) const;
  /// aten.log10.default
  Proxy log10(Where where = Where::current()) const;
  /// aten.log10_.default
  Proxy log10_(Where where = Where::current()) const;
  /// aten.log1p.default
  Proxy log1p(Where where = Where::current()) const;
  /// aten.log1p_.default
  Proxy log1p_(Where where = Where::current()) const;
  /// aten.log2.default
  Proxy log2(Where where = Where::current()) const;
  /// aten.log2_.default
  Proxy log2_(Where where = Where::current()) const;
  /// aten.log_.default
  Proxy log_(Where where = Where::current()) const;
  /// aten.log_normal_.default
  Proxy log_normal_(const FloatArg& mean = {}, const FloatArg& std = {}, Where where = Where::current()) const;
  /// aten.log_softmax.int
  Proxy log_softmax(const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.logaddexp.default
  Proxy logaddexp(const Proxy& other, Where where = Where::current()) const;
  /// aten.logaddexp2.default
  Proxy logaddexp2(const Proxy& other, Where where = Where::current()) const;
  /// aten.logcumsumexp.default
  Proxy logcumsumexp(const IntArg& dim, Where where = Where::current()) const;
  /// aten.logdet.default
  Proxy logdet(Where where = Where::current()) const;
  /// aten.logical_and.default
  Proxy logical_and(const Proxy& other, Where where = Where::current()) const;
  /// aten.logical_and_.default
  Proxy logical_and_(const Proxy& other, Where where = Where::current()) const;
  /// aten.logical_not.default
  Proxy logical_not(Where where = Where::current()) const;
  /// aten.logical_not_.default
  Proxy logical_not_(Where where = Where::current()) const;
  /// aten.logical_or.default
  Proxy logical_or(const Proxy& other, Where where = Where::current()) const;
  /// aten.logical_or_.default
  Proxy logical_or_(const Proxy& other, Where where = Where::current()) const;
  /// aten.logical_xor.default
  Proxy logical_xor(const Proxy& other, Where where = Where::current()) const;
  /// aten.logical_xor_.default
  Proxy logical_xor_(const Proxy& other, Where where = Where::current()) const;
  /// aten.logit.default
  Proxy logit(const FloatArg& eps = {}, Where where = Where::current()) const;
  /// aten.logit_.default
  Proxy logit_(const FloatArg& eps = {}, Where where = Where::current()) const;
  /// aten.logsumexp.default
  Proxy logsumexp(const IntList& dim, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.lt.Tensor
  Proxy lt(const Proxy& other, Where where = Where::current()) const;
  /// aten.lt.Scalar
  Proxy lt(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.lt_.Scalar
  Proxy lt_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.lt_.Tensor
  Proxy lt_(const Proxy& other, Where where = Where::current()) const;
  /// aten.lu_solve.default
  Proxy lu_solve(const Proxy& LU_data, const Proxy& LU_pivots, Where where = Where::current()) const;
  /// aten.masked_fill.Scalar
  Proxy masked_fill(const Proxy& mask, const ScalarArg& value, Where where = Where::current()) const;
  /// aten.masked_fill.Tensor
  Proxy masked_fill(const Proxy& mask, const Proxy& value, Where where = Where::current()) const;
  /// aten.masked_fill_.Scalar
  Proxy masked_fill_(const Proxy& mask, const ScalarArg& value, Where where = Where::current()) const;
  /// aten.masked_fill_.Tensor
  Proxy masked_fill_(const Proxy& mask, const Proxy& value, Where where = Where::current()) const;
  /// aten.masked_scatter.default
  Proxy masked_scatter(const Proxy& mask, const Proxy& source, Where where = Where::current()) const;
  /// aten.masked_scatter_.default
  Proxy masked_scatter_(const Proxy& mask, const Proxy& source, Where where = Where::current()) const;
  /// aten.masked_select.default
  Proxy masked_select(const Proxy& mask, Where where = Where::current()) const;
  /// aten.matmul.default
  Proxy matmul(const Proxy& other, Where where = Where::current()) const;
  /// aten.matrix_exp.default
  Proxy matrix_exp(Where where = Where::current()) const;
  /// aten.matrix_power.default
  Proxy matrix_power(const IntArg& n, Where where = Where::current()) const;
  /// aten.max.other
  Proxy max(const Proxy& other, Where where = Where::current()) const;
  /// aten.max.default
  Proxy max(Where where = Where::current()) const;
  /// aten.max.dim
  Results<2> max(const IntArg& dim, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.maximum.default
  Proxy maximum(const Proxy& other, Where where = Where::current()) const;
  /// aten.mean.default
  Proxy mean(const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.mean.dim
  Proxy mean(const IntList& dim, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.median.default
  Proxy median(Where where = Where::current()) const;
  /// aten.median.dim
  Results<2> median(const IntArg& dim, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.min.other
  Proxy min(const Proxy& other, Where where = Where::current()) const;
  /// aten.min.default
  Proxy min(Where where = Where::current()) const;
  /// aten.min.dim
  Results<2> min(const IntArg& dim, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.minimum.default
  Proxy minimum(const Proxy& other, Where where = Where::current()) const;
  /// aten.mm.default
  Proxy mm(const Proxy& mat2, Where where = Where::current()) const;
  /// aten.mm.dtype
  Proxy mm(const Proxy& mat2, const DTypeArg& out_dtype, Where where = Where::current()) const;
  /// aten.mode.default
  Results<2> mode(const IntArg& dim = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.moveaxis.intlist
  Proxy moveaxis(const IntList& source, const IntList& destination, Where where = Where::current()) const;
  /// aten.movedim.intlist
  Proxy movedim(const IntList& source, const IntList& destination, Where where = Where::current()) const;
  /// aten.msort.default
  Proxy msort(Where where = Where::current()) const;
  /// aten.mul.Tensor
  Proxy mul(const Proxy& other, Where where = Where::current()) const;
  /// aten.mul.Scalar
  Proxy mul(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.mul_.Tensor
  Proxy mul_(const Proxy& other, Where where = Where::current()) const;
  /// aten.mul_.Scalar
  Proxy mul_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.multinomial.default
  Proxy multinomial(const IntArg& num_samples, const BoolArg& replacement = {}, Where where = Where::current()) const;
  /// aten.multiply.Tensor
  Proxy multiply(const Proxy& other, Where where = Where::current()) const;
  /// aten.multiply.Scalar
  Proxy multiply(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.multiply_.Tensor
  Proxy multiply_(const Proxy& other, Where where = Where::current()) const;
  /// aten.multiply_.Scalar
  Proxy multiply_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.mv.default
  Proxy mv(const Proxy& vec, Where where = Where::current()) const;
  /// aten.mvlgamma.default
  Proxy mvlgamma(const IntArg& p, Where where = Where::current()) const;
  /// aten.mvlgamma_.default
  Proxy mvlgamma_(const IntArg& p, Where where = Where::current()) const;
  /// aten.nan_to_num.default
  Proxy nan_to_num(const FloatArg& nan = {}, const FloatArg& posinf = {}, const FloatArg& neginf = {}, Where where = Where::current()) const;
  /// aten.nan_to_num_.default
  Proxy nan_to_num_(const FloatArg& nan = {}, const FloatArg& posinf = {}, const FloatArg& neginf = {}, Where where = Where::current()) const;
  /// aten.nanmean.default
  Proxy nanmean(const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.nanmedian.default
  Proxy nanmedian(Where where = Where::current()) const;
  /// aten.nanmedian.dim
  Results<2> nanmedian(const IntArg& dim, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.nanquantile.default
  Proxy nanquantile(const Proxy& q, const IntArg& dim = {}, const BoolArg& keepdim = {}, const StringArg& interpolation = {}, Where where = Where::current()) const;
  /// aten.nanquantile.scalar
  Proxy nanquantile(const FloatArg& q, const IntArg& dim = {}, const BoolArg& keepdim = {}, const StringArg& interpolation = {}, Where where = Where::current()) const;
  /// aten.nansum.default
  Proxy nansum(const IntList& dim = {}, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.narrow.default
  Proxy narrow(const IntArg& dim, const IntArg& start, const IntArg& length, Where where = Where::current()) const;
  /// aten.narrow.Tensor
  Proxy narrow(const IntArg& dim, const Proxy& start, const IntArg& length, Where where = Where::current()) const;
  /// aten.narrow_copy.default
  Proxy narrow_copy(const IntArg& dim, const IntArg& start, const IntArg& length, Where where = Where::current()) const;
  /// aten.ne.Tensor
  Proxy ne(const Proxy& other, Where where = Where::current()) const;
  /// aten.ne.Scalar
  Proxy ne(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.ne_.Scalar
  Proxy ne_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.ne_.Tensor
  Proxy ne_(const Proxy& other, Where where = Where::current()) const;
  /// aten.neg.default
  Proxy neg(Where where = Where::current()) const;
  /// aten.neg_.default
  Proxy neg_(Where where = Where::current()) const;
  /// aten.negative.default
  Proxy negative(Where where = Where::current()) const;
  /// aten.negative_.default
  Proxy negative_(Where where = Where::current()) const;
  /// aten.new_empty.default
  Proxy new_empty(const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current()) const;
  /// aten.new_empty_strided.default
  Proxy new_empty_strided(const IntList& size, const IntList& stride, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current()) const;
  /// aten.new_full.default
  Proxy new_full(const IntList& size, const ScalarArg& fill_value, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current()) const;
  /// aten.new_ones.default
  Proxy new_ones(const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current()) const;
  /// aten.new_zeros.default
  Proxy new_zeros(const IntList& size, const DTypeArg& dtype = {}, const LayoutArg& layout = {}, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, Where where = Where::current()) const;
  /// aten.nextafter.default
  Proxy nextafter(const Proxy& other, Where where = Where::current()) const;
  /// aten.nextafter_.default
  Proxy nextafter_(const Proxy& other, Where where = Where::current()) const;
  /// aten.nonzero.default
  Proxy nonzero(Where where = Where::current()) const;
  /// aten.nonzero_static.default
  Proxy nonzero_static(const IntArg& size, const IntArg& fill_value = {}, Where where = Where::current()) const;
  /// aten.norm.Scalar
  Proxy norm(const ScalarArg& p = {}, Where where = Where::current()) const;
  /// aten.norm.ScalarOpt_dim
  Proxy norm(const ScalarArg& p, const IntList& dim, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.norm.ScalarOpt_dim_dtype
  Proxy norm(const ScalarArg& p, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where = Where::current()) const;
  /// aten.norm.ScalarOpt_dtype
  Proxy norm(const ScalarArg& p, const DTypeArg& dtype, Where where = Where::current()) const;
  /// aten.normal_.default
  Proxy normal_(const FloatArg& mean = {}, const FloatArg& std = {}, Where where = Where::current()) const;
  /// aten.not_equal.Tensor
  Proxy not_equal(const Proxy& other, Where where = Where::current()) const;
  /// aten.not_equal.Scalar
  Proxy not_equal(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.not_equal_.Scalar
  Proxy not_equal_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.not_equal_.Tensor
  Proxy not_equal_(const Proxy& other, Where where = Where::current()) const;
  /// aten.numel.default
  Proxy numel(Where where = Where::current()) const;
  /// aten.orgqr.default
  Proxy orgqr(const Proxy& input2, Where where = Where::current()) const;
  /// aten.ormqr.default
  Proxy ormqr(const Proxy& input2, const Proxy& input3, const BoolArg& left = {}, const BoolArg& transpose = {}, Where where = Where::current()) const;
  /// aten.outer.default
  Proxy outer(const Proxy& vec2, Where where = Where::current()) const;
  /// aten.permute.default
  Proxy permute(const IntList& dims, Where where = Where::current()) const;
  /// aten.pin_memory.default
  Proxy pin_memory(const DeviceArg& device = {}, Where where = Where::current()) const;
  /// aten.pinverse.default
  Proxy pinverse(const FloatArg& rcond = {}, Where where = Where::current()) const;
  /// aten.polygamma_.default
  Proxy polygamma_(const IntArg& n, Where where = Where::current()) const;
  /// aten.positive.default
  Proxy positive(Where where = Where::current()) const;
  /// aten.pow.Tensor_Tensor
  Proxy pow(const Proxy& exponent, Where where = Where::current()) const;
  /// aten.pow.Tensor_Scalar
  Proxy pow(const ScalarArg& exponent, Where where = Where::current()) const;
  /// aten.pow_.Scalar
  Proxy pow_(const ScalarArg& exponent, Where where = Where::current()) const;
  /// aten.pow_.Tensor
  Proxy pow_(const Proxy& exponent, Where where = Where::current()) const;
  /// aten.prelu.default
  Proxy prelu(const Proxy& weight, Where where = Where::current()) const;
  /// aten.prod.default
  Proxy prod(const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.prod.dim_int
  Proxy prod(const IntArg& dim, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.put.default
  Proxy put(const Proxy& index, const Proxy& source, const BoolArg& accumulate = {}, Where where = Where::current()) const;
  /// aten.put_.default
  Proxy put_(const Proxy& index, const Proxy& source, const BoolArg& accumulate = {}, Where where = Where::current()) const;
  /// aten.q_per_channel_axis.default
  Proxy q_per_channel_axis(Where where = Where::current()) const;
  /// aten.q_per_channel_scales.default
  Proxy q_per_channel_scales(Where where = Where::current()) const;
  /// aten.q_per_channel_zero_points.default
  Proxy q_per_channel_zero_points(Where where = Where::current()) const;
  /// aten.q_scale.default
  Proxy q_scale(Where where = Where::current()) const;
  /// aten.q_zero_point.default
  Proxy q_zero_point(Where where = Where::current()) const;
  /// aten.qr.default
  Results<2> qr(const BoolArg& some = {}, Where where = Where::current()) const;
  /// aten.qscheme.default
  Proxy qscheme(Where where = Where::current()) const;
  /// aten.quantile.default
  Proxy quantile(const Proxy& q, const IntArg& dim = {}, const BoolArg& keepdim = {}, const StringArg& interpolation = {}, Where where = Where::current()) const;
  /// aten.quantile.scalar
  Proxy quantile(const FloatArg& q, const IntArg& dim = {}, const BoolArg& keepdim = {}, const StringArg& interpolation = {}, Where where = Where::current()) const;
  /// aten.rad2deg.default
  Proxy rad2deg(Where where = Where::current()) const;
  /// aten.rad2deg_.default
  Proxy rad2deg_(Where where = Where::current()) const;
  /// aten.random_.from
  Proxy random_(const IntArg& from, const IntArg& to, Where where = Where::current()) const;
  /// aten.random_.to
  Proxy random_(const IntArg& to, Where where = Where::current()) const;
  /// aten.random_.default
  Proxy random_(Where where = Where::current()) const;
  /// aten.ravel.default
  Proxy ravel(Where where = Where::current()) const;
  /// aten.reciprocal.default
  Proxy reciprocal(Where where = Where::current()) const;
  /// aten.reciprocal_.default
  Proxy reciprocal_(Where where = Where::current()) const;
  /// aten.relu.default
  Proxy relu(Where where = Where::current()) const;
  /// aten.relu_.default
  Proxy relu_(Where where = Where::current()) const;
  /// aten.remainder.Tensor
  Proxy remainder(const Proxy& other, Where where = Where::current()) const;
  /// aten.remainder.Scalar
  Proxy remainder(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.remainder_.Tensor
  Proxy remainder_(const Proxy& other, Where where = Where::current()) const;
  /// aten.remainder_.Scalar
  Proxy remainder_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.renorm.default
  Proxy renorm(const ScalarArg& p, const IntArg& dim, const ScalarArg& maxnorm, Where where = Where::current()) const;
  /// aten.renorm_.default
  Proxy renorm_(const ScalarArg& p, const IntArg& dim, const ScalarArg& maxnorm, Where where = Where::current()) const;
  /// aten.repeat.default
  Proxy repeat(const IntList& repeats, Where where = Where::current()) const;
  /// aten.repeat_interleave.self_Tensor
  Proxy repeat_interleave(const Proxy& repeats, const IntArg& dim = {}, const IntArg& output_size = {}, Where where = Where::current()) const;
  /// aten.repeat_interleave.self_int
  Proxy repeat_interleave(const IntArg& repeats, const IntArg& dim = {}, const IntArg& output_size = {}, Where where = Where::current()) const;
  /// aten.requires_grad_.default
  Proxy requires_grad_(const BoolArg& requires_grad = {}, Where where = Where::current()) const;
  /// aten.reshape.default
  Proxy reshape(const IntList& shape, Where where = Where::current()) const;
  /// aten.reshape_as.default
  Proxy reshape_as(const Proxy& other, Where where = Where::current()) const;
  /// aten.resize.default
  Proxy resize(const IntList& size, const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.resize_.default
  Proxy resize_(const IntList& size, const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.resize_as.default
  Proxy resize_as(const Proxy& the_template, const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.resize_as_.default
  Proxy resize_as_(const Proxy& the_template, const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.resize_as_sparse_.default
  Proxy resize_as_sparse_(const Proxy& the_template, Where where = Where::current()) const;
  /// aten.resolve_conj.default
  Proxy resolve_conj(Where where = Where::current()) const;
  /// aten.resolve_neg.default
  Proxy resolve_neg(Where where = Where::current()) const;
  /// aten.retain_grad.default
  Proxy retain_grad(Where where = Where::current()) const;
  /// aten.roll.default
  Proxy roll(const IntList& shifts, const IntList& dims = {}, Where where = Where::current()) const;
  /// aten.rot90.default
  Proxy rot90(const IntArg& k = {}, const IntList& dims = {}, Where where = Where::current()) const;
  /// aten.round.default
  Proxy round(Where where = Where::current()) const;
  /// aten.round.decimals
  Proxy round(const IntArg& decimals, Where where = Where::current()) const;
  /// aten.round_.default
  Proxy round_(Where where = Where::current()) const;
  /// aten.round_.decimals
  Proxy round_(const IntArg& decimals, Where where = Where::current()) const;
  /// aten.row_indices.default
  Proxy row_indices(Where where = Where::current()) const;
  /// aten.rsqrt.default
  Proxy rsqrt(Where where = Where::current()) const;
  /// aten.rsqrt_.default
  Proxy rsqrt_(Where where = Where::current()) const;
  /// aten.scatter.value
  Proxy scatter(const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where = Where::current()) const;
  /// aten.scatter.src
  Proxy scatter(const IntArg& dim, const Proxy& index, const Proxy& src, Where where = Where::current()) const;
  /// aten.scatter.reduce
  Proxy scatter(const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, Where where = Where::current()) const;
  /// aten.scatter.value_reduce
  Proxy scatter(const IntArg& dim, const Proxy& index, const ScalarArg& value, const StringArg& reduce, Where where = Where::current()) const;
  /// aten.scatter_.src
  Proxy scatter_(const IntArg& dim, const Proxy& index, const Proxy& src, Where where = Where::current()) const;
  /// aten.scatter_.value
  Proxy scatter_(const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where = Where::current()) const;
  /// aten.scatter_.reduce
  Proxy scatter_(const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, Where where = Where::current()) const;
  /// aten.scatter_.value_reduce
  Proxy scatter_(const IntArg& dim, const Proxy& index, const ScalarArg& value, const StringArg& reduce, Where where = Where::current()) const;
  /// aten.scatter_add.default
  Proxy scatter_add(const IntArg& dim, const Proxy& index, const Proxy& src, Where where = Where::current()) const;
  /// aten.scatter_add_.default
  Proxy scatter_add_(const IntArg& dim, const Proxy& index, const Proxy& src, Where where = Where::current()) const;
  /// aten.scatter_reduce.two
  Proxy scatter_reduce(const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, const BoolArg& include_self = {}, Where where = Where::current()) const;
  /// aten.scatter_reduce_.two
  Proxy scatter_reduce_(const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, const BoolArg& include_self = {}, Where where = Where::current()) const;
  /// aten.select.int
  Proxy select(const IntArg& dim, const IntArg& index, Where where = Where::current()) const;
  /// aten.select_scatter.default
  Proxy select_scatter(const Proxy& src, const IntArg& dim, const IntArg& index, Where where = Where::current()) const;
  /// aten.set_.source_Tensor
  Proxy set_(const Proxy& source, Where where = Where::current()) const;
  /// aten.set_.default
  Proxy set_(Where where = Where::current()) const;
  /// aten.set_.source_Tensor_storage_offset
  Proxy set_(const Proxy& source, const IntArg& storage_offset, const IntList& size, const IntList& stride = {}, Where where = Where::current()) const;
  /// aten.sgn.default
  Proxy sgn(Where where = Where::current()) const;
  /// aten.sgn_.default
  Proxy sgn_(Where where = Where::current()) const;
  /// aten.sigmoid.default
  Proxy sigmoid(Where where = Where::current()) const;
  /// aten.sigmoid_.default
  Proxy sigmoid_(Where where = Where::current()) const;
  /// aten.sign.default
  Proxy sign(Where where = Where::current()) const;
  /// aten.sign_.default
  Proxy sign_(Where where = Where::current()) const;
  /// aten.signbit.default
  Proxy signbit(Where where = Where::current()) const;
  /// aten.sin.default
  Proxy sin(Where where = Where::current()) const;
  /// aten.sin_.default
  Proxy sin_(Where where = Where::current()) const;
  /// aten.sinc.default
  Proxy sinc(Where where = Where::current()) const;
  /// aten.sinc_.default
  Proxy sinc_(Where where = Where::current()) const;
  /// aten.sinh.default
  Proxy sinh(Where where = Where::current()) const;
  /// aten.sinh_.default
  Proxy sinh_(Where where = Where::current()) const;
  /// aten.slice_inverse.default
  Proxy slice_inverse(const Proxy& src, const IntArg& dim = {}, const IntArg& start = {}, const IntArg& end = {}, const IntArg& step = {}, Where where = Where::current()) const;
  /// aten.slice_scatter.default
  Proxy slice_scatter(const Proxy& src, const IntArg& dim = {}, const IntArg& start = {}, const IntArg& end = {}, const IntArg& step = {}, Where where = Where::current()) const;
  /// aten.slogdet.default
  Results<2> slogdet(Where where = Where::current()) const;
  /// aten.smm.default
  Proxy smm(const Proxy& mat2, Where where = Where::current()) const;
  /// aten.softmax.int
  Proxy softmax(const IntArg& dim, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.sort.default
  Results<2> sort(const IntArg& dim = {}, const BoolArg& descending = {}, Where where = Where::current()) const;
  /// aten.sort.stable
  Results<2> sort(const BoolArg& stable, const IntArg& dim = {}, const BoolArg& descending = {}, Where where = Where::current()) const;
  /// aten.sparse_dim.default
  Proxy sparse_dim(Where where = Where::current()) const;
  /// aten.sparse_mask.default
  Proxy sparse_mask(const Proxy& mask, Where where = Where::current()) const;
  /// aten.sparse_resize_.default
  Proxy sparse_resize_(const IntList& size, const IntArg& sparse_dim, const IntArg& dense_dim, Where where = Where::current()) const;
  /// aten.sparse_resize_and_clear_.default
  Proxy sparse_resize_and_clear_(const IntList& size, const IntArg& sparse_dim, const IntArg& dense_dim, Where where = Where::current()) const;
  /// aten.split.sizes
  Proxy split(const IntList& split_size, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.split_with_sizes.default
  Proxy split_with_sizes(const IntList& split_sizes, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.sqrt.default
  Proxy sqrt(Where where = Where::current()) const;
  /// aten.sqrt_.default
  Proxy sqrt_(Where where = Where::current()) const;
  /// aten.square.default
  Proxy square(Where where = Where::current()) const;
  /// aten.square_.default
  Proxy square_(Where where = Where::current()) const;
  /// aten.squeeze.default
  Proxy squeeze(Where where = Where::current()) const;
  /// aten.squeeze.dims
  Proxy squeeze(const IntList& dim, Where where = Where::current()) const;
  /// aten.squeeze_.default
  Proxy squeeze_(Where where = Where::current()) const;
  /// aten.squeeze_.dims
  Proxy squeeze_(const IntList& dim, Where where = Where::current()) const;
  /// aten.sspaddmm.default
  Proxy sspaddmm(const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta = {}, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.std.default
  Proxy std(const BoolArg& unbiased = {}, Where where = Where::current()) const;
  /// aten.std.dim
  Proxy std(const IntList& dim, const BoolArg& unbiased = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.stft.default
  Proxy stft(const IntArg& n_fft, const IntArg& hop_length = {}, const IntArg& win_length = {}, const OptionalTensor& window = {}, const BoolArg& normalized = {}, const BoolArg& onesided = {}, const BoolArg& return_complex = {}, const BoolArg& align_to_window = {}, Where where = Where::current()) const;
  /// aten.stft.center
  Proxy stft(const IntArg& n_fft, const IntArg& hop_length, const IntArg& win_length, const OptionalTensor& window, const BoolArg& center, const StringArg& pad_mode, const BoolArg& normalized = {}, const BoolArg& onesided = {}, const BoolArg& return_complex = {}, const BoolArg& align_to_window = {}, Where where = Where::current()) const;
  /// aten.storage_offset.default
  Proxy storage_offset(Where where = Where::current()) const;
  /// aten.stride.int
  Proxy stride(const IntArg& dim, Where where = Where::current()) const;
  /// aten.sub.Tensor
  Proxy sub(const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.sub.Scalar
  Proxy sub(const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.sub_.Tensor
  Proxy sub_(const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.sub_.Scalar
  Proxy sub_(const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.subtract.Tensor
  Proxy subtract(const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.subtract.Scalar
  Proxy subtract(const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.subtract_.Tensor
  Proxy subtract_(const Proxy& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.subtract_.Scalar
  Proxy subtract_(const ScalarArg& other, const ScalarArg& alpha = {}, Where where = Where::current()) const;
  /// aten.sum.dim_IntList
  Proxy sum(const IntList& dim, const BoolArg& keepdim = {}, const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.sum.default
  Proxy sum(const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.sum_to_size.default
  Proxy sum_to_size(const IntList& size, Where where = Where::current()) const;
  /// aten.svd.default
  Results<3> svd(const BoolArg& some = {}, const BoolArg& compute_uv = {}, Where where = Where::current()) const;
  /// aten.swapaxes.default
  Proxy swapaxes(const IntArg& axis0, const IntArg& axis1, Where where = Where::current()) const;
  /// aten.swapaxes_.default
  Proxy swapaxes_(const IntArg& axis0, const IntArg& axis1, Where where = Where::current()) const;
  /// aten.swapdims.default
  Proxy swapdims(const IntArg& dim0, const IntArg& dim1, Where where = Where::current()) const;
  /// aten.swapdims_.default
  Proxy swapdims_(const IntArg& dim0, const IntArg& dim1, Where where = Where::current()) const;
  /// aten.t.default
  Proxy t(Where where = Where::current()) const;
  /// aten.t_.default
  Proxy t_(Where where = Where::current()) const;
  /// aten.take.default
  Proxy take(const Proxy& index, Where where = Where::current()) const;
  /// aten.take_along_dim.default
  Proxy take_along_dim(const Proxy& indices, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.tan.default
  Proxy tan(Where where = Where::current()) const;
  /// aten.tan_.default
  Proxy tan_(Where where = Where::current()) const;
  /// aten.tanh.default
  Proxy tanh(Where where = Where::current()) const;
  /// aten.tanh_.default
  Proxy tanh_(Where where = Where::current()) const;
  /// aten.tensor_split.indices
  Proxy tensor_split(const IntList& indices, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.tensor_split.tensor_indices_or_sections
  Proxy tensor_split(const Proxy& tensor_indices_or_sections, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.tile.default
  Proxy tile(const IntList& dims, Where where = Where::current()) const;
  /// aten.to.device
  Proxy to(const DeviceArg& device, const DTypeArg& dtype, const BoolArg& non_blocking = {}, const BoolArg& copy = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.to.dtype
  Proxy to(const DTypeArg& dtype, const BoolArg& non_blocking = {}, const BoolArg& copy = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.to.other
  Proxy to(const Proxy& other, const BoolArg& non_blocking = {}, const BoolArg& copy = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.to.dtype_layout
  Proxy to(const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device = {}, const BoolArg& pin_memory = {}, const BoolArg& non_blocking = {}, const BoolArg& copy = {}, const MemoryFormatArg& memory_format = {}, Where where = Where::current()) const;
  /// aten.to_dense.default
  Proxy to_dense(const DTypeArg& dtype = {}, const BoolArg& masked_grad = {}, Where where = Where::current()) const;
  /// aten.to_mkldnn.default
  Proxy to_mkldnn(const DTypeArg& dtype = {}, Where where = Where::current()) const;
  /// aten.to_padded_tensor.default
  Proxy to_padded_tensor(const FloatArg& padding, const IntList& output_size = {}, Where where = Where::current()) const;
  /// aten.to_sparse.sparse_dim
  Proxy to_sparse(const IntArg& sparse_dim, Where where = Where::current()) const;
  /// aten.to_sparse.default
  Proxy to_sparse(const LayoutArg& layout = {}, const IntList& blocksize = {}, const IntArg& dense_dim = {}, Where where = Where::current()) const;
  /// aten.to_sparse_bsc.default
  Proxy to_sparse_bsc(const IntList& blocksize, const IntArg& dense_dim = {}, Where where = Where::current()) const;
  /// aten.to_sparse_bsr.default
  Proxy to_sparse_bsr(const IntList& blocksize, const IntArg& dense_dim = {}, Where where = Where::current()) const;
  /// aten.to_sparse_csc.default
  Proxy to_sparse_csc(const IntArg& dense_dim = {}, Where where = Where::current()) const;
  /// aten.to_sparse_csr.default
  Proxy to_sparse_csr(const IntArg& dense_dim = {}, Where where = Where::current()) const;
  /// aten.topk.default
  Results<2> topk(const IntArg& k, const IntArg& dim = {}, const BoolArg& largest = {}, const BoolArg& sorted = {}, Where where = Where::current()) const;
  /// aten.trace.default
  Proxy trace(Where where = Where::current()) const;
  /// aten.transpose.int
  Proxy transpose(const IntArg& dim0, const IntArg& dim1, Where where = Where::current()) const;
  /// aten.transpose_.default
  Proxy transpose_(const IntArg& dim0, const IntArg& dim1, Where where = Where::current()) const;
  /// aten.triangular_solve.default
  Results<2> triangular_solve(const Proxy& A, const BoolArg& upper = {}, const BoolArg& transpose = {}, const BoolArg& unitriangular = {}, Where where = Where::current()) const;
  /// aten.tril.default
  Proxy tril(const IntArg& diagonal = {}, Where where = Where::current()) const;
  /// aten.tril_.default
  Proxy tril_(const IntArg& diagonal = {}, Where where = Where::current()) const;
  /// aten.triu.default
  Proxy triu(const IntArg& diagonal = {}, Where where = Where::current()) const;
  /// aten.triu_.default
  Proxy triu_(const IntArg& diagonal = {}, Where where = Where::current()) const;
  /// aten.true_divide.Tensor
  Proxy true_divide(const Proxy& other, Where where = Where::current()) const;
  /// aten.true_divide.Scalar
  Proxy true_divide(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.true_divide_.Tensor
  Proxy true_divide_(const Proxy& other, Where where = Where::current()) const;
  /// aten.true_divide_.Scalar
  Proxy true_divide_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.trunc.default
  Proxy trunc(Where where = Where::current()) const;
  /// aten.trunc_.default
  Proxy trunc_(Where where = Where::current()) const;
  /// aten.type_as.default
  Proxy type_as(const Proxy& other, Where where = Where::current()) const;
  /// aten.unbind.int
  Proxy unbind(const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.unflatten.int
  Proxy unflatten(const IntArg& dim, const IntList& sizes, Where where = Where::current()) const;
  /// aten.unfold.default
  Proxy unfold(const IntArg& dimension, const IntArg& size, const IntArg& step, Where where = Where::current()) const;
  /// aten.uniform_.default
  Proxy uniform_(const FloatArg& from = {}, const FloatArg& to = {}, Where where = Where::current()) const;
  /// aten.unique_consecutive.default
  Results<3> unique_consecutive(const BoolArg& return_inverse = {}, const BoolArg& return_counts = {}, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.unsafe_chunk.default
  Proxy unsafe_chunk(const IntArg& chunks, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.unsafe_split.Tensor
  Proxy unsafe_split(const IntArg& split_size, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.unsafe_split_with_sizes.default
  Proxy unsafe_split_with_sizes(const IntList& split_sizes, const IntArg& dim = {}, Where where = Where::current()) const;
  /// aten.unsqueeze.default
  Proxy unsqueeze(const IntArg& dim, Where where = Where::current()) const;
  /// aten.unsqueeze_.default
  Proxy unsqueeze_(const IntArg& dim, Where where = Where::current()) const;
  /// aten.values.default
  Proxy values(Where where = Where::current()) const;
  /// aten.var.default
  Proxy var(const BoolArg& unbiased = {}, Where where = Where::current()) const;
  /// aten.var.dim
  Proxy var(const IntList& dim, const BoolArg& unbiased = {}, const BoolArg& keepdim = {}, Where where = Where::current()) const;
  /// aten.vdot.default
  Proxy vdot(const Proxy& other, Where where = Where::current()) const;
  /// aten.view.default
  Proxy view(const IntList& size, Where where = Where::current()) const;
  /// aten.view.dtype
  Proxy view(const DTypeArg& dtype, Where where = Where::current()) const;
  /// aten.view_as.default
  Proxy view_as(const Proxy& other, Where where = Where::current()) const;
  /// aten.vsplit.array
  Proxy vsplit(const IntList& indices, Where where = Where::current()) const;
  /// aten.xlogy.Tensor
  Proxy xlogy(const Proxy& other, Where where = Where::current()) const;
  /// aten.xlogy.Scalar_Other
  Proxy xlogy(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.xlogy_.Tensor
  Proxy xlogy_(const Proxy& other, Where where = Where::current()) const;
  /// aten.xlogy_.Scalar_Other
  Proxy xlogy_(const ScalarArg& other, Where where = Where::current()) const;
  /// aten.zero_.default
  Proxy zero_(Where where = Where::current()) const;

 private:
  const Proxy& self() const;
};

}  // namespace fx
