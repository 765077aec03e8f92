// Prints and parses types.
//
//   type    = "?" | "none" | "graph" | "token" | tensor | number | "object" "(" string ")"
//           | "(" types ")" | "[" types "]" | "{" string ":" type, ... "}"
//   tensor  = dtype "[" (dims | "*") "]" ["[" (dims | "?") "]"] [device] ["{" extra, ... "}"]
//   extra   = "offset" "=" dim | "layout" "=" name | "grad"
//   number  = ("int" | "float" | "bool" | "complex" | "str") ["(" constant ")"]
//           | ("SymInt" | "SymFloat" | "SymBool") "(" expression ")"
//
// dtype is torch.fx's short form, or "tensor" if it is unknown; "*" means an unknown rank.
// Row-major strides are omitted; unknown ones are "[?]". A device directly follows the bracket; the
// CPU is omitted. A tuple with one item has a comma: "(none,)".
#include "fx/ir/support/status.h"
#include "fx/ir/support/text_cursor.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/types/type.h"

#include "fmt/format.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

// ---------------------------------------------------------------- printing

// Depth is bounded by kMaxTypeDepth.
class Printer {
 public:
  explicit Printer(std::string& out) : out_(out) {}

  void print(Type type) {
    switch (type.kind()) {
      case TypeKind::kUnknown:
        out_ += '?';
        return;
      case TypeKind::kTensor:
        return print_tensor(type);
      case TypeKind::kInt:
      case TypeKind::kFloat:
      case TypeKind::kBool:
      case TypeKind::kComplex:
      case TypeKind::kString:
        return print_value(type);
      case TypeKind::kList:
        return print_items('[', type.items(), "]");
      case TypeKind::kTuple:
        return print_items('(', type.items(), type.items().size() == 1 ? ",)" : ")");
      case TypeKind::kMap:
        return print_map(type);
      case TypeKind::kObject:
        out_ += "object(";
        text::append_quoted(out_, type.object_name());
        out_ += ')';
        return;
      case TypeKind::kNone:
      case TypeKind::kGraph:
      case TypeKind::kToken:
        out_ += type_kind_name(type.kind());
        return;
    }
  }

 private:
  void print_tensor(Type type) {
    out_ += dtype_abbreviation(type.dtype());
    if (type.has_rank())
      append_text(out_, type.sizes());
    else
      out_ += "[*]";
    const bool strided = type.layout() == Layout::kStrided;
    if (type.has_strides()) {
      if (!strided || !type.has_default_strides()) append_text(out_, type.strides());
    } else if (strided && type.has_rank()) {
      out_ += "[?]";
    }
    if (const Device device = type.device(); device != Device{}) {
      out_ += device_type_name(device.type);
      if (device.index >= 0) {
        out_ += ':';
        text::append_int(out_, device.index);
      }
    }
    const char* before = "{";
    const auto extra = [&](std::string_view text) {
      out_ += std::exchange(before, ", ");
      out_ += text;
    };
    if (type.offset() != Dim(0)) {
      extra("offset=");
      append_text(out_, type.offset());
    }
    if (!strided) {
      extra("layout=");
      out_ += layout_name(type.layout());
    }
    if (type.requires_grad()) extra("grad");
    if (*before == ',') out_ += '}';
  }

  void print_value(Type type) {
    if (type.is_symbolic()) {
      out_ += type.kind() == TypeKind::kInt     ? "SymInt("
              : type.kind() == TypeKind::kFloat ? "SymFloat("
                                                : "SymBool(";
      append_text(out_, type.expr());
      out_ += ')';
      return;
    }
    out_ += type_kind_name(type.kind());
    if (!type.is_constant()) return;
    out_ += '(';
    switch (type.kind()) {
      case TypeKind::kInt:
        text::append_int(out_, type.int_value());
        break;
      case TypeKind::kFloat:
        text::append_float(out_, type.float_value());
        break;
      case TypeKind::kBool:
        out_ += type.bool_value() ? "True" : "False";
        break;
      case TypeKind::kComplex:
        text::append_float(out_, type.complex_value().real());
        out_ += ", ";
        text::append_float(out_, type.complex_value().imag());
        break;
      default:
        text::append_quoted(out_, type.string_value());
        break;
    }
    out_ += ')';
  }

