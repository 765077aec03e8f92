// DecompositionTable: which operators can be made of others, and how. The counterpart of torch's
// decomposition tables (torch._decomp).
//
//   fx::DecompositionTable table = fx::DecompositionTable::standard();    // fxcpp's own
//   FX_RETURN_IF_ERROR(table.add("user.swish", [](fx::Decomposer& d) -> fx::AnyArg {
//     const fx::Proxy x = d.tensor("x");
//     return x * sigmoid(x);
//   }));
//   FX_RETURN_IF_ERROR(fx::decompose(graph, {.table = &table}).status());
#pragma once

#include "fx/passes/decompose/decomposer.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// Records what replaces a call and returns its value: a Proxy; for several results, or a list,
/// AnyArg::tuple of them, std::nullopt for one that is None. A result in another dtype or with
/// other strides than the call's is converted by the caller.
using DecompositionFunction = std::function<AnyArg(Decomposer& d)>;

/// For whom an entry is.
enum class DecompositionSet : uint8_t {
  kCore,  ///< operators outside the core ATen set (torch's core_aten_decompositions)
  kMore,  ///< core operators, and others that some compilers lack: by name only
};

struct Decomposition {
  std::string op;  ///< `aten.silu.default`
  DecompositionFunction function;
  DecompositionSet set = DecompositionSet::kMore;
  /// What the function records hangs on nothing but the call's operator, its constants and the
  /// types of its operands and result; not on names, meta data, users or what an operand is. Then
  /// it is not run for each call: calls that are alike get copies of what it recorded.
  bool by_types = false;
};

/// See the head of this file.
class DecompositionTable {
 public:
  /// fxcpp's own. Made once.
  static const DecompositionTable& standard();

  /// InvalidArgument for an empty name or function, AlreadyExists for an operator that is there.
  absl::Status add(Decomposition entry);
  absl::Status add(std::string_view op, DecompositionFunction function,
                   DecompositionSet set = DecompositionSet::kMore) {
    return add({std::string(op), std::move(function), set});
  }
  /// The same, also for an operator that is there.
  absl::Status replace(Decomposition entry);
  absl::Status replace(std::string_view op, DecompositionFunction function,
                       DecompositionSet set = DecompositionSet::kMore) {
    return replace({std::string(op), std::move(function), set});
  }
  /// Null when there is none.
  const Decomposition* find(std::string_view op) const;
  /// In the order of addition; pointers into it are valid until the next one.
  const std::vector<Decomposition>& entries() const { return entries_; }

 private:
  std::vector<Decomposition> entries_;
  absl::flat_hash_map<std::string, size_t> by_op_;
};

}  // namespace fx
