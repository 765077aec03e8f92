// Type functions for Python's operators on sizes, lists and tensors, and functions that return
// properties of tensors.
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/symbolic/number_functions.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

namespace fx::shape {
namespace {

// ---------------------------------------------------------------- numbers as expressions

std::optional<SymExpr> expr_of(TypeCall& c, int i) {
  SymExprTable& exprs = c.context().exprs();
  const TypeArgument& a = c.argument(i);
  const Type type = a.type();
  if (type) {
    const bool is_number = type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kBool;
    if (is_number && type.is_symbolic()) return type.expr();
    if (type.kind() == TypeKind::kBool && type.is_constant())
      return exprs.boolean(type.bool_value());
    if (type.kind() == TypeKind::kFloat && type.is_constant())
      return exprs.real(type.float_value());
  }
  if (a.kind() == ArgumentKind::kBool) return exprs.boolean(*a.as_bool());
  if (const auto dim = a.as_dim()) return dim->is_int() ? exprs.integer(dim->value()) : dim->expr();
  if (a.kind() == ArgumentKind::kFloat) return exprs.real(*a.as_float());
  return std::nullopt;
}

Type type_of(TypeCall& c, SymExpr expr) {
  TypeTable& types = c.types();
  if (!expr) return Type();
  if (absl::IsOutOfRange(expr.status())) return Type();  // Python's integers have no limit
  if (expr.is_undefined())
    return c.fail(fmt::format("the result is undefined: {}", std::string(expr.status().message())));
  switch (expr.canonical().kind()) {
    case SymKind::kInt:
      return types.integer(expr.canonical().int_value());
    case SymKind::kFloat:
      return types.floating(expr.canonical().float_value());
    case SymKind::kBool:
      return types.boolean(expr.canonical().int_value() != 0);
    default:
      break;
  }
  switch (expr.value_kind()) {
    case SymValueKind::kInt:
      return types.integer(expr);
    case SymValueKind::kBool:
      return types.boolean(expr);
    case SymValueKind::kFloat:
      return types.floating(expr);
    default:
      return Type();  // an int or a float: the power of an int and an exponent of unknown sign
  }
}

/// Returns the type of an operation on one or two tensors, or on a tensor and a number.
Type tensor_operation(TypeCall& c, const NumberFunction& function) {
  for (int i = 0; i < function.max_operands; ++i) {
    const Type operand = c.tensor(i);
    const bool is_known = !operand.is_tensor() || (operand.has_strides() && operand.has_rank() &&
                                                   operand.dtype() != DType::kUndefined);
    if (!is_known) return Type();
  }
  if (function.max_operands == 1) return elementwise(c, c.tensor(0).dtype(), {c.tensor(0)});
  const bool is_power = function.name == "operator.pow";
  Promotion promotion;
  Type operands[2];
  for (int i = 0; i < 2; ++i) {
    operands[i] = c.tensor(i).is_tensor() ? c.tensor(i) : Type();
    if (operands[i]) {
      promotion.add_tensor(operands[i]);
      continue;
    }
    promotion.add_number(c.scalar_dtype(i));
    // libtorch converts the number to a 0-dimensional tensor, except for powers.
    if (!is_power) operands[i] = c.result(c.scalar_dtype(i), absl::Span<const Dim>());
  }
  DType common = promotion.result();
  if (function.result == NumberFunction::kFloat) common = float_of(common);
  const bool is_number_first = !c.tensor(0).is_tensor();
  if (is_power && is_number_first) return c.result(common, c.tensor(1).sizes());  // row-major
  // number / x is x.reciprocal() * number.
  if (is_number_first && function.name == "operator.truediv")
    operands[1] = elementwise(c, common, {operands[1]});
  const bool is_comparison = function.result == NumberFunction::kBool;
  const Type result =
      promoted_elementwise(c, is_comparison ? DType::kBool : common, common, operands);
  if (is_number_first || !c.op().effects().has(ops::Effect::kWritesArguments)) return result;
  // `x += y` returns x. type_by_lowering handles calls that need a cast.
  const Type x = c.tensor(0);
  const bool fits = result.is_tensor() && result.dtype() == x.dtype() &&
                    std::ranges::equal(result.sizes(), x.sizes());
  return fits ? x : Type();
}

/// Returns the type of a list item that is a value or a constant integer; null for other constants.
Type item_type(TypeCall& c, const TypeArgument& item) {
  if (item.type()) return item.type();
  if (const auto dim = item.as_dim())
    return dim->is_int() ? c.types().integer(dim->value()) : c.types().integer(dim->expr());
  return Type();
}

/// Returns the type of a list of these types; null if one of them is null.
Type list_of(TypeCall& c, absl::Span<const Type> items) {
  for (const Type& item : items)
    if (!item) return Type();
  return c.types().list(items);
}

/// Returns the row of an operator in the table of functions on numbers.
const NumberFunction& function_of(const ops::OpInfo& op) {
  static const auto* const kRows = [] {
    auto* rows = new absl::flat_hash_map<const ops::OpInfo*, const NumberFunction*>;
    for (const NumberFunction& function : number_functions())
      if (const ops::OpInfo* built_in = ops::find_op(function.name))
        rows->emplace(built_in, &function);
    for (const auto& [in_place, plain] : in_place_number_functions())
      if (const ops::OpInfo* built_in = ops::find_op(in_place))
        rows->emplace(built_in, find_number_function(plain));
    return rows;
  }();
  const auto row = kRows->find(&op);
  return row != kRows->end() ? *row->second : *find_number_function(op.name());
}

/// True for the power of an integer and a symbolic exponent that is known to be nonnegative: the
/// result is an integer.
bool is_natural_power(TypeCall& c, const NumberFunction& function,
                      absl::Span<const SymExpr> operands) {
  if (function.name != "operator.pow" || operands[1].canonical().is_int()) return false;
  const auto is_integer = [](SymExpr e) { return e.value_kind() == SymValueKind::kInt; };
  return std::ranges::all_of(operands, is_integer) &&
         c.known_less_equal(Dim(0), Dim(operands[1])).value_or(false);
}

/// True for the power of a number and an exponent that is no integer. The result is complex if the
/// number is negative.
bool is_root(const NumberFunction& function, absl::Span<const SymExpr> operands) {
  if (function.name != "operator.pow") return false;
  const SymExpr exponent = operands[1].canonical();
  const SymValueKind kind = exponent.value_kind();
  if (exponent.kind() != SymKind::kFloat)
    return kind != SymValueKind::kInt && kind != SymValueKind::kBool;
  return exponent.float_value() != std::floor(exponent.float_value());
}

/// Returns true for a number that is known to be negative, false for one that is not; nullopt if
/// the sign is unknown.
std::optional<bool> is_negative(TypeCall& c, SymExpr number) {
  const SymExpr e = number.canonical();
  if (e.kind() == SymKind::kInt) return e.int_value() < 0;
  if (e.kind() == SymKind::kFloat) return e.float_value() < 0;
  if (e.value_kind() != SymValueKind::kInt) return std::nullopt;
  const auto known = c.known_less_equal(Dim(0), Dim(number));
  return known ? std::optional(!*known) : std::nullopt;
}

/// True if the expression for a function of floats may have a different value than the function,
/// which rounds the result of each operation: expressions combine the constants of sums and
/// products (n * 0.7 * 10), and cancel equal terms.
bool reorders_floats(const NumberFunction& function, absl::Span<const SymExpr> operands,
                     SymExpr result) {
  const bool is_arithmetic = function.result == NumberFunction::kSame;
  if (!result || !(is_arithmetic || function.result == NumberFunction::kBool)) return false;
  bool has_float = false, has_terms = false, all_constant = true;
  for (const SymExpr& operand : operands) {
    const SymExpr e = operand.canonical();
    const bool is_float =
        e.value_kind() == SymValueKind::kFloat || e.value_kind() == SymValueKind::kReal;
    has_float = has_float || is_float;
    all_constant = all_constant && e.kind() < SymKind::kSymbol;
    has_terms = has_terms || (is_float && (e.kind() == SymKind::kAdd || e.kind() == SymKind::kMul ||
                                           e.kind() == SymKind::kPow));
  }
  if (!has_float || all_constant) return false;
  if (!is_arithmetic) return has_terms;
  const bool is_negation = operands.size() == 1;
  const bool is_constant = result.canonical().kind() < SymKind::kSymbol;
  return (has_terms && !is_negation) || is_constant || result.value_kind() != SymValueKind::kFloat;
}

Type number_function(TypeCall& c) {
  const NumberFunction& function = function_of(c.op());
  absl::InlinedVector<SymExpr, 2> operands;
  bool has_tensor = false;
  for (int i = 0; i < function.max_operands; ++i) has_tensor |= c.tensor(i).is_tensor();
  if (has_tensor) return function.accepts_tensors ? tensor_operation(c, function) : Type();
  for (int i = 0; i < function.max_operands; ++i) {
    const auto operand = expr_of(c, i);
    if (!operand) return Type();
    operands.push_back(*operand);
  }
  SymExprTable& exprs = c.context().exprs();
  if (is_natural_power(c, function, operands))
    return type_of(c, exprs.call("PowByNatural", operands));
  if (is_root(function, operands)) {
    const std::optional<bool> negative = is_negative(c, operands[0]);
    if (!negative) return Type();
    const bool is_known_exponent = operands[1].canonical().kind() == SymKind::kFloat;
    if (*negative) return is_known_exponent ? c.types().complex() : Type();
  }
  const SymExpr expr = function.symbolic(exprs, operands);
  if (reorders_floats(function, operands, expr)) {
    return function.result == NumberFunction::kBool ? c.types().boolean() : c.types().floating();
  }
  return type_of(c, expr);
}

/// a + b: concatenates lists, and adds numbers and tensors.
Type add(TypeCall& c) {
  const TypeArgument &a = c.argument(0), &b = c.argument(1);
  if (!a.is_sequence() || !b.is_sequence()) return number_function(c);
  std::vector<Type> items;
  items.reserve(a.size() + b.size());
  for (size_t i = 0; i < a.size(); ++i) items.push_back(item_type(c, a[i]));
  for (size_t i = 0; i < b.size(); ++i) items.push_back(item_type(c, b[i]));
  return list_of(c, items);
}

// ---------------------------------------------------------------- lists and indexing

bool is_bool(const TypeArgument& value) {
  return value.kind() == ArgumentKind::kBool || value.type().kind() == TypeKind::kBool;
}

/// Returns the type of x[i, a:b, None, ...] for a tensor.
Type index_tensor(TypeCall& c, Type x, const TypeArgument& index) {
  const bool is_tuple = index.is_sequence();
  const size_t count = is_tuple ? index.size() : 1;
  Type result = x;
  int dim = 0;
  for (size_t i = 0; i < count; ++i) {
    const TypeArgument item = is_tuple ? index[i] : index;
    if (item.is_none()) {
      result = unsqueeze(c, result, dim++);
    } else if (item.kind() == ArgumentKind::kEllipsis) {
      size_t num_after = 0;
      for (size_t k = i + 1; k < count; ++k) num_after += !index[k].is_none();
      dim = result.rank() - static_cast<int>(num_after);
    } else if (item.kind() == ArgumentKind::kSlice) {
      const auto bound = [&](size_t k, Dim otherwise) -> std::optional<Dim> {
        return item[k].is_none() ? otherwise : item[k].as_dim();
      };
      const auto start = bound(0, 0), end = bound(1, std::numeric_limits<int64_t>::max());
      const auto step = bound(2, 1);
      if (!start || !end || !step) return Type();  // the item of a tensor, or an unknown number
      result = slice(c, result, dim++, *start, *end, *step);
    } else if (is_bool(item)) {
      return Type();  // adds a dimension
    } else if (const auto position = item.as_dim()) {
      result = select(c, result, dim, *position);
    } else {
      return Type();  // advanced indexing
    }
    if (!result) return Type();
  }
  c.set_alias(0);
  return result;
}

/// Returns the type of Python's items[a:b:step] for a list of known length.
Type slice_list(TypeCall& c, const TypeArgument& value, const TypeArgument& slice) {
  const auto number = [&](size_t k) -> std::optional<int64_t> {
    const auto dim = slice[k].as_dim();
    return dim && dim->is_int() ? std::optional<int64_t>(dim->value()) : std::nullopt;
  };
  const SliceBounds bounds = {number(0), number(1), number(2)};
  for (size_t k = 0; k < 3; ++k)
    if (!slice[k].is_none() && !number(k)) return Type();
  const auto indices = sliced_indices(bounds, static_cast<int64_t>(value.size()));
  if (!indices || bounds.step.value_or(1) < 0) return Type();
  std::vector<Type> items;
  for (const int64_t i : *indices) items.push_back(item_type(c, value[static_cast<size_t>(i)]));
  return list_of(c, items);
}

Type getitem(TypeCall& c) {
  const TypeArgument &value = c.argument(0), &position = c.argument(1);
  const Type type = value.type();
  if (value.is_sequence() && position.kind() == ArgumentKind::kSlice)
    return slice_list(c, value, position);
  // The argument may be any value, so the binder does not reject partially known tensors.
  if (type.is_tensor()) return is_known_tensor(type) ? index_tensor(c, type, position) : Type();
  if (type.kind() == TypeKind::kMap && position.as_string()) {
    for (size_t i = 0; i < type.keys().size(); ++i)
      if (type.keys()[i].str() == *position.as_string()) return type.items()[i];
    return c.fail(fmt::format("the key {} does not exist", *position.as_string()));
  }
  const auto number = position.as_dim();
  if (!number || !number->is_int() || !value.is_sequence()) return Type();
  const auto size = static_cast<int64_t>(value.size());
  const int64_t i = number->value() < 0 ? number->value() + size : number->value();
  if (i < 0 || i >= size)
    return c.fail(fmt::format("list index {} is out of range for {}", number->value(),
                              pluralize(size, "item")));
  return value[static_cast<size_t>(i)].type();
}

// ---------------------------------------------------------------- properties of tensors

Type integer(TypeCall& c, const Dim& dim) {
  return dim.is_int() ? c.types().integer(dim.value()) : c.types().integer(dim.expr());
}

Type size(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0 || x.rank() == 0)
    return c.fail(
        fmt::format("dimension specified as {} but tensor has no dimensions", c.integer(1)));
  return integer(c, x.sizes()[index(dim)]);
}
Type stride(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0 || x.rank() == 0)
    return c.fail(
        fmt::format("dimension specified as {} but tensor has no dimensions", c.integer(1)));
  return integer(c, x.strides()[index(dim)]);
}
Type integers(TypeCall& c, absl::Span<const Dim> dims) {
  absl::InlinedVector<Type, 6> items;
  for (const Dim& dim : dims) items.push_back(integer(c, dim));
  return c.types().list(items);
}
Type sizes(TypeCall& c) { return integers(c, c.tensor(0).sizes()); }
Type strides(TypeCall& c) {
  const DimVector dims = to_vector(c.tensor(0).strides());
  return integers(c, dims);
}
/// _shape_as_tensor(self): the sizes as an integer tensor.
Type shape_tensor(TypeCall& c) { return c.result(DType::kInt64, {Dim(c.tensor(0).rank())}); }
Type element_count(TypeCall& c) { return integer(c, numel(c.tensor(0).sizes())); }
Type storage_offset(TypeCall& c) { return integer(c, c.tensor(0).offset()); }
Type rank_of(TypeCall& c) { return c.types().integer(int64_t{c.tensor(0).rank()}); }

