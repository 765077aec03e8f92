// Lesson 11: preparing a model for inference. Batch norms are fused into the convolutions before
// them and dropout is removed; `fold_constants` computes the remaining arithmetic on constants once
// (with libtorch, `fxcpp opt --passes fuse_conv_bn,fold_constants`).
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"

#include <iostream>
#include <memory>

namespace {

struct Net : fx::nn::Module {
  fx::nn::Conv2d conv{nullptr};
  fx::nn::BatchNorm2d norm{nullptr};
  fx::nn::Dropout dropout{nullptr};
  Net() {
    conv = register_module("conv", fx::nn::Conv2d(3, 8, 3));
    norm = register_module("norm", fx::nn::BatchNorm2d(8));
    dropout = register_module("dropout", fx::nn::Dropout(0.5));
  }
  fx::Proxy forward(fx::Proxy x) { return dropout(relu(norm(conv(x)))); }
};

absl::Status run() {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::GraphModule> module,
                      fx::symbolic_trace(context, fx::nn::ModuleHolder<Net>(), {"x"}));
  module->eval();  // in training, a batch norm depends on the batch
  std::cout << fx::print(module->graph(), {.meta = false}) << '\n';
  FX_ASSIGN_OR_RETURN(const fx::Pipeline pipeline,
                      fx::parse_pipeline(fx::standard_passes(), "remove_dropout,fuse_conv_bn"));
  FX_ASSIGN_OR_RETURN(const fx::PassReport report, fx::PassManager(pipeline).run(*module));
  for (const fx::PassRecord& record : report.records)
    std::cout << record.step << (record.changed ? " changed it\n" : " changed nothing\n");
  std::cout << fx::print(module->graph(), {.meta = false});
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
