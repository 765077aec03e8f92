// ir/support: status macros return errors and move values, and failed checks print their locations.
#include "fx/ir/support/check.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/hash_mix.h"
#include "fx/ir/support/lazy.h"
#include "fx/ir/support/nearest.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/recent_cache.h"
#include "fx/ir/support/status.h"
#include "tests/testing/status_matchers.h"

#include "absl/strings/cord.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace fx {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::IsOkAndHolds;
using ::fx::testing::StatusIs;
using ::testing::HasSubstr;
using ::testing::Not;

absl::StatusOr<std::unique_ptr<int>> positive(int value) {
  if (value <= 0) return absl::InvalidArgumentError("not positive");
  return std::make_unique<int>(value);
}

absl::StatusOr<int> sum(int a, int b, int* evaluated) {
  FX_ASSIGN_OR_RETURN(std::unique_ptr<int> left, (++*evaluated, positive(a)));
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<int> right, (++*evaluated, positive(b)));
  FX_RETURN_IF_ERROR(positive(*left + *right - 10));
  return *left + *right;
}

TEST(Status, AssignOrReturnMovesTheValueOutOrReturnsTheError) {
  int evaluated = 0;
  EXPECT_THAT(sum(7, 8, &evaluated), IsOkAndHolds(15));
  EXPECT_EQ(evaluated, 2);
  EXPECT_THAT(sum(0, 8, &evaluated), StatusIs(absl::StatusCode::kInvalidArgument, "not positive"));
  EXPECT_EQ(evaluated, 3);
}

