// Requirements for factories and random operators: dtypes and parameters of distributions.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

/// Requires that argument `i` is not greater than argument `k`; with `strict`, that it is less.
bool are_ordered(TypeCall& c, int i, int k, bool strict) {
  const auto low = c.argument(i).as_float(), high = c.argument(k).as_float();
  if (!low || !high || *low < *high || (!strict && *low == *high)) return true;
  c.fail(fmt::format("the lower bound {} must {} the upper bound {}", *low,
                     strict ? "be less than" : "not exceed", *high));
  return false;
}

template <int i>
bool not_negative(TypeCall& c) {
  return is_at_least(c, i, 0);
}
template <int i>
bool positive(TypeCall& c) {
  return is_greater_than(c, i, 0);
}
template <int i>
bool at_least_one(TypeCall& c) {
  return is_at_least(c, i, 1);
}
template <int i>
bool probability(TypeCall& c) {
  return is_in_range(c, i, 0, 1);
}
template <int low>
bool bounds(TypeCall& c) {
  return are_ordered(c, low, low + 1, true);
}

/// geometric(self, p): 0 < p < 1
bool geometric(TypeCall& c) {
  if (!is_greater_than(c, 1, 0)) return false;
  const auto p = c.argument(1).as_float();
  if (!p || *p < 1) return true;
  c.fail_argument(1, "less than 1");
  return false;
}

/// Requires that argument `options`, the dtype of a factory's result, is not one of integers.
template <int options>
bool float_factory(TypeCall& c) {
  const DType dtype = factory_dtype(c, options, DType::kFloat32);
  if (dtype == DType::kUndefined || is_floating_point(dtype) || is_complex(dtype)) return true;
  c.fail(fmt::format("dtype must be a floating-point or complex dtype, not {}", dtype_name(dtype)));
  return false;
}
/// tril_indices(row, col, offset, dtype), triu_indices
bool triangle(TypeCall& c) {
  const DType dtype = factory_dtype(c, 3, DType::kInt64);
  if (dtype == DType::kUndefined || dtype == DType::kInt32 || dtype == DType::kInt64) return true;
  c.fail(fmt::format("dtype must be int32 or int64, not {}", dtype_name(dtype)));
  return false;
}
/// randn(size, dtype): the kernel does not run for an empty tensor.
template <int size, int options>
bool normal_factory(TypeCall& c) {
  const DimVector sizes = c.dims(size);
  return std::ranges::any_of(sizes, is_empty) || float_factory<options>(c);
}
/// normal(mean, std, size)
bool normal_numbers(TypeCall& c) { return not_negative<1>(c) && normal_factory<2, 4>(c); }

/// normal(mean, std): the kernel adds the mean to `out`.
bool normal_mean(TypeCall& c) { return is_at_least(c, 1, 0) && broadcast_together(c, 0, 3); }

/// uniform(self, from, to)
bool uniform(TypeCall& c) {
  const DType dtype = c.tensor(0).dtype();
  return are_ordered(c, 1, 2, false) && is_in_range_of(c, 1, dtype) && is_in_range_of(c, 2, dtype);
}

/// random(self, from, to): to is exclusive, and may be None.
bool random_from(TypeCall& c) {
  const DType dtype = c.tensor(0).dtype();
  return bounds<1>(c) && is_in_range_of(c, 1, dtype) && is_in_range_of(c, 2, dtype, -1);
}
/// random(self, to)
bool random_to(TypeCall& c) {
  return at_least_one<1>(c) && is_in_range_of(c, 1, c.tensor(0).dtype(), -1);
}
/// randint(high, size, dtype) and randint_like(self, high, dtype)
template <int high, int options>
bool randint(TypeCall& c) {
  const DType dtype = high == 0 ? DType::kInt64 : c.tensor(0).dtype();
  return at_least_one<high>(c) && is_in_range_of(c, high, factory_dtype(c, options, dtype), -1);
}
/// randint(low, high, size, dtype) and randint_like(self, low, high, dtype)
template <int low, int options>
bool randint_from(TypeCall& c) {
  if (!bounds<low>(c)) return false;
  const DType dtype = factory_dtype(c, options, low == 0 ? DType::kInt64 : c.tensor(0).dtype());
  return is_in_range_of(c, low, dtype) && is_in_range_of(c, low + 1, dtype, -1);
}

