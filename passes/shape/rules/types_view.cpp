// Type functions for views: results that share the storage of their argument.
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <limits>

namespace fx::shape {
namespace {

/// Marks the result as a view of argument 0.
Type viewed(TypeCall& c, Type type) {
  c.set_alias(0);
  return type;
}

Type same_view(TypeCall& c) {
  const Type x = c.tensor(0);
  return viewed(c, view_of(c, x, x.sizes(), to_vector(x.strides()), x.offset()));
}

Type itself(TypeCall& c) { return viewed(c, c.tensor(0)); }

Type view(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector sizes = c.dims(1);
  if (c.failed()) return Type();
  return viewed(c, view_as_sizes(c, x, sizes));
}

/// view_copy(self, size): always a row-major copy, even if a view is impossible.
Type view_copy(TypeCall& c) {
  DimVector sizes = c.dims(1);
  if (c.failed() || !infer_unknown_size(c, sizes, numel(c.tensor(0).sizes()))) return Type();
  return c.result(c.tensor(0).dtype(), sizes);
}

Type view_as(TypeCall& c) {
  return viewed(c, view_as_sizes(c, c.tensor(0), to_vector(c.tensor(1).sizes())));
}

Type reshape_maybe_view(TypeCall& c, Type x, const DimVector& sizes) {
  bool is_view = false;
  const Type result = reshape(c, x, sizes, &is_view);
  if (is_view) c.set_alias(0);
  return result;
}

Type reshape_type(TypeCall& c) { return reshape_maybe_view(c, c.tensor(0), c.dims(1)); }
Type reshape_as(TypeCall& c) {
  return reshape_maybe_view(c, c.tensor(0), to_vector(c.tensor(1).sizes()));
}

/// _reshape_alias(self, size, stride): a view with these strides.
Type reshape_alias(TypeCall& c) {
  const DimVector sizes = c.dims(1), strides = c.dims(2);
  if (sizes.size() != strides.size()) return c.fail("size and stride must have the same length");
  return viewed(c, view_of(c, c.tensor(0), sizes, strides, c.tensor(0).offset()));
}

Type flatten(TypeCall& c) {
  const Type x = c.tensor(0);
  const int first = wrap_dim(c, c.integer(1), x.rank()), last = wrap_dim(c, c.integer(2), x.rank());
  if (first < 0 || last < 0) return Type();
  if (first > last)
    return c.fail("flatten() has invalid args: start_dim cannot come after end_dim");
  if (x.rank() == 0) return reshape_maybe_view(c, x, {Dim(1)});
  if (first == last) return itself(c);
  DimVector sizes;
  Dim product = 1;
  for (int i = 0; i < x.rank(); ++i) {
    if (i < first || i > last) {
      sizes.push_back(x.sizes()[index(i)]);
      continue;
    }
    product *= x.sizes()[index(i)];
    if (i == last) sizes.push_back(product);
  }
  return reshape_maybe_view(c, x, sizes);
}

Type ravel(TypeCall& c) {
  const Type x = c.tensor(0);
  // A view of a contiguous tensor, else a copy, like contiguous().view(-1).
  const DimVector sizes = {numel(x.sizes())};
  const std::optional<bool> is_copy = is_copied(c, x);
  if (!is_copy) return view_or_copy(c, x, sizes);
  if (!*is_copy) return viewed(c, view_as_sizes(c, x, sizes));
  return c.result(x.dtype(), sizes);
}

Type unflatten(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  DimVector parts = c.dims(2);
  if (dim < 0 || c.failed()) return Type();
  if (x.rank() == 0 || parts.empty())
    return c.fail("unflatten requires at least one dimension, and sizes must not be empty");
  if (!infer_unknown_size(c, parts, x.sizes()[index(dim)])) return Type();
  DimVector sizes = to_vector(x.sizes());
  sizes.erase(sizes.begin() + dim);
  sizes.insert(sizes.begin() + dim, parts.begin(), parts.end());
  return viewed(c, view_as_sizes(c, x, sizes));
}

Type t(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() > 2)
    return c.fail(fmt::format("t() expects a tensor with <= 2 dimensions, not {}", x.rank()));
  if (x.rank() < 2) return viewed(c, view_of(c, x, x.sizes(), x.strides(), x.offset()));
  const Dim sizes[] = {x.sizes()[1], x.sizes()[0]};
  const Dim strides[] = {x.strides()[1], x.strides()[0]};
  return viewed(c, view_of(c, x, sizes, strides, x.offset()));
}
Type matrix_h(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() != 0 && x.rank() != 2)
    return c.fail(fmt::format("tensor.H requires 2 dimensions, not {}", x.rank()));
  return t(c);
}

