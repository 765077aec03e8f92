// Type functions for operators that join, repeat and reorder tensors. types_split.cpp contains the
// operators that split them.
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

using Tensors = absl::InlinedVector<Type, 4>;

bool is_skipped(Type t) { return t.rank() == 1 && t.sizes()[0] == Dim(0); }

Type cat_of(TypeCall& c, const Tensors& tensors, int64_t dim_argument) {
  if (tensors.empty()) return c.fail("cat requires at least one tensor");
  Promotion promotion;
  Type first;
  MemoryFormat format = MemoryFormat::kContiguous;
  bool one_format = true;
  for (Type t : tensors) {
    if (!t || t.rank() == 0) return c.fail("a zero-dimensional tensor cannot be concatenated");
    promotion.add_tensor(t);
    if (!is_skipped(t) && !first) first = t;
  }
  const int dim = wrap_dim(c, dim_argument, first ? first.rank() : 1);
  if (dim < 0) return Type();
  if (!first) return c.result(promotion.result(), {Dim(0)});
  DimVector sizes = to_vector(first.sizes());
  sizes[index(dim)] = 0;
  bool is_first = true;
  for (Type t : tensors) {
    if (first.rank() == 4 || first.rank() == 5) {
      const MemoryFormat f = suggested_format(c, t);
      if (!is_first && f != format) one_format = false;
      format = f;
      is_first = false;
    }
    if (is_skipped(t) && first.rank() != 1) continue;
    if (t.rank() != first.rank())
      return c.fail(fmt::format("tensors must have the same number of dimensions: {} vs. {}",
                                to_string(first), to_string(t)));
    for (int i = 0; i < t.rank(); ++i) {
      if (i == dim) continue;
      if (!c.guard_equal(sizes[index(i)], t.sizes()[index(i)])) {
        return c.fail(
            fmt::format("sizes of tensors must match except in dimension {3}: sizes {0} and {1} of "
                        "dimension {2}",
                        to_string(sizes[index(i)]), to_string(t.sizes()[index(i)]), i, dim));
      }
    }
    sizes[index(dim)] += t.sizes()[index(dim)];
  }
  const DType dtype = promotion.result();
  if (dtype == DType::kUndefined)
    return c.fail("the dtypes of the tensors cannot be promoted to a common dtype");
  if (!one_format || format == MemoryFormat::kContiguous) return c.result(dtype, sizes);
  return c.result(dtype, sizes, strides_of(sizes, format));
}

Type cat(TypeCall& c) { return cat_of(c, c.tensors(0), c.integer(1)); }

/// stack(tensors, dim): equivalent to cat along `dim`, which is then split into two dimensions. If
/// `dim` comes after the last dimension, equivalent to cat of unsqueezed tensors.
Type stack(TypeCall& c) {
  const Tensors tensors = c.tensors(0);
  if (tensors.empty() || !tensors[0]) return c.fail("stack expects a non-empty TensorList");
  const Type first = tensors[0];
  const int dim = wrap_dim(c, c.integer(1), first.rank() + 1);
  if (dim < 0) return Type();
  Tensors parts;
  for (Type t : tensors) {
    if (!t || !same_sizes(c, t.sizes(), first.sizes())) {
      return c.fail(fmt::format("stack expects each tensor to be equal size: {} vs. {}",
                                to_string(first), to_string(t)));
    }
    parts.push_back(dim < first.rank() ? t : unsqueeze(c, t, dim));
    if (!parts.back()) return Type();
  }
  const Type joined = cat_of(c, parts, dim);
  if (!joined || dim == first.rank()) return joined;
  DimVector sizes = to_vector(first.sizes());
  sizes.insert(sizes.begin() + dim, Dim(static_cast<int64_t>(tensors.size())));
  const auto strides = view_strides(c, joined, sizes);
  return strides ? c.result(joined.dtype(), sizes, *strides) : Type();
}

/// Returns the type of `t` with at least `rank` dimensions. New dimensions of vectors and matrices
/// are inserted as in NumPy.
Type at_least(TypeCall& c, Type t, int rank) {
  if (t.rank() == 0) return reshape(c, t, DimVector(index(rank), Dim(1)));
  if (t.rank() == 1 && rank > 1) t = unsqueeze(c, t, 0);
  return t && t.rank() == 2 && rank == 3 ? unsqueeze(c, t, 2) : t;
}

/// _stack does not keep the layout.
Type row_major_stack(TypeCall& c) {
  const Type stacked = stack(c);
  return stacked ? c.result(stacked.dtype(), stacked.sizes()) : Type();
}

