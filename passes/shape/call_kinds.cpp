// Kinds of arguments that eager mode accepts: see call_checks_internal.h.
#include "fx/passes/shape/call_checks_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace fx::shape {

/// Dtypes of tensors and of `ScalarType` arguments, then Python's bool, int, float and complex.
inline constexpr size_t kNumKinds = 14;
inline constexpr int kFirstNumberKind = 10;

/// For each kind of one argument the kinds that another may have.
struct KindPairs {
  std::array<uint16_t, kNumKinds> accepted;
};

/// The kinds that an argument may have, whatever the others are.
struct ArgumentKinds {
  uint8_t argument;
  uint16_t accepted;
};

/// Two arguments that constrain each other. The same twice: the first item of a list and the rest.
struct ArgumentPair {
  uint8_t first;
  uint8_t second;
  uint16_t pairs;  ///< in kKindPairs
};

/// Arguments are numbered as in the operator's own schema.
struct CallRow {
  std::string_view op;
  uint16_t kinds;  ///< in kArgumentKinds
  uint16_t kinds_count;
  uint16_t pairs;  ///< in kArgumentPairs
  uint16_t pairs_count;
  /// Sets of arguments: not on meta where the others are on the CPU; not on the CPU where the
  /// others are on meta; the same where a tensor on the CPU has no dimensions.
  std::array<uint32_t, 4> not_alone;
};

namespace {

#include "fx/passes/shape/generated/call_rules.inc"

constexpr int kNoKind = -1;

/// The bit of a dtype, or kNoKind: the table does not cover it. int8 and int16 count as int32.
constexpr int kind_of_dtype(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return 0;
    case DType::kUInt8:
      return 1;
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
      return 2;
    case DType::kInt64:
      return 3;
    case DType::kFloat16:
      return 4;
    case DType::kBFloat16:
      return 5;
    case DType::kFloat32:
      return 6;
    case DType::kFloat64:
      return 7;
    case DType::kComplex64:
      return 8;
    case DType::kComplex128:
      return 9;
    default:
      return kNoKind;
  }
}

constexpr int kind_of_number(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return kFirstNumberKind;
    case DType::kInt64:
      return kFirstNumberKind + 1;
    case DType::kFloat32:
      return kFirstNumberKind + 2;
    case DType::kComplex64:
      return kFirstNumberKind + 3;
    default:
      return kNoKind;
  }
}

std::string kind_text(int kind) {
  constexpr DType kDTypes[] = {
      DType::kBool,     DType::kUInt8,   DType::kInt32,   DType::kInt64,     DType::kFloat16,
      DType::kBFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128};
  constexpr std::string_view kNumbers[] = {"bool", "int", "float", "complex"};
  if (kind < kFirstNumberKind)
    return fmt::format("of dtype {}", dtype_name(kDTypes[static_cast<size_t>(kind)]));
  return fmt::format("a number of type {}", kNumbers[static_cast<size_t>(kind - kFirstNumberKind)]);
}

bool is_tensor_argument(const BoundTypeRule::Formal& formal) {
  return formal.argument_class != BoundTypeRule::ArgumentClass::kOther;
}

/// One argument of a call, or its items: the kind of each.
class Kinds {
 public:
  Kinds(const BoundTypeRule& rule, const TypeCall& call, uint8_t argument)
      : formal_(rule.formals[argument]),
        value_(call.argument(formal_.slot)),
        is_list_(!value_.type().is_tensor() && value_.is_sequence()) {}
  size_t count() const { return is_list_ ? value_.size() : 1; }
  int operator[](size_t i) const { return kind(is_list_ ? value_[i] : value_); }
  std::string_view name() const { return formal_.name; }

 private:
  int kind(const TypeArgument& value) const {
    const Type type = value.type();
    if (is_tensor_argument(formal_))  // a number in a tensor's place is promoted as a number
      return type.is_tensor() ? kind_of_dtype(type.dtype()) : kNoKind;
    if (type.is_tensor()) return kNoKind;  // its value is read
    if (const DType number = value.number_dtype(); number != DType::kUndefined)
      return kind_of_number(number);
    const auto dtype = value.as_dtype();
    return dtype ? kind_of_dtype(*dtype) : kNoKind;
  }

  const BoundTypeRule::Formal& formal_;
  const TypeArgument& value_;
  bool is_list_;
};

[[gnu::cold, gnu::noinline]] bool wrong_kind(TypeCall& call, const Kinds& argument, int kind) {
  call.fail(fmt::format("argument {} cannot be {}", argument.name(), kind_text(kind)));
  return false;
}

[[gnu::cold, gnu::noinline]] bool wrong_pair(TypeCall& call, const Kinds& first, int first_kind,
                                             const Kinds& second, int second_kind) {
  call.fail(fmt::format("argument {} cannot be {} where {} is {}", second.name(),
                        kind_text(second_kind), first.name(), kind_text(first_kind)));
  return false;
}

bool is_accepted(uint16_t accepted, int kind) {
  return kind == kNoKind || (accepted >> kind & 1) != 0;
}

/// The bits of floating-point and complex dtypes.
constexpr uint16_t kNotIntegral = 0x3f0;

/// Enforces the row of an index, a mask or another tensor that is never of floating point. The other
/// rows say what some calls of eager mode accept: others, with another reduction, without a bias or
/// on the path of another kernel, may accept more.
bool check_single(const BoundTypeRule& rule, TypeCall& call, const ArgumentKinds& entry) {
  if ((entry.accepted & kNotIntegral) != 0 || !is_tensor_argument(rule.formals[entry.argument]))
    return true;
  const Kinds kinds(rule, call, entry.argument);
  const size_t count = kinds.count();
  for (size_t i = 0; i < count; ++i)
    if (const int kind = kinds[i]; kind != kNoKind && (kNotIntegral >> kind & 1) != 0)
      return wrong_kind(call, kinds, kind);
  return true;
}

