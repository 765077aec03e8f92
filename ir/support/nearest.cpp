#include "fx/ir/support/nearest.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace fx {

std::string_view nearest_name(std::string_view name,
                              absl::Span<const std::string_view> candidates) {
  const llvm::StringRef wanted(name.data(), name.size());
  const auto limit = static_cast<unsigned>((name.size() + 1) / 3);
  unsigned least = limit + 1;
  std::string_view nearest;
  for (const std::string_view candidate : candidates) {
    const unsigned distance = wanted.edit_distance({candidate.data(), candidate.size()},
                                                   /*AllowReplacements=*/true, limit);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  if (!nearest.empty() || name.size() < 3) return nearest;
  const auto* const begins = std::ranges::find_if(
      candidates, [&](std::string_view candidate) { return candidate.starts_with(name); });
  return begins == candidates.end() ? std::string_view() : *begins;
}

std::string did_you_mean(std::string_view name, absl::Span<const std::string_view> candidates) {
  const std::string_view nearest = nearest_name(name, candidates);
  return nearest.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", nearest);
}

}  // namespace fx
