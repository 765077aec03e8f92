// OpRegistry: the operators and functions of a Context.
//
// It has three sources, in this order: what the user has added; the built-in table (op_info.h); and
// rows derived from it, for functions and methods of PyTorch's Python that call an operator
// (`torch.relu`, `torch.nn.functional.conv2d`, `torch.Tensor.add_`) and for operators without an
// overload (`aten.add`). A name from none of these is legal in a graph and has every effect.
#pragma once

#include "fx/ir/ops/op_info.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <atomic>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fx::ops {

/// What the schema of an added operator does not express.
struct OpOptions {
  Effects effects = {};  ///< besides those that follow from the schema
  std::vector<OpTrait> traits = {};
};

/// Thread safe. Rows stay where they are until the registry is destroyed.
class OpRegistry {
 public:
  OpRegistry();
  ~OpRegistry();
  OpRegistry(const OpRegistry&) = delete;
  OpRegistry& operator=(const OpRegistry&) = delete;

  /// Adds an operator, `mylib::foo.overload(Tensor x, *, int n=1) -> Tensor`, or a function by its
  /// dotted name, `my_module.foo(Any x) -> Any`. What the schema does not state does not hold:
  /// an operator that writes to an argument without `(a!)` breaks passes.
  ///
  ///   registry.add("mylib::log(Tensor x) -> ()", {.effects = Effect::kWritesState});
  ///
  /// InvalidArgument: the schema is malformed or repeats an argument's name. AlreadyExists: the
  /// name is taken, here or in the built-in table.
  absl::StatusOr<const OpInfo*> add(std::string_view schema, const OpOptions& options = {});

  /// Adds effects to the calls of a known operator or function: torch.fx's has_side_effect. From
  /// now on find() returns another row for the name. NotFound when the function is unknown: it has
  /// every effect already.
  absl::StatusOr<const OpInfo*> add_effects(std::string_view name, Effects effects);

  /// The row of an operator overload or function, or null: `aten.add.Tensor`, `aten::add.Tensor`,
  /// `operator.getitem`, `torch.relu`, `mylib.foo.default`. Keep the result where time counts.
  const OpInfo* find(std::string_view name) const;
  /// The row of a method of Tensor, or null. A function row with `self` first; `add_` has
  /// `torch.Tensor.add_(Tensor(a!) self, ...) -> Tensor(a!)`.
  const OpInfo* find_method(std::string_view method) const;
  /// What a call of the method may do; everything for an unknown method.
  Effects method_effects(std::string_view method) const;

  /// The overloads of a packet, `aten.add`: those of the user after PyTorch's.
  std::vector<const OpInfo*> overloads(std::string_view packet) const;
  /// Variants of an operator, the user's included.
  OpVariants variants(const OpInfo& op) const;
  /// What the user has added, in that order.
  std::vector<const OpInfo*> added() const;

 private:
  struct Row;
  using RowMap = absl::flat_hash_map<std::string_view, Row*>;

  const OpInfo* find_own(std::string_view name) const;
  const OpInfo* derive(std::string_view name) const;
  Row& make_row(std::string text, uint16_t traits, Effects effects) const;

  mutable std::shared_mutex mutex_;
  mutable std::vector<std::unique_ptr<Row>> rows_;
  RowMap added_;            // the user's, by name
  mutable RowMap derived_;  // by name
  std::vector<const OpInfo*> order_;
  /// Whether added_ holds anything, to spare the lock on the way to the built-in table.
  std::atomic<bool> has_added_ = false;
};

}  // namespace fx::ops
