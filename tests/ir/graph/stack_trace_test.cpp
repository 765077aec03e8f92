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

// The results of torch.fx's _parse_stack_trace for these strings.
// parity: TB7
TEST(StackTrace, LastFrame) {
  EXPECT_EQ(last_frame(kTrace)->str(),
            "File: /opt/torch/nn/functional.py:7 in <lambda>, code: relu(x)");
  const std::optional<StackFrame> own = last_frame(kTrace, [](const StackFrame& frame) {
    return !frame.file.starts_with("/opt") && frame.code.find("self") != std::string_view::npos;
  });
  ASSERT_TRUE(own);
  EXPECT_EQ(own->file, "model.py");
  EXPECT_EQ(own->line, 12u);
  EXPECT_EQ(own->function, "forward");
  EXPECT_EQ(own->code, "return self.fc(x)");
  EXPECT_FALSE(last_frame(kTrace, [](const StackFrame&) { return false; }));
}

TEST(StackTrace, OddTexts) {
  EXPECT_FALSE(last_frame(""));
  EXPECT_FALSE(last_frame("no frame\nat all"));
  EXPECT_FALSE(last_frame("File \"a.py\", line 1, in f"));  // its code is cut off
  EXPECT_FALSE(last_frame("File \"a.py\", line x, in f\ncode"));
  EXPECT_FALSE(last_frame("File \"a.py\", line 99999999999999999999, in f\ncode"));
  EXPECT_FALSE(last_frame("File \"\", line 1, in f\ncode"));
  // The name of the file ends at the last place at which the rest is a frame.
  EXPECT_EQ(last_frame("File \"a\", line 1, in f\", line 2, in g\ncode")->file,
            "a\", line 1, in f");
  EXPECT_EQ(last_frame("File \"a\", line 1, in f\", line x, in g\ncode")->function,
            "f\", line x, in g");
}

}  // namespace
}  // namespace fx
