// GraphModules: creation from a root, ownership of the graph, pruning, copies, nesting.
#include "fx/ir/module/graph_module.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/json/json.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace fx {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
constexpr absl::StatusCode kNotFound = absl::StatusCode::kNotFound;
constexpr absl::StatusCode kFailed = absl::StatusCode::kFailedPrecondition;

static_assert(!std::is_copy_constructible_v<GraphModule>, "a graph has one owner");

Tensor ones() {
  Tensor tensor = Tensor::zeros(DType::kFloat32, {2, 2}).value();
  for (float& value : tensor.mutable_values<float>()) value = 1;
  return tensor;
}

std::shared_ptr<Module> linear() {
  auto module = std::make_shared<Module>("torch.nn.modules.linear.Linear");
  FX_CHECK_OK(module->register_parameter("weight", ones()));
  FX_CHECK_OK(module->register_buffer("scale", ones()));
  return module;
}

std::vector<std::string> module_paths(const Module& root) {
  std::vector<std::string> result;
  for (const NamedModule& module : root.named_modules()) result.push_back(module.path);
  return result;
}

class GraphModuleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    FX_CHECK_OK(root_.add_submodule("fc", linear()));
    FX_CHECK_OK(root_.add_submodule("unused", linear()));
    FX_CHECK_OK(root_.add_submodule("block.0", linear()));
    FX_CHECK_OK(root_.add_submodule("block.1", linear()));
    FX_CHECK_OK(root_.register_parameter("w", ones()));
    FX_CHECK_OK(root_.register_buffer("mask", ones(), {.persistent = false}));
    FX_CHECK_OK(root_.register_constant("c", ones()));
    FX_CHECK_OK(root_.register_parameter("spare", ones()));
  }

  /// Returns a graph that calls `modules` on x consecutively, and then reads `attributes`.
  std::unique_ptr<Graph> graph_of(const std::vector<std::string>& modules,
                                  const std::vector<std::string>& attributes = {}) {
    auto graph = std::make_unique<Graph>(context_);
    Node* x = graph->placeholder("x");
    for (const std::string& path : modules) x = graph->call_module(path, {x});
    std::vector<Argument> results = {x};
    for (const std::string& path : attributes) results.emplace_back(graph->get_attr(path));
    graph->output(Argument::tuple(results));
    return graph;
  }
  std::unique_ptr<GraphModule> make(const std::vector<std::string>& modules,
                                    const std::vector<std::string>& attributes = {}) {
    return GraphModule::create(root_, graph_of(modules, attributes), "Net").value();
  }

  Context context_;
  Module root_{"Net"};
};

// ---------------------------------------------------------------- members from a root

// parity: M1
TEST_F(GraphModuleTest, SharesReferencedMembers) {
  root_.eval();
  const auto gm = make({"fc", "block.1", "fc"}, {"w", "mask", "c", "block.0.weight"});
  EXPECT_EQ(gm->class_name(), "Net");
  EXPECT_FALSE(gm->training());
  EXPECT_EQ(gm->find_module("fc"), root_.find_module("fc"));
  EXPECT_EQ(gm->find_module("block.1"), root_.find_module("block.1"));
  // Intermediate modules are new, and contain no other members.
  EXPECT_NE(gm->find_module("block"), root_.find_module("block"));
  EXPECT_NE(gm->find_module("block.0"), root_.find_module("block.0"));
  EXPECT_TRUE(gm->find_tensor("block.0.weight").is_same(root_.find_tensor("block.0.weight")));
  EXPECT_FALSE(gm->has_attribute("block.0.scale"));
  EXPECT_TRUE(gm->find_tensor("w").is_same(root_.find_tensor("w")));
  // Members that the graph does not refer to are not kept.
  EXPECT_FALSE(gm->has_attribute("unused"));
  EXPECT_FALSE(gm->has_attribute("spare"));
  EXPECT_TRUE(root_.has_attribute("unused"));
}

