#include "fx/importers/onnx/row_call_internal.h"
#include "fx/importers/onnx/writer_internal.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace fx::onnx {

RowCall::RowCall(Writer& writer, const Node& node, const Row& row,
                 absl::Span<const BoundParameter> bound)
    : writer_(writer), node_(node), row_(row), bound_(bound) {}

int RowCall::opset() const { return writer_.options().opset; }
void RowCall::fail(std::string_view why) { writer_.fail(why); }
void RowCall::fail_invalid(std::string_view why) {
  writer_.fail(absl::StatusCode::kInvalidArgument, why);
}
bool RowCall::failed() const { return writer_.failed(); }

std::optional<std::vector<int64_t>> constant_sizes(absl::Span<const Dim> sizes) {
  std::vector<int64_t> values;
  for (const Dim& size : sizes) {
    if (size.is_symbolic()) return std::nullopt;
    values.push_back(size.value());
  }
  return values;
}

// ---------------------------------------------------------------- arguments

int RowCall::index_of(std::string_view name) const {
  return node_.function().op()->schema().find_argument(name);
}

std::optional<ArgumentRef> RowCall::argument(std::string_view name) const {
  const int index = index_of(name);
  if (index < 0 || !bound_[static_cast<size_t>(index)].is_passed()) return std::nullopt;
  return argument_at(node_, bound_[static_cast<size_t>(index)].first);
}

/// Returns the argument or its default.
std::optional<Argument> RowCall::find(std::string_view name) {
  const int index = index_of(name);
  if (index < 0) {
    fail(fmt::format("the operator has no argument {}", name));
    return std::nullopt;
  }
  if (const std::optional<ArgumentRef> given = argument(name)) return Argument(*given);
  const ops::SchemaArgument& declared =
      node_.function().op()->schema().arguments()[static_cast<size_t>(index)];
  return declared.default_value ? schema_default(declared) : Argument();
}

bool RowCall::has(std::string_view name) {
  if (index_of(name) < 0) return false;
  const std::optional<Argument> value = find(name);
  if (!value || value->is_none()) return false;
  return !value->is_node() || writer_.value_of(*value->as_node()).kind != NodeValue::kNone;
}

namespace {

/// Returns the type that stands for an unknown one after an error. Rows may read its dimensions.
Type stand_in(TypeTable& types) {
  constexpr size_t kRank = 8;
  return types.tensor({.dtype = DType::kFloat32, .sizes = DimVector(kRank, Dim(1))});
}

}  // namespace

Type RowCall::type_of(const Argument& value) {
  TypeTable& types = context().types();
  const auto scalar = [&](DType dtype) { return types.tensor({.dtype = dtype}); };
  Type type;
  if (const Node* from = value.node()) type = from->type();
  if (type.is_tensor() && type.has_rank() && type.dtype() != DType::kUndefined) return type;
  if (value.is_float() || type.kind() == TypeKind::kFloat) return scalar(DType::kFloat64);
  if (value.is_bool() || type.kind() == TypeKind::kBool) return scalar(DType::kBool);
  if (value.is_int() || value.kind() == ArgumentKind::kSymbolic || type.kind() == TypeKind::kInt)
    return scalar(DType::kInt64);
  writer_.fail(absl::StatusCode::kFailedPrecondition,
               fmt::format("the type of its operand{} is unknown; infer types first (fxcpp shape)",
                           value.is_node() ? " " + value.as_node()->name() : std::string()));
  return stand_in(types);
}

Type RowCall::type(std::string_view name) {
  const std::optional<Argument> value = find(name);
  return value ? type_of(*value) : context().types().tensor({.dtype = DType::kFloat32});
}

bool RowCall::is_number(std::string_view name) {
  const std::optional<Argument> value = find(name);
  return value && !(value->is_node() && value->as_node()->type().is_tensor());
}

