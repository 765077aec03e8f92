// fxcpp rewrite: applies the rules in a file, or explains why a rule does not apply.
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/analysis/selection.h"
#include "fx/passes/rewrite/replace_pattern.h"
#include "fx/passes/rewrite/rule_set.h"
#include "fx/passes/rewrite/subgraph_matcher.h"
#include "fx/tools/driver/document.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"
#include "tools/module_option.h"

#include "fmt/format.h"

#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct RewriteFlags {
  std::string input, rules, output, explain, at;
  std::vector<std::string> modules;
  bool once = false, report = false, matches = false, graph_only = false;
  uint64_t max_rewrites = 0;
};

absl::StatusOr<size_t> find_rule(const RuleSet& rules, std::string_view name) {
  std::string names;
  for (size_t i = 0; i < rules.size(); ++i) {
    if (rules.name(i) == name) return i;
    names += (i == 0 ? "" : ", ") + std::string(rules.name(i));
  }
  return absl::InvalidArgumentError(
      fmt::format("unknown rule {}; the rules in the file are {}", name, names));
}

absl::StatusOr<int> explain(const Graph& graph, const RuleSet& rules, const NodeFilter& only,
                            const RewriteFlags& options) {
  FX_ASSIGN_OR_RETURN(const size_t rule, find_rule(rules, options.explain));
  const Node* at = nullptr;
  if (!options.at.empty()) {
    at = graph.find_node(options.at);
    if (!at) return absl::InvalidArgumentError(fmt::format("unknown node %{}", options.at));
  }
  FX_ASSIGN_OR_RETURN(const Mismatch mismatch, explain_mismatch(*rules.pattern(rule), graph, at,
                                                                {.filter = all_nodes(only)}));
  fmt::print("{}\n", mismatch.str());
  return mismatch.matches ? kDone : kFound;
}

absl::StatusOr<int> show_matches(const Graph& graph, const RuleSet& rules, const NodeFilter& only) {
  for (size_t i = 0; i < rules.size(); ++i) {
    FX_ASSIGN_OR_RETURN(const MatchList list,
                        find_matches(*rules.pattern(i), graph, {.filter = all_nodes(only)}));
    for (const Match match : list) {
      std::string names;
      for (const Node* node : match.nodes()) names += fmt::format(" %{}", node->name());
      fmt::print("{}:{}\n", rules.name(i), names);
    }
  }
  return kDone;
}

/// Returns the rules in a file, or those of a plugin.
absl::StatusOr<RuleSet> read_rules(Context& context, const std::string& name) {
  if (const RuleExtension* const rules = command_extensions().find_rules(name))
    return make_rules(*rules, context);
  FX_ASSIGN_OR_RETURN(const std::string text, read_compressed_input(name));
  return RuleSet::parse(context, text, {.file_name = name});
}

absl::StatusOr<int> run(const RewriteFlags& options) {
  Context context;
  FX_RETURN_IF_ERROR(command_extensions().set_up(context));
  FX_ASSIGN_OR_RETURN(const Document document,
                      Document::read_and_print_notes(context, options.input));
  Graph& graph = document.graph();
  FX_ASSIGN_OR_RETURN(const RuleSet rules, read_rules(context, options.rules));
  FX_ASSIGN_OR_RETURN(const NodeFilter only, in_modules(graph, options.modules));
  if (!options.explain.empty()) return explain(graph, rules, only, options);
  if (options.matches) return show_matches(graph, rules, only);
  FX_ASSIGN_OR_RETURN(
      const RewriteReport report,
      rewrite_greedily(graph, rules,
                       {.once = options.once, .only = only, .max_rewrites = options.max_rewrites}));
  FX_RETURN_IF_ERROR(with_context(verify_status(graph), "after the rules"));
  if (options.report)
    for (const auto& [name, count] : report.by_rule) fmt::print(stderr, "{} {}\n", count, name);
  FX_ASSIGN_OR_RETURN(const std::string left_out,
                      document.write(options.output, {.graph_only = options.graph_only}));
  if (!left_out.empty()) fmt::print(stderr, "# {}\n", left_out);
  return kDone;
}

constexpr std::string_view kAbout =
    R"(A rule is a graph with nested graphs @pattern and @replacement:
  graph @double_neg() {
    graph @pattern(%x) { %a = aten.neg.default(%x)  %b = aten.neg.default(%a)  return %b }
    graph @replacement(%x) { return %x }
  }
docs/rewriting.md describes everything that a pattern can express.)";

}  // namespace

Run add_rewrite(CLI::App& app) {
  auto options = std::make_shared<RewriteFlags>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option("--rules", options->rules,
                 "the file with the rules, or the name of a plugin's rules")
      ->required();
  add_module_option(app, options->modules, "replace, list or explain only matches in");
  app.add_flag("--once", options->once,
               "visit each node once, in order, instead of repeating until no rule applies");
  app.add_option("--max-rewrites", options->max_rewrites,
                 "the maximum number of rewrites; default: 16 per node plus 1000");
  app.add_flag("--report", options->report,
               "print the number of rewrites by each rule on standard error");
  auto* matches = app.add_flag("--matches", options->matches,
                               "list the matches of each rule's pattern, and change nothing");
  auto* why = app.add_option("--explain", options->explain,
                             "explain why this rule's pattern does not match, and change "
                             "nothing; exit status 1 if it does not match");
  why->excludes(matches);
  app.add_option("--at", options->at, "with --explain: the node for the first anchor")->needs(why);
  app.add_option(
      "-o", options->output,
      "the file to write (.fx, .json, .fxb; .safetensors for a module with its tensors; .pt2 for "
      "PyTorch), instead of text on standard output; tensors are written to g.safetensors next to "
      "g.fx");
  app.add_flag("--graph-only", options->graph_only,
               "write a .fx or .fxb file without the modules that the graph calls");
  app.footer(app.get_footer() + "\n" + std::string(kAbout));
  return [options]() -> absl::StatusOr<int> { return run(*options); };
}

}  // namespace fx::tools
