// Type functions for normalization layers, forward and backward.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

Type in_suggested_format(TypeCall& c, Type x) {
  return like(c, x, x.dtype(), suggested_format(c, x));
}

/// Returns the dtype of statistics: float32 for a low-precision input with float32 parameters, else
/// the dtype of the input.
DType statistics_dtype(Type x, Type parameter) {
  const bool is_low = x.dtype() == DType::kBFloat16 || x.dtype() == DType::kFloat16;
  return is_low && parameter && parameter.dtype() == DType::kFloat32 ? DType::kFloat32 : x.dtype();
}

/// True if parameters are vectors with one element for each channel. With `unchecked`, for kernels
/// that do not check this, also accepts more elements and other ranks. Returns false if the call
/// fails.
bool check_channels(TypeCall& c, Type x, std::initializer_list<Type> parameters,
                    bool unchecked = false) {
  if (x.rank() < 2) {
    c.fail(fmt::format("the input must have at least 2 dimensions, not {}", x.rank()));
    return false;
  }
  for (Type p : parameters) {
    if (!p || (p.rank() == 1 && c.guard_equal(p.sizes()[0], x.sizes()[1]))) continue;
    const Dim count = numel(p.sizes());
    if (unchecked && count.is_int() && x.sizes()[1].is_int() &&
        count.value() >= x.sizes()[1].value())
      continue;
    c.fail(fmt::format("the parameter {} must be 1-D with {} elements, one for each channel",
                       to_string(p), to_string(x.sizes()[1])));
    return false;
  }
  return true;
}

/// Returns the types of the output, and of the mean and inverse standard deviation of each channel,
/// which are empty outside training.
Type batch_norm_of(TypeCall& c, Type weight, Type bias, Type mean, Type var, bool training) {
  const Type x = c.tensor(0);
  if (!check_channels(c, x, {weight, bias, mean, var}, true)) return Type();
  const Dim channels = training ? x.sizes()[1] : Dim(0);
  const Type statistics = c.result(statistics_dtype(x, weight ? weight : mean), {channels});
  return c.tuple({in_suggested_format(c, x), statistics, statistics});
}

/// (input, weight, bias, running_mean, running_var, training, momentum, eps)
Type native_batch_norm(TypeCall& c) {
  return batch_norm_of(c, c.optional_tensor(1), c.optional_tensor(2), c.optional_tensor(3),
                       c.optional_tensor(4), c.boolean(5));
}
Type batch_norm_no_stats(TypeCall& c) {
  return batch_norm_of(c, c.optional_tensor(1), c.optional_tensor(2), Type(), Type(), c.boolean(3));
}
Type batch_norm_no_training(TypeCall& c) {
  return batch_norm_of(c, c.optional_tensor(1), c.optional_tensor(2), c.optional_tensor(3),
                       c.optional_tensor(4), false);
}
Type batch_norm_functional(TypeCall& c) {
  const Type results = native_batch_norm(c);
  if (!results) return Type();
  return c.tuple({results.items()[0], results.items()[1], results.items()[2],
                  like(c, c.tensor(3), c.tensor(3).dtype()),
                  like(c, c.tensor(4), c.tensor(4).dtype())});
}
/// _batch_norm_with_update(input, weight, bias, running_mean, running_var, momentum, eps): also
/// returns a reserve tensor, which only GPUs use.
Type batch_norm_with_update(TypeCall& c) {
  const Type results =
      batch_norm_of(c, c.optional_tensor(1), c.optional_tensor(2), c.tensor(3), c.tensor(4), true);
  if (!results) return Type();
  return c.tuple({results.items()[0], results.items()[1], results.items()[2],
                  c.result(DType::kUInt8, {Dim(0)})});
}
/// _batch_norm_with_update_functional: also returns the new statistics.
Type batch_norm_with_update_functional(TypeCall& c) {
  const Type results = batch_norm_with_update(c);
  if (!results) return Type();
  return c.tuple({results.items()[0], results.items()[1], results.items()[2], results.items()[3],
                  like(c, c.tensor(3), c.tensor(3).dtype()),
                  like(c, c.tensor(4), c.tensor(4).dtype())});
}
/// batch_norm, instance_norm: return only the output.
Type batch_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  if (numel(x.sizes()) == Dim(0)) return like(c, x, x.dtype());  // eager mode checks nothing else
  if (!check_channels(
          c, x,
          {c.optional_tensor(1), c.optional_tensor(2), c.optional_tensor(3), c.optional_tensor(4)}))
    return Type();
  return in_suggested_format(c, x);
}
Type instance_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!check_channels(c, x, {c.optional_tensor(1), c.optional_tensor(2)})) return Type();
  const bool is_empty = numel(x.sizes()) == Dim(0);
  for (const int i : {3, 4}) {  // the running statistics, which are repeated for each sample
    const Type statistics = c.optional_tensor(i);
    if (statistics && !is_empty &&
        (statistics.rank() > 1 || !c.guard_equal(numel(statistics.sizes()), x.sizes()[1])))
      return c.fail_argument(i, "a vector with one element for each channel");
  }
  return contiguous_like(c, x);
}

