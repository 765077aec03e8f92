// Type functions of einsum and of a few composites with several operands.
#include "fx/passes/shape/rules/reduction_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx::shape {
namespace {

constexpr int kLabels = 52;
/// Returns the position of a letter in einsum's order of labels: A-Z, then a-z; -1
/// for other characters.
int label_of(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  return -1;
}

/// The labels of one operand; -2 for `...`.
using Subscripts = std::vector<int>;
constexpr int kEllipsis = -2;

std::optional<Subscripts> parse(TypeCall& c, std::string_view text) {
  Subscripts labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text.substr(i).starts_with("...")) {
      labels.push_back(kEllipsis);
      i += 2;
      continue;
    }
    const int label = label_of(text[i]);
    if (label < 0) {
      c.fail(
          fmt::format("einsum: '{}' is not a valid subscript, which must be in [a-zA-Z]", text[i]));
      return std::nullopt;
    }
    labels.push_back(label);
  }
  return labels;
}

bool is_one(const Dim& size) { return size == Dim(1); }

/// Returns bmm of two operands of equal rank over the dimensions `summed`, which keep size 1;
/// returns their product if there are none (aten/src/ATen/native/Linear.cpp, sumproduct_pair).
Type product_of_pair(TypeCall& c, DType dtype, Type left, Type right,
                     const std::vector<bool>& summed) {
  const size_t rank = summed.size();
  if (std::ranges::find(summed, true) == summed.end())
    return promoted_elementwise(c, dtype, std::array{left, right});
  absl::InlinedVector<int64_t, 8> of_both, of_left, of_right, of_none;
  for (size_t d = 0; d < rank; ++d) {
    const bool in_left = !is_one(left.sizes()[d]), in_right = !is_one(right.sizes()[d]);
    auto& own = summed[d] ? of_none : in_left ? (in_right ? of_both : of_left) : of_right;
    own.push_back(static_cast<int64_t>(d));
  }
  // Multiplies the matrices in the order of the result's dimensions if there is such an order.
  if (!of_left.empty() && !of_right.empty() && of_right.back() < of_left.front()) {
    std::swap(left, right);
    std::swap(of_left, of_right);
  }
  DimVector sizes;
  absl::InlinedVector<int64_t, 8> back(rank);
  for (const auto& [dims, from] : {std::pair(&of_both, left), std::pair(&of_left, left),
                                   std::pair(&of_none, Type()), std::pair(&of_right, right)}) {
    for (const int64_t d : *dims) {
      back[static_cast<size_t>(d)] = static_cast<int64_t>(sizes.size());
      sizes.push_back(from ? from.sizes()[static_cast<size_t>(d)] : Dim(1));
    }
  }
  const Type product = c.result(dtype, sizes);
  return product ? permute(c, product, back) : Type();
}

/// Permutes an operand of einsum to one dimension per label, in the order of `place`. The dimension
/// has size 1 if the operand lacks the label. A repeated label means the diagonal.
Type permuted_operand(TypeCall& c, Type operand, const Subscripts& labels, size_t num_dots,
                      const std::array<int, kLabels>& place, int dots_place, size_t rank) {
  DimVector sizes(rank, Dim(1)), strides(rank, Dim(1));
  std::vector<bool> is_taken(rank, false);
  const size_t own_dots = operand.sizes().size() + 1 - labels.size();  // if it has an ellipsis
  size_t d = 0;
  for (const int label : labels) {
    if (label != kEllipsis) {
      const auto at = static_cast<size_t>(place[static_cast<size_t>(label)]);
      if (is_taken[at]) {
        if (!c.guard_equal(sizes[at], operand.sizes()[d]))
          return c.fail("einsum: the dimensions of a repeated subscript must have the same size");
        strides[at] += operand.strides()[d++];
        continue;
      }
      sizes[at] = operand.sizes()[d];
      strides[at] = operand.strides()[d++];
      is_taken[at] = true;
      continue;
    }
    for (size_t i = num_dots - own_dots; i < num_dots; ++i, ++d) {
      const size_t at = static_cast<size_t>(dots_place) + i;
      sizes[at] = operand.sizes()[d];
      strides[at] = operand.strides()[d];
      is_taken[at] = true;
    }
  }
  // unsqueeze() appends dimensions, which permute() then moves to the missing positions.
  return view_of(c, operand, sizes, strides, operand.offset());
}

