#include "fx/passes/analysis/selection.h"

#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Returns the length of the common prefix.
size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Returns, as text, up to five names that have the longest common prefix with `name`.
std::string similar_names(std::string_view name, std::vector<std::string> names) {
  std::ranges::stable_sort(names, std::ranges::greater(),
                           [&](const std::string& s) { return common_prefix(name, s); });
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(5, names.size()); ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  return text.empty() ? "none" : text;
}

/// The maximum number of patterns without braces to which a pattern with braces expands.
constexpr size_t kMaxExpansions = 1024;

/// Remembers which paths are selected.
class ModuleFilter {
 public:
  explicit ModuleFilter(std::vector<ModulePattern> patterns) : patterns_(std::move(patterns)) {}

  bool contains(std::string_view path) {
    if (path == last_path_) return last_;  // consecutive nodes are often in the same module
    const auto [found, is_new] =
        selected_.try_emplace(absl::string_view(path.data(), path.size()), false);
    if (is_new) {
      found->second = std::ranges::any_of(
          patterns_, [&](const ModulePattern& pattern) { return pattern.contains(path); });
    }
    last_path_ = path;
    return last_ = found->second;
  }

 private:
  std::vector<ModulePattern> patterns_;
  absl::flat_hash_map<std::string, bool> selected_;
  std::string last_path_;  // the empty path is not selected
  bool last_ = false;
};

/// Returns the path of the module that the node calls, or that it belongs to.
std::string_view path_of(const Node& node) {
  return node.op() == Opcode::kCallModule ? node.target() : module_path(node);
}

/// Returns the paths of the nodes' modules, in program order, without duplicates.
std::vector<std::string> module_paths(const Graph& graph, bool nested) {
  std::vector<std::string> paths;
  absl::flat_hash_set<std::string> found;
  for (const Graph& g : all_graphs(graph)) {
    for (const Node& node : g.nodes()) {
      const std::string_view path = path_of(node);
      if (!path.empty() && found.insert(std::string(path)).second) paths.emplace_back(path);
    }
    if (!nested) break;
  }
  return paths;
}

/// Returns the error for a pattern that selects none of the paths.
absl::Status no_such_module(std::string_view pattern, const std::vector<std::string>& paths) {
  if (paths.empty()) {
    return absl::NotFoundError(fmt::format(
        "unknown module {}; no node of the graph has a module (run the pass infer_modules)",
        pattern));
  }
  ModuleTree tree;
  for (const std::string& path : paths) tree.add(path);
  std::vector<std::string> modules;
  for (uint32_t i = 1; i < tree.size(); ++i) modules.push_back(tree.path(i));
  return absl::NotFoundError(fmt::format("unknown module {}; similar names are {}", pattern,
                                         similar_names(pattern, std::move(modules))));
}

absl::Status add_neighborhood(const Graph& graph, const Selection& selection, NodeSet& found) {
  Node* const start = graph.find_node(selection.around);
  if (!start) {
    std::vector<std::string> names;
    for (const Node& node : graph.nodes()) names.push_back(node.name());
    return absl::NotFoundError(fmt::format("unknown node {}; similar names are {}",
                                           selection.around,
                                           similar_names(selection.around, names)));
  }
  std::vector<Node*> ring = {start};
  found.insert(*start);
  for (int step = 0; step < selection.depth && !ring.empty(); ++step) {
    std::vector<Node*> next;
    const auto reach = [&](Node* node) {
      if (found.insert(*node)) next.push_back(node);
    };
    for (Node* node : ring) {
      if (node->is_output() && node != start) continue;
      node->for_each_input(reach);
      for (const Use& use : node->uses()) reach(use.user());
    }
    ring = std::move(next);
  }
  return absl::OkStatus();
}

}  // namespace

// ---------------------------------------------------------------- modules

struct ModulePattern::Glob {
  explicit Glob(std::string_view source) : text(source) {}
  const std::string text;  // `pattern` contains views of it
  llvm::GlobPattern pattern;
};

absl::StatusOr<ModulePattern> ModulePattern::parse(std::string_view text) {
  if (text.empty()) return absl::InvalidArgumentError("a module pattern must not be empty");
  auto glob = std::make_shared<Glob>(text);
  llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(glob->text, kMaxExpansions);
  if (!pattern) {
    return absl::InvalidArgumentError(
        fmt::format("module pattern {}: {}", text, llvm::toString(pattern.takeError())));
  }
  glob->pattern = std::move(*pattern);
  return ModulePattern(std::move(glob));
}

std::string_view ModulePattern::selected_module(std::string_view path) const {
  for (size_t end = 0; end < path.size();) {
    end = std::min(path.find('.', end + 1), path.size());
    if (glob_->pattern.match(llvm::StringRef(path.data(), end))) return path.substr(0, end);
  }
  return {};
}

absl::StatusOr<NodeFilter> in_modules(const Graph& graph, absl::Span<const std::string> patterns,
                                      const InModulesOptions& options) {
  if (patterns.empty()) return NodeFilter();
  std::vector<std::string> paths;
  if (options.required) paths = module_paths(graph, options.nested);
  std::vector<ModulePattern> parsed;
  for (const std::string& text : patterns) {
    FX_ASSIGN_OR_RETURN(ModulePattern pattern, ModulePattern::parse(text));
    const bool selects =
        std::ranges::any_of(paths, [&](const std::string& path) { return pattern.contains(path); });
    if (options.required && !selects) return no_such_module(text, paths);
    parsed.push_back(std::move(pattern));
  }
  const auto filter = std::make_shared<ModuleFilter>(std::move(parsed));
  return [filter](const Node& node) { return filter->contains(path_of(node)); };
}

// ---------------------------------------------------------------- parts of a graph

absl::StatusOr<SelectedNodes> select_nodes(const Graph& graph, const Selection& selection) {
  SelectedNodes selected(graph);
  NodeSet near(graph);
  if (!selection.around.empty()) {
    if (absl::Status status = add_neighborhood(graph, selection, near); !status.ok()) return status;
  }
  FX_ASSIGN_OR_RETURN(const NodeFilter in_selected,
                      in_modules(graph, selection.modules, {.nested = false}));
  for (const Node& node : graph.nodes()) {
    if (!selection.around.empty() && !near.contains(node)) continue;
    if (in_selected && !in_selected(node)) continue;
    selected.inside.insert(node);
    ++selected.size;
  }
  if (!in_selected) return selected;
  if (selected.size == 0) {
    return absl::NotFoundError(fmt::format("no node of the selected modules is within {} of {}",
                                           pluralize(selection.depth, "edge"), selection.around));
  }
  for (const Node& node : graph.nodes()) {
    bool touches = false;
    node.for_each_input([&](Node* operand) {
      if (selected.inside.contains(node) && !selected.inside.contains(*operand))
        selected.context.insert(*operand);
      touches |= selected.inside.contains(*operand);
    });
    if (touches && !selected.inside.contains(node) && !node.is_output())
      selected.context.insert(node);
  }
  return selected;
}

}  // namespace fx
