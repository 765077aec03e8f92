// Names of nodes; the expected names are those of torch.fx 2.13 (parity section 2).
#include "fx/ir/support/name.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace fx {
namespace {

std::vector<std::string> create_all(std::initializer_list<std::string_view> candidates) {
  SymbolTable symbols;
  NameSpace names;
  std::vector<std::string> result;
  for (std::string_view candidate : candidates)
    result.push_back(names.create(make_name_hint(symbols, candidate)).str());
  return result;
}

using Names = std::vector<std::string>;

// torch.fx 2.13's _Namespace.create_name printed all expected names in this file.
TEST(Name, NM2_Sanitizing) {
  EXPECT_EQ(create_all({"a b", "1a", "", "x--y", "é", "a.b.c", "9", "__x", "_"}),
            (Names{"a_b", "_1a", "_unnamed", "x_y", "_", "a_b_c", "_9", "__x", "__1"}));
}

TEST(Name, NM3_SuffixCounterPerBase) {
  EXPECT_EQ(create_all({"foo_2", "foo", "foo_2", "foo"}),
            (Names{"foo_2", "foo", "foo_3", "foo_4"}));
  EXPECT_EQ(create_all({"add", "add", "add", "add_1", "add"}),
            (Names{"add", "add_1", "add_2", "add_3", "add_4"}));
  EXPECT_EQ(create_all({"foo_1_1", "foo_1", "foo_1", "foo"}),
            (Names{"foo_1_1", "foo_1", "foo_2", "foo"}));
  EXPECT_EQ(create_all({"a_5", "a_2", "a_5", "a"}), (Names{"a_5", "a_2", "a_3", "a"}));
}

TEST(Name, NM4_ReservedWords) {
  EXPECT_EQ(create_all({"sum", "sum", "if", "input", "torch", "inf", "pytree", "relu", "sum_1"}),
            (Names{"sum_1", "sum_2", "if_1", "input_1", "torch_1", "inf_1", "pytree_1", "relu",
                   "sum_3"}));
}

TEST(Name, NM5_LeadingZeros) {
  EXPECT_EQ(create_all({"x_01", "x_01", "x_01", "x"}), (Names{"x_01", "x_2", "x_3", "x"}));
  EXPECT_EQ(create_all({"x_0", "x_0", "x"}), (Names{"x_0", "x_1", "x"}));
}

TEST(Name, NM1_CandidateOfTarget) {
  EXPECT_EQ(name_candidate("ABCDef", true), "abcdef");
  EXPECT_EQ(name_candidate("PascalCase", true), "pascal_case");
  EXPECT_EQ(name_candidate("ALLCaps", true), "allcaps");
  EXPECT_EQ(name_candidate("__call__", false), "call");
  EXPECT_EQ(name_candidate("__call__", true), "__call__");
  EXPECT_EQ(name_candidate("____", false), "____");
  EXPECT_EQ(name_candidate("add.Tensor", true), "add.tensor");
}

TEST(Name, NM1_NamesOfNodes) {
  Context context;
  Graph graph(context);
  Node* x = graph.placeholder("input");
  EXPECT_EQ(x->name(), "input_1");
  EXPECT_EQ(x->target(), "input");
  EXPECT_EQ(graph.placeholder("*args")->name(), "_args");
  EXPECT_EQ(graph.placeholder("**kwargs")->name(), "_kwargs");
  EXPECT_EQ(graph.call_function(context.function("torch.sum"), {x})->name(), "sum_1");
  EXPECT_EQ(graph.call_function(context.function("torch.relu"), {x})->name(), "relu");
  EXPECT_EQ(graph.call_function(context.function("aten.add.Tensor"), {x, x})->name(), "add_tensor");
  EXPECT_EQ(graph.call_function(context.function("operator.getitem"), {x, 0})->name(), "getitem");
  EXPECT_EQ(graph.call_method("__call__", {x})->name(), "call");
  EXPECT_EQ(graph.call_module("0", {x})->name(), "_0");
  EXPECT_EQ(graph.call_module("seq.0", {x})->name(), "seq_0");
  EXPECT_EQ(graph.get_attr("Linear.weight")->name(), "linear_weight");
}

TEST(Name, NM6_ErasedNamesStayReserved) {
  Context context;
  Graph graph(context);
  Node* x = graph.placeholder("x");
  Target relu = context.function("torch.relu");
  ASSERT_TRUE(graph.erase_node(graph.call_function(relu, {x})).ok());
  EXPECT_EQ(graph.call_function(relu, {x})->name(), "relu_1");
}

// parity: NM7 NM8
TEST(Name, RenameSanitizesAndMakesUnique) {
  Context context;
  Graph graph(context);
  Node* x = graph.placeholder("x");
  Node* y = graph.placeholder("y");
  y->rename("x");
  EXPECT_EQ(y->name(), "x_1");
  y->rename("x_1");  // it has this name already
  EXPECT_EQ(y->name(), "x_1");
  y->rename("not legal!");
  EXPECT_EQ(y->name(), "not_legal_");
  x->rename("y");  // the first name of y remains reserved
  EXPECT_EQ(x->name(), "y_1");
}

TEST(Name, ManyExplicitNumbersTakeLinearTime) {
  // The counter is reset repeatedly; torch.fx would then search again from the start each time.
  SymbolTable symbols;
  NameSpace names;
  for (int i = 200'000; i > 100'000; --i)
    names.create(make_name_hint(symbols, "n_" + std::to_string(i)));
  for (int i = 0; i < 100'000; ++i) {
    names.create(make_name_hint(symbols, "n_" + std::to_string(100'000 - i)));
    Name name = names.create(make_name_hint(symbols, "n_100001"));
    ASSERT_EQ(name.number(), 200'001u + static_cast<uint32_t>(i));
  }
}

// torch.fx printed these names.
TEST(Name, NumbersThatDecrease) {
  EXPECT_EQ(create_all({"a_5", "a_4", "a_3", "a_4", "a", "a_1", "a_3", "a", "a_2"}),
            (Names{"a_5", "a_4", "a_3", "a_6", "a", "a_1", "a_2", "a_7", "a_8"}));
}

// A name that is copied from a node equals a name that is created from its text.
TEST(Name, CreateLikeIsCreate) {
  SymbolTable symbols;
  const std::vector<std::string_view> texts = {"add",
                                               "add_1",
                                               "add_7",
                                               "add",
                                               "add_7",
                                               "torch",
                                               "torch_2",
                                               "x_01",
                                               "x_1",
                                               "x",
                                               "a b",
                                               "a b_3",
                                               "1a",
                                               "1a_2",
                                               "",
                                               "aB",
                                               "__x__",
                                               "x_99999999999",
                                               "x_2147483646",
                                               "_1",
                                               "é_5",
                                               "layer_0_weight",
                                               "layer_0",
                                               "layer_0",
                                               "layer_0_weight",
                                               "a b_3",
                                               "add_2",
                                               "torch_2"};
  NameSpace like, created;
  for (int round = 0; round < 3; ++round) {
    for (const std::string_view text : texts) {
      const Name name = split_name(symbols, text);
      EXPECT_EQ(like.create_like(symbols, name).str(),
                created.create(make_name_hint(symbols, text)).str())
          << text;
    }
  }
}

// More bases than the linear search supports.
TEST(Name, ManyBases) {
  SymbolTable symbols;
  NameSpace names;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 1000; ++i) {
      const std::string base = "layers_" + std::to_string(i) + "_weight";
      const std::string expected = round == 0 ? base : base + "_" + std::to_string(round);
      EXPECT_FALSE(names.contains(split_name(symbols, expected)));
      EXPECT_EQ(names.create(make_name_hint(symbols, base)).str(), expected);
      EXPECT_TRUE(names.contains(split_name(symbols, expected)));
    }
  }
}

// The properties of a Symbol and the name created from it equal those of its text.
TEST(Name, NamesOfTargets) {
  SymbolTable symbols;
  for (const std::string_view text : {"x", "layers.0.weight", "Conv2d", "aBc", "__x__", "a..b", "",
                                      "1a", "x_1", "input", "a b_3", "\xC3\xA9", "__", "_X"}) {
    NameSpace by_text, by_symbol;
    for (int round = 0; round < 3; ++round) {
      const NameHint hint = make_name_hint(symbols, name_candidate(text, /*is_function=*/false));
      EXPECT_EQ(by_symbol.create(make_target_hint(symbols, symbols.intern(text))).str(),
                by_text.create(hint).str())
          << text;
    }
  }
}

TEST(Name, SplitIsCanonical) {
  SymbolTable symbols;
  for (std::string_view text : {"add", "add_1", "add_0", "x_01", "_1", "__1", "a_1_2", "a_",
                                "a_99999999999", "a_2147483646", "a_2147483647", "_"}) {
    EXPECT_EQ(split_name(symbols, text).str(), text);
  }
  EXPECT_EQ(split_name(symbols, "add_1").number(), 1u);
  EXPECT_FALSE(split_name(symbols, "x_01").has_number());
  EXPECT_FALSE(split_name(symbols, "_1").has_number());
}

}  // namespace
}  // namespace fx
