// Converts numbers: calls to Python functions on sizes, and symbolic sizes that no node computes.
// In the model, a number is a 0-dimensional tensor of type int64, float64 or bool.
#include "fx/importers/onnx/writer_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/symbolic/number_functions.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace fx::onnx {
namespace {

/// A function of two numbers. If `result` is kUndefined, the result has the type of the operands.
struct NumberRow {
  std::string_view function, op;
  DType result = DType::kUndefined;
};

constexpr NumberRow kBinary[] = {
    {"operator.add", "Add"},
    {"operator.sub", "Sub"},
    {"operator.mul", "Mul"},
    {"torch.sym_max", "Max"},
    {"torch.sym_min", "Min"},
    {"operator.eq", "Equal", DType::kBool},
    {"operator.lt", "Less", DType::kBool},
    {"operator.gt", "Greater", DType::kBool},
    {"operator.ge", "GreaterOrEqual", DType::kBool},
    {"operator.le", "LessOrEqual", DType::kBool},
};

/// Functions of one real number.
constexpr std::pair<std::string_view, std::string_view> kReal[] = {
    {"math.acos", "Acos"},       {"torch._sym_acos", "Acos"}, {"math.asin", "Asin"},
    {"torch._sym_asin", "Asin"}, {"math.atan", "Atan"},       {"torch._sym_atan", "Atan"},
    {"math.cos", "Cos"},         {"torch._sym_cos", "Cos"},   {"math.cosh", "Cosh"},
    {"torch._sym_cosh", "Cosh"}, {"math.exp", "Exp"},         {"torch._sym_exp", "Exp"},
    {"torch._sym_log", "Log"},   {"math.sin", "Sin"},         {"torch._sym_sin", "Sin"},
    {"math.sinh", "Sinh"},       {"torch._sym_sinh", "Sinh"}, {"math.sqrt", "Sqrt"},
    {"torch._sym_sqrt", "Sqrt"}, {"math.tan", "Tan"},         {"torch._sym_tan", "Tan"},
    {"math.tanh", "Tanh"},       {"torch._sym_tanh", "Tanh"}, {"torch.sym_sqrt", "Sqrt"},
};

/// Functions that convert a number to an integer; an empty name means truncation.
constexpr std::pair<std::string_view, std::string_view> kRounding[] = {
    {"torch.sym_int", ""}, {"math.trunc", ""}, {"math.floor", "Floor"},
    {"math.ceil", "Ceil"}, {"round", "Round"}, {"builtins.round", "Round"},
};

template <class Rows>
const auto* row_of(const Rows& rows, std::string_view name) {
  const auto* row = std::ranges::find_if(rows, [&](const auto& r) { return r.first == name; });
  return row == std::end(rows) ? nullptr : row;
}

}  // namespace

Value Writer::number(ArgumentRef value) {
  switch (value.kind()) {
    case ArgumentKind::kNode: {
      const NodeValue& known = value_of(*value.as_node());
      if (known.kind == NodeValue::kTensor) return known.value;
      break;
    }
    case ArgumentKind::kBool:
      return scalar_int(value.as_bool() ? 1 : 0, DType::kBool);
    case ArgumentKind::kInt:
      return scalar_int(value.as_int(), DType::kInt64);
    case ArgumentKind::kFloat:
      return scalar_real(value.as_float(), DType::kFloat64);
    case ArgumentKind::kSymbolic:
      return symbolic(value.as_symbolic());
    default:
      break;
  }
  fail(fmt::format("expected a number, not a value of kind {}", argument_kind_name(value.kind())));
  return {};
}

