// Writes arguments as interchange JSON: docs/json.md, "Arguments".
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/json/json_writer_internal.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/text_tokens.h"

#include "fmt/format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>

namespace fx::json {

bool is_utf8(std::string_view text) { return llvm::json::isUTF8(text); }

// Depth is bounded (kMaxArgumentDepth), here and below.
bool is_plain(const Argument& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
    case ArgumentKind::kBool:
    case ArgumentKind::kInt:
      return true;
    case ArgumentKind::kFloat:
      return std::isfinite(value.as_float());
    case ArgumentKind::kString:
      return is_utf8(value.as_string());
    case ArgumentKind::kList:
    case ArgumentKind::kDict:
      break;
    default:
      return false;
  }
  for (size_t i = 0; i < value.size(); ++i) {
    if (value.is_dict() && !(value.key(i).is_string() && is_utf8(value.key(i).as_string())))
      return false;
    if (!is_plain(value[i])) return false;
  }
  return true;
}

bool is_type_only(const Argument& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
    case ArgumentKind::kBool:
    case ArgumentKind::kInt:
    case ArgumentKind::kFloat:
    case ArgumentKind::kComplex:
    case ArgumentKind::kString:
    case ArgumentKind::kSymbolic:
    case ArgumentKind::kObject:
    case ArgumentKind::kType:
      return true;
    case ArgumentKind::kList:
    case ArgumentKind::kTuple:
    case ArgumentKind::kDict:
      break;
    default:
      return false;
  }
  for (size_t i = 0; i < value.size(); ++i) {
    if (value.is_dict() && !value.key(i).is_string()) return false;
    if (!is_type_only(value[i])) return false;
  }
  return true;
}

void Writer::fail(std::string_view what) {
  if (!status_.ok()) return;
  status_ = absl::InvalidArgumentError(node_ ? fmt::format("node {}: {}", node_->name(), what)
                                             : std::string(what));
}

// ---------------------------------------------------------------- leaves

void Writer::write_text(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  auto unit = [&](uint32_t code) {
    out_ += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out_ += kHex[code >> shift & 15];
  };
  out_ += '"';
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && text[plain] >= 0x20 && text[plain] < 0x7f && text[plain] != '"' &&
           text[plain] != '\\')
      ++plain;
    out_ += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    uint32_t code = 0;
    size_t length = text::utf8_length(text, &code);
    if (length == 0) {
      fail("a string must be UTF-8 to be written as JSON");
      length = 1;
    }
    switch (code) {
      case '"':
        out_ += "\\\"";
        break;
      case '\\':
        out_ += "\\\\";
        break;
      case '\n':
        out_ += "\\n";
        break;
      case '\r':
        out_ += "\\r";
        break;
      case '\t':
        out_ += "\\t";
        break;
      case '\b':
        out_ += "\\b";
        break;
      case '\f':
        out_ += "\\f";
        break;
      default:
        if (code >= 0x10000) {
          unit(0xd800 + ((code - 0x10000) >> 10));
          unit(0xdc00 + ((code - 0x10000) & 0x3ff));
        } else {
          unit(code);
        }
    }
    text.remove_prefix(length);
  }
  out_ += '"';
}

void Writer::write_number(double value) {
  if (std::isfinite(value)) {
    text::append_float(out_, value);
  } else {
    out_ += std::isnan(value) ? R"({"f":"nan"})" : value > 0 ? R"({"f":"inf"})" : R"({"f":"-inf"})";
  }
}

void Writer::write_plain(const Argument& value) {
  if (!is_aggregate(value.kind())) {
    write_argument(value);
    return;
  }
  const bool dict = value.is_dict();
  out_ += dict ? '{' : '[';
  for (size_t i = 0; i < value.size(); ++i) {
    if (i) out_ += ',';
    if (dict) {
      write_text(value.key(i).as_string());
      out_ += ':';
    }
    write_plain(value[i]);
  }
  out_ += dict ? '}' : ']';
}

void Writer::write_bytes(std::string_view text) {
  need_format_2();
  std::string shown, codes;
  while (!text.empty()) {
    uint32_t code = 0;
    size_t length = text::utf8_length(text, &code);
    if (length == 0) {
      code = 0xdc00 + static_cast<unsigned char>(text[0]);
      length = 1;
      shown += fmt::format("\\u{:04x}", code);
    } else {
      shown += text.substr(0, length);
    }
    if (!codes.empty()) codes += ',';
    text::append_int(codes, code);
    text.remove_prefix(length);
  }
  out_ += R"({"opaque":"builtins.str","str":)";
  write_text(shown);
  out_ += ",\"data\":[";
  out_ += codes;
  out_ += "]}";
}

void Writer::write_symbolic(SymExpr expr, std::string_view kind) {
  if (!expr || expr.is_undefined()) {
    fail("a symbolic number must be defined");
    return;
  }
  out_ += "{\"sym\":";
  write_text(to_string(expr));
  out_ += ",\"kind\":\"";
  out_ += kind;
  out_ += "\"}";
}

