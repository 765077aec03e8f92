#include "fx/passes/partition/split_module.h"

#include "fx/ir/verify/verifier.h"
#include "fx/passes/partition/subgraph.h"
#include "tests/passes/partition_fixture.h"
#include "tests/testing/status_matchers.h"

#include "gtest/gtest.h"

#include <string>

namespace fx::split_module_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsOkAndHolds;
using testing::StatusIs;

class SplitModuleTest : public testing::PartitionFixture {
 protected:
  static PartitionOf by_seq() {
    return [](const Node& n) { return n.meta().get(meta::kSeq).value_or(0); };
  }
};

// parity: P6
TEST_F(SplitModuleTest, ModulesAreNamedAndCalledAsInTorchFx) {
  parse(R"(graph(%x, %y = 2) {
    %w = get_attr layer.weight
    %a = torch.add(%x, %w) !{seq=1}
    %b = torch.relu(%a) !{seq=0}
    %c = call_module layer.fc(%b) !{seq=0}
    %d = torch.add(%c, %a, alpha=%y) !{seq=2}
    return (%d, %b)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("layer.weight", Attribute::parameter(weight)), IsOk());
  ASSERT_THAT(
      root_.add_submodule("layer.fc", std::make_shared<Module>("torch.nn.modules.linear.Linear")),
      IsOk());
  const std::string before = print(*graph_);
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  EXPECT_EQ(print(split.module->graph()), R"(graph(%x, %y = 2) {
  %layer_weight = get_attr layer.weight
  %submod_1 = call_module submod_1(%x, %layer_weight)
  %submod_0 = call_module submod_0(%submod_1)
  %getitem = operator.getitem(%submod_0, 0)
  %getitem_1 = operator.getitem(%submod_0, 1)
  %submod_2 = call_module submod_2(%getitem, %submod_1, %y)
  return (%submod_2, %getitem_1)
}
)");
  EXPECT_EQ(print(*graph_), before);  // the pass adds no metadata
  EXPECT_THAT(split.partitions, ElementsAre("submod_1", "submod_0", "submod_2"));
  EXPECT_EQ(split.paths.at("submod_0.layer.fc"), "layer.fc");
  EXPECT_THAT(verify_status(split.module->graph()), IsOk());
  const GraphModule* inner = split.module->find_module("submod_0")->as_graph_module();
  EXPECT_EQ(inner->graph().find_nodes(Opcode::kCallModule).front()->target(), "layer.fc");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult flat,
                          split_module(*graph_, root_, by_seq(),
                                       {.keep_original_order = true,
                                        .keep_original_node_name = true,
                                        .keep_original_input_name = false,
                                        .partition_affix = "pp",
                                        .return_tuple = true,
                                        .flatten_paths = true}));
  EXPECT_THAT(flat.partitions, ElementsAre("submod_pp_1", "submod_pp_0", "submod_pp_2"));
  EXPECT_EQ(
      print(flat.module->find_module("submod_pp_0")->as_graph_module()->graph(), {.meta = false}),
      R"(graph(%arg_0) {
  %b = torch.relu(%arg_0)
  %c = call_module layer_fc(%b)
  return (%c, %b)
}
)");
}

