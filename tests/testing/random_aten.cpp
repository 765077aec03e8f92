// See random_aten.h. A call is drawn with operands among the existing values; the type function of
// its operator decides whether it is valid.
#include "tests/testing/random_aten.h"

#include "fx/ir/support/check.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_graph.h"

#include "fmt/format.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace fx::testing {
namespace {

/// An operator, and its Python spellings.
struct Spelled {
  std::string_view aten;
  std::string_view function = {};
  std::string_view method = {};
};

constexpr Spelled kUnary[] = {
    {"aten.relu.default", "torch.relu", "relu"},
    {"aten.neg.default", "operator.neg", "neg"},
    {"aten.sigmoid.default", "torch.sigmoid", "sigmoid"},
    {"aten.tanh.default", "torch.tanh", "tanh"},
    {"aten.sin.default", "torch.sin", "sin"},
    {"aten.cos.default", "torch.cos", "cos"},
    {"aten.abs.default", "torch.abs", "abs"},
    {"aten.square.default"},
    {"aten.gelu.default"},
    {"aten.silu.default"},
    {"aten.clone.default", "torch.clone", "clone"},
    {"aten.detach.default", "", "detach"},
    {"aten.floor.default", "torch.floor", "floor"},
    {"aten.t.default", "torch.t", "t"},
    {"aten.sum.default", "torch.sum", "sum"},
    {"aten.mean.default", "torch.mean", "mean"},
    {"aten.alias.default"},
};
constexpr Spelled kBinary[] = {
    {"aten.add.Tensor", "operator.add", "add"},
    {"aten.sub.Tensor", "operator.sub", "sub"},
    {"aten.mul.Tensor", "operator.mul", "mul"},
    {"aten.maximum.default", "torch.maximum"},
    {"aten.minimum.default", "torch.minimum"},
    {"aten.mm.default", "torch.mm", "mm"},
    {"aten.bmm.default", "torch.bmm", "bmm"},
    {"aten.matmul.default", "operator.matmul", "matmul"},
    {"aten.gt.Tensor", "operator.gt", "gt"},
    {"aten.eq.Tensor"},
    {"aten.view_as.default"},
    {"aten.expand_as.default"},
    {"aten.atan2.default"},
};
constexpr Spelled kWithNumber[] = {
    {"aten.add.Tensor", "operator.add"},
    {"aten.sub.Tensor", "operator.sub"},
    {"aten.mul.Tensor", "torch.mul"},
    {"aten.div.Tensor", "operator.truediv"},
    {"aten.pow.Tensor_Scalar"},
    {"aten.clamp_min.default"},
    {"aten.rsub.Scalar"},
};
constexpr std::string_view kWriteUnary[] = {"aten.relu_.default", "aten.neg_.default",
                                            "aten.zero_.default", "aten.tanh_.default"};
constexpr std::string_view kWriteBinary[] = {"aten.add_.Tensor", "aten.mul_.Tensor",
                                             "aten.copy_.default", "aten.sub_.Tensor"};
constexpr int64_t kSizes[] = {1, 2, 3, 4};

class Maker {
 public:
  Maker(Context& context, uint64_t seed, const RandomAtenOptions& options)
      : context_(context), random_(seed), options_(options) {
    made_.graph = std::make_unique<Graph>(context);
  }

  RandomAten run() {
    for (const char* name : {"x", "y", "z"}) add_input(name, DType::kFloat64);
    add_input("i", DType::kInt64);
    for (size_t i = 0; i < 2; ++i) add_constant();
    for (size_t tries = 0; made_.graph->size() < options_.calls + 6 && tries < 20 * options_.calls;
         ++tries) {
      draw();
    }
    std::vector<Argument> results;
    const size_t num_results = 2 + random_.below(4);
    for (size_t i = 0; i < num_results; ++i) {
      const size_t back = random_.below(std::min<size_t>(values_.size(), 8));
      results.emplace_back(random_.chance(70) ? values_[values_.size() - 1 - back] : value());
    }
    made_.graph->output(Argument::tuple(results));
    return std::move(made_);
  }

 private:
  Graph& graph() { return *made_.graph; }