/// mT, mH and adjoint. The conjugation of complex elements does not change the type.
Type matrix_transpose(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) return viewed(c, x);
  if (x.rank() < 2)
    return c.fail(fmt::format("the input must have at least 2 dimensions, not {}", x.rank()));
  return viewed(c, transpose(c, x, -2, -1));
}

Type reversed_dims(TypeCall& c) {
  absl::InlinedVector<int64_t, 6> dims;
  for (int i = c.tensor(0).rank(); i-- > 0;) dims.push_back(i);
  return viewed(c, permute(c, c.tensor(0), dims));
}

Type transpose_type(TypeCall& c) {
  return viewed(c, transpose(c, c.tensor(0), c.integer(1), c.integer(2)));
}

Type permute_type(TypeCall& c) { return viewed(c, permute(c, c.tensor(0), c.integers(1))); }

Type movedim(TypeCall& c) {
  const Type x = c.tensor(0);
  const auto from = c.integers(1), to = c.integers(2);
  if (from.size() != to.size())
    return c.fail("source and destination must have the same number of elements");
  absl::InlinedVector<int64_t, 6> order(index(x.rank()), -1);
  absl::InlinedVector<bool, 8> moved(index(x.rank()), false);
  for (size_t i = 0; i < from.size(); ++i) {
    const int a = wrap_dim(c, from[i], x.rank()), b = wrap_dim(c, to[i], x.rank());
    if (a < 0 || b < 0) return Type();
    if (x.rank() == 0) return same_view(c);
    if (order[index(b)] >= 0 || moved[index(a)])
      return c.fail("dimensions in source and destination must be unique");
    order[index(b)] = a;
    moved[index(a)] = true;
  }
  int next = 0;
  for (int64_t& source : order) {
    if (source >= 0) continue;
    while (moved[index(next)]) ++next;
    source = next++;
  }
  return viewed(c, permute(c, x, order));
}

Type expand_type(TypeCall& c) {
  const DimVector sizes = c.dims(1);
  return c.failed() ? Type() : viewed(c, expand(c, c.tensor(0), sizes));
}
Type expand_as(TypeCall& c) { return viewed(c, expand(c, c.tensor(0), c.tensor(1).sizes())); }

/// broadcast_tensors(tensors): expands each tensor to the broadcast sizes.
Type broadcast_tensors(TypeCall& c) {
  const auto tensors = c.tensors(0);
  DimVector sizes;
  for (Type t : tensors)
    if (!broadcast(c, sizes, t.sizes())) return Type();
  absl::InlinedVector<Type, 8> results;
  for (size_t i = 0; i < tensors.size(); ++i) {
    results.push_back(expand(c, tensors[i], sizes));
    if (!results.back()) return Type();
    c.set_alias(0, static_cast<int>(i), static_cast<int>(i));
  }
  return c.types().list(results);
}

Type squeeze_all(TypeCall& c) {
  const Type x = c.tensor(0);
  DimVector sizes, strides;
  for (size_t i = 0; i < x.sizes().size(); ++i) {
    if (c.is_one(x.sizes()[i])) continue;
    sizes.push_back(x.sizes()[i]);
    strides.push_back(x.strides()[i]);
  }
  return viewed(c, view_of(c, x, sizes, strides, x.offset()));
}

Type squeeze_dim(TypeCall& c) { return viewed(c, squeeze(c, c.tensor(0), c.integer(1))); }

Type squeeze_dims(TypeCall& c) {
  const Type x = c.tensor(0);
  const auto chosen = dim_set(c, c.integers(1), x.rank(), /*empty_is_all=*/false);
  if (c.failed()) return Type();
  DimVector sizes, strides;
  for (size_t i = 0; i < x.sizes().size(); ++i) {
    if (chosen[i] && c.is_one(x.sizes()[i])) continue;
    sizes.push_back(x.sizes()[i]);
    strides.push_back(x.strides()[i]);
  }
  return viewed(c, view_of(c, x, sizes, strides, x.offset()));
}

Type unsqueeze_type(TypeCall& c) { return viewed(c, unsqueeze(c, c.tensor(0), c.integer(1))); }

Type select_type(TypeCall& c) { return viewed(c, select(c, c.tensor(0), c.integer(1), c.dim(2))); }

Type slice_type(TypeCall& c) {
  const Dim end = c.dim_or(3, std::numeric_limits<int64_t>::max());
  return viewed(c, slice(c, c.tensor(0), c.integer(1), c.dim_or(2, 0), end, c.dim(4)));
}

Type narrow(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) return c.fail("narrow() cannot be applied to a 0-dim tensor");
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  Dim start = c.dim(2);
  const Dim length = c.dim(3);
  if (dim < 0 || c.failed()) return Type();
  const Dim size = x.sizes()[index(dim)];
  if (start.is_int() && start.value() < 0) start += size;
  if (!c.guard_less_equal(0, start) || !c.guard_less_equal(0, length) ||
      !c.guard_less_equal(start + length, size)) {
    return c.fail(fmt::format("length {} from start {} is out of range for dimension size {}",
                              to_string(length), to_string(start), to_string(size)));
  }
  return viewed(c, slice(c, x, dim, start, start + length, 1));
}

