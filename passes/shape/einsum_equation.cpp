// EinsumEquation: see einsum_equation.h.
#include "fx/passes/shape/einsum_equation.h"

#include "fx/ir/support/status.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace fx {
namespace {

constexpr int kLabels = 52;
constexpr int kEllipsis = -2;
constexpr size_t kNoPlace = SIZE_MAX;

/// Returns the position of a letter in einsum's order of labels: A-Z, then a-z; -1
/// for other characters.
int label_of(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  return -1;
}

/// The labels of one operand; kEllipsis for `...`.
using Subscripts = std::vector<int>;

absl::StatusOr<Subscripts> parse_subscripts(std::string_view text) {
  Subscripts labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text.substr(i).starts_with("...")) {
      if (std::ranges::find(labels, kEllipsis) != labels.end())
        return absl::InvalidArgumentError("einsum: an operand has more than one '...'");
      labels.push_back(kEllipsis);
      i += 2;
      continue;
    }
    const int label = label_of(text[i]);
    if (label < 0) {
      return absl::InvalidArgumentError(
          fmt::format("einsum: '{}' is not a valid subscript, which must be in [a-zA-Z]", text[i]));
    }
    labels.push_back(label);
  }
  return labels;
}

/// Reads an equation: see EinsumEquation.
class Reader {
 public:
  Reader() { place_.fill(kNoPlace); }
  absl::StatusOr<EinsumEquation> read(std::string_view equation, absl::Span<const size_t> ranks);

 private:
  absl::Status read_operands(std::string_view left, absl::Span<const size_t> ranks);
  absl::Status read_operand(std::string_view text, size_t rank);
  absl::Status place_results(std::string_view right);
  void place_labels_that_occur_once();
  void place_others();
  void place(int label);
  std::vector<size_t> places_of(const Subscripts& labels, size_t rank) const;
  size_t& place_of(int label) { return place_[static_cast<size_t>(label)]; }

  std::vector<Subscripts> subscripts_;  // of each operand
  std::array<int, kLabels> uses_ = {};  // the number of times that each label occurs in operands
  size_t num_dots_ = 0;                 // the dimensions of `...`
  bool has_ellipsis_ = false;
  std::array<size_t, kLabels> place_;  // of each label, in the products
  size_t dots_place_ = kNoPlace;
  size_t rank_ = 0;
};

absl::StatusOr<EinsumEquation> Reader::read(std::string_view equation,
                                            absl::Span<const size_t> ranks) {
  const size_t arrow = equation.find("->");
  FX_RETURN_IF_ERROR(read_operands(equation.substr(0, arrow), ranks));
  if (arrow == std::string_view::npos)
    place_labels_that_occur_once();
  else
    FX_RETURN_IF_ERROR(place_results(equation.substr(arrow + 2)));
  EinsumEquation result;
  result.num_results = rank_;
  place_others();
  result.rank = rank_;
  for (size_t i = 0; i < ranks.size(); ++i)
    result.places.push_back(places_of(subscripts_[i], ranks[i]));
  return result;
}

absl::Status Reader::read_operands(std::string_view left, absl::Span<const size_t> ranks) {
  if (ranks.empty()) return absl::InvalidArgumentError("einsum: at least one operand is required");
  for (const size_t rank : ranks) {
    if (left.data() == nullptr) {
      return absl::InvalidArgumentError(
          "einsum: the equation has fewer subscripts than there are operands");
    }
    const size_t comma = left.find(',');
    FX_RETURN_IF_ERROR(read_operand(left.substr(0, comma), rank));
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
  }
  if (left.data() == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "einsum: the equation has more subscripts than there are operands");
}