  void print_items(char open, absl::Span<const Type> items, std::string_view close) {
    out_ += open;
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ", ";
      print(items[i]);
    }
    out_ += close;
  }

  void print_map(Type type) {
    out_ += '{';
    for (size_t i = 0; i < type.items().size(); ++i) {
      if (i > 0) out_ += ", ";
      text::append_quoted(out_, type.keys()[i].str());
      out_ += ": ";
      print(type.items()[i]);
    }
    out_ += '}';
  }

  std::string& out_;
};

}  // namespace

void append_text(std::string& out, Type type) { Printer(out).print(type); }

std::string to_string(Type type) {
  std::string text;
  append_text(text, type);
  return text;
}

// ---------------------------------------------------------------- parsing

namespace {

// Recursive descent; the depth of nesting is bounded by kMaxTypeDepth.
class Parser {
 public:
  Parser(TypeTable& table, std::string_view text) : table_(table), cursor_(text) {}

  absl::StatusOr<Type> parse() {
    if (++level_ > kMaxTypeDepth)
      return cursor_.error(fmt::format("types are nested more than {} levels deep", kMaxTypeDepth));
    absl::StatusOr<Type> result = any();
    --level_;
    return result;
  }
  internal::TextCursor& cursor() { return cursor_; }

 private:
  absl::StatusOr<Type> any() {
    const char c = cursor_.peek();
    const size_t position = cursor_.position();
    if (cursor_.consume("?")) return Type();
    if (c == '(' || c == '[') return items();
    if (c == '{') return map();
    const std::string_view word = cursor_.word();
    if (word == "none") return table_.none();
    if (word == "graph") return table_.graph();
    if (word == "token") return table_.token();
    if (word == "object") {
      if (!cursor_.consume("(")) return cursor_.error("expected '(' after 'object'");
      FX_ASSIGN_OR_RETURN(const std::string name, cursor_.quoted());
      if (!cursor_.consume(")")) return cursor_.error("expected ')'");
      return table_.object(name);
    }
    if (const std::optional<DType> dtype = dtype_from_abbreviation(word); dtype && !word.empty())
      return tensor(*dtype);
    if (const std::optional<TypeKind> kind = number_kind(word)) {
      if (cursor_.here() == '[') return not_a_type(position, word);
      return value(*kind);
    }
    if (word == "SymInt") return symbolic(TypeKind::kInt);
    if (word == "SymFloat") return symbolic(TypeKind::kFloat);
    if (word == "SymBool") return symbolic(TypeKind::kBool);
    return not_a_type(position, word);
  }

  /// If `word` is PyTorch's name for a dtype, the message contains the short form.
  absl::Status not_a_type(size_t position, std::string_view word) {
    if (word.empty()) return cursor_.error_at(position, "expected a type");
    std::string name(word);
    if (word == "torch" && cursor_.consume(".")) name = fmt::format("torch.{}", cursor_.word());
    const std::optional<DType> dtype = dtype_from_name(name);
    return cursor_.error_at(position,
                            fmt::format("'{}' is not a {}type; write a tensor as {}[2, 3]", name,
                                        number_kind(word) ? "tensor " : "",
                                        dtype_abbreviation(dtype.value_or(DType::kFloat32))));
  }

  static std::optional<TypeKind> number_kind(std::string_view word) {
    for (TypeKind kind :
         {TypeKind::kInt, TypeKind::kFloat, TypeKind::kBool, TypeKind::kComplex, TypeKind::kString})
      if (type_kind_name(kind) == word) return kind;
    return std::nullopt;
  }

  /// Calls `item` for the items between the opening bracket and `close`, separated by commas.
  /// Returns true if there is a comma before `close`.
  template <typename Item>
  absl::StatusOr<bool> separated(std::string_view close, const Item& item) {
    cursor_.set_position(cursor_.position() + 1);
    bool comma = true;
    bool empty = true;
    while (!cursor_.consume(close)) {
      if (!comma) return cursor_.error(fmt::format("expected ',' or '{}'", close));
      FX_RETURN_IF_ERROR(item());
      empty = false;
      comma = cursor_.consume(",");
    }
    return comma && !empty;
  }

