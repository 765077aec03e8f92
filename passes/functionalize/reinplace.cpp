// reinplace: see reinplace.h.
#include "fx/passes/functionalize/reinplace.h"

#include "fx/interp/shared_inputs.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/disjoint_sets.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/places.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

class Reinplacer {
 public:
  Reinplacer(Graph& graph, const ReinplaceOptions& options)
      : graph_(graph), options_(options), place_(graph, 0), memory_(graph, 0), moved_(graph) {
    for (const ops::ViewOp& view : ops::view_ops()) {
      // as_strided counts from the start of the storage, which a copy does not share.
      if (view.scatter.empty() || view.kind == ops::ViewKind::kAsStrided) continue;
      scatters_.emplace(graph.context().function(view.scatter), graph.context().function(view.op));
    }
  }

  absl::StatusOr<bool> run() {
    find_memories();
    bool changed = false;
    for (Node& node : graph_.nodes()) {
      if (node.op() != Opcode::kCallFunction || node.num_args() == 0 || !node.has_uses()) continue;
      const auto scatter = scatters_.find(node.function());
      const Target variant = scatter == scatters_.end() ? in_place(node.function()) : Target();
      if ((scatter == scatters_.end() && !variant) || !may_write(node)) continue;
      if (variant) {
        join(node, *node.arg(0).node());
        node.set_function(variant);
        set_place(node, node.arg(0).node()->type());
      } else {
        FX_ASSIGN_OR_RETURN(const bool written, write_part(node, scatter->second));
        if (!written) continue;
      }
      changed = true;
    }
    if (changed) retype_users(graph_, moved_, type_by_lowering);
    return changed;
  }

 private:
  // ---- Memory: sets of nodes whose values may share memory

  uint32_t memory(const Node& node) const { return memories_.find(memory_[node]); }
  void join(const Node& a, const Node& b) {
    const uint32_t first = memory(a), second = memory(b);
    const uint32_t joined = memories_.join(first, second);
    last_read_[joined] = std::max(last_read_[first], last_read_[second]);
    is_outside_[joined] = is_outside_[first] || is_outside_[second];
    is_place_read_[joined] = is_place_read_[first] || is_place_read_[second];
  }

  void find_memories() {
    for (Node& node : graph_.nodes()) {
      place_[node] = memory_[node] = memories_.add();
      last_read_.push_back(0);
      is_place_read_.push_back(false);
      is_outside_.push_back(node.op() == Opcode::kGetAttr ||
                            (node.is_placeholder() && !options_.inputs));
    }
    for (const SharedInputs& group : shared_inputs(graph_))
      for (const Node* input : group.nodes) join(*input, *group.nodes[0]);
    for (Node& node : graph_.nodes()) {
      node.for_each_input([&](Node* input) {
        const uint32_t m = memory(*input);
        last_read_[m] = std::max(last_read_[m], place_[node]);
        if (shares(node) && !is_number(*input)) join(node, *input);
      });
      if (node.is_call() && reads_place(node)) {
        node.for_each_input([&](Node* input) { is_place_read_[memory(*input)] = true; });
      }
      // An unknown call may keep its operands and read them at any time.
      if (may_keep(node)) is_outside_[memory(node)] = true;
    }
  }
  static bool is_number(const Node& node) {
    const TypeKind kind = node.type().kind();
    return kind >= TypeKind::kNone && kind <= TypeKind::kString;
  }
  static const ops::OpInfo* operator_of(const Node& node) {
    return node.op() == Opcode::kCallFunction ? node.function().op() : nullptr;
  }
  /// True if the value may share memory with an operand. Conservatively includes all operands.
  static bool shares(const Node& node) {
    if (node.is_output()) return false;
    const ops::OpInfo* op = operator_of(node);
    return op == nullptr || op->is_function() || op->aliases_unknown() ||
           !op->output_aliases().empty();
  }
  static bool may_keep(const Node& node) {
    if (node.is_output() || node.is_placeholder() || node.op() == Opcode::kGetAttr) return false;
    const ops::OpInfo* op = operator_of(node);
    return (op == nullptr || op->aliases_unknown()) && node.target() != "operator.getitem";
  }

  // ---- Calls

