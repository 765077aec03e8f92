// Decomposes einsum into permutations and matrix products
// (ATen/native/Linear.cpp: einsum, sumproduct_pair).
#include "fx/passes/decompose/families_internal.h"
#include "fx/passes/shape/einsum_equation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Records one call: arranges the dimensions of each operand as in the product, and multiplies the
/// operands.
class EinsumDecomposition {
 public:
  EinsumDecomposition(Decomposer& d, const EinsumEquation& equation)
      : d_(d), equation_(equation), counts_(equation.rank, 0) {}
  void add_operand(const Proxy& x, absl::Span<const size_t> places);
  void multiply(size_t left, size_t right);
  /// Returns the result after all operands have been multiplied.
  Proxy result(bool is_product);

 private:
  bool is_one(const Proxy& x, size_t dim) const {
    return d_.has_size(x, static_cast<int64_t>(dim), 1);
  }
  Proxy product_of_pair(Proxy left, Proxy right, const std::vector<bool>& summed);
  /// Reorders dimensions by their groups, and merges the dimensions of each group.
  Proxy matrices(const Proxy& x, std::initializer_list<const std::vector<int64_t>*> groups);

  Decomposer& d_;
  const EinsumEquation& equation_;
  std::vector<Proxy> operands_;
  std::vector<int> counts_;  // the number of remaining operands with each dimension
};

int64_t signed_of(size_t i) { return static_cast<int64_t>(i); }

/// Takes the diagonal of repeated labels, adds the missing dimensions, and permutes them.
void EinsumDecomposition::add_operand(const Proxy& operand, absl::Span<const size_t> places) {
  Proxy x = operand;
  std::vector<size_t> dims(places.begin(), places.end());
  for (size_t j = 0; j < dims.size();) {
    const auto first = std::ranges::find(dims, dims[j]);
    const auto i = static_cast<size_t>(first - dims.begin());
    if (i == j) {
      ++j;
      continue;
    }
    // The diagonal is the last dimension.
    x = d_.emit("aten.diagonal.default", {x, 0, signed_of(i), signed_of(j)});
    dims.push_back(dims[j]);
    dims.erase(dims.begin() + signed_of(j));
    dims.erase(dims.begin() + signed_of(i));
    j = 0;
  }
  std::vector<int64_t> order;
  for (size_t dim = 0; dim < equation_.rank; ++dim) {
    auto at = std::ranges::find(dims, dim);
    if (at == dims.end()) {
      x = unsqueeze(x, signed_of(dims.size()));
      dims.push_back(dim);
      at = std::prev(dims.end());
    }
    order.push_back(at - dims.begin());
  }
  x = permute(x, order);
  for (size_t dim = 0; dim < equation_.rank; ++dim)
    if (!is_one(x, dim)) ++counts_[dim];
  operands_.push_back(x);
}

/// Multiplies two operands. Sums a dimension that is neither in the result nor in a remaining
/// operand: in the product if both operands have it, otherwise before the product.
void EinsumDecomposition::multiply(size_t left_position, size_t right_position) {
  Proxy left = operands_[left_position], right = operands_[right_position];
  const auto [low, high] = std::minmax(left_position, right_position);
  operands_.erase(operands_.begin() + signed_of(high));
  operands_.erase(operands_.begin() + signed_of(low));
  std::vector<bool> both(equation_.rank, false);
  std::vector<int64_t> left_dims, right_dims;
  for (size_t dim = equation_.num_results; dim < equation_.rank; ++dim) {
    const bool in_left = !is_one(left, dim), in_right = !is_one(right, dim);
    if (in_left && in_right) --counts_[dim];
    if (counts_[dim] != 1 || (!in_left && !in_right)) continue;
    both[dim] = in_left && in_right;
    if (in_left && !in_right) left_dims.push_back(signed_of(dim));
    if (in_right && !in_left) right_dims.push_back(signed_of(dim));
    counts_[dim] = 0;
  }
  if (!left_dims.empty()) left = sum(left, left_dims, true);
  if (!right_dims.empty()) right = sum(right, right_dims, true);
  operands_.push_back(product_of_pair(left, right, both));
}

