// Parts that run one after the other, by number, as modules.
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
  /// Of each call, below `count`. Those that it must not run before, for their effects, have no
  /// larger one: that is not looked at again.
  absl::FunctionRef<uint32_t(const Node& call)> number_of;
  /// What the module is called; its text is good until the next one.
  absl::FunctionRef<PartName(size_t number)> name_of;
};

/// split_by_tags (split_module.h) with numbers for tags: linear in nodes, operands and parts. Its
/// errors about what calls read.
absl::StatusOr<SplitModuleResult> split_in_order(const Graph& graph, const Module& root,
                                                 const OrderedParts& parts,
                                                 const SplitByTagsOptions& options);

/// The same to `graph` itself, as split_for_backend_in_place has it. Whether there are any.
absl::StatusOr<bool> split_in_order_in_place(Graph& graph, Module& root, const OrderedParts& parts,
                                             const SplitByTagsOptions& options);

}  // namespace fx::internal