void Writer::write_graph_argument(uint32_t index) {
  need_format_2();
  if (index >= graph_->num_subgraphs()) {
    fail(fmt::format("nested graph {} is out of range for {}", index,
                     pluralize(graph_->num_subgraphs(), "nested graph")));
    return;
  }
  out_ += "{\"graph\":";
  auto inline_from = first_inline_.find(graph_);
  if (inline_from != first_inline_.end() && index >= inline_from->second) {
    const Graph* outer = graph_;
    const Node* outer_node = node_;
    write_graph(graph_->subgraph(index), graph_depth_ + 1, /*compact=*/true);
    graph_ = outer;
    node_ = outer_node;
  } else {
    write_text(graph_->subgraph_name(index));
  }
  out_ += '}';
}

// ---------------------------------------------------------------- arguments

template <class A>
void Writer::write_argument(const A& value) {
  auto word = [&](std::string_view form, std::string_view text) {
    out_ += "{\"";
    out_ += form;
    out_ += "\":";
    write_text(text);
    out_ += '}';
  };
  switch (value.kind()) {
    case ArgumentKind::kNone:
      out_ += "null";
      return;
    case ArgumentKind::kBool:
      out_ += value.as_bool() ? "true" : "false";
      return;
    case ArgumentKind::kInt:
      text::append_int(out_, value.as_int());
      return;
    case ArgumentKind::kFloat:
      write_number(value.as_float());
      return;
    case ArgumentKind::kComplex:
      out_ += "{\"complex\":[";
      write_number(value.as_complex().real());
      out_ += ',';
      write_number(value.as_complex().imag());
      out_ += "]}";
      return;
    case ArgumentKind::kString:
      if (is_utf8(value.as_string()))
        write_text(value.as_string());
      else
        write_bytes(value.as_string());
      return;
    case ArgumentKind::kDType:
      return word("dtype", dtype_name(value.as_dtype()));
    case ArgumentKind::kDevice:
      return word("device", device_name(value.as_device()));
    case ArgumentKind::kLayout:
      return word("layout", layout_name(value.as_layout()));
    case ArgumentKind::kMemoryFormat:
      return word("memory_format", memory_format_name(value.as_memory_format()));
    case ArgumentKind::kSymbolic: {
      const SymExpr expr = value.as_symbolic();
      write_symbolic(expr, expr ? natural_kind(expr) : "int");
      return;
    }
    case ArgumentKind::kType:
      write_type_argument(value.as_type());
      return;
    case ArgumentKind::kFunction: {
      const Target function = value.as_function();
      note_function(function);
      return word("op", function.name());
    }
    case ArgumentKind::kEllipsis:
      need_format_2();
      out_ += "{\"ellipsis\":true}";
      return;
    case ArgumentKind::kObject:
      return word("object", value.as_string());
    case ArgumentKind::kGraph:
      write_graph_argument(value.as_graph());
      return;
    case ArgumentKind::kNode:
      return word("n", value.node()->name());
    case ArgumentKind::kList:
      write_items(value);
      return;
    case ArgumentKind::kTuple:
      need_format_2();
      out_ += "{\"tuple\":";
      write_items(value);
      out_ += '}';
      return;
    case ArgumentKind::kStruct:
      write_struct(value);
      return;
    case ArgumentKind::kDict:
      write_dict(value);
      return;
    case ArgumentKind::kSlice:
      out_ += "{\"slice\":";
      write_items(value);
      out_ += '}';
      return;
    case ArgumentKind::kRange:
      need_format_2();
      out_ += "{\"range\":";
      write_items(value);
      out_ += '}';
      return;
  }
}

template <class A>
void Writer::write_items(const A& value) {
  out_ += '[';
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out_ += ',';
    write_argument(value[i]);
  }
  out_ += ']';
}

template <class A>
void Writer::write_dict(const A& value) {
  bool map = true;
  for (size_t i = 0; map && i < value.size(); ++i)
    map = value.key(i).kind() == ArgumentKind::kString && is_utf8(value.key(i).as_string());
  if (!map) need_format_2();
  out_ += map ? "{\"map\":{" : "{\"dict\":[";
  for (size_t i = 0; i < value.size(); ++i) {
    if (i) out_ += ',';
    if (!map) out_ += '[';
    write_argument(value.key(i));
    out_ += map ? ':' : ',';
    write_argument(value[i]);
    if (!map) out_ += ']';
  }
  out_ += map ? "}}" : "]}";
}

