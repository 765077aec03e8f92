// compare_tensors must detect every difference.
#include "fx/interp/torch/compare.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

namespace fx {
namespace {

std::string compared(const at::Tensor& a, const at::Tensor& b) {
  return to_string(compare_tensors(a, b));
}

TEST(CompareTensors, BitEqual) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compared(at::tensor({1.0, nan}), at::tensor({1.0, nan})), "bit-equal");
  EXPECT_EQ(compared(at::Tensor(), at::Tensor()), "bit-equal");
  EXPECT_EQ(compared(at::empty({0, 3}), at::empty({0, 3})), "bit-equal");
  const at::Tensor x = at::randn({3, 4});
  EXPECT_EQ(compared(x.t(), x.t().contiguous()), "bit-equal");
  EXPECT_EQ(compared(at::ones({}).requires_grad_(), at::ones({})), "bit-equal");
}

TEST(CompareTensors, DifferentElements) {
  const at::Tensor a = at::tensor({1.0, 2.0});
  EXPECT_EQ(compared(a, at::tensor({1.0, 2.5})), "max |difference| 0.5");
  EXPECT_EQ(compared(at::tensor({0.0}), at::tensor({-0.0})), "max |difference| 0");
  EXPECT_FALSE(compare_tensors(at::tensor({0.0}), at::tensor({-0.0})).bit_equal);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compared(a, at::tensor({1.0, nan})), "max |difference| inf");
  // The sign of a NaN has no meaning, and equal infinities do not differ.
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(compared(at::tensor({nan, inf, 1.0}), at::tensor({-nan, inf, 1.5})),
            "max |difference| 0.5");
  EXPECT_EQ(compared(at::tensor({inf}), at::tensor({-inf})), "max |difference| inf");
  const int64_t large = int64_t{1} << 53;  // doubles do not represent large + 1
  EXPECT_EQ(compared(at::tensor({large}, at::kLong), at::tensor({large + 1}, at::kLong)),
            "max |difference| 1");
  EXPECT_FALSE(compare_tensors(at::ones({1}, at::kBool), at::zeros({1}, at::kBool)).bit_equal);
}

TEST(CompareTensors, DifferentForm) {
  EXPECT_EQ(compared(at::ones({2}), at::ones({2}, at::kDouble)), "different: dtype");
  EXPECT_EQ(compared(at::ones({2}), at::ones({1, 2})), "different: sizes");
  EXPECT_EQ(compared(at::ones({2}), at::Tensor()), "different: one value is None");
}

// PyTorch cannot compute the elements of a negated view of bools.
TEST(CompareTensors, NegativeBools) {
  const at::Tensor a = at::_neg_view(at::ones({2}, at::kBool)),
                   b = at::_neg_view(at::zeros({2}, at::kBool));
  EXPECT_EQ(compared(a, a), "bit-equal");
  EXPECT_EQ(compared(a, b), "max |difference| 1");
  EXPECT_EQ(compared(a, at::ones({2}, at::kBool)), "different: negative bit of a bool");
}

}  // namespace
}  // namespace fx
