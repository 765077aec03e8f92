// The operators of PyTorch 2.13.0: backend.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kBackendRows[] = {
    {"inductor::_alloc_from_pool(Tensor self, int offset_bytes, ScalarType dtype, int[] size, "
     "int[] stride) -> Tensor", kComposite},
    {"inductor::_mm_plus_mm(Tensor a, Tensor b, Tensor c, Tensor d, Tensor(t!) out) -> Tensor(t!)"},
    {"inductor::_reinterpret_tensor(Tensor self, int[] size, int[] stride, int offset_increment=0)"
     " -> Tensor"},
    {"inductor::accumulate_grad_(Tensor variable, Tensor? variable_grad, Tensor? new_grad) -> "
     "Tensor?"},
    {"inductor::resize_storage_bytes_(Tensor variable, SymInt new_size) -> ()"},
    {"mkl::_mkl_linear(Tensor X, Tensor MKL_W, Tensor ORI_W, Tensor? B, int batch_size) -> Tensor"},
    {"mkl::_mkl_reorder_linear_weight(Tensor X, int batch_size) -> Tensor"},
    {"mkldnn::_convolution_pointwise(Tensor X, Tensor W, Tensor? B, int[] padding, int[] stride, "
     "int[] dilation, int groups, str attr, Scalar?[] scalars, str? algorithm) -> Tensor Y"},
    {"mkldnn::_convolution_pointwise.binary(Tensor X, Tensor other, Tensor W, Tensor? B, int[] "
     "padding, int[] stride, int[] dilation, int groups, str binary_attr, Scalar? alpha, str? "
     "unary_attr, Scalar?[] unary_scalars, str? unary_algorithm) -> Tensor Y"},
    {"mkldnn::_convolution_pointwise_.binary(Tensor(a!) other, Tensor X, Tensor W, Tensor? B, "
     "int[] padding, int[] stride, int[] dilation, int groups, str binary_attr, Scalar? alpha, "
     "str? unary_attr, Scalar?[] unary_scalars, str? unary_algorithm) -> Tensor(a!) Y"},
    {"mkldnn::_convolution_transpose_pointwise(Tensor X, Tensor W, Tensor? B, int[] padding, int[]"
     " output_padding, int[] stride, int[] dilation, int groups, str attr, Scalar?[] scalars, str?"
     " algorithm) -> Tensor Y"},
    {"mkldnn::_get_mkldnn_serialized_md(Tensor mkldnn_tensor) -> Tensor"},
    {"mkldnn::_is_mkldnn_acl_supported() -> bool _0", kComposite},
    {"mkldnn::_is_mkldnn_bf16_supported() -> bool _0", kComposite},
    {"mkldnn::_is_mkldnn_fp16_supported() -> bool _0", kComposite},
    {"mkldnn::_linear_pointwise(Tensor X, Tensor W, Tensor? B, str attr, Scalar?[] scalars, str? "
     "algorithm) -> Tensor Y"},
    {"mkldnn::_linear_pointwise.binary(Tensor X, Tensor other, Tensor W, Tensor? B, str attr) -> "
     "Tensor Y"},
    {"mkldnn::_nbytes(Tensor mkldnn_tensor) -> int"},
    {"mkldnn::_reorder_convolution_transpose_weight(Tensor self, int[2] padding=0, int[2] "
     "output_padding=0, int[2] stride=1, int[2] dilation=1, int groups=1, int[]? input_size=None) "
     "-> Tensor Y"},
    {"mkldnn::_reorder_convolution_weight(Tensor self, int[2] padding=0, int[2] stride=1, int[2] "
     "dilation=1, int groups=1, int[]? input_size=None) -> Tensor Y"},
    {"mkldnn::_reorder_linear_weight(Tensor self, int? batch_size=None) -> Tensor Y"},
    {"mkldnn::_reorder_mkldnn_rnn_layer_weight(Tensor weight0, Tensor weight1, int hidden_size, "
     "bool reverse, bool has_biases, bool batch_first, int[]? input_size=None) -> Tensor[] Y"},
    {"mkldnn::data_ptr(Tensor mkldnn_tensor) -> int"},
    {"mkldnn_prepacked::conv2d_prepack(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] "
     "dilation, int groups, int[4] input_size, str attr) -> "
     "__torch__.torch.classes.mkldnn.ConvOpContext"},
    {"mkldnn_prepacked::conv2d_run(Tensor X, __torch__.torch.classes.mkldnn.ConvOpContext "
     "W_prepack) -> Tensor Y"},
    {"onednn::linear_dynamic_fp16(Tensor x, Tensor w, Tensor? bias) -> Tensor"},
    {"onednn::linear_prepack_fp16(Tensor weight, int[]? x_shape) -> Tensor"},
    {"onednn::linear_relu_dynamic_fp16(Tensor x, Tensor w, Tensor? bias) -> Tensor"},
    {"onednn::qadd.tensor(Tensor self, float self_scale, int self_zero_point, Tensor other, float "
     "other_scale, int other_zero_point, float output_scale, int output_zero_point, ScalarType "
     "output_dtype) -> Tensor"},
    {"onednn::qadd_relu.tensor(Tensor self, float self_scale, int self_zero_point, Tensor other, "
     "float other_scale, int other_zero_point, float output_scale, int output_zero_point, "
     "ScalarType output_dtype) -> Tensor"},
    {"onednn::qbatch_norm2d(Tensor qx, float qx_scale, int qx_zero_point, Tensor weight, Tensor "
     "bias, Tensor mean, Tensor var, float eps, float output_scale, int output_zero_point, "
     "ScalarType output_dtype) -> Tensor"},
    {"onednn::qconv1d_pointwise(Tensor qx, float x_scale, int x_zero_point, Tensor qw, Tensor "
     "w_scale, Tensor w_zero_point, Tensor? bias, int[] stride, int[] padding, int[] dilation, int"
     " groups, float output_scale, int output_zero_point, ScalarType? output_dtype, str attr, "
     "Scalar?[] scalars, str? algorithm) -> Tensor"},
    {"onednn::qconv2d_pointwise(Tensor qx, float x_scale, int x_zero_point, Tensor qw, Tensor "
     "w_scale, Tensor w_zero_point, Tensor? bias, int[] stride, int[] padding, int[] dilation, int"
     " groups, float output_scale, int output_zero_point, ScalarType? output_dtype, str attr, "
     "Scalar?[] scalars, str? algorithm) -> Tensor"},
    {"onednn::qconv2d_pointwise.tensor(Tensor qx, Tensor x_scale, Tensor x_zero_point, Tensor qw, "
     "Tensor w_scale, Tensor w_zero_point, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, int groups, float output_scale, int output_zero_point, ScalarType? output_dtype, "
     "str attr, Scalar?[] scalars, str? algorithm) -> Tensor"},
    {"onednn::qconv2d_pointwise.binary(Tensor qx, float x_scale, int x_zero_point, Tensor qw, "
     "Tensor w_scale, Tensor w_zero_point, Tensor(a!) qaccum, Tensor? bias, int[] stride, int[] "
     "padding, int[] dilation, int groups, float output_scale, int output_zero_point, ScalarType? "
     "output_dtype, float accum_scale, int accum_zero_point, str binary_attr, Scalar? alpha, str? "
     "unary_attr, Scalar?[] unary_scalars, str? unary_algorithm) -> Tensor"},
    {"onednn::qconv2d_pointwise.binary_tensor(Tensor qx, Tensor x_scale, Tensor x_zero_point, "
     "Tensor qw, Tensor w_scale, Tensor w_zero_point, Tensor(a!) qaccum, Tensor? bias, int[] "
     "stride, int[] padding, int[] dilation, int groups, float output_scale, int "
     "output_zero_point, ScalarType? output_dtype, float accum_scale, int accum_zero_point, str "
     "binary_attr, Scalar? alpha, str? unary_attr, Scalar?[] unary_scalars, str? unary_algorithm) "
     "-> Tensor"},
    {"onednn::qconv3d_pointwise(Tensor qx, float x_scale, int x_zero_point, Tensor qw, Tensor "
     "w_scale, Tensor w_zero_point, Tensor? bias, int[] stride, int[] padding, int[] dilation, int"
     " groups, float output_scale, int output_zero_point, ScalarType? output_dtype, str attr, "
     "Scalar?[] scalars, str? algorithm) -> Tensor"},
    {"onednn::qconv_pointwise(Tensor qx, float x_scale, int x_zero_point, Tensor qw, Tensor "
     "w_scale, Tensor w_zero_point, Tensor? bias, int[] stride, int[] padding, int[] dilation, int"
     " groups, float output_scale, int output_zero_point, ScalarType? output_dtype, str attr, "
     "Scalar?[] scalars, str? algorithm) -> Tensor"},
    {"onednn::qconv_pointwise.tensor(Tensor qx, Tensor x_scale, Tensor x_zero_point, Tensor qw, "
     "Tensor w_scale, Tensor w_zero_point, Tensor? bias, int[] stride, int[] padding, int[] "
     "dilation, int groups, float output_scale, int output_zero_point, ScalarType? output_dtype, "
     "str attr, Scalar?[] scalars, str? algorithm) -> Tensor"},
    {"onednn::qconv_prepack(Tensor weight, Tensor w_scales, float x_scale, int x_zp, int[] stride,"
     " int[] padding, int[] dilation, int groups, int[]? x_shape=None) -> Tensor"},
    {"onednn::qlinear_pointwise(Tensor qx, float x_scale, int x_zero_point, Tensor qw, Tensor "
     "w_scale, Tensor w_zero_point, Tensor? bias, float output_scale, int output_zero_point, "
     "ScalarType? output_dtype, str post_op_name, Scalar?[] post_op_args, str post_op_algorithm) "
     "-> Tensor"},
    {"onednn::qlinear_pointwise.tensor(Tensor qx, Tensor x_scale, Tensor x_zero_point, Tensor qw, "
     "Tensor w_scale, Tensor w_zero_point, Tensor? bias, float output_scale, int "
     "output_zero_point, ScalarType? output_dtype, str post_op_name, Scalar?[] post_op_args, str "
     "post_op_algorithm) -> Tensor"},
    {"onednn::qlinear_pointwise.binary(Tensor qx, float x_scale, int x_zero_point, Tensor qw, "
     "Tensor w_scale, Tensor w_zero_point, Tensor? other, Tensor? bias, float output_scale, int "
     "output_zero_point, ScalarType? output_dtype, float other_scale, int other_zp, str "
     "binary_post_op, float binary_alpha, str unary_post_op, Scalar?[] unary_post_op_args, str "
     "unary_post_op_algorithm) -> Tensor"},
    {"onednn::qlinear_pointwise.binary_tensor(Tensor qx, Tensor x_scale, Tensor x_zero_point, "
     "Tensor qw, Tensor w_scale, Tensor w_zero_point, Tensor? other, Tensor? bias, float "
     "output_scale, int output_zero_point, ScalarType? output_dtype, float other_scale, int "
     "other_zp, str binary_post_op, float binary_alpha, str unary_post_op, Scalar?[] "
     "unary_post_op_args, str unary_post_op_algorithm) -> Tensor"},
    {"onednn::qlinear_prepack(Tensor weight, int[]? x_shape) -> Tensor"},
    {"onednn::qmul.tensor(Tensor self, float self_scale, int self_zero_point, Tensor other, float "
     "other_scale, int other_zero_point, float output_scale, int output_zero_point, ScalarType "
     "output_dtype) -> Tensor"},
    {"onnx::Reshape(Tensor input, Tensor shape) -> Tensor", kTorchScript},
    {"onnx::Shape(Tensor t) -> Tensor", kTorchScript},
    {"profiler::_call_end_callbacks_on_jit_fut(Tensor x, Future(t) y) -> Future(t)", kTorchScript},
    {"profiler::_call_end_callbacks_on_jit_fut._RecordFunction(__torch__.torch.classes.profiler._RecordFunction"
     " x, Future(t) y) -> Future(t)", kTorchScript},
    {"profiler::_record_function_enter(str name, str? args=None) -> Tensor"},
    {"profiler::_record_function_enter_new(str name, str? args=None) -> "
     "__torch__.torch.classes.profiler._RecordFunction"},
    {"profiler::_record_function_exit(Tensor handle) -> ()"},
    {"profiler::_record_function_exit._RecordFunction(__torch__.torch.classes.profiler._RecordFunction"
     " record) -> ()"},
    {"quantization::_Bfloat16QuantizedToFloat(Tensor input) -> Tensor"},
    {"quantization::_FloatToBfloat16Quantized(Tensor input) -> Tensor"},
    {"sparse::qlinear(Tensor X, __torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack, "
     "float Y_scale_i, int Y_zero_point_i) -> Tensor Y"},
    {"sparse::qlinear_dynamic(Tensor X, __torch__.torch.classes.sparse.LinearPackedParamsBase "
     "W_prepack) -> Tensor Y"},
    {"sparse::qlinear_prepack(Tensor W, Tensor? B, int out_features_block_size, int "
     "in_features_block_size) -> __torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack"},
    {"sparse::qlinear_relu(Tensor X, __torch__.torch.classes.sparse.LinearPackedParamsBase "
     "W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y"},
    {"sparse::qlinear_relu_dynamic(Tensor X, __torch__.torch.classes.sparse.LinearPackedParamsBase"
     " W_prepack) -> Tensor Y"},
    {"sparse::qlinear_unpack(__torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack) -> "
     "(Tensor W_origin, Tensor? B_origin, int[] block_pattern)", kComposite},
};

extern const std::span<const OpInfo> kBackendOps;
constinit const std::span<const OpInfo> kBackendOps(kBackendRows);

}  // namespace fx::ops
