#include "fx/interp/torch/interpret/check_equivalent.h"

#include "fx/interp/lockstep.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/interp/torch/storage_copier.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/status/status.h"
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Flags.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

// Declares a flag of c10/core/impl/alloc_cpu.cpp. If it is set, the allocator writes a pattern (NaN
// for floats) to new memory.
C10_DECLARE_bool(caffe2_cpu_allocator_do_junk_fill);

namespace fx {
namespace {

bool is_defined(const c10::IValue& value) { return value.isTensor() && value.toTensor().defined(); }

/// Returns a copy of a value in new memory with the same strides. Copies created by one copier
/// share memory if the values do.
c10::IValue copy_of(const c10::IValue& value,  // NOLINT(misc-no-recursion): lists can be nested
                    StorageCopier* copier = nullptr) {
  if (is_defined(value)) {
    const KernelScope scope;
    return copier ? (*copier)(value.toTensor()) : value.toTensor().detach().clone();
  }
  if (value.isTuple() || value.isList()) {
    std::vector<c10::IValue> items;
    for (const c10::IValue& item : items_of(value)) items.push_back(copy_of(item, copier));
    return c10::ivalue::Tuple::create(std::move(items));
  }
  return value;
}

/// Returns copies of the inputs for a run that may write to them.
std::vector<c10::IValue> copies_of(const std::vector<c10::IValue>& inputs) {
  StorageCopier copier;
  std::vector<c10::IValue> copies;
  for (const c10::IValue& input : inputs) copies.push_back(copy_of(input, &copier));
  return copies;
}

/// Returns a copy in which all NaNs have the same bits.
at::Tensor with_one_nan(const at::Tensor& tensor) {
  const at::Tensor copy =
      tensor.detach().to_dense().to(at::kCPU).resolve_conj().resolve_neg().clone(
          at::MemoryFormat::Contiguous);
  at::Tensor numbers = copy.is_complex() ? at::view_as_real(copy) : copy;
  numbers.masked_fill_(numbers.ne(numbers), std::numeric_limits<double>::quiet_NaN());
  return copy;
}

/// True if the tensors, which have equal forms, are bit-equal except for the bits of NaNs.
bool is_equal_except_nan(const at::Tensor& a, const at::Tensor& b) {
  if (!a.is_floating_point() && !a.is_complex()) return false;
  const KernelScope scope;
  return compare_tensors(with_one_nan(a), with_one_nan(b)).bit_equal;
}

bool is_close(const at::Tensor& a, const at::Tensor& b, const EquivalenceOptions& options) {
  if (options.rtol == 0 && options.atol == 0) return false;
  if (!a.is_floating_point() && !a.is_complex()) return false;
  const KernelScope scope;
  const at::ScalarType wide = a.is_complex() ? at::kComplexDouble : at::kDouble;
  const auto plain = [&](const at::Tensor& t) {
    return t.detach().to_dense().to(at::kCPU).to(wide).resolve_conj();
  };
  const auto are_close = [&](const at::Tensor& x, const at::Tensor& y) {
    return at::isclose(x, y, options.rtol, options.atol, /*equal_nan=*/true);
  };
  const at::Tensor x = plain(a), y = plain(b);
  at::Tensor close = are_close(x, y);
  if (x.is_complex()) {  // one part may be infinite, and the other one rounded
    const at::Tensor parts = are_close(at::view_as_real(x), at::view_as_real(y));
    close = close.logical_or(parts.all(-1));
  }
  return close.all().item<bool>();
}

/// The results of a run.
struct Run {
  std::vector<c10::IValue> results;  // the leaves of the result
  std::vector<c10::IValue> inputs;   // the inputs after the run
  std::vector<at::Tensor> gradients;
};

void add_leaves(const c10::IValue& value, std::vector<c10::IValue>& leaves) {  // NOLINT
  if (!value.isTuple() && !value.isList()) {
    leaves.push_back(value);
    return;
  }
  for (const c10::IValue& item : items_of(value)) add_leaves(item, leaves);
}

/// Returns fixed weights between 0.5 and 1.5.
at::Tensor weights_like(const at::Tensor& tensor) {
  return at::arange(tensor.numel(), at::kDouble)
      .mul(0.7)
      .cos()
      .mul(0.5)
      .add(1)
      .view(tensor.sizes());
}

/// The module and the constants of a run. They are copies if the graph may write to them, or calls a
/// graph, which may do so.
struct RunTensors {
  std::unique_ptr<Module> copy = nullptr;
  const Module* module = nullptr;
  TorchConstants constants = {};
};
absl::StatusOr<RunTensors> tensors_for(const Graph& graph, const Module* root,
                                       const TorchConstants& constants) {
  if (root == nullptr) root = graph.owning_module();
  RunTensors result{.module = root, .constants = constants};
  bool writes = false;
  for (const Node& node : graph.nodes()) {
    const Module* const called = node.op() == Opcode::kCallModule && root != nullptr
                                     ? root->find_module(node.target())
                                     : nullptr;
    writes = writes || (called != nullptr && called->as_graph_module() != nullptr) ||
             effects(node).has_any(ops::Effect::kWritesArguments | ops::Effect::kWritesState);
  }
  if (!writes) return result;
  StorageCopier copier;
  for (auto& [path, value] : result.constants) value = copy_of(value, &copier);
  if (root == nullptr) return result;
  FX_ASSIGN_OR_RETURN(result.copy, root->clone());
  result.module = result.copy.get();
  return result;
}

/// Returns true if the metadata of the placeholder describes a buffer. Operators may not be
/// differentiable with respect to buffers.
bool is_buffer(const Node& placeholder) {
  const Argument* input = placeholder.meta().find(meta::kInput.name);
  return input != nullptr && input->find_text("kind") == "buffer";
}

absl::StatusOr<Run> run_for_gradients(const Graph& graph, const std::vector<c10::IValue>& inputs,
                                      const Module* root, const TorchConstants& constants) {
  const at::AutoGradMode with_grad(true);
  Run run;
  std::vector<at::Tensor> leaves;
  std::vector<c10::IValue> values;
  const std::vector<Node*> placeholders = graph.find_nodes(Opcode::kPlaceholder);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const c10::IValue& input = inputs[i];
    values.push_back(copy_of(input));
    leaves.emplace_back();
    if (!is_defined(input) || (i < placeholders.size() && is_buffer(*placeholders[i]))) continue;
    const at::ScalarType dtype = input.toTensor().scalar_type();
    if (!at::isFloatingType(dtype) && !at::isComplexType(dtype)) continue;
    leaves.back() = values.back().toTensor().requires_grad_();
    values.back() =
        leaves.back()
            .clone();  // a graph may write to inputs, but autograd does not allow writes to leaves
  }
  FX_ASSIGN_OR_RETURN(RunTensors tensors, tensors_for(graph, root, constants));
  TorchInterpreter interpreter(graph, std::move(tensors.constants), AutogradUse::kRecord,
                               tensors.module);
  FX_ASSIGN_OR_RETURN(const c10::IValue result, interpreter.run(std::move(values)));
  std::vector<c10::IValue> results;
  add_leaves(result, results);
  at::Tensor sum;
  for (const c10::IValue& value : results) {
    if (!is_defined(value) || !value.toTensor().requires_grad()) continue;
    const at::Tensor& tensor = value.toTensor();
    const at::Tensor reals = tensor.is_complex() ? at::abs(tensor) : tensor;
    const at::Tensor part = reals.to(at::kDouble).mul(weights_like(tensor)).sum();
    sum = sum.defined() ? sum + part : part;
  }
  if (sum.defined()) sum.backward();
  for (const at::Tensor& leaf : leaves)
    run.gradients.push_back(leaf.defined() ? leaf.grad() : at::Tensor());
  return run;
}

absl::StatusOr<Run> run_once(const Graph& graph, const std::vector<c10::IValue>& inputs,
                             const Module* root, const TorchConstants& constants) {
  Run run;
  run.inputs = copies_of(inputs);
  FX_ASSIGN_OR_RETURN(RunTensors tensors, tensors_for(graph, root, constants));
  TorchInterpreter interpreter(graph, std::move(tensors.constants), AutogradUse::kNone,
                               tensors.module);
  FX_ASSIGN_OR_RETURN(const c10::IValue result, interpreter.run(run.inputs));
  add_leaves(result, run.results);
  return run;
}

/// Returns the largest absolute value of a finite number in the tensor; 0 if there is none.
double largest_finite(const at::Tensor& tensor) {
  const at::Tensor numbers = tensor.detach().resolve_conj().resolve_neg();
  const at::Tensor sizes =
      numbers.is_complex() ? numbers.to(at::kComplexDouble).abs() : numbers.to(at::kDouble).abs();
  return tensor.numel() == 0 ? 0 : at::nan_to_num(sizes, 0, 0, 0).max().item<double>();
}

/// Compares two values and adds the result to the report.
void compare(EquivalenceReport& report, const std::string& name, const c10::IValue& a,
             const c10::IValue& b, const EquivalenceOptions& options) {
  ++report.compared;
  TensorDifference difference;
  if (is_defined(a) && is_defined(b)) {
    difference = compare_tensors(a.toTensor(), b.toTensor());
    report.max_abs = std::max(report.max_abs, difference.max_abs);
    if (difference.bit_equal) {
      ++report.bit_equal;
      return;
    }
  }
  std::string what = compare_values(a, b, options);
  if (what.empty() && !is_defined(a)) ++report.bit_equal;
  if (what.empty()) return;
  ValueDifference& different = report.different.emplace_back();
  different.name = name;
  different.what = std::move(what);
  if (!is_defined(a)) return;
  different.is_finite = at::isfinite(a.toTensor()).all().item<bool>();
  const double largest = largest_finite(a.toTensor());
  if (is_defined(b) && difference.form.empty() && largest > 0)
    different.relative = difference.max_abs / largest;
}

void compare_runs(EquivalenceReport& report, const Graph& graph, const Run& a, const Run& b,
                  const EquivalenceOptions& options) {
  if (a.results.size() != b.results.size()) {
    report.different.push_back(
        {"results", fmt::format("{} vs. {}", a.results.size(), b.results.size())});
    return;
  }
  for (size_t i = 0; i < a.results.size(); ++i)
    compare(report, fmt::format("result {}", i), a.results[i], b.results[i], options);
  const std::vector<Node*> placeholders = graph.find_nodes(Opcode::kPlaceholder);
  const auto input_name = [&](size_t i) {
    return i < placeholders.size() ? placeholders[i]->name() : fmt::format("{}", i);
  };
  for (size_t i = 0; i < a.inputs.size(); ++i) {
    if (options.written_inputs && is_defined(a.inputs[i]))
      compare(report, fmt::format("input {} after the run", input_name(i)), a.inputs[i],
              b.inputs[i], options);
  }
  // A missing gradient counts as zeros. For example, autograd records a call to logical_or_, but
  // not to logical_or.
  const auto gradient = [](const at::Tensor& value, const at::Tensor& other) {
    return value.defined() ? value : at::zeros_like(other);
  };
  for (size_t i = 0; i < a.gradients.size(); ++i) {
    const at::Tensor &x = a.gradients[i], &y = b.gradients[i];
    if (x.defined() || y.defined())
      compare(report, fmt::format("gradient of {}", input_name(i)), gradient(x, y), gradient(y, x),
              options);
  }
}

/// Saves and restores the state of the default generator, so that each of two interleaved runs has
/// its own state.
class Generators {
 public:
  explicit Generators(uint64_t seed) {
    at::manual_seed(seed);
    states_[0] = states_[1] = state();
  }
  void change(bool to_b) {
    states_[to_b ? 0 : 1] = state();
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    const std::lock_guard lock(generator.mutex());
    generator.set_state(states_[to_b ? 1 : 0]);
  }

