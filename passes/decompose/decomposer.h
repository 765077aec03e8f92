// Decomposer: the argument of a decomposition. It has the arguments of the call to be decomposed,
// and records, through Proxies, the operators that replace it, each with its type.
//
//   fx::AnyArg silu_backward(fx::Decomposer& d) {
//     const fx::Proxy grad = d.tensor("grad_output"), x = d.tensor("self");
//     const fx::Proxy s = sigmoid(x);
//     return grad * s * (1 + x * (1 - s));
//   }
//
// Decomposer is a tracer that records ATen overloads, so all functions and methods of Proxy are
// available. It keeps the first error (status()); after an error it records nothing, and the call
// does not change.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/shape/shape_env.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/proxy.h"
#include "fx/tracer/tracer_base.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// The argument of a decomposition. See the top of this file.
class Decomposer : public TracerBase {
 public:
  /// Inserts new nodes at the graph's insert point.
  explicit Decomposer(Graph& graph);

  /// Starts with this call and resets the status.
  void start(const Node& call);
  const Node& call() const { return *call_; }

  // ---- The call's arguments, by their names in the operator's schema, including defaults
  Argument argument(std::string_view name) const;
  /// True if the argument is None, or is missing and has no default.
  bool is_none(std::string_view name) const { return argument(name).is_none(); }
  /// Returns a tensor. Rejects the call if the argument is not a tensor.
  Proxy tensor(std::string_view name);
  /// Returns a tensor, or a Proxy without a value for None.
  Proxy optional_tensor(std::string_view name);
  /// Returns the items of a list of tensors. Rejects the call, and returns no items, if the argument
  /// is not such a list: it may be a value of the graph.
  std::vector<Proxy> tensors(std::string_view name);
  // Return constants. Reject the call if the argument is a value of the graph.
  int64_t integer(std::string_view name);
  double number(std::string_view name);
  bool flag(std::string_view name);
  std::string text(std::string_view name);
  /// Here and in dims(), a single number counts as a list with one item, and None as an empty list.
  std::vector<int64_t> integers(std::string_view name);
  /// Returns a list of sizes, which may be values of the graph.
  std::vector<IntArg> dims(std::string_view name);
  /// Returns any number, or a value of the graph.
  ScalarArg scalar(std::string_view name);
  /// Returns a dtype or memory format: a constant, or PyTorch's number of it (TorchScript).
  DType dtype_argument(std::string_view name);
  MemoryFormat memory_format(std::string_view name);

  // ---- Properties of values. All values have types unless an error occurred
  Type type(const Proxy& x) const;
  DType dtype(const Proxy& x) const { return type(x).dtype(); }
  /// Rejects the call if the rank is unknown.
  int64_t rank(const Proxy& x);
  /// Returns the type of result `i` of the call.
  Type result(size_t i = 0) const;
  /// True if result `i` of the call, which has multiple results, has users or may have users.
  bool reads_result(size_t i) const { return reads_result(call(), i); }
  static bool reads_result(const Node& call, size_t i);
  /// Returns the ranges of the graph's symbols.
  ShapeEnv& shape_env() { return env_; }
  /// Returns a size: a number, or a value of the graph. `dim` may be negative.
  IntArg size(const Proxy& x, int64_t dim);
  std::vector<IntArg> sizes(const Proxy& x, int64_t begin = 0, int64_t end = INT64_MAX);
  /// True if a size is known to be this number. Rejects the call if the rank is unknown.
  bool has_size(const Proxy& x, int64_t dim, int64_t size);
  /// True if a size of the tensor is known to be 0.
  bool is_empty(const Proxy& x) const;
  /// Returns a size that is a number. Rejects the call otherwise.
  int64_t known_size(const Proxy& x, int64_t dim);
  /// Returns the product of sizes: a number, or a value of the graph.
  ScalarArg product(const std::vector<IntArg>& factors);
  ScalarArg numel(const Proxy& x) { return product(sizes(x)); }
  /// Returns a / b; like product(), a number or a value of the graph.
  ScalarArg quotient(double a, const ScalarArg& b);
  /// Returns begin, begin + 1, ... end - 1.
  static std::vector<int64_t> range(int64_t begin, int64_t end);
  /// Returns the dimension, counted from 0. Rejects the call if it does not exist.
  int64_t wrapped(int64_t dim, int64_t rank);

