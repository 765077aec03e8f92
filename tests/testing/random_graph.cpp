// Random graphs for tests: see random_graph.h.
#include "tests/testing/random_graph.h"

#include "fx/ir/dtype.h"
#include "fx/ir/meta.h"
#include "fx/ir/support/check.h"

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

namespace fx::testing {
namespace {

constexpr std::string_view kFunctions[] = {"aten.add.Tensor",     "aten.relu.default",
                                           "aten.conv2d.default", "operator.getitem",
                                           "operator.add",        "builtins.getattr",
                                           "torch.relu",          "torch.nn.functional.gelu",
                                           "math.floor",          "higher_order.cond",
                                           "torch._C._nn.linear", "my_library.f",
                                           "mylib.op.out",        "plain"};

// Braces fix the order of evaluation, which the arguments of a call leave open.
Argument slice_of(std::array<Argument, 3> parts) {
  return Argument::slice(parts[0], parts[1], parts[2]);
}

class Generator {
 public:
  Generator(Context& context, uint64_t seed, const RandomGraphOptions& options)
      : context_(context), random_(seed), options_(options) {}

  std::unique_ptr<Graph> make(int depth);

 private:
  Argument argument(const Graph& graph, const std::vector<Node*>& nodes, int depth);
  std::string name();
  Target function();
  void decorate(Node* node);
  std::string key() { return random_.chance(10) ? random_string(random_) : random_word(random_); }

