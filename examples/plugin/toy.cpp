// A plugin for an imaginary target, "toy": an operator with its rules, a pass, rewrite rules, and
// an output and an input format.
//
//   fxcpp passes --load-plugin build/libtoy.so
//   fxcpp rewrite model.fx --load-plugin build/libtoy.so --rules toy_fusions
//   fxcpp shape model.fx --load-plugin build/libtoy.so
//   fxcpp emit model.fx --load-plugin build/libtoy.so --to toy
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/tools/driver/plugin.h"

#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace {

// ---- An operator: x * scale + shift

constexpr const char* kAffine = "toy.affine.default";

fx::Type affine_type(fx::TypeCall& c) {
  const fx::Type x = c.tensor(0);
  if (!fx::is_floating_point(x.dtype()))
    return c.fail("x must be a floating-point tensor, not " + fx::to_string(x));
  return c.result(x.dtype(), x.sizes());
}

fx::OperatorExtension affine() {
  return {.schema = "toy::affine(Tensor x, float scale=1.0, float shift=0.0) -> Tensor",
          .type = affine_type,
          .derivative = fx::DerivativeRule{.arguments = {{"x",
                                                          [](fx::Derivative& d) -> fx::AnyArg {
                                                            return d.grad() * d.scalar("scale");
                                                          }}}},
          .decomposition = fx::Decomposition{.function = [](fx::Decomposer& d) -> fx::AnyArg {
            return d.tensor("x") * d.scalar("scale") + d.scalar("shift");
          }}};
}

// ---- A pass: removes calls to affine that change nothing

absl::StatusOr<bool> remove_identities(fx::PassRun& run) {
  bool changed = false;
  for (fx::Node* node : run.graph().find_nodes(run.graph().context().function(kAffine))) {
    const auto scale = node->argument("scale"), shift = node->argument("shift");
    if (!scale || !shift || *scale != fx::Argument(1.0) || *shift != fx::Argument(0.0)) continue;
    node->replace_all_uses_with(node->arg(0).node());
    FX_RETURN_IF_ERROR(run.graph().erase_node(node));
    run.count("identities removed");
    changed = true;
  }
  return changed;
}

// ---- Rewrite rules

absl::StatusOr<fx::RuleSet> fusions(fx::Context& context) {
  return fx::RuleSet::parse(context, R"(
    graph @affine() {
      graph @pattern(%x : f32[*], %scale !{match="number"}, %shift !{match="number"}) {
        %mul = aten.mul.Tensor(%x, %scale)
        %add = aten.add.Tensor(%mul, %shift)
        return %add
      }
      graph @replacement(%x, %scale, %shift) {
        %affine = toy.affine.default(%x, %scale, %shift)
        return %affine
      }
    })");
}

// ---- An output format: one line for each node

absl::StatusOr<std::string> emit_toy(const fx::EmitSource& source) {
  std::ostringstream text;
  for (const fx::Node& node : source.graph.nodes()) {
    if (node.is_placeholder()) {
      text << "input " << node.name() << ' ' << fx::to_string(node.type()) << '\n';
      continue;
    }
    if (node.is_output()) {
      const fx::Node* result = node.arg(0).node();
      if (result == nullptr) return absl::UnimplementedError("a toy program must return one value");
      text << "return " << result->name() << '\n';
      continue;
    }
    const bool is_affine = node.target() == kAffine;
    if (!is_affine && node.target() != "aten.relu.default")
      return absl::UnimplementedError("toy has no operator " + std::string(node.target()));
    text << node.name() << (is_affine ? " = affine " : " = relu ") << node.arg(0).node()->name();
    for (const char* name : {"scale", "shift"})
      if (is_affine) text << ' ' << node.argument(name)->as_float();
    text << '\n';
  }
  return text.str();
}

// ---- An input format: the same lines

absl::StatusOr<fx::GraphDocument> read_toy(fx::Context& context, const std::string& path) {
  FX_ASSIGN_OR_RETURN(const std::string text, fx::read_file(path));
  auto graph = std::make_unique<fx::Graph>(context);
  std::map<std::string, fx::Node*> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, second, op, operand;
    words >> first >> second;
    if (first == "input") {
      std::string type;
      std::getline(words >> std::ws, type);
      FX_ASSIGN_OR_RETURN(const fx::Type parsed, context.types().parse(type));
      values[second] = graph->placeholder(second, {.type = parsed});
    } else if (first == "return" && values.contains(second)) {
      graph->output(values[second]);
    } else if (words >> op >> operand; second == "=" && values.contains(operand)) {
      double scale = 1, shift = 0;
      words >> scale >> shift;
      values[first] = op == "affine" ? graph->call_function(context.function(kAffine),
                                                            {values[operand], scale, shift}, {},
                                                            {.name = first})
                                     : graph->call_function(context.function("aten.relu.default"),
                                                            {values[operand]}, {}, {.name = first});
    } else {
      return absl::InvalidArgumentError("cannot read the line: " + line);
    }
  }
  fx::GraphDocument document;
  document.standalone_graph = std::move(graph);
  return document;
}

absl::Status add_toy(fx::Extensions& extensions) {
  FX_RETURN_IF_ERROR(extensions.add(affine()));
  FX_RETURN_IF_ERROR(extensions.add(fx::Pass{"toy_remove_identities",
                                             "removes calls to toy.affine that change nothing",
                                             remove_identities}));
  FX_RETURN_IF_ERROR(extensions.add(fx::RuleExtension{
      "toy_fusions", "products and sums with numbers become toy.affine", fusions}));
  FX_RETURN_IF_ERROR(
      extensions.add(fx::Emitter{"toy", "the instructions of the toy target", emit_toy}));
  return extensions.add(fx::ImportFormat{".toy", "the instructions of the toy target", read_toy});
}

}  // namespace

FXCPP_PLUGIN("toy", "an imaginary target", add_toy);
