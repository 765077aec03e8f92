// Types: interning, text, strides; round trips of random types, and corrupted text.
#include "fx/ir/types/type.h"

#include "fx/ir/types/strides.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace fx {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::IsOkAndHolds;
using ::fx::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TypeTest : public ::testing::Test {
 protected:
  /// Parses a type. The test fails if the text is invalid.
  Type parse(std::string_view text) {
    absl::StatusOr<Type> result = types_.parse(text);
    EXPECT_THAT(result, IsOk()) << text;
    return result.ok() ? *result : Type();
  }
  Dim symbol(std::string_view name) { return exprs_.symbol(name); }

  SymbolTable symbols_;
  SymExprTable exprs_{symbols_};
  TypeTable types_{symbols_, exprs_};
};

// ---------------------------------------------------------------- creation

TEST_F(TypeTest, EqualTypesAreOnePointer) {
  const Type a = types_.tensor({.dtype = DType::kFloat32, .sizes = {2, 3}});
  const Type b = types_.tensor({.dtype = DType::kFloat32, .sizes = {2, 3}, .strides = {3, 1}});
  EXPECT_EQ(a, b);
  EXPECT_EQ(types_.tensor(a.spec()), a);
  EXPECT_EQ(types_.list({a, types_.none()}), types_.list({b, types_.none()}));
  EXPECT_EQ(types_.integer(3), types_.integer(3));
  const size_t size = types_.size();
  types_.tensor({.dtype = DType::kFloat32, .sizes = {2, 3}});
  EXPECT_EQ(types_.size(), size);
}

TEST_F(TypeTest, EveryPartOfATensorTypeDistinguishesIt) {
  const std::vector<Dim> base_sizes = {2, 3};
  const TensorSpec base{.dtype = DType::kFloat32, .sizes = base_sizes};
  std::vector<TensorSpec> specs(9, base);
  specs[1].dtype = DType::kFloat64;
  const std::vector<Dim> sizes = {3, 2};
  specs[2].sizes = sizes;
  const std::vector<Dim> strides = {1, 2};
  specs[3].strides = absl::MakeConstSpan(strides);
  specs[4].strides = StrideSpec::unknown();
  specs[5].offset = 1;
  specs[6].device = {DeviceType::kCuda, 0};
  specs[7].requires_grad = true;
  specs[8].layout = Layout::kSparseCoo;
  for (size_t i = 0; i < specs.size(); ++i) {
    for (size_t j = 0; j < specs.size(); ++j)
      EXPECT_EQ(types_.tensor(specs[i]) == types_.tensor(specs[j]), i == j) << i << " " << j;
    const Type type = types_.tensor(specs[i]);
    EXPECT_EQ(types_.tensor(type.spec()), type);
  }
}

TEST_F(TypeTest, AccessorsReturnTheStoredValues) {
  const Dim n = symbol("n");
  const Type type = types_.tensor({.dtype = DType::kBFloat16,
                                   .sizes = {n, 4},
                                   .strides = {1, n},
                                   .offset = n + 2,
                                   .device = {DeviceType::kCuda, 1},
                                   .requires_grad = true});
  EXPECT_EQ(type.kind(), TypeKind::kTensor);
  EXPECT_EQ(type.dtype(), DType::kBFloat16);
  EXPECT_EQ(type.rank(), 2);
  EXPECT_THAT(type.sizes(), ElementsAre(n, Dim(4)));
  EXPECT_EQ(type.size(-1), Dim(4));
  EXPECT_THAT(type.strides(), ElementsAre(Dim(1), n));
  EXPECT_EQ(type.stride(-1), n);
  EXPECT_EQ(type.offset(), n + 2);
  EXPECT_EQ(type.device(), (Device{DeviceType::kCuda, 1}));
  EXPECT_TRUE(type.requires_grad());
  EXPECT_FALSE(type.has_default_strides());
  const Type unranked = types_.tensor({.has_rank = false});
  EXPECT_FALSE(unranked.has_rank());
  EXPECT_FALSE(unranked.has_strides());
  EXPECT_EQ(unranked.rank(), 0);
}

