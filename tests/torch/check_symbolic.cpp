// check_graphs symbolic: runs graphs with symbolic sizes at sizes in their stated ranges, after
// types are inferred and after every pass. At each size, libtorch must compute the same results as
// for the original graph, or the run must fail with a message that names a guard, a range or a
// size. If a difference exceeds the tolerance because rounding is magnified (a column counts these
// runs), the results must agree in float64.
//
//   check_graphs symbolic [--random N] [--sizes N] [--seed S] [--passes a,b] [--corpus DIR] [--models N]
//
// The graphs are the corpus graphs with symbolic inputs (--models N: about N; 0: all), and N random
// programs (symbolic_programs.h). Each graph is also written as text, JSON and binary and read
// back; its guards must not change. Prints a row for each pass. The exit status is 1 if there are
// findings; each is printed as a paragraph.
//
// If the graph after a pass has the same text as an earlier one, its recorded outcomes are counted
// without running it again. Most passes change few graphs, so this saves most of the runs.
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/interp/torch/interpret/constant_evaluator.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "tests/testing/corpus.h"
#include "tests/testing/random_graph.h"
#include "tests/torch/check_passes_trial.h"
#include "tests/torch/checks.h"
#include "tests/torch/rewrite_pass.h"
#include "tests/torch/symbolic_programs.h"
#include "tests/torch/value_types.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::symbolic_check {
namespace {

struct Options {
  size_t random = 2000, sizes = 10, models = 0;
  uint64_t seed = 1;
  std::string corpus = testing::corpus_dir().string();
  std::vector<std::string> passes;
  bool verbose = false;
};

struct Row {
  size_t graphs = 0, rejected_graphs = 0, changed = 0, runs = 0, equal = 0, float64 = 0,
         guarded = 0, eager = 0, wrong = 0;
};

/// Counts of the runs of one graph at all sizes, if there is no finding.
struct Outcomes {
  size_t equal = 0, float64 = 0, guarded = 0, eager = 0;
  void add_to(Row& row) const {
    row.runs += equal + float64 + guarded + eager;
    row.equal += equal;
    row.float64 += float64;
    row.guarded += guarded;
    row.eager += eager;
  }
};

/// Returns a copy of the graph without its input checks.
std::unique_ptr<Graph> unchecked(const Graph& graph) {
  std::unique_ptr<Graph> copy = graph.clone();
  for (Node* input : copy->find_nodes(Opcode::kPlaceholder)) input->set_type(Type());
  return copy;
}

/// The symbol values, inputs and constants of a run, and its expected results.
struct Sized {
  std::string sizes;
  SymBindings symbols;
  std::vector<c10::IValue> inputs;
  TorchConstants constants;
  absl::StatusOr<c10::IValue> expected;
};

/// Runs the graph. Returns its result and its inputs after the run.
absl::StatusOr<c10::IValue> run(const Graph& graph, const Module* root, const Sized& at,
                                std::string* wrong_type = nullptr) {
  at::manual_seed(7);
  std::vector<c10::IValue> inputs;
  for (const c10::IValue& input : at.inputs) inputs.push_back(input.deepcopy());
  testing::TypeChecker interpreter(graph, at.constants, AutogradUse::kNone, root);
  interpreter.set_symbols(at.symbols);
  FX_ASSIGN_OR_RETURN(c10::IValue result, interpreter.run(inputs));
  if (wrong_type != nullptr) *wrong_type = interpreter.error();
  return c10::ivalue::Tuple::create({std::move(result), c10::ivalue::Tuple::create(inputs)});
}

/// True if the graph or a nested graph reads a tensor that is not in `constants`: a pass created
/// it.
bool has_new_tensors(Graph& graph, const TorchConstants& constants) {
  bool found = false;
  for_each_graph(graph, [&](Graph& part) {
    for (const Node* node : part.find_nodes(Opcode::kGetAttr))
      found = found || !constants.contains(std::string(node->target()));
  });
  return found;
}

/// Returns the first item of the return value of run(): the graph's results.
const c10::IValue& result_of(const c10::IValue& run) { return run.toTupleRef().elements()[0]; }

bool names_a_guard(const absl::Status& status) {
  const std::string message(status.message());
  for (const char* word : {"the guard ", "the range ", "its type specifies", "which is not "})
    if (message.find(word) != std::string::npos) return true;
  return false;
}

class Checker {
 public:
  explicit Checker(Options options) : options_(std::move(options)) {
    for (const Pass& pass : checked_passes().passes()) {
      if (options_.passes.empty() ||
          std::ranges::find(options_.passes, pass.name) != options_.passes.end())
        passes_.push_back(&pass);
    }
  }

