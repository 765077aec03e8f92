#include "fx/importers/torch/capture/fake_tensor_internal.h"
#include "fx/importers/torch/capture/run_merger_internal.h"
#include "fx/importers/torch/capture/tables/value_table_internal.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace fx {
namespace {

/// Walks the graphs of multiple runs of one program side by side.
class RunMerger {
 public:
  RunMerger(std::vector<CapturedRun>& runs, CapturedRun* probe) : runs_(runs) {
    for (CapturedRun& run : runs_) graphs_.push_back(run.captured.graph.get());
    if (probe != nullptr) graphs_.push_back(probe->captured.graph.get());
  }

  /// Merges the runs into the first graph.
  absl::Status merge();

 private:
  using Nodes = std::vector<Node*>;  // corresponding nodes of all graphs
  /// A placeholder or get_attr node whose tensor is different in later runs.
  struct Rebound {
    Nodes nodes;
    std::vector<at::Tensor> tensors;  // the tensors in the runs
  };

  absl::Status merge_node(const Nodes& nodes);
  absl::Status merge_argument(const Nodes& nodes, std::optional<size_t> position, Symbol keyword);
  absl::Status compare_constant(const Nodes& nodes, std::vector<at::Tensor> tensors);
  void merge_guards(const Nodes& nodes);
  absl::StatusOr<Node*> next_value(const Rebound& state);
  absl::Status add_states();
  bool same(const Argument& a, const Argument& b) const;
  Node* number_input(std::vector<Argument> values);
  void insert_input(Node* source, CapturedInput input, std::string_view name, Type type);
  absl::Status differ(const Nodes& nodes, std::string_view what) const {
    return absl::InvalidArgumentError(
        fmt::format("the step is not the same in every run: node {} ({}) of the first run {}",
                    nodes[0]->name(), nodes[0]->target(), what));
  }
  CapturedGraph& result() { return runs_[0].captured; }
  bool is_probe(const Node& node) const {
    return graphs_.size() > runs_.size() && &node.graph() == graphs_.back();
  }

  std::vector<CapturedRun>& runs_;
  std::vector<Graph*> graphs_;  // the graphs of the runs and of the probe
  absl::flat_hash_map<const Node*, const Node*>
      first_;  // maps nodes of later runs to nodes of the first run
  std::vector<std::pair<std::vector<Argument>, Node*>> numbers_;
  std::vector<std::pair<std::vector<Argument>, Node*>> returned_;  // numbers that are not guards
  std::vector<Rebound> rebound_;
  size_t num_placeholders_ = 0;
  Node* last_input_ = nullptr;
};

absl::Status RunMerger::merge() {
  Nodes nodes;
  for (Graph* graph : graphs_) nodes.push_back(graph->front());
  for (Node& node : graphs_[0]->nodes()) {
    if (node.is_placeholder()) last_input_ = &node;
  }
  while (nodes[0] != nullptr) {
    // Call next() first, because merge_node may insert inputs after the placeholders.
    Nodes next;
    for (Node* node : nodes) next.push_back(node == nullptr ? nullptr : node->next());
    for (size_t i = 1; i < nodes.size(); ++i) {
      if (nodes[i] == nullptr) return differ(nodes, "has no counterpart in a later run");
      first_[nodes[i]] = nodes[0];
    }
    FX_RETURN_IF_ERROR(merge_node(nodes));
    nodes = std::move(next);
  }
  for (size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i] != nullptr) {
      return absl::InvalidArgumentError(
          fmt::format("the step is not the same in every run: node {} ({}) of a later run has no "
                      "counterpart in the first",
                      nodes[i]->name(), nodes[i]->target()));
    }
  }
  FX_RETURN_IF_ERROR(add_states());
  erase_unused_items(*graphs_[0]);
  return absl::OkStatus();
}

