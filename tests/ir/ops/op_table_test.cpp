// The built-in operator table: names, effects, aliasing, variants.
#include "fx/ir/ops/op_corrections_internal.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace fx::ops {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const OpInfo& op(std::string_view name) {
  const OpInfo* found = find_op(name);
  FX_CHECK(found, name);
  return *found;
}

Effects effects(std::string_view name) { return op(name).effects(); }

std::vector<std::string> written(std::string_view name) {
  std::vector<std::string> names;
  for (const uint8_t index : op(name).written_arguments()) {
    names.emplace_back(op(name).schema().arguments()[index].name);
  }
  return names;
}

std::string name_of(const OpInfo* variant) {
  return variant ? std::string(variant->name()) : "none";
}

TEST(OpTable, HasPyTorchsOperators) {
  size_t dispatched = 0;
  size_t scripted = 0;
  for (const OpFamily& family : op_families()) {
    for (const OpInfo& row : family.ops) {
      if (row.is_function() || row.name_space() != "aten") continue;
      ++(row.has(OpTrait::kTorchScript) ? scripted : dispatched);
    }
  }
  EXPECT_EQ(dispatched, 3110U);
  EXPECT_EQ(scripted, 644U);
}

TEST(OpTable, EveryRowIsFoundByItsNames) {
  std::set<std::string_view> names;
  for (const OpFamily& family : op_families()) {
    for (const OpInfo& row : family.ops) {
      EXPECT_TRUE(names.insert(row.name()).second) << row.name();
      EXPECT_EQ(find_op(row.name()), &row) << row.name();
      const std::string_view qualified = row.qualified_name();
      EXPECT_EQ(find_op(qualified), &row) << qualified;
      const std::span<const OpInfo> overloads = find_overloads(row.packet());
      EXPECT_TRUE(&row >= &overloads.front() && &row <= &overloads.back()) << row.name();
      EXPECT_EQ(overloads.front().packet(), row.packet());
      EXPECT_EQ(overloads.back().packet(), row.packet());
    }
  }
}

TEST(OpTable, NamesHaveParts) {
  const OpInfo& add = op("aten.add.Tensor");
  EXPECT_EQ(add.packet(), "aten.add");
  EXPECT_EQ(add.base_name(), "add");
  EXPECT_EQ(add.overload(), "Tensor");
  EXPECT_EQ(add.name_space(), "aten");
  EXPECT_EQ(op("aten::relu").name(), "aten.relu.default");
  EXPECT_EQ(op("aten::relu").overload(), "default");
  EXPECT_EQ(op("aten::relu.default").name(), "aten.relu.default");
  const OpInfo& function = op("torch.nn.functional.dropout");
  EXPECT_TRUE(function.is_function());
  EXPECT_EQ(function.packet(), "torch.nn.functional.dropout");
  EXPECT_EQ(function.name_space(), "torch.nn.functional");
  EXPECT_EQ(function.overload(), "");
}

TEST(OpTable, UnknownNamesAreNotFound) {
  for (const std::string_view name :
       {"", ".", "::", "aten", "aten.", "aten.add", "aten.add.", "aten.add.tensor",
        "aten.add.Tensor.", "aten.add.Tensor.x", "aten::add.", "aten::", "xaten.add.Tensor",
        "operator.nonesuch", "operator::add", "aten..add", "torch.relu"}) {
    EXPECT_EQ(find_op(name), nullptr) << name;
  }
  EXPECT_THAT(find_overloads("aten.nonesuch"), IsEmpty());
  EXPECT_THAT(find_overloads("aten.add.Tensor"), IsEmpty());
  EXPECT_THAT(find_overloads(""), IsEmpty());
}

TEST(OpTable, OverloadsAreInPyTorchsOrder) {
  std::vector<std::string_view> names;
  for (const OpInfo& overload : find_overloads("aten.add_")) names.push_back(overload.overload());
  EXPECT_THAT(names, ElementsAre("Tensor", "Scalar", "t"));
  EXPECT_EQ(find_overloads("aten::add_").size(), 3U);
  EXPECT_EQ(find_overloads("operator.add").size(), 1U);
}

