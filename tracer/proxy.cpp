#include "fx/tracer/proxy.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/check.h"
#include "fx/tracer/record_internal.h"
#include "fx/tracer/tracer_base.h"

#include <string>

namespace fx {

// ---------------------------------------------------------------- operands

Operand::Operand(const Proxy& value, bool optional) : tracer_(value.tracer()), has_value_(true) {
  if (value.defined()) {
    value_ = Argument(value.node());
  } else if (tracer_ == nullptr) {
    FX_CHECK(optional, "an argument must not be a Proxy without a value");
  }
}
IntArg::IntArg(const Proxy& value) : Operand(value, false) {}
FloatArg::FloatArg(const Proxy& value) : Operand(value, false) {}
ScalarArg::ScalarArg(const Proxy& value) : Operand(value, false) {}
OptionalTensor::OptionalTensor(const Proxy& value) : Operand(value, true) {}
AnyArg::AnyArg(const Proxy& value) : Operand(value, true) {}
TensorList::TensorList(const Proxy& list) : Operand(list, false) {}
TensorList::TensorList(std::initializer_list<Proxy> items)
    : Operand(list_of(std::vector<OptionalTensor>(items.begin(), items.end()))) {}
TensorList::TensorList(const std::vector<Proxy>& items)
    : Operand(list_of(std::vector<OptionalTensor>(items.begin(), items.end()))) {}

AnyArg AnyArg::tuple(std::initializer_list<AnyArg> items) {
  const Operand list = list_of(items);
  std::vector<Argument> values;
  values.reserve(list.value().size());
  for (size_t i = 0; i < list.value().size(); ++i) values.push_back(list.value()[i]);
  return AnyArg(Operand(Argument::tuple(values), list.tracer()));
}
AnyArg AnyArg::dict(const std::vector<std::pair<std::string_view, AnyArg>>& items) {
  std::vector<std::pair<Argument, Argument>> entries;
  TracerBase* tracer = nullptr;
  for (const auto& [key, value] : items) {
    entries.emplace_back(key, value.value());
    if (tracer == nullptr) tracer = value.tracer();
  }
  return AnyArg(Operand(Argument::dict(entries), tracer));
}

// ---------------------------------------------------------------- indexes

namespace {

Argument slice_part(const IntArg& part) { return part.has_value() ? part.value() : Argument(); }

Operand slice_operand(const Slice& slice) {
  TracerBase* tracer = slice.start.tracer();
  if (tracer == nullptr) tracer = slice.stop.tracer();
  if (tracer == nullptr) tracer = slice.step.tracer();
  return Operand(
      Argument::slice(slice_part(slice.start), slice_part(slice.stop), slice_part(slice.step)),
      tracer);
}

}  // namespace

IndexArg::IndexArg(const Slice& slice, Where where)
    : Operand(slice_operand(slice)), where_(where) {}
IndexArg::IndexArg(Ellipsis, Where where) : Operand(Argument::ellipsis()), where_(where) {}
IndexArg::IndexArg(const char* text, Where where)
    : Operand(std::string_view(text) == "..." ? Argument::ellipsis() : Argument(text)),
      where_(where) {}
IndexArg::IndexArg(const Proxy& value, Where where) : Operand(value, false), where_(where) {}
IndexArg::IndexArg(std::initializer_list<int64_t> values, Where where)
    : Operand(Argument::ints({values.begin(), values.size()})), where_(where) {}

// ---------------------------------------------------------------- Proxy

namespace {

/// Returns the tracer of a value that an operation uses. The value must have one; checked.
TracerBase& tracer_of(const Proxy& value) {
  FX_CHECK(value.tracer() != nullptr, "an operation requires a Proxy with a value");
  return *value.tracer();
}
/// Returns false if there is no value, in which case the trace fails, or if the trace has already
/// failed.
bool has_value(const Proxy& value, Where where) {
  TracerBase& tracer = tracer_of(value);
  if (!value.defined())
    tracer.fail(absl::InvalidArgumentError("an operation requires a Proxy with a value"), where);
  return tracer.status().ok();
}

}  // namespace

Proxy Proxy::failed(TracerBase& tracer) {
  Proxy result;
  result.tracer_ = &tracer;
  return result;
}

Proxy Proxy::operator[](const IndexArg& index) const {
  if (!has_value(*this, index.where())) return failed(*tracer_);
  return tracer_->record_getitem(Argument(node_), index.value(), index.where());
}

Proxy Proxy::index(std::initializer_list<IndexArg> indices, Where where) const {
  if (!has_value(*this, where)) return failed(*tracer_);
  std::vector<Argument> items;
  for (const IndexArg& item : indices) items.push_back(item.value());
  return tracer_->record_getitem(Argument(node_),
                                 items.size() == 1 ? items[0] : Argument::tuple(items), where);
}

Proxy Proxy::item_at(int64_t i, Where where) const {
  if (!has_value(*this, where)) return failed(*tracer_);
  return tracer_->record_getitem(Argument(node_), Argument(i), where);
}

ProxyAttribute Proxy::attr(std::string_view name, Where where) const {
  return ProxyAttribute(*this, name, where);
}
ProxyAttribute::operator Proxy() const {
  if (!has_value(root_, where_)) return Proxy::failed(*root_.tracer());
  const Argument args[] = {Argument(root_.node()), Argument(name_)};
  TracerBase& tracer = *root_.tracer();
  return tracer.record(
      {.function = tracer.context().function("builtins.getattr"), .args = args, .where = where_});
}
Proxy ProxyAttribute::operator()(std::initializer_list<AnyArg> args) const {
  return root_.call_method(name_, args, {}, where_);
}

Proxy Proxy::call_method(std::string_view name, std::initializer_list<AnyArg> args,
                         std::initializer_list<NamedArg> kwargs, Where where) const {
  if (!has_value(*this, where)) return failed(*tracer_);
  std::vector<Argument> values = {Argument(node_)};
  for (const AnyArg& arg : args) values.push_back(arg.value());
  std::vector<Kwarg> named;
  for (const NamedArg& arg : kwargs) named.emplace_back(arg.name, arg.value.value());
  return tracer_->record(
      {.op = Opcode::kCallMethod, .target = name, .args = values, .kwargs = named, .where = where});
}

Proxy Proxy::sizes(Where where) const {
  if (tracer_of(*this).record_options().targets == Targets::kAten) return size(where);
  return attr("shape", where);
}
Proxy Proxy::size(Where where) const {
  static constexpr TracedCall kCall{"size", "aten.sym_size.default", 1};
  return record_method(kCall, where, {*this});
}
Proxy Proxy::size(const IntArg& dim, Where where) const {
  static constexpr TracedCall kCall{"size", "aten.sym_size.int", 2};
  return record_method(kCall, where, {*this, dim});
}

bool Proxy::to_bool(Where where) const { return tracer_of(*this).bool_of(*this, where); }
int64_t Proxy::to_int(Where where) const { return tracer_of(*this).int_of(*this, where); }
double Proxy::to_float(Where where) const { return tracer_of(*this).float_of(*this, where); }

// ---------------------------------------------------------------- operators

namespace {

Proxy binary(std::string_view name, const Operand& a, const Operand& b, Where where) {
  TracerBase* tracer = a.tracer() ? a.tracer() : b.tracer();
  FX_CHECK(tracer != nullptr, "an operator requires a Proxy with a value");
  if (!tracer->status().ok()) return Proxy::failed(*tracer);
  const Argument args[] = {a.value(), b.value()};
  return tracer->record_operator(name, args, where);
}
Proxy unary(std::string_view name, const ProxyAt& a) {
  if (!has_value(a.value(), a.where())) return Proxy::failed(*a.value().tracer());
  const Argument args[] = {Argument(a.value().node())};
  return a.value().tracer()->record_operator(name, args, a.where());
}

}  // namespace

// The compound form changes the variable, not the tensor.
#define FX_BINARY_OPERATOR(symbol, name)                        \
  Proxy operator symbol(const Proxy& a, const OperandAt& b) {   \
    return binary(name, OperandAt(a, b.where()), b, b.where()); \
  }                                                             \
  Proxy operator symbol(const NumberAt& a, const Proxy& b) {    \
    return binary(name, a, OperandAt(b, a.where()), a.where()); \
  }
#define FX_ARITHMETIC_OPERATOR(symbol, name) \
  FX_BINARY_OPERATOR(symbol, name)           \
  Proxy& Proxy::operator symbol##=(const OperandAt & other)& { return *this = *this symbol other; }
FX_ARITHMETIC_OPERATOR(+, "add")
FX_ARITHMETIC_OPERATOR(-, "sub")
FX_ARITHMETIC_OPERATOR(*, "mul")
FX_ARITHMETIC_OPERATOR(/, "truediv")
FX_ARITHMETIC_OPERATOR(%, "mod")
FX_ARITHMETIC_OPERATOR(&, "and_")
FX_ARITHMETIC_OPERATOR(|, "or_")
FX_ARITHMETIC_OPERATOR(^, "xor")
FX_ARITHMETIC_OPERATOR(<<, "lshift")
FX_ARITHMETIC_OPERATOR(>>, "rshift")
FX_BINARY_OPERATOR(<, "lt")
FX_BINARY_OPERATOR(<=, "le")
FX_BINARY_OPERATOR(>, "gt")
FX_BINARY_OPERATOR(>=, "ge")
#undef FX_ARITHMETIC_OPERATOR
#undef FX_BINARY_OPERATOR

OperandAt::OperandAt(const Proxy& value, Where where) : Operand(value, false), where_(where) {}

Proxy operator==(const OperandAt& a, const OperandAt& b) { return binary("eq", a, b, b.where()); }
Proxy operator!=(const OperandAt& a, const OperandAt& b) { return binary("ne", a, b, b.where()); }
Proxy operator-(const ProxyAt& a) { return unary("neg", a); }
Proxy operator+(const ProxyAt& a) { return unary("pos", a); }
Proxy operator~(const ProxyAt& a) { return unary("invert", a); }
Proxy floordiv(const OperandAt& a, const OperandAt& b) {
  return binary("floordiv", a, b, b.where());
}
Proxy power(const OperandAt& a, const OperandAt& b) { return binary("pow", a, b, b.where()); }
Proxy matmul_operator(const OperandAt& a, const OperandAt& b) {
  return binary("matmul", a, b, b.where());
}

}  // namespace fx