absl::Status Reader::read_operand(std::string_view text, size_t rank) {
  absl::StatusOr<Subscripts> labels = parse_subscripts(text);
  FX_RETURN_IF_ERROR(labels.status());
  const bool has_dots = std::ranges::find(*labels, kEllipsis) != labels->end();
  const size_t named = labels->size() - (has_dots ? 1 : 0);
  if (named > rank || (!has_dots && named != rank)) {
    return absl::InvalidArgumentError(fmt::format(
        "einsum: the number of subscripts, {}, does not match an operand of rank {}", named, rank));
  }
  if (has_dots) {
    has_ellipsis_ = true;
    num_dots_ = std::max(num_dots_, rank - named);
  }
  for (const int label : *labels)
    if (label != kEllipsis) ++uses_[static_cast<size_t>(label)];
  subscripts_.push_back(*std::move(labels));
  return absl::OkStatus();
}

void Reader::place(int label) {
  if (label == kEllipsis) {
    dots_place_ = rank_;
    rank_ += num_dots_;
  } else {
    place_of(label) = rank_++;
  }
}

void Reader::place_labels_that_occur_once() {
  if (has_ellipsis_) place(kEllipsis);
  for (int label = 0; label < kLabels; ++label)
    if (uses_[static_cast<size_t>(label)] == 1) place(label);
}

absl::Status Reader::place_results(std::string_view right) {
  const absl::StatusOr<Subscripts> labels = parse_subscripts(right);
  FX_RETURN_IF_ERROR(labels.status());
  for (const int label : *labels) {
    if (label != kEllipsis && uses_[static_cast<size_t>(label)] == 0)
      return absl::InvalidArgumentError(
          "einsum: an output subscript does not appear in any operand");
    if (label != kEllipsis && place_of(label) != kNoPlace)
      return absl::InvalidArgumentError("einsum: an output subscript appears more than once");
    place(label);
  }
  return absl::OkStatus();
}

void Reader::place_others() {
  if (has_ellipsis_ && dots_place_ == kNoPlace) place(kEllipsis);
  for (int label = 0; label < kLabels; ++label)
    if (uses_[static_cast<size_t>(label)] > 0 && place_of(label) == kNoPlace) place(label);
}

std::vector<size_t> Reader::places_of(const Subscripts& labels, size_t rank) const {
  std::vector<size_t> places;
  for (const int label : labels) {
    if (label != kEllipsis) {
      places.push_back(place_[static_cast<size_t>(label)]);
      continue;
    }
    const size_t own_dots = rank + 1 - labels.size();
    for (size_t i = num_dots_ - own_dots; i < num_dots_; ++i) places.push_back(dots_place_ + i);
  }
  return places;
}

}  // namespace

absl::StatusOr<EinsumEquation> EinsumEquation::parse(std::string_view equation,
                                                     absl::Span<const size_t> ranks) {
  return Reader().read(equation, ranks);
}

absl::StatusOr<std::vector<std::pair<size_t, size_t>>> einsum_order(
    size_t num_operands, std::optional<absl::Span<const int64_t>> path) {
  const size_t count = num_operands == 0 ? 0 : num_operands - 1;
  const size_t expected = num_operands == 1 ? 1 : 2 * count;
  if (path && path->size() != expected) {
    return absl::InvalidArgumentError(
        fmt::format("einsum: the path must have {} numbers, but has {}", expected, path->size()));
  }
  std::vector<std::pair<size_t, size_t>> order;
  for (size_t i = 0; i < count; ++i) {
    const size_t left = num_operands - i;  // the last of them is the product, except at the start
    if (!path) {
      order.push_back(i == 0 ? std::pair<size_t, size_t>(0, 1)
                             : std::pair<size_t, size_t>(left - 1, 0));
      continue;
    }
    const auto [low, high] = std::minmax((*path)[2 * i], (*path)[2 * i + 1]);
    if (low < 0 || low == high || high >= static_cast<int64_t>(left)) {
      return absl::InvalidArgumentError(
          fmt::format("einsum: the path multiplies operands {} and {} of {}", low, high, left));
    }
    order.emplace_back(static_cast<size_t>(low), static_cast<size_t>(high));
  }
  return order;
}

}  // namespace fx
