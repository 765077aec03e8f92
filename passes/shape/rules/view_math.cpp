// Geometry of views: see view_math_internal.h.
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/rules/view_math_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

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
      // A symbolic size that is -1 would be inferred.
      if (!call.guard_less_equal(0, size)) {
        call.fail(fmt::format("invalid shape dimension {}", to_string(size)));
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
  if (!strides) {
    if (!exclude_views(call, tensor, sizes)) return view_or_copy(call, tensor, sizes);
    return call.result(tensor.dtype(), sizes);
  }
  return view_of(call, tensor, sizes, *strides, tensor.offset());
}

Type view_or_copy(TypeCall& call, Type tensor, absl::Span<const Dim> sizes) {
  call.set_may_alias();
  return call.result(tensor.dtype(), sizes, StrideSpec::unknown());
}

Type expand(TypeCall& call, Type tensor, absl::Span<const Dim> new_sizes) {
  const size_t rank = new_sizes.size(), old_rank = tensor.sizes().size();
  if (rank < old_rank)
    return call.fail(
        fmt::format("the number of sizes must be at least the number of dimensions: a tensor of "
                    "rank {} expanded to {}",
                    old_rank, text_of(new_sizes)));
  DimVector sizes(rank), strides(rank);
  for (size_t i = rank; i-- > 0;) {
    const bool is_new = i < rank - old_rank;
    const size_t old = i - (rank - old_rank);
    sizes[i] = is_new ? Dim(1) : tensor.sizes()[old];
    strides[i] = !is_new         ? tensor.strides()[old]
                 : i + 1 == rank ? Dim(0)  // the tensor is 0-dimensional
                                 : sizes[i + 1] * strides[i + 1];
    const Dim& target = new_sizes[i];
    if (is_minus_one(target)) {
      if (is_new) return call.fail("the expanded size must not be -1 in a new leading dimension");
      continue;
    }
    if (target == sizes[i] || same_value(target, sizes[i])) continue;
    if (!call.guard_less_equal(0, target))
      return call.fail(fmt::format("the expanded size {} is negative", to_string(target)));
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
    return call.fail(fmt::format("permute: {} for a tensor of rank {}",
                                 pluralize(dims.size(), "dimension"), rank));
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
  DimVector sizes = to_vector(tensor.sizes()), strides = to_vector(tensor.strides());
  Dim offset;
  if (call.is_unknown_index(position, size)) {
    // Only a run can check whether the position is negative or out of range.
    offset = call.fresh_size();
  } else {
    const bool is_negative = !call.guard_less_equal(0, position);
    const bool in_range = is_negative ? call.guard_less_equal(-position, size)
                                      : call.guard_less_equal(position + 1, size);
    if (!in_range) {
      return call.fail(fmt::format("index {} is out of range for dimension {} of size {}",
                                   to_string(position), d, to_string(size)));
    }
    if (is_negative) position += size;
    offset = tensor.offset() + position * strides[index(d)];
  }
  sizes.erase(sizes.begin() + d);
  strides.erase(strides.begin() + d);
  return view_of(call, tensor, sizes, strides, offset);
}

namespace {

/// Returns the smaller of two sizes, or Min of both if it is unknown which is smaller. Makes no
/// assumptions.
Dim smaller(TypeCall& call, const Dim& a, const Dim& b) {
  if (call.known_less_equal(a, b).value_or(false)) return a;
  return call.known_less_equal(b, a).value_or(false) ? b : min(a, b);
}
Dim larger(TypeCall& call, const Dim& a, const Dim& b) {
  if (call.known_less_equal(a, b).value_or(false)) return b;
  return call.known_less_equal(b, a).value_or(false) ? a : max(a, b);
}

/// Returns a bound of a slice, counted from the front and clamped to [0, size].
Dim slice_bound(TypeCall& call, Dim bound, const Dim& size) {
  if (bound.is_int() && bound.value() == std::numeric_limits<int64_t>::max()) return size;
  if (!call.guard_less_equal(0, bound)) {
    bound += size;
    return larger(call, bound, 0);
  }
  if (bound == size || bound == Dim(0)) return bound;
  return smaller(call, bound, size);
}

/// slice() if only a run can check whether a bound counts from the end.
Type slice_from_data(TypeCall& call, Type tensor, int d, const Dim& start, const Dim& end,
                     const Dim& step) {
  DimVector sizes = to_vector(tensor.sizes()), strides = to_vector(tensor.strides());
  const Dim size = sizes[index(d)], stride = strides[index(d)];
  const Dim count =
      call.fresh_size({0, size.is_int() ? std::optional<int64_t>(size.value()) : std::nullopt});
  const bool is_known_start = !call.is_unknown_sign(start);
  const bool is_rest = !call.is_unknown_sign(end) && slice_bound(call, end, size) == size;
  const Dim offset = is_known_start ? tensor.offset() + slice_bound(call, start, size) * stride
                     : is_rest && step == Dim(1) ? tensor.offset() + (size - count) * stride
                                                 : call.fresh_size();
  sizes[index(d)] = count;
  strides[index(d)] *= step;
  return view_of(call, tensor, sizes, strides, offset);
}

}  // namespace

Type slice(TypeCall& call, Type tensor, int64_t dim, Dim start, Dim end, const Dim& step) {
  if (tensor.rank() == 0) return call.fail("slice() cannot be applied to a 0-dim tensor");
  const int d = wrap_dim(call, dim, tensor.rank());
  if (d < 0) return Type();
  if (!step.is_int() || step.value() <= 0) return call.fail("slice step must be positive");
  DimVector sizes = to_vector(tensor.sizes()), strides = to_vector(tensor.strides());
  const Dim size = sizes[index(d)];
  if (call.is_unknown_sign(start) || call.is_unknown_sign(end))
    return slice_from_data(call, tensor, d, start, end, step);
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

bool is_mask(Type t) { return t.dtype() == DType::kBool || t.dtype() == DType::kUInt8; }

namespace {

/// Computes the result of advanced indexing like make_info in
/// ATen/native/TensorAdvancedIndexing.cpp: converts masks to indices, broadcasts the indices, and
/// moves indexed dimensions to the front unless they are adjacent. Functions return false if the
/// call failed.
class AdvancedIndex {
 public:
  AdvancedIndex(TypeCall& c, Type x) : c_(c), x_(x) {}

  std::optional<Indexed> run(absl::Span<const Type> indices) {
    for (Type index_type : indices)
      if (index_type && is_mask(index_type) ? !add_mask(index_type) : !add_index(index_type))
        return std::nullopt;
    while (next_dim_ < x_.sizes().size()) add_dim(Type());
    if (!broadcast_indices()) return std::nullopt;
    set_sizes();
    if (!set_strides()) return std::nullopt;
    return std::move(result_);
  }

 private:
  struct Entry {
    Dim size, stride;
    Type index;  // null: the whole dimension
  };

  void add_dim(Type indices) {
    entries_.push_back({x_.sizes()[next_dim_], x_.strides()[next_dim_], indices});
    ++next_dim_;
  }

  bool has_dims(size_t count) {
    if (next_dim_ + count <= x_.sizes().size()) return true;
    c_.fail(fmt::format("too many indices for tensor {}", to_string(x_)));
    return false;
  }

  bool add_mask(Type mask) {
    if (!has_dims(index(mask.rank()))) return false;
    const Dim sizes[] = {c_.fresh_size()};
    const Type positions = c_.types().tensor({.dtype = DType::kInt64, .sizes = sizes});
    if (mask.rank() == 0) entries_.push_back({Dim(1), Dim(0), positions});
    for (const Dim& size : mask.sizes()) {
      if (!c_.guard_equal(size, x_.sizes()[next_dim_])) {
        c_.fail(fmt::format(
            "the shape of the mask {} does not match the shape of the indexed tensor {}",
            to_string(mask), to_string(x_)));
        return false;
      }
      add_dim(positions);
    }
    return true;
  }

  /// Adds an index, or the whole dimension for a null type.
  bool add_index(Type index_type) {
    if (!has_dims(1)) return false;
    if (index_type && index_type.dtype() != DType::kInt64 && index_type.dtype() != DType::kInt32) {
      c_.fail(fmt::format("tensors used as indices must be long, int, byte or bool tensors, not {}",
                          dtype_name(index_type.dtype())));
      return false;
    }
    add_dim(index_type);
    return true;
  }

  bool broadcast_indices() {
    size_t last = 0, count = 0;
    first_ = entries_.size();
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].index) continue;
      if (!broadcast(c_, index_sizes_, entries_[i].index.sizes())) return false;
      first_ = std::min(first_, i);
      last = i;
      ++count;
    }
    const bool is_adjacent = count == 0 || last - first_ + 1 == count;
    if (is_adjacent) return true;
    std::stable_partition(entries_.begin(), entries_.end(),
                          [](const Entry& e) { return !!e.index; });
    first_ = 0;
    return true;
  }

  void set_sizes() {
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (i == first_) {
        first_index_dim_ = result_.sizes.size();
        result_.sizes.insert(result_.sizes.end(), index_sizes_.begin(), index_sizes_.end());
        source_.resize(result_.sizes.size(), Dim(0));
      }
      if (entries_[i].index) continue;
      result_.sizes.push_back(entries_[i].size);
      source_.push_back(entries_[i].stride);
    }
  }

  /// Computes the strides of the result of a TensorIterator over the source and the indices. Each
  /// index is expanded to the broadcast sizes, then viewed with size 1 in the other dimensions of
  /// the result.
  bool set_strides() {
    absl::InlinedVector<DimVector, 4> operands = {source_};
    DimVector viewed(result_.sizes.size(), Dim(1));
    std::copy(index_sizes_.begin(), index_sizes_.end(),
              viewed.begin() + static_cast<ptrdiff_t>(first_index_dim_));
    for (const Entry& entry : entries_) {
      if (!entry.index) continue;
      const Type expanded = c_.types().tensor({.dtype = DType::kInt64,
                                               .sizes = index_sizes_,
                                               .strides = expanded_strides(entry.index)});
      if (!expanded) return false;
      operands.push_back(iterator_strides(expanded, entry.index, viewed));
    }
    const absl::InlinedVector<absl::Span<const Dim>, 4> spans(operands.begin(), operands.end());
    result_.strides = iterated_strides(c_, result_.sizes, spans);
    return true;
  }

  DimVector expanded_strides(Type index_type) const {
    DimVector expanded(index_sizes_.size(), Dim(0));
    const size_t shift = index_sizes_.size() - index_type.sizes().size();
    for (size_t i = 0; i < index_type.sizes().size(); ++i) {
      const bool repeats = index_type.sizes()[i] == Dim(1) && index_sizes_[shift + i] != Dim(1);
      expanded[shift + i] = repeats ? Dim(0) : index_type.strides()[i];
    }
    return expanded;
  }

  /// Returns the strides of the index, expanded to the type `expanded`, for the dimensions of
  /// the result. If the result also has size 1 in a dimension that the view adds, the stride of
  /// that dimension affects the order.
  DimVector iterator_strides(Type expanded, Type index_type, const DimVector& viewed) {
    DimVector strides =
        view_strides(c_, expanded, viewed).value_or(DimVector(viewed.size(), Dim(0)));
    for (size_t i = 0; i < strides.size(); ++i) {
      if (viewed[i] != Dim(1)) continue;
      if (result_.sizes[i] != Dim(1)) strides[i] = 0;
      // The stride is the number of elements that a mask selects. The order matters only if it is
      // greater than 1. No guard may exclude a mask that selects no elements.
      else if (strides[i].is_symbolic() && index_type.rank() > 0 &&
               strides[i] == index_type.sizes()[0])
        strides[i] = 2;
    }
    return strides;
  }

  TypeCall& c_;
  const Type x_;
  absl::InlinedVector<Entry, 8> entries_;
  size_t next_dim_ = 0;         // of the indexed tensor
  DimVector index_sizes_;       // the broadcast sizes of the indices
  size_t first_ = 0;            // the first indexed entry
  size_t first_index_dim_ = 0;  // the first dimension of the result that comes from the indices
  DimVector source_;            // strides of the indexed tensor for the dimensions of the result
  Indexed result_;
};

}  // namespace

std::optional<Indexed> advanced_index(TypeCall& c, Type x, int argument) {
  const auto indices = c.tensors(argument);
  return AdvancedIndex(c, x).run(indices);
}

}  // namespace fx::shape
