// Python objects: values in arguments and metadata for which the IR has no kind. They are
// named tuples with reserved class names, so that they are printed, parsed and compared like other
// values:
//
//   fx.Opaque(class, str, repr, data)  an object of any class: its Python strings and, in `data`,
//                                      the values from which it can be recreated
//   fx.Tensor(type, data, str, ...)    a tensor with properties that its type lacks
//   fx.Dict                            a dict with keys other than strings and integers: tuples
//                                      (key, value)
//
// Empty fields are omitted. docs/json.md lists the fields.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {

inline constexpr std::string_view kOpaqueClass = "fx.Opaque";
inline constexpr std::string_view kTensorClass = "fx.Tensor";
inline constexpr std::string_view kDictClass = "fx.Dict";

/// The class name of a named tuple without its fields: `pkg.Point` for `pkg.Point(x, y)`. Fields
/// must be `num_items` different identifiers; otherwise the whole name is the class.
std::string_view struct_class(std::string_view type_name, size_t num_items);
/// The fields `x, y`; empty if none exist. next_struct_field removes the first one.
std::string_view struct_fields(std::string_view type_name, size_t num_items);
std::string_view next_struct_field(std::string_view& fields);

/// Field `name` of a named tuple of class `class_name`; nullopt if the value has a different class
/// or no such field. A is Argument or ArgumentRef.
template <class A>
std::optional<A> struct_field(const A& value, std::string_view class_name, std::string_view name) {
  if (value.kind() != ArgumentKind::kStruct) return std::nullopt;
  if (struct_class(value.type_name(), value.size()) != class_name) return std::nullopt;
  std::string_view fields = struct_fields(value.type_name(), value.size());
  for (size_t i = 0; !fields.empty(); ++i)
    if (next_struct_field(fields) == name) return value[i];
  return std::nullopt;
}

/// The text that Python's str() or repr() returns for such a value, if it is known.
template <class A>
std::optional<std::string> python_object_text(const A& value, bool is_repr) {
  for (std::string_view class_name : {kOpaqueClass, kTensorClass}) {
    std::optional<A> text;
    if (is_repr) text = struct_field(value, class_name, "repr");
    if (!text) text = struct_field(value, class_name, "str");
    if (text && text->kind() == ArgumentKind::kString) return std::string(text->as_string());
  }
  return std::nullopt;
}

}  // namespace fx
