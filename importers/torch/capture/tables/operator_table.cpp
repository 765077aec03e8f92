#include "fx/importers/torch/capture/tables/operator_table_internal.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/ops/effects.h"
#include "fx/ir/support/name.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

namespace fx {
namespace {

using InitialContents = OperatorRow::InitialContents;

/// Returns the base name of an operator's nodes: "add_" for `aten.add_.Tensor`.
std::string packet_of(std::string_view target) {
  target.remove_prefix(target.find('.') + 1);
  return std::string(target.substr(0, target.rfind('.')));
}

InitialContents initial_contents_of(std::string_view packet, const ops::OpInfo& info) {
  if (packet.starts_with("empty") || packet.starts_with("new_empty"))
    return InitialContents::kUninitialized;
  if (packet.starts_with("zeros") || packet == "new_zeros") return InitialContents::kZeros;
  return info.has(ops::OpTrait::kRandom) ? InitialContents::kOther : InitialContents::kNumbers;
}

/// Sets the properties of an operator from the operator table.
void set_effects(OperatorRow& row, const ops::OpInfo& info) {
  const std::string packet = packet_of(row.target.name());
  row.uses_form_only = packet.ends_with("_like") || packet.starts_with("new_");
  row.computes_form_only = info.is_view() || info.has(ops::OpTrait::kWritesMetadata);
  const bool from_nothing =
      row.uses_form_only || std::ranges::none_of(row.codes, [](const ArgumentCode& code) {
        return code.base == ArgumentCode::kTensor;
      });
  if (from_nothing && row.written.empty() && row.written_results.size() == 1)
    row.initial_contents = initial_contents_of(packet, info);
  // The table also contains writes that the schema does not declare.
  row.written.assign(info.written_arguments().begin(), info.written_arguments().end());
  for (const ops::ConditionalEffect& condition : info.conditional_effects()) {
    const bool* value = std::get_if<bool>(&condition.value.value);
    if (value != nullptr && condition.absent.has(ops::Effect::kWritesArguments)) {
      row.unwritten_if.emplace(condition.argument, *value);
    }
  }
  for (const ops::OutputAlias& alias : info.output_aliases()) {
    if (alias.kind == ops::AliasKind::kSame) row.written_results[alias.output] = alias.argument;
  }
}

}  // namespace

OperatorRow OperatorTable::make_row(const c10::OperatorHandle& op) const {
  OperatorRow row;
  row.target = context_->function(target_name(op));
  row.name = make_name_hint(context_->symbols(), name_candidate(packet_of(row.target.name()),
                                                                /*is_function=*/true));
  const c10::FunctionSchema& schema = op.schema();
  row.written_results.resize(schema.returns().size(), -1);
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    row.codes.push_back(argument_code(argument));
    row.names.push_back(context_->symbol(argument.name()));
    if (!argument.kwarg_only()) row.num_positional = i + 1;
    if (argument.alias_info() == nullptr) continue;
    if (argument.alias_info()->isWrite()) {
      row.written.push_back(i);
    } else if (!row.view_of) {
      row.view_of = i;
    }
  }
  if (const ops::OpInfo* info = row.target.op()) set_effects(row, *info);
  return row;
}

}  // namespace fx
