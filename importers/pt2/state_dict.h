// Files of tensors that torch.save (Python) and torch::save (C++) write: state dicts, checkpoints, modules
// and optimizers.
//
//   FX_ASSIGN_OR_RETURN(const fx::StateDict state, fx::read_state_dict("resnet18.pth"));
//   const fx::Tensor* weight = state.tensors.find("layer1.0.conv1.weight");
//
// Reading maps the file; tensors are views of the mapping where their data is aligned. No code of the
// file runs, and no class that it names is looked up.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/ordered_map.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// The limit on the number of values of a file. A file that shares its parts can claim more than it
/// has bytes.
inline constexpr size_t kMaxStateEntries = 1 << 20;

/// The leaves of a file's tree of dicts, lists and tuples. A list or tuple of numbers is one leaf.
/// The name of a leaf joins the keys and indices on its path with dots: "model.fc.weight",
/// "optimizer.state.0.exp_avg". If the file is a single value, its name is "value".
///
/// A module that Python saved whole, and one that C++ or TorchScript saved, has the names of its
/// state dict, with all buffers.
struct StateDict {
  OrderedMap<Tensor> tensors;
  /// Numbers, strings and None, and lists and tuples of these; dtypes and devices as strings,
  /// "torch.float32", "cuda:0".
  OrderedMap<Argument> values;
  /// Objects of other classes, which have no form here: "args (argparse.Namespace)".
  std::vector<std::string> omitted;
};

/// Reads a ZIP archive or a file of PyTorch before 1.6. InvalidArgument, with the file's name, for
/// other files, damaged ones, keys that are neither strings nor integers, and two leaves of the
/// same name; Unimplemented for what torch.save does not write. Both name the leaf.
absl::StatusOr<StateDict> read_state_dict(const std::string& path);
/// The same from memory.
absl::StatusOr<StateDict> parse_state_dict(std::shared_ptr<Storage> bytes);
/// True if the bytes start as a file that read_state_dict reads: a ZIP archive, or the older format.
/// .npz and .pt2 files are archives, too.
bool is_state_file(const Storage& bytes);

/// Writes a state dict that torch.load reads, even with weights_only: an OrderedDict of the names,
/// in this order. Tensors become contiguous; names of one tensor keep sharing it. InvalidArgument,
/// with nothing written, for a tensor without data, and for a name that is not UTF-8 or occurs twice.
absl::Status write_state_dict(const std::string& path,
                              absl::Span<const std::pair<std::string, Tensor>> tensors);

/// Writes an archive that torch::load of C++ reads into a module, an optimizer or tensors whose names and
/// values these are: a name "seq.0.weight" is attribute `weight` of archive `0` of archive `seq`.
/// (torch::load names the tensors of a vector "0", "1", ..., and a lone tensor "0".) Values that are
/// not tensors are written as well. Errors as for write_state_dict; and InvalidArgument for a name
/// that is also the first part of another, and for a name with quotes, backslashes or control
/// characters.
absl::Status write_cpp_archive(const std::string& path, const StateDict& state);

}  // namespace fx
