// The PyTorch operators that torch-mlir's torch dialect has; other operators are written as
// `torch.operator`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fx::mlir {

struct TorchDialectRow {
  std::string_view name;  ///< without "torch.": "aten.add.Tensor", "aten.relu"
  uint8_t operands, results;
};

extern const TorchDialectRow kTorchDialectRows[];  // sorted by name
extern const size_t kNumTorchDialectRows;

/// Returns null if the dialect does not have the operator.
const TorchDialectRow* find_torch_dialect_row(std::string_view name);

}  // namespace fx::mlir
