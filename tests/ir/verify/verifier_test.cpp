// The verifier: an invalid graph for each rule, and graphs that must pass.
#include "fx/ir/verify/verifier.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "tests/testing/graph_test_peer.h"
#include "tests/testing/status_matchers.h"

#include <algorithm>
#include <random>
#include <set>

namespace fx {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Peer = GraphTestPeer;

/// %add = x + y, %relu = relu(%add), return %relu
class VerifierTest : public ::testing::Test {
 protected:
  VerifierTest() : graph_(context_) {
    x_ = graph_.placeholder("x");
    y_ = graph_.placeholder("y");
    add_ = graph_.call_function(context_.function("aten.add.Tensor"), {x_, y_});
    relu_ = graph_.call_function(context_.function("aten.relu.default"), {add_});
    output_ = graph_.output(relu_);
  }

  /// Returns the findings of one rule. With `only_this_rule`, other findings are failures.
  std::vector<Finding> findings(Invariant invariant, bool only_this_rule = true,
                                const VerifierOptions& options = {}) {
    const VerifierReport report = verify(graph_, options);
    std::vector<Finding> result;
    for (const Finding& finding : report.findings) {
      EXPECT_FALSE(finding.message.empty());
      EXPECT_FALSE(finding.hint.empty());
      EXPECT_FALSE(finding.location.empty());
      if (finding.invariant == invariant) {
        result.push_back(finding);
      } else {
        EXPECT_FALSE(only_this_rule) << finding.str();
      }
    }
    return result;
  }

  /// Expects one finding, for this rule and this node.
  void expect_one(Invariant invariant, const Node* node, Severity severity,
                  std::string_view message, bool only_this_rule = true) {
    const std::vector<Finding> found = findings(invariant, only_this_rule);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].node, node);
    EXPECT_EQ(found[0].severity, severity);
    EXPECT_THAT(found[0].message, HasSubstr(std::string(message)));
    if (node) {
      EXPECT_THAT(found[0].location, HasSubstr(node->name()));
    }
    EXPECT_EQ(verify_status(graph_).ok(), severity == Severity::kWarning);
  }
  void expect_error(Invariant invariant, const Node* node, std::string_view message,
                    bool only_this_rule = true) {
    expect_one(invariant, node, Severity::kError, message, only_this_rule);
  }
  void expect_warning(Invariant invariant, const Node* node, std::string_view message) {
    expect_one(invariant, node, Severity::kWarning, message);
  }

  Context context_;
  Graph graph_;
  Node *x_, *y_, *add_, *relu_, *output_;
};

// parity: G18
TEST_F(VerifierTest, AcceptsAValidGraph) {
  const VerifierReport report = verify(graph_, {.check_index = true, .report_dead = true});
  EXPECT_TRUE(report.ok());
  EXPECT_THAT(report.str(), IsEmpty());
  EXPECT_THAT(verify_status(graph_), testing::IsOk());
}

TEST_F(VerifierTest, ListsItsRules) {
  std::set<std::string_view> names;
  int number = 0;
  for (const InvariantInfo& info : invariants()) {
    EXPECT_EQ(static_cast<int>(info.invariant), ++number);
    EXPECT_FALSE(info.summary.empty());
    names.insert(info.name);
  }
  EXPECT_EQ(number, static_cast<int>(Invariant::kKnownOperator));
  EXPECT_EQ(names.size(), static_cast<size_t>(number));
}

// ---------------------------------------------------------------- V1 to V3: the list

TEST_F(VerifierTest, V1InvalidLink) {
  Peer::next(*add_) = 5'000'000;
  expect_error(Invariant::kNodeList, nullptr, "cannot hold a node");
}

TEST_F(VerifierTest, V1LinkToAPageHeader) {
  graph_.set_insert_point_before(output_);
  while (Peer::slot_bound(graph_) < 1200) graph_.call_function(context_.function("f"), {x_});
  const uint32_t next = Peer::next(*add_);
  // The headers of the root page and of the second page, and an address within the latter; each
  // is followed by a node.
  for (const uint32_t header : {0u, 1024u, 1024u + 64u}) {
    Peer::next(*add_) = header;
    expect_error(Invariant::kNodeList, nullptr, "cannot hold a node");
  }
  Peer::next(*add_) = next;
  EXPECT_TRUE(verify(graph_, {.warnings = false}).ok());
}

TEST_F(VerifierTest, V1BrokenBackwardLink) {
  Peer::prev(*relu_) = Peer::slot(*x_);
  expect_error(Invariant::kNodeList, nullptr, "the backward link of");
}

TEST_F(VerifierTest, V1Cycle) {
  Peer::next(*relu_) = Peer::slot(*add_);
  expect_error(Invariant::kNodeList, nullptr, "the backward link of");
}

TEST_F(VerifierTest, V1ErasedNodeInTheList) {
  Peer::set_erased(*relu_);
  expect_error(Invariant::kNodeList, nullptr, "erased", /*only_this_rule=*/false);
}

