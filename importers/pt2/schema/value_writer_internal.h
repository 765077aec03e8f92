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

/// Writes values of one program. Equal expressions are converted once.
class ValueWriter {
 public:
  /// `root` is the outermost graph, whose metadata `symbols` has ranges and hints.
  explicit ValueWriter(const Graph& root);

  void size(JsonWriter& json, const Dim& dim);
  /// Writes a TensorMeta. Returns FailedPrecondition if the type lacks a dtype, a rank or strides,
  /// and Unimplemented if the schema does not have the dtype or layout.
  absl::Status tensor(JsonWriter& json, Type type);
  /// Writes the TensorMeta of a member; `offset` is in elements.
  absl::Status member(JsonWriter& json, const Tensor& tensor, int64_t offset, bool requires_grad);
  /// Writes a SymInt, SymFloat or SymBool: a constant or an expression. The type must be a number
  /// whose value is known.
  void number(JsonWriter& json, Type type);
  void device(JsonWriter& json, Device device);
  /// Writes {"range_constraints"}: the ranges that the graph states, and the ranges of other
  /// symbols that were written.
  absl::Status ranges(JsonWriter& json);
  /// The type of an unknown integer or bool: an expression of a new unbacked symbol.
  Type unknown_number(TypeKind kind);

 private:
  std::string_view assumptions(Symbol symbol) const;
  void expression(JsonWriter& json, SymExpr expr, std::string_view literal);
  const std::string& text_of(SymExpr expr);

  const Graph& root_;
  SymBindings hints_;
  absl::flat_hash_set<Symbol> stated_;   // symbols with a range
  absl::flat_hash_set<Symbol> numbers_;  // symbols that are inputs and may be zero or negative
  absl::flat_hash_map<SymExpr, std::string> texts_;
  std::vector<Symbol> unstated_;  // in the order in which they were written
  absl::flat_hash_set<Symbol> seen_;
  int next_unbacked_ = -1;  // -1: the types have not been searched
};

}  // namespace fx::pt2