// parity: M1
TEST_F(GraphModuleTest, MissingAttributesAreNotFoundAndTheCallerKeepsTheGraph) {
  for (const char* path : {"nothing", "fc.nothing", "w.x", "nothing.at.all"}) {
    std::unique_ptr<Graph> graph = graph_of({}, {"w", path});
    EXPECT_THAT(GraphModule::create(root_, std::move(graph)),
                StatusIs(kNotFound,
                         AllOf(HasSubstr("get_attr"), HasSubstr("\"" + std::string(path) + "\""))));
    ASSERT_NE(graph, nullptr);
    EXPECT_EQ(graph->owning_module(), nullptr);
  }
  EXPECT_THAT(GraphModule::create(root_, graph_of({"fc.nothing"})),
              StatusIs(kNotFound, AllOf(HasSubstr("node fc_nothing"), HasSubstr("call_module"))));
  EXPECT_THAT(GraphModule::create(root_, graph_of({"w"})),
              StatusIs(kInvalid, HasSubstr("is a parameter, not a module")));
  EXPECT_THAT(GraphModule::create(root_, nullptr), StatusIs(kInvalid));
}

// parity: M1
TEST_F(GraphModuleTest, TheOrderOfReferencesDoesNotMatter) {
  // References a submodule first and then its parent, and in the opposite order.
  auto graph = std::make_unique<Graph>(context_);
  graph->get_attr("fc.weight");
  graph->call_module("fc");
  graph->call_module("block");
  graph->get_attr("block.0.weight");
  FX_ASSERT_OK_AND_ASSIGN(const auto gm, GraphModule::create(root_, std::move(graph)));
  EXPECT_EQ(gm->find_module("fc"), root_.find_module("fc"));
  EXPECT_EQ(gm->find_module("block"), root_.find_module("block"));
  EXPECT_TRUE(gm->has_attribute("block.1.scale"));
}

// parity: M3
TEST_F(GraphModuleTest, KindsAreKept) {
  const auto gm = make({}, {"w", "mask", "c"});
  EXPECT_EQ(gm->find_attribute("w")->kind, AttributeKind::kParameter);
  EXPECT_EQ(gm->find_attribute("mask")->kind, AttributeKind::kBuffer);
  EXPECT_FALSE(gm->find_attribute("mask")->persistent);
  EXPECT_EQ(gm->find_attribute("c")->kind, AttributeKind::kConstant);
}

// parity: M2
TEST_F(GraphModuleTest, FromSingleMembersSetsShallowPathsFirst) {
  const auto fc = linear();
  const Tensor other = ones();
  const std::pair<std::string_view, Attribute> members[] = {
      {"fc.weight", Attribute::parameter(other)},
      {"deep.er.c", Attribute::constant(ones())},
      {"fc", Attribute::submodule(fc)},
      {"not.used", Attribute::constant(ones())},
  };
  // The submodule is listed and used before its parent, which must not remove it.
  FX_ASSERT_OK_AND_ASSIGN(
      const auto gm, GraphModule::create(members, graph_of({"fc"}, {"fc.weight", "deep.er.c"})));
  EXPECT_EQ(gm->find_module("fc"), fc.get());
  EXPECT_TRUE(gm->find_tensor("fc.weight").is_same(other));
  EXPECT_EQ(gm->find_attribute("deep.er.c")->kind, AttributeKind::kConstant);
  EXPECT_FALSE(gm->has_attribute("not"));

  EXPECT_THAT(GraphModule::create(members, graph_of({"fc"}, {"fc.scale"})),
              StatusIs(kNotFound, HasSubstr("\"fc.scale\"")));
  EXPECT_THAT(GraphModule::create(members, graph_of({"deep.er.c"})), StatusIs(kInvalid));
}

