// Applies rules until none applies: see rule_set.h.
//
// Visits the nodes in order; nodes on a stack of nodes to revisit have priority. Nodes are stored
// with their ids, since the memory of an erased node may be reused before the node is visited.
//
// After a rewrite a rule may apply at new nodes, at users of replaced values, at values that lost
// a user, and at their transitive users, if these are calls that occur inside patterns. `is_local`
// rules cannot apply at other nodes, so the search is complete. Other rules are tried again at all
// nodes.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/exceptions.h"
#include "fx/ir/support/recent_cache.h"
#include "fx/ir/support/status.h"
#include "fx/passes/rewrite/match_finder_internal.h"
#include "fx/passes/rewrite/pattern_internal.h"
#include "fx/passes/rewrite/replacer_internal.h"
#include "fx/passes/rewrite/rule_set.h"
#include "fx/passes/rewrite/rule_set_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace fx {

using rewrite::MatchFinder;
using ChangedNode = Rewriter::ChangedNode;

class RuleDriver {
 public:
  RuleDriver(Graph& graph, const RuleSet& rules, const RewriteOptions& options,
             std::vector<uint64_t>& counts, uint64_t& budget)
      : graph_(graph),
        rules_(rules),
        options_(options),
        counts_(counts),
        budget_(budget),
        marks_(graph),
        memory_(graph),
        rewriter_(graph),
        runners_(rules.size()),
        is_queued_(graph.id_bound()) {
    is_local_ = !options.only;  // it may depend on other nodes
    for (const auto& rule : rules.rules_) {
      is_local_ &= rule->is_local;
      if (!rule->pattern) {
        has_functions_ = true;
        continue;
      }
      depth_ = std::max(depth_, depth_of(rule->pattern->compiled()));
      max_uses_ = std::max(max_uses_, max_uses_of(rule->pattern->compiled()));
    }
  }

  absl::Status run() {
    do {
      is_changed_ = false;
      is_complete_ = is_local_;
      FX_RETURN_IF_ERROR(has_functions_ || options_.once ? visit_snapshot() : visit_in_place());
    } while (is_changed_ && !is_complete_ && !options_.once);
    return absl::OkStatus();
  }

 private:
  // The maximum number of nodes to revisit after one rewrite. The next round finds
  // all other nodes.
  static constexpr size_t kMaxRevisits = 64;

  /// Returns the options of the rule, with a filter that also requires selected nodes.
  static MatchOptions match_options(const RuleSet::Rule& rule, const RewriteOptions& options) {
    MatchOptions match = rule.match;
    if (!options.only) return match;
    match.filter = [own = rule.match.filter, only = all_nodes(options.only)](const Match& found) {
      return only(found) && (!own || own(found));
    };
    return match;
  }

  /// A rule with a pattern, and its matcher for this graph.
  struct Runner {
    Runner(const RuleSet::Rule& rule, const RewriteOptions& options, Graph& graph,
           rewrite::NodeMarks& marks, rewrite::MatchMemory& memory)
        : match(match_options(rule, options)),
          finder(*rule.pattern, graph, marks, match),
          list(*rule.pattern),
          replacer(graph, *rule.pattern, rule.replace, memory),
          recipe(*rule.recipe) {
      finder.find_one();
    }
    MatchOptions match;
    MatchFinder finder;
    MatchList list;
    rewrite::Replacer replacer;
    rewrite::Recipe recipe;
  };

  /// Returns the maximum number of edges from the call at which a pattern starts to a call that it
  /// matches.
  static size_t depth_of(const rewrite::CompiledPattern& pattern) {
    std::vector<size_t> levels(pattern.nodes.size());
    size_t depth = 0;
    for (uint32_t i = 0; i < pattern.nodes.size(); ++i) {  // operands come before users
      pattern.nodes[i].node->for_each_input([&](const Node* input) {
        const uint32_t operand = pattern.index(*input);
        if (pattern.nodes[operand].kind == rewrite::PatternNode::Kind::kInput) return;
        levels[i] = std::max(levels[i], levels[operand] + 1);
      });
      depth = std::max(depth, levels[i]);
    }
    return depth;
  }

  /// Returns the maximum number of uses of a value inside one match.
  static size_t max_uses_of(const rewrite::CompiledPattern& pattern) {
    size_t max_uses = 0;
    for (const rewrite::PatternNode& node : pattern.nodes)
      max_uses = std::max(max_uses, node.node->num_uses());
    return max_uses;
  }

  /// Visits each node of the current graph. Functions may erase any node.
  absl::Status visit_snapshot() {
    std::vector<ChangedNode> nodes;
    for (Node& node : graph_.nodes())
      if (has_rules(node)) nodes.push_back({&node, node.id()});
    for (const ChangedNode& next : nodes) FX_RETURN_IF_ERROR(visit_from(next));
    return absl::OkStatus();
  }

  /// Visits each node without first listing the nodes. This is possible because the nodes of a
  /// match are known before they are erased.
  absl::Status visit_in_place() {
    for (Node* node = graph_.front(); node; node = next_) {
      next_ = node->next();
      if (has_rules(*node)) FX_RETURN_IF_ERROR(visit_from({node, node->id()}));
    }
    return absl::OkStatus();
  }

