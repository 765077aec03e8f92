#include "fx/ir/graph/edit/replace_call.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/status.h"

#include <cstdint>

namespace fx {

absl::Status replace_call(Node& call, const Argument& value) {
  if (value.is_tuple() || value.is_list() || value.kind() == ArgumentKind::kStruct) {
    const Target getitem = call.context().function("operator.getitem");
    const auto size = static_cast<int64_t>(value.size());
    for (Node* user : call.users()) {
      if (!user->is(getitem) || user->num_args() != 2 || user->arg(0).node() != &call ||
          !user->arg(1).is_int())
        continue;
      int64_t index = user->arg(1).as_int();
      if (index < 0) index += size;
      if (index < 0 || index >= size) continue;
      FX_RETURN_IF_ERROR(replace_call(*user, value[static_cast<size_t>(index)]));
    }
  }
  if (call.has_uses()) FX_RETURN_IF_ERROR(call.replace_all_uses_with(value));
  return call.graph().erase_node(&call);
}

}  // namespace fx
