// Proxy: functions, methods, operators, indexing, and error messages for incorrect use (parity
// section 5).
#include "fx/tracer/proxy.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/stack_trace.h"
#include "fx/ir/text/listing.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/tracer.h"
#include "tests/testing/status_matchers.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace fx::proxy_test {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class ProxyTest : public ::testing::Test {
 protected:
  /// Returns the text of the graph, or the error.
  template <class F, class... Examples>
  std::string trace(F&& f, const TraceInputs& inputs = {"x", "y", "z"}, Examples... examples) {
    TraceInputs all_inputs = inputs;
    using Parameters = decltype(internal::parameters_of<F>());
    if (all_inputs.names.size() > std::tuple_size_v<Parameters>)
      all_inputs.names.resize(std::tuple_size_v<Parameters>);
    Tracer tracer(context_, options_);
    absl::StatusOr<std::unique_ptr<Graph>> graph = tracer.trace(f, all_inputs, examples...);
    if (!graph.ok()) return graph.status().ToString();
    EXPECT_THAT(verify_status(**graph), IsOk());
    std::string text = print(**graph, {.meta = false});
    return text;
  }

  Context context_;
  RecordOptions options_;
};

// parity: T1 T2 T19 T21
TEST_F(ProxyTest, FunctionsMethodsAndOperatorsBecomeNodes) {
  EXPECT_EQ(trace([](Proxy x, Proxy y) { return relu(x + y).view({-1, 3}) * 2; }),
            R"(graph(%x, %y) {
  %add = operator.add(%x, %y)
  %relu = torch.relu(%add)
  %view = call_method view(%relu, [-1, 3])
  %mul = operator.mul(%view, 2)
  return %mul
}
)");
}

// parity: T19
TEST_F(ProxyTest, OperatorsKeepTheOrderOfTheirOperands) {
  EXPECT_EQ(trace([](Proxy x) { return 1 - x; }), R"(graph(%x) {
  %sub = operator.sub(1, %x)
  return %sub
}
)");
  EXPECT_EQ(trace([](Proxy x, Proxy y) {
              return std::tuple{x + 1, 1.5 * x, x / y,  2 % x, x & y, 1 | x,
                                x ^ 3, x << 1,  2 >> x, -x,    +x,    ~x};
            }),
            R"(graph(%x, %y) {
  %add = operator.add(%x, 1)
  %mul = operator.mul(1.5, %x)
  %truediv = operator.truediv(%x, %y)
  %mod = operator.mod(2, %x)
  %and_ = operator.and_(%x, %y)
  %or_ = operator.or_(1, %x)
  %xor = operator.xor(%x, 3)
  %lshift = operator.lshift(%x, 1)
  %rshift = operator.rshift(2, %x)
  %neg = operator.neg(%x)
  %pos = operator.pos(%x)
  %invert = operator.invert(%x)
  return (%add, %mul, %truediv, %mod, %and_, %or_, %xor, %lshift, %rshift, %neg, %pos, %invert)
}
)");
  EXPECT_EQ(trace([](Proxy x, Proxy y) {
              return std::tuple{x<y, x <= 1, 2> x, x >= 2.5, x == y, x != y, x == 1, 1 != x};
            }),
            R"(graph(%x, %y) {
  %lt = operator.lt(%x, %y)
  %le = operator.le(%x, 1)
  %gt = operator.gt(2, %x)
  %ge = operator.ge(%x, 2.5)
  %eq = operator.eq(%x, %y)
  %ne = operator.ne(%x, %y)
  %eq_1 = operator.eq(%x, 1)
  %ne_1 = operator.ne(1, %x)
  return (%lt, %le, %gt, %ge, %eq, %ne, %eq_1, %ne_1)
}
)");
  EXPECT_EQ(trace([](Proxy x, Proxy y) {
              return std::tuple{floordiv(x, 2), power(2, x), matmul_operator(x, y)};
            }),
            R"(graph(%x, %y) {
  %floordiv = operator.floordiv(%x, 2)
  %pow_1 = operator.pow(2, %x)
  %matmul = operator.matmul(%x, %y)
  return (%floordiv, %pow_1, %matmul)
}
)");
}

// parity: T19
TEST_F(ProxyTest, CompoundAssignmentIsAPlainOperator) {
  EXPECT_EQ(trace([](Proxy x, Proxy y) {
              const Proxy before = x;
              x += y;
              x *= 2;
              return std::pair{x, before};
            }),
            R"(graph(%x, %y) {
  %add = operator.add(%x, %y)
  %mul = operator.mul(%add, 2)
  return (%mul, %x)
}
)");
}

