// Writes example inputs as torch.save archives, which sample_inputs_internal.h reads.
#pragma once

#include "fx/importers/pt2/pt2.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// Returns an archive of `leaves`, arranged as described by `spec`, the JSON of a pytree TreeSpec.
/// Returns Unimplemented if the spec contains classes other than tuple, list, dict and OrderedDict,
/// and InvalidArgument for the wrong number of leaves or for tensors without data.
absl::StatusOr<std::string> sample_inputs_archive(std::string_view spec,
                                                  absl::Span<const Pt2SampleInput> leaves);

}  // namespace fx::pt2
