// OpInfo: one operator or function, a row of the operator table.
//
// The table contains every operator overload of PyTorch 2.13 and the Python functions that torch.fx
// graphs call. A row consists of a schema text and a few traits; all other properties (effects,
// aliasing, variants) are derived from these on first use, with the corrections in
// op_corrections.cpp for schemas that are wrong. Rows live as long as the program, or as the
// OpRegistry that they were added to.
#pragma once

#include "fx/ir/ops/effects.h"
#include "fx/ir/ops/schema.h"
#include "fx/ir/support/hash_mix.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fx::ops {

/// Facts that a schema does not express; from PyTorch's operator tags and registrations.
enum class OpTrait : uint16_t {
  kCore = 1 << 0,            ///< in PyTorch's Core ATen set
  kPointwise = 1 << 1,       ///< each element of the result depends on one element per operand
  kReduction = 1 << 2,       ///< reduces dimensions
  kComposite = 1 << 3,       ///< defined in terms of other operators, as is its gradient
  kRandom = 1 << 4,          ///< draws random numbers, at least with some arguments
  kDataDependent = 1 << 5,   ///< a result that is not a tensor depends on the data of tensors
  kDynamicShape = 1 << 6,    ///< the sizes of a result depend on the data of tensors
  kWritesMetadata = 1 << 7,  ///< changes sizes, strides or storage of its argument
  kViewCopy = 1 << 8,        ///< copies the result of a view operator
  kMayAlias = 1 << 9,  ///< results may share memory with arguments and the schema cannot express it
  kExactStrides = 1 << 10,  ///< the strides of the arguments must be kept
  kTorchScript = 1 << 11,   ///< exists only in TorchScript, not in the dispatcher
  kPython = 1 << 12,        ///< registered by PyTorch's Python package, not by libtorch
  kSubgraphs = 1 << 13,     ///< a higher-order operator: runs the graphs among its arguments
  kFunction = 1 << 14,      ///< has no overloads: a Python function or a higher-order operator
  kDtypeMode = 1 << 15,     ///< changes the dtypes or devices of the results of later calls
};

/// The relation of a result to the memory of an argument.
enum class AliasKind : uint8_t {
  kSame,   ///< it is the argument
  kView,   ///< it always shares the argument's memory
  kMaybe,  ///< it may share the argument's memory, or be the argument
};

struct OutputAlias {
  uint8_t output;
  uint8_t argument;
  AliasKind kind;
  bool operator==(const OutputAlias&) const = default;
};

/// A call whose argument `argument` equals `value` (passed or by default) does not have the effects
/// `absent`.
struct ConditionalEffect {
  uint8_t argument;
  SchemaConstant value;
  Effects absent;
};

/// Algebraic laws of a binary operator; op_algebra.cpp.
struct OpAlgebra {
  enum class Commutes : uint8_t {
    kNever,
    kAlways,   ///< the first two arguments may be swapped
    kNumbers,  ///< the same, but only for tensors and numbers: Python's `+` joins lists in order
  };
  Commutes commutes = Commutes::kNever;
  /// op(left_neutral, x) and op(x, right_neutral) equal x, if result and x have the same type.
  std::optional<int8_t> left_neutral = std::nullopt, right_neutral = std::nullopt;
  bool changes_zero = false;  ///< except that -0.0 becomes 0.0
};

class OpInfo;

/// Operators that compute the same result and differ in their use of memory; null if none exists.
/// The operator itself is one of them.
struct OpVariants {
  const OpInfo* functional = nullptr;  ///< new results, no writes: `add.Tensor`, `t_copy`
  const OpInfo* in_place = nullptr;    ///< writes to its arguments: `add_.Tensor`, `t_`
  const OpInfo* out = nullptr;         ///< writes the results into `out=`: `add.out`, `t_copy.out`
  const OpInfo* view = nullptr;        ///< the results share memory with the argument: `t`
};

class OpInfo {
 public:
  /// A row. `text`, which must outlive the row, is a schema; for a function, it starts with the
  /// qualified name: `operator.add(Any a, Any b) -> Any`. `traits` are OpTraits; `effects` are
  /// added to those that follow from the schema.
  constexpr OpInfo(std::string_view text, uint16_t traits = 0, Effects effects = {})
      : text_(text.data()),
        text_size_(static_cast<uint16_t>(text.size())),
        name_size_(static_cast<uint16_t>(text.find('('))),
        traits_(traits),
        added_effects_(effects) {
    const std::string_view name = text.substr(0, name_size_);
    const size_t colons = name.find("::");
    if (colons == std::string_view::npos) {
      traits_ |= static_cast<uint16_t>(OpTrait::kFunction);
      packet_hash_ = internal::hash_name(name);
      hash_ = packet_hash_;
      return;
    }
    const std::string_view local = name.substr(colons + 2);
    const std::string_view base = local.substr(0, local.find('.'));
    packet_hash_ = internal::hash_name(".", internal::hash_name(name.substr(0, colons)));
    packet_hash_ = internal::hash_name(base, packet_hash_);
    const bool is_default = base.size() == local.size();
    hash_ = internal::hash_name(is_default ? ".default" : local.substr(base.size()), packet_hash_);
  }
  OpInfo(const OpInfo&) = delete;
  OpInfo& operator=(const OpInfo&) = delete;