  absl::StatusOr<Type> items() {
    const bool is_list = cursor_.here() == '[';
    std::vector<Type> items;
    const size_t position = cursor_.position();
    FX_ASSIGN_OR_RETURN(const bool comma, separated(is_list ? "]" : ")", [&]() -> absl::Status {
                          FX_ASSIGN_OR_RETURN(const Type item, parse());
                          items.push_back(item);
                          return absl::OkStatus();
                        }));
    if (is_list) return table_.list(items);
    if (items.size() == 1 && !comma)
      return cursor_.error_at(position, "write a tuple of one type with a comma: (none,)");
    return table_.tuple(items);
  }

  absl::StatusOr<Type> map() {
    std::vector<std::pair<Symbol, Type>> entries;
    FX_RETURN_IF_ERROR(separated("}", [&]() -> absl::Status {
      FX_ASSIGN_OR_RETURN(const std::string key, cursor_.quoted());
      if (!cursor_.consume(":")) return cursor_.error("expected ':' after the key");
      FX_ASSIGN_OR_RETURN(const Type item, parse());
      entries.emplace_back(table_.symbols().intern(key), item);
      return absl::OkStatus();
    }));
    return table_.map(entries);
  }

  absl::StatusOr<SymExpr> expression() {
    size_t consumed = 0;
    const size_t start = cursor_.position();
    absl::StatusOr<SymExpr> expr = table_.exprs().parse_prefix(cursor_.remaining(), &consumed);
    cursor_.set_position(start + consumed);
    if (expr.ok()) return expr;
    // The offset in the message counts from the start of the expression: correct it.
    std::string_view message(expr.status().message().data(), expr.status().message().size());
    const size_t colon = message.find(": ");
    return cursor_.error(message.substr(colon == std::string_view::npos ? 0 : colon + 2));
  }

  absl::StatusOr<Dim> dim() {
    // Fast path: a plain integer.
    const char c = cursor_.peek();
    if (internal::is_digit(c) || c == '-') {
      const size_t start = cursor_.position();
      const absl::StatusOr<int64_t> value = cursor_.integer();
      const char next = cursor_.peek();
      if (value.ok() && (next == ',' || next == ']' || next == '}')) return Dim(*value);
      cursor_.set_position(start);
    }
    const size_t position = cursor_.position();
    FX_ASSIGN_OR_RETURN(const SymExpr expr, expression());
    if (expr.is_undefined()) return cursor_.error_at(position, "a size must not be undefined");
    return Dim(expr);
  }

  absl::StatusOr<DimVector> dims() {
    DimVector dims;
    FX_RETURN_IF_ERROR(separated("]", [&]() -> absl::Status {
      FX_ASSIGN_OR_RETURN(const Dim item, dim());
      dims.push_back(item);
      return absl::OkStatus();
    }));
    return dims;
  }

  /// Consumes "[x]", where x is one character.
  bool consume_bracketed(char sign) {
    const size_t start = cursor_.position();
    if (cursor_.consume("[") && cursor_.consume({&sign, 1}) && cursor_.consume("]")) return true;
    cursor_.set_position(start);
    return false;
  }

  absl::StatusOr<Type> tensor(DType dtype) {
    TensorSpec spec{.dtype = dtype};
    DimVector sizes;
    DimVector strides;
    if (cursor_.here() != '[') return cursor_.error("expected '[' and sizes after the dtype");
    if (consume_bracketed('*')) {
      spec.has_rank = false;
    } else {
      FX_ASSIGN_OR_RETURN(sizes, dims());
      if (consume_bracketed('?')) {
        spec.strides = StrideSpec::unknown();
      } else if (cursor_.here() == '[') {
        const size_t position = cursor_.position();
        FX_ASSIGN_OR_RETURN(strides, dims());
        if (strides.size() != sizes.size()) {
          return cursor_.error_at(
              position,
              fmt::format("the number of strides, {}, differs from the number of sizes, {}",
                          strides.size(), sizes.size()));
        }
        spec.strides = strides;
      }
    }
    spec.sizes = sizes;
    if (internal::is_word_start(cursor_.here())) {
      FX_ASSIGN_OR_RETURN(spec.device, device());
    }
    if (cursor_.here() == '{') {
      FX_RETURN_IF_ERROR(separated("}", [&] { return extra(spec); }));
    }
    const Type type = table_.tensor(spec);
    if (!type) return cursor_.error("the strides of these sizes do not fit in 64 bits");
    return type;
  }

