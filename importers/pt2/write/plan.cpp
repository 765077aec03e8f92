#include "fx/importers/pt2/write/plan_internal.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/module/tied_paths.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_replace.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

absl::Status node_error(const Node& node, const absl::Status& status) {
  return with_context(status, describe_node(node));
}

/// Returns true if a call writes to an argument, according to its schema.
bool is_mutation(const Node& node) {
  const ops::OpInfo* const op = node.function().op();
  return op != nullptr && !op->is_function() && op->schema().is_mutable();
}

class Planner {
 public:
  Planner(const Graph& graph, const Module& members)
      : graph_(graph), members_(members), ties_(&members) {}

  absl::StatusOr<ProgramPlan> plan();

 private:
  absl::Status plan_placeholder(const Node& node);
  void find_unused_paths();
  std::string input_path(const Node& node) const;
  absl::Status plan_member(const Node& node);
  void plan_copies();
  bool can_omit(absl::Span<const Node* const> copies) const;
  Argument written_value(const Argument& result) const;
  absl::Status plan_outputs();
  absl::StatusOr<PlannedOutput> planned_output(const Argument& value, const Argument& description);
  static absl::Status set_target(PlannedOutput& output, const PlannedInput& input);
  const PlannedInput* find_input(const Node& node) const;
  const PlannedInput* input_of(const Argument& description) const;
  const PlannedInput* named_input(std::string_view target, bool is_user_input) const;

  const Graph& graph_;
  const Module& members_;
  const TiedPaths ties_;
  absl::flat_hash_set<std::string> unused_paths_;  ///< of get_attr nodes without uses
  ProgramPlan plan_;
  absl::flat_hash_map<std::string, const Node*> by_path_;
};

absl::Status Planner::plan_placeholder(const Node& node) {
  PlannedInput input{.node = &node};
  const std::optional<Argument> entry = node.meta().get(meta::kInput);
  const std::string_view kind = entry ? entry->find_text("kind") : std::string_view();
  if (entry) input.described = entry->find_text("target");
  input.path = pt2_member_path(node);
  if (node.target().starts_with('*')) {
    return absl::UnimplementedError(
        "an input for all remaining arguments is not supported; use one input for each argument");
  }
  if (kind == "parameter") {
    input.role = InputRole::kParameter;
  } else if (kind == "buffer") {
    input.role = InputRole::kBuffer;
    const Argument* persistent = entry->find("persistent");
    input.is_persistent = persistent == nullptr || *persistent != Argument(false);
  } else if (kind == "constant_tensor") {
    input.role = InputRole::kConstant;
  } else if (kind == "optimizer") {
    input.role = InputRole::kBuffer;
  } else if (kind == "token") {
    input.role = InputRole::kToken;
    plan_.inputs.push_back(std::move(input));
    return absl::OkStatus();
  } else if (kind == "custom_obj") {
    return absl::UnimplementedError(
        "an input of kind custom_obj is not supported; programs with objects cannot be written");
  }
  if (input.role != InputRole::kUser && input.path.empty())
    return absl::InvalidArgumentError(fmt::format("a {} must have a path (`target`)", kind));
  if (input.role == InputRole::kUser) input.path.clear();
  if (!input.path.empty() && !by_path_.emplace(input.path, &node).second) {
    return absl::InvalidArgumentError(fmt::format("two inputs have the path \"{}\"", input.path));
  }
  plan_.inputs.push_back(std::move(input));
  return absl::OkStatus();
}

/// Finds the paths of tied tensors that have get_attr nodes, but none that is used.
void Planner::find_unused_paths() {
  if (ties_.groups().empty()) return;
  const auto reads = graph_.find_nodes(Opcode::kGetAttr);
  for (const Node* node : reads)
    if (!node->has_uses() && !ties_.paths(node->target()).empty())
      unused_paths_.insert(std::string(node->target()));
  for (const Node* node : reads)
    if (node->has_uses()) unused_paths_.erase(std::string(node->target()));
}