Type diagonal(TypeCall& c) {
  const Type x = c.tensor(0);
  const Dim shift = c.integer(1);
  const int a = wrap_dim(c, c.integer(2), x.rank()), b = wrap_dim(c, c.integer(3), x.rank());
  if (a < 0 || b < 0 || c.failed()) return Type();
  if (a == b) return c.fail("diagonal dimensions cannot be identical");
  DimVector sizes = to_vector(x.sizes()), strides = to_vector(x.strides());
  const bool above = shift.value() >= 0;
  const Dim rows = sizes[index(a)] + (above ? Dim(0) : shift);
  const Dim columns = sizes[index(b)] - (above ? shift : Dim(0));
  Dim length = min(rows, columns);
  if (length.is_int() || !c.known_less_equal(0, length).value_or(false)) length = max(length, 0);
  Dim offset = x.offset();
  if (length != Dim(0)) offset += above ? shift * strides[index(b)] : -shift * strides[index(a)];
  const Dim stride = strides[index(a)] + strides[index(b)];
  for (int d : {std::max(a, b), std::min(a, b)}) {
    sizes.erase(sizes.begin() + d);
    strides.erase(strides.begin() + d);
  }
  sizes.push_back(length);
  strides.push_back(stride);
  return viewed(c, view_of(c, x, sizes, strides, offset));
}

Type as_strided(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector sizes = c.dims(1), strides = c.dims(2);
  if (sizes.size() != strides.size())
    return c.fail("as_strided: size and stride must have the same length");
  return viewed(c, view_of(c, x, sizes, strides, c.dim_or(3, x.offset())));
}

Type unfold(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  const Dim size = c.integer(2), step = c.integer(3);
  if (dim < 0 || c.failed()) return Type();
  DimVector sizes = to_vector(x.sizes()), strides = to_vector(x.strides());
  const Dim dim_size = x.rank() == 0 ? Dim(1) : sizes[index(dim)];
  if (size.value() < 0 || step.value() <= 0 || !c.guard_less_equal(size, dim_size)) {
    return c.fail(fmt::format(
        "size {} must be between 0 and the dimension size {}, and step {} must be positive",
        to_string(size), to_string(dim_size), to_string(step)));
  }
  const Dim stride = x.rank() == 0 ? Dim(1) : strides[index(dim)];
  if (x.rank() > 0) {
    sizes[index(dim)] = floor_div(dim_size - size, step) + 1;
    strides[index(dim)] = stride * step;
  }
  sizes.push_back(size);
  strides.push_back(stride);
  return viewed(c, view_of(c, x, sizes, strides, x.offset()));
}

// ---------------------------------------------------------------- reinterpreted elements

Type with_dtype(TypeCall& c, Type x, DType dtype, const DimVector& sizes, const DimVector& strides,
                const Dim& offset) {
  return viewed(c, c.types().tensor({.dtype = dtype,
                                     .sizes = sizes,
                                     .strides = strides,
                                     .offset = offset,
                                     .device = x.device()}));
}

Type view_as_real(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!is_complex(x.dtype())) return c.fail("view_as_real is only supported for complex tensors");
  DimVector sizes = to_vector(x.sizes()), strides;
  for (const Dim& stride : x.strides()) strides.push_back(stride * 2);
  sizes.push_back(2);
  strides.push_back(1);
  return with_dtype(c, x, real_of(x.dtype()), sizes, strides, x.offset() * 2);
}

Type view_as_complex(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() == 0 || !c.guard_equal(x.sizes().back(), 2) || x.strides().back() != Dim(1))
    return c.fail("the last dimension of view_as_complex's input must have size 2 and stride 1");
  DimVector sizes, strides;
  for (size_t i = 0; i + 1 < x.sizes().size(); ++i) {
    sizes.push_back(x.sizes()[i]);
    strides.push_back(floor_div(x.strides()[i], 2));
  }
  return with_dtype(c, x, complex_of(x.dtype()), sizes, strides, floor_div(x.offset(), 2));
}

/// Returns the type of the real part (`which` = 0) or the imaginary part (1) of complex numbers.
Type part(TypeCall& c, int which) {
  const Type x = c.tensor(0);
  DimVector strides;
  for (const Dim& stride : x.strides()) strides.push_back(stride * 2);
  return with_dtype(c, x, real_of(x.dtype()), to_vector(x.sizes()), strides,
                    x.offset() * 2 + which);
}

