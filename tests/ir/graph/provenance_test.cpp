// Provenance: sources of nodes, records of passes, annotations.
#include "fx/ir/graph/provenance/provenance.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/stack_trace.h"
#include "fx/ir/json/json.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include "absl/hash/hash.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace fx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::StatusIs;

class ProvenanceTest : public ::testing::Test {
 protected:
  Node* call(std::string_view function, absl::Span<const Argument> args) {
    // The name is only the operator's name; torch.fx would use relu_default.
    const size_t dot = function.find('.') + 1;
    const std::string_view name = function.substr(dot, function.find('.', dot) - dot);
    return graph_.call_function(context_.function(function), args, {}, {.name = name});
  }
  static std::string sources_text(const Node& node) {
    std::string text;
    for (const NodeSource& source : node_sources(node)) text += source.str();
    return text;
  }

  Context context_;
  Graph graph_{context_};
  Node* x_ = graph_.placeholder("x");
};

// parity: TB2
TEST_F(ProvenanceTest, SourcesAreValues) {
  Node* relu = call("aten.relu.default", {x_});
  const NodeSource source = NodeSource::of(*relu, "first", {SourceAction::kCreate});
  relu->rename("other");
  EXPECT_EQ(source.name, "relu");
  EXPECT_EQ(source.target, "aten.relu.default");
  EXPECT_EQ(source.graph_id, 0);
  EXPECT_THAT(source.from_node, IsEmpty());

  // A node that is created from this one includes its history.
  graph_.set_meta(kGraphIdKey, 7);
  relu->meta().set(meta::kFromNode, Argument::list({source.to_argument()}));
  const NodeSource next =
      NodeSource::of(*relu, "second", {SourceAction::kReplace, SourceAction::kCreate});
  EXPECT_EQ(next.str(),
            "(name=other, pass_name=second, action=replace+create, graph_id=7)\n"
            "    (name=relu, pass_name=first, action=create, graph_id=0)\n");

  FX_ASSERT_OK_AND_ASSIGN(const NodeSource back, NodeSource::from_argument(next.to_argument()));
  EXPECT_EQ(back, next);
  EXPECT_EQ(absl::HashOf(back), absl::HashOf(next));
  NodeSource other = next;
  other.from_node[0].pass_name = "third";
  EXPECT_NE(other, next);
  EXPECT_NE(absl::HashOf(other), absl::HashOf(next));
}

// Compares with tests/golden/provenance.json, which tests/ir/test_torch_golden.py writes with
// torch.
// parity: TB2
TEST_F(ProvenanceTest, SourcesPrintAsInTorch) {
  std::ifstream file("tests/golden/provenance.json");
  ASSERT_TRUE(file) << "run from the source root";
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> golden, read_json(context_, text));
  const Argument sources = *golden->meta("sources");
  ASSERT_GT(sources.size(), 5u);
  for (size_t i = 0; i < sources.size(); ++i) {
    FX_ASSERT_OK_AND_ASSIGN(const NodeSource source, NodeSource::from_argument(sources[i][0]));
    EXPECT_EQ(source.str(), sources[i][1].as_string());
    EXPECT_EQ(source.to_argument(), sources[i][0]);
  }
  const Argument traces = *golden->meta("traces");
  ASSERT_GT(traces.size(), 40u);
  auto text_of = [](const std::optional<StackFrame>& frame) {
    return frame ? Argument(frame->str()) : Argument();
  };
  for (size_t i = 0; i < traces.size(); ++i) {
    const std::string_view trace = traces[i][0].as_string();
    EXPECT_EQ(print(text_of(last_frame(trace))), print(traces[i][1])) << trace;
    const auto matching = last_frame(trace, [](const StackFrame& frame) {
      return frame.code.find("fc") != std::string_view::npos;
    });
    EXPECT_EQ(print(text_of(matching)), print(traces[i][2])) << trace;
  }
}

// parity: TB2
TEST_F(ProvenanceTest, PrintingStopsAfterTenLevels) {
  NodeSource source;
  for (int i = 0; i < 20; ++i) {
    NodeSource next;
    next.name = std::to_string(i);
    next.from_node.push_back(std::move(source));
    source = std::move(next);
  }
  const std::string text = source.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  EXPECT_THAT(text, HasSubstr("(name=19, "));
  EXPECT_THAT(text, HasSubstr("\n" + std::string(36, ' ') + "(name=10, "));
}

