// A fixture for tests of passes that move calls between graphs.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/passes/partition/partitioner.h"

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "gtest/gtest.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::testing {

/// Returns a hash of the graph's result as a tree of calls: equal for equal computations,
/// independent of order and names.
inline uint64_t value_of(const Graph& graph) {
  absl::flat_hash_map<const Node*, uint64_t> values;
  for (const Node& node : graph.nodes()) {
    const auto text = [&](const Argument& argument) {
      return print(map_nodes(
          argument, [&](Node* operand) -> Argument { return std::to_string(values.at(operand)); }));
    };
    std::string key = std::to_string(static_cast<int>(node.op())) + std::string(node.target());
    for (const Argument& arg : node.args()) key += "," + text(arg);
    for (const Kwarg& kwarg : node.kwargs())
      key += std::string(kwarg.key) + "=" + text(kwarg.value);
    values[&node] = absl::HashOf(key);
  }
  return graph.output_node() == nullptr ? 0 : values.at(graph.output_node());
}

/// A test of passes that move calls between the graphs of a module.
class PartitionFixture : public ::testing::Test {
 protected:
  void parse(const std::string& text) { graph_ = *parse_graph(context_, text); }
  Node* node(std::string_view name) { return graph_->find_node(name); }
  std::vector<Node*> nodes(std::initializer_list<std::string_view> names) {
    std::vector<Node*> list;
    for (const std::string_view name : names) list.push_back(node(name));
    return list;
  }
  std::string text_of(std::string_view module) {
    return print(root_.find_module(module)->as_graph_module()->graph());
  }
  static std::vector<std::string> names_of(const std::vector<Partition>& partitions) {
    std::vector<std::string> list;
    for (const Partition& partition : partitions) {
      std::string names;
      for (const Node* n : partition) names += (names.empty() ? "" : " ") + n->name();
      list.push_back(names);
    }
    return list;
  }

  Context context_;
  Module root_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace fx::testing
