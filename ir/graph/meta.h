// Metadata: information about a node that does not change its meaning.
//
// A metadata value is an Argument without nodes, so that it can be printed, parsed and copied.
// Keys are typed:
//
//   node.meta().set(meta::kSeq, 12);
//   if (std::optional<int64_t> seq = node.meta().get(meta::kSeq)) ...
//
// Values are kept in columns, one per key; a column with few values is a hash table (meta.cpp).
// Copies of a node (node_copy, graph_copy, clone, rewrites) inherit its metadata. Data that only
// one pass uses belongs in a NodeMap (ir/graph/node_map.h) instead.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/support/symbol.h"

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fx {

class Graph;
class Node;

/// A key whose values have the C++ type T: bool, int64_t, double, std::string_view, Type, or
/// Argument for anything else.
template <class T>
struct MetaKey {
  std::string_view name;
};

/// Keys that fxcpp reads and writes. Every transformation preserves provenance.
namespace meta {
inline constexpr MetaKey<std::string_view> kModule{"module"};     ///< path of the innermost module
inline constexpr MetaKey<Argument> kModuleStack{"module_stack"};  ///< [[key, path, class], ...]
inline constexpr MetaKey<std::string_view> kStackTrace{"stack_trace"};  ///< innermost frame last
inline constexpr MetaKey<std::string_view> kOriginalAten{"original_aten"};
inline constexpr MetaKey<Argument> kFromNode{"from_node"};     ///< the origin of the node
inline constexpr MetaKey<std::string_view> kRegion{"region"};  ///< "fw" or "bw"
inline constexpr MetaKey<int64_t> kSeq{
    "seq"};  ///< autograd's sequence number, which forward and backward nodes share
inline constexpr MetaKey<std::string_view> kAnnotation{
    "annotation"};                                   ///< torch.fx's Node.type, as text
inline constexpr MetaKey<Argument> kInput{"input"};  ///< on placeholders: the kind of input
/// On placeholders: placeholders with the same number share one storage, each with the strides and
/// offset of its type (interp/shared_inputs.h).
inline constexpr MetaKey<int64_t> kSharedMemory{"shared_memory"};
inline constexpr MetaKey<Argument> kOutputs{"outputs"};  ///< on the output: the kind of each result
}  // namespace meta

/// The columns of one graph. Used through NodeMeta.
class MetaTable {
 public:
  const Argument* find(std::string_view key, uint32_t slot) const;
  const Argument* find(Symbol key, uint32_t slot) const;
  void set(Symbol key, uint32_t slot, Argument value);
  bool remove(std::string_view key, uint32_t slot);
  void remove_all(uint32_t slot);
  /// Copies the values of another table at the first index of each pair to the second index
  /// (dense_index), key by key, which is faster than node by node.
  void copy(const MetaTable& other, absl::Span<const std::pair<uint32_t, uint32_t>> indexes);
  /// Removes all values. The order of the keys is kept.
  void clear();
  /// Removes all values and takes the values of another table. Keys keep the order in which they
  /// were first seen in this table.
  void take(MetaTable&& other);
  size_t memory_bytes() const;

 private:
  friend class NodeMeta;
  struct Column {
    Symbol key;
    std::vector<std::optional<Argument>> values;  // see ColumnValues in meta.cpp
  };
  Column* find_column(Symbol key);
  std::vector<Column> columns_;
};

/// The metadata of one node; a view that is valid as long as the node exists.
class NodeMeta {
 public:
  class Column;

  explicit NodeMeta(const Node* node) : node_(node) {}

  template <class T>
  std::optional<T> get(MetaKey<T> key) const {
    const Argument* value = find(key.name);
    return value ? decode<T>(*value) : std::nullopt;
  }
  template <class T>
  void set(MetaKey<T> key, const std::type_identity_t<T>& value) {
    set(key.name, Argument(value));
  }
  template <class T>
  bool has(MetaKey<T> key) const {
    return find(key.name) != nullptr;
  }
  template <class T>
  bool remove(MetaKey<T> key) {
    return remove(key.name);
  }

  /// These accept any key. find returns null if there is no such entry. A value must not contain
  /// a node; checked.
  const Argument* find(std::string_view key) const;
  /// Does the same without comparing strings.
  const Argument* find(Symbol key) const;
  void set(std::string_view key, Argument value);
  bool remove(std::string_view key);
  bool empty() const;
  /// All entries, in the order in which the keys were first used in the graph.
  void for_each(absl::FunctionRef<void(Symbol key, const Argument& value)> f) const;
  /// Copies all entries of a node of any graph of the same Context. Replaces entries with the same
  /// keys.
  void copy_from(const Node& other);

 private:
  template <class T>
  static std::optional<T> decode(const Argument& value);
  const Node* node_;
};

/// The values of one key, for passes that read them for many nodes. Valid until the graph's nodes
/// or their metadata change.
class NodeMeta::Column {
 public:
  Column(const Graph& graph, Symbol key);
  /// The value of a node of the graph; null when it has none.
  const Argument* find(const Node& node) const;

 private:
  const std::vector<std::optional<Argument>>* values_ = nullptr;
};

}  // namespace fx
