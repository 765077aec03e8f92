// Reads ONNX models, runs them in libtorch, and compares the results with the expected ones, all in
// one process. tests/importers/onnx_node_tests.py writes the cases.
//
//   run_onnx_cases LIST [--written FOLDER]
//   run_onnx_cases finetune MODEL     trains the model's parameters, and compares gradients
//
// Each line of LIST contains a folder and the relative and absolute tolerances, separated by tabs.
// The folder contains model.onnx, input_NAME.pb for each input in the order of the file `inputs`,
// and output_I.pb. If a model is rejected, it is read again with its integer inputs as constants.
// With --written, the graph is written as FOLDER/NAME.onnx.
//
// Prints a line for each case: name, outcome, message. Outcomes: pass, constants (passes with
// inputs as constants), rejected, different, error.
#include "fx/importers/onnx/onnx.h"
#include "fx/importers/onnx/read_onnx.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/shape/shape_prop.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fx {
namespace {

/// Suppresses libtorch's warnings.
class SuppressedWarnings : public c10::WarningHandler {
 public:
  void process(const c10::Warning& /*warning*/) override {}
};

struct OnnxCase {
  std::string folder;
  double rtol = 0, atol = 0;
};

void append_leaves(const c10::IValue& value, std::vector<c10::IValue>& leaves) {
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) append_leaves(item, leaves);
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) append_leaves(item, leaves);
  } else {
    leaves.push_back(value);
  }
}

/// Returns a description of the difference between a result and the expected one; "" if they agree.
std::string difference(const c10::IValue& value, const at::Tensor& expected, const OnnxCase& test) {
  if (!value.isTensor()) return "a result is not a tensor";
  const at::Tensor& result = value.toTensor();
  if (result.scalar_type() != expected.scalar_type())
    return fmt::format("dtype {} instead of {}", c10::toString(result.scalar_type()),
                       c10::toString(expected.scalar_type()));
  if (result.sizes() != expected.sizes())
    return fmt::format("sizes {} instead of {}", c10::str(result.sizes()),
                       c10::str(expected.sizes()));
  const bool is_bool = result.scalar_type() == at::kBool;
  const at::ScalarType wide = result.is_complex() ? at::kComplexDouble : at::kDouble;
  const at::Tensor a = is_bool ? result.to(at::kInt) : result.to(wide);
  const at::Tensor b = is_bool ? expected.to(at::kInt) : expected.to(wide);
  if (at::allclose(a, b, test.rtol, test.atol, /*equal_nan=*/true)) return "";
  const at::Tensor distance = at::sub(a, b).abs().nan_to_num(1e30, 1e30, 1e30);
  return fmt::format("max |difference| {:.3g}",
                     distance.numel() > 0 ? distance.max().item().toDouble() : 0.0);
}

struct OnnxCaseData {
  std::vector<std::pair<std::string, Tensor>> inputs;
  std::vector<Tensor> outputs;
};

absl::StatusOr<OnnxCaseData> read_case(const OnnxCase& test) {
  OnnxCaseData data;
  std::ifstream names(test.folder + "/inputs");
  std::string name;
  for (size_t i = 0; std::getline(names, name); ++i) {
    FX_ASSIGN_OR_RETURN(Tensor tensor,
                        read_onnx_tensor(fmt::format("{}/input_{}.pb", test.folder, i)));
    data.inputs.emplace_back(name, std::move(tensor));
  }
  for (size_t i = 0;; ++i) {
    const std::string path = fmt::format("{}/output_{}.pb", test.folder, i);
    if (!std::filesystem::exists(path)) return data;
    FX_ASSIGN_OR_RETURN(Tensor tensor, read_onnx_tensor(path));
    data.outputs.push_back(std::move(tensor));
  }
}

absl::StatusOr<std::string> run_case(const GraphModule& module, const OnnxCaseData& data,
                                     const OrderedMap<Tensor>& constants, const OnnxCase& test) {
  std::vector<c10::IValue> inputs;
  for (const auto& [name, tensor] : data.inputs)
    if (!constants.contains(name)) inputs.emplace_back(to_torch(tensor));
  TorchInterpreter interpreter(module);
  FX_ASSIGN_OR_RETURN(const c10::IValue result, interpreter.run(std::move(inputs)));
  std::vector<c10::IValue> leaves;
  append_leaves(result, leaves);
  if (leaves.size() != data.outputs.size())
    return fmt::format("{} results instead of {}", leaves.size(), data.outputs.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    const std::string wrong = difference(leaves[i], to_torch(data.outputs[i]), test);
    if (!wrong.empty()) return fmt::format("result {}: {}", i, wrong);
  }
  return "";
}

struct CaseOutcome {
  std::string outcome, message;
};

std::string one_line(const absl::Status& status) {
  std::string text(status.message());
  std::ranges::replace(text, '\n', ' ');
  return text.substr(0, 300);
}

CaseOutcome check_case(const OnnxCase& test, const std::string& written) {
  const absl::StatusOr<OnnxCaseData> data = read_case(test);
  if (!data.ok()) return {"error", "data: " + one_line(data.status())};
  const std::string path = test.folder + "/model.onnx";
  OrderedMap<Tensor> constants;
  Context context;
  absl::StatusOr<std::unique_ptr<GraphModule>> module = read_onnx(context, path);
  const absl::Status rejection = module.status();
  if (!module.ok()) {
    for (const auto& [name, tensor] : data->inputs)
      if (!is_floating_point(tensor.dtype()) || tensor.num_elements() <= 8)
        constants.set(name, tensor);
    module = read_onnx(context, path, {.constants = &constants});
  }
  if (!module.ok()) return {"rejected", one_line(rejection)};
  absl::StatusOr<std::string> wrong = std::string();
  try {
    wrong = run_case(**module, *data, constants, test);
  } catch (const std::exception& error) {
    return {"error", std::string(error.what()).substr(0, 200)};
  }
  if (!wrong.ok()) return {"error", one_line(wrong.status())};
  if (!wrong->empty()) return {"different", *wrong};
  std::string note;
  if (!written.empty()) {
    const std::string name = std::filesystem::path(test.folder).filename().string();
    const absl::Status done =
        write_onnx((*module)->graph(), written + "/" + name + ".onnx", {.opset = kMaxOnnxOpset});
    if (!done.ok()) note = "not written: " + one_line(done);
  }
  return {constants.empty() ? "pass" : "constants", note};
}