TEST_F(GraphModuleTest, NestedGraphsAreNotMembersButKeepTheirState) {
  auto body = std::make_unique<Graph>(context_);
  body->get_attr("weight");
  body->get_attr("elsewhere");
  body->get_attr("inner.elsewhere");
  auto graph = std::make_unique<Graph>(context_);
  ASSERT_THAT(graph->add_subgraph("body", std::move(body)), IsOk());
  graph->get_attr("body");
  EXPECT_THAT(root_.add_submodule("body", linear()), IsOk());
  EXPECT_THAT(root_.add_submodule("body.inner", linear()), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const auto gm, GraphModule::create(root_, std::move(graph)));
  EXPECT_TRUE(gm->find_tensor("body.weight").is_same(root_.find_tensor("body.weight")));
  EXPECT_FALSE(gm->has_attribute("body.scale"));
  EXPECT_FALSE(gm->has_attribute("body.inner"));
  EXPECT_THAT(gm->prune_unused(), IsEmpty());
}

// ---------------------------------------------------------------- ownership of the graph

// parity: G25 M5
TEST_F(GraphModuleTest, OwnsItsGraphExclusively) {
  const auto gm = make({"fc"});
  EXPECT_EQ(gm->graph().owning_module(), gm.get());
  // After that, paths of the graph are checked.
  EXPECT_THAT(gm->graph().create_node(Opcode::kCallModule, "gone"), StatusIs(kNotFound));
  EXPECT_THAT(gm->graph().create_node(Opcode::kGetAttr, "fc.weight"), IsOk());

  auto graph = graph_of({"fc"});
  graph->set_owning_module(gm.get());
  EXPECT_THAT(GraphModule::create(root_, std::move(graph)),
              StatusIs(kFailed, HasSubstr("belongs to another module")));
  ASSERT_NE(graph, nullptr);
  EXPECT_THAT(gm->set_graph(std::move(graph)), StatusIs(kFailed));
  // A graph that was built with the root as its owner may be adopted.
  graph->set_owning_module(&root_);
  EXPECT_THAT(GraphModule::create(root_, std::move(graph)), IsOk());
}

// parity: M5
TEST_F(GraphModuleTest, SetGraphTakesOwnershipImmediately) {
  const auto gm = make({"fc"});
  auto graph = graph_of({"fc", "fc"});
  const Graph* address = graph.get();
  EXPECT_THAT(gm->set_graph(std::move(graph)), IsOk());
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(&gm->graph(), address);
  EXPECT_EQ(gm->graph().owning_module(), gm.get());
  EXPECT_TRUE(gm->has_attribute("fc.weight"));
  EXPECT_THAT(gm->set_graph(nullptr), StatusIs(kInvalid));
  EXPECT_EQ(&gm->graph(), address);
}

// parity: M6
TEST_F(GraphModuleTest, VersionIncreasesWithEveryChange) {
  const auto gm = make({"fc"});
  uint64_t last = gm->version();
  auto has_increased = [&] {
    const uint64_t now = gm->version();
    const bool result = now > last;
    last = now;
    return result;
  };
  gm->recompile();
  EXPECT_FALSE(has_increased());
  Node* relu = gm->graph().call_function(context_.function("torch.relu"), {gm->graph().front()});
  EXPECT_TRUE(has_increased());
  EXPECT_THAT(gm->graph().erase_node(relu), IsOk());
  EXPECT_TRUE(has_increased());
  EXPECT_THAT(gm->graph().add_subgraph("body", std::make_unique<Graph>(context_)), IsOk());
  EXPECT_TRUE(has_increased());
  gm->graph().subgraph(0).placeholder("x");
  EXPECT_TRUE(has_increased());
  // This also holds if the new graph has a higher version than the old one.
  EXPECT_THAT(gm->set_graph(std::make_unique<Graph>(context_)), IsOk());
  EXPECT_TRUE(has_increased());
}

