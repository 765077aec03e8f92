// Context: the immutable objects that graphs share.
//
// Strings (Symbol), types, symbolic dimensions and function targets are interned here, so that
// equality is pointer equality. Threads that work on different Graphs may share a Context. It must
// outlive every Graph, Type, Target and Symbol created with it.
#pragma once

#include "fx/ir/graph/target.h"
#include "fx/ir/ops/registry.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace fx {

/// torch.fx's spellings of a function that do not follow from the canonical name by the rules in
/// docs/json.md, "Functions".
struct FunctionSpelling {
  std::string_view base_name;  ///< the function's `__name__`; empty: follows the rules
  std::string_view listing;    ///< in torch.fx's listing; empty: follows the rules
  std::string_view repr;       ///< Python's str(); empty: follows the rules
  std::string_view inner;      ///< Python's repr() in containers; empty: `repr`, or the rules
};

/// True for names of the form `namespace.operator.overload`, such as `aten.add.Tensor`.
bool is_operator_overload(std::string_view name);

class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Symbol symbol(std::string_view text) { return symbols_.intern(text); }
  SymbolTable& symbols() { return symbols_; }
  const SymbolTable& symbols() const { return symbols_; }
  /// The target of every output node: "output".
  Symbol output_target() const { return output_target_; }
  const NameHint& output_hint() const { return output_hint_; }
  SymExprTable& exprs() { return exprs_; }
  TypeTable& types() { return types_; }
  /// The operator registry: PyTorch's operators and operators added with add_operator.
  const ops::OpRegistry& ops() const { return ops_; }
  /// Adds a custom operator or function, or adds effects to a registered one (torch.fx's
  /// has_side_effect). These return the errors of OpRegistry::add and add_effects. Existing
  /// Targets reflect the change. Call these before multiple threads use the Context.
  absl::StatusOr<const ops::OpInfo*> add_operator(std::string_view schema,
                                                  const ops::OpOptions& options = {});
  absl::StatusOr<const ops::OpInfo*> add_effects(std::string_view name, ops::Effects effects);

  /// The function with this canonical name: an operator with its overload (`aten.add.Tensor`), or
  /// any function by its qualified name (`operator.getitem`, `torch.relu`,
  /// `my_module.my_function`). A name that is not in the operator registry is legal: calls to such
  /// a function have every effect. `spelling` is used when the name is new.
  Target function(std::string_view name, const FunctionSpelling& spelling = {});
  Target function(Symbol name) { return function(name.str()); }
  /// Returns true if a function with the trait kDtypeMode is interned. If not, no graph of this
  /// Context calls one.
  bool has_dtype_modes() const { return has_dtype_modes_.load(std::memory_order_relaxed); }
  /// Returns the interned functions with the trait kDtypeMode.
  std::vector<Target> dtype_modes();

 private:
  void refresh_targets();
  void set_op(TargetData& data);  // mutex_ must be locked

  SymbolTable symbols_;
  const Symbol output_target_ = symbols_.intern("output");
  const NameHint output_hint_ = make_target_hint(symbols_, output_target_);
  SymExprTable exprs_;
  TypeTable types_;
  ops::OpRegistry ops_;
  std::mutex mutex_;
  absl::flat_hash_map<Symbol, std::unique_ptr<TargetData>> functions_;
  std::vector<Target> dtype_modes_;
  std::atomic<bool> has_dtype_modes_ = false;  // dtype_modes_ is not empty
};

}  // namespace fx
