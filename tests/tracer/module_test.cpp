// Modules: leaf modules and traced modules, parameters, scopes, structured and concrete inputs,
// wrapped functions, control flow (parity sections 5 and 6).
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/listing.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/tracer/control_flow.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/math.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"
#include "fx/tracer/wrap.h"
#include "tests/testing/status_matchers.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace fx::module_test {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

std::string text(const Graph& graph) { return print(graph, {.meta = false}); }

struct Block : nn::Module {
  nn::Linear fc{nullptr};
  nn::Dropout drop{nullptr};
  Parameter scale;
  Block() {
    fc = register_module("fc", nn::Linear(4, 4));
    drop = register_module("drop", nn::Dropout(0.25));
    scale = register_parameter("scale", *Tensor::of<float>({4}, {1, 2, 3, 4}));
  }
  Proxy forward(Proxy x) {
    const Proxy y = drop(relu(fc(x * scale)));
    return y + x * scale;
  }
};

struct Net : nn::Module {
  nn::ModuleHolder<Block> block{nullptr};
  nn::Sequential head{nullptr};
  Net() {
    block = register_module("block", nn::ModuleHolder<Block>());
    head = register_module("head", nn::Sequential(nn::Linear(4, 2), nn::ReLU()));
  }
  Proxy forward(Proxy x) { return head(block(block(x))); }
};

class ModuleTest : public ::testing::Test {
 protected:
  Context context_;
  nn::ModuleHolder<Net> net_;
};

// parity: T1 T7 T8 T10 W15
TEST_F(ModuleTest, LayersAreLeavesAndOtherModulesAreTraced) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, net_, {"x"}));
  EXPECT_EQ(text(traced->graph()), R"(graph(%x) {
  %block_scale = get_attr block.scale
  %mul = operator.mul(%x, %block_scale)
  %block_fc = call_module block.fc(%mul)
  %relu = torch.relu(%block_fc)
  %block_drop = call_module block.drop(%relu)
  %mul_1 = operator.mul(%x, %block_scale)
  %add = operator.add(%block_drop, %mul_1)
  %mul_2 = operator.mul(%add, %block_scale)
  %block_fc_1 = call_module block.fc(%mul_2)
  %relu_1 = torch.relu(%block_fc_1)
  %block_drop_1 = call_module block.drop(%relu_1)
  %mul_3 = operator.mul(%add, %block_scale)
  %add_1 = operator.add(%block_drop_1, %mul_3)
  %head_0 = call_module head.0(%add_1)
  %head_1 = call_module head.1(%head_0)
  return %head_1
}
)");
  EXPECT_EQ(traced->class_name(), "Net");
  EXPECT_THAT(verify_status(traced->graph()), IsOk());
  // Hyperparameters are data, and the tensors are the model's tensors.
  const Module* fc = traced->find_module("block.fc");
  ASSERT_NE(fc, nullptr);
  EXPECT_EQ(fc->hyperparameter("in_features")->as_int(), 4);
  EXPECT_TRUE(fc->find_tensor("weight").is_same(net_->block->fc->find_tensor("weight")));
  EXPECT_THAT(net_->str(), HasSubstr("(fc): Linear(in_features=4, out_features=4, bias=True)"));
}

// parity: T35 D2d D4d
TEST_F(ModuleTest, LeavesHaveModesButInlinedLayersDoNot) {
  struct NoLeaves : Tracer {
    using Tracer::Tracer;
    bool is_leaf_module(const Module&, std::string_view) const override { return false; }
  };
  NoLeaves tracer(context_);
  net_->eval();
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> inlined, tracer.trace(net_, {"x"}));
  EXPECT_THAT(text(*inlined), HasSubstr("torch.dropout(%relu, 0.25, False)"));
  EXPECT_THAT(text(*inlined),
              HasSubstr("%linear = torch._C._nn.linear(%mul, %block_fc_weight, %block_fc_bias)"));
  EXPECT_TRUE(inlined->find_nodes(Opcode::kCallModule).empty());
  net_->train();
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> training, tracer.trace(net_, {"x"}));
  EXPECT_THAT(text(*training), HasSubstr("torch.dropout(%relu, 0.25, True)"));

  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, net_, {"x"}));
  EXPECT_TRUE(traced->find_module("block.drop")->training());
  net_->eval();
  EXPECT_FALSE(traced->find_module("block.drop")->training());
}

// The root is traced even if it is a leaf.
TEST_F(ModuleTest, TheRootIsTracedEvenIfItIsALeaf) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, nn::ReLU(), {"x"}));
  EXPECT_THAT(text(traced->graph()), HasSubstr("torch.relu(%x)"));
}

