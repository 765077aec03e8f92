// The operators of PyTorch 2.13.0: quantize.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kQuantizeRows[] = {
    {"aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)",
     kComposite},
    {"aten::_convert_weight_to_int4pack(Tensor self, int innerKTiles) -> Tensor"},
    {"aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor"},
    {"aten::_dyn_quant_matmul_4bit(Tensor inp, Tensor packed_weights, int block_size, int "
     "in_features, int out_features) -> Tensor"},
    {"aten::_dyn_quant_pack_4bit_weight(Tensor weights, Tensor scales_zeros, Tensor? bias, int "
     "block_size, int in_features, int out_features) -> Tensor"},
    {"aten::_empty_affine_quantized(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None,"
     " Device? device=None, bool? pin_memory=None, float scale=1., int zero_point=0, MemoryFormat?"
     " memory_format=0) -> Tensor"},
    {"aten::_empty_affine_quantized.out(SymInt[] size, *, float scale=1., int zero_point=0, "
     "MemoryFormat? memory_format=0, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_empty_per_channel_affine_quantized(SymInt[] size, *, Tensor scales, Tensor "
     "zero_points, int axis, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=None, MemoryFormat? memory_format=0) -> Tensor"},
    {"aten::_empty_per_channel_affine_quantized.out(SymInt[] size, *, Tensor scales, Tensor "
     "zero_points, int axis, MemoryFormat? memory_format=0, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_fake_quantize_learnable_per_channel_affine(Tensor self, Tensor scale, Tensor "
     "zero_point, int axis, int quant_min, int quant_max, float grad_factor=1.) -> Tensor"},
    {"aten::_fake_quantize_learnable_per_channel_affine.out(Tensor self, Tensor scale, Tensor "
     "zero_point, int axis, int quant_min, int quant_max, float grad_factor=1., *, Tensor(a!) out)"
     " -> Tensor(a!)"},
    {"aten::_fake_quantize_learnable_per_channel_affine_backward(Tensor grad, Tensor self, Tensor "
     "scale, Tensor zero_point, int axis, int quant_min, int quant_max, float grad_factor=1.) -> "
     "(Tensor, Tensor, Tensor)"},
    {"aten::_fake_quantize_learnable_per_tensor_affine(Tensor self, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max, float grad_factor=1.) -> Tensor"},
    {"aten::_fake_quantize_learnable_per_tensor_affine.out(Tensor self, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max, float grad_factor=1., *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_fake_quantize_learnable_per_tensor_affine_backward(Tensor grad, Tensor self, Tensor "
     "scale, Tensor zero_point, int quant_min, int quant_max, float grad_factor=1.) -> (Tensor, "
     "Tensor, Tensor)"},
    {"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, "
     "Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor "
     "output, Tensor mask)"},
    {"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out(Tensor self, Tensor "
     "scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max, *, "
     "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on,"
     " Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, "
     "float averaging_const, int quant_min, int quant_max, int ch_axis, bool "
     "per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask)"},
    {"aten::_fused_moving_avg_obs_fq_helper.out(Tensor self, Tensor observer_on, Tensor "
     "fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) "
     "zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool "
     "per_row_fake_quant=False, bool symmetric_quant=False, *, Tensor(e!) out0, Tensor(f!) out1) "
     "-> (Tensor(e!), Tensor(f!))"},
    {"aten::_fused_moving_avg_obs_fq_helper_functional(Tensor self, Tensor observer_on, Tensor "
     "fake_quant_on, Tensor running_min, Tensor running_max, Tensor scale, Tensor zero_point, "
     "float averaging_const, int quant_min, int quant_max, int ch_axis, bool "
     "per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask, Tensor"
     " running_min_out, Tensor running_max_out, Tensor scale_out, Tensor zero_point_out)"},
    {"aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, int "
     "axis) -> Tensor"},
    {"aten::_make_per_channel_quantized_tensor.out(Tensor self, Tensor scale, Tensor zero_point, "
     "int axis, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor"},
    {"aten::_make_per_tensor_quantized_tensor.out(Tensor self, float scale, int zero_point, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_saturate_weight_to_fp16(Tensor weight) -> Tensor", kComposite},
    {"aten::_weight_int4pack_mm(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) "
     "-> Tensor"},
    {"aten::_weight_int4pack_mm_for_cpu(Tensor self, Tensor mat2, int qGroupSize, Tensor "
     "qScaleAndZeros) -> Tensor"},
    {"aten::_weight_int4pack_mm_with_scales_and_zeros(Tensor self, Tensor mat2, int qGroupSize, "
     "Tensor qScale, Tensor qZeros) -> Tensor"},
    {"aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor"},
    {"aten::_wrapped_linear_prepack(Tensor weight, Tensor weight_scale, Tensor weight_zero_point, "
     "Tensor bias) -> Tensor", kComposite},
    {"aten::_wrapped_quantized_linear_prepacked(Tensor input, Tensor input_scale, Tensor "
     "input_zero_point, Tensor packed_weight, Tensor output_scale, Tensor output_zero_point, int "
     "out_channel) -> Tensor", kComposite},
    {"aten::choose_qparams_optimized(Tensor input, int numel, int n_bins, float ratio, int "
     "bit_width) -> (Tensor, Tensor)", kComposite},
    {"aten::dequantize.self(Tensor self) -> Tensor"},
    {"aten::dequantize.self_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::dequantize.tensors_out(Tensor[] tensors, *, Tensor(a!)[] out) -> ()"},
    {"aten::dequantize.tensors(Tensor[] tensors) -> Tensor[]"},
    {"aten::dequantize.tensor(Tensor qtensor) -> Tensor", kTorchScript},
    {"aten::dequantize.list(Tensor[] qtensors) -> Tensor[]", kTorchScript},
    {"aten::dequantize.any(Any tensors) -> Any", kTorchScript},
    {"aten::empty_quantized(int[] size, Tensor qtensor, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) "
     "-> Tensor"},
    {"aten::empty_quantized.out(int[] size, Tensor qtensor, *, MemoryFormat? memory_format=None, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int "
     "axis, int quant_min, int quant_max) -> Tensor", kComposite},
    {"aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor "
     "zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)"},
    {"aten::fake_quantize_per_channel_affine_cachemask.out(Tensor self, Tensor scale, Tensor "
     "zero_point, int axis, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> "
     "(Tensor(a!), Tensor(b!))"},
    {"aten::fake_quantize_per_channel_affine_cachemask_backward(Tensor grad, Tensor mask) -> "
     "Tensor", kComposite},
    {"aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int "
     "quant_min, int quant_max) -> Tensor", kComposite},
    {"aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max) -> Tensor", kComposite},
    {"aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, "
     "int quant_min, int quant_max) -> (Tensor output, Tensor mask)"},
    {"aten::fake_quantize_per_tensor_affine_cachemask.out(Tensor self, float scale, int "
     "zero_point, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> "
     "(Tensor(a!), Tensor(b!))"},
    {"aten::fake_quantize_per_tensor_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor",
     kComposite},
    {"aten::fbgemm_linear_fp16_weight(Tensor input, Tensor packed_weight, Tensor bias) -> Tensor",
     kComposite},
    {"aten::fbgemm_linear_fp16_weight.out(Tensor input, Tensor packed_weight, Tensor bias, "
     "Tensor(a!) output) -> Tensor", kComposite},
    {"aten::fbgemm_linear_fp16_weight_fp32_activation(Tensor input, Tensor packed_weight, Tensor? "
     "bias) -> Tensor", kComposite},
    {"aten::fbgemm_linear_fp16_weight_fp32_activation.out(Tensor input, Tensor packed_weight, "
     "Tensor? bias, Tensor(a!) output) -> Tensor", kComposite},
    {"aten::fbgemm_linear_int8_weight(Tensor input, Tensor weight, Tensor packed, Tensor "
     "col_offsets, Scalar weight_scale, Scalar weight_zero_point, Tensor bias) -> Tensor",
     kComposite},
    {"aten::fbgemm_linear_int8_weight_fp32_activation(Tensor input, Tensor weight, Tensor packed, "
     "Tensor col_offsets, Scalar weight_scale, Scalar weight_zero_point, Tensor bias) -> Tensor",
     kComposite},
    {"aten::fbgemm_linear_quantize_weight(Tensor input) -> (Tensor, Tensor, float, int)",
     kComposite},
    {"aten::fbgemm_pack_gemm_matrix_fp16(Tensor input) -> Tensor", kComposite},
    {"aten::fbgemm_pack_quantized_matrix(Tensor input) -> Tensor", kComposite},
    {"aten::fbgemm_pack_quantized_matrix.KN(Tensor input, int K, int N) -> Tensor", kComposite},
    {"aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor fake_quant_on,"
     " Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, "
     "float averaging_const, int quant_min, int quant_max, int ch_axis, bool "
     "per_row_fake_quant=False, bool symmetric_quant=False) -> Tensor", kComposite},
    {"aten::int_repr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::int_repr(Tensor self) -> Tensor"},
    {"aten::q_per_channel_axis(Tensor self) -> int"},
    {"aten::q_per_channel_scales.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::q_per_channel_scales(Tensor self) -> Tensor"},
    {"aten::q_per_channel_zero_points.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::q_per_channel_zero_points(Tensor self) -> Tensor"},
    {"aten::q_scale(Tensor self) -> float"},
    {"aten::q_zero_point(Tensor self) -> int"},
    {"aten::qscheme(Tensor self) -> QScheme"},
    {"aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, "
     "ScalarType dtype) -> Tensor"},
    {"aten::quantize_per_channel.out(Tensor self, Tensor scales, Tensor zero_points, int axis, "
     "ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> "
     "Tensor"},
    {"aten::quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, "
     "ScalarType dtype) -> Tensor"},
    {"aten::quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points, "
     "ScalarType dtype) -> Tensor[]"},
    {"aten::quantize_per_tensor.out(Tensor self, float scale, int zero_point, ScalarType dtype, *,"
     " Tensor(a!) out) -> Tensor(a!)"},
    {"aten::quantize_per_tensor.tensor_qparams_out(Tensor self, Tensor scale, Tensor zero_point, "
     "ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::quantize_per_tensor.tensors_out(Tensor[] tensors, Tensor scales, Tensor zero_points, "
     "ScalarType dtype, *, Tensor(a!)[] out) -> ()"},
    {"aten::quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range) -> "
     "Tensor"},
    {"aten::quantize_per_tensor_dynamic.out(Tensor self, ScalarType dtype, bool reduce_range, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::quantized_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, "
     "Tensor var, float eps, float output_scale, int output_zero_point, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::quantized_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor "
     "var, float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"aten::quantized_max_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
     "padding=[0], int[1] dilation=[1], bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::quantized_max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
     "padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor"},
    {"aten::quantized_max_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::quantized_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor"},
    {"aten::quantized_max_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
     "padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::quantized_max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
     "padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor"},
};

extern const std::span<const OpInfo> kQuantizeOps;
constinit const std::span<const OpInfo> kQuantizeOps(kQuantizeRows);

}  // namespace fx::ops
