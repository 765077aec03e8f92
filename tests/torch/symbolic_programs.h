// Random programs on inputs of symbolic sizes: calls whose types, results or decompositions depend on
// sizes. The type function of each call accepts it, with guards where it must assume something.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_graph.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::testing {

class SymbolicProgram {
 public:
  SymbolicProgram(Context& context, uint64_t seed)
      : context_(context), random_(seed), graph_(std::make_unique<Graph>(context)), env_(context) {}

  std::unique_ptr<Graph> make() {
    add_ranges();
    for (const char* name : {"x", "y", "z"}) add_input(name, "f64");
    add_input("i", "i64");
    const size_t calls = 4 + random_.below(12);
    for (size_t tries = 0; graph_->size() < calls + 4 && tries < 20 * calls; ++tries) draw();
    std::vector<Argument> results;
    const size_t count = 1 + random_.below(3);
    for (size_t i = 0; i < count; ++i) {
      const size_t back = random_.below(std::min<size_t>(values_.size(), 6));
      results.emplace_back(values_[values_.size() - 1 - back]);
    }
    graph_->output(Argument::tuple(results));
    for (Node& node : graph_->nodes())  // propagate_types finds the same again
      if (!node.is_placeholder()) node.set_type(Type());
    return std::move(graph_);
  }

 private:
  void add_ranges() {
    std::vector<std::pair<Argument, Argument>> symbols;
    for (const char* name : {"n", "m", "k"}) {
      if (random_.chance(15)) continue;  // without a range
      const auto low = static_cast<int64_t>(random_.below(4));
      const auto high = low + 3 + static_cast<int64_t>(random_.below(9));
      symbols.emplace_back(name, Argument::dict({{"min", low}, {"max", high}}));
    }
    if (!symbols.empty()) graph_->set_meta("symbols", Argument::dict(symbols));
    env_.set_ranges_of(*graph_);
  }
  void add_input(const char* name, const char* dtype) {
    constexpr std::string_view kSizes[] = {"n", "n", "m", "k", "1", "3", "4", "2*n", "n + 1"};
    std::string sizes;
    const size_t rank = 1 + random_.below(3);
    for (size_t i = 0; i < rank; ++i)
      sizes += fmt::format("{}{}", i == 0 ? "" : ", ", random_.pick(kSizes));
    const Type type = *context_.types().parse(fmt::format("{}[{}]", dtype, sizes));
    values_.push_back(graph_->placeholder(name, {.type = type}));
  }