// Nested graphs move with the calls that use them; each part has a copy.
// parity: P6
TEST_F(SplitModuleTest, NestedGraphsMoveWithTheirCalls) {
  parse(R"(graph(%p, %x) {
    graph @neg(%y) {
      %w = get_attr w
      %n = torch.add(%y, %w)
      return %n
    }
    %neg = get_attr neg
    %a = higher_order.cond(%p, %neg, %neg, [%x]) !{seq=0}
    %b = my.call(@neg, %a) !{seq=1}
    %c = higher_order.cond(%p, %neg, %neg, [%b]) !{seq=1}
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("neg.w", Attribute::parameter(weight)), IsOk());
  for (const bool flatten_paths : {false, true}) {
    FX_ASSERT_OK_AND_ASSIGN(
        const SplitModuleResult split,
        split_module(
            *graph_, root_, by_seq(),
            {.keep_original_order = true, .return_tuple = true, .flatten_paths = flatten_paths}));
    EXPECT_EQ(print(split.module->graph()), R"(graph(%p, %x) {
  %submod_0 = call_module submod_0(%p, %x)
  %getitem = operator.getitem(%submod_0, 0)
  %submod_1 = call_module submod_1(%getitem, %p)
  %getitem_1 = operator.getitem(%submod_1, 0)
  return %getitem_1
}
)");
    const GraphModule* inner = split.module->find_module("submod_1")->as_graph_module();
    EXPECT_EQ(print(inner->graph(), {.meta = false}), R"(graph(%a, %p) {
  graph @neg(%y) {
    %w = get_attr w
    %n = torch.add(%y, %w)
    return %n
  }
  %neg = get_attr neg
  %call = my.call(@neg, %a)
  %cond = higher_order.cond(%p, %neg, %neg, [%call])
  return (%cond,)
}
)");
    EXPECT_TRUE(inner->has_attribute("neg.w"));
    EXPECT_THAT(verify_status(inner->graph()), IsOk());
    EXPECT_THAT(verify_status(split.module->graph()), IsOk());
  }
}

// parity: P6
TEST_F(SplitModuleTest, CyclesIncludingEffectsAreRejected) {
  parse(R"(graph(%x) {
    %a = torch.relu(%x) !{seq=0}
    %b = torch.neg(%a) !{seq=1}
    %c = torch.add(%a, %b) !{seq=0}
    return %c
  })");
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("in a cycle: 0, 1")));
  parse(R"(graph(%x) {
    %a = aten.sin.default(%x) !{seq=1}
    %b = aten.add_.Tensor(%x, 1) !{seq=0}
    %c = aten.cos.default(%x) !{seq=1}
    return (%a, %c)
  })");
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("in a cycle: 1, 0")));
}

TEST_F(SplitModuleTest, AMissingMemberIsAnErrorForANewModule) {
  parse(R"(graph(%x) {
    %w = get_attr missing.w
    %a = torch.add(%x, %w) !{seq=0}
    %b = torch.add(%a, %w) !{seq=1}
    return %b
  })");
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("%missing_w: the module does not have a member \"missing.w\"")));
  ASSERT_THAT(split_module_in_place(*graph_, root_, by_seq()), IsOkAndHolds(true));
  EXPECT_TRUE(verify(*graph_).ok());
  EXPECT_EQ(node("missing_w")->num_uses(), 2u);
}

TEST_F(SplitModuleTest, AnOperandAfterItsUserIsAnError) {
  parse(R"(graph(%x) {
    %a = torch.relu(%x) !{seq=0}
    %b = torch.neg(%a) !{seq=0}
    return %b
  })");
  ASSERT_THAT(node("a")->move_after(*node("b")), IsOk());
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%b uses %a, which does")));
  node("a")->meta().set(meta::kSeq, 1);
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%b uses %a, which does")));
}

TEST_F(SplitModuleTest, AutocastsAreRepeated) {
  parse(R"(graph(%x) {
    %on = torch.amp.autocast_mode._enter_autocast("cpu") !{seq=0}
    %a = torch.sin(%x) !{seq=0}
    %b = torch.cos(%a) !{seq=1}
    %off = torch.amp.autocast_mode._exit_autocast(%on) !{seq=1}
    %c = torch.sin(%b) !{seq=1}
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  for (const std::string_view part : {"submod_0", "submod_1"}) {
    const std::string text = print(split.module->find_module(part)->as_graph_module()->graph());
    EXPECT_THAT(text, AllOf(HasSubstr("autocast_mode._enter_autocast(\"cpu\")"),
                            HasSubstr("autocast_mode._exit_autocast(%")));
  }
}

// A call_module with the name of an autocast function is an ordinary call.
TEST_F(SplitModuleTest, OnlyFunctionsBeginAutocasts) {
  ASSERT_THAT(root_.add_submodule("own._enter_autocast", std::make_shared<Module>()), IsOk());
  parse(R"(graph(%x) {
    %a = torch.sin(%x) !{seq=0}
    %m = call_module own._enter_autocast(%a) !{seq=1}
    return %m
  })");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  EXPECT_THAT(split.partitions, ElementsAre("submod_0", "submod_1"));
}

