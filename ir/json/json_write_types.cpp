// Writes types as interchange JSON: docs/json.md, "Values".
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/json/json_writer_internal.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/text/text.h"

namespace fx::json {

bool is_json_tensor(Type type) {
  return type.is_tensor() && type.has_rank() && type.dtype() != DType::kUndefined;
}

void Writer::write_type_argument(Type type) {
  if (is_json_tensor(type)) {
    write_tensor(type);
    return;
  }
  const bool number = type.kind() == TypeKind::kInt || type.kind() == TypeKind::kFloat ||
                      type.kind() == TypeKind::kBool;
  if (number && type.is_symbolic()) {
    const std::string_view kind = type_kind_name(type.kind());
    // With the default kind it would be parsed as a number, not as a type.
    if (kind != natural_kind(type.expr())) {
      write_symbolic(type.expr(), kind);
      return;
    }
  }
  write_type_text(type);
}

void Writer::write_type_text(Type type) {
  need_format_2();
  out_ += "{\"type\":";
  write_text(to_string(type));
  out_ += '}';
}

void Writer::write_dim(const Dim& dim) {
  if (dim.is_int())
    text::append_int(out_, dim.value());
  else
    write_text(to_string(dim.expr()));
}

void Writer::write_tensor(Type type) {
  auto dims = [&](absl::Span<const Dim> values) {
    out_ += '[';
    for (size_t i = 0; i < values.size(); ++i) {
      if (i) out_ += ',';
      write_dim(values[i]);
    }
    out_ += ']';
  };
  out_ += "{\"t\":\"";
  out_ += dtype_name(type.dtype());
  out_ += "\",\"shape\":";
  dims(type.sizes());
  if (type.has_strides()) {
    out_ += ",\"stride\":";
    dims(type.strides());
  } else if (type.layout() == Layout::kStrided) {
    need_format_2();
  }
  if (!(type.offset() == Dim())) {
    out_ += ",\"offset\":";
    write_dim(type.offset());
  }
  if (type.layout() != Layout::kStrided) {
    out_ += ",\"layout\":\"";
    out_ += layout_name(type.layout());
    out_ += '"';
  }
  if (!(type.device() == Device())) {
    out_ += ",\"device\":\"";
    out_ += device_name(type.device());
    out_ += '"';
  }
  if (type.requires_grad()) out_ += ",\"rg\":true";
  out_ += '}';
}

// Depth is bounded (kMaxTypeDepth).
void Writer::write_value(Type type) {
  auto items = [&] {
    out_ += '[';
    for (size_t i = 0; i < type.items().size(); ++i) {
      if (i) out_ += ',';
      write_value(type.items()[i]);
    }
    out_ += ']';
  };
  auto number = [&](auto constant) {
    if (type.is_constant()) {
      write_argument(Argument(constant()));
    } else if (type.is_symbolic()) {
      write_symbolic(type.expr(), type_kind_name(type.kind()));
    } else {
      write_type_text(type);
    }
  };
  switch (type.kind()) {
    case TypeKind::kTensor:
      if (is_json_tensor(type)) return write_tensor(type);
      break;
    case TypeKind::kNone:
      out_ += "null";
      return;
    case TypeKind::kInt:
      return number([&] { return type.int_value(); });
    case TypeKind::kFloat:
      return number([&] { return type.float_value(); });
    case TypeKind::kBool:
      return number([&] { return type.bool_value(); });
    case TypeKind::kComplex:
      if (type.is_constant()) return write_argument(Argument(type.complex_value()));
      break;
    case TypeKind::kString:
      if (type.is_constant() && is_utf8(type.string_value()))
        return write_text(type.string_value());
      break;
    case TypeKind::kList:
      return items();
    case TypeKind::kTuple:
      need_format_2();
      out_ += "{\"tuple\":";
      items();
      out_ += '}';
      return;
    case TypeKind::kMap: {
      for (Symbol name : type.keys())
        if (!is_utf8(name.str())) return write_type_text(type);
      out_ += "{\"map\":{";
      for (size_t i = 0; i < type.items().size(); ++i) {
        if (i) out_ += ',';
        write_text(type.keys()[i].str());
        out_ += ':';
        write_value(type.items()[i]);
      }
      out_ += "}}";
      return;
    }
    case TypeKind::kObject:
      if (!is_utf8(type.object_name())) break;
      out_ += "{\"object\":";
      write_text(type.object_name());
      out_ += '}';
      return;
    default:
      break;
  }
  write_type_text(type);
}

}  // namespace fx::json