  std::string random_shape() {
    std::string text;
    const size_t rank = 1 + random_.below(3);
    for (size_t i = 0; i < rank; ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ", ", random_.pick(kSizes));
    return text;
  }
  void add_input(const char* name, DType dtype) {
    const std::string type =
        fmt::format("{}[{}]", dtype == DType::kFloat64 ? "f64" : "i64", random_shape());
    keep(graph().placeholder(name, {.type = *context_.types().parse(type)}));
  }
  void add_constant() {
    const int64_t size = random_.pick(kSizes);
    std::vector<double> data;
    for (int64_t i = 0; i < size; ++i)
      data.push_back(0.25 * static_cast<double>(random_.below(9)) - 1);
    const std::string name = fmt::format("c{}", made_.constants.size());
    made_.constants.emplace_back(name, *Tensor::of<double>({size}, data));
    keep(graph().get_attr(name, {.type = *context_.types().parse(fmt::format("f64[{}]", size))}));
  }
  void keep(Node* node) {
    if (node->type().is_tensor()) values_.push_back(node);
  }

  Node* value() { return values_[random_.below(values_.size())]; }
  /// Prefers late values, so that graphs are deep.
  Node* recent() {
    const size_t back = random_.below(std::min<size_t>(values_.size(), 6));
    return random_.chance(70) ? values_[values_.size() - 1 - back] : value();
  }
  int64_t dim_of(const Node* node) {
    const int64_t rank = node->type().rank();
    return rank == 0 ? 0 : static_cast<int64_t>(random_.below(static_cast<size_t>(rank)));
  }

  /// Kernels require floating values where type functions accept integers; views and a few others
  /// accept all dtypes, subtraction all but bools.
  static bool has_kernel(std::string_view target, const std::vector<Argument>& args) {
    static constexpr std::string_view kAnyDtype[] = {
        "aten.add.Tensor",  "aten.mul.Tensor",         "aten.gt.Tensor",
        "aten.eq.Tensor",   "aten.clone.default",      "aten._to_copy.default",
        "aten.sum.default", "aten.cat.default",        "aten.stack.default",
        "aten.max.dim",     "operator.getitem",        "aten.ones_like.default",
        "aten.to.dtype",    "aten.contiguous.default", "aten.zeros_like.default"};
    const bool is_view = target.find("aten.view") == 0 || target.find("select") != target.npos ||
                         target.find("squeeze") != target.npos ||
                         target.find("slice") != target.npos || target.find("split") != target.npos;
    const bool any = is_view || std::ranges::find(kAnyDtype, target) != std::end(kAnyDtype);
    bool fits = true;
    for (size_t i = 0; i < args.size(); ++i) {
      (void)map_nodes(args[i], [&](Node* n) {
        const Type type = n->type();
        if (!type.is_tensor()) return Argument(n);
        const bool is_condition = i == 0 && target == "aten.where.self";
        fits = fits && (is_condition ? type.dtype() == DType::kBool
                                     : any || type.dtype() == DType::kFloat64);
        return Argument(n);
      });
    }
    return fits;
  }

  /// Adds the call if its operator accepts these arguments; otherwise returns null.
  Node* call(std::string_view target, std::vector<Argument> args, std::vector<Kwarg> kwargs = {}) {
    if (!has_kernel(target, args)) return nullptr;
    const Target function = context_.function(target);
    std::vector<Argument> types;
    for (const Argument& arg : args)
      types.push_back(map_nodes(arg, [](Node* n) { return Argument(n->type()); }));
    std::vector<Kwarg> named;
    for (const Kwarg& kwarg : kwargs)
      named.emplace_back(kwarg.key,
                         map_nodes(kwarg.value, [](Node* n) { return Argument(n->type()); }));
    const absl::StatusOr<InferredCall> inferred = infer_call(context_, function, types, named);
    if (!inferred.ok() || !inferred->type) return nullptr;
    last_ = {std::string(target), args, kwargs};
    Node* node = graph().call_function(function, args, kwargs, {.type = inferred->type});
    keep(node);
    return node;
  }
  void call(const Spelled& op, const std::vector<Argument>& args) {
    Node* node = call(op.aten, args);
    if (node == nullptr || !options_.python || !random_.chance(50)) return;
    if (!op.method.empty() && args[0].is_node() && random_.chance(50)) {
      node->set_op_and_target(Opcode::kCallMethod, op.method);
    } else if (!op.function.empty()) {
      node->set_function(context_.function(op.function));
    }
  }

