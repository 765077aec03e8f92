// Finds all occurrences of a pattern: see subgraph_matcher.h.
#include "fx/passes/rewrite/subgraph_matcher.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/rewrite/match_engine_internal.h"
#include "fx/passes/rewrite/match_finder_internal.h"
#include "fx/passes/rewrite/pattern_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {

// ---------------------------------------------------------------- MatchList and Match

MatchList::MatchList(const Pattern& pattern)
    : pattern_(pattern.share()), width_(pattern_->nodes.size()) {}
MatchList::MatchList(MatchList&&) noexcept = default;
MatchList& MatchList::operator=(MatchList&&) noexcept = default;
MatchList::~MatchList() = default;

const Graph& MatchList::pattern_graph() const { return *pattern_->graph; }

const Argument* Match::value(const Node& pattern_node) const {
  const uint32_t index = list_->pattern_->index(pattern_node);
  if (index == rewrite::kNoIndex || &pattern_node.graph() != list_->pattern_->graph) return nullptr;
  const size_t slot = index_ * list_->width_ + index;
  return list_->ids_[slot] == MatchList::kUnbound ? nullptr : &list_->values_[slot];
}

const Argument* Match::value(std::string_view pattern_node_name) const {
  const Node* const node = list_->pattern_->graph->find_node(pattern_node_name);
  return node ? value(*node) : nullptr;
}

Node* Match::node(const Node& pattern_node) const {
  const Argument* const found = value(pattern_node);
  return found ? found->node() : nullptr;
}

Node* Match::node(std::string_view pattern_node_name) const {
  const Argument* const found = value(pattern_node_name);
  return found ? found->node() : nullptr;
}

const Node* Match::pattern_anchor() const { return list_->pattern_->anchor_nodes.front(); }
Node* Match::anchor() const { return node(*pattern_anchor()); }

std::vector<Argument> Match::inputs() const {
  std::vector<Argument> result;
  for (const Node* node : list_->pattern_->placeholder_nodes) {
    const Argument* const found = value(*node);
    result.push_back(found ? *found : Argument());
  }
  return result;
}

std::vector<Argument> Match::returned() const {
  std::vector<Argument> result;
  for (const Node* node : list_->pattern_->returned_nodes) {
    const Argument* const found = value(*node);
    result.push_back(found ? *found : Argument());
  }
  return result;
}

std::vector<Node*> Match::nodes() const {
  std::vector<Node*> result;
  for (const rewrite::PatternNode& node : list_->pattern_->nodes)
    if (node.is_matched())
      if (Node* const found = this->node(*node.node)) result.push_back(found);
  return result;
}

MatchFilter all_nodes(std::function<bool(const Node&)> only) {
  if (!only) return {};
  return [only = std::move(only)](const Match& match) {
    return std::ranges::all_of(match.nodes(), [&](const Node* node) { return only(*node); });
  };
}

// ---------------------------------------------------------------- MatchFinder

