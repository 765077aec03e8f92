// Safetensors: round trips, files that are identical to those that the safetensors package writes,
// and all kinds of invalid files.
#include "fx/ir/files/safetensors.h"

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
constexpr absl::StatusCode kNotFound = absl::StatusCode::kNotFound;

using Tensors = std::vector<std::pair<std::string, Tensor>>;

/// Each test has a separate path. The destructor removes the file.
class SafetensorsTest : public ::testing::Test {
 protected:
  ~SafetensorsTest() override { std::remove(path_.c_str()); }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const std::string path_ = ::testing::TempDir() + "/" +
                            ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                            ".safetensors";
};

std::string file_of(std::string_view header, std::string_view data = {}) {
  const uint64_t size = header.size();
  std::string file(sizeof size, '\0');
  std::memcpy(file.data(), &size, sizeof size);
  file += header;
  file += data;
  return file;
}

absl::StatusOr<Safetensors> parse(std::string_view file) {
  return parse_safetensors(
      Storage::copy_of({reinterpret_cast<const std::byte*>(file.data()), file.size()}).value());
}

Tensor tensor(std::vector<float> values) {
  return Tensor::of<float>({static_cast<int64_t>(values.size())}, values).value();
}

// ---------------------------------------------------------------- round trips

TEST_F(SafetensorsTest, RoundTripOfEveryDType) {
  Tensors tensors;
  for (const DType dtype :
       {DType::kBool, DType::kUInt8, DType::kInt8, DType::kInt16, DType::kUInt16, DType::kFloat16,
        DType::kBFloat16, DType::kInt32, DType::kUInt32, DType::kFloat32, DType::kFloat64,
        DType::kInt64, DType::kUInt64, DType::kComplex64, DType::kFloat8E5M2, DType::kFloat8E4M3FN,
        DType::kFloat8E8M0FNU, DType::kFloat8E4M3FNUZ, DType::kFloat8E5M2FNUZ}) {
    const Argument values[] = {true, false, true};
    tensors.emplace_back(dtype_name(dtype), Tensor::from_elements(dtype, {3, 1}, values).value());
  }
  tensors.emplace_back("scalar", Tensor::of<double>({}, {2.5}).value());
  tensors.emplace_back("empty", Tensor::zeros(DType::kFloat32, {0, 5}).value());
  ASSERT_THAT(write_safetensors(path_, tensors, {{"format", "pt"}, {"\"quoted\"", "\n"}}), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const Safetensors file, read_safetensors(path_));
  EXPECT_EQ(file.tensors.size(), tensors.size());
  for (const auto& [name, original] : tensors) {
    const Tensor* read = file.tensors.find(name);
    ASSERT_NE(read, nullptr) << name;
    EXPECT_TRUE(read->same_bits(original)) << name;
  }
  EXPECT_EQ(*file.metadata.find("format"), "pt");
  EXPECT_EQ(*file.metadata.find("\"quoted\""), "\n");
}

// parity: S9
TEST_F(SafetensorsTest, WritesTheSameBytesAsTheSafetensorsPackage) {
  // The bytes that save_file of Python's safetensors 0.6 writes for the same tensors: sorted by
  // dtype and name, with the header padded to 8 bytes.
  const Tensors tensors = {{"b", tensor({1})},
                           {"n", Tensor::of<uint8_t>({1, 2}, {7, 8}).value()},
                           {"a", tensor({2, 3})}};
  ASSERT_THAT(write_safetensors(path_, tensors, {{"format", "pt"}}), IsOk());
  std::string header = R"({"__metadata__":{"format":"pt"},)"
                       R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                       R"("b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},)"
                       R"("n":{"dtype":"U8","shape":[1,2],"data_offsets":[12,14]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string data(14, '\0');
  const float values[] = {2, 3, 1};
  std::memcpy(data.data(), values, sizeof values);
  data[12] = 7;
  data[13] = 8;
  EXPECT_EQ(bytes(), file_of(header, data));
}