// Arguments omitted at the end are omitted from the node. Arguments omitted in the middle have the
// operator's default.
TEST_F(ProxyTest, DefaultsAreRecordedOnlyInTheMiddle) {
  EXPECT_EQ(trace(
                [](Proxy x, Proxy w) {
                  return std::tuple{conv2d(x, w), conv2d(x, w, {}, 2), conv2d(x, w, {}, {}, {1, 1}),
                                    add(x, w, 2), sum(x, {0, 1}, {}, DType::kFloat64)};
                },
                {"x", "w"}),
            R"(graph(%x, %w) {
  %conv2d = torch.conv2d(%x, %w)
  %conv2d_1 = torch.conv2d(%x, %w, None, 2)
  %conv2d_2 = torch.conv2d(%x, %w, None, [1, 1], [1, 1])
  %add = torch.add(%x, %w, alpha=2)
  %sum_1 = torch.sum(%x, [0, 1], dtype=torch.float64)
  return (%conv2d, %conv2d_1, %conv2d_2, %add, %sum_1)
}
)");
}

// parity: T17
TEST_F(ProxyTest, UnpackingRecordsItems) {
  EXPECT_EQ(trace([](Proxy x) {
              auto [values, indices] = topk(x, 3);
              auto [a, b] = x.unpack<2>();
              auto [c, d, e] = unpack<3>(chunk(x, 3));
              return std::tuple{values, indices, a, b, c, d, e, x.max(1)[0]};
            }),
            R"(graph(%x) {
  %topk = torch.topk(%x, 3)
  %getitem = operator.getitem(%topk, 0)
  %getitem_1 = operator.getitem(%topk, 1)
  %getitem_2 = operator.getitem(%x, 0)
  %getitem_3 = operator.getitem(%x, 1)
  %chunk = torch.chunk(%x, 3)
  %getitem_4 = operator.getitem(%chunk, 0)
  %getitem_5 = operator.getitem(%chunk, 1)
  %getitem_6 = operator.getitem(%chunk, 2)
  %max_1 = call_method max(%x, 1)
  %getitem_7 = operator.getitem(%max_1, 0)
  return (%getitem, %getitem_1, %getitem_2, %getitem_3, %getitem_4, %getitem_5, %getitem_6, %getitem_7)
}
)");
}

TEST_F(ProxyTest, IndexingAcceptsPythonIndices) {
  EXPECT_EQ(trace(
                [](Proxy x, Proxy i) {
                  return std::tuple{
                      x[0],        x[i],
                      x[Slice(1)], x[Slice({}, -1)],
                      x[true],     x[std::nullopt],
                      x["key"],    x.index({Slice(), 0, "...", std::nullopt, i, Slice(i, {}, 2)}),
                      x[{0, 2}],   x.index({Ellipsis(), x > 0})};
                },
                {"x", "i"}),
            R"(graph(%x, %i) {
  %getitem = operator.getitem(%x, 0)
  %getitem_1 = operator.getitem(%x, %i)
  %getitem_2 = operator.getitem(%x, slice(1, None, None))
  %getitem_3 = operator.getitem(%x, slice(None, -1, None))
  %getitem_4 = operator.getitem(%x, True)
  %getitem_5 = operator.getitem(%x, None)
  %getitem_6 = operator.getitem(%x, "key")
  %getitem_7 = operator.getitem(%x, (slice(None, None, None), 0, ..., None, %i, slice(%i, None, 2)))
  %getitem_8 = operator.getitem(%x, [0, 2])
  %gt = operator.gt(%x, 0)
  %getitem_9 = operator.getitem(%x, (..., %gt))
  return (%getitem, %getitem_1, %getitem_2, %getitem_3, %getitem_4, %getitem_5, %getitem_6, %getitem_7, %getitem_8, %getitem_9)
}
)");
}

// parity: T20
TEST_F(ProxyTest, AttributesAreLazy) {
  EXPECT_EQ(trace([](Proxy x) {
              const auto unused = x.attr("T");
              (void)unused;
              return std::tuple{x.attr("shape")[0], Proxy(x.attr("dtype")),
                                x.attr("weird")({1, "text"}),
                                x.call_method("mystery", {x}, {{"k", 2}})};
            }),
            R"(graph(%x) {
  %getattr_1 = builtins.getattr(%x, "shape")
  %getitem = operator.getitem(%getattr_1, 0)
  %getattr_2 = builtins.getattr(%x, "dtype")
  %weird = call_method weird(%x, 1, "text")
  %mystery = call_method mystery(%x, %x, k=2)
  return (%getitem, %getattr_2, %weird, %mystery)
}
)");
}