  /// Returns the operator that writes its result to its first argument, or null.
  Target in_place(Target function) {
    const auto [known, is_new] = in_place_.try_emplace(function);
    if (!is_new) return known->second;
    const ops::OpInfo* op = function.op();
    if (op == nullptr || op->is_function() || op->effects().has(ops::Effect::kWritesArguments))
      return {};
    const ops::OpInfo* variant = ops::find_variants(*op).in_place;
    const auto arguments = op->schema().arguments();
    const bool fits =
        variant != nullptr && variant != op && variant->written_arguments().size() == 1 &&
        variant->written_arguments()[0] == 0 && op->schema().returns().size() == 1 &&
        op->output_aliases().empty() &&
        std::equal(arguments.begin(), arguments.end(), variant->schema().arguments().begin(),
                   variant->schema().arguments().end(),
                   [](const auto& a, const auto& b) { return a.name == b.name; });
    if (fits) known->second = graph_.context().function(variant->name());
    return known->second;
  }

  bool may_write(const Node& node) {
    const Node* target = node.arg(0).node();
    if (target == nullptr) return false;
    // The cheapest tests, which decide most calls, come first.
    const uint32_t own = memory(*target);
    if (is_outside_[own] || last_read_[own] > place_[node]) return false;
    if (!same_type(target->type(), node.type()) || !is_non_overlapping_and_dense(target->type()))
      return false;
    // In another place, an absolute offset in the storage would be that of another element.
    if (target->type().offset() != node.type().offset() && is_place_read_[memory(node)])
      return false;
    size_t reads = 0;
    // If values that may require gradients are written to it, a mask or index would
    // also require them.
    const bool takes_any = is_differentiable(*target);
    bool fits = true;
    node.for_each_input([&](Node* input) {
      reads += memory(*input) == own ? 1 : 0;
      fits = fits && (takes_any || !is_differentiable(*input));
    });
    return fits && reads == 1;
  }
  static bool is_differentiable(const Node& node) {
    const Type type = node.type();
    return type.is_tensor() && (is_floating_point(type.dtype()) || is_complex(type.dtype()));
  }
  bool same_type(Type a, Type b) {
    if (!b.is_tensor() || !is_fully_known(a)) return false;
    if (a == b) return true;
    TensorSpec spec = a.spec();
    spec.requires_grad = b.requires_grad();
    spec.offset = b.offset();
    return graph_.context().types().tensor(spec) == b;
  }

  /// Sets the type of a call to that of the tensor that it now writes to and returns.
  void set_place(Node& node, Type target) {
    if (node.type().offset() == target.offset()) return;
    TensorSpec spec = target.spec();
    spec.requires_grad = node.type().requires_grad();
    node.set_type(graph_.context().types().tensor(spec));
    moved_.insert(node);
  }

  /// %r = select_scatter(%a, %src, ...) becomes %v = select(%a, ...), copy_(%v, %src).
  absl::StatusOr<bool> write_part(Node& node, Target view) {
    Node* const target = node.arg(0).node();
    Node* const source = node.num_args() > 1 ? node.arg(1).node() : nullptr;
    if (source == nullptr) return false;
    std::vector<Argument> args = node.args();
    args.erase(args.begin() + 1);
    const InsertPointGuard guard = graph_.inserting_before(&node);
    Node* const part = graph_.call_function(view, args, node.kwargs());
    FX_ASSIGN_OR_RETURN(const Type type, infer_type(*part));
    part->set_type(type);
    Node* const copy = graph_.call_function(graph_.context().function("aten.copy_.default"),
                                            {part, source}, {}, {.type = type});
    for (Node* made : {part, copy}) {
      inherit_provenance(*made, node);
      memory_[*made] = memory_[*target];
      place_[*made] = place_[node];
    }
    join(node, *target);
    if (target->type().offset() != node.type().offset()) moved_.insert(*target);
    node.replace_all_uses_with(target);
    FX_RETURN_IF_ERROR(graph_.erase_node(&node));
    return true;
  }

  Graph& graph_;
  const ReinplaceOptions& options_;
  NodeMap<uint32_t> place_;
  NodeMap<uint32_t> memory_;
  internal::DisjointSets memories_;
  std::vector<uint32_t> last_read_;  // by memory; position of the last use
  std::vector<bool> is_outside_;     // by memory: whether the graph does not own it
  std::vector<bool> is_place_read_;  // by memory: whether a call reads_place() of it
  NodeSet moved_;                    // values whose offset in the storage changed
  absl::flat_hash_map<Target, Target> in_place_, scatters_;
};

}  // namespace

absl::StatusOr<bool> reinplace(Graph& graph, const ReinplaceOptions& options) {
  return Reinplacer(graph, options).run();
}

}  // namespace fx
