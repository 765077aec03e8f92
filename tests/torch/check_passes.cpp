// check_graphs passes: runs every pass on models and random programs, and checks its guarantees:
// the graph is valid, changes are reported correctly, a second run changes nothing, libtorch
// computes the same results, written inputs and gradients, and values that shared memory still
// share it. If a difference exceeds the tolerance because rounding is magnified (a column counts
// these cases), the results must agree in float64.
//
//   check_graphs passes [--random N] [--seed S] [--models N] [--passes a,b] [--corpus DIR]
//                [--no-passes] [--forms] [--python FILE] [--cpp N]
//
// --models 0 runs all models of the zoo (forward and joint) and all graphs of the corpus; N runs an
// even sample of about N; -1 runs none. --forms writes each random program as text, JSON and
// binary, and reads it back. --python FILE writes the programs as Python for
// check_emitted_python.py. --cpp N compiles N of them, a hundred per translation unit. Prints a
// table with a row for each pass and form. The exit status is 1 if there are findings; each is
// printed as a paragraph. Without options, runs all passes on everything.
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/testing/corpus.h"
#include "tests/torch/checks.h"
#include "tests/torch/form_checker.h"
#include "tests/torch/pass_checker.h"
#include "tests/torch/random_subject.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::passes_check {
namespace {

struct Options {
  size_t random = 2000;
  int64_t models = 0;
  uint64_t seed = 1;
  std::string corpus = testing::corpus_dir().string();
  PassCheckerOptions passes;
  bool no_passes = false, has_forms = false;
  FormCheckerOptions forms;
};

/// Returns the stride of an even sample of about `wanted` of `count` items; 1 (all items) if
/// `wanted` is 0.
size_t stride_of(size_t count, int64_t wanted) {
  return wanted <= 0 ? 1 : std::max<size_t>(1, count / static_cast<size_t>(wanted));
}

void check_zoo(PassChecker& checker, const Options& options) {
  const size_t step = stride_of(zoo_models().size(), options.models);
  for (size_t i = options.seed % step; i < zoo_models().size(); i += step) {
    const std::string& name = zoo_models()[i].name;
    for (const bool joint : {false, true}) {
      Context context;
      const ModelInstance model = testing::make(name);
      const TensorSnapshot start(model.state, model.inputs);
      at::manual_seed(7);
      absl::StatusOr<CapturedGraph> captured =
          joint ? capture_joint(context, model.state, model.inputs, model.loss)
                : capture(context, model.state, model.forward_inputs(), model.forward);
      if (!captured.ok()) continue;
      start.restore();
      Subject subject{fmt::format("zoo {} {}", name, joint ? "joint" : "forward"),
                      std::move(captured->graph),
                      {},
                      std::move(captured->constants),
                      !joint,
                      true};
      for (const CapturedInput& input : captured->inputs) {
        if (input.numbers.empty()) {
          subject.inputs.emplace_back(input.tensor.detach().clone());
        } else {
          subject.inputs.push_back(input.numbers.back());
        }
      }
      checker.check(subject);
    }
  }
}

/// Loads data at the example sizes of a graph with symbolic sizes. The graph keeps its symbolic
/// sizes.
absl::StatusOr<GraphData> data_at_example_sizes(const Graph& graph) {
  FX_ASSIGN_OR_RETURN(const SymBindings sizes, example_sizes(graph));
  const std::unique_ptr<Graph> sized = graph.clone();
  FX_RETURN_IF_ERROR(set_input_sizes(*sized, sizes));
  return load_graph_data(*sized, {}, {.generate_missing = true});
}

void check_corpus(PassChecker& checker, const Options& options) {
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(options.corpus, none)) {
    if (entry.path().extension() == ".json" && entry.path().filename() != "index.json")
      files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  const size_t step = stride_of(files.size(), options.models);
  for (size_t i = options.seed % step; i < files.size(); i += step) {
    Context context;
    absl::StatusOr<std::unique_ptr<Graph>> graph = read_graph_file(context, files[i]);
    if (!graph.ok()) continue;
    absl::StatusOr<GraphData> data = data_at_example_sizes(**graph);
    if (!data.ok()) {
      fmt::print(stderr, "{}: {}\n", files[i], std::string(data.status().message()));
      continue;
    }
    const std::filesystem::path path(files[i]);
    Subject subject{
        fmt::format("corpus {} {}", path.parent_path().filename().string(), path.stem().string()),
        *std::move(graph), std::move(data->inputs), std::move(data->constants),
        !path.stem().string().starts_with("joint")};
    checker.check(subject);
  }
}

/// Runs random programs through every pass and every form. Returns false if there is a finding in a
/// form.
bool check_random(PassChecker& checker, const Options& options) {
  FormChecker forms(options.forms);
  for (size_t i = 0; i < options.random; ++i) {
    const auto context = std::make_shared<Context>();
    Subject subject = random_subject(*context, options.seed + i);
    if (!checker.check_spelling(subject)) continue;
    if (options.has_forms) forms.check(subject, context);
    if (!options.no_passes) checker.check(subject);
  }
  return !options.has_forms || forms.report();
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Checks the guarantees of every pass on models and random programs."};
  app.add_option("--random", options.random, "random programs")->capture_default_str();
  app.add_option("--models", options.models,
                 "approximate number of zoo and corpus graphs; 0: all; -1: none");
  app.add_option("--seed", options.seed,
                 "seed of the first random program and of the sample of models");
  app.add_option("--corpus", options.corpus, "folder of the corpus");
  app.add_option("--passes", options.passes.passes, "only these")->delimiter(',');
  app.add_option("--skip", options.passes.skipped, "not these")->delimiter(',');
  app.add_flag("--verbose", options.passes.verbose, "print why a graph does not run");
  app.add_flag("--no-passes", options.no_passes,
               "check only the forms of random programs, no passes");
  app.add_flag("--forms", options.has_forms, "check random programs as text, JSON and binary");
  app.add_option("--python", options.forms.python,
                 "with --forms: output file for the programs in Python");
  app.add_option("--cpp", options.forms.cpp_programs,
                 "with --forms: number of programs to compile as C++");
  CLI11_PARSE(app, argc, argv);
  at::set_num_threads(1);
  PassChecker checker(options.passes);
  const bool forms_are_right = check_random(checker, options);
  if (options.models >= 0) {
    check_zoo(checker, options);
    check_corpus(checker, options);
  }
  const bool passes_are_right = (options.no_passes && options.models < 0) || checker.report();
  return forms_are_right && passes_are_right ? 0 : 1;
}

}  // namespace
}  // namespace fx::passes_check

int fx::check_passes(int argc, char** argv) { return passes_check::run(argc, argv); }
