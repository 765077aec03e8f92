// DecompositionTable: see decomposition_table.h.
#include "fx/passes/decompose/decomposition_table.h"

#include "fx/ir/support/status.h"
#include "fx/passes/decompose/families_internal.h"

#include "fmt/format.h"

namespace fx {

absl::Status DecompositionTable::add(std::string_view op, DecompositionFunction function,
                                     DecompositionSet set) {
  if (find(op) != nullptr)
    return absl::AlreadyExistsError(fmt::format("there is a decomposition of {} already", op));
  return replace(op, std::move(function), set);
}

absl::Status DecompositionTable::replace(std::string_view op, DecompositionFunction function,
                                         DecompositionSet set) {
  if (op.empty() || !function) {
    return absl::InvalidArgumentError(fmt::format("the decomposition of \"{}\" has no {}", op,
                                                  function ? "operator" : "function"));
  }
  const auto [place, is_new] = by_op_.try_emplace(std::string(op), entries_.size());
  if (is_new) entries_.emplace_back();
  entries_[place->second] = {std::string(op), std::move(function), set};
  return absl::OkStatus();
}

const Decomposition* DecompositionTable::find(std::string_view op) const {
  const auto place = by_op_.find(std::string(op));
  return place == by_op_.end() ? nullptr : &entries_[place->second];
}

const DecompositionTable& DecompositionTable::standard() {
  static const auto* table = [] {
    auto* made = new DecompositionTable();
    for (const auto family : kDecompositionFamilies) {
      for (const DecompositionRow& row : family())
        FX_CHECK_OK(made->add(row.op, row.function, row.set));
    }
    return made;
  }();
  return *table;
}

}  // namespace fx
