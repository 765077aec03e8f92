// Derivatives, vmap and code generation of recorded calls, legal and illegal ones, with known,
// unknown, symbolic and wrong types. None may crash; derivatives and batched graphs of a legal call
// must have valid calls, and none of them may turn an illegal call into a legal one.
#include "tests/testing/recorded_calls.h"

#include "fx/codegen/cpp/cpp.h"
#include "fx/codegen/mlir/mlir.h"
#include "fx/codegen/python/python.h"
#include "fx/importers/onnx/onnx.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/vmap/vmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::recorded_calls_test {
namespace {

enum class Types : uint8_t {
  kKnown,        ///< the types of the inputs are recorded
  kUnknown,      ///< no node has a type
  kUnknownRank,  ///< inputs are tensors of a dtype
  kSymbolic,     ///< every size of 2 or more is a symbol, the same one for the same size
  kWrong,        ///< the type of the call contradicts the types of the inputs
};

/// Returns the type of a tensor with symbolic sizes, row-major.
Type symbolic(Context& context, Type tensor) {
  DimVector sizes(tensor.sizes().begin(), tensor.sizes().end());
  for (Dim& size : sizes)
    if (size.value() >= 2) size = context.exprs().symbol("s" + to_string(size));
  return context.types().tensor({.dtype = tensor.dtype(), .sizes = sizes});
}

void set_types(Graph& graph, Types types) {
  TypeTable& table = graph.context().types();
  for (Node& node : graph.nodes()) {
    const Type type = node.type();
    if (types == Types::kUnknown) {
      node.set_type({});
    } else if (types == Types::kWrong && !node.is_placeholder()) {
      if (node.op() == Opcode::kCallFunction)
        node.set_type(table.tensor({.dtype = DType::kInt64, .sizes = {Dim(7)}}));
    } else if (!type.is_tensor() || !node.is_placeholder()) {
      continue;
    } else if (types == Types::kUnknownRank) {
      node.set_type(table.tensor({.dtype = type.dtype(), .has_rank = false}));
    } else if (types == Types::kSymbolic) {
      node.set_type(symbolic(graph.context(), type));
    }
  }
}

/// A transformation of a graph, by name. Null if it rejects the graph.
struct Tool {
  std::string_view name;
  std::unique_ptr<Graph> (*run)(const Graph& graph);
};

template <auto kFunction>
std::unique_ptr<Graph> graph_from(const Graph& graph) {
  auto result = kFunction(graph, {});
  return result.ok() ? *std::move(result) : nullptr;
}

constexpr Tool kTools[] = {
    {"vjp", graph_from<&vjp>},
    {"joint", graph_from<&joint>},
    {"jvp", graph_from<&jvp>},
    {"vmap",
     [](const Graph& graph) -> std::unique_ptr<Graph> {
       auto result = vmap(graph, {.size = Dim(3)});
       return result.ok() ? *std::move(result) : nullptr;
     }},
};

TEST(RecordedCalls, HaveValidDerivativesAndCode) {
  size_t derivatives = 0, rejected = 0;
  testing::for_each_derived_call([&](const nlohmann::ordered_json& call) {
    for (const Types types :
         {Types::kKnown, Types::kUnknown, Types::kUnknownRank, Types::kSymbolic, Types::kWrong}) {
      SCOPED_TRACE(static_cast<int>(types));
      Context context;
      const std::unique_ptr<Graph> graph = testing::graph_of_call(context, call);
      set_types(*graph, types);
      const bool is_invalid = testing::has_invalid_call(*graph->clone());
      for (const Tool& tool : kTools) {
        const std::unique_ptr<Graph> result = tool.run(*graph);
        if (!result) {
          ++rejected;
          continue;
        }
        ++derivatives;
        EXPECT_EQ(testing::has_invalid_call(*result), is_invalid)
            << tool.name << "\n"
            << print(*graph) << print(*result);
      }
      (void)cpp_code(*graph);
      (void)python_code(*graph);
      (void)mlir_code(*graph);
      EXPECT_FALSE(onnx_model(*graph).ok() && is_invalid) << print(*graph);
    }
  });
  EXPECT_GT(derivatives, 500);
  EXPECT_GT(rejected, 500);
}

}  // namespace
}  // namespace fx::recorded_calls_test