  /// `aten.add.Tensor`, `aten.relu.default`, `operator.add`: the name as a call's target.
  std::string_view name() const;
  /// The name without the overload, `aten.add`; for a function, the full name.
  std::string_view packet() const;
  /// `Tensor`, `default`; empty for a function.
  std::string_view overload() const;
  /// `add`
  std::string_view base_name() const;
  /// `aten`, `higher_order`, `torch.nn.functional`
  std::string_view name_space() const;
  /// True for a function or a higher-order operator, which have no overloads.
  bool is_function() const { return has(OpTrait::kFunction); }

  /// The schema. The schema of a function has only the last part of the function's name.
  const OpSchema& schema() const;
  /// The row's text: the schema as PyTorch prints it.
  std::string_view text() const { return {text_, text_size_}; }
  /// The name in the text: `aten::add.Tensor`, `aten::relu`, `operator.add`.
  std::string_view qualified_name() const { return {text_, name_size_}; }
  bool has(OpTrait trait) const { return (traits_ & static_cast<uint16_t>(trait)) != 0; }

  /// The effects that a call may have. Known arguments may exclude some: see conditional_effects().
  Effects effects() const;
  std::span<const ConditionalEffect> conditional_effects() const;
  /// Indexes of the arguments that are written to (unless they are None), ascending. If this is
  /// empty and effects() has kWritesArguments, any argument may be written to.
  std::span<const uint8_t> written_arguments() const;
  bool writes_argument(int index) const;
  /// The pairs of results and arguments that may share memory, ordered by output. A list counts as
  /// one result: each of its elements may share memory.
  std::span<const OutputAlias> output_aliases() const;
  /// True if the results may share memory with any value.
  bool aliases_unknown() const;
  /// True if no result shares memory with an argument.
  bool returns_new_memory() const;
  /// True if all results are values without memory, such as numbers and strings.
  bool returns_no_memory() const;
  /// True if calls write nothing and each result always shares memory with an argument.
  bool is_view() const;
  const OpAlgebra& algebra() const;

 private:
  friend class OpTable;
  friend class OpRegistry;
  struct Details;

  const Details& details() const {
    const Details* details = details_.load(std::memory_order_acquire);
    return details ? *details : make_details();
  }
  Details* parse_details() const;
  const Details& make_details() const;
  /// Computes the properties that follow from the others.
  void derive_details(Details& details) const;
  /// Copies the properties of `base`. The arguments of this row are those of `base`, and optionally
  /// `out`.
  void inherit_details(const OpInfo& base);
  void delete_details();

  const char* text_;
  uint16_t text_size_;
  uint16_t name_size_;
  uint32_t hash_ = 0;         // of name()
  uint32_t packet_hash_ = 0;  // of packet()
  uint16_t traits_;
  Effects added_effects_;
  /// Computed on first use, and kept for the lifetime of the row.
  mutable std::atomic<const Details*> details_ = nullptr;
};

struct OpInfo::Details {
  OpSchema schema;
  std::string name = {};
  size_t packet_size = 0;
  Effects effects = {};
  bool aliases_unknown = false;
  bool returns_new_memory = false;
  bool returns_no_memory = false;
  bool is_view = false;
  OpAlgebra algebra = {};
  std::vector<ConditionalEffect> conditional_effects = {};
  std::vector<uint8_t> written = {};
  std::vector<OutputAlias> aliases = {};
};

// Inline: passes call these for every node.
inline Effects OpInfo::effects() const { return details().effects; }
inline bool OpInfo::returns_new_memory() const { return details().returns_new_memory; }
inline bool OpInfo::returns_no_memory() const { return details().returns_no_memory; }
inline bool OpInfo::is_view() const { return details().is_view; }
inline const OpAlgebra& OpInfo::algebra() const { return details().algebra; }

/// The built-in row of an operator overload or function, or null. Accepts `aten.add.Tensor` and
/// PyTorch's spelling, `aten::add.Tensor`. O(1); the first call in a process builds the index.
const OpInfo* find_op(std::string_view name);
/// The built-in overloads of `aten.add`, in PyTorch's order of preference; empty if none exist.
std::span<const OpInfo> find_overloads(std::string_view packet);
/// The variants of an operator among the built-in ones. Computed on each call, in a few
/// microseconds.
OpVariants find_variants(const OpInfo& op);

/// A family of rows: `conv`, `reduction`, `foreach`.
struct OpFamily {
  std::string_view name;
  std::span<const OpInfo> ops;
};
std::span<const OpFamily> op_families();

}  // namespace fx::ops
