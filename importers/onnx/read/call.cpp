#include "fx/importers/onnx/read/call_internal.h"
#include "fx/importers/onnx/read/reader_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/pluralize.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace fx::onnx::reader {
namespace {

bool all_constant(const Sizes& elements) {
  return std::ranges::all_of(elements, [](const Argument& item) { return item.is_int(); });
}

}  // namespace

Call::Call(Reader& reader, const NodeProto& proto, int opset, Frame& frame, const Body* body,
           std::vector<Value*> inputs)
    : reader_(reader),
      proto_(proto),
      opset_(opset),
      frame_(frame),
      body_(body),
      inputs_(std::move(inputs)),
      is_read_(proto.attributes.size(), false) {}

Context& Call::context() const { return reader_.context(); }
Graph& Call::graph() const { return *frame_.graph; }

void Call::fail(std::string_view why) {
  fail(absl::UnimplementedError(absl::string_view(why.data(), why.size())));
}
void Call::fail_invalid(std::string_view why) {
  fail(absl::InvalidArgumentError(absl::string_view(why.data(), why.size())));
}
void Call::fail(const absl::Status& status) {
  if (!failed()) status_ = status;
}

// ---------------------------------------------------------------- inputs

bool Call::has(size_t i) const { return i < inputs_.size() && inputs_[i]->kind != Value::kOmitted; }
bool Call::has_output(size_t i) const {
  return i < proto_.outputs.size() && !proto_.outputs[i].empty();
}

Value& Call::value(size_t i) {
  if (has(i)) return *inputs_[i];
  fail_invalid(fmt::format("input {} is missing", i));
  return reader_.new_value();
}

Val Call::in(size_t i) {
  Value& input = value(i);
  if (failed()) return {};
  if (input.kind == Value::kSequence) {
    fail(fmt::format("input {} is a sequence; a tensor is required", i));
    return {};
  }
  absl::StatusOr<Node*> node = reader_.node_in(frame_, input);
  if (node.ok()) return {*node};
  fail(node.status());
  return {};
}

Val Call::optional(size_t i) { return has(i) ? in(i) : Val(); }

void Call::mark_buffer(size_t i) {
  if (has(i)) inputs_[i]->is_buffer = true;
}

std::optional<Ints> Call::constant_ints(size_t i) {
  if (failed() || !has(i)) return std::nullopt;
  const Value& input = *inputs_[i];
  Ints values;
  if (input.has_elements) {
    if (!all_constant(input.elements)) return std::nullopt;
    for (const Argument& item : input.elements) values.push_back(item.as_int());
    return values;
  }
  if (!input.constant.defined() || !is_integral(input.constant.dtype())) return std::nullopt;
  for (int64_t k = 0; k < input.constant.num_elements(); ++k) {
    const Argument item = input.constant.element(k);
    if (!item.is_int()) return std::nullopt;
    values.push_back(item.as_int());
  }
  return values;
}

std::optional<std::vector<double>> Call::constant_reals(size_t i) {
  if (failed() || !has(i) || !inputs_[i]->constant.defined()) return std::nullopt;
  const Tensor& tensor = inputs_[i]->constant;
  std::vector<double> values;
  for (int64_t k = 0; k < tensor.num_elements(); ++k) {
    const Argument item = tensor.element(k);
    if (item.is_float()) {
      values.push_back(item.as_float());
    } else if (item.is_int()) {
      values.push_back(static_cast<double>(item.as_int()));
    } else {
      return std::nullopt;
    }
  }
  return values;
}

std::optional<Sizes> Call::known_sizes(size_t i) {
  if (failed() || !has(i) || !inputs_[i]->has_elements) return std::nullopt;
  const Value& input = *inputs_[i];
  if (input.frame != &frame_ && !all_constant(input.elements)) return std::nullopt;
  return input.elements;
}

Sizes Call::sizes(size_t i) {
  if (std::optional<Sizes> known = known_sizes(i)) return *known;
  const Val tensor = in(i);
  const int rank = this->rank(tensor);
  if (rank > 1) fail_invalid(fmt::format("input {} must have one dimension", i));
  const int64_t count = rank == 0 ? 1 : list_length(tensor);
  Sizes items;
  for (int64_t k = 0; k < count && !failed(); ++k) {
    const Val element = rank == 0 ? tensor : op("aten.select.int", {tensor, 0, k});
    items.push_back(op("aten.item.default", {element}));
  }
  return items;
}

Argument Call::size(size_t i) {
  const Sizes items = sizes(i);
  if (items.size() == 1) return items[0];
  fail_invalid(fmt::format("input {} must have one element", i));
  return Argument(0);
}

