// DecompositionTable: functions that decompose operators into other operators, the counterpart of
// torch's decomposition tables (torch._decomp).
//
//   fx::DecompositionTable table = fx::DecompositionTable::standard();    // fxcpp's
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

class Context;

/// Records the replacement of a call and returns its value: a Proxy; for multiple results, or a
/// list, AnyArg::tuple of them, with std::nullopt for None. The caller converts results whose dtype
/// or strides differ from those of the call.
using DecompositionFunction = std::function<AnyArg(Decomposer& d)>;

/// The set to which an entry belongs.
enum class DecompositionSet : uint8_t {
  kCore,       ///< operators outside the core ATen set (torch's core_aten_decompositions)
  kByName,     ///< core operators, and others that some compilers lack; decomposed by name only
  kComposite,  ///< composite operators, in DecompositionTable::composite
};

struct Decomposition {
  std::string op = {};  ///< `aten.silu.default`
  DecompositionFunction function = {};
  DecompositionSet set = DecompositionSet::kByName;
  /// True if the recorded operators depend only on the call's operator, its constants and the types
  /// of its operands and result, not on names, metadata, users or the nodes of the operands. In
  /// this case, similar calls are replaced with copies of the recorded nodes.
  bool by_types = false;
};

/// The decompositions of operators. See the top of this file.
class DecompositionTable {
 public:
  /// Returns fxcpp's decompositions, in a table that is created once.
  static const DecompositionTable& standard();
  /// Returns the decompositions of composite operators into the operators that libtorch's CPU
  /// kernels call, as recorded by a capture without CaptureOptions::keep or by torch.export's
  /// `run_decompositions({})`. Results are bit-equal. Contains only operators for which types
  /// determine the choices that the kernel makes. The recorded operators are not composite.
  static const DecompositionTable& composite();
  /// Returns the table of the Context; standard() if it has none. Functions use it for the graphs
  /// of the Context unless the caller passes a different table.
  static const DecompositionTable& of(const Context& context);
  /// Returns the table of the Context for modification. The first call creates it as a copy of
  /// standard(). Not thread-safe while other threads use the Context.
  static DecompositionTable& own(Context& context);

  /// Adds an entry. Returns InvalidArgument for an empty name or function, and AlreadyExists if the
  /// operator has an entry.
  absl::Status add(Decomposition entry);
  absl::Status add(std::string_view op, DecompositionFunction function,
                   DecompositionSet set = DecompositionSet::kByName) {
    return add({std::string(op), std::move(function), set});
  }
  /// Adds an entry, or replaces the existing entry of the operator.
  absl::Status replace(Decomposition entry);
  absl::Status replace(std::string_view op, DecompositionFunction function,
                       DecompositionSet set = DecompositionSet::kByName) {
    return replace({std::string(op), std::move(function), set});
  }
  /// Returns the entry of an operator; null if it has none.
  const Decomposition* find(std::string_view op) const;
  /// Returns the entries in the order in which they were added; pointers to entries are valid until
  /// the next addition.
  const std::vector<Decomposition>& entries() const { return entries_; }

 private:
  std::vector<Decomposition> entries_;
  absl::flat_hash_map<std::string, size_t> by_op_;
};

}  // namespace fx
