// fxcpp print: prints a graph in one of the presets of ir/text/text.h, or as JSON.
#include "fx/codegen/python/python.h"
#include "fx/interp/graph_guards.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/listing.h"
#include "fx/ir/text/print_nodes.h"
#include "fx/ir/text/text.h"
#include "fx/passes/analysis/selection.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"
#include "tools/module_option.h"

#include <fmt/format.h>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct PrintFlags {
  std::string input, output, preset = "fx";
  bool no_types = false, no_meta = false, guards = false;
  std::vector<std::string> modules;
  ReadableOptions readable;
};

/// Returns torch.fx's class name for the module that owns the graph.
std::string class_name(const Graph& graph) {
  const std::optional<Argument> name = graph.meta("model");
  return name && name->is_string() ? std::string(name->as_string()) : "GraphModule";
}

/// Returns a line for each guard, such as "size: Eq(m, n)".
std::string guards_text(const Graph& graph) {
  std::string text;
  for (const GraphGuard& guard : graph_guards(graph))
    text += fmt::format("{}: {}\n", guard_kind_name(guard.kind), guard.text);
  return text;
}

/// Returns the nodes of the selected modules. torch.fx's listings do not contain nested graphs.
absl::StatusOr<std::string> show_modules(const Graph& graph, const PrintFlags& options) {
  const bool is_fx = options.preset == "fx";
  if ((!is_fx && options.preset != "torch" && options.preset != "tabular") || options.guards) {
    return usage_error(
        "--module is valid only with --preset fx, torch or tabular, which print a line for each "
        "node");
  }
  FX_ASSIGN_OR_RETURN(const NodeFilter only, in_modules(graph, options.modules, {.nested = is_fx}));
  if (is_fx)
    return print_nodes(graph, only, {.types = !options.no_types, .meta = !options.no_meta});
  if (options.preset == "torch") return format_graph(graph, {.only = only}) + "\n";
  return format_tabular(graph, {.only = only}) + "\n";
}

absl::StatusOr<std::string> show(const Graph& graph, const PrintFlags& options) {
  if (!options.modules.empty()) return show_modules(graph, options);
  if (options.guards) return guards_text(graph);
  if (options.preset == "json") return write_json(graph);
  if (options.preset == "code") {
    FX_ASSIGN_OR_RETURN(const PythonCode code, python_code(graph));
    return code.source + "\n";
  }
  if (options.preset == "readable") {
    FX_ASSIGN_OR_RETURN(const std::string text,
                        python_readable(graph, class_name(graph), options.readable));
    return text + "\n";
  }
  return print(graph, {.preset = *print_preset_from_name(options.preset),
                       .types = !options.no_types,
                       .meta = !options.no_meta});
}

}  // namespace

Run add_print(CLI::App& app) {
  auto options = std::make_shared<PrintFlags>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option("--preset", options->preset,
                 "fx: text that can be parsed; torch: torch.fx's listing; tabular: torch.fx's "
                 "print_tabular; numbered: values as v1, v2; canonical: without names; json; code: "
                 "torch.fx's Python; readable: torch.fx's print_readable")
      ->check(CLI::IsMember(
          {"fx", "torch", "tabular", "numbered", "canonical", "json", "code", "readable"}))
      ->capture_default_str();
  add_module_option(app, options->modules, "fx, torch, tabular: print only");
  app.add_flag("--no-types", options->no_types, "omit types");
  app.add_flag("--no-meta", options->no_meta, "omit metadata");
  app.add_flag(
      "--guards", options->guards,
      "instead of the graph, print the requirements for a run: ranges and relations of symbolic "
      "sizes, numbers that were returned to a captured program, inputs that share memory");
  app.add_flag("--stride", options->readable.include_stride, "readable: print strides");
  app.add_flag("--device", options->readable.include_device, "readable: print devices");
  app.add_option("--show-meta", options->readable.additional_meta,
                 "readable: print metadata under this key; may be repeated");
  app.add_option("-o", options->output, "write to this file instead of standard output");
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_RETURN_IF_ERROR(command_extensions().set_up(context));
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, load_graph(context, options->input));
    FX_ASSIGN_OR_RETURN(const std::string text, show(*graph, *options));
    FX_RETURN_IF_ERROR(write_file(options->output, text));
    return kDone;
  };
}

}  // namespace fx::tools
