// The part of an OperatorSupport that depends only on the called function.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/graph/target.h"
#include "fx/passes/partition/operator_support.h"

#include "absl/types/span.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace fx::internal {

/// The predicate that supports_targets returns.
class TargetSupport {
 public:
  TargetSupport(absl::Span<const SupportedTarget> rows, const Module* root);

  bool operator()(const Node& node) const;

  /// Returns the result for every call to the function; nullopt if it depends on the arguments.
  std::optional<bool> of_function(Target function) const;

 private:
  absl::Span<const SupportedTarget> rows_of(std::string_view target) const;

  std::vector<SupportedTarget> rows_;
  const Module* root_;
};

/// Evaluates a predicate for calls. If the result depends only on the function, evaluates it once
/// per function.
class SupportByFunction {
 public:
  explicit SupportByFunction(const OperatorSupport& support)
      : support_(support), by_target_(support.target<TargetSupport>()) {}

  bool operator()(const Node& call) {
    const Target function = call.function();
    if (!function || by_target_ == nullptr) return support_(call);
    Known& known = known_[function.symbol().index_below(kNumKnown)];
    if (known.function != function) known = {function, by_target_->of_function(function)};
    return known.is_supported ? *known.is_supported : support_(call);
  }

 private:
  struct Known {
    Target function;
    std::optional<bool> is_supported = {};  // nullopt: depends on the call
  };
  static constexpr size_t kNumKnown = 64;  // most graphs call fewer functions

  const OperatorSupport& support_;
  const TargetSupport* by_target_;  // null if support depends on the call
  std::array<Known, kNumKnown> known_;
};

}  // namespace fx::internal
