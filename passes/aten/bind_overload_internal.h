// Which overload of an operator a call of Python's means, and with which arguments.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string_view>
#include <vector>

namespace fx::aten {

/// A call of one overload: arguments as its schema has them, trailing defaults left out.
struct BoundCall {
  const ops::OpInfo* op = nullptr;
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
};

/// The overload of `packet` (`aten.add`) that takes these arguments with the fewest conversions,
/// the first of PyTorch's order where several do: a node counts as what its type says, as a tensor
/// when that is unknown. As PyTorch's Python does, it takes integers one by one for a last list of
/// them (`x.view(2, 3)`), one for a list of a fixed size, an int for a float, a number for a
/// tensor. NotFound for a packet that there is not, InvalidArgument when no overload takes the
/// arguments.
absl::StatusOr<BoundCall> bind_overload(const Context& context, std::string_view packet,
                                        absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs);

}  // namespace fx::aten