/// Returns the path of the input of a get_attr node. All nodes of a tied tensor that are used have
/// one input, with the first path of its parameter, as in torch.export's programs; otherwise, each
/// input would be a separate parameter with a part of the gradient. A path whose nodes are not used
/// keeps its input.
std::string Planner::input_path(const Node& node) const {
  std::string path(node.target());
  if (unused_paths_.contains(path)) return path;
  const Attribute* first = nullptr;
  for (const std::string& tied : ties_.paths(path)) {
    const Attribute* const member = members_.find_attribute(tied);
    if (unused_paths_.contains(tied) || (first != nullptr && first->kind <= member->kind)) continue;
    first = member;
    path = tied;
  }
  return path;
}

absl::Status Planner::plan_member(const Node& node) {
  const std::string path = input_path(node);
  const Attribute* const member = members_.find_attribute(path);
  if (member == nullptr) {
    return absl::NotFoundError(
        fmt::format("neither the module nor the data has a tensor \"{}\"", path));
  }
  if (!member->tensor) {
    return absl::UnimplementedError(
        fmt::format("\"{}\" must be a tensor; the members of programs must be tensors", path));
  }
  if (const auto it = by_path_.find(path); it != by_path_.end()) {
    plan_.same.emplace(&node, it->second);
    return absl::OkStatus();
  }
  by_path_.emplace(path, &node);
  const InputRole role = member->kind == AttributeKind::kParameter ? InputRole::kParameter
                         : member->kind == AttributeKind::kBuffer  ? InputRole::kBuffer
                                                                   : InputRole::kConstant;
  plan_.inputs.push_back({role, &node, path, path, member->persistent});
  return absl::OkStatus();
}

const PlannedInput* Planner::find_input(const Node& node) const {
  const auto same = plan_.same.find(&node);
  const Node* const input_node = same == plan_.same.end() ? &node : same->second;
  const auto it = absl::c_find_if(
      plan_.inputs, [input_node](const PlannedInput& input) { return input.node == input_node; });
  return it == plan_.inputs.end() ? nullptr : &*it;
}

/// Returns the input that metadata describes, such as {"kind": "parameter", "target": "fc.weight"},
/// or a user input with its index.
const PlannedInput* Planner::input_of(const Argument& description) const {
  const std::string_view target = description.find_text("target");
  for (const PlannedInput& input : plan_.inputs) {
    if (!target.empty()
            ? input.described == target
            : input.role == InputRole::kUser && input.node->meta().get(meta::kInput) == description)
      return &input;
  }
  return nullptr;
}

/// Returns the consecutive calls to `copy` directly before the output, in order.
std::vector<const Node*> final_copies(const Graph& graph, Target copy) {
  std::vector<const Node*> copies;
  const Node* node = graph.output_node();
  for (node = node == nullptr ? nullptr : node->prev(); node != nullptr && node->is(copy);
       node = node->prev())
    copies.push_back(node);
  std::reverse(copies.begin(), copies.end());
  return copies;
}

/// Returns true if results can express the copies. A program writes its results in order, after it
/// has computed all of them. Where it returns a value that it also writes, PyTorch returns the
/// tensor that was written.
bool Planner::can_omit(absl::Span<const Node* const> copies) const {
  const Node& output = *graph_.output_node();
  absl::flat_hash_set<const Node*> destinations, sources;
  for (const Node* copy : copies) {
    for (const Use use : copy->uses())
      if (use.user() != &output) return false;
    if (copy->num_args() != 2 || copy->num_kwargs() != 0) return false;
    const Node* const destination = copy->arg(0).node();
    const Node* const source = copy->arg(1).node();
    if (destination == nullptr || source == nullptr) return false;
    const PlannedInput* const input = find_input(*destination);
    if (input == nullptr || input->role == InputRole::kConstant) return false;
    if (!destinations.insert(input->node).second || !sources.insert(source).second) return false;
  }
  const auto reads_destination = [&](const Node& node) {
    bool reads = false;
    node.for_each_input([&](const Node* operand) {
      const auto same = plan_.same.find(operand);
      reads |= destinations.contains(same == plan_.same.end() ? operand : same->second);
    });
    return reads;
  };
  if (reads_destination(output)) return false;
  bool returns_source = false;
  output.for_each_input([&](const Node* operand) { returns_source |= sources.contains(operand); });
  if (returns_source) return false;
  return absl::c_none_of(sources, [&](const Node* source) {
    const PlannedInput* const input = find_input(*source);
    return input != nullptr && destinations.contains(input->node);
  });
}

