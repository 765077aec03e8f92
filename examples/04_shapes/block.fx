graph @inner_f(
    %primals_1 : f32[512] !{region="fw"},
    %primals_2 : f32[512] !{region="fw"},
    %primals_3 : f32[512] !{region="fw"},
    %primals_4 : f32[512] !{region="fw"},
    %primals_5 : f32[1536, 512] !{region="fw"},
    %primals_6 : f32[1536] !{region="fw"},
    %primals_7 : f32[512, 512] !{region="fw"},
    %primals_8 : f32[512] !{region="fw"},
    %primals_9 : f32[2048, 512] !{region="fw"},
    %primals_10 : f32[2048] !{region="fw"},
    %primals_11 : f32[512, 2048] !{region="fw"},
    %primals_12 : f32[512] !{region="fw"},
    %primals_13 : f32[s93, 128, 512] !{region="fw"},
    %tangents_1 : f32[s93, 128, 512] !{region="bw"},
) {
  !kind = "graph_module"
  !torch = "2.13.0+cpu"
  !symbols = {"s93": {"min": 2, "hint": 4}}
  %native_layer_norm : (f32[s93, 128, 512], f32[s93, 128, 1], f32[s93, 128, 1]) = aten.native_layer_norm.default(%primals_13, [512], %primals_1, %primals_2, 1e-05) !{region="fw"}
  %getitem : f32[s93, 128, 512] = operator.getitem(%native_layer_norm, 0) !{region="fw"}
  %getitem_1 : f32[s93, 128, 1] = operator.getitem(%native_layer_norm, 1) !{region="fw"}
  %getitem_2 : f32[s93, 128, 1] = operator.getitem(%native_layer_norm, 2) !{region="fw"}
  %sym_size_int : SymInt(s93) = aten.sym_size.int(%primals_13, 0) !{region="fw"}
  %mul_10 : SymInt(128*s93) = operator.mul(%sym_size_int, 128) !{region="fw"}
  %view : f32[128*s93, 512] = aten.view.default(%getitem, [%mul_10, 512]) !{region="fw"}
  %sym_size_int_1 : SymInt(128*s93) = aten.sym_size.int(%view, 0) !{region="fw"}
  %t : f32[512, 1536][1, 512] = aten.t.default(%primals_5) !{region="fw"}
  %addmm : f32[128*s93, 1536] = aten.addmm.default(%primals_6, %view, %t) !{region="fw"}
  %view_1 : f32[s93, 128, 1536] = aten.view.default(%addmm, [%sym_size_int, 128, 1536]) !{region="fw"}
  %split : [f32[s93, 128, 512][196608, 1536, 1], f32[s93, 128, 512][196608, 1536, 1]{offset=512}, f32[s93, 128, 512][196608, 1536, 1]{offset=1024}] = aten.split.Tensor(%view_1, 512, -1) !{region="fw"}
  %getitem_3 : f32[s93, 128, 512][196608, 1536, 1] = operator.getitem(%split, 0) !{region="fw"}
  %getitem_4 : f32[s93, 128, 512][196608, 1536, 1]{offset=512} = operator.getitem(%split, 1) !{region="fw"}
  %getitem_5 : f32[s93, 128, 512][196608, 1536, 1]{offset=1024} = operator.getitem(%split, 2) !{region="fw"}
  %view_2 : f32[s93, 128, 8, 64][196608, 1536, 64, 1] = aten.view.default(%getitem_3, [%sym_size_int, 128, 8, 64]) !{region="fw"}
  %transpose : f32[s93, 8, 128, 64][196608, 64, 1536, 1] = aten.transpose.int(%view_2, 1, 2) !{region="fw"}
  %view_3 : f32[s93, 128, 8, 64][196608, 1536, 64, 1]{offset=512} = aten.view.default(%getitem_4, [%sym_size_int, 128, 8, 64]) !{region="fw"}
  %transpose_1 : f32[s93, 8, 128, 64][196608, 64, 1536, 1]{offset=512} = aten.transpose.int(%view_3, 1, 2) !{region="fw"}
  %view_4 : f32[s93, 128, 8, 64][196608, 1536, 64, 1]{offset=1024} = aten.view.default(%getitem_5, [%sym_size_int, 128, 8, 64]) !{region="fw"}
  %transpose_2 : f32[s93, 8, 128, 64][196608, 64, 1536, 1]{offset=1024} = aten.transpose.int(%view_4, 1, 2) !{region="fw"}
  %transpose_3 : f32[s93, 8, 64, 128][196608, 64, 1, 1536]{offset=512} = aten.transpose.int(%transpose_1, -2, -1) !{region="fw"}
  %mul_37 : SymInt(8*s93) = operator.mul(%sym_size_int, 8) !{region="fw"}
  %expand : f32[s93, 8, 128, 64][196608, 64, 1536, 1] = aten.expand.default(%transpose, [%sym_size_int, 8, 128, 64]) !{region="fw"}
  %clone : f32[s93, 8, 128, 64] = aten.clone.default(%expand, memory_format=torch.contiguous_format) !{region="fw"}
  %_unsafe_view : f32[8*s93, 128, 64] = aten._unsafe_view.default(%clone, [%mul_37, 128, 64]) !{region="fw"}
  %sym_size_int_2 : SymInt(8*s93) = aten.sym_size.int(%_unsafe_view, 0) !{region="fw"}
  %expand_1 : f32[s93, 8, 64, 128][196608, 64, 1, 1536]{offset=512} = aten.expand.default(%transpose_3, [%sym_size_int, 8, 64, 128]) !{region="fw"}
  %clone_1 : f32[s93, 8, 64, 128] = aten.clone.default(%expand_1, memory_format=torch.contiguous_format) !{region="fw"}
  %_unsafe_view_1 : f32[8*s93, 64, 128] = aten._unsafe_view.default(%clone_1, [%mul_37, 64, 128]) !{region="fw"}
  %bmm : f32[8*s93, 128, 128] = aten.bmm.default(%_unsafe_view, %_unsafe_view_1) !{region="fw"}
  %view_5 : f32[s93, 8, 128, 128] = aten.view.default(%bmm, [%sym_size_int, 8, 128, 128]) !{region="fw"}
  %mul_93 : f32[s93, 8, 128, 128] = aten.mul.Tensor(%view_5, 0.125) !{region="fw"}
  %_softmax : f32[s93, 8, 128, 128] = aten._softmax.default(%mul_93, -1, False) !{region="fw"}
  %detach : f32[s93, 8, 128, 128] = aten.detach.default(%_softmax) !{region="fw"}
  %mul_100 : SymInt(8*s93) = operator.mul(%sym_size_int, 8) !{region="fw"}
  %expand_2 : f32[s93, 8, 128, 128] = aten.expand.default(%_softmax, [%sym_size_int, 8, 128, 128]) !{region="fw"}
  %view_6 : f32[8*s93, 128, 128] = aten.view.default(%expand_2, [%mul_100, 128, 128]) !{region="fw"}
  %sym_size_int_4 : SymInt(8*s93) = aten.sym_size.int(%view_6, 0) !{region="fw"}
  %expand_3 : f32[s93, 8, 128, 64][196608, 64, 1536, 1]{offset=1024} = aten.expand.default(%transpose_2, [%sym_size_int, 8, 128, 64]) !{region="fw"}
  %clone_2 : f32[s93, 8, 128, 64] = aten.clone.default(%expand_3, memory_format=torch.contiguous_format) !{region="fw"}
  %_unsafe_view_2 : f32[8*s93, 128, 64] = aten._unsafe_view.default(%clone_2, [%mul_100, 128, 64]) !{region="fw"}
  %bmm_1 : f32[8*s93, 128, 64] = aten.bmm.default(%view_6, %_unsafe_view_2) !{region="fw"}
  %view_7 : f32[s93, 8, 128, 64] = aten.view.default(%bmm_1, [%sym_size_int, 8, 128, 64]) !{region="fw"}
  %transpose_4 : f32[s93, 128, 8, 64][65536, 64, 8192, 1] = aten.transpose.int(%view_7, 1, 2) !{region="fw"}
  %clone_3 : f32[s93, 128, 8, 64] = aten.clone.default(%transpose_4, memory_format=torch.contiguous_format) !{region="fw"}
  %_unsafe_view_3 : f32[s93, 128, 512] = aten._unsafe_view.default(%clone_3, [%sym_size_int, 128, 512]) !{region="fw"}
  %mul_168 : SymInt(128*s93) = operator.mul(%sym_size_int, 128) !{region="fw"}
  %view_8 : f32[128*s93, 512] = aten.view.default(%_unsafe_view_3, [%mul_168, 512]) !{region="fw"}
  %sym_size_int_6 : SymInt(128*s93) = aten.sym_size.int(%view_8, 0) !{region="fw"}
  %t_1 : f32[512, 512][1, 512] = aten.t.default(%primals_7) !{region="fw"}
  %addmm_1 : f32[128*s93, 512] = aten.addmm.default(%primals_8, %view_8, %t_1) !{region="fw"}
  %view_9 : f32[s93, 128, 512] = aten.view.default(%addmm_1, [%sym_size_int, 128, 512]) !{region="fw"}
  %add_177 : f32[s93, 128, 512] = aten.add.Tensor(%primals_13, %view_9) !{region="fw"}
  %native_layer_norm_1 : (f32[s93, 128, 512], f32[s93, 128, 1], f32[s93, 128, 1]) = aten.native_layer_norm.default(%add_177, [512], %primals_3, %primals_4, 1e-05) !{region="fw"}
  %getitem_6 : f32[s93, 128, 512] = operator.getitem(%native_layer_norm_1, 0) !{region="fw"}
  %getitem_7 : f32[s93, 128, 1] = operator.getitem(%native_layer_norm_1, 1) !{region="fw"}
  %getitem_8 : f32[s93, 128, 1] = operator.getitem(%native_layer_norm_1, 2) !{region="fw"}
  %mul_187 : SymInt(128*s93) = operator.mul(%sym_size_int, 128) !{region="fw"}
  %view_10 : f32[128*s93, 512] = aten.view.default(%getitem_6, [%mul_187, 512]) !{region="fw"}
  %sym_size_int_7 : SymInt(128*s93) = aten.sym_size.int(%view_10, 0) !{region="fw"}
  %t_2 : f32[512, 2048][1, 512] = aten.t.default(%primals_9) !{region="fw"}
  %addmm_2 : f32[128*s93, 2048] = aten.addmm.default(%primals_10, %view_10, %t_2) !{region="fw"}
  %view_11 : f32[s93, 128, 2048] = aten.view.default(%addmm_2, [%sym_size_int, 128, 2048]) !{region="fw"}
  %gelu : f32[s93, 128, 2048] = aten.gelu.default(%view_11) !{region="fw"}
  %mul_200 : SymInt(128*s93) = operator.mul(%sym_size_int, 128) !{region="fw"}
  %view_12 : f32[128*s93, 2048] = aten.view.default(%gelu, [%mul_200, 2048]) !{region="fw"}
  %sym_size_int_8 : SymInt(128*s93) = aten.sym_size.int(%view_12, 0) !{region="fw"}
  %t_3 : f32[2048, 512][1, 2048] = aten.t.default(%primals_11) !{region="fw"}
  %addmm_3 : f32[128*s93, 512] = aten.addmm.default(%primals_12, %view_12, %t_3) !{region="fw"}
  %view_13 : f32[s93, 128, 512] = aten.view.default(%addmm_3, [%sym_size_int, 128, 512]) !{region="fw"}
  %add_218 : f32[s93, 128, 512] = aten.add.Tensor(%add_177, %view_13) !{region="fw"}
  %view_14 : f32[128*s93, 512] = aten.view.default(%tangents_1, [%sym_size_int_8, 512]) !{region="bw"}
  %t_4 : f32[512, 2048] = aten.t.default(%t_3) !{region="bw"}
  %mm : f32[128*s93, 2048] = aten.mm.default(%view_14, %t_4) !{region="bw"}
  %t_5 : f32[512, 128*s93][1, 512] = aten.t.default(%view_14) !{region="bw"}
  %mm_1 : f32[512, 2048] = aten.mm.default(%t_5, %view_12) !{region="bw"}
  %t_6 : f32[2048, 512][1, 2048] = aten.t.default(%mm_1) !{region="bw"}
  %sum_1 : f32[1, 512] = aten.sum.dim_IntList(%view_14, [0], True) !{region="bw"}
  %view_15 : f32[512] = aten.view.default(%sum_1, [512]) !{region="bw"}
  %t_7 : f32[512, 2048] = aten.t.default(%t_6) !{region="bw"}
  %view_16 : f32[s93, 128, 2048] = aten.view.default(%mm, [%sym_size_int, 128, 2048]) !{region="bw"}
  %gelu_backward : f32[s93, 128, 2048] = aten.gelu_backward.default(%view_16, %view_11) !{region="bw"}
  %view_17 : f32[128*s93, 2048] = aten.view.default(%gelu_backward, [%sym_size_int_7, 2048]) !{region="bw"}
  %t_8 : f32[2048, 512] = aten.t.default(%t_2) !{region="bw"}
  %mm_2 : f32[128*s93, 512] = aten.mm.default(%view_17, %t_8) !{region="bw"}
  %t_9 : f32[2048, 128*s93][1, 2048] = aten.t.default(%view_17) !{region="bw"}
  %mm_3 : f32[2048, 512] = aten.mm.default(%t_9, %view_10) !{region="bw"}
  %t_10 : f32[512, 2048][1, 512] = aten.t.default(%mm_3) !{region="bw"}
  %sum_2 : f32[1, 2048] = aten.sum.dim_IntList(%view_17, [0], True) !{region="bw"}
  %view_18 : f32[2048] = aten.view.default(%sum_2, [2048]) !{region="bw"}
  %t_11 : f32[2048, 512] = aten.t.default(%t_10) !{region="bw"}
  %view_19 : f32[s93, 128, 512] = aten.view.default(%mm_2, [%sym_size_int, 128, 512]) !{region="bw"}
  %native_layer_norm_backward : (f32[s93, 128, 512], f32[512], f32[512]) = aten.native_layer_norm_backward.default(%view_19, %add_177, [512], %getitem_7, %getitem_8, %primals_3, %primals_4, [True, True, True]) !{region="bw"}
  %getitem_9 : f32[s93, 128, 512] = operator.getitem(%native_layer_norm_backward, 0) !{region="bw"}
  %getitem_10 : f32[512] = operator.getitem(%native_layer_norm_backward, 1) !{region="bw"}
  %getitem_11 : f32[512] = operator.getitem(%native_layer_norm_backward, 2) !{region="bw"}
  %add_223 : f32[s93, 128, 512] = aten.add.Tensor(%tangents_1, %getitem_9) !{region="bw"}
  %view_20 : f32[128*s93, 512] = aten.view.default(%add_223, [%sym_size_int_6, 512]) !{region="bw"}
  %t_12 : f32[512, 512] = aten.t.default(%t_1) !{region="bw"}
  %mm_4 : f32[128*s93, 512] = aten.mm.default(%view_20, %t_12) !{region="bw"}
  %t_13 : f32[512, 128*s93][1, 512] = aten.t.default(%view_20) !{region="bw"}
  %mm_5 : f32[512, 512] = aten.mm.default(%t_13, %view_8) !{region="bw"}
  %t_14 : f32[512, 512][1, 512] = aten.t.default(%mm_5) !{region="bw"}
  %sum_3 : f32[1, 512] = aten.sum.dim_IntList(%view_20, [0], True) !{region="bw"}
  %view_21 : f32[512] = aten.view.default(%sum_3, [512]) !{region="bw"}
  %t_15 : f32[512, 512] = aten.t.default(%t_14) !{region="bw"}
  %view_22 : f32[s93, 128, 512] = aten.view.default(%mm_4, [%sym_size_int, 128, 512]) !{region="bw"}
  %view_23 : f32[s93, 128, 8, 64] = aten.view.default(%view_22, [%sym_size_int, 128, 8, 64]) !{region="bw"}
  %transpose_5 : f32[s93, 8, 128, 64][65536, 64, 512, 1] = aten.transpose.int(%view_23, 1, 2) !{region="bw"}
  %clone_4 : f32[s93, 8, 128, 64] = aten.clone.default(%transpose_5, memory_format=torch.contiguous_format) !{region="bw"}
  %_unsafe_view_4 : f32[8*s93, 128, 64] = aten._unsafe_view.default(%clone_4, [%sym_size_int_4, 128, 64]) !{region="bw"}
  %transpose_6 : f32[8*s93, 128, 128][16384, 1, 128] = aten.transpose.int(%view_6, 1, 2) !{region="bw"}
  %bmm_2 : f32[8*s93, 128, 64] = aten.bmm.default(%transpose_6, %_unsafe_view_4) !{region="bw"}
  %transpose_7 : f32[8*s93, 64, 128][8192, 1, 64] = aten.transpose.int(%_unsafe_view_2, 1, 2) !{region="bw"}
  %bmm_3 : f32[8*s93, 128, 128] = aten.bmm.default(%_unsafe_view_4, %transpose_7) !{region="bw"}
  %view_24 : f32[s93, 8, 128, 64] = aten.view.default(%bmm_2, [%sym_size_int, 8, 128, 64]) !{region="bw"}
  %view_25 : f32[s93, 8, 128, 128] = aten.view.default(%bmm_3, [%sym_size_int, 8, 128, 128]) !{region="bw"}
  %detach_1 : f32[s93, 8, 128, 128] = aten.detach.default(%detach) !{region="bw"}
  %_softmax_backward_data : f32[s93, 8, 128, 128] = aten._softmax_backward_data.default(%view_25, %detach_1, -1, torch.float32) !{region="bw"}
  %mul_209 : f32[s93, 8, 128, 128] = aten.mul.Tensor(%_softmax_backward_data, 0.125) !{region="bw"}
  %view_26 : f32[8*s93, 128, 128] = aten.view.default(%mul_209, [%sym_size_int_2, 128, 128]) !{region="bw"}
  %transpose_8 : f32[8*s93, 64, 128][8192, 1, 64] = aten.transpose.int(%_unsafe_view, 1, 2) !{region="bw"}
  %bmm_4 : f32[8*s93, 64, 128] = aten.bmm.default(%transpose_8, %view_26) !{region="bw"}
  %transpose_9 : f32[8*s93, 128, 64][8192, 1, 128] = aten.transpose.int(%_unsafe_view_1, 1, 2) !{region="bw"}
  %bmm_5 : f32[8*s93, 128, 64] = aten.bmm.default(%view_26, %transpose_9) !{region="bw"}
  %view_27 : f32[s93, 8, 64, 128] = aten.view.default(%bmm_4, [%sym_size_int, 8, 64, 128]) !{region="bw"}
  %view_28 : f32[s93, 8, 128, 64] = aten.view.default(%bmm_5, [%sym_size_int, 8, 128, 64]) !{region="bw"}
  %transpose_10 : f32[s93, 8, 128, 64][65536, 8192, 1, 128] = aten.transpose.int(%view_27, -2, -1) !{region="bw"}
  %transpose_11 : f32[s93, 128, 8, 64][65536, 64, 8192, 1] = aten.transpose.int(%view_24, 1, 2) !{region="bw"}
  %clone_5 : f32[s93, 128, 8, 64] = aten.clone.default(%transpose_11, memory_format=torch.contiguous_format) !{region="bw"}
  %_unsafe_view_5 : f32[s93, 128, 512] = aten._unsafe_view.default(%clone_5, [%sym_size_int, 128, 512]) !{region="bw"}
  %transpose_12 : f32[s93, 128, 8, 64][65536, 1, 8192, 128] = aten.transpose.int(%transpose_10, 1, 2) !{region="bw"}
  %view_29 : f32[s93, 128, 512][65536, 1, 128] = aten.view.default(%transpose_12, [%sym_size_int, 128, 512]) !{region="bw"}
  %transpose_13 : f32[s93, 128, 8, 64][65536, 64, 8192, 1] = aten.transpose.int(%view_28, 1, 2) !{region="bw"}
  %clone_6 : f32[s93, 128, 8, 64] = aten.clone.default(%transpose_13, memory_format=torch.contiguous_format) !{region="bw"}
  %_unsafe_view_6 : f32[s93, 128, 512] = aten._unsafe_view.default(%clone_6, [%sym_size_int, 128, 512]) !{region="bw"}
  %cat : f32[s93, 128, 1536] = aten.cat.default([%_unsafe_view_6, %view_29, %_unsafe_view_5], 2) !{region="bw"}
  %view_30 : f32[128*s93, 1536] = aten.view.default(%cat, [%sym_size_int_1, 1536]) !{region="bw"}
  %t_16 : f32[1536, 512] = aten.t.default(%t) !{region="bw"}
  %mm_6 : f32[128*s93, 512] = aten.mm.default(%view_30, %t_16) !{region="bw"}
  %t_17 : f32[1536, 128*s93][1, 1536] = aten.t.default(%view_30) !{region="bw"}
  %mm_7 : f32[1536, 512] = aten.mm.default(%t_17, %view) !{region="bw"}
  %t_18 : f32[512, 1536][1, 512] = aten.t.default(%mm_7) !{region="bw"}
  %sum_4 : f32[1, 1536] = aten.sum.dim_IntList(%view_30, [0], True) !{region="bw"}
  %view_31 : f32[1536] = aten.view.default(%sum_4, [1536]) !{region="bw"}
  %t_19 : f32[1536, 512] = aten.t.default(%t_18) !{region="bw"}
  %view_32 : f32[s93, 128, 512] = aten.view.default(%mm_6, [%sym_size_int, 128, 512]) !{region="bw"}
  %native_layer_norm_backward_1 : (f32[s93, 128, 512], f32[512], f32[512]) = aten.native_layer_norm_backward.default(%view_32, %primals_13, [512], %getitem_1, %getitem_2, %primals_1, %primals_2, [True, True, True]) !{region="bw"}
  %getitem_12 : f32[s93, 128, 512] = operator.getitem(%native_layer_norm_backward_1, 0) !{region="bw"}
  %getitem_13 : f32[512] = operator.getitem(%native_layer_norm_backward_1, 1) !{region="bw"}
  %getitem_14 : f32[512] = operator.getitem(%native_layer_norm_backward_1, 2) !{region="bw"}
  %add_224 : f32[s93, 128, 512] = aten.add.Tensor(%add_223, %getitem_12) !{region="bw"}
  return [%add_218, %getitem_13, %getitem_14, %getitem_10, %getitem_11, %t_19, %view_31, %t_15, %view_21, %t_11, %view_18, %t_7, %view_15, %add_224]
}
