// The binary format: round trips, and errors for corrupted bytes.
#include "fx/ir/files/binary.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/graph_variants.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;

void expect_round_trip(const Graph& graph) {
  FX_ASSERT_OK_AND_ASSIGN(const std::string bytes, write_binary(graph));
  Context other;
  absl::StatusOr<std::unique_ptr<Graph>> back = read_binary(other, bytes);
  ASSERT_THAT(back, IsOk()) << print(graph);
  const std::optional<GraphDifference> difference = first_difference(graph, **back);
  ASSERT_FALSE(difference.has_value()) << difference->message << "\n" << print(graph);
  ASSERT_EQ(print(**back), print(graph));  // includes spellings of functions
  FX_ASSERT_OK_AND_ASSIGN(const std::string again, write_binary(**back));
  ASSERT_EQ(again == bytes, true);
}

// random_graph_test.cpp tests that every kind of argument, type and metadata occurs in these
// graphs.
TEST(Binary, ThreeThousandRandomGraphs) {
  Context context;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    expect_round_trip(*testing::random_graph(context, seed, {.invalid_utf8 = seed % 2 == 1}));
    if (::testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

// The order of a node's metadata depends only on the graph's nodes, not on when keys were set and
// removed.
TEST(Binary, MetadataThatWasSetAndRemoved) {
  Context context;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::unique_ptr<Graph> graph = testing::random_graph(context, seed);
    testing::Random random(seed);
    testing::change_meta(*graph, random);
    expect_round_trip(*graph);
    if (::testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

std::unique_ptr<Graph> chain(Context& context, int nodes) {
  auto graph = std::make_unique<Graph>(context);
  const Type type = *context.types().parse("f32[64, 64]");
  Node* a = graph->placeholder("x", {.type = type});
  Node* b = a;
  for (int i = 0; i < nodes; ++i) {
    Node* next =
        graph->call_function(context.function("aten.add.Tensor"), {b, a}, {}, {.type = type});
    a = b;
    b = next;
  }
  graph->output(b);
  return graph;
}

TEST(Binary, ANodeOfAChainTakesFiveBytes) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const std::string bytes, write_binary(*chain(context, 1000)));
  EXPECT_LT(bytes.size(), 5000u + 200u);
  EXPECT_LT(bytes.size() * 5, print(*chain(context, 1000)).size());
}

TEST(Binary, OperandsAfterTheirUsersAreKept) {
  Context context;
  auto graph = chain(context, 4);
  ASSERT_TRUE(graph->front()->move_after(*graph->front()->next()->next()).ok());
  EXPECT_FALSE(verify(*graph).ok());
  FX_ASSERT_OK_AND_ASSIGN(const std::string bytes, write_binary(*graph));
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> back, read_binary(context, bytes));
  EXPECT_FALSE(first_difference(*graph, *back).has_value());
  EXPECT_EQ(verify(*back).str(), verify(*graph).str());
}

TEST(Binary, LoadedGraphsCanBeEdited) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const std::string bytes, write_binary(*chain(context, 3000)));
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> graph, read_binary(context, bytes));
  Node* first = graph->front()->next();
  first->replace_all_uses_with(graph->front());
  ASSERT_TRUE(graph->erase_node(first).ok());
  graph->set_insert_point_before(graph->back());
  Node* node =
      graph->call_function(context.function("aten.add.Tensor"), {graph->front(), graph->front()});
  EXPECT_EQ(node->name(), "add_tensor_3000");  // numbering continues
  const VerifierReport report = verify(*graph, {.check_index = true});
  EXPECT_TRUE(report.ok()) << report.str();
}

// The checksum covers everything except the checksum itself.
TEST(Binary, EveryFlippedBitAndTruncationIsDetected) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const std::string bytes,
                          write_binary(*testing::random_graph(context, 7)));
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      ASSERT_FALSE(read_binary(context, damaged).ok()) << i << " " << bit;
    }
    ASSERT_FALSE(read_binary(context, bytes.substr(0, i)).ok()) << i;
  }
  EXPECT_FALSE(read_binary(context, bytes + "x").ok());
}

// Tests the checks after the checksum: any bytes result in a graph that verify() can check, or in
// an error that states the position.
TEST(Binary, DamageWithAValidChecksumDoesNotCrash) {
  Context context;
  size_t read = 0, rejected = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    FX_ASSERT_OK_AND_ASSIGN(const std::string bytes,
                            write_binary(*testing::random_graph(context, seed)));
    testing::Random random(seed);
    for (int i = 0; i < 300; ++i) {
      std::string damaged = bytes;
      for (size_t flips = 1 + random.below(3); flips > 0; --flips)
        damaged[20 + random.below(bytes.size() - 20)] = static_cast<char>(random.bits());
      const auto graph = read_binary(context, damaged, {.verify_checksum = false});
      if (graph.ok()) {
        verify(**graph);
        ++read;
      } else {
        EXPECT_THAT(std::string(graph.status().message()), HasSubstr("at byte"));
        ++rejected;
      }
    }
  }
  EXPECT_GT(read, 1000u);
  EXPECT_GT(rejected, 1000u);
}

TEST(Binary, ErrorsDescribeTheProblem) {
  Context context;
  const auto message = [&](std::string_view bytes) {
    return std::string(read_binary(context, bytes).status().message());
  };
  EXPECT_THAT(message("graph(%x) {}"), HasSubstr("this is not a .fxb file"));
  EXPECT_THAT(message(kBinaryMagic), HasSubstr("is truncated within its header"));
  FX_ASSERT_OK_AND_ASSIGN(std::string bytes, write_binary(*chain(context, 2)));
  bytes[8] = 2;
  const auto newer = read_binary(context, bytes);
  EXPECT_TRUE(absl::IsFailedPrecondition(newer.status()));
  EXPECT_THAT(message(bytes),
              HasSubstr("has version 2, but this version of fxcpp supports only version 1"));
  bytes[8] = 1;
  bytes.back() ^= 1;
  EXPECT_THAT(message(bytes), HasSubstr("checksum"));
  EXPECT_THAT(std::string(read_binary_file(context, "/no/such.fxb").status().message()),
              HasSubstr("/no/such.fxb"));
}

TEST(Binary, FilesAreMapped) {
  Context context;
  const std::string path = ::testing::TempDir() + "binary_test.fxb";
  auto graph = chain(context, 100);
  ASSERT_TRUE(write_binary_file(*graph, path).ok());
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> back, read_binary_file(context, path));
  EXPECT_FALSE(first_difference(*graph, *back).has_value());
  std::remove(path.c_str());
}

}  // namespace
}  // namespace fx
