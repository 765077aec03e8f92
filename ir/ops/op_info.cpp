// Properties derived from a row: effects, written arguments and aliasing, computed once per row.
#include "fx/ir/ops/op_info.h"

#include "fx/ir/ops/op_algebra_internal.h"
#include "fx/ir/ops/op_corrections_internal.h"
#include "fx/ir/support/status.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace fx::ops {

namespace {

/// The last part of a dotted name.
std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

/// Removes the next item from a comma-separated list and returns it.
std::string_view next_item(std::string_view& list) {
  const size_t comma = list.find(',');
  const std::string_view item = list.substr(0, comma);
  list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  return item;
}

/// True for PyTorch's classes of packed weights: using such an object has no effect.
bool is_packed_weights(std::string_view class_name) {
  return class_name.ends_with("PackedParamsBase") || class_name.ends_with("CellParamsBase") ||
         class_name.ends_with("OpContext");
}

bool is_wildcard(const AliasInfo* alias) {
  return alias && (alias->before == "*" || alias->after == "*");
}

/// Computes the members of `details` other than the schema and the name.
class Analysis {
 public:
  Analysis(const OpInfo& op, const OpSchema& schema) : op_(op), schema_(schema) {}

  Effects effects;
  std::vector<ConditionalEffect> conditional_effects;
  std::vector<uint8_t> written;
  std::vector<OutputAlias> aliases;

  void run(std::string_view name, std::string_view packet, Effects added) {
    read_schema(added);
    for (const NamespaceEffects& row : namespace_effects()) {
      if (!op_.is_function() && row.name_space == schema_.name_space()) effects |= row.effects;
    }
    for (const OpCorrection& correction : op_corrections()) {
      if (correction.op == packet || correction.op == name) apply(correction);
    }
    add_switches();
    if (!effects.has(Effect::kWritesArguments)) written.clear();
    std::ranges::sort(written);
    const auto repeated = std::ranges::unique(written);
    written.erase(repeated.begin(), repeated.end());
    std::ranges::stable_sort(aliases, {}, &OutputAlias::output);
  }

  bool aliases_unknown() const {
    const auto may_be_anything = [this](const SchemaArgument& result) {
      const SchemaType& type = result.type.innermost();
      const bool generic = type.is(SchemaTypeKind::kVariable) || type.is(SchemaTypeKind::kAny);
      return is_wildcard(result.type.alias()) || (generic && is_loosely_typed());
    };
    return effects == Effects::all() || (schema_.is_varret() && is_loosely_typed()) ||
           (aliases.empty() && std::ranges::any_of(schema_.returns(), may_be_anything));
  }

 private:
  /// True if a missing annotation carries no information.
  bool is_loosely_typed() const {
    return op_.has(OpTrait::kTorchScript) || op_.has(OpTrait::kSubgraphs);
  }

  void read_schema(Effects added) {
    effects = added;
    if (op_.has(OpTrait::kRandom)) effects |= Effect::kRandom;
    for (size_t i = 0; i < schema_.arguments().size(); ++i) {
      const SchemaArgument& argument = schema_.arguments()[i];
      if (argument.is_write()) {
        effects |= Effect::kWritesArguments;
        written.push_back(static_cast<uint8_t>(i));
      }
      // An object of another class may represent anything: a process group, a stream.
      const SchemaType& type = argument.type.innermost();
      if (type.is(SchemaTypeKind::kClass) && !is_packed_weights(type.name())) effects |= kState;
    }
    // TorchScript's untyped instructions may have any effect, unless a correction states
    // otherwise.
    if (op_.has(OpTrait::kTorchScript) && (schema_.is_vararg() || schema_.is_varret())) {
      effects = Effects::all();
    }
    // A call that has no results and writes to no argument must have some other effect.
    if (schema_.returns().empty() && !schema_.is_varret() && effects.is_pure()) effects = kState;
    read_aliases();
  }

  void read_aliases() {
    for (size_t i = 0; i < schema_.returns().size(); ++i) {
      const SchemaArgument& result = schema_.returns()[i];
      const AliasInfo* mine = result.type.alias();
      if (!mine || is_wildcard(mine)) continue;
      for (size_t j = 0; j < schema_.arguments().size(); ++j) {
        const SchemaArgument& argument = schema_.arguments()[j];
        const AliasInfo* other = argument.type.alias();
        // In `Tensor(a -> *)`, the source of a list of views, only the part before the arrow
        // counts.
        if (!other || !mine->overlaps({other->before, other->before, false})) continue;
        AliasKind kind = AliasKind::kView;
        if (argument.is_write()) kind = mine->is_write ? AliasKind::kSame : AliasKind::kMaybe;
        if (mine->before.find('|') != std::string_view::npos) kind = AliasKind::kMaybe;
        set_alias(i, j, kind);
      }
    }
  }

