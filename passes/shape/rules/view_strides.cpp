// Strides of views of the same elements, and copies that are views for some sizes: see
// view_math_internal.h.
//
// A view with different sizes exists if each run of dimensions without gaps can be divided into new
// dimensions. With symbolic sizes, that may depend on sizes that happen to be equal:
//
//   i64[n, 3][2, 1] reshaped to [6, n//2]    a copy, but a view if n//2 is 3
//   f32[n, m][1, n] reshaped to [n*m]        a copy, but a view if n or m is 1
//
// In the first case, the strides of the view differ from those of the copy, so the type is valid
// only if the sizes differ. In the second case, only the memory differs.
#include "fx/ir/graph/context.h"
#include "fx/passes/shape/rules/view_math_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fx::shape {
namespace {

using Relation = std::pair<Dim, Dim>;
using Values = absl::flat_hash_map<Symbol, SymExpr>;

/// Finds the strides of a view, like computeStride in ATen/TensorUtils.cpp.
struct ViewAttempt {
  std::optional<DimVector> strides;
  /// If `strides` is nullopt, a view exists only if the dims of one of these pairs are equal.
  std::vector<Relation> undecided;

  void add(const Dim& a, const Dim& b) {
    if (a.is_symbolic() || b.is_symbolic()) undecided.emplace_back(a, b);
  }
};

/// `is_equal` returns whether two element counts are equal.
ViewAttempt try_view(absl::Span<const Dim> old_sizes, absl::Span<const Dim> old_strides,
                     absl::Span<const Dim> sizes,
                     absl::FunctionRef<bool(const Dim&, const Dim&)> is_equal) {
  ViewAttempt result;
  DimVector strides(sizes.size(), Dim(1));
  const auto smaller = [&](const Dim& a, const Dim& b) {
    if (a.is_int() && b.is_int()) return a.value() < b.value();
    return !same_value(a, b);
  };
  auto view_d = static_cast<ptrdiff_t>(sizes.size()) - 1;
  Dim base = old_strides.back(), tensor_numel = 1, view_numel = 1;
  for (size_t d = old_sizes.size(); d-- > 0;) {
    tensor_numel *= old_sizes[d];
    if (d > 0) {
      const Dim contiguous = tensor_numel * base;
      if (old_sizes[d - 1] == Dim(1) || same_value(old_strides[d - 1], contiguous)) continue;
      result.add(old_sizes[d - 1], 1);
      result.add(old_strides[d - 1], contiguous);
    }
    DimVector products = {view_numel};
    while (view_d >= 0 &&
           (smaller(view_numel, tensor_numel) || sizes[static_cast<size_t>(view_d)] == Dim(1))) {
      strides[static_cast<size_t>(view_d)] = view_numel * base;
      view_numel *= sizes[static_cast<size_t>(view_d)];
      products.push_back(view_numel);
      --view_d;
    }
    if (!is_equal(view_numel, tensor_numel)) {
      for (const Dim& product : products) result.add(product, tensor_numel);
      return result;
    }
    if (d > 0) {
      base = old_strides[d - 1];
      tensor_numel = 1;
      view_numel = 1;
    }
  }
  // The element counts are equal, so the remaining sizes are 1, even if they are symbolic.
  for (; view_d >= 0; --view_d) {
    const auto i = static_cast<size_t>(view_d);
    if (sizes[i].is_int()) return result;
    strides[i] = view_numel * base;
    view_numel *= sizes[i];
  }
  result.strides = std::move(strides);
  return result;
}

/// Determines whether a copy becomes a view if a pair of dims is equal.
class CopyCases {
 public:
  enum Case : uint8_t {
    kCopy,         ///< always a copy
    kSameStrides,  ///< possibly a view that has the strides of the copy
    kOther,
  };
  struct Geometry {
    DimVector old_sizes, old_strides, sizes;
  };

  CopyCases(SymExprTable& exprs, const ShapeEnv& env) : exprs_(exprs), env_(env) {}

  /// Returns an expression that is 0 if the dims are equal; null if they never are.
  SymExpr difference(const Relation& relation) const {
    const SymExpr a = expr_of(relation.first), b = expr_of(relation.second);
    if (a.is_undefined() || b.is_undefined()) return SymExpr();
    if (env_.known(exprs_.compare(SymKind::kEq, a, b)) == false) return SymExpr();
    const SymExpr result = env_.without_factors(exprs_.sub(a, b));
    const SymExpr is_zero = exprs_.compare(SymKind::kEq, result, exprs_.integer(0));
    return result.is_undefined() || env_.known(is_zero) == false ? SymExpr() : result;
  }

