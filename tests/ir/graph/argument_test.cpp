// Tests access to the items and entries of Argument.

#include "fx/ir/graph/argument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace fx::argument_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Argument dict_of(const std::vector<std::pair<Argument, Argument>>& entries) {
  return Argument::dict(entries);
}

TEST(Argument, ItemsOfSequences) {
  const Argument one(1), two("two");
  EXPECT_THAT(Argument::list({one, two}).items(), ElementsAre(one, two));
  EXPECT_THAT(Argument::tuple({two}).items(), ElementsAre(two));
  EXPECT_THAT(Argument::list({}).items(), IsEmpty());
  // The class name of a named tuple is not an item.
  EXPECT_THAT(Argument::named_tuple("pair", std::vector<Argument>{one, two}).items(),
              ElementsAre(one, two));
  EXPECT_THAT(dict_of({{one, two}}).items(), IsEmpty());
  EXPECT_THAT(one.items(), IsEmpty());
  EXPECT_THAT(two.items(), IsEmpty());
}

TEST(Argument, FindsEntriesByText) {
  const Argument dict = dict_of({{Argument(1), Argument("number")},
                                 {Argument("kind"), Argument("buffer")},
                                 {Argument("index"), Argument(0)}});
  ASSERT_NE(dict.find("index"), nullptr);
  EXPECT_EQ(*dict.find("index"), Argument(0));
  EXPECT_EQ(dict.find("1"), nullptr);
  EXPECT_EQ(dict.find_text("kind"), "buffer");
  EXPECT_EQ(dict.find_text("index"), "");
  EXPECT_EQ(dict.find_text("missing"), "");
  // An item of a list is not an entry.
  EXPECT_EQ(Argument::list({Argument("kind")}).find("kind"), nullptr);
  EXPECT_EQ(Argument("kind").find_text("kind"), "");
}

}  // namespace
}  // namespace fx::argument_test
