// Adds types of values and origins of nodes to verbose code.
#include "fx/codegen/python/emitter_internal.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/stack_trace.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/text/listing.h"

#include <algorithm>

namespace fx::python {
namespace {

constexpr size_t kMaxNote =
    40;  // the maximum number of characters of a value in `Annotation: {...}`

/// Returns the type in a metadata value. Sets `class_name` to the class of a tensor subclass.
Type type_of(const Argument* value, std::string* class_name) {
  if (!value) return {};
  if (value->kind() == ArgumentKind::kType) return value->as_type();
  if (auto name = struct_field(*value, kTensorClass, "class"); name && name->is_string())
    *class_name = name->as_string();
  if (auto type = struct_field(*value, kTensorClass, "type");
      type && type->kind() == ArgumentKind::kType)
    return type->as_type();
  return {};
}

std::string first_characters(std::string_view text, size_t limit) {
  size_t end = 0;
  for (size_t count = 0; end < text.size() && count < limit; ++count) {
    uint32_t code = 0;
    end += std::max<size_t>(text::utf8_length(text.substr(end), &code), 1);
  }
  return std::string(text.substr(0, end));
}

size_t count_characters(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string member_of_enum(const Argument& value) {
  if (auto data = struct_field(value, kOpaqueClass, "data"); data && data->is_string())
    return std::string(data->as_string());
  return python_str(value);
}

std::string quoted_in_type(std::string_view text) {
  std::string plain, out;
  append_comment(plain, text);
  for (const char c : plain) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

bool Emitter::append_tensor(std::string& out, Type type, bool is_metadata) {
  if (!type.has_rank() || type.dtype() == DType::kUndefined) return false;
  if (type.layout() == Layout::kSparseCsr || type.layout() == Layout::kSparseCsc) return false;
  out += dtype_abbreviation(type.dtype());
  append_text(out, type.sizes());
  if (is_metadata) return true;
  if (options_.include_stride && type.has_strides()) append_text(out, type.strides());
  if (options_.include_device) out += device_name(type.device());
  return true;
}

bool Emitter::append_type_comment(std::string& out, const Node& node) {
  std::string class_name;
  bool is_metadata = false;
  const Argument* val = node.meta().find("val");
  Type type = type_of(val, &class_name);
  if (!type) type = node.type();
  if (!type && !val) {
    val = node.meta().find("tensor_meta");
    is_metadata = val != nullptr;
    type = type_of(val, &class_name);
    if (!val) type = type_of(node.meta().find("example_value"), &class_name);
  }
  if (!type) return false;
  std::string text;
  if (type.is_tensor()) {
    if (!append_tensor(text, type, is_metadata)) return false;
    class_name = class_name.substr(class_name.rfind('.') + 1);
    if (!class_name.empty() && class_name != "FakeTensor" && !is_metadata)
      text = class_name + "(" + text + ")";
  } else if (type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kBool &&
             type.is_symbolic()) {
    text = "Sym(";
    append_text(text, type.expr());
    text += ')';
  } else {
    return false;
  }
  out += ": \"";
  out += quoted_in_type(text);
  out += '"';
  return true;
}

std::string Emitter::annotation(const Node& node) {
  std::string out;
  if (const auto type = node.meta().get(meta::kAnnotation)) {
    out = " : " + names_.annotation(*type);
  }
  if (options_.verbose) {
    std::string type_comment;
    if (append_type_comment(type_comment, node)) return type_comment;
  }
  return out;
}

std::string Emitter::recompute_note(const Node& node) {
  const Argument* recompute = node.meta().find("recompute");
  const Argument* graph_id = node.meta().find("ac_graph_id");
  std::string out;
  if (recompute && recompute->is_none()) recompute = nullptr;
  if (graph_id && graph_id->is_none()) graph_id = nullptr;
  if (graph_id) out += " ac_graph_id: " + python_str(*graph_id);
  if (recompute) out += (graph_id ? " - " : " recompute: ") + member_of_enum(*recompute);
  return out;
}

std::string Emitter::origin(const Node& node) const {
  std::string out;
  for (const std::string& key : options_.additional_meta) {
    std::string text;
    if (const Argument* value = node.meta().find(key == "seq_nr" ? "seq" : key))
      text = python_str(*value);
    else if (key == "val" && node.type())
      text = to_string(node.type());
    else
      continue;
    out += out.empty() ? "# " : ", ";
    out.append(key).append(": ").append(text);
  }
  if (!out.empty()) out += ' ';
  out += '#';
  if (const Argument* notes = node.meta().find("custom"); notes && notes->is_dict()) {
    if (notes->size() > 0) out += " Annotation: {";
    for (size_t i = 0; i < notes->size(); ++i) {
      if (i) out += ", ";
      out += python_repr(notes->key(i)) + ": ";
      const std::string text = python_str((*notes)[i]);
      out += count_characters(text) > kMaxNote
                 ? python_repr(Argument(first_characters(text, kMaxNote) + "..."))
                 : python_repr((*notes)[i]);
    }
    if (notes->size() > 0) out += '}';
  }
  out += recompute_note(node);
  out += ' ';
  std::optional<StackFrame> frame;
  if (const auto trace = node.meta().get(meta::kStackTrace)) frame = last_frame(*trace);
  out += frame ? frame->str() : "No stacktrace found for following nodes";
  return out;
}

void Emitter::emit_origin(const Node& node) {
  if (node.is_placeholder() || node.is_output()) return;
  std::string text = origin(node);
  if (text == last_origin_) return;
  last_origin_ = std::move(text);
  body += '\n';
  append_comment(body, last_origin_);
  body += '\n';
  end_piece();
}

}  // namespace fx::python