TEST_F(VerifierTest, V1WrongSlot) {
  const uint32_t slot = std::exchange(Peer::slot(*relu_), Peer::slot(*x_));
  expect_error(Invariant::kNodeList, nullptr, "has the slot number", /*only_this_rule=*/false);
  Peer::slot(*relu_) = slot;
}

TEST_F(VerifierTest, V1WrongSize) {
  Peer::size(graph_) = 7;
  expect_error(Invariant::kNodeList, nullptr, "5 nodes are linked, but size() is 7");
  Peer::size(graph_) = 4;
  expect_error(Invariant::kNodeList, nullptr, "more than size() nodes are linked");
  Peer::size(graph_) = 5;
}

TEST_F(VerifierTest, V1WrongCountOfAnOpcode) {
  ++Peer::num_nodes(graph_, Opcode::kGetAttr);
  expect_error(Invariant::kNodeList, nullptr,
               "num_nodes() differs from the number of linked nodes of an opcode");
  --Peer::num_nodes(graph_, Opcode::kGetAttr);
}

TEST_F(VerifierTest, V2OrderKeys) {
  Peer::order(*relu_) = Peer::order(*add_);
  expect_error(Invariant::kOrderKeys, relu_, "must be greater than");
}

TEST_F(VerifierTest, V3SameId) {
  Peer::id(*relu_) = add_->id();
  expect_error(Invariant::kIds, relu_, "must be unique");
}

TEST_F(VerifierTest, V3IdOutOfRange) {
  Peer::id(*relu_) = 1000;
  expect_error(Invariant::kIds, relu_, "must be unique and less than 5");
}

TEST_F(VerifierTest, V3SameIdAmongFew) {
  // With this many ids, the verifier does not use a bitmap.
  for (int i = 0; i < 5000; ++i) {
    Node* node = graph_.call_function(context_.function("f"), {});
    ASSERT_THAT(graph_.erase_node(node), testing::IsOk());
  }
  EXPECT_TRUE(verify(graph_).ok());
  Peer::id(*relu_) = add_->id();
  expect_error(Invariant::kIds, relu_, "must be unique");
}

// ---------------------------------------------------------------- V4 to V6: single nodes
// parity: L1
TEST_F(VerifierTest, V4UnknownOpcode) {
  Peer::op(*add_) = static_cast<Opcode>(17);
  expect_error(Invariant::kTarget, add_, "unknown opcode 17");
  Peer::op(*add_) = Opcode::kCallFunction;
}

// parity: L6
TEST_F(VerifierTest, V4NoTarget) {
  Peer::target(*add_) = nullptr;
  expect_error(Invariant::kTarget, add_, "a call_function must have a target");
}

TEST_F(VerifierTest, V4EmptyTarget) {
  relu_->set_op_and_target(Opcode::kCallMethod, "");
  expect_error(Invariant::kTarget, relu_, "a call_method must have a target");
}

// parity: L4
TEST_F(VerifierTest, V5TwoNodesWithOneName) {
  Peer::set_name(*relu_, "add_tensor");
  ASSERT_EQ(add_->name(), "add_tensor");
  expect_error(Invariant::kUniqueNames, relu_, "the same name");
}

TEST_F(VerifierTest, V5FindsRepeatedNumbersOfAnySize) {
  // Dense numbers, one that is much greater, and repetitions of both.
  auto named = [&](std::string_view name) {
    graph_.set_insert_point_before(output_);
    Node* node = graph_.call_function(context_.function("f"), {});
    Peer::set_name(*node, name);
    return node;
  };
  for (int i = 0; i < 3000; ++i) named("n_" + std::to_string(i));
  named("n_2000000000");
  named("far_1000000");
  EXPECT_TRUE(verify(graph_).ok());
  const std::set<const Node*> repeated = {named("n_2999"), named("n_2000000000"),
                                          named("far_1000000"), named("n_0")};
  const std::vector<Finding> found = findings(Invariant::kUniqueNames);
  ASSERT_EQ(found.size(), 4u);
  for (const Finding& finding : found) EXPECT_TRUE(repeated.contains(finding.node));
}

// parity: L8
TEST_F(VerifierTest, V6NameIsNotAnIdentifier) {
  Peer::set_name(*relu_, "a b");
  expect_warning(Invariant::kIdentifiers, relu_, "must be an identifier");
  Peer::set_name(*relu_, "1a");
  expect_warning(Invariant::kIdentifiers, relu_, "must be an identifier");
  Peer::set_name(*relu_, "_1");
  EXPECT_THAT(verify(graph_).findings, IsEmpty());
}

// ---------------------------------------------------------------- V7 to V11: arguments and uses
// parity: L2
TEST_F(VerifierTest, V7ErasedOperand) {
  Peer::next(*x_) = Peer::slot(*add_);  // unlinked without removing its use
  Peer::prev(*add_) = Peer::slot(*x_);
  Peer::size(graph_) = 4;
  Peer::set_erased(*y_);
  expect_error(Invariant::kOperands, add_, "must be a live node");
}

// parity: L2
TEST_F(VerifierTest, V7OperandIsNotANode) {
  for (uint32_t slot : {0u, Peer::kRoot, 1024u, Peer::slot_bound(graph_), 0x7fffffffu}) {
    Peer::cell(*relu_, 0).head = slot;
    const std::vector<Finding> found = findings(Invariant::kOperands, /*only_this_rule=*/false);
    ASSERT_EQ(found.size(), 1u) << slot;
    EXPECT_EQ(found[0].node, relu_);
  }
}

