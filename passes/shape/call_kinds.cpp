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

/// For each kind of one argument, the allowed kinds of another argument.
struct KindPairs {
  std::array<uint16_t, kNumKinds> accepted;
};

/// The allowed kinds of an argument, independent of the other arguments.
struct ArgumentKinds {
  uint8_t argument;
  uint16_t accepted;
};

/// Two arguments that constrain each other. If both are the same argument, a list, its first item
/// constrains its other items.
struct ArgumentPair {
  uint8_t first;
  uint8_t second;
  uint16_t pairs;  ///< index into kKindPairs
};

/// A node of the tree of an operator's rules: a test of the call's mode, or a leaf with the rules
/// of the mode.
struct CallCase {
  enum Test : uint8_t {
    kLeaf,
    kEmpty,   ///< a tensor has no elements: kernels return before they check dtypes
    kNone,    ///< the argument is None
    kTrue,    ///< ... is True
    kNumber,  ///< ... is the integer `value`
    kRank,    ///< ... is a tensor of rank `value`
    kCount,   ///< ... is a list of `value` items, where 100 means 100 or more
  };
  uint8_t test;
  uint8_t argument;
  int8_t value;
  uint8_t otherwise;  ///< offset of the next node if the test fails
  uint16_t kinds;     ///< index into kArgumentKinds
  uint16_t kinds_count;
  uint16_t pairs;  ///< index into kArgumentPairs
  uint16_t pairs_count;
};

/// Arguments are numbered as in the schema of the called form.
struct CallRow {
  std::string_view op;
  /// Indices into kCallCases: the rules for dtypes and numbers, and the rules for devices, which
  /// apply to calls with tensors on meta and on the CPU.
  std::array<uint16_t, 2> cases;
};