// parity: T12
TEST_F(ModuleTest, NodesRecordTheirModules) {
  Tracer tracer(context_);
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, tracer.trace(net_, {"x"}));
  const auto stack = [&](std::string_view name) {
    std::string keys;
    const std::optional<Argument> value = graph->find_node(name)->meta().get(meta::kModuleStack);
    for (size_t i = 0; value && i < value->size(); ++i)
      keys += std::string((*value)[i][0].as_string()) + "=" +
              std::string((*value)[i][2].as_string()) + " ";
    return keys;
  };
  EXPECT_EQ(stack("x"), "");
  EXPECT_EQ(stack("relu"), "block=Block ");
  EXPECT_EQ(stack("block_fc_1"), "block@1=Block block.fc@1=torch.nn.modules.linear.Linear ");
  EXPECT_EQ(stack("head_1"),
            "head=torch.nn.modules.container.Sequential head.1=torch.nn.modules.activation.ReLU ");
  EXPECT_EQ(graph->find_node("relu_1")->meta().get(meta::kModule), "block");
}

// parity: T9
// In the first module of torch.fx's documentation, self.linear.weight is a parameter of a leaf.
TEST_F(ModuleTest, ForwardMayReadParametersOfOtherModules) {
  struct WeightReader : nn::Module {
    nn::Linear linear{nullptr};
    WeightReader() { linear = register_module("linear", nn::Linear(4, 5)); }
    Proxy forward(Proxy x) { return linear(x + linear->weight); }
  };
  struct Failing : WeightReader {
    Proxy forward(Proxy) { throw std::runtime_error("the user's"); }
  };
  EXPECT_THROW((void)symbolic_trace(context_, nn::ModuleHolder<Failing>(), {"x"}),
               std::runtime_error);
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, nn::ModuleHolder<WeightReader>(), {"x"}));
  EXPECT_EQ(text(traced->graph()),
            "graph(%x) {\n"
            "  %linear_weight = get_attr linear.weight\n"
            "  %add = operator.add(%x, %linear_weight)\n"
            "  %linear = call_module linear(%add)\n"
            "  return %linear\n"
            "}\n");
}

TEST_F(ModuleTest, UnregisteredModulesAreErrors) {
  struct Forgetful : nn::Module {
    nn::Linear fc{2, 2};
    Proxy forward(Proxy x) { return fc(x); }
  };
  EXPECT_THAT(
      symbolic_trace(context_, nn::ModuleHolder<Forgetful>(), {"x"}),
      StatusIs(absl::StatusCode::kNotFound,
               ::testing::AllOf(HasSubstr("register_module"), HasSubstr("module_test.cpp"))));
}

// parity: T4 T5
TEST_F(ModuleTest, ASubclassMayRejectNodes) {
  struct Careful : Tracer {
    using Tracer::Tracer;
    absl::StatusOr<Node*> create_node(const NodeRequest& request) override {
      if (request.op == Opcode::kCallMethod && request.target.ends_with("_"))
        return absl::InvalidArgumentError("no in-place methods here");
      absl::StatusOr<Node*> node = Tracer::create_node(request);
      if (node.ok()) (*node)->meta().set("tag", 7);
      return node;
    }
    Proxy create_proxy(const NodeRequest& request) override {
      ++proxies;
      return Tracer::create_proxy(request);
    }
    int proxies = 0;
  };
  Careful tracer(context_);
  EXPECT_THAT(tracer.trace([](Proxy x) { return x.add_(1); }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no in-place methods here")));
  tracer.proxies = 0;
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph,
                          tracer.trace([](Proxy x) { return x.add(1); }));
  EXPECT_EQ(tracer.proxies, 3);
  for (const Node& node : graph->nodes()) EXPECT_NE(node.meta().find("tag"), nullptr);
}

// parity: T16
TEST_F(ModuleTest, ASubclassMayProvideValues) {
  struct Optimist : Tracer {
    using Tracer::Tracer;
    absl::StatusOr<bool> to_bool(const Proxy&) override { return true; }
  };
  Optimist tracer(context_);
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, tracer.trace([](Proxy x) {
    return (x.sum() > 0).to_bool() ? x.relu() : x.neg();
  }));
  EXPECT_THAT(text(*graph), HasSubstr("call_method relu("));
}