/// pad_sequence(sequences, batch_first): pads to the length of the longest sequence.
Type pad_sequence(TypeCall& c) {
  const Tensors tensors = c.tensors(0);
  if (tensors.empty() || !tensors[0] || tensors[0].rank() == 0)
    return c.fail("pad_sequence requires at least one tensor, and tensors of rank 1 or more");
  Dim longest = 0;
  for (Type t : tensors) {
    if (!t || t.rank() != tensors[0].rank() ||
        !same_sizes(c, t.sizes().subspan(1), tensors[0].sizes().subspan(1))) {
      return c.fail(fmt::format("sizes must be equal except in dimension 0: {} vs. {}",
                                to_string(tensors[0]), to_string(t)));
    }
    longest = max(longest, t.sizes()[0]);
  }
  DimVector sizes = to_vector(tensors[0].sizes());
  sizes[0] = longest;
  sizes.insert(sizes.begin() + (c.boolean(1) ? 0 : 1), Dim(static_cast<int64_t>(tensors.size())));
  return c.result(tensors[0].dtype(), sizes);
}

Type stacked_along(TypeCall& c, int rank, int64_t dim) {
  Tensors tensors = c.tensors(0);
  for (Type& t : tensors) {
    t = at_least(c, t, rank);
    if (!t) return Type();
  }
  return cat_of(c, tensors, dim);
}
Type hstack(TypeCall& c) {
  const Tensors tensors = c.tensors(0);
  return stacked_along(c, 1, !tensors.empty() && tensors[0].rank() > 1 ? 1 : 0);
}
Type vstack(TypeCall& c) { return stacked_along(c, 2, 0); }
Type dstack(TypeCall& c) { return stacked_along(c, 3, 2); }
Type column_stack(TypeCall& c) {
  Tensors tensors = c.tensors(0);
  for (Type& t : tensors) {
    if (t.rank() <= 1) t = reshape(c, t, {numel(t.sizes()), Dim(1)});
    if (!t) return Type();
  }
  return cat_of(c, tensors, 1);
}

template <int rank>
Type at_least_type(TypeCall& c) {
  c.set_alias(0);
  return c.tensor(0).rank() >= rank ? c.tensor(0) : at_least(c, c.tensor(0), rank);
}
template <int rank>
Type at_least_list(TypeCall& c) {
  Tensors results;
  int i = 0;
  for (Type t : c.tensors(0)) {
    results.push_back(t.rank() >= rank ? t : at_least(c, t, rank));
    if (!results.back()) return Type();
    c.set_alias(0, i, i);
    ++i;
  }
  return c.types().list(results);
}

// ---------------------------------------------------------------- repeating and reordering

Type repeat(TypeCall& c) {
  const Type x = c.tensor(0);
  DimVector sizes = c.dims(1);
  if (sizes.size() < x.sizes().size())
    return c.fail("the number of repeats must be at least the number of dimensions of the tensor");
  const size_t shift = sizes.size() - x.sizes().size();
  for (size_t i = 0; i < x.sizes().size(); ++i) sizes[shift + i] *= x.sizes()[i];
  return c.result(x.dtype(), sizes);
}

/// tile(self, dims): if `dims` and the sizes have different lengths, the shorter list is padded
/// with 1 at the front.
Type tile(TypeCall& c) {
  const Type x = c.tensor(0);
  DimVector sizes = c.dims(1);
  if (sizes.size() < x.sizes().size())
    sizes.insert(sizes.begin(), x.sizes().size() - sizes.size(), Dim(1));
  const size_t shift = sizes.size() - x.sizes().size();
  for (size_t i = 0; i < x.sizes().size(); ++i) sizes[shift + i] *= x.sizes()[i];
  return c.result(x.dtype(), sizes);
}

/// repeat_interleave(self, repeats, dim): `repeats` is a single number.
Type repeat_interleave(TypeCall& c) {
  const Type x = c.tensor(0);
  const Dim repeats = c.dim(1);
  if (c.is_none(2)) return c.result(x.dtype(), {numel(x.sizes()) * repeats});
  const int dim = wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0) return Type();
  DimVector sizes = to_vector(x.sizes());
  if (sizes.empty()) sizes.push_back(1);
  sizes[index(dim)] *= repeats;
  return c.result(x.dtype(), sizes);
}

