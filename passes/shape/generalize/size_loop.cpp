// Finds the loop whose iterations differ between two recordings of a program.
#include "fx/passes/shape/generalize/generalizer_internal.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace fx {
namespace {

using Calls = std::vector<const Node*>;

bool same_operator(const Node* a, const Node* b) {
  return a->op() == b->op() && a->target_symbol() == b->target_symbol();
}

/// Returns the nodes from `node` to the end of the graph.
Calls calls_from(const Node& node) {
  Calls calls;
  for (const Node* n = &node; n != nullptr; n = n->next()) calls.push_back(n);
  return calls;
}

/// Returns the calls before `node`.
Calls calls_before(const Node& node) {
  Calls calls;
  for (const Node* n = node.prev(); n != nullptr && !n->is_placeholder(); n = n->prev())
    calls.push_back(n);
  std::reverse(calls.begin(), calls.end());
  return calls;
}

/// True if `longer` starts with the last `length` calls of `before`.
bool repeats(const Calls& before, const Calls& longer, size_t length) {
  return std::equal(before.end() - static_cast<ptrdiff_t>(length), before.end(), longer.begin(),
                    same_operator);
}

/// Returns the number of additional iterations in `longer`, after which it continues with the first
/// call of `shorter`; 0 if it does not.
size_t additional_iterations(const Calls& longer, const Calls& shorter, size_t length) {
  for (size_t i = length; i < longer.size(); ++i) {
    if (i % length == 0 && same_operator(longer[i], shorter[0])) return i / length;
    if (!same_operator(longer[i], longer[i - length])) return 0;
  }
  return 0;
}

/// Returns the number of equal sequences of `length` calls at the end of `before`.
size_t iterations_at_end(const Calls& before, size_t length) {
  size_t equal = length;
  while (equal < before.size() && same_operator(before[before.size() - 1 - equal],
                                                before[before.size() - 1 - equal + length])) {
    ++equal;
  }
  return equal / length;
}

}  // namespace

/// For most lengths, the first comparison of calls fails. The limit bounds the time for other
/// lengths.
std::optional<SizeLoop> loop_at(const Node& node, const Node& other) {
  const Calls before = calls_before(node), after = calls_from(node), others = calls_from(other);
  constexpr size_t kMaxCallsOfIteration = 10'000;
  for (size_t length = 1; length <= std::min(before.size(), kMaxCallsOfIteration); ++length) {
    for (const bool other_is_longer : {true, false}) {
      const Calls &longer = other_is_longer ? others : after,
                  &shorter = other_is_longer ? after : others;
      if (length >= longer.size() || !repeats(before, longer, length)) continue;
      const size_t additional = additional_iterations(longer, shorter, length);
      if (additional == 0) continue;
      const size_t common = iterations_at_end(before, length);
      return SizeLoop{.first = before[before.size() - length],
                      .last = before.back(),
                      .length = length,
                      .iterations = other_is_longer ? common : common + additional,
                      .other_iterations = other_is_longer ? common + additional : common};
    }
  }
  return std::nullopt;
}

}  // namespace fx
