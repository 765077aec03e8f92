// The operators of PyTorch 2.13.0: fft.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kFftRows[] = {
    {"aten::_cufft_clear_plan_cache(int device_index) -> ()", kComposite},
    {"aten::_cufft_get_plan_cache_max_size(int device_index) -> int", kComposite},
    {"aten::_cufft_get_plan_cache_size(int device_index) -> int", kComposite},
    {"aten::_cufft_set_plan_cache_max_size(int device_index, int max_size) -> ()", kComposite},
    {"aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor"},
    {"aten::_fft_c2c.out(Tensor self, SymInt[] dim, int normalization, bool forward, *, Tensor(a!)"
     " out) -> Tensor(a!)"},
    {"aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor",
     kCore},
    {"aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor", kCore},
    {"aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_fft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) "
     "out) -> Tensor(a!)", kComposite},
    {"aten::fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> "
     "Tensor", kComposite},
    {"aten::fft_fft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_fftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device?"
     " device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::fft_fftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_fftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor", kComposite},
    {"aten::fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_hfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) "
     "out) -> Tensor(a!)", kComposite},
    {"aten::fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> "
     "Tensor", kComposite},
    {"aten::fft_hfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_hfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_ifft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) "
     "out) -> Tensor(a!)", kComposite},
    {"aten::fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> "
     "Tensor", kComposite},
    {"aten::fft_ifft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_ifftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor", kComposite},
    {"aten::fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_ihfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) "
     "out) -> Tensor(a!)", kComposite},
    {"aten::fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> "
     "Tensor", kComposite},
    {"aten::fft_ihfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *,"
     " Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_ihfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_irfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) "
     "out) -> Tensor(a!)", kComposite},
    {"aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> "
     "Tensor", kComposite},
    {"aten::fft_irfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *,"
     " Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_irfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_rfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) "
     "out) -> Tensor(a!)", kComposite},
    {"aten::fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> "
     "Tensor", kComposite},
    {"aten::fft_rfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::fft_rfftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::fft_rfftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
     kComposite},
    {"aten::fft_rfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
     "window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None,"
     " bool return_complex=False) -> Tensor", kComposite},
    {"aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
     "window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? "
     "align_to_window=None) -> Tensor", kComposite},
    {"aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
     "Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, "
     "bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor",
     kComposite},
};

extern const std::span<const OpInfo> kFftOps;
constinit const std::span<const OpInfo> kFftOps(kFftRows);

}  // namespace fx::ops
