// Implements the C interface to values: see fxcpp.h.
#include "fx/ir/support/pluralize.h"
#include "fx/ir/text/text.h"
#include "fx/ir/types/dtype.h"
#include "tools/c/handles_internal.h"

#include "fmt/format.h"

#include <functional>

namespace fx::c {
namespace {

/// Creates a value in a context.
template <class Make>
fxc_status make_value(fxc_context context, fxc_value* value, Make make) {
  return run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(context), Kind::kContext, "context"));
    FX_RETURN_IF_ERROR(check_pointer(value, "value"));
    absl::StatusOr<ValueData> created = make(access.context());
    FX_RETURN_IF_ERROR(created.status());
    FX_ASSIGN_OR_RETURN(*value, add_value(access.context(), *std::move(created)));
    return absl::OkStatus();
  });
}

absl::StatusOr<ValueData> constant(Argument argument) {
  ValueData value;
  value.shape = std::move(argument);
  return value;
}

/// Reads a value.
template <class T, class Read>
fxc_status read_value(fxc_value value, const T* result, Read read) {
  return run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(value), Kind::kValue, "value"));
    FX_RETURN_IF_ERROR(check_pointer(result, "the result"));
    FX_ASSIGN_OR_RETURN(const ValueData* const data, access.value());
    return read(access, *data);
  });
}

absl::Status not_of_kind(const ValueData& value, std::string_view kind) {
  return failure(
      FXC_FAILED_PRECONDITION,
      fmt::format("the value is of kind {}, not {}",
                  value.node != nullptr ? "node" : argument_kind_name(value.shape.kind()), kind));
}

fxc_value_kind kind_of(const ValueData& value) {
  if (value.node != nullptr) return FXC_NODE;
  switch (value.shape.kind()) {
    case ArgumentKind::kNone:
      return FXC_NONE;
    case ArgumentKind::kBool:
      return FXC_BOOL;
    case ArgumentKind::kInt:
      return FXC_INT;
    case ArgumentKind::kFloat:
      return FXC_FLOAT;
    case ArgumentKind::kString:
      return FXC_STRING;
    case ArgumentKind::kList:
      return FXC_LIST;
    case ArgumentKind::kTuple:
    case ArgumentKind::kStruct:
      return FXC_TUPLE;
    case ArgumentKind::kDict:
      return FXC_DICT;
    default:
      return FXC_OTHER;
  }
}

/// Returns item `i`, or FXC_OUT_OF_RANGE.
absl::StatusOr<ValueData> item_of(const ValueData& value, size_t i) {
  if (i >= value.shape.size()) {
    return failure(FXC_OUT_OF_RANGE, fmt::format("the value has {}; index {} is out of range",
                                                 pluralize(value.shape.size(), "item"), i));
  }
  if (!value.items.empty()) return value.items[i];
  return constant(value.shape[i]);
}

absl::StatusOr<ValueData> sequence(ContextData& context, fxc_value_kind kind,
                                   const fxc_value* items, size_t count) {
  if (kind != FXC_LIST && kind != FXC_TUPLE) {
    return failure(FXC_OUT_OF_RANGE,
                   fmt::format("kind {} is not FXC_LIST or FXC_TUPLE", static_cast<int>(kind)));
  }
  FX_RETURN_IF_ERROR(check_array(items, count, "items"));
  ValueData value;
  std::vector<Argument> shapes;
  bool has_node = false;
  for (size_t i = 0; i < count; ++i) {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(items[i]), Kind::kValue,
                                                           fmt::format("item {}", i)));
    if (&access.context() != &context)
      return failure(FXC_WRONG_CONTEXT, fmt::format("item {} belongs to a different context", i));
    FX_ASSIGN_OR_RETURN(const ValueData* const item, access.value());
    if (item->shape.depth() + 1 >= kMaxArgumentDepth)
      return failure(FXC_RESOURCE_EXHAUSTED, "the value is nested too deeply");
    has_node = has_node || item->node != nullptr || !item->items.empty();
    shapes.push_back(item->shape);
    value.items.push_back(*item);
  }
  value.shape = kind == FXC_LIST ? Argument::list(shapes) : Argument::tuple(shapes);
  if (!has_node) value.items.clear();
  return value;
}

