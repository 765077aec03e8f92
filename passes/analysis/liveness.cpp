#include "fx/passes/analysis/liveness.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "fx/passes/analysis/edges.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/analysis/storage_offsets.h"
#include "fx/passes/analysis/training_step.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fx {
namespace {

constexpr uint32_t kNoStorage = Liveness::kNoStorage;
using Leaves = absl::InlinedVector<Type, 4>;

void append_leaves(Type type, Leaves& leaves) {
  switch (type.kind()) {
    case TypeKind::kList:
    case TypeKind::kTuple:
    case TypeKind::kMap:
      for (const Type item : type.items()) append_leaves(item, leaves);
      break;
    default:
      leaves.push_back(type);
  }
}

size_t num_leaves(Type type) {
  if (!type.is_list() && !type.is_tuple() && !type.is_map()) return 1;
  size_t count = 0;
  for (const Type item : type.items()) count += num_leaves(item);
  return count;
}

/// An operator whose result has a storage at least as large as that of `self`: it reduces within a
/// storage that first contained every element (ATen/native/Loss.cpp).
constexpr std::string_view kReducesInPlace = "aten.binary_cross_entropy";

absl::Status too_large() { return absl::ResourceExhaustedError("more than 2^63 bytes"); }

/// Computes the sizes of storages for given values of the symbols.
class Sizer {
 public:
  explicit Sizer(const SymBindings& bindings) : bindings_(bindings) {}

  /// Returns the size in bytes of the smallest storage that contains the tensor; nullopt if the
  /// size of the tensor is unknown.
  absl::StatusOr<std::optional<int64_t>> storage_bytes(Type type) {
    if (!type.is_tensor() || !type.has_rank() || type.dtype() == DType::kUndefined ||
        type.layout() != Layout::kStrided)
      return std::optional<int64_t>();
    int64_t reach = 1;
    FX_ASSIGN_OR_RETURN(const int64_t offset, value(type.offset()));
    bool overflow = false;
    if (!type.has_strides()) {
      for (const Dim& size : type.sizes()) {
        FX_ASSIGN_OR_RETURN(const int64_t n, value(size));
        overflow |= __builtin_mul_overflow(reach, n, &reach);
      }
    } else {
      for (size_t i = 0; i < type.sizes().size(); ++i) {
        FX_ASSIGN_OR_RETURN(const int64_t n, value(type.sizes()[i]));
        if (n == 0) return std::optional<int64_t>(0);
        FX_ASSIGN_OR_RETURN(const int64_t stride, value(type.strides()[i]));
        int64_t span = 0;
        overflow |= __builtin_mul_overflow(n - 1, stride, &span);
        overflow |= __builtin_add_overflow(reach, span, &reach);
      }
    }
    overflow |= __builtin_add_overflow(reach, offset, &reach);
    overflow |= __builtin_mul_overflow(reach, dtype_item_size(type.dtype()), &reach);
    if (overflow || reach < 0) return too_large();
    return std::optional<int64_t>(reach);
  }

 private:
  absl::StatusOr<int64_t> value(const Dim& dim) {
    if (dim.is_int()) return dim.value();
    absl::StatusOr<int64_t> value = eval_int(dim, bindings_);
    if (value.ok()) return value;
    return absl::InvalidArgumentError(fmt::format(
        "{}: set it with --symbol NAME=N, in the bindings, or as \"hint\" in the graph's "
        "metadata `symbols`",
        std::string(value.status().message())));
  }
  const SymBindings& bindings_;
};

StorageKind kind_of_input(const Node& node) {
  if (node.op() == Opcode::kGetAttr) return StorageKind::kAttribute;
  const std::string_view kind = input_fact(node, "kind");
  if (kind == "parameter") return StorageKind::kParameter;
  if (kind == "buffer") return StorageKind::kBuffer;
  if (kind == "optimizer") return StorageKind::kState;
  if (is_tangent(node)) return StorageKind::kTangent;
  return StorageKind::kInput;
}

/// The memory that a nested graph uses in addition to its operands.
struct NestedPeak {
  int64_t bytes = 0;
  uint32_t unknown_values = 0;
};
/// The peaks of the graphs that were visited; each graph is visited once.
using NestedPeaks = absl::flat_hash_map<const Graph*, NestedPeak>;

/// Computes the liveness of a graph in one pass over its nodes.
class LivenessWalk {
 public:
  LivenessWalk(const Graph& graph, const SymBindings& bindings, NestedPeaks& nested, int depth)
      : graph_(graph),
        bindings_(bindings),
        nested_(nested),
        sizer_(bindings),
        result_(graph),
        parts_(find_step_parts(graph)),
        first_leaf_(graph, 0),
        getitem_(graph.context().function("operator.getitem")),
        depth_(depth) {}

