// TypeCall: see type_call.h.
#include "fx/passes/shape/type_call.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/propagation_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace {

/// True for the type of a computed value that may be an integer.
bool may_be_integer(Type type) { return type.is_tensor() || type.kind() == TypeKind::kInt; }

DType number_dtype_of(Type type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return DType::kBool;
    case TypeKind::kInt:
      return DType::kInt64;
    case TypeKind::kFloat:
      return DType::kFloat32;
    case TypeKind::kComplex:
      return DType::kComplex64;
    default:
      return DType::kUndefined;
  }
}

std::optional<Dim> dim_of(Type type) {
  if (type.kind() == TypeKind::kBool && type.is_constant()) return Dim(type.bool_value());
  if (type.kind() != TypeKind::kInt) return std::nullopt;
  if (type.is_constant()) return Dim(type.int_value());
  if (type.is_symbolic()) return Dim(type.expr());
  return std::nullopt;
}

/// `Value` is Argument or ArgumentRef, which have the same accessors.
template <typename Value>
std::optional<Dim> dim_of_value(const Value& value) {
  switch (value.kind()) {
    case ArgumentKind::kInt:
      return Dim(value.as_int());
    case ArgumentKind::kBool:
      return Dim(int64_t{value.as_bool()});
    case ArgumentKind::kSymbolic:
      return Dim(value.as_symbolic());
    default:
      return std::nullopt;
  }
}

template <typename Value>
std::optional<double> float_of_value(const Value& value) {
  switch (value.kind()) {
    case ArgumentKind::kInt:
      return static_cast<double>(value.as_int());
    case ArgumentKind::kBool:
      return value.as_bool() ? 1.0 : 0.0;
    case ArgumentKind::kFloat:
      return value.as_float();
    default:
      return std::nullopt;
  }
}

DType number_dtype_of(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::kBool:
      return DType::kBool;
    case ArgumentKind::kInt:
    case ArgumentKind::kSymbolic:
      return DType::kInt64;
    case ArgumentKind::kFloat:
      return DType::kFloat32;
    case ArgumentKind::kComplex:
      return DType::kComplex64;
    default:
      return DType::kUndefined;
  }
}

DType symbolic_dtype(SymExpr expr) {
  switch (expr.value_kind()) {
    case SymValueKind::kBool:
      return DType::kBool;
    case SymValueKind::kFloat:
    case SymValueKind::kReal:
      return DType::kFloat32;
    default:
      return DType::kInt64;
  }
}

}  // namespace

// ---------------------------------------------------------------- TypeArgument

TypeArgument::TypeArgument(const Argument& value) : source_(Source::kConstant), constant_(&value) {
  if (value.is_node())
    *this = TypeArgument(value.as_node()->type());
  else if (value.kind() == ArgumentKind::kType)
    *this = TypeArgument(value.as_type());
}

ArgumentKind TypeArgument::kind() const {
  switch (source_) {
    case Source::kNone:
      return ArgumentKind::kNone;
    case Source::kConstant:
      return constant_->kind();
    case Source::kRef:
      return ref_.kind();
    case Source::kType:
      return ArgumentKind::kType;
  }
  return ArgumentKind::kNone;
}

std::optional<bool> TypeArgument::as_bool() const {
  if (source_ == Source::kType) {
    if (type_.kind() == TypeKind::kBool && type_.is_constant()) return type_.bool_value();
    return std::nullopt;
  }
  if (kind() == ArgumentKind::kBool)
    return source_ == Source::kRef ? ref_.as_bool() : constant_->as_bool();
  if (kind() == ArgumentKind::kInt)
    return (source_ == Source::kRef ? ref_.as_int() : constant_->as_int()) != 0;
  return std::nullopt;
}

std::optional<Dim> TypeArgument::as_dim() const {
  switch (source_) {
    case Source::kNone:
      return std::nullopt;
    case Source::kConstant:
      return dim_of_value(*constant_);
    case Source::kRef:
      return dim_of_value(ref_);
    case Source::kType:
      return dim_of(type_);
  }
  return std::nullopt;
}