// The first page of a graph has 32 slots, followed by its cells.
// parity: L2
TEST_F(VerifierTest, V7OperandAfterTheFirstPage) {
  graph_.set_insert_point_before(output_);
  for (int i = 0; i < 40; ++i) graph_.call_function(context_.function("f"), {x_});
  ASSERT_GT(Peer::slot_bound(graph_), 1024u);
  for (const uint32_t slot : {32u, 500u, 1023u, 1024u}) {
    Peer::cell(*relu_, 0).head = slot;
    const std::vector<Finding> found = findings(Invariant::kOperands, /*only_this_rule=*/false);
    ASSERT_EQ(found.size(), 1u) << slot;
    EXPECT_EQ(found[0].node, relu_);
  }
}

// Arguments must not be nodes of another graph; the message states a remedy.
// parity: L2
TEST_F(VerifierTest, V7NodesOfOtherGraphsAreRejectedImmediately) {
  Graph other(context_);
  Node* external = other.placeholder("z");
  EXPECT_THAT(relu_->update_arg(0, external),
              testing::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("another graph")));
}

// parity: L3
TEST_F(VerifierTest, V8OperandComesLater) {
  ASSERT_THAT(add_->move_after(*relu_), testing::IsOk());
  expect_error(Invariant::kOperandOrder, relu_, "operand %add_tensor comes after it");
}

TEST_F(VerifierTest, V8UsesItself) {
  ASSERT_THAT(relu_->update_arg(0, relu_), testing::IsOk());
  expect_error(Invariant::kOperandOrder, relu_, "must not use itself");
}

TEST_F(VerifierTest, V9WrongCount) {
  Peer::num_uses(*add_) = 2;
  expect_error(Invariant::kUseLists, add_, "has 1 uses, but the count is 2");
  Peer::num_uses(*add_) = 0;
  EXPECT_EQ(findings(Invariant::kUseLists).size(), 2u);  // the operand of %relu is not found either
  Peer::num_uses(*add_) = 1;
  EXPECT_TRUE(verify(graph_).ok());
}

TEST_F(VerifierTest, V9LongerThanTheCount) {
  graph_.set_insert_point_before(output_);
  graph_.call_function(context_.function("f"), {add_, add_});
  Peer::num_uses(*add_) = 1;
  const std::vector<Finding> found = findings(Invariant::kUseLists);
  ASSERT_GE(found.size(), 1u);
  EXPECT_THAT(found[0].message, HasSubstr("more than 1 uses, the recorded count"));
}

TEST_F(VerifierTest, V9MissingUse) {
  Peer::store(*relu_, 0, Argument(1));  // does not remove the use
  const std::vector<Finding> found = findings(Invariant::kUseLists, /*only_this_rule=*/false);
  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(found[0].node, add_);
}

TEST_F(VerifierTest, V9UseWithoutANode) {
  // Adds a second record to the use list of %add, in a cell that no node has.
  graph_.set_insert_point_before(output_);
  Node* extra = graph_.call_function(context_.function("f"), {add_});
  Peer::num_args(*extra) = 0;
  expect_error(Invariant::kUseLists, add_, "a use that is not an operand of any node");
}

TEST_F(VerifierTest, V9BrokenLinks) {
  graph_.set_insert_point_before(output_);
  Node* extra = graph_.call_function(context_.function("f"), {add_});
  Peer::cell(*extra, 0).use.prev = 1;
  EXPECT_GE(findings(Invariant::kUseLists).size(), 1u);
  Peer::cell(*extra, 0).use.next = 77'000'000;
  EXPECT_GE(findings(Invariant::kUseLists).size(), 1u);
  Peer::first_use(*add_) = 77'000'000;
  EXPECT_GE(findings(Invariant::kUseLists).size(), 1u);
}

TEST_F(VerifierTest, V9RecordsAnotherUser) {
  Peer::cell(*relu_, 0).aux = Peer::slot(*output_);
  expect_error(Invariant::kUseLists, relu_, "under another user");
}

TEST_F(VerifierTest, V9LostUseOfAnOperandThatComesLater) {
  ASSERT_THAT(add_->move_after(*relu_), testing::IsOk());
  Peer::num_uses(*add_) = 0;
  Peer::first_use(*add_) = 0;
  EXPECT_EQ(findings(Invariant::kOperandOrder, /*only_this_rule=*/false).size(), 1u);
  EXPECT_EQ(findings(Invariant::kUseLists, /*only_this_rule=*/false).size(), 1u);
}

TEST_F(VerifierTest, V10UnknownKind) {
  ASSERT_THAT(add_->insert_arg(2, 3), testing::IsOk());
  for (uint32_t kind : {static_cast<uint32_t>(ArgumentKind::kNode), 0x42u}) {
    Peer::cell(*add_, 2).head = detail::Cell::kConstant | kind;
    expect_error(Invariant::kArguments, add_, "unknown kind", /*only_this_rule=*/false);
  }
}

