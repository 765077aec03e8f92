// split_by_tags: see split_module.h.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/huge_pages.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/order_edges.h"
#include "fx/passes/partition/outline_internal.h"
#include "fx/passes/partition/split_in_order_internal.h"
#include "fx/passes/partition/split_module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "fmt/format.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

class OrderedSplitter {
 public:
  OrderedSplitter(const Graph& graph, const Module& root, const internal::OrderedParts& parts,
                  const SplitByTagsOptions& options)
      : graph_(graph),
        root_(root),
        parts_(parts),
        options_(options),
        where_(graph),
        lists_(parts.count),
        copies_(graph),
        base_copies_(graph),
        storages_(graph),
        getitem_(graph.context().function("operator.getitem")) {
    storages_.read_changes();
    steps_.reserve(graph.num_calls());
    modules_.reserve(parts.count);
  }

  /// Creates the modules, and the graph that calls them.
  absl::Status split() {
    base_ = std::make_unique<Graph>(graph_.context());
    base_copies_.begin(*base_);
    FX_RETURN_IF_ERROR(assign());
    const Node* output = graph_.output_node();
    if (output == nullptr) return absl::InvalidArgumentError("the graph must have an output");
    FX_RETURN_IF_ERROR(read_outputs(*output));
    for (size_t i = 0; i < parts_.count; ++i) FX_RETURN_IF_ERROR(make_part(i));
    // Also copies the graphs that it returns, if there are any.
    return base_copies_.node_copy(*output, {.keep_name = false}).status();
  }

