// Call: what an interpreter's hook is given, a node with values in the place of its operands.
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

/// One step of a run. A hook may change it and pass it on: to the hook of the base class, with
/// another function or other arguments. Values may be moved out.
template <class V>
struct Call {
  Node* node = nullptr;          ///< the node that runs
  Target function = {};          ///< of a call_function: what is called
  std::string_view target = {};  ///< of the others: the path, method or parameter name
  std::vector<V> args = {};
  std::vector<NamedValue<V>> kwargs = {};

  /// The keyword argument, or null.
  V* kwarg(std::string_view name) {
    for (NamedValue<V>& entry : kwargs)
      if (entry.name.str() == name) return &entry.value;
    return nullptr;
  }
  /// The argument at this position, or else given by keyword; null when it was left out.
  V* argument(size_t position, std::string_view name) {
    return position < args.size() ? &args[position] : kwarg(name);
  }
};

}  // namespace fx
