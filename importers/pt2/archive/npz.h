// Reads arrays by name from NumPy's .npz files (numpy.savez), which are ZIP archives of .npy files.
#pragma once

#include "fx/ir/module/tensor.h"
#include "fx/ir/support/ordered_map.h"

#include "absl/status/statusor.h"

#include <memory>
#include <string>

namespace fx {

/// Maps and reads a file. Arrays that are uncompressed and aligned use the mapped memory. Names
/// omit ".npy". Returns InvalidArgument, naming the array, if an array is corrupted, is not
/// little-endian, or has elements other than numbers and bools.
absl::StatusOr<OrderedMap<Tensor>> read_npz(const std::string& path);

}  // namespace fx
