// BatchingTable: see batching_table.h.
#include "fx/passes/vmap/batching_table.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/attachments.h"
#include "fx/ir/support/status.h"
#include "fx/passes/vmap/rules_internal.h"

#include "fmt/format.h"

#include <utility>

namespace fx {

namespace {

/// The key of the table in a Context.
constexpr char kBatchingOfContext = 0;

}  // namespace

absl::Status BatchingTable::add(BatchingRule rule) {
  if (find(rule.op) != nullptr)
    return absl::AlreadyExistsError(fmt::format("{} already has a batching rule", rule.op));
  return replace(std::move(rule));
}

absl::Status BatchingTable::replace(BatchingRule rule) {
  if (rule.op.empty()) return absl::InvalidArgumentError("a batching rule must have an operator");
  const auto must = [&](bool has, BatchKind kind, std::string_view what) {
    if (has == (rule.kind == kind)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("the batching rule for {} must have {} if and only if its kind requires it",
                    rule.op, what));
  };
  FX_RETURN_IF_ERROR(must(!rule.dims.empty(), BatchKind::kDims, "dims"));
  FX_RETURN_IF_ERROR(must(rule.unbatched_rank != 0, BatchKind::kFold, "unbatched_rank"));
  FX_RETURN_IF_ERROR(must(static_cast<bool>(rule.function), BatchKind::kByFunction, "a function"));
  const auto [entry, is_new] = by_op_.try_emplace(rule.op, rules_.size());
  if (is_new) rules_.emplace_back();
  rules_[entry->second] = std::move(rule);
  return absl::OkStatus();
}

const BatchingRule* BatchingTable::find(std::string_view op) const {
  const auto entry = by_op_.find(std::string(op));
  return entry == by_op_.end() ? nullptr : &rules_[entry->second];
}

const BatchingTable& BatchingTable::standard() {
  static const auto* table = [] {
    auto* new_table = new BatchingTable();
    for (const auto family : kBatchingFamilies) {
      for (const BatchingRow& row : family()) {
        BatchingRule rule{.op = std::string(row.op),
                          .kind = row.kind,
                          .dims = std::string(row.dims),
                          .unbatched_rank = row.unbatched_rank};
        if (row.function.function != nullptr) rule.function = row.function.function;
        FX_CHECK_OK(new_table->add(std::move(rule)));
      }
    }
    return new_table;
  }();
  return *table;
}

const BatchingTable& BatchingTable::of(const Context& context) {
  return attached_or_standard<BatchingTable>(context, &kBatchingOfContext);
}

BatchingTable& BatchingTable::own(Context& context) {
  return attach_copy<BatchingTable>(context, &kBatchingOfContext);
}

}  // namespace fx
