// RowCall: a call to an operator, in the form that rows use to convert it.
//
//   void relu(RowCall& c) { c.result(c.op("Relu", {c.tensor("self")})); }
//
// Arguments have the names of the schema; an argument that the call omits has its default value.
// After an error (fail), every function returns an empty value and has no effect, so rows do not
// require error checks.
#pragma once

#include "fx/importers/onnx/value_internal.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::onnx {

class RowCall;
class Writer;

/// The element types that a row accepts for the first tensor.
enum Accepted : uint8_t {
  kFloats = 1,  ///< float16, bfloat16, float32, float64
  kInts = 2,
  kBools = 4,
  kNumbers = kFloats | kInts,
  kAnything = 7,
  kUnchecked = 8,  ///< includes complex numbers and calls without tensors
};

/// The conversion of an operator.
struct Row {
  std::string_view op;  ///< `aten.relu.default`
  void (*convert)(RowCall& call);
  Accepted accepts = kAnything;
  /// True if the operator computes new elements instead of moving them. bfloat16 is then computed
  /// in float32 and rounded once, as in libtorch's kernels; onnxruntime has no bfloat16 arithmetic
  /// on CPUs.
  bool computes = true;
  std::string_view name = {};  ///< the ONNX operator, for functions shared by multiple rows
  /// True if the ONNX operator `name` has no attributes and computes the same function of the same
  /// operands in the same order. The importer then also uses the row.
  bool bidirectional = false;
};

class RowCall {
 public:
  using Ints = std::vector<int64_t>;

  RowCall(Writer& writer, const Node& node, const Row& row, absl::Span<const BoundParameter> bound);

  const Node& node() const { return node_; }
  const Row& row() const { return row_; }
  int opset() const;
  Context& context() const { return node_.context(); }

  // ---- Arguments. An unknown name is an error, except for has, has_argument and argument.
  /// Returns true if the operator has the argument and it is not None.
  bool has(std::string_view name);
  bool has_argument(std::string_view name) const { return index_of(name) >= 0; }
  /// Returns a tensor. For rows that compute, bfloat16 is converted to float32.
  Value tensor(std::string_view name);
  /// Returns a tensor or a number, converted to this element type.
  Value tensor_as(std::string_view name, DType dtype);
  /// Returns the type of a tensor, whose rank must be known. A number has rank 0.
  Type type(std::string_view name);
  bool is_number(std::string_view name);
  /// Returns the items of a list of tensors; None becomes an empty value.
  std::vector<Value> tensors(std::string_view name);
  std::vector<Type> types(std::string_view name);
  int64_t integer(std::string_view name);
  double real(std::string_view name);
  bool flag(std::string_view name);
  std::string text(std::string_view name);
  /// Returns a list of constant integers. A single integer becomes a list.
  Ints ints(std::string_view name);
  /// Returns a list of `count` constant integers. A single item is repeated. After an error, the
  /// list contains ones.
  Ints ints(std::string_view name, size_t count);
  DType dtype(std::string_view name, DType default_value);
  /// Returns a constant integer, or nullopt if it is symbolic.
  std::optional<int64_t> constant_integer(std::string_view name);
  std::optional<double> constant_real(std::string_view name);
  /// Returns an integer, constant or not, as a 0-dimensional tensor.
  Value number(std::string_view name);
  /// Returns an integer, constant or not, as a tensor with one element.
  Value number_1d(std::string_view name);
  /// Returns a list of integers, constant or not, as one int64 tensor.
  Value shape(std::string_view name);
  /// Returns the items of shape(name) at these positions; a negative position yields 0.
  Value items(std::string_view name, absl::Span<const int64_t> positions);
  /// Returns the argument itself, or nullopt if the call omits it or the operator does not have it.
  std::optional<ArgumentRef> argument(std::string_view name) const;
  /// Returns a dimension in [0, rank).
  int dim(std::string_view name, int rank);
  int wrap_dim(int64_t dim, int rank);

  // ---- Results
  Type result_type(size_t i = 0);
  /// Returns the element type in which the result is computed.
  DType result_dtype(size_t i = 0);
  /// Sets the value of the call, converted to its element type.
  void result(const Value& value);
  void results(absl::Span<const Value> values);

  // ---- Operators
  Value op(std::string_view op_type, std::initializer_list<Value> inputs,
           std::initializer_list<Attribute> attributes = {}, DType result = DType::kUndefined);
  Value op(std::string_view op_type, absl::Span<const Value> inputs,
           absl::Span<const Attribute> attributes, DType result = DType::kUndefined);
  std::vector<Value> ops(std::string_view op_type, absl::Span<const Value> inputs,
                         absl::Span<const Attribute> attributes, absl::Span<const DType> results);
  /// Returns the value converted to a different element type.
  Value cast(const Value& value, DType dtype);
  Value scalar(double value, DType dtype);
  Value scalar(int64_t value, DType dtype);
  Value scalar(int value, DType dtype) { return scalar(int64_t{value}, dtype); }
  /// Returns a 1-dimensional constant int64 tensor.
  Value ints_value(absl::Span<const int64_t> values);
  /// Returns a constant tensor of real numbers.
  Value reals_value(absl::Span<const double> values, absl::Span<const int64_t> sizes, DType dtype);
  Value indices_value(absl::Span<const int64_t> values, absl::Span<const int64_t> sizes);
  /// Returns sizes as a 1-dimensional int64 tensor.
  Value sizes_value(absl::Span<const Dim> sizes);
  /// Returns a size as a 0-dimensional tensor.
  Value size_value(const Dim& size);
  Value reshape(const Value& value, absl::Span<const Dim> from, absl::Span<const Dim> to);
  Value transpose(const Value& value, absl::Span<const int64_t> order);
  Value unsqueeze(const Value& value, absl::Span<const int64_t> axes);
  Value squeeze(const Value& value, absl::Span<const int64_t> axes);
  Value expand(const Value& value, absl::Span<const Dim> sizes);
  Value slice(const Value& value, int64_t axis, int64_t begin, int64_t end, int64_t step = 1);
  /// Applies ReduceSum or a different reduction. Reduces all dimensions if `axes` is empty.
  Value reduce(std::string_view op_type, const Value& value, absl::Span<const int64_t> axes,
               bool keep);
  Value where(const Value& test, const Value& yes, const Value& no);
  /// Returns the element type to which these arguments are promoted.
  DType common_dtype(std::initializer_list<std::string_view> names);

  void fail(std::string_view why);
  void fail_invalid(std::string_view why);
  bool failed() const;

 private:
  int index_of(std::string_view name) const;
  Type type_of(const Argument& value);
  Value value_of(const Argument& value, DType target_dtype);
  std::optional<Argument> find(std::string_view name);

  Writer& writer_;
  const Node& node_;
  const Row& row_;
  absl::Span<const BoundParameter> bound_;
};

/// Returns float32 for bfloat16.
inline DType computing_dtype(DType dtype) {
  return dtype == DType::kBFloat16 ? DType::kFloat32 : dtype;
}
/// Returns the sizes as numbers, or nullopt if one is symbolic.
std::optional<std::vector<int64_t>> constant_sizes(absl::Span<const Dim> sizes);

/// Returns the row of an operator, or null if there is none.
const Row* find_row(std::string_view op);
/// Returns the rows that the importer also uses (Row::bidirectional).
absl::Span<const Row* const> bidirectional_rows();

}  // namespace fx::onnx