  /// Returns the only symbol values for which the difference may be 0; empty if they cannot be
  /// determined.
  Values solution(SymExpr difference) const {
    if (const auto solved = env_.solve(difference)) return {{solved->symbol, solved->value}};
    // A product of sizes is 1 only if all are 1.
    Values ones;
    for (const Symbol symbol : free_symbols(difference)) ones[symbol] = exprs_.integer(1);
    SymExpr product = exprs_.integer(1);
    for (const auto& [symbol, one] : ones) {
      if (env_.known(exprs_.compare(SymKind::kGe, exprs_.symbol(symbol), one)) != true) return {};
      product = exprs_.mul(product, exprs_.symbol(symbol));
    }
    const SymExpr expected = exprs_.sub(product, exprs_.integer(1));
    if (difference == expected || difference == exprs_.neg(expected)) return ones;
    return {};
  }

  // The depth is bounded by kMaxDepth.
  Case at(SymExpr difference, const Geometry& tensor,
          int depth = 0) const {  // NOLINT(misc-no-recursion)
    constexpr int kMaxDepth = 3;
    const Values values = solution(difference);
    if (values.empty() || depth > kMaxDepth) return kOther;
    Geometry equal;
    for (const auto member : {&Geometry::old_sizes, &Geometry::old_strides, &Geometry::sizes})
      for (const Dim& dim : tensor.*member)
        (equal.*member).push_back(dim.is_int() ? dim : exprs_.substitute(dim.expr(), values));
    const ViewAttempt view = try_view(equal.old_sizes, equal.old_strides, equal.sizes,
                                      [](const Dim& a, const Dim& b) { return same_value(a, b); });
    if (view.strides) return is_row_major(equal.sizes, *view.strides) ? kSameStrides : kOther;
    Case result = kCopy;
    for (const Relation& relation : view.undecided)
      if (const SymExpr further = this->difference(relation))
        result = std::max(result, at(further, equal, depth + 1));
    return result;
  }

 private:
  SymExpr expr_of(const Dim& dim) const {
    return dim.is_int() ? exprs_.integer(dim.value()) : dim.expr();
  }
  /// True if the strides of all dimensions that may have a size other than 1 are those of a copy.
  static bool is_row_major(absl::Span<const Dim> sizes, absl::Span<const Dim> strides) {
    const DimVector expected = contiguous_strides(sizes);
    for (size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] != Dim(1) && !same_value(strides[i], expected[i])) return false;
    return true;
  }

  SymExprTable& exprs_;
  const ShapeEnv& env_;
};

/// Assumes that an expression is not 0: 1 - n as Ne(n, 1). Returns false if the ranges of the
/// symbols imply that it is 0. If only their default ranges do, it is assumed to be 0.
bool assume_not_zero(TypeCall& call, SymExpr difference) {
  SymExprTable& exprs = call.context().exprs();
  SymExpr left = exprs.integer(0), right = exprs.integer(0);
  const auto terms =
      difference.kind() == SymKind::kAdd ? difference.args() : absl::MakeConstSpan(&difference, 1);
  for (const SymExpr term : terms) {
    const SymExpr first = term.kind() == SymKind::kMul ? term.args()[0] : term;
    const bool is_negative = first.is_int() && first.int_value() < 0;
    if (is_negative)
      right = exprs.sub(right, term);
    else
      left = exprs.add(left, term);
  }
  if (left.is_int()) std::swap(left, right);
  return !call.is_value(left, right);
}

}  // namespace