 private:
  static at::Tensor state() {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    const std::lock_guard lock(generator.mutex());
    return generator.get_state();
  }
  at::Tensor states_[2];
};

/// Fills memory from libtorch's CPU allocator during its lifetime; see
/// EquivalenceOptions::fill_memory.
class MemoryFill {
 public:
  explicit MemoryFill(bool fill) : before_(FLAGS_caffe2_cpu_allocator_do_junk_fill) {
    if (fill) FLAGS_caffe2_cpu_allocator_do_junk_fill = true;
  }
  ~MemoryFill() { FLAGS_caffe2_cpu_allocator_do_junk_fill = before_; }
  MemoryFill(const MemoryFill&) = delete;
  MemoryFill& operator=(const MemoryFill&) = delete;

 private:
  bool before_;
};

/// Returns the nodes whose values are uninitialized when they run: calls such as `empty`, and views
/// of their results before a call writes to their memory. Does not use MemoryAnalysis, which finds
/// values that may share memory: this function must not skip comparisons, so it follows only views
/// that certainly share memory. In addition, interp/ must not depend on passes/.
NodeSet uninitialized_nodes(const Graph& graph) {
  NodeSet found(graph);
  NodeSet not_written(graph);
  NodeMap<const Node*> source(graph,
                              nullptr);  // the call that allocates the memory of a node's value
  for (const Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    const ops::Effects what = effects(node);
    if (what.has(ops::Effect::kWritesArguments)) {
      node.for_each_input([&](const Node* operand) {
        if (source[*operand] != nullptr) not_written.erase(*source[*operand]);
      });
      continue;
    }
    const ops::OpInfo* op = node.function().op();
    if (what.has(ops::Effect::kUninitialized)) {
      source[node] = &node;
      not_written.insert(node);
      found.insert(node);
    } else if (op != nullptr && op->is_view() && node.num_args() != 0 && node.arg(0).is_node()) {
      source[node] = source[*node.arg(0).node()];
      if (source[node] != nullptr && not_written.contains(*source[node])) found.insert(node);
    }
  }
  return found;
}

bool is_random(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (effects(node).has_any(ops::Effect::kRandom | ops::Effect::kWritesState)) return true;
  }
  return false;
}