TEST_F(SplitModuleTest, PartsMayAlternate) {
  parse(R"(graph(%x) {
    %a = torch.sin(%x) !{seq=0}
    %m = torch.neg(%a) !{seq=1}
    %b = torch.cos(%a) !{seq=0}
    %c = torch.add(%b, %m) !{seq=1}
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  const auto text = [&](std::string_view part) {
    return print(split.module->find_module(part)->as_graph_module()->graph(), {.meta = false});
  };
  EXPECT_EQ(text("submod_0"), R"(graph(%x) {
  %sin = torch.sin(%x)
  %cos = torch.cos(%sin)
  return (%sin, %cos)
}
)");
  EXPECT_EQ(text("submod_1"), R"(graph(%a, %b) {
  %neg = torch.neg(%a)
  %add = torch.add(%b, %neg)
  return %add
}
)");
}

// parity: P6
TEST_F(SplitModuleTest, GradientTogglesAreRepeated) {
  parse(R"(graph(%x) {
    %a = torch.relu(%x) !{seq=0}
    %off = torch._C._set_grad_enabled(False) !{seq=0}
    %b = torch.neg(%a) !{seq=0}
    %c = torch.sin(%b) !{seq=1}
    %on = torch._C._set_grad_enabled(True) !{seq=1}
    %d = torch.cos(%c) !{seq=2}
    return %d
  })");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  const auto text = [&](std::string_view name) {
    return print(split.module->find_module(name)->as_graph_module()->graph(), {.meta = false});
  };
  EXPECT_EQ(text("submod_1"), R"(graph(%b) {
  %_set_grad_enabled = torch._C._set_grad_enabled(False)
  %sin = torch.sin(%b)
  %_set_grad_enabled_1 = torch._C._set_grad_enabled(True)
  return %sin
}
)");
  EXPECT_THAT(text("submod_2"), HasSubstr("torch._C._set_grad_enabled(True)\n  %cos"));
  node("d")->meta().set(meta::kSeq, 0);
  EXPECT_THAT(
      split_module(*graph_, root_, by_seq()).status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%d has a smaller partition id")));
}

// parity: P8
TEST_F(SplitModuleTest, EachTagIsOneModule) {
  parse(R"(graph(%x, %y) {
    %w = get_attr w
    %a = torch.mul(%x, %w) !{region="ro"}
    %b = torch.relu(%y) !{region="main"}
    %c = torch.add(%a, %b) !{region="main"}
    return (%c, %a)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("w", Attribute::parameter(weight)), IsOk());
  const TagOf tag = [](const Node& n) {
    return std::string(n.meta().get(meta::kRegion).value_or(""));
  };
  const std::vector<std::string> tags = {"ro", "main", "none"};
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_by_tags(*graph_, root_, tags, tag));
  EXPECT_EQ(print(split.module->graph()), R"(graph(%x, %y) {
  %ro = call_module ro(%x)
  %main = call_module main(%y, %ro)
  %none = call_module none()
  return (%main, %ro)
}
)");
  EXPECT_TRUE(split.module->find_tensor("ro.w").is_same(weight));
  EXPECT_EQ(split.paths.at("ro.w"), "w");
  const std::vector<std::string> late = {"main", "ro"};
  EXPECT_THAT(split_by_tags(*graph_, root_, late, tag).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("%c has the tag \"main\" and uses %a with the later tag \"ro\"")));
  const std::vector<std::string> few = {"ro"};
  EXPECT_THAT(
      split_by_tags(*graph_, root_, few, tag).status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"main\", which is not listed")));
}

