// as_strided: views of elements by their offsets in memory.
#include "fx/ir/types/strides.h"
#include "fx/passes/autodiff/rules_internal.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The memory that contains an operand and a view of it with the given sizes and strides. Offsets
/// count from the first element of this memory.
struct Memory {
  std::vector<int64_t> operand_sizes, operand_strides, sizes, strides;
  int64_t operand_begin = 0, begin = 0, count = 0;
};

std::vector<int64_t> numbers_of(absl::Span<const Dim> dims) {
  std::vector<int64_t> values;
  values.reserve(dims.size());
  for (const Dim& dim : dims) values.push_back(dim.value());
  return values;
}

/// Rejects a call if the sizes, strides or storage offsets of the operand or the view are unknown.
Memory memory_of(D& d) {
  Memory memory;
  const Type from = d.type(d("self"));
  const auto is_int = [](const Dim& dim) { return dim.is_int(); };
  const bool is_known =
      from.has_strides() && from.offset().is_int() && std::ranges::all_of(from.sizes(), is_int) &&
      std::ranges::all_of(from.strides(), is_int) && !d.argument("storage_offset").is_node();
  if (!is_known) d.reject("sizes, strides and storage offsets must be known");
  if (!d.status().ok()) return memory;
  const auto end_of = [](int64_t offset, const std::vector<int64_t>& sizes,
                         const std::vector<int64_t>& strides) {
    for (size_t i = 0; i < sizes.size(); ++i)
      offset += std::max<int64_t>(sizes[i] - 1, 0) * strides[i];
    return offset + 1;
  };
  const int64_t offset = from.offset().value();
  const int64_t begin = d.is_none("storage_offset") ? offset : d.integer("storage_offset");
  const int64_t base = std::min(offset, begin);
  memory.operand_sizes = numbers_of(from.sizes());
  memory.operand_strides = numbers_of(from.strides());
  memory.sizes = d.integers("size");
  memory.strides = d.integers("stride");
  memory.count = std::max(end_of(offset, memory.operand_sizes, memory.operand_strides),
                          end_of(begin, memory.sizes, memory.strides)) -
                 base;
  memory.operand_begin = offset - base;
  memory.begin = begin - base;
  return memory;
}

Proxy offsets_of_view(D& d, const Memory& m) {
  const Proxy all = d.iota(ScalarArg(m.count), d("self"));
  const Proxy view =
      d.emit("aten.as_strided.default", {all, IntList(m.sizes), IntList(m.strides), m.begin});
  return d.reshape(view, {-1});
}
Proxy offsets_of_operand(D& d, const Memory& m) {
  const Proxy all = d.iota(ScalarArg(m.count), d("self"));
  const Proxy operand =
      d.emit("aten.as_strided.default",
             {all, IntList(m.operand_sizes), IntList(m.operand_strides), m.operand_begin});
  return d.reshape(operand, {-1});
}
/// Returns memory with the values of `x` at these offsets. Values at the same offset are added.
Proxy filled_memory(D& d, const Memory& m, const Proxy& offsets, const Proxy& x) {
  return d.emit("aten.index_add.default", {d.zeros({m.count}, x), 0, offsets, d.reshape(x, {-1})});
}

/// The same. Also rejects an operand that is not dense: the view may have elements of its storage
/// that are elements of other tensors.
Memory memory_of_dense(D& d) {
  const Memory memory = memory_of(d);
  if (d.status().ok() && !is_non_overlapping_and_dense(d.type(d("self"))))
    d.reject("the operand must be dense");
  return memory;
}
AnyArg as_strided_grad(D& d) {
  const Memory m = memory_of_dense(d);
  if (!d.status().ok()) return {};
  const Proxy flat = filled_memory(d, m, offsets_of_view(d, m), d.grad());
  return d.emit("aten.as_strided.default",
                {flat, IntList(m.operand_sizes), IntList(m.operand_strides), m.operand_begin});
}
/// Uses the strides of the operand, because those of its tangent may differ.
AnyArg as_strided_tangent(D& d) {
  const Memory m = memory_of_dense(d);
  if (!d.status().ok()) return {};
  const Proxy flat = filled_memory(d, m, offsets_of_operand(d, m), d.tangent("self"));
  return d.reshape(index_select(flat, 0, offsets_of_view(d, m)), {m.sizes.begin(), m.sizes.end()});
}

