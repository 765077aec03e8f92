// The Python code generated for graphs. The expected strings are the output of torch 2.13's
// Graph.python_code for the same graphs, except where a test states that fxcpp intentionally
// differs; tests/differential/compare_code.py compares many more graphs.
#include "fx/codegen/python/python.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PythonTest : public ::testing::Test {
 protected:
  Target fn(std::string_view name) { return context_.function(name); }
  std::string source(const PythonOptions& options = {}) {
    absl::StatusOr<PythonCode> code = python_code(graph_, options);
    return code.ok() ? code->source : std::string(code.status().message());
  }

  Context context_;
  Graph graph_{context_};
};

// parity: C1 C18
TEST_F(PythonTest, ValuesAreFreedAfterTheirLastUse) {
  Node* x = graph_.placeholder("x");
  Node* relu = graph_.call_function(fn("torch.relu"), {x});
  Node* add = graph_.call_function(fn("operator.add"), {relu, x});
  graph_.call_method("sum", {add});
  graph_.output(add);
  EXPECT_EQ(source(),
            "\n\n\ndef forward(self, x):\n"
            "    relu = torch.relu(x)\n"
            "    add = relu + x;  relu = x = None\n"
            "    sum_1 = add.sum();  sum_1 = None\n"
            "    return add\n"
            "    ");
}

// parity: C9
TEST_F(PythonTest, EmptyGraphsPass) {
  EXPECT_EQ(source(), "\n\n\ndef forward(self):\n    pass\n    ");
  graph_.placeholder("x");  // torch.fx writes no statement for placeholders
  EXPECT_EQ(source(), "\n\n\ndef forward(self, x):\n    pass\n    ");
}

// parity: C2
TEST_F(PythonTest, OperatorsAreInfixAndInPlaceOnesAreStatements) {
  Node* x = graph_.placeholder("x");
  x->set_type(context_.types().tensor({.dtype = DType::kFloat32, .sizes = {2}}));
  Node* neg = graph_.call_function(fn("operator.neg"), {x});
  graph_.call_function(fn("operator.matmul"), {x, neg});
  graph_.call_function(fn("operator.iadd"), {x, 1});
  graph_.call_function(fn("operator.setitem"), {x, 0, 2.5});
  graph_.call_function(
      fn("operator.getitem"),
      {x, Argument::tuple({Argument::slice(1, Argument(), 2), Argument::ellipsis()})});
  graph_.call_function(fn("operator.abs"), {x});
  graph_.call_function(fn("operator.pow"),
                       {-2, x});  // torch.fx writes -2 ** x, which means -(2 ** x)
  const std::string code = source();
  EXPECT_THAT(code, HasSubstr("    neg = -x\n"));
  EXPECT_THAT(code, HasSubstr("    matmul = x @ neg;  neg = matmul = None\n"));
  EXPECT_THAT(code, HasSubstr("    x += 1;  iadd = x;  iadd = None\n"));
  EXPECT_THAT(code, HasSubstr("    x[0] = 2.5;  setitem = x;  setitem = None\n"));
  EXPECT_THAT(code, HasSubstr("getitem = x[(slice(1, None, 2), Ellipsis)];"));
  EXPECT_THAT(code, HasSubstr("abs_1 = _operator_abs(x);"));
  EXPECT_THAT(code, HasSubstr("pow_1 = (-2) ** x;"));
}

// parity: C3 C4
TEST_F(PythonTest, AttributesAreWrittenAsPaths) {
  Node* x = graph_.placeholder("x");
  graph_.get_attr("layer.0.weight");
  graph_.call_module("seq.0", {x}, {{"scale", 2}});
  graph_.call_module("a.class", {x});  // torch.fx writes self.a.class, a syntax error
  graph_.call_function(fn("builtins.getattr"), {x, "shape"});
  graph_.call_function(fn("builtins.getattr"), {x, "shape", Argument()});
  graph_.call_method("bit_length", {5});  // torch.fx writes 5.bit_length(), a syntax error
  const std::string code = source();
  EXPECT_THAT(code, HasSubstr("= getattr(self.layer, \"0\").weight;"));
  EXPECT_THAT(code, HasSubstr("= getattr(self.seq, \"0\")(x, scale = 2);"));
  EXPECT_THAT(code, HasSubstr("= getattr(self.a, \"class\")(x);"));
  EXPECT_THAT(code, HasSubstr("getattr_1 = x.shape;"));
  EXPECT_THAT(code, HasSubstr("getattr_2 = getattr(x, 'shape', None);"));
  EXPECT_THAT(code, HasSubstr("= (5).bit_length();"));
}