absl::StatusOr<std::optional<DivergingNodes>> find_diverging(const Graph& a, const Graph& b,
                                                             const std::vector<c10::IValue>& inputs,
                                                             const EquivalenceOptions& options) {
  FX_ASSIGN_OR_RETURN(std::vector<MatchedNodes> pairs, match_nodes(a, b));
  const NodeSet no_value_a = uninitialized_nodes(a), no_value_b = uninitialized_nodes(b);
  std::erase_if(pairs, [&](const MatchedNodes& pair) {
    return no_value_a.contains(*pair.a) || no_value_b.contains(*pair.b);
  });
  FX_ASSIGN_OR_RETURN(RunTensors tensors_a, tensors_for(a, options.root_a, options.constants_a));
  FX_ASSIGN_OR_RETURN(RunTensors tensors_b, tensors_for(b, options.root_b, options.constants_b));
  TorchInterpreter run_a(a, std::move(tensors_a.constants), AutogradUse::kNone, tensors_a.module);
  TorchInterpreter run_b(b, std::move(tensors_b.constants), AutogradUse::kNone, tensors_b.module);
  Lockstep<c10::IValue> lockstep(run_a, run_b, std::move(pairs));
  lockstep.set_compare(
      [&](const c10::IValue& x, const c10::IValue& y) { return compare_values(x, y, options); });
  lockstep.set_copy([](const c10::IValue& value) { return copy_of(value); });
  Generators generators(options.seed);
  if (is_random(a) || is_random(b))
    lockstep.set_switch([&](bool to_b) { generators.change(to_b); });
  FX_ASSIGN_OR_RETURN(const std::optional<NodeDifference> found,
                      lockstep.run(copies_of(inputs), copies_of(inputs)));
  if (!found) return std::nullopt;
  return DivergingNodes{found->a->name(),
                        found->b->name(),
                        std::string(found->a->target()),
                        std::string(found->b->target()),
                        found->by,
                        found->what};
}

