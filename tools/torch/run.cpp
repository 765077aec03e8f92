// fxcpp run: runs a graph with libtorch's dispatcher.
#include "fx/codegen/cpp/torch/compiled_graph.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/step_replay.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/interp/torch/interpret/torch_profiler.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/cli/option_checks.h"
#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/steps.h"
#include "fx/passes/analysis/selection.h"
#include "fx/passes/aten/lower_to_aten.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tools/driver/extensions.h"
#include "fx/tools/driver/torch/capture_command.h"
#include "tools/module_option.h"
#include "tools/torch/commands.h"
#include "tools/torch/data_files.h"
#include "tools/torch/memory.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct RunFlags {
  std::string input, check, profile, to, before, dump;
  std::vector<std::string> inputs, modules;
  uint64_t seed = 0;
  int threads = 0;
  double tolerance = 0;
  int steps = 0;
  std::vector<std::string> values;
  std::string write_state;
  bool trace = false, memory = false, json = false, compile = false;
};

/// Returns the type and statistics of a tensor: "f32[4, 10], from -1.2 to 3.4, mean 0.1".
std::string describe_tensor(TypeTable& types, const at::Tensor& tensor) {
  std::string text = to_string(type_of(types, tensor));
  if (tensor.numel() == 0 || tensor.is_complex()) return text;
  const at::Tensor values = tensor.to(at::kDouble);
  if (tensor.numel() == 1) return fmt::format("{} = {:.9g}", text, values.item().toDouble());
  return fmt::format("{}, from {:.6g} to {:.6g}, mean {:.6g}", text, values.min().item().toDouble(),
                     values.max().item().toDouble(), values.mean().item().toDouble());
}

/// Returns true for types that NumPy does not have and whose values float32 represents exactly.
bool is_stored_as_float32(at::ScalarType type) {
  return type == at::kBFloat16 || c10::isFloat8Type(type);
}

/// Returns a result to compare with `expected`: a number is a tensor of rank 0, with the dtype in which
/// the file stores numbers of its kind. An undefined tensor for other values.
at::Tensor as_tensor(const c10::IValue& result, const at::Tensor& expected) {
  if (result.isTensor()) return result.toTensor();
  if (!result.isScalar()) return {};
  const at::Tensor number = at::scalar_to_tensor(result.toScalar());
  const auto kind = [](at::ScalarType dtype) {
    return dtype == at::kBool                 ? 0
           : at::isIntegralType(dtype, false) ? 1
           : at::isFloatingType(dtype)        ? 2
                                              : 3;
  };
  const bool is_same_kind = kind(number.scalar_type()) == kind(expected.scalar_type());
  return is_same_kind ? number.to(expected.scalar_type()) : number;
}

/// True for a result that files store: a tensor or a number.
bool is_stored(const c10::IValue& result) {
  return result.isTensor() ? result.toTensor().defined() : result.isScalar();
}

/// Prints a line for each result that differs, and a summary. Returns the number of differences.
int compare_results(const std::vector<c10::IValue>& results,
                    const std::vector<at::Tensor>& expected, double tolerance) {
  int compared = 0, bit_equal = 0, wrong = 0;
  double largest = 0;
  int left = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    if (i >= expected.size() || !expected[i].defined()) {
      left += is_stored(results[i]) ? 1 : 0;
      continue;
    }
    ++compared;
    at::Tensor got = as_tensor(results[i], expected[i]);
    // .npz has no types for bfloat16 and 8-bit floats, so such results are stored exactly as
    // float32.
    if (got.defined() && expected[i].scalar_type() == at::kFloat &&
        is_stored_as_float32(got.scalar_type()))
      got = got.to(at::kFloat);
    const TensorDifference difference = compare_tensors(got, expected[i]);
    bit_equal += difference.bit_equal ? 1 : 0;
    largest = std::max(largest, difference.max_abs);
    if (difference.bit_equal || (difference.form.empty() && difference.max_abs <= tolerance)) {
      continue;
    }
    ++wrong;
    fmt::print("out.{}: {}\n", i, to_string(difference));
  }
  fmt::print("{} compared: {} bit-equal, {} different; largest difference {:g}{}\n",
             pluralize(compared, "result"), bit_equal, wrong, largest,
             left == 0 ? std::string() : fmt::format("; {} more are not in the file", left));
  return wrong;
}