// The module derives nothing from the graph in advance, so nothing can become stale.
// parity: M6 M17
TEST_F(GraphModuleTest, EditsTakeEffectImmediately) {
  const auto gm = make({"fc"});
  Graph& graph = gm->graph();
  Node* fc = graph.front()->next();
  graph.set_insert_point_after(fc);
  Node* relu = graph.call_function(context_.function("torch.relu"), {fc});
  fc->replace_all_uses_with(relu);
  auto shows_the_edit = [](const Graph& now) {
    EXPECT_THAT(print(now), HasSubstr("%relu = torch.relu(%fc)"));
    EXPECT_THAT(print(now, {.preset = PrintPreset::kTorch}), HasSubstr("return (relu,)"));
  };
  shows_the_edit(graph);
  shows_the_edit(gm->clone().value()->graph());
  FX_ASSERT_OK_AND_ASSIGN(const std::string json, write_json(*gm));
  FX_ASSERT_OK_AND_ASSIGN(const auto read, read_json_module(context_, json));
  shows_the_edit(read->graph());
}

// torch.fx registers hooks on the module; in fxcpp, observers belong to the graph.
// parity: M19
TEST_F(GraphModuleTest, ObserversAreNotifiedOfChangesToTheGraph) {
  struct Log : GraphObserver {
    std::string text;
    void node_created(Node& node) override { text += "+" + node.name(); }
    void node_erased(Node& node) override { text += "-" + node.name(); }
    void use_replaced(Node& from, Node& to, Node& user) override {
      text += " " + user.name() + ":" + from.name() + ">" + to.name() + " ";
    }
  } log, other;
  const auto gm = make({"fc"});
  gm->graph().add_observer(&log);
  gm->graph().add_observer(&other);
  Node* fc = gm->graph().front()->next();
  gm->graph().set_insert_point_after(fc);
  Node* relu = gm->graph().call_function(context_.function("torch.relu"), {fc});
  fc->replace_all_uses_with(relu);
  EXPECT_EQ(log.text, "+relu output:fc>relu ");
  EXPECT_EQ(other.text, log.text);
  // Copies do not have observers, and a removed observer is not notified.
  FX_ASSERT_OK_AND_ASSIGN(const auto copy, gm->clone());
  copy->graph().get_attr("fc.weight");
  gm->graph().remove_observer(&other);
  relu->replace_all_uses_with(fc);
  EXPECT_THAT(gm->graph().erase_node(relu), IsOk());
  EXPECT_EQ(log.text, "+relu output:fc>relu  output:relu>fc -relu");
  EXPECT_EQ(other.text, "+relu output:fc>relu ");
  gm->graph().remove_observer(&log);
}

// ---------------------------------------------------------------- members

// parity: M10 M11
TEST_F(GraphModuleTest, AddsAndDeletesSubmodules) {
  const auto gm = make({"fc", "block.1"});
  ASSERT_THAT(gm->add_submodule("new.one", linear()), IsOk());
  Node* call = gm->graph().call_module("new.one", {gm->graph().front()});
  EXPECT_EQ(call->name(), "new_one");
  // Without the check, the module is deleted, and the graph does not change.
  EXPECT_THAT(gm->delete_submodule("new"), IsOk());
  EXPECT_FALSE(gm->has_attribute("new"));
  EXPECT_EQ(call->target(), "new.one");
  EXPECT_THAT(gm->delete_submodule("new"), StatusIs(kNotFound));
}

// parity: M11
TEST_F(GraphModuleTest, DeletingMayCheckForReferences) {
  const auto gm = make({"fc", "block.1"}, {"block.0.weight"});
  constexpr DeleteOptions kCheck = {.check_references = true};
  EXPECT_THAT(gm->delete_submodule("fc", kCheck),
              StatusIs(kFailed, AllOf(HasSubstr("\"fc\""), HasSubstr("1 node refers"))));
  EXPECT_THAT(gm->delete_submodule("block", kCheck),
              StatusIs(kFailed, HasSubstr("(block_1, block_0_weight)")));
  EXPECT_TRUE(gm->has_attribute("block.1"));
  ASSERT_THAT(gm->add_submodule("f", linear()),
              IsOk());  // a prefix of a referenced name is not a reference
  EXPECT_THAT(gm->delete_submodule("f", kCheck), IsOk());
}

