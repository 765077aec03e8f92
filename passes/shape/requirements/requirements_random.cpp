// Requirements for random operators: parameters of distributions.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

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

/// normal(mean, std): the kernel adds the mean to `out`.
bool normal_mean(TypeCall& c) { return is_at_least(c, 1, 0) && broadcast_together(c, 0, 3); }

/// uniform(self, from, to)
bool uniform(TypeCall& c) { return are_ordered(c, 1, 2, false); }

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
    {"aten.normal.Tensor_float", normal_mean},
    {"aten.normal.float_float", not_negative<1>},
    {"aten.normal_functional.default", not_negative<2>},
    {"aten.geometric.default", geometric},
    {"aten.exponential.default", positive<1>},
    {"aten.cauchy.default", positive<2>},
    {"aten.log_normal.default", positive<2>},
    {"aten.uniform.default", uniform},
    {"aten.random.from", bounds<1>},
    {"aten.random.to", at_least_one<1>},
    {"aten.bernoulli.p", probability<1>},
    {"aten.randint.default", at_least_one<0>},
    {"aten.randint.generator", at_least_one<0>},
    {"aten.randint.low", bounds<0>},
    {"aten.randint.low_generator", bounds<0>},
    {"aten.randint_like.default", at_least_one<1>},
    {"aten.randint_like.low_dtype", bounds<1>},
    {"aten.rrelu.default", rrelu},
    {"aten.rrelu_with_noise.default", rrelu_with_noise},
    {"aten.rrelu_with_noise_functional.default", rrelu_with_noise},
    {"aten.multinomial.default", multinomial},
};

}  // namespace

absl::Span<const Requirement> random_requirements() { return kRandomRequirements; }

}  // namespace fx::shape