// ---------------------------------------------------------------- tracing nodes

/// After each node that `only` selects, prints its value and the nodes whose values are freed.
class TracePrinter final : public TorchInterpreter {
 public:
  TracePrinter(const Graph& graph, const TorchConstants& constants, NodeFilter only, bool json)
      : TorchInterpreter(graph, constants), plan_(graph), only_(std::move(only)), json_(json) {}

  /// If `on`, keeps copies of the values of these nodes, by name, except in nested graphs.
  void set_dump(bool on) { dump_ = on; }
  const std::vector<std::pair<std::string, Tensor>>& values() const { return values_; }

  absl::StatusOr<c10::IValue> run_node(Node& node) override {
    absl::StatusOr<c10::IValue> value = TorchInterpreter::run_node(node);
    if (!value.ok() || (only_ && !only_(node))) return value;
    if (dump_ && depth() == 0 && !node.is_output() && value->isTensor() &&
        value->toTensor().defined() && value->toTensor().layout() == at::kStrided)
      values_.emplace_back(node.name(),
                           from_torch(value->toTensor().detach().cpu().contiguous().clone()));
    TypeTable& types = node.context().types();
    const std::string type = to_string(type_of_value(types, *value));
    if (json_) {
      nlohmann::ordered_json line = {{"node", node.name()},
                                     {"opcode", opcode_name(node.op())},
                                     {"target", node.target()},
                                     {"type", type},
                                     {"frees", freed(node)}};
      if (value->isTensor() && value->toTensor().defined() && !value->toTensor().is_complex())
        line["sum"] = value->toTensor().to(at::kDouble).sum().item().toDouble();
      fmt::print("{}\n", line.dump());
      return value;
    }
    const bool is_tensor = value->isTensor() && value->toTensor().defined();
    fmt::print("{:{}}{} = {}\n", "", 2 * depth(), node.name(),
               is_tensor ? describe_tensor(types, value->toTensor()) : type);
    if (const std::vector<std::string> names = freed(node); !names.empty())
      fmt::print("{:{}}  frees {}\n", "", 2 * depth(), fmt::join(names, ", "));
    return value;
  }

 private:
  std::vector<std::string> freed(const Node& node) const {
    std::vector<std::string> names;
    const uint32_t slot = &node.graph() == &plan_.graph() ? plan_.slot(node) : Plan::kNoSlot;
    if (slot == Plan::kNoSlot) return names;
    const Plan::Step& step = plan_.steps()[slot];
    for (uint32_t i = 0; i < step.num_operands; ++i) {
      const Plan::Operand& operand = plan_.operand(step.first_operand + i);
      if (operand.last_use) names.push_back(plan_.steps()[operand.slot].node->name());
    }
    if (!step.is_used && !node.is_output()) names.push_back(node.name());
    return names;
  }

  Plan plan_;
  NodeFilter only_;
  bool json_;
  bool dump_ = false;
  std::vector<std::pair<std::string, Tensor>> values_;
};

/// Prints the next call and its operands.
void print_next(const TracePrinter& printer, const Node& node) {
  fmt::print("next: {}\n", describe_call(node));
  for (const Node* input : node.all_input_nodes()) {
    const c10::IValue* value = printer.value(*input);
    if (value == nullptr || !value->isTensor() || !value->toTensor().defined()) continue;
    fmt::print("  {} = {}\n", input->name(),
               describe_tensor(node.context().types(), value->toTensor()));
  }
}

/// True if the options request the values of single nodes.
bool traces(const RunFlags& options) {
  return options.trace || !options.to.empty() || !options.before.empty() || !options.dump.empty();
}