absl::Status RunMerger::merge_node(const Nodes& nodes) {
  const Node& first = *nodes[0];
  const bool is_input = first.is_placeholder() || first.op() == Opcode::kGetAttr;
  TypeTable& types = first.context().types();
  for (const Node* node : nodes) {
    if (node->op() != first.op() || node->target() != first.target()) {
      return differ(nodes, fmt::format("is a call to {} in a later run", node->target()));
    }
    if (node->num_args() != first.num_args() || node->num_kwargs() != first.num_kwargs()) {
      return differ(nodes, "has a different number of arguments in a later run");
    }
    // The next value of a state may require grad.
    const bool same_type =
        is_input ? without_grad(types, node->type()) == without_grad(types, first.type())
                 : node->type() == first.type();
    if (is_probe(*node)) continue;  // its sizes that depend on data are symbols
    if (!same_type) {
      return differ(nodes, fmt::format("has type {}, but type {} in a later run",
                                       to_string(first.type()), to_string(node->type())));
    }
  }
  if (is_input) {
    std::vector<at::Tensor> tensors;
    const size_t index = num_placeholders_;
    if (first.is_placeholder()) ++num_placeholders_;
    for (size_t r = 0; r < runs_.size(); ++r) {
      const auto found = runs_[r].live.find(nodes[r]);
      if (first.is_placeholder()) {
        tensors.push_back(runs_[r].captured.inputs[index].tensor);
      } else {
        tensors.push_back(found == runs_[r].live.end() ? at::Tensor() : found->second);
      }
    }
    return compare_constant(nodes, std::move(tensors));
  }
  merge_guards(nodes);
  for (size_t i = 0; i < first.num_args(); ++i) {
    FX_RETURN_IF_ERROR(merge_argument(nodes, i, {}));
  }
  for (size_t i = 0; i < first.num_kwargs(); ++i) {
    FX_RETURN_IF_ERROR(merge_argument(nodes, std::nullopt, first.kwarg_name(i)));
  }
  return absl::OkStatus();
}

/// Removes the guard of a number that was returned to the program if the number differs between
/// runs. The runs have the same operators.
void RunMerger::merge_guards(const Nodes& nodes) {
  std::vector<Argument> values;
  for (size_t r = 0; r < runs_.size(); ++r) {
    const std::optional<Argument> guard = nodes[r]->meta().get(kGuard);
    if (!guard) return;
    values.push_back(*guard);
  }
  if (std::all_of(values.begin(), values.end(), [&](const Argument& v) { return v == values[0]; }))
    return;
  nodes[0]->meta().remove(kGuard);
  returned_.emplace_back(std::move(values), nodes[0]);
}

// ---- tensors

/// Compares a tensor that the step uses but does not compute.
absl::Status RunMerger::compare_constant(const Nodes& nodes, std::vector<at::Tensor> tensors) {
  const auto is_first = [&](const at::Tensor& t) {
    return !t.defined() || !tensors[0].defined() || t.is_same(tensors[0]);
  };
  if (std::all_of(tensors.begin(), tensors.end(), is_first)) return absl::OkStatus();
  for (size_t r = 1; r < runs_.size(); ++r) {
    if (runs_[r - 1].values.find(tensors[r]) == nullptr) continue;
    rebound_.push_back({nodes, std::move(tensors)});
    return absl::OkStatus();
  }
  for (size_t r = 1; r < runs_.size(); ++r) {
    if (same_elements(tensors[0], tensors[r])) continue;
    return differ(nodes,
                  fmt::format("is a different tensor in a later run ({}), which the step does not "
                              "compute; make it an input of the step, or write to the same tensor",
                              to_string(nodes[0]->type())));
  }
  return absl::OkStatus();
}

/// Returns the node of the first graph that computes the tensor of the next run.
absl::StatusOr<Node*> RunMerger::next_value(const Rebound& state) {
  Node* next = nullptr;
  for (size_t r = 0; r + 1 < runs_.size(); ++r) {
    const TracedValue* value = runs_[r].values.find(state.tensors[r + 1]);
    const Node* node = value == nullptr ? nullptr : value->node;
    if (r > 0 && node != nullptr) {
      const auto found = first_.find(node);
      node = found == first_.end() ? nullptr : found->second;
    }
    if (node == nullptr || (next != nullptr && node != next)) {
      return differ(state.nodes,
                    fmt::format("is a different tensor in a later run ({}), but not always the "
                                "same result of the previous run; make it an input of the step",
                                to_string(state.nodes[0]->type())));
    }
    next = const_cast<Node*>(node);
  }
  return next;
}