void Planner::plan_copies() {
  const Target copy = graph_.context().function("aten.copy_.default");
  const std::vector<const Node*> copies = final_copies(graph_, copy);
  bool writes = false;
  for (const Graph& graph : all_graphs(graph_)) {
    for (const Node& node : graph.nodes())
      if (is_mutation(node) && !absl::c_linear_search(copies, &node)) writes = true;
  }
  if (writes || !can_omit(copies)) {
    plan_.is_functional = !writes && copies.empty();
    return;
  }
  for (const Node* node : copies) {
    const PlannedInput& input = *find_input(*node->arg(0).node());
    PlannedOutput output{.kind = "user_input_mutation", .value = Argument(node->arg(1).node())};
    if (input.role == InputRole::kUser) {
      output.user_input = input.node;
    } else {
      output.kind = input.role == InputRole::kBuffer ? "buffer_mutation" : "parameter_mutation";
      output.target = input.path;
    }
    plan_.outputs.push_back(std::move(output));
    plan_.omitted.insert(node);
  }
}

/// Returns the value that a program returns for a result of the graph: for a copy that is omitted,
/// the value that it writes.
Argument Planner::written_value(const Argument& result) const {
  const bool is_omitted = result.is_node() && plan_.omitted.contains(result.node());
  return is_omitted ? Argument(result.node()->arg(1)) : result;
}

/// Sets the target and the final kind of an output that refers to an input. The "mutation" of a
/// parameter, for example, is a parameter_mutation.
absl::Status Planner::set_target(PlannedOutput& output, const PlannedInput& input) {
  const bool is_gradient = output.kind == "gradient";
  output.target = input.path;
  switch (input.role) {
    case InputRole::kUser:
      output.kind = is_gradient ? "gradient_to_user_input" : "user_input_mutation";
      output.user_input = input.node;
      return absl::OkStatus();
    case InputRole::kParameter:
      output.kind = is_gradient ? "gradient_to_parameter" : "parameter_mutation";
      return absl::OkStatus();
    case InputRole::kBuffer:
      if (is_gradient) break;
      output.kind = "buffer_mutation";
      return absl::OkStatus();
    default:
      break;
  }
  return absl::UnimplementedError(
      fmt::format("a {} of \"{}\" is not supported; programs have gradients of parameters and "
                  "inputs, and write only to parameters, buffers and "
                  "inputs",
                  output.kind, input.path));
}

/// Returns the output for a result, whose kind is in the metadata (meta::kOutputs).
absl::StatusOr<PlannedOutput> Planner::planned_output(const Argument& value,
                                                      const Argument& description) {
  const std::string_view kind = description.find_text("kind");
  PlannedOutput output{.kind = "user_output", .value = value};
  if (kind.empty() || kind == "user_output" || kind == "output") return output;
  if (kind == "loss_output" || kind == "token") {
    output.kind = kind == "token" ? "token" : "loss_output";
    return output;
  }
  if (kind == "none") {
    output.kind = {};
    return output;
  }
  const bool is_gradient = kind.starts_with("gradient");
  const PlannedInput* input = nullptr;
  if (kind == "mutation" || kind == "gradient") {
    const Argument* of = description.find("of");
    input = input_of(of != nullptr ? *of : Argument());
  } else if (is_gradient || kind.ends_with("_mutation")) {
    input = named_input(description.find_text("target"), kind.find("user_input") != kind.npos);
  } else {
    return absl::UnimplementedError(fmt::format("a result of kind {} is not supported", kind));
  }
  if (input == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("a result of kind {} refers to an input that the graph does not have", kind));
  }
  output.kind = is_gradient ? "gradient" : "mutation";
  FX_RETURN_IF_ERROR(set_target(output, *input));
  // The value was written in place. The program writes it but does not return it.
  if (!is_gradient && value.is_node() && find_input(*value.node()) == input) output.kind = {};
  return output;
}

/// Returns the member with a path, which may be another path of a tied tensor, or the user input
/// with a name.
const PlannedInput* Planner::named_input(std::string_view target, bool is_user_input) const {
  const auto find = [&](auto&& matches) -> const PlannedInput* {
    const auto it = absl::c_find_if(plan_.inputs, [&](const PlannedInput& input) {
      return (input.role == InputRole::kUser) == is_user_input && matches(input);
    });
    return it == plan_.inputs.end() ? nullptr : &*it;
  };
  if (target.empty()) return nullptr;
  if (is_user_input)
    return find([&](const PlannedInput& input) { return input.node->name() == target; });
  if (const PlannedInput* const input =
          find([&](const PlannedInput& member) { return member.path == target; }))
    return input;
  return find([&](const PlannedInput& member) {
    return !member.path.empty() && ties_.first(member.path) == ties_.first(target);
  });
}

