// Finds numbers that change in steps as a size grows, and sizes at which such expressions differ.
#include "fx/passes/shape/generalize/generalize_sizes.h"
#include "fx/passes/shape/generalize/size_fit_internal.h"

#include "absl/numeric/int128.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace fx {
namespace {

constexpr size_t kMaxDividends = 16;
/// The maximum number of expressions that one search returns, the simplest first.
constexpr size_t kMaxSteps = 32;
/// The divisors up to this one are combined with all offsets.
constexpr int64_t kSmallDivisor = 16;
constexpr int64_t kMaxDivisor = 64;
constexpr int64_t kLargeDivisors[] = {80, 100, 128, 160, 200, 256, 320, 400, 441, 512, 1024};
/// Greater values are not divided, so that no sum overflows.
constexpr int64_t kMaxValue = int64_t{1} << 40;
/// The number of combinations of sizes that are tried.
constexpr int kSamples = 512;

/// factor * step(x) + slope * x + constant, where step(x) is (x + offset) // divisor or
/// (x + offset) % divisor.
struct StepForm {
  SymExpr x;
  int64_t divisor = 1, offset = 0;
  bool is_remainder = false;
  int64_t factor = 1, slope = 0, constant = 0;

  int cost() const {
    const bool rounds = offset == 0 || offset == divisor - 1;
    return 8 * static_cast<int>(slope != 0) + 4 * static_cast<int>(factor != 1) +
           2 * static_cast<int>(constant != 0) +
           (offset == 0 ? 0
            : rounds    ? 1
                        : 3);
  }
  SymExpr expr(SymExprTable& exprs) const {
    const SymExpr dividend = exprs.add(x, exprs.integer(offset)), by = exprs.integer(divisor);
    const SymExpr step = is_remainder ? exprs.mod(dividend, by) : exprs.floor_div(dividend, by);
    const SymExpr terms[] = {exprs.mul(exprs.integer(factor), step),
                             exprs.mul(exprs.integer(slope), x), exprs.integer(constant)};
    return exprs.add(terms);
  }
};

/// Sets the factor and the constant such that the form has the observed values. `steps` and `x` are
/// the values of step(x) and x. Returns false if there are none.
template <class Values>
bool solve(const Values& observed, const Values& steps, const Values& x, StepForm& form) {
  const auto rest = [&](size_t r) { return observed[r] - form.slope * x[r]; };
  size_t i = 1;
  while (i < steps.size() && steps[i] == steps[0]) ++i;
  if (i == steps.size()) return false;
  const int64_t rise = rest(i) - rest(0), run = steps[i] - steps[0];
  if (rise == 0 || rise % run != 0) return false;
  form.factor = rise / run;
  const absl::int128 constant = rest(0) - absl::int128(form.factor) * steps[0];
  if (constant > kMaxValue || constant < -kMaxValue) return false;
  form.constant = static_cast<int64_t>(constant);
  for (size_t r = 0; r < steps.size(); ++r)
    if (absl::int128(form.factor) * steps[r] + constant != rest(r)) return false;
  return true;
}

std::vector<int64_t> divisors_up_to(int64_t greatest) {
  std::vector<int64_t> divisors;
  for (int64_t q = 2; q <= std::min(kMaxDivisor, greatest); ++q) divisors.push_back(q);
  for (const int64_t q : kLargeDivisors)
    if (q <= greatest) divisors.push_back(q);
  return divisors;
}

/// Offsets that programs add before they divide.
std::vector<int64_t> offsets(int64_t divisor) {
  if (divisor > kSmallDivisor) return {0, divisor - 1, divisor / 2};
  std::vector<int64_t> all;
  all.reserve(static_cast<size_t>(divisor));
  for (int64_t offset = 0; offset < divisor; ++offset) all.push_back(offset);
  return all;
}

/// Returns the number of different values of the rivals beyond the first, for all numbers.
size_t differences(absl::Span<const SizeRivals> rivals, const SymBindings& sizes) {
  size_t count = 0;
  for (const SizeRivals& number : rivals) {
    if (number.expressions.size() < 2) continue;
    std::set<int64_t> values;
    for (const SymExpr expr : number.expressions)
      values.insert(eval_int(expr, sizes).value_or(INT64_MIN));
    count += values.size() - 1;
  }
  return count;
}

}  // namespace

/// Finds a*((x + s) // q) + b*x + c and a*((x + s) % q) + b*x + c, where b is -1, 0 or 1.
void SizeFit::find_steps(const Values& observed, std::vector<SymExpr>& found) const {
  const auto is_large = [](int64_t v) { return v > kMaxValue || v < -kMaxValue; };
  if (std::ranges::any_of(observed, is_large)) return;
  std::vector<StepForm> forms;
  Values quotients(observed.size()), remainders(observed.size());
  for (const Known& known : absl::MakeSpan(known_).first(std::min(known_.size(), kMaxDividends))) {
    const Values& x = known.values;
    if (std::ranges::any_of(x, [](int64_t v) { return v < 0 || v > kMaxValue; })) continue;
    for (const int64_t q : divisors_up_to(2 * *std::max_element(x.begin(), x.end()))) {
      for (const int64_t s : offsets(q)) {
        for (size_t r = 0; r < x.size(); ++r) {
          quotients[r] = (x[r] + s) / q;
          remainders[r] = (x[r] + s) % q;
        }
        if (std::ranges::all_of(quotients, [&](int64_t v) { return v == quotients[0]; })) continue;
        for (const bool is_remainder : {false, true}) {
          for (const int64_t slope : {0, 1, -1}) {
            StepForm form{.x = known.expr, .divisor = q, .offset = s, .is_remainder = is_remainder};
            form.slope = slope;
            if (!solve(observed, is_remainder ? remainders : quotients, x, form)) continue;
            // x - q*((x + s) // q) is a remainder.
            if (!is_remainder && slope != 0 && form.factor == -slope * q) continue;
            if (is_remainder && slope != 0 && form.factor == -slope) continue;
            forms.push_back(form);
          }
        }
      }
    }
  }
  std::ranges::stable_sort(forms, {}, &StepForm::cost);
  if (forms.size() > kMaxSteps) forms.resize(kMaxSteps);
  for (const StepForm& form : forms) add_if_equal(form.expr(exprs_), observed, found);
}

std::optional<SymBindings> distinguishing_sizes(absl::Span<const SizeRivals> rivals,
                                                absl::Span<const SizeWindow> windows) {
  std::optional<SymBindings> best;
  size_t most = 0;
  std::minstd_rand random(1);
  int64_t widest = 0;
  for (const SizeWindow& window : windows) widest = std::max(widest, window.max - window.min + 1);
  const bool is_exhaustive = windows.size() == 1 && widest <= kSamples;
  for (int64_t i = 0; i < (is_exhaustive ? widest : kSamples); ++i) {
    SymBindings sizes;
    for (const SizeWindow& window : windows) {
      const int64_t count = window.max - window.min + 1;
      if (count <= 0) return std::nullopt;
      // The first samples are the lower end of the range, in which most expressions differ.
      const bool is_in_order = windows.size() == 1 && (is_exhaustive || i < kSamples / 2);
      const int64_t at = is_in_order ? i : static_cast<int64_t>(random()) % count;
      sizes.insert_or_assign(window.symbol, SymValue(window.min + at));
    }
    const size_t count = differences(rivals, sizes);
    if (count <= most) continue;
    most = count;
    best = std::move(sizes);
  }
  return best;
}

}  // namespace fx
