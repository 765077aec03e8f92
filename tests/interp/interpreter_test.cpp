// The interpreter with different kinds of values: the nodes that run, their order and results, when
// values are freed, and error messages.
#include "fx/interp/interpreter.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace fx::interpreter_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsOkAndHolds;
using testing::StatusIs;
using enum absl::StatusCode;

/// Arithmetic on doubles, the simplest useful interpreter.
class Numbers : public Interpreter<double> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<double> call_function(Call& call) override {
    const std::string_view name = call.function.name();
    if (name == "operator.add") return call.args.at(0) + call.args.at(1);
    if (name == "operator.mul") return call.args.at(0) * call.args.at(1);
    if (name == "user.scaled") {
      const double* by = call.argument(1, "by");
      return call.args[0] * (by ? *by : 10);
    }
    return Interpreter::call_function(call);
  }
  absl::StatusOr<double> call_method(Call& call) override {
    if (call.target == "neg") return -call.args.at(0);
    return Interpreter::call_method(call);
  }
};

/// Each value is the text of its computation, including lists and constants.
class Texts : public Interpreter<std::string> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<std::string> call_function(Call& call) override {
    return apply(std::string(call.function.name()), call);
  }
  absl::StatusOr<std::string> call_method(Call& call) override {
    return apply("." + std::string(call.target), call);
  }
  absl::StatusOr<std::string> constant(const Argument& value) override { return print(value); }
  absl::StatusOr<std::string> aggregate(const Argument& shape,
                                        std::vector<std::string> items) override {
    std::string text(argument_kind_name(shape.kind()));
    for (size_t i = 0; i < items.size(); ++i) {
      text += i == 0 ? "<" : ", ";
      if (shape.is_dict()) text += print(shape.key(i)) + ": ";
      text += items[i];
    }
    return text + (items.empty() ? "<>" : ">");
  }
  absl::StatusOr<std::string> attribute(std::string_view path, const Attribute& a) override {
    return std::string(attribute_kind_name(a.kind)) + " " + path_of(path);
  }

 private:
  static std::string apply(const std::string& what, const Call& call) {
    std::string text = what;
    for (const std::string& arg : call.args) text += " " + arg;
    for (const auto& [name, value] : call.kwargs)
      text += " " + std::string(name.str()) + "=" + value;
    return "(" + text + ")";
  }
};

std::unique_ptr<Graph> parse(Context& context, std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_THAT(graph, IsOk());
  return graph.ok() ? *std::move(graph) : nullptr;
}

class InterpreterTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    return interpreter_test::parse(context_, text);
  }
  Context context_;
};

// parity: I1 I2 I5
TEST_F(InterpreterTest, RunsOnNumbers) {
  const auto graph = parse(R"(graph(%x, %y = 2.0) {
    %sum = operator.add(%x, %y)
    %twice = operator.mul(%sum, 2)
    %neg = call_method neg(%twice)
    %scaled = user.scaled(%neg, by=0.5)
    return %scaled
  })");
  Numbers numbers(*graph);
  EXPECT_THAT(numbers.run({3.0, 4.0}), IsOkAndHolds(-7.0));
  EXPECT_THAT(numbers.run({3.0}), IsOkAndHolds(-5.0));
  EXPECT_THAT(numbers.run({}), StatusIs(kInvalidArgument,
                                        AllOf(HasSubstr("node x (placeholder)"),
                                              HasSubstr("a value must be passed for this input"))));
  EXPECT_THAT(numbers.run({1, 2, 3}),
              StatusIs(kInvalidArgument, HasSubstr("has 2 inputs, but received 3")));
  EXPECT_THAT(numbers.run({3.0}, {.named = {{"y", 4.0}}}), IsOkAndHolds(-7.0));
  EXPECT_THAT(numbers.run({3.0}, {.named = {{"z", 4.0}}}),
              StatusIs(kInvalidArgument, HasSubstr("does not have an input \"z\"")));
  EXPECT_THAT(numbers.run({3.0}, {.named = {{"x", 4.0}}}),
              StatusIs(kInvalidArgument, HasSubstr("\"x\" must not be passed both")));
}

// parity: I2
TEST_F(InterpreterTest, StopsAtTheFirstOutput) {
  Graph graph(context_);
  Node* x = graph.placeholder("x");
  graph.output(x);
  graph.call_function(context_.function("user.unknown"), {x});
  EXPECT_THAT(Numbers(graph).run({1}), IsOkAndHolds(1.0));
  Graph empty(context_);
  EXPECT_THAT(Numbers(empty).run({}),
              StatusIs(kFailedPrecondition, HasSubstr("must have an output")));
}

