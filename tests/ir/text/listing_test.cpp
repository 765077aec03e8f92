// torch.fx's listing and table. Python's torch.fx 2.13 and tabulate 0.10 printed the expected
// strings for the graphs in this file, with memory addresses replaced with 0x0. tests/differential
// compares many more graphs.
#include "fx/ir/text/listing.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::listing_test {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kListing = R"py(graph():
    %x : [num_users=11] = placeholder[target=x]
    %w : torch.Tensor [num_users=2] = placeholder[target=w]
    %d : [num_users=0] = placeholder[target=d](default=3)
    %ds : str [num_users=0] = placeholder[target=ds](default=text)
    %dn : [num_users=0] = placeholder[target=dn](default=None)
    %dl : [num_users=0] = placeholder[target=dl](default=(1, 'a'))
    %_args : [num_users=0] = placeholder[target=*args]
    %_kwargs : [num_users=0] = placeholder[target=**kwargs]
    %layer1_weight : [num_users=0] = get_attr[target=layer1.weight]
    %add_tensor : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %w), kwargs = {alpha: 2})
    %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%add_tensor, (slice(None, 2, None), Ellipsis, None, slice(x, None, -1))), kwargs = {})
    %relu : [num_users=2] = call_function[target=torch.relu](args = (%getitem,), kwargs = {})
    %gelu : [num_users=3] = call_function[target=torch._C._nn.gelu](args = (%relu,), kwargs = {approximate: tanh})
    %size : [num_users=1] = call_method[target=size](args = (%gelu, 0), kwargs = {})
    %seq_0 : [num_users=0] = call_module[target=seq.0](args = (%gelu, %size), kwargs = {})
    %cat : [num_users=0] = call_function[target=torch.cat](args = ([%x, %w, [%relu, (%gelu,)]],), kwargs = {dim: 1})
    %zeros : [num_users=0] = call_function[target=torch.zeros](args = ([2, 3],), kwargs = {dtype: torch.float32, device: cuda:0, layout: torch.strided, memory_format: torch.contiguous_format, pin_memory: False})
    %getattr_1 : [num_users=0] = call_function[target=builtins.getattr](args = (%x, shape), kwargs = {})
    %add : [num_users=0] = call_function[target=torch.add](args = (1e-05, 1.0), kwargs = {a: inf, b: -inf, c: nan, d: -0.0, e: 1e+16, f: 1.2345678901234568e+17, g: 0.1, h: 1e+22})
    %add_1 : [num_users=0] = call_function[target=torch.add](args = ({k: %x, 2: [1, two]}, (), [], {}, (%x,)), kwargs = {})
    %add_2 : [num_users=0] = call_function[target=torch.add](args = ((1+2j), 2j, -1.5j, (-0+2j), (nan+infj)), kwargs = {})
    %add_3 : [num_users=0] = call_function[target=torch.add](args = (range(0, 3), range(0, 10, 2), quote's, new
line, both'", é世​), kwargs = {})
    %add_4 : [num_users=0] = call_function[target=torch.add](args = ([range(0, 3), range(0, 10, 2), quote's, new
line, both'", é世​, \],), kwargs = {})
    %add_5 : [num_users=0] = call_function[target=torch.add](args = ((%x, 1), (2, 3), cpu, [cpu, cuda:1, torch.float16, torch.channels_last]), kwargs = {})
    %add_6 : [num_users=0] = call_function[target=torch.add](args = (aten.relu.default, <built-in function add>, <built-in method relu of type object at 0x0>, [aten.relu.default, <built-in function add>]), kwargs = {})
    %floor : [num_users=0] = call_function[target=math.floor](args = (True, False, None, -7, 4611686018427387904), kwargs = {})
    %cond : [num_users=0] = call_function[target=torch.ops.higher_order.cond](args = (%x,), kwargs = {})
    %linear : [num_users=0] = call_function[target=torch._C._nn.linear](args = (%x,), kwargs = {})
    %sigmoid : torch.Tensor [num_users=1] = call_function[target=torch.sigmoid](args = (%x,), kwargs = {})
    %view : 'Tensor' [num_users=1] = call_method[target=view](args = (%x, -1), kwargs = {})
    return (x, [sigmoid, 's', None, 1.5], {'k': view, 'n': 't'}, slice(x, None, None), torch.float32, device(type='cpu')))py";

constexpr std::string_view kTable =
    R"py(opcode         name           target                                           args                                                                                                                                                                                                    kwargs
-------------  -------------  -----------------------------------------------  ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------  --------------------------------------------------------------------------------------------------------------------------------------------------------
placeholder    x              x                                                ()                                                                                                                                                                                                      {}
placeholder    w              w                                                ()                                                                                                                                                                                                      {}
placeholder    d              d                                                (3,)                                                                                                                                                                                                    {}
placeholder    ds             ds                                               ('text',)                                                                                                                                                                                               {}
placeholder    dn             dn                                               (None,)                                                                                                                                                                                                 {}
placeholder    dl             dl                                               ((1, 'a'),)                                                                                                                                                                                             {}
placeholder    _args          *args                                            ()                                                                                                                                                                                                      {}
placeholder    _kwargs        **kwargs                                         ()                                                                                                                                                                                                      {}
get_attr       layer1_weight  layer1.weight                                    ()                                                                                                                                                                                                      {}
call_function  add_tensor     aten.add.Tensor                                  (x, w)                                                                                                                                                                                                  {'alpha': 2}
call_function  getitem        <built-in function getitem>                      (add_tensor, (slice(None, 2, None), Ellipsis, None, slice(x, None, -1)))                                                                                                                                {}
call_function  relu           <built-in method relu of type object at 0x0>     (getitem,)                                                                                                                                                                                              {}
call_function  gelu           <built-in function gelu>                         (relu,)                                                                                                                                                                                                 {'approximate': 'tanh'}
call_method    size           size                                             (gelu, 0)                                                                                                                                                                                               {}
call_module    seq_0          seq.0                                            (gelu, size)                                                                                                                                                                                            {}
call_function  cat            <built-in method cat of type object at 0x0>      ([x, w, [relu, (gelu,)]],)                                                                                                                                                                              {'dim': 1}
call_function  zeros          <built-in method zeros of type object at 0x0>    ([2, 3],)                                                                                                                                                                                               {'dtype': torch.float32, 'device': device(type='cuda', index=0), 'layout': torch.strided, 'memory_format': torch.contiguous_format, 'pin_memory': False}
call_function  getattr_1      <built-in function getattr>                      (x, 'shape')                                                                                                                                                                                            {}
call_function  add            <built-in method add of type object at 0x0>      (1e-05, 1.0)                                                                                                                                                                                            {'a': inf, 'b': -inf, 'c': nan, 'd': -0.0, 'e': 1e+16, 'f': 1.2345678901234568e+17, 'g': 0.1, 'h': 1e+22}
call_function  add_1          <built-in method add of type object at 0x0>      ({'k': x, 2: [1, 'two']}, (), [], {}, (x,))                                                                                                                                                             {}
call_function  add_2          <built-in method add of type object at 0x0>      ((1+2j), 2j, -1.5j, (-0+2j), (nan+infj))                                                                                                                                                                {}
call_function  add_3          <built-in method add of type object at 0x0>      (range(0, 3), range(0, 10, 2), "quote's", 'new\nline', 'both\'"', '\x01é世\u200b')                                                                                                                       {}
call_function  add_4          <built-in method add of type object at 0x0>      ([range(0, 3), range(0, 10, 2), "quote's", 'new\nline', 'both\'"', '\x01é世\u200b', '\\'],)                                                                                                              {}
call_function  add_5          <built-in method add of type object at 0x0>      (Point(x=x, y=1), (2, 3), device(type='cpu'), [device(type='cpu'), device(type='cuda', index=1), torch.float16, torch.channels_last])                                                                   {}
call_function  add_6          <built-in method add of type object at 0x0>      (<OpOverload(op='aten.relu', overload='default')>, <built-in function add>, <built-in method relu of type object at 0x0>, [<OpOverload(op='aten.relu', overload='default')>, <built-in function add>])  {}
call_function  floor          <built-in function floor>                        (True, False, None, -7, 4611686018427387904)                                                                                                                                                            {}
call_function  cond           cond                                             (x,)                                                                                                                                                                                                    {}
call_function  linear         <built-in function linear>                       (x,)                                                                                                                                                                                                    {}
call_function  sigmoid        <built-in method sigmoid of type object at 0x0>  (x,)                                                                                                                                                                                                    {}
call_method    view           view                                             (x, -1)                                                                                                                                                                                                 {}
output         output         output                                           ((x, [sigmoid, 's', None, 1.5], {'k': view, 'n': 't'}, slice(x, None, None), torch.float32, device(type='cpu')),)                                                                                       {})py";

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void annotate(Node* node, std::string_view annotation) {
  node->meta().set(meta::kAnnotation, annotation);
}

/// Builds a graph with every kind of node and argument.
void build_everything(Context& context, Graph& g) {
  const auto f = [&](std::string_view name) { return context.function(name); };
  const auto strings = [] {
    return std::vector<Argument>{
        Argument::range(0, 3, 1), Argument::range(0, 10, 2), "quote's", "new\nline", "both'\"",
        "\x01\u00e9\u4e16\u200b"};
  };
  Node* x = g.placeholder("x");
  Node* w = g.placeholder("w");
  annotate(w, "torch.Tensor");
  g.placeholder("d", 3);
  annotate(g.placeholder("ds", "text"), "str");
  g.placeholder("dn", Argument::none());
  g.placeholder("dl", Argument::tuple({1, "a"}));
  g.placeholder("*args");
  g.placeholder("**kwargs");
  g.get_attr("layer1.weight");
  Node* b = g.call_function(f("aten.add.Tensor"), {x, w}, {{Kwarg("alpha", 2)}});
  Node* c =
      g.call_function(f("operator.getitem"),
                      {b, Argument::tuple({Argument::slice(Argument::none(), 2, Argument::none()),
                                           Argument::ellipsis(), Argument::none(),
                                           Argument::slice(x, Argument::none(), -1)})});
  Node* e = g.call_function(f("torch.relu"), {c});
  Node* h = g.call_function(f("torch._C._nn.gelu"), {e}, {{Kwarg("approximate", "tanh")}});
  Node* size = g.call_method("size", {h, 0});
  g.call_module("seq.0", {h, size});
  g.call_function(f("torch.cat"),
                  {Argument::list({x, w, Argument::list({e, Argument::tuple({h})})})},
                  {{Kwarg("dim", 1)}});
  g.call_function(f("torch.zeros"), {Argument::ints({2, 3})},
                  {Kwarg("dtype", DType::kFloat32), Kwarg("device", Device{DeviceType::kCuda, 0}),
                   Kwarg("layout", Layout::kStrided),
                   Kwarg("memory_format", MemoryFormat::kContiguous), Kwarg("pin_memory", false)});
  g.call_function(f("builtins.getattr"), {x, "shape"});
  g.call_function(
      f("torch.add"), {1e-05, 1.0},
      {Kwarg("a", kInfinity), Kwarg("b", -kInfinity), Kwarg("c", kNan), Kwarg("d", -0.0),
       Kwarg("e", 1e16), Kwarg("f", 123456789012345680.0), Kwarg("g", 0.1), Kwarg("h", 1e22)});
  const std::pair<Argument, Argument> entries[] = {{"k", x}, {2, Argument::list({1, "two"})}};
  g.call_function(f("torch.add"), {Argument::dict(entries), Argument::tuple({}), Argument::list({}),
                                   Argument::dict({}), Argument::tuple({x})});
  g.call_function(f("torch.add"), {std::complex<double>(1, 2), std::complex<double>(0, 2),
                                   std::complex<double>(0, -1.5), std::complex<double>(-0.0, 2),
                                   std::complex<double>(kNan, kInfinity)});
  std::vector<Argument> texts = strings();
  g.call_function(f("torch.add"), texts);
  texts.emplace_back("\\");
  g.call_function(f("torch.add"), {Argument::list(texts)});
  const Argument point[] = {x, 1};
  g.call_function(f("torch.add"), {Argument::named_tuple("__main__.Point(x, y)", point),
                                   Argument::tuple({2, 3}), Device{},
                                   Argument::list({Device{}, Device{DeviceType::kCuda, 1},
                                                   DType::kFloat16, MemoryFormat::kChannelsLast})});
  g.call_function(f("torch.add"), {f("aten.relu.default"), f("operator.add"), f("torch.relu"),
                                   Argument::list({f("aten.relu.default"), f("operator.add")})});
  g.call_function(f("math.floor"),
                  {true, false, Argument::none(), -7, int64_t{4611686018427387904}});
  g.call_function(f("higher_order.cond"), {x});
  g.call_function(f("torch._C._nn.linear"), {x});
  Node* y = g.call_function(f("torch.sigmoid"), {x});
  annotate(y, "torch.Tensor");
  Node* z = g.call_method("view", {x, -1});
  annotate(z, "'Tensor'");
  const std::pair<Argument, Argument> result[] = {{"k", z}, {"n", "t"}};
  Node* out = g.output(Argument::tuple(
      {x, Argument::list({y, "s", Argument::none(), 1.5}), Argument::dict(result),
       Argument::slice(x, Argument::none(), Argument::none()), DType::kFloat32, Device{}}));
  annotate(out, "tuple");
}

// parity: N16
TEST(Listing, EqualsTorchFx) {
  Context context;
  Graph graph(context);
  build_everything(context, graph);
  EXPECT_EQ(format_graph(graph), kListing);
}

// parity: G23
TEST(Tabular, EqualsTorchFx) {
  Context context;
  Graph graph(context);
  build_everything(context, graph);
  EXPECT_EQ(format_tabular(graph), kTable);
}

TEST(Listing, EmptyGraphAndBareString) {
  Context context;
  Graph empty(context);
  EXPECT_EQ(format_graph(empty), "graph():");
  EXPECT_EQ(format_tabular(empty),
            "opcode    name    target    args    kwargs\n"
            "--------  ------  --------  ------  --------");
  Graph bare(context);
  bare.output("bare string");
  EXPECT_EQ(format_graph(bare), "graph():\n    return bare string");
}

TEST(Listing, SingleNode) {
  Context context;
  Graph graph(context);
  Node* x = graph.placeholder("x", 2);
  Node* y = graph.call_method("view", {x, -1});
  EXPECT_EQ(format_node(*x), "%x : [num_users=1] = placeholder[target=x](default=2)");
  EXPECT_EQ(format_node(*y),
            "%view : [num_users=0] = call_method[target=view](args = (%x, -1), kwargs = {})");
  EXPECT_EQ(format_node(*graph.output(y)), "return view");
}

TEST(Listing, TensorTypesOnRequest) {
  Context context;
  Graph graph(context);
  Node* x = graph.placeholder("x");
  Node* y = graph.call_function(context.function("torch.relu"), {x});
  const Dim sizes[] = {2, 3};
  y->set_type(context.types().tensor({.dtype = DType::kFloat32, .sizes = sizes}));
  EXPECT_EQ(format_node(*y, {.tensor_types = true}),
            "%relu : Tensor \"f32[2, 3][3, 1]cpu\"[num_users=0] = call_function[target=torch.relu]"
            "(args = (%x,), kwargs = {})");
  EXPECT_THAT(format_node(*x, {.tensor_types = true}), HasSubstr("%x : [num_users=1]"));
}

// parity: N17
TEST(Listing, ArgumentsMayHaveCustomText) {
  Context context;
  Graph graph(context);
  Node* x = graph.placeholder("x");
  const Argument table = Argument::object("pkg.Table object");
  const std::pair<Argument, Argument> entries[] = {{"k", table}};
  Node* y =
      graph.call_function(context.function("torch.relu"), {x, table, Argument::list({table, 1})},
                          {{"inplace", Argument::dict(entries)}});
  const ArgumentPrinter short_tables = [](std::string& out, ArgumentRef value) {
    if (value.kind() != ArgumentKind::kObject) return false;
    out += "<table>";
    return true;
  };
  EXPECT_EQ(format_node(*y, {.print_argument = short_tables}),
            "%relu : [num_users=0] = call_function[target=torch.relu]"
            "(args = (%x, <table>, [<table>, 1]), kwargs = {inplace: {k: <table>}})");
  EXPECT_THAT(format_graph(graph, {.print_argument = short_tables}), HasSubstr("[<table>, 1]"));
  EXPECT_THAT(format_node(*y), HasSubstr("(%x, <pkg.Table object>, [<pkg.Table object>, 1])"));
  // If a callback handles a list, it is not called for the items.
  const ArgumentPrinter lists = [](std::string& out, ArgumentRef value) {
    if (!value.is_list()) return false;
    out += "a list";
    return true;
  };
  EXPECT_THAT(format_node(*y, {.print_argument = lists}),
              HasSubstr("(%x, <pkg.Table object>, a list)"));
}

TEST(Listing, SpellingsOfAFunctionAreUsed) {
  Context context;
  Graph graph(context);
  const Target f = context.function(
      "m.<lambda>#2",
      {.base_name = "lam", .listing = "m.mul", .repr = "<function lam at 0x0>", .inner = "<lam>"});
  graph.call_function(f, {Argument::list({f}), f});
  EXPECT_EQ(format_graph(graph),
            "graph():\n    %lam : [num_users=0] = call_function[target=m.mul]"
            "(args = ([<function lam at 0x0>], <function lam at 0x0>), kwargs = {})");
  EXPECT_THAT(format_tabular(graph), HasSubstr("<function lam at 0x0>  ([<lam>], <lam>)  {}"));
}

TEST(Tabular, ExtraColumnsOnRequest) {
  Context context;
  Graph graph(context);
  Node* x = graph.placeholder("x");
  Node* y = graph.call_function(context.function("operator.add"), {x, x});
  Node* z = graph.call_function(context.function("operator.mul"), {x, y});
  const Dim sizes[] = {2};
  z->set_type(context.types().tensor({.dtype = DType::kFloat32, .sizes = sizes}));
  graph.output(z);
  EXPECT_EQ(
      format_tabular(graph, {.users = true, .input_nodes = true, .type = true}),
      R"(opcode         name    target                   args      kwargs    users       input nodes    type
-------------  ------  -----------------------  --------  --------  ----------  -------------  ------
placeholder    x       x                        ()        {}        [add, mul]  []
call_function  add     <built-in function add>  (x, x)    {}        [mul]       [x]
call_function  mul     <built-in function mul>  (x, add)  {}        [output]    [x, add]       f32[2]
output         output  output                   (mul,)    {}        []          [mul])");
}

// tabulate converts columns of strings that look like numbers to numbers.
TEST(Tabular, ColumnsOfNumbers) {
  struct Case {
    std::string_view first, second, table;
  };
  constexpr Case kCases[] = {
      {"True", "False", R"py(opcode       name    target    args    kwargs
-----------  ------  --------  ------  --------
call_module  true    True      ()      {}
call_module  false   False     ()      {})py"},
      {"1_000", "2", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  _1_000     1_000  ()      {}
call_module  _2             2  ()      {})py"},
      {"1,000", "2", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  _1_000     1,000  ()      {}
call_module  _2             2  ()      {})py"},
      {"1e5", "2.5", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  _1e5    100000    ()      {}
call_module  _2_5         2.5  ()      {})py"},
      {"inf", "1", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  inf_1        inf  ()      {}
call_module  _1             1  ()      {})py"},
      {"infinity", "1", R"py(opcode       name      target    args    kwargs
-----------  --------  --------  ------  --------
call_module  infinity  infinity  ()      {}
call_module  _1        1         ()      {})py"},
      {"nan", "-inf", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  nan_1        nan  ()      {}
call_module  _inf        -inf  ()      {})py"},
      {"1.", ".5", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  _1_          1    ()      {}
call_module  _5           0.5  ()      {})py"},
      {"+1", "-2", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  _1            +1  ()      {}
call_module  _2            -2  ()      {})py"},
      {" 7", "8", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  _7             7  ()      {}
call_module  _8             8  ()      {})py"},
      {"1e400", "1", R"py(opcode       name    target    args    kwargs
-----------  ------  --------  ------  --------
call_module  _1e400  1e400     ()      {}
call_module  _1      1         ()      {})py"},
      {"0x1", "1", R"py(opcode       name    target    args    kwargs
-----------  ------  --------  ------  --------
call_module  _0x1    0x1       ()      {}
call_module  _1      1         ()      {})py"},
      {"1,000.5", "2", R"py(opcode       name        target  args    kwargs
-----------  --------  --------  ------  --------
call_module  _1_000_5    1000.5  ()      {}
call_module  _2             2    ()      {})py"},
      {"1__0", "1", R"py(opcode       name    target    args    kwargs
-----------  ------  --------  ------  --------
call_module  _1__0   1__0      ()      {}
call_module  _1      1         ()      {})py"},
      {"", "1", R"py(opcode       name        target  args    kwargs
-----------  --------  --------  ------  --------
call_module  _unnamed            ()      {}
call_module  _1               1  ()      {})py"},
      {"1.5", "True", R"py(opcode       name      target  args    kwargs
-----------  ------  --------  ------  --------
call_module  _1_5         1.5  ()      {}
call_module  true      True    ()      {})py"},
      {"1e5", "100000", R"py(opcode       name       target  args    kwargs
-----------  -------  --------  ------  --------
call_module  _1e5       100000  ()      {}
call_module  _100000    100000  ()      {})py"},
      {"123456789.25", "1", R"py(opcode       name                target  args    kwargs
-----------  -------------  -----------  ------  --------
call_module  _123456789_25  1.23457e+08  ()      {}
call_module  _1             1            ()      {})py"},
  };
  for (const Case& c : kCases) {
    Context context;
    Graph graph(context);
    graph.call_module(c.first);
    graph.call_module(c.second);
    EXPECT_EQ(format_tabular(graph), c.table);
  }
}

TEST(Tabular, RowsWithSeveralLinesAndWhitespace) {
  Context context;
  Graph graph(context);
  graph.call_module("  pad ");
  graph.call_method("two\nlines", {1});
  graph.call_method("", {});
  graph.call_method("\u00e9\u4e16\u754c", {"\u00e9"});
  EXPECT_EQ(format_tabular(graph), R"py(opcode       name       target    args    kwargs
-----------  ---------  --------  ------  --------
call_module  _pad_      pad       ()      {}
call_method  two_lines  two       (1,)    {}
                        lines
call_method  _unnamed             ()      {}
call_method  _          é世界       ('é',)  {})py");
}

// parity: D1c
// The graph in torch.fx's documentation: linear, a parameter, topk of a sum.
TEST(Tabular, DocumentationExample) {
  Context context;
  Graph graph(context);
  Node* x = graph.placeholder("x");
  Node* weight = graph.get_attr("linear.weight");
  Node* add = graph.call_function(context.function("operator.add"), {x, weight});
  Node* linear = graph.call_module("linear", {add});
  Node* relu = graph.call_method("relu", {linear});
  Node* sum = graph.call_function(context.function("torch.sum"), {relu}, {{Kwarg("dim", -1)}});
  Node* topk = graph.call_function(context.function("torch.topk"), {sum, 3});
  graph.output(topk);
  EXPECT_EQ(
      format_tabular(graph),
      R"py(opcode         name           target                                        args                kwargs
-------------  -------------  --------------------------------------------  ------------------  -----------
placeholder    x              x                                             ()                  {}
get_attr       linear_weight  linear.weight                                 ()                  {}
call_function  add            <built-in function add>                       (x, linear_weight)  {}
call_module    linear         linear                                        (add,)              {}
call_method    relu           relu                                          (linear,)           {}
call_function  sum_1          <built-in method sum of type object at 0x0>   (relu,)             {'dim': -1}
call_function  topk           <built-in method topk of type object at 0x0>  (sum_1, 3)          {}
output         output         output                                        (topk,)             {})py");
  EXPECT_EQ(format_graph(graph), R"py(graph():
    %x : [num_users=1] = placeholder[target=x]
    %linear_weight : [num_users=1] = get_attr[target=linear.weight]
    %add : [num_users=1] = call_function[target=operator.add](args = (%x, %linear_weight), kwargs = {})
    %linear : [num_users=1] = call_module[target=linear](args = (%add,), kwargs = {})
    %relu : [num_users=1] = call_method[target=relu](args = (%linear,), kwargs = {})
    %sum_1 : [num_users=1] = call_function[target=torch.sum](args = (%relu,), kwargs = {dim: -1})
    %topk : [num_users=1] = call_function[target=torch.topk](args = (%sum_1, 3), kwargs = {})
    return topk)py");
}

TEST(PythonText, StringsAndTuples) {
  EXPECT_EQ(python_str("x'y"), "x'y");
  EXPECT_EQ(python_repr("x'y"), "\"x'y\"");
  EXPECT_EQ(python_repr("\xff"), "'\\xff'");  // not a valid character in Python
  EXPECT_EQ(python_repr("\U0001f600\U000e0001"), "'\U0001f600\\U000e0001'");
  EXPECT_EQ(python_str(Argument::tuple({"a"})), "('a',)");
  const Argument sizes[] = {2, 3};
  EXPECT_EQ(python_str(Argument::named_tuple("torch.Size", sizes)), "torch.Size([2, 3])");
  EXPECT_EQ(python_str(Argument::named_tuple("Pair", sizes)), "Pair(2, 3)");
}

// The table is also a preset of print().
TEST(Tabular, IsAPreset) {
  Context context;
  Graph graph(context);
  graph.output(graph.placeholder("x"));
  EXPECT_EQ(print(graph, {.preset = PrintPreset::kTabular}), format_tabular(graph) + "\n");
  EXPECT_EQ(print(graph, {.preset = PrintPreset::kTorch}), format_graph(graph) + "\n");
}

}  // namespace
}  // namespace fx::listing_test
