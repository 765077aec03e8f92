// fxcpp as a subject of harness.h: the graph as shipped, in which every node has a name, a type and
// a use list.
#pragma once

#include "bench/families.h"
#include "fx/ir/files/binary.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/page_pool_internal.h"
#include "fx/ir/module/module.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/partition/partitioner.h"
#include "fx/passes/partition/split_module.h"
#include "fx/passes/rewrite/replace_pattern.h"
#include "fx/passes/rewrite/rule_set.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx::bench {

/// The builder that families.h requires.
class FxBuilder {
 public:
  using Value = Node*;
  FxBuilder(Context& context, Graph& graph)
      : graph_(graph),
        type_(*context.types().parse("f32[64, 64]")),
        add_(context.function("aten.add.Tensor")),
        mul_(context.function("aten.mul.Tensor")),
        relu_(context.function("aten.relu.default")),
        layer_norm_(context.function("aten.layer_norm.default")),
        linear_(context.function("aten.linear.default")),
        matmul_(context.function("aten.matmul.default")),
        transpose_(context.function("aten.transpose.int")),
        softmax_(context.function("aten.softmax.int")),
        view_(context.function("aten.view.default")),
        dropout_(context.function("aten.dropout.default")),
        alpha_(context.symbol("alpha")) {}

  Value input() { return graph_.placeholder("x", {.type = type_}); }
  Value add(Value a, Value b) { return call(add_, {a, b}); }
  Value mul(Value a, Value b) { return call(mul_, {a, b}); }
  Value relu(Value a) { return call(relu_, {a}); }
  Value parameter(const std::string& path) { return graph_.get_attr(path, {.type = type_}); }
  Value layer_norm(Value x, std::initializer_list<int64_t> shape, Value weight, Value bias,
                   double eps, bool cudnn) {
    return call(layer_norm_, {x, ints(shape), weight, bias, eps, cudnn});
  }
  Value linear(Value x, Value weight, Value bias) { return call(linear_, {x, weight, bias}); }
  Value matmul(Value a, Value b) { return call(matmul_, {a, b}); }
  Value transpose(Value x, int64_t a, int64_t b) { return call(transpose_, {x, a, b}); }
  Value softmax(Value x, int64_t dim, int64_t dtype) {
    return call(softmax_, {x, dim, static_cast<DType>(dtype)});
  }
  Value view(Value x, std::initializer_list<int64_t> shape) {
    return call(view_, {x, ints(shape)});
  }
  Value dropout(Value x, double p, bool train) { return call(dropout_, {x, p, train}); }
  Value add_scaled(Value a, Value b, int64_t alpha) {
    return graph_.call_function(add_, {a, b}, {Kwarg(alpha_, alpha)}, {.type = type_});
  }
  void finish(Value result) { graph_.output(result); }

 private:
  static Argument ints(std::initializer_list<int64_t> values) {
    return Argument::ints(absl::MakeConstSpan(values.begin(), values.size()));
  }
  Value call(Target function, std::initializer_list<Argument> args) {
    return graph_.call_function(function, absl::MakeConstSpan(args.begin(), args.size()), {},
                                {.type = type_});
  }

  Graph& graph_;
  Type type_;
  Target add_, mul_, relu_, layer_norm_, linear_, matmul_, transpose_, softmax_, view_, dropout_;
  Symbol alpha_;
};

class FxGraph {
 public:
  /// Returns the memory of destroyed graphs to the system.
  static void release_memory() { internal::trim_page_pools(); }

  FxGraph() : graph_(std::make_unique<Graph>(context_)), builder_(context_, *graph_) {}