// parity: C5
TEST_F(PythonTest, Constants) {
  Node* x = graph_.placeholder("x");
  const double inf = std::numeric_limits<double>::infinity();
  graph_.call_function(
      fn("torch.f"),
      {Argument::list({inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1e-5, -0.0, 3.0}),
       Argument::tuple({true}), Argument(), DType::kFloat32, Device{DeviceType::kCuda, 1},
       Layout::kStrided, MemoryFormat::kChannelsLast, "it's", Argument::range(0, 3, 1),
       Argument::dict({{"k", Argument::list({x})}}), fn("aten.add.Tensor"),
       Argument::named_tuple("pkg.Point(x, y)", {x, 2}), std::complex<double>(1, 2)});
  EXPECT_THAT(
      source(),
      HasSubstr("torch.f([inf, -inf, nan, 1e-05, -0.0, 3.0], (True,), None, torch.float32, "
                "device(type='cuda', index=1), torch.strided, torch.channels_last, \"it's\", "
                "range(0, 3), {'k': [x]}, torch.ops.aten.add.Tensor, pkg_Point(x, 2), (1+2j))"));
}

// parity: C6
TEST_F(PythonTest, GlobalsAreImported) {
  Node* x = graph_.placeholder("x");
  Node* sqrt = graph_.call_function(fn("math.sqrt"), {x});
  graph_.call_function(fn("my.deep.module.f"), {sqrt});
  graph_.call_function(fn("builtins.len"), {x});
  graph_.call_function(fn("torch.nn.functional.relu"), {x});
  absl::StatusOr<PythonCode> code = python_code(graph_);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_THAT(code->source, HasSubstr("sqrt = math_sqrt(x)\n"));
  EXPECT_THAT(code->source, HasSubstr("f = my_deep_module_f(sqrt);"));
  EXPECT_THAT(code->source, HasSubstr("len_1 = len(x);"));
  EXPECT_THAT(code->source, HasSubstr("relu = torch.nn.functional.relu(x);"));
  EXPECT_EQ(*code->import_block(),
            "NoneType = type(None)\n"
            "from builtins import len as len\n"
            "from math import inf\n"
            "from math import nan\n"
            "from math import sqrt as math_sqrt\n"
            "from my.deep.module import f as my_deep_module_f\n"
            "from torch import device\n"
            "import torch\n"
            "import torch.fx._pytree as fx_pytree\n"
            "import torch.utils._pytree as pytree");
  graph_.call_function(fn("my.f#2"), {x});
  EXPECT_EQ(python_code(graph_)->import_block().status().code(),
            absl::StatusCode::kFailedPrecondition);
}

// parity: NM9
TEST_F(PythonTest, LocalsAreRenamedToAvoidGlobals) {
  Node* x = graph_.placeholder("x");
  Node* sqrt = graph_.call_function(fn("math.sqrt"), {x});
  Node* clash = graph_.call_function(fn("torch.relu"), {sqrt}, {}, {.name = "math_sqrt"});
  graph_.output(clash);
  EXPECT_EQ(clash->name(), "math_sqrt");
  EXPECT_THAT(source(), HasSubstr("    sqrt = math_sqrt(x);  x = None\n"
                                  "    math_sqrt_1 = torch.relu(sqrt);  sqrt = None\n"
                                  "    return math_sqrt_1\n"));
  EXPECT_EQ(clash->name(), "math_sqrt");
}

// parity: C7 C8
TEST_F(PythonTest, ParametersHaveAnnotationsDefaultsAndNames) {
  Node* x = graph_.placeholder("x");
  x->meta().set(meta::kAnnotation, "torch.Tensor");
  Node* y = graph_.placeholder("y", 3);
  y->meta().set(meta::kAnnotation, "typing.Optional[typing.List[int]]");
  Node* in = graph_.placeholder("input");
  graph_.placeholder("*args");
  Node* out = graph_.output(in);
  out->meta().set(meta::kAnnotation, "int | None");
  absl::StatusOr<PythonCode> code = python_code(graph_);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(code->source,
            // torch.fx writes `y ... = 3, input`, a syntax error.
            "\n\n\ndef forward(self, x : torch.Tensor, y : "
            "typing_Union[typing_List[int],NoneType], input, *args) -> int|NoneType:\n"
            "    input_1 = input\n"
            "    _args = args\n"
            "    return input_1\n"
            "    ");
}