  Context& context_;
  Random random_;
  const RandomGraphOptions& options_;
  int num_functions_ = 0;
};

Argument Generator::argument(const Graph& graph, const std::vector<Node*>& nodes, int depth) {
  if (!nodes.empty() && random_.chance(50)) return nodes[random_.below(nodes.size())];
  if (graph.num_subgraphs() > 0 && random_.chance(10))
    return Argument::graph(static_cast<uint32_t>(random_.below(graph.num_subgraphs())));
  if (depth == 0 || random_.chance(60)) return random_constant(context_, random_, depth, options_);
  const auto item = [&] { return argument(graph, nodes, depth - 1); };
  std::vector<Argument> items;
  for (size_t i = random_.below(4); i > 0; --i) items.push_back(item());
  switch (random_.below(6)) {
    case 0:
      return Argument::list(items);
    case 1:
      return Argument::tuple(items);
    case 2:
      return slice_of({item(), item(), item()});
    case 3:
      return Argument::named_tuple("torch.return_types.max", items);
    case 4: {
      const Argument pair[] = {item(), item()};
      return Argument::named_tuple("pkg.Point(x, y)", pair);
    }
    default: {
      std::vector<std::pair<Argument, Argument>> entries;
      for (size_t i = 0; i < items.size(); ++i) {
        const Argument key = random_.chance(50)
                                 ? Argument(static_cast<int64_t>(i) - 1)
                                 : Argument(random_word(random_) + std::to_string(i));
        entries.emplace_back(key, items[i]);
      }
      return Argument::dict(entries);
    }
  }
}

/// Mostly none: by the target.
std::string Generator::name() {
  if (random_.chance(60)) return {};
  constexpr std::string_view kNames[] = {"x", "input", "add_1", "sum", "_", "a_01", "y_3"};
  return std::string(random_.pick(kNames));
}

Target Generator::function() {
  if (options_.spelled_functions && random_.chance(5)) {
    // Each its own: the first spelling of a name stays in the Context.
    const std::string name = "my.module.f#" + std::to_string(random_.below(100000));
    FunctionSpelling spelling;
    const std::string base = "f_" + random_word(random_), listing = "my." + random_word(random_);
    if (random_.chance(60)) spelling.base_name = base;
    if (random_.chance(60)) spelling.listing = listing;
    if (random_.chance(60)) spelling.repr = "<function f at 0x0>";
    if (random_.chance(30)) spelling.inner = "<f>";
    return context_.function(name, spelling);
  }
  if (options_.odd_names && random_.chance(5)) {
    constexpr std::string_view kOdd[] = {"return",    "get_attr", "None",  "<lambda>",
                                         "a b.\"c\"", "1f",       "graph", "op"};
    return context_.function(random_.pick(kOdd));
  }
  return context_.function(random_.pick(kFunctions));
}

void Generator::decorate(Node* node) {
  if (options_.types && random_.chance(60)) node->set_type(random_type(context_, random_));
  if (!options_.meta || !random_.chance(40)) return;
  NodeMeta meta = node->meta();
  if (random_.chance(40)) meta.set(meta::kSeq, random_int(random_));
  if (random_.chance(40))
    meta.set(meta::kRegion, std::string_view(random_.chance(50) ? "fw" : "bw"));
  if (random_.chance(30)) meta.set(meta::kModule, std::string_view("layer1.0.conv"));
  if (random_.chance(20)) meta.set(meta::kAnnotation, std::string_view("torch.Tensor"));
  if (random_.chance(20)) {
    meta.set(meta::kStackTrace,
             std::string_view("File \"m.py\", line 3, in forward\n    return x + 1\n"));
  }
  if (random_.chance(20)) {
    meta.set(meta::kModuleStack,
             Argument::list({Argument::list({"fc@1", "fc", "torch.nn.modules.linear.Linear"})}));
  }
  if (random_.chance(40)) {
    std::string key = random_word(random_);
    meta.set("user_" + key,
             random_constant(context_, random_, options_.max_argument_depth, options_));
  }
}

std::unique_ptr<Graph> Generator::make(int depth) {
  auto graph = std::make_unique<Graph>(context_);
  if (options_.meta && random_.chance(50)) {
    graph->set_meta("model", random_word(random_));
    if (random_.chance(50)) graph->set_meta("format", random_int(random_));
    if (random_.chance(50))
      graph->set_meta("about", random_constant(context_, random_, 2, options_));
  }
  if (depth < options_.max_graph_depth) {
    for (size_t i = 0; random_.chance(20); ++i) {
      const std::string graph_name = random_word(random_) + std::to_string(i);
      FX_CHECK(graph->add_subgraph(graph_name, make(depth + 1)).ok());
    }
  }
  std::vector<Node*> nodes;
  const auto add = [&](Opcode op, std::string_view target, const std::vector<Argument>& args,
                       const std::vector<Kwarg>& kwargs) {
    const std::string candidate = name();
    NodeOptions node_options{.name = candidate};
    if (options_.odd_names && random_.chance(3)) {
      const std::string odd = random_string(random_, options_.invalid_utf8);
      const Name exact = split_name(context_.symbols(), odd);
      if (!graph->names().contains(exact)) node_options.exact_name = exact;
    }
    absl::StatusOr<Node*> node =
        op == Opcode::kCallFunction ? graph->create_node(op, function(), args, kwargs, node_options)
                                    : graph->create_node(op, target, args, kwargs, node_options);
    FX_CHECK(node.ok(), std::string(node.status().message()));
    decorate(*node);
    if (op != Opcode::kOutput) nodes.push_back(*node);
  };
  const int levels = options_.max_argument_depth;
  for (size_t i = random_.below(5); i > 0; --i) {
    std::vector<Argument> default_value;
    if (random_.chance(25))
      default_value.push_back(random_constant(context_, random_, levels, options_));
    constexpr std::string_view kTargets[] = {"x", "input", "self_p", "*args", "**kwargs", "mask"};
    add(Opcode::kPlaceholder,
        std::string(random_.pick(kTargets)) + (i > 1 ? std::to_string(i) : ""), default_value, {});
  }
  for (size_t count = random_.below(options_.max_nodes + 1); count > 0; --count) {
    std::vector<Argument> args;
    std::vector<Kwarg> kwargs;
    for (size_t i = random_.below(4); i > 0; --i) args.push_back(argument(*graph, nodes, levels));
    for (size_t i = random_.chance(30) ? random_.below(3) + 1 : 0; i > 0; --i) {
      const std::string kwarg_key = key() + std::to_string(i);
      kwargs.emplace_back(context_.symbol(kwarg_key), argument(*graph, nodes, levels));
    }
    constexpr std::string_view kPaths[] = {"weight", "layer1.0.conv.weight", "0", "seq.1",
                                           "_tensor_constant0"};
    const bool odd = options_.odd_names && random_.chance(5);
    const std::string path = odd ? random_string(random_) : std::string(random_.pick(kPaths));
    switch (random_.below(6)) {
      case 0:
        add(Opcode::kGetAttr, path, {}, {});
        break;
      case 1:
        add(Opcode::kCallModule, path, args, kwargs);
        break;
      case 2:
        args.insert(args.begin(), nodes.empty() ? Argument(1) : Argument(nodes.back()));
        add(Opcode::kCallMethod, odd ? path : "size", args, kwargs);
        break;
      default:
        add(Opcode::kCallFunction, {}, args, kwargs);
        break;
    }
  }
  add(Opcode::kOutput, "output", {argument(*graph, nodes, levels)}, {});
  return graph;
}

}  // namespace

std::unique_ptr<Graph> random_graph(Context& context, uint64_t seed,
                                    const RandomGraphOptions& options) {
  return Generator(context, seed, options).make(1);
}

std::string random_word(Random& random) {
  constexpr std::string_view kWords[] = {"alpha", "dim",     "size_2", "x",
                                         "None",  "keepdim", "seq",    "f"};
  return std::string(random.pick(kWords));
}

std::string random_string(Random& random, bool invalid_utf8) {
  constexpr std::string_view kPieces[] = {
      "a",      "Z_9",    " ", "\"", "'",    "\\", "\n",     "\t", "\x01",      "\x7f",
      "\u00e9", "\u4e16", "#", "%x", "\r\n", "/*", "\u200b", "{}", "\U0001f600"};
  std::string text;
  for (size_t i = random.below(6); i > 0; --i) {
    if (invalid_utf8 && random.chance(20))
      text += static_cast<char>(random.below(256));
    else
      text += random.pick(kPieces);
  }
  return text;
}

double random_float(Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kSpecial[] = {
      0.0,    -0.0,  1.0, -1.5,      1e-05,     1e16, 123456789012345680.0,
      5e-324, 1e300, 0.1, kInfinity, -kInfinity};
  if (random.chance(5)) return std::numeric_limits<double>::quiet_NaN();
  if (random.chance(70)) return random.pick(kSpecial);
  const double any = std::bit_cast<double>(random.bits());
  return std::isnan(any) ? 0.5 : any;
}

int64_t random_int(Random& random) {
  if (random.chance(70)) return static_cast<int64_t>(random.below(20)) - 5;
  constexpr int64_t kSpecial[] = {std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max(), 1000000007};
  return random.chance(50) ? random.pick(kSpecial) : static_cast<int64_t>(random.bits());
}

SymExpr random_expr(Context& context, Random& random) {
  SymExprTable& exprs = context.exprs();
  constexpr std::string_view kSymbols[] = {"s0", "s77", "u1", "n"};
  SymExpr expr = exprs.symbol(random.pick(kSymbols));
  for (size_t i = random.below(4); i > 0; --i) {
    const SymExpr other = random.chance(50)
                              ? exprs.integer(static_cast<int64_t>(random.below(9)) + 1)
                              : exprs.symbol(random.pick(kSymbols));
    switch (random.below(5)) {
      case 0:
        expr = exprs.add(expr, other);
        break;
      case 1:
        expr = exprs.mul(expr, other);
        break;
      case 2:
        expr = exprs.floor_div(expr, other);
        break;
      case 3:
        expr = exprs.max(expr, other);
        break;
      default:
        expr = exprs.sub(expr, other);
        break;
    }
  }
  return expr;
}

Argument random_constant(Context& context, Random& random, int max_depth,
                         const RandomGraphOptions& options) {
  const auto item = [&] { return random_constant(context, random, max_depth - 1, options); };
  const auto items = [&] {
    std::vector<Argument> result;
    for (size_t i = random.below(4); i > 0; --i) result.push_back(item());
    return result;
  };
  switch (random.below(max_depth > 0 ? 22 : 15)) {
    case 0:
      return Argument::none();
    case 1:
      return random.chance(50);
    case 2:
      return random_int(random);
    case 3:
      return random_float(random);
    case 4:
      return std::complex<double>{random_float(random), random_float(random)};
    case 5:
      return random_string(random, options.invalid_utf8);
    case 6:
      return static_cast<DType>(random.below(kNumDTypes));
    case 7: {
      constexpr Device kDevices[] = {
          {}, {DeviceType::kCuda, 0}, {DeviceType::kMeta, -1}, {DeviceType::kCuda, -1}};
      return random.pick(kDevices);
    }
    case 8:
      return static_cast<Layout>(random.below(kNumLayouts));
    case 9:
      return static_cast<MemoryFormat>(random.below(kNumMemoryFormats));
    case 10: {
      const SymExpr expr = random_expr(context, random);
      return expr.is_int() ? Argument(expr.int_value()) : Argument(expr);
    }
    case 11:
      return random_type(context, random);
    case 12:
      return context.function(random.pick(kFunctions));
    case 13:
      return Argument::ellipsis();
    case 14:
      return Argument::object(random.chance(70) ? "torch.per_tensor_affine"
                                                : random_string(random));
    case 15:
      return Argument::list(items());
    case 16:
      return Argument::tuple(items());
    case 17: {
      const Argument sizes[] = {random_int(random), random_int(random)};
      return Argument::named_tuple("torch.Size", sizes);
    }
    case 18: {
      const Argument pair[] = {item(), item()};
      return Argument::named_tuple(random.chance(50) ? "pkg.Point(x, y)" : "op", pair);
    }
    case 19: {
      std::vector<std::pair<Argument, Argument>> entries;
      for (Argument& value : items()) {
        const auto number = static_cast<int64_t>(entries.size());
        Argument key = random.chance(50) ? Argument(number)
                                         : Argument(random_string(random) + std::to_string(number));
        entries.emplace_back(std::move(key), std::move(value));
      }
      return Argument::dict(entries);
    }
    case 20:
      return slice_of({item(), item(), item()});
    default: {
      const int64_t parts[] = {random_int(random), random_int(random), random_int(random)};
      return Argument::range(parts[0], parts[1], parts[2]);
    }
  }
}

Type random_type(Context& context, Random& random, int max_depth) {
  TypeTable& types = context.types();
  const auto items = [&] {
    std::vector<Type> result;
    for (size_t i = random.below(4); i > 0; --i) {
      const bool unknown = random.chance(10);
      result.push_back(unknown ? Type() : random_type(context, random, max_depth - 1));
    }
    return result;
  };
  const auto symbolic = [&] {
    SymExpr expr = random_expr(context, random);
    return expr.is_constant() ? context.exprs().symbol("s3") : expr;
  };
  if (random.chance(60)) {
    DimVector sizes, strides;
    for (size_t i = random.below(5); i > 0; --i) {
      sizes.push_back(random.chance(80) ? Dim(static_cast<int64_t>(random.below(70)))
                                        : Dim(random_expr(context, random)));
      strides.push_back(static_cast<int64_t>(random.below(100)));
    }
    TensorSpec spec;
    spec.dtype = static_cast<DType>(random.below(kNumDTypes + 1));
    spec.sizes = sizes;
    if (random.chance(20)) spec.strides = strides;
    if (random.chance(5)) spec.strides = StrideSpec::unknown();
    if (random.chance(10)) spec.offset = static_cast<int64_t>(random.below(1000));
    if (random.chance(5)) {
      spec.layout = Layout::kSparseCoo;
      spec.strides = {};
    }
    if (random.chance(20)) spec.device = {DeviceType::kCuda, 1};
    spec.requires_grad = random.chance(20);
    if (random.chance(5)) {
      spec.has_rank = false;
      spec.sizes = {};
      spec.strides = {};
    }
    return types.tensor(spec);
  }
  switch (random.below(max_depth > 0 ? 20 : 17)) {
    case 0:
      return types.none();
    case 1:
      return types.integer();
    case 2:
      return types.integer(random_int(random));
    case 3:
      return types.integer(symbolic());
    case 4:
      return types.floating();
    case 5:
      return types.floating(random_float(random));
    case 6:
      return types.floating(symbolic());
    case 7:
      return types.boolean();
    case 8:
      return types.boolean(random.chance(50));
    case 9:
      return types.boolean(context.exprs().compare(SymKind::kGt, context.exprs().symbol("s0"),
                                                   context.exprs().integer(4)));
    case 10:
      return types.complex();
    case 11:
      return types.complex({random_float(random), random_float(random)});
    case 12:
      return types.string();
    case 13:
      return types.string(random_string(random));
    case 14:
      return types.object("FakeScriptObject");
    case 15:
      return types.graph();
    case 16:
      return types.token();
    case 17:
      return types.list(items());
    case 18:
      return types.tuple(items());
    default: {
      std::vector<std::pair<Symbol, Type>> entries;
      for (const Type item : items())
        entries.emplace_back(context.symbol(random_word(random) + std::to_string(entries.size())),
                             item);
      return types.map(entries);
    }
  }
}

}  // namespace fx::testing
