#include "fx/tools/driver/omissions.h"

#include "fx/ir/module/memory_parts.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace fx {

std::string list_names(absl::Span<const std::string> names) {
  constexpr size_t kShown = 6;
  const absl::Span<const std::string> shown = names.subspan(0, kShown);
  std::string text = fmt::to_string(fmt::join(shown, ", "));
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

std::vector<std::string> names_of_shared(absl::Span<const std::pair<std::string, Tensor>> tensors,
                                         bool only_other_dtypes) {
  std::vector<Tensor> all;
  all.reserve(tensors.size());
  for (const auto& entry : tensors) all.push_back(entry.second);
  std::vector<std::string> names;
  for (const MemoryPart& part : memory_parts(all)) {
    const DType dtype = all[part.tensors[0]].dtype();
    const auto has_same_dtype = [&](size_t i) { return all[i].dtype() == dtype; };
    if (part.tensors.size() < 2 ||
        (only_other_dtypes && std::ranges::all_of(part.tensors, has_same_dtype)))
      continue;
    for (const size_t i : part.tensors) names.push_back(tensors[i].first);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace fx
