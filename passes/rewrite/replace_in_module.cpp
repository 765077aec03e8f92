// Replaces patterns in modules, with the members that a replacement refers to: see
// replace_pattern.h.
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/status.h"
#include "fx/passes/rewrite/replace_pattern.h"
#include "fx/passes/rewrite/replacer_internal.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Returns copies of the members that the replacement refers to but the module lacks.
absl::StatusOr<std::vector<std::pair<std::string, Attribute>>> missing_members(
    const GraphModule& module, const GraphModule& replacement) {
  std::vector<std::pair<std::string, Attribute>> missing;
  absl::flat_hash_set<std::string_view> seen;
  TensorCopier tensors;
  for (const Node& node : replacement.graph().nodes()) {
    if (node.op() != Opcode::kGetAttr && node.op() != Opcode::kCallModule) continue;
    const std::string_view path = node.target();
    if (replacement.graph().find_subgraph(path) || module.has_attribute(path) ||
        !seen.insert(path).second)
      continue;
    const Attribute* const found = replacement.find_attribute(path);
    if (!found) {
      return absl::NotFoundError(fmt::format(
          "the replacement's %{} refers to {}, which neither the module nor the replacement has",
          node.name(), path));
    }
    Attribute copy = *found;
    if (found->module) {
      FX_ASSIGN_OR_RETURN(std::unique_ptr<Module> clone, found->module->clone());
      copy.module = std::move(clone);
    } else if (found->tensor) {
      FX_ASSIGN_OR_RETURN(copy.tensor, tensors.copy(found->tensor));
    }
    missing.emplace_back(path, std::move(copy));
  }
  return missing;
}

}  // namespace

absl::StatusOr<Replacements> replace_pattern(GraphModule& module, const GraphModule& pattern,
                                             const GraphModule& replacement,
                                             const ReplaceOptions& options) {
  FX_ASSIGN_OR_RETURN(const Pattern compiled, Pattern::create(pattern.graph(), options.pattern));
  FX_RETURN_IF_ERROR(rewrite::Recipe::create(compiled.compiled(), replacement.graph()));
  FX_ASSIGN_OR_RETURN(auto missing, missing_members(module, replacement));
  std::vector<std::string> added;
  for (auto& [path, attribute] : missing) {
    FX_RETURN_IF_ERROR(module.assign(path, std::move(attribute)));
    added.push_back(path);
  }
  absl::StatusOr<Replacements> done =
      replace_pattern(module.graph(), compiled, replacement.graph(), options);
  if (!done.ok() || done->empty())
    for (const std::string& path : added) FX_RETURN_IF_ERROR(module.delete_attribute(path));
  module.delete_all_unused_submodules();
  return done;
}

}  // namespace fx
