// Replaces matches with replacement graphs.
#pragma once

#include "fx/ir/support/name.h"
#include "fx/passes/rewrite/match_engine_internal.h"
#include "fx/passes/rewrite/match_memory_internal.h"
#include "fx/passes/rewrite/replace_pattern.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx::rewrite {

/// A replacement graph that has been checked against a pattern, with the pattern's placeholder for
/// each input, and with results in the order of the pattern's results.
class Recipe {
 public:
  static absl::StatusOr<Recipe> create(const CompiledPattern& pattern, const Graph& replacement);

  const Graph& graph() const { return *graph_; }
  /// Returns the number of nodes that the recipe creates.
  size_t size() const { return body_.size(); }
  /// True if one of these nodes has effects.
  bool has_effects() const { return has_effects_; }
  /// Returns the memory of each result, in the order of the pattern. The first call analyzes the
  /// replacement.
  absl::Span<const ResultMemory> result_memory();
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
    Argument created;  // the node that was created for the last match
    bool has_meta;
    // True if the positional arguments are nodes and constants, which is common. In this case,
    // `ready` contains the arguments of the last match, and `nodes` the arguments that are nodes.
    // Otherwise arguments are mapped.
    bool is_flat;
    std::vector<Argument> ready;
    std::vector<std::pair<uint32_t, uint32_t>> nodes;  // position, id of the replacement's node
  };
  Recipe() = default;
  absl::StatusOr<Node*> make(Graph& graph, Step& step);
  Argument map(const Argument& argument) const;

  const Graph* graph_ = nullptr;
  std::vector<std::pair<const Node*, uint32_t>> inputs_;  // with the pattern's placeholders
  std::vector<Step> body_;
  std::vector<Argument> results_;
  std::vector<ResultMemory> result_memory_;  // empty before the first call of result_memory()
  std::vector<const Argument*> values_;      // by id of the replacement's nodes
  bool has_rests_ = false;                   // an input matches the rest of a list
  bool has_effects_ = false;
  std::vector<Kwarg> kwargs_;  // scratch
};

class Replacer {
 public:
  /// `memory` must describe the same graph.
  Replacer(Graph& graph, const Pattern& pattern, const ReplaceOptions& options,
           MatchMemory& memory);

  /// Replaces all matches.
  absl::StatusOr<Replacements> run(Recipe* recipe, const MakeReplacement* make);
  /// Replaces one match in the current graph. Records replacements for later matches only if
  /// `track` is set. If it is not set, the match belongs to a rule. In this case, returns
  /// FailedPrecondition without changing the graph if check_types or the memory rejects the
  /// replacement.
  absl::Status replace(MatchList& list, size_t match, Recipe& recipe, std::vector<Node*>& inserted,
                       bool track);
  /// True if replacing the match erases this node, or may erase it if it is a shared attribute.
  bool may_erase(const MatchList& list, size_t match, const Node& node) const;
  /// True if a previous replacement has moved users.
  bool has_moved() const { return has_moved_; }
  /// Returns the values of the placeholders and kept calls of the last match, some of which may
  /// have been erased, and the results of the replacement.
  const std::vector<Argument>& inputs() const { return inputs_; }
  const std::vector<Argument>& results() const { return results_; }

 private:
  /// The replacement of a returned node. `id` is the id of `value` at that time: the memory of
  /// erased nodes is reused.
  struct Replaced {
    Argument value;
    uint32_t id;
  };
  /// Replaces a value that an earlier match has replaced with the current value.
  void resolve(Argument& value, uint32_t& id);
  const Replaced* replaced(uint32_t id) const {
    return id < replaced_at_.size() && replaced_at_[id] != 0 ? &replaced_[replaced_at_[id] - 1]
                                                             : nullptr;
  }
  void read_inputs(MatchList& list, size_t base, bool track);
  /// Returns the node before which the replacement is inserted; null for the end.
  absl::StatusOr<Node*> find_position(const MatchList& list, size_t match, const Recipe& recipe,
                                      bool track);
  /// Finds the position if `last_input` does not come before `position`. With `may_wait`, keeps
  /// `position`, since a later match may still replace the input, and settle() corrects the order
  /// at the end; otherwise moves the users of the results after the input.
  absl::StatusOr<Node*> find_late_position(const MatchList& list, size_t match, Node& position,
                                           Node& last_input, bool may_wait);
  /// Restores a valid order of the nodes.
  absl::Status settle();
  /// Returns FailedPrecondition if a type function rejects a new node, or if a result has a
  /// different dtype or different sizes than the value that it replaces. Sets the types of the
  /// inner nodes.
  absl::Status check_types(const MatchList& list, size_t base, absl::Span<Node* const> new_nodes);
  /// True if the operands have types, which are still valid.
  bool has_typed_operands(const Node& node) const;
  /// Sets the types that the type functions compute for the new nodes. Returns FailedPrecondition
  /// if a type function rejects a node.
  absl::Status infer_types(absl::Span<Node* const> new_nodes);
  /// Reads the types of the inputs. False if one is unknown, or an input is not a node.
  bool read_input_types(std::vector<Type>& types) const;
  /// Replaces the uses of the i-th returned value of a match with the i-th result.
  absl::Status replace_result(const MatchList& list, size_t base, size_t i, uint32_t first_new_id,
                              bool track);
  /// Returns the values of the pattern's nodes.
  absl::Span<const Argument> values(const MatchList& list, size_t match) const {
    return absl::MakeConstSpan(list.values_).subspan(match * list.width_, list.width_);
  }
  /// True if the inputs of the match have the same contents at the position of the replacement, and
  /// the results may be used instead of those of the match.
  bool may_replace(const MatchList& list, size_t match, Recipe& recipe);
  /// Removes matches that must not be replaced. The graph must be unchanged.
  void remove_unsafe(MatchList& list, Recipe* recipe);
  Node* last_matched(const MatchList& list, size_t match) const;
  absl::Status replace_all(Replacements& done, Recipe* recipe, const MakeReplacement* make);
  absl::Status erase(const MatchList& list, size_t match);

  Graph& graph_;
  const Pattern shared_;
  const CompiledPattern& pattern_;
  const ReplaceOptions& options_;
  std::vector<Replaced> replaced_;
  std::vector<uint32_t> replaced_at_;  // by id: index into replaced_ plus one; 0 if not replaced
  bool has_moved_ = false;
  MatchMemory* memory_;  // null if memory is not checked
  // True if a later match may replace an input of an earlier match. This is impossible if the
  // single result comes after all inputs, since matches are in the order of their results.
  bool inputs_may_change_;
  // If not null, users may come before their operands, but no user after this node does.
  Node* furthest_ = nullptr;
  std::vector<uint32_t> matched_;  // nodes of the pattern that may be erased, from last to first
  std::vector<uint32_t> stale_;    // inputs that an earlier match replaced
  std::vector<Argument> inputs_, results_;
  std::vector<const Node*> input_nodes_;
  // The types of the inputs of the last match of a rule, and the types that infer_types computed
  // for its new nodes. The matches of a rule often have inputs with the same types. Empty if
  // unknown.
  std::vector<Type> input_types_, inferred_types_;
  std::vector<Type> types_;  // scratch
};

}  // namespace fx::rewrite
