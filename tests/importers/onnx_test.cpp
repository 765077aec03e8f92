// Tests the bytes of ONNX models. The scripts tests/importers/onnx_models.py, onnx_operators.py and
// test_onnx.py test that onnxruntime accepts the models and computes the same results as libtorch.
//
// The test parses the bytes as protobuf and prints field numbers (those in onnx.proto), like
// `protoc --decode_raw`, so that it does not depend on the tables of the writer.
#include "fx/importers/onnx/onnx.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/files.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fx::onnx_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Parses one message.
class RawReader {
 public:
  explicit RawReader(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the fields as text; nullopt if the bytes are not a message.
  std::optional<std::string> text(int depth = 0) {
    std::string out;
    while (!bytes_.empty()) {
      const std::optional<uint64_t> key = varint();
      if (!key || *key >> 3 == 0 || *key >> 3 > 100) return std::nullopt;
      out.append(static_cast<size_t>(2 * depth), ' ');
      out += fmt::format("{}", *key >> 3);
      const std::optional<std::string> value = field(*key & 7, depth);
      if (!value) return std::nullopt;
      out += *value + "\n";
    }
    return out;
  }

 private:
  std::optional<uint64_t> varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  std::optional<std::string> field(uint64_t wire, int depth) {
    if (wire == 0) {
      const std::optional<uint64_t> value = varint();
      return value ? std::optional(fmt::format(": {}", static_cast<int64_t>(*value)))
                   : std::nullopt;
    }
    if (wire == 5) {
      if (bytes_.size() < 4) return std::nullopt;
      float value = 0;
      std::memcpy(&value, bytes_.data(), 4);
      bytes_.remove_prefix(4);
      return fmt::format(": {}f", value);
    }
    const std::optional<uint64_t> size = wire == 2 ? varint() : std::nullopt;
    if (!size || *size > bytes_.size()) return std::nullopt;
    const std::string_view part = bytes_.substr(0, *size);
    bytes_.remove_prefix(*size);
    bool printable = true;
    for (const char c : part) printable &= c >= ' ' && c <= '~';
    if (printable) return fmt::format(": \"{}\"", part);
    if (const std::optional<std::string> inner = RawReader(part).text(depth + 1))
      return fmt::format(" {{\n{}{}}}", *inner, std::string(static_cast<size_t>(2 * depth), ' '));
    std::string hex = ": ";
    for (const char c : part) hex += fmt::format("{:02x}", static_cast<uint8_t>(c));
    return hex;
  }

  std::string_view bytes_;
};

class OnnxTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> graph_of(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    EXPECT_TRUE(graph.ok()) << graph.status();
    return graph.ok() ? *std::move(graph) : nullptr;
  }
  std::string raw(std::string_view text, const OnnxOptions& options = {}) {
    const std::unique_ptr<Graph> graph = graph_of(text);
    const absl::StatusOr<std::string> bytes = onnx_model(*graph, options);
    if (!bytes.ok()) return std::string(bytes.status().message());
    return RawReader(*bytes).text().value_or("not a message");
  }

  Context context_;
};

constexpr std::string_view kLinear =
    R"(graph(%x : f32[s0, 2], %w : f32[1, 2] !{input={"kind": "parameter", "target": "fc.weight"}}) {
  %fc : f32[s0, 1] = aten.linear.default(%x, %w) !{module="fc", stack_trace="File \"a.py\", line 3, in f"}
  %y : f32[s0, 1] = aten.relu.default(%fc)
  return (%y,)
})";

TEST_F(OnnxTest, AModelHasNodesWeightsAndTypes) {
  OrderedMap<Tensor> weights;
  weights.set("fc.weight", *Tensor::of<float>({1, 2}, {1.0F, -2.0F}));
  EXPECT_EQ(raw(kLinear, {.tensors = &weights}), R"(1: 10
2: "fxcpp"
3: "0.1.0"
7 {
  1 {
    1: "x"
    1: "fc.weight"
    2: "fc"
    3: "fc/fc"
    4: "Gemm"
    5 {
      1: "transB"
      3: 1
      20: 2
    }
    6: "File "a.py", line 3, in f"
    9 {
      1: "module"
      2: "fc"
    }
  }
  1 {
    1: "fc"
    2: "y"
    3: "y"
    4: "Relu"
  }
  2: "main"
  11 {
    1: "x"
    2 {
      1 {
        1: 1
        2 {
          1 {
            2: "s0"
          }
          1 {
            1: 2
          }
        }
      }
    }
  }
  12 {
    1: "y"
    2 {
      1 {
        1: 1
        2 {
          1 {
            2: "s0"
          }
          1 {
            1: 1
          }
        }
      }
    }
    3: "out.0"
  }
  13 {
    1: "fc"
    2 {
      1 {
        1: 1
        2 {
          1 {
            2: "s0"
          }
          1 {
            1: 1
          }
        }
      }
    }
  }
  5 {
    1: 1
    1: 2
    2: 1
    8: "fc.weight"
    9: 0000803f000000c0
  }
}
8 {
  1: ""
  2: 20
}
)");
}

