// Elementwise arithmetic, comparisons and conversions.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <algorithm>
#include <limits>

namespace fx::onnx::reader {
namespace {

// ---- Arithmetic on sizes, before the graph runs.

/// The operands of a binary operator, if both are known.
struct KnownPair {
  Sizes a, b;
  bool is_scalar;
  DType dtype;
};

std::optional<KnownPair> known_pair(Call& c, size_t first = 0) {
  std::optional<Sizes> a = c.known_sizes(first), b = c.known_sizes(first + 1);
  if (!a || !b) return std::nullopt;
  const Value& left = c.value(first);
  const Value& right = c.value(first + 1);
  if (left.dtype != right.dtype) return std::nullopt;
  const size_t size = a->size() == 1 ? b->size() : a->size();
  if ((a->size() != size && a->size() != 1) || (b->size() != size && b->size() != 1))
    return std::nullopt;
  if (a->size() != size) a->assign(size, Argument((*a)[0]));
  if (b->size() != size) b->assign(size, Argument((*b)[0]));
  return KnownPair{*std::move(a), *std::move(b), left.is_scalar && right.is_scalar, left.dtype};
}

/// Returns true for constants and symbolic integers that are known to be at least 0.
bool is_at_least_zero(Call& c, const Argument& value) {
  if (value.is_int()) return value.as_int() >= 0;
  const Type type = value.is_node() ? value.node()->type() : Type();
  if (type.kind() != TypeKind::kInt || !type.is_symbolic()) return false;
  const std::optional<int64_t> min_value = c.reader().env().range(type.expr()).min;
  return min_value.has_value() && *min_value >= 0;
}

using SizeFunction = Argument (Call::*)(const Argument&, const Argument&);

bool compute_sizes(Call& c, SizeFunction function) {
  const std::optional<KnownPair> known = known_pair(c);
  if (!known) return false;
  Sizes results;
  for (size_t i = 0; i < known->a.size(); ++i)
    results.push_back((c.*function)(known->a[i], known->b[i]));
  c.result_sizes(results, known->is_scalar, known->dtype);
  return true;
}

void add(Call& c) {
  if (!compute_sizes(c, &Call::add)) c.result(on_inputs(c, "aten.add.Tensor"));
}
void sub(Call& c) {
  if (!compute_sizes(c, &Call::sub)) c.result(on_inputs(c, "aten.sub.Tensor"));
}
void mul(Call& c) {
  if (!compute_sizes(c, &Call::mul)) c.result(on_inputs(c, "aten.mul.Tensor"));
}

bool is_uint64(Call& c, Val x) { return c.dtype(x) == DType::kUInt64; }

/// Integer division rounds toward zero.
void div(Call& c) {
  if (const std::optional<KnownPair> known = known_pair(c)) {
    bool fits = true;
    for (size_t i = 0; i < known->a.size(); ++i) {
      fits &= is_at_least_zero(c, known->a[i]) && known->b[i].is_int() && known->b[i].as_int() > 0;
    }
    if (fits) {
      compute_sizes(c, &Call::floor_div);
      return;
    }
  }
  const Val a = c.in(0), b = c.in(1);
  if (is_floating_point(c.dtype(a))) return c.result(c.op("aten.div.Tensor", {a, b}));
  if (is_uint64(c, a)) return c.fail("division of uint64 is not supported");
  c.result(on_integers(c, "aten.div.Tensor_mode", a, b, {{"rounding_mode", "trunc"}}));
}

/// Computes remainders of constants. The dividends must be nonnegative, and the divisors positive.
bool remainder_of_sizes(Call& c) {
  const std::optional<KnownPair> known = known_pair(c);
  if (!known) return false;
  Sizes results;
  for (size_t i = 0; i < known->a.size(); ++i) {
    const Argument &a = known->a[i], &b = known->b[i];
    if (!a.is_int() || !b.is_int() || a.as_int() < 0 || b.as_int() <= 0) return false;
    results.emplace_back(a.as_int() % b.as_int());
  }
  c.result_sizes(results, known->is_scalar, known->dtype);
  return true;
}

void mod(Call& c) {
  const bool is_fmod = c.flag("fmod");
  if (remainder_of_sizes(c)) return;
  const Val a = c.in(0), b = c.in(1);
  if (!is_fmod && is_floating_point(c.dtype(a)))
    return c.fail_invalid("Mod requires fmod=1 for floating-point numbers");
  if (is_uint64(c, a)) return c.fail("the remainder of uint64 is not supported");
  c.result(on_integers(c, is_fmod ? "aten.fmod.Tensor" : "aten.remainder.Tensor", a, b));
}

/// Converts Pow. The result has the type of the base.
void pow(Call& c) {
  const Val base = c.in(0);
  const auto exponent = c.constant_reals(1);
  if (exponent && exponent->size() == 1 && is_floating_point(c.dtype(base)) &&
      c.rank(c.in(1)) <= c.rank(base))
    return c.result(c.op("aten.pow.Tensor_Scalar", {base, (*exponent)[0]}));
  if (is_uint64(c, base) || is_uint64(c, c.in(1)))
    return c.fail("powers of uint64 are not supported");
  const Val y = c.op("aten.pow.Tensor_Tensor", {as_signed(c, base), as_signed(c, c.in(1))});
  c.result(c.cast(y, c.dtype(base)));
}

/// Combines all inputs with a binary operator.
Val fold(Call& c, std::string_view target) {
  Val all = c.in(0);
  for (size_t i = 1; i < c.num_inputs(); ++i) all = on_integers(c, target, all, c.in(i));
  return all;
}
void extremum(Call& c, std::string_view target) {
  if (is_uint64(c, c.in(0))) return c.fail("the maximum or minimum of uint64 is not supported");
  c.result(fold(c, target));
}
void max(Call& c) { extremum(c, "aten.maximum.default"); }
void min(Call& c) { extremum(c, "aten.minimum.default"); }
void sum(Call& c) { c.result(fold(c, "aten.add.Tensor")); }
void mean(Call& c) {
  const Val all = fold(c, "aten.add.Tensor");
  c.result(c.op("aten.div.Tensor", {all, static_cast<double>(c.num_inputs())}));
}

void bit_shift(Call& c) {
  const std::string direction = c.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return c.fail_invalid("direction must be LEFT or RIGHT");
  c.result(c.op(
      direction == "LEFT" ? "aten.bitwise_left_shift.Tensor" : "aten.bitwise_right_shift.Tensor",
      {c.in(0), c.in(1)}));
}
void bitwise_and(Call& c) { c.result(on_inputs(c, "aten.bitwise_and.Tensor")); }
void bitwise_or(Call& c) { c.result(on_inputs(c, "aten.bitwise_or.Tensor")); }
void bitwise_xor(Call& c) { c.result(on_inputs(c, "aten.bitwise_xor.Tensor")); }

void neg(Call& c) {
  if (const auto known = c.known_sizes(0)) {
    Sizes results;
    for (const Argument& size : *known) results.push_back(c.sub(0, size));
    return c.result_sizes(results, c.value(0).is_scalar, c.value(0).dtype);
  }
  c.result(c.op("aten.neg.default", {c.in(0)}));
}

/// Converts Sign. As in NumPy, the sign of NaN is NaN.
void sign(Call& c) {
  const Val x = c.in(0);
  const Val sign = c.op("aten.sign.default", {x});
  if (!is_floating_point(c.dtype(x))) return c.result(sign);
  c.result(c.op("aten.where.self", {c.op("aten.isnan.default", {x}), x, sign}));
}

void is_inf(Call& c) {
  const Val x = c.in(0);
  const bool negative = c.flag("detect_negative", true), positive = c.flag("detect_positive", true);
  if (negative && positive) return c.result(c.op("aten.isinf.default", {x}));
  if (!negative && !positive)
    return c.result(c.op("aten.zeros_like.default", {x}, {{"dtype", DType::kBool}}));
  c.result(c.op(positive ? "aten.isposinf.default" : "aten.isneginf.default", {x}));
}

// ---- Comparisons

/// Compares sizes. Returns nullopt if the result is unknown, that is, unless both sizes are
/// constants or the same node, or a size that is at least 0 is compared with a negative constant.
std::optional<bool> equal_sizes(Call& c, const Argument& a, const Argument& b) {
  if (a.is_int() && b.is_int()) return a.as_int() == b.as_int();
  if (a.is_node() && b.is_node() && a.node() == b.node()) return true;
  const Argument& size = a.is_int() ? b : a;
  const Argument& constant = a.is_int() ? a : b;
  if (constant.is_int() && constant.as_int() < 0 && is_at_least_zero(c, size)) return false;
  return std::nullopt;
}

/// Sets the result to a constant with these bools, 0-dimensional if `is_scalar`, otherwise
/// 1-dimensional.
bool result_bools(Call& c, const std::vector<Argument>& items, bool is_scalar) {
  Ints sizes;
  if (!is_scalar) sizes.push_back(static_cast<int64_t>(items.size()));
  absl::StatusOr<Tensor> tensor_value = Tensor::from_elements(DType::kBool, sizes, items);
  if (!tensor_value.ok()) return false;
  c.result_constant(*std::move(tensor_value));
  return true;
}

bool compare_equal(Call& c) {
  const std::optional<KnownPair> known = known_pair(c);
  if (!known) return false;
  std::vector<Argument> results;
  for (size_t i = 0; i < known->a.size(); ++i) {
    const std::optional<bool> item = equal_sizes(c, known->a[i], known->b[i]);
    if (!item) return false;
    results.emplace_back(*item);
  }
  return result_bools(c, results, known->is_scalar);
}

void equal(Call& c) {
  if (!compare_equal(c)) c.result(c.op("aten.eq.Tensor", {c.in(0), c.in(1)}));
}

/// A constant bool tensor with at most one dimension.
struct KnownBools {
  std::vector<bool> items;
  bool is_scalar;
};

std::optional<KnownBools> known_bools(Call& c, size_t i) {
  constexpr int64_t kMaxBools = 1024;
  if (!c.has(i) || !c.value(i).constant.defined()) return std::nullopt;
  const Tensor tensor = c.value(i).constant;
  if (tensor.dtype() != DType::kBool || tensor.sizes().size() > 1 ||
      tensor.num_elements() > kMaxBools)
    return std::nullopt;
  KnownBools known{.items = {}, .is_scalar = tensor.sizes().empty()};
  for (int64_t k = 0; k < tensor.num_elements(); ++k)
    known.items.push_back(tensor.element(k).as_bool());
  return known;
}

/// Compares constants.
bool compare_constants(Call& c, bool (*compare)(int64_t, int64_t)) {
  const std::optional<KnownPair> known = known_pair(c);
  if (!known) return false;
  std::vector<Argument> results;
  for (size_t i = 0; i < known->a.size(); ++i) {
    if (!known->a[i].is_int() || !known->b[i].is_int()) return false;
    results.emplace_back(compare(known->a[i].as_int(), known->b[i].as_int()));
  }
  return result_bools(c, results, known->is_scalar);
}

/// Combines constant bools. `combine` is called with an item of each input.
bool combine_bools(Call& c, bool (*combine)(bool, bool)) {
  const std::optional<KnownBools> a = known_bools(c, 0);
  const std::optional<KnownBools> b = c.num_inputs() == 1 ? a : known_bools(c, 1);
  if (!a || !b) return false;
  const size_t n = a->items.size(), m = b->items.size(), size = n == 1 ? m : n;
  if ((n != size && n != 1) || (m != size && m != 1)) return false;
  std::vector<Argument> results;
  results.reserve(size);
  for (size_t i = 0; i < size; ++i)
    results.emplace_back(combine(a->items[n == 1 ? 0 : i], b->items[m == 1 ? 0 : i]));
  return result_bools(c, results, a->is_scalar && b->is_scalar);
}

/// Selects sizes using a constant condition.
bool where_sizes(Call& c) {
  const std::optional<KnownBools> condition = known_bools(c, 0);
  const std::optional<KnownPair> known = known_pair(c, 1);
  if (!known || !condition) return false;
  const size_t count = condition->items.size(), size = known->a.size();
  if (count != size && count != 1) return false;
  Sizes results;
  for (size_t i = 0; i < size; ++i)
    results.push_back(condition->items[count == 1 ? 0 : i] ? known->a[i] : known->b[i]);
  c.result_sizes(results, known->is_scalar && condition->is_scalar, known->dtype);
  return true;
}

void where(Call& c) {
  if (!where_sizes(c)) c.result(c.op("aten.where.self", {c.in(0), c.in(1), c.in(2)}));
}

// ---- Conversions

DType requested_dtype(Call& c) {
  const auto type = static_cast<DataType>(static_cast<int32_t>(c.integer("to", 0)));
  const DType dtype = dtype_of(type);
  if (dtype == DType::kUndefined) c.fail(data_type_name(type) + " elements are not supported");
  return dtype;
}

/// Conversions to float8 saturate at the largest number, unless the attribute `saturate` is 0.
bool is_float8(DType dtype) { return is_floating_point(dtype) && dtype_item_size(dtype) == 1; }

Val convert(Call& c, Val x, DType dtype, bool saturate) {
  if (is_float8(dtype) && saturate) c.fail("saturating conversions to float8 are not supported");
  return c.cast(x, dtype);
}

void cast(Call& c) {
  const DType dtype = requested_dtype(c);
  const bool saturate = c.flag("saturate", true);
  const bool is_index = dtype == DType::kInt64 || dtype == DType::kInt32;
  if (const auto known = c.known_sizes(0); known && is_index)
    return c.result_sizes(*known, c.value(0).is_scalar, dtype);
  if (const auto known = c.constant_ints(0);
      known && c.value(0).constant.defined() && is_floating_point(dtype)) {
    std::vector<Argument> items(known->begin(), known->end());
    const Tensor from = c.value(0).constant;
    absl::StatusOr<Tensor> tensor_value = Tensor::from_elements(dtype, from.sizes(), items);
    if (tensor_value.ok()) return c.result_constant(*std::move(tensor_value));
  }
  const Val x = c.in(0);
  if (c.dtype(x) == dtype) return c.result_same(0, c.value(0));
  c.result(convert(c, x, dtype, saturate));
}

void cast_like(Call& c) {
  const bool saturate = c.flag("saturate", true);
  const DType dtype = c.dtype(c.in(1));
  const Val x = c.in(0);
  if (c.dtype(x) == dtype) return c.result_same(0, c.value(0));
  c.result(convert(c, x, dtype, saturate));
}

void identity(Call& c) { c.result_same(0, c.value(0)); }

/// Converts Clip. The limits are attributes before opset 11, and inputs since opset 11.
void clip(Call& c) {
  const Val x = c.in(0);
  if (c.opset() < 11) {
    constexpr double kMaxFloat = std::numeric_limits<float>::max();
    return c.result(
        c.op("aten.clamp.default", {x, c.real("min", -kMaxFloat), c.real("max", kMaxFloat)}));
  }
  const auto limit = [&](size_t i) -> Argument {
    if (!is_floating_point(c.dtype(x))) {
      const auto integers = c.constant_ints(i);
      return integers && integers->size() == 1 ? Argument((*integers)[0]) : Argument();
    }
    const auto real = c.constant_reals(i);
    return real && real->size() == 1 ? Argument((*real)[0]) : Argument();
  };
  if (!c.has(1) && !c.has(2)) return c.result_same(0, c.value(0));
  const Argument low = limit(1), high = limit(2);
  if (low.is_none() == !c.has(1) && high.is_none() == !c.has(2))
    return c.result(c.op("aten.clamp.default", {x, low, high}));
  c.result(c.op("aten.clamp.Tensor", {x, c.optional(1), c.optional(2)}));
}

}  // namespace

bool compute_test(Call& c) {
  const std::string_view name = c.proto().op_type;
  if (name == "Not") return combine_bools(c, [](bool a, bool) { return !a; });
  if (name == "And") return combine_bools(c, [](bool a, bool b) { return a && b; });
  if (name == "Or") return combine_bools(c, [](bool a, bool b) { return a || b; });
  if (name == "Xor") return combine_bools(c, [](bool a, bool b) { return a != b; });
  if (name == "Less") return compare_constants(c, [](int64_t a, int64_t b) { return a < b; });
  if (name == "Greater") return compare_constants(c, [](int64_t a, int64_t b) { return a > b; });
  if (name == "LessOrEqual")
    return compare_constants(c, [](int64_t a, int64_t b) { return a <= b; });
  if (name == "GreaterOrEqual")
    return compare_constants(c, [](int64_t a, int64_t b) { return a >= b; });
  return false;
}

absl::Span<const Row> elementwise_rows() {
  static constexpr Row kRows[] = {
      {"Add", add},
      {"Sub", sub},
      {"Mul", mul},
      {"Div", div},
      {"Mod", mod, 10},
      {"Pow", pow},
      {"Max", max},
      {"Min", min},
      {"Sum", sum},
      {"Mean", mean},
      {"BitShift", bit_shift, 11},
      {"BitwiseAnd", bitwise_and, 18},
      {"BitwiseOr", bitwise_or, 18},
      {"BitwiseXor", bitwise_xor, 18},
      {"Neg", neg},
      {"Sign", sign, 9},
      {"IsInf", is_inf, 10},
      {"Equal", equal},
      {"Where", where, 9},
      {"Cast", cast},
      {"CastLike", cast_like, 15},
      {"Identity", identity},
      {"Clip", clip},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
