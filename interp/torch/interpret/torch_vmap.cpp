#include "fx/interp/torch/interpret/torch_vmap_internal.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include <ATen/Functions.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace fx::internal {
namespace {

namespace functorch = at::functorch;

constexpr std::string_view kOpen = "torch._functorch.predispatch._vmap_increment_nesting";
constexpr std::string_view kClose = "torch._functorch.predispatch._vmap_decrement_nesting";

/// The number of levels that call_predispatch has opened on this thread.
thread_local int open_levels = 0;

absl::StatusOr<int64_t> integer(const Call<c10::IValue>& call, size_t i) {
  if (i < call.args.size() && call.args[i].isInt()) return call.args[i].toInt();
  return absl::InvalidArgumentError(fmt::format("argument {} must be an integer", i));
}

absl::StatusOr<at::Tensor> tensor(const Call<c10::IValue>& call) {
  if (!call.args.empty() && call.args[0].isTensor()) return call.args[0].toTensor();
  return absl::InvalidArgumentError("argument 0 must be a tensor");
}

/// Returns the level in argument `i`. It must be open, since libtorch does not check this.
absl::StatusOr<int64_t> level(const Call<c10::IValue>& call, size_t i) {
  FX_ASSIGN_OR_RETURN(const int64_t value, integer(call, i));
  if (value >= 1 && value <= static_cast<int64_t>(functorch::getDynamicLayerStack().size()))
    return value;
  return absl::InvalidArgumentError(
      fmt::format("vmap level {} is not open here ({})", value, kOpen));
}

absl::StatusOr<int64_t> dimension(const Call<c10::IValue>& call, size_t i, int64_t count) {
  FX_ASSIGN_OR_RETURN(const int64_t dim, integer(call, i));
  if (dim >= -count && dim < count) return dim < 0 ? dim + count : dim;
  return absl::InvalidArgumentError(
      fmt::format("the dimension {} is out of range for {}", dim, pluralize(count, "dimension")));
}

/// Returns true if a later node of the graph closes the level that this call opens.
bool is_closed(const Node& open) {
  int depth = 0;
  for (const Node* node = &open; node != nullptr; node = node->next()) {
    if (node->op() != Opcode::kCallFunction) continue;
    if (node->target() == kOpen) ++depth;
    if (node->target() == kClose && --depth == 0) return true;
  }
  return false;
}

absl::StatusOr<c10::IValue> open_level(const Call<c10::IValue>& call) {
  FX_ASSIGN_OR_RETURN(const int64_t batch, integer(call, 0));
  const std::string randomness =
      call.args.size() > 1 && call.args[1].isString() ? call.args[1].toStringRef() : "";
  std::optional<functorch::RandomnessType> random;
  if (randomness == "error") random = functorch::RandomnessType::Error;
  if (randomness == "same") random = functorch::RandomnessType::Same;
  if (randomness == "different") random = functorch::RandomnessType::Different;
  if (!random) {
    return absl::InvalidArgumentError(
        fmt::format("the randomness \"{}\" is unknown; use error, same or different", randomness));
  }
  if (!is_closed(*call.node)) {
    return absl::InvalidArgumentError(
        fmt::format("no later call in the graph closes this vmap level ({})", kClose));
  }
  const int64_t opened = functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap,
                                                            c10::SymInt(batch), random);
  ++open_levels;
  return c10::IValue(opened);
}

absl::StatusOr<c10::IValue> close_level() {
  if (open_levels == 0)
    return absl::InvalidArgumentError(fmt::format("no vmap level is open ({})", kOpen));
  --open_levels;
  return c10::IValue(functorch::popDynamicLayerAndDeleteMetadata().layerId());
}

absl::StatusOr<c10::IValue> add_batch(const Call<c10::IValue>& call) {
  FX_ASSIGN_OR_RETURN(const at::Tensor value, tensor(call));
  FX_ASSIGN_OR_RETURN(const int64_t dim, dimension(call, 1, value.dim()));
  FX_ASSIGN_OR_RETURN(const int64_t of_level, level(call, 2));
  return c10::IValue(functorch::addBatchDim(value, dim, of_level));
}

absl::StatusOr<c10::IValue> remove_batch(const Call<c10::IValue>& call) {
  FX_ASSIGN_OR_RETURN(const at::Tensor value, tensor(call));
  FX_ASSIGN_OR_RETURN(const int64_t of_level, level(call, 1));
  FX_ASSIGN_OR_RETURN(const int64_t batch, integer(call, 2));
  FX_ASSIGN_OR_RETURN(const int64_t dim, dimension(call, 3, value.dim() + 1));
  const functorch::BatchedTensorImpl* const batched = functorch::maybeGetBatchedImpl(value);
  if (batched != nullptr && batched->level() >= of_level)
    return c10::IValue(batched->value().movedim(batched->bdim(), dim));
  std::vector<int64_t> sizes =
      value.sizes().vec();  // the value is the same for each item of the batch
  sizes.insert(sizes.begin() + dim, batch);
  return c10::IValue(value.unsqueeze(dim).expand(sizes));
}

}  // namespace

absl::StatusOr<c10::IValue> call_predispatch(std::string_view name, const Call<c10::IValue>& call) {
  if (name == kOpen) return open_level(call);
  if (name == kClose) return close_level();
  const std::string_view function = name.substr(kPredispatch.size());
  if (function == "_add_batch_dim") return add_batch(call);
  if (function == "_remove_batch_dim") return remove_batch(call);
  if (function == "lazy_load_decompositions")
    return c10::IValue();  // libtorch's batching rules are sufficient
  return absl::UnimplementedError(
      fmt::format("TorchInterpreter does not support {}; export the program with "
                  "run_decompositions(), which traces derivatives",
                  name));
}

void close_vmap_levels() {
  for (; open_levels > 0; --open_levels) functorch::popDynamicLayerAndDeleteMetadata();
}

}  // namespace fx::internal
