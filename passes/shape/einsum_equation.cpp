// EinsumEquation: see einsum_equation.h.
#include "fx/passes/shape/einsum_equation.h"

#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace fx {
namespace {

constexpr int kNumLabels = 52;
constexpr int kEllipsis = -2;
constexpr size_t kNoDim = SIZE_MAX;

/// Returns the index of a letter in einsum's order of labels: A-Z, then a-z; -1 for other
/// characters.
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
      return absl::InvalidArgumentError(fmt::format(
          "einsum: '{}' is not a valid subscript; subscripts must be in [a-zA-Z]", text[i]));
    }
    labels.push_back(label);
  }
  return labels;
}

/// Parses an equation: see EinsumEquation.
class EinsumParser {
 public:
  EinsumParser() { dim_of_label_.fill(kNoDim); }
  absl::StatusOr<EinsumEquation> parse(std::string_view equation, absl::Span<const size_t> ranks);

 private:
  absl::Status parse_operands(std::string_view left, absl::Span<const size_t> ranks);
  absl::Status parse_operand(std::string_view text, size_t rank);
  absl::Status add_result_dims(std::string_view right);
  void add_labels_that_occur_once();
  void add_remaining_dims();
  void add_dim(int label);
  std::vector<size_t> dims_of(const Subscripts& labels, size_t rank) const;
  size_t& dim_of(int label) { return dim_of_label_[static_cast<size_t>(label)]; }

  std::vector<Subscripts> subscripts_;     // of each operand
  std::array<int, kNumLabels> uses_ = {};  // the number of times that each label occurs in operands
  size_t ellipsis_rank_ = 0;               // the maximum number of dimensions that `...` stands for
  bool has_ellipsis_ = false;
  std::array<size_t, kNumLabels> dim_of_label_;  // the dimension of each label in the products
  size_t first_ellipsis_dim_ = kNoDim;
  size_t rank_ = 0;
};

absl::StatusOr<EinsumEquation> EinsumParser::parse(std::string_view equation,
                                                   absl::Span<const size_t> ranks) {
  const size_t arrow = equation.find("->");
  FX_RETURN_IF_ERROR(parse_operands(equation.substr(0, arrow), ranks));
  if (arrow == std::string_view::npos)
    add_labels_that_occur_once();
  else
    FX_RETURN_IF_ERROR(add_result_dims(equation.substr(arrow + 2)));
  EinsumEquation result;
  result.num_results = rank_;
  add_remaining_dims();
  result.rank = rank_;
  for (size_t i = 0; i < ranks.size(); ++i)
    result.dims.push_back(dims_of(subscripts_[i], ranks[i]));
  return result;
}

absl::Status EinsumParser::parse_operands(std::string_view left, absl::Span<const size_t> ranks) {
  if (ranks.empty()) return absl::InvalidArgumentError("einsum: at least one operand is required");
  for (const size_t rank : ranks) {
    if (left.data() == nullptr) {
      return absl::InvalidArgumentError(
          "einsum: the equation has fewer subscripts than there are operands");
    }
    const size_t comma = left.find(',');
    FX_RETURN_IF_ERROR(parse_operand(left.substr(0, comma), rank));
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
  }
  if (left.data() == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "einsum: the equation has more subscripts than there are operands");
}

absl::Status EinsumParser::parse_operand(std::string_view text, size_t rank) {
  absl::StatusOr<Subscripts> labels = parse_subscripts(text);
  FX_RETURN_IF_ERROR(labels.status());
  const bool has_ellipsis = std::ranges::find(*labels, kEllipsis) != labels->end();
  const size_t named = labels->size() - (has_ellipsis ? 1 : 0);
  if (named > rank || (!has_ellipsis && named != rank)) {
    return absl::InvalidArgumentError(fmt::format(
        "einsum: the number of subscripts, {}, does not match an operand of rank {}", named, rank));
  }
  if (has_ellipsis) {
    has_ellipsis_ = true;
    ellipsis_rank_ = std::max(ellipsis_rank_, rank - named);
  }
  for (const int label : *labels)
    if (label != kEllipsis) ++uses_[static_cast<size_t>(label)];
  subscripts_.push_back(*std::move(labels));
  return absl::OkStatus();
}

