#include "fx/importers/torch/capture/tables/operator_table_internal.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/ops/effects.h"
#include "fx/ir/support/attachments.h"
#include "fx/ir/support/name.h"
#include "fx/passes/shape/type_rules.h"

#include "absl/hash/hash.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
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

/// Returns true for an optional tensor without a value, such as the bias of a convolution.
bool is_undefined(const c10::IValue& value) {
  return value.isTensor() && !value.toTensor().defined();
}

/// Returns true for an argument that are_same_constants can compare. Such an argument contains no
/// defined tensors.
bool is_comparable(const c10::IValue& value) {
  return is_undefined(value) || value.isNone() || value.isBool() || value.isInt() ||
         value.isDouble() || value.isString() || value.isDevice() || value.isIntList() ||
         value.isBoolList() || value.isDoubleList();
}

bool are_same_constants(  // NOLINT(misc-no-recursion): items of lists are not lists
    const c10::IValue& a, const c10::IValue& b) {
  if (a.isInt() && b.isInt()) return a.toInt() == b.toInt();
  if (a.isBool() && b.isBool()) return a.toBool() == b.toBool();
  if (a.isNone() || b.isNone()) return a.isNone() && b.isNone();
  if (is_undefined(a) || is_undefined(b)) return is_undefined(a) && is_undefined(b);
  if (a.isDouble() && b.isDouble())
    return std::bit_cast<uint64_t>(a.toDouble()) == std::bit_cast<uint64_t>(b.toDouble());
  if (a.isDevice() && b.isDevice()) return a.toDevice() == b.toDevice();
  if (a.isString() && b.isString()) return a.toStringView() == b.toStringView();
  return is_comparable(a) && is_comparable(b) && a.isList() && b.isList() &&
         std::ranges::equal(a.toListRef(), b.toListRef(), are_same_constants);
}

}  // namespace

const InferredCall* InferredCalls::find(absl::Span<const c10::IValue> arguments,
                                        absl::Span<const Type> forms) const {
  const auto is_same = [&](const Entry& entry) {
    if (!std::ranges::equal(entry.forms, forms)) return false;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (!forms[i] && !are_same_constants(entry.constants[i], arguments[i])) return false;
    return true;
  };
  const size_t hash = absl::HashOf(forms);
  for (size_t i = 0; i < hashes_.size(); ++i)
    if (hashes_[i] == hash && is_same(entries_[i])) return &entries_[i].inferred;
  return nullptr;
}

void InferredCalls::insert(absl::Span<const c10::IValue> arguments, absl::Span<const Type> forms,
                           InferredCall inferred) {
  std::vector<c10::IValue> constants(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (forms[i]) continue;
    if (!is_comparable(arguments[i])) return;
    constants[i] = arguments[i];
  }
  Entry entry{{forms.begin(), forms.end()}, std::move(constants), std::move(inferred)};
  const size_t hash = absl::HashOf(forms);
  if (entries_.size() < kMaxEntries) {
    hashes_.push_back(hash);
    entries_.push_back(std::move(entry));
    return;
  }
  const size_t i = std::exchange(next_, (next_ + 1) % kMaxEntries);
  hashes_[i] = hash;
  entries_[i] = std::move(entry);
}

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
  if (const ops::OpInfo* info = row.target.op()) {
    set_effects(row, *info);
    if (ops::find_op(row.target.name()) == info) row.built_in = info;
  }
  return row;
}

void OperatorTable::renew() {
  memory_ = {};
  // The user may have added effects or type functions since the last capture.
  absl::erase_if(rows_, [](const auto& entry) {
    const OperatorRow* const row = entry.second.get();
    return row == nullptr || row->built_in == nullptr || row->target.op() != row->built_in;
  });
  const TypeRules* const rules = TypeRules::find_in(*context_);
  const uint64_t id = rules == nullptr ? 0 : rules->id();
  if (std::exchange(rules_, id) == id) return;
  for (auto& [op, row] : rows_) row->inferred.clear();
}

namespace {

/// The data that a Context keeps between captures.
struct KeptTable {
  std::mutex mutex;
  std::unique_ptr<OperatorTable> table;  // null while a capture uses it

  static KeptTable& of(Context& context) {
    const auto make = [] {
      return Attachment(new KeptTable, [](void* table) { delete static_cast<KeptTable*>(table); });
    };
    return *static_cast<KeptTable*>(attachment(context, &kKey, make));
  }

 private:
  static constexpr char kKey = 0;
};

}  // namespace

KeptOperatorTable::KeptOperatorTable(Context& context) : context_(context) {
  KeptTable& kept = KeptTable::of(context);
  {
    const std::lock_guard lock(kept.mutex);
    table_ = std::move(kept.table);
  }
  if (table_ == nullptr) table_ = std::make_unique<OperatorTable>(context);
  table_->renew();
}

KeptOperatorTable::~KeptOperatorTable() {
  table_->memory() = {};
  KeptTable& kept = KeptTable::of(context_);
  const std::lock_guard lock(kept.mutex);
  kept.table.swap(table_);
}

}  // namespace fx
