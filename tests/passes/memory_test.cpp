#include "fx/passes/analysis/memory.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/inference/remove_dropout.h"
#include "tests/testing/status_matchers.h"

#include "gtest/gtest.h"

#include <memory>
#include <string>

namespace fx {
namespace {

class MemoryTest : public ::testing::Test {
 protected:
  MemoryAnalysis& analyze(const std::string& text, const MemoryOptions& options = {}) {
    auto graph = parse_graph(context_, text);
    EXPECT_TRUE(graph.ok()) << graph.status();
    graph_ = *std::move(graph);
    memory_ = std::make_unique<MemoryAnalysis>(*graph_, options);
    return *memory_;
  }
  const Node& node(const char* name) { return *graph_->find_node(name); }
  bool may_share(const char* a, const char* b) { return memory_->may_share(node(a), node(b)); }
  bool must_share(const char* a, const char* b) { return memory_->must_share(node(a), node(b)); }

  Context context_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<MemoryAnalysis> memory_;
};

TEST_F(MemoryTest, ViewsShareAndCopiesDoNot) {
  analyze(R"(graph(%x) {
    %v = aten.view.default(%x, [-1])
    %c = aten.clone.default(%x)
    %p = aten.split.Tensor(%c, 1)
    %i = operator.getitem(%p, 0)
    %j = operator.getitem(%p, 1)
    %m = call_method t(%c)
    %s = aten.sin.default(%v)
    return %s
  })");
  EXPECT_TRUE(must_share("v", "x"));
  EXPECT_FALSE(may_share("c", "x"));
  EXPECT_TRUE(must_share("i", "c") && must_share("i", "j"));
  EXPECT_TRUE(must_share("m", "c"));
  EXPECT_FALSE(may_share("s", "v"));
  EXPECT_FALSE(memory_->is_returned(node("c")));
  EXPECT_TRUE(memory_->is_returned(node("s")));
  EXPECT_TRUE(memory_->may_be_external(node("v")));
  EXPECT_FALSE(memory_->has_writes());
}

// PyTorch's tags do not distinguish a batch norm that updates its statistics from an operator that
// may return its operand.
TEST_F(MemoryTest, ABatchNormReturnsNewMemory) {
  analyze(R"(graph(%x : f32[2, 3, 8, 8], %w : f32[3, 3, 3, 3], %mean : f32[3], %var : f32[3]) {
    %conv = aten.conv2d.default(%x, %w)
    %norm = aten.batch_norm.default(%conv, None, None, %mean, %var, False, 0.1, 1e-05, False)
    %relu_ = aten.relu_.default(%norm)
    %train = aten.batch_norm.default(%conv, None, None, %mean, %var, True, 0.1, 1e-05, False)
    return (%relu_, %train)
  })");
  EXPECT_FALSE(may_share("norm", "conv") || may_share("train", "conv"));
  EXPECT_FALSE(memory_->is_written(node("conv")) || memory_->may_be_external(node("conv")));
  EXPECT_TRUE(memory_->is_written(node("mean")) && memory_->is_written(node("norm")));
  EXPECT_FALSE(memory_->is_written(node("train")));
}

TEST_F(MemoryTest, TypesDetermineWhichCallsMayCopy) {
  analyze(R"(graph(%x : f32[2, 3], %t : f32[3, 2][1, 3], %u, %s : f32[2, 3][?]) {
    %a : f32[6] = aten.reshape.default(%x, [6])
    %b : f32[6] = aten.reshape.default(%t, [6])
    %c : f32[6] = aten.reshape.default(%u, [6])
    %d : f32[6] = aten.reshape.default(%s, [6])
    %e : f32[2, 3] = aten.to.dtype(%x, torch.float32)
    %f : f32[2, 3] = aten.to.dtype(%x, torch.float32, False, True)
    %g : f32[2, 3] = aten.contiguous.default(%x)
    %h : f32[3, 2] = aten.contiguous.default(%t)
    return (%a, %b)
  })");
  EXPECT_TRUE(must_share("a", "x"));
  EXPECT_FALSE(may_share("b", "t"));
  EXPECT_TRUE(may_share("c", "u") && !must_share("c", "u"));
  EXPECT_TRUE(may_share("d", "s") && !must_share("d", "s"));
  EXPECT_TRUE(must_share("e", "x"));
  EXPECT_FALSE(may_share("f", "x"));
  EXPECT_TRUE(must_share("g", "x"));
  EXPECT_FALSE(may_share("h", "t"));
}