TEST_F(OnnxTest, MissingWeightsBecomeInputs) {
  EXPECT_THAT(raw(kLinear),
              AllOf(HasSubstr("  11 {\n    1: \"w\"\n"), HasSubstr("3: \"fc.weight\""),
                    Not(HasSubstr("  5 {\n    1: 1"))));
}

TEST_F(OnnxTest, AWeightOfADifferentTypeIsAnError) {
  OrderedMap<Tensor> weights;
  weights.set("fc.weight", *Tensor::of<float>({2}, {1.0F, -2.0F}));
  EXPECT_THAT(raw(kLinear, {.tensors = &weights}),
              HasSubstr("has type f32[2], but the type of the node is f32[1, 2]"));
}

TEST_F(OnnxTest, AWeightOnAnotherDeviceIsAnError) {
  const std::vector<std::byte> memory(2 * sizeof(float));
  OrderedMap<Tensor> weights;
  weights.set("fc.weight", *Tensor::create(DType::kFloat32, {1, 2},
                                           Storage::external(memory.data(), memory.size(), {},
                                                             Device{DeviceType::kCuda, 0})));
  EXPECT_THAT(raw(kLinear, {.tensors = &weights}),
              HasSubstr("the data of \"fc.weight\" must be on the CPU, not on cuda:0"));
}

TEST_F(OnnxTest, AllRejectedCallsAreListed) {
  const std::string text = raw(R"(graph(%x : f32[4], %n : i64[3]) {
    %a : c64[3] = aten._fft_r2c.default(%x, [0], 0, True)
    %b : c64[3] = aten.mul.Tensor(%a, %a)
    %c = user.unknown(%n)
    %d : f32[4] = aten.relu.default(%x)
    return (%b, %c, %d)
  })");
  EXPECT_THAT(text, AllOf(HasSubstr("2 calls cannot be converted to ONNX"), HasSubstr("node a ("),
                          HasSubstr("node c ("), Not(HasSubstr("node b ("))));
}

TEST_F(OnnxTest, AWrittenInputBecomesAResult) {
  EXPECT_THAT(raw(R"(graph(%x : f32[4]) {
    %a : f32[4] = aten.add_.Tensor(%x, 1)
    %b : f32[4] = aten.mul.Tensor(%a, 2)
    return (%b,)
  })"),
              HasSubstr("3: \"the new value of x\""));
}

TEST_F(OnnxTest, ACustomOperatorHasItsDomain) {
  ASSERT_TRUE(
      context_
          .add_operator(
              "user::swish(Tensor x, float beta=1.5, int[] dims=[], str mode=\"a\") -> Tensor")
          .ok());
  const OnnxCustomOp custom[] = {
      {.op = "user.swish.default", .domain = "com.user", .op_type = "Swish", .version = 3}};
  const std::string text = raw(R"(graph(%x : f32[4]) {
    %y : f32[4] = user.swish.default(%x, 0.5, [1, -2])
    return (%y,)
  })",
                               {.custom_ops = custom});
  EXPECT_THAT(text, AllOf(HasSubstr("4: \"Swish\""), HasSubstr("7: \"com.user\""),
                          HasSubstr("1: \"beta\"\n      2: 0.5f"), HasSubstr("8: 1\n      8: -2"),
                          HasSubstr("8 {\n  1: \"com.user\"\n  2: 3\n}")));
}

TEST_F(OnnxTest, ASliceWithASymbolicEndIsKept) {
  EXPECT_THAT(raw(R"(graph(%x : f32[32], %y : f32[s0]) {
    %n : SymInt(s0) = aten.sym_size.int(%y, 0)
    %slice : f32[Min(32, s0)] = aten.slice.Tensor(%x, 0, 0, %n)
    return (%slice,)
  })"),
              HasSubstr("4: \"Slice\""));
  EXPECT_THAT(raw(R"(graph(%x : f32[32]) {
    %slice : f32[32] = aten.slice.Tensor(%x, 0)
    return (%slice,)
  })"),
              Not(HasSubstr("4: \"Slice\"")));
}

// The writer replaces names that are empty, not UTF-8, or equal to names that it creates (m/1).
TEST_F(OnnxTest, InvalidValueNamesAreReplaced) {
  EXPECT_THAT(raw(R"(graph(%"" : f32[2], %_ : f32[2], %"m/1" : f32[2], %"\xff" : f32[2]) {
    %m : f32[2] = aten.add.Tensor(%"", %_, alpha=2)
    %n : f32[2] = aten.add.Tensor(%"m/1", %"\xff")
    return (%m, %n)
  })"),
              AllOf(HasSubstr("11 {\n    1: \"__\""), HasSubstr("11 {\n    1: \"_\""),
                    HasSubstr("11 {\n    1: \"m_1_\""), HasSubstr("11 {\n    1: \"___\"")));
}

