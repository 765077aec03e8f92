// fxcpp diff: prints the first difference between two graphs, in their structure or in their
// results.
#include "fx/ir/verify/diff.h"

#include "fx/codegen/html/diff_html.h"
#include "fx/ir/support/cli/option_checks.h"
#include "fx/ir/support/status.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"
#include "tools/parts.h"

#include "fmt/format.h"

#include <algorithm>

#include "CLI/CLI.hpp"

namespace fx::tools {

Run add_diff(CLI::App& app) {
  struct DiffFlags {
    std::string left, right;
    std::vector<std::string> ignore;
    std::string html;
    bool run = false;
    ComparedRun compared;
  };
  auto options = std::make_shared<DiffFlags>();
  app.add_option("A", options->left, "a graph")->required();
  app.add_option("B", options->right, "the graph to compare it with")->required();
  app.add_option("--ignore", options->ignore, "differences to ignore: names, meta, types")
      ->delimiter(',')
      ->check(CLI::IsMember({"names", "meta", "types"}));
  app.add_option("--html", options->html,
                 "write both graphs side by side to this file, as a web page");
  CLI::Option* run =
      app.add_flag("--run", options->run,
                   "run both with libtorch and compare values instead: results, written inputs, "
                   "and the first node that differs");
  app.add_option("--inputs", options->compared.files,
                 "--run: safetensors files with inputs, which take precedence over the file next "
                 "to A; missing inputs are generated from their types")
      ->needs(run);
  app.add_option("--rtol", options->compared.rtol,
                 "--run: elements may differ by ATOL + RTOL * |B|; by default they must be "
                 "bit-equal")
      ->needs(run)
      ->check(check_tolerance);
  app.add_option("--atol", options->compared.atol, "--run: see --rtol")
      ->needs(run)
      ->check(check_tolerance);
  app.add_flag("--gradients", options->compared.gradients,
               "--run: also compare gradients of the inputs, computed by libtorch's autograd")
      ->needs(run);
  app.add_flag("!--no-written-inputs", options->compared.written_inputs,
               "--run: do not compare the final values of inputs that the graphs write to")
      ->needs(run);
  app.add_option("--seed", options->compared.seed,
                 "--run: the seed for generated inputs and random operators")
      ->needs(run)
      ->check(check_seed);
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_RETURN_IF_ERROR(command_extensions().set_up(context));
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> left, load_graph(context, options->left));
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> right, load_graph(context, options->right));
    auto ignored = [&](const char* what) {
      return std::find(options->ignore.begin(), options->ignore.end(), what) !=
             options->ignore.end();
    };
    const DiffOptions ignore = {.ignore_names = ignored("names"),
                                .ignore_meta = ignored("meta"),
                                .ignore_types = ignored("types")};
    if (!options->html.empty()) {
      FX_RETURN_IF_ERROR(write_file(
          options->html,
          diff_html(*left, *right,
                    {.ignore = ignore, .left_name = options->left, .right_name = options->right})));
    }
    if (options->run) {
      FX_ASSIGN_OR_RETURN(const TorchPart* torch, torch_part());
      options->compared.left = options->left;
      options->compared.right = options->right;
      FX_ASSIGN_OR_RETURN(const bool same,
                          torch->compare_by_running(*left, *right, options->compared));
      return same ? kDone : kFound;
    }
    auto difference = first_difference(*left, *right, ignore);
    if (!difference) return kDone;
    FX_RETURN_IF_ERROR(write_file("-", difference->message + "\n"));
    return kFound;
  };
}

}  // namespace fx::tools