TEST_F(MemoryTest, ResultsOfOneCallAreSeparate) {
  analyze(R"(graph(%x) {
    %m = aten.max.dim(%x, 0)
    %i = operator.getitem(%m, 0)
    %j = operator.getitem(%m, -1)
    return %i
  })");
  EXPECT_FALSE(may_share("i", "j"));
  EXPECT_TRUE(memory_->is_returned(node("i")));
  EXPECT_FALSE(memory_->is_returned(node("j")));
}

TEST_F(MemoryTest, WritesAffectValuesThatMayShareMemory) {
  analyze(R"(graph(%x, %y) {
    %a = aten.sin.default(%x)
    %v = aten.select.int(%a, 0, 0)
    %b = aten.cos.default(%x)
    %o = aten.sin.default(%y)
    %w1 = aten.add_.Tensor(%v, 1)
    %w2 = torch.add(%b, 1, out=%o)
    %w3 = aten._foreach_add_.Scalar([%b], 1)
    return %a
  })");
  EXPECT_TRUE(memory_->is_written(node("a")));
  EXPECT_TRUE(memory_->is_written(node("o")));
  EXPECT_TRUE(memory_->is_written(node("b")));
  EXPECT_FALSE(memory_->is_written(node("x")));
  EXPECT_TRUE(memory_->is_written_between(node("a"), node("o"), node("w2")));
  EXPECT_FALSE(memory_->is_written_between(node("a"), node("w1"), node("w3")));
}

// Two inputs may share memory; an unknown function may retain its arguments and write to them.
TEST_F(MemoryTest, InputsAndUnknownFunctions) {
  analyze(R"(graph(%x, %y) {
    %a = aten.sin.default(%x)
    %w = aten.add_.Tensor(%x, 1)
    return %a
  })");
  EXPECT_TRUE(may_share("x", "y"));
  EXPECT_TRUE(memory_->is_written(node("y")));
  EXPECT_FALSE(memory_->is_written(node("a")));
  analyze(R"(graph(%x) {
    %a = aten.sin.default(%x)
    %u = user.function(%a)
    return %u
  })");
  EXPECT_TRUE(may_share("u", "a"));
  EXPECT_TRUE(may_share("u", "x"));
  EXPECT_TRUE(memory_->is_written(node("x")));
}

TEST_F(MemoryTest, PythonOperators) {
  analyze(R"(graph(%x) {
    %a = operator.mul(%x, 2)
    %i = operator.iadd(%a, 1)
    %r = torch.nn.functional.relu(%x)
    %d = torch.nn.functional.dropout(%x, 0.5, False)
    %n = call_method size(%x, 0)
    return %r
  })");
  EXPECT_FALSE(may_share("a", "x"));
  EXPECT_TRUE(may_share("i", "a"));
  EXPECT_TRUE(memory_->is_written(node("a")));
  EXPECT_FALSE(may_share("r", "x"));
  EXPECT_TRUE(must_share("d", "x"));
  EXPECT_FALSE(may_share("n", "x"));
  analyze(R"(graph(%x) {
    %a = operator.mul(%x, 2)
    %p = torch.split(%x, 1)
    %q = torch.split(%a, 1)
    %l = operator.add(%p, %q)
    %g = operator.getitem(%l, 0)
    return %g
  })");
  EXPECT_TRUE(may_share("g", "a") && may_share("g", "x")) << "the result is an item of either list";
}