std::optional<double> TypeArgument::as_float() const {
  switch (source_) {
    case Source::kNone:
      return std::nullopt;
    case Source::kConstant:
      return float_of_value(*constant_);
    case Source::kRef:
      return float_of_value(ref_);
    case Source::kType:
      break;
  }
  if (type_.kind() == TypeKind::kFloat && type_.is_constant()) return type_.float_value();
  if (const auto dim = dim_of(type_); dim && dim->is_int())
    return static_cast<double>(dim->value());
  return std::nullopt;
}

std::optional<std::string_view> TypeArgument::as_string() const {
  if (source_ == Source::kType) {
    if (type_.kind() == TypeKind::kString && type_.is_constant()) return type_.string_value();
    return std::nullopt;
  }
  if (kind() != ArgumentKind::kString) return std::nullopt;
  return source_ == Source::kRef ? ref_.as_string() : constant_->as_string();
}

std::optional<DType> TypeArgument::as_dtype() const {
  if (source_ != Source::kType && kind() == ArgumentKind::kInt)
    return dtype_from_number(source_ == Source::kRef ? ref_.as_int() : constant_->as_int());
  if (kind() != ArgumentKind::kDType) return std::nullopt;
  return source_ == Source::kRef ? ref_.as_dtype() : constant_->as_dtype();
}

std::optional<Device> TypeArgument::as_device() const {
  if (kind() == ArgumentKind::kString) return device_from_name(*as_string());
  if (kind() != ArgumentKind::kDevice) return std::nullopt;
  return source_ == Source::kRef ? ref_.as_device() : constant_->as_device();
}

std::optional<Layout> TypeArgument::as_layout() const {
  if (kind() != ArgumentKind::kLayout) return std::nullopt;
  return source_ == Source::kRef ? ref_.as_layout() : constant_->as_layout();
}

std::optional<MemoryFormat> TypeArgument::as_memory_format() const {
  if (source_ != Source::kType && kind() == ArgumentKind::kInt)
    return memory_format_from_number(source_ == Source::kRef ? ref_.as_int() : constant_->as_int());
  if (kind() != ArgumentKind::kMemoryFormat) return std::nullopt;
  return source_ == Source::kRef ? ref_.as_memory_format() : constant_->as_memory_format();
}

DType TypeArgument::number_dtype() const {
  if (source_ == Source::kType) return number_dtype_of(type_);
  if (kind() == ArgumentKind::kSymbolic)
    return symbolic_dtype(source_ == Source::kRef ? ref_.as_symbolic() : constant_->as_symbolic());
  return number_dtype_of(kind());
}

bool TypeArgument::is_sequence() const {
  if (source_ == Source::kType) return type_.is_list() || type_.is_tuple();
  const ArgumentKind k = kind();
  return k == ArgumentKind::kList || k == ArgumentKind::kTuple || k == ArgumentKind::kStruct;
}

size_t TypeArgument::size() const {
  switch (source_) {
    case Source::kNone:
      return 0;
    case Source::kConstant:
      return constant_->size();
    case Source::kRef:
      return ref_.size();
    case Source::kType:
      return type_.items().size();
  }
  return 0;
}

TypeArgument TypeArgument::operator[](size_t i) const {
  switch (source_) {
    case Source::kNone:
      break;
    case Source::kConstant:
      return TypeArgument((*constant_)[i]);
    case Source::kRef:
      return TypeArgument(ref_[i]);
    case Source::kType:
      return TypeArgument(type_.items()[i]);
  }
  return TypeArgument();
}

// ---------------------------------------------------------------- arguments

TypeTable& TypeCall::types() const { return context_.types(); }

absl::InlinedVector<Type, 4> TypeCall::tensors(int i) {
  absl::InlinedVector<Type, 4> result;
  const TypeArgument& list = argument(i);
  if (!list.is_sequence() && !list.is_none()) {  // a single tensor instead of a list
    result.push_back(list.type());
    return result;
  }
  const size_t count = list.size();
  for (size_t k = 0; k < count; ++k) {
    const TypeArgument item = list[k];
    result.push_back(item.is_none() ? Type() : item.type());
  }
  return result;
}

Dim TypeCall::dim(int i) {
  if (const auto value = argument(i).as_dim()) return *value;
  not_constant(i, may_be_integer(argument(i).type()), "an integer");
  return Dim();
}

void TypeCall::not_constant(int i, bool is_computed, std::string_view expected) {
  unknown_ |= is_computed;
  if (!is_computed) fail_argument(i, expected);
}