// parity: W5 W7
TEST_F(ModuleTest, ConcreteArgumentsAreGuarded) {
  const auto f = [](Proxy x, bool flag, int64_t n, const std::string& mode, double eps) {
    Proxy y = flag ? x * n : -x;
    return mode == "relu" ? relu(y) + eps : y;
  };
  TraceInputs inputs{"x", "flag", "n", "mode", "eps"};
  inputs.concrete_args = {{"flag", true}, {"n", 3}, {"mode", "relu"}, {"eps", 0.5}};
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, f, inputs));
  EXPECT_EQ(text(traced->graph()), R"(graph(%x, %flag_1) {
  %eq = operator.eq(%flag_1, True)
  %_assert = torch._assert(%eq, "flag has been specialized to have value True but got another value")
  %n_1 = placeholder
  %eq_1 = operator.eq(%n_1, 3)
  %_assert_1 = torch._assert(%eq_1, "n has been specialized to have value 3 but got another value")
  %mode_1 = placeholder
  %eq_2 = operator.eq(%mode_1, "relu")
  %_assert_2 = torch._assert(%eq_2, "mode has been specialized to have value relu but got another value")
  %eps_1 = placeholder
  %eq_3 = operator.eq(%eps_1, 0.5)
  %_assert_3 = torch._assert(%eq_3, "eps has been specialized to have value 0.5 but got another value")
  %mul = operator.mul(%x, 3)
  %relu = torch.relu(%mul)
  %add = operator.add(%relu, 0.5)
  return %add
}
)");
  // Passes the same values as example inputs.
  EXPECT_THAT(symbolic_trace(context_, f, {"x", "flag", "n", "mode", "eps"}, Proxy(), false,
                             int64_t{1}, std::string("id"), 0.0),
              IsOk());
  EXPECT_THAT(symbolic_trace(context_, f, {"x", "flag"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'flag' is not a Proxy")));
  inputs.concrete_args = {{"flags", true}};
  EXPECT_THAT(
      symbolic_trace(context_, f, inputs),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'flags', which is not an input")));
  inputs.concrete_args = {{"flag", 1}};
  EXPECT_THAT(symbolic_trace(context_, f, inputs),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("concrete value of flag is of kind int")));
}

struct Batch {
  Proxy tokens;
  std::optional<Proxy> mask;
};
auto fx_fields(Batch& b) { return std::tie(b.tokens, b.mask); }

// parity: W6 W13
TEST_F(ModuleTest, StructuresBecomeInputsAndResults) {
  const auto f = [](Proxy x, std::vector<Proxy> list, std::map<std::string, Proxy> named,
                    Batch batch) {
    std::map<std::string, std::vector<Proxy>> result;
    result["sum"] = {x + list[0] * list[1]};
    result["rest"] = {named["k"], batch.tokens, *batch.mask};
    return std::pair{result, Batch{x, std::nullopt}};
  };
  FX_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<GraphModule> traced,
      symbolic_trace(context_, f, {"x", "list", "named", "batch"}, Proxy(), std::vector<Proxy>(2),
                     std::map<std::string, Proxy>{{"k", Proxy()}}, Batch{Proxy(), Proxy()}));
  EXPECT_EQ(text(traced->graph()),
            R"(graph(%x, %list_1, %list_2, %named_1, %batch_1, %batch_2) {
  %mul = operator.mul(%list_1, %list_2)
  %add = operator.add(%x, %mul)
  return ({"rest": [%named_1, %batch_1, %batch_2], "sum": [%add]}, (%x, None))
}
)");
}

// parity: W10 W11 D4d
TEST_F(ModuleTest, InputsHaveDefaultsAndTypes) {
  TraceInputs inputs{"x", "y"};
  inputs.defaults = {{"y", 2.5}};
  inputs.types = {{"x", *context_.types().parse("f32[2, 3]")}};
  Tracer tracer(context_);
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph,
                          tracer.trace([](Proxy x, Proxy y) { return x + y; }, inputs));
  EXPECT_THAT(text(*graph), HasSubstr("%y = 2.5"));
  EXPECT_EQ(to_string(graph->find_node("x")->type()), "f32[2, 3]");
  inputs.defaults = {{"w", 1}};
  EXPECT_THAT(
      tracer.trace([](Proxy x, Proxy y) { return x + y; }, inputs),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'w', which is not an input")));
}

template <class T>
T generic(T x, T y) {
  return relu(x) + y;
}
Proxy plain(const Proxy& x) { return -x; }

// parity: T1
TEST_F(ModuleTest, FunctionsAndGenericLambdasAreTraced) {
  EXPECT_THAT(symbolic_trace(context_, generic<Proxy>, {"x", "y"}), IsOk());
  EXPECT_THAT(symbolic_trace(context_, plain), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, [](auto a, auto b) { return a * b; }));
  EXPECT_EQ(text(traced->graph()), R"(graph(%arg0, %arg1) {
  %mul = operator.mul(%arg0, %arg1)
  return %mul
}
)");
  EXPECT_THAT(symbolic_trace(context_, plain, {"x", "y"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("2 input names")));
}

