// Argument: an argument of a node.
//
// An Argument is an immutable tree of 16-byte tagged values: constants, nodes, and lists, tuples,
// dicts and slices of these. Pass writers create them in place,
//
//   graph.call_function(cat, {Argument::list({x, y}), 1});
//
// and read the arguments of a node through ArgumentRef (ir/graph/node_views.h), which has the same
// accessors.
#pragma once

#include "fx/ir/graph/target.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace fx {

class Argument;
class ArgumentRef;
class Graph;
class Node;

enum class ArgumentKind : uint8_t {
  kNone,
  kBool,
  kInt,
  kFloat,
  kComplex,
  kString,
  kDType,
  kDevice,
  kLayout,
  kMemoryFormat,
  kSymbolic,  ///< a symbolic number that is not the value of a node
  kType,      ///< a Type as a value (metadata; annotations)
  kFunction,  ///< a function or operator passed as a value
  kEllipsis,  ///< `...` in an index
  kObject,    ///< a constant of another Python class, kept as its text: `torch.per_tensor_affine`
  kGraph,     ///< a nested Graph, by its index among the graph's subgraphs
  kNode,      ///< the value of a node
  kList,
  kTuple,
  kStruct,  ///< a named tuple: items and the name of its class, which includes the fields if they
            ///< are known: `pkg.Point(x, y)`
  kDict,    ///< ordered; keys are strings or integers
  kSlice,   ///< three items: start, stop, step
  kRange,   ///< three integers: start, stop, step
};

/// The name of a kind as printed in messages: "int", "list", "memory_format", ...
std::string_view argument_kind_name(ArgumentKind kind);

/// True for kinds that contain other arguments.
constexpr bool is_aggregate(ArgumentKind kind) { return kind >= ArgumentKind::kList; }

/// The maximum nesting depth of aggregates. Readers of untrusted input reject deeper ones.
inline constexpr int kMaxArgumentDepth = 256;

/// The maximum nesting depth of graphs in files, for the same reason.
inline constexpr int kMaxGraphDepth = 64;

/// One entry of a dict, or one keyword argument of a call.
struct Kwarg;