/// einsum(equation, operands): multiplies the operands from left to right, and sums each product
/// over the labels that no later operand has (aten/src/ATen/native/Linear.cpp).
Type einsum(TypeCall& c) {
  const std::string_view equation = c.string(0);
  const auto tensors = c.tensors(1);
  const size_t arrow = equation.find("->");
  std::string_view left = equation.substr(0, arrow);
  std::array<int, kLabels> uses = {};
  std::vector<Subscripts> subscripts;
  size_t num_dots = 0;
  bool has_ellipsis = false;
  Promotion promotion;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (left.data() == nullptr)
      return c.fail("einsum: the equation has fewer subscripts than operands");
    const size_t comma = left.find(',');
    const auto labels = parse(c, left.substr(0, comma));
    if (!labels) return Type();
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
    const Type t = tensors[i];
    if (!t) return c.fail("einsum: the operands must be tensors");
    promotion.add_tensor(t);
    const bool dots = std::ranges::find(*labels, kEllipsis) != labels->end();
    const size_t named = labels->size() - dots;
    if (named > t.sizes().size() || (!dots && named != t.sizes().size()))
      return c.fail(
          fmt::format("einsum: the number of subscripts, {}, does not match the dimensions of {}",
                      named, to_string(t)));
    if (dots) {
      has_ellipsis = true;
      num_dots = std::max(num_dots, t.sizes().size() - named);
    }
    for (const int label : *labels)
      if (label != kEllipsis) ++uses[static_cast<size_t>(label)];
    subscripts.push_back(*labels);
  }
  if (tensors.empty()) return c.fail("einsum: at least one operand is required");
  // The position of each label: labels of the result come first, then the others
  // in alphabetical order.
  std::array<int, kLabels> place;
  place.fill(-1);
  int dots_place = -1, next = 0;
  const auto put = [&](int label) {
    if (label == kEllipsis) {
      dots_place = next;
      next += static_cast<int>(num_dots);
    } else {
      place[static_cast<size_t>(label)] = next++;
    }
  };
  if (arrow == std::string_view::npos) {
    if (has_ellipsis) put(kEllipsis);
    for (int label = 0; label < kLabels; ++label)
      if (uses[static_cast<size_t>(label)] == 1) put(label);
  } else {
    const auto labels = parse(c, equation.substr(arrow + 2));
    if (!labels) return Type();
    for (const int label : *labels) {
      if (label != kEllipsis && uses[static_cast<size_t>(label)] == 0)
        return c.fail("einsum: an output subscript does not appear in any operand");
      if (label != kEllipsis && place[static_cast<size_t>(label)] >= 0)
        return c.fail("einsum: an output subscript appears more than once");
      put(label);
    }
  }
  const auto num_results = static_cast<size_t>(next);
  if (has_ellipsis && dots_place < 0) put(kEllipsis);
  for (int label = 0; label < kLabels; ++label)
    if (uses[static_cast<size_t>(label)] > 0 && place[static_cast<size_t>(label)] < 0) put(label);
  const auto rank = static_cast<size_t>(next);

  std::vector<Type> operands;
  DimVector all(rank, Dim(1));
  std::vector<int> counts(rank, 0);  // number of operands with each dimension
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Type t =
        permuted_operand(c, tensors[i], subscripts[i], num_dots, place, dots_place, rank);
    if (!t) return Type();
    for (size_t d = 0; d < rank; ++d) {
      if (is_one(t.sizes()[d])) continue;
      ++counts[d];
      if (!is_one(all[d]) && !c.guard_equal(all[d], t.sizes()[d])) {
        return c.fail(
            fmt::format("einsum: operands do not broadcast: a subscript has sizes {} and {}",
                        to_string(all[d]), to_string(t.sizes()[d])));
      }
      all[d] = t.sizes()[d];
    }
    operands.push_back(t);
  }
  Type product = operands[0];
  if (operands.size() == 1) {
    if (rank == num_results) return product;
    absl::InlinedVector<bool, 8> summed(rank, false);
    std::fill(summed.begin() + static_cast<std::ptrdiff_t>(num_results), summed.end(), true);
    const DType dtype = is_integer_or_bool(product.dtype()) ? DType::kInt64 : promotion.result();
    return reduced(c, product, dtype, summed, false);
  }
  for (size_t i = 1; i < operands.size() && product; ++i) {
    Type other = operands[i];
    std::vector<bool> both(rank, false);
    absl::InlinedVector<bool, 8> of_product(rank, false), of_other(rank, false);
    for (size_t d = num_results; d < rank; ++d) {
      const bool in_product = !is_one(product.sizes()[d]), in_other = !is_one(other.sizes()[d]);
      if (in_product && in_other) {
        if (--counts[d] == 1) both[d] = true, counts[d] = 0;
      } else if (counts[d] == 1) {
        if (in_product) of_product[d] = true, counts[d] = 0;
        if (in_other) of_other[d] = true, counts[d] = 0;
      }
    }
    const auto sum = [&](Type t, const absl::InlinedVector<bool, 8>& dims) {
      return std::ranges::find(dims, true) == dims.end() ? t : reduced(c, t, t.dtype(), dims, true);
    };
    product = sum(product, of_product);
    other = sum(other, of_other);
    if (!product || !other) return Type();
    product = product_of_pair(c, promotion.result(), product, other, both);
  }
  if (!product || rank == num_results) return product;
  return view_as_sizes(
      c, product,
      DimVector(product.sizes().begin(),
                product.sizes().begin() + static_cast<std::ptrdiff_t>(num_results)));
}

