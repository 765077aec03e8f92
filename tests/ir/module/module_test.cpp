// Module trees: members and paths, torch.nn's orders, sharing, modes, new names, copies.
#include "fx/ir/module/module.h"

#include "fx/ir/module/tied_paths.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace fx::module_test {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::IsOkAndHolds;
using ::fx::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
constexpr absl::StatusCode kNotFound = absl::StatusCode::kNotFound;

Tensor ones(absl::Span<const int64_t> sizes = {2}) {
  Tensor tensor = Tensor::zeros(DType::kFloat32, sizes).value();
  for (float& value : tensor.mutable_values<float>()) value = 1;
  return tensor;
}

std::shared_ptr<Module> linear(bool bias = true) {
  auto module = std::make_shared<Module>("torch.nn.modules.linear.Linear");
  FX_CHECK_OK(module->register_parameter("weight", ones({2, 2})));
  FX_CHECK_OK(module->register_parameter("bias", bias ? ones() : Tensor()));
  return module;
}

template <class List>
std::vector<std::string> paths(const List& list) {
  std::vector<std::string> result;
  for (const auto& entry : list) result.push_back(entry.path);
  return result;
}

/// Returns a root with parameter w, buffers mean and mask (not saved), constant c, fc, and
/// block.{0, 1}.
std::unique_ptr<Module> make_tree() {
  auto root = std::make_unique<Module>("Net");
  FX_CHECK_OK(root->add_submodule("fc", linear()));
  FX_CHECK_OK(root->register_buffer("mean", ones()));
  FX_CHECK_OK(root->register_buffer("mask", ones(), {.persistent = false}));
  FX_CHECK_OK(root->register_parameter("w", ones()));
  FX_CHECK_OK(root->register_constant("c", ones()));
  FX_CHECK_OK(root->add_submodule("block.0", linear()));
  FX_CHECK_OK(root->add_submodule("block.1", linear(/*bias=*/false)));
  return root;
}

// ---------------------------------------------------------------- members

TEST(Module, MembersKeepTheirOrderAndReplaceMembersOfTheirKind) {
  Module module("M");
  ASSERT_THAT(module.register_buffer("b", ones()), IsOk());
  ASSERT_THAT(module.register_parameter("a", ones()), IsOk());
  ASSERT_THAT(module.register_constant("c", Argument(3)), IsOk());
  ASSERT_THAT(module.register_buffer("b", ones({5}), {.persistent = false}), IsOk());
  std::vector<std::string> names;
  for (const auto& [name, attribute] : module.attributes()) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("b", "a", "c"));
  EXPECT_THAT(module.find_tensor("b").sizes(), ElementsAre(5));
  EXPECT_FALSE(module.find_attribute("b")->persistent);
  EXPECT_TRUE(module.find_attribute("a")->requires_grad);
  EXPECT_EQ(module.find_attribute("c")->value, Argument(3));
  EXPECT_THAT(module.register_parameter("b", ones()),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("is already a buffer")));
  EXPECT_EQ(module.find_attribute("b")->kind, AttributeKind::kBuffer);
}

TEST(Module, RejectsNamesThatCannotBePartOfAPath) {
  Module module;
  EXPECT_THAT(module.register_buffer("", ones()), StatusIs(kInvalid));
  EXPECT_THAT(module.register_buffer("a.b", ones()),
              StatusIs(kInvalid, HasSubstr("or contain dots")));
  EXPECT_THAT(module.assign("a..b", Attribute::buffer(ones())), StatusIs(kInvalid));
  EXPECT_THAT(module.assign("a.", Attribute::buffer(ones())), StatusIs(kInvalid));
  EXPECT_THAT(module.assign(".a", Attribute::buffer(ones())), StatusIs(kInvalid));
  EXPECT_THAT(module.assign("", Attribute::buffer(ones())), StatusIs(kInvalid));
  EXPECT_TRUE(module.attributes().empty());
}

// parity: M3
TEST(Module, ConstantsAreNeitherParametersNorBuffers) {
  const std::unique_ptr<Module> root = make_tree();
  EXPECT_EQ(root->find_attribute("c")->kind, AttributeKind::kConstant);
  EXPECT_THAT(paths(root->named_constants()), ElementsAre("c"));
  EXPECT_THAT(paths(root->named_buffers()), ElementsAre("mean", "mask"));
  FX_ASSERT_OK_AND_ASSIGN(const auto state, root->state_dict());
  for (const NamedAttribute& entry : state) EXPECT_NE(entry.path, "c");
  FX_ASSERT_OK_AND_ASSIGN(const auto all, root->state_dict({.constants = true}));
  EXPECT_THAT(paths(all), ElementsAre("w", "mean", "c", "fc.weight", "fc.bias", "block.0.weight",
                                      "block.0.bias", "block.1.weight"));
}

