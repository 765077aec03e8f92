// check_graphs kept: captures each zoo model with each preset of CaptureOptions::keep, and compares
// the result with a capture without options.
//
//   check_graphs kept [--only TEXT...] [--preset torch|core|accelerators...]
//
// A libtorch callback counts the calls to operators in the preset that are not nested in a call to
// another kept operator. The graph must contain each of these calls, unless the capture reports it
// as not kept. Replays of the forward and the joint graph must be bit-equal to replays of the plain
// captures, even after the kept operators are decomposed (DecompositionTable::composite). The
// decomposed forward graph is compared with the plain one up to names; operators with different
// numbers of calls are printed, as are operators that are not decomposed. Replays of joint graphs with
// CaptureOptions::keep_backward must also be bit-equal, before and after functionalize. The exit
// status is 1 if a value differs or a call is missing.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/keep_internal.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/cleanup/omit_default_arguments.h"
#include "fx/passes/decompose/decompose.h"
#include "fx/passes/functionalize/functionalize.h"
#include "tests/torch/checks.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::kept_check {
namespace {

struct Options {
  std::vector<std::string> only = {""};
  std::vector<std::string> presets = {"torch", "core", "accelerators"};
};

using Counts = std::map<std::string, int>;
using Values = std::vector<at::Tensor>;

// ---- the calls of a run

const KeptOperators* counted = nullptr;
Counts calls;   // calls to kept operators that are not nested in such a call
int depth = 0;  // the nesting of calls that a capture records as one call

/// A call that a capture records as one call: the operator is kept or not composite.
struct WholeCall final : at::ObserverContext {
  std::string kept;                 ///< the operator's name if it is kept; otherwise ""
  std::vector<at::Tensor> tensors;  ///< the arguments; on_end cannot read them
};

std::unique_ptr<at::ObserverContext> on_start(const at::RecordFunction& call) {
  const std::optional<c10::OperatorName> name = call.operator_name();
  const auto op = name ? c10::Dispatcher::singleton().findSchema(*name) : std::nullopt;
  if (!op) return nullptr;
  const bool is_kept = counted->contains(*op);
  if (!is_kept && op->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd))
    return nullptr;
  ++depth;
  auto whole_call = std::make_unique<WholeCall>();
  if (!is_kept) return whole_call;
  whole_call->kept = std::string(target_name(*op));
  for (const c10::IValue& argument : call.inputs())
    if (argument.isTensor()) whole_call->tensors.push_back(argument.toTensor());
  return whole_call;
}

void on_end(const at::RecordFunction& call, at::ObserverContext* context) {
  const auto* whole_call = static_cast<const WholeCall*>(context);
  if (whole_call == nullptr || --depth > 0 || whole_call->kept.empty()) return;
  // Some operators, such as dropout in evaluation mode and contiguous(), return their argument.
  const auto is_argument = [&](const c10::IValue& result) {
    return std::ranges::any_of(whole_call->tensors, [&](const at::Tensor& argument) {
      return result.isTensor() && result.toTensor().is_same(argument);
    });
  };
  if (call.outputs().size() == 1 && is_argument(call.outputs()[0])) return;
  ++calls[whole_call->kept];
}

/// Returns the number of calls to each kept operator, excluding calls nested in such a call.
absl::StatusOr<Counts> count_calls(Context& context, const std::string& preset,
                                   const ModelInstance& model) {
  FX_ASSIGN_OR_RETURN(const KeptOperators kept,
                      KeptOperators::create(context.ops(), std::vector{preset}));
  counted = &kept;
  calls.clear();
  depth = 0;
  const at::CallbackHandle handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback(&on_start, &on_end)
                                     .needsInputs(true)
                                     .needsOutputs(true)
                                     .scopes({at::RecordScope::FUNCTION}));
  model.forward(model.forward_inputs());
  at::removeCallback(handle);
  return calls;
}

// ---- values

