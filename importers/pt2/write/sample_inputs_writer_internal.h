// Example inputs as archives of torch.save: the reverse of sample_inputs_internal.h.
#pragma once

#include "fx/importers/pt2/pt2.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// The archive of the tree that `spec`, a tree spec, makes of the leaves. Unimplemented where the
/// tree has classes other than tuple, list and dict; InvalidArgument for other numbers of leaves, and
/// tensors without data.
absl::StatusOr<std::string> sample_inputs_archive(std::string_view spec,
                                                  absl::Span<const Pt2SampleInput> leaves);

}  // namespace fx::pt2