absl::Status of_graph(std::string_view which, const absl::Status& status) {
  absl::Status named(status.code(),
                     fmt::format("{} graph: {}", which, std::string(status.message())));
  status.ForEachPayload(
      [&](absl::string_view url, const absl::Cord& payload) { named.SetPayload(url, payload); });
  return named;
}

}  // namespace

std::string compare_values(const c10::IValue& a, const c10::IValue& b,  // NOLINT: nested lists
                           const EquivalenceOptions& options) {
  const bool is_list_a = a.isTuple() || a.isList(), is_list_b = b.isTuple() || b.isList();
  if (is_list_a && is_list_b) {
    const c10::ArrayRef<c10::IValue> x = items_of(a), y = items_of(b);
    if (x.size() != y.size())
      return fmt::format("{} vs. {}", pluralize(x.size(), "item"), y.size());
    for (size_t i = 0; i < x.size(); ++i) {
      if (const std::string what = compare_values(x[i], y[i], options); !what.empty())
        return fmt::format("item {}: {}", i, what);
    }
    return "";
  }
  if (a.isTensor() && b.isTensor()) {
    const TensorDifference difference = compare_tensors(a.toTensor(), b.toTensor());
    if (difference.bit_equal) return "";
    if (difference.form.empty() && options.equal_nan &&
        is_equal_except_nan(a.toTensor(), b.toTensor()))
      return "";
    if (difference.form.empty() && is_close(a.toTensor(), b.toTensor(), options)) return "";
    return to_string(difference);
  }
  if (a.isDouble() && b.isDouble()) {
    const double x = a.toDouble(), y = b.toDouble();
    if (x == y || (std::isnan(x) && std::isnan(y))) return "";
    if (std::abs(x - y) <= options.atol + options.rtol * std::abs(y)) return "";
    return fmt::format("{} vs. {}", x, y);
  }
  if (a.tagKind() != b.tagKind()) return fmt::format("{} vs. {}", a.tagKind(), b.tagKind());
  if (a.isInt() || a.isBool() || a.isString() || a.isNone() || a.isComplexDouble())
    return a == b ? "" : "different values";
  return "";  // objects
}