TEST_F(TypeTest, NumbersAreUnknownConstantOrSymbolic) {
  EXPECT_FALSE(types_.integer().is_constant());
  EXPECT_EQ(types_.integer(-5).int_value(), -5);
  EXPECT_EQ(types_.floating(0.5).float_value(), 0.5);
  EXPECT_TRUE(types_.boolean(true).bool_value());
  EXPECT_EQ(types_.complex({1, -2}).complex_value(), std::complex<double>(1, -2));
  EXPECT_EQ(types_.string("x").string_value(), "x");
  const SymExpr e = exprs_.symbol("n");
  EXPECT_EQ(types_.integer(e).expr(), e);
  EXPECT_TRUE(types_.integer(e).is_symbolic());
  // torch has symbolic numbers with constant expressions; they differ from constants.
  EXPECT_NE(types_.integer(exprs_.integer(3)), types_.integer(3));
  EXPECT_NE(types_.floating(0.0), types_.floating(-0.0));
  EXPECT_EQ(types_.floating(std::nan("1")), types_.floating(-std::nan("2")));
  EXPECT_NE(types_.floating(1.0), types_.integer(1));
}

TEST_F(TypeTest, UndefinedSizesHaveNoType) {
  const Dim overflow = Dim(std::numeric_limits<int64_t>::max()) + 1;
  EXPECT_FALSE(types_.tensor({.dtype = DType::kInt8, .sizes = {2, overflow}}));
  EXPECT_FALSE(types_.tensor({.dtype = DType::kInt8, .sizes = {2}, .offset = overflow}));
  const Dim large = int64_t{1} << 40;
  EXPECT_FALSE(types_.tensor({.dtype = DType::kInt8, .sizes = {2, large, large}}));
  EXPECT_TRUE(types_.tensor({.dtype = DType::kInt8, .sizes = {large, large}}));
  EXPECT_FALSE(types_.integer(overflow.expr()));
}

TEST_F(TypeTest, NullIsUnknown) {
  const Type unknown;
  EXPECT_EQ(unknown.kind(), TypeKind::kUnknown);
  EXPECT_TRUE(unknown.items().empty());
  EXPECT_EQ(to_string(unknown), "?");
  EXPECT_THAT(types_.parse("?"), IsOkAndHolds(unknown));
  EXPECT_EQ(types_.tuple({unknown}).items()[0], unknown);
}

TEST_F(TypeTest, DeepTypesAreACallerError) {
  Type type = types_.none();
  for (int i = 1; i < kMaxTypeDepth; ++i) type = types_.list({type});
  EXPECT_EQ(type.depth(), kMaxTypeDepth);
  EXPECT_THAT(types_.parse(to_string(type)), IsOkAndHolds(type));
  EXPECT_DEATH(types_.list({type}), "are nested more than 64");
  EXPECT_DEATH(types_.tensor({.sizes = {1, 2}, .strides = {1}}), "1 strides do not match 2 sizes");
  EXPECT_DEATH(types_.tensor({.sizes = {1, 2}}).size(2),
               "dimension 2 is out of range for a tensor of rank 2");
}

TEST_F(TypeTest, ExpressionsAreRewritten) {
  const Type type = parse("(f32[n, 1 + n]{offset=n}, SymInt(n*2), [i64[m]], none)");
  const Type canonical = types_.canonical(type);
  EXPECT_EQ(to_string(canonical), "(f32[n, n + 1]{offset=n}, SymInt(2*n), [i64[m]], none)");
  EXPECT_EQ(types_.canonical(canonical), canonical);
  EXPECT_EQ(to_string(types_.substitute(type, {{symbols_.intern("n"), exprs_.integer(4)}})),
            "(f32[4, 5]{offset=4}, int(8), [i64[m]], none)");
}

TEST_F(TypeTest, ThreadsShareOneTable) {
  constexpr int kThreads = 4;
  std::vector<std::vector<Type>> results(kThreads);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 4000; ++i)
        results[t].push_back(types_.tensor({.dtype = DType::kFloat32, .sizes = {i % 2000, 3}}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 1; t < kThreads; ++t) EXPECT_EQ(results[t], results[0]);
  EXPECT_EQ(types_.size(), 2000U);
}