class VerifierArgumentTest : public VerifierTest {
 protected:
  VerifierArgumentTest() {
    graph_.set_insert_point_before(output_);
    call_ = graph_.call_function(context_.function("f"), {Argument(1)});
  }
  detail::Cell& cell() { return Peer::cell(*call_, 0); }
  void expect_violation(std::string_view message) {
    expect_error(Invariant::kArguments, call_, message);
  }
  Node* call_;
};

TEST_F(VerifierArgumentTest, V10Enumerations) {
  auto put = [&](ArgumentKind kind, int64_t value) {
    cell().head = detail::Cell::kConstant | static_cast<uint32_t>(kind);
    cell().i = value;
  };
  put(ArgumentKind::kDType, 200);
  expect_violation("unknown dtype 200");
  put(ArgumentKind::kLayout, -1);
  expect_violation("unknown layout -1");
  put(ArgumentKind::kMemoryFormat, 4);
  expect_violation("unknown memory format 4");
  put(ArgumentKind::kString, 0);
  expect_violation("of kind string must have a value");
  put(ArgumentKind::kFunction, 0);
  expect_violation("of kind function must have a value");
}

TEST_F(VerifierArgumentTest, V10Aggregates) {
  Peer::store(*call_, 0, Argument::list({1, 2, 3}));
  cell().items.begin = 4'000'000'000;
  expect_violation("outside of the storage");
  Peer::store(*call_, 0, Argument::slice(1, 2, 3));
  cell().aux = 2;
  expect_violation("a slice must have three parts, not 2");
  Peer::store(*call_, 0, Argument::range(1, 2, 3));
  graph_.storage().cell_at(cell().items.begin)->head =
      detail::Cell::kConstant | static_cast<uint32_t>(ArgumentKind::kFloat);
  expect_violation("the start, stop and step of a range must be integers");
  Peer::store(*call_, 0, std::complex<double>(1, 2));
  cell().aux = 1;
  expect_violation("a complex number must have two parts");
}

TEST_F(VerifierArgumentTest, V10Dicts) {
  Peer::store(*call_, 0, Argument::dict({{"a", 1}, {"b", 2}}));
  detail::Cell* entries = graph_.storage().cell_at(cell().items.begin);
  entries[2] = entries[0];
  expect_violation("duplicate key");
  Peer::store(*call_, 0, Argument::dict({{1, 1}, {"b", 2}}));
  entries = graph_.storage().cell_at(cell().items.begin);
  entries[0].head = detail::Cell::kConstant | static_cast<uint32_t>(ArgumentKind::kFloat);
  expect_violation("must be strings or integers");
}

TEST_F(VerifierArgumentTest, V10ArgumentsOutsideTheStorage) {
  Peer::cells(*call_) = 4'000'000'000;
  expect_violation("outside of the storage");
  Peer::cells(*call_) = Peer::cell_bound(graph_) - 1;
  Peer::num_kwargs(*call_) = 7;
  expect_violation("outside of the storage");
}

// Traversing a list that contains itself more than once would take exponential time.
TEST_F(VerifierArgumentTest, V10OverlappingArguments) {
  Peer::store(*call_, 0, Argument::list({1, 2, 3, 4}));
  const uint32_t begin = cell().items.begin;
  for (uint32_t i = 0; i < 4; ++i) *graph_.storage().cell_at(begin + i) = cell();
  const std::vector<Finding> found = findings(Invariant::kArguments);
  ASSERT_GE(found.size(), 1u);
  EXPECT_LE(found.size(), 1000u);
}

TEST_F(VerifierArgumentTest, V10TooDeep) {
  Argument deep = 1;
  for (int i = 0; i < kMaxArgumentDepth; ++i) deep = Argument::list({deep});
  ASSERT_THAT(call_->update_arg(0, deep), testing::IsOk());
  EXPECT_TRUE(verify(graph_).ok());
  // The innermost list refers to the outermost list.
  detail::Cell* innermost = &cell();
  while (graph_.storage().cell_at(innermost->items.begin)->kind() == ArgumentKind::kList)
    innermost = graph_.storage().cell_at(innermost->items.begin);
  *graph_.storage().cell_at(innermost->items.begin) = cell();
  expect_violation("nested more than 256 levels deep");
}

TEST_F(VerifierTest, V11Keywords) {
  graph_.set_insert_point_before(output_);
  Node* call = graph_.call_function(context_.function("f"), {}, {{"a", 1}, {"b", 2}});
  Peer::cell(*call, 2) = Peer::cell(*call, 0);
  expect_error(Invariant::kKeywords, call, "duplicate keyword");
  Peer::cell(*call, 2).i = 0;
  expect_error(Invariant::kKeywords, call, "a keyword must be a string");
  Peer::store(*call, 2, Argument(context_.symbol("")));
  expect_error(Invariant::kKeywords, call, "empty");
}

// ---------------------------------------------------------------- V12 to V18: opcodes