  absl::Status visit_from(const ChangedNode& first) {
    FX_RETURN_IF_ERROR(visit(first));
    while (!stack_.empty()) {
      const ChangedNode revisited = stack_.back();
      stack_.pop_back();
      is_queued_[revisited.id] = 0;
      FX_RETURN_IF_ERROR(visit(revisited));
    }
    return absl::OkStatus();
  }

  const std::vector<uint32_t>* find(const RuleSet::Root& root) const {
    const auto found = rules_.by_root_.find(root);
    return found == rules_.by_root_.end() ? nullptr : &found->second;
  }
  /// The rules for a function (or path, or method).
  struct Called {
    bool is_inner = false;                         // whether it occurs inside a pattern
    const std::vector<uint32_t>* rules = nullptr;  // the rules that start there
  };
  const Called& called(const Node& node) const {
    const uint64_t target = rewrite::target_key(node);
    return recent_.get({target, node.op()}, [&] {
      const RuleSet::Root root{node.op(), false, target};
      return Called{
          rules_.inner_.contains(root) || rules_.has_any_inner_[static_cast<size_t>(node.op())],
          find(root)};
    });
  }
  bool has_rules(const Node& node) const { return called(node).rules || any(node); }
  const std::vector<uint32_t>* any(const Node& node) const {
    if (!rules_.has_any_[static_cast<size_t>(node.op())]) return nullptr;
    return find({node.op(), true, 0});
  }

