// Writes Python functions on numbers, and symbolic sizes that are not the result of a node.
#include "fx/codegen/mlir/text_internal.h"
#include "fx/codegen/mlir/writer_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/symbolic/number_functions.h"

#include "fmt/format.h"

#include <algorithm>
#include <complex>
#include <iterator>

namespace fx::mlir {
namespace {

/// A function of two numbers, and its operators in the torch dialect; empty if none exists.
struct NumberOp {
  std::string_view function, ints, floats;
  ValueKind result;      ///< kUnset for the kind of the operands
  bool swapped = false;  ///< the operands of floats are swapped
};

constexpr NumberOp kBinary[] = {
    {"operator.add", "torch.aten.add.int", "torch.aten.add.float", ValueKind::kUnset},
    {"operator.sub", "torch.aten.sub.int", "torch.aten.sub.float", ValueKind::kUnset},
    {"operator.mul", "torch.aten.mul.int", "torch.aten.mul.float", ValueKind::kUnset},
    {"operator.truediv", "torch.aten.div.int", "torch.aten.div.float", ValueKind::kFloat},
    {"operator.floordiv", "torch.aten.floordiv.int", "", ValueKind::kUnset},
    {"operator.mod", "torch.aten.remainder.int", "", ValueKind::kUnset},
    {"operator.eq", "torch.aten.eq.int", "torch.aten.eq.float", ValueKind::kBool},
    {"operator.ne", "torch.aten.ne.int", "", ValueKind::kBool},
    {"operator.lt", "torch.aten.lt.int", "torch.aten.lt.float", ValueKind::kBool},
    {"operator.gt", "torch.aten.gt.int", "torch.aten.gt.float", ValueKind::kBool},
    {"operator.ge", "torch.aten.ge.int", "torch.aten.ge.float", ValueKind::kBool},
    {"operator.le", "torch.aten.le.int", "torch.aten.ge.float", ValueKind::kBool, true},
    {"torch.sym_max", "torch.prim.max.int", "", ValueKind::kUnset},
    {"torch.sym_min", "torch.prim.min.int", "", ValueKind::kUnset},
};

/// Functions of one real number, each with the operator that computes it for a tensor.
constexpr std::pair<std::string_view, std::string_view> kReal[] = {
    {"math.acos", "torch.aten.acos"},       {"torch._sym_acos", "torch.aten.acos"},
    {"math.asin", "torch.aten.asin"},       {"torch._sym_asin", "torch.aten.asin"},
    {"math.atan", "torch.aten.atan"},       {"torch._sym_atan", "torch.aten.atan"},
    {"math.cos", "torch.aten.cos"},         {"torch._sym_cos", "torch.aten.cos"},
    {"math.cosh", "torch.aten.cosh"},       {"torch._sym_cosh", "torch.aten.cosh"},
    {"math.exp", "torch.aten.exp"},         {"torch._sym_exp", "torch.aten.exp"},
    {"torch._sym_log", "torch.aten.log"},   {"math.log2", "torch.aten.log2"},
    {"torch._sym_log2", "torch.aten.log2"}, {"math.sin", "torch.aten.sin"},
    {"torch._sym_sin", "torch.aten.sin"},   {"math.sinh", "torch.aten.sinh"},
    {"torch._sym_sinh", "torch.aten.sinh"}, {"math.sqrt", "torch.aten.sqrt"},
    {"torch._sym_sqrt", "torch.aten.sqrt"}, {"math.tan", "torch.aten.tan"},
    {"torch._sym_tan", "torch.aten.tan"},   {"math.tanh", "torch.aten.tanh"},
    {"torch._sym_tanh", "torch.aten.tanh"}, {"torch.sym_sqrt", "torch.aten.sqrt"},
};

/// Functions that convert a number to an int, each with the operator that rounds a tensor; empty
/// for truncation.
constexpr std::pair<std::string_view, std::string_view> kRounding[] = {
    {"torch.sym_int", ""},
    {"math.trunc", ""},
    {"math.floor", "torch.aten.floor"},
    {"math.ceil", "torch.aten.ceil"},
    {"round", "torch.aten.round"},  // half to even, as in Python
    {"builtins.round", "torch.aten.round"},
};

template <class Rows>
const auto* find_row(const Rows& rows, std::string_view name) {
  const auto* row = std::ranges::find_if(rows, [&](const auto& r) { return r.first == name; });
  return row == std::end(rows) ? nullptr : row;
}

}  // namespace

Value Writer::number(ArgumentRef value) {
  if (!value.is_node()) return constant(value);
  return value_of(*value.as_node());
}

Value Writer::as_float(const Value& value) {
  if (value.kind == ValueKind::kFloat) return value;
  return write_simple(
      "float", value.kind == ValueKind::kBool ? "torch.aten.Float.bool" : "torch.aten.Float.Scalar",
      {value.kind == ValueKind::kBool ? as_int(value) : value}, types_.simple(ValueKind::kFloat));
}

Value Writer::as_int(const Value& value) {
  if (value.kind != ValueKind::kBool) return value;
  return write_simple("int", "torch.aten.Int.bool", {value}, types_.simple(ValueKind::kInt));
}

Value Writer::as_bool(const Value& value) {
  if (value.kind == ValueKind::kBool) return value;
  const bool is_int = value.kind == ValueKind::kInt;
  return write_simple("bool", is_int ? "torch.aten.Bool.int" : "torch.aten.Bool.float", {value},
                      types_.simple(ValueKind::kBool));
}

/// Returns a complex number as a 0-dimensional tensor that has the dtype of the result.
Value Writer::complex_literal(std::complex<double> value, Type result) {
  const bool is_typed = result.is_tensor() && is_complex(result.dtype());
  const DType dtype = is_typed ? result.dtype() : DType::kComplex64;
  const Argument element(value);
  const absl::StatusOr<Tensor> tensor = Tensor::from_elements(dtype, {}, {&element, 1});
  if (tensor.ok()) return literal(*tensor, tensor->type(graph_.context().types()));
  check(tensor.status());
  return {};
}

/// Computes a function of a real number on a 0-dimensional float64 tensor.
Value Writer::through_tensor(std::string_view op, const Value& value) {
  const ValueType* const tensor = types_.scalar(DType::kFloat64);
  const Value before =
      write_simple("number", "torch.prim.NumToTensor.Scalar", {as_float(value)}, tensor);
  const Value after = write_simple("number", op, {before}, tensor);
  return write_simple("float", "torch.aten.Float.Tensor", {after},
                      types_.simple(ValueKind::kFloat));
}

Value Writer::binary(std::string_view function, const Value& left, const Value& right) {
  const auto* row =
      std::ranges::find_if(kBinary, [&](const NumberOp& r) { return r.function == function; });
  const bool is_float = left.kind == ValueKind::kFloat || right.kind == ValueKind::kFloat;
  const std::string_view op = row == std::end(kBinary) ? std::string_view()
                              : is_float               ? row->floats
                                                       : row->ints;
  if (op.empty()) {
    fail(fmt::format("{} of {} cannot be expressed in the torch dialect", function,
                     is_float ? "floats" : "integers"));
    return {};
  }
  Value a = is_float ? as_float(left) : as_int(left);
  Value b = is_float ? as_float(right) : as_int(right);
  if (is_float && row->swapped) std::swap(a, b);
  const ValueKind kind = row->result == ValueKind::kUnset ? a.kind : row->result;
  return write_simple("number", op, {a, b}, types_.simple(kind));
}

Value Writer::power(const Value& base, int64_t exponent) {
  constexpr int64_t kMaxPower = 64;
  if (exponent < 1 || exponent > kMaxPower) {
    fail(fmt::format("the exponent of a power must be a constant in [1, {}]", kMaxPower));
    return {};
  }
  Value result = base;
  for (int64_t i = 1; i < exponent && !failed(); ++i) result = binary("operator.mul", result, base);
  return result;
}

Value Writer::fold(std::string_view function, int64_t neutral, ArgumentRef items) {
  Value result = int_constant(neutral);
  for (size_t i = 0; i < items.size() && !failed(); ++i) {
    const Value item = number(items[i]);
    if (!failed()) result = i == 0 ? item : binary(function, result, item);
  }
  return result;
}

Value Writer::number_function(const Node& node) {
  const std::string_view name = plain_number_function(node.target());
  if ((name == "torch.sym_sum" || name == "math.prod") && node.num_args() == 1 &&
      is_aggregate(node.arg(0).kind())) {
    const bool is_sum = name == "torch.sym_sum";
    return fold(is_sum ? "operator.add" : "operator.mul", is_sum ? 0 : 1, node.arg(0));
  }
  const Values operands = number_operands(node);
  if (failed() || node.num_kwargs() != 0) return {};
  switch (operands.size()) {
    case 1:
      return function_of_one(name, operands[0]);
    case 2:
      if (name != "operator.pow") return function_of_two(name, operands);
      return node.arg(1).is_int() ? power(operands[0], node.arg(1).as_int()) : Value();
    case 3:
      return name == "torch.sym_ite" ? choose(operands) : Value();
    default:
      return {};
  }
}

Values Writer::number_operands(const Node& node) {
  Values operands;
  for (size_t i = 0; i < node.num_args(); ++i) {
    operands.push_back(number(node.arg(i)));
    if (failed()) return {};
    const ValueKind kind = operands.back().kind;
    if (kind == ValueKind::kInt || kind == ValueKind::kFloat || kind == ValueKind::kBool) continue;
    fail(
        fmt::format("{} requires numbers; lower the graph to operators (fxcpp opt "
                    "--passes lower_to_aten)",
                    node.target()));
    return {};
  }
  return operands;
}

Value Writer::function_of_two(std::string_view name, const Values& operands) {
  const bool is_and = name == "operator.and_";
  if ((is_and || name == "operator.or_") && operands[0].kind == ValueKind::kBool &&
      operands[1].kind == ValueKind::kBool) {
    return write_simple("bool", is_and ? "torch.aten.__and__.bool" : "torch.aten.__or__.bool",
                        operands, types_.simple(ValueKind::kBool));
  }
  return binary(name, operands[0], operands[1]);
}

Value Writer::function_of_one(std::string_view name, const Value& value) {
  if (name == "torch.sym_float") return as_float(value);
  if (name == "operator.pos") return as_int(value);
  if (name == "operator.not_" || name == "torch.sym_not") {
    return write_simple("bool", "torch.aten.__not__", {as_bool(value)},
                        types_.simple(ValueKind::kBool));
  }
  if (name == "operator.neg") {
    const Value a = as_int(value);
    return write_simple("number",
                        a.kind == ValueKind::kFloat ? "torch.aten.neg.float" : "torch.aten.neg.int",
                        {a}, a.type);
  }
  if (const auto* row = find_row(kReal, name)) return through_tensor(row->second, value);
  if (const auto* row = find_row(kRounding, name)) {
    if (value.kind != ValueKind::kFloat) return as_int(value);
    const Value whole = row->second.empty() ? value : through_tensor(row->second, value);
    return write_simple("int", "torch.aten.Int.float", {whole}, types_.simple(ValueKind::kInt));
  }
  return {};
}

void Writer::write_number_call(const Node& node) {
  const Value value = number_function(node);
  if (failed()) return;
  if (value.kind == ValueKind::kUnset)
    return fail(fmt::format("{} cannot be expressed in the torch dialect", node.target()));
  set_value(node, value);
}

Value Writer::choose(absl::Span<const Value> operands) {
  const Value test = condition(operands[0]);
  if (failed()) return {};
  const bool is_float =
      operands[1].kind == ValueKind::kFloat || operands[2].kind == ValueKind::kFloat;
  const Value a = is_float ? as_float(operands[1]) : as_int(operands[1]);
  const Value b = is_float ? as_float(operands[2]) : as_int(operands[2]);
  const Value result{.type = a.type, .name = fresh("number"), .kind = a.kind};
  begin_line();
  append(body(), result.name, " = torch.prim.If ", test.name, " -> (", a.type->text, ") {\n");
  for (const bool first : {true, false}) {
    const Value& side = first ? a : b;
    body().append(indent_ + 2, ' ');
    append(body(), "torch.prim.If.yield ", side.name, " : ", side.type->text);
    end_line();
    begin_line();
    if (first) body() += "} else {\n";
  }
  body() += '}';
  end_line();
  return result;
}

// ---------------------------------------------------------------- symbolic numbers

void Writer::find_symbols() {
  if (std::exchange(has_symbols_, true)) return;
  for (const Node& node : graph_.nodes()) {
    const Type type = node.type();
    if (type.kind() == TypeKind::kInt && type.is_symbolic() && type.expr().canonical().is_symbol())
      symbol_sources_.try_emplace(type.expr().canonical().name(), SymbolSource{&node});
    if (!node.is_placeholder() || !type.is_tensor() || !type.has_rank()) continue;
    for (size_t i = 0; i < type.sizes().size(); ++i) {
      const Dim size = type.sizes()[i].canonical();
      if (size.is_symbolic() && size.expr().is_symbol())
        symbol_sources_.try_emplace(size.expr().name(),
                                    SymbolSource{&node, static_cast<int64_t>(i)});
    }
  }
}

/// Returns the value of a symbol: an input, the size of an input, or a value that equals the
/// symbol.
Value Writer::symbol_value(Symbol symbol) {
  const auto source = symbol_sources_.find(symbol);
  const uint32_t index =
      source == symbol_sources_.end() ? 0 : root_frame_->values[*source->second.node];
  if (index == 0) {
    fail(fmt::format("the graph has no value with the size {}", symbol.str()));
    return {};
  }
  const Value& value = all_values_[index];
  if (source->second.dim < 0) return value;
  return write_simple("size", "torch.aten.size.int", {value, int_constant(source->second.dim)},
                      types_.simple(ValueKind::kInt));
}

/// Returns the value of a symbolic number that is not the result of a node. Values that depend only
/// on inputs are computed once, at the start of the function.
Value Writer::symbolic(SymExpr expr) {
  const SymExpr form = expr.canonical();
  if (const auto found = symbolic_.find(form); found != symbolic_.end()) return found->second;
  find_symbols();
  const std::vector<Symbol> symbols = free_symbols(form);
  const bool from_inputs = std::ranges::all_of(symbols, [&](Symbol symbol) {
    const auto source = symbol_sources_.find(symbol);
    return source != symbol_sources_.end() && source->second.node->is_placeholder();
  });
  if (!from_inputs) return compute(form);
  std::string* const body = std::exchange(body_, &head_);
  const size_t indent = std::exchange(indent_, kIndent);
  const uint32_t location = std::exchange(location_, 0);
  const Value result = compute(form);
  body_ = body;
  indent_ = indent;
  location_ = location;
  if (!failed()) symbolic_.emplace(form, result);
  return result;
}

Value Writer::size_value(const Dim& size) {
  return size.is_int() ? int_constant(size.value()) : symbolic(size.expr());
}

Value Writer::sizes_operand(absl::Span<const Dim> sizes) {
  Values numbers;
  for (const Dim& size : sizes) {
    numbers.push_back(size_value(size));
    if (failed()) return {};
  }
  return list_operand(ops::find_op("aten.view.default")->schema().arguments()[1].type, numbers);
}

Value Writer::compute(SymExpr form) {
  if (form.is_int()) return int_constant(form.int_value());
  if (form.is_symbol()) return symbol_value(form.name());
  const bool is_power = form.kind() == SymKind::kPow;
  if (is_power && form.args()[1].is_int()) {
    const Value base = symbolic(form.args()[0]);
    return failed() ? Value() : power(base, form.args()[1].int_value());
  }
  const std::string_view function = number_function_of(form);
  if (!function.empty() && !is_power && form.kind() != SymKind::kCall) {
    Value result = symbolic(form.args()[0]);
    for (size_t i = 1; i < form.args().size() && !failed(); ++i) {
      const Value next = symbolic(form.args()[i]);
      if (!failed()) result = binary(function, result, next);
    }
    return result;
  }
  fail(fmt::format("the number {} cannot be expressed in the torch dialect", to_string(form)));
  return {};
}

/// Returns the expression in the syntax of MLIR's affine maps, over symbols s0, s1, ... in order;
/// empty if it is not (semi-)affine.
std::string Writer::affine(SymExpr expr, absl::Span<const Symbol> symbols) {
  const SymExpr form = expr.canonical();
  const auto joined = [&](std::string_view separator) {
    std::string out = "(";
    for (size_t i = 0; i < form.args().size(); ++i) {
      const std::string part = affine(form.args()[i], symbols);
      if (part.empty()) return std::string();
      append(out, i > 0 ? separator : "", part);
    }
    return out + ")";
  };
  switch (form.kind()) {
    case SymKind::kInt:
      return text_of(form.int_value());
    case SymKind::kSymbol: {
      const auto* found = std::ranges::find(symbols, form.name());
      return text_of("s", found - symbols.begin());
    }
    case SymKind::kAdd:
      return joined(" + ");
    case SymKind::kMul:
      return joined(" * ");
    case SymKind::kFloorDiv:
      return joined(" floordiv ");
    case SymKind::kMod:
      return joined(" mod ");
    case SymKind::kPow: {
      const SymExpr exponent = form.args()[1];
      if (!exponent.is_int() || exponent.int_value() < 1 || exponent.int_value() > 8) return {};
      const std::string base = affine(form.args()[0], symbols);
      if (base.empty()) return {};
      std::string out = text_of("(", base);
      for (int64_t i = 1; i < exponent.int_value(); ++i) append(out, " * ", base);
      return out + ")";
    }
    default:
      return {};
  }
}

void Writer::write_symbolic_shape(const Value& value, Type type) {
  if (!type.is_tensor() || !type.has_rank()) return;
  std::vector<Symbol> symbols;
  bool is_symbolic = false;
  for (const Dim& size : type.sizes()) {
    if (!size.is_symbolic()) continue;
    is_symbolic = true;
    for (const Symbol symbol : free_symbols(size.expr()))
      if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(symbol);
  }
  if (!is_symbolic) return;
  std::ranges::sort(symbols, {}, &Symbol::str);
  std::string map = "affine_map<()[";
  for (size_t i = 0; i < symbols.size(); ++i) append(map, i > 0 ? ", s" : "s", i);
  map += "] -> (";
  for (size_t i = 0; i < type.sizes().size(); ++i) {
    const Dim& size = type.sizes()[i];
    const std::string text = size.is_int() ? text_of(size.value()) : affine(size.expr(), symbols);
    if (text.empty()) return;  // a maximum, for instance: the type still has a `?`
    append(map, i > 0 ? ", " : "", text);
  }
  map += ")>";
  std::string names;
  for (const Symbol symbol : symbols)
    append(names, names.empty() ? "" : ", ", symbolic_int(symbol).name);
  begin_line();
  append(body(), "torch.bind_symbolic_shape ", value.name, ", [", names, "], ", map, " : ",
         value.type->text);
  end_line();
}

Value Writer::symbolic_int(Symbol symbol) {
  Value& value = symbols_[symbol];
  if (value.kind != ValueKind::kUnset) return value;
  value = {
      .type = types_.simple(ValueKind::kInt), .name = fresh("symbol"), .kind = ValueKind::kInt};
  const SymRange range = env_.range(symbol);
  std::string text;
  append_string(text, symbol.str());
  append(text, " {min_val = ", range.min.value_or(INT64_MIN),
         ", max_val = ", range.max.value_or(INT64_MAX), "} : !torch.int");
  append_head(value, "torch.symbolic_int", text);
  return value;
}

}  // namespace fx::mlir
