// Replaces matches with replacement graphs.
#pragma once

#include "fx/ir/support/name.h"
#include "fx/passes/rewrite/match_engine_internal.h"
#include "fx/passes/rewrite/replace_pattern.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx::rewrite {

/// A replacement graph that is checked against a pattern, with the correspondence of inputs, and
/// with results in the order of the pattern's results.
class Recipe {
 public:
  static absl::StatusOr<Recipe> create(const CompiledPattern& pattern, const Graph& replacement);

  const Graph& graph() const { return *graph_; }
  /// Returns the number of nodes that the recipe creates.
  size_t size() const { return body_.size(); }
  /// True if one of these nodes has effects.
  bool has_effects() const { return has_effects_; }
  /// Inserts the nodes at the insert point; `inputs` are the values of the pattern's placeholders,
  /// then of its kept calls. Appends the new nodes and, in the order of the pattern, the results.
  absl::Status insert(Graph& graph, absl::Span<const Argument> inputs, std::vector<Node*>& nodes,
                      std::vector<Argument>& results);

 private:
  /// A node to be created. Its arguments refer to the replacement's nodes.
  struct Step {
    const Node* node;
    std::string name;
    NameHint hint;  // hint for the name; the target's hint if the name is the same
    std::vector<Argument> args;
    std::vector<Kwarg> kwargs;
    Argument made;  // for the last match
    bool has_meta;
    // True in the common case that the positional arguments are nodes and constants. Then `ready`
    // has the arguments of the last match, and `nodes` the values that replace nodes; otherwise
    // arguments are mapped.
    bool is_flat;
    std::vector<Argument> ready;
    std::vector<std::pair<uint32_t, uint32_t>> nodes;  // position, id of the replacement's node
  };
  Recipe() = default;
  absl::StatusOr<Node*> make(Graph& graph, Step& step);
  Argument map(const Argument& argument) const;

  const Graph* graph_ = nullptr;
  std::vector<std::pair<const Node*, uint32_t>> inputs_;  // and the pattern's placeholder
  std::vector<Step> body_;
  std::vector<Argument> results_;
  std::vector<const Argument*> values_;  // by id of the replacement's nodes
  bool has_rests_ = false;               // an input matches the rest of a list
  bool has_effects_ = false;
  std::vector<Kwarg> kwargs_;  // scratch
};

class Replacer {
 public:
  Replacer(Graph& graph, const Pattern& pattern, const ReplaceOptions& options);

  /// Replaces all matches.
  absl::StatusOr<Replacements> run(Recipe* recipe, const MakeReplacement* make);
  /// Replaces one match in the current graph. Records replacements for later matches only if
  /// `track` is set. If not, the match is one of a rule: FailedPrecondition, and the graph does not
  /// change, if the replacement would be refused where the pattern was accepted (check_types).
  absl::Status replace(MatchList& list, size_t match, Recipe& recipe, std::vector<Node*>& inserted,
                       bool track);
  /// True if replacing the match erases this node, or may erase it if it is a shared attribute.
  bool may_erase(const MatchList& list, size_t match, const Node& node) const;
  /// True if a replacement so far has moved users.
  bool has_moved() const { return has_moved_; }
  /// Returns the values of the placeholders and kept calls of the last match, some of which may
  /// have been erased, and the results of the replacement.
  const std::vector<Argument>& inputs() const { return inputs_; }
  const std::vector<Argument>& results() const { return results_; }

 private:
  /// The replacement of a returned node, with the node's id at that time: the memory of erased
  /// nodes is reused.
  struct Replaced {
    Argument by;
    uint32_t id;
  };
  /// Replaces a value that an earlier match has replaced with the current value.
  void resolve(Argument& value, uint32_t& id);
  const Replaced* replaced(uint32_t id) const {
    return id < replaced_at_.size() && replaced_at_[id] != 0 ? &replaced_[replaced_at_[id] - 1]
                                                             : nullptr;
  }
  void read_inputs(MatchList& list, size_t base, bool track);
  /// Returns the node before which the replacement is inserted; null: the end.
  absl::StatusOr<Node*> place(const MatchList& list, size_t match, const Recipe& recipe,
                              bool track);
  /// Finds the place if `last_input` does not come before `place`. With `may_wait` the place is
  /// kept, since a later match may still replace the input, and settle() fixes the order at the
  /// end; otherwise the users of the results are moved after the input.
  absl::StatusOr<Node*> place_late(const MatchList& list, size_t match, Node& place,
                                   Node& last_input, bool may_wait);
  /// Restores a legal order of the nodes.
  absl::Status settle();
  /// FailedPrecondition if a type function refuses one of the new nodes, or if a result has a different
  /// dtype or different sizes from the value that it replaces. Sets the types of the inner nodes.
  absl::Status check_types(const MatchList& list, size_t base, absl::Span<Node* const> made);
  /// Sets the types that the type functions compute for the new nodes; FailedPrecondition if one refuses.
  absl::Status infer_types(absl::Span<Node* const> made);
  /// Reads the types of the inputs. False if one is unknown, or an input is not a node.
  bool read_input_types(std::vector<Type>& types) const;
  /// Replaces the uses of the i-th returned value of a match with the i-th result.
  absl::Status replace_result(const MatchList& list, size_t base, size_t i, uint32_t first_new_id,
                              bool track);
  absl::Status replace_all(Replacements& done, Recipe* recipe, const MakeReplacement* make);
  absl::Status erase(const MatchList& list, size_t match);

  Graph& graph_;
  const Pattern shared_;
  const CompiledPattern& pattern_;
  const ReplaceOptions& options_;
  std::vector<Replaced> replaced_;
  std::vector<uint32_t> replaced_at_;  // by id: index into replaced_ plus one; 0: not replaced
  bool has_moved_ = false;
  // True if a later match may replace an input of an earlier one. This is impossible if the single
  // result comes after all inputs, since matches are in the order of their results.
  bool inputs_may_change_;
  // Set if users may come before their operands; no user after this node does.
  Node* furthest_ = nullptr;
  std::vector<uint32_t> matched_;  // nodes of the pattern that may be erased, from last to first
  std::vector<uint32_t> stale_;    // inputs that an earlier match replaced
  std::vector<Argument> inputs_, results_;
  std::vector<const Node*> input_nodes_;
  // The types of the inputs of the last match of a rule, and those that infer_types computed for its new
  // nodes. The matches of a rule often have inputs of the same types. Empty if not known.
  std::vector<Type> input_types_, inferred_types_;
  std::vector<Type> types_;  // scratch
};

}  // namespace fx::rewrite
