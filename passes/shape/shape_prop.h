// Native shape propagation: the type of every node, without running anything and without libtorch.
//
//   FX_ASSIGN_OR_RETURN(Type type, infer_type(node));        one call, from the types of its inputs
//   ShapeReport report = propagate_types(graph);             all calls of a graph, in order
//   if (!report.ok()) std::cerr << report.str();
//
// Inputs (placeholders, get_attr) must have their types; calls get theirs. Sizes may be symbolic:
// what a result relies on is recorded as guards (shape_env.h). requires_grad is not inferred.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/target.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/shape_env.h"
#include "fx/passes/shape/type_cache.h"
#include "fx/passes/shape/type_call.h"
#include "fx/passes/shape/type_rules.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string>
#include <vector>

namespace fx {

struct InferOptions {
  /// Has the ranges of symbols, and records guards. Without one nothing is assumed: a type that
  /// relies on a relation of sizes which the ranges and guards of the node's graph do not decide is
  /// unknown, and so is one with a size that depends on data.
  ShapeEnv* env = nullptr;
  /// Rules of the user's own, before the built-in ones.
  const TypeRules* rules = nullptr;
};

/// The type of a call_function from the types of its operands; the node's own type is not looked
/// at. The null Type: an operand's type is unknown, or the result depends on data. NotFound: the
/// operator has no type function. InvalidArgument: the call cannot be (sizes, dtypes, arguments).
absl::StatusOr<Type> infer_type(const Node& node, const InferOptions& options = {});
/// Gives a node that has no type the one that it must have: a call of an operator that of
/// infer_type, a get_attr that of the owning module's tensor. False when it has one already, or
/// none can be known.
bool set_inferred_type(Node& node, const InferOptions& options = {});

/// A result's type, and which of its tensors share their storage with which arguments.
struct InferredCall {
  Type type;
  absl::InlinedVector<TypeAlias, 2> aliases;
};
absl::StatusOr<InferredCall> infer_call(const Node& node, const InferOptions& options = {});
/// The same without a node. An argument that is a Type stands for a value of that type.
absl::StatusOr<InferredCall> infer_call(Context& context, Target function,
                                        absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs = {},
                                        const InferOptions& options = {});

/// Something that keeps a node from being typed.
struct ShapeFinding {
  enum class Kind { kNoTypeFunction, kInvalidCall };
  Kind kind;
  std::string op;
  /// kNoTypeFunction: every call of the operator; kInvalidCall: the call.
  std::vector<const Node*> nodes;
  std::string message;
};

struct ShapeReport {
  std::vector<ShapeFinding> findings;
  size_t typed = 0;    ///< calls that have a type now
  size_t unknown = 0;  ///< calls without one: those of findings, and what depends on them
  /// What the types rely on beyond the ranges of the symbols: what was recorded, and what the graph
  /// states.
  std::vector<SymExpr> guards;

  bool ok() const { return findings.empty(); }
  std::string str() const;
};

struct PropagateOptions {
  const TypeRules* rules = nullptr;
  /// Ranges of symbols, and earlier guards; null: what the graph states.
  ShapeEnv* env = nullptr;
  /// Results of earlier propagations over graphs of the same Context.
  TypeCache* cache = nullptr;
  /// Types calls that are no operators: methods, modules, functions of Python's. type_by_lowering
  /// (fx/passes/aten/type_by_lowering.h) knows PyTorch's. Null: functions are reported, the others
  /// keep what type they have. A null Type of it: unknown; NotFound or Unimplemented: reported as
  /// without a type function; another error as a call that cannot be.
  absl::StatusOr<Type> (*other_call)(const Node& call, ShapeEnv& env) = nullptr;
};

/// Types every call of the graph and of its nested graphs, and get_attr nodes that have no type
/// yet from the owning module's tensors. A call that cannot be typed loses its
/// type, and the walk goes on. A recorded type that differs only in requires_grad stays. The guards
/// that the types rely on are added to those of the graph (fx/ir/graph/edit/guards.h).
ShapeReport propagate_types(Graph& graph, const PropagateOptions& options = {});

}  // namespace fx
