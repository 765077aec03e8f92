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
#include "tests/testing/random_aten.h"
#include "tests/testing/random_graph.h"
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
};

struct Row {
  size_t graphs = 0, refused = 0, changed = 0, bits = 0, rounded = 0, magnified = 0, gradients = 0,
         no_gradients = 0, wrong = 0;
  double max_abs = 0;
  std::map<std::string, size_t> reasons;
};

/// A pass with options for a graph, and the graph that the result is compared with.
struct Trial {
  std::string pipeline;
  std::unique_ptr<Graph> before, reference;
  std::string setup = {};  ///< prepares `before` for the pass
};

/// Options that keep the guarantees of a pass, used for every other graph.
constexpr std::pair<std::string_view, std::string_view> kVariants[] = {
    {"eliminate_common_subexpressions", "{commutative}"},
    {"fold_constants", "{fold_factories=false}"},
    {"normalize_args", "{only_kwargs}"},
    {"normalize_operators", "{torch}"},
    {"simplify", "{signed_zeros}"},
    {"topological_sort", "{breadth_first}"},
};

/// Moves to other parts from time to time.
void number_parts(Graph& graph, testing::Random& random) {
  int64_t part = 0;
  for (Node& node : graph.nodes()) {
    part += random.chance(15) ? 1 : 0;
    node.meta().set("partition", Argument(part));
  }
}

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

/// Calls `f` with the graph and its nested graphs.
void for_each_graph(Graph& graph, const std::function<void(Graph&)>& f) {  // NOLINT: as they nest
  f(graph);
  for (size_t i = 0; i < graph.num_subgraphs(); ++i) for_each_graph(graph.subgraph(i), f);
}

/// Options with which a pass has an effect, drawn for this graph.
Trial trial_of(const Pass& pass, const Graph& graph, testing::Random& random) {
  Trial trial{pass.name, graph.clone(), nullptr};
  if (pass.name == "partition" || pass.name == "split_for_backend") {
    std::set<std::string> ops;
    for (const Node& node : graph.nodes())
      if (node.op() == Opcode::kCallFunction && random.chance(60))
        ops.insert(std::string(node.target()));
    if (ops.empty()) ops.insert("aten.relu.default");  // they require an option
    std::string list;
    for (const std::string& op : ops) list += (list.empty() ? "" : " ") + op;
    const bool single = pass.name == "partition";
    trial.pipeline += (single ? "{allow_single_node,ops=" : "{ops=") + in_quotes(list) + "}";
  } else if (pass.name == "split_module") {
    number_parts(*trial.before, random);
  } else if (pass.name == "inline_calls") {
    number_parts(*trial.before, random);
    trial.setup = "split_module";
  } else if (pass.name == "extract_subgraph") {
    std::vector<Node*> calls;
    for (Node& node : trial.before->nodes())
      if (node.op() == Opcode::kCallFunction && node.type().is_tensor()) calls.push_back(&node);
    if (calls.empty()) return trial;
    const std::string name = calls[random.below(calls.size())]->name();
    std::string inputs;
    for (const Node* input : trial.before->find_nodes(Opcode::kPlaceholder))
      inputs += (inputs.empty() ? "" : " ") + input->name();
    trial.pipeline += "{inputs=" + in_quotes(inputs) + ",outputs=" + in_quotes(name) + "}";
    trial.reference = trial.before->clone();
    FX_CHECK_OK(
        trial.reference->output_node()->update_arg(0, Argument(trial.reference->find_node(name))));
  } else if (pass.name == "replace_targets") {
    // Neither makes an index.
    trial.pipeline += "{from=aten.relu.default,to=aten.neg.default}";
    trial.reference = graph.clone();
    const Target neg = graph.context().function("aten.neg.default");
    const Target relu = graph.context().function("aten.relu.default");
    for_each_graph(*trial.reference, [&](Graph& part) {
      for (Node* node : part.find_nodes(relu)) node->set_function(neg);
    });
  } else if (pass.name == "remove_dropout") {
    trial.pipeline += "{training=false}";
    trial.reference = graph.clone();
  }
  for (const auto& [name, options] : kVariants)
    if (pass.name == name && random.chance(50)) trial.pipeline += options;
  if (!trial.reference && pass.values != PassValues::kOther)
    trial.reference = trial.before->clone();
  return trial;
}

/// Whether something is written through `detach`. Autograd does not see it: users of the tensor
/// have its old history and its new value, which a graph without writes cannot express.
/// functionalize loses the gradient there, as torch.func.functionalize does
/// (docs/functionalize.md).
bool writes_behind_autograd(const Graph& graph) {
  const auto is_of_detach = [](const Node* value) {
    while (value != nullptr && !value->is_placeholder() && may_share_memory(*value)) {
      if (value->target().find("detach") != std::string_view::npos) return true;
      value = value->num_args() > 0 && value->arg(0).is_node() ? value->arg(0).as_node() : nullptr;
    }
    return false;
  };
  for (const Node& node : graph.nodes()) {
    if (node.op() != Opcode::kCallFunction || node.function().op() == nullptr) continue;
    for (const size_t i : node.function().op()->written_arguments()) {
      if (i < node.num_args() && node.arg(i).is_node() && is_of_detach(node.arg(i).as_node()))
        return true;
    }
  }
  return false;
}

bool is_narrow(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kBFloat16;
}

Type widened(TypeTable& types, Type type) {  // NOLINT(misc-no-recursion): as types nest
  if (type.is_tensor()) {
    TensorSpec spec = type.spec();
    if (is_narrow(spec.dtype)) spec.dtype = DType::kFloat64;
    return types.tensor(spec);
  }
  if (type.kind() != TypeKind::kTuple) return type;
  std::vector<Type> items;
  for (const Type item : type.items()) items.push_back(widened(types, item));
  return types.tuple(items);
}

/// The graph in float64: differences from rounding vanish there, errors remain.
std::unique_ptr<Graph> widened(const Graph& graph) {
  std::unique_ptr<Graph> wide = graph.clone();
  const auto widen = [](const Argument& leaf) {
    const bool narrow = leaf.kind() == ArgumentKind::kDType && is_narrow(leaf.as_dtype());
    return narrow ? Argument(DType::kFloat64) : leaf;
  };
  for_each_graph(*wide, [&](Graph& part) {
    for (Node& node : part.nodes()) {
      node.set_type(widened(graph.context().types(), node.type()));
      for (size_t i = 0; i < node.num_args(); ++i)
        FX_CHECK_OK(node.update_arg(i, map_leaves(Argument(node.arg(i)), widen)));
      for (const Kwarg& kwarg : node.kwargs())  // a copy
        FX_CHECK_OK(node.update_kwarg(kwarg.key, map_leaves(kwarg.value, widen)));
    }
  });
  return wide;
}
c10::IValue widened(const c10::IValue& value) {
  const bool narrow = value.isTensor() && value.toTensor().defined() &&
                      is_narrow(from_torch(value.toTensor().scalar_type()));
  return narrow ? c10::IValue(value.toTensor().to(at::kDouble)) : value;
}

bool draws(const Graph& graph) {
  for (const Node& node : graph.nodes())
    if (effects(node).has(ops::Effect::kRandom)) return true;
  return false;
}

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
    for (const Pass* pass : passes_) check_pass(*pass, subject, random);
    return true;
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
    return wrong == 0 && run_ > 0 ? 0 : 1;
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
  size_t run_ = 0, not_run_ = 0, without_gradients_ = 0;
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