// parity: M12
TEST_F(GraphModuleTest, PruningKeepsPathsToTargetsAndEverythingCalled) {
  const auto leaf = linear();
  FX_CHECK_OK(leaf->add_submodule("inner", linear()));
  FX_CHECK_OK(root_.add_submodule("leaf", leaf));
  const auto gm = make({"leaf", "fc"}, {"block.0.weight"});
  FX_CHECK_OK(gm->add_submodule("late.one", linear()));
  FX_CHECK_OK(gm->add_submodule("block.0.more", linear()));
  FX_CHECK_OK(gm->add_submodule("fc.more", linear()));
  gm->delete_all_unused_submodules();
  EXPECT_THAT(module_paths(*gm),
              ElementsAre("", "leaf", "leaf.inner", "fc", "fc.more", "block", "block.0"));
  // torch.fx's form of pruning does not remove tensors.
  FX_CHECK_OK(gm->register_parameter("spare", ones()));
  gm->delete_all_unused_submodules();
  EXPECT_TRUE(gm->has_attribute("spare"));
}

// parity: M12
TEST_F(GraphModuleTest, PruningRemovesTensors) {
  const auto gm = make({"fc"}, {"w", "block.0.weight"});
  FX_CHECK_OK(gm->register_parameter("spare", ones()));
  FX_CHECK_OK(gm->register_buffer("old", ones()));
  FX_CHECK_OK(gm->register_constant("k", Argument(1)));
  FX_CHECK_OK(gm->assign("block.0.scale", Attribute::buffer(ones())));
  FX_CHECK_OK(gm->add_submodule("unused", linear()));
  EXPECT_THAT(gm->prune_unused({.modules = false, .buffers = false, .constants = false}),
              ElementsAre("spare", "unused.weight"));
  EXPECT_THAT(gm->prune_unused(), ElementsAre("old", "k", "unused", "block.0.scale"));
  EXPECT_TRUE(gm->has_attribute("fc.scale"));  // the graph calls the module
  EXPECT_THAT(gm->prune_unused(), IsEmpty());
}

TEST_F(GraphModuleTest, PruningHandlesModulesWithSeveralPaths) {
  const auto gm = make({"fc"});
  // The alias of the called module is removed; the called module is kept with all members.
  FX_CHECK_OK(gm->add_submodule("alias", gm->find_shared_module("fc")));
  FX_CHECK_OK(gm->add_submodule("wrap.fc", gm->find_shared_module("fc")));
  gm->graph().get_attr("wrap.fc.weight");
  EXPECT_THAT(gm->prune_unused(), ElementsAre("alias"));
  EXPECT_TRUE(gm->has_attribute("fc.scale"));
  EXPECT_TRUE(gm->has_attribute("wrap.fc.scale"));
}

// ---------------------------------------------------------------- nesting, meta, copies

// parity: M23
TEST_F(GraphModuleTest, GraphModulesNest) {
  std::shared_ptr<GraphModule> inner = make({"fc"}, {"w"});
  Module outer_root("Outer");
  FX_CHECK_OK(outer_root.add_submodule("sub", inner));
  FX_ASSERT_OK_AND_ASSIGN(const auto outer, GraphModule::create(outer_root, graph_of({"sub"})));
  GraphModule* found = outer->find_module("sub")->as_graph_module();
  ASSERT_EQ(found, inner.get());
  EXPECT_EQ(found->graph().owning_module(), found);
  EXPECT_EQ(outer->find_module("sub.fc")->as_graph_module(), nullptr);
  EXPECT_TRUE(outer->has_attribute("sub.w"));
  // Which of its members are kept depends on its graph.
  FX_CHECK_OK(inner->add_submodule("spare", linear()));
  outer->delete_all_unused_submodules();
  EXPECT_TRUE(outer->has_attribute("sub.spare"));
  // Training and evaluation modes apply to it.
  outer->eval();
  EXPECT_FALSE(inner->training());
  EXPECT_FALSE(inner->find_module("fc")->training());
}

