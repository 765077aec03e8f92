// Provenance: the nodes that a node is based on, the pass that created it, and its position in
// the user's program.
//
//   fx::ProvenanceScope scope(graph, "fuse_add_relu");
//   {
//     fx::SourceGuard source = scope.making_from(*add);
//     fused = graph.call_function(add_relu, {x, y});  // has add's module, stack trace, ...
//   }
//   relu->replace_all_uses_with(fused);               // records relu as replaced
//
//   for (const fx::NodeSource& s : fx::node_sources(*fused)) std::cout << s.str();
//   // (name=add, pass_name=fuse_add_relu, action=create, graph_id=0)
//   // (name=relu, pass_name=fuse_add_relu, action=replace+create, graph_id=0)
//
// Provenance is metadata, so it is printed, parsed and copied with the node: `from_node` contains
// the sources (docs/json.md describes the form), and other keys the position in the program.
// torch.fx's counterparts are traceback.NodeSource, set_current_meta, annotate and
// GraphTransformObserver.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

enum class SourceAction : uint8_t {
  kCreate,   ///< the node was created from this source
  kReplace,  ///< the node replaced this source
};

/// The state of a node when another node was created from it. The node may have been erased since
/// then.
struct NodeSource {
  std::string name;  ///< empty, like `target`, if the pass named no source
  std::string target;
  int64_t graph_id = -1;  ///< the graph's number: its metadata kGraphIdKey, or 0
  std::string pass_name;
  std::vector<SourceAction> actions;
  std::vector<NodeSource> from_node;  ///< the sources of the source itself

  /// The current state of the node, with its history.
  static NodeSource of(const Node& node, std::string_view pass_name = {},
                       absl::Span<const SourceAction> actions = {});
  /// Reads an entry of `from_node`. Missing keys get their default values. Returns InvalidArgument
  /// if `entry` is not a dict or a value is of the wrong kind.
  static absl::StatusOr<NodeSource> from_argument(const Argument& entry);
  Argument to_argument() const;
  /// The text that torch.fx prints: a line for this source, then the lines of its history, indented
  /// by four spaces, at most ten levels.
  std::string str() const;

  friend bool operator==(const NodeSource&, const NodeSource&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const NodeSource& s) {
    return H::combine(std::move(h), s.name, s.target, s.graph_id, s.pass_name, s.actions,
                      s.from_node);
  }
};

/// Graph metadata, an integer: identifies the graph in histories.
inline constexpr std::string_view kGraphIdKey = "graph_id";
/// Node metadata, a dict: the user's annotations.
inline constexpr std::string_view kCustomKey = "custom";

/// The sources of a node: the well-formed entries of `from_node`.
std::vector<NodeSource> node_sources(const Node& node);
/// torch.fx's get_graph_provenance_json: node name -> list of sources, for every call_function.
/// write_plain_json (ir/json/json.h) converts it to JSON.
Argument graph_provenance(const Graph& graph);

/// The metadata keys for the position of a node in the user's program and for the user's
/// annotations: module, module_stack, stack_trace, original_aten, source_fn, region, seq, custom,
/// ...
absl::Span<const std::string_view> provenance_keys();
/// Copies the provenance keys that `node` lacks from a node of any graph of the same Context. For
/// `custom`, a dict, copies the entries that `node` lacks.
void inherit_provenance(Node& node, const Node& from);

/// The metadata keys that describe the value of a node, not its origin: val, tensor_meta, ... They
/// are valid only for a value of the same type.
absl::Span<const std::string_view> value_keys();
/// Copies all metadata to a node that a pass creates in place of `from`, a node of the same Context.
/// Copies the entries of value_keys() only if both nodes have the same known type, so the type of
/// `node` must already be set.
void inherit_meta(Node& node, const Node& from);
/// Sets the type of a node whose value changes. If this changes a known type, removes the metadata
/// of the old value (value_keys()).
void change_type(Node& node, Type type);

/// The nodes with the same autograd number (metadata `seq`): nodes of the forward pass and the
/// backward nodes that belong to them. Sorted by number, then in program order.
std::vector<std::pair<int64_t, std::vector<Node*>>> nodes_by_seq(const Graph& graph);

class ProvenanceScope;

/// Ends ProvenanceScope::making_from when it goes out of scope.
class [[nodiscard]] SourceGuard {
 public:
  SourceGuard(SourceGuard&& other) noexcept;
  SourceGuard& operator=(SourceGuard&&) = delete;
  ~SourceGuard();

 private:
  friend class ProvenanceScope;
  struct Source {
    Argument from_node;  // list of sources
    std::vector<std::pair<std::string_view, Argument>> inherited;
  };
  SourceGuard(ProvenanceScope* scope, Source outer) : scope_(scope), outer_(std::move(outer)) {}
  ProvenanceScope* scope_;
  Source outer_;  // restored at the end
};

/// Records, during its lifetime, the sources and replacements of the nodes of a graph. Used in the
/// body of a pass:
///
///   * a new node gets sources with the action `create`: the nodes of making_from, else one source
///     that names only the pass;
///   * a node that replaces uses of another node gets that node as a source with the action
///     `replace` (`replace+create` for a new node), once;
///   * a new node inherits the provenance of the nodes that it is based on, or otherwise of the
///     node that it replaces.
///
/// Copies (node_copy, graph_copy) have the metadata of their originals. A history keeps at most
/// kMaxSources sources: the oldest are dropped first. `graph` must outlive the scope.
class ProvenanceScope final : public GraphObserver {
 public:
  static constexpr size_t kMaxSources = 256;

  ProvenanceScope(Graph& graph, std::string_view pass_name);
  ~ProvenanceScope() override;
  ProvenanceScope(const ProvenanceScope&) = delete;
  ProvenanceScope& operator=(const ProvenanceScope&) = delete;

  /// While the guard exists, new nodes have this node (or these nodes) as their sources. A source
  /// may be a node of any graph of the same Context. Guards nest; the innermost one applies.
  SourceGuard making_from(const Node& node);
  SourceGuard making_from(absl::Span<const Node* const> nodes);

  void node_created(Node& node) override;
  void use_replaced(Node& old_value, Node& new_value, Node& user) override;

 private:
  friend class SourceGuard;
  Graph& graph_;
  const std::string pass_name_;
  const uint32_t first_new_id_;
  SourceGuard::Source source_;
  uint64_t last_replaced_ = ~uint64_t{0};  // ids of the last old and new value
};

/// During its lifetime, adds these entries to the annotations (metadata `custom`) of every new
/// node of a graph. Scopes nest: if two scopes have the same key, the inner one applies.
class AnnotationScope final : public GraphObserver {
 public:
  using Entries = std::vector<std::pair<std::string, Argument>>;

  AnnotationScope(Graph& graph, Entries entries);
  ~AnnotationScope() override;
  AnnotationScope(const AnnotationScope&) = delete;
  AnnotationScope& operator=(const AnnotationScope&) = delete;

  void node_created(Node& node) override;

 private:
  Graph& graph_;
  const Entries entries_;
};

}  // namespace fx
