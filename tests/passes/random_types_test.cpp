// Type functions accept or reject any arguments whose kinds are those of the schema: each is called
// with random ones. FX_SEED and FX_CALLS (of each operator) select other calls.
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/registry.h"
#include "fx/ir/ops/schema.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/shape/type_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace fx::random_types_test {
namespace {

using ops::SchemaTypeKind;

class RandomArguments {
 public:
  RandomArguments(Context& context, std::mt19937_64& random) : context_(context), random_(random) {}

  Argument of(const ops::SchemaType& type) {
    const ops::SchemaType& inner = type.without_optional();
    if (&inner != &type) return one_in(2) ? Argument() : of(inner);
    if (type.is(SchemaTypeKind::kTensor)) return Argument(tensor());
    if (type.is_list()) {
      std::vector<Argument> items(number(0, 4));
      for (Argument& item : items) item = of(type.innermost());
      return Argument::list(items);
    }
    return constant(ops::to_string(type));
  }

  bool one_in(int count) { return number(1, count) == 1; }

 private:
  size_t number(int least, int most) {
    return static_cast<size_t>(std::uniform_int_distribution<int>(least, most)(random_));
  }
  template <class T>
  T any_of(std::initializer_list<T> values) {
    return values.begin()[number(0, static_cast<int>(values.size()) - 1)];
  }

  Type tensor() {
    TensorSpec spec;
    spec.dtype =
        any_of({DType::kFloat32, DType::kFloat32, DType::kInt64, DType::kInt64, DType::kBool,
                DType::kComplex64, DType::kFloat16, DType::kFloat64, DType::kUInt8});
    if (one_in(40)) return context_.types().tensor(spec);  // of unknown rank
    DimVector sizes(number(0, 5));
    const Dim symbol(context_.exprs().symbol("s0"));
    for (Dim& size : sizes) size = one_in(12) ? symbol : any_of<Dim>({0, 1, 2, 3, 5, 8});
    spec.sizes = sizes;
    return context_.types().tensor(spec);
  }

  Argument constant(std::string_view type) {
    if (type == "int" || type == "SymInt") {
      if (one_in(20))
        return any_of<Argument>(
            {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()});
      return static_cast<int64_t>(number(0, 9)) - 4;
    }
    if (type == "float") return any_of<Argument>({-1.0, 0.0, 0.5, 1.0, 2.5});
    if (type == "bool") return one_in(2);
    if (type == "Scalar")
      return any_of<Argument>({-2, 0, 3, 1.5, true, std::complex<double>(1, 2)});
    if (type == "str") {
      return any_of<Argument>({"mean", "sum", "none", "same", "valid", "ij", "", "constant",
                               "reflect", "fro", "nuc", "floor", "left", "reduced", "ii->i",
                               "ij,jk->ik", "...i->..."});
    }
    if (type == "ScalarType") return any_of<Argument>({DType::kFloat32, DType::kInt64});
    return {};
  }

  Context& context_;
  std::mt19937_64& random_;
};

int64_t number_from(const char* variable, int64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::atoll(text) : otherwise;
}

TEST(RandomTypes, NoCallCrashesOrHangs) {
  std::mt19937_64 random(static_cast<uint64_t>(number_from("FX_SEED", 1)));
  const int64_t calls = number_from("FX_CALLS", 40);
  size_t operators = 0, typed = 0, invalid = 0;
  for (const ops::OpFamily& family : ops::op_families()) {
    for (const ops::OpInfo& op : family.ops) {
      if (find_type_rule(op) == nullptr) continue;
      ++operators;
      SCOPED_TRACE(op.name());
      for (int64_t i = 0; i < calls; ++i) {
        Context context;
        RandomArguments arguments(context, random);
        std::vector<Argument> args;
        std::vector<Kwarg> kwargs;
        for (const ops::SchemaArgument& formal : op.schema().arguments()) {
          if (formal.kwarg_only && formal.default_value && arguments.one_in(2)) continue;
          Argument argument = arguments.of(formal.type);
          if (formal.kwarg_only)
            kwargs.emplace_back(context.symbol(formal.name), std::move(argument));
          else
            args.push_back(std::move(argument));
        }
        ShapeEnv env(context);
        const absl::StatusOr<InferredCall> inferred =
            infer_call(context, context.function(op.name()), args, kwargs,
                       {.env = arguments.one_in(2) ? &env : nullptr});
        typed += inferred.ok() && inferred->type ? 1 : 0;
        invalid += inferred.ok() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(operators, 2000);
  EXPECT_GT(typed, operators * static_cast<size_t>(calls) / 5);
  EXPECT_GT(invalid, operators * static_cast<size_t>(calls) / 5);
}

}  // namespace
}  // namespace fx::random_types_test
