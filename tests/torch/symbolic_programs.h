// Random programs on inputs with symbolic sizes: calls whose types, results or decompositions
// depend on sizes, arithmetic on sizes, and writes through views. Each call is accepted by its type
// function, which adds guards for its assumptions.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_graph.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
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
    constexpr std::string_view kDtypes[] = {"f32", "f16", "bf16", "i64", "b8", "c64"};
    const std::string_view dtype = random_.chance(60) ? "f64" : random_.pick(kDtypes);
    for (const char* name : {"x", "y", "z"})
      add_input(name, random_.chance(80) ? dtype : random_.pick(kDtypes));
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
    for (Node& node : graph_->nodes())  // propagate_types infers the same types again
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
  void add_input(const char* name, std::string_view dtype) {
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
  /// Returns a number in the range of sizes: a constant, a size of a value, or a number computed
  /// from such a size.
  Argument size_like() {
    if (random_.chance(60)) return number(1, 6);
    Node* const x = value();
    if (x->type().rank() < 1) return number(1, 6);
    Node* size = call("aten.sym_size.int", {x, dim_of(*x)});
    constexpr std::string_view kArithmetic[] = {"operator.add", "operator.sub", "operator.mul",
                                                "operator.floordiv", "operator.mod"};
    if (size != nullptr && random_.chance(30)) {
      const std::string_view op = random_.pick(kArithmetic);
      size = call(op, {size, number(1, 3)});
    }
    return size ? Argument(size) : Argument(number(1, 6));
  }

  /// Returns the node, or null if the type function rejects the call or does not determine its
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
  /// Adds one or two items of a list of tensors to the values.
  void keep_items(Node* list) {
    if (list == nullptr || list->type().items().empty()) return;
    const auto count = static_cast<int64_t>(list->type().items().size());
    keep(call("operator.getitem", {list, number(0, count - 1)}));
    keep(call("operator.getitem", {list, count - 1}));
  }

  void draw() {
    Node* const x = value();
    const int64_t d = dim_of(*x);
    switch (random_.below(34)) {
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
        const std::string_view op = random_.pick(kBinary);
        return keep(call(op, {x, value()}));
      }
      case 9: {
        constexpr std::string_view kReductions[] = {"aten.sum.dim_IntList", "aten.mean.dim",
                                                    "aten.amax.default", "aten.amin.default"};
        const std::string_view op = random_.pick(kReductions);
        return keep(call(op, {x, Argument::list({d}), random_.chance(50)}));
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
      case 25:
        return keep(call("aten.cumsum.default", {x, d}));
      default:
        return draw_further(*x, d);
    }
  }

  void draw_further(Node& x, int64_t d) {
    switch (random_.below(9)) {
      case 6: {  // sizes that depend on data
        if (random_.chance(30)) return keep(call("aten.nonzero.default", {&x}));
        Node* const is_positive = call("aten.gt.Scalar", {&x, 0});
        if (is_positive == nullptr) return;
        return keep(call("aten.masked_select.default", {&x, is_positive}));
      }
      case 0: {  // new tensors with symbolic sizes
        if (random_.chance(50)) return keep(call("aten.arange.default", {size_like()}));
        const Argument sizes = Argument::list({size_like(), size_like()});
        return keep(call("aten.new_full.default", {&x, sizes, number(-2, 2)}));
      }
      case 1: {
        std::vector<Argument> counts;
        for (int i = 0; i < x.type().rank(); ++i) counts.emplace_back(number(1, 2));
        return keep(call("aten.repeat.default", {&x, Argument::list(counts)}));
      }
      case 2:
        return keep(call("aten.stack.default", {Argument::list({&x, value()}), d}));
      case 3: {
        Node* const is_positive = call("aten.gt.Scalar", {&x, 0});
        if (is_positive == nullptr) return;
        return keep(call("aten.where.self", {is_positive, &x, value()}));
      }
      case 4: {
        constexpr std::string_view kPools[] = {"aten.max_pool1d.default",
                                               "aten.avg_pool1d.default"};
        const int64_t size = number(1, 3);
        const std::string_view op = random_.pick(kPools);
        return keep(call(op, {&x, Argument::list({size}), Argument::list({number(1, 2)}),
                              Argument::list({number(0, size / 2)})}));
      }
      case 5: {
        if (random_.chance(50)) return keep_items(call("aten.sort.default", {&x, d}));
        Node* const size = call("aten.sym_size.int", {&x, -1});
        if (size == nullptr) return;
        return keep_items(call("aten.native_layer_norm.default",
                               {&x, Argument::list({size}), Argument(), Argument(), 1e-5}));
      }
      default:
        return write(x);
    }
  }

  /// Writes to a value, or through a view to a copy of it.
  void write(Node& x) {
    Node* target = random_.chance(50) ? &x : call("aten.clone.default", {&x});
    if (target == nullptr) return;
    if (target != &x) keep(target);
    if (random_.chance(60)) {
      const int64_t d = dim_of(*target);
      constexpr std::string_view kViews[] = {"aten.slice.Tensor", "aten.select.int",
                                             "aten.transpose.int"};
      const std::string_view view = random_.pick(kViews);
      Node* const part = view == kViews[0]   ? call(view, {target, d, number(-3, 2), size_like()})
                         : view == kViews[1] ? call(view, {target, d, number(-2, 2)})
                                             : call(view, {target, d, dim_of(*target)});
      if (part == nullptr) return;
      target = part;
    }
    constexpr std::string_view kWrites[] = {"aten.add_.Tensor", "aten.copy_.default",
                                            "aten.mul_.Tensor", "aten.zero_.default",
                                            "aten.relu_.default"};
    const size_t which = random_.below(std::size(kWrites));
    std::vector<Argument> args{target};
    if (which < 3) args.emplace_back(value());
    keep(call(kWrites[which], args));
  }

  Context& context_;
  Random random_;
  std::unique_ptr<Graph> graph_;
  ShapeEnv env_;
  std::vector<Node*> values_;
};

}  // namespace fx::testing