  void build(Family family, size_t nodes, const Paths& paths, bool is_returned) {
    build_family(builder_, family, nodes, paths, is_returned);
  }
  void build_named(Family family, size_t nodes, const Paths& paths) {
    build(family, nodes, paths, true);
  }
  size_t size() {
    size_t inputs = 0;
    for (const Node* node = graph_->front(); node->is_placeholder(); node = node->next()) ++inputs;
    return graph_->size() - inputs - 1;
  }
  size_t iterate() {
    size_t sum = 0, operands = 0;
    for (const Node& node : graph_->nodes()) {
      node.for_each_input([&](const Node* input) {
        sum += reinterpret_cast<uintptr_t>(input);
        ++operands;
      });
    }
    sum_ = sum;
    return operands - 1;  // not counting the operand of the output node
  }
  size_t replace_each() {
    for (Node& node : graph_->nodes())
      if (node.op() == Opcode::kCallFunction) node.replace_all_uses_with(node.arg(0).node());
    size_t left = 0;
    for (const Node& node : graph_->nodes()) left += !node.is_placeholder() && node.has_uses();
    return left;
  }
  size_t replace_wide() {
    Node* value = graph_->front()->next();
    value->replace_all_uses_with(graph_->front());
    return value->num_uses();
  }
  void erase_all() {
    for (Node& node : graph_->nodes().reversed())
      if (!node.is_output() && !node.is_placeholder()) (void)graph_->erase_node(&node);
  }
  void dce() { (void)eliminate_dead_code(*graph_); }
  void cse() { (void)eliminate_common_subexpressions(*graph_); }
  size_t clone() {
    copy_ = graph_->clone();
    return copy_->size() - 2;
  }
  size_t split(size_t calls) {
    size_t i = 0;
    (void)split_module_in_place(*graph_, root_,
                                [&](const Node&) { return static_cast<int64_t>(i++ / calls); });
    return count_calls_of_modules();
  }
  size_t outline_projections() {
    const SupportedTarget rows[] = {{.target = "aten.linear.default"},
                                    {.target = "aten.matmul.default"}};
    const OperatorSupport support = supports_targets(rows);
    (void)fuse_partitions(*graph_, root_, propose_partitions(*graph_, support));
    return count_calls_of_modules();
  }
  bool verify() { return fx::verify(*graph_).ok(); }
  void print(std::string& out) { fx::print(*graph_, out); }
  void parse(const std::string& text) { graph_ = *parse_graph(context_, text); }
  void write_binary(std::string& out) { out = *fx::write_binary(*graph_); }
  void read_binary(const std::string& bytes) { graph_ = *fx::read_binary(context_, bytes); }
  void rewrite_loop() {
    const Target add = context_.function("aten.add.Tensor");
    const Target mul = context_.function("aten.mul.Tensor");
    const Target fused = context_.function("aten.addcmul.default");
    for (Node& node : graph_->nodes()) {
      if (!node.is(add)) continue;
      Node* product = node.arg(0).node();
      if (!product || !product->is(mul) || product->num_uses() != 1) continue;
      graph_->set_insert_point_before(&node);
      Node* result = graph_->call_function(
          fused, {node.arg(1).node(), product->arg(0).node(), product->arg(1).node()}, {},
          {.type = node.type()});
      node.replace_all_uses_with(result);
      (void)graph_->erase_node(&node);
      (void)graph_->erase_node(product);
    }
  }
  void prepare_rewrite() {
    pattern_ = *parse_graph(context_, R"(graph(%a, %b, %c) {
      %mul = aten.mul.Tensor(%a, %b) %add = aten.add.Tensor(%mul, %c) return %add })");
    replacement_ = *parse_graph(context_, R"(graph(%a, %b, %c) {
      %addcmul = aten.addcmul.default(%c, %a, %b) return %addcmul })");
    rules_.emplace(context_);
    (void)rules_->add("fuse", *pattern_, *replacement_);
  }
  void rewrite() { (void)replace_pattern(*graph_, *pattern_, *replacement_); }
  void rewrite_greedily() { (void)fx::rewrite_greedily(*graph_, *rules_); }
  void collect() {
    nodes_.clear();
    for (Node& node : graph_->nodes())
      if (node.op() == Opcode::kCallFunction) nodes_.push_back(&node);
    relu_ = context_.function("aten.relu.default");
  }
  void insert_before(size_t i) {
    graph_->set_insert_point_before(nodes_[i]);
    graph_->call_function(relu_, {graph_->front()}, {}, {.type = nodes_[i]->type()});
  }
  bool is_before(size_t a, size_t b) { return nodes_[a]->comes_before(*nodes_[b]); }
  void destroy() { graph_.reset(); }

 private:
  size_t count_calls_of_modules() const {
    size_t count = 0;
    for (const Node& node : graph_->nodes()) count += node.op() == Opcode::kCallModule;
    return count;
  }

  Context context_;
  Module root_;
  std::unique_ptr<Graph> graph_, copy_, pattern_, replacement_;
  std::optional<RuleSet> rules_;
  FxBuilder builder_;
  std::vector<Node*> nodes_;
  Target relu_;
  volatile size_t sum_ = 0;  // keeps loops from being optimized away
};

}  // namespace fx::bench