absl::StatusOr<int> run_and_trace(const Graph& graph, GraphData data, const RunFlags& options) {
  const auto find = [&](const char* option, const std::string& name) -> absl::StatusOr<Node*> {
    Node* node = name.empty() ? nullptr : graph.find_node(name);
    if (!name.empty() && node == nullptr)
      return absl::NotFoundError(fmt::format("{}: unknown node {}", option, name));
    return node;
  };
  FX_ASSIGN_OR_RETURN(const Node* last, find("--to", options.to));
  FX_ASSIGN_OR_RETURN(const Node* before, find("--before", options.before));
  FX_ASSIGN_OR_RETURN(NodeFilter only, in_modules(graph, options.modules));
  TracePrinter printer(graph, data.constants, std::move(only), options.json);
  printer.set_dump(!options.dump.empty());
  FX_RETURN_IF_ERROR(printer.start(std::move(data.inputs)));
  if (before != nullptr) {
    FX_RETURN_IF_ERROR(printer.run_until(*before));
    print_next(printer, *before);
  } else {
    FX_RETURN_IF_ERROR(last ? printer.run_to(*last).status() : printer.finish().status());
  }
  if (!options.dump.empty()) FX_RETURN_IF_ERROR(write_safetensors(options.dump, printer.values()));
  return kDone;
}

absl::StatusOr<int> run_and_profile(const Graph& graph, GraphData data, const RunFlags& options) {
  TorchProfiler profiler(graph, data.constants);
  // Do not measure the first run, because it looks up operators and creates thread pools.
  FX_RETURN_IF_ERROR(profiler.run(data.inputs).status());
  profiler.clear_profile();
  FX_RETURN_IF_ERROR(profiler.run(std::move(data.inputs)).status());
  for (const ProfileGroup group : {ProfileGroup::kModule, ProfileGroup::kTarget})
    fmt::print("{}\n", profiler.profile().table(group));
  FX_RETURN_IF_ERROR(write_file(options.profile, profiler.profile().chrome_trace()));
  return kDone;
}

void append_leaves(std::vector<c10::IValue>& leaves, const c10::IValue& value) {
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) append_leaves(leaves, item);
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) append_leaves(leaves, item);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) append_leaves(leaves, entry.value());
  } else {
    leaves.push_back(value);
  }
}

/// Runs the graph in TorchEvaluator, or in TorchInterpreter if it calls functions other than
/// operators or has control flow.
absl::StatusOr<std::vector<c10::IValue>> evaluate(const Graph& graph, GraphData data) {
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph, data.constants);
  std::vector<c10::IValue> leaves;
  if (evaluator.ok()) {
    FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> values,
                        evaluator->run(std::move(data.inputs)));
    for (const c10::IValue& value : values) append_leaves(leaves, value);
    return leaves;
  }
  TorchInterpreter interpreter(graph, std::move(data.constants));
  FX_ASSIGN_OR_RETURN(const c10::IValue value, interpreter.run(std::move(data.inputs)));
  append_leaves(leaves, value);
  return leaves;
}

/// Sets the values of an input for the runs of a step from an option NAME=V1,V2,...
absl::Status set_step_values(StepReplay& replay, const Graph& graph, std::string_view option) {
  const size_t equal = option.find('=');
  const std::string_view name = option.substr(0, equal);
  const Node* node = graph.find_node(name);
  if (equal == std::string_view::npos || node == nullptr || !node->is_placeholder())
    return absl::InvalidArgumentError(
        fmt::format("--values {}: expected NAME=V1,V2,... with the name of an input", option));
  std::vector<c10::IValue> values;
  for (const absl::string_view text : absl::StrSplit(
           absl::string_view(option.data() + equal + 1, option.size() - equal - 1), ',')) {
    double number = 0;
    int64_t integer = 0;
    if (node->type().kind() == TypeKind::kInt && absl::SimpleAtoi(text, &integer)) {
      values.emplace_back(integer);
    } else if (node->type().kind() == TypeKind::kFloat && absl::SimpleAtod(text, &number)) {
      values.emplace_back(number);
    } else {
      return absl::InvalidArgumentError(fmt::format("--values {}: {} is not a value of type {}",
                                                    name, std::string(text),
                                                    to_string(node->type())));
    }
  }
  return replay.set_values(name, std::move(values));
}