TEST_F(VerifierTest, V12PlaceholderWithArguments) {
  ASSERT_THAT(y_->set_args({1}), testing::IsOk());
  EXPECT_TRUE(verify(graph_).ok());  // a default value
  ASSERT_THAT(y_->set_args({1, 2}), testing::IsOk());
  expect_error(Invariant::kPlaceholderForm, y_, "no argument except its default");
  ASSERT_THAT(y_->set_args({Argument::list({x_})}), testing::IsOk());
  expect_error(Invariant::kPlaceholderForm, y_, "must not contain nodes");
  ASSERT_THAT(y_->set_args({}), testing::IsOk());
  ASSERT_THAT(y_->set_kwargs({{"a", 1}}), testing::IsOk());
  expect_error(Invariant::kPlaceholderForm, y_, "no argument except its default");
}

TEST_F(VerifierTest, V13OutputForm) {
  ASSERT_THAT(output_->set_args({relu_, add_}), testing::IsOk());
  expect_error(Invariant::kOutputForm, output_, "exactly one argument");
  ASSERT_THAT(output_->set_args({}), testing::IsOk());
  expect_error(Invariant::kOutputForm, output_, "exactly one argument");
}

TEST_F(VerifierTest, V13OutputHasUsers) {
  Node* call = graph_.call_function(context_.function("f"), {output_});
  expect_error(Invariant::kOutputForm, output_, "must not have users", /*only_this_rule=*/false);
  EXPECT_EQ(findings(Invariant::kOneOutput, /*only_this_rule=*/false)[0].node, call);
}

// parity: L8
TEST_F(VerifierTest, V14NodesAfterTheOutput) {
  Node* after = graph_.call_function(context_.function("f"), {});
  expect_error(Invariant::kOneOutput, after, "comes after %output and never runs");
  graph_.call_function(context_.function("f"), {});
  expect_error(Invariant::kOneOutput, after, "it is the first of 2 nodes");
}

// parity: L8
TEST_F(VerifierTest, V14SecondOutput) {
  graph_.set_allow_several_outputs(true);
  Node* second = graph_.output(add_);
  const std::vector<Finding> found = findings(Invariant::kOneOutput);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].node, second);
  EXPECT_THAT(found[0].message, HasSubstr("must have only one output"));
}

TEST_F(VerifierTest, V14NoOutputIsAWarning) {
  ASSERT_THAT(graph_.erase_node(output_), testing::IsOk());
  expect_warning(Invariant::kOneOutput, nullptr, "no output");
  EXPECT_THAT(verify(graph_, {.warnings = false}).findings, IsEmpty());
}

// parity: L8
TEST_F(VerifierTest, V15MethodWithoutReceiver) {
  graph_.set_insert_point_before(output_);
  Node* size = graph_.call_method("size", {x_});
  EXPECT_TRUE(verify(graph_).ok());
  ASSERT_THAT(size->set_args({}), testing::IsOk());
  expect_error(Invariant::kReceiver, size, "must have a receiver, args[0]");
}

TEST_F(VerifierTest, V16GetAttrWithArguments) {
  graph_.set_insert_point_before(output_);
  Node* weight = graph_.get_attr("weight");
  ASSERT_THAT(weight->set_args({x_}), testing::IsOk());
  expect_warning(Invariant::kGetAttrForm, weight, "ignored");
}

// parity: L8
TEST_F(VerifierTest, V17LatePlaceholder) {
  graph_.set_insert_point_before(relu_);
  Node* late = graph_.placeholder("late");
  expect_warning(Invariant::kPlaceholdersFirst, late, "before other nodes");
}

// parity: L8
TEST_F(VerifierTest, V18SameTargetTwice) {
  y_->set_target("x");
  expect_error(Invariant::kPlaceholderTargets, y_, "has the same target x");
  y_->set_target("*x");  // forward(x, *x)
  expect_error(Invariant::kPlaceholderTargets, y_, "has the same target x");
}

// ---------------------------------------------------------------- V19 to V23: references
// parity: L7
TEST_F(VerifierTest, V19PathsOfTheOwner) {
  Module owner("Net");
  ASSERT_THAT(owner.add_submodule("layer.conv", std::make_shared<Module>("Conv")), testing::IsOk());
  ASSERT_THAT(owner.register_constant("scale", Argument(2.0)), testing::IsOk());
  graph_.set_insert_point_before(output_);
  Node* call = graph_.call_module("layer.conv", {x_});
  Node* read = graph_.get_attr("scale");
  graph_.set_owning_module(&owner);
  EXPECT_TRUE(verify(graph_).ok());

  call->set_target("layer.norm");
  expect_error(Invariant::kPaths, call, "does not have a submodule \"layer.norm\"");
  call->set_target("scale");  // it exists, but cannot be called
  expect_error(Invariant::kPaths, call, "does not have a submodule \"scale\"");
  call->set_target("layer");
  read->set_target("layer.scale");
  expect_error(Invariant::kPaths, read, "does not have a parameter, buffer, constant or module");
  graph_.set_owning_module(nullptr);
  EXPECT_TRUE(verify(graph_).ok());
}

