// Shared by the functions of autodiff.h: graphs that are prepared for differentiation, and the
// differentiation of their calls in reverse and forward mode.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/decompose/decompose.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// True if the value may have a derivative: a floating-point or complex tensor, or a value of unknown
/// type.
bool is_differentiable(Type type);

/// True if the item of the results of the call has no derivative, although its type could have one.
bool is_constant_result(const Node& call, size_t item);

/// Returns the names in ArgumentDerivative::arguments.
std::vector<std::string_view> argument_names(std::string_view names);

/// Looks up rules by target, once per target.
class RuleLookup {
 public:
  explicit RuleLookup(const DerivativeTable& table) : table_(table) {}
  const DerivativeRule* find(const Node& call);

 private:
  const DerivativeTable& table_;
  absl::flat_hash_map<const void*, const DerivativeRule*> by_target_;
};

/// Whether at least one result must depend on the inputs to differentiate.
enum class Dependence : uint8_t { kRequired, kOptional };

/// A copy of a graph that is prepared for differentiation: it has types and only ATen operators,
/// all writes to inputs are at its end, all other writes create copies with a history
/// (histories.h), and each operator that requires a rule has one.
class PreparedGraph {
 public:
  static absl::StatusOr<PreparedGraph> make(const Graph& graph, const GradOptions& options,
                                            Dependence dependence = Dependence::kRequired);

  Graph& graph() const { return *graph_; }
  std::unique_ptr<Graph> take() { return std::move(graph_); }
  const DerivativeTable& table() const { return *table_; }
  GradStyle style() const { return style_; }
  /// Returns the inputs to differentiate with respect to, in program order.
  const std::vector<Node*>& inputs() const { return inputs_; }
  /// Returns the items of the result, flattened; null for an item that is not a node.
  std::vector<Node*> results() const;
  /// Returns the results to differentiate: those that depend on `inputs` and are not new values of
  /// inputs.
  std::vector<Node*> active_results() const;
  /// True if the value depends on `inputs` and has a derivative.
  bool is_active(const Node& node) const { return active_[node] != 0; }
  /// Returns the node before which new nodes must be inserted.
  Node* end() const;
  /// True for a result that is the new value of an input, according to the metadata `outputs`.
  bool is_mutation(size_t result) const;

 private:
  PreparedGraph(std::unique_ptr<Graph> graph, const GradOptions& options);
  absl::Status lower();
  absl::Status choose_inputs(const std::vector<std::string>& wrt);
  absl::Status choose_result(const std::string& of);
  absl::Status find_active();
  /// Calls that need a rule but have none, by operator, in program order.
  using MissingRules = std::vector<std::vector<const Node*>>;
  /// Marks the values that depend on `inputs` and that `results` depend on in active_, and returns
  /// the calls without a rule.
  MissingRules mark_active(const std::vector<Node*>& inputs, const std::vector<Node*>& results);
  absl::Status drop_histories();
  static absl::Status missing_rules(const MissingRules& missing, const DecomposeReport& report);

  std::unique_ptr<Graph> graph_;
  const DerivativeTable* table_;
  GradStyle style_;
  std::vector<Node*> inputs_;
  NodeMap<uint8_t> active_;
};

/// Sets the provenance and region of new nodes, which are before the insert point.
class NewNodes {
 public:
  explicit NewNodes(Graph& graph) : graph_(graph), last_(last()) {}
  /// Sets the provenance of the nodes that were created since the last call to that of `source`.
  void record_source(const Node& source);

 private:
  Node* last() const;
  Graph& graph_;
  Node* last_;
};

/// True if an argument that the rule differentiates is active.
bool differentiates(const DerivativeRule& rule, const Node& call, const NodeMap<uint8_t>& active);

/// The calls to differentiate in reverse mode: those after `first` and before the insert point.
struct ReverseCalls {
  Graph& graph;
  const DerivativeTable& table;
  GradStyle style;
  const Node* first = nullptr;  ///< null for all calls before the insert point
  std::function<bool(const Node&)> is_active;
};
/// Appends the gradients of `values` at the insert point, and returns a node or null for each.
/// `seeds`: pairs of a value and its gradient.
absl::StatusOr<std::vector<Node*>> reverse_through(
    const ReverseCalls& calls, const std::vector<std::pair<Node*, Node*>>& seeds,
    const std::vector<Node*>& values);

/// Appends the gradients of the inputs, before the end of the graph. `seeds`: pairs of a result and
/// its gradient. Returns a node or null for each of the inputs.
absl::StatusOr<std::vector<Node*>> append_gradients(
    const PreparedGraph& prepared, const std::vector<std::pair<Node*, Node*>>& seeds);

/// Appends the tangents of the results. `seeds`: pairs of an input and its tangent. Returns a node
/// or null for each of `results`.
absl::StatusOr<std::vector<Node*>> append_tangents(
    const PreparedGraph& prepared, const std::vector<std::pair<Node*, Node*>>& seeds,
    const std::vector<Node*>& results);

// ---- Calls to nested graphs (nested.cpp)

/// True for a call to an operator whose nested graphs are differentiated: cond, scan, map_impl,
/// while_loop, while_loop_stack_output.
bool has_derivative_graphs(const Node& call);

struct NestedOptions {
  Graph& graph;  ///< new nodes are inserted at its insert point
  const DerivativeTable& table;
  GradStyle style;
  std::function<bool(const Node&)> is_active;
};

/// Appends the gradients of the operands of a call for which has_derivative_graphs() is true.
/// `gradients`: a node or null for each of its results. Returns pairs of an operand and its
/// gradient. May replace the call with one that has additional results.
absl::StatusOr<std::vector<std::pair<Node*, Node*>>> append_nested_gradients(
    Node& call, const std::vector<Node*>& gradients, const NestedOptions& options);

/// Appends the tangents of the results of such a call. Returns a node or null for each result.
absl::StatusOr<std::vector<Node*>> append_nested_tangents(
    const Node& call, const std::function<Node*(const Node&)>& tangent_of,
    const NestedOptions& options);

/// Returns the type of a gradient or tangent of this value: a tensor with its own memory, without
/// requires_grad.
Type gradient_type(const Node& value);

}  // namespace fx