/// _trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim): unsqueezes the operands and sums
/// their product, for each index of a dimension. Sizes are not compared where there is nothing to sum.
Type trilinear(TypeCall& c) {
  const int rank = c.tensor(0).rank() + static_cast<int>(c.list_size(3));
  const int unrolled = static_cast<int>(c.integer(7));
  if (unrolled < 0 || unrolled >= rank)
    return c.fail_argument(7, fmt::format("at least 0 and less than {}", rank));
  DimVector sizes(index(rank), Dim(0));  // the size of the last operand that has the dimension
  DimVector common;
  absl::InlinedVector<DimVector, 3> operands;
  bool is_empty = false, is_too_long = false;
  for (int i = 0; i < 3; ++i) {
    const auto own = c.tensor(i).sizes();
    const auto expanded = dim_set(c, c.integers(3 + i), rank, false);
    if (c.failed()) return Type();
    DimVector operand;
    size_t next = 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (!expanded[d] && next == own.size())
        return c.fail(fmt::format("{} has too few dimensions", to_string(c.tensor(i))));
      operand.push_back(expanded[d] ? Dim(1) : own[next]);
      if (!expanded[d]) sizes[d] = own[next++];
    }
    is_too_long = is_too_long || next != own.size();
    is_empty = is_empty || numel(own) == Dim(0);
    operands.push_back(std::move(operand));
  }
  if (!is_empty && sizes[index(unrolled)] != Dim(0)) {
    if (is_too_long) return c.fail("an operand has too many dimensions");
    for (const DimVector& operand : operands)
      if (!broadcast(c, common, operand)) return Type();
  }
  const auto summed = dim_set(c, c.integers(6), rank, false);
  if (c.failed()) return Type();
  DimVector result;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!summed[i]) result.push_back(sizes[i]);
  return c.result(c.tensor(0).dtype(), result);
}

