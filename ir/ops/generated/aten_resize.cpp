// The operators of PyTorch 2.13.0: resize.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kResizeRows[] = {
    {"aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, int "
     "padding_mode, bool align_corners) -> Tensor"},
    {"aten::_grid_sampler_2d_cpu_fallback.out(Tensor input, Tensor grid, int interpolation_mode, "
     "int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_grid_sampler_2d_cpu_fallback_backward(Tensor grad_output, Tensor input, Tensor grid, "
     "int interpolation_mode, int padding_mode, bool align_corners) -> (Tensor, Tensor)"},
    {"aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor", kComposite},
    {"aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor",
     kComposite},
    {"aten::_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors) -> Tensor", kComposite},
    {"aten::_upsample_bicubic2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
     "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_upsample_bicubic2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
     "input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::_upsample_bicubic2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
     "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float?"
     " scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors) -> Tensor", kComposite},
    {"aten::_upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
     "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_upsample_bilinear2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
     "input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::_upsample_bilinear2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size,"
     " SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::_upsample_lanczos2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::_upsample_lanczos2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
     "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_upsample_lanczos2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors) -> Tensor", kComposite},
    {"aten::_upsample_lanczos2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
     "input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::_upsample_lanczos2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
     "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> "
     "Tensor"},
    {"aten::_upsample_nearest_exact1d.out(Tensor self, SymInt[1] output_size, float? scales=None, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? "
     "scale_factors) -> Tensor", kComposite},
    {"aten::_upsample_nearest_exact1d_backward(Tensor grad_output, SymInt[1] output_size, "
     "SymInt[3] input_size, float? scales=None) -> Tensor"},
    {"aten::_upsample_nearest_exact1d_backward.grad_input(Tensor grad_output, SymInt[1] "
     "output_size, SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> "
     "Tensor(a!)"},
    {"aten::_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, "
     "float? scales_w=None) -> Tensor"},
    {"aten::_upsample_nearest_exact2d.out(Tensor self, SymInt[2] output_size, float? "
     "scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, float[]? "
     "scale_factors) -> Tensor", kComposite},
    {"aten::_upsample_nearest_exact2d_backward(Tensor grad_output, SymInt[2] output_size, "
     "SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::_upsample_nearest_exact2d_backward.grad_input(Tensor grad_output, SymInt[2] "
     "output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!)"
     " grad_input) -> Tensor(a!)"},
    {"aten::_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, "
     "float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::_upsample_nearest_exact3d.out(Tensor self, SymInt[3] output_size, float? "
     "scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, float[]? "
     "scale_factors) -> Tensor", kComposite},
    {"aten::_upsample_nearest_exact3d_backward(Tensor grad_output, SymInt[3] output_size, "
     "SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> "
     "Tensor"},
    {"aten::_upsample_nearest_exact3d_backward.grad_input(Tensor grad_output, SymInt[3] "
     "output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? "
     "scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor"},
    {"aten::affine_grid_generator.out(Tensor theta, SymInt[] size, bool align_corners, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> "
     "Tensor", kComposite},
    {"aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor"},
    {"aten::channel_shuffle.out(Tensor self, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", kCore},
    {"aten::constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::cudnn_affine_grid_generator.out(Tensor theta, int N, int C, int H, int W, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cudnn_affine_grid_generator(Tensor theta, int N, int C, int H, int W) -> Tensor grid"},
    {"aten::cudnn_affine_grid_generator_backward.out(Tensor grad, int N, int C, int H, int W, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cudnn_affine_grid_generator_backward(Tensor grad, int N, int C, int H, int W) -> "
     "Tensor grad_theta"},
    {"aten::cudnn_grid_sampler(Tensor self, Tensor grid) -> Tensor output"},
    {"aten::cudnn_grid_sampler.out(Tensor self, Tensor grid, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cudnn_grid_sampler_backward(Tensor self, Tensor grid, Tensor grad_output) -> (Tensor "
     "grad_self, Tensor grad_grid)"},
    {"aten::cudnn_grid_sampler_backward.out(Tensor self, Tensor grid, Tensor grad_output, *, "
     "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool"
     " align_corners) -> Tensor", kComposite},
    {"aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
     "bool align_corners) -> Tensor", kCore},
    {"aten::grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode, int "
     "padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int "
     "interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, "
     "Tensor)"},
    {"aten::grid_sampler_2d_backward.out(Tensor grad_output, Tensor input, Tensor grid, int "
     "interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, Tensor(a!)"
     " out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
     "bool align_corners) -> Tensor"},
    {"aten::grid_sampler_3d.out(Tensor input, Tensor grid, int interpolation_mode, int "
     "padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, int "
     "interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, "
     "Tensor)"},
    {"aten::grid_sampler_3d_backward.out(Tensor grad_output, Tensor input, Tensor grid, int "
     "interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, Tensor(a!)"
     " out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor", kComposite},
    {"aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor",
     kComposite},
    {"aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor"},
    {"aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor"},
    {"aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor", kCore},
    {"aten::reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> "
     "Tensor"},
    {"aten::reflection_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] "
     "padding, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor", kCore},
    {"aten::reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> "
     "Tensor"},
    {"aten::reflection_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] "
     "padding, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor", kCore},
    {"aten::reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> "
     "Tensor"},
    {"aten::reflection_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] "
     "padding, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor"},
    {"aten::replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)"
    },
    {"aten::replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> "
     "Tensor"},
    {"aten::replication_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] "
     "padding, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor", kCore},
    {"aten::replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)"
    },
    {"aten::replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> "
     "Tensor"},
    {"aten::replication_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] "
     "padding, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor", kCore},
    {"aten::replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)"
    },
    {"aten::replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> "
     "Tensor"},
    {"aten::replication_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] "
     "padding, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors) -> Tensor", kComposite},
    {"aten::upsample_bicubic2d.out(Tensor self, SymInt[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_bicubic2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
     "input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::upsample_bicubic2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
     "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? "
     "scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors) -> Tensor", kCore | kComposite},
    {"aten::upsample_bilinear2d.out(Tensor self, SymInt[2] output_size, bool align_corners, float?"
     " scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_bilinear2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
     "input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::upsample_bilinear2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
     "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? "
     "scales=None) -> Tensor"},
    {"aten::upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors) -> Tensor", kComposite},
    {"aten::upsample_linear1d.out(Tensor self, SymInt[1] output_size, bool align_corners, float? "
     "scales=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_linear1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] "
     "input_size, bool align_corners, float? scales=None) -> Tensor"},
    {"aten::upsample_linear1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, "
     "SymInt[3] input_size, bool align_corners, float? scales=None, *, Tensor(a!) grad_input) -> "
     "Tensor(a!)"},
    {"aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor"},
    {"aten::upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) ->"
     " Tensor", kComposite},
    {"aten::upsample_nearest1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_nearest1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] "
     "input_size, float? scales=None) -> Tensor"},
    {"aten::upsample_nearest1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, "
     "SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? "
     "scales_w=None) -> Tensor"},
    {"aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) ->"
     " Tensor", kCore | kComposite},
    {"aten::upsample_nearest2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, "
     "float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? "
     "scale_factors, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
     "input_size, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::upsample_nearest2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
     "SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) "
     "-> Tensor(a!)"},
    {"aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? "
     "scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) ->"
     " Tensor", kComposite},
    {"aten::upsample_nearest3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, "
     "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_nearest3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] "
     "input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::upsample_nearest3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, "
     "SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? "
     "scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"},
    {"aten::upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors) -> Tensor", kComposite},
    {"aten::upsample_trilinear3d.out(Tensor self, SymInt[3] output_size, bool align_corners, "
     "float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::upsample_trilinear3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] "
     "input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? "
     "scales_w=None) -> Tensor"},
    {"aten::upsample_trilinear3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, "
     "SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float?"
     " scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)"},
};

extern const std::span<const OpInfo> kResizeOps;
constinit const std::span<const OpInfo> kResizeOps(kResizeRows);

}  // namespace fx::ops