namespace rewrite {

MatchFinder::MatchFinder(const Pattern& pattern, const Graph& graph, NodeMarks& marks,
                         const MatchOptions& options)
    : shared_(pattern),
      pattern_(pattern.compiled()),
      graph_(graph),
      marks_(marks),
      options_(options),
      engine_(pattern_, graph, marks, options.max_steps, options.anchor_name),
      direct_(pattern_),
      use_direct_(direct_.is_usable() && options.anchor_name.empty() && !options.filter) {
  engine_.set_skip_taken(options.overlap != Overlap::kAll);
}

namespace {
constexpr size_t kFirstMatches = 4096;  // the number of matches from which the total is estimated
}

absl::StatusOr<MatchList> MatchFinder::find() {
  const size_t num_anchors = pattern_.anchors.size();
  for (size_t k = 1; k < num_anchors; ++k) {
    std::vector<Node*> candidates;
    for (Node& node : graph_.nodes())
      if (engine_.is_candidate(pattern_.anchors[k], node)) candidates.push_back(&node);
    engine_.set_candidates(k, std::move(candidates));
  }
  MatchList list(shared_);
  const bool is_backward = options_.overlap == Overlap::kLast;
  size_t visited = 0;
  for (Node* node = is_backward ? graph_.back() : graph_.front(); node;
       node = is_backward ? node->prev() : node->next()) {
    ++visited;
    if (!engine_.is_candidate(pattern_.anchors[0], *node)) continue;
    FX_RETURN_IF_ERROR(find_at(*node, list));
    if (list.size() == kFirstMatches) reserve(list, visited, graph_.size());
  }
  if (is_backward) reverse(list);
  if (options_.filter && options_.filter_last) filter(list);
  return list;
}

void MatchFinder::reserve(MatchList& list, size_t visited, size_t all) {
  const size_t matches = list.size() + (all - visited) * list.size() / visited;
  list.values_.reserve((matches + matches / 8) * list.width_);
  list.ids_.reserve((matches + matches / 8) * list.width_);
}

bool MatchFinder::find_directly(Node& root, MatchList& list) {
  const DirectMatcher::Verdict verdict = direct_.match(root);
  if (verdict != DirectMatcher::Verdict::kYes) return verdict == DirectMatcher::Verdict::kNo;
  const std::vector<Node*>& found = direct_.found();
  if (!is_one_ && options_.overlap != Overlap::kAll) {
    for (Node* const call : direct_.calls())
      if (engine_.state(*call) & MatchEngine::kTaken) return true;
    for (Node* const call : direct_.calls()) engine_.state(*call) |= MatchEngine::kTaken;
  }
  list.values_.insert(list.values_.end(), found.begin(), found.end());
  list.ids_.resize(list.ids_.size() + found.size());
  std::ranges::transform(found, list.ids_.end() - static_cast<std::ptrdiff_t>(found.size()),
                         [](const Node* node) { return node->id(); });
  ++list.size_;
  return true;
}

absl::Status MatchFinder::find_at(Node& root, MatchList& list) {
  if (use_direct_ && find_directly(root, list)) return absl::OkStatus();
  engine_.start(root);
  for (;;) {
    const MatchEngine::Result result = engine_.next();
    if (result == MatchEngine::Result::kLimit) return limit_error(root);
    if (result == MatchEngine::Result::kNo) break;
    FX_ASSIGN_OR_RETURN(const bool is_good, accept(root, list));
    if (!is_good) continue;
    if (is_one_) break;
    if (options_.overlap != Overlap::kAll) {
      mark_taken();
      break;
    }
    engine_.cut_alternatives();
  }
  engine_.finish();
  return absl::OkStatus();
}

absl::Status MatchFinder::limit_error(const Node& root) const {
  return absl::ResourceExhaustedError(fmt::format(
      "the search at %{} exceeded {} steps: the pattern has too many ways to match there "
      "(alternatives, commutative calls, or anchors that are not connected); make it more "
      "specific, or raise max_steps",
      root.name(), options_.max_steps));
}

absl::StatusOr<bool> MatchFinder::accept(const Node& root, MatchList& list) {
  if (!inputs_are_valid() || !is_contained() || !engine_.types_match()) return false;
  if (options_.check_cycles && pattern_.may_cycle) {
    FX_ASSIGN_OR_RETURN(const bool has_cycle, has_cycle(root));
    if (has_cycle) {
      return engine_.fail(
          pattern_.anchors[0], &root,
          "a path leaves the match and returns: a single node that replaces it would "
          "depend on itself");
    }
  }
  add(list);
  if (options_.filter && !options_.filter_last && !options_.filter(list[list.size() - 1])) {
    remove_last(list);
    return engine_.fail(pattern_.anchors[0], &root, "the filter rejects it");
  }
  return true;
}

/// True if no input is among the nodes that a replacement erases, and inputs without a value have a
/// default.
bool MatchFinder::inputs_are_valid() {
  for (const uint32_t index : pattern_.placeholders) {
    if (!engine_.is_bound(index)) {
      if (pattern_.nodes[index].default_value) continue;
      return engine_.fail(index, nullptr,
                          "the matched alternative does not use it, and it has no default value");
    }
    if (pattern_.nodes[index].kind != PatternNode::Kind::kInput) continue;
    const Argument& value = engine_.bound(index);
    if (const Node* node = value.node()) {
      if (engine_.state(*node) & MatchEngine::kMatched)
        return engine_.fail(index, node, "it is an input and also inside the match");
    } else if (is_aggregate(value.kind())) {
      bool is_inside = false;
      map_nodes(value, [&](Node* item) -> Argument {
        is_inside |= (engine_.state(*item) & MatchEngine::kMatched) != 0 && !is_returned(*item);
        return item;
      });
      if (is_inside)
        return engine_.fail(index, nullptr, "a node in this list is also inside the match");
    }
  }
  return true;
}

bool MatchFinder::is_returned(const Node& node) const {
  return std::ranges::any_of(pattern_.returned, [&](uint32_t index) {
    return engine_.is_bound(index) && engine_.bound(index).node() == &node;
  });
}

/// True if a replacement erases the match of the pattern's node.
bool MatchFinder::is_replaced(uint32_t index) const {
  return pattern_.nodes[index].is_replaced && engine_.is_bound(index);
}

bool MatchFinder::is_contained() {
  for (uint32_t i = 0; i < pattern_.nodes.size(); ++i) {
    if (!is_replaced(i) || pattern_.nodes[i].is_returned) continue;
    const Node& node = *engine_.bound(i).as_node();
    for (const Use use : node.uses()) {
      const Node& user = *use.user();
      if (engine_.state(user) & MatchEngine::kMatched) continue;
      if (user.is_output() && pattern_.options.match_output) continue;
      if (is_returned(node)) break;  // through match.any_of
      return engine_.fail(i, &node,
                          fmt::format("%{}, outside the match, also uses it", user.name()));
    }
  }
  return true;
}

/// Returns the last node of the match that a replacement erases; null if there is none.
const Node* MatchFinder::last_replaced() const {
  const Node* last = nullptr;
  for (uint32_t i = 0; i < pattern_.nodes.size(); ++i) {
    if (!is_replaced(i)) continue;
    const Node* const node = engine_.bound(i).as_node();
    if (!last || last->comes_before(*node)) last = node;
  }
  return last;
}

/// True if the match uses an outside value that depends on the match. Only nodes between the nodes
/// of the match can be on such a path.
absl::StatusOr<bool> MatchFinder::has_cycle(const Node& root) {
  const Node* const last = last_replaced();
  if (!last) return false;
  worklist_.clear();
  for (uint32_t i = 0; i < pattern_.nodes.size(); ++i) {
    if (!is_replaced(i)) continue;
    for (const Use use : engine_.bound(i).as_node()->uses()) {
      Node* const user = use.user();
      if (last->comes_before(*user)) continue;
      if (engine_.state(*user) & MatchEngine::kMatched) continue;
      worklist_.push_back(user);
    }
  }
  if (worklist_.empty()) return false;
  const uint32_t visit = ++marks_.visit;
  std::vector<uint32_t>& visited = marks_.visited;
  visited.resize(graph_.id_bound());
  while (!worklist_.empty()) {
    const Node& node = *worklist_.back();
    worklist_.pop_back();
    if (std::exchange(visited[node.id()], visit) == visit) continue;
    for (const Use use : node.uses()) {
      Node* const user = use.user();
      if (!engine_.spend(1)) return limit_error(root);
      if (last->comes_before(*user)) continue;
      if (engine_.state(*user) & MatchEngine::kMatched) return true;
      if (visited[user->id()] != visit) worklist_.push_back(user);
    }
  }
  return false;
}

void MatchFinder::mark_taken() {
  for (uint32_t i = 0; i < pattern_.nodes.size(); ++i)
    if (is_replaced(i)) engine_.state(*engine_.bound(i).as_node()) |= MatchEngine::kTaken;
}

void MatchFinder::add(MatchList& list) const {
  for (uint32_t i = 0; i < pattern_.nodes.size(); ++i) {
    if (engine_.is_bound(i)) {
      const Argument& value = engine_.bound(i);
      const Node* const node = value.node();
      list.values_.push_back(value);
      list.ids_.push_back(node ? node->id() : MatchList::kLiteral);
      list.may_hold_nodes_in_lists_ |= is_aggregate(value.kind());
    } else {
      const std::optional<Argument>& otherwise = pattern_.nodes[i].default_value;
      list.values_.push_back(otherwise ? *otherwise : Argument());
      list.ids_.push_back(otherwise ? MatchList::kLiteral : MatchList::kUnbound);
    }
  }
  ++list.size_;
}

void MatchFinder::clear(MatchList& list) {
  list.size_ = 0;
  list.values_.clear();
  list.ids_.clear();
}

void MatchFinder::remove_last(MatchList& list) {
  --list.size_;
  list.values_.resize(list.size_ * list.width_);
  list.ids_.resize(list.size_ * list.width_);
}

void MatchFinder::reverse(MatchList& list) {
  for (size_t i = 0, j = list.size_; i + 1 < j; ++i) {
    --j;
    for (size_t k = 0; k < list.width_; ++k) {
      std::swap(list.values_[i * list.width_ + k], list.values_[j * list.width_ + k]);
      std::swap(list.ids_[i * list.width_ + k], list.ids_[j * list.width_ + k]);
    }
  }
}

void MatchFinder::filter(MatchList& list) const {
  size_t kept = 0;
  for (size_t i = 0; i < list.size_; ++i) {
    if (!options_.filter(list[i])) continue;
    for (size_t k = 0; k < list.width_ && kept != i; ++k) {
      list.values_[kept * list.width_ + k] = std::move(list.values_[i * list.width_ + k]);
      list.ids_[kept * list.width_ + k] = list.ids_[i * list.width_ + k];
    }
    ++kept;
  }
  list.size_ = kept;
  list.values_.resize(kept * list.width_);
  list.ids_.resize(kept * list.width_);
}

absl::StatusOr<Mismatch> MatchFinder::explain(const Node* at) {
  FailRecord record;
  engine_.set_record(&record);
  use_direct_ = false;
  MatchList list(shared_);
  Mismatch result;
  std::vector<std::vector<Node*>> candidates(pattern_.anchors.size());
  for (Node& node : graph_.nodes()) {
    for (size_t k = 0; k < candidates.size(); ++k) {
      if (k == 0 && at ? at == &node : engine_.is_candidate(pattern_.anchors[k], node))
        candidates[k].push_back(&node);
    }
  }
  const std::vector<Node*> roots = std::move(candidates[0]);
  for (size_t k = 1; k < candidates.size(); ++k)
    engine_.set_candidates(k, std::move(candidates[k]));
  for (Node* root : roots) {
    FX_RETURN_IF_ERROR(find_at(*root, list));
    if (list.empty()) continue;
    result.matches = true;
    result.num_matched = pattern_.nodes.size();
    result.root = root;
    return result;
  }
  result.num_matched = record.num_matched;
  result.root = record.root;
  result.pattern_node = record.pattern_node;
  result.node = record.node;
  result.reason = std::move(record.reason);
  if (roots.empty()) {
    result.pattern_node = pattern_.anchor_nodes.front();
    result.reason = at ? "the node must be in the graph" : "the graph does not have such a call";
  }
  return result;
}

}  // namespace rewrite