  void set_alias(size_t output, size_t argument, AliasKind kind) {
    const OutputAlias added{static_cast<uint8_t>(output), static_cast<uint8_t>(argument), kind};
    for (OutputAlias& alias : aliases) {
      if (alias.output != added.output || alias.argument != added.argument) continue;
      alias.kind = kind;
      return;
    }
    aliases.push_back(added);
  }

  void apply(const OpCorrection& correction) {
    effects = (effects | correction.add) - correction.remove;
    std::string_view writes = correction.writes;
    while (!writes.empty()) {
      const int argument = schema_.find_argument(next_item(writes));
      if (argument < 0) continue;
      effects |= Effect::kWritesArguments;
      written.push_back(static_cast<uint8_t>(argument));
    }
    if (!correction.unless_false.empty()) {
      // `out` is written to regardless of the flag.
      const bool has_out = std::ranges::any_of(schema_.arguments(), &SchemaArgument::is_out);
      add_conditional_effect(correction.unless_false, {false},
                             has_out ? effects - Effect::kWritesArguments : effects);
    }
    const int source = correction.aliases.empty() ? -1 : schema_.find_argument(correction.aliases);
    if (source < 0) return;
    for (size_t i = 0; i < schema_.returns().size(); ++i) {
      if (correction.output < 0 || static_cast<size_t>(correction.output) == i) {
        set_alias(i, static_cast<size_t>(source), correction.alias);
      }
    }
  }

  void add_conditional_effect(std::string_view name, SchemaConstant value, Effects absent) {
    const int argument = schema_.find_argument(name);
    if (argument < 0 || absent.is_pure()) return;
    conditional_effects.push_back({static_cast<uint8_t>(argument), std::move(value), absent});
  }

  /// Flags that have the same meaning in all operators.
  void add_switches() {
    if (effects.has(Effect::kRandom)) {
      add_conditional_effect("train", {false}, Effect::kRandom);
      add_conditional_effect("training", {false}, Effect::kRandom);
      add_conditional_effect("dropout_p", {0.0}, Effect::kRandom);
      add_conditional_effect("dropout", {0.0}, Effect::kRandom);
    }
    if (op_.is_function() && effects.has(Effect::kWritesArguments)) {
      add_conditional_effect("inplace", {false}, Effect::kWritesArguments);
      add_conditional_effect("max_norm", {}, Effect::kWritesArguments);
      if (written.size() == 1) add_conditional_effect("out", {}, Effect::kWritesArguments);
    }
  }

  const OpInfo& op_;
  const OpSchema& schema_;
};

}  // namespace

OpInfo::Details* OpInfo::parse_details() const {
  const std::string_view full_name = qualified_name();
  const size_t skipped = is_function() ? full_name.rfind('.') + 1 : 0;
  absl::StatusOr<OpSchema> parsed = parse_schema_in_place(text().substr(skipped));
  FX_CHECK_OK(parsed.status());
  auto* details = new Details{.schema = *std::move(parsed)};
  const OpSchema& schema = details->schema;
  std::string& name = details->name;
  if (is_function()) {
    name = full_name;
    details->packet_size = name.size();
  } else {
    name.append(schema.name_space()).append(".").append(schema.base_name());
    details->packet_size = name.size();
    name.append(".").append(schema.overload().empty() ? "default" : schema.overload());
  }
  return details;
}

const OpInfo::Details& OpInfo::make_details() const {
  Details* details = parse_details();
  const std::string_view name = details->name;
  Analysis analysis(*this, details->schema);
  analysis.run(name, name.substr(0, details->packet_size), added_effects_);
  details->aliases_unknown = analysis.aliases_unknown();
  details->effects = analysis.effects;
  details->conditional_effects = std::move(analysis.conditional_effects);
  details->written = std::move(analysis.written);
  details->aliases = std::move(analysis.aliases);
  derive_details(*details);
  details->algebra = algebra_of(*this, name.substr(0, details->packet_size), details->schema);

  const Details* expected = nullptr;
  if (!details_.compare_exchange_strong(expected, details, std::memory_order_acq_rel)) {
    delete details;  // another thread was first
    return *expected;
  }
  return *details;
}

