// Writes calls to operators: converts operands to the types in the schema, and declares results.
#include "fx/codegen/mlir/text_internal.h"
#include "fx/codegen/mlir/writer_internal.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/symbolic/number_functions.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>

namespace fx::mlir {

using ops::SchemaType;
using ops::SchemaTypeKind;

const TorchDialectRow* find_torch_dialect_row(std::string_view name) {
  const TorchDialectRow* end = kTorchDialectRows + kNumTorchDialectRows;
  const TorchDialectRow* row = std::lower_bound(
      kTorchDialectRows, end, name,
      [](const TorchDialectRow& r, std::string_view expected) { return r.name < expected; });
  return row != end && row->name == name ? row : nullptr;
}

namespace {

bool is_number(ValueKind kind) {
  return kind == ValueKind::kInt || kind == ValueKind::kFloat || kind == ValueKind::kBool;
}

bool is_number(ArgumentKind kind) {
  return kind == ArgumentKind::kBool || kind == ArgumentKind::kInt ||
         kind == ArgumentKind::kFloat || kind == ArgumentKind::kSymbolic;
}

/// Returns the element type of a list in the torch dialect: "int" for `SymInt[]`.
std::string list_element(const SchemaType& type) {
  if (type.is_optional()) return text_of("optional<", list_element(type.element()), ">");
  switch (type.kind()) {
    case SchemaTypeKind::kTensor:
      return "vtensor";
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
    case SchemaTypeKind::kScalarType:
      return "int";
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      return "float";
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      return "bool";
    case SchemaTypeKind::kString:
      return "str";
    default:
      return {};
  }
}

/// Operators that the dialect does not have, each with an operator that computes the same result
/// from the same operands.
constexpr std::pair<std::string_view, std::string_view> kSame[] = {
    {"aten.unsafe_split.Tensor", "aten.split.Tensor"},
    {"aten.unsafe_split_with_sizes", "aten.split_with_sizes"},
    {"aten._unsafe_index.Tensor", "aten.index.Tensor"},
    {"aten.__xor__.Tensor", "aten.bitwise_xor.Tensor"},
};

bool is_registered(std::string_view name, const ops::OpSchema& schema) {
  const TorchDialectRow* row = find_torch_dialect_row(name);
  return row != nullptr && row->operands == schema.arguments().size() &&
         row->results == schema.returns().size();
}

}  // namespace

const Operator& Writer::operator_of(const ops::OpInfo& info) {
  std::unique_ptr<Operator>& op = operators_[&info];
  if (!op) {
    op = std::make_unique<Operator>();
    op->info = &info;
    const std::string_view qualified = info.qualified_name();
    const size_t colons = std::min(qualified.find("::"), qualified.size() - 2);
    std::string name = text_of(qualified.substr(0, colons), ".", qualified.substr(colons + 2));
    op->registered = is_registered(name, info.schema());
    for (const auto& [missing, same] : kSame) {
      if (op->registered || missing != name || !is_registered(same, info.schema())) continue;
      op->registered = true;
      name = same;
    }
    op->name = text_of("torch.", name);
  }
  return *op;
}

const Writer::Callee& Writer::callee(const Node& node) {
  std::unique_ptr<Callee>& what = callees_[node.function().data()];
  if (what) return *what;
  auto form = std::make_unique<Callee>();
  const ops::OpInfo* info = node.function().op();
  form->handler = special_handler(node.target());
  if (form->handler == nullptr && info != nullptr && !info->is_function())
    form->op = &operator_of(*info);
  if (form->handler == nullptr && find_number_function(node.target()) != nullptr)
    form->handler = &Writer::write_number_call;
  if (form->handler == nullptr && form->op == nullptr) form->handler = &Writer::write_unsupported;
  what = std::move(form);
  return *what;
}

bool Writer::check_writes(const Node& node) {
  if (!effects(node).has(ops::Effect::kWritesArguments)) return true;
  const ops::OpInfo& info = *node.function().op();
  // A running statistic that is None is not written to.
  const std::span<const uint8_t> written = info.written_arguments();
  const bool writes = written.empty() || std::ranges::any_of(written, [&](uint8_t index) {
                        const std::optional<ArgumentRef> given = passed_argument(node, info, index);
                        return given && !given->is_none();
                      });
  if (!writes) return true;
  fail(absl::StatusCode::kFailedPrecondition,
       "it writes to its arguments, but MLIR values are immutable; functionalize the "
       "graph first (fxcpp opt --passes 'functionalize{copy_back=false}')");
  return false;
}

void Writer::write_operator(const Node& node, const Operator& op) {
  if (!check_writes(node)) return;
  const Value result = call(node, op, 0, node.type());
  if (!failed() && result.kind != ValueKind::kUnset) set_value(node, result);
}

/// Writes the call. `first` is the index of the positional argument of the node that is the first
/// argument of the operator.
Value Writer::call(const Node& node, const Operator& declared, size_t first, Type type) {
  const ops::OpSchema* schema = &declared.info->schema();
  CallArguments arguments = CallArguments::of(node);
  arguments.num_args -= std::min(first, arguments.num_args);
  const BindProblem problem = bind_arguments(*schema, arguments, CallStyle::kOperator, bound_);
  if (!problem.ok()) {
    fail(absl::StatusCode::kInvalidArgument,
         std::string(bind_error(declared.info->name(), problem, *schema, arguments).message()));
    return {};
  }
  for (BoundParameter& parameter : bound_)
    if (parameter.is_passed()) parameter.first += static_cast<uint32_t>(first);
  const Operator& op = with_numbers(node, declared);
  schema = &op.info->schema();
  Values operands;
  for (size_t i = 0; i < bound_.size() && !failed(); ++i) {
    const ops::SchemaArgument& argument = schema->arguments()[i];
    if (bound_[i].is_variadic) {
      operands.push_back(loose_list(argument.type, bound_[i], node));
    } else if (bound_[i].is_passed()) {
      operands.push_back(operand(argument.type, argument_at(node, bound_[i].first), node));
    } else {
      operands.push_back(default_operand(argument.type, *argument.default_value));
    }
  }
  if (failed()) return {};
  return write_call(node, op, operands, type);
}

Value Writer::write_call(const Node& node, const Operator& op, absl::Span<const Value> operands,
                         Type type) {
  absl::InlinedVector<const ValueType*, 4> results;
  const std::span<const ops::SchemaArgument> returns = op.info->schema().returns();
  if (returns.size() == 1) {
    results.push_back(result_type(returns[0].type, type));
  } else {
    const bool known = type.is_tuple() || type.is_list();
    if (known && type.items().size() != returns.size()) {
      fail(absl::StatusCode::kInvalidArgument,
           fmt::format("its operator returns {} values, but its type is {}", returns.size(),
                       to_string(type)));
    }
    for (size_t i = 0; i < returns.size() && !failed(); ++i)
      results.push_back(result_type(returns[i].type, known ? type.items()[i] : Type()));
  }
  if (failed()) return {};
  if (results.empty()) {
    write_op({}, op.name, op.registered, operands, results);
    return node.has_uses() ? none_constant() : Value();
  }
  const std::string_view name = name_of(node);
  write_op(name, op.name, op.registered, operands, results);
  return several(name, results);
}

const ValueType* Writer::result_type(const SchemaType& schema, Type type) {
  if (schema.is_list()) {
    const std::string element = list_element(schema.element());
    if (element.empty())
      fail(fmt::format("the type of the result {} cannot be expressed in the torch dialect",
                       to_string(schema)));
    return types_.list(element);
  }
  if (type) return type_of(type);
  switch (schema.without_optional().kind()) {
    case SchemaTypeKind::kTensor:
      return types_.unknown_tensor();
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
      return types_.simple(ValueKind::kInt);
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      return types_.simple(ValueKind::kFloat);
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      return types_.simple(ValueKind::kBool);
    case SchemaTypeKind::kString:
      return types_.simple(ValueKind::kString);
    default:
      fail(fmt::format("its result is {}, whose type is unknown", to_string(schema)));
      return types_.unknown_tensor();
  }
}

Value Writer::several(std::string_view name, absl::Span<const ValueType* const> types) {
  if (types.size() == 1) return {.type = types[0], .name = name, .kind = types[0]->kind};
  items_.push_back(std::make_unique<Value[]>(types.size()));
  Value* const items = items_.back().get();
  for (size_t i = 0; i < types.size(); ++i) {
    items[i] = {.type = types[i], .name = keep(text_of(name, "#", i)), .kind = types[i]->kind};
  }
  return {.name = name,
          .items = items,
          .num_items = static_cast<uint32_t>(types.size()),
          .kind = ValueKind::kItems};
}

// ---------------------------------------------------------------- numbers in place of tensors

/// `add.Tensor(x, 2)` calls the overload that accepts a number, `add.Scalar`, if the dialect has
/// it. Other numbers become tensors (tensor_of_number), even for complex results, for which
/// torch-mlir lowers only the overloads with tensors; `mul.Scalar(x, i)` calls `mul.Tensor`.
// NOLINTBEGIN(bugprone-return-const-ref-from-parameter): operators are rows of a table
const Operator& Writer::with_numbers(const Node& node, const Operator& op) {
  const bool is_real = !node.type().is_tensor() || !is_complex(node.type().dtype());
  const std::span<const ops::SchemaArgument> arguments = op.info->schema().arguments();
  uint32_t numbers = 0;  // a bit for each number whose kind differs from the schema's
  for (size_t i = 0; i < bound_.size() && i < 32; ++i) {
    if (!bound_[i].is_passed() || bound_[i].is_variadic) continue;
    const SchemaType& expected = arguments[i].type.without_optional();
    const ArgumentRef value = argument_at(node, bound_[i].first);
    if (expected.is(SchemaTypeKind::kScalar) && value.kind() == ArgumentKind::kComplex)
      numbers |= 1u << i;
    if (!expected.is(SchemaTypeKind::kTensor) || !is_real) continue;
    const Value* known = value.is_node() ? find_value(*value.as_node()) : nullptr;
    if (known ? is_number(known->kind) : is_number(value.kind())) numbers |= 1u << i;
  }
  if (numbers == 0) return op;
  for (const ops::OpInfo& info : ops::find_overloads(op.info->packet())) {
    const std::span<const ops::SchemaArgument> other = info.schema().arguments();
    bool fits = &info != op.info && other.size() == arguments.size() && !info.schema().is_mutable();
    for (size_t i = 0; fits && i < other.size(); ++i) {
      const bool is_scalar = arguments[i].type.is(SchemaTypeKind::kScalar);
      const SchemaTypeKind kind = is_scalar ? SchemaTypeKind::kTensor : SchemaTypeKind::kScalar;
      fits = (numbers >> i & 1) != 0 ? other[i].type.is(kind)
                                     : other[i].type.same_type(arguments[i].type);
    }
    if (fits && (operator_of(info).registered || !op.registered)) return operator_of(info);
  }
  return op;
}
// NOLINTEND(bugprone-return-const-ref-from-parameter)

/// Converts a number to a 0-dimensional tensor. Its dtype follows type promotion for Python
/// numbers: the dtype of the call's tensors if it has the same category, or the default dtype.
Value Writer::tensor_of_number(const Value& value, const Node& node) {
  const bool is_float = value.kind == ValueKind::kFloat;
  DType dtype = is_float ? DType::kFloat32 : DType::kInt64;
  node.for_each_input([&](const Node* input) {
    const Value* known = find_value(*input);
    if (!known || known->kind != ValueKind::kTensor) return;
    const DType other = known->type->dtype;
    if (is_float ? is_floating_point(other) : is_integral(other)) dtype = other;
    if (is_float && other == DType::kComplex128) dtype = DType::kFloat64;
  });
  const Value number =
      value.kind == ValueKind::kBool
          ? write_simple("int", "torch.aten.Int.bool", {value}, types_.simple(ValueKind::kInt))
          : value;
  if (value.kind == ValueKind::kBool) dtype = DType::kBool;
  return write_simple("number", "torch.prim.NumToTensor.Scalar", {number}, types_.scalar(dtype));
}

// ---------------------------------------------------------------- operands

Value Writer::list_operand(const SchemaType& type, absl::Span<const Value> items) {
  const std::string element = list_element(type.element());
  if (element.empty()) {
    fail(fmt::format("the type of the list {} cannot be expressed in the torch dialect",
                     to_string(type)));
    return {};
  }
  const ValueType* const list = types_.list(element);
  const Value value{.type = list, .name = fresh("list"), .kind = ValueKind::kList};
  begin_line();
  std::string& out = body();
  append(out, value.name, " = torch.prim.ListConstruct");
  for (size_t i = 0; i < items.size(); ++i) append(out, i > 0 ? ", " : " ", items[i].name);
  out += " : (";
  for (size_t i = 0; i < items.size(); ++i) append(out, i > 0 ? ", " : "", items[i].type->text);
  append(out, ") -> ", list->text);
  end_line();
  return value;
}

Value Writer::loose_list(const SchemaType& type, const BoundParameter& bound, const Node& node) {
  Values items;
  const SchemaType& list = type.without_optional();
  for (uint32_t i = 0; i < bound.count && !failed(); ++i)
    items.push_back(operand(list.element(), argument_at(node, bound.first + i), node));
  return failed() ? Value() : list_operand(list, items);
}

/// Returns a fixed-size list in which all items are `item`.
Value Writer::repeated(const SchemaType& list, const Value& item) {
  const Values items(static_cast<size_t>(std::max(list.list_size().value_or(1), 1)), item);
  return list_operand(list, items);
}

Value Writer::operand(const SchemaType& type, ArgumentRef value, const Node& node) {
  const SchemaType& expected = type.without_optional();
  if (value.is_node()) return operand_of_node(expected, *value.as_node(), node);
  if (value.is_none()) return none_constant();
  if (value.is_list() || value.is_tuple() || value.kind() == ArgumentKind::kStruct) {
    if (!expected.is_list()) {
      fail(fmt::format("it passes a list, but its operator accepts {}", to_string(type)));
      return {};
    }
    Values items;
    for (size_t i = 0; i < value.size() && !failed(); ++i)
      items.push_back(operand(expected.element(), value[i], node));
    if (failed()) return {};
    // libtorch accepts one item for all dimensions, but compilers do not.
    return items.size() == 1 ? repeated(expected, items[0]) : list_operand(expected, items);
  }
  if (expected.is_list()) {
    const Value item = operand(expected.element(), value, node);
    return failed() ? Value() : repeated(expected, item);
  }
  const bool is_literal = is_number(value.kind()) && value.kind() != ArgumentKind::kSymbolic;
  if (is_literal && !expected.is(SchemaTypeKind::kTensor)) return literal_number(expected, value);
  if (value.is_string() && expected.is(SchemaTypeKind::kDevice))
    return text_constant(ValueKind::kDevice, "torch.constant.device", value.as_string());
  if (value.kind() == ArgumentKind::kComplex && expected.is(SchemaTypeKind::kTensor))
    return complex_literal(value.as_complex(), node.type());
  const Value known = constant(value);
  if (failed()) return {};
  if (expected.is(SchemaTypeKind::kTensor) && is_number(known.kind))
    return tensor_of_number(known, node);
  return is_number(known.kind) ? number_operand(expected, known) : known;
}

/// Converts a number literal of the graph to an operand of the kind that the schema requires.
Value Writer::literal_number(const SchemaType& expected, ArgumentRef value) {
  switch (expected.kind()) {
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      return float_constant(
          value.is_float()
              ? value.as_float()
              : static_cast<double>(value.is_int() ? value.as_int() : value.as_bool()));
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      if (value.is_float()) break;
      return bool_constant(value.is_bool() ? value.as_bool() : value.as_int() != 0);
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
    case SchemaTypeKind::kScalarType:
    case SchemaTypeKind::kLayout:
    case SchemaTypeKind::kMemoryFormat:
      if (value.is_float()) break;
      return int_constant(value.is_int() ? value.as_int() : value.as_bool());
    case SchemaTypeKind::kScalar:
      // torch-mlir's number type does not include booleans.
      if (value.is_float()) return float_constant(value.as_float());
      return int_constant(value.is_int() ? value.as_int() : value.as_bool());
    default:
      return constant(value);
  }
  fail(absl::StatusCode::kInvalidArgument,
       fmt::format("it passes the {} {}, but its operator accepts {}",
                   argument_kind_name(value.kind()), value.as_float(), to_string(expected)));
  return {};
}

Value Writer::number_operand(const SchemaType& expected, const Value& value) {
  switch (expected.kind()) {
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      return as_float(value);
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
    case SchemaTypeKind::kScalar:
      if (value.kind == ValueKind::kBool)
        return write_simple("int", "torch.aten.Int.bool", {value}, types_.simple(ValueKind::kInt));
      if (value.kind == ValueKind::kFloat && !expected.is(SchemaTypeKind::kScalar)) break;
      return value;
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      return as_bool(value);
    default:
      return value;
  }
  fail(fmt::format("it passes a float, but its operator accepts {}", to_string(expected)));
  return {};
}

Value Writer::operand_of_node(const SchemaType& expected, const Node& from, const Node& node) {
  const Value value = value_of(from);
  if (failed()) return {};
  if (value.kind == ValueKind::kGraph) {
    fail("an operand must not be a graph");
    return {};
  }
  if (value.kind == ValueKind::kItems) {
    if (expected.is_list()) return list_operand(expected, value.span());
    fail(fmt::format("it passes all results of {}, but its operator accepts {}", from.name(),
                     to_string(expected)));
    return {};
  }
  if (expected.is_list()) {
    if (value.kind == ValueKind::kList || value.kind == ValueKind::kNone) return value;
    if (is_number(value.kind)) return repeated(expected, number_operand(expected.element(), value));
    fail(fmt::format("it passes the tensor {}, but its operator accepts {}", from.name(),
                     to_string(expected)));
    return {};
  }
  if (!is_number(value.kind)) {
    const bool is_other_kind =
        expected.kind() > SchemaTypeKind::kTensor && expected.kind() <= SchemaTypeKind::kSymBool;
    if (is_other_kind && value.kind == ValueKind::kTensor) {
      fail(fmt::format("it passes the tensor {}, but its operator accepts {}", from.name(),
                       to_string(expected)));
    }
    return value;
  }
  if (expected.is(SchemaTypeKind::kTensor)) return tensor_of_number(value, node);
  return number_operand(expected, value);
}

Value Writer::default_operand(const SchemaType& type, const ops::SchemaConstant& constant) {
  const SchemaType& expected = type.without_optional();
  if (constant.is_none()) return none_constant();
  if (const auto* list = std::get_if<ops::SchemaConstant::List>(&constant.value)) {
    Values items;
    for (const ops::SchemaConstant& item : *list)
      items.push_back(default_operand(expected.element(), item));
    return failed() ? Value() : list_operand(expected, items);
  }
  if (expected.is_list()) return repeated(expected, default_operand(expected.element(), constant));
  const bool is_float =
      expected.is(SchemaTypeKind::kFloat) || expected.is(SchemaTypeKind::kSymFloat);
  if (const auto* flag = std::get_if<bool>(&constant.value)) {
    return expected.is(SchemaTypeKind::kScalar) ? int_constant(*flag ? 1 : 0)
                                                : bool_constant(*flag);
  }
  if (const auto* number = std::get_if<int64_t>(&constant.value))
    return is_float ? float_constant(static_cast<double>(*number)) : int_constant(*number);
  if (const auto* number = std::get_if<double>(&constant.value)) return float_constant(*number);
  if (const auto* text = std::get_if<std::string>(&constant.value))
    return text_constant(ValueKind::kString, "torch.constant.str", *text);
  fail(fmt::format("the default {} of its operator cannot be expressed in the torch dialect",
                   to_string(constant)));
  return {};
}

Value Writer::constant(ArgumentRef value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      return none_constant();
    case ArgumentKind::kBool:
      return bool_constant(value.as_bool());
    case ArgumentKind::kInt:
      return int_constant(value.as_int());
    case ArgumentKind::kFloat:
      return float_constant(value.as_float());
    case ArgumentKind::kString:
      return text_constant(ValueKind::kString, "torch.constant.str", value.as_string());
    case ArgumentKind::kDType:
      return int_constant(static_cast<int64_t>(value.as_dtype()));
    case ArgumentKind::kLayout:
      return int_constant(static_cast<int64_t>(value.as_layout()));
    case ArgumentKind::kMemoryFormat:
      return int_constant(static_cast<int64_t>(value.as_memory_format()));
    case ArgumentKind::kDevice:
      return text_constant(ValueKind::kDevice, "torch.constant.device",
                           device_name(value.as_device()));
    case ArgumentKind::kSymbolic:
      return symbolic(value.as_symbolic());
    default:
      fail(fmt::format("a {} cannot be expressed in the torch dialect",
                       argument_kind_name(value.kind())));
      return {};
  }
}

}  // namespace fx::mlir