Ints Call::ints_input(size_t i, std::string_view what) {
  if (const auto values = constant_ints(i)) return *values;
  fail(fmt::format("{} must be known before the graph runs and must not depend on data", what));
  return {};
}

// ---------------------------------------------------------------- attributes

const AttributeProto* Call::attribute(std::string_view name) {
  if (failed()) return nullptr;
  for (size_t i = 0; i < proto_.attributes.size(); ++i) {
    if (proto_.attributes[i].name != name) continue;
    is_read_[i] = true;
    const AttributeProto* const found = Reader::resolve(proto_.attributes[i], body_);
    if (found != nullptr && found->is_unsupported) {
      fail(fmt::format("attribute {} has an unsupported type", name));
      return nullptr;
    }
    return found;
  }
  return nullptr;
}

bool Call::has_attribute(std::string_view name) { return attribute(name) != nullptr; }

namespace {

/// Returns the value of an attribute, or null if the attribute is missing. Fails if the attribute
/// is not a T; `type` is the name of T in the message.
template <class T>
const T* value_as(Call& call, std::string_view name, std::string_view type) {
  const AttributeProto* const found = call.attribute(name);
  if (found == nullptr) return nullptr;
  const T* const value = std::get_if<T>(&found->value);
  if (value == nullptr) call.fail_invalid(fmt::format("attribute {} must be {}", name, type));
  return value;
}

}  // namespace

int64_t Call::integer(std::string_view name, int64_t default_value) {
  const auto* const value = value_as<int64_t>(*this, name, "an integer");
  return value != nullptr ? *value : default_value;
}
double Call::real(std::string_view name, double default_value) {
  const auto* const value = value_as<float>(*this, name, "a number");
  return value != nullptr ? double{*value} : default_value;
}
std::string Call::text(std::string_view name, std::string_view default_value) {
  const auto* const value = value_as<std::string>(*this, name, "a string");
  return value != nullptr ? *value : std::string(default_value);
}
std::optional<Ints> Call::ints(std::string_view name) {
  const auto* const value = value_as<AttributeProto::Ints>(*this, name, "a list of integers");
  return value != nullptr ? std::optional(*value) : std::nullopt;
}
std::vector<double> Call::reals(std::string_view name) {
  const auto* const value = value_as<AttributeProto::Floats>(*this, name, "a list of numbers");
  return value != nullptr ? std::vector<double>(value->begin(), value->end())
                          : std::vector<double>();
}
std::vector<std::string> Call::texts(std::string_view name) {
  const auto* const value = value_as<AttributeProto::Strings>(*this, name, "a list of strings");
  return value != nullptr ? *value : std::vector<std::string>();
}
const GraphProto* Call::graph_attribute(std::string_view name) {
  const auto* const value = value_as<std::unique_ptr<GraphProto>>(*this, name, "a graph");
  if (value == nullptr) fail_invalid(fmt::format("it must have the attribute {}", name));
  return value != nullptr ? value->get() : nullptr;
}
const TensorProto* Call::tensor_attribute(std::string_view name) {
  const auto* const value = value_as<std::unique_ptr<TensorProto>>(*this, name, "a tensor");
  return value != nullptr ? value->get() : nullptr;
}

std::optional<Ints> Call::axes(std::string_view name, size_t i, int since) {
  if (opset_ < since) return ints(name);
  if (!has(i)) return std::nullopt;
  return ints_input(i, "the axes");
}

void Call::check_attributes() {
  if (failed()) return;
  for (size_t i = 0; i < is_read_.size(); ++i) {
    if (is_read_[i]) continue;
    return fail(fmt::format("its attribute {} is not supported in opset {}",
                            proto_.attributes[i].name, opset_));
  }
}

// ---------------------------------------------------------------- types

Type Call::type(Val value) {
  if (failed()) return {};
  if (!value) {
    fail_invalid("an input is missing");
    return {};
  }
  const Type type = value.node->type();
  constexpr int kMaxDimensions = 64;  // torch's limit
  if (type.is_tensor() && type.has_rank() && type.rank() > kMaxDimensions) {
    fail_invalid("a tensor has more than 64 dimensions");
    return {};
  }
  if (type.is_tensor() && type.has_rank() && type.dtype() != DType::kUndefined) return type;
  fail(fmt::format("the type of {} is unknown", value.node->name()));
  return {};
}

DType Call::dtype(Val value) {
  const Type known = type(value);
  return known ? known.dtype() : DType::kFloat32;
}
int Call::rank(Val value) {
  const Type known = type(value);
  return known ? known.rank() : 0;
}

