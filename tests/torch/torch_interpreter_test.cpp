// The interpreter on libtorch's values: its results for each kind of node are compared with direct
// calls to ATen and with TorchEvaluator.
#include "fx/interp/torch/interpret/torch_interpreter.h"

#include "examples/08_autodiff/vjp.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/shape_prop.h"
#include "fx/interp/torch/interpret/torch_profiler.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "tests/testing/status_matchers.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/library.h>

#include <memory>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::StatusIs;
using enum absl::StatusCode;

class TorchInterpreterTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    EXPECT_THAT(graph, IsOk());
    return graph.ok() ? *std::move(graph) : nullptr;
  }
  c10::IValue run(std::string_view text, std::vector<c10::IValue> inputs,
                  const TorchConstants& constants = {}) {
    const std::unique_ptr<Graph> graph = parse(text);
    if (!graph) return {};
    absl::StatusOr<c10::IValue> value = TorchInterpreter(*graph, constants).run(std::move(inputs));
    EXPECT_THAT(value, IsOk()) << text;
    return value.ok() ? *std::move(value) : c10::IValue();
  }
  static void expect_equal(const c10::IValue& got, const at::Tensor& expected) {
    ASSERT_TRUE(got.isTensor()) << got.tagKind();
    const TensorDifference difference = compare_tensors(got.toTensor(), expected);
    EXPECT_TRUE(difference.bit_equal) << to_string(difference);
  }
  Context context_;
};

// Python's functions may have other parameters than the operator with their name.
TEST_F(TorchInterpreterTest, PythonParametersOfFunctions) {
  const at::Tensor x = at::rand({2, 3}).log(), y = at::rand({2, 3});
  const at::Tensor image = at::randn({1, 2, 4, 4}), indices = at::arange(8).view({1, 2, 2, 2});
  const auto result = [&](std::string_view call, std::vector<at::Tensor> inputs) {
    return run(fmt::format("graph(%x, %y) {{\n  %r = {}\n  return %r\n}}", call),
               {inputs[0], inputs[1]});
  };
  const at::Tensor sum = at::kl_div(x, y, at::Reduction::Sum);
  const std::string kl_div = "torch.nn.functional.kl_div(%x, %y";
  expect_equal(result(kl_div + ", False)", {x, y}), sum);
  expect_equal(result(kl_div + ", 2)", {x, y}), at::kl_div(x, y));
  expect_equal(result(kl_div + ", reduce=False)", {x, y}), at::kl_div(x, y, at::Reduction::None));
  expect_equal(result(kl_div + ", reduction=\"batchmean\")", {x, y}), sum.div(at::Scalar(2)));
  expect_equal(result(kl_div + ", True, None, \"sum\", True)", {x, y}),
               at::kl_div(x, y, at::Reduction::Mean, true));
  expect_equal(result("torch.nn.functional.smooth_l1_loss(%x, %y, False)", {x, y}),
               at::smooth_l1_loss(x, y, at::Reduction::Sum));
  expect_equal(result("torch.einsum(%x, [0, 1], %y, [0, 2], [1, 2])", {x, y}),
               at::einsum("ab,ac->bc", {x, y}));
  expect_equal(result("torch.nn.functional.avg_pool2d(%x, 2, None, 1)", {image, y}),
               at::avg_pool2d(image, {2, 2}, {}, {1, 1}));
  // torch pads the input.
  const at::Tensor spectrum = at::stft(x, 4, 2, 4, {}, true, "reflect", false, true, true);
  for (const std::string_view call : {"torch.stft(%x, 4, 2, return_complex=True)",
                                      "call_method stft(%x, 4, 2, return_complex=True)"})
    expect_equal(result(call, {x, y}), spectrum);
  // `n += x` returns a new value if n is a number.
  expect_equal(result("operator.isub(3, %x)", {x, y}), at::rsub(x, 3));
  expect_equal(result("operator.ipow(2, %y)", {x, y}), at::pow(2, y));
  for (const std::string_view call :
       {"torch.nn.functional.max_unpool2d(%x, %y, 2)", "torch.nn.functional.dropout1d(%x)",
        "torch.nn.functional.adaptive_max_pool2d(%x, 2)", "torch.unique_consecutive(%y)"}) {
    const std::unique_ptr<Graph> graph =
        parse(fmt::format("graph(%x, %y) {{\n  %r = {}\n  return %r\n}}", call));
    EXPECT_THAT(TorchInterpreter(*graph, {}).run({image.slice(2, 0, 2).slice(3, 0, 2), indices}),
                StatusIs(kUnimplemented, HasSubstr("cannot be expressed as one operator")))
        << call;
  }
}