void OpInfo::inherit_details(const OpInfo& base) {
  Details* details = parse_details();
  details->effects = base.effects() | added_effects_;
  details->aliases_unknown = base.aliases_unknown();
  details->conditional_effects.assign(base.conditional_effects().begin(),
                                      base.conditional_effects().end());
  details->written.assign(base.written_arguments().begin(), base.written_arguments().end());
  details->aliases.assign(base.output_aliases().begin(), base.output_aliases().end());
  const size_t out = base.schema().arguments().size();
  if (details->schema.arguments().size() > out) {
    // `out` is None in most calls. Such a call writes to the same arguments as a call to the base.
    const auto index = static_cast<uint8_t>(out);
    if (!details->effects.has(Effect::kWritesArguments)) {
      details->conditional_effects.push_back({index, {}, Effect::kWritesArguments});
    }
    details->effects |= Effect::kWritesArguments;
    details->written.push_back(index);
    for (size_t i = 0; i < details->schema.returns().size(); ++i) {
      details->aliases.push_back({static_cast<uint8_t>(i), index, AliasKind::kMaybe});
    }
    std::ranges::stable_sort(details->aliases, {}, &OutputAlias::output);
  }
  derive_details(*details);
  details->algebra = base.algebra();
  details_.store(details, std::memory_order_release);
}

void OpInfo::delete_details() { delete details_.exchange(nullptr); }

std::string_view OpInfo::name() const { return details().name; }

std::string_view OpInfo::packet() const {
  const Details& known = details();
  return std::string_view(known.name).substr(0, known.packet_size);
}

std::string_view OpInfo::overload() const {
  return is_function() ? std::string_view() : last_part(name());
}

std::string_view OpInfo::base_name() const { return last_part(packet()); }

std::string_view OpInfo::name_space() const {
  const std::string_view whole = packet();
  const size_t dot = whole.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : whole.substr(0, dot);
}

const OpSchema& OpInfo::schema() const { return details().schema; }
std::span<const ConditionalEffect> OpInfo::conditional_effects() const {
  return details().conditional_effects;
}
std::span<const uint8_t> OpInfo::written_arguments() const { return details().written; }
std::span<const OutputAlias> OpInfo::output_aliases() const { return details().aliases; }
bool OpInfo::aliases_unknown() const { return details().aliases_unknown; }

bool OpInfo::writes_argument(int index) const {
  if (!effects().has(Effect::kWritesArguments)) return false;
  return written_arguments().empty() ||
         std::ranges::find(written_arguments(), index) != written_arguments().end();
}

namespace {

bool returns_no_memory(const OpSchema& schema) {
  if (schema.is_varret()) return false;
  return std::ranges::all_of(schema.returns(), [](const SchemaArgument& result) {
    const SchemaType& type = result.type.innermost();
    for (const SchemaTypeKind kind :
         {SchemaTypeKind::kInt, SchemaTypeKind::kFloat, SchemaTypeKind::kBool,
          SchemaTypeKind::kComplex, SchemaTypeKind::kScalar, SchemaTypeKind::kString,
          SchemaTypeKind::kSymInt, SchemaTypeKind::kSymFloat, SchemaTypeKind::kSymBool,
          SchemaTypeKind::kScalarType, SchemaTypeKind::kLayout, SchemaTypeKind::kMemoryFormat,
          SchemaTypeKind::kDevice, SchemaTypeKind::kNone}) {
      if (type.is(kind)) return true;
    }
    return false;
  });
}

/// True if each of these results is a view, and there is one. `aliases` are ordered by output.
bool are_views(std::span<const OutputAlias> aliases, size_t results) {
  size_t covered = 0;  // results before this one are views
  for (const OutputAlias& alias : aliases) {
    if (alias.kind == AliasKind::kView && alias.output == covered) ++covered;
  }
  return results > 0 && covered == results;
}

}  // namespace

void OpInfo::derive_details(Details& details) const {
  details.returns_new_memory =
      details.aliases.empty() && !details.aliases_unknown && !has(OpTrait::kMayAlias);
  details.returns_no_memory = ops::returns_no_memory(details.schema);
  details.is_view = !details.effects.has(Effect::kWritesArguments) && !details.aliases_unknown &&
                    are_views(details.aliases, details.schema.returns().size());
}

}  // namespace fx::ops