// parity: P8
TEST_F(SplitModuleTest, TagsMayAlternate) {
  parse(R"(graph(%x, %y = None) {
    %v = get_attr layer.w
    %a = torch.mul(%x, %v) !{region="one"}
    %b = torch.relu(%x) !{region="two"}
    %c = torch.add(%a, %y) !{region="one"}
    %d = torch.add(%b, %x) !{region="two"}
    %e = torch.add(%a, %v) !{region="two"}
    return (%d, %a, %v, %c, %e)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("layer.w", Attribute::parameter(weight)), IsOk());
  const TagOf tag = [](const Node& n) {
    return std::string(n.meta().get(meta::kRegion).value_or(""));
  };
  const std::vector<std::string> tags = {"one", "two"};
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split,
                          split_by_tags(*graph_, root_, tags, tag, {.return_tuple = true}));
  EXPECT_EQ(print(split.module->graph()), R"(graph(%x, %y = None) {
  %layer_w = get_attr layer.w
  %one = call_module one(%x, %y)
  %getitem = operator.getitem(%one, 0)
  %getitem_1 = operator.getitem(%one, 1)
  %two = call_module two(%x, %getitem)
  %getitem_2 = operator.getitem(%two, 0)
  %getitem_3 = operator.getitem(%two, 1)
  return (%getitem_2, %getitem, %layer_w, %getitem_1, %getitem_3)
}
)");
  const auto text = [&](std::string_view module) {
    return print(split.module->find_module(module)->as_graph_module()->graph());
  };
  // Operands of a part precede their first use. Members are named by their paths, as in torch.fx.
  EXPECT_EQ(text("one"), R"(graph(%x) {
  %layer_w = get_attr layer.w
  %a = torch.mul(%x, %layer_w) !{region="one"}
  %y = placeholder
  %c = torch.add(%a, %y) !{region="one"}
  return (%a, %c)
}
)");
  EXPECT_THAT(text("two"), HasSubstr("return (%d, %e)"));
  EXPECT_TRUE(split.module->find_tensor("one.layer.w").is_same(weight));
  EXPECT_TRUE(split.module->find_tensor("two.layer.w").is_same(weight));
  EXPECT_TRUE(split.module->find_tensor("layer.w").is_same(weight));
  EXPECT_EQ(split.paths.size(), 2u);
}

TEST_F(SplitModuleTest, TagsKeepTheOrderOfEffectsAndUses) {
  parse(R"(graph(%x) {
    %a = aten.add_.Tensor(%x, 1) !{region="two"}
    %b = aten.mul.Tensor(%x, 2) !{region="one"}
    return (%a, %b)
  })");
  const TagOf tag = [](const Node& n) {
    return std::string(n.meta().get(meta::kRegion).value_or("one"));
  };
  const std::vector<std::string> tags = {"one", "two"};
  EXPECT_THAT(
      split_by_tags(*graph_, root_, tags, tag).status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("%b must not run before %a because of its effects, but its tag \"one\" "
                         "comes before \"two\"")));
  const std::vector<std::string> twice = {"one", "two", "one"};
  EXPECT_THAT(split_by_tags(*graph_, root_, twice, tag).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("duplicate tag \"one\"")));
  parse(R"(graph(%x) {
    %a = aten.mul.Tensor(%x, 1)
    %b = aten.mul.Tensor(%a, 2)
    return %b
  })");
  ASSERT_THAT(node("b")->move_before(*node("a")), IsOk());
  EXPECT_THAT(split_by_tags(*graph_, root_, tags, tag).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("%b uses %a, which does not come before it: sort the graph")));
}

}  // namespace
}  // namespace fx::split_module_test