// faults/62-branch-results: a caller may write to the results of a branch.
TEST_F(MemoryTest, ResultsOfABranchStaySeparate) {
  constexpr const char* kText = R"(graph(%p : b8[], %x : f32[3]) {
    graph @t(%x : f32[3]) {
      %a : f32[3] = aten.neg.default(%x)
      %b : f32[3] = aten.neg.default(%x)
      return (%a, %b)
    }
    graph @f(%x : f32[3]) {
      %a : f32[3] = aten.cos.default(%x)
      %b : f32[3] = aten.sin.default(%x)
      return (%a, %b)
    }
    %c : (f32[3], f32[3]) = higher_order.cond(%p, @t, @f, (%x,))
    %a : f32[3] = operator.getitem(%c, 0)
    %b : f32[3] = operator.getitem(%c, 1)
    %w : f32[3] = aten.add_.Tensor(%a, 1)
    return (%a, %b)
  })";
  analyze(kText);
  EXPECT_FALSE(memory_->is_written(node("x"))) << "the branches return new memory";
  EXPECT_TRUE(memory_->is_written(node("a")));
  EXPECT_THAT(eliminate_common_subexpressions(*graph_), testing::IsOkAndHolds(false));
}

// torch's while_loop returns clones of its operands, or the results of the last step.
TEST_F(MemoryTest, ResultsOfALoopShareWhatItsStepsReturn) {
  analyze(R"(graph(%u : f32[3], %v : f32[3], %w : f32[3]) {
    graph @cond_fn(%i : b8[], %a : f32[3], %b : f32[3], %c : f32[3], %d : f32[3], %w : f32[3]) {
      return %i
    }
    graph @body_fn(%i : b8[], %a : f32[3], %b : f32[3], %c : f32[3], %d : f32[3], %w : f32[3]) {
      %i2 : b8[] = aten.logical_not.default(%i)
      %new : f32[3] = aten.neg.default(%a)
      return (%i2, %b, %w, %new, %c)
    }
    %p : b8[] = aten.ones.default([], dtype=torch.bool)
    %x : f32[3] = aten.neg.default(%u)
    %y : f32[3] = aten.neg.default(%u)
    %z : f32[3] = aten.neg.default(%u)
    %loop = higher_order.while_loop(@cond_fn, @body_fn, (%p, %u, %v, %x, %y), (%w,))
    %q : b8[] = operator.getitem(%loop, 0)
    %a : f32[3] = operator.getitem(%loop, 1)
    %b : f32[3] = operator.getitem(%loop, 2)
    %c : f32[3] = operator.getitem(%loop, 3)
    %d : f32[3] = operator.getitem(%loop, 4)
    return (%q, %a, %b, %c, %d)
  })",
          {.distinct_inputs = true});
  EXPECT_TRUE(may_share("a", "v")) << "after one step";
  EXPECT_TRUE(may_share("a", "w")) << "after two steps";
  EXPECT_TRUE(may_share("b", "w"));
  EXPECT_TRUE(may_share("d", "x")) << "after one step";
  for (const char* other : {"u", "v", "w", "x", "y", "a", "b", "d"})
    EXPECT_FALSE(may_share("c", other)) << other;
  for (const char* other : {"u", "v", "w", "y", "a", "b"})
    EXPECT_FALSE(may_share("d", other)) << other;
  for (const char* other : {"p", "a", "b", "c", "d"}) EXPECT_FALSE(may_share("q", other)) << other;
}

TEST_F(MemoryTest, ResultsOfALoopMayBeOneResultOfAnEarlierStep) {
  analyze(R"(graph(%p : b8[], %u : f32[3], %v : f32[3]) {
    graph @cond_fn(%i : b8[], %a : f32[3], %b : f32[3], %c : f32[3], %d : f32[3]) {
      return %i
    }
    graph @body_fn(%i : b8[], %a : f32[3], %b : f32[3], %c : f32[3], %d : f32[3]) {
      %i2 : b8[] = aten.logical_not.default(%i)
      %new : f32[3] = aten.neg.default(%a)
      %view : f32[3] = aten.view.default(%new, [3])
      return (%i2, %new, %view, %a, %b)
    }
    %x : f32[3] = aten.neg.default(%u)
    %y : f32[3] = aten.neg.default(%u)
    %loop = higher_order.while_loop(@cond_fn, @body_fn, (%p, %u, %v, %x, %y), ())
    %a : f32[3] = operator.getitem(%loop, 1)
    %c : f32[3] = operator.getitem(%loop, 3)
    %d : f32[3] = operator.getitem(%loop, 4)
    return (%a, %c, %d)
  })",
          {.distinct_inputs = true});
  EXPECT_TRUE(may_share("c", "d")) << "both are the new memory of the previous step";
  EXPECT_FALSE(may_share("a", "c"));
}

