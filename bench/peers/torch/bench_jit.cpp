// torch::jit::Graph as a subject of harness.h: literals are attributes of nodes, and values have
// tensor types. Only build_named sets debug names.
#include "bench/harness.h"

#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/ir/irparser.h>
#include <torch/csrc/jit/passes/common_subexpression_elimination.h>
#include <torch/csrc/jit/passes/subgraph_rewrite.h>
#include <torch/csrc/jit/runtime/custom_operator.h>

namespace fx::bench {
namespace {

using torch::jit::Node;
using torch::jit::Symbol;

/// Registers the operations of families.h as pure operators; literals are not part of their
/// schemas.
const torch::jit::RegisterOperators& registered() {
  const auto op = [](const char* schema) {
    return torch::jit::Operator(
        schema, [](torch::jit::Stack&) {}, c10::AliasAnalysisKind::PURE_FUNCTION);
  };
  static const torch::jit::RegisterOperators all({
      op("peer::add(Tensor a, Tensor b) -> Tensor"),
      op("peer::mul(Tensor a, Tensor b) -> Tensor"),
      op("peer::fused(Tensor y, Tensor a, Tensor b) -> Tensor"),
      op("peer::relu(Tensor x) -> Tensor"),
      op("peer::parameter() -> Tensor"),
      op("peer::layer_norm(Tensor x, Tensor weight, Tensor bias) -> Tensor"),
      op("peer::linear(Tensor x, Tensor weight, Tensor bias) -> Tensor"),
      op("peer::matmul(Tensor a, Tensor b) -> Tensor"),
      op("peer::transpose(Tensor x) -> Tensor"),
      op("peer::softmax(Tensor x) -> Tensor"),
      op("peer::view(Tensor x) -> Tensor"),
      op("peer::dropout(Tensor x) -> Tensor"),
  });
  return all;
}

class Builder {
 public:
  using Value = torch::jit::Value*;
  Builder(torch::jit::Graph& graph, bool named) : graph_(graph), named_(named) {}

  Value input() { return graph_.addInput(); }
  Value add(Value a, Value b) { return make(add_, {a, b}, "add"); }
  Value mul(Value a, Value b) { return make(mul_, {a, b}, "mul"); }
  Value relu(Value a) { return make(relu_, {a}, "relu"); }
  Value parameter(const std::string& path) {
    Node* node = create(parameter_, {});
    node->s_(path_, path);
    return node->output();
  }
  Value layer_norm(Value x, std::initializer_list<int64_t> shape, Value weight, Value bias,
                   double eps, bool cudnn) {
    Node* node = create(layer_norm_, {x, weight, bias});
    node->is_(shape_, std::vector<int64_t>(shape));
    node->f_(eps_, eps);
    node->i_(cudnn_, cudnn);
    return node->output();
  }
  Value linear(Value x, Value weight, Value bias) {
    return create(linear_, {x, weight, bias})->output();
  }
  Value matmul(Value a, Value b) { return create(matmul_, {a, b})->output(); }
  Value transpose(Value x, int64_t a, int64_t b) {
    Node* node = create(transpose_, {x});
    node->i_(dim0_, a);
    node->i_(dim1_, b);
    return node->output();
  }
  Value softmax(Value x, int64_t dim, int64_t dtype) {
    Node* node = create(softmax_, {x});
    node->i_(dim0_, dim);
    node->i_(dtype_, dtype);
    return node->output();
  }
  Value view(Value x, std::initializer_list<int64_t> shape) {
    Node* node = create(view_, {x});
    node->is_(shape_, std::vector<int64_t>(shape));
    return node->output();
  }
  Value dropout(Value x, double p, bool train) {
    Node* node = create(dropout_, {x});
    node->f_(eps_, p);
    node->i_(train_, train);
    return node->output();
  }
  Value add_scaled(Value a, Value b, int64_t alpha) {
    Node* node = create(add_, {a, b});
    node->i_(alpha_, alpha);
    return node->output();
  }
  void finish(Value result) { graph_.registerOutput(result); }

 private:
  Node* create(Symbol kind, at::ArrayRef<Value> inputs) {
    return graph_.insertNode(graph_.create(kind, inputs));
  }
  Value make(Symbol kind, at::ArrayRef<Value> inputs, const char* name) {
    Value value = create(kind, inputs)->output();
    if (named_) value->setDebugName(name);
    return value;
  }
  static Symbol prim(const char* name) { return Symbol::fromQualString(name); }

  torch::jit::Graph& graph_;
  bool named_;
  Symbol add_ = prim("peer::add"), mul_ = prim("peer::mul"), relu_ = prim("peer::relu"),
         parameter_ = prim("peer::parameter"), layer_norm_ = prim("peer::layer_norm"),
         linear_ = prim("peer::linear"), matmul_ = prim("peer::matmul"),
         transpose_ = prim("peer::transpose"), softmax_ = prim("peer::softmax"),
         view_ = prim("peer::view"), dropout_ = prim("peer::dropout");
  Symbol path_ = Symbol::attr("path"), shape_ = Symbol::attr("shape"), eps_ = Symbol::attr("eps"),
         cudnn_ = Symbol::attr("cudnn"), dim0_ = Symbol::attr("dim0"), dim1_ = Symbol::attr("dim1"),
         dtype_ = Symbol::attr("dtype"), train_ = Symbol::attr("train"),
         alpha_ = Symbol::attr("alpha");
};

class JitGraph {
 public:
  JitGraph() : graph_(std::make_shared<torch::jit::Graph>()) { registered(); }