  absl::StatusOr<Liveness> run() {
    result_.nodes.reserve(graph_.size());
    transient_.reserve(graph_.size());
    for (const Node& node : graph_.nodes()) {
      position_ = static_cast<uint32_t>(result_.nodes.size());
      result_.nodes.push_back(&node);
      transient_.push_back(0);
      if (absl::Status status = visit(node); !status.ok())
        return with_context(status, fmt::format("{} : {}", node.name(), to_string(node.type())));
    }
    FX_RETURN_IF_ERROR(compute_live_bytes());
    result_.first_leaf = std::move(first_leaf_);
    result_.leaf_storages = std::move(leaf_storage_);
    return std::move(result_);
  }

 private:
  absl::Status visit(const Node& node) {
    part_ = parts_[node];
    node.for_each_input([&](Node* operand) { touch(*operand); });
    if (node.is_output()) {
      // A returned value is live until the end of the run, even if nodes follow the output.
      node.for_each_input([&](Node* operand) { returned_.push_back(operand); });
      return absl::OkStatus();
    }
    Leaves leaves;
    append_leaves(node.type(), leaves);
    first_leaf_[node] = static_cast<uint32_t>(leaf_storage_.size());
    leaf_storage_.resize(leaf_storage_.size() + leaves.size(), kNoStorage);
    if (node.op() == Opcode::kCallFunction || node.op() == Opcode::kCallMethod)
      find_aliases(node, leaves.size());
    if (node.op() == Opcode::kCallFunction) FX_RETURN_IF_ERROR(visit_nested(node));
    if (node.is_placeholder() && leaves.size() == 1)
      FX_RETURN_IF_ERROR(join_shared_input(node, leaves[0]));
    for (size_t i = 0; i < leaves.size(); ++i) {
      uint32_t& storage = leaf_storage_[first_leaf_[node] + i];
      FX_RETURN_IF_ERROR(storage == kNoStorage ? make_storage(node, leaves[i], storage)
                                               : grow_storage(node, leaves[i], storage));
    }
    return absl::OkStatus();
  }

  absl::Status make_storage(const Node& node, Type type, uint32_t& storage) {
    if (type && !type.is_tensor()) return absl::OkStatus();               // numbers, None, tokens
    if (!type && node.op() == Opcode::kGetAttr) return absl::OkStatus();  // a nested graph
    FX_ASSIGN_OR_RETURN(const std::optional<int64_t> bytes, sizer_.storage_bytes(type));
    if (!bytes) {
      const ops::OpInfo* op = called_operator(node);
      if (op != nullptr && op->schema().returns().empty()) return absl::OkStatus();
      ++result_.unknown_values;
      if (result_.unknown_nodes.empty() || result_.unknown_nodes.back() != &node)
        result_.unknown_nodes.push_back(&node);
      return absl::OkStatus();
    }
    int64_t size = *bytes;
    if (const ops::OpInfo* op = node.function().op()) {
      if (copies_storage(node) || op->packet() == kReducesInPlace) {
        const Argument like = node.argument("self").value_or(Argument());
        const uint32_t of = like.is_node() ? storage_of(*like.node(), 0) : kNoStorage;
        if (of != kNoStorage) size = std::max(size, result_.storages[of].bytes);
      }
    }
    const bool from_caller = node.is_placeholder() || node.op() == Opcode::kGetAttr;
    storage = static_cast<uint32_t>(result_.storages.size());
    const StorageKind kind = from_caller ? kind_of_input(node) : kind_of_allocation();
    result_.storages.push_back(
        {&node, type, size, kind, from_caller ? 0 : position_, position_, false});
    if (!from_caller) result_.bytes_allocated[node] += size;
    return absl::OkStatus();
  }

