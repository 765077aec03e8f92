// Values as Python prints them: see python_text.h.
#include "fx/ir/python/python_text.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/python/function_spelling.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fx::text {
namespace {

void append_hex(std::string& out, uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += "0123456789abcdef"[value >> shift & 15];
}

/// A part of a complex number: a float, without ".0".
void append_part(std::string& out, double value) {
  append_float(out, value);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
}

void append_device_repr(std::string& out, Device device) {
  out += "device(type='";
  out += device_type_name(device.type);
  out += '\'';
  if (device.index >= 0) {
    out += ", index=";
    append_int(out, device.index);
  }
  out += ')';
}

template <class A>
void append_items(std::string& out, const A& value) {
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out += ", ";
    append_python_repr(out, value[i]);
  }
}

/// A named tuple, or a Python object (ir/python/python_objects.h).
template <class A>
void append_struct(std::string& out, const A& value, bool is_repr) {
  const std::string_view type_name = value.type_name();
  if (const std::optional<std::string> text = python_object_text(value, is_repr)) {
    out += *text;
    return;
  }
  if (is_python_dict(value)) {
    append_python_dict(
        out, value, [](std::string& o, const A& key) { append_python_repr(o, key); },
        [](std::string& o, const A& item) { append_python_repr(o, item); });
    return;
  }
  if (type_name == "torch.Size") {
    out += "torch.Size([";
    append_items(out, value);
    out += "])";
    return;
  }
  const std::string_view class_name = struct_class(type_name, value.size());
  std::string_view fields = struct_fields(type_name, value.size());
  out += class_name.substr(class_name.rfind('.') + 1);
  out += '(';
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out += ", ";
    if (!fields.empty()) {
      out += next_struct_field(fields);
      out += '=';
    }
    append_python_repr(out, value[i]);
  }
  out += ')';
}

// Shared by str() and repr(). Depth is bounded (kMaxArgumentDepth).
template <class A>
void append_python(std::string& out, const A& value, bool is_repr) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      out += "None";
      return;
    case ArgumentKind::kBool:
      out += value.as_bool() ? "True" : "False";
      return;
    case ArgumentKind::kInt:
      append_int(out, value.as_int());
      return;
    case ArgumentKind::kFloat:
      append_float(out, value.as_float());
      return;
    case ArgumentKind::kComplex:
      append_python_complex(out, value.as_complex());
      return;
    case ArgumentKind::kString:
      if (is_repr)
        append_python_string(out, value.as_string());
      else
        out += value.as_string();
      return;
    case ArgumentKind::kDType:
      out += "torch.";
      out += dtype_name(value.as_dtype());
      return;
    case ArgumentKind::kDevice:
      if (is_repr)
        append_device_repr(out, value.as_device());
      else
        out += device_name(value.as_device());
      return;
    case ArgumentKind::kLayout:
      out += "torch.";
      out += layout_name(value.as_layout());
      return;
    case ArgumentKind::kMemoryFormat:
      out += "torch.";
      out += memory_format_name(value.as_memory_format());
      return;
    case ArgumentKind::kSymbolic:
      append_text(out, value.as_symbolic());
      return;
    case ArgumentKind::kType:
      append_text(out, value.as_type());
      return;
    case ArgumentKind::kFunction:
      if (is_repr)
        fx::append_python_repr(out, value.as_function());
      else
        fx::append_python_str(out, value.as_function());
      return;
    case ArgumentKind::kEllipsis:
      out += "Ellipsis";
      return;
    case ArgumentKind::kObject:
      out += '<';
      out += value.as_string();
      out += '>';
      return;
    case ArgumentKind::kGraph:
      out += "<graph>";
      return;
    case ArgumentKind::kNode:
      value.node()->name_parts().append_to(out);
      return;
    case ArgumentKind::kList:
      out += '[';
      append_items(out, value);
      out += ']';
      return;
    case ArgumentKind::kTuple:
      out += '(';
      append_items(out, value);
      out += value.size() == 1 ? ",)" : ")";
      return;
    case ArgumentKind::kStruct:
      append_struct(out, value, is_repr);
      return;
    case ArgumentKind::kDict:
      out += '{';
      for (size_t i = 0, n = value.size(); i < n; ++i) {
        if (i) out += ", ";
        append_python_repr(out, value.key(i));
        out += ": ";
        append_python_repr(out, value[i]);
      }
      out += '}';
      return;
    case ArgumentKind::kSlice:
      out += "slice(";
      append_items(out, value);
      out += ')';
      return;
    case ArgumentKind::kRange:
      out += "range(";
      append_int(out, value[0].as_int());
      out += ", ";
      append_int(out, value[1].as_int());
      if (const int64_t step = value[2].as_int(); step != 1) {
        out += ", ";
        append_int(out, step);
      }
      out += ')';
      return;
  }
}

}  // namespace

void append_python_string(std::string& out, std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos;
  const char quote = single && text.find('"') == std::string_view::npos ? '"' : '\'';
  out += quote;
  while (!text.empty()) {
    const char c = text[0];
    uint32_t code = 0;
    size_t length = utf8_length(text, &code);
    if (length == 0) {  // not a valid Python string; escape it as in bytes
      length = 1;
      out += "\\x";
      append_hex(out, static_cast<unsigned char>(c), 2);
    } else if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += '\\';
      out += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    } else if (is_python_printable(code)) {
      out += text.substr(0, length);
    } else if (code < 0x100) {
      out += "\\x";
      append_hex(out, code, 2);
    } else if (code < 0x10000) {
      out += "\\u";
      append_hex(out, code, 4);
    } else {
      out += "\\U";
      append_hex(out, code, 8);
    }
    text.remove_prefix(length);
  }
  out += quote;
}

void append_python_complex(std::string& out, std::complex<double> value) {
  const bool only_imaginary = value.real() == 0 && !std::signbit(value.real());
  if (!only_imaginary) {
    out += '(';
    append_part(out, value.real());
    if (!std::signbit(value.imag()) || std::isnan(value.imag())) out += '+';
  }
  append_part(out, value.imag());
  out += only_imaginary ? "j" : "j)";
}

void append_python_str(std::string& out, const Argument& value) {
  append_python(out, value, /*is_repr=*/false);
}
void append_python_str(std::string& out, ArgumentRef value) {
  append_python(out, value, /*is_repr=*/false);
}
void append_python_repr(std::string& out, const Argument& value) {
  append_python(out, value, /*is_repr=*/true);
}
void append_python_repr(std::string& out, ArgumentRef value) {
  append_python(out, value, /*is_repr=*/true);
}

}  // namespace fx::text