  absl::Status visit(const ChangedNode& next) {
    if (!next.is_live()) return absl::OkStatus();
    Node& node = *next.node;
    if (options_.only && !options_.only(node)) return absl::OkStatus();
    static const std::vector<uint32_t> kNone;
    const std::vector<uint32_t>* const a = called(node).rules;
    const std::vector<uint32_t>* const b = any(node);
    const std::vector<uint32_t>& x = a ? *a : kNone;
    const std::vector<uint32_t>& y = b ? *b : kNone;
    // Both lists are in order; merges them by priority.
    for (size_t i = 0, j = 0; i < x.size() || j < y.size();) {
      const bool is_x = j == y.size() || (i < x.size() && goes_before(x[i], y[j]));
      const uint32_t number = is_x ? x[i++] : y[j++];
      const RuleSet::Rule& rule = *rules_.rules_[number];
      walk_.clear();
      const absl::StatusOr<bool> done =
          rule.function ? run_function(rule, node) : run_pattern(number, rule, node);
      if (!done.ok()) return with_context(done.status(), fmt::format("rule {}", rule.name));
      if (!*done) continue;
      is_changed_ = true;
      ++counts_[number];
      if (budget_-- == 0) return too_many();
      if (!options_.once) push_revisits();
      return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  bool goes_before(uint32_t a, uint32_t b) const {
    const int p = rules_.rules_[a]->priority, q = rules_.rules_[b]->priority;
    return p != q ? p > q : a < b;
  }

  absl::StatusOr<bool> run_function(const RuleSet::Rule& rule, Node& node) {
    const ChangedNode root = {&node, node.id()};
    rewriter_.start(node);
    FX_ASSIGN_OR_RETURN(
        const bool is_changed,
        without_exceptions([&] { return rule.function(node, rewriter_); },
                           [](std::string_view what) -> absl::StatusOr<bool> {
                             return absl::InternalError(fmt::format("its function threw {}", what));
                           }));
    if (!is_changed) return false;
    memory_.invalidate(/*adds_writes=*/false);  // the function may have erased a call that writes
    if (root.is_live()) note(node);
    for (const ChangedNode& changed : rewriter_.changed_nodes()) {
      if (!changed.is_live()) continue;
      note(*changed.node);
      note_users(*changed.node);
    }
    return true;
  }

  absl::StatusOr<bool> run_pattern(uint32_t number, const RuleSet::Rule& rule, Node& node) {
    std::unique_ptr<Runner>& runner = runners_[number];
    if (!runner) runner = std::make_unique<Runner>(rule, options_, graph_, marks_, memory_);
    MatchList& list = runner->list;
    rewrite::Replacer& replacer = runner->replacer;
    MatchFinder::clear(list);
    FX_RETURN_IF_ERROR(runner->finder.find_at(node, list));
    if (list.empty()) return false;
    inserted_.clear();
    const ChangedNode next = {next_, next_ ? next_->id() : 0};
    while (next_ && replacer.may_erase(list, 0, *next_)) next_ = next_->next();
    const absl::Status status = replacer.replace(list, 0, runner->recipe, inserted_, false);
    if (next.node && next.is_live()) next_ = next.node;  // it was not erased
    // The replacement is not legal. The graph has not changed.
    if (absl::IsFailedPrecondition(status) && inserted_.empty()) {
      is_complete_ = false;
      return false;
    }
    FX_RETURN_IF_ERROR(status);
    is_complete_ &= !replacer.has_moved();
    for (Node* new_node : inserted_) note(*new_node);
    for (const Argument& result : replacer.results()) {
      if (Node* const replacement_node = result.node())
        note_users(*replacement_node);
      else
        is_complete_ = false;  // its users are unknown here
    }
    for (const Argument& input : replacer.inputs()) {
      if (Node* const from = input.node())
        record_lost_use(*from);
      else if (input.contains_node())
        (void)map_nodes(input, [&](Node* item) -> Argument {
          record_lost_use(*item);
          return item;
        });
    }
    return true;
  }

  /// Records that a rule may apply at this node or at its users.
  void note(Node& node) {
    const Called& what = called(node);
    if (!what.is_inner && !what.rules && !any(node)) return;
    if (std::ranges::find(walk_, &node) != walk_.end()) return;
    if (walk_.size() < kMaxRevisits)
      walk_.push_back(&node);
    else
      is_complete_ = false;
  }
  void note_users(const Node& node) {
    size_t remaining = kMaxRevisits;
    for (const Use use : node.uses()) {
      if (remaining-- == 0) {
        is_complete_ = false;
        return;
      }
      note(*use.user());
    }
  }
  /// Records that the value lost a user, and may now be inside a match.
  void record_lost_use(Node& node) {
    if (!node.is_erased() && node.num_uses() <= max_uses_ && called(node).is_inner) note(node);
  }

  /// Pushes the recorded nodes, and nodes that a pattern may reach from there, onto the stack; the
  /// earliest is on top.
  void push_revisits() {
    size_t begin = 0;
    for (size_t level = 0; level < depth_ && begin < walk_.size(); ++level) {
      const size_t end = walk_.size();
      for (; begin < end; ++begin)
        if (called(*walk_[begin]).is_inner) note_users(*walk_[begin]);
    }
    is_queued_.resize(graph_.id_bound());
    revisits_.clear();
    for (Node* node : walk_)
      if (has_rules(*node) && std::exchange(is_queued_[node->id()], char{1}) == 0)
        revisits_.push_back({node, node->id()});
    if (revisits_.size() > 1) {
      std::ranges::sort(revisits_, [](const ChangedNode& a, const ChangedNode& b) {
        return b.node->comes_before(*a.node);
      });
    }
    stack_.insert(stack_.end(), revisits_.begin(), revisits_.end());
  }

  absl::Status too_many() const {
    std::vector<std::pair<uint64_t, uint32_t>> frequent;
    for (uint32_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 0) frequent.emplace_back(counts_[i], i);
    std::ranges::sort(frequent, std::greater<>());
    std::string text;
    for (size_t i = 0; i < frequent.size() && i < 3; ++i)
      text += fmt::format("{}{} ({} times)", i == 0 ? "" : ", ", rules_.name(frequent[i].second),
                          frequent[i].first);
    return absl::ResourceExhaustedError(fmt::format(
        "the rules do not terminate; most frequent: {}. A rule that matches its own result, or is "
        "undone by another rule, runs forever: apply the rules once, or raise max_rewrites",
        text));
  }

  Graph& graph_;
  const RuleSet& rules_;
  const RewriteOptions& options_;
  std::vector<uint64_t>& counts_;
  uint64_t& budget_;
  rewrite::NodeMarks marks_;
  rewrite::MatchMemory memory_;
  Rewriter rewriter_;
  std::vector<std::unique_ptr<Runner>> runners_;
  std::vector<char> is_queued_;  // by id: whether the node is on the stack
  std::vector<ChangedNode> stack_, revisits_;
  std::vector<Node*> inserted_;
  std::vector<Node*> walk_;  // nodes recorded since the last rewrite
  Node* next_ = nullptr;     // the node after the one that is visited in order
  struct CalledHash {
    size_t operator()(const std::pair<uint64_t, Opcode>& key) const {
      return key.first >> 4 ^ key.first ^ key.first >> 10;
    }
  };
  mutable internal::RecentCache<std::pair<uint64_t, Opcode>, Called, 64, CalledHash> recent_;
  size_t depth_ = 0, max_uses_ = 0;
  bool has_functions_ = false;
  bool is_local_ = true;     // whether all rules are local
  bool is_changed_ = false;  // whether this round changed the graph
  bool is_complete_ = true;  // whether this round cannot have missed a match
};

absl::StatusOr<RewriteReport> rewrite_greedily(Graph& graph, const RuleSet& rules,
                                               const RewriteOptions& options) {
  if (&graph.context() != &rules.context())
    return absl::InvalidArgumentError("the rules and the graph have different Contexts");
  std::vector<uint64_t> counts(rules.size());
  uint64_t budget = options.max_rewrites;
  if (budget == 0) budget = 16 * uint64_t{graph.size()} + 1000;
  for (Graph& g : all_graphs(graph)) {
    FX_RETURN_IF_ERROR(RuleDriver(g, rules, options, counts, budget).run());
    if (!options.nested) break;
  }
  RewriteReport report;
  for (size_t i = 0; i < counts.size(); ++i) {
    report.num_rewrites += counts[i];
    report.by_rule.emplace_back(std::string(rules.name(i)), counts[i]);
  }
  return report;
}

}  // namespace fx
