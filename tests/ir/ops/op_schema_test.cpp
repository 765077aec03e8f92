// Schema text: parsing, printing, errors.
#include "fx/ir/ops/schema.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace fx::ops {
namespace {

using ::fx::testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

OpSchema parse_or_die(std::string_view text) {
  absl::StatusOr<OpSchema> schema = parse_schema(text);
  FX_CHECK_OK(schema.status());
  return *std::move(schema);
}

std::string reprinted(std::string_view text) {
  const absl::StatusOr<OpSchema> schema = parse_schema(text);
  return schema.ok() ? to_string(*schema) : std::string(schema.status().message());
}

/// Returns the first argument of `aten::f(<argument>) -> ()`.
SchemaArgument argument(std::string_view text) {
  static std::vector<OpSchema> schemas;  // the argument refers to the schema's text
  schemas.push_back(parse_or_die("aten::f(" + std::string(text) + ") -> ()"));
  return schemas.back().arguments()[0];
}

std::string default_of(std::string_view text) { return to_string(*argument(text).default_value); }

TEST(OpSchema, ReadsNamesArgumentsAndResults) {
  const OpSchema schema = parse_or_die(
      "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  EXPECT_EQ(schema.name(), "aten::add_");
  EXPECT_EQ(schema.name_space(), "aten");
  EXPECT_EQ(schema.base_name(), "add_");
  EXPECT_EQ(schema.overload(), "Tensor");
  ASSERT_EQ(schema.arguments().size(), 3U);
  EXPECT_EQ(schema.positional_count(), 2);
  EXPECT_EQ(schema.arguments()[1].name, "other");
  EXPECT_FALSE(schema.arguments()[1].kwarg_only);
  EXPECT_TRUE(schema.arguments()[2].kwarg_only);
  EXPECT_EQ(schema.arguments()[2].default_value->value, SchemaConstant{int64_t{1}}.value);
  EXPECT_TRUE(schema.is_mutable());
  EXPECT_TRUE(schema.arguments()[0].is_write());
  EXPECT_FALSE(schema.arguments()[0].is_out());
  EXPECT_FALSE(schema.arguments()[1].is_write());
  EXPECT_EQ(schema.find_argument("alpha"), 2);
  EXPECT_EQ(schema.find_argument("beta"), -1);
  ASSERT_EQ(schema.returns().size(), 1U);
  EXPECT_EQ(schema.returns()[0].type.alias()->before, "a");
}

TEST(OpSchema, OutArgumentsAreWrittenAndKeywordOnly) {
  const OpSchema schema =
      parse_or_die("aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_TRUE(schema.arguments()[1].is_out());
  EXPECT_FALSE(parse_or_die("aten::abs(Tensor self) -> Tensor").is_mutable());
}

TEST(OpSchema, TypesAreTrees) {
  const SchemaType type = argument("Tensor?[] indices").type;
  ASSERT_TRUE(type.is_list());
  EXPECT_FALSE(type.list_size());
  ASSERT_TRUE(type.element().is_optional());
  EXPECT_TRUE(type.innermost().is(SchemaTypeKind::kTensor));
  EXPECT_TRUE(type.contains_tensors());

  const SchemaType sized = argument("SymInt[2]? size=None").type;
  ASSERT_TRUE(sized.is_optional());
  EXPECT_EQ(sized.without_optional().list_size(), 2);
  EXPECT_FALSE(sized.contains_tensors());

  const SchemaType dict = argument("Dict(str, Tensor[]) d").type;
  ASSERT_EQ(dict.parameters().size(), 2U);
  EXPECT_TRUE(dict.parameters()[0].is(SchemaTypeKind::kString));
  EXPECT_TRUE(dict.parameters()[1].is_list());

  EXPECT_EQ(argument("__torch__.torch.classes.foo.Bar x").type.name(),
            "__torch__.torch.classes.foo.Bar");
  EXPECT_EQ(argument("tVal x").type.name(), "tVal");
}

TEST(OpSchema, AliasAnnotationsKeepTheirPositions) {
  const SchemaType elements = argument("Tensor(a!)[] self").type;
  EXPECT_EQ(elements.own_alias(), nullptr);
  ASSERT_NE(elements.alias(), nullptr);
  EXPECT_TRUE(elements.is_write());

  const SchemaType list = argument("Tensor[](a!) self").type;
  ASSERT_NE(list.own_alias(), nullptr);
  EXPECT_EQ(list.element().own_alias(), nullptr);

  const SchemaType source = argument("Tensor(a -> *) self").type;
  EXPECT_EQ(source.alias()->before, "a");
  EXPECT_EQ(source.alias()->after, "*");
  EXPECT_FALSE(source.is_write());
}

TEST(OpSchema, AliasSetsOverlapByName) {
  const AliasInfo a{"a", "a", false}, b{"b", "b", false}, ab{"a | b", "a | b", false};
  const AliasInfo any{"*", "*", false};
  EXPECT_TRUE(a.overlaps(a));
  EXPECT_FALSE(a.overlaps(b));
  EXPECT_TRUE(a.overlaps(ab));
  EXPECT_TRUE(ab.overlaps(b));
  EXPECT_TRUE(b.overlaps(any));
  const AliasInfo later{"c", "b", false};
  EXPECT_TRUE(b.overlaps(later));
}

TEST(OpSchema, DefaultsHaveTheTypeOfTheArgument) {
  EXPECT_EQ(default_of("float x=1"), "1.");
  EXPECT_EQ(default_of("float? x=1"), "1") << "as in PyTorch";
  EXPECT_EQ(default_of("float x=1e-5"), "1.0000000000000001e-05");
  EXPECT_EQ(default_of("float x=-inf"), "-inf");
  EXPECT_EQ(default_of("int x=-3"), "-3");
  EXPECT_EQ(default_of("int x=9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(default_of("Scalar x=True"), "True");
  EXPECT_EQ(default_of("Scalar x=2j"), "0.+2.j");
  EXPECT_EQ(default_of("complex x=1.5-2j"), "1.5-2.j");
  EXPECT_EQ(default_of("bool x=False"), "False");
  EXPECT_EQ(default_of("str x='it\\'s\\n'"), "\"it\\'s\\n\"");
  EXPECT_EQ(default_of("int[2] x=0"), "0");
  EXPECT_EQ(default_of("bool[3] x=True"), "[True, True, True]");
  EXPECT_EQ(default_of("SymInt[2] x=1"), "[1, 1]");
  EXPECT_EQ(default_of("float[] x=[1, 2.5]"), "[1., 2.5]");
  EXPECT_EQ(default_of("int[] x=[]"), "[]");
  EXPECT_EQ(default_of("str[] x=[\"a\", 'b']"), "[\"a\", \"b\"]");
  EXPECT_EQ(default_of("Tensor? x=None"), "None");
  EXPECT_EQ(default_of("ScalarType x=long"), "4");
  EXPECT_EQ(default_of("MemoryFormat x=contiguous_format"), "0");
  EXPECT_EQ(default_of("int x=Mean"), "1");
  EXPECT_FALSE(argument("int x").default_value);
}

TEST(OpSchema, TextRoundTrips) {
  for (const std::string_view text : {
           "aten::abs(Tensor self) -> Tensor",
           "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
           "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
           "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
           "indices)",
           "aten::as_tensor(Tensor(a) data, *, Device? device=None) -> Tensor(b|a)",
           "aten::items.str(Dict(str, t) self) -> ((str, t)[])",
           "aten::popitem.str(Dict(str, t)(a!) self) -> ((str, t))",
           "aten::format(str self, ...) -> str",
           "prim::TupleUnpack(Any tup) -> ...",
           "aten::record_stream(Tensor(a!) self, Stream s) -> ()",
           "aten::f(int[2]?[3]? x, (Tensor, int)? y, *, Union(int, str) z) -> (Tensor, ...)",
           "aten::get.str(Dict(str, t) self, str key) -> t(*)?",
           "aten::f(Device x=cuda:0) -> Future(Tensor)",
           "f(Tensor x) -> Tensor",
       }) {
    EXPECT_EQ(reprinted(text), text);
  }
}

TEST(OpSchema, WhitespaceIsAllowedAnywhere) {
  EXPECT_EQ(reprinted("  aten::f (Tensor ( a! )[ 2 ]x,*,int y= 1)->( Tensor , int )\n"),
            "aten::f(Tensor(a!)[2] x, *, int y=1) -> (Tensor, int)");
  EXPECT_EQ(reprinted("aten::f(Tensor(a | b ! -> *) x) -> ()"),
            "aten::f(Tensor(a|b! -> *) x) -> ()");
  EXPECT_EQ(reprinted("aten::f(Tensor(a! -> a) x) -> ()"), "aten::f(Tensor(a!) x) -> ()");
  EXPECT_EQ(reprinted("aten::f(Tensor x, *) -> (Tensor)"), "aten::f(Tensor x) -> Tensor");
}

struct BadSchema {
  std::string_view text;
  int column;
  std::string_view message;
};

TEST(OpSchema, ErrorsIncludePositionAndCause) {
  for (const BadSchema& bad : {
           BadSchema{"", 1, "the operator's name"},
           BadSchema{"aten::f", 8, "expected '('"},
           BadSchema{"aten ::f() -> ()", 9, "contains whitespace"},
           BadSchema{"aten::f.default() -> ()", 16, "omit it"},
           BadSchema{"aten::f(Tensor) -> ()", 15, "the argument's name"},
           BadSchema{"aten::f(Tensor x", 17, "',' or ')'"},
           BadSchema{"aten::f(Tensor x,) -> ()", 18, "a type"},
           BadSchema{"aten::f(Foo x) -> ()", 9, "unknown type 'Foo'"},
           BadSchema{"aten::f(Dict(str) x) -> ()", 18, "Dict must have two types"},
           BadSchema{"aten::f(int[x] y) -> ()", 13, "the list's size"},
           BadSchema{"aten::f(int[4096] y) -> ()", 17, "at most 1024"},
           BadSchema{"aten::f(Tensor(a!! x) -> ()", 18, "')' after the alias"},
           BadSchema{"aten::f(int x=a) -> ()", 15, "'a' is not a value of type int"},
           BadSchema{"aten::f(int x=1.5) -> ()", 18, "cannot be a default of type int"},
           BadSchema{"aten::f(int x=99999999999999999999) -> ()", 35, "64 bits"},
           BadSchema{"aten::f(float x=1e999) -> ()", 22, "64 bits"},
           BadSchema{"aten::f(int[] x=1) -> ()", 17, "expected '['"},
           BadSchema{"aten::f(str x=\"abc) -> ()", 26, "is not terminated"},
           BadSchema{"aten::f(str x=\"\\q\") -> ()", 17, "unknown escape"},
           BadSchema{"aten::f(int x=1, int y) -> ()", 23, "'y' must have a default"},
           BadSchema{"aten::f() Tensor", 11, "expected '->'"},
           BadSchema{"aten::f() -> Tensor, Tensor", 20, "the end of the schema"},
           BadSchema{"aten::f(..., int x) -> ()", 12, "',' or ')'"},
       }) {
    const std::string column = "column " + std::to_string(bad.column) + ":";
    EXPECT_THAT(parse_schema(bad.text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(column), HasSubstr(std::string(bad.message)))))
        << bad.text;
  }
  EXPECT_THAT(parse_schema(std::string_view("aten::f() -> ()\0x", 17)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("column 16:")));
}

TEST(OpSchema, MaliciousTextIsAnError) {
  const std::string deep = "aten::f(Dict(int, " + std::string(1'000'000, '(') + "x) -> ()";
  EXPECT_FALSE(parse_schema(deep).ok());
  std::string nested = "aten::f(";
  for (int i = 0; i < 5000; ++i) nested += "Future(";
  EXPECT_THAT(parse_schema(nested), StatusIs(absl::StatusCode::kInvalidArgument,
                                             HasSubstr("types are nested more than")));
  const std::string suffixes = "aten::f(int" + std::string(10'000, '?') + " x) -> ()";
  EXPECT_THAT(parse_schema(suffixes), StatusIs(absl::StatusCode::kInvalidArgument,
                                               HasSubstr("types are nested more than")));
  std::string many = "aten::f(int x0";
  for (int i = 1; i < 2000; ++i) many += ", int x" + std::to_string(i);
  EXPECT_THAT(parse_schema(many + ") -> ()"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("more than 255 arguments")));
  std::string list = "aten::f(int[] x=[1";
  for (int i = 0; i < 5000; ++i) list += ",1";
  EXPECT_FALSE(parse_schema(list + "]) -> ()").ok());
}

TEST(OpSchema, EveryPrefixAndEveryChangedByteIsHandled) {
  const std::string text =
      "aten::f.o(Tensor(a! -> *)?[2] x, Dict(str, (int, t)) d, float[] y=[1e-5, -2], *, str "
      "s=\"a\\n\", "
      "...) -> (Tensor(b|a) r, ...)";
  ASSERT_EQ(reprinted(text),
            "aten::f.o(Tensor(a! -> *)?[2] x, Dict(str, (int, t)) d, float[] "
            "y=[1.0000000000000001e-05, -2.], *, str s=\"a\\n\", ...) -> (Tensor(b|a) r, ...)");
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(parse_schema(text.substr(0, size)).ok()) << size;
  }
  for (size_t at = 0; at < text.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      const absl::StatusOr<OpSchema> schema = parse_schema(changed);
      if (!schema.ok()) continue;
      // The printed form of accepted text has the same meaning.
      const std::string printed = to_string(*schema);
      EXPECT_EQ(reprinted(printed), printed) << changed;
    }
  }
}

TEST(OpSchema, SameTypeIgnoresAliasesAndSizesOfLists) {
  const auto is_same = [](std::string_view a, std::string_view b) {
    const OpSchema x = parse_or_die(a), y = parse_or_die(b);
    return x.arguments()[0].type.same_type(y.arguments()[0].type);
  };
  EXPECT_TRUE(is_same("aten::f(Tensor(a!) x) -> ()", "aten::f(Tensor y) -> ()"));
  EXPECT_TRUE(is_same("aten::f(int[2] x) -> ()", "aten::f(int[] x) -> ()"));
  EXPECT_FALSE(is_same("aten::f(Tensor x) -> ()", "aten::f(Tensor? x) -> ()"));
  EXPECT_FALSE(is_same("aten::f(int[] x) -> ()", "aten::f(int x) -> ()"));
}

TEST(OpSchema, AMovedSchemaKeepsItsText) {
  OpSchema first = parse_or_die("aten::f(Tensor x) -> Tensor");
  const OpSchema second = std::move(first);
  EXPECT_EQ(to_string(second), "aten::f(Tensor x) -> Tensor");
}

}  // namespace
}  // namespace fx::ops
