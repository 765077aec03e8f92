// Sizes, symbolic numbers and tensor types of a program.
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

/// Tensors have at most this many dimensions.
inline constexpr size_t kMaxRank = 64;

/// A TensorMeta whose sizes are numbers: where a tensor lies in its storage.
struct TensorPlace {
  DType dtype = DType::kUndefined;
  Layout layout = Layout::kStrided;
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
  bool requires_grad = false;

  friend bool operator==(const TensorPlace&, const TensorPlace&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const TensorPlace& p) {
    return H::combine(std::move(h), p.dtype, p.layout, p.sizes, p.strides, p.offset,
                      p.requires_grad);
  }
};

/// Reads values of one program; expressions that repeat are parsed once.
class ValueReader {
 public:
  ValueReader(Context& context, Notes& notes) : context_(context), notes_(notes) {}

  Context& context() const { return context_; }
  Notes& notes() const { return notes_; }

  // InvalidArgument, naming the field, for anything but the record expected.
  absl::StatusOr<Dim> size(Json value, std::string_view field);
  absl::StatusOr<Type> tensor(Json value);
  absl::StatusOr<TensorPlace> tensor_place(Json value);
  /// The type of a symbolic number, of which `literal` is the key of constants: "as_int" of SymInt,
  /// "as_float", "as_bool".
  absl::StatusOr<Type> number(Json value, std::string_view literal);
  absl::StatusOr<Device> device(Json value);
  absl::StatusOr<SymExpr> expression(Json expr_str);
  /// The values that symbols had when the program was exported, as far as the expressions state
  /// them.
  const absl::flat_hash_map<Symbol, int64_t>& hints() const { return hints_; }

 private:
  absl::StatusOr<SymExpr> symbolic(Json as_expr);

  Context& context_;
  Notes& notes_;
  absl::flat_hash_map<std::string_view, SymExpr> expressions_;  // the texts are the document's
  absl::flat_hash_map<Symbol, int64_t> hints_;
};

}  // namespace fx::pt2