TEST_F(TorchInterpreterTest, FunctionsMethodsAndPythonOperators) {
  const at::Tensor x = at::randn({2, 3}), y = at::randn({3, 2});
  expect_equal(run("graph(%x, %y) {\n  %m = torch.matmul(%x, other=%y)\n  %r = torch.relu(%m)\n"
                   "  return %r\n}",
                   {x, y}),
               at::relu(at::matmul(x, y)));
  // A number is passed as a Scalar if such an overload exists, otherwise as a tensor; an int is
  // repeated where a list is expected.
  expect_equal(run("graph(%x) {\n  %a = operator.add(%x, 2)\n  %m = operator.mul(3, %a)\n"
                   "  %p = operator.pow(2, %m)\n  %d = operator.truediv(%p, %x)\n"
                   "  %s = operator.sub(1.5, %d)\n  return %s\n}",
                   {x}),
               at::sub(at::scalar_tensor(1.5), at::pow(2, 3 * (x + 2)) / x));
  expect_equal(run("graph(%x) {\n  %v = call_method view(%x, 3, -1)\n"
                   "  %p = call_method permute(%v, (1, 0))\n"
                   "  %t = call_method to(%p, torch.float64)\n"
                   "  %s = call_method sum(%t, 1, keepdim=True)\n  return %s\n}",
                   {x}),
               x.view({3, -1}).permute({1, 0}).to(at::kDouble).sum(1, true));
  expect_equal(run("graph(%x) {\n  %c = torch.cat([%x, %x], dim=1)\n"
                   "  %g = torch.nn.functional.gelu(%c)\n  %i = operator.getitem(%g, 1)\n"
                   "  return %i\n}",
                   {x}),
               at::gelu(at::cat({x, x}, 1))[1]);
}

// The gradients of examples/08_autodiff must equal those of libtorch's autograd.
TEST_F(TorchInterpreterTest, GradientsOfTheDifferentiationExample) {
  struct Function {
    std::string_view text;
    at::Tensor (*in_libtorch)(const std::vector<at::Tensor>& inputs);
  };
  const std::vector<Function> functions = {
      {"graph(%x) {\n  %sin = torch.sin(%x)\n  %add = operator.add(%sin, %x)\n  return %add\n}",
       [](const std::vector<at::Tensor>& in) { return at::sin(in[0]) + in[0]; }},
      {R"(graph(%x, %y, %unused) {
         %a = operator.mul(%x, %y)
         %b = torch.sin(%a)
         %c = torch.exp(%b)
         %d = operator.mul(%c, %c)
         %e = operator.add(%d, %x)
         %f = operator.mul(%e, 0.5)
         %dead = torch.exp(%f)
         %g = operator.mul(%f, %b)
         return %g
       })",
       [](const std::vector<at::Tensor>& in) {
         const at::Tensor b = at::sin(in[0] * in[1]), c = at::exp(b);
         return (c * c + in[0]) * 0.5 * b;
       }}};
  for (const Function& function : functions) {
    const std::unique_ptr<Graph> f = parse(function.text);
    FX_ASSERT_OK_AND_ASSIGN(const auto vjp, autodiff::vjp(*f, autodiff::standard_rules()));
    std::vector<at::Tensor> leaves;
    std::vector<c10::IValue> inputs;
    for (size_t i = 0; i < f->find_nodes(Opcode::kPlaceholder).size(); ++i) {
      inputs.emplace_back(at::randn({3, 4}, at::kDouble));
      leaves.push_back(inputs.back().toTensor().clone().set_requires_grad(true));
    }
    const at::Tensor value = function.in_libtorch(leaves), dret = at::randn({3, 4}, at::kDouble);
    const std::vector<at::Tensor> expected = torch::autograd::grad(
        {value}, leaves, {dret}, std::nullopt, /*create_graph=*/false, /*allow_unused=*/true);
    inputs.emplace_back(dret);
    FX_ASSERT_OK_AND_ASSIGN(const c10::IValue got, TorchInterpreter(*vjp).run(inputs));
    expect_equal(items_of(got)[0], value.detach());
    const c10::ArrayRef<c10::IValue> gradients = items_of(items_of(got)[1]);
    ASSERT_EQ(gradients.size(), leaves.size());
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (expected[i].defined())
        EXPECT_TRUE(at::allclose(gradients[i].toTensor(), expected[i], 1e-12, 1e-12)) << i;
      else
        EXPECT_EQ(gradients[i].toDouble(), 0.0) << i;
    }
  }
}