TEST_F(ProvenanceTest, SourcesFromArguments) {
  // Like torch.fx, omits fields that are unknown.
  FX_ASSERT_OK_AND_ASSIGN(const NodeSource bare, NodeSource::from_argument(Argument::dict({})));
  EXPECT_EQ(bare, NodeSource());
  FX_ASSERT_OK_AND_ASSIGN(
      const NodeSource upper,
      NodeSource::from_argument(Argument::dict({{"action", "REPLACE+create"}})));
  EXPECT_THAT(upper.actions, ElementsAre(SourceAction::kReplace, SourceAction::kCreate));
  auto expect_error = [](const Argument& entry, std::string_view message) {
    EXPECT_THAT(NodeSource::from_argument(entry),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(message))));
  };
  expect_error(1, "a source must be a dict, but is of kind int");
  expect_error(Argument::dict({{"name", 1}}), "\"name\" of a source must not be of kind int");
  expect_error(Argument::dict({{"graph_id", "1"}}), "\"graph_id\"");
  expect_error(Argument::dict({{"action", "erase"}}), "unknown action \"erase\"");
  expect_error(Argument::dict({{"from_node", Argument::list({1})}}), "a source must be a dict");
  // Entries that are not sources are skipped.
  x_->meta().set(meta::kFromNode, Argument::list({1, Argument::dict({{"name", "y"}})}));
  EXPECT_EQ(node_sources(*x_).size(), 1u);
  x_->meta().set(meta::kFromNode, Argument(3));
  EXPECT_THAT(node_sources(*x_), IsEmpty());
}

// parity: TB1
TEST_F(ProvenanceTest, NewNodesComeFromTheVisitedNode) {
  Node* gelu = call("aten.gelu.default", {x_});
  gelu->meta().set(meta::kModule, "layer1");
  gelu->meta().set(meta::kStackTrace, "File \"m.py\", line 3, in forward\n  gelu(x)");
  gelu->meta().set(meta::kSeq, 4);
  gelu->meta().set("val", Argument(3));
  Node *created, *inner, *after, *outside;
  {
    ProvenanceScope scope(graph_, "decompose");
    {
      SourceGuard source = scope.making_from(*gelu);
      created = call("aten.mul.Tensor", {x_, 0.5});
      {
        SourceGuard nested = scope.making_from(*x_);
        inner = call("aten.erf.default", {x_});
      }
      after = call("aten.add.Tensor", {created, 1});
    }
    outside = call("aten.neg.default", {x_});
  }
  Node* later = call("aten.neg.default", {x_});

  EXPECT_EQ(sources_text(*created),
            "(name=gelu, pass_name=decompose, action=create, graph_id=0)\n");
  EXPECT_EQ(sources_text(*after), sources_text(*created));
  EXPECT_EQ(sources_text(*inner), "(name=x, pass_name=decompose, action=create, graph_id=0)\n");
  EXPECT_EQ(sources_text(*outside), "(name=, pass_name=decompose, action=create, graph_id=-1)\n");
  EXPECT_FALSE(later->meta().has(meta::kFromNode));
  for (const Node* node : {created, after}) {
    EXPECT_EQ(node->meta().get(meta::kModule), "layer1");
    EXPECT_EQ(node->meta().get(meta::kSeq), 4);
    EXPECT_TRUE(node->meta().has(meta::kStackTrace));
    EXPECT_FALSE(node->meta().find("val"));  // it belonged to gelu
  }
  EXPECT_FALSE(inner->meta().has(meta::kModule));
}

// parity: TB1 TB2
TEST_F(ProvenanceTest, HistoriesGrowFromPassToPass) {
  Node* node = call("aten.relu.default", {x_});
  for (const char* pass : {"one", "two"}) {
    ProvenanceScope scope(graph_, pass);
    SourceGuard source = scope.making_from(*node);
    node = call("aten.relu.default", {x_});
  }
  EXPECT_EQ(sources_text(*node),
            "(name=relu_1, pass_name=two, action=create, graph_id=0)\n"
            "    (name=relu, pass_name=one, action=create, graph_id=0)\n");
  // Text and JSON preserve the history, and copies of the graph keep referring to the original.
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> parsed, parse_graph(context_, print(graph_)));
  FX_ASSERT_OK_AND_ASSIGN(const std::string json, write_json(graph_));
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> read, read_json(context_, json));
  for (const Graph* copy : {parsed.get(), read.get()})
    EXPECT_EQ(node_sources(*copy->find_node(node->name())), node_sources(*node));
  EXPECT_EQ(node_sources(*graph_.clone()->find_node(node->name())), node_sources(*node));
}

