// Algebraic laws of operators: commutativity and neutral elements.
//
// One row for each name of an operator; it applies to the overloads and to the Python functions
// that call the operator (torch.add, operator.add).
#include "fx/ir/ops/op_algebra_internal.h"
#include "fx/ir/ops/packets.h"

#include <algorithm>

namespace fx::ops {
namespace {

using Commutes = OpAlgebra::Commutes;

struct Row {
  std::string_view packet;
  OpAlgebra algebra;
};

constexpr OpAlgebra kCommutes{.commutes = Commutes::kAlways};
constexpr OpAlgebra kSum{
    .commutes = Commutes::kAlways, .left_neutral = 0, .right_neutral = 0, .changes_zero = true};
constexpr OpAlgebra kProduct{.commutes = Commutes::kAlways, .left_neutral = 1, .right_neutral = 1};
constexpr OpAlgebra kDifference{.right_neutral = 0};
constexpr OpAlgebra kQuotient{.right_neutral = 1};

constexpr Row kRows[] = {
    {"aten.add", kSum},
    {"aten.sub", kDifference},
    {"aten.subtract", kDifference},
    {"aten.mul", kProduct},
    {"aten.multiply", kProduct},
    {"aten.div", kQuotient},
    {"aten.divide", kQuotient},
    {"aten.true_divide", kQuotient},
    {"aten.pow", kQuotient},
    {"aten.maximum", kCommutes},
    {"aten.minimum", kCommutes},
    {"aten.eq", kCommutes},
    {"aten.ne", kCommutes},
    {"aten.not_equal", kCommutes},
    {"aten.bitwise_and", kCommutes},
    {"aten.bitwise_or", kCommutes},
    {"aten.bitwise_xor", kCommutes},
    {"aten.logical_and", kCommutes},
    {"aten.logical_or", kCommutes},
    {"aten.logical_xor", kCommutes},
    {"aten.gcd", kCommutes},
    {"aten.lcm", kCommutes},
};

bool is_numeric(const SchemaType& type) {
  switch (type.kind()) {
    case SchemaTypeKind::kTensor:
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kComplex:
    case SchemaTypeKind::kScalar:
    case SchemaTypeKind::kSymInt:
    case SchemaTypeKind::kSymFloat:
      return true;
    default:
      return false;
  }
}

}  // namespace

OpAlgebra algebra_of(const OpInfo& op, std::string_view packet, const OpSchema& schema) {
  const std::string called = op.is_function() ? packet_of_function(packet) : std::string();
  const std::string_view key = op.is_function() ? std::string_view(called) : packet;
  const auto* const row = std::ranges::find(kRows, key, &Row::packet);
  if (row == std::end(kRows)) return {};
  OpAlgebra algebra = row->algebra;
  if (packet.starts_with("operator.")) {
    if (algebra.commutes == Commutes::kAlways) algebra.commutes = Commutes::kNumbers;
  } else if (!op.is_function()) {
    // This excludes `add.Scalar`, whose second argument must be a number, and TorchScript's
    // `add.str`.
    const auto arguments = schema.arguments();
    const bool same = arguments.size() >= 2 && is_numeric(arguments[0].type) &&
                      arguments[0].type.same_type(arguments[1].type);
    if (!same) algebra.commutes = Commutes::kNever;
  }
  return algebra;
}

}  // namespace fx::ops