TEST_F(TorchInterpreterTest, SizesAreNumbers) {
  const at::Tensor x = at::randn({4, 6});
  const c10::IValue got = run(R"(graph(%x) {
    %n = aten.sym_size.int(%x, 0)
    %m = call_method size(%x, 1)
    %half = operator.floordiv(%m, 2)
    %sum = operator.add(%n, %half)
    %big = operator.gt(%sum, 6)
    %v = aten.view.default(%x, [%half, 2, %n])
    return (%v, %sum, %big)
  })",
                              {x});
  ASSERT_EQ(items_of(got).size(), 3u);
  EXPECT_EQ(items_of(got)[0].toTensor().sizes(), at::IntArrayRef({3, 2, 4}));
  EXPECT_EQ(items_of(got)[1].toInt(), 7);
  EXPECT_TRUE(items_of(got)[2].toBool());
}

TEST_F(TorchInterpreterTest, ControlFlow) {
  constexpr std::string_view kCond = R"(graph(%p, %x) {
    graph @yes(%a) {
      %s = aten.sin.default(%a)
      return (%s,)
    }
    graph @no(%a) {
      %w = get_attr w
      %c = aten.mul.Tensor(%a, %w)
      return (%c,)
    }
    %cond = higher_order.cond(%p, @yes, @no, (%x,))
    %r = operator.getitem(%cond, 0)
    return %r
  })";
  const at::Tensor x = at::randn({3});
  const TorchConstants constants = {{"no.w", at::full({}, 2.0)}};
  expect_equal(run(kCond, {at::ones({}, at::kBool), x}, constants), at::sin(x));
  expect_equal(run(kCond, {false, x}, constants), x * 2.0);
  expect_equal(run(R"(graph(%n, %x) {
    graph @test(%i, %a) {
      %g = aten.gt.Scalar(%i, 0)
      return %g
    }
    graph @body(%i, %a) {
      %j = aten.sub.Scalar(%i, 1)
      %b = aten.mul.Tensor(%a, 2)
      return (%j, %b)
    }
    %while_loop = higher_order.while_loop(@test, @body, (%n, %x), ())
    %r = operator.getitem(%while_loop, 1)
    return %r
  })",
                   {at::scalar_tensor(5, at::kLong), x}),
               x * 32);
  const at::Tensor xs = at::randn({4, 3});
  const c10::IValue sums = run(R"(graph(%x, %xs) {
    graph @step(%a, %b) {
      %c = aten.add.Tensor(%a, %b)
      %d = aten.mul.Tensor(%c, 2)
      return [%c, %d]
    }
    %scan = higher_order.scan(@step, [%x], [%xs], ())
    return %scan
  })",
                               {at::zeros({3}), xs});
  ASSERT_EQ(items_of(sums).size(), 2u);
  EXPECT_TRUE(at::allclose(items_of(sums)[0].toTensor(), xs.sum(0)));
  EXPECT_TRUE(at::allclose(items_of(sums)[1].toTensor(), xs.cumsum(0) * 2));
}