Type contiguity(TypeCall& c) {
  const MemoryFormat format = c.memory_format(1).value_or(MemoryFormat::kContiguous);
  return c.types().boolean(is_contiguous(c.tensor(0), format));
}

/// Returns the type of the first number in a tensor. An integer is a new symbol, which later sizes
/// can use; it may be negative.
Type first_item(TypeCall& c) {
  const Type x = c.tensor(0);
  if (numel(x.sizes()) == Dim(0)) return c.fail("an empty tensor has no items");
  if (x.dtype() == DType::kBool) return c.types().boolean();
  if (is_floating_point(x.dtype())) return c.types().floating();
  if (is_complex(x.dtype())) return c.types().complex();
  const Dim value = c.fresh_size(SymRange{});
  return value.is_symbolic() ? c.types().integer(value.expr()) : c.types().integer();
}
/// item(self): requires one element.
Type item(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!c.guard_equal(numel(x.sizes()), 1))
    return c.fail(fmt::format("item() requires a tensor with one element, not {}", to_string(x)));
  return first_item(c);
}

Type is_equal(TypeCall& c) { return c.types().boolean(); }

constexpr TypeRule kPythonRules[] = {
    {"operator.getitem", getitem},
    {"aten.sym_size.int", size},
    {"aten.size.int", size},
    {"aten.size.default", sizes},
    {"aten.sym_size.default", sizes},
    {"aten._shape_as_tensor.default", shape_tensor},
    {"aten.sym_stride.int", stride},
    {"aten.stride.int", stride},
    {"aten.sym_stride.default", strides},
    {"aten.stride.default", strides},
    {"aten.sym_numel.default", element_count},
    {"aten.numel.default", element_count},
    {"aten.sym_storage_offset.default", storage_offset},
    {"aten.storage_offset.default", storage_offset},
    {"aten.sym_is_contiguous.default", contiguity},
    {"aten.dim.default", rank_of},
    {"aten.item.default", item},
    {"aten._local_scalar_dense.default", first_item},
    {"aten.equal.default", is_equal},
    {"aten.is_nonzero.default", is_equal},
    {"aten.allclose.default", is_equal},
    {"aten.is_complex.default", is_equal},
    {"aten.is_floating_point.default", is_equal},
    {"aten.is_signed.default", is_equal},
    {"aten.is_same_size.default", is_equal},
    {"aten.is_contiguous.default", is_equal},
    {"aten.is_contiguous.memory_format", is_equal},
    {"aten.is_conj.default", is_equal},
    {"aten.is_neg.default", is_equal},
    {"aten.is_inference.default", is_equal},
    {"aten.is_leaf.default", is_equal},
    {"aten.is_pinned.default", is_equal},
    {"aten.is_non_overlapping_and_dense.default", is_equal},
};

}  // namespace

absl::Span<const TypeRule> python_rules() {
  static const auto* const kRules = [] {
    auto* rules = new std::vector<TypeRule>(std::begin(kPythonRules), std::end(kPythonRules));
    const auto add_rule = [&](std::string_view name, const NumberFunction& function) {
      if (function.symbolic == nullptr || ops::find_op(name) == nullptr) return;
      rules->push_back({name, function.name == "operator.add" ? add : number_function});
    };
    for (const NumberFunction& function : number_functions()) add_rule(function.name, function);
    for (const auto& [in_place, plain] : in_place_number_functions())
      add_rule(in_place, *find_number_function(plain));
    return rules;
  }();
  return *kRules;
}

}  // namespace fx::shape
