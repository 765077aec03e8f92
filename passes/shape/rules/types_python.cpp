// Type functions of Python's operators on sizes, lists and tensors, and of what asks tensors.
#include "fx/ir/graph/context.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
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
  if (expr.is_undefined())
    return c.fail(
        fmt::format("the result is not defined: {}", std::string(expr.status().message())));
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
    default:
      return types.floating(expr);
  }
}

bool is_float(SymExpr e) {
  return e.value_kind() == SymValueKind::kFloat || e.value_kind() == SymValueKind::kReal;
}

enum class Operation {
  kAdd,
  kSub,
  kMul,
  kTrueDiv,
  kFloorDiv,
  kMod,
  kPow,
  kMin,
  kMax,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe
};

bool is_comparison(Operation op) { return op >= Operation::kEq; }

SymExpr apply(SymExprTable& exprs, Operation op, SymExpr a, SymExpr b) {
  const SymExpr both[] = {a, b};
  const bool floats = is_float(a) || is_float(b);
  switch (op) {
    case Operation::kAdd:
      return exprs.add(a, b);
    case Operation::kSub:
      return exprs.sub(a, b);
    case Operation::kMul:
      return exprs.mul(a, b);
    case Operation::kTrueDiv:
      return exprs.call(floats ? "FloatTrueDiv" : "IntTrueDiv", both);
    case Operation::kFloorDiv:
      return exprs.floor_div(a, b);
    case Operation::kMod:
      return exprs.mod(a, b);
    case Operation::kPow:
      return exprs.pow(a, b);
    case Operation::kMin:
      return exprs.min(a, b);
    case Operation::kMax:
      return exprs.max(a, b);
    case Operation::kEq:
      return exprs.compare(SymKind::kEq, a, b);
    case Operation::kNe:
      return exprs.compare(SymKind::kNe, a, b);
    case Operation::kLt:
      return exprs.compare(SymKind::kLt, a, b);
    case Operation::kLe:
      return exprs.compare(SymKind::kLe, a, b);
    case Operation::kGt:
      return exprs.compare(SymKind::kGt, a, b);
    case Operation::kGe:
      return exprs.compare(SymKind::kGe, a, b);
  }
  return SymExpr();
}

/// Of tensors, perhaps with a number.
Type tensor_operation(TypeCall& c, Operation op) {
  Promotion promotion;
  Type operands[2];
  for (int i = 0; i < 2; ++i) {
    operands[i] = c.tensor(i).is_tensor() ? c.tensor(i) : Type();
    if (operands[i])
      promotion.add_tensor(operands[i]);
    else
      promotion.add_number(c.scalar_dtype(i));
  }
  DType common = promotion.result();
  if (op == Operation::kTrueDiv) common = float_of(common);
  return promoted_elementwise(c, is_comparison(op) ? DType::kBool : common, common, operands);
}

/// The type of an item of a list: of what is constant too.
Type item_type(TypeCall& c, const TypeArgument& item) {
  if (item.type()) return item.type();
  if (const auto dim = item.as_dim())
    return dim->is_int() ? c.types().integer(dim->value()) : c.types().integer(dim->expr());
  return Type();
}

/// A list of these; unknown when one is.
Type list_of(TypeCall& c, absl::Span<const Type> items) {
  for (const Type& item : items)
    if (!item) return Type();
  return c.types().list(items);
}

template <Operation op>
Type binary(TypeCall& c) {
  if constexpr (op == Operation::kAdd) {
    const TypeArgument &a = c.argument(0), &b = c.argument(1);
    if (a.is_sequence() && b.is_sequence()) {
      std::vector<Type> items;
      items.reserve(a.size() + b.size());
      for (size_t i = 0; i < a.size(); ++i) items.push_back(item_type(c, a[i]));
      for (size_t i = 0; i < b.size(); ++i) items.push_back(item_type(c, b[i]));
      return list_of(c, items);
    }
  }
  if (c.tensor(0).is_tensor() || c.tensor(1).is_tensor()) return tensor_operation(c, op);
  const auto a = expr_of(c, 0), b = expr_of(c, 1);
  if (!a || !b) return Type();
  return type_of(c, apply(c.context().exprs(), op, *a, *b));
}

