#include "fx/importers/onnx/onnx.h"
#include "fx/importers/onnx/rows/rows_internal.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>

namespace fx {
namespace onnx {
namespace {

using RowsByName = absl::flat_hash_map<std::string_view, const Row*>;

const RowsByName& rows_by_name() {
  static const auto* const kRows = [] {
    auto* rows = new RowsByName();
    for (const auto family : kRowFamilies)
      for (const Row& row : family()) rows->emplace(row.op, &row);
    return rows;
  }();
  return *kRows;
}

}  // namespace

const Row* find_row(std::string_view op) {
  const auto found = rows_by_name().find(op);
  return found == rows_by_name().end() ? nullptr : found->second;
}

absl::Span<const Row* const> bidirectional_rows() {
  static const auto* const kRows = [] {
    auto* rows = new std::vector<const Row*>();
    for (const auto family : kRowFamilies)
      for (const Row& row : family())
        if (row.bidirectional) rows->push_back(&row);
    return rows;
  }();
  return *kRows;
}

}  // namespace onnx

std::vector<std::string_view> onnx_operators() {
  std::vector<std::string_view> names;
  for (const auto& [name, row] : onnx::rows_by_name()) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

}  // namespace fx