std::optional<DimVector> view_strides(TypeCall& call, Type tensor, absl::Span<const Dim> sizes) {
  const absl::Span<const Dim> old_sizes = tensor.sizes();
  if (old_sizes.empty()) return DimVector(sizes.size(), Dim(1));
  if (numel(old_sizes) == Dim(0)) {
    if (old_sizes == sizes) return to_vector(tensor.strides());
    return contiguous_strides(sizes);
  }
  if (tensor.has_default_strides()) return contiguous_strides(sizes);
  // Assumes that element counts are equal only if all runs can then be divided.
  std::optional<ShapeEnv> tried;
  bool needs_assumptions = false;
  const auto may_be_equal = [&](const Dim& a, const Dim& b) {
    if (same_value(a, b)) return true;
    if (a.is_int() && b.is_int()) return false;
    needs_assumptions = true;
    if (!tried) tried = call.env_without_zeros({});
    return !tried || tried->guard_equal(a, b);
  };
  ViewAttempt attempt = try_view(old_sizes, tensor.strides(), sizes, may_be_equal);
  if (!attempt.strides || !needs_assumptions) return std::move(attempt.strides);
  return try_view(old_sizes, tensor.strides(), sizes,
                  [&](const Dim& a, const Dim& b) { return call.guard_equal(a, b); })
      .strides;
}

bool exclude_views(TypeCall& call, Type tensor, absl::Span<const Dim> sizes) {
  const auto are_ints = [](absl::Span<const Dim> dims) {
    return std::ranges::all_of(dims, [](const Dim& dim) { return dim.is_int(); });
  };
  if (tensor.sizes().empty()) return true;
  if (are_ints(tensor.sizes()) && are_ints(tensor.strides()) && are_ints(sizes)) return true;
  const CopyCases::Geometry geometry = {to_vector(tensor.sizes()), to_vector(tensor.strides()),
                                        DimVector(sizes.begin(), sizes.end())};
  const ViewAttempt copy = try_view(geometry.old_sizes, geometry.old_strides, geometry.sizes,
                                    [](const Dim& a, const Dim& b) { return same_value(a, b); });
  if (copy.undecided.empty()) return true;
  const std::optional<ShapeEnv> env = call.env_without_zeros(tensor.sizes());
  if (!env) return true;
  const CopyCases cases(call.context().exprs(), *env);
  for (const Relation& relation : copy.undecided) {
    const SymExpr difference = cases.difference(relation);
    if (!difference) continue;
    const CopyCases::Case found = cases.at(difference, geometry);
    if (found == CopyCases::kCopy) continue;
    // A view has the offset of the tensor.
    if (found == CopyCases::kSameStrides && tensor.offset() == Dim(0))
      call.set_may_alias();
    else if (!assume_not_zero(call, difference))
      return false;
  }
  return true;
}

bool is_one_where_equal(TypeCall& call, const Dim& a, const Dim& b, const Dim& size_a,
                        const Dim& size_b) {
  const std::optional<ShapeEnv> env = call.env_without_zeros({size_a, size_b});
  if (!env) return true;
  SymExprTable& exprs = call.context().exprs();
  const CopyCases cases(exprs, *env);
  const SymExpr difference = cases.difference({a, b});
  if (!difference) return true;
  const Values values = cases.solution(difference);
  return std::ranges::any_of(std::initializer_list<Dim>{size_a, size_b}, [&](const Dim& size) {
    return size == Dim(1) ||
           (size.is_symbolic() && Dim(exprs.substitute(size.expr(), values)) == Dim(1));
  });
}

std::optional<bool> is_copied(TypeCall& call, Type tensor, MemoryFormat format) {
  if (is_contiguous(tensor, format)) return false;
  const DimVector expected = strides_of(tensor.sizes(), format);
  std::vector<Relation> different;  // dims that must be equal, and a size that may be 1 instead
  bool are_ints = false;
  for (size_t i = 0; i < tensor.sizes().size(); ++i) {
    const Dim &size = tensor.sizes()[i], &stride = tensor.strides()[i];
    if (size == Dim(1) || same_value(stride, expected[i])) continue;
    are_ints = are_ints || (size.is_int() && stride.is_int() && expected[i].is_int());
    different.emplace_back(stride, expected[i]);
    different.emplace_back(size, 1);
  }
  if (are_ints) return true;
  const std::optional<ShapeEnv> env = call.env_without_zeros(tensor.sizes());
  if (!env) return true;
  const CopyCases cases(call.context().exprs(), *env);
  for (size_t i = 0; i < different.size(); i += 2)
    if (!cases.difference(different[i]) && !cases.difference(different[i + 1])) return true;
  if (tensor.offset() == Dim(0)) {
    call.set_may_alias();
    return true;
  }
  for (size_t i = 0; i < 2 && i < different.size(); ++i)
    if (const SymExpr difference = cases.difference(different[i]))
      assume_not_zero(call, difference);
  return true;
}

}  // namespace fx::shape