/// Whether a pair is that of an operand and `out`, of an operator without a dtype of its own.
bool is_operand_and_out(const BoundTypeRule& rule, const ArgumentPair& entry) {
  return rule.formals[entry.second].name == "out" &&
         is_tensor_argument(rule.formals[entry.first]) &&
         std::ranges::find(rule.formals, "dtype", &BoundTypeRule::Formal::name) ==
             rule.formals.end();
}

bool check_pair(const BoundTypeRule& rule, TypeCall& call, const ArgumentPair& entry) {
  if (!is_operand_and_out(rule, entry)) return true;
  const auto& accepted = kKindPairs[entry.pairs].accepted;
  const Kinds first(rule, call, entry.first), second(rule, call, entry.second);
  const size_t first_count = first.count(), second_count = second.count();
  const auto is_ok = [&](size_t i, size_t k) {
    const int a = first[i], b = second[k];
    return a == kNoKind || is_accepted(accepted[static_cast<size_t>(a)], b) ||
           wrong_pair(call, first, a, second, b);
  };
  if (entry.first == entry.second) {
    for (size_t k = 1; k < second_count; ++k)
      if (!is_ok(0, k)) return false;
    return true;
  }
  // Lists of the same length are used item by item.
  if (first_count == second_count) {
    for (size_t i = 0; i < first_count; ++i)
      if (!is_ok(i, i)) return false;
    return true;
  }
  for (size_t i = 0; i < first_count; ++i)
    for (size_t k = 0; k < second_count; ++k)
      if (!is_ok(i, k)) return false;
  return true;
}

bool has_empty_tensor(const BoundTypeRule& rule, const TypeCall& call) {
  const auto is_empty = [](Type type) {
    return type.is_tensor() && type.has_rank() &&
           std::ranges::any_of(type.sizes(), [](const Dim& size) { return size == Dim(0); });
  };
  for (const BoundTypeRule::Formal& formal : rule.formals) {
    if (!is_tensor_argument(formal)) continue;
    const TypeArgument& value = call.argument(formal.slot);
    if (is_empty(value.type())) return true;
    if (value.type().is_tensor() || !value.is_sequence()) continue;
    for (size_t i = 0; i < value.size(); ++i)
      if (is_empty(value[i].type())) return true;
  }
  return false;
}

/// Whether `kind` for every tensor is accepted, whatever numbers and dtypes are given.
bool accepts_everywhere(const BoundTypeRule& rule, const CallRow& row, int kind) {
  constexpr uint16_t kAll = (1 << kNumKinds) - 1;
  const auto kinds_of = [&](uint8_t argument) -> uint16_t {
    return is_tensor_argument(rule.formals[argument]) ? static_cast<uint16_t>(1 << kind) : kAll;
  };
  for (size_t i = row.kinds; i < size_t{row.kinds} + row.kinds_count; ++i) {
    const ArgumentKinds& entry = kArgumentKinds[i];
    if ((kinds_of(entry.argument) & ~entry.accepted) != 0) return false;
  }
  for (size_t i = row.pairs; i < size_t{row.pairs} + row.pairs_count; ++i) {
    const ArgumentPair& entry = kArgumentPairs[i];
    const uint16_t first = kinds_of(entry.first), second = kinds_of(entry.second);
    for (size_t a = 0; a < kNumKinds; ++a)
      if ((first >> a & 1) != 0 && (second & ~kKindPairs[entry.pairs].accepted[a]) != 0)
        return false;
  }
  return true;
}

}  // namespace

const CallRow* find_call_row(const ops::OpInfo& op) {
  const auto* const row = std::ranges::lower_bound(kCallRows, op.name(), {}, &CallRow::op);
  return row != std::end(kCallRows) && row->op == op.name() ? row : nullptr;
}

uint64_t dtypes_accepted_everywhere(const BoundTypeRule& rule) {
  const CallRow* row = rule.call_row;
  if (!row) return ~uint64_t{0};
  uint64_t dtypes = 0;
  for (int i = 0; i < kNumDTypes; ++i) {
    const int kind = kind_of_dtype(static_cast<DType>(i));
    if (kind != kNoKind && accepts_everywhere(rule, *row, kind)) dtypes |= uint64_t{1} << i;
  }
  return dtypes;
}

bool check_kinds(const BoundTypeRule& rule, TypeCall& call) {
  // Kernels return early for tensors without elements, before they look at dtypes.
  if (has_empty_tensor(rule, call)) return true;
  const CallRow& row = *rule.call_row;
  for (size_t i = row.kinds; i < size_t{row.kinds} + row.kinds_count; ++i)
    if (!check_single(rule, call, kArgumentKinds[i])) return false;
  for (size_t i = row.pairs; i < size_t{row.pairs} + row.pairs_count; ++i)
    if (!check_pair(rule, call, kArgumentPairs[i])) return false;
  return true;
}

bool may_be_alone(const BoundTypeRule& rule, size_t argument, DeviceType device,
                  bool has_cpu_scalar) {
  if (!rule.call_row || argument >= 32) return true;
  const size_t set = (device == DeviceType::kMeta ? size_t{0} : size_t{1}) +
                     (has_cpu_scalar ? size_t{2} : size_t{0});
  return (rule.call_row->not_alone[set] >> argument & 1) == 0;
}

}  // namespace fx::shape
