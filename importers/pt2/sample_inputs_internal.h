// The inputs that a program was exported with.
#pragma once

#include "fx/importers/pt2/pt2.h"
#include "fx/ir/module/tensor.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace fx::pt2 {

/// Reads an archive of torch.save of (args, kwargs): the leaves of the tree, in its order.
/// InvalidArgument when it is damaged; Unimplemented where it has values of classes that only Python
/// can restore, or other than `count` leaves.
absl::StatusOr<std::vector<Pt2SampleInput>> read_sample_inputs(std::shared_ptr<Storage> bytes,
                                                               size_t count);

}  // namespace fx::pt2