/// gradient(self, ...): a result like self for each of `dims` (all dimensions if there are none).
Type gradient_along(TypeCall& c, size_t count) {
  const Type x = c.tensor(0);
  const Type each = c.result(float_of(x.dtype()), x.sizes());
  if (!each) return Type();
  return c.types().list(std::vector<Type>(count, each));
}
Type gradient_int(TypeCall& c) {
  return gradient_along(c, c.is_none(2) ? index(c.tensor(0).rank()) : 1);
}
template <int dims>
Type gradient_array(TypeCall& c) {
  return gradient_along(c, c.is_none(dims) ? index(c.tensor(0).rank()) : c.list_size(dims));
}

/// Returns sums of trapezoids between adjacent elements along a dimension.
Type trapezoid(TypeCall& c, int dim_argument, bool cumulative, bool with_x) {
  const Type y = c.tensor(0);
  Promotion promotion;
  promotion.add(c, 0);
  if (with_x) promotion.add(c, 1);
  const int dim = wrap_dim(c, c.integer(dim_argument), y.rank());
  if (dim < 0 || y.rank() == 0) return c.fail("the input must have at least one dimension");
  DimVector sizes = to_vector(y.sizes());
  if (cumulative)
    sizes[index(dim)] = max(sizes[index(dim)] - 1, 0);
  else
    sizes.erase(sizes.begin() + dim);
  return c.result(float_of(promotion.result()), sizes);
}
Type cumulative_trapezoid_x(TypeCall& c) { return trapezoid(c, 2, true, true); }
Type cumulative_trapezoid_dx(TypeCall& c) { return trapezoid(c, 2, true, false); }
Type trapezoid_x(TypeCall& c) { return trapezoid(c, 2, false, true); }
Type trapezoid_dx(TypeCall& c) { return trapezoid(c, 2, false, false); }

/// diff(self, n, dim)
Type diff(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) return c.fail("the input must have at least one dimension");
  // A copy, for which the dimension does not matter.
  if (c.integer(1) == 0 && c.is_none(3) && c.is_none(4)) return like(c, x, x.dtype());
  const int dim = wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0) return Type();
  if (c.integer(1) < 0) return c.fail_argument(1, "at least 0");
  DimVector sizes = to_vector(x.sizes());
  for (int i : {3, 4}) {
    const Type more = c.optional_tensor(i);
    if (!more) continue;
    if (more.rank() != x.rank()) return c.fail_argument(i, "a tensor of the rank of the input");
    for (int d = 0; d < x.rank(); ++d)
      if (d != dim && !c.guard_equal(more.sizes()[index(d)], x.sizes()[index(d)]))
        return c.fail_argument(
            i, fmt::format("of size {} in dimension {}", to_string(x.sizes()[index(d)]), d));
    // n = 0 ignores prepend and append.
    if (c.integer(1) > 0) sizes[index(dim)] += more.sizes()[index(dim)];
  }
  sizes[index(dim)] = max(sizes[index(dim)] - c.integer(1), 0);
  return c.result(x.dtype(), sizes);
}

constexpr TypeRule kEinsumRules[] = {
    {"aten.einsum.default", einsum},
    {"aten._trilinear.default", trilinear},
    {"aten.gradient.scalarint", gradient_int},
    {"aten.gradient.scalararray", gradient_array<2>},
    {"aten.gradient.scalarrayint", gradient_int},
    {"aten.gradient.scalarrayarray", gradient_array<2>},
    {"aten.gradient.array", gradient_array<1>},
    {"aten.gradient.tensorarray", gradient_array<2>},
    {"aten.cumulative_trapezoid.x", cumulative_trapezoid_x},
    {"aten.cumulative_trapezoid.dx", cumulative_trapezoid_dx},
    {"aten.trapezoid.x", trapezoid_x},
    {"aten.trapezoid.dx", trapezoid_dx},
    {"aten.trapz.x", trapezoid_x},
    {"aten.trapz.dx", [](TypeCall& c) { return trapezoid(c, 2, false, false); }},
    {"aten.diff.default", diff},
};

}  // namespace

absl::Span<const TypeRule> einsum_rules() { return kEinsumRules; }

}  // namespace fx::shape
