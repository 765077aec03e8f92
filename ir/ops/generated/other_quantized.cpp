// The operators of PyTorch 2.13.0: quantized.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kQuantizedRows[] = {
    {"_quantized::_wrapped_linear_prepack(Tensor W, Tensor W_scale, Tensor W_zero_point, Tensor B)"
     " -> Tensor"},
    {"_quantized::_wrapped_quantized_linear_prepacked(Tensor X, Tensor X_scale, Tensor "
     "X_zero_point, Tensor W_prepack, Tensor output_scale, Tensor output_zero_point, int "
     "out_channel) -> Tensor Y"},
    {"_quantized::add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc"},
    {"_quantized::conv2d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weight, float output_scale, int output_zero_point) -> Tensor"},
    {"_quantized::conv2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase"},
    {"_quantized::conv2d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weight, float output_scale, int output_zero_point) -> Tensor"},
    {"_quantized::conv3d(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weight, float output_scale, int output_zero_point) -> Tensor"},
    {"_quantized::conv3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, int groups) -> __torch__.torch.classes.quantized.Conv3dPackedParamsBase"},
    {"_quantized::conv3d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weight, float output_scale, int output_zero_point) -> Tensor"},
    {"_quantized::conv_transpose1d(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"_quantized::conv_transpose1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] "
     "padding, int[] output_padding, int[] dilation, int groups) -> "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase"},
    {"_quantized::conv_transpose2d(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"_quantized::conv_transpose2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] "
     "padding, int[] output_padding, int[] dilation, int groups) -> "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase"},
    {"_quantized::conv_transpose3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] "
     "padding, int[] output_padding, int[] dilation, int groups) -> "
     "__torch__.torch.classes.quantized.Conv3dPackedParamsBase"},
    {"_quantized::linear(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
     "W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y"},
    {"_quantized::linear_dynamic(Tensor X, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, bool reduce_range=False)"
     " -> Tensor Y"},
    {"_quantized::linear_prepack(Tensor W, Tensor? B=None) -> "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack"},
    {"_quantized::linear_prepack_fp16(Tensor W, Tensor? B=None) -> "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack"},
    {"_quantized::linear_prepack_fp16_legacy(Tensor W, Tensor? B=None) -> Tensor W_prepack"},
    {"_quantized::linear_prepack_legacy(Tensor W, Tensor? B=None) -> Tensor W_prepack"},
    {"_quantized::wrapped_fbgemm_linear_fp16_weight(Tensor X, Tensor W, Tensor B, int out_channel)"
     " -> Tensor"},
    {"_quantized::wrapped_fbgemm_pack_gemm_matrix_fp16(Tensor W) -> Tensor"},
    {"_quantized::wrapped_quantized_linear(Tensor X, Tensor X_scale, Tensor X_zero_point, Tensor "
     "W, Tensor W_scale, Tensor W_zero_point, Tensor B, Tensor output_scale, Tensor "
     "output_zero_point, int out_channel) -> Tensor Y"},
    {"quantized::add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc"},
    {"quantized::add.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add.Scalar(Tensor qa, Scalar b) -> Tensor qc"},
    {"quantized::add.Scalar2(Scalar b, Tensor qa) -> Tensor qc"},
    {"quantized::add.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc"},
    {"quantized::add_relu.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add_relu.Scalar(Tensor qa, Scalar b) -> Tensor qc"},
    {"quantized::add_relu.Scalar2(Scalar b, Tensor qa) -> Tensor qc"},
    {"quantized::add_relu.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add_relu_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add_scalar(Tensor qa, Scalar b) -> Tensor qc"},
    {"quantized::add_scalar.Tensor(Tensor qa, Tensor b) -> Tensor qc"},
    {"quantized::add_scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add_scalar_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add_scalar_relu(Tensor qa, Scalar b) -> Tensor qc"},
    {"quantized::add_scalar_relu.Tensor(Tensor qa, Tensor b) -> Tensor qc"},
    {"quantized::add_scalar_relu_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::add_scalar_relu_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out"
    },
    {"quantized::batch_norm(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, "
     "float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::batch_norm1d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, "
     "float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::batch_norm1d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor "
     "var, float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::batch_norm2d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, "
     "float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::batch_norm2d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor "
     "var, float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::batch_norm3d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, "
     "float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::batch_norm3d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor "
     "var, float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::batch_norm_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var,"
     " float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::cat(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor"},
    {"quantized::cat_out(Tensor[] qx, int dim, Tensor(a!) out) -> Tensor(a!)"},
    {"quantized::cat_relu(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor"},
    {"quantized::cat_relu_out(Tensor[] qx, int dim, Tensor(a!) out) -> Tensor(a!)"},
    {"quantized::celu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1) -> "
     "Tensor"},
    {"quantized::clamp(Tensor qx, Scalar? min=None, Scalar? max=None) -> Tensor qy"},
    {"quantized::conv1d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weight, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::conv1d_dynamic(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, bool "
     "reduce_range=False) -> Tensor"},
    {"quantized::conv1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase"},
    {"quantized::conv1d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weight, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::conv1d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)", kComposite},
    {"quantized::conv2d.new(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weight, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::conv2d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "weight, int[] stride, int[] padding, int[] dilation, int groups, float output_scale, int "
     "output_zero_point) -> Tensor"},
    {"quantized::conv2d_add(Tensor qx, Tensor qaccum, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"quantized::conv2d_add_relu(Tensor qx, Tensor qaccum, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"quantized::conv2d_dilation(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv2d_dynamic(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, bool "
     "reduce_range=False) -> Tensor"},
    {"quantized::conv2d_groups(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> int", kComposite},
    {"quantized::conv2d_output_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv2d_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase"},
    {"quantized::conv2d_relu.new(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"quantized::conv2d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "weight, int[] stride, int[] padding, int[] dilation, int groups, float output_scale, int "
     "output_zero_point) -> Tensor"},
    {"quantized::conv2d_stride(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv2d_transpose(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> int", kComposite},
    {"quantized::conv2d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)", kComposite},
    {"quantized::conv2d_unpack_sizes(Any packed_weights) -> Any", kComposite},
    {"quantized::conv3d.new(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weight, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::conv3d(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "weight, int[] stride, int[] padding, int[] dilation, int groups, float output_scale, int "
     "output_zero_point) -> Tensor"},
    {"quantized::conv3d_dilation(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv3d_dynamic(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, bool "
     "reduce_range=False) -> Tensor"},
    {"quantized::conv3d_groups(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> int", kComposite},
    {"quantized::conv3d_output_padding(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv3d_padding(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, int groups) -> __torch__.torch.classes.quantized.Conv3dPackedParamsBase"},
    {"quantized::conv3d_relu.new(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"quantized::conv3d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "weight, int[] stride, int[] padding, int[] dilation, int groups, float output_scale, int "
     "output_zero_point) -> Tensor"},
    {"quantized::conv3d_stride(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv3d_transpose(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> int", kComposite},
    {"quantized::conv3d_unpack(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)", kComposite},
    {"quantized::conv_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase"},
    {"quantized::conv_transpose1d(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"quantized::conv_transpose1d_dynamic(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, bool "
     "reduce_range=False) -> Tensor"},
    {"quantized::conv_transpose1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] "
     "padding, int[] output_padding, int[] dilation, int groups) -> "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase"},
    {"quantized::conv_transpose1d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)", kComposite},
    {"quantized::conv_transpose2d(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"quantized::conv_transpose2d_dilation(__torch__.torch.classes.quantized.Conv2dPackedParamsBase"
     " packed_weights) -> int[]", kComposite},
    {"quantized::conv_transpose2d_dynamic(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, bool "
     "reduce_range=False) -> Tensor"},
    {"quantized::conv_transpose2d_groups(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> int", kComposite},
    {"quantized::conv_transpose2d_output_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase"
     " packed_weights) -> int[]", kComposite},
    {"quantized::conv_transpose2d_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase"
     " packed_weights) -> int[]", kComposite},
    {"quantized::conv_transpose2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] "
     "padding, int[] output_padding, int[] dilation, int groups) -> "
     "__torch__.torch.classes.quantized.Conv2dPackedParamsBase"},
    {"quantized::conv_transpose2d_stride(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv_transpose2d_transpose(__torch__.torch.classes.quantized.Conv2dPackedParamsBase"
     " packed_weights) -> int", kComposite},
    {"quantized::conv_transpose2d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)", kComposite},
    {"quantized::conv_transpose3d(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"quantized::conv_transpose3d_dilation(__torch__.torch.classes.quantized.Conv3dPackedParamsBase"
     " packed_weights) -> int[]", kComposite},
    {"quantized::conv_transpose3d_dynamic(Tensor qx, "
     "__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, bool "
     "reduce_range=False) -> Tensor"},
    {"quantized::conv_transpose3d_groups(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> int", kComposite},
    {"quantized::conv_transpose3d_output_padding(__torch__.torch.classes.quantized.Conv3dPackedParamsBase"
     " packed_weights) -> int[]", kComposite},
    {"quantized::conv_transpose3d_padding(__torch__.torch.classes.quantized.Conv3dPackedParamsBase"
     " packed_weights) -> int[]", kComposite},
    {"quantized::conv_transpose3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] "
     "padding, int[] output_padding, int[] dilation, int groups) -> "
     "__torch__.torch.classes.quantized.Conv3dPackedParamsBase"},
    {"quantized::conv_transpose3d_stride(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> int[]", kComposite},
    {"quantized::conv_transpose3d_transpose(__torch__.torch.classes.quantized.Conv3dPackedParamsBase"
     " packed_weights) -> int", kComposite},
    {"quantized::conv_transpose3d_unpack(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
     "packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)", kComposite},
    {"quantized::conv_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
     "packed_weights) -> (Tensor unpacked_weights, Tensor? B_origin)", kComposite},
    {"quantized::dropout(Tensor self, float output_scale, int output_zero_point, Scalar p=0.5, "
     "bool training=False) -> Tensor"},
    {"quantized::elu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1, "
     "Scalar scale=1, Scalar input_scale=1) -> Tensor"},
    {"quantized::embedding_4bit(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase "
     "weight, Tensor indices, bool pruned_weights=False) -> Tensor"},
    {"quantized::embedding_bag_2bit_prepack(Tensor weight, bool optimized_qparams=False, int "
     "nbins=200, float ratio=0.16) -> Tensor"},
    {"quantized::embedding_bag_2bit_prepack_with_rowwise_min_max(Tensor weight, Tensor "
     "rowwise_min_max, bool optimized_qparams=False, int nbins=200, float ratio=0.16) -> Tensor"},
    {"quantized::embedding_bag_2bit_rowwise_offsets(Tensor weight, Tensor indices, Tensor? "
     "offsets=None, bool scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, Tensor? "
     "per_sample_weights=None, Tensor? compressed_indices_mapping=None, bool "
     "include_last_offset=False) -> Tensor"},
    {"quantized::embedding_bag_2bit_unpack(Tensor weight) -> Tensor"},
    {"quantized::embedding_bag_4bit(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase "
     "weight, Tensor indices, Tensor? offsets=None, bool scale_grad_by_freq=False, int mode=0, "
     "bool pruned_weights=False, Tensor? per_sample_weights=None, Tensor? "
     "compressed_indices_mapping=None, bool include_last_offset=False) -> Tensor"},
    {"quantized::embedding_bag_4bit_prepack(Tensor weight, bool optimized_qparams=False, int "
     "nbins=200, float ratio=0.16) -> Tensor"},
    {"quantized::embedding_bag_4bit_prepack_with_rowwise_min_max(Tensor weight, Tensor "
     "rowwise_min_max, bool optimized_qparams=False, int nbins=200, float ratio=0.16) -> Tensor"},
    {"quantized::embedding_bag_4bit_rowwise_offsets(Tensor weight, Tensor indices, Tensor? "
     "offsets=None, bool scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, Tensor? "
     "per_sample_weights=None, Tensor? compressed_indices_mapping=None, bool "
     "include_last_offset=False) -> Tensor"},
    {"quantized::embedding_bag_4bit_unpack(Tensor weight) -> Tensor"},
    {"quantized::embedding_bag_byte(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase "
     "weight, Tensor indices, Tensor? offsets=None, bool scale_grad_by_freq=False, int mode=0, "
     "bool pruned_weights=False, Tensor? per_sample_weights=None, Tensor? "
     "compressed_indices_mapping=None, bool include_last_offset=False) -> Tensor"},
    {"quantized::embedding_bag_byte_prepack(Tensor weight) -> Tensor"},
    {"quantized::embedding_bag_byte_prepack_with_rowwise_min_max(Tensor weight, Tensor "
     "rowwise_min_max) -> Tensor"},
    {"quantized::embedding_bag_byte_rowwise_offsets(Tensor weight, Tensor indices, Tensor? "
     "offsets=None, bool scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, Tensor? "
     "per_sample_weights=None, Tensor? compressed_indices_mapping=None, bool "
     "include_last_offset=False) -> Tensor"},
    {"quantized::embedding_bag_byte_unpack(Tensor weight) -> Tensor"},
    {"quantized::embedding_bag_prepack(Tensor weight) -> "
     "__torch__.torch.classes.quantized.EmbeddingPackedParamsBase W_prepack"},
    {"quantized::embedding_bag_unpack(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase "
     "W_prepack) -> Tensor W_origin", kComposite},
    {"quantized::embedding_byte(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase "
     "weight, Tensor indices, bool pruned_weights=False) -> Tensor"},
    {"quantized::group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float eps,"
     " float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::hardswish(Tensor input, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::instance_norm(Tensor input, Tensor? weight, Tensor? bias, float eps, float "
     "output_scale, int output_zero_point) -> Tensor"},
    {"quantized::int4mm_packed_weight_cpu(Tensor self, Tensor mat2, Tensor qGroupSize, Tensor "
     "qScaleAndZeros) -> Tensor"},
    {"quantized::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, "
     "float eps, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::leaky_relu(Tensor qx, Scalar negative_slope, bool inplace, float output_scale, "
     "int output_zero_point) -> Tensor"},
    {"quantized::linear(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
     "W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y"},
    {"quantized::linear_dynamic(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase"
     " W_prepack, bool reduce_range=False) -> Tensor Y"},
    {"quantized::linear_dynamic_fp16(Tensor X, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) -> Tensor Y"},
    {"quantized::linear_dynamic_fp16_unpacked_weight(Tensor X, Tensor weight, Tensor? bias) -> "
     "Tensor Y"},
    {"quantized::linear_leaky_relu(Tensor X, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, float Y_scale_i, int "
     "Y_zero_point_i, float negative_slope) -> Tensor Y"},
    {"quantized::linear_prepack(Tensor W, Tensor? B=None) -> "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack"},
    {"quantized::linear_prepack_fp16(Tensor W, Tensor? B=None) -> "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack"},
    {"quantized::linear_prepack_fp16_legacy(Tensor W, Tensor? B=None) -> Tensor W_prepack"},
    {"quantized::linear_prepack_legacy(Tensor W, Tensor? B=None) -> Tensor W_prepack"},
    {"quantized::linear_relu(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
     "W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y"},
    {"quantized::linear_relu_dynamic(Tensor X, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, bool reduce_range=False)"
     " -> Tensor Y"},
    {"quantized::linear_relu_dynamic_fp16(Tensor X, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) -> Tensor Y"},
    {"quantized::linear_tanh(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
     "W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y"},
    {"quantized::linear_unpack(__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack)"
     " -> (Tensor W_origin, Tensor? B_origin)", kComposite},
    {"quantized::linear_unpack.legacy(Tensor W_prepack) -> (Tensor W_origin, Tensor? B_origin)"},
    {"quantized::linear_unpack_fp16(__torch__.torch.classes.quantized.LinearPackedParamsBase "
     "W_prepack) -> (Tensor W_origin, Tensor? B_origin)", kComposite},
    {"quantized::linear_unpack_fp16.legacy(Tensor W_prepack) -> (Tensor W_origin, Tensor? "
     "B_origin)"},
    {"quantized::linear_with_input_q_dq_qweight_dq_output_fp32(Tensor X, float X_scale, int "
     "X_zero_point, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) -> Tensor "
     "Y"},
    {"quantized::linear_with_input_q_dq_qweight_dq_relu_output_fp32(Tensor X, float X_scale, int "
     "X_zero_point, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) -> Tensor "
     "Y"},
    {"quantized::make_quantized_cell_params(Tensor w_ih, Tensor w_hh, Tensor b_ih, Tensor b_hh) ->"
     " __torch__.torch.classes.rnn.CellParamsBase"},
    {"quantized::make_quantized_cell_params_dynamic(__torch__.torch.classes.quantized.LinearPackedParamsBase"
     " w_ih, __torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor bias_ih, Tensor"
     " bias_hh, bool reduce_range=False) -> __torch__.torch.classes.rnn.CellParamsBase"},
    {"quantized::make_quantized_cell_params_fp16(__torch__.torch.classes.quantized.LinearPackedParamsBase"
     " w_ih, __torch__.torch.classes.quantized.LinearPackedParamsBase w_hh) -> "
     "__torch__.torch.classes.rnn.CellParamsBase", kComposite},
    {"quantized::matmul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc"},
    {"quantized::max_pool1d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] "
     "dilation, bool ceil_mode) -> Tensor"},
    {"quantized::max_pool2d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] "
     "dilation, bool ceil_mode) -> Tensor"},
    {"quantized::mul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc"},
    {"quantized::mul.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul.Scalar(Tensor qa, Scalar b) -> Tensor qc"},
    {"quantized::mul.Scalar2(Scalar b, Tensor qa) -> Tensor qc"},
    {"quantized::mul.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc"},
    {"quantized::mul_relu.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul_relu.Scalar(Tensor qa, Scalar b) -> Tensor qc"},
    {"quantized::mul_relu.Scalar2(Scalar b, Tensor qa) -> Tensor qc"},
    {"quantized::mul_relu.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul_relu_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul_scalar(Tensor qa, Scalar b) -> Tensor qc"},
    {"quantized::mul_scalar.Tensor(Tensor qa, Tensor b) -> Tensor qc"},
    {"quantized::mul_scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul_scalar_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul_scalar_relu(Tensor qa, Scalar b) -> Tensor qc"},
    {"quantized::mul_scalar_relu.Tensor(Tensor qa, Tensor b) -> Tensor qc"},
    {"quantized::mul_scalar_relu_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out"},
    {"quantized::mul_scalar_relu_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out"
    },
    {"quantized::prelu(Tensor qx, Tensor weight, float output_scale, int output_zero_point) -> "
     "Tensor"},
    {"quantized::quantized_gru_cell_dynamic(Tensor input, Tensor hx, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> "
     "Tensor"},
    {"quantized::quantized_lstm_cell_dynamic(Tensor input, Tensor[] hx, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor bias_ih, Tensor "
     "bias_hh) -> (Tensor, Tensor)"},
    {"quantized::quantized_rnn_relu_cell_dynamic(Tensor input, Tensor hx, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> "
     "Tensor"},
    {"quantized::quantized_rnn_tanh_cell_dynamic(Tensor input, Tensor hx, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase w_ih, "
     "__torch__.torch.classes.quantized.LinearPackedParamsBase w_hh, Tensor b_ih, Tensor b_hh) -> "
     "Tensor"},
    {"quantized::relu6(Tensor qx, bool inplace=False) -> Tensor"},
    {"quantized::sigmoid(Tensor qx, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::softmax(Tensor qx, int dim, float output_scale, int output_zero_point) -> Tensor"},
    {"quantized::threshold(Tensor qx, Scalar threshold, Scalar value) -> Tensor qy"},
};

extern const std::span<const OpInfo> kQuantizedOps;
constinit const std::span<const OpInfo> kQuantizedOps(kQuantizedRows);

}  // namespace fx::ops
