// Views of values in functionalize: creates nodes, views and the inverses of views.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/types/type.h"
#include "fx/passes/functionalize/functionalize_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::functional {

/// Creates the nodes of a rewrite, at the graph's insert point.
class NodeBuilder {
 public:
  /// `is_nested` is true if a call runs the graph, with operands that may be lazy views.
  NodeBuilder(Graph& graph, NodeMap<char>& touched, bool is_nested)
      : graph_(graph), touched_(touched), is_nested_(is_nested) {}

  /// Creates a typed call with the metadata of `origin`, except for the region and sequence number,
  /// which are those of the node that set_place() set.
  Node* call(std::string_view function, absl::Span<const Argument> args, const Node& origin,
             absl::Span<const Kwarg> kwargs = {});
  Node* getitem(Node& list, int64_t index, Type type, const Node& origin);
  /// Copies the call, with `new_source` instead of `source`.
  Node* repeat(const Node& call, Node* source, Node* new_source);
  /// Sets the node before which new nodes are created.
  void set_place(const Node& node) { place_ = &node; }
  /// Completes the type of a call to `copy` or a scatter: a copy of `source`, a value of a view
  /// with the type `view`. The copy keeps strides and offset, unless elements overlap, or `source`
  /// may be a lazy view.
  void set_type_of_copy(Node& copy, const Node& source, Type view) const;
  Graph& graph() const { return graph_; }
  /// True if libtorch may conjugate or negate the elements of the value when it reads them. Most
  /// operators, including `copy` and scatters, then receive a dense copy of it.
  bool may_be_lazy(const Node& value) const;

 private:
  void label(Node& node, const Node& origin);
  void infer(Node& node, Type recorded);
  Graph& graph_;
  NodeMap<char>& touched_;
  bool is_nested_;
  const Node* place_ = nullptr;
  absl::flat_hash_map<std::string_view, std::pair<Target, std::string>> functions_;
};

/// Returns an argument of the call that created the view, by the position of its parameter in the
/// schema (ops::ViewKind); None if the call omits it and it has no default.
Argument view_argument(const View& view, size_t parameter);
/// True if squeeze.dim removes the dimension of `whole`, the type of its operand; nullopt if it is
/// unknown.
std::optional<bool> squeezes(const View& view, Type whole);
/// True if the strides of a value that is written through the view do not matter.
bool is_scattered(ViewKind kind);
/// Returns what is known of the type of a functional form's result, which has the type `result` and
/// is the new value of a tensor of type `old`. The result of eq is bool, whatever the dtype of the
/// tensor that eq_ writes to.
Type type_of_result(TypeTable& types, Type old, Type result);
/// Creates the view of `source`, a value of its parent.
Node* take_view(NodeBuilder& builder, const View& view, const View& parent, Node* source);
/// Creates a copy of `source`, a value of the view's parent, in which `value` replaces the view.
Node* write_view(NodeBuilder& builder, const View& view, const View& parent, Node* source,
                 Node* value);
/// Returns a copy of `value` in new memory: at its start, with the sizes and strides of `type`.
Node* in_new_memory(NodeBuilder& builder, Type type, Node* value, const Node& origin);
/// Returns as_strided's arguments for a view of `source`, a value of `outer`, or of a copy of it.
std::vector<Argument> strided_arguments(NodeBuilder& builder, const View& view, const View& outer,
                                        Node* source);
/// Creates a copy of `source`, a value of `outer`, in which `value` replaces the view, which is a
/// part of a part of `outer`. Both must have known layouts.
Node* write_strided(NodeBuilder& builder, const View& view, const View& outer, Node* source,
                    Node* value);
/// Returns the range of a list's item along the dimension that was split: its first index, and the
/// index after its last. Nullopt if it is unknown.
std::optional<std::pair<int64_t, int64_t>> split_range(const View& view);

}  // namespace fx::functional