// ---------------------------------------------------------------- text

TEST_F(TypeTest, TextRoundTrips) {
  for (const char* text : {
           "?",
           "none",
           "graph",
           "token",
           "f32[]",
           "f32[8, 3, 224, 224]",
           "bf16[0, 3]",
           "f32[2, 3][1, 2]",
           "f32[2, 3][?]",
           "f32[][?]",
           "f32[2]meta",
           "f32[2]cuda:0",
           "i64[s0, 3, s1 + 1]",
           "i64[s0, 3, s1 + 1][1, s0, 3*s0]cuda:1{offset=s0 + 4, grad}",
           "f32[((s26//2)) + 2, 2*((s26//4))]",
           "f32[2, 3]{offset=4, grad}",
           "f32[2, 3]{layout=sparse_coo}",
           "f32[2, 3][3, 1]{layout=jagged}",
           "f32[*]",
           "tensor[*]",
           "tensor[2, 3]{grad}",
           "f8e4m3fn[3]",
           "qi8[3]",
           "int",
           "int(-3)",
           "float",
           "float(0.5)",
           "float(-0.0)",
           "float(1e-05)",
           "float(inf)",
           "float(-inf)",
           "float(nan)",
           "bool",
           "bool(True)",
           "bool(False)",
           "complex",
           "complex(1.0, -0.5)",
           "complex(nan, -inf)",
           "str",
           "str(\"\")",
           "str(\"a \\\"quoted\\\" \\\\ line\\n\")",
           "SymInt(s77 + 1)",
           "SymInt(3)",
           "SymFloat(ToFloat(s0))",
           "SymBool(s77 > 4)",
           "SymBool(Eq(s0, s1))",
           "()",
           "(f32[2], none)",
           "(f32[2],)",
           "[]",
           "[f32[2], f32[3]]",
           "[[?], ((),)]",
           "{}",
           "{\"a\": f32[2], \"b c\": {\"\": int}}",
           "object(\"FakeScriptObject\")",
       }) {
    const Type type = parse(text);
    EXPECT_EQ(to_string(type), text);
    size_t consumed = 0;
    EXPECT_THAT(types_.parse(std::string(text) + " = aten.relu", &consumed), IsOkAndHolds(type));
    EXPECT_EQ(consumed, std::string_view(text).size()) << text;
  }
}

TEST_F(TypeTest, OtherFormsAreParsed) {
  EXPECT_EQ(parse("f32[2,3][3,1]cpu"), parse("f32[2, 3]"));
  EXPECT_EQ(parse(" ( f32[ 2 ,3, ] , none , ) "), parse("(f32[2, 3], none)"));
  EXPECT_EQ(parse("f32[2, 3]{grad, offset=4}"), parse("f32[2, 3]{offset=4, grad}"));
  EXPECT_EQ(parse("f32[2]{offset=0}"), parse("f32[2]"));
  EXPECT_EQ(parse("f32[s0, 2][2, 1]"), parse("f32[s0, 2]"));
  EXPECT_EQ(parse("f32[1 + 1]"), parse("f32[1 + 1]"));
  EXPECT_EQ(types_.canonical(parse("f32[1 + 1]")), parse("f32[2]"));
  EXPECT_EQ(parse("float(1)"), parse("float(1.0)"));
}

