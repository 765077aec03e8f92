// Creates the forward and the backward graph of a cut.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/partition/joint/joint_internal.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <string>
#include <utility>

namespace fx::internal {
namespace {

/// Copies nodes of the joint graph into one of the two graphs.
class PartBuilder {
 public:
  explicit PartBuilder(const Graph& joint)
      : joint_(joint), graph_(std::make_unique<Graph>(joint.context())), copies_(joint, nullptr) {}

  Graph& graph() { return *graph_; }
  Node*& operator[](const Node& node) { return copies_[node]; }
  std::unique_ptr<Graph> release() {
    copy_guards(joint_, *graph_);
    return std::move(graph_);
  }

  absl::Status copy(const Node& node) {
    const Node* missing = nullptr;
    FX_ASSIGN_OR_RETURN(copies_[node], graph_->node_copy(node, [&](Node* operand) -> Argument {
      if (Node* found = copies_[*operand]) return found;
      missing = operand;
      return Argument();
    }));
    if (missing == nullptr) return absl::OkStatus();
    return absl::InternalError(fmt::format("%{} of a part uses %{}, which is not in the part",
                                           node.name(), missing->name()));
  }

  /// Returns the argument with copies in place of nodes.
  Argument map(const Argument& value) {
    return map_nodes(value, [&](const Node* node) { return Argument(copies_[*node]); });
  }

 private:
  const Graph& joint_;
  std::unique_ptr<Graph> graph_;
  NodeMap<Node*> copies_;
};

Argument description_of_saved(const SavedValue& saved) {
  return Argument::dict(
      {{Argument("name"), Argument(saved.name)}, {Argument("kind"), Argument("saved")}});
}

class PartsBuilder {
 public:
  PartsBuilder(const JointFacts& facts, const JointCut& cut, JointPartition& result)
      : facts_(facts), cut_(cut), result_(result) {}

  absl::Status run() {
    for (const Node* node : cut_.saved) (is_size(*node) ? sizes_ : values_).push_back(node);
    for (const Node* node : values_) describe(*node);
    for (const Node* node : sizes_) describe(*node);
    result_.num_results = facts_.results.size();
    result_.num_saved_sizes = sizes_.size();
    FX_RETURN_IF_ERROR(build_forward());
    return build_backward();
  }

 private:
  static bool is_size(const Node& node) {
    return !node.type().is_tensor() && !node.type().is_list() && !node.type().is_tuple();
  }

  void describe(const Node& node) {
    const JointNode& fact = facts_[node];
    SavedValue saved{.name = node.name(),
                     .type = node.type(),
                     .kind = SavedKind::kComputed,
                     .bytes = fact.bytes,
                     .is_random = fact.random,
                     .is_result = false,
                     .is_copy = fact.copied,
                     .is_rewritten = false};
    if (is_size(node)) {
      saved.kind = SavedKind::kSize;
    } else if (node.is_placeholder() && !fact.copied) {
      saved.kind = SavedKind::kInput;
      saved.is_rewritten = is_rewritten(node);
    }
    for (const Argument& result : facts_.results)
      saved.is_result |= result.is_node() && result.node() == &node;
    result_.saved.push_back(std::move(saved));
  }

  /// True if a result of the graph is the new value of the input.
  bool is_rewritten(const Node& input) const {
    const Argument* input_facts = input.meta().find(meta::kInput.name);
    if (input_facts == nullptr) return false;
    return std::ranges::any_of(facts_.result_descriptions, [&](const Argument& description) {
      const Argument* of = description.find("of");
      return of != nullptr && description.find_text("kind") == "mutation" &&
             describes(*of, *input_facts);
    });
  }
  /// True if all entries of `of` are entries of `input`.
  static bool describes(const Argument& of, const Argument& input) {
    if (!of.is_dict() || of.size() == 0) return false;
    for (size_t i = 0; i < of.size(); ++i) {
      if (!of.key(i).is_string()) return false;
      const Argument* value = input.find(of.key(i).as_string());
      if (value == nullptr || *value != of[i]) return false;
    }
    return true;
  }

  absl::Status build_forward() {
    const Graph& joint = facts_.graph();
    PartBuilder part(joint);
    NodeMap<Node*> clones(joint, nullptr);
    const std::vector<const Node*> nodes = nodes_of_forward();
    NodeSet cloned(joint);
    for (const Node* node : cut_.saved)
      if (facts_[*node].copied) cloned.insert(*node);
    // The clone of an input comes before all calls, and any other clone directly after its value,
    // because calls may write to the value.
    for (const Node* node : nodes)
      if (node->is_placeholder()) FX_RETURN_IF_ERROR(part.copy(*node));
    for (const Node* node : nodes)
      if (node->is_placeholder() && cloned.contains(*node))
        FX_RETURN_IF_ERROR(clone(part, *node, clones));
    for (const Node* node : nodes) {
      if (!node->is_placeholder()) FX_RETURN_IF_ERROR(part.copy(*node));
    }
    for (const Node* node : nodes) {
      if (node->is_placeholder() || !cloned.contains(*node)) continue;
      const auto guard = part.graph().inserting_after(part[*node]);
      FX_RETURN_IF_ERROR(clone(part, *node, clones));
    }
    std::vector<Argument> items;
    items.reserve(facts_.results.size() + result_.saved.size());
    for (const Argument& result : facts_.results) items.push_back(part.map(result));
    const auto add = [&](const Node* node) {
      items.emplace_back(clones[*node] != nullptr ? clones[*node] : part[*node]);
    };
    for (const Node* node : values_) add(node);
    for (const Node* node : sizes_) add(node);
    Node* const output = part.graph().output(Argument::list(items));
    if (!facts_.result_descriptions.empty() || facts_.results.empty()) {
      std::vector<Argument> descriptions = facts_.result_descriptions;
      for (const SavedValue& saved : result_.saved)
        descriptions.push_back(description_of_saved(saved));
      output->meta().set(meta::kOutputs, Argument::list(descriptions));
    }
    result_.forward = part.release();
    return absl::OkStatus();
  }