TEST(Module, HyperparametersKeepAnOrderSeparateFromMembers) {
  Module conv("torch.nn.modules.conv.Conv2d");
  conv.set_hyperparameter("stride", Argument::tuple({2, 2}));
  conv.set_hyperparameter("bias", true);
  conv.set_hyperparameter("stride", Argument::tuple({1, 1}));
  EXPECT_THAT(conv.register_parameter("bias", ones()), IsOk());
  std::vector<std::string> names;
  for (const auto& [name, value] : conv.hyperparameters()) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("stride", "bias"));
  EXPECT_EQ(*conv.hyperparameter("stride"), Argument::tuple({1, 1}));
  EXPECT_EQ(conv.hyperparameter("padding"), nullptr);
  EXPECT_FALSE(conv.has_attribute("stride"));
}

TEST(Module, ManyMembersAreFoundAndErasedByName) {
  Module module;
  for (int i = 0; i < 200; ++i)
    ASSERT_THAT(module.register_constant("c" + std::to_string(i), Argument(i)), IsOk());
  for (int i = 0; i < 200; i += 2)
    ASSERT_THAT(module.delete_attribute("c" + std::to_string(i)), IsOk());
  EXPECT_EQ(module.attributes().size(), 100u);
  EXPECT_EQ(module.attributes().begin()->key, "c1");
  EXPECT_FALSE(module.has_attribute("c100"));
  ASSERT_TRUE(module.has_attribute("c101"));
  EXPECT_EQ(module.find_attribute("c101")->value, Argument(101));
}

// ---------------------------------------------------------------- paths

// parity: P41
TEST(Module, FindsByPath) {
  const std::unique_ptr<Module> root = make_tree();
  EXPECT_EQ(root->find_module(""), root.get());
  EXPECT_EQ(root->find_module("block.1")->class_name(), "torch.nn.modules.linear.Linear");
  EXPECT_EQ(root->find_module("block")->class_name(), kPlainModuleClass);
  EXPECT_EQ(root->find_shared_module("fc").get(), root->find_module("fc"));
  EXPECT_EQ(root->find_shared_module("w"), nullptr);
  for (const char* path : {"nothing", "block.2", "w", "fc.weight", "fc.", ".fc", "block..0", ".",
                           "fc.weight.x", "block."})
    EXPECT_EQ(root->find_module(path), nullptr) << path;
  for (const char* path : {"w", "mean", "c", "fc", "fc.weight", "block.1.bias"})
    EXPECT_TRUE(root->has_attribute(path)) << path;
  for (const char* path : {"", ".", "fc.", ".w", "w.x", "fc.weight.", "block.1.none"})
    EXPECT_FALSE(root->has_attribute(path)) << path;
  EXPECT_TRUE(root->find_tensor("fc.weight"));
  EXPECT_FALSE(root->find_tensor("block.1.bias"));  // registered as None
  EXPECT_FALSE(root->find_tensor("fc"));
}

// parity: M10
TEST(Module, AddSubmoduleCreatesIntermediateModules) {
  Module root("Net");
  const auto leaf = linear();
  ASSERT_THAT(root.add_submodule("a.b.c", leaf), IsOk());
  EXPECT_EQ(root.find_module("a.b.c"), leaf.get());
  EXPECT_EQ(root.find_module("a.b")->class_name(), kPlainModuleClass);
  EXPECT_THAT(paths(root.named_modules()), ElementsAre("", "a", "a.b", "a.b.c"));
  // An existing module is replaced, and its position is kept.
  ASSERT_THAT(root.add_submodule("z", linear()), IsOk());
  const auto other = linear();
  ASSERT_THAT(root.add_submodule("a.b", other), IsOk());
  EXPECT_EQ(root.find_module("a.b"), other.get());
  EXPECT_EQ(root.find_module("a.b.c"), nullptr);
  EXPECT_THAT(paths(root.named_modules()), ElementsAre("", "a", "a.b", "z"));
}

