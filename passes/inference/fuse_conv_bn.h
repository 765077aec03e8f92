// fuse_conv_bn: merges batch norms in evaluation mode into the preceding convolutions and linear
// layers.
//
//   batch_norm(conv2d(x, w, b), mean, var, gamma, beta, eps)
// becomes
//   conv2d(x, w * s, (b - mean) * rsqrt(var + eps) * gamma + beta)
// where s = gamma * rsqrt(var + eps) for each output channel.
//
// The pass inserts this arithmetic into the graph, and neither reads nor changes tensors.
// fold_constants then creates new parameters. This is also correct for a layer that is called
// twice, before different batch norms; torch.fx's fuse changes its weight twice.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/statusor.h"

namespace fx {

/// Fuses the following in a graph and its nested graphs. Returns true if the graph changed.
///
///   - aten.conv1d, conv2d, conv3d, convolution (not transposed) and linear, before aten.batch_norm
///     in evaluation mode and _native_batch_norm_legit_no_training, with running statistics;
///   - modules Conv1d, 2d, 3d and Linear of `root` (may be null), before a BatchNorm1d, 2d or 3d
///     that is in evaluation mode and tracks statistics. The calls become calls to ATen operators
///     with get_attr nodes for parameters.
///
/// The batch norm must be the only user of the layer's result, and a convolution must pad with
/// zeros. Ranks and dtypes must be known, because a batch norm normalizes dimension 1. This is the
/// output dimension only for a linear layer on matrices and for a convolution with a batch
/// dimension. Layers with multiple dtypes are not fused. Arguments of operators may be positional
/// or by keyword; modules must be called with one positional argument.
absl::StatusOr<bool> fuse_conv_bn(Graph& graph, const Module* root = nullptr);

}  // namespace fx
