// A custom tracer, which chooses leaf modules, rejects nodes, and does not trace into a function.
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"
#include "fx/tracer/wrap.h"

#include <iostream>
#include <string>
#include <string_view>

namespace {

// A function that is not traced into.
const auto smooth = fx::wrap("my_lib.smooth", [](double x) { return x * 0.5; });

struct Encoder : fx::nn::Module {
  fx::nn::Linear fc = register_module("fc", fx::nn::Linear(8, 8));
  fx::Proxy forward(fx::Proxy x) { return smooth(relu(fc(x))); }
};

struct Net : fx::nn::Module {
  fx::nn::ModuleHolder<Encoder> encoder =
      register_module("encoder", fx::nn::ModuleHolder<Encoder>());
  fx::nn::Linear head = register_module("head", fx::nn::Linear(8, 2));
  fx::Proxy forward(fx::Proxy x) { return head(encoder(x)); }
};

// Encoders are leaves, linear layers are traced into, and in-place methods are not allowed.
struct MyTracer : fx::Tracer {
  using fx::Tracer::Tracer;
  bool is_leaf_module(const fx::Module& module, std::string_view path) const override {
    return path == "encoder" || (module.class_name() != "torch.nn.modules.linear.Linear" &&
                                 Tracer::is_leaf_module(module, path));
  }
  absl::StatusOr<fx::Node*> create_node(const fx::NodeRequest& request) override {
    if (request.op == fx::Opcode::kCallMethod && request.target.ends_with('_'))
      return absl::InvalidArgumentError("in-place methods are not allowed: " +
                                        std::string(request.target));
    return Tracer::create_node(request);
  }
};

template <class T>
int show(const absl::StatusOr<T>& graph) {
  if (!graph.ok()) {
    const std::string message(graph.status().message());
    std::cout << message.substr(0, message.find('\n')) << '\n';  // the file and line follow
    return 1;
  }
  std::cout << fx::print(**graph, {.meta = false}) << '\n';
  return 0;
}

}  // namespace

int main() {
  fx::Context context;
  const fx::nn::ModuleHolder<Net> net;
  fx::Tracer plain(context);
  show(plain.trace(net, {"x"}));
  MyTracer mine(context);
  show(mine.trace(net, {"x"}));
  // The error contains the reason and the line in this file.
  return show(mine.trace([](fx::Proxy x) { return x.relu_(); }, {"x"})) == 1 ? 0 : 1;
}