absl::Status RunMerger::add_states() {
  if (rebound_.empty()) return absl::OkStatus();
  CapturedGraph& captured = result();
  size_t index = 0;
  for (const CapturedInput& input : captured.inputs) {
    if (input.kind == InputKind::kOptimizer && input.name.starts_with("state_")) ++index;
  }
  std::vector<std::pair<Node*, CapturedOutput>> outputs;
  std::vector<std::pair<Node*, Node*>> replaced;
  for (const Rebound& state : rebound_) {
    FX_ASSIGN_OR_RETURN(Node * next, next_value(state));
    Node* node = state.nodes[0];
    size_t input = 0;
    if (node->is_placeholder()) {
      for (const Node& n : graphs_[0]->nodes()) {
        if (&n == node) break;
        ++input;
      }
    } else {
      input = captured.inputs.size();
      const std::string name = fmt::format("state_{}", ++index);
      captured.constants.erase(std::string(node->target()));
      insert_input(node, {InputKind::kOptimizer, name, 0, state.tensors[0]}, name, node->type());
      replaced.emplace_back(node, last_input_);
    }
    outputs.emplace_back(next, CapturedOutput{OutputKind::kState, input, state.tensors[1]});
  }
  const auto current = [&](Node* node) {
    for (const auto& [before, after] : replaced)
      if (before == node) return after;
    return node;
  };
  Node* const output = graphs_[0]->output_node();
  // Insert it after the outputs for tensors that the step wrote to.
  size_t place = 0;
  while (place < captured.outputs.size() && captured.outputs[place].kind == OutputKind::kMutation)
    ++place;
  std::vector<Argument> values;
  for (size_t i = 0; i < output->arg(0).size(); ++i) values.emplace_back(output->arg(0)[i]);
  for (const auto& [next, description] : outputs) {
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(place), Argument(current(next)));
    captured.outputs.insert(captured.outputs.begin() + static_cast<std::ptrdiff_t>(place),
                            description);
    ++place;
  }
  FX_RETURN_IF_ERROR(output->update_arg(0, Argument::list(values)));
  for (const auto& [before, after] : replaced) {
    before->replace_all_uses_with(after);
    FX_RETURN_IF_ERROR(graphs_[0]->erase_node(before));
  }
  describe_outputs(captured);
  return absl::OkStatus();
}

// ---- numbers

absl::Status RunMerger::merge_argument(const Nodes& nodes, std::optional<size_t> position,
                                       Symbol keyword) {
  std::vector<Argument> values;
  bool all_same = true;
  for (const Node* node : nodes) {
    const std::optional<ArgumentRef> value =
        position ? node->arg(*position) : node->kwarg(keyword.str());
    if (!value) return differ(nodes, fmt::format("has no {} in a later run", keyword.str()));
    values.emplace_back(*value);
    if (!same(values.front(), values.back())) all_same = false;
  }
  if (all_same) return absl::OkStatus();
  for (const Argument& value : values) {
    if (value.kind() != values[0].kind() || !(value.is_float() || value.is_int())) {
      return differ(nodes, "has an argument that differs in a later run and is not a number");
    }
  }
  Node* input = number_input(std::move(values));
  if (position) return nodes[0]->update_arg(*position, Argument(input));
  return nodes[0]->update_kwarg(keyword.str(), Argument(input));
}

/// Returns true if the arguments are equal after nodes of later runs are replaced with the
/// corresponding nodes of the first run.
bool RunMerger::same(const Argument& a, const Argument& b) const {
  if (const Node* node = b.node()) {
    const auto found = first_.find(node);
    return a.node() == (found == first_.end() ? node : found->second);
  }
  if (!b.contains_node()) return a == b;
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!same(Argument(a[i]), Argument(b[i]))) return false;
  }
  return true;
}

