// The `metadata` of nodes: texts, of which a reader makes fxcpp's meta data.
#pragma once

#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/importers/pt2/schema/notes_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// The keys under which meta data of torch.export is kept that no other part of fxcpp uses.
inline constexpr std::string_view kTorchFnKey = "torch_fn";
inline constexpr std::string_view kSourceFnKey = "source_fn";

/// The meta data of one node, to be set on the nodes made from it.
class NodeMetadata {
 public:
  void add(std::string_view key, Argument value) { entries_.emplace_back(key, std::move(value)); }
  void set_on(Node& node) const {
    for (const auto& [key, value] : entries_) node.meta().set(key, value);
  }

 private:
  std::vector<std::pair<std::string_view, Argument>> entries_;
};

/// Reads metadata; stacks of modules that repeat are read once.
class MetadataReader {
 public:
  MetadataReader(Context& context, Notes& notes) : context_(context), notes_(notes) {}

  /// `metadata`: a map of texts. InvalidArgument when it is not.
  absl::StatusOr<NodeMetadata> read(Json metadata);

 private:
  struct ModuleStack {
    Argument stack;    ///< [[key, path, class], ...]
    std::string path;  ///< of the innermost module; empty at the root
  };
  const ModuleStack& module_stack(std::string_view text);
  void add_json(NodeMetadata& metadata, std::string_view key, std::string_view text);

  Context& context_;
  Notes& notes_;
  absl::flat_hash_map<std::string_view, ModuleStack>
      module_stacks_;  // the texts are the document's
};

}  // namespace fx::pt2