TEST_F(TorchInterpreterTest, MapsAndAssociativeScans) {
  const at::Tensor xs = at::randn({4, 3}), y = at::randn({3});
  const c10::IValue mapped = run(R"(graph(%xs, %y) {
    graph @body(%a, %b) {
      %c = aten.mul.Tensor(%a, %b)
      %d = aten.sum.default(%c)
      return (%c, %d)
    }
    %map = higher_order.map_impl(@body, [%xs], [%y])
    return %map
  })",
                                 {xs, y});
  ASSERT_EQ(items_of(mapped).size(), 2u);
  expect_equal(items_of(mapped)[0], xs * y);
  EXPECT_TRUE(at::allclose(items_of(mapped)[1].toTensor(), (xs * y).sum(1)));
  constexpr std::string_view kScan = R"(graph(%xs) {
    graph @add(%a, %b) {
      %c = aten.add.Tensor(%a, %b)
      return [%c]
    }
    %scan = higher_order.associative_scan(@add, [%xs], [])
    %r = operator.getitem(%scan, 0)
    return %r
  })";
  for (const int64_t rows : {1, 2, 3, 4, 7, 16}) {
    const at::Tensor numbers = at::arange(3 * rows, at::kDouble).view({rows, 3});
    expect_equal(run(kScan, {numbers}), numbers.cumsum(0));
  }
  const std::unique_ptr<Graph> scan = parse(kScan);
  EXPECT_THAT(TorchInterpreter(*scan).run({at::zeros({0, 3})}),
              StatusIs(kInvalidArgument, HasSubstr("requires at least one step")));
}

// torch.export records a call to vmap as these functions.
TEST_F(TorchInterpreterTest, VmapAsFunctions) {
  const at::Tensor x = at::randn({4, 3}), y = at::randn({3, 4});
  constexpr std::string_view kText = R"(graph(%x, %y) {
    %load = torch._functorch.predispatch.lazy_load_decompositions()
    %open = torch._functorch.predispatch._vmap_increment_nesting(4, "error")
    %a = torch._functorch.predispatch._add_batch_dim(%x, 0, 1)
    %b = torch._functorch.predispatch._add_batch_dim(%y, 1, 1)
    %c = aten.dot.default(%a, %b)
    %d = torch._functorch.predispatch._remove_batch_dim(%c, 1, 4, 0)
    %close = torch._functorch.predispatch._vmap_decrement_nesting()
    return %d
  })";
  const c10::IValue result = run(kText, {x, y});
  ASSERT_TRUE(result.isTensor());
  EXPECT_TRUE(at::allclose(result.toTensor(), (x * y.t()).sum(1)));
  // If a call inside fails, the level is closed: later calls are not batched.
  const std::unique_ptr<Graph> graph = parse(kText);
  EXPECT_FALSE(TorchInterpreter(*graph).run({x, at::randn({2, 4})}).ok());
  expect_equal(run("graph(%x) {\n  %y = aten.neg.default(%x)\n  return %y\n}", {x}), -x);
  const std::unique_ptr<Graph> open = parse(R"(graph(%x) {
    %open = torch._functorch.predispatch._vmap_increment_nesting(4, "error")
    return %x
  })");
  EXPECT_THAT(TorchInterpreter(*open).run({x}),
              StatusIs(kInvalidArgument, HasSubstr("no later call in the graph closes")));
}

