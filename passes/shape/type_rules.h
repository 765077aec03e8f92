// Type functions for operators.
//
// The built-in table has a row for each functional operator (types_<family>.cpp); in-place, out=
// and view_copy forms use the row of their functional form. TypeRules adds rows for custom
// operators:
//
//   context.add_operator("mylib::pool(Tensor x, int size) -> Tensor");
//   fx::TypeRules::of(context).add(context, "mylib.pool.default", [](fx::TypeCall& c) {
//     const fx::Type x = c.tensor(0);
//     if (x.rank() != 2) return c.fail("x must be a matrix");
//     return c.result(x.dtype(), {x.sizes()[0], fx::floor_div(x.sizes()[1], c.dim(1))});
//   });
//   propagate_types(graph);
//
// Every function that types a graph, including passes, uses the rules stored in the graph's Context
// (`of`). Other sets of rules apply only where they are passed: {.rules = &rules}.
#pragma once

#include "fx/passes/shape/type_call.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace fx {

/// A type function and the parts of its operator's schema that binding a call requires. Created
/// once for each operator.
class BoundTypeRule;

/// Returns the rule of a built-in operator, or null if it has none. Reads strings only on the first
/// lookup of an operator. Thread-safe.
const BoundTypeRule* find_type_rule(const ops::OpInfo& op);

/// Custom rules, which take precedence over the built-in ones. Must not outlive the Context of its
/// operators. Not thread-safe while rules are added.
class TypeRules {
 public:
  /// Returns the rules stored in the Context. The caller may add rules.
  static TypeRules& of(Context& context);
  /// Returns the rules stored in the Context; null if there are none.
  static const TypeRules* find_in(const Context& context);

  TypeRules();
  ~TypeRules();
  TypeRules(TypeRules&&) noexcept;
  TypeRules& operator=(TypeRules&&) noexcept;

  /// Adds a rule. Returns NotFound if the Context does not have the operator; add it to the Context
  /// first. A new rule for an operator replaces the old or built-in one. The function may have
  /// state, and may be called by multiple threads concurrently. If it throws, the call is invalid,
  /// and the finding names `origin`, the component that added the function, unless it is empty.
  absl::Status add(Context& context, std::string_view op, TypeFunction function,
                   std::string_view origin = {});
  /// Returns the custom rule, else the built-in one, else null.
  const BoundTypeRule* find(const ops::OpInfo& op) const;
  /// Returns a positive number, different for every set of rules and after every add().
  uint64_t id() const { return id_; }

 private:
  uint64_t id_;
  absl::flat_hash_map<const ops::OpInfo*, std::unique_ptr<BoundTypeRule>> custom_;
};

}  // namespace fx