// parity: T26
TEST_F(ProxyTest, FactoriesAreRecorded) {
  EXPECT_EQ(trace([](Proxy x) {
              TracerBase& tracer = *x.tracer();
              return std::tuple{zeros(tracer, {x.size(0), 3}, DType::kFloat32), arange(tracer, 10),
                                randn(tracer, {2}), x.new_ones({2, 2}), zeros_like(x)};
            }),
            R"(graph(%x) {
  %size = call_method size(%x, 0)
  %zeros = torch.zeros([%size, 3], dtype=torch.float32)
  %arange = torch.arange(10)
  %randn = torch.randn([2])
  %new_ones = call_method new_ones(%x, [2, 2])
  %zeros_like = torch.zeros_like(%x)
  return (%zeros, %arange, %randn, %new_ones, %zeros_like)
}
)");
}

// parity: T11 T26
TEST_F(ProxyTest, EachTensorIsOneConstant) {
  FX_ASSERT_OK_AND_ASSIGN(const Tensor a, Tensor::of<float>({2}, {1, 2}));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor b, Tensor::of<float>({2}, {1, 2}));
  Tracer tracer(context_);
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, tracer.trace([&](Proxy x) {
    x = x + tracer.embed(a);
    x = x + tracer.embed(a);
    return x + tracer.embed(b);
  }));
  std::vector<std::string> targets;
  for (const Node& node : graph->nodes())
    if (node.op() == Opcode::kGetAttr) targets.emplace_back(node.target());
  EXPECT_THAT(targets, ::testing::ElementsAre("_tensor_constant0", "_tensor_constant0",
                                              "_tensor_constant1"));
  EXPECT_TRUE(tracer.root().find_tensor("_tensor_constant1").is_same(b));
  EXPECT_EQ(tracer.get_fresh_qualname("_tensor_constant"), "_tensor_constant2");
}

TEST_F(ProxyTest, ListsOfTensorsAndNone) {
  EXPECT_EQ(trace([](Proxy x, Proxy y) {
              return std::tuple{cat({x, y}, 1), stack(std::vector{x, y}), cat(std::vector{x}),
                                clamp(x, std::nullopt, 6), einsum("ij,jk->ik", {x, y})};
            }),
            R"(graph(%x, %y) {
  %cat = torch.cat([%x, %y], 1)
  %stack = torch.stack([%x, %y])
  %cat_1 = torch.cat([%x])
  %clamp = torch.clamp(%x, None, 6)
  %einsum = torch.functional.einsum("ij,jk->ik", [%x, %y])
  return (%cat, %stack, %cat_1, %clamp, %einsum)
}
)");
}

// parity: T13 D4c
TEST_F(ProxyTest, EveryNodeRecordsItsSourceLocation) {
  Tracer tracer(context_);
  const auto first = std::source_location::current();
  const auto body = [](Proxy x) {
    Proxy y = x + 1;
    y = 2 * y;
    y = relu(y);
    y = -y;
    y = y[0];
    y = y.view({1});
    return y == y;
  };
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, tracer.trace(body));
  uint32_t line = first.line() + 2;
  for (const Node& node : graph->nodes()) {
    if (node.is_placeholder() || node.is_output()) continue;
    const auto trace = node.meta().get(meta::kStackTrace);
    ASSERT_TRUE(trace.has_value()) << node.name();
    const auto frame = last_frame(*trace);
    ASSERT_TRUE(frame.has_value()) << *trace;
    EXPECT_THAT(std::string(frame->file), ::testing::EndsWith("proxy_test.cpp"));
    EXPECT_EQ(frame->line, line++) << node.name();
  }
  EXPECT_EQ(line, first.line() + 9);
  options_.locations = false;
  Tracer quiet(context_, options_);
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> bare, quiet.trace(body));
  for (const Node& node : bare->nodes()) EXPECT_FALSE(node.meta().has(meta::kStackTrace));
}

// parity: T16 T27 D4c
TEST_F(ProxyTest, UnknownValuesFailWithTheirLocation) {
  Tracer tracer(context_);
  const auto line = std::source_location::current().line() + 2;
  const auto traced = tracer.trace([](Proxy x) {
    if (sum(x).to_bool()) return relu(x);
    return x.neg();
  });
  EXPECT_THAT(traced,
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       ::testing::AllOf(HasSubstr("cannot be used as inputs to control flow"),
                                        HasSubstr("proxy_test.cpp:" + std::to_string(line)))));
  EXPECT_THAT(tracer.trace([](Proxy x) { return x + int64_t(x.size(0)); }),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("ShapedTracer")));
  // The tracer can be reused.
  EXPECT_THAT(tracer.trace([](Proxy x) { return x; }), IsOk());
}

