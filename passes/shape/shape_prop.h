// Native shape propagation: infers the type of every node without running the graph and without
// libtorch.
//
//   FX_ASSIGN_OR_RETURN(Type type, infer_type(node));        one call, from the types of its inputs
//   ShapeReport report = propagate_types(graph);             all calls in a graph, in order
//   if (!report.ok()) std::cerr << report.str();
//
// Inputs (placeholders, get_attr) must have types. A placeholder without a type receives the type
// that torch.fx's ShapeProp recorded (recorded_type). Sizes may be symbolic; assumptions about them
// are recorded as guards (shape_env.h). requires_grad is not inferred.
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
  /// Provides the ranges of symbols and records guards. If null, nothing is assumed: a type is
  /// unknown if it relies on a relation that the ranges and guards of the node's graph do not
  /// decide, or if it has a size that depends on data.
  ShapeEnv* env = nullptr;
  /// Custom rules, which take precedence over the built-in ones.
  const TypeRules* rules = nullptr;
};

/// Infers the type of a call_function from the types of its operands. Ignores the type of the node.
/// Returns the null Type if the type of an operand is unknown, or the result depends on data or on a
/// mode (is_in_dtype_mode), NotFound if the operator has no type function, and InvalidArgument if
/// the call is invalid (sizes, dtypes, arguments).
absl::StatusOr<Type> infer_type(const Node& node, const InferOptions& options = {});
/// Returns the type that torch.fx's ShapeProp recorded in the metadata `tensor_meta` of a node;
/// null if there is none.
Type recorded_type(const Node& node);
/// Sets the type of a node that has none: the type from infer_type() for a call to an operator, the
/// type of the owning module's tensor for a get_attr. Returns false if the node already has a type
/// or none can be inferred.
bool set_inferred_type(Node& node, const InferOptions& options = {});

/// Returns the reason why a call is invalid, as the error of infer_type() without the name of the
/// node; OK for a call that may be valid.
absl::Status check_call(const Node& node, const InferOptions& options = {});

/// The type of a result, and which of its tensors share their storage with which arguments.
struct InferredCall {
  Type type;
  absl::InlinedVector<TypeAlias, 2> aliases;
  /// The result is new memory, except for some sizes, where it shares its storage with argument 0.
  bool may_alias = false;
};
absl::StatusOr<InferredCall> infer_call(const Node& node, const InferOptions& options = {});
/// Infers a call without a node. An argument that is a Type represents a value of that type.
absl::StatusOr<InferredCall> infer_call(Context& context, Target function,
                                        absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs = {},
                                        const InferOptions& options = {});

/// A reason why a node cannot be typed.
struct ShapeFinding {
  enum class Kind { kNoTypeFunction, kInvalidCall };
  Kind kind;
  std::string op;
  /// For kNoTypeFunction, all calls to the operator; for kInvalidCall, the call.
  std::vector<const Node*> nodes;
  std::string message;
};

struct ShapeReport {
  std::vector<ShapeFinding> findings;
  size_t typed = 0;    ///< calls that now have a type
  size_t unknown = 0;  ///< calls without a type: those in findings, and calls that depend on them
  /// Guards, in addition to the symbols' ranges, on which the types rely: new guards, and guards of
  /// the graph.
  std::vector<SymExpr> guards;

  bool ok() const { return findings.empty(); }
  std::string str() const;
};

struct PropagateOptions {
  const TypeRules* rules = nullptr;
  /// Provides ranges of symbols and earlier guards. If null, the graph's ranges and guards are
  /// used.
  ShapeEnv* env = nullptr;
  /// Results of earlier propagations over graphs of the same Context.
  TypeCache* cache = nullptr;
  /// Infers types of calls to methods, modules and Python functions. For those of PyTorch, use
  /// type_by_lowering (fx/passes/aten/type_by_lowering.h). If null,
  /// functions are reported and other calls keep their types. If it returns the null Type, the type
  /// is unknown; NotFound and Unimplemented are reported as a missing type function, other errors
  /// as an invalid call.
  absl::StatusOr<Type> (*other_call)(const Node& call, ShapeEnv& env) = nullptr;
  /// Values without a type that may differ from those for which nested graphs have been typed. The
  /// inputs that receive them do not keep their recorded types.
  absl::Span<const Node* const> changed_values = {};
};

/// Types every call in the graph and in its nested graphs. Gives get_attr nodes without a type
/// the types of the owning module's tensors. An invalid call loses its type. A call without a type
/// function is reported as a finding and keeps its recorded type, if it has one. Propagation
/// continues in both cases. A recorded type that differs only in requires_grad is kept. Adds the
/// guards on which the types rely to the graph's guards (fx/ir/graph/edit/guards.h).
ShapeReport propagate_types(Graph& graph, const PropagateOptions& options = {});

}  // namespace fx