Type negative(TypeCall& c) {
  if (c.tensor(0).is_tensor()) return elementwise(c, c.tensor(0).dtype(), {c.tensor(0)});
  const auto a = expr_of(c, 0);
  return a ? type_of(c, c.context().exprs().neg(*a)) : Type();
}

/// A function that sympy knows by this name.
Type call_named(TypeCall& c, std::string_view name) {
  const auto a = expr_of(c, 0);
  if (!a) return Type();
  const SymExpr args[] = {*a};
  return type_of(c, c.context().exprs().call(name, args));
}
Type sym_float(TypeCall& c) { return call_named(c, "ToFloat"); }
Type sym_sqrt(TypeCall& c) {
  const auto a = expr_of(c, 0);
  if (!a) return Type();
  SymExprTable& exprs = c.context().exprs();
  const SymExpr number[] = {*a};
  const SymExpr real[] = {is_float(*a) ? *a : exprs.call("ToFloat", number)};
  return type_of(c, exprs.call("OpaqueUnaryFn_sqrt", real));
}
Type trunc(TypeCall& c) {
  const auto a = expr_of(c, 0);
  if (a && !is_float(*a)) return type_of(c, *a);
  return call_named(c, "TruncToInt");
}
Type floor(TypeCall& c) {
  const auto a = expr_of(c, 0);
  if (a && !is_float(*a)) return type_of(c, *a);
  return call_named(c, "FloorToInt");
}
Type ceil(TypeCall& c) {
  const auto a = expr_of(c, 0);
  if (a && !is_float(*a)) return type_of(c, *a);
  return call_named(c, "CeilToInt");
}
Type sym_not(TypeCall& c) {
  const auto a = expr_of(c, 0);
  return a ? type_of(c, c.context().exprs().logical_not(*a)) : Type();
}

// ---------------------------------------------------------------- lists and indexing

