// reinplace: see reinplace.h.
#include "fx/passes/functionalize/reinplace.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/analysis/storage_offsets.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// True if the value may require gradients: its dtype, or that of an item, has a derivative or is
/// unknown.
bool may_be_differentiable(Type type) {  // NOLINT(misc-no-recursion): as types nest
  if (!type) return true;
  if (type.is_list() || type.is_tuple())
    return std::ranges::any_of(type.items(), may_be_differentiable);
  return type.is_tensor() && (type.dtype() == DType::kUndefined ||
                              is_floating_point(type.dtype()) || is_complex(type.dtype()));
}

/// True if libtorch's in-place variant may compute different bits. mul_.Scalar multiplies the
/// number by the tensor: it rounds the number to a 16-bit dtype, and the sign of a NaN may be that
/// of the number. Some complex products and quotients, such as those of operands with different
/// strides, are computed with different instructions if the result overwrites an operand.
bool rounds_differently(const Node& node, DType dtype) {
  const ops::OpInfo& op = *node.function().op();
  const std::string_view packet = op.packet();
  const auto is_one_of = [&](const auto& packets) {
    return std::ranges::find(packets, packet) != std::end(packets);
  };
  if (op.name().ends_with(".Scalar") && (packet == "aten.mul" || packet == "aten.multiply"))
    return true;
  if (!is_complex(dtype)) return false;
  constexpr std::string_view kProducts[] = {"aten.mul",        "aten.multiply", "aten.div",
                                            "aten.divide",     "aten.addcmul",  "aten.addcdiv",
                                            "aten.true_divide"};
  constexpr std::string_view kSums[] = {"aten.add", "aten.sub", "aten.subtract"};
  const std::optional<Argument> alpha = node.argument("alpha");
  return is_one_of(kProducts) || (is_one_of(kSums) && alpha && *alpha != Argument(1));
}

class Reinplacer {
 public:
  Reinplacer(Graph& graph, const ReinplaceOptions& options)
      : graph_(graph),
        place_(graph, 0),
        memory_(graph, {.distinct_inputs = options.inputs}),
        uses_(memory_.num_classes()),
        moved_(graph),
        copy_(graph.context().function("aten.copy_.default")) {
    for (const ops::ViewOp& view : ops::view_ops()) {
      // as_strided counts from the start of the storage, which a copy does not share.
      if (view.scatter.empty() || view.kind == ops::ViewKind::kAsStrided) continue;
      scatters_.emplace(graph.context().function(view.scatter), graph.context().function(view.op));
    }
  }

  absl::StatusOr<bool> run() {
    find_uses();
    bool changed = false;
    for (Node& node : graph_.nodes()) {
      if (node.is_call() && changes_metadata(node)) note_new_metadata(node);
      if (node.op() != Opcode::kCallFunction || node.num_args() == 0 || !node.has_uses()) continue;
      const auto scatter = scatters_.find(node.function());
      const Target variant = scatter == scatters_.end() ? in_place(node.function()) : Target();
      if ((scatter == scatters_.end() && !variant) || !may_write(node)) continue;
      if ((!variant || variant == copy_) && copies_differently(node)) continue;
      if (variant) {
        join(node, *node.arg(0).node());
        node.set_function(variant);
        set_type_of_target(node, node.arg(0).node()->type());
      } else {
        FX_ASSIGN_OR_RETURN(const bool written, write_part(node, scatter->second));
        if (!written) continue;
      }
      changed = true;
    }
    if (has_moved_) retype_users(graph_, moved_, type_by_lowering);
    return changed;
  }
  /// True if the last run changed the offset of a value in its storage, and therefore inferred the
  /// types of its users again.
  bool has_moved() const { return has_moved_; }

 private:
  // ---- Uses of memory

  /// Facts about a class of values of the analysis.
  struct Uses {
    uint32_t last_read = 0;       // position of the last call that reads memory of the class
    bool is_offset_read = false;  // whether a call depends on its storage offset
    // Whether an earlier call may have changed sizes or strides, which types do not show.
    bool has_new_metadata = false;

    void add(const Uses& other) {
      last_read = std::max(last_read, other.last_read);
      is_offset_read = is_offset_read || other.is_offset_read;
      has_new_metadata = has_new_metadata || other.has_new_metadata;
    }
  };