TEST_F(TypeTest, ErrorsIncludeAPosition) {
  struct Case {
    const char* text;
    size_t offset;
    const char* message;
  };
  const Case cases[] = {
      {"", 0, "expected a type"},
      {"f33[2]", 0, "'f33' is not a type; write a tensor as f32[2, 3]"},
      {"float[4,4]", 0, "'float' is not a tensor type; write a tensor as f32[2, 3]"},
      {"bool[4]", 0, "'bool' is not a tensor type; write a tensor as b8[2, 3]"},
      {"int64[4]", 0, "'int64' is not a type; write a tensor as i64[2, 3]"},
      {"torch.bfloat16[4]", 0, "'torch.bfloat16' is not a type; write a tensor as bf16[2, 3]"},
      {"f32", 3, "expected '['"},
      {"f32[2", 5, "expected ',' or ']'"},
      {"f32[2,", 6, "expected a number"},
      {"f32[2 3]", 6, "expected ',' or ']'"},
      {"f32[2, s0 + ]", 12, "expected a number"},
      {"f32[1/0]", 5, "divided by zero"},
      {"f32[2][1, 2]", 6, "the number of strides, 2, differs from the number of sizes, 1"},
      {"f32[2]gpu", 6, "'gpu' is not a device"},
      {"f32[2]cuda:999", 6, "'cuda:999' is not a device"},
      {"f32[2]{speed}", 7, "expected offset=..., layout=... or grad"},
      {"f32[2]{layout=dense}", 14, "'dense' is not a layout"},
      {"f32[2]{offset 4}", 14, "expected '='"},
      {"(f32[2])", 0, "with a comma"},
      {"(f32[2] none)", 8, "expected ',' or ')'"},
      {"{a: none}", 1, "expected a string"},
      {"{\"a\" none}", 5, "expected ':'"},
      {"int(x)", 4, "expected an integer"},
      {"int(99999999999999999999)", 4, "does not fit in 64 bits"},
      {"float(1e999)", 6, "out of range"},
      {"bool(1)", 5, "expected True or False"},
      {"str(\"a", 4, "no closing quote"},
      {"str(\"\\q\")", 5, "unknown escape"},
      {"str(\"\\x4\")", 5, "two hexadecimal digits"},
      {"SymInt()", 7, "expected a number"},
      {"f32[4, 4611686018427387904, 4]", 30, "do not fit in 64 bits"},
      {"f32[4, undefined(overflow)]", 7, "must not be undefined"},
  };
  for (const Case& c : cases) {
    size_t offset = 1000;
    const absl::StatusOr<Type> result = types_.parse(c.text, &offset);
    EXPECT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.text;
    EXPECT_EQ(offset, c.offset) << c.text << ": " << result.status();
    EXPECT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr("at offset " + std::to_string(c.offset) + ":")));
  }
  EXPECT_THAT(types_.parse("f32[2] f32[3]"), StatusIs(absl::StatusCode::kInvalidArgument,
                                                      HasSubstr("at offset 7: expected the end")));
}

TEST_F(TypeTest, DeepTextIsAnError) {
  for (const char* piece : {"(", "[", "{\"a\":", "f32[(", "SymInt(-", "([{\"\":"}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    EXPECT_THAT(types_.parse(text), StatusIs(absl::StatusCode::kInvalidArgument)) << piece;
  }
}

class RandomTypes {
 public:
  RandomTypes(TypeTable& types, uint32_t seed) : types_(types), random_(seed) {}

  Type make(int depth) {
    switch (pick(depth > 0 ? 20 : 15)) {
      case 0:
        return Type();
      case 1:
        return types_.none();
      case 2:
        return pick(2) ? types_.integer() : types_.integer(static_cast<int64_t>(bits()));
      case 3:
        return pick(4) ? types_.floating(number()) : types_.floating();
      case 4:
        return pick(3) ? types_.boolean(pick(2) == 1) : types_.boolean();
      case 5:
        return pick(3) ? types_.complex({number(), number()}) : types_.complex();
      case 6:
        return pick(3) ? types_.string(string()) : types_.string();
      case 7:
        return types_.integer(expr(3));
      case 8:
        return types_.boolean(types_.exprs().compare(SymKind::kLt, expr(2), expr(2)));
      case 9:
        return pick(2) ? types_.graph() : types_.token();
      case 10:
        return types_.object(string());
      case 15:
      case 16:
        return types_.list(items(depth));
      case 17:
      case 18:
        return types_.tuple(items(depth));
      case 19: {
        std::vector<std::pair<Symbol, Type>> entries;
        for (Type item : items(depth))
          entries.emplace_back(types_.symbols().intern(string()), item);
        return types_.map(entries);
      }
      default:
        return tensor();
    }
  }

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