/// True if the elements of as_strided_scatter's operand are at the offsets 0, 1, 2, ...
bool is_at_start(D& d) {
  const Type operand = d.type(d("self"));
  return is_contiguous(operand) && operand.offset() == Dim(0);
}
/// The memory of as_strided_scatter's operand, which may have gaps. Rejects multiple elements at one
/// address: the write changes all of them.
Memory memory_of_separate(D& d) {
  Memory memory = memory_of(d);
  if (!d.status().ok()) return memory;
  std::vector<std::pair<int64_t, int64_t>> steps;
  for (size_t i = 0; i < memory.operand_sizes.size(); ++i)
    if (memory.operand_sizes[i] > 1)
      steps.emplace_back(memory.operand_strides[i], memory.operand_sizes[i]);
  std::ranges::sort(steps);
  int64_t reach = 0;
  for (const auto& [stride, size] : steps) {
    if (stride <= reach) d.reject("the operand must not have multiple elements at one address");
    reach += stride * (size - 1);
  }
  return memory;
}
/// Returns as_strided_scatter's view of `x`, which has the sizes of the operand but may have other
/// strides. Elements of the view that are not elements of the operand are zero.
Proxy scattered_view(D& d, const Proxy& x) {
  if (is_at_start(d)) {
    return d.emit("aten.as_strided.default",
                  {x.contiguous(), AnyArg(d.argument("size")), AnyArg(d.argument("stride")),
                   AnyArg(d.argument("storage_offset"))});
  }
  const Memory m = memory_of_separate(d);
  if (!d.status().ok()) return {};
  const Proxy memory = filled_memory(d, m, offsets_of_operand(d, m), x);
  return d.emit("aten.as_strided.default", {memory, IntList(m.sizes), IntList(m.strides), m.begin});
}
/// Writes `src` to that view of `x`, and returns all elements of `x`.
Proxy scattered(D& d, const Proxy& x, const Proxy& src) {
  if (is_at_start(d)) return d.call_with({{"self", x.contiguous()}, {"src", src}});
  const Memory m = memory_of_separate(d);
  if (!d.status().ok()) return {};
  const Proxy offsets = offsets_of_operand(d, m);
  const Proxy memory =
      d.emit("aten.as_strided_scatter.default",
             {filled_memory(d, m, offsets, x), src, IntList(m.sizes), IntList(m.strides), m.begin});
  return d.reshape(index_select(memory, 0, offsets),
                   {m.operand_sizes.begin(), m.operand_sizes.end()});
}
/// The gradient is zero where elements are overwritten. libtorch's autograd does the reverse for
/// this operator, but not for the write to a view that it stands for after functionalization.
AnyArg as_strided_scatter_self(D& d) { return scattered(d, d.grad(), zeros_like(d("src"))); }
AnyArg as_strided_scatter_tangent(D& d) {
  return scattered(d, d.tangent_or_zeros("self"), d.tangent_or_zeros("src"));
}

}  // namespace

absl::Span<const DerivativeRow> strided_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.as_strided.default", kFunction, {{"self", as_strided_grad}}, as_strided_tangent},
      {"aten.as_strided_copy.default", kFunction, {{"self", as_strided_grad}}, as_strided_tangent},
      {"aten.as_strided_scatter.default",
       kFunction,
       {{"self", as_strided_scatter_self},
        {"src", [](D& d) { return scattered_view(d, d.grad()); }}},
       as_strided_scatter_tangent},
  };
  return kRows;
}

}  // namespace fx
