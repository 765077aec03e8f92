// Converts fxcpp's metadata to the `metadata` of nodes, which graph/node_metadata_internal.h reads.
#pragma once

#include "fx/importers/pt2/schema/json_writer_internal.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// Writes metadata. Caches the module stacks of nodes that have only a path.
class MetadataWriter {
 public:
  explicit MetadataWriter(const Module& members) : members_(members) {}

  /// Writes a map of strings: stack_trace, nn_module_stack, source_fn_stack, torch_fn, custom and
  /// from_node. Returns InvalidArgument if one of these entries is malformed.
  absl::Status write(JsonWriter& json, const Node& node);

 private:
  /// Returns the stack of the modules on a path, with their classes.
  const std::string& stack_of_path(std::string_view path);

  const Module& members_;
  absl::flat_hash_map<std::string, std::string> stacks_;
};

}  // namespace fx::pt2