TEST_F(InterpreterTest, ListsAndConstantsAreValues) {
  const auto graph = parse(R"(graph(%x) {
    %cat = cat([%x, %x], 1)
    %view = call_method view(%cat, [2, (3, 4)])
    %slice_1 = operator.getitem(%view, (slice(%x, None, 2), ...))
    %d = user.f({"a": %slice_1, 2: [%x]}, dtype=torch.float32)
    return (%d, None)
  })");
  EXPECT_THAT(
      Texts(*graph).run({"x"}),
      IsOkAndHolds("tuple<(user.f dict<\"a\": (operator.getitem (.view (cat list<x, x> 1) [2, (3, "
                   "4)]) tuple<slice<x, None, 2>, ...>), 2: list<x>> dtype=torch.float32), None>"));
}

// parity: I10
TEST_F(InterpreterTest, StarredInputsReceiveTheRest) {
  const auto graph = parse(R"(graph(%x, %args[*args], %y, %kwargs[**kwargs]) {
    %f = f(%x, %args, %y, %kwargs)
    return %f
  })");
  Texts texts(*graph);
  EXPECT_THAT(texts.run({"1", "2", "3"}, {.named = {{"k", "4"}, {"y", "5"}, {"l", "6"}}}),
              IsOkAndHolds("(f 1 tuple<2, 3> 5 dict<\"k\": 4, \"l\": 6>)"));
  EXPECT_THAT(texts.run({"1"}, {.named = {{"y", "5"}}}), IsOkAndHolds("(f 1 tuple<> 5 dict<>)"));
}

// ---- values: freed, passed, inspected

/// A value that counts live instances.
struct Counted {
  explicit Counted(int* count) : alive(count) { ++*alive; }
  Counted(const Counted& other) : alive(other.alive) { ++*alive; }
  Counted(Counted&& other) noexcept : alive(std::exchange(other.alive, nullptr)) {}
  Counted& operator=(Counted other) {
    std::swap(alive, other.alive);
    return *this;
  }
  ~Counted() {
    if (alive) --*alive;
  }
  int* alive;
};

std::vector<Counted> counted(int n, int* count) {
  std::vector<Counted> values;
  for (int i = 0; i < n; ++i) values.emplace_back(count);
  return values;
}

class Counting : public Interpreter<Counted> {
 public:
  Counting(const Graph& graph, int* count) : Interpreter(graph), count_(count) {}
  absl::StatusOr<Counted> run_node(Node& node) override {
    absl::StatusOr<Counted> value = Interpreter::run_node(node);
    trace.push_back(node.name() + " " + std::to_string(*count_));
    return value;
  }
  absl::StatusOr<Counted> call_function(Call&) override { return Counted(count_); }
  absl::StatusOr<Counted> constant(const Argument&) override { return Counted(count_); }
  std::vector<std::string> trace;

 private:
  int* count_;
};

// parity: I4 I12
TEST_F(InterpreterTest, ValuesAreReleasedAfterTheirLastUse) {
  const auto graph = parse(R"(graph(%x, %y) {
    %a = f(%x)
    %unread = f(%a)
    %b = f(%a, %a)
    %c = f(%b, %y)
    return %c
  })");
  int alive = 0;
  Counting counting(*graph, &alive);
  // The counts after a node has run include its value, its arguments, and other live values.
  ASSERT_THAT(counting.run(counted(2, &alive)), IsOk());
  EXPECT_THAT(counting.trace,
              ElementsAre("x 2", "y 2", "a 3",  // x and y; and x a second time, as an argument of a
                          "unread 4",           // y, a and its copy in the call, the result
                          "b 4",                // y, a twice in the call, b; unread is freed
                          "c 3", "output 1"));
  EXPECT_EQ(alive, 1);  // the value of the output, until the next run
  counting.set_garbage_collect_values(false);
  ASSERT_THAT(counting.run(counted(2, &alive)), IsOk());
  EXPECT_EQ(alive, 7);
  for (const Node& node : graph->nodes()) EXPECT_NE(counting.value(node), nullptr) << node.name();
}

