// Shared by while_loops.cpp and while_gradients.cpp: the parts of a loop whose number of steps
// depends on data, and calls to such loops.
#pragma once

#include "fx/passes/autodiff/nested_internal.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace fx {

constexpr std::string_view kStackedWhileLoop = "higher_order.while_loop_stack_output";

/// The parts of a call to while_loop or while_loop_stack_output. The inputs of both graphs are the
/// carried values, then the additional operands.
struct WhileLoop {
  const Node& call;
  bool is_stacked;
  size_t num_carried = 0;
  std::vector<Argument> operands;  // for all inputs of the body
  std::vector<size_t> active;      // inputs of the body that are differentiated

  bool is_carried(size_t input) const { return input < num_carried; }
  std::vector<Argument> carried() const { return {operands.begin(), additional_begin()}; }
  std::vector<Argument> additional() const { return {additional_begin(), operands.end()}; }
  bool is_integer(size_t input) const {
    return operands[input].is_int() || type(input).kind() == TypeKind::kInt;
  }
  /// Returns the type of the operand; the null Type for a constant.
  Type type(size_t input) const {
    const Node* const node = operands[input].node();
    return node == nullptr ? Type() : node->type();
  }

 private:
  std::vector<Argument>::const_iterator additional_begin() const {
    return operands.begin() + static_cast<std::ptrdiff_t>(num_carried);
  }
};

absl::StatusOr<WhileLoop> while_loop_of(const Node& call, const NestedOptions& options);
/// Returns a copy of the condition (argument 0) or the body (1).
absl::StatusOr<std::unique_ptr<Graph>> copy_part(const WhileLoop& loop, size_t argument);
/// Returns the graph of the body, whose active inputs are differentiated.
absl::StatusOr<PreparedGraph> prepared_body(const WhileLoop& loop, const NestedOptions& options);

/// Returns the type of a contiguous tensor like `value`.
Type dense_type(const Node& value);
/// Copies the contiguous `value` to a tensor with the strides of `type`, if these are integers.
Proxy with_strides(const Proxy& value, Type type);
/// Returns contiguous zeros like `value`.
Proxy dense_zeros(const Proxy& value);
/// Returns `value`, or a copy if it is not contiguous.
Proxy as_dense(const Proxy& value);
/// Replaces values that are not contiguous, or share memory with an input or an earlier value, with
/// contiguous copies: a loop's body must return new tensors of the types that it receives.
absl::Status copy_aliased_values(Graph& body, std::vector<Node*>& values);

/// Returns the items of a graph's result.
std::vector<Argument> results_of_part(const Graph& part);
/// Makes the body of a loop return these values. Unimplemented if it draws random numbers.
absl::Status return_from_body(Graph& body, const std::vector<Argument>& results);
/// Calls a loop with these parts, and returns its results. The names of the new graphs are
/// `condition_` and `body_` followed by `name` and a number.
absl::StatusOr<std::vector<Node*>> call_while_loop(
    Graph& graph, std::string_view op, std::string_view name, std::unique_ptr<Graph> condition,
    std::unique_ptr<Graph> body, const std::vector<Argument>& carried,
    const std::vector<Argument>& additional, const std::vector<Type>& types);

}  // namespace fx
