// check_passes: runs every pass of the table over models and random programs, and checks its
// guarantees: the graph verifies, "changed" is truthful, a second run changes nothing, and results,
// written inputs and gradients are the same in libtorch. Where rounding is magnified beyond the
// tolerance (a column counts these), the pass must be right in float64.
//
//   check_passes [--random N] [--seed S] [--models N] [--passes a,b] [--corpus DIR]
//
// --models 0 takes all models of the zoo (forward and joint) and all graphs of the corpus; N, an
// even sample of about N. Prints a table with a row for each pass; exit status 1 and a paragraph
// for each finding. Without options it runs everything.
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/interp/torch/interpret/constant_evaluator.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/testing/corpus.h"
#include "tests/testing/graph_variants.h"
#include "tests/testing/random_aten.h"
#include "tests/testing/random_graph.h"
#include "tests/torch/check_passes_trial.h"
#include "tests/torch/storage_relation.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx {
namespace {

struct Options {
  size_t random = 2000, models = 0;
  uint64_t seed = 1;
  std::string corpus = testing::corpus_dir().string();
  std::vector<std::string> passes, skipped;
  bool verbose = false;
};

/// A graph that runs.
struct Subject {
  std::string name;
  std::unique_ptr<Graph> graph;
  std::vector<c10::IValue> inputs;
  TorchConstants constants;
  bool gradients = false;
  bool returns_written = false;  ///< what it writes to inputs is among its results
  bool shared_inputs = false;    ///< inputs share memory, which the graph does not state
};

struct Row {
  size_t graphs = 0, refused = 0, changed = 0, bits = 0, rounded = 0, magnified = 0, gradients = 0,
         no_gradients = 0, wrong = 0;
  double max_abs = 0;
  std::map<std::string, size_t> reasons;
};

EquivalenceOptions tolerance(PassValues values, bool gradients) {
  EquivalenceOptions options;
  options.find_node = true;
  if (gradients) {
    // Gradients are summed over users in their order.
    options.rtol = 1e-3;
    options.atol = 1e-4;
  } else if (values == PassValues::kRounded) {
    options.rtol = 1e-3;
    options.atol = 1e-4;
  } else if (values == PassValues::kSameNumbers) {
    options.atol = 1e-300;  // signs of zeros
  }
  return options;
}

class Checker {
 public:
  explicit Checker(Options options) : options_(std::move(options)) {
    for (const Pass& pass : standard_passes().passes()) {
      const auto is_in = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, pass.name) != names.end();
      };
      if ((options_.passes.empty() || is_in(options_.passes)) && !is_in(options_.skipped))
        passes_.push_back(&pass);
    }
  }

  /// Runs all passes over a graph; false when the graph itself does not run.
  bool check(Subject& subject) {
    const EquivalenceOptions same = with_constants({}, subject, nullptr);
    absl::StatusOr<EquivalenceReport> runs =
        check_equivalent(*subject.graph, *subject.graph, subject.inputs, same);
    if (!runs.ok() || !runs->equivalent()) {
      ++not_run_;
      if (options_.verbose)
        fmt::print(stderr, "{} does not run: {}\n", subject.name,
                   runs.ok() ? runs->str() : std::string(runs.status().message()));
      return false;
    }
    ++run_;
    if (subject.gradients) {
      EquivalenceOptions with_gradients = same;
      with_gradients.gradients = true;
      runs = check_equivalent(*subject.graph, *subject.graph, subject.inputs, with_gradients);
      subject.gradients = runs.ok() && runs->equivalent();
      if (!subject.gradients) {
        ++without_gradients_;
        if (options_.verbose)
          fmt::print(stderr, "{} has no gradients: {}\n", subject.name,
                     runs.ok() ? runs->str() : std::string(runs.status().message()));
      }
    }
    testing::Random random(options_.seed * 1000003 + run_);
    for (const Pass* pass : passes_) {
      // These need to know which inputs share memory.
      const bool must_know = pass->name == "functionalize" || pass->name == "reinplace" ||
                             pass->name == "extract_subgraph";
      if (!subject.shared_inputs || !must_know) check_pass(*pass, subject, random);
    }
    return true;
  }

  /// Spells the calls of the subject in another way, which must not change what it computes.
  bool check_spelling(Subject& subject, testing::Random& random) {
    const std::unique_ptr<Graph> before = subject.graph->clone();
    testing::respell(*subject.graph, random);
    const EquivalenceOptions same = with_constants({}, subject, nullptr);
    const absl::StatusOr<EquivalenceReport> runs =
        check_equivalent(*before, *before, subject.inputs, same);
    if (!runs.ok() || !runs->equivalent()) return true;
    const absl::StatusOr<EquivalenceReport> report =
        check_equivalent(*before, *subject.graph, subject.inputs, same);
    if (report.ok() && report->equivalent()) return true;
    ++misspelled_;
    fmt::print("---- other spellings of {}\n{}\nbefore:\n{}after:\n{}", subject.name,
               report.ok() ? report->str() : std::string(report.status().message()), print(*before),
               print(*subject.graph));
    return false;
  }

  int report() const {
    fmt::print("{:34} {:>6} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7} {:>10}\n", "pass",
               "graphs", "refused", "changed", "bits", "rounded", "magnified", "gradients", "none",
               "wrong", "largest");
    size_t wrong = 0;
    for (const Pass* pass : passes_) {
      const auto found = rows_.find(pass->name);
      const Row row = found == rows_.end() ? Row() : found->second;
      fmt::print("{:34} {:>6} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7} {:>10.3g}\n",
                 pass->name, row.graphs, row.refused, row.changed, row.bits, row.rounded,
                 row.magnified, row.gradients, row.no_gradients, row.wrong, row.max_abs);
      for (const auto& [reason, count] : row.reasons)
        fmt::print("    refused {}: {}\n", count, reason);
      wrong += row.wrong;
    }
    fmt::print("{} graphs, {} of them without gradients, and {} that do not run; {} findings\n",
               run_, without_gradients_, not_run_, wrong);
    return wrong + misspelled_ == 0 && run_ > 0 ? 0 : 1;
  }

 private:
  static EquivalenceOptions with_constants(EquivalenceOptions options, const Subject& subject,
                                           const Module* root_b) {
    options.constants_a = options.constants_b = subject.constants;
    options.root_b = root_b;
    options.seed = 7;
    return options;
  }

  void check_pass(const Pass& pass, const Subject& subject, testing::Random& random) {
    Row& row = rows_[pass.name];
    const Trial trial = trial_of(pass, *subject.graph, random);
    Module root;
    for (const auto& [path, value] : subject.constants) {
      if (value.isTensor())
        (void)root.assign(path, Attribute::constant(from_torch(value.toTensor())));
    }
    const PassManagerOptions manager_options{.check_changed = true, .evaluate = evaluate_constants};
    if (!trial.setup.empty()) {
      FX_CHECK_OK(PassManager(*parse_pipeline(standard_passes(), trial.setup), manager_options)
                      .run(*trial.before, &root));
    }
    std::unique_ptr<Graph> after = trial.before->clone();
    const absl::StatusOr<Pipeline> pipeline = parse_pipeline(standard_passes(), trial.pipeline);
    FX_CHECK_OK(pipeline);
    const absl::StatusOr<PassReport> report =
        PassManager(*pipeline, manager_options).run(*after, &root);
    ++row.graphs;
    const auto finding = [&](const std::string& what) {
      ++row.wrong;
      fmt::print("---- {} on {}\n{}\n", trial.pipeline, subject.name, what);
      if (subject.graph->size() < 60)
        fmt::print("before:\n{}after:\n{}", print(*trial.before), print(*after));
      std::fflush(stdout);
    };
    if (!report.ok()) {
      if (report.status().code() == absl::StatusCode::kInternal)
        return finding(std::string(report.status().message()));
      ++row.refused;
      std::string reason(report.status().message());
      const size_t options_end = reason.find("}: ");
      if (options_end != std::string::npos) reason.erase(0, options_end + 3);
      if (reason.starts_with('%')) reason.erase(0, std::min(reason.find(' '), reason.size()));
      ++row.reasons[reason.substr(0, std::min(reason.find('\n'), size_t{160}))];
      if (row.reasons.size() > 4) row.reasons.erase(std::prev(row.reasons.end()));
      return;
    }
    row.changed += report->changed ? 1 : 0;
    std::string wrong = compare_results(pass, trial, subject, *pipeline, *after, root, row);
    if (wrong.empty() && report->changed)
      wrong = compare_gradients(pass, trial, subject, *pipeline, *after, root, row);
    if (wrong.empty()) wrong = compare_memory(pass, trial, subject, *after, root);
    if (!wrong.empty()) return finding(wrong);
    if (pass.idempotent) {
      const absl::StatusOr<PassReport> again =
          PassManager(*pipeline, manager_options).run(*after, &root);
      if (!again.ok()) return finding("again: " + std::string(again.status().message()));
      if (again->changed) finding("a second run changes it again");
    }
  }

  /// The differences in results and written inputs of `after`; "" if there are none.
  static std::string compare_results(const Pass& pass, const Trial& trial, const Subject& subject,
                                     const Pipeline& pipeline, const Graph& after,
                                     const Module& root, Row& row) {
    if (!comparable(pass, trial)) return "";
    EquivalenceOptions options = with_constants(
        tolerance(pass.values == PassValues::kOther ? PassValues::kSameBits : pass.values, false),
        subject, &root);
    // A part of a graph writes what it must for its results.
    options.written_inputs = !subject.returns_written && pass.name != "extract_subgraph";
    const absl::StatusOr<EquivalenceReport> values =
        check_equivalent(*trial.reference, after, subject.inputs, options);
    if (!values.ok()) return std::string(values.status().message());
    row.max_abs = std::max(row.max_abs, values->max_abs);
    if (values->equivalent()) {
      ++(values->bit_equal == values->compared ? row.bits : row.rounded);
      return "";
    }
    if (pass.values != PassValues::kRounded ||
        !is_right_in_float64(pipeline, trial, subject, /*gradients=*/false)) {
      return values->str();
    }
    ++row.magnified;
    return "";
  }

  /// What is wrong with what shares memory after the pass; "" for nothing.
  static std::string compare_memory(const Pass& pass, const Trial& trial, const Subject& subject,
                                    const Graph& after, const Module& root) {
    // Models return thousands of parameters, whose copies would take long.
    if (!comparable(pass, trial) || trial.reference->size() > 2000) return "";
    const bool has_modules = !after.find_nodes(Opcode::kCallModule).empty();
    absl::StatusOr<testing::StorageRun> first =
        testing::run_for_storage(*trial.reference, subject.inputs, subject.constants, nullptr,
                                 /*from_module=*/false, /*seed=*/7);
    absl::StatusOr<testing::StorageRun> second = testing::run_for_storage(
        after, subject.inputs, subject.constants, &root, has_modules, /*seed=*/7);
    if (!first.ok() || !second.ok()) return "";  // found by compare_results
    const PassValues values =
        pass.values == PassValues::kOther ? PassValues::kSameBits : pass.values;
    return testing::compare_storage(*first, *second, pass.may_change_sharing,
                                    tolerance(values, false));
  }

  /// The same for gradients.
  static std::string compare_gradients(const Pass& pass, const Trial& trial, const Subject& subject,
                                       const Pipeline& pipeline, const Graph& after,
                                       const Module& root, Row& row) {
    // Folded values have no gradient.
    if (!comparable(pass, trial) || !subject.gradients || pass.name == "fold_constants") return "";
    if (pass.name == "functionalize" && writes_behind_autograd(*trial.before)) {
      ++row.no_gradients;
      return "";
    }
    EquivalenceOptions options = with_constants(tolerance(pass.values, true), subject, &root);
    options.gradients = true;
    options.written_inputs = false;
    const absl::StatusOr<EquivalenceReport> values =
        check_equivalent(*trial.reference, after, subject.inputs, options);
    // libtorch has no derivatives of some functional forms, such as aten.copy, and autograd rejects
    // writes to saved tensors (reinplace is for graphs that run below autograd).
    const std::string message(values.ok() ? "" : values.status().message());
    if (message.find("derivative for") != std::string::npos ||
        message.find("inplace") != std::string::npos) {
      ++row.no_gradients;
      return "";
    }
    if (!values.ok()) return "with gradients: " + message;
    if (!values->equivalent() &&
        !is_right_in_float64(pipeline, trial, subject, /*gradients=*/true)) {
      return values->str();
    }
    ++row.gradients;
    return "";
  }

  /// Whether results can be compared: a part of a graph draws other random numbers than the whole.
  static bool comparable(const Pass& pass, const Trial& trial) {
    return trial.reference && !(pass.name == "extract_subgraph" && draws(*trial.before));
  }

  /// A batch norm of two rows magnifies rounding errors to 0.3, and the graph itself differs by
  /// more from its results in float64: there the pass must agree to a millionth.
  static bool is_right_in_float64(const Pipeline& pipeline, const Trial& trial,
                                  const Subject& subject, bool gradients) {
    Subject wide{subject.name, widened(*trial.reference), {}, {}};
    for (const c10::IValue& input : subject.inputs) wide.inputs.push_back(widened(input));
    Module root;
    for (const auto& [path, value] : subject.constants) {
      const c10::IValue& constant = wide.constants[path] = widened(value);
      if (constant.isTensor())
        (void)root.assign(path, Attribute::constant(from_torch(constant.toTensor())));
    }
    const std::unique_ptr<Graph> after = widened(*trial.before);
    if (!PassManager(pipeline, {.evaluate = evaluate_constants}).run(*after, &root).ok())
      return false;
    EquivalenceOptions options = with_constants({}, wide, &root);
    options.rtol = options.atol = 1e-6;
    options.gradients = gradients;
    options.written_inputs = !gradients && !subject.returns_written;
    const absl::StatusOr<EquivalenceReport> values =
        check_equivalent(*wide.graph, *after, wide.inputs, options);
    // Infinities and NaNs in float64 come from a division by zero: the order of an earlier sum
    // decides between them.
    return values.ok() && std::ranges::all_of(values->different, [&](const auto& difference) {
             return gradients && !difference.is_finite;
           });
  }

  Options options_;
  std::vector<const Pass*> passes_;
  std::map<std::string, Row> rows_;
  size_t run_ = 0, not_run_ = 0, without_gradients_ = 0, misspelled_ = 0;
};

