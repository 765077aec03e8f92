// The predicates that requirements consist of, and the table of requirements: see
// requirements_internal.h.
#include "fx/ir/ops/registry.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <algorithm>
#include <string>

namespace fx::shape {
namespace {

using Table = absl::flat_hash_map<const ops::OpInfo*, RequirementFunction>;

Table make_requirement_table() {
  Table table;
  for (absl::Span<const Requirement> family :
       {backward_requirements(), index_requirements(), linalg_requirements(), norm_requirements(),
        number_requirements(), pool_requirements(), random_requirements(),
        reduction_requirements()}) {
    for (const Requirement& row : family) {
      const ops::OpInfo* op = ops::find_op(row.op);
      FX_CHECK(op, fmt::format("a requirement names the unknown operator {}", row.op));
      FX_CHECK(table.emplace(op, row.holds).second, fmt::format("{} has two requirements", row.op));
    }
  }
  return table;
}

/// Fails the call and returns false. `expected` completes "argument NAME must be".
[[gnu::cold, gnu::noinline]] bool reject(TypeCall& call, int i, std::string_view expected) {
  call.fail_argument(i, expected);
  return false;
}

Dim size_from(Type tensor, int d) {
  return tensor.sizes()[static_cast<size_t>(d < 0 ? tensor.rank() + d : d)];
}

std::string sizes_text(absl::Span<const Dim> sizes) {
  std::string text;
  for (const Dim& size : sizes) text += (text.empty() ? "" : ", ") + to_string(size);
  return "[" + text + "]";
}

/// Calls f(number) for a number, or for each item of a list, until it returns false. Skips numbers
/// of unknown value. Returns false if a call to f did.
template <typename F>
bool all_numbers(const TypeArgument& value, F f) {
  if (!value.is_sequence()) {
    const auto number = value.as_float();
    return !number || f(*number);
  }
  const size_t count = value.size();
  for (size_t i = 0; i < count; ++i)
    if (const auto number = value[i].as_float(); number && !f(*number)) return false;
  return true;
}

}  // namespace

RequirementFunction find_requirement(const ops::OpInfo& functional) {
  static const Table* table = new Table(make_requirement_table());
  const auto it = table->find(&functional);
  return it == table->end() ? nullptr : it->second;
}

bool has_rank(TypeCall& call, int i, int min_rank, int max_rank) {
  const Type tensor = call.tensor(i);
  if (!tensor.is_tensor() || (tensor.rank() >= min_rank && tensor.rank() <= max_rank)) return true;
  if (max_rank == kAnyRank)
    return reject(call, i, fmt::format("a tensor of rank {} or more", min_rank));
  return reject(call, i,
                min_rank == max_rank
                    ? fmt::format("a tensor of rank {}", min_rank)
                    : fmt::format("a tensor of rank {} to {}", min_rank, max_rank));
}

bool has_sizes(TypeCall& call, int i, absl::Span<const Dim> sizes) {
  const Type tensor = call.tensor(i);
  if (!tensor.is_tensor()) return true;
  bool same = static_cast<size_t>(tensor.rank()) == sizes.size();
  for (size_t d = 0; same && d < sizes.size(); ++d)
    same = call.guard_equal(tensor.sizes()[d], sizes[d]);
  return same || reject(call, i, fmt::format("a tensor with sizes {}", sizes_text(sizes)));
}

bool has_sizes_of(TypeCall& call, int i, int k) {
  return !call.tensor(k).is_tensor() || has_sizes(call, i, call.tensor(k).sizes());
}

bool broadcasts_to(TypeCall& call, int i, absl::Span<const Dim> sizes) {
  const Type tensor = call.tensor(i);
  if (!tensor.is_tensor()) return true;
  const auto from = tensor.sizes();
  bool ok = from.size() <= sizes.size();
  for (size_t d = 0; ok && d < from.size(); ++d) {
    const Dim& to = sizes[sizes.size() - from.size() + d];
    ok = from[d] == to || call.is_one(from[d]) || call.guard_equal(from[d], to);
  }
  return ok ||
         reject(call, i, fmt::format("a tensor that broadcasts to sizes {}", sizes_text(sizes)));
}

bool broadcasts_to(TypeCall& call, int i, int k) {
  return !call.tensor(k).is_tensor() || broadcasts_to(call, i, call.tensor(k).sizes());
}

bool broadcast_together(TypeCall& call, int i, int k) {
  const Type a = call.tensor(i), b = call.tensor(k);
  if (!a.is_tensor() || !b.is_tensor()) return true;
  const auto a_sizes = a.sizes(), b_sizes = b.sizes();
  for (size_t d = 1; d <= std::min(a_sizes.size(), b_sizes.size()); ++d) {
    const Dim &x = a_sizes[a_sizes.size() - d], &y = b_sizes[b_sizes.size() - d];
    if (x == y || call.is_one(x) || call.is_one(y) || call.guard_equal(x, y)) continue;
    return reject(call, i,
                  fmt::format("a tensor that broadcasts with sizes {}", sizes_text(b_sizes)));
  }
  return true;
}

bool has_size(TypeCall& call, int i, int d, const Dim& size) {
  const Type tensor = call.tensor(i);
  if (!tensor.is_tensor()) return true;
  const int dim = d < 0 ? tensor.rank() + d : d;
  if (dim >= 0 && dim < tensor.rank() && call.guard_equal(size_from(tensor, dim), size))
    return true;
  return reject(call, i, fmt::format("a tensor with size {} in dimension {}", to_string(size), d));
}

bool has_numel_of(TypeCall& call, int i, int k) {
  const Type a = call.tensor(i), b = call.tensor(k);
  if (!a.is_tensor() || !b.is_tensor()) return true;
  const Dim count = numel(b.sizes());
  return call.guard_equal(numel(a.sizes()), count) ||
         reject(call, i, fmt::format("a tensor with {} elements", to_string(count)));
}

bool is_not_empty_from(TypeCall& call, int i, int first) {
  const Type tensor = call.tensor(i);
  if (!tensor.is_tensor()) return true;
  for (int d = std::max(first, 0); d < tensor.rank(); ++d)
    if (!call.guard_less_equal(1, size_from(tensor, d)))
      return reject(call, i, fmt::format("a tensor that is non-empty in dimension {}", d));
  return true;
}

bool is_square(TypeCall& call, int i) {
  const Type tensor = call.tensor(i);
  if (!tensor.is_tensor()) return true;
  if (tensor.rank() >= 2 && call.guard_equal(size_from(tensor, -1), size_from(tensor, -2)))
    return true;
  return reject(call, i, "a batch of square matrices");
}

bool is_at_least(TypeCall& call, int i, int64_t min) {
  const TypeArgument& value = call.argument(i);
  return all_numbers(value, [&](double n) { return n >= static_cast<double>(min); }) ||
         reject(call, i, fmt::format("at least {}", min));
}

bool is_greater_than(TypeCall& call, int i, double bound) {
  return all_numbers(call.argument(i), [&](double n) { return n > bound; }) ||
         reject(call, i, fmt::format("greater than {}", bound));
}

bool is_in_range(TypeCall& call, int i, double min, double max) {
  return all_numbers(call.argument(i), [&](double n) { return n >= min && n <= max; }) ||
         reject(call, i, fmt::format("at least {} and at most {}", min, max));
}

bool is_one_of(TypeCall& call, int i, std::initializer_list<std::string_view> words) {
  const auto word = call.argument(i).as_string();
  if (!word || std::ranges::find(words, *word) != words.end()) return true;
  std::string text;
  for (std::string_view w : words) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", w);
  return reject(call, i, "one of " + text);
}

bool has_count(TypeCall& call, int i, size_t count, bool one_for_all) {
  const TypeArgument& value = call.argument(i);
  if (!value.is_sequence() || value.size() == count) return true;
  return (one_for_all && value.size() == 1) ||
         reject(call, i, fmt::format("a list of {}", pluralize(count, "item")));
}

bool are_dims_of(TypeCall& call, int i, int rank) {
  const double count = std::max(rank, 1);
  return all_numbers(call.argument(i), [&](double d) { return d >= -count && d < count; }) ||
         reject(call, i, fmt::format("a valid dimension of a tensor of rank {}", rank));
}

}  // namespace fx::shape
