#include "fx/ir/ops/view_ops.h"

#include <algorithm>
#include <iterator>

namespace fx::ops {
namespace {

constexpr ViewOp kViewOps[] = {
    {"aten.alias.default", ViewKind::kSame},
    {"aten.detach.default", ViewKind::kSame},
    {"aten.lift.default", ViewKind::kSame},
    {"aten.lift_fresh.default", ViewKind::kSame},
    {"aten.view.default", ViewKind::kReshape},
    {"aten._unsafe_view.default", ViewKind::kReshape},
    {"aten._reshape_alias.default", ViewKind::kReshape},
    {"aten.view_as.default", ViewKind::kReshape},
    {"aten.reshape.default", ViewKind::kReshape},
    {"aten.reshape_as.default", ViewKind::kReshape},
    {"aten.flatten.using_ints", ViewKind::kReshape},
    {"aten.ravel.default", ViewKind::kReshape},
    {"aten.unflatten.int", ViewKind::kReshape},
    {"aten.squeeze.default", ViewKind::kReshape},
    {"aten.squeeze.dims", ViewKind::kReshape},
    {"aten.squeeze.dim", ViewKind::kSqueezeDim},
    {"aten.unsqueeze.default", ViewKind::kUnsqueeze},
    {"aten.t.default", ViewKind::kTransposeMatrix},
    {"aten.transpose.int", ViewKind::kTranspose},
    {"aten.swapaxes.default", ViewKind::kTranspose},
    {"aten.swapdims.default", ViewKind::kTranspose},
    {"aten.mT.default", ViewKind::kMatrixTranspose},
    {"aten.mH.default", ViewKind::kAdjoint},
    {"aten.matrix_H.default", ViewKind::kAdjoint},
    {"aten.adjoint.default", ViewKind::kAdjoint},
    {"aten.numpy_T.default", ViewKind::kReverse},
    {"aten.permute.default", ViewKind::kPermute},
    {"aten.movedim.int", ViewKind::kMoveDim},
    {"aten.movedim.intlist", ViewKind::kMoveDim},
    {"aten.moveaxis.int", ViewKind::kMoveDim},
    {"aten.moveaxis.intlist", ViewKind::kMoveDim},
    {"aten.slice.Tensor", ViewKind::kSlice, "aten.slice_scatter.default"},
    {"aten.narrow.default", ViewKind::kNarrow},
    {"aten.select.int", ViewKind::kSelect, "aten.select_scatter.default"},
    {"aten.diagonal.default", ViewKind::kDiagonal, "aten.diagonal_scatter.default"},
    {"aten.linalg_diagonal.default", ViewKind::kDiagonal},
    {"aten.as_strided.default", ViewKind::kAsStrided, "aten.as_strided_scatter.default"},
    {"aten.expand.default", ViewKind::kExpand},
    {"aten.expand_as.default", ViewKind::kExpand},
    {"aten.broadcast_to.default", ViewKind::kExpand},
    {"aten.split.Tensor", ViewKind::kSplit},
    {"aten.split.sizes", ViewKind::kSplit},
    {"aten.split_with_sizes.default", ViewKind::kSplit},
    {"aten.chunk.default", ViewKind::kSplit},
    {"aten.tensor_split.sections", ViewKind::kSplit},
    {"aten.tensor_split.indices", ViewKind::kSplit},
    {"aten.unsafe_split.Tensor", ViewKind::kSplit},
    {"aten.unsafe_split_with_sizes.default", ViewKind::kSplit},
    {"aten.unsafe_chunk.default", ViewKind::kSplit},
    {"aten.unbind.int", ViewKind::kUnbind},
    {"aten.view_as_real.default", ViewKind::kViewAsReal},
    {"aten.view_as_complex.default", ViewKind::kViewAsComplex},
    {"aten.view.dtype", ViewKind::kViewDType},
    {"aten._conj.default", ViewKind::kConj},
    {"aten.conj.default", ViewKind::kConj},
    {"aten._neg_view.default", ViewKind::kNegative},
    {"aten.real.default", ViewKind::kReal},
    {"aten.imag.default", ViewKind::kImaginary},
};

}  // namespace

std::span<const ViewOp> view_ops() { return kViewOps; }

ViewKind view_kind(const OpInfo& op) {
  const auto* row = std::ranges::find(kViewOps, op.name(), &ViewOp::op);
  return row == std::end(kViewOps) ? ViewKind::kOther : row->kind;
}

bool may_return_source(const OpInfo& op) {
  constexpr std::string_view kPackets[] = {
      "aten.adjoint",  "aten.atleast_1d", "aten.atleast_2d", "aten.atleast_3d", "aten.conj",
      "aten.flatten",  "aten.lift",       "aten.lift_fresh", "aten.mH",         "aten.mT",
      "aten.matrix_H", "aten.positive",   "aten.real"};
  return std::ranges::find(kPackets, op.packet()) != std::end(kPackets);
}

const ViewOp* view_of_scatter(const OpInfo& op) {
  const auto* row = std::ranges::find(kViewOps, op.name(), &ViewOp::scatter);
  return row == std::end(kViewOps) ? nullptr : row;
}

}  // namespace fx::ops
