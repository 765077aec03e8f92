// Splits a graph into modules that run in the order of their numbers.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/passes/partition/outline_internal.h"
#include "fx/passes/partition/split_module.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>

namespace fx::internal {

struct OrderedParts {
  size_t count = 0;
  /// Returns the number of a call, less than `count`. Calls that must run before it because of
  /// effects must not have greater numbers; this is not checked.
  absl::FunctionRef<uint32_t(const Node& call)> number_of;
  /// Returns the name of a module; its text is valid until the next call.
  absl::FunctionRef<PartName(size_t number)> name_of;
};

/// Equivalent to split_by_tags (split_module.h) with numbers instead of tags. Takes time linear in
/// nodes, operands and parts. Errors in operands are reported as by split_by_tags.
absl::StatusOr<SplitModuleResult> split_in_order(const Graph& graph, const Module& root,
                                                 const OrderedParts& parts,
                                                 const SplitByTagsOptions& options);

/// Splits `graph` itself, like split_for_backend_in_place. Returns true if there are parts.
absl::StatusOr<bool> split_in_order_in_place(Graph& graph, Module& root, const OrderedParts& parts,
                                             const SplitByTagsOptions& options);

}  // namespace fx::internal