// parity: TB1
TEST_F(ProvenanceTest, ReplacementsRecordTheReplacedNodes) {
  Node* add = call("aten.add.Tensor", {x_, 1});
  Node* relu = call("aten.relu.default", {add});
  relu->meta().set(meta::kModule, "act");
  Node* old = call("aten.add.Tensor", {x_, 1});
  graph_.output(Argument::list({relu, relu, old}));
  ProvenanceScope scope(graph_, "fuse");
  Node* fused = nullptr;
  {
    const Node* const both[] = {add, relu};
    SourceGuard source = scope.making_from(both);
    auto before = graph_.inserting_before(relu);
    fused = call("my.add_relu", {x_, 1});
  }
  relu->replace_all_uses_with(fused);
  EXPECT_EQ(sources_text(*fused),
            "(name=add, pass_name=fuse, action=create, graph_id=0)\n"
            "(name=relu, pass_name=fuse, action=replace+create, graph_id=0)\n");
  EXPECT_EQ(fused->meta().get(meta::kModule), "act");

  // Without a source, it inherits the metadata of the node that it replaces.
  auto before = graph_.inserting_before(fused);
  Node* faster = call("my.fast_add_relu", {x_});
  fused->replace_all_uses_with(faster);
  EXPECT_EQ(sources_text(*faster),
            "(name=add_relu, pass_name=fuse, action=replace+create, graph_id=0)\n"
            "    (name=add, pass_name=fuse, action=create, graph_id=0)\n"
            "    (name=relu, pass_name=fuse, action=replace+create, graph_id=0)\n");
  EXPECT_EQ(faster->meta().get(meta::kModule), "act");

  // An existing node gets only a replacement record.
  old->replace_all_uses_with(add);
  EXPECT_EQ(sources_text(*add), "(name=add_1, pass_name=fuse, action=replace, graph_id=0)\n");
}

TEST_F(ProvenanceTest, HistoriesAreBounded) {
  Node* node = call("aten.relu.default", {x_});
  for (int i = 0; i < 1000; ++i) {
    ProvenanceScope scope(graph_, "pass");
    const Node* const sources[] = {node, node};  // doubles with each pass
    SourceGuard source = scope.making_from(sources);
    node = call("aten.relu.default", {x_});
  }
  EXPECT_LE(node->meta().find("from_node")->depth(), kMaxArgumentDepth / 4);
  FX_ASSERT_OK_AND_ASSIGN(const std::string json, write_json(graph_));
  EXPECT_LT(json.size() / graph_.size(), ProvenanceScope::kMaxSources * 150);
  EXPECT_EQ(node_sources(*node)[0].name, "relu_999");

  // A node that replaces many nodes.
  ProvenanceScope scope(graph_, "merge");
  std::vector<Node*> many;
  for (int i = 0; i < 1000; ++i) many.push_back(call("aten.neg.default", {x_}));
  graph_.output(Argument::list(std::vector<Argument>(many.begin(), many.end())));
  for (size_t i = 1; i < many.size(); ++i) many[i]->replace_all_uses_with(many[0]);
  EXPECT_EQ(node_sources(*many[0]).size(), ProvenanceScope::kMaxSources);
}

// parity: TB4
TEST_F(ProvenanceTest, AnnotationsApplyToAllNewNodes) {
  Node *outer, *inner, *last, *copied;
  {
    AnnotationScope annotation(graph_, {{"stage", 1}, {"tag", "a"}});
    outer = call("aten.relu.default", {x_});
    {
      AnnotationScope nested(graph_, {{"stage", 2}, {"more", true}});
      inner = call("aten.relu.default", {x_});
    }
    last = graph_.get_attr("weight");
    ProvenanceScope scope(graph_, "pass");
    SourceGuard source = scope.making_from(*inner);
    copied = call("aten.neg.default", {x_});
  }
  Node* after = call("aten.relu.default", {x_});
  const Argument ours = Argument::dict({{"stage", 1}, {"tag", "a"}});
  EXPECT_EQ(*outer->meta().find(kCustomKey), ours);
  EXPECT_EQ(*inner->meta().find(kCustomKey),
            Argument::dict({{"stage", 2}, {"tag", "a"}, {"more", true}}));
  EXPECT_EQ(*last->meta().find(kCustomKey), ours);
  // The sources of the copied node are added.
  EXPECT_EQ(*copied->meta().find(kCustomKey),
            Argument::dict({{"stage", 1}, {"tag", "a"}, {"more", true}}));
  EXPECT_FALSE(after->meta().find(kCustomKey));
}

