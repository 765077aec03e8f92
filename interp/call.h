// Call: the argument of an interpreter's hooks, a node whose operands are replaced with values.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/graph/target.h"
#include "fx/ir/support/symbol.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace fx {

template <class V>
struct NamedValue {
  Symbol name;
  V value;
};

/// One step of a run. A hook may change the function or the arguments, move values out, and pass
/// the call to the hook of the base class.
template <class V>
struct Call {
  Node* node = nullptr;          ///< the node that runs
  Target function = {};          ///< the function that a call_function node calls
  std::string_view target = {};  ///< the path, method or parameter name of other nodes
  std::vector<V> args = {};
  std::vector<NamedValue<V>> kwargs = {};

  /// Returns the keyword argument with this name, or null.
  V* kwarg(std::string_view name) {
    for (NamedValue<V>& entry : kwargs)
      if (entry.name.str() == name) return &entry.value;
    return nullptr;
  }
  /// Returns the argument at this position or with this keyword, or null if the call has neither.
  V* argument(size_t position, std::string_view name) {
    return position < args.size() ? &args[position] : kwarg(name);
  }
  /// Returns argument `number`, counting positional arguments first.
  const V& argument_at(size_t number) const {
    return number < args.size() ? args[number] : kwargs[number - args.size()].value;
  }
};

}  // namespace fx
