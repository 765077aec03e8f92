// OpInfo: one operator or function, a row of the operator table.
//
// The table holds every operator overload of PyTorch 2.13 and the Python functions that torch.fx
// graphs call. A row is a schema text and a few traits; all else (effects, aliasing, variants) is
// worked out from these when it is first asked for, and from op_corrections.cpp where a schema does
// not tell the truth. Rows live as long as the program, or as the OpRegistry that they were added
// to.
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
  kCore = 1 << 0,            ///< of PyTorch's Core ATen set
  kPointwise = 1 << 1,       ///< each element of the result depends on one element per operand
  kReduction = 1 << 2,       ///< folds dimensions away
  kComposite = 1 << 3,       ///< defined by other operators alone, gradient included
  kRandom = 1 << 4,          ///< draws random numbers, at least with some arguments
  kDataDependent = 1 << 5,   ///< a result that is not a tensor depends on the data of tensors
  kDynamicShape = 1 << 6,    ///< the sizes of a result depend on the data of tensors
  kWritesMetadata = 1 << 7,  ///< changes sizes, strides or storage of its argument
  kViewCopy = 1 << 8,        ///< a view operator's results, but copied
  kMayAlias = 1 << 9,  ///< results may share memory with arguments and the schema cannot express it
  kExactStrides = 1 << 10,  ///< the strides of the arguments must be kept
  kTorchScript = 1 << 11,   ///< known to TorchScript only, not to the dispatcher
  kPython = 1 << 12,        ///< registered by PyTorch's Python package, not by libtorch
  kSubgraphs = 1 << 13,     ///< a higher-order operator: runs the graphs that it is given
  kFunction = 1 << 14,      ///< has no overloads: a function of Python or a higher-order operator
};

/// How a result relates to the memory of an argument.
enum class AliasKind : uint8_t {
  kSame,   ///< it is the argument, returned
  kView,   ///< it shares the argument's memory, always
  kMaybe,  ///< it may share it, or be the argument
};

struct OutputAlias {
  uint8_t output;
  uint8_t argument;
  AliasKind kind;
  bool operator==(const OutputAlias&) const = default;
};

/// With argument `argument` equal to `value` (given or by default), a call lacks the effects
/// `absent`.
struct ConditionalEffect {
  uint8_t argument;
  SchemaConstant value;
  Effects absent;
};

/// What holds for an operator of two operands as a function of numbers; op_algebra.cpp.
struct OpAlgebra {
  enum class Commutes : uint8_t {
    kNever,
    kAlways,   ///< the first two arguments may change places
    kNumbers,  ///< they may when they are tensors or numbers; Python's `+` joins lists in order
  };
  Commutes commutes = Commutes::kNever;
  /// op(left_neutral, x) and op(x, right_neutral) equal x, where the types of both are equal.
  std::optional<int8_t> left_neutral = std::nullopt, right_neutral = std::nullopt;
  bool changes_zero = false;  ///< but -0.0 becomes 0.0
};

class OpInfo;

/// Operators that compute the same in another manner; null where there is none. The operator itself
/// is one of them.
struct OpVariants {
  const OpInfo* functional = nullptr;  ///< new results, writes nothing: `add.Tensor`, `t_copy`
  const OpInfo* in_place = nullptr;    ///< writes to its arguments: `add_.Tensor`, `t_`
  const OpInfo* out = nullptr;         ///< writes the results into `out=`: `add.out`, `t_copy.out`
  const OpInfo* view = nullptr;        ///< the results share memory with the argument: `t`
};

class OpInfo {
 public:
  /// A row. `text`, which must outlive it, is a schema; a function's has its qualified name in
  /// place of the operator's: `operator.add(Any a, Any b) -> Any`. `traits` are OpTraits; `effects`
  /// come on top of those that follow from the schema.
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
  /// `aten.add`; of a function the whole name. What overloads have in common.
  std::string_view packet() const;
  /// `Tensor`, `default`; empty of a function.
  std::string_view overload() const;
  /// `add`
  std::string_view base_name() const;
  /// `aten`, `higher_order`, `torch.nn.functional`
  std::string_view name_space() const;
  /// Whether it is a function or a higher-order operator: what has no overloads.
  bool is_function() const { return has(OpTrait::kFunction); }

  /// A function's schema has the last part of its name only.
  const OpSchema& schema() const;
  /// The row's text: the schema as PyTorch prints it.
  std::string_view text() const { return {text_, text_size_}; }
  /// The name as the text has it: `aten::add.Tensor`, `aten::relu`, `operator.add`.
  std::string_view qualified_name() const { return {text_, name_size_}; }
  bool has(OpTrait trait) const { return (traits_ & static_cast<uint16_t>(trait)) != 0; }

  /// What any call may do. A call whose arguments are known may do less: see conditional_effects().
  Effects effects() const;
  std::span<const ConditionalEffect> conditional_effects() const;
  /// Indexes of the arguments that are written to, ascending. An argument that is None is not. If
  /// there are none though effects() has kWritesArguments, any may be.
  std::span<const uint8_t> written_arguments() const;
  bool writes_argument(int index) const;
  /// Which results may share memory with which arguments, ordered by output. A result that is a
  /// list counts as one: each of its elements may.
  std::span<const OutputAlias> output_aliases() const;
  /// The results may share memory with anything.
  bool aliases_unknown() const;
  /// Writes nothing, and each result always shares memory with an argument.
  bool is_view() const;
  const OpAlgebra& algebra() const;

 private:
  friend class OpTable;
  friend class OpRegistry;
  struct Details;

  const Details& details() const {
    const Details* known = details_.load(std::memory_order_acquire);
    return known ? *known : make_details();
  }
  Details* parse_details() const;
  const Details& make_details() const;
  static bool is_view(const Details& details);
  /// Copies the facts of `base`. The arguments of this row are base's, and perhaps `out`.
  void inherit_details(const OpInfo& base);
  void delete_details();

  const char* text_;
  uint16_t text_size_;
  uint16_t name_size_;
  uint32_t hash_ = 0;         // of name()
  uint32_t packet_hash_ = 0;  // of packet()
  uint16_t traits_;
  Effects added_effects_;
  /// Computed at the first use, and kept as long as the row.
  mutable std::atomic<const Details*> details_ = nullptr;
};

struct OpInfo::Details {
  OpSchema schema;
  std::string name = {};
  size_t packet_size = 0;
  Effects effects = {};
  bool aliases_unknown = false;
  bool is_view = false;
  OpAlgebra algebra = {};
  std::vector<ConditionalEffect> conditional_effects = {};
  std::vector<uint8_t> written = {};
  std::vector<OutputAlias> aliases = {};
};

// Inline: passes call these for every node.
inline Effects OpInfo::effects() const { return details().effects; }
inline bool OpInfo::is_view() const { return details().is_view; }
inline const OpAlgebra& OpInfo::algebra() const { return details().algebra; }

/// The built-in row of an operator overload or function, or null. Takes `aten.add.Tensor` and
/// PyTorch's own spelling, `aten::add.Tensor`. O(1); the first call of a process builds the index.
const OpInfo* find_op(std::string_view name);
/// The built-in overloads of `aten.add`, in PyTorch's order of preference; empty if there are none.
std::span<const OpInfo> find_overloads(std::string_view packet);
/// The variants of an operator among the built-in ones. Computed at each call, in some
/// microseconds.
OpVariants find_variants(const OpInfo& op);

/// A family of rows: `conv`, `reduction`, `foreach`.
struct OpFamily {
  std::string_view name;
  std::span<const OpInfo> ops;
};
std::span<const OpFamily> op_families();

}  // namespace fx::ops
