// replace_pattern: replaces every occurrence of a pattern in a graph with a replacement.
//
//   pattern:      graph(%x, %w, %b) { %mm = aten.mm.default(%x, %w)
//                                     %add = aten.add.Tensor(%mm, %b)  return %add }
//   replacement:  graph(%x, %w, %b) { %addmm = aten.addmm.default(%b, %x, %w)  return %addmm }
//
// Equivalent to torch.fx's function of the same name; with ReplaceOptions::torch_fx() the result is
// identical whenever torch.fx's is a valid graph (docs/rewriting.md lists the differences).
// Occurrences are searched for only in the original graph, not in inserted nodes.
//
// A replacement is inserted before the first user of a returned value. If, after all
// matches have been replaced, an operand comes after its user, the user is moved after the operand.
// The results replace the values that the pattern returns, in order; then the matched nodes are
// erased. New nodes have unique names that are derived from the names in the replacement.
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
  /// `filter` is torch.fx's match_filters. `overlap` must not be kAll.
  MatchOptions match = {};
  /// New nodes without provenance (module, stack trace, ...) inherit the provenance of the match's
  /// anchor. Results without a type receive the type of the value that they replace. Other new
  /// nodes receive the type that is inferred for them, if the types of the operands are known.
  bool inherit_meta = true;
  /// Replaces only matches for which writes to memory (in place, `out=`) cannot change the results:
  /// no other call between the nodes of a match writes to memory that it reads, and each result is
  /// new memory, or shares the storage of the same input, before and after the replacement. A
  /// result that does neither is accepted if no call writes to its memory.
  bool check_memory = true;

  /// Returns the options for torch.fx's behavior, which ignores memory.
  static ReplaceOptions torch_fx();
};

/// The result of replace_pattern: the matches that were replaced, and the inserted nodes.
class Replacements {
 public:
  explicit Replacements(MatchList matches) : matches_(std::move(matches)) {}
  size_t size() const { return matches_.size(); }
  bool empty() const { return matches_.empty(); }
  /// Returns the match. Its inputs are current values; its matched nodes have been erased and must
  /// not be accessed.
  Match match(size_t i) const { return matches_[i]; }
  /// Returns the inserted nodes, in order.
  absl::Span<Node* const> inserted(size_t i) const {
    return absl::MakeSpan(inserted_).subspan(ends_[i], ends_[i + 1] - ends_[i]);
  }

 private:
  friend class rewrite::Replacer;
  MatchList matches_;
  std::vector<Node*> inserted_;
  std::vector<size_t> ends_ = {0};
};

/// Returns the replacement for a match, or null to skip the match. The replacement must live until
/// replace_pattern returns.
using MakeReplacement = std::function<absl::StatusOr<const Graph*>(const Match& match)>;

/// Replaces the pattern in the graph (not in its nested graphs). Placeholders of the replacement
/// correspond to those of the pattern by position, or by name if all names agree. Returned values
/// correspond to those of the pattern; duplicates count once.
///
/// Errors: InvalidArgument, without changes, if the pattern is invalid (Pattern::create), the
/// numbers of placeholders or results differ, or the Contexts differ; FailedPrecondition if there
/// is no legal position for a replacement, because nodes with effects prevent moving the users;
/// errors of find_matches. If `make` fails, the graph is valid, and the previous matches have been
/// replaced.
absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Graph& pattern,
                                             const Graph& replacement,
                                             const ReplaceOptions& options = {});
absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Graph& pattern,
                                             const MakeReplacement& make,
                                             const ReplaceOptions& options = {});
/// Does the same with a prepared pattern; `options.pattern` is ignored.
absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Pattern& pattern,
                                             const Graph& replacement,
                                             const ReplaceOptions& options = {});
/// Also adds the modules and tensors that the replacement refers to: members that `module` lacks
/// are copied from `replacement`; members at the same path are kept and used. Then submodules
/// without references are removed. Returns NotFound, without changes, if neither module has a
/// member that the replacement refers to.
absl::StatusOr<Replacements> replace_pattern(GraphModule& module, const GraphModule& pattern,
                                             const GraphModule& replacement,
                                             const ReplaceOptions& options = {});

}  // namespace fx
