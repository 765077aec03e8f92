#include "fx/codegen/cpp/values/cpp_functions_internal.h"

#include <algorithm>

namespace fx::cpp {

const CppFunctionRow* find_cpp_function(std::string_view qualified_name) {
  constexpr std::string_view kAten = "aten::";
  if (!qualified_name.starts_with(kAten)) return nullptr;
  const std::string_view name = qualified_name.substr(kAten.size());
  const CppFunctionRow* end = kCppFunctionRows + kNumCppFunctionRows;
  const CppFunctionRow* row =
      std::lower_bound(kCppFunctionRows, end, name,
                       [](const CppFunctionRow& r, std::string_view n) { return r.name < n; });
  return row != end && row->name == name ? row : nullptr;
}

std::string header_root(const CppFunctionRow& row) {
  if (row.root[0] != '\0') return row.root;
  const std::string_view name(row.name);
  std::string_view base = name.substr(0, name.find('.'));
  if (!base.starts_with("__") && base.ends_with('_')) base.remove_suffix(1);
  return std::string(base);
}

}  // namespace fx::cpp
