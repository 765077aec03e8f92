// Compares the types of a match with the types of the pattern: see pattern.h.
#include "fx/ir/types/type.h"
#include "fx/passes/rewrite/match_engine_internal.h"

#include "fmt/format.h"

namespace fx::rewrite {

bool MatchEngine::types_match() {
  if (!pattern_.has_types) return true;
  sizes_.clear();
  for (uint32_t i = 0; i < pattern_.nodes.size(); ++i) {
    const PatternNode& expected = pattern_.nodes[i];
    if (!expected.type || !is_bound_[i]) continue;
    const Node* const node = bound_[i].node();
    if (!node || type_matches(expected.type, node->type())) continue;
    return record_ && fail(i, node,
                           fmt::format("its type is {}, expected {}", to_string(node->type()),
                                       to_string(expected.type)));
  }
  return true;
}

bool MatchEngine::type_matches(Type expected, Type found) {
  if (!expected || expected == found) {
    if (!expected || !expected.is_tensor()) return true;
  }
  if (expected.kind() != found.kind()) return false;
  if (expected.is_list() || expected.is_tuple() || expected.is_map()) {
    if (expected.items().size() != found.items().size()) return false;
    for (size_t i = 0; i < expected.items().size(); ++i)
      if (!type_matches(expected.items()[i], found.items()[i])) return false;
    return true;
  }
  if (!expected.is_tensor()) return !expected.is_constant() && !expected.is_symbolic();
  if (expected.dtype() != DType::kUndefined && expected.dtype() != found.dtype()) return false;
  if (!expected.has_rank()) return true;
  if (!found.has_rank() || expected.rank() != found.rank()) return false;
  return sizes_match(expected.sizes(), found.sizes());
}

bool MatchEngine::sizes_match(absl::Span<const Dim> expected, absl::Span<const Dim> found) {
  for (size_t i = 0; i < expected.size(); ++i) {
    const Dim& a = expected[i];
    const Dim& b = found[i];
    if (a.is_symbolic() && a.expr().is_symbol()) {
      const auto [it, is_new] = sizes_.try_emplace(a.expr().name(), b);
      if (!is_new && !same_value(it->second, b)) return false;
    } else if (!same_value(a, b)) {
      return false;
    }
  }
  return true;
}

}  // namespace fx::rewrite
