// The names of tensors before and after a change to a module tree, for state dicts.
//
//   const fx::TensorNames before(root);
//   FX_RETURN_IF_ERROR(fx::fuse_partitions(graph, root, partitions).status());
//   for (const auto& [now, old] : before.renamed_in(root))
//     ...   // now is "fused_0.fc.weight", old is "fc.weight"
//
// Passes that move calls into modules or out of them (partition, split_module, inline_calls) also
// move tensors: the tree then has the same tensors at different paths.
#pragma once

#include "fx/ir/module/module.h"
#include "fx/ir/module/tensor.h"

#include "absl/container/flat_hash_map.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {

class TensorNames {
 public:
  /// Records the paths of all parameters, buffers and tensor constants, and keeps the tensors
  /// alive.
  explicit TensorNames(const Module& root);

  /// Returns each path of each tensor below `root` together with its recorded path, in the order of
  /// a state dict. Omits tensors that were not recorded. For a tensor that had multiple paths, the
  /// recorded path is the current path if it was among them, else the first.
  std::vector<std::pair<std::string, std::string>> renamed_in(const Module& root) const;

 private:
  absl::flat_hash_map<std::string, Tensor> tensors_;
  absl::flat_hash_map<const void*, std::string> paths_;  // by Tensor::identity: the first path
};

}  // namespace fx
