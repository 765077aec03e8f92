// Traces the functions and modules of compare_models.py in C++, and prints torch.fx's listing of
// each after a line "== NAME".
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/listing.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"
#include "fx/tracer/wrap.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace {

using fx::cat;
using fx::DType;
using fx::Parameter;
using fx::Proxy;
using fx::Slice;
using fx::stack;
using fx::TraceInputs;
namespace nn = fx::nn;

int failures = 0;

const fx::Graph& graph_of(const fx::Graph& graph) { return graph; }
const fx::Graph& graph_of(const fx::GraphModule& module) { return module.graph(); }

template <class T>
void show(const absl::StatusOr<std::unique_ptr<T>>& traced, std::string_view name) {
  if (!traced.ok()) {
    ++failures;
    std::fprintf(stderr, "%s: %s\n", std::string(name).c_str(), traced.status().ToString().c_str());
    return;
  }
  const std::string text = fx::format_graph(graph_of(**traced));
  std::printf("== %s\n%s\n", std::string(name).c_str(), text.c_str());
}

template <class F, class... Examples>
void show(fx::Context& context, std::string_view name, const F& f, const TraceInputs& inputs,
          Examples... examples) {
  show(fx::symbolic_trace(context, f, inputs, examples...), name);
}

// C++ does not specify the evaluation order of arguments and operands. If more than one of them
// records nodes, the one that Python evaluates first is in a separate statement or in braces.

// ---------------------------------------------------------------- modules

// The first example in torch.fx's documentation.
struct MyModule : nn::Module {
  Parameter param;
  nn::Linear linear{nullptr};
  MyModule() {
    param = register_parameter("param", *fx::Tensor::zeros(DType::kFloat32, {3, 4}));
    linear = register_module("linear", nn::Linear(4, 5));
  }
  Proxy forward(Proxy x) {
    const Proxy all = x + param;
    return topk(sum(linear(all).relu(), -1), 3);
  }
};

struct Mlp : nn::Module {
  nn::ModuleList<nn::LinearImpl> layers;
  nn::LayerNorm norm{nullptr};
  Mlp() {
    register_module("layers", layers);
    for (int i = 0; i < 3; ++i) layers->push_back(nn::Linear(8, 8));
    norm = register_module("norm", nn::LayerNorm(std::vector<int64_t>{8}));
  }
  Proxy forward(Proxy x) {
    for (const nn::Linear& layer : *layers) x = relu(layer(x));
    return norm(x);
  }
};

struct ConvNet : nn::Module {
  nn::Conv2d conv1{nullptr};
  nn::BatchNorm2d bn1{nullptr};
  nn::MaxPool2d pool{nullptr};
  nn::Linear fc{nullptr};
  ConvNet() {
    conv1 = register_module("conv1", nn::Conv2d(nn::Conv2dOptions(3, 6, 3).padding(1).bias(false)));
    bn1 = register_module("bn1", nn::BatchNorm2d(6));
    pool = register_module("pool", nn::MaxPool2d(2));
    fc = register_module("fc", nn::Linear(6, 10));
  }
  Proxy forward(Proxy x) {
    x = pool(bn1(conv1(x)).relu());
    return fc(flatten(adaptive_avg_pool2d(x, {1, 1}), 1));
  }
};

struct BasicBlock : nn::Module {
  nn::Conv2d conv1{nullptr}, conv2{nullptr};
  nn::BatchNorm2d bn1{nullptr}, bn2{nullptr};
  nn::ReLU act{nullptr};
  nn::Sequential downsample{nullptr};
  BasicBlock(int64_t in, int64_t out, int64_t stride) {
    conv1 = register_module(
        "conv1", nn::Conv2d(nn::Conv2dOptions(in, out, 3).stride(stride).padding(1).bias(false)));
    bn1 = register_module("bn1", nn::BatchNorm2d(out));
    act = register_module("relu", nn::ReLU());
    conv2 =
        register_module("conv2", nn::Conv2d(nn::Conv2dOptions(out, out, 3).padding(1).bias(false)));
    bn2 = register_module("bn2", nn::BatchNorm2d(out));
    if (stride != 1 || in != out) {
      downsample = register_module(
          "downsample",
          nn::Sequential(nn::Conv2d(nn::Conv2dOptions(in, out, 1).stride(stride).bias(false)),
                         nn::BatchNorm2d(out)));
    }
  }
  Proxy forward(Proxy x) {
    Proxy out = bn2(conv2(act(bn1(conv1(x)))));
    out += downsample ? downsample(x) : x;
    return act(out);
  }
};