Value RowCall::value_of(const Argument& value, DType target_dtype) {
  if (failed()) return {};
  if (value.is_node()) {
    const NodeValue& known = writer_.value_of(*value.as_node());
    if (known.kind != NodeValue::kTensor) {
      fail(fmt::format("{} must be a tensor", value.as_node()->name()));
      return {};
    }
    const Value found = known.value;  // a copy: emitting may move values
    if (target_dtype != DType::kUndefined) return writer_.cast(found, target_dtype);
    return row_.computes ? writer_.cast(found, computing_dtype(found.dtype)) : found;
  }
  switch (value.kind()) {
    case ArgumentKind::kBool:
      return scalar(value.as_bool() ? 1 : 0,
                    target_dtype == DType::kUndefined ? DType::kBool : target_dtype);
    case ArgumentKind::kInt:
      return scalar(value.as_int(),
                    target_dtype == DType::kUndefined ? DType::kInt64 : target_dtype);
    case ArgumentKind::kFloat:
      return scalar(value.as_float(),
                    target_dtype == DType::kUndefined ? DType::kFloat64 : target_dtype);
    case ArgumentKind::kSymbolic: {
      const Value number = writer_.symbolic(value.as_symbolic());
      return target_dtype == DType::kUndefined ? number : cast(number, target_dtype);
    }
    default:
      fail(fmt::format("expected a tensor or a number, not a value of kind {}",
                       argument_kind_name(value.kind())));
      return {};
  }
}

Value RowCall::tensor(std::string_view name) {
  const std::optional<Argument> value = find(name);
  return value ? value_of(*value, DType::kUndefined) : Value();
}

Value RowCall::tensor_as(std::string_view name, DType dtype) {
  const std::optional<Argument> value = find(name);
  return value ? value_of(*value, row_.computes ? computing_dtype(dtype) : dtype) : Value();
}

std::vector<Value> RowCall::tensors(std::string_view name) {
  std::vector<Value> values;
  const std::optional<Argument> list = find(name);
  if (!list || failed()) return values;
  if (list->is_node()) {
    const NodeValue& known = writer_.value_of(*list->as_node());
    for (const NodeValue& item : known.items) values.push_back(item.value);
    if (known.kind != NodeValue::kItems) fail("its operand must be a list of tensors");
    return values;
  }
  for (size_t i = 0; i < list->size(); ++i) {
    const bool absent =
        (*list)[i].is_none() ||
        ((*list)[i].is_node() && writer_.value_of(*(*list)[i].as_node()).kind == NodeValue::kNone);
    values.push_back(absent ? Value() : value_of((*list)[i], DType::kUndefined));
  }
  return values;
}

std::vector<Type> RowCall::types(std::string_view name) {
  std::vector<Type> types;
  const std::optional<Argument> list = find(name);
  if (!list || failed()) return types;
  if (list->is_node()) {
    const Type type = list->as_node()->type();
    for (const Type item : type.items()) types.push_back(item);
    return types;
  }
  for (size_t i = 0; i < list->size(); ++i)
    types.push_back((*list)[i].is_none() ? Type() : type_of((*list)[i]));
  return types;
}

std::optional<int64_t> RowCall::constant_integer(std::string_view name) {
  const std::optional<Argument> value = find(name);
  if (!value) return std::nullopt;
  if (value->is_int()) return value->as_int();
  if (value->is_bool()) return value->as_bool() ? 1 : 0;
  if (value->is_list() && value->size() == 1 && (*value)[0].is_int()) return (*value)[0].as_int();
  if (value->is_node()) {
    const Type type = value->as_node()->type();
    if (type.kind() == TypeKind::kInt && type.is_constant()) return type.int_value();
  }
  return std::nullopt;
}

int64_t RowCall::integer(std::string_view name) {
  const std::optional<int64_t> value = constant_integer(name);
  if (!value) fail(fmt::format("its argument {} must be a constant integer", name));
  return value.value_or(0);
}

std::optional<double> RowCall::constant_real(std::string_view name) {
  const std::optional<Argument> value = find(name);
  if (!value) return std::nullopt;
  if (value->is_float()) return value->as_float();
  if (value->is_int()) return static_cast<double>(value->as_int());
  if (value->is_bool()) return value->as_bool() ? 1.0 : 0.0;
  return std::nullopt;
}

double RowCall::real(std::string_view name) {
  const std::optional<double> value = constant_real(name);
  if (!value) fail(fmt::format("its argument {} must be a constant number", name));
  return value.value_or(0);
}

bool RowCall::flag(std::string_view name) { return integer(name) != 0; }

std::string RowCall::text(std::string_view name) {
  const std::optional<Argument> value = find(name);
  if (value && value->is_string()) return std::string(value->as_string());
  fail(fmt::format("its argument {} must be a string", name));
  return {};
}