  absl::StatusOr<Device> device() {
    const size_t start = cursor_.position();
    cursor_.word();
    if (cursor_.here() == ':' && internal::is_digit(cursor_.here(1))) {
      size_t end = cursor_.position() + 1;
      while (end < cursor_.text().size() && internal::is_digit(cursor_.text()[end])) ++end;
      cursor_.set_position(end);
    }
    const std::string_view name = cursor_.text().substr(start, cursor_.position() - start);
    if (const std::optional<Device> device = device_from_name(name)) return *device;
    return cursor_.error_at(start, fmt::format("'{}' is not a device", name));
  }

  absl::Status extra(TensorSpec& spec) {
    cursor_.skip_space();
    const size_t position = cursor_.position();
    const std::string_view key = cursor_.word();
    if (key == "grad") {
      spec.requires_grad = true;
      return absl::OkStatus();
    }
    if (key != "offset" && key != "layout")
      return cursor_.error_at(position, "expected offset=..., layout=... or grad");
    if (!cursor_.consume("=")) return cursor_.error("expected '='");
    if (key == "offset") {
      FX_ASSIGN_OR_RETURN(spec.offset, dim());
      return absl::OkStatus();
    }
    cursor_.skip_space();
    const size_t start = cursor_.position();
    const std::string_view name = cursor_.word();
    const std::optional<Layout> layout = layout_from_name(name);
    if (!layout) return cursor_.error_at(start, fmt::format("'{}' is not a layout", name));
    spec.layout = *layout;
    return absl::OkStatus();
  }

  absl::StatusOr<Type> symbolic(TypeKind kind) {
    if (cursor_.here() != '(') return cursor_.error("expected '(' and an expression");
    cursor_.consume("(");
    const size_t position = cursor_.position();
    FX_ASSIGN_OR_RETURN(const SymExpr expr, expression());
    if (!cursor_.consume(")")) return cursor_.error("expected ')' after the expression");
    if (expr.is_undefined()) return cursor_.error_at(position, "a value must not be undefined");
    switch (kind) {
      case TypeKind::kInt:
        return table_.integer(expr);
      case TypeKind::kFloat:
        return table_.floating(expr);
      default:
        return table_.boolean(expr);
    }
  }

  absl::StatusOr<Type> value(TypeKind kind) {
    if (cursor_.here() != '(') {
      switch (kind) {
        case TypeKind::kInt:
          return table_.integer();
        case TypeKind::kFloat:
          return table_.floating();
        case TypeKind::kBool:
          return table_.boolean();
        case TypeKind::kComplex:
          return table_.complex();
        default:
          return table_.string();
      }
    }
    cursor_.consume("(");
    FX_ASSIGN_OR_RETURN(const Type type, constant(kind));
    if (!cursor_.consume(")")) return cursor_.error("expected ')' after the value");
    return type;
  }

  absl::StatusOr<Type> constant(TypeKind kind) {
    switch (kind) {
      case TypeKind::kInt: {
        FX_ASSIGN_OR_RETURN(const int64_t value, cursor_.integer());
        return table_.integer(value);
      }
      case TypeKind::kFloat: {
        FX_ASSIGN_OR_RETURN(const double value, cursor_.real());
        return table_.floating(value);
      }
      case TypeKind::kBool: {
        if (cursor_.consume("True")) return table_.boolean(true);
        if (cursor_.consume("False")) return table_.boolean(false);
        return cursor_.error("expected True or False");
      }
      case TypeKind::kComplex: {
        FX_ASSIGN_OR_RETURN(const double real, cursor_.real());
        if (!cursor_.consume(",")) return cursor_.error("expected ',' between the two parts");
        FX_ASSIGN_OR_RETURN(const double imaginary, cursor_.real());
        return table_.complex({real, imaginary});
      }
      default: {
        FX_ASSIGN_OR_RETURN(const std::string value, cursor_.quoted());
        return table_.string(value);
      }
    }
  }

  TypeTable& table_;
  internal::TextCursor cursor_;
  int level_ = 0;
};

}  // namespace

absl::StatusOr<Type> TypeTable::parse(std::string_view text, size_t* consumed) {
  Parser parser(*this, text);
  absl::StatusOr<Type> type = parser.parse();
  if (!consumed && type.ok() && !parser.cursor().at_end())
    type = parser.cursor().error("expected the end of the type");
  if (consumed) *consumed = parser.cursor().position();
  return type;
}

}  // namespace fx
