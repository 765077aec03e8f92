// Names of the functions on numbers: their in-place forms, and the functions that compute expressions.
#include "fx/ir/symbolic/number_functions.h"
#include "fx/ir/symbolic/sym_expr.h"

#include <string_view>
#include <utility>

namespace fx {
namespace {

constexpr std::pair<std::string_view, std::string_view> kInPlace[] = {
    {"operator.iadd", "operator.add"},
    {"operator.iand", "operator.and_"},
    {"operator.ifloordiv", "operator.floordiv"},
    {"operator.ilshift", "operator.lshift"},
    {"operator.imod", "operator.mod"},
    {"operator.imul", "operator.mul"},
    {"operator.ior", "operator.or_"},
    {"operator.ipow", "operator.pow"},
    {"operator.irshift", "operator.rshift"},
    {"operator.isub", "operator.sub"},
    {"operator.itruediv", "operator.truediv"},
    {"operator.ixor", "operator.xor"},
};

}  // namespace

std::string_view plain_number_function(std::string_view name) {
  if (!name.starts_with("operator.i")) return name;
  for (const auto& [in_place, plain] : kInPlace)
    if (in_place == name) return plain;
  return name;
}

absl::Span<const std::pair<std::string_view, std::string_view>> in_place_number_functions() {
  return kInPlace;
}

std::string_view number_function_of(SymExpr expr) {
  switch (expr.kind()) {
    case SymKind::kAdd:
      return "operator.add";
    case SymKind::kMul:
      return "operator.mul";
    case SymKind::kPow:
      return "operator.pow";
    case SymKind::kFloorDiv:
      return "operator.floordiv";
    case SymKind::kMod:
      return "operator.mod";
    case SymKind::kMin:
      return "torch.sym_min";
    case SymKind::kMax:
      return "torch.sym_max";
    case SymKind::kCall:
      return function_of_sympy(expr.name().str());
    default:
      return {};
  }
}

}  // namespace fx
