// Lesson 1: building graphs.
//
// Builds a graph by hand. Then, as torch.fx's documentation suggests, builds a model without code:
// layers.cfg lists its layers, and the program creates a GraphModule from them.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

namespace {

void build_by_hand(fx::Context& context) {
  fx::Graph graph(context);
  fx::Node* x = graph.placeholder("x");
  fx::Node* scaled = graph.call_function(context.function("aten.mul.Tensor"), {x, 2.0});
  fx::Node* out = graph.output(scaled);

  // Inserts an activation after `scaled`. The users of `scaled` use the new node instead.
  auto guard = graph.inserting_after(scaled);
  fx::Node* relu = graph.call_function(context.function("aten.relu.default"), {scaled});
  scaled->replace_all_uses_with(relu);
  std::cout << "By hand:\n"
            << fx::print(graph) << "output uses " << out->arg(0).as_node()->name() << "\n\n";
}

/// One line of the configuration: `linear 4 8` or `relu`.
absl::Status add_layer(const std::string& line, fx::Module& root, fx::Graph& graph,
                       fx::Node*& value) {
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  fx::Context& context = graph.context();
  std::string path = "layers." + std::to_string(root.find_module("layers")->children().size());
  if (kind == "linear") {
    int64_t in = 0, out = 0;
    if (!(words >> in >> out) || in <= 0 || out <= 0)
      return absl::InvalidArgumentError("linear must have two positive sizes: linear IN OUT");
    auto linear = std::make_shared<fx::Module>("torch.nn.modules.linear.Linear");
    linear->set_hyperparameter("in_features", in);
    linear->set_hyperparameter("out_features", out);
    FX_RETURN_IF_ERROR(root.add_submodule(path, linear));
    value = graph.call_module(path, {value});
    return absl::OkStatus();
  }
  if (kind == "relu" || kind == "sigmoid") {
    value = graph.call_function(context.function("torch." + kind), {value});
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("unknown layer \"" + kind + "\"; use linear, relu, sigmoid");
}

absl::StatusOr<std::unique_ptr<fx::GraphModule>> model_from(std::istream& configuration,
                                                            fx::Context& context) {
  auto root = std::make_shared<fx::Module>("ConfiguredModel");
  FX_RETURN_IF_ERROR(root->add_submodule("layers", std::make_shared<fx::Module>()));
  auto graph = std::make_unique<fx::Graph>(context);
  fx::Node* value = graph->placeholder("x");
  std::string line;
  for (int number = 1; std::getline(configuration, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    absl::Status status = add_layer(line, *root, *graph, value);
    if (!status.ok()) return fx::with_context(status, "line " + std::to_string(number));
  }
  graph->output(value);
  return fx::GraphModule::create(*root, std::move(graph), "ConfiguredModel");
}

}  // namespace

int main() {
  fx::Context context;
  build_by_hand(context);

  std::ifstream configuration("layers.cfg");
  auto model = model_from(configuration, context);
  if (!model.ok()) {
    std::cerr << model.status() << "\n";
    return 1;
  }
  const fx::Graph& graph = (*model)->graph();
  std::cout << "From layers.cfg:\n" << fx::print(graph);
  std::cout << "\nAs torch.fx lists it:\n" << fx::print(graph, {.preset = fx::PrintPreset::kTorch});
  std::cout << "\nModules:\n";
  for (const fx::NamedModule& module : (*model)->named_modules())
    if (!module.path.empty())
      std::cout << "  " << module.path << "  " << module.module->class_name() << "\n";
  fx::VerifierReport report = fx::verify(graph);
  std::cout << report.str();
  return report.ok() ? 0 : 1;
}