Value Writer::binary(std::string_view function, const Value& left, const Value& right) {
  const bool is_float = left.dtype == DType::kFloat64 || right.dtype == DType::kFloat64;
  const DType dtype = is_float || function == "operator.truediv" ? DType::kFloat64 : DType::kInt64;
  const Value a = cast(left, dtype), b = cast(right, dtype);
  if (function == "operator.truediv") return emit("Div", {a, b}, {}, dtype);
  if (function == "operator.ne")
    return emit("Not", {emit("Equal", {a, b}, {}, DType::kBool)}, {}, DType::kBool);
  if (function == "operator.pow") return emit("Pow", {a, b}, {}, dtype);
  if (!is_float && function == "operator.mod") return emit("Mod", {a, b}, {}, dtype);
  if (!is_float && function == "operator.floordiv") {
    // ONNX's Div truncates, and its Mod has the sign of the divisor.
    const Value multiple = emit("Sub", {a, emit("Mod", {a, b}, {}, dtype)}, {}, dtype);
    return emit("Div", {multiple, b}, {}, dtype);
  }
  const auto* row =
      std::ranges::find_if(kBinary, [&](const NumberRow& r) { return r.function == function; });
  if (row == std::end(kBinary)) {
    fail(fmt::format("{} on {} cannot be expressed in ONNX", function,
                     is_float ? "floats" : "integers"));
    return {};
  }
  return emit(row->op, {a, b}, {}, row->result == DType::kUndefined ? dtype : row->result);
}

Value Writer::fold(std::string_view function, int64_t neutral, ArgumentRef items) {
  Value result = scalar_int(neutral, DType::kInt64);
  for (size_t i = 0; i < items.size(); ++i) result = binary(function, result, number(items[i]));
  return result;
}

Value Writer::function_of_one(std::string_view name, const Value& value) {
  if (name == "torch.sym_float") return cast(value, DType::kFloat64);
  if (name == "operator.pos") return value;
  if (name == "operator.not_" || name == "torch.sym_not")
    return emit("Not", {cast(value, DType::kBool)}, {}, DType::kBool);
  if (name == "operator.neg") return emit("Neg", {value}, {}, value.dtype);
  if (name == "operator.abs") return emit("Abs", {value}, {}, value.dtype);
  if (const auto* row = row_of(kReal, name))
    return emit(row->second, {cast(value, DType::kFloat64)}, {}, DType::kFloat64);
  if (const auto* row = row_of(kRounding, name)) {
    if (value.dtype != DType::kFloat64 || row->second.empty()) return cast(value, DType::kInt64);
    return cast(emit(row->second, {value}, {}, DType::kFloat64), DType::kInt64);
  }
  return {};
}

Value Writer::number_function(const Node& node) {
  const std::string_view name = plain_number_function(node.target());
  const bool is_sum = name == "torch.sym_sum";
  if ((is_sum || name == "math.prod") && node.num_args() == 1 && is_aggregate(node.arg(0).kind())) {
    return fold(is_sum ? "operator.add" : "operator.mul", is_sum ? 0 : 1, node.arg(0));
  }
  std::vector<Value> operands;
  for (size_t i = 0; i < node.num_args(); ++i) {
    operands.push_back(number(node.arg(i)));
    const Node* from = node.arg(i).node();
    if (from != nullptr && from->type().is_tensor()) {
      fail(fmt::format(
          "{} on tensors is not an ATen operator; lower the graph first (lower_to_aten)", name));
    }
  }
  if (failed() || node.num_kwargs() != 0 || operands.empty()) return {};
  if (operands.size() == 3 && name == "torch.sym_ite") {
    const bool is_float =
        operands[1].dtype == DType::kFloat64 || operands[2].dtype == DType::kFloat64;
    const DType dtype = is_float ? DType::kFloat64 : DType::kInt64;
    return emit(
        "Where",
        {cast(operands[0], DType::kBool), cast(operands[1], dtype), cast(operands[2], dtype)}, {},
        dtype);
  }
  if (operands.size() == 2) {
    const bool is_and = name == "operator.and_";
    if ((is_and || name == "operator.or_") && operands[0].dtype == DType::kBool &&
        operands[1].dtype == DType::kBool)
      return emit(is_and ? "And" : "Or", operands, {}, DType::kBool);
    return binary(name, operands[0], operands[1]);
  }
  return operands.size() == 1 ? function_of_one(name, operands[0]) : Value();
}

void Writer::write_number_call(const Node& node) {
  const Value value = number_function(node);
  if (failed()) return;
  if (!value) return fail(fmt::format("{} cannot be expressed in ONNX", node.target()));
  set_result(node, value);
}

// ---------------------------------------------------------------- constants

