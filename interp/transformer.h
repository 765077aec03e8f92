// Transformer: an Interpreter that copies the graph that it runs; override a hook to change the
// copy. The counterpart of torch.fx's Transformer.
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
// Values are Arguments of the new graph: nodes or constants. The value that a hook returns replaces
// the old node in its users.
//
// Nodes that the base class creates have the name of the source node, unless it is taken, and all
// metadata of the source node. They also have its type if the call is the same and its operands are
// copies or have the same known types. (torch.fx creates new names, drops types and keeps a fixed
// list of metadata.) Other nodes that a hook creates (new_graph().call_...) inherit the provenance
// of the source node, which becomes their source (ir/graph/provenance/provenance.h). Nodes without
// users are kept. Nested graphs are copied without changes. The source graph does not change.
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

  /// Returns the new graph, in the same Context and without an owning module. Returns the errors of
  /// the hooks, and InvalidArgument if the source graph has no output.
  absl::StatusOr<std::unique_ptr<Graph>> transform();
  /// Like transform, but returns a GraphModule of the same class. The modules and tensors that the
  /// new graph refers to are shared with the source. Returns FailedPrecondition if the Transformer
  /// was created from a Graph.
  absl::StatusOr<std::unique_ptr<GraphModule>> transform_module();

  absl::StatusOr<Argument> run_node(Node& node) override;
  absl::StatusOr<Argument> placeholder(Call& call) override;
  absl::StatusOr<Argument> get_attr(Call& call) override;
  absl::StatusOr<Argument> call_function(Call& call) override;
  absl::StatusOr<Argument> call_method(Call& call) override;
  /// Copies the call, that is, treats every module as a leaf. To inline the module, call
  /// inline_module.
  absl::StatusOr<Argument> call_module(Call& call) override;
  absl::StatusOr<Argument> output(Call& call) override;

 protected:
  /// Returns the new graph. New nodes are appended.
  Graph& new_graph() { return *new_graph_; }
  /// Inlines the graph of the module that a call_module node calls. Paths in that graph are
  /// prefixed with the path of the module. Copies the call if the module is not a GraphModule.
  absl::StatusOr<Argument> inline_module(Call& call);

 private:
  class Created;
  absl::StatusOr<Argument> emit(Call& call);

  const GraphModule* module_ = nullptr;
  const TransformOptions options_;
  std::unique_ptr<Graph> new_graph_;
  std::unique_ptr<Created> created_;  // records the nodes that hooks create
  // For the id of each new node, the source node, if the new node and its operands are copies.
  std::vector<const Node*> sources_;
};

/// Creates the replacement of a call in the new graph. The arguments of the call are in the new
/// graph.
using DecompositionRule =
    std::function<absl::StatusOr<Argument>(Graph& graph, fx::Call<Argument>& call)>;
using DecompositionRules = absl::flat_hash_map<Target, DecompositionRule>;

/// Returns a copy of the graph in which each call to a function with a rule is replaced with the
/// result of the rule. The result is not decomposed again.
absl::StatusOr<std::unique_ptr<Graph>> decompose(const Graph& graph,
                                                 const DecompositionRules& rules,
                                                 TransformOptions options = {
                                                     .pass_name = "decompose"});

}  // namespace fx
