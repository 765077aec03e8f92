// The generator of random graphs creates everything that a Graph can contain, as the round-trip
// tests require.
#include "tests/testing/random_graph.h"

#include "fx/ir/graph/meta.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/text/text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>
#include <string>

namespace fx::testing {
namespace {

using ::testing::IsSupersetOf;

/// The kinds of items that occur in a graph and its nested graphs.
struct Occurrences {
  std::set<Opcode> opcodes;
  std::set<ArgumentKind> arguments;
  std::set<TypeKind> types;
  std::set<std::string> classes, node_meta, graph_meta;
  int depth = 0;

  void add(Type type) {
    if (!type) return;
    types.insert(type.kind());
    for (const Type item : type.items()) add(item);
  }
  void add(const Argument& value) {
    arguments.insert(value.kind());
    if (value.kind() == ArgumentKind::kType) add(value.as_type());
    if (value.kind() == ArgumentKind::kStruct)
      classes.emplace(struct_class(value.type_name(), value.size()));
    for (size_t i = 0; i < value.size(); ++i) add(value[i]);
  }
  void add(const Graph& graph, int level = 1) {
    depth = std::max(depth, level);
    for (const Node& node : graph.nodes()) {
      opcodes.insert(node.op());
      add(node.type());
      for (const Argument& value : node.args()) add(value);
      for (const Kwarg& kwarg : node.kwargs()) add(kwarg.value);
      node.meta().for_each([&](Symbol key, const Argument& value) {
        node_meta.emplace(key.str());
        add(value);
      });
    }
    for (const auto& [key, value] : graph.meta()) graph_meta.emplace(key.str());
    for (size_t i = 0; i < graph.num_subgraphs(); ++i) add(graph.subgraph(i), level + 1);
  }
};

TEST(RandomGraph, EverythingThatAGraphCanContainOccurs) {
  Context context;
  Occurrences seen;
  for (uint64_t seed = 0; seed < 2000; ++seed) seen.add(*random_graph(context, seed));
  EXPECT_EQ(seen.opcodes.size(), 6u);
  EXPECT_EQ(seen.arguments.size(), static_cast<size_t>(ArgumentKind::kRange) + 1);
  // All kinds except unknown: the null Type represents it.
  EXPECT_EQ(seen.types.size(), static_cast<size_t>(TypeKind::kToken));
  EXPECT_THAT(seen.classes,
              IsSupersetOf({"torch.Size", "pkg.Point", "fx.Opaque", "fx.Tensor", "fx.Dict"}));
  EXPECT_THAT(seen.node_meta,
              IsSupersetOf({"module", "module_stack", "stack_trace", "original_aten", "from_node",
                            "region", "seq", "annotation", "source_fn", "tensor_meta", "val",
                            "input", "outputs", "user_x"}));
  EXPECT_THAT(seen.graph_meta, IsSupersetOf({"model", "format", "about", "calling_convention"}));
  EXPECT_GE(seen.depth, 2);
}

TEST(RandomGraph, IsTheSameForTheSameSeed) {
  Context context, other;
  for (uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(print(*random_graph(context, seed)), print(*random_graph(other, seed)));
}

}  // namespace
}  // namespace fx::testing
