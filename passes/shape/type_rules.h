// Which type function answers for which operator.
//
// The built-in table has a row per functional operator (types_<family>.cpp); in-place, out= and
// view_copy forms find their row through the operator's variants. Own operators get theirs here:
//
//   context.add_operator("mylib::pool(Tensor x, int size) -> Tensor");
//   fx::TypeRules rules;
//   rules.add(context, "mylib.pool.default", [](fx::TypeCall& c) {
//     const fx::Type x = c.tensor(0);
//     if (x.rank() != 2) return c.fail("pool wants a matrix");
//     return c.result(x.dtype(), {x.sizes()[0], fx::floor_div(x.sizes()[1], c.dim(1))});
//   });
//   propagate_types(graph, {.rules = &rules});
#pragma once

#include "fx/passes/shape/type_call.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace fx {

/// A type function with what its operator's schema says about binding a call; made once.
class BoundTypeRule;

/// The rule of a built-in operator, or null when there is none. No string is read after the first
/// look-up of an operator. Thread safe.
const BoundTypeRule* find_type_rule(const ops::OpInfo& op);
/// Whether a built-in operator or function has a rule.
bool has_type_rule(const ops::OpInfo& op);

/// Rules of a user, in front of the built-in ones. Valid as long as the Context whose operators it
/// speaks of. Add first, then share between threads.
class TypeRules {
 public:
  TypeRules();
  ~TypeRules();
  TypeRules(TypeRules&&) noexcept;
  TypeRules& operator=(TypeRules&&) noexcept;

  /// NotFound when the Context knows no such operator: add it to the Context first. A second rule
  /// for an operator takes the place of the first; so does one for a built-in operator.
  absl::Status add(Context& context, std::string_view op, TypeFunction function);
  /// The user's rule, else the built-in one, else null.
  const BoundTypeRule* find(const ops::OpInfo& op) const;
  /// Above 0; another one for every other set of rules, and after every add.
  uint64_t id() const { return id_; }

 private:
  uint64_t id_;
  absl::flat_hash_map<const ops::OpInfo*, std::unique_ptr<BoundTypeRule>> own_;
};

}  // namespace fx
