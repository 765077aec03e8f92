// The state of generalize_sizes().
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/passes/shape/generalize/size_fit_internal.h"
#include "fx/passes/shape/generalize/size_numbers_internal.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/container/flat_hash_map.h"
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
  size_t length;             ///< the number of calls of an iteration
  size_t iterations;         ///< in the recording of `first`
  size_t other_iterations;
};

/// Finds a loop that has more iterations in one of two recordings. `node` and `other` are the first
/// corresponding nodes that have different operators. The result refers to calls before `node`,
/// which both recordings have. Returns nullopt if there is no such loop.
std::optional<SizeLoop> loop_at(const Node& node, const Node& other);

class Generalizer {
 public:
  using Nodes = std::vector<Node*>;  ///< corresponding nodes, one of each graph

  Generalizer(absl::Span<Graph* const> graphs, absl::Span<const SymBindings> sizes,
              absl::Span<const Type> inputs);

  absl::Status run();
  /// False if further graphs may show that a number is a different function of the sizes.
  bool is_certain() const { return is_certain_; }

 private:
  /// A number that differs between the graphs: expressions for it, and the chosen one. More
  /// expressions are searched for when the first one requires a guard.
  struct Unknown {
    std::vector<int64_t> values;
    std::vector<SymExpr> choices;
    size_t chosen = 0;
    bool searched = false;
    bool is_certain = true;  // of the first choice
  };
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

  absl::Status differ(const Nodes& nodes, size_t run, std::string_view what) const;
  absl::Status different_call(const Nodes& nodes, size_t run) const;
  absl::Status check_alike(const Nodes& nodes, size_t run) const;
  absl::Status add_placeholder(const Nodes& nodes, size_t index);
  absl::Status derive_input(const Nodes& nodes);
  absl::StatusOr<Dim> derive(const Nodes& nodes, absl::Span<const int64_t> values);
  absl::Status add_call(const Nodes& nodes);
  absl::Status check_results(const Nodes& nodes);
  absl::StatusOr<std::vector<Changed>> merge_arguments(const Nodes& nodes,
                                                       std::vector<Unknown>& unknowns);
  absl::StatusOr<Argument> merge(const Nodes& nodes, const std::vector<Argument>& values,
                                 std::vector<Unknown>& unknowns);
  absl::StatusOr<Argument> merge_number(const Nodes& nodes, const std::vector<Argument>& values,
                                        std::vector<Unknown>& unknowns);
  absl::Status set_arguments(Node& node, const std::vector<Changed>& changed,
                             const std::vector<Unknown>& unknowns);
  absl::StatusOr<Inferred> infer(const Nodes& nodes, ShapeEnv& env);
  absl::Status choose(const Nodes& nodes, const std::vector<Changed>& changed,
                      std::vector<Unknown>& unknowns);
  absl::Status try_choices(const Nodes& nodes, const std::vector<Changed>& changed,
                           std::vector<Unknown>& unknowns, std::optional<Attempt>& best);
  absl::StatusOr<Attempt> attempt(const Nodes& nodes);
  absl::Status infer_plain(const Nodes& nodes);
  void set_type(Node& node, Type type);
  std::optional<bool> depends_on_data(Type symbolic, Type recorded, size_t run);
  bool is_symbolic(Type type);
  absl::Status check_guards(const ShapeEnv& env) const;
  std::string argument_name(const Node& call) const;
  bool same(const ArgumentRef& a, const ArgumentRef& b, size_t run) const;
  /// Returns the node of the first graph that corresponds to a node of graph `run`.
  Node* counterpart(const Node& node, size_t run) const { return first_[run][node.id()]; }

  std::vector<Graph*> graphs_;
  std::vector<SymBindings> sizes_;
  std::vector<Type> inputs_;
  Context& context_;
  SizeFit fit_;
  ShapeEnv env_;
  std::vector<absl::flat_hash_map<Symbol, SymExpr>> substitutions_;  // by graph
  std::vector<std::vector<Node*>> first_;  // by graph and id: nodes of the first graph
  absl::flat_hash_map<const Node*, Nodes>
      pending_inputs_;  // placeholders whose symbolic type is not derived yet
  /// By graph: pairs of symbolic and recorded types that agree, and whether they depend on data.
  std::vector<absl::flat_hash_map<std::pair<Type, Type>, bool>> agreeing_types_;
  absl::flat_hash_map<Type, bool> symbolic_;  // results of has_symbols
  std::optional<ShapeEnv> trial_;             // a copy of env_
  bool is_certain_ = true;
  Node* last_input_ = nullptr;
  SizeNumbers numbers_;
  size_t position_ = 0;  // of the argument that is being merged
  Symbol guard_key_;
};

}  // namespace fx