struct ResNet18 : nn::Module {
  nn::Conv2d conv1{nullptr};
  nn::BatchNorm2d bn1{nullptr};
  nn::ReLU act{nullptr};
  nn::MaxPool2d maxpool{nullptr};
  nn::Sequential layer1, layer2, layer3, layer4;
  nn::AdaptiveAvgPool2d avgpool{nullptr};
  nn::Linear fc{nullptr};
  ResNet18() {
    conv1 = register_module(
        "conv1", nn::Conv2d(nn::Conv2dOptions(3, 8, 7).stride(2).padding(3).bias(false)));
    bn1 = register_module("bn1", nn::BatchNorm2d(8));
    act = register_module("relu", nn::ReLU());
    maxpool = register_module(
        "maxpool", nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(fx::nn::Extent(2)).padding(1)));
    int64_t in = 8;
    int64_t width = 8;
    for (auto* layer : {&layer1, &layer2, &layer3, &layer4}) {
      const int64_t stride = width == 8 ? 1 : 2;
      (*layer)->push_back(nn::ModuleHolder<BasicBlock>(in, width, stride));
      (*layer)->push_back(nn::ModuleHolder<BasicBlock>(width, width, int64_t{1}));
      in = width;
      width *= 2;
    }
    register_module("layer1", layer1);
    register_module("layer2", layer2);
    register_module("layer3", layer3);
    register_module("layer4", layer4);
    avgpool = register_module("avgpool", nn::AdaptiveAvgPool2d(1));
    fc = register_module("fc", nn::Linear(64, 10));
  }
  Proxy forward(Proxy x) {
    x = maxpool(act(bn1(conv1(x))));
    x = layer4(layer3(layer2(layer1(x))));
    return fc(flatten(avgpool(x), 1));
  }
};

struct Attention : nn::Module {
  nn::Linear qkv{nullptr}, proj{nullptr};
  Attention() {
    qkv = register_module("qkv", nn::Linear(16, 48));
    proj = register_module("proj", nn::Linear(16, 16));
  }
  Proxy forward(Proxy x) {
    const Proxy b = x.size(0), t = x.size(1);
    auto [q, k, v] = qkv(x).chunk(3, -1).unpack<3>();
    const auto heads = [&](const Proxy& y) { return y.view({b, t, 4, 4}).transpose(1, 2); };
    const Proxy qh = heads(q), kh = heads(k), vh = heads(v);
    const Proxy y = scaled_dot_product_attention(qh, kh, vh);
    return proj(y.transpose(1, 2).reshape({b, t, 16}));
  }
};

struct GptBlock : nn::Module {
  nn::LayerNorm ln1{nullptr}, ln2{nullptr};
  nn::ModuleHolder<Attention> attn{nullptr};
  nn::Sequential mlp{nullptr};
  GptBlock() {
    ln1 = register_module("ln1", nn::LayerNorm(std::vector<int64_t>{16}));
    attn = register_module("attn", nn::ModuleHolder<Attention>());
    ln2 = register_module("ln2", nn::LayerNorm(std::vector<int64_t>{16}));
    mlp = register_module("mlp", nn::Sequential(nn::Linear(16, 64), nn::GELU(), nn::Linear(64, 16),
                                                nn::Dropout(0.1)));
  }
  Proxy forward(Proxy x) {
    x = x + attn(ln1(x));
    return x + mlp(ln2(x));
  }
};

struct LstmCells : nn::Module {
  nn::Linear ih{nullptr}, hh{nullptr};
  LstmCells() {
    ih = register_module("ih", nn::Linear(4, 32));
    hh = register_module("hh", nn::Linear(8, 32));
  }
  std::tuple<Proxy, Proxy> forward(Proxy x, Proxy h, Proxy c) {
    for (int t = 0; t < 3; ++t) {
      const Proxy input = ih(x[t]);
      const Proxy gates = input + hh(h);
      auto [i, f, g, o] = gates.chunk(4, 1).unpack<4>();
      const Proxy kept = sigmoid(f) * c;
      const Proxy in = sigmoid(i);
      c = kept + in * tanh(g);
      const Proxy out = sigmoid(o);
      h = out * tanh(c);
    }
    return {h, c};
  }
};

