// Writes constants as Python expressions: complex numbers, tensors, symbolic sizes, and the text of
// other objects.
#include "fx/codegen/python/constants_internal.h"
#include "fx/codegen/python/emitter_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/symbolic/number_functions.h"

#include "absl/strings/ascii.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace fx::python {
namespace {

bool is_word(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Returns the end of the quoted string that starts at `begin`.
size_t end_of_string(std::string_view text, size_t begin) {
  size_t i = begin + 1;
  while (i < text.size() && text[i] != text[begin]) i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

/// Python functions that correspond to SymPy functions, in addition to the functions in
/// number_functions.h.
constexpr std::pair<std::string_view, std::string_view> kSymbolicFunctions[] = {
    {"Abs", "builtins.abs"},
    {"CleanDiv", "operator.floordiv"},
    {"Eq", "operator.eq"},
    {"FloorDiv", "operator.floordiv"},
    {"Max", "builtins.max"},
    {"Min", "builtins.min"},
    {"Mod", "operator.mod"},
    {"Ne", "operator.ne"},
    {"PythonMod", "operator.mod"},
    {"ToFloat", "builtins.float"},
    {"oo", "math.inf"},
    {"sqrt", "math.sqrt"},
};

/// Returns torch.fx's text of a tensor, `torch.Tensor(size=[2, 3], dtype=int64)`, which cannot be
/// evaluated.
std::string tensor_text(Type type) {
  std::string text = "torch.Tensor(size=[";
  for (int i = 0; type.has_rank() && i < type.rank(); ++i) {
    if (i) text += ", ";
    append_text(text, type.size(i));
  }
  text += "], dtype=";
  text += dtype_name(type.dtype());
  text += ')';
  return text;
}

/// True if Python may evaluate the text of the expression to a different value than SymPy. This
/// is the case for fractions, which are exact in SymPy, for logical negation, for undefined values,
/// and for powers with exponents that are negative or not constant.
bool differs_in_python(SymExpr expr) {
  switch (expr.kind()) {
    case SymKind::kRational:
    case SymKind::kNot:
    case SymKind::kUndefined:
      return true;
    case SymKind::kPow:
      if (!expr.args()[1].is_int() || expr.args()[1].int_value() < 0) return true;
      break;
    default:
      break;
  }
  return std::ranges::any_of(expr.args(), differs_in_python);
}

}  // namespace

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

bool is_primary_text(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      i = end_of_string(text, i) - 1;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (depth == 0 && !is_word(c) && c != '.') {
      return false;
    }
  }
  return text.find_first_not_of("0123456789.") != std::string_view::npos;
}

void append_complex(std::string& out, std::complex<double> value) {
  const double real = value.real(), imag = value.imag();
  // The repr is an imaginary number, or the sum of a real and an imaginary number. Python evaluates
  // each of these numbers with +0.0 as its other part.
  const bool is_imaginary = real == 0 && !std::signbit(real) && !std::signbit(imag);
  const bool is_sum = real != 0 && (imag != 0 || !std::signbit(imag));
  if (std::isfinite(real) && std::isfinite(imag) && (is_imaginary || is_sum))
    return text::append_python_complex(out, value);
  out += "complex(";
  text::append_float(out, real);
  out += ", ";
  text::append_float(out, imag);
  out += ')';
}

bool Emitter::append_tensor_constant(std::string& out, ArgumentRef value) {
  const auto kind = struct_field(value, kTensorClass, "type");
  if (!kind || kind->kind() != ArgumentKind::kType || !kind->as_type().is_tensor()) return false;
  const Type type = kind->as_type();
  const auto data = struct_field(value, kTensorClass, "data");
  const bool is_plain = !struct_field(value, kTensorClass, "class") &&
                        !struct_field(value, kTensorClass, "quant") &&
                        type.layout() == Layout::kStrided && type.has_rank() &&
                        std::ranges::all_of(type.sizes(), &Dim::is_int);
  if (!data || !(data->is_list() || data->is_tuple()) || !is_plain) {
    const std::string text = tensor_text(type);
    names_.add_unbound(text);
    out += text;
    return true;
  }
  std::string sizes;
  for (const Dim size : type.sizes()) sizes += fmt::format("{}, ", size.value());
  std::string text = "torch.tensor(";
  if (type.rank() == 0 && data->size() == 1) {
    append_value(text, (*data)[0]);
  } else {
    text += '[';
    append_items(text, *data);
    text += ']';
  }
  text += fmt::format(", dtype=torch.{}", dtype_name(type.dtype()));
  if (type.device() != Device{DeviceType::kCpu})
    text += fmt::format(", device='{}'", device_name(type.device()));
  text += ')';
  if (type.rank() > 1) text += fmt::format(".reshape(({}))", sizes);
  const bool has_strides = type.has_strides() && !type.has_default_strides() &&
                           std::ranges::all_of(type.strides(), &Dim::is_int);
  if (has_strides) {
    std::string strides;
    for (const Dim stride : type.strides()) strides += fmt::format("{}, ", stride.value());
    // Allocates memory with these strides and copies the elements into it.
    text = fmt::format("torch.empty_strided(({}), ({}), dtype=torch.{}).copy_({})", sizes, strides,
                       dtype_name(type.dtype()), text);
  }
  const auto is_parameter = struct_field(value, kTensorClass, "param");
  if (is_parameter && is_parameter->is_bool() && is_parameter->as_bool())
    text = fmt::format("torch.nn.Parameter({}, requires_grad={})", text,
                       type.requires_grad() ? "True" : "False");
  else if (type.requires_grad())
    text += ".requires_grad_()";
  out += text;
  return true;
}

/// Appends SymPy's text, like torch.fx. Functions become globals. A symbol refers to the value of
/// the graph with this name.
void Emitter::append_symbolic(std::string& out, SymExpr expr) {
  std::string text;
  fx::append_text(text, expr);
  if (!is_contained(text)) return fail("a symbolic argument cannot be written as Python");
  out += text;
  if (differs_in_python(expr.canonical()) || text.find("Symbol(") != std::string::npos)
    return names_.add_unbound(text);
  for (size_t i = 0; i < text.size();) {
    if (!is_word(text[i]) && text[i] != '.') {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && (is_word(text[i]) || text[i] == '.')) ++i;
    if (absl::ascii_isdigit(static_cast<unsigned char>(text[begin])) || text[begin] == '.')
      continue;
    bind_symbol(std::string_view(text).substr(begin, i - begin));
  }
}

/// Binds a name in a symbolic expression to a function or to a value of the graph.
void Emitter::bind_symbol(std::string_view name) {
  if (name == "True" || name == "False") return;
  const auto* const row =
      std::ranges::find(kSymbolicFunctions, name, [](const auto& r) { return r.first; });
  const std::string_view path =
      row != std::end(kSymbolicFunctions) ? row->second : function_of_sympy(name);
  if (!path.empty()) {
    if (names_.imported(name, path) != name)
      fail(fmt::format("\"{}\" is the name of another value; rename that value", name));
    if (name != "oo") names_.set_function(name);
    return;
  }
  const auto binder = binders_.find(graph_.context().symbols().intern(name));
  if (!in_default_ && binder != binders_.end() && binder->second->comes_before(*node_)) {
    std::string local;
    append_local(local, *binder->second);
    if (local == name) return;
  }
  names_.add_unbound(name);
}

void Emitter::append_object_text(std::string& out, std::string_view text) {
  if (!is_contained(text)) fail("an argument prints as text that is not a Python expression");
  out += text;
  // Text with other names cannot be evaluated.
  static constexpr std::string_view kKnown[] = {"False",  "None", "NoneType", "True",
                                                "device", "inf",  "nan",      "torch"};
  if (text.starts_with('<')) return names_.add_unbound(text);
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '\'' || text[i] == '"') {
      i = end_of_string(text, i);
      continue;
    }
    if (!is_word(text[i]) && text[i] != '.') {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && (is_word(text[i]) || text[i] == '.')) ++i;
    const std::string_view word = text.substr(begin, i - begin);
    const std::string_view root = word.substr(0, word.find('.'));
    const bool is_keyword = i < text.size() && text[i] == '=' && text.substr(i, 2) != "==";
    const bool is_name = !root.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(root[0]));
    if (!is_name || is_keyword || is_reserved_name(root) ||
        std::ranges::find(kKnown, root) != std::end(kKnown))
      continue;
    return names_.add_unbound(text);
  }
}

}  // namespace fx::python
