// Putting replacement graphs in the place of matches.
#pragma once

#include "fx/ir/support/name.h"
#include "fx/passes/rewrite/match_engine_internal.h"
#include "fx/passes/rewrite/replace_pattern.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx::rewrite {

/// A replacement graph, checked against a pattern: which input is which, and its results in the
/// order of what the pattern returns.
class Recipe {
 public:
  static absl::StatusOr<Recipe> create(const CompiledPattern& pattern, const Graph& replacement);

  const Graph& graph() const { return *graph_; }
  /// How many nodes it makes.
  size_t size() const { return body_.size(); }
  /// Whether one of them has effects.
  bool has_effects() const { return has_effects_; }
  /// Puts the nodes in at the insert point; `inputs` are the values of the pattern's placeholders,
  /// then of its kept calls.
  /// Appends the new nodes and, in the order of the pattern, the results.
  absl::Status insert(Graph& graph, absl::Span<const Argument> inputs, std::vector<Node*>& nodes,
                      std::vector<Argument>& results);

 private:
  /// A node to be made, with its arguments in terms of the replacement's nodes.
  struct Step {
    const Node* node;
    std::string name;
    NameHint hint;  // of the name, or what the target gives when that is the same
    std::vector<Argument> args;
    std::vector<Kwarg> kwargs;
    Argument made;  // for the last match
    bool has_meta;
    // When the positional arguments are nodes and constants, as they are for most: those of the
    // last match, and which of them are what values; otherwise they are mapped.
    bool is_flat;
    std::vector<Argument> ready;
    std::vector<std::pair<uint32_t, uint32_t>> nodes;  // position, id of the replacement's node
  };
  Recipe() = default;
  absl::StatusOr<Node*> make(Graph& graph, Step& step);
  Argument map(const Argument& argument) const;

  const Graph* graph_ = nullptr;
  std::vector<std::pair<const Node*, uint32_t>> inputs_;  // and which of the pattern's
  std::vector<Step> body_;
  std::vector<Argument> results_;
  std::vector<const Argument*> values_;  // by id of the replacement's nodes
  bool has_rests_ = false;               // some input takes the rest of a list
  bool has_effects_ = false;
  std::vector<Kwarg> kwargs_;  // scratch
};

class Replacer {
 public:
  Replacer(Graph& graph, const Pattern& pattern, const ReplaceOptions& options);

  /// All matches found, or those that `list` has, are replaced.
  absl::StatusOr<Replacements> run(Recipe* recipe, const MakeReplacement* make);
  /// Replaces one match of the graph as it is. Nothing is kept for later matches unless `track` is
  /// on.
  absl::Status replace(MatchList& list, size_t match, Recipe& recipe, std::vector<Node*>& inserted,
                       bool track);
  /// Whether replacing the match would erase this node, or, of shared attributes, may.
  bool may_erase(const MatchList& list, size_t match, const Node& node) const;
  /// Whether a replacement so far had to move readers.
  bool has_moved() const { return has_moved_; }
  /// Of the last match: what its placeholders and kept calls stood for, of which some may be gone,
  /// and what took over.
  const std::vector<Argument>& inputs() const { return inputs_; }
  const std::vector<Argument>& results() const { return results_; }

 private:
  /// What took over from a returned node, and the id that it had then: nodes go, and their memory
  /// is used again.
  struct Replaced {
    Argument by;
    uint32_t id;
  };
  /// What became of a value that an earlier match replaced; changes it in place.
  void resolve(Argument& value, uint32_t& id);
  const Replaced* replaced(uint32_t id) const {
    return id < replaced_at_.size() && replaced_at_[id] != 0 ? &replaced_[replaced_at_[id] - 1]
                                                             : nullptr;
  }
  void read_inputs(MatchList& list, size_t base, bool track);
  /// The node in front of which the replacement goes; null: the end.
  absl::StatusOr<Node*> place(const MatchList& list, size_t match, const Recipe& recipe,
                              bool track);
  /// The same where `last_input` does not stand in front of `place`. With `may_wait` it stays
  /// there, since a later match may yet put something else in the place of the input, and settle()
  /// puts right what is left; otherwise the readers of the results are moved behind the input.
  absl::StatusOr<Node*> place_late(const MatchList& list, size_t match, Node& place,
                                   Node& last_input, bool may_wait);
  /// Puts the nodes into a legal order again.
  absl::Status settle();
  absl::Status replace_all(Replacements& done, Recipe* recipe, const MakeReplacement* make);
  absl::Status erase(const MatchList& list, size_t match);

  Graph& graph_;
  const Pattern shared_;
  const CompiledPattern& pattern_;
  const ReplaceOptions& options_;
  std::vector<Replaced> replaced_;
  std::vector<uint32_t> replaced_at_;  // by id: where in replaced_, and one more; 0: it was not
  bool has_moved_ = false;
  // A later match may replace an input of an earlier one. It does not where the one result stands
  // behind all inputs, since matches come in the order of their results.
  bool inputs_may_change_;
  Node* furthest_ = nullptr;  // set: a reader may stand before its operand, none of these behind it
  std::vector<uint32_t> matched_;  // nodes of the pattern that may be erased, the last first
  std::vector<uint32_t> stale_;    // inputs that an earlier match replaced
  std::vector<Argument> inputs_, results_;
  std::vector<const Node*> input_nodes_;
};

}  // namespace fx::rewrite
