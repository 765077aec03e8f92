# RUN: fxcpp opt %s --passes name_by_module --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes name_by_module,name_by_module --check-changed | FileCheck %s
# RUN: fxcpp opt %s --passes name_by_module{inputs=true} --check-changed | FileCheck %s --check-prefix=INPUTS
# INPUTS: %layer1_0_conv1_weight : f32[8, 3, 3, 3]
# INPUTS: %primals_2 : f32[2, 3, 8, 8]
# INPUTS: aten.convolution.default(%layer1_0_conv1_view, %layer1_0_conv1_weight,
graph(%primals_1 : f32[8, 3, 3, 3] !{input={"kind": "parameter", "target": "layer1.0.conv1.weight"}},
      %primals_2 : f32[2, 3, 8, 8] !{input={"kind": "user_input", "index": 0}}) {
  # The last call of a module is its result.
  # CHECK: %layer1_0_conv1_view = aten.view.default(%primals_2
  %view = aten.view.default(%primals_2, [2, 3, 8, 8]) !{region="fw", module="layer1.0.conv1"}
  # CHECK: %layer1_0_conv1 = aten.convolution.default(%layer1_0_conv1_view,
  %convolution = aten.convolution.default(%view, %primals_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1) !{region="fw", module="layer1.0.conv1"}
  # A module with submodules has multiple calls, none of which is its result.
  # CHECK: %layer1_0_relu_ = aten.relu_.default(%layer1_0_conv1)
  %relu = aten.relu_.default(%convolution) !{region="fw", module="layer1.0"}
  # CHECK: %layer1_0_relu__1 = aten.relu_.default
  %relu_1 = aten.relu_.default(%relu) !{region="fw", module="layer1.0"}
  # Must not change: a node without a module.
  # CHECK: %y = aten.sum.default
  %y = aten.sum.default(%relu_1) !{region="fw"}
  # CHECK: %layer1_0_conv1_convolution_backward = aten.convolution_backward.default
  %back = aten.convolution_backward.default(%relu_1, %view, %primals_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [False, True, False]) !{region="bw", module="layer1.0.conv1"}
  # CHECK: %grad_layer1_0_conv1_weight = operator.getitem(%layer1_0_conv1_convolution_backward, 1)
  %getitem = operator.getitem(%back, 1) !{region="bw", module="layer1.0.conv1"}
  return [%y, %getitem, None] !{outputs=[{"kind": "output", "index": 0}, {"kind": "gradient", "of": {"kind": "parameter", "target": "layer1.0.conv1.weight"}}, {"kind": "none"}]}
}