/// Runs a training step repeatedly, with the new state of each run as the inputs of the next run.
/// Prints the other results of each run.
absl::StatusOr<int> run_steps(const Graph& graph, GraphData data, const RunFlags& options) {
  GraphData after{.inputs = {}, .constants = data.constants};
  FX_ASSIGN_OR_RETURN(StepReplay replay, StepReplay::create(graph, std::move(data)));
  for (const std::string& values : options.values)
    FX_RETURN_IF_ERROR(set_step_values(replay, graph, values));
  std::vector<c10::IValue> results;
  for (int i = 0; i < options.steps; ++i) {
    FX_ASSIGN_OR_RETURN(results, replay.run());
    for (size_t k = 0; k < results.size(); ++k) {
      if (replay.is_fed_back(k) || !results[k].isTensor()) continue;
      fmt::print("step {}: out.{}: {}\n", i + 1, k,
                 describe_tensor(graph.context().types(), results[k].toTensor()));
    }
  }
  if (!options.write_state.empty()) {
    after.inputs = replay.inputs();
    FX_RETURN_IF_ERROR(save_graph_data(graph, after, options.write_state));
  }
  if (options.check.empty()) return kDone;
  FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> expected,
                      load_outputs(options.check, results.size()));
  return compare_results(results, expected, options.tolerance) == 0 ? kDone : kFound;
}

absl::StatusOr<std::vector<c10::IValue>> compile_and_run(const Graph& graph, GraphData data) {
  FX_ASSIGN_OR_RETURN(CompiledGraph compiled,
                      CompiledGraph::create(graph, data.constants, {.fall_back = false}));
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> values, compiled.run(std::move(data.inputs)));
  std::vector<c10::IValue> leaves;
  for (const c10::IValue& value : values) append_leaves(leaves, value);
  return leaves;
}

/// Returns true if the graph has calls to lower: layers, methods or functions of torch. If
/// `node_by_node`, only layers are lowered, because the interpreter runs methods and functions.
bool has_calls_to_lower(const Graph& graph, bool node_by_node) {
  for (const Node& node : graph.nodes()) {
    if (node.op() == Opcode::kCallModule) return true;
    if (node_by_node) continue;
    if (node.op() == Opcode::kCallMethod) return true;
    if (node.op() == Opcode::kCallFunction && node.target().starts_with("torch.") &&
        node.target().find("sym_") == std::string_view::npos)
      return true;
  }
  return false;
}

/// Lowers calls to operators, which depend on the types of the inputs in `files`.
absl::Status lower(Graph& graph, const std::vector<std::string>& files) {
  FX_ASSIGN_OR_RETURN(const GraphData data, load_data(graph, files));
  size_t next = 0;
  for (Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    const c10::IValue& value = data.inputs[next++];
    if (!node.type()) node.set_type(type_of_value(graph.context().types(), value));
  }
  propagate_types(graph, {.other_call = type_by_lowering});  // lowering reports calls without types
  return lower_to_aten(graph).status();
}

