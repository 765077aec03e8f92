// Searches for one occurrence of a pattern. It uses a stack of goals (an argument of the pattern
// and an argument of the graph), and choice points for backtracking (alternatives, the two
// orders of a commutative call, the candidates of additional anchors). It is not recursive;
// it undoes bindings with a trail.
#pragma once

#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/graph.h"
#include "fx/passes/rewrite/pattern_internal.h"

#include "absl/container/flat_hash_map.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace fx::rewrite {

/// A value that is compared with a value of the pattern: a node, an argument of the graph, or a
/// default of a schema.
struct Subject {
  Subject() = default;
  explicit Subject(Node* n) : node(n) {}
  explicit Subject(ArgumentRef r) : node(r.node()), ref(r) {}
  explicit Subject(const Argument* c) : node(c->node()), constant(c) {}

  ArgumentKind kind() const {
    if (node) return ArgumentKind::kNode;
    return constant ? constant->kind() : ref.kind();
  }
  size_t size() const { return constant ? constant->size() : ref.size(); }
  Subject item(size_t i) const { return constant ? Subject(&(*constant)[i]) : Subject(ref[i]); }
  Argument key(size_t i) const { return constant ? constant->key(i) : Argument(ref.key(i)); }
  Argument value() const {
    if (node) return node;
    return constant ? *constant : Argument(ref);
  }

  Node* node = nullptr;
  const Argument* constant = nullptr;
  ArgumentRef ref{nullptr, nullptr};
};

/// The attempt that matched the most nodes, for explain_mismatch.
struct FailRecord {
  size_t num_matched = 0;
  bool is_set = false;
  const Node* root = nullptr;
  const Node* pattern_node = nullptr;
  const Node* node = nullptr;
  std::string reason;
};

/// Marks on the graph's nodes, indexed by id. Consecutive searches for different patterns share
/// them.
struct NodeMarks {
  explicit NodeMarks(const Graph& graph) : states(graph.id_bound()) {}
  std::vector<uint8_t> states;    // MatchEngine's bits; only kTaken persists between attempts
  std::vector<uint32_t> visited;  // the last visit
  uint32_t visit = 0;
};

class MatchEngine {
 public:
  // Bits of a node's state.
  static constexpr uint8_t kMatched = 1;  // a call of the pattern matches it in this attempt
  static constexpr uint8_t kInput = 2;    // a placeholder matches it, if placeholders are distinct
  static constexpr uint8_t kTaken = 4;    // it is in an accepted match

  MatchEngine(const CompiledPattern& pattern, const Graph& graph, NodeMarks& marks,
              uint64_t max_steps, std::string_view anchor_name);

  /// True if the node can match an anchor by its opcode and target.
  bool is_candidate(uint32_t pattern_node, const Node& node) const {
    const PatternNode& expected = pattern_.nodes[pattern_node];
    return expected.kind == PatternNode::Kind::kExact && anchor_name_.empty()
               ? same_call(expected, node)
               : is_other_candidate(expected, node);
  }
  /// Sets the candidates of anchor `k`, which is at least 1, in program order.
  void set_candidates(size_t k, std::vector<Node*> nodes) { all_[k] = std::move(nodes); }

  enum class Result : uint8_t { kNo, kYes, kLimit };
  /// Starts an attempt with the first anchor at this node, and ends the previous attempt.
  void start(Node& root);
  /// Returns the next match, if there is one. Its anchors may be those of the previous match.
  Result next();
  /// Skips other matches with the same anchors.
  void cut_alternatives();
  /// Undoes the bindings of the attempt.
  void finish();
  /// Records why the match fails. Always returns false.
  bool fail(uint32_t pattern_node, const Node* node, std::string_view reason);

  bool is_bound(uint32_t pattern_node) const { return is_bound_[pattern_node] != 0; }
  const Argument& bound(uint32_t pattern_node) const { return bound_[pattern_node]; }
  uint8_t& state(const Node& node) {
    if (node.id() >= marks_.states.size()) marks_.states.resize(graph_.id_bound());
    return marks_.states[node.id()];
  }
  /// Sets whether to skip nodes of accepted matches.
  void set_skip_taken(bool on) { skip_taken_ = on; }
  void set_record(FailRecord* record) { record_ = record; }
  /// Counts the steps of this attempt; returns false if they exceed the limit.
  bool spend(uint64_t steps) { return (steps_ += steps) <= max_steps_; }
  /// True if the types of the graph match those of the pattern.
  bool types_match();

