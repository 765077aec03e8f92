// Decompositions of views, and of operators that join and split tensors.
#include "fx/ir/types/strides.h"
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>

namespace fx {
namespace {

AnyArg swapped(Decomposer& d, int64_t a, int64_t b) {
  const Proxy x = d.tensor("self");
  std::vector<int64_t> dims = Decomposer::range(0, d.rank(x));
  if (dims.size() < 2) return d.emit("aten.alias.default", {x});
  std::swap(dims[static_cast<size_t>(d.wrapped(a, d.rank(x)))],
            dims[static_cast<size_t>(d.wrapped(b, d.rank(x)))]);
  return permute(x, dims);
}
AnyArg t(Decomposer& d) { return swapped(d, 0, 1); }
AnyArg transpose(Decomposer& d) { return swapped(d, d.integer("dim0"), d.integer("dim1")); }
AnyArg matrix_transpose(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (d.rank(x) == 0) return x;  // libtorch returns the tensor itself
  return swapped(d, -2, -1);
}
AnyArg matrix_adjoint(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (is_complex(d.dtype(x))) return d.reject("a complex adjoint is a lazy view");
  return matrix_transpose(d);
}
AnyArg reversed(Decomposer& d) {
  const Proxy x = d.tensor("self");
  std::vector<int64_t> dims = Decomposer::range(0, d.rank(x));
  std::ranges::reverse(dims);
  return permute(x, dims);
}
AnyArg movedim(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t rank = d.rank(x);
  const int64_t from = d.wrapped(d.integer("source"), rank);
  const int64_t to = d.wrapped(d.integer("destination"), rank);
  std::vector<int64_t> dims = Decomposer::range(0, rank);
  if (dims.empty()) return d.emit("aten.alias.default", {x});
  dims.erase(dims.begin() + from);
  dims.insert(dims.begin() + to, from);
  return permute(x, dims);
}

AnyArg squeeze_all(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return squeeze(x, Decomposer::range(0, d.rank(x)));
}
AnyArg squeeze_dim(Decomposer& d) { return squeeze(d.tensor("self"), IntList({d.integer("dim")})); }
AnyArg broadcast_tensors(Decomposer& d) {
  const std::vector<Proxy> tensors = d.tensors("tensors");
  std::vector<IntArg> sizes;
  const Type common = d.result();
  if (!common.is_tensor() || !common.has_rank()) return d.reject("the common sizes are unknown");
  for (int i = 0; i < common.rank(); ++i) {
    const auto has_it = [&](const Proxy& x) {
      const int dim = i - common.rank() + static_cast<int>(d.rank(x));
      return dim >= 0 && d.type(x).size(dim) == common.size(i);
    };
    const auto x = std::ranges::find_if(tensors, has_it);
    if (x == tensors.end()) return d.reject("no tensor has the common size of a dimension");
    sizes.push_back(d.size(*x, i - common.rank()));
  }
  std::vector<AnyArg> items;
  items.reserve(tensors.size());
  for (const Proxy& x : tensors) items.emplace_back(x.expand(sizes));
  return items;
}
AnyArg expand_as(Decomposer& d) { return d.tensor("self").expand(d.sizes(d.tensor("other"))); }
AnyArg view(Decomposer& d) { return d.tensor("self").view(d.dims("size")); }
AnyArg view_as(Decomposer& d) { return d.tensor("self").view(d.sizes(d.tensor("other"))); }
AnyArg reshape(Decomposer& d) { return d.reshape(d.tensor("self"), d.dims("shape")); }
AnyArg alias(Decomposer& d) { return d.emit("aten.alias.default", {d.tensor("self")}); }
AnyArg fresh_copy(Decomposer& d) { return d.tensor("self").clone(MemoryFormat::kContiguous); }
AnyArg contiguous(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const MemoryFormat format = d.memory_format("memory_format");
  return is_contiguous(d.type(x), format) ? x : x.clone(format);
}
AnyArg flatten(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t rank = d.rank(x);
  if (rank == 0) return d.reshape(x, {1});
  const int64_t first = d.wrapped(d.integer("start_dim"), rank);
  const int64_t last = d.wrapped(d.integer("end_dim"), rank);
  if (first == last) return x;
  std::vector<IntArg> sizes = d.sizes(x, 0, first);
  sizes.emplace_back(-1);
  for (const IntArg& size : d.sizes(x, last + 1)) sizes.push_back(size);
  return d.reshape(x, sizes);
}
AnyArg unflatten(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  std::vector<IntArg> sizes = d.sizes(x, 0, dim);
  for (const IntArg& size : d.dims("sizes")) sizes.push_back(size);
  for (const IntArg& size : d.sizes(x, dim + 1)) sizes.push_back(size);
  return x.view(sizes);
}
AnyArg narrow(Decomposer& d) {
  const int64_t start = d.integer("start");
  return d.slice(d.tensor("self"), d.integer("dim"), start, start + d.integer("length"));
}

/// The result is row-major. That of `cat` is in channels-last order if the strides of its operands of
/// rank 4 or 5 say so, also those of dimensions of size 1, which may differ if eager mode computes
/// gradients (matmul); so `cat` gets operands of another rank.
AnyArg stack(Decomposer& d) {
  std::vector<Proxy> tensors = d.tensors("tensors");
  if (tensors.empty()) return d.reject("the list of tensors must not be empty");
  const int64_t rank = d.rank(tensors[0]);
  const int64_t dim = d.wrapped(d.integer("dim"), rank + 1);
  if (rank == 3 || rank == 4) {
    std::vector<IntArg> sizes = d.sizes(tensors[0], 0, dim);
    sizes.emplace_back(static_cast<int64_t>(tensors.size()));
    for (const IntArg& size : d.sizes(tensors[0], dim)) sizes.push_back(size);
    if (rank == 3 && dim < rank) return cat(tensors, dim).view(sizes);
    for (Proxy& tensor : tensors)
      for (int64_t i = rank; i < 6; ++i) tensor = unsqueeze(tensor, i == rank ? dim : 0);
    return cat(tensors, dim + 5 - rank).view(sizes);
  }
  for (Proxy& tensor : tensors) tensor = unsqueeze(tensor, dim);
  return cat(tensors, dim);
}
AnyArg unbind(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  std::vector<AnyArg> items;
  items.reserve(static_cast<size_t>(d.known_size(x, dim)));
  for (int64_t i = 0; i < d.known_size(x, dim); ++i) items.emplace_back(select(x, dim, i));
  return items;
}
/// Splits `x` into parts of this size along a dimension; the last part may be smaller.
AnyArg parts(Decomposer& d, const Proxy& x, int64_t size, int64_t dim) {
  const int64_t total = d.known_size(x, dim);
  if (size < 1 || total < 1) return d.reject("empty parts are not supported");
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < total; i += size) sizes.push_back(std::min(size, total - i));
  return split_with_sizes(x, sizes, dim);
}
AnyArg split(Decomposer& d) {
  return parts(d, d.tensor("self"), d.integer("split_size"), d.integer("dim"));
}
AnyArg chunk(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t dim = d.integer("dim"), count = std::max<int64_t>(d.integer("chunks"), 1);
  return parts(d, x, (d.known_size(x, dim) + count - 1) / count, dim);
}
AnyArg unsafe_split_with_sizes(Decomposer& d) {
  return split_with_sizes(d.tensor("self"), d.dims("split_sizes"), d.integer("dim"));
}

AnyArg roll(Decomposer& d) {
  const Proxy given = d.tensor("self");
  const std::vector<int64_t> shifts = d.integers("shifts");
  std::vector<int64_t> dims = d.integers("dims");
  Proxy x = given;
  if (dims.empty()) {
    x = d.reshape(x, {-1});
    dims = {0};
  }
  if (dims.size() != shifts.size())
    return d.reject("the number of shifts must equal the number of dimensions");
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t size = d.known_size(x, dims[i]);
    if (size == 0) return x.clone();
    const int64_t shift = ((shifts[i] % size) + size) % size;
    if (shift == 0) continue;
    x = cat({d.slice(x, dims[i], size - shift, size), d.slice(x, dims[i], 0, size - shift)},
            dims[i]);
  }
  return d.integers("dims").empty() ? x.view(d.sizes(given)) : x;
}

