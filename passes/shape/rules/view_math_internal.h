// Sizes and strides of views and of the results of advanced indexing. Private to passes/shape/.
#pragma once

#include "fx/passes/shape/rules/elementwise_internal.h"

#include <optional>

namespace fx::shape {

/// Replaces a -1 in `sizes` with the size for which the product of `sizes` is `count`. Returns
/// false if the call fails.
bool infer_unknown_size(TypeCall& call, DimVector& sizes, const Dim& count);
/// Returns the strides of a view of these sizes with the same elements, or nullopt if only a copy
/// is possible, unless sizes that are not known to be equal happen to be equal.
std::optional<DimVector> view_strides(TypeCall& call, Type tensor, absl::Span<const Dim> sizes);
/// For a copy that is necessary because view_strides() returns nullopt: if a view exists where
/// sizes happen to be equal, records that the result may share memory, or assumes that the sizes
/// differ if the view would have a different type. Returns false if they cannot be assumed to
/// differ: the result may then be a view with different strides or a different offset.
bool exclude_views(TypeCall& call, Type tensor, absl::Span<const Dim> sizes);
/// Returns false for a tensor in this memory format, which contiguous() returns unchanged. If it
/// has the format only where sizes happen to be equal, returns true, and handles these sizes like
/// exclude_views(); nullopt if they cannot be assumed to differ.
std::optional<bool> is_copied(TypeCall& call, Type tensor,
                              MemoryFormat format = MemoryFormat::kContiguous);
/// Returns the type of view(). Fails the call if a copy is necessary.
Type view_as_sizes(TypeCall& call, Type tensor, DimVector sizes);
/// Returns the type of reshape(), a row-major copy if a view is impossible. Sets `is_view`, if not
/// null, to whether the result is a view.
Type reshape(TypeCall& call, Type tensor, DimVector sizes, bool* is_view = nullptr);
/// Returns the type of a copy or a view, depending on sizes, whose strides and offset are unknown.
Type view_or_copy(TypeCall& call, Type tensor, absl::Span<const Dim> sizes);
Type expand(TypeCall& call, Type tensor, absl::Span<const Dim> sizes);
Type permute(TypeCall& call, Type tensor, absl::Span<const int64_t> dims);
Type transpose(TypeCall& call, Type tensor, int64_t dim0, int64_t dim1);
Type select(TypeCall& call, Type tensor, int64_t dim, Dim index);
Type slice(TypeCall& call, Type tensor, int64_t dim, Dim start, Dim end, const Dim& step);
Type unsqueeze(TypeCall& call, Type tensor, int64_t dim);
/// Removes dimension `dim` if its size is 1.
Type squeeze(TypeCall& call, Type tensor, int64_t dim);

/// True if an index is a mask (bool or uint8), which selects elements where it is not zero.
bool is_mask(Type index);
/// The sizes and strides of the result of advanced indexing.
struct Indexed {
  DimVector sizes, strides;
};

/// Returns the result of x[indices], where argument number `argument` contains the indices; nullopt
/// if the call failed.
std::optional<Indexed> advanced_index(TypeCall& call, Type x, int argument);

}  // namespace fx::shape
