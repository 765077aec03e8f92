// Errors at a node: the status that interpreters, type functions and libtorch's evaluator return
// when a node fails.
//
//   node mm (aten.mm.default, model.py:12): mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)
//     mm = aten.mm.default(x: f32[2, 3], x: f32[2, 3])
//     File "model.py", line 12, in forward
//       return x @ x
//
// The last two lines are the node's stack trace, if it has one (metadata `stack_trace`).
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/name.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// The description of a node in messages. Valid as long as the Context exists, even after the node
/// is erased.
struct NodeLabel {
  Name name;
  Opcode op;
  Symbol target;
  Argument stack_trace;  ///< a string, or None

  static NodeLabel of(const Node& node);
  /// "node mm (aten.mm.default, model.py:12)". The opcode comes before the path of a get_attr or
  /// call_module and the name of a method. The position is omitted if there is no stack trace.
  std::string str() const;
};
/// NodeLabel::of(node).str().
std::string describe(const Node& node);

/// "mm = aten.mm.default(x: f32[2, 3], y: f32[3])": each operand once per occurrence, with the type
/// that `type_of(i, operand)` returns, by default the recorded type.
std::string describe_call(const Node& node);
std::string describe_call(const Node& node,
                          absl::FunctionRef<std::string(size_t i, const Node& operand)> type_of);

/// The text at the top of this file; `call` may be empty.
std::string node_message(const NodeLabel& label, std::string_view call, std::string_view reason);
/// `status` with node_message as its message, and with the node's name, which failed_node returns.
/// Payloads are kept, including the name of an inner node.
absl::Status node_error(const NodeLabel& label, std::string_view call, const absl::Status& status);
absl::Status node_error(const Node& node, const absl::Status& status);

/// The name of the node at which a run failed; the innermost one if runs are nested. For tools.
std::optional<std::string> failed_node(const absl::Status& status);

}  // namespace fx