  void find_uses() {
    uint32_t place = 0;
    for (const Node& node : graph_.nodes()) {
      place_[node] = place++;
      const Uses uses = {.last_read = place_[node],
                         .is_offset_read = node.is_call() && reads_storage_offset(node)};
      node.for_each_input([&](const Node* input) {
        memory_.for_each_class(*input, [&](uint32_t number) { uses_[number].add(uses); });
      });
    }
  }
  void note_new_metadata(const Node& call) {
    call.for_each_input([&](const Node* input) {
      memory_.for_each_class(*input,
                             [&](uint32_t number) { uses_[number].has_new_metadata = true; });
    });
  }
  Uses uses_of(const Node& value) const {
    Uses all;
    memory_.for_each_class(value, [&](uint32_t number) { all.add(uses_[number]); });
    return all;
  }
  bool has_memory(const Node& value) const {
    bool found = false;
    memory_.for_each_class(value, [&](uint32_t) { found = true; });
    return found;
  }
  /// Records that the result of the node is now memory of `target`.
  void join(const Node& node, const Node& target) {
    Uses all = uses_of(node);
    all.add(uses_of(target));
    memory_.record_replacement(node, target);
    memory_.for_each_class(target, [&](uint32_t number) { uses_[number] = all; });
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
    // t_ and squeeze_ change the operand's sizes or strides; t_copy returns a tensor with its own.
    const bool is_variant =
        variant != nullptr && variant != op && !variant->has(ops::OpTrait::kWritesMetadata) &&
        variant->written_arguments().size() == 1 && variant->written_arguments()[0] == 0 &&
        op->schema().returns().size() == 1 && op->output_aliases().empty() &&
        std::equal(arguments.begin(), arguments.end(), variant->schema().arguments().begin(),
                   variant->schema().arguments().end(),
                   [](const auto& a, const auto& b) { return a.name == b.name; });
    if (is_variant) known->second = graph_.context().function(variant->name());
    return known->second;
  }

  bool may_write(const Node& node) {
    const Node* target = node.arg(0).node();
    if (target == nullptr || !target->type().is_tensor()) return false;
    if (rounds_differently(node, target->type().dtype())) return false;
    // The cheapest tests, which decide most calls, come first.
    if (!has_memory(*target) || memory_.may_be_external(*target)) return false;
    const Uses uses = uses_of(*target);
    if (uses.last_read > place_[node] || uses.has_new_metadata) return false;
    if (!same_type(target->type(), node.type()) || !is_non_overlapping_and_dense(target->type()) ||
        has_unspecified_strides(node.type()))
      return false;
    // At a different offset in the storage, an absolute offset would select a different element.
    if (target->type().offset() != node.type().offset() && uses_of(node).is_offset_read)
      return false;
    size_t reads = 0;
    // A write of values that may require gradients would make the target, such as a mask or an
    // index, require them too.
    const bool may_require_grad = may_be_differentiable(target->type());
    bool is_allowed = true;
    node.for_each_input([&](Node* input) {
      reads += memory_.may_share(*input, *target) ? 1 : 0;
      is_allowed = is_allowed && (may_require_grad || !may_be_differentiable(input->type()));
    });
    // If the target is a lazy view, the result would be one too, and some operators (view.dtype,
    // _foreach_add_) reject lazy views.
    return is_allowed && reads == 1 && !may_be_lazy(*target);
  }
  bool may_be_lazy(const Node& value) const {
    return may_be_lazy_view(value, [this](const Node& input) { return &input.graph() != &graph_; });
  }
  /// True if `copy_` of the operand `src` to `self`, or to a part of it, may store different values
  /// than the call returns.
  bool copies_differently(const Node& node) const {
    const std::optional<Argument> source = node.argument("src"), target = node.argument("self");
    return source && source->is_node() && target && target->is_node() &&
           may_be_lazy(*source->as_node()) &&
           may_copy_lazy_view_differently(source->as_node()->type(), target->as_node()->type());
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
  void set_type_of_target(Node& node, Type target) {
    if (node.type().offset() == target.offset()) return;
    TensorSpec spec = target.spec();
    spec.requires_grad = node.type().requires_grad();
    change_type(node, graph_.context().types().tensor(spec));
    note_moved(node);
  }
  void note_moved(const Node& node) {
    moved_.insert(node);
    has_moved_ = true;
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
    Node* const copy = graph_.call_function(copy_, {part, source}, {}, {.type = type});
    for (Node* created : {part, copy}) inherit_provenance(*created, node);
    join(node, *target);
    if (target->type().offset() != node.type().offset()) note_moved(*target);
    node.replace_all_uses_with(target);
    FX_RETURN_IF_ERROR(graph_.erase_node(&node));
    return true;
  }

  Graph& graph_;
  NodeMap<uint32_t> place_;  // positions in program order
  MemoryAnalysis memory_;
  std::vector<Uses> uses_;  // by class of memory_
  NodeSet moved_;           // values whose offset in the storage changed
  bool has_moved_ = false;  // whether there are any
  Target copy_;             // aten.copy_.default
  absl::flat_hash_map<Target, Target> in_place_, scatters_;
};

}  // namespace

absl::StatusOr<bool> reinplace(Graph& graph, const ReinplaceOptions& options) {
  bool changed = false;
  while (true) {
    Reinplacer reinplacer(graph, options);
    FX_ASSIGN_OR_RETURN(const bool changes, reinplacer.run());
    changed |= changes;
    // With the new types of users, which are more exact, more calls may be able to write.
    if (!reinplacer.has_moved()) return changed;
  }
}

}  // namespace fx
