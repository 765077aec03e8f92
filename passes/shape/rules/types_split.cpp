// Type functions for splitting tensors.
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/propagation_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace fx::shape {
namespace {

/// Returns the types of views of consecutive parts of a dimension.
Type parts(TypeCall& c, Type x, int dim, absl::Span<const Dim> lengths) {
  absl::InlinedVector<Type, 8> results;
  Dim start = 0;
  DimVector sizes = to_vector(x.sizes());
  const DimVector strides = to_vector(x.strides());
  for (const Dim& length : lengths) {
    sizes[index(dim)] = length;
    const Dim offset = x.offset() + start * strides[index(dim)];
    results.push_back(view_of(c, x, sizes, strides, offset));
    if (!results.back()) return Type();
    start += length;
  }
  c.set_alias(0);
  return c.types().list(results);
}

/// Returns the dimension to split, or -1 if the call fails.
int split_dim(TypeCall& c, int argument) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) {
    c.fail("split expects at least a 1-dimensional tensor");
    return -1;
  }
  return wrap_dim(c, c.integer(argument), x.rank());
}

constexpr int64_t kMaxParts = int64_t{1} << 20;

/// Returns the number of parts of length `length` in a dimension, if sizes and their ranges
/// determine it. If sizes are symbolic, finds only small numbers of parts.
std::optional<int64_t> count_of_parts(TypeCall& c, const Dim& size, const Dim& length) {
  const Dim count = ceil_div(size, length).canonical();
  if (count.is_int()) {
    // The quotient 2 of 2 * n and n assumes that n is not 0: there is one part of length 0.
    if (count.value() > 1 && !c.guard_less_equal(1, length)) return std::nullopt;
    return std::max<int64_t>(count.value(), 1);
  }
  constexpr int64_t kFew = 64;
  for (int64_t n = 1; n <= kFew; ++n) {
    if (!c.known_less_equal(size, length * n).value_or(false)) continue;
    const bool is_more = n == 1 || c.known_less_equal(length * (n - 1) + 1, size).value_or(false);
    return is_more ? std::optional<int64_t>(n) : std::nullopt;
  }
  return std::nullopt;
}

/// Returns the lengths of `count` parts; the last one may be shorter.
DimVector equal_lengths(const Dim& size, const Dim& length, int64_t count) {
  DimVector lengths(static_cast<size_t>(count), length);
  lengths.back() = size - length * (count - 1);
  return lengths;
}

Type split_equally(TypeCall& c, Type x, int dim, const Dim& length) {
  const Dim size = x.sizes()[index(dim)];
  if (!c.guard_less_equal(0, length) || (length == Dim(0) && !c.is_zero(size))) {
    return c.fail(
        fmt::format("the length of a part must be positive, or 0 for size 0: length {} for "
                    "dimension {} of size {}",
                    to_string(length), dim, to_string(size)));
  }
  const std::optional<int64_t> count = length == Dim(0) ? 1 : count_of_parts(c, size, length);
  if (!count) {
    return c.fail(
        fmt::format("the number of parts of length {} in a dimension of size {} is unknown",
                    to_string(length), to_string(size)));
  }
  if (*count > kMaxParts) return c.fail("at most 2^20 parts are supported");
  return parts(c, x, dim, equal_lengths(size, length, *count));
}

Type split(TypeCall& c) {
  const int dim = split_dim(c, 2);
  return dim < 0 ? Type() : split_equally(c, c.tensor(0), dim, c.dim(1));
}

/// True if a <= b holds, which the kernel checks. Adds a guard, except if the relation depends on
/// data: the types of the parts do not rely on it.
bool check_less_equal(TypeCall& c, const Dim& a, const Dim& b) {
  const bool on_data = depends_on_data(a) || depends_on_data(b);
  return on_data ? c.known_less_equal(a, b).value_or(true) : c.guard_less_equal(a, b);
}

bool check_equal(TypeCall& c, const Dim& a, const Dim& b) {
  const bool on_data = depends_on_data(a) || depends_on_data(b);
  return on_data ? check_less_equal(c, a, b) && check_less_equal(c, b, a) : c.guard_equal(a, b);
}

