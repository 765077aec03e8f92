// fold_constants: see fold_constants.h.
#include "fx/passes/inference/fold_constants.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/analysis/storage_offsets.h"
#include "fx/passes/aten/type_by_lowering.h"

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The tensors of the graph's get_attr nodes that its calls may write to: the running statistics of
/// a layer, the weight of an Embedding with `max_norm`.
class WrittenMembers {
 public:
  explicit WrittenMembers(const Graph& graph) {
    for (const Node& node : graph.nodes()) {
      if (!effects(node).has(ops::Effect::kWritesState)) continue;
      memory_.emplace(graph, MemoryOptions{.distinct_inputs = true, .distinct_attributes = true});
      return;
    }
  }
  bool contains(const Node& get_attr) const { return memory_ && memory_->is_written(get_attr); }

 private:
  std::optional<MemoryAnalysis> memory_;
};

/// Calls for which the evaluator failed.
struct FailedCalls {
  explicit FailedCalls(const Graph& graph) : calls(graph) {}
  NodeSet calls;
  size_t count = 0;
};

bool has_data(const Attribute* member) {
  return member != nullptr && member->kind != AttributeKind::kModule && member->tensor.defined() &&
         member->tensor.has_host_data();
}
bool is_tensor_member(const Module& root, std::string_view path) {
  return has_data(root.find_attribute(path));
}

/// Completes the types of constants and of calls that depend only on constants, since the memory
/// analysis depends on types. restore() and the destructor restore the old types.
class ConstantTypes {
 public:
  ConstantTypes(Graph& graph, const Module& root) {
    NodeSet constants(graph);
    for (Node& node : graph.nodes()) {
      const bool is_member = node.op() == Opcode::kGetAttr;
      if (!is_member && node.op() != Opcode::kCallFunction && node.op() != Opcode::kCallMethod)
        continue;
      bool is_constant = !is_member || is_tensor_member(root, node.target());
      node.for_each_input(
          [&](Node* input) { is_constant = is_constant && constants.contains(*input); });
      if (!is_constant) continue;
      constants.insert(node);
      has_calls_ = has_calls_ || !is_member;
      const Type recorded = node.type();
      if (is_fully_known(recorded)) continue;
      if (is_member) {
        const Attribute& member = *root.find_attribute(node.target());
        node.set_type(member.tensor.type(graph.context().types(), member.requires_grad));
      } else {
        reinfer_type(node, type_by_lowering);
        if (!node.type()) node.set_type(recorded);
      }
      recorded_.emplace(&node, recorded);
    }
  }
  ~ConstantTypes() { restore(); }
  ConstantTypes(const ConstantTypes&) = delete;
  ConstantTypes& operator=(const ConstantTypes&) = delete;

  /// True if a call depends only on constants.
  bool has_calls() const { return has_calls_; }
  /// True if the type was fully known before.
  bool was_known(Node& node) const {
    return is_fully_known(node.type()) && !recorded_.contains(&node);
  }
  void restore() {
    for (const auto& [node, type] : std::exchange(recorded_, {})) node->set_type(type);
  }

 private:
  absl::flat_hash_map<Node*, Type> recorded_;
  bool has_calls_ = false;
};

/// True if `item` is a getitem of a call with multiple results, and shares memory with neither the
/// operands nor other users of the call.
bool is_separate_item(const Node& item, const MemoryAnalysis& memory) {
  if (item.target() != "operator.getitem" || item.num_args() != 2) return false;
  const Node* call = item.arg(0).node();
  if (call == nullptr || !call->type().is_tuple()) return false;
  bool is_separate = true;
  call->for_each_input(
      [&](Node* input) { is_separate = is_separate && !memory.may_share(item, *input); });
  for (const Use use : call->uses())
    is_separate = is_separate && (use.user() == &item || !memory.may_share(*use.user(), item));
  return is_separate;
}

/// True if a result of the graph uses the memory of the call's result, and this memory may belong
/// to an operand: a returned view of a parameter must stay a view of it. Also true for a returned
/// copy of a constant, which an earlier fold may have created.
bool is_bound(const Node& node, const MemoryAnalysis& memory) {
  if (!memory.is_returned(node) || is_separate_item(node, memory)) return false;
  bool bound = false;
  node.for_each_input([&](Node* input) {
    bound = bound || memory.may_share(node, *input) ||
            (node.target() == "aten.clone.default" && input->op() == Opcode::kGetAttr);
  });
  return bound;
}

