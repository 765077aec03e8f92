// Compares Python's functions on numbers with values that Python 3.11 printed.
#include "fx/interp/python_numbers.h"

#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::StatusIs;
using enum absl::StatusCode;

TEST(PythonNumbers, ReturnTheResultsOfPython) {
  struct Case {
    std::string_view function;
    std::vector<Argument> args;
    std::string_view expected;
  };
  const double inf = std::numeric_limits<double>::infinity();
  const Case cases[] = {
      {"operator.add", {2, 3}, "5"},
      {"operator.add", {true, 3}, "4"},
      {"operator.add", {2, 0.5}, "2.5"},
      {"operator.sub", {2, 3}, "-1"},
      {"operator.mul", {-2, 3}, "-6"},
      {"operator.truediv", {6, 3}, "2.0"},
      {"operator.floordiv", {7, 2}, "3"},
      {"operator.floordiv", {-7, 2}, "-4"},
      {"operator.floordiv", {7, -2}, "-4"},
      {"operator.floordiv", {-7.0, 2}, "-4.0"},
      // The quotient rounds to 10 and to -0.0.
      {"operator.floordiv", {1.0, 0.1}, "9.0"},
      {"operator.floordiv", {-5.0, inf}, "-1.0"},
      {"operator.floordiv", {-0.0, 3}, "-0.0"},
      {"operator.truediv", {int64_t{9007199254740993}, int64_t{3002399751580331}}, "3.0"},
      {"operator.truediv", {0, -(int64_t{1} << 60)}, "-0.0"},
      {"operator.mod", {-4.0, 2}, "0.0"},
      {"operator.mod", {4.0, -2}, "-0.0"},
      {"operator.mod", {-5.0, inf}, "inf"},
      {"operator.mod", {-7, 3}, "2"},
      {"operator.mod", {7, -3}, "-2"},
      {"operator.mod", {-7.5, 3}, "1.5"},
      {"operator.mod", {std::numeric_limits<int64_t>::min(), -1}, "0"},
      {"operator.pow", {-3, 3}, "-27"},
      {"operator.pow", {2, 62}, "4611686018427387904"},
      {"operator.pow", {2, -1}, "0.5"},
      {"operator.pow", {1, 1000000007}, "1"},
      {"operator.pow", {true, -1}, "1.0"},
      {"operator.pow", {0.0, -inf}, "inf"},
      {"operator.pow", {-2.0, 3.0}, "-8.0"},
      {"operator.neg", {3}, "-3"},
      {"operator.abs", {-3}, "3"},
      {"operator.lt", {1, 1.5}, "True"},
      // Doubles cannot represent the difference between these integers.
      {"operator.eq", {int64_t{9007199254740993}, int64_t{9007199254740992}}, "False"},
      {"operator.eq", {int64_t{9007199254740993}, 9007199254740992.0}, "False"},
      {"operator.lt", {9007199254740992.0, int64_t{9007199254740993}}, "True"},
      {"operator.gt", {std::numeric_limits<int64_t>::max(), 9223372036854775808.0}, "False"},
      {"operator.lt", {-1, -0.5}, "True"},
      {"operator.ne", {0.0, 0}, "False"},
      {"operator.and_", {true, false}, "False"},
      {"operator.or_", {5, 2}, "7"},
      {"operator.xor", {5, 1}, "4"},
      {"operator.not_", {0}, "True"},
      {"operator.pos", {true}, "1"},
      {"operator.pos", {-2.5}, "-2.5"},
      {"operator.invert", {true}, "-2"},
      {"operator.invert", {5}, "-6"},
      {"operator.lshift", {-3, 4}, "-48"},
      {"operator.lshift", {0, 100}, "0"},
      {"operator.lshift", {-1, 63}, "-9223372036854775808"},
      {"operator.rshift", {-7, 1}, "-4"},
      {"operator.rshift", {-7, 100}, "-1"},
      {"builtins.round", {2.5}, "2"},
      {"builtins.round", {-3.5}, "-4"},
      {"round", {int64_t{9007199254740993}}, "9007199254740993"},
      {"math.floor", {-1.5}, "-2"},
      {"math.ceil", {-1.5}, "-1"},
      {"math.trunc", {-1.5}, "-1"},
      {"math.sqrt", {16}, "4.0"},
      {"torch.sym_float", {3}, "3.0"},
      {"torch.sym_int", {3.9}, "3"},
      {"torch.sym_max", {3, 5}, "5"},
      {"torch.sym_min", {3, 5.5}, "3.0"},
      {"torch.sym_not", {true}, "False"},
      {"torch.sym_ite", {false, 1, 2}, "2"},
      {"torch.sym_sum", {Argument::list({1, 2, 3})}, "6"},
      {"torch.sym_sum", {1, 2.5}, "3.5"},
      {"torch._sym_sqrt", {4}, "2.0"},
      {"math.log2", {8}, "3.0"},
      {"torch._sym_log2", {0.5}, "-1.0"},
      {"torch._sym_cosh", {0}, "1.0"},
      {"torch._sym_acos", {1}, "0.0"},
      {"math.atan", {1}, "0.7853981633974483"},
      {"torch._sym_tanh", {-1e9}, "-1.0"},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(is_python_number_function(c.function));
    const absl::StatusOr<Argument> got = call_python_number(c.function, c.args);
    ASSERT_TRUE(got.ok()) << c.function << ": " << got.status();
    EXPECT_EQ(print(*got), c.expected) << c.function;
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(*call_python_number("operator.ne", {nan, nan}), Argument(true));
  EXPECT_EQ(*call_python_number("operator.le", {nan, nan}), Argument(false));
}

TEST(PythonNumbers, ErrorsAreClear) {
  const int64_t big = std::numeric_limits<int64_t>::max();
  const auto expect = [](std::string_view function, const std::vector<Argument>& args,
                         const std::string& text, absl::StatusCode code = kInvalidArgument) {
    EXPECT_THAT(call_python_number(function, args), StatusIs(code, HasSubstr(text))) << function;
  };
  expect("operator.add", {big, 1}, "64 bits");
  expect("operator.mul", {big, 2}, "64 bits");
  expect("operator.neg", {std::numeric_limits<int64_t>::min()}, "64 bits");
  expect("operator.pow", {10, 19}, "64 bits");
  expect("operator.floordiv", {std::numeric_limits<int64_t>::min(), -1}, "64 bits");
  expect("operator.truediv", {1, 0}, "division by zero");
  expect("operator.mod", {1.0, 0.0}, "division by zero");
  expect("operator.pow", {0, -1}, "division by zero");
  expect("operator.pow", {-8.0, 0.5}, "is a complex number");
  expect("operator.pow", {10.0, 400}, "does not fit in a double");
  expect("math.floor", {1e300}, "64 bits");
  expect("math.sqrt", {-1}, "no finite value at -1");
  expect("math.log2", {0}, "no finite value at 0");
  expect("torch._sym_acos", {2}, "no finite value at 2");
  expect("math.cosh", {1000}, "no finite value at 1000");
  expect("torch._sym_sin", {std::numeric_limits<double>::infinity()}, "no finite value at inf");
  expect("operator.add", {1}, "has 2 parameters, but the call passes 1 argument");
  expect("operator.add", {1, "a"}, "requires numbers, not a string");
  expect("operator.and_", {1, 2.0}, "require integers, not floats");
  expect("operator.lshift", {1, 63}, "64 bits");
  expect("operator.lshift", {1, -1}, "must not be negative");
  expect("operator.rshift", {1, -1}, "must not be negative");
  expect("torch.relu", {1}, "unknown function on numbers: torch.relu", kNotFound);
}

}  // namespace
}  // namespace fx