/// See the top of this file. A copy costs at most one increment. An Argument that contains nodes or
/// Symbols is valid as long as their Graph or Context exists.
class Argument {
 public:
  Argument() = default;  ///< None
  Argument(std::nullptr_t) = delete;
  template <class T>
    requires std::is_same_v<T, bool>
  Argument(T value) : kind_(ArgumentKind::kBool) {
    payload_.i = value;
  }
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>)
  Argument(T value) : kind_(ArgumentKind::kInt) {
    payload_.i = static_cast<int64_t>(value);
  }
  Argument(double value) : kind_(ArgumentKind::kFloat) { payload_.f = value; }
  Argument(std::complex<double> value);
  Argument(const char* text) : Argument(std::string_view(text)) {}
  Argument(const std::string& text) : Argument(std::string_view(text)) {}
  Argument(std::string_view text);
  Argument(Symbol text);
  Argument(DType dtype) : kind_(ArgumentKind::kDType) { payload_.i = static_cast<int64_t>(dtype); }
  Argument(Layout layout) : kind_(ArgumentKind::kLayout) {
    payload_.i = static_cast<int64_t>(layout);
  }
  Argument(MemoryFormat format) : kind_(ArgumentKind::kMemoryFormat) {
    payload_.i = static_cast<int64_t>(format);
  }
  Argument(Device device);
  /// An integer if the dimension is constant, else a symbolic number.
  Argument(const Dim& dim);
  Argument(SymExpr expr);
  Argument(Type type);
  Argument(Target function);
  /// `node` must not be null.
  Argument(Node* node) : kind_(ArgumentKind::kNode) {
    if (!node) null_node();
    payload_.node = node;
  }
  Argument(Node& node) : Argument(&node) {}
  /// A copy of an argument of a node.
  Argument(ArgumentRef ref);

  static Argument none() { return Argument(); }
  static Argument ellipsis();
  static Argument list(absl::Span<const Argument> items);
  static Argument list(std::initializer_list<Argument> items);
  static Argument ints(absl::Span<const int64_t> values);
  static Argument tuple(absl::Span<const Argument> items);
  static Argument tuple(std::initializer_list<Argument> items);
  /// A named tuple of class `type_name`: "torch.Size" or, with its fields, "pkg.Point(x, y)", which
  /// printers show as `pkg.Point(x=..., y=...)`.
  static Argument named_tuple(std::string_view type_name, absl::Span<const Argument> items);
  /// Keys must be strings or integers, without duplicates; checked.
  static Argument dict(absl::Span<const std::pair<Argument, Argument>> items);
  static Argument slice(Argument start, Argument stop, Argument step);
  static Argument range(int64_t start, int64_t stop, int64_t step);
  /// A constant of a class that the IR does not define, represented by its text.
  static Argument object(std::string_view text);
  /// Nested graph `index` of the Graph whose node has this argument.
  static Argument graph(uint32_t index);

  Argument(const Argument& other)
      : kind_(other.kind_), owned_(other.owned_), payload_(other.payload_) {
    if (owned_) share_block();
  }
  Argument(Argument&& other) noexcept
      : kind_(other.kind_), owned_(other.owned_), payload_(other.payload_) {
    other.kind_ = ArgumentKind::kNone;
    other.owned_ = false;
  }
  Argument& operator=(Argument other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(owned_, other.owned_);
    std::swap(payload_, other.payload_);
    return *this;
  }
  ~Argument() {
    if (owned_) release_block();
  }

  ArgumentKind kind() const { return kind_; }
  bool is_none() const { return kind_ == ArgumentKind::kNone; }
  bool is_bool() const { return kind_ == ArgumentKind::kBool; }
  bool is_int() const { return kind_ == ArgumentKind::kInt; }
  bool is_float() const { return kind_ == ArgumentKind::kFloat; }
  bool is_string() const { return kind_ == ArgumentKind::kString; }
  bool is_node() const { return kind_ == ArgumentKind::kNode; }
  bool is_list() const { return kind_ == ArgumentKind::kList; }
  bool is_tuple() const { return kind_ == ArgumentKind::kTuple; }
  bool is_dict() const { return kind_ == ArgumentKind::kDict; }

  // Accessors: the kind must match; checked.
  bool as_bool() const;
  int64_t as_int() const;
  double as_float() const;
  std::complex<double> as_complex() const;
  /// The text of a string or object.
  std::string_view as_string() const;
  DType as_dtype() const;
  Device as_device() const;
  Layout as_layout() const;
  MemoryFormat as_memory_format() const;
  SymExpr as_symbolic() const;
  Type as_type() const;
  Target as_function() const;
  uint32_t as_graph() const;
  Node* as_node() const;
  /// The node; null if this is not a node.
  Node* node() const { return is_node() ? payload_.node : nullptr; }

  /// The number of items of an aggregate (dict: of entries; slice or range: 3); 0 for leaves.
  size_t size() const;
  /// Item `i` of a list, tuple, named tuple, slice or range; value `i` of a dict.
  const Argument& operator[](size_t i) const;
  /// The items of a list, tuple, named tuple, slice or range; empty for other kinds (including
  /// dicts).
  absl::Span<const Argument> items() const;
  /// Key `i` of a dict.
  const Argument& key(size_t i) const;
  /// Returns the value of the dict entry whose key is this text; null if there is none, or if this
  /// is not a dict. Takes time linear in the number of entries.
  const Argument* find(std::string_view key) const;
  /// Returns the text of the entry that find() returns; empty if there is none, or if it is not
  /// text.
  std::string_view find_text(std::string_view key) const;
  /// The class name of a named tuple.
  std::string_view type_name() const;
  /// The number of levels of aggregates: 0 for a leaf, 1 for a list of leaves, ...
  int depth() const;
  /// True if the tree contains a node.
  bool contains_node() const;

  /// Returns an aggregate of the same kind, keys and class name with these items, exactly size().
  Argument with_items(absl::Span<const Argument> items) const;

  /// True for equal trees: same kinds, same values (floats are compared bitwise, so that NaN equals
  /// itself and 0.0 differs from -0.0), same nodes.
  friend bool operator==(const Argument& a, const Argument& b) { return a.equals(b); }

 private:
  friend class ArgumentRef;
  friend class Graph;
  friend class GraphStorage;
  struct Block;  // a reference-counted array of items, or text
  union Payload {
    int64_t i;
    double f;
    const void* pointer;
    Node* node;
    Block* block;
  };

  static Argument make(ArgumentKind kind, absl::Span<const Argument> items);
  [[noreturn, gnu::cold]] static void null_node();
  void share_block();
  void release_block();
  bool equals(const Argument& other) const;

  ArgumentKind kind_ = ArgumentKind::kNone;
  bool owned_ = false;  // this value holds a reference to payload_.block
  Payload payload_ = {0};
};

struct Kwarg {
  Kwarg(std::string_view k, Argument v) : key(k), value(std::move(v)) {}
  Kwarg(Symbol k, Argument v) : key(k.str()), symbol(k), value(std::move(v)) {}
  std::string_view key;
  Symbol symbol;  ///< optional: the key, interned
  Argument value;
};

/// Copies an argument tree and replaces every node with the result of `f`. Subtrees without nodes
/// are shared. Visits nodes depth first, left to right.
Argument map_nodes(const Argument& argument, absl::FunctionRef<Argument(Node*)> f);
/// Like map_nodes, but replaces every leaf.
Argument map_leaves(const Argument& argument, absl::FunctionRef<Argument(const Argument&)> f);

}  // namespace fx