// The wrapper runs an operator on copies of the arguments that it writes to, and returns the copies
// after the operator's results.
TEST_F(TorchInterpreterTest, AutoFunctionalizedOperators) {
  torch::Library library(torch::Library::FRAGMENT, "fx_test_lib", std::nullopt, __FILE__, __LINE__);
  library.def("scale_(Tensor(a!) x, float by) -> ()");
  library.impl("scale_", c10::DispatchKey::CompositeExplicitAutograd,
               [](at::Tensor x, double by) { x.mul_(by); });
  const at::Tensor x = at::ones({3, 2});
  for (const std::string_view arguments :
       {"x=%x, by=2.0)", "by=2.0, _x_base_index=0, _all_bases=[%x])",
        "by=2.0, _x_base_index=0, _x_alias=True, _all_bases=[%x])",
        "by=2.0, _x_base_index=0, _x_slice_dim=0, _x_slice_start=0, _x_slice_end=3, "
        "_all_bases=[%x])",
        "by=2.0, _x_base_index=0, _x_size=[3, 2], _x_stride=[2, 1], _x_storage_offset=0, "
        "_all_bases=[%x])"}) {
    const std::string version = arguments.starts_with("x=") ? "" : "_v2";
    expect_equal(run("graph(%x) {\n  %f = higher_order.auto_functionalized" + version +
                         "(op(fx_test_lib.scale_.default), " + std::string(arguments) +
                         "\n  %y = operator.getitem(%f, 1)\n  return %y\n}",
                     {x}),
                 x * 2);
    expect_equal(x, at::ones({3, 2}));
  }
}

TEST_F(TorchInterpreterTest, LoopsThatDoNotRunReturnCopies) {
  const at::Tensor x = at::ones({3});
  const c10::IValue y = run(R"(graph(%x) {
    graph @test(%a) { return False }
    graph @body(%a) { return (%a,) }
    %while_loop = higher_order.while_loop(@test, @body, (%x,), ())
    %r = operator.getitem(%while_loop, 0)
    return %r
  })",
                            {x});
  expect_equal(y, x);
  EXPECT_FALSE(y.toTensor().is_alias_of(x));
}

// normalize_args{only_kwargs} writes graphs in this form.
TEST_F(TorchInterpreterTest, ControlFlowAndNumbersByKeyword) {
  const at::Tensor x = at::randn({3});
  expect_equal(run(R"(graph(%n, %x) {
    graph @test(%i, %a) {
      %g = aten.gt.Scalar(%i, 0)
      return %g
    }
    graph @body(%i, %a) {
      %j = aten.sub.Scalar(%i, 1)
      %b = aten.mul.Tensor(%a, 2)
      return (%j, %b)
    }
    %test = get_attr test
    %while_loop = higher_order.while_loop(%test, body_fn=@body, additional_inputs=(), carried_inputs=(%n, %x))
    %r = operator.getitem(%while_loop, 1)
    return %r
  })",
                   {at::scalar_tensor(3, at::kLong), x}),
               x * 8);
  EXPECT_EQ(run("graph(%n) { %f = torch.sym_float(a=%n) return %f }", {7}).toDouble(), 7.0);
}

TEST_F(TorchInterpreterTest, TensorsOfModules) {
  Module root;
  const at::Tensor w = at::randn({3});
  ASSERT_THAT(root.register_parameter("w", from_torch(w)), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(
      const auto module,
      GraphModule::create(root, parse("graph(%x) {\n  %w = get_attr w\n"
                                      "  %y = torch.mul(%x, %w)\n  return %y\n}")));
  FX_ASSERT_OK_AND_ASSIGN(const c10::IValue y, TorchInterpreter(*module).run({at::ones({3})}));
  expect_equal(y, w);
  FX_ASSERT_OK_AND_ASSIGN(const c10::IValue z,
                          TorchInterpreter(*module, AutogradUse::kRecord).run({at::ones({3})}));
  EXPECT_TRUE(z.toTensor().requires_grad());
}

// parity: M13 I9
TEST_F(TorchInterpreterTest, ErrorsContainTheTypesInTheRun) {
  const auto graph = parse(R"(graph(%x : f32[1, 1], %y) {
    %cat = aten.cat.default([%x, %y], 1)
    %mm = aten.mm.default(%cat, %cat) !{stack_trace="  File \"net.py\", line 3, in f\n    x @ x\n"}
    return %mm
  })");
  const at::Tensor x = at::ones({2, 3});
  EXPECT_THAT(TorchInterpreter(*graph).run({x, x}),
              StatusIs(kInvalidArgument,
                       AllOf(HasSubstr("node mm (aten.mm.default, net.py:3): mat1 and mat2 shapes"),
                             HasSubstr("\n  mm = aten.mm.default(cat: f32[2, 6], cat: f32[2, 6])\n"
                                       "    File \"net.py\", line 3, in f\n      x @ x"))));
  EXPECT_THAT(
      TorchInterpreter(*graph).run({x, at::ones({4, 3})}),
      StatusIs(kInvalidArgument, HasSubstr("cat = aten.cat.default(x: f32[2, 3], y: f32[4, 3])")));
  // The evaluator returns the same error with the values on its stack.
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator, TorchEvaluator::create(*graph));
  EXPECT_THAT(evaluator.run({x, x}),
              StatusIs(kInvalidArgument,
                       AllOf(HasSubstr("node mm (aten.mm.default, net.py:3): mat1 and mat2 shapes"),
                             HasSubstr("aten.mm.default(self: f32[2, 6], mat2: f32[2, 6])"),
                             HasSubstr("in f\n      x @ x"))));
}