/// x[i, a:b, None, ...] of a tensor.
Type index_tensor(TypeCall& c, Type x, const TypeArgument& index) {
  const bool many = index.is_sequence();
  const size_t count = many ? index.size() : 1;
  Type result = x;
  int dim = 0;
  for (size_t i = 0; i < count; ++i) {
    const TypeArgument item = many ? index[i] : index;
    if (item.is_none()) {
      result = unsqueeze(c, result, dim++);
    } else if (item.kind() == ArgumentKind::kEllipsis) {
      size_t behind = 0;
      for (size_t k = i + 1; k < count; ++k) behind += !index[k].is_none();
      dim = result.rank() - static_cast<int>(behind);
    } else if (item.kind() == ArgumentKind::kSlice) {
      const auto bound = [&](size_t k, Dim otherwise) {
        return item[k].is_none() ? otherwise : item[k].as_dim().value_or(otherwise);
      };
      result = slice(c, result, dim++, bound(0, 0), bound(1, std::numeric_limits<int64_t>::max()),
                     bound(2, 1));
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

/// Python's items[a:b:step], of a list whose length is known.
Type slice_list(TypeCall& c, const TypeArgument& value, const TypeArgument& slice) {
  const auto size = static_cast<int64_t>(value.size());
  const auto bound = [&](size_t k, int64_t otherwise) -> std::optional<int64_t> {
    if (slice[k].is_none()) return otherwise;
    const auto at = slice[k].as_dim();
    if (!at || !at->is_int()) return std::nullopt;
    return std::clamp<int64_t>(at->value() < 0 ? at->value() + size : at->value(), 0, size);
  };
  const auto first = bound(0, 0), end = bound(1, size);
  const auto step = slice[2].is_none() ? std::optional<Dim>(1) : slice[2].as_dim();
  if (!first || !end || !step || !step->is_int() || step->value() <= 0) return Type();
  std::vector<Type> items;
  for (int64_t i = *first; i < *end; i += std::min(step->value(), size))
    items.push_back(item_type(c, value[static_cast<size_t>(i)]));
  return list_of(c, items);
}

Type getitem(TypeCall& c) {
  const TypeArgument &value = c.argument(0), &position = c.argument(1);
  const Type type = value.type();
  if (value.is_sequence() && position.kind() == ArgumentKind::kSlice)
    return slice_list(c, value, position);
  if (type.is_tensor()) return index_tensor(c, type, position);
  if (type.kind() == TypeKind::kMap && position.as_string()) {
    for (size_t i = 0; i < type.keys().size(); ++i)
      if (type.keys()[i].str() == *position.as_string()) return type.items()[i];
    return c.fail(fmt::format("there is no key {}", *position.as_string()));
  }
  const auto number = position.as_dim();
  if (!number || !number->is_int() || !value.is_sequence()) return Type();
  const auto size = static_cast<int64_t>(value.size());
  const int64_t i = number->value() < 0 ? number->value() + size : number->value();
  if (i < 0 || i >= size) return c.fail(fmt::format("item {} of {}", number->value(), size));
  return value[static_cast<size_t>(i)].type();
}

// ---------------------------------------------------------------- asking tensors

Type integer(TypeCall& c, const Dim& dim) {
  return dim.is_int() ? c.types().integer(dim.value()) : c.types().integer(dim.expr());
}

Type size(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0 || x.rank() == 0) return c.fail("a tensor without dimensions has no size");
  return integer(c, x.sizes()[index(dim)]);
}
Type stride(TypeCall& c) {
  const Type x = c.tensor(0);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0 || x.rank() == 0) return c.fail("a tensor without dimensions has no stride");
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
/// The sizes as a tensor.
Type shape_tensor(TypeCall& c) { return c.result(DType::kInt64, {Dim(c.tensor(0).rank())}); }
Type element_count(TypeCall& c) { return integer(c, numel(c.tensor(0).sizes())); }
Type storage_offset(TypeCall& c) { return integer(c, c.tensor(0).offset()); }
Type rank_of(TypeCall& c) { return c.types().integer(int64_t{c.tensor(0).rank()}); }

Type contiguity(TypeCall& c) {
  const MemoryFormat format = c.memory_format(1).value_or(MemoryFormat::kContiguous);
  return c.types().boolean(is_contiguous(c.tensor(0), format));
}

/// The number in a tensor of one element: of integers a symbol, which later sizes may be made of.
Type item(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!c.guard_equal(numel(x.sizes()), 1)) return c.fail(fmt::format("item() of {}", to_string(x)));
  if (x.dtype() == DType::kBool) return c.types().boolean();
  if (is_floating_point(x.dtype())) return c.types().floating();
  if (is_complex(x.dtype())) return c.types().complex();
  const Dim value = c.fresh_size();
  return value.is_symbolic() ? c.types().integer(value.expr()) : c.types().integer();
}

Type is_equal(TypeCall& c) { return c.types().boolean(); }

constexpr TypeRule kPythonRules[] = {
    {"operator.add", binary<Operation::kAdd>},
    {"operator.iadd", binary<Operation::kAdd>},
    {"operator.sub", binary<Operation::kSub>},
    {"operator.isub", binary<Operation::kSub>},
    {"operator.mul", binary<Operation::kMul>},
    {"operator.imul", binary<Operation::kMul>},
    {"operator.truediv", binary<Operation::kTrueDiv>},
    {"operator.floordiv", binary<Operation::kFloorDiv>},
    {"operator.mod", binary<Operation::kMod>},
    {"operator.pow", binary<Operation::kPow>},
    {"operator.eq", binary<Operation::kEq>},
    {"operator.ne", binary<Operation::kNe>},
    {"operator.lt", binary<Operation::kLt>},
    {"operator.le", binary<Operation::kLe>},
    {"operator.gt", binary<Operation::kGt>},
    {"operator.ge", binary<Operation::kGe>},
    {"operator.neg", negative},
    {"operator.getitem", getitem},
    {"torch.sym_max", binary<Operation::kMax>},
    {"torch.sym_min", binary<Operation::kMin>},
    {"torch.sym_float", sym_float},
    {"torch.sym_int", trunc},
    {"torch.sym_not", sym_not},
    {"torch.sym_sqrt", sym_sqrt},
    {"torch._sym_sqrt", sym_sqrt},
    {"math.trunc", trunc},
    {"math.floor", floor},
    {"math.ceil", ceil},
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
    {"aten._local_scalar_dense.default", item},
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

absl::Span<const TypeRule> python_rules() { return kPythonRules; }

}  // namespace fx::shape
