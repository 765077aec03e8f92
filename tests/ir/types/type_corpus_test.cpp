// Every value and every expression in the corpus graphs can be converted to a Type or a SymExpr,
// and round-trips through text without loss.
#include "fx/ir/types/strides.h"
#include "fx/ir/types/type.h"
#include "tests/testing/corpus.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::IsOkAndHolds;
using Json = nlohmann::ordered_json;

class Corpus : public ::testing::Test {
 protected:
  SymExpr expr(const std::string& text) {
    const absl::StatusOr<SymExpr> result = exprs_.parse(text);
    EXPECT_THAT(result, IsOk()) << text;
    if (!result.ok()) return exprs_.integer(0);
    EXPECT_EQ(to_string(*result), text);
    ++expressions_;
    return *result;
  }

  Dim dim(const Json& json) {
    if (json.is_string()) return Dim(expr(json.get<std::string>()));
    return Dim(json.get<int64_t>());
  }

  DimVector dims(const Json& json) {
    DimVector result;
    for (const Json& item : json) result.push_back(dim(item));
    return result;
  }

  Type tensor(const Json& json) {
    TensorSpec spec{.dtype = dtype_from_name(json["t"].get<std::string>()).value()};
    const DimVector sizes = dims(json["shape"]);
    spec.sizes = sizes;
    DimVector strides;
    if (json.contains("stride")) {
      strides = dims(json["stride"]);
      spec.strides = strides;
    }
    if (json.contains("offset")) spec.offset = dim(json["offset"]);
    if (json.contains("layout"))
      spec.layout = layout_from_name(json["layout"].get<std::string>()).value();
    if (json.contains("device"))
      spec.device = device_from_name(json["device"].get<std::string>()).value();
    spec.requires_grad = json.value("rg", false);
    const Type type = types_.tensor(spec);
    contiguous_ += is_contiguous(type);
    ++tensors_;
    EXPECT_EQ(tensor_json(type), json);
    return type;
  }

  static Json dim_json(const Dim& dim) {
    return dim.is_int() ? Json(dim.value()) : Json(to_string(dim));
  }

  static Json tensor_json(Type type) {
    Json json = {{"t", dtype_name(type.dtype())}, {"shape", Json::array()}};
    for (const Dim& d : type.sizes()) json["shape"].push_back(dim_json(d));
    if (type.has_strides()) {
      json["stride"] = Json::array();
      for (const Dim& d : type.strides()) json["stride"].push_back(dim_json(d));
    }
    if (type.offset() != Dim(0)) json["offset"] = dim_json(type.offset());
    if (type.layout() != Layout::kStrided) json["layout"] = layout_name(type.layout());
    if (type.device() != Device{}) json["device"] = device_name(type.device());
    if (type.requires_grad()) json["rg"] = true;
    return json;
  }

  Type value(const Json& json) {
    if (json.is_null()) return types_.none();
    if (json.is_boolean()) return types_.boolean(json.get<bool>());
    if (json.is_number_integer()) return types_.integer(json.get<int64_t>());
    if (json.is_number()) return types_.floating(json.get<double>());
    if (json.is_string()) return types_.string(json.get<std::string>());
    if (json.is_array()) {
      std::vector<Type> items;
      for (const Json& item : json) items.push_back(value(item));
      return types_.list(items);
    }
    if (json.contains("t")) return tensor(json);
    if (json.contains("sym")) {
      const SymExpr e = expr(json["sym"].get<std::string>());
      const std::string kind = json["kind"].get<std::string>();
      if (kind == "int") {
        EXPECT_EQ(e.value_kind(), SymValueKind::kInt) << to_string(e);
        return types_.integer(e);
      }
      if (kind == "bool") {
        EXPECT_EQ(e.value_kind(), SymValueKind::kBool) << to_string(e);
        return types_.boolean(e);
      }
      EXPECT_EQ(e.value_kind(), SymValueKind::kFloat) << to_string(e);
      return types_.floating(e);
    }
    EXPECT_TRUE(json.contains("object")) << json;
    return types_.object(json.value("object", std::string()));
  }

  void graph(const Json& json) {
    for (const Json& node : json["nodes"]) {
      if (!node.contains("val")) continue;
      const Type type = value(node["val"]);
      EXPECT_THAT(types_.parse(to_string(type)), IsOkAndHolds(type)) << to_string(type);
      ++values_;
    }
    if (!json.contains("subgraphs")) return;
    for (const auto& [name, subgraph] : json["subgraphs"].items()) graph(subgraph);
  }

  SymbolTable symbols_;
  SymExprTable exprs_{symbols_};
  TypeTable types_{symbols_, exprs_};
  int expressions_ = 0;
  int tensors_ = 0;
  int contiguous_ = 0;
  int values_ = 0;
};

TEST_F(Corpus, EveryValueAndExpressionRoundTrips) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir())) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".json") || name == "index.json") continue;
    SCOPED_TRACE(entry.path());
    std::ifstream file(entry.path());
    const Json json = Json::parse(file);
    graph(json["graph"]);
    if (json.contains("guards"))
      for (const Json& guard : json["guards"]) expr(guard.get<std::string>());
    ++files;
  }
  EXPECT_GT(files, 60);
  EXPECT_GT(values_, 9000);
  EXPECT_GT(expressions_, 3500);
  // Most tensors in real graphs are row-major, including tensors with symbolic sizes.
  EXPECT_GT(contiguous_, tensors_ * 7 / 10);
}

}  // namespace
}  // namespace fx
