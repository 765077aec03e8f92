// Tests module trees in the interchange JSON.
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/status_matchers.h"

#include <string>

namespace fx::json_module_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

/// Returns a document with this module tree. Its graph reads `fc.weight` and calls `fc`.
std::string document(std::string_view modules) {
  std::string text = R"({
"format":2,
"model":"Net",
"kind":"graph_module",
"graph":{
 "nodes":[
  {"name":"x","op":"placeholder","target":"x"},
  {"name":"w","op":"get_attr","target":"fc.weight"},
  {"name":"fc","op":"call_module","target":"fc","args":[{"n":"x"}]},
  {"name":"output","op":"output","target":"output","args":[{"tuple":[{"n":"fc"},{"n":"w"}]}]}
 ]
},
"modules":[
)";
  return text + std::string(modules) + "\n]\n}\n";
}

constexpr std::string_view kTree =
    R"( {"path":"","class":"torch.fx.graph_module.GraphModule","name":"Net","training":false,"parameters":{"scale":{"t":"float32","shape":["s0"],"stride":[1],"rg":true}},"meta":{"note":{"tuple":[1]}}},
 {"path":"fc","class":"torch.nn.modules.linear.Linear","training":true,"attributes":{"in_features":4,"mode":null},"parameters":{"weight":{"t":"float32","shape":[2,4],"stride":[4,1],"rg":true},"bias":null},"buffers":{"mask":{"t":"bool","shape":[2],"stride":[1],"persistent":false},"tied":{"same":"fc.weight"}},"constants":{"c":{"t":"float32","shape":[2,2],"stride":[1,2],"data":[1.0,2.5,{"f":"nan"},-0.0]},"i":{"t":"int64","shape":[2],"stride":[2],"offset":1,"data":[7,-8]},"n":3,"p":{"t":"bfloat16","shape":[],"stride":[],"param":true,"data":[0.5]}}},
 {"path":"fc.inner","class":"pkg.Block","training":true},
 {"path":"again","same":"fc.inner"},
 {"path":"body","class":"torch.fx.graph_module.GraphModule","name":"Body","training":true,"graph":{"nodes":[{"name":"output","op":"output","target":"output","args":[1]}]}})";

class JsonModuleTest : public ::testing::Test {
 protected:
  void expect_error(std::string_view modules, std::string_view message) {
    EXPECT_THAT(read_json_module(context_, document(modules)),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(message))));
  }
  Context context_;
};

TEST_F(JsonModuleTest, CompleteTree) {
  const std::string text = document(kTree);
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> net, read_json_module(context_, text));
  EXPECT_EQ(net->class_name(), "Net");
  EXPECT_FALSE(net->training());
  EXPECT_EQ(net->graph().owning_module(), net.get());
  EXPECT_TRUE(verify(net->graph()).findings.empty());
  EXPECT_TRUE(net->meta("note")->is_tuple());

  const Attribute& scale = *net->find_attribute("scale");
  EXPECT_EQ(scale.kind, AttributeKind::kParameter);
  EXPECT_TRUE(scale.requires_grad);
  EXPECT_FALSE(scale.tensor.has_data());
  EXPECT_EQ(to_string(scale.tensor.type(context_.types())), "f32[s0]");

  const Module& fc = *net->find_module("fc");
  EXPECT_EQ(fc.class_name(), "torch.nn.modules.linear.Linear");
  EXPECT_TRUE(fc.training());
  EXPECT_EQ(*fc.hyperparameter("in_features"), Argument(4));
  EXPECT_FALSE(fc.find_attribute("bias")->tensor.defined());
  EXPECT_EQ(fc.find_attribute("bias")->kind, AttributeKind::kParameter);
  EXPECT_FALSE(fc.find_attribute("mask")->persistent);
  EXPECT_TRUE(fc.find_tensor("tied").is_same(fc.find_tensor("weight")));

  const Tensor c = fc.find_tensor("c");
  EXPECT_THAT(c.strides(), ElementsAre(1, 2));
  EXPECT_EQ(c.element(1), Argument(2.5));
  const Tensor i = fc.find_tensor("i");
  EXPECT_EQ(i.offset(), 1);
  EXPECT_EQ(i.element(1), Argument(-8));
  EXPECT_EQ(fc.find_attribute("n")->value, Argument(3));
  EXPECT_EQ(net->find_module("again"), net->find_module("fc.inner"));

  const GraphModule* body = net->find_module("body")->as_graph_module();
  ASSERT_TRUE(body);
  EXPECT_EQ(body->class_name(), "Body");
  EXPECT_EQ(body->graph().size(), 1u);

  FX_ASSERT_OK_AND_ASSIGN(const std::string written, write_json(*net));
  EXPECT_EQ(written, text);
}