AnyArg pixel_shuffle(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t r = d.integer("upscale_factor"), rank = d.rank(x);
  if (rank < 3 || r < 1) return d.reject("the input has too few dimensions");
  const int64_t channels = d.known_size(x, -3) / (r * r);
  const int64_t height = d.known_size(x, -2), width = d.known_size(x, -1), n = rank - 3;
  std::vector<IntArg> parts = d.sizes(x, 0, n), sizes = parts;
  for (const int64_t size : {channels, r, r, height, width}) parts.emplace_back(size);
  for (const int64_t size : {channels, height * r, width * r}) sizes.emplace_back(size);
  std::vector<int64_t> order = Decomposer::range(0, n);
  for (const int64_t dim : {0, 3, 1, 4, 2}) order.push_back(n + dim);
  return d.reshape(permute(x.view(parts), order), sizes);
}
AnyArg pixel_unshuffle(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t r = d.integer("downscale_factor"), rank = d.rank(x);
  if (rank < 3 || r < 1) return d.reject("the input has too few dimensions");
  const int64_t channels = d.known_size(x, -3), n = rank - 3;
  const int64_t height = d.known_size(x, -2) / r, width = d.known_size(x, -1) / r;
  std::vector<IntArg> parts = d.sizes(x, 0, n), sizes = parts;
  for (const int64_t size : {channels, height, r, width, r}) parts.emplace_back(size);
  for (const int64_t size : {channels * r * r, height, width}) sizes.emplace_back(size);
  std::vector<int64_t> order = Decomposer::range(0, n);
  for (const int64_t dim : {0, 2, 4, 1, 3}) order.push_back(n + dim);
  return d.reshape(permute(x.view(parts), order), sizes);
}

}  // namespace