// parity: M10
TEST(Module, AddSubmoduleRejectsPathsThroughTensors) {
  Module root("Net");
  ASSERT_THAT(root.add_submodule("fc", linear()), IsOk());
  EXPECT_THAT(root.add_submodule("fc.weight.x", linear()),
              StatusIs(kInvalid, HasSubstr("leads through \"fc.weight\", which is a parameter")));
  EXPECT_THAT(root.add_submodule("fc.weight", linear()),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("fc.weight")));
  EXPECT_THAT(root.add_submodule("new.way..x", linear()), StatusIs(kInvalid));
  EXPECT_FALSE(root.has_attribute("new"));  // the module has not changed
  std::string deep = "m";
  for (size_t i = 1; i < kMaxModuleDepth; ++i) deep += ".m";
  EXPECT_THAT(root.add_submodule(deep, linear()), IsOk());
  EXPECT_THAT(root.add_submodule("x." + deep, linear()), StatusIs(kInvalid, HasSubstr("1001")));
  EXPECT_FALSE(root.has_attribute("x"));
}

// parity: M11
TEST(Module, DeleteSubmodule) {
  const std::unique_ptr<Module> root = make_tree();
  EXPECT_THAT(root->delete_submodule("block.0"), IsOk());
  EXPECT_EQ(root->find_module("block.0"), nullptr);
  EXPECT_NE(root->find_module("block.1"), nullptr);
  EXPECT_THAT(root->delete_submodule("block.0"), StatusIs(kNotFound, HasSubstr("block.0")));
  EXPECT_THAT(root->delete_submodule("w"), StatusIs(kNotFound, HasSubstr("is a parameter")));
  EXPECT_THAT(root->delete_submodule("w.x"), StatusIs(kNotFound));
  EXPECT_THAT(root->delete_submodule(""), StatusIs(kInvalid));
  EXPECT_THAT(root->delete_attribute("w"), IsOk());
  EXPECT_FALSE(root->has_attribute("w"));
}

