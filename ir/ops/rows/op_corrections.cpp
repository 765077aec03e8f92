// Corrections to schemas and effects that schemas cannot express, with the reason for each.
//
// Most rows were found by running PyTorch's operators on sample inputs and comparing storages
// before and after; tests/ops/effects_oracle.py repeats this.
#include "fx/ir/ops/op_corrections_internal.h"

namespace fx::ops {
namespace {

constexpr Effects kNoState = kState;  // an argument of removes()

constexpr std::string_view kNormalizes =
    "in training, running statistics are updated in place; no annotation";
constexpr std::string_view kDependsOnInput =
    "returns its input, or a view of it, if no computation is needed";
constexpr std::string_view kSharesUndeclared =
    "its result is a view, but the schema does not state it";
constexpr std::string_view kNotInitialized = "its result is not initialized";
constexpr std::string_view kRaises = "called to raise an error, not for a result";
constexpr std::string_view kVarargsPure =
    "an instruction of TorchScript without a typed schema; only reads its arguments";
constexpr std::string_view kReadsMode = "its result depends on a global setting";
constexpr std::string_view kReadsAutogradState =
    "its result depends on state of the tensor that other calls change without writing to its data";

constexpr OpCorrection writes(std::string_view op, std::string_view reason,
                              std::string_view arguments, std::string_view unless_false = {}) {
  return {.op = op, .reason = reason, .writes = arguments, .unless_false = unless_false};
}
constexpr OpCorrection alias(std::string_view op, std::string_view argument, AliasKind kind,
                             std::string_view reason, int output = -1) {
  return {.op = op, .reason = reason, .aliases = argument, .alias = kind, .output = output};
}
constexpr OpCorrection may_alias(std::string_view op, std::string_view argument = "self") {
  return alias(op, argument, AliasKind::kMaybe, kDependsOnInput);
}
constexpr OpCorrection view(std::string_view op, std::string_view argument = "self") {
  return alias(op, argument, AliasKind::kView, kSharesUndeclared);
}
constexpr OpCorrection uninitialized(std::string_view op) {
  return {.op = op, .reason = kNotInitialized, .add = Effect::kUninitialized};
}
constexpr OpCorrection checks(std::string_view op) {
  return {.op = op, .reason = kRaises, .add = Effect::kChecks, .remove = kNoState};
}
constexpr OpCorrection adds(std::string_view op, Effects effects, std::string_view reason) {
  return {.op = op, .reason = reason, .add = effects};
}
constexpr OpCorrection removes(std::string_view op, Effects effects, std::string_view reason) {
  return {.op = op, .reason = reason, .remove = effects};
}
constexpr OpCorrection pure(std::string_view op, std::string_view reason = kVarargsPure) {
  return removes(op, Effects::all(), reason);
}

constexpr OpCorrection kCorrections[] = {
    // Normalization.
    writes("aten.batch_norm", kNormalizes, "running_mean,running_var", "training"),
    writes("aten.native_batch_norm", kNormalizes, "running_mean,running_var", "training"),
    writes("aten.cudnn_batch_norm", kNormalizes, "running_mean,running_var", "training"),
    writes("aten.miopen_batch_norm", kNormalizes, "running_mean,running_var", "training"),
    writes("aten._batch_norm_impl_index", kNormalizes, "running_mean,running_var", "training"),
    writes("aten.instance_norm", kNormalizes, "running_mean,running_var", "use_input_stats"),
    writes("aten.batch_norm_gather_stats", kNormalizes, "running_mean,running_var"),
    writes("aten.batch_norm_gather_stats_with_counts", kNormalizes, "running_mean,running_var"),
    writes("aten.batch_norm_update_stats", kNormalizes, "running_mean,running_var"),
    writes("aten._native_batch_norm_legit", "annotated, but only training writes",
           "running_mean,running_var", "training"),

    // Other arguments that are written to without an annotation.
    writes("aten._cudnn_rnn", "training advances the dropout state", "dropout_state", "train"),
    writes("aten.miopen_rnn", "training advances the dropout state", "dropout_state", "train"),
    writes("aten._cudnn_rnn_flatten_weight", "makes the weights views of the flat buffer",
           "weight_arr"),
    writes("aten._copy_from", "writes to its second argument and returns it", "dst"),
    writes("aten._copy_from_and_resize", "writes to its second argument and returns it", "dst"),
    alias("aten._copy_from", "dst", AliasKind::kSame, "returns what it wrote", 0),
    alias("aten._copy_from_and_resize", "dst", AliasKind::kSame, "returns what it wrote", 0),
    writes("aten._no_grad_embedding_renorm_", "scales rows of the weight in place", "weight"),
    alias("aten._no_grad_embedding_renorm_", "weight", AliasKind::kSame, "returns what it wrote"),
    writes("inductor.accumulate_grad_", "adds to the variable's gradient",
           "variable,variable_grad"),
    adds("inductor.accumulate_grad_", kState, "sets the variable's gradient"),
    writes("inductor.resize_storage_bytes_", "resizes the storage", "variable"),
    writes("onednn.qlinear_pointwise.binary", "with the post-op `sum`, adds to `other`", "other"),
    writes("onednn.qlinear_pointwise.binary_tensor", "with the post-op `sum`, adds to `other`",
           "other"),
    may_alias("onednn.qlinear_pointwise.binary", "other"),
    may_alias("onednn.qlinear_pointwise.binary_tensor", "other"),
    removes("prims.as_strided", Effect::kWritesArguments, "annotated as a write; it is a view"),
    alias("prims.as_strided", "a", AliasKind::kView, "annotated as a write; it is a view"),

    // Annotated as views, but they may copy.
    may_alias("aten.reshape"),
    may_alias("aten.reshape_as"),
    may_alias("aten.contiguous"),
    may_alias("aten.flatten"),
    may_alias("aten.ravel"),
    may_alias("aten.to"),
    may_alias("aten.resolve_conj"),
    may_alias("aten.resolve_neg"),
    may_alias("aten.pin_memory"),
    may_alias("aten.coalesce"),
    may_alias("aten._autocast_to_full_precision"),
    may_alias("aten._autocast_to_reduced_precision"),
    may_alias("aten._grad_sum_to_size"),
    may_alias("aten._sparse_broadcast_to"),

    // Results that share memory without an annotation.
    view("aten._unsafe_view"),
    view("aten.unsafe_split"),
    view("aten.unsafe_split_with_sizes"),
    view("aten.unsafe_chunk"),
    view("aten.data"),
    view("aten.lift"),
    view("aten.atleast_1d"),
    view("aten.atleast_2d"),
    view("aten.atleast_3d"),
    view("aten.atleast_1d", "tensors"),
    view("aten.atleast_2d", "tensors"),
    view("aten.atleast_3d", "tensors"),
    view("aten.broadcast_tensors", "tensors"),
    view("aten.meshgrid", "tensors"),
    view("aten.unflatten_dense_tensors", "flat"),
    view("inductor._reinterpret_tensor"),
    view("inductor._alloc_from_pool"),
    view("aten.set.source_Tensor", "source"),
    view("aten.set.source_Storage", "source"),
    view("aten.set.source_Storage_storage_offset", "source"),
    view("aten.set_.source_Tensor", "source"),
    view("aten.set_.source_Tensor_storage_offset", "source"),
    view("aten.set_.source_Storage", "source"),
    view("aten.set_.source_Storage_storage_offset", "source"),
    alias("aten.histogramdd.TensorList_bins", "bins", AliasKind::kSame, "returns the given bins",
          1),
    may_alias("aten._reshape_from_tensor"),
    may_alias("aten.cartesian_prod", "tensors"),
    may_alias("aten.einsum", "tensors"),
    may_alias("aten.flatten_dense_tensors", "tensors"),
    may_alias("aten.conj_physical"),
    may_alias("aten.type_as"),
    may_alias("aten.sum_to_size"),
    may_alias("aten._to_cpu", "tensors"),
    may_alias("aten._cast_Byte"),
    may_alias("aten._cast_Char"),
    may_alias("aten._cast_Double"),
    may_alias("aten._cast_Float"),
    may_alias("aten._cast_Half"),
    may_alias("aten._cast_Int"),
    may_alias("aten._cast_Long"),
    may_alias("aten._cast_Short"),
    may_alias("aten.chalf"),
    may_alias("aten.dequantize"),
    may_alias("aten.dequantize", "tensors"),
    may_alias("aten.to_dense"),
    may_alias("aten.to_sparse"),
    may_alias("aten.to_sparse_csr"),
    may_alias("aten.to_sparse_csc"),
    may_alias("aten.to_sparse_bsr"),
    may_alias("aten.to_sparse_bsc"),
    may_alias("aten._add_batch_dim"),
    may_alias("aten._remove_batch_dim"),
    may_alias("aten.dropout", "input"),
    may_alias("aten.alpha_dropout", "input"),
    may_alias("aten.feature_dropout", "input"),
    may_alias("aten.feature_alpha_dropout", "input"),
    may_alias("prims.device_put", "a"),
    may_alias("_c10d_functional.wait_tensor", "tensor"),

    // Randomness.
    adds("aten._no_grad_uniform_", Effect::kRandom, "TorchScript only: has no tags"),
    adds("aten._no_grad_normal_", Effect::kRandom, "TorchScript only: has no tags"),
    adds("prims.normal", Effect::kRandom, "not tagged"),
    adds("prims.uniform", Effect::kRandom, "not tagged"),
    adds("inductor_prims.inductor_reserve_rng_state", Effect::kRandom, "not tagged"),
    removes("aten._scaled_dot_product_efficient_attention_backward", Effect::kRandom,
            "draws the mask again from the given seed and offset"),
    removes("aten._scaled_dot_product_cudnn_attention_backward", Effect::kRandom,
            "draws the mask again from the given seed and offset"),
    removes("aten._cudnn_attention_backward", Effect::kRandom,
            "draws the mask again from the given seed and offset"),
    {.op = "aten._fused_sdp_choice",
     .reason = "selects a kernel, which depends on global settings",
     .add = Effect::kReadsState,
     .remove = Effect::kRandom},

    // Uninitialized memory.
    uninitialized("aten.empty"),
    uninitialized("aten.empty_like"),
    uninitialized("aten.empty_strided"),
    uninitialized("aten.empty_permuted"),
    uninitialized("aten.empty_quantized"),
    uninitialized("aten._empty_affine_quantized"),
    uninitialized("aten._empty_per_channel_affine_quantized"),
    uninitialized("aten.new_empty"),
    uninitialized("aten.new_empty_strided"),
    uninitialized("aten.resize"),
    uninitialized("aten.resize_as"),
    uninitialized("aten._resize_output"),
    uninitialized("prims.empty"),
    uninitialized("prims.empty_strided"),
    uninitialized("prims.empty_permuted"),
    uninitialized("prim.Uninitialized"),

    // Checks.
    checks("aten._assert_async"),
    checks("aten._assert_scalar"),
    checks("aten._assert_tensor_metadata"),
    checks("aten.sym_constrain_range"),
    checks("aten.sym_constrain_range_for_size"),
    checks("aten._linalg_check_errors"),
    checks("aten._validate_compressed_sparse_indices"),
    checks("aten._validate_sparse_bsc_tensor_args"),
    checks("aten._validate_sparse_bsr_tensor_args"),
    checks("aten._validate_sparse_compressed_tensor_args"),
    checks("aten._validate_sparse_coo_tensor_args"),
    checks("aten._validate_sparse_csc_tensor_args"),
    checks("aten._validate_sparse_csr_tensor_args"),
    checks("prim.RaiseException"),
    adds("aten._functional_assert_async", Effect::kChecks, "its result only orders the check"),
    adds("aten._functional_assert_scalar", Effect::kChecks, "its result only orders the check"),
    adds("aten._functional_sym_constrain_range", Effect::kChecks,
         "its result only orders the check"),
    adds("aten._functional_sym_constrain_range_for_size", Effect::kChecks,
         "its result only orders the check"),

    // State outside the arguments.
    adds("aten._cufft_get_plan_cache_size", Effect::kReadsState, "reads the plan cache"),
    adds("aten._cufft_get_plan_cache_max_size", Effect::kReadsState, "reads the plan cache"),
    adds("aten.from_file", kState, "maps a file; may create it"),
    adds("aten.cudnn_is_acceptable", Effect::kReadsState, kReadsMode),
    adds("aten._use_cudnn_rnn_flatten_weight", Effect::kReadsState, kReadsMode),
    adds("aten.is_leaf", Effect::kReadsState, kReadsAutogradState),
    adds("aten.output_nr", Effect::kReadsState, kReadsAutogradState),
    adds("aten.retains_grad", Effect::kReadsState, kReadsAutogradState),
    adds("aten._version", Effect::kReadsState, kReadsAutogradState),
    adds("prim.grad", Effect::kReadsState, kReadsAutogradState),
    adds("prim.requires_grad", Effect::kReadsState, kReadsAutogradState),
    adds("aten.is_set_to", Effects::all(),
         "compares the memory of its operands: replacing one by an equal value changes the result"),
    adds("mkldnn.data_ptr", Effect::kReadsState, "returns an address"),

    // TorchScript.
    adds("aten.grad", kState, "runs autograd, which frees the graph"),
    adds("aten.initial_seed", Effect::kReadsState, "reads the generator"),
    adds("aten.seed", Effect::kRandom | Effect::kReadsState, "seeds from the system's entropy"),
    adds("aten.get_autocast_dtype", Effect::kReadsState, kReadsMode),
    adds("aten.is_autocast_enabled", Effect::kReadsState, kReadsMode),
    adds("aten.is_autocast_cpu_enabled", Effect::kReadsState, kReadsMode),
    adds("aten.is_grad_enabled", Effect::kReadsState, kReadsMode),
    adds("aten._get_tracing_state", Effect::kReadsState, kReadsMode),
    adds("aten.get_gradients", Effect::kReadsState, "reads a distributed autograd context"),
    adds("aten.wait", kState, "waits for another thread or process"),
    adds("aten.to_here", kState, "communicates with another process"),
    adds("aten.local_value", Effect::kReadsState, "reads a value that other processes may change"),
    adds("aten.confirmed_by_owner", Effect::kReadsState, "queries another process"),
    adds("prim.awaitable_wait", Effects::all(), "runs a function"),
    adds("prim.awaitable_nowait", Effect::kReadsState, "creates an object with an identity"),
    adds("prim.TimePoint", Effect::kReadsState, "reads the time"),
    adds("prim.BailoutTemplate", Effects::all(), "an instruction of the interpreter"),
    pure("aten.percentFormat"),
    pure("aten.format"),
    pure("aten.einsum.sublist"),
    pure("aten.has_torch_function"),
    pure("prim.AutogradAllNonZero"),
    pure("prim.AutogradAllZero"),
    pure("prim.AutogradAnyNonZero"),
    pure("prim.BroadcastMKLDNNTensors"),
    pure("prim.BroadcastSizes"),
    pure("prim.ChunkSizes"),
    pure("prim.ConstantChunk"),
    pure("prim.ConstantMKLDNNTensor"),
    pure("prim.FusedConcat"),
    pure("prim.MMBatchSide"),
    pure("prim.MMTreeReduce"),
    pure("prim.TupleUnpack"),
    pure("prim.VarConcat"),
    pure("prim.VarStack"),
    pure("prim.tolist"),

    // Schemas state which arguments functions may write to; these flags state when they do so.
    writes("torch.nn.functional.batch_norm", "only training writes", "", "training"),
    writes("torch.nn.functional.instance_norm", "only training writes", "", "use_input_stats"),
};

constexpr std::string_view kCommunicates =
    "other processes take part: all must make the same calls in the same order";

constexpr NamespaceEffects kNamespaces[] = {
    {"_c10d_functional", kState, kCommunicates},
    {"_c10d_functional_autograd", kState, kCommunicates},
    {"_dtensor", kState, kCommunicates},
    {"symm_mem", kState, kCommunicates},
    {"c10d", Effects::all(), "communicates, and writes to tensors without annotations"},
    {"profiler", kState, "writes to the profile"},
};

}  // namespace

std::span<const OpCorrection> op_corrections() { return kCorrections; }
std::span<const NamespaceEffects> namespace_effects() { return kNamespaces; }

}  // namespace fx::ops
