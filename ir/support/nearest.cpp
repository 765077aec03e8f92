#include "fx/ir/support/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The number of insertions, deletions, replacements and transpositions of adjacent letters between
/// the strings (the Damerau-Levenshtein distance, optimal string alignment); `limit` + 1 if it is
/// larger. `rows` is scratch space.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit,
                     std::vector<size_t>& rows) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  // Rows of the table: before[j] is the distance between the previous prefix of `a` and the
  // first j letters of `b`.
  const size_t width = b.size() + 1;
  rows.resize(std::max(rows.size(), 3 * width));
  size_t* earlier = rows.data();
  size_t* before = earlier + width;
  size_t* row = before + width;
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(earlier, before);
    std::swap(before, row);
    row[0] = i;
    size_t smallest = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1,
                         before[j - 1] + static_cast<size_t>(a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], earlier[j - 2] + 1);
      smallest = std::min(smallest, row[j]);
    }
    if (smallest > limit) return limit + 1;
  }
  return row[b.size()];
}

/// A cheap lower bound on the distance: the number of letters of the longer text that the other
/// lacks, at any position. `counts` contains the letter counts of `a`.
size_t distance_bound(std::string_view a, std::string_view b, std::array<int, 256>& counts) {
  size_t common = 0;
  for (const char c : b) common += counts[static_cast<unsigned char>(c)]-- > 0 ? 1 : 0;
  for (const char c : b) ++counts[static_cast<unsigned char>(c)];
  return std::max(a.size(), b.size()) - common;
}

/// The first letters of the words in `a_name_like_this`, sorted.
std::string sorted_initials(std::string_view name) {
  std::string letters;
  for (size_t i = 0; i < name.size(); ++i)
    if (name[i] != '_' && (i == 0 || name[i - 1] == '_')) letters += name[i];
  std::ranges::sort(letters);
  return letters;
}

}  // namespace

std::string_view nearest_name(std::string_view name,
                              absl::Span<const std::string_view> candidates) {
  const size_t limit = (name.size() + 1) / 3;
  size_t smallest = limit + 1;
  std::string_view nearest;
  std::vector<size_t> rows;
  std::array<int, 256> counts = {};
  for (const char c : name) ++counts[static_cast<unsigned char>(c)];
  for (const std::string_view candidate : candidates) {
    if (distance_bound(name, candidate, counts) >= smallest) continue;
    const size_t distance = edit_distance(name, candidate, smallest - 1, rows);
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = candidate;
  }
  if (!nearest.empty() || name.size() < 3) return nearest;
  for (const std::string_view candidate : candidates)
    if (candidate.starts_with(name)) return candidate;
  constexpr size_t kMaxInitials = 8;  // longer names are not abbreviations
  if (name.size() > kMaxInitials) return {};
  std::string letters(name);
  std::ranges::sort(letters);
  for (const std::string_view candidate : candidates)
    if (sorted_initials(candidate) == letters) return candidate;
  return {};
}

std::string did_you_mean(std::string_view name, absl::Span<const std::string_view> candidates) {
  const std::string_view nearest = nearest_name(name, candidates);
  return nearest.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", nearest);
}

}  // namespace fx
