#include "fx/importers/onnx/read_onnx.h"
#include "fx/importers/onnx/read_rows/rows_internal.h"
#include "fx/importers/onnx/row_call_internal.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace fx {
namespace onnx::reader {
namespace {

using RowsByOperator =
    absl::flat_hash_map<std::pair<std::string_view, std::string_view>, std::vector<const Row*>>;

/// The opsets that introduced the operators whose rows set Row::bidirectional.
struct FirstOpset {
  std::string_view name;
  int opset;
};
constexpr FirstOpset kFirstOpsets[] = {
    {"Acosh", 9}, {"Asinh", 9},        {"Atanh", 9},           {"BitwiseNot", 18},
    {"Cosh", 9},  {"Erf", 9},          {"GreaterOrEqual", 12}, {"HardSwish", 14},
    {"IsNaN", 9}, {"LessOrEqual", 12}, {"Round", 11},          {"Sinh", 9},
};

int first_opset(std::string_view name) {
  for (const FirstOpset& row : kFirstOpsets)
    if (row.name == name) return row.opset;
  return 1;
}

const RowsByOperator& rows_by_operator() {
  static const auto* const kRows = [] {
    auto* rows = new RowsByOperator();
    for (const onnx::Row* shared : bidirectional_rows())
      (*rows)[{"", shared->name}].push_back(
          new Row{shared->name, one_to_one, first_opset(shared->name)});
    for (const auto family : kRowFamilies)
      for (const Row& row : family()) (*rows)[{row.domain, row.name}].push_back(&row);
    return rows;
  }();
  return *kRows;
}

}  // namespace

const Row* find_row(std::string_view domain, std::string_view name, int opset) {
  const auto found = rows_by_operator().find(std::pair(domain, name));
  if (found == rows_by_operator().end()) return nullptr;
  for (const Row* row : found->second)
    if (opset >= row->first && opset <= row->last) return row;
  return nullptr;
}

Val as_signed(Call& c, Val x) {
  const DType dtype = c.dtype(x);
  const bool is_wide =
      dtype == DType::kUInt16 || dtype == DType::kUInt32 || dtype == DType::kUInt64;
  return is_wide ? c.cast(x, DType::kInt64) : x;
}

Val on_integers(Call& c, std::string_view target, Val a, Val b,
                std::initializer_list<Kwarg> kwargs) {
  const DType dtype = c.dtype(a);
  const Val y = c.op(target, {as_signed(c, a), as_signed(c, b)}, kwargs);
  return c.dtype(y) == DType::kInt64 ? c.cast(y, dtype) : y;
}

Val on_inputs(Call& c, std::string_view target) {
  const Val a = c.in(0), b = c.in(1);
  return on_integers(c, target, a, b);
}

void one_to_one(Call& c) {
  if (compute_test(c)) return;
  for (const onnx::Row* shared : bidirectional_rows()) {
    if (shared->name != c.proto().op_type) continue;
    const bool is_exact = c.proto().op_type == "BitwiseNot";
    if (!is_exact && c.dtype(c.in(0)) == DType::kUInt64) return c.fail("uint64 is not supported");
    if (c.num_inputs() == 2) return c.result(on_inputs(c, shared->op));
    const Val x = c.in(0), y = c.op(shared->op, {as_signed(c, x)});
    const bool is_integer = c.num_inputs() == 1 && c.dtype(y) == DType::kInt64;
    if (c.num_inputs() > 2) return c.fail_invalid("it must have one or two inputs");
    return c.result(is_integer ? c.cast(y, c.dtype(x)) : y);
  }
}

}  // namespace onnx::reader

std::vector<OnnxReadOperator> onnx_read_operators() {
  std::vector<OnnxReadOperator> all;
  for (const auto& [key, rows] : onnx::reader::rows_by_operator()) {
    for (const onnx::reader::Row* row : rows) {
      const bool is_onnx = key.first.empty();
      all.push_back({key.second, key.first,
                     is_onnx ? std::max(row->first, kMinReadOnnxOpset) : row->first,
                     is_onnx ? std::min(row->last, kMaxReadOnnxOpset) : row->last});
    }
  }
  std::ranges::sort(all, {}, [](const OnnxReadOperator& op) {
    return std::tuple(op.domain, op.name, op.first_opset);
  });
  return all;
}

}  // namespace fx
