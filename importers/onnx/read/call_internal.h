// Call: a node of an ONNX model, in the form that rows use to convert it.
//
//   void leaky_relu(Call& c) {
//     c.result(c.op("aten.leaky_relu.default", {c.in(0), c.real("alpha", 0.01)}));
//   }
//
// After an error (fail), every function returns an empty value and has no effect, so rows do not
// require error checks. An attribute that a row does not read is an error.
#pragma once

#include "fx/importers/onnx/model/model_internal.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/types/type.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::onnx::reader {

class Call;
class Reader;
struct Body;
struct Frame;
struct Value;

/// The conversion of an ONNX operator.
struct Row {
  std::string_view name;
  void (*convert)(Call& call);
  int first = 1, last = 1000;  ///< the first and the last supported opset
  std::string_view domain = {};
};

/// A tensor of the graph. Converts to false after an error, or if the tensor is omitted.
struct Val {
  Node* node = nullptr;
  explicit operator bool() const { return node != nullptr; }
  operator Argument() const { return node != nullptr ? Argument(node) : Argument(); }
};

/// Integers that determine shapes: constants, or nodes that return symbolic integers.
using Sizes = std::vector<Argument>;
using Ints = std::vector<int64_t>;

/// Returns the tensor of constant integers. Those that do not fit in an integer type wrap, as in
/// onnxruntime.
absl::StatusOr<Tensor> constant_tensor(const Sizes& elements, bool is_scalar, DType dtype);

class Call {
 public:
  Call(Reader& reader, const NodeProto& proto, int opset, Frame& frame, const Body* body,
       std::vector<Value*> inputs);

  const NodeProto& proto() const { return proto_; }
  const std::vector<Node*>& created() const { return created_; }
  const std::vector<Value*>& results() const { return results_; }
  int opset() const { return opset_; }
  Context& context() const;
  Graph& graph() const;
  Reader& reader() const { return reader_; }
  Frame& frame() const { return frame_; }

  // ---- Inputs. `i` counts from 0.
  size_t num_inputs() const { return inputs_.size(); }
  size_t num_outputs() const { return proto_.outputs.size(); }
  /// Returns true if the node has this input.
  bool has(size_t i) const;
  bool has_output(size_t i) const;
  /// Returns an input, which must exist.
  Val in(size_t i);
  /// Returns an input, or an empty Val if the node omits it.
  Val optional(size_t i);
  Value& value(size_t i);
  /// Marks the initializer of an input as a buffer, which is not trained.
  void mark_buffer(size_t i);
  /// Returns the contents of an input if they are known.
  std::optional<Ints> constant_ints(size_t i);
  std::optional<std::vector<double>> constant_reals(size_t i);
  /// Returns the elements of an integer tensor of at most one dimension. Elements that are computed
  /// from data become calls to `item`.
  Sizes sizes(size_t i);
  /// Returns the only element of an integer tensor.
  Argument size(size_t i);
  /// Returns the elements if they do not depend on data.
  std::optional<Sizes> known_sizes(size_t i);
  /// Returns the elements, which must be constants. `what` describes them in the error message.
  Ints ints_input(size_t i, std::string_view what);