TEST_F(GraphModuleTest, PruningKeepsOtherGraphModulesUnchanged) {
  std::shared_ptr<GraphModule> inner = make({"fc"}, {"w"});
  FX_CHECK_OK(inner->register_buffer("old", ones()));
  const auto gm = make({}, {"w"});
  FX_CHECK_OK(gm->add_submodule("sub", inner));
  EXPECT_THAT(gm->prune_unused({.modules = false}), IsEmpty());
  gm->graph().get_attr("sub.w");
  EXPECT_THAT(gm->prune_unused(), IsEmpty());
  EXPECT_TRUE(inner->has_attribute("old"));
  EXPECT_TRUE(inner->has_attribute("fc.weight"));
}

// parity: M18
TEST_F(GraphModuleTest, HasMeta) {
  const auto gm = make({"fc"});
  gm->set_meta("origin", "test");
  gm->set_meta("steps", 2);
  gm->set_meta("origin", Argument::list({1, 2}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : gm->meta()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("origin", "steps"));
  FX_ASSERT_OK_AND_ASSIGN(const auto copy, gm->clone());
  EXPECT_EQ(*copy->meta("origin"), Argument::list({1, 2}));
  EXPECT_TRUE(gm->remove_meta("origin"));
  EXPECT_EQ(gm->meta("origin"), nullptr);
  EXPECT_NE(copy->meta("origin"), nullptr);
}

// parity: M15
TEST_F(GraphModuleTest, CloneHasSeparateGraphAndState) {
  const auto gm = make({"fc", "fc"}, {"w"});
  gm->eval();
  Node* call = gm->graph().front()->next();
  call->meta().set(meta::kSeq, 12);
  call->rename("renamed");
  FX_ASSERT_OK_AND_ASSIGN(const auto copy, gm->clone());
  EXPECT_EQ(copy->class_name(), "Net");
  EXPECT_FALSE(copy->training());
  EXPECT_EQ(copy->graph().owning_module(), copy.get());
  std::vector<std::string> names;
  for (const Node& node : copy->graph().nodes()) names.push_back(node.name());
  EXPECT_THAT(names, ElementsAre("x", "renamed", "fc_1", "w", "output"));
  EXPECT_EQ(copy->graph().front()->next()->meta().get(meta::kSeq), 12);
  // Changing one does not change the other.
  copy->find_tensor("fc.weight").mutable_values<float>()[0] = 7;
  EXPECT_EQ(gm->find_tensor("fc.weight").element(0).as_float(), 1);
  copy->graph().get_attr("w");
  EXPECT_EQ(gm->graph().size(), 5u);
  ASSERT_THAT(copy->delete_submodule("fc"), IsOk());
  EXPECT_TRUE(gm->has_attribute("fc"));
}

// parity: M15
TEST_F(GraphModuleTest, CloneMayShareTensorsAndCopiesNestedGraphModules) {
  std::shared_ptr<GraphModule> inner = make({"fc"}, {"w"});
  Module outer_root("Outer");
  FX_CHECK_OK(outer_root.add_submodule("sub", inner));
  FX_ASSERT_OK_AND_ASSIGN(const auto outer, GraphModule::create(outer_root, graph_of({"sub"})));
  FX_ASSERT_OK_AND_ASSIGN(const auto copy, outer->clone(CopyMode::kShareTensors));
  EXPECT_TRUE(copy->find_tensor("sub.w").is_same(inner->find_tensor("w")));
  GraphModule* sub = copy->find_module("sub")->as_graph_module();
  ASSERT_NE(sub, nullptr);
  EXPECT_NE(sub, inner.get());
  EXPECT_EQ(sub->graph().owning_module(), sub);
  EXPECT_EQ(sub->graph().size(), inner->graph().size());
  sub->graph().get_attr("w");
  EXPECT_NE(sub->graph().size(), inner->graph().size());
}

}  // namespace
}  // namespace fx