  /// The calls in `original` have no types; propagate_types infers them.
  void check(const std::string& name, const Graph& original,
             const std::vector<std::string>& files) {
    testing::Random random(options_.seed * 7919 + ++graphs_);
    const std::unique_ptr<Graph> reference = unchecked(original);
    original_ = reference.get();
    outcomes_.clear();
    std::vector<Sized> runs;
    for (size_t i = 0; i < 3 * options_.sizes && runs.size() < options_.sizes; ++i)
      add_run(runs, original, *reference, files, random);
    std::unique_ptr<Graph> typed = original.clone();
    const ShapeReport report = propagate_types(*typed, {.other_call = type_by_lowering});
    if (!report.ok()) {
      ++untyped_;
      if (options_.verbose) fmt::print(stderr, "{}: {}\n", name, report.str());
      return;
    }
    compare("propagate_types", "(typed)", name, original, *typed, nullptr, runs, {});
    check_files(name, *typed);
    for (const Pass* pass : passes_) check_pass(*pass, name, *typed, runs, random);
  }

  int report() const {
    fmt::print("{:34} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}\n", "pass", "graphs",
               "rejected", "changed", "runs", "equal", "float64", "guarded", "eager", "wrong");
    size_t wrong = 0;
    for (const auto& [pass, row] : rows_) {
      fmt::print("{:34} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}\n", pass, row.graphs,
                 row.rejected_graphs, row.changed, row.runs, row.equal, row.float64, row.guarded,
                 row.eager, row.wrong);
      wrong += row.wrong;
    }
    fmt::print("{} graphs, {} not typed, {} with guards; {} findings\n", graphs_, untyped_,
               with_guards_, wrong);
    return wrong == 0 && graphs_ > untyped_ ? 0 : 1;
  }

 private:
  /// Adds runs at sizes in the stated ranges. In half of them, all sizes that may be equal are
  /// equal.
  void add_run(std::vector<Sized>& runs, const Graph& graph, const Graph& reference,
               const std::vector<std::string>& files, testing::Random& random) const {
    SymBindings sizes;
    std::map<std::string, SymbolRange> ranges;
    for (const SymbolRange& range : symbol_ranges(graph))
      if (range.expr.is_symbol()) ranges.emplace(range.expr.name().str(), range);
    const bool are_equal = random.chance(50);
    const auto shared = static_cast<int64_t>(random.below(12));
    std::string text;
    for (const Symbol symbol : symbols_of_types(*inputs_only(graph))) {
      const auto found = ranges.find(std::string(symbol.str()));
      int64_t low = 2, high = 8;
      if (found != ranges.end()) {
        low = found->second.min.value_or(0);
        high = std::min(found->second.max.value_or(low + 8), low + 24);
      }
      const auto count = static_cast<size_t>(high - low + 1);
      const int64_t value = are_equal ? std::clamp(shared, low, high)
                                      : low + static_cast<int64_t>(random.below(count));
      sizes.insert_or_assign(symbol, SymValue(value));
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", std::string(symbol.str()), value);
    }
    for (const Sized& run : runs)
      if (run.sizes == text) return;
    const std::unique_ptr<Graph> sized = graph.clone();
    if (!set_input_sizes(*sized, sizes).ok()) return;
    absl::StatusOr<GraphData> data = load_graph_data(
        *sized, files,
        {.generate_missing = true, .both_signs = random.chance(50), .seed = random.bits() % 1000});
    if (!data.ok()) return;
    Sized at{text, sizes, std::move(data->inputs), std::move(data->constants),
             absl::UnknownError("")};
    at.expected = run(reference, nullptr, at);
    runs.push_back(std::move(at));
  }

  /// Returns a graph that has only the inputs of `graph`, to bind their symbols.
  static std::unique_ptr<Graph> inputs_only(const Graph& graph) {
    auto inputs = std::make_unique<Graph>(graph.context());
    for (const Node* input : graph.find_nodes(Opcode::kPlaceholder))
      inputs->placeholder(input->name(), {.type = input->type()});
    return inputs;
  }

  void finding(Row& row, const std::string& what, const Graph& before, const Graph& after) const {
    ++row.wrong;
    fmt::print("---- {}\n", what);
    if (before.size() < 60) fmt::print("before:\n{}after:\n{}", print(before), print(after));
    std::fflush(stdout);
  }