RowCall::Ints RowCall::ints(std::string_view name) {
  Ints values;
  const std::optional<Argument> list = find(name);
  if (!list || list->is_none()) return values;
  if (!list->is_list() && !list->is_tuple() && list->kind() != ArgumentKind::kStruct)
    return {integer(name)};
  for (size_t i = 0; i < list->size(); ++i) {
    const Argument& item = (*list)[i];
    const Type type = item.is_node() ? item.as_node()->type() : Type();
    if (item.is_int() || item.is_bool()) {
      values.push_back(item.is_bool() ? (item.as_bool() ? 1 : 0) : item.as_int());
    } else if (type.kind() == TypeKind::kInt && type.is_constant()) {
      values.push_back(type.int_value());
    } else {
      fail(fmt::format("the items of its argument {} must be constant integers", name));
      return values;
    }
  }
  return values;
}

RowCall::Ints RowCall::ints(std::string_view name, size_t count) {
  Ints values = ints(name);
  if (values.size() == 1) values.resize(count, values[0]);
  if (values.size() != count && !failed())
    fail_invalid(fmt::format("its argument {} has {}, but must have {}", name,
                             pluralize(values.size(), "item"), count));
  values.resize(count, 1);
  return values;
}

DType RowCall::dtype(std::string_view name, DType default_value) {
  const std::optional<Argument> value = find(name);
  return value && value->kind() == ArgumentKind::kDType ? value->as_dtype() : default_value;
}

Value RowCall::number(std::string_view name) { return tensor_as(name, DType::kInt64); }

Value RowCall::number_1d(std::string_view name) {
  if (const std::optional<int64_t> constant = constant_integer(name))
    return ints_value({*constant});
  const std::optional<Argument> value = find(name);
  if (value && value->kind() == ArgumentKind::kSymbolic)
    return writer_.symbolic_1d(value->as_symbolic());
  return op("Reshape", {number(name), ints_value({1})}, {}, DType::kInt64);
}

Value RowCall::shape(std::string_view name) {
  const std::optional<Argument> list = find(name);
  if (!list) return {};
  Ints all(list->size());
  std::iota(all.begin(), all.end(), 0);
  return items(name, all);
}

Value RowCall::items(std::string_view name, absl::Span<const int64_t> positions) {
  const std::optional<Argument> list = find(name);
  if (!list) return {};
  std::vector<Value> parts;
  std::vector<int64_t> run;
  for (const int64_t position : positions) {
    const Argument item = position < 0 ? Argument(0) : (*list)[static_cast<size_t>(position)];
    if (item.is_int()) {
      run.push_back(item.as_int());
      continue;
    }
    if (!run.empty()) parts.push_back(ints_value(run));
    run.clear();
    if (item.kind() == ArgumentKind::kSymbolic) {
      parts.push_back(writer_.symbolic_1d(item.as_symbolic()));
    } else {
      parts.push_back(
          op("Reshape", {value_of(item, DType::kInt64), ints_value({1})}, {}, DType::kInt64));
    }
  }
  if (!run.empty() || parts.empty()) parts.push_back(ints_value(run));
  if (parts.size() == 1) return parts[0];
  return op("Concat", parts, {{"axis", 0}}, DType::kInt64);
}

int RowCall::wrap_dim(int64_t dim, int rank) {
  const int64_t bound = std::max(rank, 1);
  if (dim < -bound || dim >= bound) {
    fail_invalid(fmt::format("dimension {} is out of range for a tensor of rank {}", dim, rank));
    return 0;
  }
  return static_cast<int>(dim < 0 ? dim + bound : dim);
}

int RowCall::dim(std::string_view name, int rank) { return wrap_dim(integer(name), rank); }

// ---------------------------------------------------------------- results

Type RowCall::result_type(size_t i) {
  Type type = node_.type();
  if (type.is_tuple() || type.is_list()) type = i < type.items().size() ? type.items()[i] : Type();
  if (type.is_tensor() && type.has_rank() && type.dtype() != DType::kUndefined) return type;
  writer_.fail(absl::StatusCode::kFailedPrecondition,
               "the type of its result is unknown; infer types first (fxcpp shape)");
  return stand_in(context().types());
}

