// Batcher: replaces the calls in one graph that depend on the batch.
//
// Each batched input is represented by a stand-in with the type of one example, which replaces its
// uses. Calls for one example keep their types, which rules use, and are erased at the end.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/vmap/batch.h"
#include "fx/passes/vmap/vmap.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// The dimension of the batch, or nullopt for a value that all examples share.
using BatchDim = std::optional<int64_t>;

/// The form of a graph's results.
enum class BatchedResults : uint8_t {
  kOut,   ///< as VmapOptions::out_dims specifies
  kAsIs,  ///< the batch first, for results that depend on it
  kAll,   ///< the batch first, for all tensors
};

struct BatchedGraph {
  std::unique_ptr<Graph> graph;
  std::vector<bool> is_batched;  ///< for each item of the results, for kAsIs and kAll
};

/// The state that all graphs of one vmap share.
struct VmapRun {
  const VmapOptions& options;
  const BatchingTable& table;
  Dim size;
  VmapReport report = {};
  std::string errors = {};  ///< one line each
  int depth = 0;
};

/// Returns the graph of a batch. `dims` has the batch dimension of each placeholder. `graph`
/// computes one example, and must have types.
absl::StatusOr<BatchedGraph> batch_graph(std::unique_ptr<Graph> graph,
                                         const std::vector<BatchDim>& dims, BatchedResults results,
                                         VmapRun& run);

/// Replaces the calls in one graph. See the top of this file.
class Batcher {
 public:
  Batcher(Graph& graph, VmapRun& run) : graph_(graph), run_(run), batch_(graph) {}

  /// Replaces the calls, and sets the results.
  absl::StatusOr<std::vector<bool>> replace(const std::vector<BatchDim>& dims,
                                            BatchedResults results);

 private:
  // ---- batcher.cpp
  absl::Status make_inputs(const std::vector<BatchDim>& dims);
  void visit(Node& node);
  void visit_item(Node& item, Node& source, size_t index);
  void visit_call(Node& call);
  void visit_write(Node& call);
  void visit_random(Node& call);
  void loop(Node& call);
  void set_result(Node& call, const AnyArg& value);
  void check_result(const Node& call, const Node& value, Type example);
  bool depends_on_batch(const Node& call) const;
  void reject(const Node& call, std::string_view why);
  absl::StatusOr<std::vector<bool>> set_results(BatchedResults results);
  absl::StatusOr<Argument> result_of(Node& value, size_t index, BatchedResults results,
                                     bool& is_in);
  absl::Status erase_replaced();

  // ---- control_flow.cpp
  struct Operands {
    std::vector<Argument> values;  // batched operands have the batch first, and are contiguous
    std::vector<Type> types;       // types of one example
    std::vector<bool> is_batched;
  };
  bool visit_control_flow(Node& call);
  absl::Status cond(Node& call);
  absl::Status while_loop(Node& call);
  absl::Status map_or_scan(Node& call, bool is_scan);
  absl::Status graph_call_of(Node& call);
  Operands operands_of(const Argument& list);
  static Proxy contiguous(const Proxy& x);
  absl::StatusOr<BatchedGraph> batched_nested(const Graph& nested, absl::Span<const Type> types,
                                              const std::vector<bool>& is_batched,
                                              BatchedResults results);
  absl::StatusOr<std::vector<Argument>> inlined(const Graph& nested,
                                                absl::Span<const Argument> operands);
  absl::StatusOr<Argument> add_nested(std::unique_ptr<Graph> nested, std::string_view name);
  absl::Status set_items(Node& call, Node& batched_call, const std::vector<bool>& is_batched,
                         int64_t dim = 0);
  static absl::Status any_example(Graph& condition);
  static absl::StatusOr<std::unique_ptr<Graph>> chosen_steps(const Graph& condition,
                                                             const Graph& body, size_t carried);
  Type stacked_type(Type result, Type sequence) const;
  Proxy condition_of_rank(const Proxy& condition, int64_t rank);

  Graph& graph_;
  VmapRun& run_;
  Batch batch_;
  struct Item {
    Argument value = {};
    bool is_shared = false;
  };
  absl::flat_hash_map<const Node*, std::vector<Item>> items_;  // for calls with multiple results
  std::vector<Node*> replaced_;                                // erased at the end
};

}  // namespace fx