namespace {

absl::Status check_contexts(const Pattern& pattern, const Graph& graph) {
  if (&pattern.graph().context() == &graph.context()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the pattern and the graph have different Contexts; create both with one Context");
}

}  // namespace

absl::StatusOr<MatchList> find_matches(const Pattern& pattern, const Graph& graph,
                                       const MatchOptions& options) {
  FX_RETURN_IF_ERROR(check_contexts(pattern, graph));
  rewrite::NodeMarks marks(graph);
  return rewrite::MatchFinder(pattern, graph, marks, options).find();
}

absl::StatusOr<Mismatch> explain_mismatch(const Pattern& pattern, const Graph& graph,
                                          const Node* at, const MatchOptions& options) {
  FX_RETURN_IF_ERROR(check_contexts(pattern, graph));
  rewrite::NodeMarks marks(graph);
  return rewrite::MatchFinder(pattern, graph, marks, options).explain(at);
}

std::string Mismatch::str() const {
  if (matches) return fmt::format("the pattern matches at %{}", root->name());
  std::string text;
  if (root)
    text += fmt::format("closest at %{}, {} of the pattern found; ", root->name(),
                        pluralize(num_matched, "node"));
  if (pattern_node) text += fmt::format("pattern {}", print(*pattern_node, {.meta = false}));
  if (node) text += fmt::format(" vs. {}", print(*node, {.meta = false}));
  return text + ": " + reason;
}

}  // namespace fx
