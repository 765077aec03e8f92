// Type functions of einsum and of a few composites over several operands.
#include "fx/passes/shape/type_rules_internal.h"
#include "fx/passes/shape/view_math_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fx::shape {
namespace {

constexpr int kLabels = 52;
/// Position of a letter in einsum's order of labels: A-Z, then a-z; -1 for others.
int label_of(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  return -1;
}

/// The labels of one operand; -2 stands for the dimensions of `...`.
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
      c.fail(fmt::format("einsum: '{}' is no label", text[i]));
      return std::nullopt;
    }
    labels.push_back(label);
  }
  return labels;
}

/// einsum(equation, operands): the sizes that the labels of the result have.
Type einsum(TypeCall& c) {
  const std::string_view equation = c.string(0);
  const auto tensors = c.tensors(1);
  const size_t arrow = equation.find("->");
  std::string_view left = equation.substr(0, arrow);
  std::array<std::optional<Dim>, kLabels> sizes;
  std::array<int, kLabels> uses = {};
  DimVector ellipsis;
  bool has_ellipsis = false;
  Promotion promotion;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (left.data() == nullptr) return c.fail("einsum: more operands than subscripts");
    const size_t comma = left.find(',');
    const auto labels = parse(c, left.substr(0, comma));
    if (!labels) return Type();
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
    const Type t = tensors[i];
    if (!t) return c.fail("einsum wants tensors");
    promotion.add_tensor(t);
    const bool dots = std::find(labels->begin(), labels->end(), kEllipsis) != labels->end();
    const size_t named = labels->size() - dots;
    if (named > t.sizes().size() || (!dots && named != t.sizes().size()))
      return c.fail(fmt::format("einsum: {} labels for {}", named, to_string(t)));
    size_t d = 0;
    for (int label : *labels) {
      if (label == kEllipsis) {
        const size_t count = t.sizes().size() - named;
        if (!broadcast(c, ellipsis, t.sizes().subspan(d, count))) return Type();
        has_ellipsis = true;
        d += count;
        continue;
      }
      const Dim& size = t.sizes()[d++];
      std::optional<Dim>& known = sizes[static_cast<size_t>(label)];
      ++uses[static_cast<size_t>(label)];
      if (!known || *known == Dim(1))
        known = size;
      else if (size != Dim(1) && !c.guard_equal(*known, size))
        return c.fail(
            fmt::format("einsum: a label has sizes {} and {}", to_string(*known), to_string(size)));
    }
  }
  Subscripts out;
  if (arrow == std::string_view::npos) {
    if (has_ellipsis) out.push_back(kEllipsis);
    for (int label = 0; label < kLabels; ++label)
      if (uses[static_cast<size_t>(label)] == 1) out.push_back(label);
  } else {
    const auto labels = parse(c, equation.substr(arrow + 2));
    if (!labels) return Type();
    out = *labels;
  }
  DimVector result;
  for (int label : out) {
    if (label == kEllipsis) {
      result.insert(result.end(), ellipsis.begin(), ellipsis.end());
    } else if (sizes[static_cast<size_t>(label)]) {
      result.push_back(*sizes[static_cast<size_t>(label)]);
    } else {
      return c.fail("einsum: a label of the result is in no operand");
    }
  }
  return c.result(promotion.result(), result);
}

/// _trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim): operands get the dimensions that they
/// lack, their product is summed.
Type trilinear(TypeCall& c) {
  DimVector sizes;
  for (int i = 0; i < 3; ++i) {
    Type t = c.tensor(i);
    auto expand = c.integers(3 + i);
    std::sort(expand.begin(), expand.end());
    for (int64_t dim : expand) {
      t = unsqueeze(c, t, dim);
      if (!t) return Type();
    }
    if (!broadcast(c, sizes, t.sizes())) return Type();
  }
  const auto summed = dim_set(c, c.integers(6), static_cast<int>(sizes.size()), false);
  if (c.failed()) return Type();
  DimVector result;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!summed[i]) result.push_back(sizes[i]);
  return c.result(c.tensor(0).dtype(), result);
}

/// gradient(self, ...): a result like self for each of `dims` (none: all).
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

/// Sums of trapezoids between neighbours along a dimension.
Type trapezoid(TypeCall& c, int dim_argument, bool cumulative, bool with_x) {
  const Type y = c.tensor(0);
  Promotion promotion;
  promotion.add(c, 0);
  if (with_x) promotion.add(c, 1);
  const int dim = wrap_dim(c, c.integer(dim_argument), y.rank());
  if (dim < 0 || y.rank() == 0) return c.fail("a dimension wanted");
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
  const int dim = wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0 || x.rank() == 0) return c.fail("a dimension wanted");
  DimVector sizes = to_vector(x.sizes());
  for (int i : {3, 4})
    if (const Type more = c.optional_tensor(i))
      if (more.rank() == x.rank()) sizes[index(dim)] += more.sizes()[index(dim)];
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