// parity: W1
TEST_F(ModuleTest, WrappedFunctionsAreNotTraced) {
  const auto twice = wrap("my_lib.twice", [](double x) { return 2 * x; });
  EXPECT_EQ(twice(1.5), 3.0);
  FX_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<GraphModule> traced,
      symbolic_trace(context_, [&](Proxy x) { return twice(x) + twice(2.0); }, {"x"}));
  EXPECT_EQ(text(traced->graph()), R"(graph(%x) {
  %twice = my_lib.twice(%x)
  %add = operator.add(%twice, 4.0)
  return %add
}
)");
  EXPECT_NE(traced->graph().find_node("twice")->meta().find(kIsWrappedKey), nullptr);
}

// parity: W2
TEST_F(ModuleTest, NamedFunctionsAreLeavesOfTracersThatListThem) {
  const auto scale = named_function("my_lib.scale", [](auto x, double by) { return x * by; });
  EXPECT_EQ(scale(1.5, 2.0), 3.0);
  const auto f = [&](Proxy x) { return scale(x + 1, scale(2.0, 3.0)); };
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, f, {"x"}));
  EXPECT_EQ(text(traced->graph()), R"(graph(%x) {
  %add = operator.add(%x, 1)
  %mul = operator.mul(%add, 6.0)
  return %mul
}
)");
  Tracer tracer(context_, {.autowrap_functions = {"my_lib.other", "my_lib.scale"}});
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> inlined, tracer.trace(f, {"x"}));
  EXPECT_EQ(text(*inlined), R"(graph(%x) {
  %add = operator.add(%x, 1)
  %scale = my_lib.scale(%add, 6.0)
  return %scale
}
)");
  EXPECT_NE(inlined->find_node("scale")->meta().find(kIsWrappedKey), nullptr);
}

// parity: T27 T34
TEST_F(ModuleTest, DataDependentControlFlowIsExplicit) {
  FX_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<GraphModule> traced,
      symbolic_trace(
          context_,
          [](Proxy x, Proxy n) {
            const Proxy y =
                cond(sum(x) > 0, [](Proxy a) { return relu(a); }, [](Proxy a) { return -a; }, {x});
            const Proxy loop =
                while_loop([](Proxy i, Proxy) { return i < 10; },
                           [](Proxy i, Proxy s) { return std::tuple{i + 1, s * 2}; }, {n, y});
            const Proxy folded =
                scan([](Proxy carry, Proxy row) { return std::tuple{carry + row, carry * row}; },
                     {y}, {x});
            return std::tuple{loop[1], folded[0]};
          },
          {"x", "n"}));
  EXPECT_EQ(text(traced->graph()), R"(graph(%x, %n) {
  graph @true_graph_0(%arg0) {
    %relu = torch.relu(%arg0)
    return %relu
  }
  graph @false_graph_0(%arg0) {
    %neg = operator.neg(%arg0)
    return %neg
  }
  graph @while_loop_cond_graph_0(%arg0, %arg1) {
    %lt = operator.lt(%arg0, 10)
    return %lt
  }
  graph @while_loop_body_graph_0(%arg0, %arg1) {
    %add = operator.add(%arg0, 1)
    %mul = operator.mul(%arg1, 2)
    return (%add, %mul)
  }
  graph @scan_combine_graph_0(%arg0, %arg1) {
    %add = operator.add(%arg0, %arg1)
    %mul = operator.mul(%arg0, %arg1)
    return (%add, %mul)
  }
  %sum_1 = torch.sum(%x)
  %gt = operator.gt(%sum_1, 0)
  %true_graph_0 = get_attr true_graph_0
  %false_graph_0 = get_attr false_graph_0
  %cond = higher_order.cond(%gt, %true_graph_0, %false_graph_0, [%x])
  %while_loop_cond_graph_0 = get_attr while_loop_cond_graph_0
  %while_loop_body_graph_0 = get_attr while_loop_body_graph_0
  %while_loop = higher_order.while_loop(%while_loop_cond_graph_0, %while_loop_body_graph_0, [%n, %cond], ())
  %scan_combine_graph_0 = get_attr scan_combine_graph_0
  %scan = higher_order.scan(%scan_combine_graph_0, [%cond], [%x], ())
  %getitem = operator.getitem(%while_loop, 1)
  %getitem_1 = operator.getitem(%scan, 0)
  return (%getitem, %getitem_1)
}
)");
  EXPECT_THAT(verify_status(traced->graph()), IsOk());
  // Values that a branch uses must be operands, and the function must match the operands.
  EXPECT_THAT(symbolic_trace(
                  context_,
                  [](Proxy x) {
                    return cond(x, [&](Proxy a) { return a + x; }, [](Proxy a) { return a; }, {x});
                  }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("in true_graph")));
  EXPECT_THAT(
      symbolic_trace(context_,
                     [](Proxy x) {
                       return cond(
                           x, [](Proxy a, Proxy) { return a; }, [](Proxy a) { return a; }, {x});
                     }),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("the function has 2 parameters")));
}

