// GraphModule: a Graph together with the modules and tensors that it refers to. Its forward is the
// graph.
//
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> gm,
//                       GraphModule::create(root, std::move(graph), "Net"));
//   gm->graph().placeholder("x");     // edits take effect immediately, without a recompile
//   gm->find_module("layer1.conv");   // it is a Module: the graph's paths are paths in it
//
// It is the only owner of its graph: another GraphModule requires a clone. It may be a child of
// other modules and have GraphModules as children, so that a call_module runs a graph.
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

/// The members that GraphModule::prune_unused removes if no node uses them.
struct PruneOptions {
  bool modules = true;
  bool parameters = true;
  bool buffers = true;
  bool constants = true;
};

struct DeleteOptions {
  bool check_references = false;  ///< fail if a node refers to the module or a member of it
};

/// See the top of this file.
class GraphModule : public Module {
 public:
  /// Members, keyed by the exact targets that a graph refers to.
  using Attributes = std::vector<std::pair<std::string_view, Attribute>>;

  // Both add only the members that get_attr and call_module nodes refer to. Called modules and
  // tensors are shared with `root`; modules on the path to them are new and plain. The kind of a
  // member and the persistence of a buffer are kept (torch.fx makes constants and buffers
  // persistent buffers). Nested graphs are not members; the members that they refer to are copied
  // if `root` has them at `<name of the nested graph>.<target>`.
  //
  // NotFound, naming node and path, when `root` lacks a member; InvalidArgument when the target of
  // a call_module is not a module or there is no graph; FailedPrecondition when the graph belongs
  // to a module other than `root`. On error, the caller keeps the graph.
  static absl::StatusOr<std::unique_ptr<GraphModule>> create(
      const Module& root, std::unique_ptr<Graph>&& graph,
      std::string_view class_name = "GraphModule");
  /// Creates a GraphModule from individual members. They are set from shallow to deep paths, so
  /// that none replaces another. A member whose path leads into one of the given modules is set in
  /// that module.
  static absl::StatusOr<std::unique_ptr<GraphModule>> create(
      absl::Span<const std::pair<std::string_view, Attribute>> attributes,
      std::unique_ptr<Graph>&& graph, std::string_view class_name = "GraphModule");
  ~GraphModule() override;

  GraphModule* as_graph_module() override { return this; }
  using Module::as_graph_module;

  Graph& graph() { return *graph_; }
  const Graph& graph() const { return *graph_; }
  /// Replaces the graph and destroys the old one. InvalidArgument for null, FailedPrecondition for
  /// a graph of another module. Members do not change: verify() reports paths without a member.
  absl::Status set_graph(std::unique_ptr<Graph>&& graph);

  /// torch.fx requires this call after edits. Does nothing here, because a GraphModule contains no
  /// compiled code; an execution plan compares version().
  void recompile() {}
  /// Increases with every change to the graph and its nested graphs, and with set_graph, but not
  /// with changes to modules and tensors.
  uint64_t version() const;

  /// Arbitrary metadata: torch.fx's GraphModule.meta. Values must not contain nodes; checked.
  const OrderedMap<Argument>& meta() const { return meta_; }
  const Argument* meta(std::string_view key) const { return meta_.find(key); }
  void set_meta(std::string_view key, Argument value);
  bool remove_meta(std::string_view key) { return meta_.erase(key); }

  /// Module::delete_submodule. Returns FailedPrecondition, with the names of the nodes, if
  /// check_references is set and there are references.
  absl::Status delete_submodule(std::string_view path, DeleteOptions options = {});
  /// Removes members that no node uses. Keeps the modules on the path to a target, and the entire
  /// contents of a module that a node calls or refers to. Returns the removed paths.
  std::vector<std::string> prune_unused(PruneOptions options = {});
  /// torch.fx's name for pruning only modules.
  void delete_all_unused_submodules() {
    prune_unused({.parameters = false, .buffers = false, .constants = false});
  }

  /// A copy with a separate graph: same names, order, types and metadata. Observers are not
  /// copied.
  absl::StatusOr<std::unique_ptr<GraphModule>> clone(CopyMode mode = CopyMode::kDeep) const;

 protected:
  std::unique_ptr<Module> clone_shell() const override;

 private:
  class MemberCopier;
  class Needs;
  /// Creates a module without a graph; take_graph must be called next.
  explicit GraphModule(std::string_view class_name) : Module(class_name) {}
  void take_graph(std::unique_ptr<Graph>&& graph);

  std::unique_ptr<Graph> graph_;
  uint64_t version_base_ =
      0;  // added to the graph's version, so that set_graph increases version()
  OrderedMap<Argument> meta_;
};

}  // namespace fx