struct UNet : nn::Module {
  nn::Conv2d down1{nullptr}, down2{nullptr}, mid{nullptr}, out{nullptr};
  nn::ConvTranspose2d up{nullptr};
  UNet() {
    down1 = register_module("down1", nn::Conv2d(nn::Conv2dOptions(3, 8, 3).padding(1)));
    down2 = register_module("down2", nn::Conv2d(nn::Conv2dOptions(8, 16, 3).padding(1)));
    up = register_module("up", nn::ConvTranspose2d(nn::ConvTranspose2dOptions(16, 8, 2).stride(2)));
    mid = register_module("mid", nn::Conv2d(nn::Conv2dOptions(16, 8, 3).padding(1)));
    out = register_module("out", nn::Conv2d(8, 1, 1));
  }
  Proxy forward(Proxy x) {
    const Proxy a = relu(down1(x));
    const Proxy b = relu(down2(max_pool2d(a, 2)));
    return out(relu(mid(cat({up(b), a}, 1))));
  }
};

struct TextClassifier : nn::Module {
  nn::Embedding embed{nullptr};
  nn::Linear fc{nullptr};
  TextClassifier() {
    embed = register_module("embed", nn::Embedding(100, 16));
    fc = register_module("fc", nn::Linear(16, 2));
  }
  Proxy forward(Proxy tokens) { return log_softmax(fc(embed(tokens).mean(1)), -1); }
};

// ---------------------------------------------------------------- functions

template <class T>
T swiglu(T x, T w1, T w2) {
  const T gate = silu(matmul(x, w1));
  return gate * matmul(x, w2);
}

