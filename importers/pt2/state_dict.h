// Reads and writes tensor files in the formats of torch.save (Python) and torch::save (C++): state
// dicts, checkpoints, modules and optimizers.
//
//   FX_ASSIGN_OR_RETURN(const fx::StateDict state, fx::read_state_dict("resnet18.pth"));
//   const fx::Tensor* weight = state.tensors.find("layer1.0.conv1.weight");
//
// Reading maps the file; tensors are views of the mapping where their data is aligned. Code in the
// file is never run, and the classes that it names are not looked up.
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

/// The maximum number of values in a file. Since a file can contain a value many times, it can have
/// more values than bytes.
inline constexpr size_t kMaxStateEntries = 1 << 20;

/// The leaves of a file's tree of dicts, lists and tuples. A list or tuple that contains only
/// numbers, strings and None is one leaf. The name of a leaf consists of the keys and indices on
/// its path, joined with dots: "model.fc.weight", "optimizer.state.0.exp_avg". If the file is a
/// single value, its name is "value".
///
/// If the file is a module saved by Python, C++ or TorchScript, the leaves are the entries of its
/// state dict and all buffers, with their names in the module.
struct StateDict {
  OrderedMap<Tensor> tensors;
  /// Numbers, strings and None, and lists and tuples of these; dtypes and devices as strings,
  /// "torch.float32", "cuda:0".
  OrderedMap<Argument> values;
  /// Values that a StateDict cannot represent, with the class or kind: "args (argparse.Namespace)",
  /// "key (bytes)".
  std::vector<std::string> omitted;
};

/// Reads a ZIP archive or a file from PyTorch before 1.6. Returns InvalidArgument, with the name of
/// the file, for files that are corrupted or in a different format, for keys that are neither
/// strings nor integers, and for two leaves with the same name. Returns Unimplemented for data that
/// torch.save does not write. Messages name the leaf.
absl::StatusOr<StateDict> read_state_dict(const std::string& path);
/// Reads a file from memory.
absl::StatusOr<StateDict> parse_state_dict(std::shared_ptr<Storage> bytes);
/// Returns true if the bytes start like a file that read_state_dict reads: a ZIP archive or the
/// older format. .npz and .pt2 files are also ZIP archives.
bool is_state_file(const Storage& bytes);

/// Writes a state dict that torch.load reads, even with weights_only: an OrderedDict with these
/// names, in this order. A tensor keeps its strides unless its elements are spread over more than
/// four times the memory that they require; it then becomes contiguous. Names with the same tensor
/// still share it. For a tensor without data, and for a name that is not UTF-8 or is a duplicate,
/// writes nothing and returns InvalidArgument.
absl::Status write_state_dict(const std::string& path,
                              absl::Span<const std::pair<std::string, Tensor>> tensors);

/// Writes an archive that C++'s torch::load reads into a module, an optimizer or tensors with these
/// names. The name "seq.0.weight" is attribute `weight` of archive `0` in archive `seq`.
/// torch::load names the tensors of a vector "0", "1", ..., and a single tensor "0". Also writes
/// numbers, strings, None and tuples of these. Returns the errors of write_state_dict, and
/// InvalidArgument for a list; for a name that is a dotted prefix of another name, has an empty
/// part or more than 64 parts; and for quotes, backslashes and control characters in a name.
absl::Status write_cpp_archive(const std::string& path, const StateDict& state);

}  // namespace fx