/// Returns the get_attr nodes of tensors that no call writes to, and the foldable calls that depend
/// only on them. Calls in `failed` are not foldable.
NodeSet constants_of(const Graph& graph, const Module& root, const MemoryAnalysis& memory,
                     const FoldConstantsOptions& options, const FailedCalls& failed) {
  NodeSet constants(graph);
  const AddressedRanges addressed(graph);
  const WrittenMembers written(graph);
  int mode_depth = 0;  // values depend on a mode, which the evaluator does not have
  for (const Node& node : graph.nodes()) {
    mode_depth = std::max(0, mode_depth + dtype_mode_change(node));
    if (node.op() == Opcode::kGetAttr) {
      if (is_tensor_member(root, node.target()) && !written.contains(node)) constants.insert(node);
      continue;
    }
    if (node.op() != Opcode::kCallFunction && node.op() != Opcode::kCallMethod) continue;
    if (mode_depth > 0 || failed.calls.contains(node)) continue;
    bool is_constant = true, has_inputs = false;
    node.for_each_input([&](Node* input) {
      has_inputs = true;
      is_constant = is_constant && constants.contains(*input);
    });
    if (!is_constant || (!has_inputs && !options.fold_factories)) continue;
    if (!effects(node).is_dedupable() || (options.skip && options.skip(node))) continue;
    if (is_bound(node, memory)) continue;
    // The storage of a new constant contains only the elements of the value.
    if (addressed.may_address_outside(node)) continue;
    constants.insert(node);
  }
  return constants;
}

/// Returns constant calls with users that are not constant.
std::vector<Node*> border_of(const Graph& graph, const NodeSet& constants) {
  std::vector<Node*> border;
  for (Node& node : graph.nodes()) {
    if (!constants.contains(node) || node.op() == Opcode::kGetAttr) continue;
    const Type type = node.type();
    if (type && !type.is_tensor()) continue;  // a tuple, whose items are also constants
    if (std::any_of(node.uses().begin(), node.uses().end(),
                    [&](const Use use) { return !constants.contains(*use.user()); })) {
      border.push_back(&node);
    }
  }
  return border;
}

Type without_grad(Type type, Context& context) {
  TensorSpec spec = type.spec();
  spec.requires_grad = false;
  return context.types().tensor(spec);
}

/// Returns a graph that computes the values of `border`.
absl::StatusOr<std::unique_ptr<Graph>> graph_of(const Graph& graph, const NodeSet& constants,
                                                absl::Span<Node* const> border) {
  NodeSet needed(graph);
  std::vector<const Node*> todo(border.begin(), border.end());
  while (!todo.empty()) {
    const Node* node = todo.back();
    todo.pop_back();
    if (!needed.insert(*node)) continue;
    node->for_each_input([&](Node* input) { todo.push_back(input); });
  }
  auto part = std::make_unique<Graph>(graph.context());
  absl::flat_hash_map<const Node*, Node*> map;
  for (const Node& node : graph.nodes()) {
    if (!needed.contains(node) || !constants.contains(node)) continue;
    FX_ASSIGN_OR_RETURN(Node * copy, part->node_copy(node, [&](Node* operand) -> Argument {
      return map.at(operand);
    }));
    map.emplace(&node, copy);
  }
  std::vector<Argument> results;
  results.reserve(border.size());
  for (const Node* node : border) results.emplace_back(map.at(node));
  part->output(Argument::tuple(results));
  return part;
}

/// Computes the values of `border`. A call for which the evaluator fails is added to `failed`, and
/// its value is undefined.
absl::StatusOr<std::vector<Tensor>> values_of(const Graph& graph, const Module& root,
                                              const NodeSet& constants,
                                              absl::Span<Node* const> border,
                                              const ConstantEvaluator& evaluate,
                                              FailedCalls& failed) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> part, graph_of(graph, constants, border));
  absl::StatusOr<std::vector<Tensor>> values = evaluate(*part, root);
  if (values.ok() && values->size() != border.size()) {
    return absl::InvalidArgumentError(fmt::format("the constant evaluator returned {}, not {}",
                                                  pluralize(values->size(), "value"),
                                                  border.size()));
  }
  const bool is_of_call =
      !absl::IsResourceExhausted(values.status()) && !absl::IsUnavailable(values.status());
  if (values.ok() || !is_of_call) return values;
  if (border.size() == 1) {
    failed.calls.insert(*border[0]);
    ++failed.count;
    return std::vector<Tensor>(1);
  }
  const size_t half = border.size() / 2;
  FX_ASSIGN_OR_RETURN(std::vector<Tensor> all,
                      values_of(graph, root, constants, border.first(half), evaluate, failed));
  FX_ASSIGN_OR_RETURN(std::vector<Tensor> rest,
                      values_of(graph, root, constants, border.subspan(half), evaluate, failed));
  std::ranges::move(rest, std::back_inserter(all));
  return all;
}

