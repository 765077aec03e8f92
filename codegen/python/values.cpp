// Writes arguments as Python code, in the spelling of torch.fx's _get_repr if it evaluates to
// the argument.
#include "fx/codegen/python/constants_internal.h"
#include "fx/codegen/python/emitter_internal.h"
#include "fx/ir/python/function_spelling.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/text_tokens.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx::python {
namespace {

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

void Emitter::append_operand(std::string& out, ArgumentRef value, Position position) {
  const size_t begin = out.size();
  append_value(out, value);
  bool is_primary = true;
  switch (value.kind()) {
    case ArgumentKind::kInt:
    case ArgumentKind::kFloat:
      is_primary =
          position == Position::kOperand || (position == Position::kBase && out[begin] != '-');
      break;
    case ArgumentKind::kSymbolic:
    case ArgumentKind::kType:
    case ArgumentKind::kObject:
    case ArgumentKind::kStruct:
      is_primary = is_primary_text(std::string_view(out).substr(begin));
      break;
    default:
      break;
  }
  if (is_primary) return;
  out.insert(begin, 1, '(');
  out += ')';
}

void Emitter::append_value(std::string& out, ArgumentRef value) {
  switch (value.kind()) {
    case ArgumentKind::kNode:
      if (in_default_) return fail("a default value cannot be a value of the graph");
      append_local(out, *value.node());
      return;
    case ArgumentKind::kComplex:
      append_complex(out, value.as_complex());
      return;
    case ArgumentKind::kSymbolic:
      append_symbolic(out, value.as_symbolic());
      return;
    case ArgumentKind::kFunction:
      out += names_.call_name(names_.function(value.as_function()), value.as_function());
      return;
    case ArgumentKind::kGraph: {
      if (in_default_) return fail("a default value cannot be a graph");
      const size_t base = out.size();
      out += options_.root;
      append_path(out, base, graph_.subgraph_name(value.as_graph()));
      return;
    }
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
    case ArgumentKind::kSlice:
      out += "slice(";
      append_items(out, value);
      out += ')';
      return;
    case ArgumentKind::kDict:
      append_dict(out, value);
      return;
    case ArgumentKind::kStruct:
      append_struct(out, value);
      return;
    case ArgumentKind::kType:
    case ArgumentKind::kObject: {
      std::string text;
      text::append_python_repr(text, value);
      append_object_text(out, text);
      return;
    }
    default:
      text::append_python_repr(out, value);
      return;
  }
}

void Emitter::append_dict(std::string& out, ArgumentRef value) {
  const bool was_in_repr = std::exchange(in_repr_, true);
  out += '{';
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out += ", ";
    append_value(out, value.key(i));
    out += ": ";
    append_value(out, value[i]);
  }
  out += '}';
  in_repr_ = was_in_repr;
}

void Emitter::append_items(std::string& out, ArgumentRef value) {
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out += ", ";
    append_value(out, value[i]);
  }
}

/// Appends `Color.RED` for a member of an enum, whose repr is `<Color.RED: 1>`. Returns false for
/// other values.
bool Emitter::append_enum(std::string& out, ArgumentRef value) {
  const auto type = struct_field(value, kOpaqueClass, "class");
  const auto data = struct_field(value, kOpaqueClass, "data");
  if (!type || !data || !type->is_string() || !data->is_string()) return false;
  const std::string_view member = data->as_string();
  const std::string text = python_object_text(value, /*is_repr=*/true).value_or("");
  const std::string_view type_name = last_part(type->as_string());
  if (!text.starts_with(fmt::format("<{}.{}: ", type_name, member)) || !is_identifier(member))
    return false;
  out += names_.class_name(type->as_string(), /*short_hint=*/true);
  out += '.';
  out += member;
  return true;
}

void Emitter::append_struct(std::string& out, ArgumentRef value) {
  if (append_enum(out, value) || append_tensor_constant(out, value)) return;
  if (const std::optional<std::string> text = python_object_text(value, /*is_repr=*/true))
    return append_object_text(out, *text);
  const std::string_view type_name = struct_class(value.type_name(), value.size());
  if (type_name == "torch.Size") {
    out += in_repr_ ? "torch.Size([" : "(";
    append_items(out, value);
    out += in_repr_ ? "])" : value.size() == 1 ? ",)" : ")";
    return;
  }
  const bool was_in_repr = std::exchange(in_repr_, true);
  if (text::is_python_dict(value)) {
    const auto append = [this](std::string& o, ArgumentRef item) { append_value(o, item); };
    text::append_python_dict(out, value, append, append);
  } else {
    out += names_.class_name(type_name, /*short_hint=*/false);
    out += '(';
    append_items(out, value);
    out += value.size() == 1 ? ",)" : ")";
  }
  in_repr_ = was_in_repr;
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
