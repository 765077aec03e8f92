#include "fx/codegen/cpp/values/operator_internal.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>
#include <array>

namespace fx::cpp {
namespace {

using ops::SchemaTypeKind;

Parameter parameter_of(const ops::SchemaArgument& argument) {
  Parameter out{.argument = &argument};
  out.optional = argument.type.is_optional();
  const ops::SchemaType* type = &argument.type.without_optional();
  if (type->is_list()) {
    out.list = true;
    out.list_size = type->list_size().value_or(-1);
    out.optional_items = type->element().is_optional();
    type = &type->element().without_optional();
  }
  out.base = type->kind();
  return out;
}

/// Returns the index of the first of the keyword-only parameters dtype, layout, device and
/// pin_memory; -1 if there are none.
int find_options(const std::vector<Parameter>& parameters) {
  static constexpr std::array<std::string_view, 4> kNames = {"dtype", "layout", "device",
                                                             "pin_memory"};
  for (size_t i = 0; i + 4 <= parameters.size(); ++i) {
    bool all = true;
    for (size_t k = 0; k < 4; ++k) {
      const ops::SchemaArgument& argument = *parameters[i + k].argument;
      all = all && argument.name == kNames[k] && argument.kwarg_only && parameters[i + k].optional;
    }
    if (all) return static_cast<int>(i);
  }
  return -1;
}

bool is_arithmetic(SchemaTypeKind kind) {
  switch (kind) {
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kScalar:
    case SchemaTypeKind::kSymInt:
    case SchemaTypeKind::kSymFloat:
    case SchemaTypeKind::kSymBool:
    case SchemaTypeKind::kComplex:
      return true;
    default:
      return false;
  }
}

/// The rank of the conversion of an argument to a parameter in C++'s overload resolution.
enum class ConversionRank : uint8_t {
  kBuiltIn,  ///< an exact match or a standard conversion
  kUser,     ///< a user-defined conversion, known or possible
  kNone,     ///< no conversion exists
};

/// Returns the rank of the conversion to `parameter`, a parameter of an overload, for an argument
/// of this form that is written for the parameter `target`.
ConversionRank conversion_rank(Form form, const Parameter& target, const Parameter& parameter) {
  const bool number = is_arithmetic(parameter.base);
  const bool tensor = parameter.base == SchemaTypeKind::kTensor;
  const bool text = parameter.base == SchemaTypeKind::kString;
  const bool plain = !parameter.optional && !parameter.list;
  const auto if_viable = [](bool viable) {
    return viable ? ConversionRank::kUser : ConversionRank::kNone;
  };
  switch (form) {
    case Form::kTensor:
      return tensor && plain ? ConversionRank::kBuiltIn : if_viable(tensor);
    case Form::kNumber:
      if (number && plain && parameter.base != SchemaTypeKind::kScalar)
        return ConversionRank::kBuiltIn;
      return if_viable(number || text);  // a literal 0 is also a null pointer constant
    case Form::kNullopt:
      return if_viable(parameter.optional);
    case Form::kString:
      if (parameter.base == SchemaTypeKind::kBool && plain) return ConversionRank::kBuiltIn;
      return if_viable(text || parameter.base == SchemaTypeKind::kScalar ||
                       parameter.base == SchemaTypeKind::kBool);
    case Form::kTensors:
      return if_viable(tensor);
    case Form::kNumbers:
      // {0, 0} converts to a string_view.
      return if_viable(number || tensor || text || parameter.optional);
    case Form::kEmptyBraces:
      return ConversionRank::kUser;
    case Form::kOptions:
      return ConversionRank::kNone;
    case Form::kTyped:
      if (target.base != parameter.base) return ConversionRank::kNone;
      return target.list == parameter.list && plain ? ConversionRank::kBuiltIn
                                                    : ConversionRank::kUser;
  }
  return ConversionRank::kUser;
}

/// Returns the parameters of the C++ function, with null for the TensorOptions that replaces four
/// of them.
std::vector<const Parameter*> cpp_parameters(const Operator& op, bool with_options, size_t skip) {
  std::vector<const Parameter*> out;
  for (size_t i = skip; i < op.parameters.size(); ++i) {
    if (with_options && op.options_at >= 0) {
      const auto at = static_cast<size_t>(op.options_at);
      if (i == at) out.push_back(nullptr);
      if (i >= at && i < at + 4) continue;
    }
    out.push_back(&op.parameters[i]);
  }
  return out;
}

/// Returns false only if C++ prefers the operator with these `parameters` to `other`: `other` does
/// not accept the arguments, or none of its conversions is better and at least one is worse.
bool may_accept(const Operator& other, bool with_options,
                const std::vector<const Parameter*>& parameters, absl::Span<const Form> forms,
                size_t skip) {
  const std::vector<const Parameter*> other_parameters = cpp_parameters(other, with_options, skip);
  if (forms.size() > other_parameters.size()) return false;
  for (size_t i = forms.size(); i < other_parameters.size(); ++i)
    if (other_parameters[i] && !other_parameters[i]->argument->default_value) return false;
  bool worse = false, better = false;
  for (size_t i = 0; i < forms.size(); ++i) {
    ConversionRank rank = ConversionRank::kNone;
    if (other_parameters[i] ==
        nullptr) {  // a TensorOptions, which converts from a dtype, a device, or {}
      const bool is_converted = forms[i] == Form::kTyped || forms[i] == Form::kEmptyBraces;
      rank = parameters[i] == nullptr ? ConversionRank::kBuiltIn
             : is_converted           ? ConversionRank::kUser
                                      : ConversionRank::kNone;
    } else if (parameters[i] != nullptr) {
      rank = conversion_rank(forms[i], *parameters[i], *other_parameters[i]);
    }
    if (rank == ConversionRank::kNone) return false;
    const ConversionRank exact = parameters[i] == nullptr
                                     ? ConversionRank::kBuiltIn
                                     : conversion_rank(forms[i], *parameters[i], *parameters[i]);
    worse |= rank > exact;
    better |= rank < exact;
  }
  return better || !worse;
}

}  // namespace

const Operator* Operators::find(const ops::OpInfo* info) {
  if (info == nullptr || info->is_function()) return nullptr;
  std::unique_ptr<Operator>& entry = operators_[info];
  if (entry) return entry.get();
  entry = make(*info);
  Operator* op = entry.get();
  if (op->row == nullptr) return op;
  for (const ops::OpInfo& other : ops::find_overloads(info->packet())) {
    if (&other == info) continue;
    const CppFunctionRow* row = find_cpp_function(other.qualified_name());
    if (row == nullptr || row->forms == 0) continue;
    // Creates a separate copy, whose list of overloads stays empty.
    overloads_.push_back(make(other));
    if ((row->forms & kAtFunction) != 0) op->functions.push_back(overloads_.back().get());
    if ((row->forms & kMethod) != 0) op->methods.push_back(overloads_.back().get());
  }
  return op;
}

std::unique_ptr<Operator> Operators::make(const ops::OpInfo& info) {
  auto op = std::make_unique<Operator>();
  op->info = &info;
  op->schema = &info.schema();
  op->row = find_cpp_function(info.qualified_name());
  op->base = info.base_name();
  op->struct_name = op->base;
  if (!op->schema->overload().empty())
    absl::StrAppend(&op->struct_name, "_", std::string(op->schema->overload()));
  if (op->row) op->root = header_root(*op->row);
  for (const ops::SchemaArgument& argument : op->schema->arguments())
    op->parameters.push_back(parameter_of(argument));
  op->options_at = find_options(op->parameters);
  op->result = types_.of_returns(*op->schema);
  static constexpr std::array<std::string_view, 8> kSizes = {
      "aten.size.int",      "aten.sym_size.int",
      "aten.stride.int",    "aten.sym_stride.int",
      "aten.numel.default", "aten.sym_numel.default",
      "aten.dim.default",   "aten.sym_storage_offset.default"};
  op->is_size = std::ranges::find(kSizes, info.name()) != kSizes.end();
  return op;
}

bool Operators::is_certain(const Operator& op, absl::Span<const Form> forms, bool is_method) {
  const std::vector<const Operator*>& overloads = is_method ? op.methods : op.functions;
  if (overloads.empty()) {
    return op.options_at < 0 || std::ranges::find(forms, Form::kEmptyBraces) == forms.end();
  }
  const size_t skip = is_method ? 1 : 0;
  const std::vector<const Parameter*> parameters = cpp_parameters(op, true, skip);
  for (const Operator* other : overloads) {
    if (may_accept(*other, true, parameters, forms, skip)) return false;
    if (other->options_at >= 0 && may_accept(*other, false, parameters, forms, skip)) return false;
  }
  return true;
}

namespace {

bool equals(ArgumentRef value, const ops::SchemaConstant& constant) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      return constant.is_none();
    case ArgumentKind::kBool: {
      const bool* b = std::get_if<bool>(&constant.value);
      return b && *b == value.as_bool();
    }
    case ArgumentKind::kInt: {
      const int64_t* i = std::get_if<int64_t>(&constant.value);
      return i && *i == value.as_int();
    }
    case ArgumentKind::kFloat: {
      const double* d = std::get_if<double>(&constant.value);
      return d && *d == value.as_float() && *d != 0;  // 0.0 == -0.0, so a zero counts as different
    }
    case ArgumentKind::kString: {
      const std::string* s = std::get_if<std::string>(&constant.value);
      return s && *s == value.as_string();
    }
    case ArgumentKind::kList: {
      const auto* list = std::get_if<ops::SchemaConstant::List>(&constant.value);
      if (!list || list->size() != value.size()) return false;
      for (size_t i = 0; i < list->size(); ++i)
        if (!equals(value[i], (*list)[i])) return false;
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

bool is_default(const Parameter& parameter, ArgumentRef value) {
  const std::optional<ops::SchemaConstant>& constant = parameter.argument->default_value;
  return constant && equals(value, *constant);
}

}  // namespace fx::cpp