  /// Returns the graph and its parts as a new module.
  absl::StatusOr<SplitModuleResult> as_module() {
    SplitModuleResult result;
    std::vector<std::pair<std::string, Attribute>> members;
    for (const Node& node : base_->nodes()) {
      if (node.op() != Opcode::kGetAttr) continue;
      if (const Attribute* member = root_.find_attribute(node.target()))
        members.emplace_back(std::string(node.target()), *member);
    }
    result.partitions.reserve(parts_.count);
    for (size_t i = 0; i < parts_.count; ++i) {
      std::string name(parts_.name_of(i).text);
      note_paths(name, modules_[i]->graph(), result);
      members.emplace_back(name, Attribute::submodule(modules_[i]));
      result.partitions.push_back(std::move(name));
    }
    const GraphModule::Attributes attributes(members.begin(), members.end());
    FX_ASSIGN_OR_RETURN(result.module, GraphModule::create(attributes, std::move(base_)));
    return result;
  }
  /// Replaces the graph that was split.
  absl::StatusOr<bool> put_into(Graph& graph, Module& root) {
    return internal::replace_with_parts(graph, root, std::move(base_), parts_.count,
                                        [this](size_t i) -> internal::NamedPart {
                                          return {parts_.name_of(i).text, std::move(modules_[i])};
                                        });
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  /// The part that contains a node, and its last user outside that part: a different part, or the
  /// output.
  struct Where {
    uint32_t part = kNone, last_user = kNone;
  };
  static constexpr uint32_t kOutput = kNone - 1;

  enum class StepKind : uint8_t { kCall, kInput, kAttribute, kOutput };
  /// A step of building a part's graph: the copy of a call, or an input for a value that calls use.
  /// Results are in a separate table.
  struct Step {
    const Node* node;
    uint32_t next;  // the next step of the part, in the same table
    StepKind kind;
  };
  template <class T>
  using Table = std::vector<T, internal::HugePageAllocator<T>>;
  using Steps = Table<Step>;
  struct List {
    uint32_t first = kNone, last = kNone;
  };
  struct Lists {
    List steps, outputs;
  };
  static void append(Steps& table, List& list, const Node& node, StepKind kind) {
    const auto index = static_cast<uint32_t>(table.size());
    (list.first == kNone ? list.first : table[list.last].next) = index;
    list.last = index;
    table.push_back({.node = &node, .next = kNone, .kind = kind});
  }

  // ---- 1: assigning nodes to parts
  absl::Status assign() {
    for (Node& node : graph_.nodes()) {
      if (!node.is_call()) {
        if (node.is_placeholder()) FX_RETURN_IF_ERROR(copy_placeholder(node));
        continue;
      }
      const uint32_t number = parts_.number_of(node);
      const Node* wrong = nullptr;
      Lists& lists = lists_[number];
      node.for_each_input([&](const Node* input) {
        Where& where = where_[*input];
        if (where.part != number && where.last_user != number &&
            !note_crossing(*input, where, number, lists))
          wrong = input;
      });
      if (wrong != nullptr) return cannot_read(node, number, *wrong);
      where_[node].part = number;
      append(steps_, lists.steps, node, StepKind::kCall);
    }
    return absl::OkStatus();
  }
  /// Records that a call of a part uses a value from outside; returns false if this is not allowed.
  [[gnu::noinline]] bool note_crossing(const Node& input, Where& where, uint32_t number,
                                       Lists& lists) {
    StepKind kind = StepKind::kInput;
    if (where.part == kNone) {
      if (input.is_call()) return false;
      if (input.op() == Opcode::kGetAttr) kind = StepKind::kAttribute;
    } else {
      if (where.part > number) return false;
      if (where.last_user == kNone)
        append(outputs_, lists_[where.part].outputs, input, StepKind::kOutput);
    }
    where.last_user = number;
    append(steps_, lists.steps, input, kind);
    return true;
  }
  absl::Status cannot_read(const Node& node, uint32_t number, const Node& input) const {
    const uint32_t later = where_[input].part;
    if (later == kNone) return internal::not_sorted(node, input);
    return absl::InvalidArgumentError(
        fmt::format("%{} has the tag \"{}\" and uses %{} with the later tag \"{}\"", node.name(),
                    tag(number), input.name(), tag(later)));
  }
  std::string tag(uint32_t number) const { return std::string(parts_.name_of(number).text); }

  /// Keeps the target, the name by which callers pass the input: `x`, `*args`, `**kwargs`.
  absl::Status copy_placeholder(const Node& node) {
    FX_ASSIGN_OR_RETURN(Node * copy,
                        base_->create_node(Opcode::kPlaceholder, node.target(), node.args(), {},
                                           {.name = node.name(), .type = node.type()}));
    copy->meta().copy_from(node);
    base_copies_.set(node, *copy);
    return absl::OkStatus();
  }
  absl::Status read_outputs(const Node& output) {
    for (const Node* value : output.all_input_nodes()) {
      Where& where = where_[*value];
      if (where.part != kNone) {
        if (where.last_user == kNone)
          append(outputs_, lists_[where.part].outputs, *value, StepKind::kOutput);
        where.last_user = kOutput;
      } else if (value->op() == Opcode::kGetAttr) {
        const Node* const attribute[] = {value};
        FX_RETURN_IF_ERROR(base_copies_.copy_nodes(attribute, {.keep_name = false}));
      }
    }
    return absl::OkStatus();
  }

  // ---- 2: the modules, and their calls
  absl::Status make_part(size_t number) {
    auto graph = std::make_unique<Graph>(graph_.context());
    copies_.begin(*graph);
    inputs_.clear();
    FX_RETURN_IF_ERROR(copy_steps(lists_[number].steps));
    values_.clear();
    results_.clear();
    types_.clear();
    for (uint32_t at = lists_[number].outputs.first; at != kNone; at = outputs_[at].next) {
      const Node& value = *outputs_[at].node;
      values_.push_back(&value);
      results_.push_back(copies_.find(value));
      types_.push_back(storages_.type_of(value));
    }
    const bool tuple = values_.size() != 1 || options_.return_tuple;
    Graph::Editor::output(*graph, results_, tuple);
    copy_guards(graph_, *graph);
    storages_.mark(inputs_, *graph, [this](const Node& value) { return copies_.find(value); });
    FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module,
                        GraphModule::create(root_, std::move(graph)));
    modules_.push_back(std::move(module));
    call_part(number, tuple);
    return absl::OkStatus();
  }
  absl::Status copy_steps(const List& list) {
    for (uint32_t at = list.first; at != kNone;) {
      const StepKind kind = steps_[at].kind;
      batch_.clear();
      for (; at != kNone && steps_[at].kind == kind && batch_.size() < internal::kCopyBatchSize;
           at = steps_[at].next)
        batch_.push_back(steps_[at].node);
      switch (kind) {
        case StepKind::kCall:
          FX_RETURN_IF_ERROR(copies_.copy_nodes(batch_));
          break;
        case StepKind::kInput:
          copies_.placeholders_like(batch_);
          inputs_.insert(inputs_.end(), batch_.begin(), batch_.end());
          break;
        case StepKind::kOutput:
          break;
        case StepKind::kAttribute:  // named after its path; a nested graph keeps its name
          std::erase_if(batch_,
                        [this](const Node* node) { return copies_.find(*node) != nullptr; });
          FX_RETURN_IF_ERROR(copies_.copy_nodes(batch_, {.keep_name = false}));
          break;
      }
    }
    return absl::OkStatus();
  }
  /// Calls the module with inputs_, and records its results as the copies of values_.
  void call_part(size_t number, bool tuple) {
    operands_.clear();
    for (const Node* input : inputs_) operands_.push_back(base_copies_.find(*input));
    const Type type = tuple ? tuples_.of(graph_.context().types(), types_) : types_[0];
    const internal::PartName name = parts_.name_of(number);
    Node* call = nullptr;
    if (name.name.has_number()) {
      call = Graph::Editor::call_module(*base_, name.name, operands_, type);
    } else {
      const std::vector<Argument> operands(operands_.begin(), operands_.end());
      call = base_->call_module(name.text, operands, {}, {.type = type});
    }
    for (size_t k = 0; k < values_.size(); ++k) {
      Node* value = call;
      if (tuple) {
        value =
            Graph::Editor::get_item(*base_, getitem_, *call, static_cast<int64_t>(k), types_[k]);
      }
      base_copies_.set(*values_[k], *value);
    }
  }
  static void note_paths(const std::string& module, const Graph& graph, SplitModuleResult& result) {
    if (graph.num_nodes(Opcode::kCallModule) + graph.num_nodes(Opcode::kGetAttr) == 0) return;
    for (const Node& node : graph.nodes()) {
      const bool is_path =
          node.op() == Opcode::kCallModule ||
          (node.op() == Opcode::kGetAttr && graph.find_subgraph(node.target()) == nullptr);
      if (is_path) result.paths.emplace(fmt::format("{}.{}", module, node.target()), node.target());
    }
  }

