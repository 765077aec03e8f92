#include "fx/ir/graph/provenance/stack_trace.h"

#include "gtest/gtest.h"

namespace fx {
namespace {

constexpr std::string_view kTrace =
    "  File \"train.py\", line 90, in main\n"
    "    loss = model(x)\n"
    "  File \"model.py\", line 12, in forward\n"
    "    return self.fc(x)\n"
    "  File \"/opt/torch/nn/functional.py\", line 7, in <lambda>\n"
    "    relu(x)\n";

// torch.fx's _parse_stack_trace returns these results for these strings.
// parity: TB7
TEST(StackTrace, LastFrame) {
  EXPECT_EQ(last_frame(kTrace)->str(),
            "File: /opt/torch/nn/functional.py:7 in <lambda>, code: relu(x)");
  const std::optional<StackFrame> matching = last_frame(kTrace, [](const StackFrame& frame) {
    return !frame.file.starts_with("/opt") && frame.code.find("self") != std::string_view::npos;
  });
  ASSERT_TRUE(matching);
  EXPECT_EQ(matching->file, "model.py");
  EXPECT_EQ(matching->line, 12u);
  EXPECT_EQ(matching->function, "forward");
  EXPECT_EQ(matching->code, "return self.fc(x)");
  EXPECT_FALSE(last_frame(kTrace, [](const StackFrame&) { return false; }));
}

TEST(StackTrace, UnusualText) {
  EXPECT_FALSE(last_frame(""));
  EXPECT_FALSE(last_frame("no frame\nat all"));
  EXPECT_FALSE(last_frame("File \"a.py\", line 1, in f"));  // the line of code is missing
  EXPECT_FALSE(last_frame("File \"a.py\", line x, in f\ncode"));
  EXPECT_FALSE(last_frame("File \"a.py\", line 99999999999999999999, in f\ncode"));
  EXPECT_FALSE(last_frame("File \"\", line 1, in f\ncode"));
  // The file name ends at the last position after which the rest of the line is valid.
  EXPECT_EQ(last_frame("File \"a\", line 1, in f\", line 2, in g\ncode")->file,
            "a\", line 1, in f");
  EXPECT_EQ(last_frame("File \"a\", line 1, in f\", line x, in g\ncode")->function,
            "f\", line x, in g");
}

}  // namespace
}  // namespace fx
