// Functions of PyTorch's Python package that are not operators, or that behave differently from the
// operator of the same name. The rows of all other functions, such as `torch.relu`, are derived
// from the operators that they call (derived_functions.cpp).
#include "fx/ir/ops/op_rows_internal.h"

namespace fx::ops {
namespace {

constinit const OpInfo kTorchFunctionRows[] = {
    // Symbolic numbers.
    {"torch.sym_float(Scalar a) -> float", kPointwise},
    {"torch.sym_fresh_size(int expr) -> int", 0, kState},
    {"torch.sym_int(Scalar a) -> int", kPointwise},
    {"torch.sym_ite(bool b, Scalar t, Scalar f) -> Scalar", kPointwise},
    {"torch.sym_max(Scalar a, Scalar b) -> Scalar", kPointwise},
    {"torch.sym_min(Scalar a, Scalar b) -> Scalar", kPointwise},
    {"torch.sym_not(bool a) -> bool", kPointwise},
    {"torch.sym_sqrt(Scalar a) -> float", kPointwise},
    {"torch.sym_sum(Scalar[] args) -> Scalar"},
    {"torch._sym_acos(Scalar a) -> float", kPointwise},
    {"torch._sym_asin(Scalar a) -> float", kPointwise},
    {"torch._sym_atan(Scalar a) -> float", kPointwise},
    {"torch._sym_cos(Scalar a) -> float", kPointwise},
    {"torch._sym_cosh(Scalar a) -> float", kPointwise},
    {"torch._sym_log2(Scalar a) -> float", kPointwise},
    {"torch._sym_sin(Scalar a) -> float", kPointwise},
    {"torch._sym_sinh(Scalar a) -> float", kPointwise},
    {"torch._sym_sqrt(Scalar a) -> float", kPointwise},
    {"torch._sym_tan(Scalar a) -> float", kPointwise},
    {"torch._sym_tanh(Scalar a) -> float", kPointwise},

    // Checks.
    {"torch._assert(Any condition, str message) -> ()", 0, Effect::kChecks},
    {"torch._check(Any cond, Any message=None) -> ()", 0, Effect::kChecks},
    {"torch._check_index(Any cond, Any message=None) -> ()", 0, Effect::kChecks},
    {"torch._check_is_size(Any i, Any message=None, *, Any max=None) -> ()", 0, Effect::kChecks},
    {"torch._check_not_implemented(Any cond, Any message=None) -> ()", 0, Effect::kChecks},
    {"torch._check_tensor_all(Any cond, Any message=None) -> ()", 0, Effect::kChecks},
    {"torch._check_type(Any cond, Any message=None) -> ()", 0, Effect::kChecks},
    {"torch._check_value(Any cond, Any message=None) -> ()", 0, Effect::kChecks},
    {"torch._check_with(Any error_type, Any cond, Any message) -> ()", 0, Effect::kChecks},
    {"torch._constrain_as_size(Any symbol, Any min=None, Any max=None) -> ()", 0, Effect::kChecks},

    // Modes and other state.
    {"torch._C._set_grad_enabled(bool mode) -> ()", 0, kState},
    {"torch.amp._enter_autocast(...) -> Any", kDtypeMode, kState},
    {"torch.amp._exit_autocast(Any mode) -> ()", kDtypeMode, kState},
    {"torch.amp.autocast_mode._enter_autocast(...) -> Any", kDtypeMode, kState},
    {"torch.amp.autocast_mode._exit_autocast(Any mode) -> ()", kDtypeMode, kState},
    {"torch._functorch.predispatch._enter_dual_level(...) -> Any", 0, kState},
    {"torch._functorch.predispatch._exit_dual_level(...) -> ()", 0, kState},
    {"torch._functorch.predispatch._jvp_decrement_nesting() -> int", 0, kState},
    {"torch._functorch.predispatch._jvp_increment_nesting() -> int", 0, kState},
    {"torch.autograd.backward(...) -> ()", 0, Effects::all()},
    {"torch.autograd.grad(...) -> Any", 0, kState},
    {"torch.get_default_device() -> Device", 0, Effect::kReadsState},
    {"torch.get_default_dtype() -> ScalarType", 0, Effect::kReadsState},
    {"torch.get_float32_matmul_precision() -> str", 0, Effect::kReadsState},
    {"torch.get_num_interop_threads() -> int", 0, Effect::kReadsState},
    {"torch.get_num_threads() -> int", 0, Effect::kReadsState},
    {"torch.get_rng_state() -> Tensor", kRandom, Effect::kReadsState},
    {"torch.initial_seed() -> int", 0, Effect::kReadsState},
    {"torch.is_anomaly_enabled() -> bool", 0, Effect::kReadsState},
    {"torch.is_inference_mode_enabled() -> bool", 0, Effect::kReadsState},
    {"torch.load(...) -> Any", 0, kState},
    {"torch.manual_seed(int seed) -> Generator", kRandom, kState},
    {"torch.save(...) -> ()", 0, kState},
    {"torch.seed() -> int", kRandom, kState},
    {"torch.set_autocast_cpu_dtype(ScalarType dtype) -> ()", kDtypeMode, kState},
    {"torch.set_autocast_cpu_enabled(bool enabled) -> ()", kDtypeMode, kState},
    {"torch.set_autocast_dtype(str device_type, ScalarType dtype) -> ()", kDtypeMode, kState},
    {"torch.set_autocast_enabled(...) -> ()", kDtypeMode, kState},
    {"torch.set_autocast_gpu_dtype(ScalarType dtype) -> ()", kDtypeMode, kState},
    {"torch.set_default_device(Any device) -> ()", kDtypeMode, kState},
    {"torch.set_default_dtype(ScalarType d) -> ()", kDtypeMode, kState},
    {"torch.set_default_tensor_type(Any t) -> ()", kDtypeMode, kState},
    {"torch.set_flush_denormal(bool mode) -> bool", 0, kState},
    {"torch.set_num_threads(int num) -> ()", 0, kState},
    {"torch.set_rng_state(Tensor new_state) -> ()", kRandom, kState},

    // Objects.
    {"torch.Size(...) -> Any"},
    {"torch.asarray(Any(a) obj, *, ScalarType? dtype=None, Device? device=None, bool? copy=None, "
     "bool requires_grad=False) -> Tensor(a|b)"},
    {"torch.device(...) -> Device"},
    {"torch.finfo(...) -> Any"},
    {"torch.from_dlpack(Any(a) ext_tensor, ...) -> Tensor(a)"},
    {"torch.from_numpy(Any(a) ndarray) -> Tensor(a)"},
    {"torch.frombuffer(Any(a) buffer, *, ScalarType dtype, int count=-1, int offset=0, "
     "bool requires_grad=False) -> Tensor(a)"},
    {"torch.iinfo(...) -> Any"},
    {"torch.is_storage(Any obj) -> bool"},
    {"torch.is_tensor(Any obj) -> bool"},
    {"torch.typename(Any obj) -> str"},

    // Functions on tensors without an operator of the same name. Some have two names.
    {"torch.dsmm(Tensor input, Tensor mat2) -> Tensor"},
    {"torch.hsmm(Tensor mat1, Tensor mat2) -> Tensor"},
    {"torch.lobpcg(Tensor A, int? k=None, Tensor? B=None, Tensor? X=None, ...) -> (Tensor, Tensor)",
     kRandom},
    {"torch._lobpcg.lobpcg(Tensor A, int? k=None, Tensor? B=None, Tensor? X=None, ...) -> (Tensor, "
     "Tensor)",
     kRandom},
    {"torch.lu(Tensor A, bool pivot=True, bool get_infos=False, Any(a!)? out=None) -> Any(a)",
     kWritesMetadata},
    {"torch.functional.lu(Tensor A, bool pivot=True, bool get_infos=False, Any(a!)? out=None) -> "
     "Any(a)",
     kWritesMetadata},
    // `out` may be a positional argument, unlike those of operators.
    {"torch.norm(Tensor input, Any p=\"fro\", Any dim=None, bool keepdim=False, "
     "Tensor(a!)? out=None, ScalarType? dtype=None) -> Tensor(a)",
     kWritesMetadata},
    {"torch.functional.norm(Tensor input, Any p=\"fro\", Any dim=None, bool keepdim=False, "
     "Tensor(a!)? out=None, ScalarType? dtype=None) -> Tensor(a)",
     kWritesMetadata},
    {"torch.tensordot(Tensor a, Tensor b, Any dims=2, Tensor(a!)? out=None) -> Tensor(a)",
     kWritesMetadata},
    {"torch.functional.tensordot(Tensor a, Tensor b, Any dims=2, Tensor(a!)? out=None) -> "
     "Tensor(a)",
     kWritesMetadata},
    {"torch.pca_lowrank(Tensor A, int? q=None, bool center=True, int niter=2) -> (Tensor, Tensor, "
     "Tensor)",
     kRandom},
    {"torch._lowrank.pca_lowrank(Tensor A, int? q=None, bool center=True, int niter=2) -> (Tensor, "
     "Tensor, Tensor)",
     kRandom},
    {"torch.saddmm(...) -> Tensor"},
    {"torch.spmm(Tensor input, Tensor mat2) -> Tensor"},
    {"torch.svd_lowrank(Tensor A, int q=6, int niter=2, Tensor? M=None) -> (Tensor, Tensor, "
     "Tensor)",
     kRandom},
    {"torch._lowrank.svd_lowrank(Tensor A, int q=6, int niter=2, Tensor? M=None) -> (Tensor, "
     "Tensor, Tensor)",
     kRandom},
    {"torch.unique(Tensor input, bool sorted=True, bool return_inverse=False, "
     "bool return_counts=False, int? dim=None) -> Any",
     kDynamicShape},
    {"torch.functional.unique(Tensor input, bool sorted=True, bool return_inverse=False, "
     "bool return_counts=False, int? dim=None) -> Any",
     kDynamicShape},
    {"torch.unravel_index(Tensor indices, Any shape) -> Tensor[]"},
    {"torch.functional.unravel_index(Tensor indices, Any shape) -> Tensor[]"},

    // torch.nn.functional: functions with an `inplace` flag.
    {"torch.nn.functional.alpha_dropout(Tensor(a!) input, float p=0.5, bool training=False, "
     "bool inplace=False) -> Tensor(a)",
     kRandom},
    {"torch.nn.functional.celu(Tensor(a!) input, float alpha=1., bool inplace=False) -> Tensor(a)",
     kPointwise},
    {"torch.nn.functional.dropout(Tensor(a!) input, float p=0.5, bool training=True, "
     "bool inplace=False) -> Tensor(a)",
     kRandom},
    {"torch.nn.functional.dropout1d(Tensor(a!) input, float p=0.5, bool training=True, "
     "bool inplace=False) -> Tensor(a)",
     kRandom},
    {"torch.nn.functional.dropout2d(Tensor(a!) input, float p=0.5, bool training=True, "
     "bool inplace=False) -> Tensor(a)",
     kRandom},
    {"torch.nn.functional.dropout3d(Tensor(a!) input, float p=0.5, bool training=True, "
     "bool inplace=False) -> Tensor(a)",
     kRandom},
    {"torch.nn.functional.elu(Tensor(a!) input, float alpha=1., bool inplace=False) -> Tensor(a)",
     kPointwise},
    {"torch.nn.functional.feature_alpha_dropout(Tensor(a!) input, float p=0.5, "
     "bool training=False, bool inplace=False) -> Tensor(a)",
     kRandom},
    {"torch.nn.functional.hardsigmoid(Tensor(a!) input, bool inplace=False) -> Tensor(a)",
     kPointwise},
    {"torch.nn.functional.hardswish(Tensor(a!) input, bool inplace=False) -> Tensor(a)",
     kPointwise},
    {"torch.nn.functional.hardtanh(Tensor(a!) input, float min_val=-1., float max_val=1., "
     "bool inplace=False) -> Tensor(a)",
     kPointwise},
    {"torch.nn.functional.leaky_relu(Tensor(a!) input, float negative_slope=0.01, "
     "bool inplace=False) -> Tensor(a)",
     kPointwise},
    {"torch.nn.functional.mish(Tensor(a!) input, bool inplace=False) -> Tensor(a)", kPointwise},
    {"torch.nn.functional.relu(Tensor(a!) input, bool inplace=False) -> Tensor(a)", kPointwise},
    {"torch.nn.functional.relu6(Tensor(a!) input, bool inplace=False) -> Tensor(a)", kPointwise},
    {"torch.nn.functional.rrelu(Tensor(a!) input, float lower=0.125, float "
     "upper=0.33333333333333331, bool training=False, bool inplace=False) -> Tensor(a)",
     kRandom},
    {"torch.nn.functional.selu(Tensor(a!) input, bool inplace=False) -> Tensor(a)", kPointwise},
    {"torch.nn.functional.silu(Tensor(a!) input, bool inplace=False) -> Tensor(a)", kPointwise},
    {"torch.nn.functional._threshold(Tensor(a!) input, float threshold, float value, "
     "bool inplace=False) -> Tensor(a)",
     kPointwise},
    {"torch.nn.functional.threshold(Tensor(a!) input, float threshold, float value, "
     "bool inplace=False) -> Tensor(a)",
     kPointwise},

    // Functions with state, or with randomness that the operator does not have.
    {"torch.nn.functional.batch_norm(Tensor input, Tensor(a!)? running_mean, "
     "Tensor(b!)? running_var, Tensor? weight=None, Tensor? bias=None, bool training=False, "
     "float momentum=0.1, float eps=1e-05) -> Tensor"},
    {"torch.nn.functional.embedding(Tensor input, Tensor(a!) weight, int? padding_idx=None, "
     "float? max_norm=None, float norm_type=2., bool scale_grad_by_freq=False, "
     "bool sparse=False) -> Tensor"},
    {"torch.nn.functional.embedding_bag(Tensor input, Tensor(a!) weight, Tensor? offsets=None, "
     "float? max_norm=None, float norm_type=2, bool scale_grad_by_freq=False, str mode=\"mean\", "
     "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, "
     "int? padding_idx=None) -> Tensor"},
    {"torch.nn.functional.fractional_max_pool2d(Tensor input, Any kernel_size, "
     "Any output_size=None, Any output_ratio=None, bool return_indices=False, "
     "Tensor? _random_samples=None) -> Any",
     kRandom},
    {"torch.nn.functional.fractional_max_pool2d_with_indices(Tensor input, Any kernel_size, "
     "Any output_size=None, Any output_ratio=None, bool return_indices=False, "
     "Tensor? _random_samples=None) -> (Tensor, Tensor)",
     kRandom},
    {"torch.nn.functional.fractional_max_pool3d(Tensor input, Any kernel_size, "
     "Any output_size=None, Any output_ratio=None, bool return_indices=False, "
     "Tensor? _random_samples=None) -> Any",
     kRandom},
    {"torch.nn.functional.fractional_max_pool3d_with_indices(Tensor input, Any kernel_size, "
     "Any output_size=None, Any output_ratio=None, bool return_indices=False, "
     "Tensor? _random_samples=None) -> (Tensor, Tensor)",
     kRandom},
    {"torch.nn.functional.gumbel_softmax(Tensor logits, float tau=1, bool hard=False, "
     "float eps=1e-10, int dim=-1) -> Tensor",
     kRandom},
    {"torch.nn.functional.instance_norm(Tensor input, Tensor(a!)? running_mean=None, "
     "Tensor(b!)? running_var=None, Tensor? weight=None, Tensor? bias=None, "
     "bool use_input_stats=True, float momentum=0.1, float eps=1e-05) -> Tensor"},
    {"torch.nn.functional.multi_head_attention_forward(...) -> (Tensor, Tensor?)", kRandom},

    // Functions without an operator of the same name.
    {"torch.nn.functional.adaptive_max_pool1d_with_indices(Tensor input, Any output_size, "
     "bool return_indices=False) -> (Tensor, Tensor)"},
    {"torch.nn.functional.adaptive_max_pool2d_with_indices(Tensor input, Any output_size, "
     "bool return_indices=False) -> (Tensor, Tensor)"},
    {"torch.nn.functional.adaptive_max_pool3d_with_indices(Tensor input, Any output_size, "
     "bool return_indices=False) -> (Tensor, Tensor)"},
    {"torch.nn.functional.affine_grid(Tensor theta, int[] size, bool? align_corners=None) -> "
     "Tensor"},
    {"torch.nn.functional.cross_entropy(Tensor input, Tensor target, Tensor? weight=None, "
     "bool? size_average=None, int ignore_index=-100, bool? reduce=None, str reduction=\"mean\", "
     "float label_smoothing=0.) -> Tensor"},
    {"torch.nn.functional.fold(Tensor input, Any output_size, Any kernel_size, Any dilation=1, "
     "Any padding=0, Any stride=1) -> Tensor"},
    {"torch.nn.functional.gaussian_nll_loss(Tensor input, Tensor target, Any var, "
     "bool full=False, float eps=1e-06, str reduction=\"mean\") -> Tensor"},
    {"torch.nn.functional.grid_sample(Tensor input, Tensor grid, str mode=\"bilinear\", "
     "str padding_mode=\"zeros\", bool? align_corners=None) -> Tensor"},
    {"torch.nn.functional.grouped_mm(...) -> Tensor"},
    {"torch.nn.functional.interpolate(Tensor input, Any size=None, Any scale_factor=None, "
     "str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, "
     "bool antialias=False) -> Tensor"},
    {"torch.nn.functional.linear_cross_entropy(...) -> Tensor"},
    {"torch.nn.functional.local_response_norm(Tensor input, int size, float alpha=0.0001, "
     "float beta=0.75, float k=1.) -> Tensor"},
    {"torch.nn.functional.logsigmoid(Tensor input) -> Tensor", kPointwise},
    {"torch.nn.functional.lp_pool1d(Tensor input, Any norm_type, Any kernel_size, "
     "Any stride=None, bool ceil_mode=False) -> Tensor"},
    {"torch.nn.functional.lp_pool2d(Tensor input, Any norm_type, Any kernel_size, "
     "Any stride=None, bool ceil_mode=False) -> Tensor"},
    {"torch.nn.functional.lp_pool3d(Tensor input, Any norm_type, Any kernel_size, "
     "Any stride=None, bool ceil_mode=False) -> Tensor"},
    {"torch.nn.functional.max_unpool1d(Tensor input, Tensor indices, Any kernel_size, "
     "Any stride=None, Any padding=0, Any output_size=None) -> Tensor"},
    {"torch.nn.functional.multilabel_soft_margin_loss(Tensor input, Tensor target, "
     "Tensor? weight=None, bool? size_average=None, bool? reduce=None, str reduction=\"mean\") -> "
     "Tensor"},
    {"torch.nn.functional.normalize(Tensor input, float p=2., int dim=1, float eps=1e-12, "
     "Tensor(a!)? out=None) -> Tensor(a)",
     kWritesMetadata},
    {"torch.nn.functional.scaled_grouped_mm(...) -> Tensor"},
    {"torch.nn.functional.scaled_mm(...) -> Tensor"},
    {"torch.nn.functional.softmin(Tensor input, int? dim=None, int _stacklevel=3, "
     "ScalarType? dtype=None) -> Tensor"},
    {"torch.nn.functional.softsign(Tensor input) -> Tensor", kPointwise},
    {"torch.nn.functional.tanhshrink(Tensor input) -> Tensor", kPointwise},
    {"torch.nn.functional.triplet_margin_with_distance_loss(...) -> Tensor", 0, Effects::all()},
    {"torch.nn.functional.upsample(Tensor input, Any size=None, Any scale_factor=None, "
     "str mode=\"nearest\", bool? align_corners=None) -> Tensor"},
    {"torch.nn.functional.upsample_bilinear(Tensor input, Any size=None, "
     "Any scale_factor=None) -> Tensor"},
    {"torch.nn.functional.upsample_nearest(Tensor input, Any size=None, "
     "Any scale_factor=None) -> Tensor"},

    // Functions whose parameters differ from those of the operator of the same name.
    {"torch.cdist(Tensor x1, Tensor x2, float p=2., str "
     "compute_mode=\"use_mm_for_euclid_dist_if_necessary\") -> Tensor"},
    {"torch.functional.cdist(Tensor x1, Tensor x2, float p=2., str "
     "compute_mode=\"use_mm_for_euclid_dist_if_necessary\") -> Tensor"},
    {"torch.nn.functional.binary_cross_entropy(Tensor input, Tensor target, Tensor? "
     "weight=None, bool? size_average=None, bool? reduce=None, str reduction=\"mean\") -> "
     "Tensor"},
    {"torch.nn.functional.binary_cross_entropy_with_logits(Tensor input, Tensor target, "
     "Tensor? weight=None, bool? size_average=None, bool? reduce=None, str "
     "reduction=\"mean\", Tensor? pos_weight=None) -> Tensor"},
    {"torch.nn.functional.cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, "
     "float margin=0, bool? size_average=None, bool? reduce=None, str reduction=\"mean\") -> "
     "Tensor"},
    {"torch.nn.functional.group_norm(Tensor input, int num_groups, Tensor? weight=None, "
     "Tensor? bias=None, float eps=1e-05) -> Tensor"},
    {"torch.nn.functional.hinge_embedding_loss(Tensor input, Tensor target, float margin=1., "
     "bool? size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor"},
    {"torch.nn.functional.huber_loss(Tensor input, Tensor target, str reduction=\"mean\", "
     "float delta=1., Tensor? weight=None) -> Tensor"},
    {"torch.nn.functional.kl_div(Tensor input, Tensor target, bool? size_average=None, bool? "
     "reduce=None, str reduction=\"mean\", bool log_target=False) -> Tensor"},
    {"torch.nn.functional.l1_loss(Tensor input, Tensor target, bool? size_average=None, "
     "bool? reduce=None, str reduction=\"mean\", Tensor? weight=None) -> Tensor"},
    {"torch.nn.functional.layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? "
     "weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor"},
    {"torch.nn.functional.log_softmax(Tensor input, int? dim=None, int _stacklevel=3, "
     "ScalarType? dtype=None) -> Tensor"},
    {"torch.nn.functional.margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, "
     "float margin=0, bool? size_average=None, bool? reduce=None, str reduction=\"mean\") -> "
     "Tensor"},
    {"torch.nn.functional.max_pool1d_with_indices(Tensor input, Any kernel_size, Any "
     "stride=None, Any padding=0, Any dilation=1, bool ceil_mode=False, bool "
     "return_indices=False) -> (Tensor, Tensor)"},
    {"torch.nn.functional.max_pool2d_with_indices(Tensor input, Any kernel_size, Any "
     "stride=None, Any padding=0, Any dilation=1, bool ceil_mode=False, bool "
     "return_indices=False) -> (Tensor, Tensor)"},
    {"torch.nn.functional.max_pool3d_with_indices(Tensor input, Any kernel_size, Any "
     "stride=None, Any padding=0, Any dilation=1, bool ceil_mode=False, bool "
     "return_indices=False) -> (Tensor, Tensor)"},
    {"torch.nn.functional.mse_loss(Tensor input, Tensor target, bool? size_average=None, "
     "bool? reduce=None, str reduction=\"mean\", Tensor? weight=None) -> Tensor"},
    {"torch.nn.functional.multi_margin_loss(Tensor input, Tensor target, int p=1, float "
     "margin=1., Tensor? weight=None, bool? size_average=None, bool? reduce=None, str "
     "reduction=\"mean\") -> Tensor"},
    {"torch.nn.functional.multilabel_margin_loss(Tensor input, Tensor target, bool? "
     "size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor"},
    {"torch.nn.functional.nll_loss(Tensor input, Tensor target, Tensor? weight=None, bool? "
     "size_average=None, int ignore_index=-100, bool? reduce=None, str reduction=\"mean\") "
     "-> Tensor"},
    {"torch.nn.functional.poisson_nll_loss(Tensor input, Tensor target, bool log_input=True, "
     "bool full=False, bool? size_average=None, float eps=1e-08, bool? reduce=None, str "
     "reduction=\"mean\") -> Tensor"},
    {"torch.nn.functional.smooth_l1_loss(Tensor input, Tensor target, bool? "
     "size_average=None, bool? reduce=None, str reduction=\"mean\", float beta=1.) -> Tensor"},
    {"torch.nn.functional.soft_margin_loss(Tensor input, Tensor target, bool? "
     "size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor"},
    {"torch.nn.functional.softmax(Tensor input, int? dim=None, int _stacklevel=3, "
     "ScalarType? dtype=None) -> Tensor"},
    {"torch.nn.functional.triplet_margin_loss(Tensor anchor, Tensor positive, Tensor "
     "negative, float margin=1., float p=2, float eps=1e-06, bool swap=False, bool? "
     "size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor"},
    {"torch.nn.functional.unfold(Tensor input, Any kernel_size, Any dilation=1, Any "
     "padding=0, Any stride=1) -> Tensor"},
};

}  // namespace

constinit const std::span<const OpInfo> kTorchFunctionOps(kTorchFunctionRows);

}  // namespace fx::ops
