// GoogleTest matchers for absl::Status and absl::StatusOr.
//
//   EXPECT_THAT(parse(text), IsOk());
//   EXPECT_THAT(parse("1 +"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("1:4")));
//   EXPECT_THAT(count(graph), IsOkAndHolds(3));
//   FX_ASSERT_OK_AND_ASSIGN(const Graph graph, parse(text));
#pragma once

#include "fx/ir/support/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace fx::testing {
namespace internal {

inline std::string message_of(const absl::Status& status) { return std::string(status.message()); }

class StatusIsMatcher {
 public:
  StatusIsMatcher(::testing::Matcher<absl::StatusCode> code,
                  ::testing::Matcher<const std::string&> message)
      : code_(std::move(code)), message_(std::move(message)) {}

  template <typename T>
  bool MatchAndExplain(const T& value, ::testing::MatchResultListener* listener) const {
    const absl::Status status = fx::internal::take_status(value);
    if (status.ok()) {
      *listener << "which is OK";
    } else {
      *listener << "which is " << status;
    }
    return code_.Matches(status.code()) && message_.Matches(message_of(status));
  }
  void DescribeTo(std::ostream* os) const {
    *os << "has a status code that ";
    code_.DescribeTo(os);
    *os << " and a message that ";
    message_.DescribeTo(os);
  }
  void DescribeNegationTo(std::ostream* os) const {
    *os << "not (";
    DescribeTo(os);
    *os << ")";
  }

 private:
  ::testing::Matcher<absl::StatusCode> code_;
  ::testing::Matcher<const std::string&> message_;
};

/// Matches an absl::StatusOr<T> that is OK and whose value matches.
template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  template <typename StatusOr>
  operator ::testing::Matcher<StatusOr>() const {  // gmock requires this conversion by name
    return ::testing::Matcher<StatusOr>(new Body<StatusOr>(inner_));
  }

 private:
  template <typename StatusOr>
  class Body : public ::testing::MatcherInterface<StatusOr> {
    using Value = typename std::remove_cvref_t<StatusOr>::value_type;

   public:
    explicit Body(const Inner& inner) : inner_(::testing::SafeMatcherCast<const Value&>(inner)) {}

    bool MatchAndExplain(StatusOr value, ::testing::MatchResultListener* listener) const override {
      if (!value.ok()) {
        *listener << "which is " << value.status();
        return false;
      }
      *listener << "whose value is " << ::testing::PrintToString(*value) << " ";
      return inner_.MatchAndExplain(*value, listener);
    }
    void DescribeTo(std::ostream* os) const override {
      *os << "is OK and has a value that ";
      inner_.DescribeTo(os);
    }

   private:
    ::testing::Matcher<const Value&> inner_;
  };

  Inner inner_;
};

}  // namespace internal

/// Matches an absl::Status or absl::StatusOr that is OK.
inline auto IsOk() {
  return ::testing::MakePolymorphicMatcher(
      internal::StatusIsMatcher(::testing::Eq(absl::StatusCode::kOk), ::testing::_));
}

/// Matches a status with this code and a message that matches (a string or a matcher for
/// std::string).
template <typename Code>
auto StatusIs(Code code) {
  return ::testing::MakePolymorphicMatcher(
      internal::StatusIsMatcher(::testing::SafeMatcherCast<absl::StatusCode>(code), ::testing::_));
}
template <typename Code, typename Message>
auto StatusIs(Code code, Message message) {
  return ::testing::MakePolymorphicMatcher(
      internal::StatusIsMatcher(::testing::SafeMatcherCast<absl::StatusCode>(code),
                                ::testing::MatcherCast<const std::string&>(message)));
}

/// Matches an OK absl::StatusOr whose value equals or matches `inner`.
template <typename Inner>
internal::IsOkAndHoldsMatcher<Inner> IsOkAndHolds(Inner inner) {
  return internal::IsOkAndHoldsMatcher<Inner>(std::move(inner));
}

}  // namespace fx::testing

/// Assigns the value of an absl::StatusOr, or fails the test and returns.
#define FX_ASSERT_OK_AND_ASSIGN(target, ...) \
  FX_TESTING_ASSERT_OK_AND_ASSIGN(FX_INTERNAL_CONCAT(fx_status_or_, __LINE__), target, __VA_ARGS__)
#define FX_TESTING_ASSERT_OK_AND_ASSIGN(result, target, ...) \
  auto result = __VA_ARGS__;                                 \
  ASSERT_TRUE(result.ok()) << result.status();               \
  target = *std::move(result)