int64_t Call::axis(int64_t axis, int rank) {
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  fail_invalid(fmt::format("axis {} is out of range for {}", axis, pluralize(rank, "dimension")));
  return 0;
}

Ints Call::axes_of(absl::Span<const int64_t> axes, int rank) {
  Ints all;
  for (const int64_t one : axes) all.push_back(axis(one, rank));
  std::ranges::sort(all);
  if (std::ranges::adjacent_find(all) != all.end()) fail_invalid("duplicate axis");
  return all;
}

Dim Call::dim(Val value, int64_t axis) {
  const Type known = type(value);
  const int64_t at = this->axis(axis, known ? known.rank() : 0);
  return failed() ? Dim(1) : known.sizes()[static_cast<size_t>(at)];
}

int64_t Call::constant_dim(Val value, int64_t axis) {
  constexpr int64_t kMaxSize = int64_t{1} << 40;  // products with other limits do not overflow
  const Dim size = dim(value, axis);
  if (size.is_int() && size.value() <= kMaxSize) return size.value();
  fail(fmt::format("dimension {} of {} must be constant and at most 2^40", axis,
                   value ? value.node->name() : std::string()));
  return 1;
}

int64_t Call::list_length(Val value) {
  constexpr int64_t kMaxLength = 1024;
  const int64_t length = constant_dim(value, 0);
  if (length <= kMaxLength) return length;
  fail_invalid("a list of sizes or axes has more than 1024 items");
  return 1;
}

std::optional<Ints> Call::constant_shape(Val value) {
  const Type known = type(value);
  if (failed()) return std::nullopt;
  Ints sizes;
  for (const Dim& size : known.sizes()) {
    if (!size.is_int()) return std::nullopt;
    sizes.push_back(size.value());
  }
  return sizes;
}

Argument Call::size_of(Val value, int64_t axis) {
  const Dim size = dim(value, axis);
  if (failed()) return Argument(1);
  if (size.is_int()) return Argument(size.value());
  const SymExpr key = size.canonical().expr();
  if (const auto found = frame_.sizes.find(key); found != frame_.sizes.end()) return found->second;
  const Val number = op("aten.sym_size.int", {value, this->axis(axis, rank(value))});
  if (failed()) return Argument(1);
  frame_.sizes.emplace(key, number.node);
  return number;
}

Sizes Call::shape_of(Val value) {
  Sizes sizes;
  const int count = rank(value);
  for (int i = 0; i < count; ++i) sizes.push_back(size_of(value, i));
  return sizes;
}

// ---------------------------------------------------------------- calls

Val Call::op(std::string_view target, absl::Span<const Argument> args,
             absl::Span<const Kwarg> kwargs) {
  if (failed()) return {};
  absl::StatusOr<Node*> node = reader_.add_call(frame_, target, args, kwargs);
  if (!node.ok()) {
    fail(node.status());
    return {};
  }
  created_.push_back(*node);
  return {*node};
}

Val Call::item(Val tuple, int64_t i) { return op("operator.getitem", {tuple, i}); }

Val Call::cast(Val value, DType dtype) {
  if (this->dtype(value) == dtype) return value;
  return op("aten._to_copy.default", {value}, {{"dtype", dtype}});
}

Val Call::reshape(Val value, const Sizes& sizes) {
  return op("aten.reshape.default", {value, list(sizes)});
}

Val Call::permute(Val value, absl::Span<const int64_t> order) {
  bool is_identity = true;
  for (size_t i = 0; i < order.size(); ++i) is_identity &= order[i] == static_cast<int64_t>(i);
  return is_identity ? value : op("aten.permute.default", {value, list(order)});
}

Val Call::unsqueeze(Val value, absl::Span<const int64_t> sorted_axes) {
  for (const int64_t axis : sorted_axes) value = op("aten.unsqueeze.default", {value, axis});
  return value;
}

Val Call::squeeze(Val value, absl::Span<const int64_t> axes) {
  return axes.empty() ? value : op("aten.squeeze.dims", {value, list(axes)});
}

Val Call::slice(Val value, int64_t axis, Argument begin, Argument end, int64_t step) {
  return op("aten.slice.Tensor", {value, axis, std::move(begin), std::move(end), step});
}

Val Call::scalar(double number, DType dtype) {
  return op("aten.scalar_tensor.default", {number}, {{"dtype", dtype}});
}
Val Call::scalar_int(int64_t number, DType dtype) {
  return op("aten.scalar_tensor.default", {number}, {{"dtype", dtype}});
}

