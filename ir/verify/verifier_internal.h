// verify()'s traversal of the graph, shared by its parts: verifier.cpp (names, links, opcodes),
// verifier_arguments.cpp (arguments, uses), verifier_calls.cpp (operator schemas, types, optional
// rules), verifier_report.cpp.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/support/recent_cache.h"
#include "fx/ir/verify/verifier.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Finds duplicates among names, (base, number) pairs, without hashing: the numbers of one base are
/// mostly dense, so each base has a bitmap, and a set for numbers far beyond its end.
class NameSet {
 public:
  /// Returns false if the name was already in the set.
  bool insert(uint32_t base, uint32_t number);

 private:
  struct Base {
    uint32_t first = 0;  // the first number; moved to `bits` or `far` when there is a second
    uint32_t count = 0;  // not counting the first
    std::vector<uint64_t> bits;
    std::unique_ptr<absl::flat_hash_set<uint32_t>> far;
  };

  static bool insert_far_or_dense(Base& base, uint32_t number);

  absl::flat_hash_map<uint32_t, uint32_t> index_;
  std::vector<Base> bases_;
  internal::RecentCache<uint32_t, uint32_t, 64> recent_;  // of index_
};

class Verifier {
 public:
  Verifier(const VerifierOptions& options, VerifierReport& report)
      : options_(options), report_(report) {}

  void run(const Graph& root);

 private:
  static constexpr std::string_view kBug = "this is a bug in fxcpp, or memory was overwritten";
  static std::string percent(const Node& node) { return absl::StrCat("%", node.name()); }

  struct Nested {
    const Graph* graph;
    std::string path;
  };
  /// The form that calls to one function must have.
  struct CallRule {
    const ops::OpInfo* op = nullptr;  // null: any arguments
    std::string unknown;              // the problem with the name, or empty
    uint32_t positional = 0;
    uint32_t required = 0;  // of the positional ones
    bool required_keywords = false;
    bool is_function = false;
  };

  // ---- verifier.cpp
  void check_graph(const Graph& graph);
  bool check_link(uint32_t slot, uint32_t prev, size_t count);
  void check_id(const Node& node);
  void check_names(const Node& node);
  bool check_target(const Node& node);
  void check_uses(const Node& node);
  void check_arguments(const Node& node);
  void check_argument(const Node& node, uint32_t cell, int depth);
  void check_aggregate(const Node& node, const detail::Cell& cell, int depth);
  void check_dict_keys(const Node& node, const detail::Cell& cell);
  void check_operand(const Node& node, uint32_t index, const detail::Cell& cell);
  void check_keywords(const Node& node);
  std::optional<std::string_view> keyword(const Node& node, uint32_t i) const;
  void check_leftover_uses();
  void check_form(const Node& node);
  void check_ends();

  // ---- verifier_calls.cpp
  void check_call(const Node& node);
  void check_call_slowly(const Node& node, const CallRule& rule);
  const CallRule& call_rule(const TargetData* target);
  void check_type(const Node& node);
  void check_path(const Node& node);
  void check_meta(const Node& node);
  void check_allowed(const Node& node);
  void check_nested();
  void check_index();
  void check_dead();
  void check_modes();

  // ---- Findings
  void error(Invariant invariant, const Node* node, std::string message, std::string_view hint);
  void warning(Invariant invariant, const Node* node, std::string message, std::string_view hint);
  void add(Severity severity, Invariant invariant, const Node* node, std::string message,
           std::string_view hint);

  bool valid_slot(uint32_t slot) const;
  bool valid_cell(uint32_t cell) const;
  /// True if the `count` cells that start at `begin` are part of the graph's storage.
  bool valid_run(uint32_t begin, uint64_t count) const;
  const detail::Cell& cell_at(uint32_t index) const { return *graph_->storage().cell_at(index); }
  bool test_and_clear(uint32_t cell);
  bool test_and_set(uint32_t cell);

  const VerifierOptions& options_;
  VerifierReport& report_;

  // The graph being checked.
  const Graph* graph_ = nullptr;
  std::string path_;
  std::vector<Nested> stack_;
  bool intact_ = true;  // V1 holds so far
  bool is_past_inputs_ = false;
  const Node* output_ = nullptr;
  const Node* first_after_output_ = nullptr;
  size_t num_after_output_ = 0;
  uint64_t cells_left_ = 0;  // argument cells that may still be visited: bounds malformed trees
  size_t num_operands_ = 0;  // of the node being checked
  uint64_t uses_marked_ = 0;
  std::vector<uint64_t> marks_;          // by cell: in a use list of a user not yet visited
  absl::flat_hash_set<uint32_t> early_;  // cells of operands that come after their users
  NameSet names_;
  bool dense_ids_ = true;
  std::vector<uint64_t> id_bits_;
  absl::flat_hash_set<uint32_t> id_set_;
  absl::flat_hash_set<std::string_view> placeholder_targets_;
  absl::flat_hash_set<std::string_view> subgraph_names_;

  // Valid for all graphs of one Context.
  internal::RecentCache<const TargetData*, const CallRule*, 64> recent_rules_;
  absl::flat_hash_map<const TargetData*, std::unique_ptr<CallRule>> rules_;
  /// The number of unknown operators so far: suggestions are only looked up for the first few.
  int num_suggestions_ = 0;
  static constexpr int kMaxSuggestions = 8;
  internal::RecentCache<const TypeData*, bool, 64> valid_types_;
  absl::flat_hash_map<const TypeData*, std::string> types_;  // the error in each, or empty
  internal::RecentCache<uint32_t, bool, 64> identifiers_;    // by Symbol id
};

}  // namespace fx
