// The numbers of dtypes, layouts and memory formats in the schema of torch.export
// (torch/_export/serde/schema.py); they differ from the numbers in c10.
#pragma once

#include "fx/ir/types/dtype.h"

#include <cstdint>
#include <optional>

namespace fx::pt2 {

// These return std::nullopt for numbers that the schema does not define.
std::optional<DType> dtype_from_code(int64_t code);
std::optional<Layout> layout_from_code(int64_t code);
std::optional<MemoryFormat> memory_format_from_code(int64_t code);

// These return std::nullopt for values that the schema cannot express.
std::optional<int64_t> code_of(DType dtype);
std::optional<int64_t> code_of(Layout layout);
std::optional<int64_t> code_of(MemoryFormat format);

}  // namespace fx::pt2