  Node* value() { return values_[random_.below(values_.size())]; }
  int64_t number(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_.below(static_cast<size_t>(high - low + 1)));
  }
  int64_t dim_of(const Node& x) {
    const int rank = std::max(x.type().rank(), 1);
    return number(-rank, rank - 1);
  }
  /// A number for a size: a constant, or a size of a value.
  Argument size_like() {
    if (random_.chance(60)) return number(1, 6);
    Node* const x = value();
    if (x->type().rank() < 1) return number(1, 6);
    Node* const size = call("aten.sym_size.int", {x, dim_of(*x)});
    return size ? Argument(size) : Argument(number(1, 6));
  }

  /// Returns the node, or null if the type function refuses the call or does not determine its
  /// type.
  Node* call(std::string_view op, std::vector<Argument> args, std::vector<Kwarg> kwargs = {}) {
    absl::StatusOr<Node*> node =
        graph_->create_node(Opcode::kCallFunction, context_.function(op), args, kwargs, {});
    if (!node.ok()) return nullptr;
    ShapeEnv tried = env_;
    const absl::StatusOr<Type> type = infer_type(**node, {.env = &tried});
    if (!type.ok() || !*type) {
      FX_CHECK_OK(graph_->erase_node(*node));
      return nullptr;
    }
    env_ = tried;
    (*node)->set_type(*type);
    return *node;
  }
  void keep(Node* node) {
    if (node != nullptr && node->type().is_tensor()) values_.push_back(node);
  }
  /// One or two items of a list of tensors.
  void keep_items(Node* list) {
    if (list == nullptr || list->type().items().empty()) return;
    const auto count = static_cast<int64_t>(list->type().items().size());
    keep(call("operator.getitem", {list, number(0, count - 1)}));
    keep(call("operator.getitem", {list, count - 1}));
  }

  void draw() {
    Node* const x = value();
    const int64_t d = dim_of(*x);
    switch (random_.below(26)) {
      case 0:
        return keep(call("aten.slice.Tensor", {x, d, number(-4, 3), number(-3, 6), number(1, 2)}));
      case 1:
        return keep(call("aten.slice.Tensor", {x, d, 0, size_like()}));
      case 2:
        return keep(call("aten.narrow.default", {x, d, number(0, 2), size_like()}));
      case 3:
        return keep_items(call("aten.chunk.default", {x, number(1, 4), d}));
      case 4:
        return keep_items(call("aten.split.Tensor", {x, size_like(), d}));
      case 5:
        return keep_items(call("aten.tensor_split.sections", {x, number(1, 4), d}));
      case 6:
        return keep_items(call("aten.tensor_split.indices",
                               {x, Argument::list({number(-3, 3), number(0, 6)}), d}));
      case 7:
        return keep(call("aten.cat.default", {Argument::list({x, value()}), d}));
      case 8: {
        constexpr std::string_view kBinary[] = {"aten.add.Tensor", "aten.mul.Tensor",
                                                "aten.sub.Tensor", "aten.maximum.default"};
        return keep(call(random_.pick(kBinary), {x, value()}));
      }
      case 9: {
        constexpr std::string_view kReductions[] = {"aten.sum.dim_IntList", "aten.mean.dim",
                                                    "aten.amax.default", "aten.amin.default"};
        return keep(call(random_.pick(kReductions), {x, Argument::list({d}), random_.chance(50)}));
      }
      case 10:
        return keep(call("aten.view.default", {x, Argument::list({-1, size_like()})}));
      case 11:
        return keep(call("aten.reshape.default", {x, Argument::list({size_like(), -1})}));
      case 12:
        return keep(call("aten.expand.default", {x, Argument::list({size_like(), -1, -1})}));
      case 13:
        return keep(call("aten.squeeze.dim", {x, d}));
      case 14:
        return keep(call("aten.unsqueeze.default", {x, d}));
      case 15:
        return keep(call("aten.transpose.int", {x, d, dim_of(*x)}));
      case 16:
        return keep(call("aten.matmul.default", {x, value()}));
      case 17:
        return keep(call("aten._softmax.default", {x, d, false}));
      case 18:
        return keep_items(call("aten.var_mean.correction", {x, Argument::list({d})}));
      case 19:
        return keep(call("aten.constant_pad_nd.default",
                         {x, Argument::list({number(-2, 2), number(0, 2)}), 0}));
      case 20:
        return keep(call("aten.select.int", {x, d, number(-3, 3)}));
      case 21:
        return keep(call("aten.diagonal.default", {x, number(-2, 2)}));
      case 22:
        return keep(call("aten.unfold.default", {x, d, number(1, 3), number(1, 2)}));
      case 23:
        return keep(call("aten.flatten.using_ints", {x, 0, -1}));
      case 24: {
        constexpr std::string_view kUnary[] = {"aten.relu.default",  "aten.neg.default",
                                               "aten.clone.default", "aten.squeeze.default",
                                               "aten.mean.default",  "aten.flip.default"};
        const std::string_view op = random_.pick(kUnary);
        if (op == "aten.flip.default") return keep(call(op, {x, Argument::list({d})}));
        return keep(call(op, {x}));
      }
      default:
        return keep(call("aten.cumsum.default", {x, d}));
    }
  }

  Context& context_;
  Random random_;
  std::unique_ptr<Graph> graph_;
  ShapeEnv env_;
  std::vector<Node*> values_;
};

}  // namespace fx::testing
