// What of an OperatorSupport follows from the function that is called alone.
#pragma once

#include "fx/ir/node.h"
#include "fx/ir/target.h"
#include "fx/passes/partition/operator_support.h"

#include "absl/types/span.h"

#include <optional>
#include <string_view>
#include <vector>

namespace fx::internal {

/// The predicate that supports_targets gives.
class TargetSupport {
 public:
  TargetSupport(absl::Span<const SupportedTarget> rows, const Module* root);

  bool operator()(const Node& node) const;

  /// What it says of every call of the function; nothing where arguments matter.
  std::optional<bool> of_function(Target function) const;

 private:
  absl::Span<const SupportedTarget> rows_of(std::string_view target) const;

  std::vector<SupportedTarget> rows_;
  const Module* root_;
};

}  // namespace fx::internal
