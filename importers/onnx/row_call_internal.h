// RowCall: one call of an operator, as the row that converts it sees it.
//
//   void relu(RowCall& c) { c.result(c.op("Relu", {c.tensor("self")})); }
//
// Arguments are named as in the schema; an argument that the call leaves out has its default. After
// an error (fail) every function returns an empty value and emits nothing that is kept, so that rows
// need no checks.
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

/// The element types of the first tensor that a row accepts.
enum Accepted : uint8_t {
  kFloats = 1,  ///< float16, bfloat16, float32, float64
  kInts = 2,
  kBools = 4,
  kNumbers = kFloats | kInts,
  kAnything = 7,
  kUnchecked = 8,  ///< also others: complex numbers, no tensor at all
};

/// How an operator is converted.
struct Row {
  std::string_view op;  ///< `aten.relu.default`
  void (*convert)(RowCall& call);
  Accepted accepts = kAnything;
  /// Elements are computed, not only moved: bfloat16 is computed in float32 and rounded once, as by
  /// libtorch's kernels. (onnxruntime has no bfloat16 arithmetic on the processor.)
  bool computes = true;
  std::string_view name = {};  ///< the operator of ONNX, for functions that several rows share
};

class RowCall {
 public:
  using Ints = std::vector<int64_t>;

  RowCall(Writer& writer, const Node& node, const Row& row, absl::Span<const BoundParameter> bound);

  const Node& node() const { return node_; }
  const Row& row() const { return row_; }
  int opset() const;
  Context& context() const { return node_.context(); }

  // ---- Arguments. Unknown names are errors of the row.
  /// True if the argument is not None.
  bool has(std::string_view name);
  bool has_argument(std::string_view name) const { return index_of(name) >= 0; }
  /// A tensor; of rows that compute, float32 in place of bfloat16.
  Value tensor(std::string_view name);
  /// A tensor or a number, with this element type.
  Value tensor_as(std::string_view name, DType dtype);
  /// The type of a tensor, whose rank is known. A number has no dimensions.
  Type type(std::string_view name);
  bool is_number(std::string_view name);
  /// The items of a list of tensors; None is an empty value.
  std::vector<Value> tensors(std::string_view name);
  std::vector<Type> types(std::string_view name);
  int64_t integer(std::string_view name);
  double real(std::string_view name);
  bool flag(std::string_view name);
  std::string text(std::string_view name);
  /// A list of constant integers; one integer is a list of it.
  Ints ints(std::string_view name);
  /// The same, repeated to `count` items if there is one.
  Ints ints(std::string_view name, size_t count);
  DType dtype(std::string_view name, DType otherwise);
  /// A constant integer, or nullopt if it is symbolic.
  std::optional<int64_t> constant_integer(std::string_view name);
  std::optional<double> constant_real(std::string_view name);
  /// An integer, constant or not, without dimensions.
  Value number(std::string_view name);
  /// The same as a tensor of one element.
  Value number_1d(std::string_view name);
  /// A list of integers, constant or not, as one int64 tensor.
  Value shape(std::string_view name);
  /// Items of it in this order; a negative place is 0.
  Value items(std::string_view name, absl::Span<const int64_t> places);
  /// The argument itself; nullopt if it is not passed.
  std::optional<ArgumentRef> argument(std::string_view name) const;
  /// A dimension in 0 ... rank - 1.
  int dim(std::string_view name, int rank);
  int wrap_dim(int64_t dim, int rank);

  // ---- Results
  Type result_type(size_t i = 0);
  /// The element type in which the result is computed.
  DType result_dtype(size_t i = 0);
  /// The value of the call, converted to its element type.
  void result(const Value& value);
  void results(absl::Span<const Value> values);

  // ---- Operators
  Value op(std::string_view op_type, std::initializer_list<Value> inputs,
           std::initializer_list<Attribute> attributes = {}, DType result = DType::kUndefined);
  Value op(std::string_view op_type, absl::Span<const Value> inputs,
           absl::Span<const Attribute> attributes, DType result = DType::kUndefined);
  std::vector<Value> ops(std::string_view op_type, absl::Span<const Value> inputs,
                         absl::Span<const Attribute> attributes, absl::Span<const DType> results);
  Value custom(std::string_view domain, std::string_view op_type, absl::Span<const Value> inputs,
               absl::Span<const Attribute> attributes, DType result);
  /// The value with another element type.
  Value cast(const Value& value, DType dtype);
  Value scalar(double value, DType dtype);
  Value scalar(int64_t value, DType dtype);
  Value scalar(int value, DType dtype) { return scalar(int64_t{value}, dtype); }
  /// A constant int64 tensor of one dimension.
  Value ints_value(absl::Span<const int64_t> values);
  /// A constant tensor of real numbers.
  Value reals_value(absl::Span<const double> values, absl::Span<const int64_t> sizes, DType dtype);
  Value indices_value(absl::Span<const int64_t> values, absl::Span<const int64_t> sizes);
  /// The sizes of a type as an int64 tensor of one dimension.
  Value sizes_value(absl::Span<const Dim> sizes);
  /// A size as a tensor without dimensions.
  Value size_value(const Dim& size);
  Value reshape(const Value& value, absl::Span<const Dim> from, absl::Span<const Dim> to);
  Value transpose(const Value& value, absl::Span<const int64_t> order);
  Value unsqueeze(const Value& value, absl::Span<const int64_t> axes);
  Value squeeze(const Value& value, absl::Span<const int64_t> axes);
  Value expand(const Value& value, absl::Span<const Dim> sizes);
  Value slice(const Value& value, int64_t axis, int64_t begin, int64_t end, int64_t step = 1);
  /// ReduceSum, ...; no axes: all.
  Value reduce(std::string_view op_type, const Value& value, absl::Span<const int64_t> axes,
               bool keep);
  Value where(const Value& test, const Value& yes, const Value& no) {
    return op("Where", {test, yes, no}, {}, yes.dtype);
  }
  /// The element type that promotion gives to these arguments together.
  DType common_dtype(std::initializer_list<std::string_view> names);

  void fail(std::string_view why);
  void fail_invalid(std::string_view why);
  bool failed() const;

 private:
  int index_of(std::string_view name) const;
  Type type_of(const Argument& value);
  Value value_of(const Argument& value, DType wanted);
  std::optional<Argument> find(std::string_view name);

  Writer& writer_;
  const Node& node_;
  const Row& row_;
  absl::Span<const BoundParameter> bound_;
};

/// bfloat16 is computed in float32.
inline DType computing_dtype(DType dtype) {
  return dtype == DType::kBFloat16 ? DType::kFloat32 : dtype;
}
/// The sizes as numbers; nullopt if one is symbolic.
std::optional<std::vector<int64_t>> constant_sizes(absl::Span<const Dim> sizes);

/// Null when there is none.
const Row* find_row(std::string_view op);

}  // namespace fx::onnx