std::string EquivalenceReport::str() const {
  std::string text =
      fmt::format("{} compared: {} bit-equal, {} different; largest difference {:g}\n",
                  pluralize(compared, "value"), bit_equal, different.size(), max_abs);
  for (const ValueDifference& value : different)
    text += fmt::format("{}: {}\n", value.name, value.what);
  if (first) {
    text += fmt::format(
        "the first node that differs is {} ({}); its counterpart by {} is {} ({}): {}\n", first->a,
        first->target_a, matched_by_name(first->by), first->b, first->target_b, first->what);
  }
  return text;
}

absl::StatusOr<EquivalenceReport> check_equivalent(const Graph& a, const Graph& b,
                                                   const std::vector<c10::IValue>& inputs,
                                                   const EquivalenceOptions& options) {
  EquivalenceReport report;
  const MemoryFill fill(options.fill_memory);
  // libtorch's autograd may throw outside of nodes.
  try {
    at::manual_seed(options.seed);
    absl::StatusOr<Run> run_a = run_once(a, inputs, options.root_a, options.constants_a);
    if (!run_a.ok()) return of_graph("first", run_a.status());
    at::manual_seed(options.seed);
    absl::StatusOr<Run> run_b = run_once(b, inputs, options.root_b, options.constants_b);
    if (!run_b.ok()) return of_graph("second", run_b.status());
    if (options.gradients) {
      at::manual_seed(options.seed);
      absl::StatusOr<Run> back_a =
          run_for_gradients(a, inputs, options.root_a, options.constants_a);
      if (!back_a.ok()) return of_graph("first", back_a.status());
      at::manual_seed(options.seed);
      absl::StatusOr<Run> back_b =
          run_for_gradients(b, inputs, options.root_b, options.constants_b);
      if (!back_b.ok()) return of_graph("second", back_b.status());
      run_a->gradients = std::move(back_a->gradients);
      run_b->gradients = std::move(back_b->gradients);
    }
    compare_runs(report, a, *run_a, *run_b, options);
    if (!report.equivalent() && options.find_node) {
      FX_ASSIGN_OR_RETURN(report.first, find_diverging(a, b, inputs, options));
    }
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(torch_message(error));
  }
  return report;
}

}  // namespace fx