// parity: T22
TEST_F(ProxyTest, MixingProxiesOfDifferentGraphsIsAnError) {
  Graph other(context_);
  GraphAppendingTracer appending(other);
  const Proxy external(*other.placeholder("external"), appending);
  Tracer tracer(context_);
  EXPECT_THAT(tracer.trace([&](Proxy x) { return x + external; }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("another graph")));
  EXPECT_THAT(tracer.trace([&](Proxy x) { return add(x, external); }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("another graph")));
  EXPECT_EQ(other.size(), 1u);
}

// parity: T22 T23 T24 D4b
TEST_F(ProxyTest, RewritesAreWrittenWithProxiesOnAGraph) {
  Graph graph(context_);
  Node* x = graph.placeholder("x");
  Node* node = graph.call_function(context_.function("torch.relu"), {x});
  graph.output(node);
  GraphAppendingTracer tracer(graph);
  {
    auto guard = graph.inserting_before(node);
    const Proxy input(*node->arg(0).as_node(), tracer);
    const Proxy positive = tracer(x) > 0;  // two proxies for one node
    const Proxy result = where(positive, input, 0.0);
    ASSERT_THAT(tracer.status(), IsOk());
    node->replace_all_uses_with(result.node());
  }
  ASSERT_THAT(graph.erase_node(node), IsOk());
  EXPECT_EQ(print(graph, {.meta = false}), R"(graph(%x) {
  %gt = operator.gt(%x, 0)
  %where = torch.where(%gt, %x, 0.0)
  return %where
}
)");
  // A second tracer for the same graph.
  GraphAppendingTracer second(graph);
  EXPECT_TRUE(add(tracer(x), second(x)).defined());
}

// parity: T14
TEST_F(ProxyTest, MutationIsRejectedOnRequest) {
  options_.mutable_operations = MutableOperations::kReject;
  EXPECT_THAT(trace([](Proxy x) { return x.add_(1); }), HasSubstr("writes to its argument"));
  EXPECT_THAT(trace([](Proxy x) { return relu_(x); }), HasSubstr("writes to its argument"));
  EXPECT_THAT(trace([](Proxy x) { return x.add(1); }), HasSubstr("call_method add(%x, 1)"));
  options_.mutable_operations = MutableOperations::kAllow;
  EXPECT_THAT(trace([](Proxy x) { return x.add_(1); }), HasSubstr("call_method add_(%x, 1)"));
}

TEST_F(ProxyTest, AtenTargetsAreOverloads) {
  options_.targets = Targets::kAten;
  EXPECT_EQ(trace([](Proxy x, Proxy y) {
              const Proxy n = x.size(0);
              return std::tuple{relu(x + y) * 2,
                                1 - x,
                                x.view({n * 2, -1}),
                                split(x, 2)[0],
                                split(x, {1, 2})[1],
                                squeeze(x, 0),
                                power(x, 2),
                                x < y,
                                x.index({Slice(1), 0, std::nullopt, y}),
                                x.sum(),
                                clamp(x, 0, 1),
                                clamp(x, std::nullopt, y)};
            }),
            R"(graph(%x, %y) {
  %sym_size = aten.sym_size.int(%x, 0)
  %add = aten.add.Tensor(%x, %y)
  %relu = aten.relu.default(%add)
  %mul = aten.mul.Tensor(%relu, 2)
  %sub = aten.sub.Tensor(1, %x)
  %mul_1 = operator.mul(%sym_size, 2)
  %view = aten.view.default(%x, [%mul_1, -1])
  %split = aten.split.Tensor(%x, 2)
  %getitem = operator.getitem(%split, 0)
  %split_1 = aten.split.sizes(%x, [1, 2])
  %getitem_1 = operator.getitem(%split_1, 1)
  %squeeze = aten.squeeze.dim(%x, 0)
  %pow_1 = aten.pow.Tensor_Scalar(%x, 2)
  %lt = aten.lt.Tensor(%x, %y)
  %getitem_2 = operator.getitem(%x, (slice(1, None, None), 0, None, %y))
  %sum_1 = aten.sum.default(%x)
  %clamp = aten.clamp.default(%x, 0, 1)
  %clamp_1 = aten.clamp.Tensor(%x, None, %y)
  return (%mul, %sub, %view, %getitem, %getitem_1, %squeeze, %pow_1, %lt, %getitem_2, %sum_1, %clamp, %clamp_1)
}
)");
}

// An index of unknown type may be a number or a mask, so the Python operator is recorded.
TEST_F(ProxyTest, IndicesOfUnknownTypeAreNotLowered) {
  options_.targets = Targets::kAten;
  EXPECT_EQ(trace([](Proxy x, Proxy y) { return x.index({y, std::nullopt}); }),
            R"(graph(%x, %y) {
  %getitem = operator.getitem(%x, (%y, None))
  return %getitem
}
)");
}

}  // namespace
}  // namespace fx::proxy_test