// parity: I6 M20
TEST_F(InterpreterTest, BoxedInputsAreConsumed) {
  const auto graph = parse(R"(graph(%x, %y = 1) {
    %a = f(%x, %y)
    %b = f(%a)
    return %b
  })");
  int alive = 0;
  Counting counting(*graph, &alive);
  std::vector<Counted> inputs = counted(2, &alive);
  ASSERT_THAT(counting.run_boxed(inputs), IsOk());
  EXPECT_THAT(inputs, IsEmpty());
  EXPECT_EQ(counting.trace.back(), "output 1");
  inputs.assign(1, Counted(&alive));  // the default is ignored
  EXPECT_THAT(counting.run_boxed(inputs),
              StatusIs(kInvalidArgument, HasSubstr("requires 2 inputs, but received 1")));
  EXPECT_EQ(inputs.size(), 1u);
}

// parity: I3
TEST_F(InterpreterTest, StartsFromValues) {
  const auto graph = parse(R"(graph(%x, %y) {
    %a = user.unknown(%x)
    %b = operator.mul(%a, %y)
    return %b
  })");
  Numbers numbers(*graph);
  // x still consumes the first input; a does not run.
  EXPECT_THAT(numbers.run({7, 3}, {.env = {{graph->find_node("a"), 5}}}), IsOkAndHolds(15.0));
  EXPECT_THAT(
      numbers.run({7, 3}, {.env = {{graph->find_node("a"), 5}, {graph->find_node("x"), 1}}}),
      IsOkAndHolds(15.0));
  EXPECT_THAT(numbers.run({}, {.env = {{graph->find_node("b"), 5},
                                       {graph->find_node("a"), 1},
                                       {graph->find_node("y"), 1},
                                       {graph->find_node("x"), 1}}}),
              IsOkAndHolds(5.0));
  Graph other(context_);
  Node* external = other.placeholder("z");
  EXPECT_THAT(numbers.run({7, 3}, {.env = {{external, 5}}}),
              StatusIs(kInvalidArgument, HasSubstr("node z")));
}

TEST_F(InterpreterTest, RunsToANodeAndContinues) {
  const auto graph = parse(R"(graph(%x) {
    %a = operator.add(%x, 1)
    %b = operator.add(%a, 1)
    %c = operator.add(%b, 1)
    return %c
  })");
  const Node& a = *graph->find_node("a");
  const Node& b = *graph->find_node("b");
  Numbers numbers(*graph);
  EXPECT_EQ(numbers.next_node(), nullptr);
  EXPECT_THAT(numbers.finish(), StatusIs(kFailedPrecondition));
  ASSERT_THAT(numbers.start({1}), IsOk());
  ASSERT_THAT(numbers.run_until(b), IsOk());
  EXPECT_EQ(numbers.next_node(), &b);
  ASSERT_NE(numbers.value(a), nullptr);
  EXPECT_EQ(*numbers.value(a), 2);
  EXPECT_EQ(numbers.value(b), nullptr);
  EXPECT_THAT(numbers.run_to(b), IsOkAndHolds(3.0));
  EXPECT_EQ(numbers.value(a), nullptr);  // its last user was b
  EXPECT_THAT(numbers.run_until(a), StatusIs(kOutOfRange, HasSubstr("node a")));
  EXPECT_THAT(numbers.finish(), IsOkAndHolds(4.0));
  EXPECT_THAT(numbers.step(), StatusIs(kOutOfRange));
}

TEST_F(InterpreterTest, TheGraphMayChangeBetweenRuns) {
  Graph graph(context_);
  Node* x = graph.placeholder("x");
  Node* a = graph.call_function(context_.function("operator.add"), {x, 1});
  Node* out = graph.output(a);
  Numbers numbers(graph);
  EXPECT_THAT(numbers.run({1}), IsOkAndHolds(2.0));
  graph.set_insert_point_before(out);
  out->replace_input_with(a, graph.call_function(context_.function("operator.mul"), {a, x}));
  EXPECT_THAT(numbers.run({3}), IsOkAndHolds(12.0));
}

// ---- overriding

// parity: I13
TEST_F(InterpreterTest, FunctionsAreReplacedDuringTheRun) {
  class Swap : public Numbers {
   public:
    using Numbers::Numbers;
    absl::StatusOr<double> call_function(Call& call) override {
      if (call.function.name() == "operator.add") {
        call.function = graph().context().function("operator.mul");
      }
      return Numbers::call_function(call);
    }
    absl::StatusOr<double> call_method(Call& call) override { return call.args[0]; }
  };
  const auto graph = parse(R"(graph(%x) {
    %a = operator.add(%x, 3)
    %b = call_method neg(%a)
    return %b
  })");
  EXPECT_THAT(Swap(*graph).run({5}), IsOkAndHolds(15.0));
}