Type flip(TypeCall& c) {
  const Type x = c.tensor(0);
  dim_set(c, c.integers(1), x.rank(), false);
  return like(c, x, x.dtype(), MemoryFormat::kPreserve);
}
Type flip_one(TypeCall& c) { return like(c, c.tensor(0), c.tensor(0).dtype()); }
/// Returns the type of roll, which joins two parts for each dimension.
Type rolled(TypeCall& c, const DimVector& shifts, absl::Span<const int64_t> dims) {
  const Type x = c.tensor(0);
  if (numel(x.sizes()) == Dim(0)) return like(c, x, x.dtype());
  if (dims.empty()) return contiguous_like(c, x);
  // If no element moves, one of the two joined parts is empty, and the result is row-major.
  if (shifts.size() != dims.size()) return c.fail("shifts and dimensions must align");
  for (size_t i = 0; i < dims.size(); ++i) {
    const int dim = wrap_dim(c, dims[i], x.rank());
    if (dim < 0) return Type();
    if (x.rank() > 0 && mod(shifts[i], x.sizes()[index(dim)]) == Dim(0))
      return contiguous_like(c, x);
  }
  return like(c, x, x.dtype(), suggested_format(c, x));
}
Type roll(TypeCall& c) {
  const auto dims = c.integers(2);
  return rolled(c, c.dims(1), dims);
}
/// fft_fftshift(self, dim): rolls each dimension in `dim`, or all dimensions, by half of its size,
/// rounded down. fft_ifftshift rounds up.
template <int rounding>
Type shifted_by_half(TypeCall& c) {
  const Type x = c.tensor(0);
  absl::InlinedVector<int64_t, 6> dims;
  DimVector shifts;
  if (c.is_none(1)) {
    for (int d = 0; d < x.rank(); ++d) dims.push_back(d);
  } else {
    for (const int64_t d : c.integers(1)) dims.push_back(d);
  }
  for (const int64_t d : dims) {
    const int dim = sized_dim(c, d, x.rank());
    if (dim < 0) return Type();
    shifts.push_back(floor_div(x.sizes()[index(dim)] + rounding, 2));
  }
  if (dims.empty()) return c.fail_argument(1, "a list of at least one dimension");
  return rolled(c, shifts, dims);
}
Type contiguous_copy(TypeCall& c) { return contiguous_like(c, c.tensor(0)); }

/// rot90(self, k, dims): a sequence of flips and transpositions.
Type rot90(TypeCall& c) {
  const Type x = c.tensor(0);
  const auto dims = c.integers(2);
  if (dims.size() != 2) return c.fail("rot90 expects 2 rotation dims");
  dim_set(c, dims, x.rank(), false);
  if (c.failed()) return Type();
  const int64_t k = ((c.integer(1) % 4) + 4) % 4;
  if (k == 0) return contiguous_like(c, x);
  const Type flipped = like(c, x, x.dtype());
  return k == 2 || !flipped ? flipped : transpose(c, flipped, dims[0], dims[1]);
}

/// diag_embed(self, offset, dim1, dim2): the last dimension becomes a diagonal.
Type diag_embed(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) return c.fail("the input must have at least one dimension");
  const int64_t offset = c.integer(1);
  const int a = wrap_dim(c, c.integer(2), x.rank() + 1),
            b = wrap_dim(c, c.integer(3), x.rank() + 1);
  if (a < 0 || b < 0 || c.failed()) return Type();
  if (a == b) return c.fail("dim1 and dim2 must differ");
  const Dim side = x.sizes().back() + magnitude(offset);
  DimVector sizes(x.sizes().begin(), x.sizes().end() - 1);
  sizes.insert(sizes.begin() + std::min(a, b), side);
  sizes.insert(sizes.begin() + std::max(a, b), side);
  return c.result(x.dtype(), sizes);
}

/// _chunk_cat(tensors, dim, num_chunks): pads and chunks each tensor, and joins the chunks.
Type chunk_cat(TypeCall& c) {
  const Tensors tensors = c.tensors(0);
  const int64_t chunks = c.integer(2);
  if (tensors.empty() || !tensors[0] || chunks <= 0)
    return c.fail("_chunk_cat requires at least one tensor, and num_chunks must be greater than 0");
  const int dim = wrap_dim(c, c.integer(1), tensors[0].rank());
  if (dim < 0) return Type();
  Dim length = 0;
  for (Type t : tensors) {
    if (!t || t.rank() <= dim) return c.fail("all tensors must have the dimension dim");
    Dim part = ceil_div(t.sizes()[index(dim)], chunks);
    for (int i = dim + 1; i < t.rank(); ++i) part *= t.sizes()[index(i)];
    length += part;
  }
  DimVector sizes(tensors[0].sizes().begin(), tensors[0].sizes().begin() + dim);
  sizes.push_back(chunks);
  sizes.push_back(length);
  return c.result(tensors[0].dtype(), sizes);
}