template <class A>
void Writer::write_struct(const A& value) {
  need_format_2();
  const std::string_view name = value.type_name();
  if (write_opaque(value) || write_tensor_struct(value) || write_python_dict(value)) return;
  if (name == "torch.Size") {
    bool sizes = true;
    for (size_t i = 0; i < value.size(); ++i) {
      const ArgumentKind kind = value[i].kind();
      sizes = sizes && (kind == ArgumentKind::kInt || kind == ArgumentKind::kSymbolic);
    }
    if (sizes) {
      out_ += "{\"size\":[";
      for (size_t i = 0; i < value.size(); ++i) {
        if (i) out_ += ',';
        if (value[i].kind() == ArgumentKind::kInt)
          text::append_int(out_, value[i].as_int());
        else
          write_text(to_string(value[i].as_symbolic()));
      }
      out_ += "]}";
      return;
    }
  }
  out_ += "{\"namedtuple\":";
  write_text(struct_class(name, value.size()));
  out_ += ",\"fields\":{";
  std::string_view fields = struct_fields(name, value.size());
  const bool numbered = fields.empty();
  for (size_t i = 0; i < value.size(); ++i) {
    if (i) out_ += ',';
    write_text(numbered ? fmt::to_string(i) : next_struct_field(fields));
    out_ += ':';
    write_argument(value[i]);
  }
  out_ += "}}";
}

/// Writes fx.Opaque(class, str, repr, data); `str`, `repr` and `data` are optional.
template <class A>
bool Writer::write_opaque(const A& value) {
  if (struct_class(value.type_name(), value.size()) != kOpaqueClass) return false;
  constexpr std::string_view kKeys[] = {"class", "str", "repr", "data"};
  std::string_view fields = struct_fields(value.type_name(), value.size());
  std::vector<std::string_view> names;
  while (!fields.empty()) names.push_back(next_struct_field(fields));
  if (names.empty() || names[0] != "class") return false;
  size_t last = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto index = static_cast<size_t>(std::find(std::begin(kKeys), std::end(kKeys), names[i]) -
                                           std::begin(kKeys));
    if (index == std::size(kKeys) || (i > 0 && index <= last)) return false;
    if (names[i] != "data" &&
        !(value[i].kind() == ArgumentKind::kString && is_utf8(value[i].as_string())))
      return false;
    last = index;
  }
  // This form is read as a string.
  if (value[0].as_string() == "builtins.str" && names.back() == "data" &&
      text_from_codes(Argument(value[value.size() - 1])))
    return false;
  for (size_t i = 0; i < names.size(); ++i) {
    out_ += i ? ",\"" : "{\"";
    out_ += i ? names[i] : "opaque";
    out_ += "\":";
    write_argument(value[i]);
  }
  out_ += '}';
  return true;
}

/// Writes fx.Tensor(type, ...): a tensor entry with additional properties.
template <class A>
bool Writer::write_tensor_struct(const A& value) {
  if (struct_class(value.type_name(), value.size()) != kTensorClass || value.size() < 2)
    return false;
  if (value[0].kind() != ArgumentKind::kType || !is_json_tensor(value[0].as_type())) return false;
  std::string_view fields = struct_fields(value.type_name(), value.size());
  if (next_struct_field(fields) != "type") return false;
  std::vector<std::string_view> names;
  size_t next = 0;
  for (size_t i = 1; i < value.size(); ++i) {
    const std::string_view name = next_struct_field(fields);
    while (next < std::size(kTensorExtras) && kTensorExtras[next] != name) ++next;
    if (next++ == std::size(kTensorExtras)) return false;
    // A string under this key would be read as the name of a memory format.
    if (name == "memory_format" && value[i].kind() == ArgumentKind::kString) return false;
    names.push_back(name);
  }
  write_tensor(value[0].as_type());
  out_.pop_back();
  for (size_t i = 1; i < value.size(); ++i) {
    key(names[i - 1]);
    if (value[i].kind() == ArgumentKind::kMemoryFormat && names[i - 1] == "memory_format")
      write_text(memory_format_name(value[i].as_memory_format()));
    else
      write_argument(value[i]);
  }
  out_ += '}';
  return true;
}

/// Writes fx.Dict: pairs whose keys are not allowed in an Argument dict.
template <class A>
bool Writer::write_python_dict(const A& value) {
  if (value.type_name() != kDictClass) return false;
  bool needs_pairs = false;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i].kind() != ArgumentKind::kTuple || value[i].size() != 2) return false;
    const ArgumentKind kind = value[i][0].kind();
    if (kind == ArgumentKind::kString || kind == ArgumentKind::kInt) {
      for (size_t k = 0; k < i; ++k)
        if (Argument(value[k][0]) == Argument(value[i][0])) return false;
    } else {
      needs_pairs = true;
    }
    if (Argument(value[i][0]).contains_node()) return false;
  }
  if (!needs_pairs) return false;
  out_ += "{\"dict\":[";
  for (size_t i = 0; i < value.size(); ++i) {
    if (i) out_ += ',';
    write_items(value[i]);
  }
  out_ += "]}";
  return true;
}

template void Writer::write_argument(const Argument& value);
template void Writer::write_argument(const ArgumentRef& value);

}  // namespace fx::json
