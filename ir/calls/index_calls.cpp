// Converts indexing to ATen operators: see index_calls.h.
#include "fx/ir/calls/index_calls.h"

#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fx {
namespace {

bool is_ellipsis(const Argument& item) { return item.kind() == ArgumentKind::kEllipsis; }

/// How indexing uses an item that is a tensor.
enum class IndexTensor : uint8_t {
  kNumber,  ///< an integer in a tensor of rank 0: like the number
  kFlag,    ///< a bool or uint8 of rank 0: adds a dimension of size 1, or 0 if it is zero
  kMask,    ///< a bool or uint8 tensor; covers as many dimensions as its rank
  kIndices,
};

/// Returns an error if the kind depends on a part of the type that is unknown. The rank of a mask
/// that no item follows may be unknown.
absl::StatusOr<IndexTensor> kind_of_index(const Node& tensor, bool is_last) {
  const Type type = tensor.type();
  const auto unknown = [&](std::string_view what) {
    return absl::UnimplementedError(
        fmt::format("{} of index {} is unknown: propagate types first", what, tensor.name()));
  };
  if (!type.is_tensor()) return unknown("the type");
  const bool is_known = type.dtype() != DType::kUndefined;
  const bool is_mask = type.dtype() == DType::kBool || type.dtype() == DType::kUInt8;
  if (!type.has_rank()) {
    if (is_mask && is_last) return IndexTensor::kMask;
    return unknown("the rank");
  }
  if (type.rank() > 0) {
    if (!is_known && !is_last) return unknown("the dtype");
    return is_mask ? IndexTensor::kMask : IndexTensor::kIndices;
  }
  if (!is_known) return unknown("the dtype");
  return is_mask ? IndexTensor::kFlag : IndexTensor::kNumber;
}

/// The number of tensor dimensions that an item of an index covers: the rank of a mask, one for
/// other items. Returns an error for a tensor that may be a mask of unknown rank.
absl::StatusOr<size_t> dimensions_of(const Argument& item, IsInteger is_integer) {
  if (item.is_none() || is_ellipsis(item)) return 0;
  const Node* node = item.node();
  if (node == nullptr || is_integer(item)) return 1;
  FX_ASSIGN_OR_RETURN(const IndexTensor kind, kind_of_index(*node, /*is_last=*/false));
  if (kind == IndexTensor::kFlag) return 0;
  return kind == IndexTensor::kMask ? static_cast<size_t>(node->type().rank()) : 1;
}

/// The items of the index, with full slices instead of `...`. A `...` at the end is omitted.
absl::StatusOr<std::vector<Argument>> items_of(Type tensor, const Argument& index,
                                               IsInteger is_integer) {
  std::vector<Argument> items;
  const size_t count = index.is_tuple() ? index.size() : 1;
  items.reserve(count);
  for (size_t i = 0; i < count; ++i) items.push_back(index.is_tuple() ? index[i] : index);
  const auto at = std::find_if(items.begin(), items.end(), is_ellipsis);
  if (at == items.end()) return items;
  if (std::count_if(items.begin(), items.end(), is_ellipsis) > 1)
    return absl::InvalidArgumentError("an index must have at most one `...`");
  if (at + 1 == items.end()) {
    items.pop_back();
    return items;
  }
  size_t used = 0;
  for (const Argument& item : items) {
    FX_ASSIGN_OR_RETURN(const size_t covered, dimensions_of(item, is_integer));
    used += covered;
  }
  if (!tensor.is_tensor() || !tensor.has_rank())
    return absl::UnimplementedError("the rank of the tensor is unknown: propagate types first");
  if (used > static_cast<size_t>(tensor.rank()))
    return absl::InvalidArgumentError("there are more indices than dimensions");
  const Argument full = Argument::slice(Argument(), Argument(), Argument());
  const auto next = items.erase(at);
  items.insert(next, static_cast<size_t>(tensor.rank()) - used, full);
  return items;
}

/// Converts a list of integers to a tensor.
absl::StatusOr<Node*> tensor_of(const Argument& list, IsInteger is_integer, AddCall add) {
  std::vector<Argument> items;
  for (size_t i = 0; i < list.size(); ++i) {
    if (!is_integer(list[i]))
      return absl::UnimplementedError(
          "a list with items other than integers is not supported as an index");
    const Kwarg dtype[] = {{"dtype", DType::kInt64}};
    FX_ASSIGN_OR_RETURN(Node* const item, add("aten.scalar_tensor.default", {list[i]}, dtype));
    items.emplace_back(item);
  }
  if (items.empty()) return absl::UnimplementedError("an empty list is not supported as an index");
  return add("aten.stack.default", {Argument::list(items)}, {});
}

struct View {
  Argument base;                  ///< the tensor after integers, slices and None are applied
  std::vector<Argument> tensors;  ///< the indices of aten.index; None for a full slice
  bool has_tensors = false;
};

/// Applies the items of an index one by one.
class ViewBuilder {
 public:
  ViewBuilder(const Argument& object, IsInteger is_integer, AddCall add)
      : is_integer_(is_integer), add_(add), view_{.base = object, .tensors = {}} {}