DType RowCall::result_dtype(size_t i) {
  const DType dtype = result_type(i).dtype();
  return row_.computes ? computing_dtype(dtype) : dtype;
}

void RowCall::result(const Value& value) { writer_.set_result(node_, value); }
void RowCall::results(absl::Span<const Value> values) { writer_.set_results(node_, values); }

DType RowCall::common_dtype(std::initializer_list<std::string_view> names) {
  std::vector<Argument> args;
  DType same = DType::kUndefined;
  bool differ = false;
  for (const std::string_view name : names) {
    const std::optional<Argument> value = find(name);
    if (!value || failed()) return DType::kFloat32;
    if (value->is_node()) {
      const Type type = value->as_node()->type();
      args.emplace_back(promoted_as(context().types(), type.is_tensor() ? type_of(*value) : type));
      const DType dtype = type.is_tensor() ? type.dtype() : DType::kUndefined;
      differ |= same != DType::kUndefined && same != dtype;
      same = dtype;
    } else {
      args.push_back(*value);
      differ = true;
    }
  }
  if (!differ && same != DType::kUndefined) return same;
  const absl::StatusOr<InferredCall> sum =
      infer_call(context(), context().function("aten.add.Tensor"), args);
  if (sum.ok() && sum->type.is_tensor()) return sum->type.dtype();
  fail("the common element type of its operands is unknown; infer types first (fxcpp shape)");
  return DType::kFloat32;
}

// ---------------------------------------------------------------- operators

namespace {

/// Returns true if the operator does not support a 16-bit type in onnxruntime on CPUs or in ONNX
/// (Compress, and IsInf before opset 20).
bool lacks_dtype(std::string_view op_type, absl::Span<const Attribute> attributes, DType dtype,
                 int opset) {
  static constexpr std::string_view kWithoutBFloat16[] = {"Compress", "Expand", "Pad", "Resize",
                                                          "Tile"};
  if (dtype == DType::kBFloat16)
    return std::ranges::find(kWithoutBFloat16, op_type) != std::end(kWithoutBFloat16);
  if (dtype != DType::kFloat16) return false;
  const bool has_reduction = std::ranges::any_of(
      attributes, [](const Attribute& attribute) { return attribute.name == "reduction"; });
  return has_reduction || (op_type == "IsInf" && opset < 20);  // ScatterElements, ScatterND
}

}  // namespace

/// Converts elements of a 16-bit type to float32 for operators that do not accept the type.
Value RowCall::op(std::string_view op_type, absl::Span<const Value> inputs,
                  absl::Span<const Attribute> attributes, DType result) {
  if (failed()) return {};
  const DType dtype = inputs.empty() ? DType::kFloat32 : inputs[0].dtype;
  if (result == DType::kUndefined) result = dtype;
  if (!lacks_dtype(op_type, attributes, dtype, opset()))
    return writer_.emit(op_type, inputs, attributes, result);
  absl::InlinedVector<Value, 4> wide(inputs.begin(), inputs.end());
  for (Value& input : wide)
    if (input.dtype == dtype) input = cast(input, DType::kFloat32);
  const DType computed = result == dtype ? DType::kFloat32 : result;
  return cast(writer_.emit(op_type, wide, attributes, computed), result);
}

Value RowCall::op(std::string_view op_type, std::initializer_list<Value> inputs,
                  std::initializer_list<Attribute> attributes, DType result) {
  return op(op_type, absl::Span<const Value>(inputs.begin(), inputs.size()),
            absl::Span<const Attribute>(attributes.begin(), attributes.size()), result);
}

std::vector<Value> RowCall::ops(std::string_view op_type, absl::Span<const Value> inputs,
                                absl::Span<const Attribute> attributes,
                                absl::Span<const DType> results) {
  return writer_.emit_several(op_type, inputs, attributes, results);
}

Value RowCall::cast(const Value& value, DType dtype) { return writer_.cast(value, dtype); }
Value RowCall::scalar(double value, DType dtype) { return writer_.scalar_real(value, dtype); }
Value RowCall::scalar(int64_t value, DType dtype) { return writer_.scalar_int(value, dtype); }
Value RowCall::ints_value(absl::Span<const int64_t> values) { return writer_.ints(values); }

