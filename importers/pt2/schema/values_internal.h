// Reads sizes, symbolic numbers and tensor types from a program.
#pragma once

#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/importers/pt2/schema/notes_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// The maximum number of dimensions of a tensor.
inline constexpr size_t kMaxRank = 64;

/// A TensorMeta whose sizes are numbers. It describes the layout of a tensor in its storage.
struct TensorLayout {
  DType dtype = DType::kUndefined;
  Layout layout = Layout::kStrided;
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
  bool requires_grad = false;

  friend bool operator==(const TensorLayout&, const TensorLayout&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const TensorLayout& p) {
    return H::combine(std::move(h), p.dtype, p.layout, p.sizes, p.strides, p.offset,
                      p.requires_grad);
  }
};

/// Reads the values of one program. Parses each distinct expression once.
class ValueReader {
 public:
  ValueReader(Context& context, Notes& notes) : context_(context), notes_(notes) {}

  Context& context() const { return context_; }
  Notes& notes() const { return notes_; }

  // These return InvalidArgument, naming the field, if the value is not the expected record.
  absl::StatusOr<Dim> size(Json value, std::string_view field);
  absl::StatusOr<Type> tensor(Json value);
  absl::StatusOr<TensorLayout> read_tensor_layout(Json value);
  /// Returns the type of a symbolic number. `literal` is the key for constants: "as_int" for
  /// SymInt, "as_float" for SymFloat and "as_bool" for SymBool.
  absl::StatusOr<Type> number(Json value, std::string_view literal);
  absl::StatusOr<Device> device(Json value);
  absl::StatusOr<SymExpr> expression(Json expr_str);
  /// Returns the values that the symbols in the expressions had at export time.
  const absl::flat_hash_map<Symbol, int64_t>& hints() const { return hints_; }

 private:
  absl::StatusOr<SymExpr> symbolic(Json as_expr);

  Context& context_;
  Notes& notes_;
  absl::flat_hash_map<std::string_view, SymExpr> expressions_;  // keyed by the document's strings
  absl::flat_hash_map<Symbol, int64_t> hints_;
};

}  // namespace fx::pt2
