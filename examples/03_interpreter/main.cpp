// Lesson 3: running graphs, over values of any type.
//
// Runs one small graph four times: computes its shapes with a loop over the nodes and by overriding
// a method of an Interpreter, computes its numbers, and creates a changed copy with a Transformer.
#include "fx/interp/interpreter.h"
#include "fx/interp/transformer.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/status/statusor.h"

#include <cmath>
#include <iostream>
#include <memory>
#include <string_view>

namespace {

constexpr std::string_view kGraph = R"(
graph(%x : f32[4, 8], %w : f32[8, 2]) {
  %mm = aten.mm.default(%x, %w)
  %scaled = aten.mul.Tensor(%mm, 0.5)
  %sigmoid = aten.sigmoid.default(%scaled)
  return %sigmoid
})";

// ---- 1. By hand: an interpreter is a table of values, and one step per node.

absl::Status shapes_by_hand(const fx::Graph& graph) {
  fx::NodeMap<fx::Argument> values(graph);  // a Type represents a tensor
  for (const fx::Node& node : graph.nodes()) {
    switch (node.op()) {
      case fx::Opcode::kPlaceholder:
        values[node] = node.type();
        break;
      case fx::Opcode::kCallFunction: {
        std::vector<fx::Argument> args;
        for (const fx::Argument& arg : node.args())
          args.push_back(fx::map_nodes(arg, [&](fx::Node* n) { return values[*n]; }));
        FX_ASSIGN_OR_RETURN(const fx::InferredCall call,
                            fx::infer_call(graph.context(), node.function(), args));
        values[node] = call.type;
        break;
      }
      default:
        continue;
    }
    std::cout << "  " << node.name() << " : " << to_string(values[node].as_type()) << "\n";
  }
  return absl::OkStatus();
}

// ---- 2. As a subclass that overrides only the calls.

class Shapes : public fx::Interpreter<fx::Argument> {
 public:
  using Interpreter::Interpreter;

  absl::StatusOr<fx::Argument> run_node(fx::Node& node) override {
    FX_ASSIGN_OR_RETURN(fx::Argument value, Interpreter::run_node(node));
    if (!node.is_output())
      std::cout << "  " << node.name() << " : " << to_string(value.as_type()) << "\n";
    return value;
  }
  absl::StatusOr<fx::Argument> call_function(Call& call) override {
    FX_ASSIGN_OR_RETURN(const fx::InferredCall inferred,
                        fx::infer_call(graph().context(), call.function, call.args));
    return fx::Argument(inferred.type);
  }
};

// ---- 3. Another domain: numbers, as if every tensor had one element.

class Numbers : public fx::Interpreter<double> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<double> call_function(Call& call) override {
    const std::string_view name = call.function.name();
    if (name == "aten.mm.default" || name == "aten.mul.Tensor") return call.args[0] * call.args[1];
    if (name == "aten.sigmoid.default") return 1 / (1 + std::exp(-call.args[0]));
    return Interpreter::call_function(call);  // Unimplemented, with the function's name
  }
};

// ---- 4. A Transformer's values are nodes of a new graph.

class NegForSigmoid : public fx::Transformer {
 public:
  using Transformer::Transformer;
  absl::StatusOr<fx::Argument> call_function(Call& call) override {
    if (call.function.name() == "aten.sigmoid.default")
      call.function = graph().context().function("aten.neg.default");
    return Transformer::call_function(call);
  }
};

absl::Status run() {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> graph, fx::parse_graph(context, kGraph));

  std::cout << "Shapes, by hand:\n";
  FX_RETURN_IF_ERROR(shapes_by_hand(*graph));

  std::cout << "Shapes, by an Interpreter:\n";
  std::vector<fx::Argument> types;
  for (const fx::Node* input : graph->find_nodes(fx::Opcode::kPlaceholder))
    types.emplace_back(input->type());
  FX_RETURN_IF_ERROR(Shapes(*graph).run(types).status());

  FX_ASSIGN_OR_RETURN(const double number, Numbers(*graph).run({2, 3}));
  std::cout << "Numbers: " << number << "\n";

  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> changed, NegForSigmoid(*graph).transform());
  std::cout << "With neg instead of sigmoid:\n" << fx::print(*changed);
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