/// Folds the calls that are constant according to the current types. Adds the paths of new
/// constants to `paths`, and calls that cannot be evaluated to `failed`. Returns true if the graph
/// changed.
absl::StatusOr<bool> fold_once(Graph& graph, Module& root, const ConstantEvaluator& evaluate,
                               const FoldConstantsOptions& options, std::vector<std::string>& paths,
                               FailedCalls& failed) {
  ConstantTypes types(graph, root);
  if (!types.has_calls()) return false;
  const MemoryAnalysis memory(graph);
  const NodeSet constants = constants_of(graph, root, memory, options, failed);
  const std::vector<Node*> border = border_of(graph, constants);
  if (border.empty()) return false;
  FX_ASSIGN_OR_RETURN(const std::vector<Tensor> values,
                      values_of(graph, root, constants, border, evaluate, failed));
  bool changed = false;
  NodeSet retyped(graph);  // new nodes with more exact types than the calls that they replace
  size_t number = 0;
  for (size_t i = 0; i < border.size(); ++i) {
    if (!values[i].defined()) continue;
    if (options.max_bytes != 0 && values[i].num_bytes() > options.max_bytes) continue;
    // The type must not change. A call is kept if a separate tensor cannot have its strides.
    const Type type = values[i].type(graph.context().types());
    if (border[i]->type() && without_grad(border[i]->type(), graph.context()) != type) continue;
    std::string path = fmt::format("{}{}", options.prefix, number++);
    while (root.has_attribute(path)) path = fmt::format("{}{}", options.prefix, number++);
    FX_RETURN_IF_ERROR(root.register_constant(path, values[i]));
    paths.push_back(path);
    const auto guard = graph.inserting_before(border[i]);
    Node* folded = graph.get_attr(path, {.type = type});
    inherit_meta(*folded, *border[i]);
    if (!types.was_known(*border[i])) retyped.insert(*folded);
    if (memory.is_returned(*border[i])) {
      // The caller may write to a result, which must not change the constant.
      Node* copy = graph.call_function(graph.context().function("aten.clone.default"), {folded}, {},
                                       {.type = type});
      inherit_provenance(*copy, *border[i]);
      if (!types.was_known(*border[i])) retyped.insert(*copy);
      border[i]->replace_uses_if(copy, [&](const Node& user) {
        return user.is_output() || memory.may_share(user, *border[i]);
      });
    }
    border[i]->replace_all_uses_with(folded);
    changed = true;
  }
  types.restore();  // before nodes are erased
  if (changed) retype_users(graph, retyped, type_by_lowering);
  for (Node& node : graph.nodes().reversed()) {
    if (constants.contains(node) && !node.has_uses() && changed)
      FX_RETURN_IF_ERROR(graph.erase_node(&node));
  }
  return changed;
}

}  // namespace

std::string missing_tensors(const Graph& graph, const Module& root) {
  size_t missing = 0, all = 0;
  std::string_view first;
  // An index of all targets would cost more than this walk.
  for (const Node& node : graph.nodes()) {
    if (node.op() != Opcode::kGetAttr) continue;
    if (graph.find_subgraph(node.target()) != nullptr) continue;
    const Attribute* member = root.find_attribute(node.target());
    if (member != nullptr && member->kind == AttributeKind::kModule) continue;
    ++all;
    if (has_data(member)) continue;
    if (missing++ == 0) first = node.target();
  }
  if (missing == 0) return {};
  return fmt::format(
      "{} of {} tensors have no data (the first is {}), so calls that use them are not folded; put "
      "the data next to the graph (model.safetensors for model.json), or add them to the module",
      missing, all, first);
}

absl::StatusOr<bool> fold_constants(Graph& graph, Module& root, const ConstantEvaluator& evaluate,
                                    const FoldConstantsOptions& options) {
  if (writes_to_arguments(graph)) return false;
  // The types of new constants, and of calls that use them, may show that more calls can be folded,
  // since the memory analysis depends on types. Each round replaces calls with constants.
  std::vector<std::string> paths;
  FailedCalls failed(graph);
  bool changed = false;
  for (bool again = true; again;) {
    const size_t num_failed = failed.count;
    FX_ASSIGN_OR_RETURN(again, fold_once(graph, root, evaluate, options, paths, failed));
    changed = changed || again;
    again = again || failed.count != num_failed;  // the operands of failed calls
  }
  for (const std::string& path : paths) {  // removes constants that a later round folded
    if (graph.find_nodes(Opcode::kGetAttr, path).empty())
      FX_RETURN_IF_ERROR(root.delete_attribute(path));
  }
  return changed;
}

}  // namespace fx
