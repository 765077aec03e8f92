// The operators of PyTorch 2.13.0: window.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kWindowRows[] = {
    {"aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::bartlett_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::bartlett_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::blackman_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::blackman_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor"},
    {"aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, "
     "float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=None) -> Tensor"},
    {"aten::hamming_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hamming_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::hamming_window.periodic_alpha_out(int window_length, bool periodic, float alpha, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hamming_window.periodic_alpha_beta_out(int window_length, bool periodic, float alpha, "
     "float beta, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device?"
     " device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::kaiser_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::kaiser_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::kaiser_window.beta_out(int window_length, bool periodic, float beta, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
};

extern const std::span<const OpInfo> kWindowOps;
constinit const std::span<const OpInfo> kWindowOps(kWindowRows);

}  // namespace fx::ops
