// Lesson 10: all steps for one model. Trace it, print it, replace a pattern, run it, infer its
// types, capture the backward pass of the rewritten model, emit C++, build that and run it. After
// each step, the results are bit-equal to the results of libtorch's modules.
#include "fx/codegen/cpp/torch/compiled_graph.h"
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/modules/live_module.h"
#include "fx/importers/torch/modules/traced.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/listing.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/aten/lower_to_aten.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/rewrite/replace_traced.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "fx/tracer/tracer.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <vector>

#include "models.h"

namespace {

using Rewrite = absl::StatusOr<size_t> (*)(fx::Graph& graph);

/// Removes the relu, which the clamp makes redundant.
absl::StatusOr<size_t> drop_relu(fx::Graph& graph) {
  return fx::replace_traced(
      graph, [](fx::Proxy x) { return clamp(relu(x), 0.0, 1.0); },
      [](fx::Proxy x) { return clamp(x, 0.0, 1.0); });
}

absl::StatusOr<size_t> clamp_the_sum(fx::Graph& graph) {
  return fx::replace_traced(
      graph, [](fx::Proxy x, fx::Proxy y) { return relu(x + y); },
      [](fx::Proxy x, fx::Proxy y) { return clamp_min(x + y, 0); });
}

absl::Status expect_equal(std::string_view step, const at::Tensor& got, const at::Tensor& want) {
  const fx::TensorDifference difference = fx::compare_tensors(got, want);
  if (difference.bit_equal) return absl::OkStatus();
  return absl::InternalError(
      fmt::format("{}: differs from libtorch: {}", step, fx::to_string(difference)));
}

/// Checks that the type functions, which run nothing, infer the recorded type of every call.
absl::Status expect_types(const fx::Graph& joint) {
  const fx::GraphComparison comparison = fx::compare_with_recorded(joint);
  int forward = 0, backward = 0;
  for (const fx::Node& node : joint.nodes()) {
    if (node.op() != fx::Opcode::kCallFunction) continue;
    ++(node.meta().get(fx::meta::kRegion) == "bw" ? backward : forward);
  }
  if (!comparison.different.empty() ||
      comparison.compared != static_cast<size_t>(forward + backward))
    return absl::InternalError("types differ from those of the run: " + comparison.report.str());
  fmt::print("types of {} forward and {} backward calls: equal to those of the run\n", forward,
             backward);
  return absl::OkStatus();
}

template <template <class> class Model>
absl::Status walk(std::string_view name, const at::Tensor& x, Rewrite rewrite) {
  fmt::print("==== {}\n", name);
  // libtorch's module and its results: the value, and the gradients of its sum.
  torch::manual_seed(0);
  const auto eager = std::make_shared<Model<Eager>>();
  eager->eval();
  const at::Tensor value = eager->forward(x);
  value.sum().backward();

  // Trace: the same model with traceable layers and the same weights.
  fx::Context context;
  const fx::nn::ModuleHolder<Model<Traced>> model;
  model->eval();
  FX_RETURN_IF_ERROR(fx::load_state(*model, *eager));
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::GraphModule> traced,
                      fx::symbolic_trace(context, model, {"x"}));
  fx::Graph& graph = traced->graph();
  fmt::print("{}\n", fx::format_tabular(graph));
  const auto run = [&](std::string_view step) -> absl::Status {
    FX_ASSIGN_OR_RETURN(fx::LiveModule live, fx::LiveModule::create(*traced));
    FX_ASSIGN_OR_RETURN(const c10::IValue result, live->run({x}));
    FX_RETURN_IF_ERROR(expect_equal(step, result.toTensor(), value));
    fmt::print("{}: bit-equal\n", step);
    return absl::OkStatus();
  };
  FX_RETURN_IF_ERROR(run("traced"));

  // Replace a pattern.
  FX_ASSIGN_OR_RETURN(const size_t replaced, rewrite(graph));
  fmt::print("{} replaced\n", replaced);
  FX_RETURN_IF_ERROR(run("rewritten"));

  // Operators and types.
  graph.find_node("x")->set_type(fx::type_of(context.types(), x));
  FX_RETURN_IF_ERROR(fx::lower_to_aten(graph).status());
  FX_RETURN_IF_ERROR(fx::eliminate_dead_code(graph).status());
  FX_RETURN_IF_ERROR(fx::verify_status(graph));
  fmt::print("{}", fx::print(graph, {.meta = false}));
  FX_RETURN_IF_ERROR(run("lowered"));

  // The backward pass of the rewritten model. Its constants are the parameters of the module.
  const fx::ModuleState state = fx::module_state(eager);
  fx::TorchConstants constants;
  for (const auto& named : {state.parameters, state.buffers})
    for (const fx::NamedTensor& item : named) constants.emplace(item.name, item.tensor);
  FX_ASSIGN_OR_RETURN(const fx::Program program, fx::make_program(graph, constants));
  FX_ASSIGN_OR_RETURN(const fx::CapturedGraph joint,
                      fx::capture_joint(context, state, std::vector<at::Tensor>{x}, program));
  FX_RETURN_IF_ERROR(fx::verify_status(*joint.graph));
  FX_RETURN_IF_ERROR(expect_types(*joint.graph));

  // As C++, built by the system's compiler.
  FX_ASSIGN_OR_RETURN(fx::CompiledGraph compiled,
                      fx::CompiledGraph::create(*joint.graph, joint.constants,
                                                {.flags = {"-O0"}, .fall_back = false}));
  std::vector<c10::IValue> inputs;
  for (const fx::CapturedInput& input : joint.inputs) inputs.emplace_back(input.tensor);
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> results, compiled.run(std::move(inputs)));
  for (size_t i = 0; i < results.size(); ++i) {
    const fx::CapturedOutput& output = joint.outputs[i];
    if (!output.tensor.defined()) continue;
    at::Tensor want = value;
    std::string what = "compiled, value";
    if (output.kind == fx::OutputKind::kGradient) {
      const std::string& parameter = joint.inputs[output.index].name;
      want = eager->named_parameters()[parameter].grad();
      what = "compiled, gradient of " + parameter;
    }
    FX_RETURN_IF_ERROR(expect_equal(what, results[i].toTensor(), want));
    fmt::print("{}: bit-equal\n", what);
  }
  return absl::OkStatus();
}

absl::Status walk_all() {
  torch::manual_seed(1);
  const at::Tensor rows = torch::randn({5, 4}), image = torch::randn({2, 4, 6, 6});
  FX_RETURN_IF_ERROR(walk<MyModule>("torch.fx's first example", rows, drop_relu));
  return walk<Residual>("a residual block", image, clamp_the_sum);
}

}  // namespace

int main() {
  const absl::Status status = walk_all();
  if (!status.ok()) fmt::print(stderr, "{}\n", std::string(status.message()));
  return status.ok() ? 0 : 1;
}
