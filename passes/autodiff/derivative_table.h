// DerivativeTable: the derivative rules of operators. To add a rule:
//
//   fx::DerivativeTable table = fx::DerivativeTable::standard();      // fxcpp's rules
//   FX_RETURN_IF_ERROR(table.add({
//       .op = "user.swish",
//       .arguments = {{"x", [](fx::Derivative& d) -> fx::AnyArg {
//         const fx::Proxy x = d("x"), s = sigmoid(x);
//         return d.grad() * s * (1 + x * (1 - s));
//       }}},
//       .forward = fx::ForwardRule::kElementwise}));
//   fx::vjp(graph, {.table = &table});
#pragma once

#include "fx/passes/autodiff/derivative.h"

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

/// Returns the gradient of an argument: a Proxy; for a list of tensors, a list of Proxies;
/// for a rule of multiple arguments, a tuple with an item for each. A Proxy without a value means
/// a zero gradient.
using DerivativeFunction = std::function<AnyArg(Derivative& d)>;

/// The gradient of an argument, or of multiple arguments that are computed together: `"self"`,
/// `"input, weight, bias"`.
struct ArgumentDerivative {
  std::string arguments;
  DerivativeFunction gradient;
};

/// How to compute the tangent of the result from the tangents of the arguments.
enum class ForwardRule : uint8_t {
  /// Transposes the gradient functions, which are linear in the gradients. The operators that they
  /// call must have rules.
  kTransposed,
  kElementwise,  ///< applies the gradient functions to tangents, and adds the results
  kLinear,       ///< applies the operator to the tangents, with zeros for missing ones
  kMultilinear,  ///< adds calls that each replace one argument with its tangent
  kFunction,     ///< calls `tangent`
};

struct DerivativeRule {
  std::string op = {};  ///< the target of a call_function: `aten.sin.default`
  /// In the order of the schema. An argument that is not listed has no derivative. If the list is
  /// empty, the results of the operator are constants with a zero derivative.
  std::vector<ArgumentDerivative> arguments = {};
  ForwardRule forward = ForwardRule::kTransposed;
  /// Returns the tangent of the result; a tuple for multiple results.
  DerivativeFunction tangent = {};
};

/// The rules of operators. See the top of this file.
class DerivativeTable {
 public:
  /// Returns fxcpp's rules, in a table that is created once.
  static const DerivativeTable& standard();
  /// Returns the table of the Context; standard() if it has none. Functions use it for the graphs
  /// of the Context unless the caller passes a different table.
  static const DerivativeTable& of(const Context& context);
  /// Returns the table of the Context for modification. The first call creates it as a copy of
  /// standard(). Not thread-safe while other threads use the Context.
  static DerivativeTable& own(Context& context);

  /// Adds a rule. Returns InvalidArgument for a rule without an operator, an argument without a
  /// name or a function, and a tangent function without kFunction or kFunction without a tangent
  /// function; AlreadyExists for an operator that has a rule.
  absl::Status add(DerivativeRule rule);
  /// Adds a rule, or replaces the existing rule of the operator. Returns InvalidArgument as
  /// add() does.
  absl::Status replace(DerivativeRule rule);
  /// Returns the rule of an operator; null if it has none.
  const DerivativeRule* find(std::string_view op) const;
  /// Returns the rules in the order in which they were added. The reference and pointers are valid
  /// until the next addition.
  const std::vector<DerivativeRule>& rules() const { return rules_; }

 private:
  std::vector<DerivativeRule> rules_;
  absl::flat_hash_map<std::string, size_t> by_op_;
};

}  // namespace fx
