// Random graphs for tests: see random_graph.h.
#include "tests/testing/random_graph.h"

#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"

#include <utility>
#include <vector>

namespace fx::testing {
namespace {

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
  Argument source(int levels);
  std::string key() { return random_.chance(10) ? random_string(random_) : random_word(random_); }

  Context& context_;
  Random random_;
  const RandomGraphOptions& options_;
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
    case 2: {
      const Argument parts[] = {item(), item(), item()};
      return Argument::slice(parts[0], parts[1], parts[2]);
    }
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

/// Returns a name. It is usually empty: the name is then derived from the target.
std::string Generator::name() {
  if (random_.chance(60)) return {};
  constexpr std::string_view kNames[] = {"x", "input", "add_1", "sum", "_", "a_01", "y_3"};
  return std::string(random_.pick(kNames));
}

Target Generator::function() {
  if (options_.spelled_functions && random_.chance(5)) {
    // Each function has a new name, because the Context keeps the first spelling of a name.
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
  return context_.function(random_function_name(random_));
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
  if (random_.chance(10)) meta.set(meta::kOriginalAten, random_function_name(random_));
  if (random_.chance(10)) meta.set(meta::kFromNode, Argument::list({source(2), source(0)}));
  if (random_.chance(10)) {
    const Target function = context_.function(random_function_name(random_));
    meta.set("source_fn", Argument::list({Argument::list({"l_1", function})}));
  }
  if (random_.chance(10)) meta.set("tensor_meta", random_tensor_value(context_, random_));
  if (random_.chance(10)) meta.set("val", random_tensor_value(context_, random_));
  if (node->is_placeholder() && random_.chance(20))
    meta.set(meta::kInput, Argument::dict({{"kind", "parameter"}, {"of", random_int(random_)}}));
  if (node->is_output() && random_.chance(50))
    meta.set(meta::kOutputs, Argument::list({Argument::dict({{"kind", "gradient"}})}));
  if (random_.chance(40)) {
    std::string key = random_word(random_);
    meta.set("user_" + key,
             random_constant(context_, random_, options_.max_argument_depth, options_));
  }
}

/// Returns an entry of `from_node` with this number of levels of history.
Argument Generator::source(int levels) {
  std::vector<Argument> history;
  if (levels > 0) history.push_back(source(levels - 1));
  return Argument::dict({{"name", random_word(random_)},
                         {"target", random_function_name(random_)},
                         {"graph_id", random_int(random_)},
                         {"pass_name", "fuse"},
                         {"action", "replace+create"},
                         {"from_node", Argument::list(history)}});
}

std::unique_ptr<Graph> Generator::make(int depth) {
  auto graph = std::make_unique<Graph>(context_);
  if (options_.meta && random_.chance(50)) {
    graph->set_meta("model", random_word(random_));
    if (random_.chance(50)) graph->set_meta("format", random_int(random_));
    if (random_.chance(10)) {
      const Argument names = Argument::list({"x"});
      graph->set_meta("calling_convention",
                      Argument::dict({{"orig_args", names}, {"in_spec", Argument()}}));
    }
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

}  // namespace fx::testing
