// Geometry of views: see view_math_internal.h.
#include "fx/passes/shape/rules/view_math_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <limits>

namespace fx::shape {
namespace {

bool is_minus_one(const Dim& d) { return d.is_int() && d.value() == -1; }

std::string text_of(absl::Span<const Dim> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + to_string(dims[i]);
  return text + "]";
}

}  // namespace

bool infer_unknown_size(TypeCall& call, DimVector& sizes, const Dim& count) {
  Dim product = 1;
  Dim* unknown = nullptr;
  for (Dim& size : sizes) {
    if (is_minus_one(size)) {
      if (unknown) {
        call.fail("only one dimension can be inferred (-1)");
        return false;
      }
      unknown = &size;
    } else {
      if (size.is_int() && size.value() < 0) {
        call.fail(fmt::format("invalid shape dimension {}", size.value()));
        return false;
      }
      product *= size;
    }
  }
  if (!unknown) {
    if (call.guard_equal(product, count)) return true;
    call.fail(fmt::format("shape {1} is invalid for input of size {0}", to_string(count),
                          text_of(sizes)));
    return false;
  }
  if (call.is_zero(product) || !call.guard_equal(mod(count, product), 0)) {
    call.fail(fmt::format("shape {1} is invalid for input of size {0}", to_string(count),
                          text_of(sizes)));
    return false;
  }
  *unknown = floor_div(count, product);
  return true;
}

std::optional<DimVector> view_strides(TypeCall& call, Type tensor, absl::Span<const Dim> sizes) {
  const absl::Span<const Dim> old_sizes = tensor.sizes(), old_strides = tensor.strides();
  DimVector strides(sizes.size(), Dim(1));
  if (old_sizes.empty()) return strides;
  const Dim elements = numel(old_sizes);
  if (elements == Dim(0)) {
    if (old_sizes == sizes) return to_vector(old_strides);
    return contiguous_strides(sizes);
  }
  if (tensor.has_default_strides() || is_contiguous(tensor)) return contiguous_strides(sizes);
  // As computeStride in ATen/TensorUtils.cpp: splits runs of dimensions without gaps into new
  // dimensions.
  const auto smaller = [&](const Dim& a, const Dim& b) {
    if (a.is_int() && b.is_int()) return a.value() < b.value();
    return !same_value(a, b);
  };
  auto view_d = static_cast<ptrdiff_t>(sizes.size()) - 1;
  Dim base = old_strides.back(), tensor_numel = 1, view_numel = 1;
  for (size_t d = old_sizes.size(); d-- > 0;) {
    tensor_numel *= old_sizes[d];
    const bool is_end = d == 0 || (old_sizes[d - 1] != Dim(1) &&
                                   !same_value(old_strides[d - 1], tensor_numel * base));
    if (!is_end) continue;
    while (view_d >= 0 &&
           (smaller(view_numel, tensor_numel) || sizes[static_cast<size_t>(view_d)] == Dim(1))) {
      strides[static_cast<size_t>(view_d)] = view_numel * base;
      view_numel *= sizes[static_cast<size_t>(view_d)];
      --view_d;
    }
    if (!call.guard_equal(view_numel, tensor_numel)) return std::nullopt;
    if (d > 0) {
      base = old_strides[d - 1];
      tensor_numel = 1;
      view_numel = 1;
    }
  }
  if (view_d != -1) return std::nullopt;
  return strides;
}

Type view_as_sizes(TypeCall& call, Type tensor, DimVector sizes) {
  if (!infer_unknown_size(call, sizes, numel(tensor.sizes()))) return Type();
  const auto strides = view_strides(call, tensor, sizes);
  if (!strides) {
    return call.fail(fmt::format("{} cannot be viewed as {} without a copy; use reshape",
                                 to_string(tensor), text_of(sizes)));
  }
  return view_of(call, tensor, sizes, *strides, tensor.offset());
}

Type reshape(TypeCall& call, Type tensor, DimVector sizes, bool* is_view) {
  if (!infer_unknown_size(call, sizes, numel(tensor.sizes()))) return Type();
  const auto strides = view_strides(call, tensor, sizes);
  if (is_view) *is_view = strides.has_value();
  if (!strides) return call.result(tensor.dtype(), sizes);
  return view_of(call, tensor, sizes, *strides, tensor.offset());
}

Type expand(TypeCall& call, Type tensor, absl::Span<const Dim> wanted) {
  const size_t rank = wanted.size(), old_rank = tensor.sizes().size();
  if (rank < old_rank)
    return call.fail(
        fmt::format("the number of sizes must be at least the number of dimensions: a tensor of "
                    "rank {} expanded to {}",
                    old_rank, text_of(wanted)));
  DimVector sizes(rank), strides(rank);
  for (size_t i = rank; i-- > 0;) {
    const bool is_new = i < rank - old_rank;
    const size_t old = i - (rank - old_rank);
    sizes[i] = is_new ? Dim(1) : tensor.sizes()[old];
    strides[i] = !is_new         ? tensor.strides()[old]
                 : i + 1 == rank ? Dim(1)
                                 : sizes[i + 1] * strides[i + 1];
    const Dim& target = wanted[i];
    if (is_minus_one(target)) {
      if (is_new)
        return call.fail("the expanded size -1 isn't allowed in a leading, non-existing dimension");
      continue;
    }
    if (target == sizes[i] || same_value(target, sizes[i])) continue;
    if (sizes[i] == Dim(1) || (sizes[i].is_symbolic() && call.is_one(sizes[i]))) {
      sizes[i] = target;
      strides[i] = 0;
    } else if (!call.guard_equal(sizes[i], target)) {
      return call.fail(fmt::format("non-singleton size {} of dimension {} cannot be expanded to {}",
                                   to_string(sizes[i]), i, to_string(target)));
    }
  }
  return view_of(call, tensor, sizes, strides, tensor.offset());
}

Type permute(TypeCall& call, Type tensor, absl::Span<const int64_t> dims) {
  const int rank = tensor.rank();
  if (static_cast<int>(dims.size()) != rank)
    return call.fail(
        fmt::format("permute: {} dimensions for a tensor of rank {}", dims.size(), rank));
  DimVector sizes(dims.size()), strides(dims.size());
  absl::InlinedVector<bool, 8> seen(dims.size(), false);
  for (size_t i = 0; i < dims.size(); ++i) {
    const int d = wrap_dim(call, dims[i], rank);
    if (d < 0) return Type();
    if (seen[index(d)]) return call.fail(fmt::format("permute: duplicate dimension {}", d));
    seen[index(d)] = true;
    sizes[i] = tensor.sizes()[index(d)];
    strides[i] = tensor.strides()[index(d)];
  }
  return view_of(call, tensor, sizes, strides, tensor.offset());
}

Type transpose(TypeCall& call, Type tensor, int64_t dim0, int64_t dim1) {
  const int a = wrap_dim(call, dim0, tensor.rank()), b = wrap_dim(call, dim1, tensor.rank());
  if (a < 0 || b < 0) return Type();
  DimVector sizes = to_vector(tensor.sizes()), strides = to_vector(tensor.strides());
  if (tensor.rank() > 0) {
    std::swap(sizes[index(a)], sizes[index(b)]);
    std::swap(strides[index(a)], strides[index(b)]);
  }
  return view_of(call, tensor, sizes, strides, tensor.offset());
}

Type select(TypeCall& call, Type tensor, int64_t dim, Dim position) {
  if (tensor.rank() == 0) return call.fail("select() cannot be applied to a 0-dim tensor");
  const int d = wrap_dim(call, dim, tensor.rank());
  if (d < 0) return Type();
  const Dim size = tensor.sizes()[index(d)];
  const bool is_negative = position.is_int() && position.value() < 0;
  const bool in_range = is_negative ? call.guard_less_equal(-position, size)
                                    : call.guard_less_equal(position + 1, size);
  if (!in_range) {
    return call.fail(fmt::format("index {} is out of range for dimension {} of size {}",
                                 to_string(position), d, to_string(size)));
  }
  if (is_negative) position += size;
  DimVector sizes = to_vector(tensor.sizes()), strides = to_vector(tensor.strides());
  const Dim offset = tensor.offset() + position * strides[index(d)];
  sizes.erase(sizes.begin() + d);
  strides.erase(strides.begin() + d);
  return view_of(call, tensor, sizes, strides, offset);
}

namespace {

/// The smaller of two sizes. If it is unknown which is smaller, returns Min of both and assumes
/// nothing.
Dim smaller(TypeCall& call, const Dim& a, const Dim& b) {
  if (call.known_less_equal(a, b).value_or(false)) return a;
  return call.known_less_equal(b, a).value_or(false) ? b : min(a, b);
}
Dim larger(TypeCall& call, const Dim& a, const Dim& b) {
  if (call.known_less_equal(a, b).value_or(false)) return b;
  return call.known_less_equal(b, a).value_or(false) ? a : max(a, b);
}

/// A bound of a slice, counted from the front and clamped to 0 ... size.
Dim slice_bound(TypeCall& call, Dim bound, const Dim& size) {
  if (bound.is_int() && bound.value() == std::numeric_limits<int64_t>::max()) return size;
  if (bound.is_int() && bound.value() < 0) {
    bound += size;
    return larger(call, bound, 0);
  }
  if (bound == size || bound == Dim(0)) return bound;
  return smaller(call, bound, size);
}

}  // namespace

Type slice(TypeCall& call, Type tensor, int64_t dim, Dim start, Dim end, const Dim& step) {
  if (tensor.rank() == 0) return call.fail("slice() cannot be applied to a 0-dim tensor");
  const int d = wrap_dim(call, dim, tensor.rank());
  if (d < 0) return Type();
  if (!step.is_int() || step.value() <= 0) return call.fail("slice step must be positive");
  DimVector sizes = to_vector(tensor.sizes()), strides = to_vector(tensor.strides());
  const Dim size = sizes[index(d)];
  start = slice_bound(call, start, size);
  end = slice_bound(call, end, size);
  if (start != Dim(0) && end != size) end = larger(call, start, end);
  sizes[index(d)] = step == Dim(1) ? end - start : ceil_div(end - start, step);
  const Dim offset = tensor.offset() + start * strides[index(d)];
  strides[index(d)] *= step;
  return view_of(call, tensor, sizes, strides, offset);
}

Type unsqueeze(TypeCall& call, Type tensor, int64_t dim) {
  const int d = wrap_dim(call, dim, tensor.rank() + 1);
  if (d < 0) return Type();
  DimVector sizes = to_vector(tensor.sizes()), strides = to_vector(tensor.strides());
  const Dim stride = d == tensor.rank() ? Dim(1) : sizes[index(d)] * strides[index(d)];
  sizes.insert(sizes.begin() + d, Dim(1));
  strides.insert(strides.begin() + d, stride);
  return view_of(call, tensor, sizes, strides, tensor.offset());
}

Type squeeze(TypeCall& call, Type tensor, int64_t dim) {
  const int d = wrap_dim(call, dim, tensor.rank());
  if (d < 0) return Type();
  DimVector sizes = to_vector(tensor.sizes()), strides = to_vector(tensor.strides());
  if (tensor.rank() > 0 && call.is_one(sizes[index(d)])) {
    sizes.erase(sizes.begin() + d);
    strides.erase(strides.begin() + d);
  }
  return view_of(call, tensor, sizes, strides, tensor.offset());
}

}  // namespace fx::shape
