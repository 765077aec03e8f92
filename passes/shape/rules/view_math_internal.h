// Geometry of views: what view, expand, slice and their kin do to sizes and strides. Private to
// passes/shape/.
#pragma once

#include "fx/passes/shape/rules/elementwise_internal.h"

#include <optional>

namespace fx::shape {

/// Replaces a -1 in `sizes` by what makes the product `count`; false after failing.
bool infer_unknown_size(TypeCall& call, DimVector& sizes, const Dim& count);
/// Strides under which a view of these sizes shows the same elements; none when only a copy can.
std::optional<DimVector> view_strides(TypeCall& call, Type tensor, absl::Span<const Dim> sizes);
/// view(): fails where it needs a copy.
Type view_as_sizes(TypeCall& call, Type tensor, DimVector sizes);
/// reshape(): a row-major copy where a view cannot be. `is_view` tells which.
Type reshape(TypeCall& call, Type tensor, DimVector sizes, bool* is_view = nullptr);
Type expand(TypeCall& call, Type tensor, absl::Span<const Dim> sizes);
Type permute(TypeCall& call, Type tensor, absl::Span<const int64_t> dims);
Type transpose(TypeCall& call, Type tensor, int64_t dim0, int64_t dim1);
Type select(TypeCall& call, Type tensor, int64_t dim, Dim index);
Type slice(TypeCall& call, Type tensor, int64_t dim, Dim start, Dim end, const Dim& step);
Type unsqueeze(TypeCall& call, Type tensor, int64_t dim);
/// Without dimension `dim` if that is of size 1.
Type squeeze(TypeCall& call, Type tensor, int64_t dim);

}  // namespace fx::shape