/// rrelu(self, lower, upper)
bool rrelu(TypeCall& c) { return are_ordered(c, 1, 2, false); }
/// rrelu_with_noise(self, noise, lower, upper): the bounds are used only for negative elements.
bool rrelu_with_noise(TypeCall& c) { return has_sizes_of(c, 1, 0); }

/// multinomial(self, num_samples, replacement)
bool multinomial(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!is_at_least(c, 1, 1) || !has_rank(c, 0, 1, 2)) return false;
  const auto replacement = c.argument(2).as_bool();
  const auto count = c.argument(1).as_dim();
  if (!replacement || *replacement || !count) return true;
  if (c.guard_less_equal(*count, x.sizes().back())) return true;
  c.fail(fmt::format("cannot draw {} samples from {} without replacement", to_string(*count),
                     to_string(x.sizes().back())));
  return false;
}

constexpr Requirement kRandomRequirements[] = {
    {"aten.rand.default", float_factory<1>},
    {"aten.rand.generator", float_factory<2>},
    {"aten.randn.default", normal_factory<0, 1>},
    {"aten.randn.generator", normal_factory<0, 2>},
    {"aten.hann_window.default", float_factory<1>},
    {"aten.hann_window.periodic", float_factory<2>},
    {"aten.hamming_window.default", float_factory<1>},
    {"aten.hamming_window.periodic", float_factory<2>},
    {"aten.blackman_window.default", float_factory<1>},
    {"aten.blackman_window.periodic", float_factory<2>},
    {"aten.bartlett_window.default", float_factory<1>},
    {"aten.bartlett_window.periodic", float_factory<2>},
    {"aten.kaiser_window.default", float_factory<1>},
    {"aten.kaiser_window.periodic", float_factory<2>},
    {"aten.hamming_window.periodic_alpha", float_factory<3>},
    {"aten.hamming_window.periodic_alpha_beta", float_factory<4>},
    {"aten.kaiser_window.beta", float_factory<3>},
    {"aten.fft_fftfreq.default", float_factory<2>},
    {"aten.fft_rfftfreq.default", float_factory<2>},
    {"aten.tril_indices.default", triangle},
    {"aten.triu_indices.default", triangle},
    {"aten.normal.Tensor_float", normal_mean},
    {"aten.normal.float_float", normal_numbers},
    {"aten.normal_functional.default", not_negative<2>},
    {"aten.geometric.default", geometric},
    {"aten.exponential.default", positive<1>},
    {"aten.cauchy.default", positive<2>},
    {"aten.log_normal.default", positive<2>},
    {"aten.uniform.default", uniform},
    {"aten.random.from", random_from},
    {"aten.random.to", random_to},
    {"aten.bernoulli.p", probability<1>},
    {"aten.randint.default", randint<0, 2>},
    {"aten.randint.generator", randint<0, 3>},
    {"aten.randint.low", randint_from<0, 3>},
    {"aten.randint.low_generator", randint_from<0, 4>},
    {"aten.randint_like.default", randint<1, 2>},
    {"aten.randint_like.low_dtype", randint_from<1, 3>},
    {"aten.rrelu.default", rrelu},
    {"aten.rrelu_with_noise.default", rrelu_with_noise},
    {"aten.rrelu_with_noise_functional.default", rrelu_with_noise},
    {"aten.multinomial.default", multinomial},
};

}  // namespace

absl::Span<const Requirement> random_requirements() { return kRandomRequirements; }

}  // namespace fx::shape
