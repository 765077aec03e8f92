// Notes about what a file does not contain.
#pragma once

#include "fx/ir/module/tensor.h"

#include "absl/types/span.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {

/// Returns the names as "a, b, c and 4 more".
std::string list_names(absl::Span<const std::string> names);

/// Returns the names of tensors that overlap in memory, sorted. They are separate tensors in a
/// safetensors file. With `only_other_dtypes`, only those that overlap, directly or through others,
/// with a tensor of a different dtype: they are separate tensors in a torch.save file, too.
std::vector<std::string> names_of_shared(absl::Span<const std::pair<std::string, Tensor>> tensors,
                                         bool only_other_dtypes = false);

}  // namespace fx
