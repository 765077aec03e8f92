// DerivativeTable: the derivative rules of operators. A rule of your own:
//
//   fx::DerivativeTable table = fx::DerivativeTable::standard();      // fxcpp's own
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

/// Returns the gradient of an argument: a Proxy; for a list of tensors a list of Proxies; for a rule
/// of several arguments a tuple with an item for each. A Proxy without a value is a gradient of
/// zero.
using DerivativeFunction = std::function<AnyArg(Derivative& d)>;

/// The gradient of an argument, or of several that are computed together: `"self"`,
/// `"input, weight, bias"`.
struct ArgumentDerivative {
  std::string arguments;
  DerivativeFunction gradient;
};

/// How a tangent of the result follows from tangents of the arguments.
enum class ForwardRule : uint8_t {
  /// The gradient functions, which are linear in the gradients, transposed: their own calls must have
  /// rules.
  kTransposed,
  kElementwise,  ///< the gradient functions, applied to tangents, and added
  kLinear,       ///< the operator applied to the tangents, zeros for missing ones
  kMultilinear,  ///< a sum of calls, in each of which one argument is its tangent
  kFunction,     ///< `tangent`
};

struct DerivativeRule {
  std::string op;  ///< the target of a call_function: `aten.sin.default`
  /// In the order of the schema. An argument that is not listed has no derivative. An operator
  /// without any has a derivative of zero: its results are constants.
  std::vector<ArgumentDerivative> arguments = {};
  ForwardRule forward = ForwardRule::kTransposed;
  /// The tangent of the result; for several results a tuple.
  DerivativeFunction tangent = {};
};

/// See the head of this file.
class DerivativeTable {
 public:
  /// fxcpp's own. Made once.
  static const DerivativeTable& standard();

  /// InvalidArgument for a rule without an operator or a function, AlreadyExists for an operator
  /// that has a rule.
  absl::Status add(DerivativeRule rule);
  /// The same, also for an operator that has a rule.
  absl::Status replace(DerivativeRule rule);
  /// Null when the operator has no rule.
  const DerivativeRule* find(std::string_view op) const;
  /// In the order of addition; pointers into it are valid until the next one.
  const std::vector<DerivativeRule>& rules() const { return rules_; }

 private:
  std::vector<DerivativeRule> rules_;
  absl::flat_hash_map<std::string, size_t> by_op_;
};

}  // namespace fx
