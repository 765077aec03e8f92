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

/// einsum(equation, operands): multiplies the operands from left to right, and sums each product
/// over the labels that no later operand has (aten/src/ATen/native/Linear.cpp).
class Einsum {
 public:
  explicit Einsum(TypeCall& c) : c_(c), tensors_(c.tensors(1)) { place_.fill(-1); }
  Type type();

 private:
  bool read_operands(std::string_view left);
  bool read_operand(Type operand, std::string_view text);
  bool place_labels(std::optional<std::string_view> right);
  bool place_results(std::string_view right);
  void place(int label);
  bool permute_operands();
  Type permuted(Type operand, const Subscripts& labels);
  bool broadcast(Type operand);
  Type reduce_only_operand();
  Type multiply(Type product, Type other);
  int uses(int label) const { return uses_[static_cast<size_t>(label)]; }
  int place_of(int label) const { return place_[static_cast<size_t>(label)]; }

  TypeCall& c_;
  absl::InlinedVector<Type, 4> tensors_;
  Promotion promotion_;
  std::vector<Subscripts> subscripts_;  // of each operand
  std::array<int, kLabels> uses_ = {};  // the number of operands with each label
  size_t num_dots_ = 0;                 // the dimensions of `...`
  bool has_ellipsis_ = false;
  // The dimension of each label and of `...` in a product, or -1: labels of the result come first,
  // then the others in alphabetical order.
  std::array<int, kLabels> place_;
  int dots_place_ = -1;
  size_t rank_ = 0, num_results_ = 0;
  std::vector<Type> operands_;  // permuted
  DimVector sizes_;             // of the product of all operands
  std::vector<int> counts_;     // the number of remaining operands with each dimension
};

Type Einsum::type() {
  const std::string_view equation = c_.string(0);
  const size_t arrow = equation.find("->");
  if (!read_operands(equation.substr(0, arrow))) return Type();
  std::optional<std::string_view> right;
  if (arrow != std::string_view::npos) right = equation.substr(arrow + 2);
  if (!place_labels(right) || !permute_operands()) return Type();
  if (operands_.size() == 1) return reduce_only_operand();
  Type product = operands_[0];
  for (size_t i = 1; i < operands_.size() && product; ++i)
    product = multiply(product, operands_[i]);
  if (!product || rank_ == num_results_) return product;
  const auto end = product.sizes().begin() + static_cast<std::ptrdiff_t>(num_results_);
  return view_as_sizes(c_, product, DimVector(product.sizes().begin(), end));
}

bool Einsum::read_operands(std::string_view left) {
  for (const Type operand : tensors_) {
    if (left.data() == nullptr) {
      c_.fail("einsum: the equation has fewer subscripts than operands");
      return false;
    }
    const size_t comma = left.find(',');
    if (!read_operand(operand, left.substr(0, comma))) return false;
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
  }
  if (tensors_.empty()) c_.fail("einsum: at least one operand is required");
  return !tensors_.empty();
}

bool Einsum::read_operand(Type operand, std::string_view text) {
  const auto labels = parse(c_, text);
  if (!labels) return false;
  if (!operand) {
    c_.fail("einsum: the operands must be tensors");
    return false;
  }
  promotion_.add_tensor(operand);
  const bool dots = std::ranges::find(*labels, kEllipsis) != labels->end();
  const size_t named = labels->size() - dots, rank = operand.sizes().size();
  if (named > rank || (!dots && named != rank)) {
    c_.fail(fmt::format("einsum: the number of subscripts, {}, does not match the dimensions of {}",
                        named, to_string(operand)));
    return false;
  }
  if (dots) {
    has_ellipsis_ = true;
    num_dots_ = std::max(num_dots_, rank - named);
  }
  for (const int label : *labels)
    if (label != kEllipsis) ++uses_[static_cast<size_t>(label)];
  subscripts_.push_back(*labels);
  return true;
}

void Einsum::place(int label) {
  if (label == kEllipsis) {
    dots_place_ = static_cast<int>(rank_);
    rank_ += num_dots_;
  } else {
    place_[static_cast<size_t>(label)] = static_cast<int>(rank_++);
  }
}

/// `right` is the text after the arrow. Without an arrow, the result has the labels that occur once.
bool Einsum::place_labels(std::optional<std::string_view> right) {
  if (right) {
    if (!place_results(*right)) return false;
  } else {
    if (has_ellipsis_) place(kEllipsis);
    for (int label = 0; label < kLabels; ++label)
      if (uses(label) == 1) place(label);
  }
  num_results_ = rank_;
  if (has_ellipsis_ && dots_place_ < 0) place(kEllipsis);
  for (int label = 0; label < kLabels; ++label)
    if (uses(label) > 0 && place_of(label) < 0) place(label);
  return true;
}

