# Types of results whose dtype or device is that of one operand. The right types are those of PyTorch 2.13.
# RUN: fxcpp shape %s | FileCheck %s
graph(
    %h : f16[5],
    %b : bf16[5],
    %f : f32[5],
    %d : f64[5],
    %scalar : f64[],
    %m : f32[0, 5, 5],
    %mc : c64[0, 5, 5],
    %on_cpu : f32[],
    %on_cuda : f32[]cuda:0,
    %x : f32[2, 6, 3],
    %stats : f32[2, 2],
    %weight : f32[6, 1],
    %table : f32[10, 5],
    %i32 : i32[5],
    %i64 : i64[2],
    %q : f32[4, 3, 8],
    %k : f32[1, 4, 6, 8],
    %v : f32[4, 6, 8],
    %signal : f32[5, 6, 1]
) {
  # The kernels allocate these results with the dtype of self.
  # CHECK: {{^}}mish : f16[5]{{$}}
  %mish = aten.mish_backward.default(%b, %h)
  # CHECK: {{^}}mse : f16[5]{{$}}
  %mse = aten.mse_loss_backward.default(%f, %h, %f, 0)
  # CHECK: {{^}}smooth : f16[5]{{$}}
  %smooth = aten.smooth_l1_loss_backward.default(%f, %h, %f, 0, 1.0)
  # CHECK: {{^}}margin : f32[5]{{$}}
  %margin = aten.soft_margin_loss_backward.default(%f, %f, %d, 0)
  # In training, self is not used.
  # CHECK: {{^}}rrelu : bf16[5]{{$}}
  %rrelu = aten.rrelu_with_noise_backward.default(%b, %h, %b, 0.0, 1.0, True, False)
  # CHECK: {{^}}rrelu_1 : f32[5]{{$}}
  %rrelu_1 = aten.rrelu_with_noise_backward.default(%b, %h, %b, 0.0, 1.0, False, False)
  # CHECK: {{^}}normal : bf16[5]{{$}}
  %normal = aten.normal.Tensor_Tensor(%b, %h)
  # CHECK: {{^}}solved : f32[0, 5, 5][25, 1, 5]{{$}}
  %solved = aten.linalg_solve_triangular.default(%m, %mc, upper=True)
  # self is expanded before dtypes are promoted.
  # CHECK: {{^}}addr : f64[5, 5]{{$}}
  %addr = aten.addr.default(%scalar, %f, %f)
  # A tensor without dimensions on the CPU moves to the device of the other operand.
  # CHECK: {{^}}sum : f32[]cuda:0{{$}}
  %sum = aten.add.Tensor(%on_cpu, %on_cuda)
  # CHECK: {{^}}sum_1 : f32[]cuda:0{{$}}
  %sum_1 = aten.add.Tensor(%on_cuda, %on_cpu)
  # CHECK: {{^}}norm : (f32[2, 6, 3], f32[6, 1], f32[6, 1]){{$}}
  %norm = aten.native_group_norm_backward.default(%x, %x, %stats, %stats, %weight, 2, 6, 3, 2, [True, True, True])
  # CHECK: {{^}}bags : (f32[2, 5], i64[0], i64[2], i64[2]){{$}}
  %bags = aten._embedding_bag.default(%table, %i32, %i64)
  # CHECK: {{^}}none : f32[1, 0]{{$}}
  %none = aten.block_diag.default([])
  # CHECK: {{^}}attention : f32[1, 4, 3, 8]{{$}}
  %attention = aten.scaled_dot_product_attention.default(%q, %k, %v)
  # CHECK: {{^}}fft : c64[5, 6, 1][1, 5, 30]{{$}}
  %fft = aten.fft_fftn.default(%signal, dim=[-3])
  return (%mish, %mse)
}