 private:
  uint64_t bits() {
    return uint64_t{random_()} << 33 ^ uint64_t { random_() } << 11 ^ random_();
  }
  double number() {
    switch (pick(4)) {
      case 0:
        return std::bit_cast<double>(bits());
      case 1:
        return pick(2) ? 0.0 : -0.0;
      case 2:
        return std::numeric_limits<double>::infinity() * (pick(2) ? 1 : -1);
      default:
        return pick(1000) / 8.0;
    }
  }
  std::string string() {
    std::string text;
    for (int i = pick(6); i > 0; --i) text += static_cast<char>(pick(256));
    return text;
  }
  SymExpr expr(int depth) {
    SymExprTable& exprs = types_.exprs();
    if (depth == 0 || pick(4) == 0) {
      return pick(2) ? exprs.symbol("s" + std::to_string(pick(20))) : exprs.integer(pick(20) - 5);
    }
    const SymExpr a = expr(depth - 1);
    const SymExpr b = expr(depth - 1);
    switch (pick(7)) {
      case 0:
        return exprs.add(a, b);
      case 1:
        return exprs.mul(a, b);
      case 2:
        return exprs.sub(a, b);
      case 3:
        return exprs.floor_div(a, exprs.integer(pick(5) + 1));
      case 4:
        return exprs.max(a, b);
      case 5:
        return exprs.mod(a, exprs.integer(pick(5) + 1));
      default: {  // with explicit strides
        const absl::StatusOr<SymExpr> spelled =
            exprs.parse("(" + to_string(a) + ")*1 + (" + to_string(b) + ")");
        return spelled.ok() ? *spelled : a;
      }
    }
  }
  Dim dim() { return pick(3) ? Dim(pick(50)) : Dim(expr(2)); }
  Type tensor() {
    TensorSpec spec{.dtype = static_cast<DType>(pick(kNumDTypes + 1))};
    DimVector sizes;
    DimVector strides;
    for (int rank = pick(6); rank > 0; --rank) {
      sizes.push_back(dim());
      strides.push_back(dim());
    }
    if (pick(10) == 0)
      spec.has_rank = false;
    else
      spec.sizes = sizes;
    if (spec.has_rank && pick(3) == 0) spec.strides = strides;
    if (pick(10) == 0) spec.strides = StrideSpec::unknown();
    if (pick(4) == 0) spec.offset = dim();
    if (pick(6) == 0) spec.layout = static_cast<Layout>(pick(kNumLayouts));
    if (pick(4) == 0) {
      spec.device = {static_cast<DeviceType>(pick(kNumDeviceTypes)),
                     static_cast<int16_t>(pick(5) - 1)};
    }
    spec.requires_grad = pick(4) == 0;
    return types_.tensor(spec);
  }
  std::vector<Type> items(int depth) {
    std::vector<Type> result(static_cast<size_t>(pick(4)));
    for (Type& item : result) item = make(depth - 1);
    return result;
  }

  TypeTable& types_;
  std::minstd_rand random_;
};

TEST_F(TypeTest, RandomTypesRoundTrip) {
  RandomTypes random(types_, 3);
  for (int i = 0; i < 10'000; ++i) {
    const Type type = random.make(4);
    const std::string text = to_string(type);
    ASSERT_THAT(types_.parse(text), IsOkAndHolds(type)) << text;
    EXPECT_EQ(types_.parse(text).value(), type);
  }
}

TEST_F(TypeTest, DamagedTextIsParsedOrRejected) {
  RandomTypes random(types_, 4);
  int read = 0;
  for (int i = 0; i < 3'000; ++i) {
    const std::string text = to_string(random.make(3));
    for (int change = 0; change < 8; ++change) {
      std::string damaged = text;
      const auto position = static_cast<size_t>(random.pick(static_cast<int>(text.size())));
      if (change == 0)
        damaged.resize(position);
      else if (change < 5)
        damaged[position] = static_cast<char>(damaged[position] ^ (1 << random.pick(8)));
      else
        damaged.insert(position, 1, "()[]{}\",*/+-?1s"[random.pick(15)]);
      size_t consumed = 0;
      const absl::StatusOr<Type> type = types_.parse(damaged, &consumed);
      ASSERT_LE(consumed, damaged.size());
      if (!type.ok()) continue;
      ++read;
      EXPECT_THAT(types_.parse(to_string(*type)), IsOkAndHolds(*type)) << damaged;
    }
  }
  EXPECT_GT(read, 1000);
}

