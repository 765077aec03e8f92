// A graph's requirements on the sizes of its inputs.
#include "fx/interp/size_checks.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;

/// Checks the sizes of inputs. Each input is a list of sizes.
class SizeChecksTest : public ::testing::Test {
 protected:
  SizeChecks checks(const std::string& inputs, const std::string& meta = "") {
    auto graph = parse_graph(context_, "graph(" + inputs + ") {\n" + meta + "\n  return ()\n}");
    EXPECT_THAT(graph, testing::IsOk());
    return graph.ok() ? SizeChecks(**graph) : SizeChecks();
  }
  static std::string check(const SizeChecks& checks,
                           const std::vector<std::vector<int64_t>>& inputs) {
    const absl::Status status =
        checks.check([&](const SizeChecks::Location& place) -> std::optional<int64_t> {
          if (place.input >= inputs.size()) return std::nullopt;
          const std::vector<int64_t>& sizes = inputs[place.input];
          if (place.quantity == SizeChecks::Quantity::kRank)
            return static_cast<int64_t>(sizes.size());
          const size_t at = place.path.empty() ? place.dim : place.path[0];
          if (place.quantity == SizeChecks::Quantity::kStride ||
              place.quantity == SizeChecks::Quantity::kOffset || at >= sizes.size())
            return std::nullopt;
          return sizes[at];
        });
    return std::string(status.message());
  }

  Context context_;
};

TEST_F(SizeChecksTest, ErrorsNameTheGuardTheSizeAndItsInput) {
  const SizeChecks all = checks("%x : f32[3, n]", "  !guards = [\"n >= 5\"]");
  EXPECT_FALSE(all.empty());
  EXPECT_EQ(check(all, {{3, 5}}), "");
  EXPECT_EQ(check(all, {{3, 4}}),
            "the guard n >= 5 of the graph does not hold: n is 4 (dimension 1 of %x)");
  EXPECT_EQ(check(all, {}), "");  // inputs without sizes are not checked
}

TEST_F(SizeChecksTest, RangesHold) {
  const SizeChecks all =
      checks("%x : f32[n]", R"(  !symbols = {"n": {"min": 2, "max": 12}, "m": {"min": 4}})");
  EXPECT_EQ(check(all, {{12}}), "");
  EXPECT_EQ(check(all, {{13}}),
            "the range n <= 12 of the graph does not hold: n is 13 (dimension 0 of %x)");
  EXPECT_THAT(check(all, {{1}}), HasSubstr("the range n >= 2"));
}

TEST_F(SizeChecksTest, SizesWithOneSymbolAgree) {
  const SizeChecks all = checks("%x : f32[n, m], %y : f32[m*n], %z : f32[Min(n, 4)]");
  EXPECT_EQ(check(all, {{6, 2}, {12}, {4}}), "");
  EXPECT_EQ(
      check(all, {{6, 2}, {13}, {4}}),
      "dimension 0 of %y is 13, but its type specifies m*n, which is 12: m is 2 (dimension 1 of "
      "%x), n is 6 (dimension 0 of %x)");
  EXPECT_THAT(check(all, {{3, 2}, {6}, {4}}),
              HasSubstr("its type specifies Min(4, n), which is 3"));
}

TEST_F(SizeChecksTest, ExpressionsOfOneSymbolDetermineItsValue) {
  const SizeChecks all = checks("%x : f32[2*n + 1], %y : f32[n]", "  !guards = [\"n < 4\"]");
  EXPECT_EQ(check(all, {{7}, {3}}), "");
  EXPECT_EQ(check(all, {{8}, {3}}), "dimension 0 of %x is 8, which is not 2*n + 1 for any n");
  EXPECT_THAT(check(all, {{7}, {2}}), HasSubstr("dimension 0 of %y is 2"));
  EXPECT_THAT(check(all, {{9}, {4}}), HasSubstr("the guard n < 4"));
}

// A type without symbols is not compared.
TEST_F(SizeChecksTest, RanksAndNumbersOfTypesWithSymbols) {
  const SizeChecks all = checks("%x : f32[4, n], %y : f32[m], %z : f32[2]");
  EXPECT_EQ(check(all, {{4, 5}, {6}, {3, 3}}), "");
  EXPECT_EQ(check(all, {{8, 5}, {6}, {2}}), "dimension 0 of %x is 8, but its type specifies 4");
  EXPECT_EQ(check(all, {{4, 5, 1}, {6}, {2}}), "the rank of %x is 3, but its type specifies 2");
  EXPECT_EQ(check(all, {{4, 5}, {}, {2}}), "the rank of %y is 0, but its type specifies 1");
  const SizeChecks strides = checks("%x : f32[4, 3][s, 1]");
  EXPECT_EQ(check(strides, {{4, 3}}), "");
  EXPECT_THAT(check(strides, {{4, 2}}), HasSubstr("dimension 1 of %x is 2"));
}

TEST_F(SizeChecksTest, NumbersAndItemsOfListsAreChecked) {
  const SizeChecks all =
      checks("%k : SymInt(k), %list : [SymInt(a), SymInt(b)]", "  !guards = [\"Eq(a, b + k)\"]");
  EXPECT_EQ(check(all, {{1}, {3, 2}}), "");
  EXPECT_EQ(check(all, {{1}, {3, 3}}),
            "the guard Eq(a, b + k) of the graph does not hold: a is 3 (%list[0]), b is 3 "
            "(%list[1]), k is 1 (%k)");
  // Numbers may be negative only if a range allows this.
  EXPECT_THAT(check(all, {{-1}, {2, 3}}), HasSubstr("the guard k >= 0"));
}

TEST_F(SizeChecksTest, GuardsOfNestedGraphsAreCheckedAndOtherGuardsOmitted) {
  const SizeChecks all = checks("%x : f32[n]", R"fx(  !guards = ["u0 > 3", "Eq(u0, n)"]
  graph @body(%y : f32[n]) {
    !guards = ["Ne(n, 6)"]
    return %y
  })fx");
  EXPECT_EQ(check(all, {{5}}), "");
  EXPECT_THAT(check(all, {{6}}), HasSubstr("the guard Ne(n, 6)"));
}

TEST_F(SizeChecksTest, ChecksThatCannotFailAreOmitted) {
  EXPECT_TRUE(checks("%x : f32[2, 3]").empty());
  EXPECT_TRUE(checks("%x : f32[*], %y : ?, %k : int").empty());
  EXPECT_FALSE(checks("%x : f32[n, n]").empty());
  EXPECT_THAT(check(checks("%x : f32[n]", "  !guards = [\"n +\"]"), {{2}}),
              HasSubstr("\"n +\" of the graph must be a relation"));
}

}  // namespace
}  // namespace fx