// parity: N14
TEST(OpEffects, FollowFromSchemaAndTags) {
  EXPECT_TRUE(effects("aten.add.Tensor").is_pure());
  EXPECT_EQ(effects("aten.add_.Tensor"), Effect::kWritesArguments);
  EXPECT_THAT(written("aten.add_.Tensor"), ElementsAre("self"));
  EXPECT_THAT(written("aten.max.dim_max"), ElementsAre("max", "max_values"));
  EXPECT_EQ(effects("aten.rand.default"), Effect::kRandom);
  EXPECT_EQ(effects("aten.uniform_.default"), Effect::kRandom | Effect::kWritesArguments);
  EXPECT_TRUE(effects("aten.item.default").is_pure());
  EXPECT_TRUE(op("aten.item.default").has(OpTrait::kDataDependent));
  EXPECT_TRUE(op("aten.nonzero.default").has(OpTrait::kDynamicShape));
  EXPECT_TRUE(op("aten.squeeze_.default").has(OpTrait::kWritesMetadata));
  EXPECT_TRUE(op("aten.linear.default").has(OpTrait::kComposite));
  EXPECT_FALSE(op("aten.add.Tensor").has(OpTrait::kComposite));
  EXPECT_TRUE(op("aten.add.Tensor").has(OpTrait::kCore));
}

TEST(OpEffects, WrongSchemasAreCorrected) {
  EXPECT_THAT(written("aten.native_batch_norm.default"),
              ElementsAre("running_mean", "running_var"));
  EXPECT_THAT(written("aten.batch_norm.default"), ElementsAre("running_mean", "running_var"));
  EXPECT_THAT(written("aten.native_batch_norm.out"),
              ElementsAre("running_mean", "running_var", "out", "save_mean", "save_invstd"));
  EXPECT_TRUE(effects("aten._native_batch_norm_legit_functional.default").is_pure());
  EXPECT_TRUE(effects("aten._native_batch_norm_legit_no_training.default").is_pure());
  EXPECT_THAT(written("aten._copy_from.default"), ElementsAre("dst"));
  EXPECT_TRUE(effects("prims.as_strided.default").is_pure());
  EXPECT_TRUE(op("prims.as_strided.default").is_view());
}

TEST(OpEffects, FlagsRemoveEffects) {
  const OpInfo& norm = op("aten.native_batch_norm.default");
  ASSERT_EQ(norm.conditional_effects().size(), 1U);
  EXPECT_EQ(norm.schema().arguments()[norm.conditional_effects()[0].argument].name, "training");
  EXPECT_EQ(norm.conditional_effects()[0].value, SchemaConstant{false});
  EXPECT_TRUE((norm.effects() - norm.conditional_effects()[0].absent).is_pure());

  const OpInfo& attention = op("aten._scaled_dot_product_flash_attention_for_cpu.default");
  EXPECT_TRUE(attention.effects().has(Effect::kRandom));
  ASSERT_EQ(attention.conditional_effects().size(), 1U);
  EXPECT_EQ(attention.conditional_effects()[0].value, SchemaConstant{0.0});

  // If `out` is passed, the results are written in any mode.
  const OpInfo& out = op("aten.native_batch_norm.out");
  for (const ConditionalEffect& condition : out.conditional_effects()) {
    EXPECT_TRUE((out.effects() - condition.absent).has(Effect::kWritesArguments));
  }
  EXPECT_THAT(op("aten.rand.default").conditional_effects(), IsEmpty());
}

struct DerivedCase {
  std::string_view name;
  bool removable, dedupable, movable;
};

