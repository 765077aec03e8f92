// RuleSet: a set of rewrite rules that are applied until none applies.
//
//   graph @double_neg() {
//     graph @pattern(%x) { %a = aten.neg.default(%x)  %b = aten.neg.default(%a)  return %b }
//     graph @replacement(%x) { return %x }
//   }
//
//   FX_ASSIGN_OR_RETURN(const fx::RuleSet rules, fx::RuleSet::parse(context, text));
//   FX_ASSIGN_OR_RETURN(const fx::RewriteReport report, fx::rewrite_greedily(graph, rules));
//
// A rule is a pattern with a replacement, or a function of a node. Rules are indexed by the target
// of the node at which they start, so rules that do not apply cost a single lookup per node,
// regardless of their number.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/passes/rewrite/pattern.h"
#include "fx/passes/rewrite/rewriter.h"
#include "fx/passes/rewrite/subgraph_matcher.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

namespace rewrite {
struct PatternNode;
}

/// The function of a rule, which is called for a node with one of the rule's targets. It changes
/// the graph through the rewriter, and returns true if it did.
using RewriteFunction = std::function<absl::StatusOr<bool>(Node& root, Rewriter& rewriter)>;

struct RuleOptions {
  PatternOptions pattern = {};
  MatchFilter filter = {};
  /// Rules with higher priority are tried first; ties are broken by the order of definition.
  int priority = 0;
  /// See ReplaceOptions.
  bool inherit_meta = true;
  bool check_memory = true;
  /// See MatchOptions.
  uint64_t max_steps = 1 << 16;
};

/// A set of rewrite rules. See the top of this file. Threads may use one RuleSet
/// on different graphs.
class RuleSet {
 public:
  explicit RuleSet(Context& context);
  RuleSet(RuleSet&&) noexcept;
  RuleSet& operator=(RuleSet&&) noexcept;
  ~RuleSet();

  /// Parses a rule for each graph in the text, with the nested graphs `@pattern` and
  /// `@replacement`. A graph may have additional patterns, whose names start with `pattern`. The
  /// metadata of the graph contains options: `commutative`, `ignore_literals`,
  /// `distinct_placeholders`, `attribute_paths`, `torch_fx` (booleans) and `priority`. Errors:
  /// those of parse_graphs, and of add with the rule's name.
  static absl::StatusOr<RuleSet> parse(Context& context, std::string_view text,
                                       const ParseOptions& options = {});

  /// Adds a pattern and its replacement. The graphs must outlive the rules. Returns the errors of
  /// replace_pattern, and InvalidArgument for a pattern that could start at any node, or whose
  /// anchors are not connected, and for a name that is in use.
  absl::Status add(std::string_view name, const Graph& pattern, const Graph& replacement,
                   const RuleOptions& options = {});
  /// Adds a rule for calls to these functions; if there are none, for every node except
  /// placeholders and outputs. Returns InvalidArgument for a name that is in use.
  absl::Status add(std::string_view name, absl::Span<const Target> functions,
                   RewriteFunction function, int priority = 0);

  Context& context() const { return *context_; }
  size_t size() const { return rules_.size(); }
  std::string_view name(size_t i) const;
  /// Returns the pattern of a rule; null for a rule that is a function.
  const Pattern* pattern(size_t i) const;

 private:
  friend class RuleDriver;
  struct Rule;
  struct Root {
    Opcode op;
    bool is_any;  // matches any target
    uint64_t target;
    friend bool operator==(const Root&, const Root&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Root& r) {
      return H::combine(std::move(h), r.op, r.is_any, r.target);
    }
  };
  absl::Status check_name(std::string_view name) const;
  void index(const std::vector<Root>& roots, int priority);
  void note_inner(const std::vector<Root>& calls);
  /// Adds the opcodes and targets that a node of a pattern may match.
  static void add_roots(const rewrite::PatternNode& node, std::vector<Root>& roots);

  Context* context_;
  std::vector<std::unique_ptr<Rule>> rules_;
  absl::flat_hash_map<Root, std::vector<uint32_t>> by_root_;  // by decreasing priority
  bool has_any_[6] = {};                                      // by opcode: whether a Root is_any
  absl::flat_hash_set<Root> inner_;                           // roots of other nodes of patterns
  bool has_any_inner_[6] = {};
  std::vector<std::unique_ptr<Graph>> graphs_;  // the graphs that parse() created
};

struct RewriteOptions {
  /// Also rewrites nested graphs.
  bool nested = true;
  /// Visits each node of the original graph once, in order, but not the nodes that rules insert.
  bool once = false;
  /// If set, replaces only matches all of whose nodes it selects (all_nodes, subgraph_matcher.h),
  /// and calls the functions of rules only for such nodes. in_modules
  /// (fx/passes/analysis/selection.h) selects the nodes of modules.
  std::function<bool(const Node&)> only = {};
  /// The maximum number of rewrites. If 0, it is 16 per node plus 1,000.
  uint64_t max_rewrites = 0;
};

/// The rewrites of one run.
struct RewriteReport {
  uint64_t num_rewrites = 0;
  /// The number of rewrites by rule, in the order of definition.
  std::vector<std::pair<std::string, uint64_t>> by_rule;
  bool changed() const { return num_rewrites != 0; }
};

/// Applies the rules until none applies: at each node in order, at nodes that rewrites changed, and
/// again at all nodes as long as that changes the graph, unless no match can have been missed
/// (patterns with one result and without a filter). Takes time linear in nodes and rewrites if the
/// second round finds nothing.
///
/// Errors: InvalidArgument for a different Context; ResourceExhausted, naming the most frequent
/// rules, after `max_rewrites`; errors of matching and of functions, with the rule's name. After an
/// error the graph is valid, and contains the previous rewrites.
absl::StatusOr<RewriteReport> rewrite_greedily(Graph& graph, const RuleSet& rules,
                                               const RewriteOptions& options = {});

}  // namespace fx