// parity: C10
TEST_F(PythonTest, NodesAfterTheOutputAreWritten) {
  Node* x = graph_.placeholder("x");
  graph_.output(x);
  graph_.call_function(fn("torch.relu"), {x});
  EXPECT_THAT(source(), HasSubstr("    return x\n    relu = torch.relu(x);  x = relu = None\n"));
}

constexpr std::string_view kTyped = R"fx(graph @g(%x : f32[2, 3]) {
  %relu : f32[2, 3] = aten.relu.default(%x) !{stack_trace="File \"m.py\", line 3, in forward\n    y = relu(x)\r\n", seq=4}
  %sum : f32[] = aten.sum.default(%relu) !{custom={"a": "0123456789012345678901234567890123456789x", "b": 1}}
  return %sum
})fx";

// parity: C11
TEST_F(PythonTest, VerboseCodeHasTypesAndOrigins) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, kTyped);
  ASSERT_TRUE(graph.ok()) << graph.status();
  PythonOptions options;
  options.verbose = options.include_stride = options.include_device = true;
  options.additional_meta = {"seq_nr"};
  absl::StatusOr<PythonCode> code = python_code(**graph, options);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(code->source,
            "\n\n\ndef forward(self, x: \"f32[2, 3][3, 1]cpu\"):\n"
            "    # seq_nr: 4 # File: m.py:3 in forward, code: y = relu(x)\n"
            "    relu: \"f32[2, 3][3, 1]cpu\" = torch.ops.aten.relu.default(x);  x = None\n"
            "    \n"
            "    # Annotation: {'a': '0123456789012345678901234567890123456789...', 'b': 1} "
            "No stacktrace found for following nodes\n"
            "    sum_1: \"f32[][]cpu\" = torch.ops.aten.sum.default(relu);  relu = None\n"
            "    return sum_1\n"
            "    ");
}

// parity: M8 C19
TEST_F(PythonTest, ReadableIsAClass) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, kTyped);
  ASSERT_TRUE(graph.ok()) << graph.status();
  absl::StatusOr<std::string> text = python_readable(**graph, "Net");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_TRUE(
      text->starts_with("class Net(torch.nn.Module):\n    def forward(self, x: \"f32[2, 3]\"):\n   "
                        "     # File: m.py:3"))
      << *text;
}

// parity: C12 G21
TEST_F(PythonTest, LinesMapToNodes) {
  Node* x = graph_.placeholder("x");
  Node* in = graph_.placeholder("input");
  Node* relu = graph_.call_function(fn("torch.relu"), {x});
  Node* out = graph_.output(Argument::list({relu, in}));
  absl::StatusOr<PythonCode> code = python_code(graph_);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(code->prologue_line, 4);
  EXPECT_THAT(code->line_nodes,
              ::testing::ElementsAre(nullptr, nullptr, nullptr, nullptr, in, relu, out, nullptr));
}

// parity: G20
TEST_F(PythonTest, BodyTransformersChain) {
  Node* x = graph_.placeholder("x");
  Node* relu = graph_.call_function(fn("torch.relu"), {x});
  Node* out = graph_.output(relu);
  PythonOptions options;
  options.body_transformers.push_back([](std::vector<std::string> body) {
    body.insert(body.begin(), "import pdb; pdb.set_trace()\n");
    return body;
  });
  options.body_transformers.push_back([](std::vector<std::string> body) {
    EXPECT_EQ(body.front(), "import pdb; pdb.set_trace()\n");
    EXPECT_THAT(body, ::testing::Contains("# COUNTER: 1\n"));
    body.insert(body.begin(), "# second\n");
    return body;
  });
  absl::StatusOr<PythonCode> code = python_code(graph_, options);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(code->source,
            "\n\n\ndef forward(self, x):\n    # second\n    import pdb; pdb.set_trace()\n"
            "    relu = torch.relu(x);  x = None\n    return relu\n    ");
  EXPECT_EQ(code->line_nodes[6], relu);
  EXPECT_EQ(code->line_nodes[7], out);
}