void functions(fx::Context& c) {
  show(c, "identity", [](Proxy x) { return x; }, {"x"});
  show(c, "add_scalars", [](Proxy x) { return floordiv(2.5 * (1 + x) / 3, 2) % 7; }, {"x"});
  show(c, "reflected",
       [](Proxy x) {
         return std::tuple{1 - x, 2 / x, floordiv(3, x), 4 % x,  fx::power(2, x), fx::power(x, 2),
                           5 & x, 6 | x, 7 ^ x,          1 << x, 2 >> x};
       },
       {"x"});
  show(c, "comparisons",
       [](Proxy x, Proxy y) { return std::tuple{x < y, x <= 1, x == y, x != 3, x > 2.0, x >= -1}; },
       {"x", "y"});
  show(c, "unary", [](Proxy x) { return std::tuple{-x, +x, ~x, abs(x)}; }, {"x"});
  show(c, "compound",
       [](Proxy x, Proxy y) {
         x += y;
         x *= 2;
         y -= x;
         return x / y;
       },
       {"x", "y"});
  show(c, "methods",
       [](Proxy x) { return x.relu().view({2, -1}).permute({1, 0}).contiguous().t(); }, {"x"});
  show(c, "inplace_methods",
       [](Proxy x) {
         x.add_(1);
         x.mul_(2).clamp_(0, 6);
         return x.zero_();
       },
       {"x"});
  show(c, "same_name_often",
       [](Proxy x) {
         for (int i = 0; i < 12; ++i) x = relu(x);
         return x;
       },
       {"x"});
  show(c, "torch_functions",
       [](Proxy x, Proxy y) {
         return std::tuple{relu(add(x, y, 2)), matmul(x, y), cat({x, y}, 1), stack({x, y})};
       },
       {"x", "y"});
  show(c, "convolution",
       [](Proxy x, Proxy w, Proxy b) {
         return conv2d(conv2d(x, w, b, {2, 2}, {1, 1}), w, std::nullopt, 1, "same");
       },
       {"x", "w", "b"});
  show(c, "nn_functions",
       [](Proxy x, Proxy w) {
         return std::tuple{linear(x, w),
                           gelu(x, "tanh"),
                           silu(x),
                           softmax(x, -1),
                           dropout(x, 0.5, false),
                           layer_norm(x, {4}),
                           embedding(w, x),
                           scaled_dot_product_attention(x, x, x, std::nullopt, 0.0, true)};
       },
       {"x", "w"});
  show(c, "reductions",
       [](Proxy x) {
         return std::tuple{sum(x),      sum(x, 1),  x.sum({0, 1}, true),
                           mean(x, -1), amax(x, 0), x.sum(DType::kFloat64),
                           prod(x),     x.std(0),   argmax(x, 1),
                           norm(x)};
       },
       {"x"});
  show(c, "several_results",
       [](Proxy x) {
         auto [values, indices] = topk(x, 3);
         auto [sorted, order] = x.sort(-1, true);
         auto [a, b] = unpack<2>(split(x, 2));
         return std::tuple{values * indices, sorted, order, a + b, max(x, 1)[0]};
       },
       {"x"});
  show(c, "indexing",
       [](Proxy x, Proxy i) {
         return std::tuple{x[0],
                           x[i],
                           x[Slice(1)],
                           x[Slice({}, -1)],
                           x.index({Slice(), 0}),
                           x.index({"...", 0}),
                           x.index({std::nullopt, "...", Slice({}, {}, 2)}),
                           x[x > 0],
                           x[Slice(i, i * 2)]};
       },
       {"x", "i"});
  show(c, "attributes",
       [](Proxy x) {
         return std::tuple{x.reshape({x.attr("shape")[0], -1}),
                           x.size(),
                           x.size(1),
                           x.attr("dtype"),
                           x.attr("device"),
                           x.dim()};
       },
       {"x"});
  show(c, "factories",
       [](Proxy x) {
         fx::TracerBase& t = *x.tracer();
         return std::tuple{zeros(t, {x.size(0), 3}),
                           full(t, {x.size(0)}, 1.5, DType::kFloat16),
                           arange(t, x.size(0)),
                           x.new_ones({2}),
                           ones_like(x),
                           x.to(DType::kFloat64)};
       },
       {"x"});
  show(c, "namespaces",
       [](Proxy x) {
         return std::tuple{linalg_norm(x, 2), linalg_inv(x), special_expit(x), fft_fft(x)};
       },
       {"x"});
  show(c, "where_and_masked",
       [](Proxy x, Proxy y) {
         return std::tuple{where(x > y, x, 0.0), x.masked_fill(y == 0, -1e9)};
       },
       {"x", "y"});
  show(c, "swiglu", swiglu<Proxy>, {"x", "w1", "w2"});
  show(c, "dead_code",
       [](Proxy x) {
         x.relu();
         sigmoid(x);
         return x;
       },
       {"x"});
  show(c, "reserved_names",
       [](Proxy input, Proxy len, Proxy list) {
         return std::tuple{sum(input), abs(len), max(list), list};
       },
       {"input", "len", "list"});
  TraceInputs concrete{"x", "flag", "n"};
  concrete.concrete_args = {{"flag", true}, {"n", 3}};
  show(c, "concrete", [](Proxy x, bool flag, int64_t n) { return flag ? x * n : x; }, concrete);
  show(c, "structured",
       [](Proxy x, std::pair<Proxy, Proxy> pair) { return x + pair.first * pair.second; },
       {"x", "pair"});
  TraceInputs defaults{"x", "alpha", "bias"};
  defaults.defaults = {{"alpha", 2.0}, {"bias", fx::Argument()}};
  show(c, "defaults", [](Proxy x, Proxy alpha, Proxy) { return x * alpha; }, defaults);
  show(c, "only_packs",
       [](Proxy args, Proxy kwargs) {
         const Proxy first = args[0];
         return first + kwargs["k"];
       },
       {"*args", "**kwargs"});
  const auto wrapped = fx::wrap("wrapped", [](double x) { return x; });
  show(c, "wrapped", [&](Proxy x, Proxy y) { return wrapped(x, 1, "text", y); }, {"x", "y"});
  const auto scaled = fx::named_function("scaled", [](auto x, double by) { return x * by; });
  const auto twice = [&](Proxy x) {
    const Proxy once = scaled(x, 2.0);
    return scaled(once, scaled(3.0, 4.0));
  };
  show(c, "looked_into", twice, {"x"});
  show(fx::Tracer(c, {.autowrap_functions = {"scaled"}}).trace(twice, {"x"}), "kept_whole");
}

template <class M>
void module(fx::Context& c, std::string_view name, TraceInputs inputs = {"x"}) {
  show(c, name, nn::ModuleHolder<M>(), inputs);
}

}  // namespace

int main() {
  fx::Context context;
  functions(context);
  module<MyModule>(context, "MyModule");
  module<Mlp>(context, "Mlp");
  module<ConvNet>(context, "ConvNet");
  show(context, "BasicBlock", nn::ModuleHolder<BasicBlock>(int64_t{8}, int64_t{16}, int64_t{2}),
       {"x"});
  module<ResNet18>(context, "ResNet18");
  module<Attention>(context, "Attention");
  module<GptBlock>(context, "GptBlock");
  module<LstmCells>(context, "LstmCells", {"x", "h", "c"});
  module<UNet>(context, "UNet");
  module<TextClassifier>(context, "TextClassifier", {"tokens"});
  return failures == 0 ? 0 : 1;
}
