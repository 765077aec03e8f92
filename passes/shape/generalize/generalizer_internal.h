// The state of generalize_sizes().
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/passes/shape/generalize/generalize_sizes.h"
#include "fx/passes/shape/generalize/size_fit_internal.h"
#include "fx/passes/shape/generalize/size_numbers_internal.h"
#include "fx/passes/shape/shape_env.h"
#include "fx/passes/shape/type_cache.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// True for a placeholder whose value is a number.
bool is_number_input(const Node* node);
/// Returns the symbolic type with requires_grad of the recorded type.
Type with_requires_grad(TypeTable& types, Type symbolic, Type recorded);

/// A loop with different numbers of iterations in two recordings.
struct SizeLoop {
  const Node *first, *last;  ///< calls of the latest iteration that both recordings have
  size_t length;             ///< the number of calls in an iteration
  size_t iterations;         ///< in the recording of `first`
  size_t other_iterations;
};

/// Finds a loop that has more iterations in one of two recordings. `node` and `other` are the first
/// corresponding nodes that have different operators. The result refers to calls before `node`,
/// which both recordings have. Returns nullopt if there is no such loop.
std::optional<SizeLoop> loop_at(const Node& node, const Node& other);

/// Compares the graph of an additional run with the graph of the first run. `sizes` and
/// `other_sizes` are the values of the symbols, for messages.
RecordedRun compare_graphs(const Graph& first, const Graph& other, const SymBindings& sizes,
                           const SymBindings& other_sizes);

/// Returns the error for a node of the first run that an additional run does not have.
absl::Status different_structure(const Node& node, std::string_view what, const SymBindings& sizes,
                                 const SymBindings& other_sizes);

class Generalizer {
 public:
  /// A node of the first graph, with its type in each run.
  struct Step {
    Node& node;
    absl::Span<const Type> types;
  };

  Generalizer(Graph& first, absl::Span<const RecordedRun> others,
              absl::Span<const SymBindings> sizes, absl::Span<const Type> inputs);

  absl::Status run();
  /// The numbers of which additional runs may show that they are different functions of the sizes.
  std::vector<SizeRivals> take_rivals() { return std::move(rivals_); }

 private:
  /// A number that differs between the runs: expressions for it, and the chosen one. More
  /// expressions are searched for when the first one requires a guard.
  struct Unknown {
    absl::InlinedVector<int64_t, 4> values;
    std::vector<SymExpr> choices;
    size_t chosen = 0;
    std::optional<size_t> in_call;  // the choice in the arguments of the call
    bool searched = false;
    std::string what;  // for messages
  };
  /// An argument in each run.
  using Values = absl::InlinedVector<Argument, 4>;
  /// An argument of a call with its position.
  using Changed = std::pair<size_t, Argument>;
  struct Inferred {
    Type type;
    bool depends_on_data = false;
  };
  /// A result of attempt(). `env` is set if it differs from env_.
  struct Attempt {
    Type type;
    size_t num_guards = 0;
    std::optional<ShapeEnv> env;
    std::vector<size_t> chosen;  // of each unknown
  };

  absl::Status differ(const Node& node, size_t run, std::string_view what) const {
    return different_structure(node, what, sizes_[0], sizes_[run]);
  }
  void add_rivals(const Node& node, std::string_view what, absl::Span<const int64_t> values,
                  SymExpr chosen);
  absl::Status read_types(const Node& node);
  absl::Status add_placeholder(const Step& step, size_t index);
  absl::Status derive_input(const Step& step);
  absl::StatusOr<Dim> derive(const Step& step, absl::Span<const int64_t> values);
  absl::Status add_call(const Step& step);
  absl::Status check_results(Node& output);
  std::optional<std::pair<size_t, Values>> next_difference(const Node& node);
  absl::StatusOr<std::vector<Changed>> merge_arguments(Node& node, std::vector<Unknown>& unknowns);
  absl::StatusOr<Argument> merge(Node& node, const Values& values, std::vector<Unknown>& unknowns);
  absl::StatusOr<Argument> merge_number(Node& node, const Values& values,
                                        std::vector<Unknown>& unknowns);
  absl::Status set_arguments(Node& node, const std::vector<Changed>& changed,
                             std::vector<Unknown>& unknowns);
  absl::StatusOr<Inferred> infer(const Step& step, ShapeEnv& env);
  absl::StatusOr<Inferred> check_type(const Step& step, Type type, const ShapeEnv& env);
  absl::Status choose(const Step& step, const std::vector<Changed>& changed,
                      std::vector<Unknown>& unknowns);
  absl::Status try_choices(const Step& step, const std::vector<Changed>& changed,
                           std::vector<Unknown>& unknowns, std::optional<Attempt>& best);
  absl::StatusOr<Attempt> attempt(const Step& step);
  absl::Status infer_plain(const Step& step);
  void set_type(Node& node, Type type);
  std::optional<bool> depends_on_data(Type symbolic, Type recorded, size_t run);
  bool is_symbolic(Type type);
  absl::Status check_guards(const ShapeEnv& env) const;
  std::string argument_name(const Node& call) const;

  Graph& graph_;
  absl::Span<const RecordedRun> others_;
  std::vector<SymBindings> sizes_;
  std::vector<Type> inputs_;
  Context& context_;
  SizeFit fit_;
  ShapeEnv env_;
  std::vector<absl::flat_hash_map<Symbol, SymExpr>> substitutions_;  // by run
  /// Placeholders whose symbolic type has not been derived yet, with their types in the runs.
  absl::flat_hash_map<Node*, std::vector<Type>> pending_inputs_;
  /// By run: pairs of symbolic and recorded types that agree, and whether they depend on data.
  std::vector<absl::flat_hash_map<std::pair<Type, Type>, bool>> agreeing_types_;
  absl::flat_hash_map<Type, bool> symbolic_;  // results of has_symbols
  /// The types that set_type() set for an inferred and a recorded type; null for a type without
  /// symbols.
  absl::flat_hash_map<std::pair<Type, Type>, Type> node_types_;
  std::optional<ShapeEnv> trial_;  // a copy of env_
  TypeCache inferred_;             // types of calls whose arguments are the same in all runs
  std::vector<SizeRivals> rivals_;
  absl::flat_hash_set<std::vector<int64_t>> uncertain_;  // the values of the numbers in rivals_
  Node* last_input_ = nullptr;
  SizeNumbers numbers_;
  size_t index_ = 0;                      // of the current node
  std::vector<Type> types_;               // of the current node in the runs
  std::vector<size_t> next_differences_;  // by additional run: the first unmerged difference
  std::vector<size_t> next_guards_;       // by additional run: the first unread changed guard
  size_t position_ = 0;                   // of the argument that is being merged
};

}  // namespace fx