absl::StatusOr<int> run_graph(const RunFlags& options) {
  Context context;
  FX_RETURN_IF_ERROR(command_extensions().set_up(context));
  FX_ASSIGN_OR_RETURN(const GraphDocument document, read_and_print_notes(context, options.input));
  Graph* const graph = &document.graph();
  FX_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                      data_files(*graph, options.input, options.inputs));
  const bool node_by_node = options.trace || !options.to.empty() || !options.profile.empty();
  if (has_calls_to_lower(*graph, node_by_node)) FX_RETURN_IF_ERROR(lower(*graph, files));
  FX_ASSIGN_OR_RETURN(GraphData data, [&] {
    const Step step("read tensors");
    return load_data(*graph, files);
  }());
  at::manual_seed(options.seed);
  if (options.threads > 0) at::set_num_threads(options.threads);
  if (traces(options)) return run_and_trace(*graph, std::move(data), options);
  if (options.steps > 0) return run_steps(*graph, std::move(data), options);
  if (options.memory) {
    const Step step("run");
    FX_RETURN_IF_ERROR(print_memory(*graph, data, options.json));
    return kDone;
  }
  if (!options.profile.empty()) return run_and_profile(*graph, std::move(data), options);
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> results, [&] {
    const Step step("run");
    return options.compile ? compile_and_run(*graph, std::move(data))
                           : evaluate(*graph, std::move(data));
  }());
  if (!options.check.empty()) {
    FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> expected,
                        load_outputs(options.check, results.size()));
    return compare_results(results, expected, options.tolerance) == 0 ? kDone : kFound;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (!is_stored(results[i])) continue;
    fmt::print("out.{}: {}\n", i,
               results[i].isTensor() ? describe_tensor(context.types(), results[i].toTensor())
                                     : to_string(type_of_value(context.types(), results[i])));
  }
  return kDone;
}

}  // namespace

Run add_run(CLI::App& app) {
  auto options = std::make_shared<RunFlags>();
  app.add_option("INPUT", options->input,
                 "the graph; its tensors are in g.safetensors next to g.fx, or in the .pt2 archive")
      ->required();
  app.add_option("--inputs", options->inputs,
                 "files with inputs, which take precedence over the file next to the graph: "
                 ".safetensors, .npz or .pt2");
  CLI::Option* check = app.add_option(
      "--check", options->check,
      "compare with the results out.0, out.1, ... in this file, .safetensors or .npz");
  app.add_option("--tolerance", options->tolerance,
                 "largest absolute difference that --check accepts")
      ->needs(check)
      ->check(check_tolerance)
      ->capture_default_str();
  CLI::Option* steps =
      app.add_option(
             "--steps", options->steps,
             "run a training step this number of times; each run starts from the new parameters, "
             "buffers and state of the previous run; --check compares the last run")
          ->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--values", options->values,
                 "--steps: NAME=V1,V2,..., the value of an input in each step: numbers that differ "
                 "between steps, such as AdamW's bias corrections")
      ->needs(steps)
      ->allow_extra_args(false);
  app.add_option(
         "--write-state", options->write_state,
         "--steps: write the inputs of the next step to this safetensors file, for --inputs")
      ->needs(steps);
  app.add_flag(
      "--compile", options->compile,
      "run the graph as C++ code, built by the system's compiler and cached in ~/.cache/fxcpp");
  app.add_flag("--trace", options->trace,
               "print each node after it has run: its value, and the values that are freed");
  app.add_option("--to", options->to, "like --trace, up to this node");
  app.add_option("--before", options->before,
                 "like --trace, and stop before this node: print its call and its operands");
  app.add_option("--dump", options->dump,
                 "like --trace, and write the tensors of all nodes that ran to this safetensors "
                 "file, by node name");
  add_module_option(app, options->modules, "--trace, --to, --before, --dump: print and write only");
  app.add_flag("--memory", options->memory,
               "print the peak memory of both passes: computed from the types, measured at the end "
               "of each call, and including memory of kernels; the graph runs twice");
  app.add_flag("--json", options->json,
               "--trace: print {node, op, target, type, frees, sum} for each node; --memory: print "
               "JSON");
  app.add_option(
      "--profile", options->profile,
      "print time and memory by module and operator, and write a Chrome trace to this file; "
      "the graph runs twice, and the second run is measured");
  app.add_option("--seed", options->seed, "the seed for random operators")
      ->check(check_seed)
      ->capture_default_str();
  app.add_option("--threads", options->threads,
                 "number of threads for libtorch's kernels; default: libtorch's choice")
      ->check(check_threads);
  return [options]() -> absl::StatusOr<int> {
    if (options->json && !options->trace && !options->memory)
      return usage_error("--json is valid only with --trace or --memory");
    if (!options->modules.empty() && !traces(*options))
      return usage_error("--module is valid only with --trace, --to, --before or --dump");
    return run_graph(*options);
  };
}

}  // namespace fx::tools
