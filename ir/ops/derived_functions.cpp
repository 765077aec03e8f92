// Most `torch` functions and Tensor methods call the operator of the same name. Their
// rows are derived from the operator's row on first use:
//
//   torch.dropout(Tensor input, float p, bool train) -> Tensor       one overload: its schema
//   torch.add(Tensor input, *, Any(z!)? out=None, ...) -> Any(z)      multiple: what they share
//
// The rows of operators without an overload, `aten.add`, are created in the same way.
#include "fx/ir/ops/derived_functions_internal.h"
#include "fx/ir/ops/packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace fx::ops {
namespace {

constexpr uint16_t bit(OpTrait trait) { return static_cast<uint16_t>(trait); }

/// The traits that a function inherits from the operator that it calls.
constexpr OpTrait kSharedTraits[] = {OpTrait::kPointwise,    OpTrait::kReduction,
                                     OpTrait::kRandom,       OpTrait::kDataDependent,
                                     OpTrait::kDynamicShape, OpTrait::kWritesMetadata};
/// Traits that a function has if any overload has them; for other traits, all overloads must.
constexpr uint16_t kTraitsOfAny = bit(OpTrait::kRandom) | bit(OpTrait::kDataDependent) |
                                  bit(OpTrait::kDynamicShape) | bit(OpTrait::kWritesMetadata);

bool has_out(const OpInfo& op) {
  return std::ranges::any_of(op.schema().arguments(), &SchemaArgument::is_out);
}

/// Overloads without `out`; TorchScript overloads only if there are no others. All overloads if
/// each of them has `out`.
std::vector<const OpInfo*> callable(const std::vector<const OpInfo*>& overloads) {
  std::vector<const OpInfo*> dispatched;
  std::vector<const OpInfo*> scripted;
  for (const OpInfo* op : overloads) {
    if (has_out(*op)) continue;
    (op->has(OpTrait::kTorchScript) ? scripted : dispatched).push_back(op);
  }
  if (!dispatched.empty()) return dispatched;
  return scripted.empty() ? overloads : scripted;
}

/// Python accepts the elements of a trailing list that is not a list of tensors as separate
/// arguments: `x.view(2, 3)`.
bool accepts_separate_elements(const OpSchema& schema) {
  const int count = schema.positional_count();
  if (count == 0) return false;
  const SchemaType& last =
      schema.arguments()[static_cast<size_t>(count) - 1].type.without_optional();
  return last.is_list() && !last.contains_tensors();
}

/// Python's `out` argument, for an operator whose schema does not have it.
constexpr std::string_view kOutArgument = "Any(z!)? out=None";

/// The arguments and results of `schema`, for a function whose first argument may be named
/// `input`.
std::string rewrite(std::string_view name, const OpInfo& op, bool keeps_self, bool adds_out) {
  std::string text = to_string(op.schema());
  text.erase(0, text.find('('));
  const OpSchema& schema = op.schema();
  // A list keeps its name: torch._foreach_abs(self=[...]).
  const int self = schema.find_argument("self");
  if (!keeps_self && self >= 0 && schema.find_argument("input") < 0 &&
      schema.arguments()[static_cast<size_t>(self)].type.is(SchemaTypeKind::kTensor)) {
    text.replace(text.find(" self") + 1, 4, "input");
  }
  constexpr std::string_view kMean = "reduction=1";
  const size_t mean = text.find(kMean);
  if (mean != std::string::npos && defaults_to_no_reduction(name))
    text.replace(mean, kMean.size(), "reduction=0");
  std::string added;
  if (adds_out) {
    const size_t count = schema.arguments().size();
    const bool has_star = count > 0 && schema.arguments().back().kwarg_only;
    added.append(count == 0 ? "" : ", ").append(has_star ? "" : "*, ").append(kOutArgument);
  }
  if (accepts_separate_elements(schema) && !schema.is_vararg()) added += ", ...";
  text.insert(text.rfind(") -> "), added);
  return text;
}

/// The writes and aliases of all overloads.
struct Union {
  uint16_t traits = 0;
  Effects effects;
  bool is_first = true;
  bool same_first = true;  // the first argument is a Tensor with the same name in all overloads
  std::string_view first;
  bool writes_first = false;
  bool writes_others = false;
  bool aliases_first = false;
  bool aliases_others = false;
  bool always_same = true;  // each overload returns its first argument,
  bool always_view = true;  // or a view of it