/// An even sample of about `wanted` of `count`; 0: all.
size_t stride_of(size_t count, size_t wanted) {
  return wanted == 0 ? 1 : std::max<size_t>(1, count / wanted);
}

void check_zoo(Checker& checker, const Options& options) {
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

/// Data for a graph with symbolic sizes, which it keeps.
absl::StatusOr<GraphData> data_at_example_sizes(const Graph& graph) {
  FX_ASSIGN_OR_RETURN(const SymBindings sizes, example_sizes(graph));
  const std::unique_ptr<Graph> sized = graph.clone();
  FX_RETURN_IF_ERROR(set_input_sizes(*sized, sizes));
  return load_graph_data(*sized, {}, {.make_missing = true});
}

void check_corpus(Checker& checker, const Options& options) {
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

/// Puts the second input into the memory of the first, or the other way round.
bool share_inputs(std::vector<c10::IValue>& inputs) {
  if (inputs.size() < 2 || !inputs[0].isTensor() || !inputs[1].isTensor()) return false;
  size_t large = 0, small = 1;
  if (inputs[0].toTensor().numel() < inputs[1].toTensor().numel()) std::swap(large, small);
  const at::Tensor base = inputs[large].toTensor(), part = inputs[small].toTensor();
  if (base.scalar_type() != part.scalar_type() || !base.is_contiguous()) return false;
  inputs[small] = base.flatten().narrow(0, 0, part.numel()).view(part.sizes());
  return true;
}

void check_random(Checker& checker, const Options& options) {
  for (size_t i = 0; i < options.random; ++i) {
    Context context;
    const uint64_t seed = options.seed + i;
    // Without writes, with writes, in Python's spelling.
    testing::RandomAten made = testing::random_aten(
        context, seed, {.writes = i % 3 == 1, .random = i % 4 == 0, .python = i % 3 == 2});
    absl::StatusOr<GraphData> data =
        load_graph_data(*made.graph, {}, {.make_missing = true, .seed = seed});
    FX_CHECK_OK(data);
    Subject subject{
        fmt::format("random {}", seed), std::move(made.graph), std::move(data->inputs), {}, true};
    for (const auto& [name, tensor] : made.constants)
      subject.constants.emplace(name, to_torch(tensor));
    testing::Random random(seed);
    if (i % 5 == 1) subject.shared_inputs = share_inputs(subject.inputs);
    if (i % 2 == 1 && !checker.check_spelling(subject, random)) continue;
    if (i % 5 == 3) testing::forget_types(*subject.graph, random);
    checker.check(subject);
  }
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Holds every pass to its row, on models and random programs."};
  app.add_option("--random", options.random, "random programs")->capture_default_str();
  app.add_option("--models", options.models, "about so many of zoo and of corpus; 0: all");
  app.add_option("--seed", options.seed,
                 "of the first random program, and of the choice of models");
  app.add_option("--corpus", options.corpus, "the folder of the corpus");
  app.add_option("--passes", options.passes, "only these")->delimiter(',');
  app.add_option("--skip", options.skipped, "not these")->delimiter(',');
  app.add_flag("--verbose", options.verbose, "say why a graph does not run");
  CLI11_PARSE(app, argc, argv);
  at::set_num_threads(1);
  Checker checker(options);
  check_random(checker, options);
  check_zoo(checker, options);
  check_corpus(checker, options);
  return checker.report();
}

}  // namespace
}  // namespace fx

int main(int argc, char** argv) { return fx::run(argc, argv); }