  /// torch::jit searches the users of a value from the start, which is slow if there are many.
  static bool is_too_slow(std::string_view op, Family family, size_t nodes) {
    if (family == Family::kWide && nodes > 10000)
      return op == "rauw_wide" || op.substr(0, 3) == "dce" || op == "cse";
    if (family != Family::kTransformer) return op == "cse" && nodes > 100000;
    if (op == "erase_all" || op == "dce_all_dead") return nodes > 100000;
    return op == "cse" && nodes > 10000;
  }
  void build(Family family, size_t nodes, const Paths& paths, bool is_returned) {
    Builder builder(*graph_, false);
    build_family(builder, family, nodes, paths, is_returned);
  }
  void build_named(Family family, size_t nodes, const Paths& paths) {
    Builder builder(*graph_, true);
    build_family(builder, family, nodes, paths);
  }
  size_t size() {
    size_t count = 0;
    for (Node* node : graph_->nodes()) count += node != nullptr;
    return count;
  }
  size_t iterate() {
    size_t sum = 0, operands = 0;
    for (Node* node : graph_->nodes()) {
      for (torch::jit::Value* input : node->inputs()) {
        sum += reinterpret_cast<uintptr_t>(input);
        ++operands;
      }
    }
    benchmark::DoNotOptimize(sum);
    return operands;
  }
  size_t replace_each() {
    for (Node* node : graph_->nodes()) node->output()->replaceAllUsesWith(node->input(0));
    size_t left = 0;
    for (Node* node : graph_->nodes()) left += node->hasUses();
    return left;
  }
  size_t replace_wide() {
    Node* node = *graph_->nodes().begin();
    node->output()->replaceAllUsesWith(node->input(0));
    return node->output()->uses().size();
  }
  void erase_all() {
    auto nodes = graph_->nodes().reverse();
    for (auto it = nodes.begin(); it != nodes.end(); ++it) it.destroyCurrent();
  }
  /// Uses a plain loop, which is five times as fast as EliminateDeadCode, because the latter first
  /// analyzes aliases.
  void dce() {
    auto nodes = graph_->nodes().reverse();
    for (auto it = nodes.begin(); it != nodes.end(); ++it)
      if (!it->hasUses() && !it->hasSideEffects()) it.destroyCurrent();
  }
  void cse() { torch::jit::EliminateCommonSubexpression(graph_); }
  size_t clone() {
    copy_ = graph_->copy();
    size_t count = 0;
    for (Node* node : copy_->nodes()) count += node != nullptr;
    return count;
  }
  bool verify() {
    graph_->lint();
    return true;
  }
  void print(std::string& out) { out = graph_->toString(/*print_source_locations=*/false); }
  void parse(const std::string& text) {
    graph_ = std::make_shared<torch::jit::Graph>();
    torch::jit::parseIR(text, graph_.get());
  }
  void prepare_rewrite() {
    rewriter_.RegisterRewritePattern(
        "graph(%a, %b, %c):\n  %m = peer::mul(%a, %b)\n  %r = peer::add(%m, %c)\n  return (%r)\n",
        "graph(%a, %b, %c):\n  %r = peer::fused(%c, %a, %b)\n  return (%r)\n");
  }
  void rewrite() { rewriter_.runOnGraph(graph_); }
  void rewrite_loop() {
    const Symbol add = Symbol::fromQualString("peer::add"),
                 mul = Symbol::fromQualString("peer::mul"),
                 fused = Symbol::fromQualString("peer::fused");
    for (auto it = graph_->nodes().begin(); it != graph_->nodes().end();) {
      Node* node = *it;
      ++it;
      if (node->kind() != add) continue;
      Node* product = node->input(0)->node();
      if (product->kind() != mul || product->output()->uses().size() != 1) continue;
      Node* created = graph_->create(fused, {node->input(1), product->input(0), product->input(1)});
      created->insertBefore(node);
      node->output()->replaceAllUsesWith(created->output());
      node->destroy();
      product->destroy();
    }
  }
  void collect() {
    nodes_.clear();
    for (Node* node : graph_->nodes()) nodes_.push_back(node);
  }
  void insert_before(size_t i) {
    graph_->create(Symbol::fromQualString("peer::relu"), {graph_->inputs()[0]})
        ->insertBefore(nodes_[i]);
  }
  bool is_before(size_t a, size_t b) { return nodes_[a]->isBefore(nodes_[b]); }
  void destroy() { graph_.reset(); }

 private:
  torch::jit::SubgraphRewriter rewriter_;
  std::shared_ptr<torch::jit::Graph> graph_, copy_;
  std::vector<Node*> nodes_;
};

}  // namespace
}  // namespace fx::bench

int main(int argc, char** argv) {
  return fx::bench::run_benchmarks<fx::bench::JitGraph>(argc, argv);
}