TEST_F(SafetensorsTest, TensorsAreMappedFromTheFile) {
  ASSERT_THAT(write_safetensors(path_, {{"a", tensor({1, 2})}, {"b", tensor({3})}}), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(Safetensors file, read_safetensors(path_));
  const Tensor a = *file.tensors.find("a");
  EXPECT_EQ(file.tensors.find("b")->data() - a.data(), 8);
  // Each tensor has a separate storage, so copying a tensor does not copy the file.
  EXPECT_EQ(a.storage()->num_bytes(), 8u);
  // Writes change only the memory. The file may be replaced while it is in use.
  a.mutable_values<float>()[0] = 50;
  ASSERT_THAT(write_safetensors(path_, {{"a", *file.tensors.find("b")}}), IsOk());
  file = Safetensors();
  EXPECT_THAT(a.values<float>(), ElementsAre(50, 2));
  FX_ASSERT_OK_AND_ASSIGN(const Safetensors again, read_safetensors(path_));
  EXPECT_THAT(again.tensors.find("a")->values<float>(), ElementsAre(3));
}

TEST_F(SafetensorsTest, WritesViewsContiguously) {
  const Tensor base = Tensor::of<int32_t>({2, 2}, {1, 2, 3, 4}).value();
  ASSERT_THAT(write_safetensors(path_, {{"t", base.as_strided({2, 2}, {1, 2}, 0).value()}}),
              IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const Safetensors file, read_safetensors(path_));
  EXPECT_THAT(file.tensors.find("t")->values<int32_t>(), ElementsAre(1, 3, 2, 4));
}

TEST_F(SafetensorsTest, CopiesUnalignedTensors) {
  // The float starts at an odd offset, which is valid, although writers do not do this.
  FX_ASSERT_OK_AND_ASSIGN(const Safetensors file,
                          parse(file_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                        R"("b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})",
                                        std::string_view("\x01\x00\x00\x80\x3f", 5))));
  EXPECT_THAT(file.tensors.find("b")->values<float>(), ElementsAre(1.0f));
}

// ---------------------------------------------------------------- write errors

TEST_F(SafetensorsTest, RejectsWhatTheFormatCannotRepresent) {
  Context context;
  const Tensor declared =
      Tensor::declared(context.types().tensor({.dtype = DType::kFloat32, .sizes = DimVector{1}}));
  EXPECT_THAT(write_safetensors(path_, {{"t", declared}}),
              StatusIs(kInvalid, HasSubstr("no data")));
  EXPECT_THAT(write_safetensors(path_, {{"t", Tensor()}}), StatusIs(kInvalid));
  EXPECT_THAT(write_safetensors(path_, {{"t", Tensor::zeros(DType::kComplex128, {1}).value()}}),
              StatusIs(kInvalid, HasSubstr("complex128")));
  EXPECT_THAT(
      write_safetensors(path_, {{"t", tensor({1})}, {"t", Tensor::of<bool>({}, {true}).value()}}),
      StatusIs(kInvalid, HasSubstr("duplicate tensor")));
  EXPECT_THAT(write_safetensors(path_, {{"__metadata__", tensor({1})}}), StatusIs(kInvalid));
  EXPECT_THAT(write_safetensors(path_, {{"\xff", tensor({1})}}),
              StatusIs(kInvalid, HasSubstr("UTF-8")));
  EXPECT_THAT(write_safetensors(path_, {}, {{"k", "1"}, {"k", "2"}}), StatusIs(kInvalid));
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_THAT(write_safetensors("/nowhere/at/all", {{"t", tensor({1})}}),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("/nowhere/at/all")));
}

// ---------------------------------------------------------------- invalid files

