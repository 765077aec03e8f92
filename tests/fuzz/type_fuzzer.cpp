// The text of types and of symbolic expressions: any input is either parsed or rejected. The result
// can be printed, and its text parses back to the same pointer.
#include "fx/ir/types/type.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fx::SymbolTable symbols;
  fx::SymExprTable exprs(symbols);
  fx::TypeTable types(symbols, exprs);

  size_t consumed = 0;
  if (const auto type = types.parse(text, &consumed); type.ok()) {
    const auto again = types.parse(fx::to_string(*type));
    if (!again.ok() || *again != *type) std::abort();
  }
  if (consumed > size) std::abort();

  if (const auto expr = exprs.parse_prefix(text, &consumed); expr.ok()) {
    const auto again = exprs.parse(fx::to_string(*expr));
    if (!again.ok() || *again != *expr) std::abort();
    const auto canonical = exprs.parse(fx::to_string(expr->canonical()));
    if (!canonical.ok() || *canonical != expr->canonical()) std::abort();
    fx::SymBindings bindings;
    for (const fx::Symbol symbol : fx::free_symbols(*expr)) bindings.emplace(symbol, 3);
    (void)fx::evaluate(*expr, bindings);
  }
  if (consumed > size) std::abort();
  return 0;
}
