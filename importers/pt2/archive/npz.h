// Arrays by name in numpy's .npz files (numpy.savez): a zip archive of .npy files.
#pragma once

#include "fx/ir/module/tensor.h"
#include "fx/ir/support/ordered_map.h"

#include "absl/status/statusor.h"

#include <memory>
#include <string>

namespace fx {

/// Maps and reads a file; arrays that are not packed, and aligned, lie in it. Names are without
/// ".npy". InvalidArgument, naming the array, when it is damaged, not little-endian, or has elements
/// that are not numbers or bools.
absl::StatusOr<OrderedMap<Tensor>> read_npz(const std::string& path);
/// The same from memory.
absl::StatusOr<OrderedMap<Tensor>> parse_npz(std::shared_ptr<Storage> bytes);

}  // namespace fx
