// Regions: see regions_internal.h.
#include "fx/ir/types/strides.h"
#include "fx/passes/functionalize/regions_internal.h"

#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace fx::functional {
namespace {

struct Step {
  int64_t stride, size;
};
using Steps = absl::InlinedVector<Step, 6>;

/// Returns the dimensions with more than one element, in order of decreasing stride. Sets
/// `is_empty` if the tensor has no elements. Nullopt if a size or stride is unknown, symbolic or
/// negative.
std::optional<Steps> steps_of(Type type, bool& is_empty) {
  is_empty = false;
  if (!has_layout(type)) return std::nullopt;
  Steps steps;
  for (int i = 0; i < type.rank(); ++i) {
    const Dim& size = type.size(i);
    const Dim& stride = type.stride(i);
    if (!size.is_int() || !stride.is_int() || stride.value() < 0) return std::nullopt;
    is_empty = is_empty || size.value() == 0;
    if (size.value() != 1) steps.push_back({stride.value(), size.value()});
  }
  std::ranges::sort(steps, std::ranges::greater(), &Step::stride);
  return steps;
}

/// Returns the distance between the first and the last element.
int64_t reach(const Steps& steps) {
  int64_t sum = 0;
  for (const Step& step : steps) sum += (step.size - 1) * step.stride;
  return sum;
}

struct Extent {
  int64_t first, end;
};
std::optional<Extent> extent(Type type) {
  bool is_empty = false;
  const std::optional<Steps> steps = steps_of(type, is_empty);
  if (!steps || !type.offset().is_int()) return std::nullopt;
  const int64_t first = type.offset().value();
  return Extent{first, is_empty ? first : first + reach(*steps) + 1};
}

bool steps_over_inner(const Steps& steps) {
  int64_t inner = 1;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (step->stride < inner) return false;
    inner += (step->size - 1) * step->stride;
  }
  return true;
}

/// Returns the dimensions of a tensor with the same elements, in which each dimension that
/// continues the next one is joined with it. Repeated elements have no dimension.
Steps joined_dimensions(const Steps& steps) {
  Steps joined;
  for (const Step& step : steps) {
    if (step.stride == 0) continue;
    if (!joined.empty() && joined.back().stride == step.stride * step.size)
      joined.back() = {step.stride, joined.back().size * step.size};
    else
      joined.push_back(step);
  }
  return joined;
}

/// One dimension of a box: the coordinates [first, first + size).
struct Side {
  int64_t first, size;
};

/// Returns the coordinates of a tensor in the dimensions with these strides, from the largest
/// stride to the last, which is 1. Nullopt if the tensor is not a box whose elements have unique
/// coordinates.
std::optional<absl::InlinedVector<Side, 8>> box_of(const Steps& steps, int64_t offset,
                                                   const absl::InlinedVector<int64_t, 8>& strides) {
  absl::InlinedVector<Side, 8> box;
  for (const int64_t stride : strides) {
    box.push_back({offset / stride, 1});
    offset %= stride;
    for (const Step& step : steps)
      if (step.stride == stride) box.back().size = step.size;
  }
  // The stride of each dimension must exceed the coordinates of all inner dimensions.
  int64_t inner = 0;
  for (size_t i = strides.size(); i-- > 0;) {
    if (i + 1 < strides.size() && inner >= strides[i]) return std::nullopt;
    inner += (box[i].first + box[i].size - 1) * strides[i];
  }
  return box;
}

}  // namespace

bool has_layout(Type type) { return type.is_tensor() && type.has_rank() && type.has_strides(); }

bool has_number_layout(Type type) {
  bool is_empty = false;
  return steps_of(type, is_empty).has_value();
}

bool may_overlap_itself(Type type) {
  bool is_empty = false;
  const std::optional<Steps> steps = steps_of(type, is_empty);
  return !steps || (!is_empty && !steps_over_inner(*steps));
}

