// A plain table in the default layout of Python's `tabulate` (its format "simple"), which
// torch.fx's print_tabular() uses.
#pragma once

#include <string>
#include <vector>

namespace fx::text {

struct Cell {
  std::string text;
  bool is_text;  ///< a Python string, which counts as a number if it can be parsed as one
};

struct Table {
  std::vector<std::string> headers;
  std::vector<std::vector<Cell>> rows;  ///< each as long as `headers`
};

/// The lines of the table, without a line break at the end.
std::string format_table(const Table& table);

}  // namespace fx::text
