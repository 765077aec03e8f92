// split_by_tags: see split_module.h.
#include "fx/ir/context.h"
#include "fx/ir/node_map.h"
#include "fx/ir/support/status.h"
#include "fx/passes/partition/order_edges_internal.h"
#include "fx/passes/partition/split_module.h"
#include "fx/passes/partition/subgraph.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {
namespace {

struct Component {
  std::unique_ptr<Graph> graph;
  std::vector<const Node*> inputs = {}, outputs = {};
  absl::flat_hash_map<const Node*, Node*> placeholders = {};  // and get_attr nodes
};

class TagSplitter {
 public:
  TagSplitter(const Graph& graph, const Module& root, absl::Span<const std::string> tags,
              const SplitByTagsOptions& options)
      : graph_(graph), root_(root), tags_(tags), options_(options), component_(graph, kNone) {}

  absl::StatusOr<SplitModuleResult> split(const TagOf& tag_of) {
    for (const std::string& tag : tags_) {
      if (!number_.emplace(tag, components_.size()).second)
        return absl::InvalidArgumentError(fmt::format("the tag \"{}\" is listed twice", tag));
      components_.push_back({.graph = std::make_unique<Graph>(graph_.context())});
    }
    base_ = std::make_unique<Graph>(graph_.context());
    for (Node& node : graph_.nodes()) FX_RETURN_IF_ERROR(take(node, tag_of));
    for (const auto& [earlier, later] : internal::order_edges(graph_)) {
      if (component_[*later] < component_[*earlier]) {
        return absl::InvalidArgumentError(
            fmt::format("%{} must not run before %{}, for its effects, but its tag \"{}\" comes "
                        "before \"{}\"",
                        later->name(), earlier->name(), tags_[component_[*later]],
                        tags_[component_[*earlier]]));
      }
    }
    return finish();
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  absl::Status take(Node& node, const TagOf& tag_of) {
    if (node.is_output() || node.op() == Opcode::kGetAttr) return absl::OkStatus();
    if (node.is_placeholder()) {
      Node* copy = base_->placeholder(node.name(), {.type = node.type()});
      copy->meta().copy_from(node);
      in_base_[&node] = copy;
      return absl::OkStatus();
    }
    const std::string tag = tag_of(node);
    const auto found = number_.find(tag);
    if (found == number_.end()) {
      return absl::InvalidArgumentError(
          fmt::format("%{} has the tag \"{}\", which is not listed", node.name(), tag));
    }
    const size_t number = component_[node] = found->second;
    const Node* later = nullptr;
    node.for_each_input([&](Node* input) {
      if (component_[*input] != kNone && component_[*input] > number) later = input;
    });
    if (later != nullptr) {
      return absl::InvalidArgumentError(
          fmt::format("%{} has the tag \"{}\" and reads %{} of the later tag \"{}\"", node.name(),
                      tag, later->name(), tags_[component_[*later]]));
    }
    Component& component = components_[number];
    FX_ASSIGN_OR_RETURN(Node * copy, component.graph->node_copy(node, [&](Node* input) -> Argument {
      return operand(component, number, *input);
    }));
    copies_[&node] = copy;
    return absl::OkStatus();
  }

  bool is_nested_graph(const Node& node) const {
    return node.op() == Opcode::kGetAttr && graph_.find_subgraph(node.target()) != nullptr;
  }

  Node* operand(Component& component, size_t number, Node& input) {
    if (component_[input] == number) return copies_.at(&input);
    Node*& node = component.placeholders[&input];
    if (node != nullptr) return node;
    if (is_nested_graph(input)) {
      const absl::StatusOr<Node*> copy = component.graph->node_copy(input);  // with the graph
      FX_CHECK_OK(copy);
      return node = *copy;
    }
    if (input.op() == Opcode::kGetAttr) {
      node = component.graph->get_attr(input.target(), {.type = input.type()});
    } else {
      node = component.graph->placeholder(input.name(), {.type = input.type()});
      component.inputs.push_back(&input);
      use(input);
    }
    node->meta().copy_from(input);
    return node;
  }

  /// Notes that the base graph needs the value.
  void use(const Node& node) {
    if (node.is_placeholder() || !used_.insert(&node).second) return;
    components_[component_[node]].outputs.push_back(&node);
  }

  absl::StatusOr<SplitModuleResult> finish() {
    const Node* output = graph_.output_node();
    if (output == nullptr) return absl::InvalidArgumentError("the graph has no output");
    Context& context = graph_.context();
    std::vector<std::pair<std::string, Attribute>> members;
    output->for_each_input([&](Node* input) {
      if (input->op() != Opcode::kGetAttr) {
        use(*input);
      } else if (!in_base_.contains(input)) {
        in_base_[input] = base_->get_attr(input->target(), {.type = input->type()});
        if (const Attribute* member = root_.find_attribute(input->target()))
          members.emplace_back(std::string(input->target()), *member);
      }
    });
    SplitModuleResult result;
    for (size_t i = 0; i < components_.size(); ++i) {
      Component& component = components_[i];
      std::vector<Argument> values;
      std::vector<Type> types;
      values.reserve(component.outputs.size());
      types.reserve(component.outputs.size());
      for (const Node* value : component.outputs) {
        values.emplace_back(copies_.at(value));
        types.push_back(value->type());
      }
      const bool tuple = values.size() != 1 || options_.return_tuple;
      component.graph->output(tuple ? Argument::tuple(values) : values[0]);
      for (const Node& node : component.graph->nodes()) {
        const bool is_path =
            node.op() == Opcode::kCallModule ||
            (node.op() == Opcode::kGetAttr && !component.graph->find_subgraph(node.target()));
        if (is_path)
          result.paths.emplace(fmt::format("{}.{}", tags_[i], node.target()), node.target());
      }
      FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module,
                          GraphModule::create(root_, std::move(component.graph)));
      members.emplace_back(tags_[i], Attribute::submodule(std::move(module)));
      result.partitions.push_back(tags_[i]);
      std::vector<Argument> inputs;
      inputs.reserve(component.inputs.size());
      for (const Node* input : component.inputs) inputs.emplace_back(in_base_.at(input));
      Node* call = base_->call_module(
          tags_[i], inputs, {}, {.type = tuple ? tuple_type(context.types(), types) : types[0]});
      for (size_t k = 0; k < values.size(); ++k) {
        in_base_[component.outputs[k]] =
            !tuple ? call
                   : base_->call_function(context.function("operator.getitem"), {call, k}, {},
                                          {.type = types[k]});
      }
    }
    base_->output(map_nodes(Argument(output->arg(0)),
                            [&](Node* value) -> Argument { return in_base_.at(value); }));
    GraphModule::Attributes attributes;
    attributes.reserve(members.size());
    for (const auto& [path, member] : members) attributes.emplace_back(path, member);
    FX_ASSIGN_OR_RETURN(result.module, GraphModule::create(attributes, std::move(base_)));
    return result;
  }

  const Graph& graph_;
  const Module& root_;
  absl::Span<const std::string> tags_;
  const SplitByTagsOptions& options_;
  NodeMap<size_t> component_;
  absl::flat_hash_map<std::string, size_t> number_;
  std::vector<Component> components_;
  std::unique_ptr<Graph> base_;
  absl::flat_hash_map<const Node*, Node*> in_base_, copies_;
  absl::flat_hash_set<const Node*> used_;
};

}  // namespace

absl::StatusOr<SplitModuleResult> split_by_tags(const Graph& graph, const Module& root,
                                                absl::Span<const std::string> tags,
                                                const TagOf& tag_of,
                                                const SplitByTagsOptions& options) {
  return TagSplitter(graph, root, tags, options).split(tag_of);
}

}  // namespace fx
