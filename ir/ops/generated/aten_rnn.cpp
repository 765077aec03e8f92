// The operators of PyTorch 2.13.0: rnn.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kRnnRows[] = {
    {"aten::_cudnn_init_dropout_state(float dropout, bool train, int dropout_seed, *, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor",
     kRandom},
    {"aten::_cudnn_init_dropout_state.out(float dropout, bool train, int dropout_seed, *, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::_cudnn_rnn.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, "
     "Tensor hx, Tensor? cx, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool "
     "batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? "
     "dropout_state, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, "
     "Tensor(e!) out4) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!))", kRandom},
    {"aten::_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, "
     "Tensor hx, Tensor? cx, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool "
     "batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? "
     "dropout_state) -> (Tensor, Tensor, Tensor, Tensor, Tensor)", kRandom},
    {"aten::_cudnn_rnn_backward.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor "
     "weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, "
     "Tensor? grad_cy, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool "
     "batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? "
     "dropout_state, Tensor reserve, bool[4] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, "
     "Tensor(c!) out2, Tensor(d!)[] out3) -> ()"},
    {"aten::_cudnn_rnn_backward(Tensor input, Tensor[] weight, int weight_stride0, Tensor "
     "weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, "
     "Tensor? grad_cy, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool "
     "batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, Tensor? "
     "dropout_state, Tensor reserve, bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor[])"},
    {"aten::_cudnn_rnn_flatten_weight.out(Tensor[] weight_arr, int weight_stride0, SymInt "
     "input_size, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool "
     "batch_first, bool bidirectional, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_cudnn_rnn_flatten_weight(Tensor[] weight_arr, int weight_stride0, SymInt input_size, "
     "int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, bool "
     "bidirectional) -> Tensor"},
    {"aten::_lstm_mps.out(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int "
     "num_layers, float dropout, bool train, bool bidirectional, bool batch_first, *, Tensor(a!) "
     "out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4, Tensor(f!) out5) "
     "-> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!), Tensor(f!))", kRandom},
    {"aten::_lstm_mps(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers,"
     " float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, "
     "Tensor, Tensor, Tensor, Tensor)", kRandom},
    {"aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, "
     "Tensor)", kDynamicShape},
    {"aten::_pack_padded_sequence.out(Tensor input, Tensor lengths, bool batch_first, *, "
     "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", kDynamicShape},
    {"aten::_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, "
     "bool batch_first) -> Tensor", kComposite},
    {"aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar "
     "padding_value, int total_length) -> (Tensor, Tensor)", kComposite | kDynamicShape},
    {"aten::_thnn_differentiable_gru_cell_backward(Tensor grad_hy, Tensor input_gates, Tensor "
     "hidden_gates, Tensor hx, Tensor? input_bias, Tensor? hidden_bias) -> (Tensor, Tensor, "
     "Tensor, Tensor, Tensor)", kComposite},
    {"aten::_thnn_differentiable_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor "
     "input_gates, Tensor hidden_gates, Tensor? input_bias, Tensor? hidden_bias, Tensor cx, Tensor"
     " cy) -> (Tensor, Tensor, Tensor, Tensor, Tensor)", kComposite},
    {"aten::_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? "
     "input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor)"},
    {"aten::_thnn_fused_gru_cell.out(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? "
     "input_bias=None, Tensor? hidden_bias=None, *, Tensor(a!) out0, Tensor(b!) out1) -> "
     "(Tensor(a!), Tensor(b!))"},
    {"aten::_thnn_fused_gru_cell_backward.out(Tensor grad_hy, Tensor workspace, bool has_bias, *, "
     "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4) -> "
     "(Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!))"},
    {"aten::_thnn_fused_gru_cell_backward(Tensor grad_hy, Tensor workspace, bool has_bias) -> "
     "(Tensor, Tensor, Tensor, Tensor, Tensor)"},
    {"aten::_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? "
     "input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor, Tensor)"},
    {"aten::_thnn_fused_lstm_cell.out(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? "
     "input_bias=None, Tensor? hidden_bias=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) "
     "out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::_thnn_fused_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy,"
     " Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)", kComposite},
    {"aten::_thnn_fused_lstm_cell_backward_impl.out(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, "
     "Tensor cy, Tensor workspace, bool has_bias, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) "
     "out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::_thnn_fused_lstm_cell_backward_impl(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, "
     "Tensor cy, Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor)"},
    {"aten::_use_cudnn_rnn_flatten_weight() -> bool", kComposite},
    {"aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
     "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
     kComposite | kRandom},
    {"aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases,"
     " int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
     kComposite | kRandom},
    {"aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor?"
     " b_hh=None) -> Tensor", kComposite},
    {"aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int "
     "num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
     "Tensor, Tensor)", kComposite | kRandom},
    {"aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool "
     "has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, "
     "Tensor, Tensor)", kComposite | kRandom},
    {"aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
     "Tensor? b_hh=None) -> (Tensor, Tensor)", kComposite},
    {"aten::lstm_mps_backward.out(Tensor? grad_y, Tensor? grad_hy, Tensor? grad_cy, Tensor "
     "z_state, Tensor cell_state_fwd, Tensor input, Tensor layersOutputs, Tensor[] hx, Tensor[] "
     "params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool"
     " batch_first, *, Tensor(a!) out0, Tensor(b!)[] out1, Tensor(c!)[] out2) -> ()"},
    {"aten::lstm_mps_backward(Tensor? grad_y, Tensor? grad_hy, Tensor? grad_cy, Tensor z_state, "
     "Tensor cell_state_fwd, Tensor input, Tensor layersOutputs, Tensor[] hx, Tensor[] params, "
     "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool "
     "batch_first) -> (Tensor, Tensor[], Tensor[])"},
    {"aten::miopen_rnn.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor hx, Tensor? "
     "cx, int mode, int hidden_size, int num_layers, bool batch_first, float dropout, bool train, "
     "bool bidirectional, int[] batch_sizes, Tensor? dropout_state, *, Tensor(a!) out0, Tensor(b!)"
     " out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4) -> (Tensor(a!), Tensor(b!), "
     "Tensor(c!), Tensor(d!), Tensor(e!))", kRandom},
    {"aten::miopen_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor hx, Tensor? cx, "
     "int mode, int hidden_size, int num_layers, bool batch_first, float dropout, bool train, bool"
     " bidirectional, int[] batch_sizes, Tensor? dropout_state) -> (Tensor, Tensor, Tensor, "
     "Tensor, Tensor)", kRandom},
    {"aten::miopen_rnn_backward.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor "
     "weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, "
     "Tensor? grad_cy, int mode, int hidden_size, int num_layers, bool batch_first, float dropout,"
     " bool train, bool bidirectional, int[] batch_sizes, Tensor? dropout_state, Tensor reserve, "
     "bool[4] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!)[] "
     "out3) -> ()"},
    {"aten::miopen_rnn_backward(Tensor input, Tensor[] weight, int weight_stride0, Tensor "
     "weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, "
     "Tensor? grad_cy, int mode, int hidden_size, int num_layers, bool batch_first, float dropout,"
     " bool train, bool bidirectional, int[] batch_sizes, Tensor? dropout_state, Tensor reserve, "
     "bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor[])"},
    {"aten::mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor "
     "weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size,"
     " int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train) -> "
     "(Tensor, Tensor, Tensor, Tensor)"},
    {"aten::mkldnn_rnn_layer.out(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, "
     "Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int "
     "hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool "
     "train, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> "
     "(Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))"},
    {"aten::mkldnn_rnn_layer_backward(Tensor input, Tensor weight1, Tensor weight2, Tensor "
     "weight3, Tensor weight4, Tensor hx_, Tensor cx_tmp, Tensor output, Tensor hy_, Tensor cy_, "
     "Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, bool reverse, int mode, int "
     "hidden_size, int num_layers, bool has_biases, bool train, bool bidirectional, int[] "
     "batch_sizes, bool batch_first, Tensor workspace) -> (Tensor, Tensor, Tensor, Tensor, Tensor,"
     " Tensor, Tensor)"},
    {"aten::mkldnn_rnn_layer_backward.out(Tensor input, Tensor weight1, Tensor weight2, Tensor "
     "weight3, Tensor weight4, Tensor hx_, Tensor cx_tmp, Tensor output, Tensor hy_, Tensor cy_, "
     "Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, bool reverse, int mode, int "
     "hidden_size, int num_layers, bool has_biases, bool train, bool bidirectional, int[] "
     "batch_sizes, bool batch_first, Tensor workspace, *, Tensor(a!) out0, Tensor(b!) out1, "
     "Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4, Tensor(f!) out5, Tensor(g!) out6) -> "
     "(Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!), Tensor(f!), Tensor(g!))"},
    {"aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str"
     " padding_side=\"right\") -> Tensor", kComposite},
    {"aten::quantized_gru.input(Tensor input, Tensor hx, "
     "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, float "
     "dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)"},
    {"aten::quantized_gru.data(Tensor data, Tensor batch_sizes, Tensor hx, "
     "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, float "
     "dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"},
    {"aten::quantized_gru.input_legacy(Tensor input, Tensor hx, Tensor[] params, bool has_biases, "
     "int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor,"
     " Tensor)"},
    {"aten::quantized_gru.data_legacy(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params,"
     " bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor,"
     " Tensor)"},
    {"aten::quantized_gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, "
     "Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, Tensor "
     "col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, Scalar "
     "zero_point_hh) -> Tensor", kComposite},
    {"aten::quantized_lstm.input(Tensor input, Tensor[] hx, "
     "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, float "
     "dropout, bool train, bool bidirectional, bool batch_first, *, ScalarType? dtype=None, bool "
     "use_dynamic=False) -> (Tensor, Tensor, Tensor)"},
    {"aten::quantized_lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, "
     "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, float "
     "dropout, bool train, bool bidirectional, *, ScalarType? dtype=None, bool use_dynamic=False) "
     "-> (Tensor, Tensor, Tensor)"},
    {"aten::quantized_lstm.input_legacy(Tensor input, Tensor[] hx, Tensor[] params, bool "
     "has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first,"
     " *, ScalarType? dtype=None, bool use_dynamic=False) -> (Tensor, Tensor, Tensor)"},
    {"aten::quantized_lstm.data_legacy(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] "
     "params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, *, "
     "ScalarType? dtype=None, bool use_dynamic=False) -> (Tensor, Tensor, Tensor)"},
    {"aten::quantized_lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, "
     "Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, Tensor "
     "col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, Scalar "
     "zero_point_hh) -> (Tensor, Tensor)", kComposite},
    {"aten::quantized_rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor "
     "b_ih, Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, Tensor "
     "col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, Scalar "
     "zero_point_hh) -> Tensor", kComposite},
    {"aten::quantized_rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor "
     "b_ih, Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, Tensor "
     "col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, Scalar "
     "zero_point_hh) -> Tensor", kComposite},
    {"aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int "
     "num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
     "Tensor)", kComposite | kRandom},
    {"aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool "
     "has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, "
     "Tensor)", kComposite | kRandom},
    {"aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
     "Tensor? b_hh=None) -> Tensor", kComposite},
    {"aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int "
     "num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
     "Tensor)", kComposite | kRandom},
    {"aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool "
     "has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, "
     "Tensor)", kComposite | kRandom},
    {"aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
     "Tensor? b_hh=None) -> Tensor", kComposite},
};

extern const std::span<const OpInfo> kRnnOps;
constinit const std::span<const OpInfo> kRnnOps(kRnnRows);

}  // namespace fx::ops
