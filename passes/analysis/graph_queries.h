// Queries that multiple passes use.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"

#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace fx {

/// True if a call may write to memory of its arguments (`add_`, `out=`, unknown functions). If no
/// call does, a tensor may be replaced by a different tensor of equal value.
bool writes_to_arguments(const Graph& graph);

/// Returns the operator of a call_function or call_method; null if the operator is unknown, and for
/// nodes of other kinds.
const ops::OpInfo* called_operator(const Node& node);

/// True if the tensor is known not to be complex.
bool has_real_dtype(Type type);
/// True if types do not determine whether the operator copies an operand of this type:
/// `resolve_conj` copies only conjugated tensors, and types do not record conjugation.
bool may_resolve(const ops::OpInfo& op, Type operand);

/// True if the output uses the node, directly or within lists.
bool is_returned(const Node& node);

/// Returns, for each value, the last node that uses it, in program order; null for a value without
/// users.
NodeMap<const Node*> last_users(const Graph& graph);

/// Returns the operands of a call that runs graphs, in the order of the graphs' inputs, null for
/// numbers; nullopt if they are unknown.
std::optional<std::vector<const Node*>> operands_of_graphs(const Node& call);
/// Returns the number of values that a loop (while_loop, scan) carries from one step to the next:
/// this number of leading results of its last graph (the step) become the leading inputs of its
/// graphs in the next step. 0 for other calls; nullopt if the number is unknown.
std::optional<size_t> num_carried_values(const Node& call);

/// Returns the graphs of a call (graphs_of_call) whose results the call may return: not the condition
/// of a loop, and not a graph whose results it only stacks, which creates new memory.
absl::InlinedVector<const Graph*, 2> result_graphs(const Node& call);

/// Returns the nested graphs that calls run with autocast enabled or in a mode (is_in_dtype_mode),
/// and the graphs nested in them. Autocast converts the operands of some operators to other dtypes.
absl::flat_hash_set<const Graph*> graphs_in_autocast(const Graph& graph);

/// Sets the type of `node`, a call_function, from the types of its operands (infer_type) if
/// possible; otherwise `node` remains without a type.
void try_infer_type(Node& node);

}  // namespace fx