Val Call::constant(Tensor tensor) {
  if (failed()) return {};
  absl::StatusOr<Node*> node = reader_.node_in(frame_, reader_.constant_value(std::move(tensor)));
  if (node.ok()) return {*node};
  fail(node.status());
  return {};
}

Val Call::ints_tensor(absl::Span<const int64_t> values, DType dtype) {
  std::vector<Argument> elements(values.begin(), values.end());
  const int64_t size = static_cast<int64_t>(values.size());
  absl::StatusOr<Tensor> tensor = Tensor::from_elements(dtype, {size}, elements);
  if (tensor.ok()) return constant(*std::move(tensor));
  fail(tensor.status());
  return {};
}

Val Call::tensor_of(const Sizes& elements, bool is_scalar, DType dtype) {
  if (failed()) return {};
  if (all_constant(elements)) {
    absl::StatusOr<Tensor> tensor = constant_tensor(elements, is_scalar, dtype);
    if (tensor.ok()) return constant(*std::move(tensor));
    fail(tensor.status());
    return {};
  }
  std::vector<Val> items;
  for (const Argument& element : elements)
    items.push_back(op("aten.scalar_tensor.default", {element}, {{"dtype", dtype}}));
  return is_scalar ? items[0] : op("aten.stack.default", {list(items)});
}

Argument Call::list(const std::vector<Val>& values) {
  std::vector<Argument> items(values.begin(), values.end());
  return Argument::list(items);
}

Argument Call::compute(std::string_view function, const Argument& a, const Argument& b) {
  const Val number = op(function, {a, b});
  return failed() ? Argument(1) : Argument(number);
}

Argument Call::add(const Argument& a, const Argument& b) {
  int64_t result = 0;
  if (a.is_int() && b.is_int() && !__builtin_add_overflow(a.as_int(), b.as_int(), &result))
    return result;
  return compute("operator.add", a, b);
}
Argument Call::sub(const Argument& a, const Argument& b) {
  int64_t result = 0;
  if (a.is_int() && b.is_int() && !__builtin_sub_overflow(a.as_int(), b.as_int(), &result))
    return result;
  return compute("operator.sub", a, b);
}
Argument Call::mul(const Argument& a, const Argument& b) {
  int64_t result = 0;
  if (a.is_int() && b.is_int() && !__builtin_mul_overflow(a.as_int(), b.as_int(), &result))
    return result;
  if (a.is_int() && a.as_int() == 1) return b;
  if (b.is_int() && b.as_int() == 1) return a;
  return compute("operator.mul", a, b);
}
Argument Call::floor_div(const Argument& a, const Argument& b) {
  if (b.is_int() && b.as_int() == 1) return a;
  if (a.is_int() && b.is_int() && b.as_int() > 0) {
    const int64_t quotient = a.as_int() / b.as_int();
    return a.as_int() % b.as_int() < 0 ? quotient - 1 : quotient;
  }
  return compute("operator.floordiv", a, b);
}

// ---------------------------------------------------------------- results

Value& Call::result_value(size_t i) {
  while (results_.size() <= i) results_.push_back(&reader_.new_value());
  return *results_[i];
}

void Call::result(size_t i, Val value) {
  if (failed() || !value) return;
  Value& target = result_value(i);
  target.kind = Value::kTensor;
  target.frame = &frame_;
  target.node = value.node;
}

void Call::result_sizes(const Sizes& elements, bool is_scalar, DType dtype) {
  if (failed()) return;
  if (all_constant(elements)) {
    absl::StatusOr<Tensor> tensor = constant_tensor(elements, is_scalar, dtype);
    if (!tensor.ok()) return fail(tensor.status());
    return result_constant(*std::move(tensor));
  }
  Value& target = result_value(0);
  target.kind = Value::kTensor;
  target.frame = &frame_;
  target.has_elements = true;
  target.is_scalar = is_scalar;
  target.dtype = dtype;
  target.elements = elements;
}

void Call::result_constant(Tensor tensor) {
  if (failed()) return;
  result_same(0, reader_.constant_value(std::move(tensor)));
}

void Call::result_same(size_t i, Value& value) {
  if (failed()) return;
  result_value(i);
  results_[i] = &value;
}

void Call::result_sequence(std::vector<Value*> items) {
  constexpr size_t kMaxItems = 4096;
  if (items.size() > kMaxItems) fail("sequences of more than 4096 items are not supported");
  if (failed()) return;
  Value& target = result_value(0);
  target.kind = Value::kSequence;
  target.frame = &frame_;
  target.items = std::move(items);
}

}  // namespace fx::onnx::reader