  void add(const OpInfo& op) {
    for (const OpTrait trait : kSharedTraits) {
      const bool any = (bit(trait) & kTraitsOfAny) != 0;
      if (op.has(trait) && (any || is_first)) traits |= bit(trait);
      if (!op.has(trait) && !any) traits &= static_cast<uint16_t>(~bit(trait));
    }
    is_first = false;
    effects |= op.effects();
    const auto arguments = op.schema().arguments();
    const bool has_first = !arguments.empty() && !arguments[0].kwarg_only &&
                           arguments[0].type.is(SchemaTypeKind::kTensor);
    if (!has_first || (!first.empty() && first != arguments[0].name)) same_first = false;
    first = has_first ? arguments[0].name : std::string_view("?");
    for (const uint8_t argument : op.written_arguments()) {
      (argument == 0 ? writes_first : writes_others) = true;
    }
    bool same = false;
    bool view = false;
    for (const OutputAlias& alias : op.output_aliases()) {
      (alias.argument == 0 ? aliases_first : aliases_others) = true;
      same |= alias.argument == 0 && alias.kind == AliasKind::kSame;
      view |= alias.argument == 0 && alias.kind == AliasKind::kView;
    }
    if (op.aliases_unknown()) aliases_others = true;
    always_same &= same;
    always_view &= view;
  }
};

std::string result_alias(const Union& all, bool adds_out) {
  if (all.aliases_others || (all.aliases_first && !all.same_first)) return "(*)";
  if (!all.aliases_first) return adds_out ? "(z)" : "";
  if (adds_out || !(all.always_same || all.always_view)) return adds_out ? "(a|z)" : "(a|b)";
  return all.always_same ? "(a!)" : "(a)";
}

DerivedRow derive_from_many(std::string_view name, const std::vector<const OpInfo*>& overloads,
                            bool keeps_self, bool adds_out) {
  Union all;
  for (const OpInfo* op : overloads) all.add(*op);
  DerivedRow row;
  row.traits = all.traits;
  // The schema marks the written arguments, if possible.
  row.effects = all.effects;
  if (all.same_first && !all.writes_others) row.effects -= Effect::kWritesArguments;

  std::string arguments;
  if (all.same_first) {
    const std::string_view mark = all.writes_first ? "(a!)" : all.aliases_first ? "(a)" : "";
    const std::string_view first = !keeps_self && all.first == "self" ? "input" : all.first;
    arguments = fmt::format("Tensor{} {}, ", mark, first);
  }
  if (adds_out) arguments.append("*, ").append(kOutArgument).append(", ");
  row.text = fmt::format("{}({}...) -> Any{}", name, arguments, result_alias(all, adds_out));
  return row;
}

}  // namespace

DerivedRow derive_row(std::string_view name, const std::vector<const OpInfo*>& overloads) {
  // Python calls the first argument of functions `input`.
  const bool keeps_self = !name.starts_with("torch.") || name.starts_with("torch.Tensor.");
  const std::vector<const OpInfo*> candidates = callable(overloads);
  const bool adds_out =
      !name.starts_with("torch.Tensor.") &&
      std::ranges::any_of(overloads, [](const OpInfo* op) { return has_out(*op); });
  if (candidates.size() != 1) return derive_from_many(name, candidates, keeps_self, adds_out);
  const OpInfo& base = *candidates.front();
  DerivedRow row;
  row.text = std::string(name) + rewrite(name, base, keeps_self, adds_out);
  for (const OpTrait trait : kSharedTraits) {
    if (base.has(trait)) row.traits |= bit(trait);
  }
  row.base = &base;
  return row;
}

}  // namespace fx::ops
