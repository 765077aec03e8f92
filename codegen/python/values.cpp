// Arguments as Python code: torch.fx's _get_repr, and Python's repr() inside what that leaves
// alone.
#include "fx/codegen/python/emitter_internal.h"
#include "fx/ir/python/foreign.h"
#include "fx/ir/python/function_spelling.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/text_tokens.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::python {
namespace {

/// True when the text can stand in a line without reaching out of it. Line breaks are blanks inside
/// brackets of its own, if it has no quotes or comments.
bool is_contained(std::string_view text) {
  const bool is_one_line = text.find('\n') == std::string_view::npos;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return false;
    if (c == 0x7f) return false;
    uint32_t code = 0;
    const size_t length = text::utf8_length(text.substr(i), &code);
    if (length == 0) return false;
    i += length - 1;
    if (is_one_line) continue;
    if (c == '\'' || c == '"' || c == '#' || c == '\\') return false;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == '\n' && depth == 0) return false;
    if ((c == ')' || c == ']' || c == '}') && --depth < 0) return false;
  }
  return depth == 0;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

void append_comment(std::string& out, std::string_view text) {
  while (!text.empty()) {
    uint32_t code = 0;
    const size_t length = text::utf8_length(text, &code);
    if (length == 0)
      out += "\xef\xbf\xbd";
    else if (code < 0x20 || code == 0x7f || code == 0x85 || code == 0x2028 || code == 0x2029)
      out += ' ';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
}

void Emitter::fail(std::string_view why) {
  if (status_.ok())
    status_ = absl::InvalidArgumentError(
        fmt::format("{} %{}: {}", opcode_name(node_->op()), node_->name(), why));
}

void Emitter::append_path(std::string& out, size_t base, std::string_view path) {
  while (true) {
    const size_t dot = path.find('.');
    const std::string_view part = path.substr(0, dot);
    if (is_identifier(part)) {
      out += '.';
      out += part;
    } else {
      out.insert(base, "getattr(");
      out += ", ";
      if (part.find_first_of("\"\\") == std::string_view::npos && is_contained(part) &&
          part.find('\n') == std::string_view::npos) {
        out += '"';
        out += part;
        out += '"';
      } else {
        text::append_python_string(out, part);
      }
      out += ')';
    }
    if (dot == std::string_view::npos) return;
    path.remove_prefix(dot + 1);
  }
}

void Emitter::append_raw(std::string& out, std::string_view text) {
  if (!is_contained(text)) fail("an argument prints as text that is no Python expression");
  out += text;
}

void Emitter::append_object(std::string& out, ArgumentRef value, size_t begin) {
  append_value(out, value);
  // `5.real` and `-1.real` are not what they look like.
  const ArgumentKind kind = value.kind();
  if (kind == ArgumentKind::kInt || kind == ArgumentKind::kFloat ||
      kind == ArgumentKind::kComplex || kind == ArgumentKind::kSymbolic) {
    out.insert(begin, 1, '(');
    out += ')';
  }
}

void Emitter::append_value(std::string& out, ArgumentRef value) {
  switch (value.kind()) {
    case ArgumentKind::kNode:
      append_local(out, *value.node());
      return;
    case ArgumentKind::kInt:
      text::append_int(out, value.as_int());
      return;
    case ArgumentKind::kFunction:
      if (Names::is_operator(value.as_function()))
        out += names_.call_name(names_.function(value.as_function()), value.as_function());
      else
        append_repr(out, value);
      return;
    case ArgumentKind::kList:
      out += '[';
      append_items(out, value, /*is_repr=*/false);
      out += ']';
      return;
    case ArgumentKind::kTuple:
      out += '(';
      append_items(out, value, /*is_repr=*/false);
      out += value.size() == 1 ? ",)" : ")";
      return;
    case ArgumentKind::kSlice:
      out += "slice(";
      append_items(out, value, /*is_repr=*/false);
      out += ')';
      return;
    case ArgumentKind::kStruct:
      append_struct(out, value, /*is_repr=*/false);
      return;
    default:
      append_repr(out, value);
      return;
  }
}

void Emitter::append_repr(std::string& out, ArgumentRef value) {
  switch (value.kind()) {
    case ArgumentKind::kNode:
      append_local(out, *value.node());
      return;
    case ArgumentKind::kGraph: {
      const size_t base = out.size();
      out += options_.root;
      append_path(out, base, graph_.subgraph_name(value.as_graph()));
      return;
    }
    case ArgumentKind::kList:
      out += '[';
      append_items(out, value, /*is_repr=*/true);
      out += ']';
      return;
    case ArgumentKind::kTuple:
      out += '(';
      append_items(out, value, /*is_repr=*/true);
      out += value.size() == 1 ? ",)" : ")";
      return;
    case ArgumentKind::kSlice:
      out += "slice(";
      append_items(out, value, /*is_repr=*/true);
      out += ')';
      return;
    case ArgumentKind::kDict:
      out += '{';
      for (size_t i = 0, n = value.size(); i < n; ++i) {
        if (i) out += ", ";
        append_repr(out, value.key(i));
        out += ": ";
        append_repr(out, value[i]);
      }
      out += '}';
      return;
    case ArgumentKind::kStruct:
      append_struct(out, value, /*is_repr=*/true);
      return;
    case ArgumentKind::kSymbolic:
    case ArgumentKind::kType:
    case ArgumentKind::kFunction:
    case ArgumentKind::kObject: {
      std::string text;
      text::append_python_repr(text, value);
      append_raw(out, text);
      return;
    }
    default:
      text::append_python_repr(out, value);
      return;
  }
}

void Emitter::append_items(std::string& out, ArgumentRef value, bool is_repr) {
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out += ", ";
    if (is_repr)
      append_repr(out, value[i]);
    else
      append_value(out, value[i]);
  }
}

