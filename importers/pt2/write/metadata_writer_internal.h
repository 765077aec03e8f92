// The `metadata` of nodes, from fxcpp's meta data: the reverse of graph/node_metadata_internal.h.
#pragma once

#include "fx/importers/pt2/schema/json_writer_internal.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// Writes metadata; stacks of modules that are known by their path alone are made once.
class MetadataWriter {
 public:
  explicit MetadataWriter(const Module& members) : members_(members) {}

  /// A map of texts: stack_trace, nn_module_stack, source_fn_stack, torch_fn, custom, from_node.
  /// InvalidArgument when an entry of these has another form.
  absl::Status write(JsonWriter& json, const Node& node);

 private:
  /// The stack of the modules on a path, with the classes that they have.
  const std::string& stack_of_path(std::string_view path);

  const Module& members_;
  absl::flat_hash_map<std::string, std::string> stacks_;
};

}  // namespace fx::pt2
