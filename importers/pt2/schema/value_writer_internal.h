// Writes sizes, symbolic numbers and tensor types of a program.
#pragma once

#include "fx/importers/pt2/schema/json_writer_internal.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

/// Writes the values of one program. Converts equal expressions once.
class ValueWriter {
 public:
  /// `root` is the outermost graph. Its metadata `symbols` contains ranges and hints.
  explicit ValueWriter(const Graph& root);

  void size(JsonWriter& json, const Dim& dim);
  /// Writes a TensorMeta. Returns FailedPrecondition if the dtype, the rank or the strides are
  /// unknown, and Unimplemented if the schema does not have the dtype or layout.
  absl::Status tensor(JsonWriter& json, Type type);
  /// Writes the TensorMeta of a member; `offset` is in elements.
  absl::Status member(JsonWriter& json, const Tensor& tensor, int64_t offset, bool requires_grad);
  /// Writes a SymInt, SymFloat or SymBool: a constant or an expression. The type must be a number
  /// whose value is known.
  void number(JsonWriter& json, Type type);
  void device(JsonWriter& json, Device device);
  /// Writes the "range_constraints": the ranges in the metadata of the graph, and default ranges
  /// for other symbols that were written.
  absl::Status ranges(JsonWriter& json);
  /// Returns the type of an unknown integer or bool: an expression with a new unbacked symbol.
  Type unknown_number(TypeKind kind);

 private:
  std::string_view assumptions(Symbol symbol) const;
  void expression(JsonWriter& json, SymExpr expr, std::string_view literal);
  const std::string& text_of(SymExpr expr);

  const Graph& root_;
  SymBindings hints_;
  absl::flat_hash_set<Symbol> constrained_;  // symbols with a range in the metadata
  absl::flat_hash_set<Symbol> numbers_;      // symbols that are inputs and may be zero or negative
  absl::flat_hash_map<SymExpr, std::string> texts_;
  std::vector<Symbol> unconstrained_;  // in the order in which they were written
  absl::flat_hash_set<Symbol> seen_;
  int next_unbacked_ = -1;  // -1 before the types have been searched
};

}  // namespace fx::pt2
