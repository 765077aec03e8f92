// Pattern: a graph with placeholders, which is searched for in other graphs.
//
//   graph(%x, %w, %b) {                       placeholders match any value: inputs of the match
//     %mm = aten.mm.default(%x, %w)
//     %add = aten.add.Tensor(%mm, %b)         calls match calls to the same target
//     return %add                             a value that the rest of the graph may use
//   }
//
// Matching starts at the anchors, the returned values without users in the pattern, and follows
// operands. A pattern is checked and prepared once (create), then used for any number of graphs.
//
// Extensions of torch.fx's patterns, except with PatternOptions::torch_fx():
//
//   * the type of a placeholder, if it has one, is required: `%x : f32[n, 64]` matches a tensor
//     with these sizes. A symbol matches any size, but the same size at each occurrence;
//   * the metadata `match` of a placeholder restricts the values that it matches: "value" (a
//     node), "constant" (not a node), "int", "float", "number", "bool", "string", "list". The
//     replacement also uses the matched value, so constants are bound;
//   * match.any_of(%a, %b) matches the values that %a matches, and otherwise those that %b matches;
//     match.optional(%a, %x) does the same for an optional step. Placeholders of an alternative
//     that does not match have their default values (`%b = None`);
//   * match.call([op(aten.relu.default), op(aten.gelu.default)], %x) matches a call to one of these
//     functions; with an empty list, to any function;
//   * a call with the metadata `match="kept"` is matched but not replaced: it may have users
//     outside the match, and is not erased. A replacement may have it as an input, by its name;
//   * a placeholder with a star, `%items[*items]`, at the end of a list matches the rest of the
//     list, which may be empty; in a list of the replacement it is replaced by these items;
//   * match.module("Conv2d", %x) matches a call to a module of this class, by the qualified name of
//     the class or its last component; the graph's owning module must contain the module.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace fx {

namespace rewrite {
struct CompiledPattern;
}

/// Options for the interpretation of a pattern's graph. torch_fx() returns the options that find
/// the occurrences that torch.fx 2.13 finds.
struct PatternOptions {
  /// The output node must also match, so a pattern matches only the end of a graph.
  bool match_output = false;
  /// Placeholders match only placeholders.
  bool match_placeholder = false;
  /// A constant of the pattern matches every constant.
  bool ignore_literals = false;
  /// With `ignore_literals`, a constant also matches a node, as in torch.fx.
  bool literals_match_nodes = false;
  /// Two placeholders never match the same node. Otherwise f(a, b) matches f(x, x).
  bool distinct_placeholders = false;
  /// Compares arguments that are passed in different ways, positionally or by keyword, by their
  /// names in the schema, including defaults. If false, does so only for operator overloads; calls
  /// to other functions must pass arguments in the same way, with keywords in the same order.
  bool normalize = true;
  /// The operands of commutative operators (addition, multiplication, ...) match in either order.
  bool commutative = false;
  /// A get_attr of the pattern may have users outside the match; in that case it is not erased.
  bool share_attributes = true;
  /// get_attr nodes match by path. Otherwise, a parameter matches any parameter, and a tensor that
  /// is not a parameter matches any such tensor.
  bool attribute_paths = false;
  /// Slices and dicts of the pattern may contain nodes; torch.fx compares them as constants.
  bool nested_nodes = true;
  /// Enables the extensions listed at the top of this file: types, `match` metadata and `match.`
  /// functions.
  bool extensions = true;

  static PatternOptions torch_fx();
};

/// A pattern that is prepared for matching. See the top of this file. Cheap to copy. The graph
/// must outlive it and must not change.
class Pattern {
 public:
  /// Checks and prepares a pattern. Returns InvalidArgument, naming the node, for a pattern that
  /// cannot match or would match every node: a pattern without calls, without an output, with nodes
  /// or placeholders that the result does not depend on, with a returned placeholder without other
  /// users, or with invalid `match` metadata or `match.` calls. Also returns it for a pattern with
  /// more than kMaxPatternNodes nodes.
  static absl::StatusOr<Pattern> create(const Graph& graph, const PatternOptions& options = {});

  const Graph& graph() const;
  const PatternOptions& options() const;
  /// Returns the placeholders, in order. The placeholders of a replacement correspond to
  /// them by position.
  absl::Span<Node* const> placeholders() const;
  /// Returns the operands of the output, without duplicates, in the order of first occurrence.
  absl::Span<Node* const> returned() const;
  /// Returns the nodes at which matching starts: the returned nodes without other users; with
  /// match_output, the output.
  absl::Span<Node* const> anchors() const;

  /// Returns the prepared form for the matcher (pattern_internal.h).
  const rewrite::CompiledPattern& compiled() const { return *compiled_; }
  std::shared_ptr<const rewrite::CompiledPattern> share() const { return compiled_; }

 private:
  explicit Pattern(std::shared_ptr<const rewrite::CompiledPattern> compiled)
      : compiled_(std::move(compiled)) {}
  std::shared_ptr<const rewrite::CompiledPattern> compiled_;
};

/// The maximum number of nodes of a pattern.
inline constexpr size_t kMaxPatternNodes = 1 << 16;

}  // namespace fx