// ---------------------------------------------------------------- strides

TEST_F(TypeTest, ContiguousStridesEqualTorch) {
  EXPECT_THAT(contiguous_strides({}), ElementsAre());
  EXPECT_THAT(contiguous_strides({2, 3, 4}), ElementsAre(Dim(12), Dim(4), Dim(1)));
  EXPECT_THAT(contiguous_strides({2, 0, 4}), ElementsAre(Dim(4), Dim(4), Dim(1)));
  const Dim n = symbol("n");
  EXPECT_THAT(contiguous_strides({2, n, n + 1}), ElementsAre(n * n + n, n + 1, Dim(1)));
  EXPECT_THAT(strides_of({2, 3, 4, 5}, MemoryFormat::kChannelsLast),
              ElementsAre(Dim(60), Dim(1), Dim(15), Dim(3)));
  EXPECT_THAT(strides_of({2, 3, 4, 5, 6}, MemoryFormat::kChannelsLast3d),
              ElementsAre(Dim(360), Dim(1), Dim(90), Dim(18), Dim(3)));
}

TEST_F(TypeTest, ContiguityEqualsTorch) {
  EXPECT_TRUE(is_contiguous(parse("f32[2, 3]")));
  EXPECT_FALSE(is_contiguous(parse("f32[2, 3][1, 2]")));
  EXPECT_TRUE(is_contiguous(parse("f32[2, 1, 3][3, 77, 1]")));
  EXPECT_TRUE(is_contiguous(parse("f32[2, 0][5, 5]")));
  EXPECT_TRUE(is_contiguous(parse("f32[]")));
  EXPECT_FALSE(is_contiguous(parse("f32[2][?]")));
  EXPECT_FALSE(is_contiguous(parse("int")));
  // torch keeps Max(1, size) in strides if it cannot prove that a size is positive.
  EXPECT_TRUE(is_contiguous(parse("f32[2, (s0//2)][Max(1, (s0//2)), 1]")));
  EXPECT_TRUE(is_contiguous(parse("f32[2, (s0 + 1)*s1][s1 + s0*s1, 1]")));
  EXPECT_TRUE(is_contiguous(parse("f32[2, 3, 4, 5][60, 1, 15, 3]"), MemoryFormat::kChannelsLast));
  EXPECT_FALSE(is_contiguous(parse("f32[2, 3, 4, 5]"), MemoryFormat::kChannelsLast));
  EXPECT_TRUE(is_contiguous(parse("f32[2, 1, 4, 5]"), MemoryFormat::kChannelsLast));
  EXPECT_FALSE(is_contiguous(parse("f32[2, 3]"), MemoryFormat::kChannelsLast));
}

TEST_F(TypeTest, DenseMeansNeitherGapsNorOverlap) {
  EXPECT_TRUE(is_non_overlapping_and_dense(parse("f32[2, 3, 4][4, 8, 1]")));
  EXPECT_FALSE(is_non_overlapping_and_dense(parse("f32[2, 3][4, 1]")));
  EXPECT_FALSE(is_non_overlapping_and_dense(parse("f32[2, 3][0, 1]")));
  EXPECT_TRUE(is_non_overlapping_and_dense(parse("f32[s0, 3][1, s0]")));
  EXPECT_FALSE(is_non_overlapping_and_dense(parse("f32[s0, 3][1, s1]")));
  EXPECT_TRUE(is_non_overlapping_and_dense(parse("f32[1, 3][50, 1]")));
}

TEST_F(TypeTest, ElementsAreCounted) {
  EXPECT_EQ(numel({}), Dim(1));
  EXPECT_EQ(numel({2, 3}), Dim(6));
  const Dim large = int64_t{1} << 40;
  EXPECT_TRUE(numel({large, large}).is_undefined());
  EXPECT_EQ(numel({large, large, 0}), Dim(0));
  EXPECT_EQ(numel({symbol("n"), 2}), symbol("n") * 2);
}

}  // namespace
}  // namespace fx
