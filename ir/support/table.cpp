// A plain table: see table.h.
//
// The rules of tabulate that apply here: a column whose strings can all be parsed as numbers is a
// column of numbers, right-aligned with aligned decimal points, and its floats are reformatted;
// other columns are left-aligned and stripped of spaces; a column is at least two characters wider
// than its header; a cell with line breaks results in a row of multiple lines; no line ends in
// spaces.
#include "fx/ir/support/table.h"

#include "fx/ir/support/text_tokens.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace fx::text {
namespace {

enum class ColumnType { kMissing, kBool, kInt, kFloat, kText };

bool is_digit(char c) { return is_class(c, kDigit); }
bool is_python_space(char c) {
  return is_class(c, kSpace) || c == '\v' || c == '\f' || (c >= '\x1c' && c <= '\x1f');
}

std::string_view strip(std::string_view text) {
  while (!text.empty() && is_python_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_python_space(text.back())) text.remove_suffix(1);
  return text;
}

size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

/// Removes leading digits, with single underscores between them; false if none exist.
bool take_digits(std::string_view& text) {
  size_t i = 0;
  while (i < text.size() && (is_digit(text[i]) || (i > 0 && text[i] == '_' && i + 1 < text.size() &&
                                                   is_digit(text[i + 1]) && text[i - 1] != '_')))
    ++i;
  text.remove_prefix(i);
  return i > 0;
}

void take_sign(std::string_view& text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
}

/// True if Python's int() accepts the text.
bool is_int(std::string_view text) {
  text = strip(text);
  take_sign(text);
  return take_digits(text) && text.empty();
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// True, with the value, if Python's float() accepts the text. The only accepted infinities and
/// NaNs are `inf`, `-inf` and `nan`.
bool is_float(std::string_view text, double* value) {
  const std::string lowered = lower(text);
  std::string_view rest = strip(lowered);
  std::string plain;
  std::copy_if(rest.begin(), rest.end(), std::back_inserter(plain),
               [](char c) { return c != '_'; });
  if (lowered == "inf" || lowered == "-inf" || lowered == "nan") {
    *value = std::strtod(plain.c_str(), nullptr);
    return true;
  }
  take_sign(rest);
  const bool whole = take_digits(rest);
  bool fraction = false;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  if (!whole && !fraction) return false;
  if (rest.starts_with('e')) {
    rest.remove_prefix(1);
    take_sign(rest);
    if (!take_digits(rest)) return false;
  }
  if (!rest.empty()) return false;
  *value = std::strtod(plain.c_str(), nullptr);
  return *value - *value == 0;  // finite
}

/// True for `1,000` and `1,000.5`, groups of three digits; `*has_point` distinguishes the two.
bool is_grouped(std::string_view text, bool* has_point) {
  take_sign(text);
  size_t lead = 0;
  while (lead < text.size() && is_digit(text[lead])) ++lead;
  if (lead > 3) return false;
  text.remove_prefix(lead);
  while (lead > 0 && text.size() >= 4 && text[0] == ',' && is_digit(text[1]) && is_digit(text[2]) &&
         is_digit(text[3]))
    text.remove_prefix(4);
  *has_point = text.starts_with('.');
  if (!*has_point) return lead > 0 && text.empty();
  text.remove_prefix(1);
  if (text.empty()) return lead > 0;
  return std::all_of(text.begin(), text.end(), is_digit);
}

ColumnType type_of(const Cell& cell) {
  if (!cell.is_text) return ColumnType::kText;
  const std::string_view text = cell.text;
  if (text.empty()) return ColumnType::kMissing;
  if (text == "True" || text == "False") return ColumnType::kBool;
  bool has_point = false;
  const bool grouped = is_grouped(text, &has_point);
  if (is_int(text) || (grouped && !has_point)) return ColumnType::kInt;
  double value = 0;
  return grouped || is_float(text, &value) ? ColumnType::kFloat : ColumnType::kText;
}

/// The number of characters after the decimal point or, without one, after the exponent's `e`; -1
/// if there is neither.
int after_point(const std::string& text) {
  double value = 0;
  bool has_point = false;
  if (is_int(text) || !(is_float(text, &value) || is_grouped(text, &has_point))) return -1;
  size_t at = text.rfind('.');
  if (at == std::string::npos) at = lower(text).rfind('e');
  return at == std::string::npos ? -1 : static_cast<int>(text.size() - at - 1);
}

/// The lines of a cell; one empty line for an empty cell.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.size(), text.find_first_of("\r\n"));
    lines.push_back(text.substr(0, end));
    const bool both = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(text.size(), end + (both ? 2 : 1)));
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

struct Column {
  bool right = false;
  size_t width = 0;
  std::vector<std::string> cells;  // printed, not yet padded
};

Column make_column(const Table& table, size_t index) {
  Column column;
  ColumnType type = ColumnType::kBool;
  for (const auto& row : table.rows) type = std::max(type, type_of(row[index]));
  column.right = type == ColumnType::kInt || type == ColumnType::kFloat;
  for (const auto& row : table.rows) {
    const std::string& text = row[index].text;
    std::string cell = column.right ? text : std::string(strip(text));
    if (type == ColumnType::kFloat && !text.empty()) {
      std::string digits = text;
      std::erase(digits, ',');
      double value = 0;
      char buffer[64];
      if (is_float(digits, &value)) {
        std::snprintf(buffer, sizeof buffer, "%g", value);
        cell = buffer;
      }
    }
    column.cells.push_back(std::move(cell));
  }
  if (column.right) {
    int max_digits = -1;
    for (const std::string& cell : column.cells)
      max_digits = std::max(max_digits, after_point(cell));
    for (std::string& cell : column.cells)
      cell.append(static_cast<size_t>(max_digits - after_point(cell)), ' ');
  }
  column.width = width_of(table.headers[index]) + 2;
  for (const std::string& cell : column.cells)
    for (const std::string_view line : lines_of(cell))
      column.width = std::max(column.width, width_of(line));
  return column;
}

void append_padded(std::string& out, std::string_view text, const Column& column) {
  const size_t blanks = column.width - width_of(text);
  if (column.right) out.append(blanks, ' ');
  out += text;
  if (!column.right) out.append(blanks, ' ');
}

void end_line(std::string& out, size_t start) {
  while (out.size() > start && is_python_space(out.back())) out.pop_back();
  out += '\n';
}

}  // namespace

std::string format_table(const Table& table) {
  std::vector<Column> columns;
  columns.reserve(table.headers.size());
  for (size_t i = 0; i < table.headers.size(); ++i) columns.push_back(make_column(table, i));
  std::string out;
  const auto line = [&](auto&& append_cell) {
    const size_t start = out.size();
    for (size_t i = 0; i < columns.size(); ++i) {
      if (i) out += "  ";
      append_cell(i);
    }
    end_line(out, start);
  };
  line([&](size_t i) { append_padded(out, table.headers[i], columns[i]); });
  line([&](size_t i) { out.append(columns[i].width, '-'); });
  for (size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<std::vector<std::string_view>> cells;
    size_t height = 1;
    for (const Column& column : columns) {
      cells.push_back(lines_of(column.cells[row]));
      height = std::max(height, cells.back().size());
    }
    for (size_t k = 0; k < height; ++k) {
      line([&](size_t i) {
        append_padded(out, k < cells[i].size() ? cells[i][k] : std::string_view(), columns[i]);
      });
    }
  }
  out.pop_back();
  return out;
}

}  // namespace fx::text
