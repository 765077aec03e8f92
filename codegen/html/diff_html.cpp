#include "fx/codegen/html/diff_html.h"

#include "fx/codegen/escape.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/text/text.h"

#include "absl/types/span.h"
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace fx {
namespace {

using Lines = std::vector<std::string_view>;
constexpr ptrdiff_t kMaxEdits = 2000;

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A run of `count` equal lines, starting at left[from_left] and right[from_right].
struct Match {
  size_t from_left, from_right, count;
};

/// Computes the longest common subsequence with the greedy algorithm of Myers, An O(ND) Difference
/// Algorithm and Its Variations, 1986. Diagonal k contains the points (x, y) with x - y = k, where
/// x and y count lines of the left and the right text.
class Myers {
 public:
  Myers(absl::Span<const std::string_view> left, absl::Span<const std::string_view> right)
      : left_(left),
        right_(right),
        n_(static_cast<ptrdiff_t>(left.size())),
        m_(static_cast<ptrdiff_t>(right.size())) {}

  /// Returns the matches in order; std::nullopt if they require more than kMaxEdits edits.
  std::optional<std::vector<Match>> run() {
    const ptrdiff_t limit = std::min(n_ + m_, kMaxEdits);
    for (ptrdiff_t d = 0; d <= limit; ++d)
      if (extend(d)) return matches(d);
    return std::nullopt;
  }

 private:
  /// A step from d - 1 to d edits: the first x on diagonal k after an insertion (down) or a
  /// deletion.
  struct Start {
    ptrdiff_t x;
    bool down;
  };

  Start start_of(ptrdiff_t d, ptrdiff_t k) const {
    if (d == 0) return {0, true};
    const std::vector<ptrdiff_t>& previous = reached_[static_cast<size_t>(d - 1)];
    const auto reached_on = [&](ptrdiff_t diagonal) {
      return previous[static_cast<size_t>((diagonal + d - 1) / 2)];
    };
    const bool down = k == -d || (k != d && reached_on(k - 1) < reached_on(k + 1));
    return {down ? reached_on(k + 1) : reached_on(k - 1) + 1, down};
  }

  /// Returns the x after the equal lines that start at x on diagonal k.
  ptrdiff_t slide(ptrdiff_t x, ptrdiff_t k) const {
    while (x < n_ && x - k < m_ &&
           left_[static_cast<size_t>(x)] == right_[static_cast<size_t>(x - k)])
      ++x;
    return x;
  }

  /// Computes the points for d edits. Returns true if they reach the end of both texts.
  bool extend(ptrdiff_t d) {
    std::vector<ptrdiff_t>& row = reached_.emplace_back();
    row.reserve(static_cast<size_t>(d + 1));
    for (ptrdiff_t k = -d; k <= d; k += 2) {
      row.push_back(slide(start_of(d, k).x, k));
      if (row.back() >= n_ && row.back() - k >= m_) return true;
    }
    return false;
  }

  /// Returns the matches on the path from the start to the end, which requires d edits.
  std::vector<Match> matches(ptrdiff_t d) const {
    std::vector<Match> matches;
    ptrdiff_t k = n_ - m_, x = n_;
    for (;; --d) {
      const Start start = start_of(d, k);
      if (x > start.x) {
        matches.push_back({static_cast<size_t>(start.x), static_cast<size_t>(start.x - k),
                           static_cast<size_t>(x - start.x)});
      }
      if (d == 0) break;
      x = start.down ? start.x : start.x - 1;
      k += start.down ? 1 : -1;
    }
    std::ranges::reverse(matches);
    return matches;
  }

  absl::Span<const std::string_view> left_, right_;
  const ptrdiff_t n_, m_;
  /// For each number of edits d, the furthest x on the diagonals -d, -d + 2, ..., d.
  std::vector<std::vector<ptrdiff_t>> reached_;
};

/// Returns the matches of two texts: the equal lines at both ends and, unless they differ in more
/// than kMaxEdits lines, the longest common subsequence of the lines between them.
std::vector<Match> match_all(const Lines& left, const Lines& right) {
  const size_t shorter = std::min(left.size(), right.size());
  size_t head = 0, tail = 0;
  while (head < shorter && left[head] == right[head]) ++head;
  while (tail < shorter - head && left[left.size() - 1 - tail] == right[right.size() - 1 - tail])
    ++tail;
  std::vector<Match> matches;
  if (head > 0) matches.push_back({0, 0, head});
  const auto middle = [&](const Lines& lines) {
    return absl::MakeConstSpan(lines).subspan(head, lines.size() - head - tail);
  };
  if (const auto inner = Myers(middle(left), middle(right)).run()) {
    for (const Match& match : *inner)
      matches.push_back({match.from_left + head, match.from_right + head, match.count});
  }
  if (tail > 0) matches.push_back({left.size() - tail, right.size() - tail, tail});
  return matches;
}

constexpr std::string_view kStyle = R"(
body { font-family: Helvetica, Arial, sans-serif; margin: 1.5em; color: #222; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
td { font-family: monospace; font-size: 12px; padding: 1px 6px; vertical-align: top;
     white-space: pre-wrap; overflow-wrap: anywhere; }
td.n { width: 3.5em; color: #777; text-align: right; }
td.left { background: #f5c469; border-left: 3px dashed #8a4500; }
td.right { background: #cfe5f6; border-left: 3px solid #0072b2; }
tr.fold td { color: #777; text-align: center; border: 1px solid #ddd; }
)";

class Page {
 public:
  Page(const Lines& left, const Lines& right, size_t context)
      : left_(left), right_(right), context_(context) {}

  std::string rows() {
    size_t from_left = 0, from_right = 0;
    const std::vector<Match> matches = match_all(left_, right_);
    for (size_t i = 0; i < matches.size(); ++i) {
      differing(from_left, matches[i].from_left, from_right, matches[i].from_right);
      equal(matches[i], matches[i].from_left > 0 || matches[i].from_right > 0,
            i + 1 < matches.size() || matches[i].from_left + matches[i].count < left_.size() ||
                matches[i].from_right + matches[i].count < right_.size());
      from_left = matches[i].from_left + matches[i].count;
      from_right = matches[i].from_right + matches[i].count;
    }
    differing(from_left, left_.size(), from_right, right_.size());
    return std::move(rows_);
  }
  size_t removed() const { return removed_; }
  size_t added() const { return added_; }

 private:
  void cell(const Lines& lines, size_t i, size_t end, std::string_view kind,
            std::string_view mark) {
    if (i >= end) {
      rows_ += "<td class=\"n\"></td><td></td>";
      return;
    }
    rows_ += fmt::format("<td class=\"n\">{}</td><td class=\"{}\">{} {}</td>", i + 1, kind, mark,
                         escape_xml(lines[i]));
  }

  void differing(size_t left, size_t left_end, size_t right, size_t right_end) {
    removed_ += left_end - left;
    added_ += right_end - right;
    for (; left < left_end || right < right_end; ++left, ++right) {
      rows_ += "<tr>";
      cell(left_, left, left_end, "left", "-");
      cell(right_, right, right_end, "right", "+");
      rows_ += "</tr>\n";
    }
  }

  void equal(const Match& match, bool after_difference, bool before_difference) {
    const size_t head = after_difference ? std::min(context_, match.count) : 0;
    const size_t tail = before_difference ? std::min(context_, match.count - head) : 0;
    for (size_t i = 0; i < match.count; ++i) {
      if (i == head && i + tail < match.count) {
        const size_t folded = match.count - head - tail;
        rows_ += fmt::format("<tr class=\"fold\"><td colspan=\"4\">{}</td></tr>\n",
                             pluralize(folded, "equal line"));
        i = match.count - tail;
        if (i == match.count) break;
      }
      rows_ += "<tr>";
      cell(left_, match.from_left + i, left_.size(), "same", " ");
      cell(right_, match.from_right + i, right_.size(), "same", " ");
      rows_ += "</tr>\n";
    }
  }

  const Lines &left_, &right_;
  size_t context_;
  size_t removed_ = 0, added_ = 0;
  std::string rows_;
};

}  // namespace

std::string diff_html(const Graph& left, const Graph& right, const DiffHtmlOptions& options) {
  const PrintOptions print_options = {
      .preset = options.ignore.ignore_names ? PrintPreset::kCanonical : PrintPreset::kFx,
      .types = !options.ignore.ignore_types,
      .meta = !options.ignore.ignore_meta};
  const std::string texts[] = {print(left, print_options), print(right, print_options)};
  const Lines left_lines = split_lines(texts[0]), right_lines = split_lines(texts[1]);
  Page page(left_lines, right_lines, options.context);
  const std::string rows = page.rows();
  const auto first = first_difference(left, right, options.ignore);
  const std::string names[] = {escape_xml(options.left_name), escape_xml(options.right_name)};
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>{0} vs. {1}</title>\n<style>{2}</style>\n</head>\n<body>\n"
      "<h1>{0} vs. {1}</h1>\n<p>{3}</p>\n<p>{4} only on the left, {5} only on the "
      "right</p>\n<table>\n{6}</table>\n</body>\n</html>\n",
      names[0], names[1], kStyle,
      first ? escape_xml(first->message) : std::string("The graphs are equal."),
      pluralize(page.removed(), "line"), page.added(), rows);
}

}  // namespace fx