Proxy EinsumDecomposition::matrices(const Proxy& x,
                                    std::initializer_list<const std::vector<int64_t>*> groups) {
  std::vector<int64_t> order;
  std::vector<IntArg> sizes;
  std::vector<bool> is_placed(equation_.rank, false);
  for (const std::vector<int64_t>* group : groups) {
    std::vector<IntArg> factors;
    for (const int64_t dim : *group) {
      order.push_back(dim);
      factors.push_back(d_.size(x, dim));
      is_placed[static_cast<size_t>(dim)] = true;
    }
    const Argument size = d_.product(factors).value();
    if (!size.is_int() && !size.is_node()) {
      d_.reject("a size is not an integer");
      return x;
    }
    sizes.push_back(size.is_int() ? IntArg(size.as_int()) : IntArg(Proxy(*size.as_node(), d_)));
  }
  for (size_t dim = 0; dim < equation_.rank; ++dim)
    if (!is_placed[dim]) order.push_back(signed_of(dim));
  return d_.reshape(permute(x, order), sizes);
}

Proxy EinsumDecomposition::product_of_pair(Proxy left, Proxy right,
                                           const std::vector<bool>& summed) {
  if (std::ranges::find(summed, true) == summed.end()) return left * right;
  std::vector<int64_t> batch_dims, left_dims, right_dims, contracted_dims;
  for (size_t dim = 0; dim < equation_.rank; ++dim) {
    const bool in_left = !is_one(left, dim), in_right = !is_one(right, dim);
    auto& own = summed[dim] ? contracted_dims
                : in_left   ? (in_right ? batch_dims : left_dims)
                            : right_dims;
    own.push_back(signed_of(dim));
  }
  // Multiplies the matrices in the order of the result's dimensions if there is such an order.
  if (!left_dims.empty() && !right_dims.empty() && right_dims.back() < left_dims.front()) {
    std::swap(left, right);
    std::swap(left_dims, right_dims);
  }
  std::vector<IntArg> sizes;
  std::vector<int64_t> back(equation_.rank);
  for (const auto& [dims, from] : {std::pair(&batch_dims, &left), std::pair(&left_dims, &left),
                                   std::pair(&contracted_dims, static_cast<Proxy*>(nullptr)),
                                   std::pair(&right_dims, &right)}) {
    for (const int64_t dim : *dims) {
      back[static_cast<size_t>(dim)] = signed_of(sizes.size());
      sizes.push_back(from ? d_.size(*from, dim) : IntArg(1));
    }
  }
  const Proxy product = bmm(matrices(left, {&batch_dims, &left_dims, &contracted_dims}),
                            matrices(right, {&batch_dims, &contracted_dims, &right_dims}));
  return permute(product.view(sizes), back);
}

Proxy EinsumDecomposition::result(bool is_product) {
  const Proxy& x = operands_[0];
  if (equation_.rank == equation_.num_results) return x;
  const int64_t begin = signed_of(equation_.num_results), end = signed_of(equation_.rank);
  return is_product ? x.view(d_.sizes(x, 0, begin)) : sum(x, Decomposer::range(begin, end));
}

AnyArg einsum(Decomposer& d) {
  const std::vector<Proxy> tensors = d.tensors("tensors");
  std::vector<size_t> ranks;
  ranks.reserve(tensors.size());
  for (const Proxy& x : tensors) ranks.push_back(static_cast<size_t>(d.rank(x)));
  std::optional<std::vector<int64_t>> path;
  if (!d.is_none("path")) path = d.integers("path");
  const auto equation = EinsumEquation::parse(d.text("equation"), ranks);
  if (!equation.ok()) return d.reject(std::string(equation.status().message()));
  const auto order =
      einsum_order(ranks.size(), path ? std::optional(absl::MakeConstSpan(*path)) : std::nullopt);
  if (!order.ok()) return d.reject(std::string(order.status().message()));
  EinsumDecomposition call(d, *equation);
  for (size_t i = 0; i < tensors.size(); ++i) call.add_operand(tensors[i], equation->dims[i]);
  for (const auto& [left, right] : *order) call.multiply(left, right);
  return call.result(tensors.size() > 1);
}

}  // namespace

absl::Span<const DecompositionRow> einsum_decompositions() {
  static constexpr DecompositionRow kRows[] = {{"aten.einsum.default", einsum, kCore}};
  return kRows;
}

}  // namespace fx
