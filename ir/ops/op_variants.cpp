// Finds an operator's variants: the same arguments except `out`, and related names.
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/op_variants_internal.h"

#include <algorithm>

namespace fx::ops {
namespace {

bool is_dunder(std::string_view base) {
  return base.size() > 4 && base.starts_with("__") && base.ends_with("__");
}

/// `__and__` for `__iand__`; other names are unchanged.
std::string plain_dunder(std::string_view base) {
  const bool in_place = base[2] == 'i' && base != "__is__" && base != "__isnot__";
  return in_place ? "__" + std::string(base.substr(3)) : std::string(base);
}

std::string_view without(std::string_view base, std::string_view suffix) {
  return base.size() > suffix.size() && base.ends_with(suffix)
             ? base.substr(0, base.size() - suffix.size())
             : base;
}

/// True for `dtype`, `layout`, `device` and `pin_memory`, the options of a new result. Variants
/// that write into an existing tensor do not have them.
bool is_result_option(const SchemaArgument& argument) {
  return argument.kwarg_only && (argument.name == "dtype" || argument.name == "layout" ||
                                 argument.name == "device" || argument.name == "pin_memory");
}

/// The arguments that determine the result, not its memory.
std::vector<const SchemaArgument*> operands(const OpSchema& schema) {
  const bool has_options = schema.find_argument("pin_memory") >= 0;
  std::vector<const SchemaArgument*> operands;
  for (const SchemaArgument& argument : schema.arguments()) {
    if (argument.is_out() || (has_options && is_result_option(argument))) continue;
    operands.push_back(&argument);
  }
  return operands;
}

bool is_same_call(const OpSchema& a, const OpSchema& b) {
  return std::ranges::equal(
      operands(a), operands(b), [](const SchemaArgument* x, const SchemaArgument* y) {
        return x->name == y->name && x->kwarg_only == y->kwarg_only && x->type.same_type(y->type);
      });
}

bool has_out(const OpSchema& schema) {
  return std::ranges::any_of(schema.arguments(), &SchemaArgument::is_out);
}

}  // namespace

std::vector<std::string> variant_packets(const OpInfo& op) {
  const std::string prefix = std::string(op.name_space()) + ".";
  const std::string_view base = op.base_name();
  std::vector<std::string> packets;
  if (is_dunder(base)) {
    const std::string plain = plain_dunder(base);
    packets = {prefix + plain, prefix + "__i" + plain.substr(2)};
    return packets;
  }
  // `_copy` and `_functional` may mark a variant, or be part of the name: `index_copy_`.
  const std::string_view plain = without(base, "_");
  const std::string_view stem = without(without(plain, "_functional"), "_copy");
  const auto add = [&](std::string_view name, std::string_view suffix) {
    packets.push_back((prefix + std::string(name)).append(suffix));
  };
  for (const std::string_view suffix : {"_", "", "_functional", "_copy"}) add(stem, suffix);
  if (stem != plain) add(plain, "_");
  return packets;
}

void add_variant(const OpInfo& op, const OpInfo& candidate, OpVariants& variants) {
  if (candidate.has(OpTrait::kTorchScript) != op.has(OpTrait::kTorchScript)) return;
  if (!is_same_call(op.schema(), candidate.schema())) return;
  const auto set = [&](const OpInfo*& variant) {
    if (!variant || &candidate == &op) variant = &candidate;
  };
  if (has_out(candidate.schema())) {
    set(variants.out);
  } else if (candidate.effects().has(Effect::kWritesArguments)) {
    set(variants.in_place);
  } else if (candidate.is_view()) {
    set(variants.view);
  } else {
    // A variant that may return its argument, like `dropout`, is chosen only if no other variant
    // exists.
    const OpInfo*& functional = variants.functional;
    if (functional && !functional->output_aliases().empty()) functional = nullptr;
    if (!functional || candidate.output_aliases().empty()) set(functional);
  }
}

OpVariants find_variants(const OpInfo& op) {
  OpVariants variants;
  if (op.is_function()) return variants;
  for (const std::string& packet : variant_packets(op)) {
    for (const OpInfo& candidate : find_overloads(packet)) add_variant(op, candidate, variants);
  }
  return variants;
}

}  // namespace fx::ops
