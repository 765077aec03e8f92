// The names that the files of the operator table use: traits and families.
#pragma once

#include "fx/ir/ops/op_info.h"

#include <span>
#include <string_view>

namespace fx::ops {

inline constexpr uint16_t kCore = static_cast<uint16_t>(OpTrait::kCore);
inline constexpr uint16_t kPointwise = static_cast<uint16_t>(OpTrait::kPointwise);
inline constexpr uint16_t kReduction = static_cast<uint16_t>(OpTrait::kReduction);
inline constexpr uint16_t kComposite = static_cast<uint16_t>(OpTrait::kComposite);
inline constexpr uint16_t kRandom = static_cast<uint16_t>(OpTrait::kRandom);
inline constexpr uint16_t kDataDependent = static_cast<uint16_t>(OpTrait::kDataDependent);
inline constexpr uint16_t kDynamicShape = static_cast<uint16_t>(OpTrait::kDynamicShape);
inline constexpr uint16_t kWritesMetadata = static_cast<uint16_t>(OpTrait::kWritesMetadata);
inline constexpr uint16_t kViewCopy = static_cast<uint16_t>(OpTrait::kViewCopy);
inline constexpr uint16_t kMayAlias = static_cast<uint16_t>(OpTrait::kMayAlias);
inline constexpr uint16_t kExactStrides = static_cast<uint16_t>(OpTrait::kExactStrides);
inline constexpr uint16_t kTorchScript = static_cast<uint16_t>(OpTrait::kTorchScript);
inline constexpr uint16_t kPython = static_cast<uint16_t>(OpTrait::kPython);
inline constexpr uint16_t kDtypeMode = static_cast<uint16_t>(OpTrait::kDtypeMode);
inline constexpr uint16_t kSubgraphs = static_cast<uint16_t>(OpTrait::kSubgraphs);

struct FamilyRow {
  std::string_view name;
  const std::span<const OpInfo>* ops;
};
/// The families that scripts/make_op_table.py generates.
extern const std::span<const FamilyRow> kGeneratedFamilies;

// The handwritten families.
extern const std::span<const OpInfo> kPythonFunctionOps;
extern const std::span<const OpInfo> kTorchFunctionOps;
extern const std::span<const OpInfo> kTensorMethodOps;
extern const std::span<const OpInfo> kHigherOrderOps;

}  // namespace fx::ops