TEST_F(SafetensorsTest, RejectsInvalidFiles) {
  struct Case {
    std::string file;
    const char* message;
  };
  const std::string four(4, '\0');
  std::string huge = file_of("{}");
  const uint64_t too_large = kMaxSafetensorsHeader + 1;
  std::memcpy(huge.data(), &too_large, 8);
  const Case cases[] = {
      {"", "only 0 bytes"},
      {"1234567", "only 7 bytes"},
      {huge, "the limit is 100000000"},
      {std::string(8, '\xff') + "{}", "the limit"},
      {file_of("{}").substr(0, 9), "header has 2 bytes"},
      {file_of(""), "start with {"},
      {file_of(" {}"), "start with {"},
      {file_of("[]"), "start with {"},
      {file_of("{"), "not valid JSON"},
      {file_of("{} x"), "not valid JSON"},
      {file_of("{\"\xff\":{}}"), "not valid JSON"},
      {file_of("{}", four), "the data has 4 bytes, but the tensors end at byte 0"},
      {file_of(R"({"a":1})"), "unexpected number in \"a\""},
      {file_of(R"({"a":{}})"), "lacks dtype, shape or data_offsets"},
      {file_of(R"({"a":{"dtype":"F32","shape":[1]}})", four), "lacks"},
      {file_of(R"({"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", four),
       "unknown dtype \"F31\""},
      {file_of(R"({"a":{"dtype":32,"shape":[1],"data_offsets":[0,4]}})", four),
       "unexpected number in \"a\""},
      {file_of(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", four), "negative"},
      {file_of(R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", four),
       "unexpected floating-point number"},
      {file_of(R"({"a":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})",
               four),
       "does not fit in 63 bits"},
      {file_of(R"({"a":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}})",
               four),
       "unexpected floating-point number"},
      {file_of(R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", four), "nested"},
      {file_of(R"({"a":{"dtype":"F32","shape":{},"data_offsets":[0,4]}})", four),
       "unexpected object"},
      {file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})", four), "two numbers"},
      {file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", four),
       "is at bytes 0 to 8, but the data has 4 bytes"},
      {file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", four), "bytes 4 to 0"},
      {file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", four),
       "shape and dtype"},
      {file_of(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,4]}})", four),
       "shape and dtype"},
      {file_of(R"({"a":{"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]}})", four),
       "shape and dtype"},
      {file_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
               R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
               four),
       "a gap"},
      {file_of(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
               R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
               four),
       "overlap"},
      {file_of(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}})", four), "a gap"},
      {file_of(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})", four), "end at byte 3"},
      {file_of(R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})", "\x02"),
       "must be 0 or 1"},
      {file_of(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
               R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
       "duplicate tensor \"a\""},
      {file_of(R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
       "duplicate key dtype"},
      {file_of(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"more":1}})"),
       "unknown key \"more\""},
      {file_of(R"({"__metadata__":{"a":1}})"), "unexpected number"},
      {file_of(R"({"__metadata__":{"a":"1","a":"2"}})"), "duplicate key"},
      {file_of(R"({"__metadata__":{},"__metadata__":{}})"), "duplicate key"},
      {file_of(R"({"__metadata__":[]})"), "unexpected list"},
      {file_of("{\"a\":" + std::string(1'000'000, '[')), "unexpected list in \"a\""},
      {file_of("{\"__metadata__\":{\"a\":" + std::string(1'000'000, '{')), "unexpected object"},
  };
  for (const Case& c : cases)
    EXPECT_THAT(parse(c.file), StatusIs(kInvalid, HasSubstr(c.message))) << c.file.substr(0, 120);
  // Similar headers that are valid.
  EXPECT_THAT(parse(file_of("{}")), IsOk());
  EXPECT_THAT(parse(file_of("{}   ")), IsOk());
  EXPECT_THAT(parse(file_of(R"({"a":{"shape":[1,4],"data_offsets":[0,4],"dtype":"U8"}})", four)),
              IsOk());
  EXPECT_THAT(parse(file_of(R"({"a":{"dtype":"F32","shape":[4611686018427387905,0],)"
                            R"("data_offsets":[0,0]}})")),
              IsOk());
}

