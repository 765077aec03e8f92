// The operators of PyTorch 2.13.0: quantized decomposed.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kQuantizedDecomposedRows[] = {
    {"quantized_decomposed::_choose_qparams_per_token_asymmetric_impl(Tensor input, ScalarType "
     "dtype) -> (Tensor, Tensor)", kTorchScript},
    {"quantized_decomposed::choose_qparams.tensor(Tensor input, int quant_min, int quant_max, "
     "float eps, ScalarType dtype) -> (Tensor, Tensor)", kTorchScript},
    {"quantized_decomposed::choose_qparams_per_token(Tensor input, ScalarType dtype) -> (Tensor, "
     "Tensor)", kTorchScript},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric(Tensor input, ScalarType dtype) ->"
     " (Tensor, Tensor)", kTorchScript},
    {"quantized_decomposed::choose_qparams_symmetric.tensor(Tensor input, int quant_min, int "
     "quant_max, float eps, ScalarType dtype) -> (Tensor, Tensor)", kTorchScript},
    {"quantized_decomposed::convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor",
     kTorchScript},
    {"quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, Tensor? "
     "zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? "
     "out_dtype=None) -> Tensor", kTorchScript},
    {"quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? "
     "zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size, ScalarType "
     "output_dtype) -> Tensor", kTorchScript},
    {"quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, int "
     "quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
     kTorchScript},
    {"quantized_decomposed::dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) "
     "-> Tensor", kTorchScript},
    {"quantized_decomposed::dequantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor "
     "zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype, *, ScalarType? "
     "out_dtype=None) -> Tensor", kTorchScript},
    {"quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, "
     "int quant_min, int quant_max, ScalarType dtype, ScalarType output_dtype) -> Tensor",
     kTorchScript},
    {"quantized_decomposed::fake_quant_per_channel(Tensor input, Tensor scales, Tensor "
     "zero_points, int axis, int quant_min, int quant_max) -> Tensor", kTorchScript},
    {"quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, "
     "int axis, int quant_min, int quant_max, ScalarType dtype) -> Tensor", kTorchScript},
    {"quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, Tensor "
     "zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size) -> Tensor",
     kTorchScript},
    {"quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int zero_point, int "
     "quant_min, int quant_max, ScalarType dtype) -> Tensor", kTorchScript},
    {"quantized_decomposed::quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max, ScalarType dtype) -> Tensor", kTorchScript},
    {"quantized_decomposed::quantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor "
     "zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype) -> Tensor", kTorchScript},
    {"quantized_decomposed::quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, "
     "int quant_min, int quant_max, ScalarType dtype) -> Tensor", kTorchScript},
};

extern const std::span<const OpInfo> kQuantizedDecomposedOps;
constinit const std::span<const OpInfo> kQuantizedDecomposedOps(kQuantizedDecomposedRows);

}  // namespace fx::ops
