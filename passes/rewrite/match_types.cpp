// Compares the types of a match with the types of the pattern: see pattern.h.
#include "fx/ir/types/type.h"
#include "fx/passes/rewrite/match_engine_internal.h"

#include "fmt/format.h"

namespace fx::rewrite {

bool MatchEngine::types_match() {
  if (!pattern_.has_types) return true;
  sizes_.clear();
  for (uint32_t i = 0; i < pattern_.nodes.size(); ++i) {
    const PatternNode& wanted = pattern_.nodes[i];
    if (!wanted.type || !is_bound_[i]) continue;
    const Node* const node = bound_[i].node();
    if (!node || type_matches(wanted.type, node->type())) continue;
    return record_ && fail(i, node,
                           fmt::format("its type is {}, expected {}", to_string(node->type()),
                                       to_string(wanted.type)));
  }
  return true;
}

bool MatchEngine::type_matches(Type wanted, Type found) {
  if (!wanted || wanted == found) {
    if (!wanted || !wanted.is_tensor()) return true;
  }
  if (wanted.kind() != found.kind()) return false;
  if (wanted.is_list() || wanted.is_tuple() || wanted.is_map()) {
    if (wanted.items().size() != found.items().size()) return false;
    for (size_t i = 0; i < wanted.items().size(); ++i)
      if (!type_matches(wanted.items()[i], found.items()[i])) return false;
    return true;
  }
  if (!wanted.is_tensor()) return !wanted.is_constant() && !wanted.is_symbolic();
  if (wanted.dtype() != DType::kUndefined && wanted.dtype() != found.dtype()) return false;
  if (!wanted.has_rank()) return true;
  if (!found.has_rank() || wanted.rank() != found.rank()) return false;
  return sizes_match(wanted.sizes(), found.sizes());
}

bool MatchEngine::sizes_match(absl::Span<const Dim> wanted, absl::Span<const Dim> found) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Dim& a = wanted[i];
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