Type block_diag(TypeCall& c) {
  Promotion promotion;
  Dim rows = 0, columns = 0;
  const Tensors tensors = c.tensors(0);
  if (tensors.empty()) return c.result(DType::kFloat32, {Dim(1), Dim(0)});
  for (Type t : tensors) {
    if (!t || t.rank() > 2) return c.fail("block_diag requires tensors with at most 2 dimensions");
    promotion.add_tensor(t);
    rows += t.rank() == 2 ? t.sizes()[0] : Dim(1);
    columns += t.rank() == 0 ? Dim(1) : t.sizes().back();
  }
  return c.result(promotion.result(), {rows, columns});
}

/// meshgrid(tensors, indexing): views of the tensors, each expanded to the sizes of all tensors.
Type meshgrid(TypeCall& c) {
  const Tensors tensors = c.tensors(0);
  const bool swapped = c.size() > 1 && c.string(1) == "xy" && tensors.size() >= 2;
  DimVector sizes;
  for (Type t : tensors) {
    if (!t || t.rank() > 1) return c.fail("meshgrid expects 0-D or 1-D tensors");
    sizes.push_back(t.rank() == 1 ? t.sizes()[0] : Dim(1));
  }
  Tensors results;
  DimVector full_sizes = sizes;
  if (swapped) std::swap(full_sizes[0], full_sizes[1]);
  for (size_t i = 0; i < tensors.size(); ++i) {
    DimVector row_sizes(sizes.size(), Dim(1));
    row_sizes[swapped && i < 2 ? 1 - i : i] = sizes[i];
    const Type row = view_as_sizes(c, tensors[i], row_sizes);
    results.push_back(row ? expand(c, row, full_sizes) : Type());
    if (!results.back()) return Type();
    c.set_alias(0, static_cast<int>(i), static_cast<int>(i));
  }
  return c.types().list(results);
}

Type cartesian_prod(TypeCall& c) {
  const Tensors tensors = c.tensors(0);
  Promotion promotion;
  Dim count = 1;
  for (Type t : tensors) {
    if (!t || t.rank() != 1) return c.fail("cartesian_prod expects 1-D tensors");
    promotion.add_tensor(t);
    count *= t.sizes()[0];
  }
  if (tensors.size() == 1) {
    c.set_alias(0);
    return tensors[0];
  }
  return c.result(promotion.result(), {count, Dim(static_cast<int64_t>(tensors.size()))});
}

constexpr TypeRule kJoinRules[] = {
    {"aten.cat.default", cat},
    {"aten.concat.default", cat},
    {"aten.concatenate.default", cat},
    {"aten.stack.default", stack},
    {"aten._stack.default", row_major_stack},
    {"aten.pad_sequence.default", pad_sequence},
    {"aten.hstack.default", hstack},
    {"aten.vstack.default", vstack},
    {"aten.row_stack.default", vstack},
    {"aten.dstack.default", dstack},
    {"aten.column_stack.default", column_stack},
    {"aten.atleast_1d.default", at_least_type<1>},
    {"aten.atleast_2d.default", at_least_type<2>},
    {"aten.atleast_3d.default", at_least_type<3>},
    {"aten.atleast_1d.Sequence", at_least_list<1>},
    {"aten.atleast_2d.Sequence", at_least_list<2>},
    {"aten.atleast_3d.Sequence", at_least_list<3>},
    {"aten.repeat.default", repeat},
    {"aten.tile.default", tile},
    {"aten.repeat_interleave.self_int", repeat_interleave},
    {"aten.flip.default", flip},
    {"aten.fliplr.default", flip_one},
    {"aten.flipud.default", flip_one},
    {"aten.roll.default", roll},
    {"aten.fft_fftshift.default", shifted_by_half<0>},
    {"aten.fft_ifftshift.default", shifted_by_half<1>},
    {"aten.tril.default", contiguous_copy},
    {"aten.triu.default", contiguous_copy},
    {"aten.rot90.default", rot90},
    {"aten.diag_embed.default", diag_embed},
    {"aten._chunk_cat.default", chunk_cat},
    {"aten.block_diag.default", block_diag},
    {"aten.meshgrid.default", meshgrid},
    {"aten.meshgrid.indexing", meshgrid},
    {"aten.cartesian_prod.default", cartesian_prod},
};

}  // namespace

absl::Span<const TypeRule> join_rules() { return kJoinRules; }

}  // namespace fx::shape