TEST_F(JsonModuleTest, BuiltInCpp) {
  auto fc = std::make_shared<Module>("torch.nn.modules.linear.Linear");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({1, 2}, {1, 2}));
  ASSERT_THAT(fc->register_parameter("weight", weight), IsOk());
  ASSERT_THAT(fc->register_buffer("_tensor_constant0", weight), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const Tensor small, Tensor::of<int32_t>({2}, {1, 2}));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor large, Tensor::zeros(DType::kFloat64, {65}));
  ASSERT_THAT(fc->register_constant("small", small), IsOk());
  ASSERT_THAT(fc->register_constant("large", large), IsOk());
  Module root("Net");
  ASSERT_THAT(root.add_submodule("fc", fc), IsOk());
  auto graph = std::make_unique<Graph>(context_);
  graph->output(graph->call_module("fc", {graph->placeholder("x")}));
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> net,
                          GraphModule::create(root, std::move(graph), "Net"));
  FX_ASSERT_OK_AND_ASSIGN(const std::string text, write_json(*net));
  // Only the data of small constants are written.
  EXPECT_THAT(
      text,
      HasSubstr(R"("parameters":{"weight":{"t":"float32","shape":[1,2],"stride":[2,1],"rg":true}},)"
                R"("buffers":{"_tensor_constant0":{"same":"fc.weight"}},)"
                R"("constants":{"small":{"t":"int32","shape":[2],"stride":[1],"data":[1,2]},)"
                R"("large":{"t":"float64","shape":[65],"stride":[1]}}})"));
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> back, read_json_module(context_, text));
  EXPECT_TRUE(structurally_equal(net->graph(), back->graph()));
  EXPECT_TRUE(back->find_tensor("fc.small").same_bits(small));
  FX_ASSERT_OK_AND_ASSIGN(const std::string again, write_json(*back));
  EXPECT_EQ(again, text);
}

// Of tied tensors, the first in table order is described and the others refer to it, regardless of
// the order of registration.
TEST_F(JsonModuleTest, TiedTensors) {
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> net,
                          read_json_module(context_, document(R"({"path":"","class":"C"})")));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::zeros(DType::kFloat32, {2}));
  ASSERT_THAT(net->register_constant("constant", weight), IsOk());
  ASSERT_THAT(net->register_buffer("buffer", weight, {.persistent = false}), IsOk());
  ASSERT_THAT(net->register_parameter("first", weight), IsOk());
  ASSERT_THAT(net->register_parameter("tied", weight), IsOk());
  ASSERT_THAT(net->register_parameter("frozen", weight, {.requires_grad = false}), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const std::string text, write_json(*net));
  EXPECT_THAT(
      text, HasSubstr(R"("parameters":{"first":{"t":"float32","shape":[2],"stride":[1],"rg":true},)"
                      R"("tied":{"same":"first"},"frozen":{"same":"first","rg":false}},)"
                      R"("buffers":{"buffer":{"same":"first","persistent":false}},)"
                      R"("constants":{"constant":{"same":"first"}}})"));
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> back, read_json_module(context_, text));
  const Tensor first = back->find_tensor("first");
  for (const char* name : {"tied", "frozen", "buffer", "constant"}) {
    EXPECT_TRUE(back->find_tensor(name).is_same(first)) << name;
    EXPECT_EQ(back->find_attribute(name)->requires_grad, std::string_view(name) == "tied") << name;
  }
  EXPECT_FALSE(back->find_attribute("buffer")->persistent);
  FX_ASSERT_OK_AND_ASSIGN(const std::string again, write_json(*back));
  EXPECT_EQ(again, text);
}