  void compare(const std::string& pass, const std::string& pipeline, const std::string& name,
               const Graph& before, Graph& after, const Module* root,
               const std::vector<Sized>& runs, const EquivalenceOptions& tolerance,
               const Graph* reference = nullptr) {
    Row& row = rows_[pass];
    // The text of a graph contains everything except its tensors. These are the tensors of the
    // original graph unless a pass created new ones.
    const bool is_whole = reference == nullptr && !runs.empty() &&
                          (root == nullptr || !has_new_tensors(after, runs[0].constants));
    const std::string text = is_whole ? print(after) : "";
    if (is_whole) {
      const auto found = outcomes_.find(text);
      if (found != outcomes_.end()) return found->second.add_to(row);
    }
    Outcomes outcomes;
    for (const Sized& at : runs) {
      const absl::StatusOr<c10::IValue> expected =
          reference ? run(*reference, nullptr, at) : at.expected;
      std::string wrong_type;
      const absl::StatusOr<c10::IValue> got = run(after, root, at, &wrong_type);
      if (!got.ok() && names_a_guard(got.status())) {
        ++outcomes.guarded;
        continue;
      }
      if (!expected.ok()) {  // eager mode rejects this size; a pass may remove the call that fails
        ++outcomes.eager;
        continue;
      }
      if (!got.ok()) {
        finding(row,
                fmt::format("{} {} on {} at {}: {}", pass, pipeline, name, at.sizes,
                            std::string(got.status().message())),
                before, after);
        return;
      }
      if (!wrong_type.empty()) {
        finding(row,
                fmt::format("{} {} on {} at {}: {}", pass, pipeline, name, at.sizes, wrong_type),
                before, after);
        return;
      }
      const std::string wrong =
          tolerance.written_inputs
              ? compare_values(*expected, *got, tolerance)
              : compare_values(result_of(*expected), result_of(*got), tolerance);
      if (wrong.empty()) {
        ++outcomes.equal;
      } else if (tolerance.rtol > 0 &&
                 is_right_in_float64(pipeline, before, reference ? *reference : *original_, at)) {
        ++outcomes.float64;
      } else {
        finding(row, fmt::format("{} {} on {} at {}: {}", pass, pipeline, name, at.sizes, wrong),
                before, after);
        return;
      }
    }
    outcomes.add_to(row);
    // Outcomes recorded within a tolerance do not show that a pass preserves all bits.
    if (is_whole && tolerance.rtol == 0 && tolerance.atol == 0) outcomes_.emplace(text, outcomes);
  }

  /// Runs the pass on the graph in float64, where differences from rounding vanish.
  static bool is_right_in_float64(const std::string& pipeline, const Graph& before,
                                  const Graph& reference, const Sized& at) {
    Sized wide{at.sizes, {}, {}, {}, absl::UnknownError("")};
    for (const c10::IValue& input : at.inputs) wide.inputs.push_back(widened(input));
    Module root;
    for (const auto& [path, value] : at.constants) {
      const c10::IValue& constant = wide.constants[path] = widened(value);
      if (constant.isTensor())
        (void)root.assign(path, Attribute::constant(from_torch(constant.toTensor())));
    }
    const std::unique_ptr<Graph> after = widened(before);
    if (!PassManager(*parse_pipeline(checked_passes(), pipeline), {.evaluate = evaluate_constants})
             .run(*after, &root)
             .ok())
      return false;
    const absl::StatusOr<c10::IValue> expected = run(*widened(reference), nullptr, wide);
    const absl::StatusOr<c10::IValue> got = run(*after, &root, wide);
    EquivalenceOptions tolerance;
    tolerance.rtol = tolerance.atol = 1e-6;
    return expected.ok() && got.ok() &&
           compare_values(result_of(*expected), result_of(*got), tolerance).empty();
  }

  void check_pass(const Pass& pass, const std::string& name, const Graph& typed,
                  const std::vector<Sized>& runs, testing::Random& random) {
    Row& row = rows_[pass.name];
    const Trial trial = trial_of(pass, typed, random);
    Module root;
    if (!runs.empty()) {
      for (const auto& [path, value] : runs[0].constants)
        if (value.isTensor())
          (void)root.assign(path, Attribute::constant(from_torch(value.toTensor())));
    }
    const PassManagerOptions manager{.check_changed = true, .evaluate = evaluate_constants};
    if (!trial.setup.empty() &&
        !PassManager(*parse_pipeline(checked_passes(), trial.setup), manager)
             .run(*trial.before, &root)
             .ok()) {
      return;
    }
    std::unique_ptr<Graph> after = trial.before->clone();
    const absl::StatusOr<Pipeline> pipeline = parse_pipeline(checked_passes(), trial.pipeline);
    FX_CHECK_OK(pipeline);
    const absl::StatusOr<PassReport> report = PassManager(*pipeline, manager).run(*after, &root);
    ++row.graphs;
    if (!report.ok()) {
      ++row.rejected_graphs;
      if (report.status().code() == absl::StatusCode::kInternal)
        finding(
            row,
            fmt::format("{} on {}: {}", pass.name, name, std::string(report.status().message())),
            typed, *after);
      return;
    }
    row.changed += report->changed ? 1 : 0;
    const bool is_other_draw = pass.name == "extract_subgraph" && draws(*trial.before);
    if (!trial.reference || is_other_draw) return;
    EquivalenceOptions tolerance;
    tolerance.rtol = pass.values == PassValues::kRounded ? 1e-3 : 0;
    tolerance.atol = pass.values == PassValues::kRounded    ? 1e-4
                     : pass.values == PassValues::kSameBits ? 0
                                                            : 1e-300;
    tolerance.written_inputs = pass.name != "extract_subgraph";  // it may remove writes
    std::unique_ptr<Graph> reference;
    const bool has_reference = pass.name == "extract_subgraph" || pass.name == "replace_targets" ||
                               pass.name == "remove_dropout";
    if (has_reference) reference = unchecked(*trial.reference);
    compare(pass.name, trial.pipeline, name, *trial.before, *after, &root, runs, tolerance,
            reference.get());
  }

