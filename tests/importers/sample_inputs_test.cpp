// Pickles with example inputs are read or rejected. The reader never imports the names in them.
#include "fx/importers/pt2/pickle/pickle_internal.h"
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/graph/context.h"
#include "tests/importers/pt2_builder.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace fx::sample_inputs_test {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::StatusIs;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

/// Reads the small program with these example inputs. Storage 0 contains two floats, 3 and 4.
absl::StatusOr<Pt2Program> read_with(Context& context, std::string_view pickle,
                                     std::vector<std::string>& notes) {
  std::vector<testing::ZipPart> parts = testing::small_program();
  testing::part_of(parts, "m/data/sample_inputs/model.pt").data =
      testing::zip_of({{"archive/data.pkl", std::string(pickle)},
                       {"archive/byteorder", "little"},
                       {"archive/data/0", "\0\0\x40\x40\0\0\x80\x40"s}});
  return parse_pt2(context, testing::storage_of(testing::zip_of(parts)), {.notes = &notes});
}

/// Returns the pickle of ((tensor,), {}), where the tensor has `size` elements.
std::string tensor_pickle(char size) {
  return "\x80\x02("s +
         "ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\n"s +
         "X\x01\0\0\0"
         "0X\x03\0\0\0cpuK\x02tQK\0K"s +
         size + "\x85K\x01\x85\x89}tR\x85}t."s;
}

TEST(SampleInputs, Tensor) {
  Context context;
  std::vector<std::string> notes;
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program program, read_with(context, tensor_pickle(2), notes));
  EXPECT_THAT(notes, IsEmpty());
  ASSERT_EQ(program.sample_inputs.size(), 1u);
  EXPECT_THAT(program.sample_inputs[0].tensor.values<float>(), ElementsAre(3.0F, 4.0F));
}

/// Returns the pickle of a tensor of this class with an attribute.
std::string pickle_with_attributes(std::string_view type) {
  const std::string plain = tensor_pickle(2);
  const size_t begin = plain.find("ctorch._utils"), arguments = plain.find('(', begin),
               end = plain.rfind("R\x85}t.");
  return plain.substr(0, begin) + "ctorch._tensor\n_rebuild_from_type_v2\n(" +
         plain.substr(begin, arguments - begin) + "c" + std::string(type) + "\n" +
         plain.substr(arguments, end - arguments) + "}X\x01\0\0\0aNst"s + plain.substr(end);
}

// Inputs with Dim.DYNAMIC have an attribute.
TEST(SampleInputs, TensorWithAttributes) {
  for (const std::string_view type : {"torch\nTensor", "torch.nn.parameter\nParameter"}) {
    Context context;
    std::vector<std::string> notes;
    FX_ASSERT_OK_AND_ASSIGN(const Pt2Program program,
                            read_with(context, pickle_with_attributes(type), notes));
    EXPECT_THAT(notes, IsEmpty());
    ASSERT_EQ(program.sample_inputs.size(), 1u);
    EXPECT_THAT(program.sample_inputs[0].tensor.values<float>(), ElementsAre(3.0F, 4.0F));
  }
  Context context;
  std::vector<std::string> notes;
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program program,
                          read_with(context, pickle_with_attributes("mine\nTensor"), notes));
  EXPECT_THAT(program.sample_inputs, IsEmpty());
  EXPECT_THAT(notes, ElementsAre(HasSubstr("_rebuild_from_type_v2")));
}

TEST(SampleInputs, TensorBeyondItsStorage) {
  Context context;
  std::vector<std::string> notes;
  EXPECT_THAT(read_with(context, tensor_pickle(3), notes).status(),
              StatusIs(kInvalid, HasSubstr("sample_inputs")));
}

// A call is kept as a name with arguments. It does not run, and the inputs are ignored.
TEST(SampleInputs, CallsOfOtherGlobals) {
  for (const std::string_view pickle : {"\x80\x02"
                                        "cos\nsystem\nX\x04\0\0\0true\x85R."sv,
                                        "\x80\x02"
                                        "cbuiltins\neval\nX\x01\0\0\0"
                                        "1\x85R."sv,
                                        "\x80\x02"
                                        "ctorch.storage\n_load_from_bytes\nC\x01"
                                        "a\x85R."sv}) {
    Context context;
    std::vector<std::string> notes;
    FX_ASSERT_OK_AND_ASSIGN(const Pt2Program program, read_with(context, pickle, notes));
    EXPECT_THAT(program.sample_inputs, IsEmpty());
    EXPECT_THAT(notes, ElementsAre(HasSubstr("ignored the example inputs")));
  }
}

TEST(SampleInputs, UnsupportedOpcodes) {
  Context context;
  std::vector<std::string> notes;
  EXPECT_THAT(read_with(context, "\x80\x02i\x01."sv, notes), testing::IsOk());  // INST
  EXPECT_THAT(notes, ElementsAre(HasSubstr("opcode 0x69")));
}

TEST(SampleInputs, CyclesAndSharingAreBounded) {
  Context context;
  std::vector<std::string> notes;
  EXPECT_THAT(read_with(context, "\x80\x02]q\0h\0a."sv, notes).status(),
              StatusIs(kInvalid, HasSubstr("too large")));
  std::string doubling = "\x80\x02N";  // 60 nested tuples; each contains the previous one twice
  for (char i = 0; i < 60; ++i)
    (doubling += 'q') += std::string(1, i) + "h" + std::string(1, i) + "\x86";
  EXPECT_THAT(read_with(context, doubling + ".", notes).status(),
              StatusIs(kInvalid, HasSubstr("too large")));
}

TEST(Pickle, DamagedBytes) {
  for (const std::string_view pickle : {""sv,
                                        "\x80"sv,
                                        "\x80\x01."sv,
                                        "\x80\x02."sv,
                                        "\x80\x02NN."sv,
                                        "\x80\x02(."sv,
                                        "\x80\x02R."sv,
                                        "\x80\x02h\x05."sv,
                                        "\x80\x02X\xff\xff\xff\xff"
                                        "ab."sv,
                                        "\x80\x02\x8d\xff\xff\xff\xff\xff\xff\xff\xff"
                                        "a."sv,
                                        "\x80\x02t."sv,
                                        "\x80\x02Na."sv,
                                        "\x80\x02}Ns."sv,
                                        "\x80\x02(N}u."sv,
                                        "\x80\x02NNb."sv,
                                        "\x80\x02q\0."sv,
                                        "\x80\x02"
                                        "ctorch"sv,
                                        "\x80\x02\x8a\x0b"
                                        "123456789."sv,
                                        "\x80\x02NQ"sv,
                                        "\x80\x02\x87."sv})
    EXPECT_THAT(pt2::parse_pickle(pickle).status(), StatusIs(kInvalid, HasSubstr("pickle")))
        << pickle;
}

TEST(Pickle, IntegersBeyond64Bits) {
  FX_ASSERT_OK_AND_ASSIGN(const pt2::Pickle pickle, pt2::parse_pickle("\x80\x02\x8a\x09"
                                                                      "123456789.rest"sv));
  EXPECT_EQ(pickle[pickle.root].kind, pt2::PickleKind::kBigInt);
  EXPECT_EQ(pickle[pickle.root].text, "123456789");
  EXPECT_EQ(pickle.num_bytes, 14u);
}

}  // namespace
}  // namespace fx::sample_inputs_test
