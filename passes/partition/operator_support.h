// OperatorSupport: what a backend can run, as predicates over nodes that combine.
//
//   fx::OperatorSupport support = fx::all_of({
//       fx::supports_targets({{.target = "aten.mm.default"}, {.target = "aten.relu.default"}}),
//       fx::declines_input_dtype(fx::DType::kFloat64)});
//
// torch.fx's passes.operator_support: OperatorSupport, chain, any_chain, OpSupports.
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

/// Whether a node can be run. Asked about calls; the others (inputs, get_attr, output) are no
/// matter of a backend, and what follows says yes to them, as torch.fx does. It may be asked about
/// a node more than once, and says the same each time.
using OperatorSupport = std::function<bool(const Node&)>;

/// The name by which a table of support knows a call: the function, the method, or the class of the
/// module that is called (looked up in `root`; "" where there is none). torch.fx's get_node_target.
std::string_view support_target(const Node& node, const Module* root);

/// One row of a table of support: the target, and which dtypes its arguments may have. A position
/// without an entry, or with nothing in it, takes any.
struct SupportedTarget {
  std::string target;
  std::vector<std::optional<std::vector<DType>>> args = {};
  std::vector<std::pair<std::string, std::vector<DType>>> kwargs = {};
};

/// Calls that have a row, and operands with dtypes that it allows. An operand whose dtype is not
/// known is refused where a row lists dtypes. `root` as above; it must outlive the predicate.
OperatorSupport supports_targets(absl::Span<const SupportedTarget> rows,
                                 const Module* root = nullptr);
OperatorSupport supports_targets(absl::Span<const std::string> targets,
                                 const Module* root = nullptr);

/// What all (any) of these support. torch.fx's chain, any_chain.
OperatorSupport all_of(std::vector<OperatorSupport> parts);
OperatorSupport any_of(std::vector<OperatorSupport> parts);

/// Declines calls that read a tensor of this dtype, or nodes of these names.
OperatorSupport declines_input_dtype(DType dtype);
OperatorSupport declines_names(absl::Span<const std::string> names);

}  // namespace fx