TEST_F(TorchInterpreterTest, UnsupportedCallsAreErrors) {
  const auto expect_error = [&](std::string_view call, absl::StatusCode code,
                                std::string_view text) {
    const auto graph = parse("graph(%x) {\n  %r = " + std::string(call) + "\n  return %r\n}");
    EXPECT_THAT(TorchInterpreter(*graph).run({at::ones({2})}),
                StatusIs(code, HasSubstr(std::string(text))))
        << call;
  };
  expect_error("torch.no_such(%x)", kNotFound, "does not have the operator aten.no_such;");
  expect_error("aten.no_such.default(%x)", kNotFound,
               "does not have the operator aten.no_such.default");
  expect_error("user.function(%x)", kUnimplemented, "user.function");
  expect_error("torch.mm(%x)", kInvalidArgument, "mat2");
  expect_error("torch.add(%x, \"text\")", kInvalidArgument, "overloads of aten.add");
  expect_error("call_method no_such(%x)", kNotFound, "aten.no_such");
  expect_error("call_module layer(%x)", kNotFound, "no module");
  expect_error("get_attr w", kNotFound, "missing constant \"w\"");
  expect_error("operator.floordiv(3, 0)", kInvalidArgument, "division by zero");
  expect_error("operator.getitem([%x], 1)", kOutOfRange, "item 1 is out of range for 1 item");
  expect_error("operator.getitem(%x, \"row\")", kInvalidArgument,
               "cannot be used to index a tensor");
}

// ---- complete models

struct Model {
  std::unique_ptr<Graph> graph;
  TorchConstants constants;
  std::vector<at::Tensor> inputs;
};

Model joint_model(Context& context, std::string_view name) {
  const ModelInstance model = testing::make(name);
  absl::StatusOr<CapturedGraph> joint =
      capture_joint(context, model.state, model.inputs, model.loss);
  EXPECT_THAT(joint, IsOk());
  if (!joint.ok()) return {};
  std::vector<at::Tensor> inputs = clone_inputs(*joint);
  return {std::move(joint->graph), std::move(joint->constants), std::move(inputs)};
}

class TorchInterpreterZoo : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Zoo, TorchInterpreterZoo, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const ModelEntry& entry : zoo_models()) names.push_back(entry.name);
                           return names;
                         }()),
                         [](const auto& test) { return test.param; });

std::vector<c10::IValue> copies(const std::vector<at::Tensor>& tensors) {
  std::vector<c10::IValue> values;
  for (const at::Tensor& tensor : tensors) values.emplace_back(tensor.detach().clone());
  return values;
}

