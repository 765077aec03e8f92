// minimize: finds the nodes of a graph whose results differ between a reference and a backend, a
// compiler or a pass. Runs parts of the graph both ways on the same inputs. torch.fx's
// counterpart is passes.net_min_base._MinimizerBase.
//
//   fx::PartComparer<double> parts(run_reference, run_backend, compare);
//   FX_RETURN_IF_ERROR(parts.set_inputs(graph, {1.0, 2.0}));
//   FX_ASSIGN_OR_RETURN(const fx::MinimizerReport report,
//                       fx::minimize(graph, parts.check(),
//                                    {.method = fx::MinimizerMethod::kBinary}));
//   std::cout << report.str();
//
//   binary: 5 parts ran, 2 differ
//   faulty nodes: mul
//   mul: 10 vs. 15
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/status.h"
#include "fx/passes/partition/subgraph.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

enum class MinimizerMethod : uint8_t {
  kSequential,  ///< every call separately
  kBinary,      ///< the whole graph, then halves of parts that differ
  kAccumulate,  ///< the first call, the first two, ..., up to the first prefix that differs
  kBlock,       ///< the shortest block of calls that differs, found by bisection of its ends
  kSkip,        ///< all calls except `nodes`: each sequence of calls between them as one part
  kDefined,     ///< `nodes` as one part
};
/// Returns "sequential", "binary", ...
std::string_view minimizer_method_name(MinimizerMethod method);
/// Returns the method with this name; InvalidArgument, with the list of names, for an unknown name.
absl::StatusOr<MinimizerMethod> minimizer_method(std::string_view name);

struct MinimizerOptions {
  MinimizerMethod method = MinimizerMethod::kSequential;
  /// Continues after the first faulty node and finds all of them, even in both halves (torch.fx's
  /// binary search ignores faulty nodes in the first half if the second half has one).
  bool find_all = false;
  std::vector<Node*> nodes = {};  ///< for kSkip and kDefined
  /// Excludes calls from the search, which covers only the sequences of calls between them.
  std::function<bool(const Node&)> exclude = {};
};

/// One part that ran.
struct MinimizerStep {
  const Node* first;
  const Node* last;
  size_t nodes;
  std::string what;  ///< a description of the difference; empty if there is none
};

struct MinimizerReport {
  MinimizerMethod method;
  /// The faulty calls, in program order. Without `find_all`, there is more than one only if all of
  /// them together differ but no part of them does, and for kBlock, kSkip and kDefined.
  std::vector<Node*> faulty_nodes;
  std::vector<MinimizerStep> steps;

  /// Returns a report like the one at the top of this file.
  std::string str() const;
};

/// Runs a part both ways and returns a description of the difference; empty if there is none.
using CheckPart = std::function<absl::StatusOr<std::string>(absl::Span<Node* const> nodes)>;

/// Finds the faulty calls in the graph (not in nested graphs). Returns FailedPrecondition for a
/// graph that writes to memory, because its parts cannot run separately (functionalize it first);
/// InvalidArgument for `nodes` that are not calls in the graph; and any error from `check`. For n
/// calls, kSequential and kAccumulate run at most n parts; kBinary and kBlock run about 2 log2 n
/// parts for each faulty call.
absl::StatusOr<MinimizerReport> minimize(const Graph& graph, const CheckPart& check,
                                         const MinimizerOptions& options = {});

/// Runs a part with two callables and compares their results. `V` is the type of a value. Stores
/// the value of every node.
template <class V>
class PartComparer {
 public:
  /// Runs a graph that returns a tuple or a list; returns the items.
  using Run =
      std::function<absl::StatusOr<std::vector<V>>(const Graph& part, std::vector<V> inputs)>;
  /// Returns a description of the difference between two values; empty if there is none.
  using Compare = std::function<std::string(const V& a, const V& b)>;
  /// Called with each part that differs and its inputs, for example to save it.
  using OnDifference = std::function<void(const Subgraph& part, const std::vector<V>& inputs)>;

  PartComparer(Run run_a, Run run_b, Compare compare)
      : run_a_(std::move(run_a)), run_b_(std::move(run_b)), compare_(std::move(compare)) {}

  /// If `on`, `run_b` receives the earlier results of `run_b` as inputs, where they exist, instead
  /// of the results of `run_a`.
  void set_accumulate_error(bool on) { accumulate_error_ = on; }
  void set_on_difference(OnDifference on_difference) { on_difference_ = std::move(on_difference); }

  /// Runs the whole graph with `run_a`, to compute the inputs of its parts. The graph must not
  /// change afterward.
  absl::Status set_inputs(const Graph& graph, const std::vector<V>& inputs) {
    std::vector<Node*> placeholders = graph.find_nodes(Opcode::kPlaceholder), nodes;
    if (inputs.size() != placeholders.size())
      return absl::InvalidArgumentError(
          "the number of inputs must equal the number of placeholders");
    for (Node& node : graph.nodes())
      if (!node.is_placeholder() && !node.is_output()) nodes.push_back(&node);
    FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> all,
                        extract_subgraph(graph, nodes, placeholders, nodes));
    FX_ASSIGN_OR_RETURN(std::vector<V> values, run_a_(*all, inputs));
    if (values.size() != nodes.size())
      return absl::InternalError("the reference must return one value for each node");
    graph_ = &graph;
    a_.emplace(graph);
    b_.emplace(graph);
    for (size_t i = 0; i < inputs.size(); ++i) (*a_)[*placeholders[i]] = inputs[i];
    for (size_t i = 0; i < nodes.size(); ++i) (*a_)[*nodes[i]] = std::move(values[i]);
    return absl::OkStatus();
  }

  /// Returns the check for minimize. This object must outlive the check.
  CheckPart check() {
    return [this](absl::Span<Node* const> nodes) { return check(nodes); };
  }

 private:
  absl::StatusOr<std::string> check(absl::Span<Node* const> nodes) {
    if (graph_ == nullptr) return absl::FailedPreconditionError("call set_inputs first");
    FX_ASSIGN_OR_RETURN(const Subgraph part, copy_subgraph(*graph_, nodes, {.return_tuple = true}));
    std::vector<V> inputs_a, inputs_b;
    for (const Node* input : part.inputs) {
      inputs_a.push_back(*(*a_)[*input]);
      inputs_b.push_back(accumulate_error_ && (*b_)[*input] ? *(*b_)[*input] : inputs_a.back());
    }
    FX_ASSIGN_OR_RETURN(const std::vector<V> a, run_a_(*part.graph, inputs_a));
    const absl::StatusOr<std::vector<V>> b = run_b_(*part.graph, inputs_b);
    std::string what;
    if (!b.ok()) {
      what = "the second run failed: " + std::string(b.status().message());
    } else if (a.size() != b->size()) {
      what = "the numbers of results differ";
    } else {
      for (size_t i = 0; i < a.size() && what.empty(); ++i) {
        what = compare_(a[i], (*b)[i]);
        if (!what.empty() && i < part.outputs.size())
          what.insert(0, part.outputs[i]->name() + ": ");
      }
      for (size_t i = 0; i < b->size() && i < part.outputs.size(); ++i)
        (*b_)[*part.outputs[i]] = (*b)[i];
    }
    if (!what.empty() && on_difference_) on_difference_(part, inputs_a);
    return what;
  }

  Run run_a_, run_b_;
  Compare compare_;
  OnDifference on_difference_;
  bool accumulate_error_ = false;
  const Graph* graph_ = nullptr;
  std::optional<NodeMap<std::optional<V>>> a_, b_;  // values of nodes in each kind of run
};

}  // namespace fx
