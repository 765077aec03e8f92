// fxcpp opt: runs passes, named in text, over a graph.
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "fx/ir/verifier.h"
#include "fx/passes/eliminate_common_subexpressions.h"
#include "fx/passes/eliminate_dead_code.h"
#include "fx/passes/functionalize.h"
#include "fx/passes/shape/shape_prop.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

/// One step of a pipeline: `functionalize{copy_back=false}`.
struct Step {
  std::string name;
  std::vector<std::pair<std::string, bool>> options;
};

struct Pass {
  std::string_view name;
  std::string_view about;
  std::vector<std::string_view> options;  ///< switches
  absl::StatusOr<bool> (*run)(Graph& graph, const Step& step);
};

bool is_on(const Step& step, std::string_view option, bool otherwise) {
  for (const auto& [name, on] : step.options)
    if (name == option) otherwise = on;
  return otherwise;
}

absl::StatusOr<bool> run_types(Graph& graph, const Step&) {
  const uint64_t before = graph.version();
  const ShapeReport report = propagate_types(graph);
  if (!report.ok()) return absl::InvalidArgumentError(report.str());
  return graph.version() != before;
}

const std::vector<Pass>& passes() {
  static const auto* table = new std::vector<Pass>{
      {"eliminate_common_subexpressions",
       "computes once what is computed several times",
       {},
       [](Graph& graph, const Step&) { return eliminate_common_subexpressions(graph); }},
      {"eliminate_dead_code",
       "removes calls that nobody reads and that do nothing else",
       {"keep_random"},
       [](Graph& graph, const Step& step) {
         return eliminate_dead_code(graph, {.keep_random = is_on(step, "keep_random", true)});
       }},
      {"functionalize",
       "replaces operators that write to tensors by ones that give new tensors",
       {"copy_back"},
       [](Graph& graph, const Step& step) {
         return functionalize(graph, {.copy_back = is_on(step, "copy_back", true)});
       }},
      {"propagate_types", "types every call from the types of the inputs", {}, run_types},
  };
  return *table;
}

const Pass* find_pass(std::string_view name) {
  const auto pass = std::ranges::find(passes(), name, &Pass::name);
  return pass == passes().end() ? nullptr : &*pass;
}

/// The part of `text` up to one of `ends`, which is taken off.
std::string take_until(std::string_view& text, std::string_view ends) {
  const size_t size = std::min(text.find_first_of(ends), text.size());
  std::string word(text.substr(0, size));
  text.remove_prefix(size);
  std::erase(word, ' ');
  return word;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Reads `name{option=true,option=false},name`.
absl::StatusOr<std::vector<Step>> parse_pipeline(std::string_view text) {
  std::vector<Step> steps;
  do {
    Step step{.name = take_until(text, ",{"), .options = {}};
    const Pass* pass = find_pass(step.name);
    if (!pass) {
      std::string known;
      for (const Pass& p : passes())
        fmt::format_to(std::back_inserter(known), "{}{}", known.empty() ? "" : ", ", p.name);
      return absl::InvalidArgumentError(
          fmt::format("there is no pass \"{}\"; there are {}", step.name, known));
    }
    if (take(text, '{')) {
      do {
        const std::string name = take_until(text, "=,}");
        const std::string value = take(text, '=') ? take_until(text, ",}") : "true";
        if (std::ranges::find(pass->options, name) == pass->options.end()) {
          return absl::InvalidArgumentError(
              fmt::format("pass {} has no option \"{}\"", step.name, name));
        }
        if (value != "true" && value != "false") {
          return absl::InvalidArgumentError(fmt::format(
              "option {} of pass {} is true or false, not \"{}\"", name, step.name, value));
        }
        step.options.emplace_back(name, value == "true");
      } while (take(text, ','));
      if (!take(text, '}')) {
        return absl::InvalidArgumentError(
            fmt::format("the options of pass {} want a closing brace", step.name));
      }
    }
    steps.push_back(std::move(step));
  } while (take(text, ','));
  if (!text.empty())
    return absl::InvalidArgumentError(fmt::format("a comma wanted before \"{}\"", text));
  return steps;
}

std::string describe_passes() {
  std::string text = "Passes:\n";
  for (const Pass& pass : passes()) {
    std::string options;
    for (const std::string_view option : pass.options)
      fmt::format_to(std::back_inserter(options), "{{{}=true|false}}", option);
    fmt::format_to(std::back_inserter(text), "  {}{}\n      {}\n", pass.name, options, pass.about);
  }
  return text;
}

}  // namespace

Run add_opt(CLI::App& app) {
  struct Options {
    std::string input, passes, output;
    bool print_after_all = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option("--passes", options->passes, "which, in order: a,b{option=false},c")->required();
  app.add_flag("--print-after-all", options->print_after_all,
               "the graph after each pass, on standard error");
  app.add_option("-o", options->output,
                 "the file to write (.fx, .json or .fxb), instead of text to standard output");
  app.footer(app.get_footer() + "\n" + describe_passes());
  return [options]() -> absl::StatusOr<int> {
    FX_ASSIGN_OR_RETURN(const std::vector<Step> steps, parse_pipeline(options->passes));
    Context context;
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, load_graph(context, options->input));
    for (const Step& step : steps) {
      const absl::StatusOr<bool> changed = find_pass(step.name)->run(*graph, step);
      if (!changed.ok()) return with_context(changed.status(), step.name);
      if (options->print_after_all)
        fmt::print(stderr, "# after {}{}\n{}", step.name, *changed ? "" : " (no change)",
                   print(*graph));
      const VerifierReport report = verify(*graph, {.warnings = false});
      if (!report.ok()) {
        return absl::InternalError(
            fmt::format("the graph is broken after {}:\n{}", step.name, report.str()));
      }
    }
    FX_RETURN_IF_ERROR(save_graph(*graph, options->output));
    return kDone;
  };
}

}  // namespace fx::tools
