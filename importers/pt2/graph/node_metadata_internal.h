// Converts the `metadata` of nodes, a map of strings, to fxcpp's metadata.
#pragma once

#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/importers/pt2/schema/notes_internal.h"
#include "fx/ir/graph/graph.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// Keys for torch.export metadata that no other part of fxcpp uses.
inline constexpr std::string_view kTorchFnKey = "torch_fn";
inline constexpr std::string_view kSourceFnKey = "source_fn";

/// The metadata of one node of the file, for all nodes that the reader creates from it.
class NodeMetadata {
 public:
  void add(std::string_view key, Argument value) { entries_.emplace_back(key, std::move(value)); }
  void set_on(Node& node) const {
    for (const auto& [key, value] : entries_) node.meta().set(key, value);
  }

 private:
  std::vector<std::pair<std::string_view, Argument>> entries_;
};

/// Reads metadata. Parses each distinct module stack once.
class MetadataReader {
 public:
  explicit MetadataReader(Notes& notes) : notes_(notes) {}

  /// Returns InvalidArgument if `metadata` is not a map of strings.
  absl::StatusOr<NodeMetadata> read(Json metadata);

 private:
  struct ModuleStack {
    Argument stack;    ///< [[key, path, class], ...]
    std::string path;  ///< the path of the innermost module; empty for the root
  };
  const ModuleStack& module_stack(std::string_view text);
  void add_json(NodeMetadata& metadata, std::string_view key, std::string_view text);

  Notes& notes_;
  absl::flat_hash_map<std::string_view, ModuleStack>
      module_stacks_;  // keyed by the document's strings
};

}  // namespace fx::pt2
