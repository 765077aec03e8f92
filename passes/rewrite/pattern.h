// Pattern: a graph that stands for many, to be found in other graphs.
//
//   graph(%x, %w, %b) {                       placeholders match anything: inputs of the match
//     %mm = aten.mm.default(%x, %w)
//     %add = aten.add.Tensor(%mm, %b)         calls match calls of the same target
//     return %add                             what the rest of the graph may read
//   }
//
// Matching is backwards from the anchors, the returned values that nothing else in the pattern
// reads. A pattern is checked and prepared once (create), then used for any number of graphs.
//
// Beyond torch.fx's patterns, unless PatternOptions::torch_fx() is asked for:
//
//   * a placeholder's type, if it has one, is a wanted type: `%x : f32[n, 64]` takes a tensor with
//     these sizes, where a symbol stands for any size, the same wherever it occurs;
//   * its meta data `match` says which values it takes: "value" (a node), "constant" (no node),
//     "int", "float", "number", "bool", "string", "list"; what it took is its value in a
//     replacement too, so that constants are bound;
//   * match.any_of(%a, %b): what %a or else %b matches, tried in this order; match.optional(%a, %x)
//     is the same said of an optional step. Placeholders that only one of them has take their
//     default values (`%b = None`) when another one is found;
//   * match.call([op(aten.relu.default), op(aten.gelu.default)], %x): a call of one of these
//     functions; of any with an empty list;
//   * a call with the meta data `match="kept"` is looked at but not replaced: it may be read
//     elsewhere, and stays as long as it is. A replacement may have it as an input, by its name;
//   * a placeholder with a star, `%items[*items]`, at the end of a list takes the rest of it,
//   perhaps
//     nothing; in a list of the replacement its items stand in its place;
//   * match.module("Conv2d", %x): a call of a module of this class, by its qualified name or the
//     last part of it; the graph's owning module has to have it.
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

/// How a pattern's graph is read. The defaults are meant to find what a reader of the pattern would
/// call an occurrence; torch_fx() is what torch.fx 2.13 finds.
struct PatternOptions {
  /// The output node matches as well: only whole graphs, from the end, match.
  bool match_output = false;
  /// Placeholders match placeholders only.
  bool match_placeholder = false;
  /// A constant matches every constant.
  bool ignore_literals = false;
  /// Also a node, as in torch.fx, when `ignore_literals` is on.
  bool ignored_literals_take_nodes = false;
  /// Two placeholders never stand for the same node. Otherwise f(a, b) is found in f(x, x).
  bool distinct_placeholders = false;
  /// Arguments are compared as the operator's schema names them, positional or by keyword, with
  /// defaults filled in, whenever they are not given the same way. False: for operator overloads
  /// only, otherwise as they stand, keywords in their order.
  bool normalize = true;
  /// The first two arguments of addition, multiplication and so on match in either order.
  bool commutative = false;
  /// A get_attr of the pattern may have readers outside of the match; it then stays in the graph.
  bool share_attributes = true;
  /// get_attr nodes match by path; otherwise any parameter matches a parameter, any other tensor
  /// another tensor.
  bool attribute_paths = false;
  /// Slices and dicts of the pattern may hold nodes; torch.fx compares them as constants.
  bool nested_nodes = true;
  /// What the list in front of this class says of types, `match` meta data and `match.` functions.
  bool extensions = true;

  static PatternOptions torch_fx();
};

/// See the head of this file. Cheap to copy; the graph must outlive it and stay as it is.
class Pattern {
 public:
  /// InvalidArgument, naming the node, for a pattern that cannot match or says nothing: without
  /// calls, without an output, with nodes or placeholders that the result does not depend on, with
  /// a returned placeholder that nothing else reads, or with unknown words in `match` meta data.
  static absl::StatusOr<Pattern> create(const Graph& graph, const PatternOptions& options = {});

  const Graph& graph() const;
  const PatternOptions& options() const;
  /// In order; a replacement's placeholders stand for the same by position.
  absl::Span<Node* const> placeholders() const;
  /// The nodes that the output reads, each once, in the order of first occurrence.
  absl::Span<Node* const> returned() const;
  /// Where matching starts: the returned nodes without other readers; the output with match_output.
  absl::Span<Node* const> anchors() const;

  /// For the matcher (pattern_internal.h).
  const rewrite::CompiledPattern& compiled() const { return *compiled_; }
  std::shared_ptr<const rewrite::CompiledPattern> share() const { return compiled_; }

 private:
  explicit Pattern(std::shared_ptr<const rewrite::CompiledPattern> compiled)
      : compiled_(std::move(compiled)) {}
  std::shared_ptr<const rewrite::CompiledPattern> compiled_;
};

/// Patterns have at most so many nodes.
inline constexpr size_t kMaxPatternNodes = 1 << 16;

}  // namespace fx
