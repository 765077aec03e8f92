// See random_aten.h.
#include "tests/testing/random_aten.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_aten_generator.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx::testing {
namespace {

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

constexpr std::string_view kInputDTypes[] = {"f32", "f16", "bf16", "c64", "c128",
                                             "i32", "u8",  "b8",   "i64", "f64"};

/// True if libtorch has a kernel for the arguments. Most kernels require floating-point values,
/// although type functions also accept integers. Views and a few other operators accept all dtypes.
bool has_kernel(std::string_view target, const std::vector<Argument>& args) {
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
  bool is_supported = true;
  for (size_t i = 0; i < args.size(); ++i) {
    (void)map_nodes(args[i], [&](Node* n) {
      const Type type = n->type();
      if (!type.is_tensor()) return Argument(n);
      const bool is_condition = i == 0 && target == "aten.where.self";
      is_supported = is_supported && (is_condition ? type.dtype() == DType::kBool
                                                   : any || type.dtype() == DType::kFloat64);
      return Argument(n);
    });
  }
  return is_supported;
}

}  // namespace

RandomAten RandomAtenGenerator::run() {
  const bool wide = options_.accepts != nullptr;
  for (const char* name : {"x", "y", "z"})
    add_input(name, wide && random_.chance(60) ? random_.pick(kInputDTypes) : "f64");
  add_input("i", "i64");
  for (size_t i = 0; i < 2; ++i) add_constant();
  if (options_.begin) options_.begin(result_);
  for (size_t tries = 0; result_.graph->size() < options_.calls + 6 && tries < 20 * options_.calls;
       ++tries) {
    draw();
  }
  std::vector<Argument> results;
  const size_t num_results = 2 + random_.below(4);
  for (size_t i = 0; i < num_results; ++i) {
    const size_t back = random_.below(std::min<size_t>(values_.size(), 8));
    results.emplace_back(random_.chance(70) ? values_[values_.size() - 1 - back] : value());
  }
  for (Node* value : untyped_) results.emplace_back(value);
  result_.graph->output(Argument::tuple(results));
  return std::move(result_);
}

std::string RandomAtenGenerator::random_shape() {
  std::string text;
  const size_t rank = 1 + random_.below(3);
  for (size_t i = 0; i < rank; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", random_.pick(kSizes));
  return text;
}
void RandomAtenGenerator::add_input(const char* name, std::string_view dtype) {
  Type type = *context_.types().parse(fmt::format("{}[{}]", dtype, random_shape()));
  if (random_.chance(15)) type = with_other_layout(type);
  keep(graph().placeholder(name, {.type = type}));
}
void RandomAtenGenerator::add_constant() {
  const int64_t size = random_.pick(kSizes);
  std::vector<double> data;
  for (int64_t i = 0; i < size; ++i)
    data.push_back(0.25 * static_cast<double>(random_.below(9)) - 1);
  const std::string name = fmt::format("c{}", result_.constants.size());
  result_.constants.emplace_back(name, *Tensor::of<double>({size}, data));
  keep(graph().get_attr(name, {.type = *context_.types().parse(fmt::format("f64[{}]", size))}));
}
/// Returns the type with different strides, an offset, or a dimension with stride 0.
Type RandomAtenGenerator::with_other_layout(Type type) {
  TensorSpec spec = type.spec();
  std::vector<Dim> strides(static_cast<size_t>(type.rank()), Dim(1));
  int64_t stride = 1 + number(2);
  for (size_t i = 0; i < strides.size(); ++i) {  // the first dimension is the innermost
    strides[i] = Dim(stride);
    stride *= type.size(static_cast<int>(i)).value();
  }
  if (random_.chance(30)) strides[random_.below(strides.size())] = Dim(0);
  spec.strides = StrideSpec(strides);
  spec.offset = Dim(number(4));
  return context_.types().tensor(spec);
}

Node* RandomAtenGenerator::call(std::string_view target, std::vector<Argument> args,
                                std::vector<Kwarg> kwargs) {
  if (!options_.accepts && !has_kernel(target, args)) return nullptr;
  const Target function = context_.function(target);
  std::vector<Argument> types;
  for (const Argument& arg : args)
    types.push_back(map_nodes(arg, [](Node* n) { return Argument(n->type()); }));
  std::vector<Kwarg> kwarg_types;
  for (const Kwarg& kwarg : kwargs)
    kwarg_types.emplace_back(kwarg.key,
                             map_nodes(kwarg.value, [](Node* n) { return Argument(n->type()); }));
  const absl::StatusOr<InferredCall> inferred = infer_call(context_, function, types, kwarg_types);
  if (!inferred.ok() || !inferred->type) return nullptr;
  Node* node = if_it_runs(graph().call_function(function, args, kwargs, {.type = inferred->type}));
  if (node == nullptr) return nullptr;
  // The type may also depend on whether an operand is a lazy view.
  if (const absl::StatusOr<Type> type = infer_type(*node); type.ok() && *type)
    node->set_type(*type);
  last_ = {std::string(target), args, kwargs};
  keep(node);
  return node;
}
Node* RandomAtenGenerator::if_it_runs(Node* node) {
  if (!options_.accepts || options_.accepts(*node)) return node;
  FX_CHECK_OK(graph().erase_node(node));
  return nullptr;
}
void RandomAtenGenerator::call(const Spelled& op, const std::vector<Argument>& args) {
  Node* node = call(op.aten, args);
  if (node == nullptr || !options_.python || !random_.chance(50)) return;
  if (!op.method.empty() && args[0].is_node() && random_.chance(50)) {
    node->set_op_and_target(Opcode::kCallMethod, op.method);
  } else if (!op.function.empty()) {
    node->set_function(context_.function(op.function));
  }
}

void RandomAtenGenerator::draw() {
  Node* x = recent();
  if (random_.chance(5)) return draw_inverse(x);
  if (options_.accepts && random_.chance(8)) return draw_rare(x);
  if (options_.accepts && random_.chance(60)) return draw_wide(x);
  switch (random_.below(18)) {
    case 0:
    case 1:
    case 2:
      return call(random_.pick(kUnary), {x});
    case 3:
    case 4:
    case 5: {
      const Spelled& op = random_.pick(kBinary);
      return call(op, {x, value()});
    }
    case 6:
    case 7: {
      const int number = static_cast<int>(random_.below(4));
      const Spelled& op = random_.pick(kWithNumber);
      return call(op, {x, random_.chance(50) ? Argument(number) : Argument(0.5 * number)});
    }
    case 8:
    case 9:
      return draw_view(x);
    case 10:
      return draw_join(x);
    case 11:
      return draw_reduction(x);
    case 12:
      if (last_.target.empty()) return;  // case 12 repeats the last call
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

RandomAten random_aten(Context& context, uint64_t seed, const RandomAtenOptions& options) {
  return RandomAtenGenerator(context, seed, options).run();
}

}  // namespace fx::testing
