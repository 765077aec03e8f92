// How much arithmetic a call does: floating point operations from the sizes of its operands.
//
// Counted as torch.utils.flop_counter.FlopCounterMode counts: a multiplication and the addition
// that follows it are 2, additions of a bias and everything pointwise are 0, and attention is
// counted without its mask. One row per operator (flops.cpp), forward and backward operators alike.
// Beyond FlopCounterMode's operators, which are those of GPUs, there are rows for attention and
// recurrent layers as libtorch runs them on the CPU, for products with vectors, and for the
// composite operators that exported programs hold.
//
// Own operators:
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

/// One call, as a formula sees it: arguments by their names in the schema.
class FlopCall {
 public:
  explicit FlopCall(const Node& node) : node_(node) {}

  const Node& node() const { return node_; }
  /// The value of an argument, or its default; None when the schema has no such argument.
  Argument argument(std::string_view name) const;
  /// What is known of the tensor given for an argument: null for None, numbers and unknown types.
  Type tensor(std::string_view name) const;
  /// Its sizes; empty where tensor() is null.
  absl::Span<const Dim> sizes(std::string_view name) const;
  /// The sizes of tensor number `i` of the result; empty where there is none.
  absl::Span<const Dim> result_sizes(size_t i = 0) const;
  bool flag(std::string_view name) const;

  /// A formula that cannot apply to this call says why; the count is then nothing.
  Dim fail(std::string reason) const;
  const std::string& failure() const { return failure_; }

 private:
  const Node& node_;
  mutable std::string failure_;
};

/// The number of operations of one call.
using FlopFormula = std::function<Dim(const FlopCall& call)>;

/// Formulas of the user's own, in front of the built-in ones. Add first, then share.
class FlopFormulas {
 public:
  /// For one overload (`aten.mm.default`) or all of them (`aten.mm`). NotFound when the Context
  /// knows no such operator: add it to the Context first.
  absl::Status add(Context& context, std::string_view op, const FlopFormula& formula);
  const FlopFormula* find(const ops::OpInfo& op) const;

 private:
  absl::flat_hash_map<const ops::OpInfo*, FlopFormula> own_;
};

/// A row of the built-in table.
struct FlopRow {
  std::string_view packet;  ///< "aten.mm": all overloads, in-place and out= forms too
  Dim (*formula)(const FlopCall& call);
  std::string_view source;  ///< where the formula is from
};
absl::Span<const FlopRow> flop_rows();
/// The row of an operator, or null: its calls count nothing.
const FlopRow* find_flop_row(const ops::OpInfo& op);
/// True for operators that multiply matrices though no row says how often: `einsum`. A
/// total that leaves them out is too small, and should say so. Decomposed graphs have none.
bool is_uncounted_product(const ops::OpInfo& op);

/// The operations of a call, symbolic where sizes are; 0 for nodes that are no call of an operator
/// with a formula. InvalidArgument, naming the node, when types are missing that the formula wants,
/// or the operands do not fit it.
absl::StatusOr<Dim> count_flops(const Node& node, const FlopFormulas* formulas = nullptr);

}  // namespace fx