Value RowCall::indices_value(absl::Span<const int64_t> values, absl::Span<const int64_t> sizes) {
  return writer_.constant(
      DType::kInt64, sizes,
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(int64_t)});
}

Value RowCall::reals_value(absl::Span<const double> values, absl::Span<const int64_t> sizes,
                           DType dtype) {
  std::vector<Argument> elements(values.begin(), values.end());
  const absl::StatusOr<Tensor> tensor = Tensor::from_elements(dtype, sizes, elements);
  if (!tensor.ok()) {
    fail(std::string(tensor.status().message()));
    return {};
  }
  const absl::Span<const std::byte> bytes = tensor->bytes();
  return writer_.constant(dtype, sizes,
                          {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Value RowCall::sizes_value(absl::Span<const Dim> sizes) { return writer_.sizes(sizes); }

Value RowCall::size_value(const Dim& size) {
  return size.is_int() ? scalar(size.value(), DType::kInt64) : writer_.symbolic(size.expr());
}

/// If only one size is unknown, does not compute it: ONNX's Reshape infers it.
Value RowCall::reshape(const Value& value, absl::Span<const Dim> from, absl::Span<const Dim> to) {
  if (from.size() == to.size() && std::equal(from.begin(), from.end(), to.begin())) return value;
  size_t symbolic = 0;
  bool has_zero = false;
  for (const Dim& size : to) {
    symbolic += size.is_symbolic() ? 1 : 0;
    has_zero |= size == Dim(0);
  }
  std::vector<int64_t> sizes;
  if (symbolic <= 1 && !(has_zero && symbolic == 1)) {
    for (const Dim& size : to) sizes.push_back(size.is_symbolic() ? -1 : size.value());
    if (has_zero) return op("Reshape", {value, ints_value(sizes)}, {{"allowzero", 1}});
    return op("Reshape", {value, ints_value(sizes)});
  }
  // In Reshape, 0 means the size of the operand's dimension.
  size_t unknown = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    const bool is_same = to[i].is_symbolic() && i < from.size() && same_value(from[i], to[i]);
    sizes.push_back(is_same ? 0 : to[i].is_symbolic() ? -1 : to[i].value());
    unknown += sizes.back() < 0 ? 1 : 0;
  }
  if (unknown <= 1 && !has_zero) return op("Reshape", {value, ints_value(sizes)});
  return op("Reshape", {value, sizes_value(to)}, {{"allowzero", 1}});
}

Value RowCall::transpose(const Value& value, absl::Span<const int64_t> order) {
  if (std::ranges::is_sorted(order)) return value;
  return op("Transpose", {value}, {{"perm", Ints(order.begin(), order.end())}});
}

Value RowCall::unsqueeze(const Value& value, absl::Span<const int64_t> axes) {
  return axes.empty() ? value : op("Unsqueeze", {value, ints_value(axes)});
}

Value RowCall::squeeze(const Value& value, absl::Span<const int64_t> axes) {
  return axes.empty() ? value : op("Squeeze", {value, ints_value(axes)});
}

Value RowCall::expand(const Value& value, absl::Span<const Dim> sizes) {
  return op("Expand", {value, sizes_value(sizes)});
}

Value RowCall::slice(const Value& value, int64_t axis, int64_t begin, int64_t end, int64_t step) {
  return op("Slice", {value, ints_value({begin}), ints_value({end}), ints_value({axis}),
                      step == 1 ? Value() : ints_value({step})});
}

Value RowCall::reduce(std::string_view op_type, const Value& value, absl::Span<const int64_t> axes,
                      bool keep) {
  if (axes.empty()) return op(op_type, {value}, {{"keepdims", keep}});
  if (opset() >= 18 || op_type == "ReduceSum")
    return op(op_type, {value, ints_value(axes)}, {{"keepdims", keep}});
  return op(op_type, {value}, {{"axes", Ints(axes.begin(), axes.end())}, {"keepdims", keep}});
}

/// onnxruntime's Where does not support bools.
Value RowCall::where(const Value& test, const Value& yes, const Value& no) {
  if (yes.dtype != DType::kBool) return op("Where", {test, yes, no}, {}, yes.dtype);
  return op("Or", {op("And", {test, yes}), op("And", {op("Not", {test}), no})});
}

}  // namespace fx::onnx