bool Einsum::place_results(std::string_view right) {
  const auto labels = parse(c_, right);
  if (!labels) return false;
  for (const int label : *labels) {
    const char* problem = nullptr;
    if (label != kEllipsis && uses(label) == 0)
      problem = "einsum: an output subscript does not appear in any operand";
    else if (label != kEllipsis && place_of(label) >= 0)
      problem = "einsum: an output subscript appears more than once";
    if (problem != nullptr) {
      c_.fail(problem);
      return false;
    }
    place(label);
  }
  return true;
}

bool Einsum::permute_operands() {
  sizes_ = DimVector(rank_, Dim(1));
  counts_.assign(rank_, 0);
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const Type operand = permuted(tensors_[i], subscripts_[i]);
    if (!operand || !broadcast(operand)) return false;
    operands_.push_back(operand);
  }
  return true;
}

/// Permutes an operand to one dimension per label. The dimension has size 1 if the operand lacks the
/// label. A repeated label means the diagonal.
Type Einsum::permuted(Type operand, const Subscripts& labels) {
  DimVector sizes(rank_, Dim(1)), strides(rank_, Dim(1));
  std::vector<bool> is_taken(rank_, false);
  const size_t own_dots = operand.sizes().size() + 1 - labels.size();  // if it has an ellipsis
  size_t d = 0;
  const auto take = [&](size_t at) {
    sizes[at] = operand.sizes()[d];
    strides[at] = operand.strides()[d++];
    is_taken[at] = true;
  };
  for (const int label : labels) {
    if (label == kEllipsis) {
      for (size_t i = num_dots_ - own_dots; i < num_dots_; ++i)
        take(static_cast<size_t>(dots_place_) + i);
      continue;
    }
    const auto at = static_cast<size_t>(place_of(label));
    if (!is_taken[at]) {
      take(at);
      continue;
    }
    if (!c_.guard_equal(sizes[at], operand.sizes()[d]))
      return c_.fail("einsum: the dimensions of a repeated subscript must have the same size");
    strides[at] += operand.strides()[d++];
  }
  // unsqueeze() appends dimensions, which permute() then moves to the missing positions.
  return view_of(c_, operand, sizes, strides, operand.offset());
}

bool Einsum::broadcast(Type operand) {
  for (size_t d = 0; d < rank_; ++d) {
    const Dim& size = operand.sizes()[d];
    if (is_one(size)) continue;
    ++counts_[d];
    if (!is_one(sizes_[d]) && !c_.guard_equal(sizes_[d], size)) {
      c_.fail(fmt::format("einsum: operands do not broadcast: a subscript has sizes {} and {}",
                          to_string(sizes_[d]), to_string(size)));
      return false;
    }
    sizes_[d] = size;
  }
  return true;
}

Type Einsum::reduce_only_operand() {
  const Type operand = operands_[0];
  if (rank_ == num_results_) return operand;
  absl::InlinedVector<bool, 8> summed(rank_, false);
  std::fill(summed.begin() + static_cast<std::ptrdiff_t>(num_results_), summed.end(), true);
  const DType dtype = is_integer_or_bool(operand.dtype()) ? DType::kInt64 : promotion_.result();
  return reduced(c_, operand, dtype, summed, false);
}

/// Multiplies with the next operand. A dimension that is not in the result and that no later operand
/// has is summed: in the product, if both have it, otherwise before.
Type Einsum::multiply(Type product, Type other) {
  std::vector<bool> both(rank_, false);
  absl::InlinedVector<bool, 8> of_product(rank_, false), of_other(rank_, false);
  for (size_t d = num_results_; d < rank_; ++d) {
    const bool in_product = !is_one(product.sizes()[d]), in_other = !is_one(other.sizes()[d]);
    if (in_product && in_other) --counts_[d];
    if (counts_[d] != 1 || (!in_product && !in_other)) continue;
    both[d] = in_product && in_other;
    of_product[d] = in_product && !in_other;
    of_other[d] = in_other && !in_product;
    counts_[d] = 0;
  }
  const auto sum = [&](Type t, const absl::InlinedVector<bool, 8>& dims) {
    return std::ranges::find(dims, true) == dims.end() ? t : reduced(c_, t, t.dtype(), dims, true);
  };
  product = sum(product, of_product);
  other = sum(other, of_other);
  if (!product || !other) return Type();
  return product_of_pair(c_, promotion_.result(), product, other, both);
}

Type einsum(TypeCall& c) { return Einsum(c).type(); }

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