TEST_F(VerifierTest, V19NestedGraphsAreNotPaths) {
  Module owner("Net");
  auto body = std::make_unique<Graph>(context_);
  body->output(Argument(1));
  ASSERT_THAT(graph_.add_subgraph("body", std::move(body)), testing::IsOk());
  graph_.set_insert_point_before(output_);
  graph_.get_attr("body");
  graph_.set_owning_module(&owner);
  EXPECT_TRUE(verify(graph_).ok());
}

TEST_F(VerifierTest, V20GraphArgumentOutOfRange) {
  auto body = std::make_unique<Graph>(context_);
  body->output(Argument(1));
  ASSERT_THAT(graph_.add_subgraph("body", std::move(body)), testing::IsOk());
  graph_.set_insert_point_before(output_);
  Node* call = graph_.call_function(context_.function("f"), {Argument::graph(0)});
  EXPECT_TRUE(verify(graph_).ok());
  Peer::cell(*call, 0).i = 1;
  expect_error(Invariant::kNestedGraphs, call, "nested graph 1 is out of range for 1");
}

TEST_F(VerifierTest, V20NestedGraphs) {
  auto make = [](Context& context) {
    auto body = std::make_unique<Graph>(context);
    body->output(Argument(1));
    return body;
  };
  Peer::add_subgraph(graph_, "body", make(context_));
  Peer::add_subgraph(graph_, "body", make(context_));
  expect_error(Invariant::kNestedGraphs, nullptr, "the name body is used by two nested graphs");
  Context other;
  Peer::add_subgraph(graph_, "external", make(other));
  Peer::add_subgraph(graph_, "null", nullptr);
  EXPECT_EQ(findings(Invariant::kNestedGraphs).size(), 3u);
}

TEST_F(VerifierTest, FindsProblemsInNestedGraphs) {
  auto inner = std::make_unique<Graph>(context_);
  Node* a = inner->placeholder("a");
  Node* b = inner->call_function(context_.function("aten.neg.default"), {a});
  inner->output(b);
  ASSERT_THAT(a->move_after(*b), testing::IsOk());
  auto outer = std::make_unique<Graph>(context_);
  outer->output(Argument());
  const Graph* inner_graph = inner.get();
  ASSERT_THAT(outer->add_subgraph("then", std::move(inner)), testing::IsOk());
  ASSERT_THAT(graph_.add_subgraph("cond", std::move(outer)), testing::IsOk());
  const std::vector<Finding> found = findings(Invariant::kOperandOrder, /*only_this_rule=*/false);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].location, "cond.then: %neg_default");
  EXPECT_EQ(found[0].graph, inner_graph);
}

// parity: L8
TEST_F(VerifierTest, V21CallDoesNotMatchTheSchema) {
  EXPECT_TRUE(verify(graph_).ok());
  ASSERT_THAT(add_->update_kwarg("alpha", 2), testing::IsOk());
  EXPECT_TRUE(verify(graph_).ok());
  ASSERT_THAT(add_->update_kwarg("beta", 2), testing::IsOk());
  expect_error(Invariant::kSchema, add_, "not have an argument beta");
  ASSERT_THAT(add_->set_kwargs({{"other", y_}}), testing::IsOk());
  expect_error(Invariant::kSchema, add_, "both by position and by keyword");
  ASSERT_THAT(add_->set_kwargs({}), testing::IsOk());
  ASSERT_THAT(add_->set_args({x_, y_, 2}), testing::IsOk());
  expect_error(Invariant::kSchema, add_, "accepts 2 positional arguments, not 3");
  ASSERT_THAT(add_->set_args({x_}), testing::IsOk());
  expect_error(Invariant::kSchema, add_, "argument other is missing");
  EXPECT_THAT(findings(Invariant::kSchema)[0].hint, HasSubstr("aten::add.Tensor(Tensor self"));
  ASSERT_THAT(add_->set_kwargs({{"other", y_}}), testing::IsOk());
  EXPECT_TRUE(verify(graph_).ok());
}

TEST_F(VerifierTest, V21PythonFunctionsOnlyWarn) {
  graph_.set_insert_point_before(output_);
  Node* call = graph_.call_function(context_.function("operator.add"), {x_, y_});
  EXPECT_THAT(verify(graph_).findings, IsEmpty());
  ASSERT_THAT(call->set_args({x_}), testing::IsOk());
  expect_warning(Invariant::kSchema, call, "is missing");
  EXPECT_THAT(verify(graph_, {.warnings = false}).findings, IsEmpty());
}

TEST_F(VerifierTest, V21UnknownFunctionsAcceptAnything) {
  graph_.set_insert_point_before(output_);
  graph_.call_function(context_.function("my.function"), {x_, 1, 2, 3}, {{"anything", 4}});
  EXPECT_THAT(verify(graph_).findings, IsEmpty());
}