namespace {

#include "fx/passes/shape/generated/call_rules.inc"

constexpr int kNoKind = -1;

/// Returns the kind of a dtype, or kNoKind if the table does not contain it. int8 and int16 count
/// as int32.
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

/// Returns the kind of an argument other than a tensor.
int kind_of_other(const TypeArgument& value) {
  if (const DType number = value.number_dtype(); number != DType::kUndefined)
    return kind_of_number(number);
  const auto dtype = value.as_dtype();
  return dtype ? kind_of_dtype(*dtype) : kNoKind;
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

/// Returns the kind of a tensor's device: 0 for the CPU, 2 for meta, plus 1 if the tensor has rank
/// 0.
int kind_of_device(Type tensor) {
  const int is_scalar = tensor.rank() == 0 ? 1 : 0;
  return tensor.device().type == DeviceType::kMeta ? 2 + is_scalar : is_scalar;
}

std::string device_text(int kind) {
  return fmt::format("{}on {}", kind % 2 == 1 ? "a 0-dimensional tensor " : "",
                     kind >= 2 ? "the meta device" : "the CPU");
}

/// Selects the rules of a row; the numbers are those of CallRow::cases.
enum class KindsOf : uint8_t { kValues, kDevices };

/// The kinds of one argument, or of its items if it is a list.
class Kinds {
 public:
  Kinds(const BoundTypeRule& rule, const TypeCall& call, uint8_t argument, KindsOf what)
      : formal_(rule.formals[argument]),
        value_(call.argument(formal_.slot)),
        what_(what),
        is_list_(!value_.type().is_tensor() && value_.is_sequence()) {}
  size_t count() const { return is_list_ ? value_.size() : 1; }
  int operator[](size_t i) const { return kind(is_list_ ? value_[i] : value_); }
  std::string_view name() const { return formal_.name; }
  /// Returns the text of a kind for a message.
  std::string text(int kind) const {
    return what_ == KindsOf::kDevices ? device_text(kind) : kind_text(kind);
  }

 private:
  int kind(const TypeArgument& value) const {
    const Type type = value.type();
    if (what_ == KindsOf::kDevices) return type.is_tensor() ? kind_of_device(type) : kNoKind;
    if (formal_.has_tensors())  // a number instead of a tensor is promoted as a number
      return type.is_tensor() ? kind_of_dtype(type.dtype()) : kNoKind;
    return type.is_tensor() ? kNoKind : kind_of_other(value);  // the kernel uses a tensor's value
  }

  const BoundTypeRule::Formal& formal_;
  const TypeArgument& value_;
  KindsOf what_;
  bool is_list_;
};

[[gnu::cold, gnu::noinline]] bool fail_kind(TypeCall& call, const Kinds& argument, int kind) {
  call.fail(fmt::format("argument {} cannot be {}", argument.name(), argument.text(kind)));
  return false;
}

[[gnu::cold, gnu::noinline]] bool fail_pair(TypeCall& call, const Kinds& first, int first_kind,
                                            const Kinds& second, int second_kind) {
  call.fail(fmt::format("argument {} cannot be {} if {} is {}", second.name(),
                        second.text(second_kind), first.name(), first.text(first_kind)));
  return false;
}

bool is_accepted(uint16_t accepted, int kind) {
  return kind == kNoKind || (accepted >> kind & 1) != 0;
}

bool check_single(const BoundTypeRule& rule, TypeCall& call, const ArgumentKinds& entry,
                  KindsOf what) {
  const Kinds kinds(rule, call, entry.argument, what);
  const size_t count = kinds.count();
  for (size_t i = 0; i < count; ++i)
    if (const int kind = kinds[i]; !is_accepted(entry.accepted, kind))
      return fail_kind(call, kinds, kind);
  return true;
}

bool check_pair(const BoundTypeRule& rule, TypeCall& call, const ArgumentPair& entry,
                KindsOf what) {
  const auto& accepted = kKindPairs[entry.pairs].accepted;
  const Kinds first(rule, call, entry.first, what), second(rule, call, entry.second, what);
  const size_t first_count = first.count(), second_count = second.count();
  const auto is_ok = [&](size_t i, size_t k) {
    const int a = first[i], b = second[k];
    return a == kNoKind || is_accepted(accepted[static_cast<size_t>(a)], b) ||
           fail_pair(call, first, a, second, b);
  };
  if (entry.first == entry.second) {
    for (size_t k = 1; k < second_count; ++k)
      if (!is_ok(0, k)) return false;
    return true;
  }
  // Lists of the same length are compared item by item.
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
    if (!formal.has_tensors()) continue;
    const TypeArgument& value = call.argument(formal.slot);
    if (is_empty(value.type())) return true;
    if (value.type().is_tensor() || !value.is_sequence()) continue;
    for (size_t i = 0; i < value.size(); ++i)
      if (is_empty(value[i].type())) return true;
  }
  return false;
}

bool holds(const CallCase& node, const BoundTypeRule& rule, const TypeCall& call) {
  if (node.test == CallCase::kEmpty) return has_empty_tensor(rule, call);
  const TypeArgument& value = call.argument(rule.formals[node.argument].slot);
  switch (node.test) {
    case CallCase::kNone:
      return value.is_none();
    case CallCase::kTrue: {
      // An integer may stand for a bool, but a Scalar is True only if it is a bool.
      const bool is_scalar =
          rule.op->schema().arguments()[node.argument].type.is(ops::SchemaTypeKind::kScalar);
      return value.as_bool().value_or(false) &&
             (!is_scalar || value.number_dtype() == DType::kBool);
    }
    case CallCase::kNumber: {
      const auto number = value.as_dim();
      return number && *number == Dim(node.value) && value.number_dtype() == DType::kInt64;
    }
    case CallCase::kRank:
      return value.type().is_tensor() && value.type().rank() == node.value;
    case CallCase::kCount:
      return value.is_sequence() &&
             std::min(value.size(), size_t{100}) == static_cast<size_t>(node.value);
    default:
      return false;
  }
}

/// Returns the rules of the call's mode.
const CallCase& find_leaf(const BoundTypeRule& rule, const TypeCall& call, KindsOf what) {
  const CallCase* node = &kCallCases[rule.call_row->cases[static_cast<size_t>(what)]];
  while (node->test != CallCase::kLeaf)
    node += holds(*node, rule, call) ? size_t{1} : size_t{node->otherwise};
  return *node;
}

/// Returns true if `kind` is accepted for every tensor if the numbers and dtypes in the call are
/// `others`.
bool accepts_everywhere(const BoundTypeRule& rule, const CallCase& leaf, int kind,
                        OtherKinds others) {
  constexpr uint16_t kAll = (1 << kNumKinds) - 1;
  const auto set_of = [](int k) { return static_cast<uint16_t>(k == kNoKind ? 0 : 1 << k); };
  const auto kinds_of = [&](uint8_t argument) -> uint16_t {
    const BoundTypeRule::Formal& formal = rule.formals[argument];
    if (formal.has_tensors()) return set_of(kind);
    const TypeArgument& value = rule.defaults[formal.slot];
    const bool is_any = others == OtherKinds::kAll || value.is_sequence();
    return is_any ? kAll : set_of(kind_of_other(value));
  };
  for (size_t i = leaf.kinds; i < size_t{leaf.kinds} + leaf.kinds_count; ++i) {
    const ArgumentKinds& entry = kArgumentKinds[i];
    if ((kinds_of(entry.argument) & ~entry.accepted) != 0) return false;
  }
  for (size_t i = leaf.pairs; i < size_t{leaf.pairs} + leaf.pairs_count; ++i) {
    const ArgumentPair& entry = kArgumentPairs[i];
    const uint16_t first = kinds_of(entry.first), second = kinds_of(entry.second);
    for (size_t a = 0; a < kNumKinds; ++a)
      if ((first >> a & 1) != 0 && (second & ~kKindPairs[entry.pairs].accepted[a]) != 0)
        return false;
  }
  return true;
}

/// Returns true if `kind` is accepted in every mode, that is, in all leaves of the tree at `node`.
bool accepts_everywhere(const BoundTypeRule& rule, const CallCase* node, int kind,
                        OtherKinds others) {
  if (node->test == CallCase::kLeaf) return accepts_everywhere(rule, *node, kind, others);
  return accepts_everywhere(rule, node + 1, kind, others) &&
         accepts_everywhere(rule, node + node->otherwise, kind, others);
}

bool check(const BoundTypeRule& rule, TypeCall& call, KindsOf what) {
  const CallCase& leaf = find_leaf(rule, call, what);
  for (size_t i = leaf.kinds; i < size_t{leaf.kinds} + leaf.kinds_count; ++i)
    if (!check_single(rule, call, kArgumentKinds[i], what)) return false;
  for (size_t i = leaf.pairs; i < size_t{leaf.pairs} + leaf.pairs_count; ++i)
    if (!check_pair(rule, call, kArgumentPairs[i], what)) return false;
  return true;
}

}  // namespace

const CallRow* find_call_row(const ops::OpInfo& op) {
  const auto* const row = std::ranges::lower_bound(kCallRows, op.name(), {}, &CallRow::op);
  return row != std::end(kCallRows) && row->op == op.name() ? row : nullptr;
}

uint64_t dtypes_accepted_everywhere(const BoundTypeRule& rule, OtherKinds others) {
  if (!rule.call_row) return ~uint64_t{0};
  const CallCase* const cases = &kCallCases[rule.call_row->cases[0]];
  uint64_t dtypes = 0;
  for (int i = 0; i < kNumDTypes; ++i) {
    const int kind = kind_of_dtype(static_cast<DType>(i));
    if (kind != kNoKind && accepts_everywhere(rule, cases, kind, others))
      dtypes |= uint64_t{1} << i;
  }
  return dtypes;
}

bool check_kinds(const BoundTypeRule& rule, TypeCall& call) {
  return check(rule, call, KindsOf::kValues);
}

bool check_meta_and_cpu(const BoundTypeRule& rule, TypeCall& call) {
  return !rule.call_row || check(rule, call, KindsOf::kDevices);
}

}  // namespace fx::shape
