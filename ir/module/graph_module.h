// GraphModule: a Graph together with the modules and tensors that it refers to. Its forward is the
// graph.
//
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> gm,
//                       GraphModule::create(root, std::move(graph), "Net"));
//   gm->graph().placeholder("x");     // edits take effect at once: there is no recompile
//   gm->find_module("layer1.conv");   // it is a Module itself: its paths are the graph's
//
// It owns its graph, alone: the graph cannot be put into a second one (clone it). It may be a child
// of other modules, and have GraphModules as children, so that a call_module runs a graph.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// What GraphModule::prune_unused removes where no node needs it.
struct PruneOptions {
  bool modules = true;
  bool parameters = true;
  bool buffers = true;
  bool constants = true;
};

struct DeleteOptions {
  bool check_references = false;  ///< refuse when a node refers to the module or into it
};

/// See the head of this file.
class GraphModule : public Module {
 public:
  /// Members by the exact targets that a graph refers to.
  using Attributes = std::vector<std::pair<std::string_view, Attribute>>;

  // Both copy only what get_attr and call_module nodes refer to, by reference: called modules, and
  // the tensors themselves, are those of `root`; modules on the way to them are new and plain.
  // Kinds are kept: a constant stays one, and a buffer as persistent as it was (torch.fx turns both
  // into persistent buffers). Nested graphs of the graph are not members; what they in turn refer
  // to is copied where `root` has it, at `<name of the nested graph>.<target>`.
  //
  // NotFound, naming node and path, when `root` lacks one; InvalidArgument when a call_module leads
  // to a tensor or there is no graph; FailedPrecondition when the graph belongs to a module other
  // than `root`. On an error the graph stays with the caller.
  static absl::StatusOr<std::unique_ptr<GraphModule>> create(
      const Module& root, std::unique_ptr<Graph>&& graph,
      std::string_view class_name = "GraphModule");
  /// From single members. They are set from shallow to deep paths, so that none wipes out another;
  /// one whose path leads into a given module is set there, in the module itself.
  static absl::StatusOr<std::unique_ptr<GraphModule>> create(
      absl::Span<const std::pair<std::string_view, Attribute>> attributes,
      std::unique_ptr<Graph>&& graph, std::string_view class_name = "GraphModule");
  ~GraphModule() override;

  GraphModule* as_graph_module() override { return this; }
  using Module::as_graph_module;

  Graph& graph() { return *graph_; }
  const Graph& graph() const { return *graph_; }
  /// Replaces the graph; the old one dies. InvalidArgument for null, FailedPrecondition for one
  /// that another module owns. Members stay as they are: verify() finds paths that lead nowhere.
  absl::Status set_graph(std::unique_ptr<Graph>&& graph);

  /// torch.fx's call after edits. Here nothing is compiled from the graph that could become stale:
  /// whoever does (an execution plan) compares version(). So this does nothing.
  void recompile() {}
  /// Grows with every change of the graph, of its nested graphs, and with set_graph. Modules and
  /// tensors do not count.
  uint64_t version() const;

  /// Free data about the whole: torch.fx's GraphModule.meta. Values hold no nodes; checked.
  const OrderedMap<Argument>& meta() const { return meta_; }
  const Argument* meta(std::string_view key) const { return meta_.find(key); }
  void set_meta(std::string_view key, Argument value);
  bool remove_meta(std::string_view key) { return meta_.erase(key); }

  /// Module::delete_submodule; FailedPrecondition, naming the nodes, where the options forbid it.
  absl::Status delete_submodule(std::string_view path, DeleteOptions options = {});
  /// Removes what no node needs. Kept are the modules on the way to a target and everything in a
  /// module that is called or read as a whole. Returns the paths removed.
  std::vector<std::string> prune_unused(PruneOptions options = {});
  /// torch.fx's name for pruning modules alone.
  void delete_all_unused_submodules() {
    prune_unused({.parameters = false, .buffers = false, .constants = false});
  }

  /// A copy with a graph of its own: same names, order, types and meta data. Observers are not
  /// copied.
  absl::StatusOr<std::unique_ptr<GraphModule>> clone(CopyMode mode = CopyMode::kDeep) const;

 protected:
  std::unique_ptr<Module> clone_shell() const override;

 private:
  class MemberCopier;
  class Needs;
  /// Without a graph: take_graph is to follow.
  explicit GraphModule(std::string_view class_name) : Module(class_name) {}
  void take_graph(std::unique_ptr<Graph>&& graph);

  std::unique_ptr<Graph> graph_;
  uint64_t version_base_ = 0;  // so that a new graph's version continues where the old one's ended
  OrderedMap<Argument> meta_;
};

}  // namespace fx