  // ---- Attributes
  bool has_attribute(std::string_view name);
  int64_t integer(std::string_view name, int64_t default_value);
  bool flag(std::string_view name, bool default_value = false) {
    return integer(name, default_value) != 0;
  }
  double real(std::string_view name, double default_value);
  std::string text(std::string_view name, std::string_view default_value);
  std::optional<Ints> ints(std::string_view name);
  std::vector<double> reals(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  const GraphProto* graph_attribute(std::string_view name);
  const TensorProto* tensor_attribute(std::string_view name);
  const AttributeProto* attribute(std::string_view name);
  /// Accepts an attribute that has no effect on the result.
  void ignore_attribute(std::string_view name) { attribute(name); }
  /// Returns the axes in an attribute or, starting with opset `since`, in input `i`; nullopt if
  /// they are omitted.
  std::optional<Ints> axes(std::string_view name, size_t i, int since);

  // ---- Types. These functions fail if the type of the tensor is unknown.
  Type type(Val value);
  DType dtype(Val value);
  int rank(Val value);
  Dim dim(Val value, int64_t axis);
  /// Returns the size of a dimension, which must be constant and at most 2^40.
  int64_t constant_dim(Val value, int64_t axis);
  std::optional<Ints> constant_shape(Val value);
  /// Returns the length of a list of sizes or axes that depend on data. It must be at most 1024.
  int64_t list_length(Val value);
  /// Returns a size as an argument of a call: a constant, or the result of `sym_size`.
  Argument size_of(Val value, int64_t axis);
  Sizes shape_of(Val value);
  /// Converts an axis, which may be negative, to an axis in [0, rank).
  int64_t axis(int64_t axis, int rank);
  Ints axes_of(absl::Span<const int64_t> axes, int rank);

  // ---- Calls
  Val op(std::string_view target, absl::Span<const Argument> args,
         absl::Span<const Kwarg> kwargs = {});
  Val op(std::string_view target, std::initializer_list<Argument> args,
         std::initializer_list<Kwarg> kwargs = {}) {
    return op(target, absl::Span<const Argument>(args.begin(), args.size()),
              absl::Span<const Kwarg>(kwargs.begin(), kwargs.size()));
  }
  /// Selects a result of a call that has more than one.
  Val item(Val tuple, int64_t i);
  Val cast(Val value, DType dtype);
  Val reshape(Val value, const Sizes& sizes);
  Val permute(Val value, absl::Span<const int64_t> order);
  Val unsqueeze(Val value, absl::Span<const int64_t> sorted_axes);
  Val squeeze(Val value, absl::Span<const int64_t> axes);
  Val slice(Val value, int64_t axis, Argument begin, Argument end, int64_t step = 1);
  /// Returns a 0-dimensional constant tensor, for operators without an overload for numbers.
  Val scalar(double number, DType dtype);
  Val scalar_int(int64_t number, DType dtype);
  /// Returns a 1-dimensional constant tensor.
  Val ints_tensor(absl::Span<const int64_t> values, DType dtype);
  Val constant(Tensor tensor);
  /// Returns a tensor with these elements, 0-dimensional if `is_scalar`, otherwise 1-dimensional.
  Val tensor_of(const Sizes& elements, bool is_scalar, DType dtype);
  static Argument list(absl::Span<const int64_t> values) { return Argument::ints(values); }
  static Argument dims(std::initializer_list<int64_t> values) {
    return Argument::ints(absl::Span<const int64_t>(values.begin(), values.size()));
  }
  static Argument list(const Sizes& values) { return Argument::list(values); }
  static Argument list(const std::vector<Val>& values);
  static Argument vals(std::initializer_list<Val> values) { return list(std::vector<Val>(values)); }

  // Arithmetic on sizes.
  Argument add(const Argument& a, const Argument& b);
  Argument sub(const Argument& a, const Argument& b);
  Argument mul(const Argument& a, const Argument& b);
  /// Rounds down; `b` must not be 0.
  Argument floor_div(const Argument& a, const Argument& b);

  // ---- Results
  void result(Val value) { result(0, value); }
  void result(size_t i, Val value);
  /// Sets the result to a tensor with these elements, which are known before the graph runs.
  void result_sizes(const Sizes& elements, bool is_scalar, DType dtype = DType::kInt64);
  void result_constant(Tensor tensor);
  void result_sequence(std::vector<Value*> items);
  /// Sets result `i` to an existing value.
  void result_same(size_t i, Value& value);

  void fail(std::string_view why);
  void fail_invalid(std::string_view why);
  void fail(const absl::Status& status);
  bool failed() const { return !status_.ok(); }
  const absl::Status& status() const { return status_; }
  /// Fails if the node has an attribute that was not read.
  void check_attributes();
  Value& result_value(size_t i);

 private:
  Argument compute(std::string_view function, const Argument& a, const Argument& b);

  Reader& reader_;
  const NodeProto& proto_;
  int opset_;
  Frame& frame_;
  const Body* body_;
  std::vector<Value*> inputs_;
  std::vector<bool> is_read_;  // for each attribute
  std::vector<Value*> results_;
  std::vector<Node*> created_;
  absl::Status status_;
};

/// Returns null if no row supports this operator in this opset.
const Row* find_row(std::string_view domain, std::string_view name, int opset);

}  // namespace fx::onnx::reader
