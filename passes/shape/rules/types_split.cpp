// Type functions of splitting tensors.
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

/// Views of consecutive parts of a dimension.
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

/// The dimension that is split; -1 after failing.
int split_dim(TypeCall& c, int argument) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) {
    c.fail("a tensor without dimensions cannot be split");
    return -1;
  }
  return wrap_dim(c, c.integer(argument), x.rank());
}

Type split_equally(TypeCall& c, Type x, int dim, const Dim& length) {
  const Dim size = x.sizes()[index(dim)];
  if (!c.guard_less_equal(0, length) || (length == Dim(0) && !c.is_zero(size))) {
    return c.fail(fmt::format("parts of {} of dimension {}, of size {}", to_string(length), dim,
                              to_string(size)));
  }
  const Dim count = length == Dim(0) ? Dim(1) : ceil_div(size, length).canonical();
  if (!count.is_int()) {
    return c.fail(fmt::format("the number of parts of {} of size {} is not known",
                              to_string(length), to_string(size)));
  }
  const int64_t n = std::max<int64_t>(count.value(), 1);
  if (n > int64_t{1} << 20) return c.fail("more than a million parts");
  DimVector lengths(static_cast<size_t>(n), length);
  lengths.back() = size - length * (n - 1);
  return parts(c, x, dim, lengths);
}

Type split(TypeCall& c) {
  const int dim = split_dim(c, 2);
  return dim < 0 ? Type() : split_equally(c, c.tensor(0), dim, c.dim(1));
}

Type split_with_sizes(TypeCall& c) {
  const int dim = split_dim(c, 2);
  const DimVector lengths = c.dims(1);
  if (dim < 0 || c.failed()) return Type();
  Dim sum = 0;
  for (const Dim& length : lengths) sum += length;
  if (!c.guard_equal(sum, c.tensor(0).sizes()[index(dim)])) {
    return c.fail(fmt::format("the parts sum to {}, the size is {}", to_string(sum),
                              to_string(c.tensor(0).sizes()[index(dim)])));
  }
  return parts(c, c.tensor(0), dim, lengths);
}

Type chunk(TypeCall& c) {
  const int dim = split_dim(c, 2);
  const int64_t chunks = c.integer(1);
  if (dim < 0 || c.failed()) return Type();
  if (chunks <= 0 || chunks > int64_t{1} << 20)
    return c.fail(fmt::format("chunk into {} parts", chunks));
  const Dim size = c.tensor(0).sizes()[index(dim)];
  if (c.is_zero(size)) {
    return parts(c, c.tensor(0), dim, DimVector(static_cast<size_t>(chunks), Dim(0)));
  }
  return split_equally(c, c.tensor(0), dim, ceil_div(size, chunks));
}

Type tensor_split_at(TypeCall& c, int dim, const DimVector& at) {
  const Dim size = c.tensor(0).sizes()[index(dim)];
  DimVector lengths;
  Dim last = 0;
  for (Dim end : at) {
    if (end.is_int() && end.value() < 0) end += size;
    end = max(min(end, size), 0);
    lengths.push_back(max(end - last, 0));
    last = end;
  }
  lengths.push_back(max(size - last, 0));
  // The parts may overlap or leave gaps: each has a start of its own.
  absl::InlinedVector<Type, 8> results;
  last = 0;
  for (size_t i = 0; i <= at.size(); ++i) {
    Dim end = i < at.size() ? at[i] : size;
    if (end.is_int() && end.value() < 0) end += size;
    results.push_back(slice(c, c.tensor(0), dim, last, end, 1));
    if (!results.back()) return Type();
    last = end;
  }
  c.set_alias(0);
  return c.types().list(results);
}

Type sections_of(TypeCall& c, int dim, int64_t sections) {
  if (sections <= 0 || sections > int64_t{1} << 20) return c.fail("sections must be above 0");
  const Dim size = c.tensor(0).sizes()[index(dim)];
  if (!size.is_int()) return c.fail("sections of a symbolic size");
  DimVector lengths;
  for (int64_t i = 0; i < sections; ++i)
    lengths.push_back(size.value() / sections + (i < size.value() % sections ? 1 : 0));
  return parts(c, c.tensor(0), dim, lengths);
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

/// tensor_split(self, tensor, dim): a vector of indices gives a part more than it has elements,
/// whose sizes depend on its values. A number of sections is not known.
Type tensor_split_tensor(TypeCall& c) {
  const Type x = c.tensor(0), at = c.tensor(1);
  const int dim = split_dim(c, 2);
  if (dim < 0) return Type();
  if (at.dtype() != DType::kInt64 || at.rank() > 1)
    return c.fail_argument(1, "an int64 tensor of rank 0 or 1");
  if (at.rank() == 0 || !at.sizes()[0].is_int()) return Type();
  const int64_t count = at.sizes()[0].value() + 1;
  if (count > int64_t{1} << 20) return c.fail("more than a million parts");
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

template <int least, int dim>
Type numpy_split_sections(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() < least) return c.fail(fmt::format("rank {} or more wanted", least));
  const int d = least == 1 && x.rank() == 1 ? 0 : dim;
  const int64_t sections = c.integer(1);
  if (sections > 0 && !c.guard_equal(mod(x.sizes()[index(d)], sections), 0))
    return c.fail("the size does not divide into the sections");
  return sections_of(c, d, sections);
}
template <int least, int dim>
Type numpy_split_indices(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() < least) return c.fail(fmt::format("rank {} or more wanted", least));
  return tensor_split_at(c, least == 1 && x.rank() == 1 ? 0 : dim, c.dims(1));
}

Type unbind(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = split_dim(c, 1);
  if (dim < 0) return Type();
  const Dim size = x.sizes()[index(dim)];
  if (!size.is_int() || size.value() > int64_t{1} << 20)
    return c.fail(fmt::format("a dimension of size {} cannot be unbound", to_string(size)));
  absl::InlinedVector<Type, 8> results;
  for (int64_t i = 0; i < size.value(); ++i) {
    results.push_back(select(c, x, dim, i));
    if (!results.back()) return Type();
  }
  c.set_alias(0);
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
};

}  // namespace

absl::Span<const TypeRule> split_rules() { return kSplitRules; }

}  // namespace fx::shape