bool is_required(TypeCall& c, int mask, size_t i) {
  const TypeArgument& list = c.argument(mask);
  if (list.size() <= i) {
    c.fail_argument(mask, "a list of bools");
    return false;
  }
  return list[i].as_bool().value_or(false);
}

/// (grad, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, mask)
Type batch_norm_backward(TypeCall& c) {
  const Type x = c.tensor(1), weight = c.optional_tensor(2);
  if (!check_channels(c, x, {weight}, true)) return Type();
  const Type none = c.none();
  const Type parameter = c.result(statistics_dtype(x, weight), {x.sizes()[1]});
  const Type of_weight = is_required(c, 9, 1) ? parameter : none;
  const Type of_bias = is_required(c, 9, 2) ? parameter : none;
  if (!is_required(c, 9, 0)) return c.tuple({none, of_weight, of_bias});
  const Type of_input = in_suggested_format(c, x);
  // The meta kernel returns the layout of grad * input.
  const Type grad = c.tensor(0);
  if (grad.rank() == x.rank() && !x.has_default_strides())
    c.set_meta_result(c.tuple({elementwise(c, x.dtype(), {grad, x}), of_weight, of_bias}));
  return c.tuple({of_input, of_weight, of_bias});
}

// ---------------------------------------------------------------- layer norm

/// Returns the number of leading dimensions that are not normalized, or -1 if the call fails.
int layer_norm_axis(TypeCall& c, Type x, const DimVector& shape) {
  const int axis = x.rank() - static_cast<int>(shape.size());
  if (axis < 0 || shape.empty() || !same_sizes(c, x.sizes().subspan(index(axis)), shape)) {
    c.fail(fmt::format("the last {} sizes of input {} must equal normalized_shape", shape.size(),
                       to_string(x)));
    return -1;
  }
  return axis;
}

Type row_statistics(TypeCall& c, Type x, int axis, DType dtype) {
  DimVector sizes(x.sizes().begin(), x.sizes().begin() + axis);
  sizes.resize(x.sizes().size(), Dim(1));
  return c.result(dtype, sizes);
}

/// native_layer_norm(input, normalized_shape, weight, bias, eps)
Type native_layer_norm(TypeCall& c) {
  const Type x = c.tensor(0), weight = c.optional_tensor(2);
  const int axis = layer_norm_axis(c, x, c.dims(1));
  if (axis < 0) return Type();
  const Type statistics = row_statistics(c, x, axis, statistics_dtype(x, weight));
  return c.tuple({contiguous_like(c, x), statistics, statistics});
}
Type layer_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  return layer_norm_axis(c, x, c.dims(1)) < 0 ? Type() : contiguous_like(c, x);
}

/// (grad, input, normalized_shape, mean, rstd, weight, bias, mask)
Type layer_norm_backward(TypeCall& c) {
  const Type x = c.tensor(1), weight = c.optional_tensor(5), bias = c.optional_tensor(6);
  const DimVector shape = c.dims(2);
  if (layer_norm_axis(c, x, shape) < 0) return Type();
  const Type none = c.none();
  const auto gradient = [&](size_t i, Type parameter) {
    if (!is_required(c, 7, i)) return none;
    return c.result(parameter ? parameter.dtype() : x.dtype(), shape);
  };
  return c.tuple({is_required(c, 7, 0) ? contiguous_like(c, x) : none, gradient(1, weight),
                  gradient(2, bias ? bias : weight)});
}

/// _fused_rms_norm(input, normalized_shape, weight, eps)
Type fused_rms_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  const int axis = layer_norm_axis(c, x, c.dims(1));
  if (axis < 0) return Type();
  return c.tuple({contiguous_like(c, x), row_statistics(c, x, axis, x.dtype())});
}
/// rms_norm(input, normalized_shape, weight, eps): the product of the input, the statistics and the
/// weight.
Type rms_norm(TypeCall& c) {
  const Type x = c.tensor(0), weight = c.optional_tensor(2);
  const int axis = layer_norm_axis(c, x, c.dims(1));
  if (axis < 0) return Type();
  const Type product = elementwise(c, x.dtype(), {x, row_statistics(c, x, axis, x.dtype())});
  return product && weight ? elementwise(c, x.dtype(), {product, weight}) : product;
}

// ---------------------------------------------------------------- group norm