TEST_F(SafetensorsTest, ErrorsNameTheFile) {
  EXPECT_THAT(read_safetensors(path_), StatusIs(kNotFound, HasSubstr(path_)));
  std::ofstream(path_) << "nonsense";
  EXPECT_THAT(read_safetensors(path_), StatusIs(kInvalid, HasSubstr(path_)));
  std::ofstream(path_, std::ios::trunc) << "";
  EXPECT_THAT(read_safetensors(path_), StatusIs(kInvalid));
}

TEST_F(SafetensorsTest, TruncatedAndBitFlippedFilesDoNotCrash) {
  Tensors tensors;
  for (int i = 0; i < 5; ++i)
    tensors.emplace_back("layer." + std::to_string(i) + ".weight", tensor({1, 2, 3}));
  tensors.emplace_back("flag", Tensor::of<bool>({3}, {true, false, true}).value());
  ASSERT_THAT(write_safetensors(path_, tensors, {{"format", "pt"}}), IsOk());
  const std::string good = bytes();
  ASSERT_THAT(parse(good), IsOk());
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_THAT(parse(std::string_view(good).substr(0, size)), StatusIs(kInvalid)) << size;
  for (size_t i = 0; i < good.size() * 8; ++i) {
    std::string flipped = good;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    const absl::StatusOr<Safetensors> file = parse(flipped);
    if (!file.ok()) {
      EXPECT_EQ(file.status().code(), kInvalid);
      continue;
    }
    for (const auto& [name, t] : file->tensors) EXPECT_TRUE(t.same_bits(t.clone().value()));
  }
}

// ---------------------------------------------------------------- modules

std::unique_ptr<Module> make_net(float value) {
  auto root = std::make_unique<Module>("Net");
  const Tensor tied = tensor({value, value});
  FX_CHECK_OK(root->assign("wte.weight", Attribute::parameter(tied)));
  FX_CHECK_OK(root->assign("head.weight", Attribute::parameter(tied)));
  FX_CHECK_OK(root->assign("head.bias", Attribute::parameter(Tensor())));
  FX_CHECK_OK(root->register_buffer("mean", tensor({value})));
  FX_CHECK_OK(root->register_buffer("mask", tensor({value}), {.persistent = false}));
  FX_CHECK_OK(root->register_constant("c", tensor({value})));
  return root;
}

// parity: S9
TEST_F(SafetensorsTest, StateRoundTripsAndTiesAreKept) {
  const auto net = make_net(3);
  ASSERT_THAT(save_state(*net, path_), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const Safetensors file, read_safetensors(path_));
  EXPECT_EQ(file.tensors.size(), 2u);  // mean, wte.weight
  EXPECT_EQ(*file.metadata.find("head.weight"), "wte.weight");
  const auto other = make_net(0);
  ASSERT_THAT(load_state(*other, file), IsOk());
  EXPECT_TRUE(other->find_tensor("wte.weight").same_bits(net->find_tensor("wte.weight")));
  EXPECT_TRUE(other->find_tensor("wte.weight").is_same(other->find_tensor("head.weight")));
  EXPECT_EQ(other->find_tensor("mean").element(0).as_float(), 3);
  EXPECT_EQ(other->find_tensor("mask").element(0).as_float(), 0);
  EXPECT_TRUE(other->find_attribute("wte.weight")->requires_grad);
  // On request, all paths with a tensor are written.
  ASSERT_THAT(save_state(*net, path_, {.non_persistent_buffers = true, .constants = true}), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const Safetensors all, read_safetensors(path_));
  ASSERT_THAT(load_state(*other, all), IsOk());
  EXPECT_EQ(other->find_tensor("mask").element(0).as_float(), 3);
  EXPECT_EQ(other->find_tensor("c").element(0).as_float(), 3);
}