absl::StatusOr<Values> replay(const CapturedGraph& captured, const Values& inputs) {
  FX_ASSIGN_OR_RETURN(TorchEvaluator evaluator,
                      TorchEvaluator::create(*captured.graph, captured.constants));
  std::vector<c10::IValue> copies;
  for (const at::Tensor& input : inputs) copies.emplace_back(input.detach().clone());
  testing::seed_torch(7);
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> values, evaluator.run(copies));
  Values results;
  for (const c10::IValue& value : values)
    results.push_back(value.isTensor() ? value.toTensor() : at::Tensor());
  return results;
}

/// Returns an error that names the first result that differs.
absl::Status check_equal(const CapturedGraph& captured, std::string_view what, const Values& a,
                         const Values& b) {
  if (a.size() != b.size())
    return absl::InternalError(
        fmt::format("{}: {} results, expected {}", what, b.size(), a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    const TensorDifference found = compare_tensors(a[i], b[i]);
    if (found.bit_equal) continue;
    return absl::InternalError(
        fmt::format("{}: {}: {}", what, testing::output_label(captured, i), to_string(found)));
  }
  return absl::OkStatus();
}

// ---- graphs

Counts counts_of(const Graph& graph) {
  Counts counts;
  for (const Node& node : graph.nodes())
    if (node.op() == Opcode::kCallFunction) ++counts[std::string(node.target())];
  return counts;
}

/// Decomposes the kept operators into the operators that libtorch calls. Adds the composite
/// operators that remain to `remaining`.
absl::Status decompose_kept(Graph& graph, std::set<std::string>& remaining) {
  const DecomposeOptions options{
      .table = &DecompositionTable::composite(), .core = false, .all = true};
  FX_ASSIGN_OR_RETURN(const DecomposeReport report, decompose(graph, options));
  for (const auto& [name, status] : report.not_decomposed)
    remaining.insert(fmt::format("{} ({})", name, std::string(status.message())));
  for (const Node& node : graph.nodes()) {
    const ops::OpInfo* op = node.function().op();
    if (op != nullptr && op->has(ops::OpTrait::kComposite) &&
        options.table->find(node.target()) == nullptr)
      remaining.insert(std::string(node.target()));
  }
  return verify_status(graph);
}

/// Returns the type without requires_grad; decompose does not infer it for new nodes.
Type without_grad(TypeTable& types, Type type) {
  if (type.is_tensor()) {
    TensorSpec spec = type.spec();
    spec.requires_grad = false;
    return types.tensor(spec);
  }
  if (!type.is_tuple() && !type.is_list()) return type;
  std::vector<Type> items;
  items.reserve(type.items().size());
  for (const Type item : type.items()) items.push_back(without_grad(types, item));
  return types.with_items(type, items);
}

/// Makes graphs comparable: removes unused items of results, default arguments and requires_grad.
/// Replaces _reshape_alias with view, because the capture's hook determines which of them a graph
/// has.
absl::Status simplify_form(Graph& graph) {
  for (Node& node : graph.nodes())
    node.set_type(without_grad(graph.context().types(), node.type()));
  FX_RETURN_IF_ERROR(decompose(graph, {.core = false, .ops = {"aten._reshape_alias"}}).status());
  FX_RETURN_IF_ERROR(eliminate_dead_code(graph).status());
  return omit_default_arguments(graph).status();
}

/// Returns the number of calls of the backward pass that do not select an item of a result.
size_t count_backward_calls(const Graph& graph) {
  size_t count = 0;
  for (const Node& node : graph.nodes())
    if (node.is_call() && node.meta().get(meta::kRegion) == "bw" &&
        node.target() != "operator.getitem")
      ++count;
  return count;
}

std::string differing_counts(const Counts& plain, const Counts& other) {
  std::string text;
  std::set<std::string> names;
  for (const auto& [name, count] : plain) names.insert(name);
  for (const auto& [name, count] : other) names.insert(name);
  const auto count = [](const Counts& counts, const std::string& name) {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
  };
  for (const std::string& name : names) {
    const int a = count(plain, name), b = count(other, name);
    if (a != b) text += fmt::format(" {} {}/{}", name, a, b);
  }
  return text;
}

/// Returns the kept operators for which the graph has fewer calls than the run.
std::string missing_calls(const Counts& run, const CapturedGraph& captured) {
  Counts recorded = counts_of(*captured.graph);
  for (const DecomposedOperator& entry : captured.decomposed)
    recorded[entry.name] += static_cast<int>(entry.count);
  // The capture records matmul(x, t(w)) as linear.
  if (const auto linear = run.find("aten.linear.default");
      run.contains("aten.matmul.default") || linear != run.end())
    recorded["aten.matmul.default"] +=
        recorded["aten.linear.default"] - (linear == run.end() ? 0 : linear->second);
  std::string text;
  for (const auto& [name, count] : run)
    if (recorded[name] < count) text += fmt::format(" {} {}/{}", name, recorded[name], count);
  return text;
}

struct Capture {
  CapturedGraph graph;
  Values inputs, results;  // inputs before the run; results of the replay
};

absl::StatusOr<Capture> capture_model(Context& context, const std::string& name, bool joint,
                                      const CaptureOptions& options) {
  const ModelInstance model = testing::make(name);
  const TensorSnapshot start(model.state, model.inputs);
  testing::seed_torch(7);
  absl::StatusOr<CapturedGraph> captured =
      joint ? capture_joint(context, model.state, model.inputs, model.loss, options)
            : capture(context, model.state, model.forward_inputs(), model.forward, options);
  if (!captured.ok()) return captured.status();
  start.restore();
  Capture result{*std::move(captured), {}, {}};
  for (const at::Tensor& input : clone_inputs(result.graph)) result.inputs.push_back(input);
  FX_RETURN_IF_ERROR(verify_status(*result.graph.graph));
  FX_ASSIGN_OR_RETURN(result.results, replay(result.graph, result.inputs));
  return result;
}

/// Compares the values of a capture with kept operators with the plain capture, before and after
/// decomposition.
absl::Status check_values(const Capture& plain, Capture& kept, std::string_view what,
                          std::set<std::string>& remaining) {
  FX_RETURN_IF_ERROR(check_equal(kept.graph, what, plain.results, kept.results));
  FX_RETURN_IF_ERROR(decompose_kept(*kept.graph.graph, remaining));
  FX_ASSIGN_OR_RETURN(const Values parts, replay(kept.graph, kept.inputs));
  return check_equal(kept.graph, fmt::format("{} after decompose", what), plain.results, parts);
}

/// Compares the decomposed forward graph with the plain one. Sets `text` to the calls that differ.
absl::Status compare_graphs(const CapturedGraph& plain, const CapturedGraph& decomposed,
                            std::string& text) {
  const std::unique_ptr<Graph> a = plain.graph->clone(), b = decomposed.graph->clone();
  FX_RETURN_IF_ERROR(simplify_form(*a));
  FX_RETURN_IF_ERROR(simplify_form(*b));
  const auto difference = first_difference(*a, *b, {.ignore_names = true, .ignore_meta = true});
  text = "the plain graph";
  if (difference) {
    text = fmt::format("different\n    {}\n    calls, plain/decomposed:{}", difference->message,
                       differing_counts(counts_of(*a), counts_of(*b)));
  }
  return absl::OkStatus();
}

/// Compares the values of a joint graph whose backward calls are kept whole with those of the plain
/// graph, before and after functionalize.
absl::Status check_kept_backward(Context& context, const std::string& name,
                                 const std::string& preset, const Capture& plain) {
  FX_ASSIGN_OR_RETURN(
      Capture kept, capture_model(context, name, true, {.keep = {preset}, .keep_backward = true}));
  const Graph& graph = *kept.graph.graph;
  fmt::print("    backward pass: {} nested graphs, {} calls, {} in the plain graph\n",
             graph.num_subgraphs(), count_backward_calls(graph),
             count_backward_calls(*plain.graph.graph));
  for (const DecomposedOperator& entry : kept.graph.decomposed)
    if (entry.backward_only)
      fmt::print("    backward pass not kept: {} {}: {}\n", entry.count, entry.name, entry.reason);
  FX_RETURN_IF_ERROR(check_equal(kept.graph, "kept backward", plain.results, kept.results));
  FX_RETURN_IF_ERROR(functionalize(*kept.graph.graph));
  FX_RETURN_IF_ERROR(verify_status(*kept.graph.graph));
  FX_ASSIGN_OR_RETURN(const Values functional, replay(kept.graph, kept.inputs));
  return check_equal(kept.graph, "kept backward, functionalized", plain.results, functional);
}

absl::Status check(const std::string& name, const std::string& preset) {
  Context context;
  FX_ASSIGN_OR_RETURN(const Capture plain, capture_model(context, name, false, {}));
  FX_ASSIGN_OR_RETURN(Capture kept, capture_model(context, name, false, {.keep = {preset}}));
  const ModelInstance model = testing::make(name);
  FX_ASSIGN_OR_RETURN(const Counts run, count_calls(context, preset, model));
  const Counts of_plain = counts_of(*plain.graph.graph);
  int kept_calls = 0;
  for (const auto& [op, count] : counts_of(*kept.graph.graph))
    if (!of_plain.contains(op)) kept_calls += count;
  const std::string missing = missing_calls(run, kept.graph);
  const size_t num_nodes = kept.graph.graph->size();
  std::set<std::string> remaining;
  const absl::Status forward = check_values(plain, kept, "forward", remaining);
  std::string text;
  FX_RETURN_IF_ERROR(compare_graphs(plain.graph, kept.graph, text));
  fmt::print("{:20} {:13} {:4} kept calls, {:4} of {:4} nodes; decomposed: {}\n", name, preset,
             kept_calls, num_nodes, plain.graph.graph->size(), text);
  for (const DecomposedOperator& entry : kept.graph.decomposed)
    fmt::print("    not kept: {} {}: {}\n", entry.count, entry.name, entry.reason);
  FX_ASSIGN_OR_RETURN(const Capture plain_joint, capture_model(context, name, true, {}));
  FX_ASSIGN_OR_RETURN(Capture kept_joint, capture_model(context, name, true, {.keep = {preset}}));
  for (const DecomposedOperator& entry : kept_joint.graph.decomposed)
    fmt::print("    not kept in the joint graph: {} {}: {}\n", entry.count, entry.name,
               entry.reason);
  const absl::Status joint = check_values(plain_joint, kept_joint, "joint", remaining);
  const absl::Status backward = check_kept_backward(context, name, preset, plain_joint);
  for (const std::string& op : remaining) fmt::print("    not decomposed: {}\n", op);
  FX_RETURN_IF_ERROR(forward);
  FX_RETURN_IF_ERROR(joint);
  FX_RETURN_IF_ERROR(backward);
  if (!missing.empty()) return absl::InternalError(fmt::format("calls, recorded/run:{}", missing));
  return absl::OkStatus();
}

}  // namespace
}  // namespace fx::kept_check

int fx::check_kept(int argc, char** argv) {
  kept_check::Options options;
  CLI::App app{"Compares captures that keep operators with plain captures."};
  app.add_option("--only", options.only, "only models whose names contain one of these texts");
  app.add_option("--preset", options.presets, "presets of CaptureOptions::keep");
  CLI11_PARSE(app, argc, argv);
  at::set_num_threads(1);
  int failed = 0, checked = 0;
  for (const ModelEntry& entry : zoo_models()) {
    const std::string name(entry.name);
    const auto is_in_name = [&](const std::string& text) {
      return name.find(text) != std::string::npos;
    };
    if (std::ranges::none_of(options.only, is_in_name)) continue;
    for (const std::string& preset : options.presets) {
      const absl::Status status = kept_check::check(name, preset);
      ++checked;
      if (status.ok()) continue;
      ++failed;
      fmt::print("    FAILED: {}\n", std::string(status.message()));
    }
  }
  fmt::print("{} captures, {} failed\n", checked, failed);
  return failed == 0 && checked > 0 ? 0 : 1;
}
