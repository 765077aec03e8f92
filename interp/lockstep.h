// Lockstep: runs two graphs that should compute the same values side by side, up to the first pair
// of nodes (interp/match_nodes.h) whose values differ.
//
//   FX_ASSIGN_OR_RETURN(const std::vector<fx::MatchedNodes> pairs, fx::match_nodes(before, after));
//   fx::Lockstep<double> lockstep(numbers_before, numbers_after, pairs);
//   lockstep.set_compare([](double a, double b) { return a == b ? "" : "not the same"; });
//   FX_ASSIGN_OR_RETURN(const auto difference, lockstep.run({1.0}, {1.0}));
//   if (difference) std::cout << difference->a->name() << ": " << difference->what;
//
// Each graph runs only up to the next pair. Thus, memory contains only the values of two ordinary
// runs, and copies of values that the second graph computes before the first graph does. A value is
// compared right after it is computed, before other nodes write to it.
#pragma once

#include "fx/interp/interpreter.h"
#include "fx/interp/match_nodes.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/status.h"

#include "absl/status/statusor.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// The first pair of counterparts with different values.
struct NodeDifference {
  const Node* a;
  const Node* b;
  MatchedBy by;
  std::string what;  ///< the text that the comparison returned
};

/// See the top of this file.
template <class V>
class Lockstep {
 public:
  /// Returns a description of how two values differ, or an empty string if they are equal.
  using Compare = std::function<std::string(const V& a, const V& b)>;

  /// `a` and `b` must be interpreters of the graphs of the pairs, and must outlive this object.
  /// `pairs` is a result of match_nodes.
  Lockstep(Interpreter<V>& a, Interpreter<V>& b, std::vector<MatchedNodes> pairs)
      : a_(a), b_(b), pairs_(std::move(pairs)) {}

  void set_compare(Compare compare) { compare_ = std::move(compare); }
  /// Sets the function that copies a value so that later writes do not change the copy. The default
  /// is V's copy constructor.
  void set_copy(std::function<V(const V&)> copy) { copy_ = std::move(copy); }
  /// Sets a function that is called when execution switches to `b` (true) or back to `a` (false).
  /// It can switch state that each graph requires separately, such as a random number generator.
  void set_switch(std::function<void(bool to_b)> on_switch) { switch_ = std::move(on_switch); }

  /// Runs both graphs. Returns the first difference, or std::nullopt if no pair differs. Returns
  /// the errors of the interpreters.
  absl::StatusOr<std::optional<NodeDifference>> run(std::vector<V> inputs_a,
                                                    std::vector<V> inputs_b) {
    if (pairs_.empty()) return std::nullopt;
    NodeMap<uint32_t> pair_of(pairs_[0].b->graph(), kNoPair);
    for (uint32_t i = 0; i < pairs_.size(); ++i) pair_of[*pairs_[i].b] = i;
    early_.assign(pairs_.size(), std::nullopt);
    FX_RETURN_IF_ERROR(a_.start(std::move(inputs_a)));
    FX_RETURN_IF_ERROR(b_.start(std::move(inputs_b)));
    for (uint32_t i = 0; i < pairs_.size(); ++i) {
      const MatchedNodes& pair = pairs_[i];
      FX_ASSIGN_OR_RETURN(const bool reached, run_a_to(*pair.a));
      if (!reached) break;
      const V* value_b = nullptr;
      if (early_[i]) {
        value_b = &*early_[i];
      } else {
        FX_ASSIGN_OR_RETURN(value_b, run_b_to(i, pair_of));
      }
      const V* value_a = a_.value(*pair.a);
      if (value_a == nullptr || value_b == nullptr) continue;  // the node comes after the output
      if (std::string what = compare_(*value_a, *value_b); !what.empty())
        return NodeDifference{pair.a, pair.b, pair.by, std::move(what)};
      early_[i].reset();
    }
    return std::nullopt;
  }

 private:
  static constexpr uint32_t kNoPair = UINT32_MAX;

  /// Runs `a` up to and including the node. Returns false if the run ends before the node.
  absl::StatusOr<bool> run_a_to(const Node& node) {
    switch_to(false);
    while (const Node* next = a_.next_node()) {
      FX_RETURN_IF_ERROR(a_.step());
      if (next == &node) return true;
    }
    return false;
  }
  /// Runs `b` up to and including the node of pair `i`, and copies values of later pairs that it
  /// computes before that node. Returns the value of the node.
  absl::StatusOr<const V*> run_b_to(uint32_t i, const NodeMap<uint32_t>& pair_of) {
    switch_to(true);
    while (const Node* next = b_.next_node()) {
      FX_RETURN_IF_ERROR(b_.step());
      if (next == pairs_[i].b) return b_.value(*next);
      if (const uint32_t pair = pair_of[*next]; pair != kNoPair && pair > i)
        early_[pair] = copy_ ? copy_(*b_.value(*next)) : *b_.value(*next);
    }
    return nullptr;
  }
  void switch_to(bool b) {
    if (switch_ && b != in_b_) switch_(b);
    in_b_ = b;
  }

  Interpreter<V>& a_;
  Interpreter<V>& b_;
  std::vector<MatchedNodes> pairs_;
  Compare compare_;
  std::function<V(const V&)> copy_;
  std::function<void(bool)> switch_;
  std::vector<std::optional<V>> early_;
  bool in_b_ = false;
};

}  // namespace fx