/// Infers shapes in a loop over the nodes, as in torch.fx's documentation.
std::vector<std::string> types_in_a_loop(const Graph& graph, const std::vector<Argument>& inputs) {
  NodeMap<Argument> values(graph);
  std::vector<std::string> types;
  size_t next = 0;
  for (const Node& node : graph.nodes()) {
    if (node.is_placeholder()) values[node] = inputs[next++];
    if (node.op() == Opcode::kCallFunction) {
      std::vector<Argument> args;
      for (const Argument& arg : node.args())
        args.push_back(map_nodes(arg, [&](Node* n) { return values[*n]; }));
      const auto inferred = infer_call(graph.context(), node.function(), args);
      EXPECT_THAT(inferred, IsOk());
      if (inferred.ok()) values[node] = inferred->type;
    }
    if (!node.is_output()) types.push_back(to_string(values[node].as_type()));
  }
  return types;
}

// An interpreter on types computes the same shapes.
TEST_F(InterpreterTest, RunsOnTypes) {
  class Types : public Interpreter<Argument> {
   public:
    using Interpreter::Interpreter;
    absl::StatusOr<Argument> run_node(Node& node) override {
      FX_ASSIGN_OR_RETURN(Argument value, Interpreter::run_node(node));
      if (!node.is_output()) types.push_back(to_string(value.as_type()));
      return value;
    }
    absl::StatusOr<Argument> call_function(Call& call) override {
      FX_ASSIGN_OR_RETURN(const InferredCall inferred,
                          infer_call(graph().context(), call.function, call.args));
      return Argument(inferred.type);
    }
    std::vector<std::string> types;
  };
  const auto graph = parse(R"(graph(%x) {
    %t = aten.t.default(%x)
    %mm = aten.mm.default(%x, %t)
    %cat = aten.cat.default([%mm, %mm], 1)
    return %cat
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Type x, context_.types().parse("f32[2, 3]"));
  Types types(*graph);
  FX_ASSERT_OK_AND_ASSIGN(const Argument result, types.run({x}));
  EXPECT_EQ(to_string(result.as_type()), "f32[2, 4]");
  EXPECT_THAT(types.types, ElementsAre("f32[2, 3]", "f32[3, 2][1, 3]", "f32[2, 2]", "f32[2, 4]"));
  EXPECT_EQ(types.types, types_in_a_loop(*graph, {x}));
}

// ---- modules

std::unique_ptr<GraphModule> with_nested(Context& context, int levels) {
  std::unique_ptr<GraphModule> inner;
  for (int i = 0; i < levels; ++i) {
    auto graph = parse(context, i == 0   ? R"(graph(%x, %y = 1) {
      %w = get_attr w
      %f = f(%x, %w, %y)
      return %f
    })"
                                : i == 1 ? R"(graph(%x) {
      %inner = call_module inner(%x, y=%x)
      return %inner
    })"
                                         : R"(graph(%x) {
      %inner = call_module inner(%x)
      return %inner
    })");
    Module root;
    EXPECT_THAT(i == 0 ? root.register_constant("w", Argument(1))
                       : root.add_submodule("inner", std::shared_ptr<Module>(std::move(inner))),
                IsOk());
    auto created = GraphModule::create(root, std::move(graph));
    EXPECT_THAT(created, IsOk());
    inner = *std::move(created);
  }
  return inner;
}

// parity: I7 I8
TEST_F(InterpreterTest, ModulesAndMembers) {
  // The root contains members, and a module that is a graph.
  EXPECT_THAT(Texts(*with_nested(context_, 3)).run({"x"}),
              IsOkAndHolds("(f x constant inner.inner.w x)"));
  const auto graph = parse("graph() {\n  %w = get_attr layer.sub.w\n  return %w\n}");
  EXPECT_THAT(Texts(*graph).run({}),
              StatusIs(kNotFound, HasSubstr("the interpreter has no module")));
  Module root;
  EXPECT_THAT(Texts(*graph, &root).run({}),
              StatusIs(kNotFound, AllOf(HasSubstr("node w (get_attr layer.sub.w)"),
                                        HasSubstr("the module has no \"layer\""))));
  ASSERT_THAT(root.add_submodule("layer", std::make_shared<Module>()), IsOk());
  EXPECT_THAT(Texts(*graph, &root).run({}),
              StatusIs(kNotFound, HasSubstr("the module has no \"layer.sub\"")));
  ASSERT_THAT(root.assign("layer.sub.w", Attribute::constant(Argument(3))), IsOk());
  EXPECT_THAT(Texts(*graph, &root).run({}), IsOkAndHolds("constant layer.sub.w"));
  EXPECT_THAT(Numbers(*graph, &root).run({}), IsOkAndHolds(3.0));
  const auto call = parse("graph(%x) {\n  %l = call_module layer(%x)\n  return %l\n}");
  EXPECT_THAT(Texts(*call, &root).run({"x"}),
              StatusIs(kUnimplemented, HasSubstr("torch.nn.modules.module.Module")));
}