Type split_with_sizes(TypeCall& c) {
  const int dim = split_dim(c, 2);
  const DimVector lengths = c.dims(1);
  if (dim < 0 || c.failed()) return Type();
  Dim sum = 0;
  for (const Dim& length : lengths) {
    if (!check_less_equal(c, 0, length))
      return c.fail(fmt::format("split lengths must be non-negative, not {}", to_string(length)));
    sum += length;
  }
  const Dim size = c.tensor(0).sizes()[index(dim)];
  if (!check_equal(c, sum, size)) {
    return c.fail(fmt::format("the split lengths must sum to the size: {} vs. {}", to_string(sum),
                              to_string(size)));
  }
  return parts(c, c.tensor(0), dim, lengths);
}

/// chunk(self, chunks, dim): parts of equal length. Rounding up may result in fewer parts than
/// requested; for example, chunk of 4 elements into 3 parts returns 2 parts of length 2.
Type chunk(TypeCall& c) {
  const int dim = split_dim(c, 2);
  const int64_t chunks = c.integer(1);
  if (dim < 0 || c.failed()) return Type();
  if (chunks <= 0 || chunks > kMaxParts)
    return c.fail(
        fmt::format("chunk expects chunks to be greater than 0 and at most 2^20, not {}", chunks));
  const Type x = c.tensor(0);
  const Dim size = x.sizes()[index(dim)];
  if (size == Dim(0)) return parts(c, x, dim, DimVector(static_cast<size_t>(chunks), Dim(0)));
  const bool divides = mod(size, chunks) == Dim(0);
  const Dim length = floor_div(divides ? size : size + (chunks - 1), chunks);
  if (size.is_int()) return split_equally(c, x, dim, length);
  // (chunks - 1) * length < size holds for every size greater than (chunks - 1) ** 2. For size 0,
  // the number of parts is the requested number.
  const bool is_known =
      c.known_less_equal(Dim(chunks - 1) * (chunks - 1) + 1, size).value_or(false) ||
      c.known_less_equal(length * (chunks - 1) + 1, size).value_or(false);
  if (!is_known && !c.guard_less_equal(length * (chunks - 1), max(size - 1, 0)))
    return split_equally(c, x, dim, length);
  return parts(c, x, dim, equal_lengths(size, length, chunks));
}

/// Returns the types of the slices between consecutive indices. The slices may overlap or leave
/// gaps.
Type tensor_split_at(TypeCall& c, int dim, const DimVector& indices) {
  absl::InlinedVector<Type, 8> results;
  Dim last = 0;
  for (size_t i = 0; i <= indices.size(); ++i) {
    const Dim end = i < indices.size() ? indices[i] : c.tensor(0).sizes()[index(dim)];
    results.push_back(slice(c, c.tensor(0), dim, last, end, 1));
    if (!results.back()) return Type();
    last = end;
  }
  c.set_alias(0);
  return c.types().list(results);
}

/// Returns the types of `sections` parts. If the size is not divisible, the first parts have one
/// more element.
Type sections_of(TypeCall& c, int dim, int64_t sections) {
  if (sections <= 0 || sections > kMaxParts)
    return c.fail("number of sections must be larger than 0 and at most 2^20");
  const Type x = c.tensor(0);
  const Dim size = x.sizes()[index(dim)];
  DimVector lengths;
  for (int64_t i = 0; i < sections; ++i)
    lengths.push_back(floor_div(size + (sections - 1 - i), sections));
  return parts(c, x, dim, lengths);
}

/// tensor_split(self, sections, dim), tensor_split(self, indices, dim)
Type tensor_split_sections(TypeCall& c) {
  const int dim = split_dim(c, 2);
  return dim < 0 ? Type() : sections_of(c, dim, c.integer(1));
}
Type tensor_split_indices(TypeCall& c) {
  const int dim = split_dim(c, 2);
  return dim < 0 ? Type() : tensor_split_at(c, dim, c.dims(1));
}