void append_leaves(const Argument& value, std::vector<Argument>& leaves) {
  if (!is_aggregate(value.kind()) || value.kind() == ArgumentKind::kSlice ||
      value.kind() == ArgumentKind::kRange) {
    leaves.push_back(value);
    return;
  }
  for (size_t i = 0; i < value.size(); ++i) append_leaves(value[i], leaves);
}

absl::Status Planner::plan_outputs() {
  const Node* const node = graph_.output_node();
  if (node == nullptr) return absl::InvalidArgumentError("the graph has no output");
  std::vector<Argument> leaves;
  append_leaves(Argument(node->arg(0)), leaves);
  std::optional<Argument> descriptions = node->meta().get(meta::kOutputs);
  if (descriptions && descriptions->size() != leaves.size()) {
    return node_error(*node, absl::InvalidArgumentError(fmt::format(
                                 "its metadata `outputs` describes {}, but it returns {}",
                                 pluralize(descriptions->size(), "value"), leaves.size())));
  }
  std::vector<PlannedOutput> tokens, results, gradients;
  for (size_t i = 0; i < leaves.size(); ++i) {
    absl::StatusOr<PlannedOutput> output =
        planned_output(written_value(leaves[i]), descriptions ? (*descriptions)[i] : Argument());
    if (!output.ok()) return node_error(*node, output.status());
    if (output->kind.empty()) continue;
    if (output->kind.ends_with("_mutation")) {
      plan_.outputs.push_back(*std::move(output));
    } else if (output->kind == "token") {
      tokens.push_back(*std::move(output));
    } else if (output->kind.starts_with("gradient")) {
      gradients.push_back(*std::move(output));
    } else {
      results.push_back(*std::move(output));
    }
  }
  plan_.num_results = results.size();
  plan_.outputs.insert(plan_.outputs.begin(), tokens.begin(), tokens.end());
  absl::c_move(results, std::back_inserter(plan_.outputs));
  absl::c_move(gradients, std::back_inserter(plan_.outputs));
  return absl::OkStatus();
}

absl::StatusOr<ProgramPlan> Planner::plan() {
  find_unused_paths();
  for (const Node& node : graph_.nodes()) {
    absl::Status status;
    if (node.is_placeholder()) {
      status = plan_placeholder(node);
    } else if (node.op() == Opcode::kGetAttr && graph_.find_subgraph(node.target()) == nullptr) {
      status = plan_member(node);
    }
    if (!status.ok()) return node_error(node, status);
  }
  const auto rank = [](const PlannedInput& input) {
    return input.role == InputRole::kToken  ? -1
           : input.role == InputRole::kUser ? int{0xff}
                                            : static_cast<int>(input.role);
  };
  absl::c_stable_sort(plan_.inputs, [rank](const PlannedInput& a, const PlannedInput& b) {
    return rank(a) < rank(b);
  });
  if (graph_.output_node() != nullptr) plan_copies();
  FX_RETURN_IF_ERROR(plan_outputs());
  return std::move(plan_);
}

}  // namespace

absl::StatusOr<ProgramPlan> plan_program(const Graph& graph, const Module& members) {
  return Planner(graph, members).plan();
}

std::string describe_node(const Node& node) {
  return node.name() == node.target() ? fmt::format("node {}", node.name())
                                      : fmt::format("node {} ({})", node.name(), node.target());
}

}  // namespace fx::pt2

namespace fx {

std::string pt2_member_path(const Node& node) {
  if (node.op() == Opcode::kGetAttr) return std::string(node.target());
  const std::optional<Argument> entry = node.meta().get(meta::kInput);
  if (!node.is_placeholder() || !entry) return {};
  const std::string_view path = entry->find_text("target");
  if (entry->find_text("kind") != "optimizer") return std::string(path);
  return "optimizer." +
         absl::StrReplaceAll(absl::string_view(path.data(), path.size()), {{".", "_"}});
}

}  // namespace fx