// In documents without a tree, members that the graph refers to are declared, with their types if
// known.
TEST_F(JsonModuleTest, DeclaresMembersThatTheGraphRefersTo) {
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> net, read_json_module(context_, R"({
"format":1,"model":"net","graph":{"nodes":[
{"name":"a","op":"get_attr","target":"a.b","val":{"t":"float32","shape":[2],"stride":[1],"rg":true}},
{"name":"c","op":"get_attr","target":"c"},
{"name":"g","op":"get_attr","target":"g"}],
"subgraphs":{"g":{"nodes":[]}}}})"));
  EXPECT_EQ(net->class_name(), "net");
  EXPECT_EQ(to_string(net->find_tensor("a.b").type(context_.types())), "f32[2]");
  EXPECT_TRUE(net->find_attribute("a.b")->requires_grad);
  EXPECT_FALSE(net->has_attribute("c"));
  EXPECT_FALSE(net->has_attribute("g"));
}

TEST_F(JsonModuleTest, Errors) {
  const std::string root = R"({"path":"","class":"C"})";
  auto with = [&](std::string_view entry) { return root + "," + std::string(entry); };
  expect_error("1", "at /modules/0: expected an object");
  expect_error(R"({"class":"C"})", "the key \"path\" is missing");
  expect_error(R"({"path":"a","class":"C"})", "must be the first entry");
  expect_error(with(root), "must be the first entry and occur only once");
  expect_error(R"({"path":""})", "the key \"class\" is missing");
  expect_error(with(R"({"path":"a.b","class":"C"})"),
               "at /modules/1/path: the parent of this module");
  expect_error(with(R"({"path":"a","same":"b"})"), "the path \"b\" must occur in an earlier entry");
  expect_error(with(R"({"path":"a","class":"C"},{"path":"a","class":"C"})"), "duplicate path");
  expect_error(with(R"({"path":"a","class":"C","training":1})"), "expected a bool");
  expect_error(with(R"({"path":"a","class":"C","weights":{"w":1}})"), "unknown key \"weights\"");
  expect_error(with(R"({"path":"a","class":"C","parameters":[]})"), "expected an object");
  expect_error(with(R"({"path":"a","class":"C","parameters":{"w":1}})"), "expected a tensor");
  expect_error(with(R"({"path":"a","class":"C","parameters":{"w":{"same":"v"}}})"),
               "a tensor at \"v\" must occur before this entry");
  expect_error(with(R"({"path":"a","class":"C","parameters":{"w.v":null}})"), "/parameters/w.v");
  expect_error(with(R"({"path":"a","class":"C","parameters":)"
                    R"({"w":{"t":"int8","shape":[],"stride":[],"persistent":false}}})"),
               "unknown key \"persistent\"");
  expect_error(with(R"({"path":"a","class":"C","buffers":{"w":{"same":"v","t":1}}})"),
               "unknown key \"t\"");
  expect_error(with(R"({"path":"a","class":"C","graph":{"nodes":[]}})"), "only a graph module");
  expect_error(with(R"({"path":"a","class":"C","parameters":{"w":null},"buffers":{"w":null}})"),
               "/buffers/w");
  expect_error(with(R"({"path":"a","class":"C","parameters":{"w":{"t":"int8"}}})"),
               "/parameters/w: a tensor of a module must have a dtype and sizes");
  auto constant = [&](std::string_view entry) {
    return with(R"({"path":"a","class":"C","constants":{"c":)" + std::string(entry) + "}}");
  };
  expect_error(constant(R"({"t":"float32","shape":[2],"stride":[1],"data":[1.0]})"), "/data");
  expect_error(constant(R"({"t":"int8","shape":[1],"stride":[1],"data":[300]})"), "/data");
  expect_error(constant(R"({"t":"float32","shape":["s"],"stride":[1],"data":[1.0]})"),
               "must have constant sizes");
  expect_error(constant(R"({"t":"float32","shape":[2],"data":[1.0,2.0]})"),
               "must have a known memory layout");
  expect_error(
      constant(R"({"t":"float32","shape":[2],"stride":[9000000000000000000],"data":[1.0,2.0]})"),
      "exceeds the memory limit");
  expect_error(
      constant(R"({"t":"int8","shape":[1],"stride":[1],"offset":9000000000000000000,"data":[1]})"),
      "exceeds the memory limit");
}

}  // namespace
}  // namespace fx::json_module_test
