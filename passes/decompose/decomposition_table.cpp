// DecompositionTable: see decomposition_table.h.
#include "fx/passes/decompose/decomposition_table.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/attachments.h"
#include "fx/ir/support/status.h"
#include "fx/passes/decompose/families_internal.h"

#include "fmt/format.h"

#include <string>
#include <string_view>
#include <utility>

namespace fx {

namespace {

/// The key of the table in a Context.
constexpr char kDecompositionsOfContext = 0;

}  // namespace

absl::Status DecompositionTable::add(Decomposition entry) {
  if (find(entry.op) != nullptr)
    return absl::AlreadyExistsError(fmt::format("{} already has a decomposition", entry.op));
  return replace(std::move(entry));
}

absl::Status DecompositionTable::replace(Decomposition entry) {
  if (entry.op.empty() || !entry.function) {
    return absl::InvalidArgumentError(fmt::format("the decomposition of \"{}\" must have {}",
                                                  entry.op,
                                                  entry.function ? "an operator" : "a function"));
  }
  const auto [place, is_new] = by_op_.try_emplace(entry.op, entries_.size());
  if (is_new) entries_.emplace_back();
  entries_[place->second] = std::move(entry);
  return absl::OkStatus();
}

const Decomposition* DecompositionTable::find(std::string_view op) const {
  const auto place = by_op_.find(std::string(op));
  return place == by_op_.end() ? nullptr : &entries_[place->second];
}

const DecompositionTable& DecompositionTable::standard() {
  static const auto* table = [] {
    auto* result = new DecompositionTable();
    for (const auto family : kDecompositionFamilies) {
      for (const DecompositionRow& row : family())
        FX_CHECK_OK(result->add({.op = std::string(row.op),
                                 .function = row.function,
                                 .set = row.set,
                                 .by_types = true}));
    }
    return result;
  }();
  return *table;
}

const DecompositionTable& DecompositionTable::composite() {
  static const auto* table = [] {
    auto* result = new DecompositionTable();
    const auto add = [&](std::string_view op, DecompositionFunction function) {
      FX_CHECK_OK(result->add({.op = std::string(op),
                               .function = std::move(function),
                               .set = DecompositionSet::kComposite,
                               .by_types = true}));
    };
    for (const DecompositionRow& row : composite_kernels()) add(row.op, row.function);
    for (const std::string_view op : standard_composites()) add(op, standard().find(op)->function);
    return result;
  }();
  return *table;
}

const DecompositionTable& DecompositionTable::of(const Context& context) {
  return attached_or_standard<DecompositionTable>(context, &kDecompositionsOfContext);
}

DecompositionTable& DecompositionTable::own(Context& context) {
  return attach_copy<DecompositionTable>(context, &kDecompositionsOfContext);
}

}  // namespace fx
