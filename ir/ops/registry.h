// OpRegistry: the operators and functions of a Context.
//
// It has three sources, in this order: the user's operators; the built-in table (op_info.h); and
// rows derived from it, for functions and methods of PyTorch's Python API that call an
// operator (`torch.relu`, `torch.nn.functional.conv2d`, `torch.Tensor.add_`) and for operators
// without an overload (`aten.add`). A name that is in none of them is legal in a graph and has
// every effect.
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

/// Properties of an added operator that its schema does not express.
struct OpOptions {
  Effects effects = {};  ///< in addition to the effects that follow from the schema
  std::vector<OpTrait> traits = {};
};

/// Thread-safe. Rows keep their addresses until the registry is destroyed.
class OpRegistry {
 public:
  OpRegistry();
  ~OpRegistry();
  OpRegistry(const OpRegistry&) = delete;
  OpRegistry& operator=(const OpRegistry&) = delete;

  /// Adds an operator, `mylib::foo.overload(Tensor x, *, int n=1) -> Tensor`, or a function by its
  /// dotted name, `my_module.foo(Any x) -> Any`. The schema must be complete: if an operator writes
  /// to an argument without `(a!)`, passes produce wrong results.
  ///
  ///   registry.add("mylib::log(Tensor x) -> ()", {.effects = Effect::kWritesState});
  ///
  /// InvalidArgument: the schema is malformed or repeats an argument's name. AlreadyExists: the
  /// name is taken, here or in the built-in table.
  absl::StatusOr<const OpInfo*> add(std::string_view schema, const OpOptions& options = {});

  /// Adds effects to calls to a known operator or function: torch.fx's has_side_effect.
  /// Afterward find() returns a different row for the name. NotFound for an unknown function,
  /// which already has every effect.
  absl::StatusOr<const OpInfo*> add_effects(std::string_view name, Effects effects);

  /// The row of an operator overload or function, or null: `aten.add.Tensor`, `aten::add.Tensor`,
  /// `operator.getitem`, `torch.relu`, `mylib.foo.default`. On hot paths, keep the result.
  const OpInfo* find(std::string_view name) const;
  /// The row of a method of Tensor, or null. It is the row of a function whose first
  /// argument is `self`; for `add_`, `torch.Tensor.add_(Tensor(a!) self, ...) -> Tensor(a!)`.
  const OpInfo* find_method(std::string_view method) const;
  /// The effects of a call to the method; all effects for an unknown method.
  Effects method_effects(std::string_view method) const;

  /// The overloads of a packet, `aten.add`: PyTorch's, then the user's.
  std::vector<const OpInfo*> overloads(std::string_view packet) const;
  /// The variants of an operator, including the user's.
  OpVariants variants(const OpInfo& op) const;
  /// The user's operators, in the order in which they were added.
  std::vector<const OpInfo*> added() const;

 private:
  struct Row;
  using RowMap = absl::flat_hash_map<std::string_view, Row*>;

  const OpInfo* find_added(std::string_view name) const;
  const OpInfo* derive(std::string_view name) const;
  Row& make_row(std::string text, uint16_t traits, Effects effects) const;

  mutable std::shared_mutex mutex_;
  mutable std::vector<std::unique_ptr<Row>> rows_;
  RowMap added_;            // the user's, by name
  mutable RowMap derived_;  // by name
  std::vector<const OpInfo*> order_;
  /// True if added_ is not empty; avoids the lock for lookups in the built-in table.
  std::atomic<bool> has_added_ = false;
};

}  // namespace fx::ops