  /// Handles inputs that share memory (interp/shared_inputs.h). They share one storage, large
  /// enough for the input that extends furthest.
  absl::Status join_shared_input(const Node& input, Type type) {
    const std::optional<int64_t> group = input.meta().get(meta::kSharedMemory);
    if (!group || !type.is_tensor()) return absl::OkStatus();
    uint32_t& storage = leaf_storage_[first_leaf_[input]];
    const auto [entry, is_new] = shared_.try_emplace(*group, kNoStorage);
    if (entry->second == kNoStorage) {
      FX_RETURN_IF_ERROR(make_storage(input, type, storage));
      entry->second = storage;
      return absl::OkStatus();
    }
    storage = entry->second;
    FX_ASSIGN_OR_RETURN(const std::optional<int64_t> bytes, sizer_.storage_bytes(type));
    StorageLifetime& life = result_.storages[storage];
    if (bytes) life.bytes = std::max(life.bytes, *bytes);
    return absl::OkStatus();
  }

  /// Handles a result that is larger than its storage, because the call (`resize_`, or an operator
  /// that resizes its `out`) enlarges the storage. The additional memory is a separate block with
  /// the same lifetime.
  absl::Status grow_storage(const Node& node, Type type, uint32_t storage) {
    const ops::OpInfo* op = node.function().op();
    if (!type.is_tensor() || op == nullptr || op->written_arguments().empty())
      return absl::OkStatus();
    FX_ASSIGN_OR_RETURN(const std::optional<int64_t> bytes, sizer_.storage_bytes(type));
    if (!bytes) return absl::OkStatus();
    int64_t held = result_.storages[storage].bytes;
    for (const auto& [grown, block] : growths_)
      if (grown == storage) held += result_.storages[block].bytes;
    if (*bytes <= held) return absl::OkStatus();
    growths_.emplace_back(storage, static_cast<uint32_t>(result_.storages.size()));
    result_.storages.push_back(
        {&node, type, *bytes - held, kind_of_allocation(), position_, position_, false});
    result_.bytes_allocated[node] += *bytes - held;
    return absl::OkStatus();
  }

  /// Returns the kind of the storages that the current call allocates.
  StorageKind kind_of_allocation() const {
    if (part_ == StepPart::kOptimizer) return StorageKind::kOptimizer;
    return part_ == StepPart::kBackward ? StorageKind::kBackward : StorageKind::kForward;
  }

  /// Returns the storage of leaf `leaf` of an operand; kNoStorage if there is none.
  uint32_t storage_of(const Node& operand, size_t leaf) const {
    const size_t begin = first_leaf_[operand];
    const size_t index = begin + leaf;
    return index < leaf_storage_.size() && leaf < num_leaves(operand.type()) ? leaf_storage_[index]
                                                                             : kNoStorage;
  }

  void touch(const Node& operand) {
    const size_t begin = first_leaf_[operand];
    // A getitem of a tuple uses one of its items; it does not keep the other items alive.
    const Node& user = *result_.nodes[position_];
    if (const std::optional<size_t> leaf = selected_leaf(user)) {
      touch_storage(leaf_storage_[begin + *leaf]);
      return;
    }
    const size_t count = num_leaves(operand.type());
    for (size_t i = 0; i < count && begin + i < leaf_storage_.size(); ++i)
      touch_storage(leaf_storage_[begin + i]);
  }

  void touch_storage(uint32_t storage) {
    if (storage == kNoStorage) return;
    StorageLifetime& life = result_.storages[storage];
    life.last = position_;
    if (part_ == StepPart::kBackward && life.kind != StorageKind::kBackward &&
        life.kind != StorageKind::kTangent)
      life.saved = true;
  }

  /// For a getitem of a tuple or list, returns the leaf of the operand at which the selected item
  /// starts; nullopt for other nodes.
  std::optional<size_t> selected_leaf(const Node& node) const {
    const std::optional<int64_t> item = constant_item(node, getitem_);
    if (!item) return {};
    const Type aggregate = node.arg(0).as_node()->type();
    if (!aggregate.is_tuple() && !aggregate.is_list()) return {};
    const auto size = static_cast<int64_t>(aggregate.items().size());
    const int64_t index = *item < 0 ? *item + size : *item;
    if (index < 0 || index >= size) return {};
    size_t leaf = 0;
    for (int64_t i = 0; i < index; ++i)
      leaf += num_leaves(aggregate.items()[static_cast<size_t>(i)]);
    return leaf;
  }