TEST_F(ProvenanceTest, InheritingKeepsExistingEntries) {
  Node* from = call("aten.relu.default", {x_});
  Node* to = call("aten.neg.default", {x_});
  for (const std::string_view key : provenance_keys()) from->meta().set(key, Argument("from"));
  from->meta().set(kCustomKey, Argument::dict({{"a", 1}, {"b", 2}}));
  from->meta().set("input", Argument("from"));
  to->meta().set(meta::kModule, "mine");
  to->meta().set(kCustomKey, Argument::dict({{"b", 3}}));
  inherit_provenance(*to, *from);
  EXPECT_EQ(to->meta().get(meta::kModule), "mine");
  EXPECT_EQ(to->meta().get(meta::kStackTrace), "from");
  EXPECT_EQ(*to->meta().find(kCustomKey), Argument::dict({{"b", 3}, {"a", 1}}));
  EXPECT_FALSE(to->meta().find("input"));
}

TEST_F(ProvenanceTest, MetadataOfAValueIsValidForOneType) {
  const auto type = [&](const char* text) { return *context_.types().parse(text); };
  Node* from = call("aten.relu.default", {x_});
  Node* to = call("aten.neg.default", {x_});
  for (const std::string_view key : value_keys()) from->meta().set(key, Argument("value"));
  from->meta().set("mine", Argument(1));
  inherit_meta(*to, *from);
  EXPECT_TRUE(to->meta().has(MetaKey<int64_t>{"mine"}));
  EXPECT_FALSE(to->meta().find("tensor_meta")) << "both types are unknown";
  from->set_type(type("f32[2]"));
  to->set_type(type("f32[3]"));
  inherit_meta(*to, *from);
  EXPECT_FALSE(to->meta().find("val"));
  to->set_type(type("f32[2]"));
  inherit_meta(*to, *from);
  for (const std::string_view key : value_keys()) EXPECT_TRUE(to->meta().find(key)) << key;
  change_type(*to, type("f32[2]"));
  EXPECT_TRUE(to->meta().find("tensor_meta"));
  change_type(*to, type("f32[3]"));
  for (const std::string_view key : value_keys()) EXPECT_FALSE(to->meta().find(key)) << key;
  EXPECT_TRUE(to->meta().find("mine"));
}

// parity: TB3
TEST_F(ProvenanceTest, ProvenanceAsJson) {
  Node* relu = call("aten.relu.default", {x_});
  {
    ProvenanceScope scope(graph_, "pass");
    SourceGuard source = scope.making_from(*relu);
    call("aten.neg.default", {x_});
    graph_.get_attr("weight");
  }
  FX_ASSERT_OK_AND_ASSIGN(const std::string json, write_plain_json(graph_provenance(graph_)));
  // Equals torch.fx's get_graph_provenance_json for the same graph, except for the graph id.
  EXPECT_EQ(json, R"({"relu":[],"neg":[{"name":"relu","target":"aten.relu.default","graph_id":0,)"
                  R"("pass_name":"pass","action":"create","from_node":[]}]})");
  EXPECT_THAT(write_plain_json(Argument::tuple({1})), StatusIs(absl::StatusCode::kInvalidArgument));
}

// parity: TB5
TEST_F(ProvenanceTest, BackwardNodesAreFoundByTheirForwardNumber) {
  Node* sin = call("aten.sin.default", {x_});
  Node* relu = call("aten.relu.default", {sin});
  Node* relu_backward = call("aten.threshold_backward.default", {x_, relu, 0});
  Node* cos = call("aten.cos.default", {x_});
  Node* mul = call("aten.mul.Tensor", {relu_backward, cos});
  for (auto [node, seq] :
       {std::pair{sin, 10}, {relu, 11}, {relu_backward, 11}, {cos, 10}, {mul, 10}})
    node->meta().set(meta::kSeq, seq);
  const auto groups = nodes_by_seq(graph_);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].first, 10);
  EXPECT_THAT(groups[0].second, ElementsAre(sin, cos, mul));
  EXPECT_EQ(groups[1].first, 11);
  EXPECT_THAT(groups[1].second, ElementsAre(relu, relu_backward));
  // A pass that rewrites a backward node keeps the reference to its forward node.
  ProvenanceScope scope(graph_, "pass");
  SourceGuard source = scope.making_from(*relu_backward);
  EXPECT_EQ(call("aten.where.self", {x_, 0, 0})->meta().get(meta::kSeq), 11);
}

}  // namespace
}  // namespace fx
