// OperatorSupport: composable predicates for the nodes that a backend can run.
//
//   fx::OperatorSupport support = fx::all_of({
//       fx::supports_targets({{.target = "aten.mm.default"}, {.target = "aten.relu.default"}}),
//       fx::declines_input_dtype(fx::DType::kFloat64)});
//
// Corresponds to OperatorSupport, chain, any_chain and OpSupports in torch.fx's
// passes.operator_support.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/module/module.h"
#include "fx/ir/types/dtype.h"

#include "absl/types/span.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// Returns true if a backend can run the node. Only the results for calls matter; the predicates
/// below return true for other nodes (inputs, get_attr, output), as torch.fx does. It may be called
/// multiple times for a node and must return the same result.
using OperatorSupport = std::function<bool(const Node&)>;

/// Returns the name of a call in a support table: the function, the method, or the class of the
/// called module (in `root`; "" if there is none). Corresponds to torch.fx's get_node_target.
std::string_view support_target(const Node& node, const Module* root);

/// A row of a support table: the target, and the allowed dtypes of its arguments. A position
/// without an entry, or with an empty entry, allows any dtype.
struct SupportedTarget {
  std::string target;
  std::vector<std::optional<std::vector<DType>>> args = {};
  std::vector<std::pair<std::string, std::vector<DType>>> kwargs = {};
};

/// Supports calls that have a row and whose operands have dtypes that the row allows. If a row
/// lists dtypes, operands of unknown dtype are not supported. `root`, as in support_target, must
/// outlive the predicate.
OperatorSupport supports_targets(absl::Span<const SupportedTarget> rows,
                                 const Module* root = nullptr);
OperatorSupport supports_targets(absl::Span<const std::string> targets,
                                 const Module* root = nullptr);

/// Return the conjunction (disjunction) of predicates. Corresponds to torch.fx's chain, any_chain.
OperatorSupport all_of(std::vector<OperatorSupport> parts);
OperatorSupport any_of(std::vector<OperatorSupport> parts);

/// Return predicates that reject calls with an operand of this dtype, or nodes with these names.
OperatorSupport declines_input_dtype(DType dtype);
OperatorSupport declines_names(absl::Span<const std::string> names);

}  // namespace fx
