// minimize: which nodes of a graph make two ways of running it differ: a reference and a backend, a
// compiler, a pass. Parts of the graph run both ways on the same inputs, smaller and smaller ones.
// torch.fx's counterpart is passes.net_min_base._MinimizerBase.
//
//   fx::PartComparer<double> parts(run_reference, run_backend, compare);
//   FX_RETURN_IF_ERROR(parts.set_inputs(graph, {1.0, 2.0}));
//   FX_ASSIGN_OR_RETURN(const fx::MinimizerReport report,
//                       fx::minimize(graph, parts.check(), {.method =
//                       fx::MinimizerMethod::kBinary}));
//   std::cout << report.str();
//
//   binary: 5 parts ran, 2 differ
//   the nodes at fault: mul
//   mul: 10 against 15
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
  kSequential,  ///< every call by itself
  kBinary,      ///< the whole, then halves of what differs
  kAccumulate,  ///< the first call, the first two, ...: the one whose coming makes the difference
  kBlock,       ///< the shortest block of calls that differs, found by bisection of its ends
  kSkip,        ///< everything but `nodes`, in the runs that are left
  kDefined,     ///< `nodes` as one part
};
/// "sequential", "binary", ...
std::string_view minimizer_method_name(MinimizerMethod method);
/// InvalidArgument, naming those that there are, for another name.
absl::StatusOr<MinimizerMethod> minimizer_method(std::string_view name);

struct MinimizerOptions {
  MinimizerMethod method = MinimizerMethod::kSequential;
  /// Go on behind the first fault. All of them are found then, in both halves too (torch.fx's
  /// binary search forgets those of the first).
  bool find_all = false;
  std::vector<Node*> nodes = {};  ///< for kSkip and kDefined
  /// Calls that take no part: what stands between them is looked at in runs.
  std::function<bool(const Node&)> exclude = {};
};

/// One part that ran.
struct MinimizerStep {
  const Node* first;
  const Node* last;
  size_t nodes;
  std::string what;  ///< how the two ways differ; empty when they do not
};

struct MinimizerReport {
  MinimizerMethod method;
  /// In program order. Several where only all together differ, and of kBlock, kSkip and kDefined.
  std::vector<Node*> culprits;
  std::vector<MinimizerStep> steps;

  /// The text at the head of this file.
  std::string str() const;
};

/// Runs a part both ways and says how they differ; empty when they do not.
using CheckPart = std::function<absl::StatusOr<std::string>(absl::Span<Node* const> nodes)>;

/// Looks for the calls of the graph (not of nested graphs) at fault. FailedPrecondition for a graph
/// that writes to memory, whose parts do not run alone: functionalize it first. InvalidArgument for
/// `nodes` that are no calls of the graph. Errors of `check`. Parts that run: as many as calls for
/// kSequential and kAccumulate, about 2 log2 of that for each fault for kBinary and kBlock.
absl::StatusOr<MinimizerReport> minimize(const Graph& graph, const CheckPart& check,
                                         const MinimizerOptions& options = {});

/// The check of two callables and a comparison, over values of any kind. It keeps the value of
/// every node.
template <class V>
class PartComparer {
 public:
  /// Runs a graph; its results, which it returns as a tuple, item by item.
  using Run =
      std::function<absl::StatusOr<std::vector<V>>(const Graph& part, std::vector<V> inputs)>;
  /// Says how two values differ; empty when they do not.
  using Compare = std::function<std::string(const V& a, const V& b)>;
  /// Is told of each part that differs, with its inputs: for saving it.
  using OnFault = std::function<void(const Subgraph& part, const std::vector<V>& inputs)>;

  PartComparer(Run run_a, Run run_b, Compare compare)
      : run_a_(std::move(run_a)), run_b_(std::move(run_b)), compare_(std::move(compare)) {}

  /// The second way goes on from its own results, where it has any, in place of the first's.
  void set_accumulate_error(bool on) { accumulate_error_ = on; }
  void set_on_fault(OnFault on_fault) { on_fault_ = std::move(on_fault); }

  /// Runs the whole graph the first way, for the inputs of its parts. The graph must not change
  /// afterwards.
  absl::Status set_inputs(const Graph& graph, const std::vector<V>& inputs) {
    std::vector<Node*> placeholders = graph.find_nodes(Opcode::kPlaceholder), nodes;
    if (inputs.size() != placeholders.size())
      return absl::InvalidArgumentError("not as many inputs as placeholders");
    for (Node& node : graph.nodes())
      if (!node.is_placeholder() && !node.is_output()) nodes.push_back(&node);
    FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> all,
                        extract_subgraph(graph, nodes, placeholders, nodes));
    FX_ASSIGN_OR_RETURN(std::vector<V> values, run_a_(*all, inputs));
    if (values.size() != nodes.size())
      return absl::InternalError("the first way did not give a value for each result");
    graph_ = &graph;
    a_.emplace(graph);
    b_.emplace(graph);
    for (size_t i = 0; i < inputs.size(); ++i) (*a_)[*placeholders[i]] = inputs[i];
    for (size_t i = 0; i < nodes.size(); ++i) (*a_)[*nodes[i]] = std::move(values[i]);
    return absl::OkStatus();
  }

  /// For minimize; this must outlive it.
  CheckPart check() {
    return [this](absl::Span<Node* const> nodes) { return check(nodes); };
  }

 private:
  absl::StatusOr<std::string> check(absl::Span<Node* const> nodes) {
    if (graph_ == nullptr) return absl::FailedPreconditionError("set_inputs comes first");
    FX_ASSIGN_OR_RETURN(const Subgraph part, copy_subgraph(*graph_, nodes, {.always_tuple = true}));
    std::vector<V> inputs_a, inputs_b;
    for (const Node* input : part.inputs) {
      inputs_a.push_back(*(*a_)[*input]);
      inputs_b.push_back(accumulate_error_ && (*b_)[*input] ? *(*b_)[*input] : inputs_a.back());
    }
    FX_ASSIGN_OR_RETURN(const std::vector<V> a, run_a_(*part.graph, inputs_a));
    const absl::StatusOr<std::vector<V>> b = run_b_(*part.graph, inputs_b);
    std::string what;
    if (!b.ok()) {
      what = "the second way fails: " + std::string(b.status().message());
    } else if (a.size() != b->size()) {
      what = "another number of results";
    } else {
      for (size_t i = 0; i < a.size() && what.empty(); ++i) {
        what = compare_(a[i], (*b)[i]);
        if (!what.empty() && i < part.outputs.size())
          what.insert(0, part.outputs[i]->name() + ": ");
      }
      for (size_t i = 0; i < b->size() && i < part.outputs.size(); ++i)
        (*b_)[*part.outputs[i]] = (*b)[i];
    }
    if (!what.empty() && on_fault_) on_fault_(part, inputs_a);
    return what;
  }

  Run run_a_, run_b_;
  Compare compare_;
  OnFault on_fault_;
  bool accumulate_error_ = false;
  const Graph* graph_ = nullptr;
  std::optional<NodeMap<std::optional<V>>> a_, b_;  // values of nodes, each way
};

}  // namespace fx