Value Writer::constant(DType dtype, absl::Span<const int64_t> sizes, std::string_view bytes) {
  if (failed()) return {};
  std::string key(1, static_cast<char>(dtype));
  key += static_cast<char>(sizes.size());
  for (const int64_t size : sizes) key.append(reinterpret_cast<const char*>(&size), sizeof(size));
  key += ':';
  key += bytes;
  Value& known = constants_[key];
  if (!known) {
    known = {.name = model_.keep(fmt::format("constant/{}", constants_.size() - 1)),
             .dtype = dtype};
    TensorProto& initializer = model_.graph.initializers.emplace_back();
    initializer.name = known.name;
    initializer.type = data_type(dtype);
    initializer.dims.assign(sizes.begin(), sizes.end());
    initializer.raw = bytes;
  }
  return known;
}

Value Writer::scalar_int(int64_t value, DType dtype) {
  if (is_floating_point(dtype)) return scalar_real(static_cast<double>(value), dtype);
  if (dtype == DType::kBool) value = value != 0 ? 1 : 0;
  const auto size = static_cast<size_t>(dtype_item_size(dtype));
  return constant(dtype, {}, {reinterpret_cast<const char*>(&value), size});
}

Value Writer::scalar_real(double value, DType dtype) {
  if (dtype == DType::kFloat64)
    return constant(dtype, {}, {reinterpret_cast<const char*>(&value), sizeof(value)});
  if (dtype == DType::kFloat32) {
    const auto single = static_cast<float>(value);
    return constant(dtype, {}, {reinterpret_cast<const char*>(&single), sizeof(single)});
  }
  if (!is_floating_point(dtype)) {
    if (value >= -kIntLimit && value < kIntLimit)
      return scalar_int(static_cast<int64_t>(value), dtype);
    fail(absl::StatusCode::kInvalidArgument,
         fmt::format("the number {} cannot be converted to {}", value, dtype_name(dtype)));
    return {};
  }
  // Rounds as Tensor does.
  const absl::StatusOr<Tensor> rounded = Tensor::from_elements(dtype, {}, {Argument(value)});
  if (!rounded.ok()) {
    fail(rounded.status().code(), std::string(rounded.status().message()));
    return {};
  }
  const absl::Span<const std::byte> bytes = rounded->bytes();
  return constant(dtype, {}, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Value Writer::ints(absl::Span<const int64_t> values) {
  return constant(DType::kInt64, {static_cast<int64_t>(values.size())},
                  {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(int64_t)});
}

// ---------------------------------------------------------------- symbolic numbers

void Writer::find_symbols() {
  if (std::exchange(has_symbols_, true)) return;
  const auto add = [&](SymExpr size, const SymbolSource& source) {
    const SymExpr form = size.canonical();
    if (source.node->is_placeholder()) size_sources_.try_emplace(form, source);
    if (form.is_symbol()) symbol_sources_.try_emplace(form.name(), source);
  };
  for (const Node& node : graph_.nodes()) {
    const Type type = node.type();
    if (type.kind() == TypeKind::kInt && type.is_symbolic()) add(type.expr(), {&node});
    if (!type.is_tensor() || !type.has_rank()) continue;
    for (size_t i = 0; i < type.sizes().size(); ++i) {
      if (type.sizes()[i].is_symbolic())
        add(type.sizes()[i].expr(), {&node, static_cast<int64_t>(i)});
    }
  }
  // Find symbols that occur only with a factor, as in 4*s0.
  std::vector<std::pair<SymExpr, SymbolSource>> products(size_sources_.begin(),
                                                         size_sources_.end());
  for (const auto& [form, source] : products) {
    const bool is_multiple = form.kind() == SymKind::kMul && form.args().size() == 2 &&
                             form.args()[0].is_int() && form.args()[1].is_symbol();
    if (!is_multiple || form.args()[0].int_value() < 1) continue;
    SymbolSource part = source;
    part.factor = form.args()[0].int_value();
    // Prefer an input over a node that has the symbol itself as a size, because the node may come
    // later.
    SymbolSource& symbol_source =
        symbol_sources_.try_emplace(form.args()[1].name(), part).first->second;
    if (!symbol_source.node->is_placeholder()) symbol_source = part;
  }
}

/// Returns the number that the source describes: a value, or a size of a value divided by the
/// factor.
Value Writer::source_value(const SymbolSource& source, bool with_dimension) {
  const uint32_t index = root_frame_->values[*source.node];
  if (index == 0 || all_values_[index].kind != NodeValue::kTensor) return {};
  const Value value = all_values_[index].value;
  const int64_t dim = source.dim;
  Value size = value;
  if (dim >= 0) size = emit("Shape", {value}, {{"start", dim}, {"end", dim + 1}}, DType::kInt64);
  if (dim >= 0 && !with_dimension) size = emit("Squeeze", {size}, {}, DType::kInt64);
  if (dim < 0 && with_dimension) size = emit("Reshape", {value, ints({1})}, {}, DType::kInt64);
  if (source.factor == 1) return size;
  return emit("Div", {size, scalar_int(source.factor, DType::kInt64)}, {}, DType::kInt64);
}

Value Writer::symbol_value(Symbol symbol, bool with_dimension) {
  const auto source = symbol_sources_.find(symbol);
  Value value;
  if (source != symbol_sources_.end()) value = source_value(source->second, with_dimension);
  if (!value) fail(fmt::format("the graph has no value with the size {}", symbol.str()));
  return value;
}

bool Writer::from_inputs(SymExpr form) {
  find_symbols();
  if (size_sources_.contains(form)) return true;
  return std::ranges::all_of(free_symbols(form), [&](Symbol symbol) {
    const auto source = symbol_sources_.find(symbol);
    return source != symbol_sources_.end() && source->second.node->is_placeholder();
  });
}

/// Adds the nodes that compute a number before the nodes of the outer graph.
Value Writer::in_head(SymExpr form, bool with_dimension) {
  std::deque<NodeProto>* const nodes = std::exchange(nodes_, &head_);
  const Node* const node = std::exchange(node_, nullptr);
  const Value result = compute(form, with_dimension);
  nodes_ = nodes;
  node_ = node;
  return result;
}

/// Returns the value of a symbolic number that is not the result of a node. A number that depends
/// only on inputs is computed once, before the nodes of the outer graph.
Value Writer::symbolic(SymExpr expr) {
  const SymExpr form = expr.canonical();
  if (form.is_int()) return scalar_int(form.int_value(), DType::kInt64);
  if (const auto found = symbolic_.find(form); found != symbolic_.end()) return found->second;
  if (!from_inputs(form)) return compute(form, false);
  const Value result = in_head(form, false);
  if (!failed()) symbolic_.emplace(form, result);
  return result;
}

Value Writer::symbolic_1d(SymExpr expr) {
  const SymExpr form = expr.canonical();
  if (form.is_int()) return ints({form.int_value()});
  if (const auto found = symbolic_1d_.find(form); found != symbolic_1d_.end()) return found->second;
  if (!from_inputs(form)) return compute(form, true);
  const Value result = in_head(form, true);
  if (!failed()) symbolic_1d_.emplace(form, result);
  return result;
}

Value Writer::compute(SymExpr form, bool with_dimension) {
  if (const auto found = size_sources_.find(form); found != size_sources_.end())
    return source_value(found->second, with_dimension);
  if (form.is_symbol()) return symbol_value(form.name(), with_dimension);
  Value result;
  const std::string_view function = number_function_of(form);
  if (form.kind() == SymKind::kPow) {
    if (form.args()[1].is_int() && form.args()[1].int_value() > 0) {
      result = binary(function, symbolic(form.args()[0]),
                      scalar_int(form.args()[1].int_value(), DType::kInt64));
    }
  } else if (!function.empty() && form.kind() != SymKind::kCall) {
    result = symbolic(form.args()[0]);
    for (size_t i = 1; i < form.args().size() && !failed(); ++i)
      result = binary(function, result, symbolic(form.args()[i]));
  }
  if (!result) {
    fail(fmt::format("the number {} cannot be expressed in ONNX", to_string(form)));
    return {};
  }
  return with_dimension ? emit("Reshape", {result, ints({1})}, {}, DType::kInt64) : result;
}

Value Writer::sizes(absl::Span<const Dim> sizes) {
  std::vector<Value> parts;
  std::vector<int64_t> run;
  for (const Dim& size : sizes) {
    if (size.is_int()) {
      run.push_back(size.value());
      continue;
    }
    if (!run.empty()) parts.push_back(ints(run));
    run.clear();
    parts.push_back(symbolic_1d(size.expr()));
  }
  if (!run.empty() || parts.empty()) parts.push_back(ints(run));
  if (parts.size() == 1) return parts[0];
  return emit("Concat", parts, {{"axis", 0}}, DType::kInt64);
}

}  // namespace fx::onnx