TEST_F(MemoryTest, KnownEqualRequiresCompleteTypes) {
  const auto type = [&](const char* text) { return *context_.types().parse(text); };
  EXPECT_TRUE(known_equal(type("f32[2, 3]"), type("f32[2, 3]")));
  EXPECT_TRUE(known_equal(type("f32[2, 3]"), type("f32[2, 3]{grad}")));
  EXPECT_TRUE(known_equal(type("f32[s0]"), type("f32[s0]")));
  EXPECT_TRUE(known_equal(type("int"), type("int")));
  EXPECT_TRUE(known_equal(type("(f32[2], int)"), type("(f32[2], int)")));
  for (const char* text : {"f32[*]", "tensor[3]", "f32[2, 3][?]", "?", "(f32[2], f32[*])", "[?]"})
    EXPECT_FALSE(known_equal(type(text), type(text))) << text;
  EXPECT_FALSE(known_equal(type("f32[2, 3]"), type("f32[2, 3][1, 2]")));
  EXPECT_FALSE(known_equal(type("f32[2]"), type("f32[2]{offset=2}")));
}

// faults/33-inplace-module-dce: a layer with inplace=True writes to its argument.
TEST_F(MemoryTest, LayersThatWriteAreKept) {
  for (const auto& [layer, setting, is_kept] : {std::tuple{"activation.ReLU", true, true},
                                                {"activation.ReLU", false, false},
                                                {"activation.Hardtanh", true, true},
                                                {"activation.SiLU", true, true},
                                                {"activation.LeakyReLU", true, true},
                                                {"dropout.Dropout", true, true}}) {
    Module root;
    auto child = std::make_unique<Module>(std::string("torch.nn.modules.") + layer);
    child->set_hyperparameter("inplace", Argument(setting));
    ASSERT_THAT(root.add_submodule("act", std::move(child)), testing::IsOk());
    auto graph = parse_graph(context_, R"(graph(%x) {
      %sub = operator.sub(%x, 1)
      %act = call_module act(%sub)
      %mul = operator.mul(%sub, 2)
      return %mul
    })");
    ASSERT_THAT(graph, testing::IsOk());
    auto module = GraphModule::create(root, *std::move(graph), "M");
    ASSERT_THAT(module, testing::IsOk());
    EXPECT_THAT(eliminate_dead_code((*module)->graph()), testing::IsOkAndHolds(!is_kept)) << layer;
    EXPECT_EQ(MemoryAnalysis((*module)->graph()).is_written(*(*module)->graph().find_node("sub")),
              is_kept)
        << layer;
  }
}

// Even in evaluation mode, native_dropout returns new memory.
TEST_F(MemoryTest, RemoveDropoutKeepsSeparateMemory) {
  analyze(R"(graph(%x : f32[2]) {
    %d = aten.native_dropout.default(%x, 0.5, False)
    %y : f32[2] = operator.getitem(%d, 0)
    return %y
  })");
  ASSERT_THAT(remove_dropout(*graph_), testing::IsOkAndHolds(true));
  EXPECT_EQ(print(*graph_), R"(graph(%x : f32[2]) {
  %clone_default : f32[2] = aten.clone.default(%x)
  return %clone_default
}
)");
}

TEST_F(MemoryTest, UnavailableGraphsMayShareAndWriteAnyMemory) {
  analyze(R"(graph(%p : b8[], %x : f32[3], %y : f32[3]) {
    graph @yes(%a : f32[3]) {
      %s : f32[3] = aten.sin.default(%a)
      return (%s,)
    }
    %no = get_attr no
    %c = higher_order.cond(%p, @yes, %no, (%x,))
    %d = aten.clone.default(%y)
    return %d
  })");
  EXPECT_TRUE(may_share("c", "x") && may_share("c", "y"));
  EXPECT_TRUE(memory_->is_written(node("x")) && memory_->is_written(node("y")));
  EXPECT_FALSE(eliminate_dead_code(*graph_).value_or(true)) << "the branch may write";
}

}  // namespace
}  // namespace fx
