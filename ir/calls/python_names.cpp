// Names of Python's functions and methods.
#include "fx/ir/calls/python_forms.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fx::ops {
namespace {

/// The functions of torch.functional that `torch` contains, and that have rows in
/// python_forms.cpp or in passes/aten.
constexpr std::string_view kAliases[] = {
    "torch.functional.cdist",  "torch.functional.einsum",
    "torch.functional.norm",   "torch.functional.split",
    "torch.functional.stft",   "torch.functional.tensordot",
    "torch.functional.unique", "torch.functional.unique_consecutive",
};

}  // namespace

std::string_view python_function(std::string_view name) {
  constexpr std::string_view kTorch = "torch.", kModule = "torch.functional.";
  if (!name.starts_with(kTorch)) return name;
  const auto* const alias = std::ranges::find_if(kAliases, [&](std::string_view full) {
    return full.substr(kModule.size()) == name.substr(kTorch.size());
  });
  return alias != std::end(kAliases) ? *alias : name;
}

std::optional<DType> dtype_of_cast(std::string_view method) {
  constexpr std::pair<std::string_view, DType> kCasts[] = {
      {"float", DType::kFloat32},    {"double", DType::kFloat64},
      {"half", DType::kFloat16},     {"bfloat16", DType::kBFloat16},
      {"int", DType::kInt32},        {"long", DType::kInt64},
      {"short", DType::kInt16},      {"char", DType::kInt8},
      {"byte", DType::kUInt8},       {"bool", DType::kBool},
      {"cfloat", DType::kComplex64}, {"cdouble", DType::kComplex128},
      {"chalf", DType::kComplex32},
  };
  for (const auto& [name, dtype] : kCasts)
    if (name == method) return dtype;
  return std::nullopt;
}

std::string_view parameter_before_self(std::string_view method) {
  return method == "where" ? "condition" : method == "polygamma" ? "n" : "";
}

}  // namespace fx::ops
