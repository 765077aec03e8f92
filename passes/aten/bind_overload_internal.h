// Binds a Python call to an overload of an operator.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"
#include "fx/passes/aten/value_kinds_internal.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string_view>
#include <vector>

namespace fx::aten {

/// A call to one overload: arguments in the order of its schema, without trailing defaults.
struct BoundCall {
  const ops::OpInfo* op = nullptr;
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
};

/// Converts the keyword arguments of a call to a function of torch's bindings, such as torch.zeros,
/// to those of its operator; see ops/packets.h. Unimplemented for requires_grad=True.
absl::Status convert_binding_keywords(const Context& context, std::string_view function,
                                      std::string_view packet, size_t num_args,
                                      std::vector<Kwarg>& kwargs);

/// Returns the overload of `packet` (`aten.add`) that choose_overload() chooses, with its arguments
/// converted to the types of the schema: separate integers become a list, a single number becomes a
/// fixed-size list, and an int becomes a float. `kind_of` returns the kinds of values without types;
/// `is_method` is that of CallArguments. Returns NotFound if the packet does not exist, and
/// InvalidArgument if no overload accepts the arguments, and unknown_kind for a keyword argument
/// that may be a tensor or a number.
absl::StatusOr<BoundCall> bind_overload(const Context& context, std::string_view packet,
                                        absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs,
                                        absl::FunctionRef<ValueKind(const Argument&)> kind_of,
                                        bool is_method = false);

/// Returns Unimplemented if a tensor is passed for a number: Python's functions accept a tensor of
/// rank 0 and read its item, but operators do not. InvalidArgument if a number is passed for a bool,
/// which only operators accept.
absl::Status check_numbers(const ops::OpInfo& op, absl::Span<const Argument> args,
                           absl::Span<const Kwarg> kwargs,
                           absl::FunctionRef<ValueKind(const Argument&)> kind_of);

}  // namespace fx::aten