  void alias(const Node& node, size_t leaf, const Node& operand, size_t operand_leaf) {
    uint32_t& storage = leaf_storage_[first_leaf_[node] + leaf];
    if (storage == kNoStorage) storage = storage_of(operand, operand_leaf);
  }

  void find_aliases(const Node& node, size_t leaves) {
    if (const std::optional<size_t> first = selected_leaf(node)) {
      for (size_t i = 0; i < leaves; ++i) alias(node, i, *node.arg(0).as_node(), *first + i);
      return;
    }
    if (node.op() == Opcode::kCallFunction && node.function().op()) {
      if (const absl::StatusOr<InferredCall> call = infer_call(node); call.ok() && call->type) {
        alias_inferred(node, *call, leaves);
        return;
      }
    }
    const ops::OpInfo* const op = called_operator(node);
    if (!op) return;
    for (const ops::OutputAlias& a : op->output_aliases()) {
      if (a.kind == ops::AliasKind::kMaybe) continue;
      const bool single = op->schema().returns().size() == 1;
      for (size_t i = 0; i < leaves; ++i)
        if (single || a.output == i) alias_argument(node, *op, i, a.argument, 0);
    }
  }

  void alias_inferred(const Node& node, const InferredCall& call, size_t leaves) {
    for (const TypeAlias& a : call.aliases)
      for (size_t i = 0; i < leaves; ++i)
        if (a.output < 0 || static_cast<size_t>(a.output) == i)
          alias_argument(node, *node.function().op(), i, a.argument, a.item);
  }

  void alias_argument(const Node& node, const ops::OpInfo& op, size_t leaf, int argument,
                      int16_t item) {
    const std::optional<ArgumentRef> value = passed_argument(node, op, argument);
    if (!value) return;
    if (value->is_node()) {
      // A list may be passed as one value; then `item` is the leaf.
      const auto of_list = static_cast<size_t>(item);
      alias(node, leaf, *value->node(), value->node()->type().is_tensor() ? 0 : of_list);
    } else if ((value->is_list() || value->is_tuple()) &&
               static_cast<size_t>(item) < value->size() &&
               (*value)[static_cast<size_t>(item)].is_node()) {
      alias(node, leaf, *(*value)[static_cast<size_t>(item)].node(), 0);
    }
  }