/// Appends the text of a value. Nodes are written as %name.
absl::Status append_text(const ValueData& value, std::string& text) {
  if (value.node != nullptr) {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(value.node), Kind::kNode, "a node in the value"));
    FX_ASSIGN_OR_RETURN(const Node* const node, access.node());
    text += "%" + node->name();
    return absl::OkStatus();
  }
  if (value.items.empty()) {
    text += print(value.shape);
    return absl::OkStatus();
  }
  const bool is_dict = value.shape.kind() == ArgumentKind::kDict;
  text += is_dict ? "{" : value.shape.is_list() ? "[" : "(";
  for (size_t i = 0; i < value.items.size(); ++i) {
    if (i != 0) text += ", ";
    if (is_dict) text += print(value.shape.key(i)) + ": ";
    FX_RETURN_IF_ERROR(append_text(value.items[i], text));
  }
  text += is_dict ? "}" : value.shape.is_list() ? "]" : value.items.size() == 1 ? ",)" : ")";
  return absl::OkStatus();
}

}  // namespace
}  // namespace fx::c

using fx::Argument;
using fx::c::Access;
using fx::c::ContextData;
using fx::c::Kind;
using fx::c::Token;
using fx::c::ValueData;

fxc_status fxc_value_none(fxc_context context, fxc_value* value) {
  return fx::c::make_value(context, value,
                           [](ContextData&) { return fx::c::constant(Argument()); });
}

fxc_status fxc_value_bool(fxc_context context, int truth, fxc_value* value) {
  return fx::c::make_value(context, value,
                           [&](ContextData&) { return fx::c::constant(Argument(truth != 0)); });
}

fxc_status fxc_value_int(fxc_context context, int64_t number, fxc_value* value) {
  return fx::c::make_value(context, value,
                           [&](ContextData&) { return fx::c::constant(Argument(number)); });
}

fxc_status fxc_value_float(fxc_context context, double number, fxc_value* value) {
  return fx::c::make_value(context, value,
                           [&](ContextData&) { return fx::c::constant(Argument(number)); });
}

fxc_status fxc_value_string(fxc_context context, const char* text, fxc_value* value) {
  return fx::c::make_value(context, value, [&](ContextData&) -> absl::StatusOr<ValueData> {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(text, "text"));
    return fx::c::constant(Argument(text));
  });
}

fxc_status fxc_value_dtype(fxc_context context, const char* name, fxc_value* value) {
  return fx::c::make_value(context, value, [&](ContextData&) -> absl::StatusOr<ValueData> {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(name, "name"));
    const std::optional<fx::DType> dtype = fx::dtype_from_name(name);
    if (!dtype)
      return absl::InvalidArgumentError(
          fmt::format("unknown dtype \"{}\"; use a name such as float32", name));
    return fx::c::constant(Argument(*dtype));
  });
}

fxc_status fxc_value_node(fxc_node node, fxc_value* value) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(node), Kind::kNode, "node"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(value, "value"));
    FX_RETURN_IF_ERROR(access.node().status());
    ValueData created;
    created.node = node;
    FX_ASSIGN_OR_RETURN(*value, fx::c::add_value(access.context(), std::move(created)));
    return absl::OkStatus();
  });
}

fxc_status fxc_value_sequence(fxc_context context, fxc_value_kind kind, const fxc_value* items,
                              size_t num_items, fxc_value* value) {
  return fx::c::make_value(context, value, [&](ContextData& data) {
    return fx::c::sequence(data, kind, items, num_items);
  });
}

fxc_status fxc_value_destroy(fxc_value value) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(value), Kind::kValue, "value"));
    FX_RETURN_IF_ERROR(access.value().status());
    access.context().values.erase(Token::of(value).number);
    return absl::OkStatus();
  });
}

