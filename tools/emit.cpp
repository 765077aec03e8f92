// fxcpp emit: a graph as a picture, as data for other programs, as code.
#include "fx/codegen/dot/dot.h"
#include "fx/codegen/networkx/networkx.h"
#include "fx/codegen/python/python.h"
#include "fx/ir/json.h"
#include "fx/ir/support/status.h"
#ifdef FX_GRAPHVIZ
#include "fx/codegen/graphviz/svg.h"
#endif
#include "tools/command.h"
#include "tools/summary.h"

#include "fmt/format.h"

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct Options {
  std::string input, output, to, title;
  GraphViewOptions view;
  bool calls = false, normalize = false, no_legend = false;
  double seconds = 3;
};

DotOptions dot_options(const Options& options) {
  return {.title = options.title,
          .detail = options.calls ? DotDetail::kCalls : DotDetail::kNames,
          .normalize_arguments = options.normalize,
          .legend = !options.no_legend};
}

absl::StatusOr<std::string> draw(const Graph& graph, const Options& options) {
#ifdef FX_GRAPHVIZ
  return draw_svg(graph,
                  {.view = options.view, .dot = dot_options(options), .seconds = options.seconds});
#else
  (void)graph, (void)options;
  return absl::UnimplementedError(
      "this fxcpp was built without Graphviz's library: install libgraphviz-dev and build again, "
      "or draw what `--to dot` writes");
#endif
}

absl::StatusOr<std::string> emit(const Graph& graph, const Options& options) {
  if (options.to == "svg") return draw(graph, options);
  if (options.to == "dot") return write_dot(graph, options.view, dot_options(options));
  if (options.to == "networkx") return write_networkx(graph, {.selection = options.view.selection});
  if (!options.view.selection.is_whole()) {
    return absl::InvalidArgumentError(
        fmt::format("--to {} writes the whole graph: no --around, no --module", options.to));
  }
  if (options.to == "python") {
    const std::optional<Argument> name = graph.meta("model");
    return python_module(graph, name && name->is_string() ? name->as_string() : "GraphModule");
  }
  return write_json(graph);
}

}  // namespace

Run add_emit(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option("--to", options->to,
                 "dot: Graphviz's language; svg: a picture; json: the interchange JSON; networkx: "
                 "node-link JSON; python: a module that runs the graph in Python")
      ->required()
      ->check(CLI::IsMember({"dot", "svg", "json", "networkx", "python"}));
  app.add_option("-o", options->output, "write to this file instead of standard output");
  app.add_option("--around", options->view.selection.around,
                 "only this node and what leads to it or follows from it");
  app.add_option("--depth", options->view.selection.depth, "of --around: over how many edges")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--module", options->view.selection.module,
                 "only the nodes of this module, forward and backward");
  app.add_flag("--expand", options->view.expand,
               "every node, where a picture of a large graph would show modules");
  app.add_flag("--parameters", options->view.show_parameters,
               "parameters and buffers as boxes, not as lines in the boxes that read them");
  app.add_flag("--calls", options->calls,
               "boxes with target, arguments and number of users, as torch.fx's FxGraphDrawer");
  app.add_flag("--normalize", options->normalize,
               "with --calls: arguments by their names in the schema, defaults too");
  app.add_flag("--no-legend", options->no_legend, "no legend");
  app.add_option("--title", options->title, "over the legend; else the model's name");
  app.add_option("--seconds", options->seconds, "for each layout; then a coarser one is made")
      ->capture_default_str();
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, load_graph(context, options->input));
    // Whatever cannot be typed is drawn without a type.
    if (options->to != "json" && options->to != "python") complete_types(*graph);
    FX_ASSIGN_OR_RETURN(const std::string text, emit(*graph, *options));
    FX_RETURN_IF_ERROR(write_file(options->output, text));
    return kDone;
  };
}

}  // namespace fx::tools
