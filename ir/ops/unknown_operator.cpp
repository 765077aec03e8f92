#include "fx/ir/ops/unknown_operator.h"

#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/nearest.h"

#include <fmt/format.h>

#include <vector>

namespace fx::ops {

std::string unknown_operator(std::string_view name, bool suggest) {
  if (!name.starts_with("aten.") || !find_overloads(name).empty() || find_op(name) != nullptr)
    return {};
  if (!suggest) return fmt::format("{} is not a PyTorch operator", name);
  std::vector<std::string_view> known;
  for (const OpFamily& family : op_families()) {
    for (const OpInfo& op : family.ops) {
      known.push_back(op.packet());
      known.push_back(op.name());
    }
  }
  return fmt::format("{} is not a PyTorch operator{}", name, did_you_mean(name, known));
}

}  // namespace fx::ops