// parity: G19 C13
TEST_F(PythonTest, HooksReplaceHeadAndReturn) {
  Node* x = graph_.placeholder("x");
  graph_.output(Argument::tuple({x}));
  PythonOptions options;
  options.function_head = [](absl::Span<const std::string> parameters, std::string_view) {
    return "def forward(self, *boxed):\n    " + parameters[0] + ", = boxed";
  };
  options.return_statement = [](std::string_view result) {
    return "return box(" + std::string(result) + ")";
  };
  options.additional_globals = {{"box", "from boxes import box"}};
  absl::StatusOr<PythonCode> code = python_code(graph_, options);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(code->source,
            "\n\n\ndef forward(self, *boxed):\n    x, = boxed\n    return box((x,))\n    ");
  EXPECT_THAT(*code->import_block(), HasSubstr("from boxes import box\n"));
}

TEST_F(PythonTest, ParametersAreInALegalOrder) {
  Node* kw = graph_.placeholder("**kw");
  graph_.placeholder("a", 1);
  Node* b = graph_.placeholder("b");
  graph_.placeholder("c", 2);
  graph_.placeholder("*args");
  graph_.placeholder("d", "x: 1  # 2");
  graph_.placeholder("e");
  graph_.output(Argument::list({kw, b}));
  EXPECT_THAT(source(),
              HasSubstr("def forward(self, a, b, c = 2, *args, d = 'x: 1  # 2', e, **kw):"));
  PythonOptions options;
  options.expanded_def = true;
  EXPECT_THAT(source(options),
              HasSubstr("    *args,\n    d = 'x: 1  # 2',\n    e,\n    **kw,\n):"));
  graph_.placeholder("*more");
  EXPECT_THAT(source(), HasSubstr("a function can have only one parameter with *"));
}

TEST_F(PythonTest, DefaultsAreConstants) {
  Node* x = graph_.placeholder("x");
  graph_.placeholder("y", x);
  EXPECT_THAT(source(), HasSubstr("a default value cannot be a value of the graph"));
  graph_.clear();
  graph_.placeholder("*x", 3);
  EXPECT_THAT(source(), HasSubstr("a starred parameter cannot have a default value"));
}

TEST_F(PythonTest, ConstantsKeepTheirValues) {
  Node* x = graph_.placeholder("x");
  const double inf = std::numeric_limits<double>::infinity();
  const auto f = [&](std::complex<double> value) {
    graph_.call_function(fn("torch.f"), {x, value});
  };
  for (const double real : {0.0, -0.0, 1.0, -inf})
    for (const double imag : {0.0, -0.0, 2.0, -2.0}) f({real, imag});
  const std::string code = source();
  for (const char* text :
       {"(x, 0j)", "(x, complex(0.0, -0.0))", "(x, 2j)", "(x, complex(0.0, -2.0))",
        "(x, complex(-0.0, 0.0))", "(x, complex(-0.0, -0.0))", "(x, complex(-0.0, 2.0))",
        "(x, complex(-0.0, -2.0))", "(x, (1+0j))", "(x, complex(1.0, -0.0))", "(x, (1+2j))",
        "(x, (1-2j))", "(x, complex(-inf, 0.0))", "(x, complex(-inf, -2.0))"})
    EXPECT_THAT(code, HasSubstr(text));
}

TEST_F(PythonTest, OperandsKeepTheirValue) {
  Node* x = graph_.placeholder("x");
  const SymExpr n = *context_.exprs().parse("n + 1");
  for (const char* name : {"operator.pow", "operator.mul", "operator.getitem"}) {
    graph_.call_function(fn(name), {-0.0, x});
    graph_.call_function(fn(name), {n, x});
    graph_.call_function(fn(name), {x, n});
  }
  graph_.call_function(fn("operator.neg"), {n});
  graph_.call_function(fn("builtins.getattr"), {n, "real"});
  graph_.call_function(fn("operator.pow"), {2, x});
  const std::string code = source();
  for (const char* text : {"= (-0.0) ** x;", "= (n + 1) ** x;", "= x ** (n + 1);", "= -0.0 * x;",
                           "= (n + 1) * x;", "= x * (n + 1);", "= (-0.0)[x];", "= (n + 1)[x];",
                           "= x[n + 1];", "= -(n + 1);", "= (n + 1).real;", "= 2 ** x;"})
    EXPECT_THAT(code, HasSubstr(text));
  EXPECT_THAT(std::string(python_code(graph_)->import_block().status().message()), HasSubstr("n"));
}