  absl::Status apply(const Argument& item) {
    if (is_integer_(item)) return call("aten.select.int", {item});
    if (item.kind() == ArgumentKind::kSlice) {
      if (!(item[0].is_none() && item[1].is_none() && item[2].is_none())) {
        FX_ASSIGN_OR_RETURN(const Argument start, bound(item[0]));
        FX_ASSIGN_OR_RETURN(const Argument end, bound(item[1]));
        FX_ASSIGN_OR_RETURN(const Argument step, bound(item[2]));
        FX_RETURN_IF_ERROR(
            call("aten.slice.Tensor", {start, end, step.is_none() ? Argument(1) : step}));
      }
    } else {
      FX_RETURN_IF_ERROR(call("aten.unsqueeze.default", {}));
    }
    ++dim_;
    view_.tensors.emplace_back();
    return absl::OkStatus();
  }

  absl::Status index_by_list(const Argument& list) {
    FX_ASSIGN_OR_RETURN(Node* const tensor, tensor_of(list, is_integer_, add_));
    add_index(tensor, 1);
    return absl::OkStatus();
  }

  /// `is_last`: no item follows, so the number of dimensions that this item covers is irrelevant.
  absl::Status index_by(Node& tensor, bool is_last) {
    FX_ASSIGN_OR_RETURN(const IndexTensor kind, kind_of_index(tensor, is_last));
    switch (kind) {
      case IndexTensor::kNumber: {
        FX_ASSIGN_OR_RETURN(Node* const number, add_("aten.item.default", {&tensor}, {}));
        return call("aten.select.int", {number});
      }
      case IndexTensor::kFlag: {
        // aten.index.Tensor fails for some combinations of flags and other tensors.
        FX_RETURN_IF_ERROR(call("aten.unsqueeze.default", {}));
        FX_ASSIGN_OR_RETURN(Node* const mask, add_("aten.unsqueeze.default", {&tensor, 0}, {}));
        add_index(mask, 1);
        return absl::OkStatus();
      }
      case IndexTensor::kMask:
        add_index(&tensor, is_last ? 0 : static_cast<size_t>(tensor.type().rank()));
        return absl::OkStatus();
      case IndexTensor::kIndices:
        add_index(&tensor, 1);
        return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  View finish() { return std::move(view_); }

 private:
  void add_index(Node* tensor, size_t covered) {
    dim_ += static_cast<int64_t>(covered);
    view_.tensors.emplace_back(tensor);
    view_.has_tensors = true;
  }
  /// Returns a bound or step of a slice, a number: the item of a tensor of rank 0.
  absl::StatusOr<Argument> bound(const Argument& value) {
    Node* const node = value.node();
    if (node == nullptr || is_integer_(value) || !node->type().is_tensor()) return value;
    FX_ASSIGN_OR_RETURN(const IndexTensor kind, kind_of_index(*node, /*is_last=*/false));
    if (kind != IndexTensor::kNumber)
      return absl::UnimplementedError(
          fmt::format("{}, a bound of a slice, must be an integer", node->name()));
    FX_ASSIGN_OR_RETURN(Node* const number, add_("aten.item.default", {node}, {}));
    return Argument(number);
  }
  absl::Status call(std::string_view op, std::vector<Argument> args) {
    args.insert(args.begin(), {view_.base, Argument(dim_)});
    FX_ASSIGN_OR_RETURN(Node* const result, add_(op, args, {}));
    view_.base = result;
    return absl::OkStatus();
  }

  IsInteger is_integer_;
  AddCall add_;
  View view_;
  int64_t dim_ = 0;  // a dimension of the current base
};

absl::StatusOr<View> view_of(const Argument& object, const Argument& index, IsInteger is_integer,
                             AddCall add) {
  FX_ASSIGN_OR_RETURN(const std::vector<Argument> items,
                      items_of(object.as_node()->type(), index, is_integer));
  ViewBuilder builder(object, is_integer, add);
  for (size_t i = 0; i < items.size(); ++i) {
    const Argument& item = items[i];
    if (is_integer(item) || item.kind() == ArgumentKind::kSlice || item.is_none()) {
      FX_RETURN_IF_ERROR(builder.apply(item));
    } else if (item.is_node()) {
      FX_RETURN_IF_ERROR(builder.index_by(*item.as_node(), i + 1 == items.size()));
    } else if (item.is_list()) {
      FX_RETURN_IF_ERROR(builder.index_by_list(item));
    } else {
      return absl::UnimplementedError(
          fmt::format("index {} must be an integer, slice, None, `...`, tensor or list of "
                      "integers: use select, narrow or index_select",
                      i));
    }
  }
  return builder.finish();
}

/// Gives `value` the sizes of `target`, to which it is written, as PyTorch's indexing does: removes
/// leading dimensions of size 1, then expands it. `copy_` alone does not accept more dimensions
/// than its target has, or a source that overlaps the target and has other sizes. Returns an error
/// if it is unknown which dimensions must be removed.
absl::StatusOr<Argument> with_sizes(const Argument& value, const Argument& target, AddCall add) {
  const Type from = value.as_node()->type(), to = target.as_node()->type();
  const auto has_rank = [](Type type) { return type.is_tensor() && type.has_rank(); };
  if (!has_rank(from) || !has_rank(to)) {
    return absl::UnimplementedError(
        fmt::format("the rank of {} is unknown: propagate types first",
                    has_rank(from) ? "the tensor that is written to" : value.as_node()->name()));
  }
  const auto list = [](auto first, auto end) {
    std::vector<Argument> sizes;
    for (; first != end; ++first) sizes.emplace_back(first->value());
    return Argument::list(sizes);
  };
  const auto is_constant = [](Dim size) { return size.is_int(); };
  const auto sizes = from.sizes(), wanted = to.sizes();
  if (std::ranges::equal(sizes, wanted)) return value;
  Argument source = value;
  if (!std::ranges::all_of(sizes, is_constant) || !std::ranges::all_of(wanted, is_constant)) {
    size_t dropped = 0;
    for (; dropped + wanted.size() < sizes.size(); ++dropped) {
      if (sizes[dropped] != Dim(1)) {
        return absl::UnimplementedError(
            fmt::format("{} has more dimensions than the tensor that is written to, and size {} "
                        "is unknown",
                        value.as_node()->name(), dropped));
      }
      FX_ASSIGN_OR_RETURN(source, add("aten.select.int", {source, 0, 0}, {}));
    }
    if (std::ranges::equal(sizes.subspan(dropped), wanted)) return source;
    return add("aten.expand_as.default", {source, target}, {});
  }
  const auto first = std::ranges::find_if(sizes, [](Dim size) { return size.value() != 1; });
  if (first != sizes.begin()) {
    FX_ASSIGN_OR_RETURN(source, add("aten.view.default", {source, list(first, sizes.end())}, {}));
  }
  if (std::equal(first, sizes.end(), wanted.begin(), wanted.end())) return source;
  FX_ASSIGN_OR_RETURN(source,
                      add("aten.expand.default", {source, list(wanted.begin(), wanted.end())}, {}));
  return source;
}

/// Returns a lower bound of the rank of the elements that the view's tensors select: tensors replace
/// the dimensions that they cover by the dimensions to which they are broadcast.
int64_t least_selected_rank(const View& view) {
  const Type base = view.base.as_node()->type();
  if (!base.is_tensor() || !base.has_rank()) return 0;
  int64_t covered = 0, broadcast = 0;
  for (const Argument& index : view.tensors) {
    if (!index.is_node()) continue;
    const absl::StatusOr<IndexTensor> kind = kind_of_index(*index.as_node(), /*is_last=*/false);
    if (!kind.ok()) return 0;
    const int64_t rank = index.as_node()->type().rank();
    const bool is_mask = *kind == IndexTensor::kMask;
    covered += is_mask ? rank : 1;
    broadcast = std::max<int64_t>(broadcast, is_mask ? 1 : rank);
  }
  return std::max<int64_t>(base.rank() - covered, 0) + broadcast;
}

/// Removes leading dimensions of size 1 of a value, as PyTorch's indexing does: index_put_ accepts
/// no more dimensions than the elements to which it writes have, and rejects a value that is the
/// tensor itself, but accepts a view of it. Returns an error if it is unknown which dimensions must
/// be removed.
absl::StatusOr<Argument> without_leading_ones(const Argument& value, const View& view,
                                              AddCall add) {
  const std::string name(value.as_node()->name());
  const Type type = value.as_node()->type();
  if (!type.is_tensor() || !type.has_rank()) {
    return absl::UnimplementedError(
        fmt::format("the rank of {} is unknown: propagate types first", name));
  }
  Argument source = value;
  int dim = 0;
  for (; dim < type.rank() && type.size(dim) == Dim(1); ++dim) {
    FX_ASSIGN_OR_RETURN(source, add("aten.select.int", {source, 0, 0}, {}));
  }
  if (type.rank() - dim <= least_selected_rank(view) || type.size(dim).is_int()) return source;
  return absl::UnimplementedError(fmt::format(
      "{} may have more dimensions than the elements that are written to, and size {} is unknown",
      name, dim));
}

/// Writes `value`, a number, to `target`, whose dtype this is, as PyTorch's indexing does, which
/// converts the number to a tensor: fill_ rejects numbers that floats of less than 32 bits cannot
/// represent, where the conversion of -1e9 to float16 is -inf.
absl::Status fill(const Argument& target, DType dtype, const Argument& value, AddCall add) {
  constexpr double kRepresentable = 240;  // in every such dtype: the maximum of float8_e4m3fnuz
  const bool is_small =
      value.is_bool() || (value.is_float() && std::abs(value.as_float()) <= kRepresentable) ||
      (value.is_int() && std::abs(static_cast<double>(value.as_int())) <= kRepresentable);
  const bool is_narrow = dtype == DType::kUndefined || dtype == DType::kComplex32 ||
                         (is_floating_point(dtype) && dtype_item_size(dtype) < 4);
  if (is_small || !is_narrow) return add("aten.fill_.Scalar", {target, value}, {}).status();
  if (dtype == DType::kUndefined)
    return absl::UnimplementedError(
        "this number cannot be written to a tensor of unknown dtype: propagate types first");
  const Kwarg kwargs[] = {{"dtype", dtype}};
  FX_ASSIGN_OR_RETURN(Node* const number, add("aten.scalar_tensor.default", {value}, kwargs));
  return add("aten.fill_.Tensor", {target, number}, {}).status();
}

}  // namespace

absl::Status check_index_types(const Argument& index, IsInteger is_integer) {
  const size_t count = index.is_tuple() ? index.size() : 1;
  for (size_t i = 0; i < count; ++i) {
    const Argument item = index.is_tuple() ? index[i] : index;
    if (!item.is_node() || is_integer(item)) continue;
    FX_RETURN_IF_ERROR(kind_of_index(*item.as_node(), i + 1 == count).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<Node*> lower_index(const Argument& object, const Argument& index,
                                  IsInteger is_integer, AddCall add) {
  FX_ASSIGN_OR_RETURN(const View view, view_of(object, index, is_integer, add));
  if (view.has_tensors)
    return add("aten.index.Tensor", {view.base, Argument::list(view.tensors)}, {});
  // `x[...]` is a new tensor, whose sizes `t_` may change without those of `x`.
  Node* const base = view.base.as_node();
  return base == object.node() ? add("aten.alias.default", {object}, {}) : base;
}

absl::Status lower_set_index(const Argument& object, const Argument& index, const Argument& value,
                             IsInteger is_integer, AddCall add) {
  FX_ASSIGN_OR_RETURN(const View view, view_of(object, index, is_integer, add));
  const Node* node = value.node();
  const bool is_tensor = node != nullptr && (!node->type() || node->type().is_tensor());
  if (!view.has_tensors) {
    // If the value is 0-dimensional and the target is not, Python fills the target; the value may
    // be a view of the target.
    const bool is_scalar = is_tensor && node->type().is_tensor() && node->type().has_rank() &&
                           node->type().rank() == 0 &&
                           node->type().device().type == DeviceType::kCpu;
    const Type to = view.base.as_node()->type();
    // with_sizes() rejects a target of unknown rank. Both calls write the same elements, but fill_
    // rejects numbers that copy_ converts, and autograd ignores copies to integers, but not fills.
    const bool fills = is_scalar && to.is_tensor() && to.has_rank() && to.rank() > 0;
    if (!is_tensor) {
      const Type type = object.as_node()->type();
      return fill(view.base, type.is_tensor() ? type.dtype() : DType::kUndefined, value, add);
    }
    if (fills) return add("aten.fill_.Tensor", {view.base, value}, {}).status();
    FX_ASSIGN_OR_RETURN(const Argument source, with_sizes(value, view.base, add));
    return add("aten.copy_.default", {view.base, source}, {}).status();
  }
  Argument source = value;
  if (!is_tensor) {
    const Type type = object.as_node()->type();
    if (!type.is_tensor() || type.dtype() == DType::kUndefined)
      return absl::UnimplementedError(
          "a number cannot be written to a tensor of unknown dtype: propagate types first");
    const Kwarg dtype[] = {{"dtype", type.dtype()}};
    FX_ASSIGN_OR_RETURN(source, add("aten.scalar_tensor.default", {value}, dtype));
  } else {
    FX_ASSIGN_OR_RETURN(source, without_leading_ones(value, view, add));
  }
  return add("aten.index_put_.default", {view.base, Argument::list(view.tensors), source}, {})
      .status();
}

std::optional<int64_t> constant_item(const Node& node) {
  const Target function = node.function();
  if (node.num_args() != 2 || function.name() != "operator.getitem") return std::nullopt;
  return constant_item(node, function);
}

std::optional<std::pair<Node*, size_t>> selected_item(const Node& node) {
  const std::optional<int64_t> item = constant_item(node);
  if (!item) return std::nullopt;
  Node* const source = node.arg(0).as_node();
  if (!source->type().is_tuple() && !source->type().is_list()) return std::nullopt;
  const auto count = static_cast<int64_t>(source->type().items().size());
  const int64_t index = *item < 0 ? *item + count : *item;
  if (index < 0 || index >= count) return std::nullopt;
  return std::pair(source, static_cast<size_t>(index));
}

std::optional<std::vector<int64_t>> sliced_indices(const SliceBounds& slice, int64_t count) {
  const int64_t step = slice.step.value_or(1);
  if (step == 0) return std::nullopt;
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? count : count - 1;
  const auto clamped = [&](std::optional<int64_t> bound, int64_t otherwise) {
    if (!bound) return otherwise;
    return std::clamp(*bound < 0 ? *bound + count : *bound, low, high);
  };
  const int64_t first = clamped(slice.start, step > 0 ? low : high);
  const int64_t end = clamped(slice.stop, step > 0 ? high : low);
  std::vector<int64_t> indices;
  // A step may be longer than the list, and adding it might overflow.
  const int64_t stride = std::clamp(step, -count - 1, count + 1);
  for (int64_t i = first; step > 0 ? i < end : i > end; i += stride) indices.push_back(i);
  return indices;
}

std::optional<std::vector<int64_t>> sliced_indices(const Argument& slice, int64_t count) {
  if (slice.kind() != ArgumentKind::kSlice) return std::nullopt;
  for (size_t i = 0; i < 3; ++i)
    if (!slice[i].is_none() && !slice[i].is_int()) return std::nullopt;
  const auto number = [&](size_t i) {
    return slice[i].is_none() ? std::nullopt : std::optional<int64_t>(slice[i].as_int());
  };
  return sliced_indices(SliceBounds{number(0), number(1), number(2)}, count);
}

absl::StatusOr<std::optional<Argument>> sliced_items(const Argument& items, const Argument& slice) {
  if (slice[2].is_int() && slice[2].as_int() <= 0)
    return absl::UnimplementedError("the step of a list slice must be positive");
  const auto indices = sliced_indices(slice, static_cast<int64_t>(items.size()));
  if (!indices) return std::nullopt;
  std::vector<Argument> selected;
  for (const int64_t i : *indices) selected.push_back(items[static_cast<size_t>(i)]);
  return items.is_list() ? Argument::list(selected) : Argument::tuple(selected);
}

}  // namespace fx
