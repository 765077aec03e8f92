// replace_pattern: replaces every occurrence of one graph in another by a third.
//
//   pattern:      graph(%x, %w, %b) { %mm = aten.mm.default(%x, %w)
//                                     %add = aten.add.Tensor(%mm, %b)  return %add }
//   replacement:  graph(%x, %w, %b) { %addmm = aten.addmm.default(%b, %x, %w)  return %addmm }
//
// torch.fx's function of the same name, with ReplaceOptions::torch_fx() to the letter where
// torch.fx's result is a valid graph (docs/rewriting.md has the differences). The occurrences are
// those in the graph as it was: what a replacement brings in is not searched.
//
// The replacement goes in front of the first reader of a returned value. Where an operand stands
// behind its reader when all matches are replaced, what reads it is moved behind it. Results take
// over the readers of what the pattern returns, in order; then the nodes matched are erased. New
// nodes are named as in the replacement, made unique.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/rewrite/pattern.h"
#include "fx/passes/rewrite/subgraph_matcher.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class GraphModule;

struct ReplaceOptions {
  PatternOptions pattern = {};
  /// `filter` is torch.fx's match_filters. The overlap must not be kAll.
  MatchOptions match = {};
  /// New nodes without provenance (module, stack trace, ...) have that of the match's anchor,
  /// results without a type the type of what they replace, and other new nodes that of their
  /// operator, where it and the types of the operands are known.
  bool inherit_meta = true;

  static ReplaceOptions torch_fx();
};

/// What was replaced.
class Replacements {
 public:
  explicit Replacements(MatchList matches) : matches_(std::move(matches)) {}
  size_t size() const { return matches_.size(); }
  bool empty() const { return matches_.empty(); }
  /// The match. Its inputs are what they are now; the nodes that it found are gone and must not be
  /// looked at.
  Match match(size_t i) const { return matches_[i]; }
  /// The nodes that were put in, in order.
  absl::Span<Node* const> inserted(size_t i) const {
    return absl::MakeSpan(inserted_).subspan(ends_[i], ends_[i + 1] - ends_[i]);
  }

 private:
  friend class rewrite::Replacer;
  MatchList matches_;
  std::vector<Node*> inserted_;
  std::vector<size_t> ends_ = {0};
};

/// A replacement made for one match. The graph must live until replace_pattern returns; null: leave
/// this match alone.
using MakeReplacement = std::function<absl::StatusOr<const Graph*>(const Match& match)>;

/// Replaces the pattern in the graph (not in its nested graphs). Placeholders of the replacement
/// stand for those of the pattern by position, or by name where all names agree. Returned values
/// are paired with the pattern's, each counted once.
///
/// InvalidArgument, with the graph unchanged, when the pattern is bad (Pattern::create), the
/// numbers of placeholders or results differ, or the Contexts do; FailedPrecondition when a
/// replacement cannot stand where it would have to, since nodes with effects are in the way of
/// moving the readers; errors of find_matches. An error of `make` leaves the graph valid, with the
/// matches before replaced.
absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Graph& pattern,
                                             const Graph& replacement,
                                             const ReplaceOptions& options = {});
absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Graph& pattern,
                                             const MakeReplacement& make,
                                             const ReplaceOptions& options = {});
/// With a pattern that is prepared; `options.pattern` is not looked at.
absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Pattern& pattern,
                                             const Graph& replacement,
                                             const ReplaceOptions& options = {});
/// The same with the modules and tensors that the replacement refers to: what `module` lacks is
/// copied from `replacement`, what it has at the same path stays and is used. Then submodules that
/// nothing refers to any more are removed. NotFound, with nothing changed, when neither has one.
absl::StatusOr<Replacements> replace_pattern(GraphModule& module, const GraphModule& pattern,
                                             const GraphModule& replacement,
                                             const ReplaceOptions& options = {});

}  // namespace fx