int64_t TypeCall::integer(int i) {
  const auto value = argument(i).as_dim();
  if (value && value->is_int()) return value->value();
  not_constant(i, value || may_be_integer(argument(i).type()), "a constant integer");
  return 0;
}

bool TypeCall::boolean(int i) {
  if (const auto value = argument(i).as_bool()) return *value;
  not_constant(i, argument(i).type().kind() == TypeKind::kBool, "a constant bool");
  return false;
}

double TypeCall::number(int i) {
  if (const auto value = argument(i).as_float()) return *value;
  const Type type = argument(i).type();
  const bool is_number = type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kBool;
  not_constant(i, type.is_tensor() || is_number, "a constant number");
  return 0;
}

std::string_view TypeCall::string(int i) {
  if (const auto value = argument(i).as_string()) return *value;
  fail_argument(i, "a string");
  return {};
}

DimVector TypeCall::dims(int i) {
  DimVector result;
  const TypeArgument& list = argument(i);
  if (list.is_none()) return result;
  if (!list.is_sequence()) {
    result.push_back(dim(i));
    return result;
  }
  const size_t count = list.size();
  for (size_t k = 0; k < count; ++k) {
    const TypeArgument item = list[k];
    const auto value = item.as_dim();
    if (!value) not_constant(i, may_be_integer(item.type()), "a list of integers");
    result.push_back(value.value_or(Dim()));
  }
  return result;
}

DimVector TypeCall::dims(int i, size_t count) {
  DimVector result = dims(i);
  if (result.size() == 1) result.resize(count, result[0]);
  if (result.size() == count) return result;
  fail_argument(i, fmt::format("a list of {} integers", count));
  result.resize(count, Dim(1));
  return result;
}

absl::InlinedVector<int64_t, 6> TypeCall::integers(int i) {
  absl::InlinedVector<int64_t, 6> result;
  for (const Dim& dim : dims(i)) {
    if (dim.is_symbolic()) unknown_ = true;
    result.push_back(dim.is_int() ? dim.value() : 0);
  }
  return result;
}

DType TypeCall::dtype_or(int i, DType if_none) {
  if (is_none(i)) return if_none;
  if (const auto value = argument(i).as_dtype()) return *value;
  fail_argument(i, "a dtype");
  return if_none;
}

Device TypeCall::device_or(int i, Device if_none) {
  if (is_none(i)) return if_none;
  if (const auto value = argument(i).as_device()) return *value;
  fail_argument(i, "a device");
  return if_none;
}

std::optional<MemoryFormat> TypeCall::memory_format(int i) {
  if (is_none(i)) return std::nullopt;
  const auto value = argument(i).as_memory_format();
  if (!value) fail_argument(i, "a memory format");
  return value;
}

DType TypeCall::scalar_dtype(int i) {
  const TypeArgument& value = argument(i);
  DType dtype = value.number_dtype();
  if (dtype == DType::kUndefined && value.type().is_tensor()) dtype = value.type().dtype();
  if (dtype != DType::kUndefined) return dtype;
  fail_argument(i, "a number");
  return DType::kFloat32;
}

// ---------------------------------------------------------------- relations

namespace {

/// A relation between sizes, at least one of which may depend on data. Such a relation is never
/// assumed: no input determines the size, so a run could not check the guard before it uses a type
/// that relies on it.
struct DataRelation {
  bool depends_on_data = false;
  std::optional<bool> holds = std::nullopt;
};

DataRelation relation_on_data(SymExprTable& exprs, const ShapeEnv& env, SymKind kind, const Dim& a,
                              const Dim& b) {
  if (!depends_on_data(a) && !depends_on_data(b)) return {};
  const auto expr_of = [&](const Dim& dim) {
    return dim.is_int() ? exprs.integer(dim.value()) : dim.expr();
  };
  return {.depends_on_data = true, .holds = env.known(exprs.compare(kind, expr_of(a), expr_of(b)))};
}

}  // namespace