/// tensor_split(self, tensor, dim): n indices result in n + 1 parts, whose sizes depend on data. A
/// scalar tensor contains an unknown number of sections.
Type tensor_split_tensor(TypeCall& c) {
  const Type x = c.tensor(0), indices = c.tensor(1);
  const int dim = split_dim(c, 2);
  if (dim < 0) return Type();
  if (indices.dtype() != DType::kInt64 || indices.rank() > 1)
    return c.fail_argument(1, "an int64 tensor of rank 0 or 1");
  if (indices.rank() == 0 || !indices.sizes()[0].is_int()) return Type();
  const int64_t count = indices.sizes()[0].value() + 1;
  if (count > kMaxParts) return c.fail("at most 2^20 parts are supported");
  DimVector sizes = to_vector(x.sizes());
  absl::InlinedVector<Type, 8> results;
  for (int64_t i = 0; i < count; ++i) {
    sizes[index(dim)] = c.fresh_size();
    const Dim offset = i == 0 ? x.offset() : c.fresh_size();
    results.push_back(view_of(c, x, sizes, to_vector(x.strides()), offset));
    if (!results.back()) return Type();
  }
  c.set_alias(0);
  return c.types().list(results);
}

template <int min_rank, int dim>
Type numpy_split_sections(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() < min_rank)
    return c.fail(fmt::format("the input must have at least {}", pluralize(min_rank, "dimension")));
  const int d = min_rank == 1 && x.rank() == 1 ? 0 : dim;
  const int64_t sections = c.integer(1);
  if (sections > 0 && !c.guard_equal(mod(x.sizes()[index(d)], sections), 0))
    return c.fail("the size must be divisible by the number of sections");
  return sections_of(c, d, sections);
}
template <int min_rank, int dim>
Type numpy_split_indices(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() < min_rank)
    return c.fail(fmt::format("the input must have at least {}", pluralize(min_rank, "dimension")));
  return tensor_split_at(c, min_rank == 1 && x.rank() == 1 ? 0 : dim, c.dims(1));
}

Type unbind(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = split_dim(c, 1);
  if (dim < 0) return Type();
  const Dim size = x.sizes()[index(dim)];
  if (!size.is_int() || size.value() > int64_t{1} << 20)
    return c.fail(
        fmt::format("the size of the dimension to unbind must be known and at most 2^20, not {}",
                    to_string(size)));
  absl::InlinedVector<Type, 8> results;
  for (int64_t i = 0; i < size.value(); ++i) {
    results.push_back(select(c, x, dim, i));
    if (!results.back()) return Type();
  }
  c.set_alias(0);
  return c.types().list(results);
}

/// nonzero_numpy(self), where(condition): the columns of nonzero. A scalar has one column.
Type columns_of_nonzero(TypeCall& c) {
  const Dim count = c.fresh_size();
  const int64_t rank = std::max(c.tensor(0).rank(), 1);
  const Type rows = c.result(DType::kInt64, {count, Dim(rank)}, {Dim(1), count});
  if (!rows) return Type();
  absl::InlinedVector<Type, 8> results;
  for (int64_t i = 0; i < rank; ++i) results.push_back(select(c, rows, 1, i));
  return c.types().list(results);
}

constexpr TypeRule kSplitRules[] = {
    {"aten.split.Tensor", split},
    {"aten.split.sizes", split_with_sizes},
    {"aten.split_with_sizes.default", split_with_sizes},
    {"aten.unsafe_split.Tensor", split},
    {"aten.unsafe_split_with_sizes.default", split_with_sizes},
    {"aten.chunk.default", chunk},
    {"aten.unsafe_chunk.default", chunk},
    {"aten.tensor_split.sections", tensor_split_sections},
    {"aten.tensor_split.indices", tensor_split_indices},
    {"aten.tensor_split.tensor_indices_or_sections", tensor_split_tensor},
    {"aten.hsplit.int", numpy_split_sections<1, 1>},
    {"aten.vsplit.int", numpy_split_sections<2, 0>},
    {"aten.dsplit.int", numpy_split_sections<3, 2>},
    {"aten.hsplit.array", numpy_split_indices<1, 1>},
    {"aten.vsplit.array", numpy_split_indices<2, 0>},
    {"aten.dsplit.array", numpy_split_indices<3, 2>},
    {"aten.unbind.int", unbind},
    {"aten.nonzero_numpy.default", columns_of_nonzero},
    {"aten.where.default", columns_of_nonzero},
};

}  // namespace

absl::Span<const TypeRule> split_rules() { return kSplitRules; }

}  // namespace fx::shape