TEST_F(InterpreterTest, NestingIsBounded) {
  EXPECT_THAT(Texts(*with_nested(context_, 101)).run({"x"}), IsOk());
  EXPECT_THAT(Texts(*with_nested(context_, 102)).run({"x"}),
              StatusIs(kResourceExhausted, HasSubstr("graphs are nested more than 100")));
}

// ---- errors

// parity: I9 M13
TEST_F(InterpreterTest, ErrorsNameNodeOperandsAndSource) {
  const auto graph = parse(R"(graph(%x : f32[2, 3], %y : i64[]) {
    %a = user.unknown(%x, [%y, %x]) !{stack_trace="  File \"net.py\", line 7, in forward\n    return self.f(x)\n"}
    return %a
  })");
  const absl::Status status = Numbers(*graph).run({1, 2}).status();
  EXPECT_EQ(status.code(), kUnimplemented);
  // Lists are not numbers, so the call fails before the function runs.
  EXPECT_EQ(status.message(),
            "node a (user.unknown, net.py:7): this interpreter cannot represent a list of values; "
            "override aggregate()\n"
            "  a = user.unknown(x: f32[2, 3], y: i64[], x: f32[2, 3])\n"
            "    File \"net.py\", line 7, in forward\n"
            "      return self.f(x)");
  EXPECT_EQ(failed_node(status), "a");
  EXPECT_EQ(failed_node(absl::OkStatus()), std::nullopt);
}

TEST_F(InterpreterTest, InputsAreCheckedBeforeARun) {
  class Checked : public Numbers {
   public:
    using Numbers::Numbers;
    absl::Status check_inputs(const std::vector<double>& inputs) override {
      seen = inputs;
      return absl::OkStatus();
    }
    std::vector<double> seen;
  };
  const auto graph =
      parse("graph(%x, %y, %z = 3.0) {\n  %a = operator.add(%x, %y)\n  return %a\n}");
  Checked run(*graph);
  EXPECT_THAT(run.run({1, 2}), IsOkAndHolds(3.0));
  EXPECT_THAT(run.seen, ElementsAre(1, 2));
  EXPECT_THAT(run.run({1}, {.named = {{"z", 5.0}, {"y", 4.0}}}), IsOkAndHolds(5.0));
  EXPECT_THAT(run.seen, ElementsAre(1, 4, 5));
  // The hook receives the inputs before the first missing one.
  EXPECT_FALSE(run.run({1}, {.named = {{"z", 5.0}}}).ok());
  EXPECT_THAT(run.seen, ElementsAre(1));
}

TEST_F(InterpreterTest, ErrorsInModulesNameBothNodes) {
  const auto module = with_nested(context_, 2);
  const absl::Status status = Numbers(*module).run({1}).status();
  EXPECT_THAT(status,
              StatusIs(kUnimplemented,
                       AllOf(HasSubstr("node inner (call_module inner): node f (f): this "
                                       "interpreter does not implement call_function for f"))));
  EXPECT_EQ(failed_node(status), "f");
}

// parity: I8
TEST_F(InterpreterTest, ValuesThatHaveNotBeenComputed) {
  Graph graph(context_);
  Node* x = graph.placeholder("x");
  Node* a = graph.call_function(context_.function("operator.add"), {x, 1});
  Node* b = graph.call_function(context_.function("operator.add"), {a, 1});
  graph.output(b);
  ASSERT_THAT(a->move_after(*b), IsOk());
  EXPECT_THAT(
      Numbers(graph).run({1}),
      StatusIs(kFailedPrecondition,
               AllOf(HasSubstr("node add_1"), HasSubstr("uses add before"), HasSubstr("verify"))));
}

}  // namespace
}  // namespace fx::interpreter_test
