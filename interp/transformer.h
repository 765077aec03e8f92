// Transformer: an Interpreter that writes what it runs into a new graph; override a hook and the
// new graph differs there. torch.fx's Transformer.
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
// Values are Arguments of the new graph: its nodes, and constants. A hook may return either; users
// of the old node read what it returned.
//
// Nodes that the base class writes keep their name (where it is free), all meta data, and their
// type if the call and its operands are the same, or the operands have the same known types;
// torch.fx makes new names, drops types and keeps a fixed list of meta data. Other nodes that a hook
// makes (new_graph().call_...) inherit the provenance of the node that runs, and have it as their
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
  /// False: names come from targets, as in torch.fx.
  bool keep_names = true;
  /// For the history of nodes that hooks make.
  std::string_view pass_name = "transform";
};

/// See the head of this file.
class Transformer : public Interpreter<Argument> {
 public:
  explicit Transformer(const Graph& graph, TransformOptions options = {});
  explicit Transformer(const GraphModule& module, TransformOptions options = {});
  ~Transformer() override;

  /// The new graph, of the same Context, which belongs to no module. Errors: those of hooks;
  /// InvalidArgument when the source has no output.
  absl::StatusOr<std::unique_ptr<Graph>> transform();
  /// The same as a GraphModule of the same class, which shares modules and tensors with the source
  /// as far as the new graph refers to them. FailedPrecondition when this was made from a Graph.
  absl::StatusOr<std::unique_ptr<GraphModule>> transform_module();

  absl::StatusOr<Argument> run_node(Node& node) override;
  absl::StatusOr<Argument> placeholder(Call& call) override;
  absl::StatusOr<Argument> get_attr(Call& call) override;
  absl::StatusOr<Argument> call_function(Call& call) override;
  absl::StatusOr<Argument> call_method(Call& call) override;
  /// Writes the call: every module is a leaf. inline_module does otherwise.
  absl::StatusOr<Argument> call_module(Call& call) override;
  absl::StatusOr<Argument> output(Call& call) override;

 protected:
  /// The graph that is written; new nodes go to its end.
  Graph& new_graph() { return *new_graph_; }
  /// For call_module: what the module's graph computes, in its place, its paths extended. A module
  /// that is no GraphModule is called.
  absl::StatusOr<Argument> inline_module(Call& call);

 private:
  class Created;
  absl::StatusOr<Argument> emit(Call& call);

  const GraphModule* module_ = nullptr;
  const TransformOptions options_;
  std::unique_ptr<Graph> new_graph_;
  std::unique_ptr<Created> created_;  // sees the nodes made while a hook runs
  // By the ids of new nodes: the nodes that they are copies of, operands and all.
  std::vector<const Node*> sources_;
};

/// What stands for a call: given the graph that is written and the call with its new arguments.
using DecompositionRule =
    std::function<absl::StatusOr<Argument>(Graph& graph, fx::Call<Argument>& call)>;
using DecompositionRules = absl::flat_hash_map<Target, DecompositionRule>;

/// The graph with every call of a function that has a rule replaced by what the rule makes of it.
/// What a rule makes is not decomposed again.
absl::StatusOr<std::unique_ptr<Graph>> decompose(const Graph& graph,
                                                 const DecompositionRules& rules,
                                                 TransformOptions options = {
                                                     .pass_name = "decompose"});

}  // namespace fx