// parity: L8
TEST_F(VerifierTest, V22ImpossibleTypes) {
  TypeTable& types = context_.types();
  auto expect_bad = [&](const TensorSpec& spec, std::string_view message) {
    const Type type = types.tensor(spec);
    for (Type bad : {type, types.list({types.none(), types.tuple({type})})}) {
      relu_->set_type(bad);
      expect_error(Invariant::kTypes, relu_, message);
    }
  };
  const DimVector sizes = {2, 3};
  relu_->set_type(types.tensor({.dtype = DType::kFloat32, .sizes = sizes}));
  EXPECT_TRUE(verify(graph_).ok());
  const DimVector negative = {2, -3};
  expect_bad({.dtype = DType::kFloat32, .sizes = negative}, "a size is -3");
  expect_bad({.dtype = DType::kFloat32, .sizes = sizes, .strides = StrideSpec(negative)},
             "a stride is -3");
  expect_bad({.dtype = DType::kFloat32, .sizes = sizes, .offset = -1}, "offset is -1");
  expect_bad({.dtype = DType::kInt64, .sizes = sizes, .requires_grad = true}, "gradients");
}

TEST_F(VerifierTest, V22InvalidTypeRecords) {
  TypeData invalid;
  invalid.kind = TypeKind::kTensor;
  invalid.has_rank = true;
  invalid.dtype = static_cast<DType>(250);
  Peer::set_type(*relu_, &invalid);
  expect_error(Invariant::kTypes, relu_, "dtype is unknown");
  invalid.dtype = DType::kFloat32;
  invalid.layout = static_cast<Layout>(99);
  expect_error(Invariant::kTypes, relu_, "layout is unknown");
  invalid.kind = static_cast<TypeKind>(99);
  expect_error(Invariant::kTypes, relu_, "kind is unknown");
  Peer::set_type(*relu_, nullptr);
}

TEST_F(VerifierTest, V23NodeInMetadata) {
  relu_->meta().set("note", Argument::list({1, "two"}));
  EXPECT_TRUE(verify(graph_).ok());
  Peer::set_meta(*relu_, "note", Argument::list({1, Argument(x_)}));
  expect_error(Invariant::kMeta, relu_, "\"note\" must not contain nodes");
}

// ---------------------------------------------------------------- V24 to V27: optional
// parity: L5
TEST_F(VerifierTest, V24IndexMissesANode) {
  EXPECT_EQ(graph_.find_nodes(context_.function("aten.relu.default")).size(), 1u);
  EXPECT_TRUE(verify(graph_, {.check_index = true}).ok());
  Peer::target(*relu_) =
      context_.function("aten.neg.default").data();  // the table does not have this entry
  EXPECT_TRUE(verify(graph_).ok());
  const std::vector<Finding> found = findings(Invariant::kIndex, true, {.check_index = true});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].node, relu_);
}

// parity: L10
TEST_F(VerifierTest, V25AllowList) {
  const Target add = context_.function("aten.add.Tensor");
  const VerifierOptions only_add = {.is_allowed = [&](const Node& call) { return call.is(add); }};
  const std::vector<Finding> found = findings(Invariant::kAllowed, true, only_add);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].node, relu_);
  EXPECT_THAT(found[0].message, HasSubstr("aten.relu.default is not allowed"));
}

// parity: L8
TEST_F(VerifierTest, V26DeadNodes) {
  graph_.set_insert_point_before(output_);
  Node* dead = graph_.call_function(context_.function("aten.neg.default"), {add_});
  Node* user = graph_.call_function(context_.function("aten.neg.default"), {dead});
  EXPECT_THAT(verify(graph_).findings, IsEmpty());
  const std::vector<Finding> found = findings(Invariant::kDead, true, {.report_dead = true});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].node, dead);
  EXPECT_EQ(found[1].node, user);
  EXPECT_EQ(found[0].severity, Severity::kWarning);
}

// parity: M21
TEST_F(VerifierTest, V28OperatorsThatPyTorchDoesNotHave) {
  FX_ASSERT_OK_AND_ASSIGN(const auto graph, parse_graph(context_, R"(graph(%x) {
  %a = aten.rellu.default(%x)
  %b = aten.relu(%a)
  %c = mylib.rellu.default(%b)
  return %c
})"));
  const VerifierReport report = verify(*graph);
  EXPECT_TRUE(report.ok());
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].invariant, Invariant::kKnownOperator);
  EXPECT_THAT(report.str(), HasSubstr("aten.rellu.default is not a PyTorch operator (did you mean "
                                      "\"aten.relu.default\"?)"));
}

TEST_F(VerifierTest, V27TracedTrainingFlags) {
  Module owner("Net");
  graph_.set_owning_module(&owner);
  graph_.set_insert_point_before(output_);
  const Target dropout = context_.function("aten.dropout.default");
  Node* positional = graph_.call_function(dropout, {add_, 0.5, true});
  Node* keyword = graph_.call_function(context_.function("torch.nn.functional.dropout"), {add_},
                                       {{"training", true}});
  graph_.call_function(dropout, {add_, 0.5, relu_});  // `train` is not a constant
  const VerifierOptions modes = {.report_modes = true};
  EXPECT_THAT(findings(Invariant::kModes, true, modes), IsEmpty());
  owner.eval();
  EXPECT_THAT(verify(graph_).findings, IsEmpty());
  const std::vector<Finding> found = findings(Invariant::kModes, true, modes);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].node, positional);
  EXPECT_EQ(found[0].severity, Severity::kWarning);
  EXPECT_THAT(found[0].message, HasSubstr("train is True, but the owning module is in eval"));
  EXPECT_EQ(found[1].node, keyword);
  graph_.set_owning_module(nullptr);
  EXPECT_THAT(findings(Invariant::kModes, true, modes), IsEmpty());
}

