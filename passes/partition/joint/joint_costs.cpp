// The cost of saving and of recomputing each value of a joint graph.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/flops.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/partition/joint/joint_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace fx::internal {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 40;
constexpr int64_t kMaxCost = int64_t{1} << 58;

/// Returns the size of the elements of a value in bytes; nullopt if its type does not determine it.
std::optional<int64_t> element_bytes(Type type, const SymBindings& bindings) {
  if (type.is_list() || type.is_tuple() || type.is_map()) {
    int64_t sum = 0;
    for (const Type item : type.items()) {
      const std::optional<int64_t> bytes = element_bytes(item, bindings);
      if (!bytes) return std::nullopt;
      sum += *bytes;
    }
    return sum;
  }
  if (!type) return std::nullopt;
  if (!type.is_tensor()) return 0;
  if (!type.has_rank() || type.dtype() == DType::kUndefined) return std::nullopt;
  int64_t bytes = static_cast<int64_t>(dtype_item_size(type.dtype()));
  for (const Dim& size : type.sizes()) {
    const absl::StatusOr<int64_t> value = eval_int(size, bindings);
    if (!value.ok() || *value < 0 || __builtin_mul_overflow(bytes, *value, &bytes))
      return std::nullopt;
  }
  return bytes;
}

bool has_several_items(const Node& node) {
  const Type type = node.type();
  return type.is_list() || type.is_tuple() || type.is_map();
}

bool is_item(const Node& node) {
  return node.op() == Opcode::kCallFunction && node.target() == "operator.getitem" &&
         node.num_args() == 2 && node.arg(0).is_node() && has_several_items(*node.arg(0).as_node());
}

bool is_number(Type type) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kBool:
    case TypeKind::kComplex:
    case TypeKind::kString:
    case TypeKind::kNone:
      return true;
    default:
      return false;
  }
}

/// True if recomputing the value takes no time, and saving it would keep its source's memory alive.
bool is_view_of_operand(const Node& call) {
  const Node* source = &call;
  while (is_item(*source)) source = source->arg(0).as_node();
  const Node& node = *source;
  if (node.op() == Opcode::kGetAttr) return true;
  if (node.is_placeholder() || is_number(call.type())) return false;
  return node.op() == Opcode::kCallFunction && MemoryAnalysis::allocates_nothing(node);
}

bool is_used_as_a_unit(const Node& node) {
  for (const Use use : node.uses())
    if (!is_item(*use.user())) return true;
  return false;
}

absl::Status unknown_size(const Node& node) {
  return absl::FailedPreconditionError(fmt::format(
      "%{} : {}, which the backward pass uses, has no known size: infer the types first "
      "(fx::propagate_types, fxcpp shape)",
      node.name(), to_string(node.type())));
}

}  // namespace

absl::Status JointFacts::measure(const JointPartitionOptions& options) {
  NodeMap<int64_t> sizes(*graph_, 0);
  for (const Node& node : graph_->nodes()) {
    if (node.is_output()) continue;
    JointNode& facts = nodes_[node];
    const std::optional<int64_t> bytes = element_bytes(node.type(), bindings);
    sizes[node] = std::min(bytes.value_or(0), kMaxBytes);
    const absl::StatusOr<Dim> flops = count_flops(node, options.formulas);
    if (flops.ok()) facts.flops = eval_int(*flops, bindings).value_or(0);
    if (facts.backward || !facts.reaches) continue;
    const bool is_view = is_view_of_operand(node);
    facts.savable = !is_view && (!has_several_items(node) || is_used_as_a_unit(node));
    if (node.op() == Opcode::kGetAttr && facts.copied) facts.savable = true;
    if (facts.savable && !bytes && !is_number(node.type()) &&
        node.type().kind() != TypeKind::kToken)
      return unknown_size(node);
    const bool is_free = node.is_placeholder() && !facts.copied;
    facts.bytes = is_free ? 0 : sizes[node];
    // A call that only the backward pass needs runs once, in either graph.
    if (!facts.runs_forward) continue;
    if (is_view || is_number(node.type()) || is_item(node)) continue;
    int64_t moved = sizes[node];
    node.for_each_input([&](const Node* input) { moved += sizes[*input]; });
    facts.cost = std::max<int64_t>(
        1, std::min(kMaxCost / 2, facts.flops) + std::min(kMaxCost / 2, kOpsPerByte * moved));
  }
  return absl::OkStatus();
}

namespace {

/// True if the backward pass needs the value in memory for a call that cannot be fused with the
/// calls before it. In this case, recomputing the value takes time.
template <class Facts>
bool is_materialized_backward(const Node& node, const Facts& facts) {
  const ops::OpInfo* node_op = node.function().op();
  if (node_op != nullptr && node_op->is_view()) return false;
  std::vector<const Node*> worklist = {&node};
  while (!worklist.empty()) {
    const Node& value = *worklist.back();
    worklist.pop_back();
    for (const Use use : value.uses()) {
      const Node& user = *use.user();
      if (user.is_output()) continue;
      const ops::OpInfo* op = user.function().op();
      const bool is_fused = (op != nullptr && op->packet() == "aten.cat") ||
                            (is_fusible_operator(value) && is_fusible_operator(user));
      if (!facts[user].required && !is_fused) return true;
      if (op != nullptr && op->is_view()) worklist.push_back(&user);
    }
  }
  return false;
}

}  // namespace

void JointFacts::find_cheap() {
  for (const Node& node : graph_->nodes()) {
    JointNode& facts = nodes_[node];
    if (node.is_output() || facts.backward || !facts.reaches || facts.once) continue;
    // Only values of the forward pass are computed twice.
    if (!facts.required || facts.cost == 0) {
      facts.cheap = true;
      continue;
    }
    int64_t read = 0;
    for (size_t i = 0; i < node.num_args(); ++i) {
      if (!node.arg(i).is_node()) continue;
      read += element_bytes(node.arg(i).as_node()->type(), bindings).value_or(0);
    }
    const bool is_reduction = element_bytes(node.type(), bindings).value_or(0) < (read + 3) / 4;
    facts.cheap =
        is_cheap_operator(node) && !is_reduction && !is_materialized_backward(node, *this);
  }
}

}  // namespace fx::internal