// The symbol is computed from the input, even though a later node has it as a size.
TEST_F(OnnxTest, ASymbolIsComputedFromAnInput) {
  EXPECT_THAT(raw(R"(graph(%x : f32[s1, 1, 4*s0]) {
    %a : f32[s1, 1, 2*s0] = aten.max_pool1d.default(%x, [2], [2])
    %m : SymInt(s1) = aten.sym_size.int(%a, 0)
    %n : SymInt(2*s0) = aten.sym_size.int(%a, 2)
    %view : f32[2*s0*s1] = aten.view.default(%a, [-1])
    %back : f32[s1, 1, 2*s0] = aten.reshape.default(%view, [%m, 1, %n])
    %b : f32[s1, 1, s0] = aten.max_pool1d.default(%back, [2], [2])
    return (%b,)
  })"),
              AllOf(HasSubstr("4: \"Reshape\""), HasSubstr("4: \"Div\"")));
}

// As in libtorch's integer kernel, start and step are truncated and computed in int64.
TEST_F(OnnxTest, ARangeOfIntegersIsExact) {
  const std::unique_ptr<Graph> graph = graph_of(R"(graph(%x : f32[2]) {
    %large : i64[2] = aten.arange.start_step(1152921504606846977, 1152921504606846979, 1)
    %even : i64[5] = aten.arange.start_step(0, 10, 2.5, dtype=torch.int64)
    return (%large, %even)
  })");
  const absl::StatusOr<std::string> bytes = onnx_model(*graph);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const auto bytes_of = [](const std::vector<int64_t>& values) {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * 8);
  };
  EXPECT_THAT(*bytes, HasSubstr(bytes_of({1152921504606846977, 1152921504606846978})));
  EXPECT_THAT(*bytes, HasSubstr(bytes_of({0, 2, 4, 6, 8})));
}

TEST_F(OnnxTest, InitializersMayHaveNamesOfNodes) {
  // One weight has the name of a node; another has a name that the writer might create.
  OrderedMap<Tensor> weights;
  weights.set("y", *Tensor::of<float>({1}, {1.0F}));
  weights.set("a/0", *Tensor::of<float>({1}, {2.0F}));
  const std::string text = raw(
      R"(graph(%x : f32[1], %v : f32[1] !{input={"kind": "parameter", "target": "y"}}, %w : f32[1] !{input={"kind": "parameter", "target": "a/0"}}) {
    %a : f32[1] = aten.add.Tensor(%x, %v, alpha=2)
    %y : f32[1] = aten.add.Tensor(%a, %w)
    return (%y,)
  })",
      {.tensors = &weights});
  EXPECT_THAT(text, AllOf(HasSubstr("8: \"y/"), HasSubstr("8: \"a/0/"), HasSubstr("2: \"y\"")));
}

TEST_F(OnnxTest, LargeWeightsAreInASecondFile) {
  const std::filesystem::path folder = ::testing::TempDir();
  const std::string path = (folder / "onnx_test_large.onnx").string();
  OrderedMap<Tensor> weights;
  const std::vector<float> values(2048, 1.5F);
  weights.set("w", *Tensor::of<float>({2048}, values));
  weights.set("v", *Tensor::of<float>({2048}, values));
  const std::unique_ptr<Graph> graph = graph_of(
      R"(graph(%x : f32[2048], %w : f32[2048] !{input={"kind": "parameter", "target": "w"}}, %v : f32[2048] !{input={"kind": "parameter", "target": "v"}}) {
    %a : f32[2048] = aten.add.Tensor(%x, %w)
    %y : f32[2048] = aten.mul.Tensor(%a, %v)
    return (%y,)
  })");
  ASSERT_TRUE(write_onnx(*graph, path, {.tensors = &weights, .max_embedded_bytes = 1000}).ok());
  const absl::StatusOr<std::string> model = read_file(path), data = read_file(path + ".data");
  ASSERT_TRUE(model.ok() && data.ok());
  EXPECT_EQ(data->size(), 2 * 8192U);
  EXPECT_LT(model->size(), 2000U);
  const std::string text = RawReader(*model).text().value_or("");
  EXPECT_THAT(text, AllOf(HasSubstr("onnx_test_large.onnx.data"), HasSubstr("2: \"8192\""),
                          HasSubstr("14: 1")));
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".data");
}

TEST_F(OnnxTest, RejectsUnsupportedOpsets) {
  EXPECT_THAT(raw(kLinear, {.opset = 16}), HasSubstr("between 17 and 23, not 16"));
}

}  // namespace fx::onnx_test
