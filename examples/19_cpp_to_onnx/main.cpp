// Lesson 19: trains a model in C++ and writes it as an ONNX model, which onnxruntime runs (run.py).
//
//   $ example_19_cpp_to_onnx FOLDER && python3 run.py FOLDER
//
// Without FOLDER, both use a folder in the system's temporary folder.
#include "fx/importers/onnx/onnx.h"
#include "fx/importers/torch/capture/capture.h"
#include "fx/interp/data_name.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/support/status.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adam.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

/// Scores for two classes of points.
struct Classifier : torch::nn::Module {
  torch::nn::Linear first{2, 32}, last{32, 2};
  torch::nn::BatchNorm1d norm{32};

  Classifier() {
    register_module("first", first);
    register_module("norm", norm);
    register_module("last", last);
  }
  at::Tensor forward(const at::Tensor& points) {
    return last->forward(norm->forward(first->forward(points)).relu());
  }
};

/// The class of a point: 1 outside the unit circle.
at::Tensor labels_of(const at::Tensor& points) {
  return points.square().sum(1).gt(1.0).to(at::kLong);
}

/// Trains the model; returns its accuracy in evaluation mode.
double train(Classifier& model, const at::Tensor& points) {
  const at::Tensor labels = labels_of(points);
  torch::optim::Adam optimizer(model.parameters(), 0.02);
  for (int step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    at::cross_entropy_loss(model.forward(points), labels).backward();
    optimizer.step();
  }
  model.eval();
  const at::Tensor is_right = model.forward(points).argmax(1).eq(labels);
  return is_right.to(at::kDouble).mean().item<double>();
}

/// The parameters and buffers of a captured model, by their names.
fx::OrderedMap<fx::Tensor> weights_of(const fx::CapturedGraph& captured) {
  fx::OrderedMap<fx::Tensor> weights;
  size_t i = 0;
  for (const fx::Node& node : captured.graph->nodes()) {
    if (!node.is_placeholder()) continue;
    const fx::CapturedInput& input = captured.inputs[i++];
    if (input.kind != fx::InputKind::kInput)
      weights.set(fx::data_name(node), fx::from_torch(input.tensor));
  }
  return weights;
}

absl::Status run(const std::filesystem::path& folder) {
  at::manual_seed(0);
  Classifier model;
  const at::Tensor points = at::randn({500, 2});
  const double accuracy = train(model, points);
  fmt::print("trained in C++: {}\n",
             accuracy > 0.95 ? "more than 95% correct" : "at most 95% correct");

  // One graph for any number of points. In evaluation mode, it does not write to running
  // statistics.
  fx::Context context;
  FX_ASSIGN_OR_RETURN(
      const fx::CapturedGraph captured,
      fx::capture(context, model, {points.slice(0, 0, 16)},
                  [&](fx::Tensors in) { return model.forward(in[0]); },
                  {.dynamic = {.inputs = {"f32[points, 2]"}, .ranges = {{"points", 1}}}}));
  const fx::OrderedMap<fx::Tensor> weights = weights_of(captured);
  std::filesystem::create_directories(folder);
  FX_RETURN_IF_ERROR(fx::write_onnx(*captured.graph, (folder / "classifier.onnx").string(),
                                    {.tensors = &weights}));
  fmt::print("written: classifier.onnx, with {} weights\n", weights.size());

  // Points and the model's results for them, for run.py.
  const at::NoGradGuard no_grad;
  const at::Tensor given = points.slice(0, 0, 100), scores = model.forward(given);
  std::ofstream lines(folder / "results.txt");
  for (int64_t i = 0; i < given.size(0); ++i) {
    lines << fmt::format("{} {} {} {}\n", given[i][0].item<float>(), given[i][1].item<float>(),
                         scores[i][0].item<float>(), scores[i][1].item<float>());
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder =
      argc > 1 ? std::filesystem::path(argv[1])
               : std::filesystem::temp_directory_path() / "fxcpp_example_19";
  const absl::Status status = run(folder);
  if (status.ok()) return 0;
  fmt::print(stderr, "{}\n", status.ToString());
  return 1;
}
