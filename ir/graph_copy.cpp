// Copying nodes within and between graphs: see graph.h.
#include "fx/ir/context.h"
#include "fx/ir/graph.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

namespace fx {
namespace {

/// Clones nested graphs of a source graph into a destination, each once.
class SubgraphCopier {
 public:
  SubgraphCopier(const Graph& source, Graph& destination)
      : source_(source), destination_(destination) {}

  /// The number that nested graph `index` of the source has in the destination.
  uint32_t map(uint32_t index) {
    if (&source_ == &destination_) return index;
    auto [it, is_new] = done_.try_emplace(index, 0);
    if (!is_new) return it->second;
    std::string name(source_.subgraph_name(index));
    for (int i = 1; destination_.find_subgraph(name); ++i)
      name = fmt::format("{}_{}", source_.subgraph_name(index), i);
    auto added = destination_.add_subgraph(name, source_.subgraph(index).clone());
    FX_CHECK(added.ok());
    return it->second = *added;
  }

  /// The number of the nested graph with this name in the source, if there is one.
  std::optional<uint32_t> find(std::string_view name) const {
    for (size_t i = 0; i < source_.num_subgraphs(); ++i)
      if (source_.subgraph_name(i) == name) return static_cast<uint32_t>(i);
    return std::nullopt;
  }

 private:
  const Graph& source_;
  Graph& destination_;
  absl::flat_hash_map<uint32_t, uint32_t> done_;
};

absl::StatusOr<Node*> copy_node(Graph& to, const Node& node, SubgraphCopier& subgraphs,
                                absl::FunctionRef<Argument(Node*)> map_node) {
  auto map = [&](ArgumentRef ref) {
    return map_leaves(Argument(ref), [&](const Argument& leaf) -> Argument {
      if (leaf.is_node()) return map_node(leaf.as_node());
      if (leaf.kind() == ArgumentKind::kGraph)
        return Argument::graph(subgraphs.map(leaf.as_graph()));
      return leaf;
    });
  };
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  args.reserve(node.num_args());
  kwargs.reserve(node.num_kwargs());
  for (size_t i = 0; i < node.num_args(); ++i) args.push_back(map(node.arg(i)));
  for (size_t i = 0; i < node.num_kwargs(); ++i)
    kwargs.emplace_back(node.kwarg_name(i), map(node.kwarg_value(i)));
  std::string name = node.name();
  NodeOptions options{.name = name, .type = node.type()};
  absl::StatusOr<Node*> copy;
  if (node.op() == Opcode::kCallFunction) {
    copy = to.create_node(node.op(), node.function(), args, kwargs, options);
  } else {
    std::string target(node.target());
    if (node.op() == Opcode::kGetAttr)
      if (std::optional<uint32_t> sub = subgraphs.find(target))
        target = to.subgraph_name(subgraphs.map(*sub));
    copy = to.create_node(node.op(), target, args, kwargs, options);
  }
  FX_RETURN_IF_ERROR(copy.status());
  (*copy)->meta().copy_from(node);
  return copy;
}

}  // namespace

absl::StatusOr<Node*> Graph::node_copy(const Node& node,
                                       absl::FunctionRef<Argument(Node*)> map_node) {
  FX_CHECK(&node.context() == context_, "graphs that exchange nodes have one Context");
  SubgraphCopier subgraphs(node.graph(), *this);
  return copy_node(*this, node, subgraphs, map_node);
}

absl::StatusOr<Node*> Graph::node_copy(const Node& node) {
  return node_copy(node, [](Node* operand) { return Argument(operand); });
}

absl::StatusOr<std::optional<Argument>> Graph::graph_copy(const Graph& source, NodeMapping& map) {
  FX_CHECK(source.context_ == context_, "graphs that exchange nodes have one Context");
  SubgraphCopier subgraphs(source, *this);
  const Node* missing = nullptr;
  auto map_node = [&](Node* operand) {
    auto it = map.find(operand);
    if (it != map.end()) return it->second;
    missing = operand;
    return Argument();
  };
  for (const Node& node : source.nodes()) {
    if (map.contains(&node)) continue;
    std::optional<Argument> result;
    Node* copy = nullptr;
    if (node.is_output()) {
      result = map_nodes(Argument(node.arg(0)), map_node);
    } else {
      FX_ASSIGN_OR_RETURN(copy, copy_node(*this, node, subgraphs, map_node));
    }
    if (missing) {
      return absl::InvalidArgumentError(
          fmt::format("node {} reads {}, which does not stand before it; sort the source graph, or "
                      "put {} into the mapping",
                      node.name(), missing->name(), missing->name()));
    }
    if (result) return result;
    map.emplace(&node, Argument(copy));
  }
  return std::nullopt;
}

}  // namespace fx
