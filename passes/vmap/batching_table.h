// BatchingTable: the batching rules of operators. To add a rule:
//
//   fx::BatchingTable table = fx::BatchingTable::standard();      // fxcpp's rules
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

class Context;

/// Returns the batched result of a call: a Proxy; for multiple results, a Proxy of a tuple or a
/// tuple of Proxies. Returns Batch::shared for a result that does not depend on the batch, and
/// Batch::reject if the rule does not cover the call.
using BatchingFunction = std::function<AnyArg(Batch& b)>;

enum class BatchKind : uint8_t {
  /// Operands broadcast: their last dimensions are aligned. Applies to all operators with the trait
  /// kPointwise that have no entry.
  kPointwise,
  /// The operator uses only the last dimensions; any dimensions may come before them.
  kLeading,
  /// Like kLeading if only the first operand is batched; otherwise the operator is decomposed.
  kLeadingFirst,
  /// The arguments in `dims` are dimension indices.
  kDims,
  /// The first dimension of operands with more than `unbatched_rank` dimensions is already a batch,
  /// and is merged with the batch of examples.
  kFold,
  kByFunction,  ///< calls `function`
};

struct BatchingRule {
  std::string op = {};  ///< the target of a call_function: `aten.mm.default`
  BatchKind kind = BatchKind::kByFunction;
  /// kDims: names of arguments, each a dimension, a list of dimensions or None: `"dim0, dim1"`.
  /// None or an empty list means all dimensions.
  std::string dims = {};
  int64_t unbatched_rank = 0;  ///< kFold: the number of dimensions without a batch
  BatchingFunction function = {};
};

/// The batching rules of operators. See the top of this file.
class BatchingTable {
 public:
  /// Returns fxcpp's rules, in a table that is created once.
  static const BatchingTable& standard();
  /// Returns the table of the Context; standard() if it has none. Functions use it for the graphs
  /// of the Context unless the caller passes a different table.
  static const BatchingTable& of(const Context& context);
  /// Returns the table of the Context for modification. The first call creates it as a copy of
  /// standard(). Not thread-safe while other threads use the Context.
  static BatchingTable& own(Context& context);

  /// Adds a rule. Returns InvalidArgument for a rule without an operator, or unless exactly the
  /// fields that its kind requires are set; AlreadyExists for an operator that has a rule.
  absl::Status add(BatchingRule rule);
  /// Adds a rule, or replaces the existing rule of the operator.
  absl::Status replace(BatchingRule rule);
  /// Returns the rule of an operator; null if it has none.
  const BatchingRule* find(std::string_view op) const;
  /// Returns the rules in the order of addition. The reference and pointers are valid until the
  /// next addition.
  const std::vector<BatchingRule>& rules() const { return rules_; }

 private:
  std::vector<BatchingRule> rules_;
  absl::flat_hash_map<std::string, size_t> by_op_;
};

}  // namespace fx
