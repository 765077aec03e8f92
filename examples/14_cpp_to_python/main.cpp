// Lesson 14: trains a model in C++ and writes it as a program that Python opens (open.py).
//
//   $ example_14_cpp_to_python FOLDER && python3 open.py FOLDER
//
// Without FOLDER, both use a folder in the system's temporary folder.
#include "fx/importers/pt2/state_dict.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/importers/torch/capture/capture.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/support/status.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Points, each labeled as inside or outside a circle.
struct Data {
  at::Tensor points, labels;
};

Data random_data(int64_t count) {
  const at::Tensor points = torch::randn({count, 2});
  return {points, points.square().sum(1).gt(1.0).to(torch::kLong)};
}

/// Trains the model; returns its accuracy.
double train(torch::nn::Sequential& model, const Data& data) {
  torch::optim::Adam optimizer(model->parameters(), 0.02);
  for (int step = 0; step < 300; ++step) {
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(model->forward(data.points), data.labels).backward();
    optimizer.step();
  }
  const at::Tensor is_right = model->forward(data.points).argmax(1).eq(data.labels);
  return is_right.to(torch::kDouble).mean().item<double>();
}

/// Adds the parameters and buffers of a captured model to the members of the program.
absl::Status add_members(const fx::CapturedGraph& captured, fx::Module& members) {
  size_t i = 0;
  for (const fx::Node& node : captured.graph->nodes()) {
    if (!node.is_placeholder()) continue;
    const fx::CapturedInput& input = captured.inputs[i++];
    if (input.kind == fx::InputKind::kInput) continue;
    fx::Tensor tensor = fx::from_torch(input.tensor);
    FX_RETURN_IF_ERROR(
        members.assign(fx::pt2_member_path(node), input.kind == fx::InputKind::kParameter
                                                      ? fx::Attribute::parameter(std::move(tensor))
                                                      : fx::Attribute::buffer(std::move(tensor))));
  }
  return absl::OkStatus();
}

absl::Status run(const std::filesystem::path& folder) {
  torch::manual_seed(0);
  torch::nn::Sequential model(torch::nn::Linear(2, 32), torch::nn::Tanh(),
                              torch::nn::Linear(32, 2));
  const Data data = random_data(500);
  const double accuracy = train(model, data);
  fmt::print("trained in C++: {}\n",
             accuracy > 0.95 ? "more than 95% correct" : "at most 95% correct");

  // One graph for any number of points.
  fx::Context context;
  const at::Tensor points = data.points.slice(0, 0, 16);
  FX_ASSIGN_OR_RETURN(
      const fx::CapturedGraph captured,
      fx::capture(context, model, {points}, [&](fx::Tensors in) { return model->forward(in[0]); },
                  {.dynamic = {.inputs = {"f32[points, 2]"}, .ranges = {{"points", 1}}}}));
  fx::Module members;
  FX_RETURN_IF_ERROR(add_members(captured, members));
  fmt::print("captured: {} nodes\n", captured.graph->size());

  // Example inputs are optional; AOTInductor requires them.
  fx::Pt2SampleInput sample;
  sample.tensor = fx::from_torch(points);
  std::filesystem::create_directories(folder);
  FX_RETURN_IF_ERROR(fx::write_pt2(*captured.graph, members, (folder / "classifier.pt2").string(),
                                   {.sample_inputs = {sample}}));
  // What the model returns here, for open.py.
  const torch::NoGradGuard no_grad;
  const fx::Tensor results = fx::from_torch(model->forward(data.points));
  FX_RETURN_IF_ERROR(
      fx::write_state_dict((folder / "results.pt").string(),
                           {{{"points", fx::from_torch(data.points)}, {"results", results}}}));
  fmt::print("written: classifier.pt2, results.pt\n");
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder =
      argc > 1 ? std::filesystem::path(argv[1])
               : std::filesystem::temp_directory_path() / "fxcpp_example_14";
  const absl::Status status = run(folder);
  if (status.ok()) return 0;
  fmt::print(stderr, "{}\n", status.ToString());
  return 1;
}
