// Values as Python prints them: str() and repr() of arguments of torch.fx nodes.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/python/python_objects.h"

#include <complex>
#include <string>
#include <string_view>

namespace fx::text {

/// repr() of a string: 'text', with Python's choice of quotes and escapes.
void append_python_string(std::string& out, std::string_view text);
void append_python_complex(std::string& out, std::complex<double> value);

/// str() of a value: strings without quotes, nodes as their names.
void append_python_str(std::string& out, const Argument& value);
void append_python_str(std::string& out, ArgumentRef value);
/// repr() of a value.
void append_python_repr(std::string& out, const Argument& value);
void append_python_repr(std::string& out, ArgumentRef value);

/// True for a dict with keys other than strings and integers (ir/python/python_objects.h).
template <class A>
bool is_python_dict(const A& value) {
  if (value.kind() != ArgumentKind::kStruct || value.type_name() != kDictClass) return false;
  for (size_t i = 0; i < value.size(); ++i)
    if (!value[i].is_tuple() || value[i].size() != 2) return false;
  return true;
}
/// Appends such a dict; the functions append keys and values.
template <class A, class Key, class Value>
void append_python_dict(std::string& out, const A& dict, Key&& key, Value&& value) {
  out += '{';
  for (size_t i = 0; i < dict.size(); ++i) {
    if (i) out += ", ";
    key(out, dict[i][0]);
    out += ": ";
    value(out, dict[i][1]);
  }
  out += '}';
}

/// True for code points that Python's repr() does not escape.
bool is_python_printable(uint32_t code);

}  // namespace fx::text
