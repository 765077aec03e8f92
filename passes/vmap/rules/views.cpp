// Batching rules for views and copies whose arguments contain sizes, or that add or remove
// dimensions.
#include "fx/passes/vmap/rules_internal.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

std::vector<IntArg> after_batch(Batch& b, std::string_view name) {
  std::vector<IntArg> sizes = b.dims(name);
  sizes.insert(sizes.begin(), b.batch_size());
  return sizes;
}
AnyArg view_rule(Batch& b, std::string_view name) {
  const bool is_known =
      std::ranges::all_of(b.result().sizes(), [](const Dim& size) { return size.is_int(); });
  return b.reshape(b("self"), is_known ? b.sizes_of(b.result()) : after_batch(b, name));
}
AnyArg reshaped_like_result(Batch& b) { return b.reshape(b("self"), b.sizes_of(b.result())); }

/// Returns the operand, extended to the rank given by the list argument `name` with leading
/// dimensions of size 1.
Proxy with_rank_of(Batch& b, std::string_view name) {
  return b.aligned("self", static_cast<int64_t>(b.argument(name).size()));
}
AnyArg expand_rule(Batch& b) { return with_rank_of(b, "size").expand(after_batch(b, "size")); }
AnyArg repeat_rule(Batch& b) {
  std::vector<IntArg> repeats = b.dims("repeats");
  repeats.insert(repeats.begin(), IntArg(1));
  return with_rank_of(b, "repeats").repeat(repeats);
}
AnyArg expand_as_rule(Batch& b) {
  const int64_t rank = b.rank_of("other");
  return b.aligned("self", rank).expand(b.sizes(b("other")));
}

AnyArg permute_rule(Batch& b) {
  const int64_t rank = b.rank_of("self");
  std::vector<int64_t> dims = {0};
  for (const int64_t dim : b.integers("dims")) dims.push_back(b.shifted(dim, rank));
  return b("self").permute(dims);
}
AnyArg transposed(Batch& b) {
  return b.rank_of("self") < 2 ? b("self") : transpose(b("self"), -2, -1);
}
AnyArg unsqueeze_rule(Batch& b) {
  return unsqueeze(b("self"), b.shifted(b.integer("dim"), b.rank_of("self") + 1));
}
AnyArg squeeze_dims_rule(Batch& b, bool all) {
  const Type type = b.type_of("self");
  const int64_t rank = type.rank();
  std::vector<int64_t> given = all ? Batch::range(0, rank) : b.integers("dim");
  std::vector<int64_t> dims;
  for (const int64_t dim : given)
    if (rank > 0) dims.push_back(b.shifted(dim, rank));
  return dims.empty() ? b("self") : b.emit("aten.squeeze.dims", {b("self"), IntList(dims)});
}
AnyArg stack_rule(Batch& b) {
  const std::vector<Proxy> items = b.all("tensors");
  return stack(items, b.shifted(b.integer("dim"), b.result().rank()));
}
AnyArg diag_embed_rule(Batch& b) {
  const int64_t rank = b.result().rank();
  return b.call_with({{"self", b("self")},
                      {"dim1", AnyArg(b.shifted(b.integer("dim1"), rank))},
                      {"dim2", AnyArg(b.shifted(b.integer("dim2"), rank))}});
}
AnyArg roll_rule(Batch& b) {
  const int64_t rank = b.rank_of("self");
  std::vector<int64_t> dims = b.integers("dims");
  if (dims.empty()) {
    const Proxy rolled = b.emit("aten.roll.default",
                                {b.flat(b("self")), IntList(b.integers("shifts")), IntList({1})});
    return b.reshape(rolled, b.sizes_of(b.result()));
  }
  for (int64_t& dim : dims) dim = b.shifted(dim, rank);
  return b.call_with({{"self", b("self")}, {"dims", IntList(dims)}});
}
AnyArg unfold_backward_rule(Batch& b) {
  std::vector<IntArg> sizes = b.dims("input_sizes");
  const auto rank = static_cast<int64_t>(sizes.size());
  sizes.insert(sizes.begin(), b.batch_size());
  return b.call_with({{"grad_in", b("grad_in")},
                      {"input_sizes", IntList(sizes)},
                      {"dim", AnyArg(b.shifted(b.integer("dim"), rank))}});
}

