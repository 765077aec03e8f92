// Selects part of a graph: the nodes of modules, or the neighborhood of a node.
//
//   FX_ASSIGN_OR_RETURN(const fx::NodeFilter only, fx::in_modules(graph, {"layer*.conv?", "fc"}));
//   FX_RETURN_IF_ERROR(fx::remove_dropout(graph, root, {.only = only}).status());
//
// In a pattern, `*` matches any characters, including dots, and `?` one character; `[0-3]`
// matches one of the listed characters, and `{conv,fc}` one of the alternatives. A pattern selects
// the modules that it matches and the modules inside them: `layer1` selects `layer1.0.conv1`, but
// not `layer10`.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/graph/node_map.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// A pattern for the paths of modules; see the top of this file.
class ModulePattern {
 public:
  /// Returns InvalidArgument for an empty pattern, and for one with an unmatched bracket or brace.
  static absl::StatusOr<ModulePattern> parse(std::string_view text);

  /// Returns the outermost module that matches among the module with this path and the modules
  /// around it, as a prefix of the path; empty if none matches. The empty path, which is that of a
  /// node whose module is unknown, is in no module.
  std::string_view selected_module(std::string_view path) const;
  bool contains(std::string_view path) const { return !selected_module(path).empty(); }

 private:
  struct Glob;
  explicit ModulePattern(std::shared_ptr<const Glob> glob) : glob_(std::move(glob)) {}
  std::shared_ptr<const Glob> glob_;
};

/// Selects nodes. An empty function selects all nodes.
using NodeFilter = std::function<bool(const Node&)>;

struct InModulesOptions {
  /// Whether each pattern must select a node.
  bool required = true;
  /// Whether a node of a nested graph is sufficient.
  bool nested = true;
};

/// Returns a filter for the nodes whose module (module_path, module_tree.h) is selected by a
/// pattern: calls of the forward and the backward pass, parameters and buffers. A call_module node
/// belongs to the module that it calls. Returns an empty filter if there are no patterns.
/// The filter is also valid for nodes that are created later. It matches each path once, and keeps
/// the results in a table that its copies share: only one thread at a time may call them.
///
/// Errors: those of ModulePattern::parse; NotFound, with similar paths, if a pattern selects no
/// node of the graph, unless `required` is false.
absl::StatusOr<NodeFilter> in_modules(const Graph& graph, absl::Span<const std::string> patterns,
                                      const InModulesOptions& options = {});

/// Selects the nodes that match both a node and a module if both are set, and the whole graph if
/// neither is set.
struct Selection {
  std::string around;  ///< the name of a node: selects its operands and users, transitively
  int depth = 2;       ///< the maximum number of edges from that node
  /// Module patterns: selects the nodes (of both passes) and the parameters of matching modules.
  std::vector<std::string> modules;
};

struct SelectedNodes {
  explicit SelectedNodes(const Graph& graph) : inside(graph), context(graph) {}
  NodeSet inside;
  NodeSet context;  ///< for modules, the operands and users of their nodes that are not selected
  size_t size = 0;  ///< number of nodes in `inside`
};

/// Returns NotFound, with similar names, if there is no such node or module, and the errors of
/// in_modules. Paths do not pass through the graph's output, which uses all results.
absl::StatusOr<SelectedNodes> select_nodes(const Graph& graph, const Selection& selection);

}  // namespace fx