/// An enum is told by Python's text of it: `<Color.RED: 1>`.
bool Emitter::append_enum(std::string& out, ArgumentRef value) {
  const auto type = struct_field(value, kOpaqueClass, "class");
  const auto data = struct_field(value, kOpaqueClass, "data");
  if (!type || !data || !type->is_string() || !data->is_string()) return false;
  const std::string_view member = data->as_string();
  const std::string text = foreign_text(value, /*is_repr=*/true).value_or("");
  const std::string_view type_name = last_part(type->as_string());
  if (!text.starts_with(fmt::format("<{}.{}: ", type_name, member)) || !is_identifier(member))
    return false;
  out += names_.class_name(type->as_string(), /*short_hint=*/true);
  out += '.';
  out += member;
  return true;
}

void Emitter::append_struct(std::string& out, ArgumentRef value, bool is_repr) {
  if (!is_repr && append_enum(out, value)) return;
  if (!is_repr) {
    if (const auto type = struct_field(value, kTensorClass, "type");
        type && type->kind() == ArgumentKind::kType && type->as_type().is_tensor()) {
      out += "torch.Tensor(size=[";
      for (int i = 0; i < type->as_type().rank(); ++i) {
        if (i) out += ", ";
        append_text(out, type->as_type().size(i));
      }
      out += "], dtype=";
      out += dtype_name(type->as_type().dtype());
      out += ')';
      return;
    }
  }
  if (const std::optional<std::string> text = foreign_text(value, /*is_repr=*/true)) {
    append_raw(out, *text);
    return;
  }
  if (text::is_foreign_dict(value)) {
    text::append_foreign_dict(
        out, value, [this](std::string& o, ArgumentRef key) { append_repr(o, key); },
        [this](std::string& o, ArgumentRef item) { append_repr(o, item); });
    return;
  }
  const std::string_view type_name = struct_class(value.type_name(), value.size());
  if (type_name == "torch.Size") {
    out += is_repr ? "torch.Size([" : "(";
    append_items(out, value, is_repr);
    out += is_repr ? "])" : value.size() == 1 ? ",)" : ")";
    return;
  }
  if (!is_repr) {
    out += names_.class_name(type_name, /*short_hint=*/false);
    out += '(';
    append_items(out, value, /*is_repr=*/true);
    out += value.size() == 1 ? ",)" : ")";
    return;
  }
  append_raw(out, last_part(type_name));
  out += '(';
  std::string_view fields = struct_fields(value.type_name(), value.size());
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out += ", ";
    if (!fields.empty()) {
      out += next_struct_field(fields);
      out += '=';
    }
    append_repr(out, value[i]);
  }
  out += ')';
}

void Emitter::append_arguments(std::string& out, const Node& node, size_t first) {
  for (size_t i = first, n = node.num_args(); i < n; ++i) {
    if (i != first) out += ", ";
    append_value(out, node.arg(i));
  }
  for (size_t i = 0, n = node.num_kwargs(); i < n; ++i) {
    if (i || node.num_args() > first) out += ", ";
    const std::string_view key = node.kwarg_name(i).str();
    if (is_identifier(key)) {
      out += key;
      out += " = ";
      append_value(out, node.kwarg_value(i));
    } else {
      out += "**{";
      text::append_python_string(out, key);
      out += ": ";
      append_value(out, node.kwarg_value(i));
      out += '}';
    }
  }
}

}  // namespace fx::python
