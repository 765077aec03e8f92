// The cost of calls: counts floating-point operations from the sizes of their operands.
//
// Counts as torch.utils.flop_counter.FlopCounterMode does: a multiplication and the following
// addition are 2, additions of a bias and all pointwise operations are 0, and the mask of attention
// is not counted. There is one row per operator (flops.cpp), forward and backward operators alike.
// FlopCounterMode covers the operators that run on GPUs; the table also has rows for attention and
// recurrent layers in libtorch's CPU form, for products with vectors, and for the composite
// operators of exported programs.
//
// Custom operators:
//
//   fx::FlopFormulas formulas;
//   FX_RETURN_IF_ERROR(formulas.add(context, "mylib.mix.default", [](const fx::FlopCall& call) {
//     return 3 * fx::numel(call.sizes("x"));
//   }));
//   fx::summarize(graph, {.formulas = &formulas});
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fx {

class Context;

/// The call whose operations a formula counts. Arguments are named as in the schema.
class FlopCall {
 public:
  explicit FlopCall(const Node& node) : node_(node) {}

  const Node& node() const { return node_; }
  /// Returns the value of an argument, or its default; None if the schema has no such argument.
  Argument argument(std::string_view name) const;
  /// Returns the type of a tensor argument; null for None, numbers and unknown types.
  Type tensor(std::string_view name) const;
  /// Returns the sizes of a tensor argument; empty if tensor() is null.
  absl::Span<const Dim> sizes(std::string_view name) const;
  /// Returns the sizes of tensor `i` of the result; empty if the result has no such tensor.
  absl::Span<const Dim> result_sizes(size_t i = 0) const;
  bool flag(std::string_view name) const;

  /// Records that the formula does not apply to this call, and why. Returns 0, so that a formula
  /// can return the result of this function.
  Dim fail(std::string reason) const;
  const std::string& failure() const { return failure_; }

 private:
  const Node& node_;
  mutable std::string failure_;
};

/// Returns the number of floating-point operations of a call.
using FlopFormula = std::function<Dim(const FlopCall& call)>;

/// Custom formulas, which take precedence over the built-in ones. Not thread-safe while formulas
/// are added.
class FlopFormulas {
 public:
  /// Adds a formula for one overload (`aten.mm.default`) or all overloads (`aten.mm`). Returns
  /// NotFound if the Context has no such operator: add it to the Context first.
  absl::Status add(Context& context, std::string_view op, const FlopFormula& formula);
  const FlopFormula* find(const ops::OpInfo& op) const;

 private:
  absl::flat_hash_map<const ops::OpInfo*, FlopFormula> formulas_;
};

/// A row of the built-in table.
struct FlopRow {
  std::string_view packet;  ///< "aten.mm": all overloads, including in-place and out= forms
  Dim (*formula)(const FlopCall& call);
  std::string_view source;  ///< the source of the formula
};
absl::Span<const FlopRow> flop_rows();
/// Returns the row of an operator, or null if its calls count as 0.
const FlopRow* find_flop_row(const ops::OpInfo& op);
/// True for operators that multiply matrices but have no row, such as `einsum`. A total without
/// these operators is too small, and reports must mention that. Decomposed graphs contain none of
/// them.
bool is_uncounted_product(const ops::OpInfo& op);

/// Returns the number of operations of a call, symbolic if sizes are symbolic; 0 for a node that is
/// not a call to an operator with a formula. Returns InvalidArgument, with the node, if types that
/// the formula needs are missing, or if the operands do not match it.
absl::StatusOr<Dim> count_flops(const Node& node, const FlopFormulas* formulas = nullptr);

}  // namespace fx