TEST(OpEffects, PropertiesForPassesAreDerived) {
  for (const DerivedCase& c : {
           DerivedCase{"aten.mul.Tensor", true, true, true},
           DerivedCase{"aten.mul_.Tensor", false, false, false},
           DerivedCase{"aten.rand.default", false, false, false},
           DerivedCase{"aten.empty.memory_format", true, false, true},
           DerivedCase{"aten._assert_async.msg", false, true, false},
           DerivedCase{"aten._assert_scalar.default", false, true, false},
           DerivedCase{"aten.sym_constrain_range.default", false, true, false},
           DerivedCase{"aten._print.default", false, false, false},
           DerivedCase{"aten.is_grad_enabled.default", true, false, false},
           DerivedCase{"_c10d_functional.all_reduce.default", false, false, false},
           DerivedCase{"profiler._record_function_enter_new.default", false, false, false},
           DerivedCase{"aten._linalg_check_errors.default", false, true, false},
           DerivedCase{"operator.getitem", true, true, true},
           DerivedCase{"operator.setitem", false, false, false},
           DerivedCase{"operator.iadd", false, false, false},
           DerivedCase{"builtins.print", false, false, false},
           DerivedCase{"torch._assert", false, true, false},
           DerivedCase{"torch.sym_max", true, true, true},
           DerivedCase{"math.floor", true, true, true},
           DerivedCase{"higher_order.cond", true, true, true},
           DerivedCase{"higher_order.with_effects", false, false, false},
           DerivedCase{"quantized.linear.default", true, true, true},
       }) {
    const Effects e = effects(c.name);
    EXPECT_EQ(e.is_removable(), c.removable) << c.name << ": " << to_string(e);
    EXPECT_EQ(e.is_dedupable(), c.dedupable) << c.name << ": " << to_string(e);
    EXPECT_EQ(e.is_movable(), c.movable) << c.name << ": " << to_string(e);
  }
  EXPECT_TRUE(effects("aten.rand.default").is_removable_ignoring_random());
  EXPECT_FALSE(Effects::all().is_removable_ignoring_random());
}

TEST(OpEffects, HaveTexts) {
  EXPECT_EQ(to_string(Effects::none()), "pure");
  EXPECT_EQ(to_string(Effects::all()), "all");
  EXPECT_EQ(to_string(Effect::kRandom | Effect::kWritesArguments), "writes_arguments, random");
}

TEST(OpAliases, DistinguishSameViewAndMaybe) {
  EXPECT_THAT(op("aten.add_.Tensor").output_aliases(),
              ElementsAre(OutputAlias{0, 0, AliasKind::kSame}));
  EXPECT_THAT(op("aten.t.default").output_aliases(),
              ElementsAre(OutputAlias{0, 0, AliasKind::kView}));
  EXPECT_THAT(op("aten.reshape.default").output_aliases(),
              ElementsAre(OutputAlias{0, 0, AliasKind::kMaybe}));
  EXPECT_THAT(op("aten.split.Tensor").output_aliases(),
              ElementsAre(OutputAlias{0, 0, AliasKind::kView}));
  EXPECT_THAT(op("aten._unsafe_view.default").output_aliases(),
              ElementsAre(OutputAlias{0, 0, AliasKind::kView}));
  EXPECT_THAT(
      op("aten.max.dim_max").output_aliases(),
      ElementsAre(OutputAlias{0, 3, AliasKind::kSame}, OutputAlias{1, 4, AliasKind::kSame}));
  EXPECT_THAT(op("aten.mul.Tensor").output_aliases(), IsEmpty());
  EXPECT_TRUE(op("aten.t.default").is_view());
  EXPECT_TRUE(op("aten.split.Tensor").is_view());
  EXPECT_FALSE(op("aten.reshape.default").is_view());
  EXPECT_FALSE(op("aten.t_.default").is_view());
  EXPECT_FALSE(op("aten._unpack_dual.default").is_view()) << "its second result is new";
  EXPECT_TRUE(op("operator.getitem").aliases_unknown());
  EXPECT_TRUE(op("prim.unchecked_cast.default").aliases_unknown());
  EXPECT_FALSE(op("aten.mul.Tensor").aliases_unknown());
  EXPECT_FALSE(op("operator.add").aliases_unknown());
}

struct VariantCase {
  std::string_view name, functional, in_place, out, view;
};

TEST(OpAlgebra, FollowsFromTheNameOfTheOperator) {
  using Commutes = OpAlgebra::Commutes;
  EXPECT_EQ(op("aten.add.Tensor").algebra().commutes, Commutes::kAlways);
  EXPECT_EQ(op("aten.add.Scalar").algebra().commutes, Commutes::kNever);
  EXPECT_EQ(op("aten.add.str").algebra().commutes, Commutes::kNever);
  EXPECT_EQ(op("aten.add.t").algebra().commutes, Commutes::kNever);
  EXPECT_EQ(op("aten.sub.Tensor").algebra().commutes, Commutes::kNever);
  EXPECT_EQ(op("aten.logical_xor.default").algebra().commutes, Commutes::kAlways);
  EXPECT_EQ(op("operator.and_").algebra().commutes, Commutes::kNumbers);
  EXPECT_EQ(op("operator.add").algebra().commutes, Commutes::kNumbers);
  EXPECT_EQ(op("aten.add.Scalar").algebra().left_neutral, 0);
  EXPECT_TRUE(op("aten.add.Scalar").algebra().changes_zero);
  EXPECT_EQ(op("operator.truediv").algebra().right_neutral, 1);
  EXPECT_EQ(op("operator.truediv").algebra().left_neutral, std::nullopt);
  EXPECT_EQ(op("aten.relu.default").algebra().right_neutral, std::nullopt);
}