absl::Span<const DecompositionRow> view_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten._reshape_alias.default", view, kCore},
      {"aten._unsafe_view.default", view, kCore},
      {"aten.broadcast_tensors.default", broadcast_tensors, kCore},
      {"aten.chunk.default", chunk, kCore},
      {"aten.contiguous.default", contiguous, kCore},
      {"aten.detach.default", alias, kByName},  // unlike detach, an alias has a gradient
      {"aten.expand_as.default", expand_as, kCore},
      {"aten.flatten.using_ints", flatten, kCore},
      {"aten.lift_fresh_copy.default", fresh_copy, kByName},
      {"aten.mH.default", matrix_adjoint, kCore},
      {"aten.mT.default", matrix_transpose, kCore},
      {"aten.movedim.int", movedim, kCore},
      {"aten.narrow.default", narrow, kCore},
      {"aten.numpy_T.default", reversed, kCore},
      {"aten.pixel_shuffle.default", pixel_shuffle, kCore},
      {"aten.pixel_unshuffle.default", pixel_unshuffle, kCore},
      {"aten.reshape.default", reshape, kCore},
      {"aten.roll.default", roll, kCore},
      {"aten.split.Tensor", split, kCore},
      {"aten.squeeze.default", squeeze_all, kCore},
      {"aten.squeeze.dim", squeeze_dim, kCore},
      {"aten.stack.default", stack, kCore},
      {"aten.t.default", t, kCore},
      {"aten.transpose.int", transpose, kCore},
      {"aten.unbind.int", unbind, kCore},
      {"aten.unflatten.int", unflatten, kCore},
      {"aten.unsafe_split.Tensor", split, kCore},
      {"aten.unsafe_split_with_sizes.default", unsafe_split_with_sizes, kCore},
      {"aten.view_as.default", view_as, kCore},
  };
  return kRows;
}

}  // namespace fx