  // ---- Common operators of decompositions
  /// Records a call to any operator, by its name. Lists must be IntList, TensorList, ...
  /// (fx/tracer/operand.h): `d.emit("aten.permute.default", {x, IntList{0, 2, 3, 1}})`,
  /// `IntList(d.dims("stride"))`.
  Proxy emit(std::string_view op, std::initializer_list<AnyArg> args,
             std::initializer_list<NamedArg> kwargs = {}, Where where = Where::current()) {
    return call_function(op, args, kwargs, where);
  }
  /// Records the call again, with these values instead of the arguments with the same names:
  /// `{{"self", x}}`. A value replaces a whole argument.
  Proxy call_with(absl::Span<const std::pair<std::string_view, AnyArg>> replaced);
  Proxy call_with(std::initializer_list<std::pair<std::string_view, AnyArg>> replaced) {
    return call_with(absl::MakeConstSpan(replaced.begin(), replaced.size()));
  }
  /// Converts `x` to this dtype; returns `x` itself if it has the dtype.
  Proxy cast(const Proxy& x, DType dtype);
  /// Returns the tensor in the dtype in which libtorch's kernels compute: float16 and
  /// bfloat16 as float32.
  Proxy opmath(std::string_view name) { return opmath(tensor(name)); }
  Proxy opmath(const Proxy& x);
  static DType opmath(DType dtype);
  /// Returns opmath() of an operand that kernels first convert to the dtype of the result (type
  /// promotion, or the argument dtype). The conversion may round, and an integer may become
  /// infinite in float16.
  Proxy promoted(std::string_view name) { return promoted(tensor(name)); }
  Proxy promoted(const Proxy& x);
  /// Creates a 0-dimensional tensor on the device of `like`.
  Proxy scalar_tensor(const ScalarArg& value, const Proxy& like, DType dtype);
  Proxy scalar_tensor(const ScalarArg& value, const Proxy& like) {
    return scalar_tensor(value, like, dtype(like));
  }
  /// Records aten.where.self; a number counts as a tensor of the other operand's dtype. The graph
  /// may be differentiated: an element that is not chosen has gradient 0, but 0 times the
  /// derivative of its branch is NaN if the derivative is infinite. Replace the operands of such
  /// elements first: `where(c, x, log1p(exp(where(c, 0, x))))`. Then the gradient stops at the
  /// inner `where`.
  Proxy where(const Proxy& condition, const Proxy& a, const Proxy& b);
  Proxy where(const Proxy& condition, const ScalarArg& a, const Proxy& b);
  Proxy where(const Proxy& condition, const Proxy& a, const ScalarArg& b);
  /// Creates a tensor filled with one value, on the device of `like`.
  Proxy full(const std::vector<IntArg>& sizes, const ScalarArg& value, const Proxy& like,
             DType dtype);
  Proxy zeros(const std::vector<IntArg>& sizes, const Proxy& like) {
    return full(sizes, 0, like, dtype(like));
  }
  /// Returns elements `begin` to `end` of a dimension.
  Proxy slice(const Proxy& x, int64_t dim, int64_t begin, int64_t end) {
    return emit("aten.slice.Tensor", {x, dim, begin, end});
  }
  /// Records Python's x[indices], where a missing index selects all elements of its dimension.
  Proxy index(const Proxy& x, const OptionalTensorList& indices) {
    return emit("aten.index.Tensor", {x, AnyArg(indices.value())});
  }
  /// Returns 0, 1, ... count - 1.
  Proxy iota(const Operand& count, const Proxy& like);
  /// True if a view of `x` can have these sizes, for all values of the symbols.
  bool is_viewable(const Proxy& x, const std::vector<IntArg>& sizes);
  /// Returns a view if possible; otherwise a copy.
  Proxy reshape(const Proxy& x, const std::vector<IntArg>& sizes);
  /// Adds trailing dimensions of size 1 to `x`, for `rank` dimensions in total.
  Proxy unsqueeze_to(const Proxy& x, int64_t rank);
  /// Reduces a loss: `reduction` is libtorch's 0 none, 1 mean, 2 sum.
  Proxy reduce_loss(const Proxy& loss, int64_t reduction);

  /// Rejects the call, which is kept, for this reason.
  AnyArg reject(std::string_view reason);

 protected:
  absl::StatusOr<Node*> create_node(const NodeRequest& request) override;

 private:
  void reject_argument(std::string_view name, std::string_view what);
  Proxy proxy(Node* node) { return node ? Proxy(*node, *this) : Proxy::failed(*this); }

  ShapeEnv env_;
  const Node* call_ = nullptr;
  Type anything_;  // the type of values that could not be recorded
};

}  // namespace fx
