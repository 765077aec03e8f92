// A pattern that is prepared for matching: its nodes and their arguments are in flat tables.
#pragma once

#include "fx/ir/ops/op_info.h"
#include "fx/passes/rewrite/pattern.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx::rewrite {

inline constexpr uint32_t kNoIndex = ~uint32_t{0};

/// Returns the target as a number. The numbers of two nodes of one Context are equal if and only if
/// their targets are equal.
inline uint64_t target_key(const Node& node) {
  return node.op() == Opcode::kCallFunction
             ? static_cast<uint64_t>(reinterpret_cast<uintptr_t>(node.function().data()))
             : node.target_symbol().id();
}

/// An argument of a pattern's call.
struct PatternValue {
  enum class Kind : uint8_t {
    kNode,      ///< the values that `index` matches
    kSequence,  ///< a list or tuple of `count` items from `index` in `values`
    kSlice,     ///< like kSequence, with three items
    kDict,      ///< like kSequence for the values; `literal` contains the keys
    kLiteral,   ///< `literal`
  };
  Kind kind = Kind::kLiteral;
  uint32_t index = 0;
  uint32_t count = 0;
  bool has_rest = false;  ///< the last item of the sequence matches the rest
  Argument literal;
};

/// The values that a placeholder matches.
enum class InputKind : uint8_t {
  kAny,
  kValue,
  kConstant,
  kInt,
  kFloat,
  kNumber,
  kBool,
  kString,
  kList,
};

struct PatternNode {
  enum class Kind : uint8_t {
    kExact,      ///< opcode and target
    kAttribute,  ///< get_attr
    kInput,      ///< a placeholder that matches any value
    kAnyOf,      ///< one of its arguments
    kCallOf,     ///< a call to one of `functions`, or to any function if there are none
    kModuleOf,   ///< a call to a module of the class `class_name`
  };
  const Node* node = nullptr;
  Kind kind = Kind::kExact;
  Opcode op = Opcode::kCallFunction;
  InputKind input = InputKind::kAny;
  bool is_returned = false;
  bool is_rest = false;      ///< an input that matches the rest of a list: `%items[*items]`
  bool is_replaced = false;  ///< a replacement erases the matched node
  bool is_kept = false;      ///< `match="kept"`: matched, but not erased if other nodes use it
  bool is_commutative = false;
  uint64_t target = 0;
  Type type;  // null for any type

  uint32_t args = 0, num_args = 0;      // in values
  uint32_t kwargs = 0, num_kwargs = 0;  // in values; their names from kwarg_names in names
  uint32_t kwarg_names = 0;
  // For an operator: every argument of its schema, in schema order.
  const ops::OpInfo* schema = nullptr;
  uint32_t schema_values = 0, num_schema = 0;
  std::vector<Target> functions;
  std::string class_name;
  std::optional<Argument> default_value;  // for a placeholder

  /// True for a node whose match is one of the replaced nodes, not an input.
  bool is_matched() const { return kind != Kind::kInput && kind != Kind::kAnyOf; }
};

/// The path from nodes that earlier anchors bind to the candidates of an additional anchor. It
/// starts at `from` and follows users that match the nodes of `path` in order; the last user is the
/// anchor.
struct AnchorPath {
  uint32_t from = kNoIndex;
  std::vector<uint32_t> path;
};

struct CompiledPattern {
  const Graph* graph = nullptr;
  PatternOptions options;
  std::vector<PatternNode> nodes;
  std::vector<PatternValue> values;
  std::vector<Symbol> names;
  std::vector<Argument> defaults;  // parallel to values, for the values in schemas
  std::vector<uint32_t> index_of;  // by the id of the pattern's node; kNoIndex if not matched
  std::vector<uint32_t> placeholders, kept, returned, anchors;
  std::vector<PatternValue> anchor_values;
  std::vector<AnchorPath> anchor_paths;  // parallel to anchors
  std::vector<Node*> placeholder_nodes, returned_nodes, anchor_nodes;
  bool may_cycle = true;     // see MatchFinder::has_cycle
  bool has_choices = false;  // more than one way to match from given anchors
  bool has_types = false;    // a node requires a type

  uint32_t index(const Node& node) const {
    return node.id() < index_of.size() ? index_of[node.id()] : kNoIndex;
  }
};

/// True if a constant of the pattern equals a constant of the graph. With `exact`, values must have
/// the same kind, also in lists; 0.0 is not equal to -0.0, and NaN is equal to NaN. Otherwise,
/// Python's rules apply, and with `same_kind`, the outermost values must have the same kind.
bool literal_equal(const Argument& a, const Argument& b, bool same_kind, bool exact);

}  // namespace fx::rewrite