Type real(TypeCall& c) { return is_complex(c.tensor(0).dtype()) ? part(c, 0) : itself(c); }
Type imag(TypeCall& c) {
  if (!is_complex(c.tensor(0).dtype()))
    return c.fail("imag is not implemented for tensors with non-complex dtypes");
  return part(c, 1);
}

Type conj(TypeCall& c) { return is_complex(c.tensor(0).dtype()) ? same_view(c) : itself(c); }

Type view_dtype(TypeCall& c) {
  const Type x = c.tensor(0);
  const DType dtype = c.dtype_or(1, x.dtype());
  const int64_t from = dtype_item_size(x.dtype()), to = dtype_item_size(dtype);
  if (to == 0) return c.fail("the dtype of a view must have a known element size");
  DimVector sizes = to_vector(x.sizes()), strides = to_vector(x.strides());
  if (from == to) return with_dtype(c, x, dtype, sizes, strides, x.offset());
  if (x.rank() == 0)
    return c.fail("self.dim() cannot be 0 to view with a dtype of different element size");
  if (strides.back() != Dim(1))
    return c.fail("self.stride(-1) must be 1 to view with a dtype of different element size");
  const bool is_larger = from > to;
  const Dim factor = is_larger ? from / to : to / from;
  const auto scale = [&](Dim& d) { d = is_larger ? d * factor : floor_div(d, factor); };
  for (size_t i = 0; i + 1 < strides.size(); ++i) {
    if (!is_larger && !c.guard_equal(mod(strides[i], factor), 0))
      return c.fail("the strides must be divisible by the ratio of the element sizes");
    scale(strides[i]);
  }
  if (!is_larger &&
      (!c.guard_equal(mod(sizes.back(), factor), 0) || !c.guard_equal(mod(x.offset(), factor), 0)))
    return c.fail(
        "the last size and the offset must be divisible by the ratio of the element sizes");
  scale(sizes.back());
  Dim offset = x.offset();
  scale(offset);
  return with_dtype(c, x, dtype, sizes, strides, offset);
}

constexpr TypeRule kViewRules[] = {
    {"aten.alias.default", same_view},
    {"aten.detach.default", same_view},
    {"aten.detach_.default", itself},
    {"aten.lift_fresh.default", itself},
    {"aten.view.default", view},
    {"aten.view.dtype", view_dtype},
    {"aten.view_copy.default", view_copy},
    {"aten.view_as.default", view_as},
    {"aten._unsafe_view.default", view},
    {"aten.reshape.default", reshape_type},
    {"aten.reshape_as.default", reshape_as},
    {"aten._reshape_alias.default", reshape_alias},
    {"aten.flatten.using_ints", flatten},
    {"aten.ravel.default", ravel},
    {"aten.unflatten.int", unflatten},
    {"aten.t.default", t},
    {"aten.mT.default", matrix_transpose},
    {"aten.mT.a", matrix_transpose},
    {"aten.mH.default", matrix_transpose},
    {"aten.mH.a", matrix_transpose},
    {"aten.matrix_H.a", matrix_transpose},
    {"aten.adjoint.default", matrix_transpose},
    {"aten.matrix_H.default", matrix_h},
    {"aten.numpy_T.default", reversed_dims},
    {"aten.numpy_T.a", reversed_dims},
    {"aten.transpose.int", transpose_type},
    {"aten.swapaxes.default", transpose_type},
    {"aten.swapdims.default", transpose_type},
    {"aten.permute.default", permute_type},
    {"aten.movedim.int", movedim},
    {"aten.movedim.intlist", movedim},
    {"aten.moveaxis.int", movedim},
    {"aten.moveaxis.intlist", movedim},
    {"aten.expand.default", expand_type},
    {"aten.expand_as.default", expand_as},
    {"aten.broadcast_to.default", expand_type},
    {"aten.broadcast_tensors.default", broadcast_tensors},
    {"aten.squeeze.default", squeeze_all},
    {"aten.squeeze.dim", squeeze_dim},
    {"aten.squeeze.dims", squeeze_dims},
    {"aten.unsqueeze.default", unsqueeze_type},
    {"aten.select.int", select_type},
    {"aten.slice.Tensor", slice_type},
    {"aten.narrow.default", narrow},
    {"aten.diagonal.default", diagonal},
    {"aten.linalg_diagonal.default", diagonal},
    {"aten.as_strided.default", as_strided},
    {"aten.unfold.default", unfold},
    {"aten.view_as_real.default", view_as_real},
    {"aten.view_as_complex.default", view_as_complex},
    {"aten.real.default", real},
    {"aten.imag.default", imag},
    {"aten._conj.default", conj},
    {"aten._neg_view.default", same_view},
    {"aten.conj.default", conj},
};

}  // namespace

absl::Span<const TypeRule> view_rules() { return kViewRules; }

}  // namespace fx::shape