TEST_F(PythonTest, InPlaceStatementsDoNotChangeOtherValues) {
  Node* x = graph_.placeholder("x");
  Node* sum = graph_.call_function(fn("operator.iadd"), {x, 1});
  graph_.output(Argument::list({x, sum}));  // for numbers, the in-place call is two statements
  EXPECT_THAT(source(), HasSubstr("iadd = _operator_iadd(x, 1)\n"));
  x->set_type(context_.types().tensor({.dtype = DType::kFloat32, .sizes = {2}}));
  EXPECT_THAT(source(), HasSubstr("x += 1;  iadd = x\n"));
}

TEST_F(PythonTest, ValuesThatPythonCannotExpressAreErrors) {
  graph_.placeholder("a b");
  PythonOptions options;
  options.root = "a; b";
  EXPECT_THAT(source(), HasSubstr("\"a b\" cannot be a parameter of a Python function"));
  EXPECT_THAT(source(options), HasSubstr("option root, \"a; b\", must be a Python name"));
  graph_.clear();
  Node* x = graph_.placeholder("x");
  graph_.call_function(fn("torch.f"), {x, Argument::object("a\nimport os")});
  EXPECT_THAT(source(), HasSubstr("call_function %f: "));
  graph_.clear();
  graph_.placeholder("x");
  graph_.placeholder("self");
  EXPECT_THAT(source(), HasSubstr("is the name of the module parameter"));
  graph_.clear();
  graph_.placeholder("x");
  graph_.placeholder("x");
  EXPECT_THAT(source(), HasSubstr("\"x\" is the name of two parameters"));
}

TEST_F(PythonTest, ParametersMustNotHideCalledNames) {
  // torch.fx writes `torch_1 = torch`, and then calls torch.relu on the parameter.
  Node* torch = graph_.placeholder("torch");
  Node* device = graph_.placeholder("device");
  Node* zeros = graph_.call_function(fn("my.zeros"), {torch}, {{"device", device}});
  EXPECT_THAT(source(),
              HasSubstr("device = device_1"));  // the name of a keyword argument is not a use
  graph_.call_function(fn("torch.relu"), {zeros});
  EXPECT_THAT(source(), HasSubstr("the parameter \"torch\" hides a function that the code calls"));
  graph_.clear();
  Node* type = graph_.placeholder("type");
  graph_.call_function(fn("my.to"), {type, Device{DeviceType::kCpu}});
  EXPECT_THAT(source(), HasSubstr("type_1 = type"));  // device(type='cpu') is not a use
}

TEST_F(PythonTest, ParametersAreReadBeforeTheirNamesAreAssigned) {
  // torch.fx writes `x = b;  x = None` and then `x_1 = x`.
  graph_.placeholder("b")->rename("x");
  Node* second = graph_.placeholder("x");
  graph_.call_function(fn("torch.relu"), {second});
  EXPECT_THAT(source(), HasSubstr("an earlier value has the name of the parameter \"x\""));
  graph_.clear();
  graph_.placeholder("y")->set_target("x");
  Node* relu = graph_.call_function(fn("torch.relu"), {graph_.placeholder("b")});
  relu->rename("x");
  graph_.call_function(fn("torch.neg"), {relu});
  EXPECT_THAT(source(), HasSubstr("y = x"));
  EXPECT_THAT(source(), HasSubstr("neg = torch.neg(x)"));
}

TEST_F(PythonTest, TextIsEscaped) {
  Node* x = graph_.placeholder("x");
  Node* f = graph_.call_function(fn("torch.f; import os\n#"), {x, "'\"\n\\"}, {{"a b", 1}});
  f->meta().set(meta::kStackTrace, "File \"m\", line 1, in f\n  x\rimport os");
  graph_.get_attr("a.b\");import os\n#");
  PythonOptions options;
  options.verbose = true;
  const std::string code = source(options);
  EXPECT_THAT(code, Not(HasSubstr("\nimport os")));
  EXPECT_THAT(code, Not(HasSubstr("\r")));
  EXPECT_THAT(code, HasSubstr("torch_f_import_os_(x, '\\'\"\\n\\\\', **{'a b': 1})"));
  EXPECT_THAT(code, HasSubstr("getattr(self.a, 'b\");import os\\n#')"));
}

}  // namespace
}  // namespace fx
