// The view operators of ATen: one row for each, in view_ops.cpp.
//
// The schema determines which results share memory with which argument (OpInfo::output_aliases). A
// row specifies which elements a view selects. To add a view operator, add its row here and its
// type function (passes/shape/rules); functionalize, simplify and reinplace use the row.
#pragma once

#include "fx/ir/ops/op_info.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace fx::ops {

/// How a view selects the elements of its source. The kind determines how a write to
/// the view becomes a new value of the source. Parameter 0 of the operator is the source; the
/// comments on the kinds list the positions of the other parameters. Parameter names do not
/// matter.
enum class ViewKind : uint8_t {
  kSame,  ///< alias, detach: the same elements at the same positions
  kReshape,
  kUnsqueeze,        ///< 1: dimension
  kSqueezeDim,       ///< 1: dimension
  kTransposeMatrix,  ///< t
  kTranspose,        ///< 1, 2: dimensions
  kMatrixTranspose,  ///< mT
  kAdjoint,          ///< mH, adjoint: the transpose of a matrix, conjugated
  kReverse,          ///< numpy_T
  kPermute,          ///< 1: the dimensions of the source, in the order of the view
  kMoveDim,          ///< 1: dimensions of the source, 2: dimensions of the view
  kSlice,            ///< 1: dimension, 2: start, 3: end, 4: step
  kNarrow,           ///< 1: dimension, 2: start, 3: length
  kSelect,           ///< 1: dimension, 2: index
  kDiagonal,         ///< 1: offset, 2, 3: dimensions
  kAsStrided,
  kExpand,
  kSplit,   ///< the items of a list: consecutive slices; 2: dimension
  kUnbind,  ///< the items of a list: one select each; 1: dimension
  kViewAsReal,
  kViewAsComplex,
  kViewDType,
  kConj,
  kNegative,
  kReal,
  kImaginary,
  kOther,  ///< writes go through its strides
};

struct ViewOp {
  std::string_view op;  ///< `aten.select.int`
  ViewKind kind;
  /// The operator that copies the source and writes its second argument to the view of the copy:
  /// `aten.select_scatter.default`. Empty if none exists.
  std::string_view scatter = {};
};

/// True if the complex numbers of the view are conjugates of those of its source. libtorch
/// conjugates them when they are read.
constexpr bool conjugates(ViewKind kind) {
  return kind == ViewKind::kConj || kind == ViewKind::kAdjoint;
}

std::span<const ViewOp> view_ops();
/// Returns kOther for an operator without a row.
ViewKind view_kind(const OpInfo& op);
/// True if the operator, whose schema declares a view, returns its argument itself for some
/// arguments: real of a real tensor, atleast_2d of a matrix, mT of a tensor of rank 0.
bool may_return_source(const OpInfo& op);
/// The row whose scatter operator is `op`; null for any other operator.
const ViewOp* view_of_scatter(const OpInfo& op);

}  // namespace fx::ops
