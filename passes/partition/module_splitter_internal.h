// Splits a graph into parts that are modules: the class that implements split_module.h.
//   module_splitter.cpp   which node goes in which part, and the order in which the parts run;
//   split_module.cpp      the modules, and the graph that calls them.
#pragma once

#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/huge_pages.h"
#include "fx/passes/analysis/order_edges.h"
#include "fx/passes/partition/split_module.h"
#include "fx/passes/partition/value_storages_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::internal {

/// A part of the graph, which becomes a module.
struct SplitPart {
  int64_t id = 0;
  uint32_t number = 0;
  std::string module;                                    ///< submod_0
  std::vector<std::pair<uint32_t, uint32_t>> runs = {};  ///< its calls: begin and end in calls_
  std::vector<const Node*> outputs = {};                 ///< values used outside
  std::vector<const Node*> enters = {}, exits = {};      ///< regions of other parts, repeated here
  std::vector<uint32_t> dependents = {};                 ///< without duplicates
  absl::flat_hash_set<uint32_t> is_dependent = {};
  size_t waits_for = 0;
  bool calls_modules = false;
  std::vector<const Node*> inputs = {};  ///< values from outside; unique after it is created
  // After it is created:
  std::unique_ptr<Graph> graph = nullptr;
  absl::flat_hash_map<std::string, std::string> paths = {};  // flattened -> in the root
  absl::flat_hash_map<uint32_t, uint32_t> nested = {};       ///< graphs: index here -> in the part
};

/// The effect of a call on the state of autograd and autocast for the calls after it.
enum class SplitToggle : uint8_t { kNone, kGrad, kEnterAutocast, kExitAutocast };

/// The state that a call sets for the calls after it, and the partitions to which it applies.
struct SplitRegion {
  const Node* enter;
  const Node* exit = nullptr;  // the exit from autocast
  bool is_grad = false;
  std::set<int64_t> ids = {};
};

/// Splits a graph into modules. See the top of this file.
class ModuleSplitter {
 public:
  ModuleSplitter(const Graph& graph, const Module& root, const SplitModuleOptions& options)
      : graph_(graph),
        root_(root),
        options_(options),
        where_(graph),
        copies_(graph),
        base_(graph),
        storages_(graph) {
    calls_.reserve(graph.num_calls());
  }

  /// Creates the parts, and the graph that calls them.
  absl::Status split(const PartitionOf& partition_of);
  /// Returns the graph and its parts as a new module.
  absl::StatusOr<SplitModuleResult> as_module();
  /// Replaces the graph that was split.
  absl::StatusOr<bool> put_into(Graph& graph, Module& root);

 private:
  using Part = SplitPart;
  using Region = SplitRegion;
  static constexpr uint32_t kNone = UINT32_MAX, kOutput = kNone - 1;
  /// The part that contains a node, and its last user outside that part: a different part, or the
  /// output.
  struct Where {
    uint32_t part = kNone, last_user = kNone;
  };

  // The part of each node, and the values that cross from one part to another.
  absl::Status assign(const PartitionOf& partition_of);
  /// Records a placeholder, attribute or output.
  absl::Status assign_value(Node& node);
  absl::Status assign_call(Node& node, Part& part, OrderOfEffects& order);
  void end_run(Part* part) const;
  /// Returns the calls in the part, in program order; valid until calls_of is called again.
  absl::Span<const Node* const> calls_of(const Part& part);
  /// Returns the part with this id. Creates it if it is new. The reference is valid until the next
  /// part is created.
  Part& part_with_id(int64_t id);
  /// Records the regions that the call starts, ends, and belongs to.
  absl::Status note_regions(const Node& node, SplitToggle toggle, int64_t id);
  bool is_toggle(const Node& node) const;
  void depend(uint32_t from, uint32_t on);
  /// Records that a node of part `used`, or the output, uses the input. Returns false if the input
  /// is a call that does not come before the user.
  bool note_input(const Node& input, uint32_t used) {
    Where& where = where_[input];
    return where.part == used || where.last_user == used || note_crossing(input, where, used);
  }
  bool note_crossing(const Node& input, Where& where, uint32_t used);
  /// Records all inputs of a node of part `used`, or of the output. Fails if one does not come
  /// before the node.
  absl::Status note_inputs(const Node& node, uint32_t used);
  absl::StatusOr<std::vector<uint32_t>> sort_parts();
  void repeat_regions();

  // The modules.
  std::optional<uint32_t> nested_number(const Node& node) const;
  /// True for a module or nested graph. These cannot be passed to a call, so each part has a copy.
  bool stays_inside(const Node& node) const;
  /// Returns the index of a nested graph within the part. Copies the graph into the part, with the
  /// members that it refers to, if the part does not contain it yet.
  uint32_t nested(Part& part, uint32_t number);
  /// Creates placeholders for the values of other parts and of the outer graph that the part's
  /// calls use.
  void make_inputs(Part& part);
  std::string flatten(Part& part, std::string_view path);
  /// Copies a call to the insert point of the part.
  absl::StatusOr<Node*> copy_call(Part& part, const Node& node);
  /// Copies all calls in the part.
  absl::Status copy_calls(Part& part);
  absl::StatusOr<std::unique_ptr<GraphModule>> make_module(Part& part);

  // The graph that calls the modules.
  absl::Status copy_placeholder(const Node& node);
  absl::Status copy_attributes();
  /// Returns the copy of a value in the graph that calls the parts; null for a value that exists
  /// only inside parts.
  absl::StatusOr<Node*> outer(const Node& value);
  absl::Status make_base(const std::vector<uint32_t>& order);

  const Graph& graph_;
  const Module& root_;
  const SplitModuleOptions& options_;
  NodeMap<Where> where_;
  std::vector<const Node*, internal::HugePageAllocator<const Node*>> calls_;  // in program order
  std::vector<const Node*> gathered_;              // the calls in one part
  std::vector<const Node*> attributes_;            // get_attr nodes to copy to the outer graph
  absl::flat_hash_set<const Node*> modules_read_;  // get_attr nodes of modules
  CopyTable copies_;                               // in the part that is being created
  CopyTable base_;                                 // in the graph that calls the parts
  ops::Effects effects_;                           // of all calls, after assign()
  ValueStorages storages_;
  std::vector<Part> parts_;
  absl::flat_hash_map<int64_t, uint32_t> number_of_;  // numbers of parts, by id
  std::vector<std::pair<uint32_t, uint32_t>>
      ordered_;                        // parts ordered by effects: (later, earlier)
  int64_t highest_ = INT64_MIN;        // the largest id so far
  const Node* first_lower_ = nullptr;  // the first node with an id < highest_
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<Region*> active_;  // autocast regions active at the current call
  Region* grad_ = nullptr;       // the last region that sets grad mode
  std::unique_ptr<Graph> base_graph_;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> modules_;
  absl::flat_hash_map<std::string, std::string> paths_;
};

}  // namespace fx::internal
