// Writes example inputs as archives of torch.save: the reverse of sample_inputs_internal.h.
#pragma once

#include "fx/importers/pt2/pt2.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// Returns an archive of the leaves in the tree of `spec`, a tree spec. Returns Unimplemented if
/// the tree has classes other than tuple, list and dict, and InvalidArgument for a wrong number of
/// leaves or for tensors without data.
absl::StatusOr<std::string> sample_inputs_archive(std::string_view spec,
                                                  absl::Span<const Pt2SampleInput> leaves);

}  // namespace fx::pt2
