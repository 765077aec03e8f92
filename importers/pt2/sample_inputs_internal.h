// Reads the inputs that a program was exported with.
#pragma once

#include "fx/importers/pt2/pt2.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace fx::pt2 {

/// Reads a torch.save archive of (args, kwargs), and returns the leaves of the tree in order.
/// Returns InvalidArgument if the archive is corrupted, and Unimplemented if it contains objects of
/// classes that only Python can create, or if the number of leaves is not `count`.
absl::StatusOr<std::vector<Pt2SampleInput>> read_sample_inputs(std::shared_ptr<Storage> bytes,
                                                               size_t count);

}  // namespace fx::pt2