 private:
  struct Goal {
    uint32_t next;
    uint32_t anchor;            // the anchor, or kNoIndex
    const PatternValue* value;  // the value of the pattern
    Subject subject;
  };
  struct Choice {
    enum class Kind : uint8_t { kSwap, kAlternative, kAnchor };
    Kind kind;
    uint32_t goals, num_goals, trail;
    uint32_t index;  // the index of a pattern node or of the anchor
    uint32_t position;
    Subject subject;
  };

  void push(uint32_t& goals, const PatternValue& value, const Subject& subject) {
    arena_.push_back({goals, kNoIndex, &value, subject});
    goals = static_cast<uint32_t>(arena_.size() - 1);
  }
  bool step(const Goal& goal, uint32_t& goals);
  bool resume(uint32_t& goals);
  bool match_value(const PatternValue& value, const Subject& subject, uint32_t& goals);
  bool match_items(const PatternValue& value, const Subject& subject, uint32_t& goals);
  bool match_reference(uint32_t index, const Subject& subject, uint32_t& goals);
  bool match_input(uint32_t index, const Subject& subject);
  bool match_node(uint32_t index, Node& node, bool is_anchor, uint32_t& goals);
  static bool same_call(const PatternNode& expected, const Node& node) {
    return expected.op == node.op() &&
           (expected.target == target_key(node) || expected.op == Opcode::kPlaceholder ||
            expected.op == Opcode::kOutput);
  }
  bool is_other_candidate(const PatternNode& expected, const Node& node) const;
  bool same_target(const PatternNode& expected, const Node& node) const;
  bool same_attribute(const PatternNode& expected, const Node& node) const;
  /// The result of an initial check of an argument.
  enum class Verdict : uint8_t { kNo, kYes, kOpen };
  Verdict decide(const PatternValue& value, const ArgumentRef& found);
  bool push_same_form(const PatternNode& expected, Node& node, uint32_t& goals);
  bool push_arguments(uint32_t index, Node& node, bool swap, uint32_t& goals);
  bool push_by_schema(const PatternNode& expected, Node& node);
  bool push_by_name(const PatternNode& expected, Node& node);
  bool accepts(const InputKind kind, const Subject& subject) const;
  bool same_graph(uint32_t expected, uint32_t found) const;
  void bind(uint32_t index, Argument value, uint8_t bit);
  void undo(size_t trail);
  void add_choice(Choice::Kind kind, uint32_t goals, uint32_t index, const Subject& subject);
  bool begin_anchor(uint32_t k, uint32_t goals);
  bool collect_candidates(uint32_t k);
  bool type_matches(Type expected, Type found);
  bool sizes_match(absl::Span<const Dim> expected, absl::Span<const Dim> found);
  std::string describe(const Subject& subject) const;

  const CompiledPattern& pattern_;
  const Graph& graph_;
  NodeMarks& marks_;
  const uint64_t max_steps_;
  const std::string_view anchor_name_;
  FailRecord* record_ = nullptr;
  const Node* root_ = nullptr;
  bool skip_taken_ = false;
  bool is_new_ = false;
  bool is_out_of_steps_ = false;
  uint64_t steps_ = 0;
  uint32_t first_goals_ = kNoIndex;

  std::vector<Argument> bound_;
  std::vector<char> is_bound_;
  std::vector<uint8_t> bits_;  // the bits that the binding set
  std::vector<uint32_t> trail_;
  std::vector<Goal> arena_;
  std::vector<Choice> choices_;
  std::deque<Argument> rests_;  // values of `*` inputs, to which goals refer
  std::vector<std::pair<const PatternValue*, Subject>> pairs_;  // scratch: goals to be pushed
  std::vector<BoundParameter> bound_parameters_;                // scratch
  std::vector<std::vector<Node*>> all_, near_;                  // candidates by anchor
  std::vector<char> is_near_;
  std::vector<size_t> first_free_;  // in all_: earlier candidates are taken
  absl::flat_hash_map<Symbol, Dim> sizes_;
};

}  // namespace fx::rewrite