fxc_status fxc_value_kind_of(fxc_value value, fxc_value_kind* kind) {
  return fx::c::read_value(value, kind, [&](const Access&, const ValueData& data) {
    *kind = fx::c::kind_of(data);
    return absl::OkStatus();
  });
}

fxc_status fxc_value_as_bool(fxc_value value, int* truth) {
  return fx::c::read_value(value, truth, [&](const Access&, const ValueData& data) -> absl::Status {
    if (fx::c::kind_of(data) != FXC_BOOL) return fx::c::not_of_kind(data, "bool");
    *truth = data.shape.as_bool() ? 1 : 0;
    return absl::OkStatus();
  });
}

fxc_status fxc_value_as_int(fxc_value value, int64_t* number) {
  return fx::c::read_value(value, number,
                           [&](const Access&, const ValueData& data) -> absl::Status {
                             if (fx::c::kind_of(data) != FXC_INT)
                               return fx::c::not_of_kind(data, "int");
                             *number = data.shape.as_int();
                             return absl::OkStatus();
                           });
}

fxc_status fxc_value_as_float(fxc_value value, double* number) {
  return fx::c::read_value(value, number,
                           [&](const Access&, const ValueData& data) -> absl::Status {
                             if (fx::c::kind_of(data) != FXC_FLOAT)
                               return fx::c::not_of_kind(data, "float");
                             *number = data.shape.as_float();
                             return absl::OkStatus();
                           });
}

fxc_status fxc_value_as_string(fxc_value value, const char** text) {
  return fx::c::read_value(value, text, [&](const Access&, const ValueData& data) -> absl::Status {
    if (fx::c::kind_of(data) != FXC_STRING) return fx::c::not_of_kind(data, "string");
    fx::c::return_text(std::string(data.shape.as_string()), text);
    return absl::OkStatus();
  });
}

fxc_status fxc_value_as_node(fxc_value value, fxc_node* node) {
  return fx::c::read_value(value, node, [&](const Access&, const ValueData& data) -> absl::Status {
    if (data.node == nullptr) return fx::c::not_of_kind(data, "node");
    *node = data.node;
    return absl::OkStatus();
  });
}

fxc_status fxc_value_size(fxc_value value, size_t* num_items) {
  return fx::c::read_value(value, num_items, [&](const Access&, const ValueData& data) {
    *num_items = data.shape.size();
    return absl::OkStatus();
  });
}

fxc_status fxc_value_item(fxc_value value, size_t index, fxc_value* item) {
  return fx::c::read_value(
      value, item, [&](const Access& access, const ValueData& data) -> absl::Status {
        FX_ASSIGN_OR_RETURN(ValueData found, fx::c::item_of(data, index));
        FX_ASSIGN_OR_RETURN(*item, fx::c::add_value(access.context(), std::move(found)));
        return absl::OkStatus();
      });
}

fxc_status fxc_value_key(fxc_value value, size_t index, fxc_value* key) {
  return fx::c::read_value(
      value, key, [&](const Access& access, const ValueData& data) -> absl::Status {
        if (fx::c::kind_of(data) != FXC_DICT) return fx::c::not_of_kind(data, "dict");
        FX_RETURN_IF_ERROR(fx::c::item_of(data, index).status());
        FX_ASSIGN_OR_RETURN(ValueData found, fx::c::constant(data.shape.key(index)));
        FX_ASSIGN_OR_RETURN(*key, fx::c::add_value(access.context(), std::move(found)));
        return absl::OkStatus();
      });
}

fxc_status fxc_value_text(fxc_value value, const char** text) {
  return fx::c::read_value(value, text, [&](const Access&, const ValueData& data) -> absl::Status {
    std::string printed;
    FX_RETURN_IF_ERROR(fx::c::append_text(data, printed));
    fx::c::return_text(std::move(printed), text);
    return absl::OkStatus();
  });
}
