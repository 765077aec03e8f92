// Indexing: converts tensor indexing (`x[0, 1:, None, mask]`) to calls to ATen operators, and
// returns the constant indices of items and slices.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/graph/target.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// Adds a call to an operator (`aten.select.int`), with a type if it can be computed.
using AddCall = absl::FunctionRef<absl::StatusOr<Node*>(
    std::string_view op, absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs)>;

/// True if the caller knows that the value of this index item is an integer.
using IsInteger = absl::FunctionRef<bool(const Argument& item)>;

/// Returns Unimplemented if the types of the tensors in an index do not determine how indexing uses
/// them: an integer of rank 0 like a number, and a mask for as many dimensions as its rank.
absl::Status check_index_types(const Argument& index, IsInteger is_integer);

/// Lowers `object[index]` for a tensor, as torch.Tensor.__getitem__ does: views for integers
/// (including tensors of rank 0, whose values are read), slices, None and `...`, then one
/// aten.index.Tensor for other tensors and lists of integers. `index` is an item or a tuple of
/// items. InvalidArgument for more indices than dimensions; Unimplemented for `...` before other
/// items if the rank is unknown, for other kinds of items, for a tensor of unknown rank that is not
/// a mask, and for a tensor of unknown dtype that other items follow: a mask covers as many
/// dimensions as its rank, and other tensors cover one.
absl::StatusOr<Node*> lower_index(const Argument& object, const Argument& index,
                                  IsInteger is_integer, AddCall add);

/// Returns the index if `node` is a call to operator.getitem with a node and a constant integer
/// (not a bool); nullopt for other nodes. The index may be negative or out of range, and the
/// operand may be a list or a tensor.
std::optional<int64_t> constant_item(const Node& node);
/// The same, for hot paths: does not compare names. `getitem` must be the Target of
/// operator.getitem.
inline std::optional<int64_t> constant_item(const Node& node, Target getitem) {
  if (!node.is(getitem) || node.num_args() != 2 || !node.arg(0).is_node() || !node.arg(1).is_int())
    return std::nullopt;
  return node.arg(1).as_int();
}

/// Returns the list or tuple and the index, from 0, of the item that `node` selects with a constant
/// index; nullopt for other nodes, for a value whose type is not that of a list or tuple, and for
/// an index out of range.
std::optional<std::pair<Node*, size_t>> selected_item(const Node& node);

/// The bounds and the step of a slice of a list; nullopt where the slice omits one.
struct SliceBounds {
  std::optional<int64_t> start, stop, step;
};

/// Returns the indices of the items that a slice selects from `count` items, as Python's
/// `range(*slice.indices(count))`; nullopt if the step is 0.
std::optional<std::vector<int64_t>> sliced_indices(const SliceBounds& slice, int64_t count);
/// The same for an argument; also nullopt if it is not a slice, or if one of its items is not
/// constant.
std::optional<std::vector<int64_t>> sliced_indices(const Argument& slice, int64_t count);

/// Returns `items[slice]` for a literal list or tuple; nullopt if a bound is a node. Unimplemented
/// if the step is not positive.
absl::StatusOr<std::optional<Argument>> sliced_items(const Argument& items, const Argument& slice);

/// Lowers `object[index] = value`.
absl::Status lower_set_index(const Argument& object, const Argument& index, const Argument& value,
                             IsInteger is_integer, AddCall add);

}  // namespace fx
