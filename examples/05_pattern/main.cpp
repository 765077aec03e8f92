// Lesson 5: replacing patterns. Rules written as text replace PyTorch's operators in a small
// transformer block with fused ones. A rule in C++ follows, with an explanation of why a rule did
// not match.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/rewrite/matchers.h"
#include "fx/passes/rewrite/replace_traced.h"
#include "fx/passes/rewrite/rule_set.h"
#include "fx/passes/rewrite/subgraph_matcher.h"
#include "fx/tracer/generated/functions.h"

#include <iostream>
#include <memory>
#include <string_view>

namespace {

constexpr std::string_view kModel = R"(
graph @block(%q : f32[2, 4, 16, 8], %k : f32[2, 4, 16, 8], %v : f32[2, 4, 16, 8], %x : f32[32, 8],
             %w : f32[8, 8], %b : f32[8]) {
  %t = aten.transpose.int(%k, -2, -1)
  %scores = aten.matmul.default(%q, %t)
  %scaled = aten.mul.Tensor(%scores, 0.35355339)
  %weights = aten.softmax.int(%scaled, -1)
  %values = aten.matmul.default(%weights, %v)
  %mm = aten.mm.default(%x, %w)
  %linear = aten.add.Tensor(%b, %mm)
  %sigmoid = aten.sigmoid.default(%linear)
  %silu = aten.mul.Tensor(%linear, %sigmoid)
  %out = aten.mul.Tensor(%silu, 1)
  return (%values, %out)
}
)";

// `scale` matches any number, which the replacement uses. The operands of the bias addition and
// of SiLU's multiplication match in either order.
constexpr std::string_view kRules = R"(
graph @attention() {
  graph @pattern(%q, %k, %v, %scale !{match="number"}) {
    %t = aten.transpose.int(%k, -2, -1)
    %scores = aten.matmul.default(%q, %t)
    %scaled = aten.mul.Tensor(%scores, %scale)
    %weights = aten.softmax.int(%scaled, -1)
    %values = aten.matmul.default(%weights, %v)
    return %values
  }
  graph @replacement(%q, %k, %v, %scale) {
    %attention = aten.scaled_dot_product_attention.default(%q, %k, %v, scale=%scale)
    return %attention
  }
}
graph @addmm() {
  !commutative = True
  graph @pattern(%x, %w, %b : f32[n]) {
    %mm = aten.mm.default(%x, %w)
    %add = aten.add.Tensor(%mm, %b)
    return %add
  }
  graph @replacement(%x, %w, %b) {
    %addmm = aten.addmm.default(%b, %x, %w)
    return %addmm
  }
}
graph @silu() {
  !commutative = True
  graph @pattern(%x) {
    %sigmoid = aten.sigmoid.default(%x)
    %mul = aten.mul.Tensor(%sigmoid, %x)
    return %mul
  }
  graph @replacement(%x) {
    %silu = aten.silu.default(%x)
    return %silu
  }
}
)";

absl::Status run() {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> graph, fx::parse_graph(context, kModel));
  FX_ASSIGN_OR_RETURN(fx::RuleSet rules, fx::RuleSet::parse(context, kRules));

  // A rule in C++: x * 1 is x.
  const fx::Target mul = context.function("aten.mul.Tensor");
  FX_RETURN_IF_ERROR(rules.add(
      "mul_one", {mul}, [&](fx::Node& node, fx::Rewriter& rewriter) -> absl::StatusOr<bool> {
        fx::Argument x;
        if (!fx::m::match(node, fx::m::call(mul, fx::m::any(x), fx::m::constant(1)))) return false;
        return rewriter.replace(node, x);
      }));

  FX_ASSIGN_OR_RETURN(const fx::RewriteReport report, fx::rewrite_greedily(*graph, rules));
  for (const auto& [name, count] : report.by_rule) std::cout << name << " " << count << '\n';
  std::cout << fx::print(*graph) << '\n';

  // Explains why the rule does not match again.
  FX_ASSIGN_OR_RETURN(const fx::Mismatch why, fx::explain_mismatch(*rules.pattern(2), *graph));
  std::cout << "silu: " << why.str() << "\n\n";

  // The pattern and the replacement as functions, as in torch.fx.
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> other, fx::parse_graph(context, R"(
      graph(%x, %y) { %s = operator.add(%x, %y) %r = torch.relu(%s) return %r })"));
  FX_ASSIGN_OR_RETURN(const size_t num_replaced,
                      fx::replace_traced(
                          *other, [](fx::Proxy x, fx::Proxy y) { return relu(x + y); },
                          [](fx::Proxy x, fx::Proxy y) { return clamp_min(x + y, 0); }));
  std::cout << num_replaced << " replaced\n" << fx::print(*other, {.meta = false});
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
