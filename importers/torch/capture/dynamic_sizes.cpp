// Chooses the sizes of the runs of a capture with dynamic sizes.
#include "fx/importers/torch/capture/dynamic_internal.h"
#include "fx/ir/types/type.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace fx {
namespace {

bool is_prime(int64_t n) {
  for (int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

/// True if the sizes are a linear function of the other symbol's sizes.
bool is_linear(absl::Span<const int64_t> sizes, absl::Span<const int64_t> others) {
  for (size_t i = 2; i < sizes.size(); ++i) {
    const int64_t rise = (sizes[1] - sizes[0]) * (others[i] - others[0]);
    if (rise != (sizes[i] - sizes[0]) * (others[1] - others[0])) return false;
  }
  return true;
}

}  // namespace

int64_t SizeSymbol::choose(int run,
                           absl::Span<const std::pair<const SizeSymbol*, int64_t>> others) const {
  const auto is_free = [&](int64_t n) {
    return n >= min && n <= max && std::ranges::find(chosen, n) == chosen.end() &&
           std::ranges::none_of(others, [&](const auto& other) { return other.second == n; });
  };
  const auto is_independent = [&](int64_t n) {
    std::vector<int64_t> sizes = chosen;
    sizes.push_back(n);
    return std::ranges::none_of(others, [&](const auto& other) {
      std::vector<int64_t> of_other = other.first->chosen;
      of_other.push_back(other.second);
      return is_linear(sizes, of_other);
    });
  };
  const auto [first, last] = usual();
  if (run == 1) {
    for (const int64_t n : {base + 1, base - 1})
      if (n >= first && n <= last && is_free(n)) return n;
  }
  const int64_t target = run == 1 ? base : this->target(run);
  const bool has_primes = run != 1 && run != 3;
  for (const bool independent : {true, false}) {
    for (const bool prime : {true, false}) {
      if (prime ? !has_primes : independent && run == 1) continue;
      // Confirming runs must not fail.
      const bool is_usual = independent || run > 3;
      for (int64_t distance = 0; distance <= (prime ? 6 : 1000); ++distance) {
        for (const int64_t n : {target - distance, target + distance}) {
          if (!is_free(n) || (prime && !is_prime(n))) continue;
          if (is_usual && (n < first || n > last)) continue;
          if (!independent || is_independent(n)) return n;
        }
      }
    }
  }
  return 0;
}

SymBindings greater_sizes(absl::Span<const SizeSymbol> symbols) {
  SymBindings sizes;
  bool is_greater = false;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const SizeSymbol& symbol = symbols[i];
    const int64_t size = symbol.usual().second + symbol.base + 1 + static_cast<int64_t>(i % 2);
    is_greater |= !symbol.has_max && size <= symbol.max;
    const bool is_bounded = symbol.has_max || size > symbol.max;
    sizes.insert_or_assign(symbol.symbol, SymValue(is_bounded ? symbol.base : size));
  }
  return is_greater ? sizes : SymBindings();
}

bool has_same_calls(const Graph& a, const Graph& b) {
  const Node *x = a.front(), *y = b.front();
  for (; x != nullptr && y != nullptr; x = x->next(), y = y->next()) {
    // A constant that is a number may have become a call.
    if (x->op() == Opcode::kGetAttr || y->op() == Opcode::kGetAttr) continue;
    if (x->op() != y->op()) return false;
    if (!x->is_placeholder() && x->target_symbol() != y->target_symbol()) return false;
  }
  return x == y;
}

absl::StatusOr<DimVector> strides_like(const at::Tensor& tensor, absl::Span<const Dim> sizes) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const at::IntArrayRef strides = tensor.strides();
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return strides[a] != strides[b] ? strides[a] < strides[b]
                                    : tensor.sizes()[a] < tensor.sizes()[b];
  });
  DimVector result(sizes.size(), Dim(1));
  Dim next = 1;
  int64_t expected = 1;
  for (const size_t d : order) {
    if (strides[d] != expected && tensor.sizes()[d] != 1) {
      return absl::InvalidArgumentError(
          "an input with dynamic sizes must be dense in memory; pass x.contiguous()");
    }
    result[d] = next;
    next *= sizes[d];
    expected *= tensor.sizes()[d];
  }
  return result;
}

}  // namespace fx