  void draw() {
    Node* x = recent();
    switch (random_.below(18)) {
      case 0:
      case 1:
      case 2:
        return call(random_.pick(kUnary), {x});
      case 3:
      case 4:
      case 5:
        return call(random_.pick(kBinary), {x, value()});
      case 6:
      case 7: {
        const int number = static_cast<int>(random_.below(4));
        return call(random_.pick(kWithNumber),
                    {x, random_.chance(50) ? Argument(number) : Argument(0.5 * number)});
      }
      case 8:
      case 9:
        return draw_view(x);
      case 10:
        return draw_join(x);
      case 11:
        return draw_reduction(x);
      case 12:
        if (last_.target.empty()) return;  // the same again
        call(last_.target, last_.args, last_.kwargs);
        return;
      case 13:
        return draw_factory();
      case 14:
      case 15:
        return draw_write();
      case 16:
        return draw_identity(x);
      default:
        return draw_layer(x);
    }
  }

  void draw_view(Node* x) {
    const int64_t dim = dim_of(x), other = dim_of(x);
    switch (random_.below(18)) {
      case 0:
        call("aten.transpose.int", {x, dim, other});
        return;
      case 1:
        call("aten.view.default", {x, Argument::ints({-1})});
        return;
      case 2:
        call("aten.reshape.default", {x, Argument::ints({1, -1})});
        return;
      case 3:
        call("aten.unsqueeze.default", {x, dim});
        return;
      case 4:
        call("aten.squeeze.dim", {x, dim});
        return;
      case 5:
        call("aten.select.int", {x, dim, 0});
        return;
      case 6:
        call("aten.slice.Tensor", {x, dim, 0, 2});
        return;
      case 7: {
        std::vector<int64_t> order;
        for (int64_t i = x->type().rank(); i-- > 0;) order.push_back(i);
        call("aten.permute.default", {x, Argument::ints(order)});
        return;
      }
      case 8:
        call("aten.expand.default", {x, Argument::ints({2, -1, -1})});
        return;
      case 9:
        call("aten.diagonal.default", {x, 0, dim, other});
        return;
      case 10:
        call("aten.unfold.default", {x, dim, 1, 1});
        return;
      case 11:
        call("aten.as_strided.default", {x, Argument::ints({1, 2}), Argument::ints({1, 1})});
        return;
      case 12:
        call("aten.flatten.using_ints", {x});
        return;
      case 13:
        call("aten.contiguous.default", {x});
        return;
      case 14: {
        Node* parts = call("aten.unbind.int", {x, dim});
        if (parts != nullptr) call("operator.getitem", {parts, -1});
        return;
      }
      case 15: {
        Node* parts = call("aten.chunk.default", {x, 2, dim});
        for (const int item : {0, 1})
          if (parts != nullptr) call("operator.getitem", {parts, item});
        return;
      }
      default: {
        Node* parts = call("aten.split.Tensor", {x, 1, dim});
        if (parts != nullptr) call("operator.getitem", {parts, 0});
      }
    }
  }
  /// What a simplifier may take for `x`, in memory of its own or not.
  void draw_identity(Node* x) {
    const Type type = x->type();
    std::vector<Argument> sizes;
    for (const Dim& size : type.sizes()) sizes.emplace_back(size);
    switch (random_.below(10)) {
      case 0:
        call("aten.add.Tensor", {x, 0});
        return;
      case 1:
        call("aten.mul.Tensor", {x, 1});
        return;
      case 2:
        if (Node* negative = call("aten.neg.default", {x})) call("aten.neg.default", {negative});
        return;
      case 3:
        call("aten.clone.default", {x});
        return;
      case 4:
        call("aten.to.dtype", {x, type.dtype(), false, random_.chance(50)});
        return;
      case 5:
        call("aten.reshape.default", {x, Argument::list(sizes)});
        return;
      case 6:
        call("aten.expand.default", {x, Argument::list(sizes)});
        return;
      case 7:
        if (Node* turned = call("aten.t.default", {x})) call("aten.t.default", {turned});
        return;
      case 8:
        for (int i = 0; i < 2; ++i) call("aten.zeros_like.default", {x});
        return;
      default:
        call("aten.native_dropout.default", {x, 0.0, false});
    }
  }
  void draw_join(Node* x) {
    const int64_t dim = dim_of(x);
    switch (random_.below(3)) {
      case 0:
        call("aten.cat.default", {Argument::list({x, random_.chance(50) ? x : value()}), dim});
        return;
      case 1:
        call("aten.stack.default", {Argument::list({x, x}), dim});
        return;
      default: {
        Node* condition = value();
        for (Node* v : values_)
          if (v->type().dtype() == DType::kBool) condition = v;
        call("aten.where.self", {condition, x, value()});
      }
    }
  }
  void draw_reduction(Node* x) {
    const int64_t dim = dim_of(x);
    switch (random_.below(6)) {
      case 0:
        call("aten.sum.dim_IntList", {x, Argument::ints({dim}), true});
        return;
      case 1:
        call("aten.mean.dim", {x, Argument::ints({dim})});
        return;
      case 2:
        call("aten.amax.default", {x, Argument::ints({dim})});
        return;
      case 3:
        call("aten._softmax.default", {x, dim, false});
        return;
      case 4:
        call("aten.cumsum.default", {x, dim});
        return;
      default: {
        Node* both = call("aten.max.dim", {x, dim});
        if (both != nullptr)
          call("operator.getitem", {both, static_cast<int64_t>(random_.below(2))});
      }
    }
  }
  void draw_factory() {
    const Kwarg dtype("dtype", DType::kFloat64);
    const Argument size = Argument::ints({random_.pick(kSizes)});
    switch (random_.below(6)) {
      case 0:
        call("aten.ones.default", {size}, {dtype});
        return;
      case 1:
        call("aten.zeros.default", {size}, {dtype});
        return;
      case 2:
        call("aten.full.default", {size, 0.5}, {dtype});
        return;
      case 3:
        call("aten.ones_like.default", {recent()});
        return;
      case 4:
        if (options_.random) call("aten.rand_like.default", {recent()});
        return;
      default:
        call("aten._to_copy.default", {recent()}, {dtype});
    }
  }
  /// Several elements may have one place in memory: libtorch refuses to write to such a tensor.
  static bool overlaps(Type type) {
    if (!type.is_tensor() || !type.has_strides()) return true;
    for (int i = 0; i < type.rank(); ++i)
      if (type.size(i) != Dim(1) && type.stride(i) == Dim(0)) return true;
    return false;
  }
  /// May be in the memory of a get_attr: parts of a graph that are modules have constants of their
  /// own, so that runs with these written cannot be compared.
  static bool is_view_of_constant(const Node* value) {
    while (value->op() != Opcode::kGetAttr) {
      if (value->num_args() == 0 || !may_share_memory(*value)) return false;
      const Node* source = value->arg(0).node();
      if (source == nullptr) return true;  // of a list: nothing is known
      value = source;
    }
    return true;
  }
  void draw_write() {
    if (!options_.writes) return;
    Node* target = recent();
    if (is_view_of_constant(target) || overlaps(target->type())) return;
    switch (random_.below(8)) {
      case 0: {
        Node* operand = value();
        // Without a change of sizes: out= resizes a tensor that does not fit, with a warning.
        if (std::ranges::equal(operand->type().sizes(), target->type().sizes()))
          call("aten.sin.out", {operand}, {Kwarg("out", target)});
        return;
      }
      case 1:
        call("aten._foreach_add_.Scalar", {Argument::list({target}), 2});
        return;
      case 2: {
        Node* call_node = call("aten.add_.Tensor", {target, value()});
        if (call_node != nullptr && options_.python)
          call_node->set_function(context_.function("operator.iadd"));
        return;
      }
      case 3:
      case 4:
        call(random_.pick(kWriteUnary), {target});
        return;
      default:
        call(random_.pick(kWriteBinary), {target, value()});
    }
  }
  void draw_layer(Node* x) {
    switch (random_.below(4)) {
      case 0:
        call("aten.dropout.default", {x, 0.5, options_.random && random_.chance(50)});
        return;
      case 1:
        call("aten.linear.default", {x, value()});
        return;
      case 2: {
        const Type type = x->type();
        if (!type.is_tensor() || type.rank() == 0) return;
        Node* norm = call("aten.native_layer_norm.default",
                          {x, Argument::ints({type.size(type.rank() - 1).value()}), Argument(),
                           Argument(), 1e-5});
        if (norm != nullptr) call("operator.getitem", {norm, 0});
        return;
      }
      default:
        call("aten.addmm.default", {value(), x, value()});
    }
  }

  struct Last {
    std::string target;
    std::vector<Argument> args;
    std::vector<Kwarg> kwargs;
  };

  Context& context_;
  Random random_;
  RandomAtenOptions options_;
  RandomAten made_;
  std::vector<Node*> values_;
  Last last_;
};

}  // namespace

RandomAten random_aten(Context& context, uint64_t seed, const RandomAtenOptions& options) {
  return Maker(context, seed, options).run();
}

}  // namespace fx::testing