// parity: T15
TEST_F(ModuleTest, AssertionsAreRecorded) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, [](Proxy x) {
                            assert_that(sum(x) > 0, "must be positive");
                            return x;
                          }));
  EXPECT_THAT(text(traced->graph()), HasSubstr("torch._assert(%gt, \"must be positive\")"));
  // The call is not dead code, because it may terminate the run.
  EXPECT_FALSE(effects(*traced->graph().find_node("_assert")).is_pure());
}

// parity: W12
TEST_F(ModuleTest, ValuesAreAnnotatedOnce) {
  const Type a = *context_.types().parse("f32[2]"), b = *context_.types().parse("f32[3]");
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, [&](Proxy x) { return annotate(relu(x), a); }));
  EXPECT_EQ(traced->graph().find_node("relu")->type(), a);
  EXPECT_THAT(symbolic_trace(context_, [&](Proxy x) { return annotate(annotate(x, a), b); }),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("annotated as f32[3]")));
}

struct Interval {
  Proxy low;
  double high;
};
AnyArg fx_create_arg(const Interval& i) {
  return AnyArg(call_function("my_lib.interval", {i.low, i.high}));
}

// parity: T6
TEST_F(ModuleTest, CustomTypesConvertToArguments) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_,
                                         [](Proxy x) {
                                           return call_function(
                                               "my_lib.f", {Interval{x, 2.0}, {x, {1, "text"}}},
                                               {{"key", AnyArg::dict({{"a", x}})}});
                                         },
                                         {"x"}));
  EXPECT_EQ(text(traced->graph()), R"(graph(%x) {
  %interval = my_lib.interval(%x, 2.0)
  %f = my_lib.f(%interval, [%x, [1, "text"]], key={"a": %x})
  return %f
}
)");
}

// parity: T3
TEST_F(ModuleTest, ShapesOfParametersAreKnown) {
  struct Scaled : nn::Module {
    Parameter weight = register_parameter("weight", *Tensor::zeros(DType::kFloat32, {3, 2}));
    Proxy forward(Proxy x) {
      for (int64_t i = 0; i < weight.tensor().sizes()[0]; ++i) x = x * weight;
      return math::sqrt(x.size(0)) * math::sqrt(4.0) + math::floor(x.size(1) / 2);
    }
  };
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, nn::ModuleHolder<Scaled>(), {"x"}));
  EXPECT_EQ(traced->graph().find_nodes(context_.function("operator.mul")).size(), 4u);
  EXPECT_THAT(text(traced->graph()), HasSubstr("%sqrt = math.sqrt(%size"));
  EXPECT_THAT(text(traced->graph()), HasSubstr("operator.mul(%sqrt, 2.0)"));
  EXPECT_THAT(text(traced->graph()), HasSubstr("math.floor(%truediv)"));
}

// parity: W9
TEST_F(ModuleTest, VariadicParametersAreInputs) {
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> traced,
                          symbolic_trace(context_, [](Proxy a, Proxy k) { return a[0] + k["b"]; },
                                         {"*args", "**kwargs"}));
  EXPECT_EQ(traced->graph().front()->target(), "*args");
  EXPECT_EQ(traced->graph().front()->name(), "_args");  // as in torch.fx
  EXPECT_THAT(verify_status(traced->graph()), IsOk());
}

// parity: T33
TEST_F(ModuleTest, TracersWorkOnSeveralThreads) {
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string& result : texts) {
    threads.emplace_back([&result, this] {
      nn::ModuleHolder<Net> net;
      for (int i = 0; i < 20; ++i) {
        const auto traced = symbolic_trace(context_, net, {"x"});
        result = traced.ok() ? text((*traced)->graph()) : traced.status().ToString();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto single_threaded = symbolic_trace(context_, net_, {"x"});
  ASSERT_THAT(single_threaded, IsOk());
  for (const std::string& result : texts) EXPECT_EQ(result, text((*single_threaded)->graph()));
}

}  // namespace
}  // namespace fx::module_test