TEST_F(SafetensorsTest, LoadingChecksNamesTypesAndSizes) {
  auto load = [](Module& module, const Tensors& tensors, LoadStateOptions options = {}) {
    Safetensors file;
    for (const auto& [name, t] : tensors) file.tensors.set(name, t);
    return load_state(module, file, options);
  };
  const auto net = make_net(1);
  EXPECT_THAT(load(*net, {{"wte.weight", tensor({2, 2})}}),
              StatusIs(kNotFound, HasSubstr("the file lacks 1 tensor of the module: \"mean\"")));
  EXPECT_THAT(
      load(*net, {{"wte.weight", tensor({2, 2})}, {"mean", tensor({2})}, {"x", tensor({2})}}),
      StatusIs(kInvalid, HasSubstr("the module lacks 1 tensor of the file: \"x\"")));
  EXPECT_THAT(load(*net, {{"wte.weight", tensor({2, 2, 2})}, {"mean", tensor({2})}}),
              StatusIs(kInvalid, HasSubstr("sizes [3] in the file, but [2] in the module")));
  EXPECT_THAT(
      load(*net, {{"wte.weight", tensor({2, 2})}, {"mean", Tensor::of<double>({1}, {2}).value()}}),
      StatusIs(kInvalid, HasSubstr("float64 in the file, but float32 in the module")));
  EXPECT_THAT(load(*net, {{"wte.weight", tensor({2, 2})},
                          {"head.weight", tensor({2, 3})},
                          {"mean", tensor({2})}}),
              StatusIs(kInvalid, HasSubstr("tied")));
  EXPECT_EQ(net->find_tensor("wte.weight").element(0).as_float(), 1);  // the module has not changed
  EXPECT_THAT(load(*net, {{"head.weight", tensor({5, 5})}, {"x", tensor({2})}}, {.strict = false}),
              IsOk());
  EXPECT_EQ(net->find_tensor("wte.weight").element(0).as_float(), 5);
  EXPECT_EQ(net->find_tensor("mean").element(0).as_float(), 1);
}

TEST_F(SafetensorsTest, LoadingFillsDeclaredTensors) {
  Context context;
  Module net("Net");
  FX_CHECK_OK(
      net.register_parameter("w", Tensor::declared(context.types().parse("f32[2]").value())));
  Safetensors file;
  file.tensors.set("w", tensor({1, 2}));
  EXPECT_THAT(save_state(net, path_), StatusIs(kInvalid, HasSubstr("no data")));
  ASSERT_THAT(load_state(net, file), IsOk());
  EXPECT_THAT(net.find_tensor("w").values<float>(), ElementsAre(1, 2));
}

TEST_F(SafetensorsTest, LoadingRestoresStrides) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const Tensor values, Tensor::of<float>({2, 2}, {1, 2, 3, 4}));
  Safetensors file;
  file.tensors.set("w", values);
  for (const bool restores : {true, false}) {
    Module net("Net");
    FX_CHECK_OK(net.register_parameter(
        "w", Tensor::declared(context.types().parse("f32[2, 2][1, 2]").value())));
    FX_CHECK_OK(net.assign("tied", *net.find_attribute("w")));
    ASSERT_THAT(load_state(net, file, {.restore_strides = restores}), IsOk());
    const Tensor loaded = net.find_tensor("w");
    EXPECT_TRUE(loaded.is_same(net.find_tensor("tied")));
    if (restores) {
      EXPECT_THAT(loaded.strides(), ElementsAre(1, 2));
    } else {
      EXPECT_THAT(loaded.strides(), ElementsAre(2, 1));
    }
    FX_ASSERT_OK_AND_ASSIGN(const Tensor contiguous, loaded.contiguous());
    EXPECT_THAT(contiguous.values<float>(), ElementsAre(1, 2, 3, 4));
  }
}

}  // namespace
}  // namespace fx