bool TypeCall::symbolic_equal(const Dim& a, const Dim& b) {
  if (a.is_undefined() || b.is_undefined()) return true;  // the result is also undefined
  if (unknown_ || same_value(a, b)) return true;          // an unknown type requires no guard
  used_env_ = true;
  if (env_) {
    const DataRelation data = relation_on_data(context_.exprs(), *env_, SymKind::kEq, a, b);
    unknown_ |= data.depends_on_data && !data.holds;
    return data.depends_on_data ? data.holds.value_or(true) : env_->guard_equal(a, b);
  }
  const Dim difference = (a - b).canonical();
  return !difference.is_int() || difference.value() == 0;
}

bool TypeCall::symbolic_less_equal(const Dim& a, const Dim& b) {
  if (unknown_ || a.is_undefined() || b.is_undefined()) return true;
  used_env_ = true;
  if (env_) {
    const DataRelation data = relation_on_data(context_.exprs(), *env_, SymKind::kLe, a, b);
    unknown_ |= data.depends_on_data && !data.holds;
    return data.depends_on_data ? data.holds.value_or(true) : env_->guard_less_equal(a, b);
  }
  const Dim difference = (b - a).canonical();
  return !difference.is_int() || difference.value() >= 0;
}

std::optional<bool> TypeCall::known_less_equal(const Dim& a, const Dim& b) {
  if (a.is_int() && b.is_int()) return a.value() <= b.value();
  if (a.is_undefined() || b.is_undefined()) return true;
  if (same_value(a, b)) return true;
  used_env_ = true;
  if (env_) return env_->known_less_equal(a, b);
  const Dim difference = (b - a).canonical();
  if (!difference.is_int()) return std::nullopt;
  return difference.value() >= 0;
}

bool TypeCall::symbolic_is_value(const Dim& size, const Dim& value) {
  if (size.is_undefined() || value.is_undefined()) return false;
  if (same_value(size, value)) return true;
  used_env_ = true;
  if (!env_ || unknown_) return false;
  const DataRelation data = relation_on_data(context_.exprs(), *env_, SymKind::kEq, size, value);
  unknown_ |= data.depends_on_data && !data.holds;
  if (data.depends_on_data) return data.holds.value_or(false);
  return !env_->guard_not_equal(size, value);
}

std::optional<ShapeEnv> TypeCall::env_without_zeros(absl::Span<const Dim> sizes) {
  used_env_ = true;
  if (!env_) return std::nullopt;
  ShapeEnv env = *env_;
  for (const Dim& size : sizes)
    if (size.is_symbolic()) env.set_at_least_one(size.expr());
  return env;
}

Dim TypeCall::fresh_size(SymRange range) {
  created_symbol_ = true;
  if (env_) return env_->fresh_size(range);
  unknown_ = true;
  return Dim(0);
}

// ---------------------------------------------------------------- results

Type TypeCall::result(DType dtype, absl::Span<const Dim> sizes, StrideSpec strides) {
  for (const Dim& size : sizes) {
    if (size.is_int() && size.value() < 0)
      return fail(fmt::format("the result would have a negative size, {}", size.value()));
  }
  const Type type = context_.types().tensor(
      {.dtype = dtype, .sizes = sizes, .strides = strides, .device = device_});
  if (!type) fail("the sizes of the result overflow");
  return type;
}

Type TypeCall::tuple(std::initializer_list<Type> items) {
  for (const Type item : items)
    if (!item) return Type();
  return context_.types().tuple(absl::MakeConstSpan(items.begin(), items.size()));
}

Type TypeCall::none() { return context_.types().none(); }

Type TypeCall::fail(std::string reason) {
  if (!failed_) reason_ = std::move(reason);
  failed_ = true;
  return Type();
}

Type TypeCall::fail_argument(int i, std::string_view expected) {
  const auto arguments = op_.schema().arguments();
  const std::string name = static_cast<size_t>(i) < arguments.size()
                               ? std::string(arguments[static_cast<size_t>(i)].name)
                               : std::to_string(i);
  const TypeArgument& value = argument(i);
  unknown_ = unknown_ || value.is_untyped();
  for (size_t k = 0; value.is_sequence() && k < value.size(); ++k)
    unknown_ = unknown_ || value[k].is_untyped();
  std::string given =
      value.type() ? to_string(value.type()) : std::string(argument_kind_name(value.kind()));
  if (!value.type() && value.is_sequence())
    given += fmt::format(" of {}", pluralize(value.size(), "item"));
  return fail(fmt::format("argument {} must be {}, not {}", name, expected, given));
}

}  // namespace fx