TEST(Status, ReturnIfErrorAcceptsStatusOr) {
  int evaluated = 0;
  EXPECT_THAT(sum(1, 2, &evaluated), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(Status, AssignOrReturnAcceptsTemplateArgumentsWithCommas) {
  const auto first = [](int value) -> absl::StatusOr<int> {
    FX_ASSIGN_OR_RETURN(const auto both, absl::StatusOr<std::pair<int, int>>({value, 2}));
    return both.first;
  };
  EXPECT_THAT(first(5), IsOkAndHolds(5));
}

TEST(Status, ContextIsPrependedAndKeepsCodeAndPayload) {
  absl::Status status = absl::NotFoundError("no node x");
  status.SetPayload("fx/where", absl::Cord("12:3"));
  const absl::Status outer = with_context(status, "graph.fx");
  EXPECT_THAT(outer, StatusIs(absl::StatusCode::kNotFound, "graph.fx: no node x"));
  EXPECT_EQ(outer.GetPayload("fx/where"), absl::Cord("12:3"));
  EXPECT_THAT(with_context(absl::OkStatus(), "graph.fx"), IsOk());
}

TEST(StatusMatchers, DistinguishStatuses) {
  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(positive(-1), Not(IsOk()));
  EXPECT_THAT(absl::StatusOr<int>(3), Not(IsOkAndHolds(4)));
  EXPECT_THAT(absl::StatusOr<std::string>("text"), IsOkAndHolds(HasSubstr("ex")));
  EXPECT_THAT(absl::StatusOr<std::string>(absl::InternalError("x")), Not(IsOkAndHolds("x")));
  EXPECT_THAT(absl::InternalError("x"), Not(StatusIs(absl::StatusCode::kInternal, "y")));
}

TEST(CheckDeathTest, IncludesPositionAndCause) {
  const int two = 2;
  FX_CHECK(two == 2, "not shown");
  EXPECT_DEATH(FX_CHECK(two == 3, "two is " + std::to_string(two)),
               "tests/ir/support/support_test.cpp:[0-9]+: check failed: two == 3: two is 2");
  EXPECT_DEATH(FX_CHECK_OK(positive(0)), "positive.0.: INVALID_ARGUMENT: not positive");
  EXPECT_DEATH(FX_UNREACHABLE("opcode"), "unreachable: opcode");
}

TEST(Check, MessageIsFormattedOnlyOnFailure) {
  int count = 0;
  const auto message = [&count] {
    ++count;
    return "text";
  };
  FX_CHECK(count == 0, message());
  FX_DCHECK(count == 0, message());
  EXPECT_EQ(count, 0);
}

TEST(Nearest, IsSuggestedForAMistypedName) {
  constexpr std::string_view kNames[] = {"print", "verify", "decompose", "opt", "ops"};
  EXPECT_EQ(nearest_name("prnt", kNames), "print");
  EXPECT_EQ(nearest_name("verfiy", kNames), "verify");
  EXPECT_EQ(nearest_name("opp", kNames), "opt");          // the first of several candidates
  EXPECT_EQ(nearest_name("decom", kNames), "decompose");  // starts with the name
  EXPECT_EQ(nearest_name("capture", kNames), "");
  EXPECT_EQ(nearest_name("o", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("otp", kNames), "opt");  // two letters are swapped
  constexpr std::string_view kPasses[] = {"eliminate_common_subexpressions", "eliminate_dead_code",
                                          "reinplace"};
  EXPECT_EQ(nearest_name("cse", kPasses), "eliminate_common_subexpressions");
  EXPECT_EQ(nearest_name("dce", kPasses), "eliminate_dead_code");
  EXPECT_EQ(nearest_name("cde", kPasses), "eliminate_dead_code");
  EXPECT_EQ(nearest_name("rrr", kPasses), "");
  EXPECT_EQ(did_you_mean("verfy", kNames), R"( (did you mean "verify"?))");
  EXPECT_EQ(did_you_mean("capture", kNames), "");
}

// Large data is written in parts, and may start at any address.
TEST(NewFile, ContainsAllBytes) {
  const std::string path = ::testing::TempDir() + "/new_file_has_all_bytes";
  std::string data((size_t{3} << 20) + 77, ' ');
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 31 >> 3);
  NewFile file(path);
  file.write("head", 4);
  file.write(data.data() + 1, data.size() - 1);
  file.write("tail", 4);
  ASSERT_THAT(file.commit(), IsOk());
  const absl::StatusOr<std::string> read = read_file(path);
  ASSERT_THAT(read, IsOk());
  EXPECT_TRUE(*read == "head" + data.substr(1) + "tail");
  std::remove(path.c_str());
}

TEST(RecentCache, KeepsTheLastKeyOfEachEntry) {
  internal::RecentCache<uint32_t, std::string, 4> cache;
  EXPECT_EQ(cache.find(0), nullptr);  // 0 is the key of an empty entry
  EXPECT_EQ(cache.find(5), nullptr);
  int count = 0;
  const auto make = [&] { return std::to_string(++count); };
  EXPECT_EQ(cache.get(5, make), "1");
  EXPECT_EQ(cache.get(6, make), "2");
  EXPECT_EQ(cache.get(5, make), "1");
  EXPECT_EQ(cache.get(9, make), "3");  // it replaces 5, which has the same entry
  EXPECT_EQ(cache.find(5), nullptr);
  EXPECT_EQ(*cache.find(6), "2");
  cache.put(6, "six");
  EXPECT_EQ(cache.get(6, make), "six");
  // Key() is the key of empty entries, so its value is computed each time.
  EXPECT_EQ(cache.get(0, make), "4");
  EXPECT_EQ(cache.get(0, make), "5");
}

TEST(RecentCache, ComputingAValueMayUseTheCache) {
  internal::RecentCache<uint32_t, int, 4> cache;
  EXPECT_EQ(cache.get(1, [&] { return cache.get(5, [] { return 7; }) + 1; }), 8);
  EXPECT_EQ(*cache.find(1), 8);
}

TEST(HashMix, NumbersThatDifferInOneBitDifferInHalfTheBitsOfTheirHashes) {
  int different = 0;
  for (uint64_t value = 1; value <= 100; ++value)
    for (int bit = 0; bit < 64; ++bit)
      different += std::popcount(internal::hash_bits(value) ^
                                 internal::hash_bits(value ^ uint64_t{1} << bit));
  EXPECT_NEAR(different / 6400.0, 32, 4);
  std::set<uint64_t> low;  // low bits may index a table
  for (uint64_t i = 0; i < 1024; ++i) low.insert(internal::hash_bits(64 * i) & 0xffff);
  EXPECT_GT(low.size(), 950u);
  EXPECT_NE(internal::hash_mix(internal::hash_mix(0, 1), 2),
            internal::hash_mix(internal::hash_mix(0, 2), 1));
}

TEST(Pluralize, OnlyOneIsSingular) {
  EXPECT_EQ(pluralize(0, "input"), "0 inputs");
  EXPECT_EQ(pluralize(size_t{1}, "input"), "1 input");
  EXPECT_EQ(pluralize(-1, "byte"), "-1 bytes");
  EXPECT_EQ(pluralize(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(pluralize(2, "entry", "entries"), "2 entries");
}

TEST(LazyPtr, CreatesItsObjectOnce) {
  internal::LazyPtr<std::string> lazy;
  EXPECT_EQ(lazy.peek(), nullptr);
  lazy.get() = "made";
  EXPECT_EQ(lazy.get(), "made");
  EXPECT_EQ(lazy.peek(), &lazy.get());
  lazy.reset();
  EXPECT_EQ(lazy.peek(), nullptr);
  EXPECT_EQ(lazy.get(), "");
}

}  // namespace
}  // namespace fx