  /// Writes the graph in every file format, reads it back, and compares its guards.
  void check_files(const std::string& name, const Graph& typed) {
    const std::vector<SymExpr> guards = guards_of(typed);
    with_guards_ += guards.empty() ? 0 : 1;
    Row& row = rows_["(files)"];
    ++row.graphs;
    for (const char* form : {".fx", ".json", ".fxb"}) {
      const std::string path = (std::filesystem::temp_directory_path() /
                                fmt::format("check_symbolic_{}{}", getpid(), form))
                                   .string();
      const absl::Status written = write_graph_file(typed, path);
      const absl::StatusOr<std::unique_ptr<Graph>> read = read_graph_file(typed.context(), path);
      std::filesystem::remove(path);
      if (!written.ok() || !read.ok() || guards_of(**read) != guards) {
        finding(row,
                fmt::format("{} of {}: {} {}", form, name, std::string(written.message()),
                            std::string(read.status().message())),
                typed, read.ok() ? **read : typed);
        continue;
      }
      ++row.equal;
    }
  }

  Options options_;
  std::vector<const Pass*> passes_;
  std::map<std::string, Row> rows_;
  const Graph* original_ = nullptr;           // the graph without types that is checked
  std::map<std::string, Outcomes> outcomes_;  // by the text of derived graphs
  size_t graphs_ = 0, untyped_ = 0, with_guards_ = 0;
};

void check_corpus(Checker& checker, const Options& options) {
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(options.corpus, none)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() == ".json" && stem != "index")
      files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  const size_t step = options.models == 0 ? 1 : std::max<size_t>(1, files.size() / options.models);
  for (size_t i = options.seed % step; i < files.size(); i += step) {
    Context context;
    absl::StatusOr<std::unique_ptr<Graph>> graph = read_graph_file(context, files[i]);
    if (!graph.ok()) continue;
    const std::vector<Node*> inputs = (*graph)->find_nodes(Opcode::kPlaceholder);
    if (std::ranges::none_of(inputs, [](const Node* x) { return has_symbols(x->type()); }))
      continue;
    const std::filesystem::path path(files[i]);
    checker.check(
        fmt::format("{} {}", path.parent_path().filename().string(), path.stem().string()), **graph,
        {});
  }
}

int run_all(int argc, char** argv) {
  Options options;
  CLI::App app{"Runs graphs with symbolic sizes, after every pass, at many sizes."};
  app.add_option("--random", options.random, "random programs")->capture_default_str();
  app.add_option("--sizes", options.sizes, "number of runs of each graph")->capture_default_str();
  app.add_option("--models", options.models, "approximate number of corpus graphs; 0: all");
  app.add_option("--seed", options.seed, "seed of the first random program");
  app.add_option("--corpus", options.corpus, "folder of the corpus");
  app.add_option("--passes", options.passes, "only these")->delimiter(',');
  app.add_flag("--verbose", options.verbose, "print why types cannot be inferred");
  CLI11_PARSE(app, argc, argv);
  at::set_num_threads(1);
  Checker checker(options);
  for (size_t i = 0; i < options.random; ++i) {
    Context context;
    const uint64_t seed = options.seed + i;
    checker.check(fmt::format("random {}", seed), *testing::SymbolicProgram(context, seed).make(),
                  {});
  }
  check_corpus(checker, options);
  return checker.report();
}

}  // namespace
}  // namespace fx::symbolic_check

int fx::check_symbolic(int argc, char** argv) { return symbolic_check::run_all(argc, argv); }