TEST(OpVariants, AreFoundFromEachOther) {
  for (const VariantCase& c : {
           VariantCase{"aten.add.Tensor", "aten.add.Tensor", "aten.add_.Tensor", "aten.add.out",
                       "none"},
           VariantCase{"aten.t.default", "aten.t_copy.default", "aten.t_.default",
                       "aten.t_copy.out", "aten.t.default"},
           VariantCase{"aten.__and__.Tensor", "aten.__and__.Tensor", "aten.__iand__.Tensor", "none",
                       "none"},
           VariantCase{"aten.index_copy.default", "aten.index_copy.default",
                       "aten.index_copy_.default", "aten.index_copy.out", "none"},
           VariantCase{"aten._foreach_add.Scalar", "aten._foreach_add.Scalar",
                       "aten._foreach_add_.Scalar", "aten._foreach_add.Scalar_out", "none"},
           VariantCase{"aten._native_batch_norm_legit.default",
                       "aten._native_batch_norm_legit_functional.default",
                       "aten._native_batch_norm_legit.default", "aten._native_batch_norm_legit.out",
                       "none"},
           VariantCase{"aten.empty.memory_format", "aten.empty.memory_format", "none",
                       "aten.empty.out", "none"},
           VariantCase{"aten.max.dim", "aten.max.dim", "none", "aten.max.dim_max", "none"},
           VariantCase{"aten.native_batch_norm.default", "none", "aten.native_batch_norm.default",
                       "aten.native_batch_norm.out", "none"},
       }) {
    std::set<std::string> group;
    for (const std::string_view member : {c.name, c.functional, c.in_place, c.out, c.view}) {
      if (member != "none") group.emplace(member);
    }
    for (const std::string& member : group) {
      const OpVariants variants = find_variants(op(member));
      EXPECT_EQ(name_of(variants.functional), c.functional) << member;
      EXPECT_EQ(name_of(variants.in_place), c.in_place) << member;
      EXPECT_EQ(name_of(variants.out), c.out) << member;
      EXPECT_EQ(name_of(variants.view), c.view) << member;
    }
  }
  EXPECT_EQ(name_of(find_variants(op("operator.add")).functional), "none");
}

TEST(OpCorrections, NameKnownOperators) {
  for (const OpCorrection& correction : op_corrections()) {
    EXPECT_FALSE(correction.reason.empty()) << correction.op;
    std::vector<const OpInfo*> rows;
    for (const OpInfo& row : find_overloads(correction.op)) rows.push_back(&row);
    if (const OpInfo* row = find_op(correction.op)) rows.push_back(row);
    ASSERT_FALSE(rows.empty()) << correction.op;
    std::string arguments = "," + std::string(correction.writes) + ",";
    for (const std::string_view name : {correction.unless_false, correction.aliases}) {
      if (!name.empty()) arguments.append(name).append(",");
    }
    bool found = arguments == ",,";
    for (const OpInfo* row : rows) {
      for (const SchemaArgument& argument : row->schema().arguments()) {
        found |= arguments.find("," + std::string(argument.name) + ",") != std::string::npos;
      }
    }
    EXPECT_TRUE(found) << correction.op << " has none of the arguments " << arguments;
  }
}

TEST(OpTable, CanBeReadConcurrently) {
  std::vector<std::thread> threads;
  std::vector<size_t> sums(4);
  for (size_t i = 0; i < sums.size(); ++i) {
    threads.emplace_back([&sum = sums[i]] {
      for (const OpFamily& family : op_families()) {
        for (const OpInfo& row : family.ops) {
          sum += row.schema().arguments().size() + row.name().size();
          sum += row.written_arguments().size();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const size_t sum : sums) EXPECT_EQ(sum, sums[0]);
}

}  // namespace
}  // namespace fx::ops
