// Target: the function that a call_function node calls.
//
// A Target is a single pointer, interned by its Context: `aten.add.Tensor` is the same Target in
// every graph. It contains the data that all calls share: the row in the operator table, if there
// is one, the base of the names of new nodes, and torch.fx's spelling.
#pragma once

#include "fx/ir/support/name.h"
#include "fx/ir/support/symbol.h"

#include <cstdint>
#include <string_view>
#include <utility>

namespace fx {

namespace ops {
class OpInfo;
}

/// The data that a Target points to; created by Context::function.
struct TargetData {
  Symbol name;             ///< canonical: `aten.add.Tensor`, `operator.add`, `torch.relu`
  Symbol listing;          ///< how torch.fx's listing spells it; null: derived from the name
  Symbol repr;             ///< how Python's str() spells it (tabular form); null: derived
  Symbol inner;            ///< how Python's repr() spells it (in containers); null: derived
  Symbol base_name;        ///< Python's `__name__`: `add.Tensor`
  bool has_own_base_name;  ///< base_name does not follow from the rule
  NameHint hint;           ///< the base of the names of new nodes
  const ops::OpInfo* op;   ///< its row in the operator registry; null if it has none

  /// True when one of the spellings does not follow from the name.
  bool is_spelled() const { return has_own_base_name || listing || repr || inner; }
};

/// See the top of this file. Valid as long as the Context exists.
class Target {
 public:
  constexpr Target() = default;
  explicit constexpr Target(const TargetData* data) : data_(data) {}

  std::string_view name() const { return data_ ? data_->name.str() : std::string_view(); }
  Symbol symbol() const { return data_ ? data_->name : Symbol(); }
  /// The operator's row; null if none exists. The caller must then assume every effect.
  const ops::OpInfo* op() const { return data_ ? data_->op : nullptr; }
  const TargetData* data() const { return data_; }
  explicit operator bool() const { return data_ != nullptr; }

  friend bool operator==(Target a, Target b) { return a.data_ == b.data_; }
  template <typename H>
  friend H AbslHashValue(H h, Target t) {
    return H::combine(std::move(h), t.data_);
  }

 private:
  const TargetData* data_ = nullptr;
};

}  // namespace fx
