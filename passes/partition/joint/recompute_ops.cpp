// The operators that JointMethod::kMinCut recomputes, as in AOTAutograd (get_default_op_list of
// torch/_functorch/partitioners.py): elementwise operators, views, new tensors without operands,
// cheap reductions and indexing. The results of all other operators are saved.
#include "fx/ir/calls/call.h"
#include "fx/ir/ops/op_info.h"
#include "fx/passes/partition/joint/joint_internal.h"

#include "absl/container/flat_hash_set.h"

#include <string_view>

namespace fx::internal {
namespace {

/// Packets in addition to those whose overloads are pointwise or views.
constexpr std::string_view kCheapPackets[] = {
    // Some overloads of these are pointwise; the others are also cheap.
    "aten.add",
    "aten.sub",
    "aten.rsub",
    "aten.mul",
    "aten.div",
    "aten.pow",
    "aten.max",
    "aten.min",
    "aten.maximum",
    "aten.minimum",
    "aten.remainder",
    "aten.fmod",
    "aten.clamp",
    "aten.where",
    "aten.lerp",
    "aten.addcmul",
    "aten.threshold",
    "aten.threshold_backward",
    "aten.gelu",
    "aten.gelu_backward",
    "aten.isinf",
    "aten.silu",
    "aten.softplus",
    // Reductions.
    "aten.sum",
    "aten.mean",
    "aten.amax",
    "aten.argmax",
    "aten.any",
    "aten.var",
    "aten.std",
    "aten.var_mean",
    "aten.sum_to_size",
    "aten._grad_sum_to_size",
    "prims.sum",
    "prims.var",
    // Copies and reshapes.
    "aten.to",
    "aten.type_as",
    "aten._to_copy",
    "aten.clone",
    "aten._unsafe_view",
    "aten.reshape",
    "aten.broadcast_tensors",
    "aten.lift_fresh",
    "aten.lift_fresh_copy",
    "aten.triu",
    "prims.convert_element_type",
    "prims.broadcast_in_dim",
    "prims.div",
    // New tensors.
    "aten.full",
    "aten.full_like",
    "aten.ones",
    "aten.ones_like",
    "aten.zeros",
    "aten.zeros_like",
    "aten.new_zeros",
    "aten.empty",
    "aten.empty_like",
    "aten.scalar_tensor",
    "aten.arange",
    "prims.iota",
    // Indexing.
    "aten.index",
    "aten.gather",
};

/// Random operators that a compiler fuses.
constexpr std::string_view kFusibleRandom[] = {"aten.native_dropout", "aten.rand_like",
                                               "aten.randn_like"};

bool is_python_operator(const Node& call) {
  const std::string_view target = call.target();
  return target.starts_with("operator.") || target.starts_with("math.") ||
         target.starts_with("torch.sym_");
}

}  // namespace

bool is_cheap_operator(const Node& call) {
  if (call.op() == Opcode::kGetAttr) return true;
  if (call.op() != Opcode::kCallFunction) return false;
  if (is_python_operator(call)) return true;
  const ops::OpInfo* op = call.function().op();
  if (op == nullptr) return false;
  if (op->has(ops::OpTrait::kPointwise) || op->is_view()) return true;
  static const absl::flat_hash_set<std::string_view> kCheap(std::begin(kCheapPackets),
                                                            std::end(kCheapPackets));
  return kCheap.contains(op->packet());
}

bool is_fusible_operator(const Node& call) {
  if (is_cheap_operator(call)) return true;
  const ops::OpInfo* op = call.function().op();
  if (op == nullptr) return false;
  for (const std::string_view packet : kFusibleRandom)
    if (op->packet() == packet) return true;
  return false;
}

}  // namespace fx::internal