/// native_group_norm(input, weight, bias, N, C, HxW, group, eps)
Type native_group_norm(TypeCall& c) {
  const Type x = c.tensor(0), weight = c.optional_tensor(1);
  const Type statistics = c.result(statistics_dtype(x, weight), {c.dim(3), c.dim(6)});
  return c.tuple({in_suggested_format(c, x), statistics, statistics});
}
/// group_norm(input, num_groups, weight, bias, eps)
Type group_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!check_channels(c, x, {c.optional_tensor(2), c.optional_tensor(3)})) return Type();
  if (!c.guard_equal(mod(x.sizes()[1], c.dim(1)), 0))
    return c.fail("the number of channels must be divisible by num_groups");
  return in_suggested_format(c, x);
}
/// (grad, input, mean, rstd, weight, N, C, HxW, group, mask)
Type group_norm_backward(TypeCall& c) {
  // The requirement of the operator compares the numbers of elements, which is all that the kernel
  // uses.
  const Type x = c.tensor(1), weight = c.optional_tensor(4);
  const Type none = c.none();
  const Type parameter = weight ? like(c, weight, weight.dtype()) : c.result(x.dtype(), {c.dim(6)});
  return c.tuple({is_required(c, 9, 0) ? in_suggested_format(c, x) : none,
                  is_required(c, 9, 1) ? parameter : none,
                  is_required(c, 9, 2) ? parameter : none});
}

/// renorm(self, p, dim, maxnorm): a row-major result.
Type renorm(TypeCall& c) { return contiguous_like(c, c.tensor(0)); }

/// norm_except_dim(v, pow, dim): has size 1 in all dimensions except `dim`; 0-dimensional for
/// dim=-1.
Type norm_except_dim(TypeCall& c) {
  const Type v = c.tensor(0);
  const DType dtype = real_of(v.dtype());
  if (c.integer(2) == -1) return c.result(dtype, {});
  const int dim = wrap_dim(c, c.integer(2), v.rank());
  if (dim < 0 || v.rank() == 0) return c.fail("v must have at least one dimension");
  DimVector sizes(v.sizes().size(), Dim(1));
  sizes[0] = v.sizes()[index(dim)];
  if (dim + 1 < v.rank()) return transpose(c, c.result(dtype, sizes), 0, dim);
  std::swap(sizes.front(), sizes.back());
  return c.result(dtype, sizes);
}
/// _weight_norm(v, g, dim)
Type weight_norm(TypeCall& c) { return contiguous_like(c, c.tensor(0)); }
/// _weight_norm_interface(v, g, dim): also returns the norms, which have the sizes and strides of
/// g.
Type weight_norm_interface(TypeCall& c) {
  const Type g = c.tensor(1);
  const bool is_half = g.dtype() == DType::kBFloat16 || g.dtype() == DType::kFloat16;
  const DType dtype = is_half ? DType::kFloat32 : g.dtype();
  return c.tuple({weight_norm(c), c.result(dtype, g.sizes(), g.strides())});
}

/// _weight_norm_interface_backward(grad, v, g, norms, dim)
Type weight_norm_backward(TypeCall& c) {
  return c.tuple({contiguous_like(c, c.tensor(1)), like(c, c.tensor(2), c.tensor(2).dtype())});
}

constexpr TypeRule kNormRules[] = {
    {"aten.norm_except_dim.default", norm_except_dim},
    {"aten._weight_norm.default", weight_norm},
    {"aten._weight_norm_interface.default", weight_norm_interface},
    {"aten._weight_norm_interface_backward.default", weight_norm_backward},
    {"aten.batch_norm.default", batch_norm},
    {"aten.native_batch_norm.default", native_batch_norm},
    {"aten._native_batch_norm_legit.default", native_batch_norm},
    {"aten._native_batch_norm_legit.no_stats", batch_norm_no_stats},
    {"aten._native_batch_norm_legit_no_training.default", batch_norm_no_training},
    {"aten._native_batch_norm_legit_functional.default", batch_norm_functional},
    {"aten._batch_norm_with_update.default", batch_norm_with_update},
    {"aten._batch_norm_with_update_functional.default", batch_norm_with_update_functional},
    {"aten.native_batch_norm_backward.default", batch_norm_backward},
    {"aten.batch_norm_backward.default", batch_norm_backward},
    {"aten.instance_norm.default", instance_norm},
    {"aten.layer_norm.default", layer_norm},
    {"aten.native_layer_norm.default", native_layer_norm},
    {"aten.native_layer_norm_backward.default", layer_norm_backward},
    {"aten.rms_norm.default", rms_norm},
    {"aten._fused_rms_norm.default", fused_rms_norm},
    {"aten.group_norm.default", group_norm},
    {"aten.native_group_norm.default", native_group_norm},
    {"aten.native_group_norm_backward.default", group_norm_backward},
    {"aten.renorm.default", renorm},
};

}  // namespace

absl::Span<const TypeRule> norm_rules() { return kNormRules; }

}  // namespace fx::shape
