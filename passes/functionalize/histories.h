// HistoryCopy: a tensor with the value of one tensor and the history, in autograd, of another.
#pragma once

#include "fx/ir/graph/node.h"

#include <optional>

namespace fx {

/// A copy of `history` to which a call writes `value` through `detach`, so that autograd ignores
/// the write: functionalize creates it for FunctionalizeOptions::keep_histories.
struct HistoryCopy {
  Node* copy = nullptr;
  Node* history = nullptr;
  Node* value = nullptr;
};

/// Returns the copy to which a call writes; nullopt for any other call.
std::optional<HistoryCopy> history_copy(Node& write);

}  // namespace fx