// parity: I1 I12
TEST_P(TorchInterpreterZoo, JointGraphsReturnTheResultsOfTheEvaluator) {
  Context context;
  const Model model = joint_model(context, GetParam());
  ASSERT_NE(model.graph, nullptr);
  FX_ASSERT_OK_AND_ASSIGN(TorchEvaluator evaluator,
                          TorchEvaluator::create(*model.graph, model.constants));
  testing::seed_torch(7);
  FX_ASSERT_OK_AND_ASSIGN(const auto expected, evaluator.run(copies(model.inputs)));
  testing::seed_torch(7);
  TorchProfiler profiler(*model.graph, model.constants);
  FX_ASSERT_OK_AND_ASSIGN(const c10::IValue result, profiler.run(copies(model.inputs)));
  const c10::ArrayRef<c10::IValue> got = items_of(result);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (!expected[i].isTensor()) continue;
    EXPECT_TRUE(compare_tensors(got[i].toTensor(), expected[i].toTensor()).bit_equal) << i;
  }
  // The profile contains each node once, times with the correct total, and allocated memory.
  const Profile& profile = profiler.profile();
  EXPECT_EQ(profile.events.size(), model.graph->size());
  int64_t total = 0, bytes = 0;
  for (const ProfileRow& row : profile.rows(ProfileGroup::kTarget)) total += row.self_ns;
  for (const ProfileRow& row : profile.rows(ProfileGroup::kModule)) bytes += row.bytes;
  EXPECT_EQ(total, profile.total_ns());
  EXPECT_GT(bytes, 0);
}

// parity: P1
TEST_P(TorchInterpreterZoo, ConcreteTypesEqualRecordedTypes) {
  Context context;
  const ModelInstance instance = testing::make(GetParam());
  Model model = joint_model(context, GetParam());
  ASSERT_NE(model.graph, nullptr);
  FX_ASSERT_OK_AND_ASSIGN(
      CapturedGraph forward,
      capture(context, instance.state, instance.forward_inputs(), instance.forward));
  const auto check = [](const Graph& graph, const TorchConstants& constants,
                        const std::vector<at::Tensor>& inputs) {
    const std::unique_ptr<Graph> typed = graph.clone();
    for (Node& node : typed->nodes())
      if (node.op() == Opcode::kCallFunction) node.set_type(Type());
    ASSERT_THAT(propagate_concrete_types(*typed, copies(inputs), constants), IsOk());
    const GraphComparison comparison = compare_graph_types(graph, *typed, {});
    EXPECT_GT(comparison.compared, 3u);
    for (const TypeDifference& d : comparison.different) {
      ADD_FAILURE() << d.node->name() << ": " << to_string(d.expected) << " against "
                    << to_string(d.got);
    }
  };
  check(*model.graph, model.constants, model.inputs);
  check(*forward.graph, forward.constants, clone_inputs(forward));
}

TEST_F(TorchInterpreterTest, ConcreteTypesOfOneFailingNode) {
  const auto graph = parse(R"(graph(%x) {
    %a = aten.relu.default(%x)
    %top = aten.topk.default(%a, 1)
    %split = aten.split.Tensor(%a, 1)
    %mm = aten.mm.default(%a, %a)
    %b = aten.relu.default(%mm)
    return %b
  })");
  EXPECT_THAT(propagate_concrete_types(*graph, {at::ones({2, 3})}),
              StatusIs(kInvalidArgument, HasSubstr("node mm")));
  EXPECT_EQ(to_string(graph->find_node("x")->type()), "f32[2, 3]");
  EXPECT_EQ(to_string(graph->find_node("top")->type()), "(f32[2, 1], i64[2, 1])");
  EXPECT_EQ(to_string(graph->find_node("split")->type()), "[f32[1, 3], f32[1, 3]{offset=3}]");
  EXPECT_FALSE(graph->find_node("b")->type());
  FX_ASSERT_OK_AND_ASSIGN(const Type square, context_.types().parse("f32[2, 2]{grad}"));
  at::Tensor leaf = at::ones({2, 2}).requires_grad_();
  graph->find_node("b")->set_type(square);  // its requires_grad is kept
  ASSERT_THAT(propagate_concrete_types(*graph, {leaf}), IsOk());
  EXPECT_EQ(graph->find_node("b")->type(), square);
  EXPECT_EQ(to_string(graph->find_node("mm")->type()), "f32[2, 2]");
  ASSERT_THAT(propagate_concrete_types(*graph, {leaf}, {}, AutogradUse::kRecord), IsOk());
  EXPECT_EQ(graph->find_node("mm")->type(), square);
}

}  // namespace
}  // namespace fx
