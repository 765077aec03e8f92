// Lesson 2: traces the module from torch.fx's first example, and prints the same table.
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/listing.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"

#include <iostream>

namespace {

struct MyModule : fx::nn::Module {
  fx::Parameter param;
  fx::nn::Linear linear{nullptr};

  MyModule() {
    param = register_parameter("param", *fx::Tensor::zeros(fx::DType::kFloat32, {3, 4}));
    linear = register_module("linear", fx::nn::Linear(4, 5));
  }
  fx::Proxy forward(fx::Proxy x) {
    const fx::Proxy all = x + param;
    return topk(sum(linear(all).relu(), -1), 3);
  }
};

}  // namespace

int main() {
  fx::Context context;
  const auto traced = fx::symbolic_trace(context, fx::nn::ModuleHolder<MyModule>(), {"x"});
  if (!traced.ok()) {
    std::cerr << traced.status() << '\n';
    return 1;
  }
  std::cout << fx::format_graph((*traced)->graph()) << "\n\n";
  std::cout << fx::format_tabular((*traced)->graph()) << "\n\n";
  std::cout << (*traced)->str() << '\n';
}
