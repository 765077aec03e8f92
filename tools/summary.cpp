// fxcpp shape --summary: prints the cost of a graph as tables or JSON, or plots it.
#include "tools/summary.h"

#include "fx/codegen/plot/memory_plot.h"
#include "fx/ir/support/cli/option_checks.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/steps.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/summary/summary.h"
#include "tools/command.h"
#include "tools/sweep.h"

#include "fmt/format.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

/// Returns the symbol with this name among the sizes in the graph.
absl::StatusOr<Symbol> find_symbol(const Graph& graph, std::string_view name) {
  std::string names;
  for (const Symbol symbol : symbols_of_sizes(graph, SymbolsOf::kAllNodes)) {
    if (symbol.str() == name) return symbol;
    names += (names.empty() ? "" : ", ") + std::string(symbol.str());
  }
  return absl::NotFoundError(
      names.empty()
          ? "the graph must have a symbolic size"
          : fmt::format("unknown symbol {}; the symbols of the graph are {}", name, names));
}

}  // namespace

absl::StatusOr<SymBindings> parse_symbols(const Graph& graph,
                                          const std::vector<std::string>& texts) {
  SymBindings bindings;
  for (const std::string& text : texts) {
    const size_t equals = std::min(text.find('='), text.size());
    const char* const end = text.data() + text.size();
    int64_t value = 0;
    const std::from_chars_result read =
        std::from_chars(std::min(text.data() + equals + 1, end), end, value);
    if (equals == 0 || read.ec != std::errc() || read.ptr != end || value < 0) {
      return absl::InvalidArgumentError(
          fmt::format("--symbol {}: expected NAME=N, as in s0=32", text));
    }
    const absl::StatusOr<Symbol> symbol = find_symbol(graph, text.substr(0, equals));
    if (!symbol.ok()) return with_context(symbol.status(), fmt::format("--symbol {}", text));
    bindings.insert_or_assign(*symbol, SymValue(value));
  }
  return bindings;
}

void add_summary_options(CLI::App& app, SummaryFlags& flags) {
  CLI::Option* summary =
      app.add_flag("--summary", flags.summary,
                   "parameters, FLOPs and memory of the graph, its operators and its modules");
  app.add_option("--plot", flags.plot, "plot memory over time to this SVG file");
  app.add_option("--symbol", flags.symbols,
                 "NAME=N: the value of a symbol in --summary and --plot; may be repeated");
  app.add_option("--depth", flags.depth, "--summary: the depth of modules")
      ->check(check_count)
      ->needs(summary)
      ->capture_default_str();
  app.add_option("--operators", flags.operators, "--summary: the number of operators")
      ->check(check_count)
      ->needs(summary)
      ->capture_default_str();
}

std::string complete_types(Graph& graph) {
  const Step step("infer types");
  bool any = false, all = true;
  for (const Node& node : graph.nodes()) {
    if (node.op() != Opcode::kCallFunction) continue;
    if (node.type())
      any = true;
    else
      all = false;
  }
  if (all) return {};
  if (!any) return propagate_types(graph, {.other_call = type_by_lowering}).str();
  for (Node& node : graph.nodes()) {
    if (node.op() != Opcode::kCallFunction || node.type()) continue;
    if (const absl::StatusOr<Type> type = infer_type(node); type.ok()) node.set_type(*type);
  }
  return {};
}

absl::StatusOr<int> print_summary(Graph& graph, const SummaryFlags& flags, bool json) {
  fmt::print(stderr, "{}", complete_types(graph));
  FX_ASSIGN_OR_RETURN(SymBindings bindings, parse_symbols(graph, flags.symbols));
  FX_ASSIGN_OR_RETURN(const GraphSummary summary, [&] {
    const Step step("summarize");
    return summarize(graph, {.bindings = std::move(bindings)});
  }());
  if (!flags.plot.empty()) {
    const auto model = graph.meta("model");
    const std::string title =
        model && model->is_string() ? std::string(model->as_string()) : std::string();
    FX_RETURN_IF_ERROR(write_file(flags.plot, plot_memory(summary.liveness, {.title = title})));
  }
  if (!flags.summary) return kDone;
  const std::string text =
      json
          ? summary_json(summary)
          : summary_text(summary, {.module_depth = flags.depth,
                                   .operators = static_cast<size_t>(std::max(0, flags.operators))});
  FX_RETURN_IF_ERROR(write_file("-", text));
  return kDone;
}

}  // namespace fx::tools