  /// Records in `transient_` the memory that the nested graphs of a call use in addition to their
  /// operands: the maximum over the graphs.
  absl::Status visit_nested(const Node& node) {
    if (graph_.num_subgraphs() == 0 || depth_ >= kMaxGraphNesting) return absl::OkStatus();
    for (const Graph* graph : nested_graphs(node)) {
      FX_ASSIGN_OR_RETURN(const NestedPeak peak, nested_peak(*graph));
      result_.unknown_values += peak.unknown_values;
      transient_[position_] = std::max(transient_[position_], peak.bytes);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<NestedPeak> nested_peak(const Graph& graph) {
    if (const auto entry = nested_.find(&graph); entry != nested_.end()) return entry->second;
    FX_ASSIGN_OR_RETURN(const Liveness inner,
                        LivenessWalk(graph, bindings_, nested_, depth_ + 1).run());
    NestedPeak result{.unknown_values = inner.unknown_values};
    const int64_t peak = inner.peak_position([](const Node&) { return true; });
    if (peak >= 0) result.bytes = inner.live_bytes[static_cast<size_t>(peak)] - inner.caller_bytes;
    return nested_[&graph] = result;
  }

  absl::Status compute_live_bytes() {
    const size_t count = result_.nodes.size();
    const auto end = static_cast<uint32_t>(count == 0 ? 0 : count - 1);
    for (const Node* node : returned_)
      for (size_t i = 0; i < num_leaves(node->type()); ++i)
        if (const uint32_t storage = storage_of(*node, i); storage != kNoStorage)
          result_.storages[storage].last = end;
    for (const auto& [storage, block] : growths_) {
      const StorageLifetime& aggregate = result_.storages[storage];
      result_.storages[block].last = aggregate.kind < StorageKind::kForward ? end : aggregate.last;
      result_.storages[block].saved = aggregate.saved;
    }
    std::vector<int64_t> change(count + 1, 0);
    for (StorageLifetime& life : result_.storages) {
      const bool from_caller = life.kind < StorageKind::kForward;
      if (from_caller) {
        life.last = end;
        if (__builtin_add_overflow(result_.caller_bytes, life.bytes, &result_.caller_bytes))
          return too_large();
        continue;
      }
      if (__builtin_add_overflow(change[life.first], life.bytes, &change[life.first]))
        return too_large();
      change[life.last + 1] -= life.bytes;
    }
    result_.live_bytes.resize(count);
    int64_t live = result_.caller_bytes;
    for (size_t i = 0; i < count; ++i) {
      if (__builtin_add_overflow(live, change[i], &live)) return too_large();
      // The peak of a nested graph includes its results, which are also the results of the call.
      const int64_t inside =
          std::max<int64_t>(0, transient_[i] - result_.bytes_allocated[*result_.nodes[i]]);
      if (__builtin_add_overflow(live, inside, &result_.live_bytes[i])) return too_large();
    }
    return absl::OkStatus();
  }

  const Graph& graph_;
  const SymBindings& bindings_;
  NestedPeaks& nested_;
  Sizer sizer_;
  Liveness result_;
  NodeMap<StepPart> parts_;
  NodeMap<uint32_t> first_leaf_;                        // index into leaf_storage_
  std::vector<uint32_t> leaf_storage_;                  // storage of every tensor of every value
  std::vector<int64_t> transient_;                      // by position: used inside nested graphs
  std::vector<const Node*> returned_;                   // values that the graph returns
  absl::flat_hash_map<int64_t, uint32_t> shared_;       // storages of inputs that share memory
  std::vector<std::pair<uint32_t, uint32_t>> growths_;  // a storage, and the block by which it grew
  uint32_t position_ = 0;
  StepPart part_ = StepPart::kForward;  // of the node at position_
  Target getitem_;
  int depth_;
};

}  // namespace

std::string_view storage_kind_name(StorageKind kind) {
  switch (kind) {
    case StorageKind::kParameter:
      return "parameter";
    case StorageKind::kBuffer:
      return "buffer";
    case StorageKind::kState:
      return "state";
    case StorageKind::kTangent:
      return "tangent";
    case StorageKind::kInput:
      return "input";
    case StorageKind::kAttribute:
      return "attribute";
    case StorageKind::kForward:
      return "forward";
    case StorageKind::kBackward:
      return "backward";
    case StorageKind::kOptimizer:
      return "optimizer";
  }
  FX_UNREACHABLE("storage kind");
}

bool is_backward(const Node& node) { return node.meta().get(meta::kRegion) == "bw"; }

SymBindings bindings_of(const Graph& graph, const SymBindings& given) {
  SymBindings bindings = given;
  const auto symbols = graph.meta("symbols");
  if (!symbols || !symbols->is_dict()) return bindings;
  for (size_t i = 0; i < symbols->size(); ++i) {
    const Argument& facts = (*symbols)[i];
    if (!facts.is_dict() || !symbols->key(i).is_string()) continue;
    const Argument* hint = facts.find("hint");
    if (hint != nullptr && hint->is_int())
      bindings.try_emplace(graph.context().symbol(symbols->key(i).as_string()), hint->as_int());
  }
  return bindings;
}

std::vector<const StorageLifetime*> Liveness::live_at(uint32_t position) const {
  std::vector<const StorageLifetime*> live;
  for (const StorageLifetime& life : storages)
    if (life.first <= position && position <= life.last && life.bytes > 0) live.push_back(&life);
  std::ranges::stable_sort(live, std::ranges::greater(), &StorageLifetime::bytes);
  return live;
}

std::vector<uint32_t> Liveness::storages_of(const Node& value) const {
  if (value.is_output()) return {};
  const auto begin = leaf_storages.begin() + first_leaf[value];
  return {begin, begin + static_cast<std::ptrdiff_t>(num_leaves(value.type()))};
}

absl::StatusOr<Liveness> analyze_liveness(const Graph& graph, const SymBindings& bindings) {
  const SymBindings all = bindings_of(graph, bindings);
  NestedPeaks nested;
  return LivenessWalk(graph, all, nested, 0).run();
}

}  // namespace fx