/// Selects elements by their offsets in the memory of one example.
AnyArg as_strided_rule(Batch& b) {
  const Type type = b.type_of("self");
  const bool is_known = type.has_default_strides() && type.offset() == Dim(0) &&
                        std::ranges::all_of(type.sizes(), [](const Dim& d) { return d.is_int(); });
  if (!is_known) return b.reject("the strides of one example must be known and row-major");
  int64_t count = 1;
  for (const Dim& size : type.sizes()) count *= size.value();
  const int64_t offset = b.is_none("storage_offset") ? 0 : b.integer("storage_offset");
  const Proxy x = b("self");
  const Proxy offsets =
      b.emit("aten.as_strided.default", {b.iota(ScalarArg(count), x), IntList(b.integers("size")),
                                         IntList(b.integers("stride")), offset});
  const Proxy chosen = index_select(b.flat(x), 1, b.reshape(offsets, {-1}));
  return b.reshape(chosen, b.sizes_of(b.result()));
}

/// Checks the sizes, dtype, device and layout of the batch. The strides of the batch are not those of
/// its examples.
AnyArg metadata_rule(Batch& b) {
  if (!b.is_none("stride")) return b.reject("it checks strides");
  if (b.is_none("size")) return b.call_with({{"a", b("a")}});
  return b.call_with({{"a", b("a")}, {"size", IntList(after_batch(b, "size"))}});
}

/// Returns a new tensor whose elements do not depend on the operand.
AnyArg filled(Batch& b, const ScalarArg& value) {
  const DType dtype = b.result().dtype();
  return b.shared(b.full(b.dims("size"), value, b.plain("self"), dtype));
}

}  // namespace

absl::Span<const BatchingRow> view_batching() {
  static constexpr BatchingRow kRows[] = {
      batch_by("aten.view.default", [](Batch& b) { return view_rule(b, "size"); }),
      batch_by("aten._unsafe_view.default", [](Batch& b) { return view_rule(b, "size"); }),
      batch_by("aten._reshape_alias.default", [](Batch& b) { return view_rule(b, "size"); }),
      batch_by("aten.reshape.default", [](Batch& b) { return view_rule(b, "shape"); }),
      batch_by("aten.view_as.default", reshaped_like_result),
      batch_by("aten.flatten.using_ints", reshaped_like_result),
      batch_by("aten.unflatten.int", reshaped_like_result),
      batch_by("aten.expand.default", expand_rule),
      batch_by("aten.expand_as.default", expand_as_rule),
      batch_by("aten.repeat.default", repeat_rule),
      batch_by("aten.permute.default", permute_rule),
      batch_by("aten.t.default", transposed),
      batch_by("aten.mT.default", transposed),
      batch_by("aten.unsqueeze.default", unsqueeze_rule),
      batch_by("aten.squeeze.default", [](Batch& b) { return squeeze_dims_rule(b, true); }),
      batch_by("aten.squeeze.dims", [](Batch& b) { return squeeze_dims_rule(b, false); }),
      batch_by("aten.stack.default", stack_rule),
      batch_by("aten.diag_embed.default", diag_embed_rule),
      batch_by("aten.roll.default", roll_rule),
      batch_by("aten.unfold_backward.default", unfold_backward_rule),
      batch_by("aten.as_strided.default", as_strided_rule),
      batch_by("aten.new_zeros.default", [](Batch& b) { return filled(b, 0); }),
      batch_by("aten.new_ones.default", [](Batch& b) { return filled(b, 1); }),
      batch_by("aten.new_full.default", [](Batch& b) { return filled(b, b.scalar("fill_value")); }),
      batch_by("aten.copy.default",
               [](Batch& b) {
                 return b.call_with(
                     {{"self", b("self")}, {"src", b.aligned("src", b.rank_of("self"))}});
               }),
      batch_by("aten._assert_tensor_metadata.default", metadata_rule),
      batch_by("aten.sym_size.int",
               [](Batch& b) {
                 return b.shared(
                     b.emit("aten.sym_size.int",
                            {b.plain("self"), b.shifted(b.integer("dim"), b.rank_of("self"))}));
               }),
  };
  return kRows;
}

}  // namespace fx
