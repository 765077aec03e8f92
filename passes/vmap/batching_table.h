// BatchingTable: how operators are batched. A rule of your own:
//
//   fx::BatchingTable table = fx::BatchingTable::standard();      // fxcpp's own
//   FX_RETURN_IF_ERROR(table.add({.op = "user.row_norm.default", .kind = fx::BatchKind::kDims,
//                                 .dims = "dim"}));
//   fx::vmap(graph, {.table = &table});
//
// In a batched graph the batch is dimension 0 of each value that depends on it.
#pragma once

#include "fx/passes/vmap/batch.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Returns the batched result of a call: a Proxy; for several results one of a tuple, or a tuple of
/// Proxies. Batch::shared for a result that does not depend on the batch. Batch::refuse when the rule
/// does not cover the call.
using BatchingFunction = std::function<AnyArg(Batch& b)>;

enum class BatchKind : uint8_t {
  /// Operands broadcast: their last dimensions are aligned. Of all operators with the trait
  /// kPointwise, without an entry.
  kPointwise,
  /// The operator works on the last dimensions, whatever is before them.
  kLeading,
  /// The same, when only the first operand is batched; otherwise the operator is decomposed.
  kLeadingFirst,
  /// The arguments `dims` count dimensions.
  kDims,
  /// The first dimension of operands with more than `kept` dimensions is a batch already: both are
  /// made one.
  kFold,
  kByFunction,  ///< `function`
};

struct BatchingRule {
  std::string op;  ///< the target of a call_function: `aten.mm.default`
  BatchKind kind = BatchKind::kByFunction;
  /// kDims: names of arguments, each a dimension, a list of dimensions or None, `"dim0, dim1"`. None
  /// or an empty list are all dimensions.
  std::string dims = {};
  int64_t kept = 0;  ///< kFold
  BatchingFunction function = {};
};

/// See the head of this file.
class BatchingTable {
 public:
  /// fxcpp's own. Made once.
  static const BatchingTable& standard();

  /// InvalidArgument for a rule without an operator, or without what its kind needs; AlreadyExists
  /// for an operator that has a rule.
  absl::Status add(BatchingRule rule);
  /// The same, also for an operator that has a rule.
  absl::Status replace(BatchingRule rule);
  /// Null when the operator has no rule.
  const BatchingRule* find(std::string_view op) const;
  /// In the order of addition; pointers into it are valid until the next one.
  const std::vector<BatchingRule>& rules() const { return rules_; }

 private:
  std::vector<BatchingRule> rules_;
  absl::flat_hash_map<std::string, size_t> by_op_;
};

}  // namespace fx
