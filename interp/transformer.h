// Transformer: an Interpreter that copies the graph that it runs; override a hook to change the
// copy. torch.fx's Transformer.
//
//   class NegForSigmoid : public fx::Transformer {
//    public:
//     using Transformer::Transformer;
//     absl::StatusOr<fx::Argument> call_function(Call& call) override {
//       if (call.function.name() == "torch.sigmoid") call.function = neg_;
//       return Transformer::call_function(call);
//     }
//   };
//   absl::StatusOr<std::unique_ptr<fx::Graph>> changed = NegForSigmoid(graph).transform();
//
// Values are Arguments of the new graph: its nodes, and constants. A hook may return either, which
// replaces the old node in its users.
//
// Nodes that the base class writes keep their name if it is free, all metadata, and their type if
// the call and its operands are the same or the operands have the same known types. (torch.fx
// creates new names, drops types and keeps a fixed list of metadata.) Other nodes that a hook
// creates (new_graph().call_...) inherit the provenance of the node that runs, and have it as their
// source (ir/graph/provenance/provenance.h). Nodes without users are kept. Nested graphs are copied
// without changes. The source graph does not change.
#pragma once

#include "fx/interp/interpreter.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct TransformOptions {
  /// If false, names are derived from targets, as in torch.fx.
  bool keep_names = true;
  /// The name of the pass in the provenance of nodes that hooks create.
  std::string_view pass_name = "transform";
};

/// See the top of this file.
class Transformer : public Interpreter<Argument> {
 public:
  explicit Transformer(const Graph& graph, TransformOptions options = {});
  explicit Transformer(const GraphModule& module, TransformOptions options = {});
  ~Transformer() override;

  /// Returns the new graph, in the same Context and without an owning module. Errors of the hooks;
  /// InvalidArgument if the source has no output.
  absl::StatusOr<std::unique_ptr<Graph>> transform();
  /// Like transform, but returns a GraphModule of the same class. It shares the modules and tensors
  /// that the new graph refers to with the source. FailedPrecondition if the Transformer was
  /// created from a Graph.
  absl::StatusOr<std::unique_ptr<GraphModule>> transform_module();

  absl::StatusOr<Argument> run_node(Node& node) override;
  absl::StatusOr<Argument> placeholder(Call& call) override;
  absl::StatusOr<Argument> get_attr(Call& call) override;
  absl::StatusOr<Argument> call_function(Call& call) override;
  absl::StatusOr<Argument> call_method(Call& call) override;
  /// Copies the call: every module is a leaf. Call inline_module to inline it.
  absl::StatusOr<Argument> call_module(Call& call) override;
  absl::StatusOr<Argument> output(Call& call) override;

 protected:
  /// Returns the new graph; new nodes are appended.
  Graph& new_graph() { return *new_graph_; }
  /// For call_module: inlines the module's graph, with extended paths. Copies the call if the
  /// module is not a GraphModule.
  absl::StatusOr<Argument> inline_module(Call& call);

 private:
  class Created;
  absl::StatusOr<Argument> emit(Call& call);

  const GraphModule* module_ = nullptr;
  const TransformOptions options_;
  std::unique_ptr<Graph> new_graph_;
  std::unique_ptr<Created> created_;  // records the nodes that hooks create
  // For each id of a new node, the node that it copies, including operands.
  std::vector<const Node*> sources_;
};

/// Creates the replacement of a call in the new graph. The call has its new arguments.
using DecompositionRule =
    std::function<absl::StatusOr<Argument>(Graph& graph, fx::Call<Argument>& call)>;
using DecompositionRules = absl::flat_hash_map<Target, DecompositionRule>;

/// Returns a copy of the graph in which each call of a function with a rule is replaced by the
/// rule's result, which is not decomposed again.
absl::StatusOr<std::unique_ptr<Graph>> decompose(const Graph& graph,
                                                 const DecompositionRules& rules,
                                                 TransformOptions options = {
                                                     .pass_name = "decompose"});

}  // namespace fx