void EinsumParser::add_dim(int label) {
  if (label == kEllipsis) {
    first_ellipsis_dim_ = rank_;
    rank_ += ellipsis_rank_;
  } else {
    dim_of(label) = rank_++;
  }
}

void EinsumParser::add_labels_that_occur_once() {
  if (has_ellipsis_) add_dim(kEllipsis);
  for (int label = 0; label < kNumLabels; ++label)
    if (uses_[static_cast<size_t>(label)] == 1) add_dim(label);
}

absl::Status EinsumParser::add_result_dims(std::string_view right) {
  const absl::StatusOr<Subscripts> labels = parse_subscripts(right);
  FX_RETURN_IF_ERROR(labels.status());
  for (const int label : *labels) {
    if (label != kEllipsis && uses_[static_cast<size_t>(label)] == 0)
      return absl::InvalidArgumentError(
          "einsum: an output subscript does not appear in any operand");
    if (label != kEllipsis && dim_of(label) != kNoDim)
      return absl::InvalidArgumentError("einsum: an output subscript appears more than once");
    add_dim(label);
  }
  return absl::OkStatus();
}

void EinsumParser::add_remaining_dims() {
  if (has_ellipsis_ && first_ellipsis_dim_ == kNoDim) add_dim(kEllipsis);
  for (int label = 0; label < kNumLabels; ++label)
    if (uses_[static_cast<size_t>(label)] > 0 && dim_of(label) == kNoDim) add_dim(label);
}

std::vector<size_t> EinsumParser::dims_of(const Subscripts& labels, size_t rank) const {
  std::vector<size_t> places;
  for (const int label : labels) {
    if (label != kEllipsis) {
      places.push_back(dim_of_label_[static_cast<size_t>(label)]);
      continue;
    }
    const size_t num_ellipsis_dims = rank + 1 - labels.size();
    for (size_t i = ellipsis_rank_ - num_ellipsis_dims; i < ellipsis_rank_; ++i)
      places.push_back(first_ellipsis_dim_ + i);
  }
  return places;
}

}  // namespace

absl::StatusOr<EinsumEquation> EinsumEquation::parse(std::string_view equation,
                                                     absl::Span<const size_t> ranks) {
  return EinsumParser().parse(equation, ranks);
}

absl::StatusOr<std::vector<std::pair<size_t, size_t>>> einsum_order(
    size_t num_operands, std::optional<absl::Span<const int64_t>> path) {
  const size_t count = num_operands == 0 ? 0 : num_operands - 1;
  const size_t expected = num_operands == 1 ? 1 : 2 * count;
  if (path && path->size() != expected) {
    return absl::InvalidArgumentError(fmt::format("einsum: the path must have {}, but has {}",
                                                  pluralize(expected, "number"), path->size()));
  }
  std::vector<std::pair<size_t, size_t>> order;
  for (size_t i = 0; i < count; ++i) {
    const size_t remaining =
        num_operands - i;  // after the first step, the last is the previous product
    if (!path) {
      order.push_back(i == 0 ? std::pair<size_t, size_t>(0, 1)
                             : std::pair<size_t, size_t>(remaining - 1, 0));
      continue;
    }
    const auto [low, high] = std::minmax((*path)[2 * i], (*path)[2 * i + 1]);
    if (low < 0 || low == high || high >= static_cast<int64_t>(remaining)) {
      return absl::InvalidArgumentError(
          fmt::format("einsum: the path contracts operands {} and {}, but they must be different "
                      "and in [0, {})",
                      low, high, remaining));
    }
    order.emplace_back(static_cast<size_t>(low), static_cast<size_t>(high));
  }
  return order;
}

}  // namespace fx