  const Graph& graph_;
  const Module& root_;
  const internal::OrderedParts& parts_;
  const SplitByTagsOptions& options_;
  NodeMap<Where> where_;
  Steps steps_, outputs_;  // steps of all parts
  Table<Lists> lists_;     // lists of each part
  CopyTable copies_;       // in the part that is being created
  CopyTable base_copies_;  // in the graph that calls the parts
  std::unique_ptr<Graph> base_;
  std::vector<std::shared_ptr<GraphModule>> modules_;
  internal::ValueStorages storages_;
  const Target getitem_;
  internal::TupleTypes tuples_;
  // The inputs and results, inside and outside, of the part that is being created.
  std::vector<const Node*> batch_, inputs_, values_;
  std::vector<Node*> results_, operands_;
  std::vector<Type> types_;
};

}  // namespace

absl::StatusOr<SplitModuleResult> internal::split_in_order(const Graph& graph, const Module& root,
                                                           const OrderedParts& parts,
                                                           const SplitByTagsOptions& options) {
  OrderedSplitter splitter(graph, root, parts, options);
  FX_RETURN_IF_ERROR(splitter.split());
  return splitter.as_module();
}

absl::StatusOr<bool> internal::split_in_order_in_place(Graph& graph, Module& root,
                                                       const OrderedParts& parts,
                                                       const SplitByTagsOptions& options) {
  OrderedSplitter splitter(graph, root, parts, options);
  FX_RETURN_IF_ERROR(splitter.split());
  return splitter.put_into(graph, root);
}

absl::StatusOr<SplitModuleResult> split_by_tags(const Graph& graph, const Module& root,
                                                absl::Span<const std::string> tags,
                                                const TagOf& tag_of,
                                                const SplitByTagsOptions& options) {
  absl::flat_hash_map<std::string_view, uint32_t> numbers;
  for (const std::string& tag : tags) {
    if (!numbers.emplace(tag, numbers.size()).second)
      return absl::InvalidArgumentError(fmt::format("duplicate tag \"{}\" in the list", tag));
  }
  NodeMap<uint32_t> number_of(graph, 0);
  for (const Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    const std::string tag = tag_of(node);
    const auto found = numbers.find(tag);
    if (found == numbers.end()) {
      return absl::InvalidArgumentError(
          fmt::format("%{} has the tag \"{}\", which is not listed", node.name(), tag));
    }
    number_of[node] = found->second;
  }
  for (const auto& [earlier, later] : internal::order_edges(graph)) {
    if (number_of[*later] >= number_of[*earlier]) continue;
    return absl::InvalidArgumentError(fmt::format(
        "%{} must not run before %{} because of its effects, but its tag \"{}\" comes before "
        "\"{}\"",
        later->name(), earlier->name(), tags[number_of[*later]], tags[number_of[*earlier]]));
  }
  return internal::split_in_order(
      graph, root,
      {.count = tags.size(),
       .number_of = [&](const Node& call) { return number_of[call]; },
       .name_of = [&](size_t i) -> internal::PartName { return {.text = tags[i], .name = {}}; }},
      options);
}

}  // namespace fx