TEST(Module, CannotContainItself) {
  auto a = std::make_shared<Module>("A");
  auto b = std::make_shared<Module>("B");
  EXPECT_THAT(a->add_submodule("self", a), StatusIs(kInvalid, HasSubstr("must not contain")));
  EXPECT_THAT(a->add_submodule("x.self", a), StatusIs(kInvalid, HasSubstr("must not contain")));
  EXPECT_FALSE(a->has_attribute("x"));
  ASSERT_THAT(a->add_submodule("deep.b", b), IsOk());
  EXPECT_THAT(b->add_submodule("a", a), StatusIs(kInvalid));
  EXPECT_THAT(b->add_submodule("y.a", a), StatusIs(kInvalid));
  EXPECT_THAT(a->add_submodule("deep.b.again", a->find_shared_module("deep")), StatusIs(kInvalid));
  EXPECT_TRUE(b->attributes().empty());
  // The error for a name that a member of a different kind already has takes precedence.
  ASSERT_THAT(b->register_buffer("mask", ones()), IsOk());
  EXPECT_THAT(b->add_submodule("mask", a), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(b->add_submodule("mask", linear()), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_TRUE(b->find_tensor("mask").defined());
  // After b is removed from a, b may contain a.
  ASSERT_THAT(a->delete_submodule("deep"), IsOk());
  EXPECT_THAT(b->add_submodule("a", a), IsOk());
  ASSERT_THAT(b->delete_submodule("a"), IsOk());
}

// ---------------------------------------------------------------- torch's orders

/// The order in which torch 2.13 lists the same modules if they are registered in the same order.
TEST(Module, ListsInTorchsOrder) {
  const std::unique_ptr<Module> root = make_tree();
  EXPECT_THAT(paths(root->named_modules()), ElementsAre("", "fc", "block", "block.0", "block.1"));
  EXPECT_THAT(paths(root->children()), ElementsAre("fc", "block"));
  EXPECT_THAT(
      paths(root->named_parameters()),
      ElementsAre("w", "fc.weight", "fc.bias", "block.0.weight", "block.0.bias", "block.1.weight"));
  FX_ASSERT_OK_AND_ASSIGN(const auto state, root->state_dict());
  EXPECT_THAT(paths(state), ElementsAre("w", "mean", "fc.weight", "fc.bias", "block.0.weight",
                                        "block.0.bias", "block.1.weight"));
  FX_ASSERT_OK_AND_ASSIGN(const auto with_buffers,
                          root->state_dict({.non_persistent_buffers = true}));
  EXPECT_THAT(with_buffers, SizeIs(8));
}

TEST(Module, TiedTensorsAreListedOnceButSavedUnderEachName) {
  Module root("Net");
  const Tensor weight = ones({4, 2});
  ASSERT_THAT(root.assign("wte.weight", Attribute::parameter(weight)), IsOk());
  ASSERT_THAT(root.assign("head.weight", Attribute::parameter(weight)), IsOk());
  // A view with the same bytes is a different parameter.
  ASSERT_THAT(root.register_parameter("view", weight.as_strided({4, 2}, {2, 1}, 0).value()),
              IsOk());
  EXPECT_THAT(paths(root.named_parameters()), ElementsAre("view", "wte.weight"));
  EXPECT_THAT(paths(root.state_dict().value()), ElementsAre("view", "wte.weight", "head.weight"));
  EXPECT_TRUE(root.find_tensor("wte.weight").is_same(root.find_tensor("head.weight")));
}

TEST(Module, SharedModulesAreListedOnceButSavedUnderEachPath) {
  Module root("Net");
  const auto shared = linear(/*bias=*/false);
  ASSERT_THAT(root.add_submodule("a", shared), IsOk());
  ASSERT_THAT(root.add_submodule("b.c", shared), IsOk());
  EXPECT_THAT(paths(root.named_modules()), ElementsAre("", "a", "b"));
  EXPECT_THAT(paths(root.named_parameters()), ElementsAre("a.weight"));
  EXPECT_THAT(paths(root.state_dict().value()), ElementsAre("a.weight", "b.c.weight"));
}

TEST(Module, SharingThatResultsInTooManyPathsIsAnError) {
  auto module = std::make_shared<Module>("Leaf");
  for (int i = 0; i < 64; ++i) {
    auto parent = std::make_shared<Module>("Pair");
    ASSERT_THAT(parent->add_submodule("a", module), IsOk());
    ASSERT_THAT(parent->add_submodule("b", module), IsOk());
    module = parent;
  }
  EXPECT_THAT(module->named_modules(), SizeIs(65));
  EXPECT_THAT(module->state_dict(), StatusIs(absl::StatusCode::kResourceExhausted));
}

// parity: M21
TEST(Module, ModesApplyToAllChildren) {
  const std::unique_ptr<Module> root = make_tree();
  EXPECT_TRUE(root->training());
  root->eval();
  EXPECT_FALSE(root->training());
  EXPECT_FALSE(root->find_module("block")->training());
  EXPECT_FALSE(root->find_module("block.1")->training());
  root->find_module("block.0")->set_training(true);
  EXPECT_FALSE(root->find_module("block")->training());
  root->find_module("block")->train();
  EXPECT_TRUE(root->find_module("block.1")->training());
  EXPECT_FALSE(root->find_module("fc")->training());
}

// parity: M7
TEST(Module, PrintsAsInTorch) {
  auto fc = std::make_shared<Module>("torch.nn.modules.linear.Linear");
  fc->set_hyperparameter("in_features", 2);
  fc->set_hyperparameter("bias", true);
  EXPECT_EQ(fc->str(), "Linear(in_features=2, bias=True)");
  Module root("Net");
  EXPECT_EQ(root.str(), "Net()");
  FX_CHECK_OK(root.add_submodule("fc", fc));
  FX_CHECK_OK(root.add_submodule("block.0", std::make_shared<Module>("torch.nn.ReLU")));
  FX_CHECK_OK(root.add_submodule("block.tied", fc));
  FX_CHECK_OK(root.add_submodule("again", root.find_shared_module("block")));
  root.find_module("block")->set_hyperparameter("mode", "max");
  root.find_module("block")->set_class_name("Block");
  EXPECT_EQ(root.str(),
            "Net(\n"
            "  (fc): Linear(in_features=2, bias=True)\n"
            "  (block): Block(\n"
            "    mode='max'\n"
            "    (0): ReLU()\n"
            "    (tied): Linear(in_features=2, bias=True)\n"
            "  )\n"
            "  (again): the same as block\n"
            ")");
}

// ---------------------------------------------------------------- new names

// parity: NM10
TEST(UniqueAttributeNames, CountsPerPrefixAndRestartsWhenTheFirstIsFree) {
  Module root;
  UniqueAttributeNames fresh(root);
  auto take = [&](std::string_view prefix) {
    std::string name = fresh.next(prefix);
    FX_CHECK_OK(root.register_constant(name, ones()));
    return name;
  };
  EXPECT_EQ(take("_tensor_constant"), "_tensor_constant0");
  EXPECT_EQ(take("_tensor_constant"), "_tensor_constant1");
  EXPECT_EQ(take("_torchbind_obj"), "_torchbind_obj0");
  EXPECT_EQ(take("_tensor_constant"), "_tensor_constant2");
  // A gap before the counter is not filled ...
  ASSERT_THAT(root.delete_attribute("_tensor_constant1"), IsOk());
  EXPECT_EQ(take("_tensor_constant"), "_tensor_constant3");
  // ... unless index 0 is free.
  ASSERT_THAT(root.delete_attribute("_tensor_constant0"), IsOk());
  EXPECT_EQ(take("_tensor_constant"), "_tensor_constant0");
  EXPECT_EQ(take("_tensor_constant"), "_tensor_constant1");
  EXPECT_EQ(take("_tensor_constant"), "_tensor_constant4");
  // Members of any kind reserve their names.
  ASSERT_THAT(root.add_submodule("sub0", linear()), IsOk());
  EXPECT_EQ(take("sub"), "sub1");
}

// ---------------------------------------------------------------- copies

// parity: M15
TEST(Module, DeepCloneSharesNothingWithTheOriginalButKeepsTies) {
  const std::unique_ptr<Module> root = make_tree();
  root->set_hyperparameter("depth", 3);
  root->find_module("fc")->eval();
  ASSERT_THAT(root->add_submodule("alias", root->find_shared_module("fc")), IsOk());
  ASSERT_THAT(root->assign("tied", Attribute::parameter(root->find_tensor("w"), false)), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Module> copy, root->clone());
  EXPECT_EQ(copy->class_name(), "Net");
  EXPECT_EQ(*copy->hyperparameter("depth"), Argument(3));
  EXPECT_EQ(paths(copy->state_dict().value()), paths(root->state_dict().value()));
  EXPECT_NE(copy->find_module("fc"), root->find_module("fc"));
  EXPECT_EQ(copy->find_module("alias"), copy->find_module("fc"));
  EXPECT_FALSE(copy->find_module("fc")->training());
  EXPECT_TRUE(copy->training());
  EXPECT_TRUE(copy->find_tensor("tied").is_same(copy->find_tensor("w")));
  EXPECT_FALSE(copy->find_attribute("tied")->requires_grad);
  EXPECT_FALSE(copy->find_attribute("mask")->persistent);
  copy->find_tensor("w").mutable_values<float>()[0] = 7;
  EXPECT_EQ(root->find_tensor("w").element(0).as_float(), 1);
  EXPECT_TRUE(copy->find_tensor("c").same_bits(root->find_tensor("c")));
}

// parity: M15
TEST(Module, TiedPathsAreThoseOfOneTensor) {
  Module root;
  const auto shared = linear();
  ASSERT_THAT(root.add_submodule("a", shared), IsOk());
  ASSERT_THAT(root.add_submodule("b", linear()), IsOk());
  ASSERT_THAT(root.add_submodule("c", shared), IsOk());
  ASSERT_THAT(root.assign("b.weight", Attribute::parameter(root.find_tensor("a.weight"))), IsOk());
  const TiedPaths ties(&root);
  EXPECT_THAT(ties.groups(), ElementsAre(ElementsAre("a.weight", "b.weight", "c.weight"),
                                         ElementsAre("a.bias", "c.bias")));
  EXPECT_EQ(ties.first("c.weight"), "a.weight");
  EXPECT_EQ(ties.first("b.bias"), "b.bias");
  EXPECT_THAT(ties.paths("b.bias"), IsEmpty());
  EXPECT_THAT(TiedPaths(nullptr).groups(), IsEmpty());
}

TEST(Module, ShareCloneHasTheSameTensors) {
  const std::unique_ptr<Module> root = make_tree();
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Module> copy, root->clone(CopyMode::kShareTensors));
  EXPECT_TRUE(copy->find_tensor("fc.weight").is_same(root->find_tensor("fc.weight")));
  EXPECT_NE(copy->find_module("fc"), root->find_module("fc"));
  ASSERT_THAT(copy->delete_submodule("fc"), IsOk());
  EXPECT_TRUE(root->has_attribute("fc"));
}

TEST(Module, DeepTreesDoNotOverflowTheStack) {
  auto module = std::make_shared<Module>("Leaf");
  constexpr int kDepth = 100'000;
  for (int i = 0; i < kDepth; ++i) {
    auto parent = std::make_shared<Module>("M");
    ASSERT_THAT(parent->set_attribute("m", Attribute::submodule(module)), IsOk());
    module = parent;
  }
  module->eval();
  size_t count = 0;
  module->for_each_module([&](std::string_view, Module& m) { count += !m.training(); });
  EXPECT_EQ(count, size_t{kDepth} + 1);
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Module> copy, module->clone());
  module.reset();
  copy.reset();
}

TEST(Module, TreesOfSeveralThreadsMayShareChildren) {
  const auto shared = linear();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&shared] {
      for (int i = 0; i < 1000; ++i) {
        Module root;
        FX_CHECK_OK(root.add_submodule("a.b", shared));
        FX_CHECK(root.find_tensor("a.b.weight").defined());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // All parents have released the child.
  Module root;
  EXPECT_THAT(root.add_submodule("x", shared), IsOk());
}

}  // namespace
}  // namespace fx::module_test
