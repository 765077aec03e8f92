// name_by_module: names nodes after the modules that they belong to.
//
//   %convolution_2 = aten.convolution(...)  !{module="layer1.0.conv1"}   becomes %layer1_0_conv1
//   %relu_3 = aten.relu_(...)               !{module="layer1.0"}         becomes %layer1_0_relu_
//   the gradient of layer1.0.conv1.weight   becomes %grad_layer1_0_conv1_weight
//
// The last forward call of a module without submodules computes its result, and is named after the
// module. The names of other calls also contain the name of their operator.
#pragma once

#include "fx/ir/graph/graph.h"

namespace fx {

struct NameByModuleOptions {
  /// Also renames the placeholders of parameters and buffers: `primals_1` becomes
  /// `layer1_0_conv1_weight`.
  bool inputs = false;
};

/// Renames calls to functions whose metadata `module` is known (see infer_modules), and the nodes
/// that the graph returns as gradients of parameters (metadata `outputs`). Other nodes keep their
/// names. Returns true if a name changed; a second run changes nothing. Nested graphs do not
/// change. Takes linear time.
bool name_by_module(Graph& graph, const NameByModuleOptions& options = {});

}  // namespace fx