/// Returns the node for a number: the node of an operator that returned it, or an input. Numbers
/// that are equal in every run and in the probe share an input.
Node* RunMerger::number_input(std::vector<Argument> values) {
  const absl::Span<const Argument> of_runs = absl::MakeConstSpan(values).first(runs_.size());
  for (const auto& [known, node] : returned_) {
    if (of_runs == known) return node;
  }
  for (const auto& [known, node] : numbers_) {
    if (known == values) return node;
  }
  TypeTable& types = graphs_[0]->context().types();
  CapturedInput input{.kind = InputKind::kNumber, .index = numbers_.size()};
  for (const Argument& value : of_runs) {
    input.numbers.push_back(value.is_float() ? c10::IValue(value.as_float())
                                             : c10::IValue(value.as_int()));
  }
  insert_input(nullptr, std::move(input), fmt::format("number_{}", numbers_.size() + 1),
               values[0].is_float() ? types.floating() : types.integer());
  numbers_.emplace_back(std::move(values), last_input_);
  return last_input_;
}

/// Adds a placeholder after last_input_, with the metadata of `source` if that is not null.
void RunMerger::insert_input(Node* source, CapturedInput input, std::string_view name, Type type) {
  const InsertPointGuard place = last_input_ == nullptr
                                     ? graphs_[0]->inserting_before(graphs_[0]->front())
                                     : graphs_[0]->inserting_after(last_input_);
  last_input_ = graphs_[0]->placeholder(name, {.type = type});
  if (source != nullptr) last_input_->meta().copy_from(*source);
  last_input_->meta().set(meta::kInput, describe_input(input));
  result().inputs.push_back(std::move(input));
}

}  // namespace

namespace {

/// Returns true if both graphs have the same calls with the same values, except for numbers.
bool same_structure(const Graph& a, const Graph& b) {
  absl::flat_hash_map<const Node*, const Node*> counterpart;
  const Node* other = b.front();
  for (const Node& node : a.nodes()) {
    if (other == nullptr || node.op() != other->op() || node.target() != other->target() ||
        node.num_args() != other->num_args() || node.num_kwargs() != other->num_kwargs())
      return false;
    counterpart.emplace(&node, other);
    for (size_t i = 0; i < node.num_args() + node.num_kwargs(); ++i) {
      const bool positional = i < node.num_args();
      const size_t k = positional ? i : i - node.num_args();
      const Argument x(positional ? node.arg(k) : node.kwarg_value(k));
      const Argument y(positional ? other->arg(k) : other->kwarg_value(k));
      if ((x.is_float() && y.is_float()) || (x.is_int() && y.is_int())) continue;
      const Argument mapped = map_nodes(x, [&](Node* operand) {
        const auto found = counterpart.find(operand);
        return found == counterpart.end() ? Argument(operand)
                                          : Argument(const_cast<Node*>(found->second));
      });
      if (!(mapped == y)) return false;
    }
    other = other->next();
  }
  return other == nullptr;
}

}  // namespace

bool same_elements(const at::Tensor& a, const at::Tensor& b) {
  const auto is_known = [](const at::Tensor& tensor) {
    return tensor.defined() && tensor.layout() == at::kStrided && tensor.has_storage() &&
           !FakeTensorMemory::owns(tensor.storage());
  };
  return is_known(a) && is_known(b) && compare_tensors(a.detach(), b.detach()).bit_equal;
}

std::vector<ReturnedNumber> returned_numbers(const Graph& graph) {
  std::vector<ReturnedNumber> numbers;
  for (const Node& node : graph.nodes()) {
    const std::optional<Argument> guard = node.meta().get(kGuard);
    if (!guard) continue;
    absl::StatusOr<c10::IValue> value = to_ivalue(*guard, {.base = ArgumentCode::kNumber});
    if (value.ok()) numbers.push_back({node.target_symbol(), *std::move(value)});
  }
  return numbers;
}

absl::StatusOr<CapturedGraph> merge_runs(std::vector<CapturedRun> runs,
                                         std::optional<CapturedRun> probe) {
  // With fake tensors, the program may call different operators. This is not an error.
  if (probe && !same_structure(*runs[0].captured.graph, *probe->captured.graph)) probe.reset();
  FX_RETURN_IF_ERROR(RunMerger(runs, probe ? &*probe : nullptr).merge());
  return std::move(runs[0].captured);
}

}  // namespace fx