  /// Returns the nodes that the forward graph needs, in order.
  std::vector<const Node*> nodes_of_forward() const {
    const Graph& joint = facts_.graph();
    NodeSet needed(joint);
    const auto need = [&](const Node& node) { needed.insert(node); };
    for (const Argument& result : facts_.results) for_each_node_in(result, need);
    for (const Node* node : cut_.saved) needed.insert(*node);
    std::vector<const Node*> nodes;
    for (const Node& node : joint.nodes())
      if (!node.is_output() && !facts_[node].backward) nodes.push_back(&node);
    for (size_t i = nodes.size(); i-- > 0;) {
      const Node& node = *nodes[i];
      if (node.is_placeholder() || facts_[node].effectful) needed.insert(node);
      if (needed.contains(node)) node.for_each_input([&](const Node* in) { needed.insert(*in); });
    }
    std::erase_if(nodes, [&](const Node* node) { return !needed.contains(*node); });
    return nodes;
  }

  absl::Status clone(PartBuilder& part, const Node& node, NodeMap<Node*>& clones) {
    if (!node.type().is_tensor() || !is_non_overlapping_and_dense(node.type())) {
      return absl::UnimplementedError(fmt::format(
          "the forward pass writes to the memory of %{} : {}, but the backward pass uses its old "
          "value, and a copy would have different strides: clone it before the write",
          node.name(), to_string(node.type())));
    }
    const Target target = node.context().function("aten.clone.default");
    Type type = node.type();
    if (type.requires_grad() || !(type.offset() == Dim(0))) {
      TensorSpec spec = type.spec();
      spec.offset = Dim(0);
      spec.requires_grad = false;
      type = node.context().types().tensor(spec);
    }
    clones[node] = part.graph().call_function(target, {part[node]}, {}, {.type = type});
    return absl::OkStatus();
  }

  absl::Status build_backward() {
    const Graph& joint = facts_.graph();
    PartBuilder part(joint);
    const auto input = [&](const Node* node) {
      Node* const placeholder = part.graph().placeholder_like(*node);
      if (!node->is_placeholder())
        placeholder->meta().set(meta::kInput,
                                Argument::dict({{Argument("kind"), Argument("saved")}}));
      part[*node] = placeholder;
    };
    for (const Node* node : sizes_) input(node);
    for (const Node* node : values_) input(node);
    for (const Node& node : joint.nodes())
      if (node.is_placeholder() && facts_[node].backward) input(&node);
    bool wrote = false;
    for (const Node& node : joint.nodes()) {
      if (node.is_output() || node.is_placeholder() || !facts_[node].backward) continue;
      // The first call with effects may change the memory from which other values are recomputed.
      if (facts_[node].effectful && !std::exchange(wrote, true)) {
        for (const Node& value : joint.nodes())
          if (!value.is_output() && cut_.recomputed[value])
            FX_RETURN_IF_ERROR(materialize(part, value));
      }
      FX_RETURN_IF_ERROR(materialize(part, node));
    }
    absl::Status status;
    for (const Argument& gradient : facts_.gradients) {
      for_each_node_in(gradient, [&](const Node& node) { status.Update(materialize(part, node)); });
    }
    FX_RETURN_IF_ERROR(status);
    std::vector<Argument> items;
    items.reserve(facts_.gradients.size());
    for (const Argument& gradient : facts_.gradients) items.push_back(part.map(gradient));
    Node* const output = part.graph().output(Argument::list(items));
    if (!facts_.gradient_descriptions.empty())
      output->meta().set(meta::kOutputs, Argument::list(facts_.gradient_descriptions));
    for (const Node& node : joint.nodes()) {
      if (node.is_call() && cut_.recomputed[node] && facts_[node].cost > 0) {
        result_.recomputed.push_back(node.name());
        result_.recomputed_flops += facts_[node].flops;
      }
    }
    result_.backward = part.release();
    return absl::OkStatus();
  }

  /// Copies a node and, before it, the values that are recomputed for it. Recomputing as late as
  /// possible shortens the lifetimes of these values.
  absl::Status materialize(PartBuilder& part, const Node& target) {
    if (part[target] != nullptr) return absl::OkStatus();
    std::vector<const Node*> worklist = {&target};
    while (!worklist.empty()) {
      const Node& node = *worklist.back();
      if (part[node] != nullptr) {
        worklist.pop_back();
        continue;
      }
      const size_t before = worklist.size();
      node.for_each_input([&](const Node* operand) {
        if (part[*operand] == nullptr) worklist.push_back(operand);
      });
      if (worklist.size() > before) continue;
      if (node.is_placeholder() || (!facts_[node].backward && !cut_.recomputed[node])) {
        return absl::InternalError(
            fmt::format("the backward graph needs %{}, which is not saved", node.name()));
      }
      FX_RETURN_IF_ERROR(part.copy(node));
      worklist.pop_back();
    }
    return absl::OkStatus();
  }

  const JointFacts& facts_;
  const JointCut& cut_;
  JointPartition& result_;
  std::vector<const Node*> values_, sizes_;
};

}  // namespace

absl::Status build_parts(const JointFacts& facts, const JointCut& cut, JointPartition& result) {
  return PartsBuilder(facts, cut, result).run();
}

}  // namespace fx::internal