Overlap compare_regions(Type a, Type b) {
  bool a_is_empty = false, b_is_empty = false;
  const std::optional<Steps> a_steps = steps_of(a, a_is_empty), b_steps = steps_of(b, b_is_empty);
  if (!a_steps || !b_steps) return a == b && has_layout(a) ? Overlap::kSame : Overlap::kUnknown;
  if (a_is_empty || b_is_empty) return Overlap::kNone;
  if (!a.offset().is_int() || !b.offset().is_int()) return Overlap::kUnknown;
  const int64_t at_a = a.offset().value(), at_b = b.offset().value();
  if (at_a + reach(*a_steps) < at_b || at_b + reach(*b_steps) < at_a) return Overlap::kNone;
  // The strides of dimensions with one element must also be equal, since eager mode compares them.
  if (at_a == at_b && std::ranges::equal(a.sizes(), b.sizes()) &&
      std::ranges::equal(a.strides(), b.strides()))
    return Overlap::kSame;
  absl::InlinedVector<int64_t, 8> strides = {1};
  for (const Steps* steps : {&*a_steps, &*b_steps})
    for (const Step& step : *steps) {
      if (step.stride == 0) return Overlap::kUnknown;
      strides.push_back(step.stride);
    }
  std::ranges::sort(strides, std::ranges::greater());
  strides.erase(std::ranges::unique(strides).begin(), strides.end());
  const auto box_a = box_of(*a_steps, at_a, strides), box_b = box_of(*b_steps, at_b, strides);
  if (!box_a || !box_b || !steps_over_inner(*a_steps) || !steps_over_inner(*b_steps))
    return Overlap::kUnknown;
  for (size_t i = 0; i < strides.size(); ++i) {
    const Side &x = (*box_a)[i], &y = (*box_b)[i];
    if (x.first + x.size <= y.first || y.first + y.size <= x.first) return Overlap::kNone;
  }
  return Overlap::kPartial;
}

bool spans(Type outer, Type inner) {
  const std::optional<Extent> a = extent(outer), b = extent(inner);
  return a && b && a->first <= b->first && b->end <= a->end;
}

std::optional<std::vector<IndexRange>> box_of(Type outer, Type inner) {
  const bool are_known = has_number_layout(outer) && has_number_layout(inner) &&
                         outer.offset().is_int() && inner.offset().is_int();
  if (!are_known || may_overlap_itself(outer) || may_overlap_itself(inner)) return std::nullopt;
  const auto size = [](Type type, int i) { return type.size(i).value(); };
  const auto stride = [](Type type, int i) { return type.stride(i).value(); };
  std::vector<int> order;  // dimensions of `outer`, the outermost first
  for (int i = 0; i < outer.rank(); ++i) {
    if (size(outer, i) == 0) return std::nullopt;
    if (size(outer, i) > 1) order.push_back(i);
  }
  std::ranges::sort(order, std::ranges::greater(), [&](int i) { return stride(outer, i); });
  std::vector<IndexRange> ranges(static_cast<size_t>(outer.rank()));
  int64_t rest = inner.offset().value() - outer.offset().value();
  for (const int i : order) {
    IndexRange& range = ranges[static_cast<size_t>(i)];
    range.start = rest / stride(outer, i);
    rest -= range.start * stride(outer, i);
    if (range.start < 0 || range.start >= size(outer, i)) return std::nullopt;
  }
  if (rest != 0) return std::nullopt;
  for (int k = 0; k < inner.rank(); ++k) {
    const int64_t count = size(inner, k);
    if (count == 0) return std::nullopt;
    if (count == 1) continue;
    const auto found = std::ranges::find_if(order, [&](int i) {
      const IndexRange& range = ranges[static_cast<size_t>(i)];
      const int64_t step = stride(inner, k) / stride(outer, i);
      return range.dim < 0 && step > 0 && step * stride(outer, i) == stride(inner, k) &&
             range.start + (count - 1) * step < size(outer, i);
    });
    if (found == order.end()) return std::nullopt;
    IndexRange& range = ranges[static_cast<size_t>(*found)];
    range.step = stride(inner, k) / stride(outer, *found);
    range.count = count;
    range.dim = k;
  }
  return ranges;
}

bool covers(Type outer, Type inner) {
  bool outer_is_empty = false, inner_is_empty = false;
  const std::optional<Steps> outer_steps = steps_of(outer, outer_is_empty),
                             inner_steps = steps_of(inner, inner_is_empty);
  if (!outer_steps || !inner_steps || !spans(outer, inner)) return false;
  if (inner_is_empty) return true;
  const Steps sides = joined_dimensions(*outer_steps);
  // Adds `count` times `distance` to the largest indices of `inner` in `outer`.
  absl::InlinedVector<int64_t, 6> last(sides.size(), 0);
  const auto add = [&](int64_t distance, int64_t count) {
    for (size_t i = 0; i < sides.size(); ++i) {
      last[i] += distance / sides[i].stride * count;
      distance %= sides[i].stride;
    }
    return distance == 0;
  };
  bool is_covered = add(inner.offset().value() - outer.offset().value(), 1);
  for (const Step& step : *inner_steps) is_covered = is_covered && add(step.stride, step.size - 1);
  for (size_t i = 0; i < sides.size(); ++i) is_covered = is_covered && last[i] < sides[i].size;
  return is_covered;
}

}  // namespace fx::functional