int check_cases(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: run_onnx_cases LIST [--written FOLDER]\n");
    return 2;
  }
  const std::string written = argc > 3 ? argv[3] : "";
  std::ifstream list(argv[1]);
  std::string line;
  while (std::getline(list, line)) {
    OnnxCase test;
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    test.folder = line.substr(0, first);
    test.rtol = std::stod(line.substr(first + 1));
    test.atol = std::stod(line.substr(second + 1));
    const CaseOutcome outcome = check_case(test, written);
    fmt::print("{}\t{}\t{}\n", std::filesystem::path(test.folder).filename().string(),
               outcome.outcome, outcome.message);
    std::fflush(stdout);
  }
  return 0;
}

// ---------------------------------------------------------------- training

/// Appends a loss to the graph: the mean squared error with respect to a target. Returns the loss.
Node* append_loss(Graph& graph) {
  Node* const output = graph.output_node();
  const Argument result = output->arg(0);
  Node* const y = result.is_node() ? result.node() : result[0].node();
  Context& context = graph.context();
  graph.set_insert_point_before(graph.front());
  Node* const target = graph.placeholder("target", {.type = y->type()});
  graph.set_insert_point_before(output);
  Node* const difference = graph.call_function(context.function("aten.sub.Tensor"), {y, target});
  Node* const square =
      graph.call_function(context.function("aten.mul.Tensor"), {difference, difference});
  Node* const loss = graph.call_function(context.function("aten.mean.default"), {square});
  FX_CHECK_OK(output->update_arg(0, Argument(loss)));
  return loss;
}

/// Returns a tensor of the type: random numbers, or ones if the dtype is not floating-point.
/// Symbolic sizes are 4.
at::Tensor random_input(Type type) {
  std::vector<int64_t> sizes;
  for (const Dim& size : type.sizes()) sizes.push_back(size.is_int() ? size.value() : 4);
  if (is_floating_point(type.dtype())) return at::rand(sizes);
  return at::ones(sizes, at::TensorOptions(to_torch(type.dtype())));
}

/// Runs ten steps of gradient descent on random data, and compares each gradient with autograd's.
absl::Status finetune(const std::string& path) {
  Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<GraphModule> module, read_onnx(context, path));
  Graph& graph = module->graph();
  append_loss(graph);
  FX_RETURN_IF_ERROR(with_context(
      propagate_types(graph).ok() ? absl::OkStatus() : absl::InternalError("types"), path));
  TorchConstants constants;
  std::vector<std::string> names, paths;
  for (Node& node : graph.nodes()) {
    if (node.op() != Opcode::kGetAttr) continue;
    const Attribute* const member = module->find_attribute(node.target());
    if (member == nullptr || member->kind != AttributeKind::kParameter) continue;
    names.push_back(node.name());
    paths.emplace_back(node.target());
    constants[paths.back()] = to_torch(member->tensor).clone().set_requires_grad(true);
  }
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> gradients, grad(graph, {.wrt = names}));
  at::manual_seed(0);
  std::vector<c10::IValue> inputs;
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) inputs.emplace_back(random_input(node.type()));
  double first = 0, last = 0, worst = 0;
  for (int step = 0; step < 10; ++step) {
    TorchInterpreter forward(graph, constants, AutogradUse::kRecord, module.get());
    FX_ASSIGN_OR_RETURN(const c10::IValue loss, forward.run(inputs));
    loss.toTensor().backward();
    TorchInterpreter backward(*gradients, constants, AutogradUse::kNone, module.get());
    FX_ASSIGN_OR_RETURN(const c10::IValue result, backward.run(inputs));
    std::vector<c10::IValue> leaf_results;
    append_leaves(result, leaf_results);
    last = loss.toTensor().item().toDouble();
    if (step == 0) first = last;
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < paths.size(); ++i) {
      at::Tensor weight = constants[paths[i]].toTensor();
      const at::Tensor expected = weight.grad();
      const at::Tensor gradient =
          leaf_results[i].isTensor() ? leaf_results[i].toTensor() : at::zeros_like(weight);
      if (expected.defined())
        worst = std::max(worst, at::sub(gradient, expected).abs().max().item().toDouble());
      weight.sub_(gradient, 0.05);
      weight.mutable_grad().reset();
    }
  }
  fmt::print(
      "{} parameters; loss {:.6g} before and {:.6g} after 10 steps; largest difference of a "
      "gradient from autograd's {:.3g}\n",
      paths.size(), first, last, worst);
  if (last < first && worst < 1e-5) return absl::OkStatus();
  return absl::InternalError("the loss does not decrease, or a gradient is different");
}

}  // namespace
}  // namespace fx

int main(int argc, char** argv) {
  static fx::SuppressedWarnings no_warnings;
  c10::WarningUtils::set_warning_handler(&no_warnings);
  if (argc == 3 && std::string_view(argv[1]) == "finetune") {
    const absl::Status done = fx::finetune(argv[2]);
    if (!done.ok()) fmt::print(stderr, "{}\n", std::string(done.message()));
    return done.ok() ? 0 : 1;
  }
  return fx::check_cases(argc, argv);
}
