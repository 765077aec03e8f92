// Measures matching and rewriting: the time per match for patterns and graphs of various sizes, and
// the time per node with many rules that do not apply. harness.h compares a fusion with MLIR,
// torch::jit and torch.fx (`rewrite`, `rewrite_greedily`).
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/passes/rewrite/replace_pattern.h"
#include "fx/passes/rewrite/rule_set.h"

#include "benchmark/benchmark.h"
#include "fmt/format.h"

#include <memory>
#include <string>

namespace {

using fx::Graph;
using fx::Node;

/// A repeated chain of calls f0, f1, ... f<size - 1>, and a pattern that matches one repetition.
struct Chain {
  Chain(size_t size, size_t nodes) : graph(context), pattern(context), replacement(context) {
    fx::Node* value = graph.placeholder("x");
    for (size_t i = 0; i < nodes; ++i)
      value = graph.call_function(context.function(fmt::format("user.f{}", i % size)), {value});
    graph.output(value);
    fx::Node* part = pattern.placeholder("x");
    for (size_t i = 0; i < size; ++i)
      part = pattern.call_function(context.function(fmt::format("user.f{}", i)), {part});
    pattern.output(part);
    fx::Node* x = replacement.placeholder("x");
    replacement.output(replacement.call_function(context.function("user.fused"), {x}));
  }
  fx::Context context;
  Graph graph, pattern, replacement;
};

void per_match(benchmark::State& state, size_t matches) {
  state.counters["s/match"] = benchmark::Counter(
      static_cast<double>(matches),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Measures a pattern of range(0) nodes that has range(1) matches.
void bm_pattern_size(benchmark::State& state) {
  const auto size = static_cast<size_t>(state.range(0));
  const auto matches = static_cast<size_t>(state.range(1));
  for (auto _ : state) {
    state.PauseTiming();
    auto chain = std::make_unique<Chain>(size, size * matches);
    state.ResumeTiming();
    const auto replacements = fx::replace_pattern(chain->graph, chain->pattern, chain->replacement);
    if (!replacements.ok() || replacements->size() != matches)
      state.SkipWithError("wrong number of matches");
    state.PauseTiming();
    chain.reset();
    state.ResumeTiming();
  }
  per_match(state, matches);
}

/// Applies range(0) rules to 100,000 nodes. No rule matches; the first one fails only at its last
/// comparison.
void bm_rules_without_match(benchmark::State& state) {
  constexpr size_t kNodes = 100000;
  Chain chain(3, kNodes);
  std::string text;
  for (int64_t i = 0; i < state.range(0); ++i) {
    text += fmt::format(
        "graph @rule{}() {{ graph @pattern(%x) {{ %a = user.g{}(%x) %b = user.f1(%a) "
        "%c = user.{}{}(%b) return %c }} graph @replacement(%x) {{ return %x }} }}\n",
        i, i, i == 0 ? "f" : "h", i == 0 ? 2 : i);
  }
  const auto rules = fx::RuleSet::parse(chain.context, text);
  for (auto _ : state) {
    const auto report = fx::rewrite_greedily(chain.graph, *rules);
    if (!report.ok() || report->changed()) state.SkipWithError("a rule applied");
  }
  state.counters["s/node"] = benchmark::Counter(
      kNodes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(bm_pattern_size)
    ->Unit(benchmark::kMillisecond)
    ->ArgsProduct({{1, 2, 5, 10, 20, 30}, {1000, 100000}})
    ->Args({2, 1000000});
BENCHMARK(bm_rules_without_match)->Unit(benchmark::kMillisecond)->Arg(1)->Arg(10)->Arg(1000);

}  // namespace