// ---------------------------------------------------------------- reports
// parity: L9 G18
TEST_F(VerifierTest, ReportsAllFindings) {
  ASSERT_THAT(add_->move_after(*relu_), testing::IsOk());
  ASSERT_THAT(relu_->update_kwarg("inplace", true), testing::IsOk());
  Peer::set_name(*y_, "x");
  graph_.call_function(context_.function("f"), {});
  const VerifierReport report = verify(graph_);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.num_errors, 4u);
  EXPECT_EQ(report.num_warnings, 0u);
  EXPECT_EQ(report.str(),
            "error V5 at %x: an earlier node has the same name\n"
            "  hint: rename one of them (Node::rename)\n"
            "error V8 at %relu_default: operand %add_tensor comes after it\n"
            "  hint: move %add_tensor up (Node::move_before), or build operands first\n"
            "error V21 at %relu_default: it does not have an argument inplace\n"
            "  hint: its signature is aten::relu(Tensor self) -> Tensor\n"
            "error V14 at %f: it comes after %output and never runs\n"
            "  hint: move the output to the end (Node::move_after), or erase them\n"
            "4 errors, 0 warnings\n");
  EXPECT_THAT(verify_status(graph_), testing::StatusIs(absl::StatusCode::kFailedPrecondition,
                                                       HasSubstr("error V21 at %relu_default")));
}

TEST_F(VerifierTest, CountsOmittedFindings) {
  graph_.set_insert_point_before(output_);
  for (int i = 0; i < 50; ++i) graph_.call_method("size", {});
  const VerifierReport report = verify(graph_, {.max_findings = 10});
  EXPECT_EQ(report.findings.size(), 10u);
  EXPECT_EQ(report.num_errors, 50u);
  EXPECT_THAT(report.str(), HasSubstr("40 more findings are not shown"));
}

TEST_F(VerifierTest, EmptyGraph) {
  Graph empty(context_);
  EXPECT_TRUE(verify(empty, {.check_index = true, .report_dead = true}).ok());
}

// ---------------------------------------------------------------- size and robustness

TEST_F(VerifierTest, LongChainAndManyNestedGraphs) {
  Graph chain(context_);
  const Target neg = context_.function("aten.neg.default");
  Node* value = chain.placeholder("x");
  for (int i = 0; i < 1'000'000; ++i) value = chain.call_function(neg, {value});
  chain.output(value);
  EXPECT_TRUE(verify(chain, {.report_dead = true}).ok());

  auto nested = std::make_unique<Graph>(context_);
  nested->output(Argument());
  for (int i = 0; i < 1000; ++i) {
    auto outer = std::make_unique<Graph>(context_);
    outer->output(Argument());
    ASSERT_THAT(outer->add_subgraph("g", std::move(nested)), testing::IsOk());
    nested = std::move(outer);
  }
  EXPECT_TRUE(verify(*nested).ok());
}

// Flips random bits in nodes and cells: verify must terminate and not crash.
TEST(VerifierRobustnessTest, RandomDamage) {
  std::minstd_rand random(1);
  int found = 0;
  for (int round = 0; round < 3000; ++round) {
    Context context;
    Graph graph(context);
    Node* x = graph.placeholder("x");
    std::vector<Node*> nodes = {x};
    for (int i = 0; i < 12; ++i) {
      Node* a = nodes[random() % nodes.size()];
      Node* b = nodes[random() % nodes.size()];
      nodes.push_back(
          graph.call_function(context.function("aten.add.Tensor"), {Argument(a), Argument(b)},
                              {{"alpha", Argument::list({1, Argument::tuple({b, 2.0})})}}));
    }
    nodes.push_back(graph.output(nodes.back()));
    for (int k = 0; k < 3; ++k) {
      Node& node = *nodes[random() % nodes.size()];
      uint32_t* fields[] = {&Peer::prev(node),      &Peer::next(node),     &Peer::order(node),
                            &Peer::first_use(node), &Peer::num_uses(node), &Peer::cells(node),
                            &Peer::id(node),        &Peer::num_args(node)};
      const uint32_t field = static_cast<uint32_t>(random() % 11);
      const uint32_t bit = 1u << (random() % 32);
      if (field < 8) {
        *fields[field] ^= bit;
      } else {
        // Links of a cell, but not its value, since it may be a pointer.
        uint32_t cell = 0;
        while (!Peer::is_cell(graph, cell))
          cell = static_cast<uint32_t>(random() % Peer::cell_bound(graph));
        detail::Cell& damaged = *graph.storage().cell_at(cell);
        if (field == 8) {
          damaged.aux ^= bit;
        } else if (damaged.is_use()) {
          damaged.use.next ^= bit;
        } else if (is_aggregate(damaged.kind())) {
          damaged.items.begin ^= bit;
        }
      }
    }
    found += !verify(graph, {.check_index = false}).ok();
  }
  EXPECT_GT(found, 2500);
}

}  // namespace
}  // namespace fx
